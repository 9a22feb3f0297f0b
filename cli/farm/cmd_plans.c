/* vivace plan, vivace trace missing: plans on the farm, and their missing traces. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/client/farm.h"
#include "cli/farm/farm_pilot.h"
#include "cli/nouns.h"
#include "cli/input/plan_options.h"

#define PLAN_OPTIONS                                                                                               \
    " variant confidence seed assurance share budget speedup min-samples noise-floor estimator cost cost-from "    \
    "classifier by only steps "

static const struct cli_verb verbs[] = {
    {"list", "[--workload ID]", " workload sort ", 0, 0, "Lists the plans of the farm, the newest first.\n"},
    {"create", "PROFILE [--method NAME] [--error 5%] [--pilot GPU]", PLAN_OPTIONS "method error pilot wait ", 1, 1,
     "Makes a plan of a profile that was pushed; prints the plan's id. `vivace methods --list` describes the\n"
     "methods. With --pilot, for a profile of counts, the farm first simulates one launch of each shape on that "
     "design\n"
     "and plans from the cycles; --wait waits for the plan. --cost farm plans for seconds of simulation, "
     "estimated\n"
     "from the farm's own simulations.\n"
     "\n"
     "Examples:\n"
     "  vivace plan create 0193c2d8-… --error 2% --confidence 99%\n"
     "  vivace plan create 0193c2d8-… --error 2% --pilot v100 --wait\n"
     "  vivace plan create 0193c2d8-… --only 'decoder.layers.7.*' --steps 10..19\n"},
    {"show", "PLAN", NULL, 1, 1, "Shows the strata of a plan and its promise.\n"},
    {"fetch", "PLAN [--out FILE]", " out ", 1, 1, "Writes the plan file, as `vivace simulate --plan` takes it.\n"},
    {"samples", "PLAN", NULL, 1, 1,
     "Lists the launches to trace, as a table or CSV.\n"
     "\n"
     "Example:\n"
     "  vivace plan samples 0193c2d9-… --csv >launches.csv\n"},
    {"cycles", "PROFILE --gpu NAME [--out FILE]", " gpu out ", 1, 1,
     "Writes a profile of counts with estimated cycles of its launches, computed from the farm's results.\n"
     "Push that file and make a plan of it.\n"
     "\n"
     "Example:\n"
     "  vivace plan cycles 0193c2d8-… --gpu v100 --out cycles.json\n"},
    {"pilot", "PILOT [--wait]", " wait ", 1, 1, "Shows the progress of a pilot; with --wait until it has ended.\n"},
    {"pilots", "PROFILE", NULL, 1, 1, "Lists the pilots of a profile.\n"},
    {"cancel", "PILOT", NULL, 1, 1, "Ends a pilot with its run.\n"},
    {"retry", "PILOT", NULL, 1, 1, "Continues a pilot that failed or was cancelled.\n"},
    {NULL, NULL, NULL, 0, 0, NULL}};

struct request {
    const char *gpu, *pilot; /* pilot: a design, or NULL */
    const char *method, *workload, *sort, *out;
    const char *by, *only, *steps; /* a part of the workload */
    const struct method *chosen;   /* the method, with its variant */
    double error;
    struct plan_options options;
    bool farm_cost; /* --cost farm */
    bool wait;
    struct cli_output output;
};

