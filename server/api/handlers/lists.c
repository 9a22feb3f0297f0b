#include "server/api/handlers/lists.h"

#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "server/api/http/cursor.h"

int list_ask(const struct app *app, const struct request *req, const char *list, uint64_t *limit, char *after,
             struct err *e)
{
    const char *text = request_query(req, "after");
    struct cursor c;

    after[0] = '\0';
    if (request_query_u64(req, "limit", 1, LIST_MAX, LIST_LIMIT, limit, e) < 0)
        return -1;
    if (!text || !text[0])
        return 0;
    if (cursor_read(app, list, text, &c, e) < 0)
        return -1;
    memcpy(after, c.text[0], sizeof c.text[0]);
    return 0;
}

/* Releases rows. next: "" on the last page. */
static int answer(struct db_rows *rows, int shown, list_row_fn write, const char *next, struct reply *rep,
                  struct err *e)
{
    int ret = 0;

    strbuf_adds(&rep->body, "{\"items\":[");
    for (int i = 0; i < shown && ret == 0; i++) {
        if (i > 0)
            strbuf_addc(&rep->body, ',');
        if (write)
            ret = write(db_get(rows, i, 0), &rep->body, e);
        else
            strbuf_adds(&rep->body, db_get(rows, i, 0));
    }
    db_rows_release(rows);
    if (ret < 0)
        return -1;
    if (next[0])
        strbuf_addf(&rep->body, "],\"next\":\"%s\"}", next);
    else
        strbuf_adds(&rep->body, "],\"next\":null}");
    return reply_body_json(rep, 200, e);
}

int list_answer(const struct app *app, const char *list, struct db_rows *rows, int sort, uint64_t limit,
                struct reply *rep, struct err *e)
{
    return list_answer_written(app, list, rows, sort, limit, NULL, rep, e);
}

int list_answer_written(const struct app *app, const char *list, struct db_rows *rows, int sort, uint64_t limit,
                        list_row_fn write, struct reply *rep, struct err *e)
{
    int shown = (uint64_t)rows->count > limit ? (int)limit : rows->count;
    char next[CURSOR_TEXT] = "";
    struct cursor c = {{{0}}};

    if (rows->count > shown) {
        snprintf(c.text[0], sizeof c.text[0], "%s", db_get(rows, shown - 1, sort));
        if (cursor_write(app, list, &c, next, e) < 0) {
            db_rows_release(rows);
            return -1;
        }
    }
    return answer(rows, shown, write, next, rep, e);
}

/* --- Lists sorted by a column --- */

#define NAME_TEXT 64

static const char *name_of(const char *list, const struct list_order *order, char out[NAME_TEXT])
{
    if (!order->column[0])
        return list;
    snprintf(out, NAME_TEXT, "%s%s%s", list, order->largest_first ? " -" : " ", order->column);
    return out;
}

static int wrong_column(const char *given, const char *const *columns, struct err *e)
{
    struct strbuf known = STRBUF_INIT;
    int ret;

    for (size_t i = 0; columns[i]; i++)
        strbuf_addf(&known, "%s%s", i == 0 ? "" : columns[i + 1] ? ", " : " or ", columns[i]);
    ret = known.failed ? err_no_memory(e)
                       : err_set(e, ERR_INVALID, "`sort` must be %s, with - for largest first, not `%.40s`",
                                 known.text, given);
    strbuf_release(&known);
    return ret;
}

static int read_sort(const struct request *req, const char *const *columns, struct list_order *out, struct err *e)
{
    const char *given = request_query(req, "sort");

    out->column = "";
    if (!given || !given[0] || strcmp(given, "-created") == 0)
        return 0;
    out->largest_first = given[0] == '-';
    for (size_t i = 0; columns[i]; i++)
        if (strcmp(given + out->largest_first, columns[i]) == 0)
            out->column = columns[i];
    return out->column[0] ? 0 : wrong_column(given, columns, e);
}

int list_order_ask(const struct app *app, const struct request *req, const char *list, const char *const *columns,
                   struct list_order *out, struct err *e)
{
    const char *after = request_query(req, "after");
    struct cursor c = {{{0}}};
    char name[NAME_TEXT];
    uint64_t limit;

    *out = (struct list_order){.column = ""};
    if (request_query_u64(req, "limit", 1, LIST_MAX, LIST_LIMIT, &limit, e) < 0 ||
        read_sort(req, columns, out, e) < 0 ||
        (after && after[0] && cursor_read(app, name_of(list, out, name), after, &c, e) < 0))
        return -1;
    out->limit = limit + 1;
    snprintf(out->key, sizeof out->key, "%s%s", c.text[0], c.text[2]);
    snprintf(out->id, sizeof out->id, "%.36s", c.text[1]);
    return 0;
}

/* A key may need two parts of the cursor. */
int list_order_next(const struct app *app, const char *list, const struct list_order *order, const char *key,
                    const char *id, char *out, struct err *e)
{
    struct cursor c = {{{0}}};
    char name[NAME_TEXT];

    snprintf(c.text[0], sizeof c.text[0], "%s", key);
    snprintf(c.text[1], sizeof c.text[1], "%s", id);
    if (strlen(key) >= sizeof c.text[0])
        snprintf(c.text[2], sizeof c.text[2], "%s", key + sizeof c.text[0] - 1);
    return cursor_write(app, name_of(list, order, name), &c, out, e);
}

int list_order_answer(const struct app *app, const char *list, const struct list_order *order, struct db_rows *rows,
                      struct reply *rep, struct err *e)
{
    int shown = (uint64_t)rows->count < order->limit ? rows->count : (int)order->limit - 1;
    const char *key = shown < rows->count && order->column[0] ? db_get(rows, shown - 1, 2) : "";
    char next[CURSOR_TEXT] = "";

    if (shown < rows->count && list_order_next(app, list, order, key, db_get(rows, shown - 1, 1), next, e) < 0) {
        db_rows_release(rows);
        return -1;
    }
    return answer(rows, shown, NULL, next, rep, e);
}

int need_id(const char *what, const char *id, struct err *e)
{
    return uuid_valid(id) ? 0 : err_set(e, ERR_NOT_FOUND, "there is no such %s", what);
}

int wrong_time(const char *name, const char *text, struct err *e)
{
    return err_set(e, ERR_INVALID,
                   "`%s` must be a day or a time, as 2026-11-01 or 2026-11-01T12:00:00Z, not `%.*s`", name,
                   (int)utf8_cut(text, 60), text);
}

int need_time(const char *name, const char *text, struct err *e)
{
    static const char form[] = "0000-00-00";

    for (size_t i = 0; form[i]; i++)
        if (form[i] == '0' ? text[i] < '0' || text[i] > '9' : text[i] != form[i])
            return wrong_time(name, text, e);
    return 0;
}
