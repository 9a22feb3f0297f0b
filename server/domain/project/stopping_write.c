/* Writes the changes of a verdict, in the projector's transaction. */
#include "server/domain/project/stopping_internal.h"

#include <math.h>

#include "server/store/repo/repo_event.h"
#include "server/store/repo/repo_job.h"
#include "server/store/repo/repo_job_slice.h"
#include "server/store/repo/repo_run.h"

int stopping_go_on(struct db *db, const char *run, const char *from, const char *to, wall_us now, struct err *e)
{
    int64_t dropped, missing;

    if (repo_interim_switch_plan(db, run, from, to, &dropped, e) < 0 || repo_job_missing(db, run, &missing, e) < 0)
        return -1;
    /* The leader creates the jobs of a large run, in slices. */
    if (missing > JOBS_AT_ONCE ? repo_job_set_unmade(db, run, missing, e) < 0
                               : repo_job_set_unmade(db, run, 0, e) < 0 || repo_job_create(db, run, now, e) < 0 ||
                                     repo_job_admit(db, run, NULL, now, NULL, e) < 0)
        return -1;
    return repo_run_set_jobs(db, run, e);
}

static int write_analysis(const struct verdict *v, const struct run_results *r, struct db *db, wall_us now,
                          struct err *e)
{
    bool more = v->analysis.decision == INTERIM_MORE;
    const struct interim_row row = {
        .run = r->run.id,
        .plan = r->run.plan,
        .next_plan = more ? v->next.id : NULL,
        .analysis = &v->analysis,
        .jobs = r->run.jobs,
        .extra_jobs = more ? (int64_t)((v->next.plan.sample_count - r->plan.sample_count) * r->design_count) : 0,
        .spent_s = v->spent_s,
        .extra_s = more ? v->extra_s : NAN,
        .unit = v->unit,
        .changes = more ? v->changes.text : "[]",
        .reason = v->reason,
        .answer = !more         ? NULL
                  : v->rule.ask ? "waiting"
                                : "auto",
        .at = now};

    if (more && plan_store_put(&v->next, db, r->run.profile, &v->profile, r->run.plan, now, e) < 0)
        return -1;
    return repo_interim_put(db, &row, e);
}

static int describe_analysis(const struct verdict *v, const struct run_results *r, struct db *db, wall_us now,
                             struct err *e)
{
    bool more = v->analysis.decision == INTERIM_MORE, good = more || !stopping_worst(&v->analysis);

    return repo_event_emit(
        db, r->run.id, now, good ? "info" : "warning",
        EVENT(run_look, .look = v->analysis.number, .decision = json_incref(v->reason), .ask = more && v->rule.ask),
        e);
}

static int write_redraw(const struct verdict *v, const struct run_results *r, struct db *db, wall_us now,
                        struct err *e)
{
    int64_t noted;

    if (repo_interim_skip(db, r->run.id, true, now, &noted, e) < 0 ||
        plan_store_put(&v->next, db, r->run.profile, &v->profile, r->run.plan, now, e) < 0 ||
        stopping_go_on(db, r->run.id, r->run.plan, v->next.id, now, e) < 0)
        return -1;
    return repo_event_emit(db, r->run.id, now, "warning", EVENT(launches_replaced, .launches = (int64_t)v->failed),
                           e);
}

static int write_drops(const struct verdict *v, const struct run_results *r, struct db *db, wall_us now,
                       struct err *e)
{
    int64_t noted;

    if (v->failed == 0)
        return 0;
    if (repo_interim_skip(db, r->run.id, false, now, &noted, e) < 0)
        return -1;
    return repo_event_emit(db, r->run.id, now, "warning", EVENT(launches_dropped, .launches = (int64_t)v->failed),
                           e);
}

bool stopping_goes_on(const struct verdict *v)
{
    if (v->kind == VERDICT_NONE)
        return v->goes_on;
    return v->kind == VERDICT_REDRAW || (v->kind == VERDICT_ANALYZED && v->analysis.decision == INTERIM_MORE);
}

int stopping_write(const struct verdict *v, const struct run_results *r, struct db *db, wall_us now, struct err *e)
{
    if (v->kind == VERDICT_NONE)
        return 0;
    if (v->kind == VERDICT_REDRAW)
        return write_redraw(v, r, db, now, e);
    if (write_drops(v, r, db, now, e) < 0)
        return -1;
    if (v->kind == VERDICT_ANALYZED &&
        (write_analysis(v, r, db, now, e) < 0 || describe_analysis(v, r, db, now, e) < 0))
        return -1;
    if (v->kind == VERDICT_ANALYZED && v->analysis.decision == INTERIM_MORE)
        return v->rule.ask ? 0 : stopping_go_on(db, r->run.id, r->run.plan, v->next.id, now, e);
    if (v->kind == VERDICT_GIVE_UP &&
        repo_event_emit(db, r->run.id, now, "warning", EVENT(run_gave_up, .why = v->problem), e) < 0)
        return -1;
    return repo_interim_settle(db, r->run.id, e);
}
