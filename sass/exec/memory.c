/* sass/exec/memory.c: loads, stores, constants, copies to shared memory, matrix loads. Each access is checked:
 * inside of one allocation, aligned to its size. */
#include <inttypes.h>
#include <string.h>

#include "sass/exec/access.h"

static uint64_t uniform_pair(const struct sass_warp *w, uint32_t k)
{
    return k >= SASS_URZ - 1 ? 0 : w->uniforms[k] | (uint64_t)w->uniforms[k + 1] << 32;
}

uint64_t address_of(const struct sass_warp *w, const struct sass_operand *x, enum memory_space space, int l)
{
    uint64_t at = w->registers[x->index][l];

    if (space == SPACE_SHARED || space == SPACE_LOCAL) {
        uint32_t uniform = x->uniform == SASS_URZ ? 0 : w->uniforms[x->uniform];

        return (uint32_t)((uint32_t)(at << x->scale) + uniform + (uint32_t)x->value);
    }
    if (x->wide && x->index != SASS_RZ)
        at |= (uint64_t)w->registers[x->index + 1][l] << 32;
    if (!x->described && x->uniform != SASS_URZ)
        at += uniform_pair(w, x->uniform);
    return at + (uint64_t)x->value;
}

static const char *const space_names[] = {"global", "generic", "shared", "local"};

static uint8_t *refuse(struct sass_warp *w, int lane, enum memory_space space, uint64_t at, uint32_t bytes,
                       const char *why)
{
    (void)sass_fault(w, lane, "%u bytes at %s address 0x%" PRIx64 " %s", bytes, space_names[space], at, why);
    return NULL;
}

static uint8_t *global_at(struct sass_run *r, uint64_t at, uint32_t bytes)
{
    const struct device_memory *m = r->memory;
    const struct device_allocation *a;

    if (at >= r->from && at < r->to && r->to - at >= bytes)
        return (uint8_t *)(uintptr_t)(at + (uint64_t)r->shift); /* device_memory.h: host = device + shift */
    a = device_find(m, at);
    if (!a || a->freed || at < a->address || at - a->address >= a->bytes || a->bytes - (at - a->address) < bytes)
        return NULL;
    r->from = a->address;
    r->to = a->address + a->bytes;
    r->shift = device_shift(m);
    return device_bytes(m, at, bytes);
}

static bool in_window(uint64_t at, uint64_t base)
{
    return at >= base && at - base < PTX_WINDOW_BYTES;
}

/* A constant variable by its generic address. */
static uint8_t *constant_bytes(const struct sass_run *r, uint64_t offset, uint32_t bytes)
{
    const struct sass_bank *bank = &r->banks[VARIABLES_BANK];

    return offset + bytes <= bank->n ? bank->bytes + offset : NULL;
}

uint8_t *memory_at(struct sass_warp *w, int lane, enum memory_space space, uint64_t at, uint32_t bytes)
{
    struct sass_cta *c = w->cta;
    enum memory_space where = space;
    uint64_t place = at;
    uint8_t *p;

    if (at % bytes)
        return refuse(w, lane, space, at, bytes, "are not aligned");
    if (space == SPACE_GENERIC) {
        if (in_window(at, PTX_CONST_BASE)) {
            p = constant_bytes(c->run, at - PTX_CONST_BASE, bytes);
            return p ? p : refuse(w, lane, space, at, bytes, "are outside of the constant variables");
        }
        where = in_window(at, PTX_SHARED_BASE)  ? SPACE_SHARED
                : in_window(at, PTX_LOCAL_BASE) ? SPACE_LOCAL
                                                : SPACE_GLOBAL;
        place = where == SPACE_SHARED ? at - PTX_SHARED_BASE : where == SPACE_LOCAL ? at - PTX_LOCAL_BASE : at;
    }
    switch (where) {
    case SPACE_SHARED:
        if (place + bytes <= c->shared_bytes)
            return c->shared + place;
        return refuse(w, lane, space, at, bytes, "are outside of the CTA's shared memory");
    case SPACE_LOCAL:
        if (place + bytes <= c->run->local_bytes)
            return w->local + (size_t)lane * c->run->local_bytes + place;
        return refuse(w, lane, space, at, bytes, "are outside of the thread's local memory");
    default: break;
    }
    p = global_at(c->run, place, bytes);
    return p ? p : refuse(w, lane, space, at, bytes, "are in no allocation");
}

/* what: enum memory_space; bytes: of a value, 1 to 16; is_signed: extended by its sign */
int do_load(struct sass_warp *w, const struct sass_op *op, uint32_t mask)
{
    uint32_t out[4][LANES], words = op->bytes < 4 ? 1 : op->bytes / 4u;

    for (uint32_t rest = mask; rest; rest &= rest - 1) {
        int l = __builtin_ctz(rest);
        uint64_t at = address_of(w, &op->address, op->what, l);
        const uint8_t *from = memory_at(w, l, op->what, at, op->bytes);
        uint32_t v[4] = {0};

        if (!from)
            return -1;
        memcpy(v, from, op->bytes);
        if (op->is_signed)
            v[0] = op->bytes == 1 ? (uint32_t)(int8_t)v[0] : (uint32_t)(int16_t)v[0];
        for (uint32_t k = 0; k < words; k++)
            out[k][l] = v[k];
    }
    for (uint32_t k = 0; k < words; k++)
        write_register(w, op, k, out[k], mask);
    return 0;
}

