/* ptx/decode/decode_matrix.c: products of small matrices, and loads, stores and moves of their fragments.
 * Shapes and types: NVIDIA, PTX ISA 9.0, sections 9.7.14.1 to 9.7.14.6. */
#include <stdio.h>
#include <string.h>

#include "base/array.h"
#include "ptx/decode/decode_internal.h"

static struct ptx_access *begin_matrix(struct decoder *d, int what)
{
    struct ptx_access *a = decode_new_access(d);

    d->op->action = PTX_DO_MATRIX;
    d->op->uniform = true;
    if (a)
        a->what = (uint8_t)what;
    return a;
}

/* A new matrix of the op. The pointer is valid until the next call. */
static struct ptx_matrix *new_matrix(struct decoder *d)
{
    struct ptx_code *c = d->c;

    if (array_reserve((void **)&c->matrices, &d->matrix_capacity, c->matrix_count + 1u, sizeof *c->matrices, d->e) <
        0)
        return NULL;
    c->matrices[c->matrix_count] = (struct ptx_matrix){.metadata = PTX_NO_ROW};
    d->op->args.imm = c->matrix_count;
    return &c->matrices[c->matrix_count++];
}

/* --- shapes and types that exist --- */

/* Reads a shape such as ".m16n8k16" from the modifiers. */
static bool shape_of(const struct ptx_inst *i, struct ptx_matrix *x)
{
    unsigned m, n, k;
    int used = 0;

    for (const char *at = i->modifiers; (at = strstr(at, ".m")); at++)
        if (sscanf(at, ".m%un%uk%u%n", &m, &n, &k, &used) == 3 && (at[used] == '.' || !at[used])) {
            x->m = (uint16_t)m;
            x->n = (uint16_t)n;
            x->k = (uint16_t)k;
            return true;
        }
    return false;
}

/* A shape m x n x k that exists for type a of A. mma, sparse mma and wmma have separate tables. */
struct product {
    uint8_t a; /* enum ptx_type */
    uint16_t m, n, k;
};

static bool in_table(const struct ptx_matrix *x, const struct product *all, size_t n)
{
    for (size_t p = 0; p < n; p++)
        if (all[p].a == x->type[PTX_MATRIX_A] && all[p].m == x->m && all[p].n == x->n && all[p].k == x->k)
            return true;
    return false;
}
#define IN_TABLE(x, table) in_table(x, table, sizeof(table) / sizeof *(table))

