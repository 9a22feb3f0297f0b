/* worker/sim_process.h with shell scripts in place of vivace-sim: correct, faulty and silent ones. */
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/stat.h>

#include "base/clock.h"
#include "tests/harness/check.h"
#include "worker/sim_process.h"

static char folder[] = "/tmp/vivace-test-sim-XXXXXX";

/* The events in order: "start a", "progress a 5 7", "end a ok", "unstarted b". */
struct story {
    char text[2000];
    char message[WIRE_MESSAGE_BYTES], last_lines[1 << 17];
    double cpu_seconds;
    uint64_t peak_bytes;
    bool exited;
    struct sim_process *process;
    enum sim_stop stop_at_start;
};

static void tell(struct story *s, const char *format, ...) PRINTF_LIKE(2, 3);
static void tell(struct story *s, const char *format, ...)
{
    size_t n = strlen(s->text);
    va_list ap;

    va_start(ap, format);
    vsnprintf(s->text + n, sizeof s->text - n, format, ap);
    va_end(ap);
}

static void started(void *ctx, void *user)
{
    struct story *s = ctx;

    tell(s, "start %s; ", (const char *)user);
    if (s->stop_at_start)
        sim_process_stop(s->process, s->stop_at_start, true);
}

static void progressed(void *ctx, void *user, uint64_t cycles, uint64_t instructions)
{
    tell(ctx, "progress %s %llu %llu; ", (const char *)user, (unsigned long long)cycles,
         (unsigned long long)instructions);
}

static void ended(void *ctx, void *user, const struct sim_end *end)
{
    struct story *s = ctx;

    tell(s, "end %s %s; ", (const char *)user, attempt_outcome_name(end->outcome));
    snprintf(s->message, sizeof s->message, "%s", end->message);
    snprintf(s->last_lines, sizeof s->last_lines, "%s", end->last_lines ? end->last_lines : "");
    s->cpu_seconds = end->cpu_seconds;
    s->peak_bytes = end->peak_bytes;
}

static void unstarted(void *ctx, void *user)
{
    tell(ctx, "unstarted %s; ", (const char *)user);
}

static void exited(void *ctx, struct sim_process *p)
{
    struct story *s = ctx;

    (void)p;
    s->exited = true;
}

static int set_up(void **state)
{
    (void)state;
    memcpy(folder + strlen(folder) - 6, "XXXXXX", 6);
    return mkdtemp(folder) ? 0 : -1;
}

static int tear_down(void **state)
{
    char command[200];

    (void)state;
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    return system(command);
}

/* Prepares a pack of the jobs a, b, c, ... and a script with this body. $input is the text from descriptor 0. */
static void prepare(struct sim_pack *pack, char path[PATH_MAX], const char *script, size_t jobs)
{
    static const char *const ids[] = {"a", "b", "c"};
    FILE *f;

    snprintf(path, PATH_MAX, "%s/sim", folder);
    f = fopen(path, "w");
    fprintf(f, "#!/bin/sh\ninput=$(cat)\nstart() { printf '\\036%%s\\n' \"$1\" >&2; echo \"start $1\" >&3; }\n%s\n",
            script);
    fclose(f);
    chmod(path, 0700);
    *pack = (struct sim_pack){.program = path, .folder = folder, .count = jobs, .kill_after_ms = 300};
    for (size_t i = 0; i < jobs; i++) {
        struct sim_job *j = &pack->jobs[i];

        *j = (struct sim_job){.trace = "/t", .design = "/d.json", .result = "/r", .user = (void *)ids[i]};
        snprintf(j->job, sizeof j->job, "%s", ids[i]);
    }
}

static void run_pack(const struct sim_pack *pack, struct story *s)
{
    struct sim_events events = {started, progressed, ended, unstarted, exited, s};
    uv_loop_t loop;
    struct err e;

    uv_loop_init(&loop);
    CHECK_OK(sim_process_start(&loop, pack, &events, &s->process, &e), &e);
    uv_run(&loop, UV_RUN_DEFAULT);
    assert_int_equal(uv_loop_close(&loop), 0); /* no handle is open */
    assert_true(s->exited);
}

