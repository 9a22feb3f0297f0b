/* tests/harness/schedules.h: made-up profiles of several streams, one for each way in which launches run side by
 * side: what a makespan and its interval are checked on beside recorded profiles. */
#ifndef VIVACE_TESTS_HARNESS_SCHEDULES_H
#define VIVACE_TESTS_HARNESS_SCHEDULES_H

#include "sampling/profile.h"

struct schedule_writer;
struct schedule {
    const char *name; /* for tables: "ranks" */
    void (*write)(struct schedule_writer *w);
    double spread; /* of the durations of a kernel: lognormal */
};
extern const struct schedule schedules[]; /* name NULL at the end */

/* NULL: no schedule is called that. */
const struct schedule *schedule_find(const char *name);
/* The same launches every time. */
int schedule_make(const struct schedule *s, struct profile *out, struct err *e);

#endif
