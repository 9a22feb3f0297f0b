/* vivace search: finds the team's objects by a part of their name. */
#include <stdlib.h>

#include "cli/client/farm.h"

static const char help_text[] = "Lists workloads, kernels, plans, runs and GPU designs whose name contains the "
                                "given text (not a pattern; upper and\n"
                                "lower case are equal): at most eight of a kind, the newest first; of kernels "
                                "those with the most time. The id of a\n"
                                "kernel is that of its profile. A design is found by the name of its GPU, too.\n"
                                "\n"
                                "Examples:\n"
                                "  vivace search gemm\n"
                                "  vivace search resnet --json\n";

static const struct farm_column columns[] = {
    {{"kind", "kind", false, false}, "kind", FARM_TEXT},       {{"name", "name", false, true}, "name", FARM_TEXT},
    {{"", "detail", false, true}, "detail", FARM_TEXT},        {{"id", "id", false, false}, "id", FARM_TEXT},
    {{"kernel", "kernel", true, false}, "kernel", FARM_COUNT},
};

static int search(struct api *api, const struct cli_args *args, void *ctx, struct err *e)
{
    const struct cli_output *o = ctx;
    json_t *v, *items = NULL;

    if (!*args->items[0])
        return err_set(e, ERR_USAGE, "search: the text is missing, as in `vivace search gemm`");
    v = farm_get(api, "/search?q=", args->items[0], "", e);
    if (v)
        items = json_incref(json_object_get(v, "items"));
    json_decref(v);
    return farm_print_list(items, columns, sizeof columns / sizeof *columns, o, "no name contains this text", e);
}

int cmd_search(int argc, char **argv)
{
    struct cli_output o = {.json = false};
    const struct cli_usage usage = {"search", "TEXT", help_text, NULL, &o, true, 1, 1};

    return farm_command(argc, argv, &usage, search, &o);
}
