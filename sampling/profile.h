/* sampling/profile.h: what was measured: every kernel launch of a workload.
 *
 * Launches are in launch order: by (process, context, correlation id, start). The index of a launch in
 * this order, 0 .. count-1, is its id everywhere: in plans, jobs and results. */
#ifndef VIVACE_SAMPLING_PROFILE_H
#define VIVACE_SAMPLING_PROFILE_H

#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/hash.h"
#include "sampling/features.h"

/* What `value` counts: the planning variable. Cycles are estimated ones, on the GPU that gpu_name names
 * (sampling/pilot.h). */
enum profile_unit { PROFILE_NS, PROFILE_WARP_INSTRUCTIONS, PROFILE_CYCLES };
#define PROFILE_UNITS 3
const char *profile_unit_name(enum profile_unit unit);                /* "ns", "warp_instructions", "cycles" */
const char *profile_unit_words(enum profile_unit unit);               /* the same for people */
int profile_unit_from_name(const char *name, enum profile_unit *out); /* -1: none of them */

/* One row per distinct (name, grid, block): the grouping key of Allegro and of ours. */
struct profile_kernel {
    char *name;         /* full demangled name with template arguments; valid UTF-8 */
    char *mangled_name; /* NULL where the file has none */
    uint32_t grid[3], block[3];
    uint32_t registers;    /* per thread; 0: not known */
    uint32_t shared_bytes; /* static + dynamic, per CTA, of the first launch */
    uint32_t name_id;      /* equal for equal names: 0 .. name_count-1 */
};

/* Where launches are counted by tracers: one CUDA context of one process on one device. */
struct profile_context {
    int32_t device;
    uint64_t process, context;
    uint64_t first; /* launch id of its first launch; launch k of the context is first + k */
    uint64_t count;
};

struct profile_stream {
    uint32_t context; /* index into contexts */
    uint64_t stream;  /* as the file numbers it */
};

/* Launches that one call made, or that nothing but their start times puts in order. Their order among themselves is
 * that of their starts, which need not be the order of calls. */
struct profile_tie {
    uint64_t first, count;  /* launches first .. first + count - 1, of one context; 1: a graph of one kernel */
    uint64_t graphs_before; /* graph replays of its context before it */
    int graph; /* replayed by a CUDA graph: one call, one correlation id. 0: the file has no ids for them */
};

struct profile {
    char format[32];    /* "nsys-sqlite", "nsys-csv", "kineto", "accel-sim", ... */
    char gpu_name[128]; /* "" when the file does not say */
    enum profile_unit unit;
    size_t kernel_count, name_count, context_count, stream_count, count;
    struct profile_kernel *kernels;
    struct profile_context *contexts;
    struct profile_stream *streams;
    /* Columns, one entry a launch. */
    uint32_t *kernel;          /* index into kernels */
    uint64_t *value;           /* in `unit`; 0 is legal (methods: never sampled) */
    int64_t *start_ns;         /* from the profile's own zero; NULL when the file has no times */
    uint32_t *stream;          /* index into streams */
    struct features *features; /* owned; NULL: the profile has durations only */
    struct profile_tie *ties;  /* by first, disjoint; they matter to tracers alone and are not part of the hash */
    size_t tie_count;
};

void profile_init(struct profile *p);
void profile_release(struct profile *p);
/* Total of `value`; exact as long as it is below 2^64. */
uint64_t profile_total(const struct profile *p);
/* How long anything ran: the length of the union of all busy intervals, over all devices and streams (they share
 * one clock), so overlap counts once and gaps do not. 0 when there are no times (or no memory to sort them). */
uint64_t profile_makespan_ns(const struct profile *p);
/* SHA-256 over a canonical form of everything above but `format` and the ties: equal profiles have equal hashes.
 * Features count where there are some. */
int profile_hash(const struct profile *p, char hex[SHA256_HEX], struct err *e);
/* Index into contexts of a launch. */
size_t profile_context_of(const struct profile *p, uint64_t launch);

/* The context that was meant: number `number`, or the only one there is where it is -1. Refused: a number that the
 * profile lacks, and -1 where it has several. */
int profile_choose_context(const struct profile *p, int64_t number, size_t *out, struct err *e);

/* --- Ties, and how tracers number launches that see calls but no replays of CUDA graphs (profile_ties.c) --- */
/* The tie that a launch is in, or NULL. */
const struct profile_tie *profile_tie_of(const struct profile *p, uint64_t launch);
/* Its place among the calls of its context, from 0; of a replay, that of the next call. */
uint64_t profile_call_order(const struct profile *p, uint64_t launch);
/* The launch in that place; UINT64_MAX: the context has fewer calls. */
uint64_t profile_at_call_order(const struct profile *p, size_t context, uint64_t order);
uint64_t profile_calls(const struct profile *p, size_t context);
/* Fills graphs_before of ties whose other members are there. */
void profile_number_ties(struct profile *p);

/* --- Building one (what ingest/ does): rows in any order, then finish. ---
 * Where a file has neither correlation ids nor times, give the row number as correlation id. Texts are cleaned
 * (text_sanitize) and copied. */
struct profile_row {
    const char *name;         /* demangled; copied */
    const char *mangled_name; /* or NULL; copied */
    uint32_t grid[3], block[3], registers, shared_bytes;
    int32_t device;
    uint64_t process, context, stream;
    uint64_t correlation; /* 0: not known; rows of a context that share one come from one call: a CUDA graph */
    int64_t start_ns;     /* any zero; 0 throughout when there are no times */
    uint64_t value;
    int graph; /* known to be a node of a CUDA graph, also where it is the only kernel of its launch */
};
struct profile_builder; /* opaque */
struct profile_builder *profile_builder_new(enum profile_unit unit, int has_times, struct err *e);
int profile_builder_add(struct profile_builder *b, const struct profile_row *row, struct err *e);
/* Sorts into launch order, numbers names, contexts, streams, and moves everything into *out. Start times are
 * shifted so that the earliest is 0. ERR_INVALID when there is no row, or sums and times do not fit 64 bits.
 * The builder is used up either way; free it. */
int profile_builder_finish(struct profile_builder *b, struct profile *out, struct err *e);
void profile_builder_free(struct profile_builder *b);

#endif
