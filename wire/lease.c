/* Sessions, claims and leases (wire/lease.h). */
#include <stdlib.h>
#include <string.h>

#include "base/assert.h"
#include "wire/lease_items.h"

static const char *const engine_names[ENGINE_COUNT] = {[ENGINE_CYCLE] = "cycle", [ENGINE_REPLAY] = "replay"};

const char *job_engine_name(enum job_engine engine)
{
    ASSERT(engine < ENGINE_COUNT);
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

/* --- Sessions --- */

json_t *session_request_to_json(const struct session_request *r)
{
    struct json_obj o = json_obj_begin();
    json_t *engines = json_array();

    ASSERT(r->slots > 0 && r->slots <= WIRE_SLOTS_MAX);
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
    if (r->replaces[0]) /* omitted when empty: older servers refuse unknown members */
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
        if (job_engine_from_name(name, &engine) == 0) /* engines of newer workers are ignored */
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
        json_need_u32(v, "slots", 1, WIRE_SLOTS_MAX, &out->slots, e) < 0 || read_engines(v, out, e) < 0)
        return -1;
    if (json_need_copy(v, "sandbox", out->sandbox, sizeof out->sandbox, e) < 0)
        return -1;
    ASSERT(out->slots > 0 && out->slots <= WIRE_SLOTS_MAX);
    return json_opt_copy(v, "replaces", out->replaces, sizeof out->replaces, e) < 0 ? -1 : 0;
}

json_t *session_answer_to_json(const struct session_answer *a)
{
    struct json_obj o = json_obj_begin();

    ASSERT(a->session[0] != '\0' && a->heartbeat_s >= 1 && a->dead_after_s >= 1);
    json_put_str(&o, "session", a->session);
    json_put_u64(&o, "heartbeat_s", a->heartbeat_s);
    json_put_u64(&o, "dead_after_s", a->dead_after_s);
    if (a->farm[0])
        json_put_str(&o, "farm", a->farm);
    if (a->token_ends)
        json_put_u64(&o, "token_left_s", a->token_left_s);
    return json_obj_end(&o);
}

int session_answer_from_json(const json_t *v, struct session_answer *out, struct err *e)
{
    *out = (struct session_answer){.heartbeat_s = 0};
    if (json_need_object(v, "the answer", e) < 0 || json_opt_copy(v, "farm", out->farm, sizeof out->farm, e) < 0 ||
        json_opt_u64(v, "token_left_s", &out->token_left_s, e) < 0 ||
        json_need_copy(v, "session", out->session, sizeof out->session, e) < 0 ||
        json_need_u32(v, "heartbeat_s", 1, 3600, &out->heartbeat_s, e) < 0)
        return -1;
    out->token_ends = json_object_get(v, "token_left_s") != NULL;
    ASSERT(out->heartbeat_s >= 1 && out->heartbeat_s <= 3600);
    return json_need_u32(v, "dead_after_s", 1, 86400, &out->dead_after_s, e);
}

/* --- Claims --- */

json_t *claim_request_to_json(const struct claim_request *r)
{
    struct json_obj o = json_obj_begin();

    ASSERT(r->slots > 0 && r->slots <= WIRE_SLOTS_MAX && r->wait_s <= WIRE_WAIT_S_MAX && r->pack <= WIRE_PACK_MAX);
    json_put_str(&o, "session", r->session);
    json_put_u64(&o, "slots", r->slots);
    json_put_u64(&o, "wait_s", r->wait_s);
    if (r->pack) /* omitted when empty: older servers refuse unknown members */
        json_put_u64(&o, "pack", r->pack);
    return json_obj_end(&o);
}

int claim_request_from_json(const json_t *v, struct claim_request *out, struct err *e)
{
    static const char *const known[] = {"session", "slots", "wait_s", "pack", NULL};

    *out = (struct claim_request){.slots = 0};
    if (json_need_object(v, "the request", e) < 0 || json_refuse_unknown(v, known, e) < 0 ||
        json_need_copy(v, "session", out->session, sizeof out->session, e) < 0 ||
        json_need_u32(v, "slots", 1, WIRE_SLOTS_MAX, &out->slots, e) < 0)
        return -1;
    if (json_opt_u32(v, "wait_s", 0, WIRE_WAIT_S_MAX, &out->wait_s, e) < 0)
        return -1;
    ASSERT(out->wait_s <= WIRE_WAIT_S_MAX && out->slots <= WIRE_SLOTS_MAX);
    return json_opt_u32(v, "pack", 1, WIRE_PACK_MAX, &out->pack, e) < 0 ? -1 : 0;
}

