/* ptx/checkpoint/state_run.c: saves and loads a launch: its CTAs in flight, its counts and its printed text. */
#include <stdlib.h>

#include "base/array.h"
#include "ptx/warp/cta.h"
#include "ptx/warp/launch.h"
#include "ptx/warp/state_io.h"

static void stats_io(struct ptx_io *io, struct ptx_exec_stats *s)
{
    PTX_IO(io, s->warp_instructions);
    PTX_IO(io, s->lane_instructions);
    PTX_IO(io, s->ctas);
    PTX_IO(io, s->divergent_branches);
    PTX_IO(io, s->barriers);
    PTX_IO(io, s->undefined);
}

static void printed_io(struct ptx_io *io, struct ptx_printed *p, size_t text)
{
    PTX_IO(io, p->cta);
    PTX_IO(io, p->warp);
    PTX_IO(io, p->lane);
    PTX_IO(io, p->at);
    PTX_IO(io, p->length);
    ptx_io_check(io, p->at <= text && p->length <= text - p->at);
}

static int prints_io(struct ptx_io *io, struct ptx_prints *p, struct err *e)
{
    uint64_t length = p->text.length, count = p->count;

    PTX_IO(io, length);
    PTX_IO(io, count);
    if (io->saves) {
        ptx_io_bytes(io, p->text.text, length);
    } else {
        if (!ptx_io_check(io, length <= io->left && count <= io->left))
            return 0;
        strbuf_clear(&p->text);
        strbuf_add(&p->text, io->in, length);
        io->in += length;
        io->left -= length;
        if (p->text.failed || array_reserve((void **)&p->calls, &p->capacity, count + 1, sizeof *p->calls, e))
            return err_no_memory(e);
        p->count = count;
    }
    for (uint64_t k = 0; k < count && !io->bad; k++)
        printed_io(io, &p->calls[k], length);
    return 0;
}

/* Saves or loads a CTA in flight: its number and state. Loading begins the CTA and then overwrites its state. */
static int resident_io(struct ptx_run *r, struct ptx_io *io, size_t k, struct err *e)
{
    const bool saves = io->saves;
    struct ptx_cta *c = saves ? r->resident[k] : NULL;
    uint64_t number = saves ? c->number : 0;

    PTX_IO(io, number);
    if (!ptx_io_check(io, number < r->ctas))
        return 0;
    if (!saves) {
        if (!(c = ptx_cta_new(r, e)))
            return -1;
        r->resident[r->resident_count++] = c;
        c->e = e;
        if (ptx_cta_begin(c, number))
            return -1;
    }
    c->e = e;
    if (ptx_cta_io(c, io))
        return -1;
    if (!saves && r->resident_count > 1 && !io->bad)
        r->resident_bytes += ptx_cta_bytes(c);
    return 0;
}

int ptx_run_io(struct ptx_run *r, struct ptx_io *io, struct err *e)
{
    uint64_t resident = r->resident_count;
    struct ptx_exec_stats stats = r->stats;

    stats_io(io, &stats);
    PTX_IO(io, r->next);
    PTX_IO(io, r->quiet);
    PTX_IO(io, r->progress);
    PTX_IO(io, r->idle);
    if (!ptx_io_check(io, r->next <= r->ctas) || prints_io(io, &r->prints, e))
        return io->bad ? 0 : -1;
    PTX_IO(io, resident);
    if (!ptx_io_check(io, resident <= r->next && resident <= io->left) ||
        array_reserve((void **)&r->resident, &r->resident_capacity, resident + 1, sizeof(struct ptx_cta *), e))
        return io->bad ? 0 : -1;
    for (uint64_t k = 0; k < resident && !io->bad; k++)
        if (resident_io(r, io, k, e))
            return -1;
    r->stats = stats; /* restored, because the CTAs that began again must not be counted twice */
    return 0;
}
