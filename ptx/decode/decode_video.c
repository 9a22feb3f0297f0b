/* ptx/decode/decode_video.c: scalar video instructions: vadd vsub vabsdiff vmin vmax vshl vshr vmad vset on words,
 * bytes or halves. They are rare, so one handler executes all of them; args.imm describes the operation. Source:
 * NVIDIA, PTX ISA 9.0, section 9.7.17. The handler follows the steps of its pseudocode. */
#include <string.h>

#include "ptx/decode/decode_internal.h"
#include "ptx/decode/decode_handlers.h"

enum video_op {
    VIDEO_ADD,
    VIDEO_SUB,
    VIDEO_ABSDIFF,
    VIDEO_MIN,
    VIDEO_MAX,
    VIDEO_SHL,
    VIDEO_SHR,
    VIDEO_MAD,
    VIDEO_SET
};
enum { SECOND_NONE, SECOND_ADD, SECOND_MIN, SECOND_MAX };
enum { SET_EQ, SET_NE, SET_LT, SET_LE, SET_GT, SET_GE };

/* Fields of args.imm. */
enum {
    OP_AT = 0, /* 4 bits: enum video_op */
    SIGNED_D = 1 << 4,
    SIGNED_A = 1 << 5,
    SIGNED_B = 1 << 6,
    SATURATE = 1 << 7,
    SECOND_AT = 8,  /* 2 bits */
    PART_A_AT = 10, /* 3 bits each: 0: the word, 1 to 4: a byte, 5 and 6: a half */
    PART_B_AT = 13,
    PART_D_AT = 16,
    WRAP = 1 << 19,
    SCALE_AT = 20, /* 2 bits: shift right by 0, 7 or 15 */
    PLUS_ONE = 1 << 22,
    MINUS_PRODUCT = 1 << 23,
    MINUS_C = 1 << 24,
    SET_AT = 25,    /* 3 bits */
    THREE = 1 << 28 /* c is an operand */
};

__extension__ typedef __int128 wide;

static uint32_t part_bits(uint32_t part)
{
    return !part ? 32 : part < 5 ? 8 : 16;
}

static uint32_t part_shift(uint32_t part)
{
    return !part ? 0 : part < 5 ? (part - 1) * 8 : (part - 5) * 16;
}

static int64_t selected(uint32_t x, uint32_t part, bool is_signed)
{
    uint64_t v = (uint64_t)(x >> part_shift(part)) & ((1ull << part_bits(part)) - 1);
    uint64_t sign = 1ull << (part_bits(part) - 1);

    return is_signed ? (int64_t)((v ^ sign) - sign) : (int64_t)v;
}

static bool is_set(int64_t a, int64_t b, uint32_t comparison)
{
    switch (comparison) {
    case SET_EQ: return a == b;
    case SET_NE: return a != b;
    case SET_LT: return a < b;
    case SET_LE: return a <= b;
    case SET_GT: return a > b;
    default: return a >= b;
    }
}

static wide first_step(int64_t a, int64_t b, uint32_t imm)
{
    uint32_t by = imm & WRAP ? (uint32_t)b & 31 : (uint64_t)b > 32 ? 32 : (uint32_t)b;

    switch (imm & 15) {
    case VIDEO_ADD: return (wide)a + b;
    case VIDEO_SUB: return (wide)a - b;
    case VIDEO_ABSDIFF: return a < b ? (wide)b - a : (wide)a - b;
    case VIDEO_MIN: return a < b ? a : b;
    case VIDEO_MAX: return a > b ? a : b;
    case VIDEO_SHL: return (wide)a * ((wide)1 << by);
    case VIDEO_SHR: return a >> by;
    default: return is_set(a, b, imm >> SET_AT & 7);
    }
}

static wide saturated(wide v, uint32_t bits, bool is_signed)
{
    wide most = is_signed ? ((wide)1 << (bits - 1)) - 1 : ((wide)1 << bits) - 1, least = is_signed ? -most - 1 : 0;

    return v > most ? most : v < least ? least : v;
}

