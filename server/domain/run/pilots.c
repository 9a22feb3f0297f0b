#include "server/domain/run/pilots.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "sampling/parts/part.h"
#include "sampling/plan/pilot.h"
#include "server/store/repo/repo_design.h"
#include "server/store/repo/repo_event.h"
#include "server/store/repo/repo_pack.h"
#include "server/domain/import/profile_store.h"
#include "server/domain/run/pilots_internal.h"
#include "server/domain/plan/plan_request.h"
#include "server/domain/plan/plan_store.h"
#include "server/domain/run/run_moves.h"
#include "server/domain/tasks/trace_pack.h"

/* --- State changes --- */

int pilot_say(struct db *db, const char *id, const char *state, wall_us now, struct err *e)
{
    char topic[64], data[160];
    const struct event_row row = {.at = now, .topic = topic, .kind = "pilot.state", .params = data};

    snprintf(topic, sizeof topic, "pilot:%s", id);
    snprintf(data, sizeof data, "{\"pilot\":\"%s\",\"state\":\"%s\"}", id, state);
    return repo_event_put(db, &row, e);
}

struct moving {
    const char *id;
    const struct pilot_move *move;
    wall_us now;
    int moved;
};

static int move_body(struct db *db, void *ctx, struct err *e)
{
    struct moving *m = ctx;

    m->moved = repo_pilot_move(db, m->id, m->move, m->now, e);
    if (m->moved <= 0)
        return m->moved;
    return pilot_say(db, m->id, m->move->to, m->now, e);
}

int pilot_moved(struct db *db, const char *id, const struct pilot_move *move, wall_us now, struct err *e)
{
    struct moving m = {id, move, now, 0};

    return db_part(db, move_body, &m, e) < 0 ? -1 : m.moved;
}

int pilot_ran(struct db *db, const char *pilot, const char *run, wall_us now, struct err *e)
{
    const struct pilot_move m = {.from = "starting", .to = "simulating", .run = run};
    int moved = pilot_moved(db, pilot, &m, now, e);

    return moved > 0 ? 0 : moved < 0 ? -1 : err_set(e, ERR_CONFLICT, "the pilot no longer waits for a run");
}

/* --- The start of a pilot --- */

struct beginning {
    struct farm *farm;
    const struct pilot_request *q;
    struct profile profile;
    struct plan_store plan;
    struct design_row design;
    struct strbuf wanted; /* JSON */
    const char *id;
};

/* Checks the plan in advance, so that it is not refused after the simulations. */
static int check_plan(struct beginning *b, struct err *e)
{
    struct plan_request asked = PLAN_REQUEST_DEFAULT;
    const struct method *method;
    struct part_view part;
    const char *why_not;

    if (b->q->plan && plan_request_read(b->q->plan, &asked, e) < 0)
        return -1;
    if (asked.farm_cost)
        return err_set(e, ERR_INVALID,
                       "leave `cost` out: it needs simulations of profiles like this one, and before the pilot "
                       "there are none");
    if (asked.params.estimator == PLAN_RATIO)
        return err_set(e, ERR_INVALID,
                       "a plan with the ratio estimator needs profiled times, and a pilot estimates cycles");
    method = method_find(asked.method, e);
    if (!method || part_view_make(&b->profile, &asked.part, &part, e) < 0)
        return -1;
    part_view_release(&part);
    b->profile.unit = PROFILE_CYCLES; /* the method also uses the counts as features */
    why_not = method_why_not(method, &b->profile);
    b->profile.unit = PROFILE_WARP_INSTRUCTIONS;
    return why_not
               ? err_set(e, ERR_INVALID, "method %s cannot plan on estimated cycles: it %s", method->name, why_not)
               : 0;
}

/* A flag for each launch: whether it has a trace. *out is NULL if all have one. */
static int traced(const struct beginning *b, struct db *db, bool **out, struct err *e)
{
    int whole = repo_pack_whole(db, b->q->profile, e);
    struct db_rows rows;

    *out = NULL;
    if (whole != 0)
        return whole < 0 ? -1 : 0;
    if (repo_pilot_traced(db, b->q->profile, &rows, e) < 0)
        return -1;
    if (rows.count == 0)
        err_set(e, ERR_CONFLICT,
                "a pilot simulates launches, and no launch of the profile has a trace on the farm");
    else
        *out = mem_zalloc(b->profile.count + 1, sizeof **out, e);
    for (int i = 0; *out && i < rows.count; i++)
        if (db_get_u64(&rows, i, 0) < b->profile.count)
            (*out)[db_get_u64(&rows, i, 0)] = true;
    db_rows_release(&rows);
    return *out ? 0 : -1;
}

