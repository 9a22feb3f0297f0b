/* `vivace simulate`: its output as table and CSV. For JSON: simulation_json.c. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/demangle.h"
#include "cli/output/parts.h"
#include "cli/simulate/simulation.h"
#include "cli/output/table.h"
#include "sampling/parts/part.h"
#include "sampling/math/quantile.h"
#include "wire/model_error.h"

const struct sim_task *simulation_task(const struct simulation *s, size_t launch, size_t design)
{
    return &s->tasks[launch * s->design_count + design];
}

const char *simulation_why_not(const struct simulation *s, size_t launch, const struct sim_task *t)
{
    if (!s->launches[launch].kernel)
        return "the traces do not hold this launch";
    return t->done ? NULL : t->why ? t->why : "not simulated";
}

/* Copies the first line: a table cell has only one. */
static void first_line(const char *text, char *out, size_t size)
{
    snprintf(out, size, "%.*s", (int)strcspn(text, "\n"), text);
}

/* --- The table of launches, for people and as CSV --- */

static const struct table_column launch_columns[] = {
    {"id", "id", true, false},
    {"launch", "launch", true, false},
    {"design", "design", false, false},
    {"kernel", "name", false, true},
    {"grid", "grid", false, false},
    {"block", "block", false, false},
    {"warp instructions", "warp_instructions", true, false},
    {"cycles", "cycles", true, false},
    {"fully warm", "cycles_warm_bound", true, false},
    {"of these launch", "launch_cycles", true, false},
    {"GPU time", "gpu_seconds", true, false},
    {"host time", "host_seconds", true, false},
};
enum { LAUNCH_COLUMNS = sizeof launch_columns / sizeof *launch_columns, BOUND_COLUMN = 8 };

/* True for counters that always have a column. With --metrics the other counters of metrics follow. */
static bool has_column(const char *counter)
{
    for (size_t i = 0; i < LAUNCH_COLUMNS; i++)
        if (strcmp(launch_columns[i].csv_name, counter) == 0)
            return true;
    return false;
}

static void add_shape(struct table *t, const uint32_t dim[3], bool known)
{
    char text[64];

    snprintf(text, sizeof text, "(%u,%u,%u)", dim[0], dim[1], dim[2]);
    table_text(t, known ? text : "");
}

static void add_count_if(struct table *t, bool known, uint64_t n)
{
    if (known)
        table_count(t, n);
    else
        table_pair(t, "–", "");
}

static int add_name(struct table *t, const struct sim_task *k, struct err *e)
{
    char *plain = demangle(k->name && *k->name ? k->name : "?", e);

    if (!plain)
        return -1;
    table_text(t, plain);
    free(plain);
    return 0;
}

static int add_row(struct table *t, const struct simulation *s, size_t launch, size_t design, bool with_bound,
                   struct err *e)
{
    const struct sim_task *k = simulation_task(s, launch, design);
    const struct bundle_kernel *kernel = s->launches[launch].kernel;
    const char *why = simulation_why_not(s, launch, k);
    double gpu_seconds = k->done ? design_seconds(s->designs[design], k->cycles) : NAN;
    char note[200] = "", seconds[CLI_NUMBER];

    if (why)
        first_line(why, note, sizeof note);
    add_count_if(t, kernel != NULL, kernel ? kernel->id : 0);
    table_count(t, s->launches[launch].launch);
    table_text(t, design_name(s->designs[design]));
    if (add_name(t, k, e) < 0)
        return -1;
    add_shape(t, k->grid, k->known);
    add_shape(t, k->block, k->known);
    add_count_if(t, k->done, k->warp_instructions);
    add_count_if(t, k->done, k->cycles);
    if (with_bound)
        add_count_if(t, k->done && k->cycles_warm_bound, k->cycles_warm_bound);
    add_count_if(t, k->done, k->launch_cycles);
    table_number(t, gpu_seconds, k->done ? cli_seconds(gpu_seconds, seconds) : "–");
    table_number(t, k->done ? k->seconds : NAN, k->done ? cli_seconds(k->seconds, seconds) : "–");
    if (s->how.projection) {
        char projected[200];

        simulation_note(s, k, projected, sizeof projected);
        table_text(t, projected);
    }
    table_text(t, note);
    for (int c = 0; s->show_metrics && c < METRIC_COUNTERS; c++)
        if (!has_column(metric_counters[c]))
            table_number(t, k->done ? k->counters[c] : NAN, "");
    return 0;
}

static bool any_bound(const struct simulation *s)
{
    for (size_t i = 0; i < s->launch_count * s->design_count; i++)
        if (s->tasks[i].cycles_warm_bound)
            return true;
    return false;
}

