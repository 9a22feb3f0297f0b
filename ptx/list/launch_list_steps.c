/* The steps of a launch list. */
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "ptx/list/launch_list_json.h"

enum { REPEATS_DEEP = 8 };

void list_steps_free(struct list_step *steps, uint32_t count)
{
    for (uint32_t i = 0; steps && i < count; i++) {
        free(steps[i].name);
        free(steps[i].kernel);
        free(steps[i].params);
        free(steps[i].image);
        free(steps[i].relocations);
        free(steps[i].image_of);
        list_steps_free(steps[i].steps, steps[i].step_count);
    }
    free(steps);
}

static int read_dims(struct list_reader *r, const json_t *o, const char *key, bool needed, uint32_t out[3])
{
    const json_t *v = json_object_get(o, key);

    out[0] = out[1] = out[2] = 1;
    if (!v)
        return needed ? list_fault(r, "`%s` is missing", key) : 0;
    if (!json_is_array(v) || json_array_size(v) < 1 || json_array_size(v) > 3)
        return list_fault(r, "`%s` must be a list of one to three numbers", key);
    for (size_t i = 0; i < json_array_size(v); i++) {
        const json_t *n = json_array_get(v, i);

        if (!json_is_integer(n) || json_integer_value(n) < 1 || json_integer_value(n) > INT32_MAX)
            return list_fault(r, "`%s`[%zu] must be 1 to %d", key, i, INT32_MAX);
        out[i] = (uint32_t)json_integer_value(n);
    }
    return 0;
}

static int read_module(struct list_reader *r, const json_t *o, uint32_t *out)
{
    const char *name = NULL;

    if (list_text(r, o, "module", r->l->module_count != 1, &name) != 0)
        return -1;
    *out = 0;
    if (!name)
        return 0; /* module 0 is the only module */
    for (; *out < r->l->module_count; (*out)++)
        if (strcmp(r->l->modules[*out].name, name) == 0)
            return 0;
    return list_fault(r, "there is no module `%.60s`", name);
}

static int read_launch(struct list_reader *r, const json_t *o, struct list_step *s)
{
    static const char *const keys[] = {"name",    "module",       "kernel",    "grid",   "block",
                                       "cluster", "shared_bytes", "registers", "params", NULL};
    const char *name = NULL, *kernel = NULL;
    uint64_t shared = 0, registers = 0;

    if (list_object(r, o, keys) != 0 || list_text(r, o, "name", false, &name) != 0 ||
        list_text(r, o, "kernel", true, &kernel) != 0 || read_module(r, o, &s->module) != 0 ||
        read_dims(r, o, "grid", true, s->grid) != 0 || read_dims(r, o, "block", true, s->block) != 0 ||
        (json_object_get(o, "cluster") && read_dims(r, o, "cluster", true, s->cluster) != 0) ||
        list_u64(r, o, "shared_bytes", false, PTX_WINDOW_BYTES, &shared) != 0 ||
        list_u64(r, o, "registers", false, 255, &registers) != 0)
        return -1;
    s->shared_bytes = (uint32_t)shared;
    s->registers = (uint32_t)registers;
    s->kernel = list_copy(r, kernel);
    s->name = list_copy(r, name ? name : kernel);
    if (!s->kernel || !s->name)
        return -1;
    return json_object_get(o, "params") ? list_params(r, json_object_get(o, "params"), s) : 0;
}

/* Checks that the buffer has this many bytes after the position. */
static int check_room(struct list_reader *r, const char *what, const struct list_place *p, uint64_t bytes)
{
    const struct list_buffer *b = &r->l->buffers[p->buffer];
    uint64_t size = b->count * element_bytes(b->type);

    if (bytes > size - p->offset)
        return list_fault(r, "%s: %llu bytes at byte %llu reach past the end of %s (%llu bytes)", what,
                          (unsigned long long)bytes, (unsigned long long)p->offset, b->name,
                          (unsigned long long)size);
    return 0;
}

static int read_place(struct list_reader *r, const json_t *o, const char *key, struct list_place *out)
{
    const char *text = NULL;

    return list_text(r, o, key, true, &text) != 0 ? -1 : list_place_of(r, text, out);
}

static int read_copy(struct list_reader *r, const json_t *o, struct list_step *s)
{
    static const char *const keys[] = {"from", "to", "bytes", NULL};

    if (list_object(r, o, keys) != 0 || read_place(r, o, "from", &s->from) != 0 ||
        read_place(r, o, "to", &s->to) != 0 || list_u64(r, o, "bytes", true, INT64_MAX, &s->bytes) != 0)
        return -1;
    return check_room(r, "from", &s->from, s->bytes) != 0 ? -1 : check_room(r, "to", &s->to, s->bytes);
}

