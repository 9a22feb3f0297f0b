#include "tests/scenario/worker.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "tests/scenario/database.h"
#include "tests/scenario/farm.h"
#include "tests/scenario/network.h"
#include "tests/scenario/people.h"
#include "tests/scenario/world.h"
#include "wire/lease.h"

#define HELD_MAX  96
#define SPOOL_MAX 256
#define TICK_US   (250 * MS)

struct held {
    struct lease lease;
    uint64_t ends_us;
    bool kills; /* its worker dies during it */
    bool sick;  /* its worker crashes many of its jobs */
};
struct kept { /* an outcome that is not acknowledged yet */
    struct attempt_id id;
    char *text; /* JSON */
    char digest[SHA256_HEX];
    bool durable, in_flight;
};
struct worker {
    int number, server;
    char name[24];
    bool alive, ill_fated, sick;
    uint64_t frozen_until_us;
    unsigned life; /* answers to calls of an earlier life are ignored */
    char session[WIRE_ID], last_session[WIRE_ID];
    uint32_t slots;
    bool opening, claiming, beating, reporting;
    uint64_t beat_us, again_us;
    struct held held[HELD_MAX];
    size_t held_count;
    struct kept spool[SPOOL_MAX];
    size_t spool_count;
};

static struct worker workers[WORKERS_MAX];
static int worker_count;

/* Acknowledged outcomes and given leases, kept for the checks. */
struct seen {
    struct attempt_id id;
    char text[SHA256_HEX]; /* digest or session */
};
static struct seen *acknowledged, *leased, *made; /* made: outcomes by file name */
static size_t acknowledged_count, leased_count, made_count;

static void remember(struct seen **list, size_t *count, const struct attempt_id *id, const char *text)
{
    if (*count % 256 == 0) {
        *list = realloc(*list, (*count + 256) * sizeof **list);
        if (!*list)
            abort();
    }
    (*list)[*count].id = *id;
    snprintf((*list)[(*count)++].text, SHA256_HEX, "%s", text);
}

uint64_t cycles_of(const char *trace, const char *design)
{
    return 10000 + (hash_fnv1a(trace, strlen(trace)) ^ hash_fnv1a(design, strlen(design)) * 31) % 90000;
}

/* --- Calls --- */

struct errand {
    struct worker *worker;
    unsigned life;
    uint64_t sent_us;
    void (*done)(struct worker *w, const struct errand *x, const struct answer *a);
    char session[WIRE_ID];
};

static void pump(struct worker *w);

static void on_answer(void *ctx, const struct answer *a)
{
    struct errand *x = ctx;

    if (x->worker->alive && x->life == x->worker->life) {
        x->done(x->worker, x, a);
        pump(x->worker);
    }
    free(x);
}

static void call(struct worker *w, const char *path, json_t *body, uint64_t timeout_us,
                 void (*done)(struct worker *, const struct errand *, const struct answer *))
{
    struct strbuf text = STRBUF_INIT;
    struct errand *x = calloc(1, sizeof *x);
    struct call c = {.server = w->server,
                     .method = "POST",
                     .path = path,
                     .token = fixture.worker,
                     .last_event = -1,
                     .timeout_us = timeout_us,
                     .done = on_answer,
                     .ctx = x};

    if (!x || !body)
        abort();
    *x = (struct errand){.worker = w, .life = w->life, .sent_us = world.now_us, .done = done};
    memcpy(x->session, w->session, sizeof x->session);
    json_write_text(body, false, &text);
    json_decref(body);
    c.body = text.text;
    network_call(&c);
    strbuf_release(&text);
}

static json_t *parse(const struct answer *a)
{
    struct err e;
    json_t *v = json_read_text(a->body, strlen(a->body), "an answer", &e);

    if (!v)
        broken("an answer is no JSON: %.200s", a->body);
    return v;
}

/* The call failed. The next call goes to any server after a delay, as with a load balancer. */
static void in_vain(struct worker *w, const struct answer *a)
{
    w->again_us = world.now_us + 200 * MS + random_below(800 * MS) + (uint64_t)a->retry_after_s * S;
    w->server = (int)random_below((uint64_t)farm_servers());
}

