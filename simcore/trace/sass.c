#include "simcore/trace/sass.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

/* --- the pieces of "LDG.E.128.SYS" --- */

/* The length of the piece at s, which ends at a dot or at the end of the text. */
static size_t piece_length(const char *s)
{
    return strcspn(s, ".");
}

static const char *next_piece(const char *s)
{
    s += piece_length(s);
    return *s ? s + 1 : NULL;
}

static bool piece_is(const char *piece, const char *what)
{
    size_t n = strlen(what);

    return strncmp(piece, what, n) == 0 && (piece[n] == '.' || piece[n] == '\0');
}

static bool has_piece(const char *opcode, const char *what)
{
    for (const char *p = next_piece(opcode); p; p = next_piece(p))
        if (piece_is(p, what))
            return true;
    return false;
}

/* --- width of a memory access --- */

/* Bits of an operand that one piece names: 64, U8, S16, F64, F16x2 (a pair); 0: the piece names no width. */
static unsigned bits_of_piece(const char *p)
{
    size_t n = piece_length(p);
    unsigned bits = 0;
    size_t i = 0;

    if (n > 1 && (p[0] == 'U' || p[0] == 'S' || p[0] == 'F'))
        i = 1;
    else if (n > 2 && p[0] == 'B' && p[1] == 'F')
        i = 2;
    for (; i < n && i < 6 && isdigit((unsigned char)p[i]); i++)
        bits = bits * 10 + (unsigned)(p[i] - '0');
    if (n - i == 2 && (strncmp(p + i, "x2", 2) == 0 || strncmp(p + i, "X2", 2) == 0))
        bits *= 2;
    else if (n - i == 3 && strncmp(p + i, "_V2", 3) == 0)
        bits *= 2;
    else if (i != n)
        return 0;
    return bits == 8 || bits == 16 || bits == 32 || bits == 64 || bits == 96 || bits == 128 || bits == 256 ? bits
                                                                                                           : 0;
}

uint16_t sass_access_width(const char *opcode, unsigned printed)
{
    if (piece_is(opcode, "LDSM"))
        return 16; /* an address is the address of a row of eight 16-bit elements */
    for (const char *p = next_piece(opcode); p; p = next_piece(p)) {
        unsigned bits = bits_of_piece(p);

        if (bits)
            return (uint16_t)(bits / 8);
    }
    return printed > 0 && printed <= 256 ? (uint16_t)printed : 4;
}

/* --- matrix instructions: registers per lane of each operand --- */

struct mma_shape {
    unsigned m, n, k;
};

/* "16816" is m 16, n 8, k 16; n is always 8. */
static bool parse_shape(const char *p, struct mma_shape *out)
{
    size_t n = piece_length(p), i = 0;

    if (n < 3 || n > 6)
        return false;
    for (size_t j = 0; j < n; j++)
        if (!isdigit((unsigned char)p[j]))
            return false;
    if (p[0] == '1' && p[1] == '6') {
        out->m = 16;
        i = 2;
    } else if (p[0] == '8') {
        out->m = 8;
        i = 1;
    } else {
        return false;
    }
    if (p[i++] != '8')
        return false;
    out->n = 8;
    out->k = 0;
    for (; i < n; i++)
        out->k = out->k * 10 + (unsigned)(p[i] - '0');
    return out->k > 0 && out->k <= 256;
}

static uint8_t regs_for_bits(unsigned elements, unsigned bits_each)
{
    unsigned per_warp = WARP_LANES * 32;
    unsigned regs = (elements * bits_each + per_warp - 1) / per_warp;

    return (uint8_t)(regs < 1 ? 1 : regs);
}

/* Bits of an element of A and B, and of an element of C and D. */
static void mma_elements(const char *opcode, unsigned *ab, unsigned *cd)
{
    *ab = 16;
    *cd = has_piece(opcode, "F32") ? 32 : 16;
    if (has_piece(opcode, "TF32"))
        *ab = 32;
    if (piece_is(opcode, "IMMA") || piece_is(opcode, "BMMA"))
        *cd = 32;
    if (piece_is(opcode, "IMMA"))
        *ab = has_piece(opcode, "S4") || has_piece(opcode, "U4") ? 4 : 8;
    if (piece_is(opcode, "BMMA"))
        *ab = 1;
    if (piece_is(opcode, "DMMA"))
        *ab = *cd = 64;
}

