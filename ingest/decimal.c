#include "ingest/decimal.h"
#include "base/assert.h"

#include <endian.h>
#include <stdbool.h>
#include <string.h>

/* The parts of a number's text. */
struct decimal {
    const char *whole, *fraction; /* digits */
    size_t whole_count, fraction_count;
    int exponent;
    bool negative;
};

static size_t digits_at(const char *p, const char *end)
{
    const char *begin = p;

    while (p < end && *p >= '0' && *p <= '9')
        p++;
    return (size_t)(p - begin);
}

/* An exponent beyond +-1000 is out of range with any digits except zero. */
static int read_exponent(const char *p, const char *end, int *out)
{
    bool negative = p < end && *p == '-';
    int x = 0;

    if (p < end && (*p == '-' || *p == '+'))
        p++;
    if (p == end)
        return -1;
    for (; p < end; p++) {
        if (*p < '0' || *p > '9')
            return -1;
        if (x < 1000)
            x = x * 10 + (*p - '0');
    }
    ASSERT_HOT(x >= 0 && x < 10000);
    *out = negative ? -x : x;
    return 0;
}

static int decimal_parse(const char *p, const char *end, struct decimal *d)
{
    memset(d, 0, sizeof *d);
    if (p < end && (*p == '-' || *p == '+'))
        d->negative = *p++ == '-';
    d->whole = p;
    d->whole_count = digits_at(p, end);
    p += d->whole_count;
    d->fraction = p;
    if (p < end && *p == '.') {
        d->fraction = ++p;
        d->fraction_count = digits_at(p, end);
        p += d->fraction_count;
    }
    ASSERT_HOT(p <= end);
    if (d->whole_count + d->fraction_count == 0)
        return -1;
    if (p < end && (*p == 'e' || *p == 'E'))
        return read_exponent(p + 1, end, &d->exponent);
    return p == end ? 0 : -1;
}

static int digit(const struct decimal *d, int64_t k)
{
    if (k < 0)
        return 0;
    if ((uint64_t)k < d->whole_count)
        return d->whole[k] - '0';
    k -= (int64_t)d->whole_count;
    return (uint64_t)k < d->fraction_count ? d->fraction[k] - '0' : 0;
}

/* Converts four digits in one step. -1: not four digits. The first digit is the lowest byte. Neighbouring digits
 * are combined into two-digit numbers, then these into one four-digit number. */
static int four_digits(const char *p)
{
    uint32_t x;

    memcpy(&x, p, sizeof x);
    x = le32toh(x);
    if (((x & 0xf0f0f0f0u) | ((x + 0x06060606u) & 0xf0f0f0f0u) >> 4) != 0x33333333u)
        return -1;
    x &= 0x0f0f0f0fu;
    x = (x * 10 + (x >> 8)) & 0x00ff00ffu;
    ASSERT_HOT((x & 0xffffu) <= 99 && x >> 16 <= 99);
    return (int)((x * 100 + (x >> 16)) & 0xffffu);
}

/* Continues with the digits at p; `value` is the number that the earlier digits gave. */
static const char *read_digits(const char *p, const char *end, int64_t *value)
{
    unsigned d;
    int four;

    for (; end - p >= 4 && (four = four_digits(p)) >= 0; p += 4)
        *value = *value * 10000 + four;
    for (; p < end && (d = (unsigned char)*p - (unsigned)'0') <= 9; p++)
        *value = *value * 10 + d;
    return p;
}

/* Fast path for digits with at most one decimal point, the usual case. -1: another form, or too long to be sure
 * that it fits. */
static int64_t plain_scaled(const char *text, size_t length, int shift)
{
    static const int64_t power[] = {1,
                                    10,
                                    100,
                                    1000,
                                    10000,
                                    100000,
                                    1000000,
                                    10000000,
                                    100000000,
                                    1000000000,
                                    10000000000,
                                    100000000000,
                                    1000000000000,
                                    10000000000000,
                                    100000000000000,
                                    1000000000000000,
                                    10000000000000000,
                                    100000000000000000};
    const char *end = text + length, *p, *point;
    int64_t value = 0, unit;

    if (length == 0 || shift < 0 || length + (size_t)shift > 18) /* 10^18 is below 2^63 */
        return -1;
    p = read_digits(text, end, &value);
    if (p == end)
        return value * power[shift];
    if (*p != '.' || length == 1)
        return -1;
    point = p++;
    p = read_digits(p, end, &value);
    if (p < end)
        return -1;
    shift -= (int)(end - point - 1);
    if (shift >= 0)
        return value * power[shift];
    ASSERT_HOT(shift < 0 && (size_t)-shift < sizeof power / sizeof *power);
    unit = power[-shift];
    return value / unit + (value % unit >= unit / 2);
}

int decimal_scaled(const char *text, size_t length, int shift, int64_t *out)
{
    struct decimal d;
    int64_t point, value = plain_scaled(text, length, shift), given;

    if (value >= 0) {
        *out = value;
        return 0;
    }
    value = 0;
    if (length > INT32_MAX || decimal_parse(text, text + length, &d) < 0)
        return -1;
    given = (int64_t)(d.whole_count + d.fraction_count);
    ASSERT(given > 0);
    point = (int64_t)d.whole_count + d.exponent + shift;
    for (int64_t k = 0; k < point; k++) {
        if (k >= given && value == 0)
            break; /* zero stays zero with any exponent */
        if (__builtin_mul_overflow(value, 10, &value) || __builtin_add_overflow(value, digit(&d, k), &value))
            return -1;
    }
    if (digit(&d, point) >= 5 && __builtin_add_overflow(value, 1, &value))
        return -1;
    *out = d.negative ? -value : value;
    return 0;
}
