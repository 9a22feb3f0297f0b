/* The parser and the printer: syntax from real files, errors with their location, and robustness. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/strbuf.h"
#include "ptx/parse/module.h"
#include "tests/harness/check.h"

#define HEAD ".version 7.0\n.target sm_80\n.address_size 64\n"

static struct ptx_module *parse(const char *text)
{
    struct ptx_module *m;
    struct err e;

    CHECK_OK(ptx_parse(text, strlen(text), "t.ptx", &m, &e), &e);
    return m;
}

/* Parses the text. Checks that there is no error and that the printed form parses to the same text. */
static struct ptx_module *parse_whole(const char *text)
{
    struct ptx_module *m = parse(text), *again;
    struct err e;
    char *first, *second;

    for (uint32_t i = 0; i < m->function_count; i++)
        if (m->functions[i].broken)
            fail_msg("%s", m->functions[i].fault.text);
    first = ptx_print(m, &e);
    again = parse(first);
    second = ptx_print(again, &e);
    assert_string_equal(first, second);
    free(first);
    free(second);
    ptx_module_free(again);
    return m;
}

static const struct ptx_function *function(const struct ptx_module *m, const char *name)
{
    uint32_t i = ptx_find_function(m, name);

    if (i == PTX_NONE)
        fail_msg("there is no function %s", name);
    return &m->functions[i];
}

static char *kernel_with(const char *statements)
{
    struct strbuf b = STRBUF_INIT;

    strbuf_addf(&b,
                HEAD
                ".global .align 4 .b8 array[64];\n.func (.param .b32 r) callee (.param .b64 a);\n"
                ".visible .entry k(.param .u64 p0, .param .u32 p1)\n{\n"
                ".reg .pred %%p<9>; .reg .b32 %%r<20>; .reg .b64 %%rd<9>; .reg .f32 %%f<9>; .reg .b16 %%h<9>;\n"
                ".reg .v4 .f32 %%v; .shared .align 16 .b8 tile[128];\n%s\nL_end: ret;\n}\n",
                statements);
    return strbuf_detach(&b);
}

/* --- valid modules --- */