static void mma_groups(const char *opcode, struct trace_inst *i)
{
    struct mma_shape shape = {0};
    unsigned ab, cd;
    uint8_t a, b, c;

    for (const char *p = next_piece(opcode); p; p = next_piece(p))
        if (parse_shape(p, &shape))
            break;
    if (shape.k == 0)
        return;
    mma_elements(opcode, &ab, &cd);
    if (piece_is(opcode, "HMMA") && shape.m == 8 && shape.k == 4) {
        a = b = c = 2; /* Volta: each step reads and writes register pairs for every accumulator type */
    } else {
        a = regs_for_bits(shape.m * shape.k / (has_piece(opcode, "SP") ? 2 : 1), ab);
        b = regs_for_bits(shape.k * shape.n, ab);
        c = regs_for_bits(shape.m * shape.n, cd);
    }
    i->dst_regs = c;
    i->src_regs[0] = a;
    i->src_regs[1] = b;
    i->src_regs[2] = c;
}

/* --- other groups --- */

static void all_sources(struct trace_inst *i, uint8_t regs)
{
    for (unsigned s = 0; s < i->src_count; s++)
        i->src_regs[s] = regs;
}

static uint8_t regs_for_bytes(unsigned bytes)
{
    return (uint8_t)(bytes <= 4 ? 1 : (bytes + 3) / 4);
}

/* A 64-bit address (".E") is a register pair. The trace names its low register. */
static uint8_t address_regs(const char *opcode)
{
    return has_piece(opcode, "E") ? 2 : 1;
}

static void load_groups(const char *opcode, struct trace_inst *i)
{
    i->dst_regs = regs_for_bytes(sass_access_width(opcode, 4));
    i->src_regs[0] = address_regs(opcode);
}

static void store_groups(const char *opcode, struct trace_inst *i)
{
    uint8_t data = regs_for_bytes(sass_access_width(opcode, 4));

    if (i->src_count == 1) {
        i->src_regs[0] = data; /* the address is in uniform registers, which are not recorded */
        return;
    }
    i->src_regs[0] = address_regs(opcode);
    for (unsigned s = 1; s < i->src_count; s++)
        i->src_regs[s] = data;
}

static void atomic_groups(const char *opcode, struct trace_inst *i)
{
    i->dst_regs = regs_for_bytes(sass_access_width(opcode, 4));
    store_groups(opcode, i);
}

static void copy_groups(const char *opcode, struct trace_inst *i) /* LDGSTS [shared], [global] */
{
    i->src_regs[1] = address_regs(opcode);
}

static void matrix_load_groups(const char *opcode, struct trace_inst *i)
{
    i->dst_regs = has_piece(opcode, "4") ? 4 : has_piece(opcode, "2") ? 2 : 1;
}

static void double_groups(const char *opcode, struct trace_inst *i)
{
    (void)opcode;
    i->dst_regs = 2;
    all_sources(i, 2);
}

static void imad_groups(const char *opcode, struct trace_inst *i)
{
    if (!has_piece(opcode, "WIDE"))
        return;
    i->dst_regs = 2;
    if (i->src_count >= 3)
        i->src_regs[2] = 2; /* with fewer sources, a constant operand cannot be identified */
}

static void special_register_groups(const char *opcode, struct trace_inst *i)
{
    i->dst_regs = has_piece(opcode, "32") ? 1 : 2;
}

static bool any_of(const char *opcode, const char *a, const char *b)
{
    return has_piece(opcode, a) || has_piece(opcode, b);
}

static void int_to_float_groups(const char *opcode, struct trace_inst *i)
{
    i->dst_regs = has_piece(opcode, "F64") ? 2 : 1;
    all_sources(i, any_of(opcode, "S64", "U64") ? 2 : 1);
}

static void float_to_int_groups(const char *opcode, struct trace_inst *i)
{
    i->dst_regs = any_of(opcode, "S64", "U64") ? 2 : 1;
    all_sources(i, has_piece(opcode, "F64") ? 2 : 1);
}

static void float_to_float_groups(const char *opcode, struct trace_inst *i) /* F2F.<to>.<from> */
{
    bool first = true;

    for (const char *p = next_piece(opcode); p; p = next_piece(p)) {
        if (!bits_of_piece(p))
            continue;
        if (first && piece_is(p, "F64"))
            i->dst_regs = 2;
        if (!first && piece_is(p, "F64"))
            all_sources(i, 2);
        first = false;
    }
}

static void round_groups(const char *opcode, struct trace_inst *i)
{
    if (has_piece(opcode, "F64"))
        double_groups(opcode, i);
}

