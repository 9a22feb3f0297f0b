/* simcore/ptx/capture.c: what a launch can reach, and files of it. */
#include "simcore/ptx/capture.h"

#include <errno.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/array.h"
#include "base/hash.h"
#include "base/whole_file.h"
#include "simcore/ptx/capture_texture.h"
#include "simcore/ptx/program.h"

struct reached { /* an allocation */
    const struct device_allocation *at;
    char *name;
    bool pointers; /* in it */
};

struct ptx_capture {
    struct ptx_program *program;
    struct ptx_launch launch;
    uint8_t *params;
    char *folder, *name;
    struct reached *reached;
    size_t count, capacity;
    json_t *modules, *buffers, *steps;
    bool failed; /* JSON had no memory */
};

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

/* --- what it reaches --- */

static bool is_variable(const struct ptx_program *p, uint64_t address)
{
    for (uint32_t m = 0; m < ptx_program_modules(p); m++)
        for (uint32_t v = 0; v < ptx_program_module(p, m)->variable_count; v++)
            if (ptx_program_address(p, m, v) == address)
                return true;
    return false;
}

/* The allocation that the word points into, its end too; NULL: it is no pointer. */
static const struct device_allocation *target_of(const struct ptx_capture *c, uint64_t word)
{
    const struct device_allocation *a =
        word < PTX_GLOBAL_BASE ? NULL : device_find(ptx_program_memory(c->program), word);

    return a && !a->freed && word - a->address <= a->bytes ? a : NULL;
}

static struct reached *find(struct ptx_capture *c, const struct device_allocation *a)
{
    for (size_t i = 0; i < c->count; i++)
        if (c->reached[i].at == a)
            return &c->reached[i];
    return NULL;
}

static int reach(struct ptx_capture *c, const struct device_allocation *a, struct err *e)
{
    if (find(c, a) || is_variable(c->program, a->address))
        return 0;
    if (array_reserve((void **)&c->reached, &c->capacity, c->count + 1, sizeof *c->reached, e) != 0)
        return -1;
    c->reached[c->count++] = (struct reached){.at = a};
    return 0;
}

/* Answers in *any whether there was a pointer. */
static int reach_words(struct ptx_capture *c, const uint8_t *bytes, uint64_t n, bool *any, struct err *e)
{
    for (uint64_t i = 0; i + 8 <= n; i += 8) {
        const struct device_allocation *a;
        uint64_t word;

        memcpy(&word, bytes + i, 8);
        a = target_of(c, word);
        if (!a)
            continue;
        *any = *any || !is_variable(c->program, a->address);
        if (reach(c, a, e) != 0)
            return -1;
    }
    return 0;
}

static int reach_variables(struct ptx_capture *c, struct err *e)
{
    const struct ptx_program *p = c->program;
    bool any = false;

    for (uint32_t m = 0; m < ptx_program_modules(p); m++)
        for (uint32_t v = 0; v < ptx_program_module(p, m)->variable_count; v++) {
            uint64_t address = ptx_program_address(p, m, v), bytes = ptx_program_module(p, m)->variables[v].bytes;
            const uint8_t *at = address ? device_bytes(ptx_program_memory(p), address, bytes) : NULL;

            if (at && reach_words(c, at, bytes, &any, e) != 0)
                return -1;
        }
    return 0;
}

/* Those that are bound, if the kernel may use any; NULL: it does not. */
static const struct ptx_textures *textures_of(const struct ptx_capture *c)
{
    const struct ptx_textures *all = ptx_program_textures(c->program);

    return all->count && capture_has_textures(ptx_program_module(c->program, c->launch.module)) ? all : NULL;
}

static int reach_textures(struct ptx_capture *c, struct err *e)
{
    const struct ptx_textures *all = textures_of(c);

    for (size_t k = 0; all && k < all->count; k++) {
        const struct device_allocation *a = target_of(c, all->items[k].address);

        if (a && reach(c, a, e) != 0)
            return -1;
    }
    return 0;
}

