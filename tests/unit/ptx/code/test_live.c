/* Live values and register rows: checked by hand, and on random programs with a simulated thread. */
#include "base/rng.h"
#include "base/strbuf.h"
#include "ptx/code/live.h"
#include "tests/harness/check.h"

struct prepared {
    struct ptx_module *m;
    const struct ptx_function *f;
    struct ptx_flow flow;
    struct ptx_live live;
    uint16_t *rows;
    uint32_t row_count, pred_count;
};

static void prepare(struct prepared *p, const char *body)
{
    struct strbuf b = STRBUF_INIT;
    struct err e;

    strbuf_addf(&b,
                ".version 7.0\n.target sm_80\n.address_size 64\n.entry k()\n{\n.reg .pred %%p<4>; .reg .b16 "
                "%%h<4>; .reg .b32 %%r<6>; .reg .b64 %%d<5>; .reg .v4 .b32 %%v;\n%s\n}\n",
                body);
    CHECK_OK(ptx_parse(b.text, b.length, "t.ptx", &p->m, &e), &e);
    p->f = &p->m->functions[0];
    if (p->f->broken)
        fail_msg("%s", p->f->fault.text);
    CHECK_OK(ptx_flow_build(p->f, &p->flow, &e), &e);
    CHECK_OK(ptx_live_build(p->f, &p->flow, &p->live, &e), &e);
    p->rows = calloc(p->live.value_count + 1u, sizeof *p->rows);
    assert_non_null(p->rows);
    CHECK_OK(ptx_rows_pack(p->f, &p->live, p->rows, &p->row_count, &p->pred_count, &e), &e);
    strbuf_release(&b);
}

static void release(struct prepared *p)
{
    free(p->rows);
    ptx_live_release(&p->live);
    ptx_flow_release(&p->flow);
    ptx_module_free(p->m);
}

static uint32_t value(const struct prepared *p, const char *name)
{
    for (uint32_t r = 0; r < p->f->register_count; r++)
        if (strcmp(p->f->registers[r].name, name) == 0)
            return p->live.value_of[r];
    fail_msg("no register %s", name);
    return 0;
}

static uint16_t row(const struct prepared *p, const char *name)
{
    return p->rows[value(p, name)];
}

/* --- by hand --- */

static void rows_are_used_again(void **state)
{
    struct prepared p;

    (void)state;
    prepare(&p, "mov.b32 %r0, 1; add.s32 %r1, %r0, 1; add.s32 %r2, %r1, 1; st.global.b32 [%d0], %r2; ret;");
    /* an instruction may write the row of a source that it uses last */
    assert_int_equal(row(&p, "%r0"), row(&p, "%r1"));
    assert_int_equal(row(&p, "%r1"), row(&p, "%r2"));
    assert_int_equal(row(&p, "%r3"), PTX_NO_ROW);
    assert_int_equal(p.row_count, 4 + 2 + 8); /* 64 bits, 32 bits, and %v, which has its own four rows */
    assert_int_equal(p.live.live_words, 3);
    release(&p);
}

static void a_load_does_not_write_over_its_address(void **state)
{
    struct prepared p;

    (void)state;
    prepare(&p, "mov.b64 %d0, 64; ld.global.b64 %d1, [%d0]; ld.global.v2.b64 {%d2, %d3}, [%d1]; add.s64 %d4, %d2, "
                "%d3; st.global.b64 [%d4], %d4;");
    assert_int_not_equal(row(&p, "%d0"), row(&p, "%d1"));
    assert_int_not_equal(row(&p, "%d1"), row(&p, "%d2"));
    assert_int_not_equal(row(&p, "%d1"), row(&p, "%d3"));
    assert_int_not_equal(row(&p, "%d2"), row(&p, "%d3"));
    release(&p);
}

static void a_loop_keeps_what_its_next_round_reads(void **state)
{
    struct prepared p;

    (void)state;
    prepare(&p, "mov.b32 %r0, 1; mov.b32 %r1, 2; L: add.s32 %r2, %r0, %r1; st.global.b32 [%d0], %r2; mov.b32 %r3, "
                "9; st.global.b32 [%d0], %r3; setp.lt.s32 %p0, %r3, 5; @%p0 bra L; mov.b32 %r4, 3; st.global.b32 "
                "[%d0], %r4;");
    for (int k = 0; k < 2; k++) {
        assert_int_not_equal(p.rows[value(&p, "%r0") + (uint32_t)k], row(&p, "%r2"));
        assert_int_not_equal(p.rows[value(&p, "%r0") + (uint32_t)k], row(&p, "%r3"));
    }
    assert_int_equal(row(&p, "%r2"), row(&p, "%r3"));
    assert_int_equal(p.live.live_words, 2 + 3); /* %d0, %r0, %r1 and one of the other values */
    release(&p);
}

