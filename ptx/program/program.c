/* ptx/program/program.c: loaded modules. Variables get addresses and initial values; functions are decoded when
 * first used. */
#include "ptx/program/program.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/hash.h"
#include "ptx/code/contract.h"

struct loaded {
    struct ptx_module *module;
    uint64_t *addresses; /* of each variable; 0: none */
    struct ptx_code **codes;
    uint32_t first_function; /* number of its function 0 in the program */
    char hash[SHA256_HEX];   /* SHA-256 of its text; empty: not computed yet */
};

struct ptx_program {
    struct device_memory *memory;
    struct loaded *modules;
    size_t count, capacity;
    uint32_t functions;
    uint64_t heap; /* bytes that kernels have allocated with malloc */
    struct ptx_textures textures;
    struct ptx_idle idle;
    struct ptx_children children;
    bool contract;
};

struct ptx_program *ptx_program_new(struct device_memory *memory, struct err *e)
{
    struct ptx_program *p = mem_zalloc(1, sizeof *p, e);

    if (p)
        p->memory = memory;
    return p;
}

static void release(struct loaded *l, struct device_memory *memory)
{
    struct err ignored;

    for (uint32_t i = 0; l->codes && i < l->module->function_count; i++)
        ptx_code_free(l->codes[i]);
    for (uint32_t i = 0; l->addresses && i < l->module->variable_count; i++)
        if (l->addresses[i] && l->module->variables[i].linkage != PTX_EXTERN)
            (void)device_release(memory, l->addresses[i], &ignored);
    free(l->codes);
    free(l->addresses);
    ptx_module_free(l->module);
}

void ptx_program_free(struct ptx_program *p)
{
    if (!p)
        return;
    if (p->idle.free)
        p->idle.free(p->idle.items);
    for (size_t i = 0; i < p->count; i++)
        release(&p->modules[i], p->memory);
    ptx_children_forget(p);
    free(p->children.items);
    free(p->modules);
    free(p->textures.items);
    free(p);
}

void ptx_program_contract(struct ptx_program *p, bool on)
{
    p->contract = on;
}

struct ptx_idle *ptx_program_idle(struct ptx_program *p)
{
    return &p->idle;
}

struct ptx_children *ptx_program_children(struct ptx_program *p)
{
    return &p->children;
}

struct ptx_textures *ptx_program_textures(struct ptx_program *p)
{
    return &p->textures;
}

/* --- variables --- */

static bool has_address(const struct ptx_variable *v)
{
    return v->name && (v->space == PTX_SPACE_GLOBAL || v->space == PTX_SPACE_CONST);
}

/* An extern variable is the visible variable of the same name in an earlier module. */
static uint64_t find_extern(const struct ptx_program *p, const char *name)
{
    for (size_t i = p->count; i-- > 0;) {
        uint32_t v = ptx_find_variable(p->modules[i].module, name);

        if (v != PTX_NONE && p->modules[i].module->variables[v].linkage != PTX_INTERNAL &&
            p->modules[i].addresses[v])
            return p->modules[i].addresses[v];
    }
    return 0;
}

static int allocate_variables(struct ptx_program *p, struct loaded *l, struct err *e)
{
    const struct ptx_module *m = l->module;

    for (uint32_t i = 0; i < m->variable_count; i++) {
        const struct ptx_variable *v = &m->variables[i];

        if (!has_address(v))
            continue;
        if (v->linkage == PTX_EXTERN)
            l->addresses[i] = find_extern(p, v->name);
        else if (device_alloc(p->memory, v->bytes ? v->bytes : 1, v->align, v->name, &l->addresses[i], e))
            return err_wrap(e, "%s:%u:%u: variable %s", m->label, v->place.line, v->place.column, v->name);
    }
    return 0;
}

static int initial_value(const struct ptx_program *p, const struct loaded *l, const struct ptx_variable *v,
                         const struct ptx_initial *x, uint64_t *value, struct err *e)
{
    const struct ptx_module *m = l->module;

    *value = x->value;
    if (x->function != PTX_NONE)
        *value += ptx_program_function_address(p, (uint32_t)(l - p->modules), x->function);
    if (x->variable != PTX_NONE) {
        const struct ptx_variable *of = &m->variables[x->variable];

        if (!l->addresses[x->variable])
            return err_set(e, ERR_NOT_FOUND,
                           "%s:%u:%u: %s is initialised with the address of %s, which is in no loaded module",
                           m->label, v->place.line, v->place.column, v->name, of->name ? of->name : "?");
        *value += l->addresses[x->variable];
    }
    /* mask(0xFF00) selects that byte of the address */
    if (x->mask)
        *value = (*value & x->mask) >> __builtin_ctzll(x->mask);
    return 0;
}

static int initialise_variables(struct ptx_program *p, struct loaded *l, struct err *e)
{
    const struct ptx_module *m = l->module;

    for (uint32_t i = 0; i < m->variable_count; i++) {
        const struct ptx_variable *v = &m->variables[i];

        if (!has_address(v) || v->linkage == PTX_EXTERN)
            continue;
        for (uint32_t k = 0; k < v->initial_count; k++) {
            const struct ptx_initial *x = &m->initials[v->initial_first + k];
            uint8_t *to = device_bytes(p->memory, l->addresses[i] + x->offset, x->bytes);
            uint64_t value;

            if (initial_value(p, l, v, x, &value, e))
                return -1;
            if (!to || x->bytes > sizeof value)
                return err_set(e, ERR_MALFORMED, "%s:%u:%u: the initial value of %s does not fit into it", m->label,
                               v->place.line, v->place.column, v->name);
            memcpy(to, &value, x->bytes);
        }
    }
    return 0;
}

