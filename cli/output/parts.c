#include "cli/output/parts.h"

#include <math.h>

#include <string.h>

#include "cli/cli.h"
#include "sampling/parts/domain_estimate.h"
#include "sampling/estimate/projection.h"

#define WIDER 1.5 /* times the planned width: a narrower interval is within chance and not reported */

static bool said(const char *text)
{
    return text && *text;
}

static void unknown(const char *line, const char *why)
{
    printf("    %-18s not known: %s\n", line, said(why) ? why : "there are not enough results yet");
}

static void print_sum(const struct projection_parts *p)
{
    char a[CLI_NUMBER], b[CLI_NUMBER];
    bool seconds = isfinite(p->sum_s), cycles = isfinite(p->sum_cycles);

    if (!seconds && !cycles) {
        unknown("sum of durations", p->sum_why_not);
        return;
    }
    cli_estimate_seconds(p->sum_s, p->half_width_s, a);
    cli_estimate(p->sum_cycles, p->half_width_cycles, "cycles", b);
    if (seconds && cycles)
        printf("    %-18s %s   (%s)\n", "sum of durations", a, b);
    else
        printf("    %-18s %s\n", "sum of durations", seconds ? a : b);
}

static void print_relative(const struct projection_parts *p)
{
    char a[CLI_NUMBER], b[CLI_NUMBER], c[CLI_NUMBER];

    printf("    %-18s ± %s at %s confidence", "sampling error",
           p->relative == 0 ? "0" : cli_percent(p->relative, a), format_level(p->level, b));
    if (isfinite(p->df))
        printf(", %s degrees of freedom", cli_number(p->df, c));
    else
        printf(", because all launches are simulated");
    if (isfinite(p->planned) && p->planned > 0)
        printf("; planned ± %s", cli_percent(p->planned, a));
    printf("\n");
}

static void print_sampling_error(const struct projection_parts *p)
{
    if (!isfinite(p->relative)) {
        unknown("sampling error", p->interval_why_not);
        return;
    }
    if (estimate_says_nothing(1, p->relative))
        printf("    %-18s no useful value yet: the interval is wider than the total itself; more simulated "
               "launches narrow it\n",
               "sampling error");
    else
        print_relative(p);
    if (said(p->level_note))
        printf("    %-18s %s\n", "", p->level_note);
    if (said(p->variance_method) && strncmp(p->variance_method, "stratified", strlen("stratified")) != 0)
        printf("    %-18s %s\n", "", p->variance_method);
    if (said(p->warning))
        printf("    %-18s %s\n", "", p->warning);
}

/* The estimate with warm caches, where launches began with empty caches. */
static void print_warm_bound(const struct projection_parts *p)
{
    bool seconds = isfinite(p->warm_s), known = isfinite(seconds ? p->low_s : p->low_cycles);
    char a[CLI_NUMBER], b[CLI_NUMBER], c[CLI_NUMBER];

    if (!seconds && !isfinite(p->warm_cycles))
        return;
    if (seconds)
        cli_estimate_seconds(p->warm_s, p->warm_half_width_s, a);
    else
        cli_estimate(p->warm_cycles, p->warm_half_width_cycles, "cycles", a);
    printf("    %-18s %s if launches that began with empty caches were fully warm", "warm bound", a);
    if (known && seconds)
        printf(": between %s and %s", cli_seconds(p->low_s, b), cli_seconds(p->high_s, c));
    else if (known)
        printf(": between %s and %s cycles", cli_number(p->low_cycles, b), cli_number(p->high_cycles, c));
    printf("\n");
}

static void print_model_error(const struct projection_parts *p)
{
    char a[CLI_NUMBER], b[CLI_NUMBER];

    if (!isfinite(p->model_error)) {
        unknown("model error", p->model_why_not);
        return;
    }
    printf("    %-18s %+.1f %% on the profiled GPU: simulated %s, measured %s; outside the interval\n",
           "model error", 100 * p->model_error, cli_seconds(p->simulated_s, a), cli_seconds(p->measured_s, b));
}

static void print_validated_class(const json_t *x)
{
    double error = json_number_value(json_object_get(x, "error"));
    uint64_t kernels = (uint64_t)json_integer_value(json_object_get(x, "kernels"));
    char a[CLI_NUMBER], b[CLI_NUMBER], c[CLI_NUMBER], d[CLI_NUMBER];

    printf("%s (%s of the total) ", json_string_value(json_object_get(x, "class")),
           cli_percent(json_number_value(json_object_get(x, "share")), a));
    if (!kernels)
        printf("not validated on this GPU");
    else
        printf("%s mean over %s, bias %s%s, simulator %s", cli_percent(error, b),
               cli_counted(kernels, "kernel", "kernels", c),
               cli_number(json_number_value(json_object_get(x, "bias")), d),
               json_is_true(json_object_get(x, "tuned")) ? ", some used to set parameters" : "",
               json_string_value(json_object_get(x, "simulator")));
}

