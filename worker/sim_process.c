#include "worker/sim_process.h"

#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "base/child_environment.h"
#include "base/clock.h"
#include "base/descriptors.h"
#include "base/text.h"
#include "worker/job_stderr.h"

enum { LINE_LENGTH_MAX = 8192, CHANNELS = 3, EXIT_GRACE_MS = 2000 };

struct sim_process {
    uv_loop_t *loop;
    uv_process_t child;
    uv_pipe_t channels[CHANNELS]; /* fd 0, 2, 3 */
    uv_timer_t deadline, killer;
    uv_write_t write;
    char *input; /* the document for fd 0, until it is written */
    struct sim_events events;
    struct sim_job jobs[SIM_PACK_MAX];
    size_t count, next; /* jobs[next] is the running job, or the next one to begin */
    bool running, exited, notified;
    enum sim_stop stop;
    uint64_t memory_limit, peak_bytes, started_us, kill_after_ms;
    double cpu_before, cpu_now;
    int64_t status;
    int signal;
    unsigned open_handles, open_channels;
    char line[LINE_LENGTH_MAX + 1];
    size_t line_length;
    bool line_too_long;
    struct job_stderr stderr_kept;
    char read_buffer[16384];
};

/* --- CPU time and memory of the child, from the kernel --- */

/* Reads the child's CPU seconds so far. This works for a zombie process too. */
static void sample_cpu(struct sim_process *p)
{
    char path[40], text[1024];
    unsigned long user = 0, system = 0;
    char *after;
    size_t n;
    FILE *f;

    snprintf(path, sizeof path, "/proc/%d/stat", (int)p->child.pid);
    f = fopen(path, "re");
    if (!f)
        return;
    n = fread(text, 1, sizeof text - 1, f);
    fclose(f);
    text[n] = '\0';
    after = strrchr(text, ')'); /* the process name before it may contain any characters */
    if (after && sscanf(after + 1, " %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu %lu", &user, &system) == 2)
        p->cpu_now = (double)(user + system) / (double)sysconf(_SC_CLK_TCK);
}

static void sample_memory(struct sim_process *p)
{
    char path[40], line[160];
    unsigned long kib;
    FILE *f;

    snprintf(path, sizeof path, "/proc/%d/status", (int)p->child.pid);
    f = fopen(path, "re");
    if (!f)
        return;
    while (fgets(line, sizeof line, f))
        if (sscanf(line, "VmHWM: %lu kB", &kib) == 1 && (uint64_t)kib * 1024 > p->peak_bytes)
            p->peak_bytes = (uint64_t)kib * 1024;
    fclose(f);
}

static void sample(struct sim_process *p)
{
    if (p->exited)
        return;
    sample_cpu(p);
    sample_memory(p);
}

/* Reads stderr until the pipe is empty. All text that the child wrote before its event on fd 3 is in the pipe. */
static void drain_stderr(struct sim_process *p)
{
    char piece[4096];
    uv_os_fd_t fd;
    ssize_t n;

    if (uv_fileno((uv_handle_t *)&p->channels[1], &fd) != 0)
        return;
    while ((n = read(fd, piece, sizeof piece)) > 0) /* libuv has made it non-blocking */
        job_stderr_add(&p->stderr_kept, piece, (size_t)n);
}

/* --- The end of a job --- */

static void finish_job(struct sim_process *p, enum attempt_outcome outcome, const char *message)
{
    struct sim_job *job = &p->jobs[p->next];
    char *last_lines;

    uv_timer_stop(&p->deadline);
    sample(p);
    drain_stderr(p);
    last_lines = job_stderr_text(&p->stderr_kept, job->job);
    p->running = false;
    p->next++;
    p->events.ended(p->events.ctx, job->user,
                    &(struct sim_end){outcome, message, last_lines,
                                      (double)(clock_monotonic_us() - p->started_us) * 1e-6,
                                      p->cpu_now - p->cpu_before, p->peak_bytes});
    p->cpu_before = p->cpu_now;
    free(last_lines);
}

static void on_killer(uv_timer_t *t)
{
    struct sim_process *p = t->data;

    if (!p->exited)
        kill(-p->child.pid, SIGKILL);
}

void sim_process_stop(struct sim_process *p, enum sim_stop why, bool hard)
{
    if (p->stop == STOP_NONE || why == STOP_RELEASE)
        p->stop = why;
    if (p->exited)
        return;
    kill(-p->child.pid, hard ? SIGKILL : SIGTERM);
    if (!uv_is_active((uv_handle_t *)&p->killer))
        uv_timer_start(&p->killer, on_killer, p->kill_after_ms, 0);
}

static void on_deadline(uv_timer_t *t)
{
    sim_process_stop(t->data, STOP_DEADLINE, false);
}

