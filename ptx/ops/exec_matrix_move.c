/* Moves matrix fragments to and from memory (wmma.load, wmma.store, ldmatrix, stmatrix), and transposes them
 * (movmatrix). */
#include <string.h>

#include "ptx/ops/exec_matrix.h"

/* --- one access of all lanes: n bytes at each lane's address, to or from each lane's register --- */

static void move_lanes(struct ptx_warp *w, const struct ptx_reach *r, uint8_t *first, uint32_t step, bool store)
{
    for (uint32_t left = r->mask; left; left &= left - 1) {
        uint32_t l = ptx_first_lane(left);
        uint8_t *value = first + (size_t)l * step;

        if (r->space == PTX_SPACE_LOCAL && store)
            ptx_local_write(w, l, (uint32_t)r->at[l], value, r->bytes);
        else if (r->space == PTX_SPACE_LOCAL)
            ptx_local_read(w, l, (uint32_t)r->at[l], value, r->bytes);
        else
            memcpy(store ? ptx_host(r, l) : value, store ? value : ptx_host(r, l), r->bytes);
    }
}

/* `first`: the value of lane 0. The value of the next lane is `step` bytes later. */
static int move(struct ptx_warp *w, uint8_t space, const uint64_t at[PTX_LANES], uint32_t mask, uint32_t bytes,
                uint8_t *first, uint32_t step, bool store)
{
    uint64_t own[PTX_LANES];

    for (uint32_t l = 0; l < PTX_LANES; l++)
        own[l] = mask >> l & 1 ? at[l] : at[ptx_first_lane(mask)];
    while (mask) {
        struct ptx_reach r;

        if (ptx_reach(w, space, own, &mask, bytes, bytes, store ? PTX_WRITES : PTX_READS, &r) != 0)
            return -1;
        if (store && (r.space == PTX_SPACE_PARAM || r.space == PTX_SPACE_CONST))
            return ptx_fault(w, r.mask, "writes to read-only memory");
        move_lanes(w, &r, first, step, store);
    }
    return 0;
}

/* --- wmma.load, wmma.store --- */

/* The row and column of the matrix for value e of register r of a lane. */
static void value_place(const struct ptx_matrix *x, uint32_t r, uint32_t lane, uint32_t e, uint32_t *row,
                        uint32_t *column)
{
    uint32_t g = lane / 4, t = lane % 4, bits = ptx_type_bits(x->type[x->part]);
    bool a = x->part == PTX_MATRIX_A, b = x->part == PTX_MATRIX_B;
    uint32_t blocks = (b ? x->n : x->m) / 8u, packed = bits == 64 ? 1 : 32 / bits;

    if (a || b) { /* e is an index along k */
        uint32_t along = r % blocks * 8 + g, k = r / blocks * 4 * packed + t * packed + e;

        *row = a ? along : k;
        *column = a ? k : along;
        return;
    }
    *row = r / (packed == 2 ? 1 : 2) % blocks * 8 + g;
    *column = r / (packed == 2 ? 1 : 2) / blocks * 8 + 2 * t + (packed == 2 ? e : r % 2);
}

static void strides(const struct ptx_warp *w, const struct ptx_op *op, const struct ptx_matrix *x,
                    uint32_t stride[PTX_LANES])
{
    uint32_t rows = x->part == PTX_MATRIX_B ? x->k : x->m, columns = x->part == PTX_MATRIX_A ? x->k : x->n;

    if (op->args.src[0] != PTX_NO_ROW)
        memcpy(stride, ptx_row(w, op->args.src[0]), PTX_LANES * sizeof stride[0]);
    else
        for (uint32_t l = 0; l < PTX_LANES; l++)
            stride[l] = x->column ? rows : columns;
}

/* Moves one register of all lanes. Values that are contiguous in memory move together. */
static int move_register(struct ptx_warp *w, const struct ptx_op *op, const struct ptx_access *a,
                         const struct ptx_matrix *x, uint32_t r, uint32_t mask)
{
    uint32_t bits = ptx_type_bits(x->type[x->part]), packed = bits == 64 ? 1 : 32 / bits, stride[PTX_LANES];
    bool together = packed == 1 || x->column == (x->part == PTX_MATRIX_B);
    uint32_t pieces = together ? 1 : packed, bytes = bits / 8 * (packed / pieces);
    uint64_t base[PTX_LANES], at[PTX_LANES];

    if (packed == 1 || bits < 8)
        bytes = bits == 64 ? 8 : 4;
    strides(w, op, x, stride);
    ptx_addresses(w, a, mask, base);
    for (uint32_t e = 0; e < pieces; e++) {
        uint8_t *first = ptx_row(w, x->rows[x->part][r]) + (size_t)e * bytes;

        for (uint32_t l = 0; l < PTX_LANES; l++) {
            uint32_t row, column;

            value_place(x, r, l, e, &row, &column);
            at[l] =
                base[l] +
                (x->column ? (uint64_t)column * stride[l] + row : (uint64_t)row * stride[l] + column) * bits / 8;
        }
        if (move(w, a->space, at, mask, bytes, first, bits == 64 ? 8 : 4, a->what == PTX_MATRIX_STORE) != 0)
            return -1;
    }
    return 0;
}

