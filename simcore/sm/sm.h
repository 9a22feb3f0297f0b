/* simcore/sm/sm.h: one streaming multiprocessor: four sub-cores with their warps, CTAs, barriers, the load/store
 * unit and the L1.
 *
 * An SM runs its issue loop in local time, ahead of global time, until its next action would be seen outside; then
 * it asks to be woken at that moment. Local times are 32-bit cycles since `base`, which moves forward now and then.
 * Register times are kept doubled, with a low bit that says "set by memory", for the account of idle slots. */
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
    REG_STRIDE =
        272, /* registers a warp, and a little, so that warps do not fall on the same cache sets of the host */
    BARRIERS_MAX = 16,
    GROUPS_MAX = 8,
    QUEUE_MAX = 16,
    CONTROL_COUNTERS = 6,
    OPERANDS = 3,
    MBARRIERS_MAX = 256,
    SM_REBASE_DEFAULT = 1 << 29,
    SM_REBASE_SLACK = 1 << 16 /* the recent past stays exact: longer than any fixed latency */
};

struct warp { /* what each instruction looks at comes first, all of it in one line of the host's cache */
    _Alignas(HOST_LINE) const struct warp_inst *insts;
    struct launch *launch;
    uint32_t position, count; /* in the window that `insts` is (cta_warp): at its end only where the warp is over */
    uint32_t last_mask;
    uint32_t line;                      /* of code, where it is */
    uint32_t predicate_ready;           /* when the newest predicate can be read as data */
    uint32_t load_done;                 /* when the newest result from memory is there */
    uint32_t results_done;              /* when all results from memory so far are there */
    uint32_t taken;                     /* when address generation took the newest memory instruction */
    uint32_t read;                      /* when all its memory instructions so far have read their registers */
    uint32_t memory_done;               /* when all its memory operations so far are over; for fences */
    uint16_t cta, index;                /* CTA slot; number within the CTA */
    uint32_t counter[CONTROL_COUNTERS]; /* when each counter of the control bits is at zero; doubled */
    uint32_t tensor_done;               /* the same for warp-group products */
    uint32_t group_open;                /* asynchronous copies since the last commit */
    uint32_t group[GROUPS_MAX], groups; /* when the newest committed groups are over; how many were committed */
    uint32_t cluster_phase;             /* of the cluster's barrier, when it arrived there last */
    uint32_t outside;                   /* 1: waits for what another SM may do */
    uint64_t started;                   /* global cycle */
};
/* What there is of a warp: behind it the host's line is filled up, with bytes that nobody has set. */
enum { WARP_BYTES = offsetof(struct warp, started) + sizeof(uint64_t) };
_Static_assert(WARP_BYTES == offsetof(struct warp, outside) + sizeof(uint32_t) + sizeof(uint64_t), "no hole in it");

struct barrier {
    int32_t key;      /* -1 or 0..15: the whole CTA; else the number of threads that it counts */
    uint64_t waiting; /* warps of the CTA, by index */
    uint64_t arrived; /* those that arrived without waiting */
};

/* A barrier in shared memory (mbarrier.h). */
struct mbarrier {
    uint64_t waiting;       /* warps that wait for the end of its phase, by slot */
    uint32_t address;       /* in the CTA's shared memory */
    uint32_t expected;      /* arrivals of later phases */
    int64_t pending, bytes; /* that are still to come; a trace may say any number of them */
    uint32_t latest, done;  /* of what has come in this phase; when the phase before it was complete */
    uint16_t cta;           /* slot */
    uint8_t phase;          /* parity */
};

struct cta {
    struct cta_trace *trace;
    struct launch *launch;
    uint16_t warps, live, waiting;
    uint16_t barriers;
    uint64_t live_mask; /* by index within the CTA */
    uint32_t read;      /* when what its warps that have exited sent to memory has been read from registers */
    uint32_t results;   /* when what they asked memory for is there, though nobody looks at it any more */
    uint32_t born;      /* tells the CTAs of one slot apart */
    uint32_t cluster;   /* its number (cluster.h); 0: none */
    uint8_t rank;       /* in it */
    uint8_t slot_of[SM_WARPS_MAX];
    struct barrier barrier[BARRIERS_MAX];
};

