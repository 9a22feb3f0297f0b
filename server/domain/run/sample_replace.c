#include "server/domain/run/sample_replace.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "sampling/sequential/plan_resize.h"
#include "server/store/repo/repo_archive.h"
#include "server/store/repo/repo_event.h"
#include "server/store/repo/repo_job.h"
#include "server/store/repo/repo_passed_over.h"
#include "server/domain/import/profile_store.h"
#include "server/domain/project/stopping.h"
#include "server/domain/plan/plan_cache.h"

static int find_launch(struct db *db, const struct sample_removal *t, struct failed_launch *out, struct err *e)
{
    int found;

    if (strcmp(t->run->state, "cancelled") == 0) {
        err_set(e, ERR_CONFLICT, "the run was cancelled");
        return err_hint(e, "Start another run of its plan; it reuses all results.");
    }
    found = repo_passed_over_of_job(db, t->job, out, e);
    if (found == 0)
        return err_set(e, ERR_CONFLICT, "the job has not failed, so its launch stays in the run");
    return found < 0 ? -1 : 0;
}

/* --- Removal without replacement --- */

static int drop_body(struct db *db, void *ctx, struct err *e)
{
    const struct sample_removal *t = ctx;
    wall_us now = clock_now(t->clock);
    struct failed_launch l;
    int noted;

    /* The lock serializes requests for this launch or its stratum. */
    if (repo_job_admission_lock(db, e) < 0 || find_launch(db, t, &l, e) < 0)
        return -1;
    if (l.others == 0 && !l.noted[0]) {
        err_set(e, ERR_CONFLICT,
                "launch %lld cannot be dropped: no other sample of stratum S%lld has a result or may still get one",
                (long long)l.launch, (long long)l.stratum);
        return err_hint(e, "Draw another sample in its place, or try the job again.");
    }
    noted = l.noted[0] ? 0 : repo_passed_over_note(db, t->job, false, now, e);
    if (noted <= 0)
        return noted < 0 ? -1 : err_set(e, ERR_CONFLICT, "its launch was dropped already");
    return repo_event_emit(db, t->run->id, now, "warning",
                           EVENT(launch_dropped, .by = t->by, .launch = l.launch, .stratum = l.stratum), e);
}

int sample_drop(struct db *db, const struct sample_removal *t, struct err *e)
{
    struct sample_removal own = *t;

    return db_transaction(db, drop_body, &own, e);
}

/* --- Replacement by the next launch --- */

struct redrawing {
    const struct sample_removal *t;
    struct failed_launch launch;
    struct plan plan;
    struct profile profile;
    struct plan_store next;
    uint64_t *over; /* skipped launches */
    size_t over_count;
};

static void redrawing_release(struct redrawing *r)
{
    plan_release(&r->plan);
    profile_release(&r->profile);
    plan_store_release(&r->next);
    free(r->over);
}

/* The rule's decisions, made or pending, refer to the present samples. So they must not change. */
static int check_rule(struct db *db, const char *run, struct err *e)
{
    struct rule_row rule;
    struct interim_past past = {.analyses = 0};
    int ret = repo_interim_rule(db, run, &rule, e);

    if (ret <= 0)
        return ret;
    if (rule.settled) {
        err_set(e, ERR_CONFLICT, "the run's stopping rule has ended with the samples that it has");
        return err_hint(e, "Drop the launch, try the job again, or start another run, which reuses all results.");
    }
    ret = repo_interim_past(db, run, &past, e);
    if (ret == 0 && strcmp(past.answer, "waiting") == 0)
        ret = err_set(e, ERR_CONFLICT,
                      "interim analysis %d waits for an answer: accept its extension or undo it first",
                      past.analyses);
    interim_past_release(&past);
    return ret;
}

static int load_over(struct db *db, struct redrawing *r, struct err *e)
{
    struct db_rows q;

    if (repo_interim_skipped(db, r->t->run->id, &q, e) < 0)
        return -1;
    r->over = mem_zalloc((size_t)q.count + 1, sizeof *r->over, e);
    for (int i = 0; r->over && i < q.count; i++)
        r->over[r->over_count++] = (uint64_t)db_get_i64(&q, i, 0);
    db_rows_release(&q);
    if (!r->over)
        return -1;
    r->over[r->over_count++] = (uint64_t)r->launch.launch;
    return 0;
}

