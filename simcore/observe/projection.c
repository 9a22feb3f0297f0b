#include "simcore/observe/projection.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "simcore/observe/power.h"

const char *const sim_projection_names[] = {"none", "pkp", "pkp-code", "stable", NULL};

int sim_projection_parse(const char *text, enum sim_projection *out)
{
    for (int i = PROJECT_NONE; sim_projection_names[i]; i++) {
        *out = (enum sim_projection)i;
        if (strcmp(sim_projection_names[i], text) == 0)
            return 0;
    }
    return -1;
}

#define STABLE_SPREAD 0.25 /* of the IPC in the window, over its mean */
#define STABLE_RATE   0.02 /* so even that CTAs need not be alike */
#define STABLE_LIFE   0.03 /* lives count as alike within this (projection_lives_stable()), so no less is known */

static void end_of_sample(struct event *ev, sim_time_ps now);

static uint64_t grid_ctas(const struct kernel_info *k)
{
    return (uint64_t)k->grid[0] * k->grid[1] * k->grid[2];
}

static void schedule(struct projection *p)
{
    struct sm_env *env = &p->simulator->env;
    uint64_t cycle = p->begin + (p->over + 1) * PROJECTION_SAMPLE_CYCLES;

    event_queue_schedule(env->queue, &p->sample, clock_to_ps(&env->clock, cycle), PHASE_OBSERVE);
}

struct projection *projection_new(struct simulator *s, enum sim_projection method, struct err *e)
{
    struct projection *p = mem_zalloc(1, sizeof *p, e);
    uint64_t wave = (uint64_t)s->launch[0]->fit.ctas * s->design->sms;

    if (!p)
        return NULL;
    p->sample.fire = end_of_sample;
    p->simulator = s;
    p->method = method;
    p->begin = s->design->kernel_cycles;
    p->wave = wave;
    p->total = grid_ctas(&s->launch[0]->source->info);
    p->lives_kept = (uint32_t)(wave < PROJECTION_LIVES_MIN ? PROJECTION_LIVES_MIN : wave);
    p->lives_kept = p->lives_kept < PROJECTION_LIVES_MAX ? p->lives_kept : PROJECTION_LIVES_MAX;
    if (method == PROJECT_STABLE && p->total < 3 * wave)
        p->why_not = "the kernel has fewer than three waves of CTAs";
    p->lives = mem_zalloc(p->lives_kept, sizeof *p->lives, e);
    if (!p->lives) {
        projection_free(p);
        return NULL;
    }
    schedule(p);
    return p;
}

void projection_free(struct projection *p)
{
    if (!p)
        return;
    if (p->sample.scheduled)
        event_queue_cancel(p->simulator->env.queue, &p->sample);
    free(p->samples);
    free(p->ipc);
    free(p->lives);
    free(p);
}

/* The sample in which a cycle lies; NULL when memory has run out. */
static struct projection_sample *sample_of(struct projection *p, uint64_t cycle)
{
    size_t at = cycle > p->begin ? (cycle - p->begin) / PROJECTION_SAMPLE_CYCLES : 0;
    struct err e;

    if (at >= p->capacity) {
        size_t before = p->capacity;

        if (array_reserve((void **)&p->samples, &p->capacity, at + 1, sizeof *p->samples, &e) < 0) {
            p->failed = true;
            return NULL;
        }
        memset(p->samples + before, 0, (p->capacity - before) * sizeof *p->samples);
    }
    p->count = at < p->count ? p->count : at + 1;
    return &p->samples[at];
}

void projection_issue(struct projection *p, uint64_t cycle)
{
    struct projection_sample *s = sample_of(p, cycle);

    if (s)
        s->instructions++;
}

