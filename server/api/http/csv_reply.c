#include "server/api/http/csv_reply.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <jansson.h>

#include "base/csv_cell.h"
#include "base/text.h"
#include "server/api/http/cursor.h"
#include "server/api/http/http_inner.h"
#include "server/platform/net/npy.h"
#include "server/store/blob/blob_store.h"
#include "wire/json.h"

#define ROWS_MAX  1000000
#define KEPT_ROWS 5000   /* rows in memory; longer lists are moved to a file */
#define PAGE_ROWS "1000" /* the maximum page size of every list */

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

/* Sets a cell of the flat row. The first use of a name adds a column. */
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

/* --- Finding the list in an answer --- */

/* {edges, strata: [{id, counts}]}: one row for each bin, one column for each stratum. */
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

/* [{design, parts: [{…}]}]: one row for each part, its design first. */
static json_t *rows_of_parts(const json_t *designs)
{
    json_t *rows = json_array();
    const json_t *design, *part;
    size_t d, i;

    json_array_foreach(designs, d, design)
    {
        json_array_foreach(json_object_get(design, "parts"), i, part)
        {
            json_t *row = json_pack("{s:O}", "design", json_object_get(design, "design"));

            json_object_update(row, (json_t *)part);
            json_array_append_new(rows, row);
        }
    }
    return rows;
}

/* The list of an answer: `items` of lists, `points` of series, otherwise the first member that is a list of
 * objects. The caller owns it. NULL: there is none. */
