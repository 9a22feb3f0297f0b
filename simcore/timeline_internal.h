/* simcore/timeline_internal.h: what the files of the timeline share: timeline.c (the whole), timeline_list.c (who
 * follows whom), timeline_steps.c (what happens when). */
#ifndef VIVACE_SIMCORE_TIMELINE_INTERNAL_H
#define VIVACE_SIMCORE_TIMELINE_INTERNAL_H

#include "simcore/copy.h"
#include "simcore/gpu.h"

enum step { STEP_BEGIN, STEP_PIECE, STEP_OPEN, STEP_RUN, STEP_END };
struct stream {
    uint64_t id;
    size_t item, last; /* where it is, and its newest item while the list is read; indices into the list */
    enum step step;
    sim_time_ps at;    /* when the next step is due; SIM_NEVER: somebody else will say, or it has ended */
    sim_time_ps begin; /* of the item */
    struct copy copy;
    struct launch *launch;
    struct inst_source *source; /* ours while the launch runs */
    bool warm;                  /* it found what its image says */
    uint64_t replayed;          /* launches before it */
};

struct timeline {
    struct simulator *sim;
    const struct sim_work *work;
    const struct sim_stream_options *o;
    struct sim_timeline *out;
    size_t count, ended;
    size_t *next;      /* of each item: the next of its stream, or `count` */
    sim_time_ps begin; /* of the whole */
    sim_time_ps end;   /* the last end so far */
    struct copy_paths paths;
    struct stream *streams;
    size_t stream_count, waiting; /* waiting: for a place among the launches */
    struct sim_result watched;    /* what was seen of the only item; the rest of its result is not there yet */
};

/* timeline_list.c: the streams of the list, and what follows what in them. */
int timeline_link(struct timeline *t, struct err *e);
/* When the host has submitted an item. */
sim_time_ps timeline_submitted(const struct timeline *t, size_t item);

/* timeline_steps.c */
void timeline_wait(struct timeline *t); /* the event moves to the earliest step */
/* The stream's launch has ended at a cycle, in this way: its result goes out, and the stream goes on. */
int timeline_end_kernel(struct timeline *t, struct stream *s, enum sim_end end, uint64_t cycle, struct err *e);

#endif
