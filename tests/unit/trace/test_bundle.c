#include "tests/unit/trace/texts.h"

#include <dirent.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "base/text.h"
#include "simcore/trace/bundle.h"

#define KERNEL(n)                                                                                                  \
    "-kernel name = k" n "\n-kernel id = " n "\n-grid dim = (1,1,1)\n-block dim = (32,1,1)\n"                      \
    "-accelsim tracer version = 5\n#traces\n" CTA("0") WARP("0", "1") "0000 ffffffff 0 EXIT 0 0 0 \n" END_CTA

/* --- a folder of this test's own --- */

static char folder[64];

static int make_folder(void **state)
{
    (void)state;
    strcpy(folder, "/tmp/vivace-test-XXXXXX");
    return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state)
{
    char command[128];

    (void)state;
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    return system(command);
}

static void put(const char *name, const char *content)
{
    char path[256];
    FILE *f;

    snprintf(path, sizeof path, "%s/%s", folder, name);
    for (char *slash = path + strlen(folder) + 1; (slash = strchr(slash, '/')); slash++) {
        *slash = '\0';
        mkdir(path, 0700);
        *slash = '/';
    }
    f = fopen(path, "w");
    assert_non_null(f);
    fputs(content, f);
    assert_int_equal(fclose(f), 0);
}

/* Checks the context and label of each kernel in order: "0:kernel-1.traceg 0:kernel-2.traceg ...". */
static void check_kernels(const char *path, const char *want)
{
    struct strbuf got = STRBUF_INIT;
    struct bundle b;
    struct err e;

    CHECK_OK(bundle_open(path, NULL, NULL, &b, &e), &e);
    for (size_t i = 0; i < b.count; i++) {
        bool first = i == 0 || b.kernels[i].context != b.kernels[i - 1].context;

        strbuf_addf(&got, "%s%llu:%s", i ? " " : "", (unsigned long long)b.kernels[i].context, b.kernels[i].label);
        assert_true(b.kernels[i].order == (first ? 0 : b.kernels[i - 1].order + 1));
        assert_int_equal(access(b.kernels[i].path, R_OK), 0);
    }
    assert_string_equal(got.text, want);
    strbuf_release(&got);
    bundle_close(&b);
}

/* --- tests --- */

static void the_list_gives_the_order(void **state)
{
    struct err e;

    (void)state;
    put("kernel-1.traceg", KERNEL("1"));
    put("kernel-2.traceg", KERNEL("2"));
    put("kernel-10.traceg", KERNEL("10"));
    put("notes.txt", "no trace");
    put("kernelslist", "kernel-1.trace\n");
    put("kernelslist.g",
        "MemcpyHtoD,0x00007f0000000000,400\nkernel-2.traceg\n\nkernel-10.traceg\r\nkernel-1.traceg");
    check_kernels(folder, "0:kernel-2.traceg 0:kernel-10.traceg 0:kernel-1.traceg");
    assert_int_equal(bundle_recognise(folder, &e), 1);
}

static void without_a_list_numbers_give_it(void **state)
{
    (void)state;
    put("kernel-2.traceg", KERNEL("2"));
    put("kernel-10.traceg", KERNEL("10"));
    put("kernel-1.trace", KERNEL("1"));
    put("kernel-2.trace", KERNEL("2")); /* the raw form of a kernel whose grouped form is there too */
    check_kernels(folder, "0:kernel-1.trace 0:kernel-2.traceg 0:kernel-10.traceg");
}

static void a_list_may_name_what_was_compressed_or_grouped_since(void **state)
{
    (void)state;
    put("kernel-1.traceg.xz", KERNEL("1"));
    put("kernel-2.traceg", KERNEL("2"));
    put("kernelslist", "kernel-1.trace\nkernel-2.trace.xz\n");
    check_kernels(folder, "0:kernel-1.trace 0:kernel-2.trace.xz");
}

static void each_gpu_is_a_context(void **state)
{
    (void)state;
    put("t/kernelslist.multi-gpu.g", "GPU_2/kernelslist.g\n");
    put("t/GPU_10/kernel-1.traceg", KERNEL("1"));
    put("t/GPU_10/kernelslist.g", "kernel-1.traceg\n");
    put("t/GPU_2/kernel-1.traceg", KERNEL("1"));
    put("t/GPU_2/kernel-2.traceg", KERNEL("2"));
    put("t/GPU_2/kernelslist.g", "kernel-1.traceg\nkernel-2.traceg\n");
    check_kernels(folder, "0:kernel-1.traceg 0:kernel-2.traceg 1:kernel-1.traceg");
}

