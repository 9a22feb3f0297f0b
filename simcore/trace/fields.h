/* simcore/trace/fields.h: fields, recorded for instructions that lane addresses do not describe: bulk copies by
 * descriptor, barriers in shared memory and named barriers of a CTA (docs/formats/vtrace.md, "Fields").
 *
 * Such an instruction has the width FIELDS_WIDTH. Fields are stored in place of lane addresses: lane 0 has an
 * address, and lane k has that address plus field k. If the instruction has another width or no addresses, its
 * tracer does not record fields. */
#ifndef VIVACE_SIMCORE_TRACE_FIELDS_H
#define VIVACE_SIMCORE_TRACE_FIELDS_H

#include "simcore/trace/inst_source.h"

enum { FIELDS_WIDTH = 1 };

/* A copy between global and shared memory, or a part of one. Shared addresses: an address in another CTA of the
 * cluster is (rank of that CTA + 1) << FIELDS_RANK_SHIFT plus the address in that CTA's memory. */
enum copy_field {
    COPY_ADDRESS, /* address of the first row, in global memory */
    COPY_LANES,   /* mask of the lanes that executed it */
    COPY_ROW_BYTES,
    COPY_ROWS,           /* 0: no row is in global memory */
    COPY_STRIDE,         /* distance between rows, in bytes */
    COPY_REPORTED_BYTES, /* bytes that the barrier counts */
    /* 1 + the shared address of its barrier; 0: no barrier, the copy belongs to the warp's open group */
    COPY_BARRIER,
    COPY_CTAS, /* a bit for each CTA of the cluster that receives the data; 0: the CTA of the barrier */
    COPY_MORE, /* 1: another part follows */
    COPY_FIELDS
};
/* A part touches at most COPY_LINES_MAX lines. */
enum { COPY_LINE_BYTES = 128, COPY_LINES_MAX = 64 };

/* An operation on a barrier in shared memory. */
enum barrier_field { BARRIER_ADDRESS, BARRIER_LANES, BARRIER_WHAT, BARRIER_COUNT, BARRIER_BYTES, BARRIER_FIELDS };
enum barrier_what {
    BARRIER_INIT,        /* COUNT: arrivals of each phase */
    BARRIER_INVALIDATE,  /* the barrier ends */
    BARRIER_ARRIVE,      /* COUNT arrivals; BYTES (signed) is added to the expected bytes */
    BARRIER_ARRIVE_DROP, /* as BARRIER_ARRIVE; later phases wait for COUNT arrivals less */
    BARRIER_ARRIVE_MORE, /* as BARRIER_ARRIVE; the phase waits for COUNT arrivals more */
    BARRIER_WAIT         /* the phase with parity COUNT is complete; a wait that did not succeed has no fields */
};

/* A barrier of the CTA with a number or a count of threads (BAR). */
enum named_field {
    NAMED_NUMBER, /* 0 .. 15 */
    NAMED_LANES,
    NAMED_THREADS, /* that the barrier counts; 0: those of the CTA */
    NAMED_FIELDS
};

enum { FIELDS_RANK_SHIFT = 19 };

/* Writes the fields of an executed instruction, the address first; missing fields are 0. Returns their number. */
uint32_t fields_of(const struct cta_trace *cta, const struct warp_inst *wi, uint64_t out[WARP_LANES]);

#endif
