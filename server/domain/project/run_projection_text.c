/* Events about a run, written when its projection changes. */
#include "server/domain/project/run_projection_internal.h"

#include <math.h>
#include <string.h>

#include "base/text.h"
#include "server/store/repo/repo_event.h"
#include "wire/json.h"

static json_t *answer_of(const struct work *w, size_t design)
{
    const struct projection *p = &w->projections[design];
    const char *name = w->in.designs[design].name;
    double s = w->in.seconds_per_unit[design];

    if (isnan(p->value))
        return event_part(EVENT(answer_missing, .design = name));
    if (isnan(s))
        return event_part(EVENT(answer_work, .design = name, .instructions = p->value));
    if (isnan(p->half_width))
        return event_part(EVENT(answer_no_interval, .design = name, .time = p->value * s));
    if (estimate_says_nothing(p->value, p->half_width))
        return event_part(EVENT(answer_too_wide, .design = name));
    return event_part(EVENT(answer_total, .design = name, .total = {p->value * s, p->half_width * s}));
}

/* One member for each design. NULL: out of memory. */
static json_t *answers_of(const struct work *w)
{
    json_t *list = json_array();

    for (size_t i = 0; list && i < w->in.design_count; i++)
        if (json_push(list, answer_of(w, i)) < 0) {
            json_decref(list);
            return NULL;
        }
    return list;
}

int run_projection_say_end(struct work *w, struct db *db, wall_us now, const char *state, struct err *e)
{
    const char *run = w->in.run.id;
    int64_t jobs = w->in.run.jobs, failed = w->counts.of[JOB_FAILED];
    json_t *answers;

    if (strcmp(state, "failed") == 0)
        return repo_event_emit(db, run, now, "error", EVENT(run_failed, .jobs = jobs), e);
    answers = answers_of(w);
    if (!answers)
        return err_no_memory(e);
    return failed > 0
               ? repo_event_emit(db, run, now, "warning",
                                 EVENT(run_done_partly, .failed = failed, .jobs = jobs, .answers = answers), e)
               : repo_event_emit(db, run, now, "info", EVENT(run_done, .jobs = jobs, .answers = answers), e);
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

/* Few strata are reported one by one, many in quarters. */
int run_projection_say_strata(struct work *w, struct db *db, wall_us now, int *said, struct err *e)
{
    size_t done = strata_done(w), all = w->in.plan.stratum_count, step = all <= 8 ? 1 : (all + 3) / 4;

    if (done / step <= (size_t)*said / step || done == all)
        return 0;
    *said = (int)done;
    return repo_event_emit(db, w->in.run.id, now, "info",
                           EVENT(run_strata_done, .done = (int64_t)done, .strata = (int64_t)all), e);
}

int run_projection_say_promise(struct work *w, struct db *db, wall_us now, bool *said, struct err *e)
{
    const struct projection *p = &w->projections[0];

    if (*said || w->in.run.ruled || !w->in.run.promised || w->ended || isnan(p->half_width) ||
        p->half_width > w->in.run.error * p->value)
        return 0;
    *said = true;
    return repo_event_emit(db, w->in.run.id, now, "info",
                           EVENT(run_promise_kept, .design = w->in.designs[0].name,
                                 .half_width = p->half_width / p->value, .promise = w->in.run.error),
                           e);
}

int run_projection_say_half(struct work *w, struct db *db, wall_us now, bool *said, struct err *e)
{
    if (*said || w->ended || w->in.run.jobs < 4 || 2 * w->counts.of[JOB_DONE] < w->in.run.jobs)
        return 0;
    *said = true;
    return repo_event_emit(db, w->in.run.id, now, "info",
                           EVENT(run_half_done, .done = w->counts.of[JOB_DONE], .jobs = w->in.run.jobs), e);
}
