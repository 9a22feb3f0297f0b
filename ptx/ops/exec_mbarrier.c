/* Barriers in shared memory (mbarrier). They have 64 bits. The layout is our own, because programs must not read
 * it. */
#include <string.h>

#include "ptx/ops/exec_observe.h"

#define NOT_SHARED "a barrier (mbarrier) must be in shared memory"

#define COUNT_BITS 20 /* of arrival counts; the manual allows 1 to 2^20 - 1 */
#define COUNT_MAX  ((1u << COUNT_BITS) - 1)

struct mbarrier {
    uint32_t phase, pending, expected;
    int32_t bytes; /* pending transaction bytes; -(2^20 - 1) to 2^20 - 1 */
};

static struct mbarrier unpack(uint64_t u)
{
    return (struct mbarrier){.phase = (uint32_t)(u & 1),
                             .pending = (uint32_t)(u >> 1) & COUNT_MAX,
                             .expected = (uint32_t)(u >> 21) & COUNT_MAX,
                             .bytes = (int32_t)(u >> 41 & 0x3fffff) - (1 << COUNT_BITS)};
}

static uint64_t pack(const struct mbarrier *b)
{
    return (uint64_t)b->phase | (uint64_t)b->pending << 1 | (uint64_t)b->expected << 21 |
           (uint64_t)(b->bytes + (1 << COUNT_BITS)) << 41;
}

/* Ends the phase when all arrivals and all bytes have come. */
static void settle(struct mbarrier *b)
{
    if (b->pending > 0 || b->bytes != 0)
        return;
    b->phase ^= 1;
    b->pending = b->expected;
}

static int arrive(struct ptx_warp *w, uint32_t lane, struct mbarrier *b, uint32_t count, bool drop)
{
    if (count == 0 || count > b->pending)
        return ptx_fault(w, 1u << lane, "%u threads arrive at an mbarrier that waits for %u more (of %u)", count,
                         b->pending, b->expected);
    b->pending -= count;
    b->expected -= drop ? count : 0;
    settle(b);
    return 0;
}

static int add_bytes(struct ptx_warp *w, uint32_t lane, struct mbarrier *b, int64_t bytes)
{
    if (b->bytes + bytes > (int64_t)COUNT_MAX || b->bytes + bytes < -(int64_t)COUNT_MAX)
        return ptx_fault(w, 1u << lane, "an mbarrier counts at most %u bytes in flight", COUNT_MAX);
    b->bytes += (int32_t)bytes;
    return 0;
}

static int complete_bytes(struct ptx_warp *w, uint32_t lane, struct mbarrier *b, uint32_t bytes)
{
    if (add_bytes(w, lane, b, -(int64_t)bytes) != 0)
        return -1;
    settle(b);
    return 0;
}

static uint64_t source_value(const struct ptx_warp *w, uint16_t row, uint32_t lane, uint32_t bytes, uint64_t none)
{
    uint64_t v = 0;

    if (row == PTX_NO_ROW)
        return none;
    memcpy(&v, ptx_row(w, row) + (size_t)lane * bytes, bytes); /* little-endian, as all rows are */
    return v;
}

static void set_row(const struct ptx_warp *w, uint16_t row, uint32_t lane, uint64_t value, uint32_t bytes)
{
    if (row != PTX_NO_ROW)
        memcpy(ptx_row(w, row) + (size_t)lane * bytes, &value, bytes);
}

static void set_pred(struct ptx_warp *w, uint16_t place, uint32_t lane, bool value)
{
    if (place != PTX_NO_ROW)
        w->lanes.preds[place] = (w->lanes.preds[place] & ~(1u << lane)) | (uint32_t)value << lane;
}

/* Executes one lane's operation on a barrier. */
static int barrier_lane(struct ptx_warp *w, const struct ptx_op *op, uint8_t what, uint32_t lane, uint8_t *at)
{
    struct mbarrier b;
    uint64_t before;
    uint32_t n = (uint32_t)source_value(w, op->args.src[0], lane, 4, 1);
    int ret = 0;

    memcpy(&before, at, sizeof before);
    b = unpack(before);
    switch (what) {
    case PTX_MBARRIER_INIT:
        if (n == 0 || n > COUNT_MAX)
            return ptx_fault(w, 1u << lane, "mbarrier.init: the count is %u; it must be 1 to %u", n, COUNT_MAX);
        b = (struct mbarrier){.pending = n, .expected = n};
        break;
    case PTX_MBARRIER_INVAL:
        b = (struct mbarrier){.bytes = -(1 << COUNT_BITS)}; /* all bits 0 */
        break;
    case PTX_MBARRIER_ARRIVE:
    case PTX_MBARRIER_ARRIVE_DROP:
        ret = arrive(w, lane, &b, n, what == PTX_MBARRIER_ARRIVE_DROP);
        set_row(w, op->args.dst, lane, before, 8);
        break;
    case PTX_MBARRIER_ARRIVE_TX:
    case PTX_MBARRIER_DROP_TX:
        ret = add_bytes(w, lane, &b, n) != 0 ? -1 : arrive(w, lane, &b, 1, what == PTX_MBARRIER_DROP_TX);
        set_row(w, op->args.dst, lane, before, 8);
        break;
    case PTX_MBARRIER_EXPECT_TX: ret = add_bytes(w, lane, &b, n); break;
    case PTX_MBARRIER_COMPLETE_TX: ret = complete_bytes(w, lane, &b, n); break;
    case PTX_CP_ASYNC_ARRIVE: /* without .noinc: the pending count was incremented before, so the arrival has no
                               * net effect */
        ret = op->args.imm == 1 ? arrive(w, lane, &b, 1, false) : 0;
        break;
    case PTX_MBARRIER_TEST:
        set_pred(w, op->args.dst, lane, b.phase != unpack(source_value(w, op->args.src[0], lane, 8, 0)).phase);
        break;
    case PTX_MBARRIER_TEST_PARITY: set_pred(w, op->args.dst, lane, b.phase != (n & 1)); break;
    default: return ptx_fault(w, 1u << lane, "this operation on barriers in memory is not supported");
    }
    before = pack(&b);
    memcpy(at, &before, sizeof before);
    return ret;
}

