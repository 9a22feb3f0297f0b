/* simcore/design_derive.c: a design made of another by setting some of its parameters, as the text of a file. */
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/strbuf.h"
#include "base/text.h"
#include "simcore/design_params.h"
#include "simcore/design_read.h"

/* --- the text of a file: one parameter a line, in the order of the table --- */

struct writer {
    const json_t *root;
    struct strbuf out;
    char group[32], unit[32]; /* what stands open; unit: inside "units" */
    bool first;               /* nothing stands in it yet */
};

static void write_json(struct writer *w, json_t *value)
{
    char *text = json_dumps(value, JSON_ENCODE_ANY | JSON_REAL_PRECISION(15));

    w->out.failed |= !text;
    strbuf_adds(&w->out, text ? text : "");
    free(text);
}

static void close_unit(struct writer *w)
{
    if (w->unit[0])
        strbuf_adds(&w->out, "\n    }");
    w->first &= !w->unit[0];
    w->unit[0] = '\0';
}

static void open_group(struct writer *w, const char *full)
{
    const char *dot = strchr(full, '.');
    size_t n = strcspn(full, ".");

    if (strncmp(w->group, full, n) != 0 || w->group[n]) {
        if (w->group[0])
            strbuf_adds(&w->out, "\n  },\n");
        snprintf(w->group, sizeof w->group, "%.*s", (int)n, full);
        strbuf_addf(&w->out, "  \"%s\": {\n", w->group);
        w->first = true;
    }
    if (strcmp(w->unit, dot ? dot + 1 : "") == 0)
        return;
    close_unit(w);
    if (dot) {
        snprintf(w->unit, sizeof w->unit, "%s", dot + 1);
        strbuf_addf(&w->out, "%s    \"%s\": {\n", w->first ? "" : ",\n", w->unit);
        w->first = true;
    }
}

static int write_leaf(void *ctx, const char *group, const struct design_param *p, struct err *e)
{
    static const char *const members[] = {"value", "unit", "source", "reason"};
    struct writer *w = ctx;
    const json_t *leaf = design_leaf(w->root, group, p->key);

    (void)e;
    if (!leaf) /* left out */
        return 0;
    open_group(w, group);
    strbuf_addf(&w->out, "%s%s\"%s\": {", w->first ? "" : ",\n", w->unit[0] ? "      " : "    ", p->key);
    w->first = false;
    for (size_t i = 0; i < sizeof members / sizeof *members; i++) {
        json_t *member = json_object_get(leaf, members[i]);

        if (!member)
            continue;
        strbuf_addf(&w->out, "%s\"%s\": ", i ? ", " : "", members[i]);
        write_json(w, member);
    }
    strbuf_adds(&w->out, "}");
    return 0;
}

static char *write_text(const json_t *root, struct err *e)
{
    static const char *const head[] = {"format", "version", "name", "title", "gpu_names"};
    struct writer w = {.root = root, .out = STRBUF_INIT};
    const char *key, *between = "";
    json_t *value;

    strbuf_adds(&w.out, "{\n");
    for (size_t i = 0; i < sizeof head / sizeof *head; i++) {
        strbuf_addf(&w.out, "  \"%s\": ", head[i]);
        write_json(&w, json_object_get(root, head[i]));
        strbuf_adds(&w.out, ",\n");
    }
    strbuf_adds(&w.out, "  \"sources\": {\n");
    json_object_foreach(json_object_get(root, "sources"), key, value)
    {
        json_t *name = json_string(key);

        strbuf_addf(&w.out, "%s    ", between);
        write_json(&w, name);
        strbuf_adds(&w.out, ": ");
        write_json(&w, value);
        json_decref(name);
        between = ",\n";
    }
    strbuf_adds(&w.out, "\n  },\n");
    (void)design_each_param(write_leaf, &w, e);
    strbuf_adds(&w.out, "\n  }\n}\n");
    if (w.out.failed) {
        strbuf_release(&w.out);
        err_no_memory(e);
        return NULL;
    }
    return strbuf_detach(&w.out);
}

/* --- what changes --- */

struct derive {
    const struct gpu_design *base;
    json_t *root;
    const char *name, *wanted, *text; /* of the new design; the parameter being set, and to what */
    struct strbuf title;
    struct design_nearest nearest;
    char near[64];
};

/* "x2": twice what it was; else JSON, or a bare word. NULL: memory, or a number that is none. */
static json_t *new_value(const char *text, const json_t *old)
{
    double x;
    char *end;
    json_t *value;

    if (*text == 'x' && json_is_number(old)) {
        x = strtod(text + 1, &end) * json_number_value(old);
        if (end > text + 1 && !*end)
            return x == floor(x) && fabs(x) < 1e15 ? json_integer((json_int_t)x) : json_real(x);
    }
    value = json_loads(text, JSON_DECODE_ANY, NULL);
    return value ? value : json_string(text);
}

