#include "simcore/trace/polls.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/assert.h"

enum { WORDS_MAX = 1 << 20, SLOTS_FIRST = 256, ACCESS_WORDS_MAX = 8 /* 256 bits */ };

/* --- the table of polled words --- */

static size_t slot_of(const struct poll_plan *p, uint64_t address)
{
    size_t i = (size_t)(address / POLL_WORD_BYTES * 0x9e3779b97f4a7c15ull >> 20) & (p->slot_count - 1);

    while (p->slots[i] && p->words[p->slots[i] - 1].address != address)
        i = (i + 1) & (p->slot_count - 1);
    return i;
}

struct poll_word *poll_plan_find(const struct poll_plan *p, uint64_t address)
{
    uint32_t at = p->slot_count ? p->slots[slot_of(p, address)] : 0;

    return at ? &p->words[at - 1] : NULL;
}

static int grow_slots(struct poll_plan *p, struct err *e)
{
    size_t more = p->slot_count ? p->slot_count * 2 : SLOTS_FIRST;
    uint32_t *slots = mem_zalloc(more, sizeof *slots, e);

    if (!slots)
        return -1;
    free(p->slots);
    p->slots = slots;
    p->slot_count = more;
    for (size_t i = 0; i < p->count; i++)
        p->slots[slot_of(p, p->words[i].address)] = (uint32_t)i + 1;
    return 0;
}

/* Words beyond WORDS_MAX are not added: no poll waits for them. */
static int add_word(struct poll_plan *p, uint64_t address, struct err *e)
{
    void *words = p->words;

    if (p->count == WORDS_MAX || poll_plan_find(p, address))
        return 0;
    if ((p->count + 1) * 2 > p->slot_count && grow_slots(p, e) < 0)
        return -1;
    if (array_reserve(&words, &p->capacity, p->count + 1, sizeof *p->words, e) < 0)
        return -1;
    p->words = words;
    p->words[p->count++] = (struct poll_word){.address = address};
    p->slots[slot_of(p, address)] = (uint32_t)p->count;
    return 0;
}

static void plan_free(struct poll_plan *p)
{
    if (!p)
        return;
    free(p->words);
    free(p->slots);
    free(p->waiters);
    free(p);
}

/* --- the source --- */

struct poll_source {
    struct inst_source source; /* must be the first member */
    struct inst_source *inner;
    struct poll_again again;
    struct poll_scan scan;
    struct poll_kept kept;
    uint64_t dropped, warps; /* instructions left out; warps with polls so far */
    bool tried;              /* the writers have been looked for */
};

static void kept_free(struct poll_kept *k)
{
    free(k->insts);
    free(k->found);
    memset(k, 0, sizeof *k);
}

/* The address window of shared or local memory: not global. */
static bool in_window(const struct kernel_info *k, uint64_t address)
{
    return (k->shared_base && address - k->shared_base < WINDOW_BYTES) ||
           (k->local_base && address - k->local_base < WINDOW_BYTES);
}

static uint32_t words_of(const struct trace_inst *i)
{
    uint32_t n = (i->width + POLL_WORD_BYTES - 1u) / POLL_WORD_BYTES;

    return n > ACCESS_WORDS_MAX ? ACCESS_WORDS_MAX : n;
}

static uint64_t word_at(uint64_t address, uint32_t k)
{
    return address / POLL_WORD_BYTES * POLL_WORD_BYTES + (uint64_t)k * POLL_WORD_BYTES;
}

/* --- the writers of polled words: the launch is read twice more --- */

typedef int warp_fn(struct poll_source *s, const struct inst_source *from, const struct poll_scan *scan,
                    const struct cta_trace *cta, const struct warp_inst *insts, uint32_t count,
                    const struct poll_kept *k, struct err *e);

