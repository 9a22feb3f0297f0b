/* vivace ptx: the examples give the same results as plain C. Errors are reported with their exit code. */
#include "cli/cli.h"
#include "simcore/trace/vtrace.h"
#include "tests/unit/cli/printed.h"

static char folder[64], list[96], module[96];

static void put(char *to, const char *name, const char *text)
{
    FILE *f;

    snprintf(to, sizeof list, "%s/%s", folder, name);
    f = fopen(to, "w");
    assert_non_null(f);
    fputs(text, f);
    fclose(f);
}

static int make_folder(void **state)
{
    (void)state;
    strcpy(folder, "/tmp/vivace-ptx-XXXXXX");
    if (!mkdtemp(folder))
        return -1;
    put(module, "m.ptx",
        ".version 7.0\n.target sm_75\n.address_size 64\n"
        ".visible .entry store(.param .u64 p) {\n.reg .b64 %rd<3>;\nld.param.u64 %rd1, [p];\n"
        "st.global.u32 [%rd1+8], 7;\nret;\n}\n"
        ".visible .entry odd() {\nfrobnicate.u32 1;\nret;\n}\n");
    return 0;
}

static int remove_folder(void **state)
{
    (void)state;
    unlink(list);
    unlink(module);
    return rmdir(folder);
}

/* tiny-gpt: tests/api/examples.test.mjs */
static void the_examples_run_and_are_right(void **state)
{
    static const char *const examples[] = {"examples/vector-add/launches.json", "examples/reduction/launches.json",
                                           "examples/bfs/launches.json", "examples/cnn/launches.json"};
    (void)state;

    for (size_t i = 0; i < sizeof examples / sizeof examples[0]; i++) {
        const char *words[] = {"ptx", "run", examples[i], "--check", "--json", NULL};
        const char *other[] = {"ptx", "run", examples[i], "--taken-first", "--strict", NULL};
        json_t *root;

        assert_int_equal(run_words(cli_command, words), 0);
        root = json_loads(output, 0, NULL);
        assert_non_null(root);
        assert_true(json_integer_value(json_object_get(root, "warp_instructions")) > 500);
        assert_true(json_array_size(json_object_get(root, "expect")) > 0);
        json_decref(root);
        assert_int_equal(run_words(cli_command, other), 0);
    }
}

static json_t *json_of(int (*command)(int, char **), const char *const *words)
{
    assert_int_equal(run_words(command, words), 0);
    return printed_json();
}

static json_int_t number_of(const json_t *o, const char *key)
{
    assert_true(json_is_integer(json_object_get(o, key)));
    return json_integer_value(json_object_get(o, key));
}

static void a_trace_takes_as_long_as_the_run_itself(void **state)
{
    char file[96];
    const char *gpu[] = {
        "ptx", "run", "examples/reduction/launches.json", "--check", "--gpu", "v100", "--json", "--launches",
        "2-3", NULL};
    const char *trace[] = {"ptx",    "run", "examples/reduction/launches.json", "--trace", file, "--arch", "70",
                           "--json", NULL};
    const char *simulate[] = {"simulate", file, "--gpu", "v100", "--json", NULL};
    json_t *run, *traced, *simulated;
    (void)state;

    snprintf(file, sizeof file, "%s/t.vtrace", folder);
    run = json_of(cli_command, gpu);
    traced = json_of(cli_command, trace);
    simulated = json_of(cmd_simulate, simulate);
    assert_true(json_is_null(json_object_get(json_array_get(json_object_get(run, "launches"), 0), "timing")));
    for (size_t k = 1; k < 3; k++) {
        const json_t *a = json_object_get(json_array_get(json_object_get(run, "launches"), k), "timing");
        const json_t *b = json_array_get(json_object_get(simulated, "kernels"), k);
        const json_t *c = json_object_get(json_array_get(json_object_get(traced, "launches"), k), "timing");

        assert_true(number_of(a, "cycles") > 1000);
        assert_int_equal(number_of(a, "cycles"), number_of(b, "cycles"));
        assert_int_equal(number_of(a, "machine_instructions"), number_of(b, "warp_instructions"));
        assert_int_equal(number_of(a, "machine_instructions"), number_of(c, "machine_instructions"));
        assert_int_equal(number_of(a, "registers"), number_of(c, "registers"));
    }
    json_decref(run);
    json_decref(traced);
    json_decref(simulated);
    unlink(file);
}