static const struct product mma_products[] = {
    {PTX_F16, 8, 8, 4},    {PTX_F16, 16, 8, 8},   {PTX_F16, 16, 8, 16},  {PTX_BF16, 16, 8, 8},
    {PTX_BF16, 16, 8, 16}, {PTX_TF32, 16, 8, 4},  {PTX_TF32, 16, 8, 8},  {PTX_F64, 8, 8, 4},
    {PTX_F64, 16, 8, 4},   {PTX_F64, 16, 8, 8},   {PTX_F64, 16, 8, 16},  {PTX_S8, 8, 8, 16},
    {PTX_S8, 16, 8, 16},   {PTX_S8, 16, 8, 32},   {PTX_U8, 8, 8, 16},    {PTX_U8, 16, 8, 16},
    {PTX_U8, 16, 8, 32},   {PTX_S4, 8, 8, 32},    {PTX_S4, 16, 8, 32},   {PTX_S4, 16, 8, 64},
    {PTX_U4, 8, 8, 32},    {PTX_U4, 16, 8, 32},   {PTX_U4, 16, 8, 64},   {PTX_B1, 8, 8, 128},
    {PTX_B1, 16, 8, 128},  {PTX_B1, 16, 8, 256},  {PTX_E4M3, 16, 8, 16}, {PTX_E4M3, 16, 8, 32},
    {PTX_E5M2, 16, 8, 16}, {PTX_E5M2, 16, 8, 32},
};
static const struct product sparse_products[] = {
    {PTX_F16, 16, 8, 16}, {PTX_F16, 16, 8, 32},  {PTX_BF16, 16, 8, 16}, {PTX_BF16, 16, 8, 32},
    {PTX_TF32, 16, 8, 8}, {PTX_TF32, 16, 8, 16}, {PTX_S8, 16, 8, 32},   {PTX_S8, 16, 8, 64},
    {PTX_U8, 16, 8, 32},  {PTX_U8, 16, 8, 64},   {PTX_S4, 16, 8, 64},   {PTX_S4, 16, 8, 128},
    {PTX_U4, 16, 8, 64},  {PTX_U4, 16, 8, 128},  {PTX_E4M3, 16, 8, 64}, {PTX_E5M2, 16, 8, 64},
};
static const struct product wmma_products[] = {
    {PTX_F16, 16, 16, 16}, {PTX_F16, 32, 8, 16},  {PTX_F16, 8, 32, 16},  {PTX_BF16, 16, 16, 16},
    {PTX_BF16, 32, 8, 16}, {PTX_BF16, 8, 32, 16}, {PTX_TF32, 16, 16, 8}, {PTX_F64, 8, 8, 4},
    {PTX_S8, 16, 16, 16},  {PTX_S8, 32, 8, 16},   {PTX_S8, 8, 32, 16},   {PTX_U8, 16, 16, 16},
    {PTX_U8, 32, 8, 16},   {PTX_U8, 8, 32, 16},   {PTX_S4, 8, 8, 32},    {PTX_U4, 8, 8, 32},
    {PTX_B1, 8, 8, 128},
};

static bool is_integer(uint8_t type)
{
    return type == PTX_S8 || type == PTX_U8 || type == PTX_S4 || type == PTX_U4 || type == PTX_B1;
}

/* Is the combination of types valid? A and B may differ in sign, and in the kind of fp8. */
static bool types_fit(const struct ptx_matrix *x)
{
    uint8_t d = x->type[PTX_MATRIX_D], a = x->type[PTX_MATRIX_A], b = x->type[PTX_MATRIX_B],
            c = x->type[PTX_MATRIX_C];
    bool fp8 = a == PTX_E4M3 || a == PTX_E5M2;

    if (is_integer(a))
        return d == PTX_S32 && c == PTX_S32 && ptx_type_bits(a) == ptx_type_bits(b) && is_integer(b);
    if (a == PTX_F64)
        return b == a && c == a && d == a;
    if (fp8 ? b != PTX_E4M3 && b != PTX_E5M2 : b != a)
        return false;
    return (d == PTX_F32 || (d == PTX_F16 && (a == PTX_F16 || fp8))) &&
           (c == PTX_F32 || (c == PTX_F16 && (a == PTX_F16 || fp8)));
}

/* --- registers --- */

/* Number of registers of a part. A register of A or B holds 8 rows (columns of B) and 16 bytes of k (f64: 32). A
 * register of C or D holds half of a block of 8 x 8 values (16-bit values: the whole block). */
static uint32_t registers_of(const struct ptx_matrix *x, int part)
{
    uint32_t bits = ptx_type_bits(x->type[part]), k = x->sparse && part == PTX_MATRIX_A ? x->k / 2u : x->k;

    if (x->quads) /* 4 values of A and B, 8 of C and D */
        return part == PTX_MATRIX_A || part == PTX_MATRIX_B ? 2 : bits / 4;
    if (part == PTX_MATRIX_A || part == PTX_MATRIX_B)
        return (part == PTX_MATRIX_A ? x->m : x->n) / 8u * (k * bits / (bits == 64 ? 256 : 128));
    return x->m / 8u * (x->n / 8u) * (bits == 16 ? 1 : 2);
}

/* In wmma a fragment of f16 has 8 registers. The part may need fewer; the others are not used. */
static uint32_t operands_of(const struct ptx_matrix *x, int part, bool wmma)
{
    bool padded = wmma && x->type[part] == PTX_F16 && (part == PTX_MATRIX_A || part == PTX_MATRIX_B);

    return padded ? PTX_MATRIX_ROWS : registers_of(x, part);
}

