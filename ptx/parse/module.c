/* ptx/parse/module.c: types, look-ups, and the release of a module. */
#include "ptx/parse/module.h"

#include <stdlib.h>
#include <string.h>

#include "ptx/parse/intern.h"

static const struct {
    const char *text;
    uint32_t bits;
} types[PTX_TYPE_COUNT] = {{"", 0},
#define X(name, text, bits) {text, bits},
                           PTX_TYPES(X)
#undef X
};

const char *ptx_type_name(enum ptx_type t)
{
    return types[t].text;
}

uint32_t ptx_type_bits(enum ptx_type t)
{
    return types[t].bits;
}

enum ptx_type ptx_type_of(const char *text, size_t n)
{
    for (size_t t = 1; t < PTX_TYPE_COUNT; t++)
        if (strncmp(types[t].text, text, n) == 0 && !types[t].text[n])
            return (enum ptx_type)t;
    return PTX_NO_TYPE;
}

bool ptx_has(const struct ptx_inst *i, const char *modifier)
{
    size_t n = strlen(modifier);

    for (const char *at = i->modifiers; (at = strstr(at, modifier)); at++)
        if (at[n] == '.' || !at[n])
            return true;
    return false;
}

uint32_t ptx_find_function(const struct ptx_module *m, const char *name)
{
    for (uint32_t i = 0; i < m->function_count; i++)
        if (strcmp(m->functions[i].name, name) == 0)
            return i;
    return PTX_NONE;
}

uint32_t ptx_find_variable(const struct ptx_module *m, const char *name)
{
    for (uint32_t i = 0; i < m->variable_count; i++)
        if (m->variables[i].function == PTX_NONE && m->variables[i].name && strcmp(m->variables[i].name, name) == 0)
            return i;
    return PTX_NONE;
}

static void release_function(struct ptx_function *f)
{
    for (uint32_t i = 0; i < f->target_count; i++)
        free(f->targets[i].items);
    free(f->params);
    free(f->results);
    free(f->registers);
    free(f->insts);
    free(f->operands);
    free(f->labels);
    free(f->targets);
}

void ptx_module_free(struct ptx_module *m)
{
    if (!m)
        return;
    for (uint32_t i = 0; i < m->function_count; i++)
        release_function(&m->functions[i]);
    free(m->functions);
    free(m->variables);
    free(m->initials);
    free(m->files);
    free(m->label);
    intern_free(m->texts);
    free(m);
}
