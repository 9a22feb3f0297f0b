#include "worker/agent.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "base/array.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/version.h"
#include "worker/agent_internal.h"
#include "worker/last_session.h"
#include "worker/settings.h"

enum {
    TICK_MS = 1000,
    POLL_S = 20,
    RELEASE_S = 5,
    FAREWELL_S = 2,
    WAITING_LONG_S = 60,
    DISK_CHECK_S = 5,
    DAY_S = 86400
};
#define SECOND          UINT64_C(1000000)
#define GIB             (UINT64_C(1) << 30)
#define CACHE_DEFAULT   (20 * GIB)
#define DESIGNS_BYTES   (UINT64_C(64) << 20) /* a design has about 20 KB */
#define DISK_LEFT_MAX   (2 * GIB)            /* the disk is low when less than this and less than 5 % is free */
#define BACKOFF_MAX_MS  30000
#define TOKEN_ENDS_SOON (UINT64_C(14) * DAY_S * SECOND)

/* --- Helpers --- */

uint64_t backoff_next(struct backoff *b, unsigned retry_after_s)
{
    uint64_t ms = UINT64_C(500) << (b->failures < 6 ? b->failures : 6), now = clock_monotonic_us();

    ms = ms > BACKOFF_MAX_MS ? BACKOFF_MAX_MS : ms;
    ms = ms / 2 + hash_fnv1a(&now, sizeof now) % (ms / 2 + 1); /* jitter: not all workers retry at once */
    if (retry_after_s * UINT64_C(1000) > ms)
        ms = retry_after_s * UINT64_C(1000);
    b->failures++;
    b->until_us = now + ms * 1000;
    return ms * 1000;
}

static struct http_request *post(struct agent *a, const char *path, json_t *body, unsigned timeout_s,
                                 http_done_fn done)
{
    struct http_call call = {.method = "POST", .path = path, .timeout_s = timeout_s, .done = done, .ctx = a};
    struct strbuf text = STRBUF_INIT;
    struct http_request *r = NULL;
    struct err ignored; /* the only error is no memory: the next tick tries again */

    if (body)
        json_write_text(body, false, &text);
    json_decref(body);
    if (body && !text.failed) {
        call.body = text.text;
        call.body_length = text.length;
        r = http_start(a->http, &call, &ignored);
    }
    strbuf_release(&text);
    return r;
}

static json_t *read_answer(const struct http_answer *answer, struct err *e)
{
    return json_read_text(answer->body, answer->length, "the answer", e);
}

static void set_phase(struct agent *a, enum agent_phase phase, uint64_t ends_in_s)
{
    a->phase = phase;
    a->phase_ends_us = clock_monotonic_us() + ends_in_s * SECOND;
}

/* Warns once a day from 14 days before the token expires: after that the worker stops. */
static void warn_of_end(struct agent *a, uint64_t now)
{
    uint64_t left = a->token_ends_us > now ? a->token_ends_us - now : 0;

    if (!a->has_session || a->token_ends_us == 0 || left > TOKEN_ENDS_SOON ||
        (a->ending_reported_us && now - a->ending_reported_us < DAY_S * SECOND))
        return;
    a->ending_reported_us = now;
    log_warn("worker", "the token expires soon: put another token into the token file and start the worker again",
             "server=%s days=%.1f", a->o->server, (double)left / (double)(DAY_S * SECOND));
}

/* Counts how long the server has refused the token. After dead_after_s the session has expired and its leases are
 * lost. The worker then ends when the running jobs have ended; results stay in the spool. */
