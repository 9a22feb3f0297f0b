/* Reads values from JSON. Every message begins with the position in the document. */
#include "ptx/list/launch_list_json.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/text.h"

size_t list_enter(struct list_reader *r, const char *format, ...)
{
    size_t before = strlen(r->where);
    va_list ap;

    va_start(ap, format);
    vsnprintf(r->where + before, sizeof r->where - before, format, ap);
    va_end(ap);
    return before;
}

void list_leave(struct list_reader *r, size_t before)
{
    r->where[before] = '\0';
}

int list_fault(struct list_reader *r, const char *format, ...)
{
    char text[300];
    va_list ap;

    va_start(ap, format);
    vsnprintf(text, sizeof text, format, ap);
    va_end(ap);
    text_sanitize(text);
    return err_set(r->e, ERR_INVALID, "%s: %s%s%s", r->l->path, r->where, r->where[0] ? ": " : "", text);
}

int list_object(struct list_reader *r, const json_t *o, const char *const *keys)
{
    const char *key;
    json_t *value;
    size_t n = 0;

    while (keys[n])
        n++;
    if (!json_is_object(o))
        return list_fault(r, "expected an object here");
    json_object_foreach((json_t *)(uintptr_t)o, key, value)
    {
        const char *near;
        size_t i = 0;

        while (i < n && strcmp(keys[i], key) != 0)
            i++;
        if (i < n)
            continue;
        near = text_nearest(key, keys, n);
        list_fault(r, "`%.60s` is not a known key here%s%s%s", key, near ? "; did you mean `" : "",
                   near ? near : "", near ? "`?" : "");
        return -1;
    }
    return 0;
}

int list_text(struct list_reader *r, const json_t *o, const char *key, bool needed, const char **out)
{
    const json_t *v = json_object_get(o, key);

    if (!v)
        return needed ? list_fault(r, "`%s` is missing", key) : 0;
    if (!json_is_string(v) || strlen(json_string_value(v)) != json_string_length(v))
        return list_fault(r, "`%s` must be a text", key);
    *out = json_string_value(v);
    return 0;
}

int list_s64(struct list_reader *r, const json_t *o, const char *key, bool needed, int64_t *out)
{
    const json_t *v = json_object_get(o, key);

    if (!v)
        return needed ? list_fault(r, "`%s` is missing", key) : 0;
    if (!json_is_integer(v))
        return list_fault(r, "`%s` must be a whole number", key);
    *out = json_integer_value(v);
    return 0;
}

int list_u64(struct list_reader *r, const json_t *o, const char *key, bool needed, uint64_t most, uint64_t *out)
{
    int64_t x = (int64_t)*out;

    if (list_s64(r, o, key, needed, &x) != 0)
        return -1;
    if (json_object_get(o, key) && (x < 0 || (uint64_t)x > most))
        return list_fault(r, "`%s` is %lld; it must be 0 to %llu", key, (long long)x, (unsigned long long)most);
    *out = (uint64_t)x;
    return 0;
}

int list_number(struct list_reader *r, const json_t *o, const char *key, bool needed, double *out)
{
    const json_t *v = json_object_get(o, key);

    if (!v)
        return needed ? list_fault(r, "`%s` is missing", key) : 0;
    if (!json_is_number(v))
        return list_fault(r, "`%s` must be a number", key);
    *out = json_number_value(v);
    return 0;
}

char *list_copy(struct list_reader *r, const char *text)
{
    return mem_strdup(text, r->e);
}

char *list_file(struct list_reader *r, const char *name)
{
    size_t n = strlen(r->l->folder) + strlen(name) + 2;
    char *path = mem_zalloc(1, n, r->e);

    if (path)
        snprintf(path, n, "%s%s", name[0] == '/' ? "" : r->l->folder, name);
    return path;
}

uint32_t list_buffer_of(struct list_reader *r, const char *name)
{
    const char **names;
    const char *near;

    for (uint32_t i = 0; i < r->l->buffer_count; i++)
        if (strcmp(r->l->buffers[i].name, name) == 0)
            return i;
    names = mem_zalloc(r->l->buffer_count + 1, sizeof *names, r->e);
    if (!names)
        return PTX_NONE;
    for (uint32_t i = 0; i < r->l->buffer_count; i++)
        names[i] = r->l->buffers[i].name;
    near = text_nearest(name, names, r->l->buffer_count);
    list_fault(r, "there is no buffer `%.60s`%s%s%s", name, near ? "; did you mean `" : "", near ? near : "",
               near ? "`?" : "");
    free(names);
    return PTX_NONE;
}

int list_place_of(struct list_reader *r, const char *text, struct list_place *out)
{
    const char *plus = strchr(text, '+');
    const struct list_buffer *b;
    struct err why;
    char *name = mem_strndup(text, plus ? (size_t)(plus - text) : strlen(text), r->e);

    *out = (struct list_place){0};
    if (!name)
        return -1;
    out->buffer = list_buffer_of(r, name);
    free(name);
    if (out->buffer == PTX_NONE)
        return -1;
    if (plus && parse_u64(plus + 1, "offset", &out->offset, &why) != 0)
        return list_fault(r, "`%.60s`: %s", text, why.text);
    b = &r->l->buffers[out->buffer];
    if (out->offset > b->count * element_bytes(b->type))
        return list_fault(r, "`%.60s` is past the end of %s (%llu bytes)", text, b->name,
                          (unsigned long long)b->count * element_bytes(b->type));
    return 0;
}

