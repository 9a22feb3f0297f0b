/* ptx/trace/trace_segment.c: converts executed ops to executed machine instructions, one segment of a warp at a
 * time, with lanes and addresses. */
#include "base/array.h"
#include "ptx/trace/trace_log.h"

#define NO_MORE UINT32_MAX

/* Returns true if the segment can be added as a whole. If other lanes execute the last op, its instructions must
 * be together at the end. */
static inline bool fits_whole(const struct ptx_segment *segment, uint32_t mask, uint32_t last_mask)
{
    return mask == last_mask || segment->last_together;
}

/* Returns true if the warp's last `n` runs are these instructions with these lanes. */
static bool ends_with(const struct ptx_warp_log *w, uint32_t n, uint32_t inst, uint32_t count, uint32_t mask)
{
    if (w->run_count < n)
        return false;
    for (const struct warp_run *r = w->runs + w->run_count; n; n--) {
        r--;
        if (r->inst != inst || r->count != count || r->mask != mask)
            return false;
    }
    return true;
}

/* Whole rounds of a loop, of which the last run is one, become one run of its unrolled form. Returns the number of
 * instructions of the branch at the end of that run. */
static uint32_t join_rounds(const struct ptx_lowered *l, const struct ptx_segment *segment, struct ptx_warp_log *w)
{
    uint32_t inst = segment->inst, count = segment->count, branch = segment->last_count, rows[UNROLLED_ROWS_MAX];

    for (uint32_t k = 0; k < segment->unroll_count; k++) {
        const struct ptx_unrolled *u = &l->unrolled[segment->unroll_first + k];
        struct warp_run *r;

        if (!ends_with(w, u->of, inst, count, w->runs[w->run_count - 1].mask))
            break;
        w->run_count -= u->of - 1;
        w->count -= (uint64_t)count * u->of - u->count;
        r = &w->runs[w->run_count - 1];
        r->inst = inst = u->inst;
        r->count = count = u->count;
        branch = u->last_count;
        for (uint32_t i = 0; i < u->row_count; i++)
            rows[i] = w->rows[r->row + l->row_order[u->row_first + i]];
        for (uint32_t i = 0; i < u->row_count; i++)
            w->rows[r->row + i] = rows[i];
    }
    return branch;
}

/* Adds a round of a loop with unrolled forms. Lanes that leave the loop do not execute the branch at its end. */
static void add_round(struct ptx_segment_log *s, struct ptx_warp_log *w, const struct ptx_segment *segment,
                      uint32_t mask, uint32_t last_mask)
{
    uint32_t branch;
    struct warp_run *r;

    w->runs[w->run_count++] = (struct warp_run){segment->inst, segment->count, mask, (uint32_t)w->row_count};
    w->row_count += segment->access_count;
    w->count += segment->count;
    s->loop = segment;
    if (segment->leaves)
        last_mask = mask & ~last_mask;
    branch = join_rounds(s->function, segment, w);
    if (last_mask == mask || !branch)
        return;
    r = &w->runs[w->run_count - 1];
    r->count -= branch;
    w->runs[w->run_count++] = (struct warp_run){r->inst + r->count, branch, last_mask, (uint32_t)w->row_count};
}

/* Adds a whole segment that the same lanes have executed, except for its last op. Its instructions are
 * consecutive in the table, and its rows are stored already. */
static inline void add_whole(struct ptx_segment_log *s, struct ptx_warp_log *w, const struct ptx_segment *segment,
                             uint32_t mask, uint32_t last_mask)
{
    uint32_t count = last_mask != mask ? segment->count - segment->last_count : segment->count;
    uint32_t row = (uint32_t)w->row_count;

    if (segment->unroll_count) {
        add_round(s, w, segment, mask, last_mask);
        return;
    }
    if (count)
        w->runs[w->run_count++] = (struct warp_run){segment->inst, count, mask, row};
    if (count < segment->count)
        w->runs[w->run_count++] = (struct warp_run){segment->inst + count, segment->count - count, last_mask,
                                                    row + segment->access_before};
    w->row_count += segment->access_count;
    w->count += segment->count;
}

/* The lanes that access memory: one for all, where ptxas combines their operands and the address is the same. */
static uint32_t accessing_lanes(const struct ptx_trace_log *t, uint8_t accessing, uint32_t mask, uint32_t row)
{
    const struct address_row *r = &t->current->store.rows[row];
    bool combined = (accessing & PTX_ACCESSES_ONE) || (accessing & PTX_ACCESSES_ONE_OF_ALL && mask == UINT32_MAX);

    return combined && r->list == NO_LIST && r->stride == 0 ? mask & -mask : mask;
}

/* Adds a machine instruction that accesses memory, once for each access of its op. */
static int add_access(struct ptx_trace_log *t, const struct ptx_cta_segments *c, struct ptx_warp_log *w,
                      uint32_t inst, uint8_t accessing, const struct ptx_op_log *op)
{
    if (ptx_warp_log_add(w, t->table.insts, inst, accessing_lanes(t, accessing, op->mask, op->row), op->row,
                         &t->fault))
        return -1;
    for (uint32_t k = op->more; k != NO_MORE; k = c->more[k].more)
        if (ptx_warp_log_add(w, t->table.insts, inst,
                             accessing_lanes(t, accessing, c->more[k].mask, c->more[k].row), c->more[k].row,
                             &t->fault))
            return -1;
    return 0;
}

/* Adds the executed ops of the segment one by one. */
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
            ret = add_access(t, c, w, m[k].inst, s->function->accessing[segment->first_op + m[k].op], op);
        if (ret)
            return -1;
    }
    return 0;
}

/* If `even`: the lanes that executed op `op` or accessed memory for it. */
static uint32_t mask_of(const struct ptx_segment_log *s, uint32_t op)
{
    return op + 1 == s->end && s->next == s->end ? s->last_mask : s->mask;
}

