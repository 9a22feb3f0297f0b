/* ingest/nsys_columns.h: the header of a kernel trace that `nsys stats` or nvprof wrote as CSV: the kind of
 * table, and the field index and unit of each column. */
#ifndef VIVACE_INGEST_NSYS_COLUMNS_H
#define VIVACE_INGEST_NSYS_COLUMNS_H

#include <stdbool.h>

#include "ingest/csv.h"

enum nsys_column {
    COLUMN_START,
    COLUMN_DURATION,
    COLUMN_API_START,
    COLUMN_CORRELATION,
    COLUMN_GRID_X,
    COLUMN_GRID_Y,
    COLUMN_GRID_Z,
    COLUMN_BLOCK_X,
    COLUMN_BLOCK_Y,
    COLUMN_BLOCK_Z,
    COLUMN_GRID,
    COLUMN_BLOCK,
    COLUMN_REGISTERS,
    COLUMN_SHARED_STATIC,
    COLUMN_SHARED_DYNAMIC,
    COLUMN_DEVICE,
    COLUMN_CONTEXT,
    COLUMN_STREAM,
    COLUMN_PROCESS,
    COLUMN_NAME,
    COLUMN_COUNT
};

enum nsys_table {
    TABLE_NONE,
    TABLE_GPU_TRACE,
    TABLE_EXEC_TRACE,
    TABLE_NVPROF,
    TABLE_SUMMARY,
    TABLE_OTHER_NSYS,
    TABLE_SEMICOLONS
};

struct nsys_header {
    enum nsys_table table;
    size_t field_count;
    int at[COLUMN_COUNT]; /* field index of each column; -1: absent */
    int shift[COLUMN_COUNT];
    bool unit_known[COLUMN_COUNT];
};

/* The table that begins with the current row, if any. *h gets the index of each column. */
enum nsys_table nsys_read_header(const struct csv *c, struct nsys_header *h);
/* Whether the table lists single kernel launches with grid, block and times. */
bool nsys_importable(enum nsys_table t);
/* Fills *e with the reason why the table cannot be imported and with the report to use instead. Returns -1.
 * `where` names the file. */
int nsys_refuse(enum nsys_table table, const char *where, struct err *e);
/* Sets a unit that is not in the header: "us", "KB". An unknown unit leaves unit_known unchanged. */
void nsys_set_unit(struct nsys_header *h, enum nsys_column c, const char *unit);

#endif
