/* simcore/design.c: design files -> struct gpu_design. A table lists every parameter with its unit and range, so a
 * file is either complete and understood to the last key, or refused with the key's name. */
#include "simcore/design.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/embed.h"
#include "base/stream.h"
#include "base/strbuf.h"
#include "base/text.h"

enum { DESIGN_FILE_MAX = 1 << 20 };

const char *const unit_class_names[UNIT_CLASS_COUNT] = {
#define X(name, text) text,
    UNIT_CLASSES(X)
#undef X
};

struct param {
    const char *group, *key, *unit;
    size_t offset;
    double least, most, scale; /* in the file's unit; stored as value * scale */
};
#define P(group_, key_, unit_, field_, least_, most_, scale_)                                                      \
    {                                                                                                              \
        group_, key_, unit_, offsetof(struct gpu_design, field_), least_, most_, scale_                            \
    }

/* All numbers of a design, in the order of the file; carve-outs, units and the scheduler are read apart. */
static const struct param params[] = {
    P("gpu", "compute_capability", "tenths", compute_capability, 50, 200, 1),
    P("gpu", "sms", "count", sms, 1, DESIGN_SMS_MAX, 1),
    P("gpu", "gpcs", "count", gpcs, 1, 64, 1),
    P("clock", "sm_mhz", "MHz", sm_khz, 10, 10000, 1000),
    P("clock", "l2_mhz", "MHz", l2_khz, 10, 10000, 1000),
    P("launch", "kernel_cycles", "cycles", kernel_cycles, 0, 1000000, 1),
    P("launch", "cta_interval_cycles", "cycles", cta_interval_cycles, 0, 10000, 1),
    P("launch", "turnover_cycles", "cycles", turnover_cycles, 1, 100000, 1),
    P("launch", "warp_cycles", "cycles", warp_cycles, 0, 10000, 1),
    P("sm", "warps", "count", warps, 4, DESIGN_WARPS_MAX, 1),
    P("sm", "ctas", "count", ctas, 1, 64, 1),
    P("sm", "registers", "count", registers, 1024, 1048576, 1),
    P("sm", "register_unit", "registers a warp", register_unit, 32, 4096, 1),
    P("sm", "shared_kb", "KB", shared_bytes, 0, 1024, 1024),
    P("sm", "shared_cta_kb", "KB", shared_cta_bytes, 0, 1024, 1024),
    P("sm", "shared_system_bytes", "bytes a CTA", shared_system_bytes, 0, 65536, 1),
    P("sm", "shared_unit_bytes", "bytes", shared_unit_bytes, 1, 65536, 1),
    P("sm", "unified_kb", "KB", unified_bytes, 16, 4096, 1024),
    P("sm", "barrier_cycles", "cycles", barrier_cycles, 1, 10000, 1),
    P("sm", "guard_cycles", "cycles", guard_cycles, 0, 1000, 1),
    P("tensor", "latency", "cycles", tensor_latency, 1, 1000, 1),
    P("tensor", "fp16_rate", "FMA a clock an SM", tensor_f16, 0, 65536, 1),
    P("tensor", "fp16_fp32_rate", "FMA a clock an SM", tensor_f32, 0, 65536, 1),
    P("tensor", "tf32_rate", "FMA a clock an SM", tensor_tf32, 0, 65536, 1),
    P("tensor", "fp8_rate", "FMA a clock an SM", tensor_fp8, 0, 65536, 1),
    P("tensor", "int8_rate", "FMA a clock an SM", tensor_int8, 0, 65536, 1),
    P("tensor", "fp64_rate", "FMA a clock an SM", tensor_fp64, 0, 65536, 1),
    P("tensor", "warp_group_rate", "FMA a clock an SM", tensor_warp_group, 0, 65536, 1),
    P("lsu", "interval_cycles", "cycles", lsu_interval, 1, 64, 1),
    P("lsu", "agu_cycles", "cycles", lsu_agu, 1, 64, 1),
    P("lsu", "queue", "count", lsu_queue, 1, 16, 1),
    P("lsu", "stores", "lines", lsu_stores, 1, 1024, 1),
    P("lsu", "tag_slope", "cycles a line", tag_slope_256, 0, 64, 256),
    P("lsu", "tag_base", "cycles", tag_base_256, 0, 64, 256),
    P("l1", "latency_cycles", "cycles", l1_latency, 2, 1000, 1),
    P("l1", "detect_cycles", "cycles", l1_detect, 1, 1000, 1),
    P("l1", "bytes", "bytes a clock", l1_bytes, 1, 1024, 1),
    P("l1", "unusable_kb", "KB", l1_unusable_bytes, 0, 1024, 1024),
    P("l1", "sets", "count", l1_sets, 1, 4096, 1),
    P("shared", "latency_cycles", "cycles", shared_latency, 1, 1000, 1),
    P("shared", "atomic_cycles", "cycles a lane", shared_atomic_cycles, 1, 1000, 1),
    P("constant", "latency_cycles", "cycles", constant_latency, 1, 1000, 1),
    P("texture", "latency_cycles", "cycles", texture_latency, 1, 10000, 1),
    P("noc", "sm_request_bytes", "bytes a clock", noc_request_bytes, 1, 65536, 1),
    P("noc", "sm_reply_bytes", "bytes a clock", noc_reply_bytes, 1, 65536, 1),
    P("noc", "gpc_request_bytes", "bytes a clock", noc_gpc_request_bytes, 1, 65536, 1),
    P("noc", "gpc_reply_bytes", "bytes a clock", noc_gpc_reply_bytes, 1, 65536, 1),
    P("noc", "header_bytes", "bytes", noc_header_bytes, 0, 128, 1),
    P("l2", "kb", "KB", l2_bytes, 64, 1048576, 1024),
    P("l2", "slices", "count", l2_slices, 1, 512, 1),
    P("l2", "ways", "count", l2_ways, 1, 64, 1),
    P("l2", "latency_cycles", "cycles", l2_latency, 2, 10000, 1),
    P("l2", "slice_bytes", "bytes a clock", l2_slice_bytes, 1, 1024, 1),
    P("l2", "atomic_lane_cycles", "L2 cycles a lane", l2_atomic_lane, 1, 1000, 1),
    P("l2", "atomic_sector_cycles", "L2 cycles a sector", l2_atomic_sector, 1, 1000, 1),
    P("l2", "atomic_latency_cycles", "cycles", l2_atomic_latency, 0, 10000, 1),
    P("dram", "channels", "count", dram_channels, 1, 512, 1),
    P("dram", "gbs", "GB/s", dram_mbs, 0.1, 100000, 1000),
    P("dram", "latency_ns", "ns", dram_latency_ps, 1, 10000, 1000),
    P("dram", "chunk_bytes", "bytes", dram_chunk_bytes, 128, 1048576, 1),
    P("dram", "row_bytes", "bytes", dram_row_bytes, 128, 1048576, 1),
    P("dram", "banks", "count", dram_banks, 1, 64, 1),
    P("dram", "open_rows", "count", dram_open_rows, 1, 4, 1),
    P("dram", "rcd_ns", "ns", dram_rcd_ps, 0, 1000, 1000),
    P("dram", "rp_ns", "ns", dram_rp_ps, 0, 1000, 1000),
    P("dram", "rrd_ns", "ns", dram_rrd_ps, 0, 100, 1000),
    P("dram", "write_buffer", "sectors", dram_write_buffer, 0, 65536, 1),
    P("dram", "read_factor", "factor", dram_read_65536, 0.5, 4, 65536),
    P("dram", "write_factor", "factor", dram_write_65536, 0.5, 4, 65536),
    P("dram", "mix_loss", "factor", dram_mix_65536, 0, 2, 65536),
};
enum { PARAM_COUNT = sizeof params / sizeof *params };

