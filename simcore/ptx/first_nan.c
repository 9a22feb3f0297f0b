/* simcore/ptx/first_nan.c: where the first NaN or infinity came from. */
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "simcore/ptx/launch.h"
#include "simcore/ptx/op_values.h"
#include "simcore/ptx/run_watch.h"

struct ptx_first_nan {
    struct ptx_watch watch;
    uint32_t tainted; /* lanes whose sources are wild already, of the op at hand */
    struct strbuf sources, text;
};

/* Does it compute floats? */
static bool computes(const struct ptx_seen *s)
{
    static const char *const passing[] = {"mov", "selp", "slct", "setp", "set", "abs", "neg", "copysign"};
    const char *opcode = s->code->function->insts[s->op].opcode;

    if (s->code->ops[s->op].action != PTX_DO_FORM && s->code->ops[s->op].action != PTX_DO_MATRIX)
        return false;
    for (size_t i = 0; i < sizeof passing / sizeof passing[0]; i++)
        if (strcmp(opcode, passing[i]) == 0)
            return false;
    return true;
}

static uint32_t wild_lanes(const struct ptx_seen *s, bool results, uint8_t type)
{
    struct op_value v[OP_VALUES_MAX];
    uint32_t n = op_values(s->code, s->op, results, v), lanes = 0;

    for (uint32_t k = 0; k < n; k++)
        for (uint32_t left = v[k].bits > 1 ? s->mask : 0; left; left &= left - 1) {
            uint32_t lane = (uint32_t)__builtin_ctz(left);
            uint64_t bits[2];

            op_value_read(s, &v[k], lane, bits);
            lanes |= (uint32_t)op_value_wild(type, bits[0]) << lane;
        }
    return lanes;
}

static int before(void *ctx, const struct ptx_seen *s)
{
    struct ptx_first_nan *f = ctx;
    const struct ptx_inst *i = &s->code->function->insts[s->op];

    if (f->text.length || !s->mask || !computes(s))
        return 0;
    f->tainted = wild_lanes(s, false, i->type_count ? i->types[i->type_count - 1] : PTX_NO_TYPE);
    strbuf_clear(&f->sources);
    if (s->mask & ~f->tainted)
        op_sources_text(s, (uint32_t)__builtin_ctz(s->mask & ~f->tainted), &f->sources);
    return 0;
}

static int after(void *ctx, const struct ptx_seen *s)
{
    struct ptx_first_nan *f = ctx;
    uint32_t made, lane;
    char place[200];

    if (f->text.length || !computes(s))
        return 0;
    made = wild_lanes(s, true, op_type(s->code, s->op)) & ~f->tainted;
    if (!made)
        return 0;
    lane = (uint32_t)__builtin_ctz(made);
    ptx_place_text(s->warp, s->code, s->op, place, sizeof place);
    strbuf_addf(&f->text, "kernel %s, %s, CTA (%u,%u,%u), warp %u, lane %u: the first NaN or infinity is made by `",
                s->warp->cta->run->code->function->name, place, s->warp->cta->id[0], s->warp->cta->id[1],
                s->warp->cta->id[2], s->warp->id, lane);
    op_ptx_text(s, &f->text);
    strbuf_addc(&f->text, '`');
    if (lane == (uint32_t)__builtin_ctz(s->mask & ~f->tainted))
        strbuf_adds(&f->text, f->sources.text);
    return 0;
}

struct ptx_first_nan *ptx_first_nan_new(struct err *e)
{
    struct ptx_first_nan *f = mem_zalloc(1, sizeof *f, e);

    if (!f)
        return NULL;
    f->sources = f->text = (struct strbuf)STRBUF_INIT;
    f->watch = (struct ptx_watch){.ctx = f, .before = before, .after = after};
    return f;
}

const struct ptx_watch *ptx_first_nan_watch(const struct ptx_first_nan *f)
{
    return &f->watch;
}

const char *ptx_first_nan_text(const struct ptx_first_nan *f)
{
    return f->text.text;
}

void ptx_first_nan_free(struct ptx_first_nan *f)
{
    if (!f)
        return;
    strbuf_release(&f->sources);
    strbuf_release(&f->text);
    free(f);
}
