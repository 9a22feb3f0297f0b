/* Runs a launch list: loads the modules, allocates and fills the buffers in list order, executes the steps in
 * order, then checks the expectations. */
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/strbuf.h"
#include "ptx/list/launch_list.h"
#include "ptx/memory/shadow.h"

#define MEMORY_DEFAULT (16ull << 30)

struct running {
    const struct launch_list *l;
    const struct launch_list_options *o;
    struct launch_list_done *done;
    struct ptx_exec_options exec;
    struct device_memory *memory;
    struct ptx_program *program;
    uint32_t *modules;   /* module numbers in the program */
    uint64_t *addresses; /* one for each buffer */
    uint64_t *handles;   /* one for each texture; 0: not bound yet */
    struct strbuf print;
    uint64_t launches; /* number of launches that the steps have reached */
    struct err *e;
};

static uint64_t address_of(const struct running *r, const struct list_place *p)
{
    return r->addresses[p->buffer] + p->offset;
}

static void *bytes_of(const struct running *r, const struct list_place *p, uint64_t n)
{
    return device_bytes(r->memory, address_of(r, p), n);
}

/* --- before the steps --- */

static int load_modules(struct running *r)
{
    const struct launch_list_engine *other = r->o->engine;

    if (other)
        return other->begin(other->ctx, r->memory, r->e);
    for (uint32_t i = 0; i < r->l->module_count; i++) {
        const struct list_module *from = &r->l->modules[i];
        struct ptx_module *m;

        if ((from->text ? ptx_parse(from->text, from->bytes, from->file, &m, r->e)
                        : ptx_parse_file(from->file, &m, r->e)) != 0 ||
            ptx_program_load(r->program, m, &r->modules[i], r->e) != 0)
            return -1;
    }
    return 0;
}

static int fill_buffers(struct running *r)
{
    for (uint32_t i = 0; i < r->l->buffer_count; i++) {
        const struct list_buffer *b = &r->l->buffers[i];

        if (device_alloc(r->memory, b->count * element_bytes(b->type), 0, b->name, &r->addresses[i], r->e) != 0)
            return -1;
    }
    for (uint32_t i = 0; i < r->l->buffer_count; i++) {
        const struct list_buffer *b = &r->l->buffers[i];
        uint8_t *to = device_bytes(r->memory, r->addresses[i], b->count * element_bytes(b->type));

        if (b->init == INIT_NONE && r->exec.shadow)
            ptx_shadow_fresh(r->exec.shadow, r->addresses[i], b->count * element_bytes(b->type));
        if (b->init != INIT_ZERO && b->init != INIT_NONE && b->init != INIT_POINTERS &&
            launch_list_fill(b, to, r->e) != 0)
            return -1;
        for (uint32_t k = 0; k < b->patch_count; k++) {
            uint64_t address = address_of(r, &b->patches[k].place);

            memcpy(to + b->patches[k].at, &address, sizeof address);
        }
        for (uint64_t k = 0; b->init == INIT_POINTERS && k < b->count; k++) {
            uint64_t address = address_of(r, &b->places[k]);

            memcpy(to + 8 * k, &address, sizeof address);
        }
    }
    return 0;
}

/* --- launches --- */

static int find_kernel(struct running *r, const struct list_step *s, uint32_t *function)
{
    const struct ptx_module *m = ptx_program_module(r->program, r->modules[s->module]);

    *function = ptx_find_function(m, s->kernel);
    if (*function != PTX_NONE && m->functions[*function].entry)
        return 0;
    err_set(r->e, ERR_NOT_FOUND, "launch %s: module %s (%s) has no kernel `%s`", s->name,
            r->l->modules[s->module].name, r->l->modules[s->module].file, s->kernel);
    for (uint32_t i = 0; i < m->function_count; i++)
        if (m->functions[i].entry)
            return err_hint(r->e, "It has `%s`; `vivace ptx list %s` shows all.", m->functions[i].name,
                            r->l->modules[s->module].file);
    return -1;
}

/* The kernel's parameters as PTX declares them. */
static int describe(struct running *r, const struct list_step *s, uint32_t function, struct launch_list_kernel *out)
{
    const struct ptx_function *f = &ptx_program_module(r->program, r->modules[s->module])->functions[function];

    *out =
        (struct launch_list_kernel){.name = f->name, .param_count = f->param_count, .param_bytes = f->param_bytes};
    out->slots = mem_zalloc((size_t)f->param_count + 1, sizeof *out->slots, r->e);
    for (uint32_t k = 0; out->slots && k < f->param_count; k++)
        out->slots[k] = (struct launch_list_slot){f->params[k].name, f->params[k].offset, f->params[k].bytes};
    return out->slots ? 0 : -1;
}

