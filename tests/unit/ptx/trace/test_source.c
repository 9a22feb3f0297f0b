/* A launch as a source of machine instructions: the source returns the executed instructions of each warp in
 * order, with lanes and addresses. Afterwards memory has the results. */
#include "ptx/trace/source.h"

#include "tests/unit/ptx/engine.h"

/* out[i] = in[i] + 1 for i < n; odd CTAs' lanes beyond n do nothing. */
static const char add_one[] =
    ".visible .entry k(.param .u64 in, .param .u64 out, .param .u64 n)\n{\n"
    ".reg .b32 %r<8>; .reg .b64 %rd<10>; .reg .pred %p<2>;\n"
    "ld.param.u64 %rd1, [in]; ld.param.u64 %rd2, [out]; ld.param.u64 %rd3, [n];\n"
    "mov.u32 %r1, %ctaid.x; mov.u32 %r2, %ntid.x; mov.u32 %r3, %tid.x; mad.lo.s32 %r4, %r1, %r2, %r3;\n"
    "cvt.u64.u32 %rd4, %r4; setp.ge.u64 %p1, %rd4, %rd3; @%p1 bra done;\n"
    "mul.wide.u32 %rd5, %r4, 4; add.s64 %rd6, %rd1, %rd5; ld.global.u32 %r5, [%rd6];\n"
    "add.s32 %r6, %r5, 1; add.s64 %rd7, %rd2, %rd5; st.global.u32 [%rd7], %r6;\n"
    "done: ret;\n}\n";

struct run {
    struct bench *b;
    struct inst_source *source;
    uint64_t in, out;
};

static void open_add_one(struct run *r, uint32_t grid, uint64_t n, uint64_t params[3])
{
    struct ptx_launch l = {.grid = {grid, 1, 1}, .block = {64, 1, 1}, .params = params, .param_bytes = 24};
    const struct ptx_source_options o = {.arch = 80, .id = 7};
    struct err e;

    r->b = bench_open(add_one);
    r->in = bench_alloc(r->b, 4096);
    r->out = bench_alloc(r->b, 4096);
    for (uint32_t i = 0; i < 1024; i++)
        bench_words(r->b, r->in)[i] = i * 3;
    params[0] = r->in;
    params[1] = r->out;
    params[2] = n;
    l.module = r->b->module;
    l.function = ptx_find_function(ptx_program_module(r->b->program, r->b->module), "k");
    CHECK_OK(ptx_source_new(r->b->program, &l, &r->b->options, &o, &r->source, &e), &e);
}

static void close_run(struct run *r)
{
    inst_source_release(r->source);
    bench_close(r->b);
}

static bool is(const struct inst_source *s, const struct warp_inst *i, const char *opcode)
{
    return strncmp(s->opcodes[s->insts[i->inst].opcode], opcode, strlen(opcode)) == 0;
}

static void warps_have_loads_and_stores(void **state)
{
    struct cta_trace *cta;
    uint64_t params[3];
    uint32_t loads = 0, stores = 0, ctas = 0;
    struct run r;
    struct err e;
    int got;

    (void)state;
    open_add_one(&r, 3, 150, params);
    assert_string_equal(r.source->info.name, "k");
    assert_int_equal(r.source->info.id, 7);
    assert_int_equal(r.source->info.binary_version, 80);
    assert_in_range(r.source->info.registers, 4, 32);
    while ((got = inst_source_next_cta(r.source, &cta, &e)) > 0) {
        assert_int_equal(cta->index, ctas);
        assert_int_equal(cta->id[0], ctas);
        assert_int_equal(cta->warp_count, 2);
        for (uint32_t w = 0; w < 2; w++) {
            const struct cta_warp *warp = &cta->warps[w];
            uint32_t first = ctas * 64 + w * 32, lanes = first >= 150 ? 0 : first + 32 > 150 ? 150 - first : 32;

            for (uint32_t k = 0; k < warp->count; k++) {
                const struct warp_inst *i = &warp->insts[k];
                struct lane_addresses a;
                bool load = is(r.source, i, "LDG.E");

                if (!load && !is(r.source, i, "STG.E"))
                    continue;
                loads += load;
                stores += !load;
                assert_int_equal(i->mask, lanes == 32 ? UINT32_MAX : (1u << lanes) - 1);
                assert_int_equal(r.source->insts[i->inst].width, 4);
                cta_addresses(cta, i->address, &a);
                assert_int_equal(a.kind, ADDRESS_STRIDE);
                assert_int_equal(a.stride, 4);
                assert_true(a.base == (load ? r.in : r.out) + 4ull * first);
            }
            assert_true(warp->count > 0 && is(r.source, &warp->insts[warp->count - 1], "EXIT"));
        }
        inst_source_release_cta(r.source, cta);
        ctas++;
    }
    CHECK_OK(got, &e);
    assert_int_equal(ctas, 3);
    assert_int_equal(loads, 5);
    assert_int_equal(stores, 5);
    for (uint32_t i = 0; i < 1024; i++)
        assert_int_equal(bench_words(r.b, r.out)[i], i < 150 ? i * 3 + 1 : 0);
    close_run(&r);
}

static void the_rest_can_be_executed_without_a_trace(void **state)
{
    struct cta_trace *cta;
    uint64_t params[3];
    struct run r;
    struct err e;

    (void)state;
    open_add_one(&r, 3, 192, params);
    assert_int_equal(inst_source_next_cta(r.source, &cta, &e), 1);
    inst_source_release_cta(r.source, cta);
    CHECK_OK(ptx_source_finish(r.source, &e), &e);
    assert_int_equal(ptx_source_stats(r.source)->ctas, 3);
    for (uint32_t i = 0; i < 192; i++)
        assert_int_equal(bench_words(r.b, r.out)[i], i * 3 + 1);
    close_run(&r);
}

static void a_fault_is_what_reading_answers(void **state)
{
    struct cta_trace *cta;
    uint64_t params[3];
    struct run r;
    struct err e;
    int got;

    (void)state;
    open_add_one(&r, 40, 4096, params);
    while ((got = inst_source_next_cta(r.source, &cta, &e)) > 0)
        inst_source_release_cta(r.source, cta);
    assert_int_equal(got, -1);
    assert_int_equal(e.code, ERR_SIMULATION);
    assert_non_null(strstr(e.text, "CTA (16,0,0)"));
    close_run(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(warps_have_loads_and_stores),
        cmocka_unit_test(the_rest_can_be_executed_without_a_trace),
        cmocka_unit_test(a_fault_is_what_reading_answers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
