/* ingest/nsys_ranges.h: NVTX ranges and launch calls in an nsys export. */
#ifndef VIVACE_INGEST_NSYS_RANGES_H
#define VIVACE_INGEST_NSYS_RANGES_H

#include "ingest/nsys_strings.h"

/* 1: the file has ranges, and the launch calls that are needed to join ranges with launches. 0: it lacks one of
 * them. -1: error. */
int nsys_has_ranges(struct nsys_database *d, struct err *e);
/* Adds the ranges and the launch calls to im->ranges. */
int nsys_read_ranges(struct nsys_database *d, struct nsys_strings *strings, struct import *im, struct err *e);

#endif
