/* simcore/copy.h: simulates copies and memsets piece by piece, over a link and through L2 and DRAM.
 *
 *
 * A link has a bandwidth for each direction, a latency, and a header per packet; each copy has a start-up time. A
 * piece completes when both the link and the memory have completed it. */
#ifndef VIVACE_SIMCORE_COPY_H
#define VIVACE_SIMCORE_COPY_H

#include "simcore/mem/dma.h"
#include "simcore/simcore.h"

struct copy_path {
    sim_time_ps free;  /* one direction of a link: when it accepts the next piece */
    uint64_t byte_q16; /* picoseconds * 65536 per byte of payload; 0: no link */
    uint32_t latency_ps, startup_ps;
};
struct copy_paths {
    struct copy_path of[SIM_WORK_KINDS];
};
enum { COPY_PIECES = 4 }; /* maximum pieces in flight */
struct copy {
    enum sim_work_kind kind;
    uint64_t address, left, piece_bytes;
    uint64_t apart;                /* distance from the destination to the source of a device copy, in bytes */
    sim_time_ps done[COPY_PIECES]; /* arrival times of the newest pieces; a ring */
    uint32_t pieces;               /* number of pieces sent */
};

void copy_paths_init(struct copy_paths *p, const struct gpu_design *d);
/* Begins a copy at `now`; returns when its first piece can be sent. */
sim_time_ps copy_begin(struct copy *c, const struct copy_paths *p, const struct sim_work *w, sim_time_ps now);
/* Sends a piece at `now`. Returns when the next one can be sent; after the last one, when all have arrived. */
sim_time_ps copy_piece(struct copy *c, struct copy_paths *p, struct memory *m, sim_time_ps now);

#endif
