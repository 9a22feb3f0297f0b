/* The seccomp part of base/sandbox.h: a list of permitted system calls, as a BPF program for the kernel. */
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>

#include "base/sandbox.h"

#if defined __x86_64__
#define ARCH AUDIT_ARCH_X86_64
#elif defined __aarch64__
#define ARCH AUDIT_ARCH_AARCH64
#endif

#ifdef ARCH

#define X32_BIT      0x40000000u
#define HEAD_MAX     8
#define CLONE_CODE   6
#define COUNT(a)     (sizeof(a) / sizeof *(a))
#define LOAD(what)   BPF_STMT(BPF_LD | BPF_W | BPF_ABS, (unsigned)offsetof(struct seccomp_data, what))
#define ARGUMENT(n)  ((unsigned)(offsetof(struct seccomp_data, args) + sizeof(uint64_t) * (n)))
#define ANSWER(what) BPF_STMT(BPF_RET | BPF_K, (what))
#define KILL         SECCOMP_RET_KILL_PROCESS
#define REFUSE(why)  (SECCOMP_RET_ERRNO | (why))

/* Permitted with any arguments. Some calls exist on older architectures only. */
static const int allowed[] = {
    SYS_read,
    SYS_write,
    SYS_futex,
    SYS_munmap,
    SYS_mremap,
    SYS_madvise,
    SYS_brk,
    SYS_pread64,
    SYS_pwrite64,
    SYS_readv,
    SYS_writev,
    SYS_lseek,
    SYS_close,
    SYS_fstat,
    SYS_newfstatat,
    SYS_statx,
    SYS_openat,
    SYS_getdents64,
    SYS_faccessat,
    SYS_readlinkat,
    SYS_fsync,
    SYS_fdatasync,
    SYS_ftruncate,
    SYS_fadvise64,
    SYS_unlinkat,
    SYS_renameat,
    SYS_getcwd,
    SYS_umask,
    SYS_ppoll,
    SYS_clock_gettime,
    SYS_clock_getres,
    SYS_clock_nanosleep,
    SYS_nanosleep,
    SYS_gettimeofday,
    SYS_getrandom,
    SYS_getrusage,
    SYS_times,
    SYS_sched_yield,
    SYS_sched_getaffinity,
    SYS_sysinfo,
    SYS_uname,
    SYS_getpid,
    SYS_getppid,
    SYS_gettid,
    SYS_getuid,
    SYS_geteuid,
    SYS_getgid,
    SYS_getegid,
    SYS_rt_sigaction,
    SYS_rt_sigprocmask,
    SYS_rt_sigreturn,
    SYS_sigaltstack,
    SYS_restart_syscall,
    SYS_set_robust_list,
    SYS_set_tid_address,
    SYS_membarrier,
    SYS_exit,
    SYS_exit_group,
#ifdef SYS_rseq
    SYS_rseq,
#endif
#ifdef SYS_faccessat2
    SYS_faccessat2,
#endif
#ifdef SYS_renameat2
    SYS_renameat2,
#endif
#ifdef SYS_open
    SYS_open,
    SYS_stat,
    SYS_lstat,
    SYS_access,
    SYS_unlink,
    SYS_rename,
    SYS_readlink,
    SYS_poll,
    SYS_time,
#endif
};

/* The permitted commands of fcntl. F_SETOWN, F_SETSIG and related commands are absent: with them a descriptor sends
 * any signal to any process of the same user, and Landlock blocks that only from version 6 on. */
static const int commands[] = {
    F_DUPFD, F_DUPFD_CLOEXEC, F_GETFD,     F_SETFD,     F_GETFL,      F_GETLK,
    F_SETLK, F_SETLKW,        F_OFD_GETLK, F_OFD_SETLK, F_OFD_SETLKW,
};

/* Calls that fail with this errno instead of ending the process: libraries make them and accept a failure. */
static const struct {
    int call, why;
} declined[] = {
    {SYS_ioctl, ENOTTY},    /* "is it a terminal?" */
    {SYS_prctl, EPERM},     /* names of threads and of memory */
    {SYS_prlimit64, EPERM}, /* the stack's limit */
    {SYS_fchmod, EPERM},    /* modes of the input files, which are the worker's or the server's */
#ifdef SYS_clone3
    {SYS_clone3,
     ENOSYS}, /* its flags are in memory, which a filter cannot read; on ENOSYS the C library uses clone */
#endif
};

