/* simcore/mem/dma.h: what copy engines do behind the network: whole lines read or written through L2. */
#ifndef VIVACE_SIMCORE_MEM_DMA_H
#define VIVACE_SIMCORE_MEM_DMA_H

#include "simcore/mem/memory.h"
#include "simcore/mem/slice.h"

/* Reads or writes the lines that hold these bytes from t on (>= now, the engine's time); returns when DRAM is done
 * with what had to go there. Written lines stay in L2, as changed ones. Not counted among the requests of SMs; DRAM
 * counts its sectors. */
sim_time_ps memory_dma(struct memory *m, uint64_t address, uint64_t bytes, bool write, sim_time_ps now,
                       sim_time_ps t);
/* How many lines hold these bytes; and what L2 does with one of them, without time (also warm.c). */
uint64_t dma_lines(uint64_t address, uint64_t bytes);
void dma_decide(struct memory *m, uint64_t line, bool write, struct address_place *place, struct slice_step *out);

#endif
