/* sass/exec/integer.c: integers, logic, selection, predicates.
 *
 * Source of the carries and of the signs with .X: the encoder of Mesa's NAK compiler
 * (src/nouveau/compiler/nak/ir.rs, constant folding), which its authors compared with hardware. */
#include "sass/exec/machine.h"

int do_mov(struct sass_warp *w, const struct sass_op *op, uint32_t mask)
{
    write_u32(w, op, read_plain(w, &op->src[0], 0), mask);
    return 0;
}

int do_sel(struct sass_warp *w, const struct sass_op *op, uint32_t mask)
{
    const uint32_t *a = read_plain(w, &op->src[0], 0), *b = read_plain(w, &op->src[1], 1);
    uint32_t out[LANES], p = read_predicate(w, &op->preds[0]);

    for (int l = 0; l < LANES; l++)
        out[l] = p >> l & 1 ? a[l] : b[l];
    write_u32(w, op, out, mask);
    return 0;
}

/* Predicates of a lane in 7 bits. number: the bits that are moved; what: the byte of the register. */
int do_p2r(struct sass_warp *w, const struct sass_op *op, uint32_t mask)
{
    const uint32_t *a = read_plain(w, &op->src[0], 0);
    uint32_t out[LANES], shift = op->what * 8u;

    for (int l = 0; l < LANES; l++) {
        uint32_t bits = 0;

        for (int k = 0; k < PREDICATES - 1; k++)
            bits |= (w->predicates[k] >> l & 1) << k;
        out[l] = (a[l] & ~(op->number << shift)) | (bits & op->number) << shift;
    }
    write_u32(w, op, out, mask);
    return 0;
}

int do_r2p(struct sass_warp *w, const struct sass_op *op, uint32_t mask)
{
    const uint32_t *a = read_plain(w, &op->src[0], 0);

    for (int k = 0; k < PREDICATES - 1; k++) {
        uint32_t bits = 0;

        for (int l = 0; l < LANES; l++)
            bits |= (a[l] >> (op->what * 8 + k) & 1) << l;
        if (op->number >> k & 1)
            w->predicates[k] = (w->predicates[k] & ~mask) | (bits & mask);
    }
    return 0;
}

enum { COMPARE_F, COMPARE_LT, COMPARE_EQ, COMPARE_LE, COMPARE_GT, COMPARE_NE, COMPARE_GE, COMPARE_T };
enum { COMBINE_AND, COMBINE_OR, COMBINE_XOR };

static uint32_t combine(uint8_t how, uint32_t a, uint32_t b)
{
    return how == COMBINE_AND ? a & b : how == COMBINE_OR ? a | b : a ^ b;
}

/* what: the comparison's relations: bit 0 less, bit 1 equal, bit 2 greater; type: how predicates are combined. */
int do_isetp(struct sass_warp *w, const struct sass_op *op, uint32_t mask)
{
    const uint32_t *a = read_u32(w, &op->src[0], 0), *b = read_u32(w, &op->src[1], 1);
    uint32_t p = read_predicate(w, &op->preds[0]), low = read_predicate(w, &op->preds[1]), is = 0;

    for (int l = 0; l < LANES; l++) {
        int64_t x = op->is_signed ? (int64_t)(int32_t)a[l] : (int64_t)a[l];
        int64_t y = op->is_signed ? (int64_t)(int32_t)b[l] : (int64_t)b[l];
        bool r = x < y ? op->what & 1 : x > y ? op->what >> 2 & 1 : op->what >> 1 & 1;

        /* the low halves decide where the high ones are equal; "not equal" is decided by either */
        if (op->extended && x == y && op->what != 0 && op->what != COMPARE_T)
            r = low >> l & 1;
        is |= (uint32_t)r << l;
    }
    write_predicate(w, op, 0, combine(op->type, is, p), mask);
    write_predicate(w, op, 1, combine(op->type, ~is, p), mask);
    return 0;
}

