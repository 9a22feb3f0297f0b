/* simcore/design_facts.c: the parameters of a design as a list: value, unit, meaning, source. */
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "simcore/design_params.h"
#include "simcore/design_read.h"

struct gather {
    struct design_facts *facts;
    size_t capacity;
};

const json_t *design_leaf(const json_t *root, const char *group, const char *key)
{
    return json_object_get(design_group(root, group), key);
}

static int add_fact(struct gather *g, const struct design_param *p, struct err *e)
{
    struct design_facts *out = g->facts;
    const json_t *root = out->document, *leaf = design_leaf(root, p->group, p->key);
    struct design_fact *f;
    json_t *value;

    if (array_reserve((void **)&out->items, &g->capacity, out->count + 1, sizeof *out->items, e) < 0)
        return -1;
    f = &out->items[out->count];
    memset(f, 0, sizeof *f);
    snprintf(f->name, sizeof f->name, "%s.%s", p->group, p->key);
    f->unit = p->unit;
    f->meaning = p->meaning;
    f->source = json_string_value(json_object_get(leaf, "source"));
    f->source_text = json_string_value(json_object_get(json_object_get(root, "sources"), f->source));
    f->reason = json_string_value(json_object_get(leaf, "reason"));
    value = leaf ? json_incref(json_object_get(leaf, "value")) : design_value(design_added(p));
    f->value = json_dumps(value, JSON_ENCODE_ANY | JSON_REAL_PRECISION(15));
    json_decref(value);
    if (!leaf) {
        f->source = "default";
        f->source_text = "the file leaves it out";
    }
    if (!f->value)
        return err_no_memory(e);
    out->count++;
    return 0;
}

int design_facts_make(const struct gpu_design *d, struct design_facts *out, struct err *e)
{
    struct gather g = {.facts = out};

    memset(out, 0, sizeof *out);
    out->document = json_loadb(d->json, d->json_bytes, 0, NULL); /* our own text: only memory can be missing */
    if (!out->document)
        return err_no_memory(e);
    out->title = json_string_value(json_object_get(out->document, "title"));
    for (const struct design_param *p = design_params; p->group; p++) {
        if (add_fact(&g, p, e) < 0) {
            design_facts_release(out);
            return -1;
        }
    }
    return 0;
}

const struct design_fact *design_facts_find(const struct design_facts *facts, const char *name)
{
    for (size_t i = 0; i < facts->count; i++)
        if (strcmp(facts->items[i].name, name) == 0)
            return &facts->items[i];
    return NULL;
}

void design_facts_release(struct design_facts *facts)
{
    for (size_t i = 0; i < facts->count; i++)
        free(facts->items[i].value);
    free(facts->items);
    json_decref(facts->document);
    memset(facts, 0, sizeof *facts);
}
