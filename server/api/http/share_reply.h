/* server/api/http/share_reply.h: calls with a share link (server/domain/share/share.h). */
#ifndef VIVACE_SERVER_SHARE_REPLY_H
#define VIVACE_SERVER_SHARE_REPLY_H

#include "server/api/app.h"
#include "server/api/http/http.h"

/* Whether the link's credential may make this call: 0, or -1 with ERR_NOT_FOUND or ERR_FORBIDDEN. db may be NULL
 * for routes that are answered without one. */
int share_reply_allow(struct db *db, const struct route *route, const struct request *req,
                      struct err *e) MUST_CHECK;
/* 1: the answer of a frozen link is in *rep; 0: it is not for this call, ask the handler; -1. */
int share_reply_frozen(struct db *db, const struct route *route, const struct request *req, struct reply *rep,
                       struct err *e) MUST_CHECK;
/* Labels instead of names in an answer that is JSON; other answers are refused. */
int share_reply_hide_names(const struct app *app, const struct credential *c, struct reply *rep,
                           struct err *e) MUST_CHECK;
/* Keeps what a new frozen link will show: the server's own answers. */
int share_reply_freeze(struct app *app, struct db *db, const struct credential *link, struct err *e) MUST_CHECK;

#endif