int ptx_program_load(struct ptx_program *p, struct ptx_module *m, uint32_t *module, struct err *e)
{
    struct loaded *l;

    if (array_reserve((void **)&p->modules, &p->capacity, p->count + 1, sizeof *p->modules, e)) {
        ptx_module_free(m);
        return -1;
    }
    l = &p->modules[p->count];
    *l = (struct loaded){.module = m, .first_function = p->functions};
    l->addresses = mem_zalloc(m->variable_count + 1, sizeof *l->addresses, e);
    l->codes = l->addresses ? mem_zalloc(m->function_count + 1, sizeof(struct ptx_code *), e) : NULL;
    if (!l->codes || allocate_variables(p, l, e) || initialise_variables(p, l, e)) {
        release(l, p->memory);
        return -1;
    }
    *module = (uint32_t)p->count++;
    p->functions += m->function_count;
    return 0;
}

const struct ptx_module *ptx_program_module(const struct ptx_program *p, uint32_t module)
{
    return p->modules[module].module;
}

int ptx_program_module_hash(struct ptx_program *p, uint32_t module, const char **hex, struct err *e)
{
    struct loaded *l = &p->modules[module];
    char *text = *l->hash ? NULL : ptx_print(l->module, e);
    int ret = *l->hash ? 0 : text ? sha256_bytes(text, strlen(text), l->hash, e) : -1;

    free(text);
    *hex = l->hash;
    return ret;
}

uint32_t ptx_program_modules(const struct ptx_program *p)
{
    return (uint32_t)p->count;
}

struct device_memory *ptx_program_memory(const struct ptx_program *p)
{
    return p->memory;
}

uint64_t ptx_program_address(const struct ptx_program *p, uint32_t module, uint32_t variable)
{
    return p->modules[module].addresses[variable];
}

int ptx_program_symbol(const struct ptx_program *p, uint32_t module, const char *name, uint64_t *address,
                       uint64_t *bytes, struct err *e)
{
    const struct loaded *l = &p->modules[module];
    uint32_t v = ptx_find_variable(l->module, name);

    if (v == PTX_NONE || !l->addresses[v])
        return err_set(e, ERR_NOT_FOUND, "%s has no global or constant variable %s", l->module->label, name);
    *address = l->addresses[v];
    *bytes = l->module->variables[v].bytes;
    return 0;
}

uint64_t ptx_program_heap(struct ptx_program *p, int64_t add)
{
    return p->heap += (uint64_t)add;
}

/* --- functions --- */

const struct ptx_code *ptx_program_code(struct ptx_program *p, uint32_t module, uint32_t function, struct err *e)
{
    struct loaded *l = &p->modules[module];

    if (!l->codes[function] && p->contract && ptx_contract(l->module, function, e) != 0)
        return NULL;
    if (!l->codes[function] && ptx_decode(l->module, function, &l->codes[function], e)) {
        l->codes[function] = NULL;
        return NULL;
    }
    return l->codes[function];
}

static uint32_t find_body(const struct ptx_module *m, const char *name, bool shown_only)
{
    for (uint32_t i = 0; i < m->function_count; i++) {
        const struct ptx_function *f = &m->functions[i];

        if (f->has_body && strcmp(f->name, name) == 0 && (!shown_only || f->linkage != PTX_INTERNAL))
            return i;
    }
    return PTX_NONE;
}

int ptx_program_resolve(const struct ptx_program *p, uint32_t module, uint32_t function,
                        struct ptx_program_function *out, struct err *e)
{
    const struct ptx_module *m = p->modules[module].module;
    const struct ptx_function *f = &m->functions[function];
    const char *name = f->alias_of ? f->alias_of : f->name;

    *out = (struct ptx_program_function){module, function};
    if (f->has_body)
        return 0;
    out->function = find_body(m, name, false);
    for (size_t i = p->count; out->function == PTX_NONE && i-- > 0;)
        if (i != module) {
            out->module = (uint32_t)i;
            out->function = find_body(p->modules[i].module, name, true);
        }
    if (out->function == PTX_NONE)
        return err_set(e, ERR_NOT_FOUND, "%s:%u:%u: function %s is declared only; no loaded module defines it",
                       m->label, f->place.line, f->place.column, name);
    return 0;
}

uint64_t ptx_program_function_address(const struct ptx_program *p, uint32_t module, uint32_t function)
{
    return PTX_CODE_BASE + 16ull * (p->modules[module].first_function + function);
}

bool ptx_program_function_at(const struct ptx_program *p, uint64_t address, struct ptx_program_function *out)
{
    uint64_t k = (address - PTX_CODE_BASE) / 16;

    if (address < PTX_CODE_BASE || address % 16 || k >= p->functions)
        return false;
    for (size_t i = p->count; i-- > 0;)
        if (k >= p->modules[i].first_function) {
            *out = (struct ptx_program_function){(uint32_t)i, (uint32_t)(k - p->modules[i].first_function)};
            return true;
        }
    return false;
}
