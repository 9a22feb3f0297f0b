#include "cli/simulate/sim_pool.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/array.h"
#include "base/clock.h"
#include "base/strbuf.h"
#include "base/text.h"
#include "base/whole_file.h"
#include "cli/cli.h"
#include "simcore/record/recording.h"
#include "simcore/trace/read_ahead.h"

enum { WORDS_MAX = 65536, CHILDREN_MAX = 512 };

/* A child's answer: this struct, then the texts `name` and `why` without NUL. */
struct message {
    uint32_t task, name_bytes, why_bytes;
    uint8_t done, known, code, warm;
    uint32_t grid[3], block[3], binary_version;
    uint64_t cycles, launch_cycles, warp_instructions, cycles_warm_bound, replayed, missing_ctas;
    struct sim_projected projected; /* its text is a constant of the program: parent and child share its address */
    double counters[METRIC_COUNTERS], seconds;
};

struct child {
    pid_t pid; /* 0: none */
    int to, from;
    uint32_t task; /* index of its present task; UINT32_MAX: none */
};

struct pool {
    struct sim_task *tasks;
    size_t count, next, done;
    uint32_t *order;
    struct child *children;
    size_t child_count;
    bool read_ahead; /* true: there are more processors than children */
};

/* --- In the child --- */

static int read_all(int fd, void *to, size_t n)
{
    char *p = to;

    while (n > 0) {
        ssize_t got = read(fd, p, n);

        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return -1;
        p += got;
        n -= (size_t)got;
    }
    return 0;
}

/* Keeps the simulator of the last design, which the next task usually needs too. */
struct bench {
    const struct gpu_design *design;
    struct simulator *simulator;
    bool read_ahead;
};

static int set_up(struct bench *b, const struct gpu_design *design, struct err *e)
{
    if (b->design == design && b->simulator)
        return 0;
    simulator_free(b->simulator);
    b->simulator = simulator_new(design, e);
    b->design = design;
    return b->simulator ? 0 : -1;
}

static int open_trace(const struct bench *b, const struct sim_task *t, struct inst_source **out, struct err *e)
{
    if (trace_file_open_range(&t->trace, &t->how->ctas, out, e) < 0)
        return -1;
    if (!(*out)->warm)
        (*out)->warm = t->warm;
    return b->read_ahead ? inst_source_read_ahead(*out, out, e) : 0;
}

/* A launch on a simulator. */
struct on_bench {
    const struct bench *bench;
    const struct sim_task *task;
};

static int reopen_trace(void *on_bench, struct inst_source **out, struct err *e)
{
    const struct on_bench *x = on_bench;

    return open_trace(x->bench, x->task, out, e);
}

static uint64_t counter_of(const struct sim_result *r, const char *name)
{
    for (size_t i = 0; i < r->counter_count; i++)
        if (strcmp(r->counters[i].name, name) == 0)
            return r->counters[i].value;
    return 0;
}

static void keep_counters(const struct sim_result *r, double out[METRIC_COUNTERS])
{
    for (int i = 0; i < METRIC_COUNTERS; i++)
        out[i] = NAN;
    for (size_t i = 0; i < r->counter_count; i++) {
        int place = metric_counter(r->counters[i].name);

        if (place >= 0)
            out[place] = (double)r->counters[i].value;
    }
}

static int keep_recording(const struct sim_task *t, const struct sim_result *r, struct err *e)
{
    struct strbuf path = STRBUF_INIT;
    int ret;

    if (!t->how->record)
        return 0;
    strbuf_addf(&path, "%s/%" PRIu64 "-%s.vrec", t->how->record, t->launch, design_name(t->design));
    ret = path.failed ? err_no_memory(e) : recording_write(r->recording, path.text, e);
    strbuf_release(&path);
    return ret;
}

