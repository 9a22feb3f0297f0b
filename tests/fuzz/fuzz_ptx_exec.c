/* Fuzzes the executor: a kernel made of random instruction forms, with branches where lanes part, must leave the
 * same bits however it is run: on each kind of CPU, target or fall-through first, and one lane at a time. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "simcore/ptx/exec.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n);

enum { KEPT = 5, CLASSES = 4, DEEP = 3, STATEMENTS = 40 };
enum { LANE_IN = KEPT * (2 + 4 + 8 + 16), LANE_OUT = 256 };

struct source {
    const uint8_t *bytes;
    size_t n;
    struct strbuf text;
    uint32_t labels, statements;
    bool crosses; /* lanes look at each other */
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

/* Moves of vectors have names that are no PTX. */
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

static void branch(struct source *s, uint32_t deep)
{
    uint32_t label = s->labels++;

    strbuf_addf(&s->text, "@%s%%p%u bra T%u;\n", draw(s, 2) ? "!" : "", draw(s, KEPT), label);
    block(s, deep + 1);
    strbuf_addf(&s->text, "bra E%u;\nT%u:\n", label, label);
    block(s, deep + 1);
    strbuf_addf(&s->text, "E%u:\n", label);
}

/* A loop of a few rounds, as many as the lane's %r0 says. */
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
        else if (what == 2 && deep == 0)
            across(s);
        else
            form(s);
    }
}

/* Registers in and out of memory, each lane's side by side. */
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

/* k(in, out, lane): only that lane, or all of them for 32. */
static void make_kernel(struct source *s)
{
    strbuf_addf(
        &s->text,
        ".version 8.6\n.target sm_90\n.address_size 64\n"
        ".visible .entry k(.param .u64 in, .param .u64 out, .param .u64 lane)\n{\n"
        ".reg .b128 %%q<%d>;\n.reg .b64 %%d<%d>, %%in, %%out, %%lane;\n.reg .b32 %%r<%d>, %%t, %%tid, %%n<%d>;\n"
        ".reg .b16 %%h<%d>;\n.reg .pred %%p<%d>, %%pn;\n"
        "ld.param.u64 %%in, [in];\nld.param.u64 %%out, [out];\nld.param.u64 %%lane, [lane];\n"
        "mov.u32 %%tid, %%tid.x;\nmad.wide.u32 %%in, %%tid, %d, %%in;\nmad.wide.u32 %%out, %%tid, %d, %%out;\n"
        "cvt.u32.u64 %%t, %%lane;\nsetp.eq.u32 %%p0, %%t, 32;\nsetp.eq.or.u32 %%p0, %%t, %%tid, %%p0;\n"
        "@!%%p0 ret;\n",
        KEPT, KEPT, KEPT, DEEP, KEPT, KEPT, LANE_IN + 10, LANE_OUT);
    moves(s, false);
    block(s, 0);
    while (s->n && s->statements < STATEMENTS)
        block(s, 0);
    moves(s, true);
    strbuf_adds(&s->text, "ret;\n}\n");
}

/* --- running it --- */

static _Alignas(64) uint8_t input[32 * (LANE_IN + 10)];

/* Values at the edges, and others. */
static void fill_input(uint32_t seed)
{
    static const uint32_t edges[] = {0,          1,          0x80000000, 0x7fffffff, 0xffffffff, 0x3f800000,
                                     0x7f800000, 0xff800000, 0x7fc00001, 0x00000001, 0x80000001, 0x3c003c00,
                                     0x7c00fc00, 0x7f7fffff, 0x00800000, 0x4b800001};
    uint64_t x = seed | 1;

    for (size_t at = 0; at + 4 <= sizeof input; at += 4) {
        uint32_t v;

        x = x * 6364136223846793005u + 1442695040888963407u;
        v = x >> 61 == 0 ? edges[x >> 40 & 15] : (uint32_t)(x >> 32);
        memcpy(input + at, &v, 4);
    }
}

struct bench {
    struct device_memory *memory;
    struct ptx_program *program;
    uint64_t in, out;
};

static void stop(const struct source *s, const char *what, const struct err *e)
{
    fprintf(stderr, "%s\n%s: %s\n", s->text.text, what, e ? e->text : "other bits");
    abort();
}

static void open_bench(const struct source *s, struct bench *b)
{
    struct ptx_module *m;
    uint32_t module;
    struct err e;

    b->memory = device_memory_new(16 << 20, &e);
    b->program = b->memory ? ptx_program_new(b->memory, &e) : NULL;
    if (!b->program || ptx_parse(s->text.text, s->text.length, "fuzz", &m, &e) != 0 ||
        ptx_program_load(b->program, m, &module, &e) != 0 ||
        device_alloc(b->memory, sizeof input, 256, "in", &b->in, &e) != 0 ||
        device_alloc(b->memory, (uint64_t)32 * LANE_OUT, 256, "out", &b->out, &e) != 0)
        stop(s, "begin", &e);
    memcpy(device_bytes(b->memory, b->in, sizeof input), input, sizeof input);
}

static void run(const struct source *s, struct bench *b, bool taken_first, bool lane_by_lane, uint8_t *out)
{
    for (uint64_t lane = lane_by_lane ? 0 : 32; lane < (lane_by_lane ? 32 : 33); lane++) {
        uint64_t params[3] = {b->in, b->out, lane};
        struct ptx_launch l = {.grid = {1, 1, 1}, .block = {32, 1, 1}, .params = params, .param_bytes = 24};
        struct ptx_exec_options o = {.taken_first = taken_first, .limit_instructions = 1 << 20};
        struct ptx_exec_stats stats = {0};
        struct err e;

        if (ptx_launch_run(b->program, &l, &o, &stats, &e) != 0)
            stop(s, "run", &e);
    }
    memcpy(out, device_bytes(b->memory, b->out, (uint64_t)32 * LANE_OUT), (size_t)32 * LANE_OUT);
}

static void close_bench(struct bench *b)
{
    ptx_program_free(b->program);
    device_memory_free(b->memory);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
    static const char *const kinds[] = {NULL, "plain", "avx2", "avx512"};
    static uint8_t first[32 * LANE_OUT], other[32 * LANE_OUT];
    struct source s = {.bytes = bytes, .n = n, .text = STRBUF_INIT};

    fill_input(draw(&s, 65536));
    make_kernel(&s);
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        struct bench b;
        struct err e;

        if (ptx_forms_choose_cpu(kinds[k], &e) != 0)
            continue;
        open_bench(&s, &b);
        run(&s, &b, false, false, k ? other : first);
        if (k && memcmp(first, other, sizeof first) != 0)
            stop(&s, kinds[k], NULL);
        run(&s, &b, true, false, other);
        if (memcmp(first, other, sizeof first) != 0)
            stop(&s, "taken first", NULL);
        if (!s.crosses && k == 0)
            run(&s, &b, false, true, other);
        if (memcmp(first, other, sizeof first) != 0)
            stop(&s, "lane by lane", NULL);
        close_bench(&b);
    }
    ptx_forms_choose_cpu(NULL, &(struct err){0});
    strbuf_release(&s.text);
    return 0;
}
