/* Launch lists: the document, its modules, buffers and expectations. */
#include "ptx/list/launch_list.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/hash.h"
#include "base/strbuf.h"
#include "base/stream.h"
#include "base/text.h"
#include "ptx/list/launch_list_json.h"

#define FORMAT "vivace-launch-list"
enum { VERSION = 1 };
#define BUFFER_BYTES_MAX (1ull << 40)

/* --- buffers --- */

/* {"random": "normal", "seed": 7, "mean": 0, "std": 1} or "uniform" with lo, hi */
static int read_random(struct list_reader *r, const json_t *o, struct list_buffer *b)
{
    static const char *const normal_keys[] = {"random", "seed", "mean", "std", NULL};
    static const char *const uniform_keys[] = {"random", "seed", "lo", "hi", NULL};
    const char *kind = NULL;
    bool normal;

    if (list_text(r, o, "random", true, &kind) != 0)
        return -1;
    normal = strcmp(kind, "normal") == 0;
    if (!normal && strcmp(kind, "uniform") != 0)
        return list_fault(r, "`random`: `%.40s` must be normal or uniform", kind);
    if (list_object(r, o, normal ? normal_keys : uniform_keys) != 0 ||
        list_u64(r, o, "seed", true, INT64_MAX, &b->seed) != 0)
        return -1;
    b->init = normal ? INIT_NORMAL : INIT_UNIFORM;
    b->b = 1;
    if (normal && !element_is_float(b->type))
        return list_fault(r, "normal random numbers need a floating-point type");
    if (normal)
        return list_number(r, o, "mean", false, &b->a) != 0 ? -1 : list_number(r, o, "std", false, &b->b);
    if (element_is_float(b->type))
        return list_number(r, o, "lo", false, &b->a) != 0 ? -1 : list_number(r, o, "hi", false, &b->b);
    if (list_s64(r, o, "lo", true, &b->low) != 0 || list_s64(r, o, "hi", true, &b->high) != 0)
        return -1;
    return b->low < b->high ? 0 : list_fault(r, "`lo` must be below `hi`");
}

static int read_init_file(struct list_reader *r, const json_t *o, struct list_buffer *b)
{
    static const char *const keys[] = {"file", "offset", "pointers", NULL};
    const char *file = NULL;

    if (list_object(r, o, keys) != 0 || list_text(r, o, "file", true, &file) != 0 ||
        list_u64(r, o, "offset", false, INT64_MAX, &b->offset) != 0)
        return -1;
    b->init = INIT_FILE;
    b->file = list_file(r, file);
    return b->file ? 0 : -1;
}

static int read_init_step(struct list_reader *r, const json_t *o, struct list_buffer *b)
{
    static const char *const keys[] = {"start", "step", NULL};

    b->init = INIT_STEP;
    if (list_object(r, o, keys) != 0)
        return -1;
    if (element_is_float(b->type))
        return list_number(r, o, "start", true, &b->a) != 0 ? -1 : list_number(r, o, "step", true, &b->b);
    return list_s64(r, o, "start", true, &b->low) != 0 ? -1 : list_s64(r, o, "step", true, &b->high);
}

static int read_init_values(struct list_reader *r, const json_t *o, struct list_buffer *b)
{
    static const char *const keys[] = {"values", NULL};

    b->init = INIT_VALUES;
    return list_object(r, o, keys) != 0
               ? -1
               : list_values(r, json_object_get(o, "values"), b->type, &b->values, &b->count);
}

/* Reads only the number of pointers. Their targets are resolved when all buffers are known. */
static int count_pointers(struct list_reader *r, const json_t *o, struct list_buffer *b)
{
    static const char *const keys[] = {"pointers", NULL};
    const json_t *array = json_object_get(o, "pointers");

    b->init = INIT_POINTERS;
    if (list_object(r, o, keys) != 0)
        return -1;
    if (!json_is_array(array) || json_array_size(array) == 0 || b->type != ELEMENT_PTR)
        return list_fault(r, "`pointers` must be a list of positions like \"x+4\", in a buffer of type ptr");
    b->count = json_array_size(array);
    return 0;
}

static int read_init(struct list_reader *r, const json_t *init, struct list_buffer *b)
{
    static const struct {
        const char *key;
        int (*read)(struct list_reader *r, const json_t *o, struct list_buffer *b);
    } kinds[] = {{"random", read_random},
                 {"file", read_init_file},
                 {"values", read_init_values},
                 {"start", read_init_step},
                 {"pointers", count_pointers}};

    if (!init || (json_is_string(init) && strcmp(json_string_value(init), "zero") == 0))
        return 0;
    if (json_is_string(init) && strcmp(json_string_value(init), "none") == 0) {
        b->init = INIT_NONE;
        return 0;
    }
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        if (json_object_get(init, kinds[i].key))
            return kinds[i].read(r, init, b);
    return list_fault(
        r, "`init` must be \"zero\", \"none\" or an object with random, file, values, start or pointers");
}

