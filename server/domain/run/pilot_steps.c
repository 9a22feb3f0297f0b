/* The steps of a pilot. A step is repeated until its transaction has been committed. */
#include "server/domain/run/pilots.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/log.h"
#include "sampling/parts/part.h"
#include "server/store/repo/repo_profile.h"
#include "server/domain/import/profile_put.h"
#include "server/domain/import/profile_store.h"
#include "server/domain/plan/farm_cycles.h"
#include "server/domain/run/pilots_internal.h"
#include "server/domain/plan/plan_request.h"
#include "server/domain/plan/plan_store.h"
#include "server/domain/run/planner.h"
#include "server/domain/run/run_moves.h"
#include "server/domain/queue/sweeper.h"
#include "server/store/blob/blob_store.h"

#define STEPS_MAX 4 /* maximum consecutive steps of one pilot: from the end of its run to its plan */

struct step {
    struct farm *farm;
    struct db *db;
    struct pilot_row p;
    struct strbuf wanted; /* JSON */
};

static wall_us now_of(const struct step *s)
{
    return clock_now(s->farm->clock);
}

/* Ends the pilot, if it still has the state that was read. */
static int end(struct step *s, const char *to, const char *problem, const char *hint, struct err *e)
{
    const struct pilot_move m = {.from = s->p.state, .to = to, .problem = problem, .hint = hint};

    int moved = pilot_moved(s->db, s->p.id, &m, now_of(s), e);

    if (moved > 0)
        log_info("pilot", "a pilot is over", "pilot=%s state=%s problem=%s", s->p.id, to,
                 log_quote(problem, (char[500]){0}, 500));
    return moved < 0 ? -1 : 0;
}

/* --- starting --- */

static int make_run(struct step *s, struct err *e)
{
    struct run_request asked = {.plan = s->p.pilot_plan,
                                .team = s->p.team,
                                .engine = ENGINE_CYCLE,
                                .count = 1,
                                .designs = {s->p.design},
                                .by = s->p.by,
                                .pilot = s->p.id};
    char run[UUID_TEXT];

    if (!s->p.pilot_plan[0])
        return end(s, "failed", "the plan that draws its launches was deleted", "Begin another pilot.", e);
    return planner_run(s->farm, s->db, &asked, s->p.profile, run, e);
}

/* --- simulating --- */

static int run_failed(struct step *s, struct err *e)
{
    struct strbuf why = STRBUF_INIT;
    char text[400];
    int found = repo_pilot_failure(s->db, s->p.run, &why, e);
    int ret = -1;

    if (found >= 0) {
        snprintf(text, sizeof text, "none of its launches could be simulated%s%.*s", found ? "; the first: " : "",
                 found ? (int)strcspn(why.text, "\n") : 0, found ? why.text : "");
        ret = end(s, "failed", text,
                  "The pilot's run shows why each launch failed. Correct that, then try the pilot again.", e);
    }
    strbuf_release(&why);
    return ret;
}

/* Ends a pilot whose traces are missing. It chose launches with traces, so no client would send them again. */
static int run_stuck(struct step *s, struct err *e)
{
    struct run_move cancel = {.run = s->p.run, .by = "the farm"};
    char text[200];

    snprintf(text, sizeof text, "the traces of %lld of its launches cannot be read", (long long)s->p.stuck);
    if (run_cancel(s->farm, s->db, &cancel, e) < 0)
        return -1;
    return end(s, "failed", text, "Send the traces of the profile's launches again, then try it again.", e);
}

static int follow_run(struct step *s, struct err *e)
{
    const struct pilot_move on = {.from = "simulating", .to = "planning"};

    if (!s->p.run[0])
        return end(s, "failed", "its run was deleted", "Try the pilot again: it makes another run.", e);
    if (s->p.stuck > 0)
        return run_stuck(s, e);
    if (strcmp(s->p.run_state, "failed") == 0)
        return run_failed(s, e);
    if (strcmp(s->p.run_state, "cancelled") == 0)
        return end(s, "cancelled", "its run was cancelled", "Try the pilot again: it makes another run.", e);
    if (strcmp(s->p.run_state, "done") != 0)
        return 0;
    return pilot_moved(s->db, s->p.id, &on, now_of(s), e) < 0 ? -1 : 0;
}

