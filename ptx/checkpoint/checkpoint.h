/* ptx/checkpoint/checkpoint.h: saves a program in the middle of a launch to a file, docs/formats/ptx-checkpoint.md.
 *
 * A point is (x, M, t, y). Launches before x have run. In launch x, the CTAs below M have ended, and each of the
 * next t CTAs has executed y warp instructions. No other CTA has begun. Memory is stored in pages of 4 KiB,
 * identified by their SHA-256. Each content is stored once, and not at all if a parent checkpoint contains it. */
#ifndef VIVACE_PTX_CHECKPOINT_CHECKPOINT_H
#define VIVACE_PTX_CHECKPOINT_CHECKPOINT_H

#include "ptx/exec/exec.h"

struct ptx_point {
    uint64_t launch, cta, ctas, instructions; /* x, M, t, y */
};
/* Parses "x:M:t:y", such as "3:16:2:500". Numbers omitted at the end are 0. ERR_USAGE. */
int ptx_point_parse(const char *text, struct ptx_point *out, struct err *e);

/* Describes the launch as text, to compare launches: kernel, grid, block, shared memory, a hash of its
 * parameters. */
int ptx_launch_text(const struct ptx_program *p, const struct ptx_launch *l, char *out, size_t n, struct err *e);

/* The state that is saved with the point. */
struct ptx_checkpoint_state {
    struct ptx_program *program;
    struct ptx_run *run; /* launch x at the point, after ptx_run_to() */
    const void *extra;   /* the caller's own bytes; a resumed checkpoint returns them unchanged */
    size_t extra_bytes;
};
/* Writes the file under a temporary name and renames it. parent: path of a checkpoint of the same program, or
 * NULL. The new file names its parent, so the parent must not move. A parent in the same folder is named
 * relative to it. */
int ptx_checkpoint_save(const char *path, const char *parent, const struct ptx_point *at,
                        const struct ptx_checkpoint_state *s, struct err *e);

struct ptx_checkpoint; /* opaque */
/* Reads and checks the file and its parents. ERR_MALFORMED: damaged or cut short; ERR_UNSUPPORTED: another
 * format. */
int ptx_checkpoint_open(const char *path, struct ptx_checkpoint **out, struct err *e);
void ptx_checkpoint_close(struct ptx_checkpoint *c);
const struct ptx_point *ptx_checkpoint_point(const struct ptx_checkpoint *c);
const void *ptx_checkpoint_extra(const struct ptx_checkpoint *c, size_t *n);
/* Restores memory and the launch in a program with the same modules and buffers. *run continues with
 * ptx_run_next(). `launch` must be launch x. ERR_UNSUPPORTED: the checkpoint has another version, other modules or
 * another launch. The observer in the options is notified that the CTAs in flight begin, and then of each
 * instruction that they execute after the point. */
int ptx_checkpoint_resume(const struct ptx_checkpoint *c, struct ptx_program *p, const struct ptx_launch *launch,
                          const struct ptx_exec_options *o, struct ptx_run **run, struct err *e);
/* As ptx_checkpoint_resume(), for a launch that ptx_run_new() created and that has not run yet. After an error the
 * caller may only free it. */
int ptx_checkpoint_load(const struct ptx_checkpoint *c, struct ptx_run *run, struct err *e);

#endif
