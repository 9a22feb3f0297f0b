#include "simcore/trace/hand.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "simcore/trace/survey.h"

/* Writes the steps of warp w. */
static int write_warp(struct hand *h, struct cta_store *c, uint32_t w, struct err *e)
{
    for (uint32_t i = 0; i < h->step_count; i++) {
        const struct hand_step *step = &h->steps[i];
        struct address_set a = {.base = 0, .stride = 4};
        uint32_t row = NO_ADDRESS;

        if (h->runs && !h->runs(h, h->next, w, i))
            continue;
        if (h->insts[step->inst].width && step->mask) {
            if (h->address)
                h->address(h, h->next, w, i, &a);
            if (cta_store_add_addresses(c, &a, &row, e) < 0)
                return -1;
        }
        if (cta_store_add(c, step->inst, step->mask, row, e) < 0)
            return -1;
    }
    return 0;
}

static int hand_next_cta(struct inst_source *s, struct cta_trace **out, struct err *e)
{
    struct hand *h = (struct hand *)s;
    struct cta_store *c;

    if (h->next == h->ctas)
        return 0;
    c = cta_pool_take(&h->pool, h->warps, e);
    if (!c)
        return -1;
    for (uint32_t w = 0; w < h->warps; w++) {
        cta_store_begin_warp(c, w);
        if (write_warp(h, c, w, e) < 0) {
            cta_pool_give(&h->pool, c);
            return -1;
        }
        cta_store_end_warp(c, w);
    }
    cta_store_finish(c);
    c->trace.index = h->next;
    c->trace.id[0] = (uint32_t)h->next++;
    c->trace.id[1] = c->trace.id[2] = 0;
    if (++h->open_ctas > h->most_open)
        h->most_open = h->open_ctas;
    *out = &c->trace;
    return 1;
}

static void hand_release_cta(struct inst_source *s, struct cta_trace *cta)
{
    struct hand *h = (struct hand *)s;

    h->open_ctas--;
    cta_pool_give(&h->pool, (struct cta_store *)cta);
}

/* Counts by generating all CTAs a second time. */
static int hand_survey(struct inst_source *s, struct survey *out, struct err *e)
{
    struct hand again = *(struct hand *)s;
    int ret;

    again.pool = (struct cta_pool){0};
    again.next = again.open_ctas = 0;
    ret = survey_read(&again.base, out, e);
    cta_pool_release(&again.pool);
    return ret;
}

static void give_up(const char *why)
{
    fprintf(stderr, "a kernel written by hand: %s\n", why);
    exit(2);
}

static void hand_release(struct inst_source *s)
{
    struct hand *h = (struct hand *)s;

    if (h->open_ctas)
        give_up("the simulator kept a CTA");
    cta_pool_release(&h->pool);
    free(h->steps);
}

void hand_init(struct hand *h, uint64_t ctas, uint32_t threads)
{
    static const struct inst_source_ops ops = {"hand", hand_next_cta, hand_release_cta, hand_release};

    memset(h, 0, sizeof *h);
    h->base.ops = &ops;
    h->base.survey = hand_survey;
    h->base.info = (struct kernel_info){.name = (char *)(uintptr_t) "hand",
                                        .id = 1,
                                        .grid = {(uint32_t)ctas, 1, 1},
                                        .block = {threads, 1, 1},
                                        .registers = 32,
                                        .binary_version = 70};
    h->base.insts = h->insts;
    h->base.opcodes = h->opcodes;
    h->ctas = ctas;
    h->warps = (threads + 31) / 32;
}

void hand_step(struct hand *h, uint32_t inst, uint32_t mask)
{
    struct err e;

    if (array_reserve((void **)&h->steps, &h->step_capacity, h->step_count + 1, sizeof *h->steps, &e) < 0)
        give_up(e.text);
    h->steps[h->step_count++] = (struct hand_step){inst, mask};
}

uint32_t hand_define(struct hand *h, const char *opcode, uint16_t width, int dst, int a, int b, int c)
{
    uint32_t i = (uint32_t)h->base.inst_count++;
    const int src[3] = {a, b, c};
    struct trace_inst *t;

    if (i >= HAND_INSTS)
        give_up("more instructions than HAND_INSTS");
    t = &h->insts[i];
    h->base.opcode_count = h->base.inst_count;
    h->opcodes[i] = opcode;
    *t = (struct trace_inst){.opcode = i, .pc = i * 16, .width = width};
    if (dst >= 0) {
        t->dst_count = 1;
        t->dst = (uint8_t)dst;
        t->dst_regs = 1;
    }
    for (int k = 0; k < 3; k++) {
        if (src[k] < 0)
            continue;
        t->src[t->src_count] = (uint8_t)src[k];
        t->src_regs[t->src_count++] = 1;
    }
    return i;
}

uint32_t hand_add(struct hand *h, const char *opcode, int dst, int a, int b, int c)
{
    uint32_t i = hand_define(h, opcode, 0, dst, a, b, c);

    hand_step(h, i, FULL_MASK);
    return i;
}

uint32_t hand_add_memory(struct hand *h, const char *opcode, uint16_t width, int dst, int a, int b)
{
    uint32_t i = hand_define(h, opcode, width, dst, a, b, -1);

    hand_step(h, i, FULL_MASK);
    return i;
}
