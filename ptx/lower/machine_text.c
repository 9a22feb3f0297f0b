/* ptx/lower/machine_text.c: opcodes of memory accesses, barriers, shuffles, matrix operations and control flow.
 * Source: cuobjdump's manual, listings of ptxas 13.0. */
#include "ptx/lower/machine_text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ptx/code/actions.h"
#include "simcore/trace/fields.h"

enum { VOLTA = 70, AMPERE = 80, HOPPER = 90 };

static void put(struct ptx_machine_text *t, const char *text)
{
    snprintf(t->opcodes, sizeof t->opcodes, "%s", text);
}

/* --- memory --- */

static const char *size_text(const struct ptx_access *a, uint32_t bytes)
{
    bool is_signed = a->type == PTX_S8 || a->type == PTX_S16;

    switch (bytes) {
    case 1: return is_signed ? ".S8" : ".U8";
    case 2: return is_signed ? ".S16" : ".U16";
    case 8: return ".64";
    case 16: return ".128";
    default: return "";
    }
}

/* The cache operators of loads and stores in machine code, as ptxas 13.0 writes them for sm_75, sm_80 and sm_90:
 * .ca and .wb have the scope of a CTA, .cg that of the GPU, .cv and .wt that of the system; .nc makes them void.
 * The scope of a cluster is that of the GPU. */
static const char *scope_text(const struct ptx_access *a)
{
    uint32_t hints = a->hints, ordered = PTX_HINT_VOLATILE | PTX_HINT_RELAXED | PTX_HINT_ACQUIRE | PTX_HINT_RELEASE;

    if (hints & ordered)
        return hints & PTX_HINT_SCOPE_CTA                              ? ".STRONG.CTA"
               : hints & (PTX_HINT_SCOPE_CLUSTER | PTX_HINT_SCOPE_GPU) ? ".STRONG.GPU"
                                                                       : ".STRONG.SYS";
    if (hints & PTX_HINT_NC)
        return NULL;
    return hints & (PTX_HINT_CV | PTX_HINT_WT)   ? ".STRONG.SYS"
           : hints & PTX_HINT_CG                 ? ".STRONG.GPU"
           : hints & (PTX_HINT_CA | PTX_HINT_WB) ? ".STRONG.CTA"
                                                 : NULL;
}

/* The suffix of the opcode: which lines leave the cache first, width, memory order, and the scope, which Volta and
 * Turing always print. */
static void access_text(struct ptx_machine_text *t, const struct ptx_access *a, const char *name,
                        const struct ptx_machine_how *how)
{
    uint32_t bytes = how->bytes ? how->bytes : ptx_type_bits((enum ptx_type)a->type) / 8 * a->vector,
             arch = how->arch;
    bool wide = a->space == PTX_SPACE_GLOBAL || a->space == PTX_GENERIC;
    const char *scope = wide ? scope_text(a) : "", *evict = "";

    if (!scope)
        scope = arch < AMPERE ? ".SYS" : "";
    if (wide)
        evict = a->hints & PTX_HINT_CS ? ".EF" : a->hints & PTX_HINT_LU ? ".LU" : "";
    snprintf(t->opcodes, sizeof t->opcodes, "%s%s%s%s%s%s", name, wide ? ".E" : "", evict, size_text(a, bytes),
             a->hints & PTX_HINT_NC && wide ? ".CONSTANT" : "", scope);
    t->width = (uint16_t)bytes;
    t->access = 0;
}

static const char *by_space(const struct ptx_access *a, const char *global, const char *shared, const char *local,
                            const char *generic)
{
    switch (a->space) {
    case PTX_SPACE_GLOBAL: return global;
    case PTX_SPACE_SHARED: return shared;
    case PTX_SPACE_LOCAL: return local;
    default: return generic;
    }
}

