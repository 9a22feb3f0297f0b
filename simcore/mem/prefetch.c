/* simcore/mem/prefetch.c: the requests of one scattered instruction look at places all over the host's memory.
 * Going through all of them before the first is made lets the host fetch these side by side. */
#include "simcore/mem/memory_internal.h"

void memory_prefetch(const struct memory *m, const uint64_t line[], uint32_t count, struct address_place place[],
                     sim_time_ps now, sim_time_ps t)
{
    for (uint32_t i = 0; i < count; i++) {
        address_locate(&m->map, line[i], &place[i]);
        l2_prefetch(&m->l2, place[i].slice, place[i].set);
        res_prefetch(&m->slice[place[i].slice].input);
        res_prefetch(&m->slice[place[i].slice].data);
        dram_prefetch(&m->dram, &place[i]);
    }
    t += m->noc.there_ps;
    for (uint32_t i = 0; i < count; i++) {
        const struct slice_stages *s = &m->slice[place[i].slice];

        l2_prefetch_way(&m->l2, place[i].slice, place[i].set);
        res_prefetch_slot(&s->data, now,
                          dram_prefetch_slots(&m->dram, &place[i], now, res_prefetch_slot(&s->input, now, t)));
    }
}
