/* vivace share, audit: links that show one object or one comparison without a login; the audit log. */
#include <stdlib.h>
#include <string.h>

#include "cli/client/farm.h"
#include "cli/nouns.h"

#define COLUMNS(list) list, sizeof(list) / sizeof *(list)

/* --- vivace share --- */

static const struct cli_verb verbs[] = {
    {"list", "", NULL, 0, 0, "Lists the team's share links, never their secrets.\n"},
    {"create", "run|plan|profile ID | compare RUN:DESIGN RUN:DESIGN... [--frozen] [--hide-names]",
     " name expires-days frozen hide-names all-parameters ", 2, 34,
     "Makes a share link and prints its address, once. Every person who has the address can read this\n"
     "one object in the dashboard, without an account, and nothing else of the team. With `compare`, the link\n"
     "shows the comparison of the first design with the others, and nothing else of their runs. --frozen: later\n"
     "changes are not shown. --hide-names: the link shows labels instead of the names of kernels, files and\n"
     "people. --all-parameters: a comparison also shows the parameters in which its designs do not differ.\n"},
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
    bool frozen, hide_names, all_parameters;
};

/* RUN:DESIGN as a side of a question. NULL on failure. */
static json_t *side(const char *text, struct err *e)
{
    const char *colon = strchr(text, ':');
    json_t *out;

    if (!colon || colon == text || !colon[1]) {
        err_set(e, ERR_USAGE, "`%.80s` must have the form RUN:DESIGN", text);
        return NULL;
    }
    out = json_pack("{s:s%,s:s}", "run", text, (size_t)(colon - text), "design", colon + 1);
    if (!out)
        err_set(e, ERR_USAGE, "`%.80s` is not valid UTF-8", text);
    return out;
}

static json_t *question(char *const *items, size_t count, bool all_parameters, struct err *e)
{
    json_t *base = side(items[0], e), *with = json_array(), *out = NULL, *one;

    for (size_t i = 1; base && with && i < count; i++)
        if (!(one = side(items[i], e)) || json_push(with, one) < 0)
            goto out;
    if (base && with &&
        !(out = json_pack("{s:O,s:O,s:b}", "base", base, "with", with, "all_parameters", all_parameters)))
        err_no_memory(e);
out:
    json_decref(base);
    json_decref(with);
    return out;
}

/* Adds what the link shows. */
static int put_shown(const struct cli_args *args, const struct shares_request *w, struct json_obj *o, struct err *e)
{
    const bool compare = strcmp(args->items[0], "compare") == 0;
    size_t count = (size_t)args->count;
    json_t *asked;

    json_put_str(o, "kind", args->items[0]);
    if (!compare && w->all_parameters)
        return err_set(e, ERR_USAGE, "--all-parameters belongs to links of comparisons: share create compare");
    if (!compare && count != 2)
        return err_set(e, ERR_USAGE, "a link to a %.20s takes one id", args->items[0]);
    if (!compare) {
        json_put_str(o, "object", args->items[1]);
        return 0;
    }
    if (count < 3)
        return err_set(e, ERR_USAGE,
                       "a comparison takes the baseline and at least one other design, each as RUN:DESIGN");
    asked = question(args->items + 1, count - 1, w->all_parameters, e);
    if (asked)
        json_put(o, "question", asked);
    return asked ? 0 : -1;
}

static int make(struct api *api, const struct cli_args *args, const struct shares_request *w, struct err *e)
{
    struct json_obj o = json_obj_begin();
    const char *url;
    json_t *made = NULL;

    if (put_shown(args, w, &o, e) < 0) {
        json_decref(json_obj_end(&o));
        return -1;
    }
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
        return make(api, args, w, e);
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
        {"all-parameters", 0, CLI_FLAG, NULL, &w.all_parameters,
         "compare: also the parameters in which the designs do not differ"},
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
