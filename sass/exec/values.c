/* sass/exec/values.c: what an operation reads and writes: registers, constants, numbers, predicates, with signs. */
#include <string.h>

#include "sass/exec/machine.h"

#define FLOAT_SIGN  0x80000000u
#define DOUBLE_SIGN (1ull << 63)
#define PAIR_SIGNS  0x80008000u

uint32_t constant_at(const struct sass_warp *w, uint32_t bank, uint64_t offset)
{
    const struct sass_bank *b = &w->cta->run->banks[bank];
    uint32_t v = 0;

    if (offset + sizeof v <= b->n)
        memcpy(&v, b->bytes + offset, sizeof v);
    return v;
}

static uint32_t *fill(struct sass_warp *w, int t, uint32_t v)
{
    uint32_t *to = w->narrow[t];

    for (int l = 0; l < LANES; l++)
        to[l] = v;
    return to;
}

const uint32_t *read_plain(struct sass_warp *w, const struct sass_source *s, int t)
{
    switch ((enum source_kind)s->kind) {
    case FROM_REGISTER: return w->registers[s->index];
    case FROM_UNIFORM: return fill(w, t, s->index == SASS_URZ ? 0 : w->uniforms[s->index]);
    case FROM_NUMBER: return fill(w, t, (uint32_t)s->value);
    case FROM_CONSTANT: break;
    }
    return fill(w, t, constant_at(w, s->bank, s->value));
}

const uint32_t *read_u32(struct sass_warp *w, const struct sass_source *s, int t)
{
    const uint32_t *from = read_plain(w, s, t);
    uint32_t *to = w->narrow[t];

    if (!s->negated && !s->inverted)
        return from;
    for (int l = 0; l < LANES; l++)
        to[l] = s->negated ? 0 - from[l] : ~from[l];
    return to;
}

/* and, then exclusive or, of each value */
static const uint32_t *change(struct sass_warp *w, const uint32_t *from, int t, uint32_t keep, uint32_t flip)
{
    uint32_t *to = w->narrow[t];

    for (int l = 0; l < LANES; l++)
        to[l] = (from[l] & keep) ^ flip;
    return to;
}

const uint32_t *read_f32(struct sass_warp *w, const struct sass_source *s, int t)
{
    const uint32_t *from = read_plain(w, s, t);

    if (!s->negated && !s->absolute)
        return from;
    return change(w, from, t, s->absolute ? ~FLOAT_SIGN : ALL_LANES, s->negated ? FLOAT_SIGN : 0);
}

const uint32_t *read_pair(struct sass_warp *w, const struct sass_source *s, int t)
{
    const uint32_t *from = read_plain(w, s, t);
    uint32_t *to = w->narrow[t];

    if (s->half) {
        for (int l = 0; l < LANES; l++) {
            uint32_t h = s->half == 2 ? from[l] & 0xffff : from[l] >> 16;

            to[l] = h | h << 16;
        }
        from = to;
    }
    if (!s->negated && !s->absolute)
        return from;
    return change(w, from, t, s->absolute ? ~PAIR_SIGNS : ALL_LANES, s->negated ? PAIR_SIGNS : 0);
}

/* Without a sign. A number is `shift` bits to the left: those of f64 are their high halves. */
static uint64_t *read_wide(struct sass_warp *w, const struct sass_source *s, int t, int shift)
{
    uint64_t *to = w->temporaries[t], v;

    if (s->kind == FROM_REGISTER) {
        bool zero = s->index == SASS_RZ;
        const uint32_t *low = w->registers[s->index], *high = w->registers[zero ? SASS_RZ : s->index + 1];

        for (int l = 0; l < LANES; l++)
            to[l] = low[l] | (uint64_t)high[l] << 32;
        return to;
    }
    if (s->kind == FROM_UNIFORM)
        v = s->index == SASS_URZ ? 0 : w->uniforms[s->index] | (uint64_t)w->uniforms[s->index + 1] << 32;
    else if (s->kind == FROM_CONSTANT)
        v = constant_at(w, s->bank, s->value) | (uint64_t)constant_at(w, s->bank, s->value + 4) << 32;
    else
        v = s->value << shift;
    for (int l = 0; l < LANES; l++)
        to[l] = v;
    return to;
}

const uint64_t *read_u64(struct sass_warp *w, const struct sass_source *s, int t)
{
    uint64_t *to = read_wide(w, s, t, 0);

    for (int l = 0; l < LANES && (s->negated || s->inverted); l++)
        to[l] = s->negated ? 0 - to[l] : ~to[l];
    return to;
}

const uint64_t *read_f64(struct sass_warp *w, const struct sass_source *s, int t)
{
    uint64_t *to = read_wide(w, s, t, 32);

    for (int l = 0; l < LANES && (s->negated || s->absolute); l++)
        to[l] = (to[l] & (s->absolute ? ~DOUBLE_SIGN : ~0ull)) ^ (s->negated ? DOUBLE_SIGN : 0);
    return to;
}

void write_register(struct sass_warp *w, const struct sass_op *op, uint32_t at, const uint32_t *values,
                    uint32_t mask)
{
    uint32_t *to;

    if (mask == 0)
        return;
    if (op->uniform) {
        if (op->dst != SASS_URZ && op->dst + at < SASS_URZ)
            w->uniforms[op->dst + at] = values[__builtin_ctz(mask)];
        return;
    }
    if (op->dst == SASS_RZ || op->dst + at >= SASS_RZ)
        return;
    to = w->registers[op->dst + at];
    if (mask == ALL_LANES) {
        memmove(to, values, LANES * sizeof *to);
        return;
    }
    for (int l = 0; l < LANES; l++)
        to[l] = mask >> l & 1 ? values[l] : to[l];
}

void write_u32(struct sass_warp *w, const struct sass_op *op, const uint32_t *values, uint32_t mask)
{
    write_register(w, op, 0, values, mask);
}

void write_u64(struct sass_warp *w, const struct sass_op *op, const uint64_t *values, uint32_t mask)
{
    uint32_t low[LANES], high[LANES];

    for (int l = 0; l < LANES; l++) {
        low[l] = (uint32_t)values[l];
        high[l] = (uint32_t)(values[l] >> 32);
    }
    write_register(w, op, 0, low, mask);
    write_register(w, op, 1, high, mask);
}

uint32_t read_predicate(const struct sass_warp *w, const struct sass_predicate *p)
{
    uint32_t v = p->index == NO_PREDICATE ? ALL_LANES
                 : p->uniform             ? w->uniform_predicates[p->index]
                                          : w->predicates[p->index];

    return p->negated ? ~v : v;
}

void write_predicate(struct sass_warp *w, const struct sass_op *op, int k, uint32_t value, uint32_t mask)
{
    uint32_t *to;

    if (op->results[k] == NO_PREDICATE || mask == 0)
        return;
    if (op->once) {
        w->uniform_predicates[op->results[k]] = value >> __builtin_ctz(mask) & 1 ? ALL_LANES : 0;
        return;
    }
    to = &w->predicates[op->results[k]];
    *to = (*to & ~mask) | (value & mask);
}
