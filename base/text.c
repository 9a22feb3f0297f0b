#include "base/text.h"

#include <ctype.h>
#include <errno.h>
#include <locale.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int parse_u64(const char *s, const char *what, uint64_t *out, struct err *e)
{
    char *end;
    unsigned long long x;

    if (!isdigit((unsigned char)*s))
        return err_set(e, ERR_USAGE, "%s: \"%.60s\" is not a whole number", what, s);
    errno = 0;
    x = strtoull(s, &end, 10);
    if (*end || errno == ERANGE)
        return err_set(e, ERR_USAGE, "%s: \"%.60s\" is not a whole number below 2^64", what, s);
    *out = x;
    return 0;
}

/* strtod() with '.' as the decimal point under every locale. */
static locale_t c_locale;

static void make_c_locale(void)
{
    c_locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
}

static double c_strtod(const char *s, char **end)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;

    pthread_once(&once, make_c_locale);
    return strtod_l(s, end, c_locale);
}

int parse_double(const char *s, const char *what, double *out, struct err *e)
{
    char *end;
    double x = c_strtod(s, &end);

    if (end == s || *end || !isfinite(x) || isspace((unsigned char)*s))
        return err_set(e, ERR_USAGE, "%s: \"%.60s\" is not a number", what, s);
    *out = x;
    return 0;
}

int parse_share(const char *s, const char *what, double *out, struct err *e)
{
    char *end;
    double x = c_strtod(s, &end);

    if (end != s && *end == '%') {
        x /= 100;
        end++;
    }
    if (end == s || *end || isspace((unsigned char)*s) || !(x > 0 && x < 1))
        return err_set(e, ERR_USAGE, "%s: \"%.60s\" is not between 0 and 100 %%; write it like 5%% or 0.05", what,
                       s);
    *out = x;
    return 0;
}

const char *num_format(double x, char out[NUM_TEXT])
{
    if (!isfinite(x)) {
        strcpy(out, "null");
        return out;
    }
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(out, NUM_TEXT, "%.*g", digits, x);
        for (char *p = out; *p; p++)
            if (*p == ',')
                *p = '.'; /* the process set a locale with another decimal point */
        if (c_strtod(out, NULL) == x)
            break;
    }
    return out;
}

static const struct {
    double scale;
    const char *unit;
} time_units[] = {{1, "s"}, {1e-3, "ms"}, {1e-6, "µs"}, {1e-9, "ns"}};

static size_t time_unit_of(double seconds)
{
    size_t i = 0;

    while (i < 3 && fabs(seconds) < time_units[i].scale)
        i++;
    return i;
}

const char *format_duration(double seconds, char out[NUM_TEXT])
{
    size_t unit = time_unit_of(seconds);

    if (seconds >= 5400)
        snprintf(out, NUM_TEXT, "%.0f h %02.0f min", floor(seconds / 3600), floor(fmod(seconds, 3600) / 60));
    else if (seconds >= 90)
        snprintf(out, NUM_TEXT, "%.0f min %02.0f s", floor(seconds / 60), floor(fmod(seconds, 60)));
    else
        snprintf(out, NUM_TEXT, "%.3g %s", seconds / time_units[unit].scale, time_units[unit].unit);
    return out;
}

const char *format_estimate(double seconds, double half_width, char out[NUM_TEXT])
{
    size_t unit = time_unit_of(seconds);
    double value = seconds / time_units[unit].scale, half = half_width / time_units[unit].scale;
    int decimals = half > 0 ? 1 - (int)floor(log10(half)) : 2, own;

    decimals = decimals < 0 ? 0 : decimals > 9 ? 9 : decimals;
    own = half > 0 && fabs(value) >= 1 && fabs(value) < 9.95 && decimals == 0 ? 1 : decimals; /* two digits */
    snprintf(out, NUM_TEXT, "%.*f ± %.*f %s", own, value, decimals, half, time_units[unit].unit);
    return out;
}

bool estimate_says_nothing(double value, double half_width)
{
    return half_width > 0 && half_width >= fabs(value);
}

const char *format_count(double n, char out[NUM_TEXT])
{
    static const char *const prefixes[] = {"", " k", " M", " G", " T"};
    size_t i = 0;

    if (n <= 9999 && n == floor(n)) {
        snprintf(out, NUM_TEXT, "%.0f", n);
        return out;
    }
    while (i < 4 && fabs(n) >= 1000) {
        n /= 1000;
        i++;
    }
    snprintf(out, NUM_TEXT, "%.3g%s", n, prefixes[i]);
    return out;
}

const char *format_level(double level, char out[NUM_TEXT])
{
    double missed = 100 * (1 - level);
    int digits = missed > 0 && missed < 100 ? 1 - (int)floor(log10(missed * (1 + 1e-9))) : 0;
    char *end;

    if (!isfinite(level))
        return num_format(level, out);
    snprintf(out, NUM_TEXT - 3, "%.*f", digits < 0 ? 0 : digits > 12 ? 12 : digits, 100 * level);
    end = out + strlen(out);
    if (strchr(out, '.')) {
        while (end[-1] == '0')
            end--;
        end -= end[-1] == '.';
    }
    snprintf(end, 3, " %%");
    return out;
}

bool str_is(const char *bytes, size_t n, const char *text)
{
    return strlen(text) == n && memcmp(bytes, text, n) == 0;
}

bool str_starts(const char *s, const char *prefix)
{
    return strncmp(s, prefix, strlen(prefix)) == 0;
}

