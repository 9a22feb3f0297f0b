#include "cli/simulate/simulation_domains.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/assert.h"
#include "cli/cli.h"
#include "cli/output/parts.h"
#include "cli/output/table.h"
#include "wire/json.h"

int simulation_domains_begin(struct simulation_domains *x, struct err *e)
{
    return domain_view_need(&x->profile, x->kind, &x->view, e);
}

int simulation_domains_add(struct simulation_domains *x, size_t design, const struct plan *plan, const double *y,
                           const struct projection *p, struct err *e)
{
    size_t count;

    ASSERT(design < DOMAIN_DESIGNS_MAX && !x->of[design]);
    if (domain_estimates_make(&x->view, x->kind, plan, y, p, &x->of[design], &count, e) < 0)
        return -1;
    ASSERT(design == 0 || count == x->count);
    x->count = count;
    return 0;
}

void simulation_domains_release(struct simulation_domains *x)
{
    for (size_t d = 0; d < DOMAIN_DESIGNS_MAX; d++)
        free(x->of[d]);
    domain_view_release(&x->view);
    profile_release(&x->profile);
    *x = (struct simulation_domains){.wanted = false};
}

static void add_value(struct table *t, const struct domain_estimate *d, double clock_hz)
{
    char value[CLI_NUMBER], text[CLI_NUMBER];

    if (isnan(d->value))
        table_text(t, "–");
    else if (isnan(d->half_width))
        table_text(t, cli_seconds(d->value / clock_hz, text));
    else
        table_text(t, cli_estimate_seconds(d->value / clock_hz, d->half_width / clock_hz, value));
}

int simulation_domains_print(const struct simulation_domains *x, const char *const *names, const double *clock_hz,
                             size_t designs, struct err *e)
{
    struct table_column columns[DOMAIN_DESIGNS_MAX + 3] = {{"launches", "", true, false},
                                                           {"results", "", true, false}};
    struct table t;
    size_t few = 0, below = 0;
    int ret;

    for (size_t d = 0; d < designs; d++)
        columns[d + 2] = (struct table_column){names[d], "", true, false};
    columns[designs + 2] = (struct table_column){domain_kind_name(x->kind), "", false, true};
    table_init(&t, columns, designs + 3);
    for (size_t i = 0; i < x->count; i++) {
        bool any_few = false, any_below = false;

        table_count(&t, x->of[0][i].launches);
        table_count(&t, x->of[0][i].results);
        for (size_t d = 0; d < designs; d++) {
            add_value(&t, &x->of[d][i], clock_hz[d]);
            any_few |= x->of[d][i].few && !x->of[d][i].below_zero;
            any_below |= x->of[d][i].below_zero;
        }
        table_text(&t, x->of[0][i].name[0] ? x->of[0][i].name : "(none)");
        few += any_few;
        below += any_below;
    }
    printf("\nBy %s%s:\n", domain_kind_name(x->kind), below ? "" : "; the rows add up to the whole");
    ret = table_print(&t, false, stdout, e);
    table_release(&t);
    parts_print_few(few, domain_kind_name(x->kind));
    parts_print_below_zero(below);
    return ret;
}

static json_t *estimate_json(const struct domain_estimate *d, double clock_hz)
{
    struct json_obj o = json_obj_begin();

    json_put(&o, "name", d->name[0] ? json_text(d->name) : json_null());
    json_put_u64(&o, "launches", d->launches);
    json_put_u64(&o, "results", d->results);
    json_put_double(&o, "value_cycles", d->value);
    json_put_double(&o, "half_width_cycles", d->half_width);
    json_put_double(&o, "value_s", d->value / clock_hz);
    json_put_double(&o, "half_width_s", d->half_width / clock_hz);
    json_put_double(&o, "df", d->df);
    json_put_bool(&o, "few_results", d->few);
    json_put_bool(&o, "below_zero", d->below_zero);
    json_put_str(&o, "estimate_why_not", domain_estimate_why_not(d));
    return json_obj_end(&o);
}

json_t *simulation_domains_json(const struct simulation_domains *x, size_t design, double clock_hz)
{
    struct json_obj o = json_obj_begin();
    json_t *list = json_array();

    for (size_t i = 0; list && i < x->count; i++)
        if (json_push(list, estimate_json(&x->of[design][i], clock_hz)) < 0) {
            json_decref(list);
            list = NULL;
        }
    json_put_str(&o, "by", domain_kind_name(x->kind));
    json_put(&o, "parts", list);
    return json_obj_end(&o);
}
