#include "base/sandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#if defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__
#define INSTRUMENTED 1
#elif defined __has_feature
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
#define INSTRUMENTED 1
#endif
#endif
#ifndef INSTRUMENTED
#define INSTRUMENTED 0
#endif

static const char *const names[] = {"none", "rlimit", "landlock", "seccomp", "full"};

const char *sandbox_level_name(enum sandbox_level level)
{
    return names[level];
}

int sandbox_level_from_name(const char *name, enum sandbox_level *out)
{
    for (int i = 0; i <= SANDBOX_FULL; i++)
        if (strcmp(names[i], name) == 0) {
            *out = (enum sandbox_level)i;
            return 0;
        }
    return -1;
}

/* --- Limits --- */

static int limit(int what, const char *name, uint64_t soft, uint64_t hard, struct err *e)
{
    struct rlimit r, old;

    if (getrlimit((__rlimit_resource_t)what, &old) < 0)
        return err_set_errno(e, errno, "cannot set the limit of %s", name);
    r.rlim_max = hard < old.rlim_max ? (rlim_t)hard : old.rlim_max; /* a stricter limit of the parent stays */
    r.rlim_cur = soft < r.rlim_max ? (rlim_t)soft : r.rlim_max;
    return setrlimit((__rlimit_resource_t)what, &r) < 0
               ? err_set_errno(e, errno, "cannot set the limit of %s", name)
               : 0;
}

static int set_limits(const struct sandbox_rules *r, struct err *e)
{
    if (limit(RLIMIT_CORE, "core files", 0, 0, e) < 0)
        return -1;
    if (r->memory_bytes && !INSTRUMENTED && limit(RLIMIT_AS, "memory", r->memory_bytes, r->memory_bytes, e) < 0)
        return -1;
    /* At the soft limit the kernel sends SIGXCPU, which identifies the cause; at the hard limit SIGKILL, which does
     * not. */
    if (r->cpu_s && limit(RLIMIT_CPU, "processor time", r->cpu_s, r->cpu_s + 5, e) < 0)
        return -1;
    if (r->file_bytes && limit(RLIMIT_FSIZE, "file size", r->file_bytes, r->file_bytes, e) < 0)
        return -1;
    return r->open_files && limit(RLIMIT_NOFILE, "open files", r->open_files, r->open_files, e) < 0 ? -1 : 0;
}

/* --- Landlock --- The values are the kernel's; the header of Debian 12 lacks the newer ones. --- */

#ifndef SYS_landlock_create_ruleset
#define SYS_landlock_create_ruleset 444
#define SYS_landlock_add_rule       445
#define SYS_landlock_restrict_self  446
#endif

enum { LANDLOCK_VERSION = 1, LANDLOCK_PATH_BENEATH = 1 };
enum {
    FS_EXECUTE = 1 << 0,
    FS_WRITE_FILE = 1 << 1,
    FS_READ_FILE = 1 << 2,
    FS_READ_DIR = 1 << 3,
    FS_REMOVE_DIR = 1 << 4,
    FS_REMOVE_FILE = 1 << 5,
    FS_MAKE_DIR = 1 << 7,
    FS_MAKE_REG = 1 << 8,
    FS_ABI_1 = (1 << 13) - 1,
    FS_REFER = 1 << 13,     /* ABI version 2 */
    FS_TRUNCATE = 1 << 14,  /* ABI version 3 */
    FS_IOCTL_DEV = 1 << 15, /* ABI version 5 */
    NET_TCP = 3,            /* ABI version 4: bind and connect */
    SCOPE_ALL = 3,          /* ABI version 6: abstract Unix sockets, signals */
};
struct ruleset { /* struct landlock_ruleset_attr; older kernels accept a shorter struct, its first fields */
    uint64_t fs, net, scoped;
};
struct beneath { /* struct landlock_path_beneath_attr */
    uint64_t allowed;
    int32_t parent;
} __attribute__((packed));