/* Calls `fn` for each warp, with its polls. */
static int each_warp(struct poll_source *s, const struct inst_source *from, struct poll_scan *scan,
                     const struct cta_trace *cta, warp_fn *fn, struct err *e)
{
    struct poll_kept k = {.insts = NULL};
    int ret = poll_scan_extend(scan, from, e);

    for (uint32_t w = 0; w < cta->warp_count && ret == 0; w++) {
        const struct cta_warp *warp = &cta->warps[w];
        int polls;

        if (!warp->count)
            continue;
        k.inst_count = k.found_count = 0;
        polls = poll_scan_warp(scan, from, cta, warp, &k, e);
        if (polls < 0)
            ret = -1;
        else
            ret = fn(s, from, scan, cta, polls ? k.insts : warp->insts,
                     polls ? (uint32_t)k.inst_count : warp->ready, &k, e);
    }
    kept_free(&k);
    return ret;
}

static int read_again(struct poll_source *s, warp_fn *fn, struct err *e)
{
    struct poll_scan scan = {.class = NULL};
    struct inst_source *from;
    struct cta_trace *cta;
    uint64_t ctas = 0;
    int got;

    if (s->again.open(s->again.ctx, &from, e) < 0)
        return -1;
    while ((got = inst_source_next_cta(from, &cta, e)) > 0) {
        int ret = each_warp(s, from, &scan, cta, fn, e);

        ctas++;
        inst_source_release_cta(from, cta);
        if (ret < 0) {
            got = -1;
            break;
        }
    }
    s->again.partial |= ctas < (uint64_t)from->info.grid[0] * from->info.grid[1] * from->info.grid[2];
    poll_scan_release(&scan);
    inst_source_release(from);
    return got;
}

static int add_polled(struct poll_source *s, const struct inst_source *from, const struct poll_scan *scan,
                      const struct cta_trace *cta, const struct warp_inst *insts, uint32_t count,
                      const struct poll_kept *k, struct err *e)
{
    (void)scan;
    (void)count;
    for (size_t f = 0; f < k->found_count; f++) {
        const struct warp_inst *wi = &insts[k->found[f].at];
        uint64_t address[WARP_LANES];

        if (!poll_lanes(from, cta, wi, address))
            continue;
        for (uint32_t left = wi->mask; left; left &= left - 1)
            for (uint32_t n = 0; n < words_of(&from->insts[wi->inst]); n++) {
                uint64_t word = word_at(address[__builtin_ctz(left)], n);

                if (!in_window(&from->info, word) && add_word(s->source.polls, word, e) < 0)
                    return -1;
            }
    }
    return 0;
}

/* The polled words that an instruction writes, once for each lane. */
struct writes {
    const struct poll_plan *plan;
    const struct inst_source *from;
    const struct warp_inst *wi;
    const uint64_t *address; /* of each lane */
    uint32_t left, nth;      /* lanes to come; word of the first of them */
};

/* NULL: no more. */
static struct poll_word *next_write(struct writes *x)
{
    uint32_t words = words_of(&x->from->insts[x->wi->inst]);

    while (x->left) {
        uint64_t address = x->address[__builtin_ctz(x->left)];
        struct poll_word *word = poll_plan_find(x->plan, word_at(address, x->nth));

        if (++x->nth >= words) {
            x->nth = 0;
            x->left &= x->left - 1;
        }
        if (word)
            return word;
    }
    return NULL;
}

static int count_writes(struct poll_source *s, const struct inst_source *from, const struct poll_scan *scan,
                        const struct cta_trace *cta, const struct warp_inst *insts, uint32_t count,
                        const struct poll_kept *k, struct err *e)
{
    size_t f = 0;

    (void)e;
    for (uint32_t i = 0; i < count; i++) {
        const struct warp_inst *wi = &insts[i];
        uint16_t class = scan->class[wi->inst];
        bool poll = f < k->found_count && k->found[f].at == i;
        uint64_t address[WARP_LANES];

        f += poll;
        s->again.partial |= (class & POLL_UNSEEN) != 0;
        if (!(class & POLL_WRITE) || poll || !poll_lanes(from, cta, wi, address))
            continue;
        struct writes writes = {s->source.polls, from, wi, address, wi->mask, 0};

        for (struct poll_word *word; (word = next_write(&writes)) != NULL;) {
            if (!word->writes++)
                word->writer = from->insts[wi->inst].pc;
            word->atomics |= (class & POLL_COUNTS) != 0;
            word->early += cta->index < s->source.polls->at;
        }
    }
    return 0;
}