static json_t *replay_to_json(const struct lease *l)
{
    struct json_obj o = json_obj_begin();

    ASSERT(l->engine == ENGINE_REPLAY);
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

    ASSERT(l->engine == ENGINE_REPLAY || (l->trace_sha256[0] != '\0' && l->design_sha256[0] != '\0'));
    attempt_put(&o, l->job, l->attempt);
    json_put_str(&o, "engine", job_engine_name(l->engine));
    json_put_u64(&o, "launch", l->launch);
    json_put(&o, "trace", json_str_or_null(l->trace_sha256));
    json_put_u64(&o, "trace_bytes", l->trace_bytes);
    if (l->program_sha256[0]) { /* older workers do not know programs and report a damaged trace */
        json_put_str(&o, "program", l->program_sha256);
        json_put_u64(&o, "program_bytes", l->program_bytes);
    }
    json_put(&o, "design_sha256", json_str_or_null(l->design_sha256));
    json_put(&o, "design_name", json_str_or_null(l->design_name));
    json_put(&o, "replay", l->engine == ENGINE_REPLAY ? replay_to_json(l) : json_null());
    json_put(&o, "limits", limits_to_json(&l->limits));
    if (l->record)
        json_put_bool(&o, "record", true);
    if (l->warmed)
        json_put_bool(&o, "warmed", true);
    if (l->inside_kernels > 0)
        json_put_double(&o, "inside_kernels", l->inside_kernels);
    if (l->allow_foreign_isa)
        json_put_bool(&o, "allow_foreign_isa", true);
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
    if (attempt_read(v, out->job, &out->attempt, e) < 0 || json_need_str(v, "engine", &engine, e) < 0 ||
        json_opt_u64(v, "launch", &out->launch, e) < 0)
        return -1;
    if (job_engine_from_name(engine, &out->engine) < 0)
        return err_set(e, ERR_UNSUPPORTED, "`engine` must be \"cycle\" or \"replay\"");
    if ((out->engine == ENGINE_CYCLE ? read_cycle : read_replay)(v, out, e) < 0)
        return -1;
    if (out->engine == ENGINE_REPLAY && json_opt_sha256(v, "design_sha256", out->design_sha256, e) < 0)
        return -1;
    out->record = json_is_true(json_object_get(v, "record"));
    out->warmed = json_is_true(json_object_get(v, "warmed"));
    out->allow_foreign_isa = json_is_true(json_object_get(v, "allow_foreign_isa"));
    if (json_opt_double(v, "inside_kernels", &out->inside_kernels, e) < 0 ||
        json_opt_copy(v, "design_name", out->design_name, sizeof out->design_name, e) < 0 ||
        json_opt_copy(v, "deadline_at", out->deadline_at, sizeof out->deadline_at, e) < 0)
        return -1;
    ASSERT(out->engine == ENGINE_REPLAY || sha256_hex_valid(out->trace_sha256));
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

    json_put(&o, "leases", lease_items_write(l->items, l->count, sizeof *l->items, write_lease));
    return json_obj_end(&o);
}

int lease_list_from_json(const json_t *v, struct lease_list *out, struct err *e)
{
    void *items = NULL;
    int ret = json_need_object(v, "the answer", e);

    *out = (struct lease_list){.count = 0};
    if (ret == 0)
        ret = lease_items_read(v, "leases", sizeof *out->items, read_lease, &items, &out->count, e);
    out->items = items;
    if (ret < 0)
        lease_list_release(out);
    ASSERT(ret < 0 || out->items);
    return ret;
}

void lease_list_release(struct lease_list *l)
{
    ASSERT(l->items || l->count == 0);
    free(l->items);
    *l = (struct lease_list){.count = 0};
}
