/* simcore/trace/warm_image.h: what a launch finds in the L2, as far as it is of use to it: the lines that it
 * touches itself and that earlier launches or copies have touched. Independent of the GPU that is simulated: each
 * line has its stack distance, so any capacity can be asked for. simcore/footprint makes images, .vtrace files keep
 * them, simcore/mem/warm.h puts them into a simulated L2. */
#ifndef VIVACE_SIMCORE_TRACE_WARM_IMAGE_H
#define VIVACE_SIMCORE_TRACE_WARM_IMAGE_H

#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

struct warm_line {
    uint64_t line;                 /* number: address / 128 */
    uint32_t depth;                /* number of different lines touched since its last touch */
    uint32_t cta;                  /* that touched it last: index in its launch */
    uint8_t valid, dirty, partial; /* masks of the four sectors: known, changed, changed in part only */
    /* Who has read it since it was written or first came, a bit for CTAs of the same index modulo 8: where the L2
     * has two partitions, readers have copies in theirs, and neighbouring CTAs are in different GPCs. */
    uint8_t readers;
};

struct warm_image {
    uint64_t lines;         /* different ones that were touched before the launch */
    uint64_t own;           /* different ones that the launch touches */
    size_t count;           /* of `line` */
    struct warm_line *line; /* by line number */
};
/* More lines than these no image knows of: 256 MiB, more than any L2 holds. */
#define WARM_LINES_MAX (1u << 21)

struct warm_image *warm_image_new(size_t count, struct err *e); /* `line` has room for `count` */
void warm_image_free(struct warm_image *image);                 /* NULL is fine */

#endif
