/* server/store/repo/repo_look.h: what a run is to reach, and what was decided each time that it was looked at. */
#ifndef VIVACE_SERVER_DB_REPO_LOOK_H
#define VIVACE_SERVER_DB_REPO_LOOK_H

#include "base/strbuf.h"
#include "sampling/looks.h"
#include "server/store/db/db.h"
#include "server/store/event/event.h"

enum spend_unit { SPEND_NONE, SPEND_SECONDS, SPEND_JOBS, SPEND_MONEY };

struct rule_row {
    double error, resolve; /* 0: not wanted */
    double confidence;
    double budget;      /* in budget_in; with SPEND_NONE 0 */
    double price_per_s; /* of a second of simulation, with SPEND_MONEY */
    enum spend_unit budget_in;
    int baseline, looks;
    bool ask;    /* extensions wait for somebody's word */
    bool redraw; /* launches that cannot be simulated are replaced, not dropped */
    bool settled;
};
/* Sets the run's rule, or sets it anew. */
int repo_look_put_rule(struct db *db, const char *run, const struct rule_row *rule, struct err *e) MUST_CHECK;
/* 1 found, 0: the run has none. */
int repo_look_rule(struct db *db, const char *run, struct rule_row *out, struct err *e) MUST_CHECK;
int repo_look_settle(struct db *db, const char *run, struct err *e) MUST_CHECK;

/* --- Looks --- */
struct look_row {
    const char *run, *plan, *next_plan; /* next_plan NULL: the run goes no further */
    const struct look *look;
    int64_t jobs, extra_jobs;
    double spent_s, extra_s; /* extra_s NaN: not known */
    const char *unit;        /* of the promises' values */
    const char *changes;     /* JSON */
    const json_t *reason;    /* the decision, an event_part() */
    const char *answer;      /* "auto" or "waiting"; NULL without next_plan */
    wall_us at;
};
/* ERR_CONFLICT: the look of that number was taken already. */
int repo_look_put(struct db *db, const struct look_row *row, struct err *e) MUST_CHECK;

/* Of all looks so far: what each promise used up. promises: [look][promise], malloc'ed. */
struct look_past {
    int looks;                                  /* taken */
    char answer[16];                            /* of the last one; "" */
    char plan[UUID_TEXT], next_plan[UUID_TEXT]; /* of the last one; "" */
    size_t count;
    struct look_past_promise {
        int number, design;
        bool difference;
        double value, wanted;
        struct look_spent spent;
    } * promises;
};
int repo_look_past(struct db *db, const char *run, struct look_past *out, struct err *e) MUST_CHECK;
void look_past_release(struct look_past *p);
/* 1 changed; 0: the look is not there, or was answered otherwise meanwhile. */
int repo_look_answer(struct db *db, const char *run, int number, const char *from, const char *to, const char *by,
                     wall_us now, struct err *e) MUST_CHECK;

/* Rows: stratum, mean seconds of a simulation summed over designs (all of them known there). */
int repo_look_costs(struct db *db, const char *run, struct db_rows *out, struct err *e) MUST_CHECK;
/* Seconds that this run's own simulations took. */
int repo_look_spent(struct db *db, const char *run, double *seconds, struct err *e) MUST_CHECK;

/* --- Plans that grow --- */
/* The run goes on with another plan over the same strata: its jobs keep what they are, those of samples that the
 * plan has no longer are deleted, *dropped of them. New samples have no jobs yet. Inside a transaction. */
int repo_look_switch_plan(struct db *db, const char *run, const char *from, const char *to, int64_t *dropped,
                          struct err *e) MUST_CHECK;
/* `plan` was made by a run, from `parent`. */
int repo_look_set_parent(struct db *db, const char *plan, const char *parent, struct err *e) MUST_CHECK;

/* --- Launches that cannot be simulated --- */
/* Rows: launch, stratum, design, failure, failure text; one of each launch with a failed job that was not noted
 * yet. */
int repo_look_failed(struct db *db, const char *run, struct db_rows *out, struct err *e) MUST_CHECK;
/* Those of repo_look_failed() are noted; *noted of them are new. */
int repo_look_pass_over(struct db *db, const char *run, bool replaced, wall_us now, int64_t *noted,
                        struct err *e) MUST_CHECK;
/* Rows: launch, stratum; of those that were replaced. */
int repo_look_passed_over(struct db *db, const char *run, struct db_rows *out, struct err *e) MUST_CHECK;
/* Rows: launch, stratum, kernel, design, failure, failure text, replaced, at, profiled value; of all of them.
 */
int repo_look_not_simulated(struct db *db, const char *run, struct db_rows *out, struct err *e) MUST_CHECK;

#endif
