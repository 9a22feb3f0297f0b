/* simcore/sm/outstanding.h: how an SM keeps account of requests that are not over: one table for each kind of
 * memory port (mem/mem_port.h). Where the port says at once when a request will be over, nothing is kept: a
 * register, a line or a group has its time (outstanding.c). Where it calls back, nodes are (flight.h,
 * flight_lines.c). */
#ifndef VIVACE_SIMCORE_SM_OUTSTANDING_H
#define VIVACE_SIMCORE_SM_OUTSTANDING_H

#include "simcore/sm/lines.h"
#include "simcore/sm/mbarrier.h"

struct outstanding_ops {
    const char *name;
    bool known; /* ends are known when requests are made: `admit` and the waits below never stop a warp */
    int (*init)(struct sm *sm, struct err *e);
    void (*release)(struct sm *sm);
    void (*begin)(struct sm *sm); /* nothing is outstanding */
    void (*begin_warp)(struct sm *sm, uint32_t slot);
    void (*rebase)(struct sm *sm, uint32_t cycles); /* local time 0 moves forward */
    /* Not for `known`: an SM runs ahead of `now` only as far as no answer can be felt before. */
    void (*limit)(struct sm *sm, uint32_t now);

    /* May this memory instruction of sub-core `sub` issue at t? Where not, its warps sleep until one may. */
    bool (*admit)(struct sm *sm, uint32_t sub, const struct static_inst *in, uint32_t t);
    /* A warp waits from t on: for its results when it has no more instructions, for its memory operations at a
     * fence, for all but the newest `allowed` of its groups. False: the time is known. */
    bool (*wait_exit)(struct sm *sm, uint32_t slot, uint32_t t);
    bool (*wait_fence)(struct sm *sm, uint32_t slot, uint32_t t);
    bool (*wait_group)(struct sm *sm, uint32_t slot, int32_t allowed, uint32_t t);
    /* Arrivals that wait for the copies of the groups that the warp has committed. False: those have their time. */
    bool (*arrive_late)(struct sm *sm, uint32_t slot, const struct mbarrier_news *news);
    void (*exit)(struct sm *sm, uint32_t slot, uint32_t t); /* the warp has exited */

    /* The lines of an access, from `start` or *t on. look_up: in L1, and what misses it goes to L2. store: writes
     * and reductions; *t becomes later when the unit has to wait for room. They return when the last is over,
     * SM_UNKNOWN or a time that does not matter where its node says. */
    void (*look_up)(struct access *a, uint32_t start, bool bypass, struct found *f);
    uint32_t (*store)(struct access *a, enum mem_kind kind, const uint8_t lanes[], uint32_t *t);
    uint32_t (*atomic)(struct access *a, const uint8_t lanes[], uint32_t start);
    uint32_t (*copy)(struct access *a, enum mem_kind kind, uint32_t start);
    /* A copy by descriptor that a barrier counts is over at `done`, or when its node ends. */
    void (*copied)(struct access *a, const struct mbarrier_news *news, uint32_t done);
};

extern const struct outstanding_ops outstanding_known;  /* for ports that say when requests are over */
extern const struct outstanding_ops outstanding_warm;   /* the same without time: no barrier hears of copies */
extern const struct outstanding_ops outstanding_flight; /* for ports that call back */

#endif
