/* vivace validate: the simulator against values measured on real GPUs. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/array.h"
#include "base/whole_file.h"
#include "cli/validate/validate.h"
#include "simcore/validation/micro.h"

enum { MEASURED_BYTES_MAX = 16 << 20, QUICK = 5 };

static const char help_text[] =
    "Simulates kernels whose times or counters were measured on real GPUs, and compares. This shows how accurate "
    "the\n"
    "simulator is on a card, and for which kinds of kernels. Kernels and measured values are part of the program;\n"
    "no GPU and no trace is needed.\n"
    "\n"
    "  facts      micro-kernels: latencies, rates, bandwidths, atomics (all cards: about two minutes)\n"
    "  counters   counters of four kernels of the CUDA samples and of Rodinia on V100\n"
    "  kernels    times of whole kernels: additions, convolutions, products, streams (all: more than an hour)\n"
    "\n"
    "For each set and family it prints:\n"
    "\n"
    "  rows          compared measurements\n"
    "  error         mean of |simulated / measured - 1|; 0 inside a measured range; rows with a value of 0 do not "
    "count\n"
    "  bias          geometric mean of simulated / measured\n"
    "  log r         correlation of the logarithms\n"
    "  beyond 30 %   rows with a larger error\n"
    "  in tolerance  rows within the tolerance that the table states\n"
    "\n"
    "It also says what of the model was computed from rows of the set: these rows are no independent check.\n"
    "\n"
    "--measured adds a table of your own measurements, with the columns "
    "id,card,mhz,measure,low,high,tol,kind,source:\n"
    "a card and a measurement of --list, the SM clock in MHz (0: that of the design), the measured range, a "
    "tolerance\n"
    "in per cent, and a kind: P (set by a parameter), M (result of several mechanisms) or D (direction of a "
    "change).\n"
    "Lines that begin with # are comments; cells have no commas and no quotes. Bandwidths of kernels and of "
    "--measured\n"
    "are compared as times. To compare launches of your own program use `vivace correlate`.\n"
    "\n"
    "Examples:\n"
    "  vivace validate --gpu v100 --set facts\n"
    "  vivace validate --gpu \"RTX 3080\" --set kernels --quick --html report.html\n"
    "  vivace validate --only F01,F19 --rows\n"
    "  vivace validate --set none --measured mine.csv --csv rows.csv\n"
    "  vivace validate --systems\n";

struct request {
    const char *gpu, *set, *measured, *only, *family, *html, *csv, *pictures, *model_error, *with;
    bool quick, rows, list, check, systems;
    struct cli_output output;
};

/* --- which rows --- */

static bool named(const char *list, const char *id)
{
    size_t n = strlen(id);

    for (const char *at = list; at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL)
        if (strncmp(at, id, n) == 0 && (at[n] == ',' || !at[n]))
            return true;
    return false;
}

static bool is_card(const struct board *b, const char *gpu)
{
    return strcasecmp(b->name, gpu) == 0 || strcasecmp(b->design, gpu) == 0;
}

static bool wanted(const struct request *q, const struct validate *v, const struct fact *f)
{
    const struct board *b = board_find(&v->boards, f->card);
    char kernel[32];

    return (!q->only || named(q->only, f->id)) && (!q->gpu || is_card(b, q->gpu)) &&
           (!q->family || strcmp(fact_kernel(f, kernel), q->family) == 0);
}

static int check_gpu(const struct request *q, const struct validate *v, struct err *e)
{
    for (size_t i = 0; i < v->boards.count; i++)
        if (!q->gpu || is_card(&v->boards.items[i], q->gpu))
            return 0;
    err_set(e, ERR_USAGE, "--gpu: nothing was measured on a card or a design `%s`", q->gpu);
    return err_hint(e, "`vivace validate --list` shows the cards.");
}

/* --- the sets --- */

static int add_builtin(struct validate *v, const char *name, const char *title, struct err *e)
{
    struct validate_set *s = &v->sets[v->set_count++];

    s->name = name;
    s->title = title;
    return facts_builtin(name, &s->facts, e);
}

static int add_measured(struct validate *v, const char *path, struct err *e)
{
    struct validate_set *s = &v->sets[v->set_count++];
    char *text;
    size_t n;
    int ret;

    s->name = "measured";
    s->title = path;
    if (whole_file_read(path, MEASURED_BYTES_MAX, &text, &n, e) < 0)
        return err_hint(e, "--measured takes a CSV file of your own measurements; --help shows its columns.");
    ret = strlen(text) == n ? facts_parse(text, path, &v->boards, &s->facts, e)
                            : err_set(e, ERR_INVALID, "%s is no text: byte %zu is zero", path, strlen(text));
    free(text);
    return ret;
}

