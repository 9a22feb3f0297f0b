/* simcore/mem/prefetch.c: the requests of one scattered instruction look at places all over the host's memory.
 * Going through all of them before the first is made lets the host fetch these side by side. */
#include "simcore/mem/memory_internal.h"

enum { SCATTERED_LEAST = 8 }; /* requests from which it pays */

void memory_prefetch(const struct memory *m, const struct mem_batch *b, sim_time_ps now)
{
    sim_time_ps t = b->r[0].made + m->noc.there_ps;

    if (b->count < SCATTERED_LEAST)
        return;
    for (uint32_t i = 0; i < b->count; i++) {
        const struct address_place *place = &b->home[i];

        l2_prefetch(&m->l2, place->slice, place->set);
        res_prefetch(&m->slice[place->slice].input);
        res_prefetch(&m->slice[place->slice].data);
        dram_prefetch(&m->dram, place);
    }
    for (uint32_t i = 0; i < b->count; i++) {
        const struct address_place *place = &b->home[i];
        const struct slice_stages *s = &m->slice[place->slice];

        l2_prefetch_way(&m->l2, place->slice, place->set, b->r[i].line);
        res_prefetch_slot(&s->data, now,
                          dram_prefetch_slots(&m->dram, place, now, res_prefetch_slot(&s->input, now, t)));
    }
}
