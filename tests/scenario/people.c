#include "tests/scenario/people.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "tests/scenario/checks.h"
#include "tests/scenario/database.h"
#include "tests/scenario/farm.h"
#include "tests/scenario/interim.h"
#include "tests/scenario/network.h"
#include "tests/scenario/world.h"
#include "wire/json.h"

#define RUNS_MAX  12 /* and the same number of twins */
#define PLANS_MAX 6

struct plan {
    int team;
    char id[37];
    bool can_analyze; /* its method allows runs with a stopping rule */
};
struct watched { /* a run that a user started */
    int team;
    char id[37], plan[37], designs[60], engine[8];
    uint64_t cancelled_us, paused_us; /* time of the acknowledgement; 0: not acknowledged, or resumed since */
    bool cancelled, steering;         /* requested; a call about it is in progress */
    char rule[120];                   /* members of its request; "": no stopping rule */
    bool is_twin, meddled;            /* a user changed a decision of its rule or asked for more samples */
    int twin;                         /* index of its twin; -1: none yet */
    struct stream_log log;
};

static struct plan plans[PLANS_MAX];
static struct watched runs[2 * RUNS_MAX];
static size_t plan_count, run_count;
static unsigned requests, calls_under_way, keys;
static bool requesting;

/* --- A call until it is answered --- */

struct user_request {
    struct watched *run;
    int team;
    char method[8], path[160], body[300], key[24];
    bool can_analyze;
    void (*done)(struct user_request *w, const struct answer *a);
};

static void send(void *ctx);

static bool want_again(const struct answer *a)
{
    return a->status == 0 || a->status == 503 || a->status == 429 || (a->status == 409 && a->retry_after_s > 0);
}

static void on_answer(void *ctx, const struct answer *a)
{
    struct user_request *w = ctx;

    if (want_again(a)) {
        later(300 * MS + random_below(S), send, w);
        return;
    }
    tell("%s %s -> %d", w->method, w->path, a->status);
    if (a->status >= 500)
        broken("%s %s is answered %d: %.300s", w->method, w->path, a->status, a->body);
    calls_under_way--;
    if (w->done)
        w->done(w, a);
    if (w->run)
        w->run->steering = false;
    free(w);
}

static void send(void *ctx)
{
    struct user_request *w = ctx;
    const struct call c = {.server = (int)random_below((uint64_t)farm_servers()),
                           .method = w->method,
                           .path = w->path,
                           .token = fixture.member[w->team],
                           .body = w->body[0] ? w->body : NULL,
                           .key = w->key[0] ? w->key : NULL,
                           .last_event = -1,
                           .timeout_us = 5 * S,
                           .done = on_answer,
                           .ctx = w};

    network_call(&c);
}

static struct user_request *request_new(int team, struct watched *run,
                                        void (*done)(struct user_request *, const struct answer *))
{
    struct user_request *w = calloc(1, sizeof *w);

    if (!w)
        abort();
    w->team = team;
    w->run = run;
    w->done = done;
    snprintf(w->method, sizeof w->method, "POST");
    return w;
}

static void make(struct user_request *w)
{
    calls_under_way++;
    send(w);
}

static void make_once(struct user_request *w)
{
    snprintf(w->key, sizeof w->key, "key-%u", ++keys);
    make(w);
}

static void read_id(const struct answer *a, char id[37])
{
    struct err e;
    json_t *v = json_read_text(a->body, strlen(a->body), "an answer", &e);

    if (!v || json_need_copy(v, "id", id, 37, &e) < 0)
        broken("an answer has no id: %.200s", a->body);
    json_decref(v);
}

/* --- Plans and runs --- */

static void on_planned(struct user_request *w, const struct answer *a)
{
    struct plan *p = &plans[plan_count];

    if (a->status != 201) {
        broken("a plan is refused: %.200s", a->body);
        return;
    }
    p->team = w->team;
    p->can_analyze = w->can_analyze;
    read_id(a, p->id);
    plan_count++;
}