/* A negative source is the complement plus 1, so that its carry is right; with .X it is the complement. */
int do_iadd3(struct sass_warp *w, const struct sass_op *op, uint32_t mask)
{
    const uint32_t *s[3];
    uint32_t out[LANES], over[2] = {0, 0}, carry[2] = {0, 0};

    for (int k = 0; k < 3; k++)
        s[k] = read_plain(w, &op->src[k], k);
    for (int k = 0; k < 2 && op->extended; k++)
        carry[k] = read_predicate(w, &op->preds[k]);
    for (int l = 0; l < LANES; l++) {
        uint64_t sum = (carry[0] >> l & 1) + (carry[1] >> l & 1);

        for (int k = 0; k < 3; k++) {
            sum += op->src[k].negated ? ~s[k][l] : s[k][l];
            sum += op->src[k].negated && !op->extended;
        }
        out[l] = (uint32_t)sum;
        over[0] |= (uint32_t)(sum >> 32 >= 1) << l;
        over[1] |= (uint32_t)(sum >> 32 >= 2) << l;
    }
    write_u32(w, op, out, mask);
    write_predicate(w, op, 0, over[0], mask);
    write_predicate(w, op, 1, over[1], mask);
    return 0;
}

/* number: the shift; src: low, added, high; type: the high half is the sign of the low one. */
int do_lea(struct sass_warp *w, const struct sass_op *op, uint32_t mask)
{
    const uint32_t *a = read_plain(w, &op->src[0], 0), *b = read_plain(w, &op->src[1], 1);
    const uint32_t *c = read_plain(w, &op->src[2], 2);
    uint32_t out[LANES], over = 0, carry = op->extended ? read_predicate(w, &op->preds[0]) : 0;

    for (int l = 0; l < LANES; l++) {
        uint64_t high = op->type ? (uint64_t)((int64_t)(int32_t)a[l] >> 32) : c[l], pair = high << 32 | a[l];
        uint32_t part = (uint32_t)(pair << op->number >> (op->high ? 32 : 0)), more = b[l];
        uint64_t sum = carry >> l & 1;

        if (op->src[0].negated)
            part = ~part;
        if (op->src[1].negated)
            more = ~more;
        sum += (uint64_t)part + (op->src[0].negated && !op->extended);
        sum += (uint64_t)more + (op->src[1].negated && !op->extended);
        out[l] = (uint32_t)sum;
        over |= (uint32_t)(sum >> 32) << l;
    }
    write_u32(w, op, out, mask);
    write_predicate(w, op, 0, over, mask);
    return 0;
}

/* number: the truth table */
int do_lop3(struct sass_warp *w, const struct sass_op *op, uint32_t mask)
{
    const uint32_t *a = read_plain(w, &op->src[0], 0), *b = read_plain(w, &op->src[1], 1);
    const uint32_t *c = read_plain(w, &op->src[2], 2);
    uint32_t out[LANES], any = 0, p = read_predicate(w, &op->preds[0]);

    for (int l = 0; l < LANES; l++) {
        uint32_t r = 0;

        for (int k = 0; k < 8; k++)
            if (op->number >> k & 1)
                r |= (k & 4 ? a[l] : ~a[l]) & (k & 2 ? b[l] : ~b[l]) & (k & 1 ? c[l] : ~c[l]);
        out[l] = r;
        any |= (uint32_t)(r != 0) << l;
    }
    write_u32(w, op, out, mask);
    write_predicate(w, op, 0, op->type ? any & p : any | p, mask);
    return 0;
}

int do_plop3(struct sass_warp *w, const struct sass_op *op, uint32_t mask)
{
    uint32_t a = read_predicate(w, &op->preds[0]), b = read_predicate(w, &op->preds[1]);
    uint32_t c = read_predicate(w, &op->preds[2]), out[2] = {0, 0};

    for (int i = 0; i < 2; i++)
        for (int k = 0; k < 8; k++)
            if (op->number >> (8 * i + k) & 1)
                out[i] |= (k & 4 ? a : ~a) & (k & 2 ? b : ~b) & (k & 1 ? c : ~c);
    write_predicate(w, op, 0, out[0], mask);
    write_predicate(w, op, 1, out[1], mask);
    return 0;
}

int do_iabs(struct sass_warp *w, const struct sass_op *op, uint32_t mask)
{
    const uint32_t *a = read_plain(w, &op->src[0], 0);
    uint32_t out[LANES];

    for (int l = 0; l < LANES; l++)
        out[l] = a[l] >> 31 ? 0 - a[l] : a[l];
    write_u32(w, op, out, mask);
    return 0;
}

