/* simcore/trace/vtrace_stream.c: decodes a long CTA in windows. Its memory is the paths and programs, which warps
 * share, and for each warp a window and the state of each memory instruction. */
#include <inttypes.h>
#include <stdlib.h>

#include "base/array.h"
#include "base/assert.h"
#include "simcore/trace/cta_windows.h"
#include "simcore/trace/vtrace_decode.h"

#define SLOT_NONE UINT32_MAX

/* State of an instruction with addresses, after its executions so far in a warp. */
struct stream_slot {
    uint64_t first; /* base of its first execution */
    struct vtrace_steps steps;
    int64_t stride;
    uint64_t *distance; /* WARP_LANES distances of the newest list; NULL: no list so far */
    uint8_t lanes;      /* number of lanes of that list */
    bool begun, is_list;
};

/* Warps with the same path and program share a shape. They differ only in the bases of first executions. */
struct stream_shape {
    struct byte_cursor path, program; /* initial positions */
    uint64_t count;                   /* instructions */
    uint32_t *order; /* instructions with addresses, in the order of their first execution; each has a slot */
    size_t order_count, order_capacity;
    uint32_t *slot_of; /* by number of the memory instruction: its slot, or SLOT_NONE */
    struct stream_shape *next;
};
/* The shapes of a source. */
struct stream_shapes {
    uint32_t *before; /* number of memory instructions before each instruction of the kernel, and the total */
    uint32_t *memory; /* instruction index of each memory instruction */
    struct stream_shape *first;
};

struct stream_warp {
    const struct stream_shape *shape;
    struct byte_cursor path, program;
    struct path_walk walk;
    uint64_t in_segment; /* remaining instructions of the segment */
    struct stream_slot *slots;
};
struct vtrace_stream {
    struct cta_windows windows; /* must be the first member */
    struct vtrace_source *s;
    const struct stream_shapes *shapes;
    struct loaded_block *block;
    struct stream_shape *own; /* shapes with a path that no other CTA has */
    struct stream_warp warps[WARPS_MAX];
};

/* --- slots --- */

static void slots_free(struct stream_slot *slots, size_t count)
{
    for (size_t i = 0; slots && i < count; i++)
        free(slots[i].distance);
    free(slots);
}

static int keep_distances(struct stream_slot *slot, const uint64_t *distance, unsigned lanes, struct err *e)
{
    ASSERT_HOT(lanes > 0 && lanes <= WARP_LANES);
    if (!slot->distance)
        slot->distance = mem_zalloc(WARP_LANES, sizeof *slot->distance, e);
    if (!slot->distance)
        return -1;
    memcpy(slot->distance, distance, (lanes - 1) * sizeof *distance);
    slot->lanes = (uint8_t)lanes;
    return 0;
}

/* Decodes the addresses of the next execution of an instruction, except its lanes. 1: decoded; 0: none were
 * recorded; -1: out of memory. */
static int next_access(struct stream_slot *slot, uint16_t width, struct byte_cursor *c, uint32_t mask,
                       struct address_set *a, struct err *e)
{
    uint64_t op = get_below(c, OP_LIST + OP_LIST_SHIFTS), distance[WARP_LANES], off = 0;
    unsigned lanes = (unsigned)__builtin_popcount(mask);

    if (op == OP_NO_ADDRESS)
        return 0;
    if (!slot->begun) {
        slot->is_list = false;
        slot->stride = width;
        c->wrong |= op == OP_SAME;
    }
    if (vtrace_get_pattern(c, op, slot->is_list, slot->stride, mask, a, distance))
        c->wrong |= slot->lanes != lanes;
    else if (a->is_list && keep_distances(slot, distance, lanes, e) < 0)
        return -1;
    if (slot->begun && op != OP_PREDICTED)
        off = get_number(c);
    a->base = slot->begun ? vtrace_next(&slot->steps) + (uint64_t)unzigzag(off) : slot->first;
    if (slot->begun)
        vtrace_was(&slot->steps, a->base);
    else
        slot->steps = (struct vtrace_steps){.last = a->base};
    slot->begun = true;
    slot->is_list = a->is_list;
    slot->stride = a->stride;
    return !c->wrong;
}

