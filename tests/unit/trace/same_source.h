/* tests/unit/trace/same_source.h: checks that two sources have equal content, including every address. */
#ifndef VIVACE_TESTS_UNIT_TRACE_SAME_SOURCE_H
#define VIVACE_TESTS_UNIT_TRACE_SAME_SOURCE_H

#include <string.h>

#include "simcore/trace/inst_source.h"
#include "tests/harness/check.h"

static inline void check_same_addresses(const struct cta_trace *x, const struct warp_inst *i,
                                        const struct cta_trace *y, const struct warp_inst *k)
{
    struct lane_addresses a, b;

    assert_int_equal(i->address == UINT32_MAX, k->address == UINT32_MAX);
    if (i->address == UINT32_MAX)
        return;
    cta_addresses(x, i->address, &a);
    cta_addresses(y, k->address, &b);
    assert_int_equal(a.kind, b.kind);
    assert_true(a.kind == ADDRESS_LIST || (a.base == b.base && a.stride == b.stride));
    for (uint32_t left = a.kind == ADDRESS_LIST ? i->mask : 0; left; left &= left - 1)
        assert_true(a.list[__builtin_ctz(left)] == b.list[__builtin_ctz(left)]);
}

static inline void check_same_inst(const struct inst_source *s, const struct inst_source *t, uint32_t i, uint32_t k)
{
    const struct trace_inst *x = &s->insts[i], *y = &t->insts[k];

    assert_string_equal(s->opcodes[x->opcode], t->opcodes[y->opcode]);
    assert_int_equal(x->pc, y->pc);
    assert_int_equal(x->width, y->width);
    assert_int_equal(x->dst_count, y->dst_count);
    assert_int_equal(x->dst, y->dst);
    assert_int_equal(x->dst_regs, y->dst_regs);
    assert_int_equal(x->src_count, y->src_count);
    assert_memory_equal(x->src, y->src, x->src_count);
    assert_memory_equal(x->src_regs, y->src_regs, x->src_count);
    assert_true(x->immediate == y->immediate && x->has_immediate == y->has_immediate);
    assert_int_equal(x->control, y->control);
    assert_int_equal(x->other_dst, y->other_dst);
    assert_memory_equal(x->other_src, y->other_src, x->src_count);
    assert_int_equal(x->group, y->group);
}

static inline uint64_t check_same_cta(const struct inst_source *s, const struct cta_trace *x,
                                      const struct inst_source *t, const struct cta_trace *y)
{
    uint64_t count = 0;

    assert_int_equal(x->index, y->index);
    assert_memory_equal(x->id, y->id, sizeof x->id);
    assert_int_equal(x->warp_count, y->warp_count);
    for (uint32_t w = 0; w < x->warp_count; w++) {
        assert_int_equal(x->warps[w].count, y->warps[w].count);
        for (uint32_t i = 0; i < x->warps[w].count; i++, count++) {
            const struct warp_inst *a = &x->warps[w].insts[i], *b = &y->warps[w].insts[i];

            assert_int_equal(a->mask, b->mask);
            check_same_inst(s, t, a->inst, b->inst);
            check_same_addresses(x, a, y, b);
        }
    }
    return count;
}

static inline void check_same_info(const struct kernel_info *a, const struct kernel_info *b)
{
    assert_string_equal(a->name, b->name);
    assert_memory_equal(a->grid, b->grid, sizeof a->grid);
    assert_memory_equal(a->block, b->block, sizeof a->block);
    assert_true(a->id == b->id && a->stream == b->stream);
    assert_true(a->shared_bytes == b->shared_bytes && a->registers == b->registers);
    assert_true(a->binary_version == b->binary_version && a->tracer_version == b->tracer_version);
    assert_true(a->shared_base == b->shared_base && a->local_base == b->local_base);
    assert_int_equal(a->cluster, b->cluster);
}

/* Reads both to their ends. Returns the number of warp instructions, which is the same for both. */
static inline uint64_t check_same_source(struct inst_source *s, struct inst_source *t)
{
    uint64_t count = 0;
    struct err e;

    check_same_info(&s->info, &t->info);
    for (;;) {
        struct cta_trace *x, *y;
        int got = inst_source_next_cta(s, &x, &e), too;

        CHECK_OK(got, &e);
        too = inst_source_next_cta(t, &y, &e);
        CHECK_OK(too, &e);
        assert_int_equal(got, too);
        if (!got)
            break;
        count += check_same_cta(s, x, t, y);
        inst_source_release_cta(s, x);
        inst_source_release_cta(t, y);
    }
    assert_memory_equal(&s->repairs, &t->repairs, sizeof s->repairs);
    return count;
}

#endif