static void a_guarded_write_keeps_the_old_value_alive(void **state)
{
    struct prepared p;

    (void)state;
    prepare(&p, "mov.b32 %r0, 1; mov.b32 %r1, 2; st.global.b32 [%d0], %r1; @%p0 mov.b32 %r0, 3; st.global.b32 "
                "[%d0], %r0;");
    assert_int_not_equal(row(&p, "%r0"), row(&p, "%r1"));
    release(&p);
}

static void the_sides_of_a_branch_may_share_rows(void **state)
{
    struct prepared p;

    (void)state;
    prepare(&p, "@%p0 bra E; mov.b32 %r0, 1; st.global.b32 [%d0], %r0; bra D; E: mov.b32 %r1, 2; st.global.b32 "
                "[%d0], %r1; D: ret;");
    assert_int_equal(row(&p, "%r0"), row(&p, "%r1"));
    release(&p);
}

/* --- random programs --- */

enum { LENGTH = 40, VALUES_MAX = 32, STEPS = 200 };

static void one_random_inst(struct strbuf *b, struct rng *r, uint32_t labels)
{
    uint32_t a = (uint32_t)rng_below(r, 5), c = (uint32_t)rng_below(r, 5), d = (uint32_t)rng_below(r, 5);

    if (rng_below(r, 5) == 0)
        strbuf_addf(b, "@%s%%p%u ", rng_below(r, 2) ? "!" : "", (uint32_t)rng_below(r, 4));
    switch (rng_below(r, 9)) {
    case 0: strbuf_addf(b, "mov.b32 %%r%u, 7;", a); break;
    case 1: strbuf_addf(b, "add.s32 %%r%u, %%r%u, %%r%u;", a, c, d); break;
    case 2: strbuf_addf(b, "mad.wide.s32 %%d%u, %%r%u, %%r%u, %%d%u;", a, c, d, a); break;
    case 3: strbuf_addf(b, "ld.global.b32 %%r%u, [%%d%u];", a, c); break;
    case 4: strbuf_addf(b, "ld.global.v2.b64 {%%d%u, %%d%u}, [%%d%u];", a, (a + 1) % 5, d); break;
    case 5: strbuf_addf(b, "st.global.b32 [%%d%u], %%r%u;", a, c); break;
    case 6: strbuf_addf(b, "setp.lt.s32 %%p%u|%%p%u, %%r%u, %%r%u;", a % 4, (a + 1) % 4, c, d); break;
    case 7: strbuf_addf(b, "cvt.u16.u32 %%h%u, %%r%u; cvt.u32.u16 %%r%u, %%h%u;", a % 4, c, d, a % 4); break;
    default: strbuf_addf(b, "bra L%u;", (uint32_t)rng_below(r, labels)); break;
    }
    strbuf_adds(b, "\n");
}

static char *random_program(struct rng *r)
{
    struct strbuf b = STRBUF_INIT;
    uint32_t labels = 1 + (uint32_t)rng_below(r, 6), n = 4 + (uint32_t)rng_below(r, LENGTH);

    for (uint32_t k = 0; k < n; k++) {
        for (uint32_t l = 0; l < labels; l++)
            if (l * n / labels == k)
                strbuf_addf(&b, "L%u: ", l);
        one_random_inst(&b, r, labels);
    }
    strbuf_adds(&b, "ret;");
    return strbuf_detach(&b);
}

/* The content of a thread's registers and of the rows that they are assigned to. */
struct thread {
    const struct prepared *p;
    uint32_t in_value[VALUES_MAX], in_row[2][4096]; /* number of the write that set it; 0: never written */
    uint8_t class_of[VALUES_MAX];
    uint32_t inst, marks;
    bool runs, writes;
};

static void touch_thread(void *ctx, uint32_t v, bool write)
{
    struct thread *t = ctx;
    uint32_t *row = &t->in_row[t->class_of[v] == 1 ? 1 : 0][t->p->rows[v]];

    if (write != t->writes || (write && !t->runs))
        return;
    if (write)
        *row = t->in_value[v] = ++t->marks;
    else if (t->in_value[v])
        assert_int_equal(*row, t->in_value[v]);
}

