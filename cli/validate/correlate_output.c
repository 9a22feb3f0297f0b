/* The three outputs of `vivace correlate`. */
#include <math.h>
#include <stdlib.h>

#include "base/array.h"
#include "cli/validate/correlate.h"
#include "cli/output/table.h"
#include "wire/json.h"

enum { KERNELS_SHOWN = 20, WORST_SHOWN = 10, QUANTILES = 7 };
static const double quantiles[QUANTILES] = {0, 0.1, 0.25, 0.5, 0.75, 0.9, 1};

static const char *const clock_words[] = {
    [CLOCK_GIVEN] = "given", [CLOCK_MEASURED] = "measured", [CLOCK_OF_DESIGN] = "design"};

/* simulated / measured in ascending order; for the caller to free. */
static double *sorted_ratios(const struct correlate *c, struct err *e)
{
    double *r = mem_zalloc(c->count, sizeof *r, e);

    if (!r)
        return NULL;
    for (size_t i = 0; i < c->count; i++)
        r[i] = c->pairs[i].simulated_s / c->pairs[i].measured_s;
    array_sort(r, c->count, sizeof *r, double_compare);
    return r;
}

static const struct profile_kernel *kernel_of(const struct correlate *c, size_t pair)
{
    return &c->measured.kernels[c->measured.kernel[c->pairs[pair].measured]];
}

static const char *shape_text(const uint32_t d[3], char out[40])
{
    if (d[0])
        snprintf(out, 40, "%u,%u,%u", d[0], d[1], d[2]);
    else
        out[0] = '\0';
    return out;
}

/* --- text --- */

static void print_unmatched(const struct correlate *c)
{
    uint64_t left = c->simulated.profile.count - c->count;
    char a[CLI_NUMBER], launch[MATCH_LAUNCH];

    if (c->match.a.unmatched)
        for (int why = 0; why < MATCH_REASONS; why++)
            if (c->match.a.count[why])
                printf("left out   %s: %s (%s)\n", cli_counted(c->match.a.count[why], "launch", "launches", a),
                       c->by_number && why == MATCH_FEWER_LAUNCHES ? "another kernel has this number in MEASURED"
                                                                   : match_reason_sentence((enum match_reason)why),
                       match_launch_text(&c->simulated.profile, c->match.a.examples[why][0], launch));
    if (left > c->match.a.unmatched)
        printf("left out   %s of a measured time of 0\n",
               cli_counted(left - c->match.a.unmatched, "launch", "launches", a));
    if (c->simulated.failed)
        printf("left out   %s without a simulated result\n",
               cli_counted(c->simulated.failed, "launch", "launches", a));
}

static void print_clock(const struct correlate *c)
{
    char a[CLI_NUMBER];

    printf("clock      %s GHz", cli_number(c->clock_hz * 1e-9, a));
    switch (c->clock_from) {
    case CLOCK_GIVEN: printf(", as given"); break;
    case CLOCK_MEASURED: printf(", the clock of the measurement"); break;
    case CLOCK_OF_DESIGN: printf(" of the design: MEASURED does not state one; --clock gives it"); break;
    }
    printf("\n");
    if (c->clock_from == CLOCK_MEASURED && c->report.clock_high_hz > 1.02 * c->report.clock_low_hz)
        printf("           it varied from %s to", cli_number(c->report.clock_low_hz * 1e-9, a)),
            printf(" %s GHz between launches\n", cli_number(c->report.clock_high_hz * 1e-9, a));
}

static void print_head(const struct correlate *c)
{
    char a[CLI_NUMBER], b[CLI_NUMBER], d[CLI_NUMBER];

    printf("measured   %s, %s%s%s\n", cli_counted(c->measured.count, "launch", "launches", a), c->measured.format,
           c->measured.gpu_name[0] ? ", " : "", c->measured.gpu_name);
    printf("simulated  %s on %s, simulator %s\n", cli_counted(c->simulated.profile.count, "launch", "launches", a),
           c->simulated.design, c->simulated.simulator);
    print_clock(c);
    printf("pairs      %s, by %s\n", cli_whole(c->count, a), c->by_number ? "number" : "the order of each kernel");
    print_unmatched(c);
    printf("error      %s; simulated / measured %s on average (geometric)", cli_percent(c->times.error, a),
           cli_number(c->times.bias, b));
    printf(", %s of the sums\n", cli_number(c->times.total, b));
    printf("           beyond 30 %%: %s of %s", cli_whole(c->times.far, a), cli_whole(c->count, b));
    if (!isnan(c->times.log_r))
        printf("; correlation of the logarithms %s", cli_number(c->times.log_r, d));
    printf("\n");
}

