#include "server/domain/plan/plan_request.h"

#include <stdint.h>
#include <string.h>

#include "sampling/parts/part.h"

static int read_params(const json_t *body, struct plan_params *p, struct err *e)
{
    const char *classifier = NULL, *estimator = NULL;

    if (json_opt_double(body, "error", &p->error, e) < 0 ||
        json_opt_double(body, "confidence", &p->confidence, e) < 0 || json_opt_u64(body, "seed", &p->seed, e) < 0 ||
        json_opt_double(body, "share", &p->share, e) < 0 ||
        json_opt_double(body, "noise_floor", &p->noise_floor, e) < 0 ||
        json_opt_double(body, "assurance", &p->assurance, e) < 0 ||
        json_opt_double(body, "budget", &p->budget, e) < 0 ||
        json_opt_u32(body, "least_samples", 1, 1000, &p->least_samples, e) < 0 ||
        json_opt_double(body, "cost_fixed", &p->cost_fixed, e) < 0 ||
        json_opt_double(body, "cost_per_unit", &p->cost_per_unit, e) < 0 ||
        json_opt_str(body, "estimator", &estimator, e) < 0 || json_opt_str(body, "classifier", &classifier, e) < 0)
        return -1;
    if (estimator &&
        (plan_estimator_from_name(estimator, &p->estimator) < 0 || p->estimator == PLAN_INSTRUCTION_RATIO))
        return err_set(e, ERR_INVALID, "`estimator` of a plan must be ratio or expansion, not `%.40s`", estimator);
    if (classifier && plan_classifier_from_name(classifier, &p->classifier) < 0)
        return err_set(e, ERR_INVALID, "there is no classifier `%.40s`; use bayes, sgd or mlp", classifier);
    if (!(p->error > 0 && p->error < 1))
        return err_set(e, ERR_INVALID, "`error` must lie between 0 and 1; 0.05 is 5 %%");
    if (!(p->confidence > 0 && p->confidence < 1))
        return err_set(e, ERR_INVALID, "`confidence` must lie between 0 and 1; 0.95 is 95 %%");
    if (p->assurance != 0 && !(p->assurance >= PLAN_ASSURANCE_MIN && p->assurance <= PLAN_ASSURANCE_MAX))
        return err_set(e, ERR_INVALID, "`assurance` must lie between 0.5 and 0.99; 0.9 is 90 %%");
    if (p->seed > INT64_MAX)
        return err_set(e, ERR_INVALID, "`seed` must be below 2^63");
    return plan_params_check(p, e);
}

static int read_steps(const char *text, struct plan_part *part, struct err *e)
{
    struct err why;

    if (part_steps_read(text, part, &why) == 0)
        return 0;
    return err_set(e, ERR_INVALID, "`steps` must be a step or a range of steps, such as 12 or 10..19, not `%.40s`",
                   text);
}

static int read_part(const json_t *body, struct plan_part *part, struct err *e)
{
    enum domain_kind kind;
    const char *steps = NULL;

    if (json_opt_copy(body, "by", part->by, sizeof part->by, e) < 0 ||
        json_opt_copy(body, "only", part->only, sizeof part->only, e) < 0 ||
        json_opt_str(body, "steps", &steps, e) < 0 || (steps && read_steps(steps, part, e) < 0))
        return -1;
    if (!part->by[0] || domain_kind_from_name(part->by, &kind, e) == 0)
        return 0;
    e->code = ERR_INVALID; /* the error concerns a request body, not a command line */
    return -1;
}

static int read_cost(const json_t *body, struct plan_request *w, struct err *e)
{
    const char *cost = NULL;

    if (json_opt_str(body, "cost", &cost, e) < 0)
        return -1;
    w->farm_cost = cost != NULL;
    if (cost && strcmp(cost, "farm") != 0)
        return err_set(e, ERR_INVALID, "`cost` must be \"farm\", or left out");
    if (cost && (w->params.cost_fixed != 0 || w->params.cost_per_unit != 0))
        return err_set(e, ERR_INVALID,
                       "`cost` and `cost_fixed`, `cost_per_unit` state the same thing: give one of them");
    return 0;
}

int plan_request_read(const json_t *body, struct plan_request *w, struct err *e)
{
    static const char *const known[] = {
        "method",     "error",         "confidence", "seed",          "share",     "noise_floor",
        "budget",     "least_samples", "cost_fixed", "cost_per_unit", "assurance", "cost",
        "classifier", "estimator",     "by",         "only",          "steps",     NULL};
    const struct method *method;

    if (json_need_object(body, "the body", e) < 0 || json_refuse_unknown(body, known, e) < 0 ||
        json_opt_copy(body, "method", w->method, sizeof w->method, e) < 0 || read_params(body, &w->params, e) < 0 ||
        read_part(body, &w->part, e) < 0 || read_cost(body, w, e) < 0)
        return -1;
    method = method_find(w->method, e);
    if (!method) {
        e->code = ERR_INVALID; /* the error concerns a request body, not a command line */
        return -1;
    }
    if (w->params.assurance == 0 || (method->takes & TAKES_ASSURANCE))
        return 0;
    err_set(e, ERR_INVALID, "method %s does not support `assurance`", method->name);
    return err_hint(e, "Leave it out, or take the method `vivace`.");
}
