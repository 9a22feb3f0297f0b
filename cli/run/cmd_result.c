/* vivace result: one simulated sample: its counters, and its recording over time. */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/strbuf.h"
#include "base/text.h"
#include "cli/client/farm.h"
#include "cli/nouns.h"

static const char show_text[] =
    "Prints the result of one simulation: cycles, rates and every counter with its unit and meaning.\n"
    "\n"
    "Example:\n"
    "  vivace result show 0193c2da-… --csv >counters.csv\n";

static const char series_text[] =
    "Prints the series of a result: instructions per cycle of each SM, use of issue slots, hit rates, DRAM and "
    "its\n"
    "channels, network, power. With --record, a worker first simulates the sample once more to record them; the "
    "cycles\n"
    "stay the same. Without --name it lists the series.\n"
    "\n"
    "Examples:\n"
    "  vivace result series 0193c2da-… --record\n"
    "  vivace result series 0193c2da-… --name sm_ipc --from 100000 --to 200000 --csv\n"
    "  vivace result series 0193c2da-… --name sm_ipc --format npy --out sm_ipc.npy\n"
    "  vivace result series 0193c2da-… --format chrome --out launch.trace.json     # ui.perfetto.dev opens it\n";

#define COLUMNS(list) (list), sizeof(list) / sizeof *(list)
static const struct farm_column counter_columns[] = {
    {{"counter", "name", false, false}, "name", FARM_TEXT},
    {{"value", "value", true, false}, "value", FARM_COUNT},
    {{"unit", "unit", false, false}, "unit", FARM_TEXT},
    {{"", "sentence", false, true}, "sentence", FARM_TEXT},
};
static const struct farm_column rate_columns[] = {
    {{"rate", "name", false, false}, "name", FARM_TEXT},
    {{"value", "value", true, false}, "value", FARM_NUMBER},
    {{"unit", "unit", false, false}, "unit", FARM_TEXT},
    {{"", "sentence", false, true}, "sentence", FARM_TEXT},
};
static const struct farm_column series_columns[] = {
    {{"series", "name", false, false}, "name", FARM_TEXT},  {{"of", "of", false, false}, "of", FARM_TEXT},
    {{"lines", "lines", true, false}, "lines", FARM_COUNT}, {{"unit", "unit", false, false}, "unit", FARM_TEXT},
    {{"", "sentence", false, true}, "sentence", FARM_TEXT},
};

struct request {
    const char *name, *format, *out;
    uint64_t from, to, columns;
    bool record;
    struct cli_output output;
};

/* --- show --- */

static json_t *member(const json_t *v, const char *name)
{
    return json_incref((json_t *)farm_member(v, name));
}

static int show(struct api *api, const struct cli_args *args, void *ctx, struct err *e)
{
    const struct request *r = ctx;
    json_t *v = farm_get(api, "/results/", args->items[0], "", e);
    char duration[NUM_TEXT];
    int ret = 0;

    if (!v)
        return -1;
    if (r->output.json)
        return cli_print_json(v, e);
    if (!r->output.csv) {
        printf("%s on %s, simulator %s\n", farm_text(v, "kernel.name"), farm_text(v, "design"),
               farm_text(v, "simulator"));
        printf("%llu cycles, %s; simulated in %.1f s%s\n\n", (unsigned long long)farm_count(v, "cycles"),
               format_duration(farm_number(v, "seconds"), duration), farm_number(v, "host_seconds"),
               *farm_text(v, "series.state") ? "; its series are recorded or requested" : "");
        ret = farm_print_list(member(v, "metrics"), COLUMNS(rate_columns), &r->output, "no rates", e);
        printf("\n");
    }
    if (ret == 0)
        ret = farm_print_list(member(v, "counters"), COLUMNS(counter_columns), &r->output, "no counters", e);
    json_decref(v);
    return ret;
}

/* --- series --- */

/* 1: the recording exists, 0: not yet, -1: it failed; *e has the reason. */
static int recorded(struct api *api, const char *result, struct err *e)
{
    json_t *v = farm_get(api, "/results/", result, "", e);
    const char *state = v ? farm_text(v, "series.state") : "";
    int ret = v ? strcmp(state, "done") == 0 : -1;

    if (v && strcmp(state, "failed") == 0)
        ret = err_set(e, ERR_SIMULATION, "the series could not be recorded: %s", farm_text(v, "series.why"));
    json_decref(v);
    return ret;
}

