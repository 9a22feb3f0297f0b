/* server/api/handlers/histogram.c: GET /profiles/{profile}/histogram: the distribution of the launches of a
 * kernel or of a plan's strata, in bins of equal width, and the sampled launches. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/text.h"
#include "server/store/repo/repo_plan.h"
#include "server/api/handlers/handlers.h"
#include "server/api/handlers/profiles.h"
#include "server/domain/import/profile_store.h"
#include "server/domain/plan/plan_cache.h"
#include "wire/json_writer.h"

#define BINS      120
#define BINS_MAX  1000
#define DRAWN_MAX 400 /* sampled values in one answer, over all groups */

struct histogram {
    size_t bins;
    bool logarithmic;
    double low, high; /* of the values in the answer */
    double from, to;  /* the window that the bins cover */
    size_t groups;    /* strata of a plan, or one */
    uint64_t *counts; /* groups x bins */
    uint64_t *n;      /* launches of each group */
    double *sum;
    uint32_t *group_of;      /* kernel -> group; UINT32_MAX: not shown */
    const struct plan *plan; /* NULL: one group */
};

static void histogram_release(struct histogram *h)
{
    free(h->counts);
    free(h->n);
    free(h->sum);
    free(h->group_of);
}

/* The group that contains a stratum. UINT32_MAX: the stratum is not shown. */
static uint32_t group_of_stratum(const struct histogram *h, const struct profile *p, size_t stratum)
{
    uint32_t k = h->plan->strata[stratum].kernel;

    return k < p->kernel_count ? h->group_of[k] : UINT32_MAX;
}

/* A kernel in which no stratum begins is part of a stratum of mixed shapes. If there are several of those, its
 * stratum is unknown. */
static void assign_others(struct histogram *h, const struct profile *p, uint64_t only)
{
    uint32_t home = UINT32_MAX;
    size_t mixed = 0;

    for (size_t s = 0; s < h->plan->stratum_count; s++)
        if (h->plan->strata[s].mixed_shapes) {
            mixed++;
            home = group_of_stratum(h, p, s);
        }
    if (mixed != 1)
        home = UINT32_MAX;
    for (size_t k = 0; k < p->kernel_count; k++)
        if ((only == UINT64_MAX || k == only) && h->group_of[k] == UINT32_MAX) {
            if (home == UINT32_MAX)
                home = (uint32_t)h->groups++;
            h->group_of[k] = home;
        }
}

/* With a plan, strata that begin in the same kernel form one group. A plan has the number of launches of a
 * stratum and its sampled launches, but not the list of all its launches. `only`: one kernel, or UINT64_MAX. */
static int assign_groups(struct histogram *h, const struct profile *p, uint64_t only, struct err *e)
{
    const struct plan *plan = h->plan;

    h->group_of = mem_zalloc(p->kernel_count, sizeof *h->group_of, e);
    if (!h->group_of)
        return -1;
    for (size_t k = 0; k < p->kernel_count; k++)
        h->group_of[k] = plan || (only != UINT64_MAX && k != only) ? UINT32_MAX : 0;
    h->groups = plan ? 0 : 1;
    for (size_t s = 0; plan && s < plan->stratum_count; s++) {
        uint32_t k = plan->strata[s].kernel;

        if (k < p->kernel_count && (only == UINT64_MAX || k == only) && h->group_of[k] == UINT32_MAX)
            h->group_of[k] = (uint32_t)h->groups++;
    }
    if (plan)
        assign_others(h, p, only);
    return 0;
}

static int allocate(struct histogram *h, struct err *e)
{
    size_t groups = h->groups ? h->groups : 1;

    h->counts = mem_zalloc(groups * h->bins, sizeof *h->counts, e);
    h->n = mem_zalloc(groups, sizeof *h->n, e);
    h->sum = mem_zalloc(groups, sizeof *h->sum, e);
    return h->counts && h->n && h->sum ? 0 : -1;
}

/* Zero values are left out: those launches take no time, and zero has no logarithm. */
static bool is_shown(const struct histogram *h, const struct profile *p, size_t i)
{
    return p->value[i] > 0 && h->group_of[p->kernel[i]] != UINT32_MAX;
}

/* From the shortest to the longest value shown. When all are equal, the window extends a little on both sides. */
static void find_ends(struct histogram *h, const struct profile *p)
{
    h->low = INFINITY;
    for (size_t i = 0; i < p->count; i++)
        if (is_shown(h, p, i)) {
            h->low = fmin(h->low, (double)p->value[i]);
            h->high = fmax(h->high, (double)p->value[i]);
        }
    if (!(h->high > 0))
        h->low = h->high = 1;
    if (h->low == h->high) {
        h->low *= 0.5;
        h->high *= 2;
    }
}