static void plan(void)
{
    static const char *const methods[] = {"srs", "vivace", "stem"};
    struct user_request *w = request_new((int)random_below(TEAMS), NULL, on_planned);
    size_t method = random_below(3);

    w->can_analyze = method < 2;
    snprintf(w->path, sizeof w->path, "/api/v1/profiles/%s/plans", fixture.profile[w->team]);
    snprintf(w->body, sizeof w->body, "{\"method\":\"%s\",\"error\":0.%02u,\"confidence\":0.95,\"seed\":%u}",
             methods[method], 3 + (unsigned)random_below(20), (unsigned)random_below(1000));
    make_once(w);
}

static void on_run(struct user_request *w, const struct answer *a)
{
    struct watched *r = w->run;

    if (a->status != 201) {
        broken("a run is refused: %.200s", a->body);
        return;
    }
    read_id(a, r->id);
    tell("run %.8s of team %d", r->id + 24, r->team);
    if (chance(400))
        stream_follow(&r->log, r->team, r->id);
}

static void start_run(struct watched *r)
{
    struct user_request *w = request_new(r->team, r, on_run);

    r->steering = true;
    snprintf(w->path, sizeof w->path, "/api/v1/plans/%s/runs", r->plan);
    snprintf(w->body, sizeof w->body, "{\"designs\":[%s],\"engine\":\"%s\",\"priority\":%d%s}", r->designs,
             r->engine, (int)random_below(3) - 1, r->rule);
    make_once(w);
}

static void run_plan(const struct plan *p)
{
    static const char *const designs[] = {"\"v100\"", "\"v100\",\"h100\"", "\"h100\",\"a100\"", "\"rtx2080\""};
    struct watched *r = &runs[run_count++];
    size_t which = random_below(4);

    *r = (struct watched){.team = p->team, .twin = -1};
    memcpy(r->plan, p->id, sizeof r->plan);
    snprintf(r->designs, sizeof r->designs, "%s", designs[which]);
    snprintf(r->engine, sizeof r->engine, "%s", chance(250) ? "replay" : "cycle");
    if (p->can_analyze && chance(600))
        interim_draw_rule(r->rule, sizeof r->rule, which == 1 || which == 2, chance(300));
    start_run(r);
}

/* Starts the twin of a run, after the faults have ended. Its extensions need no approval. */
static void run_twin(struct watched *r)
{
    struct watched *twin = &runs[run_count];
    char *ask = strstr(r->rule, "\"ask\"");

    *twin = (struct watched){.team = r->team, .twin = -1, .is_twin = true};
    memcpy(twin->plan, r->plan, sizeof twin->plan);
    memcpy(twin->designs, r->designs, sizeof twin->designs);
    memcpy(twin->engine, r->engine, sizeof twin->engine);
    snprintf(twin->rule, sizeof twin->rule, "%.*s%s%s", ask ? (int)(ask - r->rule) : (int)strlen(r->rule), r->rule,
             ask ? "\"auto\"" : "", ask ? ask + strlen("\"ask\"") : "");
    r->twin = (int)run_count++;
    tell("run %.8s gets a twin", r->id + 24);
    start_run(twin);
}

/* Creates an upload for a report. Its bytes are never sent. */
static void bring(void)
{
    struct user_request *w = request_new((int)random_below(TEAMS), NULL, NULL);

    snprintf(w->path, sizeof w->path, "/api/v1/uploads");
    snprintf(w->body, sizeof w->body, "{\"name\":\"report.csv\",\"bytes\":%u}", 1 + (unsigned)random_below(100000));
    make_once(w);
}

/* --- Steering --- */

static void on_cancelled(struct user_request *w, const struct answer *a)
{
    if (a->status == 200)
        w->run->cancelled_us = world.now_us;
}

static void on_paused(struct user_request *w, const struct answer *a)
{
    if (a->status == 200)
        w->run->paused_us = world.now_us;
}