static bool less(uint32_t a, uint32_t b, bool is_signed)
{
    return is_signed ? (int32_t)a < (int32_t)b : a < b;
}

/* type 0: of a, b; 1: of a + b, c; 2: of a, b, c. preds[0]: the least; else the greatest. */
int do_minmax(struct sass_warp *w, const struct sass_op *op, uint32_t mask)
{
    const uint32_t *a = read_u32(w, &op->src[0], 0), *b = read_u32(w, &op->src[1], 1);
    const uint32_t *c = op->type ? read_u32(w, &op->src[2], 2) : b;
    uint32_t out[LANES], least = read_predicate(w, &op->preds[0]);

    for (int l = 0; l < LANES; l++) {
        uint32_t x = op->type == 1 ? a[l] + b[l] : a[l], y = op->type == 1 ? c[l] : b[l];
        bool is_less = least >> l & 1;

        out[l] = less(x, y, op->is_signed) == is_less ? x : y;
        if (op->type == 2)
            out[l] = less(out[l], c[l], op->is_signed) == is_less ? out[l] : c[l];
    }
    write_u32(w, op, out, mask);
    return 0;
}

/* The pair (src 2, src 0) is shifted by src 1. type: 64 bits; what: 0 to the left, 1 to the right. */
int do_shf(struct sass_warp *w, const struct sass_op *op, uint32_t mask)
{
    const uint32_t *low = read_plain(w, &op->src[0], 0), *by = read_plain(w, &op->src[1], 1);
    const uint32_t *high = read_plain(w, &op->src[2], 2);
    uint32_t out[LANES], bits = op->type ? 64 : 32;

    for (int l = 0; l < LANES; l++) {
        uint32_t n = op->wrap ? by[l] & (bits - 1) : by[l] < bits ? by[l] : bits;
        uint64_t x = low[l] | (uint64_t)high[l] << 32;

        if (op->what == 0)
            x = n > 63 ? 0 : x << n;
        else if (op->is_signed)
            x = (uint64_t)((int64_t)x >> (n > 63 ? 63 : n));
        else
            x = n > 63 ? 0 : x >> n;
        out[l] = (uint32_t)(op->high ? x >> 32 : x);
    }
    write_u32(w, op, out, mask);
    return 0;
}

int do_flo(struct sass_warp *w, const struct sass_op *op, uint32_t mask)
{
    const uint32_t *a = read_u32(w, &op->src[0], 0);
    uint32_t out[LANES], found = 0;

    for (int l = 0; l < LANES; l++) {
        uint32_t x = op->is_signed && a[l] >> 31 ? ~a[l] : a[l];

        out[l] = x == 0 ? ALL_LANES : op->what ? (uint32_t)__builtin_clz(x) : 31 - (uint32_t)__builtin_clz(x);
        found |= (uint32_t)(x != 0) << l;
    }
    write_u32(w, op, out, mask);
    write_predicate(w, op, 0, found, mask);
    return 0;
}

int do_vabsdiff(struct sass_warp *w, const struct sass_op *op, uint32_t mask)
{
    const uint32_t *a = read_plain(w, &op->src[0], 0), *b = read_plain(w, &op->src[1], 1);
    const uint32_t *c = read_plain(w, &op->src[2], 2);
    uint32_t out[LANES];

    for (int l = 0; l < LANES; l++)
        out[l] = (less(a[l], b[l], op->is_signed) ? b[l] - a[l] : a[l] - b[l]) + c[l];
    write_u32(w, op, out, mask);
    return 0;
}

/* --- products --- */

int do_imad(struct sass_warp *w, const struct sass_op *op, uint32_t mask)
{
    const uint32_t *a = read_plain(w, &op->src[0], 0), *b = read_plain(w, &op->src[1], 1);
    const uint32_t *c = read_plain(w, &op->src[2], 2);
    uint32_t out[LANES], carry = op->extended ? read_predicate(w, &op->preds[0]) : 0;
    bool complement = op->extended && op->src[2].negated;

    for (int l = 0; l < LANES; l++) {
        uint32_t product = a[l] * b[l], more = complement ? ~c[l] : op->src[2].negated ? 0 - c[l] : c[l];

        out[l] = (op->src[1].negated ? 0 - product : product) + more + (carry >> l & 1);
    }
    write_u32(w, op, out, mask);
    return 0;
}

