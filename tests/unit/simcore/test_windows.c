/* Long CTAs of a .vtrace file are read in windows: the same instructions and addresses as without windows, in
 * bounded memory. */
#include <sys/resource.h>

#include "simcore/simcore.h"
#include "simcore/trace/cta_runs.h"
#include "tests/unit/trace/same_source.h"
#include "tests/unit/trace/vtrace_file.h"

/* Loops with strided and scattered accesses, holes in masks, and accesses without addresses. */
static void fill_long(struct cta_store *c, uint64_t index)
{
    struct rng r;

    rng_init(&r, 11, index, RNG_TEST);
    for (uint32_t w = 0; w < c->trace.warp_count; w++) {
        cta_store_begin_warp(c, w);
        for (uint64_t i = 0; w != 3 && i < 1500 + 250 * w; i++) {
            uint32_t mask = i % 7 ? UINT32_MAX : (uint32_t)rng_u64(&r) | 1;
            uint64_t lanes[WARP_LANES];

            for (uint64_t k = 0; k < WARP_LANES; k++)
                lanes[k] = i * 4096 + 64 * (i % 5 ? k * k : rng_below(&r, 1000));
            add_plain(c, 0, mask);
            add_run(c, 1, mask, UINT64_C(0x7f0000000000) + w * 128 + i * 512, i % 100 ? 4 : 8);
            if (i % 3)
                add_list(c, 2, mask, lanes);
            else
                add_plain(c, 2, i % 2 ? mask : 0);
            if (i > 500) /* its first execution is far from the others */
                add_run(c, 3, mask, i % 64 * 32, 4);
        }
        cta_store_end_warp(c, w);
    }
}

static void write_long(uint32_t ctas, void (*fill)(struct cta_store *, uint64_t))
{
    struct made_source m;

    make_source(&m, ctas, 1, 1, 256, fill);
    write_source(&m.source, NULL);
    made_release(&m.source);
}

static void open_both(struct inst_source **whole, struct inst_source **windowed)
{
    struct err e;

    CHECK_OK(vtrace_source_path(file, 0, whole, &e), &e);
    CHECK_OK(vtrace_source_path(file, 0, windowed, &e), &e);
    (*windowed)->windowed = true;
}

/* Checks that the window of y equals that part of x. */
static void check_window(const struct inst_source *s, const struct cta_trace *x, const struct inst_source *t,
                         const struct cta_trace *y, uint32_t warp)
{
    const struct cta_warp *w = &y->warps[warp];

    assert_true(w->first + w->ready <= w->count);
    assert_true(w->ready >= 2 || w->first + w->ready == w->count);
    for (uint32_t i = 0; i < w->ready; i++) {
        const struct warp_inst *a = &x->warps[warp].insts[w->first + i], *b = &w->insts[i];

        assert_int_equal(a->mask, b->mask);
        check_same_inst(s, t, a->inst, b->inst);
        check_same_addresses(x, a, y, b);
    }
}

/* Reads a CTA to its end, warp by warp. Each window starts at the last instruction of the previous one. */
static uint64_t check_cta_by_windows(const struct inst_source *s, const struct cta_trace *x,
                                     const struct inst_source *t, struct cta_trace *y)
{
    uint64_t windows = 0;
    bool more = true;
    struct err e;

    assert_int_equal(x->warp_count, y->warp_count);
    assert_memory_equal(x->id, y->id, sizeof x->id);
    while (more) {
        more = false;
        for (uint32_t w = 0; w < y->warp_count; w++) {
            struct cta_warp *v = &y->warps[w];

            assert_int_equal(v->count, x->warps[w].count);
            check_window(s, x, t, y, w);
            windows += v->ready > 0;
            if (v->first + v->ready == v->count)
                continue;
            CHECK_OK(cta_warp_window(y, w, v->first + v->ready - 1, &e), &e);
            more = true;
        }
    }
    return windows;
}

