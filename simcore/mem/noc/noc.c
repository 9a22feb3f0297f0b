#include "simcore/mem/noc/noc.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "simcore/engine/clock_domain.h"

const struct noc_ops *noc_model(uint32_t level)
{
    static const struct noc_ops *const models[] = {
#define X(enumerator, name, what) &noc_##name,
        NOC_MODELS(X)
#undef X
    };

    return models[level];
}

int noc_init(struct noc *n, const struct gpu_design *d, struct err *e)
{
    struct clock_domain l2;

    memset(n, 0, sizeof *n);
    clock_domain_init(&l2, d->l2_khz);
    n->ops = noc_model(d->model.noc);
    n->sms = d->sms;
    n->gpcs = d->gpcs;
    n->partitions = d->l2_partitions;
    n->header_bytes = d->noc_header_bytes;
    n->egress_q16 = l2.period / d->noc_request_bytes;
    n->ingress_q16 = l2.period / d->noc_reply_bytes;
    n->gpc_request_q16 = l2.period / d->noc_gpc_request_bytes;
    n->gpc_reply_q16 = l2.period / d->noc_gpc_reply_bytes;
    n->bridge_q16 = d->l2_partitions > 1 ? l2.period / d->l2_bridge_bytes : 0;
    for (uint32_t s = 0; s <= LINE_SECTORS; s++) {
        uint32_t bytes = s * SECTOR_BYTES + n->header_bytes;

        n->packet[s] =
            (struct noc_packet){bytes, bytes_ps(n->egress_q16, bytes), bytes_ps(n->gpc_request_q16, bytes),
                                bytes_ps(n->gpc_reply_q16, bytes), bytes_ps(n->ingress_q16, bytes)};
    }
    n->port = mem_zalloc(d->sms, sizeof *n->port, e);
    n->gpc = n->port ? mem_zalloc(d->gpcs, sizeof *n->gpc, e) : NULL;
    n->gpc_of = n->gpc ? mem_zalloc(d->sms, sizeof *n->gpc_of, e) : NULL;
    n->sm_extra_ps = n->gpc_of ? mem_zalloc(d->sms, sizeof *n->sm_extra_ps, e) : NULL;
    n->slice_extra_ps = n->sm_extra_ps ? mem_zalloc(d->l2_slices, sizeof *n->slice_extra_ps, e) : NULL;
    for (uint32_t i = 0; n->gpc_of && i < d->sms; i++)
        n->gpc_of[i] = (uint16_t)(i % d->gpcs);
    return n->slice_extra_ps ? 0 : -1;
}

/* Value i of n values evenly distributed from -span to +span. */
static int32_t spread_evenly(int64_t span, uint32_t i, uint32_t n)
{
    return n > 1 ? (int32_t)(span * (2 * (int64_t)i - (n - 1)) / (n - 1)) : 0;
}

/* The numbers 0 to n - 1, from the middle outwards. */
static uint32_t from_the_middle(uint32_t i, uint32_t n)
{
    uint32_t step = (i + 1) / 2, middle = (n - 1) / 2;

    return i % 2 ? middle + step : middle - step;
}

void noc_lay_out(struct noc *n, const struct gpu_design *d)
{
    struct clock_domain sm;
    int64_t least = n->there_ps < n->back_ps ? n->there_ps : n->back_ps, sum = 0, gpc_ps, slice_ps;

    clock_domain_init(&sm, d->sm_khz);
    /* The design's figures are for the round trip; no delay may become negative. */
    gpc_ps = (int64_t)clock_span_ps(&sm, d->noc_gpc_spread, 2);
    slice_ps = (int64_t)clock_span_ps(&sm, d->noc_slice_spread, 2);
    gpc_ps = gpc_ps < least / 2 ? gpc_ps : least / 2;
    slice_ps = slice_ps < least - gpc_ps ? slice_ps : least - gpc_ps;
    for (uint32_t i = 0; i < d->sms; i++)
        sum += n->sm_extra_ps[i] = spread_evenly(gpc_ps, from_the_middle(i % d->gpcs, d->gpcs), d->gpcs);
    for (uint32_t i = 0; i < d->sms; i++) /* GPCs with more SMs must not change the mean */
        n->sm_extra_ps[i] -= (int32_t)(sum / (int64_t)d->sms);
    for (uint32_t i = 0; i < d->l2_slices; i++) {
        n->slice_extra_ps[i] = spread_evenly(slice_ps, from_the_middle(i, d->l2_slices), d->l2_slices);
        if (n->slice_extra_ps[i] < n->slice_least_ps)
            n->slice_least_ps = n->slice_extra_ps[i];
    }
}

void noc_release(struct noc *n)
{
    if (n->ops && n->ops->close)
        n->ops->close(n);
    free(n->sm_extra_ps);
    free(n->slice_extra_ps);
    n->sm_extra_ps = n->slice_extra_ps = NULL;
    free(n->port);
    free(n->gpc);
    free(n->gpc_of);
    n->gpc_of = NULL;
    n->port = NULL;
    n->gpc = NULL;
}

void noc_begin(struct noc *n, uint32_t epoch)
{
    n->epoch = epoch;
    n->request_bytes = n->reply_bytes = 0;
}

sim_time_ps noc_cross(struct noc *n, uint32_t from, bool reply, uint32_t bytes, sim_time_ps now, sim_time_ps t)
{
    uint32_t service = bytes_ps(n->bridge_q16, bytes + n->header_bytes);
    struct res *way = reply ? &n->bridge[from].reply : &n->bridge[from].request;

    return res_take(res_begin(way, n->epoch), now, t, service) + n->bridge_ps;
}
