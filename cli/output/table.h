/* cli/output/table.h: rows and columns on stdout: aligned for people, or CSV (RFC 4180) with full precision.
 *
 *   struct table t;
 *   table_init(&t, columns, 3);
 *   table_text(&t, name);                 a cell: the same for people and CSV
 *   table_pair(&t, "5.53 s", "5.5312");   one text for people, another for CSV
 *   ...                                   rows fill from left to right
 *   ret = table_print(&t, csv, stdout, &e);
 *   table_release(&t); */
#ifndef VIVACE_CLI_TABLE_H
#define VIVACE_CLI_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/err.h"

struct table_column {
    const char *title;    /* for people; NULL: the column is in the CSV only */
    const char *csv_name; /* with its unit: "cycles", "mean_ns"; NULL: for people only */
    bool right;           /* right-aligned, for numbers */
    bool narrow;          /* may be cut in its middle to fit the terminal (kernel names) */
};
struct table {
    const struct table_column *columns;
    size_t column_count, cell_count, capacity;
    char **cells; /* two texts for each cell: for people, for CSV (NULL: the same) */
    bool failed;
};

void table_init(struct table *t, const struct table_column *columns, size_t count);
void table_release(struct table *t);
void table_text(struct table *t, const char *text);
void table_pair(struct table *t, const char *people, const char *csv);
void table_count(struct table *t, uint64_t n);                    /* grouped for people, digits in CSV */
void table_number(struct table *t, double x, const char *people); /* full precision in CSV; empty for NaN */
int table_print(struct table *t, bool csv, FILE *to, struct err *e);
/* Columns that a text takes on a terminal (UTF-8; combining marks and joiners take none, wide forms two). */
size_t table_width(const char *s);

#endif