static int refuse_bytes(const struct running *r, const struct list_step *s, const struct launch_list_kernel *f,
                        uint32_t k)
{
    const char *name = f->slots[k].name;

    return err_set(r->e, ERR_INVALID, "launch %s: parameter %u%s%s%s of %s has %u bytes, and the list gives %u",
                   s->name, k, name ? " (" : "", name ? name : "", name ? ")" : "", f->name, f->slots[k].bytes,
                   s->params[k].bytes);
}

/* Copies the parameters to the offsets that the kernel declares and inserts the addresses. */
static int lay_out(struct running *r, const struct list_step *s, const struct launch_list_kernel *f, uint8_t *out)
{
    if (s->param_count != f->param_count)
        return err_set(r->e, ERR_INVALID, "launch %s: %s has %u parameters, and the list gives %u", s->name,
                       f->name, f->param_count, s->param_count);
    for (uint32_t i = 0; i < s->param_count; i++) {
        const struct list_param *p = &s->params[i];
        uint32_t offset = f->slots[i].offset;

        if (p->bytes != f->slots[i].bytes)
            return refuse_bytes(r, s, f, i);
        memcpy(out + offset, s->image + p->first, p->bytes);
        for (uint32_t k = 0; k < s->relocation_count; k++) {
            const struct list_relocation *x = &s->relocations[k];
            uint64_t address = x->texture == PTX_NONE ? address_of(r, &x->place) : r->handles[x->texture];

            if (!address)
                return err_set(r->e, ERR_INVALID, "launch %s: no earlier step binds texture %s", s->name,
                               r->l->textures[x->texture]);
            if (x->at >= p->first && x->at - p->first < p->bytes)
                memcpy(out + offset + (x->at - p->first), &address, sizeof address);
        }
    }
    return 0;
}

/* Returns enum launch_list_end, or -1. */
static int run_launch(struct running *r, const struct list_step *s, const struct ptx_launch *launch,
                      struct ptx_exec_stats *stats)
{
    const struct launch_list_view view = {.list = r->l,
                                          .step = s,
                                          .number = r->launches++,
                                          .program = r->program,
                                          .memory = r->memory,
                                          .addresses = r->addresses,
                                          .launch = launch,
                                          .done = r->done,
                                          .print = &r->print};

    if (r->o->launch)
        return r->o->launch(r->o->ctx, &view, &r->exec, stats, r->e);
    return ptx_launch_run(r->program, launch, &r->exec, stats, r->e) != 0 ? -1 : LIST_RAN;
}

/* Runs what the kernel has launched. These launches are not in traces and logs. */
static int run_children(struct running *r, struct ptx_exec_stats *all)
{
    struct ptx_child c;
    int ret = 0;

    while (ret == 0 && ptx_child_take(r->program, &c)) {
        struct ptx_launch launch = {.module = c.kernel.module,
                                    .function = c.kernel.function,
                                    .shared_bytes = c.shared_bytes,
                                    .params = c.params,
                                    .param_bytes = c.param_bytes};
        struct ptx_exec_stats stats = {0};

        memcpy(launch.grid, c.grid, sizeof launch.grid);
        memcpy(launch.block, c.block, sizeof launch.block);
        ret = ptx_launch_run(r->program, &launch, &r->exec, &stats, r->e);
        all->warp_instructions += stats.warp_instructions;
        all->lane_instructions += stats.lane_instructions;
        all->undefined += stats.undefined;
        free(c.params);
    }
    return ret == 0 ? 0 : err_wrap(r->e, "a launch from a kernel");
}

static int launch_ptx(struct running *r, const struct list_step *s, uint32_t function, const uint8_t *params,
                      uint32_t param_bytes, struct ptx_exec_stats *stats)
{
    struct ptx_launch launch = {.module = r->modules[s->module],
                                .function = function,
                                .shared_bytes = s->shared_bytes,
                                .params = params,
                                .param_bytes = param_bytes};
    int ret;

    memcpy(launch.grid, s->grid, sizeof launch.grid);
    memcpy(launch.block, s->block, sizeof launch.block);
    memcpy(launch.cluster, s->cluster, sizeof launch.cluster);
    ret = run_launch(r, s, &launch, stats);
    return ret == LIST_RAN && run_children(r, stats) != 0 ? -1 : ret;
}

