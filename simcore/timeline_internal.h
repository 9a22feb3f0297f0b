/* simcore/timeline_internal.h: declarations that the files of the timeline share: timeline.c (the run),
 * timeline_list.c (order of items), timeline_steps.c (steps of items). */
#ifndef VIVACE_SIMCORE_TIMELINE_INTERNAL_H
#define VIVACE_SIMCORE_TIMELINE_INTERNAL_H

#include "simcore/copy.h"
#include "simcore/gpu.h"

enum step { STEP_BEGIN, STEP_PIECE, STEP_OPEN, STEP_RUN, STEP_END };
struct stream {
    uint64_t id;
    size_t item, last; /* current item; newest item while the list is read; indices in the list */
    enum step step;
    sim_time_ps at;    /* time of the next step; SIM_NEVER: another event will set it, or the stream has ended */
    sim_time_ps begin; /* begin of the item */
    struct copy copy;
    struct launch *launch;
    struct inst_source *source; /* owned by the stream while the launch runs */
    struct inst_source *polled; /* the simulated form of `source` (trace/polls.h); NULL: `source` unchanged */
    struct timeline *timeline;
    bool warm;         /* the launch began with its warm image */
    uint64_t replayed; /* number of launches replayed before it */
};

struct timeline {
    struct simulator *sim;
    const struct sim_work *work;
    const struct sim_stream_options *o;
    struct sim_timeline *out;
    size_t count, ended;
    size_t *next;      /* for each item: the next item of its stream, or `count` */
    sim_time_ps begin; /* begin of the run */
    sim_time_ps end;   /* latest end so far */
    struct copy_paths paths;
    struct stream *streams;
    size_t stream_count, waiting; /* waiting: streams that wait for a free launch entry */
    struct sim_result watched;    /* observations of a single item, before the rest of its result is complete */
};

/* In timeline_list.c: builds the streams of the list and the order of items in each. */
int timeline_link(struct timeline *t, struct err *e);
/* When the host has submitted an item. */
sim_time_ps timeline_submitted(const struct timeline *t, size_t item);

/* In timeline_steps.c: */
void timeline_wait(struct timeline *t); /* moves the event to the earliest step */
/* The stream's launch has ended at a cycle: reports its result, and the stream continues. */
void timeline_drop_source(struct timeline *t, struct stream *s); /* releases it, unless the caller keeps it */
int timeline_end_kernel(struct timeline *t, struct stream *s, enum sim_end end, uint64_t cycle, struct err *e);

#endif
