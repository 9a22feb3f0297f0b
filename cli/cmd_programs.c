/* `vivace server …`, `vivace worker …`, `vivace admin …`: the other programs of Vivace. */
#include <errno.h>
#include <limits.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"

/* Executes a program: first from this program's folder, so that a build folder works without PATH; then from PATH.
 */
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
    err_hint(&e, "Install it beside `vivace`, or on PATH.");
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

static const char admin_help[] =
    "usage: vivace admin backup FILE [--with-blobs] [settings of the server]\n"
    "       vivace admin restore FILE [settings]\n"
    "       vivace admin gc [--dry-run] [settings]\n"
    "       vivace admin scrub [settings]\n"
    "       vivace admin check [settings]\n"
    "\n"
    "Maintenance of the farm of this machine. It starts vivace-server, so the settings are those of\n"
    "`vivace server --help`: --state DIR or --database URL name the farm.\n"
    "\n"
    "  backup   writes the farm to one file; the server may be running\n"
    "  restore  restores a backup into an empty state folder or database\n"
    "  gc       removes stored files without references, now\n"
    "  scrub    verifies the hashes of all stored files\n"
    "  check    checks what a server needs, and says what to do\n";

int cmd_admin(int argc, char **argv)
{
    static const char *const words[] = {"backup", "restore", "gc", "scrub", "check"};
    static char check[] = "--check";
    struct err e;

    if (argc < 2 || strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0) {
        fputs(admin_help, argc < 2 ? stderr : stdout);
        return argc < 2 ? err_exit_code(ERR_USAGE) : 0;
    }
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (strcmp(argv[1], words[i]) == 0) {
            if (strcmp(argv[1], "check") == 0)
                argv[1] = check;
            return become("vivace-server", argv);
        }
    err_set(&e, ERR_USAGE, "`vivace admin` does not know \"%.80s\"", argv[1]);
    err_hint(&e, "`vivace admin --help` shows what it does.");
    return cli_end(-1, &e);
}
