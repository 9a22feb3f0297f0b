/* base/scratch.h: the folder for temporary files, and files there without a name. */
#ifndef VIVACE_BASE_SCRATCH_H
#define VIVACE_BASE_SCRATCH_H

#include "base/err.h"

/* TMPDIR, or /tmp where that is not set. */
const char *scratch_folder(void);
/* An empty file in that folder, open for reading and writing. It has no name, so the kernel removes it with its
 * last descriptor. `what` it is for is part of the error's text. Returns the descriptor, or -1. */
int scratch_file(const char *what, struct err *e) MUST_CHECK;

#endif
