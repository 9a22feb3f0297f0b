/* ingest/kineto_event.h: one event of a trace of PyTorch or JAX, built from its members in the order of the file.
 */
#ifndef VIVACE_INGEST_KINETO_EVENT_H
#define VIVACE_INGEST_KINETO_EVENT_H

#include "base/strbuf.h"
#include "ingest/import.h"

/* The members that are read, of events and of the objects around them. */
enum kineto_key {
    K_OTHER,
    K_EVENTS,
    K_DEVICES,
    K_PH,
    K_CAT,
    K_NAME,
    K_TS,
    K_DUR,
    K_PID,
    K_TID,
    K_ARGS,
    K_DEVICE,
    K_CONTEXT,
    K_STREAM,
    K_CORRELATION,
    K_REGISTERS,
    K_SHARED,
    K_GRID,
    K_BLOCK,
    K_ID,
    K_DETAILS,        /* JAX: registers, shared memory, grid and block in one text */
    K_MEMORY_DETAILS, /* JAX: of a copy or a fill */
    K_PROCESS         /* the name of a process, in a metadata event */
};
enum kineto_category {
    OTHER_EVENT,
    KERNEL_EVENT,
    MEMORY_EVENT,
    CALL_EVENT,      /* of the CUDA runtime or driver */
    RANGE_EVENT,     /* record_function() and the profiler's steps */
    GPU_RANGE_EVENT, /* such a range on a GPU stream */
    PYTHON_EVENT,    /* only modules are used: "nn.Module: Linear_0" */
    OPERATOR_EVENT   /* only steps are used: old profilers write them in this category */
};

struct kineto_event {
    struct strbuf name; /* its memory is reused for the next event */
    uint64_t number;    /* from 1 */
    enum kineto_category category;
    bool complete; /* ph is "X": it has a duration */
    bool has_ts, has_dur, name_too_long, has_device, has_stream, has_tid, has_correlation;
    bool bad_time, bad_number;
    bool process_name; /* a metadata event that names the process `pid` */
    int64_t gpu;       /* number of the GPU that such an event names; -1: another process */
    uint64_t thread;   /* of the host: a hash of the text of tid */
    int64_t ts, dur, pid, tid, device, context, stream, correlation, registers, shared;
    int64_t shape[2][3]; /* grid, block */
    int shape_count[2];
};
/* Starts the next event: clears everything except the memory of `name`, and increments `number`. */
void kineto_event_begin(struct kineto_event *v);
/* Sets a member. The text is as in the file: numbers stay text until their meaning is known. */
void kineto_event_number(struct kineto_event *v, enum kineto_key key, const char *text, size_t n);
void kineto_event_string(struct kineto_event *v, enum kineto_key key, const char *text, size_t n,
                         size_t most_name_bytes);
/* Adds the next number of the grid (which 0) or block (which 1). */
void kineto_event_shape(struct kineto_event *v, int which, const char *text, size_t n);
/* Adds a kernel event as a launch, or notes the reason why it is not one. Adds calls and ranges to im->ranges. */
int kineto_event_end(const struct kineto_event *v, struct import *im, struct err *e);

#endif
