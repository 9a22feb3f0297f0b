/* vivace simulate --streams: launches of a folder of traces in one simulation, by their streams. */
#include "cli/cli.h"
#include "tests/unit/cli/printed.h"

static char folder[64], path[3][96];

static void put(char *to, const char *name, const char *text)
{
    FILE *f;

    snprintf(to, sizeof path[0], "%s/%s", folder, name);
    f = fopen(to, "w");
    assert_non_null(f);
    fputs(text, f);
    fclose(f);
}

static void put_kernel(int number, int stream)
{
    char text[4096], name[32];
    int n = snprintf(text, sizeof text,
                     "-kernel name = k%d\n-kernel id = %d\n-grid dim = (1,1,1)\n-block dim = (32,1,1)\n-nregs = 8\n"
                     "-cuda stream id = %d\n-accelsim tracer version = 5\n#traces\n"
                     "#BEGIN_TB\nthread block = 0,0,0\nwarp = 0\ninsts = 41\n",
                     number, number, stream);

    for (int i = 0; i < 40; i++)
        n += snprintf(text + n, sizeof text - (size_t)n, "%04x ffffffff 1 R1 MOV 1 R1 0 7 \n", i * 16);
    snprintf(text + n, sizeof text - (size_t)n, "0280 ffffffff 0 EXIT 0 0 0\n#END_TB\n");
    snprintf(name, sizeof name, "kernel-%d.traceg", number);
    put(path[number], name, text);
}

static int make_folder(void **state)
{
    (void)state;
    strcpy(folder, "/tmp/vivace-streams-XXXXXX");
    if (!mkdtemp(folder))
        return -1;
    put(path[0], "kernelslist.g", "kernel-1.traceg\nkernel-2.traceg\n");
    put_kernel(1, 5);
    put_kernel(2, 6);
    return 0;
}

static int remove_folder(void **state)
{
    (void)state;
    for (int i = 0; i < 3; i++)
        unlink(path[i]);
    return rmdir(folder);
}

static json_t *timeline(const char *streams, const char *more, json_t **root)
{
    const char *words[] = {"simulate", folder, "--gpu", "v100", "--json", "--streams", streams, more, NULL};

    assert_int_equal(run_words(cmd_simulate, words), 0);
    *root = json_loads(output, 0, NULL);
    assert_non_null(*root);
    return json_array_get(json_object_get(*root, "timelines"), 0);
}

static double at(json_t *timeline, size_t launch, const char *key)
{
    return json_number_value(json_object_get(json_array_get(json_object_get(timeline, "launches"), launch), key));
}

static void streams_overlap_or_follow_one_another(void **state)
{
    json_t *root, *t;
    double makespan, sum;

    (void)state;
    t = timeline("overlap", "--graph", &root);
    assert_int_equal(json_integer_value(json_object_get(root, "stream_count")), 2);
    assert_true(at(t, 0, "begin_s") == 0 && at(t, 1, "begin_s") == 0);
    assert_true(json_number_value(json_object_get(t, "makespan_s")) < at(t, 0, "end_s") + at(t, 1, "end_s"));
    assert_int_equal(json_integer_value(json_object_get(t, "warp_instructions")), 82);
    json_decref(root);

    t = timeline("serial", "--graph", &root);
    makespan = json_number_value(json_object_get(t, "makespan_s"));
    sum = json_number_value(json_object_get(t, "sum_s"));
    assert_true(at(t, 1, "begin_s") == at(t, 0, "end_s"));
    CHECK_NEAR(makespan, sum, 1e-9);
    json_decref(root);

    t = timeline("serial", NULL, &root); /* the second is submitted 2.2 microseconds after the first */
    CHECK_NEAR(at(t, 1, "begin_s"), 2.2e-6, 1e-9);
    json_decref(root);
}

static void options_that_do_not_go_together_are_refused(void **state)
{
    (void)state;
    assert_int_not_equal(RUN(cmd_simulate, "simulate", folder, "--gpu", "v100", "--caches", "kept"), 0);
    assert_non_null(strstr(errors, "--caches and --graph go with --streams"));
    assert_int_not_equal(RUN(cmd_simulate, "simulate", folder, "--gpu", "v100", "--streams", "both"), 0);
    assert_non_null(strstr(errors, "neither overlap nor serial"));
    assert_int_not_equal(
        RUN(cmd_simulate, "simulate", folder, "--gpu", "v100", "--streams", "serial", "--caches", "cold"), 0);
    assert_non_null(strstr(errors, "neither kept nor flushed"));
}

static void a_limit_ends_the_timeline(void **state)
{
    (void)state;
    assert_int_not_equal(
        RUN(cmd_simulate, "simulate", folder, "--gpu", "v100", "--streams", "serial", "--limit-cycles", "800"), 0);
    assert_non_null(strstr(errors, "the cycle limit was reached"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(streams_overlap_or_follow_one_another),
        cmocka_unit_test(options_that_do_not_go_together_are_refused),
        cmocka_unit_test(a_limit_ends_the_timeline),
    };

    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
