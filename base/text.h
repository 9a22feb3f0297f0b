/* base/text.h: numbers to text and back, the same under every locale; small helpers for strings. */
#ifndef VIVACE_BASE_TEXT_H
#define VIVACE_BASE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

/* Each parses the whole of s. -1 with "`WHAT`: ..." in *e where s is not exactly one value. */
int parse_u64(const char *s, const char *what, uint64_t *out, struct err *e);
int parse_double(const char *s, const char *what, double *out, struct err *e); /* finite; decimal point only */
int parse_share(const char *s, const char *what, double *out, struct err *e); /* "5%" or "0.05" -> 0.05; in (0,1) */

#define NUM_TEXT 40
/* The shortest text that reads back equal: 0.1, not 0.10000000000000001. NaN and infinities: "null". */
const char *num_format(double x, char out[NUM_TEXT]);
/* "5.53 s", "40 µs": a time with 3 significant digits and its unit. */
const char *format_duration(double seconds, char out[NUM_TEXT]);
/* "97.3 ± 3.7 ms": the half-width to 2 digits, the value to the same place, one unit after both. */
const char *format_estimate(double seconds, double half_width, char out[NUM_TEXT]);
/* True when the half-width is at least as large as the value. The estimate is not useful yet, so callers write a
 * sentence instead of the number. False without an interval. */
bool estimate_says_nothing(double value, double half_width);
/* "1.24 M": a count with 3 significant digits and k, M, G above 9999. */
const char *format_count(double n, char out[NUM_TEXT]);

/* "95 %", "99.55 %", "99.99935 %": a confidence level with two significant digits of its distance to 100 %, so that
 * it is never rounded to 100 %. */
const char *format_level(double level, char out[NUM_TEXT]);

bool str_is(const char *bytes, size_t n, const char *text); /* true when these n bytes are equal to the text */
bool str_starts(const char *s, const char *prefix);
bool str_ends(const char *s, const char *suffix);
/* Edit distance (insert, delete, replace) from a to b. SIZE_MAX where either has more than 63 bytes, which is
 * longer than any name in Vivace. */
size_t text_distance(const char *a, const char *b);
/* The name nearest to a mistyped or incomplete word; NULL when none is near. */
const char *text_nearest(const char *word, const char *const *names, size_t count);
/* Length of the longest prefix of bytes that is valid UTF-8. */
size_t utf8_valid_prefix(const char *bytes, size_t n);
/* Length of the longest valid UTF-8 prefix of s within `most` bytes. For "%.*s": printf's own "%.60s" may cut
 * inside a character. */
size_t utf8_cut(const char *s, size_t most);
/* Makes s valid UTF-8 in place. An incomplete character at the end is removed; other invalid bytes become '?'. */
void utf8_mend(char *s);
/* Replaces invalid UTF-8 and control characters by '?', in place. */
void text_sanitize(char *s);

#endif