/* f16 fragments of A and B have 8 registers in every shape. Surplus registers repeat the others. */
static int move_fragment(struct ptx_warp *w, const struct ptx_op *op, const struct ptx_access *a, uint32_t mask)
{
    const struct ptx_matrix *x = &w->code->matrices[op->args.imm];
    bool sum = x->part == PTX_MATRIX_C || x->part == PTX_MATRIX_D;
    uint32_t bits = ptx_type_bits(x->type[x->part]), rows = x->part == PTX_MATRIX_B ? x->n : x->m;
    uint32_t used = sum ? x->count[x->part] : rows / 8u * (x->k * bits / (bits == 64 ? 256 : 128));

    if (a->what == PTX_MATRIX_STORE)
        w->cta->stores++;
    for (uint32_t r = 0; r < used; r++)
        if (x->rows[x->part][r] != PTX_NO_ROW && move_register(w, op, a, x, r, mask) != 0)
            return -1;
    for (uint32_t r = used; used && r < x->count[x->part]; r++)
        for (uint32_t left = mask; left && x->rows[x->part][r] != PTX_NO_ROW; left &= left - 1)
            memcpy(ptx_row(w, x->rows[x->part][r]) + (size_t)ptx_first_lane(left) * 4,
                   ptx_row(w, x->rows[x->part][r % used]) + (size_t)ptx_first_lane(left) * 4, 4);
    return 0;
}

/* --- ldmatrix, stmatrix, movmatrix: 8 x 8 values of 16 bits; lane l has two values of row l / 4, from column 2
 * (l % 4) on --- */

static void take_fragment(const struct ptx_warp *w, uint16_t row, uint16_t matrix[8][8], bool turned)
{
    for (uint32_t l = 0; l < PTX_LANES; l++) {
        uint16_t pair[2];

        memcpy(pair, ptx_row(w, row) + (size_t)l * 4, sizeof pair);
        for (uint32_t e = 0; e < 2; e++)
            matrix[turned ? l % 4 * 2 + e : l / 4][turned ? l / 4 : l % 4 * 2 + e] = pair[e];
    }
}

static void give_fragment(const struct ptx_warp *w, uint16_t row, uint16_t matrix[8][8], bool turned, uint32_t mask)
{
    for (; mask; mask &= mask - 1) {
        uint32_t l = ptx_first_lane(mask);
        uint16_t pair[2];

        for (uint32_t e = 0; e < 2; e++)
            pair[e] = matrix[turned ? l % 4 * 2 + e : l / 4][turned ? l / 4 : l % 4 * 2 + e];
        memcpy(ptx_row(w, row) + (size_t)l * 4, pair, sizeof pair);
    }
}

/* Lane 8 i + r has the address of row r (16 bytes) of matrix i. */
static int move_matrices(struct ptx_warp *w, const struct ptx_op *op, const struct ptx_access *a, uint32_t mask)
{
    bool store = a->what == PTX_MATRIX_STMATRIX;
    uint32_t rows = a->value_count * 8u, givers = mask & (rows == 32 ? UINT32_MAX : (1u << rows) - 1);
    uint16_t matrix[4][8][8] = {{{0}}};
    uint64_t at[PTX_LANES];

    ptx_addresses(w, a, mask, at);
    for (uint32_t i = 0; i < a->value_count && store; i++)
        take_fragment(w, a->values[i], matrix[i], op->args.imm);
    w->cta->stores += store;
    if (givers && move(w, a->space, at, givers, 16, (uint8_t *)matrix, 16, store) != 0)
        return -1;
    for (uint32_t i = 0; i < a->value_count && !store; i++)
        if (a->values[i] != PTX_NO_ROW)
            give_fragment(w, a->values[i], matrix[i], op->args.imm, mask);
    return 0;
}

int matrix_move(struct ptx_warp *w, const struct ptx_op *op, const struct ptx_access *a, uint32_t mask)
{
    uint16_t matrix[8][8];

    switch (a->what) {
    case PTX_MATRIX_LOAD:
    case PTX_MATRIX_STORE: return move_fragment(w, op, a, mask);
    case PTX_MATRIX_LDMATRIX:
    case PTX_MATRIX_STMATRIX: return move_matrices(w, op, a, mask);
    default:
        take_fragment(w, op->args.src[0], matrix, false);
        if (op->args.dst != PTX_NO_ROW)
            give_fragment(w, op->args.dst, matrix, true, mask);
        return 0;
    }
}