/* What stands beside the groups of numbers. */
static const char *const top_keys[] = {"format", "version", "name", "title", "gpu_names", "sources", "units", NULL};

/* --- helpers over JSON --- */

static size_t edit_distance(const char *a, const char *b)
{
    size_t n = strlen(b), row[64];

    if (n > 63 || strnlen(a, 64) > 63) /* no name of ours is that long, and the file's may have a megabyte */
        return SIZE_MAX;
    for (size_t j = 0; j <= n; j++)
        row[j] = j;
    for (size_t i = 1; a[i - 1]; i++) {
        size_t diagonal = row[0];

        row[0] = i;
        for (size_t j = 1; j <= n; j++) {
            size_t change = diagonal + (a[i - 1] != b[j - 1]), best = row[j] < row[j - 1] ? row[j] : row[j - 1];

            diagonal = row[j];
            row[j] = change < best + 1 ? change : best + 1;
        }
    }
    return row[n];
}

struct nearest {
    const char *wanted, *best;
    size_t distance;
};

static void nearest_try(struct nearest *n, const char *candidate)
{
    size_t d = edit_distance(n->wanted, candidate);

    if (d < n->distance) {
        n->distance = d;
        n->best = candidate;
    }
}

/* Names come from the file: keep messages short and printable. */
static const char *shown(const char *s, char out[64])
{
    snprintf(out, 64, "%s", s);
    text_sanitize(out);
    return out;
}

