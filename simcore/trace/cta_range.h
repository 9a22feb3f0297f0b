/* simcore/trace/cta_range.h: a range of CTAs of a launch, as if the launch had only these. */
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
/* Opens a launch and returns only these CTAs. In a .vtrace, the position of the first CTA does not affect the cost;
 * in other formats, all CTAs before it are read. ERR_NOT_FOUND: the launch has no CTA `first`. ERR_INVALID: the
 * range would split a cluster. The grid shape is that of the whole launch. */
int trace_file_open_range(const struct trace_place *p, const struct cta_range *r, struct inst_source **out,
                          struct err *e);

#endif
