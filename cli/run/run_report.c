/* Prints a run: its state, the projection for each design, and the differences between designs. */
#include <math.h>
#include <string.h>

#include "cli/client/farm.h"
#include "cli/output/parts.h"

/* The design's part of the answer of /runs/{id}/projection; NULL when it was not fetched or lacks the design. */
static const json_t *more_of(const json_t *projection, const char *design)
{
    const json_t *designs = farm_member(projection, "designs");

    for (size_t i = 0; i < json_array_size(designs); i++)
        if (strcmp(farm_text(json_array_get(designs, i), "design"), design) == 0)
            return json_array_get(designs, i);
    return NULL;
}

/* The design's list of model errors by kernel class, or NULL. */
static const json_t *validated_of(const json_t *projection, const char *design)
{
    const json_t *list = farm_member(projection, "validated");

    for (size_t i = 0; i < json_array_size(list); i++)
        if (strcmp(farm_text(json_array_get(list, i), "design"), design) == 0)
            return farm_member(json_array_get(list, i), "classes");
    return NULL;
}

static void add_checks(const json_t *list, struct projection_parts *p)
{
    for (size_t i = 0; i < json_array_size(list) && p->check_count < PARTS_CHECKS_MAX; i++) {
        const json_t *c = json_array_get(list, i);

        p->checks[p->check_count++] = (struct parts_check){
            *farm_text(c, "name") ? farm_text(c, "name") : farm_text(c, "estimator"), farm_number(c, "value_s"),
            farm_number(c, "half_width_s"), farm_number(c, "value"), farm_number(c, "half_width")};
    }
}

/* Reads the farm's cache window from its JSON form. */
static struct cache_window window_of(const json_t *d)
{
    bool settled = json_is_true(farm_member(d, "cache_state.settled"));

    return (struct cache_window){.before = farm_count(d, "cache_state.launches_before"),
                                 .wanted = farm_count(d, "cache_state.wanted_before"),
                                 .missing = farm_count(d, "cache_state.missing_before"),
                                 .whole = json_is_true(farm_member(d, "cache_state.whole")),
                                 .still = settled ? CACHE_ERROR_STILLS : 0};
}

/* Adds the warm bound of the projection `of`. */
static void add_warm_bound(const json_t *of, struct projection_parts *p)
{
    const json_t *x = farm_member(of, "warm_bound");
    bool cycles = strcmp(farm_text(of, "unit"), "cycles") == 0;

    p->warm_s = farm_number(x, "value_s");
    p->warm_half_width_s = farm_number(x, "half_width_s");
    p->low_s = farm_number(x, "low_s");
    p->high_s = farm_number(x, "high_s");
    p->warm_cycles = cycles ? farm_number(x, "value") : NAN;
    p->warm_half_width_cycles = farm_number(x, "half_width");
    p->low_cycles = farm_number(x, "low");
    p->high_cycles = farm_number(x, "high");
}