static uint32_t second_step(uint32_t t, uint32_t c, uint32_t imm)
{
    bool less = imm & SIGNED_D ? (int32_t)t < (int32_t)c : t < c;
    uint32_t part = imm >> PART_D_AT & 7, keep = 0;

    if (part) {
        keep = ((1u << part_bits(part)) - 1) << part_shift(part);
        return (t << part_shift(part) & keep) | (c & ~keep);
    }
    switch (imm >> SECOND_AT & 3) {
    case SECOND_ADD: return t + c;
    case SECOND_MIN: return less ? t : c;
    case SECOND_MAX: return less ? c : t;
    default: return t;
    }
}

static uint32_t multiplied(int64_t a, int64_t b, uint32_t c, uint32_t imm)
{
    static const uint8_t scales[] = {0, 7, 15, 0};
    bool is_signed = imm & (SIGNED_A | SIGNED_B | MINUS_PRODUCT | MINUS_C);
    wide t = (wide)a * b, addend = is_signed ? (wide)(int32_t)c : (wide)c;

    t = imm & MINUS_PRODUCT ? -t : t;
    t += imm & MINUS_C ? -addend : addend;
    t += (imm & PLUS_ONE) != 0;
    t >>= scales[imm >> SCALE_AT & 3];
    return (uint32_t)(imm & SATURATE ? saturated(t, 32, is_signed) : t);
}

void decode_do_video(struct ptx_lanes *w, const struct ptx_form_args *p, uint32_t mask)
{
    const uint8_t *rows = w->rows;

    for (uint32_t left = mask; left; left &= left - 1) {
        size_t at = (size_t)__builtin_ctz(left) * 4;
        uint32_t x, y, z = 0, part = p->imm >> PART_D_AT & 7, out;
        int64_t a, b;

        memcpy(&x, rows + (size_t)p->src[0] * PTX_ROW_BYTES + at, 4);
        memcpy(&y, rows + (size_t)p->src[1] * PTX_ROW_BYTES + at, 4);
        if (p->imm & THREE)
            memcpy(&z, rows + (size_t)p->src[2] * PTX_ROW_BYTES + at, 4);
        a = selected(x, p->imm >> PART_A_AT & 7, p->imm & SIGNED_A);
        b = selected(y, p->imm >> PART_B_AT & 7, p->imm & SIGNED_B);
        if ((p->imm & 15) == VIDEO_MAD) {
            out = multiplied(a, b, z, p->imm);
        } else {
            wide t = first_step(a, b, p->imm);

            if (p->imm & SATURATE)
                t = saturated(t, part_bits(part), p->imm & SIGNED_D);
            out = second_step((uint32_t)t, z, p->imm);
        }
        memcpy(w->rows + (size_t)p->dst * PTX_ROW_BYTES + at, &out, 4);
    }
}

/* --- decoding --- */

#define WHICH(d, words) decode_which(d, words, sizeof(words) / sizeof *(words))

static int op_of(const char *opcode)
{
    static const char *const names[] = {"vadd", "vsub", "vabsdiff", "vmin", "vmax", "vshl", "vshr", "vmad", "vset"};

    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
        if (strcmp(names[k], opcode) == 0)
            return (int)k;
    return -1;
}

static bool is_signed(uint8_t type)
{
    return type == PTX_S32;
}

/* Splits the operand into the register and the part of it (byte or half). */
static int taken(struct decoder *d, uint32_t k, struct ptx_operand *o, uint32_t *part)
{
    *o = *decode_operand(d, k);
    *part = 0;
    if (o->component >= PTX_BYTE0)
        *part = o->component >= PTX_HALF0 ? 5u + (o->component - PTX_HALF0) : 1u + (o->component - PTX_BYTE0);
    if (o->component >= PTX_BYTE0)
        o->component = PTX_WHOLE;
    return 0;
}

