/* A run that is resumed from a checkpoint has the same cycles and counters as an uninterrupted run, for every
 * point. A checkpoint that is damaged or of something else is refused. */
#include "base/rng.h"
#include "base/whole_file.h"
#include "simcore/trace/accel_sim.h"
#include "simcore/trace/bundle.h"
#include "simcore/trace/read_ahead.h"
#include "tests/unit/simcore/hand_kernels.h"

enum {
    POINTS = INSTRUMENTED ? 2 : 6,
    FEW_POINTS = 1,
    CTAS_MAX = 120
}; /* points per kernel: about fifty with many waves of CTAs, the same number at other levels */
static const char trace_a[] = "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa";
static const char trace_b[] = "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb";
static char file[64], second_file[72];

static int choose_files(void **state)
{
    (void)state;
    snprintf(file, sizeof file, "/tmp/test-checkpoint-%ld", (long)getpid());
    snprintf(second_file, sizeof second_file, "%s-2", file);
    return 0;
}

static int remove_files(void **state)
{
    (void)state;
    unlink(file);
    unlink(second_file);
    return 0;
}

/* --- more kernels --- */

/* Copies into shared memory without registers, in groups. The wait is for the group before the previous one. */
static void asynchronous(struct hand *h)
{
    uint32_t copy_in, commit, wait, read, bar;

    hand_init(h, 300, 128);
    h->base.info.shared_bytes = 8 << 10;
    h->address = stream_address;
    copy_in = hand_define(h, "LDGSTS.E.BYPASS.LTC128B.128", 16, -1, 2, 3, -1);
    commit = hand_define(h, "LDGDEPBAR", 0, -1, -1, -1, -1);
    wait = hand_define(h, "DEPBAR.LE", 0, -1, -1, -1, -1);
    h->insts[wait].immediate = 2;
    h->insts[wait].has_immediate = true;
    read = hand_define(h, "LDS.U", 4, 9, 3, -1, -1);
    bar = hand_define(h, "BAR.SYNC", 0, -1, -1, -1, -1);
    for (int i = 0; i < 8; i++) {
        hand_step(h, copy_in, FULL_MASK);
        hand_step(h, commit, FULL_MASK);
        hand_step(h, wait, FULL_MASK);
        hand_step(h, bar, FULL_MASK);
        hand_step(h, read, FULL_MASK);
    }
}

/* Warps that reach barriers late and exit early; stores, fences, invalidations. */
static bool some_run(const struct hand *h, uint64_t cta, uint32_t warp, uint32_t step)
{
    (void)h;
    return step < 9 || (cta + warp) % 3;
}

static void uneven(struct hand *h)
{
    hand_init(h, 300, 224);
    h->address = gather_address;
    h->runs = some_run;
    for (int i = 0; i < 6; i++) {
        hand_add_memory(h, "LDG.E.SYS", 4, 8, 2, -1);
        hand_add_memory(h, "STG.E.SYS", 4, -1, 2, 8);
        hand_add(h, "BAR.SYNC", -1, -1, -1, -1);
        hand_add(h, i % 2 ? "MEMBAR.SC.GPU" : "CCTL.IVALL", -1, -1, -1, -1);
        hand_add(h, "MUFU.EX2", 8, 8, -1, -1);
    }
}

static const struct hand_kernel more_kernels[] = {{"asynchronous", asynchronous}, {"uneven", uneven}};

/* --- same results --- */

/* How a launch is opened again. */
struct launch_maker {
    const char *name, *path;      /* a trace, or */
    void (*make)(struct hand *h); /* a kernel built by hand */
    struct hand hand;
};

static struct inst_source *open_launch(struct launch_maker *m)
{
    struct inst_source *s;
    struct err e;

    if (m->make) {
        m->make(&m->hand);
        if (m->hand.ctas > CTAS_MAX)
            m->hand.ctas = m->hand.base.info.grid[0] = CTAS_MAX;
        return &m->hand.base;
    }
    CHECK_OK(accel_sim_open_path(m->path, &s, &e), &e);
    CHECK_OK(inst_source_read_ahead_after(s, 0, &s, &e), &e);
    return s;
}

