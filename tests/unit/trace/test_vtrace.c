/* .vtrace files: content reads back equal, sequentially and at any CTA, and files are small. */
#include <sys/stat.h>

#include "base/hash.h"
#include "simcore/trace/bundle.h"
#include "tests/unit/trace/same_source.h"
#include "tests/unit/trace/texts.h"
#include "tests/unit/trace/vtrace_file.h"

/* Writes a generated kernel, reads it back, and compares. */
static void round_trip(struct made_source *m, const struct vtrace_options *o, struct vtrace_stats *stats)
{
    struct inst_source *back;
    struct vtrace *v;
    struct err e;

    write_source(&m->source, o);
    m->next = 0;
    CHECK_OK(vtrace_open(file, &v, &e), &e);
    CHECK_OK(vtrace_source(v, 0, &back, &e), &e);
    check_same_source(&m->source, back);
    inst_source_release(back);
    CHECK_OK(vtrace_verify(v, NULL, NULL, &e), &e);
    CHECK_OK(vtrace_stats(v, stats, &e), &e);
    vtrace_close(v);
    inst_source_release(&m->source);
}

/* --- reading back --- */

static void affine_kernels_cost_next_to_nothing(void **state)
{
    struct made_source m;
    struct vtrace_stats stats;

    (void)state;
    make_source(&m, 40, 10, 5, 256, fill_affine);
    round_trip(&m, NULL, &stats);
    assert_int_equal(stats.ctas, 2000);
    assert_int_equal(stats.warp_instructions, 2000 * 8 * (1 + 36 + 1));
    assert_int_equal(stats.paths, 1);
    assert_int_equal(stats.programs, 1);
    assert_int_equal(stats.shapes, 1);
    assert_true(stats.file_bytes < 1500);
}

static void anything_comes_back_bit_for_bit(void **state)
{
    static const struct vtrace_options small = {.frame_bytes = 4096};
    struct made_source m;
    struct vtrace_stats stats;

    (void)state;
    make_source(&m, 3, 7, 11, 1000, fill_by_chance);
    round_trip(&m, NULL, &stats);
    make_source(&m, 3, 7, 11, 1000, fill_by_chance);
    round_trip(&m, &small, &stats);
    assert_true(stats.frames > 100);
}

/* CTAs in another order, some missing; address lists that repeat within a warp. */
static void fill_backwards(struct cta_store *c, uint64_t index)
{
    uint64_t lanes[WARP_LANES];

    c->trace.id[0] = (uint32_t)(19 - index * 2);
    cta_store_begin_warp(c, 1);
    for (uint64_t i = 0; i < WARP_LANES; i++)
        lanes[i] = 1000 * index + i * i * 8;
    add_list(c, 1, 0xf0f0, lanes);
    for (uint64_t i = 0; i < WARP_LANES; i++)
        lanes[i] += 4096;
    add_list(c, 1, 0xf0f0, lanes);
    add_list(c, 1, 0xf0f1, lanes);
    add_list(c, 1, 0x100, lanes);
    add_run(c, 1, 0x100, 12, 0);
    cta_store_end_warp(c, 1);
}

static void ctas_may_come_in_any_order(void **state)
{
    struct made_source m;
    struct vtrace_stats stats;

    (void)state;
    make_source(&m, 20, 1, 1, 64, fill_backwards);
    m.ctas = 10;
    round_trip(&m, NULL, &stats);
    assert_int_equal(stats.ctas, 10);
}

/* Byte 8 of a file: its flags. */
static int flags_of_file(void)
{
    FILE *f = fopen(file, "rb");
    int c;

    assert_non_null(f);
    assert_int_equal(fseek(f, 8, SEEK_SET), 0);
    c = fgetc(f);
    fclose(f);
    return c;
}

