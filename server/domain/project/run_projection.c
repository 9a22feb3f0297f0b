#include "server/domain/project/run_projection.h"

#include <inttypes.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "server/domain/import/profile_store.h"
#include "server/domain/project/run_projection_internal.h"

#define LARGE_LAUNCHES 1000000

static void work_release(struct work *w)
{
    verdict_release(&w->verdict);
    free(w->warm_bounds);
    for (size_t i = 0; w->projections && i < w->in.design_count; i++)
        projection_release(&w->projections[i]);
    free(w->projections);
    run_differences_release(&w->differences);
    run_levels_release(&w->levels);
    free(w->makespans);
    free(w->communication);
    run_results_release(&w->in);
}

static int load(struct work *w, struct db *db, const struct run_row *run, struct err *e)
{
    bool ns;
    size_t n;

    if (run_results_load(&w->in, db, run, RUN_RESULTS_NOW, e) < 0)
        return -1;
    n = w->in.design_count;
    w->makespans = mem_zalloc(n + 1, sizeof *w->makespans, e);
    w->communication = mem_zalloc(n + 1, sizeof *w->communication, e);
    w->projections = mem_zalloc(n + 1, sizeof *w->projections, e);
    w->warm_bounds = mem_zalloc(n + 1, sizeof *w->warm_bounds, e);
    if (!w->makespans || !w->communication || !w->projections || !w->warm_bounds)
        return -1;
    for (size_t i = 0; i < n; i++)
        w->makespans[i] = (struct makespan){NAN, NAN, NAN, NULL};
    if (repo_job_counts(db, w->in.run.id, &w->counts, e) < 0 ||
        repo_projection_profile_total(db, w->in.run.id, &w->measured_s, &ns, e) < 0)
        return -1;
    w->ended = w->counts.of[JOB_BLOCKED] + w->counts.of[JOB_READY] + w->counts.of[JOB_LEASED] == 0;
    return 0;
}

/* Needs the whole profile, which takes long to load, so it is done only at the end of a run. */
static int makespans(struct work *w, struct db *db, struct err *e)
{
    struct profile profile;
    int ret;

    profile_init(&profile);
    ret = profile_load(db, w->in.run.profile, &profile, e);
    for (size_t i = 0; ret == 0 && i < w->in.design_count; i++)
        ret = makespan_make(&profile, &w->in.plan, w->in.y + i * w->in.plan.sample_count, &w->projections[i],
                            w->in.seconds_per_unit[i], &w->makespans[i], e);
    for (size_t i = 0; ret == 0 && profile.unit == PROFILE_NS && i < w->in.design_count; i++) {
        int apart = communication_split_make(&profile, &w->in.plan, &w->projections[i], &w->communication[i], e);

        ret = apart < 0 ? -1 : 0;
        if (apart == 0)
            w->communication[i].launches = 0;
    }
    profile_release(&profile);
    return ret;
}

/* Estimates the other bound, fully warm caches, if launches began with empty caches. */
static int find_warm_bound(struct work *w, size_t design, struct err *e)
{
    const struct projection_options o = {.level = w->levels.total[design],
                                         .kappa = run_results_kappa(&w->in, design, 0),
                                         .error = run_results_error(&w->in, design)};
    const struct bounded_values v = run_results_bounded(&w->in, design);

    w->warm_bounds[design].value = NAN;
    return w->in.empty_caches[design] &&
                   warm_bound_make(&w->in.plan, &v, &o, &w->projections[design], &w->warm_bounds[design], e) < 0
               ? -1
               : 0;
}

static int project_designs(struct work *w, struct db *db, struct err *e)
{
    int ret = run_levels_load(&w->levels, db, &w->in, &w->verdict.analysis, e);

    for (size_t i = 0; ret == 0 && i < w->in.design_count; i++)
        ret = run_total_make(&w->in, &w->levels, i, &w->projections[i], e) < 0 ? -1 : find_warm_bound(w, i, e);
    return ret == 0 ? run_differences_make(&w->differences, &w->in, &w->levels, 0, e) : ret;
}

