/* simcore/observe/stable_answer.c: tests whether the launch runs steadily, and projects the time of the rest. */
#include <math.h>

#include "base/rng.h"
#include "simcore/observe/stable_internal.h"

#define TREND_T   2.45 /* Student's t, 0.975, 6 degrees of freedom: for a slope over eight batches */
#define TREND_MIN 0.02 /* relative change over the observed time; a smaller trend only widens the interval */
#define BATCH_T   2.36 /* Student's t, 0.975, 7 degrees of freedom */
#define QUEUE_MAX 0.02 /* maximum growth of the store queue's delay, relative to the time */
#define LIVES_MAX 0.10 /* maximum uncertainty of CTA run times; above it, only the rate is used */
#define EVEN_MAX  0.02 /* maximum uncertainty of the rate in that case */
enum {
    BATCHES = 8,
    SCHEDULES = 8 /* simulated schedules with randomly drawn run times */
};

/* --- batches --- */

/* Relative half-width of the mean of eight batches, including a trend. False: the trend is significant. */
static bool batches(const double value[BATCHES], double *doubt)
{
    double sum = 0, squares = 0, xy = 0, xx = 0, mean, slope, rest, moved;

    for (int i = 0; i < BATCHES; i++)
        sum += value[i];
    mean = sum / BATCHES;
    for (int i = 0; i < BATCHES; i++) {
        double x = i - (BATCHES - 1) / 2.0, y = value[i] - mean;

        squares += y * y;
        xy += x * y;
        xx += x * x;
    }
    slope = xy / xx;
    rest = fmax(squares - slope * xy, 0) / (BATCHES - 2);
    moved = fabs(slope) * (BATCHES - 1) / mean;
    *doubt = hypot(BATCH_T * sqrt(squares / (BATCHES - 1) / BATCHES) / mean, moved);
    return !(moved > TREND_MIN && fabs(slope) > TREND_T * sqrt(rest / xx));
}

/* Compares the run times of CTAs, in order of their start, with the mean of their strata. */
static void look_at_lives(struct looking *l)
{
    const struct stable *s = l->s;
    double lived[BATCHES] = {0}, wanted[BATCHES] = {0};
    size_t n = 0;

    for (size_t i = l->from; i < l->placed; i++) {
        size_t batch = n * BATCHES / l->seen_count;

        if (!stable_counts(s, i))
            continue;
        lived[batch] += (double)(s->lives[i].end - s->lives[i].start);
        wanted[batch] += (double)s->survey.ctas[i].instructions * s->strata[s->stratum[i]].ratio;
        n++;
    }
    if (l->rate_alone)
        return;
    for (int i = 0; i < BATCHES; i++)
        lived[i] /= wanted[i];
    if (!batches(lived, &l->life_doubt) || l->life_doubt > LIVES_MAX)
        l->rate_alone = true;
}

static bool rate_is_steady(struct looking *l, const struct projection_sample *samples, size_t n)
{
    uint64_t begin = l->s->simulator->design->kernel_cycles;
    size_t first = (size_t)((l->since - begin) / PROJECTION_SAMPLE_CYCLES) + 1;
    double value[BATCHES] = {0};

    if (first + BATCHES > n)
        return stable_no(l, "it had run steadily for too short a time");
    l->rate = 0;
    for (size_t b = 0; b < BATCHES; b++) {
        size_t from = first + (n - first) * b / BATCHES, to = first + (n - first) * (b + 1) / BATCHES;

        for (size_t i = from; i < to; i++)
            value[b] += (double)samples[i].instructions / (double)(to - from) / PROJECTION_SAMPLE_CYCLES;
        l->rate += value[b] / BATCHES;
    }
    if (!batches(value, &l->rate_doubt))
        return stable_no(l, "its rate of issue kept rising or falling");
    return !l->rate_alone || l->rate_doubt <= EVEN_MAX
               ? true
               : stable_no(l, "neither the durations of its CTAs nor its rate were steady");
}

/* No warp waits for stores and reductions. If memory accepts them more slowly than they are issued, the launch ends
 * with the last of them, long after the CTAs. */
static bool stores_keep_up(struct looking *l, size_t n)
{
    const struct stable *s = l->s;
    uint64_t begin = s->simulator->design->kernel_cycles;
    size_t first = (size_t)((l->since - begin) / PROJECTION_SAMPLE_CYCLES) + 1;
    double half[2] = {0};

    for (size_t i = first; i < n; i++)
        half[i >= (first + n) / 2] +=
            s->behind[i] / (double)(i >= (first + n) / 2 ? n - (first + n) / 2 : (n - first) / 2);
    l->behind = half[1];
    return (half[1] - half[0]) * 2 <= QUEUE_MAX * (double)((n - first) * PROJECTION_SAMPLE_CYCLES)
               ? true
               : stable_no(
                     l,
                     "the waiting time of stores kept rising: memory accepts fewer stores than the kernel issues");
}

bool stable_is_steady(struct looking *l, const struct projection_sample *samples, size_t n)
{
    look_at_lives(l);
    return rate_is_steady(l, samples, n) && stores_keep_up(l, n);
}

/* --- the two models --- */

/* Draws a run time for this stratum from the observed ones, scaled to this number of instructions. */
static double draw_life(const struct looking *l, struct rng *rng, size_t cta)
{
    const struct stable *s = l->s;
    const struct stratum *t = &s->strata[s->stratum[cta]];
    double work = (double)s->survey.ctas[cta].instructions;
    uint32_t like;

    if (t->seen < SEEN_MIN)
        return t->ratio * work;
    like = l->seen[t->first + rng_below(rng, t->seen)];
    return (double)(s->lives[like].end - s->lives[like].start) * work / (double)s->survey.ctas[like].instructions;
}

