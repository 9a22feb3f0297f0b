/* sass/exec/list_engine.c: the kernels of all modules of one architecture in a file. */
#include "sass/exec/list_engine.h"

#include <string.h>

#include "base/array.h"

static bool is_executed(uint32_t arch)
{
    return arch >= SASS_EXEC_ARCH_MIN && arch <= SASS_EXEC_ARCH_MAX;
}

static int choose_arch(struct sass_list_engine *x, struct err *e)
{
    uint32_t any = 0, best = 0;

    for (size_t k = 0; k < x->file->count; k++) {
        uint32_t arch = x->file->items[k].cubin.arch;

        any = arch;
        if (is_executed(arch) && (x->arch == 0 || x->arch == arch) && arch > best)
            best = arch;
    }
    if (best) {
        x->arch = best;
        return 0;
    }
    if (x->arch && is_executed(x->arch))
        return err_set(e, ERR_NOT_FOUND, "the file has no machine code of sm_%u; it has sm_%u", x->arch, any);
    return err_set(e, ERR_UNSUPPORTED, "machine code of sm_%u is not executed; sm_%d to sm_%d is",
                   x->arch ? x->arch : any, SASS_EXEC_ARCH_MIN, SASS_EXEC_ARCH_MAX);
}

static bool has_linked(const struct sass_list_engine *x)
{
    for (size_t k = 0; k < x->file->count; k++)
        if (x->file->items[k].cubin.arch == x->arch && !x->file->items[k].cubin.relocatable)
            return true;
    return false;
}

/* A program of `nvcc -rdc=true` has the linked code and what it was linked of; the latter is not loaded. */
static int begin(void *ctx, struct device_memory *memory, struct err *e)
{
    struct sass_list_engine *x = ctx;
    bool linked;

    if (choose_arch(x, e) != 0)
        return -1;
    linked = has_linked(x);
    sass_program_free(x->program);
    x->program = sass_program_new(memory, e);
    if (!x->program)
        return -1;
    for (size_t k = 0; k < x->file->count; k++) {
        const struct sass_module *m = &x->file->items[k];

        if (m->cubin.arch == x->arch && !(linked && m->cubin.relocatable) &&
            sass_program_load(x->program, m->content, m->n, &m->cubin, e) != 0)
            return -1;
    }
    return 0;
}

static int find(const struct sass_list_engine *x, const char *name, const struct sass_kernel **out, struct err *e)
{
    *out = sass_program_kernel(x->program, name);
    if (*out)
        return 0;
    err_set(e, ERR_NOT_FOUND, "the machine code of sm_%u has no kernel `%s`", x->arch, name);
    return err_hint(e, "`vivace sass list FILE` shows all kernels of the file.");
}

static int kernel(void *ctx, const struct list_step *s, struct launch_list_kernel *out, struct err *e)
{
    const struct sass_list_engine *x = ctx;
    const struct cubin_function *f;
    const struct sass_kernel *k;

    if (find(x, s->kernel, &k, e) != 0)
        return -1;
    f = sass_kernel_function(k);
    *out = (struct launch_list_kernel){
        .name = f->name, .param_count = (uint32_t)f->param_count, .param_bytes = f->param_bytes};
    for (size_t i = 0; i < f->param_count; i++)
        if (f->params[i].ordinal != i || f->params[i].offset > f->param_bytes ||
            f->param_bytes - f->params[i].offset < f->params[i].bytes)
            return err_set(e, ERR_MALFORMED, "%s: the cubin is damaged: parameter %zu is outside of the parameters",
                           f->name, i);
    out->slots = mem_zalloc(f->param_count + 1, sizeof *out->slots, e);
    for (size_t i = 0; out->slots && i < f->param_count; i++)
        out->slots[i] = (struct launch_list_slot){NULL, f->params[i].offset, f->params[i].bytes};
    return out->slots ? 0 : -1;
}

static int launch(void *ctx, const struct list_step *s, const void *params, const struct ptx_exec_options *o,
                  struct ptx_exec_stats *stats, struct err *e)
{
    struct sass_list_engine *x = ctx;
    struct sass_launch l = {.shared_bytes = s->shared_bytes,
                            .params = params,
                            .limit_instructions = o->limit_instructions,
                            .taken_first = o->taken_first};
    struct sass_stats done = {0};
    const struct sass_kernel *k;

    if (find(x, s->kernel, &k, e) != 0)
        return -1;
    if (s->cluster[0] > 1 || s->cluster[1] > 1 || s->cluster[2] > 1)
        return err_set(e, ERR_UNSUPPORTED, "%s: clusters of CTAs are not executed from machine code", s->kernel);
    memcpy(l.grid, s->grid, sizeof l.grid);
    memcpy(l.block, s->block, sizeof l.block);
    if (sass_launch_run(x->program, k, &l, &done, e) != 0)
        return -1;
    *stats = (struct ptx_exec_stats){.warp_instructions = done.warp_instructions,
                                     .lane_instructions = done.lane_instructions,
                                     .ctas = done.ctas,
                                     .divergent_branches = done.divergent_branches,
                                     .barriers = done.barriers};
    memcpy(x->last, done.classes, sizeof x->last);
    return 0;
}

static int symbol(void *ctx, const char *name, uint8_t **at, uint64_t *bytes, struct err *e)
{
    const struct sass_list_engine *x = ctx;

    if (sass_program_symbol(x->program, name, at, bytes))
        return 0;
    return err_set(e, ERR_NOT_FOUND, "the machine code has no variable `%s`", name);
}

void sass_list_engine_init(struct sass_list_engine *x, const struct sass_file *file, uint32_t arch)
{
    *x = (struct sass_list_engine){.file = file, .arch = arch};
    x->engine =
        (struct launch_list_engine){.ctx = x, .begin = begin, .kernel = kernel, .launch = launch, .symbol = symbol};
}

void sass_list_engine_release(struct sass_list_engine *x)
{
    sass_program_free(x->program);
    x->program = NULL;
}
