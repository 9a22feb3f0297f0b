/* wire/json.h: reads untrusted JSON into checked C values. Errors name the member and the values that it may
 * have.
 *
 * The getters take a JSON object and a member name. The `_opt` forms return 0 and leave *out unchanged when the
 * member is absent or null, and return 1 otherwise. The other forms require the member. All return -1 with
 * ERR_INVALID when the type or range is wrong: "`slots` must be a whole number from 1 to 4096". Callers add the
 * location with err_wrap().
 *
 * 64-bit counts that may exceed 2^53 (the limit of JavaScript) are written as strings of digits. Readers accept
 * numbers and strings. Parsing is bounded: jansson stops at 2048 levels of nesting, and the caller limits the
 * bytes. */
#ifndef VIVACE_WIRE_JSON_H
#define VIVACE_WIRE_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <jansson.h>

#include "base/err.h"
#include "base/hash.h"
#include "base/strbuf.h"

/* Parses text into an object or array. A duplicate member is an error. `what` is the name of the text in
 * messages. NULL on failure (ERR_MALFORMED). The caller drops the reference. */
json_t *json_read_text(const char *text, size_t n, const char *what, struct err *e) MUST_CHECK;
/* The same from a file of at most `most_bytes` bytes. */
json_t *json_read_path(const char *path, size_t most_bytes, struct err *e) MUST_CHECK;
/* Appends the document, either on one line or indented by two spaces with a final line feed. The order of members
 * is kept. */
void json_write_text(const json_t *value, bool indented, struct strbuf *out);

/* `value` must be an object. A member that is not in `known` (NULL at the end) is an error. */
int json_need_object(const json_t *value, const char *what, struct err *e) MUST_CHECK;
int json_refuse_unknown(const json_t *object, const char *const *known, struct err *e) MUST_CHECK;

/* *out is borrowed: valid as long as the document. The text is valid UTF-8 without NUL, which jansson refuses. */
int json_need_str(const json_t *object, const char *key, const char **out, struct err *e) MUST_CHECK;
int json_opt_str(const json_t *object, const char *key, const char **out, struct err *e) MUST_CHECK;
/* Copies into an array of `size` bytes. Longer text is an error and is never truncated. */
int json_need_copy(const json_t *object, const char *key, char *out, size_t size, struct err *e) MUST_CHECK;
int json_opt_copy(const json_t *object, const char *key, char *out, size_t size, struct err *e) MUST_CHECK;
int json_need_u64(const json_t *object, const char *key, uint64_t *out, struct err *e) MUST_CHECK;
int json_opt_u64(const json_t *object, const char *key, uint64_t *out, struct err *e) MUST_CHECK;
/* An integer from least to most. */
int json_need_u32(const json_t *object, const char *key, uint32_t least, uint32_t most, uint32_t *out,
                  struct err *e) MUST_CHECK;
int json_opt_u32(const json_t *object, const char *key, uint32_t least, uint32_t most, uint32_t *out,
                 struct err *e) MUST_CHECK;
/* Any finite number. */
int json_need_double(const json_t *object, const char *key, double *out, struct err *e) MUST_CHECK;
int json_opt_double(const json_t *object, const char *key, double *out, struct err *e) MUST_CHECK;
int json_need_bool(const json_t *object, const char *key, bool *out, struct err *e) MUST_CHECK;
int json_opt_bool(const json_t *object, const char *key, bool *out, struct err *e) MUST_CHECK;
int json_need_array(const json_t *object, const char *key, const json_t **out, struct err *e) MUST_CHECK;
int json_need_member(const json_t *object, const char *key, const json_t **out, struct err *e) MUST_CHECK;
int json_opt_array(const json_t *object, const char *key, const json_t **out, struct err *e) MUST_CHECK;
int json_opt_member(const json_t *object, const char *key, const json_t **out, struct err *e) MUST_CHECK;
/* 64 lower-case hex digits. The `opt` form sets out to "" when absent or null. */
int json_need_sha256(const json_t *object, const char *key, char out[SHA256_HEX], struct err *e) MUST_CHECK;
int json_opt_sha256(const json_t *object, const char *key, char out[SHA256_HEX], struct err *e) MUST_CHECK;
/* [x, y, z], each 1 .. 2^32 - 1. */
int json_need_dim3(const json_t *object, const char *key, uint32_t out[3], struct err *e) MUST_CHECK;
/* As json_need_dim3(), or null: the size is unknown, and all three are 0. */
int json_read_dim3(const json_t *object, const char *key, uint32_t out[3], struct err *e) MUST_CHECK;

/* Constructors that jansson lacks. Each returns a new reference; NULL: out of memory (json_object_set_new() then
 * fails). */
json_t *json_dim3(const uint32_t dim[3]); /* null if dim[0] is 0: unknown */
json_t *json_count(uint64_t n);           /* a number up to 2^53, else a string of digits */
json_t *json_count_str(uint64_t n);       /* always a string of digits */
json_t *json_double(double x);            /* null for NaN and infinities; integral values are written as reals */
/* Accepts any bytes, for example from a file or a command line. Invalid UTF-8 is replaced as in utf8_mend(). */
json_t *json_text(const char *s);
json_t *json_str_or_null(const char *s); /* null for NULL and "" */

/* Builds an object member by member; one check at the end.
 *   struct json_obj o = json_obj_begin();
 *   json_put_str(&o, "name", name); ...
 *   return json_obj_end(&o);          NULL when memory ran out */
struct json_obj {
    json_t *object;
    bool failed;
};
struct json_obj json_obj_begin(void);
void json_put(struct json_obj *o, const char *key, json_t *value); /* owns value; NULL marks failure */
/* null for NULL, otherwise as json_text(). */
void json_put_str(struct json_obj *o, const char *key, const char *s);
void json_put_u64(struct json_obj *o, const char *key, uint64_t n);
void json_put_double(struct json_obj *o, const char *key, double x);
void json_put_bool(struct json_obj *o, const char *key, bool b);
json_t *json_obj_end(struct json_obj *o);
/* Appends to an array. Drops `value` on failure; -1: out of memory. */
int json_push(json_t *array, json_t *value) MUST_CHECK;

#endif