static void every_statement_of_real_files_parses(void **state)
{
    static const char *const statements[] = {
        "add.s32 %r1, %r2, -7;",
        "@%p1 bra L_end;",
        "@!%p1 bra.uni L_end;",
        "setp.lt.and.s32 %p1|%p2, %r1, %r2, !%p3;",
        "mov.u32 %r1, %tid.x; mov.u32 %r2, %envreg3; mov.u64 %rd1, %clock64;",
        "mov.u32 %r1, %pm3; mov.u64 %rd1, %pm7_64; sub.u32 %r1, %clock, %r1; cvt.u64.u32 %rd1, %clock;",
        "mov.b64 %rd1, {%clock, %clock_hi}; st.v2.u32 [%rd1], {%clock, %r1}; mov.b64 {%r1, %r2}, %clock64;",
        "ld.param.u64 %rd1, [p0]; ld.param.u32 %r1, [p0+4];",
        "ld.global.nc.L1::no_allocate.L2::128B.v4.u32 {%r1, %r2, _, %r4}, [%rd1+-16];",
        "ld.volatile.shared.u32 %r1, [tile+8]; st.shared.f32 [tile], 0f3F800000;",
        "st.global.v2.f32 [%rd1], {%f1, 0f00000000};",
        "mov.b64 {%r1, %r2}, %rd1; mov.b64 %rd1, {%r2, %r1};",
        "mov.f32 %f1, 1.5; mov.f32 %f1, -2.5e-3; mov.b32 %r1, 0x7fffffffU; mov.b32 %r1, 0777; mov.b32 %r1, 0b101;",
        "mov.u32 %r1, (1 + 2) * 4 - WARP_SZ / 2; and.b32 %r1, %r2, ~3; shl.b32 %r1, %r2, 1 << 3;",
        "mov.u64 %rd1, array+8; mov.u64 %rd2, array; mov.u64 %rd3, callee; ld.global.u8 %h1, [array+3];",
        "vote.sync.ballot.b32 %r1, %p1, 0xffffffff; vote.ballot.sync.b32 %r1, %p1, -1;",
        "shfl.sync.down.b32 %r1|%p1, %r2, 1, 31, -1; match.all.sync.b32 %r1|%p1, %r2, -1;",
        "bar.sync 0; bar.red.popc.u32 %r1, 0, %p1; barrier.sync.aligned 1, 64;",
        "{ .reg .b32 t; .reg .pred q; mov.u32 t, 1; W: setp.eq.u32 q, t, 1; @q bra W; }\n"
        "{ .reg .b32 t; W: add.u32 t, t, 1; bra D; D: }",
        "{ .param .b64 param0; st.param.b64 [param0+0], %rd1; .param .b32 retval0; call.uni (retval0), callee, "
        "(param0);\n"
        "ld.param.b32 %r1, [retval0+0]; }",
        "proto: .callprototype (.param .b32 _) _ (.param .b64 _);\n"
        "{ .param .b64 param0; .param .b32 rv; call (rv), %rd1, (param0), proto; }",
        "A: nanosleep.u32 20; B: bra A; ts: .branchtargets A, B; brx.idx %r1, ts;",
        ".loc 1 12 3\nadd.s32 %r1, %r1, 1;\n.loc 1 13 0, function_name $L__info_string0, inlined_at 1 12 3\nret;",
        ".pragma \"nounroll\";",
        "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%f1,%f2,%f3,%f4}, {%r1,%r2,%r3,%r4}, {%r5,%r6}, "
        "{%f1,%f2,%f3,%f4};",
        "tex.2d.v4.f32.f32 {%f1,%f2,%f3,%f4}, [%rd1, {%f5,%f6}];",
        "cp.async.cg.shared.global [%r1], [%rd1], 16; cp.async.wait_group 0;",
        "atom.global.add.u32 %r1, [%rd1], 1; red.shared.add.u32 [tile+4], %r1; atom.cas.b32 %r1, [%rd1], 0, 1;",
        "vadd.s32.s32.s32.sat %r1, %r2.b0, %r3.h1; mov.f32 %f1, %v.x; dp4a.s32.u32 %r1, %r2, %r3, %r4;",
        "cvt.rni.sat.s32.f32 %r1, %f1; lop3.b32 %r1, %r2, %r3, %r4, 0x96; selp.b32 %r1, 1, 0, %p1;",
        "mov.b64 %rd1, 0d3FF0000000000000; mov.f32 %f1, 0f7FA00001; neg.f32 %f1, %f2; add.s32 %r1, %r2, -%r3;",
        "/* a comment\n over lines */ ret; // and one at the end",
        ";;",
    };

    (void)state;
    for (size_t i = 0; i < sizeof statements / sizeof *statements; i++) {
        char *text = kernel_with(statements[i]);

        ptx_module_free(parse_whole(text));
        free(text);
    }
}

