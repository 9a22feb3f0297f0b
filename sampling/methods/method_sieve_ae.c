/* Sieve, as in STEM+ROOT's artifact (STEM-AE, sieve.py), which differs from the authors' method and is weaker
 * (method_sieve.c).
 *
 *     total = sum over strata of N_h * c_rep               (by count: size differences within a stratum are
 * ignored)
 *
 *   tier 1, all counts equal: the first launch.
 *   tier 2, CoV < 0.4: the first launch of the most frequent CTA size (threads of the whole grid; ties: seen
 * first). tier 3: launches sorted by count are cut at rows where the density (Gaussian, bandwidth 1, of all
 * launches, at the launches themselves) is a local minimum; a part whose CoV over its launches is above 0.5 is cut
 * once more the same way. The launch with the smallest count, of these the first, represents a part.
 *
 * A row is a minimum if neither neighbour is below it. In a run of equal counts all densities are equal, so every
 * row is a minimum and each launch becomes a stratum: hence speedups of only 1.2 to 5 on CASIO. Isolated launches
 * of different counts have equal densities too; in the artifact rounding errors decide which of them is the
 * minimum, here it is the first one (densities that agree to 2^-30 are equal). Assumptions: those of Sieve; there
 * is no interval and no promise. Complete names are used here. */
#include <stdlib.h>

#include "base/array.h"
#include "sampling/strata/density.h"
#include "sampling/methods/method.h"
#include "sampling/strata/sieve.h"

static uint64_t threads_of_grid(const struct profile_kernel *k)
{
    uint64_t threads = (uint64_t)k->block[0] * k->block[1] * k->block[2];

    return threads * k->grid[0] * k->grid[1] * k->grid[2];
}

/* Rows [begin, end) of names.rows, and their distinct counts. */
struct stretch {
    size_t begin, end, distinct, capacity;
    struct value_count *values;
};

static int look_at(const struct sieve *s, size_t begin, size_t end, struct stretch *out, struct err *e)
{
    out->begin = begin;
    out->end = end;
    out->distinct = 0;
    for (size_t i = begin; i < end; i++) {
        uint64_t count = s->profile->features->instructions[s->names.rows[i]];

        if (out->distinct && out->values[out->distinct - 1].value == count) {
            out->values[out->distinct - 1].count++;
            continue;
        }
        if (array_reserve((void **)&out->values, &out->capacity, out->distinct + 1, sizeof *out->values, e) < 0)
            return -1;
        out->values[out->distinct++] = (struct value_count){count, 1};
    }
    return 0;
}

static double sieve_ae_variation(const struct stretch *x)
{
    struct moments m = {0};

    for (size_t i = 0; i < x->distinct; i++) {
        m.count += x->values[i].count;
        m.sum += x->values[i].count * x->values[i].value;
        m.squares += (unsigned __int128)x->values[i].value * x->values[i].value * x->values[i].count;
    }
    return coefficient_of_variation(&m);
}

struct rows {
    size_t *items, count, capacity;
};

static int add_row(struct rows *r, size_t row, struct err *e)
{
    if (array_reserve((void **)&r->items, &r->capacity, r->count + 1, sizeof *r->items, e) < 0)
        return -1;
    r->items[r->count++] = row;
    return 0;
}

/* Finds the rows where parts begin, including the first row. */
static int find_cuts(const struct stretch *x, struct rows *out, struct err *e)
{
    size_t row = x->begin;
    double before = 0, here, after;

    out->count = 0;
    if (!x->distinct)
        return 0;
    if (add_row(out, row, e) < 0)
        return -1;
    here = density_log(x->values, x->distinct, (double)x->values[0].value);
    for (size_t i = 0; i < x->distinct; i++, before = here, here = after) {
        bool last = i + 1 == x->distinct;
        uint64_t n = x->values[i].count;

        after = last ? here : density_log(x->values, x->distinct, (double)x->values[i + 1].value);
        for (uint64_t k = 0; k < n; k++, row++) {
            bool below_left = k > 0 || i == 0 || here < before || (here == before && n > 1);

            if (row > x->begin && below_left && (k + 1 < n || here <= after) && add_row(out, row, e) < 0)
                return -1;
        }
    }
    return 0;
}

static int add_parts(struct sieve *s, const struct stretch *x, bool cut_again, struct err *e)
{
    struct stretch part = {0};
    struct rows cuts = {0};
    int ret = find_cuts(x, &cuts, e);

    for (size_t i = 0; i < cuts.count && ret == 0; i++) {
        ret = look_at(s, cuts.items[i], i + 1 < cuts.count ? cuts.items[i + 1] : x->end, &part, e);
        if (ret == 0 && cut_again && sieve_ae_variation(&part) > SIEVE_CUT_AGAIN)
            ret = add_parts(s, &part, false, e);
        else if (ret == 0)
            ret = sieve_add(s, part.begin, part.end, s->names.rows[part.begin], e);
    }
    free(part.values);
    free(cuts.items);
    return ret;
}

static int sieve_ae_split(struct sieve *s, const struct group *name, struct err *e)
{
    struct stretch all = {0};
    int ret = look_at(s, s->names.runs[name->run_begin].first, s->names.runs[name->run_end].first, &all, e);

    if (ret == 0)
        ret = add_parts(s, &all, true, e);
    free(all.values);
    return ret;
}

static int sieve_ae_stratify(const struct profile *p, const struct plan_params *params, struct strata *out,
                             struct err *e)
{
    static const struct sieve_rules rules = {threads_of_grid, false, sieve_ae_split, PLAN_EXPANSION};

    (void)params; /* the method has no error bound */
    return sieve_stratify(p, &rules, out, e);
}

const struct method method_sieve_ae = {
    .name = "sieve-ae",
    .is_code = true,
    .title = "Sieve (STEM's artifact)",
    .sentence = "Sieve as in STEM+ROOT's artifact: splits at every gap, takes the smallest launch of a stratum, "
                "and projects by count. It promises nothing.",
    .needs = NEEDS_INSTRUCTIONS,
    .labels = true,
    .why_not = sieve_why_not,
    .stratify = sieve_ae_stratify,
};
