/* server/store/repo/db_json.h: JSON of what statements select.
 *
 * A statement selects ROW(a, b, ...) where an answer has an object, and array_agg(ROW(...)) where it has a list of
 * them. PostgreSQL sends both as text (PostgreSQL documentation, "Composite Types" 8.16.6 and "Arrays" 8.15.6).
 * An array of `struct db_field` gives each column its name and type, in the order of the columns. A row with
 * another number of columns is ERR_INTERNAL. Numbers keep the digits that PostgreSQL writes; infinite ones and NaN
 * are text. */
#ifndef VIVACE_SERVER_REPO_DB_JSON_H
#define VIVACE_SERVER_REPO_DB_JSON_H

#include "base/strbuf.h"
#include "server/store/db/db.h"

enum db_field_type {
    DB_AS_TEXT, /* any type that JSON shows as text: text, uuid, enums */
    DB_AS_NUMBER,
    DB_AS_BOOL,
    DB_AS_JSON,    /* json and jsonb: as they are */
    DB_AS_TEXTS,   /* text[] */
    DB_AS_NUMBERS, /* integer[], float8[] */
    DB_AS_SHAPE,   /* integer[3]; null where the first is 0: the profile does not state it */
    DB_AS_ROW,     /* ROW(...): `fields` */
    DB_AS_ROWS     /* array_agg(ROW(...)): `fields` */
};
enum db_field_null {
    DB_NULL_SHOWN,   /* null */
    DB_NULL_EMPTY,   /* [] */
    DB_NULL_LEFT_OUT /* the object does not have the member */
};
struct db_field {
    const char *name; /* NULL ends the array */
    enum db_field_type type;
    enum db_field_null null;
    const struct db_field *fields; /* of rows */
};
#define FIELD_OF(name_, type_, null_, fields_)                                                                     \
    {                                                                                                              \
        .name = name_, .type = type_, .null = null_, .fields = fields_                                             \
    }
#define FIELD_TEXT(name)                  FIELD_OF(name, DB_AS_TEXT, DB_NULL_SHOWN, NULL)
#define FIELD_NUMBER(name)                FIELD_OF(name, DB_AS_NUMBER, DB_NULL_SHOWN, NULL)
#define FIELD_NUMBER_IF_ANY(name)         FIELD_OF(name, DB_AS_NUMBER, DB_NULL_LEFT_OUT, NULL)
#define FIELD_BOOL(name)                  FIELD_OF(name, DB_AS_BOOL, DB_NULL_SHOWN, NULL)
#define FIELD_JSON(name)                  FIELD_OF(name, DB_AS_JSON, DB_NULL_SHOWN, NULL)
#define FIELD_TEXTS(name)                 FIELD_OF(name, DB_AS_TEXTS, DB_NULL_SHOWN, NULL)
#define FIELD_TEXTS_OR_EMPTY(name)        FIELD_OF(name, DB_AS_TEXTS, DB_NULL_EMPTY, NULL)
#define FIELD_NUMBERS(name)               FIELD_OF(name, DB_AS_NUMBERS, DB_NULL_SHOWN, NULL)
#define FIELD_SHAPE(name)                 FIELD_OF(name, DB_AS_SHAPE, DB_NULL_SHOWN, NULL)
#define FIELD_ROW(name, fields)           FIELD_OF(name, DB_AS_ROW, DB_NULL_SHOWN, fields)
#define FIELD_ROWS(name, fields)          FIELD_OF(name, DB_AS_ROWS, DB_NULL_SHOWN, fields)
#define FIELD_ROWS_OR_EMPTY(name, fields) FIELD_OF(name, DB_AS_ROWS, DB_NULL_EMPTY, fields)
#define FIELDS_END                        FIELD_OF(NULL, DB_AS_TEXT, DB_NULL_SHOWN, NULL)

/* Appends the object that `text`, a row, is; or the list that it is, an array of rows. */
int db_json_row(const char *text, const struct db_field *fields, struct strbuf *out, struct err *e) MUST_CHECK;
int db_json_rows(const char *text, const struct db_field *fields, struct strbuf *out, struct err *e) MUST_CHECK;

/* Column `col` of all rows, each a row itself, becomes the JSON of it. NULL stays NULL. On -1, r is released. */
int db_json_column(struct db_rows *r, int col, const struct db_field *fields, struct err *e) MUST_CHECK;
/* db_query(), and the first column becomes JSON. */
int db_query_json(struct db *db, const struct db_stmt *stmt, const struct db_params *p,
                  const struct db_field *fields, struct db_rows *out, struct err *e) MUST_CHECK;
/* Appends the first column of the first row as JSON, null for NULL: 1; 0: there is no row. */
int db_json_of(struct db *db, const struct db_stmt *stmt, const struct db_params *p, const struct db_field *fields,
               struct strbuf *out, struct err *e) MUST_CHECK;
/* Appends the first columns of all rows as a list. */
int db_json_list_of(struct db *db, const struct db_stmt *stmt, const struct db_params *p,
                    const struct db_field *fields, struct strbuf *out, struct err *e) MUST_CHECK;

#endif
