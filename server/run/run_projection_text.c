/* What is said of a run as its projection moves. */
#include "server/run/run_projection_internal.h"

#include <math.h>
#include <string.h>

#include "base/text.h"
#include "server/db/repo_event.h"

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
    else if (estimate_says_nothing(p->value, p->half_width))
        snprintf(out, size, "%s: not known, as its interval is wider than the total itself",
                 w->in.designs[design].name);
    else
        snprintf(out, size, "%s: %s", w->in.designs[design].name,
                 format_estimate(p->value * s, p->half_width * s, value));
    return out;
}

int run_projection_say_end(struct work *w, struct db *db, wall_us now, const char *state, struct err *e)
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
int run_projection_say_strata(struct work *w, struct db *db, wall_us now, int *said, struct err *e)
{
    size_t done = strata_done(w), all = w->in.plan.stratum_count, step = all <= 8 ? 1 : (all + 3) / 4;

    if (done / step <= (size_t)*said / step || done == all)
        return 0;
    *said = (int)done;
    return repo_event_say(db, w->in.run.id, now, "info", e, "%zu of %zu strata are done.", done, all);
}

int run_projection_say_promise(struct work *w, struct db *db, wall_us now, bool *said, struct err *e)
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

int run_projection_say_half(struct work *w, struct db *db, wall_us now, bool *said, struct err *e)
{
    if (*said || w->ended || w->in.run.jobs < 4 || 2 * w->counts.of[JOB_DONE] < w->in.run.jobs)
        return 0;
    *said = true;
    return repo_event_say(db, w->in.run.id, now, "info", e, "Half of the jobs are done: %lld of %lld.",
                          (long long)w->counts.of[JOB_DONE], (long long)w->in.run.jobs);
}
