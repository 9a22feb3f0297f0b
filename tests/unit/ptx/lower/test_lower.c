/* Lowering functions to machine code: folding, fusion, expansion, registers. The executed instructions must be
 * those of the tables. */
#include "ptx/lower/lower.h"
#include "ptx/trace/source.h"

#include "tests/unit/ptx/engine.h"

#define ENTRY                                                                                                      \
    ".visible .entry k(.param .u64 in, .param .u64 out, .param .u64 n)\n{\n"                                       \
    ".reg .b32 %r<40>; .reg .f32 %f<40>; .reg .b64 %rd<40>; .reg .f64 %fd<9>; .reg .pred %p<9>;\n"                 \
    "ld.param.u64 %rd1, [in]; ld.param.u64 %rd2, [out]; mov.u32 %r1, %tid.x;\n"

#define THREE "LOP3.LUT LOP3.LUT LOP3.LUT "
#define NINE  THREE THREE THREE

/* The opcodes of one function in order, separated by spaces. */
static void opcodes_of(const char *text, uint32_t arch, char *out, size_t room)
{
    struct ptx_machine_table t = {.arch = arch};
    struct bench *b = bench_open(text);
    const struct ptx_code *c;
    struct ptx_lowered *l;
    struct err e;

    c = ptx_program_code(b->program, b->module, 0, &e);
    CHECK_OK(c ? 0 : -1, &e);
    CHECK_OK(ptx_lower(&t, c, &l, &e), &e);
    *out = 0;
    for (size_t k = 0; k < l->machine_count; k++) {
        const char *text_ = t.opcodes[t.insts[l->machine[k].inst].opcode];

        assert_true(strlen(out) + strlen(text_) + 2 < room);
        strcat(out, k ? " " : "");
        strcat(out, text_);
    }
    ptx_lowered_free(l);
    ptx_machine_table_release(&t);
    bench_close(b);
}

