/* Scores of sampling methods as text: a table for each file and error, warnings, and means over files. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cli/plan/methods_output.h"
#include "cli/output/table.h"

/* The units of cost that are known in this file. */
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

/* Prints each distinct reason of a method once for all errors. */
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
        features |= f->v[i].lacks_features;
    }
    if (features)
        printf("  `vivace trace features TRACES --out F.json` computes all of these from traces; `ncu --csv` has "
               "some.\n"
               "  `--features F.json` adds them.\n");
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
    "\n"
    "by ...: cost of everything / cost of the launches drawn. promised: * is about the profile only.\n"
    "actual: mean error of the repeats. inside: repeats within the promise (the asked error where none is\n"
    "made). covered: repeats whose interval holds the truth, of those that have one. !: see the sentence\n"
    "below the table. `vivace methods --help` explains more.\n";

int methods_print_text(const struct scored_file *files, size_t count, struct err *e)
{
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
