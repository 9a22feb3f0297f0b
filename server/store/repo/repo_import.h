/* server/store/repo/repo_import.h: imports, which convert uploaded profiler files to profiles. */
#ifndef VIVACE_SERVER_DB_REPO_IMPORT_H
#define VIVACE_SERVER_DB_REPO_IMPORT_H

#include "base/strbuf.h"
#include "server/store/db/db.h"
#include "server/store/repo/repo_upload.h"

struct import {
    char id[UUID_TEXT], upload[UUID_TEXT], name[256], workload[208], sha256[65];
    uint64_t bytes;
    int64_t team;
    bool known; /* the uploaded bytes were stored as a blob before */
};

/* Finds the import of an upload. Returns 1 and its id, or 0 when there is none. */
int repo_import_of_upload(struct db *db, const char *upload, char id[UUID_TEXT], struct err *e) MUST_CHECK;
/* Inserts the import of a finished upload. by: name of the user. holder: id of the server that runs it. */
int repo_import_put(struct db *db, const char *id, int64_t team, const struct upload *u, const char *by,
                    const char *holder, wall_us now, struct err *e) MUST_CHECK;
/* Reads what the server needs to run the import. Returns 1, or 0 when it is deleted or over. */
int repo_import_open(struct db *db, const char *id, struct import *out, struct err *e) MUST_CHECK;
/* Rows: ids of the unfinished imports of this server. */
int repo_import_unfinished(struct db *db, const char *holder, struct db_rows *out, struct err *e) MUST_CHECK;
/* Updates the progress. The hash of the blob is known at this point. */
int repo_import_progress(struct db *db, const char *id, const char *stage, uint64_t bytes_read, uint64_t rows_read,
                         struct err *e) MUST_CHECK;
int repo_import_upload_hash(struct db *db, const char *upload, const char *sha256, struct err *e) MUST_CHECK;
/* report may be NULL. */
int repo_import_fail(struct db *db, const char *id, const char *problem, const char *report, wall_us now,
                     struct err *e) MUST_CHECK;
int repo_import_ready(struct db *db, const char *id, const char *report, uint64_t rows, wall_us now,
                      struct err *e) MUST_CHECK;
/* The import as in the API: returns 1, or 0 when this team has no import with that id. */
int repo_import_json(struct db *db, const char *id, int64_t team, struct strbuf *out, struct err *e) MUST_CHECK;

#endif