static void known_code_becomes_known_instructions(void **state)
{
    /* Written by hand after ptxas: parameters come from the constant bank, and an index becomes one wide
     * multiply-add. */
    static const struct {
        const char *body, *want;
        uint32_t arch;
    } rows[] = {
        {"mul.wide.u32 %rd3, %r1, 4; add.s64 %rd4, %rd1, %rd3; ld.global.f32 %f1, [%rd4+8];\n"
         "add.s64 %rd5, %rd2, %rd3; st.global.f32 [%rd5], %f1; ret;\n}\n",
         "MOV ULDC.64 S2R IMAD.MOV.U32 IMAD.WIDE IMAD.WIDE LDG.E STG.E EXIT", 80},
        {"mul.wide.u32 %rd3, %r1, 4; add.s64 %rd4, %rd1, %rd3; ld.global.f32 %f1, [%rd4+8];\n"
         "st.global.f32 [%rd4+4], %f1; ret;\n}\n",
         "MOV S2R IMAD.MOV.U32 IMAD.WIDE LDG.E.SYS STG.E.SYS EXIT", 70},
        /* unused results are removed; a copy needs no instruction, nor does address plus constant */
        {"add.s32 %r2, %r1, 5; mov.u32 %r3, %r1; add.s64 %rd3, %rd2, 64; st.global.u32 [%rd3], %r3; ret;\n}\n",
         "MOV ULDC.64 S2R STG.E EXIT", 80},
        /* three-input additions and logic, LEA; FFMA only where no rounding mode is given */
        {"add.s32 %r2, %r1, 7; add.s32 %r3, %r2, %r1; shl.b32 %r4, %r3, 2; add.s32 %r5, %r4, %r1;\n"
         "and.b32 %r6, %r5, 12; xor.b32 %r7, %r6, %r1; st.global.u32 [%rd2], %r7; ret;\n}\n",
         "MOV ULDC.64 S2R IADD3 LEA LOP3.LUT STG.E EXIT", 80},
        {"cvt.rn.f32.u32 %f1, %r1; mul.f32 %f2, %f1, %f1; add.f32 %f3, %f2, %f1; mul.rn.f32 %f4, %f3, %f1;\n"
         "add.rn.f32 %f5, %f4, %f3; st.global.f32 [%rd2], %f5; ret;\n}\n",
         "MOV ULDC.64 S2R I2F FFMA FMUL FADD STG.E EXIT", 80},
        {"cvt.rn.f32.u32 %f1, %r1; st.global.f32 [%rd2], %f1; ret;\n}\n", "MOV ULDC.64 S2R I2FP.F32.S32 STG.E EXIT",
         89},
        /* a compare also combines its result with another predicate */
        {"setp.lt.s32 %p1, %r1, 9; setp.ge.s32 %p2, %r1, 3; setp.eq.u32 %p3, %r1, 5; or.pred %p4, %p1, %p2;\n"
         "and.pred %p5, %p3, %p4; selp.u32 %r2, 1, 2, %p5; st.global.u32 [%rd2], %r2; ret;\n}\n",
         "MOV ULDC.64 S2R ISETP.LT.AND ISETP.LT.AND ISETP.LT.AND SEL STG.E EXIT", 80},
        /* a shift that several sums read is part of each; the halves of a division by 64; a test of bits */
        {"shl.b32 %r2, %r1, 2; add.s32 %r3, %r2, %r5; mul.lo.s32 %r6, %r1, %r1; add.s32 %r4, %r6, %r2;\n"
         "st.global.v2.u32 [%rd2], {%r3, %r4}; ret;\n}\n",
         "MOV ULDC.64 S2R LEA IMAD LEA STG.E.64 EXIT", 80},
        {"shr.s32 %r2, %r1, 31; shr.u32 %r3, %r2, 26; add.s32 %r4, %r1, %r3; shr.s32 %r5, %r4, 6;\n"
         "st.global.u32 [%rd2], %r5; ret;\n}\n",
         "MOV ULDC.64 S2R SHF.R.S32.HI LEA.HI SHF.R.S32.HI STG.E EXIT", 80},
        {"and.b32 %r2, %r1, 3; setp.eq.s32 %p1, %r2, 0; selp.u32 %r3, 1, 2, %p1; st.global.u32 [%rd2], %r3; "
         "ret;\n}\n",
         "MOV ULDC.64 S2R LOP3.LUT SEL STG.E EXIT", 80},
        /* the index of a wide product changes later, after the sum, or before it */
        {"mov.u32 %r2, %r1; add.s32 %r2, %r2, %r1; mul.wide.u32 %rd3, %r2, 4; add.s64 %rd4, %rd1, %rd3;\n"
         "add.s32 %r2, %r2, %r1; st.global.u32 [%rd4], %r2; ret;\n}\n",
         "MOV ULDC.64 S2R IMAD.MOV.U32 IMAD.MOV.U32 IADD3 IMAD.WIDE IADD3 STG.E EXIT", 80},
        {"mov.u32 %r2, %r1; add.s32 %r2, %r2, %r1; mul.wide.u32 %rd3, %r2, 4; add.s32 %r2, %r2, %r1;\n"
         "add.s64 %rd4, %rd1, %rd3; st.global.u32 [%rd4], %r2; ret;\n}\n",
         "MOV ULDC.64 S2R IMAD.MOV.U32 IADD3 IMAD.WIDE IADD3 IADD3 IADD3.X STG.E EXIT", 80},
        /* expansions have the same counts as in ptxas */
        {"cvt.rn.f32.u32 %f1, %r1; ex2.approx.f32 %f2, %f1; ex2.approx.ftz.f32 %f3, %f2; st.global.f32 [%rd2], %f3;"
         "ret;\n}\n",
         "MOV ULDC.64 S2R I2F FSETP.GEU.AND FMUL MUFU.EX2 FMUL MUFU.EX2 STG.E EXIT", 80},
        {"max.s32 %r2, %r1, 4; st.global.u32 [%rd2], %r2; ret;\n}\n",
         "LDC ULDC.64 LDC.64 LDC.64 S2R VIMNMX STG.E EXIT", 90},
        {"cvt.s64.s32 %rd3, %r1; add.s64 %rd4, %rd3, %rd3; mul.lo.s64 %rd5, %rd4, %rd3; st.global.u64 [%rd2], %rd5;"
         "ret;\n}\n",
         "MOV ULDC.64 S2R SHF.R.S32.HI IADD3 IADD3.X IMAD IMAD IMAD.WIDE.U32 IADD3 STG.E.64 EXIT", 80},
        /* a load that other loads depend on comes first: both loads precede the addition */
        {"ld.global.f32 %f1, [%rd1]; add.rn.f32 %f2, %f1, 0f3F800000; ld.global.f32 %f3, [%rd1+4];\n"
         "add.rn.f32 %f4, %f2, %f3; st.global.f32 [%rd2], %f4; ret;\n}\n",
         "MOV ULDC.64 LDG.E LDG.E FADD FADD STG.E EXIT", 80},
        /* but not before a store that may write the same bytes */
        {"ld.global.f32 %f1, [%rd1]; st.global.f32 [%rd2], %f1; ld.global.f32 %f3, [%rd1+4];\n"
         "st.global.f32 [%rd2+4], %f3; ret;\n}\n",
         "MOV ULDC.64 LDG.E STG.E LDG.E STG.E EXIT", 80},
        {"ld.global.v4.f32 {%f1,%f2,%f3,%f4}, [%rd1]; st.global.v4.f32 [%rd2], {%f1,%f2,%f3,%f4}; ret;\n}\n",
         "MOV ULDC.64 LDG.E.128 STG.E.128 EXIT", 80},
        /* cache operators become scopes, as ptxas writes them; .nc makes them void */
        {"ld.global.ca.f32 %f1, [%rd1]; st.global.wb.f32 [%rd2], %f1; ret;\n}\n",
         "MOV ULDC.64 LDG.E.STRONG.CTA STG.E.STRONG.CTA EXIT", 80},
        {"ld.global.cg.f32 %f1, [%rd1]; st.global.cg.f32 [%rd2], %f1; ret;\n}\n",
         "MOV ULDC.64 LDG.E.STRONG.GPU STG.E.STRONG.GPU EXIT", 80},
        {"ld.global.cv.f32 %f1, [%rd1]; st.global.wt.f32 [%rd2], %f1; ret;\n}\n",
         "MOV ULDC.64 LDG.E.STRONG.SYS STG.E.STRONG.SYS EXIT", 80},
        {"ld.global.cs.v4.f32 {%f1,%f2,%f3,%f4}, [%rd1]; st.global.cs.v4.f32 [%rd2], {%f1,%f2,%f3,%f4}; ret;\n}\n",
         "MOV ULDC.64 LDG.E.EF.128 STG.E.EF.128 EXIT", 80},
        {"ld.global.lu.f32 %f1, [%rd1]; st.global.f32 [%rd2], %f1; ret;\n}\n", "MOV ULDC.64 LDG.E.LU STG.E EXIT",
         80},
        {"ld.global.nc.cs.f32 %f1, [%rd1]; st.global.f32 [%rd2], %f1; ret;\n}\n",
         "MOV ULDC.64 LDG.E.EF.CONSTANT STG.E EXIT", 80},
        {"ld.global.ca.nc.f32 %f1, [%rd1]; st.global.f32 [%rd2], %f1; ret;\n}\n",
         "MOV ULDC.64 LDG.E.CONSTANT STG.E EXIT", 80},
        {"ld.relaxed.cluster.global.f32 %f1, [%rd1]; st.relaxed.cluster.global.f32 [%rd2], %f1; ret;\n}\n",
         "LDC ULDC.64 LDG.E.STRONG.GPU LDC.64 LDC.64 STG.E.STRONG.GPU EXIT", 90},
        /* adjacent shared memory loads become one load if the address is known to be aligned */
        {".shared .align 16 .b8 s[64]; shl.b32 %r2, %r1, 4; mov.u32 %r3, s; add.s32 %r4, %r3, %r2;\n"
         "ld.shared.f32 %f1, [%r4]; ld.shared.f32 %f2, [%r4+4]; ld.shared.f32 %f3, [%r4+8];\n"
         "ld.shared.f32 %f4, [%r4+12]; st.global.v4.f32 [%rd2], {%f1,%f2,%f3,%f4}; ret;\n}\n",
         "MOV ULDC.64 S2R SHF.L.U32 LDS.128 STG.E.128 EXIT", 80},
        {".shared .align 16 .b8 s[64]; shl.b32 %r2, %r1, 2; mov.u32 %r3, s; add.s32 %r4, %r3, %r2;\n"
         "ld.shared.f32 %f1, [%r4]; ld.shared.f32 %f2, [%r4+4]; add.f32 %f3, %f1, %f2;\n"
         "st.global.f32 [%rd2], %f3; ret;\n}\n",
         "MOV ULDC.64 S2R SHF.L.U32 LDS LDS FADD STG.E EXIT", 80},
        {".shared .align 16 .b8 s[64]; shl.b32 %r2, %r1, 3; mov.u32 %r3, s; add.s32 %r4, %r3, %r2;\n"
         "ld.shared.f32 %f1, [%r4]; st.shared.f32 [%r4+4], %f1; ld.shared.f32 %f2, [%r4+4];\n"
         "st.global.f32 [%rd2], %f2; ret;\n}\n",
         "MOV ULDC.64 S2R SHF.L.U32 LDS STS LDS STG.E EXIT", 80},
        /* an atomic whose result is unused is a reduction; lanes with one address are combined before */
        {"mul.wide.u32 %rd3, %r1, 4; add.s64 %rd4, %rd2, %rd3; atom.global.add.u32 %r2, [%rd4], %r1; ret;\n}\n",
         "MOV ULDC.64 S2R IMAD.MOV.U32 IMAD.WIDE RED.E.ADD.STRONG.GPU EXIT", 80},
        {"atom.global.add.u32 %r2, [%rd2], %r1; ret;\n}\n",
         "MOV ULDC.64 S2R S2R VOTEU.ANY UFLO.U32 REDUX IMAD.MOV.U32 ISETP.EQ.U32.AND RED.E.ADD.STRONG.GPU EXIT",
         80},
        /* from sm_80 on, lanes that add 1 to shared memory are counted, if no op reads the old value */
        {"red.shared.add.u32 [%r1], 1; ret;\n}\n", "MOV S2R ATOMS.POPC.INC.32 EXIT", 80},
        {"red.shared.add.u32 [%r1], 1; ret;\n}\n", "MOV S2R ATOMS.ADD EXIT", 75},
        {"red.shared.add.u32 [%r1], 2; ret;\n}\n", "MOV S2R ATOMS.ADD EXIT", 80},
        {"atom.shared.add.u32 %r2, [%r1], 1; st.global.u32 [%rd2], %r2; ret;\n}\n",
         "MOV ULDC.64 S2R ATOMS.ADD STG.E EXIT", 80},
        /* a short branch becomes predication; divergent lanes reconverge */
        {"setp.gt.u32 %p1, %r1, 7; @%p1 bra after; st.global.u32 [%rd2], %r1;\n"
         "after: st.global.u32 [%rd2+4], %r1; ret;\n}\n",
         "MOV ULDC.64 S2R ISETP.LT.AND STG.E STG.E EXIT", 80},
        {"setp.gt.u32 %p1, %r1, 7; @%p1 bra after; not.b32 %r1, %r1; not.b32 %r1, %r1;\n"
         "not.b32 %r1, %r1; not.b32 %r1, %r1; not.b32 %r1, %r1; not.b32 %r1, %r1; not.b32 %r1, %r1;\n"
         "not.b32 %r1, %r1; not.b32 %r1, %r1;\n"
         "after: st.global.u32 [%rd2+4], %r1; ret;\n}\n",
         "MOV ULDC.64 S2R ISETP.LT.AND BSSY BRA " NINE "BSYNC STG.E EXIT", 80},
    };
    char text[600], got[800];

    (void)state;
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        snprintf(text, sizeof text, "%s%s", ENTRY, rows[k].body);
        opcodes_of(text, rows[k].arch, got, sizeof got);
        assert_string_equal(got, rows[k].want);
    }
}

