#include "simcore/trace/vtrace_writer.h"

#include <stdlib.h>

#include "base/array.h"
#include "simcore/trace/cta_store.h"
#include "simcore/trace/sass_class.h"

/* --- static instructions: the source's numbers become the kernel's --- */

static int no_memory(const struct strbuf *b, struct err *e)
{
    return b->failed ? err_no_memory(e) : 0;
}

static void put_key(struct strbuf *b, const struct trace_inst *x)
{
    put_number(b, x->opcode);
    put_number(b, x->pc);
    put_number(b, x->width);
    strbuf_addc(b, (char)x->dst_count);
    strbuf_addc(b, (char)x->dst);
    strbuf_addc(b, (char)x->dst_regs);
    put_number(b, x->src_count);
    strbuf_add(b, x->src, x->src_count);
    strbuf_add(b, x->src_regs, x->src_count);
    put_number(b, x->has_immediate);
    put_signed(b, x->immediate);
    put_number(b, x->control);
}

static int intern(struct vtrace_writer *w, const struct inst_source *s, uint32_t inst, uint32_t *out, struct err *e)
{
    struct kernel_tables *k = w->kernel;
    struct trace_inst x = s->insts[inst];
    const char *opcode = s->opcodes[x.opcode];
    void *p = k->insts;

    x.opcode = dict_intern(&k->opcodes, opcode, strlen(opcode) + 1, e);
    if (x.opcode == DICT_NONE)
        return -1;
    strbuf_clear(&w->key);
    put_key(&w->key, &x);
    if (no_memory(&w->key, e) < 0 || array_reserve(&p, &k->inst_capacity, k->inst_count + 1, sizeof x, e) < 0)
        return -1;
    k->insts = p;
    *out = dict_intern(&k->inst_keys, w->key.text, w->key.length, e);
    if (*out == DICT_NONE)
        return -1;
    if (*out == k->inst_count)
        k->insts[k->inst_count++] = x;
    return vtrace_model_reserve(&w->model, k->inst_count, e) < 0 ||
                   learner_reserve(&w->learner, k->inst_count, e) < 0
               ? -1
               : 0;
}

/* The kernel's number of a source's instruction that was not met yet in this launch. */
static int map_inst(struct vtrace_writer *w, const struct inst_source *s, uint32_t inst, struct err *e)
{
    void *p = w->inst_map;

    if (inst >= w->map_count) {
        if (array_reserve(&p, &w->map_capacity, s->inst_count, sizeof *w->inst_map, e) < 0)
            return -1;
        w->inst_map = p;
        while (w->map_count < s->inst_count)
            w->inst_map[w->map_count++] = UINT32_MAX;
    }
    return w->inst_map[inst] == UINT32_MAX ? intern(w, s, inst, &w->inst_map[inst], e) : 0;
}

/* --- a path --- */

struct segment {
    uint32_t next; /* the instruction that would prolong it */
    uint32_t mask, mask_before;
    uint32_t count; /* 0: none begun */
    int64_t jump;
    bool new_mask;
};

static void put_segment(struct strbuf *b, const struct segment *g)
{
    put_number(b, (uint64_t)g->count << SEGMENT_COUNT_SHIFT | (g->jump ? SEGMENT_JUMP : 0) |
                      (g->new_mask ? SEGMENT_MASK : 0));
    if (g->jump)
        put_signed(b, g->jump);
    if (!g->new_mask)
        return;
    if (g->mask == 0)
        put_number(b, MASK_ZERO);
    else if (g->mask == g->mask_before)
        put_number(b, MASK_BEFORE);
    else
        put_number(b, (uint64_t)MASK_OTHER + (uint32_t)~g->mask);
}

/* One step of the path; `before` is the mask that MASK_BEFORE means. */
static void step(struct strbuf *b, struct segment *g, uint32_t *before, uint32_t inst, uint32_t mask)
{
    if (g->count && inst == g->next && mask == g->mask) {
        g->count++;
        g->next++;
        return;
    }
    if (g->count)
        put_segment(b, g);
    g->jump = (int64_t)inst - g->next;
    g->new_mask = mask != g->mask;
    if (g->new_mask) {
        g->mask_before = *before;
        *before = g->mask;
        g->mask = mask;
    }
    g->next = inst + 1;
    g->count = 1;
}

/* --- addresses --- */

static bool same_pattern(const struct cta_trace *cta, const struct lane_pattern *before,
                         const struct lane_addresses *a, uint32_t mask)
{
    uint64_t x[WARP_LANES], y[WARP_LANES];
    struct lane_addresses b;
    unsigned n;

    if (a->kind == ADDRESS_STRIDE)
        return !before->is_list && before->stride == a->stride;
    if (!before->is_list || __builtin_popcount(before->mask) != __builtin_popcount(mask))
        return false;
    cta_addresses(cta, before->address, &b);
    n = lane_distances(a->list, mask, x);
    lane_distances(b.list, before->mask, y);
    return memcmp(x, y, n * sizeof *x) == 0;
}

static void put_pattern(struct strbuf *b, const struct lane_addresses *a, uint32_t mask)
{
    uint64_t x[WARP_LANES], all = 0;
    unsigned n, shift;

    if (a->kind == ADDRESS_STRIDE) {
        put_number(b, OP_STRIDE);
        put_signed(b, a->stride);
        return;
    }
    n = lane_distances(a->list, mask, x);
    for (unsigned i = 0; i < n; i++)
        all |= x[i];
    shift = all ? (unsigned)__builtin_ctzll(all) : 0;
    shift = shift < OP_LIST_SHIFTS ? shift : OP_LIST_SHIFTS - 1;
    put_number(b, OP_LIST + shift);
    for (unsigned i = 0; i < n; i++)
        put_signed(b, (int64_t)x[i] >> shift);
}

