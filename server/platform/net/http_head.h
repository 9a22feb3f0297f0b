/* server/platform/net/http_head.h: checks of a request's head. They run before any other code reads the head. Pure
 * functions.
 *
 * libmicrohttpd accepts some requests that a proxy in front of the server may read differently. A client that
 * makes two parsers disagree can smuggle a request past the first of them. Therefore every ambiguous request gets
 * 400, and the connection ends. */
#ifndef VIVACE_SERVER_HTTP_HEAD_H
#define VIVACE_SERVER_HTTP_HEAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

#define HEAD_FIELDS   100
#define PATH_SEGMENTS 16
#define URI_MAX       8192 /* bytes; longer ones are refused */

struct head_field {
    const char *name, *value;
    size_t name_length, value_length;
};
struct head {
    const char *method, *version, *uri;
    struct head_field field[HEAD_FIELDS];
    size_t count; /* fields in field[] */
    bool more;    /* the request has more than HEAD_FIELDS fields: refused */
    bool folded;  /* a field goes on in the next line: refused (RFC 9112, 5.2) */
};
/* Whether libmicrohttpd read the field from one line. Its name and value then lie in the received bytes, with only
 * the former colon and blanks between them. libmicrohttpd 0.9.75 appends a folded line to a copy of the field's
 * name: "Transfer-Encoding:", " chunked" becomes the unknown field "Transfer-Encodingchunked". */
bool head_field_in_one_line(const char *name, size_t name_length, const char *value);

/* Checks: at most one Content-Length (digits), and none beside Transfer-Encoding, which is absent or exactly
 * "chunked"; exactly one Host, which is an IP address or a name in hosts[] (NULL-terminated; ports are ignored);
 * no NUL in a name or value, and no folded field; a known method; HTTP/1.1 (1.0 for /healthz and /readyz only).
 * ERR_MALFORMED. */
int head_check(const struct head *h, const char *const *hosts, struct err *e) MUST_CHECK;
/* Returns 1 and the number, or 0 when the field is absent. Call it after head_check(). */
int head_content_length(const struct head *h, uint64_t *out);
/* Value of a field by name (case-insensitive), or NULL. libmicrohttpd owns the text and ends it with a NUL. */
const char *head_value(const struct head *h, const char *name);

struct path {
    char *text; /* decoded segments, each NUL-terminated */
    const char *segment[PATH_SEGMENTS];
    size_t count;
    bool folder; /* the path ends with a slash */
};
/* Splits and decodes the path of a request target (up to '?'). Refuses a path that does not start with "/", broken
 * % codes, %00, %2f, "." and ".." segments, empty segments, control characters, text that is not UTF-8, and too
 * many segments. The caller calls path_release() after a success and after an error. */
int path_read(const char *uri, struct path *out, struct err *e) MUST_CHECK;
void path_release(struct path *p);
/* Reads a query parameter and decodes it ('+' is a blank). Returns 1, 0 when it is absent, -1 when it is
 * malformed. Of several with the same name, the first is used. The caller frees *out. */
int query_read(const char *uri, const char *name, char **out, struct err *e) MUST_CHECK;

#endif
