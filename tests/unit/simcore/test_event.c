/* Event mode: the event-driven memory path gives the cycles of the reserve path within 1 % for all kernels. It is
 * deterministic, works when pools are full, and reports the waiting requests when one never returns. */
#include "simcore/mem/path_event/event_path.h"
#include "tests/unit/simcore/hand_source.h"

#define FAR 0x7f0000000000ull

/* A built-in design with the event-driven memory path. */
static struct gpu_design *event_design(const char *name, const char *dram)
{
    struct gpu_design *base = hand_design(name, NULL), *d = NULL;
    const struct design_change changes[] = {{"model.memory", "event"}, {"model.dram", dram}};
    char *text;
    struct err e;

    CHECK_OK(design_derive(base, "event", changes, 2, &text, &e), &e);
    CHECK_OK(design_parse(text, strlen(text), "event", &d, &e), &e);
    free(text);
    design_free(base);
    return d;
}

static struct gpu_design *reserve_design(const char *name, const char *dram)
{
    struct gpu_design *base = hand_design(name, NULL), *d = NULL;
    const struct design_change changes[] = {{"model.dram", dram}};
    char *text;
    struct err e;

    CHECK_OK(design_derive(base, "reserve", changes, 1, &text, &e), &e);
    CHECK_OK(design_parse(text, strlen(text), "reserve", &d, &e), &e);
    free(text);
    design_free(base);
    return d;
}

/* --- kernels --- */

static uint64_t mix(uint64_t x)
{
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ull;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebull;
    return x ^ (x >> 31);
}

static void stream_address(const struct hand *h, uint64_t cta, uint32_t warp, uint32_t step,
                           struct address_set *out)
{
    out->base = FAR + ((uint64_t)step << 30) + (cta * h->warps + warp) * 128;
}

static void random_lanes(uint64_t seed, uint64_t sectors, struct address_set *out)
{
    out->is_list = true;
    for (uint32_t i = 0; i < WARP_LANES; i++)
        out->lanes[i] = FAR + mix(seed * WARP_LANES + i) % sectors * 32;
}

static void gather_address(const struct hand *h, uint64_t cta, uint32_t warp, uint32_t step,
                           struct address_set *out)
{
    random_lanes((cta * h->warps + warp) * 64 + step, 1 << 24, out);
}

/* Every second load is from 64 KB that L1 keeps, the others from 512 MB. */
static void mixed_address(const struct hand *h, uint64_t cta, uint32_t warp, uint32_t step, struct address_set *out)
{
    uint64_t n = (cta * h->warps + warp) * 64 + step;

    out->base = step % 4 ? FAR + mix(n) % 512 * 128 : FAR + (1ull << 35) + mix(n) % (1 << 22) * 128;
}

/* Loads from 4 MB that mostly hit L2. */
static void l2_address(const struct hand *h, uint64_t cta, uint32_t warp, uint32_t step, struct address_set *out)
{
    uint64_t n = (cta * h->warps + warp) * 64 + step;

    out->base = FAR + mix(n) % (1 << 15) * 128;
}

/* All addresses are near one line, so a single slice serves all requests. */
static void hot_address(const struct hand *h, uint64_t cta, uint32_t warp, uint32_t step, struct address_set *out)
{
    (void)h, (void)cta;
    out->base = FAR + (warp + step) % 4 * 32;
    out->stride = 0;
}

static void hot_atomics_address(const struct hand *h, uint64_t cta, uint32_t warp, uint32_t step,
                                struct address_set *out)
{
    random_lanes((cta * h->warps + warp) * 64 + step, 256, out);
}

static void make(struct hand *h, uint64_t ctas, uint32_t threads, const char *opcode, int steps,
                 void (*address)(const struct hand *, uint64_t, uint32_t, uint32_t, struct address_set *))
{
    hand_init(h, ctas, threads);
    h->address = address;
    for (int i = 0; i < steps; i++)
        hand_add_memory(h, opcode, 4, opcode[0] == 'S' || opcode[0] == 'R' ? -1 : 8 + i, 2, 40 + i);
    for (int i = 0; i < steps && opcode[0] != 'S' && opcode[0] != 'R'; i++)
        hand_add(h, "FADD", 40, 40, 8 + i, -1);
}

