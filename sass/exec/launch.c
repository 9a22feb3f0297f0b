/* sass/exec/launch.c: runs the CTAs of a launch in turns, and the warps of a CTA in turns. A CTA runs to its end
 * unless it runs for long: then the next one begins, since it may wait for that one. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "sass/exec/access.h"
#include "sass/exec/program.h"

enum {
    WARP_TURN = 512,    /* instructions */
    CTA_TURN = 1 << 18, /* instructions */
    RESIDENT_MAX = 256, /* CTAs in turns */
    THREADS_MAX = 1024,
    GRID_YZ_MAX = 65535,   /* (CUDA C++ guide, compute capabilities) */
    SHARED_MAX = 232448,   /* bytes a CTA, of sm_90 (CUDA C++ guide, compute capabilities) */
    LOCAL_MAX = 512 << 10, /* bytes a thread (CUDA C++ guide, compute capabilities) */
    STACK_EXTRA = 16384,   /* local memory of a thread beside what the file states: recursion */
};
#define LIMIT_DEFAULT (1ull << 40)
/* --- warps --- */

static int step(struct sass_warp *w)
{
    struct sass_run *r = w->cta->run;
    const struct sass_op *op;
    uint32_t mask;

    if (!w->code || w->at < w->code->base || w->at - w->code->base >= (uint64_t)w->code->count * INST_BYTES) {
        w->code = sass_code_at(r, w->at);
        if (!w->code)
            return r->e->code ? -1 : sass_fault(w, -1, "a jump to 0x%" PRIx64 ", where no code is", w->at);
    }
    if (w->at % INST_BYTES)
        return sass_fault(w, -1, "a jump to 0x%" PRIx64 ", which is no multiple of 16", w->at);
    op = &w->code->ops[(w->at - w->code->base) / INST_BYTES];
    mask = op->guard.index == NO_PREDICATE && !op->guard.negated ? w->active
                                                                 : w->active & read_predicate(w, &op->guard);
    w->next = w->at + INST_BYTES;
    w->spent++;
    r->stats->warp_instructions++;
    r->stats->classes[op->class]++;
    r->stats->lane_instructions += (uint64_t)__builtin_popcount(mask);
    if (++r->clock > r->limit)
        return sass_fault(w, -1, "the launch has executed %" PRIu64 " warp instructions, which is the limit",
                          r->limit);
    if (op->once && mask)
        mask = ALL_LANES;
    if (op->run(w, op, mask) != 0)
        return -1;
    w->at = w->next;
    return 0;
}

/* 1: the warp has run; 0: it has ended or waits; -1: a fault */
static int warp_turn(struct sass_warp *w)
{
    int ran = 0;

    for (int k = 0; k < WARP_TURN; k++) {
        if (!w->active && !choose_lanes(w))
            return ran;
        if (step(w) != 0)
            return -1;
        ran = 1;
    }
    return ran;
}

static void warp_begin(struct sass_warp *w, struct sass_cta *c, uint32_t index)
{
    uint8_t *local = w->local;
    uint32_t threads = c->threads - index * LANES;

    memset(w, 0, sizeof *w);
    w->local = local;
    w->cta = c;
    w->index = index;
    w->threads = threads >= LANES ? ALL_LANES : (1u << threads) - 1;
    w->alive = w->threads;
    w->predicates[NO_PREDICATE] = ALL_LANES;
    w->uniform_predicates[NO_PREDICATE] = ALL_LANES;
    w->code = c->run->code;
    for (int l = 0; l < LANES; l++)
        w->pc[l] = w->code->base;
}

/* --- CTAs --- */

static void cta_free(struct sass_cta *c)
{
    if (!c)
        return;
    for (uint32_t k = 0; c->warp && k < c->warps; k++)
        free(c->warp[k].local);
    free(c->warp);
    free(c->shared);
    free(c);
}

static struct sass_cta *cta_new(struct sass_run *r, uint64_t shared)
{
    struct sass_cta *c = mem_zalloc(1, sizeof *c, r->e);
    const uint32_t *block = r->launch->block;

