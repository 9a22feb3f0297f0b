/* server/platform/net/http_head.h: what of a request's head is refused before anything else looks at it. Pure
 * functions.
 *
 * libmicrohttpd lets some requests through that a proxy in front of us may read differently; a caller that can make
 * two parsers disagree can smuggle a request past the first. So everything ambiguous is 400, and the connection
 * ends.
 */
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
    size_t count; /* kept in field[] */
    bool more;    /* there were more than HEAD_FIELDS: refused */
};

/* At most one Content-Length (digits), not together with Transfer-Encoding, which is absent or exactly "chunked";
 * exactly one Host, an IP address or a name in hosts[] (NULL at the end; ports do not matter); no NUL in any name
 * or value; a known method; HTTP/1.1 (1.0 for /healthz and /readyz only). */
int head_check(const struct head *h, const char *const *hosts, struct err *e) MUST_CHECK;
/* 1 and the number, 0 when there is none. After head_check(). */
int head_content_length(const struct head *h, uint64_t *out);
/* Value of a field by name (any case), or NULL; NUL-terminated as libmicrohttpd keeps it. */
const char *head_value(const struct head *h, const char *name);

struct path {
    char text[URI_MAX + 1]; /* segments, decoded, each NUL-terminated */
    const char *segment[PATH_SEGMENTS];
    size_t count;
    bool folder; /* it ended with a slash */
};
/* Splits and decodes the path of a request target (up to '?'). Refuses what is not "/...", broken % codes, %00,
 * %2f,
 * "." and ".." segments, empty segments, control characters, text that is not UTF-8, too many segments. */
int path_read(const char *uri, struct path *out, struct err *e) MUST_CHECK;
/* Value of a query parameter, decoded ('+' is a blank): 1, 0 when absent, -1 when it is broken. The first one
 * counts. *out is malloc'ed. */
int query_read(const char *uri, const char *name, char **out, struct err *e) MUST_CHECK;

#endif
