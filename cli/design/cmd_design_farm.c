/* vivace design add; design list and show with --farm: the designs of a farm. */
#include <errno.h>
#include <stdlib.h>

#include "cli/design/cmd_design.h"
#include "cli/client/farm.h"

static const char add_help[] =
    "Adds a GPU design to the farm (docs/formats/design.md), so that runs can name it; prints its id.\n"
    "\n"
    "Example:\n"
    "  vivace design add wide.json\n";

static const struct farm_column design_columns[] = {
    {{"design", "name", false, false}, "name", FARM_TEXT},
    {{"SMs", "sms", true, false}, "sms", FARM_COUNT},
    {{"clock Hz", "clock_hz", true, false}, "clock_hz", FARM_NUMBER},
    {{"built in", "builtin", false, false}, "builtin", FARM_TEXT},
    {{"id", "id", false, false}, "id", FARM_TEXT},
};

static int add_design(struct api *api, const char *file, const struct cli_output *o, struct err *e)
{
    json_t *check = json_read_path(file, (size_t)8 << 20, e), *answer = NULL;
    struct strbuf text = STRBUF_INIT;
    bool created = false;
    char piece[8192];
    size_t n;
    FILE *f = check ? fopen(file, "rbe") : NULL;
    int ret = -1;

    json_decref(check); /* only its JSON syntax is checked here; the server checks the design */
    if (!check)
        return -1;
    if (!f)
        return err_set_errno(e, errno, "%s", file);
    while ((n = fread(piece, 1, sizeof piece, f)) > 0)
        strbuf_add(&text, piece, n);
    fclose(f);
    if (text.failed)
        err_no_memory(e);
    else
        ret = api_post_text(api, "/designs", text.text, text.length, &created, &answer, e);
    strbuf_release(&text);
    if (ret < 0)
        return err_wrap(e, "%s", file);
    if (o->json)
        return cli_print_json(answer, e);
    printf("design %s %s: %s\n", farm_text(answer, "name"), created ? "added" : "was there already",
           farm_text(answer, "id"));
    json_decref(answer);
    return 0;
}

static int add(struct api *api, const struct cli_args *args, void *ctx, struct err *e)
{
    return add_design(api, args->items[0], ctx, e);
}

int design_add(int argc, char **argv)
{
    struct cli_output o = {.json = false};
    const struct cli_usage usage = {"design add", "FILE", add_help, NULL, &o, false, 1, 1};

    return farm_command(argc, argv, &usage, add, &o);
}

int farm_designs_list(const struct cli_output *o, struct err *e)
{
    struct api *api = NULL;
    int ret = api_open(&api, e);

    if (ret == 0)
        ret = farm_print_list(api_list_all(api, "/designs", e), design_columns,
                              sizeof design_columns / sizeof *design_columns, o, "no designs", e);
    api_close(api);
    return ret;
}

int farm_design_show(const char *name, struct err *e)
{
    char *path = farm_path("/designs/", name, "", e), *text = NULL;
    struct api *api = NULL;
    size_t n = 0;
    int ret = path ? api_open(&api, e) : -1;

    if (ret == 0)
        ret = api_get_text(api, path, &text, &n, e);
    if (ret == 0 && fwrite(text, 1, n, stdout) != n)
        ret = err_set_errno(e, errno, "the output cannot be written");
    api_close(api);
    free(path);
    free(text);
    return ret;
}
