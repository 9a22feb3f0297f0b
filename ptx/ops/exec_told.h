/* ptx/ops/exec_told.h: what an observer is told of copies by descriptor and of barriers in shared memory:
 * fields in place of addresses (trace/fields.h). */
#ifndef VIVACE_PTX_OPS_EXEC_TOLD_H
#define VIVACE_PTX_OPS_EXEC_TOLD_H

#include "ptx/warp/exec_address.h"
#include "simcore/trace/fields.h"

/* Is there somebody to tell? */
static inline bool ptx_is_told(const struct ptx_warp *w)
{
    return w->cta->observer && w->cta->observer->memory;
}
/* `count` fields, as they are: the address first, the others without it. */
void ptx_tell_fields(const struct ptx_warp *w, const uint64_t *field, uint32_t count);
/* What lanes that reach barriers do there: each gives `count` and `bytes` (NULL: 0); those at one barrier are told
 * together. */
void ptx_tell_barrier(const struct ptx_warp *w, const struct ptx_reach *r, uint32_t mask, enum barrier_what what,
                      const uint32_t count[PTX_LANES], const int64_t bytes[PTX_LANES]);
/* A lane's address in shared memory, with the rank of another CTA as fields have it. */
uint64_t ptx_told_shared(const struct ptx_warp *w, const struct ptx_access *a, uint32_t lane);

/* A lane's copy while it is told: its rows one after the other, then its end. */
struct ptx_told_copy {
    const struct ptx_warp *w;
    uint64_t field[COPY_FIELDS];
    uint64_t told; /* bytes for the barrier that are still to be told */
    uint32_t lines;
};
/* barrier: its access, or NULL; it counts `bytes` in all; ctas: of the cluster, 0: as the access says. */
void ptx_tell_copy(struct ptx_told_copy *c, const struct ptx_warp *w, uint32_t lane,
                   const struct ptx_access *barrier, uint64_t bytes, uint32_t ctas);
void ptx_tell_row(struct ptx_told_copy *c, uint64_t address, uint64_t bytes);
void ptx_tell_copied(struct ptx_told_copy *c);

#endif
