/* server/store/db/migrate.h: migrates a database to the schema of this program (the files of schema/,
 * embedded). */
#ifndef VIVACE_SERVER_DB_MIGRATE_H
#define VIVACE_SERVER_DB_MIGRATE_H

#include <stddef.h>

#include "base/err.h"

struct db;

/* Applies the missing files, each in one transaction under an advisory lock, so that several servers may start at
 * the same time. A database at 0541_task, the last schema before the baseline, is upgraded in one transaction.
 * Refuses an older database, a database with a file that this program does not know (of a newer server), and a
 * database whose file has another checksum. */
int migrate(const char *conninfo, struct err *e);
/* 0: the database has the current schema. -1: *e names the difference. Changes nothing. */
int migrate_check(const char *conninfo, struct err *e);
/* 0: this program knows all schema files of the database. -1: *e names one that it does not know
 * (ERR_UNSUPPORTED), or has the error of the database. */
int migrate_check_unknown(struct db *db, struct err *e);
/* 0: migrate() accepts a schema with files of these names, such as "0009_job". -1: it does not; *e has the reason
 * and names the source of the names with `what`. */
int migrate_check_names(const char *const *names, size_t count, const char *what, struct err *e);

#endif
