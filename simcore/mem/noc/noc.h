/* simcore/mem/noc/noc.h: the network between the SMs and the slices of the L2: ports of SMs and GPCs, the delay
 * between them, and the bridge between the two L2 partitions of some GPUs.
 *
 *
 * Bandwidth is reserved at every port for the arrival time of a packet. The delay is fixed for each pair of SM and
 * slice. The part between the ports of GPCs and the slices is an exchangeable model (struct noc_ops): a file, and a
 * line in NOC_MODELS (simcore/components.h). The analytic path uses its delay; the path with events calls the
 * model.
 */
#ifndef VIVACE_SIMCORE_MEM_NOC_NOC_H
#define VIVACE_SIMCORE_MEM_NOC_NOC_H

#include "simcore/design.h"
#include "simcore/engine/resource.h"
#include "simcore/mem/address_map.h"

struct noc_sm_port {
    sim_time_ps egress_free; /* used in issue order, so one free time is exact */
    struct res ingress;
    uint32_t epoch;
};

/* Requests and replies use separate channels, so neither waits for the other. */
struct noc_pair {
    struct res request, reply;
};

/* A packet with its header, and its service time at each port. */
struct noc_packet {
    uint32_t bytes, egress_ps, gpc_request_ps, gpc_reply_ps, ingress_ps;
};

struct noc {
    const struct noc_ops *ops;
    void *events; /* state of a model with events */
    uint32_t sms, gpcs, epoch, header_bytes;
    uint32_t partitions;
    uint32_t there_ps, back_ps,
        bridge_ps; /* delays; memory.c sets them so that an idle read has the latency of the design */
    int32_t *sm_extra_ps, *slice_extra_ps; /* additional delay of each SM and slice; the sum of each array is 0 */
    int32_t slice_least_ps;                /* of the nearest slice */
    uint64_t egress_q16, ingress_q16, gpc_request_q16, gpc_reply_q16, bridge_q16; /* picoseconds * 65536 per byte */
    struct noc_packet packet[LINE_SECTORS + 1]; /* indexed by the number of sectors in the packet */
    uint64_t request_bytes, reply_bytes;        /* bytes of this kernel, including headers */
    struct noc_sm_port *port;
    uint16_t *gpc_of; /* indexed by SM: SM i is in GPC i mod gpcs */
    struct noc_pair *gpc;
    struct noc_pair bridge[2]; /* indexed by the partition that the packet leaves */
};

/* For a model with events: packets have numbers from 1 to `packets`; slices need slice_q16 (picoseconds * 65536)
 * per byte. The listener is called when a packet has arrived, at its slice or at the GPC's port. */
struct noc_shape {
    uint32_t slices, packets;
    uint64_t slice_q16;
};
struct noc_listener {
    void (*there)(void *ctx, uint32_t packet, sim_time_ps now);
    void (*back)(void *ctx, uint32_t packet, sim_time_ps now);
    void *ctx;
};
struct noc_ops {
    const char *name;
    /* From the port of an SM's GPC to a slice, and back: the whole delay or, with events, the delay until the model
     * accepts the packet. */
    sim_time_ps (*there_ps)(const struct noc *n, uint32_t sm, uint32_t slice);
    sim_time_ps (*back_ps)(const struct noc *n, uint32_t sm, uint32_t slice);

    /* For models with events, else all NULL. At most one pending event for each SM and slice. */
    int (*open)(struct noc *n, const struct noc_shape *s, struct event_queue *q, const struct noc_listener *l,
                struct err *e);
    void (*close)(struct noc *n);
    void (*begin)(struct noc *n); /* for a new kernel; the event queue holds none of its events */
    /* Sends a packet into the model; the listener is called when it arrives. */
    void (*request)(struct noc *n, uint32_t packet, uint32_t sm, uint32_t slice, uint32_t bytes, sim_time_ps now);
    void (*reply)(struct noc *n, uint32_t packet, uint32_t sm, uint32_t slice, uint32_t bytes, sim_time_ps now);
    /* The slice has removed a request from its input buffer. */
    void (*taken)(struct noc *n, uint32_t slice, uint32_t bytes, sim_time_ps now);
};

