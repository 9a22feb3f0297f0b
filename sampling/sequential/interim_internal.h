/* sampling/sequential/interim_internal.h: internal state of one analysis, shared by the interim*.c files.
 *
 * analyses.c          rules, the pilot's plan, the decision
 * interim_spread.c    the state of each promise: its strata, its interval, whether it is kept
 * interim_next.c     how many samples the promises ask for
 * interim_text.c     the decision in words */
#ifndef VIVACE_SAMPLING_INTERIM_INTERNAL_H
#define VIVACE_SAMPLING_INTERIM_INTERNAL_H

#include "sampling/estimate/effective.h"
#include "sampling/estimate/estimator_aux.h"
#include "sampling/sequential/interim.h"
#include "sampling/sequential/interim_size.h"
#include "sampling/sequential/alpha_spending.h"

/* Working data of one promise about the strata. */
struct stock {
    struct alloc_stratum *s;
    uint64_t *dead;            /* samples without a result */
    double *steady;            /* S for the steady degrees of freedom (sampling/estimate/steady.h) */
    struct even_stratum *even; /* means for sizes (sampling/sequential/spread_model.h), and planned spreads */
    double unit;               /* of half-widths: 1, or the baseline's total */
    double within;             /* standard error inside launches, added to that of `seen` */
    double room;               /* share of the wanted half-width that remains for the spread between launches */
    struct aux_estimate seen;  /* the total, or the residuals of a difference, before division by unit */
    double skewness2;          /* square of the observed skewness of `seen`, above that expected by chance */
    struct pooled pooled;      /* spread pooled over all strata */
    double cautious;           /* standard error used / standard error observed; at least 1 */
    double now;                /* half-width at the rule's confidence, with `cautious` / wanted */
    struct alpha_spending_past before; /* the analyses before this one */
    double spent;                      /* by them */
};

struct interim_work {
    const struct plan *plan;
    const double *const *y;
    size_t designs;
    const struct interim_rule *rule;
    const struct interim_spent *past;
    const struct interim_shape *shapes;
    struct interim_analysis *out;
    double level; /* significance level, e.g. 0.05 */
    unsigned analyses;
    double *costs;
    double *values, *sizes; /* of differences */
    struct stock *stock;    /* per promise */
};

/* --- interim_spread.c --- */

/* Fills promise `index` and its stock from the results. */
int interim_stock(struct interim_work *x, size_t index, struct err *e);
/* Makes a promise that would be kept wait for the others: it spends the least level at this analysis and is not
 * kept.
 */
void interim_wait(struct interim_work *x, size_t index);
/* The level for which the next analysis is sized: the one whose bound is consistent with the information at that
 * analysis.
 */
double interim_next_level(const struct interim_work *x, size_t promise);

/* --- interim_next.c --- */

/* Distance of a promise from being kept; 0: kept. */
double interim_gap(const struct interim_promise *p);
/* Sizes that all promises need, in out->next, and what they cost. */
int interim_ask(struct interim_work *x, struct err *e);
/* Resets out->next to the present samples. */
void interim_ask_nothing(struct interim_work *x);

/* --- interim_text.c --- */

void interim_explain(const struct plan *plan, struct interim_analysis *l);

#endif
