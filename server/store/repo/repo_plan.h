/* server/store/repo/repo_plan.h: plans: a row, its strata, its samples, the contexts they were drawn from. */
#ifndef VIVACE_SERVER_DB_REPO_PLAN_H
#define VIVACE_SERVER_DB_REPO_PLAN_H

#include "base/strbuf.h"
#include "sampling/plan.h"
#include "server/store/db/list_order.h"

/* Stores everything; inside a transaction. `file` is the canonical text. */
int repo_plan_put(struct db *db, const char *id, const char *profile_id, const struct profile *profile,
                  const struct plan *plan, double actual_error, const char *file, wall_us now,
                  struct err *e) MUST_CHECK;
int repo_plan_exists(struct db *db, const char *id, struct err *e) MUST_CHECK; /* 1, or 0 */
/* From its canonical file, checked as any foreign plan would be. ERR_NOT_FOUND when there is none. */
int repo_plan_load(struct db *db, const char *id, struct plan *out, struct err *e) MUST_CHECK;
/* Profile of a plan of this team: 1 and its id (UUID_TEXT bytes), 0 no such plan. */
int repo_plan_profile(struct db *db, const char *id, int64_t team, char *profile_id, struct err *e) MUST_CHECK;
/* What a plan of this team draws: launches, and what they count in its profile. 1, or 0 when there is none. */
struct plan_draws {
    char profile[UUID_TEXT];
    double launches, units;
};
int repo_plan_work(struct db *db, const char *id, int64_t team, struct plan_draws *out, struct err *e) MUST_CHECK;
/* What the values of its profile count. */
int repo_plan_unit(struct db *db, const char *id, enum profile_unit *out, struct err *e) MUST_CHECK;
/* 1 when the profile is this team's and ready, 0 when not. */
int repo_plan_profile_of_team(struct db *db, const char *profile_id, int64_t team, struct err *e) MUST_CHECK;

/* The API's JSON, made by the database. 1, or 0 when there is none. */
int repo_plan_json(struct db *db, const char *id, int64_t team, struct strbuf *out, struct err *e) MUST_CHECK;
int repo_plan_file(struct db *db, const char *id, int64_t team, struct strbuf *out, struct err *e) MUST_CHECK;
/* Rows: JSON text, id, with a column its key. workload: only of this one, or NULL. Columns of the order: error,
 * workload, method, strata, samples, speedup, promised, created. */
int repo_plan_list(struct db *db, int64_t team, const char *workload, const struct list_order *order,
                   struct db_rows *out, struct err *e) MUST_CHECK;
/* What was drawn; `stratum`: from one alone, -1: from all. */
int repo_plan_samples_json(struct db *db, const char *id, int64_t stratum, int64_t after, uint64_t limit,
                           struct db_rows *out, struct err *e) MUST_CHECK;
/* Columns of the CSV, in its order, then the cursor. */
int repo_plan_samples(struct db *db, const char *id, int64_t stratum, int64_t after, uint64_t limit,
                      struct db_rows *out, struct err *e) MUST_CHECK;

/* Evaluations of all methods, kept by question. */
int repo_sweep_get(struct db *db, const char *profile_id, const char *question, struct strbuf *out,
                   struct err *e) MUST_CHECK;
/* Keeps it only if the profile's hash is still the one that was asked about. */
int repo_sweep_put(struct db *db, const char *profile_id, const char *sha256, const char *question,
                   const char *answer, wall_us now, struct err *e) MUST_CHECK;
int repo_sweep_clear(struct db *db, const char *profile_id, struct err *e) MUST_CHECK;

#endif
