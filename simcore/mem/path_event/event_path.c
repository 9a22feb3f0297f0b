#include "simcore/mem/path_event/event_path.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "simcore/mem/path_event/event_internal.h"
#include "simcore/mem/mem_port.h"

enum { REQUESTS_MIN = 1024 }; /* per SM: the maximum that one instruction can need */

static const char *const stage_names[EVENT_STAGES] = {
    [AT_NOTHING] = "nowhere",
    [AT_PORT] = "about to leave its SM",
    [AT_GPC] = "on its way to the network",
    [AT_CROSSBAR] = "at the network to L2",
    [AT_CROSSBAR_BACK] = "at the network back",
    [AT_SLICE] = "on its way to L2",
    [AT_HOME] = "on its way to the other partition of L2",
    [AT_TAGS] = "at the input of its L2 slice",
    [AT_ROOM] = "at its L2 slice, whose channel accepts no more writes",
    [AT_MEMORY_ROOM] = "before device memory, which accepts no more reads",
    [AT_MSHR] = "at its L2 slice, which has no free MSHR",
    [AT_DRAM] = "in device memory",
    [AT_LINE] = "waiting for another request's fill of its line",
    [AT_DATA] = "at the data of its L2 slice",
    [AT_BRIDGE_BACK] = "on its way back from the other partition of L2",
    [AT_COPY] = "on its way back from the other partition of L2",
    [AT_GPC_BACK] = "on its way back",
    [AT_SM] = "at the SM's port",
    [AT_END] = "about to be accepted by L2",
};

static uint32_t requests_per_sm(const struct gpu_design *d)
{
    uint32_t n = d->warps * 32;

    return n > REQUESTS_MIN ? n : REQUESTS_MIN;
}

uint32_t event_path_events(const struct gpu_design *d)
{
    return d->sms * requests_per_sm(d) + d->dram_channels + d->l2_slices + d->sms /* outputs of the crossbars */;
}

static void fire(struct event *ev, sim_time_ps now);

/* Opens a DRAM model with events. */
static int open_dram(struct event_path *p, const struct gpu_design *d, struct err *e)
{
    const struct dram_listener l = {event_dram_read, event_dram_room, event_dram_moved, event_dram_pending, p};

    return p->m->dram.ops->open ? p->m->dram.ops->open(&p->m->dram, d, p->queue, &l, e) : 0;
}

static void through_there(void *ctx, uint32_t packet, sim_time_ps now);
static void through_back(void *ctx, uint32_t packet, sim_time_ps now);

/* Opens a network model with events. */
static int open_noc(struct event_path *p, struct err *e)
{
    const struct noc_shape shape = {p->slices, p->sms * p->per_sm, p->m->slice_q16};
    const struct noc_listener l = {through_there, through_back, p};
    struct noc *n = &p->m->noc;

    return n->ops->open ? n->ops->open(n, &shape, p->queue, &l, e) : 0;
}

struct event_path *event_path_new(struct memory *m, const struct gpu_design *d, struct event_queue *q,
                                  request_done_fn *done, void *ctx, struct err *e)
{
    struct event_path *p = mem_zalloc(1, sizeof *p, e);

    if (!p)
        return NULL;
    *p = (struct event_path){.m = m,
                             .queue = q,
                             .done = done,
                             .ctx = ctx,
                             .sms = d->sms,
                             .gpcs = d->gpcs,
                             .slices = d->l2_slices,
                             .channels = d->dram_channels,
                             .per_sm = requests_per_sm(d)};
    p->sm = mem_zalloc(p->sms, sizeof *p->sm, e);
    p->gpc = p->sm ? mem_zalloc(p->gpcs, sizeof *p->gpc, e) : NULL;
    p->slice = p->gpc ? mem_zalloc(p->slices, sizeof *p->slice, e) : NULL;
    p->channel = p->slice ? mem_zalloc(p->channels, sizeof *p->channel, e) : NULL;
    p->request = p->channel ? mem_zalloc((size_t)p->sms * p->per_sm, sizeof *p->request, e) : NULL;
    if (!p->request ||
        mshr_init(&p->mshrs, d, (size_t)m->l2.slices * m->l2.sets * m->l2.ways, p->sms * p->per_sm, e) < 0 ||
        open_dram(p, d, e) < 0 || open_noc(p, e) < 0) {
        event_path_free(p);
        return NULL;
    }
    return p;
}

