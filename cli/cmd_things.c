/* vivace workloads, designs, tokens: lists of what is on the farm, and adding to them. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cli/farm.h"

#define COLUMNS(list) list, sizeof(list) / sizeof *(list)

static int delete_one(struct api *api, const char *before, const char *id, const char *what, struct err *e)
{
    char *path = farm_path(before, id, "", e);
    int ret = path ? api_delete(api, path, e) : -1;

    free(path);
    if (ret == 0)
        printf("%s %s is deleted\n", what, id);
    return ret;
}

/* --- vivace workloads --- */

static const char workloads_help[] =
    "  vivace workloads [--named TEXT]  lists what was uploaded, with its newest plan and run\n"
    "  vivace workloads show ID         one of them with all profiles, plans and runs (JSON)\n"
    "  vivace workloads rename ID NAME  gives it another name\n"
    "  vivace workloads archive ID      puts it away: lists show it with --archived only, and all it has stays\n"
    "  vivace workloads restore ID      takes it out of the archive\n"
    "  vivace workloads delete ID       deletes it with all its profiles, plans, runs and results\n";

static const struct farm_column workload_columns[] = {
    {{"workload", "id", false, false}, "id", FARM_TEXT},
    {{"name", "name", false, true}, "name", FARM_TEXT},
    {{"launches", "invocations", true, false}, "profile.invocations", FARM_COUNT},
    {{"kernels", "kernels", true, false}, "profile.kernels", FARM_COUNT},
    {{"time", "total_s", true, false}, "profile.total_s", FARM_SECONDS},
    {{"profile", "profile", false, false}, "profile.id", FARM_TEXT},
    {{"plan", "plan", false, false}, "latest_plan.id", FARM_TEXT},
    {{"run", "run", false, false}, "latest_run.id", FARM_TEXT},
    {{"state", "run_state", false, false}, "latest_run.state", FARM_TEXT},
};

struct workloads_request {
    const char *named, *sort;
    bool archived;
    struct cli_output output;
};

static int list_workloads(struct api *api, const struct workloads_request *r, struct err *e)
{
    const struct farm_query query[] = {
        {"archived", r->archived ? "true" : "false"}, {"q", r->named}, {"sort", r->sort}, {NULL, NULL}};

    return farm_print_list(farm_list_all(api, "/workloads", query, e), COLUMNS(workload_columns), &r->output,
                           r->named      ? "no workload has these letters in its name"
                           : r->archived ? "nothing is put away"
                                         : "nothing here yet; `vivace push FILE` uploads a profile",
                           e);
}

/* PATCH: another name, or into the archive and out of it. Drops `change`. */
static int change_workload(struct api *api, const char *id, json_t *change, const char *said, struct err *e)
{
    char *path = farm_path("/workloads/", id, "", e);
    int ret = path ? api_send(api, "PATCH", path, change, e) : -1;

    if (!path)
        json_decref(change);
    free(path);
    if (ret == 0)
        printf("workload %s %s\n", id, said);
    return ret;
}

static int workloads(struct api *api, const struct cli_args *args, void *ctx, struct err *e)
{
    const struct workloads_request *r = ctx;
    json_t *v;

    if (args->count == 0)
        return list_workloads(api, r, e);
    if (args->count == 2 && strcmp(args->items[0], "delete") == 0)
        return delete_one(api, "/workloads/", args->items[1], "workload", e);
    if (args->count == 3 && strcmp(args->items[0], "rename") == 0)
        return cli_need_utf8(args->items[2], "workloads rename", e) < 0
                   ? -1
                   : change_workload(api, args->items[1], json_pack("{s:s}", "name", args->items[2]),
                                     "has that name now", e);
    if (args->count == 2 && strcmp(args->items[0], "archive") == 0)
        return change_workload(api, args->items[1], json_pack("{s:b}", "archived", 1), "is archived", e);
    if (args->count == 2 && strcmp(args->items[0], "restore") == 0)
        return change_workload(api, args->items[1], json_pack("{s:b}", "archived", 0), "is back in the list", e);
    if (args->count == 2 && strcmp(args->items[0], "show") == 0) {
        v = farm_get(api, "/workloads/", args->items[1], "", e);
        return v ? cli_print_json(v, e) : -1;
    }
    return err_set(e, ERR_USAGE, "workloads: `%s` is not understood here", args->items[0]);
}

/* --- vivace designs --- */

static const char designs_help[] =
    "  vivace designs                   lists the GPU designs that runs can name\n"
    "  vivace designs add FILE          adds one (docs/formats/design.md); prints its id\n"
    "  vivace designs show NAME|ID      prints its JSON\n";

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

    json_decref(check); /* it is JSON; whether it is a design, the server says */
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

