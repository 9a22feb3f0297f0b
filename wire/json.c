#include "wire/json.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/assert.h"
#include "base/text.h"
#include "wire/json_writer.h"

#define EXACT_IN_DOUBLE (UINT64_C(1) << 53) /* a Number of JavaScript represents integers exactly up to here */

json_t *json_read_text(const char *text, size_t n, const char *what, struct err *e)
{
    json_error_t je;
    json_t *root = json_loadb(text, n, JSON_REJECT_DUPLICATES, &je);

    if (!root)
        err_set(e, ERR_MALFORMED, "%s: not valid JSON at line %d, column %d: %s", what, je.line, je.column,
                je.text);
    return root;
}

static int slurp(FILE *f, const char *path, size_t most_bytes, struct strbuf *b, struct err *e)
{
    char piece[16384];
    size_t n;

    ASSERT(b->length <= most_bytes);
    while ((n = fread(piece, 1, sizeof piece, f)) > 0) {
        if (b->length + n > most_bytes)
            return err_set(e, ERR_TOO_LARGE, "%s: longer than %zu bytes", path, most_bytes);
        strbuf_add(b, piece, n);
    }
    if (ferror(f))
        return err_set_errno(e, errno, "%s", path);
    return b->failed ? err_no_memory(e) : 0;
}

json_t *json_read_path(const char *path, size_t most_bytes, struct err *e)
{
    struct strbuf b = STRBUF_INIT;
    json_t *root = NULL;
    FILE *f = fopen(path, "rbe");

    ASSERT(most_bytes > 0);
    if (!f) {
        err_set_errno(e, errno, "%s", path);
        return NULL;
    }
    if (slurp(f, path, most_bytes, &b, e) == 0)
        root = json_read_text(b.text, b.length, path, e);
    fclose(f);
    strbuf_release(&b);
    return root;
}

/* Recursion follows the nesting of the document. jw stops at 64 levels, more than any Vivace message has. */
static void write_value(struct jw *w, const json_t *v);

static void write_array(struct jw *w, const json_t *list)
{
    const json_t *first = json_array_get(list, 0);

    if (json_is_object(first) || json_is_array(first))
        jw_array(w);
    else
        jw_array_inline(w); /* [16, 1, 10] */
    for (size_t i = 0; !w->failed && i < json_array_size(list); i++)
        write_value(w, json_array_get(list, i));
    ASSERT(w->failed || w->depth > 0);
    jw_end(w, ']');
}

static void write_object(struct jw *w, const json_t *object)
{
    const char *key;
    json_t *value;

    jw_object(w);
    json_object_foreach((json_t *)object, key, value)
    {
        if (w->failed)
            break;
        jw_key(w, key);
        write_value(w, value);
    }
    jw_end(w, '}');
}

static void write_value(struct jw *w, const json_t *v)
{
    switch (json_typeof(v)) {
    case JSON_OBJECT: write_object(w, v); break;
    case JSON_ARRAY: write_array(w, v); break;
    case JSON_STRING: jw_text(w, json_string_value(v)); break;
    case JSON_INTEGER: jw_i64(w, json_integer_value(v)); break;
    case JSON_REAL: jw_double(w, json_real_value(v)); break;
    case JSON_TRUE: jw_bool(w, true); break;
    case JSON_FALSE: jw_bool(w, false); break;
    case JSON_NULL: jw_null(w); break;
    }
}

void json_write_text(const json_t *value, bool indented, struct strbuf *out)
{
    struct err ignored; /* out->failed reports it */
    struct jw w;

    jw_init(&w, NULL, NULL, &ignored);
    w.indent = indented;
    if (value)
        write_value(&w, value);
    if (!value || jw_finish(&w) < 0)
        out->failed = true;
    else
        strbuf_add(out, w.text.text, w.text.length);
    jw_release(&w);
}

