/* simcore/footprint/footprint.h: follows what a GPU does, launch by launch and copy by copy, and says what each
 * launch finds of its own lines in the L2: its warm image.
 *
 * A launch's lines are those that its instructions name. The warps of all CTAs that a V100 holds at once take
 * turns, each until it waits for what it loads; L1 keeps nothing. So the order of touches differs from a simulation
 * only within the launch. Local memory is left out, since no launch finds there what another left. */
#ifndef VIVACE_SIMCORE_FOOTPRINT_FOOTPRINT_H
#define VIVACE_SIMCORE_FOOTPRINT_FOOTPRINT_H

#include <stdbool.h>

#include "simcore/footprint/lru_stack.h"
#include "simcore/trace/inst_source.h"
#include "simcore/trace/trace_copy.h"
#include "simcore/trace/warm_image.h"

struct footprints; /* opaque */
struct footprints *footprints_new(struct err *e);
void footprints_free(struct footprints *f); /* NULL is fine */

/* What follows is of this context; nothing of another one's is in its L2. 0 to begin with. */
void footprints_context(struct footprints *f, uint64_t context);
int footprints_copy(struct footprints *f, const struct trace_copy *c, struct err *e);
/* One end of a copy, or a fill. */
int footprints_touched(struct footprints *f, uint64_t address, uint64_t bytes, bool write, struct err *e);
/* *out gives what `inner` gives, and belongs to who called; `inner` stays theirs, and must be there as long. Once
 * all CTAs were taken, out->warm is the launch's image. One source at a time. */
int footprints_source(struct footprints *f, struct inst_source *inner, struct inst_source **out, struct err *e);
/* What the L2 may hold now, `most` lines at most: for a launch whose own lines are not known before it runs. The
 * caller frees it; NULL: no memory. */
struct warm_image *footprints_now(const struct footprints *f, uint64_t most, struct err *e);
/* Reads a launch to its end. *image: its warm image; NULL: not needed. */
int footprints_launch(struct footprints *f, struct inst_source *inner, struct warm_image **image, struct err *e);

/* The touches of a launch, in their order. */
struct touch_list {
    struct line_touch *items;
    size_t count, capacity;
};
void touch_list_release(struct touch_list *l);
/* The touches of launches to come are added to *into; NULL: no longer. */
void footprints_record(struct footprints *f, struct touch_list *into);
/* A launch that touches the same as the one that was recorded. */
int footprints_repeat(struct footprints *f, const struct touch_list *touches, struct warm_image **image,
                      struct err *e);

#endif