static void long_expansions_have_their_counts(void **state)
{
    /* Counts beyond those of an empty kernel, measured with ptxas 13.0 for sm_75, sm_80, sm_90. */
    static const struct {
        const char *inst;
        uint32_t want[3];
    } rows[] = {
        {"div.s32 %r2, %r1, %r3;", {24, 26, 26}},   {"div.u32 %r2, %r1, %r3;", {18, 18, 18}},
        {"rem.s32 %r2, %r1, %r3;", {22, 24, 24}},   {"rem.u32 %r2, %r1, %r3;", {17, 17, 17}},
        {"bfe.u32 %r2, %r1, %r3, %r3;", {5, 5, 5}}, {"clz.b32 %r2, %r1;", {2, 2, 2}},
        {"mul24.lo.s32 %r2, %r1, %r3;", {3, 3, 3}}, {"popc.b32 %r2, %r1;", {1, 1, 1}},
        {"abs.s32 %r2, %r1;", {2, 2, 2}},           {"bfi.b32 %r2, %r1, %r3, 3, 4;", {2, 2, 2}},
    };
    static const uint32_t arch[3] = {75, 80, 90};
    char text[600], got[2000];

    (void)state;
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++)
        for (int a = 0; a < 3; a++) {
            uint32_t n = 1;

            snprintf(text, sizeof text, "%smov.u32 %%r3, %%laneid; %s st.global.u32 [%%rd2], %%r2; ret;\n}\n",
                     ENTRY, rows[k].inst);
            opcodes_of(text, arch[a], got, sizeof got);
            for (const char *p = got; *p; p++)
                n += *p == ' ';
            /* S2R once or twice, store, exit, and the prologue */
            n -= 4 + (arch[a] >= 80) + 2 * (arch[a] >= 90) + (strstr(rows[k].inst, "%r3") != NULL);
            assert_int_equal(n, rows[k].want[a]);
        }
}

