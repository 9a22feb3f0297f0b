/* simcore/mem/warm.h: requests without time: the caches behind L1 end as a request leaves them, and nothing else
 * changes. For launches that are replayed, so that another finds what they left, and for warm images. */
#ifndef VIVACE_SIMCORE_MEM_WARM_H
#define VIVACE_SIMCORE_MEM_WARM_H

#include "simcore/mem/memory.h"
#include "simcore/trace/warm_image.h"

/* What memory_access() does to L2 and to what is known of addresses. */
void memory_warm(struct memory *m, const struct mem_request *r);
/* What memory_dma() does to L2. */
void memory_warm_dma(struct memory *m, uint64_t address, uint64_t bytes, bool write);
/* The last of them was made: all has arrived long ago. */
void memory_warm_end(struct memory *m);

/* L2 and TLBs, which are empty, get what a launch finds there (mem/warm_image.c). */
int memory_warm_image(struct memory *m, const struct warm_image *image, struct err *e);

#endif