static void each_cuda_context_is_one_and_the_first_launch_comes_first(void **state)
{
    static const char *const want = "0:kernel-1-ctx_0xb.traceg 0:kernel-3-ctx_0xb.traceg 1:kernel-2-ctx_0xa.traceg";

    (void)state;
    put("kernel-1-ctx_0xb.traceg", KERNEL("1"));
    put("kernel-3-ctx_0xb.traceg", KERNEL("3"));
    put("kernel-2-ctx_0xa.traceg", KERNEL("2"));
    put("kernelslist_ctx_0xa", "kernel-2-ctx_0xa.traceg\n");
    put("kernelslist_ctx_0xb", "kernel-1-ctx_0xb.traceg\nkernel-3-ctx_0xb.traceg\n");
    put("kernelslist_ctx_0xc", "");
    check_kernels(folder, want);
}

static void a_list_that_names_missing_files_says_how_many(void **state)
{
    struct bundle b;
    struct err e;

    (void)state;
    put("kernel-1.traceg", KERNEL("1"));
    put("kernelslist.g", "kernel-1.traceg\nkernel-2.traceg\nkernel-3.traceg\n");
    CHECK_FAILS(bundle_open(folder, NULL, NULL, &b, &e), &e, ERR_NOT_FOUND,
                "names 2 kernel files that are missing; the first is kernel-2.traceg");
}

static void missing_files_of_a_list_can_be_left_out(void **state)
{
    struct bundle b;
    struct err e;

    (void)state;
    put("kernel-1.traceg", KERNEL("1"));
    put("kernel-3.traceg", KERNEL("3"));
    put("kernelslist.g", "MemcpyHtoD,0x00007f0000000000,400\nkernel-1.traceg\nkernel-2.traceg\n"
                         "MemcpyHtoD,0x00007f0000001000,400\nkernel-3.traceg\nkernel-4.traceg\n");
    CHECK_OK(bundle_open_present(folder, NULL, NULL, &b, &e), &e);
    assert_true(b.count == 2 && b.missing == 2 && b.copies.count == 2);
    assert_string_equal(b.kernels[1].label, "kernel-3.traceg");
    assert_int_equal(b.kernels[1].order, 2); /* the position in the list stays the same */
    assert_int_equal(b.copies.items[0].before, 0);
    assert_int_equal(b.copies.items[1].before, 1);
    bundle_close(&b);
}

static void a_run_of_accel_sim_is_as_deep_as_it_is(void **state)
{
    struct bundle b;
    struct err e;

    (void)state;
    put("hw_run/traces/device-0/12.8/vectoradd/NO_ARGS/traces/GPU_0/kernelslist.g", "kernel-1.traceg\n");
    put("hw_run/traces/device-0/12.8/vectoradd/NO_ARGS/traces/GPU_0/kernel-1.traceg", KERNEL("1"));
    CHECK_OK(bundle_open(folder, NULL, NULL, &b, &e), &e);
    assert_int_equal(b.count, 1);
    bundle_close(&b);
}

static void missing_files_count_for_later_contexts(void **state)
{
    struct bundle b;
    struct err e;

    (void)state;
    put("kernel-1-ctx_0xa.traceg", KERNEL("1"));
    put("kernel-5-ctx_0xb.traceg", KERNEL("5"));
    put("kernelslist_ctx_0xa", "kernel-1-ctx_0xa.traceg\nkernel-2-ctx_0xa.traceg\nkernel-3-ctx_0xa.traceg\n");
    put("kernelslist_ctx_0xb", "kernel-4-ctx_0xb.traceg\nkernel-5-ctx_0xb.traceg\n");
    CHECK_OK(bundle_open_present(folder, NULL, NULL, &b, &e), &e);
    assert_true(b.count == 2 && b.missing == 3);
    bundle_order_by_number(&b, 5); /* the lists name all launches: their order counts, not the numbers */
    assert_true(b.kernels[1].before == 3 && b.kernels[1].order == 1);
    bundle_close(&b);
}

static void lists_cannot_point_elsewhere(void **state)
{
    struct bundle b;
    struct err e;

    (void)state;
    put("kernelslist.g", "kernel/../../../etc/passwd\n");
    CHECK_FAILS(bundle_open(folder, NULL, NULL, &b, &e), &e, ERR_INVALID, "is not in the same folder");
}

static void a_folder_without_traces_is_said_to_be_one(void **state)
{
    struct bundle b;
    struct err e;

    (void)state;
    put("readme", "x");
    CHECK_FAILS(bundle_open(folder, NULL, NULL, &b, &e), &e, ERR_NOT_FOUND, "contains no kernel traces");
    assert_int_equal(bundle_recognise(folder, &e), 0);
    CHECK_FAILS(bundle_open("/no/such/folder", NULL, NULL, &b, &e), &e, ERR_NOT_FOUND, "/no/such/folder");
}

