/* server/api/http/csv_reply.h: ?format=csv: the list or the series that an answer holds, as a table (RFC 4180,
 * UTF-8); ?format=npy: the same table where it holds nothing but numbers, as a matrix for NumPy.
 *
 * One place for all routes: the handler answers JSON as ever, and what it answered becomes rows. Members are
 * columns in the order in which they come; a member that is an object gives a column for each of its own,
 * `plan_id`; a list of numbers is in one cell, apart by spaces (grid and block: by x); anything deeper is JSON.
 * Units are in the names. A list is followed to its end, page by page, unless the caller asks for a page with
 * `limit` or `after`; its rows wait in a file meanwhile, so that memory does not grow with them.
 */
#ifndef VIVACE_SERVER_CSV_REPLY_H
#define VIVACE_SERVER_CSV_REPLY_H

#include <stdio.h>

#include "server/api/http/http_internal.h"

/* How the request is answered otherwise: as a handler does. */
typedef int (*answer_fn)(struct http_request *r, struct db *db, struct reply *rep, struct err *e);

bool csv_wanted(const struct http_request *r); /* or npy */
/* ERR_INVALID for an answer that is neither list nor series, or for npy where a cell is no number. Answers that are
 * no JSON go out as they are: the handler knows formats of its own. */
int csv_reply(struct http_request *r, struct db *db, answer_fn answer, struct reply *rep, struct err *e) MUST_CHECK;
/* Text of one JSON answer -> table. *next: its cursor, "" at the end; 512 bytes. */
struct csv_table {
    struct json_t *rows, *columns; /* flat rows; columns as members of an object, in their order */
    bool npy;
    FILE *spilled; /* rows before those, written out; NULL: none. The caller closes it */
    uint64_t spilled_rows;
};
void csv_table_release(struct csv_table *t);
int csv_table_add(struct csv_table *t, const char *text, size_t n, char *next, struct err *e) MUST_CHECK;
/* Moves the rows in memory to t->spilled. */
int csv_table_spill(struct csv_table *t, struct err *e) MUST_CHECK;
/* The whole table. CSV, or with t->npy float64, rows x columns in that order, without a header; NaN for an empty
 * cell.
 */
int csv_table_write(const struct csv_table *t, FILE *out, struct err *e) MUST_CHECK;

#endif