static int read_fill(struct list_reader *r, const json_t *o, struct list_step *s)
{
    static const char *const keys[] = {"buffer", "byte", "bytes", NULL};
    const struct list_buffer *b;
    uint64_t byte = 0;

    if (list_object(r, o, keys) != 0 || read_place(r, o, "buffer", &s->to) != 0 ||
        list_u64(r, o, "byte", true, 255, &byte) != 0)
        return -1;
    b = &r->l->buffers[s->to.buffer];
    s->byte = (uint8_t)byte;
    s->bytes = b->count * element_bytes(b->type) - s->to.offset;
    if (list_u64(r, o, "bytes", false, INT64_MAX, &s->bytes) != 0)
        return -1;
    return check_room(r, "bytes", &s->to, s->bytes);
}

static int read_symbol(struct list_reader *r, const json_t *o, struct list_step *s)
{
    static const char *const keys[] = {"module", "name", "from", "to", "offset", "bytes", NULL};
    const char *name = NULL;

    s->to_symbol = json_object_get(o, "from") != NULL;
    if (list_object(r, o, keys) != 0 || list_text(r, o, "name", true, &name) != 0 ||
        read_module(r, o, &s->module) != 0 || list_u64(r, o, "offset", false, INT64_MAX, &s->offset) != 0 ||
        list_u64(r, o, "bytes", true, INT64_MAX, &s->bytes) != 0)
        return -1;
    if (s->to_symbol == (json_object_get(o, "to") != NULL))
        return list_fault(r,
                          "exactly one of `from` (buffer to variable) and `to` (variable to buffer) must be given");
    s->name = list_copy(r, name);
    if (!s->name || read_place(r, o, s->to_symbol ? "from" : "to", s->to_symbol ? &s->from : &s->to) != 0)
        return -1;
    return check_room(r, s->to_symbol ? "from" : "to", s->to_symbol ? &s->from : &s->to, s->bytes);
}

static int read_repeat(struct list_reader *r, const json_t *o, struct list_step *s)
{
    static const char *const keys[] = {"times", "steps", NULL};
    size_t before;
    int ret;

    if (list_object(r, o, keys) != 0 || list_u64(r, o, "times", true, UINT32_MAX, &s->times) != 0)
        return -1;
    if (++r->depth > REPEATS_DEEP)
        return list_fault(r, "repeats nest deeper than %d", REPEATS_DEEP);
    before = list_enter(r, ".");
    ret = list_steps(r, json_object_get(o, "steps"), &s->steps, &s->step_count);
    list_leave(r, before);
    r->depth--;
    return ret;
}

static int read_step(struct list_reader *r, const json_t *o, struct list_step *s)
{
    static const struct {
        const char *name;
        enum list_step_kind kind;
        int (*read)(struct list_reader *r, const json_t *o, struct list_step *s);
    } kinds[] = {{"launch", STEP_LAUNCH, read_launch},
                 {"copy", STEP_COPY, read_copy},
                 {"fill", STEP_FILL, read_fill},
                 {"symbol", STEP_SYMBOL, read_symbol},
                 {"texture", STEP_TEXTURE, list_read_texture},
                 {"repeat", STEP_REPEAT, read_repeat}};

    if (!json_is_object(o) || json_object_size(o) != 1)
        return list_fault(r,
                          "a step must be an object with one key: launch, copy, fill, symbol, texture or repeat");
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        if (json_object_get(o, kinds[i].name)) {
            size_t before = list_enter(r, ".%s", kinds[i].name);

            s->kind = kinds[i].kind;
            if (kinds[i].read(r, json_object_get(o, kinds[i].name), s) != 0)
                return -1;
            list_leave(r, before);
            return 0;
        }
    return list_fault(r, "`%.60s` is not a step; a step is launch, copy, fill, symbol, texture or repeat",
                      json_object_iter_key(json_object_iter((json_t *)(uintptr_t)o)));
}

int list_steps(struct list_reader *r, const json_t *array, struct list_step **out, uint32_t *count)
{
    if (!json_is_array(array))
        return list_fault(r, "`steps` must be a list of steps");
    *out = mem_zalloc(json_array_size(array) + 1, sizeof **out, r->e);
    if (!*out)
        return -1;
    for (size_t i = 0; i < json_array_size(array); i++) {
        size_t before = list_enter(r, "steps[%zu]", i);

        *count = (uint32_t)i + 1;
        if (read_step(r, json_array_get(array, i), &(*out)[i]) != 0)
            return -1;
        list_leave(r, before);
    }
    return 0;
}