/* Opcodes with operands that can be register groups. All operands of other opcodes are one register. */
static const struct {
    const char *name;
    void (*set)(const char *opcode, struct trace_inst *i);
} group_rules[] = {
    {"LDG", load_groups},
    {"LD", load_groups},
    {"LDS", load_groups},
    {"LDL", load_groups},
    {"LDC", load_groups},
    {"LDSM", matrix_load_groups},
    {"LDGSTS", copy_groups},
    {"STG", store_groups},
    {"ST", store_groups},
    {"STS", store_groups},
    {"STL", store_groups},
    {"ATOM", atomic_groups},
    {"ATOMG", atomic_groups},
    {"ATOMS", atomic_groups},
    {"RED", store_groups},
    {"DADD", double_groups},
    {"DMUL", double_groups},
    {"DFMA", double_groups},
    {"DMNMX", double_groups},
    {"DSETP", double_groups},
    {"DSET", double_groups},
    {"IMAD", imad_groups},
    {"CS2R", special_register_groups},
    {"I2F", int_to_float_groups},
    {"F2I", float_to_int_groups},
    {"F2F", float_to_float_groups},
    {"FRND", round_groups},
    {"HMMA", mma_groups},
    {"IMMA", mma_groups},
    {"BMMA", mma_groups},
    {"DMMA", mma_groups},
};

/* Opcodes that write a predicate first, so the trace records their destination register as a source. (ISETP and
 * similar opcodes write only predicates: their registers are sources.) */
static const char *const predicate_first[] = {"SHFL", "ATOM",   "ATOMG", "MATCH", "LOP3",
                                              "LOP",  "LOP32I", "QSPC",  "SUATOM"};

static bool loses_destination(const char *opcode)
{
    for (size_t k = 0; k < sizeof predicate_first / sizeof *predicate_first; k++)
        if (piece_is(opcode, predicate_first[k]))
            return true;
    return false;
}

/* Limits a group to R254; RZ is never a group. */
static uint8_t clip(uint8_t first, uint8_t regs)
{
    unsigned most = first == REG_ZERO ? 1 : (unsigned)REG_ZERO - first;

    return regs > most ? (uint8_t)most : regs;
}

struct sass_repair sass_complete(const char *opcode, struct trace_inst *i)
{
    struct sass_repair repair = {.unknown = !sass_opcode_known(opcode)};

    if (i->dst_count == 0 && i->src_count > 0 && !i->other_src[0] && loses_destination(opcode)) {
        i->dst_count = 1;
        i->dst = i->src[0];
        i->src_count--;
        memmove(i->src, i->src + 1, i->src_count);
        memmove(i->other_src, i->other_src + 1, i->src_count);
        i->other_src[i->src_count] = 0;
        repair.destination = true;
    }
    i->dst_regs = 1;
    memset(i->src_regs, 1, sizeof i->src_regs);
    for (size_t k = 0; k < sizeof group_rules / sizeof *group_rules; k++)
        if (piece_is(opcode, group_rules[k].name))
            group_rules[k].set(opcode, i);
    i->dst_regs = i->dst_count ? clip(i->dst, i->dst_regs) : 0;
    for (unsigned s = 0; s < INST_MAX_SRC; s++)
        i->src_regs[s] = s < i->src_count ? clip(i->src[s], i->src_regs[s]) : 0;
    repair.group = i->dst_regs > 1;
    for (unsigned s = 0; s < i->src_count; s++)
        repair.group |= i->src_regs[s] > 1;
    return repair;
}

bool sass_may_poll(const char *opcode)
{
    static const char *const names[] = {"BRA", "BREAK", "BSSY", "BSYNC",  "ISETP",  "NANOSLEEP", "NOP",
                                        "P2R", "PLOP3", "R2P",  "UISETP", "UPLOP3", "WARPSYNC",  "YIELD"};

    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
        if (piece_is(opcode, names[k]))
            return true;
    return false;
}

void register_name(uint8_t reg, uint8_t other, char out[REGISTER_NAME_BYTES])
{
    unsigned n = other ? other - 1u : 0;

    if (other && n >= OTHER_UNIFORM_PREDICATE)
        snprintf(out, REGISTER_NAME_BYTES, "UP%u", n - OTHER_UNIFORM_PREDICATE);
    else if (other && n >= OTHER_PREDICATE)
        snprintf(out, REGISTER_NAME_BYTES, "P%u", n - OTHER_PREDICATE);
    else if (other)
        snprintf(out, REGISTER_NAME_BYTES, "UR%u", n - OTHER_UNIFORM);
    else if (reg == REG_ZERO)
        snprintf(out, REGISTER_NAME_BYTES, "RZ");
    else
        snprintf(out, REGISTER_NAME_BYTES, "R%u", reg);
}
