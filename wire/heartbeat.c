/* Heartbeats (wire/lease.h): the attempts that a worker runs, and those that the server wants to abort. */
#include <stdlib.h>

#include "base/assert.h"
#include "wire/lease_items.h"

static json_t *write_running(const void *item)
{
    const struct running_attempt *r = item;
    struct json_obj o = json_obj_begin();

    attempt_put(&o, r->id.job, r->id.attempt);
    json_put_u64(&o, "cycles", r->cycles);
    json_put_u64(&o, "warp_instructions", r->warp_instructions);
    return json_obj_end(&o);
}

static int read_running(const json_t *v, void *item, struct err *e)
{
    static const char *const known[] = {"job", "attempt", "cycles", "warp_instructions", NULL};
    struct running_attempt *r = item;

    if (attempt_read(v, r->id.job, &r->id.attempt, e) < 0 || json_refuse_unknown(v, known, e) < 0 ||
        json_opt_u64(v, "cycles", &r->cycles, e) < 0)
        return -1;
    return json_opt_u64(v, "warp_instructions", &r->warp_instructions, e) < 0 ? -1 : 0;
}

json_t *heartbeat_request_to_json(const struct heartbeat_request *r)
{
    struct json_obj o = json_obj_begin();

    ASSERT(r->session[0] != '\0');
    json_put_str(&o, "session", r->session);
    if (r->ending) /* omitted when false: older servers refuse unknown members */
        json_put_bool(&o, "ending", true);
    json_put(&o, "running", lease_items_write(r->running, r->count, sizeof *r->running, write_running));
    return json_obj_end(&o);
}

int heartbeat_request_from_json(const json_t *v, struct heartbeat_request *out, struct err *e)
{
    static const char *const known[] = {"session", "running", "ending", NULL};
    void *items = NULL;
    int ret = -1;

    *out = (struct heartbeat_request){.count = 0};
    if (json_need_object(v, "the request", e) == 0 && json_refuse_unknown(v, known, e) == 0 &&
        json_need_copy(v, "session", out->session, sizeof out->session, e) == 0 &&
        json_opt_bool(v, "ending", &out->ending, e) >= 0)
        ret = lease_items_read(v, "running", sizeof *out->running, read_running, &items, &out->count, e);
    out->running = items;
    ASSERT(ret < 0 || out->running);
    if (ret < 0)
        heartbeat_request_release(out);
    return ret;
}

void heartbeat_request_release(struct heartbeat_request *r)
{
    ASSERT(r->running || r->count == 0);
    free(r->running);
    r->running = NULL;
    r->count = 0;
}

static json_t *write_abort(const void *item)
{
    const struct attempt_id *id = item;
    struct json_obj o = json_obj_begin();

    attempt_put(&o, id->job, id->attempt);
    return json_obj_end(&o);
}

static int read_abort(const json_t *v, void *item, struct err *e)
{
    struct attempt_id *id = item;

    return attempt_read(v, id->job, &id->attempt, e);
}

json_t *heartbeat_answer_to_json(const struct heartbeat_answer *a)
{
    struct json_obj o = json_obj_begin();

    ASSERT(a->heartbeat_s >= 1 && a->heartbeat_s <= 3600);
    json_put(&o, "abort", lease_items_write(a->abort, a->count, sizeof *a->abort, write_abort));
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
        ret = lease_items_read(v, "abort", sizeof *out->abort, read_abort, &items, &out->count, e);
    out->abort = items;
    ASSERT(ret < 0 || out->abort);
    if (ret < 0)
        heartbeat_answer_release(out);
    return ret;
}

void heartbeat_answer_release(struct heartbeat_answer *a)
{
    ASSERT(a->abort || a->count == 0);
    free(a->abort);
    a->abort = NULL;
    a->count = 0;
}