static void session_lost(struct worker *w)
{
    tell("%s: its session is over", w->name);
    w->session[0] = '\0';
}

/* --- Session --- */

static void on_session(struct worker *w, const struct errand *x, const struct answer *a)
{
    struct session_answer s;
    struct err e;
    json_t *v;

    (void)x;
    w->opening = false;
    if (a->status != 201) {
        in_vain(w, a);
        return;
    }
    v = parse(a);
    if (v && session_answer_from_json(v, &s, &e) == 0) {
        memcpy(w->session, s.session, sizeof w->session);
        memcpy(w->last_session, s.session, sizeof w->last_session);
        tell("%s: session %.8s", w->name, w->session + 24);
    }
    json_decref(v);
}

static void open_session(struct worker *w)
{
    struct session_request r = {.host = "model", .version = "1", .slots = w->slots, .sandbox = "none"};

    snprintf(r.name, sizeof r.name, "%s", w->name);
    snprintf(r.simulator, sizeof r.simulator, "%s", fixture.simulator);
    r.engines[ENGINE_CYCLE] = r.engines[ENGINE_REPLAY] = true;
    memcpy(r.replaces, w->last_session, sizeof r.replaces);
    w->opening = true;
    call(w, "/api/v1/worker/sessions", session_request_to_json(&r), 10 * S, on_session);
}

/* --- Leases --- */

static void take_lease(struct worker *w, const struct errand *x, const struct lease *l)
{
    struct attempt_id id = {.attempt = l->attempt};
    struct held *h;

    memcpy(id.job, l->job, sizeof id.job);
    tell("%s: lease %.8s attempt %u", w->name, l->job + 24, l->attempt);
    for (size_t i = 0; i < leased_count; i++)
        if (leased[i].id.attempt == id.attempt && strcmp(leased[i].id.job, id.job) == 0)
            broken("attempt %u of job %s was given to two", id.attempt, id.job);
    remember(&leased, &leased_count, &id, x->session);
    people_check_lease(l->job, x->sent_us);
    if (w->held_count == HELD_MAX)
        return; /* unreachable: slots and packs are small */
    h = &w->held[w->held_count++];
    *h = (struct held){.lease = *l,
                       .ends_us = world.now_us + 20 * MS + random_below(chance(100) ? 8 * S : 700 * MS)};
    h->sick = w->sick;
    h->kills = w->ill_fated && world.faults && hash_fnv1a(l->trace_sha256, 64) % 12 == 0;
}

static void on_claimed(struct worker *w, const struct errand *x, const struct answer *a)
{
    struct lease_list list;
    struct err e;
    json_t *v;

    w->claiming = false;
    if (a->status == 404 || a->status == 410) {
        if (strcmp(w->session, x->session) == 0)
            session_lost(w);
        return;
    }
    if (a->status != 200) {
        in_vain(w, a);
        return;
    }
    v = parse(a);
    if (v && lease_list_from_json(v, &list, &e) == 0) {
        for (size_t i = 0; i < list.count; i++)
            take_lease(w, x, &list.items[i]);
        lease_list_release(&list);
    }
    json_decref(v);
}

static void claim(struct worker *w)
{
    struct claim_request r = {.wait_s = (uint32_t)random_below(4),
                              .pack = chance(300) ? 1 + (uint32_t)random_below(4) : 1};

    if (w->held_count >= w->slots)
        return;
    r.slots = w->slots - (uint32_t)w->held_count;
    memcpy(r.session, w->session, sizeof r.session);
    w->claiming = true;
    call(w, "/api/v1/worker/claim", claim_request_to_json(&r), (r.wait_s + 4) * S, on_claimed);
}

static void drop_held(struct worker *w, size_t i)
{
    w->held[i] = w->held[--w->held_count];
}

/* --- Heartbeats --- */

