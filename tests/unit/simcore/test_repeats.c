/* Launches with equal text are read once, and find the same cache content as when each is read. */
#include <string.h>
#include <unistd.h>
#include <zstd.h>

#include "base/whole_file.h"
#include "simcore/footprint/repeats.h"
#include "tests/harness/check.h"

static char folder[] = "/tmp/repeats-XXXXXX";

/* A trace of one CTA: loads starting at `from`, then stores. */
static const char *write_trace(const char *name, unsigned id, unsigned block, unsigned from, unsigned stream)
{
    static char path[80];
    FILE *out;

    snprintf(path, sizeof path, "%s/%s", folder, name);
    out = fopen(path, "w");
    assert_non_null(out);
    fprintf(out,
            "-kernel name = k\n-kernel id = %u\n-grid dim = (1,1,1)\n-block dim = (%u,1,1)\n-shmem = 0\n"
            "-nregs = 16\n-binary version = 70\n-cuda stream id = %u\n-shmem base_addr = 0x00007f0000000000\n"
            "-local mem base_addr = 0x00007e0000000000\n-nvbit version = 1.5.3\n-accelsim tracer version = 3\n\n"
            "#traces format = PC mask dest_num [reg_dests] opcode src_num [reg_srcs] mem_width [adrrescompress?] "
            "[mem_addresses]\n\n#BEGIN_TB\n\nthread block = 0,0,0\n\nwarp = 0\ninsts = 3\n"
            "0000 ffffffff 1 R4 LDG.E 1 R2 4 1 0x%x 4\n"
            "0010 ffffffff 0 STG.E 2 R2 R4 4 1 0x%x 4\n0020 ffffffff 0 EXIT 0 0\n\n#END_TB\n",
            id, block, stream, from, from + 0x80);
    assert_int_equal(fclose(out), 0);
    return path;
}

/* Compresses a trace in its place, as an unpacked tar keeps it. */
static void compress_trace(const char *path)
{
    char *text, packed[4096];
    size_t n;
    struct err e;

    CHECK_OK(whole_file_read(path, sizeof packed / 2, &text, &n, &e), &e);
    n = ZSTD_compress(packed, sizeof packed, text, n, 3);
    assert_false(ZSTD_isError(n));
    CHECK_OK(whole_file_write(path, packed, n, &e), &e);
    free(text);
}

static bool same(const struct warm_image *a, const struct warm_image *b)
{
    return a->lines == b->lines && a->own == b->own && a->count == b->count &&
           memcmp(a->line, b->line, a->count * sizeof *a->line) == 0;
}

static void check_repeated_launches(bool compressed)
{
    static const struct {
        const char *what;
        unsigned id, block, from, stream;
    } launches[] = {{"the first", 1, 32, 0x10000, 0},          {"another", 2, 32, 0x20000, 0},
                    {"the first again", 3, 32, 0x10000, 0},    {"a longer number", 100, 32, 0x10000, 7},
                    {"other lines", 101, 32, 0x10080, 0},      {"another header", 102, 64, 0x10000, 0},
                    {"the second again", 103, 32, 0x20000, 0}, {"all of it again", 104, 64, 0x10000, 0}};
    struct footprints *read, *repeated;
    struct repeats *r;
    struct err e;

    read = footprints_new(&e);
    repeated = footprints_new(&e);
    r = repeats_new(&e);
    assert_true(read && repeated && r);
    for (size_t i = 0; i < sizeof launches / sizeof *launches; i++) {
        const char *path =
            write_trace("k.traceg", launches[i].id, launches[i].block, launches[i].from, launches[i].stream);
        const struct trace_place place = {.format = TRACE_ACCEL_SIM, .path = path, .shown = path};
        struct warm_image *a = NULL, *b = NULL;
        struct inst_source *s;

        if (compressed)
            compress_trace(path);
        CHECK_OK(trace_file_open(&place, &s, &e), &e);
        CHECK_OK(footprints_launch(read, s, &a, &e), &e);
        inst_source_release(s);
        CHECK_OK(repeats_launch(r, repeated, &place, &b, &e), &e);
        if (!same(a, b))
            fail_msg("%s: %zu of %llu lines, read %zu of %llu", launches[i].what, b->count,
                     (unsigned long long)b->own, a->count, (unsigned long long)a->own);
        assert_int_equal(a->own, 2);
        assert_int_equal(a->count, i < 2 ? 0 : i == 4 ? 1 : 2);
        warm_image_free(a);
        warm_image_free(b);
        assert_int_equal(unlink(path), 0);
    }
    assert_int_equal(repeats_compared(r), 4);
    repeats_free(r);
    footprints_free(read);
    footprints_free(repeated);
}

static void repeated_launches_find_what_they_find_when_they_are_read(void **state)
{
    (void)state;
    assert_non_null(mkdtemp(folder));
    check_repeated_launches(false);
    check_repeated_launches(true);
}

/* Only launches with another text are read completely. A damaged one gives an error each time and is not stored. */
static void a_damaged_text_says_so_each_time(void **state)
{
    const char *path = write_trace("damaged.traceg", 1, 32, 0x10000, 0);
    const struct trace_place place = {.format = TRACE_ACCEL_SIM, .path = path, .shown = path};
    struct footprints *f;
    struct repeats *r;
    struct err e;

    (void)state;
    assert_int_equal(truncate(path, 560), 0);
    f = footprints_new(&e);
    r = repeats_new(&e);
    assert_true(f && r);
    for (int i = 0; i < 2; i++)
        assert_int_equal(repeats_launch(r, f, &place, NULL, &e), -1);
    assert_int_equal(unlink(path), 0);
    assert_int_equal(rmdir(folder), 0);
    repeats_free(r);
    footprints_free(f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(repeated_launches_find_what_they_find_when_they_are_read),
        cmocka_unit_test(a_damaged_text_says_so_each_time),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
