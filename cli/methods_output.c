#include "cli/methods_output.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "cli/table.h"
#include "sampling/profile.h"
#include "wire/methods_json.h"

/* --- the hold-out --- */

enum { EXAMPLES = 2 };

static void describe_side(struct strbuf *b, const struct match_side *side, const struct profile *p,
                          const char *other)
{
    char text[MATCH_LAUNCH], n[CLI_NUMBER];

    for (int why = 0; why < MATCH_REASONS; why++) {
        if (!side->count[why])
            continue;
        strbuf_addf(b, "           %s launches are not in the %s: %s\n", cli_whole(side->count[why], n), other,
                    match_reason_sentence((enum match_reason)why));
        for (size_t i = 0; i < side->example_count[why] && i < EXAMPLES; i++)
            strbuf_addf(b, "             %s\n", match_launch_text(p, side->examples[why][i], text));
    }
}

void holdout_describe(struct holdout *h, const struct match *m, const struct profile *a, const struct profile *b)
{
    h->matched = m->matched;
    h->count = a->count;
    h->other_count = b->count;
    h->share = (double)m->a.unmatched_value / (double)profile_total(a);
    h->other_share = (double)m->b.unmatched_value / (double)profile_total(b);
    describe_side(&h->report, &m->a, a, "scored profile");
    describe_side(&h->report, &m->b, b, "planned one");
}

void holdout_release(struct holdout *h)
{
    strbuf_release(&h->report);
}

/* --- means over files --- */

void means_over_files(const struct scored_file *files, size_t count, size_t row, struct method_means *out)
{
    *out = (struct method_means){.first = &files[0].v[row]};
    for (size_t f = 0; f < count; f++) {
        const struct evaluation *v = &files[f].v[row];

        if (v->why_not)
            continue;
        means_add(&out->speedup, v->speedup);
        means_add(&out->speedup_instructions, v->speedup_instructions);
        means_add(&out->speedup_seconds, v->speedup_seconds);
        means_add(&out->actual_error, v->actual_error);
        out->inside += v->inside;
        out->repeats += v->repeats;
        out->covered += v->covered;
        out->intervals += v->intervals;
    }
    means_finish(&out->speedup);
    means_finish(&out->speedup_instructions);
    means_finish(&out->speedup_seconds);
    means_finish(&out->actual_error);
}

/* --- JSON --- */

static void write_means(struct jw *w, const char *name, const struct means *m)
{
    jw_key(w, name);
    jw_object_inline(w);
    jw_key_double(w, "harmonic", m->harmonic);
    jw_key_double(w, "geometric", m->geometric);
    jw_key_double(w, "arithmetic", m->arithmetic);
    jw_end(w, '}');
}

static void write_all_means(struct jw *w, const struct scored_file *files, size_t count)
{
    jw_key(w, "means");
    jw_array(w);
    for (size_t i = 0; count > 1 && i < files[0].count; i++) {
        struct method_means m;

        means_over_files(files, count, i, &m);
        jw_object(w);
        jw_key_text(w, "method", m.first->method->name);
        jw_key_text(w, "title", m.first->method->title);
        jw_key_double(w, "error", m.first->params.error);
        jw_key_u64(w, "workloads", m.speedup.count);
        write_means(w, "speedup", &m.speedup);
        write_means(w, "speedup_instructions", &m.speedup_instructions);
        write_means(w, "speedup_seconds", &m.speedup_seconds);
        write_means(w, "actual_error", &m.actual_error);
        jw_key_u64(w, "inside", m.inside);
        jw_key_u64(w, "repeats", m.repeats);
        jw_key_u64(w, "covered", m.covered);
        jw_key_u64(w, "intervals", m.intervals);
        jw_end(w, '}');
    }
    jw_end(w, ']');
}

