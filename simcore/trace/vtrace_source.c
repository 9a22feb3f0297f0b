#include <inttypes.h>
#include <stdlib.h>

#include "base/array.h"
#include "simcore/trace/accel_sim_line.h"
#include "simcore/trace/vtrace_reader.h"

/* Where a CTA is: the directory of a launch. */
struct cta_place {
    uint32_t block, offset, bytes;
};

struct vtrace_source {
    struct inst_source source; /* first */
    struct vtrace *v;
    bool owns_file;
    size_t launch;
    const struct launch_row *row;
    struct loaded_kernel *kernel;
    struct loaded_block *block; /* of the last CTA */
    uint32_t block_index;
    struct cta_place *places;
    uint64_t *ids; /* linear numbers of the CTAs; NULL: they come in order */
    struct vtrace_fact *root_facts, *facts;
    size_t root_fact_count, fact_count;
    struct vtrace_model model;
    bool rooted;    /* the model knows the root's facts */
    size_t applied; /* and so many of `facts` */
    struct cta_pool pool;
    uint64_t next; /* CTA */
};

static int damaged(const struct vtrace_source *s, struct err *e, const char *what)
{
    vtrace_damaged(s->v, e, what);
    return err_wrap(e, "launch %zu", s->launch);
}

/* --- facts --- */

static void know(struct vtrace_source *s, size_t count)
{
    if (count < s->applied || !s->rooted) {
        vtrace_model_forget(&s->model);
        s->applied = 0;
        s->rooted = true;
        for (size_t i = 0; i < s->root_fact_count; i++)
            vtrace_model_learn(&s->model, &s->root_facts[i]);
    }
    for (; s->applied < count; s->applied++)
        vtrace_model_learn(&s->model, &s->facts[s->applied]);
}

/* --- addresses --- */

/* One CTA while it is decoded. */
struct decoding {
    struct vtrace_source *s;
    struct cta_store *cta;
    struct byte_cursor record;
    struct zeros_in bases;
    struct byte_cursor path[WARPS_MAX], program[WARPS_MAX]; /* of its warps; at NULL: empty */
};

static void place_lanes(struct address_set *a, uint32_t mask, const uint64_t *distance)
{
    uint64_t at = a->base;

    memset(a->lanes, 0, sizeof a->lanes);
    for (unsigned n = 0; mask; mask &= mask - 1) {
        a->lanes[__builtin_ctz(mask)] = at;
        at += distance[n++];
    }
}

static bool distances_before(const struct decoding *d, const struct lane_pattern *before, uint32_t mask,
                             uint64_t *out)
{
    struct lane_addresses a;

    if (__builtin_popcount(before->mask) != __builtin_popcount(mask))
        return false;
    cta_addresses(&d->cta->trace, before->address, &a);
    lane_distances(a.list, before->mask, out);
    return true;
}

/* The lane pattern that `op` says. */
static bool get_pattern(struct decoding *d, struct byte_cursor *c, uint64_t op, const struct lane_pattern *before,
                        uint32_t mask, struct address_set *a, uint64_t distance[WARP_LANES])
{
    unsigned n = (unsigned)__builtin_popcount(mask), shift;

    a->is_list = op >= OP_LIST || (op != OP_STRIDE && before->is_list);
    a->stride = 0;
    if (op == OP_STRIDE)
        a->stride = get_signed(c);
    else if (op < OP_LIST && !before->is_list)
        a->stride = before->stride;
    else if (op < OP_LIST)
        return distances_before(d, before, mask, distance);
    else {
        shift = (unsigned)op - OP_LIST;
        for (unsigned i = 0; i + 1 < n; i++)
            distance[i] = (uint64_t)get_signed(c) << shift;
    }
    return true;
}

static int decode_addresses(struct decoding *d, struct byte_cursor *c, uint32_t inst, uint32_t mask, uint32_t *row,
                            struct err *e)
{
    struct vtrace_model *m = &d->s->model;
    struct vtrace_slot *slot = &m->slots[inst];
    bool first = vtrace_is_first(m, slot);
    uint64_t op = get_below(c, OP_LIST + OP_LIST_SHIFTS), distance[WARP_LANES], off = 0;
    struct address_set a;

    *row = NO_ADDRESS;
    if (op == OP_NO_ADDRESS)
        return 0;
    if (first)
        slot->pattern = (struct lane_pattern){.stride = d->s->kernel->table.insts[inst].width};
    distance[WARP_LANES - 1] = 0;
    if ((first && op == OP_SAME) || !get_pattern(d, c, op, &slot->pattern, mask, &a, distance)) {
        c->wrong = true;
        return 0;
    }
    if (first)
        off = zeros_get(&d->bases);
    else if (op != OP_PREDICTED)
        off = get_number(c);
    a.base = (first ? vtrace_first(m, slot) : vtrace_next(slot)) + (uint64_t)unzigzag(off);
    if (first)
        vtrace_was_first(m, slot, a.base);
    else
        vtrace_was(slot, a.base);
    if (a.is_list)
        place_lanes(&a, mask, distance);
    if (cta_store_add_addresses(d->cta, &a, row, e) < 0)
        return -1;
    slot->pattern = (struct lane_pattern){a.is_list, a.stride, *row, mask};
    return 0;
}

