/* Decoding: the text of the decoded form of each kind of instruction, and errors with their location. */
#include "base/strbuf.h"
#include "ptx/code/actions.h"
#include "ptx/decode/decode_handlers.h"
#include "ptx/memory/device_memory.h"
#include "tests/harness/check.h"

#define HEAD ".version 7.8\n.target sm_80\n.address_size 64\n"
#define REGS                                                                                                       \
    ".reg .pred %p<4>; .reg .b16 %h<5>; .reg .b32 %r<6>; .reg .b64 %d<5>; .reg .f32 %f<5>; .reg .v4 .b32 %v;\n"

static struct ptx_module *parse(const char *text)
{
    struct ptx_module *m;
    struct err e;

    CHECK_OK(ptx_parse(text, strlen(text), "t.ptx", &m, &e), &e);
    for (uint32_t k = 0; k < m->function_count; k++)
        if (m->functions[k].broken)
            fail_msg("%s", m->functions[k].fault.text);
    return m;
}

static struct ptx_module *parse_body(const char *body)
{
    struct strbuf b = STRBUF_INIT;
    struct ptx_module *m;

    strbuf_adds(&b, HEAD ".global .align 8 .b8 table[64];\n.extern .shared .align 16 .b8 dynamic[];\n.extern .func "
                         "(.param .b32 r) vprintf (.param .b64 a, .param .b64 b);\n.func (.param .b32 r) callee "
                         "(.param .b64 a, .param .b32 b) { ret; }\n.func (.reg .b32 o) by_reg (.reg .b32 i) { "
                         "mov.b32 o, i; ret; }\n.visible .entry k(.param .u64 p0, .param .u32 p1)\n{\n" REGS);
    strbuf_addf(&b, ".shared .align 16 .b8 tile[128]; .local .align 8 .b8 depot[16];\n%s\nret;\n}\n", body);
    m = parse(b.text);
    strbuf_release(&b);
    return m;
}

/* The decoded instructions of kernel k, one per line. */
static char *decoded(const struct ptx_module *m)
{
    struct strbuf b = STRBUF_INIT;
    struct ptx_code *c;
    struct err e;

    CHECK_OK(ptx_decode(m, ptx_find_function(m, "k"), &c, &e), &e);
    for (uint32_t k = 0; k < c->op_count; k++) {
        char *line = ptx_op_text(c, k, &e);

        assert_non_null(line);
        strbuf_addf(&b, "%s\n", line);
        free(line);
    }
    ptx_code_free(c);
    return strbuf_detach(&b);
}

static void check_ops(const char *body, const char *want)
{
    struct ptx_module *m = parse_body(body);
    char *got = decoded(m);

    assert_string_equal(got, want);
    free(got);
    ptx_module_free(m);
}

static void a_plain_kernel(void **state)
{
    (void)state;
    check_ops("ld.param.u64 %d1, [p0]; ld.param.u32 %r1, [p1]; mov.u32 %r2, %tid.x; mov.u32 %r3, %ctaid.x; mov.u32 "
              "%r4, %ntid.x; mad.lo.s32 %r5, %r3, %r4, %r2; setp.ge.s32 %p1, %r5, %r1; @%p1 bra L; "
              "cvta.to.global.u64 %d2, %d1; mul.wide.s32 %d3, %r5, 4; add.s64 %d4, %d2, %d3; ld.global.nc.f32 %f1, "
              "[%d4+8]; st.global.f32 [%d4], %f1; st.shared.v4.b32 [tile+16], {%r1,%r2,3,%r3}; L:",
              "0: load.u64 param[0] {r8} of 64 bits\n1: load.u32 param[8] {r12} of 32 bits\n"
              "2: mov.b32 r14 <- %tid.0\n3: mov.b32 r16 <- %ctaid.0\n4: mov.b32 r18 <- %ntid.0\n"
              "5: mad.lo.s32 r18 <- r16 r18 r14\n6: setp.ge.s32 p0 <- r18 r12\n7: @p0 branch -> 14 join 14\n"
              "8: mov.b64 r8 <- r8\n9: mul.wide.s32 r20 <- r18 #4\n10: add.s64 r8 <- r8 r20\n"
              "11: load.f32 global[r8+8] {r18} of 32 bits hints 0x1\n12: store.f32 global[r8+0] {r18} of 32 bits\n"
              "13: store.b32 shared[variable10+0+16] {r12, r14, #3, r16} of 32 bits\n14: return\n");
}

