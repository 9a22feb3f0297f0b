#include "cli/plan/plan_pilot.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "base/clock.h"
#include "base/demangle.h"
#include "cli/simulate/simulation.h"
#include "ingest/ingest.h"
#include "sampling/plan/pilot.h"
#include "wire/features_json.h"

/* A running pilot. */
struct pilot {
    const struct profile *profile;
    struct simulation *s; /* its launches are the chosen ones */
    struct pilot_launch *chosen;
    size_t count, children;
};

int plan_pilot_check(const struct plan_pilot *p, struct err *e)
{
    if (!p->gpu && (p->traces || p->out || p->children))
        return err_set(e, ERR_USAGE, "--traces, --pilot-out and --jobs go with --pilot GPU");
    if (p->gpu && strchr(p->gpu, ',')) {
        err_set(e, ERR_USAGE, "--pilot takes one design, not `%.60s`", p->gpu);
        return err_hint(e, "A plan made with a pilot on one design can be simulated on others: `vivace simulate "
                           "--plan PLAN.json --gpu A,B`.");
    }
    return p->gpu ? cli_check_names(p->gpu, "--pilot", e) : 0;
}

/* Finds the traces: --traces, or else the profile itself, which must then be a set of traces. */
static int find_traces(const struct plan_pilot *p, const char *path, const char **out, struct err *e)
{
    const char *format = "";

    *out = p->traces ? p->traces : path;
    if (p->traces || (ingest_recognise(path, &format, e) == 1 && strcmp(format, "accel-sim") == 0))
        return 0;
    err_set(e, ERR_USAGE, "--pilot simulates launches, and %s is a profile without traces", path);
    return err_hint(e, "Give the traces of the same launches as well: --traces TRACES. `vivace exec --trace` and "
                       "`vivace ptx run --trace` write them.");
}

/* --- the launches --- */

static bool *launches_there(const struct simulation *s, size_t count, struct err *e)
{
    bool *there = mem_zalloc(count + 1, sizeof *there, e);

    for (size_t i = 0; there && i < s->launch_count; i++)
        if (s->launches[i].launch < count)
            there[s->launches[i].launch] = true;
    return there;
}

/* Keeps only the chosen launches of the simulation. Both lists are in launch order. */
static void keep_chosen(struct pilot *x)
{
    size_t n = 0;

    for (size_t i = 0; i < x->s->launch_count && n < x->count; i++)
        if (x->s->launches[i].launch == x->chosen[n].launch)
            x->s->launches[n++] = x->s->launches[i];
    x->s->launch_count = n;
}

static int choose(struct pilot *x, struct err *e)
{
    bool *there;
    int ret;

    if (simulation_number_launches(x->s, e) < 0)
        return -1;
    there = launches_there(x->s, x->profile->count, e);
    x->chosen = there ? mem_zalloc(x->profile->kernel_count + 1, sizeof *x->chosen, e) : NULL;
    ret = x->chosen ? pilot_choose(x->profile, there, x->chosen, &x->count, e) : -1;
    free(there);
    if (ret == 0)
        keep_chosen(x);
    return ret;
}

/* Checks that the trace is of the chosen launch: another one would scale all launches of the shape wrongly. */
static int check_launch(const struct pilot *x, size_t i, struct err *e)
{
    const struct sim_task *t = &x->s->tasks[i];
    const struct profile_kernel *k = &x->profile->kernels[x->profile->kernel[x->chosen[i].launch]];
    bool shaped = k->grid[0] > 0;

    if (!t->known ||
        (kernel_names_match(t->name, k->name) && (!shaped || (memcmp(t->grid, k->grid, sizeof k->grid) == 0 &&
                                                              memcmp(t->block, k->block, sizeof k->block) == 0))))
        return 0;
    err_set(e, ERR_INVALID,
            "launch %llu is %.120s (%u,%u,%u)x(%u,%u,%u) in the traces, but %.120s (%u,%u,%u)x(%u,%u,%u) in the "
            "profile",
            (unsigned long long)x->chosen[i].launch, t->name, t->grid[0], t->grid[1], t->grid[2], t->block[0],
            t->block[1], t->block[2], k->name, k->grid[0], k->grid[1], k->grid[2], k->block[0], k->block[1],
            k->block[2]);
    return err_hint(e,
                    "Give the traces of the run that was profiled: launches are counted from 0 in launch order.");
}

/* --- simulating --- */

static void on_task(void *ctx, size_t done, const struct sim_task *task)
{
    const struct pilot *x = ctx;

    (void)task;
    cli_progress("pilot: %zu of %zu launches simulated", done, x->count);
}