/* --- a warp --- */

struct path_walk {
    uint32_t inst, mask, before;
    uint64_t left; /* instructions of the path */
};

/* The next segment's instructions; 0: the path is wrong. */
static uint64_t get_segment(struct byte_cursor *c, struct path_walk *p, size_t inst_count)
{
    uint64_t head = get_number(c), count = head >> SEGMENT_COUNT_SHIFT, x;
    int64_t inst = p->inst;
    uint32_t mask;

    if (head & SEGMENT_JUMP)
        inst = (int64_t)((uint64_t)inst + (uint64_t)get_signed(c));
    if (head & SEGMENT_MASK) {
        x = get_below(c, MASK_OTHER + (uint64_t)UINT32_MAX + 1);
        mask = x == MASK_ZERO ? 0 : x == MASK_BEFORE ? p->before : ~(uint32_t)(x - MASK_OTHER);
        p->before = p->mask;
        p->mask = mask;
    }
    if (c->wrong || inst < 0 || (uint64_t)inst >= inst_count || count > inst_count - (uint64_t)inst ||
        count > p->left)
        return 0;
    p->inst = (uint32_t)inst;
    p->left -= count;
    return count;
}

static int decode_warp(struct decoding *d, uint32_t warp, struct err *e)
{
    const struct static_table *t = &d->s->kernel->table;
    struct byte_cursor *path = &d->path[warp], *program = &d->program[warp];
    struct path_walk p = {.mask = UINT32_MAX};
    uint32_t row;

    p.left = get_number(path);
    vtrace_model_begin_warp(&d->s->model, warp);
    cta_store_begin_warp(d->cta, warp);
    while (p.left > 0 && !path->wrong) {
        uint64_t count = get_segment(path, &p, t->inst_count);

        if (count == 0)
            return damaged(d->s, e, "the path of a warp is damaged");
        for (; count > 0; count--, p.inst++) {
            row = NO_ADDRESS;
            if (p.mask && t->insts[p.inst].width && decode_addresses(d, program, p.inst, p.mask, &row, e) < 0)
                return -1;
            if (cta_store_add(d->cta, p.inst, p.mask, row, e) < 0)
                return -1;
        }
        if (program->wrong)
            break;
    }
    if (path->wrong || program->wrong || path->at != path->end || program->at != program->end)
        return damaged(d->s, e, "the path or the addresses of a warp are damaged");
    cta_store_end_warp(d->cta, warp);
    return 0;
}

/* --- a CTA --- */

/* Takes a reference from `c`; what stands in no dictionary is marked, and found by get_inline(). */
static void get_reference(struct decoding *d, struct byte_cursor *c, const struct dictionary *dictionary,
                          struct byte_cursor *out, bool *is_inline)
{
    uint64_t ref = get_number(c);

    *is_inline = ref == REF_INLINE;
    *out = (struct byte_cursor){0};
    if (ref < REF_DICTIONARY)
        return;
    *out = dictionary_entry(d->s->kernel, dictionary, ref - REF_DICTIONARY);
    if (!out->at)
        c->wrong = true;
}

static void get_inline(struct decoding *d, struct byte_cursor *out)
{
    uint64_t n = get_number(&d->record);
    const uint8_t *at = get_bytes(&d->record, n);

    *out = (struct byte_cursor){at, at ? at + n : at, false};
}

static int get_warps(struct decoding *d, uint32_t warps, struct err *e)
{
    const struct loaded_kernel *k = d->s->kernel;
    uint64_t shape = get_number(&d->record);
    bool path_here[WARPS_MAX], program_here[WARPS_MAX];
    struct byte_cursor entry = {0}, *c = &d->record;
    bool any = false;

    if (shape != REF_INLINE) {
        entry = shape >= REF_DICTIONARY ? dictionary_entry(k, &k->shapes, shape - REF_DICTIONARY) : entry;
        if (!entry.at)
            return damaged(d->s, e, "a CTA names a shape that is not there");
        c = &entry;
    }
    for (uint32_t w = 0; w < warps; w++) {
        get_reference(d, c, &k->paths, &d->path[w], &path_here[w]);
        program_here[w] = false;
        d->program[w] = (struct byte_cursor){0};
        if (path_here[w] || d->path[w].at)
            get_reference(d, c, &k->programs, &d->program[w], &program_here[w]);
        any |= path_here[w] || program_here[w];
    }
    if (c->wrong || (c == &entry && (any || c->at != c->end)))
        return damaged(d->s, e, "the shape of a CTA is damaged");
    for (uint32_t w = 0; w < warps; w++) {
        if (path_here[w])
            get_inline(d, &d->path[w]);
        if (program_here[w])
            get_inline(d, &d->program[w]);
    }
    return d->record.wrong ? damaged(d->s, e, "a CTA is damaged") : 0;
}

