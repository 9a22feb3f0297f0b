/* base/sandbox: attempts of a hostile program, each in its own child. An attempt succeeds when it returns 0. It
 * fails with an error or with SIGSYS. Attempts that only seccomp stops run with seccomp alone, as on a kernel
 * whose Landlock is older than version 6. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <linux/bpf.h>
#include <linux/filter.h>
#include <linux/seccomp.h>

#include "base/sandbox.h"
#include "tests/harness/check.h"

static char folder[] = "/tmp/vivace-attempts-XXXXXX", own[64], other[64], results[64], link_to[64];
static enum sandbox_level level;
static pid_t victim;        /* a process of the same user that must survive */
static int channel[2];      /* a socket that the child inherits, as a simulation inherits its job channel */
static volatile char *page; /* writable memory to place code in */

#define ATTEMPT(name, ...)                                                                                         \
    static long name(void)                                                                                         \
    {                                                                                                              \
        return (__VA_ARGS__);                                                                                      \
    }

/* --- seccomp: signals --- */
ATTEMPT(by_kill, kill(victim, SIGKILL))
ATTEMPT(by_kill_zero, kill(victim, 0))
ATTEMPT(by_group, kill(-getpgid(victim), SIGTERM))
ATTEMPT(by_everybody, kill(-1, SIGWINCH))
ATTEMPT(by_tkill, syscall(SYS_tkill, victim, SIGKILL))
ATTEMPT(by_tgkill, syscall(SYS_tgkill, victim, victim, SIGKILL))
ATTEMPT(by_queue, syscall(SYS_rt_sigqueueinfo, victim, SIGKILL, NULL))
ATTEMPT(by_pidfd, syscall(SYS_pidfd_open, victim, 0))
ATTEMPT(by_pidfd_signal, syscall(SYS_pidfd_send_signal, channel[1], SIGKILL, NULL, 0))
ATTEMPT(by_owner, fcntl(channel[1], F_SETOWN, victim))
ATTEMPT(by_signal_of_owner, fcntl(channel[1], F_SETSIG, SIGKILL))
ATTEMPT(by_async, fcntl(channel[1], F_SETFL, O_ASYNC))
ATTEMPT(by_async_and_more, fcntl(channel[1], F_SETFL, O_NONBLOCK | O_ASYNC))
ATTEMPT(by_lease, fcntl(channel[1], F_SETLEASE, F_RDLCK))
ATTEMPT(by_notify, fcntl(channel[1], F_NOTIFY, DN_MODIFY | DN_MULTISHOT))
ATTEMPT(by_ioctl_owner, ioctl(channel[1], FIOSETOWN, &victim))
ATTEMPT(by_ioctl_group, ioctl(channel[1], SIOCSPGRP, &victim))
ATTEMPT(by_ioctl_async, ioctl(channel[1], FIOASYNC, &(int){1}))
ATTEMPT(by_timer, syscall(SYS_timer_create, CLOCK_REALTIME, NULL, NULL))
ATTEMPT(by_death, prctl(PR_SET_PDEATHSIG, SIGKILL))

static long by_owner_ex(void)
{
    const struct f_owner_ex who = {F_OWNER_PID, victim};

    return fcntl(channel[1], F_SETOWN_EX, &who);
}

/* The kernel ignores the upper 32 bits of the command. The filter must ignore them too. */
ATTEMPT(by_long_command, syscall(SYS_fcntl, channel[1], 0x100000000UL | F_SETOWN, victim))

/* The whole sequence: sends a chosen signal to another process without a signal system call. */
static long by_all_of_it(void)
{
    if (fcntl(channel[1], F_SETOWN, victim) < 0 || fcntl(channel[1], F_SETSIG, SIGKILL) < 0 ||
        fcntl(channel[1], F_SETFL, O_ASYNC) < 0)
        return -1;
    return write(channel[0], "x", 1) == 1 ? 0 : -1;
}

