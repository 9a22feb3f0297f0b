/* The text report of a run: each part of a projection has its own line. If a part is unknown, the line gives the
 * reason. */
#include "cli/client/farm.h"
#include "tests/unit/cli/printed.h"

#define HEAD                                                                                                       \
    "{\"id\":\"r\",\"workload_name\":\"w\",\"state\":\"done\",\"jobs\":4,\"counts\":{\"done\":4,\"failed\":0},"    \
    "\"speedup\":8.5,\"promised_error\":0.015,\"designs\":["

static void show(const char *run, const char *projection)
{
    json_t *r = json_loads(run, 0, NULL), *p = projection ? json_loads(projection, 0, NULL) : NULL;
    struct caught out;

    assert_non_null(r);
    assert_true(!projection || p);
    fflush(stdout);
    out = catch_begin(STDOUT_FILENO);
    farm_print_run(r, p);
    fflush(stdout);
    catch_end(&out, output, sizeof output);
    json_decref(r);
    json_decref(p);
}

/* The text after the name of a part, which must occur on one line only. */
static const char *line_of(const char *part)
{
    static char text[400];
    const char *at = strstr(output, part);

    if (!at || strstr(at + 1, part))
        fail_msg("`%s` is not on one line in:\n%s", part, output);
    snprintf(text, sizeof text, "%.*s", (int)strcspn(at, "\n"), at);
    return text;
}

static void every_part_is_a_line(void **state)
{
    (void)state;
    show(HEAD "{\"design\":\"h100\",\"projection\":{\"value\":2000,\"half_width\":40,\"value_s\":2.0,"
              "\"half_width_s\":0.04,\"value_cycles\":2000,\"half_width_cycles\":40,\"df\":12.5,\"level\":0."
              "95,\"level_note\":null,"
              "\"warning\":null},\"model_error\":{\"relative\":-0.1,\"simulated_s\":2.0,\"measured_s\":2.2222},"
              "\"makespan_s\":1.5,\"makespan_half_width_s\":0.1}]}",
         "{\"designs\":[{\"design\":\"h100\",\"parts\":{\"model_error_why_not\":null,\"makespan_why_not\":null,"
         "\"measured_makespan_s\":1.75}}]}");
    assert_non_null(strstr(line_of("sum of durations"), "2.000 ± 0.040 s"));
    assert_non_null(
        strstr(line_of("sampling error"), "± 2.0 % at 95 % confidence, 12.5 degrees of freedom; planned ± 1.5 %"));
    assert_non_null(strstr(line_of("model error"), "-10.0 % on the profiled GPU"));
    assert_non_null(strstr(line_of("makespan"), "1.50 ± 0.10 s"));
    assert_non_null(strstr(line_of("makespan"), "measured 1.75 s"));
    assert_null(strstr(output, "not known"));
}

static void an_interval_wider_than_its_total_is_in_words(void **state)
{
    (void)state;
    show(HEAD "{\"design\":\"h100\",\"projection\":{\"value\":2000,\"half_width\":32120,\"value_s\":2.0,"
              "\"half_width_s\":32.12,\"df\":1.2,\"level\":0.95,\"level_note\":null,\"warning\":null}}]}",
         NULL);
    assert_non_null(strstr(line_of("sampling error"), "no useful value yet: the interval is wider than the "
                                                      "total itself; more simulated launches narrow it"));
    assert_null(strstr(output, "%"));
}

static void a_level_is_what_it_is(void **state)
{
    (void)state;
    show(HEAD
         "{\"design\":\"v100\"},{\"design\":\"h100\",\"projection\":{\"value\":2,\"half_width\":1,\"level\":"
         "0.99999346,\"level_note\":\"at most 5 interim analyses share 95 %, so this interval is "
         "wider\"},\"baseline\":{"
         "\"design\":\"v100\",\"difference_s\":-1,\"half_width_s\":0.5,\"ratio\":0.9,\"ratio_half_width\":0.27,"
         "\"level\":0.99999346,\"level_note\":\"at most 5 interim analyses share 95 %, so this interval is wider\","
         "\"distinguishable\":false}}]}",
         NULL);
    assert_non_null(strstr(output, "sampling error     ± 50 % at 99.99935 % confidence"));
    assert_non_null(
        strstr(line_of("h100 against v100"), "ratio 0.90 ± 0.27 × at 99.99935 %; the samples show no difference"));
    assert_non_null(
        strstr(output, "\n  level: at most 5 interim analyses share 95 %, so this interval is wider\n"));
}

