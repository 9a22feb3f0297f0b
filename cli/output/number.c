/* Formats numbers for people. The dashboard's formats are in web/ui/format.js. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"

#define NARROW_SPACE "\xE2\x80\xAF" /* U+202F, between groups of three digits */
#define UNKNOWN      "\xE2\x80\x93" /* en dash: no value */
#define PLUS_MINUS   "\xC2\xB1"
#define TIMES        "\xC3\x97"
#define MINUS        "\xE2\x88\x92"

/* Copies a plain "-12345.67" with a typographic minus sign, and with groups of three digits where it has more than
 * four. */
static const char *group(const char *plain, char out[CLI_NUMBER])
{
    const char *digits = plain + (*plain == '-');
    size_t whole = strspn(digits, "0123456789"), at = 0;

    if (*plain == '-') {
        memcpy(out, MINUS, 3);
        at = 3;
    }
    for (size_t i = 0; digits[i] && at + 4 < CLI_NUMBER; i++) {
        if (whole > 4 && i > 0 && i < whole && (whole - i) % 3 == 0) {
            memcpy(out + at, NARROW_SPACE, 3);
            at += 3;
        }
        out[at++] = digits[i];
    }
    out[at] = '\0';
    return out;
}

static const char *unknown(char out[CLI_NUMBER])
{
    memcpy(out, UNKNOWN, sizeof UNKNOWN);
    return out;
}

/* The number of decimal places with which x has `digits` significant digits; at least 0. */
static int places(double x, int digits)
{
    int p = x == 0 ? 0 : digits - 1 - (int)floor(log10(fabs(x)));

    return p < 0 ? 0 : p > 12 ? 12 : p;
}

const char *cli_number(double x, char out[CLI_NUMBER])
{
    char plain[64];
    bool whole = x == floor(x) && fabs(x) < 10000;

    if (!isfinite(x))
        return unknown(out);
    if (fabs(x) >= 1e15 || (x != 0 && fabs(x) < 1e-6))
        snprintf(plain, sizeof plain, "%.2e", x);
    else
        snprintf(plain, sizeof plain, "%.*f", whole ? 0 : places(x, 3), x);
    return group(plain, out);
}

const char *cli_whole(uint64_t n, char out[CLI_NUMBER])
{
    char plain[24];

    snprintf(plain, sizeof plain, "%" PRIu64, n);
    return group(plain, out);
}

const char *cli_counted(uint64_t n, const char *one, const char *many, char out[CLI_NUMBER])
{
    char number[CLI_NUMBER];

    snprintf(out, CLI_NUMBER, "%.48s %.40s%s", cli_whole(n, number), n == 1 || !many ? one : many,
             n == 1 || many ? "" : "s");
    return out;
}

/* Two significant digits. Between 99 and 100 %, where confidences are, enough digits that it is not shown as 100 %.
 */
const char *cli_percent(double share, char out[CLI_NUMBER])
{
    double p = share * 100, left = 100 - fabs(p);
    /* Up to 1e-9 counts as 100 %: a sum of shares can miss 1 by a rounding error. */
    bool nearly = left > 1e-9 && left < 1;
    char plain[64];
    int digits;

    if (!isfinite(p))
        return unknown(out);
    if (p != 0 && fabs(p) < 0.01) {
        snprintf(out, CLI_NUMBER, "< 0.01 %%");
        return out;
    }
    if (nearly && fabs(p) > 99.99) {
        snprintf(out, CLI_NUMBER, p > 0 ? "> 99.99 %%" : "< " MINUS "99.99 %%");
        return out;
    }
    digits = p == 0 ? 0 : nearly ? places(left * (1 + 1e-9), 1) : places(p, 2);
    snprintf(plain, sizeof plain, "%.*f %%", digits > 2 ? 2 : digits, p);
    return group(plain, out);
}

const char *cli_speedup(double x, char out[CLI_NUMBER])
{
    char number[CLI_NUMBER];

    if (!isfinite(x))
        return unknown(out);
    snprintf(out, CLI_NUMBER, "%.80s " TIMES, cli_number(x, number));
    return out;
}

