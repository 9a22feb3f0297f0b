/* simcore/observe/projection.h: when to stop inside a kernel, and what the whole of it will take.
 *
 * Three rules: PKP as published (Principal Kernel Projection, Baddouh et al., MICRO 2021), PKP as its authors' code
 * has it, and `stable`, ours (stable.h). All look at samples of 500 cycles, the former two at windows of six of
 * them, 3000 cycles, counted from the first cycle behind the launch costs. */
#ifndef VIVACE_SIMCORE_OBSERVE_PROJECTION_H
#define VIVACE_SIMCORE_OBSERVE_PROJECTION_H

#include "simcore/gpu.h"

enum { PROJECTION_SAMPLE_CYCLES = 500, PROJECTION_WINDOW = 6 };

struct projection_sample {
    uint64_t instructions, ctas; /* issued, ended in it */
};

/* --- the rules, as functions of a series --- */
/* Spread of the last PROJECTION_WINDOW values up to index `at`: sample standard deviation, and mean. */
void projection_window(const double *ipc, size_t at, double *deviation, double *mean);
/* Published: the deviation of the IPC of the samples is below 0.25, and a wave of CTAs has ended (no condition
 * where there is less than one). The index to stop at, or -1. */
long projection_pkp(const struct projection_sample *s, size_t n, uint64_t wave, uint64_t total);
/* The authors' code: the IPC is cumulative, its deviation below 0.25 % of its mean, and a wave, or 0.3 of a kernel
 * that is smaller, has ended before the sample; each must have been so once, not at the same time. */
long projection_pkp_code(const double *cumulative_ipc, const struct projection_sample *s, size_t n, uint64_t wave,
                         uint64_t total);
/* What they make of it: all CTAs take what those took, the ramp at the beginning included. */
double projection_from_start(uint64_t cycles, double done, uint64_t total);
/* CTAs end at the rate of the window that ends with sample `at`: no ramp, and no last wave either. */
double projection_steady(const struct projection_sample *s, size_t at, uint64_t done, uint64_t total);

/* The last end when `left` more CTAs take the places that become free at free[0 .. n-1] (overwritten), each for
 * what life() says of it; they are sent out `interval` apart at least, the first at `now` or later. */
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
    size_t over, count, capacity; /* samples that are over; that SMs have begun; that there is room for */
    struct projection_sample *samples;
    double *ipc; /* of the samples that are over; cumulative where the method wants it so */
    size_t ipc_capacity;
    uint64_t instructions, ctas; /* sums over the samples that are over */
    struct stable *stable;       /* of that method */
    bool failed, stopped;
    const char *why_not; /* it can never stop; or NULL */
    struct sim_projected result;
};

struct projection *projection_new(struct simulator *s, const struct sim_options *o, struct err *e);
void projection_free(struct projection *p);
void projection_issue(struct projection *p, uint64_t cycle);
void projection_cta_over(struct projection *p, const struct cta *cta, uint64_t started, uint64_t end);
/* After the run. Where it was stopped, the launch's counters, complete up to then, become those of the whole. */
void projection_result(struct projection *p, struct counters *c, struct sim_projected *out);

#endif
