/* simcore/footprint/bundle_images.h: the warm images of launches in a bundle of traces.
 *
 * What precedes a launch in its context is read once, without simulating; nothing is read for launches whose
 * trace has an image. Where a launch before it is not in the bundle, an image cannot be made. */
#ifndef VIVACE_SIMCORE_FOOTPRINT_BUNDLE_IMAGES_H
#define VIVACE_SIMCORE_FOOTPRINT_BUNDLE_IMAGES_H

#include "simcore/trace/bundle.h"
#include "simcore/trace/warm_image.h"

/* Goes through the kernels of a bundle in their order. */
struct bundle_follow; /* opaque */
/* `wanted`: a flag for each kernel. Both must be there as long. */
struct bundle_follow *bundle_follow_new(const struct bundle *b, const bool *wanted, struct err *e);
void bundle_follow_free(struct bundle_follow *f); /* NULL is fine */
/* Kernel i, which is wanted: *out gives what `inner` gives and, in the end, its image (footprints_source()). NULL:
 * it has one or cannot get one; `inner` is to be read. */
int bundle_follow_source(struct bundle_follow *f, size_t i, struct inst_source *inner, struct inst_source **out,
                         struct err *e);
/* Kernel i, which nobody reads. 1: it was read for those behind it; 0: that was not needed. */
int bundle_follow_skip(struct bundle_follow *f, size_t i, struct err *e);

/* All at once. */
struct bundle_images {
    size_t count;              /* kernels of the bundle */
    struct warm_image **image; /* NULL: not wanted, in the trace, or not to be known */
    size_t read;               /* launches that were read for this */
};
/* progress may be NULL; called after each launch that was read. */
typedef void (*bundle_images_fn)(void *ctx, size_t launches_read);
int bundle_images_make(const struct bundle *b, const bool *wanted, bundle_images_fn progress, void *ctx,
                       struct bundle_images *out, struct err *e);
void bundle_images_release(struct bundle_images *x);

#endif
