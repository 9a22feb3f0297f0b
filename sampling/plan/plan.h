/* sampling/plan/plan.h: which launches to simulate, and what each represents. */
#ifndef VIVACE_SAMPLING_PLAN_H
#define VIVACE_SAMPLING_PLAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sampling/profile/profile.h"

#define PLAN_VERSION 3

/* pka with two-level profiling: the classifier for launches whose (name, grid, block) was not measured in detail.
 */
enum plan_classifier { PLAN_BAYES, PLAN_SGD, PLAN_MLP };

/* How the total is estimated from the samples' values y. */
enum plan_estimator {
    PLAN_EXPANSION,        /* sum over strata of N_h * mean y */
    PLAN_RATIO,            /* sum over kernels of X * R, X: profiled time, R: y per x of the samples
                              (sampling/estimate/ratio.h) */
    PLAN_INSTRUCTION_RATIO /* sum over strata of I_h * (sum y / sum i), i: warp instructions; I_h: of the stratum */
};

struct plan_params {
    double error;      /* epsilon: wanted relative half-width, e.g. 0.05 */
    double confidence; /* level of the interval, e.g. 0.95 */
    uint64_t seed;
    double share;       /* random methods: share of launches to draw; 0: sized from `error` */
    double noise_floor; /* vivace: times spread by at least this share of their mean from run to run, even if the
                           profile shows less; plan and interval both use it. 0 in plans of other methods. */
    double assurance;   /* vivace: probability that the final half-width is within `error`
                           (sampling/strata/assurance.h); 0:   the expected half-width is within it */
    double budget;      /* maximum cost, as a share of the cost of simulating everything; 0: sized from `error` */
    uint32_t least_samples; /* vivace: minimum in a stratum not taken whole; 2, or 1 for a point estimate */
    /* What simulating one launch costs: cost_fixed + cost_per_unit * value, in seconds, fitted from measured
     * jobs. Both 0: its value. */
    double cost_fixed, cost_per_unit;
    enum plan_classifier classifier;
    enum plan_estimator estimator; /* vivace: PLAN_EXPANSION, or PLAN_RATIO on a profile of times */
};
/* Default values. */
#define PLAN_PARAMS_DEFAULT                                                                                        \
    ((struct plan_params){                                                                                         \
        .error = 0.05, .confidence = 0.95, .seed = 1, .noise_floor = PLAN_NOISE_FLOOR, .least_samples = 2})
#define PLAN_ASSURANCE_MIN 0.5
#define PLAN_ASSURANCE_MAX 0.99
#define PLAN_NOISE_FLOOR                                                                                           \
    0.005 /* the default; our estimate: the kernel with the least variation in STEM's figure 1 varies by 0.7 % */

/* Where the interval comes from. */
enum plan_variance {
    PLAN_VARIANCE_SAMPLES,    /* spread of the samples within strata */
    PLAN_VARIANCE_SUCCESSIVE, /* systematic samples: differences of neighbours in launch order */
    PLAN_VARIANCE_MODEL, /* the profile's spread, scaled, and residuals of kernels (sampling/estimate/assisted.h) */
    PLAN_VARIANCE_NONE   /* representatives were chosen, not drawn: there is no interval */
};
const char *plan_estimator_name(enum plan_estimator x); /* "expansion", "ratio", "instruction_ratio" */
const char *plan_variance_name(enum plan_variance x);   /* "samples", "successive", "model", "none" */
int plan_estimator_from_name(const char *name, enum plan_estimator *out); /* -1: unknown name */
int plan_variance_from_name(const char *name, enum plan_variance *out);
const char *plan_classifier_name(enum plan_classifier x); /* "bayes", "sgd", "mlp" */
int plan_classifier_from_name(const char *name, enum plan_classifier *out);

#define PLAN_BY   8
#define PLAN_ONLY 200

/* The part of the workload that a plan is for (sampling/parts/part.h). All 0: the whole workload, and strata may
 * hold several domains. */
struct plan_part {
    char
        by[PLAN_BY]; /* strata keep to domains of this kind: "layer", "phase", "step", "class"; "": they need not */
    char only[PLAN_ONLY]; /* only launches whose layer matches this pattern; "": all launches */
    bool steps;           /* launches of the steps first to last */
    uint64_t step_first, step_last;
};
bool plan_part_any(const struct plan_part *part);
/* Whether launches are outside of the part. */
bool plan_part_narrow(const struct plan_part *part);
/* Whether both hold the same launches of a profile. */
bool plan_part_same(const struct plan_part *a, const struct plan_part *b);

