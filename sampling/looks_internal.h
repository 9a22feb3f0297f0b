/* sampling/looks_internal.h: internal state of one look, shared by the looks*.c files.
 *
 * looks.c          rules, the pilot's plan, the decision
 * looks_stock.c    what is known of each promise: its strata, its interval, whether it is kept
 * looks_next.c     how many samples the promises ask for
 * looks_text.c     the decision in words */
#ifndef VIVACE_SAMPLING_LOOKS_INTERNAL_H
#define VIVACE_SAMPLING_LOOKS_INTERNAL_H

#include "sampling/effective.h"
#include "sampling/estimator_aux.h"
#include "sampling/looks.h"
#include "sampling/looks_size.h"
#include "sampling/alpha_spending.h"

/* Working data of one promise about the strata. */
struct stock {
    struct alloc_stratum *s;
    uint64_t *dead;            /* samples without a result */
    double *steady;            /* S for the steady degrees of freedom (sampling/steady.h) */
    struct even_stratum *even; /* means for sizes (sampling/spread_model.h), and planned spreads */
    double unit;               /* of half-widths: 1, or the baseline's total */
    double within;             /* standard error inside launches, added to that of `seen` */
    double room;               /* share of the wanted half-width that remains for the spread between launches */
    struct aux_estimate seen;  /* the total, or the residuals of a difference, before division by unit */
    struct pooled pooled;      /* spread pooled over all strata */
    double cautious;           /* standard error used / standard error observed; at least 1 */
    double now;                /* half-width at the rule's confidence, with `cautious` / wanted */
    struct alpha_spending_past before; /* the looks before this one */
    double spent;                      /* by them */
};

struct looking {
    const struct plan *plan;
    const double *const *y;
    size_t designs;
    const struct look_rule *rule;
    const struct look_spent *past;
    const struct look_shape *shapes;
    struct look *out;
    double level; /* significance level, e.g. 0.05 */
    unsigned looks;
    double *costs;
    double *values, *sizes; /* of differences */
    struct stock *stock;    /* per promise */
};

/* --- looks_stock.c --- */

/* Fills promise `index` and its stock from the results. */
int look_stock(struct looking *x, size_t index, struct err *e);
/* Makes a promise that would be kept wait for the others: it spends the least level at this look and is not kept.
 */
void look_wait(struct looking *x, size_t index);
/* The level for which the next look is sized: the one whose bound is consistent with the information at that look.
 */
double look_next_level(const struct looking *x, size_t promise);

/* --- looks_next.c --- */

/* Distance of a promise from being kept; 0: kept. */
double look_gap(const struct look_promise *p);
/* Sizes that all promises need, in out->next, and what they cost. */
int look_ask(struct looking *x, struct err *e);
/* Resets out->next to the present samples. */
void look_ask_nothing(struct looking *x);

/* --- looks_text.c --- */

void look_explain(const struct plan *plan, struct look *l);

#endif
