/* server/api/handlers/features.c: adds instruction counts, metrics or basic-block vectors to a stored profile. */
#include <stdio.h>

#include "base/text.h"
#include "server/domain/import/attacher.h"
#include "server/api/handlers/handlers.h"
#include "server/api/handlers/lists.h"
#include "wire/json.h"

#define NAME_LENGTH_MAX 120

static void describe(const struct attachment *a, struct strbuf *b)
{
    strbuf_addf(b, "Added %s.", a->added.text);
    for (size_t i = 0; i < a->method_count; i++)
        strbuf_addf(b, "%s%s", i ? ", " : " Methods that can plan this profile now: ", a->methods[i]->name);
    strbuf_adds(b, a->method_count ? "." : "");
}

static json_t *answer(const struct attachment *a)
{
    struct json_obj o = json_obj_begin();
    struct strbuf sentence = STRBUF_INIT;
    json_t *names = json_array();

    for (size_t i = 0; i < a->method_count; i++)
        json_array_append_new(names, json_string(a->methods[i]->name));
    describe(a, &sentence);
    json_put_str(&o, "profile", a->profile);
    json_put_str(&o, "sha256", a->sha256);
    json_put_u64(&o, "launches", a->launches);
    json_put_u64(&o, "known", a->known);
    json_put(&o, "methods", names);
    json_put(&o, "sentence", sentence.failed ? NULL : json_string(sentence.text));
    strbuf_release(&sentence);
    return json_obj_end(&o);
}

/* POST /profiles/{profile}/features?name: the body is the file */
int features_post(struct app *app, struct db *db, const struct request *req, struct reply *rep, struct err *e)
{
    const char *name = request_query(req, "name");
    char shown[NAME_LENGTH_MAX + 1];
    struct attachment a = {.profile = req->param[0],
                           .file = req->body_path,
                           .name = shown,
                           .team = req->credential.team_id,
                           .added = STRBUF_INIT};
    int ret;

    snprintf(shown, sizeof shown, "%s", name && *name ? name : "the file");
    text_sanitize(shown);
    if (need_id("profile", a.profile, e) < 0)
        return -1;
    if (req->body_length == 0)
        return err_set(e, ERR_INVALID, "%s is empty", shown);
    ret = attacher_attach(&app->farm, db, &a, e);
    if (ret == 0)
        ret = reply_json(rep, 200, answer(&a), e);
    strbuf_release(&a.added);
    return ret;
}