/* --- what is executed --- */

static const char busy[] =
    ".func (.param .b32 res) twice(.param .b32 x)\n{\n.reg .b32 %r<3>;\n"
    "ld.param.u32 %r1, [x]; add.s32 %r2, %r1, %r1; st.param.b32 [res], %r2; ret;\n}\n"
    ".visible .entry k(.param .u64 in, .param .u64 out)\n{\n"
    ".reg .b32 %r<20>; .reg .b64 %rd<20>; .reg .pred %p<4>;\n.shared .align 4 .b8 s[256]; .local .align 4 .b8 "
    "l[8];\n"
    "ld.param.u64 %rd1, [in]; ld.param.u64 %rd2, [out];\n"
    "mov.u32 %r1, %tid.x; mov.u32 %r2, 0; mov.u32 %r3, %r1;\n"
    "loop: setp.ge.s32 %p1, %r2, %r3; @%p1 bra after; and.b32 %r4, %r3, 1; setp.eq.s32 %p2, %r4, 0;\n"
    "@%p2 bra even; mul.lo.s32 %r5, %r3, 3; add.s32 %r2, %r2, %r5; bra.uni next;\n"
    "even: div.s32 %r6, %r3, 3; add.s32 %r2, %r2, %r6; add.s32 %r2, %r2, 1;\n"
    "next: add.s32 %r2, %r2, 1; bra.uni loop;\n"
    "after: mov.u64 %rd3, s; mul.wide.u32 %rd4, %r1, 4; add.s64 %rd5, %rd3, %rd4; st.shared.u32 [%rd5], %r2;\n"
    "bar.sync 0; xor.b32 %r7, %r1, 63; mul.wide.u32 %rd6, %r7, 4; add.s64 %rd7, %rd3, %rd6;\n"
    "ld.shared.u32 %r8, [%rd7]; shfl.sync.bfly.b32 %r9, %r8, 1, 31, -1; add.s32 %r10, %r9, %r8;\n"
    "{ .param .b32 a; .param .b32 b; st.param.b32 [a], %r10; call.uni (b), twice, (a); ld.param.b32 %r11, [b]; }\n"
    "mov.u64 %rd8, l; st.local.u32 [%rd8+4], %r11; ld.local.u32 %r12, [%rd8+4];\n"
    "cvta.shared.u64 %rd9, %rd5; st.u32 [%rd9], %r12; ld.u32 %r13, [%rd9];\n"
    "add.s64 %rd10, %rd2, %rd4; st.global.u32 [%rd10], %r13; @%p1 atom.global.add.u32 %r14, [%rd10], 1; ret;\n}\n";

enum { FUNCTIONS = 2, OPS = 128, ACCESSES = 4096 };
struct seen {
    uint64_t executed[FUNCTIONS][OPS];
    const struct ptx_code *code[FUNCTIONS];
    uint64_t address[ACCESSES], base;
    uint32_t count;
    bool parameter; /* the op accesses a function parameter, which is in registers on the machine */
};

static void see_op(void *ctx, uint32_t warp, const struct ptx_code *code, uint32_t op, uint32_t mask)
{
    struct seen *s = ctx;
    uint32_t f = s->code[0] == code || !s->code[0] ? 0 : 1;

    (void)warp;
    (void)mask;
    s->code[f] = code;
    s->executed[f][op]++;
    s->parameter = ptx_has(&code->function->insts[op], ".param");
    /* Converts generic addresses back to their windows. */
    s->base = code->ops[op].access < code->access_count && code->accesses[code->ops[op].access].space == PTX_GENERIC
                  ? PTX_SHARED_BASE
                  : 0;
}

