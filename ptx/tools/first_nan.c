/* ptx/tools/first_nan.c: finds the instruction that produced the first NaN or infinity.
 *
 * The operands of an op are determined once for each function. Per op only its results are tested, all lanes at
 * a time. If they contain a NaN or an infinity, the sources are tested. The sources are still in the registers,
 * except those that the op overwrites: these are saved before it. */
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "ptx/forms/forms_lanes.h"
#include "ptx/warp/launch.h"
#include "ptx/code/live.h"
#include "ptx/tools/op_values.h"
#include "ptx/tools/run_watch.h"

enum { ROW_BYTES_MAX = PTX_LANES * 16 };

/* A register of floats. An element is infinite or NaN if all bits of `exponent` (or of `upper`, for the upper
 * half) are set. */
struct float_row {
    uint16_t row;
    uint8_t bits;
    bool lost; /* a source that the op overwrites, so it is saved */
    uint64_t exponent, upper;
};
struct float_op {
    uint32_t first; /* index in `rows`: results, then sources */
    uint8_t results, sources;
    bool loses;
};
struct float_code {
    const struct ptx_code *code;
    struct float_op *ops; /* results 0: the op computes no floats */
    struct float_row *rows;
    size_t row_count, row_capacity;
    struct float_code *next;
};

struct ptx_first_nan {
    struct ptx_watch watch;
    struct float_code *codes, *last;
    /* Saved sources of the current op that it overwrites. Index: number of the source. */
    uint8_t kept[OP_VALUES_MAX][ROW_BYTES_MAX];
    struct strbuf text;
    bool failed; /* out of memory: the search has stopped */
};

/* --- operands that an op reads and writes --- */

static bool computes(const struct ptx_code *c, uint32_t op)
{
    static const char *const passing[] = {"mov", "selp", "slct", "setp", "set", "abs", "neg", "copysign"};
    const char *opcode = c->function->insts[op].opcode;

    if (c->ops[op].action != PTX_DO_FORM && c->ops[op].action != PTX_DO_MATRIX)
        return false;
    for (size_t i = 0; i < sizeof passing / sizeof passing[0]; i++)
        if (strcmp(opcode, passing[i]) == 0)
            return false;
    return true;
}

/* Returns false if the value is not of floats. Two halves share a 32-bit register. */
static bool float_row_of(const struct op_value *v, uint8_t type, struct float_row *out)
{
    uint64_t exponent = op_type_exponent(type);

    if (!exponent || v->bits == 1 || v->bits == 128)
        return false;
    *out = (struct float_row){.row = v->row, .bits = v->bits, .exponent = exponent, .upper = exponent};
    if (exponent <= UINT16_MAX && v->bits == 32)
        out->upper = exponent << 16;
    return true;
}

static bool overlap(const struct float_row *a, const struct float_row *b)
{
    return a->row < b->row + ptx_row_units(b->bits) && b->row < a->row + ptx_row_units(a->bits);
}

static uint8_t add_rows(struct float_code *f, uint32_t op, bool results, uint8_t type)
{
    struct op_value v[OP_VALUES_MAX];
    uint32_t n = op_values(f->code, op, results, v);
    uint8_t count = 0;

    for (uint32_t k = 0; k < n; k++)
        if (float_row_of(&v[k], type, &f->rows[f->row_count])) {
            f->row_count++;
            count++;
        }
    return count;
}

static int add_op(struct float_code *f, uint32_t op, struct err *e)
{
    const struct ptx_inst *i = &f->code->function->insts[op];
    struct float_op *o = &f->ops[op];
    struct float_row *r;

    if (!computes(f->code, op) || !i->type_count)
        return 0;
    if (array_reserve((void **)&f->rows, &f->row_capacity, f->row_count + (size_t)2 * OP_VALUES_MAX,
                      sizeof *f->rows, e))
        return -1;
    o->first = (uint32_t)f->row_count;
    o->results = add_rows(f, op, true, i->types[0]);
    o->sources = add_rows(f, op, false, i->types[i->type_count - 1]);
    r = &f->rows[o->first];
    for (uint32_t k = 0; k < o->results; k++)
        for (uint32_t s = o->results; s < (uint32_t)o->results + o->sources; s++)
            r[s].lost = r[s].lost || overlap(&r[k], &r[s]);
    for (uint32_t s = o->results; s < (uint32_t)o->results + o->sources; s++)
        o->loses = o->loses || r[s].lost;
    return 0;
}

static struct float_code *add_code(struct ptx_first_nan *f, const struct ptx_code *code)
{
    struct float_code *c;
    struct err e;

    c = mem_zalloc(1, sizeof *c, &e);
    f->failed = f->failed || !c;
    if (!c)
        return NULL;
    c->code = code;
    c->next = f->codes;
    f->codes = c;
    c->ops = mem_zalloc(code->op_count + 1, sizeof *c->ops, &e);
    for (uint32_t op = 0; c->ops && op < code->op_count; op++)
        f->failed = f->failed || add_op(c, op, &e);
    f->failed = f->failed || !c->ops;
    return f->failed ? NULL : c;
}

