/* vivace plan, methods and simulate --plan: the structure of their JSON, exit codes, and equal bytes for equal
 * seeds. The commands run in this process, on a small profile and small traces written here. */
#include <sys/stat.h>

#include "cli/cli.h"
#include "cli/simulate/sim_pool.h"
#include "tests/unit/cli/printed.h"
#include "wire/plan_json.h"

enum { LAUNCHES = 120, TRACES = 12 };
static char folder[64], profile[96], plan_file[96], traces[96];

/* A cuda_gpu_trace report of nsys: three kernels, one of them with two modes, and one launch of 0 ns. */
static void write_profile(void)
{
    FILE *f = fopen(profile, "w");

    assert_non_null(f);
    fputs("Start (ns),Duration (ns),CorrId,GrdX,GrdY,GrdZ,BlkX,BlkY,BlkZ,Reg/Trd,StcSMem (MB),DymSMem (MB),"
          "Bytes (MB),Throughput (MBps),SrcMemKd,DstMemKd,Device,Ctx,Strm,Name\n",
          f);
    for (int i = 0; i < LAUNCHES; i++)
        fprintf(f, "%d,%d,%d,%d,1,1,64,1,1,16,0.000,0.000,,,,,Some GPU (0),1,7,\"%s\"\n", 10000 * i + 5,
                i == 77      ? 0
                : i % 3 == 0 ? 2000 + i % 7
                : i % 3 == 1 ? 900 + 400 * (i % 2) + i % 5
                             : 50,
                i + 1, 1 + i % 3,
                i % 3 == 0   ? "gemm(float*)"
                : i % 3 == 1 ? "softmax<int, (bool)1>(int*)"
                             : "copy()");
    assert_int_equal(fclose(f), 0);
}

static void write_trace(int id)
{
    char path[128];
    FILE *f;

    snprintf(path, sizeof path, "%s/kernel-%d.traceg", traces, id);
    f = fopen(path, "w");
    assert_non_null(f);
    fprintf(f,
            "-kernel name = _Z5scalePfi\n-kernel id = %d\n-grid dim = (1,1,1)\n-block dim = (32,1,1)\n"
            "-shmem = 0\n-nregs = 16\n-binary version = 70\n-cuda stream id = 0\n"
            "-shmem base_addr = 0x0\n-local mem base_addr = 0x1\n-nvbit version = 1.5\n"
            "-accelsim tracer version = 3\n\n#BEGIN_TB\nthread block = 0,0,0\nwarp = 0\ninsts = %d\n",
            id, 3 + id % 2);
    for (int i = 0; i < 2 + id % 2; i++)
        fprintf(f, "%04x ffffffff 1 R1 FADD 2 R1 R2 0\n", 16 * i);
    fprintf(f, "%04x ffffffff 0 EXIT 0 0\n#END_TB\n", 16 * (2 + id % 2));
    assert_int_equal(fclose(f), 0);
}

static int write_inputs(void **state)
{
    char path[128];
    FILE *f;

    (void)state;
    strcpy(folder, "/tmp/vivace-plan-XXXXXX");
    assert_non_null(mkdtemp(folder));
    snprintf(profile, sizeof profile, "%s/profile.csv", folder);
    snprintf(plan_file, sizeof plan_file, "%s/plan.json", folder);
    snprintf(traces, sizeof traces, "%s/traces", folder);
    write_profile();
    assert_int_equal(mkdir(traces, 0700), 0);
    snprintf(path, sizeof path, "%s/kernelslist.g", traces);
    f = fopen(path, "w");
    assert_non_null(f);
    for (int id = 1; id <= TRACES; id++) {
        write_trace(id);
        fprintf(f, "kernel-%d.traceg\n", id);
    }
    return fclose(f);
}

static int remove_inputs(void **state)
{
    char path[128];

    (void)state;
    for (int id = 1; id <= TRACES; id++) {
        snprintf(path, sizeof path, "%s/kernel-%d.traceg", traces, id);
        unlink(path);
    }
    snprintf(path, sizeof path, "%s/kernelslist.g", traces);
    unlink(path);
    unlink(profile);
    unlink(plan_file);
    return rmdir(traces) || rmdir(folder);
}

