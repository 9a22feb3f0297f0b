/* Asynchronous copies (cp.async) and barriers in shared memory (mbarrier).
 *
 * A copy may complete at once, and does. In strict mode its bytes are written when its thread waits for them, so
 * that a wait that is missing shows in the results. Which threads' copies belong to one another is a thread's own
 * matter: groups are counted per thread. */
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "simcore/ptx/exec_address.h"
#include "simcore/ptx/state_io.h"
#include "simcore/ptx/strict.h"

/* --- copies that wait (strict mode) --- */

struct late_copy {
    uint32_t thread, group; /* group: committed groups of the thread before it */
    uint32_t to, bytes;     /* in shared memory */
    uint32_t op;            /* that began it, of the function at hand */
    uint8_t value[16];
};
struct async {
    uint32_t committed[PTX_WARPS_MAX * PTX_LANES];
    struct late_copy *copies;
    size_t count, capacity;
};

void ptx_async_end(struct ptx_cta *c)
{
    struct async *s = c->async;

    if (s)
        free(s->copies);
    free(s);
    c->async = NULL;
}

static struct async *async_of(struct ptx_cta *c)
{
    if (!c->async)
        c->async = mem_zalloc(1, sizeof(struct async), c->e);
    return c->async;
}

static int put_off(struct ptx_warp *w, uint32_t lane, uint32_t to, const uint8_t *value, uint32_t bytes)
{
    struct async *s = async_of(w->cta);
    uint32_t thread = w->id * PTX_LANES + lane;
    struct late_copy *c;

    if (!s || array_reserve((void **)&s->copies, &s->capacity, s->count + 1, sizeof *s->copies, w->cta->e) != 0)
        return -1;
    c = &s->copies[s->count++];
    *c = (struct late_copy){.thread = thread, .group = s->committed[thread], .to = to, .bytes = bytes, .op = w->pc};
    memcpy(c->value, value, bytes);
    return 0;
}

/* Writes what the threads of the mask have under way, but for their last `pending` groups (`open`: also what is not
 * committed), in the order it was begun. */
static int complete(struct ptx_warp *w, uint32_t mask, uint32_t pending, bool open)
{
    struct async *s = w->cta->async;
    size_t kept = 0;

    for (size_t i = 0; s && i < s->count; i++) {
        struct late_copy *c = &s->copies[i];
        bool mine = c->thread / PTX_LANES == w->id && mask >> c->thread % PTX_LANES & 1;

        if (mine && (open || (uint64_t)c->group + pending < s->committed[c->thread])) {
            memcpy(w->cta->shared + c->to, c->value, c->bytes);
            if (w->cta->strict && ptx_strict_arrived(w, c->thread % PTX_LANES, c->op, c->to, c->bytes))
                return -1;
        } else {
            s->copies[kept++] = *c;
        }
    }
    if (s)
        s->count = kept;
    return 0;
}

int ptx_async_pending(struct ptx_warp *w, uint32_t lane, uint32_t at, uint32_t bytes)
{
    const struct async *s = w->cta->async;
    char place[200];

    for (size_t i = 0; s && i < s->count; i++) {
        const struct late_copy *c = &s->copies[i];

        if (at + bytes <= c->to || c->to + c->bytes <= at)
            continue;
        ptx_place_text(w, w->code, c->op, place, sizeof place);
        return ptx_undefined(
            w, 1u << lane,
            "reads shared address 0x%x, where a copy is under way that thread %u of the CTA began at "
            "%s and has not waited for",
            at, c->thread, place);
    }
    return 0;
}

static int commit(struct ptx_warp *w, uint32_t mask)
{
    struct async *s = w->cta->options->strict ? async_of(w->cta) : NULL;

    if (!w->cta->options->strict)
        return 0;
    if (!s)
        return -1;
    for (; mask; mask &= mask - 1)
        s->committed[w->id * PTX_LANES + ptx_first_lane(mask)]++;
    return 0;
}

