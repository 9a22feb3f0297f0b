/* server/api/http/queries.h: refuses query parameters that the API description does not list. Ignoring an
 * unknown parameter would return an answer that the client did not ask for. */
#ifndef VIVACE_SERVER_HTTP_QUERIES_H
#define VIVACE_SERVER_HTTP_QUERIES_H

#include "server/api/http/http.h"

/* Checks the query of a request target. 0, or -1 with ERR_MALFORMED; the error names the allowed parameters. */
int queries_check(const struct route *route, const char *uri, struct err *e) MUST_CHECK;

#endif