static void steer(struct watched *r, const char *what, void (*done)(struct user_request *, const struct answer *))
{
    struct user_request *w = request_new(r->team, r, done);

    r->steering = true;
    snprintf(w->path, sizeof w->path, "/api/v1/runs/%s/%s", r->id, what);
    make_once(w); /* a late copy of the request must not undo a later one */
}

static void resume(struct watched *r)
{
    r->paused_us = 0; /* it may run again from now on */
    steer(r, "resume", NULL);
}

static void on_foreign(struct user_request *w, const struct answer *a)
{
    if (a->status != 404)
        broken("team %d sees %s: %d", w->team, w->path, a->status);
}

static void analysis(struct watched *r, bool foreign)
{
    static const char *const pages[] = {"",        "/projection", "/jobs", "/strata?design=v100",
                                        "/events", "/convergence"};
    struct user_request *w = request_new(foreign ? !r->team : r->team, NULL, foreign ? on_foreign : NULL);

    snprintf(w->method, sizeof w->method, "GET");
    snprintf(w->path, sizeof w->path, "/api/v1/runs/%s%s", r->id, pages[random_below(foreign ? 3 : 6)]);
    make(w);
}

static void retry_failed(struct watched *r)
{
    PGresult *q = ask("SELECT id FROM job WHERE run_id = $1::uuid AND state = 'failed' ORDER BY id LIMIT 1", r->id);

    if (PQntuples(q) > 0) {
        struct user_request *w = request_new(r->team, r, NULL);

        r->steering = true;
        snprintf(w->path, sizeof w->path, "/api/v1/jobs/%s/retry", PQgetvalue(q, 0, 0));
        make_once(w);
    }
    PQclear(q);
}

/* Answers the extension that an interim analysis proposes. */
static void answer_analysis(struct watched *r, int analysis, bool accept)
{
    char what[40];

    r->meddled = r->meddled || !accept;
    snprintf(what, sizeof what, "looks/%d/%s", analysis, accept ? "accept" : "undo");
    steer(r, what, NULL);
}

static void ask_for_more(struct watched *r)
{
    struct user_request *w = request_new(r->team, r, NULL);

    r->steering = r->meddled = true;
    snprintf(w->path, sizeof w->path, "/api/v1/runs/%s/extend", r->id);
    snprintf(w->body, sizeof w->body, "{\"until\":0.00%u}", 1 + (unsigned)random_below(8));
    make_once(w);
}

static void steer_analysis(struct watched *r)
{
    int analysis = interim_waiting(r->id);

    if (analysis)
        answer_analysis(r, analysis, chance(700));
    else if (chance(150))
        ask_for_more(r);
}

static void steer_some(void)
{
    struct watched *r = &runs[random_below(run_count)];

    if (!r->id[0] || r->steering)
        return;
    switch (random_below(10)) {
    case 0:
        if (chance(300)) {
            r->cancelled = true;
            steer(r, "cancel", on_cancelled);
        }
        break;
    case 1:
        if (!r->paused_us)
            steer(r, "pause", on_paused);
        break;
    case 2:
    case 3: resume(r); break;
    case 4: analysis(r, true); break;
    case 5: retry_failed(r); break;
    case 6:
        if (r->rule[0])
            steer_analysis(r);
        break;
    default: analysis(r, false);
    }
}

static void live(void *ctx)
{
    (void)ctx;
    if (!requesting)
        return;
    if (plan_count == 0 || (plan_count < PLANS_MAX && requests < PLANS_MAX && chance(120))) {
        if (requests < PLANS_MAX) {
            requests++;
            plan();
        }
    } else if (chance(60)) {
        bring();
    } else if (run_count < RUNS_MAX && (run_count == 0 || chance(180))) {
        run_plan(&plans[random_below(plan_count)]);
    } else if (run_count > 0) {
        steer_some();
    }
    later(100 * MS + random_below(1200 * MS), live, NULL);
}

