/* simcore/mem/memory_state.c: saves and loads the state of the memory behind the L1s. Only state that the launch
 * has touched is included; the rest is reset on its first use. */
#include "simcore/mem/memory_internal.h"

static void l2_set_state(struct l2 *c, uint32_t index, struct state_io *io)
{
    struct l2_line *lines = c->lines + (size_t)index * c->ways;
    struct tag_set *s = tag_set_at(&c->tags, index);
    uint32_t filled = tag_set_state(&c->tags, index, io);

    state_bytes(io, lines, filled * sizeof *lines);
    s->changed = 0;
    for (uint32_t i = 0; i < filled; i++)
        s->changed = (uint16_t)(s->changed + (lines[i].dirty != 0));
}

static void noc_state(struct noc *n, struct state_io *io)
{
    STATE(io, n->request_bytes);
    STATE(io, n->reply_bytes);
    for (uint32_t i = 0; i < n->sms; i++) {
        if (!state_flag(io, n->port[i].epoch == n->epoch))
            continue;
        STATE(io, n->port[i]);
        n->port[i].epoch = n->port[i].ingress.epoch = n->epoch;
    }
    for (uint32_t i = 0; i < n->gpcs; i++) {
        res_state(&n->gpc[i].request, n->epoch, io);
        res_state(&n->gpc[i].reply, n->epoch, io);
    }
    for (uint32_t i = 0; i < 2; i++) {
        res_state(&n->bridge[i].request, n->epoch, io);
        res_state(&n->bridge[i].reply, n->epoch, io);
    }
}

void memory_state(struct memory *m, struct state_io *io)
{
    STATE(io, m->count);
    noc_state(&m->noc, io);
    dram_state(&m->dram, io);
    for (uint32_t i = 0; i < m->l2.slices; i++) {
        struct slice_stages *s = &m->slice[i];

        if (!state_flag(io, s->epoch == m->epoch))
            continue;
        STATE(io, *s);
        s->epoch = s->port.epoch = s->atomic.epoch = m->epoch;
    }
    for (uint32_t i = 0; i < m->l2.tags.sets; i++)
        l2_set_state(&m->l2, i, io);
    if (m->tlb)
        tlb_state(m->tlb, io);
}
