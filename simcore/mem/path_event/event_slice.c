/* simcore/mem/path_event/event_slice.c: event mode in the L2 and behind it: tags, fills, data, the bridge between
 * partitions. */
#include "simcore/mem/path_event/event_internal.h"
#include "simcore/mem/slice.h"

static void list_add(struct event_path *p, struct request_list *l, struct path_request *q)
{
    q->next = 0;
    if (l->last)
        p->request[l->last - 1].next = request_number(q);
    else
        l->first = request_number(q);
    l->last = request_number(q);
}

static struct path_request *list_take(struct event_path *p, struct request_list *l)
{
    struct path_request *q = l->first ? &p->request[l->first - 1] : NULL;

    if (!q)
        return NULL;
    l->first = q->next;
    if (!l->first)
        l->last = 0;
    return q;
}

static uint32_t partition_of(const struct path_request *q)
{
    return noc_partition(&q->path->m->noc, q->r.sm);
}

static bool is_far(const struct path_request *q)
{
    return memory_home(q->path->m, &q->home) != partition_of(q);
}

/* --- to the tags --- */

static void to_tags(struct path_request *q, sim_time_ps now)
{
    q->since = now;
    event_go(q, AT_TAGS, event_serve(&q->path->slice[q->place.slice].input, now, q->path->m->tag_ps));
}

/* Sends the request over the bridge to the address's home partition. */
static void to_home(struct path_request *q, uint32_t bytes, sim_time_ps now)
{
    struct event_path *p = q->path;
    const struct noc *n = &p->m->noc;
    uint32_t from = partition_of(q);
    sim_time_ps t = event_serve(&p->bridge[from].request, now, bytes_ps(n->bridge_q16, bytes + n->header_bytes));

    q->place = q->home;
    q->copying = false;
    t = observe_stage(p->m, &q->r, STAGE_BRIDGE, from, bytes + n->header_bytes, now, t + n->bridge_ps);
    event_go(q, AT_HOME, t);
}

void event_at_slice(struct path_request *q, sim_time_ps now)
{
    struct memory *m = q->path->m;
    uint32_t sectors = sector_count(q->r.sectors);

    q->asked = q->r;
    q->place = q->home;
    q->not_before = 0;
    q->copying = is_far(q) && q->r.kind == MEM_READ;
    if (!is_far(q)) {
        to_tags(q, now);
    } else if (q->copying) {
        q->place = memory_mirror(m, &q->home);
        to_tags(q, now);
    } else { /* writes go to the home partition */
        m->count.far_requests++;
        m->count.far_sectors += sectors;
        event_off_network(q, now);
        to_home(q, sectors * SECTOR_BYTES, now);
    }
}

void event_at_home(struct path_request *q, sim_time_ps now)
{
    to_tags(q, now);
}

/* --- behind the tags --- */

/* Uses the slice's port. A reply includes its header; the header of a write was already handled at the tags. */
static sim_time_ps take_data(struct path_request *q, uint8_t sectors, sim_time_ps now)
{
    struct event_path *p = q->path;
    uint32_t bytes = event_bytes(sectors) + (q->asked.kind == MEM_WRITE ? 0 : p->m->noc.header_bytes);

    return observe_stage(p->m, &q->r, STAGE_DATA, q->place.slice, sector_count(sectors), now,
                         event_serve(&p->slice[q->place.slice].data, now, bytes_ps(p->m->slice_q16, bytes)));
}

static sim_time_ps take_atomic(struct path_request *q, sim_time_ps now)
{
    struct memory *m = q->path->m;
    uint32_t sectors = sector_count(q->asked.sectors);
    uint32_t by_lanes = q->asked.lanes * m->atomic_lane_ps, by_sectors = sectors * m->atomic_sector_ps;

    return observe_stage(
        m, &q->r, STAGE_DATA, q->place.slice, sectors, now,
        event_serve(&q->path->slice[q->place.slice].atomic, now, by_lanes > by_sectors ? by_lanes : by_sectors));
}

void event_at_data(struct path_request *q, sim_time_ps now)
{
    struct memory *m = q->path->m;
    sim_time_ps t;

    switch ((enum mem_kind)q->asked.kind) {
    case MEM_READ: event_reply(q, take_data(q, q->asked.sectors, now)); break;
    case MEM_FAR_READ: event_go(q, AT_BRIDGE_BACK, take_data(q, q->asked.sectors, now)); break;
    case MEM_WRITE: event_go(q, AT_END, take_data(q, q->asked.sectors, now)); break;
    case MEM_REDUCTION: event_go(q, AT_END, take_atomic(q, now)); break;
    case MEM_ATOMIC:
        t = take_atomic(q, now) + m->atomic_latency_ps;
        if (is_far(q))
            event_go(q, AT_BRIDGE_BACK, t);
        else
            event_reply(q, t);
        break;
    }
}

