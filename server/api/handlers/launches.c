/* server/api/handlers/launches.c: durations in launch order, and the distribution of durations of each kernel. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/array.h"
#include "server/api/handlers/handlers.h"
#include "server/api/handlers/lists.h"
#include "server/api/handlers/profiles.h"
#include "server/api/http/cursor.h"
#include "server/domain/import/profile_store.h"
#include "wire/json_writer.h"

#define POINTS     1000
#define POINTS_MAX 10000
#define SPARK      40 /* bins of a kernel's distribution, equally wide, from its shortest to its longest launch */
#define TOP        5

/* --- Durations in launch order --- */

/* A range of consecutive launches of the selection. */
struct stretch {
    uint64_t first, last, launches, min, max;
    double sum;
};

static void stretch_write(struct jw *w, const struct stretch *s)
{
    jw_object_inline(w);
    jw_key_u64(w, "first", s->first);
    jw_key_u64(w, "last", s->last);
    jw_key_u64(w, "launches", s->launches);
    jw_key_u64(w, "min", s->min);
    jw_key_double(w, "mean", s->sum / (double)s->launches);
    jw_key_u64(w, "max", s->max);
    jw_end(w, '}');
}

static void stretch_add(struct stretch *s, uint64_t launch, uint64_t value)
{
    if (s->launches == 0)
        *s = (struct stretch){.first = launch, .min = value};
    s->last = launch;
    s->launches++;
    s->sum += (double)value;
    s->min = value < s->min ? value : s->min;
    s->max = value > s->max ? value : s->max;
}

struct series_ask {
    uint64_t kernel, points, from, to;
};

static void write_points(struct jw *w, const struct profile *p, const struct series_ask *a)
{
    uint64_t last = p->count > 0 && a->to >= p->count ? p->count - 1 : a->to, all = 0, each;
    struct stretch s = {0};

#define TAKEN(i) (a->kernel == UINT64_MAX || p->kernel[i] == a->kernel)
    for (uint64_t i = a->from; i < p->count && i <= last; i++)
        all += TAKEN(i);
    each = (all + a->points - 1) / a->points;
    for (uint64_t i = a->from; i < p->count && i <= last; i++) {
        if (!TAKEN(i))
            continue;
        stretch_add(&s, i, p->value[i]);
        if (s.launches == each) {
            stretch_write(w, &s);
            s = (struct stretch){0};
        }
    }
#undef TAKEN
    if (s.launches > 0)
        stretch_write(w, &s);
}

/* GET /profiles/{profile}/series?kernel&points&from&to: from and to are launch numbers */
int profile_series_get(struct app *app, struct db *db, const struct request *req, struct reply *rep, struct err *e)
{
    struct series_ask ask;
    struct profile p;
    struct jw w;
    int ret = -1;

    (void)app;
    profile_init(&p);
    if (read_kernel(req, &ask.kernel, e) < 0 ||
        request_query_u64(req, "points", 1, POINTS_MAX, POINTS, &ask.points, e) < 0 ||
        request_query_u64(req, "from", 0, UINT64_MAX, 0, &ask.from, e) < 0 ||
        request_query_u64(req, "to", 0, UINT64_MAX, UINT64_MAX, &ask.to, e) < 0 || need_profile(db, req, e) < 0 ||
        profile_load(db, req->param[0], &p, e) < 0 || need_kernel(ask.kernel, p.kernel_count, e) < 0)
        goto out;
    jw_init(&w, NULL, NULL, e);
    jw_object(&w);
    jw_key_text(&w, "unit", profile_unit_name(p.unit));
    jw_key_u64(&w, "launches", p.count);
    jw_key(&w, "points");
    jw_array(&w);
    write_points(&w, &p, &ask);
    jw_end(&w, ']');
    jw_end(&w, '}');
    ret = reply_written(rep, 200, &w, e);
out:
    profile_release(&p);
    return ret;
}

/* --- The distribution of each kernel --- */

struct kernel_values {
    uint64_t kernel, *value, count;
    double total;
};

struct spreads {
    uint64_t *values;              /* of all kernels, one kernel after the other, each in ascending order */
    struct kernel_values *kernels; /* sorted by total time, largest first, as in the list of kernels */
    size_t count;
};

static void spreads_release(struct spreads *s)
{
    free(s->values);
    free(s->kernels);
}

static int by_value(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

    return (x > y) - (x < y);
}

static int by_total(const void *a, const void *b)
{
    const struct kernel_values *x = a, *y = b;

    if (x->total != y->total)
        return x->total < y->total ? 1 : -1;
    return (x->kernel > y->kernel) - (x->kernel < y->kernel);
}