static void run_script(const char *script, size_t jobs, uint64_t time_s, struct story *s)
{
    char path[PATH_MAX];
    struct sim_pack pack;

    prepare(&pack, path, script, jobs);
    for (size_t i = 0; i < jobs; i++)
        pack.jobs[i].time_s = time_s;
    run_pack(&pack, s);
}

static const struct {
    const char *what, *script;
    size_t jobs;
    const char *want, *message;
} cases[] = {
    {"two jobs, one after the other",
     "start a; echo 'progress a 5 7' >&3; echo 'end a ok' >&3; start b; echo 'end b deadlock "
     "CTA 3 waits' >&3",
     2, "start a; progress a 5 7; end a ok; start b; end b deadlock; ", "CTA 3 waits"},
    {"a crash in the middle costs one job", "start a; echo 'end a ok' >&3; start b; kill -SEGV $$", 3,
     "start a; end a ok; start b; end b crash; unstarted c; ", "Segmentation"},
    {"dead before the first job", "exit 3", 2, "end a bad_input; unstarted b; ", "cannot be read"},
    {"dead between two jobs", "start a; echo 'end a ok' >&3; exit 1", 2, "start a; end a ok; unstarted b; ", ""},
    {"out of memory by its own account", "start a; exit 8", 1, "start a; end a memory; ", "more memory"},
    {"killed from outside", "start a; kill -KILL $$", 1, "start a; end a crash; ", "from outside"},
    {"words about other jobs do not count",
     "start b; echo 'end a ok' >&3; start a; echo 'end c "
     "ok' >&3; echo 'end a perhaps' >&3; echo 'end a ok' >&3",
     1, "start a; end a ok; ", ""},
    {"half a line at the end is none", "start a; printf 'end a ok' >&3", 1, "start a; end a crash; ",
     "without a result or an error"},
    {"a line without end is skipped",
     "head -c 100000 /dev/zero | tr '\\0' 'x' >&3; echo >&3; start a; echo 'end a ok' >&3", 1,
     "start a; end a ok; ", ""},
};

static void each_script_ends_as_it_should(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct story *s = calloc(1, sizeof *s);

        run_script(cases[i].script, cases[i].jobs, 0, s);
        if (strcmp(s->text, cases[i].want) != 0 || !strstr(s->message, cases[i].message))
            fail_msg("%s: got \"%s\" (%s), want \"%s\" (%s)", cases[i].what, s->text, s->message, cases[i].want,
                     cases[i].message);
        free(s);
    }
}

/* A child does not inherit open descriptors, such as libcurl's connections, or the worker's settings in the
 * environment. The script writes to each descriptor that it has. */
static void a_child_has_what_it_is_given(void **state)
{
    static const char script[] =
        "ls /proc/$$/fd >had; env >environment; tr '\\0' '\\n' </proc/$$/environ >>environment\n"
        "for n in 4 5 6 7 8 9; do (echo stolen >&$n) 2>/dev/null; done\n"
        "start a; echo 'end a ok' >&3";
    struct story *s = calloc(1, sizeof *s);
    char path[PATH_MAX], text[200], line[200];
    int ends[2], given = 0;
    FILE *f;

    (void)state;
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, ends),
                     0); /* without CLOEXEC, as libcurl opens them */
    for (int fd = 4; fd < 10; fd++)
        if (fcntl(fd, F_GETFD) < 0 && dup2(ends[0], fd) == fd)
            given |= 1 << fd;
    assert_int_not_equal(given, 0);
    setenv("VIVACE_TOKEN", "the worker's secret", 1);
    run_script(script, 1, 0, s);
    unsetenv("VIVACE_TOKEN");
    assert_string_equal(s->text, "start a; end a ok; ");
    assert_int_equal(read(ends[1], text, sizeof text), -1); /* nothing was written */
    text[0] = '\0';
    snprintf(path, sizeof path, "%s/had", folder);
    f = fopen(path, "r");
    assert_non_null(f);
    /* Descriptors from 10 on are the shell's own. A pipe in the script would be open in the shell while `ls` runs.
     */
    while (fgets(line, sizeof line, f))
        if (strlen(line) == 2)
            strcat(text, line);
    fclose(f);
    assert_string_equal(text, "0\n1\n2\n3\n");
    snprintf(path, sizeof path, "%s/environment", folder);
    f = fopen(path, "r");
    assert_non_null(f);
    while (fgets(text, sizeof text, f))
        assert_null(strstr(text, "secret"));
    fclose(f);
    for (int fd = 4; fd < 10; fd++)
        if (given & 1 << fd)
            close(fd);
    close(ends[0]);
    close(ends[1]);
    free(s);
}

