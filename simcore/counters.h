/* simcore/counters.h: all counters of a simulation, each with its unit and a description.
 *
 * The counters are plain numbers in one struct, so counting is a single increment. */
#ifndef VIVACE_SIMCORE_COUNTERS_H
#define VIVACE_SIMCORE_COUNTERS_H

#include "simcore/sm/opcode_table.h"

/* Why an issue slot of a sub-core was not used. The reasons and `issued` add up to all slots. */
#define SLOT_REASONS(X)                                                                                            \
    X(EMPTY, "empty", "no warp was resident, or the next one was still starting")                                  \
    X(DEPENDENCE, "dependence", "waiting for a result of fixed latency")                                           \
    X(MEMORY, "memory", "waiting for data from memory or shared memory")                                           \
    X(UNIT, "unit", "the execution unit was busy")                                                                 \
    X(QUEUE, "queue", "the memory queue of the sub-core was full")                                                 \
    X(BARRIER, "barrier", "waiting at a barrier")                                                                  \
    X(SYNC, "sync", "waiting for a fence or an asynchronous group")                                                \
    X(BRANCH, "branch", "waiting behind a taken branch")                                                           \
    X(FETCH, "fetch", "waiting for the instruction itself")                                                        \
    X(REGISTERS, "registers", "the ports of the register file were busy")
enum slot_reason {
#define X(name, text, sentence) SLOT_##name,
    SLOT_REASONS(X)
#undef X
        SLOT_REASON_COUNT
};

/* The parts of a launch's energy (observe/power.h): id, name, description. */
#define POWER_PARTS(X)                                                                                             \
    X(CORE, "core", "issue, registers, arithmetic and shared memory")                                              \
    X(L1, "l1", "the L1 caches")                                                                                   \
    X(L2, "l2", "the L2 cache")                                                                                    \
    X(NOC, "noc", "the network between SMs and L2")                                                                \
    X(DRAM, "dram", "device memory and its controllers")                                                           \
    X(STATIC, "static", "the board, and SMs with a resident CTA")                                                  \
    X(IDLE, "idle", "SMs without a resident CTA")
enum power_part {
#define X(id, name, sentence) PART_##id,
    POWER_PARTS(X)
#undef X
        POWER_PART_COUNT
};

