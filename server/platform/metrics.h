/* server/platform/metrics.h: counters of this process, written as Prometheus text by handlers/health.c. */
#ifndef VIVACE_SERVER_METRICS_H
#define VIVACE_SERVER_METRICS_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/strbuf.h"

/* Plain counters: one row each. */
#define METRIC_MAP(X)                                                                                              \
    X(UPLOAD_BYTES, "vivace_upload_bytes_total", "bytes of pieces and blobs received")                             \
    X(IMPORTS_READY, "vivace_imports_ready_total", "imports that ended well")                                      \
    X(IMPORTS_FAILED, "vivace_imports_failed_total", "imports that were refused or failed")                        \
    X(SESSIONS_LOST, "vivace_sessions_lost_total", "worker sessions that gave no sign of life and were ended")     \
    X(LOGINS_FAILED, "vivace_logins_failed_total", "log-ins with a wrong token")                                   \
    X(ANSWERS_SHARED, "vivace_answers_shared_total", "requests that got the answer of an equal one")

enum metric_id {
#define X(id, name, sentence) METRIC_##id,
    METRIC_MAP(X)
#undef X
        METRIC_COUNT
};

struct metrics;

/* With counters for that number of routes, which metrics_route() names before the first request. */
int metrics_new(size_t routes, struct metrics **out, struct err *e);
/* Both texts outlive m. */
void metrics_route(struct metrics *m, size_t route, const char *method, const char *path);
void metrics_free(struct metrics *m);
void metrics_add(struct metrics *m, enum metric_id id, uint64_t n);
/* route: its index, or -1 when none was found. */
void metrics_request(struct metrics *m, int route, int status, uint64_t us);
void metrics_write(struct metrics *m, struct strbuf *out);

/* Times by how long they took; any thread may add. */
#define HISTOGRAM_BUCKETS 12
struct histogram {
    atomic_uint_fast64_t bucket[HISTOGRAM_BUCKETS], sum_us;
};
void histogram_add(struct histogram *h, uint64_t us);
/* HELP and TYPE of the histogram `name`, once before its first line. */
void histogram_head(struct strbuf *out, const char *name, const char *sentence);
/* Its lines; labels as for metric_write. */
void histogram_write(const struct histogram *h, const char *name, const char *labels, struct strbuf *out);
/* One value with its HELP and TYPE lines; labels as `state="ready"` or NULL. */
void metric_write(struct strbuf *out, const char *name, const char *type, const char *sentence, const char *labels,
                  double value);

#endif
