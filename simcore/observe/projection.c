#include "simcore/observe/projection.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "simcore/observe/power.h"
#include "simcore/observe/stable.h"

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

/* "5%", "5 %" or 0.05 */
static int read_limit(const char *text, double *out)
{
    char *end;

    *out = strtod(text, &end);
    if (end == text)
        return -1;
    end += strspn(end, " ");
    if (*end == '%') {
        *out /= 100;
        end++;
    }
    return !*end && *out >= SIM_PROJECTION_LIMIT_MIN && *out <= SIM_PROJECTION_LIMIT_MAX ? 0 : -1;
}

int sim_projection_read(const char *text, enum sim_projection *out, double *limit)
{
    static const char with_limit[] = "stable:";

    *limit = 0;
    if (strncmp(text, with_limit, sizeof with_limit - 1) != 0)
        return sim_projection_parse(text, out);
    *out = PROJECT_STABLE;
    return read_limit(text + sizeof with_limit - 1, limit);
}

#define NORMAL_95 1.959963984540054 /* the normal quantile, 0.975 */

double sim_projected_error(const struct sim_projected *p, uint64_t cycles)
{
    double below = (double)cycles - (double)p->low_cycles, above = (double)p->high_cycles - (double)cycles;

    return p->method == PROJECT_STABLE ? fmax(fmax(below, above), 0) / NORMAL_95 : 0;
}

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

struct projection *projection_new(struct simulator *s, const struct sim_options *o, struct err *e)
{
    struct projection *p = mem_zalloc(1, sizeof *p, e);

    if (!p)
        return NULL;
    p->sample.fire = end_of_sample;
    p->simulator = s;
    p->method = o->projection;
    p->begin = s->design->kernel_cycles;
    p->wave = (uint64_t)s->launch[0]->fit.ctas * s->design->sms;
    p->total = grid_ctas(&s->launch[0]->source->info);
    if (p->method == PROJECT_STABLE && !(p->stable = stable_new(s, o, p->wave, &p->why_not, e))) {
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
    stable_free(p->stable);
    free(p);
}

/* The sample that contains a cycle; NULL: out of memory. */
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
    if (p->stable)
        stable_cta_over(p->stable, cta->trace->index, started, end);
}

/* --- the stopping rules --- */

static bool stop_stable(struct projection *p)
{
    double steady = (double)p->begin + projection_steady(p->samples, p->over - 1, p->result.ctas_done, p->total);
    struct stable_answer a;
    struct err e;
    int stop = p->why_not
                   ? 0
                   : stable_evaluate(p->stable, p->samples, p->over, p->result.at_cycle, p->instructions, &a, &e);

    p->failed = stop < 0;
    if (stop <= 0)
        return false;
    p->result.steady_cycles = (uint64_t)steady;
    p->result.low_cycles = (uint64_t)a.low;
    p->result.high_cycles = (uint64_t)ceil(a.high);
    p->simulator->launch[0]->last_cycle = (uint64_t)(a.cycles + 0.5);
    return true;
}

/* The published methods use the whole series; only its newest sample has not been checked. */
static bool stop_published(struct projection *p)
{
    bool code = p->method == PROJECT_PKP_CODE;
    double cycles = (double)(p->over * PROJECTION_SAMPLE_CYCLES);
    double done = (double)p->ctas;
    long at = code ? projection_pkp_code(p->ipc, p->samples, p->over, p->wave, p->total)
                   : projection_pkp(p->samples, p->over, p->wave, p->total);

    if (at < 0)
        return false;
    if (code) { /* excludes this sample, and adds one CTA */
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
    p->result.spread = 1;
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
        return; /* the launch has ended, or no event is left */
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

/* Copies the counters that do not grow with the launch. */
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

/* Restores the sum of all slots: issued, idle by reason, and before the launch. The idle reasons are scaled to the
 * remainder. */
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
    /* rounding error; unsigned wrap-around cancels out if it is negative */
    c->slots_idle[SLOT_EMPTY] += left - given;
}

static void complete(const struct projection *p, struct counters *c)
{
    const struct gpu_design *d = p->simulator->design;
    const struct counters now = *c;
    uint64_t *field = (uint64_t *)c, cycles = p->simulator->launch[0]->last_cycle;
    /* Work counters: the published methods scale by CTAs; `stable` uses the instruction counts of the trace. */
    uint64_t to = p->total, from = p->result.ctas_done + (p->method == PROJECT_PKP_CODE), empty = 0;

    if (p->stable) {
        to = stable_instructions(p->stable);
        from = now.slots_issued;
        empty = stable_empty_ctas(p->stable);
    }
    for (size_t i = 0; i < sizeof *c / sizeof *field; i++)
        field[i] = scaled(field[i], to, from);
    keep_facts(c, &now);
    c->cycles = cycles;
    c->ctas = p->total - empty;
    c->empty_ctas = empty;
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
        out->why_not = p->why_not  ? p->why_not
                       : p->stable ? stable_why_not(p->stable)
                                   : "the kernel ended before it ran steadily";
    }
}