/* Function parameters use registers in machine code. The executor stores them in the frame of the activation. */
static bool is_parameter(const struct ptx_code *c, const struct ptx_op *o, const struct ptx_access *a)
{
    const struct ptx_inst *i = &c->function->insts[o - c->ops];

    return a->base == PTX_NO_ROW && (a->space == PTX_SPACE_PARAM || a->space == PTX_SPACE_LOCAL) &&
           ptx_has(i, ".param");
}

static void load_text(struct ptx_machine_text *t, const struct ptx_code *c, const struct ptx_op *o,
                      const struct ptx_machine_how *how)
{
    const struct ptx_access *a = &c->accesses[o->access];

    if (is_parameter(c, o, a))
        put(t, "IMAD.MOV.U32");
    else if (a->space == PTX_SPACE_CONST || a->space == PTX_SPACE_PARAM)
        snprintf(t->opcodes, sizeof t->opcodes, "LDC%s",
                 size_text(a, ptx_type_bits((enum ptx_type)a->type) / 8 * a->vector));
    else
        access_text(t, a, by_space(a, "LDG", "LDS", "LDL", "LD"), how);
}

static void store_text(struct ptx_machine_text *t, const struct ptx_code *c, const struct ptx_op *o,
                       const struct ptx_machine_how *how)
{
    const struct ptx_access *a = &c->accesses[o->access];

    if (is_parameter(c, o, a))
        put(t, "IMAD.MOV.U32");
    else
        access_text(t, a, by_space(a, "STG", "STS", "STL", "ST"), how);
}

static const char *atomic_name(const struct ptx_access *a)
{
    bool is_float = a->type >= PTX_F16 && a->type <= PTX_F64;

    switch ((enum ptx_atomic_what)a->what) {
    case PTX_ATOM_ADD: return is_float ? "ADD.F32.FTZ.RN" : "ADD";
    case PTX_ATOM_MIN: return "MIN";
    case PTX_ATOM_MAX: return "MAX";
    case PTX_ATOM_INC: return "INC";
    case PTX_ATOM_DEC: return "DEC";
    case PTX_ATOM_AND: return "AND";
    case PTX_ATOM_OR: return "OR";
    case PTX_ATOM_XOR: return "XOR";
    case PTX_ATOM_EXCH: return "EXCH";
    default: return "CAS";
    }
}

/* Shared memory has no atomic addition of floats. The machine code is a loop of compare-and-swap. */
static bool needs_loop(const struct ptx_access *a)
{
    return a->space == PTX_SPACE_SHARED && a->type >= PTX_F16 && a->type <= PTX_F64;
}

/* The instructions before and after an atomic whose lanes are combined. Source: ptxas 13.0, sm_75, sm_86 and sm_90.
 */
static void aggregate(struct ptx_machine_text *t, const struct ptx_machine_how *how)
{
    static const char *const before[] = {
        [PTX_AGGREGATES_COUNTED] = "S2R VOTEU.ANY UFLO.U32 POPC IMAD ISETP.EQ.U32.AND ",
        [PTX_AGGREGATES_REDUCED] = "S2R VOTEU.ANY UFLO.U32 REDUX IMAD.MOV.U32 ISETP.EQ.U32.AND ",
        [PTX_AGGREGATES_SCANNED] =
            "VOTE.ALL ISETP.EQ.U32.AND BRA SHFL.UP IMAD SHFL.UP IADD3 SHFL.UP IADD3 SHFL.UP IADD3 "
            "SHFL.UP IADD3 S2R ISETP.EQ.U32.AND "};
    static const char *const after[] = {[PTX_AGGREGATES_COUNTED] = " S2R LOP3.LUT POPC SHFL.IDX IMAD",
                                        [PTX_AGGREGATES_REDUCED] = "",
                                        [PTX_AGGREGATES_SCANNED] = " SHFL.IDX SHFL.UP IADD3"};
    char atomic[PTX_MACHINE_TEXT];

    if (how->aggregation == PTX_AGGREGATES_NOT)
        return;
    snprintf(atomic, sizeof atomic, "%s", t->opcodes);
    snprintf(t->opcodes, sizeof t->opcodes, "%s%.64s%s", before[how->aggregation], atomic,
             how->unread ? "" : after[how->aggregation]);
    for (const char *p = before[how->aggregation]; *p; p++)
        t->access += *p == ' ';
}

