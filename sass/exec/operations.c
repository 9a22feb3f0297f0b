/* sass/exec/operations.c: the table of operations, and how those of integers, memory and control are prepared. */
#include <string.h>

#include "sass/exec/access.h"
#include "sass/exec/prepare.h"

static bool is_named(const struct preparing *p, const char *name)
{
    return strcmp(p->x->name, name) == 0;
}

/* The number that is the last operand; it is no source then. */
static void take_number(struct preparing *p)
{
    if (p->sources == 0 || p->sources > SOURCES || p->op->src[p->sources - 1].kind != FROM_NUMBER) {
        refuse_inst(p, "its operands are not of a known form");
        return;
    }
    p->op->number = (uint32_t)p->op->src[--p->sources].value;
    p->op->src[p->sources].value = 0;
}

/* --- integers --- */

static void take_relation(struct preparing *p)
{
    static const char *const relations[] = {"F", "LT", "EQ", "LE", "GT", "NE", "GE", "T", NULL};
    static const char *const combined[] = {"AND", "OR", "XOR", NULL};
    int how = take_one_of(p, combined), what = take_one_of(p, relations);

    p->op->type = (uint8_t)(how < 0 ? 0 : how);
    p->op->what = (uint8_t)(what < 0 ? 0 : what);
    p->op->is_signed = !take_modifier(p, "U32");
    p->op->extended = take_modifier(p, "EX");
    if (!p->op->extended)
        p->op->preds[1] = (struct sass_predicate){.index = NO_PREDICATE};
}

static void prepare_isetp(struct preparing *p)
{
    struct sass_predicate low = p->op->preds[2];

    take_relation(p);
    p->op->preds[1] = low; /* at bit 68 */
}

static void prepare_extended(struct preparing *p)
{
    p->op->extended = take_modifier(p, "X");
}

static void prepare_lea(struct preparing *p)
{
    p->op->high = take_modifier(p, "HI");
    p->op->extended = take_modifier(p, "X");
    p->op->type = take_modifier(p, "SX32");
    take_number(p);
    if (p->op->src[0].negated && p->op->high)
        refuse_inst(p, "a modifier is not executed");
    if (p->sources == 2) /* the third source is only there with .HI */
        p->sources = 3;
}

static void prepare_lop3(struct preparing *p)
{
    p->op->type = take_modifier(p, "PAND");
    take_number(p);
}

static void prepare_plop3(struct preparing *p)
{
    p->op->number = (uint32_t)(p->op->src[0].value | p->op->src[1].value << 8);
}

static void prepare_byte(struct preparing *p)
{
    static const char *const names[] = {"B1", "B2", "B3", NULL};

    p->op->what = (uint8_t)(take_one_of(p, names) + 1);
    take_number(p);
}

static void prepare_sign(struct preparing *p)
{
    p->op->is_signed = !take_modifier(p, "U32");
}

static void prepare_minmax(struct preparing *p)
{
    prepare_sign(p);
    p->op->type = is_named(p, "VIADDMNMX") ? 1 : is_named(p, "VIMNMX3") ? 2 : 0;
}

static void prepare_shf(struct preparing *p)
{
    p->op->what = take_modifier(p, "R");
    if (!p->op->what && !take_modifier(p, "L"))
        refuse_inst(p, "its direction is not known");
    p->op->wrap = take_modifier(p, "W");
    p->op->high = take_modifier(p, "HI");
    p->op->is_signed = take_modifier(p, "S32");
    if (take_modifier(p, "S64")) {
        p->op->is_signed = true;
        p->op->type = 1;
    }
    if (take_modifier(p, "U64"))
        p->op->type = 1;
    (void)take_modifier(p, "U32");
}

static void prepare_imad(struct preparing *p)
{
    p->op->extended = take_modifier(p, "X");
    prepare_sign(p);
    if (p->op->run == do_imad && p->op->results[0] != NO_PREDICATE)
        refuse_inst(p, "a carry of IMAD is not executed");
    if (p->op->run == do_imad_wide || p->op->run == do_imad_hi) /* a number of 64 bits has the sign of its 32 */
        if (p->op->src[2].kind == FROM_NUMBER && p->op->is_signed)
            p->op->src[2].value = (uint64_t)(int64_t)(int32_t)p->op->src[2].value;
}

