#include "server/domain/queue/claims.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/assert.h"
#include "base/clock.h"
#include "base/strbuf.h"
#include "server/store/repo/repo_task.h"

#define REFRESH_US       1000000 /* runs are read again after this time */
#define BEAT_EACH_US     1000000 /* a claim also counts as a heartbeat, but at most one a second is stored */
#define CURSOR_RESET_US  5000000 /* jobs that returned to "ready" may have a seq below the cursor */
#define LEASES_MAX       1024    /* of one claim; more would delay other claims */
#define SHORT_JOB_S      2.0
#define INTERACTIVE_JOBS 32 /* a run with at most this number of jobs has priority once */

/* The present load of a team's simulations, relative to its share of the workers. */
struct team_state {
    int64_t id;
    double share, running_s;
};
struct run_state {
    struct claimable_run run;
    size_t team;    /* index in teams */
    int64_t cursor; /* no job up to this seq was ready */
    bool empty;     /* no ready job was found; valid until the next refresh */
    bool jumped;
    bool seen;
};
struct lately { /* a session that was alive a moment ago */
    struct session_row row;
    uint64_t seen_us; /* 0: the entry is free */
};
#define LATELY 64
struct claims {
    struct clock *clock;
    struct claim_limits limits;
    struct run_state *runs;
    size_t count, capacity;
    struct team_state *teams;
    size_t team_count, team_capacity;
    uint64_t refreshed_us, reset_us;
    bool tasks; /* tasks are waiting; valid until the next refresh */
    struct lately lately[LATELY];
    size_t next_lately; /* the next entry to overwrite */
    double job_seconds; /* moving average of job durations; 0: unknown */
};

struct claims *claims_new(struct clock *clock, const struct claim_limits *limits, struct err *e)
{
    struct claims *c = mem_zalloc(1, sizeof *c, e);

    if (c) {
        c->clock = clock;
        c->limits = *limits;
    }
    return c;
}

void claims_free(struct claims *c)
{
    if (!c)
        return;
    free(c->runs);
    free(c->teams);
    free(c);
}

void claims_forget(struct claims *c)
{
    c->refreshed_us = c->reset_us = 0;
}

void claims_learn(struct claims *c, double host_seconds, uint64_t jobs)
{
    double mean = jobs ? host_seconds / (double)jobs : 0;

    ASSERT(host_seconds >= 0);
    if (jobs)
        c->job_seconds = c->job_seconds > 0 ? 0.8 * c->job_seconds + 0.2 * mean : mean;
}

/* --- Runs --- */

static int take_run(struct claims *c, const struct claimable_run *run, struct err *e)
{
    for (size_t i = 0; i < c->count; i++) {
        if (strcmp(c->runs[i].run.id, run->id) == 0) {
            c->runs[i].run = *run;
            c->runs[i].seen = true;
            c->runs[i].empty = false;
            return 0;
        }
    }
    if (array_reserve((void **)&c->runs, &c->capacity, c->count + 1, sizeof *c->runs, e) < 0)
        return -1;
    c->runs[c->count++] = (struct run_state){.run = *run, .cursor = -1, .seen = true};
    return 0;
}

/* --- Teams --- */

/* Expected seconds of a leased job. Before any job has ended, all jobs count the same. */
static double expected_s(const struct claims *c)
{
    return c->job_seconds > 0 ? c->job_seconds : 1;
}

static struct team_state *team_of(struct claims *c, int64_t id)
{
    for (size_t i = 0; i < c->team_count; i++) {
        if (c->teams[i].id == id)
            return &c->teams[i];
    }
    return NULL;
}

static int take_teams(struct claims *c, struct err *e)
{
    c->team_count = 0;
    for (size_t i = 0; i < c->count; i++) {
        struct run_state *r = &c->runs[i];
        struct team_state *t = team_of(c, r->run.team);

        if (!t) {
            if (array_reserve((void **)&c->teams, &c->team_capacity, c->team_count + 1, sizeof *c->teams, e) < 0)
                return -1;
            t = &c->teams[c->team_count++];
            *t = (struct team_state){.id = r->run.team, .share = r->run.share};
        }
        r->team = (size_t)(t - c->teams);
    }
    ASSERT(c->team_count <= c->count);
    return 0;
}

/* Seconds that running jobs have used and will use. A team with few long jobs then has the same load as a team
 * with many short ones. */
static int take_loads(struct claims *c, struct db *db, struct err *e)
{
    struct db_rows q;

    if (repo_claim_loads(db, clock_now(c->clock), &q, e) < 0)
        return -1;
    for (int i = 0; i < q.count; i++) {
        struct team_state *t = team_of(c, db_get_i64(&q, i, 0));
        double seconds = db_get_double(&q, i, 2);

        if (t)
            t->running_s += (double)db_get_i64(&q, i, 1) * expected_s(c) + (seconds > 0 ? seconds : 0);
    }
    db_rows_release(&q);
    return 0;
}

static double burden(const struct claims *c, const struct run_state *r)
{
    ASSERT(r->team < c->team_count);
    return c->teams[r->team].running_s / c->teams[r->team].share;
}

