#include "server/domain/tasks/cache_checks.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "server/domain/queue/dispatcher.h"
#include "server/domain/tasks/cache_counts.h"
#include "server/domain/plan/design_store.h"
#include "server/domain/tasks/pack_places.h"
#include "server/domain/tasks/pack_reader.h"
#include "server/store/blob/blob_store.h"

int cache_checks_want(struct db *db, const char *run, int64_t launches, const char *by, wall_us now, struct err *e)
{
    if (launches == CACHE_CHECK_USUAL)
        return repo_caches_request_usual(db, run, CACHE_LAUNCHES_USUAL, by, now, e);
    return launches > 0 ? repo_caches_request(db, run, launches, by, now, e) : 0;
}

/* Choosing the launches of one run. */
struct checking {
    struct farm *farm;
    struct db *db;
    const struct cache_run *run;
    char path[PATH_MAX]; /* of the file with the profile's traces */
    struct pack_table file;
    struct pack_places where;
    size_t *launches;           /* indices in the file; room for a window and the launch after it */
    struct cache_window window; /* the part of the chosen launches' windows that the file has */
    uint64_t farther;           /* launches that a window of half the width does not contain */
    char why[160];              /* why nothing can be measured; "": it can */
};

/* A sampled launch with a result. */
struct drawn {
    int64_t stratum, launch;
    uint64_t context, order;
    const char *trace; /* SHA-256 of the simulated trace */
    bool checked;      /* measured for an earlier request */
    bool before;       /* measured with half the window, on every design */
};

static struct drawn drawn_at(const struct db_rows *q, int row)
{
    return (struct drawn){.stratum = db_get_i64(q, row, 0),
                          .launch = db_get_i64(q, row, 2),
                          .context = db_get_u64(q, row, 3),
                          .order = db_get_u64(q, row, 4),
                          .trace = db_get(q, row, 5),
                          .checked = db_get_bool(q, row, 6),
                          .before = db_get_bool(q, row, 7)};
}

static bool first_window(const struct checking *c)
{
    return c->run->looks_back <= CACHE_ERROR_BEFORE;
}

/* --- One launch --- */

/* The part of a launch and its window that the file has. */
struct found {
    size_t n;         /* launches found; 0: the launch itself is missing */
    uint64_t missing; /* launches of the window that are missing */
    uint64_t farther; /* launches among the n that a window of half the width does not contain */
};

/* Writes the launches of the window that the file has into c->launches, then the launch itself. */
static struct found find_with_before(const struct checking *c, const struct drawn *d)
{
    uint64_t back = c->run->looks_back, first = d->order < back ? 0 : d->order - back;
    uint64_t half = d->order < back / 2 ? 0 : d->order - back / 2;
    struct found f = {0};

    if (pack_find(&c->where, d->context, d->order) < 0)
        return f;
    for (uint64_t order = first; order <= d->order; order++) {
        int64_t at = pack_find(&c->where, d->context, order);

        if (at >= 0)
            c->launches[f.n++] = (size_t)at;
        f.missing += at < 0;
        f.farther += at >= 0 && order < half;
    }
    return f;
}

/* Adds the launch's window to the totals. */
static void look_back(struct checking *c, const struct drawn *d)
{
    struct found f = find_with_before(c, d);

    if (f.n == 0)
        return;
    c->window.wanted += f.n - 1 + f.missing;
    c->window.missing += f.missing;
    c->farther += f.farther;
}

/* Whether the file's trace of the launch is the simulated one. With another recording, a difference would not
 * come from the caches alone. */
static int same_recording(const struct checking *c, size_t launch, const char *sha256, struct err *e)
{
    char path[PATH_MAX], own[SHA256_HEX];
    struct pack_pieces pieces;
    int ret = pack_cut(c->farm, c->path, &launch, 1, &pieces, e);

    if (ret == 0)
        ret = pack_take(c->farm, &pieces, 0, path, own, e);
    pack_pieces_release(&pieces);
    if (ret < 0)
        return -1;
    unlink(path);
    return strcmp(own, sha256) == 0;
}

