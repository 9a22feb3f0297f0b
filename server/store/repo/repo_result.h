/* server/store/repo/repo_result.h: results by key. The first result of a key is valid. A later one with another
 * digest is a dispute. */
#ifndef VIVACE_SERVER_DB_REPO_RESULT_H
#define VIVACE_SERVER_DB_REPO_RESULT_H

#include "base/hash.h"
#include "base/strbuf.h"
#include "server/store/db/db.h"
#include "wire/result.h"

struct result_row {
    char id[UUID_TEXT];
    const char *key;       /* hex */
    const char *worker;    /* name of the worker that simulated it */
    double inside_kernels; /* as in struct lease (wire/lease.h), from its run; 0: whole launches only */
    const struct result *result;
    char *body; /* JSON text */
};
/* Inserts results. Existing keys are not changed. *fresh: number of inserted rows. */
int repo_result_put(struct db *db, const struct result_row *rows, size_t count, wall_us now, size_t *fresh,
                    struct err *e) MUST_CHECK;
/* Rows: id, key (hex), digest of the results with these keys (array literal of hex), ordered by key. */
int repo_result_find(struct db *db, const char *keys, struct db_rows *out, struct err *e) MUST_CHECK;
/* Stores a differing second result beside the first one, and marks the first as disputed. */
int repo_result_dispute(struct db *db, const char *result, const char *digest, const char *worker, const char *body,
                        wall_us now, struct err *e) MUST_CHECK;
/* Returns 1 with the columns id, trace, design, simulator, body, or 0 when no run of this team uses the result. */
int repo_result_get(struct db *db, const char *id, int64_t team, struct db_rows *out, struct err *e) MUST_CHECK;
/* A result without its body. */
struct result_brief {
    bool replay, traced, discarded; /* traced: its trace is stored */
    bool projected;                 /* projected inside its launch */
    char simulator[WIRE_VERSION];
};
int repo_result_brief(struct db *db, const char *id, int64_t team, struct result_brief *out,
                      struct err *e) MUST_CHECK;
/* JSON text of the use of the result in the team's newest run: run, job, plan, workload, launch, profiled value.
 * Returns 1, or 0 when there is none. */
int repo_result_use_json(struct db *db, const char *id, int64_t team, struct strbuf *out, struct err *e) MUST_CHECK;
/* Rows: value in the profile's unit, seconds of simulation by this version, design; the newest results of the
 * team, by design. */
int repo_result_costs(struct db *db, const char *profile, const char *simulator, struct db_rows *out,
                      struct err *e) MUST_CHECK;
/* Rows: launch, cycles, launch cycles of the profile's launches that this version has simulated on a design (its
 * SHA-256), in launch order. */
int repo_result_cycles(struct db *db, const char *profile, const char *design, const char *simulator,
                       struct db_rows *out, struct err *e) MUST_CHECK;

#endif
