/* server/domain/project/comparing.h: compares designs of one or several runs with a baseline.
 *
 * A side is one design of one run. A side of the baseline's workload is compared with the baseline. A side of
 * another workload is compared with the same design on its own workload: totals of two workloads are not
 * comparable, but ratios are. A difference between designs of one run comes from that run (run_differences.h),
 * independent of the other sides. Differences between runs are computed here: they hold simultaneously at the
 * baseline's confidence (Bonferroni, sampling/estimate/comparisons.h). */
#ifndef VIVACE_SERVER_RUN_COMPARING_H
#define VIVACE_SERVER_RUN_COMPARING_H

#include "sampling/estimate/comparisons.h"
#include "server/store/repo/repo_compare.h"
#include "server/domain/project/run_differences.h"

#define SIDES_MAX 33 /* the baseline and eight others, on four workloads */

struct side {
    size_t run, design; /* indices: run in the board, design in the run */
    size_t base; /* index of the side that this one is compared with; its own index: it is a baseline; SIDES_MAX:
                    none */
    bool paired;
    struct comparison total; /* in seconds, or in the results' unit if they are not times */
    struct level_shared shared;
    struct projection p;                     /* in the results' unit, at the level of the run's total */
    struct level_shared total_level;         /* of p */
    const struct kernel_comparison *kernels; /* only where samples pair */
    size_t kernel_count;
    struct comparisons across; /* owns the kernels if side and baseline are in different runs */
};
struct board_run {
    struct run_results r;
    struct run_levels levels;
    struct run_about about;
    json_t *answer; /* run_answer_json() */
};
struct board {
    double level; /* simultaneous confidence level of all differences of the board */
    size_t count, run_count, differences_count;
    struct side sides[SIDES_MAX]; /* the first is the baseline */
    struct board_run runs[SIDES_MAX];
    struct board_differences {
        size_t run;
        struct run_differences of;
    } differences[SIDES_MAX]; /* differences within a run to one of its designs */
};
extern const char board_rule[]; /* one sentence for users: which intervals hold simultaneously */

/* `base` is RUN:DESIGN; `with` is a comma-separated list of RUN:DESIGN. ERR_INVALID for another form,
 * ERR_NOT_FOUND if the team has no such run or the run no such design. The caller releases the board, also after
 * a failure. */
int board_make(struct board *b, struct db *db, int64_t team, const char *base, const char *with,
               struct err *e) MUST_CHECK;
void board_release(struct board *b);

/* Seconds in one unit of the side's results. NaN: they are not times. */
double side_seconds(const struct board *b, const struct side *s);
static inline const struct run_results *side_run(const struct board *b, const struct side *s)
{
    return &b->runs[s->run].r;
}
/* Why the side's samples do not pair, or why it has no baseline. NULL where neither applies. */
const char *side_why_not(const struct board *b, size_t i);

#endif
