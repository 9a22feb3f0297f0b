/* simcore/sm/bulk.c: copies by descriptor: an SM's copy unit makes their requests line by line, one copy after the
 * other, past L1 and registers; and what goes to the shared memory of other SMs. */
#include <string.h>

#include "simcore/sm/flight.h"
#include "simcore/sm/lines.h"
#include "simcore/sm/mbarrier.h"
#include "simcore/trace/fields.h"

enum { SHARED_MOST = 1 << 20 }; /* no SM has more shared memory, and no copy moves more of it */
/* A row is 16 bytes at least, and no part has more than COPY_LINES_MAX lines. */
enum { ROWS_MAX = COPY_LINES_MAX * LINE_BYTES / 16 };

_Static_assert(COPY_LINE_BYTES == 1 << LINE_SHIFT, "parts are made of lines of L2");

/* Bytes [from, to) of a line. */
static void add_piece(struct coalesced *c, uint64_t line, uint32_t from, uint32_t to)
{
    uint8_t all = 0, full = 0;

    for (uint32_t s = from / SECTOR_BYTES; s * SECTOR_BYTES < to; s++) {
        all |= (uint8_t)(1u << s);
        full |= (uint8_t)((s * SECTOR_BYTES >= from && (s + 1) * SECTOR_BYTES <= to) << s);
    }
    if (!c->count || c->line[c->count - 1] != line) {
        c->line[c->count] = line;
        c->sectors[c->count] = c->full[c->count] = 0;
        c->count++;
    }
    c->sectors[c->count - 1] |= all;
    c->full[c->count - 1] |= full;
}

static void add_row(struct coalesced *c, uint64_t at, uint64_t bytes)
{
    while (bytes && (c->count < COPY_LINES_MAX || c->line[c->count - 1] == at >> LINE_SHIFT)) {
        uint32_t from = (uint32_t)(at % LINE_BYTES);
        uint64_t some = bytes < LINE_BYTES - from ? bytes : LINE_BYTES - from;

        add_piece(c, at >> LINE_SHIFT, from, from + (uint32_t)some);
        at += some;
        bytes -= some;
    }
}

/* The lines that a part touches, no more than COPY_LINES_MAX. */
static void find_lines(const uint64_t field[], struct coalesced *c)
{
    c->count = 0;
    for (uint64_t r = 0; r < field[COPY_ROWS] && r < ROWS_MAX; r++)
        add_row(c, field[COPY_ADDRESS] + r * field[COPY_STRIDE], field[COPY_ROW_BYTES]);
}

/* Through the port to other SMs; returns when the last byte has left. */
static uint32_t through_port(struct sm *sm, uint32_t start, uint64_t bytes)
{
    uint32_t each = sm->env->design->cluster_bytes;

    if (bytes > SHARED_MOST)
        bytes = SHARED_MOST;
    sm->cluster_free = time_max(sm->cluster_free, start) + (uint32_t)((bytes + each - 1) / each);
    if (sm->cluster_free > SM_TIME_MAX)
        sm->cluster_free = SM_TIME_MAX;
    return sm->cluster_free;
}

uint32_t remote_shared(struct sm *sm, uint32_t start, uint32_t bytes)
{
    return through_port(sm, start, bytes) + sm->env->design->cluster_latency;
}

static enum mem_kind kind_of(const struct static_inst *in)
{
    return in->mix == MIX_LOAD ? MEM_READ : in->flags & OP_REDUCES ? MEM_REDUCTION : MEM_WRITE;
}

/* Who counts the bytes, at `done` or when the node of the access ends. */
static void tell_barrier(struct access *a, const uint64_t field[], uint32_t done)
{
    const struct mbarrier_news n = {.address = (uint32_t)field[COPY_BARRIER] - 1,
                                    .bytes = -(int64_t)(uint32_t)field[COPY_TOLD_BYTES],
                                    .ctas = (uint16_t)field[COPY_CTAS],
                                    .cta = a->warp->cta,
                                    .born = a->sm->cta[a->warp->cta].born};

    if (a->node) {
        flight_not_before(a->sm, a->node, done);
        flight_copy(a->sm, a->node, &n);
    } else if (!a->sm->env->warming) {
        mbarrier_tell(a->sm, &n, done);
    }
}

