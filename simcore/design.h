/* simcore/design.h: the parameters of one GPU, read from a design file (docs/formats/design.md).
 *
 * Every number is a whole number in the unit that its name ends with, so that the timing path needs no floating
 * point; fractions of the file are scaled here, once. */
#ifndef VIVACE_SIMCORE_DESIGN_H
#define VIVACE_SIMCORE_DESIGN_H

#include <stdint.h>

#include "simcore/components.h"
#include "simcore/simcore.h"

enum {
    DESIGN_SMS_MAX = 1024,
    DESIGN_WARPS_MAX = 64,
    DESIGN_CARVEOUTS_MAX = 16,
    SUB_CORES = 4,
    FETCH_STREAM_MAX = 16,
    REGFILE_BANKS_MAX = 4
};

/* Classes of instructions that have their own rate and latency (rows of "units" in the design file). */
/* clang-format off */
#define UNIT_CLASSES(X) \
    X(FP32, "fp32") \
    X(INT, "int") \
    X(IMAD, "imad") \
    X(FP16, "fp16") \
    X(FP64, "fp64") \
    X(SFU, "sfu") \
    X(CONVERT, "convert") \
    X(BITCOUNT, "bitcount") \
    X(SHUFFLE, "shuffle") \
    X(VOTE, "vote") \
    X(SPECIAL, "special") \
    X(UNIFORM, "uniform") \
    X(BRANCH, "branch")
/* clang-format on */
enum unit_class {
#define X(name, text) CLASS_##name,
    UNIT_CLASSES(X)
#undef X
        UNIT_CLASS_COUNT
};
extern const char *const unit_class_names[UNIT_CLASS_COUNT];

struct unit_params {
    uint32_t rate;    /* results a clock an SM */
    uint32_t latency; /* cycles from issue to a dependent issue */
    uint32_t per_sm;  /* 1: one unit that the four sub-cores share */
};

/* A link to the host or to another GPU, one way. */
struct link_params {
    uint32_t mbs; /* 0: there is none */
    uint32_t payload_bytes, header_bytes, latency_ps, startup_ps;
};

enum sched_policy {
#define X(enumerator, name, what) SCHED_##enumerator,
    WARP_SCHEDULERS(X)
#undef X
};

/* How finely each part is simulated: "model" in the design file. Names in the order of the lists in
 * design_params.c; simcore/designs/README.md says what each costs. */
enum dependence_level { DEPENDENCE_NONE, DEPENDENCE_ONE_LOAD, DEPENDENCE_SCOREBOARD, DEPENDENCE_CONTROL };
enum fetch_level { FETCH_IDEAL, FETCH_CACHED };
enum regfile_level { REGFILE_IDEAL, REGFILE_BANKED };
enum memory_level {
#define X(enumerator, name, what) MEMORY_##enumerator,
    MEMORY_PATHS(X)
#undef X
};
enum noc_level {
#define X(enumerator, name, what) NOC_##enumerator,
    NOC_MODELS(X)
#undef X
};
enum dram_level {
#define X(enumerator, name, what) DRAM_##enumerator,
    DRAM_MODELS(X)
#undef X
};
enum hash_level {
#define X(enumerator, name, what) HASH_##enumerator,
    ADDRESS_HASHES(X)
#undef X
};
enum cta_scheduler_policy {
#define X(enumerator, name, what) CTA_##enumerator,
    CTA_SCHEDULERS(X)
#undef X
};
enum replacement_policy {
#define X(enumerator, name, what) REPLACE_##enumerator,
    REPLACEMENT_POLICIES(X)
#undef X
};
enum tlb_level { TLB_OFF, TLB_ON };
struct model_levels {
    uint32_t dependence, fetch, regfile, memory, noc, dram, hash, tlb;
};

/* Lanes are told apart by what they compute; the mix of counters.h is coarser elsewhere. */
enum power_lane { POWER_INT, POWER_FP32, POWER_FP16, POWER_FP64, POWER_SFU, POWER_LANE_COUNT };
struct power_params { /* of an event in fJ, of a state in mW */
    uint32_t constant_mw, sm_active_mw, sm_idle_mw;
    uint32_t instruction_fj, lane_fj[POWER_LANE_COUNT], tensor_cycle_fj;
    uint32_t l1_sector_fj, shared_pass_fj, l2_sector_fj, noc_byte_fj, dram_sector_fj;
};

