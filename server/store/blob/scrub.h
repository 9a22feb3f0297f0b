/* server/store/blob/scrub.h: hashes all stored bytes again at a limited rate. A damaged blob is moved to
 * quarantine/ and counts as missing. Sending the same bytes again repairs it. Until then, jobs that need it report
 * that it is missing. */
#ifndef VIVACE_SERVER_SCRUB_H
#define VIVACE_SERVER_SCRUB_H

#include "server/store/store.h"
#include "server/store/db/db.h"

struct scrubbing {
    uint64_t blobs, bytes, damaged, missing;
};
/* Checks every blob that was not checked since this call began, the longest unchecked first. So an interrupted
 * scrub continues where it stopped. */
int scrub(struct store *store, struct db *db, uint64_t bytes_a_s, struct scrubbing *out, struct err *e) MUST_CHECK;

#endif