static void an_older_answer_is_labelled(void **state)
{
    (void)state;
    show(HEAD "{\"design\":\"v100\"}],\"answer\":{\"at\":\"2026-11-24T04:00:00Z\",\"launches\":24,\"under_way\":{"
              "\"jobs\":45,\"open\":40,\"blocked\":38,\"missing_traces\":13,\"cancelled\":false}}}",
         NULL);
    assert_non_null(strstr(line_of("shown:"), "of 2026-11-24T04:00:00Z, from 24 launches on each design"));
    assert_string_equal(
        line_of("under way:"),
        "under way: 45 jobs for the next answer, 40 to go, 38 of them blocked on 13 missing traces");
    show(HEAD "{\"design\":\"v100\"}],\"answer\":{\"at\":\"x\",\"launches\":24,\"under_way\":null}}", NULL);
    assert_null(strstr(output, "shown:"));
}

#define CACHES(members)  HEAD "{\"design\":\"h100\",\"cache_state\":{\"launches\":5,\"share\":0.75," members "}}]}"
#define NO_CACHES(check) HEAD "{\"design\":\"h100\",\"cache_state\":null}],\"cache_check\":{" check "}}"

static void cache_state_is_a_part(void **state)
{
    static const struct {
        const char *run, *line, *said, *unsaid; /* expected in its line, anywhere, nowhere; NULL: not checked */
    } cases[] = {
        {CACHES("\"relative\":-0.054,\"launches_before\":16,\"wanted_before\":70,\"missing_before\":3,"
                "\"whole\":false,\"settled\":false"),
         "at least -5.4 % if launches find in L2 what the 16 before them leave: 5",
         "3 of 70 launches before them are not in the traces", NULL},
        {CACHES("\"relative\":-0.054,\"launches_before\":16,\"missing_before\":0,\"whole\":true,\"settled\":true"),
         " -5.4 % if launches find in L2 what all before them leave: 5", NULL, "at least"},
        {CACHES(
             "\"relative\":-0.184,\"launches_before\":256,\"missing_before\":0,\"whole\":false,\"settled\":true"),
         " -18.4 % if launches find in L2 what the 256 before them leave", NULL, "at least"},
        /* a farm of a version that did not report the minimum and the maximum */
        {CACHES(
             "\"relative\":-0.184,\"launches_before\":512,\"missing_before\":0,\"whole\":false,\"settled\":false"),
         "at least -18.4 %", NULL, "a single launch"},
        {CACHES("\"relative\":-0.184,\"launches_before\":512,\"missing_before\":0,\"whole\":false,\"settled\":true,"
                "\"least\":-0.31,\"most\":0.02"),
         "-18.4 %", "a single launch: -31.0 to +2.0 %; so few launches show only the size", "at least"},
        {NO_CACHES("\"state\":\"measuring\",\"done\":2,\"simulations\":6,\"why\":null"),
         "2 of 6 simulations after a replay done", NULL, NULL},
        {NO_CACHES("\"state\":\"failed\",\"why\":\"it rained\""), "not measured: it rained", NULL, NULL},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        show(cases[i].run, NULL);
        assert_non_null(strstr(line_of("cache state"), cases[i].line));
        assert_true(!cases[i].said || strstr(output, cases[i].said));
        assert_true(!cases[i].unsaid || !strstr(output, cases[i].unsaid));
    }
}

