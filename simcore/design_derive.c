/* simcore/design_derive.c: derives a design from another one by changing parameters; the result is the text of a
 * file. */
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/strbuf.h"
#include "base/text.h"
#include "simcore/design_params.h"
#include "simcore/design_read.h"

struct derive {
    const struct gpu_design *base;
    json_t *root;
    const char *name, *wanted; /* name of the new design; the parameter to change */
    struct strbuf title;
    struct design_nearest nearest;
    char near[64];
};

/* "x2": twice the old value; else JSON, or a bare word. NULL: out of memory, or not a number. */
static json_t *new_value(const char *text, const json_t *old)
{
    double x;
    char *end;

    if (*text == 'x' && json_is_number(old)) {
        x = strtod(text + 1, &end) * json_number_value(old);
        if (end > text + 1 && !*end)
            return x == floor(x) && fabs(x) < 1e15 ? json_integer((json_int_t)x) : json_real(x);
    }
    return design_value(text);
}

int design_set_leaf(json_t *leaf, const struct design_change *c, const char *base, const char *name,
                    struct strbuf *title, struct err *e)
{
    json_t *old = json_object_get(leaf, "value"), *value = new_value(c->value, old);
    char *was = json_dumps(old, JSON_ENCODE_ANY | JSON_REAL_PRECISION(15)), *is, source[80];
    struct strbuf reason = STRBUF_INIT;
    int ret;

    if (!value) {
        free(was);
        return err_set(e, ERR_INVALID, "%s cannot be set to `%.40s`", c->name, c->value);
    }
    is = json_dumps(value, JSON_ENCODE_ANY | JSON_REAL_PRECISION(15));
    strbuf_addf(&reason, "%s in %s", was ? was : "", base);
    strbuf_addf(title, "%s%s %s (was %s)", title->length ? ", " : "", c->name, is ? is : "", was ? was : "");
    snprintf(source, sizeof source, "set in %s", name);
    ret = !was || !is || reason.failed || title->failed || json_object_set_new(leaf, "value", value) < 0 ||
          json_object_set_new(leaf, "source", json_string(source)) < 0 ||
          json_object_set_new(leaf, "reason", json_string(reason.text)) < 0;
    strbuf_release(&reason);
    free(was);
    free(is);
    return ret ? err_no_memory(e) : 0;
}

/* Adds a parameter that the base omits, with the value that this implies. */
static int add_leaf(json_t *root, const struct design_param *p, struct err *e)
{
    if (!design_added(p) || design_leaf(root, p->group, p->key))
        return 0;
    if (json_object_set_new((json_t *)design_group(root, p->group), p->key,
                            json_pack("{s:o, s:s}", "value", design_value(design_added(p)), "unit", p->unit)) < 0)
        return err_no_memory(e);
    return 0;
}

/* The parameter to change; NULL: there is none with this name. */
static const struct design_param *find_param(struct derive *c)
{
    for (const struct design_param *p = design_params; p->group; p++) {
        size_t before = c->nearest.distance;
        char full[64];

        snprintf(full, sizeof full, "%s.%s", p->group, p->key);
        if (strcmp(full, c->wanted) == 0)
            return p;
        design_nearest_try(&c->nearest, full);
        if (c->nearest.distance < before)
            snprintf(c->near, sizeof c->near, "%s", full);
    }
    return NULL;
}

static int apply(struct derive *c, const struct design_change *changes, size_t at, struct err *e)
{
    const struct design_param *p;
    char shown[64];

    c->wanted = changes[at].name;
    c->nearest = (struct design_nearest){c->wanted, NULL, SIZE_MAX};
    for (size_t i = 0; i < at; i++)
        if (strcmp(changes[i].name, c->wanted) == 0)
            return err_set(e, ERR_INVALID, "%s is set twice", c->wanted);
    p = find_param(c);
    if (!p) {
        err_set(e, ERR_INVALID, "there is no parameter `%s`", design_shown(c->wanted, shown));
        return c->near[0] ? err_hint(e, "the nearest is `%s`", c->near) : -1;
    }
    if (add_leaf(c->root, p, e) < 0)
        return -1;
    return design_set_leaf((json_t *)design_leaf(c->root, p->group, p->key), &changes[at], c->base->name, c->name,
                           &c->title, e);
}

int design_set_head(json_t *root, const char *base, const char *base_sha256, const char *name,
                    const struct strbuf *changes, struct err *e)
{
    struct strbuf title = STRBUF_INIT, source = STRBUF_INIT;
    char key[80];
    int ret;

    strbuf_addf(&title, "%s; changed: %s", json_string_value(json_object_get(root, "title")), changes->text);
    strbuf_addf(&source, "set by hand when %s was derived from %s (design %s)", name, base, base_sha256);
    snprintf(key, sizeof key, "set in %s", name);
    ret = title.failed || source.failed || json_object_set_new(root, "title", json_string(title.text)) < 0 ||
          json_object_set_new(root, "name", json_string(name)) < 0 ||
          json_object_set_new(json_object_get(root, "sources"), key, json_string(source.text)) < 0;
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
        ret = design_set_head(c.root, base->name, base->sha256, name, &c.title, e);
    /* profiles never come from such a GPU */
    if (ret == 0 && json_object_set_new(c.root, "gpu_names", json_array()) < 0)
        ret = err_no_memory(e);
    if (ret == 0 && !(*text = design_write(c.root, e)))
        ret = -1;
    if (ret == 0)
        ret = design_parse(*text, strlen(*text), name, &d, e); /* checks the result like any file */
    if (ret < 0) {
        free(*text);
        *text = NULL;
    }
    design_free(d);
    strbuf_release(&c.title);
    json_decref(c.root);
    return ret;
}
