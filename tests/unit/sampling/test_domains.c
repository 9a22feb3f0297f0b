/* Totals of domains: they add up, agree with values worked by hand, and their intervals hold. */
#include "tests/unit/sampling/profiles.h"

#include <math.h>
#include <stdlib.h>

#include "sampling/parts/domain_compare.h"
#include "sampling/parts/domain_estimate.h"
#include "sampling/parts/part.h"
#include "sampling/sequential/plan_resize.h"

/* A profile with layers: launch i is of layer layer[i], from 1; 0: none. */
static void add_layers(struct profile *p, const uint32_t *layer, size_t layers)
{
    struct domain_column *c;
    struct err e;

    p->domains = domains_new(&e);
    assert_non_null(p->domains);
    c = &p->domains->columns[DOMAIN_LAYER];
    c->count = layers + 1;
    c->names = calloc(c->count, sizeof *c->names);
    c->of = calloc(p->count, sizeof *c->of);
    for (size_t d = 0; d <= layers; d++) {
        char name[32] = "";

        if (d > 0)
            snprintf(name, sizeof name, "layers.%zu", d - 1);
        c->names[d] = strdup(name);
    }
    memcpy(c->of, layer, p->count * sizeof *layer);
}

/* Estimates all layers. */
static size_t estimate(const struct profile *p, const struct plan *plan, const double *y,
                       struct domain_estimate **out, struct projection *projection)
{
    struct domain_view view;
    struct err e;
    size_t count;

    assert_int_equal(domain_view_make(p, DOMAIN_LAYER, &view, &e), 1);
    CHECK_OK(projection_make(plan, y, 0, projection, &e), &e);
    CHECK_OK(domain_estimates_make(&view, DOMAIN_LAYER, plan, y, projection, out, &count, &e), &e);
    domain_view_release(&view);
    return count;
}

/* One stratum of 6 launches, 3 drawn with results 10, 20, 60: mean 30. Layer 0 has launches 0 to 3, of which two
 * are drawn. total = 4 * 30 + 6/3 ((10 - 30) + (20 - 30)) = 60; layer 1: 2 * 30 + 2 (60 - 30) = 120. */
static void worked_by_hand(void **state)
{
    static const uint64_t values[] = {5, 5, 5, 5, 5, 5};
    static const uint32_t layer[] = {1, 1, 1, 1, 2, 2};
    struct plan_params params = PLAN_PARAMS_DEFAULT;
    struct domain_estimate *d;
    struct projection projection;
    struct profile p;
    struct plan plan;
    struct err e;
    double y[3] = {10, 20, 60};

    (void)state;
    profile_of(values, 6, &p);
    add_layers(&p, layer, 2);
    params.share = 0.5;
    CHECK_OK(plan_make("srs", &p, &params, &plan, &e), &e);
    assert_int_equal(plan.sample_count, 3);
    plan.samples[0].launch = 0;
    plan.samples[1].launch = 1;
    plan.samples[2].launch = 4;
    assert_int_equal(estimate(&p, &plan, y, &d, &projection), 2);
    CHECK_NEAR(projection.value, 180, 1e-9);
    assert_string_equal(d[0].name, "layers.0");
    assert_int_equal(d[0].launches, 4);
    assert_int_equal(d[0].profiled, 20);
    assert_int_equal(d[0].results, 2);
    CHECK_NEAR(d[0].value, 60, 1e-9);
    CHECK_NEAR(d[1].value, 120, 1e-9);
    assert_true(d[0].few && isnan(d[0].half_width)); /* two results are no basis for an interval */
    projection_release(&projection);
    free(d);
    plan_release(&plan);
    profile_release(&p);
}