/* Runs one task. The message has a sentence why there are no cycles, or "". */
static void run(struct bench *b, const struct sim_task *t, struct message *m, struct inst_source **source,
                struct strbuf *why)
{
    const struct sim_how *how = t->how;
    struct on_bench here = {b, t};
    struct sim_options options = {.native_only = how->native_only,
                                  .partial = how->partial,
                                  .limit_cycles = how->limit_cycles,
                                  .caches = how->caches,
                                  .before = t->before,
                                  .reopen = reopen_trace,
                                  .reopen_ctx = &here,
                                  .projection = how->projection,
                                  .projection_limit = how->projection_limit,
                                  .record_interval_cycles = how->record ? SIM_RECORD_AUTO : 0};
    struct sim_result result = {.counters = NULL};
    struct err e;

    if (open_trace(b, t, source, &e) < 0 || set_up(b, t->design, &e) < 0 ||
        design_fits(t->design, &(*source)->info, &e) < 0 ||
        simulator_run(b->simulator, *source, &options, &result, &e) < 0 || keep_recording(t, &result, &e) < 0) {
        sim_result_release(&result);
        strbuf_adds(why, e.text);
        m->code = (uint8_t)e.code;
        return;
    }
    m->cycles = result.cycles;
    m->launch_cycles = result.launch_cycles;
    m->warp_instructions = result.warp_instructions;
    m->warm = result.warm;
    m->cycles_warm_bound = result.cycles_warm_bound;
    m->replayed = result.replayed;
    m->projected = result.projected;
    m->missing_ctas = counter_of(&result, "repair_empty_ctas");
    keep_counters(&result, m->counters);
    m->done = result.end == SIM_DONE;
    m->code = m->done ? ERR_NONE : ERR_SIMULATION;
    if (result.end == SIM_CYCLE_LIMIT)
        strbuf_adds(why, "the limit of cycles was reached before the kernel ended");
    else if (result.end == SIM_STALLED)
        strbuf_addf(why, "the kernel can never finish: %s", result.report ? result.report : "no warp can continue");
    sim_result_release(&result);
}

static int do_task(struct bench *b, const struct sim_task *t, uint32_t number, int to)
{
    struct message m = {.task = number};
    struct inst_source *source = NULL;
    struct strbuf why = STRBUF_INIT;
    uint64_t begin = clock_monotonic_us();
    const char *name = "";
    int ret;

    run(b, t, &m, &source, &why);
    m.seconds = (double)(clock_monotonic_us() - begin) * 1e-6;
    if (source) {
        m.known = 1;
        memcpy(m.grid, source->info.grid, sizeof m.grid);
        memcpy(m.block, source->info.block, sizeof m.block);
        m.binary_version = source->info.binary_version;
        name = source->info.name ? source->info.name : "";
    }
    m.name_bytes = (uint32_t)strnlen(name, WORDS_MAX);
    m.why_bytes = (uint32_t)strnlen(why.text, WORDS_MAX);
    ret = fd_write_all(to, &m, sizeof m) < 0 || fd_write_all(to, name, m.name_bytes) < 0 ||
                  fd_write_all(to, why.text, m.why_bytes) < 0
              ? -1
              : 0;
    inst_source_release(source);
    strbuf_release(&why);
    return ret;
}

static void be_child(const struct pool *p, int from, int to)
{
    struct bench b = {.read_ahead = p->read_ahead};
    uint32_t task;

    prctl(PR_SET_PDEATHSIG, SIGKILL); /* the children end when the parent is interrupted */
    cli_forget_scratch_on_signals();
    while (read_all(from, &task, sizeof task) == 0 && task < p->count)
        if (do_task(&b, &p->tasks[task], task, to) < 0)
            break;
    simulator_free(b.simulator);
}

/* --- In the parent --- */

static void close_child(struct child *c)
{
    if (c->to >= 0)
        close(c->to);
    if (c->from >= 0)
        close(c->from);
    c->to = c->from = -1;
    c->pid = 0;
}

