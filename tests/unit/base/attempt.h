/* tests/unit/base/attempt.h: what the attempts of test_sandbox_attempts.c share. */
#ifndef VIVACE_TEST_ATTEMPT_H
#define VIVACE_TEST_ATTEMPT_H

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
static char program[80], prepared_link[80], way_up[80], link_outside[80];
static int root; /* "/", opened before the sandbox */
static enum sandbox_level level;
static pid_t victim;        /* a process of the same user that must survive */
static int channel[2];      /* a socket that the child inherits, as a simulation inherits its job channel */
static volatile char *page; /* writable memory to place code in */

#define ATTEMPT(name, ...)                                                                                         \
    static long name(void)                                                                                         \
    {                                                                                                              \
        return (__VA_ARGS__);                                                                                      \
    }

struct attempt {
    const char *what;
    long (*act)(void);
    int error; /* 0: SIGSYS */
};
#define BY_ANY_SIGNAL (-1) /* SIGSYS, or SIGSEGV on a kernel without 32-bit calls */
#define KILLED(name)                                                                                               \
    {                                                                                                              \
#name, name, 0                                                                                             \
    }
#define REFUSED(name, error)                                                                                       \
    {                                                                                                              \
#name, name, error                                                                                         \
    }
#define COUNT(a) (sizeof(a) / sizeof *(a))

#endif