static void see_address(void *ctx, uint32_t warp, const struct ptx_touched *a)
{
    struct seen *s = ctx;

    (void)warp;
    if (s->parameter)
        return;
    for (uint32_t mask = a->mask; mask; mask &= mask - 1)
        if (s->count < ACCESSES)
            s->address[s->count++] = a->at[__builtin_ctz(mask)] + s->base;
}

static int by_value(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

    return x < y ? -1 : x > y;
}

struct traced {
    uint64_t instructions, address[ACCESSES], digest;
    uint32_t count, registers, highest;
};

static void read_all(struct inst_source *s, struct traced *t)
{
    struct cta_trace *cta;
    struct err e;
    int got;

    while ((got = inst_source_next_cta(s, &cta, &e)) > 0) {
        for (uint32_t w = 0; w < cta->warp_count; w++)
            for (uint32_t k = 0; k < cta->warps[w].count; k++) {
                const struct warp_inst *i = &cta->warps[w].insts[k];
                const struct trace_inst *x = &s->insts[i->inst];

                t->instructions++;
                t->digest = (t->digest ^ i->inst ^ ((uint64_t)i->mask << 20)) * 0x9e3779b97f4a7c15u;
                if (x->dst_count && (uint32_t)x->dst + x->dst_regs > t->highest)
                    t->highest = (uint32_t)x->dst + x->dst_regs;
                for (uint32_t r = 0; r < x->src_count; r++)
                    if (x->src[r] != REG_ZERO && (uint32_t)x->src[r] + x->src_regs[r] > t->highest)
                        t->highest = (uint32_t)x->src[r] + x->src_regs[r];
                if (i->address != UINT32_MAX) {
                    struct lane_addresses a;

                    cta_addresses(cta, i->address, &a);
                    for (uint32_t m = i->mask; m; m &= m - 1) {
                        uint32_t lane = (uint32_t)__builtin_ctz(m), first = (uint32_t)__builtin_ctz(i->mask);

                        assert_true(t->count < ACCESSES);
                        t->address[t->count++] = a.kind == ADDRESS_LIST
                                                     ? a.list[lane]
                                                     : a.base + (uint64_t)(a.stride * (int64_t)(lane - first));
                    }
                }
            }
        inst_source_release_cta(s, cta);
    }
    CHECK_OK(got, &e);
    t->registers = s->info.registers;
}

static void trace_busy(uint32_t arch, uint32_t registers, struct traced *t, struct seen *seen)
{
    struct bench *b = bench_open(busy);
    uint64_t params[2] = {bench_alloc(b, 256), bench_alloc(b, 1024)};
    struct ptx_launch l = {.module = b->module,
                           .function = ptx_find_function(ptx_program_module(b->program, b->module), "k"),
                           .grid = {3, 1, 1},
                           .block = {64, 1, 1},
                           .params = params,
                           .param_bytes = 16};
    const struct ptx_source_options o = {.arch = arch, .registers = registers};
    struct inst_source *s;
    struct err e;

    *t = (struct traced){0};
    CHECK_OK(ptx_source_new(b->program, &l, NULL, &o, &s, &e), &e);
    read_all(s, t);
    assert_int_equal(t->instructions, ptx_source_instructions(s));
    inst_source_release(s);
    if (seen) {
        struct ptx_observer observer = {.ctx = seen, .executed = see_op, .memory = see_address};
        struct ptx_machine_table table = {.arch = arch};
        uint64_t want = 0;

        b->options.observer = &observer;
        CHECK_OK(ptx_launch_run(b->program, &l, &b->options, &b->stats, &e), &e);
        for (uint32_t f = 0; f < FUNCTIONS; f++) {
            struct ptx_lowered *x;

            CHECK_OK(ptx_lower(&table, seen->code[f], &x, &e), &e);
            for (uint32_t k = 0; k < x->segment_count; k++)
                for (uint32_t m = 0; m < x->segments[k].count; m++)
                    want += seen->executed[f][x->segments[k].first_op + x->machine[x->segments[k].first + m].op];
            ptx_lowered_free(x);
        }
        ptx_machine_table_release(&table);
        assert_int_equal(t->instructions, want);
    }
    bench_close(b);
}

static void a_trace_has_what_was_executed(void **state)
{
    static struct seen seen;
    struct traced *t = calloc(1, sizeof *t), *again = calloc(1, sizeof *again);

    (void)state;
    assert_non_null(t);
    assert_non_null(again);
    trace_busy(80, 0, t, &seen);
    assert_true(t->instructions > 500);
    assert_true(t->highest <= t->registers);
    assert_int_equal(t->count, seen.count);
    qsort(t->address, t->count, sizeof *t->address, by_value);
    qsort(seen.address, seen.count, sizeof *seen.address, by_value);
    assert_memory_equal(t->address, seen.address, t->count * sizeof *t->address);
    trace_busy(80, 0, again, NULL);
    assert_true(again->digest == t->digest && again->instructions == t->instructions);
    free(t);
    free(again);
}

/* --- unrolled loops --- */

