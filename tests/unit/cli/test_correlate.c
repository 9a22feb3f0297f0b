/* vivace correlate: pairs, clocks, counters and causes, with files that the tests write. */
#include "cli/cli.h"
#include "tests/unit/cli/printed.h"

#define HEADER                                                                                                     \
    "\"ID\",\"Process ID\",\"Kernel Name\",\"Context\",\"Stream\",\"Block Size\",\"Grid Size\",\"Device\","        \
    "\"gpu__time_duration.sum\",\"smsp__inst_executed.sum\",\"dram__bytes_read.sum\"\n"                            \
    "\"\",\"\",\"\",\"\",\"\",\"\",\"\",\"\",\"nsecond\",\"inst\",\"Kbyte\"\n"
#define ROW(id_, name_, ns_, inst_, kbyte_)                                                                        \
    "\"" id_ "\",\"77\",\"" name_ "\",\"1\",\"7\",\"(128, 1, 1)\",\"(4, 1, 1)\",\"0\",\"" ns_ "\",\"" inst_        \
    "\",\"" kbyte_ "\"\n"

#define KERNEL(launch_, design_, name_, cycles_, inst_, sectors_)                                                  \
    "{\"launch\":" launch_ ",\"design\":\"" design_ "\",\"name\":\"" name_                                         \
    "\",\"demangled\":null,\"grid\":[4,1,1],"                                                                      \
    "\"block\":[128,1,1],\"cycles\":" cycles_ ",\"counters\":{\"warp_instructions\":" inst_                        \
    ",\"dram_read_sectors\":" sectors_ "}}"
#define DOCUMENT(kernels_)                                                                                         \
    "{\"simulator\":\"0.8.0\",\"kernels\":[" kernels_ "],\"totals\":[{\"design\":\"v100\",\"clock_hz\":1e9},"      \
    "{\"design\":\"h100\",\"clock_hz\":2e9}]}"

static char measured[200], simulated[200];

static void write_file(const char *path, const char *text)
{
    FILE *f = fopen(path, "w");

    assert_true(f && fputs(text, f) >= 0 && fclose(f) == 0);
}

static void write_files(const char *table, const char *document)
{
    snprintf(measured, sizeof measured, "/tmp/vivace-correlate-%d.csv", (int)getpid());
    snprintf(simulated, sizeof simulated, "/tmp/vivace-correlate-%d.json", (int)getpid());
    write_file(measured, table);
    write_file(simulated, document);
}

static int remove_files(void **state)
{
    (void)state;
    unlink(measured);
    unlink(simulated);
    return 0;
}

static double number_at(json_t *o, const char *key)
{
    return json_number_value(json_object_get(o, key));
}

/* v100 runs at 1 GHz here: cycles are ns. */
static void launches_pair_by_number_and_causes_are_named(void **state)
{
    json_t *doc, *pair, *counter;

    (void)state;
    write_files(HEADER ROW("0", "add", "1000", "500", "3.2") ROW("1", "gemm", "2000", "800", "6.4")
                    ROW("2", "add", "1000", "500", "3.2") ROW("3", "add", "1000", "600", "3.2"),
                DOCUMENT(KERNEL("2", "v100", "add", "1500", "500", "160") "," KERNEL(
                    "0", "v100", "add", "1100", "500",
                    "100") "," KERNEL("1", "v100", "gemm", "1000", "800",
                                      "200") "," KERNEL("3", "v100", "add", "1000", "500",
                                                        "100") "," KERNEL("0", "h100", "add", "1", "1", "1")));
    assert_int_equal(RUN(cmd_correlate, "correlate", measured, simulated, "--gpu", "v100", "--json"), 0);
    doc = printed_json();
    HAS(doc, "times", "ratios", "counters", "kernels", "pairs", "clock_hz", "paired_by");
    assert_string_equal(json_string_value(json_object_get(doc, "paired_by")), "number");
    assert_string_equal(json_string_value(json_object_get(doc, "clock_from")), "design");
    CHECK_NEAR(number_at(json_object_get(doc, "times"), "error"), (0.1 + 0.5 + 0.5 + 0) / 4, 1e-9);
    assert_int_equal(json_array_size(json_object_get(doc, "kernels")), 2);
    pair = json_array_get(json_object_get(doc, "pairs"), 2);
    CHECK_NEAR(number_at(pair, "ratio"), 1.5, 1e-9);
    assert_string_equal(json_string_value(json_object_get(pair, "cause")), "dram_read_sectors");
    CHECK_NEAR(number_at(pair, "cause_ratio"), 1.6, 1e-9); /* 3.2 Kbyte are 100 sectors */
    pair = json_array_get(json_object_get(doc, "pairs"), 1);
    assert_true(json_is_null(json_object_get(pair, "cause")));
    pair =
        json_array_get(json_object_get(doc, "pairs"), 3); /* a sixth of the instructions is missing: other code */
    assert_string_equal(json_string_value(json_object_get(pair, "cause")), "warp_instructions");
    counter = json_array_get(json_object_get(doc, "counters"), 0);
    CHECK_NEAR(number_at(counter, "measured"), 2400, 1e-9);
    CHECK_NEAR(number_at(counter, "simulated"), 2300, 1e-9);
    json_decref(doc);
    assert_int_equal(
        RUN(cmd_correlate, "correlate", measured, simulated, "--gpu", "v100", "--clock", "500", "--json"), 0);
    doc = printed_json();
    CHECK_NEAR(number_at(json_array_get(json_object_get(doc, "pairs"), 2), "ratio"), 3, 1e-9);
    json_decref(doc);
    assert_int_equal(RUN(cmd_correlate, "correlate", measured, simulated, "--gpu", "v100"), 0);
    assert_non_null(strstr(output, "1.60 × dram_read_sectors"));
    assert_non_null(strstr(output, "4, by number"));
    assert_int_equal(RUN(cmd_correlate, "correlate", measured, simulated, "--gpu", "v100", "--csv"), 0);
    assert_non_null(strstr(output, "\n2,2,add,\"4,1,1\",\"128,1,1\",1e-06,1.5e-06,1.5,500,500,100,160\r\n"));
}

