/* Prints totals, rates and quantiles of a run, its parts, and the estimates of every estimator, which the server
 * computes. */
#include <math.h>
#include <string.h>

#include "cli/client/farm.h"
#include "cli/output/parts.h"

static const struct farm_column metric_columns[] = {
    {{"metric", "metric", false, false}, "name", FARM_TEXT},
    {{"whole workload", NULL, true, false}, "value,half_width", FARM_ESTIMATE_METRIC},
    {{NULL, "value", true, false}, "value", FARM_NUMBER},
    {{NULL, "half_width", true, false}, "half_width", FARM_NUMBER},
    {{"unit", "unit", false, false}, "unit", FARM_TEXT},
    {{NULL, "not_promised", false, false}, "not_promised", FARM_TEXT},
    {{"results", "results", true, false}, "results", FARM_COUNT},
    {{"", "sentence", false, true}, "sentence", FARM_TEXT},
};

static const struct farm_column quantile_columns[] = {
    {{"of launches", "p", true, false}, "p", FARM_PERCENT},
    {{"take at most", "value_s", true, false}, "value_s", FARM_SECONDS},
    {{"from", "low_s", true, false}, "low_s", FARM_SECONDS},
    {{"to", "high_s", true, false}, "high_s", FARM_SECONDS},
};

/* Prints quantiles; not in CSV, which has only the table of metrics. */
static int print_quantiles(const json_t *design, const struct cli_output *o, struct err *e)
{
    const char *why_not = farm_text(design, "quantiles_why_not");

    if (o->csv)
        return 0;
    printf("\n");
    if (*why_not) {
        printf("No quantiles: %s.\n", why_not);
        return 0;
    }
    return farm_print_list(json_incref((json_t *)farm_member(design, "quantiles")), quantile_columns,
                           sizeof quantile_columns / sizeof *quantile_columns, o, "no quantiles", e);
}

/* Prints notes on intervals that are not promised; in CSV this is a column. */
static void print_not_promised(const json_t *design, const struct cli_output *o)
{
    const json_t *list = farm_member(design, "metrics");

    for (size_t i = 0; !o->csv && i < json_array_size(list); i++) {
        const json_t *m = json_array_get(list, i);

        if (*farm_text(m, "not_promised"))
            parts_print_not_promised(farm_text(m, "name"), farm_text(design, "design"),
                                     farm_text(m, "not_promised"));
    }
}

int farm_print_metrics(const json_t *answer, const struct cli_output *o, struct err *e)
{
    const json_t *designs = farm_member(answer, "designs");
    int ret = 0;

    for (size_t i = 0; ret == 0 && i < json_array_size(designs); i++) {
        const json_t *d = json_array_get(designs, i);

        if (!o->csv)
            printf("%s%s:\n", i ? "\n" : "", farm_text(d, "design"));
        ret = farm_print_list(json_incref((json_t *)farm_member(d, "metrics")), metric_columns,
                              sizeof metric_columns / sizeof *metric_columns, o, "no metrics", e);
        print_not_promised(d, o);
        if (ret == 0)
            ret = print_quantiles(d, o, e);
    }
    return ret;
}

static void add_ratio(struct table *t, const json_t *part)
{
    double ratio = farm_number(part, "ratio"), half = farm_number(part, "ratio_half_width");
    char text[CLI_NUMBER];

    if (isfinite(ratio) && isfinite(half))
        table_text(t, cli_estimate(ratio, half, "", text));
    else
        table_text(t, isfinite(ratio) ? cli_number(ratio, text) : "–");
}

static const char *interval_words(const json_t *part, double half)
{
    if (json_is_true(farm_member(part, "below_zero")))
        return "cannot be estimated";
    return json_is_true(farm_member(part, "few_results")) ? "too few results" : isfinite(half) ? "" : "not known";
}

