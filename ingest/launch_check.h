/* ingest/launch_check.h: compares a tracer's list of launches with the profile, launch by launch: name, grid,
 * block. A wrong launch number would trace the wrong kernel without an error, so this check runs before tracing. */
#ifndef VIVACE_INGEST_LAUNCH_CHECK_H
#define VIVACE_INGEST_LAUNCH_CHECK_H

#include <stdbool.h>

#include <jansson.h>

#include "ingest/launch_list.h"
#include "sampling/profile/profile.h"

#define LAUNCH_GROUPS_MAX 256 /* processes and contexts of one list */

/* The first difference. `what`: "name", "grid", "block", "missing" (the list ends too early), "extra" (the
 * profile has no such launch), "ambiguous" (the profile's launches match at several places of the list, so the
 * profiled part is unknown). */
struct launch_mismatch {
    bool there;
    const char *what;
    uint64_t order;    /* launch order in the context of the profile, as the tool counts, from 0 */
    uint64_t launch;   /* index into the profile; not set with "extra" */
    const char *place; /* unit of `number`: "line"; number: position in the list; not set with "missing" */
    uint64_t number;
    char *listed_name; /* not set with "missing" */
    bool listed_shape; /* the list has a grid and a block for this launch */
    uint32_t listed_grid[3], listed_block[3];
};
struct launch_verdict {
    const char *format; /* name of the list's format (launch_list.h) */
    size_t context;     /* index into the profile's contexts */
    char *group;        /* name of the part of the list; "" when the list has one part */
    size_t groups;      /* number of parts of the list */
    bool in_order;      /* the list has every launch; false: only some, with their numbers */
    uint64_t offset;    /* launches of the list before the profile's first one */
    uint64_t places;    /* places in the list where all launches match; 0: offset was given, or no match */
    uint64_t second;    /* the second place, if places >= 2 */
    uint64_t listed;    /* number of launches of that part */
    uint64_t calls;     /* launches of the context that this tool counts */
    uint64_t expected;  /* `calls`, or `listed` when not in_order */
    uint64_t matched;
    uint64_t graph_launches; /* launches replayed by CUDA graphs, which this tool does not count one by one */
    struct launch_mismatch mismatch;
};
/* A profile may cover only a part of the run. `offset` is the number of the list's launches before that part.
 * Without has_offset the check searches the offset; the list must then have every launch. With at_least the list
 * begins with the profile's first launch. The check ignores launches after the profiled part. */
struct launch_check_options {
    int64_t context;   /* index into the profile's contexts; -1: the only one */
    uint64_t at_least; /* for a run that was stopped early: the list may end after this number of launches; 0: the
                          list has all */
    bool has_offset;
    uint64_t offset;
};

/* Compares the list at `path` (a file or folder), or in a stream. 0: compared; verdict->mismatch.there says
 * whether they differ. -1: no list could be read. The caller releases *out, also after -1. */
int launch_check_path(const char *path, const struct profile *p, const struct launch_check_options *o,
                      struct launch_verdict *out, struct err *e);
int launch_check_stream(struct stream *s, const struct profile *p, const struct launch_check_options *o,
                        struct launch_verdict *out, struct err *e);
void launch_verdict_release(struct launch_verdict *v);
/* The mismatch as ERR_INVALID with both sides in the message. Returns -1. */
int launch_verdict_refuse(const struct launch_verdict *v, const struct profile *p, struct err *e);
/* A new reference; NULL when memory ran out. */
json_t *launch_verdict_json(const struct launch_verdict *v, const struct profile *p);

#endif
