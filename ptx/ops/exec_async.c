/* Asynchronous copies (cp.async), and the dispatch of all asynchronous operations.
 *
 * A copy may complete at once by the specification, so it completes at once. In strict mode its bytes are written
 * when its thread waits for them, so that a missing wait shows in the results. Groups of copies are counted per
 * thread. */
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "ptx/warp/late_copies.h"
#include "ptx/warp/exec_address.h"
#include "ptx/warp/state_io.h"
#include "ptx/warp/strict.h"

/* --- delayed copies (strict mode) --- */

static struct ptx_late_copies *async_of(struct ptx_cta *c)
{
    if (!c->async)
        c->async = mem_zalloc(1, sizeof(struct ptx_late_copies), c->e);
    return c->async;
}

static int delay_copy(struct ptx_warp *w, uint32_t lane, uint32_t to, const uint8_t *value, uint32_t bytes)
{
    struct ptx_late_copies *s = async_of(w->cta);
    uint32_t thread = w->id * PTX_LANES + lane;
    struct ptx_late_copy *c;

    if (!s || array_reserve((void **)&s->copies, &s->capacity, s->count + 1, sizeof *s->copies, w->cta->e) != 0)
        return -1;
    c = &s->copies[s->count++];
    *c = (struct ptx_late_copy){
        .thread = thread, .group = s->committed[thread], .to = to, .bytes = bytes, .op = w->pc};
    memcpy(c->value, value, bytes);
    return 0;
}

/* Writes the pending copies of the threads of the mask in the order of their begin, except those of the last
 * `pending` groups. `open`: includes copies that are not committed to a group. */
static int complete(struct ptx_warp *w, uint32_t mask, uint32_t pending, bool open)
{
    struct ptx_late_copies *s = w->cta->async;
    size_t kept = 0;

    for (size_t i = 0; s && i < s->count; i++) {
        struct ptx_late_copy *c = &s->copies[i];
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

static int commit(struct ptx_warp *w, uint32_t mask)
{
    struct ptx_late_copies *s = w->cta->options->strict ? async_of(w->cta) : NULL;

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
    struct ptx_late_copies *s;
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
        struct ptx_late_copy *p = &s->copies[k];

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

/* The number of bytes that each lane reads. The rest of its `bytes` is zero. */
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
            return ptx_fault(w, 1u << l, "cp.async copies %u bytes, and the source has %u bytes", bytes, size[l]);
    }
    return 0;
}

/* Reads each lane's source. Lanes with equal sizes are read together. */
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
            else if (delay_copy(w, l, (uint32_t)r.at[l], value[l], bytes) != 0)
                return -1;
        }
    }
    return 0;
}

/* --- dispatch --- */

int ptx_do_async(struct ptx_warp *w, const struct ptx_op *op, uint32_t mask)
{
    const struct ptx_access *a = &w->code->accesses[op->access];

    switch (a->what) {
    case PTX_CP_ASYNC: return copy(w, op, a, mask);
    case PTX_CP_ASYNC_COMMIT: return commit(w, mask);
    case PTX_CP_ASYNC_WAIT: return complete(w, mask, op->args.imm, false);
    case PTX_CP_ASYNC_WAIT_ALL: return complete(w, mask, 0, true);
    case PTX_CP_ASYNC_ARRIVE: /* first completes the copies that it waits for */
        return complete(w, mask, 0, true) != 0 ? -1 : ptx_do_mbarrier(w, op, mask);
    case PTX_CP_BULK:
    case PTX_CP_BULK_REDUCE: return ptx_do_bulk(w, op, mask);
    case PTX_TENSOR_LOAD:
    case PTX_TENSOR_STORE:
    case PTX_TENSOR_REDUCE: return ptx_do_tensor(w, op, mask);
    case PTX_ASYNC_STORE:
    case PTX_ASYNC_REDUCE: return ptx_do_counted(w, op, mask);
    case PTX_CLUSTER_MAPA:
    case PTX_CLUSTER_RANK: return ptx_do_cluster(w, op, mask);
    default: return ptx_do_mbarrier(w, op, mask);
    }
}
