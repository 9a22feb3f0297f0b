#include "server/domain/run/planner.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "sampling/parts/part.h"
#include "server/store/repo/repo_design.h"
#include "server/store/repo/repo_event.h"
#include "server/store/repo/repo_job.h"
#include "server/store/repo/repo_job_slice.h"
#include "server/store/repo/repo_pack.h"
#include "server/store/repo/repo_plan.h"
#include "server/store/repo/repo_run.h"
#include "server/store/repo/repo_trace.h"
#include "server/domain/tasks/cache_checks.h"
#include "server/domain/plan/design_store.h"
#include "server/domain/project/stopping.h"
#include "server/domain/run/pilots.h"
#include "server/domain/plan/plan_store.h"
#include "server/domain/queue/sweeper.h"
#include "server/domain/queue/dispatcher.h"
#include "server/domain/import/profile_store.h"

/* --- Plans --- */

struct plan_work {
    struct farm *farm;
    const char *profile_id;
    const struct profile *profile;
    struct plan_store store;
    const struct idempotent_key *once;
};

static int store_plan(struct db *db, void *ctx, struct err *e)
{
    const struct plan_work *w = ctx;

    if (repo_idempotency_made(db, w->once, w->store.id, e) < 0)
        return -1;
    return plan_store_put(&w->store, db, w->profile_id, w->profile, NULL, clock_now(w->farm->clock), e);
}

int planner_plan(struct farm *farm, struct db *db, const char *profile_id, const char *method,
                 const struct plan_params *params, const struct plan_part *part, const struct idempotent_key *once,
                 char *id, struct err *e)
{
    struct profile profile;
    struct plan_work w = {
        .farm = farm, .profile_id = profile_id, .profile = &profile, .store = PLAN_STORE_INIT, .once = once};
    int ret;

    profile_init(&profile);
    plan_init(&w.store.plan);
    ret = profile_load(db, profile_id, &profile, e) < 0 ||
                  part_plan_make(method, &profile, params, part, &w.store.plan, e) < 0 ||
                  plan_store_prepare(&w.store, farm->clock, e) < 0
              ? -1
              : db_transaction(db, store_plan, &w, e);
    snprintf(id, UUID_TEXT, "%s", w.store.id);
    plan_store_release(&w.store);
    profile_release(&profile);
    return ret;
}

/* --- Runs --- */

struct run_work {
    struct farm *farm;
    const struct run_request *request;
    const char *id, *profile_id;
    struct plan_store pilot; /* first plan of a run with a stopping rule; id "": it uses the requested plan */
    struct profile profile;  /* loaded if there is such a first plan */
    double confidence;       /* of the plan */
    int64_t jobs;
    wall_us now;
};

static int put_designs(const struct run_work *w, struct db *db, struct err *e)
{
    struct design_row row;

    if (w->request->count == 0)
        return repo_run_put_design(db, w->id, 0, "", "profile", NAN, e);
    for (size_t i = 0; i < w->request->count; i++) {
        int found = repo_design_find(db, w->request->designs[i], w->request->team, &row, NULL, e);

        if (found < 0)
            return -1;
        if (!found) {
            err_set(e, ERR_NOT_FOUND, "there is no GPU design `%.80s`", w->request->designs[i]);
            return err_hint(e, "`vivace design list --farm` lists them; `vivace design add FILE` adds one");
        }
        if (repo_run_put_design(db, w->id, (int)i, row.sha256, row.name, row.clock_hz, e) < 0)
            return e->code == ERR_CONFLICT ? err_set(e, ERR_INVALID, "GPU design `%s` is named twice", row.name)
                                           : -1;
    }
    return 0;
}

static int say_start(const struct run_work *w, struct db *db, struct err *e)
{
    struct job_counts n;
    int64_t all = 0;
    int whole;

    if (repo_job_counts(db, w->id, &n, e) < 0)
        return -1;
    for (int i = 0; i < JOB_STATE_COUNT; i++)
        all += n.of[i];
    if (repo_event_emit(
            db, w->id, w->now, "info",
            EVENT(run_started, .by = w->request->by, .jobs = all, .engine = job_engine_name(w->request->engine)),
            e) < 0)
        return -1;
    if (w->jobs > JOBS_AT_ONCE)
        return repo_event_emit(db, w->id, w->now, "info", EVENT(run_jobs_later), e);
    if (n.of[JOB_DONE] > 0 &&
        repo_event_emit(db, w->id, w->now, "info", EVENT(run_results_known, .jobs = n.of[JOB_DONE]), e) < 0)
        return -1;
    if (n.of[JOB_BLOCKED] == 0)
        return 0;
    whole = repo_pack_whole(db, w->profile_id, e);
    if (whole < 0)
        return -1;
    return whole
               ? repo_event_emit(db, w->id, w->now, "info", EVENT(traces_cut, .jobs = n.of[JOB_BLOCKED]), e)
               : repo_event_emit(db, w->id, w->now, "warning", EVENT(traces_missing, .jobs = n.of[JOB_BLOCKED]), e);
}

