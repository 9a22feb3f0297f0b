/* Levels of detail behind L1: the distribution of addresses over channels, and DRAM without rows. */
#include "simcore/mem/address_map.h"
#include "tests/unit/simcore/hand_source.h"

enum { STRIDE_CHUNKS = 64, LINES_A_CHUNK = 16 };

static void locate(enum hash_level level, uint64_t line, struct address_place *out)
{
    struct gpu_design *d = hand_design("v100", NULL);
    struct address_map map;

    d->model.hash = level;
    address_map_init(&map, d, 32);
    address_locate(&map, line, out);
    design_free(d);
}

/* How many of the 64 channels a stride visits, and the most visits of one channel. */
static uint32_t channels_visited(enum hash_level level, uint64_t stride_lines, uint32_t *most)
{
    struct gpu_design *d = hand_design("v100", NULL);
    struct address_map map;
    uint32_t visits[64] = {0}, count = 0;

    *most = 0;
    d->model.hash = level;
    address_map_init(&map, d, 32);
    for (uint64_t i = 0; i < 6400; i++) {
        struct address_place p;

        address_locate(&map, i * stride_lines, &p);
        assert_true(p.channel < 64);
        count += visits[p.channel]++ == 0;
        *most = visits[p.channel] > *most ? visits[p.channel] : *most;
    }
    design_free(d);
    return count;
}

static void power_of_two_strides_camp_without_a_hash(void **state)
{
    uint64_t stride = STRIDE_CHUNKS * LINES_A_CHUNK;
    uint32_t most;

    (void)state;
    assert_int_equal(channels_visited(HASH_NONE, stride, &most), 1);
    assert_int_equal(channels_visited(HASH_NONE, stride / 4, &most), 4);
    assert_int_equal(channels_visited(HASH_MIX, stride, &most), 64);
    assert_true(most < 150);
    for (uint64_t s = LINES_A_CHUNK; s <= stride << 10; s *= 2) { /* the purpose of IPOLY: exactly even */
        assert_int_equal(channels_visited(HASH_IPOLY, s, &most), 64);
        assert_int_equal(most, 100);
    }
}

/* Maps n lines at once. Each result equals that of the line alone, and that of plain divisions. */
static void check_places(const struct address_map *map, uint32_t n)
{
    struct address_map divides = *map;
    struct address_places places;
    uint64_t line[ADDRESS_PLACES_MAX];

    divides.shifts = false;
    divides.words = 0;
    for (uint32_t i = 0; i < ADDRESS_PLACES_MAX; i++)
        line[i] = address_mix(n * ADDRESS_PLACES_MAX + i) >> (i % 40);
    address_locate_lines(map, line, n, &places);
    for (uint32_t i = 0; i < n; i++) {
        struct address_place at = address_place_of(&places, i), one, divided;

        address_locate(map, line[i], &one);
        address_locate(&divides, line[i], &divided);
        assert_memory_equal(&at, &one, sizeof one);
        assert_memory_equal(&one, &divided, sizeof one);
    }
}

/* With the host's widest vectors, all narrower ones, and none. */
static void many_lines_are_where_each_is(void **state)
{
    static const uint32_t sets[] = {32, 48}; /* shifts, divisions */
    static const uint8_t widths[] = {8, 4, 0};
    struct gpu_design *d = hand_design("v100", NULL);

    (void)state;
    for (size_t k = 0; k < sizeof sets / sizeof *sets; k++) {
        struct address_map map;
        uint8_t host;

        address_map_init(&map, d, sets[k]);
        host = map.words;
        for (size_t w = 0; w < sizeof widths / sizeof *widths; w++) {
            if (widths[w] > host)
                continue;
            map.words = widths[w];
            for (uint32_t n = 0; n <= ADDRESS_PLACES_MAX; n++)
                check_places(&map, n);
        }
    }
    design_free(d);
}

/* Lines at a distance of a power of two, as in local memory of many warps. Each set of each slice gets about the
 * same number, for any number of sets, also when channel and set use the same hash. */
static void strides_fill_the_sets_of_each_slice_alike(void **state)
{
    enum { EACH = 8 };
    static const uint32_t sets[] = {16, 32, 48};
    struct gpu_design *d = hand_design("v100", NULL);

    (void)state;
    for (size_t k = 0; k < sizeof sets / sizeof *sets; k++)
        for (uint32_t shift = 8; shift <= 14; shift++) {
            uint32_t lines[64 * 48] = {0}, most = 0;
            struct address_map map;

            address_map_init(&map, d, sets[k]);
            for (uint64_t i = 0; i < 64ull * sets[k] * EACH; i++) {
                struct address_place p;

                address_locate(&map, i << shift, &p);
                p.set += p.slice * sets[k];
                lines[p.set]++;
                most = lines[p.set] > most ? lines[p.set] : most;
            }
            assert_in_range(most, EACH, 4 * EACH);
        }
    design_free(d);
}