static void moves_and_operands_of_every_kind(void **state)
{
    (void)state;
    check_ops(
        "mov.b64 {%r1,%r2}, %d1; mov.b64 %d1, {%r2,%r1}; mov.b32 {%h1,_}, %r1; mov.v2.b32 "
        "{%r1,%r2},{%r2,%r1}; mov.u64 %d3, %clock64; setp.lt.and.s32 %p1|%p2, %r1, 5, !%p3; selp.b32 %r1, "
        "%r2, 7, %p1; lop3.b32 %r1, %r2, %r3, %r4, 0x96; cvta.shared.u64 %d1, dynamic; isspacep.shared %p1, "
        "%d1; mov.u64 %d2, table+8; mov.u64 %d2, callee; mov.u64 %d1, depot; mov.f32 %f1, 1.5; mov.u32 %r1, "
        "%envreg3; mov.b32 %v.y, 3; mov.b32 %r1, %v.y; ld.global.v4.b32 %v, [%d1];",
        "0: unpack.b64.b32 r16|r18 <- r12\n1: pack.b64.b32 r12 <- r18 r16\n2: unpack.b32.b16 r20 <- r16\n"
        "3: pair.b32 r16|r18 <- r18 r16\n4: special dst 21 imm 0x11\n"
        "5: setp.lt.and.s32 p0|p1 <- r16 #5 !p0\n6: selp.b32 r16 <- r18 #7 p0\n"
        "7: lop3.b32 r16 <- r18 r8 r10 imm 0x96\n8: add.s64 r12 <- variable1+0 #140728898420736\n"
        "9: isspacep p0 <- r12 imm 0x6\n10: mov.b64 r21 <- variable0+8\n11: mov.b64 r21 <- function1\n"
        "12: mov.b64 r12 <- frame+0\n13: mov.b32 r8 <- #1069547520\n14: mov.b32 r16 <- %envreg.3\n"
        "15: mov.b32 r2 <- #3\n16: mov.b32 r16 <- r2\n17: load.b32 global[r12+0] {r0, r2, r4, r6} of 32 bits\n"
        "18: return\n");
}

/* A clock is read directly before the instruction that uses it, in any operand position. */
static void clocks_are_read_in_front_of_who_wants_them(void **state)
{
    (void)state;
    check_ops("mov.u32 %r1, %clock; add.u32 %r1, %r1, %clock; mov.b64 %d1, {%clock,%clock_hi}; st.global.v2.u32 "
              "[%d1], {%globaltimer_lo,%r1}; call (%r3), by_reg, (%clock); mov.b64 {%r1,%r2}, %clock64; "
              "nanosleep.u32 %clock;",
              "0: special dst 8 imm 0xf\n1: special dst 10 imm 0xf\n2: add.s32 r8 <- r8 r10\n"
              "3: special dst 10 imm 0xf\n4: special dst 12 imm 0x10\n5: pack.b64.b32 r14 <- r10 r12\n"
              "6: special dst 10 imm 0x13\n7: store.u32 global[r14+0] {r10, r8} of 32 bits\n"
              "8: special dst 10 imm 0xf\n9: call -> 2 takes r10 gives r12\n10: special dst 14 imm 0x11\n"
              "11: unpack.b64.b32 r8|r12 <- r14\n12: special dst 8 imm 0xf\n13: sleep src0 8\n14: return\n");
    check_ops(
        "tex.2d.v4.f32.s32 {%f1,%f2,%f3,%f4}, [%d1, {%clock,%r1}]; bar.sync %clock;",
        "0: special dst 14 imm 0xf\n1: texture 0.f32 global[r10+0] {r16, r18, r20, r22} of 32 bits src0 14 src1 "
        "8 imm 0xa\n2: special dst 16 imm 0xf\n3: barrier 0 src0 16\n4: return\n");
}

