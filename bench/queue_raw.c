/* queue_raw DATABASE SESSION BATCH SECONDS: executes the server's SQL statements for claims and completions on one
 * connection, without HTTP and JSON. This is the rate that PostgreSQL permits. Prints "jobs seconds cpu_seconds".
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "base/array.h"
#include "base/clock.h"
#include "server/domain/queue/claims.h"
#include "server/domain/queue/completion.h"
#include "server/store/repo/sql/statements.h"

static void die(const char *what)
{
    fprintf(stderr, "queue_raw: %s\n", what);
    exit(1);
}

static void fill(struct complete_request *r, const struct lease_list *leases)
{
    struct err e;

    r->count = leases->count;
    r->outcomes = mem_zalloc(leases->count, sizeof *r->outcomes, &e);
    if (!r->outcomes)
        die(e.text);
    for (size_t i = 0; i < leases->count; i++) {
        const struct lease *l = &leases->items[i];
        struct job_outcome *o = &r->outcomes[i];

        job_outcome_init(o);
        snprintf(o->id.job, sizeof o->id.job, "%s", l->job);
        o->id.attempt = l->attempt;
        o->has_result = true;
        if (result_replay(l->replay_value, l->replay_unit, &o->result, &e) < 0)
            die(e.text);
    }
}

/* One round: claims a batch and completes it. Returns the number of jobs; 0: the queue is empty. */
static size_t round_of(struct db *db, struct claims *claims, const char *session, uint32_t batch)
{
    struct claim_ask ask = {.session = session, .slots = batch, .pack = 1};
    struct complete_request request = {.count = 0};
    const struct complete_request *requests[] = {&request};
    struct completion_counts counts = {.done = 0};
    struct complete_answer answer;
    struct err e;
    bool more;

    if (claims_run(claims, db, &ask, 1, &more, &e) < 0)
        die(e.text);
    if (ask.leases.count > 0) {
        fill(&request, &ask.leases);
        if (completion_run(db, &clock_system, 0, requests, 1, &answer, &counts, &e) < 0)
            die(e.text);
        complete_answer_release(&answer);
        complete_request_release(&request);
    }
    lease_list_release(&ask.leases);
    return counts.done;
}

int main(int argc, char **argv)
{
    const struct claim_limits limits = {3600, 1 << 30, 1000000000};
    uint64_t begin = clock_monotonic_us(), end, jobs = 0;
    struct claims *claims;
    struct rusage use;
    struct db *db;
    struct err e;
    size_t n = 1;

    if (argc != 5)
        die("usage: queue_raw DATABASE SESSION BATCH SECONDS");
    db_use_statements(sql_statements);
    if (db_open_hot(argv[1], &db, &e) < 0 || !(claims = claims_new(&clock_system, &limits, &e)))
        die(e.text);
    end = begin + (uint64_t)(strtod(argv[4], NULL) * 1e6);
    while (n > 0 && clock_monotonic_us() < end)
        jobs += n = round_of(db, claims, argv[2], (uint32_t)strtoul(argv[3], NULL, 10));
    getrusage(RUSAGE_SELF, &use);
    printf("%" PRIu64 " %.3f %.2f\n", jobs, (double)(clock_monotonic_us() - begin) / 1e6,
           (double)use.ru_utime.tv_sec + (double)use.ru_utime.tv_usec / 1e6 + (double)use.ru_stime.tv_sec +
               (double)use.ru_stime.tv_usec / 1e6);
    claims_free(claims);
    db_close(db);
    return 0;
}