static void write_holdout(struct jw *w, const struct holdout *h)
{
    jw_key(w, "holdout");
    if (!h->path) {
        jw_null(w);
        return;
    }
    jw_object(w);
    jw_key_text(w, "file", h->path);
    jw_key_u64(w, "matched", h->matched);
    jw_key_u64(w, "unmatched_planned", h->count - h->matched);
    jw_key_double(w, "unmatched_planned_share", h->share);
    jw_key_u64(w, "unmatched_scored", h->other_count - h->matched);
    jw_key_double(w, "unmatched_scored_share", h->other_share);
    jw_end(w, '}');
}

static int print_json(const struct scored_file *files, size_t count, bool cloud, struct err *e)
{
    struct jw w;
    int ret;

    jw_init(&w, jw_to_file, stdout, e);
    w.indent = true;
    jw_object(&w);
    jw_key(&w, "items");
    jw_array(&w);
    for (size_t f = 0; f < count; f++)
        for (size_t i = 0; i < files[f].count; i++)
            evaluation_to_json(&w, &files[f].v[i], files[f].path, cloud);
    jw_end(&w, ']');
    write_all_means(&w, files, count);
    write_holdout(&w, &files[0].holdout);
    jw_end(&w, '}');
    ret = jw_finish(&w);
    jw_release(&w);
    return ret;
}

/* --- CSV: a row each (file, method, error), then the means, named in the column `file` --- */

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

static int print_csv(const struct scored_file *files, size_t count, struct err *e)
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

/* --- for people: a table each file and error --- */

/* Which currencies are known in this file. */
struct known {
    bool instructions, seconds;
};

static struct known known_in(const struct scored_file *f)
{
    struct known k = {false, false};

    for (size_t i = 0; i < f->count; i++) {
        k.instructions |= !f->v[i].why_not && !isnan(f->v[i].speedup_instructions);
        k.seconds |= !f->v[i].why_not && !isnan(f->v[i].speedup_seconds);
    }
    return k;
}

/* "270", or "270/262" where launches were drawn more than once. */
static void table_samples(struct table *t, const struct evaluation *v)
{
    char a[CLI_NUMBER], b[CLI_NUMBER], both[2 * CLI_NUMBER + 2];

    snprintf(both, sizeof both, "%s", cli_number(v->samples, a));
    if (strcmp(a, cli_number(v->distinct, b)) != 0)
        snprintf(both, sizeof both, "%s/%s", a, b);
    table_text(t, both);
}

static void table_part(struct table *t, unsigned k, unsigned n)
{
    char text[32];

    snprintf(text, sizeof text, "%u/%u", k, n);
    table_text(t, n ? text : "–");
}

static void table_speedup(struct table *t, double x)
{
    char text[CLI_NUMBER];

    table_text(t, cli_speedup(x, text));
}

static void table_percent(struct table *t, double x, const char *mark)
{
    char text[CLI_NUMBER], marked[CLI_NUMBER + 4];

    snprintf(marked, sizeof marked, "%s%s", cli_percent(x, text), mark);
    table_text(t, marked);
}

static void people_row(struct table *t, const struct evaluation *v)
{
    char name[40], text[CLI_NUMBER];

    snprintf(name, sizeof name, "%s%s", v->method->name, *v->caution ? " !" : "");
    table_text(t, name);
    table_text(t, cli_number(v->strata, text));
    table_samples(t, v);
    table_speedup(t, v->speedup);
    table_speedup(t, v->speedup_instructions);
    table_speedup(t, v->speedup_seconds);
    table_percent(t, v->promised_error, isnan(v->promised_error) || v->promise_valid ? "" : " *");
    table_percent(t, v->actual_error, "");
    table_percent(t, v->actual_error_max, "");
    table_part(t, v->inside, v->repeats);
    table_part(t, v->covered, v->intervals);
}