static int print_launches(const struct simulation *s, bool csv, struct err *e)
{
    static const struct table_column projected = {"", "projected", false, false},
                                     error = {"", "error", false, false};
    const bool with_bound = csv || any_bound(s); /* a CSV always has the same columns */
    struct table_column columns[LAUNCH_COLUMNS + 2 + METRIC_COUNTERS];
    size_t count = 0;
    struct table t;
    int ret = 0;

    for (size_t c = 0; c < LAUNCH_COLUMNS; c++)
        if (c != BOUND_COLUMN || with_bound)
            columns[count++] = launch_columns[c];
    if (s->how.projection)
        columns[count++] = projected;
    columns[count++] = error;
    for (int c = 0; s->show_metrics && c < METRIC_COUNTERS; c++)
        if (!has_column(metric_counters[c]))
            columns[count++] = (struct table_column){NULL, metric_counters[c], true, false};
    table_init(&t, columns, count);
    for (size_t i = 0; ret == 0 && i < s->launch_count; i++)
        for (size_t d = 0; ret == 0 && d < s->design_count; d++)
            ret = add_row(&t, s, i, d, with_bound, e);
    if (ret == 0)
        ret = table_print(&t, csv, stdout, e);
    table_release(&t);
    return ret;
}

int simulation_print_csv(const struct simulation *s, struct err *e)
{
    return print_launches(s, true, e);
}

/* --- For people: sums and projections --- */

static int print_totals(const struct simulation *s, struct err *e)
{
    static const struct table_column columns[] = {
        {"design", "", false, false},         {"launches", "", true, false},
        {"failed", "", true, false},          {"cycles", "", true, false},
        {"of these launch", "", true, false}, {"time on that GPU", "", true, false},
        {"fully warm", "", true, false},
    };
    const bool with_bound = any_bound(s);
    struct table t;
    char text[CLI_NUMBER];
    int ret;

    table_init(&t, columns, sizeof columns / sizeof *columns - !with_bound);
    for (size_t d = 0; d < s->design_count; d++) {
        const struct sim_total *x = &s->totals[d];

        table_text(&t, design_name(s->designs[d]));
        table_count(&t, x->kernels);
        table_count(&t, x->failed);
        table_count(&t, x->cycles);
        table_count(&t, x->launch_cycles);
        table_text(&t, cli_seconds(design_seconds(s->designs[d], x->cycles), text));
        if (with_bound)
            table_text(&t, isnan(x->cycles_warm)
                               ? "–"
                               : cli_seconds(x->cycles_warm / design_clock_hz(s->designs[d]), text));
    }
    printf("\nSum over the launches above, %s:\n", s->how.projection ? "as far as simulated or projected"
                                                   : cta_range_is_all(&s->how.ctas)
                                                       ? "each simulated in full"
                                                       : "of each the CTAs that were asked for");
    ret = table_print(&t, false, stdout, e);
    table_release(&t);
    return ret;
}

/* The reason why there is no model error: a plan file lacks the data for it. */
static const char *why_no_model_error(const struct plan *p)
{
    return p->unit == PROFILE_NS       ? "a plan file does not say which GPU was profiled; a run on a farm does"
           : p->unit == PROFILE_CYCLES ? "the profile's cycles are estimated, so there is no measured time"
                                       : "the profile counts warp instructions, so there is no measured time";
}

static const char *why_no_makespan(const struct plan *p)
{
    return p->unit == PROFILE_NS ? "a plan file has no start times; a run on a farm has the profile's"
                                 : "traces have no start times";
}

/* A design file may have the name of a built-in design and other contents. */
static bool is_builtin(const struct gpu_design *d)
{
    struct gpu_design *builtin = NULL;
    struct err ignored;
    size_t n;
    bool same;

    if (!design_builtin_json(design_name(d), &n) || design_load(design_name(d), &builtin, &ignored) < 0)
        return false;
    same = strcmp(design_sha256(d), design_sha256(builtin)) == 0;
    design_free(builtin);
    return same;
}

json_t *simulation_validated(const struct simulation *s, size_t d)
{
    struct class_shares shares = {0};

    for (size_t h = 0; h < s->plan.stratum_count; h++)
        class_shares_add(&shares, s->plan.strata[h].kernel_name, (double)s->plan.strata[h].total);
    class_shares_finish(&shares);
    return model_errors_to_json(design_name(s->designs[d]), is_builtin(s->designs[d]), &shares);
}

