/* sampling/allocate/cost_model.h: predicts the duration of a simulation; fitted to a farm's finished jobs.
 *
 *     seconds = fixed + a x warp instructions + b x thread blocks,   all >= 0
 *
 * fitted (sampling/allocate/cost_solve.h) for every kind of job (a design with a preset) that has OF_A_KIND_MIN
 * jobs or more; kinds with fewer jobs use the fit over all jobs, times the median ratio of their measured to fitted
 * times. Its error comes from five-fold cross-validation ( Stone, J. Royal Statistical Society B 36, 1974). */
#ifndef VIVACE_SAMPLING_COST_MODEL_H
#define VIVACE_SAMPLING_COST_MODEL_H

#include <stdbool.h>
#include <stdint.h>

#include "sampling/allocate/cost_solve.h"

enum { OF_A_KIND_MIN = 8 };

struct cost_job {
    uint32_t kind; /* 0 .. kinds - 1: design and preset, as the caller numbers them */
    double instructions, blocks;
    double seconds;
};
struct cost_kind {
    double by[COST_COLUMNS]; /* fixed, per instruction, per block */
    size_t jobs;             /* of this kind, with a time */
    bool its_own;            /* fitted to the jobs of this kind alone */
    double typical, ninety;  /* typical: median of the relative prediction error; ninety: its 90 % quantile; NaN:
                                fewer than two jobs */
};
struct cost_model {
    size_t kind_count;
    struct cost_kind *kinds;
};
/* Jobs without a time are skipped; ERR_INVALID when fewer than two are left. */
int cost_model_fit(const struct cost_job *jobs, size_t count, size_t kinds, struct cost_model *out, struct err *e);
double cost_model_seconds(const struct cost_model *m, uint32_t kind, double instructions, double blocks);
void cost_model_release(struct cost_model *m);

#endif
