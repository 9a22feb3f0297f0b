/* Leases in hand: their blobs, their turn, their simulation, their outcome. */
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/text.h"
#include "worker/agent_internal.h"

#define PACK_SECONDS     2.0                 /* a pack should not take longer than this */
#define PACK_TRACE_BYTES ((uint64_t)4 << 20) /* a larger trace gets a process of its own */

/* --- The list --- */

static struct held *add(struct agent *a, const struct lease *lease, struct err *e)
{
    struct held *h = mem_zalloc(1, sizeof *h, e);

    if (!h)
        return NULL;
    h->agent = a;
    h->lease = *lease;
    h->state = HELD_FETCHING;
    h->claimed_us = clock_monotonic_us();
    h->at = a->held_end;
    *a->held_end = h;
    a->held_end = &h->next;
    a->held_count++;
    a->waiting_count++;
    return h;
}

static void set_state(struct held *h, enum held_state state)
{
    struct agent *a = h->agent;

    a->waiting_count -= h->state != HELD_RUNNING;
    a->waiting_count += state != HELD_RUNNING;
    h->state = state;
}

static struct cache *cache_of(const struct agent *a, enum input_kind kind)
{
    return kind == INPUT_DESIGN ? a->designs : a->traces;
}

/* Its path in the cache; NULL where the job has no such file. */
static const char *input_path(const struct held *h, enum input_kind kind, char out[PATH_MAX])
{
    if (!h->inputs[kind].entry)
        return NULL;
    cache_path(cache_of(h->agent, kind), h->inputs[kind].entry->hex, out, PATH_MAX);
    return out;
}

static void forget(struct held *h)
{
    struct agent *a = h->agent;

    *h->at = h->next;
    if (h->next)
        h->next->at = h->at;
    else
        a->held_end = h->at;
    a->held_count--;
    a->waiting_count -= h->state != HELD_RUNNING;
    for (int i = 0; i < INPUT_KINDS; i++) {
        fetch_give_up(h->inputs[i].wait);
        if (h->inputs[i].entry)
            cache_unpin(cache_of(a, (enum input_kind)i), h->inputs[i].entry);
    }
    free(h);
}

static struct held *find(const struct agent *a, const struct attempt_id *id)
{
    struct held *h = a->held;

    while (h && (strcmp(h->lease.job, id->job) != 0 || h->lease.attempt != id->attempt))
        h = h->next;
    return h;
}

/* --- Outcomes --- */

static void spool_it(struct agent *a, struct job_outcome *o, bool durable)
{
    char quoted[600];
    struct err e;

    if (spool_add(a->spool, o, durable, &e) < 0)
        log_error("worker", "an outcome could not be made durable and is kept in memory only", "why=%s",
                  log_quote(e.text, quoted, sizeof quoted));
    job_outcome_release(o);
}

static void set_text(char **to, const char *text, size_t most)
{
    struct err ignored; /* a report without its words is better than none */

    if (text && *text)
        *to = mem_strndup(text, strnlen(text, most), &ignored);
}

/* An outcome without a simulation behind it: fetch, disk, released. Nothing is lost when it is. */
static void end_plainly(struct held *h, enum attempt_outcome outcome, const char *message)
{
    struct job_outcome o;

    if (h->lease.record) {
        recordings_end(h->agent, &h->lease, outcome, message, NULL);
        forget(h);
        return;
    }
    job_outcome_init(&o);
    memcpy(o.id.job, h->lease.job, sizeof o.id.job);
    o.id.attempt = h->lease.attempt;
    o.outcome = outcome;
    set_text(&o.message, message, WIRE_MESSAGE_BYTES);
    if (outcome != OUTCOME_RELEASED) {
        char quoted[600];

        h->agent->jobs_failed++;
        log_warn("worker", "a job could not be run", "job=%s attempt=%u outcome=%s why=%s", h->lease.job,
                 h->lease.attempt, attempt_outcome_name(outcome), log_quote(message, quoted, sizeof quoted));
    }
    spool_it(h->agent, &o, false);
    forget(h);
}

static void result_path(const struct held *h, char out[PATH_MAX])
{
    snprintf(out, PATH_MAX, "%s/attempts/%s.%u.json", h->agent->o->state, h->lease.job, h->lease.attempt);
}

