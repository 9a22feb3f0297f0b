/* simcore/footprint/footprint.h: follows the launches and copies of a GPU, and makes the warm image of each launch:
 * its own lines that it finds in the L2.
 *
 *
 * The lines of a launch come from the addresses of its instructions. The warps of all CTAs that a V100 holds at
 * once take turns, each until it waits for a load; an L1 is not modelled. So the order of touches differs from a
 * simulation only within a launch. Local memory is left out, because a launch never reuses the local memory of an
 * earlier launch. */
#ifndef VIVACE_SIMCORE_FOOTPRINT_FOOTPRINT_H
#define VIVACE_SIMCORE_FOOTPRINT_FOOTPRINT_H

#include <stdbool.h>

#include "simcore/footprint/lru_stack.h"
#include "simcore/trace/inst_source.h"
#include "simcore/trace/trace_copy.h"
#include "simcore/trace/warm_image.h"

struct footprints; /* opaque */
struct footprints *footprints_new(struct err *e);
void footprints_free(struct footprints *f); /* NULL is allowed */

/* Sets the context of the next launches. The L2 holds no data of another context. Initially 0. */
void footprints_context(struct footprints *f, uint64_t context);
int footprints_copy(struct footprints *f, const struct trace_copy *c, struct err *e);
/* Adds one end of a copy, or a memset. */
int footprints_touched(struct footprints *f, uint64_t address, uint64_t bytes, bool write, struct err *e);
/* *out provides the CTAs of `inner`. The caller owns both; `inner` must outlive *out. After all CTAs are taken,
 * out->warm is the launch's image. Only one source may be open at a time. */
int footprints_source(struct footprints *f, struct inst_source *inner, struct inst_source **out, struct err *e);
/* The lines that the L2 may hold now, at most `most`, for a launch whose own lines are unknown before it runs. The
 * caller frees it; NULL: out of memory. */
struct warm_image *footprints_now(const struct footprints *f, uint64_t most, struct err *e);
/* Reads a launch to its end. *image: its warm image; image NULL: not needed. */
int footprints_launch(struct footprints *f, struct inst_source *inner, struct warm_image **image, struct err *e);

/* The touches of a launch, in order. */
struct touch_list {
    struct line_touch *items;
    size_t count, capacity;
};
void touch_list_release(struct touch_list *l);
/* From now on, the touches of launches are also appended to *into; NULL stops this. */
void footprints_record(struct footprints *f, struct touch_list *into);
/* Applies a launch with the same touches as a recorded one. */
int footprints_repeat(struct footprints *f, const struct touch_list *touches, struct warm_image **image,
                      struct err *e);

#endif