static int put_rule(const struct run_work *w, struct db *db, struct err *e)
{
    struct rule_row rule = w->request->rule;

    if (!w->request->ruled)
        return 0;
    if (rule.confidence == 0)
        rule.confidence = w->confidence;
    return repo_interim_put_rule(db, w->id, &rule, e);
}

/* The leader creates the jobs of a large run, in slices. */
static int put_jobs(const struct run_work *w, struct db *db, struct err *e)
{
    if (w->jobs > JOBS_AT_ONCE)
        return repo_job_set_unmade(db, w->id, w->jobs, e);
    return repo_job_create(db, w->id, w->now, e) < 0 ? -1 : repo_job_admit(db, w->id, NULL, w->now, NULL, e);
}

static int store_run(struct db *db, void *ctx, struct err *e)
{
    const struct run_work *w = ctx;
    const char *simulator =
        w->request->engine == ENGINE_REPLAY ? "replay" : design_store_simulator(w->farm->designs);
    const struct new_run row = {.id = w->id,
                                .plan = w->pilot.id[0] ? w->pilot.id : w->request->plan,
                                .simulator = simulator,
                                .by = w->request->by,
                                .engine = w->request->engine,
                                .priority = w->request->priority,
                                .jobs = w->jobs,
                                .inside_kernels = w->request->inside_kernels,
                                .allow_foreign_isa = w->request->allow_foreign_isa};

    if (w->pilot.id[0] &&
        plan_store_put(&w->pilot, db, w->profile_id, &w->profile, w->request->plan, w->now, e) < 0)
        return -1;
    /* The lock is taken before the trace bindings are read. A caller that binds a trace meanwhile waits, and
     * then sees this run. A replay needs no traces and no lock. */
    if (repo_idempotency_made(db, w->request->once, w->id, e) < 0 ||
        (w->request->engine == ENGINE_CYCLE && repo_job_admission_lock(db, e) < 0) ||
        repo_run_put(db, &row, w->now, e) < 0 || put_designs(w, db, e) < 0 || put_rule(w, db, e) < 0 ||
        put_jobs(w, db, e) < 0)
        return -1;
    if (cache_checks_want(db, w->id, w->request->cache_check, w->request->by, w->now, e) < 0)
        return -1;
    if (w->request->pilot && pilot_ran(db, w->request->pilot, w->id, w->now, e) < 0)
        return -1;
    return say_start(w, db, e);
}

static int64_t designs_of(const struct run_request *request)
{
    return request->count ? (int64_t)request->count : 1;
}

/* *jobs: one for each sample of the plan and each design. */
static int check_size(struct db *db, const struct run_request *request, int64_t *jobs, struct err *e)
{
    int64_t samples, missing, designs = designs_of(request);

    if (repo_trace_missing(db, request->plan, &samples, &missing, e) < 0)
        return -1;
    if (samples == 0)
        return err_set(e, ERR_INVALID, "the plan has no samples: there is nothing to run");
    if (samples * designs > RUN_JOBS_MAX)
        return err_set(e, ERR_TOO_LARGE, "%lld samples on %lld designs are more than %d jobs", (long long)samples,
                       (long long)designs, RUN_JOBS_MAX);
    *jobs = samples * designs;
    return 0;
}

/* A replay uses the measured values as results. */
static int check_replay(struct db *db, const struct run_request *request, struct err *e)
{
    enum profile_unit unit;

    if (request->engine != ENGINE_REPLAY)
        return 0;
    if (repo_plan_unit(db, request->plan, &unit, e) < 0)
        return -1;
    if (unit != PROFILE_CYCLES)
        return 0;
    err_set(e, ERR_INVALID,
            "the cycles of this profile are estimates, not measurements, so a replay is not possible");
    return err_hint(e, "Run it with `\"engine\": \"cycle\"` and designs; on the command line, `vivace run create "
                       "PLAN --gpu A,B`.");
}

static int pilot(struct run_work *w, struct db *db, struct err *e)
{
    const struct stopping_pilot_request request = {w->request->plan, w->profile_id, w->farm->clock};
    int ret = stopping_pilot(db, &request, &w->profile, &w->pilot, &w->confidence, e);

    if (ret == 0 && w->pilot.id[0])
        w->jobs = (int64_t)w->pilot.plan.sample_count * designs_of(w->request);
    return ret;
}

int planner_run(struct farm *farm, struct db *db, const struct run_request *request, const char *profile, char *id,
                struct err *e)
{
    struct run_work w = {.farm = farm,
                         .request = request,
                         .id = id,
                         .profile_id = profile,
                         .pilot = PLAN_STORE_INIT,
                         .now = clock_now(farm->clock)};
    int ret;

    if (check_replay(db, request, e) < 0 || check_size(db, request, &w.jobs, e) < 0)
        return -1;
    uuid_make(farm->clock, id);
    ret = request->ruled ? pilot(&w, db, e) : 0;
    if (ret == 0)
        ret = db_transaction(db, store_run, &w, e);
    plan_store_release(&w.pilot);
    profile_release(&w.profile);
    if (ret == 0 && w.jobs > JOBS_AT_ONCE)
        sweeper_wake(farm->sweeper);
    if (ret == 0)
        dispatcher_wake(farm->dispatcher);
    return ret;
}
