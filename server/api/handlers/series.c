#include "server/api/handlers/series.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/csv_cell.h"
#include "base/text.h"
#include "server/platform/net/npy.h"
#include "simcore/record/series.h"
#include "wire/json_writer.h"

enum { COLUMNS_DEFAULT = 2000 };

struct asked {
    struct series series;
    struct series_window window;
};

/* --- The list --- */

static void write_kind(struct jw *w, const struct series *s)
{
    const struct series_kind *k = s->kind;
    char label[SERIES_LABEL];

    jw_object(w);
    jw_key_text(w, "name", k->name);
    jw_key_text(w, "title", k->title);
    jw_key_text(w, "group", k->group);
    jw_key_text(w, "unit", k->unit);
    jw_key_text(w, "of", k->of);
    jw_key_u64(w, "lines", s->lines);
    jw_key(w, "labels");
    jw_array(w);
    for (uint32_t i = 0; i < s->lines; i++)
        jw_text(w, series_label(s, i, label));
    jw_end(w, ']');
    jw_key(w, "mean");
    jw_array(w);
    for (uint32_t i = 0; i < s->lines; i++)
        jw_double(w, s->recording->rows ? series_value(s, i, 0, s->recording->rows) : NAN);
    jw_end(w, ']');
    jw_key_bool(w, "shares", k->shares);
    jw_key_text(w, "sentence", k->sentence);
    jw_end(w, '}');
}

static void write_list(struct jw *w, const struct recording *r)
{
    struct series s;

    jw_object(w);
    jw_key_text(w, "design", r->about.design);
    jw_key_text(w, "simulator", r->about.simulator);
    jw_key_text(w, "kernel", r->about.kernel);
    jw_key_u64(w, "cycles", r->cycles);
    jw_key_double(w, "clock_hz", (double)r->about.sm_khz * 1000);
    jw_key_u64(w, "interval_cycles", r->interval_cycles);
    jw_key_u64(w, "intervals", r->rows);
    jw_key(w, "series");
    jw_array(w);
    for (size_t i = 0; i < series_count(); i++)
        if (series_open(r, i, &s) == 0)
            write_kind(w, &s);
    jw_end(w, ']');
    jw_end(w, '}');
}

/* --- One series --- */

static double part(const struct series_point *p, int which)
{
    return which == 0 ? p->min : which == 1 ? p->mean : p->max;
}

static const char *const part_names[] = {"min", "mean", "max"};

static void write_line(struct jw *w, const struct asked *a, const struct series_point *points, uint32_t line)
{
    char label[SERIES_LABEL];

    jw_object(w);
    jw_key_text(w, "label", series_label(&a->series, line, label));
    for (int k = 0; k < 3; k++) {
        jw_key(w, part_names[k]);
        jw_array(w);
        for (uint32_t i = 0; i < a->window.columns; i++)
            jw_double(w, part(&points[i], k));
        jw_end(w, ']');
    }
    jw_end(w, '}');
}

static void fill_points(const struct asked *a, uint32_t line, struct series_point *points)
{
    for (uint32_t i = 0; i < a->window.columns; i++)
        points[i] = series_point(&a->series, &a->window, line, i);
}

static void write_series(struct jw *w, const struct asked *a, struct series_point *points)
{
    const struct series_kind *k = a->series.kind;

    jw_object(w);
    jw_key_text(w, "name", k->name);
    jw_key_text(w, "title", k->title);
    jw_key_text(w, "unit", k->unit);
    jw_key_text(w, "sentence", k->sentence);
    jw_key_u64(w, "from", a->window.from);
    jw_key_u64(w, "to", a->window.to);
    jw_key_u64(w, "columns", a->window.columns);
    jw_key_u64(w, "cycles_a_column", a->window.cycles_a_column);
    jw_key(w, "lines");
    jw_array(w);
    for (uint32_t line = 0; line < a->series.lines; line++) {
        fill_points(a, line, points);
        write_line(w, a, points, line);
    }
    jw_end(w, ']');
    jw_end(w, '}');
}

