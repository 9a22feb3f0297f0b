#include "tests/harness/simulated.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "ingest/csv.h"
#include "sampling/methods/plan_make.h"
#include "tests/harness/redraw.h"

enum { ROW_MAX = 16384, COLUMNS = 64 };

/* The columns of the file. */
struct columns {
    size_t launch, design, name, grid, block, seconds;
    int counter[COLUMNS]; /* per column: index of its counter in metric_counters; -1: not a counter */
    size_t count;
};

struct loader {
    struct simulated *s;
    struct columns at;
    struct profile_builder *builder;
    enum profile_unit unit;
    size_t room, launches[SIMULATED_DESIGNS];
};

static size_t find(const struct csv *c, const char *name)
{
    size_t i = 0;

    while (i < c->field_count && strcmp(c->fields[i].text, name) != 0)
        i++;
    return i;
}

static int read_head(struct loader *l, const struct csv *c, struct err *e)
{
    struct columns *at = &l->at;
    size_t launch = find(c, "launch");

    *at =
        (struct columns){launch < c->field_count ? launch : find(c, "invocation"), /* recorded by older versions */
                         find(c, "design"),
                         find(c, "name"),
                         find(c, "grid"),
                         find(c, "block"),
                         find(c, "gpu_seconds"),
                         {0},
                         c->field_count};
    for (size_t i = 0; i < c->field_count && i < COLUMNS; i++)
        at->counter[i] = metric_counter(c->fields[i].text);
    return at->count <= COLUMNS && at->launch < at->count && at->design < at->count && at->name < at->count &&
                   at->grid < at->count && at->block < at->count && at->seconds < at->count
               ? 0
               : err_set(e, ERR_INVALID, "not the columns of `vivace simulate --csv`");
}

static size_t design_of(struct simulated *s, const char *name)
{
    size_t d = 0;

    while (d < s->designs && strcmp(s->names[d], name) != 0)
        d++;
    if (d == s->designs && d < SIMULATED_DESIGNS)
        snprintf(s->names[s->designs++], SIMULATED_NAME, "%s", name);
    return d;
}

static int add_to_profile(struct loader *l, const struct csv *c, size_t id, struct err *e)
{
    const char *counter = l->unit == PROFILE_NS ? "cycles" : "warp_instructions";
    struct profile_row row = {.name = c->fields[l->at.name].text, .correlation = id + 1};

    if (sscanf(c->fields[l->at.grid].text, "(%u,%u,%u)", &row.grid[0], &row.grid[1], &row.grid[2]) != 3 ||
        sscanf(c->fields[l->at.block].text, "(%u,%u,%u)", &row.block[0], &row.block[1], &row.block[2]) != 3)
        return err_set(e, ERR_INVALID, "launch %zu has no shape", id);
    row.value = (uint64_t)simulated_counter(l->s, 0, counter)[id];
    return profile_builder_add(l->builder, &row, e);
}

static int read_row(struct loader *l, const struct csv *c, struct err *e)
{
    struct simulated *s = l->s;
    size_t id, d;
    double cycles;

    if (c->field_count != l->at.count)
        return err_set(e, ERR_INVALID, "line %llu has other columns", (unsigned long long)c->line);
    id = strtoul(c->fields[l->at.launch].text, NULL, 10);
    d = design_of(s, c->fields[l->at.design].text);
    if (d == SIMULATED_DESIGNS || id >= l->room)
        return err_set(e, ERR_INVALID, "more than %d designs, or launches that are not numbered from 0",
                       SIMULATED_DESIGNS);
    for (size_t i = 0; i < l->at.count; i++)
        if (l->at.counter[i] >= 0 && *c->fields[i].text)
            s->of[d].of[l->at.counter[i]][id] = strtod(c->fields[i].text, NULL);
    cycles = simulated_counter(s, d, "cycles")[id];
    if (!(cycles > 0))
        return err_set(e, ERR_INVALID, "launch %zu has no cycles on %s", id, s->names[d]);
    s->clock_hz[d] = cycles / strtod(c->fields[l->at.seconds].text, NULL);
    l->launches[d]++;
    return d == 0 ? add_to_profile(l, c, id, e) : 0;
}

static int count_rows(const char *path, size_t *rows, struct err *e)
{
    struct stream *stream;
    size_t length;
    char *line;
    int ret = stream_open(path, &stream, e);

    *rows = 0;
    while (ret >= 0 && (ret = stream_line(stream, ROW_MAX, &line, &length, NULL, e)) > 0)
        ++*rows;
    stream_close(stream);
    return ret;
}

static int read_rows(struct loader *l, const char *path, struct err *e)
{
    struct stream *stream = NULL;
    struct csv *c = mem_zalloc(1, sizeof *c, e);
    int ret = c ? stream_open(path, &stream, e) : -1;

    if (ret == 0)
        ret = csv_init(c, stream, ROW_MAX, e);
    if (ret == 0)
        ret = csv_next(c, e) > 0 ? read_head(l, c, e) : -1;
    while (ret >= 0 && (ret = csv_next(c, e)) > 0)
        ret = read_row(l, c, e);
    if (c)
        csv_release(c);
    free(c);
    stream_close(stream);
    return ret;
}

