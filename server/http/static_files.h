/* server/http/static_files.h: the dashboard's folder, opened once, before the server stops being root. */
#ifndef VIVACE_SERVER_STATIC_FILES_H
#define VIVACE_SERVER_STATIC_FILES_H

#include <stdint.h>

#include "base/err.h"

struct static_files;

/* A folder that is not there is no error: the API works without a dashboard, and the page says what is missing. */
int static_files_open(const char *folder, struct static_files **out, struct err *e);
void static_files_close(struct static_files *f);
/* path: "assets/<version>/app.js", already free of ".." and the like. 1 with an open file, 0: there is none. */
int static_files_get(const struct static_files *f, const char *path, int *fd, uint64_t *bytes, const char **type);

#endif