static void prepare_flo(struct preparing *p)
{
    prepare_sign(p);
    p->op->what = take_modifier(p, "SH");
}

static void prepare_viadd(struct preparing *p)
{
    p->op->src[2] = (struct sass_source){.kind = FROM_NUMBER};
}

static void prepare_idp(struct preparing *p)
{
    static const char *const kinds[] = {"4A", "2A", NULL};
    int kind = take_one_of(p, kinds);

    p->op->type = (uint8_t)(kind == 1 ? take_modifier(p, "HI") ? 2 : 1 : 0);
    (void)take_modifier(p, "LO");
    /* two types of one list: of a, then of b */
    for (uint32_t k = 0, found = 0; k < p->modifier_count; k++) {
        bool is_signed = p->modifiers[k][0] == 'S';

        if (p->taken[k])
            continue;
        p->taken[k] = true;
        if (found++ == 0)
            p->op->is_signed = is_signed;
        else
            p->op->high = is_signed;
    }
}

static void prepare_i2i(struct preparing *p)
{
    static const char *const types[] = {"U8", "S8", "U16", "S16", NULL};
    int k = take_one_of(p, types);

    p->op->is_signed = k == 1 || k == 3;
    p->op->bytes = k < 2 ? 1 : 2;
    (void)take_modifier(p, "S32");
    if (!take_modifier(p, "SAT") || k < 0)
        refuse_inst(p, "its modifiers are not executed together");
}

/* --- lanes, special registers --- */

static void prepare_special(struct preparing *p)
{
    p->op->type = is_named(p, "CS2R") && !take_modifier(p, "32");
    if (!special_is_known(p->op->number))
        refuse_inst(p, "the special register is not known");
}

static void prepare_vote(struct preparing *p)
{
    static const char *const names[] = {"ALL", "ANY", "EQ", NULL};
    int k = take_one_of(p, names);

    p->op->what = (uint8_t)(k < 0 ? 0 : k);
}

static void prepare_shfl(struct preparing *p)
{
    static const char *const names[] = {"IDX", "UP", "DOWN", "BFLY", NULL};
    int k = take_one_of(p, names);

    p->op->what = (uint8_t)(k < 0 ? 0 : k);
}

static void prepare_match(struct preparing *p)
{
    p->op->what = take_modifier(p, "ANY");
    (void)take_modifier(p, "ALL");
    p->op->type = take_modifier(p, "U64");
}

static void prepare_redux(struct preparing *p)
{
    static const char *const names[] = {"OR", "XOR", "SUM", "MIN", "MAX", NULL};

    p->op->what = (uint8_t)(take_one_of(p, names) + 1);
    p->op->is_signed = take_modifier(p, "S32");
}

/* --- memory --- */

static void take_hints(struct preparing *p)
{
    static const char *const hints[] = {"EF",   "EL",  "LU", "EU",  "NA",  "CONSTANT", "STRONG",
                                        "MMIO", "CTA", "SM", "GPU", "SYS", "LTC128B"};

    for (size_t k = 0; k < sizeof hints / sizeof *hints; k++)
        (void)take_modifier(p, hints[k]);
}

static void take_size(struct preparing *p)
{
    static const char *const names[] = {"U8", "S8", "U16", "S16", "64", "128", NULL};
    static const uint8_t bytes[] = {1, 1, 2, 2, 8, 16};
    int k = take_one_of(p, names);

    p->op->bytes = k < 0 ? 4 : bytes[k];
    p->op->is_signed = k == 1 || k == 3;
}

/* Registers of an address that are not there end the launch, not the program. */
static void check_address(struct preparing *p, const struct sass_operand *x)
{
    if (x->wide && x->index != SASS_RZ && x->index + 1 >= SASS_RZ)
        refuse_inst(p, "the address needs a register after R254");
    if (x->uniform > SASS_URZ)
        refuse_inst(p, "a uniform register above UR63");
}

static void set_space(struct preparing *p)
{
    const char *n = p->x->name;
    bool shared = strcmp(n, "LDS") == 0 || strcmp(n, "STS") == 0 || strncmp(n, "ATOMS", 5) == 0;
    bool local = strcmp(n, "LDL") == 0 || strcmp(n, "STL") == 0;
    bool generic =
        strcmp(n, "LD") == 0 || strcmp(n, "ST") == 0 || strcmp(n, "ATOM") == 0 || strcmp(n, "ATOM.CAS") == 0;

    p->op->what = (uint8_t)(shared ? SPACE_SHARED : local ? SPACE_LOCAL : generic ? SPACE_GENERIC : SPACE_GLOBAL);
    if (!shared && !local && !take_modifier(p, "E") && !p->op->address.wide && !p->op->address.short_index)
        refuse_inst(p, "an address of 32 bits");
    check_address(p, &p->op->address);
}