static void on_beat(struct worker *w, const struct errand *x, const struct answer *a)
{
    struct heartbeat_answer h;
    struct err e;
    json_t *v;

    w->beating = false;
    if (a->status == 404 || a->status == 410) {
        if (strcmp(w->session, x->session) == 0)
            session_lost(w);
        return;
    }
    if (a->status != 200)
        return;
    v = parse(a);
    if (v && heartbeat_answer_from_json(v, &h, &e) == 0) {
        for (size_t i = 0; i < h.count; i++) {
            for (size_t k = 0; k < w->held_count; k++) {
                if (w->held[k].lease.attempt == h.abort[i].attempt &&
                    strcmp(w->held[k].lease.job, h.abort[i].job) == 0) {
                    tell("%s: gives up %.8s", w->name, h.abort[i].job + 24);
                    drop_held(w, k--);
                }
            }
        }
        heartbeat_answer_release(&h);
    }
    json_decref(v);
}

static void beat(struct worker *w)
{
    struct running_attempt running[HELD_MAX + SPOOL_MAX];
    struct heartbeat_request r = {.count = w->held_count + w->spool_count, .running = running};

    memset(running, 0, sizeof running);
    for (size_t i = 0; i < w->held_count; i++) {
        memcpy(running[i].id.job, w->held[i].lease.job, sizeof running[i].id.job);
        running[i].id.attempt = w->held[i].lease.attempt;
    }
    for (size_t i = 0; i < w->spool_count; i++)
        running[w->held_count + i].id = w->spool[i].id;
    memcpy(r.session, w->session, sizeof r.session);
    w->beating = true;
    w->beat_us = world.now_us + HEARTBEAT_S * S;
    call(w, "/api/v1/worker/heartbeat", heartbeat_request_to_json(&r), 3 * S, on_beat);
}

/* --- Outcomes --- */

static enum attempt_outcome fate(const struct held *h)
{
    if (fault(h->sick ? 400 : 20))
        return OUTCOME_CRASH;
    if (fault(8))
        return OUTCOME_MEMORY;
    if (fault(8))
        return OUTCOME_TIMEOUT;
    if (fault(8))
        return OUTCOME_FETCH;
    if (fault(8))
        return OUTCOME_RELEASED;
    return h->lease.engine == ENGINE_CYCLE && fault(3) ? OUTCOME_UNSUPPORTED : OUTCOME_OK;
}

static void make_result(const struct lease *l, struct result *r)
{
    char text[200];
    struct err e;

    if (l->engine == ENGINE_REPLAY) {
        result_replay(l->replay_value, l->replay_unit, r, &e);
        return;
    }
    result_init(r);
    snprintf(r->simulator, sizeof r->simulator, "%s", fixture.simulator);
    memcpy(r->trace_sha256, l->trace_sha256, sizeof r->trace_sha256);
    memcpy(r->design_sha256, l->design_sha256, sizeof r->design_sha256);
    memcpy(r->design, l->design_name, sizeof r->design);
    r->kernel_name = strdup("k");
    r->grid[0] = r->grid[1] = r->grid[2] = r->block[0] = r->block[1] = r->block[2] = 1;
    r->cycles = cycles_of(l->trace_sha256, l->design_sha256);
    r->launch_cycles = 10;
    r->warp_instructions = 100;
    r->clock_hz = 1e9;
    snprintf(text, sizeof text, "%.64s %.64s", l->trace_sha256, l->design_sha256);
    sha256_bytes(text, strlen(text), r->digest, &e);
}

static void end_attempt(struct worker *w, size_t i)
{
    struct held *h = &w->held[i];
    struct kept *k = &w->spool[w->spool_count];
    struct strbuf text = STRBUF_INIT;
    struct job_outcome o;
    json_t *v;

    job_outcome_init(&o);
    o.outcome = fate(h);
    memcpy(o.id.job, h->lease.job, sizeof o.id.job);
    o.id.attempt = h->lease.attempt;
    o.host_seconds = o.cpu_seconds = 0.5;
    o.has_result = o.outcome == OUTCOME_OK;
    if (o.has_result)
        make_result(&h->lease, &o.result);
    o.result.host_seconds = 0.5;
    tell("%s: %.8s attempt %u ends: %s", w->name, o.id.job + 24, o.id.attempt, attempt_outcome_name(o.outcome));
    remember(&made, &made_count, &o.id, attempt_outcome_name(o.outcome));
    v = job_outcome_to_json(&o);
    json_write_text(v, false, &text);
    json_decref(v);
    *k = (struct kept){.id = o.id, .text = strbuf_detach(&text), .durable = h->lease.engine == ENGINE_CYCLE};
    if (o.has_result)
        memcpy(k->digest, o.result.digest, sizeof k->digest);
    w->spool_count++;
    job_outcome_release(&o);
    drop_held(w, i);
}

