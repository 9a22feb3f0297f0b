#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "simcore/trace/fields.h"
#include "simcore/trace/polls.h"

enum {
    ROUND_MAX = 64, /* instructions of a polling loop; real ones have about ten */
    AHEAD_MAX = 12, /* instructions from a poll to the branch that ends its loop, if only one round was recorded */
    /* A branch that reaches VAIN_MAX is not looked at again: after four loops that did not poll, or 128 executions
     * that did not jump back. */
    VAIN_LOOP = 32,
    VAIN_MAX = 128
};

/* --- classes of instructions --- */

static bool named(const char *opcode, size_t n, const char *names)
{
    for (const char *p = names; *p;) {
        size_t m = strcspn(p, " ");

        if (m == n && memcmp(p, opcode, n) == 0)
            return true;
        p += m + (p[m] == ' ');
    }
    return false;
}

/* An atomic can poll if it exchanges (a lock) or if its data operand is RZ, so that it changes nothing. */
static bool atomic_polls(const char *opcode, const struct trace_inst *i)
{
    if (strstr(opcode, ".CAS") || strstr(opcode, ".EXCH"))
        return true;
    for (uint32_t s = 1; s < i->src_count; s++)
        if (i->src[s] == REG_ZERO)
            return true;
    return false;
}

static uint16_t class_of(const char *opcode, const struct trace_inst *i)
{
    size_t n = strcspn(opcode, ".");
    uint16_t class = strstr(opcode, ".STRONG") || (i->control & CONTROL_POLL) ? POLL_STRONG : 0;

    if (named(opcode, n, "BRA BRX BRXU JMP JMX"))
        return POLL_BRANCH;
    if (named(opcode, n, "LD LDG") && i->width && i->dst_count)
        return class | POLL_LOAD;
    if (named(opcode, n, "ATOM ATOMG") && i->width)
        return POLL_COUNTS | POLL_WRITE |
               (i->dst_count && atomic_polls(opcode, i) ? POLL_STRONG | POLL_LOAD | POLL_ATOMIC : POLL_STOP);
    if (named(opcode, n, "ST STG"))
        return POLL_WRITE | POLL_STOP;
    if (named(opcode, n, "RED REDG"))
        return POLL_COUNTS | POLL_WRITE | POLL_STOP;
    if (named(opcode, n, "SUST SURED SUATOM UTMASTG UTMAREDG UBLKRED") || strncmp(opcode, "UBLKCP.G", 8) == 0)
        return POLL_UNSEEN | POLL_STOP;
    if (named(
            opcode, n,
            "STS STL ATOMS BAR EXIT LDGSTS CALL RET STAS REDAS SYNCS ARRIVES UTMALDG UBLKCP HMMA IMMA DMMA HGMMA"))
        return POLL_STOP;
    if (named(opcode, n, "ISETP FSETP DSETP HSETP2 UISETP PLOP3 VOTE R2P R2UR VOTEU") ||
        (named(opcode, n, "LOP3 LOP ULOP3") && !i->dst_count))
        return POLL_TEST;
    return 0;
}

int poll_scan_extend(struct poll_scan *s, const struct inst_source *source, struct err *e)
{
    void *class = s->class, *vain = s->vain;

    if (s->count == source->inst_count)
        return 0;
    if (array_reserve(&class, &s->class_capacity, source->inst_count, sizeof *s->class, e) < 0)
        return -1;
    s->class = class;
    if (array_reserve(&vain, &s->vain_capacity, source->inst_count, 1, e) < 0)
        return -1;
    s->vain = vain;
    for (; s->count < source->inst_count; s->count++) {
        const struct trace_inst *i = &source->insts[s->count];

        s->class[s->count] = class_of(source->opcodes[i->opcode], i);
        s->vain[s->count] = 0;
        s->can_poll |= s->class[s->count] & POLL_LOAD;
        if (s->class[s->count] & POLL_LOAD && s->class[s->count] & POLL_STRONG)
            s->strong = true;
        else if (!(s->class[s->count] & POLL_BRANCH))
            continue;
        s->class[s->count] |= POLL_LOOK;
        s->looks++;
    }
    return 0;
}

void poll_scan_release(struct poll_scan *s)
{
    free(s->class);
    free(s->vain);
    memset(s, 0, sizeof *s);
}