/* --- plan --- */

static void a_plan_has_the_promised_shape(void **state)
{
    json_t *plan, *strata, *samples;
    json_int_t population = 0;
    double weights = 0;

    (void)state;
    assert_int_equal(RUN(cli_command, "plan", profile, "--method", "vivace", "--error", "5%", "--confidence", "95%",
                         "--seed", "3", "--json"),
                     0);
    plan = printed_json();
    HAS(plan, "method", "promised_error", "speedup", "strata", "samples");
    assert_string_equal(json_string_value(json_object_get(plan, "method")), "vivace");
    assert_true(json_number_value(json_object_get(plan, "promised_error")) <= 0.05);
    assert_true(json_number_value(json_object_get(plan, "speedup")) > 1);
    strata = json_object_get(plan, "strata");
    samples = json_object_get(plan, "samples");
    for (size_t h = 0; h < json_array_size(strata); h++) {
        json_t *s = json_array_get(strata, h);

        HAS(s, "kernel", "grid", "block", "population", "samples", "mean_ns", "sd_ns");
        assert_int_equal(json_array_size(json_object_get(s, "grid")), 3);
        population += json_integer_value(json_object_get(s, "population"));
    }
    for (size_t i = 0; i < json_array_size(samples); i++) {
        json_t *s = json_array_get(samples, i);

        HAS(s, "launch", "stratum", "weight");
        assert_true(json_integer_value(json_object_get(s, "launch")) != 77); /* its duration is 0 */
        weights += json_number_value(json_object_get(s, "weight"));
    }
    assert_int_equal(population, LAUNCHES - 1);
    CHECK_NEAR(weights, LAUNCHES - 1, 1e-12);
    json_decref(plan);
}

static void the_same_seed_gives_the_same_bytes_and_another_seed_another_plan(void **state)
{
    static char first[sizeof output];
    struct plan plan;
    struct err e;

    (void)state;
    assert_int_equal(RUN(cli_command, "plan", profile, "--seed", "3", "--json"), 0);
    strcpy(first, output);
    assert_int_equal(RUN(cli_command, "plan", profile, "--seed", "3", "--out", "-"), 0);
    assert_string_equal(output, first);
    assert_int_equal(RUN(cli_command, "plan", profile, "--seed", "4", "--json"), 0);
    assert_string_not_equal(output, first);
    assert_int_equal(RUN(cli_command, "plan", profile, "--seed", "3", "--out", plan_file, "--json"), 0);
    assert_string_equal(output, first);
    CHECK_OK(plan_read_path(plan_file, &plan, &e), &e);
    assert_int_equal(plan.launches, LAUNCHES);
    assert_int_equal(plan.zero_launches, 1);
    assert_int_equal(plan.params.seed, 3);
    plan_release(&plan);
}

static void every_method_plans(void **state)
{
    (void)state;
    for (size_t m = 0; methods[m]; m++) {
        if (methods[m]->needs) {
            assert_int_equal(RUN(cli_command, "plan", profile, "--method", methods[m]->name), 65);
            assert_non_null(strstr(errors, "cannot run on this profile: it needs"));
            continue;
        }
        assert_int_equal(RUN(cli_command, "plan", profile, "--method", methods[m]->name, "--csv"), 0);
        assert_non_null(strstr(output, "population,samples,mean_ns,sd_ns"));
        assert_int_equal(RUN(cli_command, "plan", profile, "--method", methods[m]->name), 0);
        assert_non_null(strstr(output, "left out   1 launch of value 0"));
    }
}

