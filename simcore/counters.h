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
    X(cycles, "cycles", "SM clocks from launch to end, launch costs included")                                     \
    X(launch_cycles, "cycles", "of those, before the first CTA could start")                                       \
    X(ctas, "CTAs", "CTAs that ran")                                                                               \
    X(empty_ctas, "CTAs", "CTAs of the trace without any instruction")                                             \
    X(warps, "warps", "warps that ran at least one instruction")                                                   \
    X(resident_ctas_limit, "CTAs an SM", "most CTAs of this kernel that fit into an SM")                           \
    X(carveout_bytes, "bytes", "shared memory set aside in each SM")                                               \
    X(l1_bytes, "bytes", "what that leaves for the L1 cache of each SM")                                           \
    X(active_sms, "SMs", "SMs that got at least one CTA")                                                          \
    X(sm_active_cycles, "cycles", "sum over SMs of cycles with at least one resident CTA")                         \
    X(warp_cycles, "warp cycles",                                                                                  \
      "sum over warps of cycles from start to exit; divided by sm_active_cycles: warps resident on average")       \
    X(warp_instructions, "instructions", "warp instructions issued")                                               \
    X(lane_instructions, "instructions", "the same, counted by active lane")                                       \
    X(predicated_off, "instructions", "warp instructions without any active lane")                                 \
    X(slots_total, "slots", "issue slots: four a cycle and SM, over the whole launch")                             \
    X(slots_issued, "slots", "slots in which a warp instruction issued")                                           \
    X(slots_launch, "slots", "slots before the first CTA could start")                                             \
    X(l1_load_requests, "requests", "load instructions that looked into L1")                                       \
    X(l1_load_lines, "lines", "128-byte lines these touched")                                                      \
    X(l1_load_sectors, "sectors", "32-byte sectors these touched")                                                 \
    X(l1_load_hit_sectors, "sectors", "of those, present")                                                         \
    X(l1_load_pending_sectors, "sectors", "of those, already on their way")                                        \
    X(l1_load_miss_sectors, "sectors", "of those, asked from L2")                                                  \
    X(l1_store_requests, "requests", "store instructions to global or local memory")                               \
    X(l1_store_sectors, "sectors", "32-byte sectors these wrote through to L2")                                    \
    X(l1_bypass_sectors, "sectors", "sectors of loads that bypass L1 by their scope")                              \
    X(shared_requests, "requests", "instructions that accessed shared memory")                                     \
    X(shared_passes, "passes", "passes of those through the banks")                                                \
    X(shared_conflicts, "passes", "of those, passes beyond what an access free of conflicts takes")                \
    X(shared_atomic_requests, "requests", "atomics on shared memory")                                              \
    X(atomic_requests, "requests", "atomic and reduction instructions on global memory")                           \
    X(local_requests, "requests", "instructions that accessed local memory")                                       \
    X(constant_requests, "requests", "loads from constant memory")                                                 \
    X(texture_requests, "requests", "texture and surface instructions, timed without addresses")                   \
    X(l2_read_requests, "requests", "reads that reached L2, at most a line each")                                  \
    X(l2_read_sectors, "sectors", "sectors these asked for")                                                       \
    X(l2_read_hit_sectors, "sectors", "of those, present or on their way")                                         \
    X(l2_read_miss_sectors, "sectors", "of those, fetched from DRAM")                                              \
    X(l2_write_requests, "requests", "writes that reached L2")                                                     \
    X(l2_write_sectors, "sectors", "sectors these wrote")                                                          \
    X(l2_atomic_requests, "requests", "atomics and reductions that reached L2")                                    \
    X(l2_atomic_sectors, "sectors", "sectors these changed")                                                       \
    X(l2_far_requests, "requests", "requests to L2 that crossed to its other partition")                           \
    X(l2_far_sectors, "sectors", "sectors these asked for or wrote")                                               \
    X(l2_writebacks, "lines", "evicted lines with changed sectors")                                                \
    X(noc_request_bytes, "bytes", "from SMs to L2, headers included")                                              \
    X(noc_reply_bytes, "bytes", "from L2 to SMs, headers included")                                                \
    X(tlb_sm_hits, "requests", "requests behind L1 whose page the SM knew or had asked for; 0 at level off")       \
    X(tlb_gpc_hits, "requests", "requests whose page the GPC knew or had asked for")                               \
    X(tlb_gpu_hits, "requests", "requests whose page the GPU knew or had asked for")                               \
    X(tlb_walks, "walks", "walks through the page tables, for all other requests")                                 \
    X(tlb_directory_misses, "walks", "of those, walks that had to read directories first")                         \
    X(dram_read_sectors, "sectors", "32-byte sectors read from DRAM")                                              \
    X(dram_write_sectors, "sectors", "32-byte sectors written to DRAM")                                            \
    X(dram_row_hits, "accesses", "DRAM accesses that found their row open")                                        \
    X(dram_row_misses, "accesses", "DRAM accesses that had to open their row")                                     \
    X(dram_busy, "permille", "of the bus time of all channels, the share in use")                                  \
    X(barriers, "barriers", "barriers released")                                                                   \
    X(barrier_arrivals, "warps", "warps that arrived at a barrier")                                                \
    X(barriers_left_by_exit, "barriers", "barriers that ended because other warps had exited")                     \
    X(memory_without_addresses, "instructions",                                                                    \
      "memory instructions whose addresses the trace does not hold; timed as hits")                                \
    X(fetch_l0_misses, "lines", "lines of code that neither a sub-core's cache nor its stream buffer had")         \
    X(fetch_l0_prefetched, "lines", "lines of code that the stream buffer had, or had asked for")                  \
    X(fetch_l1_misses, "lines", "lines of code that an SM's instruction cache asked from L2")                      \
    X(bulk_copies, "instructions",                                                                                 \
      "copies by descriptor, of which the trace holds neither addresses nor sizes; timed as one trip to L2")       \
    X(bulk_traced, "instructions", "copies by descriptor whose addresses and sizes the trace holds")               \
    X(bulk_sectors, "sectors", "32-byte sectors of L2 that these read, wrote or changed")                          \
    X(cluster_barriers, "barriers", "barriers of clusters released")                                               \
    X(remote_shared, "instructions", "accesses to the shared memory of another CTA of the cluster")                \
    X(control_unknown, "instructions",                                                                             \
      "instructions without control bits at level control; their registers decide")                                \
    X(unknown_opcodes, "opcodes",                                                                                  \
      "distinct opcodes of the trace that are not in the table; classed by their first letters")                   \
    X(unknown_instructions, "instructions", "executed instructions with such an opcode")                           \
    X(tensor_cycles, "cycles", "cycles for which tensor units of sub-cores were kept busy, over all of them")      \
    X(untyped_tensor, "instructions", "tensor instructions of a type this GPU has no rate for; timed as 16 bit")   \
    X(repair_destinations, "instructions", "lines of the trace whose destination was recorded as a source")        \
    X(repair_register_groups, "instructions", "lines of the trace that name only the first register of a group")   \
    X(repair_empty_ctas, "CTAs", "CTAs of the grid that the trace does not hold")                                  \
    X(power_average, "mW", "energy of all parts over the time of the launch")                                      \
    X(repair_damaged_warps, "warps", "warps whose instruction count and lines disagree")                           \
    X(repair_access_widths, "instructions", "accesses whose opcode says another width than the trace")             \
    X(repair_operand_kinds, "instructions", "instructions of the trace with predicates recorded as registers")     \
    X(repair_lane_addresses, "instructions", "accesses of which the trace does not say the address of each lane")  \
    X(repair_polls, "instructions", "instructions of polling loops without success, which were left out")          \
    X(polls, "instructions", "loads and atomics that poll global memory, once for each polling loop")              \
    X(poll_waits, "waits", "waits of these for writes of other warps")                                             \
    X(polls_unknown, "instructions", "polls that did not wait, because the launch does not show for what")         \
    X(polls_given_up, "instructions", "polls that waited for more writes than came, and went on")

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
