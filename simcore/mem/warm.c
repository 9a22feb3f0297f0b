#include "simcore/mem/warm.h"

#include "simcore/mem/dma.h"
#include "simcore/mem/mem_port.h"
#include "simcore/mem/memory_internal.h"
#include "simcore/mem/slice.h"

/* Makes the same decisions as path_analytic/, stage by stage. */
static void warm_decide(struct memory *m, const struct mem_request *r, const struct address_place *home)
{
    uint32_t partition = noc_partition(&m->noc, r->sm);
    struct mem_request rest = *r;
    struct slice_step step;

    if (m->noc.partitions > 1 && r->kind != MEM_READ) {
        const struct address_place other = memory_mirror(m, home);

        slice_forget_copy(&m->l2, &other, r->line, r->sectors);
    } else if (memory_home(m, home) != partition) {
        const struct address_place own = memory_mirror(m, home);

        slice_decide_copy(&m->l2, &m->count, r, &own, &step);
        rest.kind = MEM_FAR_READ;
        rest.sectors = step.fetch;
        if (!step.fetch)
            return;
    }
    slice_decide(&m->l2, &m->count, &rest, home, &step);
}

void memory_warm(struct memory *m, const struct mem_request *r)
{
    struct address_place home;

    if (m->tlb)
        tlb_translate(m->tlb, &m->count.tlb, r->sm, r->line, 0);
    address_locate(&m->map, r->line, &home);
    warm_decide(m, r, &home);
}

void memory_warm_dma(struct memory *m, uint64_t address, uint64_t bytes, bool write)
{
    struct address_place place;
    struct slice_step step;

    for (uint64_t i = 0; i < dma_lines(address, bytes); i++)
        dma_decide(m, (address >> LINE_SHIFT) + i, write, &place, &step);
}

void memory_warm_end(struct memory *m)
{
    if (m->tlb)
        tlb_settle(m->tlb);
}

/* --- the port: every request completes when it is sent --- */

static void warm_send(const struct mem_port *p, struct mem_batch *b, uint32_t first, uint32_t end, sim_time_ps now)
{
    (void)now;
    for (uint32_t k = first; k < end; k++) {
        uint32_t i = b->which[k];
        const struct mem_request r = mem_batch_request(b, i);

        memory_warm(p->memory, &r);
        b->back[i] = b->made[i];
    }
}

static sim_time_ps warm_least_ps(const struct mem_port *p, uint32_t sm)
{
    (void)p, (void)sm;
    return 0;
}

const struct mem_port_ops mem_port_warm = {.name = "warm", .send = warm_send, .least_ps = warm_least_ps};