/* Indexed by enum noc_level: X(DELAY, delay, ...) is noc_delay, in delay.c. */
#define X(enumerator, name, what) extern const struct noc_ops noc_##name;
NOC_MODELS(X)
#undef X
const struct noc_ops *noc_model(uint32_t level);

int noc_init(struct noc *n, const struct gpu_design *d, struct err *e);
/* Sets the additional delay of each SM and slice, which is 0 before. GPCs and slices are evenly distributed from
 * the nearest to the farthest; consecutive numbers are on alternate sides of the middle. */
void noc_lay_out(struct noc *n, const struct gpu_design *d);
void noc_release(struct noc *n);
void noc_begin(struct noc *n, uint32_t epoch); /* for a new kernel: clears reservations */

/* The delay of a packet from an SM to a slice, and back, without ports. */
static inline sim_time_ps noc_way_there_ps(const struct noc *n, uint32_t sm, uint32_t slice)
{
    return (sim_time_ps)((int64_t)n->there_ps + n->sm_extra_ps[sm] + n->slice_extra_ps[slice]);
}
static inline sim_time_ps noc_way_back_ps(const struct noc *n, uint32_t sm, uint32_t slice)
{
    return (sim_time_ps)((int64_t)n->back_ps + n->sm_extra_ps[sm] + n->slice_extra_ps[slice]);
}

/* The time for this number of bytes at a rate of picoseconds * 65536 per byte, rounded. */
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

/* State of the path of one SM's packets, looked up once for many packets. */
struct noc_way {
    struct noc *noc;
    struct noc_sm_port *port;
    struct noc_pair *gpc;
    sim_time_ps there_ps, back_ps; /* without the additional delay of the slice, which can be negative */
};
static inline struct noc_way noc_way_of(struct noc *n, uint32_t sm)
{
    struct noc_pair *gpc = &n->gpc[n->gpc_of[sm]];

    res_begin(&gpc->request, n->epoch);
    res_begin(&gpc->reply, n->epoch);
    return (struct noc_way){n, noc_port_begin(n, sm), gpc, (sim_time_ps)((int64_t)n->there_ps + n->sm_extra_ps[sm]),
                            (sim_time_ps)((int64_t)n->back_ps + n->sm_extra_ps[sm])};
}

/* For functions that are called once per sector. */
#define NOC_INLINE static inline __attribute__((always_inline))

/* The packets of an instruction that use the same port: arrival times of the first and the last one, and service
 * times at the port of the last one and of all. */
struct noc_train {
    sim_time_ps first, last;
    uint32_t last_ps, all_ps;
};
NOC_INLINE void noc_train_add(struct noc_train *train, sim_time_ps t, uint32_t service_ps)
{
    /* without a branch, because arrival times are in random order */
    const uint32_t newest = 0u - (uint32_t)(t >= train->last);

    train->first = t < train->first ? t : train->first;
    train->last = t > train->last ? t : train->last;
    train->last_ps ^= (train->last_ps ^ service_ps) & newest;
    train->all_ps += service_ps;
}
/* As noc_train_add(), for packets that arrive in order. */
NOC_INLINE void noc_train_follow(struct noc_train *train, sim_time_ps t, uint32_t service_ps)
{
    train->first = t < train->first ? t : train->first;
    train->last = t;
    train->last_ps = service_ps;
    train->all_ps += service_ps;
}
/* Reserves the port once for all packets, such that the last one leaves at the same time as with separate
 * reservations. Returns its waiting time, which is assumed for the other packets, too. */
NOC_INLINE sim_time_ps noc_train_pass(const struct noc_train *train, struct res *port, sim_time_ps now)
{
    sim_time_ps ahead = train->all_ps - train->last_ps, from = train->first;

    if (train->last > from + ahead)
        from = train->last - ahead;
    return res_take(port, now, from, train->all_ps) - train->last - train->last_ps;
}

/* A request (or its reply) leaves one partition of the L2 at t; returns when it arrives in the other. */
sim_time_ps noc_cross(struct noc *n, uint32_t from, bool reply, uint32_t bytes, sim_time_ps now, sim_time_ps t);
/* The partition that an SM uses: GPCs are divided evenly. */
static inline uint32_t noc_partition(const struct noc *n, uint32_t sm)
{
    return n->partitions > 1 ? n->gpc_of[sm] * n->partitions / n->gpcs : 0;
}

#endif
