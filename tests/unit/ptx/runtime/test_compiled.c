/* Real CUDA programs under `vivace exec`: compiled by clang with a container from this test, which needs no CUDA,
 * and by nvcc where it is installed. */
#include "tests/unit/ptx/runtime/compiled.h"

static bool compiled;

static int compile(void **state)
{
    (void)state;
    if (!compiler_is_here())
        return 0;
    compile_program("steps", "-O2");
    compiled = true;
    return 0;
}

static void need(void)
{
    if (!compiled)
        skip();
}

static void it_says_passed(void **state)
{
    const char *out;

    (void)state;
    need();
    assert_int_equal(shell("$BUILD/vivace exec $D/steps", &out), 0);
    assert_non_null(strstr(out, "sum 172500, want 172500\nPASSED\n"));
    assert_null(strstr(out, "vivace"));
    assert_int_equal(shell("$BUILD/vivace exec --check --summary $D/steps", &out), 0);
    assert_non_null(strstr(out, "PASSED"));
    assert_non_null(strstr(out, "1 allocation (32 B) was not freed"));
    assert_non_null(strstr(out, "vivace: 6 launches, "));
}

/* The program gets CUDA's error code. The user gets a message with the location. */
static void a_fault_is_reported_twice(void **state)
{
    const char *out;

    (void)state;
    need();
    assert_int_equal(shell("$BUILD/vivace exec $D/steps wrong", &out), 1);
    assert_non_null(strstr(out, "cudaGetLastError(): an illegal memory access was encountered"));
    assert_non_null(strstr(out, "launch 0: kernel _Z13scale_and_addPfPKffi, module0.ptx:"));
    assert_non_null(strstr(out, "thread (0,0,0)"));
}

static size_t lines(const char *text)
{
    size_t n = 0;

    for (; *text; text++)
        n += *text == '\n';
    return n;
}

static void from_a_program_to_a_projection(void **state)
{
    const char *out;

    (void)state;
    need();
    RUNS("$BUILD/vivace exec --profile $D/counts.csv $D/steps");
    assert_int_equal(shell("cat $D/counts.csv", &out), 0);
    assert_int_equal(lines(out), 1 + 6);
    assert_non_null(strstr(out, "_Z10block_sumsPfPKfi,\"8,1,1\",\"128,1,1\","));
    RUNS("$BUILD/vivace plan draw $D/counts.csv --error 5% --out $D/plan.json");
    RUNS("$BUILD/vivace exec --plan $D/plan.json --trace $D/drawn.vtrace $D/steps");
    assert_int_equal(shell("$BUILD/vivace simulate $D/drawn.vtrace --gpu v100 --plan $D/plan.json -j 1", &out), 0);
    assert_non_null(strstr(out, "v100"));
    /* a subset of the launches is found by number */
    RUNS("$BUILD/vivace plan draw $D/counts.csv --method srs --share 50% --seed 2 --out $D/some.json");
    RUNS("$BUILD/vivace exec --plan $D/some.json --trace $D/some.vtrace $D/steps");
    RUNS("$BUILD/vivace simulate $D/some.vtrace --gpu v100 --plan $D/some.json -j 1 --csv > $D/some.csv");
    RUNS("$BUILD/vivace simulate $D/drawn.vtrace --gpu v100 -j 1 --csv > $D/all.csv");
    assert_int_equal(
        shell("cut -d, -f2,3,8 $D/some.csv | sort > $D/some.txt; cut -d, -f2,3,8 $D/all.csv | sort > $D/all.txt;"
              "wc -l < $D/some.txt; comm -23 $D/some.txt $D/all.txt",
              &out),
        0);
    assert_string_equal(out, "4\n"); /* three launches and the header; no differences */
    /* a plan for another program */
    assert_int_equal(shell("$BUILD/vivace exec --plan $D/plan.json --trace $D/other.vtrace $D/steps wrong", &out),
                     65);
    assert_non_null(strstr(out, "launched 1 kernels, but the plan is for a run of 6"));
}

static void simulated_times_make_a_profile(void **state)
{
    const char *out;

    (void)state;
    need();
    RUNS("$BUILD/vivace exec --gpu v100 --profile $D/times.csv $D/steps");
    assert_int_equal(shell("$BUILD/vivace inspect $D/times.csv", &out), 0);
    assert_non_null(strstr(out, "6 of 2 kernels"));
    assert_non_null(strstr(out, "v100"));
    assert_non_null(strstr(out, "scale_and_add(float*, float const*, float, int)"));
    /* five launches of the same work: the later ones find their data in L2 */
    assert_int_equal(
        shell(
            "awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i ~ /^\"?Duration/) c = i }"
            " NR == 2 { first = $c } NR > 2 && NR < 7 { print ($c < 0.9 * first ? \"less\" : $c \" of \" first) }'"
            " $D/times.csv",
            &out),
        0);
    assert_string_equal(out, "less\nless\nless\nless\n");
}