/* Draws the end of a resident CTA, given its run time so far. */
static double draw_end(const struct looking *l, struct rng *rng, size_t cta)
{
    double start = (double)l->s->lives[cta].start, end = 0;

    for (int i = 0; i < 8 && end <= (double)l->now; i++)
        end = start + draw_life(l, rng, cta);
    return fmax(end, (double)l->now + 1);
}

/* The time for which a slot is empty between two CTAs: until the stores of the first one have been read from
 * registers, the slot has been cleared, and the next CTA can be dispatched. */
static double turnover(const struct looking *l)
{
    const struct stable *s = l->s;
    double empty = (double)(l->now - l->since) * (double)s->wave, started = 0;

    for (size_t i = 0; i < l->placed; i++) {
        const struct life *x = &s->lives[i];
        uint64_t from = x->start > l->since ? x->start : l->since, to = x->end && x->end < l->now ? x->end : l->now;

        if (s->stratum[i] == NO_STRATUM)
            continue;
        started += x->start >= l->since && x->start < l->now;
        empty -= to > from ? (double)(to - from) : 0;
    }
    return empty > 0 && started > 0 ? empty / started : 0;
}

/* Writes the times at which slots become free; unused slots are free now. */
static size_t open_places(const struct looking *l, struct rng *rng, double turn)
{
    const struct stable *s = l->s;
    size_t n = 0;

    for (size_t i = 0; i < l->placed && n < s->wave; i++)
        if (s->stratum[i] != NO_STRATUM && !s->lives[i].end)
            l->place[n++] = draw_end(l, rng, i) + turn;
    while (n < s->wave)
        l->place[n++] = (double)l->now;
    return n;
}

/* The remaining CTAs, in order. */
struct rest {
    const struct looking *l;
    struct rng *rng;
    size_t next;
    double turn;
};

static double next_life(void *rest)
{
    struct rest *r = rest;

    while (r->l->s->stratum[r->next] == NO_STRATUM)
        r->next++;
    return draw_life(r->l, r->rng, r->next++) + r->turn;
}

static double schedule_once(const struct looking *l, struct rng *rng)
{
    const struct gpu_design *d = l->s->simulator->design;
    struct rest rest = {l, rng, l->placed, l->turn};
    size_t n = open_places(l, rng, rest.turn);
    uint64_t left = 0;

    for (size_t i = l->placed; i < l->s->survey.count; i++)
        left += l->s->stratum[i] != NO_STRATUM;
    return projection_schedule(l->place, n, left, next_life, &rest, (double)l->now, d->cta_interval_cycles) -
           rest.turn;
}

/* Instructions that resident CTAs have issued ahead of the share of their run time that has passed. The throughput
 * limit can apply to work after the issue. */
static double issued_ahead(const struct looking *l)
{
    const struct stable *s = l->s;
    double issued = (double)l->issued, share = 0;

    for (size_t i = 0; i < l->placed; i++) {
        double work = (double)s->survey.ctas[i].instructions, lived, life;

        if (s->stratum[i] == NO_STRATUM)
            continue;
        if (s->lives[i].end) {
            issued -= work;
            continue;
        }
        lived = l->now > s->lives[i].start ? (double)(l->now - s->lives[i].start) : 0;
        life = s->strata[s->stratum[i]].ratio * work;
        share += work * (lived < life ? lived / life : 1);
    }
    return issued - share;
}

static void schedules(const struct looking *l, double *mean, double *half)
{
    double sum = 0, squares = 0;

    for (int i = 0; i < SCHEDULES; i++) {
        struct rng rng;
        double x;

        rng_init(&rng, 1, (uint64_t)i, RNG_BOOTSTRAP);
        x = schedule_once(l, &rng) - (double)l->now;
        sum += x;
        squares += x * x;
    }
    *mean = sum / SCHEDULES;
    *half = hypot(BATCH_T * sqrt(fmax(squares / SCHEDULES - *mean * *mean, 0) * SCHEDULES / (SCHEDULES - 1)),
                  l->life_doubt * *mean);
}

/* The longest observed run time of a CTA: an upper bound of the last wave's tail. */
static double longest(const struct stable *s)
{
    double life = 0;

    for (size_t k = 0; k < s->stratum_count; k++)
        life = fmax(life, s->strata[k].ratio * s->strata[k].largest);
    return life;
}

bool stable_answer_make(struct looking *l, struct stable_answer *out)
{
    double now = (double)l->now, life, life_half, rate, rate_half, done, low, high;

    l->turn = turnover(l);
    rate = ((double)l->s->instructions - (double)l->issued) / l->rate;
    done = rate + issued_ahead(l) / l->rate;
    rate_half = l->rate_doubt * rate;
    if (l->rate_alone) {
        life = rate;
        life_half = hypot(longest(l->s), rate_half);
    } else {
        schedules(l, &life, &life_half);
    }
    low = fmin(l->rate_alone ? INFINITY : life - life_half, fmin(rate, done) - rate_half);
    high = fmax(life + life_half, fmax(rate, done) + rate_half);
    out->cycles = now + (fmin(life, fmin(rate, done)) + fmax(life, fmax(rate, done)) + l->behind + l->turn) / 2;
    out->low = now + fmax(low, 0);
    out->high = now + high + l->behind + l->turn; /* the last CTA may end at either time */
    return (out->high - out->low) / 2 <= l->s->limit * out->cycles ? true
                                                                   : stable_no(l, "the interval would be too wide");
}