static void an_unknown_part_says_why(void **state)
{
    static const char run[] =
        HEAD "{\"design\":\"v100\",\"projection\":{\"value\":2000,\"half_width\":null,\"value_s\":2.0,"
             "\"half_width_s\":null,\"value_cycles\":2000,\"half_width_cycles\":null,\"df\":null,\"level\":0.95,"
             "\"warning\":\"a stratum has fewer than two results\"},\"model_error\":null,\"makespan_s\":null}]}";

    (void)state;
    show(run, "{\"designs\":[{\"design\":\"h100\",\"parts\":{\"model_error_why_not\":\"of another\"}},"
              "{\"design\":\"v100\",\"parts\":{\"model_error_why_not\":\"the profile was measured on X\","
              "\"makespan_why_not\":\"the profile has no start times\"}}]}");
    assert_non_null(strstr(line_of("sum of durations"), "(interval not known)"));
    assert_non_null(strstr(line_of("sampling error"), "not known: a stratum has fewer than two results"));
    assert_non_null(strstr(line_of("model error"), "not known: the profile was measured on X"));
    assert_non_null(strstr(line_of("makespan"), "not known: the profile has no start times"));
    show(HEAD "{\"design\":\"h100\",\"projection\":{\"value\":2000,\"half_width\":40,\"value_s\":2.0,"
              "\"half_width_s\":0.04,\"df\":12.5,\"level\":0.95,\"warning\":null},\"model_error\":null,"
              "\"communication\":{\"launches\":66,\"profiled_s\":0.5,\"value_s\":0.4,\"half_width_s\":0.1,\"other_"
              "s\":1.6,"
              "\"other_half_width_s\":0.2},\"makespan_s\":1.5,\"makespan_half_width_s\":null}]}",
         "{\"designs\":[{\"design\":\"h100\",\"parts\":{\"makespan_interval_why_not\":\"too few\"}}]}");
    assert_non_null(strstr(line_of("makespan"), "1.50"));
    assert_non_null(strstr(output, "no interval: too few\n"));
    assert_non_null(strstr(line_of("communication"), "± 100 ms of it in 66 launches"));
    assert_non_null(strstr(line_of("communication"), "all others 1.60 ± 0.20 s"));
    show(run, NULL); /* the reasons cannot be fetched: the lines are still there */
    assert_non_null(strstr(line_of("model error"), "not known: "));
    assert_non_null(strstr(line_of("makespan"), "not known: "));
}

#define WIDE(members)                                                                                              \
    "{\"id\":\"r\",\"workload_name\":\"w\",\"state\":\"done\",\"jobs\":4,\"speedup\":8.5," members                 \
    ",\"designs\":[{\"design\":\"h100\",\"projection\":{\"value\":2000,\"half_width\":200,\"value_s\":2.0,"        \
    "\"half_width_s\":0.2,\"df\":3.5,\"confidence\":0.95,\"looks\":null,\"warning\":null}}]}"
#define PLANNED "\"promised_error\":0.015"
#define ALL     "\"counts\":{\"done\":4,\"failed\":0}"

/* The spread of the results is named as the cause only if there is no other cause. */
static void an_interval_wider_than_planned_says_why(void **state)
{
    static const struct {
        const char *run;
        bool said;
    } cases[] = {
        {WIDE(PLANNED "," ALL ",\"rule\":null,\"not_simulated\":{\"replaced\":1,\"dropped\":0}"), true},
        {WIDE(PLANNED "," ALL ",\"rule\":{\"until\":0.2},\"not_simulated\":{\"replaced\":0,\"dropped\":0}"), false},
        {WIDE(PLANNED "," ALL ",\"rule\":null,\"not_simulated\":{\"replaced\":0,\"dropped\":1}"), false},
        {WIDE(PLANNED ",\"counts\":{\"done\":3,\"failed\":1},\"rule\":null"), false},
        {WIDE("\"promised_error\":null," ALL ",\"rule\":null"), false},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        show(cases[i].run, "{\"designs\":[{\"design\":\"h100\",\"strata\":[{\"done\":2,\"variance_share\":0.1},"
                           "{\"done\":2,\"variance_share\":0.9}]}]}");
        assert_int_equal(cases[i].said, strstr(output, "wider than planned") != NULL);
        assert_int_equal(cases[i].said, strstr(output, "vivace run extend r --until 1.5%") != NULL);
        assert_int_equal(cases[i].said, strstr(output, "stratum 1 (2 launches simulated) has 90 %") != NULL);
    }
}