static int print_error(const struct scored_file *f, double error, struct err *e)
{
    struct known k = known_in(f);
    const struct table_column columns[] = {
        {"method", "method", false, false},
        {"strata", "strata", true, false},
        {"samples", "samples", true, false},
        {"by time", "speedup", true, false},
        {k.instructions ? "by instr." : NULL, "speedup_instructions", true, false},
        {k.seconds ? "by seconds" : NULL, "speedup_seconds", true, false},
        {"promised", "promised_error", true, false},
        {"actual", "actual_error", true, false},
        {k.instructions && k.seconds ? NULL : "largest", "actual_error_max", true, false},
        {"inside", "inside", true, false},
        {"covered", "covered", true, false},
    };
    struct table t;
    char text[CLI_NUMBER];
    int ret;

    printf("\nerror %s at %s\n", cli_percent(error, text),
           cli_percent(f->v[0].params.confidence, (char[CLI_NUMBER]){0}));
    table_init(&t, columns, sizeof columns / sizeof *columns);
    for (size_t i = 0; i < f->count; i++)
        if (f->v[i].params.error == error && !f->v[i].why_not)
            people_row(&t, &f->v[i]);
    ret = table_print(&t, false, stdout, e);
    table_release(&t);
    return ret;
}

static void print_cautions(const struct scored_file *f)
{
    char text[CLI_NUMBER];

    for (size_t i = 0; i < f->count; i++)
        if (*f->v[i].caution) {
            printf("\n! %s at %s\n", f->v[i].method->name, cli_percent(f->v[i].params.error, text));
            cli_print_wrapped("", f->v[i].caution, 2);
        }
}

/* Each reason of a method once, whatever the error. */
static void print_refusals(const struct scored_file *f)
{
    bool any = false, features = false;

    for (size_t i = 0; i < f->count; i++) {
        bool said = !f->v[i].why_not;

        for (size_t k = 0; k < i && !said; k++)
            said = f->v[k].method == f->v[i].method && f->v[k].why_not &&
                   strcmp(f->v[k].why_not, f->v[i].why_not) == 0;
        if (said)
            continue;
        printf("%s  %-13s %s\n", any ? "" : "\ncannot run here\n", f->v[i].method->name, f->v[i].why_not);
        any = true;
        features |= f->v[i].method->needs != 0;
    }
    if (features)
        printf(
            "  `vivace trace features TRACES --out F.json` counts all of these in traces; `ncu --csv` has some.\n");
}

static void print_holdout(const struct holdout *h)
{
    char a[CLI_NUMBER], b[CLI_NUMBER], c[CLI_NUMBER];

    if (!h->path)
        return;
    printf("scored on  %s\n", h->path);
    printf("matched    %s of %s launches by order within their kernel; %s of the total has no partner\n",
           cli_whole(h->matched, a), cli_whole(h->count, b), cli_percent(h->share, c));
    if (h->other_count > h->matched)
        printf("           %s launches of the scored profile, %s of its total, have none either\n",
               cli_whole(h->other_count - h->matched, a), cli_percent(h->other_share, b));
    fputs(h->report.text, stdout);
}

static int print_file(const struct scored_file *f, struct err *e)
{
    printf("file       %s\n", f->path);
    print_holdout(&f->holdout);
    for (size_t i = 0; i < f->count; i++)
        if ((i == 0 || f->v[i].params.error != f->v[i - 1].params.error) &&
            print_error(f, f->v[i].params.error, e) < 0)
            return -1;
    print_cautions(f);
    print_refusals(f);
    return 0;
}

