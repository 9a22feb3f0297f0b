#include "simcore/mem/tlb.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "simcore/engine/clock_domain.h"
#include "simcore/mem/address_map.h"
#include "simcore/mem/memory.h"

enum { MB_SHIFT = 20 };

/* Local memory: an SM gives each of its warps a window, for which the GPU reserves memory as the kernel needs it.
 * The model assumes that the first 64 KB (512 bytes per thread) of all warps are contiguous, then the next 64 KB.
 */
enum { PIECE_SHIFT = 16 - LINE_SHIFT, WARPS_SHIFT = 16 };

static int cache_init(struct tlb_cache *c, uint32_t groups, uint32_t ways, struct err *e)
{
    c->groups = groups;
    c->ways = ways;
    c->entry = mem_zalloc((size_t)groups * ways, sizeof *c->entry, e);
    return c->entry ? 0 : -1;
}

/* All ones is not a valid key, because pages are larger than a byte. */
static void cache_begin(struct tlb_cache *c)
{
    memset(c->entry, 0xff, (size_t)c->groups * c->ways * sizeof *c->entry);
}

/* The shift for a power of two. */
static uint32_t shift_of(uint32_t n)
{
    return (uint32_t)__builtin_ctz(n);
}

struct tlb *tlb_new(const struct gpu_design *d, struct err *e)
{
    struct tlb *t = mem_zalloc(1, sizeof *t, e);
    struct clock_domain sm;

    if (!t)
        return NULL;
    clock_domain_init(&sm, d->sm_khz);
    t->gpcs = d->gpcs;
    t->walks = d->tlb_walks;
    t->page_shift = MB_SHIFT - LINE_SHIFT + shift_of(d->tlb_page_mb);
    t->gpu_shift = shift_of(d->tlb_gpu_entry_mb / d->tlb_page_mb);
    t->directory_shift = shift_of(d->tlb_directory_mb / d->tlb_page_mb);
    t->gpu_set_bits = shift_of(d->tlb_gpu_sets);
    t->gpc_ps = (uint32_t)clock_span_ps(&sm, d->tlb_gpc_cycles, 1);
    t->gpu_ps = (uint32_t)clock_span_ps(&sm, d->tlb_gpu_cycles, 1);
    t->walk_ps = d->tlb_walk_ps;
    t->directory_ps = d->tlb_directory_ps;
    t->walk_free = mem_zalloc(t->walks, sizeof *t->walk_free, e);
    if (!t->walk_free || cache_init(&t->sm, d->sms, d->tlb_sm_entries, e) < 0 ||
        cache_init(&t->gpc, d->gpcs, d->tlb_gpc_entries, e) < 0 ||
        cache_init(&t->gpu, d->tlb_gpu_sets, d->tlb_gpu_ways, e) < 0 ||
        cache_init(&t->directory, 1, d->tlb_walk_entries, e) < 0) {
        tlb_free(t);
        return NULL;
    }
    tlb_begin(t);
    return t;
}

void tlb_free(struct tlb *t)
{
    if (!t)
        return;
    free(t->sm.entry);
    free(t->gpc.entry);
    free(t->gpu.entry);
    free(t->directory.entry);
    free(t->walk_free);
    free(t);
}

void tlb_begin(struct tlb *t)
{
    cache_begin(&t->sm);
    cache_begin(&t->gpc);
    cache_begin(&t->gpu);
    cache_begin(&t->directory);
    memset(t->walk_free, 0, t->walks * sizeof *t->walk_free);
}

static void cache_settle(struct tlb_cache *c)
{
    for (size_t i = 0; i < (size_t)c->groups * c->ways; i++)
        c->entry[i].ready = 0;
}

void tlb_settle(struct tlb *t)
{
    cache_settle(&t->sm);
    cache_settle(&t->gpc);
    cache_settle(&t->gpu);
    cache_settle(&t->directory);
    memset(t->walk_free, 0, t->walks * sizeof *t->walk_free);
}

static void cache_state(struct tlb_cache *c, struct state_io *io)
{
    state_bytes(io, c->entry, (size_t)c->groups * c->ways * sizeof *c->entry);
}

void tlb_state(struct tlb *t, struct state_io *io)
{
    cache_state(&t->sm, io);
    cache_state(&t->gpc, io);
    cache_state(&t->gpu, io);
    cache_state(&t->directory, io);
    state_bytes(io, t->walk_free, t->walks * sizeof *t->walk_free);
}

