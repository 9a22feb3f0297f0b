/* simcore/mem/dma.h: accesses of copy engines, which read or write whole lines through L2. */
#ifndef VIVACE_SIMCORE_MEM_DMA_H
#define VIVACE_SIMCORE_MEM_DMA_H

#include "simcore/mem/memory.h"
#include "simcore/mem/slice.h"

/* Reads or writes the lines that contain these bytes, from t on (>= now, the engine's time). Returns when DRAM has
 * completed its part. Written lines stay in L2 as modified lines. The accesses are not counted as requests of SMs;
 * DRAM counts their sectors. */
sim_time_ps memory_dma(struct memory *m, uint64_t address, uint64_t bytes, bool write, sim_time_ps now,
                       sim_time_ps t);
/* dma_lines(): the number of lines that contain these bytes. dma_decide(): the access to one of these lines in L2,
 * without timing; warm.c uses it too. */
uint64_t dma_lines(uint64_t address, uint64_t bytes);
void dma_decide(struct memory *m, uint64_t line, bool write, struct address_place *place, struct slice_step *out);

#endif
