/* simcore/gpu.h: the GPU put together; open to tests, others use simcore/simcore.h. */
#ifndef VIVACE_SIMCORE_GPU_H
#define VIVACE_SIMCORE_GPU_H

#include "simcore/observe/observer.h"
#include "simcore/sm/cta_scheduler.h"

/* Grids that run at once (CUDA programming guide, "resident grids per device": 128 from 7.0 on, 32 on 6.1). */
enum { LAUNCHES_MAX = 128 };

struct simulator {
    const struct gpu_design *design;
    struct sm_env env;
    struct memory *memory;
    struct mem_port port;
    struct sm *sms;
    char *room; /* of all SMs: sm_room_bytes() each */
    struct cta_scheduler scheduler;
    struct launch *launch[LAUNCHES_MAX]; /* made when first needed; free while its source is NULL */
    uint32_t running;                    /* launches between their first CTA and their end */
    bool native_only;                    /* instructions that the GPU does not have are refused */
    bool several;                        /* items in the list: reports name the launch */
    bool usable;                         /* the run before came to its end: what it left in L2 can be kept */
    uint64_t settled;    /* issue slots before this cycle are in an account; while no launch is there */
    uint64_t slots_idle; /* of them, those that were in nobody's time */
    struct event front;  /* the timeline's next step */
    struct timeline *timeline;
    struct observer observer; /* in use where env.observer points to it */
};

/* Nothing is behind the L1s, and nothing on its way there. */
void simulator_flush(struct simulator *s);

/* --- launch_life.c: from the first CTA to the end --- */
/* A launch of `source` whose stream was ready at begin_cycle. NULL with ERR_INVALID where it does not fit; the
 * source stays the caller's. */
struct launch *launch_new(struct simulator *s, struct inst_source *source, uint64_t begin_cycle, struct err *e);
bool launch_free_place(const struct simulator *s); /* can launch_new() be called? */
int launch_start(struct simulator *s, struct launch *l, uint64_t cycle, struct err *e);
/* All its CTAs have exited: it ends when its last store has been accepted. */
uint64_t launch_end_cycle(const struct simulator *s, const struct launch *l);
/* Ends it at a cycle, and fills its part of the result; the launch is free again. */
int launch_end(struct simulator *s, struct launch *l, uint64_t cycle, enum sim_end end, struct sim_result *out,
               struct err *e);
/* The last cycle that is in any account, or `cycle` if that is later. */
uint64_t launch_furthest(const struct simulator *s, uint64_t cycle);
/* Stops whatever runs at a cycle: all CTAs go back to their sources, and the rest of issue slots to one of the
 * launches, which launch_end() then ends. */
void launch_stop_all(struct simulator *s, uint64_t cycle);
/* The same, and nothing is left of them. */
void launch_abandon_all(struct simulator *s);

/* --- timeline_steps.c --- */
void timeline_fire(struct event *ev, sim_time_ps now);        /* `front` is due */
void timeline_launch_over(void *simulator, struct launch *l); /* its last CTA has exited */

/* Who waits for what, in lines for people. */
char *stall_report(const struct simulator *s, enum sim_end end, struct err *e);

#endif
