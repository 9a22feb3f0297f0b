#include "server/http/csv_reply.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "base/csv_cell.h"
#include "base/text.h"
#include "server/http/cursor.h"
#include "server/http/http_inner.h"
#include "server/http/npy.h"
#include "wire/json.h"

#define ROWS_MOST 1000000
#define PAGE_ROWS "1000" /* the most that every list gives at once */

static bool asks_for(const struct http_request *r, const char *wanted)
{
    const char *format = request_query(&r->shown, "format");

    return format && strcmp(format, wanted) == 0;
}

bool csv_wanted(const struct http_request *r)
{
    return (asks_for(r, "csv") || asks_for(r, "npy")) && strcmp(r->route->method, "GET") == 0;
}

void csv_table_release(struct csv_table *t)
{
    json_decref(t->rows);
    json_decref(t->columns);
    t->rows = t->columns = NULL;
}

/* --- Rows --- */

static bool is_flat(const json_t *list)
{
    const json_t *v;
    size_t i;

    json_array_foreach(list, i, v)
    {
        if (json_is_object(v) || json_is_array(v))
            return false;
    }
    return true;
}

static void add_scalar(const json_t *v, struct strbuf *b)
{
    char number[NUM_TEXT];

    if (json_is_string(v))
        strbuf_adds(b, json_string_value(v));
    else if (json_is_integer(v))
        strbuf_addf(b, "%" JSON_INTEGER_FORMAT, json_integer_value(v));
    else if (json_is_real(v))
        strbuf_adds(b, num_format(json_real_value(v), number));
    else if (json_is_boolean(v))
        strbuf_adds(b, json_is_true(v) ? "true" : "false");
}

static void add_list(const char *name, const json_t *list, struct strbuf *b)
{
    const char *apart = strcmp(name, "grid") == 0 || strcmp(name, "block") == 0 ? "x" : " ";
    const json_t *v;
    size_t i;

    json_array_foreach(list, i, v)
    {
        strbuf_adds(b, i ? apart : "");
        add_scalar(v, b);
    }
}

/* A cell of the flat row; a column the first time that its name comes. */
static int put(struct csv_table *t, json_t *flat, const char *column, const char *name, const json_t *v,
               struct err *e)
{
    struct strbuf b = STRBUF_INIT;
    int ret;

    if (json_is_array(v) && is_flat(v))
        add_list(name, v, &b);
    else if (json_is_array(v) || json_is_object(v))
        json_write_text(v, false, &b);
    else
        add_scalar(v, &b);
    ret = b.failed || json_object_set_new(flat, column, json_string(b.text ? b.text : "")) < 0 ||
                  (!json_object_get(t->columns, column) && json_object_set_new(t->columns, column, json_null()) < 0)
              ? err_no_memory(e)
              : 0;
    strbuf_release(&b);
    return ret;
}

static int add_row(struct csv_table *t, const json_t *row, struct err *e)
{
    json_t *flat = json_object(), *v, *inner;
    const char *name, *under;
    char column[256];
    int ret = flat ? 0 : err_no_memory(e);

    json_object_foreach((json_t *)row, name, v)
    {
        if (ret < 0)
            break;
        if (!json_is_object(v)) {
            ret = put(t, flat, name, name, v, e);
            continue;
        }
        json_object_foreach(v, under, inner)
        {
            snprintf(column, sizeof column, "%s_%s", name, under);
            ret = ret < 0 ? ret : put(t, flat, column, under, inner, e);
        }
    }
    if (ret == 0 && json_array_append(t->rows, flat) < 0)
        ret = err_no_memory(e);
    json_decref(flat);
    return ret;
}

/* --- Which part of an answer is its list --- */

/* {edges, strata: [{id, counts}]}: a row a bin, a column a stratum. */
static json_t *rows_of_histogram(const json_t *edges, const json_t *strata)
{
    json_t *rows = json_array();
    const json_t *s;
    char name[40];
    size_t g;

    for (size_t i = 0; i + 1 < json_array_size(edges); i++) {
        json_t *row = json_pack("{s:O, s:O}", "from", json_array_get(edges, i), "to", json_array_get(edges, i + 1));

        json_array_foreach(strata, g, s)
        {
            snprintf(name, sizeof name, "stratum_%" JSON_INTEGER_FORMAT,
                     json_integer_value(json_object_get(s, "id")));
            json_object_set(row, name, json_array_get(json_object_get(s, "counts"), i));
        }
        json_array_append_new(rows, row);
    }
    return rows;
}

/* The list of an answer: `items` of lists, `points` of series, else its first member that is a list of objects.
 * Owned by the caller; NULL: there is none. */
