/* server/store/repo/repo_interim.h: a run's stopping rule and the decisions of its interim analyses. */
#ifndef VIVACE_SERVER_DB_REPO_INTERIM_H
#define VIVACE_SERVER_DB_REPO_INTERIM_H

#include "base/strbuf.h"
#include "sampling/sequential/interim.h"
#include "server/store/db/db.h"
#include "server/store/event/event.h"

enum spend_unit { SPEND_NONE, SPEND_SECONDS, SPEND_JOBS, SPEND_MONEY };

struct rule_row {
    double error, resolve; /* 0: not requested */
    double confidence;
    double budget;      /* in the unit of budget_in; 0 with SPEND_NONE */
    double price_per_s; /* price of a second of simulation, for SPEND_MONEY */
    enum spend_unit budget_in;
    int baseline, analyses;
    bool ask;    /* an extension of the plan waits for a user's approval */
    bool redraw; /* a launch that cannot be simulated is replaced; otherwise it is dropped */
    bool settled;
};
/* Sets or replaces the run's stopping rule. */
int repo_interim_put_rule(struct db *db, const char *run, const struct rule_row *rule, struct err *e) MUST_CHECK;
/* Returns 1, or 0 when the run has no rule. */
int repo_interim_rule(struct db *db, const char *run, struct rule_row *out, struct err *e) MUST_CHECK;
int repo_interim_settle(struct db *db, const char *run, struct err *e) MUST_CHECK;

/* --- Interim analyses --- */
struct interim_row {
    const char *run, *plan, *next_plan; /* next_plan NULL: the run stops */
    const struct interim_analysis *analysis;
    int64_t jobs, extra_jobs;
    double spent_s, extra_s; /* extra_s NaN: unknown */
    const char *unit;        /* unit of the values */
    const char *changes;     /* JSON */
    const json_t *reason;    /* the decision, from event_part() */
    const char *answer;      /* "auto" or "waiting"; NULL if next_plan is NULL */
    wall_us at;
};
/* ERR_CONFLICT: an analysis with that number exists. */
int repo_interim_put(struct db *db, const struct interim_row *row, struct err *e) MUST_CHECK;

/* All earlier interim analyses: what each promise has spent. promises: [analysis][promise], allocated. */
struct interim_past {
    int analyses;                               /* number of interim analyses */
    char answer[16];                            /* of the last one, or "" */
    char plan[UUID_TEXT], next_plan[UUID_TEXT]; /* of the last one, or "" */
    size_t count;
    struct interim_past_promise {
        int number, design;
        bool difference;
        double value, wanted;
        struct interim_spent spent;
    } * promises;
};
int repo_interim_past(struct db *db, const char *run, struct interim_past *out, struct err *e) MUST_CHECK;
void interim_past_release(struct interim_past *p);
/* Returns 1 when changed, 0 when the analysis does not exist or its answer is not `from`. */
int repo_interim_answer(struct db *db, const char *run, int number, const char *from, const char *to,
                        const char *by, wall_us now, struct err *e) MUST_CHECK;

/* Rows: stratum, mean seconds of a simulation, summed over the designs. Contains only strata in which all designs
 * are known. */
int repo_interim_costs(struct db *db, const char *run, struct db_rows *out, struct err *e) MUST_CHECK;
/* The seconds of this run's own simulations. */
int repo_interim_spent(struct db *db, const char *run, double *seconds, struct err *e) MUST_CHECK;

/* --- Extension of plans --- */
/* Switches the run to another plan over the same strata. Jobs of samples in both plans are kept. Jobs of samples
 * that are not in the new plan are deleted (*dropped: their number). New samples have no jobs yet. Call inside a
 * transaction. */
int repo_interim_switch_plan(struct db *db, const char *run, const char *from, const char *to, int64_t *dropped,
                             struct err *e) MUST_CHECK;
/* Records that a run has derived `plan` from `parent`. */
int repo_interim_set_parent(struct db *db, const char *plan, const char *parent, struct err *e) MUST_CHECK;

/* --- Launches that cannot be simulated --- */
/* Rows: launch, stratum, design, failure, failure text; one row for each launch with a failed job that is not
 * recorded as skipped. */
int repo_interim_failed(struct db *db, const char *run, struct db_rows *out, struct err *e) MUST_CHECK;
/* Records the launches of repo_interim_failed() as skipped. *noted: the number of new ones. */
int repo_interim_skip(struct db *db, const char *run, bool replaced, wall_us now, int64_t *noted,
                      struct err *e) MUST_CHECK;
/* Rows: launch, stratum of the replaced launches. */
int repo_interim_skipped(struct db *db, const char *run, struct db_rows *out, struct err *e) MUST_CHECK;
/* Rows: launch, stratum, kernel, design, failure, failure text, replaced, at, profiled value; of all skipped
 * launches. */
int repo_interim_not_simulated(struct db *db, const char *run, struct db_rows *out, struct err *e) MUST_CHECK;

#endif
