/* server/platform/net/static_files.h: the dashboard's folder. It is opened once, before the server gives up root
 * privileges. */
#ifndef VIVACE_SERVER_STATIC_FILES_H
#define VIVACE_SERVER_STATIC_FILES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"

struct static_files;

/* A missing folder is not an error: the API works without a dashboard, and the page reports that it is missing. */
int static_files_open(const char *folder, struct static_files **out, struct err *e);
void static_files_close(struct static_files *f);
/* Whether an Accept-Encoding value (NULL: the field is absent) allows gzip (RFC 9110, 12.5.3). */
bool static_files_gzip(const char *accepts);

struct static_file {
    int fd; /* the caller closes it */
    uint64_t bytes;
    const char *type;
    bool gzip; /* fd is the compressed file, which `make web` writes beside the original */
};
/* path: "assets/<version>/app.js", already checked for "..". gzip: the compressed file is preferred where it
 * exists. Returns 1 with an open file, or 0 when there is none. */
int static_files_get(const struct static_files *f, const char *path, bool gzip, struct static_file *out);

#endif