static int decode_cta(struct decoding *d, uint32_t warps, struct err *e)
{
    uint64_t known = get_below(&d->record, d->s->fact_count + 1);

    if (get_warps(d, warps, e) < 0)
        return -1;
    know(d->s, known);
    vtrace_model_begin_cta(&d->s->model, d->cta->trace.id);
    d->bases.c = &d->record;
    for (uint32_t w = 0; w < warps; w++)
        if (d->path[w].at && decode_warp(d, w, e) < 0)
            return -1;
    if (!zeros_over(&d->bases) || d->record.at != d->record.end)
        return damaged(d->s, e, "the addresses of a CTA are damaged");
    cta_store_finish(d->cta);
    return 0;
}

static void cta_id(const struct vtrace_source *s, uint64_t index, uint32_t id[3])
{
    const uint32_t *grid = s->source.info.grid;
    uint64_t linear = s->ids ? s->ids[index] : index;

    id[0] = (uint32_t)(linear % grid[0]);
    id[1] = (uint32_t)(linear / grid[0] % grid[1]);
    id[2] = (uint32_t)(linear / grid[0] / grid[1]);
}

static int next_cta(struct inst_source *source, struct cta_trace **out, struct err *e)
{
    struct vtrace_source *s = (struct vtrace_source *)source;
    const struct cta_place *at;
    struct decoding d = {.s = s};
    uint32_t warps = kernel_warp_count(&s->source.info);

    *out = NULL;
    if (s->next == s->row->launch.ctas)
        return 0;
    at = &s->places[s->next];
    if (!s->block || s->block_index != at->block) {
        vtrace_block_give(s->v, s->block);
        s->block = NULL;
        if (vtrace_block_take(s->v, BLOCK_CTAS, at->block, &s->block, e) < 0)
            return -1;
        s->block_index = at->block;
    }
    d.cta = cta_pool_take(&s->pool, warps, e);
    if (!d.cta)
        return -1;
    d.record =
        (struct byte_cursor){s->block->content + at->offset, s->block->content + at->offset + at->bytes, false};
    cta_id(s, s->next, d.cta->trace.id);
    if (decode_cta(&d, warps, e) < 0) {
        cta_pool_give(&s->pool, d.cta);
        return err_wrap(e, "CTA %" PRIu64, s->next);
    }
    d.cta->trace.index = s->next++;
    *out = &d.cta->trace;
    return 1;
}

/* --- the source --- */

static void release_cta(struct inst_source *source, struct cta_trace *cta)
{
    cta_pool_give(&((struct vtrace_source *)source)->pool, cta->opaque);
}

static void release(struct inst_source *source)
{
    struct vtrace_source *s = (struct vtrace_source *)source;

    if (s->block)
        vtrace_block_give(s->v, s->block);
    if (s->kernel)
        vtrace_kernel_give(s->v, s->kernel);
    cta_pool_release(&s->pool);
    vtrace_model_release(&s->model);
    free(s->places);
    free(s->ids);
    free(s->root_facts);
    free(s->facts);
    kernel_info_release(&s->source.info);
    if (s->owns_file)
        vtrace_close(s->v);
    free(s);
}

static const struct inst_source_ops vtrace_ops = {"vtrace", next_cta, release_cta, release};

/* Directory lines: bytes, and whether the CTA begins a block. */
static int get_places(struct vtrace_source *s, struct byte_cursor *c, struct err *e)
{
    const struct vtrace *v = s->v;
    uint64_t block = s->row->ctas.block, offset = s->row->ctas.offset, ctas = s->row->launch.ctas;

    if (ctas > (uint64_t)(c->end - c->at))
        return damaged(s, e, "its directory is cut short");
    s->places = mem_zalloc(ctas + 1, sizeof *s->places, e);
    if (!s->places)
        return -1;
    for (uint64_t i = 0; i < ctas; i++) {
        uint64_t x = get_number(c), bytes = x >> 1;

        if (x & 1) {
            block++;
            offset = 0;
        }
        if (c->wrong || block >= v->kind_count[BLOCK_CTAS] ||
            bytes > v->blocks[v->of_kind[BLOCK_CTAS][block]].raw_bytes - offset)
            return damaged(s, e, "a CTA lies outside of the blocks");
        s->places[i] = (struct cta_place){(uint32_t)block, (uint32_t)offset, (uint32_t)bytes};
        offset += bytes;
    }
    return 0;
}