/* A call whose argument decides: the call; the index of the argument; the test; the two verdicts. Only the low 32
 * bits of the argument are read, which are first on both architectures (little-endian). */
struct rule {
    int call;
    unsigned argument;
    unsigned short test;
    unsigned operand, yes, no;
};

static size_t put_rule(struct sock_filter *at, const struct rule *r)
{
    const struct sock_filter code[] = {
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)r->call, 0, 4),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, ARGUMENT(r->argument)),
        BPF_JUMP(BPF_JMP | r->test | BPF_K, r->operand, 0, 1),
        ANSWER(r->yes),
        ANSWER(r->no),
    };

    memcpy(at, code, sizeof code);
    return COUNT(code);
}

static size_t put_answer(struct sock_filter *at, int call, unsigned answer)
{
    at[0] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)call, 0, 1);
    at[1] = (struct sock_filter)ANSWER(answer);
    return 2;
}

/* F_SETFL is permitted without O_ASYNC, which sends signals too: to the terminal's owner. */
static size_t put_fcntl(struct sock_filter *at)
{
    const unsigned char rest = 2 * COUNT(commands) + 6; /* number of instructions after the first */
    size_t n = 0;

    at[n++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_fcntl, 0, rest);
    at[n++] = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, ARGUMENT(1));
    at[n++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, F_SETFL, 0, 3);
    at[n++] = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, ARGUMENT(2));
    at[n++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, O_ASYNC,
                                           (unsigned char)(2 * COUNT(commands) + 1), 0);
    at[n++] = (struct sock_filter)ANSWER(SECCOMP_RET_ALLOW);
    for (size_t i = 0; i < COUNT(commands); i++)
        n += put_answer(at + n, commands[i], SECCOMP_RET_ALLOW);
    at[n++] = (struct sock_filter)ANSWER(KILL);
    return n;
}

/* A thread is permitted, a process is not. A thread of a privileged process could also enter new namespaces. */
static size_t put_clone(struct sock_filter *at)
{
    const unsigned spaces =
        CLONE_NEWNS | CLONE_NEWCGROUP | CLONE_NEWUTS | CLONE_NEWIPC | CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNET;
    const struct sock_filter code[] = {
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_clone, 0, 5),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, ARGUMENT(0)),
        BPF_STMT(BPF_ALU | BPF_AND | BPF_K, CLONE_THREAD | spaces),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, CLONE_THREAD, 0, 1),
        ANSWER(SECCOMP_RET_ALLOW),
        ANSWER(KILL),
    };

    memcpy(at, code, sizeof code);
    return COUNT(code);
}

static size_t put_head(struct sock_filter *at)
{
    const struct sock_filter head[] = {
        LOAD(arch), BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, ARCH, 1, 0),    ANSWER(KILL),
        LOAD(nr),   BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, X32_BIT, 0, 1), ANSWER(KILL),
    };

    memcpy(at, head, sizeof head);
    return COUNT(head);
}

int sandbox_filter_install(void)
{
    const struct rule rules[] = {
        {SYS_mmap, 2, BPF_JSET, PROT_EXEC, KILL, SECCOMP_RET_ALLOW},
        {SYS_mprotect, 2, BPF_JSET, PROT_EXEC, KILL, SECCOMP_RET_ALLOW},
        {SYS_tgkill, 0, BPF_JEQ, (unsigned)getpid(), SECCOMP_RET_ALLOW, KILL}, /* abort() */
    };
    struct sock_filter program[HEAD_MAX + 2 * COUNT(commands) + 7 + CLONE_CODE + 5 * COUNT(rules) +
                               2 * (COUNT(allowed) + COUNT(declined)) + 1];
    struct sock_fprog all = {.filter = program};
    size_t n = put_head(program);

    for (size_t i = 0; i < COUNT(allowed); i++)
        n += put_answer(program + n, allowed[i], SECCOMP_RET_ALLOW);
    n += put_fcntl(program + n);
    n += put_clone(program + n);
    for (size_t i = 0; i < COUNT(rules); i++)
        n += put_rule(program + n, &rules[i]);
    for (size_t i = 0; i < COUNT(declined); i++)
        n += put_answer(program + n, declined[i].call, REFUSE((unsigned)declined[i].why));
    program[n++] = (struct sock_filter)ANSWER(KILL);
    all.len = (unsigned short)n;
    return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &all, 0, 0) == 0 ? 0 : -1;
}

#else

int sandbox_filter_install(void)
{
    errno = ENOSYS; /* there is no list of calls for this processor */
    return -1;
}

#endif
