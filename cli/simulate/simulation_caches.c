/* `vivace simulate --plan --cache-check N`: measures the error of the launches' initial cache content, by a replay
 * of the launches before them (sampling/checks/cache_error.h). */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/array.h"
#include "cli/simulate/simulation.h"

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

/* Chooses at most `most` launches; out: their indices. */
static int choose(const struct simulation *s, double *totals, size_t most, size_t *out, size_t *n, struct err *e)
{
    struct cache_strata strata = {totals, s->plan.stratum_count, s->cycles[0].value};
    struct cache_candidate *candidates = mem_zalloc(s->launch_count + 1, sizeof *candidates, e);
    size_t *launch = mem_zalloc(s->launch_count + 1, sizeof *launch, e), count = 0;
    int ret = -1;

    take_totals(s, 0, totals);
    for (size_t i = 0; candidates && launch && i < s->launch_count; i++) {
        if (!done_everywhere(s, i) || simulation_task(s, i, 0)->began_warm)
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

/* Compares the cycles after a replay with the cycles before, for one design. */
static void weigh(struct simulation *s, size_t d, const size_t *launches, size_t n, const struct sim_task *tasks,
                  double *totals)
{
    struct cache_strata strata = {totals, s->plan.stratum_count, s->cycles[d].value};
    struct cache_pair pairs[CACHE_ERROR_MAX];
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

/* Memory and state of the windows. */
struct warming {
    const size_t *launches; /* n launches, simulated on every design */
    size_t n;
    double *totals; /* of the strata */
    struct trace_before *before;
    struct cache_window window;
};

/* Sets the window to `launches` launches before each. Returns the number of these launches that the traces contain.
 */
static uint64_t look_back(const struct simulation *s, struct warming *w, uint64_t launches)
{
    uint64_t all = 0;

    w->window.before = launches;
    w->window.wanted = w->window.missing = 0;
    for (size_t i = 0; i < w->n; i++) {
        const struct bundle_kernel *k = s->launches[w->launches[i]].kernel;

        trace_history_before(&s->bundle, &s->history, (size_t)(k - s->bundle.kernels), launches, 0, &w->before[i]);
        all += k->order;
        w->window.wanted += k->order < launches ? k->order : launches;
        w->window.missing += w->before[i].missing;
    }
    w->window.whole = w->window.wanted == all;
    return w->window.wanted - w->window.missing;
}

static int run_warm(struct simulation *s, const struct warming *w, struct err *e)
{
    struct sim_how how = {.native_only = s->how.native_only,
                          .limit_cycles = s->how.limit_cycles,
                          .caches = SIM_CACHES_REPLAYED,
                          .replay_launches = w->window.before};
    size_t count = w->n * s->design_count;
    struct sim_task *tasks = mem_zalloc(count + 1, sizeof *tasks, e);
    int ret = tasks ? 0 : -1;

    for (size_t i = 0; ret == 0 && i < count; i++) {
        const struct sim_launch *l = &s->launches[w->launches[i / s->design_count]];

        tasks[i] = (struct sim_task){.trace = bundle_place(l->kernel),
                                     .design = s->designs[i % s->design_count],
                                     .how = &how,
                                     .before = &w->before[i / s->design_count].before,
                                     .launch = l->launch};
    }
    if (ret == 0)
        ret = sim_pool_run(tasks, count, s->children, NULL, NULL, e);
    for (size_t d = 0; ret == 0 && d < s->design_count; d++)
        weigh(s, d, w->launches, w->n, tasks, w->totals);
    if (tasks)
        sim_tasks_release(tasks, count);
    free(tasks);
    return ret;
}

/* Simulates with one window, and records the largest change over all designs relative to the window before. */
static int run_window(struct simulation *s, struct warming *w, struct err *e)
{
    double last[SIM_DESIGNS_MAX], change = 0;
    bool first = s->cache_check[0].window.before == 0;

    for (size_t d = 0; d < s->design_count; d++)
        last[d] = first ? NAN : s->cache_check[d].error.relative;
    if (run_warm(s, w, e) < 0)
        return -1;
    for (size_t d = 0; d < s->design_count; d++)
        change = first ? NAN : fmax(change, fabs(s->cache_check[d].error.relative - last[d]));
    cache_window_changed(&w->window, change);
    for (size_t d = 0; d < s->design_count; d++)
        s->cache_check[d].window = w->window;
    return 0;
}

/* Widens the window until the result is stable or no more launches can be replayed. */
static int widen(struct simulation *s, struct warming *w, struct err *e)
{
    uint64_t held = look_back(s, w, CACHE_ERROR_BEFORE), wider;

    if (cache_window_unknown(&w->window)) {
        for (size_t d = 0; d < s->design_count; d++)
            s->cache_check[d].window = w->window;
        return 0;
    }
    for (;;) {
        cli_progress("cache state: after the %llu launches before", (unsigned long long)w->window.before);
        if (run_window(s, w, e) < 0)
            return -1;
        if (cache_window_settled(&w->window) || w->window.before >= CACHE_ERROR_WIDEST)
            return 0;
        wider = look_back(s, w, 2 * w->window.before);
        if (wider == held)
            return 0;
        held = wider;
    }
}

int simulation_check_caches(struct simulation *s, size_t most, struct err *e)
{
    size_t *launches = mem_zalloc(most + 1, sizeof *launches, e);
    struct warming w = {.launches = launches,
                        .totals = mem_zalloc(s->plan.stratum_count + 1, sizeof *w.totals, e),
                        .before = mem_zalloc(most + 1, sizeof *w.before, e)};
    int ret = launches && w.totals && w.before ? trace_history_make(&s->bundle, &s->history, e) : -1;

    if (ret == 0)
        ret = choose(s, w.totals, most, launches, &w.n, e);
    if (ret == 0 && w.n > 0)
        ret = widen(s, &w, e);
    else if (ret == 0)
        fprintf(stderr, "vivace: no launch began with empty caches: there is no cache state to measure\n");
    free(launches);
    free(w.totals);
    free(w.before);
    return ret;
}
