/* Tables of Nsight Compute: both layouts, joined sections, units, and warnings about missing data. */
#include "tests/unit/ingest/inputs.h"

#define LONG_HEADER                                                                                                \
    "\"ID\",\"Process ID\",\"Process Name\",\"Host Name\",\"Kernel Name\",\"Context\",\"Stream\","                 \
    "\"Block Size\",\"Grid Size\",\"Device\",\"CC\",\"Section Name\",\"Metric Name\",\"Metric Unit\","             \
    "\"Metric Value\"\n"
#define NOTICES                                                                                                    \
    "==PROF== Connected to process 77 (/home/somebody/app)\n"                                                      \
    "==PROF== Profiling \"gemm\" - 0: 0%....50%....100% - 3 passes\n"                                              \
    "what the program prints, with, commas\n"
#define LAUNCH(id_, name_, grid_)                                                                                  \
    "\"" id_ "\",\"77\",\"app\",\"host\",\"" name_ "\",\"1\",\"7\",\"(256, 1, 1)\",\"" grid_ "\",\"0\",\"8.0\","
#define METRIC(name_, unit_, value_)                                                                               \
    "\"Command line profiler metrics\",\"" name_ "\",\"" unit_ "\",\"" value_ "\"\n"
#define GEMM(id_) LAUNCH(id_, "void gemm<4>(float *)", "(16, 2, 1)")

static void the_long_layout_joins_the_rows_of_a_launch(void **state)
{
    /* Launch 1 comes first. The rows of launch 0 are in two sections, before and after it. */
    static const char text[] = NOTICES LONG_HEADER LAUNCH("1", "add(int *)", "(3, 1, 1)")
        METRIC("gpu__time_duration.sum", "usecond", "1,234.5") LAUNCH("1", "add(int *)", "(3, 1, 1)")
            METRIC("smsp__inst_executed.sum", "inst", "1,024") GEMM("0")
                METRIC("gpu__time_duration.sum", "nsecond", "5,120") GEMM("0")
                    METRIC("l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", "sector", "64")
                        LAUNCH("1", "add(int *)", "(3, 1, 1)")
                            METRIC("l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", "sector", "96") GEMM("0")
                                METRIC("smsp__inst_executed.sum", "inst", "2048") GEMM("0")
                                    METRIC("gpu__time_duration.sum", "nsecond", "5,120") GEMM("0")
                                        METRIC("sm__throughput.avg.pct_of_peak_sustained_elapsed", "%", "11.5");
    struct imported i;

    (void)state;
    import_text(&i, text);
    CHECK_OK(i.ret, &i.e);
    assert_string_equal(i.profile.format, "ncu-csv");
    assert_string_equal(i.report.schema, "a row a metric, 15 columns");
    assert_int_equal(i.profile.count, 2);
    assert_int_equal(i.report.dropped_count, 0);
    assert_string_equal(i.profile.kernels[0].name, "void gemm<4>(float *)");
    assert_int_equal(i.profile.kernels[0].grid[1], 2);
    assert_int_equal(i.profile.kernels[0].block[0], 256);
    assert_int_equal(i.profile.value[0], 5120);
    assert_int_equal(i.profile.value[1], 1234500);
    assert_non_null(i.profile.features);
    assert_int_equal(i.profile.features->known, 2);
    assert_int_equal(i.profile.features->instructions[0], 2048);
    assert_int_equal(i.profile.features->instructions[1], 1024);
    CHECK_NEAR(i.profile.features->metrics[FEATURE_GLOBAL_LOAD_SECTORS][1], 96, 0);
    CHECK_NEAR(i.profile.features->metrics[FEATURE_CTAS][0], 32, 0); /* from the Grid Size column */
    assert_null(i.profile.features->metrics[FEATURE_SHARED_LOADS]);
    /* Missing data is reported with its consequence. */
    assert_non_null(note_of(&i.report.warnings, "no_metrics"));
    assert_non_null(strstr(note_of(&i.report.warnings, "no_metrics")->sentence, "pka cannot run"));
    assert_non_null(strstr(note_of(&i.report.warnings, "no_metrics")->sentence, "op_shared_ld.sum"));
    assert_null(strstr(note_of(&i.report.warnings, "no_metrics")->sentence, "mem_global_op_ld"));
    assert_null(note_of(&i.report.warnings, "no_instructions"));
    imported_release(&i);
}

