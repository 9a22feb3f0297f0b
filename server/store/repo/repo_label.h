/* server/store/repo/repo_label.h: names, tags and notes that users give to runs and plans; archives and deletes
 * runs and plans. */
#ifndef VIVACE_SERVER_DB_REPO_LABEL_H
#define VIVACE_SERVER_DB_REPO_LABEL_H

#include <stdbool.h>
#include <stdint.h>

#include "base/strbuf.h"
#include "server/store/db/db.h"

enum labelled { LABELLED_RUN, LABELLED_PLAN };
struct label_change {               /* NULL: stays as it is */
    const char *name, *tags, *note; /* tags: an array literal (db_array_begin) */
    const bool *archived;
};
/* Members of `label` in the JSON of runs and plans, for db_json.h. */
#define LABEL_FIELDS                                                                                               \
    {                                                                                                              \
        FIELD_TEXT("name"), FIELD_TEXTS_OR_EMPTY("tags"), FIELD_TEXT("note"), FIELD_BOOL("archived"), FIELDS_END   \
    }
/* Which rows a list shows. */
struct label_filter {
    const char *tag; /* NULL: all */
    bool archived;   /* true: only archived rows; false: only the others */
};
/* Returns 1, or 0 when this team has no such object. */
int repo_label_change(struct db *db, enum labelled what, const char *id, int64_t team, const struct label_change *c,
                      wall_us now, struct err *e) MUST_CHECK;
/* JSON array: runs of a plan, share links, pilots. */
int repo_label_dependents(struct db *db, enum labelled what, const char *id, int64_t team, wall_us now,
                          struct strbuf *out, struct err *e) MUST_CHECK;
/* Deletes the object with all that belongs to it. Returns 1. Returns 0 when it does not exist, is an open run, or
 * has an open run. In the last case the ended runs of the plan are deleted; the caller must roll back its
 * transaction to keep them. */
int repo_label_delete(struct db *db, enum labelled what, const char *id, int64_t team, struct err *e) MUST_CHECK;

#endif
