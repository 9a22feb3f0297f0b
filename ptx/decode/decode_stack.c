/* ptx/decode/decode_stack.c: local memory that a function allocates while it runs.
 * Forms: NVIDIA, PTX ISA 9.0, section 9.7.15 (stack manipulation). */
#include <string.h>

#include "ptx/decode/decode_internal.h"

/* alloca address, bytes {, alignment}; stacksave address; stackrestore address */
int decode_stack(struct decoder *d)
{
    uint32_t what = d->i->opcode[0] == 'a'              ? PTX_STACK_ALLOCA
                    : strcmp(d->i->opcode, "stacksave") ? PTX_STACK_RESTORE
                                                        : PTX_STACK_SAVE;
    uint32_t operands = what == PTX_STACK_ALLOCA ? 2 : 1, bits;
    uint64_t align = 0;

    if (d->i->type_count != 1 || (d->i->types[0] != PTX_U32 && d->i->types[0] != PTX_U64))
        return decode_unsupported(d);
    bits = ptx_type_bits(d->i->types[0]);
    if (decode_count(d, operands, operands + (operands == 2)) < 0 ||
        (d->i->operand_count == 3 && decode_integer(d, 2, &align) < 0))
        return -1;
    if (align & (align - 1) || align > DECODE_LOCAL_MAX)
        return decode_fault(d, ERR_MALFORMED, &d->i->place, "an alignment must be a power of two");
    d->c->has_stack = true;
    d->op->args.imm = what | (bits == 64 ? PTX_STACK_WIDE : 0) | (uint32_t)align << PTX_STACK_ALIGN;
    d->op->action = PTX_DO_STACK;
    if (what == PTX_STACK_RESTORE)
        return decode_to_src(d, 0, bits, 0);
    if (decode_result(d, decode_operand(d, 0), bits, &d->op->args.dst) < 0)
        return -1;
    return what == PTX_STACK_ALLOCA ? decode_to_src(d, 1, bits, 0) : 0;
}
