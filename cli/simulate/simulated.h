/* cli/simulate/simulated.h: reads what `vivace simulate --json` printed: the launches of one design. */
#ifndef VIVACE_CLI_SIMULATED_H
#define VIVACE_CLI_SIMULATED_H

#include "sampling/profile/profile.h"
#include "wire/metrics.h"

struct simulated {
    char simulator[32], design[128];
    double clock_hz;                     /* of the design */
    struct profile profile;              /* one launch for each simulated launch; values are cycles */
    uint64_t *number;                    /* of each launch: its number in the run; ascending */
    double (*counters)[METRIC_COUNTERS]; /* of each launch; NaN: not there */
    bool has_counters;
    bool whole;      /* the launch numbers are 0, 1, 2, ...: every launch was simulated, without a plan */
    uint64_t failed; /* launches without a result; they are left out */
};

/* design: NULL if the file has one design only. The caller releases *out also after an error. */
int simulated_read(const char *path, const char *design, struct simulated *out, struct err *e);
void simulated_release(struct simulated *s);

#endif
