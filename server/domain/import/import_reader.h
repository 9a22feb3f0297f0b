/* server/domain/import/import_reader.h: a foreign file, read by a process of its own
 * (server/domain/import/import_child.h). */
#ifndef VIVACE_SERVER_IMPORT_READER_H
#define VIVACE_SERVER_IMPORT_READER_H

#include "base/strbuf.h"
#include "server/domain/farm.h"

struct import_reading {
    const char *file, *scratch; /* what it reads; what it writes (server/domain/import/profile_file.h) */
    /* NULL: a profile. Otherwise the file is wanted for its features, and this is what messages call it. */
    const char *features_name;
    int (*progress)(void *ctx, uint64_t bytes, uint64_t rows, struct err *e); /* now and then; may be NULL */
    void *progress_ctx;
    struct strbuf *report; /* JSON, when the process has sent one */
};
/* Takes as long as the file needs, within the settings import-memory and import-time: CPU executor only. -1 with
 * the reader's own sentence; ERR_BUSY when the server stops meanwhile. */
int import_read(struct farm *farm, const struct import_reading *r, struct err *e) MUST_CHECK;

#endif
