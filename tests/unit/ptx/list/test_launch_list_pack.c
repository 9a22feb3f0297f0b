/* Packs a launch list with its files and unpacks it where none of the files exists. */
#include "tests/harness/check.h"

#include <fcntl.h>
#include <unistd.h>

#include "base/hash.h"
#include "ptx/list/launch_list_pack.h"
#include "tests/harness/folder.h"

#define LIST(module, data)                                                                                         \
    "{\"format\": \"vivace-launch-list\", \"version\": 1, \"modules\": {\"m\": \"" module "\"},"                   \
    "\"buffers\": {\"x\": {\"type\": \"u32\", \"count\": 2, \"init\": {\"file\": \"" data "\", \"offset\": 4}},"   \
    "\"y\": {\"type\": \"u32\", \"count\": 1, \"init\": {\"file\": \"" data "\"}}},"                               \
    "\"steps\": [{\"launch\": {\"kernel\": \"k\", \"grid\": [1], \"block\": [1],"                                  \
    "\"params\": [{\"ptr\": \"x\"}, {\"ptr\": \"y\"}]}}],"                                                         \
    "\"expect\": [{\"buffer\": \"y\", \"file\": \"nowhere\"}]}"

/* y[0] += x[1] */
static const char ptx[] =
    ".version 7.0\n.target sm_70\n.address_size 64\n"
    ".visible .entry k(.param .u64 a, .param .u64 b) {\n"
    " .reg .b64 %rd<3>; .reg .b32 %r<4>;\n ld.param.u64 %rd1, [a];\n ld.param.u64 %rd2, [b];\n"
    " ld.global.u32 %r1, [%rd1+4];\n ld.global.u32 %r2, [%rd2];\n"
    " add.u32 %r3, %r1, %r2;\n st.global.u32 [%rd2], %r3;\n ret;\n}\n";

static int pack(const char *list, const char *to, struct err *e)
{
    struct launch_list *l;
    int fd = open(to, O_WRONLY | O_CREAT | O_TRUNC, 0600), ret;

    assert_true(fd >= 0);
    CHECK_OK(launch_list_read(list, &l, e), e);
    ret = launch_list_pack(list, l, fd, e);
    launch_list_free(l);
    close(fd);
    return ret;
}

static void what_is_packed_runs_from_memory_alone(void **state)
{
    struct launch_list_options o = {.no_check = true, .memory_bytes = 1 << 20};
    struct launch_list_done done;
    struct launch_list *l;
    char first[SHA256_HEX], second[SHA256_HEX];
    struct err e;

    (void)state;
    put("k.ptx", ptx);
    put("data", "\x1f\x8b\x08\x01"
                "5678"
                "abcd"); /* begins like gzip data, but must stay unchanged */
    put("t.json", LIST("k.ptx", "data"));
    CHECK_OK(pack(in_folder("t.json"), in_folder("p"), &e), &e);
    CHECK_OK(sha256_file(in_folder("p"), first, &e), &e);
    CHECK_OK(pack(in_folder("t.json"), in_folder("p"), &e), &e);
    CHECK_OK(sha256_file(in_folder("p"), second, &e), &e);
    assert_string_equal(first, second);
    unlink(in_folder("k.ptx"));
    unlink(in_folder("data"));
    unlink(in_folder("t.json"));
    CHECK_OK(launch_list_unpack(in_folder("p"), 1 << 20, &l, &e), &e);
    assert_int_equal(l->buffers[0].init, INIT_VALUES);
    assert_memory_equal(l->buffers[0].values, "5678abcd", 8);
    assert_memory_equal(l->buffers[1].values, "\x1f\x8b\x08\x01", 4);
    CHECK_OK(launch_list_run(l, &o, &done, &e), &e);
    assert_int_equal(done.launches, 1);
    launch_list_free(l);
}

static void what_cannot_be_packed_is_reported(void **state)
{
    struct err e;

    (void)state;
    put("k.ptx", ptx);
    put("t.json", LIST("k.ptx", "../etc/data"));
    assert_int_equal(pack(in_folder("t.json"), in_folder("p"), &e), -1);
    assert_non_null(strstr(e.text, "outside of the list's folder"));
    put("t.json", LIST("k.ptx", "gone"));
    assert_int_equal(pack(in_folder("t.json"), in_folder("p"), &e), -1);
    assert_int_equal(e.code, ERR_NOT_FOUND);
}

static void a_hostile_pack_is_refused(void **state)
{
    struct launch_list *l;
    struct err e;
    int fd;

    (void)state;
    put("k.ptx", ptx);
    put("data", "0123456789abcdef");
    put("t.json", LIST("k.ptx", "data"));
    CHECK_OK(pack(in_folder("t.json"), in_folder("p"), &e), &e);
    /* the limit is enough only for the list */
    assert_int_equal(launch_list_unpack(in_folder("p"), 600, &l, &e), -1);
    assert_int_equal(e.code, ERR_TOO_LARGE);
    fd = open(in_folder("p"), O_WRONLY);
    assert_int_equal(ftruncate(fd, 200), 0);
    close(fd);
    assert_int_equal(launch_list_unpack(in_folder("p"), 1 << 20, &l, &e), -1);
    put("p", "no archive at all");
    assert_int_equal(launch_list_unpack(in_folder("p"), 1 << 20, &l, &e), -1);
    put("p", "");
    assert_int_equal(launch_list_unpack(in_folder("p"), 1 << 20, &l, &e), -1);
    assert_non_null(strstr(e.text, "no end mark"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_packed_runs_from_memory_alone),
        cmocka_unit_test(what_cannot_be_packed_is_reported),
        cmocka_unit_test(a_hostile_pack_is_refused),
    };

    return cmocka_run_group_tests(tests, folder_make, folder_remove);
}
