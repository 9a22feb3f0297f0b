#include "wire/lease.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"

static const char *const engine_names[ENGINE_COUNT] = {[ENGINE_CYCLE] = "cycle", [ENGINE_REPLAY] = "replay"};
static const struct {
    const char *name;
    enum outcome_budget budget;
} outcomes[OUTCOME_COUNT] = {
#define X(name, text, budget) {text, BUDGET_##budget},
    OUTCOME_MAP(X)
#undef X
};

const char *job_engine_name(enum job_engine engine)
{
    return engine_names[engine];
}

int job_engine_from_name(const char *name, enum job_engine *out)
{
    for (int i = 0; i < ENGINE_COUNT; i++)
        if (strcmp(engine_names[i], name) == 0) {
            *out = (enum job_engine)i;
            return 0;
        }
    return -1;
}

const char *attempt_outcome_name(enum attempt_outcome outcome)
{
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
    return outcomes[outcome].budget;
}

/* --- Lists of structs: `read` fills one zeroed element; on -1 the caller's release drops what was read --- */

typedef int (*read_item_fn)(const json_t *v, void *item, struct err *e);
typedef json_t *(*write_item_fn)(const void *item);

/* Counts elements that were begun, so that a release function sees exactly those that may own memory. */
static int read_list(const json_t *object, const char *key, size_t size, read_item_fn read, void **items,
                     size_t *count, struct err *e)
{
    const json_t *list = NULL;
    size_t n;

    *items = NULL;
    *count = 0;
    if (json_need_array(object, key, &list, e) < 0)
        return -1;
    n = json_array_size(list);
    if (n > WIRE_LEASES_MOST)
        return err_set(e, ERR_TOO_LARGE, "`%s` holds %zu entries, more than %d", key, n, WIRE_LEASES_MOST);
    *items = mem_zalloc(n ? n : 1, size, e);
    if (!*items)
        return -1;
    for (size_t i = 0; i < n; i++) {
        *count = i + 1;
        if (read(json_array_get(list, i), (char *)*items + i * size, e) < 0)
            return err_wrap(e, "`%s`[%zu]", key, i);
    }
    return 0;
}

static json_t *write_list(const void *items, size_t count, size_t size, write_item_fn write)
{
    json_t *list = json_array();

    for (size_t i = 0; list && i < count; i++)
        if (json_push(list, write((const char *)items + i * size)) < 0) {
            json_decref(list);
            list = NULL;
        }
    return list;
}

/* --- Sessions --- */

json_t *session_request_to_json(const struct session_request *r)
{
    struct json_obj o = json_obj_begin();
    json_t *engines = json_array();

    json_put_str(&o, "name", r->name);
    json_put_str(&o, "host", r->host);
    json_put_str(&o, "version", r->version);
    json_put_str(&o, "simulator", r->simulator);
    json_put_u64(&o, "slots", r->slots);
    for (int i = 0; i < ENGINE_COUNT; i++)
        if (r->engines[i] && json_push(engines, json_string(engine_names[i])) < 0)
            o.failed = true;
    json_put(&o, "engines", engines);
    json_put_str(&o, "sandbox", r->sandbox);
    if (r->replaces[0]) /* a server from before this member would refuse it */
        json_put_str(&o, "replaces", r->replaces);
    return json_obj_end(&o);
}

static int read_engines(const json_t *v, struct session_request *out, struct err *e)
{
    const json_t *list = NULL;

    if (json_need_array(v, "engines", &list, e) < 0)
        return -1;
    for (size_t i = 0; i < json_array_size(list); i++) {
        const char *name = json_string_value(json_array_get(list, i));
        enum job_engine engine;

        if (!name)
            return err_set(e, ERR_INVALID, "`engines` must be a list of names");
        if (job_engine_from_name(name, &engine) == 0) /* an engine of a newer worker is none of our business */
            out->engines[engine] = true;
    }
    return 0;
}

