#include "server/domain/share/question.h"

#include <string.h>

#include "server/store/repo/repo_share.h"
#include "wire/json.h"

#define OTHERS_MAX 32 /* GET /compare takes 33 sides (server/domain/project/comparing.h) */

/* Appends RUN:DESIGN. */
static int read_side(const json_t *side, const char *what, struct strbuf *out, const char **run, struct err *e)
{
    static const char *const known[] = {"run", "design", NULL};
    const char *design;

    if (json_need_object(side, what, e) < 0 || json_refuse_unknown(side, known, e) < 0 ||
        json_need_str(side, "run", run, e) < 0 || json_need_str(side, "design", &design, e) < 0)
        return -1;
    if (!uuid_valid(*run))
        return err_set(e, ERR_INVALID, "`run` of %s must be a run id, not `%.40s`", what, *run);
    /* The stored text must have one meaning, and needs no encoding in an address. */
    if (!*design || strpbrk(design, ",:&=%#+ "))
        return err_set(e, ERR_INVALID, "`design` of %s must be the name of a design, not `%.40s`", what, design);
    strbuf_addf(out, "%s:%s", *run, design);
    return 0;
}

static int read_others(const json_t *with, struct share_question *q, struct err *e)
{
    const json_t *side;
    const char *run;
    size_t i;

    if (json_array_size(with) == 0 || json_array_size(with) > OTHERS_MAX)
        return err_set(e, ERR_INVALID, "`with` of the question must list 1 to %d designs", OTHERS_MAX);
    json_array_foreach(with, i, side)
    {
        if (i)
            strbuf_addc(&q->with, ',');
        if (read_side(side, "an entry of `with`", &q->with, &run, e) < 0)
            return -1;
        db_array_add(&q->runs, run);
    }
    return 0;
}

/* The design whose kernels the page opens with. */
static int check_shown(const json_t *document, const json_t *with, struct err *e)
{
    const json_t *shown = json_object_get(document, "show"), *side;
    size_t i;

    if (!shown || json_is_null(shown))
        return 0;
    json_array_foreach(with, i, side)
    {
        if (json_equal(side, shown))
            return 0;
    }
    return err_set(e, ERR_INVALID, "`show` of the question must be one of the entries of `with`");
}

int share_question_read(const json_t *document, struct share_question *q, struct err *e)
{
    static const char *const known[] = {"base", "with", "show", "all_parameters", NULL};
    const json_t *base, *with;
    const char *run;

    if (json_need_object(document, "`question`", e) < 0 || json_refuse_unknown(document, known, e) < 0 ||
        json_need_member(document, "base", &base, e) < 0 || json_need_array(document, "with", &with, e) < 0 ||
        json_opt_bool(document, "all_parameters", &q->all_parameters, e) < 0 ||
        read_side(base, "`base`", &q->base, &run, e) < 0)
        return -1;
    memcpy(q->first, run, sizeof q->first);
    db_array_begin(&q->runs);
    db_array_add(&q->runs, run);
    if (read_others(with, q, e) < 0 || check_shown(document, with, e) < 0)
        return -1;
    db_array_end(&q->runs);
    return q->base.failed || q->with.failed || q->runs.failed ? err_no_memory(e) : 0;
}

int share_question_of(struct db *db, int64_t share, struct share_question *q, struct err *e)
{
    struct strbuf text = STRBUF_INIT;
    json_t *document = NULL;
    int found = repo_share_question(db, share, &text, e);

    if (found > 0) {
        document = json_read_text(text.text, text.length, "the question", e);
        found = document && share_question_read(document, q, e) == 0 ? 1 : -1;
    }
    json_decref(document);
    strbuf_release(&text);
    return found;
}

void share_question_release(struct share_question *q)
{
    strbuf_release(&q->base);
    strbuf_release(&q->with);
    strbuf_release(&q->runs);
}

void share_question_address(const char *base, const char *with, const char *parameters, struct strbuf *out)
{
    strbuf_addf(out, "/api/v1/compare?base=%s&with=%s&kernels=true&parameters=%s", base, with, parameters);
}