int ptx_async_io(struct ptx_cta *c, struct ptx_io *io)
{
    bool there = c->async != NULL;
    struct async *s;
    uint64_t count;

    PTX_IO(io, there);
    if (!there || io->bad)
        return 0;
    s = async_of(c);
    if (!s)
        return -1;
    count = s->count;
    for (size_t k = 0; k < sizeof s->committed / sizeof s->committed[0]; k++)
        PTX_IO(io, s->committed[k]);
    PTX_IO(io, count);
    if (!ptx_io_check(io, count <= io->left) ||
        array_reserve((void **)&s->copies, &s->capacity, count + 1, sizeof *s->copies, c->e) != 0)
        return io->bad ? 0 : -1;
    s->count = count;
    for (uint64_t k = 0; k < count; k++) {
        struct late_copy *p = &s->copies[k];

        PTX_IO(io, p->thread);
        PTX_IO(io, p->group);
        PTX_IO(io, p->to);
        PTX_IO(io, p->bytes);
        PTX_IO(io, p->op);
        ptx_io_bytes(io, p->value, sizeof p->value);
        ptx_io_check(io, p->bytes <= sizeof p->value && p->to <= c->shared_bytes &&
                             p->bytes <= c->shared_bytes - p->to &&
                             p->thread < sizeof s->committed / sizeof s->committed[0]);
    }
    return 0;
}

/* --- cp.async --- */

/* Bytes that each lane reads; the rest of its `bytes` is zero. */
static int source_sizes(struct ptx_warp *w, const struct ptx_op *op, uint32_t bytes, uint32_t mask,
                        uint32_t size[PTX_LANES])
{
    uint32_t ignored = 0;

    for (uint32_t l = 0; l < PTX_LANES; l++)
        size[l] = bytes;
    if (op->args.src[0] != PTX_NO_ROW)
        memcpy(size, ptx_row(w, op->args.src[0]), PTX_LANES * sizeof size[0]);
    if (op->args.src[1] != PTX_NO_ROW)
        ignored = w->lanes.preds[op->args.src[1]] ^ (op->args.negate >> 1 & 1 ? UINT32_MAX : 0);
    for (uint32_t l = 0; l < PTX_LANES; l++) {
        if (ignored >> l & 1)
            size[l] = 0;
        if (mask >> l & 1 && size[l] > bytes)
            return ptx_fault(w, 1u << l, "cp.async of %u bytes with a source of %u", bytes, size[l]);
    }
    return 0;
}

/* Reads each lane's source, lanes of one size together. */
static int read_sources(struct ptx_warp *w, const uint64_t at[PTX_LANES], uint32_t mask, uint32_t bytes,
                        const uint32_t size[PTX_LANES], uint8_t value[PTX_LANES][16])
{
    while (mask) {
        uint32_t n = size[ptx_first_lane(mask)], same = 0;
        struct ptx_reach r;

        for (uint32_t l = 0; l < PTX_LANES; l++)
            same |= (uint32_t)(size[l] == n) << l;
        same &= mask;
        mask &= ~same;
        while (n > 0 && same) {
            uint64_t own[PTX_LANES];

            for (uint32_t l = 0; l < PTX_LANES; l++)
                own[l] = same >> l & 1 ? at[l] : at[ptx_first_lane(same)];
            if (ptx_reach(w, PTX_SPACE_GLOBAL, own, &same, n, bytes, PTX_COPIES, &r) != 0)
                return -1;
            for (uint32_t left = r.mask; left; left &= left - 1)
                memcpy(value[ptx_first_lane(left)], ptx_host(&r, ptx_first_lane(left)), n);
        }
    }
    return 0;
}