/* The model error that was measured on this GPU with other kernels of the same classes. */
static void print_validated(const struct projection_parts *p)
{
    bool any = false;

    for (size_t i = 0; i < json_array_size(p->validated); i++) {
        const json_t *x = json_array_get(p->validated, i);

        any |= json_integer_value(json_object_get(x, "kernels")) > 0;
        printf("    %-18s ", i ? "" : "by kernel class");
        print_validated_class(x);
        printf("\n");
    }
    if (any)
        printf("    %-18s model error on this GPU, measured for these classes of kernels (docs/VALIDATION.md); "
               "outside the "
               "interval\n",
               "");
}

enum { MISSING_WORDS = 2 * CLI_NUMBER + 64 };

/* Describes the missing launches of the cache window. */
static const char *missing_words(const struct cache_window *w, char out[MISSING_WORDS])
{
    char a[CLI_NUMBER], b[CLI_NUMBER];

    snprintf(out, MISSING_WORDS, "%s%s%s launches before them are not in the traces", cli_whole(w->missing, a),
             w->wanted ? " of " : " of the", w->wanted ? cli_whole(w->wanted, b) : "");
    return out;
}

static void print_caches(const struct projection_parts *p)
{
    const struct cache_window *w = &p->cache_window;
    char a[CLI_NUMBER], before[CLI_NUMBER + 8], words[MISSING_WORDS];
    bool settled = cache_window_settled(w);

    if (!p->cache_launches) {
        if (w->missing)
            printf("    %-18s not measured: %s\n", "cache state", missing_words(w, words));
        return;
    }
    snprintf(before, sizeof before, "the %s", cli_whole(w->before, a));
    printf("    %-18s %s%+.1f %% if launches find in L2 what %s before them leave: %zu launches, of strata with %s "
           "of the time, against what they found here; outside the interval\n",
           "cache state", settled ? "" : "at least ", 100 * p->cache_error, w->whole ? "all" : before,
           p->cache_launches, cli_percent(p->cache_share, a));
    if (p->cache_launches > 1 && isfinite(p->cache_min) && isfinite(p->cache_max))
        printf("    %-18s a single launch: %+.1f to %+.1f %%; so few launches show only the size, not the exact "
               "value\n",
               "", 100 * p->cache_min, 100 * p->cache_max);
    if (w->missing)
        printf("    %-18s %s, so the error may be larger\n", "", missing_words(w, words));
    else if (!settled)
        printf("    %-18s the effect of more launches before them was not tried, or is not stable yet\n", "");
}

static void print_communication(const struct projection_parts *p)
{
    char a[CLI_NUMBER], b[CLI_NUMBER], c[CLI_NUMBER], d[CLI_NUMBER];

    if (!p->communication_launches)
        return;
    printf("    %-18s %s of it in %s launches, profiled %s; all others %s\n", "communication",
           cli_estimate_seconds(p->communication_s, p->communication_half_width_s, a),
           cli_whole(p->communication_launches, b), cli_seconds(p->communication_profiled_s, c),
           cli_estimate_seconds(p->other_s, p->other_half_width_s, d));
    printf("    %-18s a simulation of one GPU does not include the time that such kernels wait for others\n", "");
}

static void print_makespan(const struct projection_parts *p)
{
    char a[CLI_NUMBER], b[CLI_NUMBER];

    if (!isfinite(p->makespan_s)) {
        unknown("makespan", p->makespan_why_not);
        return;
    }
    printf("    %-18s %s with overlap counted once and the profile's gaps kept", "makespan",
           cli_estimate_seconds(p->makespan_s, p->makespan_half_width_s, a));
    if (isfinite(p->measured_makespan_s))
        printf("; measured %s", cli_seconds(p->measured_makespan_s, b));
    printf("\n");
    if (!isfinite(p->makespan_half_width_s) && said(p->makespan_interval_why_not))
        printf("    %-18s no interval: %s\n", "", p->makespan_interval_why_not);
}

static void print_estimator(const struct projection_parts *p)
{
    enum projection_estimator x;
    struct err ignored;

    if (said(p->estimator) && projection_estimator_from_name(p->estimator, &x, &ignored) == 0 &&
        x != PROJECT_EXPANSION)
        printf("    %-18s %s: %s\n", "estimator", p->estimator, projection_estimator_sentence(x));
}

static const char *seconds_or_cycles(double value_s, double half_s, double value, double half, char out[CLI_NUMBER])
{
    return isfinite(value_s) ? cli_estimate_seconds(value_s, half_s, out)
                             : cli_estimate(value, half, "cycles", out);
}

/* The rule of sampling/checks/estimator_comparison.h, and a weaker one: the interval of the cross-check excludes
 * the sum, but not the reverse. */
