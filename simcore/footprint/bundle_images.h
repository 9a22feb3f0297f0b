/* simcore/footprint/bundle_images.h: makes the warm images of launches in a bundle of traces.
 *
 *
 * The launches and copies before a launch in its context are read once, without simulation. Nothing is read for
 * launches whose trace already has an image. If a launch before it is not in the bundle, no image can be made. */
#ifndef VIVACE_SIMCORE_FOOTPRINT_BUNDLE_IMAGES_H
#define VIVACE_SIMCORE_FOOTPRINT_BUNDLE_IMAGES_H

#include "simcore/trace/bundle.h"
#include "simcore/trace/warm_image.h"

/* Visits the kernels of a bundle in their order. */
struct bundle_follow; /* opaque */
/* `wanted`: a flag for each kernel. Both must outlive the result. */
struct bundle_follow *bundle_follow_new(const struct bundle *b, const bool *wanted, struct err *e);
void bundle_follow_free(struct bundle_follow *f); /* NULL is allowed */
/* Call this for a wanted kernel i. *out provides the CTAs of `inner` and, at the end, the image
 * (footprints_source()). NULL: the trace has an image, or none can be made; then read `inner`. */
int bundle_follow_source(struct bundle_follow *f, size_t i, struct inst_source *inner, struct inst_source **out,
                         struct err *e);
/* Call this for a kernel i that the caller does not read. 1: the function read it, because later kernels need it;
 * 0: it is not needed. */
int bundle_follow_skip(struct bundle_follow *f, size_t i, struct err *e);

/* The images of all kernels of a bundle. */
struct bundle_images {
    size_t count;              /* kernels of the bundle */
    struct warm_image **image; /* NULL: not wanted, stored in the trace, or cannot be made */
    size_t read;               /* number of launches read to make the images */
};
/* progress may be NULL; called after each launch that was read. */
typedef void (*bundle_images_fn)(void *ctx, size_t launches_read);
int bundle_images_make(const struct bundle *b, const bool *wanted, bundle_images_fn progress, void *ctx,
                       struct bundle_images *out, struct err *e);
void bundle_images_release(struct bundle_images *x);

#endif
