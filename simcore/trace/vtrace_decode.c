#include "simcore/trace/vtrace_decode.h"

/* --- facts --- */

static void know(struct vtrace_source *s, size_t count)
{
    ASSERT(count <= s->fact_count);
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

static bool distances_before(const struct cta_decoding *d, const struct lane_pattern *before, uint32_t mask,
                             uint64_t *out)
{
    struct lane_addresses a;

    if (__builtin_popcount(before->mask) != __builtin_popcount(mask))
        return false;
    ASSERT_HOT(before->mask != 0);
    cta_addresses(&d->cta->trace, before->address, &a);
    lane_distances(a.list, before->mask, out);
    return true;
}

static int decode_addresses(struct cta_decoding *d, struct byte_cursor *c, uint32_t inst, uint32_t mask,
                            uint32_t *row, struct err *e)
{
    struct vtrace_model *m = &d->s->model;
    struct vtrace_slot *slot = &m->slots[inst];
    bool first = vtrace_is_first(m, slot);
    uint64_t op = get_below(c, OP_LIST + OP_LIST_SHIFTS), distance[WARP_LANES], off = 0;
    struct address_set a;

    ASSERT_HOT(inst < m->count && mask != 0);
    *row = NO_ADDRESS;
    if (op == OP_NO_ADDRESS)
        return 0;
    if (first)
        slot->pattern = (struct lane_pattern){.stride = d->s->kernel->table.insts[inst].width};
    distance[WARP_LANES - 1] = 0;
    if ((first && op == OP_SAME) ||
        (vtrace_get_pattern(c, op, slot->pattern.is_list, slot->pattern.stride, mask, &a, distance) &&
         !distances_before(d, &slot->pattern, mask, distance))) {
        c->wrong = true;
        return 0;
    }
    if (first)
        off = zeros_get(&d->bases);
    else if (op != OP_PREDICTED)
        off = get_number(c);
    a.base = (first ? vtrace_first(m, slot) : vtrace_next(&slot->steps)) + (uint64_t)unzigzag(off);
    if (first)
        vtrace_was_first(m, slot, a.base);
    else
        vtrace_was(&slot->steps, a.base);
    if (a.is_list)
        vtrace_place_lanes(&a, mask, distance);
    if (cta_store_add_addresses(d->cta, &a, row, e) < 0)
        return -1;
    slot->pattern = (struct lane_pattern){a.is_list, a.stride, *row, mask};
    return 0;
}

/* --- a warp --- */

static int decode_warp(struct cta_decoding *d, uint32_t warp, struct err *e)
{
    const struct static_table *t = &d->s->kernel->table;
    struct byte_cursor *path = &d->path[warp], *program = &d->program[warp];
    struct path_walk p = {.mask = UINT32_MAX};
    uint32_t row;

    ASSERT(warp < WARPS_MAX);
    p.left = get_number(path);
    vtrace_model_begin_warp(&d->s->model, warp);
    cta_store_begin_warp(d->cta, warp);
    while (p.left > 0 && !path->wrong) {
        uint64_t count = vtrace_get_segment(path, &p, t->inst_count);

        if (count == 0)
            return vtrace_source_damaged(d->s, e, "the path of a warp is damaged");
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
        return vtrace_source_damaged(d->s, e, "the path or the addresses of a warp are damaged");
    cta_store_end_warp(d->cta, warp);
    return 0;
}

/* --- a CTA --- */

/* Reads a reference from `c`. Marks entries that are not in a dictionary; get_inline() reads them. */
static void get_reference(struct cta_decoding *d, struct byte_cursor *c, const struct dictionary *dictionary,
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

static void get_inline(struct cta_decoding *d, struct byte_cursor *out)
{
    uint64_t n = get_number(&d->record);
    const uint8_t *at = get_bytes(&d->record, n);

    *out = (struct byte_cursor){at, at ? at + n : at, false};
}

int vtrace_get_warps(struct cta_decoding *d, uint32_t warps, struct err *e)
{
    const struct loaded_kernel *k = d->s->kernel;
    uint64_t shape = get_number(&d->record);
    bool path_here[WARPS_MAX], program_here[WARPS_MAX];
    struct byte_cursor entry = {0}, *c = &d->record;
    bool any = false;

    ASSERT(warps <= WARPS_MAX);
    if (shape != REF_INLINE) {
        entry = shape >= REF_DICTIONARY ? dictionary_entry(k, &k->shapes, shape - REF_DICTIONARY) : entry;
        if (!entry.at)
            return vtrace_source_damaged(d->s, e, "a CTA refers to a missing shape");
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
        return vtrace_source_damaged(d->s, e, "the shape of a CTA is damaged");
    for (uint32_t w = 0; w < warps; w++) {
        if (path_here[w])
            get_inline(d, &d->path[w]);
        if (program_here[w])
            get_inline(d, &d->program[w]);
    }
    return d->record.wrong ? vtrace_source_damaged(d->s, e, "a CTA is damaged") : 0;
}

static int decode_whole(struct cta_decoding *d, const uint32_t id[3], uint32_t warps, struct err *e)
{
    d->cta = cta_pool_take(&d->s->pool, warps, e);
    if (!d->cta)
        return -1;
    memcpy(d->cta->trace.id, id, sizeof d->cta->trace.id);
    for (uint32_t w = 0; w < warps; w++)
        if (d->path[w].at && decode_warp(d, w, e) < 0)
            return -1;
    if (!zeros_over(&d->bases) || d->record.at != d->record.end)
        return vtrace_source_damaged(d->s, e, "the addresses of a CTA are damaged");
    cta_store_finish(d->cta);
    return 0;
}

int vtrace_decode_cta(struct vtrace_source *s, const uint32_t id[3], struct byte_cursor record,
                      struct cta_trace **out, struct err *e)
{
    struct cta_decoding d = {.s = s, .record = record};
    uint64_t known = get_below(&d.record, s->fact_count + 1);
    uint32_t warps = kernel_warp_count(&s->source.info);

    if (vtrace_get_warps(&d, warps, e) < 0)
        return -1;
    know(s, known);
    vtrace_model_begin_cta(&s->model, id);
    d.bases.c = &d.record;
    if (s->source.windowed && vtrace_stream_wants(&d, warps))
        return vtrace_stream_open(&d, id, s->block, out, e);
    if (decode_whole(&d, id, warps, e) < 0) {
        if (d.cta)
            cta_pool_give(&s->pool, d.cta);
        return -1;
    }
    *out = &d.cta->trace;
    return 0;
}

/* --- the work of a CTA, without its addresses --- */

static int count_path(struct cta_decoding *d, struct byte_cursor path, const struct survey_signs *signs,
                      struct cta_work *out, struct err *e)
{
    struct path_walk p = {.mask = UINT32_MAX};

    p.left = get_number(&path);
    while (p.left > 0) {
        uint64_t count = vtrace_get_segment(&path, &p, d->s->kernel->table.inst_count);

        if (count == 0)
            return vtrace_source_damaged(d->s, e, "the path of a warp is damaged");
        survey_add(out, signs, p.inst, count, p.mask);
        p.inst += (uint32_t)count;
    }
    return path.wrong ? vtrace_source_damaged(d->s, e, "the path of a warp is damaged") : 0;
}

int vtrace_count_cta(struct vtrace_source *s, struct byte_cursor record, uint32_t warps,
                     const struct survey_signs *signs, struct cta_work *known, struct cta_work *out, struct err *e)
{
    struct cta_decoding d = {.s = s, .record = record};
    struct byte_cursor shape;
    uint64_t ref;

    (void)get_below(&d.record, s->fact_count + 1);
    shape = d.record;
    ref = get_number(&shape);
    known = ref >= REF_DICTIONARY && ref - REF_DICTIONARY < s->kernel->shapes.count ? &known[ref - REF_DICTIONARY]
                                                                                    : NULL;
    *out = (struct cta_work){0};
    if (known && known->instructions)
        *out = *known;
    if (out->instructions)
        return 0;
    if (vtrace_get_warps(&d, warps, e) < 0)
        return -1;
    for (uint32_t w = 0; w < warps; w++)
        if (d.path[w].at && count_path(&d, d.path[w], signs, out, e) < 0)
            return -1;
    if (known)
        *known = *out;
    return 0;
}
