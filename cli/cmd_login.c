/* vivace login: remember a server and a token. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

#include "base/array.h"
#include "base/conf.h"
#include "cli/farm.h"

static const char help_text[] =
    "Checks a token against a server and remembers both in ~/.config/vivace/credentials (0600), for all other\n"
    "commands. The token comes from a file, or from standard input; never from the command line, where others "
    "could\n"
    "read it. VIVACE_SERVER with VIVACE_TOKEN or VIVACE_TOKEN_FILE stand above what is remembered.\n"
    "\n"
    "Examples:\n"
    "  vivace login http://127.0.0.1:8080 --token-file /var/lib/vivace/admin-token\n"
    "  vivace login https://farm.example         asks for the token\n";

/* One line from standard input, unseen where that is a terminal. */
static char *ask_token(struct err *e)
{
    struct termios before, silent;
    bool terminal = tcgetattr(STDIN_FILENO, &before) == 0;
    char *line = NULL, *token = NULL;
    size_t size = 0;
    ssize_t n;

    if (terminal) {
        fputs("Token: ", stderr);
        silent = before;
        silent.c_lflag &= ~(tcflag_t)ECHO;
        tcsetattr(STDIN_FILENO, TCSAFLUSH, &silent);
    }
    n = getline(&line, &size, stdin);
    if (terminal) {
        tcsetattr(STDIN_FILENO, TCSAFLUSH, &before);
        fputc('\n', stderr);
    }
    if (n <= 0 || line[strspn(line, " \t\r\n")] == '\0') {
        err_set(e, ERR_USAGE, "login: there is no token on standard input");
        err_hint(e, "--token-file FILE; the server's first start wrote one to its state folder: admin-token");
    } else {
        char *begin = line + strspn(line, " \t");

        token = mem_strndup(begin, strcspn(begin, " \t\r\n"), e);
    }
    free(line);
    return token;
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
        ret = err_set(e, ERR_NETWORK, "%s does not answer as a Vivace server does", url);
    return ret;
}

static int say(json_t *session, const char *url, const struct cli_output *o, struct err *e)
{
    if (o->json)
        return cli_print_json(json_incref(session), e);
    printf("logged in to %s as %s\n", url, farm_text(session, "name"));
    return 0;
}

int cmd_login(int argc, char **argv)
{
    const char *file = NULL;
    struct cli_output o = {.json = false};
    const struct cli_option options[] = {
        {"token-file", 't', CLI_TEXT, "FILE", &file, "where the token stands; only you may be able to read it"},
        {.name = NULL}};
    const struct cli_usage usage = {"login", "URL [--token-file FILE]", help_text, options, &o, false, 1, 1};
    struct cli_args args;
    struct err e = {.code = ERR_NONE};
    json_t *session = NULL;
    char *token = NULL;
    int ret = cli_parse(&usage, argc, argv, &args, &e);

    if (ret)
        return cli_parsed(ret, &e);
    if (file)
        ret = conf_read_secret(file, &token, &e);
    else
        ret = (token = ask_token(&e)) ? 0 : -1;
    if (ret == 0)
        ret = check(args.items[0], token, &session, &e);
    if (ret == 0)
        ret = credentials_save(args.items[0], token, &e);
    if (ret == 0)
        ret = say(session, args.items[0], &o, &e);
    json_decref(session);
    free(token);
    return cli_end(ret, &e);
}
