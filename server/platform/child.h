/* server/platform/child.h: programs that the server starts and waits for. No shell is ever involved. */
#ifndef VIVACE_SERVER_CHILD_H
#define VIVACE_SERVER_CHILD_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/err.h"
#include "base/strbuf.h"

struct child_limits { /* 0: none */
    uint64_t memory_bytes, cpu_s, file_bytes;
};
struct child {
    pid_t pid;
    int out; /* its stdout (and stderr), to be read to the end; -1 when not asked for */
};

/* Starts argv[0] with stdin from /dev/null, its own process group, no open files but 0 to 2; it dies with the
 * server when `with_us` is set. `log_path`: stdout and stderr are appended there; NULL: they come through out. */
int child_start(const char *const *argv, const struct child_limits *limits, int with_us, const char *log_path,
                struct child *out, struct err *e);
/* Waits. *status as waitpid() gives it. */
int child_wait(struct child *c, int *status, struct err *e);
/* Both, and its output, of which at most `most` bytes are kept. -1 also when it ended with anything but 0; then the
 * sentence has its last line. */
int child_run(const char *const *argv, const struct child_limits *limits, size_t most, struct strbuf *output,
              struct err *e);

#endif
