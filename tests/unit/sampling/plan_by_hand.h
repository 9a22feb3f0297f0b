/* A plan without a profile: strata of one kernel `k`, each launch of value 1. */
#ifndef VIVACE_TESTS_PLAN_BY_HAND_H
#define VIVACE_TESTS_PLAN_BY_HAND_H

#include <stdlib.h>
#include <string.h>

#include "sampling/plan/plan.h"

/* Strata of `population`, with the given draws each: the first launches of the stratum. */
static inline void plan_by_hand(struct plan *p, const uint64_t *population, const uint64_t *samples, size_t strata)
{
    uint64_t id = 0;
    size_t at = 0;

    plan_init(p);
    strcpy(p->method, "test");
    p->params = (struct plan_params){.error = 0.05, .confidence = 0.95, .least_samples = 2};
    p->stratum_count = strata;
    p->strata = calloc(strata, sizeof *p->strata);
    for (size_t h = 0; h < strata; h++)
        p->sample_count += samples[h];
    p->samples = calloc(p->sample_count, sizeof *p->samples);
    for (size_t h = 0; h < strata; h++) {
        p->strata[h] = (struct plan_stratum){.kernel_name = strdup("k"),
                                             .population = population[h],
                                             .samples = samples[h],
                                             .mean = 1,
                                             .total = population[h],
                                             .low = 1,
                                             .high = 1,
                                             .cost = 1,
                                             .take_all = population[h] == samples[h]};
        for (uint64_t i = 0; i < samples[h]; i++)
            p->samples[at++] = (struct plan_sample){.launch = id + i,
                                                    .stratum = (uint32_t)h,
                                                    .draws = 1,
                                                    .value = 1,
                                                    .weight = (double)population[h] / (double)samples[h]};
        id += population[h];
    }
    p->total = p->launches = id;
}

#endif
