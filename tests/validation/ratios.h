/* tests/validation/ratios.h: simulated against measured times of many kernels: statistics and pictures. */
#ifndef VIVACE_TESTS_VALIDATION_RATIOS_H
#define VIVACE_TESTS_VALIDATION_RATIOS_H

#include "tests/validation/fact_list.h"

struct ratio {
    const struct fact *fact;
    char suite[16];
    bool bandwidth;
    double silicon, simulated, value; /* as times, whatever was measured; value: simulated / silicon */
};
struct ratio_list {
    size_t count, capacity;
    struct ratio *items;
};

/* Of the rows of one suite (NULL: all). */
struct ratio_stats {
    size_t count;
    double error; /* mean of |value - 1| */
    double bias;  /* geometric mean of value */
    double pearson_log, pearson;
    double within[3]; /* shares within 10, 20 and 30 % */
};
void ratios_stats(const struct ratio_list *l, const char *suite, struct ratio_stats *out);

/* A line a suite, one for all, and the ten worst. Sorts the list by value. */
void ratios_print(struct ratio_list *l);
/* folder/validation-scurve.svg: value in ascending order; folder/validation-scatter.svg: simulated over measured.
 */
int ratios_draw(const struct ratio_list *l, const char *folder, struct err *e);

#endif
