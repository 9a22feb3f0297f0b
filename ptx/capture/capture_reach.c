/* ptx/capture/capture_reach.c: the memory that a launch can reach. */
#include <string.h>

#include "base/array.h"
#include "ptx/capture/capture_internal.h"
#include "ptx/capture/capture_texture.h"

bool capture_is_variable(const struct ptx_program *p, uint64_t address)
{
    for (uint32_t m = 0; m < ptx_program_modules(p); m++)
        for (uint32_t v = 0; v < ptx_program_module(p, m)->variable_count; v++)
            if (ptx_program_address(p, m, v) == address)
                return true;
    return false;
}

/* The allocation that the word points into, or to its end; NULL: the word is no pointer. */
const struct device_allocation *capture_target(const struct ptx_capture *c, uint64_t word)
{
    const struct device_allocation *a =
        word < PTX_GLOBAL_BASE ? NULL : device_find(ptx_program_memory(c->program), word);

    return a && !a->freed && word - a->address <= a->bytes ? a : NULL;
}

struct capture_reached *capture_find(struct ptx_capture *c, const struct device_allocation *a)
{
    for (size_t i = 0; i < c->count; i++)
        if (c->reached[i].at == a)
            return &c->reached[i];
    return NULL;
}

static int reach(struct ptx_capture *c, const struct device_allocation *a, struct err *e)
{
    if (capture_find(c, a) || capture_is_variable(c->program, a->address))
        return 0;
    if (array_reserve((void **)&c->reached, &c->capacity, c->count + 1, sizeof *c->reached, e) != 0)
        return -1;
    c->reached[c->count++] = (struct capture_reached){.at = a};
    return 0;
}

/* Sets *any if there is a pointer to a buffer. */
int capture_reach_words(struct ptx_capture *c, const uint8_t *bytes, uint64_t n, bool *any, struct err *e)
{
    for (uint64_t i = 0; i + 8 <= n; i += 8) {
        const struct device_allocation *a;
        uint64_t word;

        memcpy(&word, bytes + i, 8);
        a = capture_target(c, word);
        if (!a)
            continue;
        *any = *any || !capture_is_variable(c->program, a->address);
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

            if (at && capture_reach_words(c, at, bytes, &any, e) != 0)
                return -1;
        }
    return 0;
}

/* All bound textures; NULL: the launch's module uses none. */
const struct ptx_textures *capture_textures(const struct ptx_capture *c)
{
    const struct ptx_textures *all = ptx_program_textures(c->program);

    return all->count && capture_has_textures(ptx_program_module(c->program, c->launch.module)) ? all : NULL;
}

static int reach_textures(struct ptx_capture *c, struct err *e)
{
    const struct ptx_textures *all = capture_textures(c);

    for (size_t k = 0; all && k < all->count; k++) {
        const struct device_allocation *a = capture_target(c, all->items[k].address);

        if (a && reach(c, a, e) != 0)
            return -1;
    }
    return 0;
}

int capture_reach(struct ptx_capture *c, struct err *e)
{
    bool any = false;

    if (capture_reach_words(c, c->params, c->launch.param_bytes, &any, e) != 0 || reach_variables(c, e) != 0 ||
        reach_textures(c, e) != 0)
        return -1;
    for (size_t i = 0; i < c->count; i++) {
        const struct device_allocation *a = c->reached[i].at;
        bool pointers = false;

        if (capture_reach_words(c, device_bytes(ptx_program_memory(c->program), a->address, a->bytes), a->bytes,
                                &pointers, e) != 0)
            return -1;
        c->reached[i].pointers = pointers;
    }
    return 0;
}

/* Names each buffer by its label. If several buffers have the label "x", the second one is "x.1". */
int capture_name(struct ptx_capture *c, struct err *e)
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