static void pending_counts(struct ptx_warp *w, const struct ptx_op *op, uint32_t mask)
{
    for (; mask; mask &= mask - 1) {
        uint32_t l = ptx_first_lane(mask);

        set_row(w, op->args.dst, l, unpack(source_value(w, op->args.src[0], l, 8, 0)).pending, 4);
    }
}

static enum barrier_what reported_as(const struct ptx_op *op, uint8_t what)
{
    switch (what) {
    case PTX_MBARRIER_INIT: return BARRIER_INIT;
    case PTX_MBARRIER_INVAL: return BARRIER_INVALIDATE;
    case PTX_MBARRIER_TEST:
    case PTX_MBARRIER_TEST_PARITY: return BARRIER_WAIT;
    case PTX_MBARRIER_ARRIVE_DROP:
    case PTX_MBARRIER_DROP_TX: return BARRIER_ARRIVE_DROP;
    case PTX_CP_ASYNC_ARRIVE: return op->args.imm == 1 ? BARRIER_ARRIVE : BARRIER_ARRIVE_MORE;
    default: return BARRIER_ARRIVE;
    }
}

/* Reports the operation of the lanes of the mask. Waits that were not successful are not reported. */
static void report(const struct ptx_warp *w, const struct ptx_op *op, uint8_t what, const struct ptx_reach *r)
{
    uint32_t count[PTX_LANES] = {0}, mask = r->mask;
    int64_t bytes[PTX_LANES] = {0};
    enum barrier_what as = reported_as(op, what);
    bool waits = as == BARRIER_WAIT;

    if (waits)
        mask &= op->args.dst == PTX_NO_ROW ? UINT32_MAX : w->lanes.preds[op->args.dst];
    for (uint32_t left = mask; left; left &= left - 1) {
        uint32_t l = ptx_first_lane(left);
        uint64_t v = source_value(w, op->args.src[0], l, what == PTX_MBARRIER_TEST ? 8 : 4, 1);

        switch (what) {
        case PTX_MBARRIER_TEST: count[l] = unpack(v).phase; break;
        case PTX_MBARRIER_EXPECT_TX: bytes[l] = (int64_t)v; break;
        case PTX_MBARRIER_COMPLETE_TX: bytes[l] = -(int64_t)v; break;
        case PTX_MBARRIER_ARRIVE_TX:
        case PTX_MBARRIER_DROP_TX:
            count[l] = 1;
            bytes[l] = (int64_t)v;
            break;
        default: count[l] = (uint32_t)v; break;
        }
    }
    ptx_report_barrier(w, r, mask, as, count, bytes);
}

int ptx_do_mbarrier(struct ptx_warp *w, const struct ptx_op *op, uint32_t mask)
{
    const struct ptx_access *a = &w->code->accesses[op->access];
    uint64_t at[PTX_LANES];
    struct ptx_reach r;

    if (a->what == PTX_MBARRIER_PENDING_COUNT) {
        pending_counts(w, op, mask);
        return 0;
    }
    ptx_addresses(w, a, mask, at);
    if (a->what != PTX_MBARRIER_TEST && a->what != PTX_MBARRIER_TEST_PARITY)
        w->cta->stores++;
    while (mask) {
        if (ptx_reach(w, a->space, at, &mask, 8, 8, PTX_USES_BARRIER, &r) != 0)
            return -1;
        if (r.space != PTX_SPACE_SHARED)
            return ptx_fault(w, r.mask, NOT_SHARED);
        for (uint32_t left = r.mask; left; left &= left - 1)
            if (barrier_lane(w, op, a->what, ptx_first_lane(left), ptx_host(&r, ptx_first_lane(left))) != 0)
                return -1;
        if (ptx_is_observed(w))
            report(w, op, a->what, &r);
    }
    return 0;
}

int ptx_mbarrier_complete(struct ptx_warp *w, const struct ptx_access *a, uint32_t lane, uint32_t cta,
                          uint32_t bytes)
{
    uint64_t at[PTX_LANES], bits;
    uint32_t left = 1u << lane;
    struct mbarrier b;
    struct ptx_reach r;

    ptx_addresses(w, a, left, at);
    for (uint32_t l = 0; l < PTX_LANES && cta != PTX_NONE; l++)
        at[l] = ptx_cluster_address(w->cta, at[l], cta);
    if (ptx_reach(w, a->space, at, &left, 8, 8, PTX_USES_BARRIER, &r) != 0)
        return -1;
    if (r.space != PTX_SPACE_SHARED)
        return ptx_fault(w, r.mask, NOT_SHARED);
    memcpy(&bits, ptx_host(&r, lane), sizeof bits);
    b = unpack(bits);
    if (complete_bytes(w, lane, &b, bytes) != 0)
        return -1;
    bits = pack(&b);
    memcpy(ptx_host(&r, lane), &bits, sizeof bits);
    w->cta->stores++;
    return 0;
}