static void streams(struct hand *h)
{
    make(h, 2000, 256, "LDG.E", 4, stream_address);
}
static void few_warps(struct hand *h)
{
    make(h, 216, 64, "LDG.E", 16, stream_address);
}
static void gathers(struct hand *h)
{
    make(h, 160, 128, "LDG.E", 4, gather_address);
}
static void hits_and_misses(struct hand *h)
{
    make(h, 1000, 256, "LDG.E", 24, mixed_address);
}
static void from_l2(struct hand *h)
{
    make(h, 800, 256, "LDG.E", 8, l2_address);
}
static void hot_slice(struct hand *h)
{
    make(h, 640, 256, "LDG.E.STRONG.GPU", 4, hot_address);
}
static void stores(struct hand *h)
{
    make(h, 8000, 256, "STG.E", 4, stream_address); /* long enough that the last accesses do not matter */
}
static void scattered_stores(struct hand *h)
{
    make(h, 240, 128, "STG.E", 6, gather_address);
}
static void atomics(struct hand *h)
{
    make(h, 160, 128, "ATOMG.E.ADD", 6, hot_atomics_address);
}
static void reductions(struct hand *h)
{
    make(h, 160, 128, "RED.E.ADD", 3, gather_address);
}

/* Loads, stores that depend on them, a fence, and asynchronous copies with waits for groups. */
static void everything(struct hand *h)
{
    hand_init(h, 400, 256);
    h->address = stream_address;
    h->base.info.shared_bytes = 16 << 10;
    for (int k = 0; k < 3; k++) {
        hand_add_memory(h, "LDG.E", 4, 8, 2, -1);
        hand_add_memory(h, "LDGSTS.E", 4, -1, 4, 2);
        hand_add(h, "LDGDEPBAR", -1, -1, -1, -1);
        hand_add(h, "FADD", 9, 8, 9, -1);
        hand_add_memory(h, "STG.E", 4, -1, 2, 9);
        hand_add(h, "DEPBAR.LE", -1, -1, -1, -1);
        hand_add(h, "MEMBAR.SC.GPU", -1, -1, -1, -1);
        hand_add(h, "BAR.SYNC", -1, -1, -1, -1);
        hand_add_memory(h, "RED.E.ADD", 4, -1, 2, 9);
    }
}

static const struct {
    const char *name;
    void (*make)(struct hand *h);
} kernels[] = {{"streams", streams},      {"few warps", few_warps},
               {"gathers", gathers},      {"hits and misses", hits_and_misses},
               {"from L2", from_l2},      {"a hot slice", hot_slice},
               {"stores", stores},        {"scattered stores", scattered_stores},
               {"atomics", atomics},      {"reductions", reductions},
               {"everything", everything}};

/* `every`: tests the kernels 0, every, 2 every, ... */
static void both_agree(const char *gpu, const char *dram, size_t every)
{
    static const char *const same[] = {"l1_load_sectors", "l2_write_sectors", "l2_atomic_sectors",
                                       "lane_instructions"};
    struct gpu_design *events = event_design(gpu, dram), *reserve = reserve_design(gpu, dram);
    int wrong = 0;

    for (size_t i = 0; i < sizeof kernels / sizeof *kernels; i += every) {
        struct sim_result a, b;
        struct hand h;
        double off;

        if (INSTRUMENTED && kernels[i].make == stores)
            continue; /* kernels with scattered stores are shorter */
        kernels[i].make(&h);
        hand_run(&h, reserve, NULL, &a);
        kernels[i].make(&h);
        hand_run(&h, events, NULL, &b);
        assert_int_equal(a.end, SIM_DONE);
        assert_int_equal(b.end, SIM_DONE);
        off = (double)(b.cycles - b.launch_cycles) / (double)(a.cycles - a.launch_cycles) - 1;
        print_message("  %s, %s, %s: %llu and %llu cycles, %+.2f %%\n", gpu, dram, kernels[i].name,
                      (unsigned long long)a.cycles, (unsigned long long)b.cycles, 100 * off);
        wrong += off > 0.01 || off < -0.01;
        for (size_t k = 0; k < sizeof same / sizeof *same; k++)
            assert_int_equal(result_counter(&a, same[k]), result_counter(&b, same[k]));
        sim_result_release(&a);
        sim_result_release(&b);
    }
    design_free(events);
    design_free(reserve);
    assert_int_equal(wrong, 0);
}

static void it_agrees_with_reserve_on_v100(void **state)
{
    (void)state;
    both_agree("v100", "bucket", 1);
}

static void it_agrees_with_fixed_dram(void **state)
{
    (void)state;
    both_agree("v100", "fixed", 5);
}

static void it_agrees_on_a_small_gpu(void **state)
{
    (void)state;
    both_agree("gtx1050", "bucket", 4);
}

static void it_agrees_on_two_partitions(void **state)
{
    (void)state;
    both_agree("a100", "bucket", 2);
}

/* --- whole runs --- */

static void the_same_run_twice_is_the_same(void **state)
{
    struct gpu_design *d = event_design("v100", "bucket");
    struct sim_result a, b;
    struct hand h;

    (void)state;
    hits_and_misses(&h);
    hand_run(&h, d, NULL, &a);
    hits_and_misses(&h);
    hand_run(&h, d, NULL, &b);
    assert_int_equal(a.cycles, b.cycles);
    assert_int_equal(a.counter_count, b.counter_count);
    for (size_t i = 0; i < a.counter_count; i++)
        assert_int_equal(a.counters[i].value, b.counters[i].value);
    sim_result_release(&a);
    sim_result_release(&b);
    design_free(d);
}