static int print_ratios(const struct correlate *c, struct err *e)
{
    double *r = sorted_ratios(c, e);
    char a[CLI_NUMBER];

    if (!r)
        return -1;
    printf("ratios     ");
    for (int i = 0; i < QUANTILES; i++)
        printf("%s%.0f %%: %s", i ? ", " : "", 100 * quantiles[i],
               cli_number(correlate_quantile(r, c->count, quantiles[i]), a));
    printf("\n");
    free(r);
    return 0;
}

static int print_counters(const struct correlate *c, struct err *e)
{
    static const struct table_column columns[] = {{"counter", NULL, false, false},
                                                  {"measured", NULL, true, false},
                                                  {"simulated", NULL, true, false},
                                                  {"ratio", NULL, true, false},
                                                  {"error", NULL, true, false}};
    char a[CLI_NUMBER];
    struct table t;
    int ret;

    if (c->counter_count == 0) {
        printf("\n"
               "No counter is in both files: ncu --csv measures counters, and `vivace simulate --metrics --json` "
               "has them.\n");
        return 0;
    }
    table_init(&t, columns, sizeof columns / sizeof *columns);
    for (size_t k = 0; k < c->counter_count; k++) {
        const struct counter_pair *x = &c->counters[k];

        table_text(&t, metric_counters[x->counter]);
        table_text(&t, cli_number(x->total_measured, a));
        table_text(&t, cli_number(x->total_simulated, a));
        table_text(&t, x->total_measured > 0 ? cli_number(x->total_simulated / x->total_measured, a) : "–");
        table_text(&t, cli_percent(x->error, a));
    }
    printf("\n");
    ret = table_print(&t, false, stdout, e);
    table_release(&t);
    return ret;
}

static int print_kernels(const struct correlate *c, struct err *e)
{
    static const struct table_column columns[] = {{"launches", NULL, true, false},  {"measured", NULL, true, false},
                                                  {"simulated", NULL, true, false}, {"ratio", NULL, true, false},
                                                  {"error", NULL, true, false},     {"grid", NULL, false, false},
                                                  {"block", NULL, false, false},    {"kernel", NULL, false, true}};
    size_t count, shown;
    struct kernel_pairs *k = correlate_kernels(c, &count, e);
    char a[CLI_NUMBER], shape[40];
    struct table t;
    int ret;

    if (!k)
        return -1;
    shown = count < KERNELS_SHOWN ? count : KERNELS_SHOWN;
    table_init(&t, columns, sizeof columns / sizeof *columns);
    for (size_t i = 0; i < shown; i++) {
        const struct profile_kernel *of = &c->measured.kernels[k[i].kernel];

        table_count(&t, k[i].launches);
        table_text(&t, cli_seconds(k[i].measured_s, a));
        table_text(&t, cli_seconds(k[i].simulated_s, a));
        table_text(&t, cli_number(k[i].simulated_s / k[i].measured_s, a));
        table_text(&t, cli_percent(k[i].error, a));
        table_text(&t, shape_text(of->grid, shape));
        table_text(&t, shape_text(of->block, shape));
        table_text(&t, of->name);
    }
    free(k);
    printf("\n");
    ret = table_print(&t, false, stdout, e);
    table_release(&t);
    if (ret == 0 && shown < count)
        printf("%zu more kernels: --csv, --json\n", count - shown);
    return ret;
}

static void cause_cell(const struct correlate *c, size_t pair, struct table *t)
{
    double ratio = 1;
    const struct counter_pair *cause = correlate_cause(c, pair, &ratio);
    char a[CLI_NUMBER], text[CLI_NUMBER + 60];

    snprintf(text, sizeof text, "%s × %s", cli_number(ratio, a), cause ? metric_counters[cause->counter] : "");
    table_text(t, cause ? text : c->counter_count ? "no counter" : "–");
}