/* --- planning: the profile of cycles --- */

struct cycles {
    const struct step *s;
    const struct profile *profile;
    char path[PATH_MAX], sha256[SHA256_HEX], id[UUID_TEXT], name[160], note[400];
};

static int put_cycles(struct cycles *c, struct db *db, struct err *e)
{
    const struct pilot_row *p = &c->s->p;
    const struct profile_owner owner = {.id = c->id, .team = p->team, .name = c->name};
    struct profile_file *file;
    int ret;

    uuid_make(c->s->farm->clock, c->id);
    if (profile_file_open(c->path, &file, e) < 0)
        return -1;
    ret = profile_put(db, file, &owner, now_of(c->s), e);
    profile_file_close(file);
    return ret < 0 ? -1 : repo_profile_ready(db, c->id, p->workload, e);
}

/* Equal results give an equal profile, which is stored once. 1: another server was first. */
static int store_cycles(struct db *db, void *ctx, struct err *e)
{
    struct cycles *c = ctx;
    const struct pilot_row *p = &c->s->p;
    const struct pilot_move m = {.from = "planning", .to = "planning", .cycles = c->id, .note = c->note};
    int found = repo_pilot_cycles(db, p->workload, c->sha256, c->id, e), moved;

    if (found < 0 || (!found && put_cycles(c, db, e) < 0) ||
        repo_pilot_share_traces(db, p->profile, c->id, now_of(c->s), e) < 0)
        return -1;
    moved = pilot_moved(db, p->id, &m, now_of(c->s), e);
    return moved < 0 ? -1 : moved == 0;
}

static int write_and_store(struct cycles *c, struct err *e)
{
    int fd, ret;

    if (profile_hash(c->profile, c->sha256, e) < 0 || blob_stage(c->s->farm->store.blobs, &fd, c->path, e) < 0)
        return -1;
    close(fd);
    ret = profile_file_write(c->path, c->profile, "{}", e);
    if (ret == 0)
        ret = db_transaction(c->s->db, store_cycles, c, e);
    unlink(c->path);
    return ret < 0 ? -1 : 0;
}

static int make_cycles(struct step *s, struct err *e)
{
    const struct cycles_source of = {s->p.profile, s->p.design, s->p.design_name, s->p.simulator};
    struct cycles c = {.s = s};
    struct profile profile;
    int ret = -1;

    profile_init(&profile);
    c.profile = &profile;
    if (profile_load(s->db, s->p.profile, &profile, e) == 0 &&
        farm_cycles(s->db, &of, &profile, c.note, sizeof c.note, e) == 0) {
        snprintf(profile.format, sizeof profile.format, "vivace-cycles");
        snprintf(c.name, sizeof c.name, "cycles on %s", s->p.design_name);
        ret = write_and_store(&c, e);
    }
    profile_release(&profile);
    return ret;
}

/* --- planning: the plan --- */

struct planning {
    const struct step *s;
    const struct profile *profile;
    struct plan_store store;
};

static int store_plan(struct db *db, void *ctx, struct err *e)
{
    const struct planning *w = ctx;
    const struct pilot_move m = {.from = "planning", .to = "done", .plan = w->store.id};
    wall_us now = now_of(w->s);
    int moved;

    if (plan_store_put(&w->store, db, w->s->p.cycles, w->profile, NULL, now, e) < 0)
        return -1;
    moved = pilot_moved(db, w->s->p.id, &m, now, e);
    return moved < 0 ? -1 : moved == 0;
}

static int read_wanted(const struct step *s, struct plan_request *out, struct err *e)
{
    json_t *v = json_read_text(s->wanted.text, s->wanted.length, "the requested plan", e);
    int ret = v ? plan_request_read(v, out, e) : -1;

    json_decref(v);
    return ret;
}