/* A loop that loads 4 and 8 bytes a round. In place of %s: what is before its body, and its end. */
static const char round_of[] =
    ".visible .entry k(.param .u64 in, .param .u64 out, .param .u32 n)\n{\n"
    ".reg .b32 %%r<20>; .reg .b64 %%rd<20>; .reg .pred %%p<4>;\n"
    "ld.param.u64 %%rd1, [in]; ld.param.u64 %%rd2, [out]; ld.param.u32 %%r1, [n]; mov.u32 %%r2, 0;\n"
    "loop: %s ld.global.u32 %%r3, [%%rd1]; ld.global.u64 %%rd3, [%%rd1+16]; cvt.u32.u64 %%r4, %%rd3;\n"
    "add.s32 %%r5, %%r5, %%r3; xor.b32 %%r5, %%r5, %%r4; add.s64 %%rd1, %%rd1, 64; add.s32 %%r2, %%r2, 1;\n"
    "%s st.global.u32 [%%rd2], %%r5; ret;\n}\n";

struct loop_trace {
    uint64_t first[2][64]; /* addresses of the first lane, of loads of 4 and of 8 bytes */
    uint32_t loads[2], branches, most_in_a_row;
};

/* The first CTA of a kernel k(in, out, n), executed by one warp. */
struct traced_cta {
    struct bench *bench;
    struct inst_source *source;
    struct cta_trace *cta;
    uint64_t in;
};

static void trace_cta(struct traced_cta *x, const char *text, uint32_t arch, uint64_t n)
{
    uint64_t params[3] = {0, 0, n};
    struct ptx_launch l = {.grid = {1, 1, 1}, .block = {32, 1, 1}, .params = params};
    const struct ptx_source_options o = {.arch = arch};
    const struct ptx_module *m;
    struct err e;

    x->bench = bench_open(text);
    params[0] = x->in = bench_alloc(x->bench, 8192);
    params[1] = bench_alloc(x->bench, 256);
    m = ptx_program_module(x->bench->program, x->bench->module);
    l.module = x->bench->module;
    l.function = ptx_find_function(m, "k");
    l.param_bytes = m->functions[l.function].param_bytes;
    CHECK_OK(ptx_source_new(x->bench->program, &l, NULL, &o, &x->source, &e), &e);
    CHECK_OK(inst_source_next_cta(x->source, &x->cta, &e) - 1, &e);
}

static void end_trace(struct traced_cta *x)
{
    inst_source_release_cta(x->source, x->cta);
    inst_source_release(x->source);
    bench_close(x->bench);
}

/* Executes n rounds by one warp. */
static void trace_loop(const char *before, const char *end, uint32_t n, struct loop_trace *t)
{
    char text[2000];
    struct traced_cta x;
    uint32_t in_a_row = 0;

    snprintf(text, sizeof text, round_of, before, end);
    trace_cta(&x, text, 80, n);
    *t = (struct loop_trace){.branches = 0};
    for (uint32_t k = 0; k < x.cta->warps[0].count; k++) {
        const struct warp_inst *i = &x.cta->warps[0].insts[k];
        const char *opcode = x.source->opcodes[x.source->insts[i->inst].opcode];
        struct lane_addresses a;

        t->branches += strcmp(opcode, "BRA") == 0;
        if (strncmp(opcode, "LDG", 3) == 0) {
            bool wide = x.source->insts[i->inst].width == 8;

            cta_addresses(x.cta, i->address, &a);
            assert_true(a.kind != ADDRESS_LIST && t->loads[wide] < 64);
            t->first[wide][t->loads[wide]++] = a.base - x.in - (wide ? 16 : 0);
            t->most_in_a_row = ++in_a_row > t->most_in_a_row ? in_a_row : t->most_in_a_row;
        } else if (strncmp(opcode, "LOP3", 4) == 0 || strncmp(opcode, "IADD3", 5) == 0) {
            in_a_row = 0; /* a use */
        }
    }
    end_trace(&x);
}

#define UP_TO(bound) "setp.lt.s32 %p1, %r2, " bound "; @%p1 bra loop;"
static void rounds_of_a_loop_are_joined(void **state)
{
    static const struct {
        const char *before, *end;
        uint32_t n, branches, least, most; /* least, most: loads before the first use */
    } rows[] = {
        {"", UP_TO("%r1"), 11, 4, 8, 8},                       /* 4 + 4 + 2 + 1 */
        {"", UP_TO("%r1"), 1, 1, 2, 2},                        /* */
        {"", UP_TO("6"), 6, 0, 12, 12},                        /* the number is known */
        {".pragma \"nounroll\";", UP_TO("%r1"), 11, 11, 2, 2}, /* */
        {"shfl.sync.bfly.b32 %r6, %r5, 1, 31, -1;", UP_TO("%r1"), 11, 11, 2, 2},
        {"add.s32 %r1, %r1, %r7;", UP_TO("%r1"), 11, 11, 2, 2}, /* the bound changes */
        /* lanes leave by the branch, and another branch goes back */
        {"", "setp.ge.s32 %p1, %r2, %r1; @%p1 bra done; bra.uni loop; done: mov.u32 %r9, 1;", 11, 4, 8, 8},
        {"", "setp.lt.s32 %p1, %r2, %r1; @!%p1 bra done; bra.uni loop; done: mov.u32 %r9, 1;", 11, 4, 8, 8},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct loop_trace t;

        trace_loop(rows[i].before, rows[i].end, rows[i].n, &t);
        assert_int_equal(t.branches, rows[i].branches);
        assert_true(t.most_in_a_row >= rows[i].least && t.most_in_a_row <= rows[i].most);
        for (uint32_t wide = 0; wide < 2; wide++) {
            assert_int_equal(t.loads[wide], rows[i].n);
            qsort(t.first[wide], t.loads[wide], sizeof **t.first, by_value);
            for (uint32_t k = 0; k < t.loads[wide]; k++)
                assert_int_equal(t.first[wide][k], 64 * k);
        }
    }
}

