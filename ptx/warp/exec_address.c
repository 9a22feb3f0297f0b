/* Addresses: reads them from registers, resolves generic addresses to a space, and checks all lanes at once by
 * the lowest and the highest address (forms_memory.c). */
#include "ptx/warp/exec_address.h"
#include "ptx/forms/forms_lanes.h"

#include <string.h>

#include "ptx/warp/strict.h"

/* --- reading --- */

static void fill_inactive(uint64_t at[PTX_LANES], uint32_t mask)
{
    uint64_t first = at[ptx_first_lane(mask)];

    for (uint32_t l = 0; l < PTX_LANES; l++)
        at[l] = mask >> l & 1 ? at[l] : first;
}

void ptx_addresses(const struct ptx_warp *w, const struct ptx_access *a, uint32_t mask, uint64_t at[PTX_LANES])
{
    uint64_t offset = (uint64_t)a->offset;

    if (a->base == PTX_NO_ROW) {
        if (a->space == PTX_SPACE_LOCAL) /* relative to the activation's frame */
            offset += w->frame;
        for (uint32_t l = 0; l < PTX_LANES; l++)
            at[l] = offset;
        return;
    }
    if (a->base_bits == 64) {
        ptx_lane_ops()->add_64(at, ptx_row(w, a->base), offset);
    } else {
        ptx_lane_ops()->add_32(at, ptx_row(w, a->base), (uint32_t)offset);
    }
    if (mask != UINT32_MAX)
        fill_inactive(at, mask);
}

/* --- windows of the generic space --- */

static uint8_t space_of(uint64_t address, uint64_t *base)
{
    static const struct {
        uint64_t base;
        uint8_t space;
    } windows[] = {
        {PTX_SHARED_BASE, PTX_SPACE_SHARED}, {PTX_LOCAL_BASE, PTX_SPACE_LOCAL}, {PTX_PARAM_BASE, PTX_SPACE_PARAM}};

    for (size_t i = 0; i < sizeof windows / sizeof windows[0]; i++)
        if (address - windows[i].base < PTX_WINDOW_BYTES) {
            *base = windows[i].base;
            return windows[i].space;
        }
    *base = 0;
    return PTX_SPACE_GLOBAL;
}

/* Selects the lanes of `left` that are in the same space as its first lane. Converts their addresses to that
 * space. */
static void take_window(struct ptx_reach *r, const uint64_t at[PTX_LANES], uint32_t left)
{
    uint64_t base = 0, own;
    uint32_t same = 0;

    r->space = space_of(at[ptx_first_lane(left)], &base);
    for (uint32_t l = 0; l < PTX_LANES; l++)
        same |= (uint32_t)(space_of(at[l], &own) == r->space) << l;
    r->mask = left & same;
    for (uint32_t l = 0; l < PTX_LANES; l++)
        r->at[l] = at[l] - base;
    if (r->mask != UINT32_MAX)
        fill_inactive(r->at, r->mask);
}

/* --- shared memory of the cluster --- */

/* Selects the lanes that access the same CTA as the first one. Converts their addresses to its shared memory. */
static int take_cta(struct ptx_warp *w, struct ptx_reach *r, const char *verb)
{
    uint32_t first = ptx_first_lane(r->mask), same = 0;
    uint64_t slot = r->at[first] / PTX_CLUSTER_STRIDE;

    if (!slot && !(r->mask & (r->mask - 1)))
        return 0;
    for (uint32_t l = 0; l < PTX_LANES; l++)
        same |= (uint32_t)(r->at[l] / PTX_CLUSTER_STRIDE == slot) << l;
    r->mask &= same;
    for (uint32_t l = 0; l < PTX_LANES; l++)
        r->at[l] -= slot * PTX_CLUSTER_STRIDE;
    if (r->mask != UINT32_MAX)
        fill_inactive(r->at, r->mask);
    if (slot && !(r->cta = ptx_cluster_peer(w->cta, slot <= UINT32_MAX ? (uint32_t)slot - 1 : PTX_NONE)))
        return ptx_fault(w, 1u << first,
                         "%s shared memory of CTA %llu of its cluster, which has ended or does not exist", verb,
                         (unsigned long long)slot - 1);
    return 0;
}

/* --- pattern of the lanes --- */

static uint8_t pattern_of(const struct ptx_scan *s, uint32_t mask, uint32_t bytes)
{
    if (s->same)
        return PTX_AT_SAME;
    return s->strided && s->stride == bytes && mask == UINT32_MAX ? PTX_AT_ROW : PTX_AT_SCATTERED;
}