static void record_path(const struct held *h, char out[PATH_MAX])
{
    snprintf(out, PATH_MAX, "%s/attempts/%s.%u.vrec", h->agent->o->state, h->lease.job, h->lease.attempt);
}

/* The result that a simulation says it has written, held against what was asked. */
static int read_result(const struct held *h, struct result *out, struct err *e)
{
    char path[PATH_MAX];
    json_t *v;
    int ret;

    result_path(h, path);
    v = json_read_path(path, RESULT_BYTES_MOST, e);
    if (!v)
        return -1;
    ret = result_from_json(v, out, e);
    json_decref(v);
    if (ret < 0)
        return -1;
    if (strcmp(out->trace_sha256, h->lease.trace_sha256) == 0 &&
        strcmp(out->design_sha256, h->lease.design_sha256) == 0)
        return 0;
    result_release(out);
    return err_set(e, ERR_INVALID, "it is about another trace or design than was asked for");
}

static void end_replay(struct held *h)
{
    struct agent *a = h->agent;
    struct job_outcome o;
    struct err e;

    job_outcome_init(&o);
    memcpy(o.id.job, h->lease.job, sizeof o.id.job);
    o.id.attempt = h->lease.attempt;
    if (result_replay(h->lease.replay_value, h->lease.replay_unit, &o.result, &e) < 0) {
        end_plainly(h, OUTCOME_DISK, e.text);
        return;
    }
    o.has_result = true;
    a->jobs_ok++;
    spool_it(a, &o, false); /* costs nothing to do again, so nothing to lose */
    forget(h);
}

/* --- Events of a simulation --- */

static void on_started(void *ctx, void *user)
{
    struct running_sim *r = ctx;
    struct held *h = user;

    log_debug("worker", "a simulation begins", "job=%s attempt=%u", h->lease.job, h->lease.attempt);
    if (h->aborted)
        sim_process_stop(r->process, STOP_ABORT, true);
}

static void on_progress(void *ctx, void *user, uint64_t cycles, uint64_t warp_instructions)
{
    struct held *h = user;

    (void)ctx;
    h->cycles = cycles;
    h->warp_instructions = warp_instructions;
}

/* Where the file lies on this machine tells nobody anything; which of the two it is does. */
static const char *without_path(const struct held *h, const char *message)
{
    char path[PATH_MAX];

    for (int i = 0; i < INPUT_KINDS; i++)
        if (input_path(h, (enum input_kind)i, path) && str_starts(message, path) &&
            str_starts(message + strlen(path), ": "))
            return message + strlen(path) + 2;
    return message;
}

static void fill_outcome(struct held *h, const struct sim_end *end, struct job_outcome *o)
{
    char message[600];
    struct err e;

    job_outcome_init(o);
    memcpy(o->id.job, h->lease.job, sizeof o->id.job);
    o->id.attempt = h->lease.attempt;
    o->outcome = end->outcome;
    o->host_seconds = end->host_seconds;
    o->cpu_seconds = end->cpu_seconds > 0 ? end->cpu_seconds : 0;
    o->peak_bytes = end->peak_bytes;
    set_text(&o->last_lines, end->last_lines, WIRE_LAST_LINES_BYTES);
    if (end->outcome != OUTCOME_OK) {
        set_text(&o->message, without_path(h, end->message), WIRE_MESSAGE_BYTES);
        return;
    }
    o->has_result = read_result(h, &o->result, &e) == 0;
    if (o->has_result) {
        o->host_seconds = o->result.host_seconds; /* of small jobs in a pack the events come in one go */
    } else {
        o->outcome = OUTCOME_CRASH;
        snprintf(message, sizeof message, "the simulator reported success, but its result cannot be used: %s",
                 e.text);
        set_text(&o->message, message, WIRE_MESSAGE_BYTES);
    }
}

/* The result that comes with a recording is known already. */
static void end_recording(struct held *h, const struct sim_end *end)
{
    struct agent *a = h->agent;
    char path[PATH_MAX];

    log_debug("worker", "a recording ended", "result=%s attempt=%u outcome=%s", h->lease.job, h->lease.attempt,
              attempt_outcome_name(end->outcome));
    record_path(h, path);
    recordings_end(a, &h->lease, end->outcome, end->message ? without_path(h, end->message) : NULL, path);
    unlink(path);
    result_path(h, path);
    unlink(path);
    forget(h);
}