static void without_results_nothing_is_known(void **state)
{
    (void)state;
    show(HEAD "{\"design\":\"v100\",\"projection\":{\"value\":null,\"half_width\":null,\"value_s\":null,"
              "\"half_width_s\":null,\"value_cycles\":null,\"df\":null,\"level\":0.95,\"warning\":null},"
              "\"model_error\":null,\"makespan_s\":null}]}",
         NULL);
    assert_non_null(strstr(line_of("sum of durations"), "not known: there are not enough results yet"));
    assert_non_null(strstr(line_of("sampling error"), "not known: there are not enough results yet"));
}

static void other_estimators_stand_beside(void **state)
{
    (void)state;
    show(HEAD "{\"design\":\"v100\",\"projection\":{\"value\":2000,\"half_width\":40,\"value_s\":2.0,"
              "\"half_width_s\":0.04,\"df\":12.5,\"confidence\":0.95,\"looks\":null,\"warning\":null}}]}",
         "{\"designs\":[{\"design\":\"v100\",\"variance_method\":\"model-based: so\",\"cross_checks\":["
         "{\"name\":\"ratio\",\"value\":2100,\"half_width\":10,\"value_s\":2.1,\"half_width_s\":0.01},"
         "{\"name\":\"difference\",\"value\":2200,\"half_width\":20,\"value_s\":2.2,\"half_width_s\":0.02}]}]}");
    assert_non_null(strstr(line_of("cross-check"),
                           "2.100 ± 0.010 s by ratio; disagrees: neither interval contains the other's"));
    line_of("2.200 ± 0.020 s by difference; disagrees: neither");
    line_of("model-based: so");
    line_of("No interval covers:");
    line_of("  the simulator's own error");
}

/* One wide and one narrow interval: only one of them excludes the other total. */
static void a_cross_check_says_whether_it_disagrees(void **state)
{
    (void)state;
    show(HEAD "{\"design\":\"v100\",\"projection\":{\"value\":2000,\"half_width\":200,\"value_s\":2.0,"
              "\"half_width_s\":0.2,\"df\":1.5,\"confidence\":0.95,\"looks\":null,\"warning\":null}}]}",
         "{\"designs\":[{\"design\":\"v100\",\"cross_checks\":["
         "{\"name\":\"ratio\",\"value\":2100,\"half_width\":10,\"value_s\":2.1,\"half_width_s\":0.01},"
         "{\"name\":\"regression\",\"value\":9,\"half_width\":null,\"value_s\":9.0,\"half_width_s\":null},"
         "{\"name\":\"difference\",\"value\":2010,\"half_width\":20,\"value_s\":2.01,\"half_width_s\":0.02}]}]}");
    assert_non_null(
        strstr(line_of("cross-check"), "by ratio; disagrees in part: its interval does not contain the sum above"));
    assert_string_equal(line_of("by difference"), "by difference");
    assert_string_equal(line_of("by regression"), "by regression");
}

static void a_total_between_two_cache_states(void **state)
{
    (void)state;
    show(HEAD "{\"design\":\"v100\",\"projection\":{\"value\":2000,\"half_width\":40,\"value_s\":2.0,"
              "\"half_width_s\":0.04,\"df\":12.5,\"confidence\":0.95,\"looks\":null,\"warning\":null,"
              "\"empty_caches\":5,\"warm_bound\":{\"value\":1500,\"half_width\":30,\"value_s\":1.5,"
              "\"half_width_s\":0.03,\"low\":1470,\"high\":2040,\"low_s\":1.47,\"high_s\":2.04}}}]}",
         NULL);
    assert_non_null(strstr(line_of("warm bound"),
                           "1.500 ± 0.030 s if launches that began with empty caches were fully "
                           "warm: between 1.47 s and 2.04 s"));
    show(HEAD "{\"design\":\"v100\",\"projection\":{\"value\":2000,\"half_width\":40,\"unit\":\"cycles\","
              "\"warning\":null,"
              "\"empty_caches\":5,\"warm_bound\":{\"value\":1500,\"half_width\":30,\"value_s\":null,"
              "\"half_width_s\":null,\"low\":1470,\"high\":2040,\"low_s\":null,\"high_s\":null}}}]}",
         NULL);
    assert_non_null(strstr(line_of("warm bound"), "between 1470 and 2040 cycles"));
    show(HEAD "{\"design\":\"v100\",\"projection\":{\"value\":2000,\"half_width\":40,\"value_s\":2.0,"
              "\"half_width_s\":0.04,\"warning\":null,\"empty_caches\":5,\"warm_bound\":null}}]}",
         NULL);
    assert_null(strstr(output, "warm bound  "));
}

