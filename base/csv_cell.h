/* base/csv_cell.h: cells of CSV that people open in a spreadsheet. */
#ifndef VIVACE_BASE_CSV_CELL_H
#define VIVACE_BASE_CSV_CELL_H

#include "base/strbuf.h"

/* As strbuf_add_csv(), with an apostrophe before text that a spreadsheet would read as a formula: text that begins
 * with = + - @, a tab or a carriage return, and is not a number. Use strbuf_add_csv() for files that only programs
 * read. */
void csv_add_cell(struct strbuf *b, const char *s);

#endif
