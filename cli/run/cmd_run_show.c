/* vivace run show: the state and the results of a run. */
#include <stdio.h>
#include <stdlib.h>

#include "cli/run/cmd_run.h"
#include "cli/client/farm.h"
#include "sampling/profile/domains.h"

static const char help_text[] =
    "Shows all that is known of a run: its state, the traces that it waits for,\n"
    "its interim analyses, the projection of each\n"
    "design with its parts, what every estimator says and whether they disagree, and "
    "totals, rates and quantiles of\n"
    "the launches' times, each with its interval. --json has run, projection, estimate "
    "and metrics as the API answers\n"
    "them. --by adds the total of each part with its interval, and domains to --json. The "
    "profile must have\n"
    "layers, phases, steps or several ranks; every profile has classes.\n"
    "\n"
    "Examples:\n"
    "  vivace run show 0193c2da-…\n"
    "  vivace run show 0193c2da-… --by layer\n"
    "  vivace run show 0193c2da-… --json | jq '.metrics.designs[0].quantiles'\n";

enum { PARTS = 5, DOMAINS = 4 };
static const char *const names[PARTS] = {"run", "projection", "estimate", "metrics", "domains"};
static const char *const paths[PARTS] = {"", "/projection", "/estimate?bootstrap=true&opinions=true", "/metrics",
                                         "/domains?by="};

struct show_request {
    const char *by; /* NULL: not by part */
    struct cli_output output;
};

static int print_all(struct api *api, json_t *const parts[PARTS], const struct cli_output *o, struct err *e)
{
    if (farm_print_waits(api, parts[0], stdout, e) < 0)
        return -1;
    farm_print_run(parts[0], parts[1]);
    printf("\nBy every estimator:\n");
    farm_print_estimate(parts[2]);
    if (parts[DOMAINS] && farm_print_domains(parts[DOMAINS], e) < 0)
        return -1;
    printf("\n");
    return farm_print_metrics(parts[3], o, e);
}

static int print_json(json_t *const parts[PARTS], struct err *e)
{
    struct json_obj o = json_obj_begin();

    for (int i = 0; i < PARTS; i++)
        if (parts[i])
            json_put(&o, names[i], json_incref(parts[i]));
    return cli_print_json(json_obj_end(&o), e);
}

static int show(struct api *api, const struct cli_args *args, void *ctx, struct err *e)
{
    const struct show_request *r = ctx;
    json_t *parts[PARTS] = {NULL};
    enum domain_kind kind;
    char by[32] = "";
    int ret = r->by ? domain_kind_from_name(r->by, &kind, e) : 0;

    if (ret == 0 && r->by)
        snprintf(by, sizeof by, "%s%s", paths[DOMAINS], domain_kind_name(kind));
    for (int i = 0; ret == 0 && i < (r->by ? PARTS : DOMAINS); i++) {
        parts[i] = farm_get(api, "/runs/", args->items[0], i == DOMAINS ? by : paths[i], e);
        ret = parts[i] ? 0 : -1;
    }
    if (ret == 0)
        ret = r->output.json ? print_json(parts, e) : print_all(api, parts, &r->output, e);
    for (int i = 0; i < PARTS; i++)
        json_decref(parts[i]);
    return ret;
}

int run_show(int argc, char **argv)
{
    struct show_request r = {.by = NULL};
    const struct cli_option options[] = {
        {"by", 0, CLI_TEXT, "PART", &r.by, "project each layer, phase, step, rank or class of kernels, too"},
        {.name = NULL}};
    const struct cli_usage usage = {"run show", "RUN [--by PART]", help_text, options, &r.output, false, 1, 1};

    return farm_command(argc, argv, &usage, show, &r);
}
