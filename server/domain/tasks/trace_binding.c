#include "server/domain/tasks/trace_binding.h"

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "base/demangle.h"
#include "server/store/blob/blob_store.h"
#include "server/store/repo/repo_blob.h"
#include "server/store/repo/repo_event.h"
#include "server/store/repo/repo_job.h"
#include "server/store/repo/repo_job_slice.h"
#include "server/store/repo/repo_run.h"
#include "server/store/repo/repo_trace.h"
#include "server/domain/queue/dispatcher.h"
#include "server/domain/tasks/trace_reader.h"
#include "wire/json.h"

/* --- One trace --- */

struct offer { /* the client's data */
    char sha256[SHA256_HEX];
    uint64_t context, order;
    const char *name; /* or NULL */
    uint32_t grid[3], block[3];
    bool has_shape;
};
enum verdict { BOUND, ALREADY, NOT_SAMPLED, REFUSED };

static int read_offer(const json_t *v, struct offer *o, struct err *e)
{
    static const char *const known[] = {"sha256", "context", "order", "name", "grid", "block", NULL};
    const json_t *grid = json_object_get(v, "grid"), *block = json_object_get(v, "block");

    *o = (struct offer){.name = NULL};
    if (json_need_object(v, "a trace", e) < 0 || json_refuse_unknown(v, known, e) < 0 ||
        json_need_sha256(v, "sha256", o->sha256, e) < 0 || json_need_u64(v, "context", &o->context, e) < 0 ||
        json_need_u64(v, "order", &o->order, e) < 0 || json_opt_str(v, "name", &o->name, e) < 0 ||
        json_opt_array(v, "grid", &grid, e) < 0 || json_opt_array(v, "block", &block, e) < 0)
        return -1;
    if ((grid == NULL) != (block == NULL))
        return err_set(e, ERR_INVALID, "`grid` and `block` must be given together");
    o->has_shape = grid != NULL;
    if (grid && (json_need_dim3(v, "grid", o->grid, e) < 0 || json_need_dim3(v, "block", o->block, e) < 0))
        return -1;
    if (o->context > INT32_MAX || o->order > INT64_MAX)
        return err_set(e, ERR_INVALID, "`context` and `order` count from 0");
    return 0;
}

static bool same3(const uint32_t a[3], const uint32_t b[3])
{
    return a[0] == b[0] && a[1] == b[1] && a[2] == b[2];
}

/* Writes the reason of a refusal. 0 when the trace matches the profile's launch. */
static int compare(const struct sampled_launch *l, const char *name, const uint32_t grid[3],
                   const uint32_t block[3], struct err *e)
{
    if (!kernel_names_match(name, l->kernel) && !(l->mangled_name && kernel_names_match(name, l->mangled_name)))
        return err_set(e, ERR_INVALID, "the trace is of kernel %.120s, but in the profile it is %.120s", name,
                       l->kernel);
    if (!same3(grid, l->grid))
        return err_set(e, ERR_INVALID, "the trace has grid %ux%ux%u, but the profile has %ux%ux%u", grid[0],
                       grid[1], grid[2], l->grid[0], l->grid[1], l->grid[2]);
    if (!same3(block, l->block))
        return err_set(e, ERR_INVALID, "the trace has block %ux%ux%u, but the profile has %ux%ux%u", block[0],
                       block[1], block[2], l->block[0], l->block[1], l->block[2]);
    return 0;
}

/* Reads header and counts of the blob, in another process. The name is malloc'ed. */
static int read_trace(struct farm *farm, const char *sha256, struct trace_row *row, char **name, struct err *e)
{
    char path[PATH_MAX];
    bool copied = false;
    int ret;

    if (blob_fetch(farm->store.blobs, sha256, path, &copied, e) < 0)
        return -1;
    ret = trace_reader_run(farm, path, row, name, e);
    if (ret == 0)
        snprintf(row->sha256, sizeof row->sha256, "%.64s", sha256);
    if (copied)
        unlink(path);
    return ret;
}

struct binding {
    struct farm *farm;
    const struct binding_request *q;
    const struct offer *offer;
    const struct sampled_launch *launch;
};

