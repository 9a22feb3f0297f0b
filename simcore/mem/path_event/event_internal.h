/* simcore/mem/path_event/event_internal.h: a request of event mode, and the state of its stages (event_path.c,
 * event_slice.c). */
#ifndef VIVACE_SIMCORE_MEM_PATH_EVENT_EVENT_INTERNAL_H
#define VIVACE_SIMCORE_MEM_PATH_EVENT_EVENT_INTERNAL_H

#include "simcore/mem/path_event/event_path.h"
#include "simcore/mem/mshr/mshr.h"
#include "simcore/mem/memory_internal.h"

enum event_stage {
    AT_NOTHING,
    AT_PORT,        /* the SM's port, before its send time */
    AT_GPC,         /* the GPC's port, on the way to L2 */
    AT_CROSSBAR,    /* level flit: the crossbar to the slices */
    AT_SLICE,       /* the L2 slice in the SM's partition */
    AT_HOME,        /* the home partition of the address in L2 */
    AT_TAGS,        /* the tags of a slice */
    AT_ROOM,        /* before the tags: device memory accepts no more writes */
    AT_MEMORY_ROOM, /* device memory accepts no more reads */
    AT_MSHR,        /* before the tags: the slice has no free MSHR */
    AT_DRAM,
    AT_LINE, /* another request is fetching its line */
    AT_DATA,
    AT_BRIDGE_BACK,   /* from the home partition to the SM's partition */
    AT_COPY,          /* arrived in the SM's partition */
    AT_CROSSBAR_BACK, /* level flit: the crossbar to the SMs */
    AT_GPC_BACK,
    AT_SM,
    AT_END,
    EVENT_STAGES
};

struct path_request {
    struct event ev; /* must be the first member */
    struct event_path *path;
    struct mem_request r;       /* as sent by the SM */
    struct mem_request asked;   /* as sent to the current slice */
    struct address_place home;  /* home of its address */
    struct address_place place; /* current location: the home, or the location of the local copy */
    size_t line, copy_line;     /* indices in L2, set at the tags */
    sim_time_ps since;          /* arrival time at the current stage */
    sim_time_ps not_before;     /* earliest time at which its reply can leave */
    uint32_t token, next;
    uint8_t stage, fetch, copy_fetch; /* sectors that it fetches: from device memory, from the home partition */
    bool on_network;                  /* level flit: it still holds credits */
    bool copying;                     /* the local copy serves it */
};

/* For each stage one number: the time from which it is free. */
struct sm_lane {
    sim_time_ps egress, ingress;
    /* list of free requests; all from `fresh` on are also free; number of requests in flight */
    uint32_t first_free, fresh, open;
};
struct pair_lane {
    sim_time_ps request, reply;
};
struct request_list { /* list of request indices + 1, linked by `next` */
    uint32_t first, last;
};
struct slice_lane {
    sim_time_ps input, data, atomic;
    struct request_list missing; /* AT_MSHR */
};
struct channel_lane {
    struct request_list writers, readers; /* AT_ROOM, AT_MEMORY_ROOM */
};

struct event_path {
    struct memory *m;
    struct event_queue *queue;
    request_done_fn *done;
    void *ctx;
    uint32_t sms, gpcs, slices, channels, per_sm;
    struct sm_lane *sm;
    struct pair_lane *gpc, bridge[2]; /* bridges: indexed by the partition that a packet leaves */
    struct slice_lane *slice;
    struct channel_lane *channel;
    struct mshr_file mshrs;
    struct path_request *request; /* per_sm requests for each SM */
};

static inline uint32_t request_number(const struct path_request *q)
{
    return (uint32_t)(q - q->path->request) + 1;
}

static inline void event_go(struct path_request *q, enum event_stage stage, sim_time_ps at)
{
    q->stage = (uint8_t)stage;
    event_queue_schedule(q->path->queue, &q->ev, at, PHASE_DELIVER);
}

/* First come, first served: uses the stage at t or when it is free; returns the end of the service. */
static inline sim_time_ps event_serve(sim_time_ps *free_from, sim_time_ps t, uint32_t service_ps)
{
    *free_from = later(*free_from, t) + service_ps;
    return *free_from;
}

static inline uint32_t event_bytes(uint8_t sectors)
{
    return sector_count(sectors) * SECTOR_BYTES;
}

/* In event_slice.c: the stages in the L2 and behind it. */
void event_at_slice(struct path_request *q, sim_time_ps now); /* it arrived from the network */
void event_at_home(struct path_request *q, sim_time_ps now);  /* it arrived over the bridge */
void event_at_tags(struct path_request *q, sim_time_ps now);
void event_filled(struct path_request *q, sim_time_ps now); /* its fetched sectors have arrived */
void event_at_data(struct path_request *q, sim_time_ps now);
void event_at_bridge_back(struct path_request *q, sim_time_ps now);
void event_copied(struct path_request *q, sim_time_ps now); /* the sectors from the home partition have arrived */
/* Device memory has begun a read whose end is known, or has room again (dram/dram.h). */
void event_dram_read(void *ctx, uint32_t id, sim_time_ps at);
void event_dram_room(void *ctx, uint32_t channel, bool write, sim_time_ps now);
void event_dram_moved(void *ctx, uint32_t channel, uint32_t bank, uint32_t sectors, sim_time_ps at);
void event_dram_pending(void *ctx, uint32_t channel, uint32_t bank, sim_time_ps from, sim_time_ps to);
/* In event_path.c: the slice has removed the request from the network. */
void event_off_network(struct path_request *q, sim_time_ps now);
/* A reply leaves L2 at t. */
void event_reply(struct path_request *q, sim_time_ps t);

#endif
