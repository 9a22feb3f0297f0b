/* vivace login: stores a server and a token. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "base/conf.h"
#include "cli/client/farm.h"

static const char help_text[] =
    "Checks a token with a server and stores both in ~/.config/vivace/credentials (0600), for all other\n"
    "commands. The token comes from a file, or from standard input; never from the command line, where others "
    "could\n"
    "read it. With --user it asks for the password and makes a token of your own, with all that your role allows.\n"
    "VIVACE_SERVER with VIVACE_TOKEN or VIVACE_TOKEN_FILE override what is stored.\n"
    "VIVACE_CA_FILE names the certificates to trust for https, if the system's are not enough.\n"
    "\n"
    "Examples:\n"
    "  vivace login http://127.0.0.1:8080 --token-file /var/lib/vivace/admin-token\n"
    "  vivace login https://farm.example --user ann     asks for the password\n"
    "  vivace login https://farm.example --user ann --invitation   joins a team: asks for what its owner sent\n"
    "  vivace login https://farm.example                asks for the token\n";

/* Reads a secret from a file, or else from the terminal. */
static char *get_secret(const char *file, const char *what, const char *hint, struct err *e)
{
    char *secret = NULL;

    if (file)
        return conf_read_secret(file, &secret, e) < 0 ? NULL : secret;
    return cli_ask_secret(what, hint, e);
}

static int check(const char *url, const char *token, json_t **session, struct err *e)
{
    struct api *api;
    int ret;

    if (api_open_with(url, token, &api, e) < 0)
        return -1;
    ret = api_get(api, "/session", session, e);
    api_close(api);
    if (ret == 0 && !*session)
        ret = err_set(e, ERR_NETWORK, "%s is not a Vivace server: unexpected reply", url);
    return ret;
}

static int say(json_t *session, const char *url, const struct cli_output *o, struct err *e)
{
    if (o->json)
        return cli_print_json(json_incref(session), e);
    printf("logged in to %s as %s\n", url, farm_text(session, "name"));
    return 0;
}

/* Logs in with a password for a short session and creates a token in it. Only the token is stored. invitation:
 * NULL: none. */
static char *token_by_password(const char *url, const char *user, const char *file, const char *invitation,
                               struct err *e)
{
    char *password = get_secret(file, "Password", "--password-file FILE", e), *token = NULL, name[64],
         host[40] = "";
    json_t *session = NULL, *made = NULL;
    struct api *api = NULL;
    int ret = password ? api_log_in(url, user, password, invitation, &api, e) : -1;

    if (gethostname(host, sizeof host - 1) < 0)
        snprintf(host, sizeof host, "a machine");
    snprintf(name, sizeof name, "vivace login on %s", host);
    if (ret == 0 && api_get(api, "/session", &session, e) == 0 &&
        api_post(api, "/tokens", json_pack("{s:s,s:O}", "name", name, "scopes", json_object_get(session, "scopes")),
                 &made, e) == 0 &&
        api_log_out(api, e) == 0)
        token = mem_strdup(farm_text(made, "token"), e);
    json_decref(session);
    json_decref(made);
    api_close(api);
    free(password);
    return token;
}

struct login_request {
    const char *token_file, *user, *password_file, *invitation_file;
    bool invited;
};

static char *token_of(const char *url, const struct login_request *w, struct err *e)
{
    bool invited = w->invited || w->invitation_file;
    char *invitation = NULL, *token;

    if (!w->user && (invited || w->password_file)) {
        err_set(e, ERR_USAGE, "login: --%s needs --user NAME", invited ? "invitation" : "password-file");
        return NULL;
    }
    if (!w->user)
        return get_secret(
            w->token_file, "Token",
            "Give --token-file FILE; the server's first start wrote a token to its state folder: admin-token", e);
    if (invited && !(invitation = get_secret(w->invitation_file, "Invitation", "--invitation-file FILE", e)))
        return NULL;
    token = token_by_password(url, w->user, w->password_file, invitation, e);
    free(invitation);
    return token;
}

int cmd_login(int argc, char **argv)
{
    struct login_request w = {.token_file = NULL};
    struct cli_output o = {.json = false};
    const struct cli_option options[] = {
        {"token-file", 't', CLI_PATH, "FILE", &w.token_file,
         "file with the token; no other user may be able to read it"},
        {"user", 'u', CLI_TEXT, "NAME", &w.user,
         "log in by password, and create a token of your own for this machine"},
        {"password-file", 0, CLI_PATH, "FILE", &w.password_file,
         "file with the password; default: a prompt asks for it"},
        {"invitation", 'i', CLI_FLAG, NULL, &w.invited,
         "with --user: join the team of an invitation, for which a prompt asks; a new name creates an account with "
         "the given password"},
        {"invitation-file", 0, CLI_PATH, "FILE", &w.invitation_file, "the same, with the invitation in this file"},
        {.name = NULL}};
    const struct cli_usage usage = {
        "login", "URL [--token-file FILE | --user NAME [--invitation]]", help_text, options, &o, false, 1, 1};
    struct cli_args args;
    struct err e = {.code = ERR_NONE};
    json_t *session = NULL;
    char *token;
    int ret = cli_parse(&usage, argc, argv, &args, &e);

    if (ret)
        return cli_parsed(ret, &e);
    token = token_of(args.items[0], &w, &e);
    ret = token ? check(args.items[0], token, &session, &e) : -1;
    if (ret == 0)
        ret = credentials_save(args.items[0], token, &e);
    if (ret == 0)
        ret = say(session, args.items[0], &o, &e);
    json_decref(session);
    free(token);
    return cli_end(ret, &e);
}