/* Equal results of a part of a stratum are no basis for an interval either; a stratum taken whole needs none. */
static void equal_results_give_no_interval(void **state)
{
    static const uint64_t values[] = {5, 5, 5, 5, 5, 5};
    static const uint32_t layer[] = {1, 1, 1, 1, 2, 2};
    static const double y[6] = {10, 10, 10, 10, 10, 10};

    (void)state;
    for (int whole = 0; whole < 2; whole++) {
        struct plan_params params = PLAN_PARAMS_DEFAULT;
        struct domain_estimate *d;
        struct projection projection;
        struct profile p;
        struct plan plan;
        struct err e;

        profile_of(values, 6, &p);
        add_layers(&p, layer, 2);
        params.share = whole ? 1 : 0.5;
        CHECK_OK(plan_make("srs", &p, &params, &plan, &e), &e);
        assert_int_equal(estimate(&p, &plan, y, &d, &projection), 2);
        CHECK_NEAR(d[0].value, 40, 1e-9);
        assert_int_equal(d[0].few, !whole);
        if (whole)
            CHECK_NEAR(d[0].half_width, 0, 1e-12);
        else
            assert_true(isnan(d[0].half_width));
        projection_release(&projection);
        free(d);
        plan_release(&plan);
        profile_release(&p);
    }
}

/* One stratum of 6 launches, drawn with results 1, 50, 100: mean 151/3. Layer 0 has one launch, which is drawn:
 * 1 * 151/3 + 2 (1 - 151/3) = -48.3. No total is negative. */
static void a_negative_estimate_is_none(void **state)
{
    static const uint64_t values[] = {5, 5, 5, 5, 5, 5};
    static const uint32_t layer[] = {1, 2, 2, 2, 2, 2};
    static const double y[3] = {1, 50, 100};
    struct plan_params params = PLAN_PARAMS_DEFAULT;
    struct domain_estimate *d;
    struct projection projection;
    struct profile p;
    struct plan plan;
    struct err e;

    (void)state;
    profile_of(values, 6, &p);
    add_layers(&p, layer, 2);
    params.share = 0.5;
    CHECK_OK(plan_make("srs", &p, &params, &plan, &e), &e);
    for (uint64_t i = 0; i < 3; i++)
        plan.samples[i].launch = i;
    assert_int_equal(estimate(&p, &plan, y, &d, &projection), 2);
    assert_string_equal(d[1].name, "layers.0");
    assert_true(d[1].below_zero && isnan(d[1].value) && isnan(d[1].half_width));
    assert_non_null(strstr(domain_estimate_why_not(&d[1]), "negative"));
    assert_false(d[0].below_zero);
    CHECK_NEAR(d[0].value, 5 * 151.0 / 3 + 2 * (150 - 2 * 151.0 / 3), 1e-9);
    projection_release(&projection);
    free(d);
    plan_release(&plan);
    profile_release(&p);
}

#define PAIRS 24 /* launches of one stratum, the first half of layer 0 */

/* Compares b with a on a plan that takes every launch, or every second one of each layer. */
static void compare_layers(bool whole, const double *a, const double *b, const double *warm,
                           struct domain_comparison out[2], struct comparison *total)
{
    uint64_t values[PAIRS];
    uint32_t layer[PAIRS];
    double ya[PAIRS], yb[PAIRS], wb[PAIRS];
    struct plan_params params = PLAN_PARAMS_DEFAULT;
    struct domain_pair pair = {.a = {ya, ya, NULL}, .b = {yb, wb, NULL}, .level = 0.95, .count = 2};
    struct domain_estimate *d;
    struct domain_counts *counts;
    struct domain_view view;
    struct projection projection;
    struct profile p;
    struct plan plan;
    struct err e;
    size_t count;