static int read_buffer(struct list_reader *r, const json_t *o, struct list_buffer *b)
{
    static const char *const keys[] = {"type", "count", "init", NULL};
    const char *type = NULL;
    uint64_t said = 0;

    if (list_object(r, o, keys) != 0 || list_text(r, o, "type", true, &type) != 0 ||
        list_u64(r, o, "count", false, BUFFER_BYTES_MAX / 8, &said) != 0)
        return -1;
    b->type = element_of(type);
    if (b->type == ELEMENT_TYPE_COUNT)
        return list_fault(r, "`type`: `%.40s` is not a type of values", type);
    b->count = said;
    if (read_init(r, json_object_get(o, "init"), b) != 0)
        return -1;
    if (b->count == 0)
        return list_fault(r, "`count` is missing");
    if (json_object_get(o, "count") && said != b->count)
        return list_fault(r, "`count` is %llu, but there are %llu values", (unsigned long long)said,
                          (unsigned long long)b->count);
    return 0;
}

static int read_buffers(struct list_reader *r, const json_t *all)
{
    struct launch_list *l = r->l;
    const char *name;
    json_t *value;

    if (all && !json_is_object(all))
        return list_fault(r, "`buffers` must be an object");
    l->buffers = mem_zalloc(json_object_size(all) + 1, sizeof *l->buffers, r->e);
    if (!l->buffers)
        return -1;
    json_object_foreach((json_t *)(uintptr_t)all, name, value)
    {
        size_t before = list_enter(r, "buffers.%.60s", name);
        struct list_buffer *b = &l->buffers[l->buffer_count++];

        b->name = list_copy(r, name);
        if (!b->name)
            return -1;
        if (name[0] == '\0' || strchr(name, '+'))
            return list_fault(r, "a buffer's name must not be empty or contain `+`");
        if (read_buffer(r, value, b) != 0)
            return -1;
        list_leave(r, before);
    }
    return 0;
}

/* {"16": "x+4"}: the key is the byte offset in the buffer where the address is written. */
static int read_patches(struct list_reader *r, const json_t *o, struct list_buffer *b)
{
    uint64_t size = b->count * element_bytes(b->type);
    const char *key;
    json_t *value;

    if (!json_is_object(o))
        return list_fault(
            r, "`pointers` beside a file must be an object: the byte offset, and a position like \"x+4\"");
    b->patches = mem_zalloc(json_object_size(o) + 1, sizeof *b->patches, r->e);
    if (!b->patches)
        return -1;
    json_object_foreach((json_t *)(uintptr_t)o, key, value)
    {
        struct list_patch *p = &b->patches[b->patch_count++];
        struct err why;

        if (parse_u64(key, "pointers", &p->at, &why) != 0 || size < 8 || p->at > size - 8)
            return list_fault(r, "at byte offset `%.40s` the buffer has no room for 8 bytes", key);
        if (!json_is_string(value))
            return list_fault(r, "the position at byte %s must be a text like \"x+4\"", key);
        if (list_place_of(r, json_string_value(value), &p->place) != 0)
            return -1;
    }
    return 0;
}

static int read_pointers(struct list_reader *r, const json_t *all)
{
    for (uint32_t i = 0; i < r->l->buffer_count; i++) {
        struct list_buffer *b = &r->l->buffers[i];
        const json_t *array = json_object_get(json_object_get(json_object_get(all, b->name), "init"), "pointers");
        size_t before = list_enter(r, "buffers.%.60s.init.pointers", b->name);

        if (b->init == INIT_FILE && array && read_patches(r, array, b) != 0)
            return -1;
        if (b->init != INIT_POINTERS) {
            list_leave(r, before);
            continue;
        }
        b->places = mem_zalloc(b->count, sizeof *b->places, r->e);
        if (!b->places)
            return -1;
        for (uint64_t k = 0; k < b->count; k++) {
            const json_t *place = json_array_get(array, k);

            if (!json_is_string(place))
                return list_fault(r, "position %llu must be a text like \"x+4\"", (unsigned long long)k);
            if (list_place_of(r, json_string_value(place), &b->places[k]) != 0)
                return -1;
        }
        list_leave(r, before);
    }
    return 0;
}

/* --- modules and expectations --- */

