/* server/store/repo/repo_plan.h: sampling plans: a row, its strata, its samples, and the contexts of the
 * samples. */
#ifndef VIVACE_SERVER_DB_REPO_PLAN_H
#define VIVACE_SERVER_DB_REPO_PLAN_H

#include "base/strbuf.h"
#include "sampling/plan/plan.h"
#include "server/store/db/list_order.h"
#include "server/store/repo/repo_label.h"

/* Stores a plan. Call inside a transaction. file: the canonical text. */
int repo_plan_put(struct db *db, const char *id, const char *profile_id, const struct profile *profile,
                  const struct plan *plan, double actual_error, const char *file, wall_us now,
                  struct err *e) MUST_CHECK;
int repo_plan_exists(struct db *db, const char *id, struct err *e) MUST_CHECK; /* 1: exists, 0: does not */
/* Loads a plan from its canonical file, with the checks of an uploaded plan. ERR_NOT_FOUND: there is no such
 * plan. */
int repo_plan_load(struct db *db, const char *id, struct plan *out, struct err *e) MUST_CHECK;
/* Returns 1 and the id of the plan's profile (UUID_TEXT bytes), or 0 when this team has no such plan. */
int repo_plan_profile(struct db *db, const char *id, int64_t team, char *profile_id, struct err *e) MUST_CHECK;
/* The samples of a plan: their number and the sum of their values in the profile. Returns 1, or 0 when this team
 * has no such plan. */
struct plan_draws {
    char profile[UUID_TEXT];
    double launches, units;
};
int repo_plan_work(struct db *db, const char *id, int64_t team, struct plan_draws *out, struct err *e) MUST_CHECK;
/* The unit of the values of the plan's profile. */
int repo_plan_unit(struct db *db, const char *id, enum profile_unit *out, struct err *e) MUST_CHECK;
/* Returns 1 when the profile belongs to this team and is ready, else 0. */
int repo_plan_profile_of_team(struct db *db, const char *profile_id, int64_t team, struct err *e) MUST_CHECK;

/* The plan as in the API. Returns 1, or 0 when there is no such plan. */
int repo_plan_json(struct db *db, const char *id, int64_t team, struct strbuf *out, struct err *e) MUST_CHECK;
int repo_plan_file(struct db *db, const char *id, int64_t team, struct strbuf *out, struct err *e) MUST_CHECK;
/* Rows: JSON text, id, and the sort key if the order has a column. workload: only its plans; NULL: all. Sort
 * columns: error, workload, method, strata, samples, speedup, promised, created. */
int repo_plan_list(struct db *db, int64_t team, const char *workload, const struct label_filter *label,
                   const struct list_order *order, struct db_rows *out, struct err *e) MUST_CHECK;
/* The plan's samples as JSON. stratum: only its samples; -1: all. */
int repo_plan_samples_json(struct db *db, const char *id, int64_t stratum, int64_t after, uint64_t limit,
                           struct db_rows *out, struct err *e) MUST_CHECK;
/* Rows: the columns of the CSV file in its order, then the cursor. */
int repo_plan_samples(struct db *db, const char *id, int64_t stratum, int64_t after, uint64_t limit,
                      struct db_rows *out, struct err *e) MUST_CHECK;

/* Stored evaluations of all sampling methods. question: the parameters, which are the key. */
int repo_sweep_get(struct db *db, const char *profile_id, const char *question, struct strbuf *out,
                   struct err *e) MUST_CHECK;
/* Stores an evaluation if the profile still has this hash. */
int repo_sweep_put(struct db *db, const char *profile_id, const char *sha256, const char *question,
                   const char *answer, wall_us now, struct err *e) MUST_CHECK;
int repo_sweep_clear(struct db *db, const char *profile_id, struct err *e) MUST_CHECK;

/* The fields of {{plan_part}} (server/store/repo/sql/plan.sql). */
#define PLAN_PART_FIELDS                                                                                           \
    {                                                                                                              \
        FIELD_TEXT("by"), FIELD_TEXT("only"), FIELD_TEXT("steps"), FIELD_TEXT("words"), FIELD_NUMBER("share"),     \
            FIELDS_END                                                                                             \
    }

#endif
