/* simcore/design_read.c: converts a design's completed JSON document (design_complete.c) to struct gpu_design. It
 * uses the table of parameters (design_params.h), so an unknown key is always an error with the key's name. */
#include "simcore/design_read.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/strbuf.h"
#include "base/text.h"
#include "simcore/design_params.h"
#include "simcore/mem/dram/dram.h"
#include "simcore/mem/hash/hash.h"
#include "simcore/mem/noc/noc.h"

/* The members of a document that are not groups of parameters. */
static const char *const top_keys[] = {"format", "version", "name", "title", "gpu_names", "sources", NULL};

/* --- names --- */

void design_nearest_try(struct design_nearest *n, const char *candidate)
{
    size_t d = text_distance(n->wanted, candidate);

    if (d < n->distance) {
        n->distance = d;
        n->best = candidate;
    }
}

/* Names come from the file, so messages show them shortened and printable. */
const char *design_shown(const char *s, char out[64])
{
    snprintf(out, 64, "%s", s);
    text_sanitize(out);
    return out;
}

static int unknown_key(const char *where, const char *key, const char *best, struct err *e)
{
    char text[64];

    err_set(e, ERR_INVALID, "%s: unknown key `%s`", where, design_shown(key, text));
    return best ? err_hint(e, "the nearest known name is `%s`", best) : -1;
}

/* --- one number --- */

/* The keys of every number: "value", "unit", "source", and "reason" if the source is an estimate. */
int design_check_leaf(const json_t *leaf, const json_t *sources, const char *where, const char *unit, struct err *e)
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
        struct design_nearest n = {key, NULL, SIZE_MAX};
        size_t i = 0;

        while (known[i] && strcmp(known[i], key) != 0)
            design_nearest_try(&n, known[i++]);
        if (!known[i])
            return unknown_key(where, key, n.best, e);
    }
    if (!json_is_string(u) || strcmp(json_string_value(u), unit) != 0)
        return err_set(e, ERR_INVALID, "%s: the unit must be \"%s\"", where, unit);
    if (!json_is_string(s))
        return err_set(e, ERR_INVALID, "%s: a number needs its source", where);
    if (!json_is_string(json_object_get(sources, json_string_value(s))))
        return err_set(e, ERR_INVALID, "%s: the source `%s` is not spelled out in \"sources\"", where,
                       design_shown(json_string_value(s), text));
    if (strcmp(json_string_value(s), "E") == 0 && (!json_is_string(reason) || !*json_string_value(reason)))
        return err_set(e, ERR_INVALID, "%s: an estimate (source E) needs a \"reason\"", where);
    return 0;
}

static int read_number(const json_t *value, const struct design_param *p, const char *where, uint32_t *out,
                       struct err *e)
{
    double x;

    if (!json_is_number(value))
        return err_set(e, ERR_INVALID, "%s: the value must be a number", where);
    x = json_number_value(value);
    if (!(x >= p->least && x <= p->most))
        return err_set(e, ERR_INVALID, "%s: %g is outside %g to %g %s", where, x, p->least, p->most, p->unit);
    if (p->scale == 1 && x != floor(x))
        return err_set(e, ERR_INVALID, "%s: %g must be a whole number", where, x);
    *out = (uint32_t)floor(x * p->scale + 0.5);
    return 0;
}

static int read_carveouts(struct gpu_design *d, const json_t *value, struct err *e)
{
    size_t n = json_array_size(value);

    if (!n || n > DESIGN_CARVEOUTS_MAX)
        return err_set(e, ERR_INVALID, "sm.carveouts_kb: must list 1 to %d sizes", DESIGN_CARVEOUTS_MAX);
    for (size_t i = 0; i < n; i++) {
        const json_t *v = json_array_get(value, i);
        json_int_t kb = json_integer_value(v);

        if (!json_is_integer(v) || kb < 0 || kb > 1024 || (i && (uint32_t)kb * 1024 <= d->carveout_bytes[i - 1]))
            return err_set(e, ERR_INVALID, "sm.carveouts_kb: sizes must be whole and rise");
        d->carveout_bytes[i] = (uint32_t)kb * 1024;
    }
    d->carveouts = (uint32_t)n;
    return 0;
}

