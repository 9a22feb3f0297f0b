/* simcore/observe/stable.h: `--project stable`: stopping where the rest is known, with an interval that holds.
 *
 * What each CTA will do is counted before the launch starts (trace/survey.h). CTAs of about the same number and mix
 * of instructions are a stratum. The rest after a stop is then a list of CTAs of known strata, and its time
 * lies between two answers: CTAs live as long as those of their stratum did and take the places that become free,
 * in their order (latency bound them); or the GPU goes on issuing at its rate (it was bound by a throughput). The
 * interval holds both, each with its own doubt. It does not stop where a stratum of the rest has not been seen,
 * where the rest is another mixture than what ran, where lives or rate have a trend, or where the interval is
 * wide. */
#ifndef VIVACE_SIMCORE_OBSERVE_STABLE_H
#define VIVACE_SIMCORE_OBSERVE_STABLE_H

#include "simcore/gpu.h"
#include "simcore/observe/projection.h"

struct stable;
/* Takes the survey of launch 0 of s, whose CTAs have not been taken yet. *why_not: this launch can never be
 * stopped, and why; else NULL. */
struct stable *stable_new(struct simulator *s, const struct sim_options *o, uint64_t wave, const char **why_not,
                          struct err *e);
void stable_free(struct stable *s);
/* A CTA, by its place in the trace, was resident from `started` to `end`. */
void stable_cta_over(struct stable *s, uint64_t index, uint64_t started, uint64_t end);

struct stable_answer {
    double cycles, low, high;
};
/* At the end of a sample: samples [0, n) are over, `now` is the cycle, `issued` the instructions so far. 1: stop,
 * with *out; 0: go on; -1: out of memory. */
int stable_evaluate(struct stable *s, const struct projection_sample *samples, size_t n, uint64_t now,
                    uint64_t issued, struct stable_answer *out, struct err *e);
/* Why it did not stop when it was last asked: static text. */
const char *stable_why_not(const struct stable *s);
/* Of the whole launch. */
uint64_t stable_instructions(const struct stable *s);
uint64_t stable_empty_ctas(const struct stable *s);

#endif