static int compute(struct work *w, struct db *db, struct err *e)
{
    if (w->ended && w->in.run.ruled && w->counts.of[JOB_DONE] > 0 &&
        stopping_evaluate(&w->in, db, w->clock, &w->verdict, e) < 0)
        return -1;
    if (project_designs(w, db, e) < 0)
        return -1;
    if (plan_part_narrow(&w->in.plan.part))
        return 0; /* the overlap of a part with the rest is unknown */
    return w->ended && !isnan(w->in.seconds_per_unit[0]) ? makespans(w, db, e) : 0;
}

/* Relative standard error of the remaining time. The time t of a simulation is modelled as R x its planned cost
 * c, with R the ratio of their sums (Cochran 1977, section 6.4). The remaining jobs are assumed to deviate from
 * the model as much as the finished ones. */
static double time_left_error(const struct run_pace *p, double left, double left_count)
{
    double ratio = p->t / p->c, squares = p->tt - 2 * ratio * p->ct + ratio * ratio * p->cc, variance;

    if (!(p->count >= 2 && p->t > 0 && p->c > 0 && left > 0))
        return NAN;
    variance = fmax(squares, 0) / (p->count - 1);
    return sqrt(p->count * variance / (p->t * p->t) + left_count * variance / (ratio * ratio * left * left));
}

/* Planned costs of the jobs that are done, and of all others; *count: the number of the others. */
static void sum_costs(const struct run_results *r, double *done, double *others, double *count)
{
    *done = *others = *count = 0;
    for (size_t d = 0; d < r->design_count; d++)
        for (size_t i = 0; i < r->plan.sample_count; i++) {
            bool known = !isnan(run_results_of(r, d)[i]);

            *(known ? done : others) += r->plan.strata[r->plan.samples[i].stratum].cost;
            *count += !known;
        }
}

/* Remaining time if the farm keeps its pace, from the planned costs of jobs. NaN while no pace is known. Jobs
 * whose result was known before, that wait for traces or that have failed are assumed to cost as much as others. */
static int time_left(struct work *w, struct db *db, double *eta_s, double *error_s, struct err *e)
{
    double left_count = (double)(w->counts.of[JOB_READY] + w->counts.of[JOB_LEASED]), done, others, count, left;
    double done_count = (double)w->counts.of[JOB_DONE], simulated;
    struct run_pace pace;
    wall_us now = clock_now(w->clock);

    *eta_s = *error_s = NAN;
    if (w->counts.of[JOB_LEASED] == 0)
        return 0;
    if (repo_projection_pace(db, w->in.run.id, &pace, e) < 0)
        return -1;
    sum_costs(&w->in, &done, &others, &count);
    simulated = done_count > 0 ? done * (done_count - pace.cached) / done_count : 0;
    left = count > 0 ? others * left_count / count : 0;
    if (simulated > 0 && pace.first > 0 && now > pace.first)
        *eta_s = left / simulated * (double)(now - pace.first) / 1e6;
    *error_s = *eta_s * time_left_error(&pace, left, left_count);
    return 0;
}

/* --- Writing --- */

/* The job counts were read after the results. A job that ended in between is in the counts but not in the
 * projection. The run's version then differs, so the run does not end now, and the next projection includes the
 * job. */
static int end_run(struct work *w, struct db *db, wall_us now, struct err *e)
{
    const char *state = w->counts.of[JOB_DONE] > 0 || w->in.run.jobs == 0 ? "done" : "failed";
    int ended;

    if (!w->ended)
        return 0;
    ended = repo_run_end(db, w->in.run.id, w->in.run.version, state, now, e);
    return ended > 0 ? run_projection_say_end(w, db, now, state, e) : ended;
}

/* A verdict depends on the run as it was read. 1: the run is unchanged, and it is locked. */
static int hold_run(const struct work *w, struct db *db, struct err *e)
{
    if (w->verdict.kind == VERDICT_NONE)
        return 1;
    return repo_job_admission_lock(db, e) < 0 ? -1 : repo_run_still(db, w->in.run.id, w->in.run.version, e);
}

/* Stores the decision of the run's stopping rule. Without a rule, or when the rule has finished, the run ends
 * with its jobs. */
static int conclude(struct work *w, struct db *db, wall_us now, struct err *e)
{
    if (stopping_write(&w->verdict, &w->in, db, now, e) < 0)
        return -1;
    return stopping_goes_on(&w->verdict) ? 0 : end_run(w, db, now, e);
}

static bool cancelled(const struct work *w)
{
    return strcmp(w->in.run.state, "cancelled") == 0;
}