static int fragment(struct decoder *d, uint32_t k, struct ptx_matrix *x, int part, bool wmma, bool write)
{
    const struct ptx_operand *o = decode_operand(d, k);
    uint32_t have = decode_pieces(d, o), want = operands_of(x, part, wmma);
    uint32_t bits = x->type[part] == PTX_F64 ? 64 : 32;
    bool negated;

    if (have != want)
        return decode_fault(d, ERR_MALFORMED, &o->place, "%s%s needs %u registers here, not %u", d->i->opcode,
                            d->i->suffix, want, have);
    x->count[part] = (uint8_t)want;
    for (uint32_t r = 0; r < want; r++) {
        enum decode_numbers numbers = x->type[part] == PTX_F32 || bits == 64 ? DECODE_FLOATS : DECODE_ANY;
        struct ptx_operand one = decode_piece(d, o, r);

        if (write ? decode_result(d, &one, bits, &x->rows[part][r]) < 0
                  : decode_source(d, &one, bits, numbers, &x->rows[part][r], &negated) < 0)
            return -1;
    }
    return 0;
}

static int four_fragments(struct decoder *d, struct ptx_matrix *x, bool wmma)
{
    for (int part = PTX_MATRIX_D; part <= PTX_MATRIX_C; part++)
        if (fragment(d, (uint32_t)part, x, part, wmma, part == PTX_MATRIX_D) < 0)
            return -1;
    return 0;
}

/* --- products --- */

/* Are all modifiers known? An unknown one would change the operation. */
static bool only_known_modifiers(const struct ptx_inst *i)
{
    static const char *const known[] = {".sync", ".aligned", ".row",  ".col", ".satfinite",
                                        ".xor",  ".and",     ".popc", ".rn",  ".rz",
                                        ".rm",   ".rp",      ".mma",  ".sp",  ".sp::ordered_metadata"};

    for (const char *at = i->modifiers; *at == '.';) {
        size_t n = 1 + strcspn(at + 1, "."), k = 0;

        while (k < sizeof known / sizeof *known && (strlen(known[k]) != n || strncmp(known[k], at, n) != 0))
            k++;
        if (k == sizeof known / sizeof *known && !(at[1] == 'm' && at[2] >= '0' && at[2] <= '9'))
            return false;
        at += n;
    }
    return true;
}

/* Reads the rounding mode. Only products of f64 can have one, and at most one. */
static bool rounding_of(const struct decoder *d, struct ptx_matrix *x)
{
    static const struct decode_word modes[] = {
        {".rn", PTX_MATRIX_NEAREST}, {".rz", PTX_MATRIX_TO_ZERO}, {".rm", PTX_MATRIX_DOWN}, {".rp", PTX_MATRIX_UP}};
    uint32_t said = 0;

    x->rounding = PTX_MATRIX_NEAREST;
    for (size_t k = 0; k < sizeof modes / sizeof *modes; k++)
        if (ptx_has(d->i, modes[k].modifier)) {
            x->rounding = (uint8_t)modes[k].value;
            said++;
        }
    return said == 0 || (said == 1 && x->type[PTX_MATRIX_A] == PTX_F64);
}

static void order_of(const struct ptx_inst *i, struct ptx_matrix *x)
{
    const char *row = strstr(i->modifiers, ".row"), *col = strstr(i->modifiers, ".col");

    x->a_column = col && (!row || col < row);
    x->b_row = row && (!col || (col < row) || strstr(row + 1, ".row"));
}