/* The team must also have the program's blob: a team that has the small launch blob may not have the program. */
static int check_program(struct db *db, const char *program, int64_t team, struct err *e)
{
    int found = program[0] ? repo_blob_of_team(db, program, team, NULL, e) : 1;

    return found != 0 ? found
                      : err_set(e, ERR_NOT_FOUND,
                                "the farm does not have the program %.12s… of that launch; send it first", program);
}

static int check_and_bind(const struct binding *b, struct db *db, enum verdict *out, struct err *e)
{
    struct trace_row row;
    char *name = NULL;
    bool known = false;
    int ret = repo_trace_find(db, b->offer->sha256, b->q->team, &known, &row, &name, e);

    if (ret == 0)
        return err_set(e, ERR_NOT_FOUND, "the farm does not have the trace %.12s…; send it first",
                       b->offer->sha256);
    if (ret > 0 && !known)
        ret = read_trace(b->farm, b->offer->sha256, &row, &name, e);
    if (ret >= 0)
        ret = check_program(db, row.program, b->q->team, e);
    if (ret >= 0)
        ret = compare(b->launch, name, row.grid, row.block, e);
    if (ret >= 0 && !known)
        ret = repo_trace_put(db, &row, clock_now(b->farm->clock), e);
    if (ret >= 0)
        ret = repo_trace_bind(db, b->q->profile, b->launch->launch, b->offer->sha256, clock_now(b->farm->clock), e);
    free(name);
    *out = BOUND;
    return ret < 0 ? -1 : 0;
}

static int bind_launch(struct farm *farm, struct db *db, const struct binding_request *q, const struct offer *o,
                       const struct sampled_launch *l, enum verdict *out, struct err *e)
{
    const struct binding b = {farm, q, o, l};

    if (strcmp(l->bound_to, o->sha256) == 0) {
        *out = ALREADY;
        return 0;
    }
    /* Otherwise results of two recordings of one launch would mix in a run. */
    if (l->bound_to[0])
        return err_set(e, ERR_CONFLICT, "launch %" PRIu64 " is bound to another trace already", l->launch);
    /* Compares the client's data first, which may avoid reading the blob. */
    if (o->name && o->has_shape && compare(l, o->name, o->grid, o->block, e) < 0)
        return -1;
    return check_and_bind(&b, db, out, e);
}

static int bind_one(struct farm *farm, struct db *db, const struct binding_request *q, const struct offer *o,
                    enum verdict *out, struct err *e)
{
    struct sampled_launch l;
    int ret = repo_trace_launch(db, q->plan, o->context, o->order, &l, e);

    if (ret <= 0) {
        *out = NOT_SAMPLED;
        return ret;
    }
    ret = bind_launch(farm, db, q, o, &l, out, e);
    sampled_launch_release(&l);
    return ret;
}

/* --- Waiting jobs --- */

struct admission {
    struct farm *farm;
    const char *run;
    struct job_range of;
    int64_t admitted;
};

static int admit(struct db *db, void *ctx, struct err *e)
{
    struct admission *a = ctx;
    wall_us now = clock_now(a->farm->clock);
    char ids[UUID_TEXT + 4];

    if (repo_job_bind_traces(db, a->run, &a->of, e) < 0 ||
        repo_job_admit(db, a->run, &a->of, now, &a->admitted, e) < 0)
        return -1;
    if (a->admitted == 0)
        return 0;
    snprintf(ids, sizeof ids, "{%s}", a->run);
    if (repo_run_touch(db, ids, e) < 0)
        return -1;
    return repo_event_emit(db, a->run, now, "info", EVENT(traces_came, .jobs = a->admitted), e);
}

/* Readies the jobs of a large run some thousand at a time. */
static int admit_run(struct farm *farm, struct db *db, const char *run, struct err *e)
{
    int64_t last;
    int ret = repo_job_last_seq(db, run, &last, e);

    for (int64_t first = 0; ret == 0 && first <= last; first += JOBS_AT_ONCE) {
        struct admission a = {farm, run, {first, first + JOBS_AT_ONCE - 1}, 0};

        ret = db_transaction(db, admit, &a, e);
    }
    return ret;
}