static void the_levels_agree_on_what_lies_within_a_chunk(void **state)
{
    (void)state;
    for (uint64_t line = 0; line < 20000; line += 77) {
        struct address_place mix, none, ipoly;

        locate(HASH_MIX, line, &mix);
        locate(HASH_NONE, line, &none);
        locate(HASH_IPOLY, line, &ipoly);
        assert_int_equal(mix.row, none.row);
        assert_int_equal(mix.bank, ipoly.bank);
        assert_int_equal(none.channel, line / LINES_A_CHUNK % 64);
    }
}

/* Time until the last of this number of lines arrives, all requested at once. Some of every four are writes. */
static sim_time_ps access_lines(const struct gpu_design *d, uint64_t stride_lines, uint32_t count, uint8_t sectors,
                                uint32_t writes_of_4)
{
    struct err e;
    struct memory *m = memory_new(d, &e);
    sim_time_ps end = 0;

    assert_non_null(m);
    memory_begin(m);
    for (uint64_t i = 0; i < count; i++) {
        const struct mem_request r = {.line = i * stride_lines,
                                      .sectors = sectors,
                                      .full = sectors,
                                      .kind = i % 4 < writes_of_4 ? MEM_WRITE : MEM_READ,
                                      .sm = (uint16_t)(i % 80)};
        sim_time_ps t = memory_access(m, &r, 0, 0);

        end = t > end ? t : end;
    }
    memory_free(m);
    return end;
}

static void a_camped_channel_is_all_the_bandwidth_there_is(void **state)
{
    struct gpu_design *d = hand_design("v100", NULL);
    sim_time_ps mix, none;

    (void)state;
    mix = access_lines(d, STRIDE_CHUNKS * LINES_A_CHUNK, 20000, 0xf, 0);
    d->model.hash = HASH_NONE;
    none = access_lines(d, STRIDE_CHUNKS * LINES_A_CHUNK, 20000, 0xf, 0);
    assert_true(none > 30 * mix);
    /* one channel: 20000 lines at a 64th of 897 GB/s, or an activate each */
    assert_true((double)none > 20000.0 * LINE_BYTES / (897e9 / 64 / 1.04) * 1e12 * 0.99);
    design_free(d);
}

/* One channel alternates reads and writes, four sectors of an open row at a time. Time until the last of 1000. */
static sim_time_ps turns(const struct gpu_design *d)
{
    struct address_place place = {0};
    struct dram m;
    struct err e;
    sim_time_ps end = 0;

    CHECK_OK(dram_init(&m, d, &e), &e);
    dram_begin(&m, 1);
    for (uint32_t i = 0; i < 1000; i++)
        end = dram_access(&m, &place, 4, i % 2, 0, 0);
    dram_release(&m);
    return end;
}

static void fixed_device_memory_knows_no_rows_and_no_turns(void **state)
{
    const uint32_t lines = 240000;
    struct gpu_design *d = hand_design("v100", NULL);
    sim_time_ps rows_bucket, turns_bucket, rows_fixed;
    double peak_ps = 4000.0 * SECTOR_BYTES / (897e9 / 64) * 1e12;

    (void)state;
    rows_bucket = access_lines(d, 31, lines, 0x1, 0); /* rarely two lines of a row */
    turns_bucket = turns(d);
    d->model.dram = DRAM_FIXED;
    rows_fixed = access_lines(d, 31, lines, 0x1, 0);
    CHECK_NEAR((double)rows_fixed, lines * SECTOR_BYTES / 897e9 * 1e12 * 1.04, 0.15);
    CHECK_NEAR((double)rows_bucket, lines / 64.0 * 7500, 0.15); /* t_FAW of 30 ns for four activates a channel */
    assert_true(rows_bucket > 3 * rows_fixed / 2);              /* limited by activates, not by bytes */
    CHECK_NEAR((double)turns_bucket, peak_ps * 1.12, 0.01); /* half at 1.04, half at 1.00, and the loss of 0.1 */
    CHECK_NEAR((double)turns(d), peak_ps * 1.02, 0.01);
    design_free(d);
}

static void ipoly_is_for_powers_of_two(void **state)
{
    struct gpu_design *d = NULL;
    struct err e;
    char *text = hand_design_text("a100");
    json_t *root = json_loads(text, 0, NULL);

    (void)state;
    free(text);
    json_object_set_new(json_object_get(json_object_get(root, "model"), "hash"), "value", json_string("ipoly"));
    text = json_dumps(root, 0);
    assert_int_equal(design_parse(text, strlen(text), "a100", &d, &e), -1);
    assert_non_null(strstr(e.text, "power of two"));
    free(text);
    json_decref(root);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(power_of_two_strides_camp_without_a_hash),
        cmocka_unit_test(many_lines_are_where_each_is),
        cmocka_unit_test(strides_fill_the_sets_of_each_slice_alike),
        cmocka_unit_test(the_levels_agree_on_what_lies_within_a_chunk),
        cmocka_unit_test(a_camped_channel_is_all_the_bandwidth_there_is),
        cmocka_unit_test(fixed_device_memory_knows_no_rows_and_no_turns),
        cmocka_unit_test(ipoly_is_for_powers_of_two),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
