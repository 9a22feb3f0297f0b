/* cli/validate/correlate.h: the data of `vivace correlate`: measured and simulated launches in pairs. */
#ifndef VIVACE_CLI_CORRELATE_H
#define VIVACE_CLI_CORRELATE_H

#include "cli/cli.h"
#include "cli/simulate/simulated.h"
#include "ingest/ingest.h"
#include "sampling/checks/correlation.h"
#include "sampling/profile/match.h"

struct pair {
    uint64_t simulated, measured; /* launch ids in the two profiles */
    double simulated_s, measured_s;
};

/* A counter that both sides have. */
struct counter_pair {
    int counter;                            /* index in metric_counters */
    double *measured;                       /* of each pair; NaN: not measured */
    double total_measured, total_simulated; /* over the pairs that have both */
    uint64_t pairs;
    double error; /* mean |simulated / measured - 1| of the pairs whose measured value is above 0 */
};

struct correlate {
    const char *measured_path, *simulated_path;
    struct import_report report;
    struct profile measured;
    struct simulated simulated;
    struct match match;
    bool by_number;
    double clock_hz; /* of the simulated times */
    enum correlate_clock { CLOCK_GIVEN, CLOCK_MEASURED, CLOCK_OF_DESIGN } clock_from;
    size_t count;
    struct pair *pairs; /* in launch order */
    struct correlation times;
    size_t counter_count;
    struct counter_pair *counters;
};

/* The measured launches, by (kernel), with their own statistics. */
struct kernel_pairs {
    uint32_t kernel; /* index into measured.kernels */
    size_t launches;
    double measured_s, simulated_s;
    double error; /* mean of |simulated / measured - 1| */
};
/* One entry for each kernel that has pairs, the largest difference of the sums first; for the caller to free. */
struct kernel_pairs *correlate_kernels(const struct correlate *c, size_t *count, struct err *e);
/* Indices of the pairs, the largest |log ratio| first; for the caller to free. */
size_t *correlate_worst(const struct correlate *c, struct err *e);
/* The counter that best explains the difference in time: it differs most, in the same direction as the time. NULL:
 * no counter differs by 10 % or more. The number of instructions is preferred if it differs by 5 % or more, because
 * the two sides then ran different code. *ratio: simulated / measured. */
const struct counter_pair *correlate_cause(const struct correlate *c, size_t pair, double *ratio);
/* The p-quantile of simulated / measured (the S-curve); sorted: the ratios in ascending order. */
double correlate_quantile(const double *sorted, size_t count, double p);

int correlate_print_text(const struct correlate *c, struct err *e);
int correlate_print_csv(const struct correlate *c, struct err *e);
int correlate_print_json(const struct correlate *c, struct err *e);

#endif
