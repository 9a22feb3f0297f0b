/* cli/code/exec_library.h: finds the CUDA runtime for `vivace exec`. */
#ifndef VIVACE_CLI_EXEC_LIBRARY_H
#define VIVACE_CLI_EXEC_LIBRARY_H

#include <limits.h>

#include "base/err.h"

/* The folder with libcudart.so.13: the program's own folder (in a build), or ../lib/vivace relative to it (when
 * installed). ERR_NOT_FOUND names both. */
int exec_library_folder(char out[PATH_MAX], struct err *e);

#endif
