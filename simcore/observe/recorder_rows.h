/* simcore/observe/recorder_rows.h: the rows of a recording while it is written: which one a cycle falls into, and
 * what is added there. Rows are made as they are reached, and folded when there are too many. Internal to the
 * recorder. */
#ifndef VIVACE_SIMCORE_OBSERVE_RECORDER_ROWS_H
#define VIVACE_SIMCORE_OBSERVE_RECORDER_ROWS_H

#include "simcore/observe/recorder.h"

/* Adds pairs of rows up: half as many, twice as long. */
void recorder_fold(struct recorder *r);
/* The row of a cycle other than the one before; NULL when memory has run out. */
uint64_t *recorder_find_row(struct recorder *r, uint64_t cycle);

/* The row of a cycle, now r->last; NULL when memory has run out. */
static inline uint64_t *recorder_row_of(struct recorder *r, uint64_t cycle)
{
    return cycle >= r->last_from && cycle < r->last_to ? r->last : recorder_find_row(r, cycle);
}

static inline void recorder_add(struct recorder *r, uint64_t cycle, uint32_t at, uint64_t amount)
{
    uint64_t *row = recorder_row_of(r, cycle);

    if (row)
        row[at] += amount;
}

/* One a cycle from `from` until before `to`. */
void recorder_spread(struct recorder *r, uint64_t from, uint64_t to, uint32_t at);
/* The same in picoseconds. */
void recorder_spread_ps(struct recorder *r, sim_time_ps from, sim_time_ps to, uint32_t at);

#endif
