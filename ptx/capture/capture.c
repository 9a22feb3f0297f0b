/* ptx/capture/capture.c: writes a launch as a launch list: buffers, textures and parameters as JSON and files. */
#include "ptx/capture/capture_internal.h"

#include <errno.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/array.h"
#include "base/hash.h"
#include "base/whole_file.h"
#include "ptx/capture/capture_texture.h"
#include "ptx/program/program.h"

void ptx_capture_free(struct ptx_capture *c)
{
    if (!c)
        return;
    for (size_t i = 0; i < c->count; i++)
        free(c->reached[i].name);
    free(c->reached);
    free(c->params);
    free(c->folder);
    free(c->name);
    json_decref(c->modules);
    json_decref(c->buffers);
    json_decref(c->steps);
    free(c);
}

/* --- JSON and files --- */

void capture_put(struct ptx_capture *c, json_t *o, const char *key, json_t *value)
{
    c->failed |= !value || json_object_set_new(o, key, value) != 0;
}

void capture_push(struct ptx_capture *c, json_t *array, json_t *value)
{
    c->failed |= !value || json_array_append_new(array, value) != 0;
}

int capture_write_file(const struct ptx_capture *c, const char *name, const void *bytes, size_t n, struct err *e)
{
    struct strbuf path = STRBUF_INIT;
    int ret;

    strbuf_addf(&path, "%s/%s", c->folder, name);
    ret = path.failed ? err_no_memory(e) : whole_file_write(path.text, bytes, n, e);
    strbuf_release(&path);
    return ret;
}

/* The place that the word points to, as "x+4096": buffer name and byte offset. NULL: the word is no pointer. */
static json_t *place_json(struct ptx_capture *c, uint64_t word)
{
    const struct device_allocation *a = capture_target(c, word);
    const struct capture_reached *r = a ? capture_find(c, a) : NULL;

    if (!r)
        return NULL;
    if (word == a->address)
        return json_string(r->name);
    return json_sprintf("%s+%llu", r->name, (unsigned long long)(word - a->address));
}

static bool is_pointer(struct ptx_capture *c, const uint8_t *at)
{
    const struct device_allocation *a;
    uint64_t word;

    memcpy(&word, at, 8);
    a = capture_target(c, word);
    return a && capture_find(c, a);
}

static json_t *pointers_json(struct ptx_capture *c, const uint8_t *bytes, uint64_t n)
{
    json_t *o = json_object();

    for (uint64_t i = 0; i + 8 <= n; i += 8) {
        uint64_t word;
        char key[24];

        if (!is_pointer(c, bytes + i))
            continue;
        memcpy(&word, bytes + i, 8);
        snprintf(key, sizeof key, "%llu", (unsigned long long)i);
        capture_put(c, o, key, place_json(c, word));
    }
    return o;
}

static bool all_zero(const uint8_t *bytes, uint64_t n)
{
    return n == 0 || (bytes[0] == 0 && memcmp(bytes, bytes + 1, n - 1) == 0);
}

/* Adds a buffer with these initial values to the list. Values that are not all zero go into a file. */
int capture_add_buffer(struct ptx_capture *c, const char *name, enum element_type type, const uint8_t *bytes,
                       uint64_t n, bool pointers, struct err *e)
{
    enum element_type as = type == ELEMENT_TYPE_COUNT || n % element_bytes(type) ? ELEMENT_U8 : type;
    json_t *o = json_object(), *init = json_object();
    char file[40];

    capture_put(c, o, "type", json_string(element_name(as)));
    capture_put(c, o, "count", json_integer((json_int_t)(n / element_bytes(as))));
    if (all_zero(bytes, n)) {
        json_decref(init);
        capture_put(c, o, "init", json_string("zero"));
        capture_put(c, c->buffers, name, o);
        return 0;
    }
    snprintf(file, sizeof file, "buffer%zu.bin", json_object_size(c->buffers));
    capture_put(c, init, "file", json_string(file));
    if (pointers)
        capture_put(c, init, "pointers", pointers_json(c, bytes, n));
    capture_put(c, o, "init", init);
    capture_put(c, c->buffers, name, o);
    return capture_write_file(c, file, bytes, n, e);
}

