/* ptx/warp/strict.c: records the last write and the last reads of each word of shared memory, and bytes that
 * were never written. */
#include "ptx/warp/strict.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "ptx/warp/launch.h"
#include "ptx/memory/shadow.h"

enum {
    WARPS = PTX_WARPS_MAX,
    SYNC_HINTS = PTX_HINT_VOLATILE | PTX_HINT_RELAXED | PTX_HINT_ACQUIRE | PTX_HINT_RELEASE
};

struct clocks {
    uint32_t of[WARPS];
};

/* An access to a word. */
struct touched {
    const struct ptx_code *code;
    uint32_t op, clock; /* clock: of its warp; 0: no access */
    uint16_t thread;    /* in the CTA */
    uint8_t bytes;      /* accessed bytes of the word, one bit each */
    bool ordered;       /* an atomic or volatile access */
};
struct word {
    struct touched write, reads[2]; /* reads: the latest of two different warps */
};

struct ptx_strict {
    uint32_t bytes;
    uint8_t *written; /* one bit for each byte */
    struct word *words;
    struct clocks warps[WARPS];           /* for each warp: the clocks of all warps that it knows of */
    struct clocks barriers[PTX_BARRIERS]; /* for each barrier: the maximum of the arrived warps' clocks */
    struct clocks memory;                 /* clocks that atomics and similar operations have passed on */
};

struct ptx_strict *ptx_strict_new(const struct ptx_cta *c, struct err *e)
{
    struct ptx_strict *s = mem_zalloc(1, sizeof *s, e);

    if (!s)
        return NULL;
    s->bytes = c->shared_bytes;
    s->written = mem_zalloc(c->shared_bytes / 8 + 1, 1, e);
    s->words = s->written ? mem_zalloc(c->shared_bytes / 4 + 1, sizeof *s->words, e) : NULL;
    if (s->words)
        return s;
    ptx_strict_free(s);
    return NULL;
}

void ptx_strict_free(struct ptx_strict *s)
{
    if (!s)
        return;
    free(s->written);
    free(s->words);
    free(s);
}

void ptx_strict_begin(struct ptx_cta *c)
{
    struct ptx_strict *s = c->strict;

    memset(s->written, 0, s->bytes / 8 + 1);
    memset(s->written, 0xff, c->run->shared.reserved / 8); /* reserved part: zero at the begin */
    memset(s->words, 0, (s->bytes / 4 + 1) * sizeof *s->words);
    memset(s->barriers, 0, sizeof s->barriers);
    memset(&s->memory, 0, sizeof s->memory);
    memset(s->warps, 0, sizeof s->warps);
    for (uint32_t k = 0; k < WARPS; k++)
        s->warps[k].of[k] = 1;
}

void ptx_strict_resumed(struct ptx_cta *c)
{
    memset(c->strict->written, 0xff, c->strict->bytes / 8 + 1);
}

/* --- order --- */

static void learn(struct clocks *to, const struct clocks *from)
{
    for (uint32_t k = 0; k < WARPS; k++)
        to->of[k] = from->of[k] > to->of[k] ? from->of[k] : to->of[k];
}

void ptx_strict_at_barrier(struct ptx_warp *w, uint32_t number)
{
    struct ptx_strict *s = w->cta->strict;

    learn(&s->barriers[number], &s->warps[w->id]);
    s->warps[w->id].of[w->id]++;
}

void ptx_strict_past_barrier(struct ptx_warp *w, uint32_t number)
{
    learn(&w->cta->strict->warps[w->id], &w->cta->strict->barriers[number]);
}

void ptx_strict_barrier_over(struct ptx_cta *c, uint32_t number)
{
    memset(&c->strict->barriers[number], 0, sizeof c->strict->barriers[number]);
}

static void through_memory(struct ptx_warp *w)
{
    struct ptx_strict *s = w->cta->strict;

    learn(&s->warps[w->id], &s->memory);
    learn(&s->memory, &s->warps[w->id]);
    s->warps[w->id].of[w->id]++;
}

/* --- words of shared memory --- */

static bool unordered(const struct ptx_strict *s, const struct touched *then, const struct touched *now)
{
    uint32_t other = then->thread / PTX_LANES;

    return then->clock && other != now->thread / PTX_LANES && (then->bytes & now->bytes) &&
           !(then->ordered && now->ordered) && s->warps[now->thread / PTX_LANES].of[other] < then->clock;
}

static int race(struct ptx_warp *w, const struct touched *now, const struct touched *then, uint32_t at,
                const char *does, const char *did)
{
    const uint32_t *block = w->cta->run->launch.block;
    uint32_t t = then->thread;
    char place[200];

    ptx_place_text(w, then->code, then->op, place, sizeof place);
    return ptx_undefined(w, 1u << now->thread % PTX_LANES,
                         "%s shared address 0x%x, which thread (%u,%u,%u) has %s at %s, with no barrier between",
                         does, at, t % block[0], t / block[0] % block[1], t / block[0] / block[1], did, place);
}

static int note_read(struct ptx_warp *w, struct word *x, const struct touched *now, uint32_t at)
{
    if (unordered(w->cta->strict, &x->write, now))
        return race(w, now, &x->write, at, "reads", "written");
    if (x->reads[0].thread / PTX_LANES != now->thread / PTX_LANES)
        x->reads[1] = x->reads[0];
    x->reads[0] = *now;
    return 0;
}