static int find_writers(struct poll_source *s, uint64_t at, struct err *e)
{
    s->tried = true;
    if (!s->again.open)
        return 0;
    s->source.polls = mem_zalloc(1, sizeof *s->source.polls, e);
    if (!s->source.polls)
        return -1;
    s->source.polls->at = at;
    if (read_again(s, add_polled, e) < 0 || read_again(s, count_writes, e) < 0)
        return err_wrap(e, "to find what its polling loops wait for");
    return 0;
}

/* --- what a poll waits for --- */

/* The polled word of an access: the first one that has a writer, else the first. NULL: not known. */
static struct poll_word *polled_word(const struct poll_plan *p, const struct trace_inst *i, uint64_t address)
{
    struct poll_word *first = poll_plan_find(p, word_at(address, 0));

    for (uint32_t n = 0; n < words_of(i); n++) {
        struct poll_word *word = poll_plan_find(p, word_at(address, n));

        if (word && word->writes)
            return word;
    }
    return first;
}

/* How many writes by others end a warp's n-th poll of a word, of `of` polls.
 *
 * Values are not recorded. Atomics count arrivals: at a barrier of the grid, each poll needs the same share of all
 * arrivals. A store sets a flag: a warp that polls once needs the first one, a warp that polls for each of the
 * stores the n-th. */
static uint64_t wanted_writes(const struct poll_word *word, uint64_t others)
{
    const struct poll_own *own = &word->own;

    if (!word->atomics && own->polls == 1)
        return 1;
    return (own->nth * others + own->polls - 1) / own->polls;
}

static int push_need(struct cta_polls *p, const struct poll_need *need, struct err *e)
{
    void *needs = p->needs;

    if (array_reserve(&needs, &p->need_capacity, p->need_count + 1, sizeof *p->needs, e) < 0)
        return -1;
    p->needs = needs;
    p->needs[p->need_count++] = *need;
    return 0;
}

static bool has_need(const struct cta_polls *p, uint32_t first, uint32_t word)
{
    for (size_t i = first; i < p->need_count; i++)
        if (p->needs[i].word == word)
            return true;
    return false;
}

struct warp_polls {
    struct poll_source *s;
    const struct cta_trace *cta;
    const struct warp_inst *insts;
    uint32_t count;
    const struct poll_found *found; /* in the order of the instructions */
    size_t n;
    struct cta_polls *out;
};

/* The counts of this warp; they begin with 0. */
static struct poll_own *own_of(const struct poll_source *s, struct poll_word *word)
{
    if (word->own.warp != s->warps)
        word->own = (struct poll_own){.warp = s->warps};
    return &word->own;
}

/* The condition of a poll at one word. There is no wait for a word that only the warp itself writes, or that has no
 * known writer if one may be outside of the launch, or if the poll is only a guess. */
static int add_need(const struct warp_polls *w, const struct poll_found *f, struct poll_word *word, struct err *e)
{
    const struct poll_source *s = w->s;
    const struct poll_own *own = own_of(s, word);
    uint64_t others = word->writes - (own->all < word->writes ? own->all : word->writes);
    struct poll_need need = {.word = (uint32_t)(word - s->source.polls->words), .own = own->before};

    need.lock = s->scan.class[w->insts[f->at].inst] & POLL_ATOMIC && own->all > own->before;
    if (!need.lock && others)
        need.writes = own->before + wanted_writes(word, others);
    else if (!need.lock && !own->all && (f->marked || f->rounds > 1) && !s->again.partial)
        need.writes = UINT64_MAX;
    else if (!need.lock)
        return 0;
    return push_need(w->out, &need, e);
}

