/* Collectives on systems: rings found on links, times worked by hand, and which way is the fastest. */
#include "base/strbuf.h"
#include "base/text.h"
#include "simcore/system/collective.h"
#include "tests/harness/check.h"

static struct system_design *load(const char *name)
{
    struct system_design *s = NULL;
    struct err e;

    CHECK_OK(system_load(name, &s, &e), &e);
    return s;
}

static struct collective_fabric fabric(const char *name, uint32_t ranks)
{
    struct system_design *s = load(name);
    struct collective_fabric f;
    struct err e;

    CHECK_OK(collective_fabric_make(s, ranks, &f, &e), &e);
    system_free(s);
    return f;
}

static const struct collective_limits any = {-1, -1, 0};

static struct collective_way best(const struct collective_fabric *f, enum collective_op op, uint64_t bytes)
{
    struct collective_way ways[COLLECTIVE_WAYS_MAX];

    assert_true(collective_ways(f, op, any, bytes, ways) > 0);
    return ways[0];
}

/* One NVLink of a V100 with packets of 128 bytes and a header of 16; a design keeps whole MB/s. */
#define V100_LINK (25.78125 * 128 / 144)

static void rings_of_a_cube_mesh_use_each_link_once(void **state)
{
    static const struct {
        uint32_t ranks, rings;
    } rows[] = {{8, 6}, {4, 4}, {3, 2}, {2, 1}};

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct collective_fabric f = fabric("dgx1-v100", rows[i].ranks);

        assert_int_equal(f.rings, rows[i].rings);
        CHECK_NEAR(f.ring_gbs, rows[i].rings * V100_LINK, 1e-2);
        CHECK_NEAR(f.hop_us, 0.6, 1e-12);
        assert_true(f.nvlink);
    }
}

/* GPU 4 has links to GPU 0 only, of the first five: no cycle exists, and the ring goes over PCIe between 3 and 4.
 */
static void without_a_cycle_the_ring_takes_routes(void **state)
{
    struct collective_fabric f = fabric("dgx1-v100", 5);
    struct collective_way w;

    (void)state;
    assert_int_equal(f.rings, 0);
    assert_false(f.nvlink);
    CHECK_NEAR(f.ring_gbs, 15.754 * 128 / 154, 1e-9);
    assert_false(collective_time(&f, COLLECTIVE_ALL_REDUCE, COLLECTIVE_RING, COLLECTIVE_LL128, 0, 1000, &w));
    assert_true(collective_time(&f, COLLECTIVE_ALL_REDUCE, COLLECTIVE_RING, COLLECTIVE_SIMPLE, 0, 1000, &w));
}

/* The text of a DGX-1 with other numbers of links; the ports allow them. */
static struct collective_fabric with_links(const char *one, const char *two)
{
    struct strbuf file = STRBUF_INIT, changed = STRBUF_INIT;
    struct system_design *s = load("dgx1-v100");
    struct collective_fabric f;
    struct err e;

    strbuf_adds(&file, s->json);
    system_free(s);
    for (const char *at = file.text; *at;) {
        static const char ones[] = "\"links\":1,\"source\":\"TOPO\"", twos[] = "\"links\":2,\"source\":\"TOPO\"";
        static const char ports[] = "\"ports\":{\"nvlink\":{\"value\":6";

        if (str_starts(at, ones))
            strbuf_addf(&changed, "\"links\":%s,\"source\":\"TOPO\"", one);
        else if (str_starts(at, twos))
            strbuf_addf(&changed, "\"links\":%s,\"source\":\"TOPO\"", two);
        else if (str_starts(at, ports))
            strbuf_adds(&changed, "\"ports\":{\"nvlink\":{\"value\":9999");
        else {
            strbuf_addc(&changed, *at++);
            continue;
        }
        at += str_starts(at, ports) ? sizeof ports - 1 : sizeof ones - 1;
    }
    CHECK_OK(system_parse(changed.text, changed.length, "t", &s, &e), &e);
    CHECK_OK(collective_fabric_make(s, 8, &f, &e), &e);
    system_free(s);
    strbuf_release(&file);
    strbuf_release(&changed);
    return f;
}

/* The search stays small: links are counted in their common divisor, and at most 32 cycles are searched. */
static void many_links_are_searched_in_bundles(void **state)
{
    (void)state;
    assert_int_equal(with_links("1", "2").rings, 6);
    assert_int_equal(with_links("500", "1000").rings, 3000);
    assert_int_equal(with_links("501", "1000").rings, 64);
}

static void hops_that_share_a_channel_share_its_rate(void **state)
{
    struct collective_fabric two = fabric("pcie-2x4090", 2), four = fabric("pcie-4xl40s", 4);

    (void)state;
    CHECK_NEAR(two.ring_gbs, 31.508 * 128 / 154, 0.1);
    assert_true(four.ring_gbs <= two.ring_gbs);
    assert_int_equal(two.channels, 2);
}

