/* cli/trace/trace_compare.h: finds the first difference of two kernel launches, independent of their trace formats.
 */
#ifndef VIVACE_CLI_TRACE_COMPARE_H
#define VIVACE_CLI_TRACE_COMPARE_H

#include "simcore/trace/inst_source.h"

#define TRACE_DIFFERENCE_BYTES 160

struct trace_difference {
    char where[TRACE_DIFFERENCE_BYTES]; /* "CTA 3 (3,0,0), warp 1, instruction 17: mask" */
    char a[TRACE_DIFFERENCE_BYTES], b[TRACE_DIFFERENCE_BYTES];
};
/* Reads both until they differ or end. 1: they differ, and *d has the place; 0: they are equal; -1: a read error.
 * sectors: addresses within the same 32 bytes count as the same. */
int trace_compare(struct inst_source *a, struct inst_source *b, bool sectors, struct trace_difference *d,
                  struct err *e);

#endif