/* Makes one trace of the n launches in c->launches, and a blob of it. */
static int join_and_store(const struct checking *c, size_t n, char sha256[SHA256_HEX], struct err *e)
{
    char path[PATH_MAX];
    struct pack_pieces pieces;
    int ret = pack_join(c->farm, c->path, c->launches, n, &pieces, e);

    if (ret == 0)
        ret = pack_take(c->farm, &pieces, 0, path, sha256, e);
    pack_pieces_release(&pieces);
    return ret < 0 ? -1 : pack_publish(c->farm, c->db, path, sha256, c->run->team, e);
}

static int put(const struct checking *c, const struct drawn *d, struct cache_launch *l, struct err *e)
{
    l->run = c->run->run;
    l->launch = d->launch;
    l->stratum = d->stratum;
    l->looks_back = c->run->looks_back;
    return repo_caches_put(c->db, l, clock_now(c->farm->clock), e);
}

static int check_launch(const struct checking *c, const struct drawn *d, struct err *e)
{
    char sha256[SHA256_HEX];
    struct found f = find_with_before(c, d);
    struct cache_launch l = {.missing = (int64_t)f.missing};
    int same = 0;

    if (f.n > 0)
        same = same_recording(c, c->launches[f.n - 1], d->trace, e);
    if (same < 0)
        return -1;
    if (f.n == 0)
        l.why = "the profile's own traces do not hold this launch";
    else if (!same)
        l.why = "the profile's own traces have another recording of this launch than the one that was simulated";
    if (l.why)
        return put(c, d, &l, e);
    if (join_and_store(c, f.n, sha256, e) < 0)
        return -1;
    l.trace = sha256;
    l.before = (int64_t)f.n - 1;
    return put(c, d, &l, e);
}

/* --- One run --- */

/* Chooses rows of `candidates` to simulate: *n of them. */
static int choose(const struct checking *c, const struct db_rows *candidates, size_t *chosen, size_t *n,
                  struct err *e)
{
    struct cache_candidate *list = mem_zalloc((size_t)candidates->count + 1, sizeof *list, e);
    struct cache_totals totals;
    int ret;

    if (!list)
        return -1;
    for (int i = 0; i < candidates->count; i++)
        list[i] = (struct cache_candidate){(size_t)db_get_i64(candidates, i, 0), db_get_double(candidates, i, 1)};
    ret = repo_caches_totals(c->db, c->run->run, 0, &totals, e);
    if (ret == 0)
        ret = cache_error_choose(list, (size_t)candidates->count, &totals.strata, (size_t)c->run->launches, chosen,
                                 n, e);
    cache_totals_release(&totals);
    free(list);
    return ret;
}

/* Windows of different width are compared, so they need the same launches. A launch that the previous window
 * could not measure on every design is left out. */
static bool takes_part(const struct checking *c, const struct drawn *d)
{
    return first_window(c) || d->before;
}

/* Computes the totals over all chosen launches. false: nothing is to be simulated. c->why then has the reason,
 * unless a wider window contains no more launches. */
static bool worth_it(struct checking *c, const struct db_rows *candidates, const size_t *chosen, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        struct drawn d = drawn_at(candidates, (int)chosen[i]);

        if (takes_part(c, &d))
            look_back(c, &d);
    }
    if (!first_window(c))
        return c->farther > 0;
    if (cache_window_unknown(&c->window))
        snprintf(c->why, sizeof c->why,
                 "%llu of the %llu launches before the drawn ones are not in the profile's own traces",
                 (unsigned long long)c->window.missing, (unsigned long long)c->window.wanted);
    return !c->why[0];
}

static int check_those(struct checking *c, const struct db_rows *candidates, const size_t *chosen, size_t n,
                       struct err *e)
{
    int ret = 0;

    c->where = pack_places_of(&c->file, c->run->of);
    c->launches = mem_zalloc(c->run->looks_back + 1, sizeof *c->launches, e);
    if (!c->launches)
        return -1;
    if (worth_it(c, candidates, chosen, n))
        for (size_t i = 0; ret == 0 && i < n; i++) {
            struct drawn d = drawn_at(candidates, (int)chosen[i]);

            if (takes_part(c, &d) && !d.checked)
                ret = check_launch(c, &d, e);
        }
    free(c->launches);
    return ret;
}