void projection_cta_over(struct projection *p, const struct cta *cta, uint64_t started, uint64_t end)
{
    struct projection_sample *s = sample_of(p, end - 1);

    if (s)
        s->ctas++;
    p->lives[p->ended++ % p->lives_kept] = (struct projection_life){started, end};
    for (uint32_t w = 0; w < cta->trace->warp_count; w++)
        p->done_instructions += cta->trace->warps[w].count;
}

/* --- the moment to stop --- */

/* The newest lives, the oldest of them first. A malloc'ed array of p->lives_kept. */
static struct projection_life *newest_lives(const struct projection *p)
{
    struct projection_life *l = malloc(p->lives_kept * sizeof *l);

    for (uint32_t i = 0; l && i < p->lives_kept; i++)
        l[i] = p->lives[(p->ended + i) % p->lives_kept];
    return l;
}

/* When each resident CTA will be gone, at a mean life, and its place free for the next. */
static size_t places(const struct projection *p, double life, double *out)
{
    const struct simulator *s = p->simulator;
    double now = (double)p->result.at_cycle, turn = s->design->turnover_cycles;
    size_t n = 0;

    for (uint32_t i = 0; i < s->design->sms; i++) {
        const struct sm *sm = &s->sms[i];

        for (uint32_t k = 0; sm->active && k < SM_CTAS_MAX; k++) {
            uint64_t started = 0;

            if (!sm->cta[k].trace)
                continue;
            for (uint64_t left = sm->cta[k].live_mask; left; left &= left - 1)
                started = sm->warp[sm->cta[k].slot_of[__builtin_ctzll(left)]].started;
            out[n] = (double)started + life;
            out[n] = (out[n] > now ? out[n] : now) + turn;
            n++;
        }
    }
    return n;
}

/* The end of the launch where CTAs live so long. The last wave, and where it leaves places empty, comes out of it.
 */
static double end_with(const struct projection *p, double life, double *place)
{
    const struct gpu_design *d = p->simulator->design;
    size_t n = places(p, life, place);
    double turn = d->turnover_cycles;

    return projection_schedule(place, n, p->total - p->result.ctas_done - n, life + turn,
                               (double)p->result.at_cycle, d->cta_interval_cycles) -
           turn;
}

/* How long the instructions that are left take at the rate of the window. */
static double rest_at_rate(const struct projection *p)
{
    double all = (double)p->done_instructions * (double)p->total / (double)p->ended, window = 0, left;

    for (size_t i = p->over - PROJECTION_WINDOW; i < p->over; i++)
        window += (double)p->samples[i].instructions;
    left = (all - (double)p->instructions) * PROJECTION_WINDOW * PROJECTION_SAMPLE_CYCLES / window;
    return left > 0 ? left : 0;
}

static void set_result(struct projection *p, double end, double low, double high)
{
    double steady = (double)p->begin + projection_steady(p->samples, p->over - 1, p->result.ctas_done, p->total);

    p->result.steady_cycles = (uint64_t)steady;
    p->result.low_cycles = (uint64_t)low;
    p->result.high_cycles = (uint64_t)ceil(high);
    p->simulator->launch[0]->last_cycle = (uint64_t)(end + 0.5);
}

/* CTAs live alike. Where they wait for latencies the rest is a matter of places; where they wait for one another,
 * at memory or at a unit, of instructions at the GPU's rate, and fewer CTAs would live shorter. Which of the two it
 * is is not known, so the interval holds both, each with its own doubt, and what is said lies between them. The
 * rate knows nothing of the last wave: half a life more, where half the places are empty in it. False: out of
 * memory. */
static bool project_alike(struct projection *p, const struct projection_life *lives, double life)
{
    double *place = malloc((size_t)p->simulator->design->sms * SM_CTAS_MAX * sizeof *place);
    double doubt = fmax(projection_life_doubt(lives, p->lives_kept), STABLE_LIFE * life),
           now = (double)p->result.at_cycle, end, low, high;
    double rest = rest_at_rate(p), even = fmax(STABLE_RATE, p->result.spread);

    if (!place)
        return false;
    end = end_with(p, life, place);
    low = end_with(p, life > doubt ? life - doubt : 1, place);
    high = end_with(p, life + doubt, place);
    free(place);
    set_result(p, (end + now + rest) / 2, fmin(low, now + rest * (1 - even)),
               fmax(high, now + rest * (1 + even) + life / 2));
    return true;
}

