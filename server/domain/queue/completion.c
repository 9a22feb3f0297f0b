#include "server/domain/queue/completion.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/assert.h"
#include "base/log.h"
#include "server/domain/queue/attempt_end.h"
#include "server/store/repo/repo_recheck.h"
#include "server/store/repo/repo_result.h"

struct stored {
    struct result_row row;
    char worker[WIRE_NAME];
    const char *run;
};
struct batch {
    struct clock *clock;
    double recheck;
    const struct complete_request *const *requests;
    size_t count;
    struct complete_answer *answers;
    struct completion_counts *counts;
    struct attempt_ends ends;
    struct stored *stored;
    size_t stored_count, stored_capacity;
    struct strbuf late_keys;
    bool any_late;
};

static void batch_clear(struct batch *b)
{
    attempt_ends_release(&b->ends);
    for (size_t i = 0; i < b->stored_count; i++)
        free(b->stored[i].row.body);
    free(b->stored);
    b->stored = NULL;
    b->stored_count = b->stored_capacity = 0;
    strbuf_release(&b->late_keys);
    b->any_late = false;
    for (size_t i = 0; i < b->count; i++)
        complete_answer_release(&b->answers[i]);
    *b->counts = (struct completion_counts){.done = 0};
}

static int lock_jobs(struct batch *b, struct db *db, struct err *e)
{
    struct strbuf ids = STRBUF_INIT;
    size_t count = 0;
    int ret;

    db_array_begin(&ids);
    for (size_t i = 0; i < b->count; i++) {
        for (size_t k = 0; k < b->requests[i]->count; k++) {
            if (!uuid_valid(b->requests[i]->outcomes[k].id.job))
                continue;
            db_array_add(&ids, b->requests[i]->outcomes[k].id.job);
            count++;
        }
    }
    db_array_end(&ids);
    ret = ids.failed ? err_no_memory(e) : repo_job_lock(db, ids.text, count, &b->ends.rows, e);
    ASSERT(ret < 0 || b->ends.rows.count <= count);
    strbuf_release(&ids);
    return ret;
}

/* NULL when the result matches the job's request. Otherwise the reason. */
static const char *wrong_result(const struct job_row *row, const struct result *r)
{
    if (r->replay == row->cycle)
        return "the result is from another engine than the job";
    if (strcmp(r->simulator, row->simulator) != 0)
        return "the result is from another simulator version than the run";
    if (row->cycle && strcmp(r->trace_sha256, row->trace_sha256) != 0)
        return "the result is for another trace than the job";
    if (row->cycle && strcmp(r->design_sha256, row->design_sha256) != 0)
        return "the result is for another design than the job";
    if (r->projected && row->inside_kernels == 0)
        return "the result is projected inside its launch, and the run needs whole simulations";
    return NULL;
}

/* The caller frees the text. */
static char *text_of(const struct result *r, struct err *e)
{
    struct strbuf body = STRBUF_INIT;
    json_t *document = result_to_json(r);
    char *text;

    if (document)
        json_write_text(document, false, &body);
    json_decref(document);
    text = document ? strbuf_detach(&body) : NULL;
    strbuf_release(&body);
    if (!text)
        err_no_memory(e);
    return text;
}

static int store(struct batch *b, const struct job_row *row, const char *worker, const struct result *r,
                 struct err *e)
{
    struct stored *s;

    ASSERT(r->digest[0] != '\0');
    if (array_reserve((void **)&b->stored, &b->stored_capacity, b->stored_count + 1, sizeof *b->stored, e) < 0)
        return -1;
    s = &b->stored[b->stored_count];
    *s = (struct stored){
        .row = {.key = row->key, .inside_kernels = row->inside_kernels, .result = r, .body = text_of(r, e)},
        .run = row->run};
    snprintf(s->worker, sizeof s->worker, "%s", worker);
    if (!s->row.body)
        return -1;
    uuid_make(b->clock, s->row.id);
    b->stored_count++;
    return 0;
}

static const char another_token[] = "the lease belongs to a session of another token";

static void become_done(struct batch *b, struct job_row *row)
{
    ASSERT(job_may_become(row->state, JOB_DONE));
    row->changed = true;
    row->state = JOB_DONE;
    row->ready_at = 0;
    b->counts->done++;
}

static bool is_current(const struct job_row *row, const struct job_outcome *o)
{
    return row->state == JOB_LEASED && row->attempt == (int)o->id.attempt && !row->changed;
}