static void a_captured_launch_runs_alone(void **state)
{
    (void)state;
    need();
    RUNS("$BUILD/vivace exec --launch 4-5 --capture $D/capture $D/steps");
    RUNS("$BUILD/vivace ptx run $D/capture/launch-4/launches.json --check");
    RUNS("$BUILD/vivace ptx run $D/capture/launch-5/launches.json --check");
    assert_int_not_equal(shell("test -e $D/capture/launch-3", NULL), 0);
}

/* The program starts again. Launches before the checkpoint are skipped, and the others give the same traces as
 * without it. */
static void a_program_is_taken_up_where_it_was(void **state)
{
    const char *out;

    (void)state;
    need();
    assert_int_equal(shell("$BUILD/vivace exec --checkpoint-at 4 --out $D/at4 $D/steps", &out), 0);
    assert_non_null(strstr(out, "PASSED"));
    RUNS("$BUILD/vivace exec --launch 4-5 --trace $D/whole.vtrace $D/steps");
    assert_int_equal(shell("$BUILD/vivace exec --resume $D/at4 --trace $D/rest.vtrace $D/steps", &out), 0);
    assert_non_null(strstr(out, "sum 172500, want 172500\nPASSED\n"));
    RUNS("$BUILD/vivace trace diff $D/whole.vtrace $D/rest.vtrace");
    RUNS("$BUILD/vivace exec --profile $D/all.csv $D/steps");
    RUNS("$BUILD/vivace exec --resume $D/at4 --profile $D/again.csv $D/steps && cmp $D/all.csv $D/again.csv");
    assert_int_equal(shell("$BUILD/vivace exec --resume $D/at4 --launch 3 --capture $D/c $D/steps", &out), 65);
    assert_non_null(strstr(out, "/at4 begins behind it, with launch 4"));
    assert_int_equal(shell("$BUILD/vivace exec --resume $D/at4 $D/steps wrong", &out), 65);
    assert_non_null(strstr(out, "launch 0: checkpoint: it belongs to another launch"));
    assert_non_null(strstr(out, "launched only 1 kernels, fewer than"));
    assert_int_equal(shell("$BUILD/vivace exec --checkpoint-at 7 --out $D/at7 $D/steps", &out), 65);
    assert_non_null(strstr(out, "launched only 6 kernels"));
    assert_int_equal(shell("$BUILD/vivace exec --checkpoint-at 4:1:1:50 --out $D/at4 $D/steps", &out), 64);
    assert_non_null(strstr(out, "Use --capture for the launch"));
}

/* All times of a profile must be for one design. Registers of skipped launches are included. */
static void resumed_times_are_of_one_design(void **state)
{
    const char *out;

    (void)state;
    need();
    RUNS("$BUILD/vivace exec --gpu v100 --checkpoint-at 4 --out $D/v100 --profile $D/timed.csv $D/steps");
    RUNS("$BUILD/vivace exec --gpu v100 --resume $D/v100 --profile $D/resumed.csv $D/steps");
    assert_int_equal(
        shell("for f in timed resumed; do cut -d, -f3-12 $D/$f.csv > $D/$f.txt; done; cmp $D/timed.txt "
              "$D/resumed.txt;"
              "head -5 $D/timed.csv > $D/head.csv; head -5 $D/resumed.csv | cmp - $D/head.csv && cut -d, -f10 "
              "$D/resumed.csv | sort -n | tail -n +2 | head -1",
              &out),
        0);
    assert_int_not_equal(atoi(out), 0);
    assert_int_not_equal(shell("$BUILD/vivace exec --gpu a100 --resume $D/v100 --profile $D/p.csv $D/steps", &out),
                         0);
    assert_non_null(strstr(out, "were simulated on another design"));
    assert_int_equal(shell("$BUILD/vivace exec --checkpoint-at 4 --out $D/untimed $D/steps", &out), 0);
    assert_int_not_equal(
        shell("$BUILD/vivace exec --gpu v100 --resume $D/untimed --profile $D/p.csv $D/steps", &out), 0);
    assert_non_null(strstr(out, "were not simulated (it was made without --gpu)"));
    RUNS("$BUILD/vivace exec --gpu a100 --resume $D/v100 $D/steps");
}

static void other_programs(void **state)
{
    const char *out;

    (void)state;
    need();
    assert_int_equal(shell("$BUILD/vivace exec sh -c 'exit 3'", &out), 3);
    assert_non_null(strstr(out, "was it linked with `-cudart shared`?"));
    assert_int_equal(shell("$BUILD/vivace exec $D/nothing", &out), 127);
    assert_int_equal(shell("$BUILD/vivace exec --gpu gtx9999 $D/steps", &out), 66);
    assert_int_equal(shell("$BUILD/vivace exec --plan $D/plan.json $D/steps", &out), 64);
}