static int get_ids(struct vtrace_source *s, struct byte_cursor *c, struct err *e)
{
    struct zeros_in z = {.c = c};
    uint64_t expected = 0, ctas = s->row->launch.ctas, most = kernel_cta_count(&s->source.info);
    struct byte_cursor again = *c;

    if (get_number(&again) == ctas) { /* all in order */
        *c = again;
        return 0;
    }
    s->ids = mem_zalloc(ctas + 1, sizeof *s->ids, e);
    if (!s->ids)
        return -1;
    for (uint64_t i = 0; i < ctas; i++) {
        s->ids[i] = expected + (uint64_t)unzigzag(zeros_get(&z));
        expected = s->ids[i] + 1;
        if (s->ids[i] >= most)
            c->wrong = true;
    }
    return zeros_over(&z) ? 0 : damaged(s, e, "the places of its CTAs in the grid are damaged");
}

static int load_facts(struct vtrace_source *s, const struct launch_row *row, struct loaded_block **b,
                      struct byte_cursor *c, struct vtrace_fact **facts, size_t *count, struct err *e)
{
    if (vtrace_block_take(s->v, BLOCK_LAUNCHES, row->record.block, b, e) < 0)
        return -1;
    *c = block_cursor(*b, row->record.offset);
    if (get_facts(c, s->kernel->table.inst_count, facts, count, e) == 0)
        return 0;
    vtrace_block_give(s->v, *b);
    return err_wrap(e, "%s: launch %zu", s->v->name, s->launch);
}

static int load_record(struct vtrace_source *s, struct err *e)
{
    struct loaded_block *b;
    struct byte_cursor c;
    int ret;

    if (s->row->root) {
        if (load_facts(s, &s->v->launches[s->row->root - 1], &b, &c, &s->root_facts, &s->root_fact_count, e) < 0)
            return -1;
        vtrace_block_give(s->v, b);
    }
    if (load_facts(s, s->row, &b, &c, &s->facts, &s->fact_count, e) < 0)
        return -1;
    ret = get_places(s, &c, e) < 0 ? -1 : get_ids(s, &c, e);
    vtrace_block_give(s->v, b);
    return ret;
}

static int start(struct vtrace_source *s, struct err *e)
{
    struct kernel_info *info = &s->source.info;

    s->row = &s->v->launches[s->launch];
    *info = s->row->launch.info;
    info->name = mem_strdup(info->name, e);
    if (!info->name || vtrace_kernel_take(s->v, s->row->kernel, &s->kernel, e) < 0)
        return -1;
    s->source.insts = s->kernel->table.insts;
    s->source.inst_count = s->kernel->table.inst_count;
    s->source.opcodes = (const char *const *)s->kernel->table.opcodes;
    s->source.opcode_count = s->kernel->table.opcode_count;
    s->source.repairs = s->row->launch.repairs;
    return vtrace_model_reserve(&s->model, s->kernel->table.inst_count, e) < 0 ? -1 : load_record(s, e);
}

/* Takes over the file where it is to be owned, also on failure. */
static int source_new(struct vtrace *v, size_t launch, bool owns_file, struct inst_source **out, struct err *e)
{
    struct vtrace_source *s;

    s = mem_zalloc(1, sizeof *s, e);
    if (!s) {
        if (owns_file)
            vtrace_close(v);
        return -1;
    }
    s->source.ops = &vtrace_ops;
    s->v = v;
    s->owns_file = owns_file;
    s->launch = launch;
    if (launch >= v->launch_count)
        err_set(e, ERR_NOT_FOUND, "%s has no launch %zu: it holds %zu", v->name, launch, v->launch_count);
    if (launch >= v->launch_count || start(s, e) < 0) {
        release(&s->source);
        return -1;
    }
    *out = &s->source;
    return 0;
}

int vtrace_source(struct vtrace *v, size_t launch, struct inst_source **out, struct err *e)
{
    *out = NULL;
    return source_new(v, launch, false, out, e);
}

int vtrace_source_path(const char *path, size_t launch, struct inst_source **out, struct err *e)
{
    struct vtrace *v;

    *out = NULL;
    return vtrace_open(path, &v, e) < 0 ? -1 : source_new(v, launch, true, out, e);
}

int vtrace_seek_cta(struct inst_source *source, uint64_t index, struct err *e)
{
    struct vtrace_source *s = (struct vtrace_source *)source;

    if (source->ops != &vtrace_ops)
        return err_set(e, ERR_INVALID, "only .vtrace files reach any CTA; this is read by %s", source->ops->name);
    if (index >= s->row->launch.ctas)
        return err_set(e, ERR_NOT_FOUND, "%s: launch %zu has no CTA %" PRIu64 ": it holds %" PRIu64, s->v->name,
                       s->launch, index, s->row->launch.ctas);
    s->next = index;
    return 0;
}
