/* The program vivace-sim: its output lines, exit codes, and a worker's jobs, run as a child process. */
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "tests/unit/simcore/hand_source.h"

static char program[512], folder[64] = "/tmp/vivace-sim-test-XXXXXX";

/* Valid until the eighth later call. */
static const char *in_folder(const char *name)
{
    static char path[8][128];
    static unsigned next;
    char *p = path[next++ % 8];

    snprintf(p, sizeof path[0], "%s/%s", folder, name);
    return p;
}

static void write_file(const char *name, const char *text)
{
    FILE *f = fopen(in_folder(name), "w");

    assert_non_null(f);
    fputs(text, f);
    fclose(f);
}

static char *read_file(const char *name)
{
    char *text = calloc(1, 1 << 18);
    FILE *f = fopen(in_folder(name), "r");

    if (f) {
        size_t n = fread(text, 1, (1 << 18) - 1, f);

        text[n] = '\0';
        fclose(f);
    }
    return text;
}

/* Runs the program with descriptors 0 to 3 redirected to files of the folder. Returns its exit code. */
static int run(const char *const *arguments)
{
    static const struct {
        const char *name;
        int flags;
    } files[] = {{"stdin", O_RDONLY | O_CREAT},
                 {"stdout", O_WRONLY | O_CREAT | O_TRUNC},
                 {"stderr", O_WRONLY | O_CREAT | O_TRUNC},
                 {"events", O_WRONLY | O_CREAT | O_TRUNC}};
    const char *argv[16] = {program};
    pid_t child;
    int status;

    for (int i = 0; arguments[i]; i++)
        argv[i + 1] = arguments[i];
    child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        for (int i = 0; i < 4; i++) {
            char path[128];
            int fd;

            snprintf(path, sizeof path, "%s/%s", folder, files[i].name);
            fd = open(path, files[i].flags, 0600);

            if (fd < 0 || (fd != i && dup2(fd, i) < 0))
                _exit(99);
        }
        execv(program, (char *const *)(uintptr_t)argv);
        _exit(98);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}
#define RUN(...) run((const char *const[]){__VA_ARGS__, NULL})

static const char kernel[] =
    "-kernel name = _Z3addPf\n-kernel id = 7\n-grid dim = (2,1,1)\n-block dim = (64,1,1)\n-shmem = 0\n"
    "-nregs = 16\n-binary version = 70\n-cuda stream id = 0\n-shmem base_addr = 0x00007fb057000000\n"
    "-local mem base_addr = 0x00007fb055000000\n-nvbit version = 1.5\n-accelsim tracer version = 4\n"
    "-enable lineinfo = 0\n#traces format = PC mask\n\n";

static void write_kernel(const char *name, const char *last)
{
    FILE *f = fopen(in_folder(name), "w");

    assert_non_null(f);
    fputs(kernel, f);
    for (int cta = 0; cta < 2; cta++) {
        fprintf(f, "#BEGIN_TB\n\nthread block = %d,0,0\n\n", cta);
        for (int warp = 0; warp < 2; warp++)
            fprintf(f,
                    "warp = %d\ninsts = 3\n0000 ffffffff 1 R2 S2R 0 0 0\n0010 ffffffff 1 R4 LDG.E.SYS 1 R2 4 1 "
                    "0x7f00000000%d0 4 0\n%s\n",
                    warp, cta * 2 + warp, last);
        fputs("#END_TB\n\n", f);
    }
    fclose(f);
}

static void it_prints_a_line_a_counter(void **state)
{
    char *out;

    (void)state;
    assert_int_equal(RUN(in_folder("good.traceg"), "--gpu", "v100"), 0);
    out = read_file("stdout");
    assert_non_null(strstr(out, "warp_instructions instructions 12\n"));
    assert_non_null(strstr(out, "launch_cycles cycles 1318\n"));
    free(out);
}

