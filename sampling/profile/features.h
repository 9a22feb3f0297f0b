/* sampling/profile/features.h: launch features beyond the duration that some methods need. Each part is optional.
 *
 * Sources: `ncu --csv` (metrics, instructions), a CSV of instruction counts, or a trace folder, from which `vivace
 * trace features` computes all features. A profile owns its features; profile_hash() covers them. */
#ifndef VIVACE_SAMPLING_FEATURES_H
#define VIVACE_SAMPLING_FEATURES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/hash.h"

/* The twelve metrics of PKA (Avalos Baddouh et al., MICRO 2021, table of features), in its order. */
enum feature {
    FEATURE_GLOBAL_LOAD_SECTORS,
    FEATURE_GLOBAL_STORE_SECTORS,
    FEATURE_LOCAL_LOAD_SECTORS,
    FEATURE_GLOBAL_LOADS,
    FEATURE_GLOBAL_STORES,
    FEATURE_LOCAL_LOADS,
    FEATURE_SHARED_LOADS,
    FEATURE_SHARED_STORES,
    FEATURE_GLOBAL_ATOMICS,
    FEATURE_INSTRUCTIONS,
    FEATURE_THREADS_PER_INSTRUCTION, /* divergence efficiency: mean active threads of a warp instruction */
    FEATURE_CTAS,
    FEATURE_COUNT
};
struct feature_info {
    const char *name;     /* in features files and messages: "global_load_sectors" */
    const char *ncu;      /* metric name of Nsight Compute */
    const char *sentence; /* what it counts */
};
extern const struct feature_info feature_infos[FEATURE_COUNT];

/* Basic-block vectors; equal ones are stored once. The warps of a launch are grouped into types: warps of one type
 * executed each block the same number of times. */
struct bbv_entry {
    uint32_t block; /* number of the basic block in the kernel's code, the same in all launches of a kernel name */
    uint64_t count; /* how often one warp entered it */
};
struct bbv_type {
    uint64_t warps;
    size_t begin, end; /* entries[begin .. end), by block */
};
struct bbv {
    size_t begin, end; /* types[begin .. end), most frequent first */
};
struct bbv_store {
    size_t bbv_count, type_count, entry_count;
    struct bbv *bbvs;
    struct bbv_type *types;
    struct bbv_entry *entries;
};

/* One wave of CTAs: the consecutive CTAs that fit on the GPU at once. */
struct wave {
    uint32_t ctas;
    uint64_t instructions, memory_requests; /* warp-level */
    double variation; /* coefficient of variation of memory requests per instruction over its CTAs; 0: not known */
};

/* An additional quantity of every launch whose total the plan also has to estimate within the error, e.g. the time
 * on another GPU, or DRAM bytes. */
struct response {
    char name[64];
    double *values; /* one a launch */
};

struct features {
    uint64_t known; /* launches 0 .. known-1 have the features below (two-level profiling); the others have 0 */
    uint64_t *instructions;         /* warp instructions; NULL: none */
    double *metrics[FEATURE_COUNT]; /* NULL: not measured */
    double *cta_cov;                /* coefficient of variation of instructions over the launch's CTAs; NULL */
    struct bbv_store bbvs;
    uint32_t *bbv_of; /* index into bbvs.bbvs; NULL: no vectors */
    size_t wave_count;
    struct wave *waves;
    uint64_t *wave_begin; /* known + 1 entries: launch i has the waves wave_begin[i] .. wave_begin[i + 1] - 1; NULL:
                             none */
    size_t response_count;
    struct response *responses; /* all launches have them, whatever `known` says */
};

struct features *features_new(struct err *e);
void features_free(struct features *f); /* NULL is fine */
/* Whether the features are instruction counts alone, equal to these values, as in every profile of instruction
 * counts. The profile's hash then omits them, so that it does not depend on which program added them. */
bool features_repeat(const struct features *f, const uint64_t *values, uint64_t count);
/* Adds a canonical form of everything to the hash; `count` is the profile's. */
void features_hash(const struct features *f, uint64_t count, struct sha256 *hash);

#endif
