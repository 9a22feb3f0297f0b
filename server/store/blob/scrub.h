/* server/store/blob/scrub.h: hashes stored bytes again, at a given rate. Damaged ones are set aside (quarantine/ in
 * the state folder) and count as not here: sending them again mends them, and until then jobs that need them say
 * so. */
#ifndef VIVACE_SERVER_SCRUB_H
#define VIVACE_SERVER_SCRUB_H

#include "server/store/store.h"
#include "server/store/db/db.h"

struct scrubbing {
    uint64_t blobs, bytes, damaged, missing;
};
/* Every blob that has not been looked at since this began; the longest unseen first, so an interrupted one goes on.
 */
int scrub(struct store *store, struct db *db, uint64_t bytes_a_s, struct scrubbing *out, struct err *e) MUST_CHECK;

#endif