static void keep_seen(struct claims *c)
{
    size_t kept = 0;

    for (size_t i = 0; i < c->count; i++) {
        if (c->runs[i].seen)
            c->runs[kept++] = c->runs[i];
    }
    c->count = kept;
}

static int refresh(struct claims *c, struct db *db, struct err *e)
{
    struct claimable_runs found;
    uint64_t now = clock_monotonic_us();
    int ret = 0, tasks;

    if (c->refreshed_us && now - c->refreshed_us < REFRESH_US)
        return 0;
    tasks = repo_task_waiting(db, e);
    if (tasks < 0 || repo_claim_runs(db, clock_now(c->clock), &found, e) < 0)
        return -1;
    c->tasks = tasks > 0;
    for (size_t i = 0; i < c->count; i++)
        c->runs[i].seen = false;
    for (size_t i = 0; ret == 0 && i < found.count; i++)
        ret = take_run(c, &found.items[i], e);
    ASSERT(ret < 0 || c->count >= found.count);
    claimable_runs_release(&found);
    keep_seen(c);
    if (ret < 0 || take_teams(c, e) < 0 || take_loads(c, db, e) < 0)
        return -1;
    if (!c->reset_us || now - c->reset_us >= CURSOR_RESET_US) {
        for (size_t i = 0; i < c->count; i++)
            c->runs[i].cursor = -1;
        c->reset_us = now;
    }
    c->refreshed_us = now;
    return 0;
}

static bool may_serve(const struct run_state *r, const struct session_row *s)
{
    ASSERT(r->run.engine < ENGINE_COUNT);
    if (r->empty || !s->engines[r->run.engine])
        return false;
    /* Results of different versions never mix in a run. */
    return r->run.engine == ENGINE_REPLAY || strcmp(r->run.simulator, s->simulator) == 0;
}

/* Small new runs first, once for each run. Then the team with the smallest load for its share, then the higher
 * priority, then the older run. */
static bool goes_before(const struct claims *c, const struct run_state *a, const struct run_state *b)
{
    bool a_jumps = a->run.jobs <= INTERACTIVE_JOBS && !a->jumped,
         b_jumps = b->run.jobs <= INTERACTIVE_JOBS && !b->jumped;

    ASSERT(a != b);
    if (a_jumps != b_jumps)
        return a_jumps;
    if (a->team != b->team && burden(c, a) != burden(c, b))
        return burden(c, a) < burden(c, b);
    if (a->run.priority != b->run.priority)
        return a->run.priority > b->run.priority;
    return strcmp(a->run.id, b->run.id) < 0; /* ids are ordered by time */
}

static struct run_state *choose(struct claims *c, const struct session_row *s)
{
    struct run_state *best = NULL;

    for (size_t i = 0; i < c->count; i++) {
        if (may_serve(&c->runs[i], s) && (!best || goes_before(c, &c->runs[i], best)))
            best = &c->runs[i];
    }
    ASSERT(!best || !best->empty);
    return best;
}

/* --- A batch --- */

struct batch {
    struct claims *claims;
    struct claim_ask *asks;
    size_t count;
    bool begun, more;
};

static uint32_t pack_of(const struct claims *c, const struct run_state *r, uint32_t most)
{
    double n;

    ASSERT(most > 0);
    if (r->run.engine == ENGINE_REPLAY)
        return most;
    if (c->job_seconds <= 0 || c->job_seconds >= SHORT_JOB_S)
        return 1;
    n = SHORT_JOB_S / c->job_seconds;
    ASSERT(n >= 1); /* the caller divides by it */
    return n > most ? most : (uint32_t)n;
}

static int take(struct batch *b, struct db *db, struct claim_ask *ask, struct run_state *r, size_t want,
                size_t *got, struct err *e)
{
    size_t before = ask->leases.count;
    struct claims *c = b->claims;

    ASSERT(want > 0);
    if (repo_claim_take(db, &r->run, ask->session, &c->limits, clock_now(c->clock), want, &r->cursor, &ask->leases,
                        e) < 0)
        return -1;
    ASSERT(ask->leases.count >= before && ask->leases.count - before <= want);
    *got = ask->leases.count - before;
    c->teams[r->team].running_s += (double)*got * expected_s(c);
    r->empty = *got < want;
    r->jumped = true;
    return 0;
}

/* Tasks have priority over jobs: a person waits for a recording, or an ended run for its checks. At most one
 * task for each claim. */
static int serve_task(struct batch *b, struct db *db, struct claim_ask *ask, const struct session_row *s,
                      struct err *e)
{
    struct claims *c = b->claims;

    if (!s->engines[ENGINE_CYCLE] || !c->tasks)
        return 0;
    return repo_task_take(db, s, &c->limits, clock_now(c->clock), &ask->leases, e);
}

