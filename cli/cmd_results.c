/* vivace projection, compare, jobs: what came out of a run. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "cli/against.h"
#include "cli/cmd_run.h"
#include "cli/parts.h"

/* One API document of a run: as it is with --json, else shown by `people`. */
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

/* --- vivace projection --- */

static const char projection_help[] =
    "Shows how long the whole workload takes on each design of a run, as far as its results reach: the sampling "
    "error\n"
    "as an interval, the model error where the profiled GPU is among the designs, the sum of all launches and the\n"
    "makespan apart. --json has the strata and cross-checks too.\n"
    "\n"
    "Example:\n"
    "  vivace projection 0193c2da-… --csv\n"
    "  vivace projection 0193c2da-… --estimator ratio --bootstrap\n"
    "  vivace projection 0193c2da-… --opinions\n"
    "\n"
    "--against FILE holds the intervals against a simulation of every launch, as written by\n"
    "`vivace simulate TRACES --gpu … --json`; exit code 65 where an interval does not cover it.\n";

static const struct farm_column projection_columns[] = {
    {{"design", "design", false, false}, "design", FARM_TEXT},
    {{"total", "value_s", true, false}, "projection.value_s", FARM_SECONDS},
    {{"±", "half_width_s", true, false}, "projection.half_width_s", FARM_SECONDS},
    {{"cycles", "value_cycles", true, false}, "projection.value_cycles", FARM_NUMBER},
    {{"±", "half_width_cycles", true, false}, "projection.half_width_cycles", FARM_NUMBER},
    {{"level", "level", true, false}, "projection.confidence", FARM_PERCENT},
    {{"looks", "looks", true, false}, "projection.looks", FARM_COUNT},
    {{"df", "df", true, false}, "projection.df", FARM_NUMBER},
    {{"makespan", "makespan_s", true, false}, "makespan_s", FARM_SECONDS},
    {{"±", "makespan_half_width_s", true, false}, "makespan_half_width_s", FARM_SECONDS},
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

/* What the server works out anew: the estimate as asked, or the metrics. */
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
        return err_set(e, ERR_USAGE, "--against stands alone");
    if (r->metrics && (r->estimator || r->kappa > 0 || r->collapse || r->bootstrap || r->opinions))
        return err_set(e, ERR_USAGE, "--metrics stands alone: rates have an estimate of their own");
    if (r->kappa > 0 && (!r->estimator || strcmp(r->estimator, "difference") != 0))
        return err_set(e, ERR_USAGE, "--kappa goes with --estimator difference");
    if (r->output.csv && asked && !r->metrics)
        return err_set(e, ERR_USAGE, "--csv goes with --metrics, or without a wish for an estimator");
    if (asked)
        return show_question(api, args->items[0], r, e);
    return r->against ? against_full(api, args->items[0], r->against, &r->output, e)
                      : show_run(api, args->items[0], &r->output, "/projection", show_projection, e);
}

int cmd_projection(int argc, char **argv)
{
    struct projection_request r = {.against = NULL};
    const struct cli_option options[] = {
        {"against", 0, CLI_PATH, "FILE", &r.against, "hold the intervals against a simulation of every launch"},
        CLI_ESTIMATOR_OPTIONS(r),
        {"opinions", 0, CLI_FLAG, NULL, &r.opinions,
         "what every estimator says, which was used, whether they disagree"},
        {"metrics", 0, CLI_FLAG, NULL, &r.metrics,
         "totals and rates of the whole: IPC, hit rates, DRAM bytes; quantiles of the launches' times"},
        {.name = NULL}};
    const struct cli_usage usage = {
        "projection",
        "RUN [--estimator NAME] [--bootstrap] [--opinions] | RUN --metrics | RUN --against FULL.json",
        projection_help,
        options,
        &r.output,
        true,
        1,
        1};

    return farm_command(argc, argv, &usage, projection, &r);
}

/* --- vivace compare --- */

static const char compare_help[] =
    "Shows the difference of each design of a run to its first one, or to --baseline, with an "
    "interval. All designs are simulated on the\n"
    "same launches, so a difference is known better than the totals. With --resolve the "
    "run goes on until\n"
    "differences are known to within a share of the first design's total.\n"
    "\n"
    "Examples:\n"
    "  vivace compare 0193c2da-…\n"
    "  vivace compare 0193c2da-… --resolve 1% --budget 4h\n";

