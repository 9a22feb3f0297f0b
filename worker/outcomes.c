/* The end of held leases: the simulation's result is read, checked against the lease and written to the spool. */
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "base/log.h"
#include "base/text.h"
#include "worker/agent_internal.h"

static void spool_it(struct agent *a, struct job_outcome *o, bool durable)
{
    char quoted[600];
    struct err e;

    if (spool_add(a->spool, o, durable, &e) < 0)
        log_error("worker", "an outcome could not be made durable and is kept in memory only", "why=%s",
                  log_quote(e.text, quoted, sizeof quoted));
    job_outcome_release(o);
}

static void set_text(char **to, const char *text, size_t most)
{
    struct err ignored; /* without memory the report has no message */

    if (text && *text)
        *to = mem_strndup(text, utf8_cut(text, most), &ignored);
}

void held_end_plainly(struct held *h, enum attempt_outcome outcome, const char *message)
{
    struct job_outcome o;

    if (h->lease.record) {
        recordings_end(h->agent, &h->lease, outcome, message, ""); /* the simulator wrote no file */
        held_forget(h);
        return;
    }
    job_outcome_init(&o);
    memcpy(o.id.job, h->lease.job, sizeof o.id.job);
    o.id.attempt = h->lease.attempt;
    o.outcome = outcome;
    set_text(&o.message, message, WIRE_MESSAGE_BYTES);
    if (outcome != OUTCOME_RELEASED) {
        char quoted[600];

        h->agent->jobs_failed++;
        log_warn("worker", "a job could not be run", "job=%s attempt=%u outcome=%s why=%s", h->lease.job,
                 h->lease.attempt, attempt_outcome_name(outcome), log_quote(message, quoted, sizeof quoted));
    }
    spool_it(h->agent, &o, false);
    held_forget(h);
}

void held_result_path(const struct held *h, char *out)
{
    snprintf(out, PATH_MAX, "%s/attempts/%s.%u.json", h->agent->o->state, h->lease.job, h->lease.attempt);
}

void held_record_path(const struct held *h, char *out)
{
    snprintf(out, PATH_MAX, "%s/attempts/%s.%u.vrec", h->agent->o->state, h->lease.job, h->lease.attempt);
}

/* Reads the result file of a simulation and checks it against the lease. */
static int read_result(const struct held *h, struct result *out, struct err *e)
{
    char path[PATH_MAX];
    json_t *v;
    int ret;

    held_result_path(h, path);
    v = json_read_path(path, RESULT_BYTES_MAX, e);
    if (!v)
        return -1;
    ret = result_from_json(v, out, e);
    json_decref(v);
    if (ret < 0)
        return -1;
    if (strcmp(out->trace_sha256, h->lease.trace_sha256) == 0 &&
        strcmp(out->design_sha256, h->lease.design_sha256) == 0)
        return 0;
    result_release(out);
    return err_set(e, ERR_INVALID, "it is for another trace or design than requested");
}

void held_end_replay(struct held *h)
{
    struct agent *a = h->agent;
    struct job_outcome o;
    struct err e;

    job_outcome_init(&o);
    memcpy(o.id.job, h->lease.job, sizeof o.id.job);
    o.id.attempt = h->lease.attempt;
    if (result_replay(h->lease.replay_value, h->lease.replay_unit, &o.result, &e) < 0) {
        held_end_plainly(h, OUTCOME_DISK, e.text);
        return;
    }
    o.has_result = true;
    a->jobs_ok++;
    spool_it(a, &o, false); /* not durable: a replay can be repeated at no cost */
    held_forget(h);
}

/* Returns the message without the input's path on this machine, which has no meaning for its reader. */
static const char *without_path(const struct held *h, const char *message)
{
    char path[PATH_MAX];

    for (int i = 0; i < INPUT_KINDS; i++)
        if (held_input_path(h, (enum input_kind)i, path) && str_starts(message, path) &&
            str_starts(message + strlen(path), ": "))
            return message + strlen(path) + 2;
    return message;
}

static void fill_outcome(struct held *h, const struct sim_end *end, struct job_outcome *o)
{
    char message[600];
    struct err e;

    job_outcome_init(o);
    memcpy(o->id.job, h->lease.job, sizeof o->id.job);
    o->id.attempt = h->lease.attempt;
    o->outcome = end->outcome;
    o->host_seconds = end->host_seconds;
    o->cpu_seconds = end->cpu_seconds > 0 ? end->cpu_seconds : 0;
    o->peak_bytes = end->peak_bytes;
    set_text(&o->last_lines, end->last_lines, WIRE_LAST_LINES_BYTES);
    if (end->outcome != OUTCOME_OK) {
        set_text(&o->message, without_path(h, end->message), WIRE_MESSAGE_BYTES);
        return;
    }
    o->has_result = read_result(h, &o->result, &e) == 0;
    if (o->has_result) {
        o->host_seconds = o->result.host_seconds; /* the events of a pack give no time for each job */
    } else {
        o->outcome = OUTCOME_CRASH;
        snprintf(message, sizeof message, "the simulator reported success, but its result cannot be used: %s",
                 e.text);
        set_text(&o->message, message, WIRE_MESSAGE_BYTES);
    }
}

/* Ends a lease with `record`: the recording is sent. The result file is deleted, since the server has the result.
 */
static void end_recording(struct held *h, const struct sim_end *end)
{
    struct agent *a = h->agent;
    char path[PATH_MAX];

    log_debug("worker", "a recording ended", "result=%s attempt=%u outcome=%s", h->lease.job, h->lease.attempt,
              attempt_outcome_name(end->outcome));
    held_record_path(h, path);
    recordings_end(a, &h->lease, end->outcome, end->message ? without_path(h, end->message) : NULL, path);
    unlink(path);
    held_result_path(h, path);
    unlink(path);
    held_forget(h);
}

void held_end_simulated(struct held *h, const struct sim_end *end)
{
    struct agent *a = h->agent;
    struct job_outcome o;
    char path[PATH_MAX], quoted[600];

    if (h->lease.record) {
        end_recording(h, end);
        return;
    }
    fill_outcome(h, end, &o);
    held_result_path(h, path);
    if (o.has_result) {
        a->mean_job_s = a->mean_job_s > 0 ? 0.8 * a->mean_job_s + 0.2 * o.host_seconds : o.host_seconds;
        a->jobs_ok++;
        log_debug("worker", "a simulation ended", "job=%s attempt=%u seconds=%.3f", h->lease.job, h->lease.attempt,
                  o.host_seconds);
    } else if (o.outcome != OUTCOME_RELEASED) {
        a->jobs_failed++;
        log_warn("worker", "a simulation failed", "job=%s attempt=%u outcome=%s seconds=%.3f why=%s", h->lease.job,
                 h->lease.attempt, attempt_outcome_name(o.outcome), end->host_seconds,
                 log_quote(o.message ? o.message : "", quoted, sizeof quoted));
    }
    if (h->aborted && !o.has_result)
        job_outcome_release(&o); /* the server has cancelled the attempt */
    else
        spool_it(a, &o, o.has_result);
    unlink(path);
    held_forget(h);
    report_pump(a);
}
