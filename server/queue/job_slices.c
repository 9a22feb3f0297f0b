#include "server/queue/job_slices.h"

#include <stdio.h>
#include <string.h>

#include "server/db/repo_event.h"
#include "server/db/repo_job.h"

void job_slices_release(struct job_slices *s)
{
    strbuf_release(&s->order);
    *s = (struct job_slices)JOB_SLICES_INIT;
}

/* --- Creating --- */

/* The order is read anew where the run has another plan, or where somebody else has created jobs of it. */
static int know_order(struct job_slices *s, struct db *db, const struct unmade_run *r, struct err *e)
{
    if (strcmp(s->run.run, r->run) == 0 && strcmp(s->run.plan, r->plan) == 0 &&
        s->samples * r->designs == r->unmade) {
        s->run = *r;
        return 0;
    }
    job_slices_release(s);
    if (repo_job_unmade_order(db, r, &s->order, e) < 0)
        return -1;
    s->run = *r;
    s->samples = s->order.length > 0;
    for (size_t i = 0; i < s->order.length; i++)
        s->samples += s->order.text[i] == ',';
    return 0;
}

/* The run's row says how many there are, and the plan has others: by someone's hand, as no release does it. */
static int correct_number(struct job_slices *s, struct db *db, struct err *e)
{
    int64_t unmade = s->samples * s->run.designs;

    if (unmade == s->run.unmade)
        return 0;
    s->run.unmade = unmade;
    return repo_job_set_unmade(db, s->run.run, unmade, e);
}

/* "{…}" of the next samples; how far that goes. */
static int next_samples(const struct job_slices *s, struct strbuf *out, size_t *end, int64_t *count, struct err *e)
{
    int64_t most = JOB_SLICE / s->run.designs > 0 ? JOB_SLICE / s->run.designs : 1;
    const char *from = s->order.text + s->at, *to = from;

    for (*count = 0; *count < most && *count < s->samples; (*count)++) {
        to += strcspn(to, ",");
        to += *to == ',' && *count + 1 < most && *count + 1 < s->samples;
    }
    strbuf_adds(out, "{");
    strbuf_add(out, from, (size_t)(to - from));
    strbuf_adds(out, "}");
    *end = s->at + (size_t)(to - from) + (*to == ',');
    return out->failed ? err_no_memory(e) : 0;
}

struct making {
    struct job_slices *s;
    const char *samples;
    bool last;
    wall_us now;
    int64_t made, cached;
};

static int make_slice(struct db *db, void *ctx, struct err *e)
{
    struct making *m = ctx;

    if (repo_job_make_slice(db, &m->s->run, m->samples, m->now, &m->made, &m->cached, e) < 0)
        return -1;
    return m->last ? repo_event_say(db, m->s->run.run, m->now, "info", e, "All jobs of the run are created.") : 0;
}

static int make_next(struct job_slices *s, struct db *db, struct clock *clock, struct err *e)
{
    struct strbuf samples = STRBUF_INIT;
    struct making m = {.s = s, .now = clock_now(clock)};
    int64_t count;
    size_t end;
    int ret = next_samples(s, &samples, &end, &count, e);

    m.samples = samples.text;
    m.last = count == s->samples;
    if (ret == 0)
        ret = db_transaction(db, make_slice, &m, e);
    strbuf_release(&samples);
    if (ret == 0) {
        s->at = end;
        s->samples -= count;
        s->run.unmade -= m.made;
        return 0;
    }
    job_slices_release(s);
    return e->code == ERR_CONFLICT ? 0 : -1; /* it was cancelled, or has another plan: the next look sees it */
}

/* 1: a slice was made, or is to be tried again. */
static int create_slice(struct job_slices *s, struct db *db, struct clock *clock, struct err *e)
{
    struct unmade_run r;
    int found = repo_job_unmade_next(db, &r, e);

    if (found <= 0) {
        job_slices_release(s);
        return found;
    }
    if (know_order(s, db, &r, e) < 0 || correct_number(s, db, e) < 0)
        return -1;
    if (s->samples == 0)
        return 1;
    return make_next(s, db, clock, e) < 0 ? -1 : 1;
}

/* --- Cancelling --- */

struct cancelling {
    const char *run;
    int64_t from;
    wall_us now;
};

static int cancel_slice(struct db *db, void *ctx, struct err *e)
{
    const struct cancelling *c = ctx;

    return repo_job_cancel_from(db, c->run, c->from, c->now, e);
}

static int heal(struct db *db, void *ctx, struct err *e)
{
    (void)ctx;
    return repo_job_heal(db, e);
}

int job_slices_cancel(struct db *db, const char *run, struct clock *clock, uint64_t most_us, struct err *e)
{
    uint64_t until = clock_monotonic_us() + most_us;
    bool any = false;
    int found;

    do {
        char id[UUID_TEXT];
        struct cancelling c = {.run = id, .now = clock_now(clock)};

        snprintf(id, sizeof id, "%s", run);
        found = repo_job_cancel_next(db, id, &c.from, e);
        if (found > 0 && db_transaction(db, cancel_slice, &c, e) < 0)
            return -1;
        any = any || found > 0;
    } while (found > 0 && clock_monotonic_us() < until);
    /* Jobs of other runs may have waited for these. */
    if (found == 0 && any && db_transaction(db, heal, NULL, e) < 0)
        return -1;
    return found;
}

int job_slices_tick(struct job_slices *s, struct db *db, struct clock *clock, uint64_t most_us, struct err *e)
{
    uint64_t until = clock_monotonic_us() + most_us;
    int more = job_slices_cancel(db, "", clock, most_us / 2, e), ret;

    if (more < 0)
        return -1;
    do
        ret = create_slice(s, db, clock, e);
    while (ret > 0 && clock_monotonic_us() < until);
    return ret < 0 ? -1 : more || ret;
}
