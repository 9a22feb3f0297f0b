/* vivace workload, token: lists them, and changes them. */
#include <stdlib.h>
#include <string.h>

#include "cli/client/farm.h"
#include "cli/nouns.h"

#define COLUMNS(list) list, sizeof(list) / sizeof *(list)

/* --- vivace workload --- */

static const struct cli_verb workload_verbs[] = {
    {"list", "[--named TEXT] [--archived]", " named sort archived ", 0, 0,
     "Lists what was uploaded, with its newest plan and run.\n"},
    {"show", "ID", NULL, 1, 1, "Shows a workload with all profiles, plans and runs, as JSON.\n"},
    {"rename", "ID NAME", NULL, 2, 2, "Gives a workload another name.\n"},
    {"archive", "ID", NULL, 1, 1, "Archives a workload: lists show it only with --archived. All its data stays.\n"},
    {"restore", "ID", NULL, 1, 1, "Returns a workload from the archive to the lists.\n"},
    {"delete", "ID", NULL, 1, 1, "Deletes a workload with all its profiles, plans, runs and results.\n"},
    {NULL, NULL, NULL, 0, 0, NULL}};

static const struct farm_column workload_columns[] = {
    {{"workload", "id", false, false}, "id", FARM_TEXT},
    {{"name", "name", false, true}, "name", FARM_TEXT},
    {{"launches", "launches", true, false}, "profile.launches", FARM_COUNT},
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
                           r->named      ? "no workload has this text in its name"
                           : r->archived ? "nothing is archived"
                                         : "nothing here yet; `vivace push FILE` uploads a profile",
                           e);
}

static int workload(struct api *api, const struct cli_args *args, void *ctx, struct err *e)
{
    const struct workloads_request *r = ctx;
    const char *verb = args->verb, *id = args->count ? args->items[0] : NULL;
    json_t *v;

    if (strcmp(verb, "list") == 0)
        return list_workloads(api, r, e);
    if (strcmp(verb, "delete") == 0)
        return farm_delete(api, "workload", "/workloads/", id, e);
    if (strcmp(verb, "rename") == 0)
        return cli_need_utf8(args->items[1], "workload rename", e) < 0
                   ? -1
                   : farm_change(api, "workload", "/workloads/", id, json_pack("{s:s}", "name", args->items[1]),
                                 "now has that name", e);
    if (strcmp(verb, "archive") == 0)
        return farm_change(api, "workload", "/workloads/", id, json_pack("{s:b}", "archived", 1), "is archived", e);
    if (strcmp(verb, "restore") == 0)
        return farm_change(api, "workload", "/workloads/", id, json_pack("{s:b}", "archived", 0),
                           "is back in the list", e);
    v = farm_get(api, "/workloads/", id, "", e);
    return v ? cli_print_json(v, e) : -1;
}

/* --- vivace token --- */

static const struct cli_verb token_verbs[] = {
    {"list", "", NULL, 0, 0, "Lists access tokens, never their secrets.\n"},
    {"create", "NAME [--scopes read,write] [--expires-days N]", " scopes expires-days ", 1, 1,
     "Makes a token; its secret is shown once.\n"
     "\n"
     "Scopes: read, write, worker (claim jobs and nothing else), admin.\n"},
    {"revoke", "ID", NULL, 1, 1, "Revokes a token.\n"},
    {NULL, NULL, NULL, 0, 0, NULL}};

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

static int token(struct api *api, const struct cli_args *args, void *ctx, struct err *e)
{
    const struct token_request *r = ctx;

    if (strcmp(args->verb, "list") == 0)
        return farm_print_list(api_list_all(api, "/tokens", e), COLUMNS(token_columns), &r->output, "no tokens", e);
    if (strcmp(args->verb, "create") == 0)
        return create_token(api, args->items[0], r, e);
    return farm_delete(api, "token", "/tokens/", args->items[0], e);
}

/* --- The commands --- */

int workload_any(int argc, char **argv)
{
    struct workloads_request r = {.named = NULL};
    const struct cli_option options[] = {
        {"named", 0, CLI_TEXT, "TEXT", &r.named, "only those whose name holds these letters"},
        {"sort", 0, CLI_TEXT, "COLUMN", &r.sort,
         "name, kernels, launches, total or created; with - largest first; default -created"},
        {"archived", 0, CLI_FLAG, NULL, &r.archived, "those that are archived"},
        {.name = NULL}};
    const struct cli_usage usage = {.command = "workload", .options = options, .output = &r.output, .csv = true};

    return farm_verb_command(argc, argv, &usage, workload_verbs, workload, &r);
}

int token_any(int argc, char **argv)
{
    struct token_request r = {.scopes = "read,write"};
    const struct cli_option options[] = {
        {"scopes", 0, CLI_TEXT, "A,B", &r.scopes, "what it may do; default read,write"},
        {"expires-days", 0, CLI_U64, "N", &r.expires_days, "how long it is valid; default: the server's"},
        {.name = NULL}};
    const struct cli_usage usage = {.command = "token", .options = options, .output = &r.output, .csv = true};

    return farm_verb_command(argc, argv, &usage, token_verbs, token, &r);
}