static void atomic_text(struct ptx_machine_text *t, const struct ptx_code *c, const struct ptx_op *o,
                        const struct ptx_machine_how *how)
{
    const struct ptx_access *a = &c->accesses[o->access];
    uint32_t bytes = ptx_type_bits((enum ptx_type)a->type) / 8 * a->vector;
    bool returns = !how->unread;
    const char *size = bytes == 8 ? ".64" : "";

    t->width = (uint16_t)bytes;
    t->access = 0;
    if (needs_loop(a)) {
        snprintf(t->opcodes, sizeof t->opcodes, "LDS%s FADD ATOMS.CAST.SPIN%s ISETP.EQ.U32.AND BRA", size, size);
        t->access = 2;
    } else if (a->space == PTX_SPACE_SHARED && how->arch >= 80 && a->what == PTX_ATOM_ADD && bytes == 4 &&
               how->unread && how->by_one) {
        put(t, "ATOMS.POPC.INC.32"); /* as ptxas 13.0 from sm_80 on */
    } else if (a->space == PTX_SPACE_SHARED) {
        snprintf(t->opcodes, sizeof t->opcodes, "ATOMS.%s%s", atomic_name(a), size);
    } else {
        snprintf(t->opcodes, sizeof t->opcodes, "%s.E.%s%s.STRONG.GPU",
                 !returns                       ? "RED"
                 : a->space == PTX_SPACE_GLOBAL ? "ATOMG"
                                                : "ATOM",
                 atomic_name(a), size);
    }
    aggregate(t, how);
}

/* Copies by descriptor, and operations on barriers in shared memory. */
static bool has_fields(enum ptx_async_what what)
{
    return what >= PTX_CP_ASYNC_ARRIVE && what <= PTX_ASYNC_REDUCE && what != PTX_MBARRIER_PENDING_COUNT;
}

static void async_text(struct ptx_machine_text *t, const struct ptx_code *c, const struct ptx_op *o, uint32_t arch)
{
    const struct ptx_access *a = &c->accesses[o->access];

    switch ((enum ptx_async_what)a->what) {
    case PTX_CP_ASYNC:
        snprintf(t->opcodes, sizeof t->opcodes, "LDGSTS.E%s%s", a->hints & PTX_HINT_CG ? ".BYPASS" : "",
                 a->vector == 16  ? ".128"
                 : a->vector == 8 ? ".64"
                                  : "");
        t->width = a->vector;
        t->access = 0;
        break;
    case PTX_CP_ASYNC_COMMIT: put(t, "LDGDEPBAR"); break;
    case PTX_CP_ASYNC_WAIT:
        put(t, "DEPBAR.LE");
        t->immediate = (int32_t)o->args.imm;
        break;
    case PTX_CP_ASYNC_WAIT_ALL:
        put(t, "LDGDEPBAR DEPBAR.LE");
        t->immediate = 0;
        break;
    case PTX_MBARRIER_INIT: put(t, arch < HOPPER ? "STS.64" : "SYNCS.EXCH.64"); break;
    case PTX_MBARRIER_INVAL: put(t, arch < HOPPER ? "STS.64" : "SYNCS.CCTL.IV"); break;
    case PTX_MBARRIER_TEST:
    case PTX_MBARRIER_TEST_PARITY:
        put(t, arch < HOPPER ? "LDS.64 ISETP.NE.AND" : "SYNCS.PHASECHK.TRANS64.TRYWAIT");
        break;
    case PTX_CP_ASYNC_ARRIVE: put(t, "ARRIVES.LDGSTSBAR.64"); break;
    case PTX_MBARRIER_PENDING_COUNT: put(t, "LOP3.LUT"); break;
    case PTX_CP_BULK: put(t, a->space == PTX_SPACE_GLOBAL ? "UBLKCP.G.S" : "UBLKCP.S.G"); break;
    case PTX_CP_BULK_REDUCE: put(t, "UBLKRED"); break;
    case PTX_TENSOR_LOAD: snprintf(t->opcodes, sizeof t->opcodes, "UTMALDG.%uD", a[1].value_count); break;
    case PTX_TENSOR_STORE: snprintf(t->opcodes, sizeof t->opcodes, "UTMASTG.%uD", a[1].value_count); break;
    case PTX_TENSOR_REDUCE: snprintf(t->opcodes, sizeof t->opcodes, "UTMAREDG.%uD", a[1].value_count); break;
    case PTX_ASYNC_STORE: put(t, "STAS"); break;
    case PTX_ASYNC_REDUCE: put(t, "REDAS"); break;
    default: put(t, arch < HOPPER ? "ATOMS.ARRIVE.64" : "SYNCS.ARRIVE.TRANS64"); break;
    }
    if (a->what >= PTX_MBARRIER_INIT && a->what < PTX_MBARRIER_PENDING_COUNT && arch < HOPPER) {
        t->width = 8;
        t->access = 0;
    }
    if (arch >= HOPPER && has_fields((enum ptx_async_what)a->what)) {
        t->width = FIELDS_WIDTH;
        t->access = 0;
    }
}