static void directives_of_modules_and_functions_parse(void **state)
{
    struct ptx_module *m = parse_whole(
        ".version 9.0\n.target sm_90a, texmode_independent\n.address_size 64\n.file 1 \"a b.cu\"\n"
        ".file 2 \"c.h\", 123, 456\n.extern .shared .align 16 .b8 smem[];\n.func early();\n"
        ".section .debug_str { info: .b8 1,2,3 }\n.const .align 8 .f64 c[2] = {0d3FF0000000000000, 2.5};\n"
        ".global .u32 a = 5, b;\n.global .align 8 .u64 table[3] = {generic(a), a+8, early};\n"
        ".global .b32 grid[2][3] = {{1, 2}, {3}};\n.visible .global .v4 .f32 quad = {1.0, 2.0, 3.0, 4.0};\n"
        ".weak .func (.param .b32 r0) f (.param .align 8 .b8 s[24], .param .b32 x) .noreturn;\n"
        ".entry k(.param .u64 .ptr .global .align 16 q, .param .align 8 .b8 s[24], .param .u8 last)\n"
        ".maxntid 256, 1, 1\n.minnctapersm 2\n.maxnreg 64\n.reqnctapercluster 2, 1, 1\n{ ret; }\n"
        ".func (.reg .b32 out) g (.reg .b32 in) { mov.b32 out, in; ret; }\n"
        ".func (.param .b32 r0) f (.param .align 8 .b8 s[24], .param .b32 x) { .reg .b32 %r; ld.param.b32 %r, [x]; "
        "ret; }\n");

    (void)state;
    assert_int_equal(function(m, "k")->maxntid[0], 256);
    assert_int_equal(function(m, "k")->maxnreg, 64);
    assert_int_equal(function(m, "g")->results[0].reg, 0);
    ptx_module_free(m);
}

static void the_parts_of_a_module_are_there(void **state)
{
    struct ptx_module *m =
        parse(".version 7.8\r\n.target sm_86\r\n.address_size 64\r\n.global .b32 grid[2][3] = {{1, 2}, {3}};\n"
              ".global .f32 quad = 1.5;\n.global .align 8 .u64 t[2] = {generic(grid)+4, mask(0xff00)(grid)};\n"
              ".entry k(.param .u8 first, .param .u64 .ptr .global .align 16 q, .param .align 8 .b8 s[20], .param "
              ".u16 last)\n"
              ".reqntid 64\n{ .reg .b32 %r<3>;\n@!%q ret;\nadd.cc.u32 %r0, %r1, %r2; }\n.func late() { ret; }\n");
    const struct ptx_function *k = function(m, "k");
    const struct ptx_variable *grid = &m->variables[ptx_find_variable(m, "grid")];
    const struct ptx_variable *t = &m->variables[ptx_find_variable(m, "t")];
    const struct ptx_initial *one = &m->initials[grid->initial_first];

    (void)state;
    assert_int_equal(m->version_major * 100 + m->version_minor, 708);
    assert_int_equal(m->target, 86);
    assert_int_equal(k->param_count, 4);
    assert_int_equal(k->params[0].offset, 0);
    assert_int_equal(k->params[1].offset, 8);
    assert_int_equal(k->params[1].pointer_align, 16);
    assert_int_equal(k->params[2].offset, 16);
    assert_int_equal(k->params[3].offset, 36);
    assert_int_equal(k->param_bytes, 38);
    assert_int_equal(k->reqntid[0] * k->reqntid[1] * k->reqntid[2], 64);
    assert_int_equal(grid->bytes, 24);
    assert_int_equal(grid->initial_count, 3);
    assert_int_equal(one[1].offset, 4);
    assert_int_equal(one[2].offset, 12); /* the second row */
    assert_int_equal(one[2].value, 3);
    assert_int_equal(m->initials[m->variables[ptx_find_variable(m, "quad")].initial_first].value, 0x3fc00000);
    assert_true(m->initials[t->initial_first].generic);
    assert_int_equal(m->initials[t->initial_first].value, 4);
    assert_int_equal(m->initials[t->initial_first + 1].mask, 0xff00);
    /* an error affects only its function */
    assert_true(k->broken);
    assert_string_equal(k->fault.text, "t.ptx:10:3: `%q` is not a predicate register");
    assert_false(function(m, "late")->broken);
    assert_int_equal(function(m, "late")->inst_count, 1);
    ptx_module_free(m);
}

