/* simcore/design_complete.c: adds the values that a design file omits to its document: the defaults of the GPU's
 * generation, and the texts of the sources that they name. All other code uses complete documents. So the hash of a
 * design does not depend on whether its file states a default value. */
#include <string.h>

#include "simcore/design_params.h"
#include "simcore/design_read.h"

json_t *design_value(const char *text)
{
    json_t *value = json_loads(text, JSON_DECODE_ANY, NULL);

    return value ? value : json_string(text);
}

static json_t *default_leaf(const struct design_param *p, const struct design_default *d)
{
    json_t *leaf =
        json_pack("{s:s, s:s, s:o}", "unit", p->unit, "source", d->source, "value", design_value(d->value));

    if (leaf && d->reason && json_object_set_new(leaf, "reason", json_string(d->reason)) < 0) {
        json_decref(leaf);
        return NULL;
    }
    return leaf;
}

/* Returns the object `key` of `in` and creates it if it is missing. NULL: another type of value, or out of memory.
 */
static json_t *object_of(json_t *in, const char *key)
{
    json_t *object = json_object_get(in, key);

    if (!object && json_object_set_new(in, key, json_object()) == 0)
        object = json_object_get(in, key);
    return json_is_object(object) ? object : NULL;
}

static json_t *group_of(json_t *root, const char *group)
{
    const char *dot = strchr(group, '.');

    return dot ? object_of(object_of(root, "units"), dot + 1) : object_of(root, group);
}

/* Adds the source of a parameter if the file's list of sources does not contain it. */
static int complete_source(json_t *root, const struct design_param *p, struct err *e)
{
    const char *key = json_string_value(json_object_get(design_leaf(root, p->group, p->key), "source"));
    const char *text = key ? design_source_text(key) : NULL;
    json_t *sources = object_of(root, "sources");

    if (!text || !sources || json_object_get(sources, key))
        return 0;
    return json_object_set_new(sources, key, json_string(text)) < 0 ? err_no_memory(e) : 0;
}

int design_complete(json_t *root, struct err *e)
{
    const json_t *capability = json_object_get(design_leaf(root, "gpu", "compute_capability"), "value");
    enum gpu_generation g = gpu_generation_of(json_number_value(capability));

    for (const struct design_param *p = design_params; p->group; p++) {
        const struct design_default *d = design_default_of(p, g);
        json_t *group = d && !design_leaf(root, p->group, p->key) ? group_of(root, p->group) : NULL;

        if (group && json_object_set_new(group, p->key, default_leaf(p, d)) < 0)
            return err_no_memory(e);
        if (complete_source(root, p, e) < 0)
            return -1;
    }
    return 0;
}
