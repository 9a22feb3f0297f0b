/* cli/simulate/simulation.h: the data of `vivace simulate`: its launches, results and projections. */
#ifndef VIVACE_CLI_SIMULATION_H
#define VIVACE_CLI_SIMULATION_H

#include "cli/cli.h"
#include "cli/output/parts.h"
#include "cli/simulate/sim_pool.h"
#include "cli/simulate/simulation_domains.h"
#include "simcore/footprint/bundle_images.h"
#include "simcore/history.h"
#include "sampling/checks/bootstrap.h"
#include "sampling/checks/cache_bounds.h"
#include "sampling/checks/cache_error.h"
#include "sampling/estimate/projection.h"

#define SIM_DESIGNS_MAX 16

/* A launch to simulate on each design. */
struct sim_launch {
    const struct bundle_kernel *kernel; /* NULL: the plan needs the launch, but the traces lack it */
    uint64_t launch;                    /* its number over all contexts */
    size_t sample;                      /* index into the plan's samples, when there is a plan */
};
/* The sum over all launches on one design. */
struct sim_total {
    uint64_t kernels, failed, cycles, launch_cycles, warp_instructions;
    double cycles_warm; /* with fully warm caches; NaN: not known for at least one launch */
    double host_seconds;
};
/* The error that the cache state of launches causes. It is a model error. */
struct cache_check {
    struct cache_error error;   /* without launches: not requested, or no result */
    struct cache_window window; /* before 0: not requested */
};
struct simulation {
    size_t design_count;
    struct gpu_design *designs[SIM_DESIGNS_MAX];
    struct bundle bundle;
    bool has_plan;
    struct plan plan;
    size_t launch_count, missing;
    struct sim_launch *launches;
    struct sim_how how;
    struct bundle_images images;  /* with warm caches: images of the whole bundle */
    struct trace_history history; /* with replayed caches: of the whole bundle */
    struct trace_before *before;  /* with replayed caches: one for each launch */
    struct sim_task *tasks;       /* launch i on design d: tasks[i * design_count + d]; missing ones stay empty */
    double wall_seconds;
    unsigned children;
    struct sim_total totals[SIM_DESIGNS_MAX];
    /* with a plan: */
    struct projection_options wanted; /* kappa: seconds per profiled second, cycles per instruction; 0: not given */
    bool bootstrap, show_metrics;
    struct bootstrap second_opinion[SIM_DESIGNS_MAX];
    struct metric_estimate *metrics[SIM_DESIGNS_MAX]; /* metric_count each */
    size_t metric_count;
    struct projection cycles[SIM_DESIGNS_MAX];
    struct warm_bound warm_bounds[SIM_DESIGNS_MAX]; /* value NaN: no launch began with empty caches, or not known */
    struct cache_check cache_check[SIM_DESIGNS_MAX];
    struct simulation_domains domains;
    struct comparison against_first[SIM_DESIGNS_MAX]; /* comparison with the first design, in seconds; set for all
                                                         later designs */
};

/* Lists every traced launch by (context, launch order). Launch numbers count over all contexts, as in profiles. */
int simulation_number_launches(struct simulation *s, struct err *e);
/* Keeps the launches that the plan drew, in launch order. ERR_INVALID when the traces contain none of them, or when
 * the plan has strata of several kernels and the traces have more launches than the plan's profile. */
int simulation_keep_sampled(struct simulation *s, struct err *e);
/* ERR_INVALID where a trace has another kernel than the plan expects: its projection would be meaningless. Launches
 * of strata of several kernels cannot be checked, since the plan lacks their names; they are reported on stderr. */
int simulation_check_against_plan(struct simulation *s, struct err *e);

/* Computes projections, metrics and comparisons from the plan. */
int simulation_project(struct simulation *s, struct err *e);

/* Simulates one launch of each of at most `most` strata again, after replays of growing numbers of launches before
 * it (simulation_caches.c). Call it after simulation_project(). */
int simulation_check_caches(struct simulation *s, size_t most, struct err *e);

/* Computes the initial cache content of each launch (simulation_how.c). */
int simulation_caches(struct simulation *s, struct err *e);
/* Number of simulated launches that began with empty caches although other launches precede them. */
size_t simulation_empty(const struct simulation *s);
size_t simulation_projected(const struct simulation *s, size_t design); /* number of launches projected inside */
/* Cycles with fully warm caches; for a launch with known cache content, its cycles. NaN: not done, or not known. */
double simulation_warm_cycles(const struct simulation *s, size_t launch, size_t design);
/* The launch's computed warm image, where the trace has none; else NULL. */
const struct warm_image *simulation_image(const struct simulation *s, size_t launch);
/* A note about a launch that was not simulated completely; "" for other launches. */
void simulation_note(const struct simulation *s, const struct sim_task *t, char *out, size_t size);

/* Functions for the text output and the JSON output. */
const struct sim_task *simulation_task(const struct simulation *s, size_t launch, size_t design);
const char *simulation_why_not(const struct simulation *s, size_t launch, const struct sim_task *t); /* or NULL */
struct projection_parts simulation_parts(const struct simulation *s, size_t d);
/* model_errors_to_json() of the plan's kernels on a design; NULL: out of memory. */
json_t *simulation_validated(const struct simulation *s, size_t d);
int simulation_print_text(const struct simulation *s, struct err *e);
int simulation_print_csv(const struct simulation *s, struct err *e);
int simulation_print_json(const struct simulation *s, struct err *e);

#endif
