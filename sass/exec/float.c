/* sass/exec/float.c: arithmetic of floats, conversions and special functions by the forms of the PTX executor
 * (ptx/forms), so that both compute the same bits; comparisons. */
#include <string.h>

#include "ptx/forms/forms_half.h"
#include "sass/exec/machine.h"

enum { RESULT_ROW = TEMPORARIES - 1 };

static uint16_t row_number(const struct sass_warp *w, const void *at)
{
    return (uint16_t)((size_t)((const uint8_t *)at - (const uint8_t *)w->registers) / PTX_ROW_BYTES);
}

/* One f16 of each value: the low half unless the source says the high one. */
static const void *read_half(struct sass_warp *w, const struct sass_source *s, int t)
{
    const uint32_t *from = read_pair(w, s, t);
    uint16_t half[LANES];

    for (int l = 0; l < LANES; l++)
        half[l] = (uint16_t)from[l];
    memcpy(w->narrow[t], half, sizeof half);
    return w->narrow[t];
}

static const void *read_for(struct sass_warp *w, const struct sass_op *op, int k, uint32_t bits)
{
    const struct sass_source *s = &op->src[k];

    if (bits == 64)
        return op->signs == SIGNS_FLOAT ? read_f64(w, s, k) : read_u64(w, s, k);
    if (bits == 16)
        return read_half(w, s, k);
    return op->signs == SIGNS_FLOAT  ? read_f32(w, s, k)
           : op->signs == SIGNS_PAIR ? read_pair(w, s, k)
                                     : read_u32(w, s, k);
}

static void run_form(struct sass_warp *w, const struct sass_op *op, const struct ptx_form *f, uint32_t mask)
{
    struct ptx_form_args a = {.dst2 = PTX_NO_ROW, .imm = f->imm};
    struct ptx_lanes lanes = {.rows = (uint8_t *)w->registers, .preds = w->predicates};
    bool direct = f->dst_bits == 32 && !op->uniform && op->dst != SASS_RZ;
    uint32_t out[LANES];

    for (int k = 0; k < PTX_SOURCES_MAX && f->src_bits[k]; k++)
        a.src[k] = row_number(w, read_for(w, op, k, f->src_bits[k]));
    a.dst = row_number(w, direct              ? (const void *)w->registers[op->dst]
                          : f->dst_bits == 64 ? (const void *)w->temporaries[RESULT_ROW]
                                              : (const void *)w->narrow[RESULT_ROW]);
    (mask == ALL_LANES ? f->full : f->part)(&lanes, &a, mask);
    if (direct)
        return;
    if (f->dst_bits == 64) {
        write_u64(w, op, w->temporaries[RESULT_ROW], mask);
        return;
    }
    memcpy(out, w->narrow[RESULT_ROW], sizeof out);
    if (f->dst_bits == 16) {
        uint16_t half[LANES];

        memcpy(half, w->narrow[RESULT_ROW], sizeof half);
        for (int l = 0; l < LANES; l++)
            out[l] = op->is_signed ? (uint32_t)(int16_t)half[l] : half[l];
    }
    write_u32(w, op, out, mask);
}

/* preds[0]: the lanes of `form`; the others execute `other`. */
int do_form(struct sass_warp *w, const struct sass_op *op, uint32_t mask)
{
    uint32_t first = op->other ? mask & read_predicate(w, &op->preds[0]) : mask;

    if (first)
        run_form(w, op, op->form, first);
    if (mask & ~first)
        run_form(w, op, op->other, mask & ~first);
    return 0;
}

/* --- comparisons: what: relations: bit 0 less, 1 equal, 2 greater, 3 unordered --- */

static bool related(uint8_t what, bool less, bool equal, bool greater)
{
    return less ? what & 1 : equal ? what >> 1 & 1 : greater ? what >> 2 & 1 : what >> 3 & 1;
}

static void write_both(struct sass_warp *w, const struct sass_op *op, uint32_t is, uint32_t mask)
{
    uint32_t p = read_predicate(w, &op->preds[0]);

    write_predicate(w, op, 0, op->type == 0 ? is & p : op->type == 1 ? is | p : is ^ p, mask);
    write_predicate(w, op, 1, op->type == 0 ? ~is & p : op->type == 1 ? ~is | p : ~is ^ p, mask);
}

static uint32_t flush(uint32_t v, bool ftz)
{
    return ftz && !(v & 0x7f800000) ? v & 0x80000000 : v;
}

static float as_float(uint32_t v)
{
    float f;

    memcpy(&f, &v, sizeof f);
    return f;
}

/* wrap: subnormals count as 0 */
int do_fsetp(struct sass_warp *w, const struct sass_op *op, uint32_t mask)
{
    const uint32_t *a = read_f32(w, &op->src[0], 0), *b = read_f32(w, &op->src[1], 1);
    uint32_t is = 0;

    for (int l = 0; l < LANES; l++) {
        float x = as_float(flush(a[l], op->wrap)), y = as_float(flush(b[l], op->wrap));

        is |= (uint32_t)related(op->what, x<y, x == y, x> y) << l;
    }
    write_both(w, op, is, mask);
    return 0;
}

int do_dsetp(struct sass_warp *w, const struct sass_op *op, uint32_t mask)
{
    const uint64_t *a = read_f64(w, &op->src[0], 0), *b = read_f64(w, &op->src[1], 1);
    uint32_t is = 0;

    for (int l = 0; l < LANES; l++) {
        double x, y;

        memcpy(&x, &a[l], sizeof x);
        memcpy(&y, &b[l], sizeof y);
        is |= (uint32_t)related(op->what, x<y, x == y, x> y) << l;
    }
    write_both(w, op, is, mask);
    return 0;
}

