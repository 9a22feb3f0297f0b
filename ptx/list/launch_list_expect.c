/* Checks the results of a launch list: equality within tolerances, a hash, or the printed text. The message of a
 * failed check gives the position of the first difference, both values, their difference and the number of bad
 * values. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/strbuf.h"
#include "base/text.h"
#include "base/whole_file.h"
#include "ptx/list/launch_list.h"

#define REFERENCE_BYTES_MAX ((size_t)1 << 40) /* the largest size of a buffer */

/* Difference of two values in units in the last place of the buffer's type. UINT64_MAX if one is a NaN. */
static uint64_t ulps_between(enum element_type t, const void *got, double want)
{
    uint8_t rounded[8] = {0};

    if (isnan(want))
        return UINT64_MAX;
    element_write(t, rounded, want);
    return element_ulps(t, got, rounded);
}

struct comparison {
    const struct list_expect *x;
    enum element_type type; /* of the buffer */
    uint64_t bad, first;
};

static bool good(const struct list_expect *x, enum element_type t, const uint8_t *got, const uint8_t *want)
{
    double g = element_read(t, got), w = element_read(x->type, want);

    if (!element_is_float(t) && t == x->type && x->rtol == 0 && x->atol == 0)
        return memcmp(got, want, element_bytes(t)) == 0; /* compares all 64 bits of integers */
    if (isnan(g) || isnan(w))
        return isnan(g) && isnan(w);
    if (g == w || fabs(g - w) <= x->atol + x->rtol * fabs(w))
        return true;
    return element_is_float(t) && x->ulp > 0 && ulps_between(t, got, w) <= x->ulp;
}

static char *describe(const struct comparison *c, const struct list_buffer *b, const uint8_t *got,
                      const uint8_t *want, uint64_t count)
{
    struct strbuf s = STRBUF_INIT;
    char text[2][NUM_TEXT];
    double g = element_read(c->type, got), w = element_read(c->x->type, want);

    strbuf_addf(&s, "%s[%llu] is %s, expected %s", b->name,
                (unsigned long long)c->first + c->x->offset / element_bytes(c->type),
                isnan(g) ? "nan" : num_format(g, text[0]), isnan(w) ? "nan" : num_format(w, text[1]));
    if (element_is_float(c->type) && !isnan(g) && !isnan(w))
        strbuf_addf(&s, " (%llu ulp apart)", (unsigned long long)ulps_between(c->type, got, w));
    strbuf_addf(&s, "; %llu of %llu values are wrong", (unsigned long long)c->bad, (unsigned long long)count);
    return strbuf_detach(&s);
}

static int compare(const struct list_expect *x, const struct list_buffer *b, const uint8_t *bytes,
                   const uint8_t *reference, uint64_t reference_bytes, char **text, struct err *e)
{
    struct comparison c = {.x = x, .type = b->type};
    uint32_t size = element_bytes(b->type), want_size = element_bytes(x->type);
    uint64_t count = x->count ? x->count : b->count - x->offset / size;

    if (reference_bytes < count * want_size)
        return err_set(e, ERR_INVALID,
                       "%s has %llu bytes, too few for the %llu values of type %s that are expected of %s",
                       x->file ? x->file : "values", (unsigned long long)reference_bytes, (unsigned long long)count,
                       element_name(x->type), b->name);
    bytes += x->offset;
    for (uint64_t i = 0; i < count; i++)
        if (!good(x, b->type, bytes + i * size, reference + i * want_size) && c.bad++ == 0)
            c.first = i;
    if (c.bad <= x->max_bad)
        return 1;
    *text = describe(&c, b, bytes + c.first * size, reference + c.first * want_size, count);
    return *text ? 0 : err_no_memory(e);
}

static int check_print(const struct list_expect *x, const char *print, size_t print_bytes, char **text,
                       struct err *e)
{
    struct strbuf s = STRBUF_INIT;
    uint64_t line = 1, i = 0;
    size_t n;
    char *want;

    if (whole_file_read(x->file, REFERENCE_BYTES_MAX, &want, &n, e) < 0)
        return -1;
    while (i < n && i < print_bytes && want[i] == print[i])
        line += want[i++] == '\n';
    free(want);
    if (i == n && n == print_bytes)
        return 1;
    strbuf_addf(&s, "the printed text differs from %s in line %llu (%zu bytes printed, %llu expected)", x->file,
                (unsigned long long)line, print_bytes, (unsigned long long)n);
    *text = strbuf_detach(&s);
    return *text ? 0 : err_no_memory(e);
}

static int check_hash(const struct list_expect *x, const struct list_buffer *b, const uint8_t *bytes, char **text,
                      struct err *e)
{
    uint32_t size = element_bytes(b->type);
    struct strbuf s = STRBUF_INIT;
    char hex[SHA256_HEX];

    if (sha256_bytes(bytes + x->offset, x->count ? x->count * size : b->count * size - x->offset, hex, e) != 0)
        return -1;
    if (strcmp(hex, x->sha256) == 0)
        return 1;
    strbuf_addf(&s, "%s has SHA-256 %s, expected %s", b->name, hex, x->sha256);
    *text = strbuf_detach(&s);
    return *text ? 0 : err_no_memory(e);
}

int launch_list_expect(const struct list_expect *x, const struct list_buffer *b, const uint8_t *bytes,
                       const char *print, size_t print_bytes, char **text, struct err *e)
{
    char *reference;
    size_t n;
    int ret;

    *text = NULL;
    if (!b)
        return check_print(x, print, print_bytes, text, e);
    if (x->sha256[0])
        return check_hash(x, b, bytes, text, e);
    if (x->values)
        return compare(x, b, bytes, x->values, x->count * element_bytes(x->type), text, e);
    if (whole_file_read(x->file, REFERENCE_BYTES_MAX, &reference, &n, e) < 0)
        return -1;
    ret = compare(x, b, bytes, (const uint8_t *)reference, n, text, e);
    free(reference);
    return ret;
}
