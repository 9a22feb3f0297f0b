/* simcore/mem/warm.h: requests without timing: they change only the content of the caches behind L1. Used for
 * launches that are replayed, so that a later launch finds their lines, and for warm images. */
#ifndef VIVACE_SIMCORE_MEM_WARM_H
#define VIVACE_SIMCORE_MEM_WARM_H

#include "simcore/mem/memory.h"
#include "simcore/trace/warm_image.h"

/* The effect of memory_access() on L2 and TLBs. */
void memory_warm(struct memory *m, const struct mem_request *r);
/* The effect of memory_dma() on L2. */
void memory_warm_dma(struct memory *m, uint64_t address, uint64_t bytes, bool write);
/* Call after the last request: all data has arrived. */
void memory_warm_end(struct memory *m);

/* Fills the L2 and TLBs, which must be empty, from a warm image (mem/warm_image.c). */
int memory_warm_image(struct memory *m, const struct warm_image *image, struct err *e);

#endif
