/* server/handlers/profiles.c: where the time goes, and how mixed each kernel is. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/text.h"
#include "server/http/cursor.h"
#include "server/db/repo_plan.h"
#include "server/db/repo_profile.h"
#include "server/handlers/handlers.h"
#include "server/import/profile_store.h"
#include "wire/json_writer.h"

#define PAGE      100
#define PAGE_MOST 1000
#define BINS      120
#define BINS_MOST 1000

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

static int need_profile(struct db *db, const struct request *req, struct err *e)
{
    int found = uuid_valid(req->param[0]) ? repo_profile_of_team(db, req->param[0], req->credential.team_id, e) : 0;

    return found < 0 ? -1 : found ? 0 : no_profile(e);
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

    if (request_query_u64(req, "limit", 1, PAGE_MOST, PAGE, &limit, e) < 0 || need_profile(db, req, e) < 0 ||
        (after && cursor_read(app, "kernels", after, &c, e) < 0) ||
        repo_profile_kernels_json(db, req->param[0], c.text[0], c.text[1], limit + 1, &r, e) < 0)
        return -1;
    shown = (uint64_t)r.count > limit ? (int)limit : r.count;
    strbuf_adds(b, "{\"items\":[");
    for (int i = 0; i < shown; i++) {
        strbuf_adds(b, i ? "," : "");
        strbuf_adds(b, db_get(&r, i, 0));
    }
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

/* --- The histogram --- */

struct histogram {
    size_t bins;
    bool logarithmic;
    double low, high; /* of the values that are shown */
    size_t groups;    /* strata of a plan, or one */
    uint64_t *counts; /* groups x bins */
    uint64_t *n;      /* invocations of a group */
    double *sum;
    uint32_t *group_of; /* kernel -> group; UINT32_MAX: not shown */
    uint64_t *planned;  /* samples of a group, with a plan */
};

static void histogram_release(struct histogram *h)
{
    free(h->counts);
    free(h->n);
    free(h->sum);
    free(h->group_of);
    free(h->planned);
}

/* With a plan, the strata that begin in the same kernel share a colour: a plan says how many invocations a stratum
 * has and which of them were drawn, not which all of them are. */
static int assign_groups(struct histogram *h, const struct profile *p, const struct plan *plan, uint64_t only,
                         struct err *e)
{
    h->group_of = mem_zalloc(p->kernel_count, sizeof *h->group_of, e);
    h->planned = mem_zalloc(plan ? plan->stratum_count + 1 : 1, sizeof *h->planned, e);
    if (!h->group_of || !h->planned)
        return -1;
    for (size_t k = 0; k < p->kernel_count; k++)
        h->group_of[k] = plan || (only != UINT64_MAX && k != only) ? UINT32_MAX : 0;
    h->groups = 1;
    if (!plan)
        return 0;
    h->groups = 0;
    for (size_t s = 0; s < plan->stratum_count; s++) {
        uint32_t k = plan->strata[s].kernel;

        if (k >= p->kernel_count || (only != UINT64_MAX && k != only))
            continue;
        if (h->group_of[k] == UINT32_MAX)
            h->group_of[k] = (uint32_t)h->groups++;
        h->planned[h->group_of[k]] += plan->strata[s].samples;
    }
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

/* Zero values are not drawn: they take no time, and a logarithm has no place for them. */
static bool is_shown(const struct histogram *h, const struct profile *p, size_t i)
{
    return p->value[i] > 0 && h->group_of[p->kernel[i]] != UINT32_MAX;
}

static void fill(struct histogram *h, const struct profile *p)
{
    double low = INFINITY, high = 0, base, width;

    for (size_t i = 0; i < p->count; i++)
        if (is_shown(h, p, i)) {
            low = fmin(low, (double)p->value[i]);
            high = fmax(high, (double)p->value[i]);
        }
    if (!(high > 0))
        low = high = 1;
    if (low == high) {
        low *= 0.5;
        high *= 2;
    }
    h->low = low;
    h->high = high;
    base = h->logarithmic ? log(low) : low;
    width = (h->logarithmic ? log(high) : high) - base;
    for (size_t i = 0; i < p->count; i++)
        if (is_shown(h, p, i)) {
            double x = (double)p->value[i];
            size_t g = h->group_of[p->kernel[i]];
            size_t bin = (size_t)(((h->logarithmic ? log(x) : x) - base) / width * (double)h->bins);

            h->counts[g * h->bins + (bin < h->bins ? bin : h->bins - 1)]++;
            h->n[g]++;
            h->sum[g] += x;
        }
}

static void write_groups(struct jw *w, const struct histogram *h, bool with_plan)
{
    for (size_t g = 0; g < h->groups; g++) {
        jw_object(w);
        jw_key_u64(w, "id", g);
        jw_key_u64(w, "n", h->n[g]);
        if (with_plan)
            jw_key_u64(w, "m", h->planned[g]);
        else
            jw_key_null(w, "m");
        jw_key_double(w, "mean", h->n[g] ? h->sum[g] / (double)h->n[g] : NAN);
        jw_key(w, "counts");
        jw_array_inline(w);
        for (size_t b = 0; b < h->bins; b++)
            jw_u64(w, h->counts[g * h->bins + b]);
        jw_end(w, ']');
        jw_end(w, '}');
    }
}

static int write_histogram(const struct histogram *h, const struct profile *p, bool with_plan, struct reply *rep,
                           struct err *e)
{
    struct jw w;
    int ret;