bool poll_lanes(const struct inst_source *source, const struct cta_trace *cta, const struct warp_inst *wi,
                uint64_t address[WARP_LANES])
{
    struct lane_addresses a;
    unsigned first;

    if (!wi->mask || wi->address == UINT32_MAX || !source->insts[wi->inst].width ||
        source->insts[wi->inst].width == FIELDS_WIDTH)
        return false;
    cta_addresses(cta, wi->address, &a);
    first = (unsigned)__builtin_ctz(wi->mask);
    for (uint32_t left = wi->mask; left; left &= left - 1) {
        unsigned lane = (unsigned)__builtin_ctz(left);

        address[lane] = a.kind == ADDRESS_LIST ? a.list[lane] : a.base + (uint64_t)a.stride * (lane - first);
    }
    return true;
}

/* --- what a round does with the loaded value --- */

struct registers {
    uint64_t bits[4];
};

static void put(struct registers *r, uint32_t first, uint32_t count, bool on)
{
    for (uint32_t k = first; k < first + count && k < REG_ZERO; k++) {
        if (on)
            r->bits[k / 64] |= 1ull << k % 64;
        else
            r->bits[k / 64] &= ~(1ull << k % 64);
    }
}

static bool reads(const struct registers *r, const struct trace_inst *i)
{
    for (uint32_t s = 0; s < i->src_count; s++)
        for (uint32_t k = i->src[s]; k < i->src[s] + (uint32_t)i->src_regs[s] && k < REG_ZERO; k++)
            if (r->bits[k / 64] >> k % 64 & 1)
                return true;
    return false;
}

/* Follows the polled value through an instruction. Returns whether the instruction tests it. */
static bool follow(struct registers *polled, const struct poll_scan *s, const struct trace_inst *i, uint32_t inst)
{
    bool in = reads(polled, i);

    if (s->class[inst] & POLL_LOAD)
        in = true;
    if (i->dst_count)
        put(polled, i->dst, i->dst_regs ? i->dst_regs : 1, in);
    return in && s->class[inst] & POLL_TEST;
}

/* Registers that a round reads before it writes them, and writes: they count rounds, or collect values. */
static struct registers carried(const struct inst_source *source, const struct warp_inst *round, uint32_t n)
{
    struct registers written = {{0}}, early = {{0}};

    for (uint32_t k = 0; k < n; k++) {
        const struct trace_inst *i = &source->insts[round[k].inst];

        for (uint32_t s = 0; s < i->src_count; s++)
            for (uint32_t r = i->src[s]; r < i->src[s] + (uint32_t)i->src_regs[s] && r < REG_ZERO; r++)
                if (!(written.bits[r / 64] >> r % 64 & 1))
                    put(&early, r, 1, true);
        if (i->dst_count)
            put(&written, i->dst, i->dst_regs ? i->dst_regs : 1, true);
    }
    for (int k = 0; k < 4; k++)
        early.bits[k] &= written.bits[k];
    return early;
}

/* Whether these instructions load, test what they loaded, and have no other effect. *load: the first load. */
static bool round_polls(const struct poll_scan *s, const struct inst_source *source, const struct warp_inst *round,
                        uint32_t n, uint32_t *load)
{
    struct registers polled = {{0}}, counts;
    bool tested = false, counted = false, strong = false;

    *load = UINT32_MAX;
    for (uint32_t k = 0; k < n; k++) {
        uint16_t class = s->class[round[k].inst];

        if (class & POLL_STOP)
            return false;
        if (class & POLL_LOAD && round[k].mask && round[k].address != UINT32_MAX) {
            *load = *load == UINT32_MAX ? k : *load;
            strong |= class & POLL_STRONG;
        }
    }
    if (*load == UINT32_MAX)
        return false;
    counts = carried(source, round, n);
    for (uint32_t k = 0; k < n; k++) {
        const struct trace_inst *i = &source->insts[round[k].inst];

        counted |= s->class[round[k].inst] & POLL_TEST && reads(&counts, i);
        tested |= follow(&polled, s, i, round[k].inst);
    }
    return tested && (strong || !counted);
}

/* --- repeated rounds --- */

struct scan {
    struct poll_scan *s;
    const struct inst_source *source;
    const struct cta_trace *cta;
    const struct warp_inst *insts;
    uint32_t count;
};

static uint32_t pc_at(const struct scan *x, uint32_t i)
{
    return x->source->insts[x->insts[i].inst].pc;
}