/* By the operators' precedence, which is C's. */
static void constant_expressions_have_their_values(void **state)
{
    static const struct {
        const char *text;
        int64_t value;
    } all[] = {
        {"1 + 2 * 3", 7},
        {"(1 + 2) * 3", 9},
        {"-7 / 2", -3},
        {"~5 & 0xff", 250},
        {"1 << 3 + 1", 16},
        {"256 >> 2 - 1", 128},
        {"3 > 2", 1},
        {"3 < 2", 0},
        {"2 <= 2", 1},
        {"2 >= 3", 0},
        {"1 == 1", 1},
        {"1 != 1", 0},
        {"5 & 3 == 3", 1},
        {"1 | 6 ^ 2", 5},
        {"2 && 0 || 3", 1},
        {"1 || 0 && 0", 1},
        {"!5", 0},
        {"!0 + 1", 2},
        {"1 ? 7 : 8", 7},
        {"0 ? 7 : 1 ? 9 : 4", 9},
        {"(2 > 1) ? -1 : 5", -1},
        {"-(3 - 8)", 5},
        {"16 / 4 / 2", 2},
        {"1 < 2 == 2 > 1", 1},
        /* signed and unsigned results as in ptxas 13.0 */
        {"-7 % 3", 0},
        {"7 % -3", 7},
        {"(0 - 7 % 3) < 0", 0},
        {"(-9223372036854775807 - 1) % -1", INT64_MIN},
        {"-7 / 2U", 9223372036854775804},
        {"-16U / 4", 4611686018427387900},
        {"18446744073709551615 / 2", INT64_MAX},
        {"9223372036854775808 / -1", 0},
        {"-8 >> 1", -4},
        {"-8 >> 1U", -4},
        {"-8U >> 1", 9223372036854775804},
        {"0xfffffffffffffff8 >> 1", 9223372036854775804},
        {"-8 >> 0", -8},
        {"-1 >> 64", -1},
        {"-1 >> 63", -1},
        {"1 << 70", 64},
        {"(1U << 63) < 0", 0},
        {"(1 << 63) < 0", 1},
        {"-1 < 1", 1},
        {"-1 < 1U", 0},
        {"-1U < 1", 0},
        {"-1 >= 1U", 1},
        {"-1U <= 1", 0},
        {"-1 <= 1", 1},
        {"0x8000000000000000 > 1", 1},
        {"9223372036854775807 + 1 < 0", 1},
        {"9223372036854775807 > -1", 1},
        {"-9223372036854775808 < 0", 0},
        {"-1 == 0xffffffffffffffff", 1},
        {"-1 + 0U > 1", 1},
        {"~0 > 1", 1},
        {"~7 >> 1", 9223372036854775804},
        {"(-8 & -1) >> 1", -4},
        {"(-8 | 0U) >> 1", 9223372036854775804},
        {"!0U - 2 < 0", 1},
        {"(1U < 2U) - 2 < 0", 1},
        {"(1U && 1U) - 2 < 0", 1},
        {"(1 ? -1 : 1U) > 1", 0},
        {"(0 ? 5U : 1) - 6 < 0", 1},
        {"(1 ? 5U : 1) - 6 < 0", 0},
        {"WARP_SZ - 33 < 0", 1},
        {"(.u64)-8 >> 1", 9223372036854775804},
        {"(.s64)0xfffffffffffffff8 >> 1", -4},
        {"(.s64)~7 / 2", -4},
        {"(.s64)(.u64)~-5 >> 1", 2},
        {"(.u64)(.s64)-1 > 1", 1},
        {"(.u64)!5", 0},
        {"(.s64)1 + 2 * 3", 7},
        {"-(.u64)1 > 1", 1},
    };

    (void)state;
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
        char text[200];
        struct ptx_module *m;

        snprintf(text, sizeof text, HEAD ".global .u64 x = %s;\n", all[k].text);
        m = parse_whole(text);
        if (m->initials[m->variables[ptx_find_variable(m, "x")].initial_first].value != (uint64_t)all[k].value)
            fail_msg("%s is not %lld", all[k].text, (long long)all[k].value);
        ptx_module_free(m);
    }
}

