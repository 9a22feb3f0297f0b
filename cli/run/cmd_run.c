/* vivace run create, list, cancel ..., watch: starts runs of a plan on designs, and follows them. */
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cli/run/cmd_run.h"
#include "cli/client/farm.h"
#include "cli/nouns.h"

/* --- Following --- */

/* The time left, with its error where that is known. */
static const char *time_left(const json_t *run, char out[CLI_NUMBER])
{
    double eta = farm_number(run, "eta_s"), error = farm_number(run, "eta_error_s");

    return isfinite(error) ? cli_estimate_seconds(eta, error, out) : cli_seconds(eta, out);
}

/* Adds the estimate of one design. In a run with a stopping rule, the half-width is also shown as a share. */
static void add_design(struct strbuf *b, const json_t *d, bool ruled)
{
    double value = farm_number(d, "projection.value_s"), half = farm_number(d, "projection.half_width_s");
    char a[CLI_NUMBER];

    if (!isfinite(value))
        return;
    if (estimate_says_nothing(value, half)) {
        strbuf_addf(b, "; %s: too few results for a useful interval", farm_text(d, "design"));
        return;
    }
    strbuf_addf(b, "; %s %s", farm_text(d, "design"), cli_estimate_seconds(value, half, a));
    if (ruled && isfinite(half) && value > 0)
        strbuf_addf(b, " (± %s)", cli_percent(half / value, a));
}

static void show_progress(const json_t *run)
{
    const json_t *designs = farm_member(run, "designs");
    struct strbuf b = STRBUF_INIT;
    char a[CLI_NUMBER], c[CLI_NUMBER];

    strbuf_addf(&b, "%s of %s done", cli_whole(farm_count(run, "counts.done"), a),
                cli_whole(farm_count(run, "jobs"), c));
    if (farm_count(run, "counts.leased"))
        strbuf_addf(&b, ", %s running", cli_whole(farm_count(run, "counts.leased"), a));
    if (farm_count(run, "counts.blocked"))
        strbuf_addf(&b, ", %s wait for traces", cli_whole(farm_count(run, "counts.blocked"), a));
    if (farm_count(run, "counts.failed"))
        strbuf_addf(&b, ", %s failed", cli_whole(farm_count(run, "counts.failed"), a));
    if (json_is_object(farm_member(run, "answer.under_way")))
        strbuf_adds(&b, "; last answer");
    for (size_t i = 0; i < json_array_size(designs) && i < 4; i++)
        add_design(&b, json_array_get(designs, i), json_is_object(farm_member(run, "rule")));
    if (isfinite(farm_number(run, "eta_s")))
        strbuf_addf(&b, "; %s left", time_left(run, a));
    cli_progress("%s", b.text);
    strbuf_release(&b);
}

static bool ended(const char *state)
{
    return strcmp(state, "done") == 0 || strcmp(state, "failed") == 0 || strcmp(state, "cancelled") == 0;
}

static int judge(const json_t *run, struct err *e)
{
    uint64_t failed = farm_count(run, "counts.failed");
    char n[CLI_NUMBER];

    if (strcmp(farm_text(run, "state"), "cancelled") == 0)
        return err_set(e, ERR_SIMULATION, "the run was cancelled");
    if (strcmp(farm_text(run, "state"), "done") == 0 && failed == 0)
        return 0;
    err_set(e, ERR_SIMULATION, "%s of the run failed", cli_counted(failed, "job", NULL, n));
    return err_hint(e, "`vivace job list %s --state failed` shows the reasons", farm_text(run, "id"));
}

/* The number of the interim analysis that waits for an answer of the user; 0: none does. */
static size_t asks(const json_t *run)
{
    const json_t *analyses = farm_member(run, "looks");
    size_t n = json_array_size(analyses);

    return n > 0 && strcmp(farm_text(json_array_get(analyses, n - 1), "extension.answer"), "waiting") == 0 ? n : 0;
}

