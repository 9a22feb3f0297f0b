/* ptx/decode/decode_async.c: asynchronous copies, and barriers in memory. */
#include "ptx/decode/decode_internal.h"

#define WHICH(d, words) decode_which(d, words, sizeof(words) / sizeof *(words))

static struct ptx_access *begin_async(struct decoder *d, int what)
{
    struct ptx_access *a = decode_new_access(d);

    d->op->action = PTX_DO_ASYNC;
    if (a)
        a->what = (uint8_t)what;
    return a;
}

/* --- cp.async --- */

static int copy_source(struct decoder *d, struct ptx_access *a)
{
    struct ptx_access from = {.space = PTX_SPACE_GLOBAL, .base = PTX_NO_ROW};

    if (decode_address(d, decode_operand(d, 1), &from) < 0)
        return -1;
    if (from.offset < INT32_MIN || from.offset > INT32_MAX)
        return decode_unsupported(d);
    a->values[0] = from.base;
    a->value_count = 1;
    a->value_bits = from.base_bits;
    d->op->args.imm = (uint32_t)(int32_t)from.offset;
    return 0;
}

/* [destination], [source], size {, source size or predicate ignore-src} */
static int copy(struct decoder *d)
{
    struct ptx_access *a;
    uint64_t size;

    if (decode_count(d, 3, 5) < 0 || !(a = begin_async(d, PTX_CP_ASYNC)) || decode_integer(d, 2, &size) < 0)
        return -1;
    if (size != 4 && size != 8 && size != 16)
        return decode_fault(d, ERR_MALFORMED, &decode_operand(d, 2)->place, "cp.async copies 4, 8 or 16 bytes");
    a->space = PTX_SPACE_SHARED;
    a->type = PTX_B8;
    a->vector = (uint8_t)size;
    if (decode_address(d, decode_operand(d, 0), a) < 0 || copy_source(d, a) < 0)
        return -1;
    if (d->i->operand_count > 3) {
        const struct ptx_operand *o = decode_operand(d, 3);
        bool predicate = o->kind == PTX_OP_REG && d->f->registers[o->index].type == PTX_PRED;

        if (ptx_has(d->i, ".L2::cache_hint") && d->i->operand_count == 4)
            return 0; /* a cache policy */
        return predicate ? decode_to_src(d, 3, 1, 1) : decode_to_src(d, 3, 32, 0);
    }
    return 0;
}

static int wait_group(struct decoder *d)
{
    uint64_t groups;

    if (decode_count(d, 1, 1) < 0 || !begin_async(d, PTX_CP_ASYNC_WAIT) || decode_integer(d, 0, &groups) < 0)
        return -1;
    d->op->args.imm = groups < UINT32_MAX ? (uint32_t)groups : UINT32_MAX;
    return 0;
}

static int copy_arrive(struct decoder *d)
{
    struct ptx_access *a;

    if (decode_count(d, 1, 1) < 0 || !(a = begin_async(d, PTX_CP_ASYNC_ARRIVE)))
        return -1;
    a->type = PTX_B64;
    d->op->args.imm = ptx_has(d->i, ".noinc");
    return decode_space(d, &a->space) < 0 ? -1 : decode_address(d, decode_operand(d, 0), a);
}

int decode_cp(struct decoder *d)
{
    if (ptx_has(d->i, ".bulk"))
        return decode_bulk(d);
    if (!ptx_has(d->i, ".async") || ptx_has(d->i, ".shared::cluster"))
        return decode_unsupported(d);
    if (ptx_has(d->i, ".mbarrier"))
        return copy_arrive(d);
    if (ptx_has(d->i, ".wait_group"))
        return wait_group(d);
    if (ptx_has(d->i, ".commit_group"))
        return decode_count(d, 0, 0) < 0 || !begin_async(d, PTX_CP_ASYNC_COMMIT) ? -1 : 0;
    if (ptx_has(d->i, ".wait_all"))
        return decode_count(d, 0, 0) < 0 || !begin_async(d, PTX_CP_ASYNC_WAIT_ALL) ? -1 : 0;
    return ptx_has(d->i, ".shared") || ptx_has(d->i, ".shared::cta") ? copy(d) : decode_unsupported(d);
}

