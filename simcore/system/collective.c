/* simcore/system/collective.c: the time of a collective.
 *
 *   time = base latency + steps * (latency of a hop + cost of a step) + bytes on the wire / bandwidth
 *
 * Sources: NVIDIA/nccl at 5067397c (2026-06), src/graph/tuning.cc, for base latencies, costs of steps, shares of
 * the bandwidth and limits of a channel; NVIDIA/nccl-tests doc/PERFORMANCE.md for the bytes of each operation.
 * NCCL's latencies of a step contain the hop; here the hop comes from the system (0.6 us over NVLink, as NCCL's
 * step of LL).
 */
#include "simcore/system/collective.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/array.h"
#include "simcore/system/collective_internal.h"

#define X(name, text) text,
const char *const collective_op_names[] = {COLLECTIVE_OPS(X) NULL};
const char *const collective_algorithm_names[] = {COLLECTIVE_ALGORITHMS(X) NULL};
const char *const collective_protocol_names[] = {COLLECTIVE_PROTOCOLS(X) NULL};
#undef X

int collective_find(const char *const *names, const char *word)
{
    for (int i = 0; names[i]; i++)
        if (strcasecmp(names[i], word) == 0)
            return i;
    return -1;
}

/* --- constants --- */

/* Before the first step, by protocol: NCCL's baseLatencies. */
static const double ring_base_us[COLLECTIVE_PROTOCOL_COUNT] = {6.6, 14.0, 8.4};
static const double tree_base_us[COLLECTIVE_PROTOCOL_COUNT] = {6.8, 14.0, 8.4};
/* A step of the tree beyond its hop: NCCL's hwLatencies over NVLink, 0.6, 1.25 and 4.0 us, less 0.6 us. */
static const double tree_step_us[COLLECTIVE_PROTOCOL_COUNT] = {0, 0.65, 3.4};
/* Of the links' bandwidth. LL: 4 of 8 bytes are data. LL128: 120 of 128, NCCL takes 0.92. */
static const double ring_share[COLLECTIVE_PROTOCOL_COUNT] = {0.5, 0.92, 1};
/* Of the ring's bandwidth, NCCL's 0.92; and of that by protocol 1 / 3.8, 7 / 9, 1. */
static const double tree_of_ring = 0.92;
static const double tree_share[COLLECTIVE_PROTOCOL_COUNT] = {1 / 3.8, 7.0 / 9, 1};
/* Of NVLS. NCCL's constant is 25 us, with which 16 MiB would be 45 % too fast. 90 us is what row N55 of
 * simcore/validation/systems.csv takes beyond its bytes; N43 takes 126 us. */
static const double nvls_base_us = 90;
enum {
    RING_CHANNELS_MAX = 24, /* that NCCL opens within a node */
    CHANNELS_A_LINK = 2
};

/* The parameters that depend on the GPUs. */
static const struct {
    double capability;                              /* of the first GPUs of the row: NVIDIA's number, in tenths */
    double ll_gbs;                                  /* all channels of LL: NCCL's llMaxBws on one node */
    double ll128_gbs, simple_gbs;                   /* one channel: NCCL's perChMaxRingLL128Bws, perChMaxTreeBws */
    double tree_ll128_gbs;                          /* one channel: NCCL's perChMaxTreeLL128Bws */
    double ring_step_us[COLLECTIVE_PROTOCOL_COUNT]; /* of the ring, beyond the hop */
} constants[] = {
    /* NCCL's steps of LL128 and Simple are 1.9 and 3.4 us. On Volta and Ampere they give up to 80 % too much
     * bandwidth at 16 MiB. Simple of Volta is from row N31, both of Ampere from N39; Volta's LL128 is taken as its
     * Simple. */
    {0, 39.0, 20.0, 26.5, 20.0, {0, 6.7, 6.7}},
    {80, 87.7, 20.0, 24.0, 20.0, {0, 9.4, 10.3}},
    {90, 141.0, 36.7, 38.7, 36.7, {0, 1.3, 2.8}},
    {100, 282.0, 40.0, 70.0, 55.6, {0, 1.3, 2.8}},
};

static int row_of(double capability)
{
    int row = sizeof constants / sizeof *constants - 1;

    while (row && capability < constants[row].capability)
        row--;
    return row;
}

/* --- the fabric --- */

static int read_generation(const char *design, int *out, struct err *e)
{
    const struct design_fact *f;
    struct design_facts facts;
    struct gpu_design *d = NULL;
    int ret = -1;

    if (design_load(design, &d, e) < 0)
        return -1;
    if (design_facts_make(d, &facts, e) == 0) {
        f = design_facts_find(&facts, "gpu.compute_capability");
        *out = row_of(f ? strtod(f->value, NULL) : 0);
        design_facts_release(&facts);
        ret = 0;
    }
    design_free(d);
    return ret;
}

