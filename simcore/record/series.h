/* simcore/record/series.h: rates, shares and watts over time, worked out from a recording.
 *
 * A series has one line (of the GPU) or several (of each SM, slice, channel, bank, state or part), a value for any
 * stretch of rows: numerator over denominator of the whole stretch, so that a wide column is the mean of its
 * content, weighted by time or by events as its unit demands. What it cannot say (a hit rate without loads) is NaN.
 */
#ifndef VIVACE_SIMCORE_RECORD_SERIES_H
#define VIVACE_SIMCORE_RECORD_SERIES_H

#include "simcore/record/recording.h"

struct series;
struct series_kind {
    const char *name, *unit,
        *of; /* of: what its lines are: "gpu", "sm", "slice", "channel", "bank", "state", "lanes", "part" */
    const char *group, *title, *sentence;
    bool shares; /* its lines add up to 1: stacked in pictures, from useful up */
    const char *columns[3];
    const char *prefix; /* or its lines are the columns whose names begin so */
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

size_t series_count(void); /* of all kinds */
/* -1: this recording has no such columns. */
int series_open(const struct recording *r, size_t kind, struct series *out);
/* The same by name: ERR_NOT_FOUND says which there are. */
int series_find(const struct recording *r, const char *name, struct series *out, struct err *e);
/* From row `from` until before row `to`. */
double series_value(const struct series *s, uint32_t line, uint32_t from, uint32_t to);
const char *series_label(const struct series *s, uint32_t line, char out[SERIES_LABEL]);

/* A stretch of time cut into columns of equal width (the last may be shorter): whole rows. */
struct series_window {
    uint32_t first, rows;   /* of the recording */
    uint32_t each, columns; /* rows a column; ceil(rows / each) */
    uint64_t from, to;      /* cycles; widened to whole rows */
    uint64_t cycles_a_column;
};
/* to 0: until the end. At most `columns`, at least 1. An empty recording has an empty window. */
struct series_window series_window(const struct recording *r, uint64_t from, uint64_t to, uint32_t columns);
struct series_point {
    double min, mean, max; /* of the rows in the column; mean is the column's value; NaN: nothing to say */
};
struct series_point series_point(const struct series *s, const struct series_window *w, uint32_t line,
                                 uint32_t column);

/* How many cycles rows stand for: the last of a recording may be shorter. */
uint64_t series_cycles(const struct recording *r, uint32_t from, uint32_t to);

#endif