static bool pair_fits(uint32_t first, uint32_t bytes)
{
    return first == SASS_RZ || bytes <= 4 || first + bytes / 4 <= SASS_RZ;
}

static void prepare_memory(struct preparing *p)
{
    set_space(p);
    take_hints(p);
    (void)take_modifier(p, "U"); /* of LDS: all lanes have one address */
    take_size(p);
    if (p->op->run == do_store &&
        (p->op->src[0].kind != FROM_REGISTER || !pair_fits(p->op->src[0].index, p->op->bytes)))
        refuse_inst(p, "its operands are not of a known form");
}

static void prepare_ldc(struct preparing *p)
{
    take_size(p);
    if (p->op->address.bank >= CUBIN_BANKS)
        refuse_inst(p, "there is no such constant bank");
}

enum { TYPE_INTEGER, TYPE_F32, TYPE_F64, TYPE_F16X2 }; /* of atomic.c */

static void prepare_atomic(struct preparing *p)
{
    static const char *const names[] = {"ADD", "MIN", "MAX", "INC", "DEC", "AND", "OR", "XOR", "EXCH", NULL};
    int k = p->op->run == do_cas ? 0 : take_one_of(p, names);

    if (take_modifier(p, "CAST") && take_modifier(p, "SPIN"))
        p->op->high = true;
    set_space(p);
    take_hints(p);
    p->op->number = (uint32_t)(k < 0 ? 0 : k);
    p->op->is_signed = take_modifier(p, "S32");
    p->op->bytes = 4;
    if (take_modifier(p, "64"))
        p->op->bytes = 8;
    if (take_modifier(p, "S64"))
        p->op->bytes = 8, p->op->is_signed = true;
    if (take_modifier(p, "F32"))
        p->op->type = TYPE_F32;
    if (take_modifier(p, "F64"))
        p->op->type = TYPE_F64, p->op->bytes = 8;
    if (take_modifier(p, "F16x2"))
        p->op->type = TYPE_F16X2;
    p->op->wrap = take_modifier(p, "FTZ");
    (void)take_modifier(p, "RN");
    if (k < 0 || (p->op->type != TYPE_INTEGER && k != 0))
        refuse_inst(p, "its modifiers are not executed together");
}

static void prepare_red(struct preparing *p)
{
    p->op->dst = SASS_RZ;
    prepare_atomic(p);
}

static void prepare_ldgsts(struct preparing *p)
{
    (void)take_modifier(p, "BYPASS");
    (void)take_modifier(p, "ACCESS");
    take_hints(p);
    take_size(p);
    check_address(p, &p->op->address);
    p->op->type = take_modifier(p, "ZFILL");
    if (!p->op->type && (p->op->preds[0].index != NO_PREDICATE || p->op->preds[0].negated))
        refuse_inst(p, "a copy with a predicate is not executed");
}

static void prepare_ldsm(struct preparing *p)
{
    p->op->type = take_modifier(p, "MT88");
    (void)take_modifier(p, "M88");
    p->op->number = take_modifier(p, "4") ? 4 : take_modifier(p, "2") ? 2 : 1;
    check_address(p, &p->op->address);
}

static void prepare_qspc(struct preparing *p)
{
    static const char *const names[] = {"G", "L", "S", NULL};
    static const uint8_t spaces[] = {SPACE_GLOBAL, SPACE_LOCAL, SPACE_SHARED};
    int k = take_one_of(p, names);

    (void)take_modifier(p, "E");
    p->op->what = k < 0 ? SPACE_GLOBAL : spaces[k];
    if (k < 0)
        refuse_inst(p, "the space is not known");
}

/* --- control --- */

/* Fences, waits for loads, hints: every access is complete when the next instruction begins. */
static void prepare_nothing(struct preparing *p)
{
    for (uint32_t k = 0; k < p->modifier_count; k++)
        p->taken[k] = true;
}

