/* Cuts sampled launches out of their profiles' trace files, in rounds. */
#include "server/domain/tasks/trace_pack.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/log.h"
#include "base/text.h"
#include "server/store/repo/repo_event.h"
#include "server/store/repo/repo_pack.h"
#include "server/store/repo/repo_task.h"
#include "server/store/repo/repo_run.h"
#include "server/store/threads/executor.h"
#include "server/domain/tasks/cache_checks.h"
#include "server/domain/plan/design_store.h"
#include "server/domain/tasks/pack_places.h"
#include "server/domain/tasks/pack_reader.h"
#include "server/domain/tasks/pack_waits.h"
#include "server/domain/tasks/trace_binding.h"
#include "server/store/blob/blob_store.h"
#include "wire/json.h"

#define WHY_SHOWN 300 /* bytes of an error message in an event */
#define BATCH     64  /* launches between two updates of jobs: some tenths of a second */

/* --- Cutting --- */

struct cutting {
    struct farm *farm;
    struct db *db;
    char path[PATH_MAX]; /* of the profile's file */
    struct pack_table file;
    struct pack_places where;
    int64_t team;
    size_t refused; /* launches of the file that do not match the profile */
    uint64_t bytes; /* size of the launch that was cut last */
    bool storing;   /* an error occurred while a launch was stored, not while it was read */
};

/* Launches that are cut in one go. */
struct batch {
    uint64_t context[BATCH], order[BATCH];
    size_t launch[BATCH]; /* indices in the file */
    size_t count;
};

/* Launches that were not recorded are left out; a user must push their traces. */
static struct batch find_batch(const struct cutting *c, const struct db_rows *missing, int first)
{
    struct batch b = {.count = 0};

    for (int i = first; i < missing->count && i < first + BATCH; i++) {
        uint64_t context = db_get_u64(missing, i, 0), order = db_get_u64(missing, i, 1);
        int64_t launch = pack_find(&c->where, context, order);

        if (launch < 0)
            continue;
        b.context[b.count] = context;
        b.order[b.count] = order;
        b.launch[b.count++] = (size_t)launch;
    }
    return b;
}

static int store(struct cutting *c, const struct pack_pieces *pieces, size_t i, char sha256[SHA256_HEX],
                 struct err *e)
{
    char path[PATH_MAX];
    struct stat st;

    if (pack_take(c->farm, pieces, i, path, sha256, e) < 0)
        return -1;
    c->bytes = stat(path, &st) == 0 ? (uint64_t)st.st_size : 0;
    c->storing = pack_publish(c->farm, c->db, path, sha256, c->team, e) < 0;
    return c->storing ? -1 : 0;
}

static int offer(struct cutting *c, const struct pack_pieces *pieces, const struct batch *b, size_t i,
                 json_t *traces, struct err *e)
{
    struct json_obj o;
    char sha256[SHA256_HEX];

    if (store(c, pieces, i, sha256, e) < 0)
        return -1;
    o = json_obj_begin();
    json_put_str(&o, "sha256", sha256);
    json_put_u64(&o, "context", b->context[i]);
    json_put_u64(&o, "order", b->order[i]);
    return json_push(traces, json_obj_end(&o)) < 0 ? err_no_memory(e) : 0;
}

/* Cuts and stores. After an error, `traces` has the launches before it. */
static int offer_batch(struct cutting *c, const struct batch *b, json_t *traces, struct err *e)
{
    struct pack_pieces pieces;
    struct err other;
    int ret = pack_cut(c->farm, c->path, b->launch, b->count, &pieces, e);

    for (size_t i = 0; i < pieces.count; i++)
        if (offer(c, &pieces, b, i, traces, &other) < 0) {
            *e = other;
            ret = -1;
            break;
        }
    pack_pieces_release(&pieces);
    return ret;
}