struct sub_core {
    uint32_t ready[SUB_WARPS_MAX]; /* earliest issue of the next instruction; SM_NEVER: empty or at a barrier */
    int32_t rank[SUB_WARPS_MAX]; /* the scheduler's preference, greatest first; the low bits are the place itself */
    uint8_t pipe[SUB_WARPS_MAX]; /* what the next instruction needs; PIPE_NONE where it has no active lane */
    uint8_t reason[SUB_WARPS_MAX]; /* enum slot_reason of that time */
    uint8_t leaves[SUB_WARPS_MAX]; /* 1: it would be seen outside the SM */
    uint32_t next;                 /* earliest cycle at which this sub-core can issue */
    uint64_t accounted;            /* slots before this global cycle are in the counters */
    uint32_t pipe_free[PIPE_COUNT];
    uint32_t agu_free, lsu_taken;   /* address generation; when the load/store unit took what it generated last */
    uint32_t queue_slot[QUEUE_MAX]; /* when each entry of the memory queue is free; a ring */
    uint8_t queue_head, last, resident;
    uint8_t span; /* places that have been taken so far are below: 0 .. span - 1 */
    /* the register file, where its ports are simulated */
    uint32_t bank_free[REGFILE_BANKS_MAX];
    uint8_t kept[OPERANDS]; /* per operand slot: the register that the reuse cache holds for the warp `last` */
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
    size_t count, capacity, first_free; /* none before that is free */
};
/* What all SMs of a GPU share. */
struct sm_env {
    const struct gpu_design *design;
    struct clock_domain clock;
    const struct mem_port *port;               /* to all behind the L1s */
    const struct outstanding_ops *outstanding; /* what SMs keep of requests that are not over */
    uint32_t lookahead; /* an answer of a port that calls back comes to a warp later than this, in cycles */
    struct event_queue *queue;
    struct cta_scheduler *scheduler;
    struct cluster_table clusters;
    struct observer *observer; /* NULL: nobody watches (observe/observer.h) */
    struct launch *charged;    /* whose requests memory has counted since `seen` */
    struct memory_seen seen;   /* counters of memory that are in the accounts of launches */
    uint64_t issued;           /* warp instructions since the simulator began with these launches */
    uint32_t rebase_at;        /* local time at which the base moves */
    bool stopped;              /* the observer has seen enough */
    bool failed;               /* err says why */
    struct err err;
};

/* For the host to fetch: what the SM will look at when it goes on. */
struct sm_soon {
    const struct warp_inst *inst[SUB_CORES]; /* of each sub-core, that of the warp which is ready first */
    uint8_t slot[SUB_CORES];                 /* that warp */
    /* of an instruction that will be seen outside: NULL, or where its addresses are known from */
    const struct cta *cta;
    const struct cta_trace *trace;
    const void *place, *list;
};

/* What an issue loop looks at whatever it does comes first. */
struct sm {
    struct event wake;
    struct sm_soon soon;
    struct sm_env *env;
    uint32_t index;
    bool active;           /* has had a CTA in this launch */
    uint64_t base;         /* global cycle of local time 0 */
    uint32_t run_until;    /* how far the issue loop may run ahead of global time */
    uint32_t last_sub;     /* the sub-core that issued last */
    uint32_t outside;      /* warps that wait for what other SMs may do */
    struct flight *flight; /* of outstanding_flight: what is under way (flight.h) */
    uint32_t *reg_ready;   /* REG_STRIDE a warp; doubled times */
    struct l1 l1;
    struct sub_core sub[SUB_CORES];
    uint32_t pipe_free[PIPE_COUNT];                   /* pipes that the sub-cores share */
    uint32_t stands_still;                            /* until then the load/store unit waits for room for stores */
    uint64_t lsu_free_256;                            /* in 1/256 cycles */
    uint32_t store_slot[SM_STORES_MAX];               /* when each line on its way to L2 is accepted; a heap */
    uint32_t carveout_bytes, resident_ctas, next_age; /* resident_ctas: that still run */
    uint32_t bulk_began, bulk_free;                   /* the copy unit: with the newest copy; for the next */
    uint32_t cluster_free;                            /* the port to other SMs */
    uint32_t births;                                  /* CTAs so far */
    struct sm_room used;                              /* by CTAs whose place has not been given back */
    uint64_t ctas_since;                              /* global cycle since which a CTA has been resident */
    const struct warp_inst *next_inst[SM_WARPS_MAX];  /* of each warp, for sm_soon; may be out of date */
    struct warp warp[SM_WARPS_MAX];                   /* warp w belongs to sub-core w % 4 */
    struct cta cta[SM_CTAS_MAX];
    struct fetch fetch;
    uint32_t mbarriers;
    struct mbarrier mbarrier[MBARRIERS_MAX]; /* in no order */
};

