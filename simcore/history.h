/* simcore/history.h: the recorded order of a bundle of traces as a list for the simulator: launches, and copies if
 * the traces contain them. */
#ifndef VIVACE_SIMCORE_HISTORY_H
#define VIVACE_SIMCORE_HISTORY_H

#include "simcore/simcore.h"
#include "simcore/trace/bundle.h"
#include "simcore/trace/cta_range.h"

struct trace_history {
    size_t count;
    /* by context, then order. Streams of kernels are not set; those of copies are the default streams of their
     * contexts */
    struct sim_work *work;
    size_t *kernel; /* for each item: index of the bundle's kernel, or HISTORY_COPY */
    size_t *item;   /* for each of the bundle's kernels: index of its item */
};
#define HISTORY_COPY SIZE_MAX

/* The bundle must outlive the result. */
int trace_history_make(const struct bundle *b, struct trace_history *out, struct err *e);
void trace_history_release(struct trace_history *h);
/* A unique number for this stream of a context. */
uint64_t trace_history_stream(uint64_t context, uint64_t stream);

/* The work before one launch; it is the `ctx` of its sim_before. */
struct trace_before {
    const struct bundle *bundle;
    const struct trace_history *history;
    size_t first, kernel; /* first item in the history; index of the launch among the bundle's kernels */
    uint64_t own_ctas;    /* number of the launch's own CTAs to replay last */
    uint64_t missing;     /* requested launches that were not traced */
    struct sim_before before;
};
/* Collects the `launches` launches of its context before it (0: all), and the copies among them; then the first
 * `own_ctas` CTAs of the launch itself, if any. The numbers of launches define their order. The result refers to
 * `out`, which must not move. */
void trace_history_before(const struct bundle *b, const struct trace_history *h, size_t kernel, uint64_t launches,
                          uint64_t own_ctas, struct trace_before *out);

#endif