void event_path_free(struct event_path *p)
{
    if (!p)
        return;
    mshr_release(&p->mshrs);
    free(p->channel);
    free(p->sm);
    free(p->gpc);
    free(p->slice);
    free(p->request);
    free(p);
}

void event_path_begin(struct event_path *p)
{
    bool clean = true;

    for (uint32_t i = 0; i < p->sms; i++) {
        struct sm_lane *sm = &p->sm[i];

        if (sm->open) { /* the previous kernel was stopped */
            clean = false;
            for (uint32_t k = 0; k < sm->fresh; k++)
                p->request[(size_t)i * p->per_sm + k].stage = AT_NOTHING;
            sm->first_free = sm->fresh = sm->open = 0;
        }
        sm->egress = sm->ingress = 0;
    }
    if (!clean)
        p->mshrs.ops->reset(&p->mshrs);
    memset(p->gpc, 0, p->gpcs * sizeof *p->gpc);
    memset(p->bridge, 0, sizeof p->bridge);
    memset(p->slice, 0, p->slices * sizeof *p->slice);
    memset(p->channel, 0, p->channels * sizeof *p->channel);
    if (p->m->dram.ops->begin)
        p->m->dram.ops->begin(&p->m->dram);
    if (p->m->noc.ops->begin)
        p->m->noc.ops->begin(&p->m->noc);
}

/* --- stages outside the L2 --- */

static uint32_t bytes_there(const struct path_request *q)
{
    return q->path->m->noc.header_bytes + (q->r.kind == MEM_READ ? 0 : event_bytes(q->r.sectors));
}

static uint32_t bytes_back(const struct path_request *q)
{
    return q->path->m->noc.header_bytes + event_bytes(q->r.sectors);
}

/* The request ends at `at`; its entry in the pool is free again. */
static void event_path_end(struct path_request *q, sim_time_ps at)
{
    struct event_path *p = q->path;
    struct sm_lane *sm = &p->sm[q->r.sm];

    q->stage = AT_NOTHING;
    q->next = sm->first_free;
    sm->first_free = request_number(q);
    sm->open--;
    p->done(p->ctx, q->r.sm, q->token, at);
}

void event_reply(struct path_request *q, sim_time_ps t)
{
    struct event_path *p = q->path;
    struct noc *n = &p->m->noc;
    sim_time_ps way = n->ops->back_ps(n, q->r.sm, q->home.slice);

    n->reply_bytes += bytes_back(q);
    q->since = t;
    event_go(q, n->ops->reply ? AT_CROSSBAR_BACK : AT_GPC_BACK, t + way);
}

/* The port serves requests in the order of their arrival, so the end is known at once. */
static void leave_sm(struct path_request *q, sim_time_ps t)
{
    struct event_path *p = q->path;
    struct noc *n = &p->m->noc;
    sim_time_ps address = translation_ps(p->m, &q->r, t);

    n->request_bytes += bytes_there(q);
    q->since = t + address;
    event_go(q, AT_GPC, event_serve(&p->sm[q->r.sm].egress, t, bytes_ps(n->egress_q16, bytes_there(q))) + address);
}

static void to_slice(struct path_request *q, sim_time_ps now)
{
    struct event_path *p = q->path;
    const struct noc *n = &p->m->noc;
    sim_time_ps t =
        event_serve(&p->gpc[q->r.sm % p->gpcs].request, now, bytes_ps(n->gpc_request_q16, bytes_there(q)));
    sim_time_ps way = n->ops->there_ps(n, q->r.sm, q->home.slice);

    if (n->ops->request)
        event_go(q, AT_CROSSBAR, t + way);
    else
        event_go(q, AT_SLICE,
                 observe_stage(p->m, &q->r, STAGE_REQUEST, q->r.sm, bytes_there(q), q->since, t + way));
}

/* The slice at which a request enters the L2. */
static uint32_t entry_slice(const struct path_request *q)
{
    const struct memory *m = q->path->m;

    if (memory_home(m, &q->home) == noc_partition(&m->noc, q->r.sm))
        return q->home.slice;
    return memory_mirror(m, &q->home).slice;
}

static void through_there(void *ctx, uint32_t packet, sim_time_ps now)
{
    struct event_path *p = ctx;
    struct path_request *q = &p->request[packet - 1];

    observe_stage(p->m, &q->r, STAGE_REQUEST, q->r.sm, bytes_there(q), q->since, now);
    q->on_network = true;
    event_at_slice(q, now);
}