static void forget_kept(struct worker *w, size_t i)
{
    free(w->spool[i].text);
    w->spool[i] = w->spool[--w->spool_count];
}

static void check_acknowledged(const struct seen *s)
{
    if (ask_number("SELECT count(*) FROM result t JOIN (SELECT key, id FROM job UNION ALL"
                   "  SELECT key, id FROM job_archive) j ON j.key = t.key"
                   " WHERE j.id = $1::uuid AND t.digest = $2",
                   s->id.job, s->text) == 0)
        broken("the acknowledged result of job %s attempt %u is not there", s->id.job, s->id.attempt);
}

static void take_item(struct worker *w, const struct complete_item *item)
{
    for (size_t i = 0; i < w->spool_count; i++) {
        struct kept *k = &w->spool[i];

        if (!k->in_flight || k->id.attempt != item->id.attempt || strcmp(k->id.job, item->id.job) != 0)
            continue;
        tell("%s: %.8s attempt %u %s %s", w->name, item->id.job + 24, item->id.attempt,
             item->accepted ? "acknowledged" : "refused:", item->reason);
        if (item->accepted && k->digest[0]) {
            remember(&acknowledged, &acknowledged_count, &k->id, k->digest);
            check_acknowledged(&acknowledged[acknowledged_count - 1]); /* at once, not only after a repetition */
        }
        if (!fault(50)) /* otherwise it is sent again */
            forget_kept(w, i);
        return;
    }
}

static void on_reported(struct worker *w, const struct errand *x, const struct answer *a)
{
    struct complete_answer items;
    struct err e;
    json_t *v;

    w->reporting = false;
    if (a->status == 200) {
        v = parse(a);
        if (v && complete_answer_from_json(v, &items, &e) == 0) {
            for (size_t i = 0; i < items.count; i++)
                take_item(w, &items.items[i]);
            complete_answer_release(&items);
        }
        json_decref(v);
    } else if (a->status == 404 || a->status == 410) {
        if (strcmp(w->session, x->session) == 0)
            session_lost(w);
    } else {
        if (a->status >= 400 && a->status < 500 && a->status != 429)
            broken("a report is refused with %d: %.200s", a->status, a->body);
        in_vain(w, a);
    }
    for (size_t i = 0; i < w->spool_count; i++)
        w->spool[i].in_flight = false;
}

static void report(struct worker *w)
{
    json_t *body = json_object(), *list = json_array();
    size_t most = 1 + random_below(8);

    json_object_set_new(body, "session", json_string(w->session));
    for (size_t i = 0; i < w->spool_count && i < most; i++) {
        json_array_append_new(list, json_loads(w->spool[i].text, 0, NULL));
        w->spool[i].in_flight = true;
    }
    json_object_set_new(body, "outcomes", list);
    w->reporting = true;
    call(w, "/api/v1/worker/complete", body, 8 * S, on_reported);
}

/* --- Start and death of workers --- */

static void revive(void *ctx)
{
    struct worker *w = ctx;

    if (w->alive)
        return;
    w->alive = true;
    w->life++;
    tell("%s starts", w->name);
}

static void die(struct worker *w)
{
    tell("%s dies with %zu jobs", w->name, w->held_count);
    w->alive = w->opening = w->claiming = w->beating = w->reporting = false;
    w->held_count = 0;
    for (size_t i = 0; i < w->spool_count; i++)
        if (!w->spool[i].durable)
            forget_kept(w, i--);
    for (size_t i = 0; i < w->spool_count; i++)
        w->spool[i].in_flight = false;
    w->session[0] = '\0';
    if (chance(200))
        w->last_session[0] = '\0'; /* a new machine replaces it */
    later(random_below(6 * S), revive, w);
}

