/* Atomics. Lanes execute one after the other, the lowest first, in the order of execution, so results are the
 * same in every run.
 *
 * atom returns the old value and red does not; the rest of the code is shared. Floats round to nearest even. f32
 * in global memory flushes subnormal operands and results to zero; in shared memory it does not (PTX ISA 9.0,
 * "atom"). */
#include "ptx/code/atomic_map.h"
#include "ptx/warp/exec_address.h"
#include "ptx/forms/forms_half.h"

struct sources {
    uint8_t *dst; /* row of the old value; NULL: red */
    const uint8_t *b, *c;
    bool changed; /* a value in memory has changed */
};
typedef void atomic_fn(const struct ptx_reach *r, struct sources *s);

/* new value: an expression of `old`, `b` and `c` */
#define ATOMIC(name, T, expr)                                                                                      \
    static void name(const struct ptx_reach *r, struct sources *s)                                                 \
    {                                                                                                              \
        for (u32 left = r->mask; left; left &= left - 1) {                                                         \
            u32 l = ptx_first_lane(left);                                                                          \
            uint8_t *p = ptx_host(r, l);                                                                           \
            T old, b, c = 0, made;                                                                                 \
            memcpy(&old, p, sizeof old);                                                                           \
            memcpy(&b, s->b + l * sizeof b, sizeof b);                                                             \
            if (s->c)                                                                                              \
                memcpy(&c, s->c + l * sizeof c, sizeof c);                                                         \
            (void)c;                                                                                               \
            made = (T)(expr);                                                                                      \
            s->changed |= made != old;                                                                             \
            memcpy(p, &made, sizeof made);                                                                         \
            if (s->dst)                                                                                            \
                memcpy(s->dst + l * sizeof old, &old, sizeof old);                                                 \
        }                                                                                                          \
    }

/* --- functions of two values --- */

static f32 add_f32(f32 x, f32 y)
{
    f32 sum = x + y;

    return sum != sum ? float32(NAN_F32) : sum;
}
static u32 add_f32_bits(u32 x, u32 y)
{
    return bits32(add_f32(float32(x), float32(y)));
}
/* A sum of two halves in f32 is rounded twice, but the result is that of one rounding: f32 has more than twice
 * the digits. */
static u16 add_f16(u16 x, u16 y)
{
    return f32_to_f16(f16_to_f32(x) + f16_to_f32(y));
}
static u16 add_bf16(u16 x, u16 y)
{
    return f32_to_bf16(bf16_to_f32(x) + bf16_to_f32(y));
}

/* Order of the manual: -0 is below +0. If one operand is a NaN, the number is selected. */
static bool is_less(f32 x, f32 y)
{
    return x < y || (x == y && bits32(x) >> 31 > bits32(y) >> 31);
}
static u16 least_half(u16 x, u16 y, f32 fx, f32 fy, u16 sign)
{
    if (fx != fx && fy != fy)
        return NAN_F16;
    if (fx != fx || fy != fy)
        return fx != fx ? y : x;
    return sign ? (is_less(fy, fx) ? x : y) : (is_less(fx, fy) ? x : y);
}
static u16 min_f16(u16 x, u16 y)
{
    return least_half(x, y, f16_to_f32(x), f16_to_f32(y), 0);
}
static u16 max_f16(u16 x, u16 y)
{
    return least_half(x, y, f16_to_f32(x), f16_to_f32(y), 1);
}
static u16 min_bf16(u16 x, u16 y)
{
    return least_half(x, y, bf16_to_f32(x), bf16_to_f32(y), 0);
}
static u16 max_bf16(u16 x, u16 y)
{
    return least_half(x, y, bf16_to_f32(x), bf16_to_f32(y), 1);
}

/* Applies f to each half of a pair. */
static u32 each_half(u32 x, u32 y, u16 (*f)(u16, u16))
{
    return f((u16)x, (u16)y) | (u32)f((u16)(x >> 16), (u16)(y >> 16)) << 16;
}

static f64 add_f64(f64 x, f64 y)
{
    return x + y;
}

/* --- one function for each operation and width --- */

ATOMIC(add_32, u32, old + b)
ATOMIC(add_64, u64, old + b)
ATOMIC(add_global_f32, u32, flushed_bits(add_f32_bits(flushed_bits(old), flushed_bits(b))))
ATOMIC(add_shared_f32, u32, add_f32_bits(old, b))
ATOMIC(add_double, u64, bits64(add_f64(float64(old), float64(b))))
ATOMIC(add_half, u16, add_f16(old, b))
ATOMIC(add_bhalf, u16, add_bf16(old, b))
ATOMIC(add_halves, u32, each_half(old, b, add_f16))
ATOMIC(add_bhalves, u32, each_half(old, b, add_bf16))
ATOMIC(min_u32, u32, b < old ? b : old)
ATOMIC(min_s32, s32, b < old ? b : old)
ATOMIC(min_u64, u64, b < old ? b : old)
ATOMIC(min_s64, s64, b < old ? b : old)
ATOMIC(min_half, u16, min_f16(old, b))
ATOMIC(min_bhalf, u16, min_bf16(old, b))
ATOMIC(min_halves, u32, each_half(old, b, min_f16))
ATOMIC(min_bhalves, u32, each_half(old, b, min_bf16))
ATOMIC(max_u32, u32, b > old ? b : old)
ATOMIC(max_s32, s32, b > old ? b : old)
ATOMIC(max_u64, u64, b > old ? b : old)
ATOMIC(max_s64, s64, b > old ? b : old)
ATOMIC(max_half, u16, max_f16(old, b))
ATOMIC(max_bhalf, u16, max_bf16(old, b))
ATOMIC(max_halves, u32, each_half(old, b, max_f16))
ATOMIC(max_bhalves, u32, each_half(old, b, max_bf16))
ATOMIC(inc_32, u32, old >= b ? 0 : old + 1)
ATOMIC(dec_32, u32, old == 0 || old > b ? b : old - 1)
ATOMIC(and_32, u32, old &b)
ATOMIC(and_64, u64, old &b)
ATOMIC(or_32, u32, old | b)
ATOMIC(or_64, u64, old | b)
ATOMIC(xor_32, u32, old ^ b)
ATOMIC(xor_64, u64, old ^ b)
ATOMIC(exch_32, u32, b)
ATOMIC(exch_64, u64, b)
ATOMIC(exch_128, u128, b)
ATOMIC(cas_16, u16, old == b ? c : old)
ATOMIC(cas_32, u32, old == b ? c : old)
ATOMIC(cas_64, u64, old == b ? c : old)
ATOMIC(cas_128, u128, old == b ? c : old)

