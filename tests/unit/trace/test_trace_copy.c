/* Memory copies between launches: in lines of kernel lists, in bundles, and in .vtrace files. */
#include <sys/stat.h>
#include <unistd.h>

#include "simcore/trace/bundle.h"
#include "simcore/trace/vtrace.h"
#include "tests/unit/trace/made_source.h"

static char folder[64], path[8][128];

static void put(int at, const char *name, const char *text)
{
    FILE *f;

    snprintf(path[at], sizeof path[at], "%s/%s", folder, name);
    f = fopen(path[at], "w");
    assert_non_null(f);
    fputs(text, f);
    fclose(f);
}

static int make_folder(void **state)
{
    (void)state;
    snprintf(folder, sizeof folder, "/tmp/test-trace-copy-XXXXXX");
    return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof path / sizeof *path; i++)
        if (path[i][0])
            unlink(path[i]);
    memset(path, 0, sizeof path);
    return rmdir(folder);
}

static void lines_say_what_is_copied(void **state)
{
    static const struct {
        const char *line;
        enum trace_copy_kind kind;
        uint64_t address, bytes;
    } good[] = {
        {"MemcpyHtoD,0x00007fc841520000,4096", TRACE_COPY_TO_DEVICE, 0x7fc841520000, 4096},
        {"MemcpyHtoD,0x10,1\r", TRACE_COPY_TO_DEVICE, 16, 1},
        {"MemcpyDtoH,0xAb,77", TRACE_COPY_TO_HOST, 0xab, 77},
        {"MemcpyDtoD,0x0,18446744073709551615", TRACE_COPY_DEVICE, 0, UINT64_MAX},
        {"Memset,0xffffffffffffffff,0", TRACE_MEMSET, UINT64_MAX, 0},
    };
    static const char *const other[] = {"",
                                        "kernel-1.traceg",
                                        "MemcpyHtoD",
                                        "MemcpyHtoD,4096,4096",
                                        "MemcpyHtoD,0x,5",
                                        "MemcpyHtoD,0x-1,5",
                                        "MemcpyHtoD,0x1000,",
                                        "MemcpyHtoD,0x1000, 5",
                                        "MemcpyHtoD,0x1000,-5",
                                        "MemcpyHtoD,0x1000,5x",
                                        "MemcpyHtoD,0x1000 5",
                                        "MemcpyHtoD,0x10000000000000000,5",
                                        "MemcpyHtoD,0x1,18446744073709551615",
                                        "MemcpyHtoD,0x1,18446744073709551616"};
    struct trace_copy c;

    (void)state;
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        assert_int_equal(trace_copy_parse(good[i].line, &c), 1);
        assert_int_equal(c.kind, good[i].kind);
        assert_int_equal(c.address, good[i].address);
        assert_int_equal(c.bytes, good[i].bytes);
    }
    for (size_t i = 0; i < sizeof other / sizeof *other; i++)
        if (trace_copy_parse(other[i], &c) != 0)
            fail_msg("taken for a copy: %s", other[i]);
}

static void check(const struct bundle *b, size_t at, uint64_t context, uint64_t before, enum trace_copy_kind kind,
                  uint64_t bytes)
{
    assert_true(at < b->copies.count);
    assert_int_equal(b->copies.items[at].context, context);
    assert_int_equal(b->copies.items[at].before, before);
    assert_int_equal(b->copies.items[at].kind, kind);
    assert_int_equal(b->copies.items[at].bytes, bytes);
    assert_int_equal(b->copies.items[at].address, 0x1000 + at);
}

/* Two contexts with two launches and one launch, and copies before, between and after them. */
static void check_two_contexts(const char *where, uint64_t lines)
{
    struct bundle b;
    struct err e;

    CHECK_OK(bundle_open(where, NULL, NULL, &b, &e), &e);
    assert_int_equal(b.count, 3);
    assert_int_equal(b.memory_copies, lines);
    assert_int_equal(b.copies.count, 4);
    check(&b, 0, 0, 0, TRACE_COPY_TO_DEVICE, 11);
    check(&b, 1, 0, 1, TRACE_MEMSET, 22);
    check(&b, 2, 0, 2, TRACE_COPY_TO_HOST, 33);
    check(&b, 3, 1, 3, TRACE_COPY_DEVICE, 44);
    bundle_close(&b);
}

