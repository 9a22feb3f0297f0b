/* server/api/http/share_reply.h: calls with a share link (server/domain/share/share.h). */
#ifndef VIVACE_SERVER_SHARE_REPLY_H
#define VIVACE_SERVER_SHARE_REPLY_H

#include "server/api/app.h"
#include "server/api/http/http.h"

/* Whether the link's credential may make this call: 0, or -1 with ERR_NOT_FOUND or ERR_FORBIDDEN. db may be NULL
 * for routes that need no database. */
int share_reply_allow(struct db *db, const struct route *route, const struct request *req,
                      struct err *e) MUST_CHECK;
/* 1: *rep is the stored answer of a frozen link. 0: run the handler. -1: an error. */
int share_reply_frozen(struct db *db, const struct route *route, const struct request *req, struct reply *rep,
                       struct err *e) MUST_CHECK;
/* Replaces names by labels in a JSON answer. Other answers are refused. */
int share_reply_hide_names(const struct app *app, const struct credential *c, struct reply *rep,
                           struct err *e) MUST_CHECK;
/* Stores the server's own answers for a new frozen link. */
int share_reply_freeze(struct app *app, struct db *db, const struct credential *link, struct err *e) MUST_CHECK;

#endif
