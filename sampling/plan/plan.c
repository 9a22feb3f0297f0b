/* Parameters, costs, and the invariants of every plan: weights of a stratum add up to N_h (or, with its warp
 * instructions i, sum(weight i) = I_h), counts and ids agree. */
#include "sampling/plan/plan.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/assert.h"

static const char *const estimator_names[] = {"expansion", "ratio", "instruction_ratio"};
static const char *const variance_names[] = {"samples", "successive", "model", "none"};
static const char *const classifier_names[] = {"bayes", "sgd", "mlp"};

const char *plan_estimator_name(enum plan_estimator x)
{
    ASSERT((unsigned)x <= PLAN_INSTRUCTION_RATIO);
    return estimator_names[x];
}

const char *plan_variance_name(enum plan_variance x)
{
    ASSERT((unsigned)x <= PLAN_VARIANCE_NONE);
    return variance_names[x];
}

int plan_estimator_from_name(const char *name, enum plan_estimator *out)
{
    for (int i = PLAN_EXPANSION; i <= PLAN_INSTRUCTION_RATIO; i++) {
        if (strcmp(name, estimator_names[i]) == 0) {
            *out = i;
            return 0;
        }
    }
    return -1;
}

int plan_variance_from_name(const char *name, enum plan_variance *out)
{
    for (int i = PLAN_VARIANCE_SAMPLES; i <= PLAN_VARIANCE_NONE; i++) {
        if (strcmp(name, variance_names[i]) == 0) {
            *out = i;
            return 0;
        }
    }
    return -1;
}

const char *plan_classifier_name(enum plan_classifier x)
{
    ASSERT((unsigned)x <= PLAN_MLP);
    return classifier_names[x];
}

int plan_classifier_from_name(const char *name, enum plan_classifier *out)
{
    for (int i = PLAN_BAYES; i <= PLAN_MLP; i++) {
        if (strcmp(name, classifier_names[i]) == 0) {
            *out = i;
            return 0;
        }
    }
    return -1;
}

void plan_init(struct plan *p)
{
    memset(p, 0, sizeof *p);
    p->assured = p->assured_noise = NAN;
}

void plan_release(struct plan *p)
{
    for (size_t h = 0; h < p->stratum_count; h++) {
        free(p->strata[h].kernel_name);
        free(p->strata[h].domain);
    }
    free(p->strata);
    free(p->samples);
    plan_init(p);
}

int plan_stratum_own(struct plan_stratum *s, struct err *e)
{
    const char *domain = s->domain;

    ASSERT(s->kernel_name);
    s->domain = NULL;
    s->kernel_name = mem_strdup(s->kernel_name, e);
    if (!s->kernel_name || !domain)
        return s->kernel_name ? 0 : -1;
    s->domain = mem_strdup(domain, e);
    return s->domain ? 0 : -1;
}

int plan_copy(const struct plan *p, struct plan *out, struct err *e)
{
    *out = *p;
    out->stratum_count = 0; /* counts completely copied strata, for release on error */
    out->strata = mem_zalloc(p->stratum_count + 1, sizeof *out->strata, e);
    out->samples = mem_zalloc(p->sample_count + 1, sizeof *out->samples, e);
    if (out->samples && p->sample_count > 0)
        memcpy(out->samples, p->samples, p->sample_count * sizeof *out->samples);
    while (out->strata && out->samples && out->stratum_count < p->stratum_count) {
        struct plan_stratum *s = &out->strata[out->stratum_count];

        *s = p->strata[out->stratum_count++];
        if (plan_stratum_own(s, e) < 0)
            goto fail;
    }
    if (out->strata && out->samples) {
        ASSERT(out->stratum_count == p->stratum_count);
        return 0;
    }
fail:
    plan_release(out);
    return -1;
}