static int choose(struct beginning *b, struct db *db, struct err *e)
{
    bool *there;
    int ret = traced(b, db, &there, e);

    if (ret == 0)
        ret = pilot_plan(&b->profile, there, &b->plan.plan, e);
    free(there);
    if (ret < 0 && e->code == ERR_CONFLICT)
        err_hint(e, "Send the traces of its launches first: `vivace push TRACES --profile %s`.", b->q->profile);
    return ret < 0 ? -1 : plan_store_prepare(&b->plan, b->farm->clock, e);
}

static int find_design(struct beginning *b, struct db *db, struct err *e)
{
    int found = repo_design_find(db, b->q->design, b->q->team, &b->design, NULL, e);

    if (found != 0)
        return found < 0 ? -1 : 0;
    err_set(e, ERR_NOT_FOUND, "there is no GPU design `%.80s`", b->q->design);
    return err_hint(e, "`vivace design list --farm` lists them; `vivace design add FILE` adds one");
}

static int store(struct db *db, void *ctx, struct err *e)
{
    const struct beginning *b = ctx;
    const struct pilot_new row = {.id = b->id,
                                  .profile = b->q->profile,
                                  .design = b->design.sha256,
                                  .design_name = b->design.name,
                                  .wanted = b->wanted.text,
                                  .pilot_plan = b->plan.id,
                                  .by = b->q->by};
    wall_us now = clock_now(b->farm->clock);

    if (repo_idempotency_made(db, b->q->once, b->id, e) < 0 ||
        plan_store_put(&b->plan, db, b->q->profile, &b->profile, NULL, now, e) < 0)
        return -1;
    return repo_pilot_put(db, &row, now, e);
}

int pilot_begin(struct farm *farm, struct db *db, const struct pilot_request *q, char *id, struct err *e)
{
    struct beginning b = {.farm = farm, .q = q, .plan = PLAN_STORE_INIT, .wanted = STRBUF_INIT, .id = id};
    int ret = -1;

    profile_init(&b.profile);
    plan_init(&b.plan.plan);
    uuid_make(farm->clock, id);
    if (q->plan)
        json_write_text(q->plan, false, &b.wanted);
    else
        strbuf_adds(&b.wanted, "{}");
    if (b.wanted.failed)
        err_no_memory(e);
    else if (find_design(&b, db, e) == 0 && profile_load(db, q->profile, &b.profile, e) == 0 &&
             pilot_check(&b.profile, e) == 0 && check_plan(&b, e) == 0 && choose(&b, db, e) == 0)
        ret = db_transaction(db, store, &b, e);
    strbuf_release(&b.wanted);
    plan_store_release(&b.plan);
    profile_release(&b.profile);
    if (ret == 0)
        trace_pack_kick(farm);
    return ret;
}

/* --- Requests of users --- */

struct cancelling {
    struct moving move;
    const struct pilot_word *word;
};

static int cancel_body(struct db *db, void *ctx, struct err *e)
{
    struct cancelling *c = ctx;

    if (move_body(db, &c->move, e) < 0)
        return -1;
    return c->move.moved && c->word->also ? c->word->also(db, c->word->ctx, e) : 0;
}

int pilot_cancel(struct farm *farm, struct db *db, const char *id, const struct pilot_word *word, struct err *e)
{
    char why[260];
    const struct pilot_move m = {.from = PILOT_OPEN, .to = "cancelled", .problem = why};
    struct cancelling c = {.move = {.id = id, .move = &m, .now = clock_now(farm->clock)}, .word = word};
    struct pilot_row now;
    struct run_move run = {.run = now.run, .by = word->by};

    snprintf(why, sizeof why, "%s cancelled it", word->by);
    if (db_transaction(db, cancel_body, &c, e) < 0 || repo_pilot_find(db, id, -1, &now, NULL, e) < 0)
        return -1;
    if (c.move.moved == 0 && strcmp(now.state, "cancelled") != 0)
        return err_set(e, ERR_CONFLICT, "the pilot is %s, so it cannot be cancelled", now.state);
    return now.run[0] ? run_cancel(farm, db, &run, e) : 0; /* after a crash here, the leader does it */
}

static int retry_body(struct db *db, void *ctx, struct err *e)
{
    const struct moving *m = ctx;
    struct pilot_row row;
    int ret = repo_pilot_retry(db, m->id, e);

    if (ret <= 0)
        return ret < 0 ? -1
                       : err_set(e, ERR_CONFLICT, "only a pilot that failed or was cancelled can be tried again");
    return repo_pilot_find(db, m->id, -1, &row, NULL, e) < 0 ? -1 : pilot_say(db, m->id, row.state, m->now, e);
}

int pilot_again(struct farm *farm, struct db *db, const struct pilot_row *p, struct err *e)
{
    struct moving m = {.id = p->id, .now = clock_now(farm->clock)};

    if (db_transaction(db, retry_body, &m, e) < 0)
        return -1;
    trace_pack_kick(farm);
    return 0;
}