static void times_are_worked_by_hand(void **state)
{
    struct collective_fabric f = fabric("hgx-h100", 8);
    struct collective_way w;

    (void)state;
    CHECK_NEAR(f.ring_gbs, 360, 1e-9);
    CHECK_NEAR(f.nvls_gbs, 306, 1e-9);
    assert_int_equal(f.channels, 24);
    /* 8.4 us, 14 steps of 0.6 + 2.8 us, 14/8 of the bytes */
    assert_true(collective_time(&f, COLLECTIVE_ALL_REDUCE, COLLECTIVE_RING, COLLECTIVE_SIMPLE, 0, 1000000000, &w));
    CHECK_NEAR(w.latency_us, 56, 1e-9);
    CHECK_NEAR(w.us - w.latency_us, 1.75e6 / 360, 1e-6);
    CHECK_NEAR(w.bus_gbs, 1.75e6 / w.us, 1e-9);
    /* 7 steps, 7/8 of the bytes; LL128 carries 0.92 */
    assert_true(collective_time(&f, COLLECTIVE_ALL_GATHER, COLLECTIVE_RING, COLLECTIVE_LL128, 0, 1000000000, &w));
    CHECK_NEAR(w.latency_us, 14 + 7 * 1.9, 1e-9);
    CHECK_NEAR(w.us - w.latency_us, 0.875e6 / (360 * 0.92), 1e-6);
    /* the whole array passes each GPU */
    assert_true(collective_time(&f, COLLECTIVE_BROADCAST, COLLECTIVE_RING, COLLECTIVE_SIMPLE, 0, 1000000000, &w));
    CHECK_NEAR(w.us - w.latency_us, 1e6 / 360, 1e-6);
    /* the switch reduces: 1 + 1/8 of the bytes at 0.85 of the links */
    assert_true(collective_time(&f, COLLECTIVE_ALL_REDUCE, COLLECTIVE_NVLS, COLLECTIVE_SIMPLE, 0, 1000000000, &w));
    CHECK_NEAR(w.us - w.latency_us, 1.125e6 / 306, 1e-6);
    /* up and down at half of 0.92 of the ring */
    assert_true(collective_time(&f, COLLECTIVE_ALL_REDUCE, COLLECTIVE_TREE, COLLECTIVE_SIMPLE, 0, 1000000000, &w));
    CHECK_NEAR(w.us - w.latency_us, 1e6 / (360 * 0.46), 1e-6);
    assert_true(collective_time(&f, COLLECTIVE_SEND_RECV, COLLECTIVE_DIRECT, COLLECTIVE_SIMPLE, 0, 1000000000, &w));
    CHECK_NEAR(w.us, 8.4 + 3.4 + 1e6 / 360, 1e-6);
    /* one channel carries 38.7 GB/s */
    assert_true(collective_time(&f, COLLECTIVE_ALL_REDUCE, COLLECTIVE_RING, COLLECTIVE_SIMPLE, 1, 1000000000, &w));
    CHECK_NEAR(w.us - w.latency_us, 1.75e6 / 38.7, 1e-6);
    /* so does a tree's, in both directions together; LL has 1 / 3.8 of that, LL128 7 / 9 */
    assert_true(collective_time(&f, COLLECTIVE_ALL_REDUCE, COLLECTIVE_TREE, COLLECTIVE_SIMPLE, 1, 1000000000, &w));
    CHECK_NEAR(w.us - w.latency_us, 2e6 / 38.7, 1e-6);
    assert_true(collective_time(&f, COLLECTIVE_ALL_REDUCE, COLLECTIVE_TREE, COLLECTIVE_LL, 1, 1000000000, &w));
    CHECK_NEAR(w.us - w.latency_us, 2e6 * 3.8 / 38.7, 1e-6);
    assert_true(collective_time(&f, COLLECTIVE_ALL_REDUCE, COLLECTIVE_TREE, COLLECTIVE_LL128, 1, 1000000000, &w));
    CHECK_NEAR(w.us - w.latency_us, 2e6 * 9 / (7 * 38.7), 1e-6);
}

/* An H100 board one of whose GPUs is an A100: the constants are those of the A100. */
static void the_oldest_gpu_decides(void **state)
{
    struct collective_fabric old = fabric("dgx-a100", 8), f;
    struct system_design *s = load("hgx-h100");
    struct err e;

    (void)state;
    for (uint32_t i = 0, gpus = 0; i < s->node_count; i++)
        if (s->nodes[i].kind == SYSTEM_GPU && ++gpus == 6)
            snprintf(s->nodes[i].design, sizeof s->nodes[i].design, "a100");
    CHECK_OK(collective_fabric_make(s, 8, &f, &e), &e);
    assert_int_equal(f.generation, old.generation);
    CHECK_OK(collective_fabric_make(s, 5, &f, &e), &e);
    assert_true(f.generation > old.generation);
    system_free(s);
}

