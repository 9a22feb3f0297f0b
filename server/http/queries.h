/* server/http/queries.h: the query parameters of each address, out of docs/openapi.json: one that is mistyped is
 * refused, because without it the answer would be that to another question. */
#ifndef VIVACE_SERVER_HTTP_QUERIES_H
#define VIVACE_SERVER_HTTP_QUERIES_H

#include "server/http/http.h"

struct queries;

/* Of all routes of /api/v1; `document` (bytes of it) is only read meanwhile. ERR_INTERNAL: it is no JSON. */
int queries_new(const struct route *table, const unsigned char *document, size_t bytes, struct queries **out,
                struct err *e) MUST_CHECK;
void queries_release(struct queries *q); /* or NULL */
/* The number of a row of the table, and a request's target. ERR_MALFORMED names those that the address takes. What
 * lists take (after, limit, format) is taken wherever something is read. Addresses that are not of the API take
 * anything, as all do where `q` is NULL. */
int queries_check(const struct queries *q, size_t route, const char *uri, struct err *e) MUST_CHECK;

#endif