static int set_leaf(struct derive *c, json_t *leaf, struct err *e)
{
    json_t *old = json_object_get(leaf, "value"), *value = new_value(c->text, old);
    char *was = json_dumps(old, JSON_ENCODE_ANY | JSON_REAL_PRECISION(15)), *is, source[80];
    struct strbuf reason = STRBUF_INIT;
    int ret;

    if (!value) {
        free(was);
        return err_set(e, ERR_INVALID, "%s cannot be set to `%.40s`", c->wanted, c->text);
    }
    is = json_dumps(value, JSON_ENCODE_ANY | JSON_REAL_PRECISION(15));
    strbuf_addf(&reason, "%s in %s", was ? was : "", c->base->name);
    strbuf_addf(&c->title, "%s%s %s (was %s)", c->title.length ? ", " : "", c->wanted, is ? is : "",
                was ? was : "");
    snprintf(source, sizeof source, "set in %s", c->name);
    ret = !was || !is || reason.failed || c->title.failed || json_object_set_new(leaf, "value", value) < 0 ||
          json_object_set_new(leaf, "source", json_string(source)) < 0 ||
          json_object_set_new(leaf, "reason", json_string(reason.text)) < 0;
    strbuf_release(&reason);
    free(was);
    free(is);
    return ret ? err_no_memory(e) : 0;
}

/* A parameter that the base leaves out: it gets the value that this means. */
static int add_leaf(json_t *root, const char *group, const struct design_param *p, struct err *e)
{
    if (!p->optional || design_leaf(root, group, p->key))
        return 0;
    if (json_object_set_new((json_t *)design_group(root, group), p->key,
                            json_pack("{s:s, s:s}", "value", p->names[0], "unit", p->unit)) < 0)
        return err_no_memory(e);
    return 0;
}

/* 1 when this is the parameter that is to be set. */
static int try_leaf(void *ctx, const char *group, const struct design_param *p, struct err *e)
{
    struct derive *c = ctx;
    size_t before = c->nearest.distance;
    char full[64];

    snprintf(full, sizeof full, "%s.%s", group, p->key);
    design_nearest_try(&c->nearest, full);
    if (c->nearest.distance < before)
        snprintf(c->near, sizeof c->near, "%s", full);
    if (strcmp(full, c->wanted) != 0)
        return 0;
    if (add_leaf(c->root, group, p, e) < 0)
        return -1;
    return set_leaf(c, (json_t *)design_leaf(c->root, group, p->key), e) < 0 ? -1 : 1;
}

static int apply(struct derive *c, const struct design_change *changes, size_t at, struct err *e)
{
    char shown[64];
    int ret;

    c->wanted = changes[at].name;
    c->text = changes[at].value;
    c->nearest = (struct design_nearest){c->wanted, NULL, SIZE_MAX};
    for (size_t i = 0; i < at; i++)
        if (strcmp(changes[i].name, c->wanted) == 0)
            return err_set(e, ERR_INVALID, "%s is set twice", c->wanted);
    ret = design_each_param(try_leaf, c, e);
    if (ret == 0) {
        err_set(e, ERR_INVALID, "there is no parameter `%s`", design_shown(c->wanted, shown));
        return c->near[0] ? err_hint(e, "the nearest is `%s`", c->near) : -1;
    }
    return ret < 0 ? -1 : 0;
}

static int set_head(struct derive *c, struct err *e)
{
    struct strbuf title = STRBUF_INIT, source = STRBUF_INIT;
    char key[80];
    int ret;

    strbuf_addf(&title, "%s; changed: %s", json_string_value(json_object_get(c->root, "title")), c->title.text);
    strbuf_addf(&source, "set by hand when %s was derived from %s (design %s)", c->name, c->base->name,
                c->base->sha256);
    snprintf(key, sizeof key, "set in %s", c->name);
    ret = title.failed || source.failed || json_object_set_new(c->root, "title", json_string(title.text)) < 0 ||
          json_object_set_new(c->root, "name", json_string(c->name)) < 0 ||
          json_object_set_new(c->root, "gpu_names", json_array()) < 0 || /* no profile comes from such a GPU */
          json_object_set_new(json_object_get(c->root, "sources"), key, json_string(source.text)) < 0;
    strbuf_release(&title);
    strbuf_release(&source);
    return ret ? err_no_memory(e) : 0;
}

int design_derive(const struct gpu_design *base, const char *name, const struct design_change *changes, size_t n,
                  char **text, struct err *e)
{
    struct derive c = {.base = base, .name = name, .title = STRBUF_INIT};
    struct gpu_design *d = NULL;
    int ret = 0;

    *text = NULL;
    c.root = json_loadb(base->json, base->json_bytes, 0, NULL);
    if (!c.root)
        return err_no_memory(e);
    for (size_t i = 0; i < n && ret == 0; i++)
        ret = apply(&c, changes, i, e);
    if (ret == 0)
        ret = set_head(&c, e);
    if (ret == 0 && !(*text = write_text(c.root, e)))
        ret = -1;
    if (ret == 0)
        ret = design_parse(*text, strlen(*text), name, &d, e); /* the same rules as for any file */
    if (ret < 0) {
        free(*text);
        *text = NULL;
    }
    design_free(d);
    strbuf_release(&c.title);
    json_decref(c.root);
    return ret;
}