void people_begin(void)
{
    plan_count = run_count = 0;
    requests = calls_under_way = keys = 0;
    requesting = true;
    memset(runs, 0, sizeof runs);
    later(random_below(S), live, NULL);
}

void people_calm(void)
{
    requesting = false;
}

/* True: at least one twin was started by this call. */
static bool run_twins(void)
{
    size_t count = run_count;

    for (size_t i = 0; i < count; i++) {
        struct watched *r = &runs[i];

        if (r->rule[0] && r->twin < 0 && !r->is_twin && !r->meddled && interim_have_twin(r->id))
            run_twin(r);
    }
    return run_count > count;
}

/* Resumes every paused run that has no call in progress. */
bool people_done(void)
{
    for (size_t i = 0; i < run_count; i++) {
        struct watched *r = &runs[i];
        PGresult *q;
        bool paused, over;
        int analysis;

        if (r->steering || !r->id[0])
            return false;
        q = ask("SELECT state::text, projected_version >= version FROM run WHERE id = $1::uuid", r->id);
        paused = PQntuples(q) > 0 && strcmp(PQgetvalue(q, 0, 0), "paused") == 0;
        over = PQntuples(q) == 0 ||
               (!paused && strcmp(PQgetvalue(q, 0, 0), "running") != 0 && PQgetvalue(q, 0, 1)[0] == 't');
        PQclear(q);
        analysis = over || !r->rule[0] ? 0 : interim_waiting(r->id);
        if (paused)
            resume(r);
        else if (analysis)
            answer_analysis(r, analysis, true);
        if (!over)
            return false;
    }
    return calls_under_way == 0 && !run_twins();
}

void people_tell_unfinished(void)
{
    tell("%u calls under way", calls_under_way);
    for (size_t i = 0; i < run_count; i++) {
        PGresult *q = ask("SELECT r.state::text, r.version, r.projected_version, (SELECT string_agg(s, ', ') FROM"
                          "   (SELECT state || ': ' || count(*) AS s FROM job WHERE run_id = r.id GROUP BY state"
                          "    ORDER BY state) j) FROM run r WHERE r.id = $1::uuid",
                          runs[i].id);

        if (PQntuples(q) > 0)
            tell("run %.8s is %s, version %s, projected %s, jobs %s%s", runs[i].id + 28, PQgetvalue(q, 0, 0),
                 PQgetvalue(q, 0, 1), PQgetvalue(q, 0, 2), PQgetvalue(q, 0, 3),
                 runs[i].steering ? "; a request for it is in progress" : "");
        PQclear(q);
    }
}

void people_check_lease(const char *job, uint64_t asked_us)
{
    PGresult *q = ask("SELECT run_id FROM job WHERE id = $1::uuid", job);

    for (size_t i = 0; PQntuples(q) > 0 && i < run_count; i++) {
        const struct watched *r = &runs[i];

        if (strcmp(r->id, PQgetvalue(q, 0, 0)) != 0)
            continue;
        if (r->cancelled_us && asked_us > r->cancelled_us)
            broken("job %s of a cancelled run was given out", job);
        if (r->paused_us && asked_us > r->paused_us)
            broken("job %s of a paused run was given out", job);
    }
    PQclear(q);
}

/* --- Afterwards --- */

void people_check(void)
{
    for (size_t i = 0; i < run_count; i++) {
        check_run(runs[i].id, runs[i].cancelled_us != 0, runs[i].cancelled);
        if (runs[i].rule[0])
            check_interim(runs[i].id);
        if (runs[i].twin >= 0)
            check_twins(runs[i].id, runs[runs[i].twin].id);
        if (runs[i].log.run[0])
            stream_check(&runs[i].log);
    }
    check_keys(ask_number("SELECT count(*) FROM run"), run_count);
}

void people_check_projections(void)
{
    for (size_t i = 0; i < run_count; i++)
        check_projection(runs[i].id);
}

void people_forget(void)
{
    for (size_t i = 0; i < run_count; i++)
        stream_forget(&runs[i].log);
    run_count = 0;
}
