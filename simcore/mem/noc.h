/* simcore/mem/noc.h: between the SMs and the slices of the L2: ports of SMs and GPCs, and the way in between.
 *
 * Bandwidth is reserved at every port at the time at which a packet gets there; the way takes a fixed time. */
#ifndef VIVACE_SIMCORE_MEM_NOC_H
#define VIVACE_SIMCORE_MEM_NOC_H

#include "simcore/design.h"
#include "simcore/engine/resource.h"

struct noc_sm_port {
    sim_time_ps egress_free; /* used in issue order, so one number is exact */
    struct res ingress;
    uint32_t epoch;
};

struct noc_gpc_port {
    struct res request, reply;
};

struct noc {
    uint32_t sms, gpcs, epoch, header_bytes;
    uint32_t there_ps, back_ps; /* of the way; memory.c sets them so that an idle read takes what the design says */
    uint64_t egress_q16, ingress_q16, gpc_request_q16, gpc_reply_q16; /* picoseconds * 65536 a byte */
    uint64_t request_bytes, reply_bytes;                              /* of this kernel, headers included */
    struct noc_sm_port *port;
    struct noc_gpc_port *gpc;
};

int noc_init(struct noc *n, const struct gpu_design *d, struct err *e);
void noc_release(struct noc *n);
void noc_begin(struct noc *n, uint32_t epoch); /* a new kernel: nothing reserved */

/* A packet of so many bytes beside its header leaves the SM at t; returns when it is at the slice. */
sim_time_ps noc_there(struct noc *n, uint32_t sm, uint32_t bytes, sim_time_ps now, sim_time_ps t);
/* It leaves the slice at t; returns when it is at the SM. */
sim_time_ps noc_back(struct noc *n, uint32_t sm, uint32_t bytes, sim_time_ps now, sim_time_ps t);

/* What so many bytes take at a rate of picoseconds * 65536 a byte, rounded. */
static inline uint32_t bytes_ps(uint64_t per_byte_q16, uint32_t bytes)
{
    return (uint32_t)((per_byte_q16 * bytes + 32768) >> 16);
}

#endif
