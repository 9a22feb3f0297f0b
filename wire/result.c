#include "wire/result.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/assert.h"

void result_init(struct result *r)
{
    *r = (struct result){.host_seconds = 0};
}

void result_release(struct result *r)
{
    ASSERT(r->counters || r->counter_count == 0);
    for (size_t i = 0; i < r->counter_count; i++) {
        free(r->counters[i].name);
        free(r->counters[i].unit);
    }
    free(r->counters);
    free(r->kernel_name);
    json_decref(r->document);
    result_init(r);
}

static int read_counter(const json_t *v, struct result_counter *out, struct err *e)
{
    const char *name = NULL, *unit = NULL;

    if (json_need_object(v, "a counter", e) < 0 || json_need_str(v, "name", &name, e) < 0 ||
        json_need_str(v, "unit", &unit, e) < 0 || json_need_u64(v, "value", &out->value, e) < 0)
        return -1;
    out->name = mem_strdup(name, e);
    out->unit = mem_strdup(unit, e);
    return out->name && out->unit ? 0 : -1;
}

static int read_counters(const json_t *document, struct result *r, struct err *e)
{
    const json_t *list = NULL;
    size_t n;

    if (json_need_array(document, "counters", &list, e) < 0)
        return -1;
    n = json_array_size(list);
    if (n > RESULT_COUNTERS_MAX)
        return err_set(e, ERR_INVALID, "`counters` has %zu entries, more than %d", n, RESULT_COUNTERS_MAX);
    r->counters = mem_zalloc(n ? n : 1, sizeof *r->counters, e);
    if (!r->counters)
        return -1;
    r->counter_count = n;
    for (size_t i = 0; i < n; i++)
        if (read_counter(json_array_get(list, i), &r->counters[i], e) < 0)
            return err_wrap(e, "counter %zu", i);
    ASSERT(r->counter_count == n && n <= RESULT_COUNTERS_MAX);
    return 0;
}

static int read_kernel(const json_t *document, struct result *r, struct err *e)
{
    const json_t *kernel = NULL;
    const char *name = NULL;

    ASSERT(!r->kernel_name);
    if (json_need_member(document, "kernel", &kernel, e) < 0)
        return -1;
    if (json_need_str(kernel, "name", &name, e) < 0 || json_need_dim3(kernel, "grid", r->grid, e) < 0 ||
        json_need_dim3(kernel, "block", r->block, e) < 0)
        return err_wrap(e, "kernel");
    r->kernel_name = mem_strdup(name, e);
    return r->kernel_name ? 0 : -1;
}

static int read_projected(const json_t *d, struct result *r, struct err *e)
{
    const json_t *p = NULL;
    int found = json_opt_member(d, "projected", &p, e);

    if (found <= 0)
        return found;
    r->projected = true;
    if (json_need_double(p, "standard_error_cycles", &r->projected_error, e) < 0)
        return err_wrap(e, "projected");
    return r->projected_error >= 0 ? 0 : err_set(e, ERR_INVALID, "`projected.standard_error_cycles` is below zero");
}

static int read_cycle(const json_t *d, struct result *r, struct err *e)
{
    const char *end = NULL;

    if (json_need_str(d, "end", &end, e) < 0)
        return -1;
    if (strcmp(end, "done") != 0)
        return err_set(e, ERR_INVALID, "the simulation did not finish, so this is no result");
    if (json_need_sha256(d, "trace_sha256", r->trace_sha256, e) < 0 ||
        json_need_sha256(d, "design_sha256", r->design_sha256, e) < 0 ||
        json_need_copy(d, "design", r->design, sizeof r->design, e) < 0 || read_kernel(d, r, e) < 0 ||
        json_need_u64(d, "cycles", &r->cycles, e) < 0 ||
        json_need_u64(d, "launch_cycles", &r->launch_cycles, e) < 0 ||
        json_need_u64(d, "warp_instructions", &r->warp_instructions, e) < 0 ||
        json_need_double(d, "clock_hz", &r->clock_hz, e) < 0 ||
        json_opt_u64(d, "cycles_warm_bound", &r->cycles_warm_bound, e) < 0 ||
        json_opt_copy(d, "foreign_isa", r->foreign_isa, sizeof r->foreign_isa, e) < 0 ||
        read_projected(d, r, e) < 0 || read_counters(d, r, e) < 0)
        return -1;
    if (r->clock_hz <= 0)
        return err_set(e, ERR_INVALID, "`clock_hz` must be above zero");
    if (r->launch_cycles > r->cycles)
        return err_set(e, ERR_INVALID, "`launch_cycles` is part of `cycles` and cannot be above it");
    ASSERT(r->clock_hz > 0 && r->launch_cycles <= r->cycles && r->kernel_name);
    return 0;
}