/* The measured run has a launch more in front: numbers do not agree, the order of each kernel does. */
static void a_shifted_run_pairs_by_order_only_as_a_whole(void **state)
{
    static const char table[] = HEADER ROW("0", "fill", "10", "1", "1") ROW("1", "add", "1000", "500", "3.2")
        ROW("2", "gemm", "2000", "800", "6.4") ROW("3", "add", "1000", "500", "3.2");

    (void)state;
    write_files(table, DOCUMENT(KERNEL("0", "v100", "add", "1000", "500", "100") "," KERNEL(
                           "1", "v100", "gemm", "2000", "800", "200") "," KERNEL("2", "v100", "add", "1000", "500",
                                                                                 "100")));
    assert_int_equal(RUN(cmd_correlate, "correlate", measured, simulated, "--gpu", "v100"), 0);
    assert_non_null(strstr(output, "3, by the order of each kernel"));
    /* a plan left launch 1 out: the order of a kernel cannot be known */
    write_files(table, DOCUMENT(KERNEL("0", "v100", "add", "1000", "500", "100") "," KERNEL("2", "v100", "gemm",
                                                                                            "2000", "800", "200")));
    assert_int_equal(RUN(cmd_correlate, "correlate", measured, simulated, "--gpu", "v100"), 0);
    assert_non_null(strstr(output, "1, by number"));
    assert_non_null(strstr(output, "another kernel has this number in MEASURED"));
}

static void bad_input_is_one_sentence(void **state)
{
    static const char table[] = HEADER ROW("0", "add", "1000", "500", "3.2");

    (void)state;
    write_files(table, DOCUMENT(KERNEL("0", "v100", "add", "1000", "500", "100")));
    assert_int_equal(RUN(cmd_correlate, "correlate", measured, simulated), 64);
    assert_non_null(strstr(errors, "v100, h100: name one with --gpu"));
    assert_int_equal(RUN(cmd_correlate, "correlate", measured, simulated, "--gpu", "a100"), 64);
    assert_int_equal(RUN(cmd_correlate, "correlate", measured, simulated, "--gpu", "v100", "--clock", "-3"), 64);
    assert_int_equal(RUN(cmd_correlate, "correlate", measured, simulated, "--gpu", "v100", "--clock", "0"), 64);
    assert_int_equal(RUN(cmd_correlate, "correlate", measured, measured), 65);
    write_files(table, "{\"a\": 1}");
    assert_int_equal(RUN(cmd_correlate, "correlate", measured, simulated), 65);
    assert_non_null(strstr(errors, "not an output of `vivace simulate --json`"));
    write_files(table, DOCUMENT(KERNEL("0", "v100", "other", "1000", "500", "100")));
    assert_int_equal(RUN(cmd_correlate, "correlate", measured, simulated, "--gpu", "v100"), 65);
    assert_non_null(strstr(errors, "no simulated launch was measured"));
    write_files(table, DOCUMENT(KERNEL("0", "v100", "add", "null", "500", "100")));
    assert_int_equal(RUN(cmd_correlate, "correlate", measured, simulated, "--gpu", "v100"), 65);
    assert_non_null(strstr(errors, "no launch has a result on v100"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(launches_pair_by_number_and_causes_are_named, remove_files),
        cmocka_unit_test_teardown(a_shifted_run_pairs_by_order_only_as_a_whole, remove_files),
        cmocka_unit_test_teardown(bad_input_is_one_sentence, remove_files),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