int json_need_object(const json_t *value, const char *what, struct err *e)
{
    return json_is_object(value) ? 0 : err_set(e, ERR_INVALID, "%s must be an object", what);
}

/* Levenshtein's distance of two member names. A name longer than every known member has a large distance to all. */
static size_t edit_distance(const char *a, const char *b)
{
    size_t n = strlen(a), m = strlen(b), row[48];

    if (n >= sizeof row / sizeof *row || m >= sizeof row / sizeof *row)
        return SIZE_MAX;
    for (size_t j = 0; j <= m; j++)
        row[j] = j;
    for (size_t i = 1; i <= n; i++) {
        size_t diagonal = row[0];

        row[0] = i;
        for (size_t j = 1; j <= m; j++) {
            size_t best = diagonal + (a[i - 1] != b[j - 1]);

            diagonal = row[j];
            best = row[j] + 1 < best ? row[j] + 1 : best;
            row[j] = row[j - 1] + 1 < best ? row[j - 1] + 1 : best;
        }
    }
    return row[m];
}

static void hint_nearest(const char *key, const char *const *known, struct err *e)
{
    const char *nearest = NULL;
    size_t least = strlen(key) / 3 + 2; /* a larger distance is not a typing error */

    for (; *known; known++) {
        size_t d = edit_distance(key, *known);

        if (d < least) {
            least = d;
            nearest = *known;
        }
    }
    ASSERT(!nearest || least <= strlen(key) / 3 + 1);
    if (nearest)
        err_hint(e, "Did you mean `%s`?", nearest);
}

int json_refuse_unknown(const json_t *object, const char *const *known, struct err *e)
{
    const char *key;
    json_t *value;

    json_object_foreach((json_t *)object, key, value)
    {
        const char *const *k = known;

        while (*k && strcmp(*k, key) != 0)
            k++;
        if (!*k) {
            char shown[64];

            snprintf(shown, sizeof shown, "%s", key);
            text_sanitize(shown);
            err_set(e, ERR_INVALID, "unknown member `%s`", shown);
            hint_nearest(key, known, e);
            return -1;
        }
    }
    return 0;
}

/* 1: present; 0: absent or null. */
static int member(const json_t *object, const char *key, const json_t **out)
{
    const json_t *v = json_object_get(object, key);

    *out = v;
    return v && !json_is_null(v);
}

static int missing(const char *key, struct err *e)
{
    return err_set(e, ERR_INVALID, "`%s` is missing", key);
}

/* Makes an absent member an error. */
static int need(int found, const char *key, struct err *e)
{
    ASSERT(found <= 1);
    if (found < 0)
        return -1;
    return found ? 0 : missing(key, e);
}

int json_opt_str(const json_t *object, const char *key, const char **out, struct err *e)
{
    const json_t *v;

    if (!member(object, key, &v))
        return 0;
    if (!json_is_string(v))
        return err_set(e, ERR_INVALID, "`%s` must be a text", key);
    *out = json_string_value(v);
    return 1;
}

int json_need_str(const json_t *object, const char *key, const char **out, struct err *e)
{
    return need(json_opt_str(object, key, out, e), key, e);
}

int json_opt_copy(const json_t *object, const char *key, char *out, size_t size, struct err *e)
{
    const char *s = NULL;
    int found = json_opt_str(object, key, &s, e);

    ASSERT(size > 0);
    if (found <= 0 || !s)
        return found;
    if (strlen(s) >= size)
        return err_set(e, ERR_INVALID, "`%s` is longer than %zu bytes", key, size - 1);
    memcpy(out, s, strlen(s) + 1);
    return 1;
}

int json_need_copy(const json_t *object, const char *key, char *out, size_t size, struct err *e)
{
    return need(json_opt_copy(object, key, out, size, e), key, e);
}