int do_store(struct sass_warp *w, const struct sass_op *op, uint32_t mask)
{
    uint32_t first = op->src[0].index, words = op->bytes < 4 ? 1 : op->bytes / 4u;

    for (uint32_t rest = mask; rest; rest &= rest - 1) {
        int l = __builtin_ctz(rest);
        uint64_t at = address_of(w, &op->address, op->what, l);
        uint8_t *to = memory_at(w, l, op->what, at, op->bytes);
        uint32_t v[4];

        if (!to)
            return -1;
        for (uint32_t k = 0; k < words; k++)
            v[k] = first == SASS_RZ ? 0 : w->registers[first + k][l];
        memcpy(to, v, op->bytes);
    }
    return 0;
}

/* A constant at a register plus an offset. ULDC has no register. */
int do_ldc(struct sass_warp *w, const struct sass_op *op, uint32_t mask)
{
    const struct sass_operand *x = &op->address;
    const struct sass_bank *bank = &w->cta->run->banks[x->bank];
    uint32_t out[4][LANES], words = op->bytes < 4 ? 1 : op->bytes / 4u;

    for (uint32_t rest = mask; rest; rest &= rest - 1) {
        int l = __builtin_ctz(rest);
        uint32_t at = (uint32_t)x->value + (x->index == SASS_RZ ? 0 : w->registers[x->index][l]);
        uint32_t v[4] = {0};

        if (at % op->bytes || (uint64_t)at + op->bytes > bank->n)
            return sass_fault(w, l, "%u bytes at offset 0x%x of constant bank %u, which has %" PRIu64 " bytes",
                              op->bytes, at, x->bank, bank->n);
        if (x->bank == 0 && !bank0_is_known(w->cta->run->code, at, op->bytes))
            return sass_fault(w, l, "offset 0x%x of constant bank 0 has no known meaning", at);
        memcpy(v, bank->bytes + at, op->bytes);
        if (op->is_signed)
            v[0] = op->bytes == 1 ? (uint32_t)(int8_t)v[0] : (uint32_t)(int16_t)v[0];
        for (uint32_t k = 0; k < words; k++)
            out[k][l] = v[k];
    }
    for (uint32_t k = 0; k < words; k++)
        write_register(w, op, k, out[k], mask);
    return 0;
}

/* Copies immediately: a copy may arrive at any time before the wait for it. Lanes in which preds[0] is false write
 * zeros. With .ZFILL (type), k = address % size is the number of zero bytes at the end, and the source begins at
 * address - k: ptxas 13.0 encodes the size of the source in this way. */
int do_ldgsts(struct sass_warp *w, const struct sass_op *op, uint32_t mask)
{
    uint32_t copied = read_predicate(w, &op->preds[0]);

    for (uint32_t rest = mask; rest; rest &= rest - 1) {
        int l = __builtin_ctz(rest);
        uint8_t *to = memory_at(w, l, SPACE_SHARED, address_of(w, &op->copy_to, SPACE_SHARED, l), op->bytes);
        const uint8_t *from;
        uint32_t zeros;
        uint64_t at;

        if (!to)
            return -1;
        if (!(copied >> l & 1)) {
            memset(to, 0, op->bytes);
            continue;
        }
        at = address_of(w, &op->address, SPACE_GLOBAL, l);
        zeros = op->type ? (uint32_t)(at % op->bytes) : 0;
        from = memory_at(w, l, SPACE_GLOBAL, at - zeros, op->bytes);
        if (!from)
            return -1;
        memcpy(to, from, op->bytes - zeros);
        memset(to + op->bytes - zeros, 0, zeros);
    }
    return 0;
}

enum { MATRIX_ROWS = 8, MATRIX_ROW_BYTES = 16 };

/* number: matrices of 8 rows of 16 bytes; lane 8 m + i has the address of row i of matrix m. type: transposed.
 * Source: NVIDIA, PTX ISA 9.0, section 9.7.14.5.15 (ldmatrix). */
int do_ldsm(struct sass_warp *w, const struct sass_op *op, uint32_t mask)
{
    uint32_t out[LANES];

    if (mask != ALL_LANES)
        return sass_fault(w, -1, "LDSM needs all 32 lanes");
    for (uint32_t m = 0; m < op->number; m++) {
        uint16_t rows[MATRIX_ROWS][MATRIX_ROW_BYTES / 2];

        for (int i = 0; i < MATRIX_ROWS; i++) {
            int l = (int)m * MATRIX_ROWS + i;
            const uint8_t *from =
                memory_at(w, l, SPACE_SHARED, address_of(w, &op->address, SPACE_SHARED, l), MATRIX_ROW_BYTES);

            if (!from)
                return -1;
            memcpy(rows[i], from, MATRIX_ROW_BYTES);
        }
        for (int l = 0; l < LANES; l++) {
            int r = l / 4, c = l % 4 * 2;

            out[l] = op->type ? rows[c][r] | (uint32_t)rows[c + 1][r] << 16
                              : rows[r][c] | (uint32_t)rows[r][c + 1] << 16;
        }
        write_register(w, op, m, out, mask);
    }
    return 0;
}

/* Whether a generic address is in a space. what: enum memory_space */
int do_qspc(struct sass_warp *w, const struct sass_op *op, uint32_t mask)
{
    const uint64_t *a = read_u64(w, &op->src[0], 0);
    uint32_t is = 0;

    for (int l = 0; l < LANES; l++) {
        bool shared = in_window(a[l], PTX_SHARED_BASE), local = in_window(a[l], PTX_LOCAL_BASE);

        is |= (uint32_t)(op->what == SPACE_SHARED  ? shared
                         : op->what == SPACE_LOCAL ? local
                                                   : !shared && !local)
              << l;
    }
    write_predicate(w, op, 0, is, mask);
    return 0;
}
