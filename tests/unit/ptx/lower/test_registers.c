/* Two values that are live at the same time never share a register. The allocation is compared with a simple
 * analysis of live values, instruction by instruction, for the kernels of the examples, of conformance/, and
 * random ones. */
#include <dirent.h>

#include "base/rng.h"
#include "base/whole_file.h"
#include "ptx/lower/lowering.h"
#include "tests/unit/ptx/engine.h"

/* Calls the real function and checks its result for its input. */
static int watched_registers(struct lowering *w, const struct ptx_lowered *l, uint8_t *reg_of, uint32_t *used);
#define lower_registers watched_registers
#include "ptx/lower/lower.c" /* NOLINT(bugprone-suspicious-include) */
#undef lower_registers
int lower_registers(struct lowering *w, const struct ptx_lowered *l, uint8_t *reg_of, uint32_t *used);

static struct {
    uint64_t functions, pairs, shared, unwritten, crowded, unrolled;
} seen;

/* --- sets of words of values --- */

struct sets {
    size_t words;
    uint64_t *bits; /* the sets follow one another */
};

static uint64_t *set_of(const struct sets *s, size_t k)
{
    return s->bits + k * s->words;
}

static bool has(const uint64_t *set, size_t v)
{
    return set[v / 64] >> v % 64 & 1;
}

static void put(uint64_t *set, size_t v, bool on)
{
    set[v / 64] = on ? set[v / 64] | 1ull << v % 64 : set[v / 64] & ~(1ull << v % 64);
}

/* --- one function --- */

struct check {
    const struct lowering *w;
    const struct ptx_segment *segments;
    uint32_t count;
    const uint8_t *reg_of;
    uint32_t *op_of;           /* for each value: the only op that uses it, else PTX_NONE */
    struct sets live, defined; /* live at the end of each block, defined at its beginning */
};

static bool is_value(const struct check *c, uint32_t v)
{
    return v != VALUE_NONE && !c->w->values[v].pred;
}

static void put_part(const struct check *c, uint64_t *set, const struct part *p, bool on)
{
    for (uint32_t k = p->word; is_value(c, p->value) && k < (uint32_t)p->word + p->words; k++)
        put(set, (size_t)p->value * VALUE_WORDS + k, on);
}

/* Computes the values live before the instruction from those live after it. */
static void step_back(const struct check *c, const struct mop *m, uint64_t *live)
{
    /* If the guard is false, the old content stays. A value that only one op uses has no old content. */
    if (is_value(c, m->dst.value) && (!c->w->code->ops[m->op].guarded || c->op_of[m->dst.value] == m->op))
        put_part(c, live, &m->dst, false);
    for (uint32_t s = 0; s < m->src_count; s++)
        put_part(c, live, &m->src[s], true);
}

static uint32_t block_of(const struct check *c, uint32_t segment)
{
    return c->w->flow.block_of[c->segments[segment].first_op];
}

static bool join(uint64_t *to, const uint64_t *from, size_t words)
{
    bool more = false;

    for (size_t k = 0; k < words; k++) {
        more = more || (from[k] & ~to[k]);
        to[k] |= from[k];
    }
    return more;
}

/* Goes back to the beginning of a block: `set` becomes the values live there. */
static void live_at_begin(const struct check *c, uint32_t block, uint64_t *set)
{
    for (uint32_t s = c->count; s-- > 0;)
        if (block_of(c, s) == block)
            for (uint32_t k = c->segments[s].count; k-- > 0;)
                step_back(c, &c->w->all[c->segments[s].first + k], set);
}

static void defined_at_end(const struct check *c, uint32_t block, uint64_t *set)
{
    for (uint32_t s = 0; s < c->count; s++)
        for (uint32_t k = 0; block_of(c, s) == block && k < c->segments[s].count; k++)
            put_part(c, set, &c->w->all[c->segments[s].first + k].dst, true);
}

static void note_op(struct check *c, uint32_t v, uint32_t op, bool *touched)
{
    if (v == VALUE_NONE)
        return;
    c->op_of[v] = touched[v] && c->op_of[v] != op ? PTX_NONE : op;
    touched[v] = true;
}

static void find_ops(struct check *c)
{
    bool *touched = calloc(c->w->value_count + 1, 1);

    c->op_of = calloc(c->w->value_count + 1, sizeof *c->op_of);
    for (size_t k = 0; k < c->w->all_count; k++) {
        const struct mop *m = &c->w->all[k];

        note_op(c, m->dst.value, m->op, touched);
        for (uint32_t s = 0; s < m->src_count; s++)
            note_op(c, m->src[s].value, m->op, touched);
    }
    free(touched);
}