const char *cli_seconds(double s, char out[CLI_NUMBER])
{
    char text[NUM_TEXT];

    if (!isfinite(s))
        return unknown(out);
    snprintf(out, CLI_NUMBER, "%s", format_duration(s, text));
    return out;
}

/* The number of decimals with which x has two digits: 1 for 0.996 (1.0), -2 for 1289 (1300). */
static int two_digits(double x)
{
    char plain[64];

    snprintf(plain, sizeof plain, "%.1e", x);
    return 1 - (int)floor(log10(fabs(strtod(plain, NULL))));
}

static const char *fixed(double x, int decimals, char out[CLI_NUMBER])
{
    double step = decimals < 0 ? pow(10, -decimals) : 1;
    char plain[64];

    snprintf(plain, sizeof plain, "%.*f",
             decimals < 0    ? 0
             : decimals > 12 ? 12
                             : decimals,
             decimals < 0 ? round(x / step) * step : x);
    return group(plain, out);
}

#define OWN_MAX 3 /* decimals at most: a smaller value is shown as 0 beside its interval */

/* Formats value and half-width in one unit. The half-width has two digits and the value the same decimal places,
 * but the value has at least two digits, also when the interval is wide. */
static const char *estimate(double value, double half_width, const char *unit, char out[CLI_NUMBER])
{
    int of_half = half_width > 0 ? two_digits(half_width) : places(value, 3), of_value = of_half;
    char v[CLI_NUMBER], h[CLI_NUMBER];

    if (half_width > 0 && value != 0) {
        int own = two_digits(value);

        own = own > OWN_MAX ? OWN_MAX : own;
        of_value = own > of_half ? own : of_half;
    }
    snprintf(out, CLI_NUMBER, "%.40s " PLUS_MINUS " %.30s%s%.12s", fixed(value, of_value, v),
             fixed(half_width, of_half, h), *unit ? " " : "", unit);
    return out;
}

const char *cli_estimate(double value, double half_width, const char *unit, char out[CLI_NUMBER])
{
    char v[CLI_NUMBER];

    if (!isfinite(value))
        return unknown(out);
    if (!isfinite(half_width)) {
        snprintf(out, CLI_NUMBER, "%.40s%s%.12s (interval not known)", cli_number(value, v), *unit ? " " : "",
                 unit);
        return out;
    }
    return estimate(value, half_width, unit, out);
}

const char *cli_estimate_seconds(double value, double half_width, char out[CLI_NUMBER])
{
    static const struct {
        double scale;
        const char *unit;
    } units[] = {{1, "s"}, {1e-3, "ms"}, {1e-6, "µs"}, {1e-9, "ns"}};
    size_t i = 0;

    if (!isfinite(value))
        return unknown(out);
    while (i < 3 && fabs(value) < units[i].scale)
        i++;
    return cli_estimate(value / units[i].scale, half_width / units[i].scale, units[i].unit, out);
}

const char *cli_estimate_metric(double value, double half_width, const char *unit, char out[CLI_NUMBER])
{
    char points[CLI_NUMBER], *half;

    if (strcmp(unit, "share") != 0 || !isfinite(value))
        return cli_estimate(value, half_width, "", out);
    if (!isfinite(half_width))
        return cli_estimate(100 * value, half_width, "%", out);
    estimate(100 * value, 100 * half_width, "points", points);
    half = strstr(points, " " PLUS_MINUS);
    snprintf(out, CLI_NUMBER, "%.*s %%%.40s", (int)(half - points), points, half);
    return out;
}

const char *cli_bytes(double n, char out[CLI_NUMBER])
{
    static const char *const units[] = {"B", "KiB", "MiB", "GiB", "TiB", "PiB"};
    char plain[CLI_NUMBER];
    size_t i = 0;

    while (i < 5 && n >= 1024) {
        n /= 1024;
        i++;
    }
    if (n >= 1000) /* "1 023 MiB", not "1.02e3" */
        n = round(n);
    snprintf(out, CLI_NUMBER, "%.80s %s", cli_number(n, plain), units[i]);
    return out;
}
