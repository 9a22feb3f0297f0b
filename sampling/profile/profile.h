/* sampling/profile/profile.h: a profile: the measured kernel launches of a workload.
 *
 * Launches are in launch order: by (process, context, correlation id, start). The index of a launch in
 * this order, 0 .. count-1, is its id everywhere: in plans, jobs and results. */
#ifndef VIVACE_SAMPLING_PROFILE_H
#define VIVACE_SAMPLING_PROFILE_H

#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/hash.h"
#include "sampling/profile/domains.h"
#include "sampling/profile/features.h"

/* What `value` counts: the planning variable. Cycles are estimated ones, on the GPU that gpu_name names
 * (sampling/plan/pilot.h). */
enum profile_unit { PROFILE_NS, PROFILE_WARP_INSTRUCTIONS, PROFILE_CYCLES };
#define PROFILE_UNITS 3
const char *profile_unit_name(enum profile_unit unit);                /* "ns", "warp_instructions", "cycles" */
const char *profile_unit_words(enum profile_unit unit);               /* the same for users */
int profile_unit_from_name(const char *name, enum profile_unit *out); /* -1: unknown name */

/* One row per distinct (name, grid, block): the grouping key of the methods allegro and vivace. */
struct profile_kernel {
    char *name;         /* full demangled name with template arguments; valid UTF-8 */
    char *mangled_name; /* NULL where the file has none */
    uint32_t grid[3], block[3];
    uint32_t registers;    /* per thread; 0: not known */
    uint32_t shared_bytes; /* static + dynamic, per CTA, of the first launch */
    uint32_t name_id;      /* equal for equal names: 0 .. name_count-1 */
    const char *domain;    /* in a view by domain (sampling/parts/part.h): belongs to the view; else NULL. Names of
                              different    domains have different name_ids. */
};

/* One CUDA context of one process on one device. Tracers number launches per context. */
struct profile_context {
    int32_t device;
    uint64_t process, context;
    uint64_t first; /* launch id of its first launch; launch k of the context is first + k */
    uint64_t count;
};

struct profile_stream {
    uint32_t context; /* index into contexts */
    uint64_t stream;  /* number in the file */
};

/* Launches that one call made, or whose order is known only from their start times. They are ordered by start,
 * which may differ from the order of calls. */
struct profile_tie {
    uint64_t first, count;  /* launches first .. first + count - 1, of one context; 1: a graph of one kernel */
    uint64_t graphs_before; /* graph replays of its context before it */
    int graph; /* replayed by a CUDA graph: one call, one correlation id. 0: the file has no ids for them */
};

struct profile {
    char format[32];    /* "nsys-sqlite", "nsys-csv", "kineto", "accel-sim", ... */
    char gpu_name[128]; /* "" when the file does not name it */
    enum profile_unit unit;
    size_t kernel_count, name_count, context_count, stream_count, count;
    struct profile_kernel *kernels;
    struct profile_context *contexts;
    struct profile_stream *streams;
    /* Columns, one entry a launch. */
    uint32_t *kernel;          /* index into kernels */
    uint64_t *value;           /* in `unit`; 0 is legal (methods: never sampled) */
    int64_t *start_ns;         /* relative to the earliest start; NULL if the file has no times */
    uint32_t *stream;          /* index into streams */
    struct features *features; /* owned; NULL: the profile has durations only */
    struct profile_tie *ties;  /* by first, disjoint; used for tracers only, not part of the hash */
    size_t tie_count;
    struct domains *domains; /* owned; NULL: the file has no ranges. Not part of the hash: plans name launches */
};

void profile_init(struct profile *p);
void profile_release(struct profile *p);
/* Total of `value`; exact as long as it is below 2^64. */
uint64_t profile_total(const struct profile *p);
/* The length of the union of all launch intervals over all devices and streams (they share one clock): overlaps
 * count once, gaps do not count. 0 when there are no times (or no memory to sort them). */
uint64_t profile_makespan_ns(const struct profile *p);
/* SHA-256 over a canonical form of everything above except `format`, ties and domains: equal profiles have equal
 * hashes. Features are included if present. */
int profile_hash(const struct profile *p, char hex[SHA256_HEX], struct err *e);
/* Index into contexts of a launch. */
size_t profile_context_of(const struct profile *p, uint64_t launch);

/* Chooses a context: the one with this number, or with -1 the only one. Error if the profile has no such context,
 * or for -1 if it has several. */
int profile_choose_context(const struct profile *p, int64_t number, size_t *out, struct err *e);

/* --- Ties, and launch numbers of tracers that see calls but not replays of CUDA graphs (profile_ties.c) --- */
/* The tie that a launch is in, or NULL. */
const struct profile_tie *profile_tie_of(const struct profile *p, uint64_t launch);
/* The launch's number among the calls of its context, from 0; for a replay, that of the next call. */
uint64_t profile_call_order(const struct profile *p, uint64_t launch);
/* The launch with that number; UINT64_MAX: the context has fewer calls. */
uint64_t profile_at_call_order(const struct profile *p, size_t context, uint64_t order);
uint64_t profile_calls(const struct profile *p, size_t context);
/* Fills graphs_before of ties; their other members must be set. */
void profile_number_ties(struct profile *p);

/* --- Building one (what ingest/ does): add rows in any order, then finish. --- If a file has neither correlation
 * ids nor times, use the row number as correlation id. Texts are sanitised (text_sanitize) and copied. */
struct profile_row {
    const char *name;         /* demangled; copied */
    const char *mangled_name; /* copied; NULL: none */
    uint32_t grid[3], block[3], registers, shared_bytes;
    int32_t device;
    uint64_t process, context, stream;
    uint64_t correlation; /* 0: not known; rows of a context that share one come from one call: a CUDA graph */
    int64_t start_ns;     /* any origin; 0 in all rows if there are no times */
    uint64_t value;
    int graph; /* known to be a node of a CUDA graph, even if it is the only kernel of its graph launch */
};
struct profile_builder; /* opaque */
struct profile_builder *profile_builder_new(enum profile_unit unit, int has_times, struct err *e);
int profile_builder_add(struct profile_builder *b, const struct profile_row *row, struct err *e);
/* Sorts into launch order, numbers names, contexts, streams, and moves everything into *out. Start times are
 * shifted so that the earliest is 0. ERR_INVALID when there is no row, or sums and times do not fit 64 bits. The
 * builder cannot be used afterwards, also on error; free it. */
int profile_builder_finish(struct profile_builder *b, struct profile *out, struct err *e);
/* Before profile_builder_finish(): keep which row became which launch. After it: order[i] is the row, in the order
 * of adding, that became launch i; NULL: row i is launch i. It belongs to the builder. */
void profile_builder_keep_order(struct profile_builder *b);
const uint32_t *profile_builder_order_of_rows(const struct profile_builder *b);
void profile_builder_free(struct profile_builder *b);

#endif