static int reach_all(struct ptx_capture *c, struct err *e)
{
    bool any = false;

    if (reach_words(c, c->params, c->launch.param_bytes, &any, e) != 0 || reach_variables(c, e) != 0 ||
        reach_textures(c, e) != 0)
        return -1;
    for (size_t i = 0; i < c->count; i++) {
        const struct device_allocation *a = c->reached[i].at;
        bool pointers = false;

        if (reach_words(c, device_bytes(ptx_program_memory(c->program), a->address, a->bytes), a->bytes, &pointers,
                        e) != 0)
            return -1;
        c->reached[i].pointers = pointers;
    }
    return 0;
}

/* Labels are names where they can be; "x.1" where one stands twice. */
static int name_all(struct ptx_capture *c, struct err *e)
{
    for (size_t i = 0; i < c->count; i++) {
        struct strbuf b = STRBUF_INIT;
        size_t same = 0;

        for (size_t k = 0; k < i; k++)
            same += strcmp(c->reached[k].at->label, c->reached[i].at->label) == 0;
        for (const char *s = c->reached[i].at->label; *s; s++)
            strbuf_addc(&b, *s == '+' || *s == '\t' ? '_' : *s);
        if (!b.length)
            strbuf_adds(&b, "buffer");
        if (same)
            strbuf_addf(&b, ".%zu", same);
        c->reached[i].name = strbuf_detach(&b);
        if (!c->reached[i].name)
            return err_no_memory(e);
    }
    return 0;
}

/* --- JSON and files --- */

static void put(struct ptx_capture *c, json_t *o, const char *key, json_t *value)
{
    c->failed |= !value || json_object_set_new(o, key, value) != 0;
}

static void push(struct ptx_capture *c, json_t *array, json_t *value)
{
    c->failed |= !value || json_array_append_new(array, value) != 0;
}

static int write_file(const struct ptx_capture *c, const char *name, const void *bytes, size_t n, struct err *e)
{
    struct strbuf path = STRBUF_INIT;
    int ret;

    strbuf_addf(&path, "%s/%s", c->folder, name);
    ret = path.failed ? err_no_memory(e) : whole_file_write(path.text, bytes, n, e);
    strbuf_release(&path);
    return ret;
}

/* "x+4096": where the word points. */
static json_t *place_json(struct ptx_capture *c, uint64_t word)
{
    const struct device_allocation *a = target_of(c, word);
    const struct reached *r = a ? find(c, a) : NULL;

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
    a = target_of(c, word);
    return a && find(c, a);
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
        put(c, o, key, place_json(c, word));
    }
    return o;
}

static bool all_zero(const uint8_t *bytes, uint64_t n)
{
    return n == 0 || (bytes[0] == 0 && memcmp(bytes, bytes + 1, n - 1) == 0);
}

/* A buffer of the list with these first values, in a file where they are not zero. */
static int add_buffer(struct ptx_capture *c, const char *name, enum element_type type, const uint8_t *bytes,
                      uint64_t n, bool pointers, struct err *e)
{
    enum element_type as = type == ELEMENT_TYPE_COUNT || n % element_bytes(type) ? ELEMENT_U8 : type;
    json_t *o = json_object(), *init = json_object();
    char file[40];

    put(c, o, "type", json_string(element_name(as)));
    put(c, o, "count", json_integer((json_int_t)(n / element_bytes(as))));
    if (all_zero(bytes, n)) {
        json_decref(init);
        put(c, o, "init", json_string("zero"));
        put(c, c->buffers, name, o);
        return 0;
    }
    snprintf(file, sizeof file, "buffer%zu.bin", json_object_size(c->buffers));
    put(c, init, "file", json_string(file));
    if (pointers)
        put(c, init, "pointers", pointers_json(c, bytes, n));
    put(c, o, "init", init);
    put(c, c->buffers, name, o);
    return write_file(c, file, bytes, n, e);
}

static int add_buffers(struct ptx_capture *c, const struct ptx_capture_options *o, struct err *e)
{
    for (size_t i = 0; i < c->count; i++) {
        const struct device_allocation *a = c->reached[i].at;
        enum element_type type = o->type ? o->type(o->ctx, a->address) : ELEMENT_TYPE_COUNT;

        if (add_buffer(c, c->reached[i].name, type,
                       device_bytes(ptx_program_memory(c->program), a->address, a->bytes), a->bytes,
                       c->reached[i].pointers, e) != 0)
            return -1;
    }
    return 0;
}

