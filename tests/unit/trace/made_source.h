/* tests/unit/trace/made_source.h: a kernel that a function of the test generates, CTA by CTA. */
#ifndef VIVACE_TESTS_UNIT_TRACE_MADE_SOURCE_H
#define VIVACE_TESTS_UNIT_TRACE_MADE_SOURCE_H

#include "simcore/trace/accel_sim.h"
#include "simcore/trace/cta_store.h"
#include "tests/harness/check.h"

struct made_source {
    struct inst_source source; /* must be the first member */
    struct cta_pool pool;
    uint64_t ctas, next;
    /* Fills the CTA with this index. Its id is computed from the index unless `fill` sets another. */
    void (*fill)(struct cta_store *c, uint64_t index);
};

static inline int made_next(struct inst_source *source, struct cta_trace **out, struct err *e)
{
    struct made_source *m = (struct made_source *)source;
    const struct kernel_info *k = &source->info;
    struct cta_store *c;

    if (m->next == m->ctas)
        return 0;
    c = cta_pool_take(&m->pool, (k->block[0] * k->block[1] * k->block[2] + 31) / 32, e);
    assert_non_null(c);
    c->trace.id[0] = (uint32_t)(m->next % k->grid[0]);
    c->trace.id[1] = (uint32_t)(m->next / k->grid[0] % k->grid[1]);
    c->trace.id[2] = (uint32_t)(m->next / k->grid[0] / k->grid[1]);
    m->fill(c, m->next);
    cta_store_finish(c);
    c->trace.index = m->next++;
    *out = &c->trace;
    return 1;
}

static inline void made_release_cta(struct inst_source *source, struct cta_trace *cta)
{
    cta_pool_give(&((struct made_source *)source)->pool, cta->opaque);
}

static inline void made_release(struct inst_source *source)
{
    cta_pool_release(&((struct made_source *)source)->pool);
}

static const struct inst_source_ops made_ops = {"made", made_next, made_release_cta, made_release};

/* Opcodes of the test instructions: 0 no access, 1 global load of 4 bytes, 2 global store of 16, 3 shared load of
 * 4, 4 an instruction with all fields. */
static const char *const made_opcodes[] = {"FFMA", "LDG.E.SYS", "STG.E.128.SYS", "LDS.U", "HMMA.1688.F32"};
static const struct trace_inst made_insts[] = {
    {.opcode = 0, .pc = 0x10, .dst_count = 1, .dst = 3, .dst_regs = 1},
    {.opcode = 1,
     .pc = 0x20,
     .width = 4,
     .dst_count = 1,
     .dst = 4,
     .dst_regs = 1,
     .src_count = 1,
     .src = {2},
     .src_regs = {2}},
    {.opcode = 2, .pc = 0x30, .width = 16, .src_count = 2, .src = {2, 4}, .src_regs = {2, 4}},
    {.opcode = 3, .pc = 0x18, .width = 4, .dst_count = 1, .dst = 255, .dst_regs = 1},
    {.opcode = 4,
     .pc = UINT32_MAX,
     .dst_count = 1,
     .src_count = 8,
     .dst = 252,
     .dst_regs = 4,
     .src = {0, 1, 2, 3, 252, 253, 254, 255},
     .src_regs = {1, 2, 4, 8, 1, 2, 3, 4},
     .immediate = INT64_MIN,
     .has_immediate = true,
     .control = CONTROL_KNOWN | 0x1fffff},
};

static inline void make_source(struct made_source *m, uint32_t x, uint32_t y, uint32_t z, uint32_t threads,
                               void (*fill)(struct cta_store *, uint64_t))
{
    *m = (struct made_source){.ctas = (uint64_t)x * y * z, .fill = fill};
    m->source = (struct inst_source){.ops = &made_ops,
                                     .insts = made_insts,
                                     .inst_count = sizeof made_insts / sizeof *made_insts,
                                     .opcodes = made_opcodes,
                                     .opcode_count = sizeof made_opcodes / sizeof *made_opcodes,
                                     .info = {.name = (char *)"_Z4madePf",
                                              .id = 7,
                                              .grid = {x, y, z},
                                              .block = {threads, 1, 1},
                                              .shared_bytes = 48,
                                              .registers = 33,
                                              .binary_version = 80,
                                              .stream = UINT64_MAX,
                                              .shared_base = UINT64_C(0x7f4b41000000),
                                              .local_base = UINT64_C(0x7f4b40000000),
                                              .tracer_version = 5}};
}

static inline void add_plain(struct cta_store *c, uint32_t inst, uint32_t mask)
{
    struct err e;

    CHECK_OK(cta_store_add(c, inst, mask, NO_ADDRESS, &e), &e);
}

static inline void add_run(struct cta_store *c, uint32_t inst, uint32_t mask, uint64_t base, int64_t stride)
{
    struct address_set a = {.base = base, .stride = stride};
    struct err e;
    uint32_t row;

    CHECK_OK(cta_store_add_addresses(c, &a, &row, &e), &e);
    CHECK_OK(cta_store_add(c, inst, mask, row, &e), &e);
}

static inline void add_list(struct cta_store *c, uint32_t inst, uint32_t mask, const uint64_t lanes[WARP_LANES])
{
    struct address_set a = {.is_list = true, .base = lanes[__builtin_ctz(mask)]};
    struct err e;
    uint32_t row;

    memcpy(a.lanes, lanes, sizeof a.lanes);
    CHECK_OK(cta_store_add_addresses(c, &a, &row, &e), &e);
    CHECK_OK(cta_store_add(c, inst, mask, row, &e), &e);
}

#endif