int plan_params_check(const struct plan_params *params, struct err *e)
{
    if (!(params->error > 0 && params->error < 1))
        return err_set(e, ERR_INVALID, "the error must be between 0 and 100 %%, as in 5%%");
    if (!(params->confidence >= 0.5 && params->confidence <= 0.9999))
        return err_set(e, ERR_INVALID, "the confidence must be between 50 and 99.99 %%, as in 95%%");
    if (params->assurance != 0 &&
        !(params->assurance >= PLAN_ASSURANCE_MIN && params->assurance <= PLAN_ASSURANCE_MAX))
        return err_set(e, ERR_INVALID, "the assurance must be between 50 and 99 %%, as in 90%%");
    if (params->assurance != 0 && params->estimator == PLAN_RATIO) {
        err_set(e, ERR_INVALID, "plans by ratios to profiled times have no assurance");
        return err_hint(e, "It is known how much times spread on other designs, but not how much ratios do; leave "
                           "one of the two out.");
    }
    if (!(params->share >= 0 && params->share <= 1))
        return err_set(e, ERR_INVALID, "the share of launches to draw must be between 0 and 1");
    if (!(params->noise_floor >= 0 && params->noise_floor < 1))
        return err_set(e, ERR_INVALID, "the noise floor must be between 0 and 100 %%, as in 2%%");
    if (!(params->budget >= 0 && params->budget <= 1))
        return err_set(e, ERR_INVALID, "the budget must be between 0 and 100 %% of the whole, as in 1%%");
    if (params->least_samples < 1 || params->least_samples > 1000)
        return err_set(e, ERR_INVALID, "the least number of samples in a stratum must be between 1 and 1000");
    if (params->estimator != PLAN_EXPANSION && params->estimator != PLAN_RATIO)
        return err_set(e, ERR_INVALID, "the estimator to plan for must be ratio or expansion");
    if ((unsigned)params->classifier > PLAN_MLP)
        return err_set(e, ERR_INVALID, "the classifier must be bayes, sgd or mlp");
    if (!(params->cost_fixed >= 0 && params->cost_fixed <= 1e12 && params->cost_per_unit >= 0 &&
          params->cost_per_unit <= 1e12))
        return err_set(e, ERR_INVALID, "the cost of a simulation must not be negative");
    return 0;
}

bool plan_cost_modelled(const struct plan_params *params)
{
    return params->cost_fixed > 0 || params->cost_per_unit > 0;
}

double plan_cost(const struct plan_params *params, double launches, double value)
{
    ASSERT(launches >= 0 && value >= 0);
    return plan_cost_modelled(params) ? params->cost_fixed * launches + params->cost_per_unit * value : value;
}

double plan_cost_drawn(const struct plan *p)
{
    double cost = 0;

    for (size_t i = 0; i < p->sample_count; i++)
        cost += plan_cost(&p->params, 1, (double)p->samples[i].value);
    return cost;
}

double plan_cost_all(const struct plan *p)
{
    ASSERT(p->zero_launches <= p->launches);
    return plan_cost(&p->params, (double)(p->launches - p->zero_launches), (double)p->total);
}

/* --- checking --- */

static int check_stratum(const struct plan *p, size_t h, uint64_t draws, uint64_t distinct, double weight,
                         struct err *e)
{
    const struct plan_stratum *s = &p->strata[h];
    uint64_t stands_for;