static int read_modules(struct list_reader *r, const json_t *all)
{
    struct launch_list *l = r->l;
    const char *name;
    json_t *value;

    if (!json_is_object(all) || json_object_size(all) == 0)
        return list_fault(r, "`modules` must be an object: names and PTX files");
    l->modules = mem_zalloc(json_object_size(all), sizeof *l->modules, r->e);
    if (!l->modules)
        return -1;
    json_object_foreach((json_t *)(uintptr_t)all, name, value)
    {
        struct list_module *m = &l->modules[l->module_count++];

        if (!json_is_string(value))
            return list_fault(r, "modules.%.60s must be the name of a PTX file", name);
        m->name = list_copy(r, name);
        m->file = list_file(r, json_string_value(value));
        if (!m->name || !m->file)
            return -1;
    }
    return 0;
}

static int read_reference(struct list_reader *r, const json_t *o, struct list_expect *x)
{
    const struct list_buffer *b = &r->l->buffers[x->buffer];
    const char *file = NULL, *hash = NULL, *type = NULL;
    int kinds = (json_object_get(o, "file") != NULL) + (json_object_get(o, "sha256") != NULL) +
                (json_object_get(o, "values") != NULL);

    if (kinds != 1)
        return list_fault(r, "exactly one of `file`, `values` and `sha256` must be given");
    if (list_text(r, o, "file", false, &file) != 0 || list_text(r, o, "sha256", false, &hash) != 0 ||
        list_text(r, o, "type", false, &type) != 0)
        return -1;
    x->type = type ? element_of(type) : b->type;
    if (x->type == ELEMENT_TYPE_COUNT)
        return list_fault(r, "`type`: `%.40s` is not a type of values", type);
    if (hash && !sha256_hex_valid(hash))
        return list_fault(r, "`sha256` must be 64 lower-case hexadecimal digits");
    if (hash)
        memcpy(x->sha256, hash, sizeof x->sha256);
    if (file && !(x->file = list_file(r, file)))
        return -1;
    return json_object_get(o, "values")
               ? list_values(r, json_object_get(o, "values"), x->type, &x->values, &x->count)
               : 0;
}

static int read_expect(struct list_reader *r, const json_t *o, struct list_expect *x)
{
    static const char *const keys[] = {"buffer", "file",   "values", "type",  "count",   "offset", "rtol",
                                       "atol",   "sha256", "ulp",    "print", "max_bad", NULL};
    static const char *const print_keys[] = {"print", NULL};
    const char *name = NULL, *print = NULL;
    const struct list_buffer *b;
    struct list_place place;

    x->buffer = PTX_NONE;
    if (list_object(r, o, json_object_get(o, "print") ? print_keys : keys) != 0 ||
        list_text(r, o, "print", false, &print) != 0)
        return -1;
    if (print) {
        x->file = list_file(r, print);
        return x->file ? 0 : -1;
    }
    if (list_text(r, o, "buffer", true, &name) != 0 || list_place_of(r, name, &place) != 0)
        return -1;
    x->buffer = place.buffer;
    x->offset = place.offset;
    b = &r->l->buffers[x->buffer];
    if (list_u64(r, o, "offset", false, INT64_MAX, &x->offset) != 0 ||
        list_u64(r, o, "count", false, INT64_MAX, &x->count) != 0 ||
        list_number(r, o, "rtol", false, &x->rtol) != 0 || list_number(r, o, "atol", false, &x->atol) != 0 ||
        list_u64(r, o, "ulp", false, INT64_MAX, &x->ulp) != 0 ||
        list_u64(r, o, "max_bad", false, INT64_MAX, &x->max_bad) != 0 || read_reference(r, o, x) != 0)
        return -1;
    if (x->offset > b->count * element_bytes(b->type) || x->count > b->count - x->offset / element_bytes(b->type))
        return list_fault(r, "offset and count reach past the end of %s (%llu values)", b->name,
                          (unsigned long long)b->count);
    if (x->rtol < 0 || x->atol < 0)
        return list_fault(r, "tolerances must not be negative");
    return 0;
}

static int read_expects(struct list_reader *r, const json_t *all)
{
    if (!all)
        return 0;
    if (!json_is_array(all))
        return list_fault(r, "`expect` must be a list");
    r->l->expects = mem_zalloc(json_array_size(all) + 1, sizeof *r->l->expects, r->e);
    if (!r->l->expects)
        return -1;
    for (size_t i = 0; i < json_array_size(all); i++) {
        size_t before = list_enter(r, "expect[%zu]", i);

        r->l->expect_count++;
        if (read_expect(r, json_array_get(all, i), &r->l->expects[i]) != 0)
            return -1;
        list_leave(r, before);
    }
    return 0;
}

/* --- the document --- */

static int say_what_is_wanted(struct err *e)
{
    return err_hint(
        e, "A launch list names modules of PTX, buffers and launches: docs/ptx.md. `vivace exec --capture` "
           "writes them for a program.");
}

