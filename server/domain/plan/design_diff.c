#include "server/domain/plan/design_diff.h"

#include <string.h>

#include "base/strbuf.h"
#include "wire/json.h"

#define SIDES_MAX 64 /* more than the sides of a comparison */

struct differ {
    size_t count;
    bool all, failed;
    json_t *rows;
};

/* A parameter is an object with a value. Any other member is a group of parameters, or metadata of the document. */
static bool is_parameter(const json_t *node)
{
    return json_object_get(node, "value") != NULL;
}

static const char *unit_of(json_t *const *nodes, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const char *unit = json_string_value(json_object_get(nodes[i], "unit"));

        if (unit)
            return unit;
    }
    return NULL;
}

static void add_row(struct differ *d, const char *path, json_t *const *nodes)
{
    const json_t *first = json_object_get(nodes[0], "value");
    struct json_obj o = json_obj_begin();
    json_t *values = json_array();
    bool same = first != NULL;

    for (size_t i = 0; i < d->count; i++) {
        json_t *value = json_object_get(nodes[i], "value");

        same &= value && json_equal(first, value);
        d->failed |= json_push(values, value ? json_incref(value) : json_null()) < 0;
    }
    json_put_str(&o, "parameter", path);
    json_put_str(&o, "unit", unit_of(nodes, d->count));
    json_put(&o, "values", values);
    json_put_bool(&o, "same", same);
    if (same && !d->all)
        json_decref(json_obj_end(&o));
    else
        d->failed |= json_push(d->rows, json_obj_end(&o)) < 0;
}

static void walk(struct differ *d, const char *path, json_t *const *nodes);

/* Visits the member `key` of all documents, unless a document before `first` has it, too: then it was visited
 * before. */
static void step(struct differ *d, const char *path, const char *key, json_t *const *nodes, size_t first)
{
    json_t *children[SIDES_MAX] = {NULL};
    struct strbuf below = STRBUF_INIT;
    bool parameter = false;

    for (size_t i = 0; i < first; i++)
        if (json_object_get(nodes[i], key))
            return;
    for (size_t i = 0; i < d->count; i++) {
        children[i] = json_object_get(nodes[i], key);
        parameter |= is_parameter(children[i]);
    }
    strbuf_addf(&below, "%s%s%s", path, *path ? "." : "", key);
    d->failed |= below.failed;
    if (below.failed)
        return;
    if (parameter)
        add_row(d, below.text, children);
    else
        walk(d, below.text, children);
    strbuf_release(&below);
}

static void walk(struct differ *d, const char *path, json_t *const *nodes)
{
    const char *key;
    json_t *child;

    for (size_t i = 0; i < d->count; i++)
        json_object_foreach(nodes[i], key, child)
        {
            if (json_is_object(child))
                step(d, path, key, nodes, i);
        }
}

int design_diff(json_t *const *designs, size_t count, bool all, json_t **out, struct err *e)
{
    struct differ d = {.count = count, .all = all, .rows = json_array()};

    if (count > SIDES_MAX) {
        json_decref(d.rows);
        return err_set(e, ERR_INVALID, "at most %d designs can be compared side by side", SIDES_MAX);
    }
    d.failed = !d.rows;
    walk(&d, "", designs);
    if (d.failed) {
        json_decref(d.rows);
        return err_no_memory(e);
    }
    *out = d.rows;
    return 0;
}
