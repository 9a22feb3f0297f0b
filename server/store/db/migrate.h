/* server/store/db/migrate.h: brings a database to the schema that this program knows (the files of schema/,
 * embedded). */
#ifndef VIVACE_SERVER_DB_MIGRATE_H
#define VIVACE_SERVER_DB_MIGRATE_H

#include <stdbool.h>

#include "base/err.h"

/* Applies what is missing, each file in one transaction under an advisory lock, so that several servers may start
 * at once. Refuses a database with a file it does not know (a newer server was here) or with another checksum. */
int migrate(const char *conninfo, struct err *e);
/* 0: the database is current; -1 says what is not. Changes nothing. */
int migrate_check(const char *conninfo, struct err *e);
/* Is there such a schema file, as "0104_job"? */
bool migrate_knows(const char *name);

#endif
