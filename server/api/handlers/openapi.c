/* server/api/handlers/openapi.c: the API description, and a description of each error code. */
#include <stdio.h>
#include <string.h>

#include "base/embed.h"
#include "server/api/handlers/handlers.h"

int openapi_get(struct app *app, struct db *db, const struct request *req, struct reply *rep, struct err *e)
{
    (void)app;
    (void)db;
    (void)req;
    if (!embedded_openapi[0].name)
        return err_set(e, ERR_NOT_FOUND, "this build has no API document");
    strbuf_add(&rep->body, embedded_openapi[0].bytes, embedded_openapi[0].size);
    return reply_body_json(rep, 200, e);
}

int problem_get(struct app *app, struct db *db, const struct request *req, struct reply *rep, struct err *e)
{
    (void)app;
    (void)db;
    for (int code = ERR_NONE + 1; code < ERR_CODE_COUNT; code++)
        if (strcmp(err_name((enum err_code)code), req->param[0]) == 0) {
            rep->content_type = "text/plain; charset=utf-8";
            strbuf_addf(&rep->body,
                        "%s: %s.\n"
                        "\n"
                        "The HTTP status is %d. In the problem document, `detail` says what was wrong, `hint` says "
                        "what to do, and `request_id` identifies the request in the server's log.\n",
                        req->param[0], err_title((enum err_code)code), err_http_status((enum err_code)code));
            return rep->body.failed ? err_no_memory(e) : 0;
        }
    return err_set(e, ERR_NOT_FOUND, "there is no problem called \"%.40s\"", req->param[0]);
}
