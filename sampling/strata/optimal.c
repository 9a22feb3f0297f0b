/* Slices of a sorted line that are cheapest under a price of variance; formula and source: optimal.h.
 *
 *     best(j) = min over i < j of best(i) + cost of the slice of bins i .. j - 1
 *
 * Assumes: the optimal strata are intervals of the sorted times (true for one response that increases with the
 * planning variable). The spread within slices is that of the profile, at least the noise floor. If there are more
 * distinct values than bins, neighbouring values are combined first. */
#include "sampling/strata/optimal.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/assert.h"

/* Ends of bins: a new bin begins when the sum of distances has grown by one bin's share of the remaining sum. Half
 * of the distance between neighbours is that of their logarithms; the other half is the number of launches. */
static void cut_bins(const struct value_count *runs, size_t count, size_t most, double rows, struct bins *out)
{
    double range = log((double)runs[count - 1].value) - log((double)runs[0].value);
    double sum = 0, next = 2.0 / (double)most;

    ASSERT(count > 0 && most > 0 && rows > 0);
    for (size_t r = 0; r < count; r++) {
        bool cut = r + 1 == count || count <= most;

        if (!cut) {
            sum += (log((double)runs[r + 1].value) - log((double)runs[r].value)) / range +
                   (double)runs[r].count / rows;
            cut = sum >= next && out->count + 1 < most;
        }
        if (cut) {
            out->run_end[out->count++] = r + 1;
            next = sum + (2.0 - sum) / (double)(most - out->count + 1);
        }
    }
    ASSERT(out->count > 0 && out->count <= most && out->run_end[out->count - 1] == count);
}

static void sum_responses(const struct response_sum *of_runs, struct bins *out)
{
    size_t count = out->response_count;

    for (size_t i = 0, run = 0; i < out->count; i++) {
        struct response_sum *before = out->responses + i * count, *after = before + count;

        memcpy(after, before, count * sizeof *after);
        for (; run < out->run_end[i]; run++)
            for (size_t r = 0; r < count; r++) {
                after[r].sum += of_runs[run * count + r].sum;
                after[r].squares += of_runs[run * count + r].squares;
            }
    }
}

static void sum_bins(const struct value_count *runs, struct bins *out)
{
    for (size_t i = 0, r = 0; i < out->count; i++) {
        double n = 0, sum = 0, squares = 0;

        for (; r < out->run_end[i]; r++) {
            double m = (double)runs[r].count, x = (double)runs[r].value - out->centre;

            n += m;
            sum += m * x;
            squares += m * x * x;
        }
        out->n[i + 1] = out->n[i] + n;
        out->sum[i + 1] = out->sum[i] + sum;
        out->squares[i + 1] = out->squares[i] + squares;
    }
}

int bins_make(const struct value_count *runs, size_t count, size_t most, const struct response_sum *responses,
              size_t response_count, struct bins *out, struct err *e)
{
    size_t room = count < most ? count : most;
    double rows = 0, sum = 0;

    for (size_t r = 0; r < count; r++) {
        rows += (double)runs[r].count;
        sum += (double)runs[r].count * (double)runs[r].value;
    }
    *out = (struct bins){.centre = sum / rows, .low = (double)runs[0].value, .high = (double)runs[count - 1].value};
    out->run_end = mem_zalloc(room, sizeof *out->run_end, e);
    out->n = mem_zalloc(room + 1, sizeof *out->n, e);
    out->sum = mem_zalloc(room + 1, sizeof *out->sum, e);
    out->squares = mem_zalloc(room + 1, sizeof *out->squares, e);
    if (responses)
        out->responses = mem_zalloc((room + 1) * response_count, sizeof *out->responses, e);
    if (!out->run_end || !out->n || !out->sum || !out->squares || (responses && !out->responses)) {
        bins_release(out);
        return -1;
    }
    cut_bins(runs, count, most, rows, out);
    sum_bins(runs, out);
    if (responses) {
        out->response_count = response_count;
        sum_responses(responses, out);
    }
    return 0;
}