static void prepare_bra(struct preparing *p)
{
    bool conv = take_modifier(p, "CONV");

    (void)take_modifier(p, "U");
    if (!conv && !take_modifier(p, "DIV"))
        return;
    p->op->run = do_bra_div;
    p->op->type = conv;
    p->op->high = p->sources == 1;
}

static void prepare_call(struct preparing *p)
{
    (void)take_modifier(p, "NOINC");
    p->op->high = p->sources == 1;
}

static void prepare_ret(struct preparing *p)
{
    static const char *const to[] = {"REL", "ABS", NULL};

    (void)take_one_of(p, to);
    if (!take_modifier(p, "NODEC"))
        refuse_inst(p, "the stack of return addresses is not executed");
}

static void prepare_warpsync(struct preparing *p)
{
    (void)take_modifier(p, "COLLECTIVE");
}

static void prepare_bmov(struct preparing *p)
{
    p->op->type = take_modifier(p, "CLEAR");
    if (p->x->operand_count == 2 && p->x->operands[0].kind == SASS_BARRIER) {
        p->op->run = do_bmov_write;
        p->op->src[0] = (struct sass_source){.kind = FROM_REGISTER, .index = p->op->dst};
        p->op->dst = SASS_RZ;
    }
}

static void prepare_bar(struct preparing *p)
{
    static const char *const names[] = {"SYNC", "ARV", "RED", NULL};
    static const char *const votes[] = {"POPC", "AND", "OR", NULL};
    int k = take_one_of(p, names), red = take_one_of(p, votes);

    (void)take_modifier(p, "DEFER_BLOCKING");
    p->op->extended = p->sources == 2 && p->op->src[0].kind == FROM_REGISTER && p->op->src[1].kind == FROM_REGISTER;
    if (p->op->src[0].kind == FROM_NUMBER && p->op->src[1].kind == FROM_REGISTER)
        refuse_inst(p, "its operands are not of a known form");
    p->op->what = (uint8_t)(k < 0 ? 0 : k);
    p->op->type = (uint8_t)(red < 0 ? 0 : red);
    if (k < 0)
        refuse_inst(p, "its modifiers are not executed together");
}

static void prepare_b2r(struct preparing *p)
{
    (void)take_modifier(p, "RESULT");
}

static void prepare_lepc(struct preparing *p)
{
    p->op->target = p->x->address + INST_BYTES;
}

static void prepare_trap(struct preparing *p)
{
    (void)take_modifier(p, "TRAP");
    p->sources = 0;
}

#define R_P     (HAS_DST | PREDICATE_0)
#define COMPARE (RESULT_0 | RESULT_1 | PREDICATE_0)
#define SUM     (HAS_DST | RESULT_0 | RESULT_1 | PREDICATE_0 | PREDICATE_1)
#define CARRY   (HAS_DST | RESULT_0 | PREDICATE_0)
#define R_R     (HAS_DST | RESULT_0)