static void solve(struct check *c)
{
    const struct ptx_flow *f = &c->w->flow;
    uint64_t *set = calloc(c->live.words, 8);
    bool more = true;

    while (more) {
        more = false;
        for (uint32_t b = f->block_count; b-- > 0;) {
            memcpy(set, set_of(&c->defined, b), c->live.words * 8);
            defined_at_end(c, b, set);
            for (uint32_t e = 0; e < f->blocks[b].edge_count; e++)
                more |= join(set_of(&c->defined, f->edges[f->blocks[b].edge_first + e]), set, c->live.words);
            for (uint32_t e = 0; e < f->blocks[b].edge_count; e++) {
                uint32_t next = f->edges[f->blocks[b].edge_first + e];

                memcpy(set, set_of(&c->live, next), c->live.words * 8);
                live_at_begin(c, next, set);
                more |= join(set_of(&c->live, b), set, c->live.words);
            }
        }
    }
    free(set);
}

/* The instruction writes `d`: no value that is live after it may be in the same registers. */
static void check_write(const struct check *c, const struct mop *m, const uint64_t *live, const uint64_t *defined)
{
    uint32_t d = m->dst.value, from = c->reg_of[d] + m->dst.word, to = from + m->dst.words;

    for (size_t v = 0; v < c->w->value_count * VALUE_WORDS; v++) {
        uint32_t at = c->reg_of[v / VALUE_WORDS] + (uint32_t)(v % VALUE_WORDS);

        if (v / VALUE_WORDS == d || !has(live, v) || !has(defined, v))
            continue;
        seen.pairs++;
        if (at >= from && at < to && seen.shared++ < 5)
            print_error("%s, op %u: values %u and %zu share R%u\n", c->w->f->name, m->op, d, v / VALUE_WORDS, at);
    }
}

static void check_block(struct check *c, uint32_t block)
{
    size_t most = 0, n = 0;
    struct sets defined = {c->live.words, NULL};
    uint64_t *live = calloc(c->live.words, 8), *now = calloc(c->live.words, 8);

    for (uint32_t s = 0; s < c->count; s++)
        most += block_of(c, s) == block ? c->segments[s].count : 0;
    defined.bits = calloc(most + 1, c->live.words * 8);
    memcpy(now, set_of(&c->defined, block), c->live.words * 8);
    for (uint32_t s = 0; s < c->count; s++)
        for (uint32_t k = 0; block_of(c, s) == block && k < c->segments[s].count; k++) {
            memcpy(set_of(&defined, n++), now, c->live.words * 8);
            put_part(c, now, &c->w->all[c->segments[s].first + k].dst, true);
        }
    memcpy(live, set_of(&c->live, block), c->live.words * 8);
    for (uint32_t s = c->count; s-- > 0;)
        for (uint32_t k = c->segments[s].count; block_of(c, s) == block && k-- > 0;) {
            const struct mop *m = &c->w->all[c->segments[s].first + k];

            n--;
            if (is_value(c, m->dst.value))
                check_write(c, m, live, set_of(&defined, n));
            step_back(c, m, live);
        }
    free(defined.bits);
    free(live);
    free(now);
}

/* Each unrolled form of a loop takes the place of its segment. */
static void check_unrolled(const struct check *c, const struct ptx_lowered *l)
{
    struct ptx_segment *segments = calloc(c->count, sizeof *segments);
    struct check form = *c;

    form.segments = segments;
    for (uint32_t s = 0; s < c->count; s++)
        for (uint32_t k = 0; k < c->segments[s].unroll_count; k++) {
            const struct ptx_unrolled *u = &l->unrolled[c->segments[s].unroll_first + k];

            memcpy(segments, c->segments, c->count * sizeof *segments);
            segments[s].first = u->first;
            segments[s].count = u->count;
            check_block(&form, block_of(c, s));
            seen.unrolled++;
        }
    free(segments);
}

/* A result of an op that is read later is written by an instruction of the op, or of the op that it is part of. */
static void check_results(const struct check *c)
{
    const struct lowering *w = c->w;

    for (uint32_t op = 0; op < w->code->op_count; op++) {
        struct touches t;
        uint32_t maker;

        if (w->fate[op] != OP_STAYS || w->code->ops[op].action == PTX_DO_CALL)
            continue;
        maker = w->merged[op] == PTX_NONE ? op : w->merged[op];
        lower_touches(w, op, &t);
        for (uint32_t k = 0; k < t.write_count; k++) {
            struct part p = lower_resolve(w, t.writes[k]);
            uint32_t words = 0;

            if (!is_value(c, p.value) || (!w->values[p.value].uses && w->code->ops[op].action == PTX_DO_ATOMIC))
                continue; /* a reduction has no result */
            for (size_t m = 0; m < w->all_count; m++)
                if (w->all[m].op == maker && w->all[m].dst.value == p.value)
                    for (uint32_t n = 0; n < w->all[m].dst.words; n++)
                        words |= 1u << (w->all[m].dst.word + n);
            for (uint32_t n = p.word; n < (uint32_t)p.word + p.words; n++)
                if (!(words >> n & 1) && seen.unwritten++ < 5)
                    print_error("%s, op %u (%s%s): nothing writes word %u of value %u\n", w->f->name, op,
                                w->f->insts[op].opcode, w->f->insts[op].suffix, n, p.value);
        }
    }
}

