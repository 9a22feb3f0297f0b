/* ptx/decode/decode_video_picked.c: SIMD video instructions that select bytes or halves of both operands or of the
 * result: vadd4 d.b31, a.b0123, b.b7654, c. They are rare, so one handler executes all of them. Instructions
 * without a selection are forms. src[3] contains a constant with the selection. Source: NVIDIA, PTX ISA 9.0,
 * section 9.7.17. */
#include <string.h>

#include "ptx/decode/decode_handlers.h"
#include "ptx/decode/decode_internal.h"
#include "ptx/forms/forms_video.h"

/* Fields of the constant: a bit for each byte or half of the result that is written; for each operand the indices
 * of its four bytes in b:a, 3 bits each. */
enum { CHOSEN_AT = 0, PICK_A_AT = 4, PICK_B_AT = 16, PICK_BYTES = 4, PICK_BITS = 3 };

static uint32_t picked(uint64_t both, uint32_t pick)
{
    uint32_t v = 0;

    for (uint32_t k = 0; k < PICK_BYTES; k++, pick >>= PICK_BITS)
        v |= (uint32_t)(both >> 8 * (pick & 7) & 0xff) << 8 * k;
    return v;
}

void decode_do_video_picked(struct ptx_lanes *w, const struct ptx_form_args *p, uint32_t mask)
{
    for (uint32_t left = mask; left; left &= left - 1) {
        size_t at = (size_t)__builtin_ctz(left) * 4;
        uint32_t v[4], out;
        uint64_t both;

        for (int s = 0; s < 4; s++)
            memcpy(&v[s], w->rows + (size_t)p->src[s] * PTX_ROW_BYTES + at, 4);
        both = (uint64_t)v[1] << 32 | v[0];
        out = video_pieces(picked(both, v[3] >> PICK_A_AT), picked(both, v[3] >> PICK_B_AT), v[2], p->imm,
                           v[3] >> CHOSEN_AT & VIDEO_ALL);
        memcpy(w->rows + (size_t)p->dst * PTX_ROW_BYTES + at, &out, 4);
    }
}

/* --- decoding --- */

static int no_such(struct decoder *d, const struct ptx_operand *o)
{
    return decode_fault(d, ERR_MALFORMED, &o->place, "%s%s cannot select these bytes or halves here", d->i->opcode,
                        d->i->suffix);
}

/* The selected bytes or halves of the result: each at most once, the highest first. */
static int chosen_of(struct decoder *d, const struct ptx_operand *o, bool halves, uint32_t *chosen)
{
    uint32_t one = halves ? PTX_HALF0 : PTX_BYTE0, last = halves ? PTX_HALF1 : PTX_BYTE3, before = UINT32_MAX;

    *chosen = VIDEO_ALL;
    if (o->component == PTX_WHOLE)
        return 0;
    *chosen = 0;
    if (o->component >= one && o->component <= last) {
        *chosen = 1u << (o->component - one);
        return 0;
    }
    if (o->component != (halves ? PTX_HALVES : PTX_BYTES))
        return no_such(d, o);
    for (uint32_t k = 0; k < o->count; k++) {
        uint32_t piece = (uint32_t)(o->bits >> 4 * (o->count - 1 - k)) & 15;

        if (piece > last - one || piece >= before)
            return no_such(d, o);
        *chosen |= 1u << piece;
        before = piece;
    }
    return 0;
}

/* Selects four bytes of b:a. An operand without a selection has its own bytes, from byte `first` on. */
static int pick_of(struct decoder *d, const struct ptx_operand *o, bool halves, uint32_t first, uint32_t *pick)
{
    uint32_t pieces = halves ? 2 : 4, bytes = 4 / pieces;

    *pick = 0;
    if (o->component != PTX_WHOLE && (o->component != (halves ? PTX_HALVES : PTX_BYTES) || o->count != pieces))
        return no_such(d, o);
    for (uint32_t k = 0; k < PICK_BYTES; k++) {
        uint32_t piece = (uint32_t)(o->bits >> 4 * (k / bytes)) & 15;

        *pick |= (o->component == PTX_WHOLE ? first + k : piece * bytes + k % bytes) << PICK_BITS * k;
    }
    return 0;
}

static bool names_pieces(const struct decoder *d)
{
    for (uint32_t k = 0; k < 3 && k < d->i->operand_count; k++)
        if (decode_operand(d, k)->component >= PTX_BYTE0)
            return true;
    return false;
}

static int operands(struct decoder *d, bool halves)
{
    struct ptx_operand o[4];
    struct ptx_preset constant = {
        .bits = 32, .special = PTX_SPECIAL_COUNT, .variable = PTX_NONE, .function = PTX_NONE};
    uint32_t chosen, a, b;
    bool ignored;

    for (uint32_t k = 0; k < 4; k++)
        o[k] = *decode_operand(d, k);
    if (chosen_of(d, &o[0], halves, &chosen) < 0 || pick_of(d, &o[1], halves, 0, &a) < 0 ||
        pick_of(d, &o[2], halves, 4, &b) < 0)
        return -1;
    constant.value[0] = chosen << CHOSEN_AT | a << PICK_A_AT | b << PICK_B_AT;
    for (uint32_t k = 0; k < 3; k++)
        o[k].component = PTX_WHOLE;
    if (decode_one_result(d, &o[0], 32) < 0 || decode_preset(d, &constant, &d->op->args.src[3]) < 0)
        return -1;
    for (uint32_t k = 1; k < 4; k++)
        if (decode_source(d, &o[k], 32, DECODE_ANY, &d->op->args.src[k - 1], &ignored) < 0)
            return -1;
    return 0;
}

int decode_video_pieces(struct decoder *d)
{
    const struct ptx_form *form;

    if (!names_pieces(d))
        return decode_form(d);
    form = decode_form_of(d);
    if (!form)
        return decode_unsupported(d);
    if (decode_count(d, 4, 4) < 0)
        return -1;
    d->op->action = PTX_DO_FORM;
    d->op->full = d->op->part = decode_do_video_picked;
    d->op->args.imm = form->imm;
    return operands(d, form->imm & V_HALVES);
}
