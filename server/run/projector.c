#include "server/run/projector.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/array.h"
#include "base/log.h"
#include "base/text.h"
#include "server/background.h"
#include "server/db/repo_event.h"
#include "server/db/repo_job.h"
#include "server/import/profile_store.h"
#include "server/queue/dispatcher.h"
#include "server/run/looker.h"
#include "server/run/looker_levels.h"
#include "server/run/run_results.h"
#include "server/run/trace_pack.h"

#define TICK_US          250000L
#define AFTER_FAILURE_US 5000000
#define COUNTS_US        1000000 /* how often claims and the like move a bar */

/* --- One run --- */

struct work {
    struct clock *clock;
    struct run_results in;
    struct projection *projections;
    struct comparison *comparisons; /* [0] is not used */
    struct makespan {
        double value_s, half_width_s; /* NaN: not known */
    } * makespans;
    double measured_s;
    struct job_counts counts;
    struct verdict verdict; /* of a run with a rule */
    bool ended;
};

static void work_release(struct work *w)
{
    verdict_release(&w->verdict);
    for (size_t i = 0; w->projections && i < w->in.design_count; i++)
        projection_release(&w->projections[i]);
    free(w->projections);
    free(w->comparisons);
    free(w->makespans);
    run_results_release(&w->in);
}

static int load(struct work *w, struct db *db, const struct run_row *run, struct err *e)
{
    bool ns;
    size_t n;

    if (run_results_load(&w->in, db, run, e) < 0)
        return -1;
    n = w->in.design_count;
    w->makespans = mem_zalloc(n + 1, sizeof *w->makespans, e);
    w->projections = mem_zalloc(n + 1, sizeof *w->projections, e);
    w->comparisons = mem_zalloc(n + 1, sizeof *w->comparisons, e);
    if (!w->makespans || !w->projections || !w->comparisons)
        return -1;
    for (size_t i = 0; i < n; i++)
        w->makespans[i] = (struct makespan){NAN, NAN};
    if (repo_job_counts(db, w->in.run.id, &w->counts, e) < 0 ||
        repo_projection_profile_total(db, w->in.run.id, &w->measured_s, &ns, e) < 0)
        return -1;
    w->ended = w->counts.of[JOB_BLOCKED] + w->counts.of[JOB_READY] + w->counts.of[JOB_LEASED] == 0;
    return 0;
}

/* Against the first design, all intervals to hold together (sampling/comparisons.h). */
static int compare(struct work *w, const struct run_levels *l, struct err *e)
{
    size_t n = w->in.design_count;
    const double **y = mem_zalloc(n + 1, sizeof *y, e);
    double *values = y ? run_results_seconds(&w->in, y, e) : NULL;
    struct comparisons c;
    int ret = values ? comparisons_make(&w->in.plan, y, n, 0, w->in.run.confidence, &c, e) : -1;

    if (ret == 0) {
        ret = run_levels_compare(l, &w->in, y, &c, e);
        memcpy(w->comparisons, c.totals, n * sizeof *c.totals);
        comparisons_release(&c);
    }
    free(y);
    free(values);
    return ret;
}

/* Needs the whole profile, so it is worth its time only at the end. */
static int makespans(struct work *w, struct db *db, struct err *e)
{
    struct profile profile;
    int ret;

    profile_init(&profile);
    ret = profile_load(db, w->in.run.profile, &profile, e);
    for (size_t i = 0; ret == 0 && i < w->in.design_count; i++)
        w->makespans[i].value_s = projection_makespan_s(&profile, &w->in.plan, &w->projections[i],
                                                        w->in.seconds_per_unit[i], &w->makespans[i].half_width_s);
    profile_release(&profile);
    return ret;
}

