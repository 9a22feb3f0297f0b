/* server/api/handlers/convergence.c: how the interval of a run has narrowed, and a forecast of its width. */
#include <math.h>
#include <string.h>

#include "sampling/sequential/forecast.h"
#include "server/api/handlers/handlers.h"
#include "server/api/handlers/runs.h"
#include "wire/json.h"

enum { FORECAST_STEPS = 24 }; /* enough for a smooth curve in a chart of a screen's width */

static json_t *scaled(const json_t *half_width, uint64_t done, uint64_t at)
{
    return json_double(json_is_number(half_width) ? forecast_half_width(json_number_value(half_width), done, at)
                                                  : NAN);
}

/* From `last`, where the interval is known, to the planned number of samples. NULL: out of memory. */
static json_t *ahead_of(const json_t *last, uint64_t done, uint64_t planned)
{
    json_t *list = json_array();
    bool good = list != NULL;

    for (uint64_t i = 0, before = 0; good && i <= FORECAST_STEPS; i++) {
        uint64_t at = done + (planned - done) * i / FORECAST_STEPS;

        if (at == before)
            continue; /* fewer samples remain than steps */
        before = at;
        good = json_array_append_new(list, json_pack("{s:I, s:o, s:o}", "done", (json_int_t)at, "half_width_s",
                                                     scaled(json_object_get(last, "half_width_s"), done, at),
                                                     "half_width",
                                                     scaled(json_object_get(last, "half_width"), done, at))) == 0;
    }
    if (!good) {
        json_decref(list);
        return NULL;
    }
    return list;
}

static const json_t *last_known(const json_t *points)
{
    for (size_t i = json_array_size(points); i > 0; i--) {
        const json_t *point = json_array_get(points, i - 1);

        if (json_is_number(json_object_get(point, "half_width")))
            return point;
    }
    return NULL;
}

/* NULL: out of memory. JSON null when no more samples are to come, or when no interval is known yet. */
static json_t *forecast_of(const json_t *v, bool running)
{
    const json_t *last = last_known(json_object_get(v, "points")), *promise = json_object_get(v, "promise");
    uint64_t done, planned = (uint64_t)json_integer_value(json_object_get(v, "planned")), meets = UINT64_MAX;
    json_t *ahead;

    if (!running || !last)
        return json_null();
    done = (uint64_t)json_integer_value(json_object_get(last, "done"));
    if (!done || done >= planned)
        return json_null();
    if (json_is_number(promise))
        meets = forecast_samples(json_number_value(json_object_get(last, "half_width")), done,
                                 json_number_value(promise) * json_number_value(json_object_get(last, "value")));
    ahead = ahead_of(last, done, planned);
    return ahead ? json_pack("{s:o, s:o}", "points", ahead, "promise_at",
                             meets <= planned ? json_integer((json_int_t)meets) : json_null())
                 : NULL;
}

int run_convergence_get(struct app *app, struct db *db, const struct request *req, struct reply *rep, struct err *e)
{
    const char *design = request_query(req, "design");
    struct strbuf text = STRBUF_INIT;
    struct run_row run;
    json_t *v;
    int found;

    (void)app;
    if (run_of_request(db, req, &run, e) < 0)
        return -1;
    found = repo_run_convergence_json(db, run.id, design, &text, e);
    v = found > 0 ? json_read_text(text.text, text.length, "the course of the interval", e) : NULL;
    strbuf_release(&text);
    if (found == 0)
        return no_design(design, e);
    if (!v)
        return -1;
    if (json_object_set_new(v, "forecast", forecast_of(v, strcmp(run.state, "running") == 0)) < 0) {
        json_decref(v);
        return err_no_memory(e);
    }
    return reply_json(rep, 200, v, e);
}