static const struct farm_column plan_columns[] = {
    {{"plan", "id", false, false}, "id", FARM_TEXT},
    {{"workload", "workload", false, true}, "workload_name", FARM_TEXT},
    {{"method", "method", false, false}, "method", FARM_TEXT},
    {{"error", "error", true, false}, "error", FARM_PERCENT},
    {{"confidence", "confidence", true, false}, "confidence", FARM_PERCENT},
    {{"samples", "samples", true, false}, "samples_count", FARM_COUNT},
    {{"promised", "promised_error", true, false}, "promised_error", FARM_PERCENT},
    {{"speedup", "speedup", true, false}, "speedup", FARM_SPEEDUP},
    {{"made", "created_at", false, false}, "created_at", FARM_TEXT},
};
static const struct farm_column stratum_columns[] = {
    {{"stratum", "stratum", true, false}, "id", FARM_COUNT},
    {{"kernel", "kernel", false, true}, "kernel", FARM_TEXT},
    {{"grid", "grid", false, false}, "grid", FARM_GROUPED},
    {{"block", "block", false, false}, "block", FARM_GROUPED},
    {{"launches", "population", true, false}, "population", FARM_COUNT},
    {{"samples", "samples", true, false}, "samples", FARM_COUNT},
    {{"mean", "mean", true, false}, "mean", FARM_NUMBER},
    {{"sd", "sd", true, false}, "sd", FARM_NUMBER},
    {{"share of time", "share_of_time", true, false}, "share_of_time", FARM_PERCENT},
};
static const struct farm_column sample_columns[] = {
    {{"launch", "launch", true, false}, "launch", FARM_COUNT},
    {{"stratum", "stratum", true, false}, "stratum", FARM_COUNT},
    {{"weight", "weight", true, false}, "weight", FARM_NUMBER},
    {{"context", "context", true, false}, "context.index", FARM_COUNT},
    {{"in its context", "launch_order", true, false}, "launch_order", FARM_COUNT},
    {{"grid", "grid", false, false}, "grid", FARM_GROUPED},
    {{"block", "block", false, false}, "block", FARM_GROUPED},
    {{"kernel", "kernel", false, true}, "kernel", FARM_TEXT},
};
#define COLUMNS(list) list, sizeof(list) / sizeof *(list)

static int list(struct api *api, const struct request *r, struct err *e)
{
    const struct farm_query query[] = {{"workload", r->workload}, {"sort", r->sort}, {NULL, NULL}};

    return farm_print_list(farm_list_all(api, "/plans", query, e), COLUMNS(plan_columns), &r->output,
                           "no plans yet; `vivace plan create PROFILE`", e);
}

static void print_promise(const json_t *plan)
{
    double promised = farm_number(plan, "promised_error");
    char a[CLI_NUMBER], b[CLI_NUMBER];

    if (isnan(promised))
        printf("promise   nothing; ");
    else
        printf("promise   ± %s at %s confidence%s; ", cli_percent(promised, a),
               cli_percent(farm_number(plan, "confidence"), b),
               json_is_true(farm_member(plan, "promise_valid")) ? "" : ", of the profile only");
    printf("the error of this draw on the profile itself is %s\n",
           cli_percent(farm_number(plan, "actual_error"), a));
}

static void print_assurance(const json_t *plan)
{
    char text[200];

    plan_assurance_text(farm_number(plan, "assurance"), farm_number(plan, "assured"),
                        farm_number(plan, "assured_noise"), text, sizeof text);
    if (text[0])
        printf("assured   %s\n", text);
}

/* A stratum of several kernels or shapes does not show those of its first launch. In CSV the cells are empty. */
static void name_what_is_mixed(json_t *strata, bool csv)
{
    const char *shape = csv ? "" : "several";

    for (size_t i = 0; i < json_array_size(strata); i++) {
        struct json_obj s = {.object = json_array_get(strata, i)};

        if (!csv && !*farm_text(s.object, "kernel"))
            json_put_str(&s, "kernel", "several kernels");
        if (json_is_true(farm_member(s.object, "mixed_shapes"))) {
            json_put_str(&s, "grid", shape);
            json_put_str(&s, "block", shape);
        }
    }
}

static int show_document(json_t *plan, const struct request *r, struct err *e)
{
    char a[CLI_NUMBER], b[CLI_NUMBER], c[CLI_NUMBER];
    json_t *strata;

    if (!plan)
        return -1;
    if (r->output.json)
        return cli_print_json(plan, e);
    if (!r->output.csv) {
        printf("plan      %s of %s, method %s\n", farm_text(plan, "id"), farm_text(plan, "workload_name"),
               farm_text(plan, "method"));
        printf("simulate  %s of %s, %s cheaper than all\n", cli_whole(farm_count(plan, "samples_count"), a),
               cli_counted(farm_count(plan, "launches"), "launch", "launches", b),
               cli_speedup(farm_number(plan, "speedup"), c));
        if (*farm_text(plan, "part.words"))
            printf("part      %s, %s of the profiled total\n", farm_text(plan, "part.words"),
                   cli_percent(farm_number(plan, "part.share"), a));
        if (*farm_text(plan, "part.by"))
            printf("strata    of one %s each\n", farm_text(plan, "part.by"));
        print_promise(plan);
        print_assurance(plan);
        if (farm_count(plan, "traces.in_file") > 0)
            printf("traces    in the profile's own file, out of which the farm cuts them\n");
        else
            printf("traces    %s missing\n", cli_whole(farm_count(plan, "traces.missing"), a));
        if (*farm_text(plan, "note"))
            cli_print_wrapped("note", farm_text(plan, "note"), 10);
        if (*farm_text(plan, "caution"))
            cli_print_wrapped("CAUTION", farm_text(plan, "caution"), 10);
        printf("\n");
    }
    strata = json_incref((json_t *)farm_member(plan, "strata"));
    json_decref(plan);
    name_what_is_mixed(strata, r->output.csv);
    return farm_print_list(strata ? strata : json_array(), COLUMNS(stratum_columns), &r->output, "no strata", e);
}

