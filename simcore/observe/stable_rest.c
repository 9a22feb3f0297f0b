/* simcore/observe/stable_rest.c: compares the rest of a launch with the CTAs that ran. */
#include <math.h>
#include <string.h>

#include "simcore/observe/stable_internal.h"

#define UNSEEN_MAX                                                                                                 \
    0.01 /* share of the remaining instructions that may be in unobserved strata, none of which is the largest */
#define UNLIKE_MAX                                                                                                 \
    0.10 /* maximum distance of the mixture that ran to any part of the rest: half the sum of differences          \
          */
#define PLACES_MAX 0.10 /* maximum difference of the address locality */
enum {
    LOOKED_AT_MIN = 64, /* CTAs */
    PARTS_MAX = 8       /* number of parts of the rest */
};

/* Counts, for each stratum, its ended CTAs up to the first one that has not ended, so that short run times are not
 * preferred; or, if `all`, every ended CTA. Returns their number. */
static size_t count_seen(struct looking *l, bool all)
{
    struct stable *s = l->s;
    size_t sum = 0;

    for (size_t k = 0; k < s->stratum_count; k++) {
        s->strata[k].seen = 0;
        s->strata[k].lives = s->strata[k].work = 0;
        s->strata[k].open = UINT64_MAX;
    }
    for (size_t i = l->from; i < l->placed; i++) {
        struct stratum *t = s->stratum[i] == NO_STRATUM ? NULL : &s->strata[s->stratum[i]];

        if (t && !all && !s->lives[i].end && t->open == UINT64_MAX)
            t->open = i;
        if (!t || !stable_counts(s, i))
            continue;
        t->seen++;
        t->lives += (double)(s->lives[i].end - s->lives[i].start);
        t->work += (double)s->survey.ctas[i].instructions;
        sum++;
    }
    return sum;
}

static void list_seen(struct looking *l)
{
    struct stable *s = l->s;
    size_t at = 0;

    for (size_t k = 0; k < s->stratum_count; k++) {
        s->strata[k].ratio = s->strata[k].work > 0 ? s->strata[k].lives / s->strata[k].work : 0;
        s->strata[k].first = at;
        at += s->strata[k].seen;
        s->strata[k].seen = 0;
    }
    for (size_t i = l->from; i < l->placed; i++)
        if (stable_counts(s, i)) {
            struct stratum *t = &s->strata[s->stratum[i]];

            l->seen[t->first + t->seen++] = (uint32_t)i;
        }
}

/* If the scheduler skips some CTAs repeatedly because it always prefers the oldest or youngest warps, run times of
 * some CTAs do not predict those of others. Then only the rate is used. */
bool stable_collect(struct looking *l)
{
    size_t least = l->s->wave / 2 > LOOKED_AT_MIN ? l->s->wave / 2 : LOOKED_AT_MIN;

    l->seen_count = count_seen(l, false);
    l->rate_alone = l->seen_count < least;
    if (l->rate_alone)
        l->seen_count = count_seen(l, true);
    list_seen(l);
    return l->seen_count >= least ? true : stable_no(l, "too few CTAs had ended since it ran steadily");
}

/* Whether all strata of the rest and of the resident CTAs have been observed. A small unobserved remainder is
 * allowed if it has no large CTAs. */
static bool all_seen(struct looking *l)
{
    struct stable *s = l->s;
    double largest = 0, worst = 0, unseen = 0, left = 0;

    for (size_t k = 0; k < s->stratum_count; k++)
        if (s->strata[k].seen >= SEEN_MIN) {
            largest = fmax(largest, s->strata[k].largest);
            worst = fmax(worst, s->strata[k].ratio);
        }
    for (size_t i = 0; i < s->survey.count; i++) {
        double work = (double)s->survey.ctas[i].instructions;

        if (s->stratum[i] == NO_STRATUM || (i < l->placed && s->lives[i].end))
            continue;
        left += work;
        if (s->strata[s->stratum[i]].seen >= SEEN_MIN)
            continue;
        unseen += work;
        if (work > largest)
            return stable_no(l, "some of the remaining CTAs are larger than those that have ended");
    }
    if (unseen > UNSEEN_MAX * left)
        return stable_no(l, "too few CTAs have ended of some kinds that remain");
    for (size_t k = 0; k < s->stratum_count; k++)
        if (s->strata[k].seen < SEEN_MIN)
            s->strata[k].ratio = worst;
    return true;
}

