/* base/sandbox: what a confined process can do, and how its limits end it. Each trial runs in a child process. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/sandbox.h"

static char folder[64] = "/tmp/vivace-sandbox-XXXXXX", own[100], other[100], out_folder[100];
static struct sandbox_report report;
static enum sandbox_level level; /* the level that this machine, build and test program support */

static bool has_filter(void)
{
    return level == SANDBOX_SECCOMP || level == SANDBOX_FULL;
}

static bool has_walls(void)
{
    return level == SANDBOX_LANDLOCK || level == SANDBOX_FULL;
}

static void confine(void)
{
    const struct sandbox_path paths[] = {{own, false}, {out_folder, true}, {"/nowhere/at/all", false}};
    const struct sandbox_rules rules = {
        .file_bytes = 1 << 16, .open_files = 32, .paths = paths, .path_count = sizeof paths / sizeof *paths};
    enum sandbox_level got;
    struct err e;

    if (sandbox_enter(&rules, &got, &e) < 0 || got != level)
        _exit(90);
}

/* Exit status of a confined child that calls `act` and exits with its result. */
static int status_of(int (*act)(void))
{
    int status = 0;
    pid_t pid = fork();

    if (pid == 0) {
        confine();
        _exit(act());
    }
    assert_true(pid > 0);
    assert_int_equal(waitpid(pid, &status, 0), pid);
    return status;
}

static void assert_answers(int (*act)(void), int code)
{
    int status = status_of(act);

    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), code);
}

static void *compute(void *arg)
{
    char *p = malloc(1 << 20);

    if (!p)
        return NULL;
    memset(p, 7, 1 << 20);
    *(int *)arg = p[12345];
    free(p);
    return arg;
}

static int work(void)
{
    char path[120], final[120], text[3];
    int fd = open(own, O_RDONLY | O_CLOEXEC), seven = 0;
    pthread_t thread;

    if (fd < 0 || read(fd, text, 3) != 3)
        return 1;
    close(fd);
    if (pthread_create(&thread, NULL, compute, &seven) != 0 || pthread_join(thread, NULL) != 0 || seven != 7)
        return 2;
    snprintf(path, sizeof path, "%s/result.part", out_folder);
    snprintf(final, sizeof final, "%s/result", out_folder);
    fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (fd < 0 || write(fd, text, 3) != 3 || fsync(fd) < 0 || close(fd) < 0 || rename(path, final) < 0)
        return 3;
    return 0;
}

static void work_goes_on(void **state)
{
    (void)state;
    assert_answers(work, 0);
}

static int read_other(void)
{
    return open(other, O_RDONLY | O_CLOEXEC) < 0 ? errno : 0;
}

static int write_own(void)
{
    return open(own, O_WRONLY | O_CLOEXEC) < 0 ? errno : 0;
}

static int make_beside(void)
{
    char path[120];

    snprintf(path, sizeof path, "%s/more", folder);
    return open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600) < 0 ? errno : 0;
}

static void other_files_stay_closed(void **state)
{
    (void)state;
    if (!has_walls()) {
        puts("skipped: no Landlock here, or a sanitizer is at work");
        return;
    }
    assert_answers(read_other, EACCES);
    assert_answers(write_own, EACCES);
    assert_answers(make_beside, EACCES);
}

static int make_socket(void)
{
    return socket(AF_UNIX, SOCK_STREAM, 0) >= 0;
}

static int start_process(void)
{
    return fork() >= 0;
}

static int start_program(void)
{
    static char *const argv[] = {"/bin/true", NULL};

    return execv(argv[0], argv);
}

static int signal_parent(void)
{
    return kill(getppid(), SIGTERM);
}

static int map_code(void)
{
    return mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) != MAP_FAILED;
}

static int trace_parent(void)
{
    return (int)syscall(SYS_process_vm_readv, getppid(), NULL, 0, NULL, 0, 0);
}

static int leave_network(void)
{
    return (int)syscall(SYS_unshare, 0x40000000 /* a new network namespace */);
}

static void forbidden_calls_end_it(void **state)
{
    int (*const acts[])(void) = {make_socket, start_process, start_program, signal_parent,
                                 map_code,    trace_parent,  leave_network};

    (void)state;
    if (!has_filter()) {
        puts("skipped: no seccomp here, or a sanitizer is at work");
        return;
    }
    for (size_t i = 0; i < sizeof acts / sizeof *acts; i++) {
        int status = status_of(acts[i]);

        assert_true(WIFSIGNALED(status));
        assert_int_equal(WTERMSIG(status), SIGSYS);
    }
}