static int serve(struct batch *b, struct db *db, struct claim_ask *ask, const struct session_row *s, struct err *e)
{
    size_t slots = ask->slots < s->slots ? ask->slots : s->slots, left = LEASES_MAX;

    if (slots > 0 && serve_task(b, db, ask, s, e) < 0)
        return -1;
    ASSERT(ask->leases.count <= slots);
    slots -= ask->leases.count;

    while (slots > 0 && left > 0) {
        struct run_state *r = choose(b->claims, s);
        size_t want, got, used;
        uint32_t pack;

        if (!r)
            return 0;
        pack = pack_of(b->claims, r, ask->pack ? ask->pack : WIRE_PACK_MAX);
        want = slots * pack < left ? slots * pack : left;
        if (take(b, db, ask, r, want, &got, e) < 0)
            return -1;
        used = (got + pack - 1) / pack;
        slots -= used < slots ? used : slots;
        left -= got;
    }
    return 0;
}

static bool is_session_of(const struct session_row *s, const struct claim_ask *ask)
{
    return strcmp(s->id, ask->session) == 0 && s->token == ask->token;
}

static const struct session_row *session_of(const struct session_rows *rows, const struct claim_ask *ask)
{
    for (size_t i = 0; i < rows->count; i++) {
        if (is_session_of(&rows->items[i], ask))
            return &rows->items[i];
    }
    return NULL;
}

static int beat(struct batch *b, struct db *db, struct session_rows *out, struct err *e)
{
    struct session_names names;
    int ret;

    session_names_begin(&names);
    for (size_t i = 0; i < b->count; i++)
        session_names_add(&names, b->asks[i].session, b->asks[i].token);
    ret = repo_session_beat(db, &names, clock_now(b->claims->clock), out, e);
    session_names_release(&names);
    return ret;
}

/* --- Sessions that were alive a moment ago --- */

static struct lately *seen_lately(struct claims *c, const struct claim_ask *ask)
{
    uint64_t now = clock_monotonic_us();

    for (size_t i = 0; i < LATELY; i++) {
        struct lately *l = &c->lately[i];

        if (l->seen_us && now - l->seen_us < BEAT_EACH_US && is_session_of(&l->row, ask))
            return l;
    }
    return NULL;
}

static void remember_seen(struct claims *c, const struct session_rows *alive)
{
    for (size_t i = 0; i < alive->count; i++) {
        ASSERT(c->next_lately < LATELY);
        c->lately[c->next_lately] = (struct lately){alive->items[i], clock_monotonic_us()};
        c->next_lately = (c->next_lately + 1) % LATELY;
    }
}

/* Serves one claim of a session that was alive a moment ago, from runs that are known. Each statement commits
 * separately, and leases nothing if the session has died. True: the claim got a lease. */
static bool serve_at_once(struct claims *c, struct db *db, struct claim_ask *ask, bool *more)
{
    struct batch b = {.claims = c, .asks = ask, .count = 1};
    const struct lately *l = seen_lately(c, ask);
    struct err e;

    ASSERT(ask->leases.count == 0);
    if (!l || c->tasks || !c->refreshed_us || clock_monotonic_us() - c->refreshed_us >= REFRESH_US)
        return false;
    if (serve(&b, db, ask, &l->row, &e) < 0)
        claims_forget(c); /* earlier statements have committed, so their leases are valid */
    ask->alive = ask->leases.count > 0;
    *more = ask->alive;
    return ask->alive;
}

/* --- The whole batch --- */

static void clear(struct batch *b)
{
    for (size_t i = 0; i < b->count; i++) {
        lease_list_release(&b->asks[i].leases);
        b->asks[i].alive = false;
    }
    b->more = false;
}

static int body(struct db *db, void *ctx, struct err *e)
{
    struct batch *b = ctx;
    struct session_rows sessions = {0};
    int ret = 0;

    if (b->begun)
        claims_forget(b->claims); /* retried: the first try may have moved positions past jobs it did not lease */
    b->begun = true;
    clear(b);
    if (refresh(b->claims, db, e) < 0 || beat(b, db, &sessions, e) < 0)
        return -1;
    for (size_t i = 0; ret == 0 && i < b->count; i++) {
        const struct session_row *s = session_of(&sessions, &b->asks[i]);

        b->asks[i].alive = s != NULL;
        if (s)
            ret = serve(b, db, &b->asks[i], s, e);
    }
    b->more = b->claims->tasks;
    for (size_t i = 0; i < b->claims->count; i++)
        b->more = b->more || !b->claims->runs[i].empty;
    if (ret == 0)
        remember_seen(b->claims, &sessions);
    session_rows_release(&sessions);
    return ret;
}

int claims_run(struct claims *c, struct db *db, struct claim_ask *asks, size_t count, bool *more, struct err *e)
{
    struct batch b = {.claims = c, .asks = asks, .count = count};
    int ret;

    ASSERT(count > 0);
    if (count == 1 && serve_at_once(c, db, asks, more))
        return 0;
    ret = db_transaction(db, body, &b, e);
    if (ret < 0) {
        clear(&b);
        claims_forget(c); /* cursors may be ahead of the leased jobs */
    }
    *more = b.more;
    return ret;
}