uint64_t ptx_ranked(const struct ptx_warp *w, const struct ptx_cta *cta, uint64_t at)
{
    return cta == w->cta ? at : at + (cta->number % w->cta->cluster_ctas + 1) * PTX_CLUSTER_STRIDE;
}

/* Reports an access. The scan's stride is valid only for full masks or equal addresses: inactive lanes repeat
 * another address. */
static void report_memory(const struct ptx_observer *o, const struct ptx_warp *w, const struct ptx_reach *r,
                          const struct ptx_scan *s)
{
    struct ptx_touched t = {
        .code = w->code, .op = w->pc, .space = (enum ptx_space)r->space, .mask = r->mask, .at = r->at};
    uint64_t other[PTX_LANES]; /* addresses in another CTA's shared memory include its rank (trace/fields.h) */

    if (s->strided && (s->same || r->mask == UINT32_MAX)) {
        t.lie = PTX_LIE_STRIDED;
        t.stride = (int64_t)s->stride;
    } else if (r->mask == UINT32_MAX) {
        t.lie = PTX_LIE_SCATTERED;
    }
    if (r->cta != w->cta) {
        for (uint32_t l = 0; l < PTX_LANES; l++)
            other[l] = ptx_ranked(w, r->cta, r->at[l]);
        t.at = other;
    }
    o->memory(o->ctx, w->id, &t);
}

/* Returns true if all addresses are inside [begin, begin + size). */
static bool all_inside(const struct ptx_scan *s, uint32_t bytes, uint64_t begin, uint64_t size)
{
    return size >= bytes && s->low >= begin && s->high - begin <= size - bytes;
}

static uint32_t misaligned(const struct ptx_reach *r, const struct ptx_scan *s, uint32_t align)
{
    uint32_t lanes = 0;

    if ((s->bits & (align - 1)) == 0)
        return 0;
    for (uint32_t l = 0; l < PTX_LANES; l++)
        lanes |= (uint32_t)((r->at[l] & (align - 1)) != 0) << l;
    return lanes & r->mask;
}

/* --- error messages --- */

#define FAR (1ull << 40) /* distance from an allocation that is too large for an index error */

static const char *space_text(uint8_t space)
{
    return space == PTX_SPACE_SHARED ? "shared" : space == PTX_SPACE_LOCAL ? "local" : "parameter";
}

static int fault_window(struct ptx_warp *w, const struct ptx_reach *r, uint32_t size, const char *verb)
{
    for (uint32_t l = 0; l < PTX_LANES; l++)
        if (r->mask >> l & 1 && (r->bytes > size || r->at[l] > size - r->bytes))
            return ptx_fault(w, 1u << l, "%s %u bytes at %s address 0x%llx, but this memory has only %u bytes",
                             verb, r->bytes, space_text(r->space), (unsigned long long)r->at[l], size);
    return ptx_fault(w, r->mask, "%s %u bytes outside %s memory", verb, r->bytes, space_text(r->space));
}

/* A fault in global memory. The message names the nearest allocation, below or above. */
static int fault_global(struct ptx_warp *w, uint32_t lane, uint64_t at, uint32_t bytes, const char *verb)
{
    const struct device_memory *m = w->cta->memory;
    const struct device_allocation *below = device_find(m, at), *const * all, *near;
    unsigned long long address = at;
    size_t n;

    if (below && below->freed && at - below->address < below->bytes)
        return ptx_fault(w, 1u << lane, "%s %u bytes at 0x%llx, byte %llu of %s, which has been freed", verb, bytes,
                         address, (unsigned long long)(at - below->address), below->label);
    if (at < 4096)
        return ptx_fault(w, 1u << lane, "%s %u bytes at 0x%llx: a null pointer", verb, bytes, address);
    all = device_allocations(m, &n);
    near = NULL;
    for (size_t i = 0; i < n; i++) { /* the nearest one: it ends below, or it is the first above */
        if (all[i]->address > at && near && all[i]->address - at > at - (near->address + near->bytes))
            break;
        near = all[i];
        if (near->address > at)
            break;
    }
    if (!near)
        return ptx_fault(w, 1u << lane, "%s %u bytes at 0x%llx, but no memory is allocated", verb, bytes, address);
    if (at - near->address > FAR && near->address < at)
        return ptx_fault(
            w, 1u << lane,
            "%s %u bytes at 0x%llx, which is not allocated; the nearest allocation is %s (%llu bytes at 0x%llx)",
            verb, bytes, address, near->label, (unsigned long long)near->bytes, (unsigned long long)near->address);
    if (near->address > at)
        return ptx_fault(w, 1u << lane, "%s %u bytes at 0x%llx, %llu bytes before %s (%llu bytes at 0x%llx)", verb,
                         bytes, address, (unsigned long long)(near->address - at), near->label,
                         (unsigned long long)near->bytes, (unsigned long long)near->address);
    return ptx_fault(w, 1u << lane, "%s %u bytes at 0x%llx, which is byte %llu of %s (%llu bytes at 0x%llx)", verb,
                     bytes, address, (unsigned long long)(at - near->address), near->label,
                     (unsigned long long)near->bytes, (unsigned long long)near->address);
}

