/* simcore/sm/launch.h: one running kernel launch: its code, occupancy, progress and counters.
 *
 *
 * Each action of an SM is for the launch of the acting warp, so several launches can share a GPU. */
#ifndef VIVACE_SIMCORE_SM_LAUNCH_H
#define VIVACE_SIMCORE_SM_LAUNCH_H

#include "simcore/counters.h"
#include "simcore/engine/event_queue.h"
#include "simcore/sm/occupancy.h"
#include "simcore/sm/static_inst.h"

/* 8 CTAs, or 16 if the program requests it (CUDA programming guide, compute capability 9.0). */
enum { CLUSTER_CTAS_MAX = 16 };

struct launch {
    struct inst_source *source; /* owned by the caller */
    struct static_code code;
    struct occupancy fit;
    struct counters count;
    /* bases of the generic address windows of shared and local memory; 0: unknown */
    uint64_t shared_base, local_base;
    uint64_t grid_ctas, taken; /* CTAs of the grid; CTAs taken from the source, including empty ones */
    uint64_t resident;         /* CTAs resident on SMs */
    bool drained;              /* the source has no more CTAs, and no CTA that was read waits for placement */
    sim_time_ps stores_done;   /* when the last store was accepted */
    uint64_t stores_open;      /* event mode: lines of stores that are not yet accepted */
    uint64_t begin_cycle;      /* when its stream became ready */
    uint64_t first_cycle;      /* when its first CTA could start */
    uint64_t last_cycle;       /* the cycle after the last exit of a CTA */
    uint64_t dram_busy_before; /* busy time of all channels when its first CTA could start */
    bool alone;                /* no other launch was on the GPU at the same time */
    uint32_t cluster;          /* CTAs that start together in one GPC; 1: no clusters */
    struct cta_trace
        *held[CLUSTER_CTAS_MAX]; /* CTAs taken but not placed: the next cluster, until it is complete */
    uint32_t held_count;
    uint64_t on_sm[DESIGN_SMS_MAX / 64]; /* a bit for each SM that has executed one of its CTAs */
    struct launch *next;                 /* next launch in the list of launches with CTAs to place */
};

#endif
