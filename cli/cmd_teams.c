/* vivace teams: teams, their members, invitations. */
#include <stdlib.h>
#include <string.h>

#include "base/conf.h"
#include "base/text.h"
#include "cli/farm.h"

#define COLUMNS(list) list, sizeof(list) / sizeof *(list)

static const char help_text[] =
    "  vivace teams                                 lists your teams (a site admin's are all)\n"
    "  vivace teams make TEAM                       makes one (site admins)\n"
    "  vivace teams members TEAM                    who is in it, with which role (owners)\n"
    "  vivace teams add TEAM NAME --role member     takes an account in, or changes its role; --new makes the "
    "account\n"
    "  vivace teams remove TEAM NAME\n"
    "  vivace teams share TEAM 2                    twice the workers of a team of share 1, when both want them "
    "(site "
    "admins)\n"
    "  vivace teams invite TEAM --role viewer       a secret that lets one person join, once, within seven days\n"
    "\n"
    "Roles: viewer reads; member uploads, plans and runs too; owner manages members, tokens, links and the audit "
    "log.\n";

static const struct farm_column team_columns[] = {
    {{"team", "team", false, false}, "team", FARM_TEXT},
    {{"members", "members", true, false}, "members", FARM_COUNT},
    {{"share", "share", true, false}, "share", FARM_NUMBER},
    {{"your role", "role", false, false}, "role", FARM_TEXT},
};
static const struct farm_column member_columns[] = {
    {{"user", "user", false, false}, "user", FARM_TEXT},
    {{"role", "role", false, false}, "role", FARM_TEXT},
    {{"disabled", "disabled", false, false}, "disabled", FARM_TEXT},
    {{"since", "since", false, false}, "since", FARM_TEXT},
};

struct teams_wish {
    struct cli_output output;
    const char *role, *password_file;
    bool new_account;
};

static char *member_path(const char *team, const char *name, struct err *e)
{
    struct strbuf b = STRBUF_INIT;
    char *path;

    if (farm_path_add(&b, "/teams/", team, e) < 0 || farm_path_add(&b, "/members/", name, e) < 0) {
        strbuf_release(&b);
        return NULL;
    }
    path = strbuf_detach(&b);
    if (!path)
        err_no_memory(e);
    return path;
}

static int make(struct api *api, const char *team, struct err *e)
{
    json_t *body = api_body(e, "{s:s}", "team", team);

    if (!body || api_post(api, "/teams", body, NULL, e) < 0)
        return -1;
    printf("team %s is made\n", team);
    return 0;
}

static int members(struct api *api, const char *team, const struct cli_output *o, struct err *e)
{
    char *path = farm_path("/teams/", team, "/members", e);
    int ret =
        path ? farm_print_list(api_list_all(api, path, e), COLUMNS(member_columns), o, "nobody is in it", e) : -1;

    free(path);
    return ret;
}

static int add_new(struct api *api, const char *team, const char *name, const struct teams_wish *w, struct err *e)
{
    char *path = farm_path("/teams/", team, "/members", e), *password = NULL;
    json_t *body = NULL;
    int ret = path ? 0 : -1;

    if (ret == 0 && w->password_file)
        ret = conf_read_secret(w->password_file, &password, e);
    else if (ret == 0)
        ret = (password = cli_ask_secret("First password", "--password-file FILE", e)) ? 0 : -1;
    if (ret == 0)
        ret = (body = api_body(e, "{s:s,s:s,s:s}", "user", name, "password", password, "role", w->role)) ? 0 : -1;
    if (ret == 0)
        ret = api_post(api, path, body, NULL, e);
    free(password);
    free(path);
    return ret;
}

static int add(struct api *api, const char *team, const char *name, const struct teams_wish *w, struct err *e)
{
    char *path = w->new_account ? NULL : member_path(team, name, e);
    int ret = w->new_account ? add_new(api, team, name, w, e)
              : path         ? api_send(api, "PUT", path, json_pack("{s:s}", "role", w->role), e)
                             : -1;

    free(path);
    if (ret == 0)
        printf("%s is %s of %s\n", name, w->role, team);
    return ret;
}

static int take_out(struct api *api, const char *team, const char *name, struct err *e)
{
    char *path = member_path(team, name, e);
    int ret = path ? api_delete(api, path, e) : -1;

    free(path);
    if (ret == 0)
        printf("%s is out of %s\n", name, team);
    return ret;
}

static int set_share(struct api *api, const char *team, const char *text, struct err *e)
{
    double share;
    char *path = NULL;
    int ret = parse_double(text, "the share", &share, e);

    if (ret == 0)
        ret = (path = farm_path("/teams/", team, "", e))
                  ? api_send(api, "PATCH", path, json_pack("{s:f}", "share", share), e)
                  : -1;
    free(path);
    if (ret == 0)
        printf("the share of %s is %s\n", team, text);
    return ret;
}

static int invite(struct api *api, const char *team, const struct teams_wish *w, struct err *e)
{
    char *path = farm_path("/teams/", team, "/invitations", e);
    json_t *made = NULL;
    int ret = path ? api_post(api, path, json_pack("{s:s}", "role", w->role), &made, e) : -1;

    free(path);
    if (ret < 0)
        return -1;
    if (w->output.json)
        return cli_print_json(made, e);
    printf("%s\n", farm_text(made, "invitation"));
    cli_note("shown once; who has it joins %s as %s until %s: `vivace login %s --user NAME --invitation`, or "
             "%s/join",
             team, w->role, farm_text(made, "expires_at"), api_url(api), api_url(api));
    json_decref(made);
    return 0;
}

static int teams(struct api *api, const struct cli_args *args, void *ctx, struct err *e)
{
    const struct teams_wish *w = ctx;
    const char *what = args->count ? args->items[0] : "", *team = args->count > 1 ? args->items[1] : NULL;

    if (args->count == 0)
        return farm_print_list(api_list_all(api, "/teams", e), COLUMNS(team_columns), &w->output, "no teams", e);
    if (args->count == 2 && strcmp(what, "make") == 0)
        return make(api, team, e);
    if (args->count == 2 && strcmp(what, "members") == 0)
        return members(api, team, &w->output, e);
    if (args->count == 2 && strcmp(what, "invite") == 0)
        return invite(api, team, w, e);
    if (args->count == 3 && strcmp(what, "add") == 0)
        return add(api, team, args->items[2], w, e);
    if (args->count == 3 && strcmp(what, "remove") == 0)
        return take_out(api, team, args->items[2], e);
    if (args->count == 3 && strcmp(what, "share") == 0)
        return set_share(api, team, args->items[2], e);
    return err_set(e, ERR_USAGE, "teams: `%s` is not understood here", what);
}

int cmd_teams(int argc, char **argv)
{
    struct teams_wish w = {.role = "member"};
    const struct cli_option options[] = {
        {"role", 0, CLI_TEXT, "ROLE", &w.role, "add, invite: viewer, member (default) or owner"},
        {"new", 0, CLI_FLAG, NULL, &w.new_account, "add: makes the account, with a first password"},
        {"password-file", 0, CLI_PATH, "FILE", &w.password_file,
         "add --new: where it stands; else it is asked for"},
        {.name = NULL}};
    const struct cli_usage usage = {
        "teams",   "[make TEAM | members TEAM | add TEAM NAME | remove TEAM NAME | share TEAM N | invite TEAM]",
        help_text, options,
        &w.output, true,
        0,         3};

    return farm_command(argc, argv, &usage, teams, &w);
}
