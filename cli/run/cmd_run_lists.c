/* vivace run strata, convergence, events: the data behind a run's projection, as lists. */
#include <stdlib.h>
#include <string.h>

#include "cli/run/cmd_run.h"
#include "cli/client/farm.h"

#define COLUMNS(list) list, sizeof(list) / sizeof *(list)

struct list_request {
    const char *what, *design; /* what: the path below the run's URL */
    struct cli_output output;
};

/* Makes the path: "/runs/{id}/strata?limit=1000&design=v100". */
static int path_of(const struct list_request *r, const char *run, struct strbuf *path, struct err *e)
{
    if (farm_path_add(path, "/runs/", run, e) < 0)
        return -1;
    strbuf_addf(path, "/%s?limit=1000", r->what);
    if (r->design) {
        strbuf_adds(path, "&design=");
        api_escape(path, r->design);
    }
    return path->failed ? err_no_memory(e) : 0;
}

static int list(struct api *api, const char *run, const struct list_request *r, const struct farm_column *columns,
                size_t count, const char *nothing, struct err *e)
{
    struct strbuf path = STRBUF_INIT;
    json_t *items = path_of(r, run, &path, e) == 0 ? api_list_all(api, path.text, e) : NULL;

    strbuf_release(&path);
    return farm_print_list(items, columns, count, &r->output, nothing, e);
}

/* --- vivace run strata --- */

static const char strata_help[] = "Lists the strata of a run on one design (default: the first; --design names "
                                  "another): launches, simulated launches,\n"
                                  "time, spread in the profile and in the simulation, and share of the time and of "
                                  "the variance. More samples help\n"
                                  "most where the share of the variance is large.\n"
                                  "\n"
                                  "Example:\n"
                                  "  vivace run strata 0193c2da-… --design h100 --csv\n";

static const struct farm_column strata_columns[] = {
    {{"stratum", "stratum", true, false}, "stratum", FARM_COUNT},
    {{"launches", "population", true, false}, "population", FARM_COUNT},
    {{"planned", "planned", true, false}, "planned", FARM_COUNT},
    {{"done", "done", true, false}, "done", FARM_COUNT},
    {{"mean", NULL, true, false}, "mean_s,half_width_s", FARM_ESTIMATE_SECONDS},
    {{NULL, "mean_s", true, false}, "mean_s", FARM_SECONDS},
    {{NULL, "half_width_s", true, false}, "half_width_s", FARM_SECONDS},
    {{"counted", "mean", true, false}, "mean", FARM_NUMBER},
    {{"unit", "unit", false, false}, "unit", FARM_TEXT},
    {{"spread, profile", "spread_profile", true, false}, "spread_profile", FARM_PERCENT},
    {{"simulated", "spread_simulated", true, false}, "spread_simulated", FARM_PERCENT},
    {{"of the time", "share_of_time", true, false}, "share_of_time", FARM_PERCENT},
    {{"of the doubt", "share_of_doubt", true, false}, "share_of_doubt", FARM_PERCENT},
    {{"kernel", "kernel", false, true}, "kernel", FARM_TEXT},
};

static int strata(struct api *api, const struct cli_args *args, void *ctx, struct err *e)
{
    return list(api, args->items[0], ctx, COLUMNS(strata_columns), "the run has no strata", e);
}

int run_strata(int argc, char **argv)
{
    struct list_request r = {.what = "strata"};
    const struct cli_option options[] = {{"design", 0, CLI_TEXT, "NAME", &r.design, "on this design"},
                                         {.name = NULL}};
    const struct cli_usage usage = {
        "run strata", "RUN [--design NAME]", strata_help, options, &r.output, true, 1, 1};

    return farm_command(argc, argv, &usage, strata, &r);
}

/* --- vivace run convergence --- */

static const char convergence_help[] =
    "Shows how the estimate and its interval on one design changed as results arrived.\n"
    "\n"
    "Example:\n"
    "  vivace run convergence 0193c2da-… --csv\n";

static const struct farm_column point_columns[] = {
    {{"done", "done", true, false}, "done", FARM_COUNT},
    {{"total", NULL, true, false}, "value_s,half_width_s", FARM_ESTIMATE_SECONDS},
    {{NULL, "value_s", true, false}, "value_s", FARM_SECONDS},
    {{NULL, "half_width_s", true, false}, "half_width_s", FARM_SECONDS},
    {{"counted", "value", true, false}, "value", FARM_NUMBER},
    {{"±", "half_width", true, false}, "half_width", FARM_NUMBER},
    {{"at", "at", false, false}, "at", FARM_TEXT},
};

static int convergence(struct api *api, const struct cli_args *args, void *ctx, struct err *e)
{
    const struct list_request *r = ctx;
    struct strbuf query = STRBUF_INIT;
    json_t *v = NULL, *points = NULL;

    strbuf_adds(&query, "/convergence");
    if (r->design) {
        strbuf_adds(&query, "?design=");
        api_escape(&query, r->design);
    }
    if (query.failed)
        err_no_memory(e);
    else
        v = farm_get(api, "/runs/", args->items[0], query.text, e);
    strbuf_release(&query);
    if (v && r->output.json)
        return cli_print_json(v, e);
    if (v)
        points = json_incref(json_object_get(v, "points"));
    json_decref(v);
    return farm_print_list(points, COLUMNS(point_columns), &r->output, "no estimate yet", e);
}

int run_convergence(int argc, char **argv)
{
    struct list_request r = {.design = NULL};
    const struct cli_option options[] = {{"design", 0, CLI_TEXT, "NAME", &r.design, "on this design"},
                                         {.name = NULL}};
    const struct cli_usage usage = {
        "run convergence", "RUN [--design NAME]", convergence_help, options, &r.output, true, 1, 1};

    return farm_command(argc, argv, &usage, convergence, &r);
}

/* --- vivace run events --- */

static const char events_help[] =
    "Lists the events of a run, the newest first. The first line says how many jobs wait for traces now.\n"
    "\n"
    "Example:\n"
    "  vivace run events 0193c2da-…\n";

static const struct farm_column event_columns[] = {
    {{"at", "at", false, false}, "at", FARM_TEXT},
    {{"", "severity", false, false}, "severity", FARM_TEXT},
    {{"", "kind", false, false}, "kind", FARM_TEXT},
    {{"what", "text", false, true}, "text", FARM_TEXT},
};

static int events(struct api *api, const struct cli_args *args, void *ctx, struct err *e)
{
    const struct list_request *r = ctx;

    if (!r->output.json && !r->output.csv) {
        json_t *run = farm_get(api, "/runs/", args->items[0], "", e);
        int ret = run ? farm_print_waits(api, run, stdout, e) : -1;

        json_decref(run);
        if (ret < 0)
            return -1;
    }
    return list(api, args->items[0], ctx, COLUMNS(event_columns), "nothing yet", e);
}

int run_events(int argc, char **argv)
{
    struct list_request r = {.what = "events"};
    const struct cli_usage usage = {"run events", "RUN", events_help, NULL, &r.output, true, 1, 1};

    return farm_command(argc, argv, &usage, events, &r);
}
