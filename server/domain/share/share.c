#include "server/domain/share/share.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "base/hash.h"
#include "base/text.h"
#include "server/domain/share/question.h"
#include "server/store/repo/repo_job.h"
#include "server/store/repo/repo_share.h"
#include "server/store/event/event.h"
#include "wire/json.h"

static bool is_object(const struct credential *c, const char *kind, const char *id)
{
    return strcmp(c->share.kind, kind) == 0 && strcmp(c->share.object, id) == 0;
}

static int reaches_job(struct db *db, const struct credential *c, const char *job, struct err *e)
{
    char run[UUID_TEXT] = "";
    int found = uuid_valid(job) ? repo_job_find(db, job, c->team_id, run, e) : 0;

    return found > 0 ? is_object(c, "run", run) : found;
}

static int reaches_plan(struct db *db, const struct credential *c, const char *plan, struct err *e)
{
    if (strcmp(c->share.kind, "run") == 0 && uuid_valid(plan))
        return repo_share_run_of_plan(db, c->share.object, plan, e);
    return is_object(c, "plan", plan);
}

/* Event streams: only of the shared run. */
static bool reaches_events(const struct credential *c, const char *topics)
{
    return topics && str_starts(topics, "run:") && is_object(c, "run", topics + 4) && !c->share.frozen &&
           !c->share.hide_names;
}

/* RUN:DESIGN of the shared run. */
static bool is_side(const struct credential *c, const char *side)
{
    size_t n = strlen(c->share.object);

    return strncmp(side, c->share.object, n) == 0 && side[n] == ':';
}

/* A link to a run compares designs of that run, as the page of the run does. Parameters of the designs are not
 * part of the run. */
static bool reaches_sides(const struct credential *c, const struct share_call *call)
{
    const char *side = call->with;

    if (strcmp(c->share.kind, "run") != 0 || call->parameters || !is_side(c, call->base))
        return false;
    while (*side && is_side(c, side)) {
        side += strcspn(side, ",");
        side += *side == ',';
    }
    return *side == '\0';
}

static int reaches_question(struct db *db, const struct credential *c, const struct share_call *call, struct err *e)
{
    struct share_question q = SHARE_QUESTION_INIT;
    int found = share_question_of(db, c->share.id, &q, e);

    if (found > 0)
        found = strcmp(q.base.text, call->base) == 0 && strcmp(q.with.text, call->with) == 0 &&
                (q.all_parameters || !call->parameters || strcmp(call->parameters, "all") != 0);
    share_question_release(&q);
    return found;
}

/* The cost of an extension (`resolve`) comes from all simulations of the team, so no link shows it. */
static int reaches_compare(struct db *db, const struct credential *c, const struct share_call *call, struct err *e)
{
    if (!call->base || !call->with || call->resolve)
        return 0;
    return reaches_sides(c, call) ? 1 : reaches_question(db, c, call, e);
}

int share_reaches(struct db *db, const struct credential *c, enum share_reach reach, const struct share_call *call,
                  struct err *e)
{
    const char *id = call->id;

    switch (reach) {
    case SHARE_NOTHING:
    case SHARE_HIDDEN: return 0;
    case SHARE_ALWAYS: return 1;
    case SHARE_RUN: return is_object(c, "run", id);
    case SHARE_JOB: return db ? reaches_job(db, c, id, e) : 0;
    case SHARE_PLAN: return db ? reaches_plan(db, c, id, e) : 0;
    case SHARE_PROFILE: return is_object(c, "profile", id);
    case SHARE_EVENTS: return reaches_events(c, call->topics);
    case SHARE_COMPARE: return db ? reaches_compare(db, c, call, e) : 0;
    }
    return 0;
}

/* --- Frozen links --- */

static int keep(const struct share_source *from, struct db *db, const struct credential *link,
                struct strbuf *address, struct err *e)
{
    struct strbuf body = STRBUF_INIT;
    int ret;

    if (address->failed)
        return err_no_memory(e);
    ret = from->get(from->ctx, db, link, address->text, &body, e);
    if (ret == 0)
        ret = body.failed ? err_no_memory(e)
                          : repo_share_document_put(db, link->share.id, address->text, body.text, e);
    else if (e->code == ERR_NOT_FOUND || e->code == ERR_CONFLICT || e->code == ERR_INVALID)
        ret = 0; /* 0: the document did not exist when the link was created, so it is never shown */
    strbuf_release(&body);
    return ret;
}

static int keep_under(const struct share_source *from, struct db *db, const struct credential *link,
                      const char *folder, const char *id, const char *rest, const char *design, struct err *e)
{
    struct strbuf address = STRBUF_INIT;
    int ret;

    strbuf_addf(&address, "/api/v1/%s/%s%s", folder, id, rest);
    if (design)
        strbuf_addf(&address, "?design=%s", design);
    ret = keep(from, db, link, &address, e);
    strbuf_release(&address);
    return ret;
}