static double edge(const struct histogram *h, size_t bin)
{
    double at = (double)bin / (double)h->bins;

    return h->logarithmic ? h->from * pow(h->to / h->from, at) : h->from + (h->to - h->from) * at;
}

static void fill(struct histogram *h, const struct profile *p)
{
    double base = h->logarithmic ? log(h->from) : h->from;
    double width = (h->logarithmic ? log(h->to) : h->to) - base;

    for (size_t i = 0; i < p->count; i++)
        if (is_shown(h, p, i)) {
            double x = (double)p->value[i];
            size_t g = h->group_of[p->kernel[i]];

            h->n[g]++;
            h->sum[g] += x;
            if (x >= h->from && x <= h->to) {
                size_t bin = (size_t)(((h->logarithmic ? log(x) : x) - base) / width * (double)h->bins);

                h->counts[g * h->bins + (bin < h->bins ? bin : h->bins - 1)]++;
            }
        }
}

/* "id" is the first stratum of the group, "ids" are all of them, "m" is the number of samples in them. For
 * launches whose stratum is unknown, the id is one that no stratum has. */
static void write_members(struct jw *w, const struct histogram *h, const struct profile *p, size_t group)
{
    uint64_t drawn = 0;
    bool first = true;

    for (size_t s = 0; h->plan && s < h->plan->stratum_count; s++)
        if (group_of_stratum(h, p, s) == group) {
            drawn += h->plan->strata[s].samples;
            if (first)
                jw_key_u64(w, "id", s);
            first = false;
        }
    if (first)
        jw_key_u64(w, "id", h->plan ? h->plan->stratum_count : 0);
    jw_key(w, "ids");
    jw_array_inline(w);
    for (size_t s = 0; h->plan && s < h->plan->stratum_count; s++)
        if (group_of_stratum(h, p, s) == group)
            jw_u64(w, s);
    jw_end(w, ']');
    if (!first)
        jw_key_u64(w, "m", drawn);
    else
        jw_key_null(w, "m");
}

/* The sampled values of the group, thinned evenly when there are too many for a chart. */
static void write_drawn(struct jw *w, const struct histogram *h, const struct profile *p, size_t group)
{
    size_t shown = 0, every, at = 0;

    for (size_t i = 0; h->plan && i < h->plan->sample_count; i++)
        shown += group_of_stratum(h, p, h->plan->samples[i].stratum) != UINT32_MAX;
    every = shown / DRAWN_MAX + 1;
    jw_key(w, "drawn");
    jw_array_inline(w);
    for (size_t i = 0; h->plan && i < h->plan->sample_count; i++)
        if (group_of_stratum(h, p, h->plan->samples[i].stratum) == group && at++ % every == 0)
            jw_u64(w, h->plan->samples[i].value);
    jw_end(w, ']');
}

static void write_groups(struct jw *w, const struct histogram *h, const struct profile *p)
{
    for (size_t g = 0; g < h->groups; g++) {
        jw_object(w);
        write_members(w, h, p, g);
        jw_key_u64(w, "n", h->n[g]);
        jw_key_double(w, "mean", h->n[g] ? h->sum[g] / (double)h->n[g] : NAN);
        jw_key(w, "counts");
        jw_array_inline(w);
        for (size_t b = 0; b < h->bins; b++)
            jw_u64(w, h->counts[g * h->bins + b]);
        jw_end(w, ']');
        write_drawn(w, h, p, g);
        jw_end(w, '}');
    }
}

static int write_histogram(const struct histogram *h, const struct profile *p, struct reply *rep, struct err *e)
{
    uint64_t shown = 0;
    struct jw w;

    for (size_t g = 0; g < h->groups; g++)
        shown += h->n[g];
    jw_init(&w, NULL, NULL, e);
    jw_object(&w);
    jw_key_text(&w, "unit", profile_unit_name(p->unit));
    jw_key_text(&w, "scale", h->logarithmic ? "log" : "linear");
    jw_key_u64(&w, "launches", shown);
    jw_key_double(&w, "low", h->low);
    jw_key_double(&w, "high", h->high);
    jw_key(&w, "edges");
    jw_array_inline(&w);
    for (size_t b = 0; b <= h->bins; b++)
        jw_double(&w, edge(h, b));
    jw_end(&w, ']');
    jw_key(&w, "strata");
    jw_array(&w);
    write_groups(&w, h, p);
    jw_end(&w, ']');
    jw_end(&w, '}');
    return reply_written(rep, 200, &w, e);
}

