/* ingest/launch_list.h: reads a tracer's or profiler's list of kernel launches, as a stream. The format is
 * recognized by content:
 *
 *   accel-sim   stats.csv or stats_ctx_*: one line per launch, traced or not; with or without a header line
 *   macsim      kernel_names.txt: two lines per launch
 *   ncu         ncu --csv, one row per metric, or (--page raw) one row per launch
 *   csv         any CSV whose header names kernel (or mangled_name), grid and block: `vivace plan trace --for
 * list`
 *   traces      headers of recorded kernels: a folder or tar of traces, or a kernel list beside them
 *
 * A folder with stats files is read as accel-sim, whatever other files it contains. Lists are untrusted input:
 * memory and work are bounded by the limits below or by the size of the list. */
#ifndef VIVACE_INGEST_LAUNCH_LIST_H
#define VIVACE_INGEST_LAUNCH_LIST_H

#include <stdbool.h>
#include <stdint.h>

#include "base/stream.h"

#define LAUNCH_ROW_MAX (1u << 20) /* largest size of a row or line of a list */

struct listed_launch {
    const char *group; /* part with its own launch count: "stats_ctx_0x55", "process 12, context 1"; "": one part */
    const char *place; /* unit of `number` in messages: "line", "kernel" */
    uint64_t number;
    const char *name; /* mangled or not; valid during the visit */
    bool has_shape, has_order, has_context;
    uint32_t grid[3], block[3];
    uint64_t order;           /* launch order in its context, from 0; not set: the list itself is in launch order */
    uint64_t position, whole; /* with has_order: position: the order to use if the profile has `whole` launches */
    uint64_t context;         /* index into the profile's contexts, if the list states it */
};
/* Returns 0 to continue. -1 stops the walk, with *e filled. */
typedef int (*launch_visit_fn)(void *ctx, const struct listed_launch *l, struct err *e);

/* *format is a constant string such as "accel-sim". It is set as soon as the format is known. ERR_UNSUPPORTED:
 * none of the formats. */
int launch_list_walk(const char *path, launch_visit_fn visit, void *ctx, const char **format, struct err *e);
/* The same for one list in a stream. `group` names the part that its launches belong to; "": unknown. The caller
 * keeps ownership of the stream. */
int launch_list_walk_stream(struct stream *s, const char *group, launch_visit_fn visit, void *ctx,
                            const char **format, struct err *e);

#endif
