/* server/store/db/db_params.c: parameters of a statement, array literals, ids. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "base/strbuf.h"
#include "base/text.h"
#include "server/store/db/db.h"

/* Parameters beyond the maximum are counted but not stored. db_query() then refuses the statement. */
static int next_param(struct db_params *p)
{
    int i = p->count++;

    if (i >= DB_PARAMS)
        return -1;
    p->length[i] = 0;
    p->binary[i] = 0;
    p->value[i] = NULL;
    return i;
}

void db_text(struct db_params *p, const char *s)
{
    int i = next_param(p);

    if (i >= 0)
        p->value[i] = s;
}

static char *number_param(struct db_params *p)
{
    int i = next_param(p);

    if (i < 0)
        return NULL;
    p->value[i] = p->number[i];
    return p->number[i];
}

void db_i64(struct db_params *p, int64_t x)
{
    char *to = number_param(p);

    if (to)
        snprintf(to, sizeof p->number[0], "%lld", (long long)x);
}

void db_u64(struct db_params *p, uint64_t x)
{
    char *to = number_param(p);

    if (to)
        snprintf(to, sizeof p->number[0], "%llu", (unsigned long long)x);
}

/* Writes a number as PostgreSQL reads it, independent of the locale. */
static const char *double_text(double x, char out[NUM_TEXT])
{
    if (isinf(x))
        return x > 0 ? "Infinity" : "-Infinity";
    return num_format(x, out);
}

void db_double(struct db_params *p, double x)
{
    char *to, text[NUM_TEXT];

    if (isnan(x)) {
        db_text(p, NULL);
        return;
    }
    to = number_param(p);
    if (to)
        snprintf(to, sizeof p->number[0], "%s", double_text(x, text));
}

void db_bool(struct db_params *p, bool x)
{
    db_text(p, x ? "t" : "f");
}

void db_bytes(struct db_params *p, const void *bytes, size_t n)
{
    int i = next_param(p);

    if (i < 0)
        return;
    p->value[i] = bytes ? bytes : "";
    p->length[i] = (int)n;
    p->binary[i] = 1;
}

void db_time(struct db_params *p, wall_us t)
{
    char *to = number_param(p);

    if (to)
        clock_format(t, to);
}

/* --- Arrays --- */

void db_array_begin(struct strbuf *b)
{
    strbuf_addc(b, '{');
}

static void separate(struct strbuf *b)
{
    if (b->length > 0 && b->text[b->length - 1] != '{')
        strbuf_addc(b, ',');
}

void db_array_add(struct strbuf *b, const char *s)
{
    separate(b);
    if (!s) {
        strbuf_adds(b, "NULL");
        return;
    }
    strbuf_addc(b, '"');
    for (; *s; s++) {
        if (*s == '"' || *s == '\\')
            strbuf_addc(b, '\\');
        strbuf_addc(b, *s);
    }
    strbuf_addc(b, '"');
}

void db_array_add_i64(struct strbuf *b, int64_t x)
{
    separate(b);
    strbuf_addf(b, "%lld", (long long)x);
}

void db_array_add_u64(struct strbuf *b, uint64_t x)
{
    separate(b);
    strbuf_addf(b, "%llu", (unsigned long long)x);
}

void db_array_add_double(struct strbuf *b, double x)
{
    char text[NUM_TEXT];

    separate(b);
    strbuf_adds(b, isnan(x) ? "NULL" : double_text(x, text));
}

void db_array_end(struct strbuf *b)
{
    strbuf_addc(b, '}');
}

/* --- Ids --- */

/* RFC 9562 section 5.7: 48 bits of Unix milliseconds, version 7, 74 random bits. */
void uuid_make(struct clock *c, char out[UUID_TEXT])
{
    uint64_t ms = (uint64_t)(clock_now(c) / 1000);
    unsigned char u[16];

    if (getrandom(u, sizeof u, 0) != (ssize_t)sizeof u)
        abort(); /* after boot, the kernel always returns 16 bytes */
    for (int i = 0; i < 6; i++)
        u[i] = (unsigned char)(ms >> (40 - 8 * i));
    u[6] = (unsigned char)(0x70 | (u[6] & 0x0f));
    u[8] = (unsigned char)(0x80 | (u[8] & 0x3f));
    snprintf(out, UUID_TEXT, "%02x%02x%02x%02x-%02x%02x-%02x%02x-%02x%02x-%02x%02x%02x%02x%02x%02x", u[0], u[1],
             u[2], u[3], u[4], u[5], u[6], u[7], u[8], u[9], u[10], u[11], u[12], u[13], u[14], u[15]);
}

bool uuid_valid(const char *s)
{
    for (int i = 0; i < 36; i++) {
        bool dash = i == 8 || i == 13 || i == 18 || i == 23;

        if (dash ? s[i] != '-' : !((s[i] >= '0' && s[i] <= '9') || (s[i] >= 'a' && s[i] <= 'f')))
            return false;
    }
    return s[36] == '\0';
}
