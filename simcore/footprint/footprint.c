#include "simcore/footprint/footprint.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "simcore/footprint/lru_stack.h"
#include "simcore/simcore.h"
#include "simcore/sm/bulk_lines.h"
#include "simcore/trace/fields.h"

/* A set of registers, one bit each. */
struct registers {
    uint64_t bits[(UINT8_MAX + 1) / 64];
};

/* The access of an instruction to memory behind L1, and the registers that it waits for. */
struct footprint_inst {
    uint8_t space, width, access; /* SPACE_NONE: nothing; enum line_access */
    bool fields, barrier;
    struct registers reads, writes;
};

/* A touch that is not yet in the stack. */
struct footprint_touch {
    struct line_touch touch;
    uint32_t turn;
};

struct footprints {
    struct lru_stack *stack;
    struct gpu_design *design; /* the GPU for which opcodes are classified and CTAs are placed */
    uint64_t context;
    /* touches of the CTAs that take turns: in the order of the trace, and of turns */
    struct footprint_touch *kept, *sorted;
    size_t kept_count, kept_capacity, sorted_capacity;
    uint32_t *first; /* index of the first touch of each turn */
    size_t first_capacity;
    uint32_t turns;
    uint64_t ctas, wave;         /* CTAs collected; CTAs that the GPU holds at once */
    struct touch_list *recorded; /* output of footprints_record(), or NULL */
    /* of the current launch: */
    struct footprint_inst *insts;
    size_t inst_count, inst_capacity;
};

/* --- instructions --- */

static enum line_access access_of(enum mem_kind kind)
{
    return kind == MEM_READ ? LINE_READ : kind == MEM_WRITE ? LINE_WRITE : LINE_ATOMIC;
}

static void add_registers(struct registers *r, uint32_t first, uint32_t count)
{
    for (uint32_t i = first; i < first + count && i < REG_ZERO; i++)
        r->bits[i / 64] |= 1ull << i % 64;
}

static void note_registers(const struct trace_inst *in, struct footprint_inst *out)
{
    if (in->dst_count)
        add_registers(&out->writes, in->dst, in->dst_regs ? in->dst_regs : 1);
    for (uint32_t k = 0; k < in->src_count && k < INST_MAX_SRC; k++)
        add_registers(&out->reads, in->src[k], in->src_regs[k] ? in->src_regs[k] : 1);
}

static struct footprint_inst classify(const struct footprints *f, const struct inst_source *s,
                                      const struct trace_inst *in)
{
    struct footprint_inst out = {.space = SPACE_NONE, .width = (uint8_t)in->width};
    struct op_info op;

    opcode_classify(s->opcodes[in->opcode], f->design, &op);
    out.barrier = op.action == ACT_BARRIER;
    note_registers(in, &out);
    if (!in->width || in->width > ACCESS_BYTES_MAX)
        return out;
    out.space = op.space;
    switch ((enum op_action)op.action) {
    case ACT_LOAD:
    case ACT_ASYNC_COPY: out.access = LINE_READ; break;
    case ACT_STORE: out.access = LINE_WRITE; break;
    case ACT_ATOMIC:
    case ACT_REDUCTION: out.access = LINE_ATOMIC; break;
    case ACT_BULK_COPY:
        out.fields = (op.flags & OP_FIELDS) && in->width == FIELDS_WIDTH;
        out.access = (uint8_t)access_of(bulk_kind(op.mix, op.flags));
        out.space = out.fields ? SPACE_GLOBAL : SPACE_NONE;
        break;
    default: out.space = SPACE_NONE; break;
    }
    if (out.space == SPACE_SHARED || out.space == SPACE_LOCAL)
        out.space = SPACE_NONE;
    return out;
}

/* Classifies the instructions that the source's table has gained. */
static int classify_new(struct footprints *f, const struct inst_source *s, struct err *e)
{
    if (array_reserve((void **)&f->insts, &f->inst_capacity, s->inst_count + 1, sizeof *f->insts, e) < 0)
        return -1;
    for (; f->inst_count < s->inst_count; f->inst_count++)
        f->insts[f->inst_count] = classify(f, s, &s->insts[f->inst_count]);
    return 0;
}

/* --- turns --- */

/* Limit of pending touches (64 MB, in both orders). Above it, touches are applied before their wave is complete. */
enum { PENDING_TOUCHES_MAX = 1 << 20, ACCESSES_A_TURN = 16 };