static int add_wait(const struct warp_polls *w, const struct poll_found *f, const uint64_t address[],
                    uint32_t round, struct err *e)
{
    const struct warp_inst *wi = &w->insts[f->at];
    const struct trace_inst *in = &w->s->source.insts[wi->inst];
    struct poll_wait wait = {.at = f->at,
                             .first = (uint32_t)w->out->need_count,
                             .pc = in->pc,
                             .end = f->end,
                             .sure = f->marked || f->rounds > 1};
    void *waits = w->out->waits;

    for (uint32_t left = wi->mask; left; left &= left - 1) {
        struct poll_word *word = polled_word(w->s->source.polls, in, address[__builtin_ctz(left)]);

        if (!word || has_need(w->out, wait.first, (uint32_t)(word - w->s->source.polls->words)))
            continue;
        own_of(w->s, word)->nth += word->own.last != round;
        word->own.last = round;
        if (add_need(w, f, word, e) < 0)
            return -1;
    }
    wait.last = (uint32_t)w->out->need_count;
    if (array_reserve(&waits, &w->out->wait_capacity, w->out->wait_count + 1, sizeof *w->out->waits, e) < 0)
        return -1;
    w->out->waits = waits;
    w->out->waits[w->out->wait_count++] = wait;
    return 0;
}

static void count_polls(const struct warp_polls *w, const struct warp_inst *wi, const uint64_t address[],
                        uint32_t round)
{
    for (uint32_t left = wi->mask; left; left &= left - 1) {
        struct poll_word *word =
            polled_word(w->s->source.polls, &w->s->source.insts[wi->inst], address[__builtin_ctz(left)]);

        if (!word || (own_of(w->s, word)->last == round && word->own.polls))
            continue;
        word->own.polls++;
        word->own.last = round;
    }
}

/* Goes through the warp: counts its polls and writes of polled words; the second time, adds what each poll waits
 * for. Two polls of a word without an effect of the warp between them are one: the first try can be outside of the
 * loop. */
static int walk(const struct warp_polls *w, bool again, struct err *e)
{
    const struct poll_found *f = w->found, *end = w->found + w->n;
    uint32_t round = again ? w->count + 1 : 1; /* another number than in the first walk */

    for (uint32_t i = 0; i < w->count; i++) {
        const struct warp_inst *wi = &w->insts[i];
        uint16_t class = w->s->scan.class[wi->inst];
        bool poll = f < end && f->at == i;
        uint64_t address[WARP_LANES];

        if (!poll && !(class & (POLL_WRITE | POLL_STOP)))
            continue;
        round += !poll;
        f += poll;
        if (!(poll || class & POLL_WRITE) || !poll_lanes(w->s->inner, w->cta, wi, address))
            continue;
        if (poll && !again)
            count_polls(w, wi, address, round);
        if (poll && again && add_wait(w, f - 1, address, round, e) < 0)
            return -1;
        if (poll)
            continue;
        struct writes writes = {w->s->source.polls, w->s->inner, wi, address, wi->mask, 0};

        for (struct poll_word *word; (word = next_write(&writes)) != NULL;) {
            own_of(w->s, word)->all += !again;
            word->own.before += again;
        }
    }
    return 0;
}

/* --- CTAs --- */

static void polls_free(struct cta_polls *p)
{
    if (!p)
        return;
    free(p->waits);
    free(p->needs);
    free(p->warp_first);
    free(p->insts);
    free(p);
}

/* Where the kept instructions of a warp begin; `polls`: false: the warp keeps its own. */
struct part {
    size_t inst, found;
    bool polls;
};

static int scan_cta(struct poll_source *s, const struct cta_trace *cta, struct part *parts, struct err *e)
{
    struct poll_kept *k = &s->kept;
    int any = 0;

    k->inst_count = k->found_count = 0;
    k->dropped = 0;
    for (uint32_t w = 0; w < cta->warp_count; w++) {
        int got = 0;

        parts[w] = (struct part){k->inst_count, k->found_count, false};
        if (cta->warps[w].count)
            got = poll_scan_warp(&s->scan, s->inner, cta, &cta->warps[w], k, e);
        if (got < 0)
            return -1;
        parts[w].polls = got;
        any |= got;
    }
    parts[cta->warp_count] = (struct part){k->inst_count, k->found_count, false};
    return any;
}

