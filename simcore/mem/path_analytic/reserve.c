/* simcore/mem/path_analytic/reserve.c: when a request is sent, it passes all stages at once and reserves each one
 * for the time at which it will arrive there. The requests of an instruction pass together (reserve_batch.c). They
 * pass one by one after leaving the SM if they are observed, if their addresses need translation, or if the L2 has
 * two partitions. */
#include "simcore/mem/path_analytic/reserve_batch.h"
#include "simcore/mem/mem_port.h"
#include "simcore/mem/path_analytic/reserve_request.h"

/* The address translation time of each request, by line. */
static void translate(const struct reserve_batch *a, sim_time_ps address[])
{
    for (uint32_t k = a->first; k < a->end; k++) {
        uint32_t i = a->b->which[k];
        const struct mem_request r = mem_batch_request(a->b, i);

        address[i] = translation_ps(a->m, &r, r.made);
    }
}

/* Passes requests one after the other, from the GPC's port through the slice. from: by line, its time at the SM's
 * port. */
BATCH_INLINE void pass_slices(const struct reserve_batch *a, enum mem_kind kind, struct observer *observer,
                              bool apart, const sim_time_ps from[], sim_time_ps waits)
{
    struct mem_batch *b = a->b;

    for (uint32_t k = a->first; k < a->end; k++) {
        uint32_t i = b->which[k];
        const struct mem_request r = mem_batch_request(b, i);
        const struct address_place home = address_place_of(&b->home, i);
        const struct reserve_request request = {a->m, &r, &home, observer, a->now, kind, sector_count(r.sectors)};
        sim_time_ps t = arrives(a, i, waits);

        if (observer)
            observe_stage(a->m, &r, STAGE_REQUEST, r.sm, packet_there(a, i, kind)->bytes, from[i], t);
        b->back[i] = apart ? serve_apart(&request, t) : serve(&request, t);
    }
}

static void tell_replies(const struct reserve_batch *a, const sim_time_ps from[])
{
    const struct mem_batch *b = a->b;

    for (uint32_t k = a->first; k < a->end; k++) {
        uint32_t i = b->which[k];
        const struct mem_request r = mem_batch_request(b, i);

        observe_stage(a->m, &r, STAGE_REPLY, r.sm, a->m->noc.packet[sector_count(r.sectors)].bytes, from[i],
                      b->back[i]);
    }
}

static void pass_any(const struct reserve_batch *a, enum mem_kind kind)
{
    struct observer *observer = a->m->observer;
    const struct mem_batch *b = a->b;
    sim_time_ps address[MEM_BATCH_MAX], from[MEM_BATCH_MAX], waits;

    translate(a, address);
    for (uint32_t k = a->first; k < a->end; k++)
        from[b->which[k]] = b->made[b->which[k]] + address[b->which[k]];
    waits = leave_sm(a, kind, address);
    pass_slices(a, kind, observer, a->m->noc.partitions > 1, from, waits);
    if (!has_answer(kind))
        return;
    memcpy(from, b->back, sizeof from);
    come_back(a);
    if (observer)
        tell_replies(a, from);
}

/* For a GPU with two partitions that is otherwise as usual: a separately compiled copy. */
static __attribute__((noinline)) void pass_reads_apart(const struct reserve_batch *a)
{
    pass_slices(a, MEM_READ, NULL, true, NULL, leave_sm(a, MEM_READ, NULL));
    come_back(a);
}

void memory_access_batch(struct memory *m, struct mem_batch *b, uint32_t first, uint32_t end, sim_time_ps now)
{
    const struct reserve_batch a = {m, b, first, end, now, noc_way_of(&m->noc, b->sm)};
    enum mem_kind kind = (enum mem_kind)b->kind;

    if (m->observer || m->tlb || (m->noc.partitions > 1 && kind != MEM_READ))
        pass_any(&a, kind);
    else if (m->noc.partitions > 1)
        pass_reads_apart(&a);
    else
        pass_together(&a, kind);
}

void memory_place(const struct memory *m, const uint64_t line[], uint32_t n, struct address_places *home)
{
    address_locate_lines(&m->map, line, n, home);
    for (uint32_t i = 0; i < n; i++) {
        l2_prefetch(&m->l2, home->slice[i], home->set[i]);
        __builtin_prefetch(&m->slice[home->slice[i]], 1);
        dram_prefetch(&m->dram, home->channel[i], home->bank[i]);
    }
}

BATCH_INLINE void fetch_lines(const struct l2 *l2, const uint32_t mark[], uint32_t n,
                              const struct address_places *home)
{
    for (uint32_t i = 0; i < n; i++)
        l2_prefetch_line(l2, home->slice[i], home->set[i], mark[i]);
}

void memory_fetch_lines(const struct memory *m, const uint32_t mark[], uint32_t n,
                        const struct address_places *home)
{
    struct l2 usual = m->l2;

    if (!tag_is_usual(&usual.tags)) {
        fetch_lines(&m->l2, mark, n, home);
        return;
    }
    tag_take_usual(&usual.tags);
    fetch_lines(&usual, mark, n, home);
}

sim_time_ps memory_least_ps(const struct memory *m, uint32_t sm)
{
    return (sim_time_ps)((int64_t)m->noc.there_ps + m->noc.sm_extra_ps[sm] + m->noc.slice_least_ps);
}

sim_time_ps memory_access(struct memory *m, const struct mem_request *r, sim_time_ps now, sim_time_ps t)
{
    uint64_t line[ADDRESS_LANES] = {r->line};
    const uint32_t mark = tag_mark(r->line);
    struct mem_batch b;

    mem_batch_begin(&b, line, &r->full, &mark, r->sm, (enum mem_kind)r->kind);
    memory_place(m, line, 1, &b.home);
    mem_batch_add(&b, 0, r->sectors, r->lanes, t);
    b.watch[0] = r->watch;
    memory_access_batch(m, &b, 0, 1, now);
    return b.back[0];
}

/* --- the port --- */

static void reserve_place(const struct mem_port *p, const uint64_t line[], uint32_t n, struct address_places *home)
{
    memory_place(p->memory, line, n, home);
}

static void reserve_send(const struct mem_port *p, struct mem_batch *b, uint32_t first, uint32_t end,
                         sim_time_ps now)
{
    memory_access_batch(p->memory, b, first, end, now);
}

static sim_time_ps reserve_least_ps(const struct mem_port *p, uint32_t sm)
{
    return memory_least_ps(p->memory, sm);
}

const struct mem_port_ops mem_port_reserve = {.name = "reserve",
                                              .place = reserve_place,
                                              .send = reserve_send,
                                              .least_ps = reserve_least_ps,
                                              .observed = true};
