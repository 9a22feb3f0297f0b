/* ingest/nsys_database.h: an export of nsys as a SQLite database, from an untrusted source.
 *
 * The database is opened read-only and immutable, with SQLite's own protections on. An authorizer lets statements
 * read only the tables named here. Other data in these files (environment, host, user, processes) can therefore
 * never be read. Work is bounded by the size of the file. */
#ifndef VIVACE_INGEST_NSYS_DATABASE_H
#define VIVACE_INGEST_NSYS_DATABASE_H

#include <sqlite3.h>
#include <stdint.h>

#include "base/err.h"

#define NSYS_KERNELS "CUPTI_ACTIVITY_KIND_KERNEL"
#define NSYS_GRAPHS  "CUPTI_ACTIVITY_KIND_GRAPH_TRACE"
#define NSYS_CALLS   "CUPTI_ACTIVITY_KIND_RUNTIME"
#define NSYS_RANGES  "NVTX_EVENTS"
#define NSYS_COPIES  "CUPTI_ACTIVITY_KIND_MEMCPY"
#define NSYS_MEMSETS "CUPTI_ACTIVITY_KIND_MEMSET"
#define NSYS_SYNCS   "CUPTI_ACTIVITY_KIND_SYNCHRONIZATION"

struct nsys_database {
    const char *name; /* name of the file, for messages */
    sqlite3 *sqlite;
    uint64_t file_bytes, page_bytes;
    uint64_t ops, ops_max; /* steps of SQLite's virtual machine: executed, and the limit for this file */
};
/* ERR_INVALID when the file is truncated or has content that an export never has. The caller closes it, also
 * after -1. */
int nsys_database_open(struct nsys_database *d, const char *path, const char *name, struct err *e);
void nsys_database_close(struct nsys_database *d);
/* Fills *e with SQLite's last error and what to do. Returns -1. */
int nsys_failed(const struct nsys_database *d, struct err *e);
int nsys_prepare(struct nsys_database *d, sqlite3_stmt **out, const char *sql, struct err *e);
/* 1: an ordinary table; 0: absent; -1: a view or virtual table, or an error. Views and virtual tables could run
 * code from the file. */
int nsys_has_table(struct nsys_database *d, const char *name, struct err *e);
/* -1 if the table has computed columns, which could run code of the file, or lacks one of `required` (ends with
 * NULL). The table exists. */
int nsys_check_columns(struct nsys_database *d, const char *table, const char *const *required, struct err *e);
/* *out is 0 when the table is absent. */
int nsys_count_rows(struct nsys_database *d, const char *table, uint64_t *out, struct err *e);
/* ERR_INVALID when more rows were read than a file of this size can have. */
int nsys_check_row_count(const struct nsys_database *d, uint64_t rows, struct err *e);
/* Bytes of the pages read so far. */
uint64_t nsys_bytes_read(struct nsys_database *d);

#endif