static void watch_token(struct agent *a, const struct http_answer *answer)
{
    uint64_t now = clock_monotonic_us();

    if (answer->status >= 200 && answer->status < 300)
        a->refused_since_us = 0;
    if (answer->status != 401 || !a->ever_opened || a->phase == PHASE_OVER)
        return;
    if (a->refused_since_us == 0)
        a->refused_since_us = now;
    if (now - a->refused_since_us < a->session.dead_after_s * SECOND)
        return;
    err_set(&a->fatal, ERR_UNAUTHORIZED, "%s refuses this worker's token: it was revoked or has expired",
            a->o->server);
    err_hint(&a->fatal,
             "put another token into the token file and start the worker again; the results in %s/spool belong to "
             "the old token and are simulated again",
             a->o->state);
    log_error("worker", "the token is refused; ending when the running jobs have ended", "server=%s spooled=%zu",
              a->o->server, spool_count(a->spool));
    set_phase(a, PHASE_OVER, 0);
}

/* Logs one line when the server stops answering and one when it answers again. */
static void tell_server(struct agent *a, bool away, const struct http_answer *answer)
{
    char why[300], quoted[600];

    watch_token(a, answer);
    if (away && !a->server_away_reported) {
        http_problem(answer, why, sizeof why);
        log_warn("worker", "the server does not answer correctly; trying again", "server=%s why=%s", a->o->server,
                 log_quote(why, quoted, sizeof quoted));
    } else if (!away && a->server_away_reported) {
        log_info("worker", "the server answers again", "server=%s", a->o->server);
    }
    a->server_away_reported = away;
}

/* --- Session --- */

void agent_session_lost(struct agent *a)
{
    if (!a->has_session)
        return;
    log_warn("worker", "the server has ended this session; opening a new one", "session=%s", a->session.session);
    a->has_session = false;
    uv_timer_stop(&a->beat);
    http_cancel(a->beating);
    a->beating = NULL;
    http_cancel(a->claiming);
    a->claiming = NULL;
}

static void on_beat_answer(void *ctx, const struct http_answer *answer)
{
    struct agent *a = ctx;
    struct heartbeat_answer beat;
    struct err e;
    json_t *v;

    a->beating = NULL;
    if (answer->status == 404 || answer->status == 410) {
        agent_session_lost(a);
        agent_pump(a);
        return;
    }
    tell_server(a, answer->status != 200, answer);
    if (answer->status != 200)
        return;
    v = read_answer(answer, &e);
    if (v && heartbeat_answer_from_json(v, &beat, &e) == 0) {
        for (size_t i = 0; i < beat.count; i++)
            jobs_abort(a, &beat.abort[i]);
        if (beat.heartbeat_s != a->session.heartbeat_s) {
            a->session.heartbeat_s = beat.heartbeat_s;
            uv_timer_set_repeat(&a->beat, UINT64_C(1000) * beat.heartbeat_s);
        }
        heartbeat_answer_release(&beat);
    }
    json_decref(v);
    agent_pump(a);
}

static void on_beat(uv_timer_t *t)
{
    struct agent *a = t->data;
    struct heartbeat_request r;
    struct err ignored;

    if (!a->has_session || a->beating || jobs_heartbeat(a, &r, &ignored) < 0)
        return;
    a->beating = post(a, "/api/v1/worker/heartbeat", heartbeat_request_to_json(&r), a->session.heartbeat_s + 5,
                      on_beat_answer);
    heartbeat_request_release(&r);
}

/* Logs the spooled results that this session does not report: results of other farms, which a worker of that farm
 * reports, and results that a server refused. */
static void choose_farm(struct agent *a)
{
    char quoted[600];
    struct err e;

    if (spool_choose_farm(a->spool, a->session.farm, &e) < 0)
        log_warn("worker", "results of other farms cannot be distinguished from results of this farm", "why=%s",
                 log_quote(e.text, quoted, sizeof quoted));
    if (spool_others(a->spool) > 0)
        log_warn("worker",
                 "the spool folder has results of another farm: start a worker of that farm with this state folder",
                 "results=%zu folder=%s/spool", spool_others(a->spool), a->o->state);
    if (spool_refused(a->spool) > 0)
        log_warn("worker", "the spool folder has results that a server refused, as *.refused",
                 "results=%zu folder=%s/spool", spool_refused(a->spool), a->o->state);
}