static void print_design(const json_t *d, const json_t *more, const json_t *validated, double planned)
{
    const char *warning = farm_text(d, "projection.warning");
    double value = farm_number(d, "projection.value"), half = farm_number(d, "projection.half_width");
    struct projection_parts p = {.design = farm_text(d, "design"),
                                 .sum_s = farm_number(d, "projection.value_s"),
                                 .half_width_s = farm_number(d, "projection.half_width_s"),
                                 .sum_cycles = farm_number(d, "projection.value_cycles"),
                                 .half_width_cycles = farm_number(d, "projection.half_width_cycles"),
                                 .sum_why_not = isfinite(value) ? "the results are not times" : warning,
                                 .relative = half / value,
                                 .level = farm_number(d, "projection.level"),
                                 .level_note = farm_text(d, "projection.level_note"),
                                 .df = farm_number(d, "projection.df"),
                                 .planned = planned,
                                 .interval_why_not = warning,
                                 .warning = warning,
                                 .model_error = farm_number(d, "model_error.relative"),
                                 .simulated_s = farm_number(d, "model_error.simulated_s"),
                                 .measured_s = farm_number(d, "model_error.measured_s"),
                                 .model_why_not = farm_text(more, "parts.model_error_why_not"),
                                 .cache_launches = farm_count(d, "cache_state.launches"),
                                 .cache_window = window_of(d),
                                 .cache_share = farm_number(d, "cache_state.share"),
                                 .cache_min = farm_number(d, "cache_state.least"),
                                 .cache_max = farm_number(d, "cache_state.most"),
                                 .cache_error = farm_number(d, "cache_state.relative"),
                                 .communication_launches = farm_count(d, "communication.launches"),
                                 .communication_s = farm_number(d, "communication.value_s"),
                                 .communication_half_width_s = farm_number(d, "communication.half_width_s"),
                                 .communication_profiled_s = farm_number(d, "communication.profiled_s"),
                                 .other_s = farm_number(d, "communication.other_s"),
                                 .other_half_width_s = farm_number(d, "communication.other_half_width_s"),
                                 .makespan_s = farm_number(d, "makespan_s"),
                                 .makespan_half_width_s = farm_number(d, "makespan_half_width_s"),
                                 .measured_makespan_s = farm_number(more, "parts.measured_makespan_s"),
                                 .makespan_why_not = farm_text(more, "parts.makespan_why_not"),
                                 .makespan_interval_why_not = farm_text(more, "parts.makespan_interval_why_not"),
                                 .variance_method = farm_text(more, "variance_method")};

    p.validated = validated;
    add_warm_bound(farm_member(d, "projection"), &p);
    add_checks(farm_member(more, "cross_checks"), &p);
    parts_print(&p);
}

/* True when every planned sample has a result and the run has no stopping rule. Only then is the interval's width
 * caused by the spread alone: a rule simulates only a part of the plan, and divides the level among interim
 * analyses.
 */
static bool stands_as_planned(const json_t *run)
{
    return strcmp(farm_text(run, "state"), "done") == 0 && json_is_null(farm_member(run, "rule")) &&
           farm_count(run, "counts.failed") == 0 && farm_count(run, "not_simulated.dropped") == 0 &&
           !(farm_number(run, "inside_kernels") > 0);
}

/* Prints advice where the interval is much wider than planned, as `vivace simulate` does. */
static void print_advice(const json_t *run, const json_t *d, const json_t *more)
{
    const json_t *strata = farm_member(more, "strata");
    struct parts_doubt most = {.share = -INFINITY};
    double planned = farm_number(run, "promised_error");

    if (!stands_as_planned(run))
        return;
    for (size_t h = 0; h < json_array_size(strata); h++) {
        const json_t *s = json_array_get(strata, h);

        if (farm_number(s, "variance_share") > most.share)
            most = (struct parts_doubt){h, farm_count(s, "done"), farm_number(s, "variance_share")};
    }
    if (most.share > 0 &&
        parts_print_wider(farm_number(d, "projection.half_width") / farm_number(d, "projection.value"), planned,
                          &most))
        printf("    %-18s `vivace run extend %s --until %.3g%%` simulates more where it is needed\n", "",
               farm_text(run, "id"), 100 * planned);
}

static void print_baseline(const json_t *d)
{
    const json_t *base = farm_member(d, "baseline");
    char a[CLI_NUMBER], b[CLI_NUMBER], level[NUM_TEXT];

    if (!json_is_object(base) || !isfinite(farm_number(base, "difference_s")))
        return;
    printf("  %s against %s: %s, ratio %s at %s; %s\n", farm_text(d, "design"), farm_text(base, "design"),
           cli_estimate_seconds(farm_number(base, "difference_s"), farm_number(base, "half_width_s"), a),
           cli_estimate(farm_number(base, "ratio"), farm_number(base, "ratio_half_width"), "×", b),
           format_level(farm_number(base, "level"), level),
           parts_verdict(json_is_true(farm_member(base, "distinguishable")),
                         json_is_true(farm_member(base, "cache_reversible"))));
}

/* Prints the note on launches that began with empty caches, for the whole run. */
static void print_empty(const json_t *designs)
{
    uint64_t empty = 0, done = 0;

    for (size_t i = 0; i < json_array_size(designs); i++) {
        empty += farm_count(json_array_get(designs, i), "projection.empty_caches");
        done += farm_count(json_array_get(designs, i), "projection.done");
    }
    if (empty)
        parts_print_empty_caches((size_t)empty, (size_t)done);
}