int session_request_from_json(const json_t *v, struct session_request *out, struct err *e)
{
    static const char *const known[] = {"name",    "host",    "version",  "simulator", "slots",
                                        "engines", "sandbox", "replaces", NULL};

    *out = (struct session_request){.slots = 0};
    if (json_need_object(v, "the request", e) < 0 || json_refuse_unknown(v, known, e) < 0 ||
        json_need_copy(v, "name", out->name, sizeof out->name, e) < 0 ||
        json_need_copy(v, "host", out->host, sizeof out->host, e) < 0 ||
        json_need_copy(v, "version", out->version, sizeof out->version, e) < 0 ||
        json_need_copy(v, "simulator", out->simulator, sizeof out->simulator, e) < 0 ||
        json_need_u32(v, "slots", 1, WIRE_SLOTS_MOST, &out->slots, e) < 0 || read_engines(v, out, e) < 0)
        return -1;
    if (json_need_copy(v, "sandbox", out->sandbox, sizeof out->sandbox, e) < 0)
        return -1;
    return json_opt_copy(v, "replaces", out->replaces, sizeof out->replaces, e) < 0 ? -1 : 0;
}

json_t *session_answer_to_json(const struct session_answer *a)
{
    struct json_obj o = json_obj_begin();

    json_put_str(&o, "session", a->session);
    json_put_u64(&o, "heartbeat_s", a->heartbeat_s);
    json_put_u64(&o, "dead_after_s", a->dead_after_s);
    return json_obj_end(&o);
}

int session_answer_from_json(const json_t *v, struct session_answer *out, struct err *e)
{
    *out = (struct session_answer){.heartbeat_s = 0};
    if (json_need_object(v, "the answer", e) < 0 ||
        json_need_copy(v, "session", out->session, sizeof out->session, e) < 0 ||
        json_need_u32(v, "heartbeat_s", 1, 3600, &out->heartbeat_s, e) < 0)
        return -1;
    return json_need_u32(v, "dead_after_s", 1, 86400, &out->dead_after_s, e);
}

/* --- Claims --- */

json_t *claim_request_to_json(const struct claim_request *r)
{
    struct json_obj o = json_obj_begin();

    json_put_str(&o, "session", r->session);
    json_put_u64(&o, "slots", r->slots);
    json_put_u64(&o, "wait_s", r->wait_s);
    if (r->pack) /* a server from before this member would refuse it */
        json_put_u64(&o, "pack", r->pack);
    return json_obj_end(&o);
}

int claim_request_from_json(const json_t *v, struct claim_request *out, struct err *e)
{
    static const char *const known[] = {"session", "slots", "wait_s", "pack", NULL};

    *out = (struct claim_request){.slots = 0};
    if (json_need_object(v, "the request", e) < 0 || json_refuse_unknown(v, known, e) < 0 ||
        json_need_copy(v, "session", out->session, sizeof out->session, e) < 0 ||
        json_need_u32(v, "slots", 1, WIRE_SLOTS_MOST, &out->slots, e) < 0)
        return -1;
    if (json_opt_u32(v, "wait_s", 0, WIRE_WAIT_S_MOST, &out->wait_s, e) < 0)
        return -1;
    return json_opt_u32(v, "pack", 1, WIRE_PACK_MOST, &out->pack, e) < 0 ? -1 : 0;
}

static void put_attempt(struct json_obj *o, const char *job, uint32_t attempt)
{
    json_put_str(o, "job", job);
    json_put_u64(o, "attempt", attempt);
}

static int read_attempt(const json_t *v, char job[WIRE_ID], uint32_t *attempt, struct err *e)
{
    if (json_need_object(v, "an attempt", e) < 0 || json_need_copy(v, "job", job, WIRE_ID, e) < 0)
        return -1;
    return json_need_u32(v, "attempt", 1, INT32_MAX, attempt, e);
}

static json_t *replay_to_json(const struct lease *l)
{
    struct json_obj o = json_obj_begin();

    json_put_u64(&o, "value", l->replay_value);
    json_put_str(&o, "unit", profile_unit_name(l->replay_unit));
    return json_obj_end(&o);
}

static json_t *limits_to_json(const struct lease_limits *l)
{
    struct json_obj o = json_obj_begin();

    json_put_u64(&o, "time_s", l->time_s);
    json_put_u64(&o, "memory_bytes", l->memory_bytes);
    json_put_u64(&o, "cycles", l->cycles);
    return json_obj_end(&o);
}

