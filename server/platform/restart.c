#include "server/platform/restart.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/descriptors.h"
#include "base/array.h"
#include "base/text.h"
#include "server/platform/child.h"

#define OUTPUT_KEPT 4096

static char program[PATH_MAX];
static char **command;
static int words;

void restart_remember(int argc, char **argv)
{
    ssize_t n = readlink("/proc/self/exe", program, sizeof program - 1);

    program[n > 0 ? n : 0] = '\0';
    command = argv;
    words = argc;
}

/* Returns the error line of the output. Warnings may precede it and a hint may follow it. Without an error line,
 * it is the first line. */
static char *reason(char *output)
{
    static const char mark[] = "vivace-server: ";
    char *at = output;

    while (at && !str_starts(at, mark)) {
        at = strchr(at, '\n');
        at += at != NULL;
    }
    if (!at)
        at = output;
    at[strcspn(at, "\n")] = '\0';
    return at;
}

/* Runs the program with RESTART_PROBE. That command changes nothing. */
static int ask(const char *database, struct err *e)
{
    const char **argv = mem_zalloc((size_t)words + 2, sizeof *argv, e);
    struct strbuf output = STRBUF_INIT;
    int ret;

    if (!argv)
        return -1;
    argv[0] = program;
    for (int i = 1; i < words; i++)
        argv[i] = command[i];
    argv[words > 0 ? words : 1] = RESTART_PROBE;
    ret = child_run(argv, NULL, OUTPUT_KEPT, &output, e);
    if (ret < 0 && output.length) {
        char *why = reason(output.text);

        text_sanitize(why);
        err_set(e, ERR_USAGE, "%s would not start: %.300s", program, why);
    } else if (ret == 0 && database && !strstr(output.text, database)) {
        ret = err_set(e, ERR_USAGE,
                      "the settings name another database, and the private database would keep running");
    }
    strbuf_release(&output);
    free(argv);
    return ret;
}

int restart_try(const struct server_config *c, const char *database, struct err *e)
{
    if (!program[0] || access(program, X_OK) < 0)
        err_set(e, ERR_FORBIDDEN, "this user may not execute %s", program[0] ? program : "itself");
    else if (access(c->web_dir, R_OK | X_OK) < 0)
        err_set(e, ERR_FORBIDDEN, "this user cannot read %s, which was opened before privileges were given up",
                c->web_dir);
    else
        return ask(database, e);
    return err_hint(e, "Stop the server and start it again, or install the program where that user can read it.");
}

int restart_now(int listen_fd, struct err *e)
{
    char pid[24];
    sigset_t none;

    snprintf(pid, sizeof pid, "%ld", (long)getpid());
    setenv("LISTEN_PID", pid, 1);
    setenv("LISTEN_FDS", "1", 1);
    descriptors_close_on_exec(3);
    if (listen_fd == 3 ? fcntl(3, F_SETFD, 0) < 0 : dup2(listen_fd, 3) < 0)
        return err_set_errno(e, errno, "handing the socket over");
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    execv(program, command);
    return err_set_errno(e, errno, "%s", program);
}