static int record(struct api *api, const char *result, const struct cli_output *o, struct err *e)
{
    const struct timespec pause = {.tv_nsec = 500000000};
    char *path = farm_path("/results/", result, "/series", e);
    json_t *answer = NULL;
    int ret = path ? api_post(api, path, json_object(), &answer, e) : -1;

    free(path);
    json_decref(answer);
    if (ret < 0)
        return -1;
    cli_progress_begin(o);
    while ((ret = recorded(api, result, e)) == 0) {
        cli_progress("a worker records the series");
        nanosleep(&pause, NULL);
    }
    cli_progress_end();
    return ret < 0 ? -1 : 0;
}

/* Makes the query of the request: "?name=sm_ipc&from=…". */
static int query(const struct request *r, const char *format, struct strbuf *out, struct err *e)
{
    strbuf_addf(out, "/series?format=%s", format);
    if (r->name) {
        strbuf_addf(out, "&from=%llu&to=%llu&columns=%llu&name=", (unsigned long long)r->from,
                    (unsigned long long)r->to, (unsigned long long)r->columns);
        api_escape(out, r->name);
    }
    return out->failed ? err_no_memory(e) : 0;
}

/* Fetches the answer in a format of the server: CSV, .npy, a trace, or the recording. */
static int fetch(struct api *api, const char *result, const struct request *r, const char *format, struct err *e)
{
    struct strbuf rest = STRBUF_INIT;
    char *path = NULL, *bytes = NULL;
    size_t n = 0;
    int ret = query(r, format, &rest, e);

    if (ret == 0)
        path = farm_path("/results/", result, rest.text, e);
    ret = path ? api_get_text(api, path, &bytes, &n, e) : -1;
    if (ret == 0)
        ret = cli_write_text(r->out, bytes, n, e);
    strbuf_release(&rest);
    free(path);
    free(bytes);
    return ret;
}

static int series(struct api *api, const struct cli_args *args, void *ctx, struct err *e)
{
    const struct request *r = ctx;
    const char *result = args->items[0], *format = r->format;
    json_t *v;
    int ret;

    if (r->record && record(api, result, &r->output, e) < 0)
        return -1;
    if (!format)
        format = r->output.csv && r->name ? "csv" : r->output.json || r->name ? "json" : NULL;
    if (format)
        return fetch(api, result, r, format, e);
    v = farm_get(api, "/results/", result, "/series", e);
    if (!v)
        return -1;
    if (!r->output.csv)
        printf("%llu cycles in %llu intervals of %llu\n\n", (unsigned long long)farm_count(v, "cycles"),
               (unsigned long long)farm_count(v, "intervals"),
               (unsigned long long)farm_count(v, "interval_cycles"));
    ret = farm_print_list(member(v, "series"), COLUMNS(series_columns), &r->output, "no series", e);
    json_decref(v);
    return ret;
}

int result_show(int argc, char **argv)
{
    struct request r = {.columns = 2000};
    const struct cli_usage usage = {"result show", "RESULT", show_text, NULL, &r.output, true, 1, 1};

    return farm_command(argc, argv, &usage, show, &r);
}

int result_series(int argc, char **argv)
{
    struct request r = {.columns = 2000};
    const struct cli_option options[] = {
        {"record", 0, CLI_FLAG, NULL, &r.record, "record them first, and wait"},
        {"name", 0, CLI_TEXT, "SERIES", &r.name, "one series, interval by interval"},
        {"from", 0, CLI_U64, "CYCLE", &r.from, "from this cycle on"},
        {"to", 0, CLI_U64, "CYCLE", &r.to, "up to this cycle; default: the end"},
        {"columns", 0, CLI_U64, "N", &r.columns, "maximum number of columns of equal width; default: 2000"},
        {"format", 0, CLI_TEXT, "json|csv|npy|chrome|recording", &r.format, "chrome, recording: without --name"},
        {"out", 'o', CLI_PATH, "FILE", &r.out, "output file; default: standard output"},
        {.name = NULL}};
    const struct cli_usage usage = {
        "result series", "RESULT [--record] [--name SERIES]", series_text, options, &r.output, true, 1, 1};

    return farm_command(argc, argv, &usage, series, &r);
}
