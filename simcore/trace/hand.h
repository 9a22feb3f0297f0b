/* simcore/trace/hand.h: hand-written kernels in memory: an inst_source that needs no trace file.
 *
 *   struct hand h;
 *   hand_init(&h, 1, 32);                          one CTA of 32 threads
 *   hand_add(&h, "FFMA", 4, 4, 5, 6);              R4 = f(R4, R5, R6)
 *   hand_add_memory(&h, "LDG.E", 4, 7, 2, -1);     4 bytes a lane: R7 = [R2]
 *   h.address = my_addresses;                      the addresses of memory steps
 *   simulate(design, &h.base, ...); inst_source_release(&h.base);
 *
 * Every warp of every CTA runs all steps; `h.runs` can leave steps out for some warps. For tests and benches only:
 * when memory runs out, or there are too many instructions, the program ends. */
#ifndef VIVACE_SIMCORE_TRACE_HAND_H
#define VIVACE_SIMCORE_TRACE_HAND_H

#include "simcore/trace/cta_store.h"

#define FULL_MASK 0xffffffffu
enum { HAND_INSTS = 512 };

struct hand_step {
    uint32_t inst, mask;
};
struct hand {
    struct inst_source base; /* first member, so that the inst_source pointer can be cast to struct hand */
    struct cta_pool pool;
    struct trace_inst insts[HAND_INSTS];
    const char *opcodes[HAND_INSTS];
    struct hand_step *steps;
    size_t step_count, step_capacity;
    uint64_t ctas, next;
    uint32_t warps, open_ctas, most_open;
    /* The addresses of step `step`, a memory instruction, of a warp: fills base and stride, or a list. NULL: lane
     * * 4. */
    void (*address)(const struct hand *h, uint64_t cta, uint32_t warp, uint32_t step, struct address_set *out);
    /* True when the warp executes the step (with the step's mask). NULL: all warps execute it. */
    bool (*runs)(const struct hand *h, uint64_t cta, uint32_t warp, uint32_t step);
    const void *ctx;
    uint64_t number; /* for the code that writes the kernel */
};

void hand_init(struct hand *h, uint64_t ctas, uint32_t threads);
/* Adds a step: every warp executes instruction `inst`. */
void hand_step(struct hand *h, uint32_t inst, uint32_t mask);
/* Defines an instruction without adding a step. A register below 0: none. Returns the instruction's number. */
uint32_t hand_define(struct hand *h, const char *opcode, uint16_t width, int dst, int a, int b, int c);
uint32_t hand_add(struct hand *h, const char *opcode, int dst, int a, int b, int c);
uint32_t hand_add_memory(struct hand *h, const char *opcode, uint16_t width, int dst, int a, int b);

#endif