/* All planned jobs have ended, and the run ends or has an interim analysis: no launch is about to be replaced. */
static bool complete(const struct work *w)
{
    return w->ended && !cancelled(w) && w->counts.of[JOB_DONE] > 0 &&
           (!stopping_goes_on(&w->verdict) || w->verdict.kind == VERDICT_ANALYZED);
}

/* A complete answer is shown until the next complete one. A final answer is shown until the next final one,
 * because an interim analysis in between has wider intervals. */
static bool shown(const struct work *w)
{
    return !w->in.answered || (complete(w) && (!w->in.answer.final || !stopping_goes_on(&w->verdict)));
}

static int write_answer(const struct work *w, struct db *db, wall_us now, struct err *e)
{
    struct answer_row row = {.at = now,
                             .jobs = w->in.run.jobs,
                             .done = w->counts.of[JOB_DONE],
                             .final = !stopping_goes_on(&w->verdict),
                             .confidence = w->levels.confidence,
                             .baseline = (int)w->levels.baseline};

    snprintf(row.plan, sizeof row.plan, "%s", w->in.run.plan);
    return repo_answer_put(db, w->in.run.id, &row, e);
}

/* A JSON list of sentences, in the words of `vivace simulate`. */
static void trace_warnings_text(const struct run_results *r, size_t design, struct strbuf *out)
{
    const struct trace_warnings *w = &r->traces[design];
    json_t *list = json_array();
    char partial[320];

    for (size_t i = 0; i < w->foreign_count; i++)
        if (json_push(list, json_string(w->foreign[i])) < 0)
            out->failed = true;
    if (w->partial) {
        snprintf(partial, sizeof partial,
                 "launches whose traces have only a part of their CTAs: %" PRIu64 ". The first is launch %" PRIu64
                 ": %s. Their cycles are those of this part",
                 w->partial, r->plan.samples[w->first_partial].launch, w->first_ctas);
        if (json_push(list, json_string(partial)) < 0)
            out->failed = true;
    }
    if (list)
        json_write_text(list, false, out);
    else
        out->failed = true;
    json_decref(list);
}

static int write_design(const struct work *w, size_t i, struct db *db, wall_us now, struct err *e)
{
    const struct level_shared total = run_total_level(&w->levels, i);
    struct projection_row row = {.run = w->in.run.id,
                                 .design = (int)i,
                                 .version = w->in.run.version,
                                 .p = &w->projections[i],
                                 .unit = run_results_unit(&w->in),
                                 .seconds_per_unit = w->in.seconds_per_unit[i],
                                 .makespan_s = w->makespans[i].value_s,
                                 .makespan_half_width_s = w->makespans[i].half_width_s,
                                 .communication = w->communication[i].launches ? &w->communication[i] : NULL,
                                 .makespan_interval_why_not = w->makespans[i].why_no_interval,
                                 .measured_s = w->in.designs[i].same_gpu ? w->measured_s : NAN,
                                 .empty_caches = w->in.empty_caches[i],
                                 .projected_inside = w->in.projected[i],
                                 .warm_bound = isnan(w->warm_bounds[i].value) ? NULL : &w->warm_bounds[i],
                                 .confidence = total.confidence,
                                 .analyses = total.analyses,
                                 .difference_level = w->levels.difference[i],
                                 .difference_analyses = w->levels.difference_analyses};
    struct strbuf note = STRBUF_INIT, warnings = STRBUF_INIT;
    int ret;

    if (w->in.projected[i]) {
        row.makespan_half_width_s = NAN;
        row.makespan_interval_why_not = "launches were projected inside, and the effect on the overlap is unknown";
    }
    level_note(&total, &note);
    row.level_note = note.text;
    trace_warnings_text(&w->in, i, &warnings);
    row.warnings = warnings.text;
    ret = note.failed || warnings.failed ? err_no_memory(e) : repo_projection_put(db, &row, now, e);
    strbuf_release(&warnings);
    strbuf_release(&note);
    return ret;
}

