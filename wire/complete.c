/* How attempts ended (wire/lease.h): the report of outcomes and the server's answer. */
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/assert.h"
#include "wire/lease_items.h"

static const struct {
    const char *name;
    enum outcome_budget budget;
} outcomes[OUTCOME_COUNT] = {
#define X(name, text, budget) {text, BUDGET_##budget},
    OUTCOME_MAP(X)
#undef X
};

const char *attempt_outcome_name(enum attempt_outcome outcome)
{
    ASSERT(outcome < OUTCOME_COUNT);
    return outcomes[outcome].name;
}

int attempt_outcome_from_name(const char *name, enum attempt_outcome *out)
{
    for (int i = 0; i < OUTCOME_COUNT; i++)
        if (strcmp(outcomes[i].name, name) == 0) {
            *out = (enum attempt_outcome)i;
            return 0;
        }
    return -1;
}

enum outcome_budget attempt_outcome_budget(enum attempt_outcome outcome)
{
    ASSERT(outcome < OUTCOME_COUNT);
    return outcomes[outcome].budget;
}

void job_outcome_init(struct job_outcome *o)
{
    *o = (struct job_outcome){.outcome = OUTCOME_OK};
    result_init(&o->result);
}

void job_outcome_release(struct job_outcome *o)
{
    free(o->message);
    free(o->last_lines);
    result_release(&o->result);
    job_outcome_init(o);
}

json_t *job_outcome_to_json(const struct job_outcome *o)
{
    struct json_obj w = json_obj_begin();

    ASSERT(o->has_result == (o->outcome == OUTCOME_OK));
    ASSERT(!(o->host_seconds < 0) && !(o->cpu_seconds < 0));
    attempt_put(&w, o->id.job, o->id.attempt);
    json_put_str(&w, "outcome", attempt_outcome_name(o->outcome));
    json_put(&w, "message", json_str_or_null(o->message));
    json_put(&w, "last_lines", json_str_or_null(o->last_lines));
    json_put_double(&w, "host_seconds", o->host_seconds);
    json_put_double(&w, "cpu_seconds", o->cpu_seconds);
    json_put_u64(&w, "peak_bytes", o->peak_bytes);
    json_put(&w, "result", o->has_result ? result_to_json(&o->result) : json_null());
    return json_obj_end(&w);
}

static int copy_text(const json_t *v, const char *key, size_t most, char **out, struct err *e)
{
    const char *s = NULL;
    int found = json_opt_str(v, key, &s, e);

    ASSERT(!*out && most > 0);
    if (found <= 0)
        return found;
    if (strlen(s) > most)
        return err_set(e, ERR_INVALID, "`%s` is longer than %zu bytes", key, most);
    *out = mem_strdup(s, e);
    return *out ? 0 : -1;
}

#define USAGE_MAX_S 1e10 /* ten years on thirty processors */

static int read_usage(const json_t *v, struct job_outcome *out, struct err *e)
{
    if (json_opt_double(v, "host_seconds", &out->host_seconds, e) < 0 ||
        json_opt_double(v, "cpu_seconds", &out->cpu_seconds, e) < 0 ||
        json_opt_u64(v, "peak_bytes", &out->peak_bytes, e) < 0)
        return -1;
    if (out->host_seconds < 0 || out->cpu_seconds < 0)
        return err_set(e, ERR_INVALID, "`host_seconds` and `cpu_seconds` cannot be negative");
    if (out->host_seconds > USAGE_MAX_S || out->cpu_seconds > USAGE_MAX_S)
        return err_set(e, ERR_INVALID, "`host_seconds` and `cpu_seconds` are at most %.0f", USAGE_MAX_S);
    return 0;
}

