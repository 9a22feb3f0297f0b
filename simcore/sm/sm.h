/* simcore/sm/sm.h: one streaming multiprocessor: four sub-cores with their warps, CTAs, barriers, the load/store
 * unit and the L1.
 *
 * An SM runs its issue loop in local time, ahead of global time, until its next action would have an effect outside
 * the SM. Then it schedules a wake-up for that time. Local times are 32-bit cycles since `base`, which moves
 * forward from time to time. Register times are doubled; the low bit means "set by memory" and is used to account
 * idle slots.
 */
#ifndef VIVACE_SIMCORE_SM_SM_H
#define VIVACE_SIMCORE_SM_SM_H

#include "simcore/engine/clock_domain.h"
#include "simcore/engine/wide.h"
#include "simcore/mem/mem_port.h"
#include "simcore/sm/coalescer.h"
#include "simcore/sm/fetch.h"
#include "simcore/sm/l1.h"
#include "simcore/sm/launch.h"
#include "simcore/sm/local_time.h"

enum {
    SM_WARPS_MAX = DESIGN_WARPS_MAX,
    SUB_WARPS_MAX = SM_WARPS_MAX / SUB_CORES,
    SM_CTAS_MAX = 64,
    SM_STORES_MAX = 1024,
    REG_OTHERS = 256, /* registers of the scoreboard: R0 to R254, then OTHER_REGISTERS others (inst_source.h) */
    REG_STRIDE =
        368, /* registers of a warp plus padding, so that warps do not map to the same cache sets of the host */
    BARRIERS_MAX = 16,
    GROUPS_MAX = 8,
    PRODUCTS_MAX = 7, /* committed groups of warp-group products whose times are kept */
    QUEUE_MAX = 16,
    CONTROL_COUNTERS = 6,
    OPERANDS = 3,
    MBARRIERS_MAX = 256,
    SM_REBASE_DEFAULT = 1 << 29,
    SM_REBASE_SLACK = 1 << 16 /* past times within this distance stay exact: longer than any fixed latency */
};

struct warp { /* members that each instruction uses come first, in one cache line of the host */
    _Alignas(HOST_LINE) const struct warp_inst *insts;
    struct launch *launch;
    uint32_t position, count; /* in the window `insts` (cta_warp); position == count only if the warp has ended */
    uint32_t last_mask;
    uint32_t line;                      /* the code line in which it executes */
    uint32_t predicate_ready;           /* when the newest predicate can be read as data */
    uint32_t load_done;                 /* when the newest result from memory is available */
    uint32_t results_done;              /* when all results from memory so far are available */
    uint32_t taken;                     /* when address generation accepted the newest memory instruction */
    uint32_t read;                      /* when all its memory instructions so far have read their registers */
    uint32_t memory_done;               /* when all its memory operations so far have completed; for fences */
    uint16_t cta, index;                /* CTA slot; number within the CTA */
    uint32_t poll_at;                   /* position of its next poll (poll.h); UINT32_MAX: none */
    uint32_t counter[CONTROL_COUNTERS]; /* when each control-bit counter is at zero; doubled */
    uint32_t tensor_done;               /* when its warp-group products have completed */
    uint32_t product[PRODUCTS_MAX];     /* when the newest committed groups of these complete */
    uint32_t products;                  /* number of committed groups; 0 if the trace does not state groups */
    uint32_t group_open;                /* when its asynchronous copies since the last commit have completed */
    uint32_t group[GROUPS_MAX], groups; /* when the newest committed groups complete; number of committed groups */
    uint32_t cluster_phase;             /* phase of the cluster's barrier at its last arrival */
    uint32_t polls;                     /* polls that have issued */
    uint32_t outside;                   /* 1: waits for an action of another SM */
    uint64_t started;                   /* global cycle */
};
/* Used bytes of a warp. The padding after them, up to a cache line of the host, is not initialized. */
enum { WARP_BYTES = offsetof(struct warp, started) + sizeof(uint64_t) };
_Static_assert(WARP_BYTES == offsetof(struct warp, outside) + sizeof(uint32_t) + sizeof(uint64_t), "no hole in it");

struct barrier {
    int32_t key;      /* its number, or the number of threads (above 15) where the trace has no number */
    uint32_t threads; /* that it counts; 0: the whole CTA */
    uint64_t waiting; /* warps of the CTA, by index */
    uint64_t arrived; /* warps that arrived without waiting */
};

/* A barrier in shared memory (mbarrier.h). */
struct mbarrier {
    uint64_t waiting;       /* warps that wait for the end of its phase, by slot */
    uint32_t address;       /* in the CTA's shared memory */
    uint32_t expected;      /* arrivals that later phases need */
    int64_t pending, bytes; /* still missing in this phase; a trace can state any number */
    uint32_t latest, done;  /* latest time of a report in this phase; completion time of the previous phase */
    uint16_t cta;           /* slot */
    uint8_t phase;          /* parity */
};

