#include "simcore/design_params.h"

#include <stdio.h>
#include <string.h>

#define P(group_, key_, unit_, meaning_, field_, least_, most_, scale_)                                            \
    {                                                                                                              \
        group_, key_, unit_, meaning_, offsetof(struct gpu_design, field_), least_, most_, scale_, NULL, false     \
    }
#define CHOICE(group_, key_, unit_, meaning_, field_, names_)                                                      \
    {                                                                                                              \
        group_, key_, unit_, meaning_, offsetof(struct gpu_design, field_), 0, 0, 1, names_, false                 \
    }
/* A file may leave it out. */
#define OPTION(group_, key_, unit_, meaning_, field_, names_)                                                      \
    {                                                                                                              \
        group_, key_, unit_, meaning_, offsetof(struct gpu_design, field_), 0, 0, 1, names_, true                  \
    }

/* Each in the order of its enum in design.h. */
static const char *const sched_names[] = {WARP_SCHEDULERS(COMPONENT_NAME) NULL};
static const char *const dependence_names[] = {"none", "one_load", "scoreboard", "control", NULL};
static const char *const fetch_names[] = {"ideal", "cached", NULL};
static const char *const regfile_names[] = {"ideal", "banked", NULL};
static const char *const memory_names[] = {MEMORY_PATHS(COMPONENT_NAME) NULL};
static const char *const noc_names[] = {NOC_MODELS(COMPONENT_NAME) NULL};
static const char *const dram_names[] = {DRAM_MODELS(COMPONENT_NAME) NULL};
static const char *const hash_names[] = {ADDRESS_HASHES(COMPONENT_NAME) NULL};
static const char *const cta_names[] = {CTA_SCHEDULERS(COMPONENT_NAME) NULL};
static const char *const replacement_names[] = {REPLACEMENT_POLICIES(COMPONENT_NAME) NULL};
static const char *const tlb_names[] = {"off", "on", NULL};