static double cycles_of(json_t *launches)
{
    const json_t *launch;
    double sum = 0;
    size_t i;

    json_array_foreach(launches, i, launch) sum += (double)number_of(launch, "cycles");
    return sum;
}

/* A fill of 128 KB by the host leaves its lines in L2. Both the image of each launch and the simulation in order
 * have them; without the fill in the trace, the second was 8 % longer. */
static void a_trace_has_the_fills_of_its_list(void **state)
{
    char file[96];
    const char *trace[] = {"ptx", "run", "examples/bfs/launches.json", "--trace", file, "--json", NULL};
    const char *alone[] = {"simulate", file, "--gpu", "v100", "--json", NULL};
    const char *in_order[] = {"simulate", file, "--gpu", "v100", "--streams", "serial", "--json", NULL};
    const struct trace_copies *copies;
    json_t *warm, *kept;
    struct vtrace *v;
    struct err e;
    (void)state;

    snprintf(file, sizeof file, "%s/fill.vtrace", folder);
    json_decref(json_of(cli_command, trace));
    CHECK_OK(vtrace_open(file, &v, &e), &e);
    copies = vtrace_copies(v);
    assert_int_equal(copies->count, 1);
    assert_int_equal(copies->items[0].kind, TRACE_MEMSET);
    assert_int_equal(copies->items[0].before, 4);
    assert_int_equal(copies->items[0].bytes, 4 * 32768);
    vtrace_close(v);
    warm = json_of(cmd_simulate, alone);
    kept = json_of(cmd_simulate, in_order);
    CHECK_NEAR(cycles_of(json_object_get(warm, "kernels")) /
                   cycles_of(json_object_get(json_array_get(json_object_get(kept, "timelines"), 0), "launches")),
               1, 0.01);
    json_decref(warm);
    json_decref(kept);
    unlink(file);
}

static void options_of_timing_are_checked(void **state)
{
    static const char list_[] = "examples/reduction/launches.json";
    const char *both[] = {"ptx", "run", list_, "--trace", "/tmp/none.vtrace", "--gpu", "v100", NULL};
    const char *range[] = {"ptx", "run", list_, "--gpu", "v100", "--launches", "5-2", NULL};
    const char *zero[] = {"ptx", "run", list_, "--gpu", "v100", "--launches", "0", NULL};
    const char *alone[] = {"ptx", "run", list_, "--kernel", "sum", NULL};
    const char *nowhere[] = {"ptx", "run", list_, "--gpu", "v100", "--ptxas", "/none", NULL};
    (void)state;

    assert_int_equal(run_words(cli_command, both), 64);
    assert_int_equal(run_words(cli_command, range), 64);
    assert_int_equal(run_words(cli_command, zero), 64);
    assert_int_equal(run_words(cli_command, alone), 64);
    assert_int_equal(run_words(cli_command, nowhere), 66);
}

#define HEAD                                                                                                       \
    "{\"format\": \"vivace-launch-list\", \"version\": 1, \"modules\": {\"m\": \"m.ptx\"},"                        \
    "\"buffers\": {\"x\": {\"type\": \"u32\", \"count\": 3}}, \"steps\": [{\"launch\": {\"kernel\": "

static int run_list(const char *rest, const char *option)
{
    const char *words[] = {"ptx", "run", list, option, NULL};
    char text[1000];

    snprintf(text, sizeof text, "%s%s", HEAD, rest);
    put(list, "l.json", text);
    return run_words(cli_command, words);
}

