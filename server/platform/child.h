/* server/platform/child.h: runs other programs as child processes. No shell is used. */
#ifndef VIVACE_SERVER_CHILD_H
#define VIVACE_SERVER_CHILD_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/err.h"
#include "base/strbuf.h"

/* Resource limits of a program that reads foreign bytes; 0: no limit. A program with limits gets only the variables
 * of base/child_environment.h. */
struct child_limits {
    uint64_t memory_bytes, cpu_s, file_bytes;
};
struct child {
    pid_t pid;
    int out; /* pipe from its stdout and stderr, which the caller reads to the end and closes; -1 with a log file */
};

/* Starts argv[0] in a session of its own. Its stdin is /dev/null, and it inherits no open file except 0 to 2. With
 * `with_us` it is killed when the server dies. log_path: the file to which stdout and stderr are appended. NULL:
 * the caller reads them from out->out. */
int child_start(const char *const *argv, const struct child_limits *limits, int with_us, const char *log_path,
                struct child *out, struct err *e);
/* Waits for the end of the child. *status is the value of waitpid(). */
int child_wait(struct child *c, int *status, struct err *e);
/* Starts the program, reads its output and waits for its end. At most `most` bytes of the output are kept. Returns
 * -1 also when the exit status is not 0; then the message contains the last line of the output. */
int child_run(const char *const *argv, const struct child_limits *limits, size_t most, struct strbuf *output,
              struct err *e);

#endif
