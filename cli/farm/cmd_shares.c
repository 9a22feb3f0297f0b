/* vivace share, audit: links that show one object without a login; the audit log. */
#include <stdlib.h>
#include <string.h>

#include "cli/client/farm.h"
#include "cli/nouns.h"

#define COLUMNS(list) list, sizeof(list) / sizeof *(list)

/* --- vivace share --- */

static const struct cli_verb verbs[] = {
    {"list", "", NULL, 0, 0, "Lists the team's share links, never their secrets.\n"},
    {"create", "run|plan|profile ID [--frozen] [--hide-names]", " name expires-days frozen hide-names ", 2, 2,
     "Makes a share link and prints its address, once. Every person who has the address can read this\n"
     "one object in the dashboard, without an account, and nothing else of the team. --frozen: later changes of\n"
     "the object are not shown. --hide-names: the link shows labels instead of the names of kernels, files and\n"
     "people.\n"},
    {"revoke", "ID", NULL, 1, 1, "Revokes a share link.\n"},
    {NULL, NULL, NULL, 0, 0, NULL}};

static const struct farm_column share_columns[] = {
    {{"share", "id", false, false}, "id", FARM_TEXT},
    {{"kind", "kind", false, false}, "kind", FARM_TEXT},
    {{"object", "object", false, false}, "object", FARM_TEXT},
    {{"name", "name", false, true}, "name", FARM_TEXT},
    {{"opened", "opened", true, false}, "opened", FARM_COUNT},
    {{"by", "made_by", false, false}, "made_by", FARM_TEXT},
    {{"expires", "expires_at", false, false}, "expires_at", FARM_TEXT},
};

struct shares_request {
    struct cli_output output;
    const char *name;
    uint64_t expires_days;
    bool frozen, hide_names;
};

static int make(struct api *api, const char *kind, const char *object, const struct shares_request *w,
                struct err *e)
{
    struct json_obj o = json_obj_begin();
    const char *url;
    json_t *made = NULL;

    json_put_str(&o, "kind", kind);
    json_put_str(&o, "object", object);
    if (w->name)
        json_put_str(&o, "name", w->name);
    if (w->expires_days)
        json_put_u64(&o, "expires_days", w->expires_days);
    json_put_bool(&o, "frozen", w->frozen);
    json_put_bool(&o, "hide_names", w->hide_names);
    if (api_post(api, "/shares", json_obj_end(&o), &made, e) < 0)
        return -1;
    if (w->output.json)
        return cli_print_json(made, e);
    url = farm_text(made, "url");
    printf("%s%s\n", url[0] == '/' ? api_url(api) : "", url);
    cli_note("shown once; link %s, until %s", farm_text(made, "id"), farm_text(made, "expires_at"));
    json_decref(made);
    return 0;
}

static int share(struct api *api, const struct cli_args *args, void *ctx, struct err *e)
{
    const struct shares_request *w = ctx;
    char *path;
    int ret;

    if (strcmp(args->verb, "list") == 0)
        return farm_print_list(api_list_all(api, "/shares", e), COLUMNS(share_columns), &w->output,
                               "no share links", e);
    if (strcmp(args->verb, "create") == 0)
        return make(api, args->items[0], args->items[1], w, e);
    path = farm_path("/shares/", args->items[0], "", e);
    ret = path ? api_delete(api, path, e) : -1;
    free(path);
    if (ret == 0)
        printf("link %s is revoked\n", args->items[0]);
    return ret;
}

int share_any(int argc, char **argv)
{
    struct shares_request w = {.name = NULL};
    const struct cli_option options[] = {
        {"name", 0, CLI_TEXT, "TEXT", &w.name, "purpose of the link"},
        {"expires-days", 0, CLI_U64, "N", &w.expires_days, "days until it expires; default 30, at most 365"},
        {"frozen", 0, CLI_FLAG, NULL, &w.frozen, "shows the present state for ever"},
        {"hide-names", 0, CLI_FLAG, NULL, &w.hide_names, "labels instead of names"},
        {.name = NULL}};
    const struct cli_usage usage = {.command = "share", .options = options, .output = &w.output, .csv = true};

    return farm_verb_command(argc, argv, &usage, verbs, share, &w);
}

/* --- vivace audit --- */

static const char audit_help[] =
    "Lists log-ins, failed log-ins, changes of accounts, roles, passwords, tokens and share links, and deletions,\n"
    "the newest first. Owners see the entries of their team, site admins those of the farm.\n"
    "\n"
    "  vivace audit --csv > audit.csv\n"
    "  vivace audit --action login --since 2026-11-01\n";

static const struct farm_column audit_columns[] = {
    {{"when", "at", false, false}, "at", FARM_TEXT},
    {{"team", "team", false, false}, "team", FARM_TEXT},
    {{"who", "actor", false, false}, "actor", FARM_TEXT},
    {{"by", "credential", false, false}, "credential", FARM_TEXT},
    {{"from", "address", false, false}, "address", FARM_TEXT},
    {{"did", "action", false, false}, "action", FARM_TEXT},
    {{"to", "object", false, true}, "object", FARM_TEXT},
    {{"answer", "outcome", true, false}, "outcome", FARM_COUNT},
};

struct audit_request {
    struct cli_output output;
    const char *action, *since;
};

static int audit(struct api *api, const struct cli_args *args, void *ctx, struct err *e)
{
    const struct audit_request *w = ctx;
    struct strbuf path = STRBUF_INIT;
    int ret;

    (void)args;
    strbuf_adds(&path, "/audit?limit=1000");
    if (w->action) {
        strbuf_adds(&path, "&action=");
        api_escape(&path, w->action);
    }
    if (w->since) {
        strbuf_adds(&path, "&since=");
        api_escape(&path, w->since);
    }
    ret = path.failed ? err_no_memory(e)
                      : farm_print_list(api_list_all(api, path.text, e), COLUMNS(audit_columns), &w->output,
                                        "no entry matches", e);
    strbuf_release(&path);
    return ret;
}

int cmd_audit(int argc, char **argv)
{
    struct audit_request w = {.action = NULL};
    const struct cli_option options[] = {
        {"action", 0, CLI_TEXT, "NAME", &w.action,
         "only this action: login, token.make, member.change, share.open, ..."},
        {"since", 0, CLI_TEXT, "TIME", &w.since,
         "only entries since this day or time, as 2026-11-01 or 2026-11-01T12:00:00Z"},
        {.name = NULL}};
    const struct cli_usage usage = {
        "audit", "[--action NAME] [--since TIME]", audit_help, options, &w.output, true, 0, 0};

    return farm_command(argc, argv, &usage, audit, &w);
}