static void start_job(struct sim_process *p)
{
    struct sim_job *job = &p->jobs[p->next];

    p->running = true;
    p->started_us = clock_monotonic_us();
    sample(p);
    p->cpu_before = p->cpu_now;
    if (job->time_s)
        uv_timer_start(&p->deadline, on_deadline, job->time_s * 1000, 0);
    p->events.started(p->events.ctx, job->user);
}

/* --- fd 3 --- */

static void take_line(struct sim_process *p, char *line)
{
    char *words[4] = {line, "", "", ""}, *end = line;
    enum attempt_outcome outcome;

    for (int i = 1; i < 4 && (end = strchr(end, ' ')); i++) {
        *end++ = '\0';
        words[i] = end;
    }
    if (p->next >= p->count || strcmp(words[1], p->jobs[p->next].job) != 0)
        return; /* an event of a job that should not run is ignored */
    if (strcmp(words[0], "start") == 0 && !p->running) {
        start_job(p);
    } else if (strcmp(words[0], "progress") == 0 && p->running) {
        uint64_t cycles, instructions;
        struct err ignored;

        if (parse_u64(words[2], "cycles", &cycles, &ignored) == 0 &&
            parse_u64(words[3], "instructions", &instructions, &ignored) == 0)
            p->events.progress(p->events.ctx, p->jobs[p->next].user, cycles, instructions);
    } else if (strcmp(words[0], "end") == 0 && p->running && attempt_outcome_from_name(words[2], &outcome) == 0) {
        text_sanitize(words[3]);
        if (p->stop == STOP_DEADLINE && outcome != OUTCOME_OK)
            return; /* the child reports only that it was stopped; sim_verdict() gives the reason */
        finish_job(p, outcome, words[3]);
    }
}

static void take_events(struct sim_process *p, const char *bytes, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (bytes[i] == '\n') {
            p->line[p->line_length] = '\0';
            if (!p->line_too_long)
                take_line(p, p->line);
            p->line_length = 0;
            p->line_too_long = false;
        } else if (p->line_length < LINE_LENGTH_MAX) {
            p->line[p->line_length++] = bytes[i] ? bytes[i] : '?';
        } else {
            p->line_too_long = true;
        }
    }
}

/* --- The end of the process --- */

static void on_closed(uv_handle_t *h)
{
    struct sim_process *p = h->data;

    if (--p->open_handles > 0)
        return;
    p->events.exited(p->events.ctx, p);
    free(p->input);
    free(p);
}

static void tell_all(struct sim_process *p)
{
    char message[WIRE_MESSAGE_BYTES];
    bool any = p->running || p->next < p->count;

    /* A process that ends before its first job begins would do so again, so the first job is reported as failed. */
    if (p->running || (any && p->next == 0 && p->stop == STOP_NONE)) {
        struct sim_exit x = {p->status,     p->signal,      p->stop, p->jobs[p->next].time_s,
                             p->peak_bytes, p->memory_limit};
        enum attempt_outcome outcome = sim_verdict(&x, message, sizeof message);

        if (!p->running)
            p->started_us = clock_monotonic_us();
        finish_job(p, outcome, message);
    }
    while (p->next < p->count)
        p->events.unstarted(p->events.ctx, p->jobs[p->next++].user);
}

static void close_handle(uv_handle_t *h)
{
    if (!uv_is_closing(h))
        uv_close(h, on_closed);
}

/* Finishes once the process has ended and all its output is read. */
static void maybe_over(struct sim_process *p)
{
    if (!p->exited || p->open_channels > 0 || p->notified)
        return;
    p->notified = true;
    tell_all(p);
    close_handle((uv_handle_t *)&p->child);
    close_handle((uv_handle_t *)&p->deadline);
    close_handle((uv_handle_t *)&p->killer);
    for (int i = 0; i < CHANNELS; i++)
        close_handle((uv_handle_t *)&p->channels[i]);
}

static void on_grace_over(uv_timer_t *t)
{
    struct sim_process *p = t->data;

    p->open_channels = 0; /* a process outside the group still has a pipe open: do not wait for it */
    maybe_over(p);
}

static void on_exit_of_child(uv_process_t *child, int64_t status, int signal)
{
    struct sim_process *p = child->data;

    kill(-child->pid, SIGKILL); /* child processes that it may have started */
    p->exited = true;
    p->status = status;
    p->signal = signal;
    uv_timer_stop(&p->deadline);
    uv_timer_start(&p->killer, on_grace_over, EXIT_GRACE_MS, 0);
    maybe_over(p);
}

static void on_alloc(uv_handle_t *h, size_t suggested, uv_buf_t *buf)
{
    struct sim_process *p = h->data;

    (void)suggested;
    *buf = uv_buf_init(p->read_buffer, sizeof p->read_buffer);
}