json_t *lease_to_json(const struct lease *l)
{
    struct json_obj o = json_obj_begin();

    put_attempt(&o, l->job, l->attempt);
    json_put_str(&o, "engine", job_engine_name(l->engine));
    json_put_u64(&o, "invocation", l->invocation);
    json_put(&o, "trace", json_str_or_null(l->trace_sha256));
    json_put_u64(&o, "trace_bytes", l->trace_bytes);
    if (l->program_sha256[0]) { /* a worker from before programs would take it for a damaged trace, and say so */
        json_put_str(&o, "program", l->program_sha256);
        json_put_u64(&o, "program_bytes", l->program_bytes);
    }
    json_put(&o, "design_sha256", json_str_or_null(l->design_sha256));
    json_put(&o, "design_name", json_str_or_null(l->design_name));
    json_put(&o, "replay", l->engine == ENGINE_REPLAY ? replay_to_json(l) : json_null());
    json_put(&o, "limits", limits_to_json(&l->limits));
    if (l->record)
        json_put_bool(&o, "record", true);
    json_put(&o, "deadline_at", json_str_or_null(l->deadline_at));
    return json_obj_end(&o);
}

static int read_replay(const json_t *v, struct lease *out, struct err *e)
{
    const json_t *replay = NULL;
    const char *unit = NULL;

    if (json_need_member(v, "replay", &replay, e) < 0 ||
        json_need_u64(replay, "value", &out->replay_value, e) < 0 || json_need_str(replay, "unit", &unit, e) < 0)
        return -1;
    if (profile_unit_from_name(unit, &out->replay_unit) < 0)
        return err_set(e, ERR_INVALID, "`unit` must be \"ns\" or \"warp_instructions\"");
    return 0;
}

static int read_cycle(const json_t *v, struct lease *out, struct err *e)
{
    if (json_need_sha256(v, "trace", out->trace_sha256, e) < 0 ||
        json_opt_u64(v, "trace_bytes", &out->trace_bytes, e) < 0 ||
        json_opt_sha256(v, "program", out->program_sha256, e) < 0 ||
        json_opt_u64(v, "program_bytes", &out->program_bytes, e) < 0)
        return -1;
    return json_need_sha256(v, "design_sha256", out->design_sha256, e);
}

static int read_limits(const json_t *v, struct lease_limits *out, struct err *e)
{
    const json_t *limits = NULL;
    int found = json_opt_member(v, "limits", &limits, e);

    if (found <= 0)
        return found;
    return json_opt_u64(limits, "time_s", &out->time_s, e) < 0 ||
                   json_opt_u64(limits, "memory_bytes", &out->memory_bytes, e) < 0 ||
                   json_opt_u64(limits, "cycles", &out->cycles, e) < 0
               ? err_wrap(e, "limits")
               : 0;
}

int lease_from_json(const json_t *v, struct lease *out, struct err *e)
{
    const char *engine = NULL;

    *out = (struct lease){.attempt = 0};
    if (read_attempt(v, out->job, &out->attempt, e) < 0 || json_need_str(v, "engine", &engine, e) < 0 ||
        json_opt_u64(v, "invocation", &out->invocation, e) < 0)
        return -1;
    if (job_engine_from_name(engine, &out->engine) < 0)
        return err_set(e, ERR_UNSUPPORTED, "`engine` must be \"cycle\" or \"replay\"");
    if ((out->engine == ENGINE_CYCLE ? read_cycle : read_replay)(v, out, e) < 0)
        return -1;
    if (out->engine == ENGINE_REPLAY && json_opt_sha256(v, "design_sha256", out->design_sha256, e) < 0)
        return -1;
    out->record = json_is_true(json_object_get(v, "record"));
    if (json_opt_copy(v, "design_name", out->design_name, sizeof out->design_name, e) < 0 ||
        json_opt_copy(v, "deadline_at", out->deadline_at, sizeof out->deadline_at, e) < 0)
        return -1;
    return read_limits(v, &out->limits, e);
}

static json_t *write_lease(const void *item)
{
    return lease_to_json(item);
}

static int read_lease(const json_t *v, void *item, struct err *e)
{
    return lease_from_json(v, item, e);
}

