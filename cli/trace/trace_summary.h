/* cli/trace/trace_summary.h: counts the content of kernel traces while they are read completely, for `vivace trace
 * info`, `verify` and `convert`. */
#ifndef VIVACE_CLI_TRACE_SUMMARY_H
#define VIVACE_CLI_TRACE_SUMMARY_H

#include <jansson.h>

#include "simcore/trace/inst_source.h"

/* Warp instructions by the first part of their opcode: "IMAD". */
struct opcode_count {
    char *opcode;
    uint64_t instructions;
    bool known; /* the opcode is documented */
};
struct trace_summary {
    uint64_t kernels, ctas, warps, instructions;
    uint64_t lanes;       /* number of active lanes, over all instructions */
    uint64_t masked_out;  /* instructions without an active lane */
    uint64_t with_memory; /* instructions with addresses */
    struct trace_repairs repairs;
    struct opcode_count *opcodes;
    size_t opcode_count, opcode_capacity;
};
/* Reads the source to its end and adds its counts. -1: the trace cannot be read; *e has the reason, and the counts
 * until the fault are added. */
int trace_summary_read(struct trace_summary *t, struct inst_source *s, struct err *e);
void trace_summary_sort(struct trace_summary *t); /* opcodes: the most frequent first, then by name */
void trace_summary_release(struct trace_summary *t);

/* Print the lines "unknown    …", and "mix        …" with the `most` most frequent opcodes. */
void trace_summary_print_unknown(const struct trace_summary *t);
void trace_summary_print_mix(const struct trace_summary *t, size_t most);
/* New references. */
json_t *trace_summary_unknown_json(const struct trace_summary *t);
json_t *trace_summary_mix_json(const struct trace_summary *t);
double trace_summary_unknown_share(const struct trace_summary *t); /* of the warp instructions */

#endif
