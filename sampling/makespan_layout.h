/* sampling/makespan_layout.h: a profile's launches laid out anew with other durations. Streams keep their profiled
 * gaps and overlaps and know nothing of each other; the busy time is the union of all launches. */
#ifndef VIVACE_SAMPLING_MAKESPAN_LAYOUT_H
#define VIVACE_SAMPLING_MAKESPAN_LAYOUT_H

#include "sampling/profile.h"

/* The caller sets `durations`; the rest is the layout's own. Arrays of launches go by profiled start. */
struct layout {
    const struct profile *profile;
    uint32_t *rows;          /* the profile's */
    uint32_t *before, *next; /* on the same stream */
    double *shares, *gaps;   /* a start is that of the launch before + share of its duration + gap */
    double *durations;       /* ns, >= 0; at first the profiled ones */
    double *starts;          /* ns, as laid out last */
    double *slopes;          /* of the busy time by each launch's duration, as laid out last */
    double *weights;         /* of each launch's start: how far the busy time moves with it */
    uint32_t *firsts;        /* of each stream */
    uint32_t *heads;         /* heap of streams, by the start of their next launch */
};

/* The profile has starts and outlives the layout. -1: memory; release it all the same. */
int layout_init(struct layout *l, const struct profile *profile, struct err *e);
void layout_release(struct layout *l);
double layout_busy(struct layout *l); /* ns */

#endif
