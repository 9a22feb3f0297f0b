/* ptx/capture/capture_module.c: the modules of a captured launch and the values of their variables. */
#include <stdlib.h>
#include <string.h>

#include "ptx/capture/capture_internal.h"

/* A new program with the same modules: the addresses and initial values of its variables. */
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
    if (text && capture_write_file(c, file, text, strlen(text), e) == 0 &&
        ptx_parse(text, strlen(text), file, &m, e) == 0)
        ret = ptx_program_load(f->program, m, &number, e);
    free(text);
    capture_put(c, c->modules, name, json_string(file));
    return ret;
}

/* Sets a variable from a buffer if its value has changed since its module was loaded. */
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
    capture_put(c, symbol, "module", json_string(name));
    capture_put(c, symbol, "name", json_string(v->name));
    capture_put(c, symbol, "from", json_string(buffer));
    capture_put(c, symbol, "bytes", json_integer((json_int_t)v->bytes));
    capture_put(c, step, "symbol", symbol);
    capture_push(c, c->steps, step);
    return capture_add_buffer(c, buffer, ELEMENT_TYPE_COUNT, now, v->bytes, true, e);
}

static int same_place(const struct ptx_capture *c, const struct fresh *f, uint64_t word, struct err *e)
{
    for (uint32_t m = 0; m < ptx_program_modules(c->program); m++)
        for (uint32_t v = 0; v < ptx_program_module(c->program, m)->variable_count; v++)
            if (ptx_program_address(c->program, m, v) == word && ptx_program_address(f->program, m, v) != word)
                return err_set(e, ERR_UNSUPPORTED,
                               "not supported: a launch has a pointer to variable %s, and the variable has another "
                               "address when modules are loaded before buffers are allocated",
                               ptx_program_module(c->program, m)->variables[v].name);
    return 0;
}

/* A pointer to a variable is written as its address, so the variable must have the same address in the new
 * program. */
static int check_pointers(const struct ptx_capture *c, const struct fresh *f, const uint8_t *bytes, uint64_t n,
                          struct err *e)
{
    for (uint64_t i = 0; i + 8 <= n; i += 8) {
        const struct device_allocation *a;
        uint64_t word;

        memcpy(&word, bytes + i, 8);
        a = capture_target(c, word);
        if (a && capture_is_variable(c->program, a->address) && same_place(c, f, a->address, e) != 0)
            return -1;
    }
    return 0;
}

int capture_modules(struct ptx_capture *c, struct err *e)
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