static void for_version(long abi, struct ruleset *all, size_t *size)
{
    *all = (struct ruleset){.fs = FS_ABI_1};
    *size = sizeof all->fs;
    if (abi >= 2)
        all->fs |= FS_REFER;
    if (abi >= 3)
        all->fs |= FS_TRUNCATE;
    if (abi >= 4) {
        all->net = NET_TCP;
        *size = 2 * sizeof all->fs;
    }
    if (abi >= 5)
        all->fs |= FS_IOCTL_DEV;
    if (abi >= 6) {
        all->scoped = SCOPE_ALL;
        *size = sizeof *all;
    }
}

static int allow_path(int ruleset, const struct sandbox_path *p, uint64_t known)
{
    uint64_t want = FS_READ_FILE | (p->write ? FS_WRITE_FILE | FS_TRUNCATE : 0);
    struct beneath b = {.parent = open(p->path, O_PATH | O_CLOEXEC)};
    struct stat st;
    int ret;

    if (b.parent < 0)
        return errno == ENOENT ? 0 : -1;
    ret = fstat(b.parent, &st);
    if (S_ISDIR(st.st_mode))
        want |= FS_READ_DIR | (p->write ? FS_MAKE_REG | FS_REMOVE_FILE : 0);
    b.allowed = want & known;
    if (ret == 0)
        ret = (int)syscall(SYS_landlock_add_rule, ruleset, LANDLOCK_PATH_BENEATH, &b, 0);
    close(b.parent);
    return ret;
}

/* Returns 0 when Landlock is in force; -1 when the kernel lacks it or an outer sandbox blocks it. */
static int landlock(const struct sandbox_rules *r)
{
    long abi = syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_VERSION);
    struct ruleset all;
    size_t size;
    int fd, ret = 0;

    if (abi < 1)
        return -1;
    for_version(abi, &all, &size);
    fd = (int)syscall(SYS_landlock_create_ruleset, &all, size, 0);
    if (fd < 0)
        return -1;
    for (size_t i = 0; i < r->path_count && ret == 0; i++)
        ret = allow_path(fd, &r->paths[i], all.fs);
    if (ret == 0)
        ret = (int)syscall(SYS_landlock_restrict_self, fd, 0);
    close(fd);
    return ret < 0 ? -1 : 0;
}

/* --- The whole sandbox --- */

/* valgrind loads a library of its own into every program, and opens files and descriptors for itself. */
static bool under_valgrind(void)
{
    const char *loaded = getenv("LD_PRELOAD");

    return loaded && strstr(loaded, "vgpreload");
}

static enum sandbox_level level_of(bool landlocked, bool filter)
{
    if (landlocked)
        return filter ? SANDBOX_FULL : SANDBOX_LANDLOCK;
    return filter ? SANDBOX_SECCOMP : SANDBOX_RLIMIT;
}

int sandbox_enter(const struct sandbox_rules *r, enum sandbox_level *level, struct err *e)
{
    bool landlocked, filter;

    if (prctl(PR_SET_PDEATHSIG, SIGKILL) < 0 || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0)
        return err_set_errno(e, errno, "cannot confine this process");
    if (under_valgrind()) {
        *level = SANDBOX_NONE;
        return 0;
    }
    if (set_limits(r, e) < 0)
        return -1;
    landlocked = !INSTRUMENTED && landlock(r) == 0; /* the leak checker reads /proc at the end */
    filter = !INSTRUMENTED && sandbox_filter_install() == 0;
    *level = level_of(landlocked, filter);
    return 0;
}

/* --- The self-test --- A trial returns true when a forbidden operation succeeded. --- */

static bool try_socket(void)
{
    return socket(AF_INET, SOCK_STREAM, 0) >= 0;
}

static bool try_program(void)
{
    static char *const argv[] = {NULL};

    execv("/proc/self/exe", argv);
    return errno != EACCES && errno != EPERM;
}