int json_opt_u64(const json_t *object, const char *key, uint64_t *out, struct err *e)
{
    const json_t *v;
    struct err ignored;

    if (!member(object, key, &v))
        return 0;
    if (json_is_integer(v) && json_integer_value(v) >= 0) {
        *out = (uint64_t)json_integer_value(v);
        return 1;
    }
    if (json_is_string(v) && parse_u64(json_string_value(v), key, out, &ignored) == 0)
        return 1;
    return err_set(e, ERR_INVALID, "`%s` must be a whole number from 0 to 18446744073709551615", key);
}

int json_need_u64(const json_t *object, const char *key, uint64_t *out, struct err *e)
{
    return need(json_opt_u64(object, key, out, e), key, e);
}

int json_opt_u32(const json_t *object, const char *key, uint32_t least, uint32_t most, uint32_t *out, struct err *e)
{
    const json_t *v;
    json_int_t n;

    ASSERT(least <= most);
    if (!member(object, key, &v))
        return 0;
    n = json_integer_value(v);
    if (!json_is_integer(v) || n < (json_int_t)least || n > (json_int_t)most)
        return err_set(e, ERR_INVALID, "`%s` must be a whole number from %" PRIu32 " to %" PRIu32, key, least,
                       most);
    *out = (uint32_t)n;
    return 1;
}

int json_need_u32(const json_t *object, const char *key, uint32_t least, uint32_t most, uint32_t *out,
                  struct err *e)
{
    return need(json_opt_u32(object, key, least, most, out, e), key, e);
}

int json_opt_double(const json_t *object, const char *key, double *out, struct err *e)
{
    const json_t *v;

    if (!member(object, key, &v))
        return 0;
    if (!json_is_number(v) || !isfinite(json_number_value(v)))
        return err_set(e, ERR_INVALID, "`%s` must be a number", key);
    *out = json_number_value(v);
    ASSERT(isfinite(*out));
    return 1;
}

int json_need_double(const json_t *object, const char *key, double *out, struct err *e)
{
    return need(json_opt_double(object, key, out, e), key, e);
}

int json_opt_bool(const json_t *object, const char *key, bool *out, struct err *e)
{
    const json_t *v;

    if (!member(object, key, &v))
        return 0;
    if (!json_is_boolean(v))
        return err_set(e, ERR_INVALID, "`%s` must be true or false", key);
    *out = json_is_true(v);
    return 1;
}

int json_need_bool(const json_t *object, const char *key, bool *out, struct err *e)
{
    return need(json_opt_bool(object, key, out, e), key, e);
}

int json_opt_array(const json_t *object, const char *key, const json_t **out, struct err *e)
{
    const json_t *v;

    if (!member(object, key, &v))
        return 0;
    if (!json_is_array(v))
        return err_set(e, ERR_INVALID, "`%s` must be a list", key);
    *out = v;
    return 1;
}

int json_need_array(const json_t *object, const char *key, const json_t **out, struct err *e)
{
    return need(json_opt_array(object, key, out, e), key, e);
}

int json_opt_member(const json_t *object, const char *key, const json_t **out, struct err *e)
{
    const json_t *v;

    if (!member(object, key, &v))
        return 0;
    if (!json_is_object(v))
        return err_set(e, ERR_INVALID, "`%s` must be an object", key);
    *out = v;
    return 1;
}

int json_need_member(const json_t *object, const char *key, const json_t **out, struct err *e)
{
    return need(json_opt_member(object, key, out, e), key, e);
}

int json_opt_sha256(const json_t *object, const char *key, char out[SHA256_HEX], struct err *e)
{
    const char *s = NULL;
    int found = json_opt_str(object, key, &s, e);

    out[0] = '\0';
    if (found <= 0 || !s)
        return found;
    if (!sha256_hex_valid(s))
        return err_set(e, ERR_INVALID, "`%s` must be a SHA-256: 64 lower-case hex digits", key);
    ASSERT(strlen(s) + 1 == SHA256_HEX);
    memcpy(out, s, SHA256_HEX);
    return 1;
}

