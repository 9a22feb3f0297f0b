/* server/store/repo/repo_result.h: results by key. The first one of a key counts; another digest is a dispute. */
#ifndef VIVACE_SERVER_DB_REPO_RESULT_H
#define VIVACE_SERVER_DB_REPO_RESULT_H

#include "base/hash.h"
#include "base/strbuf.h"
#include "server/store/db/db.h"
#include "wire/result.h"

struct result_row {
    char id[UUID_TEXT];
    const char *key;       /* hex */
    const char *worker;    /* who simulated it */
    double inside_kernels; /* that its run allows */
    const struct result *result;
    char *body; /* JSON text */
};
/* Inserts; known keys are left as they are. *fresh: how many were not known. */
int repo_result_put(struct db *db, const struct result_row *rows, size_t count, wall_us now, size_t *fresh,
                    struct err *e) MUST_CHECK;
/* The results with these keys (array literal of hex), ordered by key: id, key (hex), digest. */
int repo_result_find(struct db *db, const char *keys, struct db_rows *out, struct err *e) MUST_CHECK;
/* Keeps a second result beside the first and marks that one. */
int repo_result_dispute(struct db *db, const char *result, const char *digest, const char *worker, const char *body,
                        wall_us now, struct err *e) MUST_CHECK;
/* 1 with id, trace, design, simulator, body as columns; 0 when no run of this team uses it. */
int repo_result_get(struct db *db, const char *id, int64_t team, struct db_rows *out, struct err *e) MUST_CHECK;
/* The same without its body. */
struct result_brief {
    bool replay, traced, discarded; /* traced: its trace is stored */
    bool projected;                 /* inside its launch */
    char simulator[WIRE_VERSION];
};
int repo_result_brief(struct db *db, const char *id, int64_t team, struct result_brief *out,
                      struct err *e) MUST_CHECK;
/* JSON text of where the team's newest run got it from: run, job, plan, workload, launch, what the profile
 * measured; 1, 0 none. */
int repo_result_use_json(struct db *db, const char *id, int64_t team, struct strbuf *out, struct err *e) MUST_CHECK;
/* What launches measured in the profile's unit took to simulate by this version, the newest of its team, by
 * design: value, seconds, design. */
int repo_result_costs(struct db *db, const char *profile, const char *simulator, struct db_rows *out,
                      struct err *e) MUST_CHECK;
/* What this version simulated of the profile's launches on a design (its SHA-256), a row a launch, in launch order:
 * launch, cycles, launch cycles. */
int repo_result_cycles(struct db *db, const char *profile, const char *design, const char *simulator,
                       struct db_rows *out, struct err *e) MUST_CHECK;

#endif
