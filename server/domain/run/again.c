#include "server/domain/run/again.h"

#include <string.h>

#include "server/store/repo/repo_again.h"
#include "server/store/repo/repo_event.h"
#include "server/store/repo/repo_job.h"
#include "server/domain/queue/dispatcher.h"

struct restarting {
    struct farm *farm;
    const struct again_asked *asked;
    const char *run, *simulator;
};

static int may_restart(const struct again_run *r, const char *simulator, struct err *e)
{
    if (!r->cycle)
        return err_set(e, ERR_CONFLICT, "the run replays profiled times, so it has no simulator version");
    if (strcmp(r->state, "running") != 0 && strcmp(r->state, "paused") != 0) {
        err_set(e, ERR_CONFLICT, "the run is %s, so it cannot be restarted", r->state);
        return err_hint(
            e, "Run its plan again: `vivace run create PLAN --gpu …` makes a run for the present simulator.");
    }
    if (strcmp(r->simulator, simulator) == 0)
        return err_set(e, ERR_CONFLICT, "the run already uses simulator %s, the farm's present version", simulator);
    if (!r->looked)
        return 0;
    err_set(e, ERR_CONFLICT, "the run's rule has used results of simulator %s in an interim analysis",
            r->simulator);
    return err_hint(e, "Cancel it and run its plan again: a new run uses results of one version only.");
}

static int restart_body(struct db *db, void *ctx, struct err *e)
{
    const struct restarting *r = ctx;
    wall_us now = clock_now(r->farm->clock);
    struct again_run run;
    int64_t results;
    int found;

    if (repo_job_admission_lock(db, e) < 0 || repo_job_live_lock(db, r->run, e) < 0)
        return -1;
    found = repo_again_run(db, r->run, &run, e);
    if (found <= 0)
        return found < 0 ? -1 : err_set(e, ERR_NOT_FOUND, "there is no run %.40s", r->run);
    if (may_restart(&run, r->simulator, e) < 0 || repo_again_restart(db, r->run, r->simulator, &results, e) < 0 ||
        repo_job_reconcile(db, e) < 0 || repo_job_admit(db, r->run, NULL, now, NULL, e) < 0 ||
        r->asked->also(db, r->asked->ctx, e) < 0)
        return -1;
    return repo_event_emit(db, r->run, now, "warning",
                           EVENT(run_restarted, .by = r->asked->by, .simulator = r->simulator, .results = results,
                                 .before = run.simulator),
                           e);
}

int again_restart(struct farm *farm, struct db *db, const struct again_asked *asked, const char *run,
                  const char *simulator, struct err *e)
{
    struct restarting r = {farm, asked, run, simulator};

    if (db_transaction(db, restart_body, &r, e) < 0)
        return -1;
    dispatcher_wake(farm->dispatcher);
    return 0;
}

/* --- Results that were found wrong --- */

struct discarding {
    const struct discard *d;
    const char *results;
};

static int go_on(struct db *db, const struct discard *d, const char *run, int64_t jobs, struct err *e)
{
    if (repo_job_admit(db, run, NULL, d->at, NULL, e) < 0)
        return -1;
    if (d->quarantine)
        return repo_event_emit(db, run, d->at, "error",
                               EVENT(results_quarantined, .jobs = jobs, .first = d->quarantine->first,
                                     .second = d->quarantine->second),
                               e);
    return repo_event_emit(db, run, d->at, "warning", EVENT(results_discarded, .results = jobs, .why = d->why), e);
}

static int discard_body(struct db *db, void *ctx, struct err *e)
{
    const struct discarding *x = ctx;
    struct db_rows runs;
    int ret = 0;

    if (repo_job_admission_lock(db, e) < 0 || repo_discard(db, x->d, x->results, &runs, e) < 0)
        return -1;
    for (int i = 0; ret == 0 && i < runs.count; i++)
        ret = go_on(db, x->d, db_get(&runs, i, 0), db_get_i64(&runs, i, 1), e);
    db_rows_release(&runs);
    return ret;
}

int again_discard(struct farm *farm, struct db *db, const struct discard *d, const char *results, struct err *e)
{
    struct discarding x = {d, results};

    if (db_transaction(db, discard_body, &x, e) < 0)
        return -1;
    dispatcher_wake(farm->dispatcher);
    return 0;
}
