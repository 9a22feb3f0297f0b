/* Reports the outcomes in the spool to the server, in batches, and retries without limit. */
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/clock.h"
#include "base/log.h"
#include "worker/agent_internal.h"

enum { BATCH_MAX = 64 };
#define BATCH_BYTES ((size_t)2 << 20)

/* Selects the spool entries for one message. The spool keeps ownership of them. */
static size_t choose(struct agent *a, struct spool_entry **batch)
{
    size_t n = 0, bytes = 0;

    for (struct spool_entry *x = spool_first(a->spool); x && n < BATCH_MAX; x = x->next) {
        if (n > 0 && (x->alone || bytes + x->bytes > BATCH_BYTES))
            continue;
        batch[n++] = x;
        bytes += x->bytes;
        if (x->alone)
            break;
    }
    return n;
}

static int write_request(struct agent *a, struct spool_entry *const *batch, size_t n, struct strbuf *text,
                         struct err *e)
{
    struct job_outcome outcomes[BATCH_MAX];
    struct complete_request r = {.count = n, .outcomes = outcomes};
    json_t *v;

    memcpy(r.session, a->session.session, sizeof r.session);
    for (size_t i = 0; i < n; i++)
        outcomes[i] = batch[i]->outcome; /* borrowed, not released */
    v = complete_request_to_json(&r);
    if (v)
        json_write_text(v, false, text);
    json_decref(v);
    return !v || text->failed ? err_no_memory(e) : 0;
}

static struct spool_entry *find_in_flight(struct agent *a, const struct attempt_id *id)
{
    struct spool_entry *x = spool_first(a->spool);

    while (x && !(x->in_flight && strcmp(x->outcome.id.job, id->job) == 0 && x->outcome.id.attempt == id->attempt))
        x = x->next;
    return x;
}

/* Returns the number of outcomes that the server has processed. */
static size_t take_items(struct agent *a, const struct complete_answer *answer)
{
    size_t removed = 0;

    for (size_t i = 0; i < answer->count; i++) {
        const struct complete_item *item = &answer->items[i];
        struct spool_entry *x = find_in_flight(a, &item->id);
        char quoted[300];

        if (!x)
            continue;
        if (!item->accepted && x->outcome.has_result && x->on_disk) {
            log_warn("worker",
                     "the server does not need a result; the result is kept in the spool folder as *.refused",
                     "job=%s attempt=%u why=%s", item->id.job, item->id.attempt,
                     log_quote(item->reason, quoted, sizeof quoted));
            spool_refuse(a->spool, x);
            removed++;
            continue;
        }
        if (!item->accepted)
            log_info("worker", "the server did not need an outcome", "job=%s attempt=%u why=%s", item->id.job,
                     item->id.attempt, log_quote(item->reason, quoted, sizeof quoted));
        else
            log_debug("worker", "the server accepted an outcome", "job=%s attempt=%u outcome=%s why=%s",
                      item->id.job, item->id.attempt, attempt_outcome_name(x->outcome.outcome),
                      log_quote(item->reason, quoted, sizeof quoted));
        spool_remove(a->spool, x);
        removed++;
    }
    return removed;
}

static size_t take_answer(struct agent *a, const struct http_answer *answer)
{
    struct complete_answer items;
    char quoted[600];
    size_t removed = 0;
    struct err e;
    json_t *v = json_read_text(answer->body, answer->length, "the answer", &e);

    if (v && complete_answer_from_json(v, &items, &e) == 0) {
        removed = take_items(a, &items);
        complete_answer_release(&items);
    } else {
        log_warn("worker", "the reply to a report is not valid", "why=%s",
                 log_quote(e.text, quoted, sizeof quoted));
    }
    json_decref(v);
    return removed;
}

/* The server refused the whole message. Its entries are then sent one by one, and a single entry that is refused is
 * set aside. */
static void take_refusal(struct agent *a, const char *why)
{
    size_t n = 0;
    char quoted[600];

    for (struct spool_entry *x = spool_first(a->spool); x; x = x->next)
        n += x->in_flight;
    for (struct spool_entry *x = spool_first(a->spool), *next; x; x = next) {
        next = x->next;
        if (!x->in_flight)
            continue;
        if (n > 1) {
            x->alone = true;
            continue;
        }
        log_error("worker", "the server refuses an outcome; it is kept in the spool folder as *.refused",
                  "job=%s attempt=%u why=%s", x->outcome.id.job, x->outcome.id.attempt,
                  log_quote(why, quoted, sizeof quoted));
        spool_refuse(a->spool, x);
    }
}

static bool refused_for_good(int status)
{
    return status == 400 || status == 413 || status == 415 || status == 422;
}

static void on_reported(void *ctx, const struct http_answer *answer)
{
    struct agent *a = ctx;
    char why[300], quoted[600];
    bool fine = false;

    a->reporting = NULL;
    if (answer->status == 200) {
        fine = take_answer(a, answer) > 0;
    } else if (answer->status == 404 || answer->status == 410) {
        agent_session_lost(a);
        fine = true; /* sent again as soon as there is a new session */
    } else {
        http_problem(answer, why, sizeof why);
        log_warn("worker", "a report could not be sent and is sent again", "waiting=%zu why=%s",
                 spool_count(a->spool), log_quote(why, quoted, sizeof quoted));
        if (refused_for_good(answer->status)) {
            take_refusal(a, why);
            fine = true;
        }
    }
    for (struct spool_entry *x = spool_first(a->spool); x; x = x->next)
        x->in_flight = false;
    if (fine)
        a->report_again = (struct backoff){.failures = 0};
    else
        backoff_next(&a->report_again, answer->retry_after_s);
    agent_pump(a);
}

void report_pump(struct agent *a)
{
    struct spool_entry *batch[BATCH_MAX];
    struct strbuf text = STRBUF_INIT;
    struct http_call call = {
        .method = "POST", .path = "/api/v1/worker/complete", .timeout_s = 60, .done = on_reported};
    struct err e;
    size_t n;

    if (!a->has_session || a->reporting || clock_monotonic_us() < a->report_again.until_us ||
        a->phase == PHASE_OVER)
        return;
    n = choose(a, batch);
    if (n == 0)
        return;
    if (write_request(a, batch, n, &text, &e) == 0) {
        call.body = text.text;
        call.body_length = text.length;
        call.ctx = a;
        a->reporting = http_start(a->http, &call, &e);
    }
    if (a->reporting)
        for (size_t i = 0; i < n; i++)
            batch[i]->in_flight = true;
    else
        backoff_next(&a->report_again, 0);
    strbuf_release(&text);
}