static void test_windows_are_the_whole(void **state)
{
    struct inst_source *s, *t;
    struct cta_trace *x, *y;
    uint64_t windows = 0;
    struct err e;

    (void)state;
    write_long(3, fill_long);
    open_both(&s, &t);
    while (inst_source_next_cta(s, &x, &e) > 0) {
        CHECK_OK(inst_source_next_cta(t, &y, &e), &e);
        assert_non_null(y->window);
        windows += check_cta_by_windows(s, x, t, y);
        inst_source_release_cta(s, x);
        inst_source_release_cta(t, y);
    }
    assert_true(windows > 3 * 7 * 80);
    assert_int_equal(inst_source_next_cta(t, &y, &e), 0);
    inst_source_release(s);
    inst_source_release(t);
}

static void test_window_anywhere(void **state)
{
    static const uint32_t places[] = {1, 2500, 2501, 64, 0, 4999, 100, 163, 164, 5000};
    struct inst_source *s, *t;
    struct cta_trace *x, *y;
    struct err e;

    (void)state;
    write_long(1, fill_long);
    open_both(&s, &t);
    CHECK_OK(inst_source_next_cta(s, &x, &e), &e);
    CHECK_OK(inst_source_next_cta(t, &y, &e), &e);
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        uint32_t w = i % 2 ? 1 : 5;

        CHECK_OK(cta_warp_window(y, w, places[i], &e), &e);
        assert_int_equal(y->warps[w].first, places[i]);
        check_window(s, x, t, y, w);
        check_window(s, x, t, y, 6); /* the window of another warp is unchanged */
    }
    inst_source_release_cta(s, x);
    inst_source_release_cta(t, y);
    inst_source_release(s);
    inst_source_release(t);
}

static void test_short_ctas_are_whole(void **state)
{
    struct inst_source *s, *t;

    (void)state;
    write_long(4, fill_affine);
    open_both(&s, &t);
    assert_true(check_same_source(s, t) > 0);
    inst_source_release(s);
    inst_source_release(t);
}

static void check_same_results(struct simulator *s, struct inst_source *a, struct inst_source *b)
{
    struct sim_result x, y;
    struct err e;

    CHECK_OK(simulator_run(s, a, NULL, &x, &e), &e);
    CHECK_OK(simulator_run(s, b, NULL, &y, &e), &e);
    assert_int_equal(x.end, SIM_DONE);
    assert_true(x.cycles == y.cycles && x.warp_instructions == y.warp_instructions);
    assert_int_equal(x.counter_count, y.counter_count);
    for (size_t i = 0; i < x.counter_count; i++)
        if (x.counters[i].value != y.counters[i].value)
            fail_msg("%s: %llu whole, %llu in windows", x.counters[i].name, (unsigned long long)x.counters[i].value,
                     (unsigned long long)y.counters[i].value);
    sim_result_release(&x);
    sim_result_release(&y);
}

static void test_same_results(void **state)
{
    static const char *const designs[] = {"v100", "v100:detailed", "a100"};

    (void)state;
    write_long(2, fill_long);
    for (size_t i = 0; i < sizeof designs / sizeof *designs; i++) {
        struct made_source m; /* never in windows */
        struct gpu_design *d;
        struct inst_source *t;
        struct simulator *s;
        struct err e;

        make_source(&m, 2, 1, 1, 256, fill_long);
        CHECK_OK(design_load(designs[i], &d, &e), &e);
        s = simulator_new(d, &e);
        assert_non_null(s);
        CHECK_OK(vtrace_source_path(file, 0, &t, &e), &e);
        check_same_results(s, &m.source, t);
        inst_source_release(t);
        made_release(&m.source);
        simulator_free(s);
        design_free(d);
    }
}

static void open_here(struct inst_source **out)
{
    struct err e;

    CHECK_OK(vtrace_source_path(file, 0, out, &e), &e);
}