/* Whether instruction `b` repeats `a`: the same lanes or fewer, with the same addresses. */
static bool repeats(const struct scan *x, uint32_t a, uint32_t b)
{
    const struct warp_inst *p = &x->insts[a], *q = &x->insts[b];
    uint64_t before[WARP_LANES], now[WARP_LANES];
    bool branch = x->s->class[p->inst] & POLL_BRANCH;

    if (p->inst != q->inst || (q->mask & ~p->mask && !branch))
        return false;
    if (branch || !q->mask || !x->source->insts[q->inst].width)
        return true;
    if (!poll_lanes(x->source, x->cta, p, before) || !poll_lanes(x->source, x->cta, q, now))
        return p->address == q->address;
    for (uint32_t left = q->mask; left; left &= left - 1) {
        unsigned lane = (unsigned)__builtin_ctz(left);

        if (before[lane] != now[lane])
            return false;
    }
    return true;
}

/* A loop that was found: its first round is `length` instructions from `begin` on, and `total` instructions repeat
 * it. */
struct loop {
    uint32_t begin, length, total, load;
};

/* The branch at i jumped back. Finds the loop that it closes, if that polls. `floor`: instructions before it belong
 * to a loop already found. */
static bool find_loop(const struct scan *x, uint32_t i, uint32_t floor, struct loop *out)
{
    uint32_t head = i + 1, begin = i;

    while (begin > floor && i - begin < ROUND_MAX && x->insts[begin].inst != x->insts[head].inst)
        begin--;
    if (x->insts[begin].inst != x->insts[head].inst)
        return false;
    *out = (struct loop){.begin = begin, .length = i + 1 - begin};
    if (!round_polls(x->s, x->source, x->insts + begin, out->length, &out->load))
        return false;
    out->total = out->length;
    while (begin + out->total < x->count && repeats(x, begin + out->total % out->length, begin + out->total))
        out->total++;
    return out->total > out->length + out->load;
}

static int push_inst(struct poll_kept *k, const struct warp_inst *wi, struct err *e)
{
    void *p = k->insts;

    if (array_reserve(&p, &k->inst_capacity, k->inst_count + 1, sizeof *k->insts, e) < 0)
        return -1;
    k->insts = p;
    k->insts[k->inst_count++] = *wi;
    return 0;
}

static int push_found(struct poll_kept *k, const struct poll_found *f, struct err *e)
{
    void *p = k->found;

    if (array_reserve(&p, &k->found_capacity, k->found_count + 1, sizeof *k->found, e) < 0)
        return -1;
    k->found = p;
    k->found[k->found_count++] = *f;
    return 0;
}

/* Keeps one round: that of the last try, with the lanes of the first, which has all of them. A loop that tests at
 * its begin ends with a part of a round. `first`: where the warp's kept instructions begin. */
static int keep_round(const struct scan *x, const struct loop *l, struct poll_kept *k, size_t first, struct err *e)
{
    uint32_t whole = l->total / l->length, part = l->total % l->length;
    uint32_t kept = part > l->load ? part : l->length;
    uint32_t last = l->begin + (part > l->load ? whole : whole - 1) * l->length;

    for (uint32_t i = 0; i < kept; i++) {
        bool branch = x->s->class[x->insts[l->begin + i].inst] & POLL_BRANCH;

        if (x->s->class[x->insts[l->begin + i].inst] & POLL_LOAD) {
            const struct poll_found f = {.at = (uint32_t)(k->inst_count - first),
                                         .end = pc_at(x, l->begin + l->length - 1),
                                         .rounds = whole + (part > l->load)};

            if (push_found(k, &f, e) < 0)
                return -1;
        }
        if (push_inst(k, &x->insts[branch ? last + i : l->begin + i], e) < 0)
            return -1;
    }
    for (uint32_t i = 0; kept == l->length && i < part; i++)
        if (push_inst(k, &x->insts[l->begin + whole * l->length + i], e) < 0)
            return -1;
    k->dropped += l->total - (kept + (kept == l->length ? part : 0));
    return 0;
}

/* --- polls of which one round was recorded --- */