/* Stores the difference between design i and design 0. */
static int write_difference(const struct work *w, size_t i, struct db *db, struct err *e)
{
    const struct level_shared *shared = &w->differences.levels[i];
    struct strbuf note = STRBUF_INIT;
    int ret;

    level_note(shared, &note);
    ret = note.failed ? err_no_memory(e)
                      : repo_comparison_put(
                            db,
                            &(struct comparison_row){.run = w->in.run.id,
                                                     .design = (int)i,
                                                     .c = &w->differences.c.totals[i],
                                                     .seconds_per_unit = isnan(w->in.seconds_per_unit[i]) ? NAN : 1,
                                                     .confidence = shared->confidence,
                                                     .intervals = (int64_t)shared->intervals,
                                                     .analyses = shared->analyses,
                                                     .level_note = note.text},
                            e);
    strbuf_release(&note);
    return ret;
}

static int write_designs(const struct work *w, struct db *db, wall_us now, struct err *e)
{
    for (size_t i = 0; i < w->in.design_count; i++)
        if (write_design(w, i, db, now, e) < 0 ||
            (i > 0 && w->differences.c.totals[i].paired_on > 0 && write_difference(w, i, db, e) < 0))
            return -1;
    return 0;
}

static int write_all(struct db *db, void *ctx, struct err *e)
{
    struct work *w = ctx;
    wall_us now = clock_now(w->clock);
    struct run_progress g = {.version = w->in.run.version,
                             .done = w->counts.of[JOB_DONE],
                             .half_notified = w->in.run.half_notified,
                             .promise_notified = w->in.run.promise_notified,
                             .strata_notified = w->in.run.strata_notified};
    int written = hold_run(w, db, e);

    if (written <= 0)
        return written < 0 ? -1 : 1;
    if (time_left(w, db, &g.eta_s, &g.eta_error_s, e) < 0 ||
        run_projection_say_strata(w, db, now, &g.strata_notified, e) < 0 ||
        run_projection_say_half(w, db, now, &g.half_notified, e) < 0 ||
        run_projection_say_promise(w, db, now, &g.promise_notified, e) < 0)
        return -1;
    written = repo_projection_progress(db, w->in.run.id, &g, e);
    if (written <= 0)
        return written < 0 ? -1 : 1; /* another projection was stored first: this one is discarded */
    if (shown(w) && (write_designs(w, db, now, e) < 0 || (complete(w) && write_answer(w, db, now, e) < 0)))
        return -1;
    if (conclude(w, db, now, e) < 0)
        return -1;
    return repo_run_say_progress(db, w->in.run.id, now, e);
}

/* The whole profile is in memory while a run that has ended is projected. The lock admits one large profile at a
 * time. */
static pthread_mutex_t large_lock = PTHREAD_MUTEX_INITIALIZER;

/* If the database refuses a verdict, it would refuse it again. So the run reports the error and ends with its
 * present jobs. */
static int write_or_give_up(struct work *w, struct db *db, struct err *e)
{
    int ret = db_transaction(db, write_all, w, e);

    if (ret < 0 && w->verdict.kind != VERDICT_NONE && stopping_give_up(&w->verdict, e))
        ret = db_transaction(db, write_all, w, e);
    return ret;
}

static int renew(struct work *w, struct db *db, const struct run_row *run, uint64_t *worked_us, struct err *e)
{
    uint64_t began = clock_monotonic_us();
    int ret;

    if (load(w, db, run, e) < 0)
        return -1;
    *worked_us = clock_monotonic_us() - began;
    w->large = w->ended && w->in.plan.launches >= LARGE_LAUNCHES;
    if (w->large)
        pthread_mutex_lock(&large_lock);
    began = clock_monotonic_us();
    ret = compute(w, db, e);
    *worked_us += clock_monotonic_us() - began;
    return ret < 0 ? -1 : write_or_give_up(w, db, e);
}

int run_projection_renew(struct db *db, struct clock *clock, const char *run, struct run_renewed *out,
                         struct err *e)
{
    struct work w = {.clock = clock, .verdict = VERDICT_INIT};
    struct run_row row;
    bool large;
    int ret = repo_run_find(db, run, -1, &row, e);

    *out = (struct run_renewed){.judged = false};
    if (ret == 0)
        return err_set(e, ERR_NOT_FOUND, "there is no run %s", run);
    if (ret > 0)
        ret = renew(&w, db, &row, &out->worked_us, e);
    out->judged = w.verdict.kind != VERDICT_NONE;
    out->ended = w.ended || cancelled(&w);
    large = w.large;
    work_release(&w);
    if (large)
        pthread_mutex_unlock(&large_lock);
    return ret < 0 ? -1 : 0;
}
