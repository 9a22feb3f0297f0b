/* sampling/time/timeline.h: the calls of the CUDA API of a program, by thread; the work of its GPUs, by stream; and
 * both re-timed by their dependences, with other durations.
 *
 * Work starts after the work before it on its stream, and after the call that submitted it. A call starts after the
 * call before it on its thread. Calls that wait return after what they wait for. Collectives of several GPUs move
 * data once all of them have started. Dependences that a report does not name are inferred (docs/systems.md). */
#ifndef VIVACE_SAMPLING_TIMELINE_H
#define VIVACE_SAMPLING_TIMELINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

#define TIMELINE_NONE UINT32_MAX

/* Fills: copies inside one GPU's memory, and memsets. */
enum timeline_kind { TIMELINE_CALL, TIMELINE_KERNEL, TIMELINE_COLLECTIVE, TIMELINE_COPY, TIMELINE_FILL };
#define TIMELINE_KINDS 5
extern const char *const timeline_kind_names[TIMELINE_KINDS]; /* "calls", "kernels", ... */

enum timeline_wait { WAITS_NOT, WAITS_STREAM, WAITS_ALL }; /* for all work of a stream, of its process */
struct timeline_call {
    int64_t start_ns;
    uint64_t duration_ns;
    uint32_t thread, process;
    uint32_t stream; /* of WAITS_STREAM */
    enum timeline_wait wait;
};
/* What a collective or a copy does, for models of its time. */
enum timeline_transfer {
    TRANSFER_UNKNOWN,
    TRANSFER_ALL_REDUCE,
    TRANSFER_ALL_GATHER,
    TRANSFER_REDUCE_SCATTER,
    TRANSFER_BROADCAST,
    TRANSFER_SEND_RECV,
    TRANSFER_FROM_HOST,
    TRANSFER_TO_HOST,
    TRANSFER_PEER
};
struct timeline_work {
    int64_t start_ns;
    uint64_t duration_ns;
    uint32_t stream, gpu, process;
    uint32_t call; /* that submitted it; TIMELINE_NONE: not known */
    enum timeline_kind kind;
    enum timeline_transfer transfer; /* of a collective or a copy */
    uint64_t bytes;                  /* of a copy; 0: not known */
};
/* A call that makes all later work of a stream wait for an event. */
struct timeline_stream_wait {
    uint32_t stream, call;
};
/* Starts are >= 0 and ends below 2^62. Owned arrays. */
struct timeline {
    size_t call_count, work_count, wait_count;
    uint32_t threads, streams, gpus, processes;
    struct timeline_call *calls; /* by start */
    struct timeline_work *works; /* by start */
    struct timeline_stream_wait *waits;
    uint64_t dropped; /* rows of the report without usable times */
};
void timeline_release(struct timeline *t);

/* The factor of one collective or copy, >= 0, beside that of its kind. transfer_ns: its profiled time without the
 * waiting for other GPUs; of a collective the least of the GPUs that took part. */
typedef double timeline_scale_fn(void *ctx, const struct timeline_work *w, double transfer_ns);
/* One GPU in the re-timed run. The four times add up to the makespan. */
struct timeline_gpu {
    double kernels_ns;  /* at least one kernel, memset or copy inside its memory ran */
    double transfer_ns; /* of the rest: collectives moved data, or a copy ran (exposed communication) */
    double wait_ns;     /* of the rest: collectives waited for other GPUs */
    double idle_ns;
};

struct timeline_options {
    double factor[TIMELINE_KINDS]; /* durations of each kind, times this */
    /* The latency between a dependence and what it allows: false: as profiled; true: the median of its kind, which
     * leaves no more of the profile than durations, overlaps and CPU time. */
    bool typical;
    timeline_scale_fn *scale; /* NULL: 1 */
    void *ctx;                /* of scale */
};
struct timeline_result {
    double profiled_ns; /* from the first start to the last end */
    double span_ns;     /* the same, re-timed */
    /* The longest chain of dependences, which ends last: time in each kind, on the CPU between calls, and in
     * latencies. They sum up to span_ns. */
    double path_ns[TIMELINE_KINDS], cpu_ns, latency_ns;
    size_t collectives, linked; /* kernels of collectives; those that wait for other GPUs */
};
/* gpus: room for all GPUs, or NULL. ERR_INVALID for a timeline without calls or without work. */
int timeline_retime(const struct timeline *t, const struct timeline_options *o, struct timeline_result *out,
                    struct timeline_gpu *gpus, struct err *e);

#endif