/* Steps that bind them. */
static int add_textures(struct ptx_capture *c, struct err *e)
{
    static const char none[] = "of textures that are gone";
    const struct ptx_textures *all = textures_of(c);
    bool gone = false;

    for (size_t k = 0; all && k < all->count; k++) {
        json_t *place = place_json(c, all->items[k].address);
        json_t *step = place ? capture_texture_step(&all->items[k], k, json_string_value(place), e)
                             : capture_texture_gone(k, none, e);

        gone = gone || !place;
        json_decref(place);
        if (!step)
            return -1;
        push(c, c->steps, step);
    }
    if (gone) {
        json_t *o = json_pack("{s:s,s:I,s:s}", "type", "u8", "count", (json_int_t)all->count, "init", "zero");

        put(c, c->buffers, none, o);
    }
    return 0;
}

/* --- modules and their variables --- */

/* What a new program with these modules has: where variables lie, and what they begin with. */
struct fresh {
    struct device_memory *memory;
    struct ptx_program *program;
};

static int add_module(struct ptx_capture *c, struct fresh *f, uint32_t module, struct err *e)
{
    char *text = ptx_print(ptx_program_module(c->program, module), e), name[40], file[40];
    struct ptx_module *m;
    uint32_t number;
    int ret = -1;

    snprintf(name, sizeof name, "m%u", module);
    snprintf(file, sizeof file, "module%u.ptx", module);
    if (text && write_file(c, file, text, strlen(text), e) == 0 && ptx_parse(text, strlen(text), file, &m, e) == 0)
        ret = ptx_program_load(f->program, m, &number, e);
    free(text);
    put(c, c->modules, name, json_string(file));
    return ret;
}

/* A variable that was changed since its module was loaded gets its value from a buffer. */
static int add_variable(struct ptx_capture *c, const struct fresh *f, uint32_t module, uint32_t variable,
                        struct err *e)
{
    const struct ptx_variable *v = &ptx_program_module(c->program, module)->variables[variable];
    uint64_t address = ptx_program_address(c->program, module, variable);
    const uint8_t *now = address ? device_bytes(ptx_program_memory(c->program), address, v->bytes) : NULL;
    const uint8_t *then =
        now ? device_bytes(f->memory, ptx_program_address(f->program, module, variable), v->bytes) : NULL;
    json_t *step = json_object(), *symbol = json_object();
    char name[24], buffer[300];

    if (!now || v->linkage == PTX_EXTERN || v->bytes == 0 || (then && memcmp(now, then, v->bytes) == 0)) {
        json_decref(step);
        json_decref(symbol);
        return 0;
    }
    snprintf(name, sizeof name, "m%u", module);
    snprintf(buffer, sizeof buffer, "%s of m%u", v->name, module);
    put(c, symbol, "module", json_string(name));
    put(c, symbol, "name", json_string(v->name));
    put(c, symbol, "from", json_string(buffer));
    put(c, symbol, "bytes", json_integer((json_int_t)v->bytes));
    put(c, step, "symbol", symbol);
    push(c, c->steps, step);
    return add_buffer(c, buffer, ELEMENT_TYPE_COUNT, now, v->bytes, true, e);
}

static int same_place(const struct ptx_capture *c, const struct fresh *f, uint64_t word, struct err *e)
{
    for (uint32_t m = 0; m < ptx_program_modules(c->program); m++)
        for (uint32_t v = 0; v < ptx_program_module(c->program, m)->variable_count; v++)
            if (ptx_program_address(c->program, m, v) == word && ptx_program_address(f->program, m, v) != word)
                return err_set(e, ERR_UNSUPPORTED,
                               "not supported: a launch with a pointer to variable %s, which lies elsewhere when "
                               "modules are loaded before buffers are allocated",
                               ptx_program_module(c->program, m)->variables[v].name);
    return 0;
}

/* Pointers to variables go as they are. */
static int check_pointers(const struct ptx_capture *c, const struct fresh *f, const uint8_t *bytes, uint64_t n,
                          struct err *e)
{
    for (uint64_t i = 0; i + 8 <= n; i += 8) {
        const struct device_allocation *a;
        uint64_t word;

        memcpy(&word, bytes + i, 8);
        a = target_of(c, word);
        if (a && is_variable(c->program, a->address) && same_place(c, f, a->address, e) != 0)
            return -1;
    }
    return 0;
}

