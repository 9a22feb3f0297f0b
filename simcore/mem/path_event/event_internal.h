/* simcore/mem/path_event/event_internal.h: a request of event mode, and what its stages keep (event_path.c,
 * event_slice.c). */
#ifndef VIVACE_SIMCORE_MEM_PATH_EVENT_EVENT_INTERNAL_H
#define VIVACE_SIMCORE_MEM_PATH_EVENT_EVENT_INTERNAL_H

#include "simcore/mem/path_event/event_path.h"
#include "simcore/mem/mshr/mshr.h"
#include "simcore/mem/memory_internal.h"

enum event_stage {
    AT_NOTHING,
    AT_PORT,        /* the SM's own, before its time */
    AT_GPC,         /* the GPC's port, on the way to L2 */
    AT_CROSSBAR,    /* level flit: the crossbar to the slices */
    AT_SLICE,       /* the L2, on the asker's side */
    AT_HOME,        /* the partition of L2 in which the address lives */
    AT_TAGS,        /* the tags of a slice */
    AT_ROOM,        /* before the tags: device memory takes no more writes */
    AT_MEMORY_ROOM, /* device memory takes no more reads */
    AT_MSHR,        /* before the tags: the slice has no free MSHR */
    AT_DRAM,
    AT_LINE, /* another request fetches its line */
    AT_DATA,
    AT_BRIDGE_BACK,   /* leaves home for the asker's partition */
    AT_COPY,          /* is there */
    AT_CROSSBAR_BACK, /* level flit: the crossbar to the SMs */
    AT_GPC_BACK,
    AT_SM,
    AT_END,
    EVENT_STAGES
};

struct path_request {
    struct event ev; /* first */
    struct event_path *path;
    struct mem_request r;       /* as it was made */
    struct mem_request asked;   /* what the slice where it is is asked for */
    struct address_place home;  /* where its address lives */
    struct address_place place; /* where it is: there, or where its partition keeps copies */
    size_t line, copy_line;     /* places in L2, from the tags on */
    sim_time_ps since;          /* it reached the stage */
    sim_time_ps not_before;     /* its reply cannot leave */
    uint32_t token, next;
    uint8_t stage, fetch, copy_fetch; /* sectors it brings in itself: from device memory, from home */
    bool on_network;                  /* level flit: it still holds credits */
    bool copying;                     /* it is served by its partition's copy */
};

/* One number a stage: from when on it is free. */
struct sm_lane {
    sim_time_ps egress, ingress;
    uint32_t first_free, fresh, open; /* list of free requests; behind `fresh` all are free too; those under way */
};
struct pair_lane {
    sim_time_ps request, reply;
};
struct request_list { /* numbers of requests, + 1, by `next` */
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
    struct pair_lane *gpc, bridge[2]; /* bridges: by the partition that a packet leaves */
    struct slice_lane *slice;
    struct channel_lane *channel;
    struct mshr_file mshrs;
    struct path_request *request; /* per_sm of each SM */
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

/* First come, first served: takes the stage at t or when it is free; returns when the service ends. */
static inline sim_time_ps event_serve(sim_time_ps *free_from, sim_time_ps t, uint32_t service_ps)
{
    *free_from = later(*free_from, t) + service_ps;
    return *free_from;
}

static inline uint32_t event_bytes(uint8_t sectors)
{
    return sector_count(sectors) * SECTOR_BYTES;
}

/* event_slice.c: the stages in the L2 and behind it. */
void event_at_slice(struct path_request *q, sim_time_ps now); /* has come from the network */
void event_at_home(struct path_request *q, sim_time_ps now);  /* has come over the bridge */
void event_at_tags(struct path_request *q, sim_time_ps now);
void event_filled(struct path_request *q, sim_time_ps now); /* its fetch is there */
void event_at_data(struct path_request *q, sim_time_ps now);
void event_at_bridge_back(struct path_request *q, sim_time_ps now);
void event_copied(struct path_request *q, sim_time_ps now); /* what home was asked for is there */
/* Device memory has taken a read, whose end it knows, or has room again (dram/dram.h). */
void event_dram_read(void *ctx, uint32_t id, sim_time_ps at);
void event_dram_room(void *ctx, uint32_t channel, bool write, sim_time_ps now);
void event_dram_moved(void *ctx, uint32_t channel, uint32_t bank, uint32_t sectors, sim_time_ps at);
void event_dram_pending(void *ctx, uint32_t channel, uint32_t bank, sim_time_ps from, sim_time_ps to);
/* event_path.c: the slice has taken it off the network. */
void event_off_network(struct path_request *q, sim_time_ps now);
/* A reply leaves L2 at t. */
void event_reply(struct path_request *q, sim_time_ps t);

#endif
