/* ingest/csv.h: rows of comma-separated text (RFC 4180: quotes, doubled quotes, line ends inside quotes), read in
 * place from a stream: no copy of a field is made. */
#ifndef VIVACE_INGEST_CSV_H
#define VIVACE_INGEST_CSV_H

#include <stdbool.h>

#include "base/stream.h"

/* The raw page of Nsight Compute has one column per metric. Of a longer row only the first CSV_MOST_FIELDS fields
 * are kept; field_count is then CSV_MOST_FIELDS + 1. */
#define CSV_MOST_FIELDS 4096

struct csv_field {
    char *text; /* NUL-terminated; valid until the next csv_next() */
    size_t length;
};

struct csv {
    struct stream *stream; /* borrowed */
    char *buffer;
    size_t begin, end, capacity; /* begin: where the next row starts */
    size_t most;                 /* largest size of a row in bytes */
    bool at_end;
    uint64_t line;        /* line number where the current row starts, from 1 */
    uint64_t lines_after; /* line ends consumed so far */
    size_t field_count;
    struct csv_field fields[CSV_MOST_FIELDS];
};

/* most: largest size of a row in bytes. A longer row is ERR_INVALID. */
int csv_init(struct csv *c, struct stream *stream, size_t most, struct err *e);
/* 1: a row; 0: end of file; -1: error. An empty line is a row with one empty field. */
int csv_next(struct csv *c, struct err *e);
/* The next line without its line end, if the whole line is in the buffer; false otherwise. Callers that recognize
 * the line call csv_skip() instead of csv_next(). */
bool csv_peek(const struct csv *c, const char **line, size_t *length);
void csv_skip(struct csv *c, size_t length);
void csv_release(struct csv *c);

#endif