static const struct farm_column compare_columns[] = {
    {{"design", "design", false, false}, "design", FARM_TEXT},
    {{"difference", NULL, true, false}, "difference_s,half_width_s", FARM_ESTIMATE_SECONDS},
    {{NULL, "difference_s", true, false}, "difference_s", FARM_SECONDS},
    {{NULL, "half_width_s", true, false}, "half_width_s", FARM_SECONDS},
    {{"ratio", NULL, true, false}, "ratio,ratio_half_width", FARM_RATIO},
    {{NULL, "ratio", true, false}, "ratio", FARM_NUMBER},
    {{NULL, "ratio_half_width", true, false}, "ratio_half_width", FARM_NUMBER},
    {{"level", "level", true, false}, "level", FARM_PERCENT},
    {{"df", "df", true, false}, "df", FARM_NUMBER},
    {{"pairs", "paired_on", true, false}, "paired_on", FARM_COUNT},
    {{"distinguishable", "distinguishable", false, false}, "distinguishable", FARM_TEXT},
};

struct compare_request {
    struct rule_options rule;
    const char *baseline;
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

static int show_comparison(struct api *api, const char *run, const struct compare_request *r, struct err *e)
{
    json_t *v = ask_comparison(api, run, r->baseline, e), *items;
    const struct cli_output *o = &r->output;

    if (!v || o->json)
        return v ? cli_print_json(v, e) : -1;
    items = json_incref((json_t *)farm_member(v, "items"));
    if (!o->csv && json_array_size(items) > 0) {
        const json_t *base = farm_member(v, "baseline");

        printf("against %s:\n", json_is_string(base) ? json_string_value(base) : farm_text(base, "design"));
    }
    json_decref(v);
    return farm_print_list(items ? items : json_array(), compare_columns,
                           sizeof compare_columns / sizeof *compare_columns, o,
                           "the run has one design only: there is nothing to compare", e);
}

static int compare(struct api *api, const struct cli_args *args, void *ctx, struct err *e)
{
    struct compare_request *r = ctx;

    if (r->rule.resolve > 0)
        return run_extend(api, args->items[0], &r->rule, &r->output, e);
    if (rule_options_given(&r->rule))
        return err_set(e, ERR_USAGE, "compare: --budget and the like go with --resolve");
    return show_comparison(api, args->items[0], r, e);
}

int cmd_compare(int argc, char **argv)
{
    struct compare_request r = {.output = {.json = false}};
    const struct cli_option options[] = {
        {"baseline", 0, CLI_TEXT, "DESIGN", &r.baseline, "compare with this design instead of the first"},
        CLI_RULE_OPTIONS(r.rule),
        {.name = NULL}};
    const struct cli_usage usage = {
        "compare", "RUN [--resolve 1%] [--budget 4h]", compare_help, options, &r.output, true, 1, 1};

    return farm_command(argc, argv, &usage, compare, &r);
}

/* --- vivace jobs --- */

static const char jobs_help[] =
    "  vivace jobs RUN [--state S] [--design D] [--stratum N] [--worker W]\n"
    "                                               lists the jobs of a run, with the reason of those that failed\n"
    "  vivace jobs retry JOB                        gives a failed job fresh attempts\n"
    "  vivace jobs show JOB                         one job with all its attempts and their last words\n"
    "\n"
    "States: blocked (its trace is not there), ready, leased, done, failed, cancelled.\n";

static const struct farm_column job_columns[] = {
    {{"job", "id", false, false}, "id", FARM_TEXT},
    {{"launch", "invocation", true, false}, "invocation", FARM_COUNT},
    {{"stratum", "stratum", true, false}, "stratum", FARM_COUNT},
    {{"design", "design", false, false}, "design", FARM_TEXT},
    {{"state", "state", false, false}, "state", FARM_TEXT},
    {{"attempt", "attempt", true, false}, "attempt", FARM_COUNT},
    {{"worker", "worker", false, false}, "worker", FARM_TEXT},
    {{"result", "result", false, false}, "result", FARM_TEXT},
    {{"failure", "failure", false, false}, "failure.class", FARM_TEXT},
    {{"", "detail", false, true}, "failure.detail", FARM_TEXT},
};

struct jobs_request {
    const char *state, *design, *worker;
    uint64_t stratum; /* UINT64_MAX: all */
    struct cli_output output;
};

static void narrow(struct strbuf *path, const char *name, const char *value)
{
    if (!value)
        return;
    strbuf_addf(path, "&%s=", name);
    api_escape(path, value);
}

static int list_jobs(struct api *api, const char *run, const struct jobs_request *r, struct err *e)
{
    struct strbuf path = STRBUF_INIT;
    json_t *items;

    strbuf_adds(&path, "/runs/");
    api_escape(&path, run);
    strbuf_adds(&path, "/jobs?limit=1000");
    narrow(&path, "state", r->state);
    narrow(&path, "design", r->design);
    narrow(&path, "worker", r->worker);
    if (r->stratum != UINT64_MAX)
        strbuf_addf(&path, "&stratum=%llu", (unsigned long long)r->stratum);
    items = path.failed ? NULL : api_list_all(api, path.text, e);
    if (path.failed)
        err_no_memory(e);
    strbuf_release(&path);
    return farm_print_list(items, job_columns, sizeof job_columns / sizeof *job_columns, &r->output, "no such jobs",
                           e);
}

static void print_attempts(const json_t *job)
{
    const json_t *list = farm_member(job, "attempts");

    printf("job %s: launch %llu on %s, %s\n", farm_text(job, "id"),
           (unsigned long long)farm_count(job, "invocation"), farm_text(job, "design"), farm_text(job, "state"));
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *a = json_array_get(list, i);

        printf("\nattempt %llu on %s, %s to %s: %s\n", (unsigned long long)farm_count(a, "number"),
               farm_text(a, "worker"), farm_text(a, "started_at"), farm_text(a, "ended_at"),
               farm_text(a, "outcome"));
        if (*farm_text(a, "message"))
            printf("%s\n", farm_text(a, "message"));
        if (*farm_text(a, "last_lines"))
            printf("%s\n", farm_text(a, "last_lines"));
    }
}

