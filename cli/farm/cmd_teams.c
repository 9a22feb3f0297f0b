/* vivace team: teams, their members, invitations. */
#include <stdlib.h>
#include <string.h>

#include "base/conf.h"
#include "base/text.h"
#include "cli/client/farm.h"
#include "cli/nouns.h"

#define COLUMNS(list) list, sizeof(list) / sizeof *(list)

#define ROLES                                                                                                      \
    "Roles: viewer reads; member uploads, plans and runs too; owner manages members, tokens, links and the audit " \
    "log.\n"

static const struct cli_verb verbs[] = {
    {"list", "", NULL, 0, 0, "Lists your teams; a site admin sees all teams.\n"},
    {"create", "TEAM", NULL, 1, 1, "Makes a team (site admins).\n"},
    {"members", "TEAM", NULL, 1, 1, "Lists who is in a team, with which role (owners).\n\n" ROLES},
    {"add", "TEAM NAME [--role member] [--new]", " role new password-file ", 2, 2,
     "Adds an account to a team, or changes its role; --new creates the account.\n"
     "\n" ROLES},
    {"remove", "TEAM NAME", NULL, 2, 2, "Removes an account from a team.\n"},
    {"share", "TEAM N", NULL, 2, 2,
     "Sets a team's share of the workers (site admins): a team of share 2 gets twice the workers of a team of "
     "share "
     "1,\n"
     "when both want them.\n"},
    {"invite", "TEAM [--role viewer]", " role ", 1, 1,
     "Prints a secret that lets one person join, once, within seven days.\n\n" ROLES},
    {NULL, NULL, NULL, 0, 0, NULL}};

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

struct teams_request {
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
        path ? farm_print_list(api_list_all(api, path, e), COLUMNS(member_columns), o, "the team has no members", e)
             : -1;

    free(path);
    return ret;
}

static int add_new(struct api *api, const char *team, const char *name, const struct teams_request *w,
                   struct err *e)
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

static int add(struct api *api, const char *team, const char *name, const struct teams_request *w, struct err *e)
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

static int team_remove(struct api *api, const char *team, const char *name, struct err *e)
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

static int invite(struct api *api, const char *team, const struct teams_request *w, struct err *e)
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

static int team(struct api *api, const struct cli_args *args, void *ctx, struct err *e)
{
    const struct teams_request *w = ctx;
    const char *verb = args->verb, *name = args->count ? args->items[0] : NULL;

    if (strcmp(verb, "list") == 0)
        return farm_print_list(api_list_all(api, "/teams", e), COLUMNS(team_columns), &w->output, "no teams", e);
    if (strcmp(verb, "create") == 0)
        return make(api, name, e);
    if (strcmp(verb, "members") == 0)
        return members(api, name, &w->output, e);
    if (strcmp(verb, "invite") == 0)
        return invite(api, name, w, e);
    if (strcmp(verb, "add") == 0)
        return add(api, name, args->items[1], w, e);
    if (strcmp(verb, "remove") == 0)
        return team_remove(api, name, args->items[1], e);
    return set_share(api, name, args->items[1], e);
}

int team_any(int argc, char **argv)
{
    struct teams_request w = {.role = "member"};
    const struct cli_option options[] = {
        {"role", 0, CLI_TEXT, "ROLE", &w.role, "viewer, member (default) or owner"},
        {"new", 0, CLI_FLAG, NULL, &w.new_account, "make the account, with a first password"},
        {"password-file", 0, CLI_PATH, "FILE", &w.password_file,
         "with --new: file with the password; default: a prompt asks for it"},
        {.name = NULL}};
    const struct cli_usage usage = {.command = "team", .options = options, .output = &w.output, .csv = true};

    return farm_verb_command(argc, argv, &usage, verbs, team, &w);
}
