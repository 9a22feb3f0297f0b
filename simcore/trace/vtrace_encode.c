#include "simcore/trace/vtrace_writer.h"

#include <stdlib.h>

#include "base/assert.h"
#include "simcore/trace/sass_class.h"

/* --- addresses --- */

/* Addresses of one executed instruction. */
struct access {
    uint32_t mask;
    uint32_t id;          /* index of the list in the CTA; equal lists can have several */
    uint64_t base;        /* address of the first active lane */
    int64_t stride;       /* used if there is no list */
    const uint64_t *list; /* offset of each active lane, from any origin; NULL: no list */
};

static const uint64_t *list_of(const struct cta_trace *cta, uint32_t id)
{
    struct lane_addresses a;

    if (cta->runs)
        return cta->runs->patterns + (size_t)id * WARP_LANES;
    cta_addresses(cta, id, &a);
    return a.list;
}

static bool same_pattern(const struct cta_trace *cta, const struct lane_pattern *before, const struct access *a)
{
    uint64_t x[WARP_LANES], y[WARP_LANES];
    unsigned n;

    ASSERT_HOT(a->mask != 0);
    if (!a->list)
        return !before->is_list && before->stride == a->stride;
    if (!before->is_list || __builtin_popcount(before->mask) != __builtin_popcount(a->mask))
        return false;
    if (before->address == a->id && before->mask == a->mask)
        return true;
    n = lane_distances(a->list, a->mask, x);
    lane_distances(list_of(cta, before->address), before->mask, y);
    return memcmp(x, y, n * sizeof *x) == 0;
}

static void put_pattern(struct strbuf *b, const struct access *a)
{
    uint64_t x[WARP_LANES], all = 0;
    unsigned n, shift;

    ASSERT_HOT(a->mask != 0);
    if (!a->list) {
        put_number(b, OP_STRIDE);
        put_signed(b, a->stride);
        return;
    }
    n = lane_distances(a->list, a->mask, x);
    for (unsigned i = 0; i < n; i++)
        all |= x[i];
    shift = all ? (unsigned)__builtin_ctzll(all) : 0;
    shift = shift < OP_LIST_SHIFTS ? shift : OP_LIST_SHIFTS - 1;
    put_number(b, OP_LIST + shift);
    for (unsigned i = 0; i < n; i++)
        put_signed(b, (int64_t)x[i] >> shift);
}

static int put_access(struct vtrace_writer *w, const struct cta_trace *cta, uint32_t inst, const struct access *a,
                      struct zeros_out *bases, struct err *e)
{
    struct vtrace_slot *slot = &w->model.slots[inst];
    bool first = vtrace_is_first(&w->model, slot), same;
    int64_t off = (int64_t)(a->base - (first ? vtrace_first(&w->model, slot) : vtrace_next(&slot->steps)));

    ASSERT_HOT(inst < w->kernel->inst_count);
    if (first)
        slot->pattern = (struct lane_pattern){.stride = w->kernel->insts[inst].width};
    same = same_pattern(cta, &slot->pattern, a);
    if (!same)
        put_pattern(&w->program, a);
    else
        put_number(&w->program, first || off == 0 ? OP_PREDICTED : OP_SAME);
    if (!first && (!same || off != 0))
        put_signed(&w->program, off);
    slot->pattern = (struct lane_pattern){a->list != NULL, a->stride, a->id, a->mask};
    if (!first) {
        vtrace_was(&slot->steps, a->base);
        return 0;
    }
    zeros_put(bases, zigzag(off));
    if (learner_see(&w->learner, &w->model, inst, a->base, e) < 0)
        return -1;
    vtrace_was_first(&w->model, slot, a->base);
    return 0;
}

/* --- sectors only --- */

#define SECTOR_BYTES 32u

/* Moves each lane's address to the beginning of its sector, unless the lane touches two sectors. */
static void to_sectors(struct access *a, unsigned width, uint64_t lanes[WARP_LANES])
{
    unsigned first = (unsigned)__builtin_ctz(a->mask);
    uint64_t shift;

    ASSERT_HOT(a->list && a->mask != 0);
    shift = a->base - a->list[first]; /* offset from list values to addresses */
    for (uint32_t left = a->mask; left; left &= left - 1) {
        unsigned lane = (unsigned)__builtin_ctz(left);
        uint64_t at = a->list[lane] + shift, in_sector = at % SECTOR_BYTES;

        lanes[lane] = at - (in_sector + width <= SECTOR_BYTES ? in_sector : 0);
    }
    a->list = lanes;
    a->base = lanes[first];
}

static bool loads_from_global(const struct kernel_tables *k, const struct trace_inst *i)
{
    struct sass_kind kind = sass_classify(k->opcodes.texts.text + k->opcodes.entries[i->opcode].at);

    return kind.what == SASS_LOAD && kind.space == SASS_GLOBAL;
}