/* --- across lanes --- */

static const char *warp_text(const struct ptx_access *a, uint32_t arch)
{
    switch ((enum ptx_warp_what)a->what) {
    case PTX_SHFL_UP: return "SHFL.UP";
    case PTX_SHFL_DOWN: return "SHFL.DOWN";
    case PTX_SHFL_BFLY: return "SHFL.BFLY";
    case PTX_SHFL_IDX: return "SHFL.IDX";
    case PTX_VOTE_ALL: return "VOTE.ALL";
    case PTX_VOTE_UNI: return "VOTE.EQ";
    case PTX_MATCH_ANY: return a->type == PTX_B64 ? "MATCH.ANY.U64" : "MATCH.ANY";
    case PTX_MATCH_ALL: return a->type == PTX_B64 ? "MATCH.ALL.U64" : "MATCH.ALL";
    case PTX_REDUX_ADD: return "REDUX.SUM IMAD.U32";
    case PTX_REDUX_MIN: return "REDUX.MIN IMAD.U32";
    case PTX_REDUX_MAX: return "REDUX.MAX IMAD.U32";
    case PTX_REDUX_AND:
    case PTX_REDUX_OR:
    case PTX_REDUX_XOR: return "REDUX IMAD.U32";
    case PTX_ELECT: return "ELECT";
    case PTX_BAR_WARP: return arch < AMPERE ? "NOP" : "WARPSYNC";
    default: return "VOTE.ANY";
    }
}

/* Whether it is another barrier than 0, or counts threads. Then the trace has both numbers (trace/fields.h),
 * because they may be in registers. */
static bool is_named(const struct ptx_code *c, const struct ptx_op *o)
{
    const struct ptx_inst *i = &c->function->insts[o - c->ops];
    uint8_t what = c->accesses[o->access].what;
    bool result = what == PTX_BARRIER_POPC || what == PTX_BARRIER_AND || what == PTX_BARRIER_OR;
    const struct ptx_operand *number = &c->function->operands[i->operand_first + result];

    return o->args.src[1] != PTX_NO_ROW || number->kind != PTX_OP_IMMEDIATE || number->bits != 0;
}