/* NULL: the op computes no floats. */
static const struct float_op *op_of(struct ptx_first_nan *f, const struct ptx_seen *s)
{
    struct float_code *c = f->last;

    if (f->text.length || f->failed)
        return NULL;
    if (!c || c->code != s->code) {
        for (c = f->codes; c && c->code != s->code; c = c->next)
            ;
        if (!c && !(c = add_code(f, s->code)))
            return NULL;
        f->last = c;
    }
    return c->ops[s->op].results ? &c->ops[s->op] : NULL;
}

/* --- looking --- */

static uint32_t wild_in(const struct float_row *r, const uint8_t *row)
{
    const struct ptx_lane_ops *l = ptx_lane_ops();
    uint32_t lanes = l->all_set(row, r->bits, r->exponent);

    return r->upper == r->exponent ? lanes : lanes | l->all_set(row, r->bits, r->upper);
}

static const uint8_t *source_of(const struct ptx_first_nan *f, const struct ptx_seen *s, const struct float_row *r,
                                uint32_t k)
{
    return r->lost ? f->kept[k] : s->rows + (size_t)r->row * PTX_ROW_BYTES;
}

static int before(void *ctx, const struct ptx_seen *s)
{
    struct ptx_first_nan *f = ctx;
    const struct float_op *o = op_of(f, s);
    const struct float_row *r;

    if (!o || !o->loses)
        return 0;
    r = &f->last->rows[o->first + o->results];
    for (uint32_t k = 0; k < o->sources; k++)
        if (r[k].lost)
            memcpy(f->kept[k], s->rows + (size_t)r[k].row * PTX_ROW_BYTES, (size_t)r[k].bits / 8 * PTX_LANES);
    return 0;
}

/* Appends the values that the lane has read, from a copy of the registers before the op. */
static void add_sources(struct ptx_first_nan *f, const struct ptx_seen *s, const struct float_op *o, uint32_t lane)
{
    const struct float_row *r = &f->last->rows[o->first + o->results];
    size_t bytes = (size_t)s->code->rows * PTX_ROW_BYTES;
    struct ptx_seen was = *s;
    struct err ignored;
    uint8_t *rows = mem_zalloc(bytes + 1, 1, &ignored);

    if (!rows)
        return;
    memcpy(rows, s->rows, bytes);
    for (uint32_t k = 0; k < o->sources; k++)
        if (r[k].lost)
            memcpy(rows + (size_t)r[k].row * PTX_ROW_BYTES, f->kept[k], (size_t)r[k].bits / 8 * PTX_LANES);
    was.rows = rows;
    op_sources_text(&was, lane, &f->text);
    free(rows);
}

static void found(struct ptx_first_nan *f, const struct ptx_seen *s, const struct float_op *o, uint32_t lane)
{
    const struct ptx_cta *c = s->warp->cta;
    char place[200];

    ptx_place_text(s->warp, s->code, s->op, place, sizeof place);
    strbuf_addf(&f->text,
                "kernel %s, %s, CTA (%u,%u,%u), warp %u, lane %u: the first NaN or infinity is the result of `",
                c->run->code->function->name, place, c->id[0], c->id[1], c->id[2], s->warp->id, lane);
    op_ptx_text(s, &f->text);
    strbuf_addc(&f->text, '`');
    add_sources(f, s, o, lane);
}

static int after(void *ctx, const struct ptx_seen *s)
{
    struct ptx_first_nan *f = ctx;
    const struct float_op *o = op_of(f, s);
    const struct float_row *r;
    uint32_t made = 0, tainted = 0;

    if (!o)
        return 0;
    r = &f->last->rows[o->first];
    for (uint32_t k = 0; k < o->results; k++)
        made |= wild_in(&r[k], s->rows + (size_t)r[k].row * PTX_ROW_BYTES);
    made &= s->mask;
    if (!made)
        return 0;
    r += o->results;
    for (uint32_t k = 0; k < o->sources; k++)
        tainted |= wild_in(&r[k], source_of(f, s, &r[k], k));
    made &= ~tainted;
    if (made)
        found(f, s, o, (uint32_t)__builtin_ctz(made));
    return 0;
}

/* --- begin and end --- */

struct ptx_first_nan *ptx_first_nan_new(struct err *e)
{
    struct ptx_first_nan *f = mem_zalloc(1, sizeof *f, e);

    if (!f)
        return NULL;
    f->text = (struct strbuf)STRBUF_INIT;
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
    while (f->codes) {
        struct float_code *next = f->codes->next;

        free(f->codes->ops);
        free(f->codes->rows);
        free(f->codes);
        f->codes = next;
    }
    strbuf_release(&f->text);
    free(f);
}
