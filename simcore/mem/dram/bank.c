/* simcore/mem/dram/bank.c: device memory with DRAM commands (bank_commands.h). The memory controller takes the rest
 * of the design's latency. Copies do not use events; they are served as in level bucket. */
#include <stdlib.h>

#include "base/array.h"
#include "simcore/mem/dram/bank_commands.h"
#include "simcore/mem/dram/bucket.h"

struct bank_model {
    struct dram_bank *commands;
    struct dram_listener to;
    uint32_t controller_ps;
};

static void bank_read_done(void *ctx, uint32_t id, sim_time_ps at)
{
    const struct bank_model *b = ctx;

    b->to.read(b->to.ctx, id, at + b->controller_ps);
}

static void bank_close(struct dram *m)
{
    struct bank_model *b = m->events;

    if (b)
        dram_bank_free(b->commands);
    free(b);
    m->events = NULL;
}

static void bank_room(void *ctx, uint32_t channel, bool write, sim_time_ps now)
{
    const struct bank_model *b = ctx;

    b->to.room(b->to.ctx, channel, write, now);
}

static int bank_open(struct dram *m, const struct gpu_design *d, struct event_queue *q,
                     const struct dram_listener *l, struct err *e)
{
    uint32_t idle, want = m->latency_ps + m->row_ps + (uint32_t)(m->read_q16 >> 16);
    struct bank_model *b = mem_zalloc(1, sizeof *b, e);

    if (!b)
        return -1;
    m->events = b;
    b->to = *l;
    b->commands = dram_bank_new(d, q, &m->count, e);
    if (!b->commands)
        return -1;
    dram_bank_listen(b->commands, bank_read_done, bank_room, b);
    dram_bank_tell_use(b->commands, l->moved, l->pending, l->ctx);
    idle = dram_bank_idle_ps(b->commands);
    b->controller_ps = want > idle ? want - idle : 0;
    return 0;
}

static void bank_begin(struct dram *m)
{
    dram_bank_begin(((struct bank_model *)m->events)->commands);
}

static bool bank_has_room(const struct dram *m, uint32_t channel, bool write)
{
    return dram_bank_has_room(((const struct bank_model *)m->events)->commands, channel, write);
}

static void bank_request(struct dram *m, const struct address_place *p, uint32_t sectors, bool write, uint32_t id,
                         sim_time_ps now)
{
    dram_bank_access(((struct bank_model *)m->events)->commands, p, sectors, write, id, now);
}

static uint64_t bank_busy_ps(const struct dram *m)
{
    return dram_bank_busy_ps(((const struct bank_model *)m->events)->commands);
}

const struct dram_ops dram_bank = {.name = "bank",
                                   .set_timing = bucket_set_timing,
                                   .access = bucket_access,
                                   .read_lines = bucket_read_lines,
                                   .open = bank_open,
                                   .close = bank_close,
                                   .begin = bank_begin,
                                   .has_room = bank_has_room,
                                   .request = bank_request,
                                   .busy_ps = bank_busy_ps};
