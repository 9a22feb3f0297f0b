/* ingest/nsys_columns.h: the header of a kernel trace that `nsys stats` or nvprof wrote as CSV: which table it is,
 * the field of each column, and in which unit. */
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
    int at[COLUMN_COUNT]; /* field of each column; -1: not there */
    int shift[COLUMN_COUNT];
    bool unit_known[COLUMN_COUNT];
};

/* What table begins with the current row, if any; *h says where its columns are. */
enum nsys_table nsys_read_header(const struct csv *c, struct nsys_header *h);
/* Whether single kernel launches with grid, block and times are listed in it. */
bool nsys_importable(enum nsys_table t);
/* Why a table that is not importable is refused, and which report to ask for instead; returns -1. `where` names the
 * file. */
int nsys_refuse(enum nsys_table table, const char *where, struct err *e);
/* A unit that the header does not tell itself: "us", "KB". Unknown ones leave unit_known as it was. */
void nsys_set_unit(struct nsys_header *h, enum nsys_column c, const char *unit);

#endif
