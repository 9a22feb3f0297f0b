/* cli/plan/timeline_system.h: how much longer collectives and copies take on another system than on the profiled
 * one, by the models of both (simcore/system). */
#ifndef VIVACE_CLI_PLAN_TIMELINE_SYSTEM_H
#define VIVACE_CLI_PLAN_TIMELINE_SYSTEM_H

#include "sampling/time/timeline.h"
#include "simcore/system/collective.h"

struct timeline_systems {
    struct system_design *from, *to; /* profiled; asked for */
    struct collective_fabric from_fabric, to_fabric;
    uint32_t gpus; /* of the timeline; fabrics are there for 2 and more */
    /* Of the last timeline that was scaled: those with a model, and those that keep their profiled time. */
    size_t scaled, kept;
};
/* ERR_INVALID where a system has fewer GPUs than the timeline. Release it in every case. */
int timeline_systems_open(struct timeline_systems *s, const char *from, const char *to, const struct timeline *t,
                          struct err *e);
void timeline_systems_release(struct timeline_systems *s);
timeline_scale_fn timeline_systems_scale; /* ctx: struct timeline_systems */

#endif
