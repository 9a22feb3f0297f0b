#include "cli/input/plan_options.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/text.h"
#include "cli/input/cost_file.h"

static int read_cost(const char *text, struct plan_params *params, struct err *e)
{
    char *fixed = mem_strdup(text, e), *comma;
    int ret = -1;

    if (!fixed)
        return -1;
    comma = strchr(fixed, ',');
    if (!comma) {
        err_set(
            e, ERR_USAGE,
            "--cost must be two numbers, as in 3.5,0.0002: seconds a launch, and seconds per unit of its value");
        goto out;
    }
    *comma = '\0';
    ret = parse_double(fixed, "--cost", &params->cost_fixed, e) < 0 ||
                  parse_double(comma + 1, "--cost", &params->cost_per_unit, e) < 0
              ? -1
              : 0;
    if (ret == 0 && (params->cost_fixed < 0 || params->cost_per_unit < 0 ||
                     (params->cost_fixed == 0 && params->cost_per_unit == 0)))
        ret = err_set(e, ERR_USAGE, "--cost %s: both numbers must be 0 or more, and one above 0", text);
out:
    free(fixed);
    return ret;
}

int plan_options_finish(struct plan_options *o, struct err *e)
{
    if (o->speedup != 0) {
        if (o->params.budget > 0)
            return err_set(e, ERR_USAGE, "--budget and --speedup state the same thing: give one of them");
        if (!(o->speedup > 1))
            return err_set(e, ERR_USAGE, "--speedup must be above 1");
        o->params.budget = 1 / o->speedup;
    }
    if (o->noise_floor && strcmp(o->noise_floor, "0") == 0)
        o->params.noise_floor = 0;
    else if (o->noise_floor && parse_share(o->noise_floor, "--noise-floor", &o->params.noise_floor, e) < 0)
        return -1;
    if (o->least_samples < 1 || o->least_samples > 1000)
        return err_set(e, ERR_USAGE, "--min-samples must be between 1 and 1000");
    o->params.least_samples = (uint32_t)o->least_samples;
    if (o->classifier && plan_classifier_from_name(o->classifier, &o->params.classifier) < 0)
        return err_set(e, ERR_USAGE, "--classifier must be bayes, sgd or mlp, not `%.40s`", o->classifier);
    if (o->estimator && (plan_estimator_from_name(o->estimator, &o->params.estimator) < 0 ||
                         o->params.estimator == PLAN_INSTRUCTION_RATIO))
        return err_set(e, ERR_USAGE, "--estimator of a plan must be ratio or expansion, not `%.40s`", o->estimator);
    if (o->cost && o->cost_from)
        return err_set(e, ERR_USAGE, "--cost and --cost-from say the same thing: give one of them");
    if (o->cost_from)
        return cost_file_read(o->cost_from, &o->params, e);
    return o->cost ? read_cost(o->cost, &o->params, e) : 0;
}

int plan_options_method(const struct plan_options *o, const char *name, const struct method **out, struct err *e)
{
    const char *names[64], *near;
    size_t n = 0;

    *out = method_find(name, e);
    if (*out) {
        *out = method_variant(*out, o->variant, e);
        return *out ? 0 : -1;
    }
    for (size_t i = 0; n < sizeof names / sizeof *names && methods[i]; i++)
        if (!methods[i]->is_code)
            names[n++] = methods[i]->name;
    near = text_nearest(name, names, n);
    return near ? err_hint(e, "did you mean `%s`? `vivace methods --list` describes them all", near) : -1;
}

int plan_options_taken(const struct plan_options *o, const struct method *m, struct err *e)
{
    const struct plan_params *p = &o->params, usual = PLAN_PARAMS_DEFAULT;
    const struct {
        const char *option;
        unsigned taken;
        bool given;
    } rows[] = {
        {"--assurance", TAKES_ASSURANCE, p->assurance > 0},
        {"--share", TAKES_SHARE, p->share > 0},
        {o->speedup != 0 ? "--speedup" : "--budget", TAKES_BUDGET, p->budget > 0},
        {"--min-samples", TAKES_LEAST_SAMPLES, p->least_samples != usual.least_samples},
        {"--noise-floor", TAKES_NOISE_FLOOR, p->noise_floor != usual.noise_floor},
        {"--estimator", TAKES_ESTIMATOR, o->estimator != NULL},
        {"--classifier", TAKES_CLASSIFIER, o->classifier != NULL},
    };
    char others[200] = "";

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (!rows[i].given || (m->takes & rows[i].taken))
            continue;
        for (size_t k = 0; methods[k]; k++) {
            size_t n = strlen(others);

            if (methods[k]->takes & rows[i].taken)
                snprintf(others + n, sizeof others - n, "%s%s", n ? ", " : "", methods[k]->name);
        }
        err_set(e, ERR_USAGE, "method %s does not use %s", m->name, rows[i].option);
        return err_hint(e, "Leave it out, or take a method that uses it: %s.", others);
    }
    return 0;
}

void plan_assurance_text(double asked, double assured, double noise, char *out, size_t size)
{
    char a[CLI_NUMBER], b[CLI_NUMBER], c[CLI_NUMBER];

    if (!(asked > 0))
        out[0] = '\0';
    else if (isnan(assured))
        snprintf(out, size, "nothing, where %s was asked for", cli_percent(asked, a));
    else if (assured < asked)
        snprintf(out, size, "the error is kept in %s of cases, where %s was asked for", cli_percent(assured, a),
                 cli_percent(asked, b));
    else
        snprintf(out, size, "the error is kept in %s of cases, where %s was asked for; up to a noise of %s",
                 cli_percent(assured, a), cli_percent(asked, b), cli_percent(noise, c));
}
