/* base/csv_cell.h: cells of CSV that people open in a spreadsheet. */
#ifndef VIVACE_BASE_CSV_CELL_H
#define VIVACE_BASE_CSV_CELL_H

#include "base/strbuf.h"

/* strbuf_add_csv() with an apostrophe before text that a spreadsheet would take for a formula (it begins with = + -
 * @, a tab or a carriage return, and is no number). For files that only programs read: strbuf_add_csv(). */
void csv_add_cell(struct strbuf *b, const char *s);

#endif
