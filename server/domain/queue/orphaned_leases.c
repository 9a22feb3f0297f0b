#include "server/domain/queue/orphaned_leases.h"

#include <stdlib.h>

#include "base/array.h"
#include "base/assert.h"
#include "server/store/repo/repo_claim.h"
#include "server/domain/queue/attempt_end.h"

void orphaned_leases_release(struct orphaned_leases *f)
{
    free(f->jobs);
    f->jobs = NULL;
}

int orphaned_leases_find(struct orphaned_leases *f, struct db *db, const char *sessions, const char *listed,
                         struct err *e)
{
    struct strbuf jobs = STRBUF_INIT;
    struct db_rows q;
    bool failed;

    orphaned_leases_release(f); /* the transaction may be a retried one */
    if (repo_claim_unlisted(db, sessions, listed, f->leased_before, &q, e) < 0)
        return -1;
    db_array_begin(&jobs);
    for (int i = 0; i < q.count; i++)
        db_array_add(&jobs, db_get(&q, i, 0));
    db_array_end(&jobs);
    failed = jobs.failed; /* strbuf_detach() and strbuf_release() reset it */
    if (q.count > 0)
        f->jobs = strbuf_detach(&jobs);
    f->count = f->jobs ? (size_t)q.count : 0;
    db_rows_release(&q);
    strbuf_release(&jobs);
    return failed ? err_no_memory(e) : 0;
}

struct giving_back {
    const struct orphaned_leases *orphaned;
    struct attempt_ends ends;
    size_t count;
};

static int give_back(struct db *db, void *ctx, struct err *e)
{
    static const struct attempt_facts released = {
        .kind = END_REPORTED,
        .outcome = OUTCOME_RELEASED,
        .message = "the worker does not know this job: the reply to its claim was lost"};
    struct giving_back *g = ctx;

    ASSERT(g->orphaned->jobs && g->orphaned->count > 0);
    attempt_ends_release(&g->ends);
    g->count = 0;
    if (repo_job_lock(db, g->orphaned->jobs, g->orphaned->count, &g->ends.rows, e) < 0)
        return -1;
    for (size_t i = 0; i < g->ends.rows.count; i++) {
        struct job_row *row = &g->ends.rows.items[i];

        /* the job may have ended and been leased again before it was locked */
        if (row->state != JOB_LEASED || row->leased_at >= g->orphaned->leased_before)
            continue;
        if (attempt_end(&g->ends, db, row, &released, e) < 0)
            return -1;
        g->count++;
    }
    return attempt_ends_write(&g->ends, db, e);
}

int orphaned_leases_return(struct orphaned_leases *f, struct db *db, size_t *returned, struct err *e)
{
    struct giving_back g = {.orphaned = f, .ends = {.now = f->now}};
    int ret = f->jobs ? db_transaction(db, give_back, &g, e) : 0;

    ASSERT(f->leased_before <= f->now);
    attempt_ends_release(&g.ends);
    *returned = ret == 0 ? g.count : 0;
    return ret;
}