/* The lease expired, but the worker has sent a result. */
static int late_result(struct batch *b, struct job_row *row, const struct job_outcome *o,
                       const struct ended_attempt *a, struct complete_item *item, struct err *e)
{
    ASSERT(o->outcome == OUTCOME_OK && !is_current(row, o));
    if (a->well && row->state != JOB_DONE) { /* otherwise the discarded result would count again */
        item->accepted = false;
        snprintf(item->reason, sizeof item->reason, "the result of this attempt was discarded");
        return 0;
    }
    if (store(b, row, a->worker, &o->result, e) < 0 || !attempt_ends_note(&b->ends, row->run, e))
        return -1;
    if (row->state == JOB_DONE) {
        snprintf(item->reason, sizeof item->reason, "the job was done already");
        return 0;
    }
    b->counts->late++;
    b->any_late = true;
    db_array_add(&b->late_keys, row->key);
    snprintf(item->reason, sizeof item->reason, "late: the lease had ended; the result is used");
    if (job_may_become(row->state, JOB_DONE))
        become_done(b, row);
    return 0;
}

static int good_result(struct batch *b, struct job_row *row, const struct job_outcome *o,
                       const struct attempt_facts *f, struct err *e)
{
    ASSERT(is_current(row, o));
    if (store(b, row, row->worker, &o->result, e) < 0 || !attempt_ends_note(&b->ends, row->run, e) ||
        attempt_end_well(&b->ends, row, f, e) < 0)
        return -1;
    become_done(b, row);
    b->counts->host_seconds += o->result.host_seconds;
    b->counts->cycles += o->result.cycles;
    return 0;
}

static int refuse(struct complete_item *item, const char *reason)
{
    item->accepted = false;
    snprintf(item->reason, sizeof item->reason, "%s", reason);
    return 0;
}

/* The lease has expired. Only the token that had it may report the end of the attempt. */
static int judge_ended(struct batch *b, struct db *db, struct job_row *row, const struct job_outcome *o,
                       int64_t token, struct complete_item *item, struct err *e)
{
    struct ended_attempt a;
    int found = repo_job_attempt(db, row->id, (int)o->id.attempt, &a, e);

    ASSERT((int)o->id.attempt <= row->attempt && o->outcome < OUTCOME_COUNT);
    if (found < 0)
        return -1;
    if (found > 0 && a.token != token)
        return refuse(item, another_token);
    b->counts->ended[o->outcome]++;
    if (o->outcome != OUTCOME_OK || wrong_result(row, &o->result))
        return refuse(item, "the lease had ended");
    if (found > 0)
        return late_result(b, row, o, &a, item, e);
    if (row->state != JOB_DONE) /* the job was cancelled, or started again */
        return refuse(item, "the lease had ended");
    snprintf(item->reason, sizeof item->reason, "the job was done already");
    return 0;
}

/* --- A second simulation of a result --- */

static int compare(struct batch *b, struct db *db, const struct job_outcome *o, const struct recheck *r,
                   const struct task_end *end, struct err *e)
{
    bool agrees = strcmp(o->result.digest, r->digest) == 0;
    char *body;
    int ret;

    ASSERT(o->outcome == OUTCOME_OK);
    if (!agrees) {
        body = text_of(&o->result, e);
        ret = body ? repo_result_dispute(db, r->result, o->result.digest, r->second, body, b->ends.now, e) : -1;
        free(body);
        if (ret < 0)
            return -1;
        b->counts->disputed++;
    }
    return repo_recheck_compared(db, end, r->second, agrees, b->ends.now, e);
}

static int judge_recheck(struct batch *b, struct db *db, const struct job_outcome *o, int64_t token,
                         struct complete_item *item, struct err *e)
{
    struct task_end end = {.id = o->id.job,
                           .attempt = o->id.attempt,
                           .done = o->outcome == OUTCOME_OK,
                           .why = o->message && o->message[0] ? o->message : attempt_outcome_name(o->outcome),
                           .again = attempt_outcome_budget(o->outcome) != BUDGET_PERMANENT};
    struct recheck r;
    int found = uuid_valid(o->id.job) ? repo_recheck_held(db, o->id.job, o->id.attempt, &r, e) : 0;

