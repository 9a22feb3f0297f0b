#include "cli/input/input_file.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/scratch.h"
#include "base/strbuf.h"
#include "base/text.h"

#define EXPORT_LIMIT_US UINT64_C(1800000000)
#define COPY_BYTES      (1u << 20)

extern char **environ;

/* Makes an empty temporary file with a name, since SQLite opens files by name. Returns its descriptor, or -1. */
static int make_copy(struct input_file *in, const char *ending, struct err *e)
{
    struct strbuf path = STRBUF_INIT;
    int fd;

    strbuf_addf(&path, "%s/vivace-input-XXXXXX%s", scratch_folder(), ending);
    in->copy = strbuf_detach(&path);
    if (!in->copy)
        return err_no_memory(e);
    fd = mkostemps(in->copy, (int)strlen(ending), O_CLOEXEC);
    if (fd < 0) {
        err_set_errno(e, errno, "cannot make a temporary file in %s", scratch_folder());
        err_hint(e, "Set TMPDIR to another folder.");
        free(in->copy);
        in->copy = NULL;
        return -1;
    }
    in->path = in->copy;
    cli_remove_scratch_on_signals();
    cli_remove_file_on_signals(in->copy);
    return fd;
}

/* --- pipes --- */

static int write_all(int fd, const char *bytes, size_t n)
{
    while (n > 0) {
        ssize_t done = write(fd, bytes, n);

        if (done < 0 && errno == EINTR)
            continue;
        if (done < 0)
            return -1;
        bytes += done;
        n -= (size_t)done;
    }
    return 0;
}

static int copy_bytes(int from, int to, const char *name, struct err *e)
{
    char *buffer = malloc(COPY_BYTES);
    ssize_t n;
    int ret = -1;

    if (!buffer)
        return err_no_memory(e);
    while ((n = read(from, buffer, COPY_BYTES)) != 0) {
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0) {
            err_set_errno(e, errno, "cannot read %s", name);
            goto out;
        }
        if (write_all(to, buffer, (size_t)n) < 0) {
            err_set_errno(e, errno, "cannot copy %s to %s", name, scratch_folder());
            err_hint(e, "Set TMPDIR to another folder.");
            goto out;
        }
    }
    ret = 0;
out:
    free(buffer);
    return ret;
}

static int copy_pipe(struct input_file *in, int from, struct err *e)
{
    int to = make_copy(in, "", e), ret;

    if (to < 0)
        return -1;
    ret = copy_bytes(from, to, in->name, e);
    close(to);
    return ret;
}

/* --- reports of NVIDIA's tools --- */

struct tool {
    const char *magic, *variable, *program, *ending;
    size_t magic_length;
    bool to_stdout; /* the tool writes its export to stdout */
};
static const struct tool tools[] = {
    {"NVIDIA Tegra Profiler Report 1.", "NSYS", "nsys", ".sqlite", 31, false},
    {"NVR\0", "NCU", "ncu", ".csv", 4, true},
};

static const struct tool *tool_of(const char *path)
{
    FILE *f = fopen(path, "rbe");
    char head[32] = "";
    size_t n = f ? fread(head, 1, sizeof head, f) : 0;

    if (f)
        fclose(f);
    for (size_t i = 0; i < sizeof tools / sizeof *tools; i++)
        if (n >= tools[i].magic_length && memcmp(head, tools[i].magic, tools[i].magic_length) == 0)
            return &tools[i];
    return NULL;
}

/* Reads the last line in the tool's log, and closes the log. */
static void last_line(int log, char *out, size_t size)
{
    FILE *f = lseek(log, 0, SEEK_SET) == 0 ? fdopen(log, "r") : NULL;
    char line[512];

    out[0] = '\0';
    while (f && fgets(line, sizeof line, f)) {
        line[strcspn(line, "\r\n")] = '\0';
        if (line[strspn(line, " \t")])
            snprintf(out, size, "%.100s", line);
    }
    text_sanitize(out);
    if (f)
        fclose(f);
    else
        close(log);
}

/* The tool's exit status; -1 when it was killed at the time limit. */
static int wait_for(pid_t child)
{
    uint64_t end = clock_monotonic_us() + EXPORT_LIMIT_US;
    const struct timespec pause = {.tv_nsec = 50000000};
    int status;

    for (;;) {
        pid_t ended = waitpid(child, &status, WNOHANG);

        if (ended == child)
            return status;
        if (ended < 0 && errno != EINTR)
            return W_EXITCODE(1, 0);
        if (clock_monotonic_us() > end) {
            kill(child, SIGKILL);
            waitpid(child, &status, 0);
            return -1;
        }
        nanosleep(&pause, NULL);
    }
}

