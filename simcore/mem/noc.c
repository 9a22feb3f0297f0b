#include "simcore/mem/noc.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "simcore/engine/clock_domain.h"

int noc_init(struct noc *n, const struct gpu_design *d, struct err *e)
{
    struct clock_domain l2;

    memset(n, 0, sizeof *n);
    clock_domain_init(&l2, d->l2_khz);
    n->sms = d->sms;
    n->gpcs = d->gpcs;
    n->partitions = d->l2_partitions;
    n->header_bytes = d->noc_header_bytes;
    n->egress_q16 = l2.period / d->noc_request_bytes;
    n->ingress_q16 = l2.period / d->noc_reply_bytes;
    n->gpc_request_q16 = l2.period / d->noc_gpc_request_bytes;
    n->gpc_reply_q16 = l2.period / d->noc_gpc_reply_bytes;
    n->bridge_q16 = d->l2_partitions > 1 ? l2.period / d->l2_bridge_bytes : 0;
    n->port = mem_zalloc(d->sms, sizeof *n->port, e);
    n->gpc = n->port ? mem_zalloc(d->gpcs, sizeof *n->gpc, e) : NULL;
    return n->gpc ? 0 : -1;
}

void noc_release(struct noc *n)
{
    free(n->port);
    free(n->gpc);
    n->port = NULL;
    n->gpc = NULL;
}

void noc_begin(struct noc *n, uint32_t epoch)
{
    n->epoch = epoch;
    n->request_bytes = n->reply_bytes = 0;
}

static struct noc_sm_port *port_begin(struct noc *n, uint32_t sm)
{
    struct noc_sm_port *p = &n->port[sm];

    if (p->epoch != n->epoch) {
        res_reset(&p->ingress, n->epoch);
        p->egress_free = 0;
        p->epoch = n->epoch;
    }
    return p;
}

sim_time_ps noc_there(struct noc *n, uint32_t sm, uint32_t bytes, sim_time_ps now, sim_time_ps t)
{
    struct noc_sm_port *p = port_begin(n, sm);

    bytes += n->header_bytes;
    n->request_bytes += bytes;
    p->egress_free = (t > p->egress_free ? t : p->egress_free) + bytes_ps(n->egress_q16, bytes);
    t = res_take(res_begin(&n->gpc[sm % n->gpcs].request, n->epoch), now, p->egress_free,
                 bytes_ps(n->gpc_request_q16, bytes));
    return t + n->there_ps;
}

sim_time_ps noc_back(struct noc *n, uint32_t sm, uint32_t bytes, sim_time_ps now, sim_time_ps t)
{
    bytes += n->header_bytes;
    n->reply_bytes += bytes;
    t = res_take(res_begin(&n->gpc[sm % n->gpcs].reply, n->epoch), now, t + n->back_ps,
                 bytes_ps(n->gpc_reply_q16, bytes));
    return res_take(&port_begin(n, sm)->ingress, now, t, bytes_ps(n->ingress_q16, bytes));
}

sim_time_ps noc_cross(struct noc *n, uint32_t from, bool reply, uint32_t bytes, sim_time_ps now, sim_time_ps t)
{
    uint32_t service = bytes_ps(n->bridge_q16, bytes + n->header_bytes);
    struct res *way = reply ? &n->bridge[from].reply : &n->bridge[from].request;

    return res_take(res_begin(way, n->epoch), now, t, service) + n->bridge_ps;
}