/* Whether the load at i has a scope, and the code after it tests the loaded value and branches. */
static bool looks_like_poll(const struct scan *x, uint32_t i, uint32_t *end)
{
    struct registers polled = {{0}};
    bool tested = false;

    if (!(x->s->class[x->insts[i].inst] & POLL_STRONG))
        return false;
    follow(&polled, x->s, &x->source->insts[x->insts[i].inst], x->insts[i].inst);
    for (uint32_t k = i + 1; k < x->count && k <= i + AHEAD_MAX; k++) {
        const struct trace_inst *in = &x->source->insts[x->insts[k].inst];
        uint16_t class = x->s->class[x->insts[k].inst];

        if (class & (POLL_STOP | POLL_LOAD))
            return false;
        if (class & POLL_BRANCH) {
            *end = in->pc;
            return tested;
        }
        tested |= follow(&polled, x->s, in, x->insts[k].inst);
    }
    return false;
}

static int find_single(const struct scan *x, uint32_t i, struct poll_kept *k, size_t first, struct err *e)
{
    const struct warp_inst *wi = &x->insts[i];
    struct poll_found f = {.at = (uint32_t)(k->inst_count - first), .rounds = 1};

    if (!(x->s->class[wi->inst] & POLL_LOAD) || !wi->mask || wi->address == UINT32_MAX)
        return 0;
    f.likely = looks_like_poll(x, i, &f.end);
    f.marked = x->source->insts[wi->inst].control & CONTROL_POLL;
    if (f.marked && !f.end)
        f.end = x->source->insts[wi->inst].pc;
    return f.marked || f.likely ? push_found(k, &f, e) : 0;
}

/* --- a warp --- */

static bool jumps_back(const struct scan *x, uint32_t i)
{
    return x->s->class[x->insts[i].inst] & POLL_BRANCH && i + 1 < x->count && pc_at(x, i + 1) <= pc_at(x, i);
}

static void note_vain(struct poll_scan *s, uint32_t inst, uint32_t more)
{
    uint32_t vain = s->vain[inst] + more;

    s->vain[inst] = (uint8_t)(vain < VAIN_MAX ? vain : VAIN_MAX);
    if (vain < VAIN_MAX)
        return;
    s->class[inst] &= (uint16_t)~POLL_LOOK;
    s->looks--;
}

/* A quick look: whether the warp needs to be scanned. */
static bool may_poll(const struct scan *x)
{
    for (uint32_t i = 0; i < x->count && x->s->looks; i++) {
        uint16_t class = x->s->class[x->insts[i].inst];

        if (!(class & POLL_LOOK))
            continue;
        if (!(class & POLL_BRANCH) || jumps_back(x, i))
            return true;
        note_vain(x->s, x->insts[i].inst, 1);
    }
    return false;
}

/* Removes what was kept of the loop's first round. */
static void take_back(struct poll_kept *k, size_t first, uint32_t length)
{
    k->inst_count -= length;
    while (k->found_count && k->found[k->found_count - 1].at + first >= k->inst_count)
        k->found_count--;
}

static int scan_warp(const struct scan *x, struct poll_kept *k, struct err *e)
{
    size_t first = k->inst_count;
    uint32_t floor = 0;

    for (uint32_t i = 0; i < x->count; i++) {
        uint32_t inst = x->insts[i].inst;
        struct loop loop;

        if (find_single(x, i, k, first, e) < 0 || push_inst(k, &x->insts[i], e) < 0)
            return -1;
        if (!(x->s->class[inst] & POLL_LOOK) || !jumps_back(x, i))
            continue;
        if (!find_loop(x, i, floor, &loop)) {
            note_vain(x->s, inst, VAIN_LOOP);
            continue;
        }
        x->s->vain[inst] = 0;
        take_back(k, first, loop.length);
        if (keep_round(x, &loop, k, first, e) < 0)
            return -1;
        i = loop.begin + loop.total - 1;
        floor = i + 1;
    }
    return 0;
}

int poll_scan_warp(struct poll_scan *s, const struct inst_source *source, const struct cta_trace *cta,
                   const struct cta_warp *w, struct poll_kept *k, struct err *e)
{
    const struct scan x = {s, source, cta, w->insts, w->count};
    size_t insts = k->inst_count, found = k->found_count;

    if (!s->can_poll || w->ready != w->count || !may_poll(&x))
        return 0;
    if (scan_warp(&x, k, e) < 0)
        return -1;
    if (k->found_count > found)
        return 1;
    k->inst_count = insts;
    return 0;
}
