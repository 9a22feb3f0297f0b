/* server/store/repo/db_json.h: converts the rows of statements to JSON.
 *
 * A statement selects ROW(a, b, ...) for an object, and array_agg(ROW(...)) for a list of objects. PostgreSQL
 * sends both as text (PostgreSQL documentation, "Composite Types" 8.16.6 and "Arrays" 8.15.6). An array of `struct
 * db_field` gives the name and type of each column, in the order of the columns. A row with another number of
 * columns is ERR_INTERNAL. Numbers keep PostgreSQL's digits. Infinity and NaN become text. */
#ifndef VIVACE_SERVER_REPO_DB_JSON_H
#define VIVACE_SERVER_REPO_DB_JSON_H

#include "base/strbuf.h"
#include "server/store/db/db.h"

enum db_field_type {
    DB_AS_TEXT, /* any type that is a string in JSON: text, uuid, enums */
    DB_AS_NUMBER,
    DB_AS_BOOL,
    DB_AS_JSON,    /* json and jsonb: copied unchanged */
    DB_AS_TEXTS,   /* text[] */
    DB_AS_NUMBERS, /* integer[], float8[] */
    DB_AS_SHAPE,   /* integer[3]; null where the first is 0: the profile does not state it */
    DB_AS_ROW,     /* ROW(...); `fields` lists its members */
    DB_AS_ROWS     /* array_agg(ROW(...)); `fields` lists the members of a row */
};
enum db_field_null {
    DB_NULL_SHOWN,   /* as null */
    DB_NULL_EMPTY,   /* as [] */
    DB_NULL_LEFT_OUT /* the object does not have the member */
};
struct db_field {
    const char *name; /* NULL ends the array */
    enum db_field_type type;
    enum db_field_null null;
    const struct db_field *fields; /* members of DB_AS_ROW and DB_AS_ROWS */
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

/* Appends the object of a row, or the list of objects of an array of rows. row, text: as PostgreSQL
 * sends them. */
int db_json_row(const char *row, const struct db_field *fields, struct strbuf *out, struct err *e) MUST_CHECK;
int db_json_rows(const char *text, const struct db_field *fields, struct strbuf *out, struct err *e) MUST_CHECK;

/* Replaces column `col`, which contains rows, by their JSON in all rows of r. NULL remains NULL. On -1, r is
 * released. */
int db_json_column(struct db_rows *r, int col, const struct db_field *fields, struct err *e) MUST_CHECK;
/* Runs db_query() and converts the first column to JSON. */
int db_query_json(struct db *db, const struct db_stmt *stmt, const struct db_params *p,
                  const struct db_field *fields, struct db_rows *out, struct err *e) MUST_CHECK;
/* Appends the first column of the first row as JSON (null for NULL) and returns 1. Returns 0 when there is no
 * row. */
int db_json_of(struct db *db, const struct db_stmt *stmt, const struct db_params *p, const struct db_field *fields,
               struct strbuf *out, struct err *e) MUST_CHECK;
/* Appends the first columns of all rows as a JSON list. */
int db_json_list_of(struct db *db, const struct db_stmt *stmt, const struct db_params *p,
                    const struct db_field *fields, struct strbuf *out, struct err *e) MUST_CHECK;

#endif
