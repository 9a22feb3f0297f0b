/* server/api/handlers/sweep.c: GET /profiles/{profile}/sweep: evaluates every method (or ?method=one,two) at
 * several target errors by repeated draws. The answer is stored. It is valid until the profile gets other
 * features or the program another version. */
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "base/version.h"
#include "sampling/methods/evaluate.h"
#include "server/store/repo/repo_plan.h"
#include "server/store/repo/repo_profile.h"
#include "server/api/handlers/handlers.h"
#include "server/api/handlers/lists.h"
#include "server/domain/import/profile_store.h"
#include "wire/methods_json.h"

#define ERRORS_MAX 12

/* Number of repeated draws: enough to show the spread. Each repetition draws a new sample, so large profiles get
 * fewer repetitions. */
static unsigned repeats_of(size_t launches)
{
    return launches > 1000000 ? 3 : launches > 100000 ? 8 : 20;
}

struct question {
    uint64_t only; /* a bit for each method; 0: all methods */
    double confidence, errors[ERRORS_MAX];
    size_t count;
    char key[800];
};

/* Reads "root,stem". The key lists the methods in a fixed order, so that equal requests have equal keys. */
static int read_methods(const struct request *req, struct question *q, size_t *used, struct err *e)
{
    const char *names = request_query(req, "method");
    char name[40];

    for (const char *at = names; at && *at; at += *at == ',') {
        size_t n = strcspn(at, ","), k = 0;
        const struct method *m;

        if (n >= sizeof name)
            return err_set(e, ERR_INVALID, "`method` must be a list of names: vivace,root");
        memcpy(name, at, n);
        name[n] = '\0';
        m = method_find(name, e);
        if (!m) {
            e->code = ERR_INVALID;
            return -1;
        }
        while (methods[k] != m)
            k++;
        q->only |= UINT64_C(1) << k;
        at += n;
    }
    for (size_t k = 0; methods[k]; k++) /* the key has names, because another version may have other methods */
        if (q->only >> k & 1)
            *used += (size_t)snprintf(q->key + *used, sizeof q->key - *used, "%s ", methods[k]->name);
    return 0;
}

static int read_question(const struct request *req, struct question *q, struct err *e)
{
    const char *confidence = request_query(req, "confidence"), *errors = request_query(req, "errors");
    char part[40], number[NUM_TEXT];
    size_t used;

    *q = (struct question){.confidence = 0.95};
    errors = errors ? errors : "0.01,0.02,0.03,0.05,0.1";
    if (confidence && parse_share(confidence, "confidence", &q->confidence, e) < 0)
        return -1;
    /* Another version may make other plans, so the version is part of the key. */
    used = (size_t)snprintf(q->key, sizeof q->key, VIVACE_VERSION ": ");
    if (read_methods(req, q, &used, e) < 0)
        return -1;
    used += (size_t)snprintf(q->key + used, sizeof q->key - used, "%s", num_format(q->confidence, number));
    while (*errors) {
        size_t n = strcspn(errors, ",");

        if (q->count == ERRORS_MAX || n == 0 || n >= sizeof part)
            return err_set(e, ERR_INVALID, "`errors` must be a list of up to %d shares: 0.01,0.05", ERRORS_MAX);
        memcpy(part, errors, n);
        part[n] = '\0';
        if (parse_share(part, "errors", &q->errors[q->count], e) < 0)
            return -1;
        used +=
            (size_t)snprintf(q->key + used, sizeof q->key - used, " %s", num_format(q->errors[q->count++], number));
        errors += n + (errors[n] == ',');
    }
    return q->count > 0 ? 0 : err_set(e, ERR_INVALID, "`errors` is empty");
}

static int evaluate_all(const struct profile *p, const struct question *q, struct jw *w, struct err *e)
{
    for (const struct method *const *m = methods; *m; m++) {
        for (size_t i = 0; i < q->count; i++) {
            struct plan_params params = PLAN_PARAMS_DEFAULT;
            struct evaluation v;

            if (q->only && !(q->only >> (m - methods) & 1))
                break;
            params.error = q->errors[i];
            params.confidence = q->confidence;
            if (evaluate(*m, p, &params, repeats_of(p->count), &v, e) < 0)
                return -1;
            evaluation_to_json(w, &v, NULL, true);
            evaluation_release(&v);
        }
    }
    return 0;
}

static int compute(struct db *db, const char *profile_id, const struct question *q, struct strbuf *out,
                   struct err *e)
{
    struct profile p;
    struct jw w;
    int ret;

    profile_init(&p);
    if (profile_load(db, profile_id, &p, e) < 0)
        return -1;
    jw_init(&w, NULL, NULL, e);
    jw_object(&w);
    jw_key(&w, "items");
    jw_array(&w);
    ret = evaluate_all(&p, q, &w, e);
    jw_end(&w, ']');
    jw_end(&w, '}');
    if (ret == 0)
        ret = jw_finish(&w);
    if (ret == 0)
        strbuf_add(out, w.text.text, w.text.length);
    jw_release(&w);
    profile_release(&p);
    return ret == 0 && out->failed ? err_no_memory(e) : ret;
}

int sweep_get(struct app *app, struct db *db, const struct request *req, struct reply *rep, struct err *e)
{
    const char *profile = req->param[0];
    char sha256[SHA256_HEX];
    struct question q;
    int found;

    if (need_id("profile", profile, e) < 0 || read_question(req, &q, e) < 0)
        return -1;
    found = repo_profile_sha256(db, profile, req->credential.team_id, sha256, e);
    if (found <= 0)
        return found < 0 ? -1 : err_set(e, ERR_NOT_FOUND, "there is no profile %.40s", profile);
    found = repo_sweep_get(db, profile, q.key, &rep->body, e);
    if (found < 0)
        return -1;
    if (!found && (compute(db, profile, &q, &rep->body, e) < 0 ||
                   repo_sweep_put(db, profile, sha256, q.key, rep->body.text, clock_now(app->clock), e) < 0))
        return -1;
    return reply_body_json(rep, 200, e);
}