static int note_write(struct ptx_warp *w, struct word *x, const struct touched *now, uint32_t at)
{
    if (unordered(w->cta->strict, &x->write, now))
        return race(w, now, &x->write, at, "writes", "written");
    for (int k = 0; k < 2; k++)
        if (unordered(w->cta->strict, &x->reads[k], now))
            return race(w, now, &x->reads[k], at, "writes", "read");
    x->write = *now;
    return 0;
}

/* Records an access to each word of the range. */
static int note(struct ptx_warp *w, struct touched now, uint32_t at, uint32_t bytes, bool writes)
{
    struct ptx_strict *s = w->cta->strict;

    for (uint32_t end = at + bytes, next; at < end; at = next) {
        struct word *x = &s->words[at / 4];

        next = (at / 4 + 1) * 4 < end ? (at / 4 + 1) * 4 : end;
        now.bytes = (uint8_t)(((1u << (next - at)) - 1) << at % 4);
        if (writes ? note_write(w, x, &now, at) : note_read(w, x, &now, at))
            return -1;
        for (uint32_t k = at; writes && k < next; k++)
            s->written[k / 8] |= (uint8_t)(1 << k % 8);
    }
    return 0;
}

static struct touched access_now(const struct ptx_warp *w, uint32_t lane, uint32_t op, bool ordered)
{
    return (struct touched){.code = w->code,
                            .op = op,
                            .clock = w->cta->strict->warps[w->id].of[w->id],
                            .thread = (uint16_t)(w->id * PTX_LANES + lane),
                            .ordered = ordered};
}

int ptx_strict_arrived(struct ptx_warp *w, uint32_t lane, uint32_t begun, uint32_t to, uint32_t bytes)
{
    return note(w, access_now(w, lane, begun, false), to, bytes, true);
}

static int read_unwritten(struct ptx_warp *w, uint32_t lane, uint32_t at, uint32_t bytes)
{
    const struct ptx_strict *s = w->cta->strict;

    for (uint32_t k = at; k < at + bytes; k++)
        if (!(s->written[k / 8] >> k % 8 & 1))
            return ptx_undefined(w, 1u << lane, "reads shared address 0x%x, which no thread has written", k);
    return 0;
}

static int access_shared(struct ptx_warp *w, const struct ptx_reach *r, enum ptx_use use, bool ordered)
{
    for (uint32_t left = r->mask; left; left &= left - 1) {
        uint32_t lane = ptx_first_lane(left), at = (uint32_t)r->at[lane];
        struct touched now = access_now(w, lane, w->pc, ordered);
        bool reads = use == PTX_READS || use == PTX_CHANGES;

        if (reads && (ptx_async_pending(w, lane, at, r->bytes) || read_unwritten(w, lane, at, r->bytes)))
            return -1;
        if (note(w, now, at, r->bytes, use != PTX_READS))
            return -1;
    }
    return 0;
}

void ptx_strict_from_outside(const struct ptx_reach *r, enum ptx_use use)
{
    for (uint32_t left = use == PTX_READS ? 0 : r->mask; left; left &= left - 1) {
        uint32_t at = (uint32_t)r->at[ptx_first_lane(left)];

        for (uint32_t k = at; k < at + r->bytes; k++)
            r->cta->strict->written[k / 8] |= (uint8_t)(1 << k % 8);
    }
}

/* --- device memory --- */

static int access_global(struct ptx_warp *w, const struct ptx_reach *r, enum ptx_use use)
{
    struct ptx_shadow *s = w->cta->options->shadow;

    for (uint32_t left = r->mask; left; left &= left - 1) {
        uint32_t lane = ptx_first_lane(left);
        uint64_t at = r->at[lane];

        if (use != PTX_WRITES && ptx_shadow_is_fresh(s, at, r->bytes))
            return ptx_undefined(
                w, 1u << lane, "reads %u bytes at 0x%llx, byte %llu of %s, which was never written", r->bytes,
                (unsigned long long)at, (unsigned long long)(at - device_find(w->cta->memory, at)->address),
                device_find(w->cta->memory, at)->label);
        if (use == PTX_WRITES || use == PTX_CHANGES)
            ptx_shadow_written(s, at, r->bytes);
    }
    return 0;
}

int ptx_strict_access(struct ptx_warp *w, const struct ptx_reach *r, enum ptx_use use)
{
    const struct ptx_op *op = &w->code->ops[w->pc];
    const struct ptx_access *a = op->access < w->code->access_count ? &w->code->accesses[op->access] : NULL;
    bool ordered = use == PTX_CHANGES || use == PTX_USES_BARRIER || (a && a->hints & SYNC_HINTS);

    if (r->space == PTX_SPACE_GLOBAL)
        return w->cta->options->shadow ? access_global(w, r, use) : 0;
    if (r->space != PTX_SPACE_SHARED)
        return 0;
    if (ordered)
        through_memory(w);
    if (use == PTX_COPIES_TO)
        return 0; /* copies are recorded when they arrive */
    return access_shared(w, r, use, ordered);
}