/* Lives differ, but the GPU issues evenly, as where the youngest warps always come first: the rest is a matter of
 * instructions. How much the last wave adds is not known; at most a mean life. */
static void project_rate(struct projection *p, const struct projection_life *lives)
{
    double life = 0, now = (double)p->result.at_cycle, rest = rest_at_rate(p);

    for (uint32_t i = 0; i < p->lives_kept; i++)
        life += (double)(lives[i].end - lives[i].start) / p->lives_kept;
    set_result(p, now + rest, now + rest * (1 - STABLE_RATE), now + rest * (1 + STABLE_RATE) + life);
}

static bool stop_stable(struct projection *p)
{
    struct projection_life *lives;
    bool stop = false;
    double life;

    if (p->simulator->launch[0]->count.l1_bypass_sectors)
        p->why_not = "the kernel loads past L1, as one does that may spin";
    if (p->why_not || p->result.spread >= STABLE_SPREAD || p->ended < p->wave + p->lives_kept)
        return false;
    lives = newest_lives(p);
    if (!lives) {
        p->failed = true;
    } else if (projection_lives_stable(lives, p->lives_kept, &life)) {
        stop = project_alike(p, lives, life);
        p->failed = !stop;
    } else if (p->result.spread < STABLE_RATE) {
        project_rate(p, lives);
        stop = true;
    }
    free(lives);
    return stop;
}

/* The published methods look at the whole series; only its end is new. */
static bool stop_published(struct projection *p)
{
    bool code = p->method == PROJECT_PKP_CODE;
    double cycles = (double)(p->over * PROJECTION_SAMPLE_CYCLES);
    double done = (double)p->ctas;
    long at = code ? projection_pkp_code(p->ipc, p->samples, p->over, p->wave, p->total)
                   : projection_pkp(p->samples, p->over, p->wave, p->total);

    if (at < 0)
        return false;
    if (code) { /* the sample itself is left out, and one CTA added */
        p->result.ctas_done = p->ctas - p->samples[p->over - 1].ctas;
        done = (double)p->result.ctas_done + 1;
    }
    p->simulator->launch[0]->last_cycle =
        p->begin + (uint64_t)(projection_from_start((uint64_t)cycles, done, p->total) + 0.5);
    return true;
}

static void take_sample(struct projection *p)
{
    const struct projection_sample *s = sample_of(p, p->begin + p->over * PROJECTION_SAMPLE_CYCLES);
    double deviation, mean;
    struct err e;

    if (!s || array_reserve((void **)&p->ipc, &p->ipc_capacity, p->over + 1, sizeof *p->ipc, &e) < 0) {
        p->failed = true;
        return;
    }
    p->instructions += s->instructions;
    p->ctas += s->ctas;
    p->over++;
    p->ipc[p->over - 1] = p->method == PROJECT_PKP_CODE
                              ? (double)p->instructions / (double)(p->over * PROJECTION_SAMPLE_CYCLES)
                              : (double)s->instructions / PROJECTION_SAMPLE_CYCLES;
    p->result.spread = STABLE_SPREAD;
    if (p->over < PROJECTION_WINDOW)
        return;
    projection_window(p->ipc, p->over - 1, &deviation, &mean);
    if (mean > 0)
        p->result.spread = deviation / mean;
}

