#include "simcore/mem/memory.h"

#include <stdlib.h>
#include <string.h>

#include "simcore/engine/wide.h"
#include "simcore/mem/memory_internal.h"

void memory_free(struct memory *m)
{
    if (!m)
        return;
    wide_free(m->slice, m->l2.slices, sizeof *m->slice);
    l2_release(&m->l2);
    dram_release(&m->dram);
    noc_release(&m->noc);
    tlb_free(m->tlb);
    free(m);
}

void memory_observe(struct memory *m, struct observer *o)
{
    m->observer = o;
}

void memory_begin(struct memory *m)
{
    m->epoch++;
    noc_begin(&m->noc, m->epoch);
    l2_begin(&m->l2, m->epoch);
    dram_begin(&m->dram, m->epoch);
    if (m->tlb)
        tlb_begin(m->tlb);
    memset(&m->count, 0, sizeof m->count);
}

const struct mem_counters *memory_counters(struct memory *m)
{
    m->count.request_bytes = m->noc.request_bytes;
    m->count.reply_bytes = m->noc.reply_bytes;
    return &m->count;
}

const struct dram_counters *memory_dram_counters(const struct memory *m)
{
    return &m->dram.count;
}

uint64_t memory_dram_busy_ps(const struct memory *m)
{
    return dram_busy_ps(&m->dram);
}
