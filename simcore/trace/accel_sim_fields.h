/* simcore/trace/accel_sim_fields.h: what lines of Accel-Sim 2.0 say of barriers in shared memory and of copies by
 * descriptor, as fields (fields.h). Internal to the reader. Format and sources: docs/formats/accel-sim.md. */
#ifndef VIVACE_SIMCORE_TRACE_ACCEL_SIM_FIELDS_H
#define VIVACE_SIMCORE_TRACE_ACCEL_SIM_FIELDS_H

#include "simcore/trace/accel_sim_line.h"

#define VALUE_GROUPS_MAX 8 /* a destination and five sources are recorded */

/* Register values of a line: of the destination, if it has one, then of each source. */
struct line_values {
    bool recorded; /* "Val" */
    uint32_t groups;
    uint64_t value[VALUE_GROUPS_MAX][WARP_LANES];
};

/* An opcode whose memory field is that of a copy by descriptor. */
bool opcode_is_bulk_copy(const char *opcode, size_t n);
/* An opcode that does something to a barrier in shared memory, where the values say what. */
bool opcode_is_barrier(const char *opcode, size_t n);

/* Rows of what a barrier instruction does, from addresses and values of its active lanes. `second`: which group of
 * values is its second source. 0 rows: not known. -1: no memory. */
int fields_of_barrier(const char *opcode, size_t n, uint32_t mask, const struct address_set *addresses,
                      const struct line_values *v, uint32_t second, const struct line_format *f,
                      struct line_records *out, struct err *e);

/* The memory field of a copy by descriptor. */
struct bulk_copy {
    uint64_t element;          /* bytes of one transfer */
    uint64_t barrier;          /* 0: none */
    uint64_t ctas;             /* multicast mask; 0: none */
    uint64_t bytes;            /* that the barrier counts */
    const uint64_t *addresses; /* of the elements, in order */
    uint32_t count;            /* 0: not known */
};
int fields_of_copy(const struct bulk_copy *c, uint32_t mask, const struct line_format *f, struct line_records *out,
                   struct err *e);

#endif
