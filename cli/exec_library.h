/* cli/exec_library.h: where the CUDA runtime for `vivace exec` lies. */
#ifndef VIVACE_CLI_EXEC_LIBRARY_H
#define VIVACE_CLI_EXEC_LIBRARY_H

#include <limits.h>

#include "base/err.h"

/* The folder with libcudart.so.13: the program's own (a build folder), or ../lib/vivace beside it (installed).
 * ERR_NOT_FOUND with both. */
int exec_library_folder(char out[PATH_MAX], struct err *e);

#endif