/* 3000 CTAs, so that reading ahead starts. */
static void write_long_kernel(const char *name)
{
    FILE *f = fopen(in_folder(name), "w");

    assert_non_null(f);
    fputs("-kernel name = long\n-kernel id = 1\n-grid dim = (3000,1,1)\n-block dim = (128,1,1)\n-nregs = 64\n"
          "-binary version = 70\n-accelsim tracer version = 5\n#traces\n",
          f);
    for (int cta = 0; cta < 3000; cta++) {
        fprintf(f, "#BEGIN_TB\nthread block = %d,0,0\n", cta);
        for (int warp = 0; warp < 4; warp++) {
            fprintf(f, "warp = %d\ninsts = 8\n", warp);
            for (int i = 0; i < 6; i++)
                fprintf(f, "%04x ffffffff 1 R%d LDG.E 1 R2 4 1 0x7f%06x0 4 0 \n", 16 * (cta / 100 * 8 + i), 4 + i,
                        cta * 31 + warp * 8 + i);
            fputs("0100 ffffffff 1 R9 FADD 2 R4 R5 0 0 \n0110 ffffffff 0 EXIT 0 0 0 \n", f);
        }
        fputs("#END_TB\n", f);
    }
    fclose(f);
}

static void reading_ahead_does_not_show(void **state)
{
    char *with, *without;

    (void)state;
    write_long_kernel("long.traceg");
    assert_int_equal(RUN(in_folder("long.traceg"), "--gpu", "v100"), 0);
    with = read_file("stdout");
    assert_int_equal(RUN(in_folder("long.traceg"), "--gpu", "v100", "--no-read-ahead"), 0);
    without = read_file("stdout");
    assert_non_null(strstr(with, "warp_instructions instructions 96000\n"));
    assert_string_equal(with, without);
    unlink(in_folder("long.traceg"));
    free(with);
    free(without);
}

static void json_holds_the_result(void **state)
{
    char *out, hex[SHA256_HEX];
    struct gpu_design *d = hand_design("a100", NULL);
    struct err e;
    json_t *root;

    (void)state;
    assert_int_equal(RUN(in_folder("good.traceg"), "--gpu", "simcore/designs/a100.json", "--json"), 0);
    out = read_file("stdout");
    root = json_loads(out, 0, NULL);
    assert_non_null(root);
    assert_string_equal(json_string_value(json_object_get(root, "format")), "vivace-result");
    assert_string_equal(json_string_value(json_object_get(root, "design")), "a100");
    assert_string_equal(json_string_value(json_object_get(root, "design_sha256")), d->sha256);
    CHECK_OK(sha256_file(in_folder("good.traceg"), hex, &e), &e);
    assert_string_equal(json_string_value(json_object_get(root, "trace_sha256")), hex);
    assert_string_equal(json_string_value(json_object_get(root, "end")), "done");
    assert_int_equal(json_integer_value(json_object_get(json_object_get(root, "kernel"), "id")), 7);
    /* the trace lacks the cache content of earlier launches: both bounds are reported */
    assert_true(json_integer_value(json_object_get(root, "cycles_warm_bound")) > 0);
    assert_true(json_integer_value(json_object_get(root, "cycles_warm_bound")) <=
                json_integer_value(json_object_get(root, "cycles")));
    json_decref(root);
    free(out);
    out = read_file("stderr");
    assert_non_null(strstr(out, "does not hold what earlier launches left in the caches: "));
    free(out);
    assert_int_equal(
        RUN(in_folder("good.traceg"), "--gpu", "simcore/designs/a100.json", "--json", "--caches=flushed"), 0);
    out = read_file("stdout");
    assert_null(strstr(out, "cycles_warm_bound"));
    design_free(d);
    free(out);
}

