/* ptx/exec/launch.c: a launch: checks it and runs its CTAs in order.
 *
 * A CTA runs until it ends. If all its warps only poll (a grid barrier, a flag that a later CTA sets), or if it
 * runs for a long time, the next CTA begins, too. The CTAs that have begun then take turns in order. */
#include "ptx/exec/exec.h"
#include "ptx/warp/launch.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "ptx/warp/cta.h"

/* The launch is stuck if its CTAs execute this number of instructions while they wait, nothing is stored and all
 * warps repeat their state. */
#define QUIET_MAX     (1ull << 23)
#define RESIDENT_MAX  (4ull << 30) /* bytes of all CTAs that have begun */
#define LIMIT_DEFAULT (1ull << 40)

/* --- checks --- */

static int check_shape(const struct ptx_launch *l, const struct ptx_function *f, struct err *e)
{
    uint64_t threads = (uint64_t)l->block[0] * l->block[1] * l->block[2];
    uint64_t reqntid = (uint64_t)f->reqntid[0] * f->reqntid[1] * f->reqntid[2];

    for (int k = 0; k < 3; k++)
        if (!l->grid[k] || !l->block[k] || l->block[k] > 1024 || (k && l->grid[k] > 65535) ||
            l->grid[k] > INT32_MAX)
            return err_set(e, ERR_INVALID,
                           "kernel %s: grid %u,%u,%u and block %u,%u,%u: each at least 1; a grid at most "
                           "2147483647,65535,65535",
                           f->name, l->grid[0], l->grid[1], l->grid[2], l->block[0], l->block[1], l->block[2]);
    if (threads > 1024)
        return err_set(e, ERR_INVALID, "kernel %s: a block has %llu threads; at most 1024 are allowed", f->name,
                       (unsigned long long)threads);
    if (reqntid && threads != reqntid)
        return err_set(e, ERR_INVALID, "kernel %s: a block has %llu threads; the kernel requires %llu (.reqntid)",
                       f->name, (unsigned long long)threads, (unsigned long long)reqntid);
    if (l->param_bytes != f->param_bytes)
        return err_set(e, ERR_INVALID, "kernel %s takes %u bytes of parameters, not %u", f->name, f->param_bytes,
                       l->param_bytes);
    return 0;
}

/* The launch or the kernel sets the cluster's shape. If both set it, they must agree. */
static int check_cluster(struct ptx_run *r, const struct ptx_function *f, struct err *e)
{
    struct ptx_launch *l = &r->launch;
    uint64_t ctas = 1;

    for (int k = 0; k < 3; k++) {
        uint32_t required = f->cluster[0] && !f->cluster[k] ? 1 : f->cluster[k];

        l->cluster[k] = l->cluster[k] ? l->cluster[k] : required ? required : 1;
        if (required && l->cluster[k] != required)
            return err_set(e, ERR_INVALID, "kernel %s: a cluster has %u CTAs along %c; the kernel requires %u",
                           f->name, l->cluster[k], 'x' + k, required);
        if (l->grid[k] % l->cluster[k])
            return err_set(e, ERR_INVALID, "kernel %s: clusters of %u CTAs along %c do not divide its grid of %u",
                           f->name, l->cluster[k], 'x' + k, l->grid[k]);
        ctas *= l->cluster[k];
    }
    if (ctas > PTX_CLUSTER_MAX)
        return err_set(e, ERR_INVALID, "kernel %s: a cluster has %llu CTAs; at most %d are allowed", f->name,
                       (unsigned long long)ctas, PTX_CLUSTER_MAX);
    r->cluster_ctas = (uint32_t)ctas;
    return 0;
}

/* .blocksareclusters: the launch has given the grid in clusters (PTX ISA 9.0, section 11.7.5). */
static int count_ctas(struct ptx_launch *l, const struct ptx_function *f, struct err *e)
{
    for (int k = 0; f->blocks_are_clusters && k < 3; k++) {
        uint32_t size = f->cluster[k] ? f->cluster[k] : 1;

        if (l->grid[k] > INT32_MAX / size)
            return err_set(e, ERR_INVALID, "kernel %s: a grid of %u clusters along %c has more than %d CTAs",
                           f->name, l->grid[k], 'x' + k, INT32_MAX);
        l->grid[k] *= size;
    }
    return 0;
}

