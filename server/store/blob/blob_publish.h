/* server/store/blob/blob_publish.h: turns a staged file into a blob that a team owns. It announces the hash in the
 * database, makes the bytes durable, then inserts the blob's row.
 *
 * If the server is killed between two steps, nothing is inconsistent: no row refers to the blob before the last
 * step, and the collector removes stored bytes without a row (server/store/blob/collector.h). */
#ifndef VIVACE_SERVER_BLOB_PUBLISH_H
#define VIVACE_SERVER_BLOB_PUBLISH_H

#include "server/store/store.h"
#include "server/store/db/db.h"

struct blob_publication {
    const char *staged_path; /* deleted unless the result is ERR_BUSY or ERR_DATABASE; NULL: it is stored */
    const char *sha256;
    uint64_t bytes;
    int64_t team;
    const char *upload; /* its reservation pays for the bytes; NULL: the team's quota is checked */
};
/* ERR_NO_SPACE, ERR_TOO_LARGE: the quota is exceeded. ERR_BUSY: the same bytes are being removed; the caller tries
 * again. */
int blob_publish(struct store *store, struct db *db, const struct blob_publication *b, struct err *e) MUST_CHECK;

#endif
