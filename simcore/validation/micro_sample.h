/* simcore/validation/micro_sample.h: kernels that are measured both as micro-kernels and by their counters. */
#ifndef VIVACE_SIMCORE_VALIDATION_MICRO_SAMPLE_H
#define VIVACE_SIMCORE_VALIDATION_MICRO_SAMPLE_H

#include "simcore/trace/hand.h"

/* Writes a kernel that computes one stage of an in-place Walsh transform over 2^23 floats, with all its CTAs
 * (micro_stream.c). */
void micro_write_fwt(struct hand *h);

#endif
