/* server/store/blob/blob_publish.h: staged bytes become a blob that a team owns: announced, made durable, then
 * written down.
 *
 * Killed between any two steps, nothing is half there: before the last step no row speaks of the blob, and bytes
 * that lie in the store without one are collected (server/store/blob/collector.h). */
#ifndef VIVACE_SERVER_BLOB_PUBLISH_H
#define VIVACE_SERVER_BLOB_PUBLISH_H

#include "server/store/store.h"
#include "server/store/db/db.h"

struct blob_publication {
    const char
        *staged_path; /* gone afterwards, unless the answer is ERR_BUSY or ERR_DATABASE; NULL: it is stored */
    const char *sha256;
    uint64_t bytes;
    int64_t team;
    const char *upload; /* its reservation becomes the stored bytes; NULL: the team's quota is asked */
};
/* ERR_NO_SPACE and ERR_TOO_LARGE: the quota; ERR_BUSY: the same bytes are being removed, try again. */
int blob_publish(struct store *store, struct db *db, const struct blob_publication *b, struct err *e) MUST_CHECK;

#endif
