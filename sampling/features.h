/* sampling/features.h: what some methods need beside a duration. Every part may be missing.
 *
 * Sources: `ncu --csv` (metrics, instructions), a CSV of instruction counts, or a trace folder, from which all of
 * it can be counted (`vivace trace features`). A profile owns its features; profile_hash() covers them. */
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
    const char *ncu;      /* as Nsight Compute calls it */
    const char *sentence; /* what it counts */
};
extern const struct feature_info feature_infos[FEATURE_COUNT];

/* Basic-block vectors, those of equal launches stored once. A launch has types of warps; warps of a type ran the
 * same blocks equally often. */
struct bbv_entry {
    uint32_t block; /* which basic block: number within the kernel's code, equal for equal blocks of a name */
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

/* One wave of CTAs: as many consecutive ones as fit the GPU at once. */
struct wave {
    uint32_t ctas;
    uint64_t instructions, memory_requests; /* warp-level */
    double variation; /* coefficient of variation of memory requests per instruction over its CTAs; 0: not known */
};

/* Another quantity of every launch whose total a plan shall keep as well: the time on another GPU, DRAM bytes.
 */
struct response {
    char name[64];
    double *values; /* one a launch */
};

struct features {
    uint64_t known;         /* launches 0 .. known-1 have what follows (two-level profiling); the rest holds 0 */
    uint64_t *instructions; /* warp instructions; NULL: none */
    double *metrics[FEATURE_COUNT]; /* NULL: not measured */
    double *cta_cov;                /* coefficient of variation of instructions over the launch's CTAs; NULL */
    struct bbv_store bbvs;
    uint32_t *bbv_of; /* index into bbvs.bbvs; NULL: no vectors */
    size_t wave_count;
    struct wave *waves;
    uint64_t *wave_begin; /* known + 1 entries: waves of launch i are wave_begin[i] .. ; NULL: none */
    size_t response_count;
    struct response *responses; /* all launches have them, whatever `known` says */
};

struct features *features_new(struct err *e);
void features_free(struct features *f); /* NULL is fine */
/* Nothing but instruction counts that equal these values: what a profile of instruction counts has for free. Its
 * hash then leaves them out, so that it is the same wherever the features are made. */
bool features_repeat(const struct features *f, const uint64_t *values, uint64_t count);
/* Adds a canonical form of everything to the hash; `count` is the profile's. */
void features_hash(const struct features *f, uint64_t count, struct sha256 *hash);

#endif
