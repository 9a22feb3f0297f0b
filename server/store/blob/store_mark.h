/* server/store/blob/store_mark.h: whose folder of stored files this is.
 *
 * The file `host` in it names the machine whose server made it. Another machine's server refuses it: either it was
 * copied, and the two would drift apart, or both machines reach it, and then each needs to be configured so
 * (--blob-store-shared), because a server alone with its folder tidies it up at start. */
#ifndef VIVACE_SERVER_STORE_MARK_H
#define VIVACE_SERVER_STORE_MARK_H

#include <stdbool.h>

#include "base/err.h"
#include "server/store/db/db.h"

/* Marks a folder that has no mark yet. ERR_CONFLICT: another machine has marked it and it is not `shared`. */
int store_mark(const char *folder, bool shared, struct err *e);
struct server_config;
/* ERR_CONFLICT when the database knows stored files and the folder has none at all: they lie somewhere else. A
 * bucket is not looked into. */
int store_fits_database(const struct server_config *c, struct db *db, struct err *e);

#endif
