#include <sys/stat.h>

#include "simcore/trace/bundle.h"
#include "simcore/trace/vtrace.h"
#include "tests/unit/trace/made_source.h"

static char folder[64], file[128], other[128];

static int make_folder(void **state)
{
    (void)state;
    snprintf(folder, sizeof folder, "/tmp/test-vtrace-bundle-XXXXXX");
    if (!mkdtemp(folder))
        return -1;
    snprintf(file, sizeof file, "%s/d/run-2.vtrace", folder);
    snprintf(other, sizeof other, "%s/d/run-10.vtrace", folder);
    snprintf(folder + strlen(folder), 3, "/d");
    return mkdir(folder, 0700);
}

static int remove_folder(void **state)
{
    (void)state;
    unlink(file);
    unlink(other);
    rmdir(folder);
    folder[strlen(folder) - 2] = '\0';
    return rmdir(folder);
}

static void fill(struct cta_store *c, uint64_t index)
{
    cta_store_begin_warp(c, 0);
    add_run(c, 1, UINT32_MAX, 4096 * index, 4);
    add_plain(c, 0, UINT32_MAX);
    cta_store_end_warp(c, 0);
}

/* Writes launches with these ids. The odd ones belong to a second context. */
static void write_file(const char *path, uint64_t first, uint64_t count)
{
    struct vtrace_writer *w;
    struct made_source m;
    struct err e;

    CHECK_OK(vtrace_writer_new(path, NULL, &w, &e), &e);
    for (uint64_t id = first; id < first + count; id++) {
        make_source(&m, (uint32_t)id, 1, 1, 64, fill);
        m.source.info.id = id;
        vtrace_writer_context(w, id % 2);
        CHECK_OK(vtrace_writer_add(w, &m.source, &e), &e);
        inst_source_release(&m.source);
    }
    CHECK_OK(vtrace_writer_finish(w, &e), &e);
    vtrace_writer_release(w);
}

/* Checks both files: launches 1 to 3 and 4 to 5, by context. */
static void check_bundle(const char *path)
{
    static const uint64_t ids[] = {2, 4, 1, 3, 5}, contexts[] = {0, 0, 1, 1, 1}, orders[] = {0, 1, 0, 1, 2};
    struct bundle b;
    struct err e;

    CHECK_OK(bundle_recognise(path, &e) - 1, &e);
    CHECK_OK(bundle_open(path, NULL, NULL, &b, &e), &e);
    assert_int_equal(b.count, 5);
    for (size_t i = 0; i < b.count; i++) {
        const struct trace_place place = bundle_place(&b.kernels[i]);
        struct trace_counts counts;
        struct kernel_info info;
        struct inst_source *s;
        struct cta_trace *cta;
        uint64_t bytes;

        assert_int_equal(b.kernels[i].id, ids[i]);
        assert_int_equal(b.kernels[i].context, contexts[i]);
        assert_int_equal(b.kernels[i].order, orders[i]);
        CHECK_OK(trace_file_count(&place, &info, &counts, &bytes, &e), &e);
        assert_int_equal(info.grid[0], ids[i]);
        assert_int_equal(counts.ctas, ids[i]);
        assert_int_equal(counts.warps, ids[i]);
        assert_int_equal(counts.warp_instructions, 2 * ids[i]);
        kernel_info_release(&info);
        CHECK_OK(trace_file_open(&place, &s, &e), &e);
        assert_int_equal(inst_source_next_cta(s, &cta, &e), 1);
        assert_int_equal(cta->warps[0].count, 2);
        inst_source_release_cta(s, cta);
        inst_source_release(s);
    }
    bundle_close(&b);
}

static int see(void *ctx, const struct bundle_entry *entry, struct stream *s, struct err *e)
{
    uint64_t *sum = ctx, bytes;
    struct trace_counts counts;
    struct kernel_info info;

    if (bundle_entry_count(entry, s, &info, &counts, &bytes, e) < 0)
        return -1;
    kernel_info_release(&info);
    *sum += counts.warp_instructions * (entry->index + 1);
    return 0;
}

static void check_walk(const char *path)
{
    uint64_t sum = 0;
    struct err e;

    CHECK_OK(bundle_walk(path, see, &sum, &e), &e);
    assert_int_equal(sum, 2 * (2 * 1 + 4 * 2 + 1 * 3 + 3 * 4 + 5 * 5));
}

static void folders_and_tars_hold_vtrace_files(void **state)
{
    char command[400], tar[128];

    (void)state;
    write_file(file, 1, 3);
    write_file(other, 4, 2);
    check_bundle(folder);
    check_walk(folder);
    snprintf(tar, sizeof tar, "%s.tar", folder);
    snprintf(command, sizeof command, "tar -C '%s' -cf '%s' run-2.vtrace run-10.vtrace", folder, tar);
    assert_int_equal(system(command), 0);
    check_bundle(tar);
    check_walk(tar);
    unlink(tar);
}

static void a_file_alone_is_known_by_its_content(void **state)
{
    struct inst_source *s;
    struct bundle b;
    char plain[128];
    struct err e;

    (void)state;
    write_file(file, 3, 1);
    snprintf(plain, sizeof plain, "%s/blob", folder);
    assert_int_equal(rename(file, plain), 0);
    CHECK_OK(bundle_open(plain, NULL, NULL, &b, &e), &e);
    assert_int_equal(b.count, 1);
    assert_int_equal(b.kernels[0].format, TRACE_VTRACE);
    assert_non_null(strstr(b.kernels[0].name, "blob: launch 0"));
    bundle_close(&b);
    CHECK_OK(trace_file_open_path(plain, &s, &e), &e);
    assert_int_equal(s->info.id, 3);
    inst_source_release(s);
    write_file(plain, 3, 2);
    CHECK_FAILS(trace_file_open_path(plain, &s, &e), &e, ERR_INVALID, "contains 2 launches");
    unlink(plain);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(folders_and_tars_hold_vtrace_files),
        cmocka_unit_test(a_file_alone_is_known_by_its_content),
    };

    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