const struct operation operations[] = {
    /* moves, selection, predicates */
    {"MOV", do_mov, 1, HAS_DST, NULL},
    {"UMOV", do_mov, 1, HAS_DST, NULL},
    {"SEL", do_sel, 2, R_P, NULL},
    {"USEL", do_sel, 2, R_P, NULL},
    {"P2R", do_p2r, 1, HAS_DST, prepare_byte},
    {"R2P", do_r2p, 1, 0, prepare_byte},
    {"CS2R", do_special, 0, HAS_DST, prepare_special},
    {"S2R", do_special, 0, HAS_DST, prepare_special},
    {"S2UR", do_special, 0, HAS_DST, prepare_special},
    {"PLOP3.LUT", do_plop3, 2, COMPARE | PREDICATE_1 | PREDICATE_2, prepare_plop3},
    {"UPLOP3.LUT", do_plop3, 2, COMPARE | PREDICATE_1 | PREDICATE_2, prepare_plop3},
    {"ISETP", do_isetp, 2, COMPARE | PREDICATE_2, prepare_isetp},
    {"UISETP", do_isetp, 2, COMPARE | PREDICATE_2, prepare_isetp},
    /* integers */
    {"IADD3", do_iadd3, 3, SUM, prepare_extended},
    {"UIADD3", do_iadd3, 3, SUM, prepare_extended},
    {"VIADD", do_iadd3, 2, HAS_DST, prepare_viadd},
    {"LEA", do_lea, 3, CARRY, prepare_lea},
    {"ULEA", do_lea, 3, CARRY, prepare_lea},
    {"LOP3.LUT", do_lop3, 3, CARRY, prepare_lop3},
    {"ULOP3.LUT", do_lop3, 3, CARRY, prepare_lop3},
    {"IABS", do_iabs, 1, HAS_DST, NULL},
    {"VABSDIFF", do_vabsdiff, 3, HAS_DST, prepare_sign},
    {"IMNMX", do_minmax, 2, R_P, prepare_minmax},
    {"VIMNMX", do_minmax, 2, R_P, prepare_minmax},
    {"VIADDMNMX", do_minmax, 3, R_P, prepare_minmax},
    {"VIMNMX3", do_minmax, 3, R_P, prepare_minmax},
    {"SHF", do_shf, 3, HAS_DST, prepare_shf},
    {"USHF", do_shf, 3, HAS_DST, prepare_shf},
    {"IMAD", do_imad, 3, CARRY, prepare_imad},
    {"UIMAD", do_imad, 3, CARRY, prepare_imad},
    {"IMAD.WIDE", do_imad_wide, 3, CARRY, prepare_imad},
    {"UIMAD.WIDE", do_imad_wide, 3, CARRY, prepare_imad},
    {"IMAD.HI", do_imad_hi, 3, CARRY, prepare_imad},
    {"IDP", do_idp, 3, HAS_DST, prepare_idp},
    {"I2I", do_i2i, 1, HAS_DST, prepare_i2i},
    {"FLO", do_flo, 1, R_R, prepare_flo},
    {"UFLO", do_flo, 1, R_R, prepare_flo},
    {"PRMT", do_form, 3, HAS_DST, prepare_prmt},
    {"UPRMT", do_form, 3, HAS_DST, prepare_prmt},
    {"SGXT", do_form, 2, HAS_DST, prepare_bits},
    {"USGXT", do_form, 2, HAS_DST, prepare_bits},
    {"BMSK", do_form, 2, HAS_DST, prepare_bits},
    {"UBMSK", do_form, 2, HAS_DST, prepare_bits},
    {"BREV", do_form, 1, HAS_DST, prepare_bits},
    {"UBREV", do_form, 1, HAS_DST, prepare_bits},
    {"POPC", do_form, 1, HAS_DST, prepare_bits},
    {"UPOPC", do_form, 1, HAS_DST, prepare_bits},
    /* floating point */
    {"FADD", do_form, 2, HAS_DST, prepare_f32},
    {"FMUL", do_form, 2, HAS_DST, prepare_f32},
    {"FFMA", do_form, 3, HAS_DST, prepare_f32},
    {"DADD", do_form, 2, HAS_DST, prepare_f64},
    {"DMUL", do_form, 2, HAS_DST, prepare_f64},
    {"DFMA", do_form, 3, HAS_DST, prepare_f64},
    {"HADD2", do_form, 2, HAS_DST, prepare_add_half},
    {"HMUL2", do_form, 2, HAS_DST, prepare_half},
    {"HFMA2", do_form, 3, HAS_DST, prepare_half},
    {"HFMA2.MMA", do_form, 3, HAS_DST, prepare_half},
    {"FMNMX", do_form, 2, R_P, prepare_fmnmx},
    {"FSEL", do_fsel, 2, R_P, prepare_fsel},
    {"FSETP", do_fsetp, 2, COMPARE, prepare_compare_float},
    {"DSETP", do_dsetp, 2, COMPARE, prepare_compare_float},
    {"HSETP2", do_half_set, 2, COMPARE, prepare_compare_half},
    {"FCHK", do_fchk, 2, RESULT_0, NULL},
    {"MUFU", do_mufu, 1, HAS_DST, prepare_mufu},
    {"F2F", do_form, 1, HAS_DST, prepare_f2f},
    {"F2I", do_form, 1, HAS_DST, prepare_f2i},
    {"I2F", do_form, 1, HAS_DST, prepare_i2f},
    {"I2FP", do_form, 1, HAS_DST, prepare_i2f},
    {"FRND", do_form, 1, HAS_DST, prepare_frnd},
    {"F2FP", do_form, 2, HAS_DST, prepare_f2fp},
    /* lanes */
    {"VOTE", do_vote, 0, CARRY, prepare_vote},
    {"VOTEU", do_vote, 0, CARRY, prepare_vote},
    {"SHFL", do_shfl, 3, R_R, prepare_shfl},
    {"MATCH", do_match, 1, R_R, prepare_match},
    {"REDUX", do_redux, 1, HAS_DST, prepare_redux},
    {"R2UR", do_r2ur, 1, R_R, NULL},
    {"ELECT", do_elect, 0, CARRY, NULL},
    /* memory */
    {"LD", do_load, 0, HAS_DST, prepare_memory},
    {"LDG", do_load, 0, HAS_DST, prepare_memory},
    {"LDL", do_load, 0, HAS_DST, prepare_memory},
    {"LDS", do_load, 0, HAS_DST, prepare_memory},
    {"ST", do_store, 1, 0, prepare_memory},
    {"STG", do_store, 1, 0, prepare_memory},
    {"STL", do_store, 1, 0, prepare_memory},
    {"STS", do_store, 1, 0, prepare_memory},
    {"LDC", do_ldc, 0, HAS_DST | IS_LDC, prepare_ldc},
    {"ULDC", do_ldc, 0, HAS_DST | IS_LDC, prepare_ldc},
    {"ATOM", do_atomic, 1, HAS_DST, prepare_atomic},
    {"ATOMG", do_atomic, 1, HAS_DST, prepare_atomic},
    {"ATOMS", do_atomic, 1, HAS_DST, prepare_atomic},
    {"RED", do_atomic, 1, 0, prepare_red},
    {"ATOM.CAS", do_cas, 2, HAS_DST, prepare_atomic},
    {"ATOMG.CAS", do_cas, 2, HAS_DST, prepare_atomic},
    {"ATOMS.CAS", do_cas, 2, HAS_DST, prepare_atomic},
    {"LDGSTS.E", do_ldgsts, 0, PREDICATE_0, prepare_ldgsts},
    {"LDSM.16", do_ldsm, 0, HAS_DST, prepare_ldsm},
    {"QSPC", do_qspc, 1, R_R, prepare_qspc},
    {"CCTL", do_nothing, ANY_SOURCES, 0, prepare_nothing},
    {"MEMBAR", do_nothing, 0, 0, prepare_nothing},
    {"FENCE.VIEW.ASYNC", do_nothing, 0, 0, NULL},
    {"ERRBAR", do_nothing, 0, 0, NULL},
    {"CGAERRBAR", do_nothing, 0, 0, NULL},
    {"DEPBAR", do_nothing, ANY_SOURCES, 0, prepare_nothing},
    {"LDGDEPBAR", do_nothing, 0, 0, NULL},
    /* control */
    {"NOP", do_nothing, 0, 0, NULL},
    {"BRA", do_bra, ANY_SOURCES, PREDICATE_0, prepare_bra},
    {"BRX", do_brx, 1, PREDICATE_0, NULL},
    {"CALL.REL", do_call, ANY_SOURCES, PREDICATE_0, prepare_call},
    {"CALL.ABS", do_call, ANY_SOURCES, PREDICATE_0, prepare_call},
    {"RET", do_ret, 1, PREDICATE_0, prepare_ret},
    {"LEPC", do_lepc, 0, HAS_DST, prepare_lepc},
    {"EXIT", do_exit, 0, PREDICATE_0, NULL},
    {"BSSY", do_bssy, 0, PREDICATE_0, NULL},
    {"BSYNC", do_bsync, 0, PREDICATE_0, NULL},
    {"BREAK", do_break, 0, PREDICATE_0, NULL},
    {"WARPSYNC", do_warpsync, 1, PREDICATE_0, prepare_warpsync},
    {"ENDCOLLECTIVE", do_nothing, 0, 0, NULL},
    {"YIELD", do_yield, 0, 0, NULL},
    {"NANOSLEEP", do_yield, 1, 0, NULL},
    {"BMOV.32", do_bmov_read, 0, HAS_DST, prepare_bmov},
    {"BAR", do_bar, ANY_SOURCES, PREDICATE_0, prepare_bar},
    {"B2R", do_b2r, 0, R_R, prepare_b2r},
    {"BPT", do_trap, ANY_SOURCES, 0, prepare_trap},
};
const size_t operation_count = sizeof operations / sizeof *operations;