static int simulate_chosen(struct pilot *x, struct err *e)
{
    struct simulation *s = x->s;
    int ret;

    if (simulation_caches(s, e) < 0)
        return -1;
    s->tasks = mem_zalloc(x->count + 1, sizeof *s->tasks, e);
    if (!s->tasks)
        return -1;
    for (size_t i = 0; i < x->count; i++)
        s->tasks[i] = (struct sim_task){.trace = bundle_place(s->launches[i].kernel),
                                        .design = s->designs[0],
                                        .how = &s->how,
                                        .warm = simulation_image(s, i),
                                        .launch = s->launches[i].launch};
    ret = sim_pool_run(s->tasks, x->count, (unsigned)x->children, on_task, x, e);
    for (size_t i = 0; ret == 0 && i < x->count; i++) {
        const struct sim_task *t = &s->tasks[i];

        ret = check_launch(x, i, e);
        x->chosen[i].cycles = t->done ? (double)t->cycles : NAN;
        x->chosen[i].fixed_cycles = t->done ? (double)t->launch_cycles : NAN;
    }
    return ret;
}

/* Error where no launch of the pilot has a result, with the reason. */
static int check_results(const struct pilot *x, struct err *e)
{
    const struct sim_task *t = &x->s->tasks[0];

    for (size_t i = 0; i < x->count; i++)
        if (x->s->tasks[i].done)
            return 0;
    return err_set(e, ERR_SIMULATION, "none of the pilot's %zu launches could be simulated; the first: %.*s",
                   x->count, t->why ? (int)strcspn(t->why, "\n") : 0, t->why ? t->why : "");
}

/* --- the whole pilot --- */

static int run(struct plan_pilot *p, const char *traces, struct pilot *x, struct err *e)
{
    struct simulation *s = x->s;

    if (design_load(p->gpu, &s->designs[0], e) < 0)
        return -1;
    s->design_count = 1;
    snprintf(p->design, sizeof p->design, "%s", design_name(s->designs[0]));
    if (bundle_open(traces, cli_unpacking, NULL, &s->bundle, e) < 0)
        return -1;
    bundle_order_by_number(&s->bundle, x->profile->count);
    return choose(x, e) < 0 || simulate_chosen(x, e) < 0 || check_results(x, e) < 0 ? -1 : 0;
}

static void release(struct pilot *x)
{
    struct simulation *s = x->s;

    if (s->tasks)
        sim_tasks_release(s->tasks, x->count);
    free(s->tasks);
    free(s->launches);
    bundle_images_release(&s->images);
    bundle_close(&s->bundle);
    design_free(s->designs[0]);
    free(x->chosen);
    free(s);
}

static void report(struct plan_pilot *p, const struct pilot *x, const struct pilot_outcome *o)
{
    p->shapes = o->shapes;
    p->missing = o->shapes - x->count;
    p->scaled = o->from_name + o->from_others;
    for (size_t i = 0; i < x->count; i++) {
        p->launches += x->s->tasks[i].done;
        p->failed += !x->s->tasks[i].done;
        if (x->s->tasks[i].done)
            p->cycles += (double)x->s->tasks[i].cycles;
    }
}

int plan_pilot_run(struct plan_pilot *p, const char *path, struct profile *profile, struct err *e)
{
    uint64_t begun = clock_monotonic_us();
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    struct pilot x = {.profile = profile,
                      .children = p->children      ? (size_t)p->children
                                  : processors > 0 ? (size_t)processors
                                                   : 1};
    struct pilot_outcome o;
    const char *traces;
    int ret;

    if (pilot_check(profile, e) < 0 || find_traces(p, path, &traces, e) < 0)
        return -1;
    x.s = mem_zalloc(1, sizeof *x.s, e);
    if (!x.s)
        return -1;
    cli_remove_scratch_on_signals();
    ret = run(p, traces, &x, e);
    if (ret == 0)
        ret = pilot_scale(profile, x.chosen, x.count, p->design, &o, e);
    if (ret == 0)
        report(p, &x, &o);
    release(&x);
    p->seconds = (double)(clock_monotonic_us() - begun) * 1e-6;
    if (ret == 0 && p->out)
        ret = features_write_path(profile, NULL, p->out, e);
    return ret;
}

void plan_pilot_text(const struct plan_pilot *p, const struct plan *plan, char *out, size_t size)
{
    double all, ratio, drawn = 0;
    char a[CLI_NUMBER], b[CLI_NUMBER], c[CLI_NUMBER], d[CLI_NUMBER];
    int n;

    all = (double)plan->total;
    for (size_t i = 0; i < plan->sample_count; i++)
        drawn += (double)plan->samples[i].value;
    ratio = all / (drawn + p->cycles);
    n = snprintf(out, size,
                 "%s on %s, one of each shape, simulated in %s: %s of the estimated cycles; with them %s%s",
                 cli_counted(p->launches, "launch", "launches", a), p->design, cli_seconds(p->seconds, b),
                 cli_percent(p->cycles / all, c), ratio >= 1 ? cli_speedup(ratio, d) : "more than everything takes",
                 ratio >= 1 ? " fewer" : "");
    if ((p->missing || p->failed) && n > 0 && (size_t)n < size)
        snprintf(out + n, size - (size_t)n,
                 ". Of %s there is no result (%zu without a trace, %zu not simulated): %s of the estimated cycles "
                 "are scaled by other shapes",
                 cli_counted(p->missing + p->failed, "shape", NULL, a), p->missing, p->failed,
                 cli_percent(p->scaled, b));
}
