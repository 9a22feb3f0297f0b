/* simcore/sm/lines.c: what the lines of a memory instruction ask of L2.
 *
 * In reserve mode an instruction first looks all its lines up in L1, then asks L2 for what it needs of them
 * together (memory_access_some), then notes when each is there. Nothing in between depends on an answer. */
#include "simcore/sm/lines.h"

#include "simcore/mem/warm.h"
#include "simcore/observe/observer.h"
#include "simcore/sm/flight.h"

/* From so many lines on an access is one that goes here and there, and most of it misses L1. */
enum { LINES_SCATTERED = 8 };

static void charge(const struct access *a)
{
    struct sm_env *env = a->sm->env;

    if (env->charged != a->warp->launch)
        account_memory(env, a->warp->launch);
}

static inline __attribute__((always_inline)) void fetch_places_of(const struct access *a, const struct l1 *l1)
{
    for (uint32_t i = 0; i < a->lines.count; i++)
        l1_prefetch_place(l1, a->set[i], a->mark[i]);
}

/* Their sets are there: the host begins to fetch the lines of L1. */
static void fetch_places(const struct access *a)
{
    struct l1 usual = a->sm->l1;

    if (!tag_is_usual(&usual.tags)) {
        fetch_places_of(a, &a->sm->l1);
        return;
    }
    tag_take_usual(&usual.tags);
    fetch_places_of(a, &usual);
}

void lines_begin(struct access *a, enum mem_kind kind, bool to_l1)
{
    const struct l1 *l1 = &a->sm->l1;
    const uint32_t count = a->lines.count;

    mem_batch_begin(&a->asked, a->lines.line, a->lines.full, a->mark, a->sm->index, kind);
    a->placed = false;
    for (uint32_t i = 0; i < count; i++)
        a->mark[i] = tag_mark(a->lines.line[i]);
    for (uint32_t i = 0; to_l1 && i < count; i++) {
        a->set[i] = l1_set(l1, a->lines.line[i]);
        l1_prefetch(l1, a->set[i]);
    }
    if (count < LINES_SCATTERED)
        return;
    lines_place(a);
    if (to_l1)
        fetch_places(a);
    if (a->placed)
        memory_fetch_lines(a->sm->env->memory, a->mark, count, &a->asked.home);
}

void lines_place(struct access *a)
{
    const struct sm_env *env = a->sm->env;

    if (a->placed || a->sm->flight || env->warming)
        return;
    memory_place(env->memory, a->lines.line, a->lines.count, &a->asked.home);
    a->placed = true;
}

static void warm(struct access *a, uint32_t first, uint32_t end)
{
    struct mem_batch *b = &a->asked;

    for (uint32_t k = first; k < end; k++) {
        uint32_t i = b->which[k];
        const struct mem_request r = line_request(a, i, b->ask[i], (enum mem_kind)b->kind, b->lanes[i], b->made[i]);

        memory_warm(a->sm->env->memory, &r);
        b->back[i] = b->made[i];
    }
}

void lines_send(struct access *a, uint32_t first, uint32_t end)
{
    const struct sm_env *env = a->sm->env;
    struct mem_batch *b = &a->asked;

    if (first == end)
        return;
    charge(a);
    if (env->warming) {
        warm(a, first, end);
        return;
    }
    lines_place(a);
    for (uint32_t k = first; env->observer && k < end; k++) {
        uint32_t i = b->which[k];
        const struct mem_request r = line_request(a, i, b->ask[i], (enum mem_kind)b->kind, b->lanes[i], b->made[i]);

        b->watch[i] = observer_request(env->observer, &r);
    }
    memory_access_some(env->memory, b, first, end, event_queue_now(env->queue));
}

/* --- event mode --- */

uint32_t lines_node(struct access *a)
{
    if (!a->node)
        a->node = flight_node(a->sm, a->slot, a->in);
    return a->node;
}

struct mem_request lines_in_flight(struct access *a, uint32_t i, uint8_t sectors, enum mem_kind kind,
                                   uint32_t lanes, uint32_t t)
{
    struct mem_request r = line_request(a, i, sectors, kind, lanes, leaves(a, t));
    struct observer *o = a->sm->env->observer;

    charge(a);
    if (o)
        r.watch = observer_request(o, &r);
    return r;
}

void lines_ask_in_flight(struct access *a, uint32_t i, uint8_t sectors, enum mem_kind kind, uint32_t lanes,
                         uint32_t t, struct l1_line *fill)
{
    const struct mem_request r = lines_in_flight(a, i, sectors, kind, lanes, t);

    t += a->sm->env->design->l1_detect;
    if (fill)
        flight_fill(a->sm, lines_node(a), &r, fill, t);
    else
        flight_ask(a->sm, lines_node(a), &r, t);
}