/* The stored document of the run, which names its designs and its plan. */
static json_t *run_document(struct db *db, const struct credential *link, struct err *e)
{
    struct strbuf address = STRBUF_INIT, body = STRBUF_INIT;
    json_t *run = NULL;
    int found;

    strbuf_addf(&address, "/api/v1/runs/%s", link->share.object);
    found = address.failed ? err_no_memory(e) : repo_share_document(db, link->share.id, address.text, &body, e);
    if (found > 0)
        run = json_read_text(body.text, body.length, "the run", e);
    else if (found == 0)
        err_set(e, ERR_NOT_FOUND, "there is no run %.40s", link->share.object);
    strbuf_release(&address);
    strbuf_release(&body);
    return run;
}

static int freeze_run(const struct share_source *from, struct db *db, const struct credential *link, struct err *e)
{
    static const char *const parts[] = {
        "",      "/projection",       "/compare",          "/not-simulated",   "/events",
        "/jobs", "/domains?by=layer", "/domains?by=phase", "/domains?by=step", "/domains?by=class"};
    static const char *const each[] = {"/convergence", "/strata", "/jobs"};
    const json_t *design;
    const char *plan;
    json_t *run;
    size_t d;
    int ret = 0;

    for (size_t i = 0; i < sizeof parts / sizeof parts[0] && ret == 0; i++)
        ret = keep_under(from, db, link, "runs", link->share.object, parts[i], NULL, e);
    run = ret == 0 ? run_document(db, link, e) : NULL;
    if (!run)
        return -1;
    json_array_foreach(json_object_get(run, "designs"), d, design)
    {
        const char *name = json_string_value(json_object_get(design, "design"));

        for (size_t i = 0; name && i < sizeof each / sizeof each[0] && ret == 0; i++)
            ret = keep_under(from, db, link, "runs", link->share.object, each[i], name, e);
    }
    plan = json_string_value(json_object_get(run, "plan"));
    if (ret == 0 && plan)
        ret = keep_under(from, db, link, "plans", plan, "", NULL, e);
    json_decref(run);
    return ret;
}

static int freeze_comparison(const struct share_source *from, struct db *db, const struct credential *link,
                             struct err *e)
{
    static const char *const parameters[] = {"differences", "all"};
    struct share_question q = SHARE_QUESTION_INIT;
    int ret = share_question_of(db, link->share.id, &q, e);

    for (size_t i = 0; ret > 0 && i < (q.all_parameters ? 2 : 1); i++) {
        struct strbuf address = STRBUF_INIT;

        share_question_address(q.base.text, q.with.text, parameters[i], &address);
        if (keep(from, db, link, &address, e) < 0)
            ret = -1;
        strbuf_release(&address);
    }
    share_question_release(&q);
    return ret < 0 ? -1 : 0;
}

static int freeze_parts(const struct share_source *from, struct db *db, const struct credential *link,
                        const char *folder, const char *const *parts, struct err *e)
{
    int ret = 0;

    for (; *parts && ret == 0; parts++)
        ret = keep_under(from, db, link, folder, link->share.object, *parts, NULL, e);
    return ret;
}

int share_freeze(const struct share_source *from, struct db *db, const struct credential *link, struct err *e)
{
    static const char *const plan[] = {"", "/samples", "/traces", NULL}, *const profile[] = {"", "/kernels",
                                                                                             "/spreads", NULL};

    if (strcmp(link->share.kind, "run") == 0)
        return freeze_run(from, db, link, e);
    if (strcmp(link->share.kind, "compare") == 0)
        return freeze_comparison(from, db, link, e);
    if (strcmp(link->share.kind, "plan") == 0)
        return freeze_parts(from, db, link, "plans", plan, e);
    return freeze_parts(from, db, link, "profiles", profile, e);
}

/* --- Hidden names --- */

/* Members whose texts come from the program and contain no names: methods, GPU designs, states, settings. All
 * other texts are treated as names, so a new member is hidden until it is added here. */
static const char *const open_members[] = {"format",
                                           "unit",
                                           "profile_unit",
                                           "scale",
                                           "method",
                                           "estimator",
                                           "variance",
                                           "engine",
                                           "state",
                                           "design",
                                           "baseline",
                                           "variance_method",
                                           "classifier",
                                           "kind",
                                           "severity",
                                           "outcome",
                                           "model_error_why_not",
                                           "next",
                                           "gpu",
                                           "not_covered",
                                           "gpu_name",
                                           "makespan_why_not",
                                           "estimate_why_not",
                                           "makespan_interval_why_not",
                                           "simulator",
                                           "simulators",
                                           "role",
                                           "scopes",
                                           "schema",
                                           "type",
                                           "code",
                                           "approve",
                                           "failures",
                                           "decision",
                                           "answer",
                                           "class",
                                           "assumption",
                                           "rule",
                                           "level_note",
                                           "why_not_paired",
                                           "parameter"};

