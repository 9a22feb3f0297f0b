/* sampling/evaluate.h: how a method does on a profile: draw again and again, project, compare with the truth.
 *
 * The profiled values stand for the simulated ones, as in the papers. What this cannot see is how strata made for
 * one GPU or run fit another (methods.md D22): a score to compare methods by, no promise. */
#ifndef VIVACE_SAMPLING_EVALUATE_H
#define VIVACE_SAMPLING_EVALUATE_H

#include "sampling/plan.h"

struct evaluation {
    const struct method *method;
    struct plan_params params;
    const char *why_not; /* NULL; else the method cannot run here, and nothing below holds */
    size_t strata;
    uint64_t samples; /* draws */
    double speedup;   /* total / mean cost of a repeat, each distinct invocation once */
    double promised_error;
    bool promise_valid;
    unsigned repeats;
    double actual_error; /* mean of |projected - true| / true over repeats */
    double actual_error_max;
    unsigned inside;    /* repeats whose error is at most the promised one (the asked one where none is promised) */
    unsigned intervals; /* repeats that have an interval: no stratum with a single sample unless taken whole */
    unsigned covered;   /* of these, how many hold the truth */
    double (*cloud)[2]; /* per repeat: speedup, error */
};

/* Repeat r is drawn under seed params->seed + r. 0, or -1: out of memory, or parameters without sense. */
int evaluate(const struct method *m, const struct profile *p, const struct plan_params *params, unsigned repeats,
             struct evaluation *out, struct err *e);
void evaluation_release(struct evaluation *v);

#endif
