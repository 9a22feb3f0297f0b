/* pilot EACH.csv SERIAL.csv [REPEATS [ERROR [FROM]]]: the benefit of a pilot for plans of instruction counts.
 * EACH.csv is the output of `vivace simulate TRACES --gpu A,B,... --csv`; SERIAL.csv is the same with `--streams
 * serial
 * --caches kept` and is the truth. Launches are planned by `vivace` on their warp instructions, then on cycles that
 * a pilot on each design estimates (sampling/plan/pilot.h), and drawn REPEATS times (default 1000) with seeds from
 * FROM (default 1) on, for ERROR (default 5, 2 and 1 %). One row for each plan and design: launches drawn; the
 * promised, the median and the largest half-width; the coverage of the interval; and the speedup in simulated
 * cycles, without and with the cycles of the pilot. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "ingest/csv.h"
#include "sampling/plan/pilot.h"
#include "sampling/methods/plan_make.h"
#include "sampling/estimate/projection.h"
#include "tests/harness/redraw.h"
#include "tests/harness/simulated.h"

enum { ROW_MAX = 16384, NO_PILOT = SIMULATED_DESIGNS };
static const double errors[] = {0.05, 0.02, 0.01};

struct bench {
    const char *each;
    struct simulated s;
    double truth[SIMULATED_DESIGNS]; /* cycles of all launches, in order */
    double *fixed[SIMULATED_DESIGNS];
    unsigned repeats;
    uint64_t from;
};

static size_t column(const struct csv *c, const char *name)
{
    size_t i = 0;

    while (i < c->field_count && strcmp(c->fields[i].text, name) != 0)
        i++;
    return i;
}

/* Reads one column of a table, for each design: its sums, or one value for each launch. */
static int read_column(struct bench *b, const char *path, const char *name, double *sums, double **rows,
                       struct err *e)
{
    struct csv *c = mem_zalloc(1, sizeof *c, e);
    struct stream *stream = NULL;
    size_t design = 0, at = 0, id = 0;
    int ret = c ? stream_open(path, &stream, e) : -1;

    if (ret == 0)
        ret = csv_init(c, stream, ROW_MAX, e);
    if (ret == 0 && csv_next(c, e) > 0) {
        design = column(c, "design");
        at = column(c, name);
        id = column(c, "launch");
    }
    while (ret >= 0 && (ret = csv_next(c, e)) > 0)
        for (size_t d = 0; d < b->s.designs && design < c->field_count && at < c->field_count; d++) {
            double x = strtod(c->fields[at].text, NULL);

            if (strcmp(c->fields[design].text, b->s.names[d]) != 0)
                continue;
            if (sums)
                sums[d] += x;
            if (rows && id < c->field_count && strtoul(c->fields[id].text, NULL, 10) < b->s.p.count)
                rows[d][strtoul(c->fields[id].text, NULL, 10)] = x;
        }
    if (c)
        csv_release(c);
    free(c);
    stream_close(stream);
    return ret;
}

/* Runs a pilot on design d: scales the profile's counts by the pilot's launches. cost: their cycles on the design.
 */
static int run_pilot(struct bench *b, size_t d, double *cost, struct err *e)
{
    struct profile *p = &b->s.p;
    struct pilot_launch *l = mem_zalloc(p->kernel_count + 1, sizeof *l, e);
    struct pilot_outcome o;
    size_t n = 0;
    int ret = l ? pilot_choose(p, NULL, l, &n, e) : -1;

    for (size_t i = 0; ret == 0 && i < n; i++) {
        l[i].cycles = simulated_counter(&b->s, d, "cycles")[l[i].launch];
        l[i].fixed_cycles = b->fixed[d][l[i].launch];
        for (size_t k = 0; k < b->s.designs; k++)
            cost[k] += simulated_counter(&b->s, k, "cycles")[l[i].launch];
    }
    if (ret == 0)
        ret = pilot_scale(p, l, n, b->s.names[d], &o, e);
    if (ret == 0)
        printf("pilot on %s: %zu of %zu launches, %.1f %% of its cycles\n", b->s.names[d], n, p->count,
               100 * cost[d] / b->truth[d]);
    free(l);
    return ret;
}

struct score {
    double *half, cost, most;
    unsigned holds, known;
};