static void actions_across_lanes_and_of_memory(void **state)
{
    (void)state;
    check_ops(
        "bar.sync 0; bar.red.popc.u32 %r1, 0, !%p1; barrier.sync.aligned 1, 64; shfl.sync.down.b32 %r1|%p1, "
        "%r2, 1, 31, -1; vote.sync.ballot.b32 %r1, %p1, -1; match.any.sync.b32 %r1, %r2, -1; "
        "redux.sync.add.s32 %r1,%r2,-1; activemask.b32 %r1; bar.warp.sync -1; atom.global.add.u32 "
        "%r1,[%d1],1; red.shared.add.u32 [tile+4], %r1; atom.cas.b32 %r1,[%d1], 0, %r2; membar.gl; "
        "fence.acq_rel.gpu; nanosleep.u32 20; trap; exit; cp.async.cg.shared.global [%r1], [%d1+16], 16; "
        "cp.async.wait_group 3; cp.async.commit_group; prefetch.global.L2 [%d1]; setmaxnreg.inc.sync.aligned.u32 "
        "40; "
        "griddepcontrol.wait;",
        "0: barrier 0 src0 16\n1: barrier 2 dst 14 src0 16 src2 !0\n2: barrier 0 src0 18 src1 20\n"
        "3: warp 1.b32 dst 14|0 src0 8 src1 18 src2 22 src3 24\n4: warp 7.b32 dst 14 src0 0 src3 24\n"
        "5: warp 8.b32 dst 14 src0 8 src3 24\n6: warp 10.s32 dst 14 src0 8 src3 24\n7: warp 17.b32 dst 14\n"
        "8: warp 18.b32 src3 24\n9: atomic 0.u32 global[r10+0] dst 14 src0 18\n"
        "10: atomic 0.u32 shared[variable10+0+4] src0 14\n11: atomic 9.b32 generic[r10+0] dst 14 src0 16 src1 "
        "8\n12: fence\n13: fence\n14: sleep src0 30\n15: trap\n16: exit\n"
        "17: async 0.b8 shared[r14+0] {r10} of 64 bits imm 0x10\n18: async 2 imm 0x3\n19: async 1\n"
        "20: nothing\n21: nothing\n22: nothing\n23: return\n");
}

static void calls_and_branches_by_table(void **state)
{
    (void)state;
    check_ops(
        "{ .param .b64 a0; st.param.b64 [a0], %d1; .param .b32 a1; st.param.b32 [a1+0], %r1; .param .b32 rv; "
        "call.uni (rv), callee, (a0, a1); ld.param.b32 %r2, [rv]; } call (%r3), by_reg, (5); call (%r3), %d1, "
        "(%r2); { .param .b64 x; .param .b64 y; .param .b32 q; call (q), vprintf, (x,y); } ts: .branchtargets "
        "A, B; brx.idx %r1, ts; A: mov.u32 %r1, 1; B: ",
        "0: store.b64 local[0] {r10} of 64 bits\n1: store.b32 local[8] {r8} of 32 bits\n"
        "2: call -> 1 takes frame[0..8], frame[8..12] gives frame[12..16]\n"
        "3: load.b32 local[12] {r14} of 32 bits\n4: call -> 2 takes #5 gives r16\n"
        "5: call src0 10 takes r14 gives r16\n"
        "6: system.call -> 0 takes frame[16..24], frame[24..32] gives frame[32..36]\n"
        "7: branch.index -> 0 join 9 src0 8\n8: mov.b32 r8 <- #1\n9: return\n");
}

