/* Sends recordings of results to the server, one at a time. They are kept in memory only: no projection depends on
 * them, and a lost recording is made again when its lease expires. */
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/text.h"
#include "base/whole_file.h"
#include "worker/agent_internal.h"
#include "wire/recording_report.h"

#define RECORDING_MAX ((size_t)16 << 20) /* the server takes no more */

struct recording_waiting {
    struct recording_waiting *next;
    struct recording_report report;
};

static void drop_first(struct agent *a)
{
    struct recording_waiting *x = a->recordings;

    a->recordings = x->next;
    recording_report_release(&x->report);
    free(x);
}

void recordings_forget_all(struct agent *a)
{
    while (a->recordings)
        drop_first(a);
}

static void on_sent(void *ctx, const struct http_answer *answer)
{
    struct agent *a = ctx;
    char why[300], quoted[600];
    bool taken = answer->status >= 200 && answer->status < 300;
    bool refused = answer->status >= 400 && answer->status < 500 && answer->status != 408 && answer->status != 429;

    a->sending_recording = NULL;
    if (!taken)
        log_warn("worker", "a recording could not be sent", "result=%s again=%d why=%s",
                 a->recordings->report.id.job, !refused,
                 log_quote(http_problem(answer, why, sizeof why), quoted, sizeof quoted));
    if (taken || refused) {
        a->recording_again = (struct backoff){.failures = 0};
        drop_first(a);
    } else {
        backoff_next(&a->recording_again, answer->retry_after_s);
    }
    agent_pump(a);
}

void recordings_pump(struct agent *a)
{
    struct strbuf text = STRBUF_INIT;
    struct http_call call = {
        .method = "POST", .path = "/api/v1/worker/recordings", .timeout_s = 120, .done = on_sent, .ctx = a};
    struct err e;
    json_t *v;

    if (!a->recordings || !a->has_session || a->sending_recording || a->phase == PHASE_OVER ||
        clock_monotonic_us() < a->recording_again.until_us)
        return;
    v = recording_report_to_json(&a->recordings->report);
    if (v)
        json_write_text(v, false, &text);
    json_decref(v);
    call.body = text.text;
    call.body_length = text.length;
    if (v && !text.failed)
        a->sending_recording = http_start(a->http, &call, &e);
    if (!a->sending_recording)
        backoff_next(&a->recording_again, 0);
    strbuf_release(&text);
}

void recordings_end(struct agent *a, const struct lease *lease, enum attempt_outcome outcome, const char *message,
                    const char *path)
{
    struct recording_waiting *x, **at = &a->recordings;
    struct err e;
    char *bytes = NULL;

    x = mem_zalloc(1, sizeof *x, &e);
    if (!x) /* the lease expires, and another worker makes the recording */
        return;
    memcpy(x->report.session, a->session.session, sizeof x->report.session);
    memcpy(x->report.id.job, lease->job, sizeof x->report.id.job);
    x->report.id.attempt = lease->attempt;
    if (outcome == OUTCOME_OK && whole_file_read(path, RECORDING_MAX, &bytes, &x->report.n, &e) < 0) {
        outcome = OUTCOME_DISK;
        message = e.text;
    }
    x->report.outcome = outcome;
    x->report.bytes = bytes;
    if (outcome != OUTCOME_OK && message && *message)
        x->report.message = mem_strndup(message, utf8_cut(message, WIRE_MESSAGE_BYTES), &e);
    while (*at)
        at = &(*at)->next;
    *at = x;
    recordings_pump(a);
}