/* The number of instructions with this opcode in the longest unrolled form of a loop. */
static uint32_t count_unrolled(const char *text, const char *opcode)
{
    struct ptx_machine_table t = {.arch = 86};
    struct bench *b = bench_open(text);
    const struct ptx_unrolled *u;
    const struct ptx_code *c;
    struct ptx_lowered *l;
    uint32_t n = 0;
    struct err e;

    c = ptx_program_code(b->program, b->module, 0, &e);
    CHECK_OK(c ? 0 : -1, &e);
    CHECK_OK(ptx_lower(&t, c, &l, &e), &e);
    assert_true(l->unrolled_count > 0);
    u = &l->unrolled[l->unrolled_count - 1];
    assert_true(u->sole && u->rounds == 9);
    for (uint32_t k = u->inst; k < u->inst + u->count; k++)
        n += strncmp(t.opcodes[t.insts[k].opcode], opcode, strlen(opcode)) == 0;
    ptx_lowered_free(l);
    ptx_machine_table_release(&t);
    bench_close(b);
    return n;
}

/* A 3 x 3 filter: row and column of a round are computed from the counter. */
static void constants_of_a_round_need_no_instruction(void **state)
{
    static const char begin[] = ENTRY
        ".shared .b32 tile[1024];\n"
        "mov.u32 %r9, tile; mov.u32 %r2, 0;\n"
        "loop: mul.lo.u32 %r3, %r2, 171; shr.u32 %r4, %r3, 9; mul.lo.u32 %r5, %r4, 3; sub.u32 %r6, %r2, %r5;\n"
        "mad.lo.u32 %r7, %r4, 32, %r1; add.u32 %r8, %r7, %r6;\n";
    static const char end[] =
        "add.f32 %f2, %f2, %f1; add.s32 %r2, %r2, 1; setp.lt.s32 %p1, %r2, 9; @%p1 bra loop;\n"
        "st.global.f32 [%rd2], %f2; ret;\n}\n";
    /* ptxas 13.0, sm_86: nine loads and nine additions, their addresses are one register plus constants */
    static const char shared[] = "shl.b32 %r10, %r8, 2; add.u32 %r11, %r10, %r9; ld.shared.f32 %f1, [%r11];";
    /* a 64-bit address that is extended from a 32-bit sum, which may overflow: nine of them */
    static const char global[] = "mul.wide.u32 %rd3, %r8, 4; add.s64 %rd4, %rd1, %rd3; ld.global.f32 %f1, [%rd4];";
    char text[3000];

    (void)state;
    snprintf(text, sizeof text, "%s%s%s", begin, shared, end);
    assert_int_equal(count_unrolled(text, "LDS"), 9);
    assert_int_equal(count_unrolled(text, "FADD"), 9);
    assert_true(count_unrolled(text, "") <= 22);
    snprintf(text, sizeof text, "%s%s%s", begin, global, end);
    assert_int_equal(count_unrolled(text, "LDG"), 9);
    assert_int_equal(count_unrolled(text, "SHF"), 0);
    assert_int_equal(count_unrolled(text, "IMAD.WIDE"), 9);
}

/* --- atomics of several lanes --- */

/* The lanes of the one atomic instruction of a warp that executes this body, and the opcodes around it. */
static uint32_t lanes_of_atomic(const char *body, uint32_t arch, char *opcodes, size_t room)
{
    char text[2000];
    struct traced_cta x;
    uint32_t lanes = 0;

    snprintf(text, sizeof text, "%s%s ret;\n}\n", ENTRY, body);
    trace_cta(&x, text, arch, 5);
    *opcodes = 0;
    for (uint32_t k = 0; k < x.cta->warps[0].count; k++) {
        const struct warp_inst *i = &x.cta->warps[0].insts[k];
        const char *opcode = x.source->opcodes[x.source->insts[i->inst].opcode];

        assert_true(strlen(opcodes) + strlen(opcode) + 2 < room);
        strcat(strcat(opcodes, opcode), " ");
        if (i->address != UINT32_MAX && (strncmp(opcode, "RED", 3) == 0 || strncmp(opcode, "ATOM", 4) == 0)) {
            assert_int_equal(lanes, 0);
            lanes = i->mask;
        }
    }
    end_trace(&x);
    return lanes;
}

