/* sampling/cost_model.h: how long a simulation takes, by what is simulated and how, from a farm's finished jobs.
 *
 *     seconds = fixed + a x warp instructions + b x thread blocks,   all >= 0
 *
 * fitted (sampling/cost_solve.h) for every kind of job (a design with a preset) that has OF_A_KIND_MIN jobs or
 * more; kinds with fewer take the fit over all, times the median of what theirs took against it. Its error is found
 * on jobs that the fit had not seen, in five parts (cross-validation: Stone, J. Royal Statistical Society B 36,
 * 1974). */
#ifndef VIVACE_SAMPLING_COST_MODEL_H
#define VIVACE_SAMPLING_COST_MODEL_H

#include <stdbool.h>
#include <stdint.h>

#include "sampling/cost_solve.h"

enum { OF_A_KIND_MIN = 8 };

struct cost_job {
    uint32_t kind; /* 0 .. kinds - 1: design and preset, as the caller numbers them */
    double instructions, blocks;
    double seconds;
};
struct cost_kind {
    double by[COST_COLUMNS]; /* fixed, per instruction, per block */
    size_t jobs;             /* of this kind, with a time */
    bool its_own;            /* fitted to its own jobs */
    double typical,
        ninety; /* half, and 90 %, of predictions are off by at most this share; NaN: fewer than two jobs */
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