static void names_of_pascal_lack_the_sum(void **state)
{
    static const char text[] = LONG_HEADER GEMM("0") METRIC("gpu__time_duration", "nsecond", "5,120") GEMM("0")
        METRIC("smsp__inst_executed", "inst", "2048") GEMM("0")
            METRIC("smsp__thread_inst_executed_per_inst_executed", "", "31"); /* not a sum */
    struct imported i;

    (void)state;
    import_text(&i, text);
    CHECK_OK(i.ret, &i.e);
    assert_int_equal(i.profile.value[0], 5120);
    assert_int_equal(i.profile.features->instructions[0], 2048);
    assert_null(i.profile.features->metrics[FEATURE_THREADS_PER_INSTRUCTION]);
    imported_release(&i);
}

static void the_raw_page_has_a_row_of_units(void **state)
{
    static const char text[] =
        "==PROF== Connected to process 77\n"
        "\"ID\",\"Process ID\",\"Process Name\",\"Host Name\",\"Kernel Name\",\"Context\",\"Stream\",\"Block "
        "Size\","
        "\"Grid Size\",\"Device\",\"CC\",\"gpu__time_duration.sum\",\"launch__grid_size\","
        "\"launch__registers_per_thread\",\"launch__shared_mem_per_block_static\","
        "\"sass__inst_executed_global_loads\",\"smsp__inst_executed.sum\","
        "\"smsp__thread_inst_executed_per_inst_executed.ratio\"\n"
        "\"\",\"\",\"\",\"\",\"\",\"\",\"\",\"\",\"\",\"\",\"\",\"msecond\",\"\",\"register/thread\",\"Kbyte/"
        "block\","
        "\"inst\",\"Minst\",\"\"\n"
        "\"0\",\"77\",\"app\",\"h\",\"k\",\"1\",\"7\",\"(32, 1, 1)\",\"(5, 1, 1)\",\"0\",\"8.0\",\"0.25\",\"5\","
        "\"40\",\"1.02\",\"12\",\"1.5\",\"31.25\"\n"
        "\"1\",\"77\",\"app\",\"h\",\"k\",\"1\",\"7\",\"(32, 1, 1)\",\"(5, 1, 1)\",\"0\",\"8.0\",\"0.5\",\"5\","
        "\"40\",\"1.02\",\"n/a\",\"2\",\"32\"\n";
    struct imported i;

    (void)state;
    import_text(&i, text);
    CHECK_OK(i.ret, &i.e);
    assert_int_equal(i.profile.value[0], 250000);
    assert_int_equal(i.profile.value[1], 500000);
    assert_int_equal(i.profile.kernels[0].registers, 40);
    assert_int_equal(i.profile.kernels[0].shared_bytes, 1020);
    assert_int_equal(i.profile.features->instructions[0], 1500000);
    CHECK_NEAR(i.profile.features->metrics[FEATURE_THREADS_PER_INSTRUCTION][0], 31.25, 0);
    assert_null(i.profile.features->metrics[FEATURE_GLOBAL_LOADS]); /* one launch does not have it */
    assert_int_equal(count_of(&i.report.warnings, "scaled_units"), 2);
    imported_release(&i);
}