    for (size_t i = 0; i < PAIRS; i++) {
        values[i] = 5;
        layer[i] = i < PAIRS / 2 ? 1 : 2;
    }
    profile_of(values, PAIRS, &p);
    add_layers(&p, layer, 2);
    params.share = whole ? 1 : 0.5;
    CHECK_OK(plan_make("srs", &p, &params, &plan, &e), &e);
    for (size_t i = 0; i < plan.sample_count; i++) {
        size_t launch = whole ? i : 2 * i;

        plan.samples[i].launch = launch;
        ya[i] = a[launch];
        yb[i] = b[launch];
        wb[i] = warm ? warm[launch] : yb[i];
    }
    assert_int_equal(domain_view_make(&p, DOMAIN_LAYER, &view, &e), 1);
    counts = domain_counts_new(&view, &plan, &e);
    assert_non_null(counts);
    CHECK_OK(projection_make(&plan, ya, 0.95, &projection, &e), &e);
    CHECK_OK(domain_estimates_of(counts, DOMAIN_LAYER, ya, &projection, &d, &count, &e), &e);
    assert_int_equal(count, 2);
    CHECK_OK(domain_compare(counts, d, count, &pair, out, &e), &e);
    CHECK_OK(comparison_make(&plan, ya, yb, 0.95, total, &e), &e);
    projection_release(&projection);
    free(d);
    domain_counts_free(counts);
    domain_view_release(&view);
    plan_release(&plan);
    profile_release(&p);
}

/* Layer 0 takes half the time on b, layer 1 the same: taken whole, the ratios are exact and the differences of the
 * layers add up to that of the total. */
static void ratios_of_layers(void **state)
{
    double a[PAIRS], b[PAIRS], warm[PAIRS];
    struct domain_comparison c[2];
    struct comparison total;

    (void)state;
    for (size_t i = 0; i < PAIRS; i++) {
        a[i] = 100 + (double)(i % 5);
        b[i] = i < PAIRS / 2 ? a[i] / 2 : a[i];
        warm[i] = i < PAIRS / 2 ? 1.5 * a[i] : b[i];
    }
    compare_layers(true, a, b, NULL, c, &total);
    CHECK_NEAR(c[0].ratio, 0.5, 1e-12);
    CHECK_NEAR(c[1].ratio, 1, 1e-12);
    CHECK_NEAR(c[0].ratio_half_width, 0, 1e-9);
    CHECK_NEAR(c[0].difference + c[1].difference, total.difference, 1e-9);
    assert_int_equal(c[0].paired_on, PAIRS / 2);
    assert_true(c[0].distinguishable && !c[1].distinguishable && !c[0].cache_reversible);
    compare_layers(true, a, b, warm, c, &total); /* with warm caches layer 0 would take longer on b */
    assert_true(!c[0].distinguishable && c[0].cache_reversible && !c[1].cache_reversible);
    compare_layers(false, a, b, NULL, c, &total); /* six pairs a layer are too few for an interval */
    CHECK_NEAR(c[0].difference + c[1].difference, total.difference, 1e-9);
    CHECK_NEAR(c[0].ratio, 0.5, 0.1);
    assert_true(isnan(c[0].ratio_half_width) && !c[0].distinguishable);
    assert_int_equal(c[0].paired_on, PAIRS / 4);
}

/* The error inside launches may all be in one part: it is added to each part whole. */
static void each_part_has_the_error_inside_launches(void **state)
{
    static const uint64_t values[] = {5, 5, 5, 5, 5, 5};
    static const uint32_t layer[] = {1, 1, 1, 1, 2, 2};
    static const double y[6] = {10, 20, 30, 40, 50, 60};
    struct plan_params params = PLAN_PARAMS_DEFAULT;
    struct domain_estimate *d;
    struct projection projection;
    struct domain_view view;
    struct profile p;
    struct plan plan;
    struct err e;
    size_t count;

    (void)state;
    profile_of(values, 6, &p);
    add_layers(&p, layer, 2);
    params.share = 1;
    CHECK_OK(plan_make("srs", &p, &params, &plan, &e), &e);
    CHECK_OK(projection_make(&plan, y, 0.95, &projection, &e), &e);
    projection.within = 7;
    assert_int_equal(domain_view_make(&p, DOMAIN_LAYER, &view, &e), 1);
    CHECK_OK(domain_estimates_make(&view, DOMAIN_LAYER, &plan, y, &projection, &d, &count, &e), &e);
    assert_int_equal(count, 2);
    CHECK_NEAR(d[0].half_width, 1.959964 * 7, 1e-5); /* z of 95 % */
    CHECK_NEAR(d[1].half_width, 1.959964 * 7, 1e-5);
    free(d);
    domain_view_release(&view);
    projection_release(&projection);
    plan_release(&plan);
    profile_release(&p);
}