static void what_is_wrong_has_its_exit_code(void **state)
{
    (void)state;
#define STORE "\"store\", \"grid\": [1], \"block\": [1], \"params\": "
    assert_int_equal(run_list(STORE
                              "[{\"ptr\": \"x\"}]}}], \"expect\": [{\"buffer\": \"x\", \"values\": [0, 0, 7]}]}",
                              "--check"),
                     0);
    assert_int_equal(
        run_list(STORE "[{\"ptr\": \"x\"}]}}], \"expect\": [{\"buffer\": \"x\", \"values\": [0, 0, 8]}]}", NULL),
        65);                                                                             /* wrong value */
    assert_int_equal(run_list(STORE "[{\"ptr\": \"x\"}]}}]}", "--check"), 65);           /* expects nothing */
    assert_int_equal(run_list(STORE "[{\"ptr\": \"x+4\"}]}}]}", NULL), 70);              /* beyond the end */
    assert_int_equal(run_list(STORE "[{\"u32\": 1}]}}]}", NULL), 65);                    /* wrong parameter size */
    assert_int_equal(run_list("\"load\", \"grid\": [1], \"block\": [1]}}]}", NULL), 66); /* no such kernel */
    assert_int_equal(run_list("\"odd\", \"grid\": [1], \"block\": [1]}}]}", NULL), 65);  /* cannot run */
    assert_int_equal(run_list(STORE "[{\"ptr\": \"x\"}]}}]", NULL), 65);                 /* invalid JSON */
}

static void a_module_is_listed_with_what_cannot_run(void **state)
{
    const char *words[] = {"ptx", "list", module, "--json", NULL};
    const char *print[] = {"ptx", "print", module, NULL}, *none[] = {"ptx", "list", "/none.ptx", NULL};
    json_t *root, *kernels;
    (void)state;

    assert_int_equal(run_words(cli_command, words), 0);
    root = json_loads(output, 0, NULL);
    kernels = json_object_get(root, "kernels");
    assert_int_equal(json_array_size(kernels), 2);
    assert_true(json_is_null(json_object_get(json_array_get(kernels, 0), "fault")));
    assert_int_equal(json_integer_value(json_object_get(json_array_get(kernels, 0), "param_bytes")), 8);
    assert_non_null(strstr(json_string_value(json_object_get(json_array_get(kernels, 1), "fault")), "frobnicate"));
    json_decref(root);
    assert_int_equal(run_words(cli_command, print), 0);
    assert_non_null(strstr(output, "st.global.u32"));
    assert_int_equal(run_words(cli_command, none), 66);
}

static void what_is_executed_is_printed(void **state)
{
    const char *store[] = {"ptx", "print", "--decoded", "store", module, NULL};
    const char *odd[] = {"ptx", "print", "--decoded", "odd", module, NULL};
    const char *absent[] = {"ptx", "print", "--decoded", "absent", module, NULL};
    (void)state;

    assert_int_equal(run_words(cli_command, store), 0);
    assert_non_null(strstr(output, "line 6      0: load.u64 param"));
    assert_non_null(strstr(output, "line 7      1: store.u32 global"));
    assert_non_null(strstr(output, "+8]"));
    assert_int_not_equal(run_words(cli_command, odd), 0);
    assert_int_equal(run_words(cli_command, absent), 66);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_examples_run_and_are_right),
        cmocka_unit_test(a_trace_takes_as_long_as_the_run_itself),
        cmocka_unit_test(a_trace_has_the_fills_of_its_list),
        cmocka_unit_test(options_of_timing_are_checked),
        cmocka_unit_test(what_is_wrong_has_its_exit_code),
        cmocka_unit_test(a_module_is_listed_with_what_cannot_run),
        cmocka_unit_test(what_is_executed_is_printed),
    };
    return cmocka_run_group_tests_name("vivace ptx", tests, make_folder, remove_folder);
}
