/* simcore/trace/fields.h: what is recorded of instructions of which addresses say too little: copies by descriptor
 * and barriers in shared memory (docs/formats/vtrace.md, "Fields").
 *
 * Their width is FIELDS_WIDTH, and their lanes are fields: lane 0 has an address, lane k that plus field k. An
 * instruction of another width, or without addresses, was recorded by a tracer that knows no fields. */
#ifndef VIVACE_SIMCORE_TRACE_FIELDS_H
#define VIVACE_SIMCORE_TRACE_FIELDS_H

#include "simcore/trace/inst_source.h"

enum { FIELDS_WIDTH = 1 };

/* A copy between global and shared memory, or one part of it. Shared addresses: that of another CTA of the cluster
 * is (its rank + 1) << FIELDS_RANK_SHIFT above the address in its own memory. */
enum copy_field {
    COPY_ADDRESS, /* of the first row, in global memory */
    COPY_LANES,   /* that executed it: a mask */
    COPY_ROW_BYTES,
    COPY_ROWS,           /* 0: nothing of it is in global memory */
    COPY_STRIDE,         /* from row to row */
    COPY_REPORTED_BYTES, /* that the barrier counts */
    COPY_BARRIER,        /* 1 + its shared address; 0: none, the copy belongs to the warp's open group */
    COPY_CTAS, /* a bit for each CTA of the cluster that gets the data; 0: the one that the barrier is in */
    COPY_MORE, /* 1: another part follows */
    COPY_FIELDS
};
/* More lines than that a part does not touch. */
enum { COPY_LINE_BYTES = 128, COPY_LINES_MAX = 64 };

/* Something done to a barrier in shared memory. */
enum barrier_field { BARRIER_ADDRESS, BARRIER_LANES, BARRIER_WHAT, BARRIER_COUNT, BARRIER_BYTES, BARRIER_FIELDS };
enum barrier_what {
    BARRIER_INIT,        /* COUNT: arrivals of each phase */
    BARRIER_INVALIDATE,  /* it is no barrier any more */
    BARRIER_ARRIVE,      /* COUNT arrivals, and BYTES (signed) are expected, or fewer */
    BARRIER_ARRIVE_DROP, /* the same, and later phases wait for COUNT less */
    BARRIER_ARRIVE_MORE, /* the same as ARRIVE, but the phase waits for COUNT more */
    BARRIER_WAIT         /* has found the phase of parity COUNT complete; one that has not has no fields */
};

enum { FIELDS_RANK_SHIFT = 19 };

/* The fields of an executed instruction, the address first; those that it has not are 0. How many it has. */
uint32_t fields_of(const struct cta_trace *cta, const struct warp_inst *wi, uint64_t out[WARP_LANES]);

#endif