static int project_designs(struct work *w, struct db *db, struct err *e)
{
    struct run_levels l;
    int ret = run_levels_load(&l, db, &w->in, &w->verdict.look, e);

    for (size_t i = 0; ret == 0 && i < w->in.design_count; i++) {
        struct projection_options o = {.level = l.total[i], .kappa = run_results_kappa(&w->in, i, 0)};

        ret = projection_make_with(&w->in.plan, run_results_of(&w->in, i), &o, &w->projections[i], e);
    }
    if (ret == 0 && w->in.design_count > 1)
        ret = compare(w, &l, e);
    run_levels_release(&l);
    return ret;
}

static int compute(struct work *w, struct db *db, struct err *e)
{
    if (w->ended && w->in.run.ruled && w->counts.of[JOB_DONE] > 0 &&
        looker_judge(&w->in, db, w->clock, &w->verdict, e) < 0)
        return -1;
    if (project_designs(w, db, e) < 0)
        return -1;
    return w->ended && !isnan(w->in.seconds_per_unit[0]) ? makespans(w, db, e) : 0;
}

/* Relative standard error of the time left: seconds t of a simulation are taken to be R x its planned cost c, with
 * R the ratio of their sums (Cochran 1977, section 6.4), and those that are left miss that as those before did. */
static double time_left_error(const struct run_pace *p)
{
    double ratio = p->t / p->c, squares = p->tt - 2 * ratio * p->ct + ratio * ratio * p->cc, variance;

    if (!(p->count >= 2 && p->t > 0 && p->c > 0 && p->left > 0))
        return NAN;
    variance = fmax(squares, 0) / (p->count - 1);
    return sqrt(p->count * variance / (p->t * p->t) +
                p->left_count * variance / (ratio * ratio * p->left * p->left));
}

/* Time left if the work goes on at the pace it had, by what jobs are planned to cost: NaN while nothing is known.
 */
static int time_left(struct work *w, struct db *db, double *eta_s, double *error_s, struct err *e)
{
    int64_t left = w->counts.of[JOB_READY] + w->counts.of[JOB_LEASED];
    struct run_pace pace;
    wall_us now = clock_now(w->clock);

    *eta_s = *error_s = NAN;
    if (left == 0 || w->counts.of[JOB_LEASED] == 0)
        return 0;
    if (repo_projection_pace(db, w->in.run.id, &pace, e) < 0)
        return -1;
    if (pace.worked > 0 && pace.first > 0 && now > pace.first)
        *eta_s = pace.left / pace.worked * (double)(now - pace.first) / 1e6;
    *error_s = *eta_s * time_left_error(&pace);
    return 0;
}

/* --- Sentences --- */

static const char *answer_text(const struct work *w, size_t design, char *out, size_t size)
{
    const struct projection *p = &w->projections[design];
    double s = w->in.seconds_per_unit[design];
    char value[NUM_TEXT];

    if (isnan(p->value))
        snprintf(out, size, "%s: no projection", w->in.designs[design].name);
    else if (isnan(s))
        snprintf(out, size, "%s: %s warp instructions", w->in.designs[design].name, format_count(p->value, value));
    else if (isnan(p->half_width))
        snprintf(out, size, "%s: %s, interval not known", w->in.designs[design].name,
                 format_duration(p->value * s, value));
    else
        snprintf(out, size, "%s: %s", w->in.designs[design].name,
                 format_estimate(p->value * s, p->half_width * s, value));
    return out;
}

static int say_end(struct work *w, struct db *db, wall_us now, const char *state, struct err *e)
{
    struct strbuf answers = STRBUF_INIT;
    char text[300];
    int ret;

    if (strcmp(state, "failed") == 0)
        return repo_event_say(db, w->in.run.id, now, "error", e,
                              "The run failed: none of its %lld jobs gave a result.", (long long)w->in.run.jobs);
    for (size_t i = 0; i < w->in.design_count; i++)
        strbuf_addf(&answers, "%s%s", i ? "; " : "", answer_text(w, i, text, sizeof text));
    if (w->counts.of[JOB_FAILED] > 0)
        ret =
            repo_event_say(db, w->in.run.id, now, "warning", e,
                           "The run is done, but %lld of %lld jobs failed; the projection rests on the others. %s.",
                           (long long)w->counts.of[JOB_FAILED], (long long)w->in.run.jobs, answers.text);
    else
        ret = repo_event_say(db, w->in.run.id, now, "info", e, "All %lld jobs are done. %s.",
                             (long long)w->in.run.jobs, answers.text);
    strbuf_release(&answers);
    return ret;
}

