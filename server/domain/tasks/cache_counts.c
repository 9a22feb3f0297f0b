#include "server/domain/tasks/cache_counts.h"

#include <math.h>
#include <stdlib.h>

#include "base/array.h"
#include "server/store/repo/repo_event.h"
#include "server/store/repo/repo_run.h"
#include "server/domain/tasks/trace_pack.h"
#include "wire/json.h"

/* The error of each design. NULL: out of memory. */
static json_t *errors_of(const struct db_rows *q)
{
    json_t *list = json_array();

    for (int i = 0; list && i < q->count; i++)
        if (json_push(list, event_part(EVENT(caches_error, .design = db_get(q, i, 0),
                                             .bound = !db_get_bool(q, i, 2), .error = db_get_double(q, i, 1)))) <
            0) {
            json_decref(list);
            return NULL;
        }
    return list;
}

static int write_event(struct farm *farm, struct db *db, const char *run, struct err *e)
{
    struct db_rows q;
    json_t *errors;
    bool any;

    if (repo_caches_errors(db, run, &q, e) < 0)
        return -1;
    any = q.count > 0; /* otherwise another event gives the reason */
    errors = any ? errors_of(&q) : NULL;
    db_rows_release(&q);
    if (!any)
        return 0;
    return errors ? repo_event_emit(db, run, clock_now(farm->clock), "info",
                                    EVENT(caches_measured, .errors = errors), e)
                  : err_no_memory(e);
}

/* The result of one design's finished checks, and the result that was stored before. */
struct weighed {
    struct cache_count now; /* error.launches 0: no result */
    struct cache_known known;
};

static int weigh(struct db *db, const char *run, int64_t design, const struct cache_check_request *request,
                 struct weighed *w, struct err *e)
{
    struct cache_count *out = &w->now;
    struct cache_totals totals;
    struct cache_pairs pairs = {.items = NULL};
    int ret;

    *out = (struct cache_count){.run = run, .design = design};
    if (repo_caches_known(db, run, design, &w->known, e) < 0 || repo_caches_totals(db, run, design, &totals, e) < 0)
        return -1;
    ret = repo_caches_pairs(db, run, design, request->looks_back, &pairs, e);
    if (ret == 0 && totals.version > 0) {
        cache_error_weigh(pairs.items, pairs.n, &totals.strata, &out->error);
        out->window = pairs.window;
        out->version = totals.version;
    }
    free(pairs.items);
    cache_totals_release(&totals);
    return ret;
}

/* The change from the window of half the width to this one, for the same launches; the maximum over all designs.
 * NaN: there is no previous window. */
static double change_of(const struct weighed *list, size_t n)
{
    double change = 0;

    for (size_t i = 0; i < n && !isnan(change); i++) {
        const struct cache_count *c = &list[i].now;
        const struct cache_known *known = &list[i].known;

        change = known->launches == c->error.launches && 2 * known->looks_back == c->window.before
                     ? fmax(change, fabs(c->error.relative - known->relative))
                     : NAN;
    }
    return change;
}

struct counting {
    struct farm *farm;
    const char *run;
    const struct cache_end *end; /* NULL: no check has just ended */
    const struct cache_run *put; /* all checks of its window were just queued; NULL: not */
    const char *why_not;
    /* results: */
    struct cache_check_request request;
    uint64_t open, failed; /* checks of this window */
    bool counted, settled;
    bool widened; /* the next window must be chosen */
};

/* A first window is stored while its checks end, unless a wider one was stored before. A wider window is stored
 * when all of its checks have ended. */
static int show(struct db *db, struct counting *c, struct weighed *list, size_t n, struct err *e)
{
    bool whole = c->request.chosen && c->open == 0;
    double change = change_of(list, n);
    int ret = 0;

    c->counted = n > 0;
    c->settled = true;
    for (size_t i = 0; ret == 0 && i < n; i++) {
        struct cache_window *window = &list[i].now.window;

        window->still = c->request.still;
        cache_window_changed(window, change);
        c->settled = c->settled && cache_window_settled(window);
        if (whole || list[i].known.looks_back <= c->request.looks_back)
            ret = repo_caches_count(db, &list[i].now, clock_now(c->farm->clock), e);
    }
    if (n > 0)
        c->request.still = list[0].now.window.still;
    return ret;
}

static int weigh_all(struct db *db, struct counting *c, struct err *e)
{
    struct weighed *list;
    int64_t designs = 0;
    size_t n = 0;
    int ret = 0;

    if (repo_run_designs(db, c->run, &designs, e) < 0)
        return -1;
    list = mem_zalloc((size_t)designs + 1, sizeof *list, e);
    if (!list)
        return -1;
    for (int64_t d = 0; ret == 0 && d < designs; d++) {
        ret = weigh(db, c->run, d, &c->request, &list[n], e);
        n += list[n].now.error.launches > 0;
    }
    if (ret == 0)
        ret = show(db, c, list, n, e);
    free(list);
    return ret;
}

/* The window is complete: requests a wider one, or writes the final event. */
static int go_on(struct db *db, struct counting *c, struct err *e)
{
    if (c->counted && !c->settled && c->request.looks_back < CACHE_ERROR_WIDEST) {
        c->widened = true;
        return repo_caches_widen(db, c->run, c->request.still, e);
    }
    return c->counted || c->request.looks_back > CACHE_ERROR_BEFORE ? write_event(c->farm, db, c->run, e) : 0;
}

/* Evaluates one ended check at a time, so that the second of two sees both. If some checks of a wider window
 * failed, its launches differ from those of the previous window. Then the previous result remains. */
static int count(struct db *db, void *ctx, struct err *e)
{
    struct counting *c = ctx;
    wall_us now = clock_now(c->farm->clock);
    bool first;

    c->counted = c->settled = c->widened = false;
    if (repo_caches_lock(db, c->run, &c->request, e) < 0)
        return -1;
    if (c->put && (c->request.chosen || c->request.looks_back != c->put->looks_back ||
                   c->request.launches != c->put->launches))
        return 0;
    if ((c->end && repo_caches_end(db, c->end, now, e) < 0) ||
        (c->put && repo_caches_chosen(db, c->run, c->why_not, now, e) < 0) ||
        repo_caches_states(db, c->run, c->request.looks_back, &c->open, &c->failed, e) < 0)
        return -1;
    c->request.chosen = c->request.chosen || c->put;
    first = c->request.looks_back <= CACHE_ERROR_BEFORE;
    if (c->why_not)
        return first ? 0 : write_event(c->farm, db, c->run, e);
    if (!first && (c->open > 0 || !c->request.chosen))
        return 0;
    if ((first || c->failed == 0) && weigh_all(db, c, e) < 0)
        return -1;
    return c->request.chosen && c->open == 0 ? go_on(db, c, e) : 0;
}

static int count_now(struct db *db, struct counting *c, struct err *e)
{
    if (db_transaction(db, count, c, e) < 0)
        return -1;
    if (c->widened)
        trace_pack_kick(c->farm);
    return 0;
}

int cache_checks_end(struct farm *farm, struct db *db, const char *run, const struct cache_end *end, struct err *e)
{
    struct counting c = {.farm = farm, .run = run, .end = end};

    return count_now(db, &c, e);
}

int cache_checks_chosen(struct farm *farm, struct db *db, const struct cache_run *run, const char *why_not,
                        struct err *e)
{
    struct counting c = {.farm = farm, .run = run->run, .put = run, .why_not = why_not};

    return count_now(db, &c, e);
}