/* NCCL takes the constants of the rank with the lowest compute capability. */
static int oldest_generation(const struct system_design *s, const uint32_t *gpu, struct collective_fabric *f,
                             struct err *e)
{
    for (uint32_t i = 0; i < f->ranks; i++) {
        const char *design = s->nodes[gpu[i]].design;
        int generation;

        if (i && strcmp(design, s->nodes[gpu[i - 1]].design) == 0)
            continue;
        if (read_generation(design, &generation, e) < 0)
            return -1;
        f->generation = i == 0 || generation < f->generation ? generation : f->generation;
    }
    return 0;
}

/* The bandwidth of the narrowest GPU's links to a switch that can reduce and to which all ranks have links; 0:
 * none. */
static double nvls_gbs(const struct system_design *s, const uint32_t *gpu, uint32_t ranks)
{
    double best = 0;

    for (uint32_t to = 0; to < s->node_count; to++) {
        double least = -1;

        for (uint32_t i = 0; i < ranks && s->nodes[to].nvls_permille; i++) {
            double gbs = 0;

            for (uint32_t k = 0; k < s->channel_count; k++) {
                const struct system_channel *c = &s->channels[k];

                if ((c->a == gpu[i] && c->b == to) || (c->b == gpu[i] && c->a == to))
                    gbs += collective_channel_gbs(s, c);
            }
            least = least < 0 || gbs < least ? gbs : least;
        }
        if (least * s->nodes[to].nvls_permille / 1000 > best)
            best = least * s->nodes[to].nvls_permille / 1000;
    }
    return best;
}

/* The bandwidth of one route for a kernel's stores. */
static double route_gbs(const struct system_design *s, const struct system_route *r)
{
    double least = 0;

    for (uint32_t i = 0; i < r->hops; i++) {
        double gbs = collective_channel_gbs(s, &s->channels[r->channel[i]]);

        least = i == 0 || gbs < least ? gbs : least;
    }
    return least;
}

/* NCCL opens about two channels for each link that a GPU's ring uses, up to a limit. */
static uint32_t default_channels(const struct system_design *s, uint32_t rings, const struct system_route *first)
{
    uint32_t links = s->channels[first->channel[0]].links, n = CHANNELS_A_LINK * (rings ? rings : links);

    return n < RING_CHANNELS_MAX ? n : RING_CHANNELS_MAX;
}

int collective_fabric_make(const struct system_design *s, uint32_t ranks, struct collective_fabric *out,
                           struct err *e)
{
    uint32_t gpu[SYSTEM_NODES_MAX], count = 0;
    struct system_route first;

    memset(out, 0, sizeof *out);
    for (uint32_t i = 0; i < s->node_count; i++)
        if (s->nodes[i].kind == SYSTEM_GPU)
            gpu[count++] = i;
    if (ranks < 2 || ranks > count)
        return err_set(e, ERR_INVALID, "a collective on %s needs 2 to %u GPUs, not %u", s->name, count, ranks);
    out->ranks = ranks;
    if (oldest_generation(s, gpu, out, e) < 0 || collective_rings(s, gpu, out, e) < 0 ||
        system_route(s, gpu[0], gpu[1], &first, e) < 0)
        return -1;
    out->nvls_gbs = nvls_gbs(s, gpu, ranks);
    out->pair_gbs = route_gbs(s, &first);
    out->pair_us = (double)first.latency_ps / 1e6;
    out->channels = default_channels(s, out->rings, &first);
    return 0;
}

/* --- times --- */

/* Bytes that the busiest GPU sends, for each byte of the operation: the factors of the bus bandwidth. */
static double wire_factor(enum collective_op op, double n)
{
    return op == COLLECTIVE_ALL_REDUCE                                      ? 2 * (n - 1) / n
           : op == COLLECTIVE_ALL_GATHER || op == COLLECTIVE_REDUCE_SCATTER ? (n - 1) / n
                                                                            : 1;
}

static double least(double a, double b)
{
    return a < b ? a : b;
}

/* The maximum bandwidth of all channels with this protocol, but of a tree. NCCL limits neither LL by channel nor
 * Simple; here a channel of LL carries half of its LL128, and of Simple as much as of a tree. */
static double channel_limit(const struct collective_fabric *f, enum collective_protocol p, uint32_t channels)
{
    return p == COLLECTIVE_LL
               ? least(constants[f->generation].ll_gbs, channels * constants[f->generation].ll128_gbs / 2)
           : p == COLLECTIVE_LL128 ? channels * constants[f->generation].ll128_gbs
                                   : channels * constants[f->generation].simple_gbs;
}

