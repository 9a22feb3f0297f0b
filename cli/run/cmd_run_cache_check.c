/* vivace run cache-check: measures the error that the initial cache state of launches causes. */
#include <stdlib.h>

#include "cli/run/cmd_run.h"
#include "cli/client/farm.h"

static const char help_text[] =
    "Simulates some launches of a run once more after the run, each after a replay of the launches before it, and "
    "prints\n"
    "by how much the total would change. This is a part of the model error that no interval covers. It needs the "
    "traces of\n"
    "the launches before the drawn ones, which a profile has after `vivace push FILE.vtrace --profile PROFILE`.\n"
    "Measured launches are kept, so a request for fewer launches than before changes nothing. Failed ones are "
    "tried again.\n"
    "\n"
    "Examples:\n"
    "  vivace run cache-check 0193c2da-…\n"
    "  vivace run cache-check 0193c2da-… --launches 10\n";

struct check_request {
    uint64_t launches;
    struct cli_output output;
};

static int ask(struct api *api, const struct cli_args *args, void *ctx, struct err *e)
{
    const struct check_request *r = ctx;
    struct json_obj o = json_obj_begin();
    json_t *body, *answer = NULL;
    char *path = farm_path("/runs/", args->items[0], "/cache-check", e), a[CLI_NUMBER];
    uint64_t launches;
    int ret = -1;

    if (r->launches)
        json_put_u64(&o, "launches", r->launches);
    body = json_obj_end(&o);
    if (path)
        ret = api_post(api, path, body, &answer, e);
    else
        json_decref(body);
    free(path);
    if (ret < 0)
        return -1;
    if (r->output.json)
        return cli_print_json(answer, e);
    launches = farm_count(answer, "cache_check.launches");
    printf("run %s: %s will be simulated after a replay of the launches before them%s; `vivace run show %s` shows "
           "the result\n",
           args->items[0], cli_counted(launches, "launch", "launches", a),
           r->launches && launches > r->launches ? ", as requested before: measured launches are kept" : "",
           args->items[0]);
    json_decref(answer);
    return 0;
}

int run_cache_check(int argc, char **argv)
{
    struct check_request r = {.launches = 0};
    const struct cli_option options[] = {{"launches", 'n', CLI_U64, "N", &r.launches,
                                          "number of launches, from the kernels with most of the time; 3"},
                                         {.name = NULL}};
    const struct cli_usage usage = {"run cache-check", "RUN", help_text, options, &r.output, false, 1, 1};

    return farm_command(argc, argv, &usage, ask, &r);
}
