/* ptx/decode/decode.c: decodes a function into ops: its blocks, its rows, then each instruction by its opcode. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/text.h"
#include "ptx/decode/decode_internal.h"
#include "ptx/code/shared.h"

/* --- control flow --- */

static uint32_t join_of(const struct decoder *d)
{
    uint32_t block = d->flow.block_of[d->i - d->f->insts], join = d->flow.blocks[block].join;

    return join == PTX_NONE ? PTX_NONE : d->flow.blocks[join].first;
}

static int branch(struct decoder *d)
{
    if (decode_count(d, 1, 1) < 0)
        return -1;
    if (decode_operand(d, 0)->kind != PTX_OP_LABEL)
        return decode_fault(d, ERR_MALFORMED, &decode_operand(d, 0)->place, "a branch needs a label");
    d->op->action = PTX_DO_BRANCH;
    d->op->target = d->f->labels[decode_operand(d, 0)->index].at;
    d->op->join = join_of(d);
    return 0;
}

static int branch_index(struct decoder *d)
{
    const struct ptx_targets *t;
    uint32_t *table;

    if (decode_count(d, 2, 2) < 0)
        return -1;
    if (decode_operand(d, 1)->kind != PTX_OP_TARGETS || !d->f->targets[decode_operand(d, 1)->index].labels)
        return decode_fault(d, ERR_MALFORMED, &decode_operand(d, 1)->place, "brx.idx needs a .branchtargets list");
    t = &d->f->targets[decode_operand(d, 1)->index];
    if (array_reserve((void **)&d->c->tables, &d->table_capacity, d->c->table_count + 1u, sizeof *d->c->tables,
                      d->e) < 0)
        return -1;
    table = mem_zalloc(t->count + 1u, sizeof *table, d->e);
    if (!table)
        return -1;
    table[0] = t->count;
    for (uint32_t k = 0; k < t->count; k++)
        table[k + 1] = d->f->labels[t->items[k]].at;
    d->op->action = PTX_DO_BRANCH_INDEX;
    d->op->target = d->c->table_count;
    d->op->join = join_of(d);
    d->c->tables[d->c->table_count++] = table;
    return decode_to_src(d, 0, 32, 0);
}

static int plain(struct decoder *d, enum ptx_action action)
{
    d->op->action = (uint8_t)action;
    return 0;
}

static int leave(struct decoder *d)
{
    return decode_count(d, 0, 0) < 0 ? -1 : plain(d, d->i->opcode[0] == 'r' ? PTX_DO_RETURN : PTX_DO_EXIT);
}

static int trap(struct decoder *d)
{
    d->op->args.imm = strcmp(d->i->opcode, "brkpt") == 0;
    return decode_count(d, 0, 0) < 0 ? -1 : plain(d, PTX_DO_TRAP);
}

static int fence(struct decoder *d)
{
    return plain(d, PTX_DO_FENCE);
}

/* Hints to caches, tools and the hardware's register allocator. No value depends on them. */
static int nothing(struct decoder *d)
{
    return plain(d, PTX_DO_NOTHING);
}

/* createpolicy: its 64-bit result is used only as a hint to caches, so it is 0 here. */
static int policy(struct decoder *d)
{
    struct ptx_preset none = {.bits = 64, .special = PTX_SPECIAL_COUNT, .variable = PTX_NONE, .function = PTX_NONE};
    const struct ptx_form *form = ptx_form_find("mov.b64");

    if (decode_count(d, 1, 4) < 0 || d->i->type_count != 1 || d->i->types[0] != PTX_B64)
        return decode_unsupported(d);
    d->op->action = PTX_DO_FORM;
    d->op->full = form->full;
    d->op->part = form->part;
    return decode_result(d, decode_operand(d, 0), 64, &d->op->args.dst) < 0
               ? -1
               : decode_preset(d, &none, &d->op->args.src[0]);
}

static int nap(struct decoder *d)
{
    plain(d, PTX_DO_SLEEP);
    return decode_count(d, 1, 1) < 0 ? -1 : decode_to_src(d, 0, 32, 0);
}

/* --- the decoding function of each opcode --- */

typedef int decode_fn(struct decoder *d);