static int start_child(struct pool *p, struct child *c, struct err *e)
{
    int down[2], up[2];

    c->task = UINT32_MAX;
    if (pipe(down) != 0)
        return err_set_errno(e, errno, "a process for a simulation");
    if (pipe(up) != 0) {
        close(down[0]);
        close(down[1]);
        return err_set_errno(e, errno, "a process for a simulation");
    }
    fflush(stdout);
    c->pid = fork();
    if (c->pid == 0) {
        for (size_t i = 0; i < p->child_count; i++)
            if (p->children[i].pid > 0)
                close_child(&p->children[i]);
        close(down[1]);
        close(up[0]);
        be_child(p, down[0], up[1]);
        _exit(0);
    }
    close(down[0]);
    close(up[1]);
    c->to = down[1];
    c->from = up[0];
    if (c->pid > 0)
        return 0;
    err_set_errno(e, errno, "a process for a simulation");
    close_child(c);
    return -1;
}

static void give_task(struct pool *p, struct child *c)
{
    uint32_t task = p->next < p->count ? p->order[p->next++] : UINT32_MAX;

    c->task = task;
    if (task == UINT32_MAX) {
        close(c->to); /* a closed pipe ends the child's work */
        c->to = -1;
    } else {
        fd_write_all(c->to, &task, sizeof task); /* if the child has ended, the next read reports it */
    }
}

static char *read_words(int fd, uint32_t n)
{
    char *text = n <= WORDS_MAX ? malloc((size_t)n + 1) : NULL;

    if (!text)
        return NULL;
    if (read_all(fd, text, n) < 0) {
        free(text);
        return NULL;
    }
    text[n] = '\0';
    return text;
}

/* Reads a child's answer. 0, or -1 when the child has ended. */
static int take_message(struct pool *p, struct child *c)
{
    struct message m;
    struct sim_task *t;

    if (read_all(c->from, &m, sizeof m) < 0 || m.task != c->task || c->task == UINT32_MAX)
        return -1;
    t = &p->tasks[m.task];
    t->name = read_words(c->from, m.name_bytes);
    t->why = t->name ? read_words(c->from, m.why_bytes) : NULL;
    if (!t->why)
        return -1;
    t->done = m.done;
    t->known = m.known;
    t->code = m.code < ERR_CODE_COUNT ? (enum err_code)m.code : ERR_SIMULATION;
    memcpy(t->grid, m.grid, sizeof t->grid);
    t->binary_version = m.binary_version;
    t->missing_ctas = m.missing_ctas;
    memcpy(t->block, m.block, sizeof t->block);
    t->cycles = m.cycles;
    t->launch_cycles = m.launch_cycles;
    t->warp_instructions = m.warp_instructions;
    t->began_warm = m.warm;
    t->cycles_warm_bound = m.cycles_warm_bound;
    t->replayed = m.replayed;
    t->projected = m.projected;
    memcpy(t->counters, m.counters, sizeof t->counters);
    t->seconds = m.seconds;
    return 0;
}

/* Reaps an ended child. Its present launch fails, and a new child replaces it. */
static void child_reap(struct pool *p, struct child *c)
{
    int status = 0;
    char why[120];

    waitpid(c->pid, &status, 0);
    if (c->task != UINT32_MAX) {
        struct sim_task *t = &p->tasks[c->task];
        struct err ignored;

        if (WIFSIGNALED(status))
            snprintf(why, sizeof why, "the simulator crashed: %s", strsignal(WTERMSIG(status)));
        else
            snprintf(why, sizeof why, "the simulator ended with exit code %d", WEXITSTATUS(status));
        free(t->name);
        free(t->why);
        t->name = NULL;
        t->why = mem_strdup(why, &ignored);
        t->done = false;
        t->code = ERR_SIMULATION;
    }
    close_child(c);
}

static int serve(struct pool *p, struct child *c, sim_pool_progress_fn progress, void *ctx, struct err *e)
{
    uint32_t task = c->task;
    bool alive = take_message(p, c) == 0;

    if (!alive)
        child_reap(p, c);
    if (task != UINT32_MAX) {
        p->done++;
        if (progress)
            progress(ctx, p->done, &p->tasks[task]);
    }
    if (alive)
        give_task(p, c);
    else if (p->next < p->count) {
        if (start_child(p, c, e) < 0)
            return -1;
        give_task(p, c);
    }
    return 0;
}

