/* server/api/handlers/lists.h: pages of lists whose rows the database returns as JSON. */
#ifndef VIVACE_SERVER_HANDLERS_LISTS_H
#define VIVACE_SERVER_HANDLERS_LISTS_H

#include "server/api/app.h"
#include "server/store/db/list_order.h"
#include "server/api/http/http.h"

#define LIST_LIMIT 100
#define LIST_MAX   1000

/* Reads ?limit and ?after. *after is "" for the first page; it has room for 128 bytes. */
int list_ask(const struct app *app, const struct request *req, const char *list, uint64_t *limit, char *after,
             struct err *e) MUST_CHECK;
/* Writes {"items":[…],"next":…}. Column 0 is a row's JSON; column `sort` is the key at which the next page
 * begins. `rows` holds up to limit + 1 rows: the extra row means that there is a next page. Releases rows. */
int list_answer(const struct app *app, const char *list, struct db_rows *rows, int sort, uint64_t limit,
                struct reply *rep, struct err *e) MUST_CHECK;
/* As list_answer(), but `write` appends the visible part of a row's JSON. */
typedef int (*list_row_fn)(const char *json, struct strbuf *out, struct err *e);
int list_answer_written(const struct app *app, const char *list, struct db_rows *rows, int sort, uint64_t limit,
                        list_row_fn write, struct reply *rep, struct err *e) MUST_CHECK;

/* For lists that can be sorted (?limit, ?sort=-COLUMN, ?after). The query asks for out->limit rows, one more
 * than a page. `columns`: the sortable columns, NULL at the end. It must contain `created`, the default, newest
 * first. A cursor of one sort order is invalid in another. */
int list_order_ask(const struct app *app, const struct request *req, const char *list, const char *const *columns,
                   struct list_order *out, struct err *e) MUST_CHECK;
/* The cursor after the row with this key ("" where the list needs none) and id. out: CURSOR_TEXT bytes. */
int list_order_next(const struct app *app, const char *list, const struct list_order *order, const char *key,
                    const char *id, char *out, struct err *e) MUST_CHECK;
/* Columns of the rows: JSON, id, and the key when the list is sorted by a column. Releases rows. */
int list_order_answer(const struct app *app, const char *list, const struct list_order *order, struct db_rows *rows,
                      struct reply *rep, struct err *e) MUST_CHECK;

/* Checks a parameter that must look like an id. ERR_NOT_FOUND otherwise, because no such object can exist. */
int need_id(const char *what, const char *id, struct err *e) MUST_CHECK;
/* ERR_INVALID unless the text begins with a calendar date: PostgreSQL would also accept "tomorrow" and
 * "infinity". PostgreSQL checks the text after the date. */
int need_time(const char *name, const char *text, struct err *e) MUST_CHECK;
/* Fills *e for a text that PostgreSQL rejects as a time, and returns -1. */
int wrong_time(const char *name, const char *text, struct err *e);

#endif