static uint64_t product(uint32_t a, uint32_t b, bool is_signed)
{
    return is_signed ? (uint64_t)((int64_t)(int32_t)a * (int32_t)b) : (uint64_t)a * b;
}

/* 64 bits of a * b + c, and whether the sum has a carry */
static void wide(struct sass_warp *w, const struct sass_op *op, uint64_t out[LANES], uint32_t *over)
{
    const uint32_t *a = read_plain(w, &op->src[0], 0), *b = read_plain(w, &op->src[1], 1);
    struct sass_source third = op->src[2];
    uint32_t carry = op->extended ? read_predicate(w, &op->preds[0]) : 0;
    const uint64_t *c;

    if (third.negated && op->extended) {
        third.negated = false;
        third.inverted = true;
    }
    c = read_u64(w, &third, 2);
    *over = 0;
    for (int l = 0; l < LANES; l++) {
        uint64_t p = product(a[l], b[l], op->is_signed);
        unsigned __int128 sum;

        p = op->src[1].negated ? 0 - p : p;
        sum = (unsigned __int128)p + c[l] + (carry >> l & 1);
        out[l] = (uint64_t)sum;
        *over |= (uint32_t)(sum >> 64 != 0) << l;
    }
}

int do_imad_wide(struct sass_warp *w, const struct sass_op *op, uint32_t mask)
{
    uint64_t out[LANES];
    uint32_t over;

    wide(w, op, out, &over);
    write_u64(w, op, out, mask);
    write_predicate(w, op, 0, over, mask);
    return 0;
}

int do_imad_hi(struct sass_warp *w, const struct sass_op *op, uint32_t mask)
{
    uint64_t out[LANES];
    uint32_t high[LANES], over;

    wide(w, op, out, &over);
    for (int l = 0; l < LANES; l++)
        high[l] = (uint32_t)(out[l] >> 32);
    write_u32(w, op, high, mask);
    write_predicate(w, op, 0, over, mask);
    return 0;
}

static int32_t part_of(uint32_t v, int bits, int k, bool is_signed)
{
    uint32_t x = v >> (bits * k) & ((1u << bits) - 1);

    return is_signed ? (int32_t)(x << (32 - bits)) >> (32 - bits) : (int32_t)x;
}

/* Dot products: type 0: four bytes by four; 1, 2: two halves by the low, the high two bytes. is_signed: of a;
 * high: of b. */
int do_idp(struct sass_warp *w, const struct sass_op *op, uint32_t mask)
{
    const uint32_t *a = read_plain(w, &op->src[0], 0), *b = read_plain(w, &op->src[1], 1);
    const uint32_t *c = read_plain(w, &op->src[2], 2);
    uint32_t out[LANES];

    for (int l = 0; l < LANES; l++) {
        out[l] = c[l];
        for (int k = 0; k < (op->type ? 2 : 4); k++)
            out[l] += (uint32_t)part_of(a[l], op->type ? 16 : 8, k, op->is_signed) *
                      (uint32_t)part_of(b[l], 8, op->type == 2 ? k + 2 : k, op->high);
    }
    write_u32(w, op, out, mask);
    return 0;
}

/* Saturates to `bytes` bytes; of a signed integer */
int do_i2i(struct sass_warp *w, const struct sass_op *op, uint32_t mask)
{
    const uint32_t *a = read_plain(w, &op->src[0], 0);
    int32_t most = op->is_signed ? (1 << (op->bytes * 8 - 1)) - 1 : (1 << op->bytes * 8) - 1;
    int32_t least = op->is_signed ? -most - 1 : 0;
    uint32_t out[LANES];

    for (int l = 0; l < LANES; l++) {
        int32_t v = (int32_t)a[l];

        out[l] = (uint32_t)(v < least ? least : v > most ? most : v);
    }
    write_u32(w, op, out, mask);
    return 0;
}
