/* simcore/design.c: reads design files to struct gpu_design, and gives callers access to its facts. */
#include "simcore/design.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/stream.h"
#include "base/strbuf.h"
#include "base/text.h"
#include "simcore/design_read.h"

const char *const unit_class_names[UNIT_CLASS_COUNT] = {
#define X(name, text) text,
    UNIT_CLASSES(X)
#undef X
};

void design_make_canonical(json_t *at)
{
    const char *key;
    json_t *value;
    void *next;

    json_object_foreach_safe(at, next, key, value)
    {
        double x = json_is_real(value) ? json_real_value(value) : NAN;

        if (x == floor(x) && fabs(x) < 9007199254740992.0) /* 2^53: exact in both */
            (void)json_object_set_new(at, key, json_integer((json_int_t)x));
        else
            design_make_canonical(value);
    }
}

json_t *design_load_json(const char *json, size_t n, struct err *e)
{
    json_error_t je;
    json_t *root;

    if (n > DESIGN_FILE_MAX) {
        err_set(e, ERR_TOO_LARGE, "the design has %zu bytes; at most %d are supported", n, DESIGN_FILE_MAX);
        return NULL;
    }
    root = json_loadb(json, n, JSON_REJECT_DUPLICATES, &je);
    if (!root) {
        text_sanitize(je.text);
        err_set(e, ERR_MALFORMED, "line %d: %s", je.line, je.text);
    }
    return root;
}

static int parse_all(const char *json, size_t n, const char *label, design_fault_fn *fault, void *ctx,
                     struct gpu_design **out, struct err *e)
{
    struct gpu_design *d = mem_zalloc(1, sizeof *d, e);
    json_t *root = NULL;
    int ret = -1;

    if (!d)
        return -1;
    root = design_load_json(json, n, e);
    if (!root) {
        if (fault)
            fault(ctx, e);
        goto out;
    }
    if (design_complete(root, e) < 0 || design_read(d, root, fault, ctx, e) < 0)
        goto out;
    design_make_canonical(root);
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

int design_parse(const char *json, size_t n, const char *label, struct gpu_design **out, struct err *e)
{
    return parse_all(json, n, label, NULL, NULL, out, e);
}

static int load_file(const char *path, design_fault_fn *fault, void *ctx, struct gpu_design **out, struct err *e)
{
    struct strbuf b = STRBUF_INIT;
    int ret = stream_read_whole(path, DESIGN_FILE_MAX, &b, e);

    if (ret == 0)
        ret = parse_all(b.text, b.length, path, fault, ctx, out, e); /* it reports a file that is too large */
    strbuf_release(&b);
    return ret;
}

int design_check_file(const char *path, design_fault_fn *fault, void *ctx, struct gpu_design **out, struct err *e)
{
    return load_file(path, fault, ctx, out, e);
}

static int load_named(const char *name, struct gpu_design **out, struct err *e)
{
    const char *json;
    size_t n;
    struct strbuf known = STRBUF_INIT;
    char text[64];

    if (strchr(name, '/') || str_ends(name, ".json"))
        return load_file(name, NULL, NULL, out, e);
    json = design_builtin_json(name, &n);
    if (json)
        return design_parse(json, n, name, out, e);
    err_set(e, ERR_NOT_FOUND, "there is no built-in GPU design `%s`", design_shown(name, text));
    for (size_t i = 0; design_builtin_names()[i]; i++)
        strbuf_addf(&known, "%s%s", i ? ", " : "", design_builtin_names()[i]);
    err_hint(
        e,
        "built in are %s, each also as NAME:fast, NAME:default or NAME:detailed; a file is named by a path with "
        "'/' or ending in .json",
        known.text);
    strbuf_release(&known);
    return -1;
}

int design_load(const char *name, struct gpu_design **out, struct err *e)
{
    size_t colon = design_preset_split(name);
    char *plain = colon ? mem_strdup(name, e) : NULL;
    int ret;

    *out = NULL;
    if (!colon)
        return load_named(name, out, e);
    if (!plain)
        return -1;
    plain[colon] = '\0';
    ret = load_named(plain, out, e);
    if (ret == 0)
        ret = design_preset_apply(name + colon + 1, out, e);
    if (ret < 0) {
        design_free(*out);
        *out = NULL;
    }
    free(plain);
    return ret;
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

double design_seconds(const struct gpu_design *d, uint64_t cycles)
{
    return (double)cycles / design_clock_hz(d);
}

const char *design_gpu_names(const struct gpu_design *d)
{
    return d->gpu_names;
}
