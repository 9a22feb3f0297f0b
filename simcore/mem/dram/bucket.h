/* simcore/mem/dram/bucket.h: event-driven DRAM models serve copies like model.dram "bucket". */
#ifndef VIVACE_SIMCORE_MEM_DRAM_BUCKET_H
#define VIVACE_SIMCORE_MEM_DRAM_BUCKET_H

#include "simcore/mem/dram/dram.h"

void bucket_set_timing(struct dram *m, const struct gpu_design *d);
sim_time_ps bucket_access(struct dram *m, const struct address_place *p, uint32_t sectors, bool write,
                          sim_time_ps now, sim_time_ps t);
void bucket_read_lines(struct dram *m, const struct address_places *home, const uint8_t line[],
                       const uint8_t sectors[], uint32_t n, sim_time_ps now, sim_time_ps t[]);

#endif