static void clusters_come_back_and_are_flagged(void **state)
{
    struct vtrace_stats stats;
    struct made_source m;

    (void)state;
    make_source(&m, 12, 1, 1, 64, fill_affine);
    round_trip(&m, NULL, &stats);
    assert_int_equal(flags_of_file(), 0);
    make_source(&m, 12, 1, 1, 64, fill_affine);
    m.source.info.cluster = 4;
    round_trip(&m, NULL, &stats);
    assert_int_equal(flags_of_file(), 4);
}

static void all_versions_of_text_come_back(void **state)
{
    static const char *const texts[] = {
        HEADER("3") CTA("0")
            WARP("0", "2") "0000 ffffffff 1 R2 LDG.E.SYS 1 R4 4 1 0x7f00 4\n"
                           "0010 0000ff01 1 R2 LDG.E.SYS 1 R4 4 2 0x7f00 8 8 8 8 8 8 8 -8\n" END_CTA,
        HEADER("5") CTA("1") WARP("1", "3") "0000 ffffffff 0 DEPBAR.LE 0 0 1\n0010 00000000 0 SHFL.IDX 2 R3 R4 0\n"
                                            "0020 00000001 0 EXIT 0 0\n" END_CTA,
    };

    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct inst_source *s, *back;
        struct text_input in;
        struct err e;

        CHECK_OK(open_bytes(&in, texts[i], strlen(texts[i]), &s, &e), &e);
        write_source(s, NULL);
        inst_source_release(s);
        CHECK_OK(open_bytes(&in, texts[i], strlen(texts[i]), &s, &e), &e);
        CHECK_OK(vtrace_source_path(file, 0, &back, &e), &e);
        assert_true(check_same_source(s, back) > 1);
        inst_source_release(back);
        inst_source_release(s);
    }
}

/* --- access to a single CTA --- */

static void any_cta_is_reached(void **state)
{
    static const struct vtrace_options small = {.frame_bytes = 1000};
    struct inst_source *all, *one, *far;
    struct made_source m;
    struct cta_trace *x, *y;
    struct err e;

    (void)state;
    make_source(&m, 5, 5, 2, 64, fill_affine);
    write_source(&m.source, &small);
    inst_source_release(&m.source);
    CHECK_OK(vtrace_source_path(file, 0, &one, &e), &e);
    for (uint64_t i = 0; i < 50; i++) {
        uint64_t index = i * 37 % 50;

        CHECK_OK(vtrace_source_path(file, 0, &all, &e), &e);
        for (uint64_t k = 0; k <= index; k++) {
            CHECK_OK(inst_source_next_cta(all, &x, &e), &e);
            if (k < index)
                inst_source_release_cta(all, x);
        }
        CHECK_OK(vtrace_seek_cta(one, index, &e), &e);
        CHECK_OK(inst_source_next_cta(one, &y, &e), &e);
        assert_int_equal(y->index, index);
        check_same_cta(all, x, one, y);
        inst_source_release_cta(one, y);
        inst_source_release_cta(all, x);
        inst_source_release(all);
    }
    CHECK_FAILS(vtrace_seek_cta(one, 50, &e), &e, ERR_NOT_FOUND, "no CTA 50");
    inst_source_release(one);
    make_source(&m, 5, 5, 2, 64, fill_affine);
    CHECK_FAILS(vtrace_seek_cta(&m.source, 0, &e), &e, ERR_INVALID, "made");
    CHECK_FAILS(vtrace_source_path(file, 1, &far, &e), &e, ERR_NOT_FOUND, "no launch 1");
}

/* --- many launches --- */

static uint64_t moved; /* address of the launch's buffers */

static void fill_moved(struct cta_store *c, uint64_t index)
{
    cta_store_begin_warp(c, 0);
    add_run(c, 1, UINT32_MAX, UINT64_C(0x7f0000000000) + moved + index * 128, 4);
    add_run(c, 2, UINT32_MAX, UINT64_C(0x7f1000000000) + moved * 3 + index * 512, 16);
    cta_store_end_warp(c, 0);
}