static json_t *rows_of(json_t *answer)
{
    json_t *edges = json_object_get(answer, "edges"), *rows = json_object_get(answer, "items"), *v;
    const char *name;

    if (json_is_array(edges))
        return rows_of_histogram(edges, json_object_get(answer, "strata"));
    if (!rows)
        rows = json_object_get(answer, "points");
    if (json_is_array(rows))
        return json_incref(rows);
    json_object_foreach(answer, name, v)
    {
        if (json_is_array(v) && json_is_object(json_array_get(v, 0)))
            return json_incref(v);
    }
    return NULL;
}

int csv_table_add(struct csv_table *t, const char *text, size_t n, char *next, struct err *e)
{
    json_t *answer = json_read_text(text, n, "the answer", e), *rows, *row;
    const char *cursor;
    size_t i;
    int ret = 0;

    if (!answer)
        return -1;
    if (!t->rows) {
        t->rows = json_array();
        t->columns = json_object();
    }
    rows = rows_of(answer);
    if (!rows)
        ret = err_set(e, ERR_INVALID, "this answer is neither list nor series, so there is no CSV of it");
    json_array_foreach(rows, i, row)
    {
        ret = ret < 0 ? ret : add_row(t, row, e);
    }
    cursor = json_string_value(json_object_get(answer, "next"));
    snprintf(next, CURSOR_TEXT, "%s", cursor ? cursor : "");
    json_decref(rows);
    json_decref(answer);
    return ret;
}

int csv_table_write(const struct csv_table *t, struct strbuf *out, struct err *e)
{
    const char *name, *cell;
    json_t *unused, *row;
    size_t i, c = 0;

    json_object_foreach(t->columns, name, unused)
    {
        strbuf_adds(out, c++ ? "," : "");
        csv_add_cell(out, name);
    }
    strbuf_adds(out, "\r\n");
    json_array_foreach(t->rows, i, row)
    {
        c = 0;
        json_object_foreach(t->columns, name, unused)
        {
            strbuf_adds(out, c++ ? "," : "");
            cell = json_string_value(json_object_get(row, name));
            csv_add_cell(out, cell ? cell : "");
        }
        strbuf_adds(out, "\r\n");
    }
    return out->failed ? err_no_memory(e) : 0;
}

static int number_of(const json_t *row, const char *name, double *out, struct err *e)
{
    const char *cell = json_string_value(json_object_get(row, name));
    struct err ignored;

    *out = NAN;
    if (!cell || !*cell || parse_double(cell, name, out, &ignored) == 0)
        return 0;
    err_set(e, ERR_INVALID, "`%.60s` of this table holds text, and a .npy is a matrix of numbers", name);
    return err_hint(e, "Ask for format=csv.");
}

int csv_table_write_npy(const struct csv_table *t, struct strbuf *out, struct err *e)
{
    const size_t shape[] = {json_array_size(t->rows), json_object_size(t->columns)};
    const char *name;
    json_t *unused, *row;
    size_t i;
    double v;

    npy_begin(out, true, shape, 2);
    json_array_foreach(t->rows, i, row)
    {
        json_object_foreach(t->columns, name, unused)
        {
            if (number_of(row, name, &v, e) < 0)
                return -1;
            npy_add_double(out, v);
        }
    }
    return out->failed ? err_no_memory(e) : 0;
}

/* --- The reply --- */

static int finish(const struct http_request *r, const struct csv_table *t, struct reply *rep, struct err *e)
{
    strbuf_clear(&rep->body);
    if (asks_for(r, "npy")) {
        rep->content_type = "application/octet-stream";
        return csv_table_write_npy(t, &rep->body, e);
    }
    rep->content_type = "text/csv; charset=utf-8";
    return csv_table_write(t, &rep->body, e);
}

int csv_reply(struct http_request *r, struct db *db, answer_fn answer, struct reply *rep, struct err *e)
{
    bool all = !request_query(&r->shown, "limit") && !request_query(&r->shown, "after");
    struct csv_table t = {0};
    char next[CURSOR_TEXT] = "";
    int ret;

    r->page_limit = all ? PAGE_ROWS : NULL;
    do {
        r->page_after = next[0] ? next : NULL;
        ret = answer(r, db, rep, e);
        if (ret < 0 || rep->parked || rep->content_type || reply_status(rep) != 200)
            break;
        ret = csv_table_add(&t, rep->body.text, rep->body.length, next, e);
        if (ret == 0 && all && next[0] && json_array_size(t.rows) > ROWS_MOST) {
            err_set(e, ERR_INVALID, "the list has more than %d rows", ROWS_MOST);
            ret = err_hint(e, "Ask page by page, with `limit` and `after`.");
        }
        if (ret == 0 && (!all || !next[0])) {
            ret = finish(r, &t, rep, e);
            break;
        }
        reply_release(rep);
        request_forget(r);
    } while (ret == 0);
    r->page_after = r->page_limit = NULL;
    csv_table_release(&t);
    return ret;
}