static int bind_batch(struct cutting *c, const struct pack_plan *p, const struct batch *b, struct err *e)
{
    json_t *traces = json_array(), *answer = NULL;
    struct binding_request q = {.plan = p->plan, .profile = p->profile, .team = p->team, .traces = traces};
    int ret = traces ? offer_batch(c, b, traces, e) : err_no_memory(e);
    struct err behind;

    if (json_array_size(traces) > 0 && trace_binding_run(c->farm, c->db, &q, &answer, ret < 0 ? &behind : e) < 0)
        ret = -1;
    c->refused += json_array_size(json_object_get(answer, "refused"));
    json_decref(answer);
    json_decref(traces);
    return ret;
}

static int cut_missing(struct cutting *c, const struct pack_plan *p, const struct db_rows *missing, struct err *e)
{
    bool copied = false;
    int ret = blob_fetch(c->farm->store.blobs, p->sha256, c->path, &copied, e);

    if (ret == 0)
        ret = pack_read(c->farm, c->path, "the profile's traces", &c->file, e);
    if (ret == 0)
        c->where = pack_places_of(&c->file, p->launches);
    for (int i = 0; ret == 0 && i < missing->count && !atomic_load(&c->farm->stopping); i += BATCH) {
        const struct batch b = find_batch(c, missing, i);

        ret = b.count > 0 ? bind_batch(c, p, &b, e) : 0;
    }
    if (ret == 0)
        ret = c->refused > 0 ? err_set(e, ERR_INVALID, "%zu of its launches were refused", c->refused)
                             : repo_pack_count(c->db, p->profile, p->sha256, c->file.count, e);
    pack_table_release(&c->file);
    if (copied)
        unlink(c->path);
    return ret;
}

/* Also releases the runs. */
static int warn_runs(const struct cutting *c, struct db_rows *runs, struct event ev, struct err *e)
{
    int ret = 0;

    for (int i = 0; ret == 0 && i < runs->count; i++)
        ret = repo_event_emit(c->db, db_get(runs, i, 0), clock_now(c->farm->clock), "warning", ev, e);
    db_rows_release(runs);
    return ret;
}

/* The beginning of an error message, for events. */
static const char *start_of(const char *why, char out[WHY_SHOWN + 1])
{
    snprintf(out, WHY_SHOWN + 1, "%.*s", (int)utf8_cut(why, WHY_SHOWN), why);
    return out;
}

/* Waiting runs report, once, that traces must be pushed after all. */
static int give_up(const struct cutting *c, const struct pack_plan *p, const char *why, struct err *e)
{
    char start[WHY_SHOWN + 1];
    struct db_rows runs;
    int ret = repo_pack_uncount(c->db, p->profile, p->sha256, e);

    if (ret <= 0)
        return ret;
    if (repo_run_open_of_profile(c->db, p->profile, &runs, e) < 0)
        return -1;
    return warn_runs(c, &runs, EVENT(traces_unusable, .why = start_of(why, start)), e);
}

/* The team's quota or the disk is exhausted. A launch may also be larger than the team's whole quota. */
static bool no_room(const struct cutting *c, const struct err *e)
{
    return e->code == ERR_NO_SPACE || (c->storing && e->code == ERR_TOO_LARGE);
}

static void log_not_cut(const struct pack_plan *p, const struct err *why)
{
    log_warn("traces", "traces of single launches could not be taken from a profile's file", "plan=%s error=%s",
             p->plan, log_quote(why->text, (char[600]){0}, 600));
}

/* Stores the size that did not fit, and the number of traces that the plan still lacks. */
static int remember(const struct cutting *c, const struct pack_plan *p, struct err *e)
{
    struct db_rows missing;

    if (!c->storing || c->bytes == 0)
        return 0;
    if (repo_pack_missing(c->db, p->plan, &missing, e) < 0)
        return -1;
    pack_waits_note(c->farm->pack_waits, p->plan, missing.count, c->bytes);
    db_rows_release(&missing);
    return 0;
}

/* There may be room later, so nothing is given up. The waiting runs and the log report the reason once. */
static int say_no_room(const struct cutting *c, const struct pack_plan *p, const struct err *why, struct err *e)
{
    char start[WHY_SHOWN + 1];
    struct db_rows runs;

    if (remember(c, p, e) < 0 || repo_pack_without(c->db, p->plan, EVENT_traces_no_room, &runs, e) < 0)
        return -1;
    if (runs.count > 0)
        log_not_cut(p, why);
    return warn_runs(
        c, &runs, EVENT(traces_no_room, .why = start_of(why->text, start), .hint = why->hint[0] ? why->hint : NULL),
        e);
}

