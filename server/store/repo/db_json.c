#include "server/store/repo/db_json.h"

#include <ctype.h>
#include <string.h>

#include "base/text.h"

/* One field of a row or one element of an array, unquoted into its own buffer. */
struct member {
    struct strbuf text;
    bool null;
};

static int wrong(const char *what, const char *text, struct err *e)
{
    return err_set(e, ERR_INTERNAL, "%s in what a statement selects: %.60s", what, text);
}

/* Reads a quoted text. Returns the position after the closing quote, or NULL if there is none. Inside, a quote is
 * doubled or follows a backslash. */
static const char *quoted(const char *s, struct strbuf *out)
{
    for (s++; *s; s++) {
        if (*s == '"') {
            if (s[1] != '"')
                return s + 1;
            s++;
        } else if (*s == '\\' && s[1]) {
            s++;
        }
        strbuf_addc(out, *s);
    }
    return NULL;
}

/* Reads up to `end` or a comma and returns its position. NULL: the text ends before. */
static const char *read_member(const char *s, char end, struct member *m)
{
    bool was_quoted = *s == '"';

    strbuf_clear(&m->text);
    if (was_quoted) {
        s = quoted(s, &m->text);
    } else {
        size_t n = strcspn(s, end == ')' ? ",)" : ",}");

        strbuf_add(&m->text, s, n);
        s += n;
    }
    m->null = !was_quoted && (end == ')' ? m->text.length == 0 : strcmp(m->text.text, "NULL") == 0);
    return s && (*s == ',' || *s == end) ? s : NULL;
}

/* Escapes text like PostgreSQL's escape_json(), src/backend/utils/adt/json.c. */
static void add_text(struct strbuf *out, const char *s)
{
    static const char short_form[] = {['\b'] = 'b', ['\f'] = 'f', ['\n'] = 'n', ['\r'] = 'r', ['\t'] = 't'};

    strbuf_addc(out, '"');
    while (*s) {
        size_t n = 0;

        while ((unsigned char)s[n] >= 0x20 && s[n] != '"' && s[n] != '\\')
            n++;
        strbuf_add(out, s, n);
        s += n;
        if (*s == '"' || *s == '\\')
            strbuf_addf(out, "\\%c", *s);
        else if (*s && (size_t)*s < sizeof short_form && short_form[(size_t)*s])
            strbuf_addf(out, "\\%c", short_form[(size_t)*s]);
        else if (*s)
            strbuf_addf(out, "\\u%04x", (unsigned)*s);
        s += *s != '\0';
    }
    strbuf_addc(out, '"');
}

static void add_number(struct strbuf *out, const char *s)
{
    if (isdigit((unsigned char)s[0]) || (s[0] == '-' && isdigit((unsigned char)s[1])))
        strbuf_adds(out, s);
    else
        add_text(out, s);
}

/* Reads the text of an array. `add` appends each element. */
static int add_list(struct strbuf *out, const char *s, const struct db_field *f, struct err *e)
{
    struct member m = {.text = STRBUF_INIT};
    const char *at = s;
    int ret = 0;

    strbuf_addc(out, '[');
    if (*at != '{')
        ret = wrong("no array", s, e);
    if (strcmp(s, "{}") == 0)
        at++;
    while (ret == 0 && *at != '}') {
        bool first = at == s;

        at = read_member(at + 1, '}', &m);
        if (!at) {
            ret = wrong("half an array", s, e);
            break;
        }
        if (!first)
            strbuf_adds(out, f->type == DB_AS_ROWS ? ", " : ",");
        if (m.text.failed)
            ret = err_no_memory(e);
        else if (m.null)
            strbuf_adds(out, "null");
        else if (f->type == DB_AS_ROWS)
            ret = db_json_row(m.text.text, f->fields, out, e);
        else if (f->type == DB_AS_NUMBERS || f->type == DB_AS_SHAPE)
            add_number(out, m.text.text);
        else
            add_text(out, m.text.text);
    }
    strbuf_addc(out, ']');
    strbuf_release(&m.text);
    return ret;
}