static void an_instruction_is_taken_apart(void **state)
{
    char *text = kernel_with("@!%p3 ld.global.nc.L1::no_allocate.v2.f32 {%f1, %f2}, [%rd3+-12];");
    struct ptx_module *m = parse(text);
    const struct ptx_function *k = function(m, "k");
    const struct ptx_inst *i = &k->insts[0];
    const struct ptx_operand *o = &k->operands[i->operand_first];
    struct err e;
    char *printed = ptx_print_inst(m, k, i, &e);

    (void)state;
    assert_string_equal(i->opcode, "ld");
    assert_string_equal(i->modifiers, ".global.nc.L1::no_allocate");
    assert_true(ptx_has(i, ".nc") && ptx_has(i, ".global") && !ptx_has(i, ".L1") && !ptx_has(i, ".n"));
    assert_int_equal(i->type_count, 1);
    assert_int_equal(i->types[0], PTX_F32);
    assert_int_equal(i->vector, 2);
    assert_true(i->guard_negated);
    assert_string_equal(k->registers[i->guard].name, "%p3");
    assert_int_equal(i->operand_count, 2);
    assert_int_equal(o[0].kind, PTX_OP_VECTOR);
    assert_int_equal(o[0].count, 2);
    assert_int_equal(o[1].kind, PTX_OP_ADDRESS);
    assert_int_equal(k->operands[o[1].index].kind, PTX_OP_REG);
    assert_int_equal(o[1].offset, -12);
    assert_string_equal(printed, "@!%p3 ld.global.nc.L1::no_allocate.v2.f32 {%f1, %f2}, [%rd3-12];");
    free(printed);
    free(text);
    ptx_module_free(m);
}

static void names_belong_to_their_block(void **state)
{
    char *text = kernel_with("{ .reg .b32 t; mov.u32 t, 1; bra L; L: mov.u32 t, 2; }\n"
                             "{ .reg .b32 t; mov.u32 t, 3; bra L; L: mov.u32 t, 4; }");
    struct ptx_module *m = parse(text);
    const struct ptx_function *k = function(m, "k");
    const struct ptx_operand *o = k->operands;

    (void)state;
    assert_int_equal(o[k->insts[0].operand_first].index, o[k->insts[2].operand_first].index);
    assert_int_not_equal(o[k->insts[0].operand_first].index, o[k->insts[3].operand_first].index);
    assert_int_equal(k->labels[o[k->insts[1].operand_first].index].at, 2);
    assert_int_equal(k->labels[o[k->insts[4].operand_first].index].at, 5);
    free(text);
    ptx_module_free(m);
}

/* --- invalid modules --- */