static void barrier_text(struct ptx_machine_text *t, const struct ptx_code *c, const struct ptx_op *o)
{
    switch ((enum ptx_barrier_what)c->accesses[o->access].what) {
    case PTX_BARRIER_SYNC: put(t, "BAR.SYNC.DEFER_BLOCKING"); break;
    case PTX_BARRIER_ARRIVE: put(t, "BAR.ARV"); break;
    case PTX_BARRIER_POPC: put(t, "BAR.RED.POPC B2R.RESULT"); break;
    case PTX_BARRIER_AND: put(t, "BAR.RED.AND B2R.RESULT"); break;
    case PTX_BARRIER_OR: put(t, "BAR.RED.OR B2R.RESULT"); break;
    case PTX_BARRIER_CLUSTER_ARRIVE: put(t, "UCGABAR_ARV"); return;
    case PTX_BARRIER_CLUSTER_WAIT: put(t, "UCGABAR_WAIT"); return;
    }
    t->immediate = 0;
    if (is_named(c, o)) {
        t->width = FIELDS_WIDTH;
        t->access = 0;
    }
}

/* --- matrices --- */

/* Parses the shape in ".m16n8k16". Returns false if there is none. */
static bool shape_of(const char *text, uint32_t *m, uint32_t *n, uint32_t *k)
{
    const char *at = strstr(text, ".m");
    char *end;

    for (; at && (at[2] < '0' || at[2] > '9'); at = strstr(at + 1, ".m"))
        ;
    if (!at)
        return false;
    *m = (uint32_t)strtoul(at + 2, &end, 10);
    if (*end != 'n')
        return false;
    *n = (uint32_t)strtoul(end + 1, &end, 10);
    if (*end != 'k')
        return false;
    *k = (uint32_t)strtoul(end + 1, NULL, 10);
    return true;
}

static void repeat(struct ptx_machine_text *t, const char *text, uint32_t times)
{
    t->opcodes[0] = 0;
    for (uint32_t k = 0; k < times && strlen(t->opcodes) + strlen(text) + 2 < sizeof t->opcodes; k++) {
        if (k)
            strcat(t->opcodes, " ");
        strcat(t->opcodes, text);
    }
}

struct product {
    const char *name, *type, *sum; /* "HMMA", ".TF32", ".F32" */
    uint32_t steps[3];             /* k of one instruction on Volta, on Turing, and on Ampere and later */
};

static struct product product_of(const struct ptx_inst *i)
{
    uint8_t d = i->type_count ? i->types[0] : PTX_F32, a = i->type_count > 1 ? i->types[1] : PTX_F16;
    struct product p = {"HMMA", "", d == PTX_F16 ? ".F16" : ".F32", {4, 8, 16}};

    /* if there are two types, wmma has another order: d and c */
    switch ((enum ptx_type)a) {
    case PTX_BF16: p.type = ".BF16"; break;
    case PTX_TF32:
        p.type = ".TF32";
        p.steps[2] = 8;
        break;
    case PTX_F64: return (struct product){"DMMA", "", "", {4, 4, 4}};
    case PTX_S8:
    case PTX_U8: return (struct product){"IMMA", a == PTX_S8 ? ".S8.S8" : ".U8.U8", "", {16, 16, 32}};
    case PTX_S4:
    case PTX_U4: return (struct product){"IMMA", a == PTX_S4 ? ".S4.S4" : ".U4.U4", "", {32, 32, 64}};
    case PTX_B1: return (struct product){"BMMA", "", "", {128, 128, 256}};
    case PTX_E4M3:
    case PTX_E5M2: return (struct product){"QMMA", "", ".F32", {32, 32, 32}};
    default: break;
    }
    return p;
}