static int show_design(struct api *api, const char *name, struct err *e)
{
    char *path = farm_path("/designs/", name, "", e), *text = NULL;
    size_t n = 0;
    int ret = path ? api_get_text(api, path, &text, &n, e) : -1;

    if (ret == 0 && fwrite(text, 1, n, stdout) != n)
        ret = err_set_errno(e, errno, "the output cannot be written");
    free(path);
    free(text);
    return ret;
}

static int designs(struct api *api, const struct cli_args *args, void *ctx, struct err *e)
{
    const struct cli_output *o = ctx;
    if (args->count == 0 || (args->count == 1 && strcmp(args->items[0], "list") == 0))
        return farm_print_list(api_list_all(api, "/designs", e), COLUMNS(design_columns), o, "no designs", e);
    if (args->count == 2 && strcmp(args->items[0], "add") == 0)
        return add_design(api, args->items[1], o, e);
    if (args->count == 2 && strcmp(args->items[0], "show") == 0)
        return show_design(api, args->items[1], e);
    return err_set(e, ERR_USAGE, "designs: `%s` is not understood here", args->items[0]);
}

/* --- vivace tokens --- */

static const char tokens_help[] =
    "  vivace tokens                                      lists access tokens (never their secrets)\n"
    "  vivace tokens create NAME --scopes read,write      makes one; its secret is shown once\n"
    "  vivace tokens revoke ID\n"
    "\n"
    "Scopes: read, write, worker (claim jobs and nothing else), admin.\n";

static const struct farm_column token_columns[] = {
    {{"token", "id", false, false}, "id", FARM_TEXT},
    {{"name", "name", false, true}, "name", FARM_TEXT},
    {{"scopes", "scopes", false, false}, "scopes", FARM_LIST},
    {{"expires", "expires_at", false, false}, "expires_at", FARM_TEXT},
};

struct token_request {
    const char *scopes;
    uint64_t expires_days;
    struct cli_output output;
};

static int create_token(struct api *api, const char *name, const struct token_request *r, struct err *e)
{
    struct json_obj o = json_obj_begin();
    json_t *answer = NULL;

    json_put_str(&o, "name", name);
    json_put(&o, "scopes", farm_list(r->scopes));
    if (r->expires_days)
        json_put_u64(&o, "expires_days", r->expires_days);
    if (api_post(api, "/tokens", json_obj_end(&o), &answer, e) < 0)
        return -1;
    if (r->output.json)
        return cli_print_json(answer, e);
    printf("%s\n", farm_text(answer, "token"));
    cli_note("this secret is shown once; token %s, expires %s", farm_text(answer, "id"),
             farm_text(answer, "expires_at"));
    json_decref(answer);
    return 0;
}

static int tokens(struct api *api, const struct cli_args *args, void *ctx, struct err *e)
{
    const struct token_request *r = ctx;
    if (args->count == 0)
        return farm_print_list(api_list_all(api, "/tokens", e), COLUMNS(token_columns), &r->output, "no tokens", e);
    if (args->count == 2 && strcmp(args->items[0], "create") == 0)
        return create_token(api, args->items[1], r, e);
    if (args->count == 2 && strcmp(args->items[0], "revoke") == 0)
        return delete_one(api, "/tokens/", args->items[1], "token", e);
    return err_set(e, ERR_USAGE, "tokens: `%s` is not understood here", args->items[0]);
}

/* --- The three commands --- */

int cmd_workloads(int argc, char **argv)
{
    struct workloads_request r = {.named = NULL};
    const struct cli_option options[] = {
        {"named", 0, CLI_TEXT, "TEXT", &r.named, "only those whose name holds these letters"},
        {"sort", 0, CLI_TEXT, "COLUMN", &r.sort,
         "name, kernels, invocations, total or created; with - largest first; default -created"},
        {"archived", 0, CLI_FLAG, NULL, &r.archived, "those that were put away"},
        {.name = NULL}};
    const struct cli_usage usage = {"workloads",
                                    "[show ID | rename ID NAME | archive ID | restore ID | delete ID]",
                                    workloads_help,
                                    options,
                                    &r.output,
                                    true,
                                    0,
                                    3};

    return farm_command(argc, argv, &usage, workloads, &r);
}

int cmd_designs(int argc, char **argv)
{
    struct cli_output o = {.json = false};
    const struct cli_usage usage = {"designs", "[add FILE | show NAME]", designs_help, NULL, &o, true, 0, 2};

    return farm_command(argc, argv, &usage, designs, &o);
}

int cmd_tokens(int argc, char **argv)
{
    struct token_request r = {.scopes = "read,write"};
    const struct cli_option options[] = {
        {"scopes", 0, CLI_TEXT, "A,B", &r.scopes, "create: what it may do; default read,write"},
        {"expires-days", 0, CLI_U64, "N", &r.expires_days, "create: how long it is valid; default: the server's"},
        {.name = NULL}};
    const struct cli_usage usage = {"tokens", "[create NAME | revoke ID]", tokens_help, options, &r.output, true, 0,
                                    2};

    return farm_command(argc, argv, &usage, tokens, &r);
}