static const char *disagreement(double value, double half, double sum, double half_of_sum)
{
    double apart = fabs(value - sum);

    if (isnan(apart) || isnan(half) || isnan(half_of_sum) || apart <= half)
        return "";
    return apart > half_of_sum ? "; disagrees: neither interval contains the other's sum"
                               : "; disagrees in part: its interval does not contain the sum above";
}

static void print_checks(const struct projection_parts *p)
{
    char text[CLI_NUMBER];

    for (size_t i = 0; i < p->check_count; i++) {
        const struct parts_check *c = &p->checks[i];
        bool seconds = isfinite(c->value_s);

        printf("    %-18s %s by %s%s\n", i ? "" : "cross-check",
               seconds_or_cycles(c->value_s, c->half_width_s, c->value, c->half_width, text), c->name,
               seconds ? disagreement(c->value_s, c->half_width_s, p->sum_s, p->half_width_s)
                       : disagreement(c->value, c->half_width, p->sum_cycles, p->half_width_cycles));
    }
}

static void print_bootstrap(const struct projection_parts *p)
{
    const struct parts_bootstrap *b = p->bootstrap;
    char low[CLI_NUMBER], high[CLI_NUMBER];

    if (!b)
        return;
    if (said(b->why_not)) {
        printf("    %-18s none: %s\n", "bootstrap", b->why_not);
        return;
    }
    if (isfinite(b->low_s))
        printf("    %-18s %s to %s", "bootstrap", cli_seconds(b->low_s, low), cli_seconds(b->high_s, high));
    else
        printf("    %-18s %s to %s cycles", "bootstrap", cli_number(b->low, low), cli_number(b->high, high));
    printf("; %s\n", b->sentence);
}

bool parts_print_wider(double relative, double planned, const struct parts_doubt *most)
{
    char a[CLI_NUMBER], b[CLI_NUMBER];

    if (!(relative > WIDER * planned))
        return false;
    printf("    %-18s stratum %zu (%s launches simulated) has %s of the variance: results differ more there than "
           "in the profile.\n",
           "wider than planned", most->stratum, cli_whole(most->done, a), cli_percent(most->share, b));
    return true;
}

const char *parts_verdict(bool distinguishable, bool cache_reversible)
{
    return distinguishable    ? "a real difference"
           : cache_reversible ? "L2 contents kept between launches could reverse it"
                              : "the samples show no difference";
}

void parts_print_empty_caches(size_t empty, size_t launches)
{
    char a[CLI_NUMBER], b[CLI_NUMBER];

    if (empty == launches)
        printf("Every simulated launch began with empty caches");
    else
        printf("%s of %s simulated launches began with empty caches", cli_whole(empty, a), cli_whole(launches, b));
    printf(": these figures do not include, or only bound, the L2 contents that earlier launches leave.\n"
           "Some traces store them: those of `vivace ptx run`, `vivace exec`, and of `vivace trace\n"
           "convert` if no earlier launch is missing.\n");
}

void parts_print_not_promised(const char *metric, const char *design, const char *why)
{
    printf("interval of %s on %s not promised: %s\n", metric, design, why);
}

void parts_print_inside(size_t projected, size_t results, double half)
{
    char a[CLI_NUMBER], b[CLI_NUMBER], c[CLI_NUMBER];

    printf("%s of %s results are projected inside their launches, each with an interval of ± %s of its cycles at "
           "most;\n"
           "the intervals above include this error.\n",
           cli_whole(projected, a), cli_whole(results, b), cli_percent(half, c));
}

void parts_print_few(size_t rows, const char *kind)
{
    char n[CLI_NUMBER];

    if (rows)
        printf("Without an interval: %s with fewer than %d results. `vivace plan draw --by %s` draws of each.\n",
               cli_counted(rows, "row", NULL, n), DOMAIN_RESULTS_MIN, kind);
}

void parts_print_below_zero(size_t rows)
{
    char n[CLI_NUMBER];

    if (rows)
        printf("Without a total: %s with results so far below those of other parts that the total would be "
               "negative. Simulate more of their launches; the other rows add up to more than the whole.\n",
               cli_counted(rows, "row", NULL, n));
}

void parts_print_not_covered(void)
{
    printf("No interval covers:\n");
    for (size_t i = 0; projection_not_covered[i]; i++)
        printf("  %s\n", projection_not_covered[i]);
}

void parts_print_estimate(const struct projection_parts *p)
{
    printf("  %s\n", p->design);
    print_sum(p);
    print_estimator(p);
    print_sampling_error(p);
    print_warm_bound(p);
    print_bootstrap(p);
    print_checks(p);
}

void parts_print(const struct projection_parts *p)
{
    parts_print_estimate(p);
    print_model_error(p);
    print_validated(p);
    print_caches(p);
    print_communication(p);
    print_makespan(p);
}