/* Prints each new interim analysis, and the commands that answer it where it waits for an answer. */
static void print_analyses(const json_t *run, size_t *shown)
{
    const json_t *analyses = farm_member(run, "looks");

    for (; *shown < json_array_size(analyses); ++*shown) {
        cli_note("interim analysis %zu: %s", *shown + 1, farm_text(json_array_get(analyses, *shown), "reason"));
        if (asks(run) == *shown + 1)
            cli_note("`vivace run accept %s`, or undo", farm_text(run, "id"));
    }
}

/* Reports a run that waits for traces, or for a worker with its simulator, also where progress is not shown. It
 * reports once for each plan, since each extension has a new plan. reported: the plan of the last report. */
static void report_waits(struct api *api, const json_t *run, char reported[80])
{
    struct err ignored; /* the next request to the farm reports the error */
    bool stranded = json_is_object(farm_member(run, "stranded"));

    if (!(stranded || (farm_count(run, "counts.blocked") && !farm_count(run, "counts.ready"))) ||
        farm_count(run, "counts.leased") || strcmp(reported, farm_text(run, "plan")) == 0)
        return;
    snprintf(reported, 80, "%s", farm_text(run, "plan"));
    cli_progress_end();
    farm_print_waits(api, run, stderr, &ignored);
}

int farm_watch_run(struct api *api, const char *run, json_t **out, struct err *e)
{
    struct timespec pause = {0, 500000000};
    char reported[80] = "";
    size_t analyses = 0;

    *out = NULL;
    for (;;) {
        json_t *v = farm_get(api, "/runs/", run, "", e);

        json_decref(*out);
        *out = v;
        if (!v)
            return -1;
        if (ended(farm_text(v, "state")))
            break;
        report_waits(api, v, reported);
        print_analyses(v, &analyses);
        show_progress(v);
        nanosleep(&pause, NULL);
    }
    cli_progress_end();
    return judge(*out, e);
}

/* Shows a run that was followed to its end, also where it failed. */
static int show_ended(struct api *api, int ret, json_t *run, const struct cli_output *o, struct err *e)
{
    struct err ignored;

    if (run && o->json) {
        if (cli_print_json(json_incref(run), ret < 0 ? &ignored : e) < 0 && ret == 0)
            ret = -1;
    } else if (run && farm_show_run(api, run, &ignored) < 0) {
        farm_print_run(run, NULL); /* shown without the reasons for unknown parts */
    }
    json_decref(run);
    return ret;
}

/* --- vivace run create --- */

static const char run_help[] =
    "Simulates the launches of a plan on one or several GPU designs: one job for each launch and design. The first "
    "design\n"
    "is the baseline of comparisons. Jobs whose trace is not on the farm yet wait for it. A launch that any run "
    "simulated\n"
    "before is not simulated again.\n"
    "\n"
    "--engine replay uses the profiled time as the simulated time: no traces, no simulator. This shows the "
    "sampling error\n"
    "alone.\n"
    "\n"
    "The run has a stopping rule. It begins with a part of the plan, and analyses the results. Where the\n"
    "variance is large, it draws more launches. It ends when each total is known to within the plan's error\n"
    "(another error: --until), or when the budget is spent (docs/runs.md). --fixed simulates exactly the launches "
    "of the\n"
    "plan. The width of the interval then depends on how far times on the design spread. Plans whose method "
    "chooses its\n"
    "samples by a rule, and --engine replay, are always fixed.\n"
    "\n"
    "Examples:\n"
    "  vivace run create 0193c2d9-… --gpu v100,h100 --wait\n"
    "  vivace run create 0193c2d9-… --gpu v100,h100 --until 2% --budget 4h --wait\n"
    "  vivace run create 0193c2d9-… --gpu v100,h100 --fixed --wait\n"
    "  vivace run create 0193c2d9-… --engine replay --wait\n";

struct run_request {
    struct rule_options rule;
    const char *gpus, *engine;
    double priority, inside_kernels;
    uint64_t cache_check; /* number of launches; UINT64_MAX: the farm's default */
    bool wait, fixed, allow_foreign;
    struct cli_output output;
};