static json_t *plan_body(const struct request *r)
{
    const struct plan_params *p = &r->options.params;
    struct json_obj o = json_obj_begin();

    json_put_str(&o, "method", r->chosen->name);
    json_put_double(&o, "error", r->error);
    json_put_double(&o, "confidence", p->confidence);
    json_put_u64(&o, "seed", p->seed);
    json_put_double(&o, "share", p->share);
    json_put_double(&o, "noise_floor", p->noise_floor);
    json_put_double(&o, "budget", p->budget);
    if (p->assurance > 0)
        json_put_double(&o, "assurance", p->assurance);
    json_put_u64(&o, "least_samples", p->least_samples);
    json_put_str(&o, "estimator", plan_estimator_name(p->estimator));
    json_put_str(&o, "classifier", plan_classifier_name(p->classifier));
    if (r->by)
        json_put_str(&o, "by", r->by);
    if (r->only)
        json_put_str(&o, "only", r->only);
    if (r->steps)
        json_put_str(&o, "steps", r->steps);
    if (r->farm_cost) {
        json_put_str(&o, "cost", "farm");
    } else {
        json_put_double(&o, "cost_fixed", p->cost_fixed);
        json_put_double(&o, "cost_per_unit", p->cost_per_unit);
    }
    return json_obj_end(&o);
}

/* Prints a new plan and takes its reference. NULL: a failure before. */
static int show_made(json_t *plan, const struct request *r, struct err *e)
{
    bool needed = farm_count(plan, "traces.missing") > farm_count(plan, "traces.in_file");
    char id[CLI_NUMBER];
    int ret;

    snprintf(id, sizeof id, "%s", farm_text(plan, "id"));
    ret = show_document(plan, r, e);
    if (ret == 0 && !r->output.json && !r->output.csv)
        printf("\nnext      %s%s%svivace run create %s --gpu A,B\n", needed ? "vivace push TRACES --plan " : "",
               needed ? id : "", needed ? ", then " : "", id);
    return ret;
}

/* Prints a pilot; with --wait, follows it until its plan is made. */
static int show_pilot(struct api *api, const char *id, const struct request *r, struct err *e)
{
    json_t *pilot = NULL, *plan;
    int ret;

    if (!r->wait) {
        pilot = farm_get(api, "/pilots/", id, "", e);
        ret = pilot ? farm_pilot_print(pilot, &r->output, e) : -1;
    } else {
        cli_progress_begin(&r->output);
        ret = farm_pilot_follow(api, id, &pilot, e);
        plan = ret == 0 ? farm_get(api, "/plans/", farm_text(pilot, "plan"), "", e) : NULL;
        ret = plan ? show_made(plan, r, e) : -1;
    }
    json_decref(pilot);
    return ret;
}

static int create_with_pilot(struct api *api, const char *profile, const struct request *r, struct err *e)
{
    json_t *pilot = NULL;
    int ret = farm_pilot_begin(api, profile, r->pilot, plan_body(r), &pilot, e);

    if (ret == 0)
        ret = r->wait ? show_pilot(api, farm_text(pilot, "id"), r, e) : farm_pilot_print(pilot, &r->output, e);
    json_decref(pilot);
    return ret;
}

static int create(struct api *api, const char *profile, const struct request *r, struct err *e)
{
    json_t *plan = NULL;
    char *path;
    int ret;

    if (plan_options_taken(&r->options, r->chosen, e) < 0)
        return -1;
    if (r->pilot)
        return create_with_pilot(api, profile, r, e);
    path = farm_path("/profiles/", profile, "/plans", e);
    ret = path ? api_post(api, path, plan_body(r), &plan, e) : -1;
    free(path);
    return ret < 0 ? -1 : show_made(plan, r, e);
}