/* One product m x n x k becomes pieces of 16 x 8 x step. On Volta: 8 x 8 x 4 in four steps. */
static void product_text(struct ptx_machine_text *t, const struct ptx_inst *i, uint32_t arch)
{
    struct product p = product_of(i);
    uint32_t generation = arch < 75 ? 0 : arch < AMPERE ? 1 : 2, m = 16, n = 8, k = 16, step, rows, pieces;
    char text[48];

    shape_of(i->suffix, &m, &n, &k);
    step = p.steps[generation] < k ? p.steps[generation] : k;
    rows = arch < 75 || strcmp(p.name, "DMMA") == 0 || (strcmp(p.name, "HMMA") != 0 && arch < AMPERE) || m < 16
               ? 8
               : 16;
    pieces = (m / rows) * ((n + 7) / 8) * ((k + step - 1) / step);
    if (arch < 75) { /* two quads of lanes compute 8 x 8 x 4; a warp's m16n16 needs four of them */
        pieces = m * n * k / (16 * 16 * 4);
        pieces = pieces ? pieces * (p.sum[1] == 'F' && p.sum[2] == '3' ? 4 : 2) : 4;
        snprintf(text, sizeof text, "HMMA.884%s%s", p.sum, p.sum);
    } else {
        snprintf(text, sizeof text, "%s.%u8%u%s%s", p.name, rows, step, p.type, p.sum);
    }
    repeat(t, text, pieces ? pieces : 1);
}

/* One instruction with the name of the sm_90 SASS. */
static void wgmma_text(struct ptx_machine_text *t, const struct ptx_wgmma *x)
{
    const char *name = x->d == PTX_S32 ? "IGMMA" : ptx_type_bits(x->a) == 8 ? "QGMMA" : "HGMMA";
    const char *type = x->a == PTX_BF16 ? ".BF16" : x->a == PTX_TF32 ? ".TF32" : "";

    snprintf(t->opcodes, sizeof t->opcodes, "%s.64x%ux%u%s%s", name, x->n, x->k, x->d == PTX_F32 ? ".F32" : "",
             type);
}

static uint32_t trailing_count(const struct ptx_inst *i)
{
    return ptx_has(i, ".x4") ? 4 : ptx_has(i, ".x2") ? 2 : 1;
}

static void matrix_text(struct ptx_machine_text *t, const struct ptx_code *c, const struct ptx_op *o, uint32_t arch)
{
    const struct ptx_inst *i = &c->function->insts[o - c->ops];
    const struct ptx_access *a = o->access < c->access_count ? &c->accesses[o->access] : NULL;
    uint32_t count = trailing_count(i);
    bool loads = ptx_has(i, ".load"), stores = ptx_has(i, ".store");

    if (a && a->what == PTX_MATRIX_WGMMA) {
        wgmma_text(t, &c->wgmmas[o->args.imm]);
    } else if (strcmp(i->opcode, "ldmatrix") == 0 || strcmp(i->opcode, "stmatrix") == 0) {
        snprintf(t->opcodes, sizeof t->opcodes, "%s.16.M%s88%s", i->opcode[0] == 'l' ? "LDSM" : "STSM",
                 ptx_has(i, ".trans") ? "T" : "",
                 count == 4   ? ".4"
                 : count == 2 ? ".2"
                              : "");
        t->width = 16;
        t->access = 0;
    } else if (strcmp(i->opcode, "movmatrix") == 0) {
        put(t, "MOVM.16.MT88");
    } else if (strcmp(i->opcode, "wmma") == 0 && (loads || stores) && a) {
        /* the executor reports each access of a fragment; each becomes one instruction */
        put(t, by_space(a, loads ? "LDG.E" : "STG.E", loads ? "LDS" : "STS", loads ? "LDL" : "STL",
                        loads ? "LD.E" : "ST.E"));
        t->width = (uint16_t)(ptx_type_bits((enum ptx_type)a->type) / 8);
        t->access = 0;
    } else {
        product_text(t, i, arch);
    }
}

/* --- the rest --- */

