/* server/store/blob/store_mark.h: marks the folder of stored files with the machine that owns it.
 *
 * The file `host` names the machine whose server created the folder. A server of another machine refuses the
 * folder. Either the folder is a copy, and the two copies would diverge. Or both machines mount it, and then both
 * need --blob-store-shared, because a server that does not share its folder removes unfinished files at start. */
#ifndef VIVACE_SERVER_STORE_MARK_H
#define VIVACE_SERVER_STORE_MARK_H

#include <stdbool.h>

#include "base/err.h"
#include "server/store/db/db.h"

/* Marks a folder that has no mark. ERR_CONFLICT: another machine has marked it, and `shared` is not set. */
int store_mark(const char *folder, bool shared, struct err *e);
struct server_config;
/* ERR_CONFLICT: the database has stored files, but the folder contains none. A bucket is not checked. */
int store_fits_database(const struct server_config *c, struct db *db, struct err *e);

#endif