static void take_session(struct agent *a, const struct http_answer *answer)
{
    char quoted[600];
    struct err e;
    json_t *v = read_answer(answer, &e);

    if (v && session_answer_from_json(v, &a->session, &e) == 0) {
        a->has_session = a->ever_opened = true;
        a->token_ends_us =
            a->session.token_ends ? clock_monotonic_us() + (a->session.token_left_s + 1) * SECOND : 0;
        choose_farm(a);
        last_session_keep(a->o->state, a->session.session);
        a->open_again = (struct backoff){.failures = 0};
        uv_timer_start(&a->beat, on_beat, UINT64_C(1000) * a->session.heartbeat_s,
                       UINT64_C(1000) * a->session.heartbeat_s);
        log_info("worker", "ready for jobs", "server=%s session=%s slots=%u spooled=%zu cached_bytes=%llu",
                 a->o->server, a->session.session, a->o->slots, spool_count(a->spool),
                 (unsigned long long)cache_bytes(a->traces));
    } else {
        log_warn("worker", "the reply to a new session is not valid", "why=%s",
                 log_quote(e.text, quoted, sizeof quoted));
        backoff_next(&a->open_again, 0);
    }
    json_decref(v);
}

static void on_session(void *ctx, const struct http_answer *answer)
{
    struct agent *a = ctx;
    char why[300];

    a->opening = NULL;
    tell_server(a, answer->status != 201, answer);
    if (answer->status == 201) {
        take_session(a, answer);
    } else if ((answer->status == 401 || answer->status == 403) && !a->ever_opened) {
        err_set(&a->fatal, answer->status == 401 ? ERR_UNAUTHORIZED : ERR_FORBIDDEN, "%s: %s", a->o->server,
                http_problem(answer, why, sizeof why));
        err_hint(&a->fatal, "--token-file must name a token with the scope `worker`");
        set_phase(a, PHASE_OVER, 0);
    } else {
        backoff_next(&a->open_again, answer->retry_after_s);
    }
    agent_pump(a);
}

static void open_session(struct agent *a)
{
    struct session_request r = {.slots = a->o->slots, .engines = {[ENGINE_REPLAY] = true}};

    snprintf(r.sandbox, sizeof r.sandbox, "%s", a->o->sandbox ? a->o->sandbox : "none");
    snprintf(r.name, sizeof r.name, "%s", a->o->name);
    if (gethostname(r.host, sizeof r.host - 1) != 0)
        snprintf(r.host, sizeof r.host, "unknown");
    snprintf(r.version, sizeof r.version, "%s", VIVACE_VERSION);
    snprintf(r.simulator, sizeof r.simulator, "%s", a->o->simulator ? a->o->simulator : "none");
    r.engines[ENGINE_CYCLE] = a->o->vivace_sim != NULL;
    if (!a->ever_opened)
        last_session_read(a->o->state, r.replaces);
    a->opening = post(a, "/api/v1/worker/sessions", session_request_to_json(&r), 30, on_session);
    if (!a->opening)
        backoff_next(&a->open_again, 0);
}

/* --- Claims --- */

static void take_leases(struct agent *a, const struct http_answer *answer)
{
    struct lease_list list;
    char quoted[600];
    struct err e;
    json_t *v = read_answer(answer, &e);

    if (v && lease_list_from_json(v, &list, &e) == 0) {
        for (size_t i = 0; i < list.count; i++)
            jobs_take(a, &list.items[i]);
        lease_list_release(&list);
        a->claim_again = (struct backoff){.failures = 0};
    } else {
        log_warn("worker", "the reply to a claim is not valid", "why=%s", log_quote(e.text, quoted, sizeof quoted));
        backoff_next(&a->claim_again, 0);
    }
    json_decref(v);
}

