/* simcore/observe/projection.h: decides when to stop within a kernel, and projects the total cycles of the kernel.
 *
 *
 * There are three methods: PKP as published (Principal Kernel Projection, Baddouh et al., MICRO 2021), PKP as in
 * its authors' code, and Vivace's own `stable` (stable.h). All use samples of 500 cycles. Both PKP methods use
 * windows of six samples, 3000 cycles, counted from the first cycle after the launch overhead. */
#ifndef VIVACE_SIMCORE_OBSERVE_PROJECTION_H
#define VIVACE_SIMCORE_OBSERVE_PROJECTION_H

#include "simcore/gpu.h"

enum { PROJECTION_SAMPLE_CYCLES = 500, PROJECTION_WINDOW = 6 };

struct projection_sample {
    uint64_t instructions, ctas; /* instructions issued and CTAs ended in the sample */
};

/* --- the rules, as functions of a series --- */
/* Spread of the last PROJECTION_WINDOW values up to index `at`: sample standard deviation, and mean. */
void projection_window(const double *ipc, size_t at, double *deviation, double *mean);
/* PKP as published: stops when the standard deviation of the samples' IPC is below 0.25 and a wave of CTAs has
 * ended (no condition if the kernel has less than one wave). Returns the index to stop at, or -1. */
long projection_pkp(const struct projection_sample *s, size_t n, uint64_t wave, uint64_t total);
/* PKP in the authors' code: the IPC is cumulative. Its deviation must be below 0.25 % of its mean, and a wave, or
 * 0.3 of a kernel smaller than a wave, must have ended before the sample. Each condition must have held once, not
 * at the same time. */
long projection_pkp_code(const double *cumulative_ipc, const struct projection_sample *s, size_t n, uint64_t wave,
                         uint64_t total);
/* The projection of PKP: all CTAs take the average time of those that ended, including the ramp at the start. */
double projection_from_start(uint64_t cycles, double done, uint64_t total);
/* Assumes that CTAs end at the rate of the window that ends with sample `at`, without a ramp and without a last
 * wave.
 */
double projection_steady(const struct projection_sample *s, size_t at, uint64_t done, uint64_t total);

/* Schedules `left` more CTAs on the slots that become free at free[0 .. n-1] (overwritten) and returns the last end
 * time. Each CTA runs for the time that life() returns. CTAs are dispatched at least `interval` apart, the first at
 * `now` or later. */
typedef double projection_life_fn(void *ctx);
double projection_schedule(double *free, size_t n, uint64_t left, projection_life_fn *life, void *ctx, double now,
                           double interval);

/* --- one simulation --- */
struct stable; /* stable.h */
struct projection {
    struct event sample; /* first: fires at the end of each sample */
    struct simulator *simulator;
    enum sim_projection method;
    uint64_t begin, wave, total;
    size_t over, count, capacity; /* samples: completed; begun by SMs; allocated */
    struct projection_sample *samples;
    double *ipc; /* IPC of the completed samples; cumulative if the method requires it */
    size_t ipc_capacity;
    uint64_t instructions, ctas; /* sums over the completed samples */
    struct stable *stable;       /* used by the method `stable` */
    bool failed, stopped;
    const char *why_not; /* the reason why it can never stop; or NULL */
    struct sim_projected result;
};

struct projection *projection_new(struct simulator *s, const struct sim_options *o, struct err *e);
void projection_free(struct projection *p);
void projection_issue(struct projection *p, uint64_t cycle);
void projection_cta_over(struct projection *p, const struct cta *cta, uint64_t started, uint64_t end);
/* Call after the run. If it was stopped, scales the launch's counters from the stop to the whole launch. */
void projection_result(struct projection *p, struct counters *c, struct sim_projected *out);

#endif
