/* simcore/trace/cta_range.h: some CTAs of a launch, as if it had no others. */
#ifndef VIVACE_SIMCORE_TRACE_CTA_RANGE_H
#define VIVACE_SIMCORE_TRACE_CTA_RANGE_H

#include "simcore/trace/trace_file.h"

struct cta_range {
    uint64_t first, count; /* in the order of the trace; count 0: all from `first` on */
};
static inline bool cta_range_is_all(const struct cta_range *r)
{
    return !r->first && !r->count;
}
/* Opens a launch, to give these CTAs alone. In a .vtrace the first costs the same wherever it lies; other formats
 * are read up to it. ERR_NOT_FOUND where the launch has no CTA `first`; ERR_INVALID where the range would cut a
 * cluster in two. The shape of the grid stays the launch's. */
int trace_file_open_range(const struct trace_place *p, const struct cta_range *r, struct inst_source **out,
                          struct err *e);

#endif
