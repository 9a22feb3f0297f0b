#include "cli/plan/timeline_system.h"

#include <string.h>

/* --- collectives --- */

/* The time of the fastest way, in ns. */
static double collective_ns(const struct collective_fabric *f, enum collective_op op, uint64_t bytes)
{
    const struct collective_limits any = {-1, -1, 0};
    struct collective_way ways[COLLECTIVE_WAYS_MAX];

    return collective_ways(f, op, any, bytes, ways) ? ways[0].us * 1000 : 0;
}

/* A report does not say how much a collective moved. The bytes for which the model of the profiled system gives the
 * profiled time; 1 where even one byte takes longer. Times never fall with the bytes. */
static uint64_t bytes_of(const struct collective_fabric *f, enum collective_op op, double ns)
{
    uint64_t low = 1, high = SYSTEM_COPY_MAX;

    while (low < high) {
        uint64_t middle = low + (high - low) / 2;

        if (collective_ns(f, op, middle) < ns)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static double collective_scale(const struct timeline_systems *s, enum timeline_transfer transfer, double ns)
{
    static const enum collective_op ops[] = {
        [TRANSFER_ALL_REDUCE] = COLLECTIVE_ALL_REDUCE,         [TRANSFER_ALL_GATHER] = COLLECTIVE_ALL_GATHER,
        [TRANSFER_REDUCE_SCATTER] = COLLECTIVE_REDUCE_SCATTER, [TRANSFER_BROADCAST] = COLLECTIVE_BROADCAST,
        [TRANSFER_SEND_RECV] = COLLECTIVE_SEND_RECV,
    };
    uint64_t bytes = bytes_of(&s->from_fabric, ops[transfer], ns);

    return collective_ns(&s->to_fabric, ops[transfer], bytes) /
           collective_ns(&s->from_fabric, ops[transfer], bytes);
}

/* --- copies --- */

static uint32_t nth_gpu(const struct system_design *s, uint32_t n)
{
    uint32_t i = 0;

    for (; s->nodes[i].kind != SYSTEM_GPU || n; i++)
        n -= s->nodes[i].kind == SYSTEM_GPU;
    return i;
}

/* The route to the nearest CPU, or to the next GPU. hops 0: there is none. */
static struct system_route route_of(const struct system_design *s, const struct timeline_work *w, uint32_t gpus)
{
    struct system_route best = {0}, r;
    uint32_t gpu = nth_gpu(s, w->gpu);
    struct err ignored;

    if (w->transfer == TRANSFER_PEER)
        return gpus > 1 && system_route(s, gpu, nth_gpu(s, (w->gpu + 1) % gpus), &r, &ignored) == 0 ? r : best;
    for (uint32_t i = 0; i < s->node_count; i++)
        if (s->nodes[i].kind == SYSTEM_CPU && system_route(s, gpu, i, &r, &ignored) == 0 && r.hops &&
            (!best.hops || r.hops < best.hops))
            best = r;
    return best;
}

/* 0: no model. */
static double copy_scale(const struct timeline_systems *s, const struct timeline_work *w)
{
    struct system_route from = route_of(s->from, w, s->gpus), to = route_of(s->to, w, s->gpus);

    if (!from.hops || !to.hops || !w->bytes || w->bytes > SYSTEM_COPY_MAX)
        return 0;
    return (double)system_copy_ps(s->to, &to, w->bytes) / (double)system_copy_ps(s->from, &from, w->bytes);
}

double timeline_systems_scale(void *ctx, const struct timeline_work *w, double transfer_ns)
{
    struct timeline_systems *s = ctx;
    double scale = 0;

    if (w->transfer >= TRANSFER_FROM_HOST)
        scale = copy_scale(s, w);
    else if (w->transfer != TRANSFER_UNKNOWN && s->gpus > 1)
        scale = collective_scale(s, w->transfer, transfer_ns);
    s->scaled += scale > 0;
    s->kept += scale <= 0;
    return scale > 0 ? scale : 1;
}

/* --- both systems --- */

static int open_one(const char *name, const char *option, uint32_t gpus, struct system_design **s,
                    struct collective_fabric *f, struct err *e)
{
    if (system_load(name, s, e) < 0)
        return err_wrap(e, "--%s", option);
    if (system_count(*s, SYSTEM_GPU) < gpus)
        return err_set(e, ERR_INVALID, "--%s: %s has %u GPUs, and the report has work on %u", option, (*s)->name,
                       system_count(*s, SYSTEM_GPU), gpus);
    return gpus > 1 ? collective_fabric_make(*s, gpus, f, e) : 0;
}

int timeline_systems_open(struct timeline_systems *s, const char *from, const char *to, const struct timeline *t,
                          struct err *e)
{
    memset(s, 0, sizeof *s);
    s->gpus = t->gpus;
    if (open_one(from, "profiled-system", t->gpus, &s->from, &s->from_fabric, e) < 0)
        return -1;
    return open_one(to, "system", t->gpus, &s->to, &s->to_fabric, e);
}

void timeline_systems_release(struct timeline_systems *s)
{
    system_free(s->from);
    system_free(s->to);
}