/* The CTA gets the kept instructions, which its polls own. */
static int attach(struct poll_source *s, struct cta_trace *cta, const struct part *parts, struct cta_polls *p,
                  struct err *e)
{
    p->warp_first = mem_zalloc(cta->warp_count + 1, sizeof *p->warp_first, e);
    if (!p->warp_first)
        return -1;
    p->insts = s->kept.insts;
    s->kept.insts = NULL;
    s->kept.inst_capacity = 0;
    for (uint32_t w = 0; w < cta->warp_count; w++) {
        const struct warp_polls x = {.s = s,
                                     .cta = cta,
                                     .insts = p->insts + parts[w].inst,
                                     .count = (uint32_t)(parts[w + 1].inst - parts[w].inst),
                                     .found = s->kept.found + parts[w].found,
                                     .n = parts[w + 1].found - parts[w].found,
                                     .out = p};

        p->warp_first[w] = (uint32_t)p->wait_count;
        s->warps++;
        if (!parts[w].polls)
            continue;
        if (s->source.polls && (walk(&x, false, e) < 0 || walk(&x, true, e) < 0))
            return -1;
        cta->warps[w].insts = x.insts;
        cta->warps[w].count = cta->warps[w].ready = x.count;
    }
    p->warp_first[cta->warp_count] = (uint32_t)p->wait_count;
    return 0;
}

static int take_polls(struct poll_source *s, struct cta_trace *cta, struct err *e)
{
    struct part *parts = mem_zalloc((size_t)cta->warp_count + 1, sizeof *parts, e);
    int any = parts ? scan_cta(s, cta, parts, e) : -1, ret = any < 0 ? -1 : 0;

    if (any > 0 && !s->tried)
        ret = find_writers(s, cta->index, e);
    if (any > 0 && ret == 0) {
        cta->polls = mem_zalloc(1, sizeof *cta->polls, e);
        ret = cta->polls ? attach(s, cta, parts, cta->polls, e) : -1;
        s->dropped += s->kept.dropped;
    }
    free(parts);
    return ret;
}

static void show(struct poll_source *s)
{
    inst_source_share_tables(&s->source, s->inner);
    s->source.repairs.polls += s->dropped;
}

static void release_cta(struct inst_source *source, struct cta_trace *cta)
{
    polls_free(cta->polls);
    cta->polls = NULL;
    inst_source_release_cta(((struct poll_source *)source)->inner, cta);
}

static int next_cta(struct inst_source *source, struct cta_trace **out, struct err *e)
{
    struct poll_source *s = (struct poll_source *)source;
    int got;

    /* A window does not show whole loops. So code with loads that have a scope is read whole. */
    if (poll_scan_extend(&s->scan, s->inner, e) < 0)
        return -1;
    s->inner->windowed = source->windowed && !s->scan.strong;
    got = inst_source_next_cta(s->inner, out, e);
    show(s);
    if (got <= 0)
        return got;
    (*out)->polls = NULL;
    if (poll_scan_extend(&s->scan, s->inner, e) == 0 && ((*out)->window || take_polls(s, *out, e) == 0)) {
        show(s);
        return got;
    }
    release_cta(source, *out);
    *out = NULL;
    return -1;
}

static void release(struct inst_source *source)
{
    struct poll_source *s = (struct poll_source *)source;

    poll_scan_release(&s->scan);
    kept_free(&s->kept);
    plan_free(s->source.polls);
    free(s);
}

static int survey(struct inst_source *source, struct survey *out, struct err *e)
{
    struct inst_source *inner = ((struct poll_source *)source)->inner;

    return inner->survey(inner, out, e);
}

struct inst_source *poll_source_new(struct inst_source *inner, const struct poll_again *again, struct err *e)
{
    static const struct inst_source_ops ops = {"polls", next_cta, release_cta, release};
    struct poll_source *s = mem_zalloc(1, sizeof *s, e);

    if (!s)
        return NULL;
    s->inner = inner;
    s->again = *again;
    s->source.ops = &ops;
    s->source.info = inner->info; /* the inner source owns the name */
    s->source.warm = inner->warm;
    s->source.survey = inner->survey ? survey : NULL;
    show(s);
    return &s->source;
}
