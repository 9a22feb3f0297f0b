/* ptx/ops/exec_observe.h: what an observer is notified of: copies by descriptor and barriers in shared memory:
 * fields in place of addresses (trace/fields.h). */
#ifndef VIVACE_PTX_OPS_EXEC_OBSERVE_H
#define VIVACE_PTX_OPS_EXEC_OBSERVE_H

#include "ptx/warp/exec_address.h"
#include "simcore/trace/fields.h"

/* Is there an observer to report to? */
static inline bool ptx_is_observed(const struct ptx_warp *w)
{
    return w->cta->observer && w->cta->observer->memory;
}
/* `count` fields, as they are: the address first, the others without it. */
void ptx_report_fields(const struct ptx_warp *w, const uint64_t *field, uint32_t count);
/* What lanes that reach barriers do there: each gives `count` and `bytes` (NULL: 0); those at one barrier are
 * reported together. */
void ptx_report_barrier(const struct ptx_warp *w, const struct ptx_reach *r, uint32_t mask, enum barrier_what what,
                        const uint32_t count[PTX_LANES], const int64_t bytes[PTX_LANES]);
/* A lane's address in shared memory, with the rank of another CTA as fields have it. */
uint64_t ptx_observed_shared(const struct ptx_warp *w, const struct ptx_access *a, uint32_t lane);

/* A lane's copy while it is reported: its rows one after the other, then its end. */
struct ptx_observed_copy {
    const struct ptx_warp *w;
    uint64_t field[COPY_FIELDS];
    uint64_t reported; /* bytes for the barrier that are still to be reported */
    uint32_t lines;
};
/* barrier: its access, or NULL; it counts `bytes` in all; ctas: of the cluster, 0: as the access says. */
void ptx_report_copy(struct ptx_observed_copy *c, const struct ptx_warp *w, uint32_t lane,
                     const struct ptx_access *barrier, uint64_t bytes, uint32_t ctas);
void ptx_report_row(struct ptx_observed_copy *c, uint64_t address, uint64_t bytes);
void ptx_report_copied(struct ptx_observed_copy *c);

#endif