/* --- seccomp: processes, programs, memory of others --- */
static char *const words[] = {"/bin/true", NULL};
ATTEMPT(by_fork, fork())
ATTEMPT(by_vfork, syscall(SYS_clone, CLONE_VM | CLONE_VFORK | SIGCHLD, NULL, NULL, NULL, NULL))
ATTEMPT(by_clone3, syscall(SYS_clone3, NULL, 0))
ATTEMPT(by_exec, execv(words[0], words))
ATTEMPT(by_execveat, syscall(SYS_execveat, AT_FDCWD, words[0], words, NULL, 0))
ATTEMPT(by_trace, syscall(SYS_ptrace, 16 /* PTRACE_ATTACH */, victim, NULL, NULL))
ATTEMPT(by_reading_memory, syscall(SYS_process_vm_readv, victim, NULL, 0, NULL, 0, 0))
ATTEMPT(by_writing_memory, syscall(SYS_process_vm_writev, victim, NULL, 0, NULL, 0, 0))
ATTEMPT(by_comparing, syscall(SYS_kcmp, getpid(), victim, 0, 0, 0))
ATTEMPT(by_renice, setpriority(PRIO_PROCESS, (id_t)victim, 19))
ATTEMPT(by_limits_of_others, prlimit(victim, RLIMIT_CPU, &(struct rlimit){0, 0}, NULL))
ATTEMPT(by_own_limits, setrlimit(RLIMIT_CORE, &(struct rlimit){RLIM_INFINITY, RLIM_INFINITY}))
ATTEMPT(by_affinity, syscall(SYS_sched_setaffinity, victim, 0, NULL))
ATTEMPT(by_code, mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) == MAP_FAILED ? -1 : 0)
ATTEMPT(by_later_code, mprotect((void *)(uintptr_t)page, 4096, PROT_READ | PROT_EXEC))
ATTEMPT(by_keyed_code, syscall(SYS_pkey_mprotect, page, 4096, PROT_EXEC, -1))
ATTEMPT(by_personality, syscall(SYS_personality, 0x0400000 /* READ_IMPLIES_EXEC */))
ATTEMPT(by_memfd, syscall(SYS_memfd_create, "x", 0))
ATTEMPT(by_shared_memory, syscall(SYS_shmget, 0, 4096, 01600))

/* --- seccomp: the network, and descriptors of others --- */
ATTEMPT(by_tcp, socket(AF_INET, SOCK_STREAM, 0))
ATTEMPT(by_udp, socket(AF_INET6, SOCK_DGRAM, 0))
ATTEMPT(by_raw, socket(AF_PACKET, SOCK_RAW, 0))
ATTEMPT(by_netlink, socket(AF_NETLINK, SOCK_RAW, 0))
ATTEMPT(by_unix, socketpair(AF_UNIX, SOCK_STREAM, 0, (int[2]){0}))
ATTEMPT(by_connect, connect(channel[1], &(struct sockaddr){.sa_family = AF_UNSPEC}, sizeof(struct sockaddr)))
ATTEMPT(by_message, sendmsg(channel[1], &(struct msghdr){0}, 0))
ATTEMPT(by_taking, recvmsg(channel[1], &(struct msghdr){0}, MSG_DONTWAIT))
ATTEMPT(by_ring, syscall(SYS_io_uring_setup, 1, NULL))
ATTEMPT(by_events, syscall(SYS_userfaultfd, 0))