struct gpu_design {
    char *name, *gpu_names, *json; /* json: canonical text */
    size_t json_bytes;
    char sha256[SHA256_HEX];

    uint32_t compute_capability, sms, gpcs;
    uint32_t sm_khz, l2_khz;
    uint32_t kernel_cycles, cta_interval_cycles, turnover_cycles, warp_cycles, submit_ps;

    uint32_t warps, ctas, registers, register_unit;
    uint32_t shared_bytes, shared_cta_bytes, shared_system_bytes, shared_unit_bytes, unified_bytes;
    uint32_t carveout_bytes[DESIGN_CARVEOUTS_MAX], carveouts;
    uint32_t barrier_cycles, guard_cycles;
    uint32_t scheduler;     /* enum sched_policy */
    uint32_t cta_scheduler; /* enum cta_scheduler_policy */

    struct unit_params unit[UNIT_CLASS_COUNT];
    uint32_t fp32_in_int;    /* 1: the integer pipe also takes FP32 */
    uint32_t tensor_latency; /* cycles beside the interval of the instruction */
    uint32_t tensor_f16, tensor_f32, tensor_tf32, tensor_fp8, tensor_int8,
        tensor_fp64;            /* FMAs a clock an SM; 0: none */
    uint32_t tensor_warp_group; /* the same, 16 bit, for warp-group instructions */

    uint32_t lsu_interval, lsu_agu, lsu_queue, lsu_stores, tag_slope_256, tag_base_256;
    uint32_t l1_latency, l1_bytes, l1_unusable_bytes, l1_sets, l1_detect;
    uint32_t l1_replacement, l2_replacement; /* enum replacement_policy */
    uint32_t l1_caches_global;               /* 0: loads from global memory pass by it unless they ask for it */
    uint32_t shared_latency, shared_atomic_cycles, shared_bytes_a_clock;
    uint32_t cluster_latency, cluster_bytes, cluster_barrier; /* to other SMs of a cluster */
    uint32_t bulk_latency, bulk_line;                         /* of the copy unit; cycles, cycles a line */
    uint32_t constant_latency, texture_latency;
    uint32_t fetch_l0_bytes, fetch_l1_bytes, fetch_l1_line, fetch_l1_latency, fetch_l1_interval, fetch_stream;
    uint32_t regfile_banks, regfile_window;
    uint32_t read_load, read_store, read_store_word; /* cycles until an instruction has read its registers */

    uint32_t noc_request_bytes, noc_reply_bytes, noc_gpc_request_bytes, noc_gpc_reply_bytes, noc_header_bytes;
    uint32_t noc_gpc_spread, noc_slice_spread;
    uint32_t l2_bytes, l2_slices, l2_ways, l2_dirty_65536, l2_fetch_bytes, l2_latency, l2_slice_bytes;
    uint32_t l2_partitions, l2_bridge, l2_bridge_bytes;
    uint32_t l2_atomic_lane, l2_atomic_sector, l2_atomic_latency;

    uint32_t dram_channels, dram_mbs, dram_chunk_bytes, dram_row_bytes, dram_banks, dram_open_rows;
    uint32_t dram_latency_ps, dram_rcd_ps, dram_rp_ps, dram_rrd_ps, dram_write_buffer;
    uint32_t dram_read_65536, dram_write_65536, dram_mix_65536;

    uint32_t tlb_page_mb, tlb_sm_entries, tlb_gpc_entries, tlb_gpc_cycles;
    uint32_t tlb_gpu_sets, tlb_gpu_ways, tlb_gpu_entry_mb, tlb_gpu_cycles;
    uint32_t tlb_walks, tlb_walk_entries, tlb_directory_mb, tlb_walk_ps, tlb_directory_ps;

    struct link_params pcie, nvlink;
    uint32_t copy_startup_ps;
    struct power_params power;
    uint32_t dram_khz, dram_bank_groups, dram_burst_bytes; /* level bank; t_...: command clocks */
    uint32_t dram_t_rcd, dram_t_rp, dram_t_ras, dram_t_rrd_s, dram_t_rrd_l, dram_t_ccd_s, dram_t_ccd_l, dram_t_faw;
    uint32_t dram_t_wtr_s, dram_t_wtr_l, dram_t_wr, dram_t_rtp, dram_t_cl, dram_t_wl, dram_t_rfc, dram_t_refi,
        dram_t_close;

    struct model_levels model;
};

#endif