static void on_read(uv_stream_t *s, ssize_t n, const uv_buf_t *buf)
{
    struct sim_process *p = s->data;

    if (n > 0 && s == (uv_stream_t *)&p->channels[2])
        take_events(p, buf->base, (size_t)n);
    else if (n > 0)
        job_stderr_add(&p->stderr_kept, buf->base, (size_t)n);
    if (n >= 0)
        return;
    uv_read_stop(s);
    if (p->open_channels > 0)
        p->open_channels--;
    maybe_over(p);
}

/* --- Starting --- */

static void on_written(uv_write_t *w, int status)
{
    struct sim_process *p = w->data;

    (void)status; /* if the child ended early, its exit status is reported */
    close_handle((uv_handle_t *)&p->channels[0]);
}

static int spawn(struct sim_process *p, const struct sim_pack *pack)
{
    char *env[CHILD_ENVIRONMENT];
    char job[] = "--job", *args[] = {(char *)pack->program, job, NULL};
    uv_stdio_container_t stdio[4];
    uv_process_options_t options = {.file = pack->program,
                                    .args = args,
                                    .env = env,
                                    .cwd = pack->folder,
                                    .exit_cb = on_exit_of_child,
                                    .flags = UV_PROCESS_DETACHED, /* a new session and process group */
                                    .stdio_count = 4,
                                    .stdio = stdio};

    child_environment(env);
    stdio[0].flags = UV_CREATE_PIPE | UV_READABLE_PIPE;
    stdio[0].data.stream = (uv_stream_t *)&p->channels[0];
    stdio[1].flags = UV_IGNORE;
    stdio[2].flags = UV_CREATE_PIPE | UV_WRITABLE_PIPE;
    stdio[2].data.stream = (uv_stream_t *)&p->channels[1];
    stdio[3].flags = UV_CREATE_PIPE | UV_WRITABLE_PIPE;
    stdio[3].data.stream = (uv_stream_t *)&p->channels[2];
    descriptors_close_on_exec(
        3); /* close libcurl's sockets and other descriptors: the child could use them to act as this worker */
    return uv_spawn(p->loop, &p->child, &options);
}

static void prepare(struct sim_process *p)
{
    for (int i = 0; i < CHANNELS; i++) {
        uv_pipe_init(p->loop, &p->channels[i], 0);
        p->channels[i].data = p;
    }
    uv_timer_init(p->loop, &p->deadline);
    uv_timer_init(p->loop, &p->killer);
    p->deadline.data = p->killer.data = p->child.data = p->write.data = p;
    p->open_handles = CHANNELS + 3;
    p->open_channels = 2;
}

static void on_failed_closed(uv_handle_t *h)
{
    struct sim_process *p = h->data;

    if (--p->open_handles == 0) {
        free(p->input);
        free(p);
    }
}

static int fail_start(struct sim_process *p, int code, const char *program, struct err *e)
{
    uv_close((uv_handle_t *)&p->child, on_failed_closed);
    uv_close((uv_handle_t *)&p->deadline, on_failed_closed);
    uv_close((uv_handle_t *)&p->killer, on_failed_closed);
    for (int i = 0; i < CHANNELS; i++)
        uv_close((uv_handle_t *)&p->channels[i], on_failed_closed);
    return err_set(e, ERR_IO, "%s cannot be started: %s", program, uv_strerror(code));
}

int sim_process_start(uv_loop_t *loop, const struct sim_pack *pack, const struct sim_events *events,
                      struct sim_process **out, struct err *e)
{
    struct sim_process *p = mem_zalloc(1, sizeof *p, e);
    uv_buf_t buf;
    int code;

    if (!p)
        return -1;
    p->input = sim_pack_text(pack, e);
    if (!p->input) {
        free(p);
        return -1;
    }
    p->loop = loop;
    p->events = *events;
    p->memory_limit = pack->memory_bytes;
    p->kill_after_ms = pack->kill_after_ms ? pack->kill_after_ms : SIM_KILL_AFTER_MS;
    p->count = pack->count;
    memcpy(p->jobs, pack->jobs, pack->count * sizeof *p->jobs);
    prepare(p);
    code = spawn(p, pack);
    if (code != 0)
        return fail_start(p, code, pack->program, e);
    buf = uv_buf_init(p->input, (unsigned)strlen(p->input));
    if (uv_write(&p->write, (uv_stream_t *)&p->channels[0], &buf, 1, on_written) != 0)
        close_handle((uv_handle_t *)&p->channels[0]);
    uv_read_start((uv_stream_t *)&p->channels[1], on_alloc, on_read);
    uv_read_start((uv_stream_t *)&p->channels[2], on_alloc, on_read);
    *out = p;
    return 0;
}

void *sim_process_current(const struct sim_process *p)
{
    return p->running ? p->jobs[p->next].user : NULL;
}