static int spreads_make(struct spreads *s, const struct profile *p, struct err *e)
{
    uint64_t at = 0;

    s->count = p->kernel_count;
    s->values = mem_zalloc(p->count ? p->count : 1, sizeof *s->values, e);
    s->kernels = mem_zalloc(s->count ? s->count : 1, sizeof *s->kernels, e);
    if (!s->values || !s->kernels)
        return -1;
    for (size_t i = 0; i < p->count; i++)
        s->kernels[p->kernel[i]].count++;
    for (size_t k = 0; k < s->count; k++) {
        s->kernels[k].kernel = k;
        s->kernels[k].value = s->values + at;
        at += s->kernels[k].count;
        s->kernels[k].count = 0;
    }
    for (size_t i = 0; i < p->count; i++) {
        struct kernel_values *k = &s->kernels[p->kernel[i]];

        k->value[k->count++] = p->value[i];
        k->total += (double)p->value[i];
    }
    for (size_t k = 0; k < s->count; k++)
        array_sort(s->kernels[k].value, s->kernels[k].count, sizeof *s->values, by_value);
    array_sort(s->kernels, s->count, sizeof *s->kernels, by_total);
    return 0;
}

/* Nearest rank: the smallest value that `percent` of the calls do not exceed. */
static uint64_t at_rank(const struct kernel_values *k, uint64_t percent)
{
    return k->value[(k->count * percent + 99) / 100 - 1];
}

static void spread_write(struct jw *w, const struct kernel_values *k)
{
    uint64_t low = k->value[0], high = k->value[k->count - 1], counts[SPARK] = {0};

    for (uint64_t i = 0; i < k->count; i++) {
        double part = high > low ? (double)(k->value[i] - low) / (double)(high - low) : 0.5;
        size_t bin = (size_t)(part * SPARK);

        counts[bin < SPARK ? bin : SPARK - 1]++;
    }
    jw_object(w);
    jw_key_u64(w, "kernel", k->kernel);
    jw_key_u64(w, "p50", at_rank(k, 50));
    jw_key_u64(w, "p99", at_rank(k, 99));
    jw_key(w, "spark");
    jw_array_inline(w);
    for (size_t b = 0; b < SPARK; b++)
        jw_u64(w, counts[b]);
    jw_end(w, ']');
    jw_end(w, '}');
}

/* Mean and sum of squares by Welford's algorithm, as the import computes a kernel's CoV. */
static double coefficient_of_variation(const struct kernel_values *k)
{
    double mean = 0, squares = 0;

    for (uint64_t i = 0; i < k->count; i++) {
        double off = (double)k->value[i] - mean;

        mean += off / (double)(i + 1);
        squares += off * ((double)k->value[i] - mean);
    }
    return k->count > 1 && mean > 0 ? sqrt(squares / (double)(k->count - 1)) / mean : 0;
}

/* The share of time of the few largest kernels, and the average CoV of the kernels, weighted by their share. */
static void write_whole(struct jw *w, const struct spreads *s)
{
    double total = 0, top = 0, mixed = 0;

    for (size_t k = 0; k < s->count; k++) {
        total += s->kernels[k].total;
        top += k < TOP ? s->kernels[k].total : 0;
    }
    for (size_t k = 0; k < s->count; k++)
        mixed += total > 0 ? s->kernels[k].total / total * coefficient_of_variation(&s->kernels[k]) : 0;
    jw_key_double(w, "share_of_top_five", total > 0 ? top / total : NAN);
    jw_key_double(w, "mixed", mixed);
}

static int spreads_answer(struct app *app, const struct spreads *s, uint64_t first, uint64_t limit,
                          struct reply *rep, struct err *e)
{
    char next[CURSOR_TEXT] = "";
    uint64_t end = first + limit;
    struct cursor c = {0};
    struct jw w;

    if (end < s->count) {
        snprintf(c.text[0], sizeof c.text[0], "%" PRIu64, end);
        if (cursor_write(app, "spreads", &c, next, e) < 0)
            return -1;
    }
    jw_init(&w, NULL, NULL, e);
    jw_object(&w);
    jw_key(&w, "items");
    jw_array(&w);
    for (uint64_t k = first; k < s->count && k < end; k++)
        if (s->kernels[k].count > 0)
            spread_write(&w, &s->kernels[k]);
    jw_end(&w, ']');
    jw_key_text(&w, "next", next[0] ? next : NULL);
    write_whole(&w, s);
    jw_end(&w, '}');
    return reply_written(rep, 200, &w, e);
}

/* GET /profiles/{profile}/spreads?after&limit: rows are in the order of the list of kernels */
int profile_spreads_get(struct app *app, struct db *db, const struct request *req, struct reply *rep, struct err *e)
{
    struct spreads s = {0};
    struct profile p;
    uint64_t limit;
    char after[128];
    int ret = -1;

    profile_init(&p);
    if (list_ask(app, req, "spreads", &limit, after, e) == 0 && need_profile(db, req, e) == 0 &&
        profile_load(db, req->param[0], &p, e) == 0 && spreads_make(&s, &p, e) == 0)
        ret = spreads_answer(app, &s, strtoull(after, NULL, 10), limit, rep, e);
    spreads_release(&s);
    profile_release(&p);
    return ret;
}