/* Header with the unit, then one row for each column of each line. A cell without data is empty. */
static void csv(const struct asked *a, struct series_point *points, struct strbuf *b)
{
    const struct series_window *w = &a->window;
    char label[SERIES_LABEL], number[NUM_TEXT];

    strbuf_addf(b, "line,from_cycle,to_cycle,min (%s),mean,max\r\n", a->series.kind->unit);
    for (uint32_t line = 0; line < a->series.lines; line++) {
        fill_points(a, line, points);
        for (uint32_t i = 0; i < w->columns; i++) {
            uint64_t from = w->from + i * w->cycles_a_column, to = from + w->cycles_a_column;

            csv_add_cell(b, series_label(&a->series, line, label));
            strbuf_addf(b, ",%llu,%llu", (unsigned long long)from, (unsigned long long)(to < w->to ? to : w->to));
            for (int k = 0; k < 3; k++)
                strbuf_addf(b, ",%s", isnan(part(&points[i], k)) ? "" : num_format(part(&points[i], k), number));
            strbuf_adds(b, "\r\n");
        }
    }
}

/* float32: lines x columns x (min, mean, max). */
static void npy(const struct asked *a, struct series_point *points, struct strbuf *b)
{
    npy_begin(b, false, (const size_t[]){a->series.lines, a->window.columns, 3}, 3);
    for (uint32_t line = 0; line < a->series.lines; line++) {
        fill_points(a, line, points);
        for (uint32_t i = 0; i < a->window.columns; i++)
            for (int k = 0; k < 3; k++)
                npy_add_float(b, (float)part(&points[i], k));
    }
}

static int ask_window(const struct recording *r, const struct request *req, struct series_window *out,
                      struct err *e)
{
    uint64_t from, to, columns;

    if (request_query_u64(req, "from", 0, UINT64_MAX >> 1, 0, &from, e) < 0 ||
        request_query_u64(req, "to", 0, UINT64_MAX >> 1, 0, &to, e) < 0 ||
        request_query_u64(req, "columns", 1, RECORDING_ROWS_MAX, COLUMNS_DEFAULT, &columns, e) < 0)
        return -1;
    if (to && to <= from)
        return err_set(e, ERR_INVALID, "`to` must be after `from`; both are cycles");
    *out = series_window(r, from, to, (uint32_t)columns);
    return 0;
}

static int reply_one(const struct asked *a, const char *format, struct reply *rep, struct err *e)
{
    struct series_point *points = calloc(a->window.columns + 1, sizeof *points);
    struct jw w;
    int ret;

    if (!points)
        return err_no_memory(e);
    if (strcmp(format, "json") == 0) {
        jw_init(&w, NULL, NULL, e);
        write_series(&w, a, points);
        ret = reply_written(rep, 200, &w, e);
    } else if (strcmp(format, "csv") == 0) {
        csv(a, points, &rep->body);
        rep->content_type = "text/csv; charset=utf-8";
        ret = reply_body_json(rep, 200, e);
    } else if (strcmp(format, "npy") == 0) {
        npy(a, points, &rep->body);
        rep->content_type = "application/octet-stream";
        ret = reply_body_json(rep, 200, e);
    } else {
        ret = err_set(e, ERR_INVALID, "`format` of one series must be json, csv or npy");
    }
    free(points);
    return ret;
}

static int reply_whole(const struct recording *r, const struct strbuf *bytes, const char *format, struct reply *rep,
                       struct err *e)
{
    struct jw w;
    char *text;
    size_t n;

    if (strcmp(format, "json") == 0) {
        jw_init(&w, NULL, NULL, e);
        write_list(&w, r);
        return reply_written(rep, 200, &w, e);
    }
    if (strcmp(format, "chrome") == 0) {
        text = recording_chrome_trace(r, &n, e);
        if (!text)
            return -1;
        strbuf_add(&rep->body, text, n);
        free(text);
        snprintf(rep->content_disposition, sizeof rep->content_disposition,
                 "attachment; filename=\"vivace.trace.json\"");
        return reply_body_json(rep, 200, e);
    }
    if (strcmp(format, "recording") != 0)
        return err_set(e, ERR_INVALID, "`format` without a name must be json, chrome or recording");
    strbuf_add(&rep->body, bytes->text, bytes->length);
    rep->content_type = "application/octet-stream";
    snprintf(rep->content_disposition, sizeof rep->content_disposition, "attachment; filename=\"vivace.vrec\"");
    return reply_body_json(rep, 200, e);
}

int series_reply(const struct recording *r, const struct strbuf *bytes, const struct request *req,
                 struct reply *rep, struct err *e)
{
    const char *name = request_query(req, "name"), *format = request_query(req, "format");
    struct asked a;

    if (!format)
        format = "json";
    if (!name)
        return reply_whole(r, bytes, format, rep, e);
    if (series_find(r, name, &a.series, e) < 0 || ask_window(r, req, &a.window, e) < 0)
        return -1;
    return reply_one(&a, format, rep, e);
}
