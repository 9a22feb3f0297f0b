/* Makes a plan from a method's strata: describes each stratum, draws samples and sets their weights. */
#include "sampling/methods/plan_make.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/assert.h"
#include "sampling/profile/communication.h"
#include "sampling/estimate/effective.h"
#include "sampling/estimate/gather.h"

#define OVERSPENT  1.02 /* cost / budget above which the plan has a note */
#define NO_PROMISE 1.0  /* half-width / total: from here on the interval gives no information */

/* Describes a stratum by its first launch, and checks whether the others are of the same kernel. */
static int plan_make_describe(const struct strata *s, const struct profile *p, const struct stratum_pick *pick,
                              struct plan_stratum *out, struct err *e)
{
    const uint32_t *rows = s->groups.rows;
    uint32_t from = s->groups.runs[pick->run_begin].first, to = s->groups.runs[pick->run_end].first,
             first = rows[from];
    const struct profile_kernel *k;

    ASSERT(from < to && to <= s->groups.row_count);
    for (uint32_t i = from; i < to; i++)
        first = rows[i] < first ? rows[i] : first;
    out->kernel = p->kernel[first];
    k = &p->kernels[out->kernel];
    for (uint32_t i = from; pick->kind != GROUP_KERNEL && i < to; i++) {
        uint32_t other = p->kernel[rows[i]];

        if (other == out->kernel)
            continue;
        out->mixed_shapes = true;
        if (p->kernels[other].name_id != k->name_id) {
            out->mixed_names = true;
            break;
        }
    }
    memcpy(out->grid, k->grid, sizeof out->grid);
    memcpy(out->block, k->block, sizeof out->block);
    out->kernel_name = mem_strdup(out->mixed_names ? "" : k->name, e);
    if (!out->kernel_name || !k->domain)
        return out->kernel_name ? 0 : -1;
    out->domain = mem_strdup(k->domain, e);
    return out->domain ? 0 : -1;
}

static uint64_t instructions_of(const struct strata *s, const struct profile *p, const struct stratum_pick *pick)
{
    uint32_t from = s->groups.runs[pick->run_begin].first, to = s->groups.runs[pick->run_end].first;
    uint64_t sum = 0;

    ASSERT(p->features && p->features->instructions);
    for (uint32_t i = from; i < to; i++)
        sum += p->features->instructions[s->groups.rows[i]];
    return sum;
}

static int fill_strata(const struct strata *s, const struct profile *p, struct plan *out, struct err *e)
{
    out->strata = mem_zalloc(s->count, sizeof *out->strata, e);
    if (!out->strata)
        return -1;
    for (size_t h = 0; h < s->count; h++) {
        const struct stratum_pick *pick = &s->items[h];
        struct moments m = moments_of(&s->groups, pick->run_begin, pick->run_end);
        struct plan_stratum *to = &out->strata[h];

        ASSERT(pick->run_begin < pick->run_end && pick->run_end <= s->groups.run_count);
        out->stratum_count = h + 1;
        if (plan_make_describe(s, p, pick, to, e) < 0)
            return -1;
        to->population = m.count;
        to->samples = pick->n;
        to->mean = moments_mean(&m);
        to->sd = moments_sd(&m);
        to->total = m.sum;
        to->low = s->groups.runs[pick->run_begin].value;
        to->high = s->groups.runs[pick->run_end - 1].value;
        to->take_all = !s->with_replacement && pick->n >= m.count;
        ASSERT(to->population > 0 && to->mean > 0 && to->sd >= 0 && to->low <= to->high);
        to->planned_sd = pick->planned_sd;
        to->cost = pick->cost > 0 ? pick->cost : to->mean;
        if (s->estimator == PLAN_INSTRUCTION_RATIO)
            to->auxiliary = instructions_of(s, p, pick);
    }
    return 0;
}

static int id_compare(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

    return x < y ? -1 : x > y;
}

/* The weight of one draw of the stratum. */
static double weight_of(const struct profile *p, const struct plan *out, const struct plan_stratum *s,
                        const uint32_t *ids)
{
    uint64_t drawn = 0;

    if (out->estimator != PLAN_INSTRUCTION_RATIO)
        return (double)s->population / (double)s->samples;
    for (uint64_t i = 0; i < s->samples; i++)
        drawn += p->features->instructions[ids[i]];
    return (double)s->auxiliary / (double)drawn;
}

static void fill_stratum_samples(const struct profile *p, struct plan *out, uint32_t h, uint32_t *ids)
{
    const struct plan_stratum *s = &out->strata[h];
    double weight = weight_of(p, out, s, ids);

    ASSERT(h < out->stratum_count);
    qsort(ids, s->samples, sizeof *ids, id_compare);
    for (uint64_t i = 0; i < s->samples; i++) {
        struct plan_sample *to = &out->samples[out->sample_count];

        if (i && ids[i] == ids[i - 1]) {
            to--;
            to->draws++;
        } else {
            out->sample_count++;
            *to = (struct plan_sample){.launch = ids[i], .stratum = h, .draws = 1, .value = p->value[ids[i]]};
            if (out->estimator == PLAN_INSTRUCTION_RATIO)
                to->auxiliary = p->features->instructions[ids[i]];
        }
        to->weight = to->draws * weight;
    }
}