/* --- a warp --- */

static int put_addresses(struct vtrace_writer *w, const struct cta_trace *cta, uint32_t inst, struct access *a,
                         struct zeros_out *bases, struct err *e)
{
    const struct trace_inst *i = &w->kernel->insts[inst];
    uint64_t lanes[WARP_LANES];
    bool sectors;

    if (!i->width || !a->mask)
        return err_set(e, ERR_INVALID, "the instruction at %#x has addresses, but no lane or no width for them",
                       i->pc);
    sectors = w->sectors_only && a->list && loads_from_global(w->kernel, i);
    if (sectors)
        to_sectors(a, i->width, lanes);
    if (put_access(w, cta, inst, a, bases, e) < 0)
        return -1;
    if (sectors)
        w->model.slots[inst].pattern.mask = 0; /* the reader has another pattern than this list: not to be reused */
    return 0;
}

static void put_no_address(struct vtrace_writer *w, uint32_t inst, uint32_t mask)
{
    if (w->kernel->insts[inst].width && mask)
        put_number(&w->program, OP_NO_ADDRESS);
}

static int encode_inst(struct vtrace_writer *w, const struct inst_source *s, const struct cta_trace *cta,
                       const struct warp_inst *x, struct path_segment *g, struct zeros_out *bases, struct err *e)
{
    struct lane_addresses from;
    struct access a = {.mask = x->mask, .id = x->address};
    uint32_t inst;

    if ((x->inst >= w->map_count || w->inst_map[x->inst] == UINT32_MAX) && writer_map_inst(w, s, x->inst, e) < 0)
        return -1;
    inst = w->inst_map[x->inst];
    ASSERT_HOT(inst < w->kernel->inst_count);
    path_step(&w->warp_path, g, inst, 1, x->mask);
    if (x->address == NO_ADDRESS) {
        put_no_address(w, inst, x->mask);
        return 0;
    }
    cta_addresses(cta, x->address, &from);
    a.list = from.kind == ADDRESS_LIST ? from.list : NULL;
    a.base = a.list && x->mask ? a.list[__builtin_ctz(x->mask)] : from.base;
    a.stride = from.stride;
    return put_addresses(w, cta, inst, &a, bases, e);
}

/* Whether its lane pattern is the same as at its last execution, which was in this warp. */
static bool lies_as_before(const struct vtrace_writer *w, const struct vtrace_slot *slot,
                           const struct address_row *r, uint32_t mask)
{
    const struct lane_pattern *p = &slot->pattern;

    if (vtrace_is_first(&w->model, slot))
        return false;
    if (r->list == NO_LIST)
        return !p->is_list && p->stride == r->stride;
    return p->is_list && p->address == r->list && p->mask == mask && !w->sectors_only;
}

/* The same for instructions in runs. */
static int encode_row(struct vtrace_writer *w, const struct cta_trace *cta, uint32_t inst, uint32_t mask,
                      uint32_t row, struct zeros_out *bases, struct err *e)
{
    struct vtrace_slot *slot = &w->model.slots[inst];
    const struct address_row *r;
    struct access a;

    if (row == NO_ADDRESS) {
        put_no_address(w, inst, mask);
        return 0;
    }
    r = &cta->runs->rows[row];
    if (lies_as_before(w, slot, r, mask)) { /* the most frequent case, usually with the predicted base */
        int64_t off = (int64_t)(r->base - vtrace_next(&slot->steps));

        put_number(&w->program, off ? OP_SAME : OP_PREDICTED);
        if (off)
            put_signed(&w->program, off);
        vtrace_was(&slot->steps, r->base);
        return 0;
    }
    a = (struct access){.mask = mask, .id = r->list, .base = r->base, .stride = r->stride};
    a.list = r->list == NO_LIST ? NULL : list_of(cta, r->list);
    return put_addresses(w, cta, inst, &a, bases, e);
}

static int encode_runs(struct vtrace_writer *w, const struct inst_source *s, const struct cta_trace *cta,
                       uint32_t warp, struct zeros_out *bases, struct err *e)
{
    const struct run_warp *r = &cta->runs->warps[warp];

    ASSERT(warp < cta->warp_count);
    if (writer_put_path(w, s, r, cta->warps[warp].count, e) < 0)
        return -1;
    for (size_t i = 0; i < w->memo.row_count; i++) {
        const struct path_row *at = &w->memo.rows[i];

        if (encode_row(w, cta, at->inst, at->mask, r->rows[at->row], bases, e) < 0)
            return -1;
    }
    return 0;
}