static void write_launches(size_t launches)
{
    struct vtrace_writer *w;
    struct made_source m;
    struct err e;

    CHECK_OK(vtrace_writer_new(file, NULL, &w, &e), &e);
    for (size_t i = 0; i < launches; i++) {
        moved = i % 3 * 7777;
        make_source(&m, 64, 1, 1, 32, fill_moved);
        m.source.info.id = i;
        if (i == 5)
            m.source.info.name = (char *)"_Z5other";
        CHECK_OK(vtrace_writer_add(w, &m.source, &e), &e);
        inst_source_release(&m.source);
    }
    CHECK_OK(vtrace_writer_finish(w, &e), &e);
    vtrace_writer_release(w);
}

static void launches_share_what_they_have_in_common(void **state)
{
    struct vtrace_stats stats;
    struct vtrace *v;
    struct made_source m;
    struct err e;

    (void)state;
    write_launches(200);
    CHECK_OK(vtrace_open(file, &v, &e), &e);
    CHECK_OK(vtrace_stats(v, &stats, &e), &e);
    assert_int_equal(stats.launches, 200);
    assert_int_equal(stats.kernels, 2);
    assert_int_equal(stats.static_instructions, 4);
    assert_true(stats.file_bytes < 200 * 30);
    assert_int_equal(vtrace_launch_count(v), 200);
    assert_string_equal(vtrace_launch_at(v, 5)->info.name, "_Z5other");
    assert_int_equal(vtrace_launch_at(v, 199)->info.id, 199);
    assert_int_equal(vtrace_launch_at(v, 199)->ctas, 64);
    for (size_t i = 200; i-- > 0;) {
        struct inst_source *back;

        moved = i % 3 * 7777;
        make_source(&m, 64, 1, 1, 32, fill_moved);
        m.source.info.id = i;
        if (i == 5)
            m.source.info.name = (char *)"_Z5other";
        CHECK_OK(vtrace_source(v, i, &back, &e), &e);
        assert_int_equal(check_same_source(&m.source, back), 128);
        inst_source_release(back);
        inst_source_release(&m.source);
    }
    vtrace_close(v);
}

static void the_same_launches_give_the_same_bytes(void **state)
{
    char first[SHA256_HEX], second[SHA256_HEX];
    struct err e;

    (void)state;
    write_launches(20);
    CHECK_OK(sha256_file(file, first, &e), &e);
    write_launches(20);
    CHECK_OK(sha256_file(file, second, &e), &e);
    assert_string_equal(first, second);
}

/* --- sectors only --- */

static void fill_gather(struct cta_store *c, uint64_t index)
{
    uint64_t lanes[WARP_LANES];

    for (uint64_t i = 0; i < WARP_LANES; i++)
        lanes[i] = (index * 1000 + i * 7919 % 4000) * 4;
    lanes[5] += 30; /* touches two sectors */
    cta_store_begin_warp(c, 0);
    add_list(c, 1, UINT32_MAX, lanes);
    add_list(c, 1, UINT32_MAX, lanes);
    add_list(c, 2, UINT32_MAX, lanes);
    add_list(c, 3, UINT32_MAX, lanes);
    cta_store_end_warp(c, 0);
}

