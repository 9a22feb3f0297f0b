/* simcore/mem/noc.h: between the SMs and the slices of the L2: ports of SMs and GPCs, the way in between, and the
 * bridge between the two partitions that the L2 of some GPUs has.
 *
 * Bandwidth is reserved at every port at the time at which a packet gets there; the way takes a fixed time for each
 * SM and slice. */
#ifndef VIVACE_SIMCORE_MEM_NOC_H
#define VIVACE_SIMCORE_MEM_NOC_H

#include "simcore/design.h"
#include "simcore/engine/resource.h"

struct noc_sm_port {
    sim_time_ps egress_free; /* used in issue order, so one number is exact */
    struct res ingress;
    uint32_t epoch;
};

/* Requests and replies have ways of their own, so that neither waits for the other. */
struct noc_pair {
    struct res request, reply;
};

struct noc {
    uint32_t sms, gpcs, epoch, header_bytes;
    uint32_t partitions;
    uint32_t there_ps, back_ps,
        bridge_ps; /* of the way; memory.c sets them so that an idle read takes what the design says */
    int32_t *sm_extra_ps, *slice_extra_ps; /* each way is longer by these; both add up to 0 */
    uint64_t egress_q16, ingress_q16, gpc_request_q16, gpc_reply_q16, bridge_q16; /* picoseconds * 65536 a byte */
    uint64_t request_bytes, reply_bytes; /* of this kernel, headers included */
    struct noc_sm_port *port;
    uint16_t *gpc_of; /* by SM: SM i lies in GPC i mod gpcs */
    struct noc_pair *gpc;
    struct noc_pair bridge[2]; /* by the partition that the packet leaves */
};

int noc_init(struct noc *n, const struct gpu_design *d, struct err *e);
/* Sets how much longer or shorter the way of each SM and slice is; before, all are alike. GPCs lie evenly from the
 * nearest to the farthest, and so do slices; neighbours in number lie on either side of the middle. */
void noc_lay_out(struct noc *n, const struct gpu_design *d);
void noc_release(struct noc *n);
void noc_begin(struct noc *n, uint32_t epoch); /* a new kernel: nothing reserved */

/* How long a packet is under way between an SM and a slice, and back, ports not included. */
static inline sim_time_ps noc_way_there_ps(const struct noc *n, uint32_t sm, uint32_t slice)
{
    return (sim_time_ps)((int64_t)n->there_ps + n->sm_extra_ps[sm] + n->slice_extra_ps[slice]);
}
static inline sim_time_ps noc_way_back_ps(const struct noc *n, uint32_t sm, uint32_t slice)
{
    return (sim_time_ps)((int64_t)n->back_ps + n->sm_extra_ps[sm] + n->slice_extra_ps[slice]);
}

/* What so many bytes take at a rate of picoseconds * 65536 a byte, rounded. */
static inline uint32_t bytes_ps(uint64_t per_byte_q16, uint32_t bytes)
{
    return (uint32_t)((per_byte_q16 * bytes + 32768) >> 16);
}

static inline struct noc_sm_port *noc_port_begin(struct noc *n, uint32_t sm)
{
    struct noc_sm_port *p = &n->port[sm];

    if (p->epoch != n->epoch) {
        res_reset(&p->ingress, n->epoch);
        p->egress_free = 0;
        p->epoch = n->epoch;
    }
    return p;
}

/* A packet of so many bytes beside its header stands at the SM's port at t; returns when it has left it. Packets
 * leave in the order of calls. */
static inline sim_time_ps noc_leave(struct noc *n, uint32_t sm, uint32_t bytes, sim_time_ps t)
{
    struct noc_sm_port *p = noc_port_begin(n, sm);

    bytes += n->header_bytes;
    n->request_bytes += bytes;
    p->egress_free = (t > p->egress_free ? t : p->egress_free) + bytes_ps(n->egress_q16, bytes);
    return p->egress_free;
}
/* It goes on from there at t; returns when it is at the slice. */
static inline sim_time_ps noc_there(struct noc *n, uint32_t sm, uint32_t slice, uint32_t bytes, sim_time_ps now,
                                    sim_time_ps t)
{
    t = res_take(res_begin(&n->gpc[n->gpc_of[sm]].request, n->epoch), now, t,
                 bytes_ps(n->gpc_request_q16, bytes + n->header_bytes));
    return t + noc_way_there_ps(n, sm, slice);
}
/* It leaves the slice at t; returns when it is at the SM. */
static inline sim_time_ps noc_back(struct noc *n, uint32_t sm, uint32_t slice, uint32_t bytes, sim_time_ps now,
                                   sim_time_ps t)
{
    bytes += n->header_bytes;
    n->reply_bytes += bytes;
    t = res_take(res_begin(&n->gpc[n->gpc_of[sm]].reply, n->epoch), now, t + noc_way_back_ps(n, sm, slice),
                 bytes_ps(n->gpc_reply_q16, bytes));
    return res_take(&noc_port_begin(n, sm)->ingress, now, t, bytes_ps(n->ingress_q16, bytes));
}

/* A request (or its reply) leaves one partition of the L2 at t; returns when it is in the other. */
sim_time_ps noc_cross(struct noc *n, uint32_t from, bool reply, uint32_t bytes, sim_time_ps now, sim_time_ps t);
/* The partition that an SM asks: GPCs are split evenly. */
static inline uint32_t noc_partition(const struct noc *n, uint32_t sm)
{
    return n->partitions > 1 ? n->gpc_of[sm] * n->partitions / n->gpcs : 0;
}

#endif
