/* server/store/db/db_rows.c: reads the values of a result. */
#include <ctype.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/array.h"
#include "base/assert.h"
#include "server/store/db/db_internal.h"

bool db_is_null(const struct db_rows *r, int row, int col)
{
    return PQgetisnull(r->handle, row, col);
}

const char *db_get(const struct db_rows *r, int row, int col)
{
    return PQgetvalue(r->handle, row, col);
}

int64_t db_get_i64(const struct db_rows *r, int row, int col)
{
    return db_is_null(r, row, col) ? 0 : strtoll(db_get(r, row, col), NULL, 10);
}

uint64_t db_get_u64(const struct db_rows *r, int row, int col)
{
    return db_is_null(r, row, col) ? 0 : strtoull(db_get(r, row, col), NULL, 10);
}

double db_get_double(const struct db_rows *r, int row, int col)
{
    return db_is_null(r, row, col) ? NAN : strtod(db_get(r, row, col), NULL);
}

bool db_get_bool(const struct db_rows *r, int row, int col)
{
    return db_get(r, row, col)[0] == 't';
}

/* Reads "2026-11-20 13:02:11.123456+00". The session's time zone is UTC. */
wall_us db_get_time(const struct db_rows *r, int row, int col)
{
    struct tm tm = {0};
    const char *s = db_get(r, row, col), *dot;
    int64_t us = 0;

    if (sscanf(s, "%d-%d-%d %d:%d:%d", &tm.tm_year, &tm.tm_mon, &tm.tm_mday, &tm.tm_hour, &tm.tm_min, &tm.tm_sec) !=
        6)
        return 0;
    tm.tm_year -= 1900;
    tm.tm_mon -= 1;
    dot = strchr(s, '.');
    for (int i = 1, digit = 1; dot && i <= 6; i++) {
        digit = digit && isdigit((unsigned char)dot[i]);
        us = us * 10 + (digit ? dot[i] - '0' : 0);
    }
    return (wall_us)timegm(&tm) * 1000000 + us;
}

static int hex_digit(char c)
{
    return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

int db_get_bytes(const struct db_rows *r, int row, int col, unsigned char **out, size_t *n, struct err *e)
{
    const char *s = db_get(r, row, col);
    size_t length = (size_t)PQgetlength(r->handle, row, col);
    unsigned char *bytes;

    if (length < 2 || length % 2 || s[0] != '\\' || s[1] != 'x')
        return err_set(e, ERR_INTERNAL, "column %d is not bytea", col);
    s += 2;
    length = (length - 2) / 2;
    bytes = mem_zalloc(length + 1, 1, e);
    if (!bytes)
        return -1;
    for (size_t i = 0; i < length; i++)
        bytes[i] = (unsigned char)(hex_digit(s[2 * i]) * 16 + hex_digit(s[2 * i + 1]));
    *out = bytes;
    *n = length;
    return 0;
}

int db_set(struct db_rows *r, int row, int col, const char *text, size_t n, struct err *e)
{
    ASSERT(row < r->count);
    return n <= INT_MAX && PQsetvalue(r->handle, row, col, (char *)text, (int)n) ? 0 : err_no_memory(e);
}

void db_rows_release(struct db_rows *r)
{
    PQclear(r->handle);
    *r = (struct db_rows){0};
}