static decode_fn *decoder_of(const char *opcode)
{
    /* Sorted by name. All other opcodes are forms. */
    static const struct {
        const char *opcode;
        decode_fn *decode;
    } table[] = {{"activemask", decode_activemask},
                 {"alloca", decode_stack},
                 {"applypriority", nothing},
                 {"atom", decode_atomic},
                 {"bar", decode_barrier},
                 {"barrier", decode_barrier},
                 {"bra", branch},
                 {"brkpt", trap},
                 {"brx", branch_index},
                 {"call", decode_call},
                 {"cp", decode_cp},
                 {"createpolicy", policy},
                 {"cvt", decode_cvt},
                 {"cvta", decode_cvta},
                 {"discard", nothing},
                 {"elect", decode_elect},
                 {"exit", leave},
                 {"fence", fence},
                 {"getctarank", decode_getctarank},
                 {"griddepcontrol", nothing},
                 {"isspacep", decode_isspacep},
                 {"ld", decode_load},
                 {"ldmatrix", decode_ldmatrix},
                 {"ldu", decode_load},
                 {"mapa", decode_mapa},
                 {"match", decode_match},
                 {"mbarrier", decode_mbarrier},
                 {"membar", fence},
                 {"mma", decode_mma},
                 {"mov", decode_mov},
                 {"movmatrix", decode_movmatrix},
                 {"nanosleep", nap},
                 {"pmevent", nothing},
                 {"prefetch", nothing},
                 {"prefetchu", nothing},
                 {"red", decode_atomic},
                 {"redux", decode_redux},
                 {"ret", leave},
                 {"setmaxnreg", nothing},
                 {"shfl", decode_shfl},
                 {"st", decode_store},
                 {"stackrestore", decode_stack},
                 {"stacksave", decode_stack},
                 {"stmatrix", decode_ldmatrix},
                 {"suld", decode_surface},
                 {"suq", decode_txq},
                 {"sust", decode_surface},
                 {"tex", decode_tex},
                 {"tld4", decode_tld4},
                 {"trap", trap},
                 {"txq", decode_txq},
                 {"vabsdiff", decode_video},
                 {"vabsdiff2", decode_video_pieces},
                 {"vabsdiff4", decode_video_pieces},
                 {"vadd", decode_video},
                 {"vadd2", decode_video_pieces},
                 {"vadd4", decode_video_pieces},
                 {"vavrg2", decode_video_pieces},
                 {"vavrg4", decode_video_pieces},
                 {"vmad", decode_video},
                 {"vmax", decode_video},
                 {"vmax2", decode_video_pieces},
                 {"vmax4", decode_video_pieces},
                 {"vmin", decode_video},
                 {"vmin2", decode_video_pieces},
                 {"vmin4", decode_video_pieces},
                 {"vote", decode_vote},
                 {"vset", decode_video},
                 {"vset2", decode_video_pieces},
                 {"vset4", decode_video_pieces},
                 {"vshl", decode_video},
                 {"vshr", decode_video},
                 {"vsub", decode_video},
                 {"vsub2", decode_video_pieces},
                 {"vsub4", decode_video_pieces},
                 {"wgmma", decode_wgmma},
                 {"wmma", decode_wmma}};
    size_t low = 0, high = sizeof table / sizeof *table;

    while (low < high) {
        size_t middle = (low + high) / 2;
        int order = strcmp(opcode, table[middle].opcode);

        if (order == 0)
            return table[middle].decode;
        if (order < 0)
            high = middle;
        else
            low = middle + 1;
    }
    return decode_form;
}

static int instruction(struct decoder *d, uint32_t k)
{
    const struct ptx_inst *i = &d->f->insts[k];
    struct ptx_op *op = &d->c->ops[k];

    *op = (struct ptx_op){.target = PTX_NONE, .join = PTX_NONE, .access = PTX_NONE};
    op->args.dst = op->args.dst2 = PTX_NO_ROW;
    for (size_t s = 0; s < PTX_SOURCES_MAX; s++)
        op->args.src[s] = PTX_NO_ROW;
    op->uniform = ptx_has(i, ".uni") || ptx_has(i, ".aligned");
    if (i->guard != PTX_NONE) {
        op->guarded = true;
        op->guard_negated = i->guard_negated;
        op->guard = d->row_of_value[d->live.value_of[i->guard]];
    }
    d->i = i;
    d->op = op;
    return decoder_of(i->opcode)(d);
}

/* --- the frame --- */

static void formals(struct decoder *d, const struct ptx_param *p, uint32_t count, uint8_t kind, uint32_t from)
{
    for (uint32_t k = 0; k < count; k++)
        if (p[k].reg == PTX_NONE)
            d->homes[p[k].variable] = (struct decode_home){kind, from + p[k].offset};
}

static int add_to_frame(struct decoder *d, uint8_t space, uint64_t *end)
{
    for (uint32_t v = 0; v < d->m->variable_count; v++) {
        const struct ptx_variable *var = &d->m->variables[v];

        if (var->function != d->function || var->space != space || d->homes[v].kind || !var->name)
            continue;
        *end = (*end + var->align - 1) / var->align * var->align;
        d->homes[v] = (struct decode_home){DECODE_FRAME, (uint32_t)*end};
        *end += var->bytes;
        if (*end > DECODE_LOCAL_MAX)
            return decode_fault(d, ERR_UNSUPPORTED, &var->place,
                                "not supported: more than %d bytes for each thread", DECODE_LOCAL_MAX);
    }
    return 0;
}