/* name, unit, description */
#define COUNTERS(X)                                                                                                \
    X(cycles, "cycles", "SM clocks from launch to end, launch overhead included")                                  \
    X(launch_cycles, "cycles", "cycles before the first CTA could start")                                          \
    X(ctas, "CTAs", "CTAs that were simulated")                                                                    \
    X(empty_ctas, "CTAs", "CTAs of the trace without any instruction")                                             \
    X(warps, "warps", "warps that executed at least one instruction")                                              \
    X(resident_ctas_limit, "CTAs an SM", "maximum number of CTAs of this kernel that fit into an SM")              \
    X(carveout_bytes, "bytes", "shared-memory carve-out of each SM")                                               \
    X(l1_bytes, "bytes", "size of the L1 cache of each SM, beside the carve-out")                                  \
    X(active_sms, "SMs", "SMs that executed at least one CTA")                                                     \
    X(sm_active_cycles, "cycles", "sum over SMs of cycles with at least one resident CTA")                         \
    X(warp_cycles, "warp cycles",                                                                                  \
      "sum over warps of cycles from start to exit; divided by sm_active_cycles: mean number of resident warps")   \
    X(warp_instructions, "instructions", "warp instructions issued")                                               \
    X(lane_instructions, "instructions", "issued instructions, counted once for each active lane")                 \
    X(predicated_off, "instructions", "warp instructions without any active lane")                                 \
    X(slots_total, "slots", "issue slots: four per cycle and SM, over the whole launch")                           \
    X(slots_issued, "slots", "issue slots in which a warp instruction issued")                                     \
    X(slots_launch, "slots", "issue slots before the first CTA could start")                                       \
    X(l1_load_requests, "requests", "load instructions that accessed L1")                                          \
    X(l1_load_lines, "lines", "128-byte lines that loads accessed in L1")                                          \
    X(l1_load_sectors, "sectors", "32-byte sectors that loads accessed in L1")                                     \
    X(l1_load_hit_sectors, "sectors", "sectors of loads that were present in L1")                                  \
    X(l1_load_pending_sectors, "sectors", "sectors of loads that were in flight to L1")                            \
    X(l1_load_miss_sectors, "sectors", "sectors of loads that L1 requested from L2")                               \
    X(l1_store_requests, "requests", "store instructions to global or local memory")                               \
    X(l1_store_sectors, "sectors", "32-byte sectors that stores wrote through to L2")                              \
    X(l1_bypass_sectors, "sectors", "sectors of loads that bypass L1 by their scope")                              \
    X(shared_requests, "requests", "instructions that accessed shared memory")                                     \
    X(shared_passes, "passes", "passes of accesses to shared memory through its banks")                            \
    X(shared_conflicts, "passes",                                                                                  \
      "passes through the banks in addition to those of the same accesses without bank conflicts")                 \
    X(shared_atomic_requests, "requests", "atomics on shared memory")                                              \
    X(atomic_requests, "requests", "atomic and reduction instructions on global memory")                           \
    X(local_requests, "requests", "instructions that accessed local memory")                                       \
    X(constant_requests, "requests", "loads from constant memory")                                                 \
    X(texture_requests, "requests", "texture and surface instructions, timed without addresses")                   \
    X(l2_read_requests, "requests", "read requests that reached L2, each for at most one line")                    \
    X(l2_read_sectors, "sectors", "sectors that read requests asked L2 for")                                       \
    X(l2_read_hit_sectors, "sectors", "sectors of read requests that were present in L2 or in flight to it")       \
    X(l2_read_miss_sectors, "sectors", "sectors of read requests that were fetched from DRAM")                     \
    X(l2_write_requests, "requests", "write requests that reached L2")                                             \
    X(l2_write_sectors, "sectors", "sectors that write requests wrote to L2")                                      \
    X(l2_atomic_requests, "requests", "requests of atomics and reductions that reached L2")                        \
    X(l2_atomic_sectors, "sectors", "sectors that atomics and reductions changed in L2")                           \
    X(l2_far_requests, "requests", "requests to L2 that crossed to the other partition")                           \
    X(l2_far_sectors, "sectors", "sectors of requests that crossed to the other partition of L2")                  \
    X(l2_writebacks, "lines", "evicted lines of L2 with modified sectors")                                         \
    X(noc_request_bytes, "bytes", "bytes sent from SMs to L2, headers included")                                   \
    X(noc_reply_bytes, "bytes", "bytes sent from L2 to SMs, headers included")                                     \
    X(tlb_sm_hits, "requests",                                                                                     \
      "requests behind L1 whose page was in the SM's TLB or being fetched; 0 at level off")                        \
    X(tlb_gpc_hits, "requests", "requests whose page was in the GPC's TLB or being fetched")                       \
    X(tlb_gpu_hits, "requests", "requests whose page was in the GPU's TLB or being fetched")                       \
    X(tlb_walks, "walks", "page walks, for all other requests")                                                    \
    X(tlb_directory_misses, "walks", "page walks that had to read directories first")                              \
    X(dram_read_sectors, "sectors", "32-byte sectors read from DRAM")                                              \
    X(dram_write_sectors, "sectors", "32-byte sectors written to DRAM")                                            \
    X(dram_row_hits, "accesses", "DRAM accesses to an open row")                                                   \
    X(dram_row_misses, "accesses", "DRAM accesses whose row had to be opened first")                               \
    X(dram_busy, "permille", "share of the bus time of all channels in which data was transferred")                \
    X(barriers, "barriers", "completed barrier phases")                                                            \
    X(barrier_arrivals, "warps", "arrivals of warps at barriers")                                                  \
    X(barriers_left_by_exit, "barriers", "barrier phases that completed because other warps had exited")           \
    X(memory_without_addresses, "instructions",                                                                    \
      "memory instructions without addresses in the trace; timed as hits")                                         \
    X(fetch_l0_misses, "lines",                                                                                    \
      "code lines that were neither in a sub-core's instruction cache nor in its stream buffer")                   \
    X(fetch_l0_prefetched, "lines", "code lines that were in the stream buffer or in flight to it")                \
    X(fetch_l1_misses, "lines", "code lines that an SM's instruction cache requested from L2")                     \
    X(bulk_copies, "instructions",                                                                                 \
      "copies by descriptor without addresses and sizes in the trace; timed as one round trip to L2")              \
    X(bulk_traced, "instructions", "copies by descriptor with addresses and sizes in the trace")                   \
    X(bulk_sectors, "sectors", "32-byte sectors of L2 that traced copies by descriptor read, wrote or changed")    \
    X(cluster_barriers, "barriers", "completed phases of the barriers of clusters")                                \
    X(remote_shared, "instructions", "accesses to the shared memory of another CTA of the cluster")                \
    X(control_unknown, "instructions",                                                                             \
      "instructions without control bits at level control; timed by their registers instead")                      \
    X(unknown_opcodes, "opcodes",                                                                                  \
      "different opcodes of the trace that are not in the table; classified by their first letters")               \
    X(unknown_instructions, "instructions", "executed instructions with an unknown opcode")                        \
    X(tensor_cycles, "cycles", "cycles in which tensor units were busy, summed over all sub-cores")                \
    X(untyped_tensor, "instructions",                                                                              \
      "tensor instructions of a type for which the design has no rate; timed as 16 bit")                           \
    X(repair_destinations, "instructions",                                                                         \
      "instruction lines of the trace whose destination was recorded as a source")                                 \
    X(repair_register_groups, "instructions",                                                                      \
      "instruction lines of the trace that name only the first register of a group")                               \
    X(repair_empty_ctas, "CTAs", "CTAs of the grid that are missing in the trace")                                 \
    X(power_average, "mW", "mean power: energy of all parts, divided by the duration of the launch")               \
    X(repair_damaged_warps, "warps",                                                                               \
      "warps whose instruction count differs from their number of instruction lines")                              \
    X(repair_access_widths, "instructions", "accesses whose opcode states another width than the trace")           \
    X(repair_operand_kinds, "instructions", "instructions whose predicates were recorded as registers")            \
    X(repair_lane_addresses, "instructions",                                                                       \
      "accesses for which the trace does not have the address of each lane")                                       \
    X(repair_polls, "instructions", "instructions of unsuccessful rounds of polling loops, which were left out")   \
    X(polls, "instructions", "loads and atomics that poll global memory, once for each polling loop")              \
    X(poll_waits, "waits", "waits of polls for writes of other warps")                                             \
    X(polls_unknown, "instructions",                                                                               \
      "polls that did not wait, because the launch does not show what they wait for")                              \
    X(polls_given_up, "instructions", "polls that stopped waiting, because fewer writes came than they waited for")

struct counters {
#define X(name, unit, sentence) uint64_t name;
    COUNTERS(X)
#undef X
    uint64_t slots_idle[SLOT_REASON_COUNT];
    uint64_t warp_mix[MIX_COUNT], lane_mix[MIX_COUNT];
    uint64_t energy[POWER_PART_COUNT]; /* nJ */
};

/* All counters in the form of simcore.h: a malloc'ed array of *n entries. NULL: out of memory. */
struct sim_counter *counters_list(const struct counters *c, size_t *n, struct err *e);

#endif