static int add_buffers(struct ptx_capture *c, const struct ptx_capture_options *o, struct err *e)
{
    for (size_t i = 0; i < c->count; i++) {
        const struct device_allocation *a = c->reached[i].at;
        enum element_type type = o->type ? o->type(o->ctx, a->address) : ELEMENT_TYPE_COUNT;

        if (capture_add_buffer(c, c->reached[i].name, type,
                               device_bytes(ptx_program_memory(c->program), a->address, a->bytes), a->bytes,
                               c->reached[i].pointers, e) != 0)
            return -1;
    }
    return 0;
}

/* Adds the steps that bind the textures. */
static int add_textures(struct ptx_capture *c, struct err *e)
{
    static const char none[] = "of textures that no longer exist";
    const struct ptx_textures *all = capture_textures(c);
    bool gone = false;

    for (size_t k = 0; all && k < all->count; k++) {
        json_t *place = place_json(c, all->items[k].address);
        json_t *step = place ? capture_texture_step(&all->items[k], k, json_string_value(place), e)
                             : capture_texture_gone(k, none, e);

        gone = gone || !place;
        json_decref(place);
        if (!step)
            return -1;
        capture_push(c, c->steps, step);
    }
    if (gone) {
        json_t *o = json_pack("{s:s,s:I,s:s}", "type", "u8", "count", (json_int_t)all->count, "init", "zero");

        capture_put(c, c->buffers, none, o);
    }
    return 0;
}

/* --- the launch --- */

static json_t *bytes_json(const uint8_t *bytes, uint32_t n)
{
    struct strbuf b = STRBUF_INIT;
    json_t *v;

    for (uint32_t i = 0; i < n; i++)
        strbuf_addf(&b, "%02x", bytes[i]);
    v = b.failed ? NULL : json_pack("{s:s}", "bytes", b.text);
    strbuf_release(&b);
    return v;
}

/* One parameter as JSON: an address, bytes, or a struct of both. */
static json_t *param_json(struct ptx_capture *c, const uint8_t *at, uint32_t n)
{
    json_t *members = json_array(), *first;
    uint32_t done = 0;

    for (uint32_t i = 0; i + 8 <= n; i += 8) {
        uint64_t word;

        if (!is_pointer(c, at + i))
            continue;
        memcpy(&word, at + i, 8);
        if (i > done)
            capture_push(c, members, bytes_json(at + done, i - done));
        capture_push(c, members, json_pack("{s:o}", "ptr", place_json(c, word)));
        done = i + 8;
    }
    if (n > done)
        capture_push(c, members, bytes_json(at + done, n - done));
    if (json_array_size(members) != 1)
        return json_pack("{s:o}", "struct", members);
    first = json_incref(json_array_get(members, 0));
    json_decref(members);
    return first;
}

static void add_launch(struct ptx_capture *c)
{
    const struct ptx_launch *l = &c->launch;
    const struct ptx_function *f = &ptx_program_module(c->program, l->module)->functions[l->function];
    json_t *o = json_object(), *params = json_array();

    for (uint32_t i = 0; i < f->param_count; i++)
        capture_push(c, params, param_json(c, c->params + f->params[i].offset, f->params[i].bytes));
    capture_put(c, o, "name", json_string(c->name));
    capture_put(c, o, "module", json_sprintf("m%u", l->module));
    capture_put(c, o, "kernel", json_string(f->name));
    capture_put(c, o, "grid", json_pack("[i,i,i]", l->grid[0], l->grid[1], l->grid[2]));
    capture_put(c, o, "block", json_pack("[i,i,i]", l->block[0], l->block[1], l->block[2]));
    if (l->cluster[0])
        capture_put(c, o, "cluster", json_pack("[i,i,i]", l->cluster[0], l->cluster[1], l->cluster[2]));
    capture_put(c, o, "shared_bytes", json_integer(l->shared_bytes));
    capture_put(c, o, "params", params);
    capture_push(c, c->steps, json_pack("{s:o}", "launch", o));
}

