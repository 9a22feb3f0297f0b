/* simcore/system/system_check.c: conditions between the parts of a system design. */
#include <string.h>

#include "base/array.h"
#include "simcore/system/system_internal.h"

struct check {
    const struct system_design *s;
    design_fault_fn *fault;
    void *ctx;
    size_t faults;
    struct err *e;
};

/* The fault is in *c->e. True: stop. */
static bool found(struct check *c)
{
    c->faults++;
    if (c->fault)
        c->fault(c->ctx, c->e);
    return !c->fault;
}

/* No node may have more links of a kind than ports. */
static bool check_ports(struct check *c)
{
    const struct system_design *s = c->s;

    for (uint32_t node = 0; node < s->node_count; node++) {
        uint64_t used[SYSTEM_LINKS_MAX] = {0};

        for (uint32_t i = 0; i < s->channel_count; i++)
            if (s->channels[i].a == node || s->channels[i].b == node)
                used[s->channels[i].link] += s->channels[i].links;
        for (uint32_t link = 0; link < s->link_count; link++) {
            if (used[link] <= s->ports[node][link])
                continue;
            err_set(c->e, ERR_INVALID, "%s has %u ports of link %s; its channels need %llu", s->nodes[node].name,
                    s->ports[node][link], s->link[link].name, (unsigned long long)used[link]);
            if (found(c))
                return true;
        }
    }
    return false;
}

/* A link that passes a packet in less than a picosecond, or is slower than its own headers, is an error. */
static bool check_rates(struct check *c)
{
    for (uint32_t i = 0; i < c->s->link_count; i++) {
        const struct system_link *l = &c->s->link[i];

        if (l->header_bytes > 8 * (uint64_t)l->payload_bytes) {
            err_set(c->e, ERR_INVALID,
                    "links.%s: a header of %u bytes leaves less than an eighth to %u bytes of data", l->name,
                    l->header_bytes, l->payload_bytes);
            if (found(c))
                return true;
        }
        if (((uint64_t)l->payload_bytes + l->header_bytes) * 1000000 < l->mbs) {
            err_set(c->e, ERR_INVALID, "links.%s: a packet of %u bytes at %g GB/s takes less than a picosecond",
                    l->name, l->payload_bytes + l->header_bytes, (double)l->mbs / 1000);
            if (found(c))
                return true;
        }
    }
    return false;
}

/* The first node that the routes do not reach although they must: every GPU reaches every GPU, and a CPU. */
static bool check_routes_from(struct check *c, uint32_t from, struct system_route *routes)
{
    const struct system_design *s = c->s;
    bool cpu = false;

    system_routes_after(s, from, routes);
    for (uint32_t to = 0; to < s->node_count; to++) {
        cpu |= s->nodes[to].kind == SYSTEM_CPU && routes[to].hops;
        if (to <= from || s->nodes[to].kind != SYSTEM_GPU || routes[to].hops)
            continue;
        err_set(c->e, ERR_INVALID, "there is no route from %s to %s", s->nodes[from].name, s->nodes[to].name);
        err_hint(c->e, "GPUs do not forward; a route has at most %d channels", SYSTEM_HOPS_MAX);
        return found(c);
    }
    if (cpu)
        return false;
    err_set(c->e, ERR_INVALID, "there is no route from %s to a CPU", s->nodes[from].name);
    return found(c);
}

/* A node without any channel; CPUs and switches need one too. */
static bool check_alone(struct check *c)
{
    const struct system_design *s = c->s;

    for (uint32_t node = 0; node < s->node_count; node++) {
        bool connected = false;

        for (uint32_t i = 0; i < s->channel_count; i++)
            connected |= s->channels[i].a == node || s->channels[i].b == node;
        if (connected)
            continue;
        err_set(c->e, ERR_INVALID, "%s has no channel", s->nodes[node].name);
        if (found(c))
            return true;
    }
    return false;
}

size_t system_check(const struct system_design *s, design_fault_fn *fault, void *ctx, struct err *e)
{
    struct check c = {.s = s, .fault = fault, .ctx = ctx, .e = e};
    struct system_route *routes;

    if (!system_count(s, SYSTEM_GPU)) {
        err_set(e, ERR_INVALID, "\"nodes\": a system needs a GPU");
        (void)found(&c);
        return c.faults;
    }
    if (check_rates(&c) || check_ports(&c) || check_alone(&c) || c.faults)
        return c.faults;
    routes = mem_zalloc(s->node_count, sizeof *routes, e);
    if (!routes)
        return 1;
    for (uint32_t i = 0; i < s->node_count; i++)
        if (s->nodes[i].kind == SYSTEM_GPU && check_routes_from(&c, i, routes))
            break;
    free(routes);
    return c.faults;
}