/* Runs the tool. It writes the result to the file `export` and its messages to the descriptor `log`. 0; 1 when the
 * tool is not installed; -1 on error. */
static int run_tool(const struct tool *t, const char *report, const char *export, int log, struct err *e)
{
    const char *program = getenv(t->variable);
    char *nsys[] = {NULL,   "export",   "--type",       "sqlite",       "--force-overwrite",
                    "true", "--output", (char *)export, (char *)report, NULL};
    char *ncu[] = {NULL, "--import", (char *)report, "--csv", "--page", "raw", "--print-units", "base", NULL};
    char **argv = t->to_stdout ? ncu : nsys;
    posix_spawn_file_actions_t actions;
    pid_t child;
    int failed, status;

    argv[0] = (char *)(program && *program ? program : t->program);
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    if (t->to_stdout)
        posix_spawn_file_actions_addopen(&actions, 1, export, O_WRONLY, 0600);
    else
        posix_spawn_file_actions_adddup2(&actions, log, 1);
    posix_spawn_file_actions_adddup2(&actions, log, 2);
    signal(SIGCHLD, SIG_DFL); /* where the parent ignores it, waitpid() would lose the exit status */
    failed = posix_spawnp(&child, argv[0], &actions, NULL, argv, environ);
    posix_spawn_file_actions_destroy(&actions);
    if (failed == ENOENT && !program)
        return 1;
    if (failed)
        return err_set_errno(e, failed, "cannot start %s", argv[0]);
    status = wait_for(child);
    if (status == 0)
        return 0;
    if (status < 0)
        return err_set(e, ERR_INVALID, "%s took more than 30 minutes to export %s", argv[0], report);
    return err_set(e, ERR_INVALID, "%s cannot export %s", argv[0], report);
}

/* Adds the last line of the tool's log to the error. */
static void add_reason(const struct tool *t, int log, struct err *e)
{
    char why[120];

    last_line(log, why, sizeof why);
    err_hint(e, "%s%sAn older %s cannot read reports of a newer one; set %s to another one.", why, *why ? ". " : "",
             t->program, t->variable);
}

static void name_export(struct input_file *in, const struct tool *t, const char *given)
{
    const char *slash = strrchr(given, '/'), *name = slash && slash[1] ? slash + 1 : given,
               *dot = strrchr(name, '.');
    int length = (int)(dot && dot > name ? dot - name : (ptrdiff_t)strlen(name));

    snprintf(in->own_name, sizeof in->own_name, "%.*s%s", length < 200 ? length : 200, name, t->ending);
    in->name = in->own_name;
}

static int export_report(struct input_file *in, const struct tool *t, const char *given, struct err *e)
{
    int log = scratch_file("what the tool prints", e), fd, ret = -1;

    if (log < 0)
        return -1;
    fd = make_copy(in, t->ending, e);
    if (fd < 0) {
        close(log);
        return -1;
    }
    close(fd);
    ret = run_tool(t, given, in->copy, log, e);
    if (ret < 0 && e->code == ERR_INVALID) {
        add_reason(t, log, e); /* closes it */
        return -1;
    }
    close(log);
    if (ret == 0) {
        name_export(in, t, given);
    } else if (ret > 0) { /* without the tool, the importer's error has the advice */
        input_file_close(in);
        in->path = given;
    }
    return ret < 0 ? -1 : 0;
}

int input_file_open(struct input_file *in, const char *given, struct err *e)
{
    bool standard = strcmp(given, "-") == 0;
    const struct tool *tool;
    struct stat st;
    int fd, ret;

    *in = (struct input_file){.path = given, .name = standard ? "standard input" : given};
    if (standard)
        return copy_pipe(in, STDIN_FILENO, e);
    if (stat(given, &st) < 0 || S_ISDIR(st.st_mode))
        return 0; /* the importer reports the error */
    if (!S_ISREG(st.st_mode)) {
        fd = open(given, O_RDONLY | O_CLOEXEC);
        if (fd < 0)
            return err_set_errno(e, errno, "cannot read %s", given);
        ret = copy_pipe(in, fd, e);
        close(fd);
        return ret;
    }
    tool = tool_of(given);
    return tool ? export_report(in, tool, given, e) : 0;
}

void input_file_close(struct input_file *in)
{
    if (in->copy) {
        unlink(in->copy);
        cli_remove_file_on_signals(NULL);
    }
    free(in->copy);
    in->copy = NULL;
}
