/* vivace run show: the state and the results of a run. */
#include <stdlib.h>

#include "cli/cmd_run.h"
#include "cli/farm.h"

static const char help_text[] = "Shows all that is known of a run: its state, the traces that it waits for,\n"
                                "its interim analyses, the projection of each\n"
                                "design with its parts, what every estimator says and whether they disagree, and "
                                "totals, rates and quantiles of\n"
                                "the launches' times, each with its interval. --json has run, projection, estimate "
                                "and metrics as the API answers\n"
                                "them.\n"
                                "\n"
                                "Examples:\n"
                                "  vivace run show 0193c2da-…\n"
                                "  vivace run show 0193c2da-… --json | jq '.metrics.designs[0].quantiles'\n";

enum { PARTS = 4 };
static const char *const names[PARTS] = {"run", "projection", "estimate", "metrics"};
static const char *const paths[PARTS] = {"", "/projection", "/estimate?bootstrap=true&opinions=true", "/metrics"};

static int print_all(struct api *api, json_t *const parts[PARTS], const struct cli_output *o, struct err *e)
{
    if (farm_print_waits(api, parts[0], stdout, e) < 0)
        return -1;
    farm_print_run(parts[0], parts[1]);
    printf("\nBy every estimator:\n");
    farm_print_estimate(parts[2]);
    printf("\n");
    return farm_print_metrics(parts[3], o, e);
}

static int print_json(json_t *const parts[PARTS], struct err *e)
{
    struct json_obj o = json_obj_begin();

    for (int i = 0; i < PARTS; i++)
        json_put(&o, names[i], json_incref(parts[i]));
    return cli_print_json(json_obj_end(&o), e);
}

static int show(struct api *api, const struct cli_args *args, void *ctx, struct err *e)
{
    const struct cli_output *o = ctx;
    json_t *parts[PARTS] = {NULL};
    int ret = 0;

    for (int i = 0; ret == 0 && i < PARTS; i++) {
        parts[i] = farm_get(api, "/runs/", args->items[0], paths[i], e);
        ret = parts[i] ? 0 : -1;
    }
    if (ret == 0)
        ret = o->json ? print_json(parts, e) : print_all(api, parts, o, e);
    for (int i = 0; i < PARTS; i++)
        json_decref(parts[i]);
    return ret;
}

int run_show(int argc, char **argv)
{
    struct cli_output o = {.json = false};
    const struct cli_usage usage = {"run show", "RUN", help_text, NULL, &o, false, 1, 1};

    return farm_command(argc, argv, &usage, show, &o);
}