static void a_job_that_hangs_meets_its_deadline(void **state)
{
    struct story *s = calloc(1, sizeof *s);
    uint64_t begun = clock_monotonic_us();

    (void)state;
    run_script("start a; exec sleep 600", 2, 1, s);
    assert_string_equal(s->text, "start a; end a timeout; unstarted b; ");
    assert_non_null(strstr(s->message, "within its 1 s"));
    assert_true(clock_monotonic_us() - begun < 600 * UINT64_C(1000000)); /* the sleep was interrupted */
    free(s);
}

static void one_that_does_not_hear_sigterm_is_killed_with_its_children(void **state)
{
    struct story *s = calloc(1, sizeof *s);
    uint64_t begun = clock_monotonic_us();

    (void)state;
    /* The grandchild has the pipes open. They close only because the whole process group is killed. */
    run_script("trap '' TERM; start a; sleep 600 & wait; wait; wait; sleep 600", 1, 1, s);
    assert_string_equal(s->text, "start a; end a timeout; ");
    assert_true(clock_monotonic_us() - begun < 600 * UINT64_C(1000000)); /* the sleep was interrupted */
    free(s);
}

static void what_it_was_asked_and_what_it_sees(void **state)
{
    struct story *s = calloc(1, sizeof *s);
    char path[PATH_MAX];
    struct sim_pack pack;

    (void)state;
    setenv("VIVACE_TOKEN", "very-secret", 1);
    prepare(&pack, path, "start a; printf '%s\\n' \"$input\" >&2; env >&2; echo 'end a unsupported x' >&3", 1);
    pack.memory_bytes = 1 << 30;
    pack.jobs[0].limit_cycles = 99;
    pack.jobs[0].time_s = 20;
    run_pack(&pack, s);
    unsetenv("VIVACE_TOKEN");
    assert_string_equal(s->text, "start a; end a unsupported; ");
    assert_non_null(strstr(s->last_lines, "{\"jobs\":[{\"job\":\"a\",\"trace\":\"/t\",\"design\":\"/d.json\","
                                          "\"result\":\"/r\",\"limit_cycles\":99}],"
                                          "\"limits\":{\"memory_bytes\":1073741824,\"cpu_s\":30}}"));
    assert_null(strstr(s->last_lines, "very-secret"));
    free(s);
}

/* Events and stderr are two pipes without a common order. Marks in stderr show where a job begins. */
static void stderr_of_a_job_is_its_own(void **state)
{
    struct story *s = calloc(1, sizeof *s);

    (void)state;
    run_script(
        "start a; echo 'line of a' >&2; echo 'end a ok' >&3; start b; echo 'line of b' >&2; kill -SEGV $$; sleep 9",
        2, 0, s);
    assert_string_equal(s->text, "start a; end a ok; start b; end b crash; ");
    assert_string_equal(s->last_lines, "line of b\n");
    run_script("start a; echo 'line of a' >&2; echo 'end a ok' >&3; start b; kill -SEGV $$; sleep 9", 2, 0, s);
    assert_string_equal(s->last_lines, "");
    s->text[0] = '\0';
    /* All of stderr arrives before the first event. The job that crashes still gets its own line. */
    run_script("exec 4>&3 3>held; start a; echo 'end a ok' >&3; start b; echo 'end b ok' >&3; start c; "
               "echo 'about to crash' >&2; cat held >&4; kill -SEGV $$; sleep 9",
               3, 0, s);
    assert_string_equal(s->text, "start a; end a ok; start b; end b ok; start c; end c crash; ");
    assert_string_equal(s->last_lines, "about to crash\n");
    free(s);
}

