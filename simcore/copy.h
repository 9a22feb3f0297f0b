/* simcore/copy.h: copies and memsets, piece by piece, over a link and through L2 and DRAM.
 *
 * A link is a bandwidth each way, a latency, and what each packet carries beside its payload; setting a copy up
 * costs a start-up time. A piece is over when both the link and the memory are done with it. */
#ifndef VIVACE_SIMCORE_COPY_H
#define VIVACE_SIMCORE_COPY_H

#include "simcore/mem/dma.h"
#include "simcore/simcore.h"

struct copy_path {
    sim_time_ps free;  /* one direction of a link: when it takes the next piece */
    uint64_t byte_q16; /* picoseconds * 65536 a byte of payload; 0: no link */
    uint32_t latency_ps, startup_ps;
};
struct copy_paths {
    struct copy_path of[SIM_WORK_KINDS];
};
enum { COPY_PIECES = 4 }; /* on their way at once */
struct copy {
    enum sim_work_kind kind;
    uint64_t address, left, piece_bytes;
    uint64_t apart;                /* how far behind what it writes a device copy reads */
    sim_time_ps done[COPY_PIECES]; /* when the newest pieces arrive; a ring */
    uint32_t pieces;               /* sent */
};

void copy_paths_init(struct copy_paths *p, const struct gpu_design *d);
/* Begins a copy at `now`; returns when its first piece can go. */
sim_time_ps copy_begin(struct copy *c, const struct copy_paths *p, const struct sim_work *w, sim_time_ps now);
/* Sends a piece, at `now`; returns when the next can go, or where nothing is left when all have arrived. */
sim_time_ps copy_piece(struct copy *c, struct copy_paths *p, struct memory *m, sim_time_ps now);

#endif