    jw_init(&w, NULL, NULL, e);
    jw_object(&w);
    jw_key_text(&w, "unit", profile_unit_name(p->unit));
    jw_key(&w, "edges");
    jw_array_inline(&w);
    for (size_t b = 0; b <= h->bins; b++) {
        double at = (double)b / (double)h->bins;

        jw_double(&w, h->logarithmic ? h->low * pow(h->high / h->low, at) : h->low + (h->high - h->low) * at);
    }
    jw_end(&w, ']');
    jw_key(&w, "strata");
    jw_array(&w);
    write_groups(&w, h, with_plan);
    jw_end(&w, ']');
    jw_end(&w, '}');
    ret = jw_finish(&w);
    if (ret == 0)
        strbuf_adds(&rep->body, w.text.text);
    jw_release(&w);
    return ret < 0 ? -1 : reply_body_json(rep, 200, e);
}

struct histogram_ask {
    uint64_t kernel; /* UINT64_MAX: all */
    const char *plan;
    uint64_t bins;
    bool logarithmic;
};

static int read_ask(const struct request *req, struct histogram_ask *a, struct err *e)
{
    const char *kernel = request_query(req, "kernel"), *scale = request_query(req, "scale");

    a->kernel = UINT64_MAX;
    a->plan = request_query(req, "plan");
    a->logarithmic = !scale || strcmp(scale, "log") == 0;
    if (scale && !a->logarithmic && strcmp(scale, "linear") != 0)
        return err_set(e, ERR_INVALID, "`scale` is log or linear");
    if (kernel && strcmp(kernel, "all") != 0 && parse_u64(kernel, "kernel", &a->kernel, e) < 0) {
        e->code = ERR_INVALID;
        return -1;
    }
    return request_query_u64(req, "bins", 1, BINS_MOST, BINS, &a->bins, e);
}

static int load_plan(struct db *db, const struct request *req, const char *id, struct plan *plan, struct err *e)
{
    char profile[UUID_TEXT];
    int found = uuid_valid(id) ? repo_plan_profile(db, id, req->credential.team_id, profile, e) : 0;

    if (found < 0)
        return -1;
    if (!found || strcmp(profile, req->param[0]) != 0)
        return err_set(e, ERR_NOT_FOUND, "this profile has no plan with this id");
    return repo_plan_load(db, id, plan, e);
}

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
    if (read_ask(req, &ask, e) < 0 || need_profile(db, req, e) < 0 ||
        profile_load(db, req->param[0], &profile, e) < 0 ||
        (ask.plan && load_plan(db, req, ask.plan, &plan, e) < 0))
        goto out;
    if (ask.kernel != UINT64_MAX && ask.kernel >= profile.kernel_count) {
        err_set(e, ERR_NOT_FOUND, "this profile has kernels 0 to %zu", profile.kernel_count - 1);
        goto out;
    }
    h.bins = ask.bins;
    h.logarithmic = ask.logarithmic;
    if (assign_groups(&h, &profile, ask.plan ? &plan : NULL, ask.kernel, e) < 0 || allocate(&h, e) < 0)
        goto out;
    fill(&h, &profile);
    ret = write_histogram(&h, &profile, ask.plan != NULL, rep, e);
out:
    histogram_release(&h);
    plan_release(&plan);
    profile_release(&profile);
    return ret;
}