static void a_file_alone_is_a_bundle(void **state)
{
    char path[128];
    struct bundle b;
    struct err e;

    (void)state;
    put("kernel-7.traceg", KERNEL("7"));
    snprintf(path, sizeof path, "%s/kernel-7.traceg", folder);
    check_kernels(path, "0:kernel-7.traceg");
    assert_int_equal(bundle_recognise(path, &e), 1);
    put("other", "no trace");
    snprintf(path, sizeof path, "%s/other", folder);
    assert_int_equal(bundle_recognise(path, &e), 0);
    CHECK_FAILS(bundle_open(path, NULL, NULL, &b, &e), &e, ERR_INVALID, "neither a kernel trace nor a tar of them");
}

/* --- tars --- */

static void make_tar(char path[128], const char *flags)
{
    char command[512];

    put("d/kernel-1.traceg", KERNEL("1"));
    put("d/kernel-2.traceg", KERNEL("2"));
    put("d/kernelslist.g", "kernel-2.traceg\nkernel-1.traceg\n");
    snprintf(path, 128, "%s/t.tar", folder);
    snprintf(command, sizeof command, "tar -C '%s' %s -cf '%s' d", folder, flags, path);
    assert_int_equal(system(command), 0);
}

static size_t scratch_folders(void)
{
    DIR *d = opendir(folder);
    struct dirent *entry;
    size_t n = 0;

    assert_non_null(d);
    while ((entry = readdir(d)) != NULL)
        n += strncmp(entry->d_name, "vivace-traces-", 14) == 0;
    closedir(d);
    return n;
}

static void a_tar_is_unpacked_and_removed_again(void **state)
{
    static const char *const flags[] = {"", "--zstd", "-z", "-J"};
    char path[128];
    struct bundle b;
    struct err e;

    (void)state;
    setenv("TMPDIR", folder, 1);
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++) {
        make_tar(path, flags[i]);
        check_kernels(path, "0:kernel-2.traceg 0:kernel-1.traceg");
        assert_int_equal(bundle_recognise(path, &e), 1);
        CHECK_OK(bundle_open(path, NULL, NULL, &b, &e), &e);
        assert_int_equal(scratch_folders(), 1);
        bundle_close(&b);
        assert_int_equal(scratch_folders(), 0);
    }
    unsetenv("TMPDIR");
}

static void messages_name_the_member_of_a_tar(void **state)
{
    char path[128], want[200];
    struct bundle b;
    struct err e;

    (void)state;
    setenv("TMPDIR", folder, 1);
    make_tar(path, "");
    CHECK_OK(bundle_open(path, NULL, NULL, &b, &e), &e);
    snprintf(want, sizeof want, "%s: d/kernel-2.traceg", path);
    assert_string_equal(b.kernels[0].name, want);
    bundle_close(&b);
    CHECK_OK(bundle_open(folder, NULL, NULL, &b, &e), &e);
    assert_string_equal(b.kernels[0].name, b.kernels[0].path);
    bundle_close(&b);
    unsetenv("TMPDIR");
}

static void on_term(int number)
{
    bundle_abandon_all();
    signal(number, SIG_DFL);
    raise(number);
}

/* Ends the process in the middle of unpacking. */
static void end_here(void *ctx, uint64_t bytes_in, size_t kernels)
{
    (void)ctx, (void)bytes_in;
    if (kernels == 2)
        raise(SIGTERM);
}

static void a_process_that_is_ended_leaves_nothing(void **state)
{
    char path[128];
    struct bundle a, b;
    struct err e;
    int status = 0;
    pid_t child;

    (void)state;
    setenv("TMPDIR", folder, 1);
    make_tar(path, "");
    child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        signal(SIGTERM, on_term);
        if (bundle_open(path, NULL, NULL, &a, &e) == 0) /* one folder is complete, one is half unpacked */
            bundle_open(path, end_here, NULL, &b, &e);
        _exit(1);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM);
    assert_int_equal(scratch_folders(), 0);
    unsetenv("TMPDIR");
}

static void nothing_is_left_of_a_tar_that_is_cut_short(void **state)
{
    char path[128];
    struct bundle b;
    struct err e;

    (void)state;
    setenv("TMPDIR", folder, 1);
    make_tar(path, "");
    assert_int_equal(truncate(path, 2000), 0);
    CHECK_FAILS(bundle_open(path, NULL, NULL, &b, &e), &e, ERR_INVALID, "the tar archive ends");
    assert_int_equal(scratch_folders(), 0);
    assert_null(b.scratch);
    setenv("TMPDIR", "/no/such/folder", 1);
    make_tar(path, "");
    CHECK_FAILS(bundle_open(path, NULL, NULL, &b, &e), &e, ERR_NOT_FOUND, "temporary folder");
    assert_non_null(strstr(e.hint, "TMPDIR"));
    unsetenv("TMPDIR");
}