static int read_replay(const json_t *d, struct result *r, struct err *e)
{
    const char *unit = NULL;

    if (json_need_u64(d, "value", &r->value, e) < 0 || json_need_str(d, "unit", &unit, e) < 0)
        return -1;
    return profile_unit_from_name(unit, &r->unit) < 0
               ? err_set(e, ERR_INVALID, "`unit` must be \"ns\" or \"warp_instructions\"")
               : 0;
}

#define HOST_SECONDS_MAX 3e8 /* ten years */

static int read_result(const json_t *d, struct result *r, struct err *e)
{
    const char *format = NULL;
    uint32_t version = 0;

    if (json_need_object(d, "the result", e) < 0 || json_need_str(d, "format", &format, e) < 0)
        return -1;
    if (strcmp(format, RESULT_FORMAT) != 0)
        return err_set(e, ERR_UNSUPPORTED, "`format` must be \"%s\"", RESULT_FORMAT);
    if (json_need_u32(d, "version", 1, UINT32_MAX, &version, e) < 0)
        return -1;
    if (version != RESULT_VERSION)
        return err_set(e, ERR_UNSUPPORTED,
                       "result format version %" PRIu32 " is not known here (this is version %d)", version,
                       RESULT_VERSION);
    if (json_need_copy(d, "simulator", r->simulator, sizeof r->simulator, e) < 0 ||
        json_need_sha256(d, "digest", r->digest, e) < 0 ||
        json_opt_double(d, "host_seconds", &r->host_seconds, e) < 0)
        return -1;
    if (!(r->host_seconds >= 0 && r->host_seconds <= HOST_SECONDS_MAX))
        return err_set(e, ERR_INVALID, "`host_seconds` must be from 0 to %.0f", HOST_SECONDS_MAX);
    r->replay = strcmp(r->simulator, "replay") == 0;
    return r->replay ? read_replay(d, r, e) : read_cycle(d, r, e);
}

int result_from_json(const json_t *document, struct result *out, struct err *e)
{
    struct result r;

    result_init(&r);
    if (read_result(document, &r, e) < 0) {
        result_release(&r);
        return err_wrap(e, "result");
    }
    r.document = json_incref((json_t *)document);
    ASSERT(r.replay || r.counters);
    *out = r;
    return 0;
}

int result_from_text(const char *text, size_t n, struct result *out, struct err *e)
{
    json_t *d;
    int ret;

    if (n > RESULT_BYTES_MAX)
        return err_set(e, ERR_TOO_LARGE, "result: longer than %zu bytes", RESULT_BYTES_MAX);
    ASSERT(n <= RESULT_BYTES_MAX);
    d = json_read_text(text, n, "result", e);
    if (!d)
        return -1;
    ret = result_from_json(d, out, e);
    json_decref(d);
    return ret;
}