int simulated_load(struct simulated *s, const char *path, enum profile_unit unit, struct err *e)
{
    struct loader l = {.s = s, .unit = unit};
    int ret;

    *s = (struct simulated){.designs = 0};
    profile_init(&s->p);
    l.builder = profile_builder_new(unit, 0, e);
    ret = l.builder ? count_rows(path, &l.room, e) : -1;
    for (size_t d = 0; ret == 0 && d < SIMULATED_DESIGNS; d++)
        ret = metric_values_init(&s->of[d], l.room, e);
    if (ret == 0)
        ret = read_rows(&l, path, e);
    for (size_t d = 0; ret == 0 && d < s->designs; d++)
        if (l.launches[d] != l.launches[0] || isnan(simulated_counter(s, d, "cycles")[l.launches[0] - 1]))
            ret = err_set(e, ERR_INVALID, "%s: design %s lacks some launches", path, s->names[d]);
    if (ret == 0)
        ret = profile_builder_finish(l.builder, &s->p, e);
    profile_builder_free(l.builder);
    return ret;
}

void simulated_release(struct simulated *s)
{
    for (size_t d = 0; d < SIMULATED_DESIGNS; d++)
        metric_values_release(&s->of[d]);
    profile_release(&s->p);
}

const double *simulated_counter(const struct simulated *s, size_t design, const char *name)
{
    return s->of[design].of[metric_counter(name)];
}

double simulated_metric(const struct simulated *s, size_t design, const struct metric *m)
{
    double sums[METRIC_COUNTERS] = {0};

    for (int c = 0; c < METRIC_COUNTERS; c++)
        for (size_t i = 0; i < s->p.count; i++)
            sums[c] += s->of[design].of[c][i];
    return metric_value(m, sums, s->clock_hz[design]);
}

/* --- draws --- */

/* The results of one metric, one value for each draw. */
struct drawn {
    double *half_widths, *dfs;
};

static int results(const struct simulated *s, size_t design, const struct plan *plan, struct metric_values *out,
                   struct err *e)
{
    if (metric_values_init(out, plan->sample_count, e) < 0)
        return -1;
    for (int c = 0; c < METRIC_COUNTERS; c++)
        for (size_t i = 0; i < plan->sample_count; i++)
            out->of[c][i] = s->of[design].of[c][plan->samples[i].launch];
    return 0;
}

static void count_in(const struct metric_estimate *m, struct metric_score *score, struct drawn *drawn)
{
    double off = fabs(m->value - score->truth);
    bool holds;

    if (isnan(m->half_width))
        return;
    drawn->half_widths[score->known] = m->half_width;
    drawn->dfs[score->known++] = m->df;
    score->rmse += off * off;
    score->most = fmax(score->most, off);
    holds = off <= m->half_width + 1e-9 * fabs(score->truth);
    score->holds += holds;
    score->promised += m->promised;
    score->broken += m->promised && !holds;
}

static int draw(const struct simulated *s, size_t design, const struct plan *plan, double level,
                struct metric_score *scores, struct drawn *drawn, struct err *e)
{
    struct metric_values v;
    struct metric_estimate *m = NULL;
    size_t count = 0;
    int ret = results(s, design, plan, &v, e);

    if (ret == 0)
        ret = metrics_estimate(plan, &v, s->clock_hz[design], level, &m, &count, e);
    for (size_t i = 0; ret == 0 && i < count; i++)
        count_in(&m[i], &scores[i], &drawn[i]);
    free(m);
    metric_values_release(&v);
    return ret;
}

static void finish(struct metric_score *score, struct drawn *drawn)
{
    score->rmse = sqrt(score->rmse / score->known);
    score->holds /= score->known;
    score->promised /= score->known;
    score->broken /= score->known;
    score->half_width = redraw_median(drawn->half_widths, score->known);
    score->df = redraw_median(drawn->dfs, score->known);
    score->wide = score->half_width / (1.96 * score->rmse);
}

int simulated_scores(const struct simulated *s, size_t design, struct plan *plan, const struct strata *strata,
                     unsigned repeats, double level, struct metric_score *scores, size_t *count, struct err *e)
{
    struct drawn drawn[METRIC_SCORES] = {{NULL, NULL}};
    double *values = mem_zalloc((size_t)2 * METRIC_SCORES * repeats, sizeof *values, e);
    int ret = values ? 0 : -1;

    for (*count = 0; values && metrics[*count].name && *count < METRIC_SCORES; ++*count) {
        scores[*count] = (struct metric_score){.metric = &metrics[*count],
                                               .truth = simulated_metric(s, design, &metrics[*count])};
        drawn[*count].half_widths = values + (size_t)2 * *count * repeats;
        drawn[*count].dfs = drawn[*count].half_widths + repeats;
    }
    for (unsigned i = 0; ret == 0 && i < repeats; i++)
        ret = plan_redraw(plan, &s->p, strata, 1 + i, RNG_EVALUATE, e) < 0
                  ? -1
                  : draw(s, design, plan, level, scores, drawn, e);
    for (size_t i = 0; ret == 0 && i < *count; i++)
        finish(&scores[i], &drawn[i]);
    free(values);
    return ret;
}