static json_t *rows_of(json_t *answer)
{
    json_t *edges = json_object_get(answer, "edges"), *rows = json_object_get(answer, "items"), *v;
    const char *name;

    if (json_is_array(edges))
        return rows_of_histogram(edges, json_object_get(answer, "strata"));
    if (json_is_array(json_object_get(json_array_get(json_object_get(answer, "designs"), 0), "parts")))
        return rows_of_parts(json_object_get(answer, "designs"));
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
        ret = err_set(e, ERR_INVALID, "this reply is neither a list nor a series, so it has no CSV form");
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

/* --- Rows as text --- */

struct spilled_row { /* header before the row's bytes; columns that were added later are empty in the row */
    uint32_t bytes, columns;
};

static int add_number(const char *name, const char *cell, struct strbuf *out, struct err *e)
{
    struct err ignored;
    double v = NAN;

    if (cell && *cell && parse_double(cell, name, &v, &ignored) < 0) {
        err_set(e, ERR_INVALID, "column `%.60s` contains text, and a .npy file is a matrix of numbers", name);
        return err_hint(e, "Ask for format=csv.");
    }
    npy_add_double(out, v);
    return 0;
}

static int row_text(const struct csv_table *t, const json_t *row, struct strbuf *out, struct err *e)
{
    const char *name, *cell;
    json_t *unused;
    size_t c = 0;

    strbuf_clear(out);
    json_object_foreach(t->columns, name, unused)
    {
        cell = json_string_value(json_object_get(row, name));
        if (t->npy) {
            if (add_number(name, cell, out, e) < 0)
                return -1;
            continue;
        }
        strbuf_adds(out, c++ ? "," : "");
        csv_add_cell(out, cell ? cell : "");
    }
    return out->failed ? err_no_memory(e) : 0;
}

static void end_row(const struct csv_table *t, size_t columns, struct strbuf *out)
{
    for (; columns < json_object_size(t->columns); columns++) {
        if (t->npy)
            npy_add_double(out, NAN);
        else
            strbuf_adds(out, columns ? "," : "");
    }
    strbuf_adds(out, t->npy ? "" : "\r\n");
}

static int put_bytes(FILE *to, const void *bytes, size_t n, struct err *e)
{
    return n == 0 || fwrite(bytes, n, 1, to) == 1 ? 0 : err_set_errno(e, errno, "writing a table");
}

int csv_table_spill(struct csv_table *t, struct err *e)
{
    struct strbuf b = STRBUF_INIT;
    const json_t *row;
    size_t i;
    int ret = 0;

    json_array_foreach(t->rows, i, row)
    {
        struct spilled_row head;

        ret = ret < 0 ? ret : row_text(t, row, &b, e);
        head = (struct spilled_row){(uint32_t)b.length, (uint32_t)json_object_size(t->columns)};
        if (ret == 0 &&
            (put_bytes(t->spilled, &head, sizeof head, e) < 0 || put_bytes(t->spilled, b.text, b.length, e) < 0))
            ret = -1;
    }
    t->spilled_rows += json_array_size(t->rows);
    json_array_clear(t->rows);
    strbuf_release(&b);
    return ret;
}

static int write_head(const struct csv_table *t, struct strbuf *b, FILE *out, struct err *e)
{
    const size_t shape[] = {t->spilled_rows + json_array_size(t->rows), json_object_size(t->columns)};
    const char *name;
    json_t *unused;
    size_t c = 0;

    if (t->npy) {
        npy_begin(b, true, shape, 2);
    } else {
        json_object_foreach(t->columns, name, unused)
        {
            strbuf_adds(b, c++ ? "," : "");
            csv_add_cell(b, name);
        }
        strbuf_adds(b, "\r\n");
    }
    return b->failed ? err_no_memory(e) : put_bytes(out, b->text, b->length, e);
}

static int copy_spilled(const struct csv_table *t, struct strbuf *b, FILE *out, struct err *e)
{
    struct spilled_row head;

    rewind(t->spilled);
    for (uint64_t i = 0; i < t->spilled_rows; i++) {
        if (fread(&head, sizeof head, 1, t->spilled) != 1)
            return err_set(e, ERR_INTERNAL, "a table that was written cannot be read");
        strbuf_clear(b);
        for (size_t left = head.bytes, n; left > 0; left -= n) {
            char part[4096];

            n = left < sizeof part ? left : sizeof part;
            if (fread(part, n, 1, t->spilled) != 1)
                return err_set(e, ERR_INTERNAL, "a table that was written cannot be read");
            strbuf_add(b, part, n);
        }
        end_row(t, head.columns, b);
        if (b->failed)
            return err_no_memory(e);
        if (put_bytes(out, b->text, b->length, e) < 0)
            return -1;
    }
    return 0;
}

int csv_table_write(const struct csv_table *t, FILE *out, struct err *e)
{
    struct strbuf b = STRBUF_INIT;
    const json_t *row;
    size_t i;
    int ret = write_head(t, &b, out, e);

    if (ret == 0 && t->spilled)
        ret = copy_spilled(t, &b, out, e);
    json_array_foreach(t->rows, i, row)
    {
        ret = ret < 0 ? ret : row_text(t, row, &b, e);
        if (ret == 0) {
            end_row(t, json_object_size(t->columns), &b);
            ret = b.failed ? err_no_memory(e) : put_bytes(out, b.text, b.length, e);
        }
    }
    if (ret == 0 && fflush(out) != 0)
        ret = err_set_errno(e, errno, "writing a table");
    strbuf_release(&b);
    return ret;
}

/* --- The reply --- */

/* A file without a name: it is deleted when its last descriptor is closed. */
static FILE *open_scratch(const struct http_request *r, struct err *e)
{
    char path[4096];
    FILE *f;
    int fd;

    if (blob_stage(r->http->app->farm.store.blobs, &fd, path, e) < 0)
        return NULL;
    unlink(path);
    f = fdopen(fd, "w+");
    if (!f) {
        close(fd);
        err_no_memory(e);
    }
    return f;
}

static int spill(const struct http_request *r, struct csv_table *t, struct err *e)
{
    if (!t->spilled)
        t->spilled = open_scratch(r, e);
    return t->spilled ? csv_table_spill(t, e) : -1;
}

static int finish_file(const struct http_request *r, const struct csv_table *t, struct reply *rep, struct err *e)
{
    FILE *f = open_scratch(r, e);
    int ret = f ? csv_table_write(t, f, e) : -1;
    long n = ret == 0 ? ftell(f) : 0;

    if (ret == 0 && (n < 0 || (rep->file = dup(fileno(f))) < 0))
        ret = err_set_errno(e, errno, "opening a table");
    if (ret == 0)
        rep->file_length = (uint64_t)n;
    if (f)
        fclose(f);
    return ret;
}

static int finish_text(const struct csv_table *t, struct reply *rep, struct err *e)
{
    char *text = NULL;
    size_t n = 0;
    FILE *f = open_memstream(&text, &n);
    int ret = f ? csv_table_write(t, f, e) : err_no_memory(e);

    if (f && fclose(f) != 0 && ret == 0)
        ret = err_no_memory(e);
    if (ret == 0)
        strbuf_add(&rep->body, text, n);
    free(text);
    return ret == 0 && rep->body.failed ? err_no_memory(e) : ret;
}

static int finish(const struct http_request *r, const struct csv_table *t, struct reply *rep, struct err *e)
{
    strbuf_clear(&rep->body);
    rep->content_type = t->npy ? "application/octet-stream" : "text/csv; charset=utf-8";
    return t->spilled ? finish_file(r, t, rep, e) : finish_text(t, rep, e);
}

/* Reads one page. 1: there is a next page. */
static int add_page(struct http_request *r, struct csv_table *t, bool all, struct reply *rep, char *next,
                    struct err *e)
{
    if (csv_table_add(t, rep->body.text, rep->body.length, next, e) < 0)
        return -1;
    if (!all || !next[0])
        return 0;
    if (json_array_size(t->rows) + t->spilled_rows > ROWS_MAX) {
        err_set(e, ERR_INVALID, "the list has more than %d rows", ROWS_MAX);
        return err_hint(e, "Ask page by page, with `limit` and `after`.");
    }
    return json_array_size(t->rows) < KEPT_ROWS || spill(r, t, e) == 0 ? 1 : -1;
}

int csv_reply(struct http_request *r, struct db *db, answer_fn answer, struct reply *rep, struct err *e)
{
    bool all = !request_query(&r->shown, "limit") && !request_query(&r->shown, "after");
    struct csv_table t = {.npy = asks_for(r, "npy")};
    char next[CURSOR_TEXT] = "";
    int ret;

    r->page_limit = all ? PAGE_ROWS : NULL;
    do {
        r->page_after = next[0] ? next : NULL;
        ret = answer(r, db, rep, e);
        if (ret < 0 || rep->parked || rep->content_type || reply_status(rep) != 200)
            break;
        ret = add_page(r, &t, all, rep, next, e);
        if (ret == 0) {
            ret = finish(r, &t, rep, e);
            break;
        }
        reply_release(rep);
        request_forget(r);
    } while (ret > 0);
    r->page_after = r->page_limit = NULL;
    if (t.spilled)
        fclose(t.spilled);
    csv_table_release(&t);
    return ret;
}
