/* simcore/trace/warm_image.h: the warm image of a launch: its lines that can be in the L2 at its start. These are
 * the lines that the launch touches and that earlier launches or copies have touched. The image does not depend on
 * the simulated GPU: each line has its stack distance, from which any L2 capacity is derived. simcore/footprint
 * makes images, .vtrace files store them, simcore/mem/warm.h loads them into a simulated L2. */
#ifndef VIVACE_SIMCORE_TRACE_WARM_IMAGE_H
#define VIVACE_SIMCORE_TRACE_WARM_IMAGE_H

#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

struct warm_line {
    uint64_t line;                 /* line number: address / 128 */
    uint32_t depth;                /* number of distinct lines touched since its last touch */
    uint32_t cta;                  /* index, in its launch, of the CTA that touched it last */
    uint8_t valid, dirty, partial; /* masks of the four sectors: present, modified, modified only in part */
    /* CTAs that have read the line since it was written or loaded: one bit for each CTA index modulo 8. If the L2
     * has two partitions, readers have copies in their own, and neighbouring CTAs are in different GPCs. */
    uint8_t readers;
};

/* Consecutive lines that were touched last by the same launch or copy. */
struct warm_run {
    uint64_t line;  /* the first line */
    uint32_t count; /* number of lines, at least 1 */
};

struct warm_image {
    uint64_t lines;         /* number of distinct lines touched before the launch */
    uint64_t own;           /* number of distinct lines that the launch touches */
    size_t count;           /* number of entries in `line` */
    struct warm_line *line; /* sorted by line number */
    /* All lines that were touched since the last touch of the deepest entry of `line`, the entries included. They
     * show which sets of an L2 are full. Launches and copies: the last one first; within one, by line number.
     * Number 0: not known, or no entry is deep enough to need them. */
    size_t run_count;
    struct warm_run *run;
};
/* The maximum number of lines in an image: 256 MiB, more than any L2 holds. */
#define WARM_LINES_MAX (1u << 21)
/* The maximum number of runs; with more, an image has none. */
enum { WARM_RUNS_MAX = 4096 };

/* `line` has capacity for `count` entries, `run` for `runs`. */
struct warm_image *warm_image_new(size_t count, size_t runs, struct err *e);
void warm_image_free(struct warm_image *image); /* NULL is allowed */

#endif