json_t *lease_list_to_json(const struct lease_list *l)
{
    struct json_obj o = json_obj_begin();

    json_put(&o, "leases", write_list(l->items, l->count, sizeof *l->items, write_lease));
    return json_obj_end(&o);
}

int lease_list_from_json(const json_t *v, struct lease_list *out, struct err *e)
{
    void *items = NULL;
    int ret = json_need_object(v, "the answer", e);

    *out = (struct lease_list){.count = 0};
    if (ret == 0)
        ret = read_list(v, "leases", sizeof *out->items, read_lease, &items, &out->count, e);
    out->items = items;
    if (ret < 0)
        lease_list_release(out);
    return ret;
}

void lease_list_release(struct lease_list *l)
{
    free(l->items);
    *l = (struct lease_list){.count = 0};
}

/* --- Heartbeats --- */

static json_t *write_running(const void *item)
{
    const struct running_attempt *r = item;
    struct json_obj o = json_obj_begin();

    put_attempt(&o, r->id.job, r->id.attempt);
    json_put_u64(&o, "cycles", r->cycles);
    json_put_u64(&o, "warp_instructions", r->warp_instructions);
    return json_obj_end(&o);
}

static int read_running(const json_t *v, void *item, struct err *e)
{
    static const char *const known[] = {"job", "attempt", "cycles", "warp_instructions", NULL};
    struct running_attempt *r = item;

    if (read_attempt(v, r->id.job, &r->id.attempt, e) < 0 || json_refuse_unknown(v, known, e) < 0 ||
        json_opt_u64(v, "cycles", &r->cycles, e) < 0)
        return -1;
    return json_opt_u64(v, "warp_instructions", &r->warp_instructions, e) < 0 ? -1 : 0;
}

json_t *heartbeat_request_to_json(const struct heartbeat_request *r)
{
    struct json_obj o = json_obj_begin();

    json_put_str(&o, "session", r->session);
    json_put(&o, "running", write_list(r->running, r->count, sizeof *r->running, write_running));
    return json_obj_end(&o);
}

int heartbeat_request_from_json(const json_t *v, struct heartbeat_request *out, struct err *e)
{
    static const char *const known[] = {"session", "running", NULL};
    void *items = NULL;
    int ret = -1;

    *out = (struct heartbeat_request){.count = 0};
    if (json_need_object(v, "the request", e) == 0 && json_refuse_unknown(v, known, e) == 0 &&
        json_need_copy(v, "session", out->session, sizeof out->session, e) == 0)
        ret = read_list(v, "running", sizeof *out->running, read_running, &items, &out->count, e);
    out->running = items;
    if (ret < 0)
        heartbeat_request_release(out);
    return ret;
}

void heartbeat_request_release(struct heartbeat_request *r)
{
    free(r->running);
    r->running = NULL;
    r->count = 0;
}

static json_t *write_abort(const void *item)
{
    const struct attempt_id *id = item;
    struct json_obj o = json_obj_begin();

    put_attempt(&o, id->job, id->attempt);
    return json_obj_end(&o);
}

static int read_abort(const json_t *v, void *item, struct err *e)
{
    struct attempt_id *id = item;

    return read_attempt(v, id->job, &id->attempt, e);
}

json_t *heartbeat_answer_to_json(const struct heartbeat_answer *a)
{
    struct json_obj o = json_obj_begin();

    json_put(&o, "abort", write_list(a->abort, a->count, sizeof *a->abort, write_abort));
    json_put_u64(&o, "heartbeat_s", a->heartbeat_s);
    return json_obj_end(&o);
}

int heartbeat_answer_from_json(const json_t *v, struct heartbeat_answer *out, struct err *e)
{
    void *items = NULL;
    int ret = -1;

    *out = (struct heartbeat_answer){.count = 0};
    if (json_need_object(v, "the answer", e) == 0 &&
        json_need_u32(v, "heartbeat_s", 1, 3600, &out->heartbeat_s, e) == 0)
        ret = read_list(v, "abort", sizeof *out->abort, read_abort, &items, &out->count, e);
    out->abort = items;
    if (ret < 0)
        heartbeat_answer_release(out);
    return ret;
}

