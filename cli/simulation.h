/* cli/simulation.h: what `vivace simulate` has worked out, between doing it and showing it. */
#ifndef VIVACE_CLI_SIMULATION_H
#define VIVACE_CLI_SIMULATION_H

#include "cli/cli.h"
#include "cli/parts.h"
#include "cli/sim_pool.h"
#include "simcore/footprint/bundle_images.h"
#include "simcore/history.h"
#include "sampling/bootstrap.h"
#include "sampling/cache_bounds.h"
#include "sampling/cache_error.h"
#include "sampling/projection.h"

#define SIM_DESIGNS_MAX 16

/* A launch to simulate: on each design. */
struct sim_launch {
    const struct bundle_kernel *kernel; /* NULL: the plan wants it, the traces do not have it */
    uint64_t launch;                    /* its number over all contexts */
    size_t sample;                      /* index into the plan's samples, when there is a plan */
};
/* One design over all launches. */
struct sim_total {
    uint64_t kernels, failed, cycles, launch_cycles, warp_instructions;
    double cycles_warm; /* all of them fully warm; NaN: of one that is not known */
    double host_seconds;
};
/* What another cache state would cost or save; model error. */
struct cache_check {
    struct cache_error error;   /* no launches: not asked for, or none came out */
    struct cache_window window; /* before 0: not asked for */
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
    struct bundle_images images;  /* warm: of the whole bundle */
    struct trace_history history; /* replayed: of the whole bundle */
    struct trace_before *before;  /* replayed: of each launch */
    struct sim_task *tasks;       /* launch i on design d: tasks[i * design_count + d]; missing ones stay empty */
    double wall_seconds;
    unsigned children;
    struct sim_total totals[SIM_DESIGNS_MAX];
    /* with a plan: */
    struct projection_options wanted; /* kappa: seconds a profiled second, cycles an instruction; 0: not given */
    bool bootstrap, show_metrics;
    struct bootstrap second_opinion[SIM_DESIGNS_MAX];
    struct metric_estimate *metrics[SIM_DESIGNS_MAX]; /* metric_count each */
    size_t metric_count;
    struct projection cycles[SIM_DESIGNS_MAX];
    struct warm_bound warm_bounds[SIM_DESIGNS_MAX]; /* value NaN: no launch began with empty caches, or not known */
    struct cache_check cache_check[SIM_DESIGNS_MAX];
    struct comparison against_first[SIM_DESIGNS_MAX]; /* seconds; of designs after the first */
};

/* Every traced launch by (context, launch order); its launch number counts over all contexts, as profiles do.
 */
int simulation_number_launches(struct simulation *s, struct err *e);
/* Of these what the plan drew, in launch order; ERR_INVALID when the traces hold none of it, or, where the plan has
 * strata of several kernels, launches beyond those that it is for. */
int simulation_keep_sampled(struct simulation *s, struct err *e);
/* A trace at the place where the plan expects another kernel would project nonsense: ERR_INVALID. Launches of
 * strata of several kernels, of which the plan has no names, are reported on stderr. */
int simulation_check_against_plan(struct simulation *s, struct err *e);

/* Fills what a plan allows: projections, metrics, comparisons. */
int simulation_project(struct simulation *s, struct err *e);

/* Simulates one launch of each of at most `most` strata once more, after a replay of ever more launches before it
 * (simulation_caches.c). After simulation_project(). */
int simulation_check_caches(struct simulation *s, size_t most, struct err *e);

/* Fills what each launch finds in the caches (simulation_how.c). */
int simulation_caches(struct simulation *s, struct err *e);
/* Of the launches that were simulated: how many began with empty caches though launches were before them. */
size_t simulation_empty(const struct simulation *s);
size_t simulation_projected(const struct simulation *s, size_t design); /* launches projected inside */
/* Cycles fully warm, those of a launch whose caches are known as they are; NaN: it is not done, or not known. */
double simulation_warm_cycles(const struct simulation *s, size_t launch, size_t design);
/* Its image, where the trace has none; NULL. */
const struct warm_image *simulation_image(const struct simulation *s, size_t launch);
/* "" for a launch that was simulated whole. */
void simulation_note(const struct simulation *s, const struct sim_task *t, char *out, size_t size);

/* For people and for JSON. */
const struct sim_task *simulation_task(const struct simulation *s, size_t launch, size_t design);
const char *simulation_why_not(const struct simulation *s, size_t launch, const struct sim_task *t); /* or NULL */
struct projection_parts simulation_parts(const struct simulation *s, size_t d);
int simulation_print_text(const struct simulation *s, struct err *e);
int simulation_print_csv(const struct simulation *s, struct err *e);
int simulation_print_json(const struct simulation *s, struct err *e);

#endif
