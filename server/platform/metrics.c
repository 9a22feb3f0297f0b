#include "server/platform/metrics.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/assert.h"
#include "base/text.h"

/* HTTP status codes that have a counter of their own. All other codes share the counter "other". */
static const int statuses[] = {200, 201, 202, 204, 206, 304, 400, 401, 403, 404, 405,
                               409, 410, 413, 415, 416, 422, 429, 500, 502, 503, 507};
#define STATUSES (sizeof statuses / sizeof statuses[0])
/* Upper bounds of a histogram of times, in microseconds. */
static const uint64_t bounds_us[] = {1000,   2500,   5000,    10000,   25000,   50000,
                                     100000, 250000, 1000000, 5000000, 30000000};
#define BOUNDS (sizeof bounds_us / sizeof bounds_us[0])
_Static_assert(BOUNDS + 1 == HISTOGRAM_BUCKETS, "one bucket is for what is longer");

struct route_metrics {
    const char *method, *path;
    atomic_uint_fast64_t status[STATUSES + 1];
    struct histogram times;
};

struct metrics {
    size_t route_count;
    atomic_uint_fast64_t plain[METRIC_COUNT];
    struct route_metrics *routes; /* route_count routes, and one more entry for unknown paths */
};

int metrics_new(size_t routes, struct metrics **out, struct err *e)
{
    struct metrics *m = mem_zalloc(1, sizeof *m, e);

    if (!m)
        return -1;
    m->route_count = routes;
    m->routes = mem_zalloc(m->route_count + 1, sizeof *m->routes, e);
    if (!m->routes) {
        free(m);
        return -1;
    }
    *out = m;
    return 0;
}

void metrics_route(struct metrics *m, size_t route, const char *method, const char *path)
{
    ASSERT(route < m->route_count && method && path);
    m->routes[route].method = method;
    m->routes[route].path = path;
}

void metrics_free(struct metrics *m)
{
    if (!m)
        return;
    free(m->routes);
    free(m);
}

void metrics_add(struct metrics *m, enum metric_id id, uint64_t n)
{
    atomic_fetch_add_explicit(&m->plain[id], n, memory_order_relaxed);
}

void metrics_request(struct metrics *m, int route, int status, uint64_t us)
{
    struct route_metrics *r = &m->routes[route < 0 ? m->route_count : (size_t)route];
    size_t s = 0;

    while (s < STATUSES && statuses[s] != status)
        s++;
    atomic_fetch_add_explicit(&r->status[s], 1, memory_order_relaxed);
    histogram_add(&r->times, us);
}

void histogram_add(struct histogram *h, uint64_t us)
{
    size_t b = 0;

    while (b < BOUNDS && us > bounds_us[b])
        b++;
    atomic_fetch_add_explicit(&h->bucket[b], 1, memory_order_relaxed);
    atomic_fetch_add_explicit(&h->sum_us, us, memory_order_relaxed);
}

void histogram_head(struct strbuf *out, const char *name, const char *sentence)
{
    strbuf_addf(out, "# HELP %s %s\n# TYPE %s histogram\n", name, sentence, name);
}

void histogram_write(const struct histogram *h, const char *name, const char *labels, struct strbuf *out)
{
    const char *open = labels ? "{" : "", *close = labels ? "}" : "", *comma = labels ? "," : "";
    uint64_t n = 0;

    labels = labels ? labels : "";
    for (size_t b = 0; b <= BOUNDS; b++) {
        char bound[NUM_TEXT] = "+Inf";

        n += atomic_load_explicit(&h->bucket[b], memory_order_relaxed);
        if (b < BOUNDS)
            num_format((double)bounds_us[b] / 1e6, bound);
        strbuf_addf(out, "%s_bucket{%s%sle=\"%s\"} %llu\n", name, labels, comma, bound, (unsigned long long)n);
    }
    strbuf_addf(out, "%s_sum%s%s%s %.6f\n", name, open, labels, close,
                (double)atomic_load_explicit(&h->sum_us, memory_order_relaxed) / 1e6);
    strbuf_addf(out, "%s_count%s%s%s %llu\n", name, open, labels, close, (unsigned long long)n);
}

void metric_write(struct strbuf *out, const char *name, const char *type, const char *sentence, const char *labels,
                  double value)
{
    char text[NUM_TEXT];

    if (sentence)
        strbuf_addf(out, "# HELP %s %s\n# TYPE %s %s\n", name, sentence, name, type);
    strbuf_addf(out, labels ? "%s{%s} " : "%s%s ", name, labels ? labels : "");
    strbuf_addf(out, "%s\n", num_format(value, text));
}

static void write_statuses(struct metrics *m, struct strbuf *out)
{
    strbuf_adds(out,
                "# HELP vivace_http_requests_total requests answered\n# TYPE vivace_http_requests_total counter\n");
    for (size_t i = 0; i <= m->route_count; i++)
        for (size_t s = 0; s <= STATUSES; s++) {
            uint64_t n = atomic_load_explicit(&m->routes[i].status[s], memory_order_relaxed);
            const char *method = i < m->route_count ? m->routes[i].method : "",
                       *path = i < m->route_count ? m->routes[i].path : "none";

            if (n && s < STATUSES)
                strbuf_addf(out, "vivace_http_requests_total{route=\"%s %s\",status=\"%d\"} %llu\n", method, path,
                            statuses[s], (unsigned long long)n);
            else if (n)
                strbuf_addf(out, "vivace_http_requests_total{route=\"%s %s\",status=\"other\"} %llu\n", method,
                            path, (unsigned long long)n);
        }
}

static void write_times(struct metrics *m, struct strbuf *out)
{
    static const char name[] = "vivace_http_request_seconds";
    char label[200];

    histogram_head(out, name, "time from the head of a request to its reply");
    for (size_t i = 0; i < m->route_count; i++) {
        struct histogram *t = &m->routes[i].times;
        uint64_t n = 0;

        for (size_t b = 0; b <= BOUNDS; b++)
            n += atomic_load_explicit(&t->bucket[b], memory_order_relaxed);
        if (!n)
            continue;
        snprintf(label, sizeof label, "route=\"%s %s\"", m->routes[i].method, m->routes[i].path);
        histogram_write(t, name, label, out);
    }
}

void metrics_write(struct metrics *m, struct strbuf *out)
{
    static const struct {
        const char *name, *sentence;
    } plain[] = {
#define X(id, name, sentence) {name, sentence},
        METRIC_MAP(X)
#undef X
    };

    for (size_t i = 0; i < METRIC_COUNT; i++)
        metric_write(out, plain[i].name, "counter", plain[i].sentence, NULL,
                     (double)atomic_load_explicit(&m->plain[i], memory_order_relaxed));
    write_statuses(m, out);
    write_times(m, out);
}