int plan_redraw(struct plan *out, const struct profile *p, const struct strata *s, uint64_t seed,
                enum rng_purpose purpose, struct err *e)
{
    struct drawer d = {0};
    uint64_t all = 0, most = 0, cost = 0;
    uint32_t *ids = NULL;
    int ret = -1;

    ASSERT(out->stratum_count == s->count);
    free(out->samples);
    out->sample_count = 0;
    for (size_t h = 0; h < s->count; h++) {
        all += s->items[h].n;
        most = s->items[h].n > most ? s->items[h].n : most;
    }
    ids = mem_zalloc(most, sizeof *ids, e);
    out->samples = mem_zalloc(all, sizeof *out->samples, e);
    if (!ids || !out->samples || drawer_init(&d, s, e) < 0)
        goto out;
    out->params.seed = seed;
    for (size_t h = 0; h < s->count; h++) {
        draw_stratum(&d, s, h, seed, purpose, ids);
        fill_stratum_samples(p, out, (uint32_t)h, ids);
    }
    ASSERT(out->sample_count <= all);
    for (size_t i = 0; i < out->sample_count; i++)
        cost += out->samples[i].value;
    out->speedup = (double)out->total / (double)cost;
    ret = 0;
out:
    free(ids);
    drawer_release(&d);
    return ret;
}

/* The separator before a further sentence of a note. */
static const char *between(const char *note)
{
    size_t n = strlen(note);

    return n == 0 ? "" : note[n - 1] == '.' ? " " : ". ";
}

/* A promise made from instruction counts holds for instructions, not for cycles. On examples/tiny-gpt, with all
 * launches simulated, the median interval was two to three times as wide as planned, the widest eight times. With
 * cycles estimated by a pilot the median interval was narrower than planned, the widest four times as wide
 * (docs/design/sampling-methods.md). */
static void note_loose_unit(struct plan *out, const struct profile *p)
{
    size_t used = strlen(out->note);

    ASSERT(used < sizeof out->note);
    if (out->unit == PROFILE_CYCLES)
        snprintf(out->note + used, sizeof out->note - used,
                 "%sPlanned from cycles estimated for %.60s, with one simulated launch of each shape. Differences "
                 "between launches of one shape, by cache contents or data, are not known.",
                 between(out->note), p->gpu_name);

    if (out->unit == PROFILE_WARP_INSTRUCTIONS && out->promise_valid && out->promised_error > 0)
        snprintf(out->note + used, sizeof out->note - used,
                 "%sPlanned from warp instructions. The cycles per instruction differ, so the interval may be "
                 "several times wider than promised.",
                 between(out->note));
}

/* The profiled time of kernels that wait for other GPUs is a poor predictor of their time in a simulation of one
 * GPU. */
static int note_communication(const struct profile *p, struct plan *out, struct err *e)
{
    bool *talks = mem_zalloc(p->kernel_count, sizeof *talks, e);
    size_t used = strlen(out->note);
    uint64_t launches = 0, value = 0;

    ASSERT(used < sizeof out->note);
    if (!talks)
        return -1;
    for (size_t k = 0; k < p->kernel_count; k++)
        talks[k] = communication_library(p->kernels[k].name) != NULL;
    for (size_t i = 0; i < p->count; i++) {
        if (!talks[p->kernel[i]])
            continue;
        launches += p->value[i] > 0;
        value += p->value[i];
    }
    free(talks);
    if (launches > 0)
        snprintf(
            out->note + used, sizeof out->note - used,
            "%sCommunication: %llu launches with %.3g %% of the %s, mostly waiting for other GPUs. A simulation "
            "of one GPU does not show that waiting.",
            between(out->note), (unsigned long long)launches, 100 * (double)value / (double)out->total,
            out->unit == PROFILE_NS ? "time" : "instructions");
    return 0;
}

/* The cost of a draw depends on the drawn launches; sizes are computed from the mean cost. */
static void note_overspent(struct plan *out)
{
    double all = plan_cost_all(out), drawn = plan_cost_drawn(out);
    size_t used = strlen(out->note);

    ASSERT(used < sizeof out->note);
    if (out->params.budget > 0 && drawn > OVERSPENT * out->params.budget * all)
        snprintf(out->note + used, sizeof out->note - used,
                 "%sThis draw costs %.3g %% of everything, and the budget is %.3g %%. The cost depends on the "
                 "launches drawn; another --seed may cost less.",
                 between(out->note), 100 * drawn / all, 100 * out->params.budget);
}

static void note_unseen_share(struct plan *out, double effective)
{
    size_t used = strlen(out->note);

    ASSERT(used < sizeof out->note);
    if (isfinite(effective))
        snprintf(out->note + used, sizeof out->note - used,
                 "%sA behaviour of fewer than %.2g %% of the launches, by their time, may be missing from all "
                 "samples (at %.3g %%). No interval covers that.",
                 between(out->note), 100 * unseen_share(effective, out->params.confidence),
                 100 * out->params.confidence);
}

