/* simcore/system/system.c: loads system designs, lists their parameters, derives others. */
#include "simcore/system/system.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/array.h"
#include "base/embed.h"
#include "base/stream.h"
#include "base/text.h"
#include "simcore/design_read.h"
#include "simcore/system/system_internal.h"

/* An explicit list, because the order of files in a folder is not defined. A test compares it with the folder. */
static const char *const builtin_names[] = {"dgx1-v100",   "dgx2",        "dgx-a100",    "hgx-h100", "hgx-h200",
                                            "gb200-nvl72", "pcie-2x4090", "pcie-4xl40s", NULL};

const char *const *system_builtin_names(void)
{
    return builtin_names;
}

static const struct embedded_file *builtin(const char *name)
{
    size_t length = strlen(name);

    for (const struct embedded_file *f = embedded_systems; f->name; f++)
        if (strncmp(f->name, name, length) == 0 && strcmp(f->name + length, ".json") == 0)
            return f;
    return NULL;
}

static bool is_path(const char *name)
{
    return strchr(name, '/') || str_ends(name, ".json");
}

/* --- loading --- */

static int parse_all(const char *json, size_t n, const char *label, design_fault_fn *fault, void *ctx,
                     struct system_design **out, struct err *e)
{
    struct system_design *s = mem_zalloc(1, sizeof *s, e);
    json_t *root = NULL;
    char *sorted = NULL;
    int ret = -1;

    if (!s)
        return -1;
    root = design_load_json(json, n, e);
    if (!root) {
        if (fault)
            fault(ctx, e);
        goto out;
    }
    if (system_read(s, root, fault, ctx, e) < 0)
        goto out;
    design_make_canonical(root);
    /* in the order of the file: parameters are listed in it */
    s->json = json_dumps(root, JSON_COMPACT | JSON_REAL_PRECISION(17));
    sorted = json_dumps(root, JSON_SORT_KEYS | JSON_COMPACT);
    ret = s->json && sorted ? sha256_bytes(sorted, strlen(sorted), s->sha256, e) : err_no_memory(e);
    if (ret < 0)
        goto out;
    *out = s;
    s = NULL; /* the caller owns it now */
out:
    if (ret < 0)
        err_wrap(e, "system %s", label);
    free(sorted);
    json_decref(root);
    system_free(s);
    return ret;
}

int system_parse(const char *json, size_t n, const char *label, struct system_design **out, struct err *e)
{
    return parse_all(json, n, label, NULL, NULL, out, e);
}

int system_check_file(const char *path, design_fault_fn *fault, void *ctx, struct system_design **out,
                      struct err *e)
{
    struct strbuf b = STRBUF_INIT;
    int ret = stream_read_whole(path, DESIGN_FILE_MAX, &b, e);

    if (ret == 0)
        ret = parse_all(b.text, b.length, path, fault, ctx, out, e);
    strbuf_release(&b);
    return ret;
}

int system_load(const char *name, struct system_design **out, struct err *e)
{
    const struct embedded_file *f = builtin(name);
    struct strbuf known = STRBUF_INIT;
    char text[64];

    *out = NULL;
    if (is_path(name))
        return system_check_file(name, NULL, NULL, out, e);
    if (f)
        return system_parse((const char *)f->bytes, f->size, name, out, e);
    err_set(e, ERR_NOT_FOUND, "there is no built-in system `%s`", design_shown(name, text));
    for (size_t i = 0; builtin_names[i]; i++)
        strbuf_addf(&known, "%s%s", i ? ", " : "", builtin_names[i]);
    err_hint(e, "built in are %s; a file is named by a path with '/' or ending in .json", known.text);
    strbuf_release(&known);
    return -1;
}

bool system_is_named(const char *name)
{
    struct strbuf b = STRBUF_INIT;
    const char *format;
    struct stat st;
    struct err ignored;
    json_t *root = NULL;
    bool is;

    if (!is_path(name))
        return builtin(name) != NULL;
    /* only a regular file can be read twice */
    if (stat(name, &st) == 0 && S_ISREG(st.st_mode) && stream_read_whole(name, DESIGN_FILE_MAX, &b, &ignored) == 0)
        root = design_load_json(b.text, b.length, &ignored);
    format = json_string_value(json_object_get(root, "format"));
    is = format && strcmp(format, "vivace-system") == 0;
    json_decref(root);
    strbuf_release(&b);
    return is;
}

