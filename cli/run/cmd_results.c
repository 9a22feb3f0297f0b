/* vivace run projection, compare: the results of a run. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "cli/run/against.h"
#include "cli/run/cmd_run.h"
#include "cli/output/parts.h"

/* Shows one API document of a run: unchanged with --json, else by `people`. */
typedef int (*people_fn)(struct api *api, const char *run, const struct cli_output *o, struct err *e);

static int show_run(struct api *api, const char *run, const struct cli_output *o, const char *json_path,
                    people_fn people, struct err *e)
{
    json_t *v;

    if (!o->json)
        return people(api, run, o, e);
    v = farm_get(api, "/runs/", run, json_path, e);
    return v ? cli_print_json(v, e) : -1;
}

/* --- vivace run projection --- */

static const char projection_help[] =
    "Shows the projected time of the whole workload on each design of a run: the sampling error as an interval, "
    "the model\n"
    "error if the profiled GPU is among the designs, and the sum of all launches and the makespan. If launches "
    "began with\n"
    "empty caches, it also shows the total with fully warm caches. --json also has strata and cross-checks.\n"
    "\n"
    "Example:\n"
    "  vivace run projection 0193c2da-… --csv\n"
    "  vivace run projection 0193c2da-… --estimator ratio --bootstrap\n"
    "  vivace run projection 0193c2da-… --opinions\n"
    "\n"
    "--against FILE compares the intervals with a simulation of every launch, written by\n"
    "`vivace simulate TRACES --gpu … --streams serial --json`. The exit code is 65 if an interval does not contain "
    "it.\n";

static const struct farm_column projection_columns[] = {
    {{"design", "design", false, false}, "design", FARM_TEXT},
    {{"total", "value_s", true, false}, "projection.value_s", FARM_SECONDS},
    {{"±", "half_width_s", true, false}, "projection.half_width_s", FARM_SECONDS},
    {{"cycles", "value_cycles", true, false}, "projection.value_cycles", FARM_NUMBER},
    {{"±", "half_width_cycles", true, false}, "projection.half_width_cycles", FARM_NUMBER},
    {{"empty caches", "empty_caches", true, false}, "projection.empty_caches", FARM_COUNT},
    {{"projected inside", "projected_inside", true, false}, "projection.projected_inside", FARM_COUNT},
    {{"fully warm", "warm_s", true, false}, "projection.warm_bound.value_s", FARM_SECONDS},
    {{"±", "warm_half_width_s", true, false}, "projection.warm_bound.half_width_s", FARM_SECONDS},
    {{"lowest", "low_s", true, false}, "projection.warm_bound.low_s", FARM_SECONDS},
    {{"highest", "high_s", true, false}, "projection.warm_bound.high_s", FARM_SECONDS},
    {{"level", "level", true, false}, "projection.level", FARM_LEVEL},
    {{"looks", "looks", true, false}, "projection.looks", FARM_COUNT},
    {{"df", "df", true, false}, "projection.df", FARM_NUMBER},
    {{"makespan", "makespan_s", true, false}, "makespan_s", FARM_SECONDS},
    {{"±", "makespan_half_width_s", true, false}, "makespan_half_width_s", FARM_SECONDS},
    {{"communication", "communication_s", true, false}, "communication.value_s", FARM_SECONDS},
    {{"±", "communication_half_width_s", true, false}, "communication.half_width_s", FARM_SECONDS},
    {{"model error", "model_error", true, false}, "model_error.relative", FARM_PERCENT},
    {{"cache state", "cache_state", true, false}, "cache_state.relative", FARM_PERCENT},
    {{"done", "done", true, false}, "projection.done", FARM_COUNT},
    {{"planned", "planned", true, false}, "projection.planned", FARM_COUNT},
};

static int show_projection(struct api *api, const char *run, const struct cli_output *o, struct err *e)
{
    json_t *v = farm_get(api, "/runs/", run, "", e);
    int ret = v ? 0 : -1;

    if (v && o->csv)
        ret = farm_print_list(json_incref((json_t *)farm_member(v, "designs")), projection_columns,
                              sizeof projection_columns / sizeof *projection_columns, o, "no designs", e);
    else if (v)
        ret = farm_show_run(api, v, e);
    json_decref(v);
    return ret;
}

struct projection_request {
    const char *against, *estimator;
    double kappa;
    bool collapse, bootstrap, opinions, metrics;
    struct cli_output output;
};

