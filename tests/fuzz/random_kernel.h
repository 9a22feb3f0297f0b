/* tests/fuzz/random_kernel.h: makes a PTX kernel from bytes: random instruction forms, divergent branches and
 * loops, and barriers at which warps exchange values. The kernel's result depends only on its input. */
#ifndef VIVACE_TESTS_FUZZ_RANDOM_KERNEL_H
#define VIVACE_TESTS_FUZZ_RANDOM_KERNEL_H

#include <string.h>

#include "base/strbuf.h"
#include "ptx/forms/forms.h"

enum { KEPT = 5, CLASSES = 4, DEEP = 3, STATEMENTS = 40 };
enum { LANE_IN = KEPT * (2 + 4 + 8 + 16) + 10, LANE_OUT = 256 };
enum { WARPS_MAX = 4, THREADS_MAX = 32 * WARPS_MAX };

struct source {
    const uint8_t *bytes;
    size_t n;
    struct strbuf text;
    uint32_t labels, statements, warps;
    bool crosses; /* lanes read values of other lanes */
    bool left;    /* some threads have ended before the others */
};

static uint32_t draw(struct source *s, uint32_t below)
{
    uint32_t v = 0;

    for (uint32_t room = 1; room < below && s->n; room <<= 8, s->n--)
        v = v << 8 | *s->bytes++;
    return v % below;
}

/* --- the kernel --- */

static void operand(struct source *s, uint32_t bits)
{
    const char *name = bits == 1 ? "p" : bits == 16 ? "h" : bits == 32 ? "r" : bits == 64 ? "d" : "q";

    strbuf_addf(&s->text, "%%%s%u", name, draw(s, KEPT));
}

static void guard(struct source *s)
{
    if (draw(s, 4) == 0)
        strbuf_addf(&s->text, "@%s%%p%u ", draw(s, 2) ? "!" : "", draw(s, KEPT));
}

/* The forms that move vectors have names that are not PTX. */
static bool is_instruction(const struct ptx_form *f)
{
    return strncmp(f->name, "pack", 4) != 0 && strncmp(f->name, "unpack", 6) != 0 &&
           strncmp(f->name, "pair", 4) != 0;
}

static void form(struct source *s)
{
    size_t n;
    const struct ptx_form *const *forms = ptx_forms(&n), *f = forms[draw(s, (uint32_t)n)];

    if (!is_instruction(f))
        return;
    guard(s);
    strbuf_addf(&s->text, "%s ", f->name);
    operand(s, f->dst_bits);
    if (f->dst2_bits && draw(s, 2)) {
        strbuf_adds(&s->text, "|");
        operand(s, f->dst2_bits);
    }
    for (int k = 0; k < PTX_SOURCES_MAX; k++) {
        if (k == PTX_SOURCES_MAX - 1 && f->has_imm)
            strbuf_addf(&s->text, ", %u", draw(s, 256));
        if (f->src_bits[k]) {
            strbuf_adds(&s->text, ", ");
            operand(s, f->src_bits[k]);
        }
    }
    strbuf_adds(&s->text, ";\n");
}

static void across(struct source *s)
{
    static const char *const kinds[] = {"up", "down", "bfly", "idx"};

    s->crosses = true;
    switch (draw(s, 3)) {
    case 0:
        strbuf_addf(&s->text, "shfl.sync.%s.b32 %%r%u|%%p%u, %%r%u, %%r%u, %%r%u, -1;\n", kinds[draw(s, 4)],
                    draw(s, KEPT), draw(s, KEPT), draw(s, KEPT), draw(s, KEPT), draw(s, KEPT));
        break;
    case 1: strbuf_addf(&s->text, "vote.sync.ballot.b32 %%r%u, %%p%u, -1;\n", draw(s, KEPT), draw(s, KEPT)); break;
    default:
        strbuf_addf(&s->text,
                    "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%%r0, %%r1, %%r2, %%r%u}, "
                    "{%%r%u, %%r%u, %%r%u, %%r%u}, {%%r%u, %%r%u}, {%%r%u, %%r%u, %%r%u, %%r%u};\n",
                    3 + draw(s, KEPT - 3), draw(s, KEPT), draw(s, KEPT), draw(s, KEPT), draw(s, KEPT),
                    draw(s, KEPT), draw(s, KEPT), draw(s, KEPT), draw(s, KEPT), draw(s, KEPT), draw(s, KEPT));
    }
}

static void block(struct source *s, uint32_t deep);
static void moves(struct source *s, bool store);

/* --- barriers: one thread writes each word in shared memory; a barrier separates its write from the reads --- */

/* A barrier of all threads, of a random kind. If some threads have ended, only kinds that count no threads are
 * used. */
