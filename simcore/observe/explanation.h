/* simcore/observe/explanation.h: explains one warp, instruction by instruction: its issue time, the reasons for its
 * waits, and the times of its requests at each stage. Cycles are SM cycles since the launch. */
#ifndef VIVACE_SIMCORE_OBSERVE_EXPLANATION_H
#define VIVACE_SIMCORE_OBSERVE_EXPLANATION_H

#include "simcore/observe/observer.h"

enum { EXPLAINED_NOTHING = -1, EXPLAINED_PREDICATE = 256, EXPLAINED_MAX = 1 << 20 /* instructions */ };

/* An instruction waits for the previous instruction, for its operands, for its unit, and for selection by the
 * scheduler, in this order: from <= operands <= ready <= issued. */
struct explained_inst {
    char opcode[32];
    uint32_t pc, mask;
    uint64_t from;     /* the previous instruction allows it (a barrier, a branch or a fence may have delayed it) */
    uint64_t operands; /* its operands are available */
    uint64_t ready;    /* its unit, or an entry of the memory queue, is free */
    uint64_t issued;   /* the scheduler selects it */
    uint8_t reason;    /* enum slot_reason of the longest wait before its selection */
    int16_t operand;   /* the register that was available last, EXPLAINED_PREDICATE, or EXPLAINED_NOTHING */
    bool memory;
    /* for memory instructions only: */
    uint64_t generated; /* address generation begins */
    uint64_t unit_from; /* the load/store unit begins */
    uint32_t unit_cycles;
    uint64_t result; /* its registers can be used; 0: it has no result, or the result is still in flight */
    uint64_t l1[OBSERVED_L1_COUNT];
    uint32_t first_request, requests;
};

struct explained_request {
    struct mem_request request;
    uint32_t first_step, last_step; /* index + 1; 0: none */
};

struct explained_step {
    struct mem_step step;
    uint32_t next; /* index + 1; 0: the last step of its request */
};

struct explanation {
    struct clock_domain clock;
    uint64_t cta;
    uint32_t warp;
    uint64_t from;      /* `from` of the next instruction */
    uint64_t sm, began; /* where and when the warp started */
    bool seen, issuing; /* seen: the warp has run; issuing: the current instruction is of this warp */
    bool failed;        /* out of memory: reported at the end */
    size_t count, capacity, request_count, request_capacity, step_count, step_capacity;
    struct explained_inst *inst;
    struct explained_request *request;
    struct explained_step *step;
};

struct explanation *explanation_new(const struct gpu_design *d, uint64_t cta, uint32_t warp, struct err *e);
void explanation_free(struct explanation *x);

/* --- called by observer.c --- */
void explanation_issue(struct explanation *x, const struct sm *sm, uint32_t slot, uint32_t t);
void explanation_issued(struct explanation *x, const struct sm *sm, uint32_t slot, const struct static_inst *in,
                        uint32_t next, const uint64_t l1[OBSERVED_L1_COUNT]);
void explanation_lsu(struct explanation *x, const struct sm *sm, uint32_t start, uint32_t busy_cycles);
uint32_t explanation_request(struct explanation *x, const struct mem_request *r);
void explanation_stage(struct explanation *x, uint32_t watch, const struct mem_step *step);

#endif