/* Sets the default of the stopping rule: a run continues until the plan's error is reached. Not where a fixed size
 * was requested, for the run or for its plan, and not where the plan cannot be extended. */
static int default_rule(struct api *api, const char *plan, struct run_request *r, struct err *e)
{
    char *path;
    json_t *document = NULL;
    int ret;

    if (r->fixed || r->rule.until > 0 || r->rule.resolve > 0)
        return 0;
    path = farm_path("/plans/", plan, "", e);
    ret = path ? api_get(api, path, &document, e) : -1;
    if (ret == 0 && json_is_true(farm_member(document, "extensible")) && !(farm_number(document, "budget") > 0) &&
        !(farm_number(document, "share") > 0))
        r->rule.until = farm_number(document, "error");
    json_decref(document);
    free(path);
    return ret;
}

static int start_run(struct api *api, const char *plan, const struct run_request *r, json_t **run, struct err *e)
{
    struct json_obj o = json_obj_begin();
    char *path = farm_path("/plans/", plan, "/runs", e);
    int ret = path ? rule_options_put(&r->rule, &o, e) : -1;
    json_t *body;

    json_put(&o, "designs", farm_list(r->gpus ? r->gpus : ""));
    json_put_str(&o, "engine", r->engine);
    if (r->priority != 0)
        json_put_double(&o, "priority", r->priority);
    if (r->inside_kernels > 0)
        json_put_double(&o, "inside_kernels", r->inside_kernels);
    if (r->allow_foreign)
        json_put_bool(&o, "allow_foreign_isa", true);
    if (r->cache_check != UINT64_MAX)
        json_put_u64(&o, "cache_check", r->cache_check);
    body = json_obj_end(&o);
    if (ret == 0)
        ret = api_post(api, path, body, run, e);
    else
        json_decref(body);
    free(path);
    return ret;
}

static int run_plan(struct api *api, const char *plan, struct run_request *r, struct err *e)
{
    json_t *run = NULL, *last = NULL;
    char a[CLI_NUMBER], b[CLI_NUMBER];
    int ret = 0;

    if (default_rule(api, plan, r, e) < 0 || start_run(api, plan, r, &run, e) < 0)
        return -1;
    if (r->wait) {
        cli_note("run %s", farm_text(run, "id"));
        ret = farm_watch_run(api, farm_text(run, "id"), &last, e);
        ret = show_ended(api, ret, last, &r->output, e);
    } else if (r->output.json) {
        ret = cli_print_json(json_incref(run), e);
    } else {
        printf("run   %s\njobs  %s, of which %s were known already\nnext  vivace run watch %s\n",
               farm_text(run, "id"), cli_whole(farm_count(run, "jobs"), a), cli_whole(farm_count(run, "cached"), b),
               farm_text(run, "id"));
    }
    json_decref(run);
    return ret;
}

