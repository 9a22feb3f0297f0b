/* sass/exec/atomic.c: atomic operations: the lanes one after the other. */
#include <string.h>

#include "ptx/forms/forms_half.h"
#include "sass/exec/access.h"

enum { ATOM_ADD, ATOM_MIN, ATOM_MAX, ATOM_INC, ATOM_DEC, ATOM_AND, ATOM_OR, ATOM_XOR, ATOM_EXCH };
enum { TYPE_INTEGER, TYPE_F32, TYPE_F64, TYPE_F16X2 }; /* op->wrap: of f32: subnormals are 0 */

static uint64_t cut(uint64_t v, uint32_t bytes)
{
    return bytes == 8 ? v : (uint32_t)v;
}

static bool less(uint64_t a, uint64_t b, const struct sass_op *op)
{
    if (!op->is_signed)
        return a < b;
    return op->bytes == 8 ? (int64_t)a < (int64_t)b : (int32_t)(uint32_t)a < (int32_t)(uint32_t)b;
}

static uint64_t add_f32(uint32_t a, uint32_t b, bool ftz)
{
    float x = float32(a), y = float32(b);
    uint32_t r;

    x = ftz && !(a & 0x7f800000) ? 0 * x : x;
    y = ftz && !(b & 0x7f800000) ? 0 * y : y;
    x += y;
    r = x == x ? bits32(x) : 0x7fffffff;
    return ftz && !(r & 0x7f800000) ? r & 0x80000000 : r;
}

static uint64_t add_f64(uint64_t a, uint64_t b)
{
    double sum = float64(a) + float64(b);

    return sum == sum ? bits64(sum) : 0xfff8000000000000u;
}

static uint64_t add_f16x2(uint32_t a, uint32_t b)
{
    uint32_t low = f32_to_f16(f16_to_f32((u16)a) + f16_to_f32((u16)b));
    uint32_t high = f32_to_f16(f16_to_f32((u16)(a >> 16)) + f16_to_f32((u16)(b >> 16)));

    return low | high << 16;
}

static uint64_t added(const struct sass_op *op, uint64_t a, uint64_t b)
{
    switch (op->type) {
    case TYPE_F32: return add_f32((uint32_t)a, (uint32_t)b, op->wrap);
    case TYPE_F64: return add_f64(a, b);
    case TYPE_F16X2: return add_f16x2((uint32_t)a, (uint32_t)b);
    default: return a + b;
    }
}

static uint64_t changed(const struct sass_op *op, uint64_t old, uint64_t v)
{
    switch (op->number) {
    case ATOM_ADD: return added(op, old, v);
    case ATOM_MIN: return less(v, old, op) ? v : old;
    case ATOM_MAX: return less(old, v, op) ? v : old;
    case ATOM_INC: return old >= v ? 0 : old + 1;
    case ATOM_DEC: return old == 0 || old > v ? v : old - 1;
    case ATOM_AND: return old & v;
    case ATOM_OR: return old | v;
    case ATOM_XOR: return old ^ v;
    default: return v; /* exchange */
    }
}

static int each_lane(struct sass_warp *w, const struct sass_op *op, uint32_t mask, bool compares)
{
    const uint64_t *a = read_u64(w, &op->src[0], 0), *b = compares ? read_u64(w, &op->src[1], 1) : NULL;
    uint64_t out[LANES];

    for (uint32_t rest = mask; rest; rest &= rest - 1) {
        int l = __builtin_ctz(rest);
        uint8_t *at = memory_at(w, l, op->what, address_of(w, &op->address, op->what, l), op->bytes);
        uint64_t old = 0, new;

        if (!at)
            return -1;
        memcpy(&old, at, op->bytes);
        new = compares ? (old == cut(a[l], op->bytes) ? b[l] : old) : changed(op, old, cut(a[l], op->bytes));
        memcpy(at, &new, op->bytes);
        out[l] = op->high ? old == cut(a[l], op->bytes) : old;
    }
    if (op->bytes == 8 && !op->high) {
        write_u64(w, op, out, mask);
    } else {
        uint32_t narrow[LANES];

        for (int l = 0; l < LANES; l++)
            narrow[l] = mask >> l & 1 ? (uint32_t)out[l] : 0;
        write_u32(w, op, narrow, mask);
    }
    return 0;
}

int do_atomic(struct sass_warp *w, const struct sass_op *op, uint32_t mask)
{
    return each_lane(w, op, mask, false);
}

/* .CAST.SPIN (high): the result is whether the value was stored; so ptxas's loops read it. */
int do_cas(struct sass_warp *w, const struct sass_op *op, uint32_t mask)
{
    return each_lane(w, op, mask, true);
}