/* Finds the entry and makes it the newest of its group. If it is absent, replaces the oldest; the caller sets
 * `ready` of the new one. */
static struct tlb_entry *tlb_take(struct tlb_cache *c, size_t group, uint64_t key, bool *present)
{
    struct tlb_entry *e = c->entry + group * c->ways, found;
    uint32_t n = 0;

    while (n < c->ways && e[n].key != key)
        n++;
    *present = n < c->ways;
    if (*present && n == 0) /* the same page as before: the most frequent case */
        return e;
    found = *present ? e[n] : (struct tlb_entry){.key = key};
    memmove(e + 1, e, (*present ? n : c->ways - 1) * sizeof *e);
    *e = found;
    return e;
}

static sim_time_ps latest(sim_time_ps a, sim_time_ps b)
{
    return a > b ? a : b;
}

/* Walks the page tables with the walker that is free first. */
static sim_time_ps tlb_walk(struct tlb *tlb, struct tlb_counters *count, uint64_t page, sim_time_ps t)
{
    struct tlb_entry *directory;
    uint32_t first = 0;
    bool present;

    for (uint32_t i = 1; i < tlb->walks; i++)
        if (tlb->walk_free[i] < tlb->walk_free[first])
            first = i;
    t = latest(t, tlb->walk_free[first]);
    directory = tlb_take(&tlb->directory, 0, page >> tlb->directory_shift, &present);
    if (!present) {
        count->directory_misses++;
        directory->ready = t + tlb->directory_ps;
    }
    count->walks++;
    tlb->walk_free[first] = latest(t, directory->ready) + tlb->walk_ps;
    return tlb->walk_free[first];
}

/* The set is the entry number folded by exclusive or (Zhang et al.). */
static uint32_t gpu_set(const struct tlb *tlb, uint64_t key)
{
    uint64_t fold = 0;

    if (!tlb->gpu_set_bits)
        return 0;
    for (; key; key >>= tlb->gpu_set_bits)
        fold ^= key;
    return (uint32_t)fold & (tlb->gpu.groups - 1);
}

static sim_time_ps from_gpu(struct tlb *tlb, struct tlb_counters *count, uint64_t page, sim_time_ps t)
{
    uint64_t key = page >> tlb->gpu_shift;
    struct tlb_entry *e;
    bool present;

    e = tlb_take(&tlb->gpu, gpu_set(tlb, key), key, &present);
    t += tlb->gpu_ps;
    if (present)
        count->gpu_hits++;
    else
        e->ready = tlb_walk(tlb, count, page, t);
    return latest(t, e->ready);
}

static sim_time_ps from_gpc(struct tlb *tlb, struct tlb_counters *count, uint32_t sm, uint64_t page, sim_time_ps t)
{
    struct tlb_entry *e;
    bool present;

    e = tlb_take(&tlb->gpc, sm % tlb->gpcs, page, &present);
    t += tlb->gpc_ps;
    if (present)
        count->gpc_hits++;
    else
        e->ready = from_gpu(tlb, count, page, t);
    return latest(t, e->ready);
}

/* The assumed position of local memory (see PIECE_SHIFT); other lines are unchanged. */
static uint64_t lies_at(uint64_t line)
{
    const uint64_t region = MEM_LOCAL_REGION >> LINE_SHIFT;
    const uint32_t window_shift = MEM_LOCAL_WINDOW_SHIFT - LINE_SHIFT;
    uint64_t warp, piece;

    if (line < region)
        return line;
    warp = (line - region) >> window_shift;
    piece = (line & ((1ull << window_shift) - 1)) >> PIECE_SHIFT;
    return region + (((piece << WARPS_SHIFT) + warp) << PIECE_SHIFT) + (line & ((1u << PIECE_SHIFT) - 1));
}

sim_time_ps tlb_translate(struct tlb *tlb, struct tlb_counters *count, uint32_t sm, uint64_t line, sim_time_ps t)
{
    uint64_t page = lies_at(line) >> tlb->page_shift;
    struct tlb_entry *e;
    bool present;

    e = tlb_take(&tlb->sm, sm, page, &present);
    if (present)
        count->sm_hits++;
    else
        e->ready = from_gpc(tlb, count, sm, page, t);
    return latest(t, e->ready);
}