static int count_turns(struct footprints *f, struct err *e)
{
    uint32_t before = 0;

    if (array_reserve((void **)&f->first, &f->first_capacity, f->turns + 1ull, sizeof *f->first, e) < 0)
        return -1;
    memset(f->first, 0, (f->turns + 1ull) * sizeof *f->first);
    for (size_t i = 0; i < f->kept_count; i++)
        f->first[f->kept[i].turn]++;
    for (uint32_t t = 0; t <= f->turns; t++) {
        uint32_t count = f->first[t];

        f->first[t] = before;
        before += count;
    }
    return 0;
}

static int record(struct touch_list *l, const struct line_touch *t, struct err *e)
{
    if (array_reserve((void **)&l->items, &l->capacity, l->count + 1, sizeof *l->items, e) < 0)
        return -1;
    l->items[l->count++] = *t;
    return 0;
}

/* Applies the touches turn by turn; within a turn, in the order of the trace. */
static int take_turns(struct footprints *f, struct err *e)
{
    if (count_turns(f, e) < 0 ||
        array_reserve((void **)&f->sorted, &f->sorted_capacity, f->kept_count + 1, sizeof *f->sorted, e) < 0)
        return -1;
    for (size_t i = 0; i < f->kept_count; i++)
        f->sorted[f->first[f->kept[i].turn]++] = f->kept[i];
    for (size_t i = 0; i < f->kept_count; i++)
        if ((f->recorded && record(f->recorded, &f->sorted[i].touch, e) < 0) ||
            lru_stack_touch(f->stack, &f->sorted[i].touch, e) < 0)
            return -1;
    f->kept_count = 0;
    f->turns = 0;
    f->ctas = 0;
    return 0;
}

static int keep_touch(struct footprints *f, const struct line_touch *t, uint32_t turn, struct err *e)
{
    if (array_reserve((void **)&f->kept, &f->kept_capacity, f->kept_count + 1, sizeof *f->kept, e) < 0)
        return -1;
    f->kept[f->kept_count++] = (struct footprint_touch){*t, turn};
    f->turns = turn >= f->turns ? turn + 1 : f->turns;
    return f->kept_count >= PENDING_TOUCHES_MAX ? take_turns(f, e) : 0;
}

static void begin_launch(struct footprints *f, const struct inst_source *s)
{
    uint64_t wave = design_wave_ctas(f->design, &s->info);

    f->inst_count = f->kept_count = 0;
    f->turns = 0;
    f->ctas = 0;
    f->wave = wave ? wave : f->design->sms; /* the CTA does not fit on an SM of a V100: assume one CTA per SM */
}

static int end_launch(struct footprints *f, struct warm_image **image, struct err *e)
{
    return take_turns(f, e) < 0 ? -1 : lru_stack_end_step(f->stack, image, e);
}

/* --- accesses --- */

static int touch_lines(struct footprints *f, const struct coalesced *c, uint8_t access, uint32_t cta, uint32_t turn,
                       struct err *e)
{
    for (uint32_t i = 0; i < c->count; i++) {
        const struct line_touch t = {c->line[i], (enum line_access)access, c->sectors[i], c->full[i], cta};

        if (keep_touch(f, &t, turn, e) < 0)
            return -1;
    }
    return 0;
}

/* Whether the access goes to shared or local memory. The first active lane decides. */
static bool is_elsewhere(const struct kernel_info *k, uint64_t first)
{
    return (k->shared_base && first - k->shared_base < WINDOW_BYTES) ||
           (k->local_base && first - k->local_base < WINDOW_BYTES);
}

/* Finds the lines that an executed instruction touches; none if it does not access global memory. */
static void find_lines(const struct inst_source *s, const struct cta_trace *cta, const struct warp_inst *wi,
                       const struct footprint_inst *in, struct coalesced *out)
{
    struct lane_addresses lanes;
    uint64_t address[WARP_LANES], field[WARP_LANES];

    out->count = 0;
    if (in->fields) {
        fields_of(cta, wi, field);
        bulk_lines(field, out);
        return;
    }
    cta_addresses(cta, wi->address, &lanes);
    if (lanes_form_run(&lanes, wi->mask, in->width)) {
        if (in->space != SPACE_GENERIC || !is_elsewhere(&s->info, lanes.base))
            coalesce_run(lanes.base, wi->mask, in->width, out);
        return;
    }
    lanes_expand(&lanes, wi->mask, address);
    if (in->space != SPACE_GENERIC || !is_elsewhere(&s->info, address[__builtin_ctz(wi->mask)]))
        coalesce(address, wi->mask, in->width, out);
}

