/* simcore/mem/stage.h: the stages of a request behind L1, reported to observers of a simulation.
 *
 * The memory path (path_analytic/ or path_event/) reports each stage once its end is known. */
#ifndef VIVACE_SIMCORE_MEM_STAGE_H
#define VIVACE_SIMCORE_MEM_STAGE_H

#include "simcore/engine/event_queue.h"

struct mem_request;
struct observer;

/* Name and text of each stage. Meaning of `place` and `amount`: */
#define MEM_STAGES(X)                                                                                              \
    X(TRANSLATION, "address translation") /* SM; 1. Reported only where it takes time */                           \
    X(REQUEST, "network to L2")           /* SM; bytes, header included */                                         \
    X(TAGS, "L2 tags")                    /* slice; sectors asked for */                                           \
    X(BRIDGE, "L2 bridge")                /* partition it leaves; bytes, header included */                        \
    X(WRITE_BACK, "write-back")           /* channel; sectors written to DRAM */                                   \
    X(FILL, "DRAM")                       /* channel; sectors read from DRAM */                                    \
    X(DATA, "L2 data")                    /* slice; sectors through its data or atomic unit */                     \
    X(REPLY, "network back")              /* SM; bytes, header included */
enum mem_stage {
#define X(name, text) STAGE_##name,
    MEM_STAGES(X)
#undef X
        MEM_STAGE_COUNT
};

struct mem_step {
    enum mem_stage stage;
    uint32_t place, amount;
    sim_time_ps from, to; /* from its arrival at the stage, including waiting */
    uint32_t missed;      /* TAGS, for a read: sectors that L2 fetches from DRAM, without neighbours */
};
/* In observe/observer.c: */
void observer_stage(struct observer *o, const struct mem_request *r, const struct mem_step *step);
/* Level bank: like dram_moved_fn and dram_pending_fn (dram/bank_commands.h). */
void observer_bank_moved(struct observer *o, uint32_t channel, uint32_t bank, uint32_t sectors, sim_time_ps at);
void observer_bank_pending(struct observer *o, uint32_t channel, uint32_t bank, sim_time_ps from, sim_time_ps to);

#endif
