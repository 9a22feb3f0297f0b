/* server/api/handlers/trace_commands.c: commands that make a tracer record the launches of a plan, and a check
 * that the tracer's launch list matches the profile. */
#include <stdlib.h>
#include <string.h>

#include "base/stream.h"
#include "ingest/launch_check.h"
#include "server/store/repo/repo_plan.h"
#include "server/store/repo/repo_trace.h"
#include "server/api/handlers/handlers.h"
#include "server/api/handlers/lists.h"
#include "server/domain/import/profile_store.h"
#include "server/domain/plan/plan_cache.h"
#include "wire/tracer.h"

#define LIST_BYTES_MAX ((uint64_t)1 << 30) /* decompressed: about 5 million launches, parsed in 3 s */

/* Loads a plan of the caller's team and its profile. The caller releases both, also on -1. */
static int load(struct db *db, const struct request *req, struct plan *plan, struct profile *profile, struct err *e)
{
    char profile_id[UUID_TEXT];
    int found;

    plan_init(plan);
    profile_init(profile);
    if (need_id("plan", req->param[0], e) < 0)
        return -1;
    found = repo_plan_profile(db, req->param[0], req->credential.team_id, profile_id, e);
    if (found <= 0)
        return found < 0 ? -1 : err_set(e, ERR_NOT_FOUND, "there is no plan %.40s", req->param[0]);
    if (plan_cache_load(db, req->param[0], plan, e) < 0)
        return -1;
    return profile_load(db, profile_id, profile, e);
}

/* ?missing=true: leaves out launches whose trace is stored already. */
static int keep_missing(struct db *db, const struct request *req, struct plan *plan, struct err *e)
{
    const char *missing = request_query(req, "missing");
    struct db_rows q;
    size_t kept = 0;
    int at = 0;

    if (!missing || strcmp(missing, "false") == 0)
        return 0;
    if (strcmp(missing, "true") != 0)
        return err_set(e, ERR_INVALID, "`missing` must be true or false");
    if (repo_trace_bound(db, req->param[0], &q, e) < 0)
        return -1;
    for (size_t i = 0; i < plan->sample_count; i++) { /* both are in order of the sample number */
        bool bound = at < q.count && (size_t)db_get_i64(&q, at, 0) == i;

        at += bound;
        if (!bound)
            plan->samples[kept++] = plan->samples[i];
    }
    db_rows_release(&q);
    plan->sample_count = kept;
    return kept > 0 ? 0
                    : err_set(e, ERR_CONFLICT, "the farm has all traces of the plan: there is nothing to record");
}

/* Reads ?context. -1 when it is absent. */
static int ask_context(const struct request *req, int64_t *out, struct err *e)
{
    uint64_t n;

    *out = -1;
    if (!request_query(req, "context"))
        return 0;
    if (request_query_u64(req, "context", 0, INT64_MAX, 0, &n, e) < 0)
        return -1;
    *out = (int64_t)n;
    return 0;
}

static int ask_offset(const struct request *req, uint64_t *out, struct err *e)
{
    return request_query_u64(req, "offset", 0, TRACER_OFFSET_MAX, 0, out, e);
}

static void attach(const struct request *req, struct reply *rep, const char *what, const char *ending)
{
    snprintf(rep->content_disposition, sizeof rep->content_disposition, "attachment; filename=\"%.30s-%.8s.%s\"",
             what, req->param[0], ending);
}

/* --- GET /plans/{plan}/trace-commands?for&context&passes&format&missing --- */

static int answer_list(const struct request *req, const struct plan *plan, const struct profile *profile,
                       int64_t context, struct reply *rep, struct err *e)
{
    const char *format = request_query(req, "format");
    uint64_t offset;
    size_t chosen;

    if (ask_offset(req, &offset, e) < 0)
        return -1;
    if (offset && context < 0 && profile->context_count > 1)
        return err_set(e, ERR_INVALID, "`offset` needs `context`, because it belongs to one context");
    if (context >= 0 && profile_choose_context(profile, context, &chosen, e) < 0)
        return -1;
    format = format ? format : "text";
    if (strcmp(format, "json") == 0)
        return tracer_list(plan, profile, context, offset, TRACER_LIST_JSON, &rep->body, e);
    if (strcmp(format, "csv") == 0) {
        rep->content_type = "text/csv; charset=utf-8";
        attach(req, rep, "launches", "csv");
        return tracer_list(plan, profile, context, offset, TRACER_LIST_CSV, &rep->body, e);
    }
    if (strcmp(format, "text") != 0)
        return err_set(e, ERR_INVALID, "`format` of a list must be text, csv or json");
    rep->content_type = "text/plain; charset=utf-8";
    attach(req, rep, "launches", "txt");
    return tracer_list(plan, profile, context, offset, TRACER_LIST_TEXT, &rep->body, e);
}

static int write_script(const struct request *req, struct tracer_job *job, bool json, struct reply *rep,
                        struct err *e)
{
    struct strbuf script = STRBUF_INIT;
    char plan_file[40];
    int ret;