static int work(struct pool *p, struct pollfd *polls, sim_pool_progress_fn progress, void *ctx, struct err *e)
{
    while (p->done < p->count) {
        nfds_t n = 0;

        for (size_t i = 0; i < p->child_count; i++)
            polls[i] = (struct pollfd){.fd = p->children[i].pid > 0 ? p->children[i].from : -1, .events = POLLIN};
        n = p->child_count;
        if (poll(polls, n, -1) < 0) {
            if (errno != EINTR)
                return err_set_errno(e, errno, "waiting for simulations");
            continue;
        }
        for (size_t i = 0; i < p->child_count; i++)
            if (polls[i].fd >= 0 && polls[i].revents && serve(p, &p->children[i], progress, ctx, e) < 0)
                return -1;
    }
    return 0;
}

struct sized {
    uint32_t task;
    off_t bytes;
};

static int larger_first(const void *a, const void *b)
{
    const struct sized *x = a, *y = b;

    if (x->bytes != y->bytes)
        return x->bytes > y->bytes ? -1 : 1;
    return x->task < y->task ? -1 : x->task > y->task;
}

/* Orders tasks by size, the largest first, so that no child starts the largest task last. */
static int put_in_order(struct pool *p, struct err *e)
{
    struct sized *s = mem_zalloc(p->count, sizeof *s, e);
    struct stat st;

    p->order = s ? mem_zalloc(p->count, sizeof *p->order, e) : NULL;
    if (!p->order) {
        free(s);
        return -1;
    }
    for (size_t i = 0; i < p->count; i++) {
        s[i].task = (uint32_t)i;
        s[i].bytes = stat(p->tasks[i].trace.path, &st) == 0 ? st.st_size : 0;
    }
    qsort(s, p->count, sizeof *s, larger_first);
    for (size_t i = 0; i < p->count; i++)
        p->order[i] = s[i].task;
    free(s);
    return 0;
}

static int start_all(struct pool *p, struct err *e)
{
    for (size_t i = 0; i < p->child_count; i++) {
        if (start_child(p, &p->children[i], e) < 0) {
            if (i == 0)
                return -1;
            p->child_count = i; /* continue with fewer children than requested */
            return 0;
        }
        give_task(p, &p->children[i]);
    }
    return 0;
}

int sim_pool_run(struct sim_task *tasks, size_t count, unsigned children, sim_pool_progress_fn progress, void *ctx,
                 struct err *e)
{
    struct pool p = {.tasks = tasks, .count = count};
    struct pollfd *polls = NULL;
    int ret = -1;

    if (count == 0)
        return 0;
    if (children < 1 || children > CHILDREN_MAX)
        children = children < 1 ? 1 : CHILDREN_MAX;
    p.child_count = children < count ? children : count;
    p.read_ahead = (long)p.child_count < sysconf(_SC_NPROCESSORS_ONLN);
    p.children = mem_zalloc(p.child_count, sizeof *p.children, e);
    polls = p.children ? mem_zalloc(p.child_count, sizeof *polls, e) : NULL;
    if (polls && put_in_order(&p, e) == 0 && start_all(&p, e) == 0)
        ret = work(&p, polls, progress, ctx, e);
    for (size_t i = 0; p.children && i < p.child_count; i++)
        if (p.children[i].pid > 0) {
            if (ret < 0)
                kill(p.children[i].pid, SIGKILL);
            pid_t pid = p.children[i].pid;

            close_child(&p.children[i]);
            waitpid(pid, NULL, 0);
        }
    free(p.children);
    free(polls);
    free(p.order);
    return ret;
}

void sim_tasks_release(struct sim_task *tasks, size_t count)
{
    for (size_t i = 0; tasks && i < count; i++) {
        free(tasks[i].name);
        free(tasks[i].why);
    }
}
