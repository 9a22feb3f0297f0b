#include "simcore/observe/recorder_rows.h"

#include <stdlib.h>
#include <string.h>

enum { FIRST_ROWS = 8 }; /* most launches are short */

void recorder_fold(struct recorder *r)
{
    for (uint32_t i = 0; i < r->out->rows; i++) {
        uint64_t *from = r->out->cell + (size_t)i * r->out->width,
                 *to = r->out->cell + (size_t)(i / 2) * r->out->width;

        for (uint32_t k = 0; k < r->out->width && i % 2; k++)
            to[k] += from[k];
        if (i % 2 == 0 && i)
            memcpy(to, from, r->out->width * sizeof *to);
    }
    r->out->rows = (r->out->rows + 1) / 2;
    memset(r->out->cell + (size_t)r->out->rows * r->out->width, 0,
           (size_t)(r->row_capacity - r->out->rows) * r->out->width * sizeof *r->out->cell);
    r->out->interval_cycles *= 2;
    r->last_to = 0;
}

/* Allocates rows up to this row, filled with zeros. */
static bool reach(struct recorder *r, uint32_t row)
{
    uint32_t capacity = r->row_capacity ? r->row_capacity : FIRST_ROWS;
    uint64_t *more;

    while (capacity <= row)
        capacity *= 2;
    if (capacity > r->row_capacity) {
        more = realloc(r->out->cell, (size_t)capacity * r->out->width * sizeof *more);
        if (!more) {
            r->failed = true;
            return false;
        }
        memset(more + (size_t)r->row_capacity * r->out->width, 0,
               (size_t)(capacity - r->row_capacity) * r->out->width * sizeof *more);
        r->out->cell = more;
        r->row_capacity = capacity;
    }
    if (r->out->rows <= row)
        r->out->rows = row + 1;
    return true;
}

uint64_t *recorder_find_row(struct recorder *r, uint64_t cycle)
{
    if (cycle > CLOCK_CYCLES_MAX)
        cycle = CLOCK_CYCLES_MAX;
    while (cycle / r->out->interval_cycles >= r->rows_max)
        recorder_fold(r);
    r->last_to = 0;
    if (r->failed || !reach(r, (uint32_t)(cycle / r->out->interval_cycles)))
        return NULL;
    r->last_from = cycle / r->out->interval_cycles * r->out->interval_cycles;
    r->last_to = r->last_from + r->out->interval_cycles;
    r->last = r->out->cell + cycle / r->out->interval_cycles * r->out->width;
    return r->last;
}

void recorder_spread(struct recorder *r, uint64_t from, uint64_t to, uint32_t at)
{
    uint64_t *row, end, interval;

    if (from >= to || !recorder_row_of(r, to - 1)) /* allocates all rows before it, too */
        return;
    interval = r->out->interval_cycles;
    row = r->out->cell + from / interval * r->out->width + at;
    for (end = from / interval * interval + interval; end < to; end += interval, row += r->out->width) {
        *row += end - from;
        from = end;
    }
    *row += to - from;
}

void recorder_spread_ps(struct recorder *r, sim_time_ps from, sim_time_ps to, uint32_t at)
{
    while (from < to) {
        uint64_t cycle = clock_from_ps(&r->clock, from + 1) - 1; /* the cycle that contains `from` */
        uint64_t *row = recorder_row_of(r, cycle);
        sim_time_ps end;

        if (!row)
            return;
        end = clock_to_ps(&r->clock, r->last_to);
        end = end < to ? end : to;
        row[at] += end - from;
        from = end;
    }
}
