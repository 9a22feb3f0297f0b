/* server/domain/project/comparing.h: designs of one or several runs against a baseline.
 *
 * Every side is a design of a run. Sides of the baseline's workload are held against it; a side of another workload
 * against the baseline's design there, since totals of two workloads say nothing together: its ratio is what
 * counts. A difference between designs of one run is that run's own (run_differences.h), whatever else is on the
 * board. Differences between runs are decided here: they hold together at the baseline's confidence (Bonferroni,
 * sampling/comparisons.h). */
#ifndef VIVACE_SERVER_RUN_COMPARING_H
#define VIVACE_SERVER_RUN_COMPARING_H

#include "sampling/comparisons.h"
#include "server/store/repo/repo_compare.h"
#include "server/domain/project/run_differences.h"

#define SIDES_MAX 33 /* the baseline and eight others, on four workloads */

struct side {
    size_t run, design; /* of the board, of the run */
    size_t base;        /* side that it is held against; its own number: a baseline; SIDES_MAX: there is none */
    bool paired;
    struct comparison total; /* in seconds, or in what the results count where they are no times */
    struct level_shared shared;
    struct projection p;                     /* as counted, at the level of the run's total */
    struct level_shared total_level;         /* of p */
    const struct kernel_comparison *kernels; /* of pairs */
    size_t kernel_count;
    struct comparisons across; /* holds the kernels of a side in another run than its baseline */
};
struct board_run {
    struct run_results r;
    struct run_levels levels;
    struct run_about about;
    json_t *answer; /* run_answer_json() */
};
struct board {
    double level; /* that all differences of the board hold together with */
    size_t count, run_count, differences_count;
    struct side sides[SIDES_MAX]; /* the first is the baseline */
    struct board_run runs[SIDES_MAX];
    struct board_differences {
        size_t run;
        struct run_differences of;
    } differences[SIDES_MAX]; /* of a run against one of its designs */
};
extern const char board_rule[]; /* which intervals hold together, one sentence for people */

/* `base` is RUN:DESIGN, `with` a comma-separated list of such. ERR_INVALID where a text is none, ERR_NOT_FOUND
 * where the team has no such run or the run no such design. To be released, also after a failure. */
int board_make(struct board *b, struct db *db, int64_t team, const char *base, const char *with,
               struct err *e) MUST_CHECK;
void board_release(struct board *b);

/* Seconds of one unit of the side's results; NaN: they are no times. */
double side_seconds(const struct board *b, const struct side *s);
static inline const struct run_results *side_run(const struct board *b, const struct side *s)
{
    return &b->runs[s->run].r;
}
/* Why a side has no pairs, or nothing to be held against; NULL where it has. */
const char *side_why_not(const struct board *b, size_t i);

#endif
