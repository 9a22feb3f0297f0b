/* simcore/mem/memory_state.c: what lies behind the L1s, saved or loaded. Only what the launch has touched is there:
 * the rest is reset on its first use. */
#include "simcore/mem/memory_internal.h"

static struct l2_set *set_at(struct l2 *c, size_t index)
{
    return (struct l2_set *)(void *)(c->set + index * c->set_bytes);
}

static void l2_set_state(struct l2 *c, size_t index, struct state_io *io)
{
    struct l2_set *s = set_at(c, index);
    uint32_t filled;

    if (!state_flag(io, s->epoch == c->epoch))
        return;
    s->epoch = c->epoch;
    filled = state_number(io, s->filled);
    s->filled = (uint16_t)(filled <= c->ways ? filled : 0);
    if (!state_check(io, filled <= c->ways))
        return;
    state_bytes(io, s->way, 2 * (size_t)c->marks);
    for (uint32_t i = 0; i < s->filled; i++)
        state_check(io, s->way[i] < s->filled);
    state_bytes(io, c->lines + index * c->ways, s->filled * sizeof *c->lines);
    s->dirty = 0;
    for (uint32_t i = 0; i < s->filled; i++)
        s->dirty = (uint16_t)(s->dirty + (c->lines[index * c->ways + i].dirty != 0));
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

static void dram_state(struct dram *m, struct state_io *io)
{
    STATE(io, m->count);
    for (uint32_t i = 0; i < m->channels; i++) {
        struct dram_channel *c = &m->channel[i];

        if (!state_flag(io, c->epoch == m->epoch))
            continue;
        STATE(io, *c);
        c->epoch = c->bus.epoch = c->activate.epoch = m->epoch;
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
        s->epoch = s->input.epoch = s->data.epoch = s->atomic.epoch = m->epoch;
    }
    for (size_t i = 0; i < (size_t)m->l2.slices * m->l2.sets; i++)
        l2_set_state(&m->l2, i, io);
    if (m->tlb)
        tlb_state(m->tlb, io);
}