/* Instructions with other operands, or other parts of them, have different texts. */
static void video_instructions_say_all_that_they_take(void **state)
{
    (void)state;
    check_ops("vadd.u32.u32.u32.sat %r1, %r2, %r3; vmad.u32.u32.u32 %r1, %r2, %r3, %r4; "
              "vadd4.u32.u32.u32 %r1.b31, %r2.b0123, %r3, %r4; vadd4.u32.u32.u32 %r1.b31, %r2.b0123, %r4, %r3;",
              "0: video r14 <- r8 r10 imm 0x80\n1: video r14 <- r8 r10 r12 imm 0x10000007\n"
              "2: picked video r14 <- r8 r10 r12 #262931770 imm 0\n"
              "3: picked video r14 <- r8 r12 r10 #262931770 imm 0\n4: return\n");
}

static void sizes_of_a_function(void **state)
{
    struct ptx_module *m = parse(
        HEAD ".shared .align 4 .b8 outer[12];\n.extern .shared .align 16 .b8 dynamic[];\n"
             ".func (.param .b32 r) g (.param .align 8 .b8 s[24]) { .reg .b64 %d; .shared .align 8 .b8 "
             "mine[40]; .local .align 8 .b8 l[12]; .param .b32 q; mov.u64 %d, mine; mov.u64 %d, l; "
             "ld.param.b64 %d, [s+16]; st.param.b32 [r], 5; st.param.b32 [q], 6; ret; }\n"
             ".entry k() { .reg .b64 %d; .param .align 8 .b8 a[24]; .param .b32 b; mov.u64 %d, outer; mov.u64 "
             "%d, dynamic; call (b), g, (a); ret; }\n.entry other() { ret; }\n");
    struct ptx_code *c;
    struct err e;
    char *text;

    (void)state;
    CHECK_OK(ptx_decode(m, ptx_find_function(m, "g"), &c, &e), &e);
    assert_int_equal(c->param_bytes, 32 + 4 + 4); /* s, r at the next 16, q */
    assert_int_equal(c->local_bytes, 40 + 12);
    assert_int_equal(c->shared_bytes, 40);
    text = ptx_op_text(c, 1, &e);
    assert_string_equal(text, "1: mov.b64 r0 <- frame+40");
    free(text);
    text = ptx_op_text(c, 3, &e);
    assert_string_equal(text, "3: store.b32 local[32] {#5} of 32 bits");
    free(text);
    ptx_code_free(c);
    CHECK_OK(ptx_decode(m, ptx_find_function(m, "k"), &c, &e), &e);
    assert_int_equal(c->shared_bytes, 16 + 40); /* including the shared memory of the functions that it calls */
    ptx_code_free(c);
    CHECK_OK(ptx_decode(m, ptx_find_function(m, "other"), &c, &e), &e);
    assert_int_equal(c->shared_bytes, 0);
    ptx_code_free(c);
    ptx_module_free(m);
}