static void fill(struct cta_store *c, uint64_t index)
{
    cta_store_begin_warp(c, 0);
    add_run(c, 1, UINT32_MAX, 4096 * index, 4);
    cta_store_end_warp(c, 0);
}

static void add_launch(struct vtrace_writer *w, uint64_t context)
{
    struct made_source m;
    struct err e;

    make_source(&m, 2, 1, 1, 32, fill);
    vtrace_writer_context(w, context);
    CHECK_OK(vtrace_writer_add(w, &m.source, &e), &e);
    inst_source_release(&m.source);
}

static void add_copy(struct vtrace_writer *w, uint64_t context, enum trace_copy_kind kind, uint64_t address,
                     uint64_t bytes)
{
    const struct trace_copy c = {.kind = kind, .address = address, .bytes = bytes};
    struct err e;

    vtrace_writer_context(w, context);
    CHECK_OK(vtrace_writer_copy(w, &c, &e), &e);
}

static void lists_give_them_their_places(void **state)
{
    static const char text[] =
        "-kernel name = k\n-kernel id = 1\n-grid dim = (1,1,1)\n-block dim = (32,1,1)\n#traces\n";

    (void)state;
    put(0, "kernelslist_ctx_0xb",
        "MemcpyHtoD,0x1000,11\nkernel-1-ctx_0xb.traceg\nMemset,0x1001,22\nkernel-2-ctx_0xb.traceg\n"
        "MemcpyDtoH,0x1002,33\nMemcpyHtoD of something\n");
    put(1, "kernelslist_ctx_0xa", "kernel-3-ctx_0xa.traceg\nMemcpyDtoD,0x1003,44\n");
    put(2, "kernel-1-ctx_0xb.traceg", text);
    put(3, "kernel-2-ctx_0xb.traceg", text);
    put(4, "kernel-3-ctx_0xa.traceg", text);
    check_two_contexts(folder, 4);
}

static void a_vtrace_keeps_them(void **state)
{
    struct vtrace_writer *w;
    struct vtrace *v;
    struct err e;

    (void)state;
    snprintf(path[0], sizeof path[0], "%s/run.vtrace", folder);
    CHECK_OK(vtrace_writer_new(path[0], NULL, &w, &e), &e);
    add_copy(w, 0, TRACE_COPY_TO_DEVICE, 0x1000, 11);
    add_launch(w, 0);
    add_copy(w, 0, TRACE_MEMSET, 0x1001, 22);
    add_launch(w, 0);
    add_copy(w, 0, TRACE_COPY_TO_HOST, 0x1002, 33);
    add_launch(w, 1);
    add_copy(w, 1, TRACE_COPY_DEVICE, 0x1003, 44);
    CHECK_OK(vtrace_writer_finish(w, &e), &e);
    vtrace_writer_release(w);
    check_two_contexts(path[0], 4);
    CHECK_OK(vtrace_open(path[0], &v, &e), &e);
    CHECK_OK(vtrace_verify(v, NULL, NULL, &e), &e);
    assert_int_equal(vtrace_copies(v)->count, 4);
    vtrace_close(v);
}

/* A file without copies has the same bytes as in versions that had no copies: the flag is not set. */
static void a_vtrace_without_copies_says_nothing_of_them(void **state)
{
    unsigned char head[12];
    struct vtrace_writer *w;
    struct err e;
    FILE *f;

    (void)state;
    for (int with = 0; with < 2; with++) {
        snprintf(path[0], sizeof path[0], "%s/run.vtrace", folder);
        CHECK_OK(vtrace_writer_new(path[0], NULL, &w, &e), &e);
        add_launch(w, 0);
        if (with)
            add_copy(w, 0, TRACE_MEMSET, 0, 1);
        CHECK_OK(vtrace_writer_finish(w, &e), &e);
        vtrace_writer_release(w);
        f = fopen(path[0], "rb");
        assert_non_null(f);
        assert_int_equal(fread(head, 1, sizeof head, f), sizeof head);
        fclose(f);
        assert_int_equal(head[4], 1);
        assert_int_equal(head[8], with ? 2 : 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_say_what_is_copied),
        cmocka_unit_test_setup_teardown(lists_give_them_their_places, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(a_vtrace_keeps_them, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(a_vtrace_without_copies_says_nothing_of_them, make_folder, remove_folder),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
