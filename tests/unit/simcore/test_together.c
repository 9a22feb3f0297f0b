/* Without an observer, the requests of one instruction pass each stage of the memory path together. Each returns
 * at the same time as if it passed alone, even if L2 has few ways for their lines. */
#include "base/rng.h"
#include "simcore/observe/observer.h"
#include "tests/unit/simcore/hand_source.h"

enum { CROWD = 160, LANES = 32, ROUNDS = 200 };

/* Lines of one set of one slice, more than its ways. */
static uint64_t crowd[CROWD];

static struct gpu_design *design_of(uint32_t l2_kb, uint32_t ways)
{
    return hand_design("v100", "l2.kb", (double)l2_kb, "l2.ways", (double)ways, NULL);
}

static void find_crowd(const struct gpu_design *d)
{
    struct address_place first, p;
    struct address_map map;
    uint32_t n = 0;

    address_map_init(&map, d, d->l2_bytes / d->l2_slices / LINE_BYTES / d->l2_ways);
    address_locate(&map, 0, &first);
    for (uint64_t line = 0; n < CROWD; line++) {
        address_locate(&map, line, &p);
        if (p.slice == first.slice && p.set == first.set)
            crowd[n++] = line;
    }
}

/* Selects some lines of the crowd, each once, in random order. */
static void choose_lines(struct rng *rng, uint64_t line[LANES])
{
    uint64_t from[CROWD];

    memcpy(from, crowd, sizeof from);
    for (uint32_t i = 0; i < LANES; i++) {
        uint32_t k = i + (uint32_t)rng_below(rng, CROWD - i);

        line[i] = from[k];
        from[k] = from[i];
    }
}

/* --- request by request --- */

static void ask(struct memory *m, const uint64_t line[LANES], enum mem_kind kind, uint8_t sectors, sim_time_ps t,
                sim_time_ps back[LANES])
{
    static const uint8_t full[LANES];
    uint32_t mark[LANES];
    struct mem_batch b;

    for (uint32_t i = 0; i < LANES; i++)
        mark[i] = tag_mark(line[i]);
    mem_batch_begin(&b, line, full, mark, 0, kind);
    memory_place(m, line, LANES, &b.home);
    memory_fetch_lines(m, mark, LANES, &b.home);
    for (uint32_t i = 0; i < LANES; i++) {
        mem_batch_add(&b, i, sectors, 1, t);
        b.watch[i] = 0;
    }
    memory_access_batch(m, &b, 0, LANES, t);
    memcpy(back, b.back, LANES * sizeof *back);
}

/* The same rounds with an observer, which sees the requests one by one, and without. A round starts while lines
 * of earlier rounds are in flight. */
static void check_rounds(const struct gpu_design *d, const enum mem_kind kinds[], uint32_t kind_count)
{
    struct observer nobody = {0};
    struct memory *m[2];
    sim_time_ps t = 0;
    struct rng rng;
    struct err e;

    find_crowd(d);
    rng_init(&rng, d->l2_ways, kind_count, RNG_TEST);
    for (int i = 0; i < 2; i++) {
        m[i] = memory_new(d, &e);
        assert_non_null(m[i]);
        memory_begin(m[i]);
    }
    memory_observe(m[1], &nobody);
    for (uint32_t round = 0; round < ROUNDS; round++) {
        enum mem_kind kind = kinds[rng_below(&rng, kind_count)];
        uint8_t sectors = (uint8_t)(1 + rng_below(&rng, 15));
        sim_time_ps back[2][LANES];
        uint64_t line[LANES];

        t += rng_below(&rng, 3) * 50000;
        choose_lines(&rng, line);
        for (int i = 0; i < 2; i++)
            ask(m[i], line, kind, sectors, t, back[i]);
        for (uint32_t i = 0; i < LANES; i++)
            assert_int_equal(back[0][i], back[1][i]);
    }
    assert_memory_equal(memory_counters(m[0]), memory_counters(m[1]), sizeof(struct mem_counters));
    for (int i = 0; i < 2; i++)
        memory_free(m[i]);
}

static void each_is_back_as_if_it_went_alone(void **state)
{
    static const struct {
        uint32_t kb, ways;
    } l2[] = {{64, 1}, {64, 2}, {64, 4}, {6144, 24}, {6144, 64}};
    static const enum mem_kind reads[] = {MEM_READ}, all[] = {MEM_READ, MEM_WRITE, MEM_ATOMIC, MEM_REDUCTION};

    (void)state;
    for (size_t i = 0; i < sizeof l2 / sizeof *l2; i++) {
        struct gpu_design *d = design_of(l2[i].kb, l2[i].ways);

        check_rounds(d, reads, 1);
        check_rounds(d, all, 4); /* with lines to write back, which delay later requests */
        design_free(d);
    }
}

/* --- a kernel --- */

/* One line per lane, one word of it. Loads of one warp share some lines. */
static void in_crowd(const struct hand *h, uint64_t cta, uint32_t warp, uint32_t step, struct address_set *out)
{
    (void)h;
    out->is_list = true;
    for (uint32_t i = 0; i < LANES; i++)
        out->lanes[i] = crowd[(step * 20 + warp * 7 + cta * 3 + i) % CROWD] * LINE_BYTES + step % 4 * SECTOR_BYTES;
}

static void run_loads(const struct gpu_design *d, int loads, uint32_t interval, struct sim_result *r)
{
    const struct sim_options o = {.record_interval_cycles = interval};
    struct hand h;

    hand_init(&h, 8, 64);
    h.address = in_crowd;
    for (int i = 0; i < loads; i++) {
        hand_add_memory(&h, "LDG.E", 4, 8 + i, 2, -1);
        hand_add(&h, "FFMA", 40, 8 + i, 8 + i, 40);
    }
    hand_add(&h, "EXIT", -1, -1, -1, -1);
    hand_run(&h, d, &o, r);
}

static void a_recording_changes_nothing(void **state)
{
    static const uint32_t ways[] = {1, 2, 64};

    (void)state;
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        struct gpu_design *d = design_of(ways[i] == 64 ? 6144 : 64, ways[i]);

        find_crowd(d);
        for (int loads = 1; loads <= 16; loads *= 4) {
            struct sim_result plain, recorded;

            run_loads(d, loads, 0, &plain);
            run_loads(d, loads, 64, &recorded);
            assert_int_equal(plain.cycles, recorded.cycles);
            assert_int_equal(result_counter(&plain, "l2_read_miss_sectors"),
                             result_counter(&recorded, "l2_read_miss_sectors"));
            sim_result_release(&plain);
            sim_result_release(&recorded);
        }
        design_free(d);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_is_back_as_if_it_went_alone),
        cmocka_unit_test(a_recording_changes_nothing),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
