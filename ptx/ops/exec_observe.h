/* ptx/ops/exec_observe.h: reports two kinds of operations to an observer: bulk copies that a descriptor defines,
 * and operations on barriers in shared memory. A report is a list of numbers (trace/fields.h), not of addresses. */
#ifndef VIVACE_PTX_OPS_EXEC_OBSERVE_H
#define VIVACE_PTX_OPS_EXEC_OBSERVE_H

#include "ptx/warp/exec_address.h"
#include "simcore/trace/fields.h"

/* Is there an observer to report to? */
static inline bool ptx_is_observed(const struct ptx_warp *w)
{
    return w->cta->observer && w->cta->observer->memory;
}
/* Reports `count` fields. field[0] is the address. The function adds it to the other fields. */
void ptx_report_fields(const struct ptx_warp *w, const uint64_t *field, uint32_t count);
/* Reports the operations of lanes on barriers. Each lane has a `count` and `bytes` (NULL: 0). Lanes at the same
 * barrier are reported together. */
void ptx_report_barrier(const struct ptx_warp *w, const struct ptx_reach *r, uint32_t mask, enum barrier_what what,
                        const uint32_t count[PTX_LANES], const int64_t bytes[PTX_LANES]);
/* A lane's address in shared memory. For another CTA of the cluster it includes the rank, as fields do. */
uint64_t ptx_observed_shared(const struct ptx_warp *w, const struct ptx_access *a, uint32_t lane);

/* The report of a lane's copy: its rows in order, then its end. */
struct ptx_observed_copy {
    const struct ptx_warp *w;
    uint64_t field[COPY_FIELDS];
    uint64_t reported; /* bytes that the barrier counts and that are not reported yet */
    uint32_t lines;
};
/* barrier: its access, or NULL. bytes: the total that the barrier counts. ctas: bit mask of the cluster's
 * destination CTAs; 0: given by the address. */
void ptx_report_copy(struct ptx_observed_copy *c, const struct ptx_warp *w, uint32_t lane,
                     const struct ptx_access *barrier, uint64_t bytes, uint32_t ctas);
void ptx_report_row(struct ptx_observed_copy *c, uint64_t address, uint64_t bytes);
void ptx_report_copied(struct ptx_observed_copy *c);

#endif