static bool has_warning(const json_t *design, const char *text)
{
    const json_t *list = farm_member(design, "projection.warnings");

    for (size_t i = 0; i < json_array_size(list); i++)
        if (json_is_string(json_array_get(list, i)) &&
            strcmp(json_string_value(json_array_get(list, i)), text) == 0)
            return true;
    return false;
}

/* Prints what is to be said about the traces, once for each sentence. */
static void print_warnings(const json_t *designs)
{
    for (size_t i = 0; i < json_array_size(designs); i++) {
        const json_t *list = farm_member(json_array_get(designs, i), "projection.warnings");

        for (size_t k = 0; k < json_array_size(list); k++) {
            const char *text = json_string_value(json_array_get(list, k));
            bool printed = !text;

            for (size_t j = 0; j < i; j++)
                printed = printed || has_warning(json_array_get(designs, j), text);
            if (!printed)
                printf("warning: %s\n", text);
        }
    }
}

/* Prints the note on results projected inside their launches, for the whole run. */
static void print_inside(const json_t *run, const json_t *designs)
{
    uint64_t projected = 0, done = 0;

    for (size_t i = 0; i < json_array_size(designs); i++) {
        projected += farm_count(json_array_get(designs, i), "projection.projected_inside");
        done += farm_count(json_array_get(designs, i), "projection.done");
    }
    if (farm_number(run, "inside_kernels") > 0)
        parts_print_inside((size_t)projected, (size_t)done, farm_number(run, "inside_kernels"));
}

/* Prints each interim analysis with its decision, and the launches that could not be simulated. */
static void print_analyses(const json_t *run)
{
    const json_t *analyses = farm_member(run, "looks");
    char a[CLI_NUMBER], b[CLI_NUMBER];

    for (size_t i = 0; i < json_array_size(analyses); i++) {
        const json_t *analysis = json_array_get(analyses, i);

        printf("interim analysis %zu, %s: %s%s%s%s\n", i + 1,
               cli_counted(farm_count(analysis, "jobs"), "job", NULL, a), farm_text(analysis, "reason"),
               *farm_text(analysis, "extension.answer") ? " (" : "", farm_text(analysis, "extension.answer"),
               *farm_text(analysis, "extension.answer") ? ")" : "");
    }
    if (farm_count(run, "not_simulated.replaced") + farm_count(run, "not_simulated.dropped") > 0)
        printf("not simulated: %s replaced, %s dropped; %s\n",
               cli_counted(farm_count(run, "not_simulated.replaced"), "launch", "launches", a),
               cli_whole(farm_count(run, "not_simulated.dropped"), b), farm_text(run, "not_simulated.assumption"));
}

/* Prints the state of the cache check, where it is not finished or has failed. */
static void print_cache_check(const json_t *run)
{
    const json_t *c = farm_member(run, "cache_check");
    const char *state = farm_text(c, "state"), *why = farm_text(c, "why");
    bool waiting = strcmp(state, "waiting") == 0;
    char a[CLI_NUMBER], b[CLI_NUMBER];

    if (waiting && strcmp(farm_text(run, "state"), "done") != 0)
        printf("cache state: %s will be simulated after a replay of the launches before them, when the run has "
               "ended\n",
               cli_counted(farm_count(c, "launches"), "launch", "launches", a));
    else if (waiting)
        printf("cache state: not in these figures yet: %s about to be simulated after a replay of the launches "
               "before them; "
               "`vivace run show %s` has it then\n",
               cli_counted(farm_count(c, "launches"), "launch is", "launches are", a), farm_text(run, "id"));
    else if (strcmp(state, "measuring") == 0)
        printf("cache state: still being measured, %s of %s after a replay done so far; `vivace run create "
               "show %s` has it then\n",
               cli_whole(farm_count(c, "done"), a),
               cli_counted(farm_count(c, "simulations"), "simulation", NULL, b), farm_text(run, "id"));
    if (*why)
        printf("cache state: not %smeasured: %s\n", strcmp(state, "failed") == 0 ? "" : "all ", why);
}