static void what_does_not_fit_is_said_with_its_place(void **state)
{
    static const struct {
        const char *body, *text;
        enum err_code code;
    } cases[] = {
        {"add.s32 %r1, %d1, 1;", ":14: add.s32 needs 32 bits here, and `%d1` has 64", ERR_MALFORMED},
        {"mov.f32 %f1, 0;", ":14: mov.f32 needs a float here", ERR_MALFORMED},
        {"add.u32 %r1, %r2, 0f3F800000;", ":19: add.u32 needs a whole number here", ERR_MALFORMED},
        {"frob.s32 %r1, %r2;", ":1: not supported: frob.s32", ERR_UNSUPPORTED},
        {"add.rn.s32 %r1, %r2, 1;", ":1: not supported: add.rn.s32", ERR_UNSUPPORTED},
        {"add.s32 %r1, %r2;", ":1: add.s32 needs more operands", ERR_MALFORMED},
        {"add.s32 %r1, %r2, %r3, %r4;", ":1: add.s32 has 3 operands, not 4", ERR_MALFORMED},
        {"add.s32 _, %r2, %r3;", ":9: add.s32: the result cannot be left out", ERR_MALFORMED},
        {"add.s32 %r1, %r2, -%r3;", ":19: add.s32 accepts no negated operand", ERR_MALFORMED},
        {"add.u64 %d1, %clock, 1;", ":14: add.u64 needs 64 bits here, and `%clock_read_", ERR_MALFORMED},
        {"add.u32 %clock, %r1, 1;", ":9: add.u32 needs a register here", ERR_MALFORMED},
        {"mov.u32 %clock, %r1;", ":9: mov.u32 needs a register here", ERR_MALFORMED},
        {"mov.u32 %clock, %clock;", ":9: mov.u32 needs a register here", ERR_MALFORMED},
        {"ld.global.v2.u32 {%clock,%r1}, [%d1];", ":19: ld.global.v2.u32 needs a register here", ERR_MALFORMED},
        {"mov.b64 {%r1,%clock}, %d1;", ":14: mov.b64 needs a register here", ERR_MALFORMED},
        {"call (%clock), by_reg, (5);", ":7: a call cannot pass this operand", ERR_MALFORMED},
        {"add.u32 %r1, %r2, -%clock;", ":19: a clock cannot be negated", ERR_MALFORMED},
        {"bar.red.popc.u32 %clock, 0, %p1;", ":18: bar.red.popc.u32 needs a register here", ERR_MALFORMED},
        {"mov.u32 %r1, %clock.y;", ":14: a clock cannot be negated", ERR_MALFORMED},
        {"ts: .branchtargets A; brx.idx %clock, ts; A:", ":31: not supported: a clock as this operand of brx.idx",
         ERR_UNSUPPORTED},
        {"setp.lt.s32 %r1, %r2, %r3;", ":13: setp.lt.s32: `%r1` is no predicate", ERR_MALFORMED},
        {"mov.b32 %r1, %p1;", ":14: mov.b32: `%p1` is a predicate", ERR_MALFORMED},
        {"mov.u64 %d1, %tid.x;", ":14: mov.u64 needs 64 bits here, and this register has 32", ERR_MALFORMED},
        {"mov.u32 %r1, %tid;", ":14: this special register has the components", ERR_MALFORMED},
        {"mov.b32 %r1, %v;", ":14: `%v` holds 4 values; a component", ERR_MALFORMED},
        {"mov.b32 %r1, %r2.x;", ":14: `%r2` holds 1 value and has no components", ERR_MALFORMED},
        {"ld.global.f32 %d1, [%d2];", ":15: ld.global.f32 needs 32 bits here, and `%d1` has 64", ERR_MALFORMED},
        {"st.global.u32 [%d1], %h1;", ":22: st.global.u32 needs 32 bits here, and `%h1` has 16", ERR_MALFORMED},
        {"ld.global.u32 %r1, [%r2];", ":21: `%r2` has 32 bits, and an address has 64", ERR_MALFORMED},
        {"ld.global.v2.u32 %r1, [%d2];", ":18: ld.global.v2.u32 moves 2 values, not 1", ERR_MALFORMED},
        {"ld.shared.u32 %r1, [table];", ":21: `table` is not in the space of ld.shared.u32", ERR_MALFORMED},
        {"st.param.b32 [p1], %r1;", ":14: this memory cannot be written", ERR_MALFORMED},
        {"atom.global.add.u16 %h1, [%d1], 1;", ":1: not supported: atom.global.add.u16", ERR_UNSUPPORTED},
        {"tensormap.cp_fenceproxy;", ":1: not supported: tensormap.cp_fenceproxy", ERR_UNSUPPORTED},
        {"bar.arrive 1;", ":1: bar.arrive has 2 operands, not 1", ERR_MALFORMED},
        {"shfl.sync.up.b32 %r1, %r2, 1, 0;", ":1: shfl.sync.up.b32 has 5 operands, not 4", ERR_MALFORMED},
        {"cp.async.ca.shared.global [%r1], [%d1], 5;", ":41: cp.async copies 4, 8 or 16 bytes", ERR_MALFORMED},
        {"call (%r3), by_reg, (5, 6);", ":1: by_reg has 1 parameter, and the call has 2", ERR_MALFORMED},
        {"call (%d3), by_reg, (5);", ":7: this argument has 8 bytes, and the called function declares 4",
         ERR_MALFORMED},
    };

    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct ptx_module *m = parse_body(cases[k].body);
        struct ptx_code *c;
        struct err e;

        CHECK_FAILS(ptx_decode(m, ptx_find_function(m, "k"), &c, &e), &e, cases[k].code, cases[k].text);
        assert_non_null(strstr(e.text, "t.ptx:13:"));
        assert_null(c);
        ptx_module_free(m);
    }
}

