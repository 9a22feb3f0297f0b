/* server/handlers/lists.h: pages of lists whose rows the database has made as JSON already. */
#ifndef VIVACE_SERVER_HANDLERS_LISTS_H
#define VIVACE_SERVER_HANDLERS_LISTS_H

#include "server/app.h"
#include "server/db/db.h"
#include "server/http/http.h"

#define LIST_LIMIT 100
#define LIST_MOST  1000

/* ?limit and ?after. *after is "" at the beginning; 128 bytes. */
int list_ask(const struct app *app, const struct request *req, const char *list, uint64_t *limit, char *after,
             struct err *e) MUST_CHECK;
/* {"items":[…],"next":…}. Column 0 is a row's JSON, column `sort` what the next page goes on from. `rows` holds up
 * to limit + 1 rows: the one too many says that there is a next page. Releases rows. */
int list_answer(const struct app *app, const char *list, struct db_rows *rows, int sort, uint64_t limit,
                struct reply *rep, struct err *e) MUST_CHECK;
/* ERR_INVALID unless the parameter looks like an id; such a thing cannot exist, so it is 404. */
int need_id(const char *what, const char *id, struct err *e) MUST_CHECK;

#endif
