/* simcore/history.h: what a bundle of traces recorded, in order, as the simulator takes it: launches, and copies
 * where the traces say them. */
#ifndef VIVACE_SIMCORE_HISTORY_H
#define VIVACE_SIMCORE_HISTORY_H

#include "simcore/simcore.h"
#include "simcore/trace/bundle.h"
#include "simcore/trace/cta_range.h"

struct trace_history {
    size_t count;
    struct sim_work *work; /* by context, then order; the streams of kernels are not set, those of copies are the
                              default streams of their contexts */
    size_t *kernel;        /* of each item: which of the bundle's kernels; HISTORY_COPY: none */
    size_t *item;          /* of each of the bundle's kernels: its item */
};
#define HISTORY_COPY SIZE_MAX

/* The bundle outlives it. */
int trace_history_make(const struct bundle *b, struct trace_history *out, struct err *e);
void trace_history_release(struct trace_history *h);
/* The stream of this number in a context, as one number. */
uint64_t trace_history_stream(uint64_t context, uint64_t stream);

/* What precedes one launch; `ctx` of its sim_before. */
struct trace_before {
    const struct bundle *bundle;
    const struct trace_history *history;
    size_t first, kernel; /* in the history; among the bundle's kernels: itself */
    uint64_t own_ctas;    /* the number of its own CTAs, which come last */
    uint64_t missing;     /* launches that were wanted, but not traced */
    struct sim_before before;
};
/* The `launches` launches of its context before it (0: all), and the copies among them; then the first `own_ctas`
 * CTAs of its own, if any. Which launches are before it their numbers say. The result refers to `out`, which must
 * not move. */
void trace_history_before(const struct bundle *b, const struct trace_history *h, size_t kernel, uint64_t launches,
                          uint64_t own_ctas, struct trace_before *out);

#endif
