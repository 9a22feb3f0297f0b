#include "cli/plan/plan_explain.h"

#include <math.h>
#include <stdint.h>

#include "base/strbuf.h"
#include "base/text.h"
#include "cli/cli.h"
#include "sampling/plan/plan_doubt.h"

enum { INDENT = 2 };

static const char *in_unit(const struct plan *p, double value, char out[CLI_NUMBER])
{
    char number[CLI_NUMBER];

    if (p->unit == PROFILE_NS)
        return cli_seconds(value * 1e-9, out);
    snprintf(out, CLI_NUMBER, "%.40s %s", cli_number(value, number), profile_unit_words(p->unit));
    return out;
}

/* True where the method sizes all strata together, as Vivace's methods do. Published methods size each stratum by a
 * formula. */
static bool sized_together(const struct plan *p)
{
    return p->strata[0].planned_sd > 0 || (p->stratum_count > 1 && p->params.noise_floor > 0);
}

static bool at_least_samples(const struct plan *p, const struct plan_stratum *s)
{
    return !s->take_all && s->samples <= p->params.least_samples;
}

/* --- a stratum --- */

static void say_what(struct strbuf *b, const struct plan *p, const struct plan_stratum *s)
{
    char a[CLI_NUMBER], c[CLI_NUMBER], d[CLI_NUMBER];

    strbuf_addf(b, "%s %s", cli_whole(s->population, a), s->population == 1 ? "launch" : "launches");
    if (s->low == s->high)
        strbuf_addf(b, " of %s%s", in_unit(p, (double)s->low, a), s->population == 1 ? "" : " each");
    else
        strbuf_addf(b, " from %s to %s", in_unit(p, (double)s->low, a), in_unit(p, (double)s->high, c));
    strbuf_addf(b, ", %s of the total.", cli_percent((double)s->total / (double)p->total, d));
    if (s->low != s->high)
        strbuf_addf(b, " They spread by %s of their mean.", cli_percent(s->sd / s->mean, a));
}

/* Explains the least spread. In a profile of counts, which predict cycles less well than times, it is larger than
 * --noise-floor (sampling/strata/search.c). */
static void say_floor(struct strbuf *b, const struct plan *p, const struct plan_stratum *s)
{
    char a[CLI_NUMBER];

    if (!(s->planned_sd > s->sd * (1 + 1e-9)))
        return;
    if (p->unit != PROFILE_NS)
        strbuf_addf(b, " It is planned with a spread of %s, because simulated cycles differ where %s are equal.",
                    cli_percent(s->planned_sd / s->mean, a),
                    p->unit == PROFILE_CYCLES ? "estimated ones" : "instruction counts");
    else
        strbuf_addf(b,
                    " It is planned with a spread of %s, the noise floor, because another run or GPU shows more "
                    "than this profile does.",
                    cli_percent(s->planned_sd / s->mean, a));
}

static void say_why(struct strbuf *b, const struct plan *p, const struct plan_stratum *s, double part)
{
    char n[CLI_NUMBER], a[CLI_NUMBER];

    cli_whole(s->samples, n);
    if (p->representative) {
        strbuf_addf(b, " %s of them %s for all: chosen by the method's rule, not drawn.", n,
                    s->samples == 1 ? "represents" : "represent");
        return;
    }
    if (s->take_all) {
        strbuf_addf(b, s->population == 1 ? " It is simulated, so it adds no variance."
                                          : " All of them are simulated, so they add no variance.");
        return;
    }
    if (p->with_replacement || !sized_together(p)) {
        strbuf_addf(b, " %s %s drawn%s, by the method's formula for size and spread.", n,
                    s->samples == 1 ? "is" : "are", p->with_replacement ? " with replacement" : "");
        return;
    }
    if (at_least_samples(p, s)) {
        strbuf_addf(b,
                    s->samples == 1 ? " 1 sample, the requested minimum (--min-samples)."
                                    : " %s samples, the minimum to estimate a spread.",
                    n);
        return;
    }
    strbuf_addf(b,
                " %s samples: more samples go where launches x spread / root of the cost is large, and this "
                "stratum has %s of it.",
                n, cli_percent(part, a));
}

/* Explains the effect of one more sample of the stratum. */
static void say_more(struct strbuf *b, const struct plan *p, size_t h, const struct plan_doubt *now)
{
    const struct plan_stratum *s = &p->strata[h];
    struct plan_doubt more;
    char a[CLI_NUMBER], c[CLI_NUMBER], d[CLI_NUMBER];
    double share = plan_stratum_variance(p, h, s->samples) / now->variance, by;
    bool modelled = plan_cost_modelled(&p->params);

    if (s->take_all || p->representative || !(now->variance > 0))
        return;
    strbuf_addf(b, " It has %s of the planned variance.", cli_percent(share, a));
    if (isnan(p->promised_error) || isnan(now->half_width))
        return;
    more = plan_doubt(p, h);
    by = p->promised_error * (1 - more.half_width / now->half_width);
    snprintf(d, sizeof d, "%s", modelled ? cli_seconds(s->cost, c) : in_unit(p, s->cost, c));
    strbuf_addf(b, " One more would narrow the promise by %s, for %s%s.", cli_percent(by, a), d,
                modelled                ? " of simulation"
                : p->unit == PROFILE_NS ? " of profiled time"
                                        : "");
}

static double claim(const struct plan_stratum *s)
{
    return s->take_all ? 0 : (double)s->population * plan_stratum_sd(s) / sqrt(s->cost);
}