static int make_plan(struct step *s, struct err *e)
{
    struct plan_request asked = PLAN_REQUEST_DEFAULT;
    struct planning w = {.s = s, .store = PLAN_STORE_INIT};
    struct profile profile;
    int ret = -1;

    profile_init(&profile);
    plan_init(&w.store.plan);
    w.profile = &profile;
    if (read_wanted(s, &asked, e) == 0 && profile_load(s->db, s->p.cycles, &profile, e) == 0 &&
        part_plan_make(asked.method, &profile, &asked.params, &asked.part, &w.store.plan, e) == 0 &&
        plan_store_prepare(&w.store, s->farm->clock, e) == 0)
        ret = db_transaction(s->db, store_plan, &w, e);
    plan_store_release(&w.store);
    profile_release(&profile);
    return ret < 0 ? -1 : 0;
}

/* --- All pilots --- */

static int take(struct step *s, struct err *e)
{
    if (strcmp(s->p.state, "starting") == 0)
        return make_run(s, e);
    if (strcmp(s->p.state, "simulating") == 0)
        return follow_run(s, e);
    return s->p.cycles[0] ? make_plan(s, e) : make_cycles(s, e);
}

static bool may_pass(const struct err *e)
{
    return e->code == ERR_DATABASE || e->code == ERR_BUSY || e->code == ERR_NO_MEMORY || e->code == ERR_NO_SPACE;
}

/* Reports an error. A permanent error ends the pilot. */
static int trouble(struct step *s, const struct err *why, struct err *e)
{
    const struct pilot_move stay = {
        .from = s->p.state, .to = s->p.state, .problem = why->text, .hint = why->hint[0] ? why->hint : NULL};

    if (!may_pass(why))
        return end(s, "failed", why->text, why->hint[0] ? why->hint : NULL, e);
    log_warn("pilot", "a step of a pilot failed; the server tries again", "pilot=%s error=%s", s->p.id,
             log_quote(why->text, (char[500]){0}, 500));
    return pilot_moved(s->db, s->p.id, &stay, now_of(s), e) < 0 ? -1 : 0;
}

/* Cancels the run of a cancelled pilot, if the server that cancelled the pilot stopped before it did so. */
static int end_run(struct step *s, struct err *e)
{
    struct run_move m = {.run = s->p.run, .by = "the farm"};

    return strcmp(s->p.state, "cancelled") == 0 && s->p.run[0] ? run_cancel(s->farm, s->db, &m, e) : 0;
}

/* Whether the pilot has advanced. */
static bool went_on(const struct pilot_row *a, const struct pilot_row *b)
{
    return strcmp(a->state, b->state) != 0 || strcmp(a->cycles, b->cycles) != 0;
}

static int serve(struct farm *farm, struct db *db, const char *id, struct err *e)
{
    struct step s = {.farm = farm, .db = db, .wanted = STRBUF_INIT};
    struct pilot_row before = {.state = ""};
    int ret = 0;

    for (int i = 0; ret == 0 && i < STEPS_MAX && !atomic_load(&farm->stopping); i++) {
        struct err why;

        strbuf_clear(&s.wanted);
        ret = repo_pilot_find(db, id, -1, &s.p, &s.wanted, e);
        if (ret <= 0 || !went_on(&before, &s.p))
            break;
        if (!strstr(PILOT_OPEN, s.p.state)) {
            ret = end_run(&s, e);
            break;
        }
        before = s.p;
        ret = take(&s, &why) < 0 ? trouble(&s, &why, e) : 0;
    }
    strbuf_release(&s.wanted);
    return ret < 0 ? -1 : 0;
}

int pilots_serve(struct farm *farm, struct db *db, struct err *e)
{
    struct db_rows due;
    int ret = 0;

    if (!sweeper_leads(farm->sweeper))
        return 0;
    if (repo_pilot_due(db, &due, e) < 0)
        return -1;
    for (int i = 0; ret == 0 && i < due.count && !atomic_load(&farm->stopping); i++)
        ret = serve(farm, db, db_get(&due, i, 0), e);
    db_rows_release(&due);
    return ret;
}
