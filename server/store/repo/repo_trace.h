/* server/store/repo/repo_trace.h: traces, and their bindings to the launches of profiles. */
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
    char program[SHA256_HEX]; /* for a launch of a program, else "" */
};
int repo_trace_put(struct db *db, const struct trace_row *row, wall_us now, struct err *e) MUST_CHECK;

/* Reads a blob that will be bound. Returns 1 when this team owns it. *known: it was parsed as a trace before; then
 * *name (the caller frees it), shape and counts are set. */
int repo_trace_find(struct db *db, const char *sha256, int64_t team, bool *known, struct trace_row *row,
                    char **name, struct err *e) MUST_CHECK;

/* Finds launch number `order` of a context. Returns 1, or 0 when no plan of the profile has sampled it. A trace is
 * valid for all plans of the profile. */
struct sampled_launch {
    uint64_t launch;
    char *kernel, *mangled_name; /* allocated; mangled_name may be NULL */
    uint32_t grid[3], block[3];
    char bound_to[SHA256_HEX]; /* "": no trace is bound */
};
int repo_trace_launch(struct db *db, const char *plan, uint64_t context, uint64_t order, struct sampled_launch *out,
                      struct err *e) MUST_CHECK;
void sampled_launch_release(struct sampled_launch *l);

int repo_trace_bind(struct db *db, const char *profile, uint64_t launch, const char *sha256, wall_us now,
                    struct err *e) MUST_CHECK;
/* The number of contexts of the plan's profile. */
int repo_trace_contexts(struct db *db, const char *plan, int64_t *out, struct err *e) MUST_CHECK;
int repo_trace_missing(struct db *db, const char *plan, int64_t *samples, int64_t *missing,
                       struct err *e) MUST_CHECK;
/* The number of these launches (array literal) of the plan's profile that have no trace and are not samples of the
 * plan. */
int repo_trace_unbound(struct db *db, const char *plan, const char *launches, int64_t *out,
                       struct err *e) MUST_CHECK;
/* Rows, in order: numbers of the plan's samples that have traces. */
int repo_trace_bound(struct db *db, const char *plan, struct db_rows *out, struct err *e) MUST_CHECK;
/* Appends {"samples","bound","missing":[…],"bindings":[…]}. */
int repo_trace_json(struct db *db, const char *plan, struct strbuf *out, struct err *e) MUST_CHECK;

#endif