static void run(struct simulator *s, struct launch_maker *m, const struct sim_checkpoint *c, struct sim_result *r)
{
    const struct sim_options o = {.checkpoint = c};
    struct inst_source *source = open_launch(m);
    struct err e;

    CHECK_OK(simulator_run(s, source, &o, r, &e), &e);
    assert_int_equal(r->end, SIM_DONE);
    inst_source_release(source);
}

static void check_same(const struct sim_result *a, const struct sim_result *b, const char *name, uint64_t cycle,
                       const char *what)
{
    for (size_t i = 0; i < a->counter_count; i++)
        if (a->counters[i].value != b->counters[i].value)
            fail_msg("%s, checkpoint at cycle %llu, %s: %s is %llu, not %llu", name, (unsigned long long)cycle,
                     what, a->counters[i].name, (unsigned long long)b->counters[i].value,
                     (unsigned long long)a->counters[i].value);
    assert_true(a->cycles == b->cycles && a->warp_instructions == b->warp_instructions);
    check_identities(b);
}

/* Interrupts the launch at this number of random cycles. */
static void check_points(const struct gpu_design *d, struct launch_maker *m, unsigned points, uint64_t seed)
{
    struct sim_result whole, r;
    struct rng random;
    struct err e;
    struct simulator *s = simulator_new(d, &e), *other = simulator_new(d, &e);

    assert_true(s && other);
    rng_init(&random, seed, 0, RNG_TEST);
    run(s, m, NULL, &whole);
    check_identities(&whole);
    for (unsigned i = 0; i < points; i++) {
        uint64_t at = whole.launch_cycles + rng_below(&random, whole.cycles - whole.launch_cycles - 1);
        const struct sim_checkpoint save = {.path = file, .at_cycle = at, .trace_sha256 = trace_a};
        const struct sim_checkpoint go_on = {.resume = file, .trace_sha256 = trace_a};

        run(s, m, &save, &r);
        check_same(&whole, &r, m->name, at, "the run that wrote it");
        assert_int_equal(r.checkpoints, 1);
        sim_result_release(&r);
        run(i % 2 ? s : other, m, &go_on, &r);
        check_same(&whole, &r, m->name, at, "the run that went on");
        sim_result_release(&r);
    }
    sim_result_release(&whole);
    simulator_free(s);
    simulator_free(other);
}

static void check_kernels(const struct gpu_design *d, unsigned points)
{
    for (size_t i = 0; i < HAND_KERNELS; i++)
        check_points(d, &(struct launch_maker){.name = hand_kernels[i].name, .make = hand_kernels[i].make}, points,
                     i);
    for (size_t i = 0; i < sizeof more_kernels / sizeof *more_kernels; i++)
        check_points(d, &(struct launch_maker){.name = more_kernels[i].name, .make = more_kernels[i].make}, points,
                     100 + i);
}

static void going_on_ends_the_same(void **state)
{
    struct gpu_design *d;
    struct err e;

    (void)state;
    CHECK_OK(design_load("gtx1050", &d, &e), &e);
    check_kernels(d, POINTS);
    design_free(d);
}

static void at_every_level(void **state)
{
    static const char *const names[] = {"v100", "v100:fast", "a100"};
    struct gpu_design *d;
    struct err e;

    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        CHECK_OK(design_load(names[i], &d, &e), &e);
        check_kernels(d, FEW_POINTS);
        design_free(d);
    }
    CHECK_OK(design_load("rtx3070", &d, &e), &e);
    d->model.dependence = DEPENDENCE_CONTROL;
    d->model.regfile = REGFILE_BANKED;
    d->model.tlb = TLB_ON;
    d->scheduler = SCHED_LRR;
    check_kernels(d, FEW_POINTS);
    design_free(d);
}