/* For a plan with an interval: notes a kernel that can change the total by more than the requested error. */
static void note_unseen_kernel(struct plan *out, const struct unseen_kernel *k)
{
    bool sized = out->params.budget > 0 || out->params.share > 0;
    double error = sized ? out->promised_error : out->params.error;
    size_t used = strlen(out->note);
    const struct plan_stratum *s = &out->strata[k->group];

    ASSERT(k->group < out->stratum_count && used < sizeof out->note);
    if (isnan(out->promised_error) || out->variance != PLAN_VARIANCE_SAMPLES || !(k->moves > error) ||
        k->moves > k->share * (1 - 1e-9)) /* another sentence covers a single kernel */
        return;
    snprintf(
        out->note + used, sizeof out->note - used,
        "%s%.2g %% of the launches of %s%.60s, by their time, may behave unlike all samples. If they took twice as "
        "long, the total would be %.2g %% larger. What a plan or a run to %.3g %% promises does not include that.",
        between(out->note), 100 * k->share, s->mixed_names ? "the kernels in one stratum with " : "",
        s->kernel_name, 100 * k->moves, 100 * error);
}

/* Notes the behaviour that no sample may show, which no interval includes. */
static int note_unseen(struct plan *out, struct err *e)
{
    struct alloc_stratum *s;
    struct even_stratum *even;
    struct unseen_kernel kernel;
    size_t *group;
    int ret = 0;

    if (out->representative)
        return 0;
    s = mem_zalloc(out->stratum_count, sizeof *s, e);
    even = mem_zalloc(out->stratum_count, sizeof *even, e);
    group = mem_zalloc(out->stratum_count, sizeof *group, e);
    if (!s || !even || !group || gather_kernels(out, group, e) < 0) {
        ret = -1;
        goto out;
    }
    for (size_t h = 0; h < out->stratum_count; h++) {
        const struct plan_stratum *from = &out->strata[h];

        s[h] = (struct alloc_stratum){.population = from->population, .n = from->samples};
        even[h].mean = from->mean;
    }
    ret = unseen_in_kernels(s, even, group, out->stratum_count, out->params.confidence, &kernel, e);
    if (ret == 0) {
        note_unseen_share(out, effective_samples(s, even, out->stratum_count));
        note_unseen_kernel(out, &kernel);
    }
out:
    free(s);
    free(even);
    free(group);
    return ret;
}

/* NaN: no promise, also if launches are omitted but all launches of each stratum took the same time in
 * the profile. The profile then has no information about their spread in a simulation. */
static double promised_error_of(const struct strata *s)
{
    uint64_t left = 0;

    for (size_t h = 0; h < s->count; h++) {
        uint64_t population = stratum_population(s, h);

        left += population > s->items[h].n ? population - s->items[h].n : 0;
    }
    return s->promised_error < NO_PROMISE && (s->promised_error > 0 || left == 0) ? s->promised_error : NAN;
}

int plan_from_strata(const struct method *m, const struct profile *p, const struct plan_params *params,
                     const struct strata *s, enum rng_purpose purpose, struct plan *out, struct err *e)
{
    ASSERT(strlen(m->name) < sizeof out->method && s->groups.row_count <= p->count);
    plan_init(out);
    strcpy(out->method, m->name);
    out->params = *params;
    out->params.noise_floor = s->noise_floor;
    out->params.estimator = s->estimator == PLAN_RATIO ? PLAN_RATIO : PLAN_EXPANSION;
    out->unit = p->unit;
    out->launches = p->count;
    out->total = profile_total(p);
    out->zero_launches = p->count - s->groups.row_count;
    out->with_replacement = s->with_replacement;
    out->promised_error = promised_error_of(s);
    out->promise_valid = s->promise_valid && !isnan(out->promised_error);
    out->planned_df = s->planned_df;
    out->assured = params->assurance > 0 ? s->assured : NAN;
    out->assured_noise = params->assurance > 0 ? s->assured_noise : NAN;
    out->representative = s->representative;
    out->estimator = s->estimator;
    out->variance = s->variance;
    memcpy(out->caution, s->caution, sizeof out->caution);
    memcpy(out->note, s->note, sizeof out->note);
    note_loose_unit(out, p);
    if (fill_strata(s, p, out, e) < 0 || plan_redraw(out, p, s, params->seed, purpose, e) < 0 ||
        note_communication(p, out, e) < 0 || note_unseen(out, e) < 0) {
        plan_release(out);
        return -1;
    }
    note_overspent(out);
    return 0;
}

int plan_complete(const struct method *m, const struct profile *p, const struct plan_params *params,
                  const struct strata *s, struct plan *out, struct err *e)
{
    if (plan_from_strata(m, p, params, s, RNG_DRAW, out, e) < 0)
        return -1;
    if (profile_hash(p, out->profile_sha256, e) == 0) {
        if (plan_check(out, e) == 0)
            return 0;
        e->code = ERR_INTERNAL; /* an invalid plan here is a fault of the program */
    }
    plan_release(out);
    return -1;
}
