#include "wire/recording_report.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/assert.h"
#include "base/base64.h"
#include "base/text.h"

void recording_report_release(struct recording_report *r)
{
    free(r->message);
    free(r->bytes);
    *r = (struct recording_report){.n = 0};
}

json_t *recording_report_to_json(const struct recording_report *r)
{
    struct json_obj o = json_obj_begin();
    struct err e;
    char *text = r->bytes ? base64_encode(r->bytes, r->n, &e) : NULL;

    ASSERT((r->outcome == OUTCOME_OK) == (r->bytes != NULL));
    json_put_str(&o, "session", r->session);
    json_put_str(&o, "result", r->id.job);
    json_put_u64(&o, "attempt", r->id.attempt);
    json_put_str(&o, "outcome", attempt_outcome_name(r->outcome));
    json_put(&o, "message", json_str_or_null(r->message ? r->message : ""));
    json_put(&o, "recording", json_str_or_null(text ? text : ""));
    o.failed = o.failed || (r->bytes && !text);
    free(text);
    return json_obj_end(&o);
}

static int read_members(const json_t *v, struct recording_report *out, struct err *e)
{
    static const char *const known[] = {"session", "result", "attempt", "outcome", "message", "recording", NULL};
    const char *outcome = NULL, *text = NULL, *recording = NULL;

    if (json_need_object(v, "the request", e) < 0 || json_refuse_unknown(v, known, e) < 0 ||
        json_need_copy(v, "session", out->session, sizeof out->session, e) < 0 ||
        json_need_copy(v, "result", out->id.job, sizeof out->id.job, e) < 0 ||
        json_need_u32(v, "attempt", 1, UINT32_MAX, &out->id.attempt, e) < 0 ||
        json_need_str(v, "outcome", &outcome, e) < 0 || json_opt_str(v, "message", &text, e) < 0 ||
        json_opt_str(v, "recording", &recording, e) < 0)
        return -1;
    if (attempt_outcome_from_name(outcome, &out->outcome) < 0)
        return err_set(e, ERR_INVALID, "`outcome` has an unknown value");
    if ((out->outcome == OUTCOME_OK) != (recording != NULL))
        return err_set(e, ERR_INVALID, "`recording` must be given if the outcome is ok, and only then");
    ASSERT(out->outcome < OUTCOME_COUNT && !out->message);
    if (text && !(out->message = mem_strndup(text, utf8_cut(text, WIRE_MESSAGE_BYTES), e)))
        return -1;
    return recording ? base64_decode(recording, &out->bytes, &out->n, e) : 0;
}

int recording_report_from_json(const json_t *v, struct recording_report *out, struct err *e)
{
    int ret;

    *out = (struct recording_report){.n = 0};
    ret = read_members(v, out, e);
    if (ret < 0)
        recording_report_release(out);
    return ret;
}