struct projection_parts simulation_parts(const struct simulation *s, size_t d)
{
    const struct projection *p = &s->cycles[d];
    const struct warm_bound *bound = &s->warm_bounds[d];
    double clock = design_clock_hz(s->designs[d]);
    struct projection_parts parts = {.design = design_name(s->designs[d]),
                                     .sum_s = p->value / clock,
                                     .half_width_s = p->half_width / clock,
                                     .sum_cycles = p->value,
                                     .half_width_cycles = p->half_width,
                                     .sum_why_not = p->warning,
                                     .warm_s = bound->value / clock,
                                     .warm_half_width_s = bound->half_width / clock,
                                     .warm_cycles = bound->value,
                                     .warm_half_width_cycles = bound->half_width,
                                     .low_s = bound->low / clock,
                                     .high_s = bound->high / clock,
                                     .low_cycles = bound->low,
                                     .high_cycles = bound->high,
                                     .relative = p->half_width / p->value,
                                     .level = p->level,
                                     .df = p->df,
                                     .planned = s->plan.promise_valid ? s->plan.promised_error : NAN,
                                     .interval_why_not = p->warning,
                                     .warning = p->warning,
                                     .model_error = NAN,
                                     .model_why_not = why_no_model_error(&s->plan),
                                     .cache_launches = s->cache_check[d].error.launches,
                                     .cache_window = s->cache_check[d].window,
                                     .cache_share = s->cache_check[d].error.share,
                                     .cache_min = s->cache_check[d].error.least,
                                     .cache_max = s->cache_check[d].error.most,
                                     .cache_error = s->cache_check[d].error.relative,
                                     .makespan_s = NAN,
                                     .makespan_why_not = why_no_makespan(&s->plan),
                                     .estimator = p->estimator,
                                     .variance_method = p->variance_method,
                                     .check_count = p->cross_check_count};

    for (size_t i = 0; i < p->cross_check_count; i++)
        parts.checks[i] = (struct parts_check){p->cross_checks[i].estimator, p->cross_checks[i].value / clock,
                                               p->cross_checks[i].half_width / clock, p->cross_checks[i].value,
                                               p->cross_checks[i].half_width};
    return parts;
}

/* Prints the parts of the projection; with --bootstrap, one line more. */
static void print_parts(const struct simulation *s, size_t d)
{
    const struct bootstrap *b = &s->second_opinion[d];
    double clock = design_clock_hz(s->designs[d]);
    struct projection_parts parts = simulation_parts(s, d);
    json_t *validated = simulation_validated(s, d);
    struct parts_bootstrap words = {b->interval.low / clock,
                                    b->interval.high / clock,
                                    b->interval.low,
                                    b->interval.high,
                                    b->sentence,
                                    b->why_not};

    parts.bootstrap = s->bootstrap ? &words : NULL;
    parts.validated = validated;
    parts_print(&parts);
    json_decref(validated);
}

static size_t most_variance(const struct projection *p)
{
    size_t worst = 0;

    for (size_t h = 1; h < p->stratum_count; h++)
        if (p->strata[h].variance_share > p->strata[worst].variance_share)
            worst = h;
    return worst;
}

/* Where an interval is much wider than planned: prints the stratum with most variance, and advice. */
static void print_advice(const struct simulation *s, size_t d)
{
    const struct projection *p = &s->cycles[d];
    size_t h = most_variance(p);
    const struct parts_doubt most = {h, p->strata[h].done, p->strata[h].variance_share};
    char a[CLI_NUMBER];
    double inside = p->within > 0 ? p->within * normal_quantile((1 + p->level) / 2) : 0; /* more samples keep it */

    if (!s->plan.promise_valid ||
        !parts_print_wider((p->half_width - inside) / p->value, s->plan.promised_error, &most))
        return;
    printf("    %-18s `vivace plan --min-samples %s` draws more of every stratum; `vivace run --until %.3g%%` on a "
           "farm "
           "more where it is needed\n",
           "", cli_whole(2 * p->strata[h].done, a), 100 * s->plan.promised_error);
}

/* Prints one row for each metric and one column for each design. */
static int print_metrics(const struct simulation *s, struct err *e)
{
    struct table_column columns[SIM_DESIGNS_MAX + 2] = {{"metric", "", false, false}};
    char text[CLI_NUMBER];
    struct table t;
    int ret;

    for (size_t d = 0; d < s->design_count; d++)
        columns[d + 1] = (struct table_column){design_name(s->designs[d]), "", true, false};
    columns[s->design_count + 1] = (struct table_column){"unit", "", false, false};
    table_init(&t, columns, s->design_count + 2);
    for (size_t i = 0; i < s->metric_count; i++) {
        table_text(&t, s->metrics[0][i].metric->name);
        for (size_t d = 0; d < s->design_count; d++)
            table_text(&t, cli_estimate_metric(s->metrics[d][i].value, s->metrics[d][i].half_width,
                                               s->metrics[d][i].metric->unit, text));
        table_text(&t, s->metrics[0][i].metric->unit);
    }
    printf("\nTotals and rates of the whole workload; a rate is the ratio of two totals:\n");
    ret = table_print(&t, false, stdout, e);
    table_release(&t);
    for (size_t i = 0; i < s->metric_count * s->design_count; i++) {
        size_t d = i % s->design_count;
        const struct metric_estimate *m = &s->metrics[d][i / s->design_count];

        if (metric_not_promised(m))
            parts_print_not_promised(m->metric->name, design_name(s->designs[d]), metric_not_promised(m));
    }
    if (simulation_empty(s))
        parts_print_empty_caches(simulation_empty(s), s->launch_count - s->missing);
    return ret;
}

