/* vivace methods: what every sampling method would cost on a profile, and how near it comes. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "cli/cli.h"
#include "cli/table.h"
#include "ingest/ingest.h"
#include "sampling/evaluate.h"
#include "wire/methods_json.h"

static const char help_text[] =
    "Compares the sampling methods on a profile. Each method plans for each error; then its samples are drawn "
    "again\n"
    "and again, and every draw is projected to the whole and held against the truth, the profile's own total.\n"
    "\n"
    "  speedup    total time / time of the drawn launches (mean over the repeats)\n"
    "  promised   half-width of the interval that the plan aims at; * marks a promise that is about the profile\n"
    "             only, because the method's samples cannot show a spread when they are simulated\n"
    "  actual     mean error of the repeats, and the largest\n"
    "  inside     repeats within the promised error\n"
    "  covered    repeats whose own interval holds the truth; - where they have none\n"
    "\n"
    "The profile's values stand in for simulated ones, so this compares methods; how well strata made on one GPU\n"
    "fit another shows only in a run.\n"
    "\n"
    "Examples:\n"
    "  vivace methods report.sqlite --error 1%,5%\n"
    "  vivace methods trace.json.gz --error 3% --repeats 1000 --csv >methods.csv\n";

#define ERRORS_MOST 16

struct request {
    const char *path, *errors;
    struct plan_params params;
    uint64_t repeats;
    bool cloud;
    struct cli_output output;
};

/* "1%,5%" -> 0.01, 0.05 */
static int parse_errors(const char *text, double out[ERRORS_MOST], size_t *count, struct err *e)
{
    char *copy = mem_strdup(text, e), *rest = copy, *piece;
    int ret = copy ? 0 : -1;

    *count = 0;
    while (ret == 0 && (piece = strsep(&rest, ","))) {
        if (*count == ERRORS_MOST)
            ret = err_set(e, ERR_USAGE, "--error takes at most %d values", ERRORS_MOST);
        else
            ret = parse_share(piece, "--error", &out[(*count)++], e);
    }
    free(copy);
    return ret;
}

static int print_table(const struct evaluation *v, size_t count, bool csv, struct err *e)
{
    static const struct table_column columns[] = {
        {"method", "method", false, false},
        {"error", "error", true, false},
        {"strata", "strata", true, false},
        {"samples", "samples", true, false},
        {"speedup", "speedup", true, false},
        {"promised", "promised_error", true, false},
        {NULL, "promise_valid", false, false},
        {"actual", "actual_error", true, false},
        {"largest", "actual_error_max", true, false},
        {"inside", "inside", true, false},
        {"covered", "covered", true, false},
        {NULL, "intervals", true, false},
        {NULL, "repeats", true, false},
        {"", "why_not", false, false},
    };
    struct table t;
    int ret;

    table_init(&t, columns, sizeof columns / sizeof *columns);
    for (size_t i = 0; i < count; i++) {
        const struct evaluation *row = &v[i];
        char text[CLI_NUMBER], more[CLI_NUMBER + 4];

        table_text(&t, row->method->name);
        table_number(&t, row->params.error, cli_percent(row->params.error, text));
        if (row->why_not) {
            for (size_t k = 2; k + 1 < sizeof columns / sizeof *columns; k++)
                table_pair(&t, "–", "");
            table_text(&t, row->why_not);
            continue;
        }
        table_number(&t, row->strata, cli_number(row->strata, text));
        table_number(&t, row->samples, cli_number(row->samples, text));
        table_number(&t, row->speedup, cli_speedup(row->speedup, text));
        snprintf(more, sizeof more, "%s%s", cli_percent(row->promised_error, text), row->promise_valid ? "" : " *");
        table_number(&t, row->promised_error, more);
        table_text(&t, row->promise_valid ? "true" : "false");
        table_number(&t, row->actual_error, cli_percent(row->actual_error, text));
        table_number(&t, row->actual_error_max, cli_percent(row->actual_error_max, text));
        table_number(&t, row->inside, cli_percent((double)row->inside / row->repeats, text));
        table_number(&t, row->covered,
                     row->intervals ? cli_percent((double)row->covered / row->intervals, text) : "–");
        table_count(&t, row->intervals);
        table_count(&t, row->repeats);
        table_text(&t, "");
    }
    ret = table_print(&t, csv, stdout, e);
    table_release(&t);
    return ret;
}

