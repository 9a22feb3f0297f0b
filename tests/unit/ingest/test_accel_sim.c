#include "tests/unit/ingest/inputs.h"

#include "base/strbuf.h"
#include "simcore/trace/accel_sim.h"
#include "simcore/trace/vtrace.h"

/* A folder of traces; folder_remove() deletes it. */
struct folder {
    char path[256];
    char files[16][300];
    size_t count;
};

static void folder_new(struct folder *f, const char *name)
{
    memset(f, 0, sizeof *f);
    snprintf(f->path, sizeof f->path, "%s", scratch_path(name));
    assert_int_equal(mkdir(f->path, 0700), 0);
}

static void folder_add(struct folder *f, const char *name, const char *text)
{
    char path[300];

    snprintf(path, sizeof path, "%.250s/%.40s", f->path, name);
    write_bytes(path, text, strlen(text));
    memcpy(f->files[f->count++], path, sizeof path);
}

static void folder_remove(struct folder *f)
{
    for (size_t i = 0; i < f->count; i++)
        unlink(f->files[i]);
    assert_int_equal(rmdir(f->path), 0);
}

/* A grouped trace of `ctas` blocks with one warp of `insts` instructions each. */
static char *kernel_text(const char *name, int id, int ctas, int insts)
{
    struct strbuf b = STRBUF_INIT;

    strbuf_addf(&b,
                "-kernel name = %s\n-kernel id = %d\n-grid dim = (%d,1,1)\n-block dim = (32,1,1)\n-shmem = 1024\n"
                "-nregs = 12\n-binary version = 70\n-cuda stream id = 0\n-shmem base_addr = 0x00007f0000000000\n"
                "-local mem base_addr = 0x00007f0002000000\n-nvbit version = 1.5.5\n-accelsim tracer version = 4\n"
                "-enable lineinfo = 0\n\n#traces format = PC mask dest_num [reg_dests] opcode src_num [reg_srcs] "
                "mem_width\n\n",
                name, id, ctas);
    for (int c = 0; c < ctas; c++) {
        strbuf_addf(&b, "#BEGIN_TB\n\nthread block = %d,0,0\n\nwarp = 0\ninsts = %d\n", c, insts);
        for (int i = 0; i < insts - 1; i++)
            strbuf_addf(&b, "%04x ffffffff 1 R1 IMAD.MOV.U32 2 R255 R255 0 \n", i * 16);
        strbuf_addf(&b, "%04x ffffffff 0 EXIT 0 0 \n\n#END_TB\n\n", insts * 16);
    }
    return strbuf_detach(&b);
}

static void folder_add_kernel(struct folder *f, const char *file, const char *name, int id, int ctas, int insts)
{
    char *text = kernel_text(name, id, ctas, insts);

    folder_add(f, file, text);
    free(text);
}

static void a_folder_becomes_a_profile(void **state)
{
    struct folder f;
    struct imported i;

    (void)state;
    folder_new(&f, "folder");
    folder_add(&f, "kernelslist.g",
               "MemcpyHtoD,0x00007f0000000000,4096\nkernel-1.traceg\nMemcpyHtoD,0x00007f0000000000,1\n"
               "kernel-2.traceg\nkernel-3.traceg\n");
    folder_add_kernel(&f, "kernel-1.traceg", "_Z5saxpyIfEviT_PS0_", 1, 3, 5);
    folder_add_kernel(&f, "kernel-2.traceg", "plain", 2, 2, 4);
    folder_add_kernel(&f, "kernel-3.traceg", "_Z5saxpyIfEviT_PS0_", 3, 3, 7);
    import_path(&i, f.path, NULL);
    CHECK_OK(i.ret, &i.e);
    assert_string_equal(i.profile.format, "accel-sim");
    assert_string_equal(i.report.schema, "tracer version 4, sm_70");
    assert_int_equal(i.profile.unit, PROFILE_WARP_INSTRUCTIONS);
    assert_null(i.profile.start_ns);
    assert_int_equal(i.profile.count, 3);
    assert_int_equal(i.profile.value[0], 15);
    assert_int_equal(i.profile.value[1], 8);
    assert_int_equal(i.profile.value[2], 21);
    assert_int_equal(i.report.total, 44);
    assert_int_equal(i.report.makespan_ns, 0);
    assert_string_equal(i.profile.kernels[0].name, "void saxpy<float>(int, float, float*)");
    assert_string_equal(i.profile.kernels[0].mangled_name, "_Z5saxpyIfEviT_PS0_");
    assert_string_equal(i.profile.kernels[1].name, "plain");
    assert_int_equal(i.profile.kernels[0].grid[0], 3);
    assert_int_equal(i.profile.kernels[0].registers, 12);
    assert_int_equal(i.profile.kernels[0].shared_bytes, 1024);
    assert_int_equal(count_of(&i.report.ignored, "memory_operation"), 2);
    assert_int_equal(i.report.warnings.count, 0);
    imported_release(&i);
    folder_remove(&f);
}

static void contexts_are_separate_in_the_order_of_their_lists(void **state)
{
    struct folder f;
    struct imported i;

    (void)state;
    folder_new(&f, "contexts");
    folder_add(&f, "kernelslist_ctx_0x55", "kernel-2-ctx_0x55.traceg\nkernel-9-ctx_0x55.traceg\n");
    folder_add(&f, "kernelslist_ctx_0x77", "kernel-1-ctx_0x77.traceg\n");
    folder_add_kernel(&f, "kernel-1-ctx_0x77.traceg", "a", 1, 1, 2);
    folder_add_kernel(&f, "kernel-2-ctx_0x55.traceg", "b", 2, 1, 3);
    folder_add_kernel(&f, "kernel-9-ctx_0x55.traceg", "c", 9, 1, 4);
    import_path(&i, f.path, NULL);
    CHECK_OK(i.ret, &i.e);
    assert_int_equal(i.report.contexts, 2);
    assert_int_equal(i.profile.contexts[0].count, 1);
    assert_string_equal(i.profile.kernels[i.profile.kernel[0]].name, "a");
    assert_string_equal(i.profile.kernels[i.profile.kernel[2]].name, "c");
    assert_int_equal(count_of(&i.report.warnings, "partial_trace"), 6);
    imported_release(&i);
    folder_remove(&f);
}