static void sectors_only_keeps_sectors_of_global_loads(void **state)
{
    static const struct vtrace_options o = {.sectors_only = true, .tool = "a test", .gpu = "V100"};
    struct inst_source *back;
    struct made_source m;
    struct cta_trace *x, *y;
    struct vtrace *v;
    struct err e;

    (void)state;
    make_source(&m, 9, 1, 1, 32, fill_gather);
    write_source(&m.source, &o);
    m.next = 0;
    CHECK_OK(vtrace_open(file, &v, &e), &e);
    assert_true(vtrace_sectors_only(v));
    assert_string_equal(vtrace_tool(v), "a test");
    assert_string_equal(vtrace_gpu(v), "V100");
    CHECK_OK(vtrace_source(v, 0, &back, &e), &e);
    while (inst_source_next_cta(&m.source, &x, &e) > 0) {
        CHECK_OK(inst_source_next_cta(back, &y, &e), &e);
        for (uint32_t i = 0; i < 4; i++) {
            struct lane_addresses a, b;

            cta_addresses(x, x->warps[0].insts[i].address, &a);
            cta_addresses(y, y->warps[0].insts[i].address, &b);
            for (int k = 0; k < WARP_LANES; k++) {
                bool two = a.list[k] % 32 + 4 > 32;

                assert_int_equal(b.list[k], i < 2 && !two ? a.list[k] / 32 * 32 : a.list[k]);
            }
        }
        inst_source_release_cta(&m.source, x);
        inst_source_release_cta(back, y);
    }
    inst_source_release(back);
    inst_source_release(&m.source);
    vtrace_close(v);
}

/* --- recorded traces --- */

static void check_bundle(const char *name, double most_bytes)
{
    struct vtrace_stats stats;
    struct vtrace_writer *w;
    struct bundle b;
    struct vtrace *v;
    struct err e;

    CHECK_OK(bundle_open(shared_data(name), NULL, NULL, &b, &e), &e);
    CHECK_OK(vtrace_writer_new(file, NULL, &w, &e), &e);
    for (size_t i = 0; i < b.count; i++) {
        struct inst_source *s;

        CHECK_OK(accel_sim_open_path(b.kernels[i].path, &s, &e), &e);
        CHECK_OK(vtrace_writer_add(w, s, &e), &e);
        inst_source_release(s);
    }
    CHECK_OK(vtrace_writer_finish(w, &e), &e);
    vtrace_writer_release(w);
    CHECK_OK(vtrace_open(file, &v, &e), &e);
    for (size_t i = 0; i < b.count; i++) {
        struct inst_source *s, *back;

        CHECK_OK(accel_sim_open_path(b.kernels[i].path, &s, &e), &e);
        CHECK_OK(vtrace_source(v, i, &back, &e), &e);
        check_same_source(s, back);
        inst_source_release(s);
        inst_source_release(back);
    }
    CHECK_OK(vtrace_stats(v, &stats, &e), &e);
    if ((double)stats.file_bytes > most_bytes * (double)stats.warp_instructions)
        fail_msg("%s: %.3f bytes a warp instruction", name,
                 (double)stats.file_bytes / (double)stats.warp_instructions);
    vtrace_close(v);
    bundle_close(&b);
}

/* The limits are twice the measured sizes. The shared limit for PyTorch is 0.5. */
static void pytorch_takes_next_to_nothing(void **state)
{
    (void)state;
    check_bundle("traces/pytorch-sgd-v100.tar.zst", 0.006);
}

static void recorded_traces_come_back(void **state)
{
    (void)state;
    check_bundle("traces/rodinia-bfs-sm80.tar.zst", 2);
    check_bundle("traces/vectoradd-sm80-v5.tar.zst", 0.04);
    check_bundle("traces/matmul-pascal-v4.tar.zst", 0.5);
    check_bundle("traces/raw-tracer-output-v100.tar.zst", 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(affine_kernels_cost_next_to_nothing),
        cmocka_unit_test(anything_comes_back_bit_for_bit),
        cmocka_unit_test(ctas_may_come_in_any_order),
        cmocka_unit_test(clusters_come_back_and_are_flagged),
        cmocka_unit_test(all_versions_of_text_come_back),
        cmocka_unit_test(any_cta_is_reached),
        cmocka_unit_test(launches_share_what_they_have_in_common),
        cmocka_unit_test(the_same_launches_give_the_same_bytes),
        cmocka_unit_test(sectors_only_keeps_sectors_of_global_loads),
        cmocka_unit_test(pytorch_takes_next_to_nothing),
        cmocka_unit_test(recorded_traces_come_back),
    };

    return cmocka_run_group_tests(tests, choose_file, remove_file);
}
