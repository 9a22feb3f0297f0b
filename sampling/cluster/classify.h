/* sampling/cluster/classify.h: classifiers for two-level profiling: predict the class of points from labelled
 * training points. */
#ifndef VIVACE_SAMPLING_CLASSIFY_H
#define VIVACE_SAMPLING_CLASSIFY_H

#include "base/rng.h"
#include "sampling/cluster/points.h"

struct training {
    struct points points; /* standardised; weight: the number of launches that a row represents */
    const uint32_t *class_of;
    size_t classes; /* each class has at least one training point */
};

/* label[i]: class of query i. The same input gives the same labels on every machine; the two iterative classifiers
 * use a fixed seed and a fixed number of steps. Queries are standardised as the training points were. */
int classify_bayes(const struct training *t, const struct points *queries, uint32_t *label, struct err *e);
int classify_sgd(const struct training *t, const struct points *queries, uint32_t *label, struct err *e);
int classify_mlp(const struct training *t, const struct points *queries, uint32_t *label, struct err *e);

/* The model of Gaussian naive Bayes: mean, variance and prior of each class. `smoothing` times the greatest
 * variance of a column is added to every variance. */
struct bayes {
    size_t dims, classes;
    double *mean, *variance; /* classes rows of dims */
    double *log_prior;
};
int bayes_fit(const struct training *t, double smoothing, struct bayes *out, struct err *e);
double bayes_log_posterior(const struct bayes *b, size_t class, const double *x); /* not normalised */
void bayes_release(struct bayes *b);

/* Shared by the classifiers: draws training rows with probability proportional to their weight. */
struct row_draw {
    const struct points *points;
    double *until; /* cumulative weight */
};
int row_draw_init(struct row_draw *d, const struct points *p, struct err *e);
size_t row_draw(const struct row_draw *d, struct rng *rng);
void row_draw_release(struct row_draw *d);
/* softmax() converts scores to probabilities in place; greatest() returns the index of the first greatest score. */
void softmax(double *score, size_t n);
uint32_t greatest(const double *score, size_t n);

#endif
