#include "server/handlers/lists.h"

#include <stdio.h>
#include <string.h>

#include "server/http/cursor.h"

int list_ask(const struct app *app, const struct request *req, const char *list, uint64_t *limit, char *after,
             struct err *e)
{
    const char *text = request_query(req, "after");
    struct cursor c;

    after[0] = '\0';
    if (request_query_u64(req, "limit", 1, LIST_MOST, LIST_LIMIT, limit, e) < 0)
        return -1;
    if (!text || !text[0])
        return 0;
    if (cursor_read(app, list, text, &c, e) < 0)
        return -1;
    memcpy(after, c.text[0], sizeof c.text[0]);
    return 0;
}

int list_answer(const struct app *app, const char *list, struct db_rows *rows, int sort, uint64_t limit,
                struct reply *rep, struct err *e)
{
    int shown = (uint64_t)rows->count > limit ? (int)limit : rows->count;
    char next[CURSOR_TEXT] = "";
    struct cursor c = {{{0}}};
    int ret = 0;

    strbuf_adds(&rep->body, "{\"items\":[");
    for (int i = 0; i < shown; i++) {
        if (i > 0)
            strbuf_addc(&rep->body, ',');
        strbuf_adds(&rep->body, db_get(rows, i, 0));
    }
    if (rows->count > shown) {
        snprintf(c.text[0], sizeof c.text[0], "%s", db_get(rows, shown - 1, sort));
        ret = cursor_write(app, list, &c, next, e);
    }
    db_rows_release(rows);
    if (next[0])
        strbuf_addf(&rep->body, "],\"next\":\"%s\"}", next);
    else
        strbuf_adds(&rep->body, "],\"next\":null}");
    return ret < 0 ? -1 : reply_body_json(rep, 200, e);
}

int need_id(const char *what, const char *id, struct err *e)
{
    return uuid_valid(id) ? 0 : err_set(e, ERR_NOT_FOUND, "there is no such %s", what);
}