static int float_value(struct list_reader *r, const json_t *v, enum element_type t, void *out)
{
    static const struct {
        const char *text;
        double value;
    } words[] = {{"nan", NAN}, {"inf", INFINITY}, {"-inf", -INFINITY}};

    for (size_t i = 0; json_is_string(v) && i < sizeof words / sizeof words[0]; i++)
        if (strcmp(json_string_value(v), words[i].text) == 0) {
            element_write(t, out, words[i].value);
            return 0;
        }
    if (!json_is_number(v))
        return list_fault(r, "expected a number here");
    element_write(t, out, json_number_value(v));
    return 0;
}

/* Are these digits of the JSON text a whole number of 2^63 to 2^64 - 1? */
static bool is_large(const char *json, size_t n, size_t at, size_t digits)
{
    uint64_t x = 0;

    if ((at && strchr("+-.eE", json[at - 1])) || (at + digits < n && strchr(".eE", json[at + digits])))
        return false;
    for (size_t k = at; k < at + digits; k++)
        if (__builtin_mul_overflow(x, 10, &x) || __builtin_add_overflow(x, (uint64_t)(json[k] - '0'), &x))
            return false;
    return x > INT64_MAX;
}

static size_t digits_at(const char *json, size_t n, size_t at)
{
    size_t count = 0;

    while (at + count < n && json[at + count] >= '0' && json[at + count] <= '9')
        count++;
    return count;
}

int list_quote_large(const char *json, size_t n, struct strbuf *out, struct err *e)
{
    bool quoted = false;

    for (size_t k = 0, some; k < n; k += some) {
        size_t digits = quoted ? 0 : digits_at(json, n, k);
        bool large = digits && is_large(json, n, k, digits);

        some = digits ? digits : quoted && json[k] == '\\' && k + 1 < n ? 2 : 1;
        quoted = quoted != (json[k] == '"');
        strbuf_add(out, "\"", large);
        strbuf_add(out, json + k, some);
        strbuf_add(out, "\"", large);
    }
    return out->failed ? err_no_memory(e) : 0;
}

/* Larger numbers than JSON readers hold exactly are texts, in decimal or as 0x... */
static int text_value(struct list_reader *r, const json_t *v, enum element_type t, void *out)
{
    const char *text = json_string_value(v);
    bool hex = strncmp(text, "0x", 2) == 0;
    size_t n = strlen(text), digits = strspn(text + (hex ? 2 : 0), hex ? "0123456789abcdefABCDEF" : "0123456789");
    char *end;
    unsigned long long x;

    if (t != ELEMENT_U64)
        return list_fault(r, "expected a whole number here");
    errno = 0;
    x = strtoull(text, &end, hex ? 16 : 10);
    if (!digits || digits + (hex ? 2 : 0) != n || errno)
        return list_fault(
            r, "`%.60s` is not a number from 0 to 2^64 - 1, like \"18446744073709551615\" or \"0xff\"", text);
    memcpy(out, &x, sizeof x);
    return 0;
}

int list_value(struct list_reader *r, const json_t *v, enum element_type t, void *out)
{
    uint32_t bits = element_bytes(t) * 8;
    bool is_signed = t == ELEMENT_S8 || t == ELEMENT_S16 || t == ELEMENT_S32 || t == ELEMENT_S64;
    json_int_t x;

    if (element_is_float(t))
        return float_value(r, v, t, out);
    if (json_is_string(v))
        return text_value(r, v, t, out);
    if (!json_is_integer(v))
        return list_fault(r, "expected a whole number here");
    x = json_integer_value(v);
    if (bits < 64 && (is_signed ? x < -(1ll << (bits - 1)) || x >= 1ll << (bits - 1) : x < 0 || x >= 1ll << bits))
        return list_fault(r, "%lld does not fit %s", (long long)x, element_name(t));
    if (bits == 64 && !is_signed && x < 0)
        return list_fault(r, "%lld does not fit %s", (long long)x, element_name(t));
    memcpy(out, &x, bits / 8);
    return 0;
}

int list_values(struct list_reader *r, const json_t *array, enum element_type t, uint8_t **out, uint64_t *count)
{
    uint32_t bytes = element_bytes(t);

    if (!json_is_array(array) || json_array_size(array) == 0)
        return list_fault(r, "expected a list of values here");
    *count = json_array_size(array);
    *out = mem_zalloc(*count, bytes, r->e);
    if (!*out)
        return -1;
    for (size_t i = 0; i < *count; i++) {
        size_t before = list_enter(r, "[%zu]", i);

        if (list_value(r, json_array_get(array, i), t, *out + i * bytes) != 0)
            return -1;
        list_leave(r, before);
    }
    return 0;
}
