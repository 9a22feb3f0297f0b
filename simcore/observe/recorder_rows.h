/* simcore/observe/recorder_rows.h: the rows of a recording during writing: finds the row of a cycle and adds to it.
 * Rows are allocated when they are needed, and folded if there are too many. Internal to the recorder. */
#ifndef VIVACE_SIMCORE_OBSERVE_RECORDER_ROWS_H
#define VIVACE_SIMCORE_OBSERVE_RECORDER_ROWS_H

#include "simcore/observe/recorder.h"

/* Adds adjacent rows in pairs: half the rows, twice the interval. */
void recorder_fold(struct recorder *r);
/* Finds the row of a cycle that is not in r->last; NULL: out of memory. */
uint64_t *recorder_find_row(struct recorder *r, uint64_t cycle);

/* Returns the row of a cycle and makes it r->last; NULL: out of memory. */
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

/* Adds one for each cycle from `from` to before `to`. */
void recorder_spread(struct recorder *r, uint64_t from, uint64_t to, uint32_t at);
/* As recorder_spread(), for picoseconds. */
void recorder_spread_ps(struct recorder *r, sim_time_ps from, sim_time_ps to, uint32_t at);

#endif
