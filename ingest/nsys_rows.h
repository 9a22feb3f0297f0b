/* ingest/nsys_rows.h: turns rows of a kernel trace that `nsys stats` or nvprof wrote as CSV into calls of
 * import_launch(). */
#ifndef VIVACE_INGEST_NSYS_ROWS_H
#define VIVACE_INGEST_NSYS_ROWS_H

#include "ingest/import.h"
#include "ingest/nsys_columns.h"
#include "ingest/row_memo.h"

struct nsys_trace {
    struct import *im;
    struct csv csv;
    struct nsys_header header;
    uint64_t rows_taken;
    size_t head_fields; /* see nsys_head_fields(); 0: rows are read in full */
    struct row_memo memo;
};

/* The current row's field of a column. An empty field when the table has no such column. */
static inline const struct csv_field *nsys_field(const struct nsys_trace *t, enum nsys_column c)
{
    static const struct csv_field none = {.text = strbuf_empty};

    return t->header.at[c] < 0 ? &none : &t->csv.fields[t->header.at[c]];
}

/* The number of fields at the start of a row that differ between launches of one kernel: times, the id that gives
 * the order, and columns that are not read. 0: these fields are not adjacent (nvprof has the id in the name). */
size_t nsys_head_fields(const struct nsys_trace *t);
/* Takes the next row if its first fields are plain numbers and it ends like an earlier row. 1: taken; 0: the
 * caller reads the row in full and passes *slot (may be NULL) to nsys_take_row(); -1: error. */
int nsys_take_known_row(struct nsys_trace *t, struct row_memo_slot **slot, struct err *e);
/* Takes the current row, which has the header's number of fields, in full. Stores the launch in `slot`, unless it
 * is NULL. */
int nsys_take_row(struct nsys_trace *t, struct row_memo_slot *slot, struct err *e);

#endif