/* --- seccomp: the machine, and the way out --- */
ATTEMPT(by_namespace, unshare(CLONE_NEWUSER | CLONE_NEWNS))
ATTEMPT(by_entering, setns(channel[1], 0))
ATTEMPT(by_mount, syscall(SYS_mount, "none", "/", NULL, 0x5000, NULL))
ATTEMPT(by_root, chroot("/"))
ATTEMPT(by_bpf, syscall(SYS_bpf, BPF_PROG_LOAD, NULL, 0))
ATTEMPT(by_perf, syscall(SYS_perf_event_open, NULL, victim, -1, -1, 0))
ATTEMPT(by_keys, syscall(SYS_keyctl, 0, -1, 1))
ATTEMPT(by_user, setuid(0))
ATTEMPT(by_group_id, setgid(0))
ATTEMPT(by_clock, syscall(SYS_clock_settime, CLOCK_REALTIME, NULL))
ATTEMPT(by_name, syscall(SYS_sethostname, "x", -1))
ATTEMPT(by_new_filter, syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, NULL))
ATTEMPT(by_dumpable, prctl(PR_SET_DUMPABLE, 1))
ATTEMPT(by_tracer, prctl(PR_SET_PTRACER, (unsigned long)victim))
ATTEMPT(by_typing, ioctl(channel[1], TIOCSTI, "x"))
ATTEMPT(by_handle, syscall(SYS_open_by_handle_at, AT_FDCWD, NULL, O_RDONLY))
ATTEMPT(by_link, linkat(AT_FDCWD, other, AT_FDCWD, link_to, 0))
ATTEMPT(by_symbolic_link, symlinkat(other, AT_FDCWD, link_to))
ATTEMPT(by_device, mknodat(AT_FDCWD, link_to, S_IFIFO | 0600, 0))
ATTEMPT(by_folder, mkdirat(AT_FDCWD, link_to, 0700))
ATTEMPT(by_owner_of_file, fchownat(AT_FDCWD, own, getuid(), getgid(), 0))
ATTEMPT(by_x32, syscall(0x40000000L | SYS_getpid))

/* --- Landlock: files without permission --- */
ATTEMPT(by_reading, open(other, O_RDONLY))
ATTEMPT(by_writing, open(own, O_WRONLY))
ATTEMPT(by_truncating, open(own, O_RDONLY | O_TRUNC))
ATTEMPT(by_climbing, openat(AT_FDCWD, "/proc/self/root", O_RDONLY | O_DIRECTORY))
ATTEMPT(by_listing, open("/", O_RDONLY | O_DIRECTORY))
ATTEMPT(by_removing, unlink(other))
ATTEMPT(by_moving_in, rename(other, link_to))
ATTEMPT(by_moving_out, rename(own, other))
ATTEMPT(by_environment, open("/proc/self/environ", O_RDONLY))
ATTEMPT(by_device_file, open("/dev/null", O_RDWR))

static long by_memory_file(void)
{
    char path[40];

    snprintf(path, sizeof path, "/proc/%d/mem", (int)victim);
    return open(path, O_RDWR);
}

static long by_descriptor_of_others(void)
{
    char path[40];

    snprintf(path, sizeof path, "/proc/%d/fd/0", (int)victim);
    return open(path, O_RDWR);
}