    if (found <= 0)
        return found < 0 ? -1 : refuse(item, "there is no such job");
    if (r.token != token)
        return refuse(item, another_token);
    b->counts->ended[o->outcome]++;
    if (end.done && (o->result.replay || strcmp(o->result.simulator, r.simulator) != 0 ||
                     strcmp(o->result.trace_sha256, r.trace_sha256) != 0 ||
                     strcmp(o->result.design_sha256, r.design_sha256) != 0)) {
        refuse(item, "the result is for another simulation");
        end.done = false;
        end.why = item->reason;
        end.again = true;
    }
    return end.done ? compare(b, db, o, &r, &end, e) : repo_recheck_failed(db, &end, b->ends.now, e);
}

/* The first 32 bits of the key decide, so that a result that is simulated again is chosen again. */
static bool is_chosen(const struct batch *b, const char *key)
{
    char head[9];

    ASSERT(b->recheck > 0 && b->recheck <= 1);
    snprintf(head, sizeof head, "%.8s", key);
    return (double)strtoul(head, NULL, 16) < b->recheck * 4294967296.0;
}

static int make_rechecks(struct batch *b, struct db *db, struct err *e)
{
    struct strbuf ids = STRBUF_INIT;
    size_t chosen = 0;
    int ret = 0;

    db_array_begin(&ids);
    for (size_t i = 0; b->recheck > 0 && i < b->stored_count; i++) {
        if (!is_chosen(b, b->stored[i].row.key))
            continue;
        db_array_add(&ids, b->stored[i].row.id);
        chosen++;
    }
    db_array_end(&ids);
    if (chosen > 0)
        ret = ids.failed ? err_no_memory(e) : repo_recheck_make(db, ids.text, b->ends.now, e);
    strbuf_release(&ids);
    return ret;
}

/* --- The whole batch --- */

static int judge(struct batch *b, struct db *db, const struct job_outcome *o, int64_t token,
                 struct complete_item *item, struct err *e)
{
    struct job_row *row = job_rows_find(&b->ends.rows, o->id.job);
    struct attempt_facts f = {.kind = END_REPORTED,
                              .outcome = o->outcome,
                              .message = o->message,
                              .last_lines = o->last_lines,
                              .host_seconds = o->host_seconds,
                              .cpu_seconds = o->cpu_seconds,
                              .peak_bytes = o->peak_bytes};
    const char *wrong;

    ASSERT(o->outcome < OUTCOME_COUNT);
    item->id = o->id;
    item->accepted = true;
    if (!row)
        return judge_recheck(b, db, o, token, item, e);
    if ((int)o->id.attempt > row->attempt)
        return refuse(item, "this attempt was never leased");
    if (!is_current(row, o))
        return judge_ended(b, db, row, o, token, item, e);
    if (row->token != token)
        return refuse(item, another_token);
    b->counts->ended[o->outcome]++;
    wrong = o->outcome == OUTCOME_OK ? wrong_result(row, &o->result) : NULL;
    if (o->outcome == OUTCOME_OK && !wrong)
        return good_result(b, row, o, &f, e);
    if (wrong) {
        f.outcome = OUTCOME_CRASH;
        f.message = wrong;
        refuse(item, wrong);
    }
    return attempt_end(&b->ends, db, row, &f, e);
}

static int judge_all(struct batch *b, struct db *db, struct err *e)
{
    for (size_t i = 0; i < b->count; i++) {
        const struct complete_request *q = b->requests[i];
        struct complete_answer *a = &b->answers[i];

        a->items = mem_zalloc(q->count + 1, sizeof *a->items, e);
        if (!a->items)
            return -1;
        a->count = q->count;
        for (size_t k = 0; k < q->count; k++) {
            if (judge(b, db, &q->outcomes[k], q->token, &a->items[k], e) < 0)
                return -1;
        }
    }
    return 0;
}

static int dispute(struct batch *b, struct db *db, const struct stored *s, const char *result, struct err *e)
{
    struct run_note *n = attempt_ends_note(&b->ends, s->run, e);

    if (!n)
        return -1;
    n->dispute = true;
    b->counts->disputed++;
    log_error("dispatcher", "two simulations of one key gave different results", "result=%s digest=%s", result,
              s->row.result->digest);
    return repo_result_dispute(db, result, s->row.result->digest, s->worker, s->row.body, b->ends.now, e);
}

static int by_key(const void *a, const void *b)
{
    return strcmp(((const struct stored *)a)->row.key, ((const struct stored *)b)->row.key);
}

/* Some keys existed before. For each key, finds the stored result and whether it is the new one. `found` and the
 * stored results are both sorted by key. */