static void on_claimed(void *ctx, const struct http_answer *answer)
{
    struct agent *a = ctx;

    a->claiming = NULL;
    if (answer->status == 404 || answer->status == 410) {
        agent_session_lost(a);
    } else if (answer->status == 200) {
        tell_server(a, false, answer);
        take_leases(a, answer);
    } else {
        tell_server(a, true, answer);
        backoff_next(&a->claim_again, answer->retry_after_s);
    }
    agent_pump(a);
}

/* Number of slots to claim for: the free slots without a waiting job. Where jobs are short and none waits, all
 * slots, since busy ones are free soon. */
static uint32_t wanted_slots(const struct agent *a)
{
    uint32_t free_slots = a->busy < a->o->slots ? a->o->slots - a->busy : 0;

    if (a->mean_job_s > 0 && a->mean_job_s < 0.5 && a->waiting_count == 0)
        return a->o->slots;
    return a->waiting_count >= free_slots ? 0 : free_slots - (uint32_t)a->waiting_count;
}

static void claim(struct agent *a)
{
    struct claim_request r = {.slots = wanted_slots(a), .wait_s = POLL_S, .pack = a->o->pack};

    if (r.slots == 0 || a->disk_low || clock_monotonic_us() < a->claim_again.until_us)
        return;
    if (a->o->exit_when_idle_s && a->o->exit_when_idle_s < POLL_S)
        r.wait_s = (uint32_t)a->o->exit_when_idle_s;
    memcpy(r.session, a->session.session, sizeof r.session);
    a->claiming = post(a, "/api/v1/worker/claim", claim_request_to_json(&r), POLL_S + 15, on_claimed);
    if (!a->claiming)
        backoff_next(&a->claim_again, 0);
}

/* --- Disk, heartbeat and timers --- */

static void watch_disk(struct agent *a, uint64_t now)
{
    struct statvfs fs;
    uint64_t left, all;
    bool low;

    if (now - a->disk_checked_us < DISK_CHECK_S * SECOND || statvfs(a->o->state, &fs) != 0)
        return;
    a->disk_checked_us = now;
    left = (uint64_t)fs.f_bavail * fs.f_frsize;
    all = (uint64_t)fs.f_blocks * fs.f_frsize;
    low = left < DISK_LEFT_MAX && left < all / 20;
    if (low && cache_count(a->traces) > 0)
        cache_evict(a->traces, cache_bytes(a->traces) / 2);
    if (low && !a->disk_low)
        log_warn("worker", "the disk is nearly full: the cache shrinks and no jobs are claimed",
                 "state=%s left_bytes=%llu", a->o->state, (unsigned long long)left);
    a->disk_low = low;
}

/* Closes all handles, so that the loop ends. Call it from the timer only: the callback of a request must not close
 * the HTTP client that calls it. */
static void end_everything(struct agent *a)
{
    uv_close((uv_handle_t *)&a->tick, NULL);
    uv_close((uv_handle_t *)&a->beat, NULL);
    fetcher_close(a->trace_fetcher);
    fetcher_close(a->design_fetcher);
    a->trace_fetcher = a->design_fetcher = NULL;
    http_close(a->http);
    a->http = NULL;
}

static void on_tick(uv_timer_t *t);

static void maybe_over(struct agent *a, uint64_t now)
{
    bool quiet = a->held_count == 0 && a->busy == 0 && (!a->recordings || now >= a->phase_ends_us);

    if (a->phase == PHASE_DRAINING && quiet && !a->claiming && spool_count(a->spool) == 0)
        set_phase(a, PHASE_OVER, 0);
    if (a->phase == PHASE_DRAINING && now >= a->phase_ends_us)
        agent_drain(a, true);
    if (a->phase == PHASE_RELEASING && quiet && (spool_count(a->spool) == 0 || now >= a->phase_ends_us)) {
        if (spool_count(a->spool) > 0) {
            err_set(&a->fatal, ERR_NETWORK, "%zu outcomes could not be reported before the worker ended",
                    spool_count(a->spool));
            err_hint(&a->fatal,
                     "the results are in %s/spool; the next worker with this state folder reports them first",
                     a->o->state);
        }
        set_phase(a, PHASE_OVER, 0);
    }
    if (a->phase == PHASE_OVER && a->busy == 0)
        uv_timer_start(&a->tick, on_tick, 0, TICK_MS);
}