static int act(struct api *api, const char *id, const char *what, const struct request *r, struct err *e)
{
    json_t *pilot = NULL;
    int ret = farm_pilot_act(api, id, what, &pilot, e);

    if (ret == 0)
        ret = farm_pilot_print(pilot, &r->output, e);
    json_decref(pilot);
    return ret;
}

static int cancel(struct api *api, const char *id, const struct request *r, struct err *e)
{
    return act(api, id, "cancel", r, e);
}

static int retry(struct api *api, const char *id, const struct request *r, struct err *e)
{
    return act(api, id, "retry", r, e);
}

static int pilots(struct api *api, const char *profile, const struct request *r, struct err *e)
{
    return farm_pilot_list(api, profile, &r->output, e);
}

static int fetch(struct api *api, const char *plan, const struct request *r, struct err *e)
{
    char *path = farm_path("/plans/", plan, "/file", e), *text = NULL;
    size_t n = 0;
    int ret = path ? api_get_text(api, path, &text, &n, e) : -1;

    free(path);
    if (ret == 0)
        ret = cli_write_text(r->out, text, n, e);
    free(text);
    return ret;
}

/* Prints the note from the plan file about its source. */
static void show_note(const char *text, size_t n)
{
    json_t *v = json_loadb(text, n, 0, NULL);
    const char *note = json_string_value(json_object_get(v, "note"));

    if (note)
        fprintf(stderr, "vivace: %s\n", note);
    json_decref(v);
}

static int cycles(struct api *api, const char *profile, const struct request *r, struct err *e)
{
    char *gpu, *path = NULL, *text = NULL;
    size_t n = 0;
    int ret = -1;

    if (!r->gpu) {
        err_set(e, ERR_USAGE, "plan cycles: --gpu is missing");
        return err_hint(e, "Give the design from whose results the cycles are estimated: --gpu v100.");
    }
    gpu = farm_path("/cycles?design=", r->gpu, "", e);
    path = gpu ? farm_path("/profiles/", profile, gpu, e) : NULL;
    if (path)
        ret = api_get_text(api, path, &text, &n, e);
    free(path);
    free(gpu);
    if (ret == 0 && !r->output.quiet)
        show_note(text, n);
    if (ret == 0)
        ret = cli_write_text(r->out, text, n, e);
    free(text);
    return ret;
}

static int samples(struct api *api, const char *plan, const struct request *r, struct err *e)
{
    char *path = farm_path("/plans/", plan, "/samples?format=json&limit=1000", e);
    json_t *items = path ? api_list_all(api, path, e) : NULL;

    free(path);
    return farm_print_list(items, COLUMNS(sample_columns), &r->output, "no samples", e);
}

static int show(struct api *api, const char *id, const struct request *r, struct err *e)
{
    return show_document(farm_get(api, "/plans/", id, "", e), r, e);
}

static int list_verb(struct api *api, const char *id, const struct request *r, struct err *e)
{
    (void)id;
    return list(api, r, e);
}

typedef int (*verb_fn)(struct api *api, const char *id, const struct request *r, struct err *e);
static verb_fn find_verb(const char *name)
{
    static const struct {
        const char *name;
        verb_fn run;
    } rows[] = {{"list", list_verb},  {"create", create}, {"show", show},        {"fetch", fetch},
                {"samples", samples}, {"cycles", cycles}, {"pilot", show_pilot}, {"pilots", pilots},
                {"cancel", cancel},   {"retry", retry}};
    size_t i = 0;

    while (strcmp(rows[i].name, name) != 0) /* it exists: cli_parse_verb() has found it in `verbs` */
        i++;
    return rows[i].run;
}

static int finish_options(struct request *r, struct err *e)
{
    r->farm_cost = r->options.cost && strcmp(r->options.cost, "farm") == 0;
    if (r->farm_cost)
        r->options.cost = NULL;
    if (r->farm_cost && r->options.cost_from)
        return err_set(e, ERR_USAGE, "--cost and --cost-from state the same thing: give one of them");
    return plan_options_finish(&r->options, e);
}

static int run_verb(struct api *api, const struct cli_args *args, void *ctx, struct err *e)
{
    struct request *r = ctx;

    if (finish_options(r, e) < 0 || plan_options_method(&r->options, r->method, &r->chosen, e) < 0)
        return -1;
    return find_verb(args->verb)(api, args->count ? args->items[0] : NULL, r, e);
}

