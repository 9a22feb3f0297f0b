/* server/api/http/queries.h: a query parameter that the API's description does not list is refused, because without
 * it the answer would be that to another question. */
#ifndef VIVACE_SERVER_HTTP_QUERIES_H
#define VIVACE_SERVER_HTTP_QUERIES_H

#include "server/api/http/http.h"

/* A request's target: 0, or -1 with ERR_MALFORMED, which names those that the route takes. */
int queries_check(const struct route *route, const char *uri, struct err *e) MUST_CHECK;

#endif
