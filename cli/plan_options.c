#include "cli/plan_options.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/text.h"
#include "cli/cost_file.h"

static int read_cost(const char *text, struct plan_params *params, struct err *e)
{
    char *fixed = mem_strdup(text, e), *comma;
    int ret = -1;

    if (!fixed)
        return -1;
    comma = strchr(fixed, ',');
    if (!comma) {
        err_set(e, ERR_USAGE,
                "--cost takes two numbers, as in 3.5,0.0002: seconds a launch, and per unit of its value");
        goto out;
    }
    *comma = '\0';
    ret = parse_double(fixed, "--cost", &params->cost_fixed, e) < 0 ||
                  parse_double(comma + 1, "--cost", &params->cost_per_unit, e) < 0
              ? -1
              : 0;
out:
    free(fixed);
    return ret;
}

int plan_options_finish(struct plan_options *o, struct err *e)
{
    if (o->speedup != 0) {
        if (o->params.budget > 0)
            return err_set(e, ERR_USAGE, "--budget and --speedup say the same thing: give one of them");
        if (!(o->speedup > 1))
            return err_set(e, ERR_USAGE, "--speedup must be above 1");
        o->params.budget = 1 / o->speedup;
    }
    if (o->least_samples < 1 || o->least_samples > 1000)
        return err_set(e, ERR_USAGE, "--min-samples must lie between 1 and 1000");
    o->params.least_samples = (uint32_t)o->least_samples;
    if (o->classifier && plan_classifier_from_name(o->classifier, &o->params.classifier) < 0)
        return err_set(e, ERR_USAGE, "--classifier is bayes, sgd or mlp, not `%.40s`", o->classifier);
    if (o->cost && o->cost_from)
        return err_set(e, ERR_USAGE, "--cost and --cost-from say the same thing: give one of them");
    if (o->cost_from)
        return cost_file_read(o->cost_from, &o->params, e);
    return o->cost ? read_cost(o->cost, &o->params, e) : 0;
}

int plan_options_method(const char *name, struct err *e)
{
    const char *names[64], *near;
    size_t n = 0;

    if (method_find(name, e))
        return 0;
    for (; n < sizeof names / sizeof *names && methods[n]; n++)
        names[n] = methods[n]->name;
    near = cli_nearest(name, names, n);
    return near ? err_hint(e, "did you mean `%s`? `vivace methods --list` describes them all", near) : -1;
}