static int prepare(struct ptx_run *r, struct err *e)
{
    const struct ptx_module *m = ptx_program_module(r->program, r->launch.module);
    const struct ptx_function *f;

    if (r->launch.function >= m->function_count)
        return err_set(e, ERR_INVALID, "%s has no function %u", m->label, r->launch.function);
    f = &m->functions[r->launch.function];
    if (!f->entry || !f->has_body)
        return err_set(e, ERR_INVALID, "%s: %s is not a kernel", m->label, f->name);
    r->code = ptx_program_code(r->program, r->launch.module, r->launch.function, e);
    if (!r->code)
        return err_wrap(e, "kernel %s cannot run", f->name);
    if (check_shape(&r->launch, f, e) || count_ctas(&r->launch, f, e))
        return -1;
    if (check_cluster(r, f, e) || ptx_shared_layout(m, r->launch.function, &r->shared, e))
        return -1;
    if (r->launch.shared_bytes > PTX_SHARED_MAX || r->shared.dynamic > PTX_SHARED_MAX - r->launch.shared_bytes)
        return err_set(
            e, ERR_INVALID,
            "kernel %s: %u bytes of static and %u of dynamic shared memory; at most %d bytes are allowed", f->name,
            r->shared.bytes, r->launch.shared_bytes, PTX_SHARED_MAX);
    return 0;
}

struct ptx_run *ptx_run_new(struct ptx_program *p, const struct ptx_launch *l, const struct ptx_exec_options *o,
                            struct err *e)
{
    struct ptx_run *r = mem_zalloc(1, sizeof *r, e);
    void *params = r ? mem_zalloc(l->param_bytes + 1u, 1, e) : NULL;

    if (!params) {
        free(r);
        return NULL;
    }
    if (l->param_bytes)
        memcpy(params, l->params, l->param_bytes);
    r->program = p;
    r->launch = *l;
    r->launch.params = params;
    if (o)
        r->options = *o;
    if (!r->options.limit_instructions)
        r->options.limit_instructions = LIMIT_DEFAULT;
    if (!r->options.sms)
        r->options.sms = 80;
    r->prints.text = (struct strbuf)STRBUF_INIT;
    if (prepare(r, e)) {
        ptx_run_free(r);
        return NULL;
    }
    r->ctas = r->end = (uint64_t)l->grid[0] * l->grid[1] * l->grid[2];
    return r;
}

void ptx_run_free(struct ptx_run *r)
{
    if (!r)
        return;
    ptx_prints_hand_over(r);
    for (size_t k = 0; k < r->resident_count; k++)
        ptx_cta_free(r->resident[k]);
    free(r->resident);
    ptx_cta_free(r->spare);
    ptx_shared_release(&r->shared);
    strbuf_release(&r->prints.text);
    free(r->prints.calls);
    free((void *)(uintptr_t)r->launch.params);
    free(r);
}

const struct ptx_exec_stats *ptx_run_stats(const struct ptx_run *r)
{
    return &r->stats;
}

/* --- CTAs --- */

static int begin_one(struct ptx_run *r, struct err *e)
{
    struct ptx_cta *c = r->spare;

    if (array_reserve((void **)&r->resident, &r->resident_capacity, r->resident_count + 1, sizeof(struct ptx_cta *),
                      e))
        return -1;
    r->spare = NULL;
    if (!c && !(c = ptx_cta_new(r, e)))
        return -1;
    c->e = e;
    r->resident[r->resident_count++] = c;
    if (ptx_cta_begin(c, r->next++))
        return -1;
    if (r->resident_count > 1)
        r->resident_bytes += ptx_cta_bytes(c);
    return 0;
}

/* Begins the next CTA, or all CTAs of the next cluster, after those that have begun. Returns their number; 0: all
 * CTAs have begun, or there is no room for another; -1: error. */
static int begin_next(struct ptx_run *r, struct err *e)
{
    if (r->next == r->end || (r->resident_count && r->resident_bytes > RESIDENT_MAX))
        return 0;
    r->idle = 0;
    for (uint32_t k = 0; k < r->cluster_ctas; k++)
        if (begin_one(r, e))
            return -1;
    return (int)r->cluster_ctas;
}

static void retire(struct ptx_run *r, size_t k)
{
    struct ptx_cta *c = r->resident[k];

    memmove(&r->resident[k], &r->resident[k + 1], (r->resident_count - k - 1) * sizeof(struct ptx_cta *));
    if (--r->resident_count == 0)
        r->resident_bytes = 0;
    if (r->spare)
        ptx_cta_free(c);
    else
        r->spare = c;
}

/* waits: the CTA only waited in this turn. before: warp instructions of the launch at the start of the turn. */
static int check_limits(struct ptx_run *r, struct ptx_cta *c, bool waits, uint64_t before)
{
    if (r->stats.warp_instructions > r->options.limit_instructions) {
        (void)ptx_dead_end(c, "the launch reached its limit of instructions");
        return err_hint(c->e, "raise the limit (%llu warp instructions) if the kernel is that long",
                        (unsigned long long)r->options.limit_instructions);
    }
    r->quiet = waits && !c->state->moves ? r->quiet + (r->stats.warp_instructions - before) + 1 : 0;
    if (r->quiet > QUIET_MAX && r->next == r->end)
        return ptx_dead_end(c, "deadlock: all CTAs poll, and no CTA writes what they wait for");
    if (r->quiet > QUIET_MAX && r->resident_bytes > RESIDENT_MAX)
        return ptx_dead_end(c, "it waits for a CTA that cannot start: the CTAs that run use all memory");
    return 0;
}

