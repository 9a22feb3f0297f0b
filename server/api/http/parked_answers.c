#include "server/api/http/parked_answers.h"

#include "server/api/http/http.h"
#include "server/api/http/router.h"

static void answer_error(struct parked *p, const char *request_id, const struct err *why)
{
    struct reply rep = {.body = STRBUF_INIT, .file = -1};

    problem_reply(why, request_id, &rep);
    if (rep.status == 503)
        rep.retry_after_s = 1;
    parked_answer(p, &rep);
}

static void answer_json(struct parked *p, const char *request_id, json_t *v)
{
    struct reply rep = {.body = STRBUF_INIT, .file = -1};
    struct err e;

    if (reply_json(&rep, 200, v, &e) < 0) {
        strbuf_release(&rep.body);
        answer_error(p, request_id, &e);
        return;
    }
    parked_answer(p, &rep);
}

static void answer_nothing(struct parked *p)
{
    struct reply rep = {.body = STRBUF_INIT, .file = -1};

    reply_empty(&rep, 204);
    parked_answer(p, &rep);
}

const struct dispatcher_answers parked_answers = {answer_json, answer_error, answer_nothing, parked_gone};
