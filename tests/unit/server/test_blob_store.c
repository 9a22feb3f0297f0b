/* server/blob_store.c: bytes by their hash, in a folder. */
#include "tests/harness/check.h"

#include <fcntl.h>
#include <sys/stat.h>

#include "server/blob_store.h"

static char folder[64];
static struct blob_store *store;

static int setup(void **state)
{
    struct err e;

    (void)state;
    strcpy(folder, "/tmp/vivace-test-XXXXXX");
    if (!mkdtemp(folder))
        return -1;
    CHECK_OK(blob_store_open(folder, &store, &e), &e);
    return 0;
}

static int teardown(void **state)
{
    char command[100];

    (void)state;
    blob_store_free(store);
    snprintf(command, sizeof command, "rm -rf %s", folder);
    return system(command);
}

/* FIPS 180-2: SHA-256 of "abc". */
#define ABC "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"

static void put_open_remove(void **state)
{
    char sha256[SHA256_HEX], path[PATH_MAX], bytes[8] = "";
    struct stat st;
    uint64_t n;
    struct err e;
    int fd;

    (void)state;
    assert_int_equal(blob_exists(store, ABC, &n, &e), 0);
    CHECK_FAILS(blob_open(store, ABC, &fd, &n, &e), &e, ERR_NOT_FOUND, ABC);
    CHECK_OK(blob_put(store, "abc", 3, sha256, &e), &e);
    assert_string_equal(sha256, ABC);
    CHECK_OK(blob_put(store, "abc", 3, sha256, &e), &e); /* again: fine */
    assert_int_equal(blob_exists(store, ABC, &n, &e), 1);
    assert_int_equal(n, 3);
    CHECK_OK(blob_open(store, ABC, &fd, &n, &e), &e);
    assert_int_equal(read(fd, bytes, 7), 3);
    close(fd);
    assert_string_equal(bytes, "abc");
    CHECK_OK(blob_path(store, ABC, path, &e), &e);
    assert_non_null(strstr(path, "/blobs/ba/78/" ABC));
    assert_int_equal(stat(path, &st), 0);
    assert_int_equal(st.st_mode & 0777, 0444);
    CHECK_OK(blob_remove(store, ABC, &e), &e);
    CHECK_OK(blob_remove(store, ABC, &e), &e);
    assert_int_equal(blob_exists(store, ABC, &n, &e), 0);
}

static void names_that_are_no_hash_go_nowhere(void **state)
{
    static const char *const bad[] = {"",
                                      "abc",
                                      "../../../../etc/passwd",
                                      "BA7816BF8F01CFEA414140DE5DAE2223B00361A396177A9CB410FF61F20015AD",
                                      ABC "0",
                                      "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015a/"};
    char path[PATH_MAX];
    struct err e;

    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        CHECK_FAILS(blob_path(store, bad[i], path, &e), &e, ERR_INVALID, "is not a SHA-256");
    CHECK_FAILS(blob_upload_path(store, "../x", path, &e), &e, ERR_NOT_FOUND, "no upload");
    CHECK_FAILS(blob_upload_path(store, "017f22e2-79b0-7cc3-98c4-dc0c0c0/../f", path, &e), &e, ERR_NOT_FOUND,
                "no upload");
}

static void staged_files_do_not_survive_a_restart_but_uploads_do(void **state)
{
    char staged[PATH_MAX], upload[PATH_MAX];
    struct blob_store *again;
    struct err e;
    int fd;

    (void)state;
    CHECK_OK(blob_stage(store, &fd, staged, &e), &e);
    close(fd);
    CHECK_OK(blob_upload_path(store, "017f22e2-79b0-7cc3-98c4-dc0c0c07398f", upload, &e), &e);
    fd = open(upload, O_CREAT | O_WRONLY, 0600);
    close(fd);
    CHECK_OK(blob_store_open(folder, &again, &e), &e);
    blob_store_free(again);
    assert_int_not_equal(access(staged, F_OK), 0);
    assert_int_equal(access(upload, F_OK), 0);
}

static void adopting_takes_the_staged_file_always(void **state)
{
    char staged[PATH_MAX];
    struct err e;
    int fd;

    (void)state;
    CHECK_OK(blob_stage(store, &fd, staged, &e), &e);
    close(fd);
    CHECK_FAILS(blob_adopt(store, staged, "nonsense", &e), &e, ERR_INVALID, "SHA-256");
    assert_int_not_equal(access(staged, F_OK), 0);
    CHECK_FAILS(blob_adopt(store, staged, ABC, &e), &e, ERR_NOT_FOUND, "durable");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(put_open_remove),
        cmocka_unit_test(names_that_are_no_hash_go_nowhere),
        cmocka_unit_test(staged_files_do_not_survive_a_restart_but_uploads_do),
        cmocka_unit_test(adopting_takes_the_staged_file_always),
    };

    return cmocka_run_group_tests(tests, setup, teardown);
}
