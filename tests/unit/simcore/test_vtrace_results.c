/* A launch gives the same counters whether it is read from text, built by hand, or read from a .vtrace file. */
#include "simcore/trace/bundle.h"
#include "simcore/trace/vtrace.h"
#include "tests/unit/simcore/hand_source.h"

static char file[64];

static int choose_file(void **state)
{
    (void)state;
    snprintf(file, sizeof file, "/tmp/test-vtrace-results-%ld", (long)getpid());
    return 0;
}

static int remove_file(void **state)
{
    (void)state;
    return unlink(file);
}

static void check_same_results(const struct sim_result *a, const struct sim_result *b, const char *what)
{
    assert_int_equal(a->end, b->end);
    assert_true(a->cycles == b->cycles && a->warp_instructions == b->warp_instructions);
    assert_int_equal(a->counter_count, b->counter_count);
    for (size_t i = 0; i < a->counter_count; i++)
        if (a->counters[i].value != b->counters[i].value)
            fail_msg("%s: %s is %llu, but from .vtrace %llu", what, a->counters[i].name,
                     (unsigned long long)a->counters[i].value, (unsigned long long)b->counters[i].value);
}

static void run_both(struct simulator *s, struct inst_source *text, struct inst_source *back, const char *what)
{
    struct sim_result a, b;
    struct err e;

    CHECK_OK(simulator_run(s, text, NULL, &a, &e), &e);
    CHECK_OK(simulator_run(s, back, NULL, &b, &e), &e);
    check_same_results(&a, &b, what);
    sim_result_release(&a);
    sim_result_release(&b);
    inst_source_release(text);
    inst_source_release(back);
}

static void convert(const struct bundle *b)
{
    struct vtrace_writer *w;
    struct inst_source *s;
    struct err e;

    CHECK_OK(vtrace_writer_new(file, NULL, &w, &e), &e);
    for (size_t i = 0; i < b->count; i++) {
        CHECK_OK(accel_sim_open_path(b->kernels[i].path, &s, &e), &e);
        CHECK_OK(vtrace_writer_add(w, s, &e), &e);
        inst_source_release(s);
    }
    CHECK_OK(vtrace_writer_finish(w, &e), &e);
    vtrace_writer_release(w);
}

/* Checks every launch of a bundle on each of the designs. */
static void check_bundle(const char *name, const char *const *designs)
{
    struct bundle b;
    struct vtrace *v;
    struct err e;

    CHECK_OK(bundle_open(shared_data(name), NULL, NULL, &b, &e), &e);
    convert(&b);
    CHECK_OK(vtrace_open(file, &v, &e), &e);
    for (; *designs; designs++) {
        struct gpu_design *d;
        struct simulator *s;

        CHECK_OK(design_load(*designs, &d, &e), &e);
        s = simulator_new(d, &e);
        assert_non_null(s);
        for (size_t i = 0; i < b.count; i++) {
            struct inst_source *text, *back;

            CHECK_OK(accel_sim_open_path(b.kernels[i].path, &text, &e), &e);
            CHECK_OK(vtrace_source(v, i, &back, &e), &e);
            run_both(s, text, back, b.kernels[i].label);
        }
        simulator_free(s);
        design_free(d);
    }
    vtrace_close(v);
    bundle_close(&b);
}

static void recorded_traces_give_the_same_results(void **state)
{
    static const char *const volta[] = {"v100", NULL}, *const others[] = {"v100:detailed", "a100", NULL};

    (void)state;
    check_bundle("traces/rodinia-bfs-sm80.tar.zst", others);
    check_bundle("traces/vectoradd-sm80-v5.tar.zst", others);
    check_bundle("traces/matmul-pascal-v4.tar.zst", others);
    check_bundle("traces/raw-tracer-output-v100.tar.zst", others);
    check_bundle("traces/pytorch-sgd-v100.tar.zst", volta);
}

/* Strides, gathers, shared memory with conflicts, and stores. */
static void address_by_hand(const struct hand *h, uint64_t cta, uint32_t warp, uint32_t step,
                            struct address_set *out)
{
    (void)h;
    out->is_list = step == 1;
    out->base = step == 2 ? warp * 256 : 0x7f0000000000 + (cta * 8 + warp) * (step == 3 ? 4096 : 128);
    out->stride = step == 2 ? 8 : 4;
    for (uint32_t i = 0; i < WARP_LANES; i++)
        out->lanes[i] = 0x7f0000000000 + (cta * 7919 + warp * 104729 + i * 15485863) % (1 << 20) * 64;
}

static void by_hand(struct hand *h)
{
    hand_init(h, 700, 128);
    h->address = address_by_hand;
    hand_add_memory(h, "LDG.E", 4, 8, 2, -1);
    hand_add_memory(h, "LDG.E", 4, 9, 2, -1);
    hand_add_memory(h, "LDS", 4, 10, 3, -1);
    hand_add_memory(h, "STG.E", 4, -1, 2, 8);
    hand_add(h, "FFMA", 16, 9, 10, 16);
}

static void kernels_made_by_hand_do_too(void **state)
{
    struct gpu_design *d;
    struct vtrace_writer *w;
    struct inst_source *back;
    struct simulator *s;
    struct hand h;
    struct err e;

    (void)state;
    CHECK_OK(design_load("v100", &d, &e), &e);
    s = simulator_new(d, &e);
    assert_non_null(s);
    by_hand(&h);
    CHECK_OK(vtrace_writer_new(file, NULL, &w, &e), &e);
    CHECK_OK(vtrace_writer_add(w, &h.base, &e), &e);
    CHECK_OK(vtrace_writer_finish(w, &e), &e);
    vtrace_writer_release(w);
    inst_source_release(&h.base);
    by_hand(&h);
    CHECK_OK(vtrace_source_path(file, 0, &back, &e), &e);
    run_both(s, &h.base, back, "by hand");
    simulator_free(s);
    design_free(d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kernels_made_by_hand_do_too),
        cmocka_unit_test(recorded_traces_give_the_same_results),
    };

    return cmocka_run_group_tests(tests, choose_file, remove_file);
}
