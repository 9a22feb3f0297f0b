/* server/api/handlers/profiles.c: profiles, their kernels and the time that each takes. */
#include <stdio.h>
#include <string.h>

#include "base/assert.h"
#include "base/text.h"
#include "sampling/profile/kernel_class.h"
#include "server/api/http/cursor.h"
#include "server/store/repo/repo_profile.h"
#include "server/api/handlers/handlers.h"
#include "server/api/handlers/profiles.h"

#define PAGE     100
#define PAGE_MAX 1000

static int no_profile(struct err *e)
{
    return err_set(e, ERR_NOT_FOUND, "there is no profile with this id");
}

int profile_get(struct app *app, struct db *db, const struct request *req, struct reply *rep, struct err *e)
{
    int found;

    (void)app;
    if (!uuid_valid(req->param[0]))
        return no_profile(e);
    found = repo_profile_json(db, req->param[0], req->credential.team_id, &rep->body, e);
    if (found < 0)
        return -1;
    return found ? reply_body_json(rep, 200, e) : no_profile(e);
}

int need_profile(struct db *db, const struct request *req, struct err *e)
{
    int found = uuid_valid(req->param[0]) ? repo_profile_of_team(db, req->param[0], req->credential.team_id, e) : 0;

    return found < 0 ? -1 : found ? 0 : no_profile(e);
}

/* Appends the kernel's JSON object with its class, which is not stored: it follows from the name. */
static void add_kernel(struct strbuf *b, const char *object, const char *name, bool comma)
{
    size_t n = strlen(object);

    ASSERT(n > 1 && object[n - 1] == '}');
    strbuf_adds(b, comma ? "," : "");
    strbuf_add(b, object, n - 1);
    strbuf_addf(b, ",\"class\":\"%s\"}", kernel_class_names[kernel_class_of(name)]);
}

int profile_kernels_get(struct app *app, struct db *db, const struct request *req, struct reply *rep, struct err *e)
{
    const char *after = request_query(req, "after");
    struct cursor c = {0};
    struct strbuf *b = &rep->body;
    char next[CURSOR_TEXT];
    struct db_rows r;
    uint64_t limit;
    int shown, ret = 0;

    if (request_query_u64(req, "limit", 1, PAGE_MAX, PAGE, &limit, e) < 0 || need_profile(db, req, e) < 0 ||
        (after && cursor_read(app, "kernels", after, &c, e) < 0) ||
        repo_profile_kernels_json(db, req->param[0], c.text[0], c.text[1], limit + 1, &r, e) < 0)
        return -1;
    shown = (uint64_t)r.count > limit ? (int)limit : r.count;
    strbuf_adds(b, "{\"items\":[");
    for (int i = 0; i < shown; i++)
        add_kernel(b, db_get(&r, i, 0), db_get(&r, i, 3), i > 0);
    if (shown < r.count) {
        snprintf(c.text[0], sizeof c.text[0], "%s", db_get(&r, shown - 1, 1));
        snprintf(c.text[1], sizeof c.text[1], "%s", db_get(&r, shown - 1, 2));
        ret = cursor_write(app, "kernels", &c, next, e);
        strbuf_addf(b, "],\"next\":\"%s\"}", next);
    } else {
        strbuf_adds(b, "],\"next\":null}");
    }
    db_rows_release(&r);
    return ret < 0 ? -1 : reply_body_json(rep, 200, e);
}

int read_kernel(const struct request *req, uint64_t *kernel, struct err *e)
{
    const char *text = request_query(req, "kernel");

    *kernel = UINT64_MAX;
    if (!text || strcmp(text, "all") == 0 || parse_u64(text, "kernel", kernel, e) == 0)
        return 0;
    e->code = ERR_INVALID;
    return -1;
}

int need_kernel(uint64_t kernel, size_t kernel_count, struct err *e)
{
    if (kernel == UINT64_MAX || kernel < kernel_count)
        return 0;
    return err_set(e, ERR_NOT_FOUND, "this profile has kernels 0 to %zu", kernel_count - 1);
}
