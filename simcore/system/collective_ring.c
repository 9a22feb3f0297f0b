/* simcore/system/collective_ring.c: the rings that a collective takes.
 *
 * Where GPUs have links to one another (hybrid cube mesh), rings use links of their own: as many cycles over all
 * ranks as the links allow, each in both directions. NCCL searches for such rings too (NVIDIA/nccl
 * src/graph/search.cc). Otherwise there is one ring over the routes from each GPU to the next; its rate is that of
 * the channel with the least bandwidth for each hop that uses it in one direction. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/assert.h"
#include "simcore/system/collective_internal.h"

enum {
    STORE_BYTES = 128,        /* of a packet of a kernel's stores: a cache line */
    DIRECT_RANKS_MAX = 16,    /* of rings on links of their own */
    CYCLES_MAX = 32,          /* that are searched */
    SEARCH_STEPS_MAX = 100000 /* then fewer rings are searched */
};

double collective_channel_gbs(const struct system_design *s, const struct system_channel *c)
{
    const struct system_link *l = &s->link[c->link];
    double payload = l->payload_bytes < STORE_BYTES ? l->payload_bytes : STORE_BYTES;

    return (double)l->mbs * c->links / 1000 * payload / (payload + l->header_bytes);
}

static bool is_nvlink(const struct system_design *s, const struct system_channel *c)
{
    return strncmp(s->link[c->link].name, "nvlink", 6) == 0;
}

/* --- rings on links of their own --- */

struct search {
    uint32_t ranks, steps;
    uint32_t free[DIRECT_RANKS_MAX][DIRECT_RANKS_MAX]; /* links between two ranks that no ring uses yet */
    uint32_t path[DIRECT_RANKS_MAX];
    bool on_path[DIRECT_RANKS_MAX];
};

static bool find_cycles(struct search *x, uint32_t wanted);

/* Continues the path to a cycle over all ranks, then looks for `wanted` further ones. */
static bool extend_path(struct search *x, uint32_t length, uint32_t wanted)
{
    uint32_t at = x->path[length - 1];

    if (x->steps++ > SEARCH_STEPS_MAX)
        return false;
    for (uint32_t to = 0; to < x->ranks; to++) {
        bool closes = length == x->ranks && to == 0;
        bool found;

        if (!x->free[at][to] || (!closes && (length == x->ranks || x->on_path[to])))
            continue;
        x->free[at][to]--;
        x->free[to][at]--;
        if (closes) {
            struct search rest = *x;

            found = find_cycles(&rest, wanted);
            x->steps = rest.steps;
        } else {
            x->path[length] = to;
            x->on_path[to] = true;
            found = extend_path(x, length + 1, wanted);
            x->on_path[to] = false;
        }
        if (found)
            return true;
        x->free[at][to]++;
        x->free[to][at]++;
    }
    return false;
}

static bool find_cycles(struct search *x, uint32_t wanted)
{
    if (wanted == 0)
        return true;
    memset(x->on_path, 0, sizeof x->on_path);
    x->path[0] = 0;
    x->on_path[0] = true;
    return extend_path(x, 1, wanted - 1);
}

/* The kind of link that connects GPUs directly with the most bandwidth; UINT32_MAX: there is none. */
static uint32_t direct_link(const struct system_design *s)
{
    uint32_t best = UINT32_MAX;

    for (uint32_t i = 0; i < s->channel_count; i++) {
        const struct system_channel *c = &s->channels[i];

        if (s->nodes[c->a].kind == SYSTEM_GPU && s->nodes[c->b].kind == SYSTEM_GPU &&
            (best == UINT32_MAX || s->link[c->link].mbs > s->link[best].mbs))
            best = c->link;
    }
    return best;
}

static uint32_t rank_of(const uint32_t *gpu, uint32_t ranks, uint32_t node)
{
    uint32_t i = 0;

    while (i < ranks && gpu[i] != node)
        i++;
    return i;
}

/* Divides the numbers of links by their largest common divisor, and returns it: the links of each ring. */
static uint32_t reduce_links(struct search *x)
{
    uint32_t common = 0;

    for (uint32_t i = 0; i < x->ranks * x->ranks; i++) {
        uint32_t a = x->free[i / x->ranks][i % x->ranks];

        while (a) {
            uint32_t rest = common % a;

            common = a;
            a = rest;
        }
    }
    for (uint32_t i = 0; common && i < x->ranks * x->ranks; i++)
        x->free[i / x->ranks][i % x->ranks] /= common;
    return common;
}