static int no_next(const struct redrawing *r, const char *why, struct err *e)
{
    err_set(e, ERR_CONFLICT, "no launch can replace launch %lld: %s", (long long)r->launch.launch, why);
    return r->launch.others > 0 ? err_hint(e, "Drop the launch, or try the job again.")
                                : err_hint(e, "The job can only be tried again: `vivace job retry %s`.", r->t->job);
}

/* Makes the next plan, without that launch. */
static int prepare_next(struct db *db, struct redrawing *r, struct err *e)
{
    uint64_t *n;
    struct skipped_launches over;
    struct err why;
    int ret;

    if (plan_cache_load(db, r->t->run->plan, &r->plan, e) < 0)
        return -1;
    if (interim_possible(&r->plan, &why) < 0)
        return no_next(r, "this method has no next sample of a stratum", e);
    if (profile_load(db, r->t->run->profile, &r->profile, e) < 0 || load_over(db, r, e) < 0)
        return -1;
    over = (struct skipped_launches){r->over, r->over_count};
    n = mem_zalloc(r->plan.stratum_count + 1, sizeof *n, e);
    if (!n)
        return -1;
    for (size_t h = 0; h < r->plan.stratum_count; h++)
        n[h] = r->plan.strata[h].samples;
    ret = plan_resize(&r->plan, &r->profile, n, &over, &r->next.plan, &why);
    free(n);
    if (ret < 0 && why.code == ERR_INVALID)
        return no_next(r, why.text, e);
    if (ret < 0) {
        *e = why;
        return -1;
    }
    return plan_store_prepare(&r->next, r->t->clock, e);
}

static int write_redraw(struct db *db, const struct redrawing *r, const struct run_row *run, wall_us now,
                        struct err *e)
{
    int noted;

    if (strcmp(run->plan, r->t->run->plan) != 0) {
        err_set(e, ERR_CONFLICT, "the run's plan has changed meanwhile");
        return err_hint(e, "Repeat the request.");
    }
    if ((strcmp(run->state, "done") == 0 || strcmp(run->state, "failed") == 0) &&
        repo_archive_return(db, run->id, e) < 0)
        return -1;
    noted = repo_passed_over_note(db, r->t->job, true, now, e);
    if (noted <= 0)
        return noted < 0 ? -1 : err_set(e, ERR_CONFLICT, "its launch was replaced already");
    return plan_store_put(&r->next, db, run->profile, &r->profile, run->plan, now, e) < 0 ||
                   stopping_go_on(db, run->id, run->plan, r->next.id, now, e) < 0 ||
                   repo_job_reconcile(db, e) < 0 || repo_run_take_up(db, run->id, e) < 0
               ? -1
               : 0;
}

static int redraw_body(struct db *db, void *ctx, struct err *e)
{
    const struct redrawing *r = ctx;
    wall_us now = clock_now(r->t->clock);
    struct failed_launch l;
    struct sample_removal t = *r->t;
    struct run_row run;
    char ids[UUID_TEXT + 4];

    snprintf(ids, sizeof ids, "{%s}", t.run->id);
    /* After this update, no other transaction can change the run until the commit. */
    if (repo_job_admission_lock(db, e) < 0 || repo_job_live_lock(db, t.run->id, e) < 0 ||
        repo_run_touch(db, ids, e) < 0 || repo_run_find(db, t.run->id, -1, &run, e) < 0)
        return -1;
    t.run = &run;
    if (find_launch(db, &t, &l, e) < 0 || check_rule(db, run.id, e) < 0 || write_redraw(db, r, &run, now, e) < 0)
        return -1;
    return repo_event_emit(db, run.id, now, "warning",
                           EVENT(launch_replaced, .by = t.by, .launch = l.launch, .stratum = l.stratum), e);
}

int sample_replace(struct db *db, const struct sample_removal *t, struct err *e)
{
    struct redrawing r = {.t = t, .next = PLAN_STORE_INIT};
    int ret;

    plan_init(&r.plan);
    profile_init(&r.profile);
    ret = find_launch(db, t, &r.launch, e) < 0 || check_rule(db, t->run->id, e) < 0 || prepare_next(db, &r, e) < 0
              ? -1
              : db_transaction(db, redraw_body, &r, e);
    redrawing_release(&r);
    return ret;
}