/* --- checking --- */

static void remember(struct ptx_memo *memo, uint32_t op, const struct device_allocation *a)
{
    memo->range[op % PTX_MEMO].address = a->address;
    memo->range[op % PTX_MEMO].bytes = a->bytes;
}

/* Checks lane by lane. Looks up addresses that are not in the cache of recent allocations. */
static int check_global_lanes(struct ptx_warp *w, const struct ptx_reach *r, const struct ptx_scan *s,
                              const char *verb)
{
    struct ptx_cta *c = w->cta;

    for (uint32_t l = 0; l < PTX_LANES; l++) {
        const struct device_allocation *a;

        if (!(r->mask >> l & 1))
            continue;
        if (!device_bytes(c->memory, r->at[l], r->bytes))
            return fault_global(w, l, r->at[l], r->bytes, verb);
        a = device_find(c->memory, r->at[l]);
        remember(&c->memo, w->pc, a);
        if (all_inside(s, r->bytes, a->address, a->bytes))
            return 0;
    }
    return 0;
}

static int check_global(struct ptx_warp *w, struct ptx_reach *r, const struct ptx_scan *s, const char *verb)
{
    struct ptx_memo *memo = &w->cta->memo;
    uint32_t generation = device_generation(w->cta->memory);

    if (memo->generation != generation) {
        memset(memo, 0, sizeof *memo);
        memo->generation = generation;
    }
    r->host = (uintptr_t)device_shift(w->cta->memory);
    if (all_inside(s, r->bytes, memo->range[w->pc % PTX_MEMO].address, memo->range[w->pc % PTX_MEMO].bytes))
        return 0;
    return check_global_lanes(w, r, s, verb);
}

static int check(struct ptx_warp *w, struct ptx_reach *r, const struct ptx_scan *s, const char *verb)
{
    uint32_t size;

    switch (r->space) {
    case PTX_SPACE_SHARED:
        r->host = (uintptr_t)r->cta->shared;
        size = r->cta->shared_bytes;
        break;
    case PTX_SPACE_LOCAL:
        r->host = 0;
        size = w->local_bytes;
        break;
    case PTX_SPACE_PARAM:
        r->host = (uintptr_t)w->cta->params;
        size = w->cta->param_bytes;
        break;
    default: return check_global(w, r, s, verb);
    }
    return all_inside(s, r->bytes, 0, size) ? 0 : fault_window(w, r, size, verb);
}

int ptx_reach(struct ptx_warp *w, uint8_t space, const uint64_t at[PTX_LANES], uint32_t *left, uint32_t bytes,
              uint32_t align, enum ptx_use use, struct ptx_reach *r)
{
    static const char *const verbs[] = {"reads", "writes", "changes", "copies", "copies to", "uses a barrier of"};
    const struct ptx_observer *o = w->cta->observer;
    const char *verb = verbs[use];
    struct ptx_scan s;
    uint32_t wrong;

    r->bytes = bytes;
    r->cta = w->cta;
    if (space == PTX_GENERIC) {
        take_window(r, at, *left);
    } else {
        memcpy(r->at, at, sizeof r->at);
        r->space = space;
        r->mask = *left;
    }
    if (r->space == PTX_SPACE_SHARED && w->cta->cluster_ctas > 1 && take_cta(w, r, verb) != 0)
        return -1;
    *left &= ~r->mask;
    ptx_lane_ops()->scan(r->at, &s);
    r->pattern = pattern_of(&s, r->mask, bytes);
    if (check(w, r, &s, verb) != 0)
        return -1;
    wrong = misaligned(r, &s, align);
    if (wrong)
        return ptx_fault(w, 1u << ptx_first_lane(wrong), "%s %u bytes at 0x%llx, which is not aligned to %u", verb,
                         bytes, (unsigned long long)r->at[ptx_first_lane(wrong)], align);
    if (o && o->memory)
        report_memory(o, w, r, &s);
    if (!w->cta->strict)
        return 0;
    if (r->cta != w->cta)
        ptx_strict_from_outside(r, use);
    return r->cta != w->cta ? 0 : ptx_strict_access(w, r, use);
}