static void a_fault_names_its_place(void **state)
{
    static const struct {
        const char *statement, *text; /* the statements start at line 10, column 1 */
    } faults[] = {
        {"add.s32 %r1, %r2, %nothing;", "t.ptx:10:19: `%nothing` is not declared"},
        {"bra nowhere;", "t.ptx:10:5: `nowhere` is not declared"},
        {"add.s32 %r1 %r2;", "t.ptx:10:13: expected `,`, found `%r2`"},
        {"mov.f32 %f1, 0f3F80;", "t.ptx:10:14: a number 0f... must have 8 hexadecimal digits"},
        {".reg .b33 %x;", "t.ptx:10:6: expected a type, found `.b33`"},
        {".reg .b32 %r1;", "t.ptx:10:14: `%r1` is declared twice"},
        {".reg .b32 %x<2000000>;", "t.ptx:10:14: 2000000 registers; at most 1048576 are supported"},
        {"mov.u32 %r1, 1/0;", "t.ptx:10:15: a division by zero or out of range"},
        {"mov.u64 %rd1, (-9223372036854775807 - 1) / -1;", "t.ptx:10:42: a division by zero or out of range"},
        {"mov.u32 %r1, 5 % (1 - 1);", "t.ptx:10:16: a division by zero or out of range"},
        {"mov.u32 %r1, (.u32)5;", "t.ptx:10:15: expected a cast to .s64 or .u64, found `.u32`"},
        {"mov.f32 %f1, (.s64)1.5;", "t.ptx:10:15: a cast needs a whole number"},
        {"mov.u32 %r1, 99999999999999999999;", "t.ptx:10:14: this is not a number, or one of more than 64 bits"},
        {"ld.global.u32 %r1, [1.5];", "t.ptx:10:21: a floating-point number is not an address"},
        {"mov.u32 %r1, %laneid.b0;", "t.ptx:10:14: only bytes and halves of registers can be selected"},
        {"mov.u32 %r1, %envreg3.h10;", "t.ptx:10:14: only bytes and halves of registers can be selected"},
        {"vadd4.u32.u32.u32 %r1.b8, %r1, %r1, %r1;", "t.ptx:10:22: expected a component such as .x, found `.b8`"},
        {"@%r1 ret;", "t.ptx:10:2: `%r1` is not a predicate register"},
        {"mov.u32 %r1, `;", "t.ptx:10:14: a character that is not allowed in PTX"},
        {"X: ret; X: ret;", "t.ptx:10:9: the label `X` is defined twice"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
        char *text = kernel_with(faults[i].statement);
        struct ptx_module *m = NULL;
        struct err e;

        if (ptx_parse(text, strlen(text), "t.ptx", &m, &e) == 0) {
            assert_true(function(m, "k")->broken);
            e = function(m, "k")->fault;
        }
        assert_string_equal(e.text, faults[i].text);
        ptx_module_free(m);
        free(text);
    }
}

/* Two texts in one are linked. */
static void modules_in_one_text_are_linked(void **state)
{
#define PART ".version 7.0\n.target sm_70\n.address_size 64\n"
    static const struct {
        const char *text, *part;
    } rows[] = {
        {PART ".visible .func f() { ret; }\n" PART ".visible .func f() { ret; }\n", "`f` is defined twice"},
        {PART ".visible .global .u32 v = 1;\n" PART ".visible .global .u32 v = 2;\n", "`v` is declared twice"},
        {PART ".func f() { ret; } .global .u32 v = 1;\n" PART ".func f() { ret; } .global .u32 v = 2;\n", NULL},
        {PART ".weak .func f() { ret; }\n" PART ".weak .func f() { bra L; L: ret; }\n", NULL},
        {PART ".visible .func f() { ret; }\n" PART ".weak .func f() { bra L; L: ret; }\n", NULL},
        /* a linker would take the second one */
        {PART ".weak .func f() { ret; }\n" PART ".visible .func f() { bra L; L: ret; }\n",
         "`f` has a weak definition"},
        {PART ".weak .global .u32 v = 1;\n" PART ".visible .global .u32 v = 2;\n", "`v` is declared twice"},
        {PART ".visible .func f() { ret; }\n" PART ".extern .func f();\n.func g() { call f; ret; }\n", NULL},
        {PART ".common .global .u32 v;\n" PART ".common .global .u32 v;\n", NULL},
        {PART ".func f() { ret; }\n" PART ".func g() { call f; ret; }\n", "`f` is not declared"},
    };

    (void)state;
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        struct ptx_module *m = NULL;
        struct err e = {0};
        int ret = ptx_parse(rows[k].text, strlen(rows[k].text), "t.ptx", &m, &e);

        for (uint32_t i = 0; ret == 0 && i < m->function_count; i++)
            if (m->functions[i].broken) {
                e = m->functions[i].fault;
                ret = -1;
            }
        if (rows[k].part)
            CHECK_FAILS(ret, &e, ERR_MALFORMED, rows[k].part);
        else
            CHECK_OK(ret, &e);
        ptx_module_free(m);
    }
}