static int sparse_operands(struct decoder *d, struct ptx_matrix *x)
{
    uint64_t selector;
    bool negated;

    if (decode_source(d, decode_operand(d, 4), 32, DECODE_ANY, &x->metadata, &negated) < 0 ||
        decode_integer(d, 5, &selector) < 0)
        return -1;
    if (selector > 3)
        return decode_fault(d, ERR_MALFORMED, &decode_operand(d, 5)->place, "a sparsity selector must be 0 to 3");
    x->selector = (uint8_t)selector;
    return 0;
}

int decode_mma(struct decoder *d)
{
    struct ptx_matrix *x = new_matrix(d);
    uint32_t operands;

    if (!x || !begin_matrix(d, PTX_MATRIX_MMA))
        return -1;
    if (d->i->type_count != 4 || !shape_of(d->i, x) || !only_known_modifiers(d->i))
        return decode_unsupported(d);
    memcpy(x->type, d->i->types, sizeof x->type);
    x->sparse = ptx_has(d->i, ".sp") || ptx_has(d->i, ".sp::ordered_metadata");
    x->saturate = ptx_has(d->i, ".satfinite");
    x->and_bits = ptx_has(d->i, ".and");
    x->quads = x->m == 8 && x->type[PTX_MATRIX_A] == PTX_F16;
    order_of(d->i, x);
    if (!types_fit(x) || !rounding_of(d, x) ||
        !(x->sparse ? IN_TABLE(x, sparse_products) : IN_TABLE(x, mma_products)) ||
        (!x->quads && (x->a_column || x->b_row)))
        return decode_unsupported(d);
    operands = x->sparse ? 6 : 4;
    if (decode_count(d, operands, operands) < 0 || four_fragments(d, x, false) < 0)
        return -1;
    return x->sparse ? sparse_operands(d, x) : 0;
}

/* --- wmma --- */

/* Types of D, A, B, C. If only two are given, they belong to D and C, and A and B are f16. */
static bool wmma_types(const struct ptx_inst *i, struct ptx_matrix *x)
{
    if (i->type_count == 4) {
        memcpy(x->type, i->types, sizeof x->type);
        return true;
    }
    x->type[PTX_MATRIX_A] = x->type[PTX_MATRIX_B] = PTX_F16;
    x->type[PTX_MATRIX_D] = i->types[0];
    x->type[PTX_MATRIX_C] = i->types[1];
    return i->type_count == 2;
}

static int wmma_product(struct decoder *d, struct ptx_matrix *x)
{
    x->saturate = ptx_has(d->i, ".satfinite");
    x->and_bits = ptx_has(d->i, ".and");
    if (!only_known_modifiers(d->i) || !wmma_types(d->i, x) || !types_fit(x) || !rounding_of(d, x) ||
        !IN_TABLE(x, wmma_products) || (x->saturate && !is_integer(x->type[PTX_MATRIX_A])))
        return decode_unsupported(d);
    if (decode_count(d, 4, 4) < 0 || !begin_matrix(d, PTX_MATRIX_MMA))
        return -1;
    return four_fragments(d, x, true);
}

/* The table lists types of A. A fragment of C or D exists if it is a result type of one of these products. */
static bool fragment_exists(struct ptx_matrix *x)
{
    uint8_t type = x->type[x->part];
    bool sum = x->part == PTX_MATRIX_C || x->part == PTX_MATRIX_D;

    for (size_t p = 0; p < sizeof wmma_products / sizeof *wmma_products; p++) {
        const struct product *w = &wmma_products[p];
        bool fits = !sum              ? w->a == type
                    : type == PTX_S32 ? is_integer(w->a)
                    : type == PTX_F64 ? w->a == PTX_F64
                    : type == PTX_F16 ? w->a == PTX_F16
                                      : type == PTX_F32 && !is_integer(w->a) && w->a != PTX_F64;

        if (fits && w->m == x->m && w->n == x->n && w->k == x->k)
            return true;
    }
    return false;
}

