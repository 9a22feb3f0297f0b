/* simcore/ptx/lower.c: functions to machine instructions. */
#include "simcore/ptx/lower.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "simcore/ptx/machine_text.h"

enum { PC_BYTES = 16 }; /* of a machine instruction, since Volta */

/* --- the table --- */

void ptx_machine_table_release(struct ptx_machine_table *t)
{
    for (size_t k = 0; k < t->opcode_count; k++)
        free(t->opcodes[k]);
    free(t->opcodes);
    free(t->insts);
    *t = (struct ptx_machine_table){0};
}

uint32_t ptx_machine_opcode(struct ptx_machine_table *t, const char *text, struct err *e)
{
    for (size_t k = 0; k < t->opcode_count; k++)
        if (strcmp(t->opcodes[k], text) == 0)
            return (uint32_t)k;
    if (array_reserve((void **)&t->opcodes, &t->opcode_capacity, t->opcode_count + 1, sizeof *t->opcodes, e))
        return UINT32_MAX;
    t->opcodes[t->opcode_count] = mem_strdup(text, e);
    return t->opcodes[t->opcode_count] ? (uint32_t)t->opcode_count++ : UINT32_MAX;
}

/* --- segments --- */

/* Blocks, cut where they are too long. */
static int make_segments(struct ptx_lowered *l, struct err *e)
{
    const struct ptx_code *c = l->code;
    uint32_t n = 0;

    for (uint32_t b = 0; b < c->block_count; b++)
        n += (c->blocks[b].count + PTX_SEGMENT_MAX - 1) / PTX_SEGMENT_MAX;
    l->segments = mem_zalloc(n + 1, sizeof *l->segments, e);
    l->segment_of = mem_zalloc(c->op_count + 1, sizeof *l->segment_of, e);
    if (!l->segments || !l->segment_of)
        return -1;
    for (uint32_t b = 0; b < c->block_count; b++) {
        for (uint32_t at = 0; at < c->blocks[b].count; at += PTX_SEGMENT_MAX) {
            uint32_t left = c->blocks[b].count - at, count = left < PTX_SEGMENT_MAX ? left : PTX_SEGMENT_MAX;

            l->segments[l->segment_count] =
                (struct ptx_segment){.first_op = c->blocks[b].first + at, .op_count = count};
            for (uint32_t k = 0; k < count; k++)
                l->segment_of[c->blocks[b].first + at + k] = l->segment_count;
            l->segment_count++;
        }
    }
    return 0;
}

static uint8_t reg_of_row(uint16_t row)
{
    return row == PTX_NO_ROW ? REG_ZERO : (uint8_t)(row % 252);
}

static void set_operands(const struct ptx_code *c, const struct ptx_op *op, struct trace_inst *i)
{
    if (op->access != PTX_NONE && op->access < c->access_count &&
        (op->action == PTX_DO_LOAD || op->action == PTX_DO_STORE)) {
        const struct ptx_access *a = &c->accesses[op->access];

        if (a->base != PTX_NO_ROW) {
            i->src[i->src_count] = reg_of_row(a->base);
            i->src_regs[i->src_count++] = a->base_bits == 64 ? 2 : 1;
        }
        if (a->value_count && op->action == PTX_DO_LOAD) {
            i->dst_count = 1;
            i->dst = reg_of_row(a->values[0]);
            i->dst_regs = (uint8_t)((i->width + 3) / 4);
        } else if (a->value_count) {
            i->src[i->src_count] = reg_of_row(a->values[0]);
            i->src_regs[i->src_count++] = (uint8_t)((i->width + 3) / 4);
        }
        return;
    }
    if (op->action != PTX_DO_FORM && op->action != PTX_DO_ATOMIC && op->action != PTX_DO_WARP)
        return;
    for (uint32_t k = 0; k < 3; k++)
        if (op->args.src[k] != PTX_NO_ROW) {
            i->src[i->src_count] = reg_of_row(op->args.src[k]);
            i->src_regs[i->src_count++] = 1;
        }
    if (op->args.dst != PTX_NO_ROW) {
        i->dst_count = i->dst_regs = 1;
        i->dst = reg_of_row(op->args.dst);
    }
}

static int lower_op(struct ptx_machine_table *t, struct ptx_lowered *l, struct ptx_segment *s, uint32_t op,
                    struct err *e)
{
    char text[PTX_MACHINE_TEXT];
    struct trace_inst i = {.pc = (uint32_t)t->inst_count * PC_BYTES};

    if (!ptx_machine_text(l->code, op, t->arch, text, &i.width))
        return 0;
    if (array_reserve((void **)&t->insts, &t->inst_capacity, t->inst_count + 1, sizeof *t->insts, e) ||
        array_reserve((void **)&l->machine, &l->machine_capacity, l->machine_count + 1, sizeof *l->machine, e))
        return -1;
    i.opcode = ptx_machine_opcode(t, text, e);
    if (i.opcode == UINT32_MAX)
        return -1;
    set_operands(l->code, &l->code->ops[op], &i);
    l->machine[l->machine_count++] = (struct ptx_machine){
        .inst = (uint32_t)t->inst_count, .op = (uint16_t)(op - s->first_op), .accesses = i.width > 0};
    t->insts[t->inst_count++] = i;
    s->count++;
    return 0;
}

int ptx_lower(struct ptx_machine_table *t, const struct ptx_code *code, struct ptx_lowered **out, struct err *e)
{
    struct ptx_lowered *l = mem_zalloc(1, sizeof *l, e);

    if (!l)
        return -1;
    l->code = code;
    l->registers = code->live_words + 3 < 255 ? code->live_words + 3 : 255;
    if (make_segments(l, e))
        goto fail;
    for (uint32_t k = 0; k < l->segment_count; k++) {
        struct ptx_segment *s = &l->segments[k];

        s->first = (uint32_t)l->machine_count;
        for (uint32_t op = s->first_op; op < s->first_op + s->op_count; op++)
            if (lower_op(t, l, s, op, e))
                goto fail;
    }
    *out = l;
    return 0;
fail:
    ptx_lowered_free(l);
    return -1;
}

void ptx_lowered_free(struct ptx_lowered *l)
{
    if (!l)
        return;
    free(l->segments);
    free(l->segment_of);
    free(l->machine);
    free(l);
}