static void on_ended(void *ctx, void *user, const struct sim_end *end)
{
    struct held *h = user;
    struct agent *a = h->agent;
    struct job_outcome o;
    char path[PATH_MAX], quoted[600];

    (void)ctx;
    if (h->lease.record) {
        end_recording(h, end);
        return;
    }
    fill_outcome(h, end, &o);
    result_path(h, path);
    if (o.has_result) {
        a->mean_job_s = a->mean_job_s > 0 ? 0.8 * a->mean_job_s + 0.2 * o.host_seconds : o.host_seconds;
        a->jobs_ok++;
        log_debug("worker", "a simulation ended", "job=%s attempt=%u seconds=%.3f", h->lease.job, h->lease.attempt,
                  o.host_seconds);
    } else if (o.outcome != OUTCOME_RELEASED) {
        a->jobs_failed++;
        log_warn("worker", "a simulation failed", "job=%s attempt=%u outcome=%s seconds=%.3f why=%s", h->lease.job,
                 h->lease.attempt, attempt_outcome_name(o.outcome), end->host_seconds,
                 log_quote(o.message ? o.message : "", quoted, sizeof quoted));
    }
    if (h->aborted && !o.has_result)
        job_outcome_release(&o); /* nobody waits for it */
    else
        spool_it(a, &o, o.has_result);
    unlink(path);
    forget(h);
    report_pump(a);
}

static void on_unstarted(void *ctx, void *user)
{
    struct held *h = user;

    (void)ctx;
    h->process = NULL;
    if (h->aborted)
        forget(h);
    else if (h->agent->phase != PHASE_WORKING)
        end_plainly(h, OUTCOME_RELEASED, NULL);
    else
        set_state(h, HELD_QUEUED);
}

static void on_exited(void *ctx, struct sim_process *p)
{
    struct running_sim *r = ctx, **at = &r->agent->sims;
    struct agent *a = r->agent;

    (void)p;
    while (*at != r)
        at = &(*at)->next;
    *at = r->next;
    free(r);
    a->busy--;
    agent_pump(a);
}

/* --- Dispatch --- */

/* Jobs that one process should get. */
static uint32_t pack_most(const struct agent *a)
{
    double n = a->mean_job_s > 0 ? PACK_SECONDS / a->mean_job_s : 1;

    uint32_t most = a->o->pack ? a->o->pack : SIM_PACK_MOST;

    return n < 1 ? 1 : n > most ? most : (uint32_t)n;
}

/* What is read for one job. */
static uint64_t input_bytes(const struct held *h)
{
    const struct cache_entry *program = h->inputs[INPUT_PROGRAM].entry;

    return h->inputs[INPUT_TRACE].entry->bytes + (program ? program->bytes : 0);
}

static bool fits(const struct held *h, const struct held *first, uint64_t bytes)
{
    return h->state == HELD_QUEUED && h->lease.limits.memory_bytes == first->lease.limits.memory_bytes &&
           (h == first || bytes + input_bytes(h) <= PACK_TRACE_BYTES);
}

/* Up to `most` queued jobs that may share a process, the oldest first. */
static size_t choose(struct held *first, size_t most, struct held *chosen[SIM_PACK_MOST])
{
    uint64_t bytes = 0;
    size_t n = 0;

    for (struct held *h = first; h && n < most; h = h->next)
        if (fits(h, first, bytes)) {
            chosen[n++] = h;
            bytes += input_bytes(h);
        }
    return n;
}

/* Launches of one program on one design stand together, in their order: the program then runs once for them. */
static int by_program(const void *a, const void *b)
{
    const struct held *x = *(const struct held *const *)a, *y = *(const struct held *const *)b;
    int order = strcmp(x->lease.program_sha256, y->lease.program_sha256);

    if (order == 0)
        order = strcmp(x->lease.design_sha256, y->lease.design_sha256);
    if (order == 0)
        order = (x->lease.invocation > y->lease.invocation) - (x->lease.invocation < y->lease.invocation);
    return order;
}

