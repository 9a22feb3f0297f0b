/* server/api/handlers/series.h: a recording in an API answer: the list of its series, or a window of one series. */
#ifndef VIVACE_SERVER_HANDLERS_SERIES_H
#define VIVACE_SERVER_HANDLERS_SERIES_H

#include "server/api/http/http.h"
#include "simcore/record/recording.h"

/* Query parameters: name, from and to (cycles), columns (1 to 4096, default 2000), format=json|csv|npy. Without
 * a name the answer is the list, or the whole recording with format=chrome (a trace for Perfetto) or
 * format=recording (`bytes` unchanged). */
int series_reply(const struct recording *r, const struct strbuf *bytes, const struct request *req,
                 struct reply *rep, struct err *e) MUST_CHECK;

#endif
