/* server/store/blob/collector.h: removes what nobody needs any more: stored bytes that nothing refers to, uploads
 * that expired, answers kept for repeated requests.
 *
 * What counts as needed is a question to the tables (repo_blob.c): blobs of profiles, of bound traces and their
 * programs, of jobs that are not over, of uploads. Deleting a workload or a team so frees its blobs in the end. A
 * blob goes in two steps, both of which can be repeated: its row, with a note that its bytes are to go; then its
 * bytes. */
#ifndef VIVACE_SERVER_COLLECTOR_H
#define VIVACE_SERVER_COLLECTOR_H

#include <stdbool.h>

#include "server/store/store.h"
#include "server/store/db/db.h"

struct collection {
    uint64_t blobs, bytes;          /* unreferenced rows */
    uint64_t orphans, orphan_bytes; /* bytes without a row */
    uint64_t uploads;               /* expired */
};
/* One pass at this time. dry_run: only counts, and prints each hash with its bytes. */
int collect(struct store *store, struct db *db, bool dry_run, struct collection *out, struct err *e) MUST_CHECK;

/* The thread that does it each `collect-each`, on one server of the farm at a time. */
struct collector;
int collector_start(struct store *store, struct collector **out, struct err *e);
void collector_stop(struct collector *c);

#endif
