/* simcore/mem/noc/crossbar.h: a crossbar with flits ("model.noc": "flit"; event mode only).
 *
 * Packets of 8-byte flits queue at the inputs, in a queue of its own for each output, so that none waits behind
 * one for another output. An output that is free takes, round robin, a packet of the next input that is free and
 * has one for it; both are busy until its last flit is through (packets do not mix). Credits bound what may stand
 * behind an output: an output without enough of them for a whole packet waits until its reader gives some back.
 *
 * Requests and replies use a crossbar each, and the reader of replies takes all at once: no circle can close. */
#ifndef VIVACE_SIMCORE_MEM_NOC_CROSSBAR_H
#define VIVACE_SIMCORE_MEM_NOC_CROSSBAR_H

#include "base/err.h"
#include "simcore/engine/event_queue.h"

/* The usual header: packets of a header and whole sectors are then whole numbers of flits, and a port moves as many
 * bytes a clock as the design says. */
enum { FLIT_BYTES = 8 };

/* The last flit of a packet is behind its output. */
typedef void flit_arrived_fn(void *ctx, uint32_t packet, sim_time_ps now);

struct noc_flit; /* opaque */
struct noc_flit_shape {
    uint32_t inputs, outputs, packets; /* packets are known by numbers from 1 to this */
    uint32_t input_ps, output_ps;      /* that a flit keeps a port */
    uint32_t credits;                  /* flits behind an output; 0: without bound */
};
/* Pending events at once: one for each output. */
struct noc_flit *noc_flit_new(const struct noc_flit_shape *shape, struct event_queue *q, flit_arrived_fn *arrived,
                              void *ctx, struct err *e);
void noc_flit_free(struct noc_flit *n);
void noc_flit_begin(struct noc_flit *n); /* empty; the queue holds none of its events */
/* A packet of at least one flit, and no more than the credits of an output, enters now. */
void noc_flit_send(struct noc_flit *n, uint32_t packet, uint32_t input, uint32_t output, uint32_t flits,
                   sim_time_ps now);
/* The reader of an output has taken this number of flits away. */
void noc_flit_credit(struct noc_flit *n, uint32_t output, uint32_t flits, sim_time_ps now);

#endif