static void run_here(struct simulator *s, const struct sim_options *o, struct sim_result *r)
{
    struct inst_source *t;
    struct err e;

    open_here(&t);
    CHECK_OK(simulator_run(s, t, o, r, &e), &e);
    inst_source_release(t);
}

static void test_checkpoint_within_a_window(void **state)
{
    static const char sha[] = "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa";
    char path[sizeof file + 16];
    struct sim_checkpoint c = {.path = path, .at_cycle = 20011, .trace_sha256 = sha};
    struct sim_options o = {.limit_cycles = 21000, .caches = SIM_CACHES_FLUSHED, .checkpoint = &c};
    struct sim_result part, rest, all;
    struct gpu_design *d;
    struct simulator *s;
    struct err e;

    (void)state;
    write_long(2, fill_long);
    snprintf(path, sizeof path, "%s-checkpoint", file);
    CHECK_OK(design_load("v100", &d, &e), &e);
    s = simulator_new(d, &e);
    assert_non_null(s);
    run_here(s, &o, &part);
    assert_int_equal(part.end, SIM_CYCLE_LIMIT);
    assert_int_equal(part.checkpoints, 1);
    c = (struct sim_checkpoint){.resume = path, .trace_sha256 = sha};
    o.limit_cycles = 0;
    run_here(s, &o, &rest);
    o.checkpoint = NULL;
    run_here(s, &o, &all);
    assert_int_equal(rest.end, SIM_DONE);
    assert_true(rest.cycles == all.cycles && rest.warp_instructions == all.warp_instructions);
    for (size_t i = 0; i < all.counter_count; i++)
        assert_true(rest.counters[i].value == all.counters[i].value);
    sim_result_release(&part);
    sim_result_release(&rest);
    sim_result_release(&all);
    unlink(path);
    simulator_free(s);
    design_free(d);
}

/* Opens the earlier launch, with or without windows. */
static int open_before(void *ctx, size_t index, struct inst_source **out, struct err *e)
{
    struct made_source *whole = ctx;

    (void)index;
    if (!whole)
        return vtrace_source_path(file, 0, out, e);
    make_source(whole, 2, 1, 1, 256, fill_long);
    *out = &whole->source;
    return 0;
}

static void test_replayed_without_time(void **state)
{
    static const struct sim_work work = {.kind = SIM_KERNEL};
    struct sim_before before = {.work = &work, .count = 1, .open = open_before};
    const struct sim_options o = {.caches = SIM_CACHES_REPLAYED, .before = &before};
    struct sim_result x, y;
    struct made_source m;
    struct gpu_design *d;
    struct simulator *s;
    struct err e;

    (void)state;
    write_long(2, fill_long);
    CHECK_OK(design_load("v100", &d, &e), &e);
    s = simulator_new(d, &e);
    assert_non_null(s);
    run_here(s, &o, &x);
    before.ctx = &m;
    run_here(s, &o, &y);
    assert_true(x.replayed == 1 && y.replayed == 1);
    assert_true(x.cycles == y.cycles);
    for (size_t i = 0; i < x.counter_count; i++)
        assert_true(x.counters[i].value == y.counters[i].value);
    sim_result_release(&x);
    sim_result_release(&y);
    simulator_free(s);
    design_free(d);
}

/* --- a CTA of 10^9 warp instructions --- */

enum { BODY = 500, LOADS = 5, WARPS = 32, ROUNDS = 62500 }; /* 32 * 62 500 * 500 = 10^9 */

struct endless {
    struct inst_source source; /* must be the first member */
    struct trace_inst insts[BODY];
    struct cta_trace cta;
    struct cta_warp warps[WARPS];
    struct cta_runs runs;
    struct run_warp run_warps[WARPS];
    struct warp_run *run;    /* ROUNDS entries: all warps take the same path */
    uint32_t *rows;          /* ROUNDS * LOADS */
    struct address_row *row; /* the same number */
    uint64_t next;
};

