/* simcore/mem/path_analytic/reserve_batch.h: passes the requests of one instruction from the SM's port to the
 * slices and back. The ports of SM and GPC are reserved once for all of them. Part of reserve.c and
 * reserve_batch.c. */
#ifndef VIVACE_SIMCORE_MEM_PATH_ANALYTIC_RESERVE_BATCH_H
#define VIVACE_SIMCORE_MEM_PATH_ANALYTIC_RESERVE_BATCH_H

#include "simcore/mem/memory_internal.h"

/* Functions with this attribute are compiled separately for the common kinds. So a loop keeps its state in
 * registers, and the host overlaps its cache misses over several requests. */
#define BATCH_INLINE static inline __attribute__((always_inline))

/* State that requests `first` to `end` - 1 of a batch share. */
struct reserve_batch {
    struct memory *m;
    struct mem_batch *b;
    uint32_t first, end;
    sim_time_ps now;
    struct noc_way way;
};

BATCH_INLINE bool has_answer(enum mem_kind kind)
{
    return kind == MEM_READ || kind == MEM_ATOMIC;
}

/* The packet of the request for line i. */
BATCH_INLINE const struct noc_packet *packet_there(const struct reserve_batch *a, uint32_t i, enum mem_kind kind)
{
    return &a->m->noc.packet[kind == MEM_READ ? 0 : sector_count(a->b->ask[i])];
}

/* The requests leave the SM one after the other and pass the GPC's port together: `back` becomes the time at which
 * each would leave that port if it were alone. address: translation times by line, or NULL. Returns the waiting
 * time at the GPC's port. */
BATCH_INLINE sim_time_ps leave_sm(const struct reserve_batch *a, enum mem_kind kind, const sim_time_ps address[])
{
    struct noc *noc = &a->m->noc;
    struct mem_batch *b = a->b;
    struct noc_train train = {.first = SIM_NEVER};
    sim_time_ps free = a->way.port->egress_free;
    uint64_t bytes = 0;

    for (uint32_t k = a->first; k < a->end; k++) {
        uint32_t i = b->which[k];
        const struct noc_packet *p = packet_there(a, i, kind);
        sim_time_ps t = free = later(b->made[i], free) + p->egress_ps;

        bytes += p->bytes;
        if (address)
            noc_train_add(&train, t += address[i], p->gpc_request_ps);
        else
            noc_train_follow(&train, t, p->gpc_request_ps);
        b->back[i] = t + p->gpc_request_ps;
    }
    a->way.port->egress_free = free;
    noc->request_bytes += bytes;
    return noc_train_pass(&train, &a->way.gpc->request, a->now);
}

/* When the request for line i arrives at its slice, after this waiting time at the GPC's port. */
BATCH_INLINE sim_time_ps arrives(const struct reserve_batch *a, uint32_t i, sim_time_ps waits)
{
    const struct mem_batch *b = a->b;

    return b->back[i] + waits + a->way.there_ps + (sim_time_ps)(int64_t)a->m->noc.slice_extra_ps[b->home.slice[i]];
}

/* Passes the answers through the ports of the GPC and of the SM together. */
BATCH_INLINE void come_back(const struct reserve_batch *a)
{
    struct noc *noc = &a->m->noc;
    struct noc_train gpc = {.first = SIM_NEVER}, sm = {.first = SIM_NEVER};
    struct mem_batch *b = a->b;
    uint64_t bytes = 0;
    sim_time_ps waits;

    for (uint32_t k = a->first; k < a->end; k++) {
        uint32_t i = b->which[k];
        const struct noc_packet *p = &noc->packet[sector_count(b->ask[i])];
        sim_time_ps t = b->back[i] + a->way.back_ps + (sim_time_ps)(int64_t)noc->slice_extra_ps[b->home.slice[i]];

        bytes += p->bytes;
        noc_train_add(&gpc, t, p->gpc_reply_ps);
        t += p->gpc_reply_ps;
        noc_train_add(&sm, t, p->ingress_ps);
        b->back[i] = t + p->ingress_ps;
    }
    noc->reply_bytes += bytes;
    waits = noc_train_pass(&gpc, &a->way.gpc->reply, a->now);
    sm.first += waits;
    sm.last += waits;
    waits += noc_train_pass(&sm, &a->way.port->ingress, a->now);
    for (uint32_t k = a->first; k < a->end; k++)
        b->back[b->which[k]] += waits;
}

/* In reserve_batch.c: for requests of one kind that are not observed, whose home is the partition that they use,
 * and whose addresses need no translation. */
void pass_together(const struct reserve_batch *a, enum mem_kind kind);

#endif
