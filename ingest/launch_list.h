/* ingest/launch_list.h: what a tracer or profiler says that it saw: kernel launches, one after the other, as a
 * stream. Recognised by content:
 *
 *   accel-sim   stats.csv or stats_ctx_*: one line a launch, traced or not; with or without its header line
 *   macsim      kernel_names.txt: two lines a launch
 *   ncu         ncu --csv, one row a metric or (--page raw) one row a launch
 *   csv         any CSV whose header names kernel (or mangled_name), grid and block: `vivace plan trace --for list`
 *   traces      headers of recorded kernels: a folder or tar of traces, or a kernel list beside them
 *
 * A folder with stats files is read as those, whatever else is in it. Lists come from strangers' programs: memory
 * and work are bounded by limits below or by the size of the list. */
#ifndef VIVACE_INGEST_LAUNCH_LIST_H
#define VIVACE_INGEST_LAUNCH_LIST_H

#include <stdbool.h>
#include <stdint.h>

#include "base/stream.h"

#define LAUNCH_ROW_MAX (1u << 20) /* bytes of a row or line of a list */

struct listed_launch {
    const char *group; /* what has a count of its own: "stats_ctx_0x55", "process 12, context 1"; "": all is one */
    const char *place; /* "line", "kernel": what `number` counts, for messages */
    uint64_t number;
    const char *name; /* mangled or not; valid during the visit */
    bool has_shape, has_order, has_context;
    uint32_t grid[3], block[3];
    uint64_t order; /* launch order in its context from 0; without it, lists are in order */
    uint64_t position,
        whole;        /* with it: the order where the list holds as many launches, `whole`, as the profile */
    uint64_t context; /* index into the profile's contexts, where the list says it */
};
/* 0 goes on; -1 stops the walk, with *e filled. */
typedef int (*launch_visit_fn)(void *ctx, const struct listed_launch *l, struct err *e);

/* *format: "accel-sim", ..., a constant; set as soon as it is known. ERR_UNSUPPORTED when it is none of them. */
int launch_list_walk(const char *path, launch_visit_fn visit, void *ctx, const char **format, struct err *e);
/* The same for the text of one list; `group` is what its launches are of, "" when nothing says. Takes over nothing.
 */
int launch_list_walk_stream(struct stream *s, const char *group, launch_visit_fn visit, void *ctx,
                            const char **format, struct err *e);

#endif