static int check_chosen(struct checking *c, const struct db_rows *candidates, const size_t *chosen, size_t n,
                        struct err *e)
{
    bool copied = false;
    int ret = blob_fetch(c->farm->store.blobs, c->run->traces, c->path, &copied, e);

    if (ret == 0)
        ret = pack_read(c->farm, c->path, "the profile's traces", &c->file, e);
    if (ret == 0)
        ret = check_those(c, candidates, chosen, n, e);
    pack_table_release(&c->file);
    if (copied)
        unlink(c->path);
    return ret;
}

static const char another_simulator[] = "the farm has another simulator version than the run's results";

static const char *cannot(const struct checking *c)
{
    if (!c->run->traces[0])
        return "the farm has no traces of the launches before the drawn ones: send them with `vivace push "
               "FILE.vtrace --profile PROFILE`";
    if (strcmp(c->run->simulator, design_store_simulator(c->farm->designs)) != 0)
        return another_simulator;
    return NULL;
}

static bool passes(enum err_code code)
{
    return code == ERR_BUSY || code == ERR_DATABASE || code == ERR_IO || code == ERR_NETWORK ||
           code == ERR_NO_MEMORY || code == ERR_UNAVAILABLE;
}

/* --- All runs --- */

/* Serves one run. A temporary error is returned, and the run is tried again. A permanent one is stored and ends
 * the check. */
static int serve_run(struct checking *c, struct err *e)
{
    const char *why_not = cannot(c);
    struct db_rows candidates = {.count = 0};
    size_t chosen[CACHE_ERROR_MAX], n = 0;
    struct err wrong;
    int ret = 0;

    if (!why_not && repo_caches_candidates(c->db, c->run, &candidates, e) < 0)
        return -1;
    if (!why_not)
        ret = choose(c, &candidates, chosen, &n, e);
    if (ret == 0 && !why_not && n == 0) {
        why_not = "no launch of the run began with empty caches and has results on all designs";
        ret = repo_caches_forget(c->db, c->run->run, e);
        if (ret > 0) {
            db_rows_release(&candidates);
            return 0;
        }
    }
    if (ret == 0 && n > 0 && check_chosen(c, &candidates, chosen, n, &wrong) < 0) {
        if (passes(wrong.code))
            ret = err_set(e, wrong.code, "%s", wrong.text);
        why_not = wrong.text;
    }
    if (!why_not && c->why[0])
        why_not = c->why;
    db_rows_release(&candidates);
    return ret < 0 ? -1 : cache_checks_chosen(c->farm, c->db, c->run, why_not, e);
}

/* Gives up checks that no worker can do any more, and evaluates their runs without them. */
static int give_up(struct farm *farm, struct db *db, struct err *e)
{
    struct db_rows runs;
    int ret = 0;

    if (repo_task_give_up(db, TASK_CACHE_CHECK, design_store_simulator(farm->designs), another_simulator,
                          clock_now(farm->clock), &runs, e) < 0)
        return -1;
    for (int i = 0; ret == 0 && i < runs.count; i++)
        ret = cache_checks_end(farm, db, db_get(&runs, i, 0), NULL, e);
    db_rows_release(&runs);
    return ret;
}

/* An error of one run does not stop the runs after it. */
int cache_checks_serve(struct farm *farm, struct db *db, struct err *e)
{
    struct db_rows requests;
    struct err other;
    int ret = 0;

    if (give_up(farm, db, e) < 0 || repo_caches_requests(db, &requests, e) < 0)
        return -1;
    for (int i = 0; i < requests.count && !atomic_load(&farm->stopping); i++) {
        struct cache_run run = {.of = 0};
        struct checking c = {.farm = farm, .db = db, .run = &run};

        cache_run_read(&requests, i, &run);
        if (serve_run(&c, ret < 0 ? &other : e) < 0)
            ret = -1;
    }
    if (requests.count > 0)
        dispatcher_wake(farm->dispatcher);
    db_rows_release(&requests);
    return ret;
}