/* Ids, hashes, and times and numbers in text form. */
static bool is_plain(const char *text)
{
    return uuid_valid(text) || sha256_hex_valid(text) || text[strspn(text, "0123456789-:.TZ+")] == '\0';
}

static bool is_open(const char *key)
{
    for (size_t i = 0; i < sizeof open_members / sizeof open_members[0]; i++)
        if (strcmp(open_members[i], key) == 0)
            return true;
    return false;
}

/* Members of an event that event_hide() wrote. */
static bool is_of_event(const char *key)
{
    return strcmp(key, "kind") == 0 || strcmp(key, "params") == 0 || strcmp(key, "text") == 0 ||
           strcmp(key, "reason") == 0;
}

/* "x-" and ten hex digits of a keyed hash of the name and the link's number. Only the farm knows the key. Equal
 * names have equal labels within a link, but not in two links. Without the key nobody can test guessed names. */
struct hiding {
    const struct share_key *key;
    int64_t share;
};

static void add_label(void *ctx, const char *name, size_t n, struct strbuf *out)
{
    const struct hiding *h = ctx;
    struct strbuf b = STRBUF_INIT;
    char hex[SHA256_HEX];
    struct err e;

    strbuf_add(&b, (const char *)h->key->bytes, h->key->size);
    strbuf_addf(&b, "share %" PRId64 " ", h->share);
    strbuf_add(&b, name, n);
    if (!b.failed && sha256_bytes(b.text, b.length, hex, &e) == 0)
        strbuf_addf(out, "x-%.10s", hex);
    strbuf_release(&b);
}

static json_t *hidden_text(struct hiding *h, const char *text)
{
    struct strbuf b = STRBUF_INIT;
    json_t *out;

    add_label(h, text, strlen(text), &b);
    out = b.failed ? NULL : json_string(b.text);
    strbuf_release(&b);
    return out;
}

static json_t *hidden(struct hiding *h, json_t *value, bool open, struct err *e);

/* The type Label: what users wrote about a run or a plan. Each text is left out, also one that looks like a number
 * or a hash. */
static bool is_user_label(const char *key, const json_t *member)
{
    return strcmp(key, "label") == 0 && json_is_object(member);
}

static json_t *empty_label(const json_t *label, struct err *e)
{
    json_t *out = json_pack("{s:s, s:[], s:s, s:b}", "name", "", "tags", "note", "", "archived",
                            json_is_true(json_object_get(label, "archived")));

    if (!out)
        err_no_memory(e);
    return out;
}

/* PlanPart.by is layer, phase, step, class or rank. In other objects `by` is a person. */
static bool is_kind_of_part(const json_t *object, const char *key)
{
    return strcmp(key, "by") == 0 && json_object_get(object, "words") && json_object_get(object, "steps");
}

/* DesignParameter.values are settings of GPU designs. */
static bool is_setting(const json_t *object, const char *key)
{
    return strcmp(key, "values") == 0 && json_object_get(object, "parameter");
}

static bool is_shown(const json_t *object, const char *key)
{
    return is_open(key) || is_kind_of_part(object, key) || is_setting(object, key);
}

static int hide_members(struct hiding *h, json_t *object, struct err *e)
{
    bool event = event_is(object);
    const char *key;
    json_t *member;
    void *next;

    if (event && event_hide(object, add_label, h, e) < 0)
        return -1;
    json_object_foreach_safe(object, next, key, member)
    {
        json_t *other = is_user_label(key, member)  ? empty_label(member, e)
                        : event && is_of_event(key) ? json_incref(member)
                                                    : hidden(h, member, is_shown(object, key), e);

        if (!other || json_object_set_new(object, key, other) < 0)
            return err_no_memory(e);
    }
    return 0;
}

/* The value as the link shows it: a new reference, often to the same value, changed in place. */
static json_t *hidden(struct hiding *h, json_t *value, bool open, struct err *e)
{
    if (json_is_string(value) && !open && !is_plain(json_string_value(value)))
        return hidden_text(h, json_string_value(value));
    if (json_is_object(value) && hide_members(h, value, e) < 0)
        return NULL;
    for (size_t i = 0; i < json_array_size(value); i++) {
        json_t *other = hidden(h, json_array_get(value, i), open, e);

        if (!other || json_array_set_new(value, i, other) < 0)
            return NULL;
    }
    return json_incref(value);
}

json_t *share_hide(const struct share_key *key, int64_t share, json_t *document, struct err *e)
{
    struct hiding h = {key, share};

    return hidden(&h, document, false, e);
}