static struct ptx_capture *new_capture(struct ptx_program *p, const struct ptx_launch *l,
                                       const struct ptx_capture_options *o, struct err *e)
{
    struct ptx_capture *c = mem_zalloc(1, sizeof *c, e);

    if (!c)
        return NULL;
    c->program = p;
    c->launch = *l;
    c->params = mem_zalloc(l->param_bytes + 1u, 1, e);
    c->folder = mem_strdup(o->folder, e);
    c->name = mem_strdup(o->name, e);
    c->modules = json_object();
    c->buffers = json_object();
    c->steps = json_array();
    if (!c->params || !c->folder || !c->name || !c->modules || !c->buffers || !c->steps) {
        ptx_capture_free(c);
        err_no_memory(e);
        return NULL;
    }
    if (l->param_bytes)
        memcpy(c->params, l->params, l->param_bytes);
    return c;
}

int ptx_capture_begin(struct ptx_program *p, const struct ptx_launch *l, const struct ptx_capture_options *o,
                      struct ptx_capture **out, struct err *e)
{
    struct ptx_capture *c;

    if (mkdir(o->folder, 0777) != 0 && errno != EEXIST)
        return err_set_errno(e, errno, "%s", o->folder);
    c = new_capture(p, l, o, e);
    if (!c)
        return -1;
    if (capture_reach(c, e) != 0 || capture_name(c, e) != 0 || add_buffers(c, o, e) != 0 ||
        capture_modules(c, e) != 0 || add_textures(c, e) != 0) {
        ptx_capture_free(c);
        return err_wrap(e, "cannot capture %s", o->name);
    }
    add_launch(c);
    *out = c;
    return 0;
}

/* --- after the launch --- */

/* Adds the SHA-256 of every buffer without pointers. The scan for pointers may add buffers that the launch could
 * not reach before; the list does not contain them. */
static int expect_all(struct ptx_capture *c, json_t *expect, struct err *e)
{
    for (size_t i = 0, known = c->count; i < known; i++) {
        const struct device_allocation *a = c->reached[i].at;
        const void *bytes = device_bytes(ptx_program_memory(c->program), a->address, a->bytes);
        char hex[SHA256_HEX];
        bool pointers = false;

        if (a->freed || !bytes || capture_reach_words(c, bytes, a->bytes, &pointers, e) != 0 || pointers)
            continue; /* addresses differ between programs */
        if (sha256_bytes(bytes, a->bytes, hex, e) != 0)
            return -1;
        capture_push(c, expect, json_pack("{s:s,s:s}", "buffer", c->reached[i].name, "sha256", hex));
    }
    return 0;
}

int ptx_capture_end(struct ptx_capture *c, bool ran, struct err *e)
{
    json_t *root = json_object(), *expect = json_array();
    char *text = NULL;
    size_t known = c->count;
    int ret = ran ? expect_all(c, expect, e) : 0;

    c->count = known;
    capture_put(c, root, "format", json_string("vivace-launch-list"));
    capture_put(c, root, "version", json_integer(1));
    capture_put(c, root, "modules", json_incref(c->modules));
    capture_put(c, root, "buffers", json_incref(c->buffers));
    capture_put(c, root, "steps", json_incref(c->steps));
    capture_put(c, root, "expect", expect);
    if (ret == 0 && !c->failed)
        text = json_dumps(root, JSON_INDENT(1) | JSON_ENSURE_ASCII);
    if (ret == 0)
        ret = text ? capture_write_file(c, "launches.json", text, strlen(text), e) : err_no_memory(e);
    free(text);
    json_decref(root);
    return ret;
}