/* The request has all sectors of its line that it needs. */
static void has_line(struct path_request *q, sim_time_ps now)
{
    if (q->copying)
        event_reply(q, later(now, q->not_before));
    else
        event_at_data(q, now);
}

/* An entry of the slice may be free again: waiting requests continue in the order of their arrival. */
static void mshr_freed(struct event_path *p, uint32_t slice, sim_time_ps now)
{
    struct path_request *q;

    while (mshr_has_room(&p->mshrs, slice) && (q = list_take(p, &p->slice[slice].missing)))
        event_at_tags(q, now);
}

/* Sectors of a line of a slice have arrived. The request q that fetched them continues, and so do others that
 * waited.
 */
static void arrived(struct path_request *q, uint32_t slice, size_t line, uint8_t sectors, sim_time_ps now)
{
    struct event_path *p = q->path;
    uint32_t waiting = p->mshrs.ops->fill(&p->mshrs, line, q->r.line, sectors), self = request_number(q);

    /* Each of these requests may still wait for sectors that others fetch. */
    while (self || waiting) {
        struct path_request *w = &p->request[(self ? self : waiting) - 1];

        if (!self)
            waiting = p->mshrs.ops->next(&p->mshrs, waiting);
        self = 0;
        if (p->mshrs.ops->pending(&p->mshrs, line, w->r.line) & w->asked.sectors) {
            w->stage = AT_LINE;
            p->mshrs.ops->merge(&p->mshrs, line, w->r.line, request_number(w));
        } else {
            has_line(w, now);
        }
    }
    mshr_freed(p, slice, now);
}

void event_filled(struct path_request *q, sim_time_ps now)
{
    observe_stage(q->path->m, &q->r, STAGE_FILL, q->place.channel, sector_count(q->fetch), q->since, now);
    arrived(q, q->place.slice, q->line, q->fetch, now);
}

void event_at_bridge_back(struct path_request *q, sim_time_ps now)
{
    struct event_path *p = q->path;
    const struct noc *n = &p->m->noc;
    uint32_t bytes = event_bytes(q->asked.sectors) + n->header_bytes, from = !partition_of(q);
    sim_time_ps t = event_serve(&p->bridge[from].reply, now, bytes_ps(n->bridge_q16, bytes)) + n->bridge_ps;

    event_go(q, AT_COPY, observe_stage(p->m, &q->r, STAGE_BRIDGE, from, bytes, now, t));
}

void event_copied(struct path_request *q, sim_time_ps now)
{
    if (q->r.kind == MEM_ATOMIC) {
        event_reply(q, now);
        return;
    }
    q->asked = q->r;
    q->copying = true;
    arrived(q, memory_mirror(q->path->m, &q->home).slice, q->copy_line, q->copy_fetch, now);
}

/* --- device memory --- */

static void event_slice_fetch(struct path_request *q, sim_time_ps now, sim_time_ps t)
{
    struct event_path *p = q->path;
    struct dram *dram = &p->m->dram;
    uint32_t sectors = sector_count(q->fetch);

    p->mshrs.ops->allocate(&p->mshrs, q->line, q->r.line, q->fetch);
    q->since = now;
    if (!dram->ops->request) {
        event_go(q, AT_DRAM, dram_access(dram, &q->place, sectors, false, now, t));
    } else if (!p->channel[q->place.channel].readers.first && dram_has_room(dram, q->place.channel, false)) {
        q->stage = AT_DRAM;
        dram->ops->request(dram, &q->place, sectors, false, request_number(q), now);
    } else {
        q->stage = AT_MEMORY_ROOM;
        list_add(p, &p->channel[q->place.channel].readers, q);
    }
}

void event_dram_read(void *ctx, uint32_t id, sim_time_ps at)
{
    struct event_path *p = ctx;

    event_go(&p->request[id - 1], AT_DRAM, at);
}

void event_dram_room(void *ctx, uint32_t channel, bool write, sim_time_ps now)
{
    struct event_path *p = ctx;
    struct channel_lane *c = &p->channel[channel];
    struct dram *dram = &p->m->dram;
    struct path_request *q;

    while (dram_has_room(dram, channel, write) && (q = list_take(p, write ? &c->writers : &c->readers))) {
        if (write) {
            event_at_tags(q, now);
        } else {
            q->stage = AT_DRAM;
            dram->ops->request(dram, &q->place, sector_count(q->fetch), false, request_number(q), now);
        }
    }
}

void event_dram_moved(void *ctx, uint32_t channel, uint32_t bank, uint32_t sectors, sim_time_ps at)
{
    const struct event_path *p = ctx;

    if (p->m->observer)
        observer_bank_moved(p->m->observer, channel, bank, sectors, at);
}