/* --- comparison of the mixtures --- */

struct mixture {
    double share[STRATA_MAX], sum, squares; /* of the expected residence time */
};

static void mix(const struct stable *s, size_t from, size_t to, struct mixture *out)
{
    memset(out, 0, sizeof *out);
    for (size_t i = from; i < to; i++) {
        double x;

        if (s->stratum[i] == NO_STRATUM)
            continue;
        x = (double)s->survey.ctas[i].instructions * s->strata[s->stratum[i]].ratio;
        out->share[s->stratum[i]] += x;
        out->sum += x;
        out->squares += x * x;
    }
}

/* True: a and b differ by more than chance explains. If CTAs are in random order, chance is expected to give a
 * distance of one standard deviation for each stratum. */
static bool unlike(const struct stable *s, const struct mixture *a, const struct mixture *b)
{
    double distance = 0, chance = 0;

    if (!(a->sum > 0) || !(b->sum > 0))
        return b->sum > 0;
    for (size_t k = 0; k < s->stratum_count; k++) {
        double x = a->share[k] / a->sum, y = b->share[k] / b->sum, all = (x + y) / 2;

        distance += fabs(x - y) / 2;
        chance += sqrt(all * (1 - all) * (a->squares / a->sum / a->sum + b->squares / b->sum / b->sum)) / 2;
    }
    return distance > UNLIKE_MAX + chance;
}

static bool rest_is_alike(struct looking *l)
{
    struct stable *s = l->s;
    size_t left = s->survey.count - l->placed, parts = left / (s->wave ? s->wave : 1);
    struct mixture ran, rest;

    parts = parts < 1 ? 1 : parts > PARTS_MAX ? PARTS_MAX : parts;
    mix(s, l->from, l->placed, &ran);
    for (size_t k = 0; k < parts; k++) {
        mix(s, l->placed + left * k / parts, l->placed + left * (k + 1) / parts, &rest);
        if (unlike(s, &ran, &rest))
            return stable_no(l, "the remaining CTAs are a different mixture than those that ran");
    }
    return true;
}

/* --- comparison of the address locality --- */

struct moments {
    double n, sum[3], squares[3];
};

static void add_group(struct moments *m, const struct survey_group *g)
{
    const double x[3] = {g->sectors, g->distinct, g->common};

    m->n++;
    for (int k = 0; k < 3; k++) {
        m->sum[k] += x[k];
        m->squares[k] += x[k] * x[k];
    }
}

static bool far(const struct moments *a, const struct moments *b)
{
    for (int k = 0; k < 3; k++) {
        double x = a->sum[k] / a->n, y = b->sum[k] / b->n;
        double noise =
            (fmax(a->squares[k] / a->n - x * x, 0) / a->n + fmax(b->squares[k] / b->n - y * y, 0) / b->n);

        if (fabs(x - y) > PLACES_MAX * (k == 2 ? 1 : fmax(x, y)) + 2 * sqrt(noise))
            return true;
    }
    return false;
}

static bool places_are_alike(struct looking *l)
{
    const struct survey *v = &l->s->survey;
    size_t left = v->count - l->placed, first = 0, parts;
    struct moments ran = {0}, rest[PARTS_MAX] = {{0}};

    while (first < v->group_count && v->groups[first].first < l->placed)
        first++;
    parts = (v->group_count - first) / 4;
    parts = parts < 1 ? 1 : parts > PARTS_MAX ? PARTS_MAX : parts;
    for (size_t i = 0; i < v->group_count; i++) {
        if (v->groups[i].first >= l->placed)
            add_group(&rest[(v->groups[i].first - l->placed) * parts / left], &v->groups[i]);
        else if (v->groups[i].first >= l->from)
            add_group(&ran, &v->groups[i]);
    }
    if (ran.n < 2 && first < v->group_count)
        return stable_no(l, "too few CTAs had ended since it ran steadily");
    for (size_t k = 0; k < parts; k++)
        if (rest[k].n > 1 && far(&ran, &rest[k]))
            return stable_no(l, "the remaining CTAs access other addresses than those that ran");
    return true;
}

bool stable_rest_is_known(struct looking *l)
{
    return all_seen(l) && rest_is_alike(l) && places_are_alike(l);
}
