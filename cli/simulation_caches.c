/* `vivace simulate --plan --cache-check N`: how much it matters that launches are simulated with empty caches
 * (sampling/cache_error.h). */
#include <stdlib.h>

#include "base/array.h"
#include "cli/simulation.h"

static bool done_everywhere(const struct simulation *s, size_t launch)
{
    for (size_t d = 0; d < s->design_count; d++)
        if (!simulation_task(s, launch, d)->done)
            return false;
    return s->launches[launch].kernel != NULL;
}

static size_t stratum_of(const struct simulation *s, size_t launch)
{
    return s->plan.samples[s->launches[launch].sample].stratum;
}

static void take_totals(const struct simulation *s, size_t d, double *totals)
{
    for (size_t h = 0; h < s->plan.stratum_count; h++)
        totals[h] = s->cycles[d].strata[h].total;
}

/* At most so many launches, as indices. */
static int choose(const struct simulation *s, double *totals, size_t most, size_t *out, size_t *n, struct err *e)
{
    struct cache_strata strata = {totals, s->plan.stratum_count, s->cycles[0].value};
    struct cache_candidate *candidates = mem_zalloc(s->launch_count + 1, sizeof *candidates, e);
    size_t *launch = mem_zalloc(s->launch_count + 1, sizeof *launch, e), count = 0;
    int ret = -1;

    take_totals(s, 0, totals);
    for (size_t i = 0; candidates && launch && i < s->launch_count; i++) {
        if (!done_everywhere(s, i))
            continue;
        launch[count] = i;
        candidates[count++] = (struct cache_candidate){stratum_of(s, i), (double)simulation_task(s, i, 0)->cycles};
    }
    if (candidates && launch)
        ret = cache_error_choose(candidates, count, &strata, most, out, n, e);
    for (size_t i = 0; ret == 0 && i < *n; i++)
        out[i] = launch[out[i]];
    free(candidates);
    free(launch);
    return ret;
}

/* Of one design: what came out, against what its launches took with empty caches. */
static void weigh(struct simulation *s, size_t d, const size_t *launches, size_t n, const struct sim_task *tasks,
                  double *totals)
{
    struct cache_strata strata = {totals, s->plan.stratum_count, s->cycles[d].value};
    struct cache_pair pairs[CACHE_ERROR_MOST];
    size_t count = 0;

    for (size_t i = 0; i < n; i++) {
        const struct sim_task *t = &tasks[i * s->design_count + d];

        if (t->done)
            pairs[count++] = (struct cache_pair){
                stratum_of(s, launches[i]), (double)simulation_task(s, launches[i], d)->cycles, (double)t->cycles};
    }
    take_totals(s, d, totals);
    cache_error_weigh(pairs, count, &strata, &s->cache_check[d].error);
}

static int run_warm(struct simulation *s, const size_t *launches, size_t n, double *totals, struct err *e)
{
    struct sim_how how = {
        .limit_cycles = s->how.limit_cycles, .caches = SIM_CACHES_WARMED, .warm_launches = CACHE_ERROR_BEFORE};
    struct sim_task *tasks = mem_zalloc(n * s->design_count + 1, sizeof *tasks, e);
    struct trace_before *before = mem_zalloc(n + 1, sizeof *before, e);
    int ret = tasks && before ? 0 : -1;

    for (size_t i = 0; ret == 0 && i < n; i++) {
        const struct sim_launch *l = &s->launches[launches[i]];

        trace_history_before(&s->bundle, &s->history, (size_t)(l->kernel - s->bundle.kernels), CACHE_ERROR_BEFORE,
                             0, &before[i]);
        for (size_t d = 0; d < s->design_count; d++)
            s->cache_check[d].missing += before[i].missing;
        for (size_t d = 0; d < s->design_count; d++)
            tasks[i * s->design_count + d] = (struct sim_task){.trace = bundle_place(l->kernel),
                                                               .design = s->designs[d],
                                                               .how = &how,
                                                               .before = &before[i].before,
                                                               .launch = l->invocation};
    }
    if (ret == 0)
        ret = sim_pool_run(tasks, n * s->design_count, s->children, NULL, NULL, e);
    for (size_t d = 0; ret == 0 && d < s->design_count; d++)
        weigh(s, d, launches, n, tasks, totals);
    if (tasks)
        sim_tasks_release(tasks, n * s->design_count);
    free(tasks);
    free(before);
    return ret;
}

int simulation_check_caches(struct simulation *s, size_t most, struct err *e)
{
    size_t *launches = mem_zalloc(most + 1, sizeof *launches, e), n = 0;
    double *totals = mem_zalloc(s->plan.stratum_count + 1, sizeof *totals, e);
    int ret = launches && totals ? trace_history_make(&s->bundle, &s->history, e) : -1;

    if (ret == 0)
        ret = choose(s, totals, most, launches, &n, e);
    if (ret == 0 && n > 0)
        ret = run_warm(s, launches, n, totals, e);
    free(launches);
    free(totals);
    return ret;
}