static int unknown_key(const char *where, const char *key, const char *best, struct err *e)
{
    char text[64];

    err_set(e, ERR_INVALID, "%s: unknown key `%s`", where, shown(key, text));
    return best ? err_hint(e, "the nearest known name is `%s`", best) : -1;
}

/* Keys every number has: "value", "unit", "source", and "reason" where the source is an estimate. */
static int check_leaf(const json_t *leaf, const json_t *sources, const char *where, const char *unit, struct err *e)
{
    static const char *const known[] = {"value", "unit", "source", "reason", NULL};
    const json_t *u = json_object_get(leaf, "unit"), *s = json_object_get(leaf, "source");
    const json_t *reason = json_object_get(leaf, "reason");
    const char *key;
    json_t *value;
    char text[64];

    if (!json_is_object(leaf))
        return err_set(e, ERR_INVALID, "%s: must be an object {\"value\", \"unit\", \"source\"}", where);
    json_object_foreach((json_t *)leaf, key, value)
    {
        struct nearest n = {key, NULL, SIZE_MAX};
        size_t i = 0;

        while (known[i] && strcmp(known[i], key) != 0)
            nearest_try(&n, known[i++]);
        if (!known[i])
            return unknown_key(where, key, n.best, e);
    }
    if (!json_is_string(u) || strcmp(json_string_value(u), unit) != 0)
        return err_set(e, ERR_INVALID, "%s: the unit must be \"%s\"", where, unit);
    if (!json_is_string(s))
        return err_set(e, ERR_INVALID, "%s: a number needs its source", where);
    if (!json_is_string(json_object_get(sources, json_string_value(s))))
        return err_set(e, ERR_INVALID, "%s: the source `%s` is not spelled out in \"sources\"", where,
                       shown(json_string_value(s), text));
    if (strcmp(json_string_value(s), "E") == 0 && (!json_is_string(reason) || !*json_string_value(reason)))
        return err_set(e, ERR_INVALID, "%s: an estimate (source E) needs a \"reason\"", where);
    return 0;
}

static int read_number(const json_t *value, const struct param *p, const char *where, uint32_t *out, struct err *e)
{
    double x;

    if (!json_is_number(value))
        return err_set(e, ERR_INVALID, "%s: the value must be a number", where);
    x = json_number_value(value);
    if (!(x >= p->least && x <= p->most))
        return err_set(e, ERR_INVALID, "%s: %g lies outside %g to %g %s", where, x, p->least, p->most, p->unit);
    if (p->scale == 1 && x != floor(x))
        return err_set(e, ERR_INVALID, "%s: %g must be a whole number", where, x);
    *out = (uint32_t)floor(x * p->scale + 0.5);
    return 0;
}