/* `room`: sm_room_bytes() for its registers and its L1, zeroed, on a line of the host's cache, which stays the
 * caller's. */
size_t sm_room_bytes(const struct gpu_design *d);
int sm_init(struct sm *sm, struct sm_env *env, uint32_t index, char *room, struct err *e);
void sm_release(struct sm *sm);
/* Forgets what was before. Called before the first CTA after a time without any on the whole GPU. */
void sm_begin(struct sm *sm, uint64_t base, uint32_t carveout_bytes);
/* Splits the unified memory anew, which empties L1. The SM has no CTA. */
void sm_set_carveout(struct sm *sm, uint32_t carveout_bytes);
/* Starts a CTA, which becomes the SM's until its last warp has exited, in a free slot at a global cycle: returns
 * which. The warps can issue `warp_cycles` apart. */
uint32_t sm_add_cta(struct sm *sm, struct launch *launch, struct cta_trace *trace, uint64_t cycle);
/* The end: the slots up to then go into the account of `launch`; CTAs still resident (after a stall or a limit) are
 * given back to their sources. */
void sm_finish(struct sm *sm, uint64_t end_cycle, struct launch *launch);

/* --- between the files of this folder --- */
void sm_run(struct sm *sm, uint64_t now_cycle); /* issue.c */
void sm_schedule(struct sm *sm, uint32_t t);    /* asks to be woken at local time t or earlier */
void sm_rebase(struct sm *sm, uint32_t cycles); /* rebase.c: what lies before the new time 0 no longer matters */
/* memory_inst.c: runs a memory instruction that issues at t. */
void sm_memory(struct sm *sm, uint32_t slot, const struct warp_inst *wi, const struct static_inst *in, uint32_t t);
/* account.c: what memory has counted since the last call goes to the launch that was charged; from here on `to` is.
 */
void account_memory(struct sm_env *env, struct launch *to);
/* barrier.c: warp `slot` arrives at t; true: it waits. */
bool sm_barrier(struct sm *sm, uint32_t slot, const struct static_inst *in, uint32_t t);
void sm_barrier_exit(struct sm *sm, struct cta *cta,
                     uint32_t t); /* a warp has exited: who no longer has to wait? */
/* issue.c: the warp is over at t: all its instructions have issued and all results have come. */
void sm_exit(struct sm *sm, uint32_t slot, uint32_t t);
/* sm.c: the warp is at the last instruction of its window: goes on to the next one, where there is one. */
void sm_next_window(struct sm *sm, struct warp *w);
/* dependence.c: the warp's next instruction can issue at `from`, as far as `reason` goes; says when it really can.
 */
void sm_set_ready(struct sm *sm, uint32_t slot, uint32_t from, enum slot_reason reason);
/* dependence.c, level control: instruction `in` has issued at t, and the warp could go on at `next`: when may it by
 * the compiler's own bits? */
uint32_t sm_control(struct sm *sm, uint32_t slot, const struct warp_inst *wi, const struct static_inst *in,
                    uint32_t t, uint32_t next);
/* When an instruction that issued at t has read its registers. */
uint32_t sm_read_time(const struct sm *sm, const struct warp *w, const struct static_inst *in, uint32_t t);
/* regfile.c, level banked: when can place i of the sub-core read its operands, at t or later? And: it does, at t.
 */
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
