/* ingest/launch_check.h: is what a tracer counted what the profile holds? Compared launch by launch: name, grid,
 * block. A wrong number traces the wrong kernel without a word, so this check comes between a plan and its traces.
 */
#ifndef VIVACE_INGEST_LAUNCH_CHECK_H
#define VIVACE_INGEST_LAUNCH_CHECK_H

#include <stdbool.h>

#include <jansson.h>

#include "ingest/launch_list.h"
#include "sampling/profile.h"

#define LAUNCH_GROUPS_MAX 256 /* processes and contexts of one list */

/* The first launch that is not what it should be. `what`: "name", "grid", "block", "missing" (the list ends
 * before), "extra" (the profile has no such launch), "ambiguous" (the profile's launches follow at several places
 * of the list, so that it is open which of them were profiled). */
struct launch_mismatch {
    bool there;
    const char *what;
    uint64_t order;    /* launch order in the context of the profile, as the tool counts, from 0 */
    uint64_t launch;   /* of the profile; not with "extra" */
    const char *place; /* "line"; number: its position in the list; not with "missing" */
    uint64_t number;
    char *listed_name; /* not with "missing" */
    bool listed_shape; /* whether the list says these: */
    uint32_t listed_grid[3], listed_block[3];
};
struct launch_verdict {
    const char *format; /* of launch_list.h */
    size_t context;     /* index into the profile's contexts */
    char *group;        /* which part of the list it was; "" when the list has one */
    size_t groups;      /* parts that the list has */
    bool in_order;      /* the list holds every launch; false: some, with their numbers */
    uint64_t offset;    /* launches of the list before the profile's first one */
    uint64_t places;    /* of the list where all of the profile's launches follow; 0: offset was given, or none */
    uint64_t second;    /* the second of them, where places >= 2 */
    uint64_t listed;    /* launches of that part */
    uint64_t calls;     /* launches of the context that this tool counts */
    uint64_t expected;  /* `calls`, or `listed` when not in_order */
    uint64_t matched;
    uint64_t graph_launches; /* replayed by CUDA graphs, which this tool does not count one by one */
    struct launch_mismatch mismatch;
};
/* A profile may cover a part of the run that the list is of. The list may go on after that part; where it begins is
 * `offset`. Without has_offset it is found, in lists that are whole: with at_least, lists begin with the profile.
 */
struct launch_check_options {
    int64_t context;   /* index into the profile's contexts; -1: the only one */
    uint64_t at_least; /* the list of a run that was ended may stop after this many of the profile's launches; 0:
                          the list must have all of them */
    bool has_offset;
    uint64_t offset;
};

/* Compares the list at `path` (a file or folder), or of a stream. 0 whatever comes out: verdict->mismatch.there
 * says it; -1 when there is no list to compare. *out is released by the caller, also on -1. */
int launch_check_path(const char *path, const struct profile *p, const struct launch_check_options *o,
                      struct launch_verdict *out, struct err *e);
int launch_check_stream(struct stream *s, const struct profile *p, const struct launch_check_options *o,
                        struct launch_verdict *out, struct err *e);
void launch_verdict_release(struct launch_verdict *v);
/* The mismatch as an error with both sides named, ERR_INVALID; -1. */
int launch_verdict_refuse(const struct launch_verdict *v, const struct profile *p, struct err *e);
/* A new reference; NULL when memory ran out. */
json_t *launch_verdict_json(const struct launch_verdict *v, const struct profile *p);

#endif
