/* ptx/checkpoint/replay.h: saves the memory changes of a program's first launches to a file, so that the next run
 * of the program skips these launches. It serves programs whose own state cannot be saved (`vivace exec`): their
 * host code runs again, and only the work of the kernels is saved. docs/formats/ptx-replay.md. */
#ifndef VIVACE_PTX_CHECKPOINT_REPLAY_H
#define VIVACE_PTX_CHECKPOINT_REPLAY_H

#include "ptx/exec/exec.h"

/* The result of a launch. */
struct ptx_replay_step {
    uint64_t warp_instructions, length_ps;
    uint32_t registers; /* per thread; 0: unknown */
    const char *print;  /* what it printed; not owned */
    size_t print_bytes;
};

/* --- writing --- */
struct ptx_replay_log; /* opaque; takes as much host memory as the device has in use */
int ptx_replay_log_new(struct ptx_program *p, struct ptx_replay_log **out, struct err *e);
void ptx_replay_log_free(struct ptx_replay_log *l); /* NULL is fine */
/* ptx_replay_begin() before each launch, ptx_replay_end() after it. */
int ptx_replay_begin(struct ptx_replay_log *l, const struct ptx_launch *launch, struct err *e);
int ptx_replay_end(struct ptx_replay_log *l, const struct ptx_replay_step *step, struct err *e);
/* Saves all launches that have ended. design: SHA-256 of the GPU design that their times belong to; NULL: none. */
int ptx_replay_save(const struct ptx_replay_log *l, const char *path, const char *design, struct err *e);

/* --- skipping launches --- */
struct ptx_replay; /* opaque */
/* Reads and checks the file. ERR_MALFORMED: damaged or cut short; ERR_UNSUPPORTED: another format or version. */
int ptx_replay_open(const char *path, struct ptx_replay **out, struct err *e);
void ptx_replay_close(struct ptx_replay *r);                   /* NULL is fine */
uint64_t ptx_replay_launches(const struct ptx_replay *r);      /* in the file */
uint64_t ptx_replay_launches_left(const struct ptx_replay *r); /* not skipped yet */
const char *ptx_replay_design(const struct ptx_replay *r);     /* as given to ptx_replay_save() */
/* Skips the next launch of the file: memory receives the state after it. *step is valid until the next call.
 * ERR_UNSUPPORTED: `launch` is another launch or has another module; the program's writes since the previous
 * launch, or the contents of the pages that the launch changes, differ from the first run; or, after the last
 * launch, any of memory differs. */
int ptx_replay_next(struct ptx_replay *r, struct ptx_program *p, const struct ptx_launch *launch,
                    struct ptx_replay_step *step, struct err *e);

#endif
