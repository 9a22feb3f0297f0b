/* ptx/checkpoint/checkpoint.h: a program in the middle of a launch, in a file; docs/formats/ptx-checkpoint.md.
 *
 * A point is (x, M, t, y): launches before x have run, of launch x the CTAs below M have run to their end, t CTAs
 * from M on have run y warp instructions each, nothing else has begun. Memory goes in pages of 4 KiB, each by its
 * SHA-256, each content once, and none that a parent checkpoint has already. */
#ifndef VIVACE_PTX_CHECKPOINT_CHECKPOINT_H
#define VIVACE_PTX_CHECKPOINT_CHECKPOINT_H

#include "ptx/exec/exec.h"

struct ptx_point {
    uint64_t launch, cta, ctas, instructions; /* x, M, t, y */
};
/* "3:16:2:500"; what is omitted at the end is 0. ERR_USAGE. */
int ptx_point_parse(const char *text, struct ptx_point *out, struct err *e);

/* Which launch it is, for comparison: kernel, grid, block, shared memory, a hash of its parameters. */
int ptx_launch_text(const struct ptx_program *p, const struct ptx_launch *l, char *out, size_t n, struct err *e);

/* What is saved beside the point. */
struct ptx_checkpoint_state {
    struct ptx_program *program;
    struct ptx_run *run; /* of launch x, at the point: after ptx_run_to() */
    const void *extra;   /* of the caller, given back as it is */
    size_t extra_bytes;
};
/* Written under a temporary name and renamed. parent: a checkpoint of the same program, or NULL; it must stay where
 * it is (its name is kept relative to the new file's folder when it lies there). */
int ptx_checkpoint_save(const char *path, const char *parent, const struct ptx_point *at,
                        const struct ptx_checkpoint_state *s, struct err *e);

struct ptx_checkpoint; /* opaque */
/* Reads and checks the file, and its parents. ERR_MALFORMED: damaged or cut short; ERR_UNSUPPORTED: another format.
 */
int ptx_checkpoint_open(const char *path, struct ptx_checkpoint **out, struct err *e);
void ptx_checkpoint_close(struct ptx_checkpoint *c);
const struct ptx_point *ptx_checkpoint_point(const struct ptx_checkpoint *c);
const void *ptx_checkpoint_extra(const struct ptx_checkpoint *c, size_t *n);
/* Into a program with the same modules loaded and the same buffers allocated: memory becomes what it was, and *run
 * the launch as it was, to go on with ptx_run_next(). `launch` is launch x again. ERR_UNSUPPORTED: the checkpoint
 * is of another version, other modules, another launch. The observer of the options is notified that the CTAs in
 * flight begin, and what they execute from here on. */
int ptx_checkpoint_resume(const struct ptx_checkpoint *c, struct ptx_program *p, const struct ptx_launch *launch,
                          const struct ptx_exec_options *o, struct ptx_run **run, struct err *e);
/* The same for a launch that ptx_run_new() has made and of which nothing has run. After an error it can only be
 * freed. */
int ptx_checkpoint_load(const struct ptx_checkpoint *c, struct ptx_run *run, struct err *e);

#endif
