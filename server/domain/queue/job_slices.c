#include "server/domain/queue/job_slices.h"

#include <stdio.h>
#include <string.h>

#include "base/assert.h"
#include "server/store/repo/repo_event.h"
#include "server/store/repo/repo_job.h"

/* Other transactions wait for a slice: the maximum duration of a slice, and its minimum and maximum number of
 * jobs. */
#define SLICE_US    75000
#define SLICE_FIRST 1000
#define SLICE_MIN   250
#define SLICE_MAX   8000

static void order_release(struct sample_order *o)
{
    strbuf_release(&o->numbers);
    strbuf_release(&o->launches);
    *o = (struct sample_order)SAMPLE_ORDER_INIT;
}

void job_slices_release(struct job_slices *s)
{
    int64_t size = s->size;

    order_release(&s->order);
    *s = (struct job_slices)JOB_SLICES_INIT;
    s->size = size;
}

/* --- Creating --- */

static int read_order(struct db *db, void *ctx, struct err *e)
{
    struct job_slices *s = ctx;

    order_release(&s->order); /* of an earlier try of this transaction */
    return repo_job_unmade_order(db, &s->run, &s->order, e);
}

/* Reads the order of the samples again if the run has another plan, or if another server has created jobs of it. */
static int know_order(struct job_slices *s, struct db *db, const struct unmade_run *r, struct err *e)
{
    if (strcmp(s->run.run, r->run) == 0 && strcmp(s->run.plan, r->plan) == 0 &&
        s->samples * r->designs == r->unmade) {
        s->run = *r;
        return 0;
    }
    job_slices_release(s);
    s->run = *r;
    if (db_transaction(db, read_order, s, e) < 0) {
        job_slices_release(s);
        return -1;
    }
    s->samples = s->order.numbers.length > 0;
    for (size_t i = 0; i < s->order.numbers.length; i++)
        s->samples += s->order.numbers.text[i] == ',';
    return 0;
}

/* Corrects the number of missing jobs in the run's row if it differs from the plan. Only manual changes of the
 * database cause a difference. */
static int correct_number(struct job_slices *s, struct db *db, struct err *e)
{
    int64_t unmade = s->samples * s->run.designs;

    ASSERT(s->samples >= 0 && s->run.designs > 0);
    if (unmade == s->run.unmade)
        return 0;
    s->run.unmade = unmade;
    return repo_job_set_unmade(db, s->run.run, unmade, e);
}

/* Writes "{…}" with the next n numbers of a list. Returns the position after them. */
static size_t next_numbers(const struct strbuf *list, size_t at, int64_t n, struct strbuf *out)
{
    size_t end = at;

    ASSERT(n > 0 && at <= list->length);
    for (int64_t i = 0; i < n; i++) {
        end += i > 0;
        end += strcspn(list->text + end, ",");
    }
    ASSERT(end <= list->length);
    strbuf_adds(out, "{");
    strbuf_add(out, list->text + at, end - at);
    strbuf_adds(out, "}");
    return end + (list->text[end] == ',');
}

struct making {
    struct job_slices *s;
    struct sample_order samples;
    bool last;
    wall_us now;
    uint64_t began_us; /* time at which the transaction got the lock that others wait for */
    int64_t made, cached;
};

static int make_slice(struct db *db, void *ctx, struct err *e)
{
    struct making *m = ctx;

    if (repo_job_admission_lock(db, e) < 0)
        return -1;
    m->began_us = clock_monotonic_us();
    if (repo_job_make_slice(db, &m->s->run, &m->samples, m->now, &m->made, &m->cached, e) < 0)
        return -1;
    ASSERT(m->cached >= 0 && m->cached <= m->made);
    return m->last ? repo_event_emit(db, m->s->run.run, m->now, "info", EVENT(run_jobs_created), e) : 0;
}

int64_t job_slices_size(int64_t size, uint64_t took_us)
{
    int64_t next = size * SLICE_US / (int64_t)(took_us + 1);

    ASSERT(size > 0);
    next = next > 2 * size ? 2 * size : next < size / 4 ? size / 4 : next;
    return next < SLICE_MIN ? SLICE_MIN : next > SLICE_MAX ? SLICE_MAX : next;
}

static int make_next(struct job_slices *s, struct db *db, struct clock *clock, struct err *e)
{
    struct making m = {.s = s, .samples = SAMPLE_ORDER_INIT, .now = clock_now(clock)};
    int64_t size = s->size ? s->size : SLICE_FIRST, count = size / s->run.designs;
    size_t at[2];
    int ret;

    ASSERT(s->samples > 0);
    count = count < 1 ? 1 : count > s->samples ? s->samples : count;
    at[0] = next_numbers(&s->order.numbers, s->at[0], count, &m.samples.numbers);
    at[1] = next_numbers(&s->order.launches, s->at[1], count, &m.samples.launches);
    m.last = count == s->samples;
    ret = m.samples.numbers.failed || m.samples.launches.failed ? err_no_memory(e)
                                                                : db_transaction(db, make_slice, &m, e);
    order_release(&m.samples);
    if (ret == 0) {
        memcpy(s->at, at, sizeof at);
        s->samples -= count;
        s->run.unmade -= m.made;
        s->size = job_slices_size(size, clock_monotonic_us() - m.began_us);
        return 0;
    }
    job_slices_release(s);
    return e->code == ERR_CONFLICT ? 0 : -1; /* cancelled, or another plan: the next call reads it again */
}

/* 1: a slice was created, or must be tried again. */
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

static int reconcile(struct db *db, void *ctx, struct err *e)
{
    (void)ctx;
    return repo_job_reconcile(db, e);
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
        ASSERT(found <= 0 || uuid_valid(id));
        if (found > 0 && db_transaction(db, cancel_slice, &c, e) < 0)
            return -1;
        any = any || found > 0;
    } while (found > 0 && clock_monotonic_us() < until);
    /* Jobs of other runs may have waited for these jobs. */
    if (found == 0 && any && db_transaction(db, reconcile, NULL, e) < 0)
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