/* Parameters and results in registers are live in the caller too, so these functions are not checked. */
static bool has_register_parameters(const struct ptx_function *f)
{
    for (uint32_t k = 0; k < f->param_count; k++)
        if (f->params[k].variable == PTX_NONE)
            return true;
    return !f->entry;
}

static int watched_registers(struct lowering *w, const struct ptx_lowered *l, uint8_t *reg_of, uint32_t *used)
{
    size_t words = (w->value_count * VALUE_WORDS + 64) / 64, blocks = w->flow.block_count + 1;
    struct check c = {.w = w,
                      .segments = l->segments,
                      .count = l->segment_count,
                      .reg_of = reg_of,
                      .live = {words, calloc(words * blocks, 8)},
                      .defined = {words, calloc(words * blocks, 8)}};
    int ret = lower_registers(w, l, reg_of, used);

    seen.crowded += *used >= w->registers_max;
    if (ret == 0 && *used < w->registers_max && !has_register_parameters(w->f)) {
        seen.functions++;
        check_results(&c);
        find_ops(&c);
        solve(&c);
        for (uint32_t b = 0; b < w->flow.block_count; b++)
            check_block(&c, b);
        check_unrolled(&c, l);
    }
    free(c.op_of);
    free(c.live.bits);
    free(c.defined.bits);
    return ret;
}

/* --- programs --- */

static void check_module(const char *text, const char *name)
{
    struct bench *b = calloc(1, sizeof *b);
    const struct ptx_module *m;
    struct err e;

    b->memory = device_memory_new(64 << 20, &e);
    b->program = ptx_program_new(b->memory, &e);
    bench_load(b, text);
    m = ptx_program_module(b->program, b->module);
    for (uint32_t k = 0; k < m->function_count; k++) {
        struct ptx_machine_table t = {.arch = k % 2 ? 70 : 90};
        const struct ptx_code *code = m->functions[k].entry && m->functions[k].has_body
                                          ? ptx_program_code(b->program, b->module, k, &e)
                                          : NULL;
        struct ptx_lowered *l = NULL;

        if (!code)
            continue;
        if (ptx_lower(&t, code, &l, &e) != 0)
            fail_msg("%s: %s", name, e.text);
        ptx_lowered_free(l);
        ptx_machine_table_release(&t);
    }
    bench_close(b);
}

static void check_file(const char *path)
{
    char *text;
    struct err e;
    size_t n;

    CHECK_OK(whole_file_read(path, 16 << 20, &text, &n, &e), &e);
    check_module(text, path);
    free(text);
}

static int is_program(const struct dirent *d)
{
    return strstr(d->d_name, ".ptx") != NULL;
}

static void registers_of_real_kernels(void **state)
{
    static const char *const examples[] = {"examples/bfs/bfs.ptx", "examples/cnn/cnn.ptx",
                                           "examples/reduction/reduction.ptx", "examples/tiny-gpt/tiny_gpt.ptx",
                                           "examples/vector-add/vector_add.ptx"};
    struct dirent **all;
    int n = scandir("tests/unit/ptx/conformance", &all, is_program, alphasort);

    (void)state;
    memset(&seen, 0, sizeof seen);
    for (size_t k = 0; k < sizeof examples / sizeof *examples; k++)
        check_file(examples[k]);
    for (int k = 0; k < n; k++) {
        char path[400];

        snprintf(path, sizeof path, "tests/unit/ptx/conformance/%s", all[k]->d_name);
        check_file(path);
        free(all[k]);
    }
    free(all);
    assert_true(seen.functions > 80 && seen.pairs > 10000 && seen.unrolled > 20);
    assert_int_equal(seen.shared, 0);
    assert_int_equal(seen.unwritten, 0);
}

/* --- random kernels --- */

enum { KEPT = 9, WIDE = 6 };

