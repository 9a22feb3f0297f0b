/* tests/harness/schedules.h: synthetic profiles with several streams, one for each kind of concurrency. The
 * makespan and its interval are checked on them, in addition to recorded profiles. */
#ifndef VIVACE_TESTS_HARNESS_SCHEDULES_H
#define VIVACE_TESTS_HARNESS_SCHEDULES_H

#include "sampling/profile/profile.h"

struct schedule_writer;
struct schedule {
    const char *name; /* for tables: "ranks" */
    void (*write)(struct schedule_writer *w);
    double spread; /* log-normal spread of the durations of a kernel */
};
extern const struct schedule schedules[]; /* name NULL at the end */

/* NULL: no schedule has that name. */
const struct schedule *schedule_find(const char *name);
/* Deterministic: makes the same launches at each call. */
int schedule_make(const struct schedule *s, struct profile *out, struct err *e);

#endif