/* ?estimator=ratio&… */
static int estimate_path(const struct projection_request *r, struct strbuf *out)
{
    char number[NUM_TEXT];

    strbuf_addf(out, "/estimate?collapse=%s&bootstrap=%s&opinions=%s", r->collapse ? "true" : "false",
                r->bootstrap ? "true" : "false", r->opinions ? "true" : "false");
    if (r->estimator) {
        strbuf_adds(out, "&estimator=");
        api_escape(out, r->estimator);
    }
    if (r->kappa > 0)
        strbuf_addf(out, "&kappa=%s", num_format(r->kappa, number));
    return out->failed ? -1 : 0;
}

/* Shows the results that the server computes for this request: another estimate, or the metrics. */
static int show_question(struct api *api, const char *run, const struct projection_request *r, struct err *e)
{
    struct strbuf path = STRBUF_INIT;
    json_t *v = NULL;
    int ret = -1;

    if (r->metrics)
        strbuf_adds(&path, "/metrics");
    if ((!r->metrics && estimate_path(r, &path) < 0) || path.failed)
        err_no_memory(e);
    else
        v = farm_get(api, "/runs/", run, path.text, e);
    strbuf_release(&path);
    if (!v)
        return -1;
    if (r->output.json)
        return cli_print_json(v, e);
    ret = 0;
    if (r->metrics)
        ret = farm_print_metrics(v, &r->output, e);
    else
        farm_print_estimate(v);
    json_decref(v);
    return ret;
}

static int projection(struct api *api, const struct cli_args *args, void *ctx, struct err *e)
{
    const struct projection_request *r = ctx;
    bool asked = r->estimator || r->kappa > 0 || r->collapse || r->bootstrap || r->opinions || r->metrics;

    if (r->against && asked)
        return err_set(e, ERR_USAGE, "--against cannot be combined with other options of the projection");
    if (r->metrics && (r->estimator || r->kappa > 0 || r->collapse || r->bootstrap || r->opinions))
        return err_set(e, ERR_USAGE,
                       "--metrics cannot be combined with options of the estimator: rates have their own estimate");
    if (r->kappa > 0 && (!r->estimator || strcmp(r->estimator, "difference") != 0))
        return err_set(e, ERR_USAGE, "--kappa needs --estimator difference");
    if (r->output.csv && asked && !r->metrics)
        return err_set(e, ERR_USAGE, "--csv needs --metrics, or no options of the estimator");
    if (asked)
        return show_question(api, args->items[0], r, e);
    return r->against ? against_full(api, args->items[0], r->against, &r->output, e)
                      : show_run(api, args->items[0], &r->output, "/projection", show_projection, e);
}

int run_projection(int argc, char **argv)
{
    struct projection_request r = {.against = NULL};
    const struct cli_option options[] = {
        {"against", 0, CLI_PATH, "FILE", &r.against, "compare the intervals with a simulation of every launch"},
        CLI_ESTIMATOR_OPTIONS(r),
        {"opinions", 0, CLI_FLAG, NULL, &r.opinions,
         "the result of every estimator, which one was used, and whether they disagree"},
        {"metrics", 0, CLI_FLAG, NULL, &r.metrics,
         "totals and rates of the whole: IPC, hit rates, DRAM bytes, energy; quantiles of the launches' times"},
        {.name = NULL}};
    const struct cli_usage usage = {
        "run projection",
        "RUN [--estimator NAME] [--bootstrap] [--opinions] | RUN --metrics | RUN --against FULL.json",
        projection_help,
        options,
        &r.output,
        true,
        1,
        1};

    return farm_command(argc, argv, &usage, projection, &r);
}

/* --- vivace run compare --- */

static const char compare_help[] =
    "Shows the difference of each design of a run to its first one, or to --baseline, with an interval. All "
    "designs are simulated on the\n"
    "same launches, so a difference has a smaller error than the totals. With --resolve the run continues until\n"
    "differences are known to within a share of the first design's total. The command prints the cost first, and "
    "asks\n"
    "on a terminal. More launches are then simulated on all designs of the run. Meanwhile the last complete answer "
    "is\n"
    "shown. A difference is called cache reversible, not distinguishable, if launches began with empty caches and\n"
    "other cache contents could reverse it.\n"
    "\n"
    "Examples:\n"
    "  vivace run compare 0193c2da-…\n"
    "  vivace run compare 0193c2da-… --resolve 1% --budget 4h\n";

