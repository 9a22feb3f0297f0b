/* vivace user: user accounts, for site admins; and the user's own password. */
#include <stdlib.h>
#include <string.h>

#include "base/conf.h"
#include "cli/client/farm.h"
#include "cli/nouns.h"

#define PASSWORDS                                                                                                  \
    "\nPasswords come from --password-file or standard input, never from the command line. Changing your own "     \
    "also "                                                                                                        \
    "asks\n"                                                                                                       \
    "for the current one.\n"

static const struct cli_verb verbs[] = {
    {"list", "", NULL, 0, 0, "Lists accounts (site admins).\n"},
    {"create", "NAME [--site-admin]", " password-file site-admin ", 1, 1,
     "Makes an account; asks for its first password. Who belongs to which team: `vivace team`.\n" PASSWORDS},
    {"password", "NAME", " password-file ", 1, 1, "Sets a password; all sessions of the account end.\n" PASSWORDS},
    {"disable", "NAME", NULL, 1, 1, "Ends the sessions of an account and stops its tokens.\n"},
    {"enable", "NAME", NULL, 1, 1, "Enables an account again.\n"},
    {NULL, NULL, NULL, 0, 0, NULL}};

static const struct farm_column columns[] = {
    {{"user", "user", false, false}, "user", FARM_TEXT},
    {{"teams", "teams", false, false}, "teams", FARM_LIST},
    {{"site admin", "site_admin", false, false}, "site_admin", FARM_TEXT},
    {{"disabled", "disabled", false, false}, "disabled", FARM_TEXT},
    {{"since", "created_at", false, false}, "created_at", FARM_TEXT},
};

struct users_request {
    struct cli_output output;
    const char *password_file;
    bool site_admin;
};

static char *get_password(const struct users_request *w, const char *what, struct err *e)
{
    char *password = NULL;

    if (!w->password_file)
        return cli_ask_secret(what, "--password-file FILE", e);
    return conf_read_secret(w->password_file, &password, e) < 0 ? NULL : password;
}

static int add(struct api *api, const char *name, const struct users_request *w, struct err *e)
{
    char *password = get_password(w, "First password", e);
    json_t *body = password ? api_body(e, "{s:s,s:s,s:b}", "user", name, "password", password, "site_admin",
                                       (int)w->site_admin)
                            : NULL;
    int ret = body ? api_post(api, "/users", body, NULL, e) : -1;

    free(password);
    if (ret == 0)
        printf("user %s is made\n", name);
    return ret;
}

/* *own: the name is that of the user who is logged in. A change of the own password needs the current one too. */
static int own_name(struct api *api, const char *name, bool *own, struct err *e)
{
    json_t *session = NULL;

    if (api_get(api, "/session", &session, e) < 0)
        return -1;
    *own = strcmp(farm_text(session, "user"), name) == 0;
    json_decref(session);
    return 0;
}

static json_t *new_password(const struct users_request *w, bool own, struct err *e)
{
    char *current = NULL, *password;
    json_t *body = NULL;

    if (own && !(current = cli_ask_secret("Current password", "it is asked for on standard input", e)))
        return NULL;
    password = get_password(w, "New password", e);
    if (password)
        body = own ? api_body(e, "{s:s,s:s}", "password", password, "current", current)
                   : api_body(e, "{s:s}", "password", password);
    free(current);
    free(password);
    return body;
}

static int set_password(struct api *api, const char *name, const struct users_request *w, struct err *e)
{
    char *path = farm_path("/users/", name, "/password", e);
    json_t *body = NULL;
    bool own = false;
    int ret = path ? own_name(api, name, &own, e) : -1;

    if (ret == 0)
        ret = (body = new_password(w, own, e)) ? api_send(api, "PUT", path, body, e) : -1;
    free(path);
    if (ret == 0)
        printf("the password of %s is changed, its sessions have ended\n", name);
    return ret;
}

static int disable(struct api *api, const char *name, bool disabled, struct err *e)
{
    char *path = farm_path("/users/", name, "", e);
    int ret = path ? api_send(api, "PATCH", path, json_pack("{s:b}", "disabled", (int)disabled), e) : -1;

    free(path);
    if (ret == 0)
        printf("user %s is %s\n", name, disabled ? "disabled" : "enabled");
    return ret;
}

static int user(struct api *api, const struct cli_args *args, void *ctx, struct err *e)
{
    const struct users_request *w = ctx;
    const char *verb = args->verb, *name = args->count ? args->items[0] : "";

    if (strcmp(verb, "list") == 0)
        return farm_print_list(api_list_all(api, "/users", e), columns, sizeof columns / sizeof *columns,
                               &w->output, "no accounts yet; `vivace user create NAME` makes one", e);
    if (strcmp(verb, "create") == 0)
        return add(api, name, w, e);
    if (strcmp(verb, "password") == 0)
        return set_password(api, name, w, e);
    return disable(api, name, strcmp(verb, "disable") == 0, e);
}

int user_any(int argc, char **argv)
{
    struct users_request w = {.output = {.json = false}};
    const struct cli_option options[] = {
        {"password-file", 0, CLI_PATH, "FILE", &w.password_file,
         "file with the password; default: a prompt asks for it"},
        {"site-admin", 0, CLI_FLAG, NULL, &w.site_admin, "manages accounts, teams and workers' tokens"},
        {.name = NULL}};
    const struct cli_usage usage = {.command = "user", .options = options, .output = &w.output, .csv = true};

    return farm_verb_command(argc, argv, &usage, verbs, user, &w);
}