static int endless_next(struct inst_source *source, struct cta_trace **out, struct err *e)
{
    struct endless *x = (struct endless *)source;

    (void)e;
    if (x->next++)
        return 0;
    *out = &x->cta;
    return 1;
}

static void endless_release_cta(struct inst_source *source, struct cta_trace *cta)
{
    (void)source;
    (void)cta;
}

static void endless_release(struct inst_source *source)
{
    struct endless *x = (struct endless *)source;

    free(x->run);
    free(x->rows);
    free(x->row);
}

static void write_endless(void)
{
    static const struct inst_source_ops ops = {"endless", endless_next, endless_release_cta, endless_release};
    static struct endless x;
    struct made_source like;

    make_source(&like, 1, 1, 1, WARPS * 32, fill_long);
    x.source = like.source;
    x.source.ops = &ops;
    x.source.next_runs = endless_next;
    x.source.insts = x.insts;
    x.source.inst_count = BODY;
    for (uint32_t i = 0; i < BODY; i++) {
        x.insts[i] = made_insts[i % 100 == 50 ? 1 : 0];
        x.insts[i].pc = i * 16;
    }
    x.run = calloc(ROUNDS, sizeof *x.run);
    x.rows = calloc(ROUNDS * LOADS, sizeof *x.rows);
    x.row = calloc(ROUNDS * LOADS, sizeof *x.row);
    assert_true(x.run && x.rows && x.row);
    for (uint32_t i = 0; i < ROUNDS; i++)
        x.run[i] = (struct warp_run){0, BODY, UINT32_MAX, i * LOADS};
    for (uint32_t i = 0; i < ROUNDS * LOADS; i++) {
        x.rows[i] = i;
        x.row[i] = (struct address_row){UINT64_C(0x7f0000000000) + i % 1000 * 128, 4, NO_LIST};
    }
    for (uint32_t w = 0; w < WARPS; w++) {
        x.warps[w].count = ROUNDS * BODY;
        x.run_warps[w] = (struct run_warp){x.run, x.rows, ROUNDS};
    }
    x.runs = (struct cta_runs){x.run_warps, x.row, NULL};
    x.cta = (struct cta_trace){.warp_count = WARPS, .warps = x.warps, .runs = &x.runs};
    write_source(&x.source, NULL);
    endless_release(&x.source);
}

static long resident_kb(void)
{
    struct rusage u;

    getrusage(RUSAGE_SELF, &u);
    return u.ru_maxrss;
}

static void test_a_billion_instructions(void **state)
{
    const struct sim_options o = {.limit_cycles = 20000};
    struct sim_result r;
    struct gpu_design *d;
    struct inst_source *t;
    struct simulator *s;
    struct err e;
    long before;

    (void)state;
    write_endless();
    CHECK_OK(design_load("v100", &d, &e), &e);
    s = simulator_new(d, &e);
    assert_non_null(s);
    before = resident_kb();
    CHECK_OK(vtrace_source_path(file, 0, &t, &e), &e);
    CHECK_OK(simulator_run(s, t, &o, &r, &e), &e);
    assert_int_equal(r.end, SIM_CYCLE_LIMIT);
    assert_true(r.warp_instructions > 20000);
    assert_true(resident_kb() - before < 100 << 10);
    sim_result_release(&r);
    inst_source_release(t);
    simulator_free(s);
    design_free(d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_windows_are_the_whole),      cmocka_unit_test(test_window_anywhere),
        cmocka_unit_test(test_short_ctas_are_whole),       cmocka_unit_test(test_same_results),
        cmocka_unit_test(test_checkpoint_within_a_window), cmocka_unit_test(test_replayed_without_time),
        cmocka_unit_test(test_a_billion_instructions),
    };

    return cmocka_run_group_tests(tests, choose_file, remove_file);
}