static void walk(struct thread *t, struct rng *r)
{
    const struct ptx_function *f = t->p->f;

    for (uint32_t at = 0, steps = 0; at < f->inst_count && steps < STEPS; steps++) {
        const struct ptx_inst *i = &f->insts[at];
        const struct ptx_block *b = &t->p->flow.blocks[t->p->flow.block_of[at]];

        t->runs = i->guard == PTX_NONE || rng_below(r, 2);
        for (int writes = 0; writes < 2; writes++) {
            t->writes = writes;
            ptx_touched(f, t->p->live.value_of, i, touch_thread, t);
        }
        if (strcmp(i->opcode, "ret") == 0)
            return;
        if (strcmp(i->opcode, "bra") == 0 && t->runs)
            at = t->p->flow.blocks[t->p->flow.edges[b->edge_first + b->edge_count - 1]].first;
        else
            at++;
    }
}

/* The largest number of words live before any instruction, by the textbook's data-flow equations. */
struct sets {
    uint64_t reads, writes;
    const struct prepared *p;
    bool guarded;
};

static void touch_sets(void *ctx, uint32_t v, bool write)
{
    struct sets *s = ctx;

    if (!write)
        s->reads |= 1ull << v;
    else if (!s->guarded)
        s->writes |= 1ull << v;
}

static uint64_t live_behind(const struct prepared *p, const uint64_t *live, uint32_t i)
{
    const struct ptx_block *b = &p->flow.blocks[p->flow.block_of[i]];
    uint64_t behind = 0;

    if (i + 1 < b->first + b->count)
        return live[i + 1];
    for (uint32_t k = 0; k < b->edge_count; k++)
        behind |= live[p->flow.blocks[p->flow.edges[b->edge_first + k]].first];
    return behind;
}

static uint32_t words_by_definition(const struct prepared *p)
{
    uint64_t live[2 * LENGTH + 8] = {0};
    uint32_t most = 0;
    bool changed = true;

    while (changed) {
        changed = false;
        for (uint32_t i = p->f->inst_count; i-- > 0;) {
            struct sets s = {.p = p, .guarded = p->f->insts[i].guard != PTX_NONE};
            uint64_t now;

            ptx_touched(p->f, p->live.value_of, &p->f->insts[i], touch_sets, &s);
            now = s.reads | (live_behind(p, live, i) & ~s.writes);
            changed |= now != live[i];
            live[i] = now;
        }
    }
    for (uint32_t i = 0; i < p->f->inst_count; i++) {
        uint32_t words = 0;

        for (uint32_t r = 0; r < p->f->register_count; r++)
            if (live[i] >> p->live.value_of[r] & 1)
                words += (ptx_type_bits(p->f->registers[r].type) + 16) / 32; /* 1 bit: no word; 16 bits: one word */
        most = words > most ? words : most;
    }
    return most;
}

static void a_thread_finds_in_rows_what_it_wrote_to_registers(void **state)
{
    struct rng r;
    uint32_t shared = 0;

    (void)state;
    rng_init(&r, 6, 0, RNG_TEST);
    for (int round = 0; round < 3000; round++) {
        char *text = random_program(&r);
        struct prepared p;
        struct thread t;

        prepare(&p, text);
        for (int walks = 0; walks < 4; walks++) {
            t = (struct thread){.p = &p};
            for (uint32_t k = 0; k < p.f->register_count; k++)
                for (uint32_t v = p.live.value_of[k]; v < p.live.value_of[k + 1]; v++)
                    t.class_of[v] = (uint8_t)ptx_row_bits(p.f->registers[k].type);
            walk(&t, &r);
        }
        assert_int_equal(p.live.live_words, words_by_definition(&p));
        shared += p.row_count < 8 + 4 + 6 * 2 + 5 * 4;
        release(&p);
        free(text);
    }
    assert_true(shared > 500); /* rows are really shared */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_are_used_again),
        cmocka_unit_test(a_load_does_not_write_over_its_address),
        cmocka_unit_test(a_loop_keeps_what_its_next_round_reads),
        cmocka_unit_test(a_guarded_write_keeps_the_old_value_alive),
        cmocka_unit_test(the_sides_of_a_branch_may_share_rows),
        cmocka_unit_test(a_thread_finds_in_rows_what_it_wrote_to_registers),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