struct cta {
    struct cta_trace *trace;
    struct launch *launch;
    uint16_t warps, live, waiting;
    uint16_t barriers;
    uint64_t live_mask; /* by index within the CTA */
    uint32_t read;      /* when the stores of its exited warps have been read from registers */
    uint32_t results;   /* when all its pending loads have arrived, including those that no warp waits for */
    uint32_t born;      /* distinguishes successive CTAs of a slot */
    uint32_t cluster;   /* number of its cluster (cluster.h); 0: none */
    uint8_t rank;       /* its rank in the cluster */
    uint8_t slot_of[SM_WARPS_MAX];
    struct barrier barrier[BARRIERS_MAX];
};

struct sub_core {
    uint32_t
        ready[SUB_WARPS_MAX];    /* earliest issue of the next instruction; SM_NEVER: empty slot, or at a barrier */
    int32_t rank[SUB_WARPS_MAX]; /* priority of the scheduler, highest first; the low bits are the slot index */
    uint8_t pipe[SUB_WARPS_MAX]; /* pipe of the next instruction; PIPE_NONE if it has no active lane */
    uint8_t reason[SUB_WARPS_MAX]; /* enum slot_reason for the wait until `ready` */
    uint8_t leaves[SUB_WARPS_MAX]; /* 1: the next instruction has an effect outside the SM */
    uint32_t next;                 /* earliest cycle at which this sub-core can issue */
    uint64_t accounted;            /* slots before this global cycle are included in the counters */
    uint32_t pipe_free[PIPE_COUNT];
    /* when address generation is free; when the load/store unit accepted its last instruction */
    uint32_t agu_free, lsu_taken;
    uint32_t queue_slot[QUEUE_MAX]; /* when each entry of the memory queue is free; a ring */
    uint8_t queue_head, last, resident;
    uint8_t span; /* slots used so far are 0 .. span - 1 */
    /* register file, if its ports are simulated: */
    uint32_t bank_free[REGFILE_BANKS_MAX];
    uint8_t kept[OPERANDS]; /* for each operand slot: the register that the reuse cache holds for the warp `last` */
};

struct cta_scheduler;
struct observer;
struct outstanding_ops;
struct memory_seen {
    struct mem_counters mem;
    struct dram_counters dram;
};
struct cluster_table {
    struct cluster *all;
    size_t count, capacity, first_free; /* no entry before first_free is free */
};
/* State that all SMs of a GPU share. */
struct sm_env {
    const struct gpu_design *design;
    struct clock_domain clock;
    const struct mem_port *port;               /* to everything behind the L1s */
    const struct outstanding_ops *outstanding; /* how SMs track outstanding requests */
    uint32_t lookahead; /* minimum cycles until an answer of a port that calls back affects a warp */
    struct event_queue *queue;
    struct cta_scheduler *scheduler;
    struct cluster_table clusters;
    struct observer *observer; /* NULL: not observed (observe/observer.h) */
    struct launch *charged;    /* the launch of all memory counts since `seen` */
    struct memory_seen seen;   /* memory counts that were already attributed to launches */
    uint64_t issued;           /* warp instructions since the simulator began these launches */
    uint32_t rebase_at;        /* local time at which the base is moved */
    bool stopped;              /* an observer has requested the end of the simulation */
    bool failed;               /* err has the reason */
    struct err err;
};

/* For host prefetching: data that the SM needs first when it continues. */
struct sm_soon {
    /* for each sub-core, the next instruction of the warp that is ready first */
    const struct warp_inst *inst[SUB_CORES];
    uint8_t slot[SUB_CORES]; /* the slot of that warp */
    /* for an instruction with an effect outside the SM: the CTA of its addresses, or NULL */
    const struct cta *cta;
    const struct cta_trace *trace;
    const void *place, *list;
};

/* Members that every issue loop uses come first. */
struct sm {
    struct event wake;
    struct sm_soon soon;
    struct sm_env *env;
    uint32_t index;
    bool active;           /* has had a CTA of this launch */
    uint64_t base;         /* global cycle of local time 0 */
    uint32_t run_until;    /* global time limit for the issue loop */
    uint32_t last_sub;     /* the sub-core that issued last */
    uint32_t outside;      /* warps that wait for actions of other SMs */
    struct flight *flight; /* for outstanding_flight: requests in flight (flight.h) */
    uint32_t *reg_ready;   /* REG_STRIDE entries per warp; doubled times */
    struct l1 l1;
    struct sub_core sub[SUB_CORES];
    uint32_t pipe_free[PIPE_COUNT];     /* pipes that the sub-cores share */
    uint32_t lsu_stalled_until;         /* until then, the load/store unit waits for free store entries */
    uint64_t lsu_free_256;              /* in 1/256 cycles */
    uint32_t store_slot[SM_STORES_MAX]; /* for each line in flight to L2, when it is accepted; a heap */
    uint32_t carveout_bytes, resident_ctas, next_age; /* resident_ctas: CTAs that have not ended */
    uint32_t bulk_began, bulk_free; /* copy unit: when it began the newest copy, and when it accepts the next */
    uint32_t cluster_free;          /* when the port to other SMs is free */
    uint32_t births;                /* number of CTAs started so far */
    struct sm_room used;            /* resources of CTAs whose slot is not yet free again */
    uint64_t ctas_since;            /* global cycle since which at least one CTA is resident */
    const struct warp_inst *next_inst[SM_WARPS_MAX]; /* for each warp, for sm_soon; can be outdated */
    struct warp warp[SM_WARPS_MAX];                  /* warp w belongs to sub-core w % 4 */
    struct cta cta[SM_CTAS_MAX];
    struct fetch fetch;
    uint32_t mbarriers;
    struct mbarrier mbarrier[MBARRIERS_MAX]; /* unordered */
};

