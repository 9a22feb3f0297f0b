/* ptx/trace/trace_segment.c: executed ops to executed machine instructions: a warp's segment under way, with its
 * lanes and addresses. */
#include "base/array.h"
#include "ptx/trace/trace_log.h"

#define NO_MORE UINT32_MAX

/* Where other lanes execute the last op, its instructions must not stand among those of the others. */
static inline bool fits_whole(const struct ptx_segment *segment, uint32_t mask, uint32_t last_mask)
{
    return mask == last_mask || segment->last_together;
}

/* All of a segment by the same lanes, but for its last op: its instructions follow one another in the table, its
 * rows stand there. */
static inline void add_whole(struct ptx_warp_log *w, const struct ptx_segment *segment, uint32_t mask,
                             uint32_t last_mask)
{
    uint32_t count = last_mask != mask ? segment->count - segment->last_count : segment->count;
    uint32_t row = (uint32_t)w->row_count;

    if (count)
        w->runs[w->run_count++] = (struct warp_run){segment->inst, count, mask, row};
    if (count < segment->count)
        w->runs[w->run_count++] = (struct warp_run){segment->inst + count, segment->count - count, last_mask,
                                                    row + segment->access_before};
    w->row_count += segment->access_count;
    w->count += segment->count;
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

/* If `even`: who has executed op `op`, or accessed memory for it. */
static uint32_t mask_of(const struct ptx_segment_log *s, uint32_t op)
{
    return op + 1 == s->end && s->next == s->end ? s->last_mask : s->mask;
}

/* Its ops are not all executed by the same lanes: each has a record from now on. */
static void set_uneven(struct ptx_segment_log *s, const struct ptx_warp_log *w)
{
    const uint32_t first = s->segment->first_op, *op = s->function->accesses + s->segment->access_first;
    const uint32_t *rows = w->rows + w->row_count;

    s->even = false;
    for (uint32_t k = 0; k < s->segment->access_count; k++)
        if (rows[k] != NO_ADDRESS)
            s->ops[op[k]] = (struct ptx_op_log){mask_of(s, first + op[k]), rows[k], NO_MORE, s->serial};
    for (uint32_t k = s->first; k < s->next; k++)
        if (s->ops[k - first].serial != s->serial)
            s->ops[k - first] = (struct ptx_op_log){mask_of(s, k), NO_ADDRESS, NO_MORE, s->serial};
}

static bool find_function(struct ptx_trace_log *t, struct ptx_segment_log *s, const struct ptx_code *code)
{
    s->function = ptx_trace_log_function(t, code);
    s->code = s->function ? code : NULL;
    return s->function;
}

/* What the warp's segment under way has come to is finished. */
static inline void finish(struct ptx_trace_log *t, struct ptx_segment_log *s, struct ptx_warp_log *w)
{
    if (!s->segment)
        return;
    if (s->even && s->next == s->end && s->first == s->segment->first_op &&
        fits_whole(s->segment, s->mask, s->last_mask)) { /* mostly */
        add_whole(w, s->segment, s->mask, s->last_mask);
    } else {
        if (s->even)
            set_uneven(s, w);
        if (add_parts(t, t->current->segments, s, w))
            t->failed = true;
    }
    s->segment = NULL;
}

/* Rows or runs of a warp from which on its CTA is filed, where it may be: then it takes 24 MiB, or 150 where all
 * its lanes are scattered. */
enum { FILED_FROM = 16384 };

static int make_room(struct ptx_trace_log *t, struct ptx_warp_log *w, size_t rows)
{
    if (t->files && (w->run_count >= FILED_FROM || w->row_count >= FILED_FROM) && ptx_trace_file(t))
        return -1;
    return ptx_warp_log_reserve(w, 2, rows, &t->fault);
}

/* The same, and the warp goes on with op `op` of this code, in the segment that is the answer; NULL: it does not.
 */
static inline __attribute__((always_inline)) const struct ptx_segment *
turn_to(struct ptx_trace_log *t, struct ptx_segment_log *s, struct ptx_warp_log *w, const struct ptx_code *code,
        uint32_t op)
{
    const struct ptx_segment *segment;

    finish(t, s, w);
    if (t->failed || (s->code != code && !find_function(t, s, code)))
        return NULL;
    segment = &s->function->segments[s->function->segment_of[op]];
    if (ptx_warp_log_has_room(w, 2, segment->access_count) || make_room(t, w, segment->access_count) == 0)
        return segment;
    t->failed = true;
    return NULL;
}

/* With `op`, by these lanes. */
static inline void begin(struct ptx_segment_log *s, struct ptx_warp_log *w, const struct ptx_segment *segment,
                         uint32_t op, uint32_t mask)
{
    for (uint32_t k = 0; k < segment->access_count; k++)
        w->rows[w->row_count + k] = NO_ADDRESS;
    s->segment = segment;
    s->first = s->next = op;
    s->end = segment->first_op + segment->op_count;
    s->mask = s->last_mask = mask;
    s->even = true;
    s->guessed = false;
    s->serial++;
}

void ptx_trace_conclude(struct ptx_trace_log *t, uint32_t warp)
{
    finish(t, &t->current->segments->warps[warp], &t->current->warps[warp]);
}

/* If `even`: have the addresses of its last op come already? */
static bool last_is_reported(const struct ptx_segment_log *s, const struct ptx_warp_log *w)
{
    return s->segment->last_access != NO_ACCESS && w->rows[w->row_count + s->segment->last_access] != NO_ADDRESS;
}

/* Ops of the segment under way, from `next` on. */
static void add_ops(struct ptx_segment_log *s, const struct ptx_warp_log *w, uint32_t count, uint32_t mask)
{
    uint32_t first = s->next, base = s->segment->first_op;

    if (s->even && mask != s->mask) {
        if (count == 1 && first + 1 == s->end && !last_is_reported(s, w))
            s->last_mask = mask;
        else
            set_uneven(s, w); /* those so far */
    }
    s->next += count; /* at the segment's end, too: its addresses are still to be reported */
    if (s->even)
        return;
    for (uint32_t op = first; op < s->next; op++)
        if (s->ops[op - base].serial != s->serial) /* else it has addresses already */
            s->ops[op - base] = (struct ptx_op_log){mask, NO_ADDRESS, NO_MORE, s->serial};
}

/* Are the ops from `first` on the next ones of the segment under way? */
static bool goes_on(const struct ptx_segment_log *s, const struct ptx_code *code, uint32_t first)
{
    return s->segment && first == s->next && first != s->end && s->code == code;
}

/* Ops of any number of segments, all by the same lanes. */
static void add_any(struct ptx_trace_log *t, uint32_t warp, const struct ptx_code *code, uint32_t first,
                    uint32_t count, uint32_t mask)
{
    struct ptx_segment_log *s = &t->current->segments->warps[warp];
    struct ptx_warp_log *w = &t->current->warps[warp];

    while (count) {
        uint32_t some;

        if (!goes_on(s, code, first)) {
            const struct ptx_segment *segment = turn_to(t, s, w, code, first);

            if (!segment)
                return;
            begin(s, w, segment, first, mask);
        }
        some = s->end - first < count ? s->end - first : count;
        add_ops(s, w, some, mask);
        first += some;
        count -= some;
    }
}

/* These lanes execute the ops of a segment that has begun with an access. */
static void settle(struct ptx_segment_log *s, const struct ptx_warp_log *w, uint32_t mask)
{
    s->guessed = false;
    if (mask == s->mask)
        return;
    if (s->even)
        set_uneven(s, w);
    s->mask = s->last_mask = mask;
}

void ptx_trace_ran(void *ctx, uint32_t warp, const struct ptx_code *code, uint32_t first, uint32_t count,
                   uint32_t mask, uint32_t last_mask)
{
    struct ptx_trace_log *t = ctx;
    struct ptx_segment_log *s;
    struct ptx_warp_log *w;

    if (t->off || t->failed)
        return;
    s = &t->current->segments->warps[warp];
    w = &t->current->warps[warp];
    if (!goes_on(s, code, first)) {
        const struct ptx_segment *segment = turn_to(t, s, w, code, first);

        if (!segment)
            return;
        mask = count == 1 ? last_mask : mask;
        if (!segment->access_count && first == segment->first_op && count == segment->op_count &&
            fits_whole(segment, mask, last_mask)) {
            add_whole(w, segment, mask, last_mask); /* all of it is known */
            return;
        }
        begin(s, w, segment, first, mask);
    } else if (s->guessed) {
        settle(s, w, count == 1 ? last_mask : mask);
    }
    if (s->even && mask == s->mask && count <= s->end - first &&
        (mask == last_mask || (first + count == s->end && !last_is_reported(s, w)))) { /* nearly always */
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

static int add_more(struct ptx_trace_log *t, const struct ptx_segment_log *s, struct ptx_op_log *op, uint32_t mask,
                    uint32_t row)
{
    struct ptx_cta_segments *c = t->current->segments;

    if (array_reserve((void **)&c->more, &c->more_capacity, c->more_count + 1, sizeof *c->more, &t->fault))
        return -1;
    c->more[c->more_count] = (struct ptx_op_log){mask, row, op->more, s->serial};
    op->more = (uint32_t)c->more_count++;
    return 0;
}

/* An op that has not been reported yet is expected to be as those before it. */
static inline int log_access(struct ptx_trace_log *t, struct ptx_segment_log *s, struct ptx_warp_log *w,
                             uint32_t number, uint32_t mask, uint32_t row)
{
    struct ptx_op_log *op;

    if (s->even) {
        uint32_t *place = &w->rows[w->row_count + s->function->access_of[number]];

        if (*place == NO_ADDRESS && mask == mask_of(s, number)) { /* nearly always */
            *place = row;
            return 0;
        }
        set_uneven(s, w);
    }
    op = &s->ops[number - s->segment->first_op];
    if (op->serial != s->serial)
        *op = (struct ptx_op_log){mask, row, NO_MORE, s->serial};
    else if (op->row != NO_ADDRESS)
        return add_more(t, s, op, mask, row);
    op->row = row;
    op->mask = mask;
    return 0;
}

/* Does a machine instruction have these addresses of the op? What is added to make them generic ones, where it is
 * one of the generic space. */
static inline bool is_access(uint8_t accessing, const struct ptx_touched *a, uint64_t *base)
{
    *base = 0;
    if (accessing == PTX_ACCESSES)
        return !a->fields;
    if (accessing == PTX_ACCESSES_GENERIC)
        *base = a->space == PTX_SPACE_SHARED ? PTX_SHARED_BASE : a->space == PTX_SPACE_LOCAL ? PTX_LOCAL_BASE : 0;
    switch (accessing) {
    case PTX_ACCESSES_NONE: return false;
    case PTX_ACCESSES_FIELDS: return a->fields;
    case PTX_ACCESSES_SOURCE: return !a->fields && a->space == PTX_SPACE_GLOBAL;
    default: return !a->fields;
    }
}

/* Is it of the segment under way? When all ops of that have been reported, the access of the last one may still
 * come, and that of an op that has been reported before it was executed; any other is of the next round. */
static inline bool is_under_way(const struct ptx_segment_log *s, const struct ptx_touched *a)
{
    return s->segment && s->code == a->code && a->op >= s->first && a->op < s->end &&
           (s->next != s->end || a->op + 1 == s->end || a->code->ops[a->op].reports == PTX_REPORTS);
}

/* It is the first that is notified of a segment, which is taken to begin at its first op. Ops that change the flow
 * are reported before their accesses: there is none then. */
static bool guess(struct ptx_trace_log *t, struct ptx_segment_log *s, struct ptx_warp_log *w,
                  const struct ptx_touched *a)
{
    const struct ptx_segment *segment =
        a->code->ops[a->op].reports == PTX_REPORTS ? NULL : turn_to(t, s, w, a->code, a->op);

    if (!segment)
        return false;
    begin(s, w, segment, segment->first_op, a->mask);
    s->guessed = true;
    return true;
}

void ptx_trace_memory(void *ctx, uint32_t warp, const struct ptx_touched *a)
{
    struct ptx_trace_log *t = ctx;
    struct ptx_segment_log *s;
    struct ptx_warp_log *w;
    uint64_t base;
    uint32_t row;

    if (t->off || t->failed || !a->mask)
        return;
    s = &t->current->segments->warps[warp];
    w = &t->current->warps[warp];
    if ((!is_under_way(s, a) && !guess(t, s, w, a)) || !is_access(s->function->accessing[a->op], a, &base))
        return;
    if (ptx_cta_log_add_access(t->current, s->function->first_op + a->op, a, base, &row, &t->fault) ||
        log_access(t, s, w, a->op, a->mask, row))
        t->failed = true;
}
