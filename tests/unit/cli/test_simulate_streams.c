/* vivace simulate --streams: simulates the launches of a folder of traces together, on their streams. */
#include "cli/cli.h"
#include "tests/unit/cli/printed.h"

static char folder[64], path[3][96];
static const char list[] = "kernel-1.traceg\nkernel-2.traceg\n";

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
    put(path[0], "kernelslist.g", list);
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
    assert_non_null(strstr(errors, "--caches kept needs --streams"));
    assert_non_null(strstr(errors, "Without --streams use --caches replayed"));
    assert_int_not_equal(RUN(cmd_simulate, "simulate", folder, "--gpu", "v100", "--graph"), 0);
    assert_non_null(strstr(errors, "--graph needs --streams"));
    assert_int_not_equal(RUN(cmd_simulate, "simulate", folder, "--gpu", "v100", "--streams", "both"), 0);
    assert_non_null(strstr(errors, "must be overlap or serial"));
    assert_int_not_equal(
        RUN(cmd_simulate, "simulate", folder, "--gpu", "v100", "--streams", "serial", "--caches", "cold"), 0);
    assert_non_null(strstr(errors, "must be warm, flushed, kept, replayed or replayed:N"));
    assert_int_not_equal(RUN(cmd_simulate, "simulate", folder, "--gpu", "v100", "--caches", "replayed:0"), 0);
    assert_int_not_equal(RUN(cmd_simulate, "simulate", folder, "--gpu", "v100", "--project", "none"), 0);
    assert_non_null(strstr(errors, "must be pkp, pkp-code, stable"));
    assert_int_not_equal(RUN(cmd_simulate, "simulate", folder, "--gpu", "v100", "--project", "pkp", "--ctas", "1"),
                         0);
    assert_non_null(strstr(errors, "cannot be combined with --from-cta and --ctas"));
}

static void a_limit_ends_the_timeline(void **state)
{
    (void)state;
    assert_int_not_equal(
        RUN(cmd_simulate, "simulate", folder, "--gpu", "v100", "--streams", "serial", "--limit-cycles", "800"), 0);
    assert_non_null(strstr(errors, "the cycle limit was reached"));
}

/* The default stream of this context is not the kernels' stream. */
static void copies_of_the_list_are_items(void **state)
{
    json_t *root, *t, *copies;

    (void)state;
    put(path[0], "kernelslist.g",
        "MemcpyHtoD,0x7f0000000000,1000000\nkernel-1.traceg\nkernel-2.traceg\nMemcpyDtoH,0x7f0000000000,4096\n");
    t = timeline("overlap", "--graph", &root);
    copies = json_object_get(t, "copies");
    assert_int_equal(json_integer_value(json_object_get(root, "stream_count")), 3);
    assert_int_equal(json_array_size(json_object_get(t, "launches")), 2);
    assert_int_equal(json_array_size(copies), 2);
    assert_string_equal(json_string_value(json_object_get(json_array_get(copies, 0), "kind")), "copy to device");
    assert_string_equal(json_string_value(json_object_get(json_array_get(copies, 1), "kind")), "copy to host");
    assert_int_equal(json_integer_value(json_object_get(t, "copied_bytes")), 1004096);
    /* 1 MB at about 12 GB/s, and the start of two copies */
    assert_in_range((int)(json_number_value(json_object_get(t, "copies_s")) * 1e6), 80, 160);
    assert_true(at(t, 0, "begin_s") == 0);
    json_decref(root);
    t = timeline("serial", "--graph", &root);
    copies = json_object_get(t, "copies");
    assert_true(at(t, 0, "begin_s") == json_number_value(json_object_get(json_array_get(copies, 0), "end_s")));
    assert_true(at(t, 1, "end_s") == json_number_value(json_object_get(json_array_get(copies, 1), "begin_s")));
    json_decref(root);
    put(path[0], "kernelslist.g", list);
}

static void caches_can_be_replayed(void **state)
{
    json_t *root, *kernels;

    (void)state;
    assert_int_equal(RUN(cmd_simulate, "simulate", folder, "--gpu", "v100", "--caches", "replayed:1", "--json"), 0);
    root = json_loads(output, 0, NULL);
    kernels = json_object_get(root, "kernels");
    assert_string_equal(json_string_value(json_object_get(root, "caches")), "replayed");
    for (size_t i = 0; i < 2; i++)
        assert_int_equal(json_integer_value(json_object_get(json_array_get(kernels, i), "replayed_launches")), i);
    json_decref(root);
    timeline("serial", "--caches=replayed", &root);
    assert_string_equal(json_string_value(json_object_get(root, "caches")), "replayed");
    json_decref(root);
}

static void some_ctas_of_each_launch(void **state)
{
    (void)state;
    assert_int_equal(RUN(cmd_simulate, "simulate", folder, "--gpu", "v100", "--ctas", "1"), 0);
    assert_non_null(strstr(output, "of each the CTAs that were asked for"));
    assert_int_not_equal(RUN(cmd_simulate, "simulate", folder, "--gpu", "v100", "--from-cta", "5"), 0);
    assert_non_null(strstr(output, "has no CTA 5: it holds 1"));
}

static void what_was_not_projected_says_why(void **state)
{
    json_t *root, *k;

    (void)state;
    assert_int_equal(RUN(cmd_simulate, "simulate", folder, "--gpu", "v100", "--project", "stable"), 0);
    assert_non_null(strstr(output, "whole: the kernel has fewer than three waves of CTAs"));
    assert_non_null(strstr(output, "0 of 2 simulations were stopped and projected (stable)"));
    assert_int_equal(RUN(cmd_simulate, "simulate", folder, "--gpu", "v100", "--project", "stable", "--json"), 0);
    root = json_loads(output, 0, NULL);
    k = json_array_get(json_object_get(root, "kernels"), 0);
    assert_true(json_is_null(json_object_get(k, "projected")));
    assert_non_null(json_string_value(json_object_get(k, "whole_why")));
    json_decref(root);
}

/* The second launch is truncated: the whole list has no result, and the message names the file. */
static void a_damaged_trace_ends_the_timeline(void **state)
{
    char whole[4096];
    FILE *f = fopen(path[2], "r");
    size_t n = fread(whole, 1, sizeof whole - 1, f);

    (void)state;
    fclose(f);
    whole[n] = '\0';
    whole[n / 2] = '\0';
    put(path[2], "kernel-2.traceg", whole);
    assert_int_equal(RUN(cmd_simulate, "simulate", folder, "--gpu", "v100", "--streams", "overlap"), 65);
    assert_non_null(strstr(errors, "kernel-2.traceg"));
    assert_string_equal(output, "");
    assert_int_equal(
        RUN(cmd_simulate, "simulate", folder, "--gpu", "v100", "--streams", "serial", "--caches", "kept"), 65);
    put(path[2], "kernel-2.traceg", "no trace at all\n");
    assert_int_equal(RUN(cmd_simulate, "simulate", folder, "--gpu", "v100", "--streams", "serial"), 65);
    assert_non_null(strstr(errors, "kernel-2.traceg"));
    put_kernel(2, 6);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(streams_overlap_or_follow_one_another),
        cmocka_unit_test(options_that_do_not_go_together_are_refused),
        cmocka_unit_test(a_limit_ends_the_timeline),
        cmocka_unit_test(copies_of_the_list_are_items),
        cmocka_unit_test(caches_can_be_replayed),
        cmocka_unit_test(some_ctas_of_each_launch),
        cmocka_unit_test(what_was_not_projected_says_why),
        cmocka_unit_test(a_damaged_trace_ends_the_timeline),
    };

    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