static int put_addresses(struct vtrace_writer *w, const struct cta_trace *cta, uint32_t inst,
                         const struct warp_inst *x, const struct lane_addresses *a, struct zeros_out *bases,
                         struct err *e)
{
    struct vtrace_slot *slot = &w->model.slots[inst];
    bool first = vtrace_is_first(&w->model, slot), same;
    uint64_t base = a->kind == ADDRESS_LIST ? a->list[__builtin_ctz(x->mask)] : a->base;
    int64_t off = (int64_t)(base - (first ? vtrace_first(&w->model, slot) : vtrace_next(slot)));

    if (first)
        slot->pattern = (struct lane_pattern){.stride = w->kernel->insts[inst].width};
    same = same_pattern(cta, &slot->pattern, a, x->mask);
    if (!same)
        put_pattern(&w->program, a, x->mask);
    else
        put_number(&w->program, first || off == 0 ? OP_PREDICTED : OP_SAME);
    if (!first && (!same || off != 0))
        put_signed(&w->program, off);
    slot->pattern = (struct lane_pattern){a->kind == ADDRESS_LIST, a->stride, x->address, x->mask};
    if (!first) {
        vtrace_was(slot, base);
        return 0;
    }
    zeros_put(bases, zigzag(off));
    if (learner_see(&w->learner, &w->model, inst, base, e) < 0)
        return -1;
    vtrace_was_first(&w->model, slot, base);
    return 0;
}

/* --- sectors only --- */

#define SECTOR_BYTES 32u

/* Each lane at the beginning of its sector, unless it touches two. */
static void to_sectors(struct lane_addresses *a, uint32_t mask, unsigned width, uint64_t lanes[WARP_LANES])
{
    for (uint32_t left = mask; left; left &= left - 1) {
        unsigned lane = (unsigned)__builtin_ctz(left);
        uint64_t in_sector = a->list[lane] % SECTOR_BYTES;

        lanes[lane] = a->list[lane] - (in_sector + width <= SECTOR_BYTES ? in_sector : 0);
    }
    a->list = lanes;
}

static bool loads_from_global(const struct kernel_tables *k, const struct trace_inst *i)
{
    struct sass_kind kind = sass_classify(k->opcodes.texts.text + k->opcodes.entries[i->opcode].at);

    return kind.what == SASS_LOAD && kind.space == SASS_GLOBAL;
}

/* --- a warp --- */

static int encode_addresses(struct vtrace_writer *w, const struct cta_trace *cta, uint32_t inst,
                            const struct warp_inst *x, struct zeros_out *bases, struct err *e)
{
    const struct trace_inst *i = &w->kernel->insts[inst];
    struct lane_addresses a;
    uint64_t lanes[WARP_LANES];
    bool sectors;

    if (x->address == NO_ADDRESS) {
        if (i->width && x->mask)
            put_number(&w->program, OP_NO_ADDRESS);
        return 0;
    }
    if (!i->width || !x->mask)
        return err_set(e, ERR_INVALID, "the instruction at %#x has addresses, but no lane or no width for them",
                       i->pc);
    cta_addresses(cta, x->address, &a);
    sectors = w->sectors_only && a.kind == ADDRESS_LIST && loads_from_global(w->kernel, i);
    if (sectors)
        to_sectors(&a, x->mask, i->width, lanes);
    if (put_addresses(w, cta, inst, x, &a, bases, e) < 0)
        return -1;
    if (sectors)
        w->model.slots[inst].pattern.mask = 0; /* what a reader sees there is not what stands in the CTA */
    return 0;
}

/* The path and the address program of a warp, to w->warp_path and w->program. */
static int encode_warp(struct vtrace_writer *w, const struct inst_source *s, const struct cta_trace *cta,
                       uint32_t warp, struct zeros_out *bases, struct err *e)
{
    const struct cta_warp *x = &cta->warps[warp];
    struct segment g = {.mask = UINT32_MAX};
    uint32_t before = 0;

    strbuf_clear(&w->warp_path);
    strbuf_clear(&w->program);
    vtrace_model_begin_warp(&w->model, warp);
    put_number(&w->warp_path, x->count);
    for (uint32_t i = 0; i < x->count; i++) {
        const struct warp_inst *wi = &x->insts[i];

        if ((wi->inst >= w->map_count || w->inst_map[wi->inst] == UINT32_MAX) && map_inst(w, s, wi->inst, e) < 0)
            return -1;
        step(&w->warp_path, &g, &before, w->inst_map[wi->inst], wi->mask);
        if (encode_addresses(w, cta, w->inst_map[wi->inst], wi, bases, e) < 0)
            return -1;
    }
    put_segment(&w->warp_path, &g);
    return w->warp_path.failed || w->program.failed ? err_no_memory(e) : 0;
}

/* --- a CTA --- */

/* Which of a kernel's dictionaries; they share one table of what was seen once. */
enum dictionary { PATHS = 1, PROGRAMS, SHAPES };

static int repeated(struct vtrace_writer *w, struct vtrace_dict *d, enum dictionary which, const struct strbuf *b,
                    uint32_t *index, struct err *e)
{
    uint64_t salt = ((uint64_t)(w->kernel - w->kernels) * 4 + which) * UINT64_C(0x9e3779b97f4a7c15);

    return dict_repeated(d, &w->seen, salt, b->text, b->length, index, e);
}

/* A reference to these bytes, which follow the references where they stand in no dictionary. */
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