/* A script that continues after exit code 0 must have its output files. */
static void what_could_not_be_written_is_no_success(void **state)
{
    const char *out;

    (void)state;
    need();
    assert_int_equal(shell("$BUILD/vivace exec --profile $D/nowhere/p.csv $D/steps", &out), 66);
    assert_non_null(strstr(out, "PASSED"));
    assert_non_null(strstr(out, "not all requested files could be written"));
    assert_int_equal(shell("$BUILD/vivace exec --launch 9 --trace $D/none.vtrace $D/steps", &out), 65);
    assert_non_null(strstr(out, "would contain no launch"));
    assert_int_equal(shell("touch $D/file; $BUILD/vivace exec --capture $D/file $D/steps", &out), 66);
    assert_non_null(strstr(out, "cannot capture launch-0"));
    assert_int_equal(shell("$BUILD/vivace exec true", &out), 65);
    assert_non_null(strstr(out, "true has not used Vivace's CUDA runtime"));
    assert_int_equal(shell("$BUILD/vivace exec --memory 0 $D/steps", &out), 64);
    assert_non_null(strstr(out, "--memory: must be a whole number of 1 or more, not 0"));
    assert_int_equal(shell("$BUILD/vivace exec --profile /dev/full $D/steps", &out), 74);
}

static void by_nvcc(const char *mode)
{
    char line[300];
    const char *out;

    if (shell("PATH=$PATH:/usr/local/cuda/bin; command -v nvcc", NULL) != 0) {
        print_message("skipped: nvcc is not here\n");
        skip();
    }
    snprintf(line, sizeof line,
             "PATH=$PATH:/usr/local/cuda/bin; nvcc -cudart shared -arch=compute_75 -code=compute_75 %s -o "
             "$D/nvcc " PROGRAMS "steps.cu",
             mode);
    RUNS(line);
    assert_int_equal(shell("$BUILD/vivace exec $D/nvcc", &out), 0);
    assert_non_null(strstr(out, "PASSED"));
}

static void nvcc_compressed(void **state)
{
    (void)state;
    need();
    by_nvcc("");
}

static void nvcc_not_compressed(void **state)
{
    (void)state;
    need();
    by_nvcc("-compress-mode=none");
}

/* A program with machine code only, which ignores the error of its launch. */
static const char no_ptx[] =
    "#include <string.h>\n"
    "void **__cudaRegisterFatBinary(void *); void __cudaRegisterFunction(void **, const void *, const void *, "
    "const char "
    "*, int, void *, void *, void *, void *, void *);\n"
    "struct d { unsigned x, y, z; }; int cudaLaunchKernel(const void *, struct d, struct d, void **, unsigned "
    "long, void "
    "*);\n"
    "static unsigned char box[104];\n"
    "static struct { unsigned magic, version; void *box, *more; } wrap = {0x466243b1, 1, box, 0};\n"
    "static void put(int at, unsigned x) { memcpy(box + at, &x, 4); }\n"
    "int main(void)\n{\n  struct d one = {1, 1, 1};\n"
    "  put(0, 0xba55ed50); put(4, 16 << 16 | 1); put(8, 88); put(16, 2); put(20, 80); put(24, 8); put(44, 86);\n"
    "  __cudaRegisterFunction(__cudaRegisterFatBinary(&wrap), box, box, \"k\", -1, 0, 0, 0, 0, 0);\n"
    "  cudaLaunchKernel(box, one, one, 0, 0, 0); return 0;\n}\n";

static void a_program_whose_kernels_did_not_run_ends_with_an_error(void **state)
{
    char path[300];
    const char *out;
    struct err e;

    (void)state;
    need();
    snprintf(path, sizeof path, "%s/no_ptx.c", folder);
    CHECK_OK(whole_file_write(path, no_ptx, strlen(no_ptx), &e), &e);
    RUNS("gcc -o $D/no_ptx $D/no_ptx.c -L$BUILD -l:libcudart.so.13");
    assert_int_equal(shell("$BUILD/vivace exec $D/no_ptx", &out), 65);
    if (!strstr(out, "machine code (sm_86) only") || !strstr(out, "1 launch did not"))
        fail_msg("%s", out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_program_whose_kernels_did_not_run_ends_with_an_error),
        cmocka_unit_test(it_says_passed),
        cmocka_unit_test(a_fault_is_reported_twice),
        cmocka_unit_test(from_a_program_to_a_projection),
        cmocka_unit_test(simulated_times_make_a_profile),
        cmocka_unit_test(a_captured_launch_runs_alone),
        cmocka_unit_test(a_program_is_taken_up_where_it_was),
        cmocka_unit_test(resumed_times_are_of_one_design),
        cmocka_unit_test(other_programs),
        cmocka_unit_test(what_could_not_be_written_is_no_success),
        cmocka_unit_test(nvcc_compressed),
        cmocka_unit_test(nvcc_not_compressed),
    };

    return cmocka_run_group_tests_name("compiled", tests, compile, remove_folder);
}