static int print_worst(const struct correlate *c, struct err *e)
{
    static const struct table_column columns[] = {{"launch", NULL, true, false},    {"measured", NULL, true, false},
                                                  {"simulated", NULL, true, false}, {"ratio", NULL, true, false},
                                                  {"cause", NULL, false, false},    {"kernel", NULL, false, true}};
    size_t *order = correlate_worst(c, e);
    char a[CLI_NUMBER];
    struct table t;
    int ret;

    if (!order)
        return -1;
    table_init(&t, columns, sizeof columns / sizeof *columns);
    for (size_t i = 0; i < c->count && i < WORST_SHOWN; i++) {
        const struct pair *p = &c->pairs[order[i]];

        table_count(&t, c->simulated.number[p->simulated]);
        table_text(&t, cli_seconds(p->measured_s, a));
        table_text(&t, cli_seconds(p->simulated_s, a));
        table_text(&t, cli_number(p->simulated_s / p->measured_s, a));
        cause_cell(c, order[i], &t);
        table_text(&t, kernel_of(c, order[i])->name);
    }
    free(order);
    printf("\nthe launches that differ most\n");
    ret = table_print(&t, false, stdout, e);
    table_release(&t);
    return ret;
}

int correlate_print_text(const struct correlate *c, struct err *e)
{
    print_head(c);
    return print_ratios(c, e) < 0 || print_counters(c, e) < 0 || print_kernels(c, e) < 0 || print_worst(c, e) < 0
               ? -1
               : 0;
}

/* --- CSV: a row per pair --- */

int correlate_print_csv(const struct correlate *c, struct err *e)
{
    enum { FIXED = 8 };
    struct table_column columns[FIXED + 2 * METRIC_COUNTERS] = {
        {NULL, "launch", true, false},      {NULL, "measured_launch", true, false},
        {NULL, "kernel", false, false},     {NULL, "grid", false, false},
        {NULL, "block", false, false},      {NULL, "measured_s", true, false},
        {NULL, "simulated_s", true, false}, {NULL, "ratio", true, false}};
    char names[2 * METRIC_COUNTERS][64], shape[40];
    struct table t;
    int ret;

    for (size_t k = 0; k < c->counter_count; k++)
        for (size_t side = 0; side < 2; side++) {
            snprintf(names[2 * k + side], sizeof *names, "%s_%s", metric_counters[c->counters[k].counter],
                     side ? "simulated" : "measured");
            columns[FIXED + 2 * k + side] = (struct table_column){NULL, names[2 * k + side], true, false};
        }
    table_init(&t, columns, FIXED + 2 * c->counter_count);
    for (size_t i = 0; i < c->count; i++) {
        const struct pair *p = &c->pairs[i];
        const struct profile_kernel *of = kernel_of(c, i);

        table_count(&t, c->simulated.number[p->simulated]);
        table_count(&t, p->measured);
        table_text(&t, of->name);
        table_text(&t, shape_text(of->grid, shape));
        table_text(&t, shape_text(of->block, shape));
        table_number(&t, p->measured_s, "");
        table_number(&t, p->simulated_s, "");
        table_number(&t, p->simulated_s / p->measured_s, "");
        for (size_t k = 0; k < c->counter_count; k++) {
            table_number(&t, c->counters[k].measured[i], "");
            table_number(&t, c->simulated.counters[p->simulated][c->counters[k].counter], "");
        }
    }
    ret = table_print(&t, true, stdout, e);
    table_release(&t);
    return ret;
}

/* --- JSON --- */

static json_t *correlation_json(const struct correlation *x)
{
    struct json_obj o = json_obj_begin();

    json_put_u64(&o, "pairs", x->count);
    json_put_double(&o, "error", x->error);
    json_put_double(&o, "bias", x->bias);
    json_put_double(&o, "log_correlation", x->log_r);
    json_put_double(&o, "ratio_of_sums", x->total);
    json_put_u64(&o, "beyond_30_percent", x->far);
    json_put_double(&o, "least_ratio", x->least);
    json_put_double(&o, "most_ratio", x->most);
    return json_obj_end(&o);
}

static json_t *counters_json(const struct correlate *c)
{
    json_t *list = json_array();

    for (size_t k = 0; list && k < c->counter_count; k++) {
        const struct counter_pair *x = &c->counters[k];
        struct json_obj o = json_obj_begin();

        json_put_str(&o, "counter", metric_counters[x->counter]);
        json_put_u64(&o, "pairs", x->pairs);
        json_put_double(&o, "measured", x->total_measured);
        json_put_double(&o, "simulated", x->total_simulated);
        json_put_double(&o, "error", x->error);
        if (json_push(list, json_obj_end(&o)) < 0) {
            json_decref(list);
            return NULL;
        }
    }
    return list;
}

