/* server/api/handlers/series.h: a recording as the API shows it: a list of its series, or one of them in a window.
 */
#ifndef VIVACE_SERVER_HANDLERS_SERIES_H
#define VIVACE_SERVER_HANDLERS_SERIES_H

#include "server/api/http/http.h"
#include "simcore/record/recording.h"

/* ?name, from and to (cycles), columns (1 to 4096, default 2000), format=json|csv|npy; without a name the list, or
 * the whole as format=chrome (a trace for Perfetto) or format=recording (`bytes` as they are). */
int series_reply(const struct recording *r, const struct strbuf *bytes, const struct request *req,
                 struct reply *rep, struct err *e) MUST_CHECK;

#endif
