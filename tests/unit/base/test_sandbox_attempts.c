/* base/sandbox: attempts of a hostile program, each in its own child. An attempt succeeds when it returns 0. It
 * fails with an error or with SIGSYS. Attempts that only seccomp stops run with seccomp alone, as on a kernel
 * whose Landlock is older than version 6. */
#include "tests/unit/base/attempt.h"
#include "tests/unit/base/attempt_calls.h"
#include "tests/unit/base/attempt_files.h"

/* --- a confined child makes one attempt --- */

static void filter_alone(void)
{
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0 || sandbox_filter_install() < 0)
        _exit(90);
}

static void all_of_it(void)
{
    const struct sandbox_path paths[] = {{own, false}, {results, true}};
    const struct sandbox_rules rules = {.open_files = 64, .paths = paths, .path_count = COUNT(paths)};
    enum sandbox_level got;
    struct err e;

    if (sandbox_enter(&rules, &got, &e) < 0 || got != level)
        _exit(90);
}

static bool victim_lives(void)
{
    return waitpid(victim, NULL, WNOHANG) == 0;
}

static bool stopped(int status, int error)
{
    if (error > 0)
        return WIFEXITED(status) && WEXITSTATUS(status) == error;
    return WIFSIGNALED(status) &&
           (WTERMSIG(status) == SIGSYS || (error == BY_ANY_SIGNAL && WTERMSIG(status) == SIGSEGV));
}

static int try_each(const struct attempt *list, size_t count, void (*confine)(void))
{
    int failed = 0;

    for (size_t i = 0; i < count; i++) {
        int status = 0;
        pid_t pid = fork();

        if (pid == 0) {
            alarm(20); /* an attempt that blocks has failed and must not delay the test */
            confine();
            _exit(list[i].act() >= 0 ? 0 : errno);
        }
        assert_true(pid > 0);
        assert_int_equal(waitpid(pid, &status, 0), pid);
        if (!stopped(status, list[i].error)) {
            print_message("%s %s: status %#x\n", list[i].what,
                          status == 0 ? "SUCCEEDED" : "failed in another way than expected", (unsigned)status);
            failed++;
        }
        if (!victim_lives())
            fail_msg("%s ended another process", list[i].what);
    }
    return failed;
}

static bool has_filter(void)
{
    return level == SANDBOX_SECCOMP || level == SANDBOX_FULL;
}

static void none_succeeds_against_seccomp_alone(void **state)
{
    (void)state;
    if (!has_filter()) {
        puts("skipped: no seccomp here, or a sanitizer is at work");
        return;
    }
    assert_int_equal(try_each(by_seccomp, COUNT(by_seccomp), filter_alone), 0);
    print_message("%zu attempts against seccomp alone, none succeeded\n", COUNT(by_seccomp));
}

/* One attempt for each family of sockets that the kernel may know: 45 is the highest in Linux 6.18. */
static void no_family_of_sockets_is_open(void **state)
{
    enum { FAMILIES = 64 };

    (void)state;
    for (int family = 0; has_filter() && family < FAMILIES; family++)
        for (int type = SOCK_STREAM; type <= SOCK_SEQPACKET; type++) {
            int status = 0;
            pid_t pid = fork();

            if (pid == 0) {
                filter_alone();
                _exit(socket(family, type, 0) >= 0 ? 0 : errno);
            }
            assert_int_equal(waitpid(pid, &status, 0), pid);
            if (!stopped(status, 0))
                fail_msg("socket family %d, type %d: status %#x", family, type, (unsigned)status);
        }
}

static void none_succeeds_against_all_of_it(void **state)
{
    char text[3];
    int fd;

    (void)state;
    if (level != SANDBOX_FULL) {
        puts("skipped: no full sandbox here, or a sanitizer is at work");
        return;
    }
    assert_int_equal(try_each(by_seccomp, COUNT(by_seccomp), all_of_it), 0);
    assert_int_equal(try_each(by_landlock, COUNT(by_landlock), all_of_it), 0);
    print_message("%zu attempts against the whole sandbox, none succeeded\n",
                  COUNT(by_seccomp) + COUNT(by_landlock));
    fd = open(own, O_RDONLY | O_CLOEXEC);
    assert_int_equal(read(fd, text, 3), 3);
    assert_memory_equal(text, "own", 3);
    close(fd);
    assert_int_equal(access(other, F_OK), 0);
}