static int source(struct decoder *d, uint32_t k, uint32_t slot, uint32_t part_at)
{
    struct ptx_operand o;
    uint32_t part;
    bool negated = decode_operand(d, k)->negated, ignored;

    taken(d, k, &o, &part);
    if (negated && op_of(d->i->opcode) != VIDEO_MAD)
        return decode_fault(d, ERR_MALFORMED, &o.place, "%s accepts no negated operand", d->i->opcode);
    o.negated = false;
    if (slot == 2 && part)
        return decode_fault(d, ERR_MALFORMED, &o.place,
                            "%s accepts this operand only as a whole, without a byte or half selected",
                            d->i->opcode);
    if (slot < 2)
        d->op->args.imm |= part << part_at;
    if (negated)
        d->op->args.imm ^= slot < 2 ? MINUS_PRODUCT : MINUS_C;
    return decode_source(d, &o, 32, DECODE_INTEGERS, &d->op->args.src[slot], &ignored);
}

static int modifiers(struct decoder *d, int op)
{
    static const struct decode_word seconds[] = {{".add", SECOND_ADD}, {".min", SECOND_MIN}, {".max", SECOND_MAX}};
    static const struct decode_word comparisons[] = {{".eq", SET_EQ}, {".ne", SET_NE}, {".lt", SET_LT},
                                                     {".le", SET_LE}, {".gt", SET_GT}, {".ge", SET_GE}};
    static const struct decode_word scales[] = {{".shr7", 1}, {".shr15", 2}};
    int second = WHICH(d, seconds), comparison = WHICH(d, comparisons), scale = WHICH(d, scales);
    const uint8_t *types = d->i->types;
    bool set = op == VIDEO_SET;

    for (uint32_t k = 0; k < d->i->type_count; k++)
        if (types[k] != PTX_S32 && types[k] != PTX_U32)
            return decode_unsupported(d);
    if (d->i->type_count != (set ? 2 : 3) || (set && comparison < 0) ||
        ((op == VIDEO_SHL || op == VIDEO_SHR) && ptx_has(d->i, ".clamp") == ptx_has(d->i, ".wrap")))
        return decode_unsupported(d);
    d->op->args.imm = (uint32_t)op | (!set && is_signed(types[0]) ? SIGNED_D : 0) |
                      (is_signed(types[!set]) ? SIGNED_A : 0) | (is_signed(types[set ? 1 : 2]) ? SIGNED_B : 0) |
                      (ptx_has(d->i, ".sat") ? SATURATE : 0) | (ptx_has(d->i, ".wrap") ? WRAP : 0) |
                      (ptx_has(d->i, ".po") ? PLUS_ONE : 0) | (second > 0 ? (uint32_t)second << SECOND_AT : 0) |
                      (set ? (uint32_t)comparison << SET_AT : 0) | (scale > 0 ? (uint32_t)scale << SCALE_AT : 0);
    return 0;
}

int decode_video(struct decoder *d)
{
    int op = op_of(d->i->opcode);
    struct ptx_operand to;
    uint32_t part, want;

    if (modifiers(d, op) < 0 || decode_count(d, 3, 4) < 0)
        return -1;
    for (uint32_t k = 0; k < d->i->operand_count; k++)
        if (decode_operand(d, k)->component >= PTX_HALVES)
            return decode_fault(d, ERR_MALFORMED, &decode_operand(d, k)->place, "%s%s accepts one byte or one half",
                                d->i->opcode, d->i->suffix);
    taken(d, 0, &to, &part);
    want = op == VIDEO_MAD || part || d->op->args.imm >> SECOND_AT & 3 ? 4 : 3;
    if (decode_count(d, want, want) < 0)
        return -1;
    d->op->action = PTX_DO_FORM;
    d->op->full = d->op->part = decode_do_video;
    d->op->args.imm |= part << PART_D_AT | (want == 4 ? THREE : 0);
    if (decode_one_result(d, &to, 32) < 0)
        return -1;
    for (uint32_t k = 1; k < want; k++)
        if (source(d, k, k - 1, k == 1 ? PART_A_AT : PART_B_AT) < 0)
            return -1;
    return 0;
}