void bins_release(struct bins *b)
{
    free(b->run_end);
    free(b->n);
    free(b->sum);
    free(b->squares);
    free(b->responses);
    *b = (struct bins){0};
}

static inline double variance_of(const struct bins *b, size_t i, size_t j, double mean, double noise_floor,
                                 double follows)
{
    double count = b->n[j] - b->n[i], sum = b->sum[j] - b->sum[i], floor_s = noise_floor * mean;
    double s2 = (b->squares[j] - b->squares[i] - sum * sum / count) / (count - 1);

    ASSERT_HOT(i < j && j <= b->count);
    for (size_t r = 0; r < b->response_count; r++) {
        const struct response_sum *from = &b->responses[i * b->response_count + r],
                                  *to = &b->responses[j * b->response_count + r];
        double all = to->sum - from->sum, other = (to->squares - from->squares - all * all / count) / (count - 1);

        s2 = s2 > other ? s2 : other;
    }
    if (follows > 0) {
        s2 = s2 > 0 ? s2 : 0; /* of equal values, rounding may leave less */
        return (1 - follows) * (1 - follows) * s2 + noise_floor * noise_floor * (mean * mean + s2);
    }
    return s2 > floor_s * floor_s ? s2 : floor_s * floor_s;
}

static inline double planned_variance(const struct bins *b, size_t i, size_t j, double mean,
                                      const struct slice_rules *rules)
{
    double noise = rules->noise * mean;

    return variance_of(b, i, j, mean, rules->noise_floor, rules->follows) + noise * noise;
}

double slice_variance(const struct bins *b, size_t i, size_t j, double mean, double noise_floor, double follows)
{
    return variance_of(b, i, j, mean, noise_floor, follows);
}

double slice_cost(const struct bins *b, size_t i, size_t j, double lambda, const struct slice_rules *rules,
                  double *n)
{
    double count = b->n[j] - b->n[i], mean = b->centre + (b->sum[j] - b->sum[i]) / count;
    double cost = rules->cost_fixed + rules->cost_per_unit * mean, weight, want, low, low_cost, high_cost;

    ASSERT_HOT(i < j && j <= b->count);
    if (count <= rules->least) { /* taken whole */
        *n = count;
        return count * cost;
    }
    weight = lambda * count * count * planned_variance(b, i, j, mean, rules);
    want = weight / cost;
    if (want <= rules->least * rules->least) {
        want = low = rules->least;
    } else {
        want = sqrt(want);
        low = floor(want);
    }
    if (want >= count) {
        *n = count;
        return count * cost;
    }
    *n = low;
    low_cost = cost * low + weight * (1 / low - 1 / count);
    if (weight <= cost * low * (low + 1)) /* one more sample costs more than it gains */
        return low_cost;
    high_cost = cost * (low + 1) + weight * (1 / (low + 1) - 1 / count);
    if (high_cost < low_cost)
        *n = low + 1;
    return high_cost < low_cost ? high_cost : low_cost;
}

/* No cut can be cheaper than this: the right part's mean is at least the whole one's, and every part has a sample;
 * with two at least, every part of two or more has two. */
static double least_cost_of_a_cut(const struct bins *b, const struct slice_rules *rules)
{
    double low = rules->cost_fixed + rules->cost_per_unit * b->low;
    double high = rules->cost_fixed + rules->cost_per_unit * b->high;
    double centre = rules->cost_fixed + rules->cost_per_unit * b->centre;

    if (rules->least < 2)
        return low + centre;
    return fmin(low + 2 * centre, 2 * low + fmin(high, 2 * centre));
}

double slices_cost(const struct bins *b, double lambda, const struct slice_rules *rules, const size_t *cuts,
                   size_t count)
{
    double cost = 0, n;

    for (size_t k = 0; k < count; k++)
        cost += slice_cost(b, k ? cuts[k - 1] : 0, cuts[k], lambda, rules, &n);
    return cost;
}

