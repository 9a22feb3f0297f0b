/* simcore/system/system_route.c: routes between nodes, and the time of a copy over one. */
#include <string.h>

#include "base/array.h"
#include "base/assert.h"
#include "simcore/system/system.h"

uint32_t system_node_find(const struct system_design *s, const char *name)
{
    for (uint32_t i = 0; i < s->node_count; i++)
        if (strcmp(s->nodes[i].name, name) == 0)
            return i;
    return UINT32_MAX;
}

uint32_t system_count(const struct system_design *s, enum system_kind kind)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < s->node_count; i++)
        n += s->nodes[i].kind == kind;
    return n;
}

double system_channel_gbs(const struct system_design *s, const struct system_channel *c)
{
    const struct system_link *l = &s->link[c->link];

    return (double)l->mbs * c->links / 1000 * l->payload_bytes / (l->payload_bytes + l->header_bytes);
}

/* --- routes: breadth first, one channel more in each round --- */

/* The route over one more channel. */
static void extend(const struct system_design *s, const struct system_route *r, uint32_t channel, uint32_t to,
                   struct system_route *out)
{
    const struct system_channel *c = &s->channels[channel];
    double gbs = system_channel_gbs(s, c);

    *out = *r;
    out->channel[out->hops++] = channel;
    out->node[out->hops] = to;
    out->latency_ps += s->link[c->link].latency_ps + (r->hops ? s->nodes[r->node[r->hops]].latency_ps : 0);
    out->gbs = r->hops && r->gbs < gbs ? r->gbs : gbs;
}

/* Of two routes with as many channels: is the first one better? Earlier nodes win where they are equal. */
static bool better(const struct system_route *a, const struct system_route *b)
{
    if (a->gbs != b->gbs)
        return a->gbs > b->gbs;
    if (a->latency_ps != b->latency_ps)
        return a->latency_ps < b->latency_ps;
    return a->node[a->hops - 1] < b->node[b->hops - 1];
}

/* Reaches all neighbours of a node whose route has `hops` channels. */
static void reach(const struct system_design *s, uint32_t at, struct system_route *routes)
{
    struct system_route r;

    for (uint32_t i = 0; i < s->channel_count; i++) {
        const struct system_channel *c = &s->channels[i];
        uint32_t to = c->a == at ? c->b : c->a;
        struct system_route *old = &routes[to];

        if ((c->a != at && c->b != at) || to == routes[at].node[0])
            continue;
        if (old->hops && old->hops <= routes[at].hops)
            continue;
        extend(s, &routes[at], i, to, &r);
        if (!old->hops || better(&r, old))
            *old = r;
    }
}

void system_routes_after(const struct system_design *s, uint32_t from, struct system_route *routes)
{
    ASSERT(from < s->node_count);
    memset(routes, 0, s->node_count * sizeof *routes);
    routes[from].node[0] = from;
    reach(s, from, routes);
    for (uint32_t hops = 1; hops < SYSTEM_HOPS_MAX; hops++)
        for (uint32_t i = 0; i < s->node_count; i++)
            if (routes[i].hops == hops && s->nodes[i].kind != SYSTEM_GPU)
                reach(s, i, routes);
}

static void reverse(struct system_route *r)
{
    struct system_route old = *r;

    for (uint32_t i = 0; i < r->hops; i++)
        r->channel[i] = old.channel[r->hops - 1 - i];
    for (uint32_t i = 0; i <= r->hops; i++)
        r->node[i] = old.node[r->hops - i];
}

int system_route(const struct system_design *s, uint32_t from, uint32_t to, struct system_route *out, struct err *e)
{
    struct system_route *routes = mem_zalloc(s->node_count, sizeof *routes, e);

    ASSERT(to < s->node_count);
    if (!routes)
        return -1;
    system_routes_after(s, from < to ? from : to, routes);
    *out = routes[from < to ? to : from];
    if (out->hops && from > to)
        reverse(out);
    free(routes);
    return 0;
}

/* --- copies --- */

static uint64_t packet_ps(const struct system_link *l)
{
    return ((uint64_t)l->payload_bytes + l->header_bytes) * 1000000 / l->mbs;
}

/* All packets of `bytes` over the links of a channel. */
static uint64_t channel_ps(const struct system_design *s, const struct system_channel *c, uint64_t bytes)
{
    const struct system_link *l = &s->link[c->link];
    uint64_t packets = (bytes + l->payload_bytes - 1) / l->payload_bytes;
    double wire = (double)bytes + (double)packets * l->header_bytes;

    return (uint64_t)(wire * 1e6 / ((double)l->mbs * c->links) + 0.5);
}

uint64_t system_copy_ps(const struct system_design *s, const struct system_route *r, uint64_t bytes)
{
    bool host = false;
    uint64_t longest = 0, first_packets = 0;
    size_t narrowest = 0;

    ASSERT(r->hops && bytes <= SYSTEM_COPY_MAX);
    for (uint32_t i = 0; i < r->hops; i++) {
        uint64_t t = channel_ps(s, &s->channels[r->channel[i]], bytes);

        if (t > longest) {
            longest = t;
            narrowest = i;
        }
    }
    for (uint32_t i = 0; i < r->hops; i++)
        first_packets += i == narrowest ? 0 : packet_ps(&s->link[s->channels[r->channel[i]].link]);
    host = s->nodes[r->node[0]].kind == SYSTEM_CPU || s->nodes[r->node[r->hops]].kind == SYSTEM_CPU;
    return (host ? s->host_startup_ps : s->peer_startup_ps) + r->latency_ps + longest + first_packets;
}
