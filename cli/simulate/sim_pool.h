/* cli/simulate/sim_pool.h: simulates many kernel launches in forked child processes, several at a time. When a
 * child crashes, only its present launch fails. The results do not depend on the distribution of launches to
 * children. */
#ifndef VIVACE_CLI_SIM_POOL_H
#define VIVACE_CLI_SIM_POOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "simcore/simcore.h"
#include "simcore/trace/cta_range.h"
#include "wire/metrics.h"

/* The options of the simulation, the same for all launches. */
struct sim_how {
    uint64_t limit_cycles;
    bool native_only;   /* as in struct sim_options */
    bool partial;       /* as in struct sim_options */
    const char *record; /* folder for recordings, or NULL; file names: the launch's number and the design's name */
    enum sim_projection projection;
    double projection_limit; /* as in struct sim_options */
    struct cta_range ctas;
    enum sim_caches caches;   /* not kept */
    uint64_t replay_launches; /* with SIM_CACHES_REPLAYED: number of launches before it to replay; 0: all */
};
struct sim_task {
    struct trace_place trace;
    const struct gpu_design *design;
    const struct sim_how *how;
    const struct sim_before *before; /* for a replay: the launches and copies before it */
    const struct warm_image *warm;   /* the warm image where the trace has none; NULL: not known */
    uint64_t launch;
    /* The members below are set by sim_pool_run(): */
    bool done;          /* finished; otherwise `why` has the reason */
    bool known;         /* the trace's header could be read: name, grid, block */
    char *name;         /* as the trace spells it */
    char *why;          /* one sentence; for a deadlock, also the lines of its report */
    enum err_code code; /* the kind of the reason */
    uint32_t grid[3], block[3];
    uint32_t binary_version; /* as in struct kernel_info */
    uint64_t missing_ctas;   /* number of CTAs of the grid that the trace lacks */
    uint64_t cycles, launch_cycles, warp_instructions;
    bool began_warm;                  /* it began with the caches of its warm image */
    uint64_t cycles_warm_bound;       /* as in struct sim_result */
    uint64_t replayed;                /* number of launches replayed before it */
    struct sim_projected projected;   /* cycles and counters are a projection where its method is set */
    double counters[METRIC_COUNTERS]; /* in the order of metric_counters; NaN: not available */
    double seconds;                   /* of host time */
};
/* Called after each task; may be NULL. */
typedef void (*sim_pool_progress_fn)(void *ctx, size_t done, const struct sim_task *task);
/* Runs all tasks in `children` processes, the largest files first. -1 only when no child can be started. */
int sim_pool_run(struct sim_task *tasks, size_t count, unsigned children, sim_pool_progress_fn progress, void *ctx,
                 struct err *e);
void sim_tasks_release(struct sim_task *tasks, size_t count);

#endif