int plan_farm(int argc, char **argv)
{
    struct request r = {.method = "vivace", .error = 0.05, .options = PLAN_OPTIONS_DEFAULT};
    const struct cli_option options[] = {
        {"method", 'm', CLI_TEXT, "NAME", &r.method, "sampling method; default vivace"},
        {"error", 'e', CLI_SHARE, "SHARE", &r.error, "relative half-width to plan for; default 5%"},
        PLAN_OPTION_ROWS(r.options),
        {"by", 0, CLI_TEXT, "PART", &r.by,
         "no stratum crosses a layer, phase, step, rank or class of kernels (--by layer)"},
        {"only", 0, CLI_TEXT, "LAYERS", &r.only,
         "plan only these layers: 'decoder.layers.7.*'; * is any text, . is also /"},
        {"steps", 0, CLI_TEXT, "A..B", &r.steps, "plan only these steps: 10..19, or 12"},
        {"workload", 'w', CLI_TEXT, "ID", &r.workload, "only of this workload"},
        {"sort", 0, CLI_TEXT, "COLUMN", &r.sort,
         "error, workload, method, strata, samples, speedup, promised or created; with - largest first; "
         "default -created"},
        {"pilot", 0, CLI_TEXT, "GPU", &r.pilot,
         "for profiles of counts: the farm first simulates one launch of each shape on this design, and plans from "
         "the estimated cycles of all launches"},
        {"wait", 0, CLI_FLAG, NULL, &r.wait, "follow the pilot until the plan is made"},
        {"out", 'o', CLI_PATH, "FILE", &r.out, "where to write the file; default standard output"},
        {"gpu", 'g', CLI_TEXT, "NAME", &r.gpu, "the design from whose results the cycles are estimated"},
        {.name = NULL}};
    const struct cli_usage usage = {.command = "plan", .options = options, .output = &r.output, .csv = true};

    return farm_verb_command(argc, argv, &usage, verbs, run_verb, &r);
}

/* --- vivace trace missing --- */

static const char traces_help[] = "Prints how many of the launches of a plan have their trace on the farm, and "
                                  "lists those that a tracer still has to\n"
                                  "record. (The list has the first 1000.)\n"
                                  "\n"
                                  "Examples:\n"
                                  "  vivace trace missing 0193c2d9-…\n"
                                  "  vivace trace missing 0193c2d9-… --csv >missing.csv\n";

static const struct farm_column missing_columns[] = {
    {{"launch", "launch", true, false}, "launch", FARM_COUNT},
    {{"stratum", "stratum", true, false}, "stratum", FARM_COUNT},
    {{"context", "context", true, false}, "context", FARM_COUNT},
    {{"in its context", "launch_order", true, false}, "launch_order", FARM_COUNT},
    {{"grid", "grid", false, false}, "grid", FARM_GROUPED},
    {{"block", "block", false, false}, "block", FARM_GROUPED},
    {{"kernel", "kernel", false, true}, "kernel", FARM_TEXT},
};

static int traces(struct api *api, const struct cli_args *args, void *ctx, struct err *e)
{
    const struct cli_output *o = ctx;
    const char *plan = args->items[0];
    json_t *state = farm_get(api, "/plans/", plan, "/traces", e), *missing;
    uint64_t samples_count, bound, in_file;
    char a[CLI_NUMBER], b[CLI_NUMBER];

    if (!state)
        return -1;
    if (o->json)
        return cli_print_json(state, e);
    samples_count = farm_count(state, "samples");
    bound = farm_count(state, "bound");
    in_file = farm_count(state, "in_file");
    if (!o->csv && in_file > 0)
        printf("0 of %s missing; %s are in the profile's own file, from which runs get them\n",
               cli_whole(samples_count, b), cli_whole(in_file, a));
    else if (!o->csv)
        printf("%s of %s missing\n", cli_whole(samples_count > bound ? samples_count - bound : 0, a),
               cli_whole(samples_count, b));
    missing = in_file > 0 ? json_array() : json_incref((json_t *)farm_member(state, "missing"));
    json_decref(state);
    if (!o->csv && json_array_size(missing) == 0) {
        json_decref(missing);
        return 0;
    }
    return farm_print_list(missing ? missing : json_array(), COLUMNS(missing_columns), o, "", e);
}

int trace_missing(int argc, char **argv)
{
    struct cli_output o = {.json = false};
    const struct cli_usage usage = {"trace missing", "PLAN", traces_help, NULL, &o, true, 1, 1};

    return farm_command(argc, argv, &usage, traces, &o);
}