static void meet(struct source *s)
{
    switch (draw(s, s->left ? 5 : 6)) {
    case 0: strbuf_adds(&s->text, "bar.sync 0;\n"); break;
    case 1: strbuf_adds(&s->text, "barrier.sync 1;\n"); break;
    case 2: strbuf_addf(&s->text, "bar.red.popc.u32 %%r%u, 2, %%p%u;\n", draw(s, KEPT), draw(s, KEPT)); break;
    case 3: strbuf_addf(&s->text, "bar.red.and.pred %%p%u, 3, %%p%u;\n", draw(s, KEPT), draw(s, KEPT)); break;
    case 4: strbuf_addf(&s->text, "bar.red.or.pred %%p%u, 3, !%%p%u;\n", draw(s, KEPT), draw(s, KEPT)); break;
    default: strbuf_addf(&s->text, "bar.sync 4, %u;\n", 32 * s->warps);
    }
}

static void give(struct source *s)
{
    strbuf_addf(&s->text, "st.shared.b32 [%%own], %%r%u;\n", draw(s, KEPT));
}

static void take(struct source *s)
{
    strbuf_addf(&s->text,
                "add.u32 %%t, %%who, %u;\nrem.u32 %%t, %%t, %u;\nmad.lo.u32 %%t, %%t, 4, %%words;\n"
                "ld.shared.b32 %%r%u, [%%t];\n",
                draw(s, 256), 32 * s->warps, draw(s, KEPT));
}

static void exchange(struct source *s)
{
    give(s);
    meet(s);
    take(s);
    meet(s);
}

/* Several exchanges in a loop, with other instructions between them. */
static void exchanges(struct source *s)
{
    uint32_t label = s->labels++;

    strbuf_addf(&s->text, "mov.u32 %%rounds, %u;\nX%u:\n", 1 + draw(s, 8), label);
    exchange(s);
    block(s, 1);
    strbuf_addf(&s->text, "sub.u32 %%rounds, %%rounds, 1;\nsetp.ne.u32 %%pn, %%rounds, 0;\n@%%pn bra X%u;\n",
                label);
}

/* Lanes of a warp reach the barrier on two paths. */
static void meet_apart(struct source *s)
{
    uint32_t label = s->labels++;

    give(s);
    strbuf_addf(&s->text, "@%%p%u bra T%u;\n", draw(s, KEPT), label);
    block(s, 1);
    strbuf_adds(&s->text, "barrier.sync 5;\n");
    take(s);
    strbuf_addf(&s->text, "bra E%u;\nT%u:\n", label, label);
    block(s, 1);
    strbuf_adds(&s->text, "barrier.sync 5;\n");
    take(s);
    block(s, 1);
    strbuf_addf(&s->text, "E%u:\n", label);
    meet(s);
}

/* Some warps produce values and do not wait. The other warps wait for these values. */
static void produce(struct source *s)
{
    uint32_t label = s->labels++, half = 32 * (s->warps / 2);

    if (s->left || !half)
        return;
    strbuf_addf(&s->text, "setp.lt.u32 %%pn, %%who, %u;\n@%%pn bra T%u;\nbar.sync 6, %u;\n", half, label,
                32 * s->warps);
    strbuf_addf(&s->text,
                "rem.u32 %%t, %%who, %u;\nmad.lo.u32 %%t, %%t, 4, %%words;\nld.shared.b32 %%r%u, [%%t];\n", half,
                draw(s, KEPT));
    strbuf_addf(&s->text, "bra E%u;\nT%u:\n", label, label);
    block(s, 1);
    give(s);
    strbuf_addf(&s->text, "bar.arrive 6, %u;\n", 32 * s->warps);
    block(s, 1);
    strbuf_addf(&s->text, "E%u:\n", label);
    meet(s);
}

/* Some threads end while others wait for them, or will wait later. */
static void leave(struct source *s)
{
    uint32_t label = s->labels++;

    if (s->left)
        return;
    s->left = true;
    strbuf_addf(&s->text, "@%s%%p%u bra N%u;\n", draw(s, 2) ? "!" : "", draw(s, KEPT), label);
    moves(s, true);
    strbuf_addf(&s->text, "ret;\nN%u:\n", label);
}

static void together(struct source *s)
{
    switch (draw(s, 5)) {
    case 0: exchange(s); break;
    case 1: exchanges(s); break;
    case 2: meet_apart(s); break;
    case 3: produce(s); break;
    default: leave(s);
    }
}

/* --- ways --- */