/* Different lanes execute the ops of the segment: creates a record for each op. */
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
    s->loop = NULL;
    s->code = s->function ? code : NULL;
    return s->function;
}

/* Finishes the warp's current segment: appends its instructions. */
static inline void finish(struct ptx_trace_log *t, struct ptx_segment_log *s, struct ptx_warp_log *w)
{
    if (!s->segment)
        return;
    if (s->even && s->next == s->end && s->first == s->segment->first_op &&
        fits_whole(s->segment, s->mask, s->last_mask)) { /* the usual case */
        add_whole(s, w, s->segment, s->mask, s->last_mask);
    } else {
        if (s->even)
            set_uneven(s, w);
        if (add_parts(t, t->current->segments, s, w))
            t->failed = true;
    }
    s->segment = NULL;
}

/* If a warp has this number of rows or runs, its CTA is written to the file (if allowed). The CTA then uses 24
 * MiB, or 150 MiB if all accesses are scattered. */
enum { FILED_FROM = 16384 };

static int make_room(struct ptx_trace_log *t, struct ptx_warp_log *w, size_t rows)
{
    if (t->files && (w->run_count >= FILED_FROM || w->row_count >= FILED_FROM) && ptx_trace_file(t))
        return -1;
    return ptx_warp_log_reserve(w, 2, rows, &t->fault);
}

/* Finishes the current segment. Returns the segment of op `op` of this code, with which the warp continues.
 * NULL: failed. */
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

/* Begins a segment at op `op`, executed by the lanes of `mask`. */
static inline void begin(struct ptx_segment_log *s, struct ptx_warp_log *w, const struct ptx_segment *segment,
                         uint32_t op, uint32_t mask)
{
    for (uint32_t k = 0; k < segment->access_count; k++)
        w->rows[w->row_count + k] = NO_ADDRESS;
    s->segment = segment;
    s->first = s->next = op;
    s->end = segment->first_op + segment->op_count;
    s->mask = s->last_mask = mask;
    s->even = !segment->aggregates;
    s->guessed = false;
    s->serial++;
}

void ptx_trace_conclude(struct ptx_trace_log *t, uint32_t warp)
{
    finish(t, &t->current->segments->warps[warp], &t->current->warps[warp]);
}

/* If `even`: returns true if the addresses of the last op are recorded already. */
static bool last_is_reported(const struct ptx_segment_log *s, const struct ptx_warp_log *w)
{
    return s->segment->last_access != NO_ACCESS && w->rows[w->row_count + s->segment->last_access] != NO_ADDRESS;
}

/* Adds the next `count` ops of the current segment. */
static void add_ops(struct ptx_segment_log *s, const struct ptx_warp_log *w, uint32_t count, uint32_t mask)
{
    uint32_t first = s->next, base = s->segment->first_op;

    if (s->even && mask != s->mask) {
        if (count == 1 && first + 1 == s->end && !last_is_reported(s, w))
            s->last_mask = mask;
        else
            set_uneven(s, w); /* the ops up to now */
    }
    s->next += count; /* also at the segment's end: the addresses of the last op may come later */
    if (s->even)
        return;
    for (uint32_t op = first; op < s->next; op++)
        if (s->ops[op - base].serial != s->serial) /* else the op has recorded addresses already */
            s->ops[op - base] = (struct ptx_op_log){mask, NO_ADDRESS, NO_MORE, s->serial};
}

/* Returns true if the ops from `first` on continue the current segment. */
static bool goes_on(const struct ptx_segment_log *s, const struct ptx_code *code, uint32_t first)
{
    return s->segment && first == s->next && first != s->end && s->code == code;
}

/* Adds ops of any number of segments, all executed by the same lanes. */
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

/* The first ops of a segment that began with an access are reported: `mask` executes them. */
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
            add_whole(s, w, segment, mask, last_mask); /* the whole segment is known */
            return;
        }
        begin(s, w, segment, first, mask);
    } else if (s->guessed) {
        settle(s, w, count == 1 ? last_mask : mask);
    }
    if (s->even && mask == s->mask && count <= s->end - first &&
        (mask == last_mask || (first + count == s->end && !last_is_reported(s, w)))) { /* the usual case */
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

/* Records an access. An op that is not reported yet is assumed to have the lanes of the ops before it. */
static inline int log_access(struct ptx_trace_log *t, struct ptx_segment_log *s, struct ptx_warp_log *w,
                             uint32_t number, uint32_t mask, uint32_t row)
{
    struct ptx_op_log *op;

    if (s->even) {
        uint32_t *place = &w->rows[w->row_count + s->function->access_of[number]];

        if (*place == NO_ADDRESS && mask == mask_of(s, number)) { /* the usual case */
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

/* Returns true if a machine instruction has these addresses of the op. *base: the offset that converts them to
 * generic addresses if the instruction uses generic ones; else 0. */
static inline bool is_access(uint8_t accessing, const struct ptx_touched *a, uint64_t *base)
{
    accessing &= PTX_ACCESSES_KIND;
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

/* Returns true if the access belongs to the current segment. After all ops of the segment have been reported,
 * accesses can still follow for the last op, and for an op that is reported before its execution. Any other
 * access belongs to the next iteration. */
static inline bool is_under_way(const struct ptx_segment_log *s, const struct ptx_touched *a)
{
    return s->segment && s->code == a->code && a->op >= s->first && a->op < s->end &&
           (s->next != s->end || a->op + 1 == s->end || a->code->ops[a->op].reports == PTX_REPORTS);
}

/* Called for an access that precedes all reports of its segment. The segment is assumed to begin at its first
 * op. Returns false for ops that change the control flow, because these are reported before their accesses. */
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
