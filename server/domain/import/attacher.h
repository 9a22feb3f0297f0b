/* server/domain/import/attacher.h: a file of features -> a stored profile.
 *
 *   file --import child--> scratch file --checked readers--> launches compared --one commit--> profile_feature
 *
 * The profile's hash covers its features: it becomes what `vivace plan --features` computes of the same two files.
 * Plans made before keep the hash of what they were planned from; answers kept under the old features are dropped.
 */
#ifndef VIVACE_SERVER_ATTACHER_H
#define VIVACE_SERVER_ATTACHER_H

#include "base/hash.h"
#include "base/strbuf.h"
#include "sampling/plan.h"
#include "server/domain/farm.h"
#include "server/store/db/db.h"

#define ATTACHER_METHODS_MAX 64 /* bits of a mask of methods */

struct attachment {
    const char *profile, *file, *name; /* an id, a path, and what messages call the file */
    int64_t team;
    /* The answer. */
    char sha256[SHA256_HEX];  /* the profile's new hash */
    uint64_t launches, known; /* of the profile; the first ones, that the file has features of */
    struct strbuf added;      /* what the file brought (server/domain/import/feature_text.h) */
    size_t method_count;      /* that can plan the profile now, and could not before */
    const struct method *methods[ATTACHER_METHODS_MAX]; /* borrowed */
};
/* The caller initialises `added` and releases it. ERR_NOT_FOUND: no such profile; ERR_CONFLICT: a run of it is
 * under way, or its features are changing; ERR_INVALID: what the file is, or the first launch that differs. Takes
 * as long as the file needs: CPU executor only. */
int attacher_attach(struct farm *farm, struct db *db, struct attachment *a, struct err *e) MUST_CHECK;

#endif