static int add_value(struct strbuf *out, const struct member *m, const struct db_field *f, struct err *e)
{
    if (m->text.failed)
        return err_no_memory(e);
    if (m->null) {
        strbuf_adds(out, f->null == DB_NULL_EMPTY ? "[]" : "null");
        return 0;
    }
    switch (f->type) {
    case DB_AS_TEXT: add_text(out, m->text.text); return 0;
    case DB_AS_NUMBER: add_number(out, m->text.text); return 0;
    case DB_AS_BOOL: strbuf_adds(out, m->text.text[0] == 't' ? "true" : "false"); return 0;
    case DB_AS_JSON: strbuf_adds(out, m->text.text); return 0;
    case DB_AS_ROW: return db_json_row(m->text.text, f->fields, out, e);
    case DB_AS_SHAPE:
        if (str_starts(m->text.text, "{0,")) {
            strbuf_adds(out, "null");
            return 0;
        }
        break;
    case DB_AS_TEXTS:
    case DB_AS_NUMBERS:
    case DB_AS_ROWS: break;
    }
    return add_list(out, m->text.text, f, e);
}

int db_json_row(const char *row, const struct db_field *fields, struct strbuf *out, struct err *e)
{
    struct member m = {.text = STRBUF_INIT};
    const struct db_field *f = fields;
    const char *at = row, *between = "";
    int ret = *row == '(' ? 0 : wrong("no row", row, e);

    strbuf_addc(out, '{');
    for (; ret == 0 && f->name && *at != ')'; f++) {
        at = read_member(at + 1, ')', &m);
        if (!at) {
            ret = wrong("half a row", row, e);
            break;
        }
        if (m.null && f->null == DB_NULL_LEFT_OUT)
            continue;
        strbuf_adds(out, between);
        add_text(out, f->name);
        strbuf_adds(out, " : ");
        ret = add_value(out, &m, f, e);
        between = ", ";
    }
    strbuf_addc(out, '}');
    if (ret == 0 && (f->name || *at != ')' || at[1]))
        ret = wrong("another number of columns", row, e);
    if (ret == 0 && out->failed)
        ret = err_no_memory(e);
    strbuf_release(&m.text);
    return ret;
}

int db_json_rows(const char *text, const struct db_field *fields, struct strbuf *out, struct err *e)
{
    const struct db_field list = FIELD_ROWS("", fields);
    int ret = add_list(out, text, &list, e);

    return ret == 0 && out->failed ? err_no_memory(e) : ret;
}

int db_json_column(struct db_rows *r, int col, const struct db_field *fields, struct err *e)
{
    struct strbuf json = STRBUF_INIT;
    int ret = 0;

    for (int i = 0; i < r->count && ret == 0; i++) {
        if (db_is_null(r, i, col))
            continue;
        strbuf_clear(&json);
        ret = db_json_row(db_get(r, i, col), fields, &json, e);
        if (ret == 0)
            ret = db_set(r, i, col, json.text, json.length, e);
    }
    strbuf_release(&json);
    if (ret < 0)
        db_rows_release(r);
    return ret;
}

int db_query_json(struct db *db, const struct db_stmt *stmt, const struct db_params *p,
                  const struct db_field *fields, struct db_rows *out, struct err *e)
{
    return db_query(db, stmt, p, out, e) < 0 ? -1 : db_json_column(out, 0, fields, e);
}

int db_json_of(struct db *db, const struct db_stmt *stmt, const struct db_params *p, const struct db_field *fields,
               struct strbuf *out, struct err *e)
{
    struct db_rows r;
    int ret = 0;

    if (db_query(db, stmt, p, &r, e) < 0)
        return -1;
    if (r.count > 0 && db_is_null(&r, 0, 0))
        strbuf_adds(out, "null");
    else if (r.count > 0)
        ret = db_json_row(db_get(&r, 0, 0), fields, out, e);
    if (ret == 0)
        ret = out->failed ? err_no_memory(e) : r.count > 0;
    db_rows_release(&r);
    return ret;
}

int db_json_list_of(struct db *db, const struct db_stmt *stmt, const struct db_params *p,
                    const struct db_field *fields, struct strbuf *out, struct err *e)
{
    struct db_rows r;
    int ret = 0;

    if (db_query(db, stmt, p, &r, e) < 0)
        return -1;
    strbuf_addc(out, '[');
    for (int i = 0; i < r.count && ret == 0; i++) {
        strbuf_adds(out, i > 0 ? ", " : "");
        ret = db_json_row(db_get(&r, i, 0), fields, out, e);
    }
    strbuf_addc(out, ']');
    db_rows_release(&r);
    return ret == 0 && out->failed ? err_no_memory(e) : ret;
}
