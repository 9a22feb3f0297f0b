/* server/store/repo/repo_answer.h: the last complete answer of a run: what was known when all its jobs had ended
 * and it ended, or was looked at. It is shown until the next one is complete. */
#ifndef VIVACE_SERVER_DB_REPO_ANSWER_H
#define VIVACE_SERVER_DB_REPO_ANSWER_H

#include "base/strbuf.h"
#include "server/store/db/db.h"

struct answer_row {
    char plan[UUID_TEXT]; /* that it was projected with */
    wall_us at;           /* results that came later are of the next answer */
    int64_t jobs, done;
    bool final; /* the run ended with it; false: a look saw it */
    double confidence;
    int baseline; /* of the rule that decided the levels of differences */
};
/* In place of the one before; `at` is moved to the last result where that is later. */
int repo_answer_put(struct db *db, const char *run, const struct answer_row *row, struct err *e) MUST_CHECK;
/* 1 found; 0: the run has not been complete yet. */
int repo_answer_find(struct db *db, const char *run, struct answer_row *out, struct err *e) MUST_CHECK;
/* Rows in the order of designs: level of the total, looks that share it, level of the difference to `baseline`,
 * looks that share that; NULL: none. */
int repo_answer_levels(struct db *db, const char *run, struct db_rows *out, struct err *e) MUST_CHECK;
/* As pages show it, and what is simulated for the next one. */
int repo_answer_json(struct db *db, const char *run, struct strbuf *out, struct err *e) MUST_CHECK;

#endif
