/* base/sandbox.h: what a process that is about to read foreign bytes gives up, for good.
 *
 *   limits    memory, processor time, file size, few open files, no core dump; no new privileges; it dies with its
 * parent Landlock  only the named paths can be opened; no TCP, no signals to others (where the kernel has these)
 *   seccomp   a list of system calls that reading, computing and writing need, threads included; any other ends the
 *             process with SIGSYS: sockets, programs, processes, tracing, mounts, memory that is executable, and
 * the commands of fcntl by which a descriptor sends signals (F_SETOWN, F_SETSIG, O_ASYNC, leases)
 *
 * No privilege is needed, and it works inside containers and chroots; what the kernel (or an outer sandbox) does
 * not give is left out, and the level says so. Programs built with a sanitizer go without
 * Landlock and seccomp, which their runtime could not live with, and without a limit of memory, because it reserves
 * terabytes of addresses; under valgrind there is no sandbox.
 *
 * Facts: the kernel's Documentation/userspace-api/landlock.rst and seccomp_filter.rst. */
#ifndef VIVACE_BASE_SANDBOX_H
#define VIVACE_BASE_SANDBOX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

/* In rising order of worth only at its ends: landlock and seccomp are halves of full. */
enum sandbox_level { SANDBOX_NONE, SANDBOX_RLIMIT, SANDBOX_LANDLOCK, SANDBOX_SECCOMP, SANDBOX_FULL };
const char *sandbox_level_name(enum sandbox_level level); /* "none", "rlimit", "landlock", "seccomp", "full" */
int sandbox_level_from_name(const char *name, enum sandbox_level *out); /* -1: none of them */

struct sandbox_path {
    const char *path; /* a file or a folder with all that is in it; skipped where it does not exist */
    bool write;       /* may be written too; in a folder: made, renamed and removed */
};
struct sandbox_rules { /* 0: that limit stays as it is */
    uint64_t memory_bytes, cpu_s, file_bytes;
    unsigned open_files;
    const struct sandbox_path *paths;
    size_t path_count;
};

/* Before the process has started a thread. What it has open stays open. -1 when a limit cannot be set. */
int sandbox_enter(const struct sandbox_rules *r, enum sandbox_level *level, struct err *e) MUST_CHECK;

enum { SANDBOX_TRIALS = 8 };
struct sandbox_report {
    enum sandbox_level level; /* what held against all trials of its halves */
    int landlock_version;     /* the kernel's; 0: it has none. From 6 on it keeps signals back, too */
    struct {
        const char *what;  /* "sockets" */
        const char *guard; /* "seccomp", "landlock" or "rlimit" */
        bool held;         /* false also where the guard is not in force */
    } trials[SANDBOX_TRIALS];
};
/* Enters it in child processes that try what is forbidden. */
int sandbox_self_test(struct sandbox_report *r, struct err *e) MUST_CHECK;

/* sandbox_filter.c. 0: in force for this process and the threads it will start. -1 with errno. */
int sandbox_filter_install(void);

#endif
