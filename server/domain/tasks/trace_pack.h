/* server/domain/tasks/trace_pack.h: a trace file of a profile: one .vtrace with all launches, or with those that
 * were recorded. Traces for later plans are cut out of it on the server. So no trace is sent twice, and a run that
 * gets more samples does not wait for users.
 *
 *   1. Every launch of the file is compared with the profile.
 *   2. The file is stored as a blob; profile.traces_sha256 names it.
 *   3. For each run that lacks traces, they are cut out of it, stored as blobs and bound to launches.
 *
 * The CPU executor cuts traces in batches, and jobs become ready batch by batch. Cutting can be repeated at any
 * time: traces that are bound stay bound. */
#ifndef VIVACE_SERVER_TRACE_PACK_H
#define VIVACE_SERVER_TRACE_PACK_H

#include "base/hash.h"
#include "server/domain/farm.h"
#include "server/store/db/db.h"

struct trace_pack {
    const char *profile, *file, *name; /* id; a staged file (removed in any case); the file's name in messages */
    const char *sha256;                /* of the file's bytes */
    uint64_t bytes;
    int64_t team;
    /* Output. */
    uint64_t launches, of, before; /* in the file; in the profile; in the previous file (0: none) */
    bool stays;                    /* the previous file remains the profile's file */
    char has[SHA256_HEX];          /* SHA-256 of the profile's file now */
};
/* Makes the file the profile's trace file. It replaces a previous file unless that one has launches which the
 * new file lacks. If the new file only has launches that the previous one has, and fewer, the previous one
 * remains. ERR_CONFLICT: each file has launches that the other lacks. ERR_INVALID: the file is invalid, or a
 * launch does not match the profile. ERR_NOT_FOUND: no such profile. Reads the whole profile: CPU executor only. */
int trace_pack_attach(struct farm *farm, struct db *db, struct trace_pack *t, struct err *e) MUST_CHECK;

/* Starts a task that looks for runs without traces, and for ended runs whose cache checks must be chosen
 * (run/cache_checks.h). Calls during its work start at most one more round. Does not block. */
void trace_pack_kick(struct farm *farm);
/* The work of that task, for callers with their own thread. An error of one plan does not stop the others. The
 * first error is returned when all plans were tried. */
int trace_pack_serve(struct farm *farm, struct db *db, struct err *e) MUST_CHECK;

#endif