static void recorded_launches_go_on(void **state)
{
    struct gpu_design *d;
    struct bundle b;
    struct err e;

    (void)state;
    CHECK_OK(bundle_open(shared_data("traces/pytorch-sgd-v100.tar.zst"), NULL, NULL, &b, &e), &e);
    CHECK_OK(design_load("v100", &d, &e), &e);
    for (size_t i = 0; i < 6 && i < b.count; i++)
        check_points(d, &(struct launch_maker){.name = b.kernels[i].label, .path = b.kernels[i].path}, 3, 200 + i);
    design_free(d);
    bundle_close(&b);
}

static void times_inside_an_sm_may_have_moved(void **state)
{
    struct launch_maker m = {.name = "uneven", .make = uneven};
    struct sim_checkpoint save = {.path = file, .trace_sha256 = trace_a};
    const struct sim_checkpoint go_on = {.resume = file, .trace_sha256 = trace_a};
    struct gpu_design *d = hand_design("gtx1050", NULL);
    struct sim_result whole, r;
    struct err e;
    struct simulator *s = simulator_new(d, &e);

    (void)state;
    assert_non_null(s);
    s->env.rebase_at = SM_REBASE_SLACK + 1000;
    run(s, &m, NULL, &whole);
    assert_true(whole.cycles > SM_REBASE_SLACK + 20000); /* the time base has moved several times */
    for (save.at_cycle = SM_REBASE_SLACK; save.at_cycle < whole.cycles; save.at_cycle += 7919) {
        run(s, &m, &save, &r);
        sim_result_release(&r);
        run(s, &m, &go_on, &r);
        check_same(&whole, &r, m.name, save.at_cycle, "the run that went on");
        sim_result_release(&r);
    }
    sim_result_release(&whole);
    simulator_free(s);
    design_free(d);
}

static void a_resumed_run_writes_checkpoints_too(void **state)
{
    struct launch_maker m = {.name = "tiles", .make = tiles};
    const struct sim_checkpoint first = {.path = file, .trace_sha256 = trace_a},
                                often = {.resume = file,
                                         .path = second_file,
                                         .at_cycle = 2000,
                                         .every = 500,
                                         .trace_sha256 = trace_a},
                                last = {.resume = second_file, .trace_sha256 = trace_a};
    struct gpu_design *d = hand_design("v100", NULL);
    struct sim_result whole, r;
    struct err e;
    struct simulator *s = simulator_new(d, &e);

    (void)state;
    assert_non_null(s);
    run(s, &m, NULL, &whole);
    run(s, &m, &first, &r);
    assert_int_equal(r.checkpoints, 1);
    sim_result_release(&r);
    run(s, &m, &often, &r);
    check_same(&whole, &r, m.name, 2000, "the run that wrote many");
    assert_int_equal(r.checkpoints, (whole.cycles - 2000 - 1) / 500 + 1);
    sim_result_release(&r);
    run(s, &m, &last, &r);
    check_same(&whole, &r, m.name, 2000, "from the last of many");
    sim_result_release(&r);
    sim_result_release(&whole);
    simulator_free(s);
    design_free(d);
}

/* --- refusals --- */

static void refused(struct simulator *s, const struct sim_checkpoint *c, enum err_code code, const char *why)
{
    const struct sim_options o = {.checkpoint = c};
    struct launch_maker m = {.make = tiles};
    struct inst_source *source = open_launch(&m);
    struct sim_result r;
    struct err e;

    CHECK_FAILS(simulator_run(s, source, &o, &r, &e), &e, code, why);
    assert_int_equal(m.hand.open_ctas, 0);
    inst_source_release(source);
}

static void write_file(const char *bytes, size_t n)
{
    struct err e;

    CHECK_OK(whole_file_write(second_file, bytes, n, &e), &e);
}