/* {registers}, [address] {, stride}; a store: [address], {registers} {, stride} */
static int wmma_move(struct decoder *d, struct ptx_matrix *x, bool store)
{
    struct ptx_access *a = begin_matrix(d, store ? PTX_MATRIX_STORE : PTX_MATRIX_LOAD);
    int part = ptx_has(d->i, ".a")   ? PTX_MATRIX_A
               : ptx_has(d->i, ".b") ? PTX_MATRIX_B
               : store               ? PTX_MATRIX_D
                                     : PTX_MATRIX_C;

    if (!a)
        return -1;
    x->part = (uint8_t)part;
    x->column = ptx_has(d->i, ".col");
    if (d->i->type_count != 1)
        return decode_unsupported(d);
    a->type = x->type[part] = d->i->types[0];
    if (!fragment_exists(x) || (ptx_type_bits(a->type) < 8 && x->column != (part == PTX_MATRIX_B)))
        return decode_unsupported(d);
    if (decode_count(d, 2, 3) < 0 || decode_space(d, &a->space) < 0 ||
        decode_address(d, decode_operand(d, store ? 0 : 1), a) < 0 ||
        fragment(d, store ? 1 : 0, x, part, true, !store) < 0)
        return -1;
    return d->i->operand_count == 3 ? decode_to_src(d, 2, 32, 0) : 0;
}

int decode_wmma(struct decoder *d)
{
    struct ptx_matrix *x = new_matrix(d);

    if (!x)
        return -1;
    if (!shape_of(d->i, x))
        return decode_unsupported(d);
    if (ptx_has(d->i, ".mma"))
        return wmma_product(d, x);
    if (ptx_has(d->i, ".load") || ptx_has(d->i, ".store"))
        return wmma_move(d, x, ptx_has(d->i, ".store"));
    return decode_unsupported(d);
}

/* --- ldmatrix, stmatrix, movmatrix --- */

int decode_ldmatrix(struct decoder *d)
{
    bool load = d->i->opcode[0] == 'l';
    uint32_t count = ptx_has(d->i, ".x4") ? 4 : ptx_has(d->i, ".x2") ? 2 : ptx_has(d->i, ".x1") ? 1 : 0;
    const struct ptx_operand *o;
    struct ptx_access *a;
    bool negated;

    if (!ptx_has(d->i, ".m8n8") || d->i->type_count != 1 || d->i->types[0] != PTX_B16 || !count)
        return decode_unsupported(d);
    if (decode_count(d, 2, 2) < 0 || !(a = begin_matrix(d, load ? PTX_MATRIX_LDMATRIX : PTX_MATRIX_STMATRIX)) ||
        decode_space(d, &a->space) < 0 || decode_address(d, decode_operand(d, load ? 1 : 0), a) < 0)
        return -1;
    a->type = PTX_B16;
    a->value_bits = 32;
    a->value_count = (uint16_t)count;
    d->op->args.imm = ptx_has(d->i, ".trans");
    o = decode_operand(d, load ? 0 : 1);
    if (decode_pieces(d, o) != count)
        return decode_fault(d, ERR_MALFORMED, &o->place, "%s%s needs %u registers here", d->i->opcode, d->i->suffix,
                            count);
    for (uint32_t r = 0; r < count; r++) {
        struct ptx_operand one = decode_piece(d, o, r);

        if (load ? decode_result(d, &one, 32, &a->values[r]) < 0
                 : decode_source(d, &one, 32, DECODE_ANY, &a->values[r], &negated) < 0)
            return -1;
    }
    return 0;
}

int decode_movmatrix(struct decoder *d)
{
    if (!ptx_has(d->i, ".m8n8") || !ptx_has(d->i, ".trans") || d->i->type_count != 1 || d->i->types[0] != PTX_B16)
        return decode_unsupported(d);
    if (decode_count(d, 2, 2) < 0 || !begin_matrix(d, PTX_MATRIX_MOVMATRIX))
        return -1;
    d->op->args.imm = 1;
    return decode_result(d, decode_operand(d, 0), 32, &d->op->args.dst) < 0 ? -1 : decode_to_src(d, 1, 32, 0);
}