struct attempt {
    const char *what;
    long (*act)(void);
    int error; /* 0: SIGSYS */
};
static const struct attempt by_seccomp[] = {{"by_kill", by_kill, 0},
                                            {"by_kill_zero", by_kill_zero, 0},
                                            {"by_group", by_group, 0},
                                            {"by_everybody", by_everybody, 0},
                                            {"by_tkill", by_tkill, 0},
                                            {"by_tgkill", by_tgkill, 0},
                                            {"by_queue", by_queue, 0},
                                            {"by_pidfd", by_pidfd, 0},
                                            {"by_pidfd_signal", by_pidfd_signal, 0},
                                            {"by_owner", by_owner, 0},
                                            {"by_signal_of_owner", by_signal_of_owner, 0},
                                            {"by_async", by_async, 0},
                                            {"by_async_and_more", by_async_and_more, 0},
                                            {"by_lease", by_lease, 0},
                                            {"by_notify", by_notify, 0},
                                            {"by_ioctl_owner", by_ioctl_owner, ENOTTY},
                                            {"by_ioctl_group", by_ioctl_group, ENOTTY},
                                            {"by_ioctl_async", by_ioctl_async, ENOTTY},
                                            {"by_timer", by_timer, 0},
                                            {"by_death", by_death, EPERM},
                                            {"by_owner_ex", by_owner_ex, 0},
                                            {"by_long_command", by_long_command, 0},
                                            {"by_all_of_it", by_all_of_it, 0},
                                            {"by_fork", by_fork, 0},
                                            {"by_vfork", by_vfork, 0},
                                            {"by_clone3", by_clone3, ENOSYS},
                                            {"by_exec", by_exec, 0},
                                            {"by_execveat", by_execveat, 0},
                                            {"by_trace", by_trace, 0},
                                            {"by_reading_memory", by_reading_memory, 0},
                                            {"by_writing_memory", by_writing_memory, 0},
                                            {"by_comparing", by_comparing, 0},
                                            {"by_renice", by_renice, 0},
                                            {"by_limits_of_others", by_limits_of_others, EPERM},
                                            {"by_own_limits", by_own_limits, EPERM},
                                            {"by_affinity", by_affinity, 0},
                                            {"by_code", by_code, 0},
                                            {"by_later_code", by_later_code, 0},
                                            {"by_keyed_code", by_keyed_code, 0},
                                            {"by_personality", by_personality, 0},
                                            {"by_memfd", by_memfd, 0},
                                            {"by_shared_memory", by_shared_memory, 0},
                                            {"by_tcp", by_tcp, 0},
                                            {"by_udp", by_udp, 0},
                                            {"by_raw", by_raw, 0},
                                            {"by_netlink", by_netlink, 0},
                                            {"by_unix", by_unix, 0},
                                            {"by_connect", by_connect, 0},
                                            {"by_message", by_message, 0},
                                            {"by_taking", by_taking, 0},
                                            {"by_ring", by_ring, 0},
                                            {"by_events", by_events, 0},
                                            {"by_namespace", by_namespace, 0},
                                            {"by_entering", by_entering, 0},
                                            {"by_mount", by_mount, 0},
                                            {"by_root", by_root, 0},
                                            {"by_bpf", by_bpf, 0},
                                            {"by_perf", by_perf, 0},
                                            {"by_keys", by_keys, 0},
                                            {"by_user", by_user, 0},
                                            {"by_group_id", by_group_id, 0},
                                            {"by_clock", by_clock, 0},
                                            {"by_name", by_name, 0},
                                            {"by_new_filter", by_new_filter, 0},
                                            {"by_dumpable", by_dumpable, EPERM},
                                            {"by_tracer", by_tracer, EPERM},
                                            {"by_typing", by_typing, ENOTTY},
                                            {"by_handle", by_handle, 0},
                                            {"by_link", by_link, 0},
                                            {"by_symbolic_link", by_symbolic_link, 0},
                                            {"by_device", by_device, 0},
                                            {"by_folder", by_folder, 0},
                                            {"by_owner_of_file", by_owner_of_file, 0},
                                            {"by_x32", by_x32, 0}};
static const struct attempt by_landlock[] = {
    {"by_reading", by_reading, EACCES},         {"by_writing", by_writing, EACCES},
    {"by_truncating", by_truncating, EACCES},   {"by_climbing", by_climbing, EACCES},
    {"by_listing", by_listing, EACCES},         {"by_removing", by_removing, EACCES},
    {"by_moving_in", by_moving_in, EACCES},     {"by_moving_out", by_moving_out, EACCES},
    {"by_environment", by_environment, EACCES}, {"by_device_file", by_device_file, EACCES},
    {"by_memory_file", by_memory_file, EACCES}, {"by_descriptor_of_others", by_descriptor_of_others, EACCES}};
#define COUNT(a) (sizeof(a) / sizeof *(a))

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
        if (list[i].error ? !WIFEXITED(status) || WEXITSTATUS(status) != list[i].error
                          : !WIFSIGNALED(status) || WTERMSIG(status) != SIGSYS) {
            print_message("%s: status %#x\n", list[i].what, (unsigned)status);
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
    assert_true(COUNT(by_seccomp) >= 60);
    assert_int_equal(try_each(by_seccomp, COUNT(by_seccomp), filter_alone), 0);
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
    return page == MAP_FAILED || victim < 0 || mkdir(results, 0700) < 0 ? -1 : 0;
}

static int clean(void **state)
{
    char ordinary_file[80];

    (void)state;
    kill(victim, SIGKILL);
    waitpid(victim, NULL, 0);
    snprintf(ordinary_file, sizeof ordinary_file, "%s/ordinary", results);
    unlink(ordinary_file);
    unlink(own);
    unlink(other);
    rmdir(results);
    return rmdir(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(none_succeeds_against_seccomp_alone),
        cmocka_unit_test(none_succeeds_against_all_of_it),
        cmocka_unit_test(ordinary_commands_go_on),
    };

    return cmocka_run_group_tests(tests, prepare, clean);
}