static int one_job(struct api *api, const char *verb, const char *id, const struct cli_output *o, struct err *e)
{
    json_t *v = NULL;
    char *path;
    int ret = 0;

    if (strcmp(verb, "show") == 0) {
        v = farm_get(api, "/jobs/", id, "", e);
    } else if (strcmp(verb, "retry") == 0) {
        path = farm_path("/jobs/", id, "/retry", e);
        if (path)
            ret = api_post(api, path, json_object(), &v, e);
        free(path);
    } else {
        return err_set(e, ERR_USAGE, "jobs: `%s` is neither retry nor show", verb);
    }
    if (ret < 0 || !v)
        return -1;
    if (o->json)
        return cli_print_json(v, e);
    if (strcmp(verb, "show") == 0)
        print_attempts(v);
    else
        printf("job %s: %s\n", id, farm_text(v, "state"));
    json_decref(v);
    return 0;
}

static int jobs(struct api *api, const struct cli_args *args, void *ctx, struct err *e)
{
    const struct jobs_request *r = ctx;

    return args->count == 2 ? one_job(api, args->items[0], args->items[1], &r->output, e)
                            : list_jobs(api, args->items[0], r, e);
}

int cmd_jobs(int argc, char **argv)
{
    struct jobs_request r = {.stratum = UINT64_MAX};
    const struct cli_option options[] = {
        {"state", 's', CLI_TEXT, "STATE", &r.state, "only jobs in this state"},
        {"design", 'd', CLI_TEXT, "NAME", &r.design, "only jobs on this design"},
        {"stratum", 0, CLI_U64, "N", &r.stratum, "only jobs of this stratum, from 0"},
        {"worker", 'w', CLI_TEXT, "NAME", &r.worker, "only jobs that this worker has, or had last"},
        {.name = NULL}};
    const struct cli_usage usage = {"jobs", "RUN | retry JOB | show JOB", jobs_help, options, &r.output, true, 1,
                                    2};

    return farm_command(argc, argv, &usage, jobs, &r);
}