static void a_comparison_says_that_caches_were_empty(void **state)
{
    static const char two[] =
        "{\"engine\":\"cycle\",\"designs\":[{\"design\":\"a\",\"projection\":{\"done\":5,\"empty_caches\":%d}},"
        "{\"design\":\"b\",\"projection\":{\"done\":5,\"empty_caches\":%d},\"baseline\":{\"design\":\"a\","
        "\"difference_s\":0.0,\"half_width_s\":1e-6,\"ratio\":1.0,\"ratio_half_width\":0.01,"
        "\"distinguishable\":false,\"cache_reversible\":%s}}]}";
    char run[500];

    (void)state;
    snprintf(run, sizeof run, two, 5, 5, "true");
    show(run, NULL);
    line_of("Every simulated launch began with empty caches");
    line_of("L2 contents kept between launches could reverse it");
    snprintf(run, sizeof run, two, 1, 0, "false");
    show(run, NULL);
    line_of("1 of 10 simulated launches began with empty caches");
    line_of("the samples show no difference");
    snprintf(run, sizeof run, two, 0, 0, "false");
    show(run, NULL);
    assert_null(strstr(output, "empty caches"));
    line_of("the samples show no difference");
}

/* Captures in `output` what a printer prints for this JSON. */
static void printed(void (*print)(const json_t *), const char *text)
{
    json_t *v = json_loads(text, 0, NULL);
    struct caught out;

    assert_non_null(v);
    fflush(stdout);
    out = catch_begin(STDOUT_FILENO);
    print(v);
    fflush(stdout);
    catch_end(&out, output, sizeof output);
    json_decref(v);
}

static void an_estimate_as_asked(void **state)
{
    (void)state;
    printed(farm_print_estimate,
            "{\"designs\":[{\"design\":\"v100\",\"estimator\":\"ratio\",\"unit\":\"cycles\",\"value\":2000,"
            "\"half_width\":40,\"value_s\":2.0,\"half_width_s\":0.04,\"df\":3,\"level\":0.95,\"warning\":null,"
            "\"variance_method\":\"stratified\",\"cross_checks\":[{\"name\":\"expansion\",\"value\":1,"
            "\"half_width\":null,\"value_s\":null,\"half_width_s\":null}],\"bootstrap\":{\"why_not\":null,"
            "\"low\":1950,\"high\":2090,\"low_s\":1.95,\"high_s\":2.09,\"sentence\":\"it agrees\"}}]}");
    line_of("ratio: combined ratio");
    assert_non_null(strstr(line_of("sampling error"), "± 2.0 % at 95 % confidence, 3 degrees"));
    assert_non_null(strstr(line_of("bootstrap"), "1.95 s to 2.09 s; it agrees"));
    line_of("cross-check");
    assert_null(strstr(output, "makespan"));
    printed(farm_print_estimate,
            "{\"designs\":[{\"design\":\"v100\",\"estimator\":\"expansion\",\"unit\":\"cycles\",\"value\":2000,"
            "\"half_width\":null,\"warning\":\"chosen by a rule\",\"bootstrap\":{\"why_not\":\"no draws\"}}]}");
    assert_non_null(strstr(line_of("sampling error"), "not known: chosen by a rule"));
    assert_non_null(strstr(line_of("bootstrap"), "none: no draws"));
    assert_null(strstr(output, "estimator"));
}