static const struct farm_column compare_columns[] = {
    {{"design", "design", false, false}, "design", FARM_TEXT},
    {{"difference", NULL, true, false}, "difference_s,half_width_s", FARM_ESTIMATE_SECONDS},
    {{NULL, "difference_s", true, false}, "difference_s", FARM_SECONDS},
    {{NULL, "half_width_s", true, false}, "half_width_s", FARM_SECONDS},
    {{"ratio", NULL, true, false}, "ratio,ratio_half_width", FARM_RATIO},
    {{NULL, "ratio", true, false}, "ratio", FARM_NUMBER},
    {{NULL, "ratio_half_width", true, false}, "ratio_half_width", FARM_NUMBER},
    {{"level", "level", true, false}, "level", FARM_LEVEL},
    {{NULL, "confidence", true, false}, "confidence", FARM_NUMBER},
    {{NULL, "intervals", true, false}, "intervals", FARM_COUNT},
    {{NULL, "looks", true, false}, "looks", FARM_COUNT},
    {{"df", "df", true, false}, "df", FARM_NUMBER},
    {{"pairs", "paired_on", true, false}, "paired_on", FARM_COUNT},
    {{"distinguishable", "distinguishable", false, false}, "distinguishable", FARM_TEXT},
    {{"cache reversible", "cache_reversible", false, false}, "cache_reversible", FARM_TEXT},
    {{"projected inside", "projected_inside", true, false}, "projected_inside", FARM_COUNT},
};

struct compare_request {
    struct rule_options rule;
    const char *baseline;
    bool yes;
    struct cli_output output;
};

static json_t *ask_comparison(struct api *api, const char *run, const char *baseline, struct err *e)
{
    struct strbuf path = STRBUF_INIT;
    json_t *v = NULL;

    strbuf_adds(&path, "/compare");
    if (baseline) {
        strbuf_adds(&path, "?baseline=");
        api_escape(&path, baseline);
    }
    if (path.failed)
        err_no_memory(e);
    else
        v = farm_get(api, "/runs/", run, path.text, e);
    strbuf_release(&path);
    return v;
}

static int print_comparison(const json_t *v, const struct cli_output *o, struct err *e)
{
    json_t *items = json_incref((json_t *)farm_member(v, "items"));
    int ret;

    if (!o->csv && json_array_size(items) > 0) {
        farm_print_answer(farm_member(v, "answer"), stdout);
        printf("against %s:\n", farm_text(v, "baseline"));
    }
    ret = farm_print_list(items ? items : json_array(), compare_columns,
                          sizeof compare_columns / sizeof *compare_columns, o,
                          "the run has one design only: there is nothing to compare", e);
    if (ret == 0 && !o->csv)
        farm_print_level_notes(farm_member(v, "items"), "level_note", stdout);
    return ret;
}

static int show_comparison(struct api *api, const char *run, const struct compare_request *r, struct err *e)
{
    json_t *v = ask_comparison(api, run, r->baseline, e);
    int ret;

    if (!v || r->output.json)
        return v ? cli_print_json(v, e) : -1;
    ret = print_comparison(v, &r->output, e);
    json_decref(v);
    return ret;
}

static int compare(struct api *api, const struct cli_args *args, void *ctx, struct err *e)
{
    struct compare_request *r = ctx;

    if (r->rule.resolve > 0)
        return run_extend(api, args->items[0], &r->rule, r->yes, &r->output, e);
    if (rule_options_given(&r->rule))
        return err_set(e, ERR_USAGE, "compare: --budget and similar options need --resolve");
    return show_comparison(api, args->items[0], r, e);
}

int run_compare(int argc, char **argv)
{
    struct compare_request r = {.output = {.json = false}};
    const struct cli_option options[] = {
        {"baseline", 0, CLI_TEXT, "DESIGN", &r.baseline, "compare with this design instead of the first"},
        CLI_RULE_OPTIONS(r.rule),
        RUN_EXTEND_YES(r.yes),
        {.name = NULL}};
    const struct cli_usage usage = {
        "run compare", "RUN [--resolve 1%] [--budget 4h]", compare_help, options, &r.output, true, 1, 1};

    return farm_command(argc, argv, &usage, compare, &r);
}