static int print_json(const struct evaluation *v, size_t count, bool cloud, struct err *e)
{
    struct jw w;
    int ret;

    jw_init(&w, jw_to_file, stdout, e);
    w.indent = true;
    jw_array(&w);
    for (size_t i = 0; i < count; i++)
        evaluation_to_json(&w, &v[i], cloud);
    jw_end(&w, ']');
    ret = jw_finish(&w);
    jw_release(&w);
    return ret;
}

static void show_reading(void *ctx, uint64_t bytes_in, uint64_t rows)
{
    char a[CLI_NUMBER], b[CLI_NUMBER];

    (void)ctx;
    cli_progress("reading: %s, %s launches", cli_bytes((double)bytes_in, a), cli_whole(rows, b));
}

static int evaluate_all(const struct request *q, const struct profile *p, const double *errors, size_t error_count,
                        struct evaluation *v, size_t *count, struct err *e)
{
    for (size_t i = 0; i < error_count; i++) {
        for (size_t m = 0; methods[m]; m++) {
            struct plan_params params = q->params;
            char text[CLI_NUMBER];

            params.error = errors[i];

            cli_progress("%s at %s", methods[m]->name, cli_percent(errors[i], text));
            if (evaluate(methods[m], p, &params, (unsigned)q->repeats, &v[*count], e) < 0)
                return err_wrap(e, "method %s", methods[m]->name);
            ++*count;
        }
    }
    return 0;
}

static int compare_methods(const struct request *q, struct err *e)
{
    const struct ingest_options options = {.progress = show_reading};
    double errors[ERRORS_MOST];
    size_t error_count, method_count = 0, count = 0;
    struct import_report report;
    struct profile profile;
    struct evaluation *v = NULL;
    int ret = -1;

    profile_init(&profile);
    import_report_init(&report);
    if (parse_errors(q->errors, errors, &error_count, e) < 0)
        return -1;
    if (!q->repeats || q->repeats > 1000000)
        return err_set(e, ERR_USAGE, "--repeats must lie between 1 and 1000000");
    while (methods[method_count])
        method_count++;
    cli_progress_begin(&q->output);
    v = mem_zalloc(error_count * method_count, sizeof *v, e);
    if (v && ingest_file(q->path, &options, &profile, &report, e) == 0)
        ret = evaluate_all(q, &profile, errors, error_count, v, &count, e);
    cli_progress_end();
    if (ret == 0)
        ret = q->output.json ? print_json(v, count, q->cloud, e) : print_table(v, count, q->output.csv, e);
    for (size_t i = 0; i < count; i++)
        evaluation_release(&v[i]);
    free(v);
    profile_release(&profile);
    import_report_release(&report);
    return ret;
}

int cmd_methods(int argc, char **argv)
{
    struct request q = {.errors = "1%,5%", .params = PLAN_PARAMS_DEFAULT, .repeats = 100};
    const struct cli_option options[] = {
        {"error", 'e', CLI_TEXT, "LIST", &q.errors, "wanted errors, separated by commas (1%,5%)"},
        {"confidence", 'c', CLI_SHARE, "SHARE", &q.params.confidence, "level of the intervals (95%)"},
        {"repeats", 'r', CLI_U64, "N", &q.repeats, "how often each method draws (100)"},
        {"seed", 's', CLI_U64, "N", &q.params.seed,
         "where the draws start; the same seed gives the same table (1)"},
        {"share", 0, CLI_SHARE, "SHARE", &q.params.share,
         "srs: draw this share of the launches instead of sizing by the error"},
        {"noise-floor", 0, CLI_DOUBLE, "SHARE", &q.params.noise_floor,
         "vivace: least spread to plan with, of the mean (0.005)"},
        {"cloud", 0, CLI_FLAG, NULL, &q.cloud, "with --json: speedup and error of every repeat"},
        {NULL, 0, CLI_FLAG, NULL, NULL, NULL},
    };
    const struct cli_usage usage = {.command = "methods",
                                    .synopsis = "FILE|FOLDER [--error 1%,5%] [--repeats N]",
                                    .text = help_text,
                                    .options = options,
                                    .output = &q.output,
                                    .csv = true,
                                    .least_args = 1,
                                    .most_args = 1};
    struct cli_args args;
    struct err e;
    int r = cli_parse(&usage, argc, argv, &args, &e);

    if (r)
        return cli_parsed(r, &e);
    q.path = args.items[0];
    return cli_end(compare_methods(&q, &e), &e);
}
