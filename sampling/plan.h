/* sampling/plan.h: which invocations to simulate, and what each stands for. */
#ifndef VIVACE_SAMPLING_PLAN_H
#define VIVACE_SAMPLING_PLAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sampling/profile.h"

#define PLAN_VERSION 1

struct plan_params {
    double error;      /* epsilon: wanted relative half-width, e.g. 0.05 */
    double confidence; /* level of the interval, e.g. 0.95 */
    uint64_t seed;
    double share;       /* random methods: share of invocations to draw; 0: sized from `error` */
    double noise_floor; /* vivace: times spread by at least this share of their mean from run to run, whatever the
                         * profile shows; plan and interval both count with it. Plans of other methods say 0. */
};
#define PLAN_NOISE_FLOOR                                                                                           \
    0.005 /* the default; our estimate: the steadiest kernel of STEM's figure 1 varies by 0.7 % */

struct plan_stratum {
    uint32_t kernel;   /* index into profile.kernels of its first invocation */
    char *kernel_name; /* owned copy, so that a plan can be read without its profile; "" with mixed_names */
    bool mixed_names;  /* more than one kernel name inside: the rest then describes the first invocation */
    bool mixed_shapes; /* more than one (grid, block) inside: grid and block are those of the first invocation */
    uint32_t grid[3], block[3];
    uint64_t population; /* N_h: invocations */
    uint64_t samples;    /* n_h: draws (with replacement: duplicates counted) */
    double mean, sd;     /* of the planning variable; sd with N - 1, 0 when N = 1 */
    uint64_t total;      /* X_h: sum of the planning variable */
    uint64_t low, high; /* its least and greatest value: with name and shape they say which invocations are meant */
    bool certainty;     /* taken whole */
};

struct plan_sample {
    uint64_t invocation;
    uint32_t stratum;
    uint32_t draws; /* how often it was drawn: 1, more only with replacement */
    double weight;  /* draws * N_h / n_h; weights of a stratum sum to N_h */
    uint64_t value; /* of the planning variable, as profiled */
};

struct plan {
    char method[32];
    struct plan_params params;
    char profile_sha256[SHA256_HEX];
    enum profile_unit unit;
    bool with_replacement;
    uint64_t invocations;      /* of the profile */
    uint64_t zero_invocations; /* of value 0: outside all strata, weight 0 (methods.md D14) */
    uint64_t total;            /* sum of the planning variable */
    double promised_error;     /* half-width planned / total, at `confidence`; NaN: the method promises none */
    bool promise_valid;        /* false: as published, but the promise does not hold for simulated values */
    double planned_df;         /* degrees of freedom planned; infinity where every stratum is taken whole */
    double speedup;            /* total / sum over DISTINCT samples of the planning variable */
    size_t stratum_count, sample_count;
    struct plan_stratum *strata;
    struct plan_sample *samples; /* by stratum, then invocation; distinct */
};

void plan_init(struct plan *p);
void plan_release(struct plan *p);
/* Sums, weights, ids and counts agree; -1 with the first that does not. */
int plan_check(const struct plan *p, struct err *e);

struct strata; /* sampling/strata.h */

/* A sampling method: one row in methods[], one file an entry. */
struct method {
    const char *name;     /* as on the command line and in the API */
    const char *title;    /* for people */
    const char *sentence; /* what it does, one sentence */
    /* NULL when it can run on this profile, otherwise why not ("needs instruction counts; this profile has none").
     */
    const char *(*why_not)(const struct profile *p);
    /* Decides strata and sizes; drawing and the rest is the same for all. */
    int (*stratify)(const struct profile *p, const struct plan_params *params, struct strata *out, struct err *e);
};
extern const struct method *const methods[];                       /* NULL at the end; ours first */
const struct method *method_find(const char *name, struct err *e); /* NULL: unknown; the hint names all */

/* The parameters make sense; -1 with the first that does not. */
int plan_params_check(const struct plan_params *params, struct err *e);
/* The stratum of each invocation of the plan's profile, by name, shape and value. plan->stratum_count: in none (its
 * value is 0). */
struct plan_index; /* opaque */
struct plan_index *plan_index_new(const struct plan *p, const struct profile *profile, struct err *e);
size_t plan_index_find(const struct plan_index *x, uint64_t invocation);
void plan_index_free(struct plan_index *x);

/* Looks the method up, checks the parameters, plans, fills in what all plans share and checks the result. */
int plan_make(const char *method, const struct profile *p, const struct plan_params *params, struct plan *out,
              struct err *e);

#endif
