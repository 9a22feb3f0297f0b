/* simcore/sm/cluster.h: clusters: CTAs that run at the same time, meet at a barrier of their own and reach each
 * other's shared memory (compute capability 9 and later).
 *
 * What one SM does to another is felt there `cluster.latency_cycles` later at the earliest: an SM with a warp that
 * waits for others runs no further ahead of global time than that. */
#ifndef VIVACE_SIMCORE_SM_CLUSTER_H
#define VIVACE_SIMCORE_SM_CLUSTER_H

#include "simcore/engine/state_io.h"
#include "simcore/sm/sm.h"

struct cluster {
    uint32_t size, live;                                  /* CTAs; that have not ended. 0: the place is free */
    uint16_t sm[CLUSTER_CTAS_MAX], cta[CLUSTER_CTAS_MAX]; /* where they are, by rank */
    uint16_t over;                                        /* a bit for each that has ended */
    /* its barrier: complete when all warps that live have arrived */
    uint32_t phase;
    uint64_t latest, done;                                         /* global cycles: as of struct mbarrier */
    uint64_t arrived[CLUSTER_CTAS_MAX], waiting[CLUSTER_CTAS_MAX]; /* warps, by index in their CTA */
};

/* A place for a cluster of this number of CTAs: its number, from 1 on; 0 with *e. */
uint32_t cluster_begin(struct sm_env *env, uint32_t size, struct err *e);
/* The CTA is its member of this rank. */
void cluster_join(struct sm_env *env, uint32_t number, uint32_t rank, struct sm *sm, uint32_t cta);
/* Warp `slot` is at the barrier at t: has arrived; waits: true when somebody else will say when it goes on, else
 * not before *until. Without a cluster the CTA is one of its own. */
void cluster_arrive(struct sm *sm, uint32_t slot, uint32_t t);
bool cluster_wait(struct sm *sm, uint32_t slot, uint32_t t, uint32_t *until);
/* A warp of the CTA has exited at t, maybe the last one. */
void cluster_exit(struct sm *sm, struct cta *cta, uint32_t t);
/* The SM of a CTA's fellow of this rank, and which of its CTAs it is; NULL: it has ended, or there is none. */
struct sm *cluster_member(struct sm *sm, const struct cta *cta, uint32_t rank, uint32_t *at);
/* Warp `slot` waits from t on for what another SM may do; a warp of any SM goes on at a global cycle. */
void cluster_wait_outside(struct sm *sm, uint32_t slot, uint32_t t);
void cluster_go_on(struct sm *sm, uint32_t slot, uint64_t cycle, enum slot_reason reason);
/* How far an SM may run ahead while one of its warps waits for others, in cycles. */
uint32_t cluster_lookahead(const struct sm_env *env);
/* Saved or loaded; the CTAs that are members come later. */
void cluster_state(struct sm_env *env, struct state_io *io);

#endif
