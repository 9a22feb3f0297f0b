/* worker/job_stderr.h: the last bytes that each job of one process wrote to stderr.
 *
 * Events (fd 3) and stderr (fd 2) are two pipes without a common order. The child therefore writes a mark to stderr
 * where a job begins: the byte JOB_STDERR_MARK, the job's id, a line end. */
#ifndef VIVACE_WORKER_JOB_STDERR_H
#define VIVACE_WORKER_JOB_STDERR_H

#include <stddef.h>
#include <stdint.h>

#include "wire/lease.h"
#include "worker/sim_process.h"

enum { JOB_STDERR_KEPT = 65536 }; /* bytes, of all jobs together */

/* Zero-initialise before use. */
struct job_stderr {
    char ring[JOB_STDERR_KEPT];
    uint64_t total; /* bytes added, without marks */
    struct job_stderr_part {
        char job[WIRE_ID];
        uint64_t begin; /* offset of its first byte, counted like `total` */
    } parts[SIM_PACK_MAX];
    size_t part_count;
    char mark[WIRE_ID + 1]; /* the mark that is being read, without its line end */
    size_t mark_length;     /* 0: none */
};
void job_stderr_add(struct job_stderr *s, const char *bytes, size_t n);
/* The stderr text of `job`. It starts with a complete line where earlier bytes were dropped, and has no control
 * characters except line ends. Where no mark names the job: the text before the first mark. The caller frees; NULL:
 * no text. */
char *job_stderr_text(const struct job_stderr *s, const char *job);

#endif
