#include "simcore/sm/poll.h"

#include "base/array.h"
#include "simcore/sm/cluster.h"
#include "simcore/sm/cta_scheduler.h"
#include "simcore/sm/warp_slots.h"

void poll_begin(struct poll_plan *p, uint64_t issued)
{
    p->begun = true;
    p->from = issued ? p->at : 0;
    for (size_t i = 0; i < p->count && issued; i++)
        p->words[i].seen = p->words[i].early;
}

static const struct cta_polls *polls_of(const struct sm *sm, const struct warp *w)
{
    return sm->cta[w->cta].trace->polls;
}

static uint32_t position_of(const struct cta_polls *p, uint32_t warp, uint32_t nth)
{
    uint32_t at = p->warp_first[warp] + nth;

    return at < p->warp_first[warp + 1] ? p->waits[at].at : UINT32_MAX;
}

uint32_t poll_first(const struct cta_trace *cta, uint32_t warp)
{
    return cta->polls ? position_of(cta->polls, warp, 0) : UINT32_MAX;
}

/* --- waiting --- */

static bool is_met(const struct poll_plan *p, const struct poll_need *n)
{
    const struct poll_word *word = &p->words[n->word];

    return n->lock ? !word->held : word->seen >= n->writes;
}

static void sleep_until(struct sm *sm, uint32_t slot, uint32_t t, uint32_t until)
{
    struct sub_core *sc = &sm->sub[slot % SUB_CORES];

    sc->ready[slot / SUB_CORES] = until;
    sc->reason[slot / SUB_CORES] = SLOT_SYNC;
    sc->next = time_max(warp_slots_earliest(sc), t);
}

static void wait_for(struct sm *sm, uint32_t slot, const struct poll_wait *wait, struct poll_need *need, uint32_t t)
{
    const struct warp *w = &sm->warp[slot];
    struct poll_plan *p = w->launch->source->polls;
    void *waiters = p->waiters;

    if (array_reserve(&waiters, &p->waiter_capacity, p->waiter_count + 1, sizeof *p->waiters, &sm->env->err) < 0) {
        sm->env->failed = true;
        return;
    }
    p->waiters = waiters;
    p->waiters[p->waiter_count++] = (struct poll_waiter){.need = need,
                                                         .wait = wait,
                                                         .cta = sm->cta[w->cta].trace->index,
                                                         .sm = (uint16_t)sm->index,
                                                         .slot = (uint16_t)slot,
                                                         .warp = w->index};
    p->words[need->word].waiting++;
    w->launch->count.poll_waits++;
    sleep_until(sm, slot, t, SM_NEVER);
    cluster_wait_outside(sm, slot, t);
}

/* The latest completion of the writes that the poll waits for. */
static uint64_t complete_at(const struct poll_plan *p, const struct cta_polls *polls, const struct poll_wait *wait)
{
    uint64_t done = 0;

    for (uint32_t i = wait->first; i < wait->last; i++)
        if (p->words[polls->needs[i].word].done > done)
            done = p->words[polls->needs[i].word].done;
    return done;
}

bool poll_passes(struct sm *sm, uint32_t slot, uint32_t t)
{
    struct warp *w = &sm->warp[slot];
    const struct cta_polls *polls = polls_of(sm, w);
    const struct poll_wait *wait = &polls->waits[polls->warp_first[w->index] + w->polls];
    struct poll_plan *p = w->launch->source->polls;
    uint64_t done;

    for (uint32_t i = wait->first; i < wait->last; i++)
        if (!is_met(p, &polls->needs[i])) {
            wait_for(sm, slot, wait, &polls->needs[i], t);
            return false;
        }
    done = p ? complete_at(p, polls, wait) : 0;
    if (done > sm->base + t) {
        sleep_until(sm, slot, t, sm_local(sm, done));
        return false;
    }
    for (uint32_t i = wait->first; i < wait->last; i++)
        p->words[polls->needs[i].word].held |= polls->needs[i].lock;
    w->launch->count.polls++;
    w->launch->count.polls_unknown += wait->first == wait->last;
    w->poll_at = position_of(polls, w->index, ++w->polls);
    return true;
}

/* --- writing --- */

static void wake(struct sm_env *env, struct poll_plan *p, size_t i, uint64_t cycle)
{
    const struct poll_waiter x = p->waiters[i];

    p->words[x.need->word].waiting--;
    cluster_go_on(&env->scheduler->sms[x.sm], x.slot, cycle, SLOT_SYNC);
}

/* Wakes the warps whose wait for the word is over, in the order in which they began to wait. */
static void wake_all(struct sm_env *env, struct poll_plan *p, uint32_t word)
{
    size_t kept = 0;

    for (size_t i = 0; i < p->waiter_count; i++) {
        const struct poll_waiter *x = &p->waiters[i];

        if (x->need->word == word && is_met(p, x->need))
            wake(env, p, i, p->words[word].done);
        else
            p->waiters[kept++] = *x;
    }
    p->waiter_count = kept;
}

/* Whether the instruction that is executed now is a poll; it has already issued. */
static bool polls_now(const struct sm *sm, const struct warp *w)
{
    const struct cta_polls *polls = polls_of(sm, w);

    return polls && w->polls && polls->waits[polls->warp_first[w->index] + w->polls - 1].at + 1 == w->position;
}

void poll_wrote(const struct access *a, uint32_t done)
{
    struct sm *sm = a->sm;
    struct poll_plan *p = a->warp->launch->source->polls;
    uint32_t words = (a->width + POLL_WORD_BYTES - 1) / POLL_WORD_BYTES;
    uint64_t address[WARP_LANES];

    if (sm->cta[a->warp->cta].trace->index < p->from || polls_now(sm, a->warp))
        return;
    lanes_expand(&a->lanes, a->mask, address);
    for (uint32_t left = a->mask; left; left &= left - 1)
        for (uint32_t k = 0; k < words; k++) {
            uint64_t first = address[__builtin_ctz(left)] / POLL_WORD_BYTES * POLL_WORD_BYTES;
            struct poll_word *word = poll_plan_find(p, first + (uint64_t)k * POLL_WORD_BYTES);

            if (!word)
                continue;
            word->seen++;
            word->held = false;
            word->done = sm->base + done > word->done ? sm->base + done : word->done;
            if (word->waiting)
                wake_all(sm->env, p, (uint32_t)(word - p->words));
        }
}

/* --- polls that wait for too much --- */

/* Whether the wait may be an error of ours: the number of writes is a guess, or that it polls at all. */
static bool is_guess(const struct poll_plan *p, const struct poll_waiter *x)
{
    return !x->wait->sure || (!x->need->lock && p->words[x->need->word].seen > x->need->own);
}

bool poll_give_up(struct sm_env *env, struct launch *l)
{
    struct poll_plan *p = l->source ? l->source->polls : NULL;

    for (size_t i = 0; p && i < p->waiter_count; i++) {
        struct poll_need *need = p->waiters[i].need;

        if (!is_guess(p, &p->waiters[i]))
            continue;
        need->writes = p->words[need->word].seen;
        need->lock = false;
        l->count.polls_given_up++;
        wake(env, p, i, clock_from_ps(&env->clock, event_queue_now(env->queue)));
        for (size_t k = i + 1; k < p->waiter_count; k++)
            p->waiters[k - 1] = p->waiters[k];
        p->waiter_count--;
        return true;
    }
    return false;
}