static void run_jobs(struct worker *w)
{
    for (size_t i = 0; i < w->held_count; i++) {
        if (w->held[i].ends_us > world.now_us)
            continue;
        if (w->held[i].kills && world.faults) {
            die(w);
            return;
        }
        end_attempt(w, i--);
    }
}

static void pump(struct worker *w)
{
    if (!w->alive || world.now_us < w->frozen_until_us)
        return;
    run_jobs(w);
    if (!w->alive || world.now_us < w->again_us)
        return;
    if (!w->session[0]) {
        if (!w->opening)
            open_session(w);
        return;
    }
    if (w->spool_count > 0 && !w->reporting)
        report(w);
    if (!w->beating && world.now_us >= w->beat_us)
        beat(w);
    if (!w->claiming)
        claim(w);
}

static void tick(void *ctx)
{
    struct worker *w = ctx;

    if (w->alive && fault(4))
        die(w);
    if (w->alive && fault(4)) {
        w->frozen_until_us = world.now_us + S + random_below(12 * S);
        tell("%s freezes", w->name);
    }
    pump(w);
    later(TICK_US - 20 * MS + random_below(40 * MS), tick, w);
}

void workers_begin(int count)
{
    worker_count = count;
    acknowledged_count = leased_count = made_count = 0;
    for (int i = 0; i < count; i++) {
        struct worker *w = &workers[i];

        *w = (struct worker){.number = i, .alive = true, .slots = 1 + (uint32_t)random_below(4)};
        w->server = (int)random_below((uint64_t)farm_servers());
        w->ill_fated = chance(150);
        w->sick = chance(150);
        snprintf(w->name, sizeof w->name, "worker-%d", i);
        later(random_below(TICK_US), tick, w);
    }
}

void workers_calm(void)
{
    for (int i = 0; i < worker_count; i++) {
        revive(&workers[i]);
        workers[i].frozen_until_us = 0;
    }
}

bool workers_idle(void)
{
    for (int i = 0; i < worker_count; i++)
        if (workers[i].held_count + workers[i].spool_count > 0)
            return false;
    return true;
}

void workers_forget(void)
{
    for (int i = 0; i < worker_count; i++)
        while (workers[i].spool_count > 0)
            forget_kept(&workers[i], 0);
    worker_count = 0;
}

/* --- Afterwards --- */

/* The fence: an attempt ends with the outcome of its own session, never with that of an earlier one. */
static void check_fences(void)
{
    PGresult *q = ask("SELECT job_id, number, outcome FROM (SELECT job_id, number, outcome FROM attempt UNION ALL"
                      " SELECT job_id, number, outcome FROM attempt_archive) a"
                      " WHERE outcome NOT IN ('lost', 'overdue', 'lost before retry', 'released') ORDER BY 1, 2");

    for (int i = 0; i < PQntuples(q); i++) {
        uint32_t attempt = (uint32_t)strtoul(PQgetvalue(q, i, 1), NULL, 10);
        size_t k = 0;

        while (k < made_count &&
               !(made[k].id.attempt == attempt && strcmp(made[k].id.job, PQgetvalue(q, i, 0)) == 0 &&
                 strcmp(made[k].text, PQgetvalue(q, i, 2)) == 0))
            k++;
        if (k == made_count)
            broken("attempt %u of job %s ended as %s, which the owner of its lease did not report", attempt,
                   PQgetvalue(q, i, 0), PQgetvalue(q, i, 2));
    }
    PQclear(q);
}

void workers_check(void)
{
    check_fences();
    for (size_t i = 0; i < acknowledged_count; i++) {
        const struct seen *s = &acknowledged[i];

        if (ask_number("SELECT count(*) FROM (SELECT id FROM job UNION ALL SELECT id FROM job_archive) j"
                       " WHERE id = $1::uuid",
                       s->id.job) == 0)
            continue; /* deleted with its workload; people.c checks that */
        check_acknowledged(s);
    }
    for (int i = 0; i < worker_count; i++)
        if (workers[i].spool_count > 0 || workers[i].held_count > 0)
            broken("%s still has %zu outcomes and %zu jobs", workers[i].name, workers[i].spool_count,
                   workers[i].held_count);
}