/* Flits and banks: with bounded queues at each stage, every kernel ends, twice with the same result. */
static void in_full_detail_nothing_hangs(void **state)
{
    const struct design_change changes[] = {
        {"model.memory", "event"}, {"model.noc", "flit"}, {"model.dram", "bank"}};
    static const char *const gpus[] = {"v100", "a100", "gtx1050"};

    (void)state;
    for (size_t g = 0; g < sizeof gpus / sizeof *gpus - INSTRUMENTED; g++) {
        struct gpu_design *base = hand_design(gpus[g], NULL), *d = NULL;
        char *text;
        struct err e;

        CHECK_OK(design_derive(base, "detail", changes, 3, &text, &e), &e);
        CHECK_OK(design_parse(text, strlen(text), "detail", &d, &e), &e);
        for (size_t i = 0; i < sizeof kernels / sizeof *kernels; i++) {
            uint64_t coarse, cycles;
            struct hand h;

            if (kernels[i].make != scattered_stores && kernels[i].make != everything &&
                (g || kernels[i].make != hot_slice))
                continue;
            kernels[i].make(&h);
            coarse = hand_cycles(&h, base);
            kernels[i].make(&h);
            cycles = hand_cycles(&h, d);
            print_message("  %s, %s: %llu cycles, in detail %llu\n", gpus[g], kernels[i].name,
                          (unsigned long long)coarse, (unsigned long long)cycles);
            assert_in_range(cycles, coarse / 2, coarse * 2);
            if (kernels[i].make != everything)
                continue;
            kernels[i].make(&h);
            assert_int_equal(hand_cycles(&h, d), cycles);
        }
        free(text);
        design_free(d);
        design_free(base);
    }
}

/* A stopped kernel leaves requests in flight. The next kernel must not see them. */
static void a_stopped_kernel_leaves_nothing_behind(void **state)
{
    const struct sim_options stop = {.limit_cycles = 3000};
    struct gpu_design *d = event_design("v100", "bucket");
    struct simulator *s;
    struct sim_result r;
    struct err e;
    uint64_t cycles[2];

    (void)state;
    s = simulator_new(d, &e);
    assert_non_null(s);
    for (int i = 0; i < 3; i++) {
        struct hand h;

        gathers(&h);
        CHECK_OK(simulator_run(s, &h.base, i == 1 ? &stop : NULL, &r, &e), &e);
        assert_int_equal(r.end, i == 1 ? SIM_CYCLE_LIMIT : SIM_DONE);
        if (i == 1)
            assert_non_null(strstr(r.report, "in device memory"));
        else
            cycles[i / 2] = r.cycles;
        sim_result_release(&r);
        inst_source_release(&h.base);
    }
    assert_int_equal(cycles[0], cycles[1]);
    simulator_free(s);
    design_free(d);
}

/* At every level of DRAM detail, the bus utilization corresponds to the transferred bytes. */
static void the_buses_are_busy_as_long_as_data_moves(void **state)
{
    static const char *const levels[] = {"fixed", "bucket", "bank"};

    (void)state;
    for (size_t i = 0; i < sizeof levels / sizeof *levels; i++) {
        struct gpu_design *d = event_design("v100", levels[i]);
        struct clock_domain clock;
        struct sim_result r;
        struct hand h;
        double bytes, share;

        clock_domain_init(&clock, d->sm_khz);
        streams(&h);
        hand_run(&h, d, NULL, &r);
        bytes = 32.0 * (double)(result_counter(&r, "dram_read_sectors") + result_counter(&r, "dram_write_sectors"));
        share = bytes / 897e9 * 1e12 / (double)clock_to_ps(&clock, r.cycles);
        print_message("  %s: %.3f of peak, busy %llu permille\n", levels[i], share,
                      (unsigned long long)result_counter(&r, "dram_busy"));
        assert_in_range(result_counter(&r, "dram_busy"), (uint64_t)(990 * share), (uint64_t)(1050 * share) + 1);
        sim_result_release(&r);
        design_free(d);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(in_full_detail_nothing_hangs),
        cmocka_unit_test(it_agrees_with_reserve_on_v100),
        cmocka_unit_test(it_agrees_with_fixed_dram),
        cmocka_unit_test(it_agrees_on_a_small_gpu),
        cmocka_unit_test(it_agrees_on_two_partitions),
        cmocka_unit_test(the_same_run_twice_is_the_same),
        cmocka_unit_test(the_buses_are_busy_as_long_as_data_moves),
        cmocka_unit_test(a_stopped_kernel_leaves_nothing_behind),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
