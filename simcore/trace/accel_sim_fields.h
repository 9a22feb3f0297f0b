/* simcore/trace/accel_sim_fields.h: converts lines of Accel-Sim 2.0 about mbarriers in shared memory and about bulk
 * copies by descriptor to fields (fields.h). Internal to the reader. Format and sources: docs/formats/accel-sim.md.
 */
#ifndef VIVACE_SIMCORE_TRACE_ACCEL_SIM_FIELDS_H
#define VIVACE_SIMCORE_TRACE_ACCEL_SIM_FIELDS_H

#include "simcore/trace/accel_sim_line.h"

#define VALUE_GROUPS_MAX 8 /* the tracer records one destination and up to five sources */

/* Register values of a line: those of the destination, if there is one, then those of each source. */
struct line_values {
    bool recorded; /* the line has "Val" */
    uint32_t groups;
    uint64_t value[VALUE_GROUPS_MAX][WARP_LANES];
};

/* Whether the memory field of this opcode describes a bulk copy by descriptor. */
bool opcode_is_bulk_copy(const char *opcode, size_t n);
/* Whether this opcode operates on a barrier in shared memory and its register values describe the operation. */
bool opcode_is_barrier(const char *opcode, size_t n);

/* Writes the fields of a barrier instruction, from the addresses and values of its active lanes. `second`: index of
 * the value group of its second source. 0 rows: the operation is not known. -1: out of memory. */
int fields_of_barrier(const char *opcode, size_t n, uint32_t mask, const struct address_set *addresses,
                      const struct line_values *v, uint32_t second, const struct line_format *f,
                      struct line_records *out, struct err *e);

/* The memory field of a bulk copy by descriptor. */
struct bulk_copy {
    uint64_t element;          /* bytes of one transfer */
    uint64_t barrier;          /* 0: none */
    uint64_t ctas;             /* multicast mask; 0: none */
    uint64_t bytes;            /* bytes that the barrier counts */
    const uint64_t *addresses; /* of the elements, in order */
    uint32_t count;            /* 0: not known */
};
int fields_of_copy(const struct bulk_copy *c, uint32_t mask, const struct line_format *f, struct line_records *out,
                   struct err *e);

#endif
