/* vivace run not-simulated: lists the launches of a run that could not be simulated, and their share of the total.
 */
#include <stdlib.h>

#include "cli/run/cmd_run.h"
#include "cli/client/farm.h"

static const char help_text[] =
    "Lists the launches of a run that could not be simulated, with the reason, and whether another launch of their "
    "stratum\n"
    "replaces them. The projection assumes that they are similar to the others of their strata. The results cannot "
    "test\n"
    "this, so the command prints how large the error of the totals would be otherwise.\n"
    "\n"
    "Example:\n"
    "  vivace run not-simulated 0193c2da-… --csv\n";

static const struct farm_column columns[] = {
    {{"launch", "launch", true, false}, "launch", FARM_COUNT},
    {{"stratum", "stratum", true, false}, "stratum", FARM_COUNT},
    {{"design", "design", false, false}, "design", FARM_TEXT},
    {{"failure", "failure", false, false}, "failure.class", FARM_TEXT},
    {{"replaced", "replaced", false, false}, "replaced", FARM_TEXT},
    {{"kernel", "kernel", false, true}, "kernel", FARM_TEXT},
    {{"", "detail", false, true}, "failure.detail", FARM_TEXT},
};

static int list(struct api *api, const struct cli_args *args, void *ctx, struct err *e)
{
    const struct cli_output *o = ctx;
    json_t *v = farm_get(api, "/runs/", args->items[0], "/not-simulated", e);
    const json_t *designs = farm_member(v, "designs");
    int ret;

    if (!v || o->json)
        return v ? cli_print_json(v, e) : -1;
    ret = farm_print_list(json_incref((json_t *)farm_member(v, "items")), columns, sizeof columns / sizeof *columns,
                          o, "all drawn launches could be simulated", e);
    for (size_t i = 0; ret == 0 && !o->csv && i < json_array_size(designs); i++)
        printf("%s: %s\n", farm_text(json_array_get(designs, i), "design"),
               farm_text(json_array_get(designs, i), "sentence"));
    json_decref(v);
    return ret;
}

int run_not_simulated(int argc, char **argv)
{
    struct cli_output o = {.json = false};
    const struct cli_usage usage = {"run not-simulated", "RUN", help_text, NULL, &o, true, 1, 1};

    return farm_command(argc, argv, &usage, list, &o);
}
