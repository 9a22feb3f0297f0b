/* simcore/mem/noc/noc.h: between the SMs and the slices of the L2: ports of SMs and GPCs, the way in between, and
 * the bridge between the two partitions that the L2 of some GPUs has.
 *
 * Bandwidth is reserved at every port at the time at which a packet gets there; the way takes a fixed time for each
 * SM and slice. What lies between the ports of GPCs and the slices is a model's (struct noc_ops): a file of its
 * own, and a line in NOC_MODELS (simcore/components.h). The path that reserves takes the way's time; the path with
 * events asks the model. */
#ifndef VIVACE_SIMCORE_MEM_NOC_NOC_H
#define VIVACE_SIMCORE_MEM_NOC_NOC_H

#include "simcore/design.h"
#include "simcore/engine/resource.h"
#include "simcore/mem/address_map.h"

struct noc_sm_port {
    sim_time_ps egress_free; /* used in issue order, so one number is exact */
    struct res ingress;
    uint32_t epoch;
};

/* Requests and replies have ways of their own, so that neither waits for the other. */
struct noc_pair {
    struct res request, reply;
};

/* A packet, header included, and what it takes at each port. */
struct noc_packet {
    uint32_t bytes, egress_ps, gpc_request_ps, gpc_reply_ps, ingress_ps;
};

struct noc {
    const struct noc_ops *ops;
    void *events; /* a model with events: its own */
    uint32_t sms, gpcs, epoch, header_bytes;
    uint32_t partitions;
    uint32_t there_ps, back_ps,
        bridge_ps; /* of the way; memory.c sets them so that an idle read takes what the design says */
    int32_t *sm_extra_ps, *slice_extra_ps; /* each way is longer by these; both add up to 0 */
    int32_t slice_least_ps;                /* of the nearest slice */
    uint64_t egress_q16, ingress_q16, gpc_request_q16, gpc_reply_q16, bridge_q16; /* picoseconds * 65536 a byte */
    struct noc_packet packet[LINE_SECTORS + 1]; /* by the sectors that it carries */
    uint64_t request_bytes, reply_bytes;        /* of this kernel, headers included */
    struct noc_sm_port *port;
    uint16_t *gpc_of; /* by SM: SM i is in GPC i mod gpcs */
    struct noc_pair *gpc;
    struct noc_pair bridge[2]; /* by the partition that the packet leaves */
};

/* For a model with events: packets are known by numbers from 1 to `packets`; slices take slice_q16 (picoseconds *
 * 65536) a byte. Called when a packet is through, at its slice or back at the GPC's port. */
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
    /* From the port of an SM's GPC to a slice, and back: to its end or, with events, until the model takes it. */
    sim_time_ps (*there_ps)(const struct noc *n, uint32_t sm, uint32_t slice);
    sim_time_ps (*back_ps)(const struct noc *n, uint32_t sm, uint32_t slice);

    /* Models with events, else all NULL. At most a pending event for each SM and slice. */
    int (*open)(struct noc *n, const struct noc_shape *s, struct event_queue *q, const struct noc_listener *l,
                struct err *e);
    void (*close)(struct noc *n);
    void (*begin)(struct noc *n); /* a new kernel; the queue holds none of its events */
    /* The model takes a packet; the listener is notified when it is through. */
    void (*request)(struct noc *n, uint32_t packet, uint32_t sm, uint32_t slice, uint32_t bytes, sim_time_ps now);
    void (*reply)(struct noc *n, uint32_t packet, uint32_t sm, uint32_t slice, uint32_t bytes, sim_time_ps now);
    /* The slice has taken a request from its input. */
    void (*taken)(struct noc *n, uint32_t slice, uint32_t bytes, sim_time_ps now);
};

/* By enum noc_level: X(DELAY, delay, ...) is noc_delay, in delay.c. */
#define X(enumerator, name, what) extern const struct noc_ops noc_##name;
NOC_MODELS(X)
#undef X
const struct noc_ops *noc_model(uint32_t level);

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

/* The time that this number of bytes takes at a rate of picoseconds * 65536 a byte, rounded. */
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

/* What packets of one SM pass, looked up once for many. */
struct noc_way {
    struct noc *noc;
    struct noc_sm_port *port;
    struct noc_pair *gpc;
    sim_time_ps there_ps, back_ps; /* beside what the slice adds, which may be less than nothing */
};
static inline struct noc_way noc_way_of(struct noc *n, uint32_t sm)
{
    struct noc_pair *gpc = &n->gpc[n->gpc_of[sm]];

    res_begin(&gpc->request, n->epoch);
    res_begin(&gpc->reply, n->epoch);
    return (struct noc_way){n, noc_port_begin(n, sm), gpc, (sim_time_ps)((int64_t)n->there_ps + n->sm_extra_ps[sm]),
                            (sim_time_ps)((int64_t)n->back_ps + n->sm_extra_ps[sm])};
}

/* For who asks once a sector. */
#define NOC_INLINE static inline __attribute__((always_inline))

/* The packets of an instruction on their way to a port that they share: when the first and the last get there, and
 * what they take at it, the last one and all. */
struct noc_train {
    sim_time_ps first, last;
    uint32_t last_ps, all_ps;
};
NOC_INLINE void noc_train_add(struct noc_train *train, sim_time_ps t, uint32_t service_ps)
{
    const uint32_t newest = 0u - (uint32_t)(t >= train->last); /* no branch: they come in any order */

    train->first = t < train->first ? t : train->first;
    train->last = t > train->last ? t : train->last;
    train->last_ps ^= (train->last_ps ^ service_ps) & newest;
    train->all_ps += service_ps;
}
/* The same for packets that get there one after the other. */
NOC_INLINE void noc_train_follow(struct noc_train *train, sim_time_ps t, uint32_t service_ps)
{
    train->first = t < train->first ? t : train->first;
    train->last = t;
    train->last_ps = service_ps;
    train->all_ps += service_ps;
}
/* They pass together: the port is taken once, so that the last one gets through as if each had been alone. Returns
 * how long it waits, which the others are held to have waited too. */
NOC_INLINE sim_time_ps noc_train_pass(const struct noc_train *train, struct res *port, sim_time_ps now)
{
    sim_time_ps ahead = train->all_ps - train->last_ps, from = train->first;

    if (train->last > from + ahead)
        from = train->last - ahead;
    return res_take(port, now, from, train->all_ps) - train->last - train->last_ps;
}

/* A request (or its reply) leaves one partition of the L2 at t; returns when it is in the other. */
sim_time_ps noc_cross(struct noc *n, uint32_t from, bool reply, uint32_t bytes, sim_time_ps now, sim_time_ps t);
/* The partition that an SM asks: GPCs are split evenly. */
static inline uint32_t noc_partition(const struct noc *n, uint32_t sm)
{
    return n->partitions > 1 ? n->gpc_of[sm] * n->partitions / n->gpcs : 0;
}

#endif
