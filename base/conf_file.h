/* base/conf_file.h: lines `name = value` of a settings file. '#' starts a comment, `[name]` a section. */
#ifndef VIVACE_BASE_CONF_FILE_H
#define VIVACE_BASE_CONF_FILE_H

#include "base/err.h"

/* Called for each setting before any section or in `section`. Reading stops when it returns -1. */
typedef int (*conf_file_fn)(void *ctx, const char *name, const char *value, struct err *e);
int conf_file_read(const char *path, const char *section, conf_file_fn fn, void *ctx, struct err *e);

#endif