static size_t strata_done(const struct work *w)
{
    size_t n = 0;

    for (size_t h = 0; h < w->in.plan.stratum_count; h++) {
        bool all = true;

        for (size_t i = 0; all && i < w->in.design_count; i++)
            all = w->projections[i].strata[h].done >= w->projections[i].strata[h].planned;
        n += all;
    }
    return n;
}

/* Few strata are told one by one, many in quarters. */
static int say_strata(struct work *w, struct db *db, wall_us now, int *said, struct err *e)
{
    size_t done = strata_done(w), all = w->in.plan.stratum_count, step = all <= 8 ? 1 : (all + 3) / 4;

    if (done / step <= (size_t)*said / step || done == all)
        return 0;
    *said = (int)done;
    return repo_event_say(db, w->in.run.id, now, "info", e, "%zu of %zu strata are done.", done, all);
}

static int say_promise(struct work *w, struct db *db, wall_us now, bool *said, struct err *e)
{
    const struct projection *p = &w->projections[0];

    if (*said || w->in.run.ruled || !w->in.run.promised || w->ended || isnan(p->half_width) ||
        p->half_width > w->in.run.error * p->value)
        return 0;
    *said = true;
    return repo_event_say(
        db, w->in.run.id, now, "info", e,
        "The interval of %s is ± %.1f %% now, inside the promise of %.1f %%; it is final when all "
        "planned samples are in.",
        w->in.designs[0].name, 100 * p->half_width / p->value, 100 * w->in.run.error);
}

static int say_half(struct work *w, struct db *db, wall_us now, bool *said, struct err *e)
{
    if (*said || w->ended || w->in.run.jobs < 4 || 2 * w->counts.of[JOB_DONE] < w->in.run.jobs)
        return 0;
    *said = true;
    return repo_event_say(db, w->in.run.id, now, "info", e, "Half of the jobs are done: %lld of %lld.",
                          (long long)w->counts.of[JOB_DONE], (long long)w->in.run.jobs);
}

/* --- Writing --- */

static int end_run(struct work *w, struct db *db, wall_us now, struct err *e)
{
    const char *state = w->counts.of[JOB_DONE] > 0 || w->in.run.jobs == 0 ? "done" : "failed";
    int moved;

    if (!w->ended || (strcmp(w->in.run.state, "running") != 0 && strcmp(w->in.run.state, "paused") != 0))
        return 0;
    moved = repo_run_move(db, w->in.run.id, "running,paused", state, now, e);
    return moved > 0 ? say_end(w, db, now, state, e) : moved;
}

/* What a verdict changes rests on the run as it was read: 1 when it still is. */
static int hold_run(const struct work *w, struct db *db, struct err *e)
{
    if (w->verdict.kind == VERDICT_NONE)
        return 1;
    return repo_job_admission_lock(db, e) < 0 ? -1 : repo_run_still(db, w->in.run.id, w->in.run.version, e);
}

/* Says what the run's rule decided; without one, or when it is settled, the run ends with its jobs. */
static int conclude(struct work *w, struct db *db, wall_us now, struct err *e)
{
    bool goes_on;

    if (looker_write(&w->verdict, &w->in, db, now, &goes_on, e) < 0)
        return -1;
    return goes_on ? 0 : end_run(w, db, now, e);
}

