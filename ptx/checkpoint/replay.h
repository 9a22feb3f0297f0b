/* ptx/checkpoint/replay.h: what the first launches of a program have done to memory, in a file: when the program
 * runs again it passes over them. For programs whose own state nobody can keep (`vivace exec`): they do their part
 * again, and only the kernels' work is saved; docs/formats/ptx-replay.md. */
#ifndef VIVACE_PTX_CHECKPOINT_REPLAY_H
#define VIVACE_PTX_CHECKPOINT_REPLAY_H

#include "ptx/exec/exec.h"

/* What a launch has come to. */
struct ptx_replay_step {
    uint64_t warp_instructions, length_ps;
    uint32_t registers; /* of a thread; 0: not known */
    const char *print;  /* what it printed; not owned */
    size_t print_bytes;
};

/* --- writing --- */
struct ptx_replay_log; /* opaque; as much memory again as the device has in use */
int ptx_replay_log_new(struct ptx_program *p, struct ptx_replay_log **out, struct err *e);
void ptx_replay_log_free(struct ptx_replay_log *l); /* NULL is fine */
/* Before and after each launch. */
int ptx_replay_begin(struct ptx_replay_log *l, const struct ptx_launch *launch, struct err *e);
int ptx_replay_end(struct ptx_replay_log *l, const struct ptx_replay_step *step, struct err *e);
/* All launches up to now. design: SHA-256 of the GPU design that their times are of; NULL: of none. */
int ptx_replay_save(const struct ptx_replay_log *l, const char *path, const char *design, struct err *e);

/* --- passing over --- */
struct ptx_replay; /* opaque */
/* Reads and checks the file. ERR_MALFORMED: damaged or cut short; ERR_UNSUPPORTED: another format or version. */
int ptx_replay_open(const char *path, struct ptx_replay **out, struct err *e);
void ptx_replay_close(struct ptx_replay *r);                   /* NULL is fine */
uint64_t ptx_replay_launches(const struct ptx_replay *r);      /* in the file */
uint64_t ptx_replay_launches_left(const struct ptx_replay *r); /* that are still to be skipped */
const char *ptx_replay_design(const struct ptx_replay *r);     /* as it was saved */
/* Memory becomes what it was after the next launch of the file; *step is good until the next call. ERR_UNSUPPORTED:
 * `launch` is another one or of another module; what the program has written since the launch before, or what the
 * launch changes, is not what it was; or (after the last) any of memory is not. */
int ptx_replay_next(struct ptx_replay *r, struct ptx_program *p, const struct ptx_launch *launch,
                    struct ptx_replay_step *step, struct err *e);

#endif
