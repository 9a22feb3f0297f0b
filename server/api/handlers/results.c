/* server/api/handlers/results.c: GET /results/{result}: the result of one simulation. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/demangle.h"
#include "server/store/repo/repo_recording.h"
#include "server/store/repo/repo_result.h"
#include "server/api/handlers/handlers.h"
#include "server/api/handlers/lists.h"
#include "server/domain/plan/design_store.h"
#include "wire/metrics.h"

static json_t *counters(const struct app *app, const struct result *r)
{
    json_t *list = json_array();

    for (size_t i = 0; list && i < r->counter_count; i++) {
        struct json_obj o = json_obj_begin();

        json_put_str(&o, "name", r->counters[i].name);
        json_put_str(&o, "unit", r->counters[i].unit);
        json_put(&o, "value", json_count(r->counters[i].value));
        json_put_str(&o, "sentence", design_store_sentence(app->farm.designs, r->counters[i].name));
        if (json_push(list, json_obj_end(&o)) < 0) {
            json_decref(list);
            return NULL;
        }
    }
    return list;
}

/* Rates of this launch, computed as a projection computes those of all launches. */
static json_t *rates(const struct result *r)
{
    double values[METRIC_COUNTERS];

    for (int i = 0; i < METRIC_COUNTERS; i++)
        values[i] = NAN;
    for (size_t i = 0; i < r->counter_count; i++) {
        int place = metric_counter(r->counters[i].name);

        if (place >= 0)
            values[place] = (double)r->counters[i].value;
    }
    return r->replay ? json_array() : metrics_of_one(values, r->clock_hz);
}

/* Returns a member of the document that the simulator wrote. JSON null when it has none. */
static json_t *said(const struct result *r, const char *member)
{
    json_t *v = json_object_get(r->document, member);

    return v ? json_incref(v) : json_null();
}

static json_t *kernel(const struct result *r)
{
    struct json_obj o = json_obj_begin();
    struct err ignored;
    char *plain = demangle(r->kernel_name, &ignored);

    json_put_str(&o, "name", r->kernel_name);
    json_put(&o, "demangled", json_str_or_null(plain));
    free(plain);
    json_put(&o, "grid", json_dim3(r->grid));
    json_put(&o, "block", json_dim3(r->block));
    return json_obj_end(&o);
}

/* Parses the JSON text of a row that may be missing. */
static json_t *text_or_null(const struct strbuf *text)
{
    return text->length ? json_loadb(text->text, text->length, 0, NULL) : json_null();
}

static json_t *answer(const struct app *app, const struct db_rows *q, const struct result *r,
                      const struct strbuf *use, const struct strbuf *recording)
{
    json_t *discarded = json_loads(db_get(q, 0, 10), 0, NULL); /* NULL: "", not discarded */
    struct json_obj o = json_obj_begin();

    json_put_str(&o, "id", db_get(q, 0, 0));
    json_put(&o, "trace", json_str_or_null(db_get(q, 0, 1)));
    json_put(&o, "design", json_str_or_null(r->replay ? "" : r->design));
    json_put(&o, "design_sha256", json_str_or_null(db_get(q, 0, 2)));
    json_put_str(&o, "simulator", r->simulator);
    json_put_bool(&o, "disputed", db_get_bool(q, 0, 5));
    json_put_str(&o, "key", db_get(q, 0, 8));
    json_put(&o, "worker", json_str_or_null(db_get(q, 0, 9)));
    json_put(&o, "discarded", discarded ? discarded : json_null());
    json_put_double(&o, "value", db_get_double(q, 0, 6));
    json_put_str(&o, "unit", db_get(q, 0, 7));
    json_put_str(&o, "digest", r->digest);
    json_put_double(&o, "host_seconds", r->host_seconds);
    if (!r->replay) {
        json_put(&o, "kernel", kernel(r));
        json_put_u64(&o, "cycles", r->cycles);
        json_put_u64(&o, "launch_cycles", r->launch_cycles);
        json_put(&o, "warp_instructions", json_count(r->warp_instructions));
        json_put_double(&o, "clock_hz", r->clock_hz);
        json_put(&o, "projected", said(r, "projected"));
        json_put(&o, "whole_why", said(r, "whole_why"));
    }
    json_put_double(&o, "seconds", result_seconds(r));
    json_put(&o, "metrics", rates(r));
    json_put(&o, "counters", counters(app, r));
    json_put(&o, "use", text_or_null(use));
    json_put(&o, "series", text_or_null(recording));
    return json_obj_end(&o);
}

int result_get(struct app *app, struct db *db, const struct request *req, struct reply *rep, struct err *e)
{
    struct strbuf use = STRBUF_INIT, recording = STRBUF_INIT;
    const char *id = req->param[0];
    struct result r;
    struct db_rows q;
    int ret;

    if (need_id("result", id, e) < 0)
        return -1;
    ret = repo_result_get(db, id, req->credential.team_id, &q, e);
    if (ret <= 0)
        return ret < 0 ? -1 : err_set(e, ERR_NOT_FOUND, "there is no result %.40s", id);
    result_init(&r);
    ret = result_from_text(db_get(&q, 0, 4), strlen(db_get(&q, 0, 4)), &r, e);
    if (ret == 0 && (repo_result_use_json(db, id, req->credential.team_id, &use, e) < 0 ||
                     repo_recording_json(db, id, &recording, e) < 0))
        ret = -1;
    if (ret == 0)
        ret = reply_json(rep, 200, answer(app, &q, &r, &use, &recording), e);
    strbuf_release(&use);
    strbuf_release(&recording);
    result_release(&r);
    db_rows_release(&q);
    return ret;
}
