/* simcore/sm/launch.h: one kernel launch while it runs: its code, what fits, how far it is, what it counted.
 *
 * Everything an SM does is done for the launch of the warp that does it, so that several can share a GPU. */
#ifndef VIVACE_SIMCORE_SM_LAUNCH_H
#define VIVACE_SIMCORE_SM_LAUNCH_H

#include "simcore/counters.h"
#include "simcore/engine/event_queue.h"
#include "simcore/sm/occupancy.h"
#include "simcore/sm/static_inst.h"

/* 8 CTAs, 16 where the program asks for it (CUDA programming guide, compute capability 9.0). */
enum { CLUSTER_CTAS_MAX = 16 };

struct launch {
    struct inst_source *source; /* the caller's */
    struct static_code code;
    struct occupancy fit;
    struct counters count;
    uint64_t shared_base, local_base; /* generic windows of its shared and local memory; 0: not said */
    uint64_t grid_ctas, taken;        /* CTAs that its grid has; that came from the source, empty ones too */
    uint64_t resident;                /* CTAs in SMs now */
    bool drained;                     /* the source has no more, and none is held back */
    sim_time_ps stores_done;          /* when its last store was accepted */
    uint64_t stores_open;             /* event mode: lines that are not accepted yet */
    uint64_t begin_cycle;             /* its stream was ready */
    uint64_t first_cycle;             /* its first CTA could start */
    uint64_t last_cycle;              /* behind the last exit of one of its CTAs */
    uint64_t dram_busy_before;        /* of all channels, when its first CTA could start */
    bool alone;                       /* no other launch was on the GPU in its time */
    uint32_t cluster;                 /* CTAs that start together in one GPC; 1: each alone */
    struct cta_trace *held[CLUSTER_CTAS_MAX]; /* taken and not placed: the next cluster, until it is whole */
    uint32_t held_count;
    uint64_t on_sm[DESIGN_SMS_MAX / 64]; /* a bit for each SM that had one of its CTAs */
    struct launch *next;                 /* in the queue of those with CTAs to place */
};

#endif
