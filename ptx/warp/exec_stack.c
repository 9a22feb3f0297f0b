/* alloca, stacksave, stackrestore: local memory that a call allocates after its frame. Each lane has its own
 * stack end. Frames of functions that it calls begin after the highest of these ends. */
#include <string.h>

#include "ptx/warp/warp.h"

enum { ALIGN_MIN = 8 }; /* default alignment of alloca (PTX ISA 9.0, "alloca") */

static uint64_t read_value(const struct ptx_warp *w, uint16_t row, uint32_t lane, uint32_t bytes)
{
    uint64_t v = 0;

    memcpy(&v, w->lanes.rows + (size_t)row * PTX_ROW_BYTES + (size_t)lane * bytes, bytes); /* little-endian */
    return v;
}

static void write_value(const struct ptx_warp *w, uint16_t row, uint32_t lane, uint64_t value, uint32_t bytes)
{
    if (row != PTX_NO_ROW)
        memcpy(w->lanes.rows + (size_t)row * PTX_ROW_BYTES + (size_t)lane * bytes, &value, bytes);
}

static int take(struct ptx_warp *w, const struct ptx_op *op, struct ptx_activation *a, uint32_t lane)
{
    uint32_t bytes = op->args.imm & PTX_STACK_WIDE ? 8 : 4, align = op->args.imm >> PTX_STACK_ALIGN;
    uint64_t size = read_value(w, op->args.src[0], lane, bytes), at;

    align = align > ALIGN_MIN ? align : ALIGN_MIN;
    at = (a->stack_end[lane] + (uint64_t)align - 1) & ~((uint64_t)align - 1);
    if (size > PTX_LOCAL_MAX || at + size > PTX_LOCAL_MAX)
        return ptx_fault(w, 1u << lane, "alloca of %llu bytes; a thread has at most %d bytes of local memory",
                         (unsigned long long)size, PTX_LOCAL_MAX);
    if (ptx_local_reserve(w, (uint32_t)(at + size)))
        return -1;
    a->stack_end[lane] = (uint32_t)(at + size);
    write_value(w, op->args.dst, lane, at, bytes);
    return 0;
}

static int restore(struct ptx_warp *w, const struct ptx_op *op, struct ptx_activation *a, uint32_t lane)
{
    uint64_t end = read_value(w, op->args.src[0], lane, op->args.imm & PTX_STACK_WIDE ? 8 : 4);

    if (end < a->frame + a->code->local_bytes || end > a->stack_end[lane])
        return ptx_fault(w, 1u << lane, "stackrestore of 0x%llx, which no stacksave of this call returned",
                         (unsigned long long)end);
    a->stack_end[lane] = (uint32_t)end;
    return 0;
}

int ptx_do_stack(struct ptx_warp *w, const struct ptx_op *op, uint32_t mask)
{
    struct ptx_activation *a = &w->state->activations[w->state->fragments[w->state->current].activation];

    for (; mask; mask &= mask - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(mask);

        switch (op->args.imm & PTX_STACK_WHAT) {
        case PTX_STACK_ALLOCA:
            if (take(w, op, a, lane) != 0)
                return -1;
            break;
        case PTX_STACK_RESTORE:
            if (restore(w, op, a, lane) != 0)
                return -1;
            break;
        default: write_value(w, op->args.dst, lane, a->stack_end[lane], op->args.imm & PTX_STACK_WIDE ? 8 : 4);
        }
    }
    return 0;
}

void ptx_stack_begin(struct ptx_activation *a)
{
    for (uint32_t l = 0; l < PTX_LANES; l++)
        a->stack_end[l] = a->frame + a->code->local_bytes;
}

uint32_t ptx_stack_end(const struct ptx_activation *a, uint32_t lanes)
{
    uint32_t end = a->frame + a->code->local_bytes;

    for (; a->code->has_stack && lanes; lanes &= lanes - 1)
        if (a->stack_end[__builtin_ctz(lanes)] > end)
            end = a->stack_end[__builtin_ctz(lanes)];
    return end;
}
