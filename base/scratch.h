/* base/scratch.h: the folder for temporary files, and files there without a name. */
#ifndef VIVACE_BASE_SCRATCH_H
#define VIVACE_BASE_SCRATCH_H

#include "base/err.h"

/* TMPDIR, or /tmp where that is not set. */
const char *scratch_folder(void);
/* Creates an empty file in scratch_folder() and opens it for reading and writing. The file has no name, so the
 * kernel removes it when its last descriptor is closed. `what`: the purpose of the file, for the error's text.
 * Returns the descriptor, which the caller closes, or -1. */
int scratch_file(const char *what, struct err *e) MUST_CHECK;

#endif
