#include "server/api/http/login_request.h"

static struct login_origin origin_of(const struct request *req)
{
    return (struct login_origin){&req->credential, req->address, request_header(req, "Cookie")};
}

int login_request_check(struct app *app, struct db *db, const struct request *req,
                        const struct login_attempt *attempt, struct account_row *out, struct reply *rep,
                        struct err *e)
{
    const struct login_origin from = origin_of(req);

    return login_check(&app->farm, db, &from, attempt, out, &rep->retry_after_s, e);
}

bool login_request_of_known_device(const struct app *app, const struct request *req)
{
    const struct login_origin from = origin_of(req);

    return login_of_known_device(&app->farm, &from, req->body, req->body_length);
}
