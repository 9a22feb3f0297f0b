#include "server/store/repo/repo_claim.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "server/store/repo/db_json.h"
#include "server/store/repo/sql/statements.h"

static const struct db_field farm_queue_fields[] = {FIELD_NUMBER("blocked"), FIELD_NUMBER("ready"),
                                                    FIELD_NUMBER("leased"), FIELD_NUMBER("total"), FIELDS_END};

static const struct db_field farm_launcher_fields[] = {FIELD_TEXT("kind"),
                                                       FIELD_NUMBER("wanted"),
                                                       FIELD_NUMBER("running"),
                                                       FIELD_NUMBER("waiting"),
                                                       FIELD_TEXT("problem"),
                                                       FIELD_TEXT("since"),
                                                       FIELDS_END};

static const struct db_field farm_fields[] = {FIELD_NUMBER("workers_alive"),
                                              FIELD_NUMBER("workers_busy"),
                                              FIELD_NUMBER("slots"),
                                              FIELD_ROW("queue", farm_queue_fields),
                                              FIELD_NUMBER("jobs_done_last_hour"),
                                              FIELD_TEXT("simulator"),
                                              FIELD_ROW("launcher", farm_launcher_fields),
                                              FIELDS_END};

int repo_session_open(struct db *db, const char *id, const struct session_request *r, int64_t token, wall_us now,
                      struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;
    struct strbuf engines = STRBUF_INIT;
    int ret;

    db_array_begin(&engines);
    for (int i = 0; i < ENGINE_COUNT; i++) {
        if (r->engines[i])
            db_array_add(&engines, job_engine_name((enum job_engine)i));
    }
    db_array_end(&engines);
    db_text(&p, id);
    db_text(&p, r->name);
    db_text(&p, r->host);
    db_text(&p, r->version);
    db_text(&p, r->simulator);
    db_text(&p, r->sandbox);
    db_text(&p, engines.text);
    db_i64(&p, r->slots);
    db_time(&p, now);
    db_i64(&p, token);
    ret = engines.failed ? err_no_memory(e) : db_query(db, &sql_session_open, &p, NULL, e);
    strbuf_release(&engines);
    return ret;
}

int repo_session_replace(struct db *db, const char *old, const char *id, const char *name, wall_us now,
                         struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;
    struct db_rows q;
    int replaced;

    db_text(&p, old);
    db_text(&p, id);
    db_text(&p, name);
    db_time(&p, now);
    if (db_query(db, &sql_session_replace, &p, &q, e) < 0)
        return -1;
    replaced = q.affected > 0;
    db_rows_release(&q);
    return replaced;
}

int repo_farm_id(struct db *db, char id[UUID_TEXT], struct err *e)
{
    struct db_params none = DB_PARAMS_INIT;
    struct db_rows q;
    bool found;

    if (db_query(db, &sql_farm_id, &none, &q, e) < 0)
        return -1;
    found = q.count > 0;
    if (found)
        snprintf(id, UUID_TEXT, "%s", db_get(&q, 0, 0));
    db_rows_release(&q);
    return found ? 0 : err_set(e, ERR_INTERNAL, "the table farm has no row");
}

int repo_session_is_of(struct db *db, const char *id, int64_t token, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_text(&p, id);
    db_i64(&p, token);
    return db_any(db, &sql_session_is_of, &p, e);
}

void session_names_begin(struct session_names *n)
{
    *n = (struct session_names){.ids = STRBUF_INIT, .tokens = STRBUF_INIT};
    db_array_begin(&n->ids);
    db_array_begin(&n->tokens);
}

void session_names_add(struct session_names *n, const char *id, int64_t token)
{
    if (!uuid_valid(id))
        return;
    db_array_add(&n->ids, id);
    db_array_add_i64(&n->tokens, token);
}

void session_names_release(struct session_names *n)
{
    strbuf_release(&n->ids);
    strbuf_release(&n->tokens);
}

