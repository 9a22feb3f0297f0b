/* worker/scratch_dir.h: the temporary state folder of a worker in a batch job. It is removed with the job. */
#ifndef VIVACE_WORKER_SCRATCH_DIR_H
#define VIVACE_WORKER_SCRATCH_DIR_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"

/* 1: this is a job of Slurm, and `out` is a new folder in $SLURM_TMPDIR, else /tmp. 0: it is not. */
int scratch_dir_state_make(char *out, size_t size, struct err *e);
/* Removes the folder with its content. A failure is only logged: the batch system may remove it. */
void scratch_dir_state_remove(const char *folder);

#endif