static void end_of_sample(struct event *ev, sim_time_ps now)
{
    struct projection *p = (struct projection *)ev;
    struct sm_env *env = &p->simulator->env;

    (void)now;
    if (!event_queue_pending(env->queue))
        return; /* the launch is over, or nothing can happen any more */
    take_sample(p);
    p->result.at_cycle = p->begin + p->over * PROJECTION_SAMPLE_CYCLES;
    p->result.ctas_done = p->ctas;
    p->result.ctas = p->total;
    if (!p->failed && p->over >= PROJECTION_WINDOW && p->ctas < p->total)
        p->stopped = p->method == PROJECT_STABLE ? stop_stable(p) : stop_published(p);
    if (p->failed) {
        env->failed = true;
        err_no_memory(&env->err);
    } else if (p->stopped) {
        p->result.method = p->method;
        env->stopped = true;
    } else {
        schedule(p);
    }
}

/* --- counters --- */

static uint64_t scaled(uint64_t v, uint64_t to, uint64_t from)
{
    return from ? (uint64_t)(((unsigned __int128)v * to + from / 2) / from) : v;
}

/* What does not grow with the launch. */
static void keep_facts(struct counters *c, const struct counters *from)
{
    c->resident_ctas_limit = from->resident_ctas_limit;
    c->carveout_bytes = from->carveout_bytes;
    c->l1_bytes = from->l1_bytes;
    c->active_sms = from->active_sms;
    c->launch_cycles = from->launch_cycles;
    c->slots_launch = from->slots_launch;
    c->dram_busy = from->dram_busy;
    c->unknown_opcodes = from->unknown_opcodes;
    c->repair_destinations = from->repair_destinations;
    c->repair_register_groups = from->repair_register_groups;
    c->repair_empty_ctas = from->repair_empty_ctas;
    c->repair_damaged_warps = from->repair_damaged_warps;
}

/* Issued, idle by reason and before the launch make all slots again: the idle ones share what is left. */
static void fit_slots(struct counters *c, uint64_t slots_a_cycle)
{
    uint64_t idle = 0, left, given = 0;

    c->slots_total = c->cycles * slots_a_cycle;
    left =
        c->slots_total > c->slots_launch + c->slots_issued ? c->slots_total - c->slots_launch - c->slots_issued : 0;
    for (uint32_t i = 0; i < SLOT_REASON_COUNT; i++)
        idle += c->slots_idle[i];
    for (uint32_t i = 0; i < SLOT_REASON_COUNT; i++) {
        c->slots_idle[i] = scaled(c->slots_idle[i], left, idle);
        given += c->slots_idle[i];
    }
    c->slots_idle[SLOT_EMPTY] += left - given; /* rounding; wraps back where it is below zero */
}

static void complete(const struct projection *p, struct counters *c)
{
    const struct gpu_design *d = p->simulator->design;
    const struct counters now = *c;
    uint64_t *field = (uint64_t *)c, cycles = p->simulator->launch[0]->last_cycle;
    /* Work: as published, in proportion to the CTAs; else all CTAs are as long as those that ended. */
    uint64_t to = p->total, from = p->result.ctas_done + (p->method == PROJECT_PKP_CODE);

    if (p->method == PROJECT_STABLE) {
        to = scaled(p->done_instructions, p->total, p->ended);
        from = now.slots_issued;
    }
    for (size_t i = 0; i < sizeof *c / sizeof *field; i++)
        field[i] = scaled(field[i], to, from);
    keep_facts(c, &now);
    c->cycles = cycles;
    c->ctas = p->total;
    c->empty_ctas = 0;
    c->sm_active_cycles = scaled(now.sm_active_cycles, cycles - now.launch_cycles, now.cycles - now.launch_cycles);
    c->warp_instructions = c->slots_issued;
    fit_slots(c, (uint64_t)d->sms * SUB_CORES);
    power_complete(c, d);
}

void projection_result(struct projection *p, struct counters *c, struct sim_projected *out)
{
    if (p->stopped) {
        complete(p, c);
        *out = p->result;
    } else {
        out->why_not = p->why_not ? p->why_not : "the kernel ended before it ran steadily";
    }
}
