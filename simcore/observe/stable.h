/* simcore/observe/stable.h: `--project stable`: stops a kernel when its remaining time can be projected, with an
 * interval.
 *
 *
 * The work of each CTA is counted before the launch starts (trace/survey.h). CTAs with about the same number and
 * mix of instructions form a stratum. After a stop, the rest of the launch is a list of CTAs of known strata. Two
 * models bound its time. If latency is the limit, CTAs run as long as earlier CTAs of their stratum and take slots
 * as they become free. If throughput is the limit, the GPU continues to issue at its current rate. The interval
 * contains both results with their uncertainty. The method does not stop if a stratum of the rest has not been
 * observed, if the rest has another mixture of strata than the CTAs that ran, if run times or rate have a trend, or
 * if the interval is too wide. */
#ifndef VIVACE_SIMCORE_OBSERVE_STABLE_H
#define VIVACE_SIMCORE_OBSERVE_STABLE_H

#include "simcore/gpu.h"
#include "simcore/observe/projection.h"

struct stable;
/* Takes the survey of launch 0 of s before its first CTA is taken. *why_not: the reason why this launch can never
 * be stopped; else NULL. */
struct stable *stable_new(struct simulator *s, const struct sim_options *o, uint64_t wave, const char **why_not,
                          struct err *e);
void stable_free(struct stable *s);
/* The CTA with this index in the trace was resident from `started` to `end`. */
void stable_cta_over(struct stable *s, uint64_t index, uint64_t started, uint64_t end);

struct stable_answer {
    double cycles, low, high;
};
/* Call at the end of a sample: samples [0, n) are complete, `now` is the cycle, `issued` the number of instructions
 * so far. 1: stop, with *out filled; 0: continue; -1: out of memory. */
int stable_evaluate(struct stable *s, const struct projection_sample *samples, size_t n, uint64_t now,
                    uint64_t issued, struct stable_answer *out, struct err *e);
/* The reason why the last evaluation did not stop: static text. */
const char *stable_why_not(const struct stable *s);
/* Instructions of the whole launch. */
uint64_t stable_instructions(const struct stable *s);
uint64_t stable_empty_ctas(const struct stable *s);

#endif