void system_free(struct system_design *s)
{
    if (!s)
        return;
    free(s->name);
    free(s->title);
    free(s->json);
    free(s->nodes);
    free(s->channels);
    free(s->ports);
    free(s);
}

/* --- parameters --- */

struct gather {
    struct design_facts *facts;
    size_t capacity;
    struct err *e;
};

static int add_fact(void *ctx, const char *name, const json_t *leaf, const struct system_param *p)
{
    struct gather *g = ctx;
    struct design_facts *out = g->facts;
    const json_t *sources = json_object_get(out->document, "sources");
    struct design_fact *f;

    if (array_reserve((void **)&out->items, &g->capacity, out->count + 1, sizeof *out->items, g->e) < 0)
        return -1;
    f = &out->items[out->count];
    memset(f, 0, sizeof *f);
    snprintf(f->name, sizeof f->name, "%s", name);
    f->unit = p->unit;
    f->meaning = p->meaning;
    f->source = json_string_value(json_object_get(leaf, "source"));
    f->source_text = json_string_value(json_object_get(sources, f->source));
    f->reason = json_string_value(json_object_get(leaf, "reason"));
    f->value = json_dumps(json_object_get(leaf, "value"), JSON_ENCODE_ANY | JSON_REAL_PRECISION(15));
    if (!f->value)
        return err_no_memory(g->e);
    out->count++;
    return 0;
}

int system_facts_make(const struct system_design *s, struct design_facts *out, struct err *e)
{
    struct gather g = {.facts = out, .e = e};

    memset(out, 0, sizeof *out);
    out->document = json_loads(s->json, 0, NULL);
    if (!out->document)
        return err_no_memory(e);
    out->title = s->title;
    if (system_each_leaf(out->document, add_fact, &g) == 0)
        return 0;
    design_facts_release(out);
    return -1;
}

/* --- deriving --- */

struct nearest_leaf {
    struct design_nearest nearest;
    char name[96];
};

static int try_leaf(void *ctx, const char *name, const json_t *leaf, const struct system_param *p)
{
    struct nearest_leaf *n = ctx;
    size_t before = n->nearest.distance;

    (void)leaf;
    (void)p;
    design_nearest_try(&n->nearest, name);
    if (n->nearest.distance < before)
        snprintf(n->name, sizeof n->name, "%s", name);
    return 0;
}

static int unknown_parameter(const json_t *root, const char *name, struct err *e)
{
    struct nearest_leaf n = {.nearest = {name, NULL, SIZE_MAX}};
    char shown[64];

    (void)system_each_leaf(root, try_leaf, &n);
    err_set(e, ERR_INVALID, "there is no parameter `%s`", design_shown(name, shown));
    return n.name[0] ? err_hint(e, "the nearest is `%s`", n.name) : -1;
}

static int apply(const struct system_design *base, json_t *root, const char *name,
                 const struct design_change *changes, size_t n, struct strbuf *title, struct err *e)
{
    for (size_t i = 0; i < n; i++) {
        json_t *leaf = system_leaf(root, changes[i].name);

        for (size_t k = 0; k < i; k++)
            if (strcmp(changes[k].name, changes[i].name) == 0)
                return err_set(e, ERR_INVALID, "%s is set twice", changes[i].name);
        if (!leaf)
            return unknown_parameter(root, changes[i].name, e);
        if (design_set_leaf(leaf, &changes[i], base->name, name, title, e) < 0)
            return -1;
    }
    return 0;
}

int system_derive(const struct system_design *base, const char *name, const struct design_change *changes, size_t n,
                  char **text, struct err *e)
{
    struct strbuf title = STRBUF_INIT;
    json_t *root = json_loads(base->json, 0, NULL);
    struct system_design *s = NULL;
    int ret = root ? apply(base, root, name, changes, n, &title, e) : err_no_memory(e);

    *text = NULL;
    if (ret == 0)
        ret = design_set_head(root, base->name, base->sha256, name, &title, e);
    if (ret == 0 && !(*text = json_dumps(root, JSON_INDENT(2) | JSON_REAL_PRECISION(15))))
        ret = err_no_memory(e);
    if (ret == 0)
        ret = system_parse(*text, strlen(*text), name, &s, e); /* checks the result like any file */
    if (ret < 0) {
        free(*text);
        *text = NULL;
    }
    system_free(s);
    strbuf_release(&title);
    json_decref(root);
    return ret;
}