void heartbeat_answer_release(struct heartbeat_answer *a)
{
    free(a->abort);
    a->abort = NULL;
    a->count = 0;
}

/* --- Completions --- */

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

    put_attempt(&w, o->id.job, o->id.attempt);
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

    if (found <= 0)
        return found;
    if (strlen(s) > most)
        return err_set(e, ERR_INVALID, "`%s` is longer than %zu bytes", key, most);
    *out = mem_strdup(s, e);
    return *out ? 0 : -1;
}

static int read_usage(const json_t *v, struct job_outcome *out, struct err *e)
{
    if (json_opt_double(v, "host_seconds", &out->host_seconds, e) < 0 ||
        json_opt_double(v, "cpu_seconds", &out->cpu_seconds, e) < 0 ||
        json_opt_u64(v, "peak_bytes", &out->peak_bytes, e) < 0)
        return -1;
    if (out->host_seconds < 0 || out->cpu_seconds < 0)
        return err_set(e, ERR_INVALID, "`host_seconds` and `cpu_seconds` cannot be negative");
    return 0;
}

static int read_outcome(const json_t *v, struct job_outcome *out, struct err *e)
{
    static const char *const known[] = {"job",          "attempt",     "outcome",    "message", "last_lines",
                                        "host_seconds", "cpu_seconds", "peak_bytes", "result",  NULL};
    const char *outcome = NULL;
    const json_t *result = NULL;

    if (read_attempt(v, out->id.job, &out->id.attempt, e) < 0 || json_refuse_unknown(v, known, e) < 0 ||
        json_need_str(v, "outcome", &outcome, e) < 0)
        return -1;
    if (attempt_outcome_from_name(outcome, &out->outcome) < 0)
        return err_set(e, ERR_INVALID, "`outcome` is none that is known");
    if (copy_text(v, "message", WIRE_MESSAGE_BYTES, &out->message, e) < 0 ||
        copy_text(v, "last_lines", WIRE_LAST_LINES_BYTES, &out->last_lines, e) < 0 || read_usage(v, out, e) < 0 ||
        json_opt_member(v, "result", &result, e) < 0)
        return -1;
    if ((out->outcome == OUTCOME_OK) != (result != NULL))
        return err_set(e, ERR_INVALID, "`result` belongs to the outcome \"ok\" and to no other");
    out->has_result = result != NULL;
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

    json_put_str(&o, "session", r->session);
    json_put(&o, "outcomes", write_list(r->outcomes, r->count, sizeof *r->outcomes, write_outcome));
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
        ret = read_list(v, "outcomes", sizeof *out->outcomes, read_outcome_item, &items, &out->count, e);
    out->outcomes = items;
    if (ret < 0)
        complete_request_release(out);
    return ret;
}

void complete_request_release(struct complete_request *r)
{
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

    put_attempt(&o, i->id.job, i->id.attempt);
    json_put_bool(&o, "accepted", i->accepted);
    json_put(&o, "reason", json_str_or_null(i->reason));
    return json_obj_end(&o);
}

static int read_complete_item(const json_t *v, void *item, struct err *e)
{
    struct complete_item *i = item;

    if (read_attempt(v, i->id.job, &i->id.attempt, e) < 0 || json_need_bool(v, "accepted", &i->accepted, e) < 0)
        return -1;
    return json_opt_copy(v, "reason", i->reason, sizeof i->reason, e) < 0 ? -1 : 0;
}

json_t *complete_answer_to_json(const struct complete_answer *a)
{
    struct json_obj o = json_obj_begin();

    json_put(&o, "items", write_list(a->items, a->count, sizeof *a->items, write_complete_item));
    return json_obj_end(&o);
}

int complete_answer_from_json(const json_t *v, struct complete_answer *out, struct err *e)
{
    void *items = NULL;
    int ret = json_need_object(v, "the answer", e);

    *out = (struct complete_answer){.count = 0};
    if (ret == 0)
        ret = read_list(v, "items", sizeof *out->items, read_complete_item, &items, &out->count, e);
    out->items = items;
    if (ret < 0)
        complete_answer_release(out);
    return ret;
}

void complete_answer_release(struct complete_answer *a)
{
    free(a->items);
    a->items = NULL;
    a->count = 0;
}
