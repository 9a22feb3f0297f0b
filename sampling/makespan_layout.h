/* sampling/makespan_layout.h: lays out a profile's launches on their streams with other durations. Streams keep
 * their profiled gaps and overlaps and are independent of each other; the busy time is the length of the union of
 * all launches. */
#ifndef VIVACE_SAMPLING_MAKESPAN_LAYOUT_H
#define VIVACE_SAMPLING_MAKESPAN_LAYOUT_H

#include "sampling/profile.h"

/* The caller sets `durations`; the other fields are internal. Arrays of launches are sorted by profiled start. */
struct layout {
    const struct profile *profile;
    uint32_t *rows;          /* launch ids in the profile */
    uint32_t *before, *next; /* on the same stream */
    double *shares,
        *gaps; /* start of a launch = start of the launch before it + share * duration of that launch + gap */
    double *durations; /* ns, >= 0; at first the profiled ones */
    double *starts;    /* ns, of the last layout */
    double *slopes;    /* derivative of the busy time by each launch's duration, in the last layout */
    double *weights;   /* derivative of the busy time by each launch's start */
    uint32_t *firsts;  /* first launch of each stream */
    uint32_t *heads;   /* heap of streams, by the start of their next launch */
};

/* Requires a profile with start times that outlives the layout. Returns -1 if out of memory; release the layout in
 * every case. */
int layout_init(struct layout *l, const struct profile *profile, struct err *e);
void layout_release(struct layout *l);
double layout_busy(struct layout *l); /* ns */

#endif