int run_create(int argc, char **argv)
{
    struct run_request r = {.engine = "cycle", .cache_check = UINT64_MAX};
    const struct cli_option options[] = {
        {"gpu", 'g', CLI_TEXT, "A,B", &r.gpus,
         "designs, by name or id (`vivace design list --farm`); the first is the baseline"},
        {"engine", 0, CLI_TEXT, "NAME", &r.engine, "cycle: simulate (default); replay: the profiled times"},
        {"priority", 0, CLI_DOUBLE, "N", &r.priority,
         "-100 to 100: runs of your team with a higher number go first"},
        CLI_RULE_OPTIONS(r.rule),
        {"fixed", 0, CLI_FLAG, NULL, &r.fixed,
         "exactly the launches of the plan, whatever the width of the interval"},
        {"inside-kernels", 0, CLI_SHARE, "ERROR", &r.inside_kernels,
         "stop inside launches when the rest is known to ± ERROR of their cycles, 1% to 8%; at most half of "
         "--until"},
        {"cache-check", 0, CLI_U64, "N", &r.cache_check,
         "after the run, simulate N launches again after a replay of the launches before them; 3 if the farm has "
         "their traces"},
        {"allow-foreign-isa", 0, CLI_FLAG, NULL, &r.allow_foreign,
         "simulate also instructions that a design's GPU does not have, with the nearest unit that it has"},
        {"wait", 0, CLI_FLAG, NULL, &r.wait, "follow the run, then print its projection"},
        {.name = NULL}};
    const struct cli_usage usage = {"run create",
                                    "PLAN --gpu A,B [--until 2% | --fixed] [--budget 4h] [--wait]",
                                    run_help,
                                    options,
                                    &r.output,
                                    false,
                                    1,
                                    1};
    struct cli_args args;
    struct err e = {.code = ERR_NONE};
    struct api *api = NULL;
    int ret = cli_parse(&usage, argc, argv, &args, &e);

    if (ret)
        return cli_parsed(ret, &e);
    if (!r.gpus && strcmp(r.engine, "replay") != 0) {
        err_set(&e, ERR_USAGE, "run create: --gpu is missing");
        err_hint(&e, "Give --gpu v100,h100; `vivace design list --farm` lists the designs.");
        return cli_end(-1, &e);
    }
    ret = r.gpus ? cli_check_names(r.gpus, "--gpu", &e) : 0;
    if (ret == 0)
        ret = api_open(&api, &e);
    if (ret == 0)
        ret = run_plan(api, args.items[0], &r, &e);
    api_close(api);
    return cli_end(ret, &e);
}

/* --- vivace run watch --- */

static const char watch_help[] = "Follows a run until it ends: a line of progress on stderr, then its projection. "
                                 "Where it waits until traces\n"
                                 "are sent, a line says how many, and to which plan. The exit code is 0 only when "
                                 "all jobs are done without\n"
                                 "a failure.\n"
                                 "\n"
                                 "Example:\n"
                                 "  vivace run watch 0193c2da-… && echo finished\n";

static int watch(struct api *api, const struct cli_args *args, void *ctx, struct err *e)
{
    json_t *run = NULL;
    int ret = farm_watch_run(api, args->items[0], &run, e);

    return show_ended(api, ret, run, ctx, e);
}

int run_watch(int argc, char **argv)
{
    struct cli_output o = {.json = false};
    const struct cli_usage usage = {"run watch", "RUN", watch_help, NULL, &o, false, 1, 1};

    return farm_command(argc, argv, &usage, watch, &o);
}

/* --- vivace run list, cancel, pause, resume, restart --- */

#define NO_VERSIONS_MIX                                                                                            \
    "Results of different versions of the simulator are never mixed in a run: its jobs go to workers of the "      \
    "version that\nthe run was made for."

static const struct cli_verb change_verbs[] = {
    {"cancel", "RUN [--after S | --undo]", " after undo ", 1, 1,
     "Ends a run: jobs that wait are cancelled, and its results stay.\n"
     "\nA cancelled run stays cancelled. With --after the run is paused and cancelled S seconds later;\n"
     "until then every user who may cancel the run can undo this, with --undo or on the run's page.\n"},
    {"pause", "RUN", NULL, 1, 1, "Pauses a run: no more of its jobs start. Running jobs continue.\n"},
    {"resume", "RUN", NULL, 1, 1, "Continues a paused run.\n"},
    {"restart", "RUN --simulator new", " simulator ", 1, 1,
     "After an upgrade: simulates all launches of a run with the farm's present simulator.\n"
     "\n" NO_VERSIONS_MIX " A restarted run does not use results of the version before; the farm keeps them.\n"},
    {NULL, NULL, NULL, 0, 0, NULL}};

static const struct farm_column run_columns[] = {
    {{"run", "id", false, false}, "id", FARM_TEXT},
    {{"workload", "workload", false, true}, "workload_name", FARM_TEXT},
    {{"engine", "engine", false, false}, "engine", FARM_TEXT},
    {{"state", "state", false, false}, "state", FARM_TEXT},
    {{"jobs", "jobs", true, false}, "jobs", FARM_COUNT},
    {{"done", "done", true, false}, "done", FARM_COUNT},
    {{"made", "created_at", false, false}, "created_at", FARM_TEXT},
    {{"name", "name", false, true}, "label.name", FARM_TEXT},
    {{"tags", "tags", false, true}, "label.tags", FARM_LIST},
};