/* As many cycles over all ranks as the links allow, but at most CYCLES_MAX. */
static uint32_t count_cycles(const struct search *x)
{
    uint32_t cycles = CYCLES_MAX;

    for (uint32_t i = 0; i < x->ranks; i++) {
        uint32_t links = 0;

        for (uint32_t k = 0; k < x->ranks; k++)
            links += x->free[i][k];
        cycles = links / 2 < cycles ? links / 2 : cycles;
    }
    for (; cycles; cycles--) {
        struct search fresh = *x;

        if (find_cycles(&fresh, cycles))
            break;
    }
    return cycles;
}

/* True where rings have links of their own. */
static bool direct_rings(const struct system_design *s, const uint32_t *gpu, struct collective_fabric *f)
{
    uint32_t link = direct_link(s), each;
    struct search x = {.ranks = f->ranks};
    struct system_channel one = {.link = link, .links = 1};

    if (link == UINT32_MAX || f->ranks > DIRECT_RANKS_MAX)
        return false;
    for (uint32_t i = 0; i < s->channel_count; i++) {
        const struct system_channel *c = &s->channels[i];
        uint32_t a = rank_of(gpu, f->ranks, c->a), b = rank_of(gpu, f->ranks, c->b);

        if (c->link != link || a == f->ranks || b == f->ranks)
            continue;
        x.free[a][b] = x.free[b][a] = c->links;
    }
    each = reduce_links(&x);
    /* two ranks: a link is a ring, there and back */
    f->rings = each * (f->ranks == 2 ? x.free[0][1] : 2 * count_cycles(&x));
    if (!f->rings)
        return false;
    f->ring_gbs = f->rings * collective_channel_gbs(s, &one);
    f->hop_us = (double)s->link[link].latency_ps / 1e6;
    f->nvlink = is_nvlink(s, &one);
    if (f->rings == 1)
        snprintf(f->limit, sizeof f->limit, "1 ring on a link of %s", s->link[link].name);
    else
        snprintf(f->limit, sizeof f->limit, "%u rings, one link of %s each", f->rings, s->link[link].name);
    return true;
}

/* --- one ring over routes --- */

static int routed_ring(const struct system_design *s, const uint32_t *gpu, struct collective_fabric *f,
                       uint32_t (*load)[2], struct err *e)
{
    f->nvlink = true;
    for (uint32_t i = 0; i < f->ranks; i++) {
        struct system_route r;

        if (system_route(s, gpu[i], gpu[(i + 1) % f->ranks], &r, e) < 0)
            return -1;
        ASSERT(r.hops); /* a system that was read has routes between all its GPUs */
        f->hop_us += (double)r.latency_ps / 1e6 / f->ranks;
        for (uint32_t k = 0; k < r.hops; k++) {
            const struct system_channel *c = &s->channels[r.channel[k]];

            load[r.channel[k]][c->a != r.node[k]]++;
            f->nvlink &= is_nvlink(s, c);
        }
    }
    for (uint32_t i = 0; i < s->channel_count; i++) {
        const struct system_channel *c = &s->channels[i];
        uint32_t most = load[i][0] > load[i][1] ? load[i][0] : load[i][1];
        double gbs = most ? collective_channel_gbs(s, c) / most : 0;

        if (!most || (f->ring_gbs != 0 && gbs >= f->ring_gbs))
            continue;
        f->ring_gbs = gbs;
        snprintf(f->limit, sizeof f->limit, "%s to %s", s->nodes[c->a].name, s->nodes[c->b].name);
    }
    return 0;
}

int collective_rings(const struct system_design *s, const uint32_t *gpu, struct collective_fabric *f, struct err *e)
{
    uint32_t(*load)[2];
    int ret;

    if (direct_rings(s, gpu, f))
        return 0;
    load = mem_zalloc(s->channel_count, sizeof *load, e);
    ret = load ? routed_ring(s, gpu, f, load, e) : -1;
    free(load);
    return ret;
}