    ASSERT(h < p->stratum_count && distinct <= draws);
    if (!s->population || s->population > p->launches)
        return err_set(e, ERR_INVALID, "stratum %zu: its population is not within 1 .. launches", h);
    if (!s->samples || draws != s->samples)
        return err_set(e, ERR_INVALID, "stratum %zu: %llu samples are listed, but its count is %llu", h,
                       (unsigned long long)draws, (unsigned long long)s->samples);
    if (distinct > s->population || (!p->with_replacement && distinct != draws))
        return err_set(e, ERR_INVALID, "stratum %zu: more samples than it has launches", h);
    if (s->take_all != (!p->with_replacement && s->samples == s->population))
        return err_set(e, ERR_INVALID, "stratum %zu: `certainty` does not agree with its samples", h);
    stands_for = p->estimator != PLAN_INSTRUCTION_RATIO ? s->population : s->auxiliary;
    if (!(fabs(weight - (double)stands_for) <= 1e-9 * (double)stands_for))
        return err_set(e, ERR_INVALID, "stratum %zu: its weights sum to %.17g, not to its %s %llu", h, weight,
                       p->estimator != PLAN_INSTRUCTION_RATIO ? "population" : "instructions",
                       (unsigned long long)stands_for);
    if ((s->auxiliary != 0) != (p->estimator == PLAN_INSTRUCTION_RATIO))
        return err_set(e, ERR_INVALID, "stratum %zu: instructions belong to plans that project by them", h);
    if (!(s->planned_sd >= 0 && isfinite(s->planned_sd) && s->cost > 0 && isfinite(s->cost)))
        return err_set(e, ERR_INVALID, "stratum %zu: invalid planned spread or cost", h);
    if (!(s->mean > 0 && isfinite(s->mean) && s->sd >= 0 && isfinite(s->sd)) || s->low > s->high || !s->low)
        return err_set(e, ERR_INVALID, "stratum %zu: invalid mean, sd or range", h);
    return 0;
}

static int check_sample(const struct plan *p, size_t i, struct err *e)
{
    const struct plan_sample *s = &p->samples[i], *before = i ? &p->samples[i - 1] : NULL;

    ASSERT(i < p->sample_count);
    if (s->stratum >= p->stratum_count)
        return err_set(e, ERR_INVALID, "sample %zu: there is no stratum %u", i, s->stratum);
    if (s->launch >= p->launches)
        return err_set(e, ERR_INVALID, "sample %zu: there is no launch %llu", i, (unsigned long long)s->launch);
    if (before && (before->stratum > s->stratum || (before->stratum == s->stratum && before->launch >= s->launch)))
        return err_set(e, ERR_INVALID, "sample %zu: samples must be in order of stratum, then launch, each once",
                       i);
    if (!s->draws || !(s->weight > 0) || !isfinite(s->weight))
        return err_set(e, ERR_INVALID, "sample %zu: its weight must be positive", i);
    return 0;
}

int plan_check(const struct plan *p, struct err *e)
{
    uint64_t population = 0, total = 0;
    size_t i = 0;

    if (plan_params_check(&p->params, e) < 0)
        return -1;
    for (size_t k = 0; k < p->sample_count; k++)
        if (check_sample(p, k, e) < 0)
            return -1;
    for (size_t h = 0; h < p->stratum_count; h++) {
        uint64_t draws = 0, distinct = 0;
        double weight = 0;

        for (; i < p->sample_count && p->samples[i].stratum == h; i++, distinct++) {
            if (__builtin_add_overflow(draws, p->samples[i].draws, &draws))
                return err_set(e, ERR_INVALID, "stratum %zu: more draws than can be counted", h);
            weight += p->samples[i].weight *
                      (p->estimator != PLAN_INSTRUCTION_RATIO ? 1 : (double)p->samples[i].auxiliary);
        }
        if (check_stratum(p, h, draws, distinct, weight, e) < 0)
            return -1;
        if (__builtin_add_overflow(population, p->strata[h].population, &population) ||
            __builtin_add_overflow(total, p->strata[h].total, &total))
            return err_set(e, ERR_INVALID, "stratum %zu: the sums pass 2^64", h);
    }
    if (!p->stratum_count || population > p->launches || population + p->zero_launches != p->launches)
        return err_set(e, ERR_INVALID, "the strata hold %llu launches, of %llu that are not 0",
                       (unsigned long long)population, (unsigned long long)(p->launches - p->zero_launches));
    if (total != p->total)
        return err_set(e, ERR_INVALID, "the totals of the strata sum to %llu, not to %llu",
                       (unsigned long long)total, (unsigned long long)p->total);
    return 0;
}
