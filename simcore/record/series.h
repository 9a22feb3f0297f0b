/* simcore/record/series.h: computes rates, shares and watts over time from a recording.
 *
 *
 * A series has one line (for the GPU) or several (for each SM, slice, channel, bank, state or part), and a value
 * for any range of rows. The value is the sum of the numerator divided by the sum of the denominator over the
 * range. So the value of a wide range is the mean of its rows, weighted by time or by events. An undefined value (a
 * hit rate without loads) is NaN. */
#ifndef VIVACE_SIMCORE_RECORD_SERIES_H
#define VIVACE_SIMCORE_RECORD_SERIES_H

#include "simcore/record/recording.h"

struct series;
struct series_kind {
    const char *name, *unit,
        *of; /* of: the kind of its lines: "gpu", "sm", "slice", "channel", "bank", "state", "lanes", "part" */
    const char *group, *title, *sentence;
    bool shares; /* the lines add up to 1; charts stack them from useful up */
    const char *columns[3];
    const char *prefix; /* alternatively, the lines are the columns whose names begin with this prefix */
    double (*value)(const struct series *s, uint32_t line, uint32_t from, uint32_t to);
};
enum { SERIES_LINES_MAX = 4096, SERIES_LABEL = 48, SERIES_PREFIXED_MAX = 32 };

struct series {
    const struct series_kind *kind;
    const struct recording *recording;
    const struct recorded_column *column[3];
    const struct recorded_column *part[SERIES_PREFIXED_MAX]; /* in the order of the lines */
    uint32_t lines;
};

size_t series_count(void); /* number of all kinds */
/* Returns -1 if this recording does not have the columns. */
int series_open(const struct recording *r, size_t kind, struct series *out);
/* Finds the series by name. ERR_NOT_FOUND lists the available names. */
int series_find(const struct recording *r, const char *name, struct series *out, struct err *e);
/* The value from row `from` to before row `to`. */
double series_value(const struct series *s, uint32_t line, uint32_t from, uint32_t to);
const char *series_label(const struct series *s, uint32_t line, char out[SERIES_LABEL]);

/* A time range divided into columns of equal width in whole rows; the last column may be shorter. */
struct series_window {
    uint32_t first, rows;   /* of the recording */
    uint32_t each, columns; /* rows per column; ceil(rows / each) */
    uint64_t from, to;      /* cycles; widened to whole rows */
    uint64_t cycles_a_column;
};
/* to 0: until the end. The result has at most `columns` columns, at least 1. An empty recording has an empty
 * window.
 */
struct series_window series_window(const struct recording *r, uint64_t from, uint64_t to, uint32_t columns);
struct series_point {
    double min, mean, max; /* over the rows of the column; mean is the value of the column; NaN: undefined */
};
struct series_point series_point(const struct series *s, const struct series_window *w, uint32_t line,
                                 uint32_t column);

/* The number of cycles of these rows; the last row of a recording may be shorter. */
uint64_t series_cycles(const struct recording *r, uint32_t from, uint32_t to);

#endif