/* Reads group.key of the root into d. */
static int read_param(const json_t *group, const json_t *sources, const struct param *p, void *base, struct err *e)
{
    const json_t *leaf = json_object_get(group, p->key);
    char where[96];

    snprintf(where, sizeof where, "%s.%s", p->group, p->key);
    if (!leaf)
        return err_set(e, ERR_INVALID, "%s is missing", where);
    if (check_leaf(leaf, sources, where, p->unit, e) < 0)
        return -1;
    return read_number(json_object_get(leaf, "value"), p, where, (uint32_t *)((char *)base + p->offset), e);
}

/* --- the parts that are no plain numbers --- */

static int read_carveouts(struct gpu_design *d, const json_t *sm, const json_t *sources, struct err *e)
{
    const json_t *leaf = json_object_get(sm, "carveouts_kb"), *list = json_object_get(leaf, "value");
    size_t n = json_array_size(list);

    if (!leaf)
        return err_set(e, ERR_INVALID, "sm.carveouts_kb is missing");
    if (check_leaf(leaf, sources, "sm.carveouts_kb", "KB", e) < 0)
        return -1;
    if (!n || n > DESIGN_CARVEOUTS_MAX)
        return err_set(e, ERR_INVALID, "sm.carveouts_kb: must list 1 to %d sizes", DESIGN_CARVEOUTS_MAX);
    for (size_t i = 0; i < n; i++) {
        const json_t *v = json_array_get(list, i);
        json_int_t kb = json_integer_value(v);

        if (!json_is_integer(v) || kb < 0 || kb > 1024 || (i && (uint32_t)kb * 1024 <= d->carveout_bytes[i - 1]))
            return err_set(e, ERR_INVALID, "sm.carveouts_kb: sizes must be whole and rise");
        d->carveout_bytes[i] = (uint32_t)kb * 1024;
    }
    d->carveouts = (uint32_t)n;
    return 0;
}

static int read_scheduler(struct gpu_design *d, const json_t *sm, const json_t *sources, struct err *e)
{
    static const char *const names[] = {"cggty", "gto", "lrr"};
    const json_t *leaf = json_object_get(sm, "scheduler");
    const char *name = json_string_value(json_object_get(leaf, "value"));

    if (!leaf)
        return err_set(e, ERR_INVALID, "sm.scheduler is missing");
    if (check_leaf(leaf, sources, "sm.scheduler", "name", e) < 0)
        return -1;
    for (size_t i = 0; name && i < 3; i++) {
        if (strcmp(name, names[i]) == 0) {
            d->scheduler = (enum sched_policy)i;
            return 0;
        }
    }
    return err_set(e, ERR_INVALID, "sm.scheduler: must be \"cggty\", \"gto\" or \"lrr\"");
}

static int read_unit(struct unit_params *u, const json_t *units, const json_t *sources, const char *name,
                     struct err *e)
{
    char group[32];
    const json_t *row = json_object_get(units, name);
    const struct param rows[] = {
        {group, "rate", "results a clock an SM", offsetof(struct unit_params, rate), 1, 4096, 1},
        {group, "latency", "cycles", offsetof(struct unit_params, latency), 1, 10000, 1},
        {group, "per_sm", "0 or 1", offsetof(struct unit_params, per_sm), 0, 1, 1},
    };
    const char *key;
    json_t *value;

    snprintf(group, sizeof group, "units.%s", name);
    if (!json_is_object(row))
        return err_set(e, ERR_INVALID, "%s is missing", group);
    json_object_foreach((json_t *)row, key, value)
    {
        struct nearest n = {key, NULL, SIZE_MAX};
        size_t i = 0;

        while (i < 3 && strcmp(rows[i].key, key) != 0)
            nearest_try(&n, rows[i++].key);
        if (i == 3)
            return unknown_key(group, key, n.best, e);
    }
    for (size_t i = 0; i < 3; i++)
        if (read_param(row, sources, &rows[i], u, e) < 0)
            return -1;
    return 0;
}

