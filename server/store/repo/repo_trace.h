/* server/store/repo/repo_trace.h: traces, and which launch of a profile each belongs to. */
#ifndef VIVACE_SERVER_DB_REPO_TRACE_H
#define VIVACE_SERVER_DB_REPO_TRACE_H

#include "base/hash.h"
#include "base/strbuf.h"
#include "server/store/db/db.h"

struct trace_row {
    char sha256[SHA256_HEX];
    const char *name;
    uint32_t grid[3], block[3];
    uint64_t warp_instructions, ctas, warps, bytes;
    char program[SHA256_HEX]; /* of a launch of a program; else "" */
};
int repo_trace_put(struct db *db, const struct trace_row *row, wall_us now, struct err *e) MUST_CHECK;

/* What is known of a blob that shall be bound: 1 when this team has sent it. known: it was read as a trace before,
 * then name (malloc'ed into *name), shape and counts are filled. */
int repo_trace_find(struct db *db, const char *sha256, int64_t team, bool *known, struct trace_row *row,
                    char **name, struct err *e) MUST_CHECK;

/* Launch number `order` of a context: 1 and its facts, 0 when neither the plan nor another of its profile drew it.
 * A trace serves every plan of the profile. */
struct sampled_launch {
    uint64_t launch;
    char *kernel, *mangled_name; /* malloc'ed; mangled_name may be NULL */
    uint32_t grid[3], block[3];
    char bound_to[SHA256_HEX]; /* "" when nothing is bound */
};
int repo_trace_launch(struct db *db, const char *plan, uint64_t context, uint64_t order, struct sampled_launch *out,
                      struct err *e) MUST_CHECK;
void sampled_launch_release(struct sampled_launch *l);

int repo_trace_bind(struct db *db, const char *profile, uint64_t launch, const char *sha256, wall_us now,
                    struct err *e) MUST_CHECK;
/* Contexts of the plan's profile. */
int repo_trace_contexts(struct db *db, const char *plan, int64_t *out, struct err *e) MUST_CHECK;
int repo_trace_missing(struct db *db, const char *plan, int64_t *samples, int64_t *missing,
                       struct err *e) MUST_CHECK;
/* How many of these launches (array literal) of the plan's profile have no trace and are not the plan's. */
int repo_trace_unbound(struct db *db, const char *plan, const char *launches, int64_t *out,
                       struct err *e) MUST_CHECK;
/* Rows: numbers of the plan's samples whose traces are here, in order. */
int repo_trace_bound(struct db *db, const char *plan, struct db_rows *out, struct err *e) MUST_CHECK;
/* {"samples","bound","missing":[…],"bindings":[…]} */
int repo_trace_json(struct db *db, const char *plan, struct strbuf *out, struct err *e) MUST_CHECK;

#endif