const struct design_param design_params[] = {
    P("gpu", "compute_capability", "tenths", "70 for 7.0", compute_capability, 50, 200, 1),
    P("gpu", "sms", "count", "SMs of the GPU", sms, 1, DESIGN_SMS_MAX, 1),
    P("gpu", "gpcs", "count", "groups of SMs; SM i lies in group i mod gpcs", gpcs, 1, 64, 1),
    P("clock", "sm_mhz", "MHz", "clock of the SMs", sm_khz, 10, 10000, 1000),
    P("clock", "l2_mhz", "MHz", "clock of L2 and of the network", l2_khz, 10, 10000, 1000),
    P("launch", "kernel_cycles", "cycles", "from the launch to the first CTA", kernel_cycles, 0, 1000000, 1),
    P("launch", "cta_interval_cycles", "cycles", "between two CTAs sent out, over the whole GPU",
      cta_interval_cycles, 0, 10000, 1),
    P("launch", "turnover_cycles", "cycles",
      "from the last exit of a CTA to the first issue of the next in its place", turnover_cycles, 1, 100000, 1),
    P("launch", "warp_cycles", "cycles", "between the starts of two warps of a CTA", warp_cycles, 0, 10000, 1),
    P("launch", "submit_ns", "ns", "the host takes to submit one item of a stream", submit_ps, 0, 1000000, 1000),
    OPTION("launch", "cta_scheduler", "name", "which SM gets the next CTA", cta_scheduler, cta_names),
    P("sm", "warps", "count", "warps that an SM holds", warps, 4, DESIGN_WARPS_MAX, 1),
    P("sm", "ctas", "count", "CTAs that an SM holds", ctas, 1, 64, 1),
    P("sm", "registers", "count", "32-bit registers of an SM", registers, 1024, 1048576, 1),
    P("sm", "register_unit", "registers a warp", "registers are given to a warp in such pieces", register_unit, 32,
      4096, 1),
    P("sm", "shared_kb", "KB", "shared memory of an SM", shared_bytes, 0, 1024, 1024),
    P("sm", "shared_cta_kb", "KB", "shared memory of one CTA at most", shared_cta_bytes, 0, 1024, 1024),
    P("sm", "shared_system_bytes", "bytes a CTA", "shared memory taken by the system", shared_system_bytes, 0,
      65536, 1),
    P("sm", "shared_unit_bytes", "bytes", "shared memory is given in such pieces", shared_unit_bytes, 1, 65536, 1),
    P("sm", "unified_kb", "KB", "L1 and shared memory together", unified_bytes, 16, 4096, 1024),
    P("sm", "barrier_cycles", "cycles", "from the last arrival at a barrier to the next issue of those that waited",
      barrier_cycles, 1, 10000, 1),
    P("sm", "guard_cycles", "cycles", "how much later a predicate can guard an instruction than be read as data",
      guard_cycles, 0, 1000, 1),
    CHOICE("sm", "scheduler", "name", "which ready warp issues: cggty, gto or lrr", scheduler, sched_names),
    P("tensor", "latency", "cycles", "of a product, beside the cycles it keeps the unit", tensor_latency, 1, 1000,
      1),
    P("tensor", "fp16_rate", "FMA a clock an SM", "16-bit products, 16-bit accumulators; 0: none", tensor_f16, 0,
      65536, 1),
    P("tensor", "fp16_fp32_rate", "FMA a clock an SM", "16-bit products, 32-bit accumulators; 0: none", tensor_f32,
      0, 65536, 1),
    P("tensor", "tf32_rate", "FMA a clock an SM", "TF32 products; 0: none", tensor_tf32, 0, 65536, 1),
    P("tensor", "fp8_rate", "FMA a clock an SM", "8-bit floating-point products; 0: none", tensor_fp8, 0, 65536, 1),
    P("tensor", "int8_rate", "FMA a clock an SM", "8-bit integer products; 0: none", tensor_int8, 0, 65536, 1),
    P("tensor", "fp64_rate", "FMA a clock an SM", "double-precision products; 0: none", tensor_fp64, 0, 65536, 1),
    P("tensor", "warp_group_rate", "FMA a clock an SM", "16-bit products of warp groups; 0: none",
      tensor_warp_group, 0, 65536, 1),
    P("lsu", "interval_cycles", "cycles", "between two memory instructions of an SM", lsu_interval, 1, 64, 1),
    P("lsu", "agu_cycles", "cycles", "address generation: between two of a sub-core", lsu_agu, 1, 64, 1),
    P("lsu", "queue", "count", "memory instructions a sub-core can have issued before address generation",
      lsu_queue, 1, 16, 1),
    P("lsu", "stores", "lines", "an SM's stores that L2 has not yet accepted", lsu_stores, 1, 1024, 1),
    P("lsu", "tag_slope", "cycles a line", "a load of n lines keeps the tags for max(1, slope n + base)",
      tag_slope_256, 0, 64, 256),
    P("lsu", "tag_base", "cycles", "see tag_slope", tag_base_256, 0, 64, 256),
    P("l1", "latency_cycles", "cycles", "of an L1 hit, from issue to a dependent issue", l1_latency, 2, 1000, 1),
    P("l1", "detect_cycles", "cycles", "of those, until a miss leaves", l1_detect, 1, 1000, 1),
    P("l1", "bytes", "bytes a clock", "from L1", l1_bytes, 1, 1024, 1),
    P("l1", "caches_global", "0 or 1", "0: loads from global memory pass L1 by unless the program asks",
      l1_caches_global, 0, 1, 1),
    P("l1", "unusable_kb", "KB", "of the unified memory, neither L1 nor shared", l1_unusable_bytes, 0, 1024, 1024),
    P("l1", "sets", "count", "sets of L1, a power of two", l1_sets, 1, 4096, 1),
    OPTION("l1", "replacement", "name", "which line of a full set of L1 goes", l1_replacement, replacement_names),
    P("shared", "latency_cycles", "cycles", "of a shared load, from issue to a dependent issue", shared_latency, 1,
      1000, 1),
    P("shared", "atomic_cycles", "cycles a lane", "of lanes that meet in one word", shared_atomic_cycles, 1, 1000,
      1),
    P("shared", "bytes", "bytes a clock", "from shared memory", shared_bytes_a_clock, 1, 1024, 1),
    P("cluster", "latency_cycles", "cycles", "of a load from another SM's shared memory", cluster_latency, 1, 10000,
      1),
    P("cluster", "bytes", "bytes a clock", "of an SM, to and from the shared memory of others", cluster_bytes, 1,
      1024, 1),
    P("cluster", "barrier_cycles", "cycles",
      "from the last arrival at a cluster's barrier to the next issue of those that waited", cluster_barrier, 1,
      10000, 1),
    P("bulk", "latency_cycles", "cycles", "of a copy by descriptor, from issue to its first request", bulk_latency,
      1, 10000, 1),
    P("bulk", "line_cycles", "cycles", "between its requests, of 128 bytes each", bulk_line, 1, 64, 1),
    P("constant", "latency_cycles", "cycles", "of a load from constant memory", constant_latency, 1, 1000, 1),
    P("texture", "latency_cycles", "cycles", "of a texture access", texture_latency, 1, 10000, 1),
    P("fetch", "l0_kb", "KB", "instruction cache of a sub-core", fetch_l0_bytes, 1, 1024, 1024),
    P("fetch", "l1_kb", "KB", "instruction cache of an SM", fetch_l1_bytes, 1, 4096, 1024),
    P("fetch", "l1_line_bytes", "bytes", "line of that cache", fetch_l1_line, 128, 4096, 1),
    P("fetch", "l1_latency_cycles", "cycles", "of a hit there", fetch_l1_latency, 1, 1000, 1),
    P("fetch", "l1_interval_cycles", "cycles", "between two of its lines of 128 bytes", fetch_l1_interval, 1, 64,
      1),
    P("fetch", "stream_lines", "lines", "fetched ahead behind a miss of a sub-core; 0: none", fetch_stream, 0,
      FETCH_STREAM_MAX, 1),
    P("regfile", "banks", "count", "banks of a sub-core's register file, a read port each", regfile_banks, 1,
      REGFILE_BANKS_MAX, 1),
    P("regfile", "window_cycles", "cycles", "in which an instruction reads its sources", regfile_window, 1, 16, 1),
    P("control", "load_read_cycles", "cycles", "from issue until a load has read its registers", read_load, 1, 1000,
      1),
    P("control", "store_read_cycles", "cycles", "the same of a store of one word a lane", read_store, 1, 1000, 1),
    P("control", "store_word_cycles", "cycles a word", "more for each further word", read_store_word, 0, 100, 1),
    P("noc", "sm_request_bytes", "bytes a clock", "of an SM's port, to L2", noc_request_bytes, 1, 65536, 1),
    P("noc", "sm_reply_bytes", "bytes a clock", "of an SM's port, from L2", noc_reply_bytes, 1, 65536, 1),
    P("noc", "gpc_request_bytes", "bytes a clock", "of a GPC's port, to L2", noc_gpc_request_bytes, 1, 65536, 1),
    P("noc", "gpc_reply_bytes", "bytes a clock", "of a GPC's port, from L2", noc_gpc_reply_bytes, 1, 65536, 1),
    P("noc", "header_bytes", "bytes", "of every packet", noc_header_bytes, 0, 128, 1),
    P("noc", "gpc_spread_cycles", "cycles",
      "the round trip to L2 is up to so much longer or shorter, by the SM's GPC, in SM clocks", noc_gpc_spread, 0,
      1000, 1),
    P("noc", "slice_spread_cycles", "cycles", "the same, by the slice", noc_slice_spread, 0, 1000, 1),
    P("l2", "kb", "KB", "all of L2", l2_bytes, 64, 1048576, 1024),
    P("l2", "slices", "count", "slices of L2, a multiple of dram.channels", l2_slices, 1, 512, 1),
    P("l2", "ways", "count", "associativity of a slice", l2_ways, 1, 64, 1),
    P("l2", "dirty_share", "factor", "of a set's ways that may hold changed lines", l2_dirty_65536, 0, 1, 65536),
    P("l2", "fetch_bytes", "bytes", "a read that misses fetches whole pieces of so many", l2_fetch_bytes, 32, 128,
      1),
    OPTION("l2", "replacement", "name", "which line of a full set of L2 goes", l2_replacement, replacement_names),
    P("l2", "latency_cycles", "cycles", "of an L2 hit, from issue to a dependent issue, in SM clocks", l2_latency,
      2, 10000, 1),
    P("l2", "slice_bytes", "bytes a clock", "of one slice", l2_slice_bytes, 1, 1024, 1),
    P("l2", "partitions", "count", "1, or 2 with half of the slices and of the GPCs each", l2_partitions, 1, 2, 1),
    P("l2", "bridge_cycles", "cycles",
      "a hit in the other partition takes longer by so many SM clocks, there and back", l2_bridge, 0, 10000, 1),
    P("l2", "bridge_bytes", "bytes a clock", "between the partitions, each way; 0: there is one", l2_bridge_bytes,
      0, 65536, 1),
    P("l2", "atomic_lane_cycles", "L2 cycles a lane", "atomics: lanes on one word", l2_atomic_lane, 1, 1000, 1),
    P("l2", "atomic_sector_cycles", "L2 cycles a sector", "atomics: otherwise", l2_atomic_sector, 1, 1000, 1),
    P("l2", "atomic_latency_cycles", "cycles", "of an atomic that returns, beyond a hit", l2_atomic_latency, 0,
      10000, 1),
    P("dram", "channels", "count", "independent (pseudo) channels", dram_channels, 1, 512, 1),
    P("dram", "gbs", "GB/s", "peak of all channels", dram_mbs, 0.1, 100000, 1000),
    P("dram", "latency_ns", "ns", "beyond an L2 hit, from a row that is not open", dram_latency_ps, 1, 10000, 1000),
    P("dram", "chunk_bytes", "bytes", "so many consecutive bytes lie in one channel", dram_chunk_bytes, 128,
      1048576, 1),
    P("dram", "row_bytes", "bytes", "a row of a channel", dram_row_bytes, 128, 1048576, 1),
    P("dram", "banks", "count", "banks of a channel", dram_banks, 1, 64, 1),
    P("dram", "open_rows", "count", "a bank's last rows that count as open", dram_open_rows, 1, 4, 1),
    P("dram", "rcd_ns", "ns", "activate to read", dram_rcd_ps, 0, 1000, 1000),
    P("dram", "rp_ns", "ns", "precharge", dram_rp_ps, 0, 1000, 1000),
    P("dram", "rrd_ns", "ns", "activate to activate", dram_rrd_ps, 0, 100, 1000),
    P("dram", "write_buffer", "sectors", "sectors a channel takes before L2 has to wait", dram_write_buffer, 0,
      65536, 1),
    P("dram", "read_factor", "factor", "time of a sector read, over its time at peak", dram_read_65536, 0.5, 4,
      65536),
    P("dram", "write_factor", "factor", "time of a sector written, over its time at peak", dram_write_65536, 0.5, 4,
      65536),
    P("dram", "mix_loss", "factor", "what mixing reads and writes adds to these at most", dram_mix_65536, 0, 2,
      65536),
    P("dram", "command_mhz", "MHz", "clock of the commands, in which t_... count", dram_khz, 10, 10000, 1000),
    P("dram", "bank_groups", "count", "groups of banks of a channel", dram_bank_groups, 1, 64, 1),
    P("dram", "burst_bytes", "bytes", "moved by one column command at most", dram_burst_bytes, 32, 128, 1),
    P("dram", "t_rcd", "clocks", "activate to column command", dram_t_rcd, 1, 1000, 1),
    P("dram", "t_rp", "clocks", "precharge to activate", dram_t_rp, 1, 1000, 1),
    P("dram", "t_ras", "clocks", "activate to precharge", dram_t_ras, 1, 1000, 1),
    P("dram", "t_rrd_s", "clocks", "activate to activate, another bank group", dram_t_rrd_s, 1, 1000, 1),
    P("dram", "t_rrd_l", "clocks", "the same, one bank group", dram_t_rrd_l, 1, 1000, 1),
    P("dram", "t_ccd_s", "clocks", "column to column command, another bank group", dram_t_ccd_s, 1, 1000, 1),
    P("dram", "t_ccd_l", "clocks", "the same, one bank group", dram_t_ccd_l, 1, 1000, 1),
    P("dram", "t_faw", "clocks", "in which at most four activates lie", dram_t_faw, 1, 1000, 1),
    P("dram", "t_wtr_s", "clocks", "end of data written to read command, another bank group", dram_t_wtr_s, 0, 1000,
      1),
    P("dram", "t_wtr_l", "clocks", "the same, one bank group", dram_t_wtr_l, 0, 1000, 1),
    P("dram", "t_wr", "clocks", "end of data written to precharge", dram_t_wr, 0, 1000, 1),
    P("dram", "t_rtp", "clocks", "read command to precharge", dram_t_rtp, 0, 1000, 1),
    P("dram", "t_cl", "clocks", "read command to data", dram_t_cl, 1, 1000, 1),
    P("dram", "t_wl", "clocks", "write command to data", dram_t_wl, 0, 1000, 1),
    P("dram", "t_rfc", "clocks", "a refresh of all banks takes", dram_t_rfc, 1, 100000, 1),
    P("dram", "t_refi", "clocks", "between two refreshes", dram_t_refi, 10, 1000000, 1),
    P("dram", "t_close", "clocks", "a row not used for so long is closed", dram_t_close, 1, 1000000, 1),
    P("tlb", "page_mb", "MB", "a page, a power of two", tlb_page_mb, 1, 1024, 1),
    P("tlb", "sm_entries", "count", "pages that an SM knows", tlb_sm_entries, 1, 4096, 1),
    P("tlb", "gpc_entries", "count", "pages that a GPC knows", tlb_gpc_entries, 1, 4096, 1),
    P("tlb", "gpc_cycles", "cycles", "to ask the GPC, in SM clocks", tlb_gpc_cycles, 0, 10000, 1),
    P("tlb", "gpu_sets", "count", "sets of what the GPU knows, a power of two", tlb_gpu_sets, 1, 65536, 1),
    P("tlb", "gpu_ways", "count", "entries of a set", tlb_gpu_ways, 1, 64, 1),
    P("tlb", "gpu_entry_mb", "MB", "neighbouring pages in one entry, a power of two", tlb_gpu_entry_mb, 1, 65536,
      1),
    P("tlb", "gpu_cycles", "cycles", "to ask the GPU after the GPC, in SM clocks", tlb_gpu_cycles, 0, 10000, 1),
    P("tlb", "walks", "count", "walks through the page tables at once", tlb_walks, 1, 4096, 1),
    P("tlb", "walk_entries", "count", "directories that the walk cache has", tlb_walk_entries, 1, 4096, 1),
    P("tlb", "directory_mb", "MB", "what a directory covers, a power of two", tlb_directory_mb, 1, 1048576, 1),
    P("tlb", "walk_ns", "ns", "of a walk whose directory is in the walk cache", tlb_walk_ps, 1, 100000, 1000),
    P("tlb", "directory_ns", "ns", "reading the directories takes longer by", tlb_directory_ps, 0, 100000, 1000),
    P("link", "pcie_gbs", "GB/s", "PCIe, one way, packet headers included", pcie.mbs, 0.1, 100000, 1000),
    P("link", "pcie_payload_bytes", "bytes", "PCIe: data of a packet", pcie.payload_bytes, 1, 65536, 1),
    P("link", "pcie_header_bytes", "bytes", "PCIe: beside the data of a packet", pcie.header_bytes, 0, 65536, 1),
    P("link", "pcie_latency_ns", "ns", "PCIe: from end to end", pcie.latency_ps, 0, 1000000, 1000),
    P("link", "pcie_startup_ns", "ns", "PCIe: setting up a copy", pcie.startup_ps, 0, 1000000, 1000),
    P("link", "nvlink_gbs", "GB/s", "NVLink, one way, packet headers included; 0: there is none", nvlink.mbs, 0,
      100000, 1000),
    P("link", "nvlink_payload_bytes", "bytes", "NVLink: data of a packet", nvlink.payload_bytes, 1, 65536, 1),
    P("link", "nvlink_header_bytes", "bytes", "NVLink: beside the data of a packet", nvlink.header_bytes, 0, 65536,
      1),
    P("link", "nvlink_latency_ns", "ns", "NVLink: from end to end", nvlink.latency_ps, 0, 1000000, 1000),
    P("link", "nvlink_startup_ns", "ns", "NVLink: setting up a copy", nvlink.startup_ps, 0, 1000000, 1000),
    P("link", "copy_startup_ns", "ns", "setting up a copy or memset inside the GPU", copy_startup_ps, 0, 1000000,
      1000),
    P("power", "constant_w", "W", "of the board, whatever happens", power.constant_mw, 0, 100000, 1000),
    P("power", "sm_active_w", "W", "of an SM with a resident CTA, beside its work", power.sm_active_mw, 0, 1000,
      1000),
    P("power", "sm_idle_w", "W", "of an SM without", power.sm_idle_mw, 0, 1000, 1000),
    P("power", "instruction_pj", "pJ", "fetch, decode and issue of a warp instruction", power.instruction_fj, 0,
      1000000, 1000),
    P("power", "int_pj", "pJ", "a lane of an instruction that no other row names, with its registers",
      power.lane_fj[POWER_INT], 0, 1000000, 1000),
    P("power", "fp32_pj", "pJ", "a lane of single-precision arithmetic, with its registers",
      power.lane_fj[POWER_FP32], 0, 1000000, 1000),
    P("power", "fp16_pj", "pJ", "the same of half-precision pairs", power.lane_fj[POWER_FP16], 0, 1000000, 1000),
    P("power", "fp64_pj", "pJ", "the same of double precision", power.lane_fj[POWER_FP64], 0, 1000000, 1000),
    P("power", "sfu_pj", "pJ", "the same of transcendental functions and conversions", power.lane_fj[POWER_SFU], 0,
      1000000, 1000),
    P("power", "tensor_cycle_pj", "pJ", "a cycle of a sub-core's tensor unit", power.tensor_cycle_fj, 0, 1000000,
      1000),
    P("power", "l1_sector_pj", "pJ", "a 32-byte sector looked up in L1 or written through", power.l1_sector_fj, 0,
      1000000, 1000),
    P("power", "shared_pass_pj", "pJ", "a pass through the banks of shared memory", power.shared_pass_fj, 0,
      1000000, 1000),
    P("power", "l2_sector_pj", "pJ", "a sector asked of L2", power.l2_sector_fj, 0, 1000000, 1000),
    P("power", "noc_byte_pj", "pJ", "a byte between SMs and L2", power.noc_byte_fj, 0, 1000000, 1000),
    P("power", "dram_sector_pj", "pJ", "a sector to or from DRAM", power.dram_sector_fj, 0, 1000000, 1000),
    CHOICE("model", "dependence", "level",
           "when an instruction finds its operands: none, one_load, scoreboard, control", model.dependence,
           dependence_names),
    CHOICE("model", "fetch", "level", "instruction fetch: ideal, cached", model.fetch, fetch_names),
    CHOICE("model", "regfile", "level", "register file ports: ideal, banked", model.regfile, regfile_names),
    CHOICE("model", "memory", "level", "requests behind L1: reserve (all at once), event (stage by stage)",
           model.memory, memory_names),
    CHOICE("model", "noc", "level", "network: delay, flit (needs memory event)", model.noc, noc_names),
    CHOICE("model", "dram", "level", "device memory: fixed, bucket, bank (needs memory event)", model.dram,
           dram_names),
    CHOICE("model", "hash", "level", "how addresses spread over channels: mix, ipoly, none", model.hash,
           hash_names),
    CHOICE("model", "tlb", "level", "address translation: off, on", model.tlb, tlb_names),
    {NULL, NULL, NULL, NULL, 0, 0, 0, 0, NULL, false},
};

