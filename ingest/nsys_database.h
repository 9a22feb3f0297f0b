/* ingest/nsys_database.h: an export of nsys as a SQLite database that a stranger gave us.
 *
 * It is opened read-only and immutable, SQLite's own defences are on, and an authorizer lets statements see the
 * tables named here and nothing else, so that what else these files hold (environment, host, user, processes) is
 * out of reach even by mistake. Work is bounded by the size of the file. */
#ifndef VIVACE_INGEST_NSYS_DATABASE_H
#define VIVACE_INGEST_NSYS_DATABASE_H

#include <sqlite3.h>
#include <stdint.h>

#include "base/err.h"

#define NSYS_KERNELS "CUPTI_ACTIVITY_KIND_KERNEL"
#define NSYS_GRAPHS  "CUPTI_ACTIVITY_KIND_GRAPH_TRACE"

struct nsys_database {
    const char *name; /* of the file, for messages */
    sqlite3 *sqlite;
    uint64_t file_bytes, page_bytes;
    uint64_t ops, ops_most; /* steps of SQLite's machine: taken, and the most that this file may ask for */
};
/* ERR_INVALID when the file was cut off, or holds what no export does. Close it in any case. */
int nsys_database_open(struct nsys_database *d, const char *path, const char *name, struct err *e);
void nsys_database_close(struct nsys_database *d);
/* What SQLite says went wrong last, as a sentence with the way out; -1. */
int nsys_failed(const struct nsys_database *d, struct err *e);
int nsys_prepare(struct nsys_database *d, sqlite3_stmt **out, const char *sql, struct err *e);
/* 1: an ordinary table; 0: there is none; -1. Views and virtual tables would run code of the file's choosing. */
int nsys_has_table(struct nsys_database *d, const char *name, struct err *e);
/* 0 where there is no such table. */
int nsys_count_rows(struct nsys_database *d, const char *table, uint64_t *out, struct err *e);
/* ERR_INVALID once more rows came than the file can hold. */
int nsys_check_row_count(const struct nsys_database *d, uint64_t rows, struct err *e);
/* Pages fetched so far stand for the bytes read. */
uint64_t nsys_bytes_read(struct nsys_database *d);

#endif
