/* ingest/csv.h: rows of comma-separated text (RFC 4180: quotes, doubled quotes, line ends inside quotes), read in
 * place from a stream: no copy of a field is made. */
#ifndef VIVACE_INGEST_CSV_H
#define VIVACE_INGEST_CSV_H

#include <stdbool.h>

#include "base/stream.h"

/* Nsight Compute's raw page has a column a metric; a longer row keeps its first fields and has field_count
 * CSV_MOST_FIELDS + 1. */
#define CSV_MOST_FIELDS 4096

struct csv_field {
    char *text; /* NUL-terminated; valid until the next csv_next() */
    size_t length;
};

struct csv {
    struct stream *stream; /* the caller's */
    char *buffer;
    size_t begin, end, capacity; /* begin: where the next row starts */
    size_t most;                 /* bytes a row may have */
    bool at_end;
    uint64_t line;        /* where the current row starts, from 1 */
    uint64_t lines_after; /* line ends consumed so far */
    size_t field_count;
    struct csv_field fields[CSV_MOST_FIELDS];
};

/* `most` bytes a row at most; longer rows are ERR_INVALID. */
int csv_init(struct csv *c, struct stream *stream, size_t most, struct err *e);
int csv_next(struct csv *c, struct err *e); /* 1, 0 at the end, -1; an empty line is a row with one empty field */
/* For readers that know a row by its bytes: the line that begins the next row, without its line end, where it lies
 * whole in the buffer; then csv_skip() instead of csv_next() takes it. */
bool csv_peek(const struct csv *c, const char **line, size_t *length);
void csv_skip(struct csv *c, size_t length);
void csv_release(struct csv *c);

#endif