static json_t *kernels_json(const struct correlate *c, struct err *e)
{
    size_t count;
    struct kernel_pairs *kernels = correlate_kernels(c, &count, e);
    json_t *list = kernels ? json_array() : NULL;

    for (size_t i = 0; list && i < count; i++) {
        const struct profile_kernel *of = &c->measured.kernels[kernels[i].kernel];
        struct json_obj o = json_obj_begin();

        json_put(&o, "name", json_text(of->name));
        json_put(&o, "grid", json_dim3(of->grid));
        json_put(&o, "block", json_dim3(of->block));
        json_put_u64(&o, "pairs", kernels[i].launches);
        json_put_double(&o, "measured_s", kernels[i].measured_s);
        json_put_double(&o, "simulated_s", kernels[i].simulated_s);
        json_put_double(&o, "error", kernels[i].error);
        if (json_push(list, json_obj_end(&o)) < 0) {
            json_decref(list);
            list = NULL;
        }
    }
    free(kernels);
    return list;
}

static json_t *pair_json(const struct correlate *c, size_t i)
{
    const struct pair *p = &c->pairs[i];
    double ratio = NAN;
    const struct counter_pair *cause = correlate_cause(c, i, &ratio);
    struct json_obj o = json_obj_begin(), counters = json_obj_begin();

    for (size_t k = 0; k < c->counter_count; k++) {
        struct json_obj both = json_obj_begin();

        json_put_double(&both, "measured", c->counters[k].measured[i]);
        json_put_double(&both, "simulated", c->simulated.counters[p->simulated][c->counters[k].counter]);
        json_put(&counters, metric_counters[c->counters[k].counter], json_obj_end(&both));
    }
    json_put_u64(&o, "launch", c->simulated.number[p->simulated]);
    json_put_u64(&o, "measured_launch", p->measured);
    json_put(&o, "name", json_text(kernel_of(c, i)->name));
    json_put_double(&o, "measured_s", p->measured_s);
    json_put_double(&o, "simulated_s", p->simulated_s);
    json_put_double(&o, "ratio", p->simulated_s / p->measured_s);
    json_put_str(&o, "cause", cause ? metric_counters[cause->counter] : NULL);
    json_put_double(&o, "cause_ratio", cause ? ratio : NAN);
    json_put(&o, "counters", json_obj_end(&counters));
    return json_obj_end(&o);
}

static json_t *pairs_json(const struct correlate *c)
{
    json_t *list = json_array();

    for (size_t i = 0; list && i < c->count; i++)
        if (json_push(list, pair_json(c, i)) < 0) {
            json_decref(list);
            return NULL;
        }
    return list;
}

static json_t *ratios_json(const struct correlate *c, struct err *e)
{
    double *r = sorted_ratios(c, e);
    json_t *list = r ? json_array() : NULL;

    for (int i = 0; list && i < QUANTILES; i++) {
        struct json_obj o = json_obj_begin();

        json_put_double(&o, "p", quantiles[i]);
        json_put_double(&o, "ratio", correlate_quantile(r, c->count, quantiles[i]));
        if (json_push(list, json_obj_end(&o)) < 0) {
            json_decref(list);
            list = NULL;
        }
    }
    free(r);
    return list;
}

int correlate_print_json(const struct correlate *c, struct err *e)
{
    struct json_obj o = json_obj_begin();

    json_put_str(&o, "design", c->simulated.design);
    json_put_str(&o, "simulator", c->simulated.simulator);
    json_put(&o, "gpu", json_str_or_null(c->measured.gpu_name));
    json_put_double(&o, "clock_hz", c->clock_hz);
    json_put_str(&o, "clock_from", clock_words[c->clock_from]);
    json_put_str(&o, "paired_by", c->by_number ? "number" : "order");
    json_put_u64(&o, "measured_launches", c->measured.count);
    json_put_u64(&o, "simulated_launches", c->simulated.profile.count);
    json_put_u64(&o, "failed_launches", c->simulated.failed);
    json_put(&o, "times", correlation_json(&c->times));
    json_put(&o, "ratios", ratios_json(c, e));
    json_put(&o, "counters", counters_json(c));
    json_put(&o, "kernels", kernels_json(c, e));
    json_put(&o, "pairs", pairs_json(c));
    return cli_print_json(json_obj_end(&o), e);
}