struct plan_stratum {
    uint32_t kernel;   /* index into profile.kernels of its first launch */
    char *kernel_name; /* owned copy, so that a plan can be read without its profile; "" with mixed_names */
    char *domain;      /* owned; with part.by: of all its launches, "" for launches without one; else NULL */
    bool mixed_names;  /* the stratum has more than one kernel name; the other members describe the first launch */
    bool mixed_shapes; /* the stratum has more than one (grid, block); grid and block are those of the first launch
                        */
    uint32_t grid[3], block[3];
    uint64_t population; /* N_h: launches */
    uint64_t samples;    /* n_h: draws (with replacement: duplicates counted) */
    double mean, sd;     /* of the planning variable; sd with N - 1, 0 when N = 1 */
    uint64_t total;      /* X_h: sum of the planning variable */
    uint64_t low, high;  /* its least and greatest value: with name and shape they identify its launches */
    bool take_all;       /* every launch of the stratum is a sample */
    double planned_sd;   /* S used for its sample size: `sd`, or the noise floor; 0: the method has none */
    double cost;         /* of one of its samples, planned: in units of value, or in seconds with a cost model */
    uint64_t auxiliary;  /* I_h: its warp instructions; 0 with PLAN_EXPANSION */
};

/* Whether its launches may differ by more than the planning variable shows: several kernels or shapes. */
static inline bool stratum_mixes(const struct plan_stratum *s)
{
    return s->mixed_names || s->mixed_shapes;
}

/* The same, and of instruction counts also launches of one shape with unequal counts. They take other
 * branches, so their times may differ by much more than their counts. Of eight launches of `matmul` with
 * 128 544 to 128 760 instructions (tiny-gpt) half take 21 % longer on a V100; launches with equal counts take equal
 * times. */
static inline bool stratum_unlike(const struct plan_stratum *s, enum profile_unit unit)
{
    return stratum_mixes(s) || (unit != PROFILE_NS && s->low < s->high);
}

struct plan_sample {
    uint64_t launch;
    uint32_t stratum;
    uint32_t draws; /* number of times it was drawn: 1; more only with replacement */
    double weight;  /* total = sum of weight * y. Expansion: draws * N_h / n_h, they sum to N_h; instruction ratio:
                     * draws * I_h / sum of i, and sum of weight * i is I_h */
    uint64_t value; /* of the planning variable, as profiled */
    uint64_t auxiliary; /* i: its warp instructions; 0 with PLAN_EXPANSION */
};
#define PLAN_NOTE 1000

struct plan {
    char method[32];
    struct plan_params params;
    struct plan_part part;
    char profile_sha256[SHA256_HEX];
    enum profile_unit unit;
    bool with_replacement;
    bool representative; /* samples were chosen by a rule, not drawn at random */
    enum plan_estimator estimator;
    enum plan_variance variance;
    char caution[PLAN_NOTE]; /* why the promise may not hold; "" if no reason is known */
    char note[PLAN_NOTE];    /* the method's remark on this plan ("61 % labelled by exact key"); "" */
    uint64_t launches;       /* of the profile */
    uint64_t zero_launches;  /* of value 0, or outside of the part: outside all strata, weight 0 */
    uint64_t total;          /* sum of the planning variable */
    double promised_error;   /* planned half-width / total, at `confidence`; NaN: the method plans none */
    bool promise_valid;      /* false: as published, but the promise does not hold for simulated values */
    double planned_df;       /* degrees of freedom planned; infinity where every stratum is taken whole */
    /* With params.assurance: the computed probability (NaN: unknown), and the largest noise of each launch beyond
     * the profile at which the requested probability is met. Otherwise NaN. */
    double assured, assured_noise;
    double speedup; /* total / sum over DISTINCT samples of the planning variable */
    size_t stratum_count, sample_count;
    struct plan_stratum *strata;
    struct plan_sample *samples; /* by stratum, then launch; distinct */
};

void plan_init(struct plan *p);
void plan_release(struct plan *p);
/* out: uninitialized; the caller releases it. */
int plan_copy(const struct plan *p, struct plan *out, struct err *e) MUST_CHECK;
/* Replaces the texts of a copied stratum by copies of its own. On -1 it owns what it has. */
int plan_stratum_own(struct plan_stratum *s, struct err *e);
/* Sums, weights, ids and counts agree; -1 with the first that does not. */
int plan_check(const struct plan *p, struct err *e);

