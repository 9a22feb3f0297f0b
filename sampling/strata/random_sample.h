/* sampling/strata/random_sample.h: shared by the random methods over all launches: the population, the promised
 * error of n draws, and the sample size.
 *
 * total = N mean of n draws. Without replacement its variance is N^2 (1 - n/N) S^2 / n, with replacement N^2
 * sigma^2 / n (Cochran, Sampling Techniques, 1977, ch. 2). The promise is a t half-width from the profile's spread.
 * If few launches have much of the time, s^2 varies more: its variance is 2 S^4 (1 / (n - 1) + kurtosis / 2n),
 * which is expressed as fewer degrees of freedom (allocate.h). */
#ifndef VIVACE_SAMPLING_RANDOM_SAMPLE_H
#define VIVACE_SAMPLING_RANDOM_SAMPLE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/rng.h"
#include "sampling/plan/strata.h"

/* Statistics of all launches whose value is not 0. */
struct random_population {
    uint64_t count, total;
    double mean, sd;           /* sd with N - 1 */
    double skewness, kurtosis; /* excess; 0 where all are equal */
    bool with_replacement;
};

/* Puts all launches into one group of s and computes their statistics. */
int random_population_of(const struct profile *p, bool with_replacement, struct strata *s,
                         struct random_population *out, struct err *e);

struct random_promise {
    double half_width; /* relative to the total */
    double df;
};
struct random_promise random_promise(const struct random_population *r, uint64_t n, double level);

/* Draws: params->share of the population, or, if that is 0, the fewest that meet params->error. At least 2 and at
 * most all. */
uint64_t random_size(const struct random_population *r, const struct plan_params *params);

/* Fills in the promised error of n draws, and a caution if n is too small for the skewness of the values. */
void random_finish(const struct random_population *r, uint64_t n, const struct plan_params *params,
                   struct strata *s);

/* The population and its ids in launch order: what a random method keeps for its next draw. */
struct random_frame {
    struct random_population all;
    struct systematic_design { /* of method systematic alone */
        uint64_t step;         /* 0: all launches are taken */
        uint64_t n;            /* of all starts */
        double variance;       /* of one start */
        struct random_promise promise;
    } systematic;
    uint32_t ids[]; /* all.count */
};
/* Puts all launches into one group of s, without replacement, and sets s->kept. NULL: out of memory. */
struct random_frame *random_frame_make(const struct profile *p, struct strata *s, struct err *e);
/* A copy of the ids, for the caller to change and free. NULL: out of memory. */
uint32_t *random_frame_copy(const struct random_frame *frame, struct err *e);
/* Swaps a random one of ids[at .. count) to `at`: one step of the Fisher-Yates shuffle. */
void random_next(struct rng *r, uint32_t *ids, uint64_t at, uint64_t count);

#endif