static void a_wrong_request_is_one_sentence_and_the_right_exit_code(void **state)
{
    static const struct {
        const char *option, *value;
        int code;
        const char *part;
    } cases[] = {
        {"--error", "0", 64, "--error"},
        {"--error", "0%", 64, "--error"},
        {"--error", "-5%", 64, "--error"},
        {"--error", "100%", 64, "--error"},
        {"--error", "five", 64, "--error"},
        {"--error", "nan", 64, "--error"},
        {"--confidence", "1", 64, "onfidence"},
        {"--seed", "-1", 64, "--seed"},
        {"--seed", "1e3", 64, "--seed"},
        {"--method", "vivaec", 64, "vivace"},
        {"--method", "rot", 64, "root"},
        {"--noise-floor", "2", 64, "--noise-floor"},
        {"--cost", "0,0", 64, "one above 0"},
        {"--cost", "-1,1", 64, "--cost"},
        {"--share", "1%", 64, "srswr"},
        {"--classifier", "mlp", 64, "pka"},
        {"--estimator", "regression", 64, "--estimator of a plan must be ratio or expansion"},
        {"--cost-from", "/nowhere/c", 66, "/nowhere/c"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        int code = RUN(cli_command, "plan", profile, cases[i].option, cases[i].value);

        if (code != cases[i].code || *output || !strstr(errors, cases[i].part))
            fail_msg("%s %s: exit %d, \"%s\"", cases[i].option, cases[i].value, code, errors);
    }
    assert_int_equal(RUN(cli_command, "plan", profile, "--method", "stem", "--variant", "code"), 64);
    assert_non_null(strstr(errors, "has no variant `code`"));
    assert_int_equal(RUN(cli_command, "plan", profile, "--method", "root", "--variant", "tool"), 64);
    assert_int_equal(RUN(cli_command, "plan", profile, "--method", "rot"), 64);
    assert_non_null(strstr(errors, "did you mean `root`?"));
    assert_int_not_equal(RUN(cli_command, "plan", "/nowhere/profile.csv"), 0);
    assert_non_null(strstr(errors, "/nowhere/profile.csv"));
    assert_int_not_equal(RUN(cli_command, "plan", profile, "--out", "/nowhere/plan.json"), 0);
    assert_non_null(strstr(errors, "/nowhere/plan.json"));
    assert_string_equal(output, "");
}

static void a_plan_is_explained(void **state)
{
    (void)state;
    assert_int_equal(RUN(cli_command, "plan", profile, "--error", "5%", "--explain"), 0);
    assert_non_null(strstr(output, "why this plan"));
    assert_non_null(strstr(output, "of the planned variance. One more would narrow"));
    for (const char *kernel = "gemm(float*)\0softmax<int, (bool)1>(int*)\0copy()\0"; *kernel;
         kernel += strlen(kernel) + 1) {
        char head[64];

        snprintf(head, sizeof head, ": %s\n  ", kernel);
        assert_non_null(strstr(output, head)); /* every stratum is explained */
    }
    assert_non_null(strstr(output, "39 launches of 50")); /* launches of equal duration */
    assert_int_equal(RUN(cli_command, "plan", profile, "--method", "root", "--explain"), 0);
    assert_non_null(strstr(output, "by the method's formula for size and spread"));
    assert_non_null(strstr(output, "about the profile only"));
    assert_int_equal(RUN(cli_command, "plan", profile, "--explain", "--json"), 64);
    assert_non_null(strstr(errors, "--explain writes sentences"));
    assert_int_equal(RUN(cli_command, "plan", profile, "--classifier", "tree"), 64);
    assert_non_null(strstr(errors, "bayes, sgd or mlp"));
}

static void a_plan_keeps_its_parameters(void **state)
{
    json_t *plan;

    (void)state;
    assert_int_equal(
        RUN(cli_command, "plan", profile, "--speedup", "4", "--min-samples", "3", "--cost", "1.5,2e-6", "--json"),
        0);
    plan = printed_json();
    CHECK_NEAR(json_number_value(json_object_get(plan, "budget")), 0.25, 0);
    assert_int_equal(json_integer_value(json_object_get(plan, "least_samples")), 3);
    CHECK_NEAR(json_number_value(json_object_get(plan, "cost_fixed")), 1.5, 0);
    CHECK_NEAR(json_number_value(json_object_get(plan, "cost_per_unit")), 2e-6, 0);
    assert_string_equal(json_string_value(json_object_get(plan, "classifier")), "bayes");
    json_decref(plan);
}

/* Root has no budget and pooled draws no noise floor. An option without effect is refused. */
static void a_method_refuses_what_it_does_not_go_by(void **state)
{
    (void)state;
    assert_int_equal(RUN(cli_command, "plan", profile, "--method", "root", "--speedup", "9"), 64);
    assert_non_null(strstr(errors, "method root does not use --speedup"));
    assert_non_null(strstr(errors, "vivace, budget."));
    assert_int_equal(RUN(cli_command, "plan", profile, "--method", "srs", "--noise-floor", "0.1"), 64);
    assert_int_equal(RUN(cli_command, "plan", profile, "--method", "stem", "--min-samples", "1"), 64);
    assert_int_equal(RUN(cli_command, "plan", profile, "--method", "srs", "--estimator", "ratio"), 64);
    assert_int_equal(RUN(cli_command, "plan", profile, "--estimator", "ratio"), 0);
    assert_non_null(strstr(output, "construction"));
    assert_int_equal(RUN(cli_command, "plan", profile, "--estimator", "ratio", "--min-samples", "1"), 65);
    assert_non_null(strstr(errors, "needs two samples in each stratum"));
    assert_int_equal(RUN(cli_command, "plan", profile, "--noise-floor", "10%"), 0);
    assert_int_equal(RUN(cli_command, "plan", profile, "--noise-floor", "0"), 0);
    assert_int_equal(RUN(cli_command, "plan", profile, "--method", "srs", "--share", "50%"), 0);
    assert_int_equal(RUN(cli_command, "plan", profile, "--method", "budget", "--budget", "50%"), 0);
}

/* The message names a budget that is large enough, and that budget works. */
static void a_budget_that_is_too_small_names_what_is_enough(void **state)
{
    const char *enough;
    char budget[16];

    (void)state;
    assert_int_equal(RUN(cli_command, "plan", profile, "--budget", "0.001%"), 65);
    enough = strstr(errors, "A budget of ");
    assert_non_null(enough);
    assert_int_equal(sscanf(enough, "A budget of %15s", budget), 1);
    assert_int_equal(RUN(cli_command, "plan", profile, "--budget", budget), 0);
    assert_int_equal(RUN(cli_command, "plan", profile, "--budget", "0.001%", "--min-samples", "1"), 65);
    assert_null(strstr(errors, "--min-samples"));
}

/* 119 launches with a value: 2 s each, plus 1 ms per microsecond of their total. */
static void a_plan_says_what_it_takes_and_what_it_misses(void **state)
{
    char path[128];
    FILE *f;

    (void)state;
    assert_int_equal(RUN(cli_command, "plan", profile, "--method", "srs", "--share", "100%", "--cost", "2,0"), 64);
    assert_int_equal(RUN(cli_command, "plan", profile, "--method", "srs", "--error", "0.01%", "--cost", "2,0"), 0);
    assert_non_null(strstr(output, "in 1 stratum,"));
    assert_non_null(strstr(output, "cost       3 min 58 s to simulate, of 3 min 58 s for everything"));
    assert_non_null(strstr(output, "by 2 + 0 * value seconds a launch, value in ns"));
    assert_int_equal(RUN(cli_command, "plan", profile, "--method", "srswr", "--error", "1%"), 0);
    assert_non_null(strstr(output, " where 1.0 % was asked for"));
    assert_int_equal(RUN(cli_command, "plan", profile, "--min-samples", "1"), 0);
    assert_non_null(strstr(output, ", model-assisted: "));
    snprintf(path, sizeof path, "%s/cost.csv", folder);
    f = fopen(path, "w");
    assert_non_null(f);
    fputs("value,seconds\n1000,1\n2000,nan\n", f);
    assert_int_equal(fclose(f), 0);
    assert_int_equal(RUN(cli_command, "plan", profile, "--cost-from", path), 65);
    assert_non_null(strstr(errors, "cost.csv: line 3: "));
    unlink(path);
}

static void launches_that_were_dropped_are_reported(void **state)
{
    char path[128], line[400];
    FILE *from = fopen(profile, "r"), *to;

    (void)state;
    snprintf(path, sizeof path, "%s/dropped.csv", folder);
    to = fopen(path, "w");
    assert_true(from && to);
    while (fgets(line, sizeof line, from))
        fputs(line, to);
    fputs("9999999,-5,999,1,1,1,64,1,1,16,0.000,0.000,,,,,Some GPU (0),1,7,copy()\n", to);
    fclose(from);
    assert_int_equal(fclose(to), 0);
    assert_int_equal(RUN(cli_command, "plan", path, "--json"), 0);
    assert_non_null(strstr(errors, "dropped.csv: 1 of 121 launches could not be taken"));
    unlink(path);
}

/* --- methods --- */

static void methods_have_the_promised_shape(void **state)
{
    static char first[sizeof output];
    json_t *answer, *rows;
    size_t count = 0;

    (void)state;
    assert_int_equal(RUN(cmd_methods, "methods", profile, "--error", "1%,5%", "--repeats", "20", "--json"), 0);
    strcpy(first, output);
    answer = printed_json();
    rows = json_object_get(answer, "items");
    while (methods[count])
        count++;
    assert_int_equal(json_array_size(rows), 2 * count);
    for (size_t i = 0; i < json_array_size(rows); i++) {
        json_t *r = json_array_get(rows, i);

        HAS(r, "file", "method", "error", "strata", "samples", "distinct", "speedup", "speedup_instructions",
            "speedup_seconds", "promised_error", "actual_error", "inside", "repeats", "why_not", "caution");
        CHECK_NEAR(json_number_value(json_object_get(r, "error")), i < count ? 0.01 : 0.05, 1e-12);
        if (!json_is_null(json_object_get(r, "why_not")))
            continue; /* the method needs more than durations */
        assert_in_range(json_integer_value(json_object_get(r, "repeats")), 1, 20);
        assert_true(json_integer_value(json_object_get(r, "inside")) <= 20);
        assert_true(json_number_value(json_object_get(r, "speedup")) >= 1);
        assert_true(json_is_null(json_object_get(r, "speedup_seconds")));
    }
    assert_int_equal(json_array_size(json_object_get(answer, "means")), 0); /* means need more than one file */
    json_decref(answer);
    assert_int_equal(RUN(cmd_methods, "methods", profile, "--error", "1%,5%", "--repeats", "20", "--json"), 0);
    assert_string_equal(output, first);
}

static void methods_refuses_nonsense(void **state)
{
    (void)state;
    assert_int_equal(RUN(cmd_methods, "methods", profile, "--error", "1%,,5%"), 64);
    assert_non_null(strstr(errors, "--error"));
    assert_int_equal(RUN(cmd_methods, "methods", profile, "--repeats", "0"), 64);
    assert_non_null(strstr(errors, "--repeats"));
    assert_int_equal(
        RUN(cmd_methods, "methods", profile, "--error", "1%,1%,1%,1%,1%,1%,1%,1%,1%,1%,1%,1%,1%,1%,1%,1%,1%"), 64);
    assert_non_null(strstr(errors, "at most 16"));
}

/* --- plans of a part --- */

/* A PyTorch trace of two steps with three layers, 20 launches of one kernel in each. */
static const char *layered_trace(void)
{
    static char path[64];
    FILE *f;

    snprintf(path, sizeof path, "/tmp/vivace-layers-%d.json", (int)getpid());
    f = fopen(path, "w");
    assert_non_null(f);
    fputs("[", f);
    for (int i = 0; i < 120; i++) {
        int layer = i / 20 % 3, step = i / 60;

        fprintf(f,
                "{\"ph\":\"X\",\"cat\":\"kernel\",\"name\":\"gemm\",\"ts\":%d,\"dur\":%d.%03d,\"pid\":0,\"tid\":7,"
                "\"args\":{\"stream\":7,\"correlation\":%d,\"grid\":[1,1,1],\"block\":[32,1,1]}},"
                "{\"ph\":\"X\",\"cat\":\"cuda_runtime\",\"name\":\"l\",\"ts\":%d,\"dur\":1,\"pid\":9,\"tid\":9,"
                "\"args\":{\"correlation\":%d}},",
                100 * i + 50, 10 * (layer + 1), i * 37 % 1000, i + 1, 100 * i, i + 1);
        if (i % 20 == 0)
            fprintf(
                f,
                "{\"ph\":\"X\",\"cat\":\"user_annotation\",\"name\":\"decoder/layers.%d\",\"ts\":%d,\"dur\":1999,"
                "\"pid\":9,\"tid\":9},",
                layer, 100 * i);
        if (i % 60 == 0)
            fprintf(f,
                    "{\"ph\":\"X\",\"cat\":\"user_annotation\",\"name\":\"ProfilerStep#%d\",\"ts\":%d,\"dur\":5999,"
                    "\"pid\":9,\"tid\":9},",
                    step + 7, 100 * i);
    }
    fputs("{\"ph\":\"M\"}]", f);
    fclose(f);
    return path;
}

static void parts_are_planned(void **state)
{
    const char *path = layered_trace();
    json_t *j, *stratum, *sample;
    size_t i;

    (void)state;
    assert_int_equal(RUN(cli_command, "plan", path, "--by", "layer", "--error", "2%", "--json"), 0);
    j = printed_json();
    assert_int_equal(json_integer_value(json_object_get(j, "version")), 3);
    assert_string_equal(json_string_value(json_object_get(j, "by")), "layer");
    json_array_foreach(json_object_get(j, "strata"), i, stratum)
        assert_memory_equal(json_string_value(json_object_get(stratum, "domain")), "decoder/layers.", 15);
    assert_true(json_array_size(json_object_get(j, "strata")) >= 3);
    json_decref(j);

    assert_int_equal(RUN(cli_command, "plan", path, "--only", "decoder.layers.1.*", "--steps", "8", "--json"), 0);
    j = printed_json();
    assert_int_equal(json_integer_value(json_object_get(j, "zero_launches")), 100);
    json_array_foreach(json_object_get(j, "samples"), i, sample)
    {
        json_int_t launch = json_integer_value(json_object_get(sample, "launch"));

        assert_true(launch >= 80 && launch < 100); /* layer 1 of the second step */
    }
    json_decref(j);

    /* The file is read back, and agrees with its profile. */
    assert_int_equal(RUN(cli_command, "plan", path, "--by", "layer", "--steps", "7..8", "--out", plan_file), 0);
    assert_non_null(strstr(output, "part       steps 7 to 8"));
    assert_non_null(strstr(output, "decoder/layers.2"));
    assert_int_equal(RUN(cli_command, "plan", "trace", plan_file, "--profile", path, "--for", "list", "--csv"), 0);

    assert_int_equal(RUN(cli_command, "plan", path, "--only", "encoder.*"), 65);
    assert_non_null(strstr(errors, "no launch of the profile is in this part: layers encoder.*"));
    assert_int_equal(RUN(cli_command, "plan", path, "--steps", "9..8"), 64);
    assert_int_equal(RUN(cli_command, "plan", path, "--by", "phase"), 65);
    assert_non_null(strstr(errors, "the profile has no phases"));
    assert_int_equal(RUN(cli_command, "plan", path, "--by", "nothing"), 64);
    unlink(path);
}

/* --- simulate --plan --- */

static void simulate_projects_a_plan(void **state)
{
    json_t *j, *k, *p, *parts;
    json_int_t full, samples;
    double value, half;

    (void)state;
    assert_int_equal(RUN(cmd_simulate, "simulate", traces, "--gpu", "v100", "--json"), 0);
    j = printed_json();
    assert_int_equal(json_array_size(json_object_get(j, "kernels")), TRACES);
    assert_int_equal(json_array_size(json_object_get(j, "projections")), 0);
    full = json_integer_value(json_object_get(json_array_get(json_object_get(j, "totals"), 0), "cycles"));
    json_decref(j);
    assert_int_equal(RUN(cli_command, "plan", traces, "--error", "5%", "--out", plan_file, "--json"), 0);
    j = printed_json();
    samples = (json_int_t)json_array_size(json_object_get(j, "samples"));
    assert_true(json_is_null(json_object_get(json_array_get(json_object_get(j, "strata"), 0), "mean_ns")));
    json_decref(j);
    assert_int_equal(RUN(cmd_simulate, "simulate", traces, "--gpu", "v100,h100", "--plan", plan_file, "--json"), 0);
    j = printed_json();
    HAS(j, "kernels", "projections", "comparison");
    assert_int_equal(json_array_size(json_object_get(j, "kernels")), 2 * samples);
    k = json_array_get(json_object_get(j, "kernels"), 0);
    HAS(k, "id", "name", "demangled", "grid", "block", "warp_instructions", "cycles", "launch_cycles",
        "gpu_seconds", "host_seconds");
    assert_true(fabs(json_number_value(json_object_get(k, "gpu_seconds")) -
                     (double)json_integer_value(json_object_get(k, "cycles")) / 1530e6) < 1e-15);
    assert_string_equal(json_string_value(json_object_get(k, "demangled")), "scale(float*, int)");
    assert_true(json_integer_value(json_object_get(k, "cycles")) >
                json_integer_value(json_object_get(k, "launch_cycles")));
    p = json_array_get(json_object_get(j, "projections"), 0);
    HAS(p, "design", "value_cycles", "half_width_cycles", "value_s", "half_width_s", "level", "parts");
    value = json_number_value(json_object_get(p, "value_cycles"));
    half = json_number_value(json_object_get(p, "half_width_cycles"));
    assert_true(fabs(value - (double)full) <= half && half < 0.05 * value);
    parts = json_object_get(p, "parts");
    assert_true(json_is_null(json_object_get(parts, "model_error")) &&
                json_is_null(json_object_get(parts, "makespan_s")));
    assert_non_null(strstr(json_string_value(json_object_get(parts, "model_error_why_not")), "no measured time"));
    assert_string_equal(json_string_value(json_object_get(parts, "makespan_why_not")),
                        "traces have no start times");
    json_decref(j);
    assert_int_equal(RUN(cmd_simulate, "simulate", traces, "--gpu", "v100", "--plan", plan_file), 0);
    assert_non_null(strstr(output, "sampling error     ±"));
    assert_non_null(strstr(output, "model error        not known: "));
    assert_non_null(strstr(output, "makespan           not known: "));
    assert_non_null(strstr(output, "sum of durations   "));
}

static void simulate_projects_parts(void **state)
{
    json_t *j, *p, *domains, *part;
    double sum = 0;
    size_t i;

    (void)state;
    assert_int_equal(RUN(cli_command, "plan", traces, "--error", "5%", "--out", plan_file, "--quiet"), 0);
    assert_int_equal(RUN(cmd_simulate, "simulate", traces, "--gpu", "v100,h100", "--plan", plan_file, "--profile",
                         traces, "--by", "class", "--json"),
                     0);
    j = printed_json();
    p = json_array_get(json_object_get(j, "projections"), 1);
    domains = json_object_get(p, "domains");
    assert_string_equal(json_string_value(json_object_get(domains, "by")), "class");
    assert_true(json_array_size(json_object_get(domains, "parts")) > 0);
    json_array_foreach(json_object_get(domains, "parts"), i, part)
    {
        HAS(part, "name", "launches", "results", "value_cycles", "half_width_cycles", "value_s", "half_width_s",
            "df", "few_results");
        sum += json_number_value(json_object_get(part, "value_cycles"));
    }
    CHECK_NEAR(sum, json_number_value(json_object_get(p, "value_cycles")), 1e-12);
    json_decref(j);
    assert_int_equal(RUN(cmd_simulate, "simulate", traces, "--gpu", "v100", "--plan", plan_file, "--profile",
                         traces, "--by", "class"),
                     0);
    assert_non_null(strstr(output, "By class; the rows add up to the whole:"));
    assert_int_equal(RUN(cmd_simulate, "simulate", traces, "--gpu", "v100", "--plan", plan_file, "--profile",
                         traces, "--by", "layer"),
                     65);
    assert_non_null(strstr(errors, "the profile has no layers"));
    assert_int_equal(RUN(cmd_simulate, "simulate", traces, "--gpu", "v100", "--plan", plan_file, "--profile",
                         traces, "--by", "nothing"),
                     64);
    assert_int_equal(RUN(cmd_simulate, "simulate", traces, "--gpu", "v100", "--plan", plan_file, "--by", "class"),
                     64);
}

/* Writes the plan file as a later version might write it. */
static void write_newer_plan(void)
{
    FILE *f = fopen(plan_file, "w");

    assert_non_null(f);
    fputs("{\"format\": \"vivace-plan\", \"version\": 4, \"method\": \"vivace\"}\n", f);
    assert_int_equal(fclose(f), 0);
}

static void simulate_refuses_the_plan_of_something_else(void **state)
{
    (void)state;
    assert_int_equal(RUN(cli_command, "plan", profile, "--out", plan_file, "--quiet"), 0);
    assert_int_equal(RUN(cmd_simulate, "simulate", traces, "--gpu", "v100", "--plan", plan_file, "--json"), 65);
    assert_string_equal(output, "");
    assert_non_null(strstr(errors, "the plan was made for another set of launches"));
    assert_int_equal(RUN(cmd_simulate, "simulate", traces, "--gpu", "v100", "--plan", profile), 65);
    write_newer_plan();
    assert_int_equal(RUN(cmd_simulate, "simulate", traces, "--gpu", "v100", "--plan", plan_file), 65);
    assert_non_null(
        strstr(errors, "version 4 of the plan format is not known; this program reads versions 1 to 3"));
    assert_int_equal(RUN(cmd_simulate, "simulate", traces, "--gpu", "v1000"), 66);
    assert_int_equal(RUN(cmd_simulate, "simulate", traces), 64);
}

/* The old name of a variant and the option give the same plan, byte for byte, with the name that plan files use. */
static void a_variant_is_an_option(void **state)
{
    static const char *const pairs[][2] = {{"root", "root-ae"}, {"allegro", "allegro-tool"}};
    static char old[sizeof output];

    (void)state;
    for (size_t i = 0; i < 2; i++) {
        assert_int_equal(RUN(cli_command, "plan", "draw", profile, "--method", pairs[i][1], "--out", "-"), 0);
        snprintf(old, sizeof old, "%s", output);
        assert_int_equal(
            RUN(cli_command, "plan", "draw", profile, "--method", pairs[i][0], "--variant", "code", "--out", "-"),
            0);
        assert_string_equal(output, old);
        assert_int_equal(RUN(cli_command, "plan", "draw", profile, "--method", pairs[i][0], "--out", "-"), 0);
        snprintf(old, sizeof old, "%s", output);
        assert_int_equal(
            RUN(cli_command, "plan", "draw", profile, "--method", pairs[i][0], "--variant", "paper", "--out", "-"),
            0);
        assert_string_equal(output, old);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_variant_is_an_option),
        cmocka_unit_test(a_plan_has_the_promised_shape),
        cmocka_unit_test(the_same_seed_gives_the_same_bytes_and_another_seed_another_plan),
        cmocka_unit_test(every_method_plans),
        cmocka_unit_test(a_wrong_request_is_one_sentence_and_the_right_exit_code),
        cmocka_unit_test(a_plan_is_explained),
        cmocka_unit_test(a_plan_keeps_its_parameters),
        cmocka_unit_test(a_method_refuses_what_it_does_not_go_by),
        cmocka_unit_test(a_budget_that_is_too_small_names_what_is_enough),
        cmocka_unit_test(a_plan_says_what_it_takes_and_what_it_misses),
        cmocka_unit_test(launches_that_were_dropped_are_reported),
        cmocka_unit_test(methods_have_the_promised_shape),
        cmocka_unit_test(methods_refuses_nonsense),
        cmocka_unit_test(parts_are_planned),
        cmocka_unit_test(simulate_projects_a_plan),
        cmocka_unit_test(simulate_projects_parts),
        cmocka_unit_test(simulate_refuses_the_plan_of_something_else),
    };

    return cmocka_run_group_tests(tests, write_inputs, remove_inputs);
}
