/* server/platform/net/static_files.h: the dashboard's folder, opened once, before the server stops being root. */
#ifndef VIVACE_SERVER_STATIC_FILES_H
#define VIVACE_SERVER_STATIC_FILES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"

struct static_files;

/* A folder that is not there is no error: the API works without a dashboard, and the page says what is missing. */
int static_files_open(const char *folder, struct static_files **out, struct err *e);
void static_files_close(struct static_files *f);
/* Whether an Accept-Encoding (NULL: none was sent) takes gzip (RFC 9110, 12.5.3). */
bool static_files_gzip(const char *accepts);

struct static_file {
    int fd; /* the caller closes it */
    uint64_t bytes;
    const char *type;
    bool gzip; /* what is open is the file packed, which `make web` puts beside it */
};
/* path: "assets/<version>/app.js", already free of ".." and the like. gzip: the packed file will do, where there is
 * one. 1 with an open file, 0: there is none. */
int static_files_get(const struct static_files *f, const char *path, bool gzip, struct static_file *out);

#endif