static int start_pack(struct agent *a, struct held *const *chosen, size_t n, struct err *e)
{
    static char paths[INPUT_KINDS][SIM_PACK_MOST][PATH_MAX], results[SIM_PACK_MOST][PATH_MAX],
        records[SIM_PACK_MOST][PATH_MAX];
    struct running_sim *r = mem_zalloc(1, sizeof *r, e);
    struct sim_pack pack = {.program = a->o->vivace_sim, .folder = a->o->state, .count = n};
    struct sim_events events = {on_started, on_progress, on_ended, on_unstarted, on_exited, r};

    if (!r)
        return -1;
    r->agent = a;
    pack.memory_bytes = chosen[0]->lease.limits.memory_bytes;
    pack.require_sandbox = a->o->require_sandbox;
    for (size_t i = 0; i < n; i++) {
        struct held *h = chosen[i];
        struct sim_job *job = &pack.jobs[i];

        result_path(h, results[i]);
        *job = (struct sim_job){.trace = input_path(h, INPUT_TRACE, paths[INPUT_TRACE][i]),
                                .program = input_path(h, INPUT_PROGRAM, paths[INPUT_PROGRAM][i]),
                                .design = input_path(h, INPUT_DESIGN, paths[INPUT_DESIGN][i]),
                                .result = results[i]};
        if (h->lease.record) {
            record_path(h, records[i]);
            job->record = records[i];
        }
        memcpy(job->job, h->lease.job, sizeof job->job);
        job->limit_cycles = h->lease.limits.cycles;
        job->time_s = h->lease.limits.time_s;
        job->user = h;
    }
    if (sim_process_start(a->loop, &pack, &events, &r->process, e) < 0) {
        free(r);
        return -1;
    }
    for (size_t i = 0; i < n; i++) {
        chosen[i]->process = r->process;
        set_state(chosen[i], HELD_RUNNING);
    }
    r->next = a->sims;
    a->sims = r;
    a->busy++;
    return 0;
}

static struct held *first_queued(const struct agent *a)
{
    struct held *h = a->held;

    while (h && h->state != HELD_QUEUED)
        h = h->next;
    return h;
}

void jobs_dispatch(struct agent *a)
{
    struct held *first, *chosen[SIM_PACK_MOST];
    struct err e;

    while (a->phase == PHASE_WORKING && a->busy < a->o->slots && (first = first_queued(a))) {
        uint32_t free_slots = a->o->slots - a->busy, most = pack_most(a);
        size_t share = (a->waiting_count + free_slots - 1) / free_slots; /* leave work for the other slots */
        size_t n = choose(first, share < most ? share : most, chosen);
        char quoted[600];

        if (n == 0)
            return;
        qsort(chosen, n, sizeof(struct held *), by_program);
        if (start_pack(a, chosen, n, &e) == 0)
            continue;
        log_error("worker", "no simulation can be started; the jobs are given back", "why=%s",
                  log_quote(e.text, quoted, sizeof quoted));
        backoff_next(&a->claim_again, 10);
        jobs_release_waiting(a, 0);
        return;
    }
}

/* --- Blobs --- */

static void fetch_failed(struct held *h, const struct err *e)
{
    bool ours = e->code == ERR_NO_SPACE || e->code == ERR_IO || e->code == ERR_NO_MEMORY;
    struct agent *a = h->agent;

    end_plainly(h, ours ? OUTCOME_DISK : OUTCOME_FETCH, e->text);
    report_pump(a);
}

static void maybe_queued(struct held *h)
{
    for (int i = 0; i < INPUT_KINDS; i++)
        if (h->inputs[i].wanted && !h->inputs[i].entry)
            return;
    if (h->state == HELD_FETCHING) {
        set_state(h, HELD_QUEUED);
        agent_pump(h->agent);
    }
}

static void on_fetched(void *ctx, struct cache_entry *entry, const struct err *e)
{
    struct held_input *in = ctx;

    in->wait = NULL;
    in->entry = entry;
    if (entry)
        maybe_queued(in->held);
    else
        fetch_failed(in->held, e);
}