/* Returns enum launch_list_end, or -1. */
static int launch_step(struct running *r, const struct list_step *s, struct ptx_exec_stats *stats)
{
    const struct launch_list_engine *other = r->o->engine;
    struct launch_list_kernel kernel = {0};
    uint32_t function = 0;
    uint8_t *params = NULL;
    int ret;

    if (other ? other->kernel(other->ctx, s, &kernel, r->e) != 0
              : find_kernel(r, s, &function) != 0 || describe(r, s, function, &kernel) != 0)
        return -1;
    params = mem_zalloc((size_t)kernel.param_bytes + 1, 1, r->e);
    ret = params ? lay_out(r, s, &kernel, params) : -1;
    if (ret == 0 && other)
        ret = other->launch(other->ctx, s, params, &r->exec, stats, r->e) != 0 ? -1 : LIST_RAN;
    else if (ret == 0)
        ret = launch_ptx(r, s, function, params, kernel.param_bytes, stats);
    free(params);
    free(kernel.slots);
    return ret;
}

static int do_launch(struct running *r, const struct list_step *s)
{
    struct ptx_exec_stats stats = {0};
    int ret = launch_step(r, s, &stats);

    if (ret < 0)
        err_wrap(r->e, "launch %s", s->name);
    r->done->warp_instructions += stats.warp_instructions;
    r->done->lane_instructions += stats.lane_instructions;
    r->done->undefined += stats.undefined;
    r->done->stopped = ret == LIST_STOP;
    if (ret != LIST_RAN)
        return ret < 0 ? -1 : 0;
    if (r->o->launched)
        r->o->launched(r->o->ctx, s->name, r->done->launches, &stats);
    r->done->launches++;
    return 0;
}

/* --- other steps --- */

static int find_symbol(struct running *r, const struct list_step *s, uint8_t **at, uint64_t *bytes)
{
    const struct launch_list_engine *other = r->o->engine;
    uint64_t address;

    if (other)
        return other->symbol(other->ctx, s->name, at, bytes, r->e);
    if (ptx_program_symbol(r->program, r->modules[s->module], s->name, &address, bytes, r->e) != 0)
        return -1;
    *at = device_bytes(r->memory, address, *bytes);
    return 0;
}

static int do_symbol(struct running *r, const struct list_step *s)
{
    uint64_t bytes;
    uint8_t *variable;

    if (find_symbol(r, s, &variable, &bytes) != 0)
        return -1;
    if (s->offset > bytes || s->bytes > bytes - s->offset)
        return err_set(r->e, ERR_INVALID, "symbol %s has %llu bytes; the list copies %llu bytes at byte %llu",
                       s->name, (unsigned long long)bytes, (unsigned long long)s->bytes,
                       (unsigned long long)s->offset);
    variable += s->offset;
    if (s->to_symbol)
        memcpy(variable, bytes_of(r, &s->from, s->bytes), s->bytes);
    else
        memcpy(bytes_of(r, &s->to, s->bytes), variable, s->bytes);
    if (!s->to_symbol && r->exec.shadow)
        ptx_shadow_written(r->exec.shadow, address_of(r, &s->to), s->bytes);
    return 0;
}

static int do_texture(struct running *r, const struct list_step *s)
{
    struct ptx_texture t = *s->image_of;

    if (r->o->engine)
        return err_set(r->e, ERR_UNSUPPORTED, "texture %s: machine code with textures is not executed",
                       r->l->textures[s->texture]);
    t.address = address_of(r, &s->from);
    if (ptx_program_texture(r->program, &t, &r->handles[s->texture], r->e) != 0)
        return err_wrap(r->e, "texture %s", r->l->textures[s->texture]);
    return 0;
}

static int touch(struct running *r, enum list_touch_kind kind, uint64_t address, uint64_t bytes)
{
    const struct list_touch t = {kind, address, bytes};

    return r->o->touched ? r->o->touched(r->o->ctx, &t, r->e) : 0;
}

static int do_copy(struct running *r, const struct list_step *s)
{
    memmove(bytes_of(r, &s->to, s->bytes), bytes_of(r, &s->from, s->bytes), s->bytes);
    if (r->exec.shadow)
        ptx_shadow_copied(r->exec.shadow, address_of(r, &s->to), address_of(r, &s->from), s->bytes);
    return touch(r, LIST_COPY_READS, address_of(r, &s->from), s->bytes) != 0
               ? -1
               : touch(r, LIST_COPY_WRITES, address_of(r, &s->to), s->bytes);
}