/* --- shapes --- */

static void shape_free(struct stream_shape *p)
{
    if (!p)
        return;
    free(p->order);
    free(p->slot_of);
    free(p);
}

static void shapes_free(struct stream_shape *p)
{
    while (p) {
        struct stream_shape *next = p->next;

        shape_free(p);
        p = next;
    }
}

void vtrace_stream_shapes_free(struct stream_shapes *shapes)
{
    if (!shapes)
        return;
    shapes_free(shapes->first);
    free(shapes->before);
    free(shapes->memory);
    free(shapes);
}

static struct stream_shapes *shapes_new(const struct static_table *t, struct err *e)
{
    struct stream_shapes *s = mem_zalloc(1, sizeof *s, e);
    uint32_t n = 0;

    if (!s)
        return NULL;
    s->before = mem_zalloc(t->inst_count + 1, sizeof *s->before, e);
    s->memory = s->before ? mem_zalloc(t->inst_count + 1, sizeof *s->memory, e) : NULL;
    if (!s->memory) {
        vtrace_stream_shapes_free(s);
        return NULL;
    }
    for (size_t i = 0; i < t->inst_count; i++) {
        s->before[i] = n;
        if (t->insts[i].width)
            s->memory[n++] = (uint32_t)i;
    }
    s->before[t->inst_count] = n;
    return s;
}

/* State of reading a path for the first time. */
struct shape_reading {
    const struct vtrace_source *s;
    struct stream_shape *p;
    struct stream_slot *slots; /* slots in the order of p->order */
    size_t slot_capacity;
};

static int add_slot(struct shape_reading *r, uint32_t number, struct err *e)
{
    struct stream_shape *p = r->p;

    ASSERT(p->slot_of[number] == SLOT_NONE);
    if (array_reserve((void **)&p->order, &p->order_capacity, p->order_count + 1, sizeof *p->order, e) < 0 ||
        array_reserve((void **)&r->slots, &r->slot_capacity, p->order_count + 1, sizeof *r->slots, e) < 0)
        return -1;
    p->slot_of[number] = (uint32_t)p->order_count;
    r->slots[p->order_count] = (struct stream_slot){0};
    p->order[p->order_count++] = r->s->streams->memory[number];
    return 0;
}

/* Reads an execution of a memory instruction. If its addresses are never recorded, the instruction gets no slot. */
static int read_access(struct shape_reading *r, uint32_t number, uint32_t mask, struct byte_cursor *program,
                       struct err *e)
{
    uint32_t inst = r->s->streams->memory[number];
    struct stream_slot none = {0}, *slot = &none;
    bool is_new = r->p->slot_of[number] == SLOT_NONE;
    struct address_set a;
    int got;

    if (!is_new)
        slot = &r->slots[r->p->slot_of[number]];
    got = next_access(slot, r->s->kernel->table.insts[inst].width, program, mask, &a, e);
    if (got <= 0 || !is_new || add_slot(r, number, e) < 0) {
        free(none.distance);
        return got < 0 || (got > 0 && is_new) ? -1 : 0;
    }
    r->slots[r->p->slot_of[number]] = none;
    return 0;
}

