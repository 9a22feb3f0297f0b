/* ingest/nsys_rows.h: rows of a kernel trace that `nsys stats` or nvprof wrote as CSV -> import_launch(). */
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

/* The current row's field of a column; an empty one where the table lacks it. */
static inline const struct csv_field *nsys_field(const struct nsys_trace *t, enum nsys_column c)
{
    static const struct csv_field none = {.text = strbuf_empty};

    return t->header.at[c] < 0 ? &none : &t->csv.fields[t->header.at[c]];
}

/* How many fields begin a row that tell one launch of a kernel from the next: times, the id that tells the order,
 * and columns that nobody reads. 0: other columns stand among them (nvprof has the id in the name). */
size_t nsys_head_fields(const struct nsys_trace *t);
/* Takes the next row if it has plain numbers in front and ends like an earlier row. 1: taken; 0: it has to be read
 * in full, and *slot (may be NULL) wants to know what it meant; -1. */
int nsys_take_known_row(struct nsys_trace *t, struct row_memo_slot **slot, struct err *e);
/* Takes the current row, which has as many fields as the header, in full, and tells `slot` what it means. */
int nsys_take_row(struct nsys_trace *t, struct row_memo_slot *slot, struct err *e);

#endif