static int print_means(const struct scored_file *files, size_t count, struct err *e)
{
    static const struct table_column columns[] = {
        {"method", "method", false, false},  {"error", "error", true, false}, {"files", "files", true, false},
        {"harmonic", "a", true, false},      {"geometric", "b", true, false}, {"arithmetic", "c", true, false},
        {"error: arith.", "d", true, false}, {"geom.", "g", true, false},     {"inside", "e", true, false},
        {"covered", "f", true, false},
    };
    struct table t;
    int ret;

    printf("\nmeans over %zu files: of the speedup by time harmonic, geometric, arithmetic; of the actual error\n",
           count);
    table_init(&t, columns, sizeof columns / sizeof *columns);
    for (size_t i = 0; i < files[0].count; i++) {
        struct method_means m;

        means_over_files(files, count, i, &m);
        if (!m.speedup.count)
            continue;
        table_text(&t, m.first->method->name);
        table_percent(&t, m.first->params.error, "");
        table_count(&t, m.speedup.count);
        table_speedup(&t, m.speedup.harmonic);
        table_speedup(&t, m.speedup.geometric);
        table_speedup(&t, m.speedup.arithmetic);
        table_percent(&t, m.actual_error.arithmetic, "");
        table_percent(&t, m.actual_error.geometric, "");
        table_part(&t, m.inside, m.repeats);
        table_part(&t, m.covered, m.intervals);
    }
    ret = table_print(&t, false, stdout, e);
    table_release(&t);
    return ret;
}

static const char legend[] =
    "\nby ...: cost of everything / cost of the launches drawn. promised: * is about the profile only.\n"
    "actual: mean error of the repeats. inside: repeats within the promise (the asked error where none is\n"
    "made). covered: repeats whose interval holds the truth, of those that have one. !: see the sentence\n"
    "below the table. `vivace methods --help` tells more.\n";

int methods_print(const struct scored_file *files, size_t count, const struct cli_output *output, bool cloud,
                  struct err *e)
{
    if (output->json)
        return print_json(files, count, cloud, e);
    if (output->csv)
        return print_csv(files, count, e);
    for (size_t f = 0; f < count; f++) {
        fputs(f ? "\n" : "", stdout);
        if (print_file(&files[f], e) < 0)
            return -1;
    }
    if (count > 1 && print_means(files, count, e) < 0)
        return -1;
    fputs(legend, stdout);
    return 0;
}

/* --- the list of methods --- */

static int print_list_json(struct err *e)
{
    struct jw w;
    int ret;

    jw_init(&w, jw_to_file, stdout, e);
    w.indent = true;
    jw_object(&w);
    jw_key(&w, "items");
    jw_array(&w);
    for (size_t i = 0; methods[i]; i++)
        method_to_json(&w, methods[i]);
    jw_end(&w, ']');
    jw_end(&w, '}');
    ret = jw_finish(&w);
    jw_release(&w);
    return ret;
}

static int print_list_csv(struct err *e)
{
    static const struct table_column columns[] = {{NULL, "name", false, false},
                                                  {NULL, "title", false, false},
                                                  {NULL, "sentence", false, false},
                                                  {NULL, "needs_sentence", false, false}};
    struct table t;
    int ret;

    table_init(&t, columns, sizeof columns / sizeof *columns);
    for (size_t i = 0; methods[i]; i++) {
        struct strbuf needs = STRBUF_INIT;

        method_needs_text(methods[i], &needs);
        table_text(&t, methods[i]->name);
        table_text(&t, methods[i]->title);
        table_text(&t, methods[i]->sentence);
        table_text(&t, needs.text);
        strbuf_release(&needs);
    }
    ret = table_print(&t, true, stdout, e);
    table_release(&t);
    return ret;
}

int methods_print_list(const struct cli_output *output, struct err *e)
{
    if (output->json)
        return print_list_json(e);
    if (output->csv)
        return print_list_csv(e);
    for (size_t i = 0; methods[i]; i++) {
        struct strbuf needs = STRBUF_INIT;

        method_needs_text(methods[i], &needs);
        printf("%s%s (%s)\n", i ? "\n" : "", methods[i]->name, methods[i]->title);
        cli_print_wrapped("", methods[i]->sentence, 4);
        cli_print_wrapped("", needs.text, 4);
        strbuf_release(&needs);
    }
    return 0;
}
