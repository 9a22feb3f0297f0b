#include "wire/projection_json.h"

#include <math.h>

#include "base/assert.h"

static json_t *cross_check_to_json(const struct cross_check *c, const char *unit, double seconds_per_unit)
{
    struct json_obj o = json_obj_begin();

    ASSERT(!(c->half_width < 0));
    json_put_str(&o, "name", c->estimator);
    json_put_str(&o, "estimator", c->sentence);
    json_put_str(&o, "unit", unit);
    json_put_double(&o, "value", c->value);
    json_put_double(&o, "half_width", c->half_width);
    json_put_double(&o, "value_s", c->value * seconds_per_unit);
    json_put_double(&o, "half_width_s", c->half_width * seconds_per_unit);
    json_put_double(&o, "df", c->df);
    return json_obj_end(&o);
}

json_t *cross_checks_to_json(const struct projection *p, const char *unit, double seconds_per_unit)
{
    json_t *list = json_array();

    for (size_t i = 0; list && i < p->cross_check_count; i++)
        if (json_push(list, cross_check_to_json(&p->cross_checks[i], unit, seconds_per_unit)) < 0) {
            json_decref(list);
            list = NULL;
        }
    return list;
}

json_t *bootstrap_to_json(const struct bootstrap *b, double seconds_per_unit)
{
    struct json_obj o = json_obj_begin();

    ASSERT(b->why_not || !(b->interval.low > b->interval.high));
    json_put(&o, "why_not", json_str_or_null(b->why_not));
    if (!b->why_not) {
        json_put_double(&o, "low", b->interval.low);
        json_put_double(&o, "high", b->interval.high);
        json_put_double(&o, "low_s", b->interval.low * seconds_per_unit);
        json_put_double(&o, "high_s", b->interval.high * seconds_per_unit);
        json_put_double(&o, "standard_error", b->standard_error);
        json_put_double(&o, "bias", b->interval.bias);
        json_put_double(&o, "acceleration", b->interval.acceleration);
        json_put_u64(&o, "resamples", b->resamples);
        json_put_bool(&o, "informative", b->informative);
        json_put_bool(&o, "disagrees", b->disagrees);
        json_put_str(&o, "sentence", b->sentence);
    }
    return json_obj_end(&o);
}

static json_t *opinion_to_json(const struct opinion *x, double seconds_per_unit)
{
    struct json_obj o = json_obj_begin();

    ASSERT(x->why_not || !(x->half_width < 0));
    json_put_str(&o, "estimator", projection_estimator_name(x->estimator));
    json_put(&o, "why_not", json_str_or_null(x->why_not));
    if (!x->why_not) {
        json_put_bool(&o, "used", x->used);
        json_put_bool(&o, "disagrees", x->disagrees);
        json_put_double(&o, "value", x->value);
        json_put_double(&o, "half_width", x->half_width);
        json_put_double(&o, "value_s", x->value * seconds_per_unit);
        json_put_double(&o, "half_width_s", x->half_width * seconds_per_unit);
        json_put_double(&o, "df", x->df);
        json_put(&o, "warning", json_str_or_null(x->warning));
    }
    return json_obj_end(&o);
}

json_t *opinions_to_json(const struct opinions *x, double seconds_per_unit)
{
    struct json_obj o = json_obj_begin();
    json_t *list = json_array();

    json_put_bool(&o, "disagree", x->disagree);
    for (int i = 0; i < OPINIONS; i++)
        if (json_push(list, opinion_to_json(&x->each[i], seconds_per_unit)) < 0) {
            json_decref(list);
            list = NULL;
            break;
        }
    json_put(&o, "each", list);
    return json_obj_end(&o);
}

json_t *warm_bound_to_json(const struct warm_bound *x, double seconds_per_unit)
{
    struct json_obj o = json_obj_begin();

    ASSERT(!(x->low > x->high));
    json_put_double(&o, "value", x->value);
    json_put_double(&o, "half_width", x->half_width);
    json_put_double(&o, "value_s", x->value * seconds_per_unit);
    json_put_double(&o, "half_width_s", x->half_width * seconds_per_unit);
    json_put_double(&o, "low", x->low);
    json_put_double(&o, "high", x->high);
    json_put_double(&o, "low_s", x->low * seconds_per_unit);
    json_put_double(&o, "high_s", x->high * seconds_per_unit);
    return json_obj_end(&o);
}

json_t *communication_to_json(const struct communication_split *x, double seconds_per_unit)
{
    struct json_obj o = json_obj_begin();

    json_put_double(&o, "launches", (double)x->launches);
    json_put_double(&o, "profiled_s", (double)x->profiled * 1e-9);
    json_put_double(&o, "value_s", x->value * seconds_per_unit);
    json_put_double(&o, "half_width_s", x->half_width * seconds_per_unit);
    json_put_double(&o, "other_s", x->other * seconds_per_unit);
    json_put_double(&o, "other_half_width_s", x->other_half_width * seconds_per_unit);
    return json_obj_end(&o);
}

json_t *not_covered_to_json(void)
{
    json_t *list = json_array();

    for (size_t i = 0; list && projection_not_covered[i]; i++)
        if (json_push(list, json_string(projection_not_covered[i])) < 0) {
            json_decref(list);
            list = NULL;
        }
    return list;
}

void estimate_put(struct json_obj *o, const struct projection *p, const struct bootstrap *b, const char *unit,
                  double seconds_per_unit)
{
    ASSERT(p->done <= p->planned && !(p->half_width < 0));
    json_put_str(o, "estimator", p->estimator);
    json_put_str(o, "unit", unit);
    json_put_double(o, "value", p->value);
    json_put_double(o, "half_width", p->half_width);
    json_put_double(o, "value_s", p->value * seconds_per_unit);
    json_put_double(o, "half_width_s", p->half_width * seconds_per_unit);
    json_put_double(o, "df", p->df);
    json_put_double(o, "level", p->level);
    json_put_str(o, "variance_method", p->variance_method);
    json_put(o, "warning", json_str_or_null(p->warning));
    json_put_u64(o, "done", p->done);
    json_put_u64(o, "planned", p->planned);
    json_put_bool(o, "complete", p->complete);
    json_put(o, "cross_checks", cross_checks_to_json(p, unit, seconds_per_unit));
    if (b)
        json_put(o, "bootstrap", bootstrap_to_json(b, seconds_per_unit));
}