static int read_choice(const json_t *value, const struct design_param *p, const char *where, uint32_t *out,
                       struct err *e)
{
    const char *name = json_string_value(value);
    struct strbuf known = STRBUF_INIT;

    for (uint32_t i = 0; p->names[i]; i++) {
        if (name && strcmp(name, p->names[i]) == 0) {
            strbuf_release(&known);
            *out = i;
            return 0;
        }
        strbuf_addf(&known, "%s\"%s\"", !i ? "" : p->names[i + 1] ? ", " : " or ", p->names[i]);
    }
    err_set(e, ERR_INVALID, "%s: must be %s", where, known.failed ? "one of its names" : known.text);
    strbuf_release(&known);
    return -1;
}

/* --- every parameter --- */

struct reader {
    struct gpu_design *d;
    const json_t *root, *sources;
    struct design_faults faults;
    char missing[32]; /* the last missing group, which is reported only once */
};

bool design_fault_stop(struct design_faults *f, int ret, const struct err *e)
{
    if (ret == 0)
        return false;
    f->count++;
    if (f->report)
        f->report(f->ctx, e);
    return !f->report;
}

const json_t *design_group(const json_t *root, const char *group)
{
    const char *dot = strchr(group, '.');

    return dot ? json_object_get(json_object_get(root, "units"), dot + 1) : json_object_get(root, group);
}

static int store_value(struct gpu_design *d, const struct design_param *p, const json_t *value, const char *where,
                       struct err *e)
{
    uint32_t *number = (uint32_t *)((char *)d + p->offset);

    switch (p->kind) {
    case DESIGN_NUMBER: return read_number(value, p, where, number, e);
    case DESIGN_CHOICE: return read_choice(value, p, where, number, e);
    case DESIGN_LIST: return read_carveouts(d, value, e);
    }
    return 0;
}

static int read_value(struct reader *r, const struct design_param *p, const json_t *leaf, struct err *e)
{
    const char *added = design_added(p);
    json_t *value;
    char where[96];
    int ret;

    snprintf(where, sizeof where, "%s.%s", p->group, p->key);
    if (!leaf && !added)
        return err_set(e, ERR_INVALID, "%s is missing", where);
    if (leaf && design_check_leaf(leaf, r->sources, where, p->unit, e) < 0)
        return -1;
    value = leaf ? json_incref(json_object_get(leaf, "value")) : design_value(added);
    ret = store_value(r->d, p, value, where, e);
    json_decref(value);
    return ret;
}

static int read_param(struct reader *r, const struct design_param *p, struct err *e)
{
    const json_t *in = design_group(r->root, p->group);

    if (!json_is_object(in)) {
        if (strcmp(r->missing, p->group) == 0)
            return 0;
        snprintf(r->missing, sizeof r->missing, "%s", p->group);
        return design_fault_stop(&r->faults, err_set(e, ERR_INVALID, "%s is missing", p->group), e) ? -1 : 0;
    }
    return design_fault_stop(&r->faults, read_value(r, p, json_object_get(in, p->key), e), e) ? -1 : 0;
}

static int read_params(struct reader *r, struct err *e)
{
    for (const struct design_param *p = design_params; p->group; p++)
        if (read_param(r, p, e) < 0)
            return -1;
    return 0;
}

/* --- unknown keys --- */

struct seek {
    struct design_nearest nearest;
    const char *group; /* the group whose keys are checked; NULL: names of groups */
    bool found;
};

static void seek_try(struct seek *s, const char *candidate)
{
    design_nearest_try(&s->nearest, candidate);
    s->found |= strcmp(s->nearest.wanted, candidate) == 0;
}

static void seek_param(struct seek *s, const struct design_param *p)
{
    bool unit = strncmp(p->group, "units.", 6) == 0;

    if (!s->group)
        seek_try(s, unit ? "units" : p->group);
    else if (strcmp(s->group, p->group) == 0)
        seek_try(s, p->key);
    else if (strcmp(s->group, "units") == 0 && unit)
        seek_try(s, strchr(p->group, '.') + 1);
}

/* Checks that the group may have the key. */
static int check_key(const char *group, const char *key, struct err *e)
{
    struct seek s = {.nearest = {key, NULL, SIZE_MAX}, .group = group};

    for (size_t i = 0; !group && top_keys[i]; i++)
        seek_try(&s, top_keys[i]);
    for (const struct design_param *p = design_params; p->group; p++)
        seek_param(&s, p);
    return s.found ? 0 : unknown_key(group ? group : "the design", key, s.nearest.best, e);
}

