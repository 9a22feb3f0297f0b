/* server/domain/import/attacher.h: attaches a file of features to a stored profile.
 *
 *   file --import child--> scratch file --checked readers--> launches compared --one commit--> profile_feature
 *
 * The profile's hash covers its features. The new hash equals that of `vivace plan --features` for the same two
 * files. Existing plans keep the hash that they were made with. Cached answers for the old features are deleted. */
#ifndef VIVACE_SERVER_ATTACHER_H
#define VIVACE_SERVER_ATTACHER_H

#include "base/hash.h"
#include "base/strbuf.h"
#include "sampling/plan/plan.h"
#include "server/domain/farm.h"
#include "server/store/db/db.h"

#define ATTACHER_METHODS_MAX 64 /* bits in a mask of methods */

struct attachment {
    const char *profile, *file, *name; /* id; path; name of the file in messages */
    int64_t team;
    /* Results. */
    char sha256[SHA256_HEX]; /* the profile's new hash */
    uint64_t launches,
        known;           /* launches: of the profile; known: the first of these, which have features in the file */
    struct strbuf added; /* what the file added, as text (server/domain/import/feature_text.h) */
    size_t method_count; /* methods that can plan the profile now but could not before */
    const struct method *methods[ATTACHER_METHODS_MAX]; /* borrowed */
};
/* The caller initializes `added` and releases it. ERR_NOT_FOUND: no such profile. ERR_CONFLICT: a run of it is
 * active, or its features are changing. ERR_INVALID: the file is invalid, or a launch differs (the first one is
 * named). Runs as long as reading the file takes, so only on the CPU executor. */
int attacher_attach(struct farm *farm, struct db *db, struct attachment *a, struct err *e) MUST_CHECK;

#endif
