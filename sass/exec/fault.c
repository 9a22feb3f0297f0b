/* sass/exec/fault.c: the errors of an instruction: where it is, what it is, why it cannot go on. */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/strbuf.h"
#include "sass/exec/machine.h"

static void add_instruction(const struct sass_warp *w, struct strbuf *out)
{
    const struct sass_code *c = w->code;
    struct sass_inst x;
    uint64_t words[2];

    if (!c || w->at < c->base || w->at - c->base >= (uint64_t)c->count * INST_BYTES)
        return;
    memcpy(words, c->bytes + (w->at - c->base), sizeof words);
    sass_decode(words, c->arch, w->at - c->base, &x);
    strbuf_addf(out, "%s: 0x%05" PRIx64 " ", c->function->name, w->at - c->base);
    sass_print(&x, out);
}

static int report(struct sass_warp *w, int code, int lane, const char *why)
{
    const uint32_t *id = w->cta->id;
    struct strbuf where = STRBUF_INIT;

    add_instruction(w, &where);
    if (where.failed)
        (void)err_no_memory(w->cta->run->e);
    else if (lane < 0)
        (void)err_set(w->cta->run->e, code, "%s: %s (CTA %u,%u,%u, warp %u)", where.text ? where.text : "", why,
                      id[0], id[1], id[2], w->index);
    else
        (void)err_set(w->cta->run->e, code, "%s: %s (CTA %u,%u,%u, warp %u, lane %d)", where.text ? where.text : "",
                      why, id[0], id[1], id[2], w->index, lane);
    strbuf_release(&where);
    return -1;
}

int sass_fault(struct sass_warp *w, int lane, const char *format, ...)
{
    char why[256];
    va_list list;

    va_start(list, format);
    vsnprintf(why, sizeof why, format, list);
    va_end(list);
    return report(w, ERR_SIMULATION, lane, why);
}

int do_refused(struct sass_warp *w, const struct sass_op *op, uint32_t mask)
{
    return mask ? report(w, ERR_UNSUPPORTED, -1, op->reason) : 0;
}
