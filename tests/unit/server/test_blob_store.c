/* server/store/blob/blob_store.c: blobs named by their hash, in a folder. */
#include "tests/harness/check.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/ptrace.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "server/store/blob/blob_store.h"

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
    CHECK_OK(blob_put(store, "abc", 3, sha256, &e), &e); /* storing it again is allowed */
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
    assert_int_equal(access(staged, F_OK), 0); /* opening the store does not delete files of a running server */
    blob_store_sweep(again);
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

/* --- a kill at every system call --- */

static const char payload[] = "bytes that must be there whole or not at all";

static void stop_at_call(pid_t child, long n, int *status)
{
    for (long i = 0; i < n; i++) {
        ptrace(PTRACE_SYSCALL, child, NULL, NULL);
        if (waitpid(child, status, 0) != child || !WIFSTOPPED(*status))
            return;
    }
}

/* Stores the payload in a child that is killed at its n-th entry to or return from a system call. 1: the child
 * finished before; 0: killed; -1: this machine does not allow ptrace. */
static int put_and_kill(long n)
{
    pid_t child = fork();
    int status = 0;

    if (child == 0) {
        char sha256[SHA256_HEX];
        struct err e;

        if (ptrace(PTRACE_TRACEME, 0, NULL, NULL) < 0)
            _exit(99);
        raise(SIGSTOP);
        _exit(blob_put(store, payload, sizeof payload, sha256, &e) < 0);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    if (WIFEXITED(status))
        return -1;
    stop_at_call(child, n, &status);
    if (WIFEXITED(status)) {
        assert_int_equal(WEXITSTATUS(status), 0);
        return 1;
    }
    kill(child, SIGKILL);
    waitpid(child, &status, 0);
    return 0;
}

static int is_payload(void *ctx, const char *name, uint64_t bytes, struct err *e)
{
    char path[PATH_MAX], sha256[SHA256_HEX];

    CHECK_OK(blob_path(store, name, path, e), e);
    CHECK_OK(sha256_file(path, sha256, e), e);
    assert_string_equal(name, sha256); /* a blob's bytes match its name */
    assert_int_equal(bytes, sizeof payload);
    ++*(int *)ctx;
    return 0;
}

/* Then creating the folders is part of every run. */
static void remove_parents(const char *sha256)
{
    char path[PATH_MAX];
    struct err e;

    CHECK_OK(blob_path(store, sha256, path, &e), &e);
    for (int i = 0; i < 2; i++) {
        *strrchr(path, '/') = '\0';
        assert_int_equal(rmdir(path), 0);
    }
}

/* The blob is complete or absent, and in both cases it can be stored again. Kills before and after each system
 * call of the store. */
static void a_kill_between_any_two_steps_leaves_a_blob_whole_or_absent(void **state)
{
    char sha256[SHA256_HEX];
    int absent = 0, whole = 0, end = 0;
    struct err e;

    (void)state;
    CHECK_OK(sha256_bytes(payload, sizeof payload, sha256, &e), &e);
    for (long n = 1; !end; n++) {
        int found = 0;

        assert_true(n < 500);
        end = put_and_kill(n);
        if (end < 0) {
            print_message("skipped: tracing is not allowed here\n");
            return;
        }
        CHECK_OK(blob_walk(store, INT64_MAX, is_payload, &found, &e), &e);
        whole += found;
        absent += !found;
        blob_store_sweep(store);
        CHECK_OK(blob_put(store, payload, sizeof payload, sha256, &e), &e);
        assert_int_equal(blob_exists(store, sha256, NULL, &e), 1);
        CHECK_OK(blob_remove(store, sha256, &e), &e);
        remove_parents(sha256);
    }
    assert_true(absent > 4 && whole > 2); /* there were kills before and after the rename */
}

static int count_name(void *ctx, const char *name, uint64_t bytes, struct err *e)
{
    (void)name;
    (void)bytes;
    (void)e;
    ++*(int *)ctx;
    return 0;
}

static void walking_finds_what_is_old_and_quarantine_sets_aside(void **state)
{
    char sha256[SHA256_HEX], aside[PATH_MAX];
    struct err e;
    int n = 0;

    (void)state;
    CHECK_OK(blob_put(store, "abc", 3, sha256, &e), &e);
    CHECK_OK(blob_walk(store, 1000, count_name, &n, &e), &e);
    assert_int_equal(n, 0);
    CHECK_OK(blob_walk(store, INT64_MAX, count_name, &n, &e), &e);
    assert_int_equal(n, 1);
    CHECK_OK(blob_quarantine(store, ABC, &e), &e);
    CHECK_OK(blob_quarantine(store, ABC, &e), &e);
    assert_int_equal(blob_exists(store, ABC, NULL, &e), 0);
    snprintf(aside, sizeof aside, "%s/quarantine/" ABC, folder);
    assert_int_equal(access(aside, F_OK), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(put_open_remove),
        cmocka_unit_test(names_that_are_no_hash_go_nowhere),
        cmocka_unit_test(staged_files_do_not_survive_a_restart_but_uploads_do),
        cmocka_unit_test(adopting_takes_the_staged_file_always),
        cmocka_unit_test(a_kill_between_any_two_steps_leaves_a_blob_whole_or_absent),
        cmocka_unit_test(walking_finds_what_is_old_and_quarantine_sets_aside),
    };

    return cmocka_run_group_tests(tests, setup, teardown);
}