static void another_profile_is_refused(void **state)
{
    static const uint64_t values[] = {5, 5, 5, 5, 9, 9}, others[] = {5, 5, 5, 9, 9, 900};
    static const uint32_t layer[] = {1, 1, 1, 1, 2, 2};
    struct plan_params params = PLAN_PARAMS_DEFAULT;
    struct domain_estimate *d;
    struct domain_view view;
    struct projection projection;
    struct profile p, q;
    struct plan plan;
    struct err e;
    double y[6] = {1, 1, 1, 1, 1, 1};
    size_t count;

    (void)state;
    profile_of(values, 6, &p);
    profile_of(others, 6, &q);
    add_layers(&q, layer, 2);
    CHECK_OK(plan_make("vivace", &p, &params, &plan, &e), &e);
    CHECK_OK(projection_make(&plan, y, 0, &projection, &e), &e);
    assert_int_equal(domain_view_make(&q, DOMAIN_LAYER, &view, &e), 1);
    CHECK_FAILS(domain_estimates_make(&view, DOMAIN_LAYER, &plan, y, &projection, &d, &count, &e), &e, ERR_INVALID,
                "not the one that the plan was made from");
    domain_view_release(&view);
    projection_release(&projection);
    plan_release(&plan);
    profile_release(&p);
    profile_release(&q);
}

/* --- parts --- */

static void patterns_and_steps(void **state)
{
    static const struct {
        const char *pattern, *path;
        bool want;
    } cases[] = {
        {"decoder.layers.7.*", "decoder/layers.7/attention", true},
        {"decoder.layers.7.*", "decoder/layers.7", true},
        {"decoder.layers.7.*", "decoder/layers.71/attention", false},
        {"decoder.layers.?.mlp", "decoder.layers.3.mlp", true},
        {"*attention", "decoder/layers.7/attention", true},
        {"*a*b", "xaxxbxb", true},
        {"*a*b", "xaxxbxc", false},
        {"decoder", "decoder/layers.7", false},
        {"*", "", true},
    };
    struct plan_part part = {.steps = false};
    struct err e;

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        if (part_matches(cases[i].pattern, cases[i].path) != cases[i].want)
            fail_msg("%s, %s", cases[i].pattern, cases[i].path);
    CHECK_OK(part_steps_read("10..19", &part, &e), &e);
    assert_true(part.steps && part.step_first == 10 && part.step_last == 19);
    CHECK_OK(part_steps_read("12", &part, &e), &e);
    assert_true(part.step_first == 12 && part.step_last == 12);
    CHECK_FAILS(part_steps_read("a..b", &part, &e), &e, ERR_USAGE, "not a range of steps");
    CHECK_FAILS(part_steps_read("5..4", &part, &e), &e, ERR_USAGE, "not a range of steps");
}