struct histogram_ask {
    uint64_t kernel;  /* UINT64_MAX: all */
    uint64_t stratum; /* UINT64_MAX: all; otherwise the answer shows its kernel */
    const char *plan;
    uint64_t bins;
    bool logarithmic;
    double from, to; /* NaN: from the shortest value, to the longest value */
};

static int read_end(const struct request *req, const char *name, double *out, struct err *e)
{
    const char *text = request_query(req, name);

    *out = NAN;
    if (!text || parse_double(text, name, out, e) == 0)
        return 0;
    e->code = ERR_INVALID;
    return -1;
}

static int read_ask(const struct request *req, struct histogram_ask *a, struct err *e)
{
    const char *scale = request_query(req, "scale");

    a->plan = request_query(req, "plan");
    a->logarithmic = !scale || strcmp(scale, "log") == 0;
    if (scale && !a->logarithmic && strcmp(scale, "linear") != 0)
        return err_set(e, ERR_INVALID, "`scale` must be log or linear");
    if (read_kernel(req, &a->kernel, e) < 0 || read_end(req, "from", &a->from, e) < 0 ||
        read_end(req, "to", &a->to, e) < 0 ||
        request_query_u64(req, "stratum", 0, UINT32_MAX, UINT64_MAX, &a->stratum, e) < 0)
        return -1;
    if (a->stratum != UINT64_MAX && !a->plan)
        return err_set(e, ERR_INVALID, "`stratum` needs `plan`, which is missing");
    return request_query_u64(req, "bins", 1, BINS_MAX, BINS, &a->bins, e);
}

static int set_window(struct histogram *h, const struct histogram_ask *a, struct err *e)
{
    h->from = isnan(a->from) ? h->low : a->from;
    h->to = isnan(a->to) ? h->high : a->to;
    if (!(h->from < h->to) || (h->logarithmic && h->from <= 0))
        return err_set(e, ERR_INVALID, "`from` must be below `to`%s", h->logarithmic ? ", and above 0" : "");
    return 0;
}

static int load_plan(struct db *db, const struct request *req, const char *id, struct plan *plan, struct err *e)
{
    char profile[UUID_TEXT];
    int found = uuid_valid(id) ? repo_plan_profile(db, id, req->credential.team_id, profile, e) : 0;

    if (found < 0)
        return -1;
    if (!found || strcmp(profile, req->param[0]) != 0)
        return err_set(e, ERR_NOT_FOUND, "this profile has no plan with this id");
    return plan_cache_load(db, id, plan, e);
}

static int make(struct histogram *h, const struct profile *p, struct histogram_ask *ask, struct err *e)
{
    if (h->plan && ask->stratum != UINT64_MAX) {
        if (ask->stratum >= h->plan->stratum_count)
            return err_set(e, ERR_NOT_FOUND, "this plan has strata 0 to %zu", h->plan->stratum_count - 1);
        ask->kernel = h->plan->strata[ask->stratum].kernel;
    }
    h->bins = ask->bins;
    h->logarithmic = ask->logarithmic;
    if (need_kernel(ask->kernel, p->kernel_count, e) < 0 || assign_groups(h, p, ask->kernel, e) < 0 ||
        allocate(h, e) < 0)
        return -1;
    find_ends(h, p);
    if (set_window(h, ask, e) < 0)
        return -1;
    fill(h, p);
    return 0;
}

/* GET /profiles/{profile}/histogram?kernel&plan&stratum&bins&scale&from&to */
int profile_histogram_get(struct app *app, struct db *db, const struct request *req, struct reply *rep,
                          struct err *e)
{
    struct histogram_ask ask = {0};
    struct histogram h = {0};
    struct profile profile;
    struct plan plan;
    int ret = -1;

    (void)app;
    profile_init(&profile);
    plan_init(&plan);
    h.plan = request_query(req, "plan") ? &plan : NULL;
    if (read_ask(req, &ask, e) < 0 || need_profile(db, req, e) < 0 ||
        profile_load(db, req->param[0], &profile, e) < 0 ||
        (h.plan && load_plan(db, req, ask.plan, &plan, e) < 0) || make(&h, &profile, &ask, e) < 0)
        goto out;
    ret = write_histogram(&h, &profile, rep, e);
out:
    histogram_release(&h);
    plan_release(&plan);
    profile_release(&profile);
    return ret;
}