static void random_line(struct strbuf *s, struct rng *r)
{
    static const char *const narrow[] = {"add.u32", "xor.b32", "min.s32"};
    uint32_t a = (uint32_t)rng_below(r, KEPT), b = (uint32_t)rng_below(r, KEPT), c = (uint32_t)rng_below(r, KEPT),
             d = (uint32_t)rng_below(r, KEPT), x = (uint32_t)rng_below(r, WIDE), y = (uint32_t)rng_below(r, WIDE);

    if (rng_below(r, 5) == 0)
        strbuf_addf(s, "@%s%%p%u ", rng_below(r, 2) ? "!" : "", (uint32_t)rng_below(r, 3));
    switch (rng_below(r, 11)) {
    case 0: strbuf_addf(s, "%s %%r%u, %%r%u, %%r%u;\n", narrow[rng_below(r, 3)], a, b, c); break;
    case 1: strbuf_addf(s, "mad.lo.u32 %%r%u, %%r%u, %%r%u, %%r%u;\n", a, b, c, d); break;
    case 2: strbuf_addf(s, "mad.wide.u32 %%d%u, %%r%u, %%r%u, %%d%u;\n", x, b, c, y); break;
    case 3: strbuf_addf(s, "mov.b64 {%%r%u, %%r%u}, %%d%u;\n", a, (a + 1) % KEPT, x); break;
    case 4: strbuf_addf(s, "mov.b64 %%d%u, {%%r%u, %%r%u};\n", x, a, b); break;
    case 5: strbuf_addf(s, "setp.lt.u32 %%p%u, %%r%u, %%r%u;\n", (uint32_t)rng_below(r, 3), a, b); break;
    case 6:
        strbuf_addf(s, "ld.global.v4.u32 {%%r%u, %%r%u, %%r%u, %%r%u}, [%%in+%u];\n", a, (a + 1) % KEPT,
                    (a + 2) % KEPT, (a + 4) % KEPT, 16 * b);
        break;
    case 7: strbuf_addf(s, "fma.rn.f64 %%g%u, %%g%u, %%g%u, %%g%u;\n", x, y, x, (x + y) % WIDE); break;
    case 8: strbuf_addf(s, "div.u32 %%r%u, %%r%u, %%r%u;\n", a, b, c); break;
    case 9: strbuf_addf(s, "st.global.v2.u32 [%%out+%u], {%%r%u, %%r%u};\n", 8 * d, a, b); break;
    default: strbuf_addf(s, "cvt.rn.f64.u32 %%g%u, %%r%u;\n", x, a);
    }
}

/* Random lines with forward and backward branches. All values are stored at the end. */
static char *random_kernel(struct rng *r)
{
    struct strbuf s = STRBUF_INIT;
    uint32_t blocks = 2 + (uint32_t)rng_below(r, 6);

    strbuf_addf(&s,
                PTX_HEAD ".visible .entry k(.param .u64 in, .param .u64 out)\n{\n.reg .b32 %%r<%d>; .reg .b64 "
                         "%%d<%d>, %%in, %%out; .reg .f64 %%g<%d>; .reg .pred %%p<3>;\n"
                         "ld.param.u64 %%in, [in]; ld.param.u64 %%out, [out];\n",
                KEPT, WIDE, WIDE);
    for (uint32_t k = 0; k < blocks; k++) {
        strbuf_addf(&s, "L%u:\n", k);
        for (uint64_t n = 1 + rng_below(r, 20); n > 0; n--)
            random_line(&s, r);
        if (rng_below(r, 2))
            strbuf_addf(&s, "@%%p%u bra L%u;\n", (uint32_t)rng_below(r, 3), (uint32_t)rng_below(r, blocks));
    }
    for (uint32_t k = 0; k < KEPT; k++)
        strbuf_addf(&s, "st.global.u32 [%%out+%u], %%r%u;\n", 256 + 4 * k, k);
    for (uint32_t k = 0; k < WIDE; k++)
        strbuf_addf(&s, "st.global.u64 [%%out+%u], %%d%u;\nst.global.f64 [%%out+%u], %%g%u;\n", 512 + 8 * k, k,
                    1024 + 8 * k, k);
    strbuf_adds(&s, "ret;\n}\n");
    return strbuf_detach(&s);
}

static void registers_of_random_kernels(void **state)
{
    struct rng r;

    (void)state;
    memset(&seen, 0, sizeof seen);
    rng_init(&r, 11, 0, RNG_TEST);
    for (int k = 0; k < 150; k++) {
        uint64_t before = seen.shared;
        char *text = random_kernel(&r);

        check_module(text, "random");
        if (seen.shared != before) {
            print_error("%s\n", text);
            k = 1000;
        }
        free(text);
    }
    assert_int_equal(seen.shared, 0);
    assert_int_equal(seen.unwritten, 0);
    assert_true(seen.pairs > 10000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(registers_of_real_kernels),
        cmocka_unit_test(registers_of_random_kernels),
    };

    return cmocka_run_group_tests_name("registers", tests, NULL, NULL);
}