static void without_a_duration_cycles_over_the_clock_are_taken(void **state)
{
    static const char text[] = LONG_HEADER GEMM("0") METRIC("gpc__cycles_elapsed.max", "cycle", "3,000") GEMM("0")
        METRIC("SM Frequency", "cycle/nsecond", "1.5") GEMM("1") METRIC("gpc__cycles_elapsed.max", "cycle", "3,001")
            GEMM("1") METRIC("smsp__cycles_elapsed.avg.per_second", "cycle/usecond", "1,000") GEMM("2")
                METRIC("gpc__cycles_elapsed.max", "cycle", "3,001");
    struct imported i;

    (void)state;
    import_text(&i, text);
    CHECK_OK(i.ret, &i.e);
    assert_int_equal(i.profile.count, 2);
    assert_int_equal(i.profile.value[0], 2000);
    assert_int_equal(i.profile.value[1], 3001);
    assert_true(i.report.clock_measured);
    CHECK_NEAR(i.report.clock_low_hz, 1e9, 0);
    CHECK_NEAR(i.report.clock_high_hz, 1.5e9, 0);
    assert_int_equal(count_of(&i.report.warnings, "computed_duration"), 2);
    assert_int_equal(count_of(&i.report.dropped, "no_duration"), 1);
    assert_int_equal(i.profile.features->known, 2);
    assert_non_null(note_of(&i.report.warnings, "no_instructions"));
    imported_release(&i);
}

static void no_duration_at_all_is_refused_unless_features_are_wanted(void **state)
{
    static const char text[] = LONG_HEADER GEMM("0") METRIC("smsp__inst_executed.sum", "inst", "7");
    const struct ingest_options options = {.without_values = true};
    const char *path = scratch_path("ncu");
    struct imported i;

    (void)state;
    import_text(&i, text);
    CHECK_FAILS(i.ret, &i.e, ERR_INVALID, "gpu__time_duration.sum was not collected");
    assert_non_null(strstr(i.e.hint, "--metrics gpu__time_duration.sum"));
    imported_release(&i);
    write_bytes(path, text, strlen(text));
    import_path(&i, path, &options);
    unlink(path);
    CHECK_OK(i.ret, &i.e);
    assert_int_equal(i.profile.value[0], 0);
    assert_int_equal(i.profile.features->instructions[0], 7);
    imported_release(&i);
}

static void what_cannot_be_read_is_dropped_or_refused(void **state)
{
    static const char *const bad[] = {"1,23", "12.5.1", "-3", "1e400", "9999999999999999999", "three"};
    struct imported i;

    (void)state;
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        char text[2048];

        snprintf(text, sizeof text,
                 "%s" GEMM("0") METRIC("gpu__time_duration.sum", "ns", "%s") GEMM("1")
                     METRIC("gpu__time_duration.sum", "ns", "5"),
                 LONG_HEADER, bad[k]);
        import_text(&i, text);
        CHECK_OK(i.ret, &i.e);
        assert_int_equal(i.profile.count, 1);
        assert_int_equal(count_of(&i.report.dropped, "bad_number"), 1);
        imported_release(&i);
    }
    import_text(&i, LONG_HEADER GEMM("0") METRIC("gpu__time_duration.sum", "fortnight", "1"));
    CHECK_FAILS(i.ret, &i.e, ERR_INVALID, "no launch has a duration");
    imported_release(&i);
    import_text(&i,
                "\"Process ID\",\"Kernel Name\",\"Invocations\",\"Section Name\",\"Metric Name\",\"Metric Unit\","
                "\"Minimum\",\"Maximum\",\"Average\"\n");
    CHECK_FAILS(i.ret, &i.e, ERR_UNSUPPORTED, "a summary of Nsight Compute");
    imported_release(&i);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_long_layout_joins_the_rows_of_a_launch),
        cmocka_unit_test(names_of_pascal_lack_the_sum),
        cmocka_unit_test(the_raw_page_has_a_row_of_units),
        cmocka_unit_test(without_a_duration_cycles_over_the_clock_are_taken),
        cmocka_unit_test(no_duration_at_all_is_refused_unless_features_are_wanted),
        cmocka_unit_test(what_cannot_be_read_is_dropped_or_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