static void of_much_stderr_the_end_is_kept(void **state)
{
    struct story *s = calloc(1, sizeof *s);

    (void)state;
    run_script("start a; i=0; while [ $i -lt 3000 ]; do echo \"line $i of many, many words\" >&2; i=$((i+1)); "
               "done; printf 'odd \\001 byte\\n' >&2; exit 6",
               1, 0, s);
    assert_string_equal(s->text, "start a; end a deadlock; ");
    assert_true(strlen(s->last_lines) > 60000 && strlen(s->last_lines) <= WIRE_LAST_LINES_BYTES);
    assert_int_equal(strncmp(s->last_lines, "line ", 5), 0); /* begins with a complete line */
    assert_non_null(strstr(s->last_lines, "line 2999 of many"));
    assert_non_null(strstr(s->last_lines, "odd ? byte"));
    free(s);
}

static void memory_and_processor_time_are_measured(void **state)
{
    struct story *s = calloc(1, sizeof *s);

    (void)state;
    run_script("start a; i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done; echo 'end a ok' >&3; sleep 0.3", 1, 0,
               s);
    assert_string_equal(s->text, "start a; end a ok; ");
    assert_true(s->cpu_seconds > 0.005 && s->cpu_seconds < 30);
    assert_true(s->peak_bytes > 100000);
    free(s);
}

static void what_is_given_back_says_so(void **state)
{
    struct story *s = calloc(1, sizeof *s);

    (void)state;
    s->stop_at_start = STOP_RELEASE;
    run_script("start a; exec sleep 60", 2, 0, s);
    assert_string_equal(s->text, "start a; end a released; unstarted b; ");
    free(s);
}

static void a_program_that_is_not_there_is_an_error_at_once(void **state)
{
    struct story *s = calloc(1, sizeof *s);
    struct sim_events events = {started, progressed, ended, unstarted, exited, s};
    char path[PATH_MAX];
    struct sim_pack pack;
    uv_loop_t loop;
    struct err e;

    (void)state;
    prepare(&pack, path, "", 1);
    pack.program = "/nowhere/vivace-sim";
    uv_loop_init(&loop);
    CHECK_FAILS(sim_process_start(&loop, &pack, &events, &s->process, &e), &e, ERR_IO, "cannot be started");
    uv_run(&loop, UV_RUN_DEFAULT);
    assert_int_equal(uv_loop_close(&loop), 0);
    assert_string_equal(s->text, "");
    free(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(each_script_ends_as_it_should, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_child_has_what_it_is_given, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_job_that_hangs_meets_its_deadline, set_up, tear_down),
        cmocka_unit_test_setup_teardown(one_that_does_not_hear_sigterm_is_killed_with_its_children, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(what_it_was_asked_and_what_it_sees, set_up, tear_down),
        cmocka_unit_test_setup_teardown(stderr_of_a_job_is_its_own, set_up, tear_down),
        cmocka_unit_test_setup_teardown(of_much_stderr_the_end_is_kept, set_up, tear_down),
        cmocka_unit_test_setup_teardown(memory_and_processor_time_are_measured, set_up, tear_down),
        cmocka_unit_test_setup_teardown(what_is_given_back_says_so, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_program_that_is_not_there_is_an_error_at_once, set_up, tear_down),
    };

    signal(SIGPIPE, SIG_IGN);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