static int serve_plan(struct farm *farm, struct db *db, const struct pack_plan *p, struct err *e)
{
    struct cutting c = {.farm = farm, .db = db, .team = p->team};
    struct db_rows missing;
    int ret;

    if (repo_pack_missing(db, p->plan, &missing, e) < 0)
        return -1;
    ret = missing.count ? pack_waits_check(farm, db, p, missing.count, e) : 0;
    if (ret < 0)
        c.storing = true; /* the stored error occurred while storing */
    else if (missing.count)
        ret = cut_missing(&c, p, &missing, e);
    if (ret < 0 && no_room(&c, e)) {
        const struct err why = *e;

        ret = say_no_room(&c, p, &why, e);
    } else if (ret < 0 && pack_error_lasts(e)) {
        const struct err why = *e;

        log_not_cut(p, &why);
        ret = give_up(&c, p, why.text, e);
    }
    db_rows_release(&missing);
    return ret;
}

int trace_pack_serve(struct farm *farm, struct db *db, struct err *e)
{
    struct db_rows plans;
    int ret = 0;

    if (repo_pack_plans(db, &plans, e) < 0)
        return -1;
    /* An error of one plan, for example a disk read error, does not stop the others. */
    for (int i = 0; i < plans.count && !atomic_load(&farm->stopping); i++) {
        struct pack_plan p = {.launches = 0};
        struct err why;

        pack_plan_read(&plans, i, &p);
        if (serve_plan(farm, db, &p, &why) == 0)
            continue;
        if (ret == 0)
            *e = why;
        ret = -1;
        if (why.code == ERR_DATABASE || why.code == ERR_NO_MEMORY)
            break;
    }
    db_rows_release(&plans);
    return ret;
}

/* --- The task --- */

static const char recorded_by_another[] =
    "the farm's simulator version has changed since this result: run the plan again";

/* One round at a time: two would cut the same traces and report twice to waiting runs. */
enum { PACKS_IDLE, PACKS_WANTED, PACKS_SERVED };

static void serve_round(struct farm *farm, struct db *db)
{
    struct err e;

    if (trace_pack_serve(farm, db, &e) < 0)
        log_warn("traces", "traces of single launches could not be taken from a profile's file", "error=%s",
                 log_quote(e.text, (char[600]){0}, 600));
    if (farm->pilots_serve(farm, db, &e) < 0)
        log_warn("pilot", "a step of the pilots failed; the server tries again", "error=%s",
                 log_quote(e.text, (char[600]){0}, 600));
    if (cache_checks_serve(farm, db, &e) < 0)
        log_warn("caches", "launches for the cache check could not be chosen", "error=%s",
                 log_quote(e.text, (char[600]){0}, 600));
    if (repo_task_give_up(db, TASK_RECORDING, design_store_simulator(farm->designs), recorded_by_another,
                          clock_now(farm->clock), NULL, &e) < 0)
        log_warn("recordings", "orphaned recordings could not be ended", "error=%s",
                 log_quote(e.text, (char[600]){0}, 600));
}

/* A kick during a round may come too late for that round, so another round follows. */
static void serve_task(struct db *db, void *ctx)
{
    struct farm *farm = ctx;
    int round;

    do {
        atomic_store(&farm->packs, PACKS_SERVED);
        serve_round(farm, db);
        round = PACKS_SERVED;
    } while (!atomic_load(&farm->stopping) && !atomic_compare_exchange_strong(&farm->packs, &round, PACKS_IDLE));
}

void trace_pack_kick(struct farm *farm)
{
    struct err e;

    if (atomic_exchange(&farm->packs, PACKS_WANTED) == PACKS_IDLE &&
        executor_submit(farm->cpu_executor, serve_task, farm, &e) < 0)
        atomic_store(&farm->packs, PACKS_IDLE); /* the watch thread kicks again later */
}
