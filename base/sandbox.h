/* base/sandbox.h: a process gives up rights, permanently, before it reads untrusted input.
 *
 *   limits    on memory, processor time, file size and open files; no core dump, no new privileges; the process
 *             ends when its parent ends
 *   Landlock  only the named paths can be opened; no TCP, no signals to other processes (where the kernel supports
 *             this)
 *   seccomp   only the system calls that reading, computing, writing and threads need. Any other call ends the
 *             process with SIGSYS: sockets, programs, processes, tracing, mounts, executable memory, and the fcntl
 *             commands by which a descriptor sends signals (F_SETOWN, F_SETSIG, O_ASYNC, leases)
 *
 * It needs no privilege and works inside containers and chroots. A part that the kernel or an outer sandbox does
 * not permit is left out, and the level reports this. Programs built with a sanitizer use neither Landlock nor
 * seccomp, which the sanitizer's runtime does not support, and no memory limit, because the runtime reserves
 * terabytes of addresses. Under valgrind there is no sandbox.
 *
 * Source: the kernel's Documentation/userspace-api/landlock.rst and seccomp_filter.rst. */
#ifndef VIVACE_BASE_SANDBOX_H
#define VIVACE_BASE_SANDBOX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

/* NONE < RLIMIT < FULL in protection. LANDLOCK and SECCOMP are each a part of FULL and are not ordered. */
enum sandbox_level { SANDBOX_NONE, SANDBOX_RLIMIT, SANDBOX_LANDLOCK, SANDBOX_SECCOMP, SANDBOX_FULL };
const char *sandbox_level_name(enum sandbox_level level); /* "none", "rlimit", "landlock", "seccomp", "full" */
int sandbox_level_from_name(const char *name, enum sandbox_level *out); /* -1: not the name of a level */

struct sandbox_path {
    const char *path; /* a file, or a folder with its content; skipped where it does not exist */
    bool write;       /* may be written too; in a folder, files may be created, renamed and removed */
};
struct sandbox_rules { /* a limit of 0 is not changed */
    uint64_t memory_bytes, cpu_s, file_bytes;
    unsigned open_files;
    const struct sandbox_path *paths;
    size_t path_count;
};

/* Call before the process starts a thread. Open descriptors stay open. -1 when a limit cannot be set. */
int sandbox_enter(const struct sandbox_rules *r, enum sandbox_level *level, struct err *e) MUST_CHECK;

enum { SANDBOX_TRIALS = 8 };
struct sandbox_report {
    enum sandbox_level level; /* the level whose guards blocked all their trials */
    int landlock_version;     /* ABI version of the kernel; 0: none. Versions from 6 on block signals too */
    struct {
        const char *what;  /* "sockets" */
        const char *guard; /* "seccomp", "landlock" or "rlimit" */
        bool held;         /* the guard blocked the trial; false also where the guard is not in force */
    } trials[SANDBOX_TRIALS];
};
/* Enters the sandbox in child processes, which then try forbidden operations. */
int sandbox_self_test(struct sandbox_report *r, struct err *e) MUST_CHECK;

/* sandbox_filter.c. 0: in force for this process and the threads it will start. -1 with errno. */
int sandbox_filter_install(void);

#endif
