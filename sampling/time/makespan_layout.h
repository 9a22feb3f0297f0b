/* sampling/time/makespan_layout.h: lays out a profile's launches on their streams with other durations. Streams
 * keep their profiled gaps and overlaps and are independent of each other; the busy time is the length of the union
 * of all launches.
 *
 * The same for any items on lanes, with links between lanes: calls of threads, kernels and copies (timeline.h). An
 * item starts when the item before it on its lane and all its links allow it. */
#ifndef VIVACE_SAMPLING_MAKESPAN_LAYOUT_H
#define VIVACE_SAMPLING_MAKESPAN_LAYOUT_H

#include "sampling/profile/profile.h"

/* Items as profiled: launches on streams. Starts are >= 0. */
struct layout_input {
    size_t count, lanes;
    const int64_t *start_ns;
    const uint64_t *duration_ns;
    const uint32_t *lane;
};
/* Item `item` starts no earlier than start + share * duration + gap of item `from`, which is earlier in the layout.
 */
struct layout_link {
    uint32_t item, from;
    double share, gap;
};

/* The caller sets `durations`; the other fields are internal. Arrays of launches are sorted by profiled start. */
struct layout {
    struct layout_input input;
    const struct profile *profile; /* NULL: the items are not those of a profile */
    uint32_t *rows;                /* launch ids in the profile */
    uint32_t *before, *next;       /* on the same stream */
    double *shares,
        *gaps; /* start of a launch = start of the launch before it + share * duration of that launch + gap */
    double *durations; /* ns, >= 0; at first the profiled ones */
    double *starts;    /* ns, of the last layout */
    double *slopes;    /* derivative of the busy time by each launch's duration, in the last layout */
    double *weights;   /* derivative of the busy time by each launch's start */
    uint32_t *firsts;  /* first launch of each stream */
    uint32_t *heads;   /* heap of streams, by the start of their next launch */
    struct layout_link
        *links; /* by item; the caller may set them, and layout_release() frees them. At first none */
    size_t link_count;
};

/* Requires a profile with start times that outlives the layout. Returns -1 if out of memory; release the layout in
 * every case. */
int layout_init(struct layout *l, const struct profile *profile, struct err *e);
/* The same for items of any kind. The arrays outlive the layout. */
int layout_init_items(struct layout *l, const struct layout_input *input, struct err *e);
void layout_release(struct layout *l);
/* How the start of an item lay behind another one: at a share of its duration, plus a gap after its end. Items are
 * rows of the input. */
void layout_lag(const struct layout_input *input, uint32_t row, uint32_t from, double *share, double *gap);
/* Computes `starts` from the durations. */
void layout_place(struct layout *l);
/* Places the launches; their busy time in ns. Only of a layout without links, whose lanes are independent. */
double layout_busy(struct layout *l);

#endif
