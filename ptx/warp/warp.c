/* ptx/warp/warp.c: fragments and tokens: divergence and reconvergence of a warp. */
#include "ptx/warp/warp.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"

/* --- the current fragment --- */

void ptx_warp_enter(struct ptx_warp *w, uint32_t fragment)
{
    struct ptx_warp_state *s = w->state;
    const struct ptx_fragment *f = &s->fragments[fragment];
    const struct ptx_activation *a = &s->activations[f->activation];

    s->current = fragment;
    w->lanes = (struct ptx_lanes){a->rows, a->preds, a->carry};
    w->code = a->code;
    w->frame = a->frame;
    w->pc = f->pc;
}

void ptx_warp_leave(struct ptx_warp *w)
{
    struct ptx_warp_state *s = w->state;

    if (s->current == PTX_NONE)
        return;
    s->fragments[s->current].pc = w->pc;
    s->activations[s->fragments[s->current].activation].carry = w->lanes.carry;
    s->current = PTX_NONE;
}

uint32_t ptx_warp_stop(const struct ptx_warp *w)
{
    const struct ptx_warp_state *s = w->state;
    const struct ptx_fragment *f = &s->fragments[s->current];

    if (f->token == PTX_NONE || s->tokens[f->token].activation != f->activation)
        return PTX_NONE;
    return s->tokens[f->token].join;
}

static void remove_fragment(struct ptx_warp_state *s, uint32_t k)
{
    memmove(&s->fragments[k], &s->fragments[k + 1], (s->fragment_count - k - 1) * sizeof s->fragments[0]);
    s->fragment_count--;
    if (s->current == k)
        s->current = PTX_NONE;
    else if (s->current != PTX_NONE && s->current > k)
        s->current--;
}

struct ptx_fragment *ptx_warp_insert(struct ptx_warp *w, uint32_t lanes)
{
    struct ptx_warp_state *s = w->state;
    uint32_t at = s->current;

    memmove(&s->fragments[at + 1], &s->fragments[at], (s->fragment_count - at) * sizeof s->fragments[0]);
    s->fragment_count++;
    s->current++;
    s->fragments[at] = s->fragments[at + 1];
    s->fragments[at].mask = lanes;
    s->fragments[at + 1].mask &= ~lanes;
    return &s->fragments[at];
}

/* --- tokens --- */

uint32_t ptx_token_new(struct ptx_warp *w, uint32_t join)
{
    struct ptx_warp_state *s = w->state;
    const struct ptx_fragment *f = &s->fragments[s->current];
    struct ptx_token token = {.join = join, .activation = f->activation, .needed = f->mask, .parent = f->token};
    size_t k = 0;

    if (f->token != PTX_NONE && s->tokens[f->token].join == join && s->tokens[f->token].activation == f->activation)
        return f->token;
    while (k < s->token_count && s->tokens[k].needed)
        k++;
    if (k == s->token_count) {
        if (array_reserve((void **)&s->tokens, &s->token_capacity, k + 1, sizeof *s->tokens, w->cta->e))
            return PTX_NONE;
        s->token_count++;
    }
    s->tokens[k] = token;
    return (uint32_t)k;
}

/* All lanes that the token needs have parked. They continue as one fragment, the latest of theirs. */
static void meet(struct ptx_warp_state *s, uint32_t token)
{
    struct ptx_token *t = &s->tokens[token];
    uint32_t mask = 0, keep = PTX_NONE;

    for (uint32_t k = s->fragment_count; k-- > 0;) {
        const struct ptx_fragment *f = &s->fragments[k];

        if (f->token != token || f->state != PTX_PARKED)
            continue;
        mask |= f->mask;
        if (keep == PTX_NONE) {
            keep = k;
            continue;
        }
        remove_fragment(s, k);
        keep--;
    }
    t->needed = 0;
    if (keep == PTX_NONE)
        return;
    s->fragments[keep].mask = mask;
    s->fragments[keep].state = PTX_READY;
    s->fragments[keep].token = t->parent;
}

static void meet_complete(struct ptx_warp_state *s)
{
    for (uint32_t k = 0; k < s->token_count; k++)
        if (s->tokens[k].needed && s->tokens[k].parked == s->tokens[k].needed)
            meet(s, k);
}

void ptx_warp_park(struct ptx_warp *w)
{
    struct ptx_warp_state *s = w->state;
    uint32_t token = s->fragments[s->current].token;

    s->tokens[token].parked |= s->fragments[s->current].mask;
    s->fragments[s->current].state = PTX_PARKED;
    ptx_warp_leave(w);
    if (s->tokens[token].parked == s->tokens[token].needed)
        meet(s, token);
}

/* Removes the fragment's lanes from its token. They stay with the token's parent. */
static void leave_token(struct ptx_warp_state *s, struct ptx_fragment *f)
{
    struct ptx_token *t = &s->tokens[f->token];

    t->needed &= ~f->mask;
    t->parked &= ~f->mask;
    f->token = t->parent;
}

void ptx_warp_leave_tokens_of(struct ptx_warp *w, struct ptx_fragment *f, uint32_t activation)
{
    struct ptx_warp_state *s = w->state;

    while (f->token != PTX_NONE && s->tokens[f->token].activation == activation)
        leave_token(s, f);
    meet_complete(s);
}

