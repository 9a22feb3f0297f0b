/* Recorded traces, complete: every kernel ends on its own GPU and on another one, and the counters add up. */
#include "simcore/trace/bundle.h"
#include "tests/unit/simcore/hand_source.h"

struct total {
    size_t kernels;
    uint64_t warp_instructions, cycles, unknown;
};

/* Runs all kernels of a bundle on one simulator, twice. The sums of all counters must be equal. */
static uint64_t run_bundle(const char *path, const char *gpu, struct total *t)
{
    struct gpu_design *d = hand_design(gpu, NULL);
    struct simulator *s;
    struct bundle b;
    struct err e;
    uint64_t sum = 0;

    memset(t, 0, sizeof *t);
    s = simulator_new(d, &e);
    assert_non_null(s);
    CHECK_OK(bundle_open(path, NULL, NULL, &b, &e), &e);
    for (size_t i = 0; i < b.count; i++) {
        struct inst_source *source;
        struct sim_result r;

        CHECK_OK(accel_sim_open_path(b.kernels[i].path, &source, &e), &e);
        CHECK_OK(simulator_run(s, source, NULL, &r, &e), &e);
        if (r.end != SIM_DONE)
            fail_msg("%s on %s: %s", b.kernels[i].label, gpu, r.report);
        check_identities(&r);
        t->kernels++;
        t->warp_instructions += r.warp_instructions;
        t->cycles += r.cycles - r.launch_cycles;
        t->unknown += result_counter(&r, "unknown_instructions");
        for (size_t k = 0; k < r.counter_count; k++)
            sum = sum * 31 + r.counters[k].value;
        sim_result_release(&r);
        inst_source_release(source);
    }
    bundle_close(&b);
    simulator_free(s);
    design_free(d);
    return sum;
}

static void a_whole_training_loop(void **state)
{
    const char *path = shared_data("traces/pytorch-sgd-v100.tar.zst");
    struct total v100, h100, again;
    uint64_t sum;

    (void)state;
    sum = run_bundle(path, "v100", &v100);
    assert_int_equal(v100.kernels, 1101); /* including the fifth, which exits at a barrier */
    assert_int_equal(v100.warp_instructions, 6306141);
    assert_int_equal(v100.unknown, 0);
    assert_int_equal(run_bundle(path, "v100", &again), sum);
    run_bundle(path, "h100", &h100);
    assert_int_equal(h100.warp_instructions, 6306141);
    assert_true(h100.cycles > 100000 && v100.cycles > 100000);
}

static void traces_of_other_gpus_and_versions(void **state)
{
    static const struct {
        const char *path;
        size_t kernels;
        uint64_t warp_instructions;
    } cases[] = {
        {"traces/rodinia-bfs-sm80.tar.zst", 16, 159509},
        {"traces/vectoradd-sm80-v5.tar.zst", 1, 26601},
        {"traces/matmul-pascal-v4.tar.zst", 1, 4416},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *path = shared_data(cases[i].path);

        for (const char *const *gpu = design_builtin_names(); *gpu; gpu++) {
            struct total t;

            run_bundle(path, *gpu, &t);
            assert_int_equal(t.kernels, cases[i].kernels);
            assert_int_equal(t.warp_instructions, cases[i].warp_instructions);
            assert_int_equal(t.unknown, 0);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_whole_training_loop),
        cmocka_unit_test(traces_of_other_gpus_and_versions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