int json_need_sha256(const json_t *object, const char *key, char out[SHA256_HEX], struct err *e)
{
    return need(json_opt_sha256(object, key, out, e), key, e);
}

int json_need_dim3(const json_t *object, const char *key, uint32_t out[3], struct err *e)
{
    const json_t *list = NULL;

    if (json_need_array(object, key, &list, e) < 0)
        return -1;
    for (size_t i = 0; i < 3; i++) {
        const json_t *v = json_array_get(list, i);
        json_int_t n = json_integer_value(v);

        if (json_array_size(list) != 3 || !json_is_integer(v) || n < 1 || n > (json_int_t)UINT32_MAX)
            return err_set(e, ERR_INVALID, "`%s` must be a list of three whole numbers from 1 to 4294967295", key);
        out[i] = (uint32_t)n;
    }
    ASSERT(json_array_size(list) == 3 && out[0] > 0 && out[1] > 0 && out[2] > 0);
    return 0;
}

int json_read_dim3(const json_t *object, const char *key, uint32_t out[3], struct err *e)
{
    if (!json_is_null(json_object_get(object, key)))
        return json_need_dim3(object, key, out, e);
    memset(out, 0, 3 * sizeof *out);
    return 0;
}

json_t *json_dim3(const uint32_t dim[3])
{
    if (dim[0] == 0)
        return json_null();
    return json_pack("[I, I, I]", (json_int_t)dim[0], (json_int_t)dim[1], (json_int_t)dim[2]);
}

json_t *json_count_str(uint64_t n)
{
    char text[24];

    snprintf(text, sizeof text, "%" PRIu64, n);
    return json_string(text);
}

json_t *json_count(uint64_t n)
{
    return n <= EXACT_IN_DOUBLE ? json_integer((json_int_t)n) : json_count_str(n);
}

json_t *json_double(double x)
{
    return isfinite(x) ? json_real(x) : json_null();
}

/* jansson returns NULL for invalid UTF-8 and for out of memory, which callers could not distinguish. */
json_t *json_text(const char *s)
{
    json_t *out = json_string(s);
    struct err ignored;
    char *mended;

    if (out || utf8_valid_prefix(s, strlen(s)) == strlen(s))
        return out;
    mended = mem_strdup(s, &ignored);
    if (!mended)
        return NULL;
    utf8_mend(mended);
    out = json_string(mended);
    ASSERT(utf8_valid_prefix(mended, strlen(mended)) == strlen(mended));
    free(mended);
    return out;
}

json_t *json_str_or_null(const char *s)
{
    return s && *s ? json_text(s) : json_null();
}

struct json_obj json_obj_begin(void)
{
    struct json_obj o = {.object = json_object()};

    o.failed = !o.object;
    ASSERT(o.failed || json_object_size(o.object) == 0);
    return o;
}

void json_put(struct json_obj *o, const char *key, json_t *value)
{
    ASSERT_HOT(o->failed || !json_object_get(o->object, key)); /* each member is set once */
    if (json_object_set_new(o->object, key, value) < 0)
        o->failed = true;
}

void json_put_str(struct json_obj *o, const char *key, const char *s)
{
    json_put(o, key, s ? json_text(s) : json_null());
}

void json_put_u64(struct json_obj *o, const char *key, uint64_t n)
{
    json_put(o, key, json_count(n));
}

void json_put_double(struct json_obj *o, const char *key, double x)
{
    json_put(o, key, json_double(x));
}

void json_put_bool(struct json_obj *o, const char *key, bool b)
{
    json_put(o, key, json_boolean(b));
}

json_t *json_obj_end(struct json_obj *o)
{
    ASSERT(o->failed || o->object);
    if (o->failed) {
        json_decref(o->object);
        o->object = NULL;
    }
    return o->object;
}

int json_push(json_t *array, json_t *value)
{
    ASSERT(!array || json_is_array(array));
    return json_array_append_new(array, value);
}