static bool let_parked_go(struct ptx_warp *w)
{
    struct ptx_warp_state *s = w->state;
    bool any = false;

    for (uint32_t k = 0; k < s->fragment_count; k++) {
        struct ptx_fragment *f = &s->fragments[k];

        if (f->state != PTX_PARKED)
            continue;
        leave_token(s, f);
        f->state = PTX_READY;
        any = true;
    }
    return any;
}

/* --- events of fragments --- */

int ptx_warp_split(struct ptx_warp *w, uint32_t taken, uint32_t target, uint32_t other, uint32_t join,
                   bool taken_first)
{
    struct ptx_warp_state *s = w->state;
    struct ptx_fragment *f = &s->fragments[s->current], *later;
    uint32_t rest = f->mask & ~taken;

    if (join != PTX_NONE && (f->token = ptx_token_new(w, join)) == PTX_NONE)
        return -1;
    later = ptx_warp_insert(w, taken_first ? rest : taken);
    later->pc = taken_first ? other : target;
    w->pc = taken_first ? target : other;
    return 0;
}

void ptx_warp_move(struct ptx_warp *w, uint32_t activation, uint32_t pc)
{
    struct ptx_warp_state *s = w->state;
    uint32_t k = s->current;

    ptx_warp_leave(w);
    s->fragments[k].activation = activation;
    s->fragments[k].pc = pc;
    ptx_warp_enter(w, k);
}

void ptx_warp_exit(struct ptx_warp *w, uint32_t lanes)
{
    struct ptx_warp_state *s = w->state;

    w->live &= ~lanes;
    s->fragments[s->current].mask &= ~lanes;
    if (!s->fragments[s->current].mask) {
        uint32_t gone = s->current;

        ptx_warp_leave(w);
        remove_fragment(s, gone);
    } else {
        w->pc++;
    }
    for (size_t k = 0; k < s->activation_count; k++)
        s->activations[k].lanes &= ~lanes;
    for (size_t k = 0; k < s->token_count; k++) {
        s->tokens[k].needed &= ~lanes;
        s->tokens[k].parked &= ~lanes;
    }
    meet_complete(s);
}

void ptx_warp_merge(struct ptx_warp *w)
{
    struct ptx_warp_state *s = w->state;

    for (uint32_t k = s->fragment_count; k-- > 1;)
        for (uint32_t i = k; i-- > 0;) {
            struct ptx_fragment *a = &s->fragments[k], *b = &s->fragments[i];

            if (a->state != PTX_READY || b->state != PTX_READY || a->pc != b->pc || a->token != b->token ||
                a->activation != b->activation)
                continue;
            a->mask |= b->mask;
            remove_fragment(s, i);
            if (s->again != PTX_NONE && s->again >= i)
                s->again = s->again == i ? k - 1 : s->again - 1;
            k--;
        }
}

static uint32_t newest_ready(const struct ptx_warp_state *s)
{
    for (uint32_t k = s->fragment_count; k-- > 0;)
        if (s->fragments[k].state == PTX_READY)
            return k;
    return PTX_NONE;
}

bool ptx_warp_pick(struct ptx_warp *w)
{
    struct ptx_warp_state *s = w->state;
    uint32_t k = newest_ready(s);

    if (k == PTX_NONE && let_parked_go(w)) {
        ptx_warp_merge(w);
        k = newest_ready(s);
    }
    if (k == PTX_NONE)
        return false;
    ptx_warp_enter(w, k);
    return true;
}

bool ptx_warp_give_way(struct ptx_warp *w)
{
    struct ptx_warp_state *s = w->state;
    struct ptx_fragment spins = s->fragments[s->current];
    uint32_t at = s->current;

    ptx_warp_leave(w);
    spins.pc = w->pc;
    memmove(&s->fragments[1], &s->fragments[0], at * sizeof s->fragments[0]);
    s->fragments[0] = spins;
    if (newest_ready(s) == 0 && let_parked_go(w))
        ptx_warp_merge(w);
    return newest_ready(s) != 0;
}

/* --- begin and end --- */

int ptx_warp_begin(struct ptx_warp *w, uint32_t module, const struct ptx_code *code, uint32_t threads)
{
    struct ptx_warp_state *s = w->state;

    w->live = threads < PTX_LANES ? (1u << threads) - 1 : UINT32_MAX;
    s->fragment_count = 1;
    s->current = PTX_NONE;
    s->token_count = 0;
    s->spins = 0;
    s->polls = s->waited = s->yields = false;
    s->again = PTX_NONE;
    s->spin = (struct ptx_spin){.progress = UINT64_MAX};
    for (size_t k = 0; k < s->activation_count; k++)
        s->activations[k].lanes = 0;
    s->fragments[0] = (struct ptx_fragment){.mask = w->live, .token = PTX_NONE, .state = PTX_READY};
    s->fragments[0].activation = ptx_activation_new(w, module, code, PTX_NONE, w->live);
    return s->fragments[0].activation == PTX_NONE ? -1 : 0;
}

void ptx_warp_release(struct ptx_warp *w)
{
    struct ptx_warp_state *s = w->state;

    for (size_t k = 0; s && k < s->activation_count; k++)
        free(s->activations[k].rows);
    if (s) {
        free(s->activations);
        free(s->tokens);
        free(s->slice.needed);
    }
    free(s);
    free(w->local);
}