static float half_at(uint32_t pair, int high, bool bf16)
{
    uint16_t h = (uint16_t)(high ? pair >> 16 : pair);

    return bf16 ? bf16_to_f32(h) : f16_to_f32(h);
}

/* HSETP2: one predicate for each half, or with .H_AND (high) one for both. bytes: 1: bf16. */
int do_half_set(struct sass_warp *w, const struct sass_op *op, uint32_t mask)
{
    const uint32_t *a = read_pair(w, &op->src[0], 0), *b = read_pair(w, &op->src[1], 1);
    uint32_t is[2] = {0, 0}, p = read_predicate(w, &op->preds[0]);

    for (int l = 0; l < LANES; l++)
        for (int k = 0; k < 2; k++) {
            float x = half_at(a[l], k, op->bytes == 1), y = half_at(b[l], k, op->bytes == 1);

            is[k] |= (uint32_t)related(op->what, x<y, x == y, x> y) << l;
        }
    if (op->high) {
        is[0] &= is[1];
        is[1] = ~is[0];
    }
    for (int k = 0; k < 2; k++)
        write_predicate(w, op, k, op->type == 0 ? is[k] & p : op->type == 1 ? is[k] | p : is[k] ^ p, mask);
    return 0;
}

int do_fsel(struct sass_warp *w, const struct sass_op *op, uint32_t mask)
{
    const uint32_t *a = read_f32(w, &op->src[0], 0), *b = read_f32(w, &op->src[1], 1);
    uint32_t out[LANES], p = read_predicate(w, &op->preds[0]);

    for (int l = 0; l < LANES; l++)
        out[l] = flush(p >> l & 1 ? a[l] : b[l], op->wrap);
    write_u32(w, op, out, mask);
    return 0;
}

/* Whether a / b needs the long way: the quotient, the reciprocal or a partial result may not be a normal number.
 * The exact limits of the hardware are not published; with narrower ones the quotient is the same, only the way
 * longer. */
int do_fchk(struct sass_warp *w, const struct sass_op *op, uint32_t mask)
{
    const uint32_t *a = read_f32(w, &op->src[0], 0), *b = read_f32(w, &op->src[1], 1);
    uint32_t is = 0;

    for (int l = 0; l < LANES; l++) {
        int x = a[l] >> 23 & 0xff, y = b[l] >> 23 & 0xff;
        bool zero = (a[l] & 0x7fffffff) == 0;

        is |= (uint32_t)(y == 0 || y >= 253 || x == 255 || (!zero && (x <= 24 || x - y > 125 || y - x > 124))) << l;
    }
    write_predicate(w, op, 0, is, mask);
    return 0;
}

/* HADD2.F32: the low f16 of both sources, added as f32 */
static void add_halves(struct sass_warp *w, const struct sass_op *op, uint32_t mask)
{
    const uint32_t *a = read_pair(w, &op->src[0], 0), *b = read_pair(w, &op->src[1], 1);
    uint32_t out[LANES];

    for (int l = 0; l < LANES; l++) {
        float sum = half_at(a[l], 0, false) + half_at(b[l], 0, false);

        memcpy(&out[l], &sum, sizeof sum);
        out[l] = sum == sum ? out[l] : 0x7fffffff;
    }
    write_u32(w, op, out, mask);
}

enum { MUFU_TURNS = 1, MUFU_HIGH = 2, MUFU_ADD_HALVES = 3 };

/* type MUFU_TURNS: of sine and cosine: the source is in turns of 2 pi; MUFU_HIGH: the source is the high half of an
 * f64, and so is the result. */
int do_mufu(struct sass_warp *w, const struct sass_op *op, uint32_t mask)
{
    struct ptx_form_args args = {.dst2 = PTX_NO_ROW};
    struct ptx_lanes lanes = {.rows = (uint8_t *)w->registers, .preds = w->predicates};
    uint32_t out[LANES];
    const uint32_t *a;

    if (op->type == MUFU_ADD_HALVES) {
        add_halves(w, op, mask);
        return 0;
    }
    a = read_f32(w, &op->src[0], 0);
    if (op->type == MUFU_HIGH) {
        for (int l = 0; l < LANES; l++)
            w->temporaries[0][l] = (uint64_t)a[l] << 32;
        args.src[0] = row_number(w, w->temporaries[0]);
        args.dst = row_number(w, w->temporaries[RESULT_ROW]);
        op->form->part(&lanes, &args, mask);
        for (int l = 0; l < LANES; l++)
            out[l] = (uint32_t)(w->temporaries[RESULT_ROW][l] >> 32);
    } else {
        for (int l = 0; l < LANES; l++) {
            double x = (double)as_float(a[l]), turns = (double)(int64_t)(x < 1e9 && x > -1e9 ? x : 0);
            float angle = (float)((x - turns) * 6.283185307179586);

            memcpy(&w->narrow[0][l], &angle, sizeof angle);
        }
        args.src[0] = row_number(w, w->narrow[0]);
        args.dst = row_number(w, w->narrow[RESULT_ROW]);
        op->form->part(&lanes, &args, mask);
        memcpy(out, w->narrow[RESULT_ROW], sizeof out);
    }
    write_u32(w, op, out, mask);
    return 0;
}