struct change_request {
    const char *simulator;
    double after_s;
    bool undo;
    struct cli_output output;
};

static int change_run(struct api *api, const struct cli_args *args, void *ctx, struct err *e)
{
    const struct change_request *r = ctx;
    const char *id = args->items[0];
    struct json_obj body = json_obj_begin();
    json_t *run = NULL, *v;
    char after[32], *path;
    int ret = -1;

    if (r->simulator)
        json_put_str(&body, "simulator", r->simulator);
    if (r->after_s != 0)
        json_put_double(&body, "after_s", r->after_s);
    v = json_obj_end(&body);
    if ((strcmp(args->verb, "restart") == 0) != (r->simulator != NULL)) {
        json_decref(v);
        return err_set(e, ERR_USAGE, "run restart: RUN and --simulator new must be given together");
    }
    if (r->undo && r->after_s != 0) {
        json_decref(v);
        return err_set(e, ERR_USAGE, "run cancel: give --after or --undo, not both");
    }
    snprintf(after, sizeof after, "/%s%s", args->verb, r->undo ? "/undo" : "");
    path = farm_path("/runs/", id, after, e);
    if (path)
        ret = api_post(api, path, v, &run, e);
    else
        json_decref(v);
    free(path);
    if (ret < 0)
        return -1;
    if (r->output.json)
        return cli_print_json(run, e);
    if (farm_text(run, "cancel_at")[0])
        printf("run %s: %s, cancelled at %s\n", id, farm_text(run, "state"), farm_text(run, "cancel_at"));
    else
        printf("run %s: %s\n", id, farm_text(run, "state"));
    json_decref(run);
    return 0;
}

int run_change(int argc, char **argv)
{
    struct change_request r = {.simulator = NULL};
    const struct cli_option options[] = {
        {"after", 0, CLI_DOUBLE, "S", &r.after_s, "cancel after this many seconds"},
        {"undo", 0, CLI_FLAG, NULL, &r.undo, "undo a pending cancellation"},
        {"simulator", 0, CLI_TEXT, "VERSION", &r.simulator, "`new`, or the version that the farm has"},
        {.name = NULL}};
    const struct cli_usage usage = {.command = "run", .options = options, .output = &r.output};

    return farm_verb_command(argc, argv, &usage, change_verbs, change_run, &r);
}

struct list_request {
    struct farm_query query[5];
    bool archived;
    struct cli_output output;
};

static int list_runs(struct api *api, const struct cli_args *args, void *ctx, struct err *e)
{
    struct list_request *r = ctx;

    (void)args;
    r->query[3].value = r->archived ? "true" : NULL;
    return farm_print_list(farm_list_all(api, "/runs", r->query, e), run_columns,
                           sizeof run_columns / sizeof *run_columns, &r->output,
                           "no runs yet; `vivace run create PLAN --gpu A,B`", e);
}

int run_list(int argc, char **argv)
{
    struct list_request r = {
        .query = {{"workload", NULL}, {"sort", NULL}, {"tag", NULL}, {"archived", NULL}, {NULL, NULL}}};
    const struct cli_option options[] = {
        {"workload", 'w', CLI_TEXT, "ID", &r.query[0].value, "only of this workload"},
        {"sort", 0, CLI_TEXT, "COLUMN", &r.query[1].value,
         "designs, workload, state, done or created; with - largest first; default -created"},
        {"tag", 0, CLI_TEXT, "TAG", &r.query[2].value, "only with this tag"},
        {"archived", 0, CLI_FLAG, NULL, &r.archived, "the archived ones instead of the others"},
        {.name = NULL}};
    const struct cli_usage usage = {"run list",
                                    "[--workload ID] [--tag TAG] [--archived] [--sort COLUMN]",
                                    "Lists runs, the newest first.\n",
                                    options,
                                    &r.output,
                                    true,
                                    0,
                                    0};

    return farm_command(argc, argv, &usage, list_runs, &r);
}