static int do_fill(struct running *r, const struct list_step *s)
{
    memset(bytes_of(r, &s->to, s->bytes), s->byte, s->bytes);
    if (r->exec.shadow)
        ptx_shadow_written(r->exec.shadow, address_of(r, &s->to), s->bytes);
    return touch(r, LIST_FILLS, address_of(r, &s->to), s->bytes);
}

static int do_steps(struct running *r, const struct list_step *steps, uint32_t count)
{
    for (uint32_t i = 0; i < count && !r->done->stopped; i++) {
        const struct list_step *s = &steps[i];

        switch (s->kind) {
        case STEP_LAUNCH:
            if (do_launch(r, s) != 0)
                return -1;
            break;
        case STEP_COPY:
            if (do_copy(r, s) != 0)
                return -1;
            break;
        case STEP_FILL:
            if (do_fill(r, s) != 0)
                return -1;
            break;
        case STEP_SYMBOL:
            if (do_symbol(r, s) != 0)
                return -1;
            break;
        case STEP_TEXTURE:
            if (do_texture(r, s) != 0)
                return -1;
            break;
        case STEP_REPEAT:
            for (uint64_t k = 0; k < s->times && !r->done->stopped; k++)
                if (do_steps(r, s->steps, s->step_count) != 0)
                    return -1;
        }
    }
    return 0;
}

/* --- after them --- */

static int check(struct running *r)
{
    for (uint32_t i = 0; i < r->l->expect_count; i++) {
        const struct list_expect *x = &r->l->expects[i];
        const struct list_buffer *b = x->buffer == PTX_NONE ? NULL : &r->l->buffers[x->buffer];
        const uint8_t *bytes =
            b ? device_bytes(r->memory, r->addresses[x->buffer], b->count * element_bytes(b->type)) : NULL;
        char *text;
        int good = launch_list_expect(x, b, bytes, r->print.text, r->print.length, &text, r->e);

        if (good < 0)
            return -1;
        r->done->expects++;
        r->done->failed += !good;
        if (r->o->checked)
            r->o->checked(r->o->ctx, b ? b->name : "print", good, text);
        free(text);
    }
    return 0;
}

static void on_print(void *ctx, const char *text, size_t n)
{
    struct running *r = ctx;

    strbuf_add(&r->print, text, n);
    if (r->o->exec.print)
        r->o->exec.print(r->o->exec.print_ctx, text, n);
}

int launch_list_run(const struct launch_list *l, const struct launch_list_options *o, struct launch_list_done *done,
                    struct err *e)
{
    struct running r = {.l = l, .o = o, .done = done, .exec = o->exec, .print = STRBUF_INIT, .e = e};
    int ret = -1;

    memset(done, 0, sizeof *done);
    r.exec.print = on_print;
    r.exec.print_ctx = &r;
    r.modules = mem_zalloc(l->module_count + 1, sizeof *r.modules, e);
    r.addresses = mem_zalloc(l->buffer_count + 1, sizeof *r.addresses, e);
    r.handles = mem_zalloc(l->texture_count + 1, sizeof *r.handles, e);
    r.memory = r.modules && r.addresses && r.handles
                   ? device_memory_new(o->memory_bytes ? o->memory_bytes : MEMORY_DEFAULT, e)
                   : NULL;
    r.program = r.memory ? ptx_program_new(r.memory, e) : NULL;
    if (r.program && o->exec.strict)
        r.exec.shadow = ptx_shadow_new(r.memory, e);
    if (r.program)
        ptx_program_contract(r.program, o->contract);
    if (r.program && (r.exec.shadow || !o->exec.strict) && load_modules(&r) == 0 && fill_buffers(&r) == 0 &&
        do_steps(&r, l->steps, l->step_count) == 0 &&
        (!o->finished || done->stopped || o->finished(o->ctx, r.memory, r.addresses, e) == 0))
        ret = o->no_check || done->stopped ? 0 : check(&r);
    if (ret == 0 && r.print.failed)
        ret = err_no_memory(e);
    ptx_shadow_free(r.exec.shadow);
    ptx_program_free(r.program);
    device_memory_free(r.memory);
    strbuf_release(&r.print);
    free(r.addresses);
    free(r.handles);
    free(r.modules);
    return ret;
}