static int open_sets(const struct request *q, struct validate *v, struct err *e)
{
    static const struct {
        const char *name, *title;
    } builtin[] = {{"facts", "micro-kernels"},
                   {"counters", "counters of whole kernels"},
                   {"kernels", "times of whole kernels"}};
    bool all = strcmp(q->set, "all") == 0, known = all || strcmp(q->set, "none") == 0;

    for (size_t k = 0; k < sizeof builtin / sizeof *builtin; k++)
        known |= strcmp(q->set, builtin[k].name) == 0;
    if (!known)
        return err_set(e, ERR_USAGE, "--set must be facts, counters, kernels, all or none, not `%s`", q->set);
    if (strcmp(q->set, "none") == 0 && !q->measured)
        return err_set(e, ERR_USAGE, "--set none compares nothing without --measured FILE.csv");
    if (q->model_error && q->with)
        return err_set(e, ERR_USAGE, "--model-error is of unchanged designs: not with --with");
    if (q->measured && add_measured(v, q->measured, e) < 0) /* first: its mistakes are found at once */
        return -1;
    for (size_t k = 0; k < sizeof builtin / sizeof *builtin; k++)
        if ((all || strcmp(q->set, builtin[k].name) == 0) &&
            add_builtin(v, builtin[k].name, builtin[k].title, e) < 0)
            return -1;
    return 0;
}

/* --- measuring --- */

static bool is_bandwidth(const struct fact *f)
{
    char kernel[32];

    return strcmp(micro_find(fact_kernel(f, kernel))->unit, "GB/s") == 0;
}

static void compare(struct validated *r, bool as_times)
{
    const struct fact *f = r->fact;

    r->measured = r->simulated = r->ratio = NAN;
    r->error = fabs(f->error);
    if (f->state == FACT_NOT_MODELLED)
        return;
    r->simulated = f->got;
    r->measured = f->got < f->low ? f->low : f->got > f->high ? f->high : f->got;
    if (!isfinite(r->simulated) || r->simulated <= 0 || r->measured <= 0)
        return;
    if (as_times && is_bandwidth(f)) {
        r->simulated = 1 / r->simulated;
        r->measured = 1 / r->measured;
    }
    r->ratio = r->simulated / r->measured;
    r->error = fabs(r->ratio - 1);
}

static void family_of(const struct fact *f, char out[32])
{
    const char *second = strchr(f->measure, ' ');

    fact_kernel(f, out);
    if (strcmp(out, "counter") == 0 && second)
        snprintf(out, 32, "%.*s", (int)strcspn(second + 1, " "), second + 1);
}

static int measure_row(const struct request *q, struct validate *v, size_t set, struct fact *f, struct err *e)
{
    struct validated *r;

    if (fact_measure(f, &v->boards, q->with, e) < 0 ||
        array_reserve((void **)&v->rows, &v->capacity, v->count + 1, sizeof *v->rows, e) < 0)
        return -1;
    r = &v->rows[v->count++];
    *r = (struct validated){.fact = f, .set = set};
    family_of(f, r->family);
    compare(r, strcmp(v->sets[set].name, "kernels") == 0 || strcmp(v->sets[set].name, "measured") == 0);
    return 0;
}

static int measure_set(const struct request *q, struct validate *v, size_t set, struct err *e)
{
    struct fact_list *l = &v->sets[set].facts;
    size_t chosen = 0, done = 0;

    for (size_t i = 0; i < l->count; i++)
        chosen += wanted(q, v, &l->items[i]);
    for (size_t i = 0, k = 0; i < l->count; i++) {
        if (!wanted(q, v, &l->items[i]))
            continue;
        done++;
        if (q->quick && k++ % QUICK)
            continue;
        cli_progress("%s: %zu of %zu, %s %s", v->sets[set].name, done, chosen, l->items[i].card,
                     l->items[i].measure);
        if (measure_row(q, v, set, &l->items[i], e) < 0)
            return -1;
    }
    return 0;
}

/* --- output --- */

static int check_rows(const struct validate *v, struct err *e)
{
    size_t failed = 0;
    const struct fact *first = NULL;

    for (size_t i = 0; i < v->count; i++) {
        if (v->rows[i].fact->state != FACT_FAIL)
            continue;
        first = first ? first : v->rows[i].fact;
        failed++;
    }
    if (!failed)
        return 0;
    return err_set(e, ERR_INVALID, "%zu of %zu rows are out of tolerance, the first is %s", failed, v->count,
                   first->id);
}