static void a_module_that_is_none_is_refused(void **state)
{
    static const struct {
        const char *text, *fault;
    } modules[] = {
        {"", "this is not a PTX module"},
        {"\x7f"
         "ELF",
         "t.ptx:1:1: a character that is not allowed in PTX"},
        {".version 7.0\n.target cuda", "the target `cuda` is not one of sm_"},
        {HEAD ".entry k() { ret;", "t.ptx:4:18: expected"},
        {HEAD ".entry k() { ret; }\n.entry k() { ret; }", "t.ptx:5:8: `k` is defined twice"},
        {HEAD ".global .u32 a[2] = {1,2,3};", "no more values than the array has room for"},
        {HEAD ".global .u32 a = nothing;", "`nothing` is not a variable or function that is declared above"},
        {HEAD ".global .b8 a[2][344444444444] = {{1}, {2}};", "a value at most 16 MiB after the previous value"},
        {HEAD ".global .u32 a[99999999999][99999999999];", "an array of more than 1 TiB"},
        {HEAD "/* no end", "t.ptx:4:1: a comment is not closed"},
        {HEAD ".file 70000 \"x\"", "a file number above 65536"},
        {HEAD "hello", "expected a directive, found `hello`"},
    };
    struct ptx_module *m;
    struct err e;

    (void)state;
    for (size_t i = 0; i < sizeof modules / sizeof *modules; i++)
        CHECK_FAILS(ptx_parse(modules[i].text, strlen(modules[i].text), "t.ptx", &m, &e), &e, ERR_MALFORMED,
                    modules[i].fault);
}

static void deep_nesting_ends_with_a_sentence(void **state)
{
    struct strbuf b = STRBUF_INIT;
    struct ptx_module *m;
    struct err e;

    (void)state;
    strbuf_adds(&b, HEAD ".entry k() { .reg .b32 %r; mov.u32 %r, ");
    for (int i = 0; i < 100000; i++)
        strbuf_addc(&b, '(');
    strbuf_adds(&b, "; }");
    CHECK_OK(ptx_parse(b.text, b.length, "t.ptx", &m, &e), &e);
    assert_non_null(strstr(function(m, "k")->fault.text, "brackets are nested deeper than 64"));
    ptx_module_free(m);
    strbuf_release(&b);
}

/* Every prefix, and every text with one changed byte, gives an error or a module. */
static void damaged_modules_never_hurt(void **state)
{
    char *text = kernel_with("@%p1 ld.global.v2.f32 {%f1, %f2}, [%rd1+4]; { .reg .b32 t; x: bra x; }\n"
                             "mov.f32 %f1, 0f3F800000; call (p0), callee, (p1);");
    size_t n = strlen(text);
    char *copy = malloc(n + 1);
    struct ptx_module *m;
    struct err e;
    size_t whole = 0;

    (void)state;
    for (size_t cut = 0; cut < n; cut++) {
        char *exact = malloc(cut ? cut : 1); /* exact size, so that the sanitizer detects reads beyond it */

        memcpy(exact, text, cut);
        if (ptx_parse(exact, cut, "t.ptx", &m, &e) == 0)
            ptx_module_free(m);
        free(exact);
    }
    for (size_t at = 0; at < n; at++) {
        memcpy(copy, text, n + 1);
        copy[at] = "{}()[]<>,;.%@\"\n0"[at % 16];
        if (ptx_parse(copy, n, "t.ptx", &m, &e) < 0) {
            assert_true(e.text[0]);
            continue;
        }
        whole++;
        ptx_module_free(m);
    }
    assert_true(whole > 0);
    free(copy);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_statement_of_real_files_parses),
        cmocka_unit_test(directives_of_modules_and_functions_parse),
        cmocka_unit_test(the_parts_of_a_module_are_there),
        cmocka_unit_test(constant_expressions_have_their_values),
        cmocka_unit_test(an_instruction_is_taken_apart),
        cmocka_unit_test(names_belong_to_their_block),
        cmocka_unit_test(a_fault_names_its_place),
        cmocka_unit_test(a_module_that_is_none_is_refused),
        cmocka_unit_test(modules_in_one_text_are_linked),
        cmocka_unit_test(deep_nesting_ends_with_a_sentence),
        cmocka_unit_test(damaged_modules_never_hurt),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