static void lanes_with_one_address_access_it_once(void **state)
{
    /* as ptxas 13.0 compiles them */
    static const struct {
        const char *body;
        uint32_t arch, lanes;
        const char *has; /* NULL: nothing is combined */
    } rows[] = {
        {"red.global.add.u32 [%rd2], 1;", 86, 1, "VOTEU.ANY"},
        {"ld.param.u32 %r2, [n]; atom.global.add.u32 %r3, [%rd2], %r2; st.global.u32 [%rd1], %r3;", 75, 1,
         "SHFL.IDX"},
        {"setp.gt.u32 %p1, %r1, 7; @%p1 red.global.add.u32 [%rd2], 1;", 86, 1u << 8, "VOTEU.ANY"},
        {"red.global.max.u32 [%rd2], %r1;", 86, 1, "REDUX"},
        {"red.global.max.u32 [%rd2], %r1;", 75, 1, "SHFL.UP"},
        {"atom.global.add.u32 %r3, [%rd2], %r1; st.global.u32 [%rd1], %r3;", 90, 1, "SHFL.UP"},
        /* not all lanes take part: each adds its own */
        {"setp.gt.u32 %p1, %r1, 7; @%p1 atom.global.add.u32 %r3, [%rd2], %r1; st.global.u32 [%rd1], %r3;", 90,
         0xffffff00, "SHFL.UP"},
        {"atom.global.max.u32 %r3, [%rd2], %r1; st.global.u32 [%rd1], %r3;", 86, UINT32_MAX, NULL},
        {"atom.global.exch.b32 %r3, [%rd2], 4; st.global.u32 [%rd1], %r3;", 86, UINT32_MAX, NULL},
        {"cvt.rn.f32.u32 %f1, %r1; red.global.add.f32 [%rd2], %f1;", 86, UINT32_MAX, NULL},
        {"mad.wide.u32 %rd3, %r1, 4, %rd2; red.global.add.u32 [%rd3], 1;", 86, UINT32_MAX, NULL},
        {"mul.wide.u32 %rd3, %r1, 0; add.s64 %rd3, %rd3, %rd2; red.global.add.u32 [%rd3], 1;", 86, UINT32_MAX,
         NULL},
    };
    char opcodes[2000];

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        assert_int_equal(lanes_of_atomic(rows[i].body, rows[i].arch, opcodes, sizeof opcodes), rows[i].lanes);
        if (rows[i].has)
            assert_non_null(strstr(opcodes, rows[i].has));
        else
            assert_true(!strstr(opcodes, "VOTE") && !strstr(opcodes, "SHFL") && !strstr(opcodes, "REDUX"));
    }
}

static void given_registers_are_declared_and_suffice(void **state)
{
    struct traced *t = calloc(1, sizeof *t);

    (void)state;
    assert_non_null(t);
    trace_busy(80, 40, t, NULL);
    assert_int_equal(t->registers, 40);
    assert_true(t->highest < 40);
    trace_busy(80, 6, t, NULL); /* fewer than the live values need: they are shared */
    assert_int_equal(t->registers, 6);
    assert_true(t->highest <= 6);
    free(t);
}

/* --- registers --- */

/* `ptxas -arch=sm_80 -v`, version 13.0, of the examples' committed PTX: "Used N registers". */
static const struct {
    const char *kernel;
    uint32_t registers;
} known[] = {
    {"degrees", 10},
    {"scan", 30},
    {"add_totals", 10},
    {"start", 14},
    {"push", 26},
    {"sweep", 16},
    {"collect", 12},
    {"convolve", 40},
    {"batch_moments", 26},
    {"normalise_relu", 20},
    {"max_pool", 14},
    {"fully_connected", 40},
    {"softmax", 18},
    {"sum", 12},
    {"count_above", 8},
    {"embed", 26},
    {"layer_norm", 40},
    {"matmul", 56},
    {"gemv", 32},
    {"gemv_gelu", 32},
    {"gemv_add", 32},
    {"gelu", 23},
    {"add", 14},
    {"append_cache", 18},
    {"softmax_causal", 22},
    {"attention_partial", 32},
    {"attention_combine", 32},
    {"argmax", 18},
    {"vector_add", 10},
};

static void estimates_are_near_what_ptxas_gives(void **state)
{
    static const char *const files[] = {"examples/tiny-gpt/tiny_gpt.ptx", "examples/cnn/cnn.ptx",
                                        "examples/bfs/bfs.ptx", "examples/vector-add/vector_add.ptx",
                                        "examples/reduction/reduction.ptx"};
    uint32_t n = 0, off = 0, far = 0;

    (void)state;
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        struct bench *b = bench_open(".func none() { ret; }\n");
        const struct ptx_module *m;
        struct ptx_module *parsed;
        uint32_t module;
        struct err e;

        CHECK_OK(ptx_parse_file(files[i], &parsed, &e), &e);
        CHECK_OK(ptx_program_load(b->program, parsed, &module, &e), &e);
        m = ptx_program_module(b->program, module);
        for (size_t k = 0; k < sizeof known / sizeof *known; k++) {
            uint32_t f = ptx_find_function(m, known[k].kernel);
            struct ptx_machine_table t = {.arch = 80};
            struct ptx_lowered *l;

            if (f == PTX_NONE)
                continue;
            CHECK_OK(ptx_lower(&t, ptx_program_code(b->program, module, f, &e), &l, &e), &e);
            n++;
            off += (uint32_t)abs((int)l->registers - (int)known[k].registers);
            far += abs((int)l->registers - (int)known[k].registers) > 8;
            ptx_lowered_free(l);
            ptx_machine_table_release(&t);
        }
        bench_close(b);
    }
    assert_true(n > 20);
    assert_true(off <= 6 * n);     /* mean error; a formula with only the live words has 5.4 on 555 kernels */
    assert_true(5 * far <= n + 5); /* 80 % within 8 */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_code_becomes_known_instructions),
        cmocka_unit_test(long_expansions_have_their_counts),
        cmocka_unit_test(a_trace_has_what_was_executed),
        cmocka_unit_test(rounds_of_a_loop_are_joined),
        cmocka_unit_test(constants_of_a_round_need_no_instruction),
        cmocka_unit_test(lanes_with_one_address_access_it_once),
        cmocka_unit_test(given_registers_are_declared_and_suffice),
        cmocka_unit_test(estimates_are_near_what_ptxas_gives),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