/* 400 launches of one kernel in four layers of 100, the values of all layers equal. */
static void strata_keep_to_layers(void **state)
{
    const struct plan_part part = {.by = "layer"};
    struct plan_params params = PLAN_PARAMS_DEFAULT;
    size_t seen[4][100] = {{0}}, different = 0;
    uint32_t layer[400];
    uint64_t values[400];
    char hash[SHA256_HEX];
    struct plan_index *index;
    struct profile p;
    struct plan plan;
    struct err e;

    (void)state;
    for (size_t i = 0; i < 400; i++) {
        layer[i] = (uint32_t)(i % 4) + 1;
        values[i] = 1000 + 7919 * (i / 4) % 1000;
    }
    profile_of(values, 400, &p);
    add_layers(&p, layer, 4);
    params.error = 0.03;
    CHECK_OK(part_plan_make("vivace", &p, &params, &part, &plan, &e), &e);
    CHECK_OK(plan_check(&plan, &e), &e);
    CHECK_OK(profile_hash(&p, hash, &e), &e);
    assert_string_equal(plan.profile_sha256, hash);
    index = plan_index_new(&plan, &p, &e);
    assert_non_null(index);
    for (size_t i = 0; i < 400; i++) {
        size_t h = plan_index_find(index, i);

        assert_true(h < plan.stratum_count);
        assert_string_equal(plan.strata[h].domain, p.domains->columns[DOMAIN_LAYER].names[layer[i]]);
        assert_int_equal(plan.strata[h].kernel, 0);
    }
    plan_index_free(index);
    /* Equal strata of different layers draw different launches: their draws are independent. */
    for (size_t i = 0; i < plan.sample_count; i++)
        seen[plan.samples[i].launch % 4][plan.samples[i].launch / 4]++;
    for (size_t i = 0; i < 100; i++)
        different += seen[0][i] != seen[1][i] || seen[1][i] != seen[2][i] || seen[2][i] != seen[3][i];
    assert_true(different > 0);
    plan_release(&plan);
    CHECK_FAILS(part_plan_make("srs", &p, &params, &part, &plan, &e), &e, ERR_INVALID, "cannot be kept by part");
    profile_release(&p);
}

/* --- Monte Carlo: how often the interval of a domain holds --- */

#define LAUNCHES 2000
#define LAYERS   8
#ifndef DRAWS
#define DRAWS (INSTRUMENTED ? 40 : 300)
#endif

/* A population: launches of three kernels in layers of different size. */
struct world {
    const char *what;
    double noise;   /* relative spread of each launch */
    double differs; /* layers differ by up to this share from the rest */
    double heavy;   /* share of launches that take 2 x as long */
};

static void make_world(const struct world *w, struct profile *p, double *truth, double *y)
{
    struct profile_row row = {.grid = {1, 1, 1}, .block = {32, 1, 1}};
    static const char *const names[] = {"a", "b", "c"};
    static uint32_t layer[LAUNCHES];
    struct profile_builder *b;
    struct rng r;
    struct err e;

    rng_init(&r, 11, 5, RNG_DRAW);
    b = profile_builder_new(PROFILE_NS, 0, &e);
    for (size_t i = 0; i < LAUNCHES; i++) {
        size_t kernel = i % 3, d = rng_below(&r, 4) ? i / 3 % LAYERS : i / 3 % 2;
        double mean = 1000 * (double)(1 + 4 * kernel);

        double profiled = mean * exp(0.3 * rng_normal(&r));

        y[i] = profiled * (1 + w->noise * rng_normal(&r)) * (1 + w->differs * ((double)d / (LAYERS - 1) - 0.5));
        if (rng_unit(&r) < w->heavy)
            y[i] *= 2;
        layer[i] = (uint32_t)d + 1;
        truth[d] += y[i];
        row.name = names[kernel];
        row.value = (uint64_t)profiled; /* the profile does not contain the difference */
        row.correlation = i;
        CHECK_OK(profile_builder_add(b, &row, &e), &e);
    }
    CHECK_OK(profile_builder_finish(b, p, &e), &e);
    profile_builder_free(b);
    add_layers(p, layer, LAYERS);
}