/* --- mbarrier --- */

/* [barrier] {, value} at operand k */
static int barrier_at(struct decoder *d, struct ptx_access *a, uint32_t k, uint32_t bits)
{
    a->type = PTX_B64;
    if (decode_space(d, &a->space) < 0 || decode_address(d, decode_operand(d, k), a) < 0)
        return -1;
    return k + 1 < d->i->operand_count ? decode_to_src(d, k + 1, bits, 0) : 0;
}

/* arrive: {state,} [barrier] {, count or bytes} */
static int arrive(struct decoder *d, int what)
{
    uint32_t at = decode_operand(d, 0)->kind == PTX_OP_ADDRESS ? 0 : 1;
    struct ptx_access *a;

    if (ptx_has(d->i, ".expect_tx"))
        what = what == PTX_MBARRIER_ARRIVE ? PTX_MBARRIER_ARRIVE_TX : PTX_MBARRIER_DROP_TX;
    if (decode_count(d, at + 1, at + 2) < 0 || !(a = begin_async(d, what)))
        return -1;
    if (at && decode_result(d, decode_operand(d, 0), 64, &d->op->args.dst) < 0)
        return -1;
    return barrier_at(d, a, at, 32);
}

/* p, [barrier], state or parity {, time} */
static int test_wait(struct decoder *d)
{
    bool parity = ptx_has(d->i, ".parity");
    struct ptx_access *a;

    if (decode_count(d, 3, 4) < 0 || !(a = begin_async(d, parity ? PTX_MBARRIER_TEST_PARITY : PTX_MBARRIER_TEST)))
        return -1;
    if (decode_result(d, decode_operand(d, 0), 1, &d->op->args.dst) < 0)
        return -1;
    return barrier_at(d, a, 1, parity ? 32 : 64);
}

static int pending_count(struct decoder *d)
{
    if (decode_count(d, 2, 2) < 0 || !begin_async(d, PTX_MBARRIER_PENDING_COUNT))
        return -1;
    return decode_result(d, decode_operand(d, 0), 32, &d->op->args.dst) < 0 ? -1 : decode_to_src(d, 1, 64, 0);
}

int decode_mbarrier(struct decoder *d)
{
    static const struct decode_word kinds[] = {{".init", PTX_MBARRIER_INIT},
                                               {".inval", PTX_MBARRIER_INVAL},
                                               {".arrive", PTX_MBARRIER_ARRIVE},
                                               {".arrive_drop", PTX_MBARRIER_ARRIVE_DROP},
                                               {".test_wait", PTX_MBARRIER_TEST},
                                               {".try_wait", PTX_MBARRIER_TEST},
                                               {".pending_count", PTX_MBARRIER_PENDING_COUNT},
                                               {".expect_tx", PTX_MBARRIER_EXPECT_TX},
                                               {".complete_tx", PTX_MBARRIER_COMPLETE_TX}};
    int what = WHICH(d, kinds);
    bool alone = what == PTX_MBARRIER_INVAL;
    struct ptx_access *a;

    if (what < 0) /* .noComplete is not in the table: it is a promise of the program */
        return decode_unsupported(d);
    if (d->i->operand_count == 0)
        return decode_count(d, 1, 1);
    switch (what) {
    case PTX_MBARRIER_ARRIVE:
    case PTX_MBARRIER_ARRIVE_DROP: return arrive(d, what);
    case PTX_MBARRIER_TEST: return test_wait(d);
    case PTX_MBARRIER_PENDING_COUNT: return pending_count(d);
    default: break;
    }
    if (decode_count(d, alone ? 1 : 2, alone ? 1 : 2) < 0 || !(a = begin_async(d, what)))
        return -1;
    return barrier_at(d, a, 0, 32);
}