static int copy(struct ptx_warp *w, const struct ptx_op *op, const struct ptx_access *a, uint32_t mask)
{
    struct ptx_access source = {
        .space = PTX_SPACE_GLOBAL, .base = a->values[0], .base_bits = 64, .offset = (int32_t)op->args.imm};
    uint64_t to[PTX_LANES], from[PTX_LANES];
    uint32_t size[PTX_LANES], bytes = a->vector;
    uint8_t value[PTX_LANES][16] = {{0}};
    struct ptx_reach r;

    ptx_addresses(w, &source, mask, from);
    ptx_addresses(w, a, mask, to);
    if (source_sizes(w, op, bytes, mask, size) != 0 || read_sources(w, from, mask, bytes, size, value) != 0)
        return -1;
    w->cta->stores++;
    while (mask) {
        if (ptx_reach(w, a->space, to, &mask, bytes, bytes, PTX_COPIES_TO, &r) != 0)
            return -1;
        if (r.space != PTX_SPACE_SHARED || r.cta != w->cta)
            return ptx_fault(w, r.mask, "cp.async copies to shared memory of its own CTA only");
        for (uint32_t left = r.mask; left; left &= left - 1) {
            uint32_t l = ptx_first_lane(left);

            if (!w->cta->options->strict)
                memcpy(ptx_host(&r, l), value[l], bytes);
            else if (put_off(w, l, (uint32_t)r.at[l], value[l], bytes) != 0)
                return -1;
        }
    }
    return 0;
}

/* --- mbarrier: 64 bits in shared memory. The layout is ours: programs may not look inside --- */

#define COUNT_BITS 20 /* of arrivals, as the manual has it: 1 to 2^20 - 1 */
#define COUNT_MOST ((1u << COUNT_BITS) - 1)

struct mbarrier {
    uint32_t phase, pending, expected;
    int32_t bytes; /* that are still to come: transactions; -(2^20 - 1) to 2^20 - 1 */
};

static struct mbarrier unpack(uint64_t u)
{
    return (struct mbarrier){.phase = (uint32_t)(u & 1),
                             .pending = (uint32_t)(u >> 1) & COUNT_MOST,
                             .expected = (uint32_t)(u >> 21) & COUNT_MOST,
                             .bytes = (int32_t)(u >> 41 & 0x3fffff) - (1 << COUNT_BITS)};
}

static uint64_t pack(const struct mbarrier *b)
{
    return (uint64_t)b->phase | (uint64_t)b->pending << 1 | (uint64_t)b->expected << 21 |
           (uint64_t)(b->bytes + (1 << COUNT_BITS)) << 41;
}

/* The phase ends when all have arrived and all bytes have come. */
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
        return ptx_fault(w, 1u << lane, "%u arrive at a barrier that waits for %u (of %u)", count, b->pending,
                         b->expected);
    b->pending -= count;
    b->expected -= drop ? count : 0;
    settle(b);
    return 0;
}

static int add_bytes(struct ptx_warp *w, uint32_t lane, struct mbarrier *b, int64_t bytes)
{
    if (b->bytes + bytes > (int64_t)COUNT_MOST || b->bytes + bytes < -(int64_t)COUNT_MOST)
        return ptx_fault(w, 1u << lane, "a barrier counts at most %u bytes under way", COUNT_MOST);
    b->bytes += (int32_t)bytes;
    return 0;
}

