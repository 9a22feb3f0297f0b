/* The server's side of the import child: starts it, reads its output, and evaluates its exit status. */
#include "server/domain/import/import_reader.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/assert.h"
#include "base/text.h"
#include "server/platform/child.h"
#include "server/platform/config.h"

#define IMPORT_TIME_S 3600 /* CPU time; known profiles need less than a minute, so only hostile files reach it */
#define SCRATCH_MAX   (UINT64_C(16) << 30) /* largest scratch file of one profile in bytes: a billion launches */
#define REPORT_MAX    ((size_t)8 << 20)

struct hearing {
    struct farm *farm;
    const struct import_reading *r;
    struct strbuf line;
    struct err problem;
    bool has_problem;
    char stderr_tail[200];
};

/* The process may be in the hands of the file's author, and callers try again after some errors. It can have
 * none of those: it uses no database, and waits for nothing. */
static enum err_code code_named(const char *name)
{
    for (int c = ERR_NONE + 1; c < ERR_CODE_COUNT; c++)
        if (strcmp(err_name((enum err_code)c), name) == 0)
            return c == ERR_DATABASE || c == ERR_BUSY || c == ERR_UNAVAILABLE ? ERR_INVALID : (enum err_code)c;
    return ERR_INTERNAL;
}

static int hear_line(struct hearing *h, struct err *e)
{
    char *s = h->line.text;
    unsigned long long bytes, rows;

    if (str_starts(s, "@p ") && sscanf(s + 3, "%llu %llu", &bytes, &rows) == 2)
        return h->r->progress ? h->r->progress(h->r->progress_ctx, bytes, rows, e) : 0;
    if (str_starts(s, "@r ")) {
        strbuf_clear(h->r->report);
        strbuf_adds(h->r->report, s + 3);
    } else if (str_starts(s, "@e ")) {
        h->has_problem = true;
        h->problem.code = code_named(s + 3);
    } else if (str_starts(s, "@t ")) {
        snprintf(h->problem.text, sizeof h->problem.text, "%s", s + 3);
        text_sanitize(h->problem.text);
    } else if (str_starts(s, "@h ")) {
        snprintf(h->problem.hint, sizeof h->problem.hint, "%s", s + 3);
        text_sanitize(h->problem.hint);
    } else if (*s) {
        text_sanitize(s);
        snprintf(h->stderr_tail, sizeof h->stderr_tail, "%s", s);
    }
    return 0;
}

static int hear(struct hearing *h, const char *bytes, size_t n, struct err *e)
{
    for (size_t i = 0; i < n; i++) {
        if (bytes[i] != '\n') {
            if (h->line.length < REPORT_MAX)
                strbuf_addc(&h->line, bytes[i]);
            continue;
        }
        if (h->line.failed)
            return err_no_memory(e);
        if (hear_line(h, e) < 0)
            return -1;
        strbuf_clear(&h->line);
    }
    return 0;
}

/* Reads until the child closes its output. -1 also when the server stops: the import then starts again at the
 * next start. */
static int listen_to(struct hearing *h, struct child *c, struct err *e)
{
    char buffer[8192];

    for (;;) {
        struct pollfd p = {.fd = c->out, .events = POLLIN};
        ssize_t n;

        if (poll(&p, 1, 200) < 0 && errno != EINTR)
            return err_set_errno(e, errno, "listening to the import process");
        if (atomic_load(&h->farm->stopping))
            return err_set(e, ERR_BUSY, "the server is stopping");
        if (!p.revents)
            continue;
        n = read(c->out, buffer, sizeof buffer);
        if (n == 0)
            return 0;
        if (n > 0 && hear(h, buffer, (size_t)n, e) < 0)
            return -1;
    }
}

static int judge_end(const struct hearing *h, int status, struct err *e)
{
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
        return 0;
    if (h->has_problem && WIFEXITED(status) && h->problem.code == ERR_NO_MEMORY) {
        err_set(e, ERR_TOO_LARGE, "reading the file needs more memory than the setting import-memory allows");
        return err_hint(e, "The operator of the farm can raise `import-memory`.");
    }
    if (h->has_problem && WIFEXITED(status)) {
        ASSERT(h->problem.code != ERR_NONE);
        *e = h->problem;
        return -1;
    }
    if (WIFSIGNALED(status) && WTERMSIG(status) == SIGXCPU)
        err_set(e, ERR_INVALID, "reading the file took longer than the time allowed for an import");
    else if (WIFSIGNALED(status) && WTERMSIG(status) == SIGXFSZ)
        err_set(e, ERR_TOO_LARGE, "the profile in this file is larger than the limit for an import");
    else if (WIFSIGNALED(status) && WTERMSIG(status) == SIGSYS)
        err_set(e, ERR_INVALID, "the process that read the file tried a system call that its sandbox forbids");
    else if (WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL && h->r->killed_passes)
        return err_set(e, ERR_UNAVAILABLE, "the process that read the file was killed");
    else if (WIFSIGNALED(status))
        err_set(e, ERR_INVALID, "the process that read the file was ended by signal %d", WTERMSIG(status));
    else
        err_set(e, ERR_INVALID, "the process that read the file ended with code %d: %s", WEXITSTATUS(status),
                h->stderr_tail);
    return err_hint(e, "Check the file with `vivace inspect FILE`; the limits are the setting import-memory and "
                       "one hour of processor time.");
}

int import_read_by(struct farm *farm, const char *const *argv, uint64_t file_max, const struct import_reading *r,
                   struct err *e)
{
    struct child_limits limits = {farm->config->import_memory_bytes, IMPORT_TIME_S, file_max};
    struct hearing h = {.farm = farm, .r = r, .line = STRBUF_INIT};
    struct child child;
    struct err waiting;
    int ret, status;

    ASSERT(r->report);
    if (child_start(argv, &limits, 1, NULL, &child, e) < 0)
        return -1;
    ASSERT(child.pid > 0 && child.out >= 0);
    ret = listen_to(&h, &child, e);
    if (ret < 0)
        kill(child.pid, SIGKILL);
    close(child.out);
    if (child_wait(&child, &status, &waiting) < 0 && ret == 0) {
        *e = waiting;
        ret = -1;
    }
    strbuf_release(&h.line);
    return ret < 0 ? -1 : judge_end(&h, status, e);
}

int import_read(struct farm *farm, const struct import_reading *r, struct err *e)
{
    const char *const argv[] = {"/proc/self/exe", "import-child", r->file, r->scratch, r->features_name, NULL};

    ASSERT(r->file && r->scratch);
    return import_read_by(farm, argv, SCRATCH_MAX, r, e);
}