static int read_units(struct gpu_design *d, const json_t *root, const json_t *sources, struct err *e)
{
    static const struct param shares = {
        "units", "fp32_in_int", "0 or 1", offsetof(struct gpu_design, fp32_in_int), 0, 1, 1};
    const json_t *units = json_object_get(root, "units");
    const char *key;
    json_t *value;

    if (!json_is_object(units))
        return err_set(e, ERR_INVALID, "\"units\" is missing");
    json_object_foreach((json_t *)units, key, value)
    {
        struct nearest n = {key, NULL, SIZE_MAX};
        size_t i = 0;

        nearest_try(&n, shares.key);
        while (i < UNIT_CLASS_COUNT && strcmp(unit_class_names[i], key) != 0)
            nearest_try(&n, unit_class_names[i++]);
        if (i == UNIT_CLASS_COUNT && strcmp(key, shares.key) != 0)
            return unknown_key("units", key, n.best, e);
    }
    for (size_t i = 0; i < UNIT_CLASS_COUNT; i++)
        if (read_unit(&d->unit[i], units, sources, unit_class_names[i], e) < 0)
            return -1;
    return read_param(units, sources, &shares, d, e);
}

/* Every key of the file is one we know. */
static int check_keys(const json_t *root, struct err *e)
{
    const char *key, *inner;
    json_t *value, *leaf;

    json_object_foreach((json_t *)root, key, value)
    {
        struct nearest n = {key, NULL, SIZE_MAX};
        bool top = false, group = false;

        for (size_t i = 0; top_keys[i]; i++) {
            nearest_try(&n, top_keys[i]);
            top |= strcmp(top_keys[i], key) == 0;
        }
        for (size_t i = 0; i < PARAM_COUNT; i++) {
            nearest_try(&n, params[i].group);
            group |= strcmp(params[i].group, key) == 0;
        }
        if (top)
            continue;
        if (!group)
            return unknown_key("the design", key, n.best, e);
        if (!json_is_object(value))
            return err_set(e, ERR_INVALID, "\"%s\" must be an object", key);
        json_object_foreach(value, inner, leaf)
        {
            struct nearest in = {inner, NULL, SIZE_MAX};
            bool found =
                strcmp(key, "sm") == 0 && (strcmp(inner, "carveouts_kb") == 0 || strcmp(inner, "scheduler") == 0);

            for (size_t i = 0; i < PARAM_COUNT; i++) {
                if (strcmp(params[i].group, key) != 0)
                    continue;
                nearest_try(&in, params[i].key);
                found |= strcmp(params[i].key, inner) == 0;
            }
            if (!found)
                return unknown_key(key, inner, in.best, e);
        }
    }
    return 0;
}

