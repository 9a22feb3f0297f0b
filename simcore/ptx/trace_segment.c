/* simcore/ptx/trace_segment.c: executed ops to executed machine instructions: a warp's segment under way, with its
 * lanes and addresses. */
#include "base/array.h"
#include "simcore/ptx/trace_log.h"

#define NO_MORE UINT32_MAX

/* All of a segment by the same lanes: its instructions follow one another in the table. */
static int add_whole(struct ptx_trace_log *t, const struct ptx_segment_log *s, struct ptx_warp_log *w)
{
    const struct ptx_segment *segment = s->segment;
    const struct ptx_access_place *place = s->function->accesses + segment->access_first;
    uint32_t count = s->last_mask != s->mask ? segment->count - segment->last_count : segment->count;
    uint32_t row = (uint32_t)w->row_count, before = row;

    if (ptx_warp_log_reserve(w, 2, segment->access_count, &t->fault))
        return -1;
    for (uint32_t k = 0; k < segment->access_count; k++, place++) {
        const struct ptx_op_log *op = &s->ops[place->op];

        w->rows[w->row_count++] = op->serial == s->serial ? op->row : NO_ADDRESS;
        before += place->machine < count;
    }
    if (count)
        w->runs[w->run_count++] = (struct warp_run){segment->inst, count, s->mask, row};
    if (count < segment->count)
        w->runs[w->run_count++] =
            (struct warp_run){segment->inst + count, segment->count - count, s->last_mask, before};
    w->count += segment->count;
    return 0;
}

/* A machine instruction that accesses memory, once for each access of its op. */
static int add_access(struct ptx_trace_log *t, const struct ptx_cta_segments *c, struct ptx_warp_log *w,
                      uint32_t inst, const struct ptx_op_log *op)
{
    if (ptx_warp_log_add(w, t->table.insts, inst, op->mask, op->row, &t->fault))
        return -1;
    for (uint32_t k = op->more; k != NO_MORE; k = c->more[k].more)
        if (ptx_warp_log_add(w, t->table.insts, inst, c->more[k].mask, c->more[k].row, &t->fault))
            return -1;
    return 0;
}

/* What the segment has come to, op by op. */
static int add_parts(struct ptx_trace_log *t, const struct ptx_cta_segments *c, const struct ptx_segment_log *s,
                     struct ptx_warp_log *w)
{
    const struct ptx_segment *segment = s->segment;
    const struct ptx_machine *m = &s->function->machine[segment->first];
    uint32_t first = s->first - segment->first_op, next = s->next - segment->first_op;

    for (uint32_t k = 0; k < segment->count; k++) {
        const struct ptx_op_log *op = &s->ops[m[k].op];
        int ret;

        if (m[k].op < first || m[k].op >= next)
            continue;
        if (!m[k].accesses || op->row == NO_ADDRESS)
            ret = ptx_warp_log_add(w, t->table.insts, m[k].inst, op->mask, NO_ADDRESS, &t->fault);
        else
            ret = add_access(t, c, w, m[k].inst, op);
        if (ret)
            return -1;
    }
    return 0;
}

/* Its ops are not all executed by the same lanes: each has a record from now on. */
static void set_uneven(struct ptx_segment_log *s)
{
    uint32_t first = s->segment->first_op;

    s->even = false;
    for (uint32_t op = s->first; op < s->next; op++)
        if (s->ops[op - first].serial != s->serial)
            s->ops[op - first] = (struct ptx_op_log){.mask = op + 1 == s->end ? s->last_mask : s->mask,
                                                     .row = NO_ADDRESS,
                                                     .more = NO_MORE,
                                                     .serial = s->serial};
}

static bool find_function(struct ptx_trace_log *t, struct ptx_segment_log *s, const struct ptx_code *code)
{
    if (s->code != code) {
        s->function = ptx_trace_log_function(t, code);
        s->code = s->function ? code : NULL;
    }
    return s->function;
}