static void damage_is_refused(struct simulator *s, char *bytes, size_t n)
{
    const struct sim_checkpoint c = {.resume = second_file, .trace_sha256 = trace_a};
    struct rng random;

    rng_init(&random, 7, 0, RNG_TEST);
    for (int i = 0; i < 100; i++) {
        size_t at = strlen("vivace-checkpoint\t1\n") + rng_below(&random, n - strlen("vivace-checkpoint\t1\n"));
        char bit = (char)(1 << rng_below(&random, 8));

        bytes[at] ^= bit;
        write_file(bytes, n);
        refused(s, &c, ERR_MALFORMED, "damaged or cut short");
        bytes[at] ^= bit;
        write_file(bytes, strlen("vivace-checkpoint\t1\n") + at % (n - strlen("vivace-checkpoint\t1\n")));
        refused(s, &c, ERR_MALFORMED, "damaged or cut short");
    }
    write_file(bytes, 0);
    refused(s, &c, ERR_UNSUPPORTED, "not a checkpoint of this format");
    bytes[strlen("vivace-checkpoint\t")]++;
    write_file(bytes, n);
    refused(s, &c, ERR_UNSUPPORTED, "not a checkpoint of this format");
    bytes[strlen("vivace-checkpoint\t")]--;
}

static void others_are_refused(void **state)
{
    struct launch_maker m = {.make = tiles};
    const struct sim_checkpoint save = {.path = file, .at_cycle = 1500, .trace_sha256 = trace_a},
                                other_trace = {.resume = file, .trace_sha256 = trace_b},
                                none = {.resume = "/nowhere/at/all", .trace_sha256 = trace_a},
                                nameless = {.resume = file}, go_on = {.resume = file, .trace_sha256 = trace_a};
    struct gpu_design *d = hand_design("v100", NULL), *wider = hand_design("a100", NULL);
    struct simulator *s, *other;
    struct sim_result whole, r;
    struct err e;
    size_t n;
    char *bytes;

    (void)state;
    s = simulator_new(d, &e);
    other = simulator_new(wider, &e);
    assert_true(s && other);
    run(s, &m, &save, &whole);
    CHECK_OK(whole_file_read(file, 1 << 28, &bytes, &n, &e), &e);
    damage_is_refused(s, bytes, n);
    refused(s, &other_trace, ERR_UNSUPPORTED, "another trace");
    refused(other, &go_on, ERR_UNSUPPORTED, "another design");
    refused(s, &none, ERR_NOT_FOUND, "/nowhere/at/all");
    refused(s, &nameless, ERR_INVALID, "SHA-256");
    run(s, &m, &go_on, &r); /* after all refusals the simulator still resumes correctly */
    check_same(&whole, &r, "tiles", 1500, "after refusals");
    sim_result_release(&r);
    sim_result_release(&whole);
    free(bytes);
    simulator_free(s);
    simulator_free(other);
    design_free(d);
    design_free(wider);
}

static void what_cannot_be_saved_is_refused(void **state)
{
    const struct sim_checkpoint save = {.path = file, .trace_sha256 = trace_a};
    const struct sim_options both = {.checkpoint = &save, .record_interval_cycles = 500};
    struct gpu_design *d = hand_design("v100", NULL);
    struct launch_maker m = {.make = tiny};
    struct inst_source *source = open_launch(&m);
    struct simulator *s;
    struct sim_result r;
    struct err e;

    (void)state;
    s = simulator_new(d, &e);
    assert_non_null(s);
    CHECK_FAILS(simulator_run(s, source, &both, &r, &e), &e, ERR_INVALID, "recorded");
    simulator_free(s);
    inst_source_release(source);
    d->model.memory = MEMORY_EVENT;
    s = simulator_new(d, &e);
    assert_non_null(s);
    refused(s, &save, ERR_UNSUPPORTED, "event by event");
    simulator_free(s);
    design_free(d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(going_on_ends_the_same),
        cmocka_unit_test(at_every_level),
        cmocka_unit_test(recorded_launches_go_on),
        cmocka_unit_test(times_inside_an_sm_may_have_moved),
        cmocka_unit_test(a_resumed_run_writes_checkpoints_too),
        cmocka_unit_test(others_are_refused),
        cmocka_unit_test(what_cannot_be_saved_is_refused),
    };

    return cmocka_run_group_tests(tests, choose_files, remove_files);
}