/* `room`: sm_room_bytes() for its registers and its L1, zeroed and aligned to a cache line of the host; the caller
 * owns it. */
size_t sm_room_bytes(const struct gpu_design *d);
int sm_init(struct sm *sm, struct sm_env *env, uint32_t index, char *room, struct err *e);
void sm_release(struct sm *sm);
/* Resets the SM. Call before the first CTA after the whole GPU was empty. */
void sm_begin(struct sm *sm, uint64_t base, uint32_t carveout_bytes);
/* Changes the split of the unified memory, which empties L1. The SM must have no CTA. */
void sm_set_carveout(struct sm *sm, uint32_t carveout_bytes);
/* Starts a CTA in a free slot at a global cycle and returns the slot. The SM owns the CTA until its last warp has
 * exited. The first issues of its warps are `warp_cycles` apart. */
uint32_t sm_add_cta(struct sm *sm, struct launch *launch, struct cta_trace *trace, uint64_t cycle);
/* Ends the simulation: accounts the slots up to `end_cycle` to `launch` and releases resident CTAs (after a stall
 * or a limit) to their sources. */
void sm_finish(struct sm *sm, uint64_t end_cycle, struct launch *launch);

/* --- internal functions --- */
void sm_run(struct sm *sm, uint64_t now_cycle); /* issue.c */
void sm_schedule(struct sm *sm, uint32_t t);    /* wake.c: schedules a wake-up at local time t or earlier */
void sm_rebase(struct sm *sm, uint32_t cycles); /* rebase.c: times before the new time 0 are no longer exact */
/* In memory_inst.c: executes a memory instruction that issues at t. */
void sm_memory(struct sm *sm, uint32_t slot, const struct warp_inst *wi, const struct static_inst *in, uint32_t t);
/* In account.c: attributes memory counts since the last call to the launch that was charged; from now on, charges
 * `to`. */
void account_memory(struct sm_env *env, struct launch *to);
/* In barrier.c: warp `slot` arrives at t; true: it waits. */
bool sm_barrier(struct sm *sm, uint32_t slot, const struct warp_inst *wi, const struct static_inst *in, uint32_t t);
void sm_barrier_exit(struct sm *sm, struct cta *cta,
                     uint32_t t); /* a warp has exited: releases barriers that it completes */
/* In exit.c: ends the warp at t, after all its instructions have issued and all results have arrived. */
void sm_exit(struct sm *sm, uint32_t slot, uint32_t t);
/* In sm.c: moves the warp, which is at the last instruction of its window, to the next window if there is one. */
void sm_next_window(struct sm *sm, struct warp *w);
/* In dependence.c: the warp's next instruction can issue at `from` at the earliest, because of `reason`; computes
 * its actual ready time. */
void sm_set_ready(struct sm *sm, uint32_t slot, uint32_t from, enum slot_reason reason);
/* In dependence.c, level control: instruction `in` has issued at t, and the warp could continue at `next`. Returns
 * when it may continue according to the control bits. */
uint32_t sm_control(struct sm *sm, uint32_t slot, const struct warp_inst *wi, const struct static_inst *in,
                    uint32_t t, uint32_t next);
/* When an instruction that issued at t has read its registers. */
uint32_t sm_read_time(const struct sm *sm, const struct warp *w, const struct static_inst *in, uint32_t t);
/* In regfile.c, level banked: the earliest time, from t on, at which the instruction in warp slot i can read its
 * operands; and the read itself, at t. */
uint32_t regfile_ready(const struct sm *sm, const struct sub_core *sc, uint32_t i, const struct static_inst *in,
                       uint32_t t);
void regfile_read(const struct sm *sm, struct sub_core *sc, uint32_t i, const struct static_inst *in, uint32_t t);

static inline uint32_t sm_local_of(uint64_t base, uint64_t cycle)
{
    uint64_t t = cycle > base ? cycle - base : 0;

    return t < SM_TIME_MAX ? (uint32_t)t : SM_TIME_MAX;
}
static inline uint32_t sm_local(const struct sm *sm, uint64_t cycle)
{
    return sm_local_of(sm->base, cycle);
}
static inline uint32_t *sm_registers(struct sm *sm, uint32_t slot)
{
    return sm->reg_ready + (size_t)slot * REG_STRIDE;
}
#endif