/* The progress of a warp. Its turn ends when it needs the result of a load of the same turn, at a barrier, and when
 * its queue is full (as in simcore/replay.h). */
struct progress {
    uint32_t turn, accesses; /* accesses in this turn */
    struct registers awaited;
};

static void next_turn(struct progress *p)
{
    *p = (struct progress){.turn = p->turn + 1};
}

static bool waits_for(const struct registers *awaited, const struct registers *reads)
{
    uint64_t both = 0;

    for (size_t i = 0; i < sizeof awaited->bits / sizeof *awaited->bits; i++)
        both |= awaited->bits[i] & reads->bits[i];
    return both;
}

static void await(struct progress *p, const struct footprint_inst *in)
{
    p->accesses++;
    for (size_t i = 0; i < sizeof in->writes.bits / sizeof *in->writes.bits; i++)
        p->awaited.bits[i] |= in->writes.bits[i];
}

static int follow_inst(struct footprints *f, const struct inst_source *s, const struct cta_trace *cta,
                       const struct warp_inst *wi, struct progress *p, struct err *e)
{
    const struct footprint_inst *in = &f->insts[wi->inst];
    struct coalesced lines;

    if (p->accesses && (in->barrier || p->accesses == ACCESSES_A_TURN || waits_for(&p->awaited, &in->reads)))
        next_turn(p);
    if (in->space == SPACE_NONE || !wi->mask || wi->address == UINT32_MAX)
        return 0;
    find_lines(s, cta, wi, in, &lines);
    if (touch_lines(f, &lines, in->access, (uint32_t)cta->index, p->turn, e) < 0)
        return -1;
    await(p, in);
    return 0;
}

/* Follows the warp window by window if there are several. At the end, the first window is restored. */
static int follow_warp(struct footprints *f, const struct inst_source *s, struct cta_trace *cta, uint32_t warp,
                       struct err *e)
{
    const struct cta_warp *w = &cta->warps[warp];
    struct progress p = {.turn = 0};

    for (uint32_t from = 0; from < w->count; from = w->first + w->ready) {
        if (cta_warp_window(cta, warp, from, e) < 0)
            return -1;
        for (uint32_t i = 0; i < w->ready; i++)
            if (follow_inst(f, s, cta, &w->insts[i], &p, e) < 0)
                return -1;
    }
    return w->count ? cta_warp_window(cta, warp, 0, e) : 0;
}

static int follow_cta(struct footprints *f, const struct inst_source *s, struct cta_trace *cta, struct err *e)
{
    if (classify_new(f, s, e) < 0)
        return -1;
    for (uint32_t i = 0; i < cta->warp_count; i++)
        if (follow_warp(f, s, cta, i, e) < 0)
            return -1;
    return ++f->ctas >= f->wave ? take_turns(f, e) : 0;
}

/* --- a launch --- */

struct followed {
    struct inst_source source; /* must be the first member */
    struct inst_source *inner;
    struct footprints *footprints;
    struct warm_image *image;
};

static int next_cta(struct inst_source *source, struct cta_trace **out, struct err *e)
{
    struct followed *s = (struct followed *)source;
    int got;

    s->inner->windowed = source->windowed;
    got = inst_source_next_cta(s->inner, out, e);
    inst_source_share_tables(&s->source, s->inner);
    if (got > 0 && follow_cta(s->footprints, s->inner, *out, e) < 0) {
        inst_source_release_cta(s->inner, *out);
        return -1;
    }
    if (got == 0 && !s->image) {
        if (end_launch(s->footprints, &s->image, e) < 0)
            return -1;
        s->source.warm = s->image;
    }
    return got;
}

static void release_cta(struct inst_source *source, struct cta_trace *cta)
{
    inst_source_release_cta(((struct followed *)source)->inner, cta);
}

static void release(struct inst_source *source)
{
    struct followed *s = (struct followed *)source;

    warm_image_free(s->image);
    free(s);
}