/* Calls on descriptors that libraries need must work. */
static long ordinary(void)
{
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_len = 1};
    int fd = open(results, O_RDWR | O_CREAT | O_CLOEXEC, 0600), copy = fcntl(fd, F_DUPFD_CLOEXEC, 10);

    return fd >= 0 && copy >= 10 && fcntl(copy, F_GETFD) == FD_CLOEXEC && fcntl(copy, F_SETFD, 0) == 0 &&
                   fcntl(copy, F_GETFL) >= 0 && fcntl(copy, F_SETFL, O_NONBLOCK | O_APPEND) == 0 &&
                   fcntl(copy, F_SETLK, &lock) == 0
               ? 0
               : -1;
}

static void ordinary_commands_go_on(void **state)
{
    int status = 0;
    pid_t pid = fork();

    (void)state;
    if (pid == 0) {
        snprintf(results + strlen(results), sizeof results - strlen(results), "/ordinary");
        if (has_filter())
            filter_alone();
        _exit(ordinary() == 0 ? 0 : 1);
    }
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_int_equal(status, 0);
}

static void write_file(const char *path, const char *text)
{
    FILE *f = fopen(path, "w");

    assert_non_null(f);
    fputs(text, f);
    fclose(f);
}

/* The level from the active guards, independent of the self-test. */
static enum sandbox_level level_in_force(void)
{
    const struct sandbox_rules none = {.open_files = 64};
    enum sandbox_level got = SANDBOX_NONE;
    struct err e;
    int status = 0;
    pid_t pid = fork();

    if (pid == 0)
        _exit(sandbox_enter(&none, &got, &e) < 0 ? SANDBOX_NONE : (int)got);
    waitpid(pid, &status, 0);
    return (enum sandbox_level)WEXITSTATUS(status);
}

static int prepare(void **state)
{
    (void)state;
    if (!mkdtemp(folder) || socketpair(AF_UNIX, SOCK_STREAM, 0, channel) < 0)
        return -1;
    level = level_in_force();
    snprintf(own, sizeof own, "%s/own", folder);
    snprintf(other, sizeof other, "%s/other", folder);
    snprintf(results, sizeof results, "%s/results", folder);
    snprintf(link_to, sizeof link_to, "%s/results/link", folder);
    snprintf(program, sizeof program, "%s/program", results);
    snprintf(prepared_link, sizeof prepared_link, "%s/prepared", results);
    snprintf(way_up, sizeof way_up, "%s/../other", results);
    snprintf(link_outside, sizeof link_outside, "%s/new", folder);
    root = open("/", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    write_file(own, "own");
    write_file(other, "other");
    page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    victim = fork();
    if (victim == 0) {
        setpgid(0, 0);
        for (;;)
            pause();
    }
    setpgid(victim, victim);
    if (page == MAP_FAILED || victim < 0 || root < 0 || mkdir(results, 0700) < 0)
        return -1;
    return symlink(other, prepared_link);
}

static int clean(void **state)
{
    char ordinary_file[80];

    (void)state;
    kill(victim, SIGKILL);
    waitpid(victim, NULL, 0);
    snprintf(ordinary_file, sizeof ordinary_file, "%s/ordinary", results);
    unlink(ordinary_file);
    unlink(program);
    unlink(prepared_link);
    unlink(own);
    unlink(other);
    close(root);
    rmdir(results);
    return rmdir(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(none_succeeds_against_seccomp_alone),
        cmocka_unit_test(no_family_of_sockets_is_open),
        cmocka_unit_test(none_succeeds_against_all_of_it),
        cmocka_unit_test(ordinary_commands_go_on),
    };

    return cmocka_run_group_tests(tests, prepare, clean);
}