static uint64_t source_value(const struct ptx_warp *w, uint16_t row, uint32_t lane, uint32_t bytes, uint64_t none)
{
    uint64_t v = 0;

    if (row == PTX_NO_ROW)
        return none;
    memcpy(&v, ptx_row(w, row) + (size_t)lane * bytes, bytes); /* little-endian, as rows are */
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

/* What one lane does to a barrier. */
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
        if (n == 0 || n > COUNT_MOST)
            return ptx_fault(w, 1u << lane, "mbarrier.init: a count of %u; 1 to %u are possible", n, COUNT_MOST);
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
    case PTX_MBARRIER_COMPLETE_TX:
        ret = add_bytes(w, lane, &b, -(int64_t)n);
        settle(&b);
        break;
    case PTX_CP_ASYNC_ARRIVE: /* what it waits for is complete; without .noinc the count had gone up by one before
                               */
        if (complete(w, 1u << lane, 0, true))
            return -1;
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

/* cta: of the cluster, instead of what the address says; PTX_NONE. */
static int barrier(struct ptx_warp *w, const struct ptx_op *op, const struct ptx_access *a, uint32_t mask,
                   uint32_t cta)
{
    uint64_t at[PTX_LANES];
    struct ptx_reach r;

    ptx_addresses(w, a, mask, at);
    for (uint32_t l = 0; l < PTX_LANES && cta != PTX_NONE; l++)
        at[l] = ptx_cluster_address(w->cta, at[l], cta);
    if (a->what != PTX_MBARRIER_TEST && a->what != PTX_MBARRIER_TEST_PARITY)
        w->cta->stores++;
    while (mask) {
        if (ptx_reach(w, a->space, at, &mask, 8, 8, PTX_USES_BARRIER, &r) != 0)
            return -1;
        if (r.space != PTX_SPACE_SHARED)
            return ptx_fault(w, r.mask, "a barrier (mbarrier) lies in shared memory");
        for (uint32_t left = r.mask; left; left &= left - 1)
            if (barrier_lane(w, op, a->what, ptx_first_lane(left), ptx_host(&r, ptx_first_lane(left))) != 0)
                return -1;
    }
    return 0;
}

static void pending_counts(struct ptx_warp *w, const struct ptx_op *op, uint32_t mask)
{
    for (; mask; mask &= mask - 1) {
        uint32_t l = ptx_first_lane(mask);

        set_row(w, op->args.dst, l, unpack(source_value(w, op->args.src[0], l, 8, 0)).pending, 4);
    }
}

/* A lane's copy, then its bytes are counted. to: which CTA of the cluster; PTX_NONE: as the addresses say. */
static int bulk_to(struct ptx_warp *w, const struct ptx_op *op, uint32_t lane, uint32_t to)
{
    struct ptx_access counts = w->code->accesses[op->access + 2];
    uint32_t bytes;

    counts.what = PTX_MBARRIER_COMPLETE_TX;
    return ptx_bulk_copy(w, op, lane, to, &bytes) != 0 || (op->args.imm && barrier(w, op, &counts, 1u << lane, to))
               ? -1
               : 0;
}

static int bulk(struct ptx_warp *w, const struct ptx_op *op, uint32_t mask)
{
    for (; mask; mask &= mask - 1) {
        uint32_t lane = ptx_first_lane(mask);
        uint64_t ctas = source_value(w, op->args.src[1], lane, 2, 0);

        if (op->args.src[1] == PTX_NO_ROW && bulk_to(w, op, lane, PTX_NONE) != 0)
            return -1;
        for (; ctas; ctas &= ctas - 1)
            if (bulk_to(w, op, lane, (uint32_t)__builtin_ctzll(ctas)) != 0)
                return -1;
    }
    return 0;
}

/* st.async, red.async: done at once, then counted. */
static int counted(struct ptx_warp *w, const struct ptx_op *op, struct ptx_access barrier_of, uint32_t mask)
{
    bool stores = barrier_of.what == PTX_ASYNC_STORE;
    struct ptx_op data = *op, count = *op;

    data.access++;
    data.args.src[1] = PTX_NO_ROW;
    count.args.src[0] = op->args.src[1];
    barrier_of.what = PTX_MBARRIER_COMPLETE_TX;
    if ((stores ? ptx_do_store(w, &data, mask) : ptx_do_atomic(w, &data, mask)) != 0)
        return -1;
    return barrier(w, &count, &barrier_of, mask, PTX_NONE);
}

int ptx_do_async(struct ptx_warp *w, const struct ptx_op *op, uint32_t mask)
{
    const struct ptx_access *a = &w->code->accesses[op->access];

    switch (a->what) {
    case PTX_CP_ASYNC: return copy(w, op, a, mask);
    case PTX_CP_ASYNC_COMMIT: return commit(w, mask);
    case PTX_CP_ASYNC_WAIT: return complete(w, mask, op->args.imm, false);
    case PTX_CP_ASYNC_WAIT_ALL: return complete(w, mask, 0, true);
    case PTX_MBARRIER_PENDING_COUNT: pending_counts(w, op, mask); return 0;
    case PTX_CP_BULK: return bulk(w, op, mask);
    case PTX_ASYNC_STORE:
    case PTX_ASYNC_REDUCE: return counted(w, op, *a, mask);
    case PTX_CLUSTER_MAPA:
    case PTX_CLUSTER_RANK: return ptx_do_cluster(w, op, mask);
    default: return barrier(w, op, a, mask, PTX_NONE);
    }
}
