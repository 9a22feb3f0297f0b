/* vivace plan cost: the cost of simulating a plan on this farm, in seconds of one slot and in money. */
#include <math.h>
#include <stdlib.h>

#include "cli/client/farm.h"
#include "cli/nouns.h"

static const char help_text[] = "Estimates the time to simulate a plan on each design, from the farm's own "
                                "simulations of profiles like this one. For\n"
                                "each design with at least ten simulations it fits a time per launch and a time "
                                "per unit of the profile. The table\n"
                                "also shows the typical error of that model for a single launch. With --price, the "
                                "price of an hour of simulation, it\n"
                                "prints money, too. It warns of designs whose typical error is more than half.\n"
                                "\n"
                                "Examples:\n"
                                "  vivace plan cost 0193c2d9-…\n"
                                "  vivace plan cost 0193c2d9-… --price 2.40 --csv\n";

static const struct farm_column columns[] = {
    {{"design", "design", false, false}, "design", FARM_TEXT},
    {{"time", "expected_s", true, false}, "expected_s", FARM_SECONDS},
    {{"money", "money", true, false}, "money", FARM_NUMBER},
    {{"error of a launch", "typical_error", true, false}, "typical_error", FARM_PERCENT},
    {{"a launch", "fixed_s", true, false}, "fixed_s", FARM_SECONDS},
    {{"a unit", "per_unit_s", true, false}, "per_unit_s", FARM_SECONDS},
    {{"from", "simulations", true, false}, "simulations", FARM_COUNT},
};

struct costs_request {
    double price;
    struct cli_output output;
};

/* Warns where the model's error of a typical launch is more than half: it then gives only the order of magnitude.
 */
static void tell_rough(const json_t *items)
{
    char text[CLI_NUMBER];

    for (size_t i = 0; i < json_array_size(items); i++) {
        const json_t *design = json_array_get(items, i);
        double error = farm_number(design, "typical_error");

        if (error > 0.5)
            cli_warn(
                "%s: the error of a typical launch is %s, so its time and money show only the order of magnitude",
                farm_text(design, "design"), cli_percent(error, text));
    }
}

static int costs(struct api *api, const struct cli_args *args, void *ctx, struct err *e)
{
    const struct costs_request *r = ctx;
    json_t *v, *items;

    if (!isnan(r->price) && !(r->price > 0))
        return err_set(e, ERR_USAGE, "--price, the price of an hour of simulation, must be above 0");
    v = farm_get(api, "/plans/", args->items[0], "/costs", e);
    items = v ? json_incref(json_object_get(v, "items")) : NULL;

    for (size_t i = 0; r->price > 0 && i < json_array_size(items); i++) {
        json_t *design = json_array_get(items, i);

        json_object_set_new(design, "money", json_real(farm_number(design, "expected_s") / 3600 * r->price));
    }
    json_decref(v);
    if (!r->output.json && !r->output.csv)
        tell_rough(items);
    return farm_print_list(items, columns, sizeof columns / sizeof *columns, &r->output,
                           "no design has ten simulations of profiles like this one yet", e);
}

int plan_costs(int argc, char **argv)
{
    struct costs_request r = {.price = NAN};
    const struct cli_option options[] = {{"price", 0, CLI_DOUBLE, "N", &r.price, "price of an hour of simulation"},
                                         {.name = NULL}};
    const struct cli_usage usage = {"plan cost", "PLAN [--price N]", help_text, options, &r.output, true, 1, 1};

    return farm_command(argc, argv, &usage, costs, &r);
}