/* --- handlers that decoding generates --- */

static uint32_t place_of(const char *name)
{
    size_t n;
    const struct ptx_form *const *forms = ptx_forms(&n);

    for (size_t k = 0; k < n; k++)
        if (strcmp(forms[k]->name, name) == 0)
            return (uint32_t)k;
    fail_msg("no form %s", name);
    return 0;
}

/* neg.s16 on the low halves of 32-bit rows, into 64-bit rows: registers wider than the type. */
static void wider_registers_are_narrowed_and_extended(void **state)
{
    static const uint32_t masks[] = {UINT32_MAX, 0x00ff00f1};
    _Alignas(64) uint8_t rows[16 * PTX_ROW_BYTES];
    struct decode_resized how = {.form = place_of("neg.s16"), .source = 1, .result = 2, .is_signed = true};
    struct ptx_lanes w = {.rows = rows};
    struct ptx_form_args a = {.dst = 4, .src = {0, 2, 3}, .imm = decode_resized_imm(how)};
    uint32_t in[PTX_LANES];
    int64_t out[PTX_LANES];

    (void)state;
    for (size_t k = 0; k < 2; k++) {
        memset(rows, 0x55, sizeof rows);
        for (uint32_t l = 0; l < PTX_LANES; l++)
            in[l] = 0xabcd0000u | (l * 2111u & 0xffff);
        memcpy(rows, in, sizeof in);
        decode_do_resized(&w, &a, masks[k]);
        memcpy(out, rows + 4 * PTX_ROW_BYTES, sizeof out);
        for (uint32_t l = 0; l < PTX_LANES; l++)
            assert_int_equal(out[l], masks[k] >> l & 1 ? (int16_t)(0 - in[l]) : 0x5555555555555555);
    }
}

static void windows_of_the_generic_space(void **state)
{
    static const uint64_t addresses[] = {PTX_GLOBAL_BASE,
                                         PTX_SHARED_BASE,
                                         PTX_SHARED_BASE + PTX_WINDOW_BYTES - 1,
                                         PTX_SHARED_BASE + PTX_WINDOW_BYTES,
                                         PTX_LOCAL_BASE,
                                         PTX_PARAM_BASE};
    static const struct {
        uint32_t space, in;
    } cases[] = {{PTX_SPACE_GLOBAL, 9}, {PTX_SPACE_SHARED, 6}, {PTX_SPACE_LOCAL, 16}, {PTX_SPACE_PARAM, 32}};
    _Alignas(64) uint8_t rows[4 * PTX_ROW_BYTES] = {0};
    uint32_t preds[1];
    struct ptx_lanes w = {.rows = rows, .preds = preds};

    (void)state;
    memcpy(rows, addresses, sizeof addresses);
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct ptx_form_args a = {.imm = cases[k].space};

        preds[0] = 0x80;
        decode_do_isspacep(&w, &a, 0x3f);
        assert_int_equal(preds[0], 0x80 | cases[k].in);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_plain_kernel),
        cmocka_unit_test(moves_and_operands_of_every_kind),
        cmocka_unit_test(clocks_are_read_in_front_of_who_wants_them),
        cmocka_unit_test(actions_across_lanes_and_of_memory),
        cmocka_unit_test(calls_and_branches_by_table),
        cmocka_unit_test(video_instructions_say_all_that_they_take),
        cmocka_unit_test(sizes_of_a_function),
        cmocka_unit_test(wider_registers_are_narrowed_and_extended),
        cmocka_unit_test(windows_of_the_generic_space),
        cmocka_unit_test(what_does_not_fit_is_said_with_its_place),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