int footprints_source(struct footprints *f, struct inst_source *inner, struct inst_source **out, struct err *e)
{
    static const struct inst_source_ops ops = {"a source whose lines are noted", next_cta, release_cta, release};
    struct followed *s = mem_zalloc(1, sizeof *s, e);

    *out = NULL;
    if (!s)
        return -1;
    s->source.ops = &ops;
    s->source.info = inner->info; /* the inner source owns the name */
    s->inner = inner;
    s->footprints = f;
    begin_launch(f, inner);
    inst_source_share_tables(&s->source, s->inner);
    *out = &s->source;
    return 0;
}

struct warm_image *footprints_now(const struct footprints *f, uint64_t most, struct err *e)
{
    return lru_stack_top(f->stack, most, e);
}

int footprints_launch(struct footprints *f, struct inst_source *inner, struct warm_image **image, struct err *e)
{
    struct cta_trace *cta;
    int got;

    inner->windowed = true;
    begin_launch(f, inner);
    while ((got = inst_source_next_cta(inner, &cta, e)) > 0) {
        int ret = follow_cta(f, inner, cta, e);

        inst_source_release_cta(inner, cta);
        if (ret < 0)
            return -1;
    }
    return got < 0 ? -1 : end_launch(f, image, e);
}

/* --- a repeated launch --- */

void touch_list_release(struct touch_list *l)
{
    free(l->items);
    *l = (struct touch_list){NULL, 0, 0};
}

void footprints_record(struct footprints *f, struct touch_list *into)
{
    f->recorded = into;
}

int footprints_repeat(struct footprints *f, const struct touch_list *touches, struct warm_image **image,
                      struct err *e)
{
    for (size_t i = 0; i < touches->count; i++)
        if (lru_stack_touch(f->stack, &touches->items[i], e) < 0)
            return -1;
    return lru_stack_end_step(f->stack, image, e);
}

/* --- copies --- */

/* Touches a range. Of a long range, only the end can still be in the L2. */
static int touch_range(struct footprints *f, uint64_t address, uint64_t bytes, enum line_access access,
                       struct err *e)
{
    const uint8_t all = (1 << LINE_SECTORS) - 1;
    uint64_t from = address >> LINE_SHIFT, to = bytes ? ((address + bytes - 1) >> LINE_SHIFT) + 1 : from;

    for (uint64_t i = to - from > WARM_LINES_MAX ? to - WARM_LINES_MAX : from; i < to; i++) {
        const struct line_touch t = {i, access, all, access == LINE_WRITE ? all : 0, 0};

        if (lru_stack_touch(f->stack, &t, e) < 0)
            return -1;
    }
    return 0;
}

int footprints_copy(struct footprints *f, const struct trace_copy *c, struct err *e)
{
    /* the source of a device copy is assumed to be directly after its destination (simcore/copy.h) */
    uint64_t from = c->address + (c->kind == TRACE_COPY_DEVICE ? c->bytes : 0);

    if ((c->kind == TRACE_COPY_TO_HOST || c->kind == TRACE_COPY_DEVICE) &&
        touch_range(f, from, c->bytes, LINE_READ, e) < 0)
        return -1;
    if (c->kind != TRACE_COPY_TO_HOST && touch_range(f, c->address, c->bytes, LINE_WRITE, e) < 0)
        return -1;
    return lru_stack_end_step(f->stack, NULL, e);
}

int footprints_touched(struct footprints *f, uint64_t address, uint64_t bytes, bool write, struct err *e)
{
    return touch_range(f, address, bytes, write ? LINE_WRITE : LINE_READ, e) < 0
               ? -1
               : lru_stack_end_step(f->stack, NULL, e);
}

/* --- beginning and end --- */

void footprints_context(struct footprints *f, uint64_t context)
{
    if (context != f->context)
        lru_stack_clear(f->stack);
    f->context = context;
}

struct footprints *footprints_new(struct err *e)
{
    struct footprints *f = mem_zalloc(1, sizeof *f, e);

    if (!f)
        return NULL;
    f->stack = lru_stack_new(e);
    if (f->stack && design_load("v100", &f->design, e) == 0)
        return f;
    footprints_free(f);
    return NULL;
}

void footprints_free(struct footprints *f)
{
    if (!f)
        return;
    lru_stack_free(f->stack);
    design_free(f->design);
    free(f->insts);
    free(f->kept);
    free(f->sorted);
    free(f->first);
    free(f);
}
