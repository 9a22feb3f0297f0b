/* simcore/mem/prefetch.c: the requests of one scattered instruction look at places all over the host's memory.
 * Going through all of them before the first is made lets the host fetch these side by side. */
#include "simcore/mem/memory_internal.h"

enum { BATCH = 32 };

void memory_prefetch(const struct memory *m, const uint64_t line[], uint32_t count)
{
    struct address_place place[BATCH];
    uint32_t n = count < BATCH ? count : BATCH;

    for (uint32_t i = 0; i < n; i++) {
        address_locate(&m->map, line[i], &place[i]);
        l2_prefetch(&m->l2, place[i].slice, place[i].set);
        res_prefetch(&m->slice[place[i].slice].input);
        res_prefetch(&m->slice[place[i].slice].data);
        dram_prefetch(&m->dram, &place[i], false);
    }
    for (uint32_t i = 0; i < n; i++) {
        l2_prefetch_way(&m->l2, place[i].slice, place[i].set);
        res_prefetch_slot(&m->slice[place[i].slice].data);
        dram_prefetch(&m->dram, &place[i], true);
    }
}