static void a_damaged_folder_is_refused_whole(void **state)
{
    struct folder f;
    struct imported i;

    (void)state;
    folder_new(&f, "damaged");
    folder_add(&f, "kernelslist.g", "kernel-1.traceg\nkernel-2.traceg\n");
    folder_add_kernel(&f, "kernel-1.traceg", "a", 1, 1, 2);
    import_path(&i, f.path, NULL);
    CHECK_FAILS(i.ret, &i.e, ERR_NOT_FOUND, "names 1 kernel files that are missing");
    imported_release(&i);
    folder_add(&f, "kernel-2.traceg", "-kernel name = a\n-kernel id = 2\n");
    import_path(&i, f.path, NULL);
    assert_true(i.ret < 0);
    assert_true(i.e.text[0] != '\0');
    assert_int_equal(i.profile.count, 0);
    imported_release(&i);
    folder_remove(&f);
}

static void a_folder_of_something_else_is_refused(void **state)
{
    struct folder f;
    struct imported i;

    (void)state;
    folder_new(&f, "else");
    folder_add(&f, "notes.txt", "nothing here\n");
    import_path(&i, f.path, NULL);
    CHECK_FAILS(i.ret, &i.e, ERR_UNSUPPORTED, "without kernel traces");
    imported_release(&i);
    folder_remove(&f);
}

/* The same kernels from one .vtrace file give the same launches and counts. */
static void a_vtrace_becomes_the_same_profile(void **state)
{
    static const char *const names[] = {"kernel-1.traceg", "kernel-2.traceg"};
    char path[300];
    struct vtrace_writer *w;
    struct folder f;
    struct imported i;
    struct err e;

    (void)state;
    folder_new(&f, "vtrace");
    folder_add_kernel(&f, names[0], "_Z5saxpyIfEviT_PS0_", 1, 3, 5);
    folder_add_kernel(&f, names[1], "plain", 2, 2, 4);
    CHECK_OK(vtrace_writer_new(scratch_path("same.vtrace"), NULL, &w, &e), &e);
    for (size_t k = 0; k < 2; k++) {
        struct inst_source *s;

        snprintf(path, sizeof path, "%s/%s", f.path, names[k]);
        CHECK_OK(accel_sim_open_path(path, &s, &e), &e);
        CHECK_OK(vtrace_writer_add(w, s, &e), &e);
        inst_source_release(s);
    }
    CHECK_OK(vtrace_writer_finish(w, &e), &e);
    vtrace_writer_release(w);
    import_path(&i, scratch_path("same.vtrace"), NULL);
    CHECK_OK(i.ret, &i.e);
    assert_int_equal(i.profile.count, 2);
    assert_int_equal(i.profile.value[0], 15);
    assert_int_equal(i.profile.value[1], 8);
    assert_string_equal(i.profile.kernels[0].mangled_name, "_Z5saxpyIfEviT_PS0_");
    assert_true(i.report.bytes_read > 0);
    imported_release(&i);
    unlink(scratch_path("same.vtrace"));
    folder_remove(&f);
}

static void real_bundle(const char *relative, uint64_t launches, size_t names, uint64_t instructions,
                        uint64_t copies)
{
    struct imported i;

    import_path(&i, shared_data(relative), NULL);
    CHECK_OK(i.ret, &i.e);
    assert_int_equal(i.report.accepted, launches);
    assert_int_equal(i.report.kernels, names);
    assert_int_equal(i.report.total, instructions);
    assert_int_equal(count_of(&i.report.ignored, "memory_operation"), copies);
    imported_release(&i);
}

static void real_pytorch_sgd(void **state)
{
    (void)state;
    real_bundle("traces/pytorch-sgd-v100.tar.zst", 1101, 10, 6306141, 0);
}

static void real_rodinia_bfs(void **state)
{
    (void)state;
    real_bundle("traces/rodinia-bfs-sm80.tar.zst", 16, 2, 159509, 14);
}

static void truncated_tars_are_one_sentence(void **state)
{
    const char *path = scratch_path("cut.tar.zst"), *whole = shared_data("traces/rodinia-bfs-sm80.tar.zst");
    static char bytes[1 << 20];
    FILE *f = fopen(whole, "rb");
    size_t n;

    (void)state;
    assert_non_null(f);
    n = fread(bytes, 1, sizeof bytes, f);
    fclose(f);
    for (size_t cut = 8; cut < n; cut = cut * 3 + 1) {
        struct imported i;

        write_bytes(path, bytes, cut);
        import_path(&i, path, NULL);
        CHECK_FAILS(i.ret, &i.e, ERR_INVALID, "ends in the middle of its zstd data");
        imported_release(&i);
    }
    unlink(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_folder_becomes_a_profile),
        cmocka_unit_test(contexts_are_separate_in_the_order_of_their_lists),
        cmocka_unit_test(a_damaged_folder_is_refused_whole),
        cmocka_unit_test(a_folder_of_something_else_is_refused),
        cmocka_unit_test(a_vtrace_becomes_the_same_profile),
        cmocka_unit_test(real_pytorch_sgd),
        cmocka_unit_test(real_rodinia_bfs),
        cmocka_unit_test(truncated_tars_are_one_sentence),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
