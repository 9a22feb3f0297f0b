/* server/store/repo/repo_answer.h: the last complete answer of a run: its estimates at the last interim analysis
 * or end at which all its jobs had ended. Pages show it until the next complete answer exists. */
#ifndef VIVACE_SERVER_DB_REPO_ANSWER_H
#define VIVACE_SERVER_DB_REPO_ANSWER_H

#include "base/strbuf.h"
#include "server/store/db/db.h"

struct answer_row {
    char plan[UUID_TEXT]; /* the plan of the projection */
    wall_us at;           /* later results belong to the next answer */
    int64_t jobs, done;
    bool final; /* true: the run ended with it; false: from an interim analysis */
    double confidence;
    int baseline; /* of the stopping rule that set the levels of the differences */
};
/* Replaces the previous answer. `at` becomes the time of the last result if that is later. */
int repo_answer_put(struct db *db, const char *run, const struct answer_row *row, struct err *e) MUST_CHECK;
/* Returns 1, or 0 when the run has no complete answer yet. */
int repo_answer_find(struct db *db, const char *run, struct answer_row *out, struct err *e) MUST_CHECK;
/* Rows in the order of designs: level of the total, number of interim analyses that share it, level of the
 * difference to `baseline`, number of interim analyses that share that. NULL: none. */
int repo_answer_levels(struct db *db, const char *run, struct db_rows *out, struct err *e) MUST_CHECK;
/* The answer as pages show it, with the progress of the next one. */
int repo_answer_json(struct db *db, const char *run, struct strbuf *out, struct err *e) MUST_CHECK;

#endif