/* A scratch folder cannot be on /dev/full, so a limit on file size has the effect of a full disk. */
static void a_full_disk_says_so_and_leaves_nothing(void **state)
{
    char command[600], path[128], noise[128];
    int status;

    (void)state;
    make_tar(path, "");
    snprintf(noise, sizeof noise, "%s/d/kernel-3.traceg", folder);
    snprintf(command, sizeof command, "head -c 3000000 /dev/urandom >'%s' && tar -C '%s' -cf '%s' d", noise, folder,
             path);
    assert_int_equal(system(command), 0);
    setenv("TMPDIR", folder, 1);
    setenv("VIVACE_TEST_TAR", path, 1);
    status = system("trap '' XFSZ; ulimit -f 1000; exec /proc/$PPID/exe full-disk");
    assert_int_equal(status, 0);
    assert_int_equal(scratch_folders(), 0);
    unsetenv("TMPDIR");
}

/* Runs in its own process, whose files are limited to 512 000 bytes. */
static int full_disk(void)
{
    struct bundle b;
    struct err e;

    if (bundle_open(getenv("VIVACE_TEST_TAR"), NULL, NULL, &b, &e) == 0)
        return 1;
    if (e.code == ERR_NO_SPACE && strstr(e.hint, "TMPDIR"))
        return 0;
    fprintf(stderr, "got %s: %s\n", err_name(e.code), e.text);
    return 2;
}

/* --- walking --- */

struct walked {
    struct strbuf text;
    size_t stop_at, count;
};

static int visit(void *ctx, const struct bundle_entry *entry, struct stream *s, struct err *e)
{
    struct walked *w = ctx;
    struct kernel_info k;

    if (w->stop_at && ++w->count == w->stop_at)
        return err_set(e, ERR_CONFLICT, "enough");
    if (accel_sim_read_info(s, &k, e) < 0)
        return -1;
    assert_true(entry->count == 2 && entry->id == k.id && entry->context == 0 && entry->order == entry->index);
    strbuf_addf(&w->text, "%s@%llu ", k.name, (unsigned long long)entry->order);
    kernel_info_release(&k);
    return 0;
}

static void walking_gives_each_kernel_its_place(void **state)
{
    struct walked w = {.text = STRBUF_INIT};
    char path[128];
    struct err e;

    (void)state;
    make_tar(path, "--zstd");
    CHECK_OK(bundle_walk(path, visit, &w, &e), &e);
    assert_true(strstr(w.text.text, "k2@0") && strstr(w.text.text, "k1@1")); /* in the order of the tar file */
    strbuf_clear(&w.text);
    snprintf(path, sizeof path, "%s/d", folder);
    CHECK_OK(bundle_walk(path, visit, &w, &e), &e);
    assert_string_equal(w.text.text, "k2@0 k1@1 ");
    w.stop_at = 2;
    CHECK_FAILS(bundle_walk(path, visit, &w, &e), &e, ERR_CONFLICT, "enough");
    strbuf_release(&w.text);
}

#define IN_FOLDER(test) cmocka_unit_test_setup_teardown(test, make_folder, remove_folder)

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        IN_FOLDER(the_list_gives_the_order),
        IN_FOLDER(without_a_list_numbers_give_it),
        IN_FOLDER(a_list_may_name_what_was_compressed_or_grouped_since),
        IN_FOLDER(each_gpu_is_a_context),
        IN_FOLDER(each_cuda_context_is_one_and_the_first_launch_comes_first),
        IN_FOLDER(a_list_that_names_missing_files_says_how_many),
        IN_FOLDER(missing_files_of_a_list_can_be_left_out),
        IN_FOLDER(missing_files_count_for_later_contexts),
        IN_FOLDER(a_run_of_accel_sim_is_as_deep_as_it_is),
        IN_FOLDER(lists_cannot_point_elsewhere),
        IN_FOLDER(a_folder_without_traces_is_said_to_be_one),
        IN_FOLDER(a_file_alone_is_a_bundle),
        IN_FOLDER(a_tar_is_unpacked_and_removed_again),
        IN_FOLDER(messages_name_the_member_of_a_tar),
        IN_FOLDER(a_process_that_is_ended_leaves_nothing),
        IN_FOLDER(nothing_is_left_of_a_tar_that_is_cut_short),
        IN_FOLDER(a_full_disk_says_so_and_leaves_nothing),
        IN_FOLDER(walking_gives_each_kernel_its_place),
    };

    if (argc == 2 && strcmp(argv[1], "full-disk") == 0)
        return full_disk();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
