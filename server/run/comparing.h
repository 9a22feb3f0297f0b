/* server/run/comparing.h: designs of one or several runs against a baseline.
 *
 * Every side is a design of a run. Sides of the baseline's workload are held against it; a side of another workload
 * against the baseline's design there, since totals of two workloads say nothing together: its ratio is what
 * counts. All intervals of a board hold together (Bonferroni, sampling/comparisons.h): one for each side that is
 * held against another one. */
#ifndef VIVACE_SERVER_RUN_COMPARING_H
#define VIVACE_SERVER_RUN_COMPARING_H

#include "sampling/comparisons.h"
#include "server/db/repo_compare.h"
#include "server/run/run_results.h"

#define SIDES_MOST 33 /* the baseline and eight others, on four workloads */

struct side {
    size_t run, design; /* of the board, of the run */
    size_t base;        /* side that it is held against; its own number: a baseline; SIDES_MOST: there is none */
    bool paired;
    struct comparison total;   /* in seconds, or in what the results count where they are no times */
    struct projection p;       /* as counted; at the board's level, by itself */
    struct comparisons detail; /* per kernel, of pairs; design 1 against 0 */
};
struct board {
    double level;
    size_t count, run_count;
    struct side sides[SIDES_MOST]; /* the first is the baseline */
    struct run_results runs[SIDES_MOST];
    struct run_about about[SIDES_MOST];
};

/* `base` is RUN:DESIGN, `with` a comma-separated list of such. ERR_INVALID where a text is none, ERR_NOT_FOUND
 * where the team has no such run or the run no such design. To be released, also after a failure. */
int board_make(struct board *b, struct db *db, int64_t team, const char *base, const char *with, bool kernels,
               struct err *e) MUST_CHECK;
void board_release(struct board *b);

/* Seconds of one unit of the side's results; NaN: they are no times. */
double side_seconds(const struct board *b, const struct side *s);
static inline const struct run_results *side_run(const struct board *b, const struct side *s)
{
    return &b->runs[s->run];
}
/* Why a side has no pairs, or nothing to be held against; NULL where it has. */
const char *side_why_not(const struct board *b, size_t i);

#endif