static void to_gpc_back(struct path_request *q, sim_time_ps now)
{
    struct event_path *p = q->path;

    event_go(q, AT_SM,
             event_serve(&p->gpc[q->r.sm % p->gpcs].reply, now, bytes_ps(p->m->noc.gpc_reply_q16, bytes_back(q))));
}

static void through_back(void *ctx, uint32_t packet, sim_time_ps now)
{
    struct event_path *p = ctx;

    to_gpc_back(&p->request[packet - 1], now);
}

void event_off_network(struct path_request *q, sim_time_ps now)
{
    struct noc *n = &q->path->m->noc;

    if (!q->on_network)
        return;
    q->on_network = false;
    n->ops->taken(n, entry_slice(q), bytes_there(q), now);
}

static void back_at_sm(struct path_request *q, sim_time_ps now)
{
    struct event_path *p = q->path;
    sim_time_ps t = event_serve(&p->sm[q->r.sm].ingress, now, bytes_ps(p->m->noc.ingress_q16, bytes_back(q)));

    event_path_end(q, observe_stage(p->m, &q->r, STAGE_REPLY, q->r.sm, bytes_back(q), q->since, t));
}

static void fire(struct event *ev, sim_time_ps now)
{
    struct path_request *q = (struct path_request *)ev;
    struct noc *n = &q->path->m->noc;

    switch ((enum event_stage)q->stage) {
    case AT_PORT: leave_sm(q, now); break;
    case AT_GPC: to_slice(q, now); break;
    case AT_SLICE: event_at_slice(q, now); break;
    case AT_HOME: event_at_home(q, now); break;
    case AT_TAGS: event_at_tags(q, now); break;
    case AT_DRAM: event_filled(q, now); break;
    case AT_DATA: event_at_data(q, now); break;
    case AT_BRIDGE_BACK: event_at_bridge_back(q, now); break;
    case AT_COPY: event_copied(q, now); break;
    case AT_CROSSBAR: n->ops->request(n, request_number(q), q->r.sm, entry_slice(q), bytes_there(q), now); break;
    case AT_CROSSBAR_BACK: n->ops->reply(n, request_number(q), q->r.sm, entry_slice(q), bytes_back(q), now); break;
    case AT_GPC_BACK: to_gpc_back(q, now); break;
    case AT_SM: back_at_sm(q, now); break;
    case AT_END: event_path_end(q, now); break;
    case AT_NOTHING:
    case AT_ROOM:
    case AT_MEMORY_ROOM:
    case AT_MSHR:
    case AT_LINE:
    case EVENT_STAGES: break; /* stages without an event */
    }
}

/* --- the SM's side --- */

uint32_t event_path_room(const struct event_path *p, uint32_t sm)
{
    return p->per_sm - p->sm[sm].open;
}

void event_path_send(struct event_path *p, const struct mem_request *r, uint32_t token, sim_time_ps t)
{
    struct sm_lane *sm = &p->sm[r->sm];
    struct path_request *q;

    if (sm->first_free) {
        q = &p->request[sm->first_free - 1];
        sm->first_free = q->next;
    } else {
        q = &p->request[(size_t)r->sm * p->per_sm + sm->fresh++];
        q->ev.fire = fire;
        q->path = p;
    }
    sm->open++;
    q->r = *r;
    q->token = token;
    address_locate(&p->m->map, r->line, &q->home);
    q->since = t;
    q->on_network = false;
    if (r->ahead)
        event_go(q, AT_PORT, t);
    else
        leave_sm(q, t);
}

uint32_t event_path_each(const struct event_path *p, uint32_t sm, uint32_t most, request_seen_fn *f, void *ctx)
{
    for (uint32_t k = 0; k < p->sm[sm].fresh && most; k++) {
        const struct path_request *q = &p->request[(size_t)sm * p->per_sm + k];

        if (q->stage == AT_NOTHING)
            continue;
        f(ctx, &q->r, q->token, stage_names[q->stage]);
        most--;
    }
    return p->sm[sm].open;
}

/* --- the port --- */

static uint32_t event_room(const struct mem_port *p, uint32_t sm)
{
    return event_path_room(p->path, sm);
}

static void event_post(const struct mem_port *p, const struct mem_request *r, uint32_t token, sim_time_ps t)
{
    event_path_send(p->path, r, token, t);
}

const struct mem_port_ops mem_port_event = {.name = "event", .room = event_room, .post = event_post};
