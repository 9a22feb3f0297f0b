/* wire/json.h: foreign JSON -> checked C values, with errors that name the member and what it should be.
 *
 * The getters take a JSON object and a member name. The `_opt` forms leave *out as it was when the member is
 * absent or null and return 0; otherwise 1. The others need the member. All return -1 with ERR_INVALID when the
 * type or range is wrong: "`slots` must be a whole number from 1 to 4096". Callers add the place by err_wrap().
 *
 * 64-bit counts that may pass 2^53 (which JavaScript cannot hold) travel as strings of digits; readers take both
 * spellings. Parsing is bounded: jansson stops at 2048 levels of nesting, and the caller bounds the bytes. */
#ifndef VIVACE_WIRE_JSON_H
#define VIVACE_WIRE_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <jansson.h>

#include "base/err.h"
#include "base/hash.h"
#include "base/strbuf.h"

/* Text -> an object or array; a member that is there twice is refused. `what` names the text in messages. NULL on
 * failure (ERR_MALFORMED). The caller drops the reference. */
json_t *json_read_text(const char *text, size_t n, const char *what, struct err *e) MUST_CHECK;
/* The same from a file of at most `most_bytes`. */
json_t *json_read_path(const char *path, size_t most_bytes, struct err *e) MUST_CHECK;
/* Appends the document as one line, or indented by two blanks and ended by a line end. Members keep their order. */
void json_write_text(const json_t *value, bool indented, struct strbuf *out);

/* The root or a member must be an object; refuses members that are not in `known` (NULL at the end). */
int json_need_object(const json_t *value, const char *what, struct err *e) MUST_CHECK;
int json_refuse_unknown(const json_t *object, const char *const *known, struct err *e) MUST_CHECK;

/* Borrowed: valid as long as the document. Text holds no NUL (jansson refuses it) and is valid UTF-8. */
int json_need_str(const json_t *object, const char *key, const char **out, struct err *e) MUST_CHECK;
int json_opt_str(const json_t *object, const char *key, const char **out, struct err *e) MUST_CHECK;
/* Copied into an array of `size` bytes; longer text is an error, never cut. */
int json_need_copy(const json_t *object, const char *key, char *out, size_t size, struct err *e) MUST_CHECK;
int json_opt_copy(const json_t *object, const char *key, char *out, size_t size, struct err *e) MUST_CHECK;
int json_need_u64(const json_t *object, const char *key, uint64_t *out, struct err *e) MUST_CHECK;
int json_opt_u64(const json_t *object, const char *key, uint64_t *out, struct err *e) MUST_CHECK;
/* Whole number within least..most. */
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
/* The same, or null: not known, all three 0. */
int json_read_dim3(const json_t *object, const char *key, uint32_t out[3], struct err *e) MUST_CHECK;

/* Writers for what jansson lacks. New references; NULL when memory ran out (json_object_set_new() then fails). */
json_t *json_dim3(const uint32_t dim[3]); /* null where dim[0] is 0: not known */
json_t *json_count(uint64_t n);     /* a number up to 2^53, digits as a string above */
json_t *json_count_str(uint64_t n); /* always a string of digits */
json_t *json_double(double x);      /* null for NaN and infinities; whole numbers stay reals */
/* Of any bytes, as a file or a command line brings them: what is no UTF-8 is mended as utf8_mend() does. */
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
void json_put(struct json_obj *o, const char *key, json_t *value); /* takes over value; NULL marks failure */
/* NULL: null; else as json_text(). */
void json_put_str(struct json_obj *o, const char *key, const char *s);
void json_put_u64(struct json_obj *o, const char *key, uint64_t n);
void json_put_double(struct json_obj *o, const char *key, double x);
void json_put_bool(struct json_obj *o, const char *key, bool b);
json_t *json_obj_end(struct json_obj *o);
/* Appends to an array and drops `value` on failure; -1 when memory ran out. */
int json_push(json_t *array, json_t *value) MUST_CHECK;

#endif