static void watch_idle(struct agent *a, uint64_t now)
{
    if (a->held_count > 0 || spool_count(a->spool) > 0 || a->recordings || a->busy > 0 || !a->has_session)
        a->idle_since_us = now;
    if (a->phase == PHASE_WORKING && a->o->exit_when_idle_s && !a->claiming &&
        now - a->idle_since_us >= a->o->exit_when_idle_s * SECOND) {
        log_info("worker", "no work for the time of exit-when-idle; ending", "jobs_ok=%llu jobs_failed=%llu",
                 (unsigned long long)a->jobs_ok, (unsigned long long)a->jobs_failed);
        set_phase(a, PHASE_DRAINING, 0);
    }
}

void agent_pump(struct agent *a)
{
    uint64_t now = clock_monotonic_us();

    if (a->phase != PHASE_OVER) {
        if (!a->has_session && !a->opening && now >= a->open_again.until_us)
            open_session(a);
        jobs_dispatch(a);
        report_pump(a);
        recordings_pump(a);
        watch_idle(a, now);
        if (a->has_session && !a->claiming && a->phase == PHASE_WORKING)
            claim(a);
    }
    maybe_over(a, now);
}

static void on_farewell(void *ctx, const struct http_answer *answer)
{
    struct agent *a = ctx;

    (void)answer; /* if it is lost, the session expires after a minute */
    a->beating = NULL;
    uv_timer_start(&a->tick, on_tick, 0, TICK_MS);
}

/* Ends the session at the server once all leases are returned. Without it the session counts as alive for another
 * minute. Returns true while the request is in flight. */
static bool say_farewell(struct agent *a)
{
    struct heartbeat_request r = {.ending = true};

    if (!a->farewell && a->has_session && !a->fatal.code && spool_count(a->spool) == 0) {
        a->farewell = true;
        uv_timer_stop(&a->beat);
        http_cancel(a->beating);
        memcpy(r.session, a->session.session, sizeof r.session);
        a->beating = post(a, "/api/v1/worker/heartbeat", heartbeat_request_to_json(&r), FAREWELL_S, on_farewell);
    }
    return a->farewell && a->beating;
}

static void on_tick(uv_timer_t *t)
{
    struct agent *a = t->data;

    if (a->phase == PHASE_OVER && a->busy == 0) {
        if (!say_farewell(a))
            end_everything(a);
        return;
    }
    watch_disk(a, clock_monotonic_us());
    warn_of_end(a, clock_monotonic_us());
    if (a->mean_job_s > 5) /* other workers may have a free slot for the waiting jobs */
        jobs_release_waiting(a, WAITING_LONG_S * SECOND);
    agent_pump(a);
}

void agent_drain(struct agent *a, bool hard)
{
    if (!hard && a->phase == PHASE_WORKING) {
        log_info("worker", "draining: no new jobs; running jobs may finish", "running=%u seconds=%llu", a->busy,
                 (unsigned long long)a->o->drain_for_s);
        set_phase(a, PHASE_DRAINING, a->o->drain_for_s);
        jobs_release_waiting(a, 0);
    } else if (a->phase == PHASE_WORKING || a->phase == PHASE_DRAINING) {
        log_info("worker", "returning unfinished jobs", "running=%u", a->busy);
        set_phase(a, PHASE_RELEASING, RELEASE_S);
        http_cancel(a->claiming);
        a->claiming = NULL;
        jobs_release_all(a);
        a->report_again.until_us = 0;
    }
    agent_pump(a);
}

