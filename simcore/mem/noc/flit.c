/* simcore/mem/noc/flit.c: a flit-level crossbar in each direction (crossbar.h), with the ports of the SMs and of
 * the slices. */
#include <stdlib.h>

#include "base/array.h"
#include "simcore/mem/noc/crossbar.h"
#include "simcore/mem/noc/noc.h"

/* Flits buffered at the input of a slice: eight writes of a whole line, with headers of the usual 8 bytes. */
enum { CREDITS = 8 * (8 + LINE_BYTES) / FLIT_BYTES };

struct flit_model {
    struct noc_flit *there, *back;
    uint32_t there_ps, back_ps; /* share of an idle crossbar in the delay, for the smallest packet */
};

static uint32_t flits(uint32_t bytes)
{
    return (bytes + FLIT_BYTES - 1) / FLIT_BYTES;
}

static void flit_close(struct noc *n)
{
    struct flit_model *f = n->events;

    if (f) {
        noc_flit_free(f->there);
        noc_flit_free(f->back);
    }
    free(f);
    n->events = NULL;
}

static int flit_open(struct noc *n, const struct noc_shape *s, struct event_queue *q, const struct noc_listener *l,
                     struct err *e)
{
    struct noc_flit_shape there = {.inputs = n->sms,
                                   .outputs = s->slices,
                                   .packets = s->packets,
                                   .input_ps = bytes_ps(n->egress_q16, FLIT_BYTES),
                                   .output_ps = bytes_ps(s->slice_q16, FLIT_BYTES),
                                   .credits = CREDITS};
    struct noc_flit_shape back = {.inputs = s->slices,
                                  .outputs = n->sms,
                                  .packets = s->packets,
                                  .input_ps = there.output_ps,
                                  .output_ps = bytes_ps(n->ingress_q16, FLIT_BYTES)};
    struct flit_model *f = mem_zalloc(1, sizeof *f, e);

    if (!f)
        return -1;
    n->events = f;
    f->there_ps = there.output_ps > there.input_ps ? there.output_ps : there.input_ps;
    f->back_ps =
        (SECTOR_BYTES / FLIT_BYTES + 1) * (back.output_ps > back.input_ps ? back.output_ps : back.input_ps);
    f->there = noc_flit_new(&there, q, l->there, l->ctx, e);
    f->back = f->there ? noc_flit_new(&back, q, l->back, l->ctx, e) : NULL;
    return f->back ? 0 : -1;
}

static void flit_begin(struct noc *n)
{
    const struct flit_model *f = n->events;

    noc_flit_begin(f->there);
    noc_flit_begin(f->back);
}

/* The delay minus that of an idle crossbar, which is added by the crossbar model. */
static sim_time_ps less(sim_time_ps way_ps, uint32_t crossbar_ps)
{
    return way_ps > crossbar_ps ? way_ps - crossbar_ps : 0;
}

static sim_time_ps flit_there_ps(const struct noc *n, uint32_t sm, uint32_t slice)
{
    return less(noc_way_there_ps(n, sm, slice), ((const struct flit_model *)n->events)->there_ps);
}

static sim_time_ps flit_back_ps(const struct noc *n, uint32_t sm, uint32_t slice)
{
    return less(noc_way_back_ps(n, sm, slice), ((const struct flit_model *)n->events)->back_ps);
}

static void flit_request(struct noc *n, uint32_t packet, uint32_t sm, uint32_t slice, uint32_t bytes,
                         sim_time_ps now)
{
    noc_flit_send(((const struct flit_model *)n->events)->there, packet, sm, slice, flits(bytes), now);
}

static void flit_reply(struct noc *n, uint32_t packet, uint32_t sm, uint32_t slice, uint32_t bytes, sim_time_ps now)
{
    noc_flit_send(((const struct flit_model *)n->events)->back, packet, slice, sm, flits(bytes), now);
}

static void flit_taken(struct noc *n, uint32_t slice, uint32_t bytes, sim_time_ps now)
{
    noc_flit_credit(((const struct flit_model *)n->events)->there, slice, flits(bytes), now);
}

const struct noc_ops noc_flit = {.name = "flit",
                                 .there_ps = flit_there_ps,
                                 .back_ps = flit_back_ps,
                                 .open = flit_open,
                                 .close = flit_close,
                                 .begin = flit_begin,
                                 .request = flit_request,
                                 .reply = flit_reply,
                                 .taken = flit_taken};