    /* The file name that GET /plans/{plan}/file uses. The path of the profile is known only to the caller. */
    snprintf(plan_file, sizeof plan_file, "plan-%.8s.json", req->param[0]);
    ret =
        tracer_script(job, &(struct tracer_paths){plan_file, "profile", "traces"}, json ? &script : &rep->body, e);
    if (ret == 0 && json)
        ret = tracer_job_json(job, script.text, &rep->body, e);
    strbuf_release(&script);
    if (json)
        return ret;
    rep->content_type = "text/x-shellscript; charset=utf-8";
    attach(req, rep, job->tool->name, "sh");
    return ret;
}

static int answer_script(const struct request *req, const char *tool_name, const struct plan *plan,
                         const struct profile *profile, int64_t context_number, struct reply *rep, struct err *e)
{
    const struct tracer_tool *tool = tracer_find(tool_name, e);
    const char *format = request_query(req, "format");
    struct tracer_job job;
    uint64_t passes, offset;
    size_t context;
    int ret;

    if (!tool || ask_offset(req, &offset, e) < 0 ||
        request_query_u64(req, "passes", 1, 10000, TRACER_PASSES_MAX, &passes, e) < 0 ||
        profile_choose_context(profile, context_number, &context, e) < 0)
        return -1;
    if (format && strcmp(format, "sh") != 0 && strcmp(format, "json") != 0)
        return err_set(e, ERR_INVALID, "`format` of a script must be sh or json");
    if (tracer_job_init(&job, tool, plan, profile, context, offset, e) < 0)
        return -1;
    job.passes_max = (unsigned)passes;
    job.only_missing = request_query(req, "missing") && strcmp(request_query(req, "missing"), "true") == 0;
    ret = write_script(req, &job, format && strcmp(format, "json") == 0, rep, e);
    tracer_job_release(&job);
    return ret;
}

int plan_trace_commands_get(struct app *app, struct db *db, const struct request *req, struct reply *rep,
                            struct err *e)
{
    const char *tool = request_query(req, "for");
    struct profile profile;
    struct plan plan;
    int64_t context;
    int ret;

    (void)app;
    if (!tool) {
        err_set(e, ERR_INVALID, "`for` must name the tracer");
        return err_hint(e, "Use accel-sim, accel-sim-old, macsim or ncu; for any other tracer use list.");
    }
    if (ask_context(req, &context, e) < 0)
        return -1;
    ret = load(db, req, &plan, &profile, e);
    if (ret == 0)
        ret = keep_missing(db, req, &plan, e);
    if (ret == 0)
        ret = strcmp(tool, "list") == 0 ? answer_list(req, &plan, &profile, context, rep, e)
                                        : answer_script(req, tool, &plan, &profile, context, rep, e);
    plan_release(&plan);
    profile_release(&profile);
    return ret < 0 ? -1 : reply_body_json(rep, 200, e);
}

/* --- POST /plans/{plan}/launch-list?context&at_least: the body is the tool's list, plain or compressed --- */

struct bounded {
    struct stream *from;
    uint64_t left;
};

static ssize_t read_bounded(void *ctx, void *buffer, size_t n, struct err *e)
{
    struct bounded *b = ctx;
    ssize_t got = stream_read(b->from, buffer, n, e);

    if (got > 0 && (uint64_t)got > b->left)
        return err_set(e, ERR_TOO_LARGE, "the list unpacks to more than %llu bytes",
                       (unsigned long long)LIST_BYTES_MAX);
    b->left -= got > 0 ? (uint64_t)got : 0;
    return got;
}

static int compare(const struct request *req, const struct profile *profile, const struct launch_check_options *o,
                   struct launch_verdict *v, struct err *e)
{
    struct bounded bounded = {.left = LIST_BYTES_MAX};
    struct stream *s = NULL;
    int ret = stream_open_bytes(req->body, req->body_length, "the list", &bounded.from, e);

    if (ret == 0)
        ret = stream_open_fn(read_bounded, &bounded, "the list", &s, e);
    if (ret == 0)
        ret = launch_check_stream(s, profile, o, v, e);
    stream_close(s);
    stream_close(bounded.from);
    return ret;
}

int plan_launch_list_post(struct app *app, struct db *db, const struct request *req, struct reply *rep,
                          struct err *e)
{
    struct launch_verdict verdict = {.format = "unknown"};
    struct launch_check_options options = {.has_offset = request_query(req, "offset") != NULL};
    struct profile profile;
    struct plan plan;
    int ret;

    (void)app;
    if (ask_context(req, &options.context, e) < 0 ||
        request_query_u64(req, "at_least", 0, UINT64_MAX, 0, &options.at_least, e) < 0 ||
        ask_offset(req, &options.offset, e) < 0)
        return -1;
    ret = load(db, req, &plan, &profile, e);
    if (ret == 0)
        ret = compare(req, &profile, &options, &verdict, e);
    if (ret == 0)
        ret = reply_json(rep, 200, launch_verdict_json(&verdict, &profile), e);
    launch_verdict_release(&verdict);
    plan_release(&plan);
    profile_release(&profile);
    return ret;
}