static bool is_top_key(const char *key)
{
    for (size_t i = 0; top_keys[i]; i++)
        if (strcmp(top_keys[i], key) == 0)
            return true;
    return false;
}

static bool is_group(const char *group)
{
    const struct design_param *p = design_params;

    while (p->group && strcmp(p->group, group) != 0)
        p++;
    return p->group != NULL;
}

static int check_group(struct reader *r, const char *group, const json_t *members, struct err *e)
{
    const char *key;
    json_t *value;

    json_object_foreach((json_t *)members, key, value)
    {
        char inner[40];
        int ret = check_key(group, key, e);

        if (design_fault_stop(&r->faults, ret, e))
            return -1;
        snprintf(inner, sizeof inner, "units.%s", key);
        if (ret == 0 && strcmp(group, "units") == 0 && is_group(inner) && check_group(r, inner, value, e) < 0)
            return -1;
    }
    return 0;
}

static int check_keys(struct reader *r, struct err *e)
{
    const char *key;
    json_t *value;

    json_object_foreach((json_t *)r->root, key, value)
    {
        int ret = check_key(NULL, key, e);
        bool group = ret == 0 && !is_top_key(key);

        if (group && !json_is_object(value))
            ret = err_set(e, ERR_INVALID, "\"%s\" must be an object", key);
        if (design_fault_stop(&r->faults, ret, e) || (ret == 0 && group && check_group(r, key, value, e) < 0))
            return -1;
    }
    return 0;
}

/* --- the whole document --- */

int design_check_head(const json_t *root, struct err *e)
{
    const char *name = json_string_value(json_object_get(root, "name"));
    const json_t *sources = json_object_get(root, "sources");
    const char *key;
    json_t *value;

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
    return 0;
}

