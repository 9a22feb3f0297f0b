/* simcore/sm/outstanding.h: how an SM tracks outstanding requests: one function table for each kind of memory port
 * (mem/mem_port.h). If the port returns completion times at once, a register, a line or a group stores its time,
 * and no other state is needed (outstanding.c). If the port calls back, nodes track the requests (flight.h,
 * flight_ops.c). */
#ifndef VIVACE_SIMCORE_SM_OUTSTANDING_H
#define VIVACE_SIMCORE_SM_OUTSTANDING_H

#include "simcore/sm/lines.h"
#include "simcore/sm/mbarrier.h"

struct outstanding_ops {
    const char *name;
    bool known; /* completion times are known when requests are sent: `admit` and the waits below never stop a warp
                 */
    int (*init)(struct sm *sm, struct err *e);
    void (*release)(struct sm *sm);
    void (*begin)(struct sm *sm); /* no request is outstanding */
    void (*begin_warp)(struct sm *sm, uint32_t slot);
    void (*rebase)(struct sm *sm, uint32_t cycles); /* local time 0 moves forward */
    /* Only if not `known`: limits how far the SM runs ahead of `now`, so that it sees each answer in time. */
    void (*limit)(struct sm *sm, uint32_t now);

    /* Whether this memory instruction of sub-core `sub` may issue at t. If not, its warps sleep until one may. */
    bool (*admit)(struct sm *sm, uint32_t sub, const struct static_inst *in, uint32_t t);
    /* A warp waits from t on: at its end for its results; at a fence for its memory operations; for all but the
     * newest `allowed` of its groups. False: the time is known. */
    bool (*wait_exit)(struct sm *sm, uint32_t slot, uint32_t t);
    bool (*wait_fence)(struct sm *sm, uint32_t slot, uint32_t t);
    bool (*wait_group)(struct sm *sm, uint32_t slot, int32_t allowed, uint32_t t);
    /* Arrivals that wait for the copies of the warp's committed groups. False: the completion times are known. */
    bool (*arrive_late)(struct sm *sm, uint32_t slot, const struct mbarrier_news *news);
    void (*exit)(struct sm *sm, uint32_t slot, uint32_t t); /* the warp has exited */

    /* Send the lines of an access, from `start` or *t on. look_up: looks up lines in L1 and requests misses from
     * L2. store: writes and reductions; *t is increased if the unit must wait for free entries. They return the
     * completion time of the last line. If the node of the access determines it, they return SM_UNKNOWN or an
     * unused value. */
    void (*look_up)(struct access *a, uint32_t start, bool bypass, struct found *f);
    uint32_t (*store)(struct access *a, enum mem_kind kind, const uint8_t lanes[], uint32_t *t);
    uint32_t (*atomic)(struct access *a, const uint8_t lanes[], uint32_t start);
    uint32_t (*copy)(struct access *a, enum mem_kind kind, uint32_t start);
    /* A bulk copy that a barrier counts completes at `done`, or when its node ends. */
    void (*copied)(struct access *a, const struct mbarrier_news *news, uint32_t done);
};

extern const struct outstanding_ops outstanding_known; /* for ports that return completion times */
extern const struct outstanding_ops
    outstanding_warm; /* as outstanding_known, without time: copies are not reported to barriers */
extern const struct outstanding_ops outstanding_flight; /* for ports that call back */

#endif
