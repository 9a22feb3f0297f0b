/* simcore/sm/bulk.c: bulk copies by descriptor, and stores to the shared memory of other SMs. The copy unit of an
 * SM sends the requests of a copy line by line, one copy after the other, bypassing L1 and registers. */
#include <string.h>

#include "simcore/sm/bulk_lines.h"
#include "simcore/sm/outstanding.h"
#include "simcore/trace/fields.h"

enum { SHARED_MAX = 1 << 20 }; /* larger than the shared memory of any SM, and so than any copy */

/* Sends bytes through the port to other SMs; returns when the last byte has left. */
static uint32_t through_port(struct sm *sm, uint32_t start, uint64_t bytes)
{
    uint32_t each = sm->env->design->cluster_bytes;

    if (bytes > SHARED_MAX)
        bytes = SHARED_MAX;
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
    return bulk_kind(in->mix, in->flags);
}

/* Reports the bytes to the barrier that counts them, at `done` or when the node of the access ends. */
static void tell_barrier(struct access *a, const uint64_t field[], uint32_t done)
{
    const struct mbarrier_news n = {.address = (uint32_t)field[COPY_BARRIER] - 1,
                                    .bytes = -(int64_t)(uint32_t)field[COPY_REPORTED_BYTES],
                                    .ctas = (uint16_t)field[COPY_CTAS],
                                    .cta = a->warp->cta,
                                    .born = a->sm->cta[a->warp->cta].born};

    a->sm->env->outstanding->copied(a, &n, done);
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

/* Sends the lines to L2 without L1, one after the other, from `start` on. Returns when the last line has arrived or
 * was accepted. flight_copy_lines() does the same in event mode. */
uint32_t bulk_send(struct access *a, enum mem_kind kind, uint32_t start)
{
    const struct answers answers = answers_to(a);
    uint32_t latest = start;

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

    bulk_lines(field, &a->lines);
    sm->bulk_began = time_max(start, sm->bulk_free);
    sm->bulk_free = sm->bulk_began + a->lines.count * d->bulk_line;
    done = sm->bulk_began + d->bulk_latency;
    if (a->lines.count)
        done = sm->env->outstanding->copy(a, kind_of(a->in), done);
    /* from shared memory to the shared memory of another CTA */
    else if (field[COPY_BARRIER] > 1u << FIELDS_RANK_SHIFT)
        done = through_port(sm, done, field[COPY_REPORTED_BYTES]);
    count_sectors(a);
    a->count->bulk_traced += !field[COPY_MORE];
    /* Stores are never reported to a barrier, even if a damaged trace names one. */
    if (field[COPY_BARRIER] && (!a->lines.count || kind_of(a->in) == MEM_READ))
        tell_barrier(a, field, done);
    else
        a->warp->group_open = time_max(a->warp->group_open, done);
}

/* st.async and similar: a store to another SM, counted by a barrier there. */
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
