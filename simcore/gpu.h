/* simcore/gpu.h: the whole GPU. For tests; other code uses simcore/simcore.h. */
#ifndef VIVACE_SIMCORE_GPU_H
#define VIVACE_SIMCORE_GPU_H

#include "simcore/observe/observer.h"
#include "simcore/sm/cta_scheduler.h"

/* Concurrent grids (CUDA programming guide, "resident grids per device": 128 from 7.0 on, 32 on 6.1). */
enum { LAUNCHES_MAX = 128 };

struct simulator {
    const struct gpu_design *design;
    struct sm_env env;
    struct memory *memory;
    struct mem_port port;
    struct sm *sms;
    char *room; /* memory of all SMs: sm_room_bytes() each */
    struct cta_scheduler scheduler;
    struct launch *launch[LAUNCHES_MAX]; /* allocated at first use; free while its source is NULL */
    uint32_t running;                    /* launches between their first CTA and their end */
    bool native_only;                    /* instructions that the GPU does not have are errors */
    bool several;                        /* the list has several items: reports name the launch */
    bool usable;                         /* the previous run completed, so its L2 content can be kept */
    uint64_t settled;    /* issue slots before this cycle are accounted; updated while there is no launch */
    uint64_t slots_idle; /* accounted slots that belong to no launch */
    struct event front;  /* fires at the timeline's next step */
    struct timeline *timeline;
    struct observer observer; /* active if env.observer points to it */
};

/* Empties everything behind the L1s. */
void simulator_flush(struct simulator *s);

/* --- launch_life.c: a launch from its first CTA to its end --- */
/* Makes a launch of `source` whose stream was ready at begin_cycle. NULL with ERR_INVALID if it does not fit on the
 * GPU. The caller owns the source. */
struct launch *launch_new(struct simulator *s, struct inst_source *source, uint64_t begin_cycle, struct err *e);
bool launch_free_place(const struct simulator *s); /* whether launch_new() can be called */
int launch_start(struct simulator *s, struct launch *l, uint64_t cycle, struct err *e);
/* The cycle at which its last store has been accepted. All its CTAs must have exited. */
uint64_t launch_end_cycle(const struct simulator *s, const struct launch *l);
/* Ends the launch at a cycle and fills its part of the result; the launch is free again. */
int launch_end(struct simulator *s, struct launch *l, uint64_t cycle, enum sim_end end, struct sim_result *out,
               struct err *e);
/* The last accounted cycle, or `cycle` if that is later. */
uint64_t launch_furthest(const struct simulator *s, uint64_t cycle);
/* Stops all launches at a cycle: releases all CTAs to their sources, and accounts the remaining issue slots to one
 * of the launches, which launch_end() must then end. */
void launch_stop_all(struct simulator *s, uint64_t cycle);
/* As launch_stop_all(); also removes the launches. */
void launch_abandon_all(struct simulator *s);

/* --- timeline_steps.c --- */
void timeline_fire(struct event *ev, sim_time_ps now); /* called when `front` fires */
void timeline_launch_over(void *simulator,
                          struct launch *l); /* called when the last CTA of the launch has exited */

/* Lists the waiting warps and the reasons, as lines of text. */
char *stall_report(const struct simulator *s, enum sim_end end, struct err *e);

#endif