static int write_all(struct db *db, void *ctx, struct err *e)
{
    struct work *w = ctx;
    wall_us now = clock_now(w->clock);
    struct run_progress g = {.version = w->in.run.version,
                             .done = w->counts.of[JOB_DONE],
                             .half_said = w->in.run.half_said,
                             .promise_said = w->in.run.promise_said,
                             .strata_said = w->in.run.strata_said};
    int written = hold_run(w, db, e);

    if (written <= 0)
        return written < 0 ? -1 : 1;
    if (time_left(w, db, &g.eta_s, &g.eta_error_s, e) < 0 || say_strata(w, db, now, &g.strata_said, e) < 0 ||
        say_half(w, db, now, &g.half_said, e) < 0 || say_promise(w, db, now, &g.promise_said, e) < 0)
        return -1;
    written = repo_projection_progress(db, w->in.run.id, &g, e);
    if (written <= 0)
        return written < 0 ? -1 : 1; /* another projector was faster: nothing of this is kept */
    for (size_t i = 0; i < w->in.design_count; i++) {
        struct projection_row row = {.run = w->in.run.id,
                                     .design = (int)i,
                                     .version = w->in.run.version,
                                     .p = &w->projections[i],
                                     .unit = run_results_unit(&w->in),
                                     .seconds_per_unit = w->in.seconds_per_unit[i],
                                     .makespan_s = w->makespans[i].value_s,
                                     .makespan_half_width_s = w->makespans[i].half_width_s,
                                     .measured_s = w->in.designs[i].same_gpu ? w->measured_s : NAN};

        if (repo_projection_put(db, &row, now, e) < 0)
            return -1;
        if (i > 0 && w->comparisons[i].paired_on > 0 &&
            repo_comparison_put(db, w->in.run.id, (int)i, &w->comparisons[i], isnan(row.seconds_per_unit) ? NAN : 1,
                                e) < 0)
            return -1;
    }
    if (conclude(w, db, now, e) < 0)
        return -1;
    return repo_run_say_progress(db, w->in.run.id, now, e);
}

/* *judged: its rule was asked, which is seldom, and whatever it decided shall be seen soon. */
static int project(struct db *db, struct clock *clock, const char *run, bool *judged, struct err *e)
{
    struct work w = {.clock = clock, .verdict = VERDICT_INIT};
    struct run_row row;
    int ret = repo_run_find(db, run, -1, &row, e);

    *judged = false;
    if (ret == 0)
        return err_set(e, ERR_NOT_FOUND, "there is no run %s", run);
    if (ret > 0)
        ret = load(&w, db, &row, e) < 0 || compute(&w, db, e) < 0 ? -1 : db_transaction(db, write_all, &w, e);
    *judged = w.verdict.kind != VERDICT_NONE;
    work_release(&w);
    return ret < 0 ? -1 : 0;
}

int project_run(struct db *db, struct clock *clock, const char *run, struct err *e)
{
    bool judged;

    return project(db, clock, run, &judged, e);
}

/* --- The thread --- */

struct known_run { /* what was told last, and when it may be told again */
    char id[UUID_TEXT];
    uint64_t next_us, next_count_us;
    int64_t version, leased; /* when its jobs were counted */
    struct job_counts counts;
    bool seen;
};
struct projector {
    struct app *app;
    struct background thread;
    struct known_run *runs;
    size_t count, capacity;
    uint64_t counts_us;
};

static struct known_run *known(struct projector *p, const char *id)
{
    struct err e;

    for (size_t i = 0; i < p->count; i++) {
        if (strcmp(p->runs[i].id, id) == 0)
            return &p->runs[i];
    }
    if (array_reserve((void **)&p->runs, &p->capacity, p->count + 1, sizeof *p->runs, &e) < 0)
        return NULL;
    p->runs[p->count] = (struct known_run){.next_us = 0};
    snprintf(p->runs[p->count].id, UUID_TEXT, "%s", id);
    return &p->runs[p->count++];
}