static void the_choice_depends_on_size_and_switch(void **state)
{
    struct collective_fabric h100 = fabric("hgx-h100", 8), a100 = fabric("dgx-a100", 8),
                             pair = fabric("hgx-h100", 2);

    (void)state;
    assert_int_equal(best(&h100, COLLECTIVE_ALL_REDUCE, 1024).protocol, COLLECTIVE_LL);
    assert_int_equal(best(&h100, COLLECTIVE_ALL_REDUCE, 16 << 20).protocol, COLLECTIVE_LL128);
    assert_int_equal(best(&h100, COLLECTIVE_ALL_REDUCE, 1 << 30).algorithm, COLLECTIVE_NVLS);
    assert_int_equal(best(&h100, COLLECTIVE_ALL_GATHER, 1 << 30).algorithm, COLLECTIVE_RING);
    assert_int_equal(best(&pair, COLLECTIVE_ALL_REDUCE, 1 << 30).algorithm, COLLECTIVE_RING);
    assert_int_equal(best(&a100, COLLECTIVE_ALL_REDUCE, 16 << 20).algorithm, COLLECTIVE_TREE);
    assert_int_equal(best(&a100, COLLECTIVE_ALL_REDUCE, 1 << 30).algorithm, COLLECTIVE_RING);
    assert_int_equal(best(&a100, COLLECTIVE_SEND_RECV, 1 << 30).algorithm, COLLECTIVE_DIRECT);
}

/* Over all built-in systems: more bytes never take less time, the ways are in order, and a ring's bus bandwidth
 * stays below that of its links. */
static void times_grow_with_the_bytes(void **state)
{
    (void)state;
    for (const char *const *name = system_builtin_names(); *name; name++) {
        struct system_design *s = load(*name);
        struct collective_fabric f;
        struct err e;

        CHECK_OK(collective_fabric_make(s, system_count(s, SYSTEM_GPU), &f, &e), &e);
        for (int op = 0; op < COLLECTIVE_OP_COUNT; op++) {
            double before = 0;

            for (uint64_t bytes = 1; bytes <= SYSTEM_COPY_MAX; bytes *= 8) {
                struct collective_way ways[COLLECTIVE_WAYS_MAX];
                size_t n = collective_ways(&f, (enum collective_op)op, any, bytes, ways);

                assert_true(n > 0 && ways[0].us >= before);
                for (size_t i = 1; i < n; i++)
                    assert_true(ways[i].us >= ways[i - 1].us);
                for (size_t i = 0; i < n; i++)
                    assert_true(ways[i].algorithm != COLLECTIVE_RING || ways[i].bus_gbs <= f.ring_gbs);
                before = ways[0].us;
            }
        }
        system_free(s);
    }
}

static void half_the_link_doubles_only_the_transfer(void **state)
{
    const struct design_change half = {"links.nvlink.gbs", "x0.5"};
    struct system_design *s = load("dgx-a100"), *d = NULL;
    struct collective_fabric whole, halved;
    struct collective_way a, b;
    char *text = NULL;
    struct err e;

    (void)state;
    CHECK_OK(system_derive(s, "half", &half, 1, &text, &e), &e);
    CHECK_OK(system_parse(text, strlen(text), "half", &d, &e), &e);
    CHECK_OK(collective_fabric_make(s, 8, &whole, &e), &e);
    CHECK_OK(collective_fabric_make(d, 8, &halved, &e), &e);
    assert_true(collective_time(&whole, COLLECTIVE_ALL_REDUCE, COLLECTIVE_RING, COLLECTIVE_SIMPLE, 0, 1 << 28, &a));
    assert_true(
        collective_time(&halved, COLLECTIVE_ALL_REDUCE, COLLECTIVE_RING, COLLECTIVE_SIMPLE, 0, 1 << 28, &b));
    CHECK_NEAR(b.latency_us, a.latency_us, 1e-12);
    CHECK_NEAR(b.us - b.latency_us, 2 * (a.us - a.latency_us), 1e-6);
    free(text);
    system_free(s);
    system_free(d);
}

static void wrong_numbers_of_ranks_are_refused(void **state)
{
    struct system_design *s = load("dgx-a100");
    struct collective_fabric f;
    struct err e;

    (void)state;
    CHECK_FAILS(collective_fabric_make(s, 9, &f, &e), &e, ERR_INVALID, "needs 2 to 8 GPUs, not 9");
    CHECK_FAILS(collective_fabric_make(s, 1, &f, &e), &e, ERR_INVALID, "needs 2 to 8 GPUs, not 1");
    system_free(s);
    assert_int_equal(collective_find(collective_op_names, "AllReduce"), COLLECTIVE_ALL_REDUCE);
    assert_int_equal(collective_find(collective_op_names, "all"), -1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rings_of_a_cube_mesh_use_each_link_once),
        cmocka_unit_test(without_a_cycle_the_ring_takes_routes),
        cmocka_unit_test(many_links_are_searched_in_bundles),
        cmocka_unit_test(hops_that_share_a_channel_share_its_rate),
        cmocka_unit_test(times_are_worked_by_hand),
        cmocka_unit_test(the_oldest_gpu_decides),
        cmocka_unit_test(the_choice_depends_on_size_and_switch),
        cmocka_unit_test(times_grow_with_the_bytes),
        cmocka_unit_test(half_the_link_doubles_only_the_transfer),
        cmocka_unit_test(wrong_numbers_of_ranks_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
