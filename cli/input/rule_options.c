#include "cli/input/rule_options.h"

#include <stdlib.h>
#include <string.h>

bool rule_options_given(const struct rule_options *r)
{
    return r->until > 0 || r->resolve > 0 || r->confidence > 0 || r->price > 0 || r->budget || r->analyses ||
           r->ask || r->drop;
}

static int bad_budget(const char *text, struct err *e)
{
    err_set(e, ERR_USAGE, "--budget %.40s: neither a time nor a number of jobs", text);
    return err_hint(
        e, "90s, 30m, 4h or 2d of simulation; 500jobs; or a sum of money with --price, what an hour costs");
}

static int put_budget(const struct rule_options *r, struct json_obj *o, struct err *e)
{
    static const struct {
        const char *ending, *member;
        double factor;
    } units[] = {{"s", "seconds", 1},     {"m", "seconds", 60}, {"min", "seconds", 60}, {"h", "seconds", 3600},
                 {"d", "seconds", 86400}, {"jobs", "jobs", 1},  {" jobs", "jobs", 1},   {"", "money", 1}};
    struct json_obj b;
    char *end;
    double amount = strtod(r->budget, &end);
    size_t i = 0;

    while (i < sizeof units / sizeof *units && strcmp(end, units[i].ending) != 0)
        i++;
    if (end == r->budget || !(amount > 0) || i == sizeof units / sizeof *units)
        return bad_budget(r->budget, e);
    if ((r->price > 0) != (*end == '\0'))
        return err_set(e, ERR_USAGE,
                       "--price, what an hour of simulation costs, goes with a --budget that is a sum of "
                       "money, and only with that");
    b = json_obj_begin();
    json_put_double(&b, units[i].member, amount * units[i].factor);
    if (r->price > 0)
        json_put_double(&b, "price_per_s", r->price / 3600);
    json_put(o, "budget", json_obj_end(&b));
    return 0;
}

int rule_options_put(const struct rule_options *r, struct json_obj *o, struct err *e)
{
    if (r->price < 0)
        return err_set(e, ERR_USAGE, "--price, what an hour of simulation costs, is above 0");
    if (!rule_options_given(r))
        return 0;
    if (r->until == 0 && r->resolve == 0) {
        err_set(e, ERR_USAGE, "the condition that ends the run is missing: give --until or --resolve");
        return err_hint(
            e, "--until 2%%: each total within 2 %%; --resolve 1%%: differences between designs within 1 %%");
    }
    if (r->until > 0)
        json_put_double(o, "until", r->until);
    if (r->resolve > 0)
        json_put_double(o, "resolve", r->resolve);
    if (r->confidence > 0)
        json_put_double(o, "confidence", r->confidence);
    if (r->analyses)
        json_put_u64(o, "looks", r->analyses);
    if (r->ask)
        json_put_str(o, "approve", "ask");
    if (r->drop)
        json_put_str(o, "failures", "drop");
    if (r->price > 0 && !r->budget)
        return err_set(e, ERR_USAGE, "--price says what an hour costs: of which --budget?");
    return r->budget ? put_budget(r, o, e) : 0;
}