static int read_head(struct gpu_design *d, const json_t *root, struct err *e)
{
    const char *format = json_string_value(json_object_get(root, "format"));
    const char *name = json_string_value(json_object_get(root, "name"));
    const json_t *names = json_object_get(root, "gpu_names");
    struct strbuf b = STRBUF_INIT;

    if (!format || strcmp(format, "vivace-design") != 0)
        return err_set(e, ERR_UNSUPPORTED, "not a GPU design: \"format\" must be \"vivace-design\"");
    if (design_check_head(root, e) < 0)
        return -1;
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

static bool power_of_two(uint32_t n)
{
    return n && !(n & (n - 1));
}

/* Checks conditions between parameters of an SM. */
static int check_sm(const struct gpu_design *d, struct err *e)
{
    if (d->warps % SUB_CORES || d->registers % SUB_CORES)
        return err_set(e, ERR_INVALID, "sm.warps and sm.registers must be multiples of 4, one share a sub-core");
    if (d->gpcs > d->sms)
        return err_set(e, ERR_INVALID, "gpu.gpcs: %u GPCs cannot share %u SMs", d->gpcs, d->sms);
    if (d->carveout_bytes[d->carveouts - 1] < d->shared_bytes)
        return err_set(e, ERR_INVALID, "sm.carveouts_kb: the largest must reach sm.shared_kb");
    if (d->shared_bytes + d->l1_unusable_bytes > d->unified_bytes)
        return err_set(e, ERR_INVALID, "sm.shared_kb and l1.unusable_kb together exceed sm.unified_kb");
    if (!power_of_two(d->l1_sets))
        return err_set(e, ERR_INVALID, "l1.sets must be a power of two");
    return 0;
}

static int check_memory(const struct gpu_design *d, struct err *e)
{
    uint32_t line_bytes = 128;

    if (d->l2_slices % d->dram_channels)
        return err_set(e, ERR_INVALID,
                       "l2.slices must be a multiple of dram.channels: every channel has its own slices");
    if (d->dram_chunk_bytes % (line_bytes * (d->l2_slices / d->dram_channels)))
        return err_set(e, ERR_INVALID,
                       "dram.chunk_bytes must hold whole 128-byte lines for each slice of a channel");
    if (d->l2_partitions > 1 && (d->gpcs < 2 || d->dram_channels % 2 || !d->l2_bridge_bytes))
        return err_set(e, ERR_INVALID,
                       "l2.partitions: two need two GPCs or more, an even number of dram.channels and "
                       "l2.bridge_bytes");
    if (d->dram_row_bytes % line_bytes)
        return err_set(e, ERR_INVALID, "dram.row_bytes must be a multiple of 128");
    if (d->l2_fetch_bytes != 32 && d->l2_fetch_bytes != 64 && d->l2_fetch_bytes != 128)
        return err_set(e, ERR_INVALID, "l2.fetch_bytes must be 32, 64 or 128, not %u", d->l2_fetch_bytes);
    if (d->l2_bytes / d->l2_slices / line_bytes / d->l2_ways < 1)
        return err_set(e, ERR_INVALID, "l2: %u ways do not fit into a slice of %u bytes", d->l2_ways,
                       d->l2_bytes / d->l2_slices);
    return 0;
}

static int check_tlb(const struct gpu_design *d, struct err *e)
{
    if (!power_of_two(d->tlb_page_mb) || !power_of_two(d->tlb_gpu_entry_mb) || !power_of_two(d->tlb_directory_mb) ||
        !power_of_two(d->tlb_gpu_sets))
        return err_set(e, ERR_INVALID,
                       "tlb.page_mb, tlb.gpu_entry_mb, tlb.directory_mb and tlb.gpu_sets must be powers of two");
    if (d->tlb_page_mb > d->tlb_gpu_entry_mb || d->tlb_gpu_entry_mb > d->tlb_directory_mb)
        return err_set(e, ERR_INVALID,
                       "tlb: a page must fit into an entry of the GPU, and that into a directory's range");
    return 0;
}

static int check_latencies(const struct gpu_design *d, struct err *e)
{
    if (d->l1_detect >= d->l1_latency || d->l2_latency <= d->l1_latency)
        return err_set(e, ERR_INVALID,
                       "latencies must rise: l1.detect_cycles < l1.latency_cycles < l2.latency_cycles");
    if ((uint64_t)d->dram_rcd_ps + d->dram_rp_ps > d->dram_latency_ps)
        return err_set(e, ERR_INVALID, "dram.latency_ns must contain dram.rcd_ns and dram.rp_ns");
    return 0;
}

static int check_model(const struct gpu_design *d, struct err *e)
{
    bool event = d->model.memory == MEMORY_EVENT;

    if (noc_model(d->model.noc)->request && !event)
        return err_set(e, ERR_INVALID, "model.noc \"%s\" needs model.memory \"event\"",
                       noc_model(d->model.noc)->name);
    if (address_hash(d->model.hash)->power_of_two && d->dram_channels & (d->dram_channels - 1))
        return err_set(e, ERR_INVALID, "model.hash \"%s\" needs a power of two of dram.channels, not %u",
                       address_hash(d->model.hash)->name, d->dram_channels);
    if (dram_model(d->model.dram)->request && !event)
        return err_set(e, ERR_INVALID, "model.dram \"%s\" needs model.memory \"event\"",
                       dram_model(d->model.dram)->name);
    return 0;
}

int design_read(struct gpu_design *d, const json_t *root, design_fault_fn *fault, void *ctx, struct err *e)
{
    struct reader r = {.d = d, .root = root, .faults = {fault, ctx, 0}};

    r.sources = json_object_get(root, "sources");
    if (!json_is_object(root)) {
        (void)design_fault_stop(&r.faults, err_set(e, ERR_MALFORMED, "a design must be a JSON object"), e);
        return -1;
    }
    if (design_fault_stop(&r.faults, read_head(d, root, e), e) || check_keys(&r, e) < 0 || read_params(&r, e) < 0)
        return -1;
    if (r.faults.count) /* conditions between parameters can be checked only if each is valid */
        return -1;
    if (design_fault_stop(&r.faults, check_sm(d, e), e) || design_fault_stop(&r.faults, check_memory(d, e), e) ||
        design_fault_stop(&r.faults, check_tlb(d, e), e) || design_fault_stop(&r.faults, check_model(d, e), e))
        return -1;
    (void)design_fault_stop(&r.faults, check_latencies(d, e), e);
    return r.faults.count ? -1 : 0;
}