static void fetch_inputs(struct agent *a, struct held *h)
{
    const struct lease l = h->lease;
    const struct {
        const char *hex;
        uint64_t bytes;
        struct fetcher *from;
    } wanted[INPUT_KINDS] = {[INPUT_DESIGN] = {l.design_sha256, 0, a->design_fetcher},
                             [INPUT_PROGRAM] = {l.program_sha256, l.program_bytes, a->trace_fetcher},
                             [INPUT_TRACE] = {l.trace_sha256, l.trace_bytes, a->trace_fetcher}};
    struct attempt_id id = {.attempt = l.attempt};

    memcpy(id.job, l.job, sizeof id.job);
    for (int i = 0; i < INPUT_KINDS; i++) {
        h->inputs[i].held = h;
        h->inputs[i].wanted = wanted[i].hex[0] != '\0';
    }
    for (int i = 0; i < INPUT_KINDS && find(a, &id); i++) /* each call may end the job: when memory ran out */
        if (h->inputs[i].wanted)
            fetch_blob(wanted[i].from, wanted[i].hex, wanted[i].bytes, on_fetched, &h->inputs[i],
                       &h->inputs[i].wait);
}

void jobs_take(struct agent *a, const struct lease *lease)
{
    struct held *h;
    struct err e;

    if (!spool_id_safe(lease->job)) {
        log_error("worker", "the server sent a job whose id holds characters that no id has; it is passed over",
                  "%s", "");
        return;
    }
    h = add(a, lease, &e);
    if (!h) {
        log_error("worker", "a job is passed over: out of memory", "job=%s", lease->job);
        return;
    }
    if (a->phase != PHASE_WORKING)
        end_plainly(h, OUTCOME_RELEASED, NULL);
    else if (lease->engine == ENGINE_REPLAY)
        end_replay(h);
    else if (!a->o->vivace_sim)
        end_plainly(h, OUTCOME_UNSUPPORTED, "this worker has no vivace-sim");
    else
        fetch_inputs(a, h);
}

/* --- Giving back --- */

void jobs_abort(struct agent *a, const struct attempt_id *id)
{
    struct held *h = find(a, id);

    if (!h || h->aborted)
        return;
    log_info("worker", "the server does not want a job any more", "job=%s attempt=%u", id->job, id->attempt);
    h->aborted = true;
    if (h->state != HELD_RUNNING)
        forget(h);
    else if (sim_process_current(h->process) == h)
        sim_process_stop(h->process, STOP_ABORT, true);
}

void jobs_release_waiting(struct agent *a, uint64_t older_than_us)
{
    uint64_t now = clock_monotonic_us();

    for (struct held *h = a->held, *next; h; h = next) {
        next = h->next;
        if (h->state != HELD_RUNNING && now - h->claimed_us >= older_than_us)
            end_plainly(h, OUTCOME_RELEASED, NULL);
    }
}

void jobs_release_all(struct agent *a)
{
    jobs_release_waiting(a, 0);
    for (struct running_sim *r = a->sims; r; r = r->next)
        sim_process_stop(r->process, STOP_RELEASE, true);
}

void jobs_forget_all(struct agent *a)
{
    for (struct held *h = a->held, *next; h; h = next) {
        next = h->next;
        forget(h);
    }
}

/* What is held, and what is finished but not delivered: the server takes back what it leased and is not listed.
 * Recordings are no jobs: their leases end by themselves. */
int jobs_heartbeat(const struct agent *a, struct heartbeat_request *out, struct err *e)
{
    size_t most = a->held_count + spool_count(a->spool), n = 0;

    *out = (struct heartbeat_request){.count = 0};
    memcpy(out->session, a->session.session, sizeof out->session);
    if (most > WIRE_LEASES_MOST)
        most = WIRE_LEASES_MOST;
    out->running = mem_zalloc(most ? most : 1, sizeof *out->running, e);
    if (!out->running)
        return -1;
    for (const struct held *h = a->held; h && n < most; h = h->next) {
        struct running_attempt *r;

        if (h->lease.record)
            continue;
        r = &out->running[n++];
        memcpy(r->id.job, h->lease.job, sizeof r->id.job);
        r->id.attempt = h->lease.attempt;
        r->cycles = h->cycles;
        r->warp_instructions = h->warp_instructions;
    }
    for (const struct spool_entry *x = spool_first(a->spool); x && n < most; x = x->next)
        out->running[n++].id = x->outcome.id;
    out->count = n;
    return 0;
}