struct open_runs {
    const char *profile;
    struct db_rows rows;
    bool filled;
};

/* Takes the admission lock, so runs that were being created when the bindings were written are complete. Each
 * run has read the bindings, or is in this list. */
static int list_runs(struct db *db, void *ctx, struct err *e)
{
    struct open_runs *r = ctx;

    if (r->filled)
        db_rows_release(&r->rows);
    r->filled = false;
    if (repo_job_admission_lock(db, e) < 0 || repo_run_open_of_profile(db, r->profile, &r->rows, e) < 0)
        return -1;
    r->filled = true;
    return 0;
}

static int admit_runs(struct farm *farm, struct db *db, const char *profile, struct err *e)
{
    struct open_runs r = {.profile = profile};
    int ret = db_transaction(db, list_runs, &r, e);

    for (int i = 0; ret == 0 && i < r.rows.count; i++)
        ret = admit_run(farm, db, db_get(&r.rows, i, 0), e);
    if (r.filled)
        db_rows_release(&r.rows);
    dispatcher_wake(farm->dispatcher);
    return ret;
}

/* --- All traces of a request --- */

static int refuse(json_t *refused, const struct offer *o, const struct err *why, struct err *e)
{
    struct json_obj v = json_obj_begin();

    json_put_u64(&v, "context", o->context);
    json_put_u64(&v, "order", o->order);
    json_put_str(&v, "sha256", o->sha256);
    json_put_str(&v, "detail", why->text);
    return json_push(refused, json_obj_end(&v)) < 0 ? err_no_memory(e) : 0;
}

/* An error of one trace refuses that trace. A server error ends the call. */
static bool is_refusal(const struct err *e)
{
    switch (e->code) {
    case ERR_INVALID:
    case ERR_MALFORMED:
    case ERR_NOT_FOUND:
    case ERR_CONFLICT:
    case ERR_UNSUPPORTED:
    case ERR_TOO_LARGE: return true;
    default: return false;
    }
}

static int bind_all(struct farm *farm, struct db *db, const struct binding_request *q, uint64_t counts[REFUSED + 1],
                    json_t *refused, struct err *e)
{
    for (size_t i = 0; i < json_array_size(q->traces); i++) {
        enum verdict v = REFUSED;
        struct offer o;

        if (read_offer(json_array_get(q->traces, i), &o, e) < 0)
            return err_wrap(e, "traces[%zu]", i);
        if (bind_one(farm, db, q, &o, &v, e) < 0) {
            if (!is_refusal(e))
                return -1;
            v = REFUSED;
            if (refuse(refused, &o, e, e) < 0)
                return -1;
        }
        counts[v]++;
    }
    return 0;
}

int trace_binding_run(struct farm *farm, struct db *db, const struct binding_request *q, json_t **answer,
                      struct err *e)
{
    uint64_t counts[REFUSED + 1] = {0};
    struct json_obj o = json_obj_begin();
    json_t *refused = json_array();
    int64_t samples, missing = 0;

    /* Traces that were bound before an error stay bound, so their jobs become ready now. */
    int ret = bind_all(farm, db, q, counts, refused, e);
    struct err later;

    if (counts[BOUND] + counts[ALREADY] > 0 && admit_runs(farm, db, q->profile, ret < 0 ? &later : e) < 0)
        ret = -1;
    if (ret == 0)
        ret = repo_trace_missing(db, q->plan, &samples, &missing, e);
    if (ret < 0) {
        json_decref(refused);
        json_decref(o.object);
        return -1;
    }
    json_put_u64(&o, "bound", counts[BOUND]);
    json_put_u64(&o, "already", counts[ALREADY]);
    json_put_u64(&o, "not_sampled", counts[NOT_SAMPLED]);
    json_put_u64(&o, "missing", (uint64_t)missing);
    json_put(&o, "refused", refused);
    *answer = json_obj_end(&o);
    return *answer ? 0 : err_no_memory(e);
}