int repo_session_beat(struct db *db, struct session_names *names, wall_us now, struct session_rows *out,
                      struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;
    struct db_rows q;

    *out = (struct session_rows){0};
    db_array_end(&names->ids);
    db_array_end(&names->tokens);
    if (names->ids.failed || names->tokens.failed)
        return err_no_memory(e);
    db_text(&p, names->ids.text);
    db_time(&p, now);
    db_text(&p, names->tokens.text);
    if (db_query(db, &sql_session_beat, &p, &q, e) < 0)
        return -1;
    out->items = mem_zalloc((size_t)q.count + 1, sizeof *out->items, e);
    for (int i = 0; out->items && i < q.count; i++) {
        struct session_row *s = &out->items[out->count++];

        snprintf(s->id, sizeof s->id, "%s", db_get(&q, i, 0));
        snprintf(s->simulator, sizeof s->simulator, "%s", db_get(&q, i, 1));
        s->engines[ENGINE_CYCLE] = db_get_bool(&q, i, 2);
        s->engines[ENGINE_REPLAY] = db_get_bool(&q, i, 3);
        s->slots = (uint32_t)db_get_i64(&q, i, 4);
        s->token = db_get_i64(&q, i, 5);
    }
    db_rows_release(&q);
    return out->items ? 0 : -1;
}

int repo_session_end(struct db *db, const char *ids, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_text(&p, ids);
    return db_query(db, &sql_session_end, &p, NULL, e);
}

int repo_session_need_not_last(struct db *db, struct err *e)
{
    struct db_params none = DB_PARAMS_INIT;

    return db_query(db, &sql_session_no_wait_for_disk, &none, NULL, e);
}

void session_rows_release(struct session_rows *r)
{
    free(r->items);
    *r = (struct session_rows){0};
}

int repo_session_still_leased(struct db *db, const char *jobs, struct db_rows *out, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_text(&p, jobs);
    return db_query(db, &sql_session_still_leased, &p, out, e);
}

static int read_run(const struct db_rows *q, int i, struct claimable_run *r, struct err *e)
{
    snprintf(r->id, sizeof r->id, "%s", db_get(q, i, 0));
    r->team = db_get_i64(q, i, 1);
    if (job_engine_from_name(db_get(q, i, 2), &r->engine) < 0 ||
        profile_unit_from_name(db_get(q, i, 8), &r->unit) < 0)
        return err_set(e, ERR_INTERNAL, "run %s has an unknown engine or unit", r->id);
    snprintf(r->simulator, sizeof r->simulator, "%s", db_get(q, i, 3));
    r->priority = (int)db_get_i64(q, i, 4);
    r->jobs = (int)db_get_i64(q, i, 5);
    r->share = db_get_double(q, i, 6);
    snprintf(r->plan, sizeof r->plan, "%s", db_get(q, i, 7));
    r->inside_kernels = db_get_double(q, i, 9);
    r->allow_foreign_isa = db_get_bool(q, i, 10);
    return 0;
}

int repo_claim_runs(struct db *db, wall_us now, struct claimable_runs *out, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;
    struct db_rows q;
    int ret = 0;

    *out = (struct claimable_runs){0};
    db_time(&p, now);
    if (db_query(db, &sql_claim_runs, &p, &q, e) < 0)
        return -1;
    if (q.count > 0) {
        out->items = mem_zalloc((size_t)q.count, sizeof *out->items, e);
        ret = out->items ? 0 : -1;
    }
    for (int i = 0; ret == 0 && i < q.count; i++)
        ret = read_run(&q, i, &out->items[out->count++], e);
    db_rows_release(&q);
    if (ret < 0)
        claimable_runs_release(out);
    return ret;
}

int repo_claim_loads(struct db *db, wall_us now, struct db_rows *out, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_time(&p, now);
    return db_query(db, &sql_claim_loads, &p, out, e);
}

void claimable_runs_release(struct claimable_runs *r)
{
    free(r->items);
    *r = (struct claimable_runs){0};
}

