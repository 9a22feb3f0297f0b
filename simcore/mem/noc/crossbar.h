/* simcore/mem/noc/crossbar.h: a flit-level crossbar ("model.noc": "flit"; event mode only).
 *
 *
 * Packets of 8-byte flits wait at the inputs, in a separate queue for each output (virtual output queues), so there
 * is no head-of-line blocking. A free output selects, round-robin, a packet of the next free input that has one for
 * it. Both are busy until its last flit has passed (packets are not interleaved). Credits limit the flits buffered
 * behind an output. An output without enough credits for a whole packet waits until its reader returns some.
 *
 *
 * Requests and replies use separate crossbars, and the reader of replies accepts all of them at once, so no
 * deadlock is possible. */
#ifndef VIVACE_SIMCORE_MEM_NOC_CROSSBAR_H
#define VIVACE_SIMCORE_MEM_NOC_CROSSBAR_H

#include "base/err.h"
#include "simcore/engine/event_queue.h"

/* The usual header size. Packets of a header and whole sectors are then whole numbers of flits, and the bandwidth
 * of a port is exactly the design's. */
enum { FLIT_BYTES = 8 };

/* The last flit of a packet has passed its output. */
typedef void flit_arrived_fn(void *ctx, uint32_t packet, sim_time_ps now);

struct noc_flit; /* opaque */
struct noc_flit_shape {
    uint32_t inputs, outputs, packets; /* packets have numbers from 1 to `packets` */
    uint32_t input_ps, output_ps;      /* time that a flit occupies a port */
    uint32_t credits;                  /* flits buffered behind an output; 0: unlimited */
};
/* Maximum pending events: one for each output. */
struct noc_flit *noc_flit_new(const struct noc_flit_shape *shape, struct event_queue *q, flit_arrived_fn *arrived,
                              void *ctx, struct err *e);
void noc_flit_free(struct noc_flit *n);
void noc_flit_begin(struct noc_flit *n); /* empties it; the event queue holds none of its events */
/* Sends a packet now. It has at least one flit, and at most the credits of an output. */
void noc_flit_send(struct noc_flit *n, uint32_t packet, uint32_t input, uint32_t output, uint32_t flits,
                   sim_time_ps now);
/* The reader of an output returns credits for this number of flits. */
void noc_flit_credit(struct noc_flit *n, uint32_t output, uint32_t flits, sim_time_ps now);

#endif