const struct design_param design_unit_params[UNIT_PARAMS] = {
    {NULL, "rate", "results a clock an SM", "a warp instruction keeps its pipe for 32 / (rate / 4) cycles",
     offsetof(struct unit_params, rate), 1, 4096, 1, NULL, false},
    {NULL, "latency", "cycles", "from issue to a dependent issue", offsetof(struct unit_params, latency), 1, 10000,
     1, NULL, false},
    {NULL, "per_sm", "0 or 1", "1: the four sub-cores share one unit", offsetof(struct unit_params, per_sm), 0, 1,
     1, NULL, false},
};
const struct design_param design_fp32_in_int =
    P("units", "fp32_in_int", "0 or 1", "1: the integer pipe takes FP32 too", fp32_in_int, 0, 1, 1);
const struct design_param design_carveouts = {
    "sm", "carveouts_kb", "KB", "the splits of the unified memory: shared memory of each, rising", 0, 0, 1024,
    1024, NULL,           false};

static int visit_units(design_param_fn *visit, void *ctx, struct err *e)
{
    char group[32];
    int ret = 0;

    for (size_t u = 0; u < UNIT_CLASS_COUNT; u++) {
        snprintf(group, sizeof group, "units.%s", unit_class_names[u]);
        for (size_t i = 0; i < UNIT_PARAMS && ret == 0; i++)
            ret = visit(ctx, group, &design_unit_params[i], e);
    }
    return ret ? ret : visit(ctx, "units", &design_fp32_in_int, e);
}

int design_each_param(design_param_fn *visit, void *ctx, struct err *e)
{
    int ret = 0;

    for (const struct design_param *p = design_params; p->group && ret == 0; p++) {
        ret = visit(ctx, p->group, p, e);
        if (ret || strcmp(p->group, "sm") != 0 || (p[1].group && strcmp(p[1].group, "sm") == 0))
            continue; /* what is no plain number stands after the group "sm" */
        ret = visit(ctx, "sm", &design_carveouts, e);
        ret = ret ? ret : visit_units(visit, ctx, e);
    }
    return ret;
}