void plan_explain_strata(const struct plan *p, const size_t *order, size_t shown)
{
    struct plan_doubt now = plan_doubt(p, SIZE_MAX);
    double claims = 0;

    for (size_t h = 0; h < p->stratum_count; h++)
        claims += claim(&p->strata[h]);
    for (size_t i = 0; i < shown; i++) {
        const struct plan_stratum *s = &p->strata[order[i]];
        struct strbuf b = STRBUF_INIT;
        const char *name = s->mixed_names ? "several kernels" : s->kernel_name;

        printf("\nstratum %zu: %.*s\n", order[i], (int)utf8_cut(name, 80), name);
        say_what(&b, p, s);
        say_floor(&b, p, s);
        say_why(&b, p, s, claim(s) / claims);
        say_more(&b, p, order[i], &now);
        cli_print_wrapped("", b.text, INDENT);
        strbuf_release(&b);
    }
}

/* --- the whole plan --- */

/* The share of the plan's variance and cost that comes from the strata with a property. */
struct part {
    size_t strata;
    double variance, cost;
};

static struct part part_of(const struct plan *p, bool (*has)(const struct plan *, const struct plan_stratum *))
{
    struct part x = {0};
    double variance = 0, cost = 0;

    for (size_t h = 0; h < p->stratum_count; h++) {
        const struct plan_stratum *s = &p->strata[h];
        double v = plan_stratum_variance(p, h, s->samples), c = s->cost * (double)s->samples;
        bool counts = has(p, s);

        variance += v;
        cost += c;
        x.strata += counts;
        x.variance += counts ? v : 0;
        x.cost += counts ? c : 0;
    }
    x.variance = variance > 0 ? x.variance / variance : 0;
    x.cost /= cost;
    return x;
}

static bool on_the_floor(const struct plan *p, const struct plan_stratum *s)
{
    (void)p;
    return !s->take_all && s->planned_sd > s->sd * (1 + 1e-9);
}

static bool taken_whole(const struct plan *p, const struct plan_stratum *s)
{
    (void)p;
    return s->take_all;
}

static void say_promise(struct strbuf *b, const struct plan *p)
{
    char a[CLI_NUMBER], c[CLI_NUMBER], df[CLI_NUMBER];

    if (isnan(p->promised_error)) {
        strbuf_adds(b, "This method promises no error.");
        return;
    }
    if (p->params.budget > 0)
        strbuf_addf(b, "The budget, %s of simulating everything, gives ± %s.", cli_percent(p->params.budget, c),
                    cli_percent(p->promised_error, a));
    else
        strbuf_addf(b, "± %s is planned where ± %s was asked for.", cli_percent(p->promised_error, a),
                    cli_percent(p->params.error, c));
    if (p->variance != PLAN_VARIANCE_MODEL && p->planned_df > 0 && isfinite(p->planned_df))
        strbuf_addf(b, " The interval will have about %s degrees of freedom.", cli_number(p->planned_df, df));
    if (!p->promise_valid)
        strbuf_adds(b, " It is about the profile only: these samples cannot show their spread when they are "
                       "simulated.");
}

static void say_limits(struct strbuf *b, const struct plan *p)
{
    struct part least = part_of(p, at_least_samples), floor = part_of(p, on_the_floor),
                whole = part_of(p, taken_whole);
    char a[CLI_NUMBER];

    if (sized_together(p) && least.strata)
        strbuf_addf(b, " %zu of %zu strata have the least samples (%u); they are %s of what the plan costs.",
                    least.strata, p->stratum_count, p->params.least_samples, cli_percent(least.cost, a));
    if (whole.strata)
        strbuf_addf(b, " %zu %s whole, for %s of the cost.", whole.strata,
                    whole.strata == 1 ? "stratum is taken" : "strata are taken", cli_percent(whole.cost, a));
    if (floor.variance > 0.2 && p->unit != PROFILE_NS)
        strbuf_addf(
            b,
            " %s of the planned variance is a spread that the profile does not show: simulated cycles differ "
            "where %s are equal.",
            cli_percent(floor.variance, a), p->unit == PROFILE_CYCLES ? "estimated ones" : "instruction counts");
    else if (floor.variance > 0.2)
        strbuf_addf(b,
                    " %s of the planned variance is the noise floor, not what the profile shows: a smaller "
                    "--noise-floor gives a cheaper plan, if simulated values follow the profile that closely.",
                    cli_percent(floor.variance, a));
    if (sized_together(p) && p->params.budget == 0 && p->promised_error < 0.9 * p->params.error && least.cost > 0.5)
        strbuf_adds(b, " The minimum of samples limits this plan, not the error: a larger error would hardly make "
                       "it cheaper.");
    else if (sized_together(p) && p->params.budget == 0 && p->promised_error < 0.9 * p->params.error)
        strbuf_adds(b, " The degrees of freedom limit this plan, not the error: with fewer samples the interval "
                       "would not be reliable.");
}

static void say_largest(struct strbuf *b, const struct plan *p)
{
    double most = 0, all = 0;
    char a[CLI_NUMBER];
    size_t at = 0;

    for (size_t h = 0; h < p->stratum_count; h++) {
        double v = plan_stratum_variance(p, h, p->strata[h].samples);

        all += v;
        if (v > most) {
            most = v;
            at = h;
        }
    }
    if (!p->representative && p->stratum_count > 1 && most > 0)
        strbuf_addf(b, " The stratum with most of the variance is %zu, with %s of it.", at,
                    cli_percent(most / all, a));
}

void plan_explain_whole(const struct plan *p)
{
    struct strbuf b = STRBUF_INIT;

    printf("\nwhy this plan\n");
    if (p->representative)
        strbuf_adds(&b, "Samples are representatives, chosen by a rule. A projection from them has no interval: "
                        "the simulated values do not show its error.");
    else
        say_promise(&b, p);
    if (!p->representative)
        say_limits(&b, p);
    say_largest(&b, p);
    cli_print_wrapped("", b.text, INDENT);
    strbuf_release(&b);
}