static int add_modules(struct ptx_capture *c, struct err *e)
{
    struct fresh f = {.memory = device_memory_new(1ull << 32, e)};
    int ret = -1;

    f.program = f.memory ? ptx_program_new(f.memory, e) : NULL;
    if (f.program)
        ret = 0;
    for (uint32_t m = 0; ret == 0 && m < ptx_program_modules(c->program); m++)
        ret = add_module(c, &f, m, e);
    for (uint32_t m = 0; ret == 0 && m < ptx_program_modules(c->program); m++)
        for (uint32_t v = 0; ret == 0 && v < ptx_program_module(c->program, m)->variable_count; v++)
            ret = add_variable(c, &f, m, v, e);
    if (ret == 0)
        ret = check_pointers(c, &f, c->params, c->launch.param_bytes, e);
    for (size_t i = 0; ret == 0 && i < c->count; i++)
        ret = check_pointers(
            c, &f, device_bytes(ptx_program_memory(c->program), c->reached[i].at->address, c->reached[i].at->bytes),
            c->reached[i].at->bytes, e);
    ptx_program_free(f.program);
    device_memory_free(f.memory);
    return ret;
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

/* One parameter: an address, bytes, or a struct of both. */
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
            push(c, members, bytes_json(at + done, i - done));
        push(c, members, json_pack("{s:o}", "ptr", place_json(c, word)));
        done = i + 8;
    }
    if (n > done)
        push(c, members, bytes_json(at + done, n - done));
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
        push(c, params, param_json(c, c->params + f->params[i].offset, f->params[i].bytes));
    put(c, o, "name", json_string(c->name));
    put(c, o, "module", json_sprintf("m%u", l->module));
    put(c, o, "kernel", json_string(f->name));
    put(c, o, "grid", json_pack("[i,i,i]", l->grid[0], l->grid[1], l->grid[2]));
    put(c, o, "block", json_pack("[i,i,i]", l->block[0], l->block[1], l->block[2]));
    if (l->cluster[0])
        put(c, o, "cluster", json_pack("[i,i,i]", l->cluster[0], l->cluster[1], l->cluster[2]));
    put(c, o, "shared_bytes", json_integer(l->shared_bytes));
    put(c, o, "params", params);
    push(c, c->steps, json_pack("{s:o}", "launch", o));
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
    if (reach_all(c, e) != 0 || name_all(c, e) != 0 || add_buffers(c, o, e) != 0 || add_modules(c, e) != 0 ||
        add_textures(c, e) != 0) {
        ptx_capture_free(c);
        return err_wrap(e, "capture of %s", o->name);
    }
    add_launch(c);
    *out = c;
    return 0;
}

/* --- behind it --- */

/* Looking for pointers may find buffers that were not reachable before: they are none of the list's. */
static int expect_all(struct ptx_capture *c, json_t *expect, struct err *e)
{
    for (size_t i = 0, known = c->count; i < known; i++) {
        const struct device_allocation *a = c->reached[i].at;
        const void *bytes = device_bytes(ptx_program_memory(c->program), a->address, a->bytes);
        char hex[SHA256_HEX];
        bool pointers = false;

        if (a->freed || !bytes || reach_words(c, bytes, a->bytes, &pointers, e) != 0 || pointers)
            continue; /* addresses differ from program to program */
        if (sha256_bytes(bytes, a->bytes, hex, e) != 0)
            return -1;
        push(c, expect, json_pack("{s:s,s:s}", "buffer", c->reached[i].name, "sha256", hex));
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
    put(c, root, "format", json_string("vivace-launch-list"));
    put(c, root, "version", json_integer(1));
    put(c, root, "modules", json_incref(c->modules));
    put(c, root, "buffers", json_incref(c->buffers));
    put(c, root, "steps", json_incref(c->steps));
    put(c, root, "expect", expect);
    if (ret == 0 && !c->failed)
        text = json_dumps(root, JSON_INDENT(1) | JSON_ENSURE_ASCII);
    if (ret == 0)
        ret = text ? write_file(c, "launches.json", text, strlen(text), e) : err_no_memory(e);
    free(text);
    json_decref(root);
    return ret;
}
