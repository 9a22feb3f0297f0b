/* server/api/http/csv_reply.h: ?format=csv converts the list or series in an answer to a table (RFC 4180, UTF-8).
 * ?format=npy gives the same table as a NumPy matrix if all cells are numbers.
 *
 * The conversion serves all routes: the handler returns JSON, and this module converts it to rows. Members
 * become columns in their order. A member that is an object gives one column for each of its members, such as
 * `plan_id`. A list of numbers fills one cell, separated by spaces (grid and block: by x). Deeper values are
 * written as JSON. Column names contain the units. All pages of a list are read, unless the caller asks for one
 * page with `limit` or `after`. Rows are collected in a file, so memory use does not grow with them. */
#ifndef VIVACE_SERVER_CSV_REPLY_H
#define VIVACE_SERVER_CSV_REPLY_H

#include <stdio.h>

#include "server/api/http/http_internal.h"

/* Produces the JSON answer, as a handler does. */
typedef int (*answer_fn)(struct http_request *r, struct db *db, struct reply *rep, struct err *e);

bool csv_wanted(const struct http_request *r); /* also for npy */
/* ERR_INVALID for an answer that is neither list nor series, or for npy when a cell is not a number. Answers
 * that are not JSON are sent unchanged: their handler has formats of its own. */
int csv_reply(struct http_request *r, struct db *db, answer_fn answer, struct reply *rep, struct err *e) MUST_CHECK;
/* Converts the text of one JSON answer to a table. *next: the answer's cursor, "" at the end; 512 bytes. */
struct csv_table {
    struct json_t *rows, *columns; /* flat rows; columns are the members of an object, in their order */
    bool npy;
    FILE *spilled; /* earlier rows, written to a file; NULL: none. The caller closes it */
    uint64_t spilled_rows;
};
void csv_table_release(struct csv_table *t);
int csv_table_add(struct csv_table *t, const char *text, size_t n, char *next, struct err *e) MUST_CHECK;
/* Moves the rows in memory to t->spilled. */
int csv_table_spill(struct csv_table *t, struct err *e) MUST_CHECK;
/* Writes the whole table. CSV; or, if t->npy is set, float64, rows x columns, without a header. An empty cell is
 * NaN. */
int csv_table_write(const struct csv_table *t, FILE *out, struct err *e) MUST_CHECK;

#endif