static int write_much(void)
{
    static char block[1 << 15];
    char path[120];
    int fd;

    signal(SIGXFSZ, SIG_IGN);
    snprintf(path, sizeof path, "%s/much", out_folder);
    fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    for (int i = 0; i < 4; i++)
        if (write(fd, block, sizeof block) < 0)
            return errno;
    return 0;
}

static int open_much(void)
{
    for (int i = 0; i < 64; i++)
        if (open(own, O_RDONLY) < 0)
            return errno;
    return 0;
}

static void limits_hold(void **state)
{
    (void)state;
    if (level == SANDBOX_NONE) {
        puts("skipped: valgrind needs files of its own");
        return;
    }
    assert_answers(write_much, EFBIG);
    assert_answers(open_much, EMFILE);
}

static int burn(void)
{
    const struct sandbox_rules rules = {.cpu_s = 1};
    enum sandbox_level got;
    struct err e;

    if (sandbox_enter(&rules, &got, &e) < 0)
        return 90;
    for (volatile unsigned i = 0;; i++)
        continue;
}

/* The signal must be the one for CPU time, because SIGKILL has many causes. */
static void processor_time_ends_with_its_own_signal(void **state)
{
    int status = 0;
    pid_t pid = level == SANDBOX_NONE ? -1 : fork();

    (void)state;
    if (level == SANDBOX_NONE) {
        puts("skipped: no limits under valgrind");
        return;
    }
    if (pid == 0)
        _exit(burn());
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_true(WIFSIGNALED(status));
    assert_int_equal(WTERMSIG(status), SIGXCPU);
}

static int die(void)
{
    abort();
}

static void an_abort_is_still_an_abort(void **state)
{
    int status = status_of(die);

    (void)state;
    assert_true(WIFSIGNALED(status));
    assert_int_equal(WTERMSIG(status), SIGABRT);
}

static void levels_have_names(void **state)
{
    enum sandbox_level back;

    (void)state;
    for (int i = 0; i <= SANDBOX_FULL; i++) {
        assert_int_equal(sandbox_level_from_name(sandbox_level_name((enum sandbox_level)i), &back), 0);
        assert_int_equal(back, i);
    }
    assert_int_equal(sandbox_level_from_name("perfect", &back), -1);
}

/* Each trial is reported with the guard that refuses it. All trials of an active guard were refused. */
static void the_report_says_what_held(void **state)
{
    (void)state;
    for (size_t i = 0; i < SANDBOX_TRIALS; i++) {
        const char *guard = report.trials[i].guard;
        bool in_force = strcmp(guard, "seccomp") == 0    ? has_filter()
                        : strcmp(guard, "landlock") == 0 ? has_walls()
                                                         : level != SANDBOX_NONE;

        assert_non_null(report.trials[i].what);
        assert_int_equal(report.trials[i].held, in_force);
    }
    assert_true(!has_walls() || report.landlock_version >= 1);
}

static void write_file(const char *path)
{
    FILE *f = fopen(path, "w");

    assert_non_null(f);
    fputs("abc", f);
    fclose(f);
}

static int prepare(void **state)
{
    struct err e;

    (void)state;
    if (!mkdtemp(folder))
        return -1;
    snprintf(own, sizeof own, "%s/own", folder);
    snprintf(other, sizeof other, "%s/other", folder);
    snprintf(out_folder, sizeof out_folder, "%s/out", folder);
    write_file(own);
    write_file(other);
    if (mkdir(out_folder, 0700) < 0 || sandbox_self_test(&report, &e) < 0)
        return -1;
    level = report.level;
    printf("level here: %s\n", sandbox_level_name(level));
    return 0;
}

static int clean(void **state)
{
    char path[120];
    static const char *const names[] = {"result", "much"};

    (void)state;
    for (size_t i = 0; i < 2; i++) {
        snprintf(path, sizeof path, "%s/%s", out_folder, names[i]);
        unlink(path);
    }
    unlink(own);
    unlink(other);
    rmdir(out_folder);
    return rmdir(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(work_goes_on),
        cmocka_unit_test(other_files_stay_closed),
        cmocka_unit_test(forbidden_calls_end_it),
        cmocka_unit_test(limits_hold),
        cmocka_unit_test(processor_time_ends_with_its_own_signal),
        cmocka_unit_test(an_abort_is_still_an_abort),
        cmocka_unit_test(levels_have_names),
        cmocka_unit_test(the_report_says_what_held),
    };

    return cmocka_run_group_tests(tests, prepare, clean);
}