static void read_lease(const struct db_rows *q, int i, const struct claimable_run *run,
                       const struct claim_limits *limits, wall_us now, struct lease *l)
{
    snprintf(l->job, sizeof l->job, "%s", db_get(q, i, 0));
    l->attempt = (uint32_t)db_get_i64(q, i, 2);
    l->engine = run->engine;
    l->launch = (uint64_t)db_get_i64(q, i, 3);
    snprintf(l->trace_sha256, sizeof l->trace_sha256, "%s", db_get(q, i, 4));
    l->trace_bytes = (uint64_t)db_get_i64(q, i, 5);
    snprintf(l->design_sha256, sizeof l->design_sha256, "%s", db_get(q, i, 6));
    snprintf(l->design_name, sizeof l->design_name, "%s", db_get(q, i, 7));
    l->replay_value = strtoull(db_get(q, i, 8), NULL, 10);
    l->replay_unit = run->unit;
    l->limits.time_s = (uint64_t)limits->time_s << db_get_i64(q, i, 9);
    l->limits.memory_bytes = (uint64_t)limits->memory_bytes << db_get_i64(q, i, 10);
    l->limits.cycles = limits->cycles;
    l->inside_kernels = run->inside_kernels;
    l->allow_foreign_isa = run->allow_foreign_isa;
    clock_format(now + (wall_us)l->limits.time_s * 1000000, l->deadline_at);
    snprintf(l->program_sha256, sizeof l->program_sha256, "%s", db_get(q, i, 11));
    l->program_bytes = (uint64_t)db_get_i64(q, i, 12);
}

static int read_leases(const struct db_rows *q, const struct claimable_run *run, const struct claim_limits *limits,
                       wall_us now, int64_t *cursor, struct lease_list *out, struct err *e)
{
    size_t capacity = out->count;

    if (array_reserve((void **)&out->items, &capacity, out->count + (size_t)q->count, sizeof *out->items, e) < 0)
        return -1;
    for (int i = 0; i < q->count; i++) {
        int64_t seq = db_get_i64(q, i, 1);

        out->items[out->count] = (struct lease){.attempt = 0};
        read_lease(q, i, run, limits, now, &out->items[out->count++]);
        *cursor = seq > *cursor ? seq : *cursor;
    }
    return 0;
}

int repo_claim_take(struct db *db, const struct claimable_run *run, const char *session,
                    const struct claim_limits *limits, wall_us now, size_t most, int64_t *cursor,
                    struct lease_list *leases, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;
    struct db_rows q;
    int ret = 0;

    db_text(&p, run->id);
    db_i64(&p, *cursor);
    db_time(&p, now);
    db_i64(&p, (int64_t)most);
    db_text(&p, run->plan);
    db_text(&p, session);
    db_i64(&p, limits->time_s);
    if (db_query(db, &sql_claim_take, &p, &q, e) < 0)
        return -1;
    if (q.count > 0)
        ret = read_leases(&q, run, limits, now, cursor, leases, e);
    db_rows_release(&q);
    return ret;
}

int repo_worker_session_expire(struct db *db, wall_us not_seen_since, wall_us not_after, int64_t *count,
                               struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;
    struct db_rows q;

    db_time(&p, not_seen_since);
    db_time(&p, not_after);
    if (db_query(db, &sql_worker_session_expire, &p, &q, e) < 0)
        return -1;
    *count = q.affected;
    db_rows_release(&q);
    return 0;
}

int repo_claim_unlisted(struct db *db, const char *sessions, const char *listed, wall_us leased_before,
                        struct db_rows *out, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_text(&p, sessions);
    db_text(&p, listed);
    db_time(&p, leased_before);
    return db_query(db, &sql_claim_unlisted, &p, out, e);
}

int repo_claim_stale(struct db *db, bool dead, wall_us deadline_before, struct db_rows *out, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    if (dead)
        return db_query(db, &sql_claim_stale_dead, &p, out, e);
    db_time(&p, deadline_before);
    return db_query(db, &sql_claim_stale_overdue, &p, out, e);
}

int repo_farm_json(struct db *db, const char *simulator, wall_us now, struct strbuf *out, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_time(&p, now);
    db_text(&p, simulator);
    return db_json_of(db, &sql_farm_json, &p, farm_fields, out, e) < 0 ? -1 : 0;
}