void event_dram_pending(void *ctx, uint32_t channel, uint32_t bank, sim_time_ps from, sim_time_ps to)
{
    const struct event_path *p = ctx;

    if (p->m->observer)
        observer_bank_pending(p->m->observer, channel, bank, from, to);
}

/* Writes modified sectors to device memory. A model with events accepts them at once, because room was checked.
 * Otherwise a full write buffer delays this request. Returns when it continues. */
static sim_time_ps write_back(struct path_request *q, const struct slice_step *step, sim_time_ps now)
{
    struct event_path *p = q->path;
    struct memory *m = p->m;
    uint32_t sectors = sector_count(step->write_back);
    struct address_place place;
    sim_time_ps done;

    if (!step->write_back)
        return now;
    address_locate(&m->map, step->evicted, &place);
    if (m->dram.ops->request) {
        m->dram.ops->request(&m->dram, &place, sectors, true, 0, now);
        return observe_stage(m, &q->r, STAGE_WRITE_BACK, place.channel, sectors, now, now);
    }
    done = observe_stage(m, &q->r, STAGE_WRITE_BACK, place.channel, sectors, now,
                         dram_access(&m->dram, &place, sectors, true, now, now));
    return done > now + m->dram.write_buffer_ps ? done - m->dram.write_buffer_ps : now;
}

/* --- the tags --- */

/* Handles the lookup of a local copy. Missing sectors come from the home partition. */
static void copy_answers(struct path_request *q, const struct slice_step *step, sim_time_ps now)
{
    struct event_path *p = q->path;
    uint8_t present = q->asked.sectors & (uint8_t)~step->fetch;

    q->line = q->copy_line = step->line;
    q->copy_fetch = step->fetch;
    q->not_before = present ? take_data(q, present, now) : 0;
    if (step->fetch) {
        p->mshrs.ops->allocate(&p->mshrs, q->copy_line, q->r.line, step->fetch);
        q->asked.kind = MEM_FAR_READ;
        q->asked.sectors = step->fetch;
        to_home(q, 0, now);
    } else if (p->mshrs.ops->pending(&p->mshrs, q->line, q->r.line) & q->asked.sectors) {
        q->stage = AT_LINE;
        p->mshrs.ops->merge(&p->mshrs, q->line, q->r.line, request_number(q));
    } else {
        has_line(q, now);
    }
}

/* Handles the lookup in the home partition; t: when the request continues, after a write-back. */
static void home_answers(struct path_request *q, const struct slice_step *step, sim_time_ps now, sim_time_ps t)
{
    struct event_path *p = q->path;

    q->line = step->line;
    q->fetch = step->fetch;
    if (q->fetch) {
        event_slice_fetch(q, now, t);
    } else if (q->asked.kind != MEM_WRITE &&
               p->mshrs.ops->pending(&p->mshrs, q->line, q->r.line) & q->asked.sectors) {
        q->stage = AT_LINE;
        p->mshrs.ops->merge(&p->mshrs, q->line, q->r.line, request_number(q));
    } else if (t > now) {
        event_go(q, AT_DATA, t);
    } else {
        event_at_data(q, now);
    }
}

/* Not for requests that came over the bridge: the other partition frees its entries only after the answer. */
static bool can_wait_for_mshr(const struct path_request *q)
{
    return q->asked.kind != MEM_WRITE && (q->copying || !is_far(q));
}

void event_at_tags(struct path_request *q, sim_time_ps now)
{
    struct event_path *p = q->path;
    struct memory *m = p->m;
    struct slice_step step;
    sim_time_ps t;

    /* A line that the request evicts goes to a channel of this slice, which must have room for it. */
    if (!dram_has_room(&m->dram, q->place.channel, true)) {
        q->stage = AT_ROOM;
        list_add(p, &p->channel[q->place.channel].writers, q);
        return;
    }
    if (!mshr_has_room(&p->mshrs, q->place.slice) && can_wait_for_mshr(q)) {
        q->stage = AT_MSHR;
        list_add(p, &p->slice[q->place.slice].missing, q);
        return;
    }
    event_off_network(q, now);
    if (m->noc.partitions > 1 && q->r.kind != MEM_READ) {
        const struct address_place other = memory_mirror(m, &q->home);

        slice_forget_copy(&m->l2, &other, q->r.line, q->r.sectors);
    }
    if (q->copying)
        slice_decide_copy(&m->l2, &m->count, &q->asked, &q->place, &step);
    else
        slice_decide(&m->l2, &m->count, &q->asked, &q->place, &step);
    observe_tags(m, &q->asked, q->place.slice, sector_count(step.missed), q->since, now);
    t = write_back(q, &step, now);
    if (q->copying)
        copy_answers(q, &step, later(now, t));
    else
        home_answers(q, &step, now, t);
}