/* Runs the CTA whose turn it is. 1: it has ended; 0: it has not; -1: fault. */
static int run_one(struct ptx_run *r, struct err *e)
{
    struct ptx_cta *c = r->resident[r->turn];
    uint64_t before = r->stats.warp_instructions;
    uint64_t stores = c->stores;
    enum ptx_cta_turn turn;
    bool waits;

    c->e = e;
    turn = ptx_cta_run(c);
    if (turn == PTX_CTA_FAULT)
        return -1;
    waits = turn == PTX_CTA_STALLED && c->stores == stores;
    r->progress += c->stores != stores;
    if (check_limits(r, c, waits, before))
        return -1;
    r->idle = waits || turn == PTX_CTA_RUNS ? r->idle + 1 : 0;
    if (turn != PTX_CTA_ENDED) {
        r->turn++;
        return 0;
    }
    retire(r, r->turn);
    return 1;
}

int ptx_run_next(struct ptx_run *r, struct err *e)
{
    for (;;) {
        int ended;

        if (r->turn >= r->resident_count) {
            /* If the CTAs of the cluster make progress among themselves, no other cluster begins. */
            bool gets_on = r->cluster_ctas > 1 && r->idle < r->resident_count;
            int begun = gets_on ? 0 : begin_next(r, e);

            if (begun < 0)
                return -1;
            if (!begun && !r->resident_count) {
                if (!r->stops_inside)
                    ptx_prints_hand_over(r);
                return 0;
            }
            r->turn = begun ? r->resident_count - (size_t)begun : 0;
        }
        ended = run_one(r, e);
        if (ended)
            return ended;
    }
}

/* --- running to a point in the middle --- */

/* Runs a CTA that has begun up to this number of instructions. 1: it has ended. */
static int run_part(struct ptx_run *r, size_t k, uint64_t instructions, struct err *e)
{
    struct ptx_cta *c = r->resident[k];
    enum ptx_cta_turn turn;

    c->e = e;
    c->state->pause_at = instructions;
    do {
        uint64_t before = r->stats.warp_instructions, stores = c->stores;

        turn = ptx_cta_run(c);
        r->progress += c->stores != stores;
        if (turn == PTX_CTA_FAULT || check_limits(r, c, turn == PTX_CTA_STALLED && c->stores == stores, before))
            return -1;
    } while (turn == PTX_CTA_RUNS);
    c->state->pause_at = UINT64_MAX;
    if (turn == PTX_CTA_ENDED)
        retire(r, k);
    return turn == PTX_CTA_ENDED;
}

/* Begins one more CTA, or cluster. Each of these CTAs runs this number of instructions. */
static int run_parts(struct ptx_run *r, uint64_t instructions, struct err *e)
{
    int begun = begin_next(r, e), ended;

    if (begun < 0)
        return -1;
    if (!begun)
        return err_set(e, ERR_INVALID, "CTA %llu cannot start: the CTAs that run use all memory",
                       (unsigned long long)r->next);
    for (size_t k = r->resident_count - (size_t)begun; k < r->resident_count; k += !ended)
        if ((ended = run_part(r, k, instructions, e)) < 0)
            return -1;
    return 0;
}

int ptx_run_to(struct ptx_run *r, uint64_t cta, uint64_t ctas, uint64_t instructions, struct err *e)
{
    int more;

    if (cta > r->ctas || ctas > r->ctas - cta)
        return err_set(e, ERR_INVALID, "kernel %s has %llu CTAs; it does not have %llu CTAs that begin at CTA %llu",
                       r->code->function->name, (unsigned long long)r->ctas, (unsigned long long)ctas,
                       (unsigned long long)cta);
    if (cta % r->cluster_ctas || ctas % r->cluster_ctas)
        return err_set(e, ERR_INVALID,
                       "kernel %s has clusters of %u CTAs, which start together; give multiples of it",
                       r->code->function->name, r->cluster_ctas);
    r->end = cta;
    r->stops_inside = true;
    do
        more = ptx_run_next(r, e);
    while (more > 0);
    r->end = r->ctas;
    r->stops_inside = false;
    if (more < 0)
        return err_wrap(e, "CTAs below %llu", (unsigned long long)cta);
    for (; ctas; ctas -= r->cluster_ctas)
        if (run_parts(r, instructions, e))
            return -1;
    r->turn = 0;
    return 0;
}

int ptx_launch_run(struct ptx_program *p, const struct ptx_launch *l, const struct ptx_exec_options *o,
                   struct ptx_exec_stats *stats, struct err *e)
{
    struct ptx_run *r = ptx_run_new(p, l, o, e);
    int more;

    if (stats)
        *stats = (struct ptx_exec_stats){0};
    if (!r)
        return -1;
    do
        more = ptx_run_next(r, e);
    while (more > 0);
    if (stats)
        *stats = r->stats;
    ptx_run_free(r);
    return more;
}