static int read_shape(struct shape_reading *r, struct err *e)
{
    struct byte_cursor path = r->p->path, program = r->p->program;
    const struct stream_shapes *known = r->s->streams;
    struct path_walk walk = {.mask = UINT32_MAX};

    ASSERT(path.at && r->p->order_count == 0);
    walk.left = r->p->count = get_number(&path);
    while (walk.left > 0 && !path.wrong && !program.wrong) {
        uint64_t count = vtrace_get_segment(&path, &walk, r->s->kernel->table.inst_count);

        if (count == 0)
            return vtrace_source_damaged(r->s, e, "the path of a warp is damaged");
        for (uint32_t k = known->before[walk.inst]; walk.mask && k < known->before[walk.inst + count]; k++)
            if (read_access(r, k, walk.mask, &program, e) < 0)
                return -1;
        walk.inst += (uint32_t)count;
    }
    if (path.wrong || program.wrong || path.at != path.end || program.at != program.end)
        return vtrace_source_damaged(r->s, e, "the path or the addresses of a warp are damaged");
    return r->p->count <= UINT32_MAX
               ? 0
               : err_set(e, ERR_TOO_LARGE, "a warp has %" PRIu64 " instructions: more than 2^32", r->p->count);
}

static struct stream_shape *shape_new(const struct vtrace_source *s, struct byte_cursor path,
                                      struct byte_cursor program, struct err *e)
{
    struct shape_reading r = {.s = s, .p = mem_zalloc(1, sizeof *r.p, e)};
    uint32_t memory = s->streams->before[s->kernel->table.inst_count];
    int ret = -1;

    if (!r.p)
        return NULL;
    r.p->path = path;
    r.p->program = program;
    r.p->slot_of = mem_zalloc(memory + 1u, sizeof *r.p->slot_of, e);
    if (r.p->slot_of) {
        memset(r.p->slot_of, 0xff, memory * sizeof *r.p->slot_of);
        ret = read_shape(&r, e);
    }
    slots_free(r.slots, r.p->order_count);
    if (ret == 0)
        return r.p;
    shape_free(r.p);
    return NULL;
}

static bool in_block(const struct loaded_block *b, struct byte_cursor c)
{
    return c.at >= b->content && c.at < b->content + b->bytes;
}

/* Looks in the source's list if the shape is in the kernel's dictionaries, else in the stream's list. */
static struct stream_shape *find_shape(struct vtrace_stream *st, struct byte_cursor path,
                                       struct byte_cursor program, struct err *e)
{
    struct stream_shapes *shapes = st->s->streams;
    bool own = in_block(st->block, path) || in_block(st->block, program);
    struct stream_shape **list = own ? &st->own : &shapes->first, *p = *list;

    while (p && (p->path.at != path.at || p->program.at != program.at))
        p = p->next;
    if (p || !(p = shape_new(st->s, path, program, e)))
        return p;
    p->next = *list;
    *list = p;
    return p;
}

/* --- windows --- */

static void rewind_warp(struct cta_windows *c, uint32_t warp)
{
    struct stream_warp *w = &((struct vtrace_stream *)c)->warps[warp];

    ASSERT(w->shape && w->slots);
    w->path = w->shape->path;
    w->program = w->shape->program;
    w->walk = (struct path_walk){.mask = UINT32_MAX, .left = get_number(&w->path)};
    w->in_segment = 0;
    for (size_t i = 0; i < w->shape->order_count; i++)
        w->slots[i].begun = false;
}

static int next_inst(struct cta_windows *c, uint32_t warp, struct warp_inst *out, struct address_set *a,
                     struct err *e)
{
    struct vtrace_stream *st = (struct vtrace_stream *)c;
    const struct static_table *t = &st->s->kernel->table;
    struct stream_warp *w = &st->warps[warp];
    struct stream_slot never = {0}, *slot = &never;
    uint32_t inst, number;
    int got;

    if (w->in_segment == 0) {
        w->in_segment = vtrace_get_segment(&w->path, &w->walk, t->inst_count);
        ASSERT(w->in_segment > 0); /* the path was checked before */
    }
    w->in_segment--;
    inst = w->walk.inst++;
    *out = (struct warp_inst){.inst = inst, .mask = w->walk.mask};
    if (!out->mask || !t->insts[inst].width)
        return 0;
    number = w->shape->slot_of[st->shapes->before[inst]];
    if (number != SLOT_NONE)
        slot = &w->slots[number];
    got = next_access(slot, t->insts[inst].width, &w->program, out->mask, a, e);
    if (got > 0 && a->is_list)
        vtrace_place_lanes(a, out->mask, slot->distance);
    return got;
}

