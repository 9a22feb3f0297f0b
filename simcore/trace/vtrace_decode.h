/* simcore/trace/vtrace_decode.h: declarations that both CTA decoders share: whole CTAs (vtrace_decode.c), and long
 * CTAs in windows (vtrace_stream.c). Internal to .vtrace. */
#ifndef VIVACE_SIMCORE_TRACE_VTRACE_DECODE_H
#define VIVACE_SIMCORE_TRACE_VTRACE_DECODE_H

#include "base/assert.h"
#include "simcore/trace/accel_sim_line.h"
#include "simcore/trace/vtrace_source.h"

/* State of decoding one CTA. */
struct cta_decoding {
    struct vtrace_source *s;
    struct cta_store *cta;
    struct byte_cursor record;
    struct zeros_in bases;
    struct byte_cursor path[WARPS_MAX], program[WARPS_MAX]; /* of its warps; NULL `at`: empty */
};

struct path_walk {
    uint32_t inst, mask, before;
    uint64_t left; /* remaining instructions of the path */
};

/* Returns the number of instructions in the next segment; 0: the path is invalid. */
static inline uint64_t vtrace_get_segment(struct byte_cursor *c, struct path_walk *p, size_t inst_count)
{
    uint64_t head = get_number(c), count = head >> SEGMENT_COUNT_SHIFT, x;
    int64_t inst = p->inst;
    uint32_t mask;

    if (head & SEGMENT_JUMP)
        inst = (int64_t)((uint64_t)inst + (uint64_t)get_signed(c));
    if (head & SEGMENT_MASK) {
        x = get_below(c, MASK_OTHER + (uint64_t)UINT32_MAX + 1);
        mask = x == MASK_ZERO ? 0 : x == MASK_BEFORE ? p->before : ~(uint32_t)(x - MASK_OTHER);
        p->before = p->mask;
        p->mask = mask;
    }
    if (c->wrong || inst < 0 || (uint64_t)inst >= inst_count || count > inst_count - (uint64_t)inst ||
        count > p->left)
        return 0;
    p->inst = (uint32_t)inst;
    p->left -= count;
    return count;
}

/* Reads the lane pattern that `op` states for the lanes of the mask. 1: it is a list with the distances of the
 * previous list, which the caller must copy; else 0. */
static inline bool vtrace_get_pattern(struct byte_cursor *c, uint64_t op, bool was_list, int64_t was_stride,
                                      uint32_t mask, struct address_set *a, uint64_t distance[WARP_LANES])
{
    unsigned n = (unsigned)__builtin_popcount(mask), shift;

    ASSERT_HOT(n > 0 && op != OP_NO_ADDRESS && op < OP_LIST + OP_LIST_SHIFTS);
    a->is_list = op >= OP_LIST || (op != OP_STRIDE && was_list);
    a->stride = 0;
    if (op == OP_STRIDE) {
        a->stride = get_signed(c);
    } else if (op >= OP_LIST) {
        shift = (unsigned)op - OP_LIST;
        for (unsigned i = 0; i + 1 < n; i++)
            distance[i] = (uint64_t)get_signed(c) << shift;
    } else if (was_list) {
        return true;
    } else {
        a->stride = was_stride;
    }
    return false;
}

static inline void vtrace_place_lanes(struct address_set *a, uint32_t mask, const uint64_t *distance)
{
    uint64_t at = a->base;

    ASSERT_HOT(mask != 0);
    memset(a->lanes, 0, sizeof a->lanes);
    for (unsigned n = 0; mask; mask &= mask - 1) {
        a->lanes[__builtin_ctz(mask)] = at;
        at += distance[n++];
    }
}

/* Finds the paths and programs of the warps. Afterwards d->record is at the bases. */
int vtrace_get_warps(struct cta_decoding *d, uint32_t warps, struct err *e);

/* --- long CTAs --- */
/* Belongs to the source: data that warps with the same path and program share. */
void vtrace_stream_shapes_free(struct stream_shapes *shapes); /* NULL is allowed */
/* Whether the CTA, whose warps are known, should be decoded in windows. */
bool vtrace_stream_wants(const struct cta_decoding *d, uint32_t warps);
/* Checks the whole CTA and makes the first window of each warp. d->record is at the bases; the model has begun the
 * CTA. Holds a reference to `block`, which contains the record, until the CTA is freed. */
int vtrace_stream_open(struct cta_decoding *d, const uint32_t id[3], struct loaded_block *block,
                       struct cta_trace **out, struct err *e);
void vtrace_stream_free(struct cta_trace *cta);

#endif