/* --- Opening and closing --- */

static int lock_state(struct agent *a, struct err *e)
{
    char path[PATH_MAX];

    if (make_folders(a->o->state, e) < 0)
        return -1;
    snprintf(path, sizeof path, "%s/lock", a->o->state);
    a->lock = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (a->lock < 0)
        return err_set_errno(e, errno, "%s", path);
    if (flock(a->lock, LOCK_EX | LOCK_NB) == 0)
        return 0;
    err_set(e, ERR_BUSY, "another worker uses the state folder %s", a->o->state);
    return err_hint(e,
                    "give each worker on a machine its own --state folder, or start one worker with more --slots");
}

static uint64_t default_cache_bytes(const char *state)
{
    struct statvfs fs;
    uint64_t half = statvfs(state, &fs) == 0 ? (uint64_t)fs.f_bavail * fs.f_frsize / 2 : CACHE_DEFAULT;

    return half < CACHE_DEFAULT ? half : CACHE_DEFAULT;
}

static int open_folders(struct agent *a, struct err *e)
{
    uint64_t most = a->o->cache_bytes ? a->o->cache_bytes : default_cache_bytes(a->o->state);
    char path[PATH_MAX];

    snprintf(path, sizeof path, "%s/attempts", a->o->state);
    if (make_folders(path, e) < 0)
        return -1;
    snprintf(path, sizeof path, "%s/spool", a->o->state);
    if (spool_open(path, &a->spool, e) < 0)
        return -1;
    snprintf(path, sizeof path, "%s/cache", a->o->state);
    if (cache_open(path, "", true, most, &a->traces, e) < 0)
        return -1;
    snprintf(path, sizeof path, "%s/designs", a->o->state);
    return cache_open(path, ".json", false, DESIGNS_BYTES, &a->designs, e);
}

int agent_open(uv_loop_t *loop, const struct agent_options *o, struct agent **out, struct err *e)
{
    struct agent *a = mem_zalloc(1, sizeof *a, e);

    if (!a)
        return -1;
    a->loop = loop;
    a->o = o;
    a->lock = -1;
    a->held_end = &a->held;
    a->idle_since_us = clock_monotonic_us();
    if (lock_state(a, e) < 0 || open_folders(a, e) < 0 ||
        http_open(loop, o->server, o->token, o->ca_file, &a->http, e) < 0 ||
        fetcher_open(loop, a->http, a->traces, "/api/v1/blobs/", &a->trace_fetcher, e) < 0 ||
        fetcher_open(loop, a->http, a->designs, "/api/v1/designs/", &a->design_fetcher, e) < 0) {
        agent_free(a);
        return -1;
    }
    *out = a;
    return 0;
}

void agent_start(struct agent *a)
{
    uv_timer_init(a->loop, &a->tick);
    uv_timer_init(a->loop, &a->beat);
    a->tick.data = a->beat.data = a;
    uv_timer_start(&a->tick, on_tick, 1, TICK_MS);
}

int agent_result(const struct agent *a, struct err *e)
{
    if (!a->fatal.code)
        return 0;
    *e = a->fatal;
    return -1;
}

bool agent_has_results(const struct agent *a)
{
    return spool_count(a->spool) > 0;
}

void agent_free(struct agent *a)
{
    if (!a)
        return;
    if (a->traces && a->designs)
        jobs_forget_all(a);
    recordings_forget_all(a);
    fetcher_close(a->trace_fetcher);
    fetcher_close(a->design_fetcher);
    http_close(a->http);
    cache_close(a->traces);
    cache_close(a->designs);
    if (a->ever_opened && !a->fatal.code && spool_count(a->spool) == 0) /* all leases were returned */
        last_session_forget(a->o->state);
    spool_close(a->spool);
    if (a->lock >= 0)
        close(a->lock);
    free(a);
}