static bool try_process(void)
{
    pid_t pid = fork();

    if (pid == 0)
        _exit(0);
    return pid > 0;
}

static bool try_signal(void)
{
    return kill(getppid(), 0) == 0;
}

static bool try_file(void)
{
    return open("/", O_RDONLY | O_DIRECTORY | O_CLOEXEC) >= 0 || open("/dev/null", O_RDONLY | O_CLOEXEC) >= 0;
}

/* Tries to set another process as the receiver of a descriptor's signals. */
static bool try_owner(void)
{
    return fcntl(STDERR_FILENO, F_SETOWN, getppid()) == 0;
}

static bool try_code(void)
{
    return mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) != MAP_FAILED;
}

static bool try_core(void)
{
    struct rlimit r;

    return getrlimit(RLIMIT_CORE, &r) == 0 && r.rlim_max > 0;
}

enum guard { BY_FILTER, BY_WALLS, BY_LIMITS, GUARDS };

static const struct trial {
    const char *what;
    bool (*got)(void);
    enum guard guard;
} trials[SANDBOX_TRIALS] = {
    {"sockets", try_socket, BY_FILTER},
    {"programs", try_program, BY_FILTER},
    {"processes", try_process, BY_FILTER},
    {"signals to other processes", try_signal, BY_FILTER},
    {"signals of descriptors", try_owner, BY_FILTER},
    {"executable memory", try_code, BY_FILTER},
    {"files outside of the permitted folders", try_file, BY_WALLS},
    {"core dumps", try_core, BY_LIMITS},
};

/* Enters the sandbox in a child process and runs the trial there. *code: 1 where the forbidden operation succeeded,
 * 0 where it failed or SIGSYS killed the child. Without a trial (NULL) *code is the sandbox level. */
static int in_child(const struct trial *t, int *code, struct err *e)
{
    const struct sandbox_rules rules = {.open_files = 16};
    enum sandbox_level level = SANDBOX_NONE;
    int status = 0;
    pid_t pid = fork();

    if (pid == 0) {
        if (sandbox_enter(&rules, &level, e) < 0)
            _exit(t ? 1 : SANDBOX_NONE);
        _exit(t ? t->got() : (int)level);
    }
    if (pid < 0)
        return err_set_errno(e, errno, "cannot test the sandbox");
    while (waitpid(pid, &status, 0) < 0)
        if (errno != EINTR)
            return err_set_errno(e, errno, "cannot test the sandbox");
    *code = WIFEXITED(status) ? WEXITSTATUS(status) : WTERMSIG(status) == SIGSYS ? 0 : 1;
    return 0;
}

int sandbox_self_test(struct sandbox_report *r, struct err *e)
{
    static const char *const guards[GUARDS] = {"seccomp", "landlock", "rlimit"};
    bool force[GUARDS], held[GUARDS];
    long version = syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_VERSION);
    int code = SANDBOX_NONE;

    memset(r, 0, sizeof *r);
    r->landlock_version = version > 0 ? (int)version : 0;
    if (in_child(NULL, &code, e) < 0)
        return -1;
    force[BY_WALLS] = code == SANDBOX_LANDLOCK || code == SANDBOX_FULL;
    force[BY_FILTER] = code == SANDBOX_SECCOMP || code == SANDBOX_FULL;
    force[BY_LIMITS] = code != SANDBOX_NONE;
    memcpy(held, force, sizeof held);
    for (size_t i = 0; i < SANDBOX_TRIALS; i++) {
        enum guard guard = trials[i].guard;

        r->trials[i].what = trials[i].what;
        r->trials[i].guard = guards[guard];
        if (!force[guard])
            continue;
        if (in_child(&trials[i], &code, e) < 0)
            return -1;
        r->trials[i].held = code == 0;
        held[guard] &= code == 0;
    }
    r->level = held[BY_LIMITS] ? level_of(held[BY_WALLS], held[BY_FILTER]) : SANDBOX_NONE;
    return 0;
}
