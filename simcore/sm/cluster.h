/* simcore/sm/cluster.h: clusters of CTAs that run at the same time, have a common barrier and access each other's
 * shared memory (compute capability 9 and later).
 *
 *
 * An effect of one SM on another takes at least `cluster.latency_cycles`. An SM with a warp that waits for other
 * SMs runs ahead of global time by no more than that. */
#ifndef VIVACE_SIMCORE_SM_CLUSTER_H
#define VIVACE_SIMCORE_SM_CLUSTER_H

#include "simcore/engine/state_io.h"
#include "simcore/sm/sm.h"

struct cluster {
    uint32_t size, live; /* CTAs; CTAs that have not ended. live 0: the entry is free */
    uint16_t sm[CLUSTER_CTAS_MAX], cta[CLUSTER_CTAS_MAX]; /* SM and CTA slot, by rank */
    uint16_t over;                                        /* a bit for each CTA that has ended */
    /* its barrier, which completes when all live warps have arrived */
    uint32_t phase;
    uint64_t latest, done;                                         /* global cycles, as in struct mbarrier */
    uint64_t arrived[CLUSTER_CTAS_MAX], waiting[CLUSTER_CTAS_MAX]; /* warps, by index in their CTA */
};

/* Allocates a cluster of this number of CTAs. Returns its number, from 1 on; 0 with *e filled. */
uint32_t cluster_begin(struct sm_env *env, uint32_t size, struct err *e);
/* Makes the CTA the member with this rank. */
void cluster_join(struct sm_env *env, uint32_t number, uint32_t rank, struct sm *sm, uint32_t cta);
/* Warp `slot` arrives at the cluster barrier at t, or waits for it. The wait returns true if the warp sleeps until
 * it is woken; else the warp may continue at *until. A CTA without a cluster counts as a cluster of one. */
void cluster_arrive(struct sm *sm, uint32_t slot, uint32_t t);
bool cluster_wait(struct sm *sm, uint32_t slot, uint32_t t, uint32_t *until);
/* A warp of the CTA, possibly its last one, has exited at t. */
void cluster_exit(struct sm *sm, struct cta *cta, uint32_t t);
/* Returns the SM of the cluster member with this rank, and its CTA slot there; NULL: it has ended or does not
 * exist.
 */
struct sm *cluster_member(struct sm *sm, const struct cta *cta, uint32_t rank, uint32_t *at);
/* Warp `slot` waits from t on for an action of another SM; and a warp of any SM is woken at a global cycle. */
void cluster_wait_outside(struct sm *sm, uint32_t slot, uint32_t t);
void cluster_go_on(struct sm *sm, uint32_t slot, uint64_t cycle, enum slot_reason reason);
/* The number of cycles that an SM may run ahead while one of its warps waits for other SMs. */
uint32_t cluster_lookahead(const struct sm_env *env);
/* Saves or loads the clusters; their member CTAs are loaded later. */
void cluster_state(struct sm_env *env, struct state_io *io);

#endif