/* With `op`; or, where the begin is guessed from an access of it, at the segment's first. */
static inline void begin_segment(struct ptx_segment_log *s, uint32_t op, uint32_t mask, bool guessed)
{
    const struct ptx_segment *segment = &s->function->segments[s->function->segment_of[op]];

    s->segment = segment;
    s->first = s->next = guessed ? segment->first_op : op;
    s->end = segment->first_op + segment->op_count;
    s->mask = s->last_mask = mask;
    s->even = true;
    s->guessed = guessed;
    s->serial++;
}

/* What the warp's segment under way has come to is finished; it goes on elsewhere, with these lanes. `code` NULL:
 * nowhere. False: it does not. */
static __attribute__((noinline)) bool turn_to(struct ptx_trace_log *t, uint32_t warp, const struct ptx_code *code,
                                              uint32_t op, uint32_t mask, bool guessed)
{
    struct ptx_cta_log *c = t->current;
    struct ptx_segment_log *s = &c->segments->warps[warp];
    struct ptx_warp_log *w = &c->warps[warp];
    int ret = 0;

    if (s->segment && s->even && s->first == s->segment->first_op && s->next == s->end) { /* mostly */
        ret = add_whole(t, s, w);
    } else if (s->segment) {
        if (s->even)
            set_uneven(s);
        ret = add_parts(t, c->segments, s, w);
    }
    t->failed = t->failed || ret;
    s->segment = NULL;
    if (t->failed || !code || !find_function(t, s, code))
        return false;
    begin_segment(s, op, mask, guessed);
    return true;
}

void ptx_trace_conclude(struct ptx_trace_log *t, uint32_t warp)
{
    (void)turn_to(t, warp, NULL, 0, 0, false);
}

/* Ops of the segment under way, from `next` on. */
static void add_ops(struct ptx_segment_log *s, uint32_t count, uint32_t mask)
{
    uint32_t first = s->next, base = s->segment->first_op;
    bool last = count == 1 && first + 1 == s->end &&
                (s->ops[first - base].serial != s->serial || s->ops[first - base].mask == mask);

    if (s->even && last)
        s->last_mask = mask;
    else if (s->even && mask != s->mask)
        set_uneven(s); /* those so far */
    s->next += count;  /* at the segment's end, too: its addresses are still to be told */
    if (s->even)
        return;
    for (uint32_t op = first; op < s->next; op++)
        if (s->ops[op - base].serial != s->serial) /* else it has addresses already */
            s->ops[op - base] = (struct ptx_op_log){mask, NO_ADDRESS, NO_MORE, s->serial};
}

/* Ops of any number of segments, all by the same lanes. */
static void add_any(struct ptx_trace_log *t, uint32_t warp, const struct ptx_code *code, uint32_t first,
                    uint32_t count, uint32_t mask)
{
    struct ptx_segment_log *s = &t->current->segments->warps[warp];

    while (count) {
        uint32_t some;

        if (!s->segment || first != s->next || first == s->end || s->code != code) {
            if (!turn_to(t, warp, code, first, mask, false))
                return;
        }
        some = s->end - first < count ? s->end - first : count;
        add_ops(s, some, mask);
        first += some;
        count -= some;
    }
}

/* These lanes execute the ops of a segment that has begun with an access. */
static void settle(struct ptx_segment_log *s, uint32_t mask)
{
    s->guessed = false;
    if (mask == s->mask)
        return;
    if (s->even)
        set_uneven(s);
    s->mask = s->last_mask = mask;
}

/* Has the segment's last op told of its addresses already? */
static bool last_is_told(const struct ptx_segment_log *s)
{
    return s->ops[s->end - 1 - s->segment->first_op].serial == s->serial;
}

void ptx_trace_ran(void *ctx, uint32_t warp, const struct ptx_code *code, uint32_t first, uint32_t count,
                   uint32_t mask, uint32_t last_mask)
{
    struct ptx_trace_log *t = ctx;
    struct ptx_segment_log *s;

    if (t->off || t->failed)
        return;
    s = &t->current->segments->warps[warp];
    if (!s->segment || first != s->next || first == s->end || s->code != code) {
        if (!turn_to(t, warp, code, first, count == 1 ? last_mask : mask, false))
            return;
    } else if (s->guessed) {
        settle(s, count == 1 ? last_mask : mask);
    }
    if (s->even && mask == s->mask && count <= s->end - first &&
        (mask == last_mask || (first + count == s->end && !last_is_told(s)))) { /* nearly always */
        s->next += count;
        s->last_mask = last_mask;
    } else if (mask == last_mask || count == 1) {
        add_any(t, warp, code, first, count, last_mask);
    } else {
        add_any(t, warp, code, first, count - 1, mask);
        add_any(t, warp, code, first + count - 1, 1, last_mask);
    }
}