/* The same for single instructions. */
static int encode_insts(struct vtrace_writer *w, const struct inst_source *s, const struct cta_trace *cta,
                        uint32_t warp, struct zeros_out *bases, struct err *e)
{
    const struct cta_warp *x = &cta->warps[warp];
    struct path_segment g = path_begin();

    w->memo.run_count = 0; /* the memo is not from runs */
    strbuf_clear(&w->warp_path);
    put_number(&w->warp_path, x->count);
    for (uint32_t i = 0; i < x->count; i++)
        if (encode_inst(w, s, cta, &x->insts[i], &g, bases, e) < 0)
            return -1;
    path_put(&w->warp_path, &g);
    return 0;
}

/* Encodes the path and the address program of a warp to w->warp_path and w->program. */
static int encode_warp(struct vtrace_writer *w, const struct inst_source *s, const struct cta_trace *cta,
                       uint32_t warp, struct zeros_out *bases, struct err *e)
{
    ASSERT(cta->warps[warp].count > 0);
    strbuf_clear(&w->program);
    vtrace_model_begin_warp(&w->model, warp);
    if ((cta->runs ? encode_runs : encode_insts)(w, s, cta, warp, bases, e) < 0)
        return -1;
    return w->warp_path.failed || w->program.failed ? err_no_memory(e) : 0;
}

/* --- a CTA --- */

/* The dictionaries of a kernel. They share one table of strings that occurred once. */
enum dictionary { PATHS = 1, PROGRAMS, SHAPES };

static int repeated(struct vtrace_writer *w, struct vtrace_dict *d, enum dictionary which, const struct strbuf *b,
                    uint32_t *index, struct err *e)
{
    uint64_t salt = ((uint64_t)(w->kernel - w->kernels) * 4 + which) * UINT64_C(0x9e3779b97f4a7c15);

    return dict_repeated(d, &w->seen, salt, b->text, b->length, index, e);
}

/* Writes a reference to these bytes. Bytes that are in no dictionary are written after the references. */
static int put_reference(struct vtrace_writer *w, struct vtrace_dict *d, enum dictionary which,
                         const struct strbuf *b, struct err *e)
{
    uint32_t index;

    if (b->length == 0) {
        put_number(&w->refs, REF_EMPTY);
        return 0;
    }
    if (repeated(w, d, which, b, &index, e) < 0)
        return -1;
    if (index != DICT_NONE) {
        put_number(&w->refs, (uint64_t)REF_DICTIONARY + index);
        return 0;
    }
    put_number(&w->refs, REF_INLINE);
    put_number(&w->inlines, b->length);
    strbuf_add(&w->inlines, b->text, b->length);
    return 0;
}

static int encode_warps(struct vtrace_writer *w, const struct inst_source *s, const struct cta_trace *cta,
                        struct zeros_out *bases, struct err *e)
{
    for (uint32_t i = 0; i < cta->warp_count; i++) {
        if (cta->warps[i].count == 0) {
            put_number(&w->refs, REF_EMPTY);
            continue;
        }
        if (encode_warp(w, s, cta, i, bases, e) < 0 ||
            put_reference(w, &w->kernel->paths, PATHS, &w->warp_path, e) < 0 ||
            put_reference(w, &w->kernel->programs, PROGRAMS, &w->program, e) < 0)
            return -1;
    }
    return 0;
}

int encode_cta(struct vtrace_writer *w, const struct inst_source *s, const struct cta_trace *cta, struct err *e)
{
    struct strbuf *b = &w->pending[BLOCK_CTAS];
    struct zeros_out bases = {&w->bases, 0};
    uint32_t shape = DICT_NONE;

    ASSERT(cta->warp_count <= WARPS_MAX);
    strbuf_clear(&w->refs);
    strbuf_clear(&w->inlines);
    strbuf_clear(&w->bases);
    if (learner_conclude(&w->learner, &w->model, e) < 0)
        return -1;
    memcpy(w->learner.cta, cta->id, sizeof w->learner.cta);
    vtrace_model_begin_cta(&w->model, cta->id);
    if (encode_warps(w, s, cta, &bases, e) < 0)
        return -1;
    zeros_end(&bases);
    if (w->inlines.length == 0 && repeated(w, &w->kernel->shapes, SHAPES, &w->refs, &shape, e) < 0)
        return -1;
    put_number(b, w->learner.fact_count);
    put_number(b, shape == DICT_NONE ? REF_INLINE : (uint64_t)REF_DICTIONARY + shape);
    if (shape == DICT_NONE)
        strbuf_add(b, w->refs.text, w->refs.length);
    strbuf_add(b, w->inlines.text, w->inlines.length);
    strbuf_add(b, w->bases.text, w->bases.length);
    return b->failed || w->refs.failed || w->inlines.failed || w->bases.failed ? err_no_memory(e) : 0;
}