static int read_head(struct gpu_design *d, const json_t *root, struct err *e)
{
    const char *format = json_string_value(json_object_get(root, "format"));
    const char *name = json_string_value(json_object_get(root, "name"));
    const json_t *names = json_object_get(root, "gpu_names");
    const json_t *sources = json_object_get(root, "sources");
    const char *key;
    json_t *value;
    struct strbuf b = STRBUF_INIT;

    if (!format || strcmp(format, "vivace-design") != 0)
        return err_set(e, ERR_UNSUPPORTED, "not a GPU design: \"format\" must be \"vivace-design\"");
    if (json_integer_value(json_object_get(root, "version")) != 1)
        return err_set(e, ERR_UNSUPPORTED, "this version of the design format is not known; \"version\" must be 1");
    if (!name || !*name || strlen(name) > 60 ||
        strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-") != strlen(name))
        return err_set(e, ERR_INVALID, "\"name\" must be 1 to 60 letters, digits, dots, dashes or underscores");
    if (!json_is_string(json_object_get(root, "title")))
        return err_set(e, ERR_INVALID, "\"title\" is missing");
    if (!json_is_object(sources))
        return err_set(e, ERR_INVALID, "\"sources\" is missing: an object that spells out every source key");
    json_object_foreach((json_t *)sources, key, value) if (!json_is_string(value)) return err_set(
        e, ERR_INVALID, "\"sources\": every source must be a text");
    if (!json_is_array(names))
        return err_set(e, ERR_INVALID,
                       "\"gpu_names\" must be a list of the names under which profiles know this GPU");
    for (size_t i = 0; i < json_array_size(names); i++) {
        const char *s = json_string_value(json_array_get(names, i));

        if (!s || strchr(s, '|')) {
            strbuf_release(&b);
            return err_set(e, ERR_INVALID, "\"gpu_names\": every name must be a text without '|'");
        }
        if (i)
            strbuf_addc(&b, '|');
        strbuf_adds(&b, s);
    }
    d->gpu_names = strbuf_detach(&b);
    d->name = mem_strdup(name, e);
    return d->name ? d->gpu_names ? 0 : err_no_memory(e) : -1;
}

/* What no single range can say. */
static int check_together(const struct gpu_design *d, struct err *e)
{
    uint32_t line_bytes = 128;

    if (d->warps % SUB_CORES || d->registers % SUB_CORES)
        return err_set(e, ERR_INVALID, "sm.warps and sm.registers must be multiples of 4, one share a sub-core");
    if (d->gpcs > d->sms)
        return err_set(e, ERR_INVALID, "gpu.gpcs: %u GPCs cannot share %u SMs", d->gpcs, d->sms);
    if (d->l2_slices % d->dram_channels)
        return err_set(e, ERR_INVALID,
                       "l2.slices must be a multiple of dram.channels: every channel has its own slices");
    if (d->dram_chunk_bytes % (line_bytes * (d->l2_slices / d->dram_channels)))
        return err_set(e, ERR_INVALID,
                       "dram.chunk_bytes must hold whole 128-byte lines for each slice of a channel");
    if (d->dram_row_bytes % line_bytes)
        return err_set(e, ERR_INVALID, "dram.row_bytes must be a multiple of 128");
    if (d->l2_bytes / d->l2_slices / line_bytes / d->l2_ways < 1)
        return err_set(e, ERR_INVALID, "l2: %u ways do not fit into a slice of %u bytes", d->l2_ways,
                       d->l2_bytes / d->l2_slices);
    if (d->carveout_bytes[d->carveouts - 1] < d->shared_bytes)
        return err_set(e, ERR_INVALID, "sm.carveouts_kb: the largest must reach sm.shared_kb");
    if (d->shared_bytes + d->l1_unusable_bytes > d->unified_bytes)
        return err_set(e, ERR_INVALID, "sm.shared_kb and l1.unusable_kb together exceed sm.unified_kb");
    if (d->l1_sets & (d->l1_sets - 1))
        return err_set(e, ERR_INVALID, "l1.sets must be a power of two");
    if (d->l1_detect >= d->l1_latency || d->l2_latency <= d->l1_latency)
        return err_set(e, ERR_INVALID,
                       "latencies must rise: l1.detect_cycles < l1.latency_cycles < l2.latency_cycles");
    if ((uint64_t)d->dram_rcd_ps + d->dram_rp_ps > d->dram_latency_ps)
        return err_set(e, ERR_INVALID, "dram.latency_ns must contain dram.rcd_ns and dram.rp_ns");
    return 0;
}

static int read_all(struct gpu_design *d, const json_t *root, struct err *e)
{
    const json_t *sources, *sm;

    if (!json_is_object(root))
        return err_set(e, ERR_MALFORMED, "a design must be a JSON object");
    if (read_head(d, root, e) < 0 || check_keys(root, e) < 0)
        return -1;
    sources = json_object_get(root, "sources");
    sm = json_object_get(root, "sm");
    for (size_t i = 0; i < PARAM_COUNT; i++)
        if (read_param(json_object_get(root, params[i].group), sources, &params[i], d, e) < 0)
            return -1;
    if (read_carveouts(d, sm, sources, e) < 0 || read_scheduler(d, sm, sources, e) < 0 ||
        read_units(d, root, sources, e) < 0)
        return -1;
    return check_together(d, e);
}

/* --- public --- */

int design_parse(const char *json, size_t n, const char *label, struct gpu_design **out, struct err *e)
{
    struct gpu_design *d = mem_zalloc(1, sizeof *d, e);
    json_error_t je;
    json_t *root = NULL;
    int ret = -1;

    if (!d)
        return -1;
    if (n > DESIGN_FILE_MAX) {
        err_set(e, ERR_TOO_LARGE, "a design of %zu bytes; at most %d are read", n, DESIGN_FILE_MAX);
        goto out;
    }
    root = json_loadb(json, n, JSON_REJECT_DUPLICATES, &je);
    if (!root) {
        text_sanitize(je.text);
        err_set(e, ERR_MALFORMED, "line %d: %s", je.line, je.text);
        goto out;
    }
    if (read_all(d, root, e) < 0)
        goto out;
    d->json = json_dumps(root, JSON_SORT_KEYS | JSON_COMPACT);
    if (!d->json) {
        err_no_memory(e);
        goto out;
    }
    d->json_bytes = strlen(d->json);
    if (sha256_bytes(d->json, d->json_bytes, d->sha256, e) < 0)
        goto out;
    *out = d;
    d = NULL; /* the caller owns it now */
    ret = 0;
out:
    if (ret < 0)
        err_wrap(e, "design %s", label);
    json_decref(root);
    design_free(d);
    return ret;
}

static int load_file(const char *path, struct gpu_design **out, struct err *e)
{
    struct stream *s = NULL;
    struct strbuf b = STRBUF_INIT;
    char piece[4096];
    ssize_t got;
    int ret = -1;

    if (stream_open(path, &s, e) < 0)
        return -1;
    while ((got = stream_read(s, piece, sizeof piece, e)) > 0) {
        strbuf_add(&b, piece, (size_t)got);
        if (b.length > DESIGN_FILE_MAX)
            break; /* design_parse() says so */
    }
    if (got >= 0)
        ret = b.failed ? err_no_memory(e) : design_parse(b.text, b.length, path, out, e);
    strbuf_release(&b);
    stream_close(s);
    return ret;
}

int design_load(const char *name, struct gpu_design **out, struct err *e)
{
    const char *json;
    size_t n;
    struct strbuf known = STRBUF_INIT;
    char text[64];

    if (strchr(name, '/') || str_ends(name, ".json"))
        return load_file(name, out, e);
    json = design_builtin_json(name, &n);
    if (json)
        return design_parse(json, n, name, out, e);
    err_set(e, ERR_NOT_FOUND, "there is no built-in GPU design `%s`", shown(name, text));
    for (size_t i = 0; design_builtin_names()[i]; i++)
        strbuf_addf(&known, "%s%s", i ? ", " : "", design_builtin_names()[i]);
    err_hint(e, "built in are %s; a file is named by a path with '/' or ending in .json", known.text);
    strbuf_release(&known);
    return -1;
}

void design_free(struct gpu_design *d)
{
    if (!d)
        return;
    free(d->name);
    free(d->gpu_names);
    free(d->json);
    free(d);
}

const char *design_name(const struct gpu_design *d)
{
    return d->name;
}

const char *design_sha256(const struct gpu_design *d)
{
    return d->sha256;
}

double design_clock_hz(const struct gpu_design *d)
{
    return d->sm_khz * 1000.0;
}

const char *design_gpu_names(const struct gpu_design *d)
{
    return d->gpu_names;
}