/* Counts the intervals of domains that hold, over all draws, and checks that the totals add up. */
static double coverage(const struct world *w, const char *method, double size, size_t draws, double *given)
{
    static double values[LAUNCHES];
    double truth[LAYERS] = {0}, *y = calloc(LAUNCHES, sizeof *y);
    struct plan_params params = PLAN_PARAMS_DEFAULT;
    size_t holds = 0, intervals = 0;
    struct profile p;
    struct err e;

    make_world(w, &p, truth, values);
    if (strcmp(method, "srs") == 0)
        params.share = size;
    else
        params.error = size;
    for (size_t k = 0; k < draws; k++) {
        struct domain_estimate *d;
        struct projection projection;
        struct plan plan;
        double sum = 0;
        size_t count;

        params.seed = k + 1;
        CHECK_OK(plan_make(method, &p, &params, &plan, &e), &e);
        for (size_t i = 0; i < plan.sample_count; i++)
            y[i] = values[plan.samples[i].launch];
        count = estimate(&p, &plan, y, &d, &projection);
        for (size_t i = 0; i < count; i++) {
            sum += d[i].value;
            if (isnan(d[i].half_width))
                continue;
            assert_true(d[i].results >= DOMAIN_RESULTS_MIN);
            intervals++;
            holds += fabs(d[i].value - truth[d[i].domain - 1]) <= d[i].half_width;
        }
        CHECK_NEAR(sum / projection.value, 1, 1e-12);
        projection_release(&projection);
        plan_release(&plan);
        free(d);
    }
    *given = (double)intervals / (double)(draws * LAYERS);
    free(y);
    profile_release(&p);
    return (double)holds / (double)intervals;
}

static void intervals_of_domains_hold(void **state)
{
    static const struct world worlds[] = {
        {"even", 0.05, 0, 0},
        {"noise of 30 %", 0.3, 0, 0},
        {"layers differ by 40 %", 0.05, 0.4, 0},
        {"one in five takes twice as long", 0.05, 0, 0.2},
        {"both", 0.1, 0.4, 0.2},
    };
    static const struct {
        const char *method;
        double size; /* share of the launches, or wanted error */
    } plans[] = {{"srs", 0.05}, {"srs", 0.1}, {"srs", 0.3}, {"stem", 0.02}};

    (void)state;
    for (size_t i = 0; i < sizeof worlds / sizeof *worlds; i++)
        for (size_t k = 0; k < sizeof plans / sizeof *plans; k++) {
            double given, c = coverage(&worlds[i], plans[k].method, plans[k].size, DRAWS, &given);

            if (!(c >= 0.94) || !(given > 0))
                fail_msg("%s, %s %g: %.4f of the intervals hold (%.2f of the domains have one)", worlds[i].what,
                         plans[k].method, plans[k].size, c, given);
        }
}

static bool holds(const struct plan *plan, uint64_t launch)
{
    for (size_t i = 0; i < plan->sample_count; i++)
        if (plan->samples[i].launch == launch)
            return true;
    return false;
}

/* A plan of ten layers of twelve, with one launch more in each stratum, and one that cannot be simulated: launches
 * stay in the part, and the others stay in the plan. */
static void a_plan_of_a_part_grows_in_it(void **state)
{
    enum { COUNT = 960, OF = 12, IN = 10 };
    const struct plan_part part = {.by = "layer", .only = "layers.?"}, other = {.by = "layer", .only = "layers.1?"};
    struct plan_params params = PLAN_PARAMS_DEFAULT;
    struct skipped_launches over = {.count = 1};
    uint64_t values[COUNT], *n;
    uint32_t layer[COUNT];
    struct plan plan, grown;
    struct profile p;
    struct err e;

    (void)state;
    for (size_t i = 0; i < COUNT; i++) {
        values[i] = 100 + (i * 37) % 60;
        layer[i] = (uint32_t)(i % OF) + 1;
    }
    profile_of(values, COUNT, &p);
    add_layers(&p, layer, OF);
    CHECK_OK(part_plan_make("vivace", &p, &params, &part, &plan, &e), &e);
    n = calloc(plan.stratum_count, sizeof *n);
    for (size_t h = 0; h < plan.stratum_count; h++)
        n[h] = plan.strata[h].samples + 1 < plan.strata[h].population ? plan.strata[h].samples + 1
                                                                      : plan.strata[h].population - 1;
    over.ids = &plan.samples[0].launch;
    CHECK_OK(plan_resize(&plan, &p, n, &over, &grown, &e), &e);
    assert_true(plan_part_same(&grown.part, &part) && !plan_part_same(&grown.part, &other));
    assert_true(grown.sample_count > plan.sample_count && !holds(&grown, plan.samples[0].launch));
    for (size_t i = 0; i < grown.sample_count; i++)
        assert_true(grown.samples[i].launch % OF < IN);
    for (size_t i = 1; i < plan.sample_count; i++)
        assert_true(holds(&grown, plan.samples[i].launch));
    free(n);
    plan_release(&grown);
    plan_release(&plan);
    profile_release(&p);
}