/* --- a CTA --- */

bool vtrace_stream_wants(const struct cta_decoding *d, uint32_t warps)
{
    uint64_t count = 0;

    ASSERT(warps > 0 && warps <= WARPS_MAX);
    for (uint32_t w = 0; w < warps; w++) {
        struct byte_cursor path = d->path[w];

        if (path.at)
            count += get_number(&path);
    }
    return cta_is_long(count, warps);
}

static struct vtrace_stream *stream_new(struct vtrace_source *s, uint32_t warps, struct err *e)
{
    struct vtrace_stream *st = mem_zalloc(1, sizeof *st, e);

    if (!st)
        return NULL;
    st->s = s;
    st->windows.next = next_inst;
    st->windows.rewind = rewind_warp;
    if (cta_windows_init(&st->windows, warps, e) == 0)
        return st;
    free(st);
    return NULL;
}

/* Reads the bases of the first executions of the warp's instructions. */
static int open_warp(struct vtrace_stream *st, struct cta_decoding *d, uint32_t warp, struct err *e)
{
    struct vtrace_model *m = &d->s->model;
    struct stream_warp *w = &st->warps[warp];

    w->shape = find_shape(st, d->path[warp], d->program[warp], e);
    if (!w->shape)
        return -1;
    w->slots = mem_zalloc(w->shape->order_count + 1, sizeof *w->slots, e);
    if (!w->slots)
        return -1;
    vtrace_model_begin_warp(m, warp);
    for (size_t i = 0; i < w->shape->order_count; i++) {
        struct vtrace_slot *slot = &m->slots[w->shape->order[i]];
        uint64_t base = vtrace_first(m, slot) + (uint64_t)unzigzag(zeros_get(&d->bases));

        vtrace_was_first(m, slot, base);
        w->slots[i].first = base;
    }
    return cta_windows_begin(&st->windows, warp, (uint32_t)w->shape->count, e);
}

int vtrace_stream_open(struct cta_decoding *d, const uint32_t id[3], struct loaded_block *block,
                       struct cta_trace **out, struct err *e)
{
    struct vtrace_source *s = d->s;
    uint32_t warps = kernel_warp_count(&s->source.info);
    struct vtrace_stream *st = stream_new(s, warps, e);
    int ret = 0;

    if (!s->streams)
        s->streams = st ? shapes_new(&s->kernel->table, e) : NULL;
    if (!st || !s->streams) {
        vtrace_stream_free(st ? &st->windows.store.trace : NULL);
        return -1;
    }
    st->shapes = s->streams;
    st->block = block;
    vtrace_block_keep(s->v, block);
    memcpy(st->windows.store.trace.id, id, sizeof st->windows.store.trace.id);
    for (uint32_t w = 0; ret == 0 && w < warps; w++)
        if (d->path[w].at)
            ret = open_warp(st, d, w, e);
    if (ret == 0 && (!zeros_over(&d->bases) || d->record.at != d->record.end))
        ret = vtrace_source_damaged(s, e, "the addresses of a CTA are damaged");
    if (ret == 0 && !st->own) { /* all data that is still needed is in dictionaries */
        vtrace_block_give(s->v, block);
        st->block = NULL;
    }
    if (ret < 0)
        vtrace_stream_free(&st->windows.store.trace);
    else
        *out = &st->windows.store.trace;
    return ret;
}

void vtrace_stream_free(struct cta_trace *cta)
{
    struct vtrace_stream *st = cta ? cta->opaque : NULL;

    if (!st)
        return;
    for (uint32_t w = 0; w < cta->warp_count; w++)
        if (st->warps[w].shape)
            slots_free(st->warps[w].slots, st->warps[w].shape->order_count);
    shapes_free(st->own);
    vtrace_block_give(st->s->v, st->block);
    cta_windows_release(&st->windows);
    free(st);
}