static json_t *counters_to_json(const struct result *r)
{
    json_t *list = json_array();

    for (size_t i = 0; list && i < r->counter_count; i++) {
        struct json_obj o = json_obj_begin();

        json_put_str(&o, "name", r->counters[i].name);
        json_put_str(&o, "unit", r->counters[i].unit);
        json_put_u64(&o, "value", r->counters[i].value);
        if (json_push(list, json_obj_end(&o)) < 0) {
            json_decref(list);
            list = NULL;
        }
    }
    return list;
}

static json_t *kernel_to_json(const struct result *r)
{
    struct json_obj o = json_obj_begin();

    ASSERT(!r->replay);
    json_put_str(&o, "name", r->kernel_name);
    json_put(&o, "grid", json_dim3(r->grid));
    json_put(&o, "block", json_dim3(r->block));
    return json_obj_end(&o);
}

static json_t *projected_to_json(const struct result *r)
{
    struct json_obj o = json_obj_begin();

    ASSERT(r->projected && r->projected_error >= 0);
    json_put_double(&o, "standard_error_cycles", r->projected_error);
    return json_obj_end(&o);
}

json_t *result_to_json(const struct result *r)
{
    struct json_obj o;

    if (r->document)
        return json_incref(r->document);
    o = json_obj_begin();
    ASSERT(sha256_hex_valid(r->digest));
    json_put_str(&o, "format", RESULT_FORMAT);
    json_put_u64(&o, "version", RESULT_VERSION);
    json_put_str(&o, "simulator", r->simulator);
    if (r->replay) {
        json_put_u64(&o, "value", r->value);
        json_put_str(&o, "unit", profile_unit_name(r->unit));
    } else {
        json_put_str(&o, "trace_sha256", r->trace_sha256);
        json_put_str(&o, "design", r->design);
        json_put_str(&o, "design_sha256", r->design_sha256);
        json_put(&o, "kernel", kernel_to_json(r));
        json_put_str(&o, "end", "done");
        json_put_u64(&o, "cycles", r->cycles);
        json_put_u64(&o, "launch_cycles", r->launch_cycles);
        json_put_u64(&o, "warp_instructions", r->warp_instructions);
        json_put_double(&o, "clock_hz", r->clock_hz);
        if (r->cycles_warm_bound)
            json_put_u64(&o, "cycles_warm_bound", r->cycles_warm_bound);
        if (r->foreign_isa[0])
            json_put_str(&o, "foreign_isa", r->foreign_isa);
        if (r->projected)
            json_put(&o, "projected", projected_to_json(r));
        json_put(&o, "counters", counters_to_json(r));
        json_put_double(&o, "host_seconds", r->host_seconds);
    }
    json_put_str(&o, "digest", r->digest);
    return json_obj_end(&o);
}

bool result_partial(const struct result *r, char out[RESULT_PARTIAL_TEXT])
{
    uint64_t grid = (uint64_t)r->grid[0] * r->grid[1] * r->grid[2], missing = 0;

    for (size_t i = 0; i < r->counter_count; i++)
        if (strcmp(r->counters[i].name, "repair_empty_ctas") == 0)
            missing = r->counters[i].value;
    if (missing == 0 || missing > grid)
        return false;
    snprintf(out, RESULT_PARTIAL_TEXT, "%" PRIu64 " of %" PRIu64, grid - missing, grid);
    return true;
}

int result_replay(uint64_t value, enum profile_unit unit, struct result *out, struct err *e)
{
    char text[64];
    int n = snprintf(text, sizeof text, "replay %" PRIu64 " %s\n", value, profile_unit_name(unit));

    ASSERT(n > 0 && (size_t)n < sizeof text);
    result_init(out);
    out->replay = true;
    out->value = value;
    out->unit = unit;
    memcpy(out->simulator, "replay", sizeof "replay");
    return sha256_bytes(text, (size_t)n, out->digest, e);
}

double result_seconds(const struct result *r)
{
    ASSERT(r->replay || r->clock_hz > 0);
    if (!r->replay)
        return (double)r->cycles / r->clock_hz;
    return r->unit == PROFILE_NS ? (double)r->value * 1e-9 : NAN;
}