static int read_outcome(const json_t *v, struct job_outcome *out, struct err *e)
{
    static const char *const known[] = {"job",          "attempt",     "outcome",    "message", "last_lines",
                                        "host_seconds", "cpu_seconds", "peak_bytes", "result",  NULL};
    const char *outcome = NULL;
    const json_t *result = NULL;

    if (attempt_read(v, out->id.job, &out->id.attempt, e) < 0 || json_refuse_unknown(v, known, e) < 0 ||
        json_need_str(v, "outcome", &outcome, e) < 0)
        return -1;
    if (attempt_outcome_from_name(outcome, &out->outcome) < 0)
        return err_set(e, ERR_INVALID, "`outcome` has an unknown value");
    if (copy_text(v, "message", WIRE_MESSAGE_BYTES, &out->message, e) < 0 ||
        copy_text(v, "last_lines", WIRE_LAST_LINES_BYTES, &out->last_lines, e) < 0 || read_usage(v, out, e) < 0 ||
        json_opt_member(v, "result", &result, e) < 0)
        return -1;
    if ((out->outcome == OUTCOME_OK) != (result != NULL))
        return err_set(e, ERR_INVALID, "`result` belongs to the outcome \"ok\" and to no other");
    out->has_result = result != NULL;
    ASSERT(out->has_result == (out->outcome == OUTCOME_OK));
    return result ? result_from_json(result, &out->result, e) : 0;
}

int job_outcome_from_json(const json_t *v, struct job_outcome *out, struct err *e)
{
    job_outcome_init(out);
    if (read_outcome(v, out, e) < 0) {
        job_outcome_release(out);
        return -1;
    }
    return 0;
}

static json_t *write_outcome(const void *item)
{
    return job_outcome_to_json(item);
}

static int read_outcome_item(const json_t *v, void *item, struct err *e)
{
    return job_outcome_from_json(v, item, e);
}

json_t *complete_request_to_json(const struct complete_request *r)
{
    struct json_obj o = json_obj_begin();

    ASSERT(r->session[0] != '\0');
    json_put_str(&o, "session", r->session);
    json_put(&o, "outcomes", lease_items_write(r->outcomes, r->count, sizeof *r->outcomes, write_outcome));
    return json_obj_end(&o);
}

int complete_request_from_json(const json_t *v, struct complete_request *out, struct err *e)
{
    static const char *const known[] = {"session", "outcomes", NULL};
    void *items = NULL;
    int ret = -1;

    *out = (struct complete_request){.count = 0};
    if (json_need_object(v, "the request", e) == 0 && json_refuse_unknown(v, known, e) == 0 &&
        json_need_copy(v, "session", out->session, sizeof out->session, e) == 0)
        ret = lease_items_read(v, "outcomes", sizeof *out->outcomes, read_outcome_item, &items, &out->count, e);
    out->outcomes = items;
    ASSERT(ret < 0 || out->outcomes);
    if (ret < 0)
        complete_request_release(out);
    return ret;
}

void complete_request_release(struct complete_request *r)
{
    ASSERT(r->outcomes || r->count == 0);
    for (size_t i = 0; r->outcomes && i < r->count; i++)
        job_outcome_release(&r->outcomes[i]);
    free(r->outcomes);
    r->outcomes = NULL;
    r->count = 0;
}

static json_t *write_complete_item(const void *item)
{
    const struct complete_item *i = item;
    struct json_obj o = json_obj_begin();

    attempt_put(&o, i->id.job, i->id.attempt);
    json_put_bool(&o, "accepted", i->accepted);
    json_put(&o, "reason", json_str_or_null(i->reason));
    return json_obj_end(&o);
}

static int read_complete_item(const json_t *v, void *item, struct err *e)
{
    struct complete_item *i = item;

    if (attempt_read(v, i->id.job, &i->id.attempt, e) < 0 || json_need_bool(v, "accepted", &i->accepted, e) < 0)
        return -1;
    return json_opt_copy(v, "reason", i->reason, sizeof i->reason, e) < 0 ? -1 : 0;
}

json_t *complete_answer_to_json(const struct complete_answer *a)
{
    struct json_obj o = json_obj_begin();

    json_put(&o, "items", lease_items_write(a->items, a->count, sizeof *a->items, write_complete_item));
    return json_obj_end(&o);
}

int complete_answer_from_json(const json_t *v, struct complete_answer *out, struct err *e)
{
    void *items = NULL;
    int ret = json_need_object(v, "the answer", e);

    *out = (struct complete_answer){.count = 0};
    if (ret == 0)
        ret = lease_items_read(v, "items", sizeof *out->items, read_complete_item, &items, &out->count, e);
    out->items = items;
    ASSERT(ret < 0 || out->items);
    if (ret < 0)
        complete_answer_release(out);
    return ret;
}

void complete_answer_release(struct complete_answer *a)
{
    ASSERT(a->items || a->count == 0);
    free(a->items);
    a->items = NULL;
    a->count = 0;
}
