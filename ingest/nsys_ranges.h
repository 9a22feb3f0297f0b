/* ingest/nsys_ranges.h: NVTX ranges and launch calls in an nsys export. */
#ifndef VIVACE_INGEST_NSYS_RANGES_H
#define VIVACE_INGEST_NSYS_RANGES_H

#include "ingest/nsys_strings.h"

/* 1: the file has ranges and the calls that they can be joined with; 0: not; -1: error. */
int nsys_has_ranges(struct nsys_database *d, struct err *e);
/* Adds both to im->ranges. */
int nsys_read_ranges(struct nsys_database *d, struct nsys_strings *strings, struct import *im, struct err *e);

#endif
