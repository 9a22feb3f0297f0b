/* Sieve, as implemented in its authors' scripts (Naderan-Tahan et al., ISPASS 2023; analyze_kernels.py).
 *
 *     total = sum over strata of I_h * c_rep / i_rep       (I_h: warp instructions of the stratum)
 *
 * which is their weighted harmonic mean of IPC, within a name and then over names: a ratio estimator with
 * instructions as auxiliary variable, from one chosen launch per stratum. Kernels by name, in three tiers
 * (sieve.h):
 *   tier 1, all counts equal: the first launch.
 *   tier 2, CoV < 0.4: the most frequent CTA size (threads of a block), within it the most frequent count, of these
 * the first launch; ties: the value that occurs first. tier 3: the distinct counts are cut at the minima of a
 * Gaussian kernel density of bandwidth 1 (one instruction) on 50 points between the least and the greatest; a part
 * whose CoV over its distinct counts is above 0.5 is cut once more the same way. The first launch with the upper
 * median count represents a part.
 *
 * Assumes: launches of a name with similar instruction counts have equal IPC, and that of the first one represents
 * them. Representatives are chosen, not drawn: there is no interval and no promise. With counts in the millions and
 * a bandwidth of one, every gap wider than two of the 50 steps becomes a cut, and smaller gaps are cut or not
 * depending on the position of the points; this is kept as published. Densities that agree to 2^-30 count as equal
 * (density.h). */
#include <math.h>
#include <stdlib.h>

#include "base/array.h"
#include "sampling/strata/density.h"
#include "sampling/methods/method.h"
#include "sampling/strata/sieve.h"

#define POINTS 50 /* numpy's linspace, as the scripts call it */

static uint64_t threads_of_block(const struct profile_kernel *k)
{
    return (uint64_t)k->block[0] * k->block[1] * k->block[2];
}

/* Runs [begin, end) of the name, as distinct values. */
struct part {
    size_t begin, end;
};

/* Finds where the right parts begin: at most POINTS cuts, ascending; values below a minimum belong to the left
 * part. */
static size_t find_cuts(const struct value_count *values, struct part part, size_t cuts[POINTS])
{
    double low = (double)values[part.begin].value, high = (double)values[part.end - 1].value, at[POINTS],
           density[POINTS];
    size_t found = 0, run = part.begin;

    for (int i = 0; i < POINTS; i++) {
        at[i] = i == POINTS - 1 ? high : low + i * ((high - low) / (POINTS - 1));
        density[i] = density_log(values + part.begin, part.end - part.begin, at[i]);
    }
    for (int i = 0; i < POINTS; i++) { /* the first and the last point have one neighbour */
        if ((i > 0 && density[i] > density[i - 1]) || (i < POINTS - 1 && density[i] > density[i + 1]))
            continue;
        while ((double)values[run].value < at[i])
            run++;
        if (run > (found ? cuts[found - 1] : part.begin))
            cuts[found++] = run;
    }
    return found;
}

static double sieve_variation(const struct value_count *values, struct part part)
{
    struct moments m = {0};

    for (size_t i = part.begin; i < part.end; i++) {
        m.count++;
        m.sum += values[i].value;
        m.squares += (unsigned __int128)values[i].value * values[i].value;
    }
    return coefficient_of_variation(&m);
}

static int add_part(struct sieve *s, size_t first_run, const struct value_count *values, struct part part,
                    bool cut_again, struct err *e)
{
    const struct value_run *runs = s->names.runs + first_run;
    size_t cuts[POINTS + 1], count;

    if (!cut_again || sieve_variation(values, part) <= SIEVE_CUT_AGAIN)
        return sieve_add(s, runs[part.begin].first, runs[part.end].first,
                         s->names.rows[runs[part.begin + (part.end - part.begin) / 2].first], e);
    count = find_cuts(values, part, cuts);
    cuts[count] = part.end;
    for (size_t i = 0; i <= count; i++) {
        struct part piece = {i ? cuts[i - 1] : part.begin, cuts[i]};

        if (add_part(s, first_run, values, piece, false, e) < 0)
            return -1;
    }
    return 0;
}

static int sieve_split(struct sieve *s, const struct group *name, struct err *e)
{
    size_t distinct = name->run_end - name->run_begin, cuts[POINTS + 1], count;
    struct value_count *values = mem_zalloc(distinct, sizeof *values, e);
    int ret = 0;

    if (!values)
        return -1;
    for (size_t i = 0; i < distinct; i++)
        values[i] = (struct value_count){s->names.runs[name->run_begin + i].value, 1};
    count = find_cuts(values, (struct part){0, distinct}, cuts);
    cuts[count] = distinct;
    for (size_t i = 0; i <= count && ret == 0; i++)
        ret = add_part(s, name->run_begin, values, (struct part){i ? cuts[i - 1] : 0, cuts[i]}, true, e);
    free(values);
    return ret;
}

static int stratify_sieve(const struct profile *p, const struct plan_params *params, struct strata *out,
                          struct err *e)
{
    static const struct sieve_rules rules = {threads_of_block, true, sieve_split, PLAN_INSTRUCTION_RATIO};

    (void)params; /* the method has no error bound */
    return sieve_stratify(p, &rules, out, e);
}

const struct method method_sieve = {
    .name = "sieve",
    .code = &method_sieve_ae,
    .title = "Sieve",
    .sentence = "As in its authors' scripts (ISPASS 2023): groups kernels by name and instruction count, takes one "
                "chosen launch a stratum, and projects by instructions. It promises nothing.",
    .needs = NEEDS_INSTRUCTIONS,
    .labels = true,
    .why_not = sieve_why_not,
    .stratify = stratify_sieve,
};
