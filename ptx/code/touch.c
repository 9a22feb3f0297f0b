/* ptx/code/touch.c: which values an instruction reads and writes. */
#include <string.h>

#include "ptx/code/live.h"

struct toucher {
    const struct ptx_function *f;
    const uint32_t *value_of;
    ptx_touch *touch;
    void *ctx;
};

/* Does the instruction have no result, although its first operand is no address? */
static bool only_reads(const struct ptx_inst *i)
{
    static const char *const opcodes[] = {"bra", "brx", "nanosleep", "stackrestore", "setmaxnreg", "ret"};

    if (strcmp(i->opcode, "bar") == 0 || strcmp(i->opcode, "barrier") == 0)
        return !ptx_has(i, ".red");
    for (size_t k = 0; k < sizeof opcodes / sizeof *opcodes; k++)
        if (strcmp(i->opcode, opcodes[k]) == 0)
            return true;
    return false;
}

/* In PTX the first operand is the result, unless it is an address or the instruction only reads. A call has results
 * if a list precedes the callee. */
uint32_t ptx_result_operands(const struct ptx_function *f, const struct ptx_inst *i)
{
    const struct ptx_operand *o = f->operands + i->operand_first;

    if (!i->operand_count || o[0].kind == PTX_OP_ADDRESS || only_reads(i))
        return 0;
    if (strcmp(i->opcode, "call") == 0)
        return o[0].kind == PTX_OP_VECTOR;
    return 1;
}

static void touch_operand(const struct toucher *t, const struct ptx_operand *o, bool write)
{
    if (o->kind == PTX_OP_REG) {
        const struct ptx_register *r = &t->f->registers[o->index];
        bool one = o->component >= PTX_X && o->component <= PTX_W && r->vector > 1;

        for (uint32_t k = 0; k < r->vector; k++)
            if (!one || k == (uint32_t)o->component - PTX_X)
                t->touch(t->ctx, t->value_of[o->index] + k, write);
    } else if (o->kind == PTX_OP_VECTOR || o->kind == PTX_OP_ADDRESS) {
        for (uint32_t k = 0; k < o->count; k++)
            touch_operand(t, &t->f->operands[o->index + k], write && o->kind == PTX_OP_VECTOR);
    }
    if (o->pair != PTX_NONE)
        touch_operand(t, &t->f->operands[o->pair], write);
}

void ptx_touched(const struct ptx_function *f, const uint32_t *value_of, const struct ptx_inst *i, ptx_touch *touch,
                 void *ctx)
{
    const struct toucher t = {f, value_of, touch, ctx};
    uint32_t results = ptx_result_operands(f, i);

    if (i->guard != PTX_NONE)
        touch(ctx, value_of[i->guard], false);
    for (uint32_t k = 0; k < i->operand_count; k++)
        touch_operand(&t, &f->operands[i->operand_first + k], k < results);
    if (strcmp(i->opcode, "wgmma") == 0 && results) /* it also reads D */
        touch_operand(&t, &f->operands[i->operand_first], false);
}