static void add_part(struct table *t, const json_t *part, const char *unit, bool ratios)
{
    double value = farm_number(part, "value"), half = farm_number(part, "half_width");
    double value_s = farm_number(part, "value_s"), half_s = farm_number(part, "half_width_s");
    char text[CLI_NUMBER], number[CLI_NUMBER];

    if (isfinite(value_s))
        table_text(t, isfinite(half) ? cli_estimate_seconds(value_s, half_s, text) : cli_seconds(value_s, text));
    else if (isfinite(value) && isfinite(half))
        table_text(t, cli_estimate(value, half, unit, text));
    else if (isfinite(value)) {
        snprintf(text, sizeof text, "%s %s", cli_number(value, number), unit);
        table_text(t, text);
    } else
        table_text(t, "–");
    table_text(t, interval_words(part, half));
    if (ratios)
        add_ratio(t, part);
    table_text(t, cli_percent(farm_number(part, "share"), text));
    table_count(t, farm_count(part, "launches"));
    table_count(t, farm_count(part, "results"));
    table_text(t, *farm_text(part, "name") ? farm_text(part, "name") : "(none)");
}

/* baseline: the design that ratios refer to; "" for its own table. */
static int print_parts_of(const json_t *design, const char *kind, const char *baseline, struct err *e)
{
    char title[128];
    struct table_column columns[7] = {{"total", "", true, false}, {"interval", "", false, false}};
    const json_t *parts = farm_member(design, "parts");
    struct table t;
    size_t few = 0, below = 0, n = 2;
    int ret;

    snprintf(title, sizeof title, "of %.100s", baseline);
    if (*baseline)
        columns[n++] = (struct table_column){title, "", true, false};
    columns[n++] = (struct table_column){"share", "", true, false};
    columns[n++] = (struct table_column){"launches", "", true, false};
    columns[n++] = (struct table_column){"results", "", true, false};
    columns[n++] = (struct table_column){kind, "", false, true};
    table_init(&t, columns, n);
    for (size_t i = 0; i < json_array_size(parts); i++) {
        const json_t *part = json_array_get(parts, i);
        bool none = json_is_true(farm_member(part, "below_zero"));

        add_part(&t, part, farm_text(design, "unit"), *baseline);
        below += none;
        few += !none && json_is_true(farm_member(part, "few_results"));
    }
    printf("%s by %s%s:\n", farm_text(design, "design"), kind, below ? "" : "; the rows add up to the whole");
    ret = table_print(&t, false, stdout, e);
    table_release(&t);
    parts_print_few(few, kind);
    parts_print_below_zero(below);
    return ret;
}

int farm_print_domains(const json_t *answer, struct err *e)
{
    const json_t *designs = farm_member(answer, "designs");
    int ret = 0;

    for (size_t i = 0; ret == 0 && i < json_array_size(designs); i++) {
        const json_t *design = json_array_get(designs, i);
        const char *baseline = farm_text(answer, "baseline");

        printf("\n");
        ret = print_parts_of(design, farm_text(answer, "kind"),
                             strcmp(baseline, farm_text(design, "design")) == 0 ? "" : baseline, e);
    }
    return ret;
}

void farm_print_opinions(const json_t *opinions)
{
    const json_t *each = farm_member(opinions, "each");
    char text[CLI_NUMBER];

    for (size_t i = 0; i < json_array_size(each); i++) {
        const json_t *x = json_array_get(each, i);

        printf("    %-18s %s", i ? "" : "opinions", farm_text(x, "estimator"));
        if (*farm_text(x, "why_not"))
            printf(": none, %s\n", farm_text(x, "why_not"));
        else
            printf("%s: %s%s\n", json_is_true(farm_member(x, "used")) ? ", used" : "",
                   isfinite(farm_number(x, "value_s"))
                       ? cli_estimate_seconds(farm_number(x, "value_s"), farm_number(x, "half_width_s"), text)
                       : cli_estimate(farm_number(x, "value"), farm_number(x, "half_width"), "", text),
                   json_is_true(farm_member(x, "disagrees")) ? "; disagrees" : "");
    }
    if (json_is_true(farm_member(opinions, "disagree")))
        printf("    %-18s they disagree: the samples are an unlucky draw, or results do not follow the profile\n",
               "");
}
