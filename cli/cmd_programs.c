/* `vivace server …` and `vivace worker …`: the programs that stand beside this one. */
#include <errno.h>
#include <limits.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"

/* Beside this program first, so that a build folder needs no PATH; then on PATH. */
static int become(const char *program, char **argv)
{
    char path[PATH_MAX];
    struct err e = {.code = ERR_NONE};
    ssize_t n = readlink("/proc/self/exe", path, sizeof path - 1);
    char *slash;

    path[n > 0 ? n : 0] = '\0';
    slash = strrchr(path, '/');
    argv[0] = (char *)program;
    if (slash && (size_t)(slash - path) + strlen(program) + 2 < sizeof path) {
        strcpy(slash + 1, program);
        execv(path, argv);
    }
    execvp(program, argv);
    err_set_errno(&e, errno, "%s cannot be started", program);
    err_hint(&e, "it should stand beside `vivace` or on PATH");
    return cli_end(-1, &e);
}

int cmd_server(int argc, char **argv)
{
    (void)argc;
    return become("vivace-server", argv);
}

int cmd_worker(int argc, char **argv)
{
    (void)argc;
    return become("vivace-worker", argv);
}