static double ring_gbs(const struct collective_fabric *f, enum collective_protocol p, uint32_t channels)
{
    return least(f->ring_gbs * ring_share[p], channel_limit(f, p, channels));
}

/* A chain over the ranks: up for the sums, down with the result, each in one direction of the ring's links. Limits
 * are NCCL's. */
static double tree_gbs(const struct collective_fabric *f, enum collective_protocol p, uint32_t channels)
{
    double whole = least(f->ring_gbs * tree_of_ring, channels * constants[f->generation].simple_gbs);
    double limit = p == COLLECTIVE_LL      ? constants[f->generation].ll_gbs
                   : p == COLLECTIVE_LL128 ? channels * constants[f->generation].tree_ll128_gbs
                                           : whole;

    return least(whole * tree_share[p], limit) / 2;
}

static double ring_steps(enum collective_op op, uint32_t ranks)
{
    return op == COLLECTIVE_ALL_REDUCE ? 2.0 * (ranks - 1) : ranks - 1.0;
}

/* Bytes of a GPU in one direction with reductions and multicast in the switch: of all-reduce, all data up to be
 * summed and the GPU's own part of the sums up again; the same down. */
static double nvls_factor(enum collective_op op, double n)
{
    return op == COLLECTIVE_ALL_REDUCE ? 1 + 1 / n : 1;
}

static bool is_possible(const struct collective_fabric *f, enum collective_op op, enum collective_algorithm a,
                        enum collective_protocol p)
{
    if (p == COLLECTIVE_LL128 && !f->nvlink)
        return false; /* NCCL uses it where NVLink keeps the order of 128 bytes */
    switch (a) {
    case COLLECTIVE_RING: return op != COLLECTIVE_SEND_RECV;
    case COLLECTIVE_TREE: return op == COLLECTIVE_ALL_REDUCE;
    case COLLECTIVE_NVLS:
        return f->nvls_gbs > 0 && p == COLLECTIVE_SIMPLE && op != COLLECTIVE_BROADCAST &&
               op != COLLECTIVE_SEND_RECV;
    default: return op == COLLECTIVE_SEND_RECV;
    }
}

bool collective_time(const struct collective_fabric *f, enum collective_op op, enum collective_algorithm algorithm,
                     enum collective_protocol p, uint32_t channels, uint64_t bytes, struct collective_way *out)
{
    double n = f->ranks, size = (double)bytes / 1000, transfer; /* GB/s are thousands of bytes in a microsecond */
    const double *ring_step = constants[f->generation].ring_step_us;

    *out = (struct collective_way){.algorithm = algorithm, .protocol = p};
    if (!is_possible(f, op, algorithm, p))
        return false;
    channels = channels ? channels : f->channels;
    switch (algorithm) {
    case COLLECTIVE_RING:
        out->latency_us = ring_base_us[p] + ring_steps(op, f->ranks) * (f->hop_us + ring_step[p]);
        transfer = size * wire_factor(op, n) / ring_gbs(f, p, channels);
        break;
    case COLLECTIVE_TREE:
        out->latency_us = tree_base_us[p] + 2 * (n - 1) * (f->hop_us + tree_step_us[p]);
        transfer = size / tree_gbs(f, p, channels);
        break;
    case COLLECTIVE_NVLS:
        out->latency_us = nvls_base_us;
        transfer = size * nvls_factor(op, n) / least(f->nvls_gbs, channel_limit(f, p, channels));
        break;
    default:
        out->latency_us = ring_base_us[p] + f->pair_us + ring_step[p];
        transfer = size / least(f->pair_gbs * ring_share[p], channel_limit(f, p, channels));
    }
    out->us = out->latency_us + transfer;
    out->bus_gbs = size * wire_factor(op, n) / out->us;
    return true;
}

size_t collective_ways(const struct collective_fabric *f, enum collective_op op, struct collective_limits limits,
                       uint64_t bytes, struct collective_way out[COLLECTIVE_WAYS_MAX])
{
    size_t n = 0;

    for (int a = 0; a < COLLECTIVE_ALGORITHM_COUNT; a++) {
        for (int p = 0; p < COLLECTIVE_PROTOCOL_COUNT; p++) {
            struct collective_way w;
            size_t at = n;

            if ((limits.algorithm >= 0 && a != limits.algorithm) || (limits.protocol >= 0 && p != limits.protocol))
                continue;
            if (!collective_time(f, op, (enum collective_algorithm)a, (enum collective_protocol)p, limits.channels,
                                 bytes, &w))
                continue;
            for (; at && out[at - 1].us > w.us; at--)
                out[at] = out[at - 1];
            out[at] = w;
            n++;
        }
    }
    return n;
}