bool str_ends(const char *s, const char *suffix)
{
    size_t n = strlen(s), m = strlen(suffix);

    return n >= m && memcmp(s + n - m, suffix, m) == 0;
}

/* Length of the UTF-8 character that begins with this byte; 0: no character begins with it. */
static size_t utf8_length(unsigned char lead)
{
    return lead < 0x80                   ? 1
           : lead >= 0xc2 && lead < 0xe0 ? 2
           : lead >= 0xe0 && lead < 0xf0 ? 3
           : lead >= 0xf0 && lead < 0xf5 ? 4
                                         : 0;
}

/* Bytes of the character at p (of n left), 0 if it is not valid UTF-8 (RFC 3629: no surrogates, no overlong). */
static size_t utf8_char(const unsigned char *p, size_t n)
{
    size_t len = utf8_length(p[0]);

    if (len == 0 || len > n)
        return 0;
    for (size_t i = 1; i < len; i++)
        if ((p[i] & 0xc0) != 0x80)
            return 0;
    if ((p[0] == 0xe0 && p[1] < 0xa0) || (p[0] == 0xed && p[1] > 0x9f) || (p[0] == 0xf0 && p[1] < 0x90) ||
        (p[0] == 0xf4 && p[1] > 0x8f))
        return 0;
    return len;
}

size_t utf8_valid_prefix(const char *bytes, size_t n)
{
    size_t i = 0, len;

    while (i < n && (len = utf8_char((const unsigned char *)bytes + i, n - i)) > 0)
        i += len;
    return i;
}

size_t utf8_cut(const char *s, size_t most)
{
    return utf8_valid_prefix(s, strnlen(s, most));
}

/* Length of an incomplete UTF-8 character at p: its first bytes are valid, its last bytes are missing. */
static size_t utf8_stump(const unsigned char *p, size_t n)
{
    size_t whole = utf8_length(p[0]);
    size_t len = whole > 0;

    while (len < whole && len < n && (p[len] & 0xc0) == 0x80)
        len++;
    return len < whole ? len : 0;
}

void utf8_mend(char *s)
{
    size_t n = strlen(s), to = 0;

    for (size_t i = 0; i < n;) {
        const unsigned char *p = (const unsigned char *)s + i;
        size_t len = utf8_char(p, n - i), stump = len > 0 ? 0 : utf8_stump(p, n - i);

        if (len > 0)
            memmove(s + to, s + i, len);
        else if (stump == 0)
            s[to] = '?';
        to += len > 0 ? len : stump == 0;
        i += len > 0 ? len : stump > 0 ? stump : 1;
    }
    s[to] = '\0';
}

/* Characters that control a terminal or change the order of text: the C0 and C1 controls (U+009B starts an escape
 * sequence); directional marks, embeddings, overrides and isolates; line separators. */
static bool is_control(const unsigned char *p, size_t len)
{
    if (len == 1)
        return p[0] < 0x20 || p[0] == 0x7f;
    if (len == 2)
        return (p[0] == 0xc2 && p[1] < 0xa0) || (p[0] == 0xd8 && p[1] == 0x9c);
    if (len == 3 && p[0] == 0xe2 && p[1] == 0x80)
        return (p[2] >= 0xa8 && p[2] <= 0xae) || p[2] == 0x8e || p[2] == 0x8f;
    return len == 3 && p[0] == 0xe2 && p[1] == 0x81 && p[2] >= 0xa6 && p[2] <= 0xa9;
}

/* Text without such characters is not written to: it may be a constant. */
void text_sanitize(char *s)
{
    size_t n = strlen(s), to = 0, len;

    for (size_t i = 0; i < n; i += len) {
        len = utf8_char((unsigned char *)s + i, n - i);
        if (len == 0 || is_control((unsigned char *)s + i, len)) {
            s[to++] = '?';
            len += len == 0;
            continue;
        }
        if (to < i)
            memmove(s + to, s + i, len);
        to += len;
    }
    if (to < n)
        s[to] = '\0';
}

#define NAME_LENGTH_MAX 63

size_t text_distance(const char *a, const char *b)
{
    size_t n = strnlen(a, NAME_LENGTH_MAX + 1), m = strnlen(b, NAME_LENGTH_MAX + 1), row[NAME_LENGTH_MAX + 1];

    if (n > NAME_LENGTH_MAX || m > NAME_LENGTH_MAX)
        return SIZE_MAX;
    for (size_t j = 0; j <= m; j++)
        row[j] = j;
    for (size_t i = 1; i <= n; i++) {
        size_t diagonal = row[0];

        row[0] = i;
        for (size_t j = 1; j <= m; j++) {
            size_t change = diagonal + (a[i - 1] != b[j - 1]),
                   edit = (row[j] < row[j - 1] ? row[j] : row[j - 1]) + 1;

            diagonal = row[j];
            row[j] = change < edit ? change : edit;
        }
    }
    return row[m];
}

const char *text_nearest(const char *word, const char *const *names, size_t count)
{
    const char *best = NULL;
    size_t length = strlen(word), least = length / 3 + 2; /* one or two typing errors, more in long names */
    const size_t begun_max = least + 4;

    for (size_t i = 0; i < count; i++) {
        size_t d = text_distance(word, names[i]);

        if (length >= 3 && str_starts(names[i], word) && d <= begun_max)
            d = 1; /* the word is the beginning of the name, not a typing error */
        if (d < least) {
            least = d;
            best = names[i];
        }
    }
    return best;
}