static void branch(struct source *s, uint32_t deep)
{
    uint32_t label = s->labels++;

    strbuf_addf(&s->text, "@%s%%p%u bra T%u;\n", draw(s, 2) ? "!" : "", draw(s, KEPT), label);
    block(s, deep + 1);
    strbuf_addf(&s->text, "bra E%u;\nT%u:\n", label, label);
    block(s, deep + 1);
    strbuf_addf(&s->text, "E%u:\n", label);
}

/* A loop of a few rounds. The lane's %r0 gives their number. */
static void loop(struct source *s, uint32_t deep)
{
    uint32_t label = s->labels++;

    strbuf_addf(&s->text, "and.b32 %%n%u, %%r0, 3;\nL%u:\n", deep, label);
    block(s, deep + 1);
    strbuf_addf(&s->text,
                "sub.u32 %%n%u, %%n%u, 1;\nsetp.lt.s32 %%pn, %%n%u, 8;\n"
                "setp.gt.and.s32 %%pn, %%n%u, 0, %%pn;\n@%%pn bra L%u;\n",
                deep, deep, deep, deep, label);
}

static void block(struct source *s, uint32_t deep)
{
    for (uint32_t k = 1 + draw(s, 6); k > 0 && s->n && s->statements < STATEMENTS; k--) {
        uint32_t what = draw(s, 16);

        s->statements++;
        if (what == 0 && deep < DEEP)
            branch(s, deep);
        else if (what == 1 && deep < DEEP)
            loop(s, deep);
        else if (what == 2 && deep == 0 && !s->left)
            across(s);
        else if (what <= 5 && deep == 0 && s->warps > 1)
            together(s);
        else
            form(s);
    }
}

/* Moves registers to or from memory. The registers of a lane are contiguous. */
static void moves(struct source *s, bool store)
{
    static const struct {
        const char *name, *type;
        uint32_t bytes;
    } classes[CLASSES] = {{"q", "b128", 16}, {"d", "b64", 8}, {"r", "b32", 4}, {"h", "b16", 2}};
    uint32_t at = 0;

    for (int c = 0; c < CLASSES; c++)
        for (uint32_t k = 0; k < KEPT; k++, at += classes[c].bytes)
            if (store)
                strbuf_addf(&s->text, "st.global.%s [%%out+%u], %%%s%u;\n", classes[c].type, at, classes[c].name,
                            k);
            else
                strbuf_addf(&s->text, "ld.global.%s %%%s%u, [%%in+%u];\n", classes[c].type, classes[c].name, k, at);
    for (uint32_t k = 0; k < KEPT; k++)
        if (store)
            strbuf_addf(&s->text, "selp.b32 %%t, 1, 0, %%p%u;\nst.global.u8 [%%out+%u], %%t;\n", k, at + k);
        else
            strbuf_addf(&s->text, "setp.lt.s32 %%p%u, %%r%u, 0;\n", k, k);
}

/* Kernel k(in, out, lane): only this lane executes, or all lanes if lane is THREADS_MAX. */
static void make_kernel(struct source *s)
{
    strbuf_addf(
        &s->text,
        ".version 8.6\n.target sm_90\n.address_size 64\n"
        ".visible .entry k(.param .u64 in, .param .u64 out, .param .u64 lane)\n{\n"
        ".reg .b128 %%q<%d>;\n.reg .b64 %%d<%d>, %%in, %%out, %%lane;\n.reg .b32 %%r<%d>, %%t, %%who, %%n<%d>;\n"
        ".reg .b32 %%own, %%words, %%rounds;\n.reg .b16 %%h<%d>;\n.reg .pred %%p<%d>, %%pn;\n"
        ".shared .align 4 .b8 words[%d];\nmov.u32 %%words, words;\n"
        "ld.param.u64 %%in, [in];\nld.param.u64 %%out, [out];\nld.param.u64 %%lane, [lane];\n"
        "mov.u32 %%who, %%tid.x;\nmad.wide.u32 %%in, %%who, %d, %%in;\nmad.wide.u32 %%out, %%who, %d, %%out;\n"
        "mad.lo.u32 %%own, %%who, 4, %%words;\n"
        "cvt.u32.u64 %%t, %%lane;\nsetp.eq.u32 %%p0, %%t, %d;\nsetp.eq.or.u32 %%p0, %%t, %%who, %%p0;\n"
        "@!%%p0 ret;\n",
        KEPT, KEPT, KEPT, DEEP, KEPT, KEPT, 4 * THREADS_MAX, LANE_IN, LANE_OUT, THREADS_MAX);
    moves(s, false);
    block(s, 0);
    while (s->n && s->statements < STATEMENTS)
        block(s, 0);
    moves(s, true);
    strbuf_adds(&s->text, "ret;\n}\n");
}

#endif
