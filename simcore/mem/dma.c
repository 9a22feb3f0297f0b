#include "simcore/mem/dma.h"

#include "simcore/mem/memory_internal.h"

static const uint8_t all_sectors = (1 << LINE_SECTORS) - 1;

uint64_t dma_lines(uint64_t address, uint64_t bytes)
{
    return ((address & (LINE_BYTES - 1)) + bytes + LINE_BYTES - 1) / LINE_BYTES;
}

void dma_decide(struct memory *m, uint64_t line, bool write, struct address_place *place, struct slice_step *out)
{
    const struct mem_request r = {.line = line,
                                  .sectors = all_sectors,
                                  .full = write ? all_sectors : 0,
                                  .kind = write ? MEM_WRITE : MEM_READ};
    struct mem_counters not_of_sms = {0};

    address_locate(&m->map, line, place);
    slice_decide(&m->l2, &not_of_sms, &r, place, out);
}

static sim_time_ps one_line(struct memory *m, uint64_t line, bool write, sim_time_ps now, sim_time_ps t)
{
    struct address_place place, evicted;
    struct slice_step step;
    sim_time_ps done = t;

    dma_decide(m, line, write, &place, &step);
    if (step.write_back) {
        address_locate(&m->map, step.evicted, &evicted);
        done = dram_access(&m->dram, &evicted, sector_count(step.write_back), true, now, t);
    }
    if (step.fetch)
        done = later(done, dram_access(&m->dram, &place, sector_count(step.fetch), false, now, t));
    if (!write)
        m->l2.lines[step.line].ready = later(m->l2.lines[step.line].ready, done);
    return done;
}

sim_time_ps memory_dma(struct memory *m, uint64_t address, uint64_t bytes, bool write, sim_time_ps now,
                       sim_time_ps t)
{
    uint64_t first = address >> LINE_SHIFT, lines = dma_lines(address, bytes);
    sim_time_ps done = t;

    for (uint64_t i = 0; i < lines; i++)
        done = later(done, one_line(m, first + i, write, now, t));
    return done;
}
