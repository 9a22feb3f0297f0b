/* server/domain/import/import_reader.h: reads an untrusted file in a separate process
 * (server/domain/import/import_child.h; for traces server/domain/tasks/trace_child.h and
 * pack_child.h). */
#ifndef VIVACE_SERVER_IMPORT_READER_H
#define VIVACE_SERVER_IMPORT_READER_H

#include "base/strbuf.h"
#include "server/domain/farm.h"

struct import_reading {
    const char *file, *scratch; /* input; output (server/domain/import/profile_file.h) */
    /* NULL: the file is a profile. Otherwise it is read for its features, and this is its name in messages. */
    const char *features_name;
    int (*progress)(void *ctx, uint64_t bytes, uint64_t rows, struct err *e); /* called repeatedly; may be NULL */
    void *progress_ctx;
    struct strbuf *report; /* JSON; empty if the process sent no report */
    bool killed_passes;    /* a process that was killed (SIGKILL) is ERR_UNAVAILABLE; otherwise ERR_INVALID */
};
/* Runs as long as reading the file takes, within the setting import-memory and an hour of processor time, so only
 * on the CPU executor. -1: the error of the import process, with a text that is safe to show; too little memory is
 * ERR_TOO_LARGE, and errors after which callers try again (the database's, for example) are ERR_INVALID. ERR_BUSY:
 * the server is stopping. */
int import_read(struct farm *farm, const struct import_reading *r, struct err *e) MUST_CHECK;

/* Runs this program as such a process, with the words `argv` (the program's path first, NULL at the end), and
 * reads the lines of import_child.h: it gives r->report and calls r->progress. The process has the memory limit
 * import-memory and an hour of processor time, and writes at most file_max bytes to a file. Errors as
 * import_read(). */
int import_read_by(struct farm *farm, const char *const *argv, uint64_t file_max, const struct import_reading *r,
                   struct err *e) MUST_CHECK;

#endif