static int not_json(const char *json, size_t n, const char *path, json_error_t *je, struct err *e)
{
    size_t at = 0;

    while (at < n && strchr(" \t\r\n", json[at]) && json[at])
        at++;
    if (at == n || json[at] != '{') {
        err_set(e, ERR_MALFORMED, "%s: not a launch list: a launch list is a JSON document", path);
        return say_what_is_wanted(e);
    }
    text_sanitize(je->text);
    return err_set(e, ERR_MALFORMED, "%s:%d:%d: %s", path, je->line, je->column, je->text);
}

static int read_head(struct list_reader *r, const json_t *root)
{
    static const char *const keys[] = {"format", "version", "modules", "buffers", "steps", "expect", NULL};
    const char *format = NULL;
    uint64_t version = 0;

    if (!json_is_object(root) || list_text(r, root, "format", true, &format) != 0 || strcmp(format, FORMAT) != 0) {
        list_fault(r, "not a launch list: \"format\": \"" FORMAT "\" is missing");
        return say_what_is_wanted(r->e);
    }
    if (list_u64(r, root, "version", true, INT64_MAX, &version) != 0)
        return -1;
    if (version != VERSION)
        return err_set(r->e, ERR_UNSUPPORTED, "%s: the launch list has version %llu; this Vivace reads version %d",
                       r->l->path, (unsigned long long)version, VERSION);
    return list_object(r, root, keys);
}

static int read_all(struct list_reader *r, const json_t *root)
{
    if (read_head(r, root) != 0 || read_modules(r, json_object_get(root, "modules")) != 0 ||
        read_buffers(r, json_object_get(root, "buffers")) != 0 ||
        read_pointers(r, json_object_get(root, "buffers")) != 0 ||
        list_steps(r, json_object_get(root, "steps"), &r->l->steps, &r->l->step_count) != 0)
        return -1;
    return read_expects(r, json_object_get(root, "expect"));
}

static struct launch_list *new_list(const char *path, struct err *e)
{
    struct launch_list *l = mem_zalloc(1, sizeof *l, e);
    const char *slash = strrchr(path, '/');

    if (!l)
        return NULL;
    l->path = mem_strdup(path, e);
    l->folder = slash ? mem_strndup(path, (size_t)(slash - path) + 1, e) : mem_strdup("", e);
    if (l->path && l->folder)
        return l;
    launch_list_free(l);
    return NULL;
}

int launch_list_parse(const char *json, size_t n, const char *path, struct launch_list **out, struct err *e)
{
    struct list_reader r = {.l = new_list(path, e), .e = e};
    struct strbuf text = STRBUF_INIT;
    json_error_t je;
    json_t *root;
    int ret;

    if (!r.l)
        return -1;
    if (list_quote_large(json, n, &text, e) != 0) {
        launch_list_free(r.l);
        strbuf_release(&text);
        return -1;
    }
    root = json_loadb(text.text, text.length, JSON_REJECT_DUPLICATES, &je);
    ret = root ? read_all(&r, root) : not_json(json, n, path, &je, e);
    json_decref(root);
    strbuf_release(&text);
    if (ret != 0) {
        launch_list_free(r.l);
        return -1;
    }
    *out = r.l;
    return 0;
}

int launch_list_read(const char *path, struct launch_list **out, struct err *e)
{
    struct strbuf b = STRBUF_INIT;
    int ret = stream_read_whole(path, LAUNCH_LIST_BYTES_MAX, &b, e);

    if (ret == 0 && b.length > LAUNCH_LIST_BYTES_MAX)
        ret = err_set(e, ERR_TOO_LARGE,
                      "%s: the launch list is larger than %d MiB; put the data into files beside it", path,
                      LAUNCH_LIST_BYTES_MAX >> 20);
    else if (ret == 0)
        ret = launch_list_parse(b.text, b.length, path, out, e);
    strbuf_release(&b);
    return ret;
}

void launch_list_free(struct launch_list *l)
{
    if (!l)
        return;
    for (uint32_t i = 0; i < l->module_count; i++) {
        free(l->modules[i].name);
        free(l->modules[i].file);
        free(l->modules[i].text);
    }
    for (uint32_t i = 0; i < l->buffer_count; i++) {
        free(l->buffers[i].name);
        free(l->buffers[i].file);
        free(l->buffers[i].values);
        free(l->buffers[i].places);
        free(l->buffers[i].patches);
    }
    for (uint32_t i = 0; i < l->expect_count; i++) {
        free(l->expects[i].file);
        free(l->expects[i].values);
    }
    list_steps_free(l->steps, l->step_count);
    for (uint32_t i = 0; i < l->texture_count; i++)
        free(l->textures[i]);
    free(l->textures);
    free(l->modules);
    free(l->buffers);
    free(l->expects);
    free(l->path);
    free(l->folder);
    free(l);
}
