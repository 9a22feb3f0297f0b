/* simcore/system/collective_internal.h: rings over a system. Only for this folder. */
#ifndef VIVACE_SIMCORE_SYSTEM_COLLECTIVE_INTERNAL_H
#define VIVACE_SIMCORE_SYSTEM_COLLECTIVE_INTERNAL_H

#include "simcore/system/collective.h"

/* Data that a kernel's stores carry over a channel in one direction, in GB/s: packets of at most 128 bytes. */
double collective_channel_gbs(const struct system_design *s, const struct system_channel *c);
/* Fills the ring's members of *f, whose ranks are set. gpu: the nodes of the ranks. */
int collective_rings(const struct system_design *s, const uint32_t *gpu, struct collective_fabric *f,
                     struct err *e);

#endif
