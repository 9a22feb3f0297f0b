#include "simcore/copy.h"

/* A copy is divided into pieces of this size; a long copy into this number of pieces. */
enum { PIECE_BYTES = 256 << 10, PIECES_MAX = 4096 };

static sim_time_ps later(sim_time_ps a, sim_time_ps b)
{
    return a > b ? a : b;
}

static struct copy_path path_of(const struct link_params *l)
{
    /* MB/s -> picoseconds * 65536 per byte: 10^6 ps/us / (MB/s = B/us), plus the packet headers. */
    unsigned __int128 q16 = (unsigned __int128)1000000 * 65536 * (l->payload_bytes + l->header_bytes);

    return (struct copy_path){.byte_q16 = l->mbs ? (uint64_t)(q16 / l->payload_bytes / l->mbs) : 0,
                              .latency_ps = l->latency_ps,
                              .startup_ps = l->startup_ps};
}

void copy_paths_init(struct copy_paths *p, const struct gpu_design *d)
{
    const struct copy_path pcie = path_of(&d->pcie), nvlink = path_of(&d->nvlink);
    const struct copy_path inside = {.startup_ps = d->copy_startup_ps};

    *p = (struct copy_paths){.of = {[SIM_COPY_TO_DEVICE] = pcie,
                                    [SIM_COPY_TO_HOST] = pcie,
                                    [SIM_COPY_FROM_PEER] = nvlink.byte_q16 ? nvlink : pcie,
                                    [SIM_COPY_DEVICE] = inside,
                                    [SIM_MEMSET] = inside}};
}

sim_time_ps copy_begin(struct copy *c, const struct copy_paths *p, const struct sim_work *w, sim_time_ps now)
{
    uint64_t piece = (w->bytes / PIECES_MAX + PIECE_BYTES) / PIECE_BYTES * PIECE_BYTES;

    *c = (struct copy){.kind = w->kind,
                       .address = w->address,
                       .left = w->bytes,
                       .piece_bytes = piece,
                       .apart = w->kind == SIM_COPY_DEVICE ? w->bytes : 0};
    return now + p->of[w->kind].startup_ps;
}

static sim_time_ps through_memory(const struct copy *c, uint64_t bytes, struct memory *m, sim_time_ps now)
{
    sim_time_ps t = now;

    if (c->kind == SIM_COPY_TO_HOST || c->kind == SIM_COPY_DEVICE)
        t = memory_dma(m, c->address + c->apart, bytes, false, now, t);
    if (c->kind == SIM_COPY_TO_HOST)
        return t;
    return memory_dma(m, c->address, bytes, true, now, t);
}

sim_time_ps copy_piece(struct copy *c, struct copy_paths *p, struct memory *m, sim_time_ps now)
{
    struct copy_path *path = &p->of[c->kind];
    uint64_t bytes = c->left < c->piece_bytes ? c->left : c->piece_bytes;
    sim_time_ps done = through_memory(c, bytes, m, now);

    path->free = later(now, path->free) + ((bytes * path->byte_q16) >> 16);
    c->done[c->pieces++ % COPY_PIECES] = later(done, path->free);
    c->address += bytes;
    c->left -= bytes;
    if (c->left)
        return later(now, c->done[c->pieces % COPY_PIECES]); /* the oldest piece in flight; 0 while there are few */
    for (int i = 0; i < COPY_PIECES; i++)
        done = later(done, c->done[i]);
    return done + path->latency_ps;
}
