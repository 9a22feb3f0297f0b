/* cli/input/plan_options.h: the options of `vivace plan` and `vivace methods` that become struct plan_params. */
#ifndef VIVACE_CLI_PLAN_OPTIONS_H
#define VIVACE_CLI_PLAN_OPTIONS_H

#include "cli/cli.h"
#include "sampling/plan/plan.h"

/* Options that must be converted before they become members of struct plan_params. */
struct plan_options {
    struct plan_params params;
    uint64_t least_samples;
    double speedup;   /* 0: not given */
    const char *cost; /* NULL: not given */
    const char *cost_from;
    const char *classifier;
    const char *noise_floor; /* a share, or 0 */
    const char *estimator;   /* "ratio", "expansion" */
    const char *variant;     /* of the method: "paper", "code" */
};
#define PLAN_OPTIONS_DEFAULT                                                                                       \
    ((struct plan_options){.params = PLAN_PARAMS_DEFAULT, .least_samples = PLAN_PARAMS_DEFAULT.least_samples})

/* clang-format off */
/* Rows for a table of struct cli_option. */
#define PLAN_OPTION_ROWS(o) \
    {"variant", 0, CLI_TEXT, "NAME", &(o).variant, \
     "root, allegro, sieve, photon: paper, as published; code, as a published program does it (paper)"}, \
    {"confidence", 'c', CLI_SHARE, "SHARE", &(o).params.confidence, "level of the interval (95%)"}, \
    {"seed", 's', CLI_U64, "N", &(o).params.seed, "which random draws; the same seed, the same result (1)"}, \
    {"assurance", 0, CLI_SHARE, "SHARE", &(o).params.assurance, \
     "vivace: the half-width shall be within the error with this probability, not just on average"}, \
    {"share", 0, CLI_SHARE, "SHARE", &(o).params.share, \
     "random methods: draw this share of the launches, whatever error that gives"}, \
    {"budget", 0, CLI_SHARE, "SHARE", &(o).params.budget, \
     "vivace, budget: spend at most this share of simulating everything, whatever error that gives"}, \
    {"speedup", 0, CLI_DOUBLE, "X", &(o).speedup, "the same, as a speed-up: 200 is a budget of 0.5%"}, \
    {"min-samples", 0, CLI_U64, "N", &(o).least_samples, \
     "vivace: samples of a stratum at least; 1 gives a point estimate, labelled as such (2)"}, \
    {"noise-floor", 0, CLI_TEXT, "SHARE", &(o).noise_floor, \
     "vivace: least spread to plan with, of the mean; 0 trusts the profile (0.5%)"}, \
    {"estimator", 0, CLI_TEXT, "NAME", &(o).estimator, \
     "vivace: how totals follow from the samples, which are sized for it: expansion, or ratio to profiled times (expansion)"}, \
    {"cost", 0, CLI_TEXT, "A,B", &(o).cost, \
     "a simulation takes A + B * value seconds (value: ns, warp instructions or cycles): plan for seconds"}, \
    {"cost-from", 0, CLI_PATH, "FILE", &(o).cost_from, \
     "the same, fitted to what simulations took: a CSV with a line `value,seconds` for each"}, \
    {"classifier", 0, CLI_TEXT, "NAME", &(o).classifier, \
     "pka: what labels launches without metrics: bayes, sgd or mlp (bayes)"}
/* clang-format on */

/* Converts --speedup, --min-samples, --estimator, --cost, --cost-from and --classifier into params. ERR_USAGE where
 * a value is not valid or options conflict. */
int plan_options_finish(struct plan_options *o, struct err *e);
/* Finds the method of that name, in the requested variant. Where there is none, the hint names the nearest. */
int plan_options_method(const struct plan_options *o, const char *name, const struct method **out, struct err *e);
/* ERR_USAGE where an option was given that the method ignores. Call after plan_options_finish(). */
int plan_options_taken(const struct plan_options *o, const struct method *m, struct err *e);
/* The plan's assurance as one line of text; "" where none was requested (0 or NaN). assured and noise: shares, as
 * in struct plan. */
void plan_assurance_text(double asked, double assured, double noise, char *out, size_t size);

#endif