/* --- addresses --- */

/* What is added to an address to make it a generic one, where the instruction has one. */
static uint64_t window_base(uint8_t accessing, enum ptx_space space)
{
    if (accessing != PTX_ACCESSES_GENERIC)
        return 0;
    return space == PTX_SPACE_SHARED ? PTX_SHARED_BASE : space == PTX_SPACE_LOCAL ? PTX_LOCAL_BASE : 0;
}

static int add_more(struct ptx_trace_log *t, struct ptx_segment_log *s, struct ptx_op_log *op, uint32_t mask,
                    uint32_t row)
{
    struct ptx_cta_segments *c = t->current->segments;

    if (array_reserve((void **)&c->more, &c->more_capacity, c->more_count + 1, sizeof *c->more, &t->fault))
        return -1;
    c->more[c->more_count] = (struct ptx_op_log){mask, row, op->more, s->serial};
    op->more = (uint32_t)c->more_count++;
    if (s->even)
        set_uneven(s);
    return 0;
}

/* An op that has not been told yet is expected to be as those before it. */
static int log_access(struct ptx_trace_log *t, struct ptx_segment_log *s, uint32_t number, uint32_t mask,
                      uint32_t row)
{
    struct ptx_op_log *op = &s->ops[number - s->segment->first_op];

    if (op->serial != s->serial) {
        *op = (struct ptx_op_log){mask, row, NO_MORE, s->serial};
        if (s->even && mask != (number + 1 == s->end && s->next == s->end ? s->last_mask : s->mask))
            set_uneven(s);
        return 0;
    }
    if (op->row != NO_ADDRESS)
        return add_more(t, s, op, mask, row);
    op->row = row;
    op->mask = mask;
    return 0;
}

/* Does a machine instruction have these addresses of the op? */
static bool is_access(uint8_t accessing, const struct ptx_touched *a)
{
    switch (accessing) {
    case PTX_ACCESSES_NONE: return false;
    case PTX_ACCESSES_FIELDS: return a->fields;
    case PTX_ACCESSES_SOURCE: return !a->fields && a->space == PTX_SPACE_GLOBAL;
    default: return !a->fields;
    }
}

/* Is it of the segment under way? When all ops of that have been told, the access of the last one may still come,
 * and that of an op that has been told before it was executed; any other is of the next round. */
static bool is_under_way(const struct ptx_segment_log *s, const struct ptx_touched *a)
{
    return s->segment && s->code == a->code && a->op >= s->first && a->op < s->end &&
           (s->next != s->end || a->op + 1 == s->end || a->code->ops[a->op].tells == PTX_TELLS);
}

void ptx_trace_memory(void *ctx, uint32_t warp, const struct ptx_touched *a)
{
    struct ptx_trace_log *t = ctx;
    struct ptx_segment_log *s;
    uint8_t accessing;
    uint32_t row;

    if (t->off || t->failed || !a->mask)
        return;
    s = &t->current->segments->warps[warp];
    /* Else it is the first that is told of a segment; ops that change the flow are told before their accesses. */
    if (!is_under_way(s, a) &&
        (a->code->ops[a->op].tells == PTX_TELLS || !turn_to(t, warp, a->code, a->op, a->mask, true)))
        return;
    accessing = s->function->accessing[a->op];
    if (!is_access(accessing, a))
        return;
    if (ptx_cta_log_add_access(t->current, s->function->first_op + a->op, a, window_base(accessing, a->space), &row,
                               &t->fault) ||
        log_access(t, s, a->op, a->mask, row))
        t->failed = true;
}
