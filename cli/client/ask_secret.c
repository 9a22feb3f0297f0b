/* Reads a secret from the terminal, since a command line must not contain secrets. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

#include "base/array.h"
#include "cli/cli.h"

char *cli_ask_secret(const char *what, const char *hint, struct err *e)
{
    struct termios before, silent;
    bool terminal = tcgetattr(STDIN_FILENO, &before) == 0;
    char *line = NULL, *secret = NULL;
    size_t size = 0;
    ssize_t n;

    if (terminal) {
        fprintf(stderr, "%s: ", what);
        silent = before;
        silent.c_lflag &= ~(tcflag_t)ECHO;
        tcsetattr(STDIN_FILENO, TCSAFLUSH, &silent);
    }
    n = getline(&line, &size, stdin);
    if (terminal) {
        tcsetattr(STDIN_FILENO, TCSAFLUSH, &before);
        fputc('\n', stderr);
    }
    if (n > 0)
        n = (ssize_t)strcspn(line, "\r\n");
    if (n > 0)
        secret = mem_strndup(line, (size_t)n, e);
    else {
        err_set(e, ERR_USAGE, "there is no %s on standard input", what);
        err_hint(e, "%s", hint);
    }
    if (line)
        explicit_bzero(line, size);
    free(line);
    return secret;
}