static int write_all(const struct request *q, const struct validate *v, struct err *e)
{
    if ((q->csv && validate_write_csv(v, q->csv, e) < 0) || (q->html && validate_write_html(v, q->html, e) < 0) ||
        (q->pictures && validate_write_pictures(v, q->pictures, e) < 0) ||
        (q->model_error && validate_write_model_error(v, q->model_error, e) < 0) ||
        (q->output.json ? validate_print_json(v, e) : validate_print_text(v, q->rows, e)) < 0)
        return -1;
    return q->check ? check_rows(v, e) : 0;
}

static void print_micro(const struct micro *m)
{
    printf("  %-14s %s %s%s%s\n", m->name, m->args, *m->unit ? "[" : "", m->unit, *m->unit ? "]" : "");
    cli_print_wrapped("", m->sentence, 17);
}

static void print_list(const struct validate *v)
{
    printf("cards\n");
    for (size_t i = 0; i < v->boards.count; i++)
        printf("  %-14s %s %s\n", v->boards.items[i].name, v->boards.items[i].design, v->boards.items[i].changes);
    printf("\nmeasurements; \"with gpu.sms=40\" changes parameters, \" / \" and \" - \" join two\n");
    for (const struct micro *const *list = micro_lists; *list; list++)
        for (const struct micro *m = *list; m->name; m++)
            print_micro(m);
}

static int validate(const struct request *q, struct validate *v, struct err *e)
{
    if (boards_builtin(&v->boards, e) < 0)
        return -1;
    if (q->list) {
        print_list(v);
        return 0;
    }
    if (check_gpu(q, v, e) < 0 || open_sets(q, v, e) < 0)
        return -1;
    for (size_t i = 0; i < v->set_count; i++)
        if (measure_set(q, v, i, e) < 0)
            return -1;
    cli_progress_end();
    if (v->count)
        return write_all(q, v, e);
    err_set(e, ERR_NOT_FOUND, "no measurement was chosen: --gpu, --set, --only and --family leave none");
    return err_hint(e, "`vivace validate --list` shows the cards; `--set all` has every row.");
}

static void validate_release(struct validate *v)
{
    for (size_t i = 0; i < v->set_count; i++)
        facts_release(&v->sets[i].facts);
    boards_release(&v->boards);
    free(v->rows);
}

int cmd_validate(int argc, char **argv)
{
    struct request q = {.set = "facts"};
    const struct cli_option options[] = {
        {"gpu", 'g', CLI_TEXT, "NAME", &q.gpu, "only this card or design (default: all)"},
        {"set", 's', CLI_TEXT, "SET", &q.set, "facts (the default), counters, kernels, all, or none"},
        {"measured", 0, CLI_PATH, "FILE.csv", &q.measured, "also compare with this table of measurements"},
        {"only", 0, CLI_TEXT, "ID,ID", &q.only, "only these rows"},
        {"family", 0, CLI_TEXT, "NAME", &q.family, "only this measurement, such as stream"},
        {"with", 0, CLI_TEXT, "CHANGES", &q.with, "change every design first: \"model.noc=flit gpu.sms=x0.5\""},
        {"quick", 0, CLI_FLAG, NULL, &q.quick, "every fifth row"},
        {"rows", 0, CLI_FLAG, NULL, &q.rows, "print every row, not only the worst"},
        {"csv", 0, CLI_PATH, "FILE", &q.csv, "write all rows to FILE"},
        {"html", 0, CLI_PATH, "FILE", &q.html, "write a report of one page, with pictures"},
        {"pictures", 0, CLI_PATH, "FOLDER", &q.pictures, "write the pictures of docs/VALIDATION.md"},
        {"model-error", 0, CLI_PATH, "FILE", &q.model_error, "write the error by design and kernel class (CSV)"},
        {"check", 0, CLI_FLAG, NULL, &q.check, "exit code 65 if a row is out of tolerance"},
        {"list", 0, CLI_FLAG, NULL, &q.list, "list the cards and the measurements"},
        {"systems", 0, CLI_FLAG, NULL, &q.systems, "instead: copies between GPUs and with the host, on systems"},
        {NULL, 0, CLI_FLAG, NULL, NULL, NULL},
    };
    const struct cli_usage usage = {.command = "validate",
                                    .synopsis = "[--gpu NAME] [--set SET] [--html FILE] [--csv FILE]",
                                    .text = help_text,
                                    .options = options,
                                    .output = &q.output};
    struct validate v = {0};
    struct cli_args args;
    struct err e;
    int ret, parsed = cli_parse(&usage, argc, argv, &args, &e);

    if (parsed)
        return cli_parsed(parsed, &e);
    if (q.systems)
        return cli_end(validate_systems(q.output.json, q.check, &e), &e);
    cli_progress_begin(&q.output);
    ret = validate(&q, &v, &e);
    cli_progress_end();
    validate_release(&v);
    return cli_end(ret, &e);
}
