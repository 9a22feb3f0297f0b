/* simcore/sm/lines.c: sends the L2 requests for the lines of a memory instruction.
 *
 *
 * If the port returns completion times at once, an instruction first looks up all its lines in L1, then sends its
 * L2 requests together, then stores when each line arrives. No step in between depends on an answer. */
#include "simcore/sm/lines.h"

#include "simcore/observe/observer.h"

/* With at least this number of lines, an access counts as scattered, and most of it is assumed to miss L1. */
enum { LINES_SCATTERED = 8 };

void lines_charge(const struct access *a)
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

/* Prefetches the L1 lines. Their sets must be in the host's cache. */
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
        memory_fetch_lines(a->sm->env->port->memory, a->mark, count, &a->asked.home);
}

void lines_place(struct access *a)
{
    const struct sm_env *env = a->sm->env;

    if (a->placed || !env->port->ops->place)
        return;
    env->port->ops->place(env->port, a->lines.line, a->lines.count, &a->asked.home);
    a->placed = true;
}

void lines_send(struct access *a, uint32_t first, uint32_t end)
{
    const struct sm_env *env = a->sm->env;
    struct mem_batch *b = &a->asked;

    if (first == end)
        return;
    lines_charge(a);
    lines_place(a);
    for (uint32_t k = first; env->observer && env->port->ops->observed && k < end; k++) {
        uint32_t i = b->which[k];
        const struct mem_request r = line_request(a, i, b->ask[i], (enum mem_kind)b->kind, b->lanes[i], b->made[i]);

        b->watch[i] = observer_request(env->observer, &r);
    }
    env->port->ops->send(env->port, b, first, end, event_queue_now(env->queue));
}