/* Removes cuts with a gain below the minimum: with the times of another run they may have no gain. */
static size_t optimal_merge(const struct bins *b, double lambda, const struct slice_rules *rules, size_t *cuts,
                            size_t count)
{
    bool merged = true;
    double n;

    while (merged && count > 1) {
        merged = false;
        for (size_t k = 0; k + 1 < count; k++) {
            size_t begin = k ? cuts[k - 1] : 0;
            double apart_cost = slice_cost(b, begin, cuts[k], lambda, rules, &n) +
                                slice_cost(b, cuts[k], cuts[k + 1], lambda, rules, &n);
            double joint = slice_cost(b, begin, cuts[k + 1], lambda, rules, &n);

            if (apart_cost <= (1 - rules->least_gain) * joint)
                continue;
            for (size_t m = k; m + 1 < count; m++)
                cuts[m] = cuts[m + 1];
            count--;
            merged = true;
        }
    }
    ASSERT(count > 0 && cuts[count - 1] == b->count);
    return count;
}

/* Whether the slice of bins [i, j) can be cheaper than `most`, and whether any longer one that ends at j can. With
 * w = lambda N^2 S^2, whatever n is,
 *     c n + w (1/n - 1/N) >= 2 sqrt(c w) - w/N,
 * so it cannot be cheaper if 4 c w > (most + w/N)^2, which needs no square root. With the cost of the smallest
 * value as c, the condition is also true for longer slices, since w and N only grow, as long as the best n is in 1
 * .. N. */
enum prospect { MAY_PAY, PAYS_NOT, NEVER_PAYS };
static inline enum prospect prospect_of(const struct bins *b, size_t i, size_t j, double lambda,
                                        const struct slice_rules *rules, double most, double most_ever)
{
    double count = b->n[j] - b->n[i], mean = b->centre + (b->sum[j] - b->sum[i]) / count, share, weight, cost, room;

    if (count <= rules->least)
        return MAY_PAY;
    share = lambda * count * planned_variance(b, i, j, mean, rules); /* w/N */
    weight = share * count;
    room = (most + share) * (1 + 1e-9); /* tolerance for rounding */
    cost = rules->cost_fixed + rules->cost_per_unit * mean;
    if (4 * cost * weight <= room * room)
        return MAY_PAY;
    room = (most_ever + share) * (1 + 1e-9);
    cost = rules->cost_fixed + rules->cost_per_unit * b->low;
    return 4 * cost * weight > room * room && weight >= cost && share <= cost * count ? NEVER_PAYS : PAYS_NOT;
}

size_t slice(const struct bins *b, double lambda, const struct slice_rules *rules, size_t *cuts,
             struct slice_step *scratch)
{
    size_t count = 0;
    double n;

    if (b->count == 1 || slice_cost(b, 0, b->count, lambda, rules, &n) <= least_cost_of_a_cut(b, rules)) {
        cuts[0] = b->count;
        return 1;
    }
    scratch[0] = (struct slice_step){0, 0};
    for (size_t j = 1; j <= b->count; j++) {
        struct slice_step best = {INFINITY, 0};

        for (size_t i = j; i-- > 0;) {
            enum prospect prospect = prospect_of(b, i, j, lambda, rules, best.cost - scratch[i].cost, best.cost);
            double cost;

            if (prospect == NEVER_PAYS)
                break;
            if (prospect == PAYS_NOT)
                continue;
            cost = scratch[i].cost + slice_cost(b, i, j, lambda, rules, &n);
            if (cost < best.cost)
                best = (struct slice_step){cost, i};
        }
        ASSERT(best.from < j && isfinite(best.cost));
        scratch[j] = best;
    }
    for (size_t j = b->count; j > 0; j = scratch[j].from)
        cuts[count++] = j;
    for (size_t k = 0; k < count / 2; k++) {
        size_t swap = cuts[k];

        cuts[k] = cuts[count - 1 - k];
        cuts[count - 1 - k] = swap;
    }
    ASSERT(count > 0 && cuts[count - 1] == b->count);
    return rules->least_gain > 0 ? optimal_merge(b, lambda, rules, cuts, count) : count;
}
