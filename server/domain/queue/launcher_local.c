/* server/domain/queue/launcher_local.c: starts workers as child processes on this machine. They end with the
 * server. */
#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/array.h"
#include "base/assert.h"
#include "base/clock.h"
#include "server/platform/child.h"
#include "server/domain/queue/launcher.h"

#define STOP_WAIT_US UINT64_C(10000000)

struct local {
    const struct launcher_settings *settings;
    uint32_t places;
    pid_t pids[]; /* index: number of the state folder, so that a new worker finds the cache of an earlier one; 0:
                     free */
};

/* 0; -1: it exited with an error. A worker that a signal killed is no failure: it is replaced. */
static int reap(struct local *l, uint32_t i, struct err *e)
{
    int status = 0;
    pid_t pid;

    ASSERT(l->pids[i] > 0); /* 0 and -1 would address other processes */
    pid = waitpid(l->pids[i], &status, WNOHANG);
    if (pid == 0 || (pid < 0 && errno == EINTR))
        return 0;
    l->pids[i] = 0;
    if (pid < 0 || !WIFEXITED(status) || WEXITSTATUS(status) == 0)
        return 0;
    return err_set(e, ERR_UNSUPPORTED, "a worker ended with code %d; see %s/%u.log", WEXITSTATUS(status),
                   l->settings->folder, i);
}

static int count_workers(void *ctx, struct launcher_count *out, struct err *e)
{
    struct local *l = ctx;
    int ret = 0;

    *out = (struct launcher_count){0};
    for (uint32_t i = 0; i < l->places; i++) {
        if (l->pids[i] && reap(l, i, e) < 0)
            ret = -1;
        out->running += l->pids[i] != 0;
    }
    return ret;
}

static int start_one(struct local *l, uint32_t i, struct err *e)
{
    struct launcher_words w = {.words = {NULL}};
    const char *argv[LAUNCHER_WORDS + 1] = {l->settings->worker};
    char state[PATH_MAX], log[PATH_MAX];
    struct child c = {.out = -1};

    ASSERT(i < l->places && !l->pids[i]);
    if (snprintf(state, sizeof state, "%s/%u", l->settings->folder, i) >= (int)sizeof state ||
        snprintf(log, sizeof log, "%s/%u.log", l->settings->folder, i) >= (int)sizeof log)
        return err_set(e, ERR_USAGE, "the path of the workers' folder is too long");
    launcher_worker_words(l->settings, state, &w);
    memcpy(argv + 1, w.words, sizeof w.words);
    if (child_start(argv, NULL, 1, log, &c, e) < 0)
        return -1;
    ASSERT(c.pid > 0);
    l->pids[i] = c.pid;
    return 0;
}

static int start_workers(void *ctx, uint32_t workers, struct err *e)
{
    struct local *l = ctx;

    for (uint32_t i = 0; i < l->places && workers > 0; i++)
        if (!l->pids[i]) {
            if (start_one(l, i, e) < 0)
                return -1;
            workers--;
        }
    return 0;
}

static bool any_left(struct local *l)
{
    struct launcher_count n;
    struct err ignored; /* the exit status no longer matters */

    if (count_workers(l, &n, &ignored) < 0)
        return true;
    return n.running > 0;
}

static void close_local(void *ctx)
{
    static const struct timespec step = {.tv_nsec = 20000000};
    struct local *l = ctx;
    uint64_t end = clock_monotonic_us() + STOP_WAIT_US;

    for (uint32_t i = 0; i < l->places; i++)
        if (l->pids[i])
            kill(l->pids[i], SIGINT); /* the worker returns its jobs at once */
    while (any_left(l) && clock_monotonic_us() < end)
        nanosleep(&step, NULL);
    for (uint32_t i = 0; i < l->places; i++)
        if (l->pids[i]) {
            kill(l->pids[i], SIGKILL);
            waitpid(l->pids[i], NULL, 0);
        }
    free(l);
}

int launcher_local_open(const struct launcher_settings *s, struct launcher_place *out, struct err *e)
{
    struct local *l = mem_zalloc(1, sizeof *l + s->most * sizeof l->pids[0], e);

    if (!l)
        return -1;
    l->settings = s;
    l->places = s->most;
    *out = (struct launcher_place){
        .kind = "local", .ctx = l, .count = count_workers, .start = start_workers, .close = close_local};
    return 0;
}
