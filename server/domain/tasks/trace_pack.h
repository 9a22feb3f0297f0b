/* server/domain/tasks/trace_pack.h: one .vtrace that holds launches of a profile: all of them, or those that were
 * recorded. Whatever a plan draws later is cut out of it here, so nobody sends a trace twice, and a run that grows
 * does not wait for anybody.
 *
 *   file --every launch compared--> blob --profile.traces_sha256--> runs that miss traces --cut--> blobs, bindings
 *
 * Cutting is done on the CPU executor, a batch at a time, and jobs become ready batch by batch. It can be done
 * again at any time: what is bound already stays. */
#ifndef VIVACE_SERVER_TRACE_PACK_H
#define VIVACE_SERVER_TRACE_PACK_H

#include "base/hash.h"
#include "server/domain/farm.h"
#include "server/store/db/db.h"

struct trace_pack {
    const char *profile, *file, *name; /* an id, a staged file (gone afterwards), what messages call it */
    const char *sha256;                /* of the file's bytes */
    uint64_t bytes;
    int64_t team;
    /* The answer. */
    uint64_t launches, of, before; /* in the file; of the profile; in the file that the profile had, 0: none */
    bool stays;                    /* the profile's file is the one that it had */
    char has[SHA256_HEX];          /* the profile's file now */
};
/* The file becomes the profile's, in place of one that has no launch which it lacks, one of the
 * same launches included. Where it brings no launch that the other lacks and has fewer, that one stays.
 * ERR_CONFLICT: each has launches of its own; ERR_INVALID: what the file is, or the first launch that is not the
 * profile's; ERR_NOT_FOUND: no such profile. Reads the whole profile: CPU executor only. */
int trace_pack_attach(struct farm *farm, struct db *db, struct trace_pack *t, struct err *e) MUST_CHECK;

/* Runs may miss traces now, or be over and want launches simulated after a replay (run/cache_checks.h): they
 * are looked for soon, by one task however often this is called. Never waits. */
void trace_pack_kick(struct farm *farm);
/* What the task does, for who has a thread of his own. An error that is in the way of one plan alone is not in that
 * of the others: the first one comes back when all were tried. */
int trace_pack_serve(struct farm *farm, struct db *db, struct err *e) MUST_CHECK;

#endif
