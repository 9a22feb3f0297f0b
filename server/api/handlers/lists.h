/* server/api/handlers/lists.h: pages of lists whose rows the database has made as JSON already. */
#ifndef VIVACE_SERVER_HANDLERS_LISTS_H
#define VIVACE_SERVER_HANDLERS_LISTS_H

#include "server/api/app.h"
#include "server/store/db/list_order.h"
#include "server/api/http/http.h"

#define LIST_LIMIT 100
#define LIST_MAX   1000

/* ?limit and ?after. *after is "" at the beginning; 128 bytes. */
int list_ask(const struct app *app, const struct request *req, const char *list, uint64_t *limit, char *after,
             struct err *e) MUST_CHECK;
/* {"items":[…],"next":…}. Column 0 is a row's JSON, column `sort` what the next page goes on from. `rows` holds up
 * to limit + 1 rows: the one too many says that there is a next page. Releases rows. */
int list_answer(const struct app *app, const char *list, struct db_rows *rows, int sort, uint64_t limit,
                struct reply *rep, struct err *e) MUST_CHECK;
/* The same where `write` appends what is shown of a row's JSON. */
typedef int (*list_row_fn)(const char *json, struct strbuf *out, struct err *e);
int list_answer_written(const struct app *app, const char *list, struct db_rows *rows, int sort, uint64_t limit,
                        list_row_fn write, struct reply *rep, struct err *e) MUST_CHECK;

/* The same for lists that sort (?limit, ?sort=-COLUMN, ?after), which ask for out->limit rows: one more than a
 * page. `columns`: what may be sorted by, NULL at the end, `created` among them: it goes without saying, the newest
 * first. A cursor of one order is none of another: each is a list of its own. */
int list_order_ask(const struct app *app, const struct request *req, const char *list, const char *const *columns,
                   struct list_order *out, struct err *e) MUST_CHECK;
/* The cursor behind the row with this key, "" where the list needs none, and id. out: CURSOR_TEXT bytes. */
int list_order_next(const struct app *app, const char *list, const struct list_order *order, const char *key,
                    const char *id, char *out, struct err *e) MUST_CHECK;
/* Columns of the rows: JSON, id, with a column of the order its key. Releases rows. */
int list_order_answer(const struct app *app, const char *list, const struct list_order *order, struct db_rows *rows,
                      struct reply *rep, struct err *e) MUST_CHECK;

/* ERR_INVALID unless the parameter looks like an id; such a thing cannot exist, so it is 404. */
int need_id(const char *what, const char *id, struct err *e) MUST_CHECK;
/* ERR_INVALID unless it begins with a day of the calendar: the database would take "tomorrow" and "infinity" as
 * well. What follows the day is left to it. */
int need_time(const char *name, const char *text, struct err *e) MUST_CHECK;
/* For what the database does not take for a time: -1 with *e filled. */
int wrong_time(const char *name, const char *text, struct err *e);

#endif