static void exit_codes_say_what_went_wrong(void **state)
{
    struct {
        const char *arguments[5];
        int want;
        const char *says;
    } cases[] = {
        {{"--help"}, 0, NULL},
        {{"--list-gpus"}, 0, NULL},
        {{NULL}, 2, "missing trace"},
        {{"good.traceg"}, 2, "missing GPU"},
        {{"good.traceg", "good.traceg", "--gpu", "v100"}, 2, "only one trace"},
        {{"--frobnicate"}, 2, "--help"},
        {{"good.traceg", "--gpu", "v100", "--limit-cycles=x"}, 2, "--limit-cycles"},
        {{"nowhere.traceg", "--gpu", "v100"}, 3, "nowhere.traceg"},
        {{"good.traceg", "--gpu", "b900"}, 3, "b900"},
        {{"cut.traceg", "--gpu", "v100"}, 3, "cut.traceg"},
        {{"other.json", "--gpu", "other.json"}, 4, "not a GPU design"},
        {{"large.traceg", "--gpu", "v100"}, 5, "does not fit"},
        {{"stall.traceg", "--gpu", "v100"}, 6, "2 of 3 warps arrived"},
        {{"good.traceg", "--gpu", "v100", "--launch=1"}, 2, "only .vtrace files hold several"},
        {{"good.traceg", "--gpu", "v100", "--caches=kept"}, 2, "warm, flushed, replayed or replayed:N"},
        {{"good.traceg", "--gpu", "v100", "--ctas=1", "--project=pkp"}, 2, "whole launches"},
        {{"good.traceg", "--gpu", "v100", "--limit-cycles=710"}, 7, "the cycle limit was reached"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *arguments[6] = {NULL};
        char *error;
        int got;

        for (int k = 0; k < 5 && cases[i].arguments[k]; k++) {
            const char *a = cases[i].arguments[k];

            arguments[k] = strstr(a, ".traceg") || strstr(a, ".json") ? in_folder(a) : a;
        }
        got = run(arguments);
        error = read_file("stderr");
        if (got != cases[i].want || (cases[i].says && !strstr(error, cases[i].says)))
            fail_msg("case %zu: exit code %d, want %d; %s", i, got, cases[i].want, error);
        free(error);
    }
}

static void check_line(const char *line, bool there)
{
    char *out = read_file("stdout");

    if ((strstr(out, line) != NULL) != there)
        fail_msg("%s: %s%s", there ? "missing" : "should not be there", line, out);
    free(out);
}

/* Launches in the same folder come before it and are replayed. */
static void what_lies_beside_is_replayed(void **state)
{
    (void)state;
    write_kernel("kernel-1.traceg", "0020 ffffffff 0 EXIT 0 0 0");
    write_kernel("kernel-2.traceg", "0020 ffffffff 0 EXIT 0 0 0");
    assert_int_equal(RUN(in_folder("kernel-2.traceg"), "--gpu", "v100"), 0);
    check_line("l2_read_miss_sectors sectors 6\n", true);
    assert_int_equal(RUN(in_folder("kernel-2.traceg"), "--gpu", "v100", "--caches", "replayed"), 0);
    check_line("l2_read_miss_sectors sectors 0\n", true);
    assert_int_equal(RUN(in_folder("kernel-1.traceg"), "--gpu", "v100", "--caches", "replayed:1", "--json"), 0);
    check_line("replayed_launches", false); /* no launch is before it */
    /* a range of CTAs: lines that earlier CTAs accessed are in the caches */
    assert_int_equal(RUN(in_folder("kernel-1.traceg"), "--gpu", "v100", "--from-cta", "1", "--ctas", "1"), 0);
    check_line("ctas CTAs 1\n", true);
    check_line("warp_instructions instructions 6\n", true);
    assert_int_equal(RUN(in_folder("good.traceg"), "--gpu", "v100", "--caches", "replayed"), 3);
    assert_int_equal(RUN(in_folder("kernel-1.traceg"), "--gpu", "v100", "--from-cta", "2"), 3);
    unlink(in_folder("kernel-1.traceg"));
    unlink(in_folder("kernel-2.traceg"));
}

static void counters_are_described(void **state)
{
    char *out;

    (void)state;
    assert_int_equal(RUN("--describe-counters"), 0);
    out = read_file("stdout");
    assert_non_null(
        strstr(out, "slots_memory [slots] issue slots not used: waiting for data from memory or shared memory\n"));
    free(out);
}

static void write_jobs(const char *limits)
{
    static const char *const traces[] = {"good", "stall", "large", "cut", "nowhere", "good"};
    FILE *f = fopen(in_folder("stdin"), "w");

    assert_non_null(f);
    fputs("{\"jobs\":[", f);
    for (int i = 0; i < 6; i++)
        fprintf(f,
                "%s{\"job\":\"j%d\",\"trace\":\"%s/%s.traceg\",\"design\":\"simcore/designs/"
                "%s.json\",\"result\":\"%s/r%d.json\","
                "\"limit_cycles\":%d,\"later\":1}",
                i ? "," : "", i, folder, traces[i], i == 5 ? "h100" : "v100", folder, i, i == 5 ? 710 : 0);
    fprintf(f, "],\"limits\":%s,\"unknown\":true}", limits);
    fclose(f);
}

static void a_worker_runs_a_list_of_jobs(void **state)
{
    static const char *const want[] = {
        "start j0\nend j0 ok \n",     "start j1\nend j1 deadlock deadlock, no warp can continue",
        "start j2\nend j2 mismatch ", "start j3\nend j3 bad_input ",
        "start j4\nend j4 fetch ",    "start j5\nend j5 limit_cycles "};
    char *events, *text;
    const char *at;
    json_t *root;

    (void)state;
    write_jobs("{\"memory_bytes\":null,\"cpu_s\":60}");
    assert_int_equal(RUN("--job"), 0);
    at = events = read_file("events");
    for (size_t i = 0; i < 6; i++) {
        at = strstr(at, want[i]);
        if (!at)
            fail_msg("not in order or missing: %s in\n%s", want[i], events);
    }
    text = read_file("r0.json");
    root = json_loads(text, 0, NULL);
    assert_non_null(root);
    assert_int_equal(json_integer_value(json_object_get(root, "warp_instructions")), 12);
    json_decref(root);
    free(text);
    assert_int_equal(access(in_folder("r1.json"), R_OK), 0); /* the result up to the deadlock */
    assert_int_not_equal(access(in_folder("r2.json"), R_OK), 0);
    assert_int_not_equal(access(in_folder("r0.json.part"), R_OK), 0);
    free(events);
}

#ifndef __SANITIZE_ADDRESS__ /* it needs the whole address space */
static void a_job_without_memory_says_so(void **state)
{
    char *events;

    (void)state;
    write_jobs("{\"memory_bytes\":20000000}");
    assert_int_equal(RUN("--job"), 0);
    events = read_file("events");
    assert_non_null(strstr(events, "end j5 memory out of memory"));
    free(events);
}
#endif

/* Neither is an error of the job, so the job must not fail permanently. */
static void a_machine_that_cannot_read_or_write_is_not_to_blame_on_the_job(void **state)
{
    static const struct {
        const char *trace, *result, *want;
    } cases[] = {
        {"good.traceg", "no/such/folder/r.json", "end j fetch "}, /* the worker's own folder was deleted */
        {"good.traceg", ".", "end j disk "},                      /* a folder cannot be written ... */
        {".", "r9.json", "end j disk "},                          /* ... nor read */
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[600], *events;

        snprintf(text, sizeof text,
                 "{\"jobs\":[{\"job\":\"j\",\"trace\":\"%s/%s\",\"design\":\"simcore/designs/v100.json\","
                 "\"result\":\"%s/%s\"}]}",
                 folder, cases[i].trace, folder, cases[i].result);
        write_file("stdin", text);
        assert_int_equal(RUN("--job"), 0);
        events = read_file("events");
        if (!strstr(events, cases[i].want))
            fail_msg("case %zu: not %s in %s", i, cases[i].want, events);
        free(events);
    }
}

static void a_wrong_list_of_jobs_is_refused(void **state)
{
    static const struct {
        const char *text, *says;
    } cases[] = {
        {"", "the list of jobs"},
        {"[]", "\"jobs\""},
        {"{\"jobs\":[{\"job\":\"a b\",\"trace\":\"t\",\"design\":\"d\",\"result\":\"r\"}]}",
         "must not contain blanks"},
        {"{\"jobs\":[{\"job\":\"a\",\"trace\":\"t\",\"result\":\"r\"}]}", "jobs[0].design is missing"},
        {"{\"jobs\":[],\"limits\":{\"cpu_s\":-1}}", "limits.cpu_s"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *error;

        write_file("stdin", cases[i].text);
        assert_int_equal(RUN("--job"), 3);
        error = read_file("stderr");
        assert_non_null(strstr(error, cases[i].says));
        free(error);
    }
}

static int set_up(void **state)
{
    ssize_t n = readlink("/proc/self/exe", program, sizeof program - 1);
    char *end;

    (void)state;
    if (n < 0 || !mkdtemp(folder))
        return -1;
    program[n] = '\0';
    end = strstr(program, "/tests/unit/simcore/");
    if (!end)
        return -1;
    strcpy(end, "/vivace-sim"); /* built in the folder above the tests */
    write_kernel("good.traceg", "0020 ffffffff 0 EXIT 0 0 0");
    write_kernel("stall.traceg", "0020 ffffffff 0 BAR.SYNC 0 0 96\n0030 ffffffff 0 EXIT 0 0 0");
    write_kernel("cut.traceg", "0020 ffffffff 1 R");
    write_kernel("large.traceg", "0020 ffffffff 0 EXIT 0 0 0");
    write_file("other.json", "{\"format\":\"x\"}");
    return 0;
}

/* large.traceg needs more shared memory than any GPU has. stall.traceg states its number of lines. */
static int set_up_more(void **state)
{
    static const struct {
        const char *file, *from, *to;
    } edits[] = {{"large.traceg", "-shmem = 0", "-shmem = 999999"}, {"stall.traceg", "insts = 3", "insts = 4"}};

    if (set_up(state) < 0)
        return -1;
    for (size_t i = 0; i < 2; i++) {
        char *text = read_file(edits[i].file), *rest = text, *at;
        FILE *f = fopen(in_folder(edits[i].file), "w");

        while ((at = strstr(rest, edits[i].from))) {
            fprintf(f, "%.*s%s", (int)(at - rest), rest, edits[i].to);
            rest = at + strlen(edits[i].from);
        }
        fputs(rest, f);
        fclose(f);
        free(text);
    }
    return 0;
}

static int tear_down(void **state)
{
    static const char *const names[] = {"stdin",        "stdout",     "stderr",       "events",     "good.traceg",
                                        "stall.traceg", "cut.traceg", "large.traceg", "other.json", "r0.json",
                                        "r1.json",      "r5.json",    "long.traceg"};

    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        unlink(in_folder(names[i]));
    return rmdir(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_prints_a_line_a_counter),
        cmocka_unit_test(reading_ahead_does_not_show),
        cmocka_unit_test(json_holds_the_result),
        cmocka_unit_test(exit_codes_say_what_went_wrong),
        cmocka_unit_test(what_lies_beside_is_replayed),
        cmocka_unit_test(counters_are_described),
        cmocka_unit_test(a_worker_runs_a_list_of_jobs),
#ifndef __SANITIZE_ADDRESS__
        cmocka_unit_test(a_job_without_memory_says_so),
#endif
        cmocka_unit_test(a_machine_that_cannot_read_or_write_is_not_to_blame_on_the_job),
        cmocka_unit_test(a_wrong_list_of_jobs_is_refused),
    };
    return cmocka_run_group_tests(tests, set_up_more, tear_down);
}
