/* server/store/db/migrate.h: brings a database to the schema that this program knows (the files of schema/,
 * embedded). */
#ifndef VIVACE_SERVER_DB_MIGRATE_H
#define VIVACE_SERVER_DB_MIGRATE_H

#include <stddef.h>

#include "base/err.h"

/* Applies the files that are missing, each in one transaction under an advisory lock, so that several servers may
 * start at once. A database at 0541_task, the last schema before the baseline, is upgraded in one transaction.
 * Refuses an older one, one with a file that this program does not know (of a newer server), and one with another
 * checksum. */
int migrate(const char *conninfo, struct err *e);
/* 0: the database is current; -1 says what is not. Changes nothing. */
int migrate_check(const char *conninfo, struct err *e);
/* 0: migrate() takes a schema with the files of these names, such as "0009_job". -1: it does not, for the reason in
 * e, which calls the owner of the names `what`. */
int migrate_check_names(const char *const *names, size_t count, const char *what, struct err *e);

#endif
