/* Held leases: their list, their blobs, and returning them. */
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/assert.h"
#include "base/clock.h"
#include "base/log.h"
#include "worker/agent_internal.h"

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

void held_set_state(struct held *h, enum held_state state)
{
    struct agent *a = h->agent;

    ASSERT(state != h->state && a->waiting_count <= a->held_count);
    a->waiting_count -= h->state != HELD_RUNNING;
    a->waiting_count += state != HELD_RUNNING;
    h->state = state;
}

static struct cache *cache_of(const struct agent *a, enum input_kind kind)
{
    return kind == INPUT_DESIGN ? a->designs : a->traces;
}

const char *held_input_path(const struct held *h, enum input_kind kind, char *out)
{
    if (!h->inputs[kind].entry)
        return NULL;
    cache_path(cache_of(h->agent, kind), h->inputs[kind].entry->hex, out, PATH_MAX);
    return out;
}

void held_forget(struct held *h)
{
    struct agent *a = h->agent;

    ASSERT(*h->at == h && a->held_count > 0);
    ASSERT(h->state == HELD_RUNNING || a->waiting_count > 0);
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

/* --- Blobs --- */

static void fetch_failed(struct held *h, const struct err *e)
{
    bool ours = e->code == ERR_NO_SPACE || e->code == ERR_IO || e->code == ERR_NO_MEMORY;
    struct agent *a = h->agent;

    held_end_plainly(h, ours ? OUTCOME_DISK : OUTCOME_FETCH, e->text);
    report_pump(a);
}

static void maybe_queued(struct held *h)
{
    for (int i = 0; i < INPUT_KINDS; i++)
        if (h->inputs[i].wanted && !h->inputs[i].entry)
            return;
    if (h->state == HELD_FETCHING) {
        held_set_state(h, HELD_QUEUED);
        agent_pump(h->agent);
    }
}

static void on_fetched(void *ctx, struct cache_entry *entry, const struct err *e)
{
    struct held_input *in = ctx;

    ASSERT(in->wanted && !in->entry);
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
    for (int i = 0; i < INPUT_KINDS && find(a, &id); i++) /* each call may end the job, when memory runs out */
        if (h->inputs[i].wanted)
            fetch_blob(wanted[i].from, wanted[i].hex, wanted[i].bytes, on_fetched, &h->inputs[i],
                       &h->inputs[i].wait);
}

void jobs_take(struct agent *a, const struct lease *lease)
{
    struct held *h;
    struct err e;

    if (!spool_id_safe(lease->job)) {
        log_error("worker", "the server sent a job with an invalid id; it is skipped", "%s", "");
        return;
    }
    h = add(a, lease, &e);
    if (!h) {
        log_error("worker", "a job is skipped: out of memory", "job=%s", lease->job);
        return;
    }
    if (a->phase != PHASE_WORKING)
        held_end_plainly(h, OUTCOME_RELEASED, NULL);
    else if (lease->engine == ENGINE_REPLAY)
        held_end_replay(h);
    else if (!a->o->vivace_sim)
        held_end_plainly(h, OUTCOME_UNSUPPORTED, "this worker has no vivace-sim");
    else
        fetch_inputs(a, h);
}

/* --- Returning leases --- */

void jobs_abort(struct agent *a, const struct attempt_id *id)
{
    struct held *h = find(a, id);

    if (!h || h->aborted)
        return;
    log_info("worker", "the server cancelled a job", "job=%s attempt=%u", id->job, id->attempt);
    h->aborted = true;
    if (h->state != HELD_RUNNING)
        held_forget(h);
    else if (sim_process_current(h->process) == h)
        sim_process_stop(h->process, STOP_ABORT, true);
}

void jobs_release_waiting(struct agent *a, uint64_t older_than_us)
{
    uint64_t now = clock_monotonic_us();

    for (struct held *h = a->held, *next; h; h = next) {
        next = h->next;
        if (h->state != HELD_RUNNING && now - h->claimed_us >= older_than_us)
            held_end_plainly(h, OUTCOME_RELEASED, NULL);
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
        held_forget(h);
    }
}

/* Lists the held leases and the outcomes not yet delivered. The server takes back every lease that is not listed.
 * Recordings are not listed: their leases are not renewed. */
int jobs_heartbeat(const struct agent *a, struct heartbeat_request *out, struct err *e)
{
    size_t most = a->held_count + spool_count(a->spool), n = 0;

    *out = (struct heartbeat_request){.count = 0};
    memcpy(out->session, a->session.session, sizeof out->session);
    if (most > WIRE_LEASES_MAX)
        most = WIRE_LEASES_MAX;
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
    ASSERT(n <= most);
    out->count = n;
    return 0;
}