static void print_comparison(const struct simulation *s, size_t d)
{
    const struct comparison *c = &s->against_first[d];
    char difference[CLI_NUMBER], ratio[CLI_NUMBER];

    printf("  %s against %s: %s, ratio %s; %s\n", design_name(s->designs[d]), design_name(s->designs[0]),
           cli_estimate_seconds(c->difference, c->difference_half_width, difference),
           cli_estimate(c->ratio, c->ratio_half_width, "×", ratio),
           parts_verdict(c->distinguishable, c->cache_reversible));
}

static int print_domains(const struct simulation *s, struct err *e)
{
    const char *names[SIM_DESIGNS_MAX];
    double clock_hz[SIM_DESIGNS_MAX];

    for (size_t d = 0; d < s->design_count; d++) {
        names[d] = design_name(s->designs[d]);
        clock_hz[d] = design_clock_hz(s->designs[d]);
    }
    return simulation_domains_print(&s->domains, names, clock_hz, s->design_count, e);
}

static void print_projections(const struct simulation *s)
{
    char a[CLI_NUMBER], b[CLI_NUMBER], x[CLI_NUMBER], part[PLAN_ONLY + 80];

    part_text(&s->plan.part, part, sizeof part);
    printf("\n%s%s%s, %s, projected from %s (method %s, %s less to simulate):\n",
           part[0] ? "A part of the workload (" : "The whole workload", part, part[0] ? ")" : "",
           cli_counted(s->plan.launches - (part[0] ? s->plan.zero_launches : 0), "launch", "launches", a),
           cli_counted(s->plan.sample_count, "simulated one", NULL, b), s->plan.method,
           cli_speedup(s->plan.speedup, x));
    for (size_t d = 0; d < s->design_count; d++) {
        print_parts(s, d);
        print_advice(s, d);
    }
    if (s->design_count > 1)
        printf("Paired differences (the designs share the samples):\n");
    for (size_t d = 1; d < s->design_count; d++)
        print_comparison(s, d);
    if (s->design_count > 1 && simulation_empty(s))
        parts_print_empty_caches(simulation_empty(s), s->launch_count - s->missing);
    parts_print_not_covered();
}

/* Prints the assumptions of the figures above. */
static void print_how(const struct simulation *s)
{
    uint64_t missing = 0, stopped = 0, done = 0;
    char a[CLI_NUMBER], b[CLI_NUMBER];

    for (size_t i = 0; s->before && i < s->launch_count; i++)
        missing += s->before[i].missing;
    for (size_t i = 0; i < s->launch_count * s->design_count; i++) {
        done += s->tasks[i].done;
        stopped += s->tasks[i].done && s->tasks[i].projected.method != PROJECT_NONE;
    }
    if (missing)
        printf("\nLaunches were replayed without %s the traces do not hold.\n",
               cli_counted(missing, "launch that", "launches that", a));
    if (s->how.projection)
        printf("\n%s of %s simulations were stopped and projected (%s)%s.\n", cli_whole(stopped, a),
               cli_whole(done, b), sim_projection_names[s->how.projection],
               !s->has_plan ? ""
               : s->how.projection == PROJECT_STABLE
                   ? "; the intervals above include the error of these projections"
                   : "; its error is not known, so the totals have no interval");
}

static void print_speed(const struct simulation *s)
{
    double host = 0, instructions = 0;
    char wall[CLI_NUMBER], processes[CLI_NUMBER], rate[NUM_TEXT];

    for (size_t d = 0; d < s->design_count; d++) {
        host += s->totals[d].host_seconds;
        instructions += (double)s->totals[d].warp_instructions;
    }
    printf("\nSimulated in %s with %s; %s warp instructions a second of each.\n",
           cli_seconds(s->wall_seconds, wall), cli_counted(s->children, "process", "processes", processes),
           format_count(host > 0 ? instructions / host : 0, rate));
}

int simulation_print_text(const struct simulation *s, struct err *e)
{
    if (print_launches(s, false, e) < 0 || print_totals(s, e) < 0)
        return -1;
    if (s->has_plan)
        print_projections(s);
    if (s->domains.wanted && print_domains(s, e) < 0)
        return -1;
    if (s->show_metrics && print_metrics(s, e) < 0)
        return -1;
    print_how(s);
    print_speed(s);
    return 0;
}
