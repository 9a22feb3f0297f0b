/* simcore/design.h: the parameters of one GPU, read from a design file (docs/formats/design.md). The table of
 * parameters, simcore/params/, describes each of them.
 *
 *
 * Every number is a whole number in the unit at the end of its name, so the timing path needs no floating point.
 * Fractions in the file are scaled once, when it is read. */
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
    uint32_t rate;    /* results per clock and SM */
    uint32_t latency; /* cycles from issue to a dependent issue */
    uint32_t per_sm;  /* 1: one unit that the four sub-cores share */
};

/* A link to the host or to another GPU, one way. */
struct link_params {
    uint32_t mbs; /* 0: no link */
    uint32_t payload_bytes, header_bytes, latency_ps, startup_ps;
};

enum sched_policy {
#define X(enumerator, name, what) SCHED_##enumerator,
    WARP_SCHEDULERS(X)
#undef X
};

/* The level of detail of each part: "model" in the design file. The order is that of the lists in design_params.c;
 * simcore/designs/README.md states the cost of each level. */
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
enum mshr_kind {
#define X(enumerator, name, what) MSHR_##enumerator,
    MSHR_KINDS(X)
#undef X
};
enum tlb_level { TLB_OFF, TLB_ON };
struct model_levels {
    uint32_t dependence, fetch, regfile, memory, noc, dram, hash, tlb;
};

/* Classes of lane operations with different energies; elsewhere the instruction mix of counters.h is used. */
enum power_lane { POWER_INT, POWER_FP32, POWER_FP16, POWER_FP64, POWER_SFU, POWER_LANE_COUNT };
struct power_params { /* energies in fJ per event; power of a state in mW */
    uint32_t constant_mw, sm_active_mw, sm_idle_mw;
    uint32_t instruction_fj, lane_fj[POWER_LANE_COUNT], tensor_cycle_fj;
    uint32_t l1_sector_fj, shared_pass_fj, l2_sector_fj, noc_byte_fj, dram_sector_fj;
};

struct gpu_design {
    char *name, *gpu_names, *json; /* json: canonical text */
    size_t json_bytes;
    char sha256[SHA256_HEX];

    uint32_t carveout_bytes[DESIGN_CARVEOUTS_MAX], carveouts;
    struct unit_params unit[UNIT_CLASS_COUNT];
    struct link_params pcie, nvlink;
    struct power_params power;
    struct model_levels model;

    /* All other parameters: one uint32_t for each row whose field is declared with OWN. */
#define DECLARE_OWN(field) uint32_t field;
#define DECLARE_AT(place)
#define NUMBER(group, key, place, ...) DECLARE_##place
#define CHOICE(group, key, place, ...) DECLARE_##place
#define LIST(...)
#include "simcore/params/all.h"
#undef DECLARE_OWN
#undef DECLARE_AT
};

#endif