static int settle(struct batch *b, struct db *db, const struct db_rows *found, struct err *e)
{
    int i = 0;

    for (size_t k = 0; k < b->stored_count; k++) {
        struct stored *s = &b->stored[k];

        ASSERT(k == 0 || strcmp(b->stored[k - 1].row.key, s->row.key) <= 0);
        while (i < found->count && strcmp(db_get(found, i, 1), s->row.key) < 0)
            i++;
        if (i == found->count || strcmp(db_get(found, i, 1), s->row.key) != 0)
            return err_set(e, ERR_INTERNAL, "the result of key %s is missing after it was stored", s->row.key);
        if (strcmp(s->row.result->digest, db_get(found, i, 2)) != 0 &&
            dispute(b, db, s, db_get(found, i, 0), e) < 0)
            return -1;
        snprintf(s->row.id, sizeof s->row.id, "%s", db_get(found, i, 0));
    }
    return 0;
}

static int find_known(struct batch *b, struct db *db, struct err *e)
{
    struct strbuf keys = STRBUF_INIT;
    struct db_rows found = {.count = 0};
    int ret;

    db_array_begin(&keys);
    for (size_t i = 0; i < b->stored_count; i++)
        db_array_add(&keys, b->stored[i].row.key);
    db_array_end(&keys);
    ret = keys.failed ? err_no_memory(e) : repo_result_find(db, keys.text, &found, e);
    strbuf_release(&keys);
    if (ret < 0)
        return -1;
    ret = settle(b, db, &found, e);
    db_rows_release(&found);
    return ret;
}

static void name_results(struct batch *b)
{
    for (size_t k = 0; k < b->ends.rows.count; k++) {
        struct job_row *row = &b->ends.rows.items[k];
        const struct stored key = {.row = {.key = row->key}}, *s;

        if (!row->changed || row->state != JOB_DONE)
            continue;
        s = array_search(&key, b->stored, b->stored_count, sizeof *b->stored, by_key);
        if (s) /* a job is done only by a result with its own key */
            snprintf(row->result, sizeof row->result, "%s", s->row.id);
    }
}

static int store_results(struct batch *b, struct db *db, struct err *e)
{
    struct result_row *rows;
    size_t fresh = 0;
    int ret;

    if (b->stored_count == 0)
        return 0;
    array_sort(b->stored, b->stored_count, sizeof *b->stored, by_key);
    rows = mem_zalloc(b->stored_count, sizeof *rows, e);
    if (!rows)
        return -1;
    for (size_t i = 0; i < b->stored_count; i++) {
        rows[i] = b->stored[i].row;
        rows[i].worker = b->stored[i].worker;
    }
    ret = repo_result_put(db, rows, b->stored_count, b->ends.now, &fresh, e);
    ASSERT(ret < 0 || fresh <= b->stored_count);
    free(rows);
    if (ret == 0)
        ret = make_rechecks(b, db, e); /* after storing, because rechecks refer to stored results */
    if (ret == 0 && fresh < b->stored_count)
        ret = find_known(b, db, e);
    if (ret == 0)
        name_results(b);
    return ret;
}

static int body(struct db *db, void *ctx, struct err *e)
{
    struct batch *b = ctx;

    batch_clear(b); /* the transaction may be a retried one */
    b->ends.now = clock_now(b->clock);
    db_array_begin(&b->late_keys);
    if (lock_jobs(b, db, e) < 0 || judge_all(b, db, e) < 0 || store_results(b, db, e) < 0)
        return -1;
    db_array_end(&b->late_keys);
    if (b->late_keys.failed)
        return err_no_memory(e);
    if (b->any_late)
        b->ends.late_keys = b->late_keys.text;
    return attempt_ends_write(&b->ends, db, e);
}

int completion_run(struct db *db, struct clock *clock, double recheck,
                   const struct complete_request *const *requests, size_t count, struct complete_answer *answers,
                   struct completion_counts *counts, struct err *e)
{
    struct batch b = {.clock = clock,
                      .recheck = recheck,
                      .requests = requests,
                      .count = count,
                      .answers = answers,
                      .counts = counts,
                      .late_keys = STRBUF_INIT};
    struct completion_counts kept;
    int ret;

    ASSERT(recheck >= 0 && recheck <= 1);
    for (size_t i = 0; i < count; i++)
        answers[i] = (struct complete_answer){.count = 0};
    ret = db_transaction(db, body, &b, e);
    kept = *counts;
    b.count = ret < 0 ? count : 0; /* on success the caller owns the answers */
    batch_clear(&b);
    if (ret == 0)
        *counts = kept;
    return ret;
}