static void fence_text(struct ptx_machine_text *t, const struct ptx_inst *i, uint32_t arch)
{
    if (ptx_has(i, ".cta"))
        put(t, arch < AMPERE ? "NOP" : "MEMBAR.ALL.CTA");
    else if (ptx_has(i, ".sys"))
        put(t, arch < AMPERE ? "MEMBAR.SC.SYS" : "MEMBAR.SC.SYS ERRBAR CCTL.IVALL");
    else
        put(t, arch < AMPERE ? "MEMBAR.SC.GPU" : "MEMBAR.SC.GPU ERRBAR CCTL.IVALL");
}

/* Groups of copies by descriptor. In the executor these copies are always complete. */
static void group_text(struct ptx_machine_text *t, const struct ptx_code *c, const struct ptx_inst *i)
{
    if (strcmp(i->opcode, "cp") != 0 || !ptx_has(i, ".bulk"))
        return;
    if (ptx_has(i, ".commit_group"))
        put(t, "UTMACMDFLUSH");
    else if (ptx_has(i, ".wait_group")) {
        put(t, "DEPBAR.LE");
        t->immediate = (int32_t)c->function->operands[i->operand_first].bits;
    }
}

static const char *texture_text(const struct ptx_inst *i)
{
    switch (i->opcode[0]) {
    case 's':
        return strcmp(i->opcode, "sust") == 0   ? "SUST.D.BA"
               : strcmp(i->opcode, "suld") == 0 ? "SULD.D.BA"
                                                : "SURED.D";
    default: return strcmp(i->opcode, "tld4") == 0 ? "TLD4" : strcmp(i->opcode, "txq") == 0 ? "TXQ" : "TEX";
    }
}

void ptx_machine_text(const struct ptx_code *c, uint32_t op, const struct ptx_machine_how *how,
                      struct ptx_machine_text *out)
{
    uint32_t arch = how->arch;
    const struct ptx_op *o = &c->ops[op];
    const struct ptx_inst *i = &c->function->insts[op];

    *out = (struct ptx_machine_text){.access = PTX_NONE, .immediate = -1};
    switch ((enum ptx_action)o->action) {
    case PTX_DO_LOAD: load_text(out, c, o, how); break;
    case PTX_DO_STORE: store_text(out, c, o, how); break;
    case PTX_DO_ATOMIC: atomic_text(out, c, o, how); break;
    case PTX_DO_ASYNC: async_text(out, c, o, arch); break;
    case PTX_DO_MATRIX: matrix_text(out, c, o, arch); break;
    case PTX_DO_WARP: put(out, warp_text(&c->accesses[o->access], arch)); break;
    case PTX_DO_BARRIER: barrier_text(out, c, o); break;
    case PTX_DO_FENCE: fence_text(out, i, arch); break;
    case PTX_DO_BRANCH:
        if (o->guarded || o->target != op + 1)
            put(out, "BRA");
        break;
    case PTX_DO_BRANCH_INDEX: put(out, "LDC BRX"); break;
    case PTX_DO_CALL: put(out, o->target == PTX_NONE ? "CALL.ABS.NOINC" : "CALL.REL.NOINC"); break;
    case PTX_DO_SYSTEM_CALL: put(out, "CALL.ABS.NOINC"); break;
    case PTX_DO_RETURN: put(out, c->function->entry ? "EXIT" : "RET.REL.NODEC"); break;
    case PTX_DO_EXIT: put(out, "EXIT"); break;
    case PTX_DO_TRAP: put(out, o->args.imm ? "BPT.INT" : "BPT.TRAP"); break;
    case PTX_DO_SPECIAL: put(out, i->types[0] == PTX_U64 || i->types[0] == PTX_B64 ? "CS2R" : "CS2R.32"); break;
    case PTX_DO_SLEEP: put(out, "NANOSLEEP"); break;
    case PTX_DO_TEXTURE: put(out, texture_text(i)); break;
    case PTX_DO_STACK: put(out, "IADD3"); break;
    case PTX_DO_NOTHING: group_text(out, c, i); break;
    default: break;
    }
}
