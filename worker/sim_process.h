/* worker/sim_process.h: one vivace-sim child process, which runs a pack of jobs one after the other. Packs save the
 * cost of one process for each small job.
 *
 *   fd 0   the jobs as one JSON document          fd 1   nothing
 *   fd 2   text for people; the last 64 KiB are kept. JOB_STDERR_MARK, an id and a line end: that job begins
 *   fd 3   lines: `start JOB`, `progress JOB CYCLES WARP_INSTRUCTIONS`, `end JOB OUTCOME TEXT`
 *
 * Results are files. The child has its own process group; at a job's deadline it gets SIGTERM, 10 s later the group
 * gets SIGKILL. */
#ifndef VIVACE_WORKER_SIM_PROCESS_H
#define VIVACE_WORKER_SIM_PROCESS_H

#include <uv.h>

#include "worker/verdict.h"

#define SIM_PACK_MAX      32
#define SIM_KILL_AFTER_MS 10000
#define JOB_STDERR_MARK   '\x1e' /* ASCII's record separator; simcore/app/jobs.c writes it */

struct sim_job {
    char job[WIRE_ID];
    const char *trace, *design, *result; /* paths; read while sim_process_start() runs */
    const char *program;                 /* of a launch of a program, else NULL */
    const char *record;                  /* file for a recording, in addition to the result; NULL: none */
    bool warmed;            /* simulate the last launch of the trace; the launches before it only fill the caches */
    double inside_kernels;  /* largest half-width of a projection inside the kernel; as in struct lease */
    bool allow_foreign_isa; /* as in struct lease */
    uint64_t limit_cycles, time_s; /* 0: none */
    void *user;
};
/* How one job of the pack ended. */
struct sim_end {
    enum attempt_outcome outcome;
    const char *message, *last_lines;
    double host_seconds, cpu_seconds;
    uint64_t peak_bytes;
};
struct sim_process; /* opaque; valid until `exited` returns */
/* No callback is called from within sim_process_start(). */
struct sim_events {
    void (*started)(void *ctx, void *user);
    void (*progress)(void *ctx, void *user, uint64_t cycles, uint64_t warp_instructions);
    void (*ended)(void *ctx, void *user, const struct sim_end *end);
    void (*unstarted)(void *ctx, void *user);         /* the process has ended; this job had not begun */
    void (*exited)(void *ctx, struct sim_process *p); /* last; all jobs have been notified */
    void *ctx;
};
struct sim_pack {
    const char *program;    /* path of vivace-sim */
    const char *folder;     /* its working folder */
    uint64_t memory_bytes;  /* limit; 0: none */
    bool require_sandbox;   /* a process that is not fully confined refuses the jobs */
    uint64_t kill_after_ms; /* from SIGTERM to SIGKILL; 0: 10 s */
    size_t count;
    struct sim_job jobs[SIM_PACK_MAX];
};
/* The document for fd 0; the caller frees. */
char *sim_pack_text(const struct sim_pack *pack, struct err *e);
/* -1: the process could not be started (too many processes, no memory, no program); then no callback is called. */
int sim_process_start(uv_loop_t *loop, const struct sim_pack *pack, const struct sim_events *events,
                      struct sim_process **out, struct err *e);
/* Stops the process: SIGTERM now, SIGKILL to its group after 10 s (at once when `hard`). */
void sim_process_stop(struct sim_process *p, enum sim_stop why, bool hard);
void *sim_process_current(const struct sim_process *p); /* `user` of the job being done, or NULL */

#endif