    if (!c)
        return NULL;
    c->run = r;
    c->threads = block[0] * block[1] * block[2];
    c->warps = (c->threads + LANES - 1) / LANES;
    c->shared_bytes = shared;
    c->shared = mem_zalloc(shared + 1, 1, r->e);
    c->warp = aligned_alloc(_Alignof(struct sass_warp), c->warps * sizeof *c->warp);
    if (c->warp)
        memset(c->warp, 0, c->warps * sizeof *c->warp);
    else
        (void)err_no_memory(r->e);
    for (uint32_t k = 0; c->shared && c->warp && r->local_bytes && k < c->warps; k++) {
        c->warp[k].local = mem_zalloc(LANES, r->local_bytes, r->e);
        if (!c->warp[k].local) {
            cta_free(c);
            return NULL;
        }
    }
    if (c->shared && c->warp)
        return c;
    cta_free(c);
    return NULL;
}

static void cta_begin(struct sass_cta *c, uint64_t number)
{
    const uint32_t *grid = c->run->launch->grid;

    c->id[0] = (uint32_t)(number % grid[0]);
    c->id[1] = (uint32_t)(number / grid[0] % grid[1]);
    c->id[2] = (uint32_t)(number / grid[0] / grid[1]);
    memset(c->shared, 0, c->shared_bytes);
    memset(c->barriers, 0, sizeof c->barriers);
    for (uint32_t k = 0; k < c->warps; k++)
        warp_begin(&c->warp[k], c, k);
}

static int deadlock(struct sass_cta *c)
{
    for (uint32_t k = 0; k < c->warps; k++) {
        struct sass_warp *w = &c->warp[k];
        static const char *const where[] = {"", "a BSYNC", "a WARPSYNC", "a BAR"};
        uint32_t l;

        if (!w->alive)
            continue;
        l = (uint32_t)__builtin_ctz(w->alive);
        w->at = w->pc[l] - INST_BYTES;
        w->code = sass_code_at(c->run, w->at);
        return sass_fault(w, (int)l, "no thread of the CTA can continue: deadlock; this one waits at %s",
                          where[w->state[l]]);
    }
    return 0;
}

/* 1: the CTA has ended; 0: it needs more turns; -1: a fault */
static int cta_turn(struct sass_cta *c)
{
    uint64_t end = c->run->clock + CTA_TURN;

    for (;;) {
        bool ran = false, alive = false;

        for (uint32_t k = 0; k < c->warps; k++) {
            int ret = c->warp[k].alive ? warp_turn(&c->warp[k]) : 0;

            if (ret < 0)
                return -1;
            ran |= ret > 0;
        }
        for (uint32_t k = 0; k < c->warps; k++)
            alive |= c->warp[k].alive != 0;
        if (!alive)
            return 1;
        if (!ran)
            return deadlock(c);
        if (c->run->clock >= end)
            return 0;
    }
}

/* --- launches --- */

struct residents {
    struct sass_cta *items[RESIDENT_MAX];
    size_t count;
    struct sass_cta *spare;
};

static int run_ctas(struct sass_run *r, uint64_t shared, struct residents *of)
{
    uint64_t next = 0, total = (uint64_t)r->launch->grid[0] * r->launch->grid[1] * r->launch->grid[2];

    while (next < total || of->count > 0) {
        if (next < total && of->count < RESIDENT_MAX) {
            struct sass_cta *c = of->spare ? of->spare : cta_new(r, shared);

            of->spare = NULL;
            if (!c)
                return -1;
            cta_begin(c, next++);
            of->items[of->count++] = c;
        }
        for (size_t k = 0; k < of->count;) {
            int ret = cta_turn(of->items[k]);

            if (ret < 0)
                return -1;
            if (ret == 0) {
                k++;
                continue;
            }
            r->stats->ctas++;
            cta_free(of->spare);
            of->spare = of->items[k];
            memmove(&of->items[k], &of->items[k + 1], (--of->count - k) * sizeof(void *));
        }
    }
    return 0;
}