/* Two processes of three and two contexts; the second process uses GPU 1 from two contexts. */
static void ranks_are_processes_on_gpus(void **state)
{
    static const struct {
        uint64_t process, context;
        int64_t device;
        const char *rank;
    } launches[] = {{7, 1, 2, "rank 1, GPU 2"}, {7, 2, 0, "rank 0, GPU 0"}, {7, 3, 5, "rank 2, GPU 5"},
                    {9, 1, 1, "rank 3, GPU 1"}, {9, 2, 1, "rank 3, GPU 1"}, {7, 1, 2, "rank 1, GPU 2"}};
    struct profile_builder *b;
    struct domain_view view;
    struct domain_total *totals;
    struct profile p;
    struct err e;
    size_t count;

    (void)state;
    for (size_t ranks = 1; ranks < 3; ranks++) {
        b = profile_builder_new(PROFILE_NS, true, &e);
        assert_non_null(b);
        for (size_t i = 0; i < sizeof launches / sizeof *launches; i++) {
            struct profile_row row = {
                .name = "k", .grid = {1, 1, 1}, .block = {32, 1, 1}, .value = 10 + i, .start_ns = (int64_t)i};

            row.process = ranks > 1 ? launches[i].process : 7;
            row.context = launches[i].context;
            row.device = ranks > 1 ? (int32_t)launches[i].device : 0;
            CHECK_OK(profile_builder_add(b, &row, &e), &e);
        }
        CHECK_OK(profile_builder_finish(b, &p, &e), &e);
        profile_builder_free(b);
        assert_int_equal(domain_view_make(&p, DOMAIN_RANK, &view, &e), ranks > 1);
        if (ranks == 1)
            CHECK_FAILS(domain_view_need(&p, DOMAIN_RANK, &view, &e), &e, ERR_INVALID, "the profile has one rank");
        for (size_t i = 0; ranks > 1 && i < p.count; i++)
            assert_string_equal(view.names[domain_of(&view, i)], launches[p.value[i] - 10].rank);
        if (ranks > 1) {
            CHECK_OK(domain_totals(&view, DOMAIN_RANK, &totals, &count, &e), &e);
            assert_int_equal(count, 4);
            assert_string_equal(totals[0].name, "rank 3, GPU 1");
            assert_int_equal(totals[0].total, 27);
            free(totals);
        }
        domain_view_release(&view);
        profile_release(&p);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(ranks_are_processes_on_gpus),
                                       cmocka_unit_test(worked_by_hand),
                                       cmocka_unit_test(equal_results_give_no_interval),
                                       cmocka_unit_test(a_negative_estimate_is_none),
                                       cmocka_unit_test(ratios_of_layers),
                                       cmocka_unit_test(each_part_has_the_error_inside_launches),
                                       cmocka_unit_test(another_profile_is_refused),
                                       cmocka_unit_test(patterns_and_steps),
                                       cmocka_unit_test(strata_keep_to_layers),
                                       cmocka_unit_test(a_plan_of_a_part_grows_in_it),
                                       cmocka_unit_test(intervals_of_domains_hold)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
