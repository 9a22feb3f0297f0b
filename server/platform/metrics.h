/* server/platform/metrics.h: counters of this process. handlers/health.c writes them in Prometheus text format. */
#ifndef VIVACE_SERVER_METRICS_H
#define VIVACE_SERVER_METRICS_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/strbuf.h"

/* The counters without labels, one in each row. */
#define METRIC_MAP(X)                                                                                              \
    X(UPLOAD_BYTES, "vivace_upload_bytes_total", "bytes of pieces and blobs received")                             \
    X(IMPORTS_READY, "vivace_imports_ready_total", "imports that succeeded")                                       \
    X(IMPORTS_FAILED, "vivace_imports_failed_total", "imports that were refused or failed")                        \
    X(SESSIONS_LOST, "vivace_sessions_lost_total", "worker sessions that sent no heartbeat and were ended")        \
    X(LOGINS_FAILED, "vivace_logins_failed_total", "log-ins with a wrong token")                                   \
    X(ANSWERS_SHARED, "vivace_answers_shared_total", "requests that shared the reply of an identical request")

enum metric_id {
#define X(id, name, sentence) METRIC_##id,
    METRIC_MAP(X)
#undef X
        METRIC_COUNT
};

struct metrics;

/* Creates counters for `routes` routes. metrics_route() sets the name of each before the first request. */
int metrics_new(size_t routes, struct metrics **out, struct err *e);
/* The caller keeps both texts valid longer than m. */
void metrics_route(struct metrics *m, size_t route, const char *method, const char *path);
void metrics_free(struct metrics *m);
void metrics_add(struct metrics *m, enum metric_id id, uint64_t n);
/* route: index of the route, -1: the request matched no route. us: duration in microseconds. */
void metrics_request(struct metrics *m, int route, int status, uint64_t us);
void metrics_write(struct metrics *m, struct strbuf *out);

/* A histogram of durations. Any thread may add to it. */
#define HISTOGRAM_BUCKETS 12
struct histogram {
    atomic_uint_fast64_t bucket[HISTOGRAM_BUCKETS], sum_us;
};
void histogram_add(struct histogram *h, uint64_t us);
/* Writes the HELP and TYPE lines of the histogram `name`. Call it once before histogram_write(). */
void histogram_head(struct strbuf *out, const char *name, const char *sentence);
/* Writes the lines of one histogram. labels: as in metric_write(). */
void histogram_write(const struct histogram *h, const char *name, const char *labels, struct strbuf *out);
/* Writes one value with its HELP and TYPE lines. labels: text like `state="ready"`, or NULL. */
void metric_write(struct strbuf *out, const char *name, const char *type, const char *sentence, const char *labels,
                  double value);

#endif