/* A run takes a tenth of the time at most; a verdict may make jobs, and is followed at once. */
static uint64_t next_time(const struct projector *p, uint64_t began, bool judged)
{
    uint64_t now = clock_monotonic_us(), cost = judged ? 0 : now - began;

    if (judged) {
        trace_pack_kick(p->app);
        dispatcher_wake(p->app->dispatcher);
    }
    return now + (10 * cost > TICK_US ? 10 * cost : TICK_US) - TICK_US / 10;
}

static void project_behind(struct projector *p)
{
    struct db_rows q;
    struct err e;

    if (repo_run_behind(p->thread.db, &q, &e) < 0)
        return;
    for (int i = 0; i < q.count; i++) {
        struct known_run *k = known(p, db_get(&q, i, 0));
        uint64_t began = clock_monotonic_us();
        bool judged;

        if (!k || began < k->next_us)
            continue;
        if (project(p->thread.db, p->app->clock, k->id, &judged, &e) < 0) {
            log_warn("projector", "a run could not be projected, it is tried again", "run=%s error=%s", k->id,
                     log_quote(e.text, (char[300]){0}, 300));
            k->next_us = clock_monotonic_us() + AFTER_FAILURE_US;
            continue;
        }
        k->next_us = next_time(p, began, judged);
    }
    db_rows_release(&q);
}

struct say {
    const char *run;
    wall_us now;
};

static int say_body(struct db *db, void *ctx, struct err *e)
{
    const struct say *s = ctx;

    return repo_run_say_progress(db, s->run, s->now, e);
}

/* Leases move the bar too, but change no projection. A run is counted only when something of it has changed, and a
 * large one not each second: a hundred runs of a hundred thousand jobs would be all that the database does. */
static void tell_counts(struct projector *p)
{
    struct db_rows q;
    struct err e;
    size_t kept = 0;

    if (repo_run_open(p->thread.db, &q, &e) < 0)
        return;
    for (size_t i = 0; i < p->count; i++)
        p->runs[i].seen = false;
    for (int i = 0; i < q.count; i++) {
        struct known_run *k = known(p, db_get(&q, i, 0));
        uint64_t began = clock_monotonic_us();
        struct job_counts now;

        if (!k)
            continue;
        k->seen = true;
        if ((k->version == db_get_i64(&q, i, 1) && k->leased == db_get_i64(&q, i, 2)) || began < k->next_count_us)
            continue;
        if (repo_job_counts(p->thread.db, k->id, &now, &e) < 0)
            continue;
        k->version = db_get_i64(&q, i, 1);
        k->leased = db_get_i64(&q, i, 2);
        k->next_count_us =
            clock_monotonic_us() + 20 * (clock_monotonic_us() - began); /* both counts: a tenth of the time */
        if (memcmp(&now, &k->counts, sizeof now) == 0)
            continue;
        k->counts = now;
        if (db_transaction(p->thread.db, say_body, &(struct say){k->id, clock_now(p->app->clock)}, &e) < 0)
            break;
    }
    db_rows_release(&q);
    for (size_t i = 0; i < p->count; i++) {
        if (p->runs[i].seen)
            p->runs[kept++] = p->runs[i];
    }
    p->count = kept;
}

static void *run(void *ctx)
{
    struct projector *p = ctx;

    do {
        project_behind(p);
        if (clock_monotonic_us() - p->counts_us >= COUNTS_US) {
            tell_counts(p);
            p->counts_us = clock_monotonic_us();
        }
    } while (background_rest(&p->thread, TICK_US));
    return NULL;
}

int projector_start(struct app *app, struct projector **out, struct err *e)
{
    struct projector *p = mem_zalloc(1, sizeof *p, e);

    if (!p)
        return -1;
    p->app = app;
    if (background_start(&p->thread, app->conninfo, run, p, "the projector", e) < 0) {
        free(p);
        return -1;
    }
    *out = p;
    return 0;
}

void projector_stop(struct projector *p)
{
    if (!p)
        return;
    background_stop(&p->thread);
    background_release(&p->thread);
    free(p->runs);
    free(p);
}
