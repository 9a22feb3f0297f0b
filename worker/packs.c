/* Starts vivace-sim processes for queued jobs and handles their events. Small jobs are packed: several of them
 * share a process. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/assert.h"
#include "base/log.h"
#include "worker/agent_internal.h"

#define PACK_SECONDS     2.0                 /* a pack should not take longer than this */
#define PACK_TRACE_BYTES ((uint64_t)4 << 20) /* a larger trace gets a process of its own */

/* --- Events of a process --- */

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

static void on_ended(void *ctx, void *user, const struct sim_end *end)
{
    (void)ctx;
    held_end_simulated(user, end);
}

static void on_unstarted(void *ctx, void *user)
{
    struct held *h = user;

    (void)ctx;
    ASSERT(h->state == HELD_RUNNING);
    h->process = NULL;
    if (h->aborted)
        held_forget(h);
    else if (h->agent->phase != PHASE_WORKING)
        held_end_plainly(h, OUTCOME_RELEASED, NULL);
    else
        held_set_state(h, HELD_QUEUED);
}

static void on_exited(void *ctx, struct sim_process *p)
{
    struct running_sim *r = ctx, **at = &r->agent->sims;
    struct agent *a = r->agent;

    (void)p;
    ASSERT(a->busy > 0);
    while (*at != r) {
        ASSERT(*at);
        at = &(*at)->next;
    }
    *at = r->next;
    free(r);
    a->busy--;
    agent_pump(a);
}

/* --- Dispatch --- */

/* Maximum of jobs for one process. */
static uint32_t pack_max(const struct agent *a)
{
    double n = a->mean_job_s > 0 ? PACK_SECONDS / a->mean_job_s : 1;

    uint32_t most = a->o->pack ? a->o->pack : SIM_PACK_MAX;

    return n < 1 ? 1 : n > most ? most : (uint32_t)n;
}

/* Bytes of the files that a job reads. */
static uint64_t input_bytes(const struct held *h)
{
    const struct cache_entry *program = h->inputs[INPUT_PROGRAM].entry;

    ASSERT(h->inputs[INPUT_TRACE].entry); /* a queued job has its files */
    return h->inputs[INPUT_TRACE].entry->bytes + (program ? program->bytes : 0);
}

static bool fits(const struct held *h, const struct held *first, uint64_t bytes)
{
    return h->state == HELD_QUEUED && h->lease.limits.memory_bytes == first->lease.limits.memory_bytes &&
           (h == first || bytes + input_bytes(h) <= PACK_TRACE_BYTES);
}

/* Up to `most` queued jobs that may share a process, the oldest first. */
static size_t choose(struct held *first, size_t most, struct held *chosen[SIM_PACK_MAX])
{
    uint64_t bytes = 0;
    size_t n = 0;

    ASSERT(first->state == HELD_QUEUED && most <= SIM_PACK_MAX);
    for (struct held *h = first; h && n < most; h = h->next)
        if (fits(h, first, bytes)) {
            chosen[n++] = h;
            bytes += input_bytes(h);
        }
    return n;
}

/* Order by program, design and launch: vivace-sim then runs a program once for consecutive jobs. */
static int by_program(const void *a, const void *b)
{
    const struct held *x = *(const struct held *const *)a, *y = *(const struct held *const *)b;
    int order = strcmp(x->lease.program_sha256, y->lease.program_sha256);

    if (order == 0)
        order = strcmp(x->lease.design_sha256, y->lease.design_sha256);
    if (order == 0)
        order = (x->lease.launch > y->lease.launch) - (x->lease.launch < y->lease.launch);
    return order;
}

static int start_pack(struct agent *a, struct held *const *chosen, size_t n, struct err *e)
{
    static char paths[INPUT_KINDS][SIM_PACK_MAX][PATH_MAX], results[SIM_PACK_MAX][PATH_MAX],
        records[SIM_PACK_MAX][PATH_MAX];
    struct running_sim *r = mem_zalloc(1, sizeof *r, e);
    struct sim_pack pack = {.program = a->o->vivace_sim, .folder = a->o->state, .count = n};
    struct sim_events events = {on_started, on_progress, on_ended, on_unstarted, on_exited, r};

    ASSERT(n > 0 && n <= SIM_PACK_MAX && a->busy < a->o->slots);
    if (!r)
        return -1;
    r->agent = a;
    pack.memory_bytes = chosen[0]->lease.limits.memory_bytes;
    pack.require_sandbox = a->o->require_sandbox;
    for (size_t i = 0; i < n; i++) {
        struct held *h = chosen[i];
        struct sim_job *job = &pack.jobs[i];

        held_result_path(h, results[i]);
        *job = (struct sim_job){.trace = held_input_path(h, INPUT_TRACE, paths[INPUT_TRACE][i]),
                                .program = held_input_path(h, INPUT_PROGRAM, paths[INPUT_PROGRAM][i]),
                                .design = held_input_path(h, INPUT_DESIGN, paths[INPUT_DESIGN][i]),
                                .result = results[i]};
        if (h->lease.record) {
            held_record_path(h, records[i]);
            job->record = records[i];
        }
        job->warmed = h->lease.warmed;
        job->inside_kernels = h->lease.inside_kernels;
        job->allow_foreign_isa = h->lease.allow_foreign_isa;
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
        held_set_state(chosen[i], HELD_RUNNING);
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
    struct held *first, *chosen[SIM_PACK_MAX];
    struct err e;

    while (a->phase == PHASE_WORKING && a->busy < a->o->slots && (first = first_queued(a))) {
        uint32_t free_slots = a->o->slots - a->busy, most = pack_max(a);
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