static int check(const struct sass_code *c, const struct sass_launch *l, uint64_t shared, struct err *e)
{
    const struct cubin_function *f = c->function;
    uint64_t threads = (uint64_t)l->block[0] * l->block[1] * l->block[2];
    uint64_t most = f->required_threads[0] ? 0 : f->max_threads[0];

    for (int k = 1; k < 3 && most; k++)
        most *= f->max_threads[k] ? f->max_threads[k] : 1;
    for (int k = 0; k < 3; k++)
        if (l->grid[k] == 0 || l->grid[k] > (k ? GRID_YZ_MAX : INT32_MAX) || l->block[k] == 0 ||
            l->block[k] > THREADS_MAX)
            return err_set(
                e, ERR_INVALID,
                "%s: grid %u,%u,%u and block %u,%u,%u: each at least 1; a grid at most %d,%d,%d, a block "
                "at most %d threads",
                f->name, l->grid[0], l->grid[1], l->grid[2], l->block[0], l->block[1], l->block[2], INT32_MAX,
                GRID_YZ_MAX, GRID_YZ_MAX, THREADS_MAX);
    if (threads > THREADS_MAX || (most && threads > most))
        return err_set(e, ERR_INVALID, "%s: a block of %" PRIu64 " threads; the kernel allows %" PRIu64, f->name,
                       threads, most && most < THREADS_MAX ? most : (uint64_t)THREADS_MAX);
    for (int k = 0; k < 3 && f->required_threads[0]; k++)
        if (l->block[k] != f->required_threads[k])
            return err_set(e, ERR_INVALID, "%s: the block is %u,%u,%u; the kernel requires %u,%u,%u", f->name,
                           l->block[0], l->block[1], l->block[2], f->required_threads[0], f->required_threads[1],
                           f->required_threads[2]);
    if (shared > SHARED_MAX || f->shared_bytes > SHARED_MAX) /* the sum of a damaged file's sizes may wrap */
        return err_set(e, ERR_INVALID, "%s: %" PRIu64 " bytes of shared memory; a CTA has at most %d", f->name,
                       shared, SHARED_MAX);
    if (f->cluster[0] > 1 || f->cluster[1] > 1 || f->cluster[2] > 1)
        return err_set(e, ERR_UNSUPPORTED, "%s: clusters of CTAs are not executed from machine code", f->name);
    return 0;
}

static uint32_t local_bytes(const struct cubin_function *f)
{
    uint64_t frame = f->stack_bytes > f->local_bytes ? f->stack_bytes : f->local_bytes;

    frame = (frame + 15) / 16 * 16 + STACK_EXTRA;
    return frame > LOCAL_MAX ? LOCAL_MAX : (uint32_t)frame;
}

int sass_launch_run(struct sass_program *p, const struct sass_kernel *k, const struct sass_launch *l,
                    struct sass_stats *stats, struct err *e)
{
    struct sass_run r = {.program = p, .memory = program_memory(p), .launch = l, .stats = stats, .e = e};
    struct residents of = {.count = 0};
    const struct cubin_function *f = sass_kernel_function(k);
    uint64_t shared = (uint64_t)f->shared_bytes + l->shared_bytes;
    int ret = -1;

    *e = (struct err){0};
    r.code = kernel_code(k);
    r.limit = l->limit_instructions ? l->limit_instructions : LIMIT_DEFAULT;
    if (check(r.code, l, shared, e) != 0)
        return -1;
    r.local_bytes = local_bytes(f);
    program_banks(r.code, r.banks);
    if (bank0_new(&r, &r.banks[0]) != 0)
        return -1;
    if (sass_code_at(&r, r.code->base))
        ret = run_ctas(&r, shared, &of);
    for (size_t i = 0; i < of.count; i++)
        cta_free(of.items[i]);
    cta_free(of.spare);
    free(r.banks[0].bytes);
    return ret;
}
