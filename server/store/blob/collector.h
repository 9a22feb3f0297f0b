/* server/store/blob/collector.h: the garbage collector. It removes stored bytes that nothing refers to, expired
 * uploads, and answers kept for repeated requests.
 *
 * The database decides what is referenced (repo_blob.c): blobs of profiles, of bound traces and their programs, of
 * unfinished jobs, of uploads. So the blobs of a deleted workload or team are removed in the end. A blob is
 * removed in two steps, and each may be repeated: first its row is deleted and a removal note is inserted, then
 * its bytes are removed. */
#ifndef VIVACE_SERVER_COLLECTOR_H
#define VIVACE_SERVER_COLLECTOR_H

#include <stdbool.h>

#include "server/store/store.h"
#include "server/store/db/db.h"

struct collection {
    uint64_t blobs, bytes;          /* unreferenced rows */
    uint64_t orphans, orphan_bytes; /* stored bytes without a row */
    uint64_t uploads;               /* expired uploads */
};
/* Runs one pass at the current time. dry_run: changes nothing, counts, and prints each hash with its bytes. */
int collect(struct store *store, struct db *db, bool dry_run, struct collection *out, struct err *e) MUST_CHECK;

/* The thread that runs a pass each `collect-each`, on one server of the farm at a time. */
struct collector;
int collector_start(struct store *store, struct collector **out, struct err *e);
void collector_stop(struct collector *c);

#endif