static void count_sectors(const struct access *a)
{
    uint32_t sectors = 0;

    for (uint32_t i = 0; i < a->lines.count; i++)
        sectors += sector_count(a->lines.sectors[i]);
    a->count->bulk_sectors += sectors;
    if (kind_of(a->in) == MEM_READ)
        a->count->l1_bypass_sectors += sectors;
    else if (kind_of(a->in) == MEM_WRITE)
        a->count->l1_store_sectors += sectors;
}

/* In event mode: the unit is busy with the whole copy, the port is not. */
static void ask_in_flight(struct access *a, enum mem_kind kind, uint32_t start)
{
    for (uint32_t i = 0; i < a->lines.count; i++) {
        uint32_t t = start + i * a->sm->env->design->bulk_line;
        struct mem_request r = lines_in_flight(a, i, a->lines.sectors[i], kind, kind != MEM_READ, t);

        r.ahead = true;
        if (kind == MEM_READ)
            flight_ask(a->sm, lines_node(a), &r, t + a->sm->env->design->l1_detect);
        else
            flight_tell(a->sm, lines_node(a), &r, t);
    }
}

/* The lines go past L1, one after the other from `start` on. Returns when the last is there, or accepted; in event
 * mode the time given, and the node of the access ends then. */
static uint32_t ask_lines(struct access *a, enum mem_kind kind, uint32_t start)
{
    const struct answers answers = answers_to(a);
    uint32_t latest = start;

    if (a->sm->flight) {
        ask_in_flight(a, kind, start);
        return start;
    }
    lines_begin(a, kind, false);
    for (uint32_t i = 0; i < a->lines.count; i++)
        mem_batch_add(&a->asked, i, a->lines.sectors[i], kind == MEM_REDUCTION,
                      leaves(a, start + i * a->sm->env->design->bulk_line));
    lines_send(a, 0, a->asked.count);
    for (uint32_t i = 0; i < a->asked.count; i++) {
        latest = time_max(latest, answered(&answers, a->asked.back[i]));
        if (kind != MEM_READ && a->asked.back[i] > a->warp->launch->stores_done)
            a->warp->launch->stores_done = a->asked.back[i];
    }
    return latest;
}

static void do_copy(struct access *a, const uint64_t field[], uint32_t start)
{
    struct sm *sm = a->sm;
    const struct gpu_design *d = sm->env->design;
    uint32_t done;

    find_lines(field, &a->lines);
    sm->bulk_began = time_max(start, sm->bulk_free);
    sm->bulk_free = sm->bulk_began + a->lines.count * d->bulk_line;
    done = sm->bulk_began + d->bulk_latency;
    if (a->lines.count)
        done = ask_lines(a, kind_of(a->in), done);
    else if (field[COPY_BARRIER] > 1u << FIELDS_RANK_SHIFT) /* from shared memory to shared memory */
        done = through_port(sm, done, field[COPY_TOLD_BYTES]);
    count_sectors(a);
    a->count->bulk_traced += !field[COPY_MORE];
    /* Stores are never told to a barrier, whatever a damaged trace says: who waits for them counts them. */
    if (field[COPY_BARRIER] && (!a->lines.count || kind_of(a->in) == MEM_READ))
        tell_barrier(a, field, done);
    else
        a->warp->group_open = time_max(a->warp->group_open, done);
}

/* st.async and the like: a store to another SM that a barrier there counts. */
static void do_sent(struct access *a, const struct warp_inst *wi, const uint64_t field[], uint32_t start)
{
    uint32_t none = 0, left = through_port(a->sm, start, -field[BARRIER_BYTES]);

    a->count->remote_shared++;
    mbarrier_do(a->sm, a->slot, wi, a->in, left, &none);
}

void do_fields(struct access *a, const struct warp_inst *wi, uint32_t start)
{
    uint64_t field[WARP_LANES];

    fields_of(a->sm->cta[a->warp->cta].trace, wi, field);
    if (a->in->action == ACT_BULK_COPY) {
        fields_lanes(a->sm, a->slot, wi, a->in, (uint32_t)field[COPY_LANES]);
        do_copy(a, field, start);
    } else {
        do_sent(a, wi, field, start);
    }
}