struct atomic {
    uint8_t what, type; /* PTX_NO_TYPE: any type of this width */
    uint8_t bits;
    atomic_fn *global, *shared;
};

static const struct atomic *atomic_of(uint8_t what, uint8_t type)
{
    static const struct atomic all[] = {
#define ROW(what, type, bits, global, shared) {PTX_ATOM_##what, PTX_##type, bits, global, shared},
        PTX_ATOMIC_MAP(ROW)
#undef ROW
    };

    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        if (all[i].what == what && (all[i].type == type || all[i].type == PTX_NO_TYPE) &&
            all[i].bits == ptx_type_bits((enum ptx_type)type))
            return &all[i];
    return NULL;
}

/* Updates the values of a vector one after the other. Each is a separate atomic. */
static int do_vector(struct ptx_warp *w, const struct ptx_access *a, const struct atomic *f, uint32_t mask)
{
    uint64_t at[PTX_LANES];
    struct ptx_reach r;
    uint32_t bytes = f->bits / 8u;

    ptx_addresses(w, a, mask, at);
    for (uint32_t k = 0; k < a->vector; k++) {
        uint16_t to = a[1].values[k];
        struct sources s = {.dst = to == PTX_NO_ROW ? NULL : ptx_row(w, to), .b = ptx_row(w, a->values[k])};

        for (uint32_t left = mask; left;) {
            if (ptx_reach(w, a->space, at, &left, bytes, k ? bytes : bytes * a->vector, PTX_CHANGES, &r) != 0)
                return -1;
            if (r.space != PTX_SPACE_GLOBAL)
                return ptx_fault(w, r.mask, "atomics on vectors act on global memory");
            f->global(&r, &s);
        }
        for (uint32_t l = 0; l < PTX_LANES; l++)
            at[l] += bytes;
        w->cta->stores += s.changed;
    }
    return 0;
}

int ptx_do_atomic(struct ptx_warp *w, const struct ptx_op *op, uint32_t mask)
{
    const struct ptx_access *a = &w->code->accesses[op->access];
    const struct atomic *f = atomic_of(a->what, a->type);
    struct sources s = {.dst = op->args.dst == PTX_NO_ROW ? NULL : ptx_row(w, op->args.dst),
                        .b = ptx_row(w, op->args.src[0]),
                        .c = a->what == PTX_ATOM_CAS ? ptx_row(w, op->args.src[1]) : NULL};
    uint64_t at[PTX_LANES];
    struct ptx_reach r;

    if (f && a->vector > 1)
        return do_vector(w, a, f, mask);
    if (!f || a->value_bits != f->bits)
        return ptx_fault(w, 0, "this atomic operation on type %s is not supported",
                         ptx_type_name((enum ptx_type)a->type));
    ptx_addresses(w, a, mask, at);
    while (mask) {
        if (ptx_reach(w, a->space, at, &mask, f->bits / 8, f->bits / 8, PTX_CHANGES, &r) != 0)
            return -1;
        if (r.space == PTX_SPACE_GLOBAL)
            f->global(&r, &s);
        else if (r.space == PTX_SPACE_SHARED)
            f->shared(&r, &s);
        else
            return ptx_fault(w, r.mask, "atomics act on global and shared memory, not on %s",
                             r.space == PTX_SPACE_LOCAL ? "local memory" : "constants or parameters");
    }
    w->cta->stores += s.changed;
    return 0;
}

void ptx_atomic_reduce(uint8_t what, uint8_t type, bool global, uint8_t *to, const uint8_t *from, uint32_t count)
{
    const struct atomic *f = atomic_of(what, type);
    uint32_t size = f->bits / 8u;

    for (uint32_t done = 0; done < count; done += PTX_LANES) {
        uint32_t n = count - done < PTX_LANES ? count - done : PTX_LANES;
        struct sources s = {.b = from + (size_t)done * size};
        struct ptx_reach r = {.host = (uintptr_t)(to + (size_t)done * size)};

        for (uint32_t l = 0; l < n; l++) {
            r.at[l] = (uint64_t)l * size;
            r.mask |= 1u << l;
        }
        (global ? f->global : f->shared)(&r, &s);
    }
}
