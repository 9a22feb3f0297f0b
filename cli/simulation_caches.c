/* `vivace simulate --plan --cache-check N`: how much it matters that launches are simulated with empty caches.
 *
 * Samples are simulated by themselves, while in the run a launch finds what those before it left. One launch of
 * each of the N strata that are most of the time is simulated both ways, and the strata's difference is projected:
 *
 *     sum of N_h (warmed_h - empty_h) / sum of N_h empty_h
 *
 * That is a line of model error: no interval covers it, and it is never folded into one. */
#include <math.h>
#include <stdlib.h>

#include "base/array.h"
#include "cli/simulation.h"

#define BEFORE 16 /* launches that warm: docs/simulator.md has what fewer leave out */

static bool done_everywhere(const struct simulation *s, size_t launch)
{
    for (size_t d = 0; d < s->design_count; d++)
        if (!simulation_task(s, launch, d)->done)
            return false;
    return s->launches[launch].kernel != NULL;
}

struct choosing {
    const struct simulation *s;
    bool *taken; /* a launch */
    size_t *of;  /* a stratum: launches taken */
};

static size_t stratum_of(const struct simulation *s, size_t launch)
{
    return s->plan.samples[s->launches[launch].sample].stratum;
}

/* Each stratum in turn, those with the most time first, and of a stratum its longest launches. */
static bool before(const struct choosing *c, size_t a, size_t b)
{
    size_t ha = stratum_of(c->s, a), hb = stratum_of(c->s, b);
    double ta = c->s->cycles[0].strata[ha].total, tb = c->s->cycles[0].strata[hb].total;

    if (c->of[ha] != c->of[hb])
        return c->of[ha] < c->of[hb];
    return ta != tb ? ta > tb : simulation_task(c->s, a, 0)->cycles > simulation_task(c->s, b, 0)->cycles;
}

static size_t next(const struct choosing *c)
{
    size_t best = SIZE_MAX;

    for (size_t i = 0; i < c->s->launch_count; i++)
        if (!c->taken[i] && done_everywhere(c->s, i) && (best == SIZE_MAX || before(c, i, best)))
            best = i;
    return best;
}

/* At most so many launches; how many. */
static size_t choose(const struct simulation *s, size_t most, size_t *out, struct err *e)
{
    struct choosing c = {.s = s,
                         .taken = mem_zalloc(s->launch_count + 1, sizeof *c.taken, e),
                         .of = mem_zalloc(s->plan.stratum_count + 1, sizeof *c.of, e)};
    size_t n = 0, i;

    while (c.taken && c.of && n < most && (i = next(&c)) != SIZE_MAX) {
        c.taken[i] = true;
        c.of[stratum_of(s, i)]++;
        out[n++] = i;
    }
    free(c.taken);
    free(c.of);
    return n;
}

/* Of one design: the strata's ratios, weighted with their totals. */
static void weigh(const struct simulation *s, size_t d, const size_t *launches, size_t n,
                  const struct sim_task *tasks, struct cache_check *c)
{
    double total = 0, more = 0;

    *c = (struct cache_check){.before = BEFORE, .missing = c->missing};
    for (size_t h = 0; h < s->plan.stratum_count; h++) {
        double empty = 0, warmed = 0;

        for (size_t i = 0; i < n; i++) {
            const struct sim_task *t = &tasks[i * s->design_count + d];

            if (stratum_of(s, launches[i]) != h || !t->done)
                continue;
            c->launches++;
            empty += (double)simulation_task(s, launches[i], d)->cycles;
            warmed += (double)t->cycles;
        }
        if (empty > 0) {
            total += s->cycles[d].strata[h].total;
            more += s->cycles[d].strata[h].total * (warmed / empty - 1);
        }
    }
    c->share = total / s->cycles[d].value;
    c->relative = more / total;
}

static int run_warm(struct simulation *s, const size_t *launches, size_t n, struct err *e)
{
    struct sim_how how = {
        .limit_cycles = s->how.limit_cycles, .caches = SIM_CACHES_WARMED, .warm_launches = BEFORE};
    struct sim_task *tasks = mem_zalloc(n * s->design_count + 1, sizeof *tasks, e);
    struct trace_before *before = mem_zalloc(n + 1, sizeof *before, e);
    int ret = tasks && before ? 0 : -1;

    for (size_t i = 0; ret == 0 && i < n; i++) {
        const struct sim_launch *l = &s->launches[launches[i]];

        trace_history_before(&s->bundle, &s->history, (size_t)(l->kernel - s->bundle.kernels), BEFORE, 0,
                             &before[i]);
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
        weigh(s, d, launches, n, tasks, &s->cache_check[d]);
    if (tasks)
        sim_tasks_release(tasks, n * s->design_count);
    free(tasks);
    free(before);
    return ret;
}

int simulation_check_caches(struct simulation *s, size_t most, struct err *e)
{
    size_t *launches = mem_zalloc(most + 1, sizeof *launches, e), n;
    int ret = launches ? trace_history_make(&s->bundle, &s->history, e) : -1;

    if (ret == 0) {
        n = choose(s, most, launches, e);
        ret = n > 0 ? run_warm(s, launches, n, e) : 0;
    }
    free(launches);
    return ret;
}
