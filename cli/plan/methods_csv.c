/* Scores of sampling methods as CSV: one row for each (file, method, error), then the means, which the column
 * `file` marks. */
#include "cli/plan/methods_output.h"
#include "cli/output/table.h"

static const struct table_column csv_columns[] = {
    {"file", "file", false, false},
    {"method", "method", false, false},
    {"error", "error", true, false},
    {"confidence", "confidence", true, false},
    {"strata", "strata", true, false},
    {"samples", "samples", true, false},
    {"distinct", "distinct", true, false},
    {"speedup", "speedup", true, false},
    {"by instructions", "speedup_instructions", true, false},
    {"by seconds", "speedup_seconds", true, false},
    {"promised", "promised_error", true, false},
    {"promise valid", "promise_valid", false, false},
    {"representative", "representative", false, false},
    {"estimator", "estimator", false, false},
    {"variance", "variance", false, false},
    {"actual", "actual_error", true, false},
    {"largest", "actual_error_max", true, false},
    {"inside", "inside", true, false},
    {"covered", "covered", true, false},
    {"intervals", "intervals", true, false},
    {"repeats", "repeats", true, false},
    {"caution", "caution", false, false},
    {"why not", "why_not", false, false},
};
enum { CSV_COLUMNS = sizeof csv_columns / sizeof *csv_columns };

static void csv_blank(struct table *t, int n)
{
    while (n-- > 0)
        table_text(t, "");
}

static void csv_row(struct table *t, const char *file, const struct evaluation *v)
{
    table_text(t, file);
    table_text(t, v->method->name);
    table_number(t, v->params.error, "");
    table_number(t, v->params.confidence, "");
    if (v->why_not) {
        csv_blank(t, CSV_COLUMNS - 5);
        table_text(t, v->why_not);
        return;
    }
    table_number(t, v->strata, "");
    table_number(t, v->samples, "");
    table_number(t, v->distinct, "");
    table_number(t, v->speedup, "");
    table_number(t, v->speedup_instructions, "");
    table_number(t, v->speedup_seconds, "");
    table_number(t, v->promised_error, "");
    table_text(t, v->promise_valid ? "true" : "false");
    table_text(t, v->representative ? "true" : "false");
    table_text(t, plan_estimator_name(v->estimator));
    table_text(t, plan_variance_name(v->variance));
    table_number(t, v->actual_error, "");
    table_number(t, v->actual_error_max, "");
    table_count(t, v->inside);
    table_count(t, v->covered);
    table_count(t, v->intervals);
    table_count(t, v->repeats);
    table_text(t, v->caution);
    table_text(t, "");
}

static void csv_mean(struct table *t, const char *name, const struct method_means *m, const double values[4])
{
    table_text(t, name);
    table_text(t, m->first->method->name);
    table_number(t, m->first->params.error, "");
    table_number(t, m->first->params.confidence, "");
    csv_blank(t, 3);
    for (int i = 0; i < 3; i++)
        table_number(t, values[i], "");
    csv_blank(t, 5);
    table_number(t, values[3], "");
    csv_blank(t, 1);
    table_count(t, m->inside);
    table_count(t, m->covered);
    table_count(t, m->intervals);
    table_count(t, m->repeats);
    csv_blank(t, 2);
}

static void csv_means(struct table *t, const struct method_means *m)
{
    const struct means *of[] = {&m->speedup, &m->speedup_instructions, &m->speedup_seconds, &m->actual_error};
    double harmonic[4], geometric[4], arithmetic[4];

    for (int i = 0; i < 4; i++) {
        harmonic[i] = of[i]->harmonic;
        geometric[i] = of[i]->geometric;
        arithmetic[i] = of[i]->arithmetic;
    }
    csv_mean(t, "harmonic mean", m, harmonic);
    csv_mean(t, "geometric mean", m, geometric);
    csv_mean(t, "arithmetic mean", m, arithmetic);
}

int methods_print_csv(const struct scored_file *files, size_t count, struct err *e)
{
    struct table t;
    int ret;

    table_init(&t, csv_columns, CSV_COLUMNS);
    for (size_t f = 0; f < count; f++)
        for (size_t i = 0; i < files[f].count; i++)
            csv_row(&t, files[f].path, &files[f].v[i]);
    for (size_t i = 0; count > 1 && i < files[0].count; i++) {
        struct method_means m;

        means_over_files(files, count, i, &m);
        csv_means(&t, &m);
    }
    ret = table_print(&t, true, stdout, e);
    table_release(&t);
    return ret;
}