/* Places parameters, results and variables in the frame; see struct ptx_call. */
static int lay_frame(struct decoder *d)
{
    const struct ptx_function *f = d->f;
    uint64_t end = 0;

    d->homes = mem_zalloc(d->m->variable_count + 1u, sizeof *d->homes, d->e);
    if (!d->homes)
        return -1;
    formals(d, f->params, f->param_count, f->entry ? DECODE_PARAM : DECODE_FRAME, 0);
    if (!f->entry) {
        uint32_t results = (f->param_bytes + 15) / 16 * 16;

        formals(d, f->results, f->result_count, DECODE_FRAME, results);
        end = (uint64_t)results + f->result_bytes;
    }
    if (add_to_frame(d, PTX_SPACE_PARAM, &end) < 0)
        return -1;
    d->c->param_bytes = (uint32_t)end;
    if (add_to_frame(d, PTX_SPACE_LOCAL, &end) < 0)
        return -1;
    d->c->local_bytes = (uint32_t)end;
    return 0;
}

/* --- the function --- */

static int pack(struct decoder *d)
{
    if (ptx_flow_build(d->f, &d->flow, d->e) < 0 || ptx_live_build(d->f, &d->flow, &d->live, d->e) < 0)
        return -1;
    d->row_of_value = mem_zalloc(d->live.value_count + 1u, sizeof *d->row_of_value, d->e);
    if (!d->row_of_value)
        return -1;
    return ptx_rows_pack(d->f, &d->live, d->row_of_value, &d->rows, &d->preds, d->e);
}

static int decode_all(struct decoder *d)
{
    struct ptx_code *c = d->c;

    c->function = d->f;
    c->ops = mem_zalloc(d->f->inst_count + 1u, sizeof *c->ops, d->e);
    c->row_of = mem_zalloc(d->f->register_count + 1u, sizeof *c->row_of, d->e);
    if (!c->ops || !c->row_of || pack(d) < 0 || lay_frame(d) < 0)
        return -1;
    for (uint32_t k = 0; k < d->f->inst_count; k++, c->op_count++)
        if (instruction(d, k) < 0)
            return -1;
    for (uint32_t r = 0; r < d->f->register_count; r++)
        c->row_of[r] = d->row_of_value[d->live.value_of[r]];
    c->rows = (uint16_t)d->rows;
    c->preds = (uint16_t)d->preds;
    c->live_words = d->live.live_words;
    for (uint32_t b = 0; b < d->flow.block_count; b++)
        for (uint32_t k = 0; k < d->flow.blocks[b].count; k += PTX_SEGMENT_MAX)
            c->ops[d->flow.blocks[b].first + k].reports = PTX_REPORTS_BEFORE;
    for (uint32_t k = 0; k < c->op_count; k++)
        if (ptx_changes_flow(c->ops[k].action))
            c->ops[k].reports = PTX_REPORTS;
        else if (c->ops[k].guarded)
            c->ops[k].reports |= PTX_REPORTS_PART;
    return 0;
}

/* The code keeps the blocks and edges. All other tables of the decoder are freed. */
static void finish(struct decoder *d)
{
    d->c->blocks = d->flow.blocks;
    d->c->block_count = d->flow.block_count;
    d->c->edges = d->flow.edges;
    d->c->edge_count = d->flow.edge_count;
    d->flow.blocks = NULL;
    d->flow.edges = NULL;
    ptx_flow_release(&d->flow);
    ptx_live_release(&d->live);
    free(d->row_of_value);
    free(d->homes);
    free(d->preset_places);
}

int ptx_decode(const struct ptx_module *m, uint32_t function, struct ptx_code **out, struct err *e)
{
    const struct ptx_function *f = &m->functions[function];
    struct decoder d = {.m = m, .f = f, .function = function, .e = e};
    struct ptx_shared shared;
    int ret;

    *out = NULL;
    if (f->broken) {
        *e = f->fault;
        return -1;
    }
    if (!f->has_body)
        return err_set(e, ERR_NOT_FOUND, "%s:%u:%u: %s has no body in this module", m->label, f->place.line,
                       f->place.column, f->name);
    memset(d.scratch, 0xff, sizeof d.scratch); /* PTX_NO_ROW */
    d.c = mem_zalloc(1, sizeof *d.c, e);
    if (!d.c)
        return -1;
    ret = decode_all(&d);
    finish(&d);
    if (ret == 0 && (ret = ptx_shared_layout(m, function, &shared, e)) == 0) {
        d.c->shared_bytes = shared.bytes;
        d.c->shared_offset = shared.offset;
    }
    if (ret < 0)
        ptx_code_free(d.c);
    else
        *out = d.c;
    return ret;
}

void ptx_code_free(struct ptx_code *c)
{
    if (!c)
        return;
    free(c->shared_offset);
    for (uint32_t k = 0; k < c->table_count; k++)
        free(c->tables[k]);
    free(c->tables);
    free(c->ops);
    free(c->accesses);
    free(c->blocks);
    free(c->edges);
    free(c->presets);
    free(c->row_of);
    free(c->passed);
    free(c->calls);
    free(c->matrices);
    free(c->wgmmas);
    free(c);
}