struct strata; /* sampling/plan/strata.h */

/* The parts of struct features that a method needs. */
enum method_needs {
    NEEDS_INSTRUCTIONS = 1,
    NEEDS_METRICS = 2,
    NEEDS_BBVS = 4,
    NEEDS_CTA_COV = 8,
    NEEDS_PREFIX = 16 /* features of the first launches are enough (two-level profiling) */
};

/* Parameters that a method uses in addition to error, confidence, seed and cost; it ignores the others. */
enum method_takes {
    TAKES_SHARE = 1,
    TAKES_BUDGET = 2,
    TAKES_LEAST_SAMPLES = 4,
    TAKES_NOISE_FLOOR = 8,
    TAKES_CLASSIFIER = 16,
    TAKES_ESTIMATOR = 32,
    TAKES_ASSURANCE = 64
};

/* A sampling method: one row in methods[], one file per entry. */
struct method {
    const char *name;     /* as on the command line and in the API */
    const char *title;    /* for people */
    const char *sentence; /* what it does, one sentence */
    /* The same method as a published program does it, where that differs from the paper; NULL: there is none. Plans
     * contain its name, and method_find() finds it by that name. */
    const struct method *code;
    bool is_code;      /* it is the `code` of another method; lists for users show it there */
    unsigned needs;    /* of enum method_needs */
    unsigned takes;    /* of enum method_takes */
    bool labels;       /* strata are not ranges of value: only the method can assign a launch to its stratum */
    bool draws_itself; /* strata, sizes or samples depend on the seed beyond the common draws: redraw() is called
                          for each seed, or stratify() if there is none */
    /* Any other reason why the method cannot run on this profile; returns NULL if there is none. May be NULL. */
    const char *(*why_not)(const struct profile *p);
    /* Decides strata and sizes; drawing and the rest are common to all methods (struct strata: `chosen` for methods
     * that choose or draw samples). */
    int (*stratify)(const struct profile *p, const struct plan_params *params, struct strata *out, struct err *e);
    /* For methods that draw samples themselves: replaces the samples in s, which stratify() made with the same
     * profile and parameters, by those of params->seed. The result equals that of stratify(), without sorting all
     * launches again. NULL: there is none. */
    int (*redraw)(const struct profile *p, const struct plan_params *params, struct strata *s, struct err *e);
};
extern const struct method *const methods[];                       /* NULL at the end; ours first */
const struct method *method_find(const char *name, struct err *e); /* NULL: unknown; the hint names all */
/* variant "paper" or NULL: m; "code": as a published program does it. NULL: there is none (ERR_USAGE). */
const struct method *method_variant(const struct method *m, const char *variant, struct err *e);
/* NULL when the method can run on this profile, otherwise why not ("needs instruction counts, ..."). */
const char *method_why_not(const struct method *m, const struct profile *p);
/* Whether the reason is features that the profile has for no launch. */
bool method_lacks_features(const struct method *m, const struct profile *p);
/* Appends a sentence with the method's needs beyond names and shapes. */
struct strbuf;
void method_needs_text(const struct method *m, struct strbuf *out);

/* Checks the parameters; -1 with the first invalid one. */
int plan_params_check(const struct plan_params *params, struct err *e);
/* Whether the parameters contain a model of the cost of a simulation. */
bool plan_cost_modelled(const struct plan_params *params);
/* The cost of simulating this number of launches with this total value: from the cost model of the parameters, or
 * the value itself without a model. */
double plan_cost(const struct plan_params *params, double launches, double value);
/* The same for the drawn launches, and for all launches with a value above 0. */
double plan_cost_drawn(const struct plan *p);
double plan_cost_all(const struct plan *p);
/* The stratum of each launch of the plan's profile: by name, shape and value; for methods that cluster by features,
 * by running the method again. plan->stratum_count: in no stratum (its value is 0). */
struct plan_index; /* opaque */
struct plan_index *plan_index_new(const struct plan *p, const struct profile *profile, struct err *e);
size_t plan_index_find(const struct plan_index *x, uint64_t launch);
void plan_index_free(struct plan_index *x);

/* Looks the method up, checks the parameters, plans, fills in what all plans share and checks the result. */
int plan_make(const char *method, const struct profile *p, const struct plan_params *params, struct plan *out,
              struct err *e);

#endif