static int project(struct bench *b, size_t d, const struct plan *plan, struct score *s, struct err *e)
{
    const double *cycles = simulated_counter(&b->s, d, "cycles");
    struct projection_options o = {.alone = true};
    struct projection x;
    double *y = mem_zalloc(plan->sample_count + 1, sizeof *y, e);
    int ret = -1;

    for (size_t i = 0; y && i < plan->sample_count; i++)
        s->cost += y[i] = cycles[plan->samples[i].launch];
    if (y && (ret = projection_make_with(plan, y, &o, &x, e)) == 0) {
        s->half[s->known++] = x.half_width / b->truth[d];
        s->most = fmax(s->most, x.half_width / b->truth[d]);
        s->holds += fabs(x.value - b->truth[d]) <= x.half_width;
        projection_release(&x);
    }
    free(y);
    return ret;
}

static int bench_plan(struct bench *b, size_t pilot, double error, const double *pilot_cost, struct err *e)
{
    struct strata strata = {0};
    struct plan plan = {0};
    struct score scores[SIMULATED_DESIGNS] = {{.half = NULL}};
    double drawn = 0;
    int ret = design_plan(&b->s.p, error, &strata, &plan, e);

    for (size_t d = 0; ret == 0 && d < b->s.designs; d++)
        if (!(scores[d].half = mem_zalloc(b->repeats + 1, sizeof(double), e)))
            ret = -1;
    for (unsigned i = 0; ret == 0 && i < b->repeats; i++) {
        ret = plan_redraw(&plan, &b->s.p, &strata, b->from + i, RNG_DRAW, e);
        drawn += (double)plan.sample_count / b->repeats;
        for (size_t d = 0; ret == 0 && d < b->s.designs; d++)
            ret = project(b, d, &plan, &scores[d], e);
    }
    for (size_t d = 0; ret == 0 && d < b->s.designs; d++) {
        struct score *s = &scores[d];
        double mean = s->cost / b->repeats;

        printf("%4.1f %%  by %-12s on %-8s %6.1f samples  promised %6.3f %%  median %6.3f %%  most %7.3f %%  holds "
               "%5.1f %%  "
               "%6.2f times fewer, %6.2f with the pilot\n",
               100 * error, pilot == NO_PILOT ? "instructions" : b->s.names[pilot], b->s.names[d], drawn,
               100 * plan.promised_error, 100 * redraw_median(s->half, s->known), 100 * s->most,
               100.0 * s->holds / s->known, b->truth[d] / mean, b->truth[d] / (mean + pilot_cost[d]));
    }
    fflush(stdout);
    for (size_t d = 0; d < SIMULATED_DESIGNS; d++)
        free(scores[d].half);
    plan_release(&plan);
    strata_release(&strata);
    return ret;
}

static int bench_all(struct bench *b, const char *serial, double only, struct err *e)
{
    int ret = simulated_load(&b->s, b->each, PROFILE_WARP_INSTRUCTIONS, e);
    size_t designs = b->s.designs;

    for (size_t d = 0; ret == 0 && d < designs; d++)
        ret = (b->fixed[d] = mem_zalloc(b->s.p.count + 1, sizeof(double), e)) ? 0 : -1;
    if (ret == 0 && (read_column(b, serial, "cycles", b->truth, NULL, e) < 0 ||
                     read_column(b, b->each, "launch_cycles", NULL, b->fixed, e) < 0))
        ret = -1;
    for (size_t pilot = 0; ret == 0 && pilot <= designs; pilot++) {
        double cost[SIMULATED_DESIGNS] = {0};

        simulated_release(&b->s); /* the profile is scaled for another design: load it again */
        ret = simulated_load(&b->s, b->each, PROFILE_WARP_INSTRUCTIONS, e);
        if (ret == 0 && pilot > 0)
            ret = run_pilot(b, pilot - 1, cost, e);
        for (size_t i = 0; ret == 0 && i < (only > 0 ? 1 : sizeof errors / sizeof *errors); i++)
            ret = bench_plan(b, pilot ? pilot - 1 : NO_PILOT, only > 0 ? only : errors[i], cost, e);
    }
    simulated_release(&b->s);
    for (size_t d = 0; d < SIMULATED_DESIGNS; d++)
        free(b->fixed[d]);
    return ret;
}

int main(int argc, char **argv)
{
    struct bench b = {.repeats = argc > 3 ? (unsigned)strtoul(argv[3], NULL, 10) : 1000,
                      .from = argc > 5 ? strtoull(argv[5], NULL, 10) : 1};
    struct err e;

    if (argc < 3 || b.repeats == 0) {
        fprintf(stderr, "usage: pilot EACH.csv SERIAL.csv [REPEATS [ERROR [FROM]]]\n");
        return 64;
    }
    b.each = argv[1];
    if (bench_all(&b, argv[2], argc > 4 ? strtod(argv[4], NULL) : 0, &e) == 0)
        return 0;
    fprintf(stderr, "pilot: %s\n", e.text);
    return 1;
}
