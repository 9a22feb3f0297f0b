#include "server/domain/plan/plan_store.h"

#include <math.h>

#include "server/store/repo/repo_interim.h"
#include "server/store/repo/repo_plan.h"
#include "wire/plan_json.h"

/* The error of this sample's estimate of the profile itself. NaN for a ratio estimator whose auxiliary variable
 * is the profile: it is exact by construction. */
static double error_of_draw(const struct plan *plan, const struct profile *profile)
{
    double sum = 0;

    if (plan->estimator == PLAN_RATIO)
        return NAN;
    for (size_t i = 0; i < plan->sample_count; i++)
        sum += plan->samples[i].weight * (double)profile->value[plan->samples[i].launch];
    return plan->total ? fabs(sum - (double)plan->total) / (double)plan->total : NAN;
}

static int to_strbuf(void *ctx, const char *text, size_t n, struct err *e)
{
    struct strbuf *b = ctx;

    strbuf_add(b, text, n);
    return b->failed ? err_no_memory(e) : 0;
}

int plan_store_prepare(struct plan_store *s, struct clock *clock, struct err *e)
{
    uuid_make(clock, s->id);
    return plan_to_json(&s->plan, false, to_strbuf, &s->file, e);
}

int plan_store_put(const struct plan_store *s, struct db *db, const char *profile_id, const struct profile *profile,
                   const char *parent, wall_us now, struct err *e)
{
    if (repo_plan_put(db, s->id, profile_id, profile, &s->plan, error_of_draw(&s->plan, profile), s->file.text, now,
                      e) < 0)
        return -1;
    return parent ? repo_interim_set_parent(db, s->id, parent, e) : 0;
}

void plan_store_release(struct plan_store *s)
{
    plan_release(&s->plan);
    strbuf_release(&s->file);
}