void farm_print_run(const json_t *run, const json_t *projection)
{
    const json_t *designs = farm_member(run, "designs");
    const char *words = farm_text(run, "part.words");
    char a[CLI_NUMBER], b[CLI_NUMBER], c[CLI_NUMBER];

    printf("run %s of %s: %s, %s of %s done%s\n", farm_text(run, "id"), farm_text(run, "workload_name"),
           farm_text(run, "state"), cli_whole(farm_count(run, "counts.done"), a),
           cli_counted(farm_count(run, "jobs"), "job", NULL, b),
           farm_count(run, "counts.failed") ? ", some failed" : "");
    if (isfinite(farm_number(run, "speedup")))
        printf("simulated %s less than the whole %s\n", cli_speedup(farm_number(run, "speedup"), c),
               *words ? "part" : "workload");
    print_analyses(run);
    print_cache_check(run);
    farm_print_answer(farm_member(run, "answer"), stdout);
    if (*words)
        printf("A part of the workload: %s, %s of the profiled total:\n", words,
               cli_percent(farm_number(run, "part.share"), a));
    else
        printf("The whole workload:\n");
    for (size_t i = 0; i < json_array_size(designs); i++) {
        const json_t *d = json_array_get(designs, i);

        print_design(d, more_of(projection, farm_text(d, "design")),
                     validated_of(projection, farm_text(d, "design")), farm_number(run, "promised_error"));
        print_advice(run, d, more_of(projection, farm_text(d, "design")));
    }
    if (json_array_size(designs) > 1)
        printf("Paired differences (the designs share the samples):\n");
    for (size_t i = 1; i < json_array_size(designs); i++)
        print_baseline(json_array_get(designs, i));
    farm_print_level_notes(designs, "baseline.level_note", stdout);
    print_empty(designs);
    print_inside(run, designs);
    print_warnings(designs);
    parts_print_not_covered();
}

static void print_estimate(const json_t *d)
{
    double value = farm_number(d, "value"), half = farm_number(d, "half_width");
    bool cycles = strcmp(farm_text(d, "unit"), "cycles") == 0;
    const char *warning = farm_text(d, "warning");
    struct projection_parts p = {.design = farm_text(d, "design"),
                                 .sum_s = farm_number(d, "value_s"),
                                 .half_width_s = farm_number(d, "half_width_s"),
                                 .sum_cycles = cycles ? value : NAN,
                                 .half_width_cycles = cycles ? half : NAN,
                                 .sum_why_not = isfinite(value) ? "the results are not times" : warning,
                                 .relative = half / value,
                                 .level = farm_number(d, "level"),
                                 .level_note = farm_text(d, "level_note"),
                                 .df = farm_number(d, "df"),
                                 .planned = NAN,
                                 .interval_why_not = warning,
                                 .warning = warning,
                                 .estimator = farm_text(d, "estimator"),
                                 .variance_method = farm_text(d, "variance_method")};
    const json_t *b = farm_member(d, "bootstrap");
    struct parts_bootstrap words = {farm_number(b, "low_s"), farm_number(b, "high_s"), farm_number(b, "low"),
                                    farm_number(b, "high"),  farm_text(b, "sentence"), farm_text(b, "why_not")};

    add_warm_bound(d, &p);
    p.bootstrap = json_is_object(b) ? &words : NULL;
    if (!farm_member(d, "opinions"))
        add_checks(farm_member(d, "cross_checks"), &p);
    parts_print_estimate(&p);
    farm_print_opinions(farm_member(d, "opinions"));
}

void farm_print_estimate(const json_t *estimate)
{
    const json_t *designs = farm_member(estimate, "designs");

    for (size_t i = 0; i < json_array_size(designs); i++)
        print_estimate(json_array_get(designs, i));
    parts_print_not_covered();
}

int farm_show_run(struct api *api, const json_t *run, struct err *e)
{
    json_t *projection = farm_get(api, "/runs/", farm_text(run, "id"), "/projection", e);

    if (!projection)
        return -1;
    farm_print_run(run, projection);
    json_decref(projection);
    return 0;
}