static void list(const char *items, bool csv)
{
    static const struct farm_column columns[] = {
        {{"design", "design", false, false}, "design", FARM_TEXT},
        {{"difference", NULL, true, false}, "difference_s,half_width_s", FARM_ESTIMATE_SECONDS},
        {{NULL, "difference_s", true, false}, "difference_s", FARM_SECONDS},
        {{"ratio", NULL, true, false}, "ratio,ratio_half_width", FARM_RATIO},
        {{NULL, "ratio_half_width", true, false}, "ratio_half_width", FARM_NUMBER},
    };
    const struct cli_output o = {.csv = csv};
    struct caught out;
    struct err e;

    fflush(stdout);
    out = catch_begin(STDOUT_FILENO);
    assert_int_equal(farm_print_list(json_loads(items, 0, NULL), columns, 5, &o, "none", &e), 0);
    fflush(stdout);
    catch_end(&out, output, sizeof output);
}

static void a_value_in_a_list_ends_where_its_half_width_does(void **state)
{
    static const char items[] =
        "[{\"design\":\"qv100\",\"difference_s\":0.00076812,\"half_width_s\":0.000103,\"ratio\":1.3201234,"
        "\"ratio_half_width\":0.000112},{\"design\":\"gv100\",\"difference_s\":0.5,\"half_width_s\":null,"
        "\"ratio\":1.5,\"ratio_half_width\":null}]";

    (void)state;
    list(items, false);
    assert_non_null(strstr(line_of("qv100"), "770 ± 100 µs"));
    assert_non_null(strstr(line_of("qv100"), "1.32012 ± 0.00011 ×"));
    assert_null(strstr(line_of("gv100"), "±"));
    assert_non_null(strstr(line_of("gv100"), "1.50"));
    list(items, true);
    assert_non_null(strstr(output, "design,difference_s,ratio_half_width\r\n"));
    assert_non_null(strstr(line_of("qv100"), "qv100,0.00076812,0.000112"));
    assert_non_null(strstr(line_of("gv100"), "gv100,0.5,"));
}

static void a_farm_at_a_glance(void **state)
{
    (void)state;
    printed(
        farm_print_glance,
        "{\"workers_alive\":3,\"workers_busy\":2,\"slots\":48,\"queue\":{\"blocked\":88,\"ready\":7,\"leased\":5,"
        "\"total\":100},\"jobs_done_last_hour\":1234,\"simulator\":\"vivace-sim 9.9\",\"launcher\":{\"kind\":"
        "\"slurm\",\"wanted\":4,\"running\":3,\"waiting\":1,\"problem\":\"sbatch is not there\"}}");
    assert_string_equal(output, "workers    3 alive, 2 at work, 48 slots\n"
                                "queue      5 jobs under way, 7 wait for a worker, 88 for traces\n"
                                "last hour  1234 jobs done\n"
                                "simulator  vivace-sim 9.9\n"
                                "launcher   slurm: 4 workers wanted, 3 running, 1 waiting\n"
                                "           sbatch is not there\n");
    printed(farm_print_glance, "{\"workers_alive\":0,\"queue\":{},\"simulator\":null,\"launcher\":null}");
    assert_null(strstr(output, "launcher"));
    assert_null(strstr(output, "simulator"));
    assert_non_null(strstr(line_of("workers"), "0 alive"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_part_is_a_line),
        cmocka_unit_test(an_interval_wider_than_its_total_is_in_words),
        cmocka_unit_test(a_level_is_what_it_is),
        cmocka_unit_test(an_older_answer_is_labelled),
        cmocka_unit_test(an_unknown_part_says_why),
        cmocka_unit_test(cache_state_is_a_part),
        cmocka_unit_test(an_interval_wider_than_planned_says_why),
        cmocka_unit_test(without_results_nothing_is_known),
        cmocka_unit_test(other_estimators_stand_beside),
        cmocka_unit_test(a_cross_check_says_whether_it_disagrees),
        cmocka_unit_test(a_total_between_two_cache_states),
        cmocka_unit_test(a_comparison_says_that_caches_were_empty),
        cmocka_unit_test(an_estimate_as_asked),
        cmocka_unit_test(a_value_in_a_list_ends_where_its_half_width_does),
        cmocka_unit_test(a_farm_at_a_glance),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
