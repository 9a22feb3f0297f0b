/* ptx/decode/decode_handlers.c: conversions between wider registers, windows of the generic address space. */
#include "ptx/decode/decode_handlers.h"

#include <string.h>

#include "ptx/memory/device_memory.h"
#include "ptx/parse/module.h"

uint32_t decode_resized_imm(struct decode_resized r)
{
    return r.form | (uint32_t)r.source << 16 | (uint32_t)r.narrow_source << 18 | (uint32_t)r.narrow_result << 20 |
           (uint32_t)r.result << 22 | (uint32_t)r.is_signed << 24;
}

/* The lane's value in a row of values of 2 << width bytes. Rows are little-endian, like all hosts that are
 * supported. */
static uint64_t get(const uint8_t *row, uint32_t width, uint32_t lane)
{
    uint64_t value = 0;

    memcpy(&value, row + ((size_t)2 << width) * lane, (size_t)2 << width);
    return value;
}

static void put(uint8_t *row, uint32_t width, uint32_t lane, uint64_t value)
{
    memcpy(row + ((size_t)2 << width) * lane, &value, (size_t)2 << width);
}

static uint64_t extended(uint64_t value, uint32_t width, bool is_signed)
{
    uint32_t bits = 16u << width;
    uint64_t sign = 1ull << (bits - 1);

    return is_signed && bits < 64 ? (value ^ sign) - sign : value;
}

void decode_do_resized(struct ptx_lanes *w, const struct ptx_form_args *a, uint32_t mask)
{
    uint32_t source = a->imm >> 16 & 3, narrow_source = a->imm >> 18 & 3;
    uint32_t narrow_result = a->imm >> 20 & 3, result = a->imm >> 22 & 3;
    bool is_signed = a->imm >> 24 & 1;
    struct ptx_form_args inner = {.dst = a->src[2], .dst2 = PTX_NO_ROW, .src = {a->src[1]}};
    const struct ptx_form *form;
    size_t n;

    form = ptx_forms(&n)[a->imm & UINT16_MAX];
    inner.imm = form->imm;
    for (uint32_t l = 0; l < PTX_LANES; l++)
        put(w->rows + (size_t)a->src[1] * PTX_ROW_BYTES, narrow_source, l,
            get(w->rows + (size_t)a->src[0] * PTX_ROW_BYTES, source, l));
    (mask == UINT32_MAX ? form->full : form->part)(w, &inner, mask);
    for (uint32_t l = 0; l < PTX_LANES; l++) {
        uint64_t value = get(w->rows + (size_t)a->src[2] * PTX_ROW_BYTES, narrow_result, l);

        if (mask >> l & 1)
            put(w->rows + (size_t)a->dst * PTX_ROW_BYTES, result, l, extended(value, narrow_result, is_signed));
    }
}

static bool in_space(uint64_t address, uint32_t space)
{
    bool shared = address - PTX_SHARED_BASE < PTX_WINDOW_BYTES, local = address - PTX_LOCAL_BASE < PTX_WINDOW_BYTES;
    bool param = address - PTX_PARAM_BASE < PTX_WINDOW_BYTES;

    switch (space) {
    case PTX_SPACE_SHARED: return shared;
    case PTX_SPACE_LOCAL: return local;
    case PTX_SPACE_PARAM: return param;
    case PTX_SPACE_GLOBAL: return !shared && !local && !param;
    default: return false; /* constants have no window: they are allocated like global variables */
    }
}

void decode_do_isspacep(struct ptx_lanes *w, const struct ptx_form_args *a, uint32_t mask)
{
    uint32_t in = 0;

    for (uint32_t l = 0; l < PTX_LANES; l++)
        in |= (uint32_t)in_space(get(w->rows + (size_t)a->src[0] * PTX_ROW_BYTES, 2, l), a->imm) << l;
    w->preds[a->dst] = (w->preds[a->dst] & ~mask) | (in & mask);
}

void decode_do_quad(struct ptx_lanes *w, const struct ptx_form_args *a, uint32_t mask)
{
    const uint16_t to[4] = {a->dst, a->dst2, (uint16_t)a->imm, (uint16_t)(a->imm >> 16)};
    uint32_t values[4][PTX_LANES];

    for (uint32_t k = 0; k < 4; k++)
        memcpy(values[k], w->rows + (size_t)a->src[k] * PTX_ROW_BYTES, sizeof values[k]);
    for (uint32_t k = 0; k < 4; k++)
        for (uint32_t left = mask; left && to[k] != PTX_NO_ROW; left &= left - 1)
            put(w->rows + (size_t)to[k] * PTX_ROW_BYTES, 1, (uint32_t)__builtin_ctz(left),
                values[k][__builtin_ctz(left)]);
}
