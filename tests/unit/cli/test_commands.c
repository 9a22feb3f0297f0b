/* cli/commands.c, cli/input/options.c: the help, the command lines that are accepted, and exit codes. */
#include <fcntl.h>
#include <sys/stat.h>

#include "cli/cli.h"
#include "tests/harness/check.h"
#include "wire/json.h"

/* Runs `vivace WORDS…` in this process, with stdout and stderr in memory. Returns the exit code. */
struct said {
    char out[200000], err[20000];
};
static struct said said;

static void slurp(FILE *f, char *to, size_t size)
{
    size_t n;

    rewind(f);
    n = fread(to, 1, size - 1, f);
    to[n] = '\0';
}

static int vivace(const char *line)
{
    char words[2000], *argv[40], program[] = "vivace";
    int argc = 1, code, out = dup(1), err = dup(2);
    FILE *o = tmpfile(), *e = tmpfile();

    argv[0] = program;
    snprintf(words, sizeof words, "%s", line);
    for (char *w = strtok(words, " "); w; w = strtok(NULL, " "))
        argv[argc++] = w;
    argv[argc] = NULL;
    fflush(stdout);
    fflush(stderr);
    dup2(fileno(o), 1);
    dup2(fileno(e), 2);
    code = cli_main(argc, argv);
    fflush(stdout);
    fflush(stderr);
    dup2(out, 1);
    dup2(err, 2);
    close(out);
    close(err);
    slurp(o, said.out, sizeof said.out);
    slurp(e, said.err, sizeof said.err);
    fclose(o);
    fclose(e);
    return code;
}

static void the_help_names_every_command(void **state)
{
    (void)state;
    assert_int_equal(vivace("--help"), 0);
    for (const struct command *c = commands; c->name; c++) {
        char row[40];

        snprintf(row, sizeof row, "\n  %-12s ", c->name);
        if (!strstr(said.out, row))
            fail_msg("--help does not list %s", c->name);
    }
    assert_string_equal(said.err, "");
    assert_int_equal(vivace("--version"), 0);
    assert_string_equal(said.out, "vivace " VIVACE_VERSION "\n");
}

/* `server` and `worker` start other programs. */
static void every_command_explains_itself(void **state)
{
    (void)state;
    for (const struct command *c = commands; c->name; c++) {
        char line[80];

        if (strcmp(c->name, "server") == 0 || strcmp(c->name, "worker") == 0)
            continue;
        snprintf(line, sizeof line, "help %s", c->name);
        if (vivace(line) != 0)
            fail_msg("%s: exit code not 0: %s", line, said.err);
        snprintf(line, sizeof line, "usage: vivace %s", c->name);
        if (!strstr(said.out, line))
            fail_msg("%s --help has no \"%s\"", c->name, line);
        if (strlen(said.out) < 300)
            fail_msg("%s --help teaches too little: %s", c->name, said.out);
        if (!strstr(said.out, "vivace ") || !strstr(said.out, "--help"))
            fail_msg("%s --help shows neither example nor options", c->name);
    }
}

static const struct {
    const char *line;
    int code;
    const char *part; /* of stderr */
} wrong[] = {
    {"", 64, "a command is missing"},
    {"simulat x", 64, "did you mean `vivace simulate`?"},
    {"frobnicate", 64, "there is no command `frobnicate`"},
    {"simulate", 64, "usage: vivace simulate"},
    {"push x.csv --workload k\xff", 64, "--workload: \"k?\" is not UTF-8"},
    {"design scale v100 --set l2.size=\xff", 64, "--set: \"l2.size=?\" is not UTF-8"},
    {"simulate /nowhere --gpu \xff.json", 66, "?.json"},
    {"trace features x --gpu \xff.json", 66, "?.json"},
    {"plan check /nowhere --profile y --list \xff", 66, "/nowhere"},
    {"simulate a b", 64, "unexpected argument `b`"},
    {"simulate a", 64, "--gpu is missing"},
    {"simulate a --gpus v100", 64, "did you mean --gpu?"},
    {"simulate a --gpu", 64, "--gpu needs a value"},
    {"simulate a --gpu v100 -j many", 64, "--jobs"},
    {"simulate a --gpu v100 -j 0", 64, "--jobs: must be a whole number of 1 or more"},
    {"simulate a --gpu v100 --ctas 0", 64, "--ctas: must be a whole number of 1 or more"},
    {"simulate a --gpu v100,", 64, "must be a list of names such as A,B, not `v100,`"},
    {"simulate a --gpu ,v100", 64, "must be a list of names such as A,B, not `,v100`"},
    {"run x --gpu v100,", 64, "must be a list of names such as A,B, not `v100,`"},
    {"run x --gpu v100 --until 2% --looks 0", 64, "--looks: must be a whole number of 1 or more"},
    {"simulate a --gpu v100 --json --csv", 64, "cannot be combined"},
    {"simulate a --gpu v100 --metrics", 64, "--metrics needs a plan"},
    {"simulate a --gpu v100 --streams serial --metrics --csv", 64, "without --streams"},
    {"simulate a --gpu v100 --json=yes", 64, "takes no value"},
    {"simulate a -Z", 64, "unknown option"},
    {"simulate /nowhere --gpu v100", 66, "/nowhere"},
    {"simulate /nowhere --gpu v100,v100", 64, "two designs are named `v100`"},
    {"simulate /nowhere --gpu no-such-gpu", 66, "no-such-gpu"},
    {"plans create", 64, "usage: vivace plan create PROFILE"},
    {"plan create", 64, "usage: vivace plan create PROFILE"},
    {"plan show x --error 2%", 64, "plan show: unknown option `--error`"},
    {"job", 64, "usage: vivace job VERB"},
    {"job lst", 64, "did you mean `vivace job list`?"},
    {"job retri x", 64, "\"retri\" is none of list, show, retry, redraw, drop"},
    {"results", 64, "usage: vivace result VERB"},
    {"plans create x --error 200%", 64, "--error"},
    {"run x", 64, "--gpu is missing"},
    {"login", 64, "usage: vivace login"},
};

static void what_is_wrong_is_said_with_its_exit_code(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        int code = vivace(wrong[i].line);

        if (code != wrong[i].code)
            fail_msg("vivace %s: exit code %d, want %d (%s)", wrong[i].line, code, wrong[i].code, said.err);
        if (strncmp(said.err, "vivace: ", 8) != 0 || !strstr(said.err, wrong[i].part))
            fail_msg("vivace %s: exit code %d, says \"%s\", want \"%s\"", wrong[i].line, code, said.err,
                     wrong[i].part);
        assert_string_equal(said.out, "");
    }
}

/* Every noun and every verb of it has its own help. */
static void every_verb_explains_itself(void **state)
{
    (void)state;
    for (const struct command *c = commands; c->name; c++) {
        if (!c->noun)
            continue;
        assert_string_equal(c->noun->name, c->name);
        for (const struct cli_subcommand *v = c->noun->verbs; v->name; v++) {
            char line[80], row[80];

            snprintf(line, sizeof line, "help %s", c->name);
            assert_int_equal(vivace(line), 0);
            snprintf(row, sizeof row, "\n  %-14s ", v->name);
            if ((v->summary != NULL) != (strstr(said.out, row) != NULL))
                fail_msg("%s --help and the verb %s", c->name, v->name);
            snprintf(line, sizeof line, "%s %s --help", c->name, v->name);
            assert_int_equal(vivace(line), 0);
            snprintf(line, sizeof line, "usage: vivace %s %s", c->name, v->now ? v->now : v->name);
            if (strncmp(said.out, line, strlen(line)) != 0)
                fail_msg("wanted \"%s\", not: %.200s", line, said.out);
        }
    }
}

/* Command lines of earlier versions keep their meaning: the same failure to reach the farm, or the same usage
 * error. */
static void old_commands_work(void **state)
{
    static const struct {
        const char *old, *now;
    } lines[] = {{"plans --help", "plan --help"},
                 {"plans create --help", "plan create --help"},
                 {"plans --error 2% create --help", "plan create --error 2% --help"},
                 {"plans --sort error --help", "plan list --help"},
                 {"costs --help x", "plan cost --help"},
                 {"traces x --help", "trace missing --help"},
                 {"designs --json --help", "design list --help"},
                 {"designs add --help", "design add --help"},
                 {"runs --csv --help", "run list --help"},
                 {"runs cancel --help", "run cancel --help"},
                 {"watch x --help", "run watch --help"},
                 {"projection x --help", "run projection --help"},
                 {"compare x --help", "run compare --help"},
                 {"jobs x --state done --help", "job list --help"},
                 {"jobs --json retry --help", "job retry --help"},
                 {"results discard --help", "result discard --help"},
                 {"workloads --named show --help", "workload list --help"},
                 {"tokens create --help", "token create --help"},
                 {"users add --help", "user create --help"},
                 {"teams make --help", "team create --help"},
                 {"shares make --help", "share create --help"},
                 {"run x --help", "run create --help"},
                 {"plan x --help", "plan draw --help"}};
    static char first[sizeof said.out];

    (void)state;
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        assert_int_equal(vivace(lines[i].old), 0);
        snprintf(first, sizeof first, "%s", said.out);
        assert_int_equal(vivace(lines[i].now), 0);
        if (strcmp(first, said.out) != 0)
            fail_msg("%s: %.100s; %s: %.100s", lines[i].old, first, lines[i].now, said.out);
    }
    assert_int_equal(vivace("--help"), 0);
    for (const char *const *name = (const char *const[]){"plans", "runs", "jobs", "watch", "compare", NULL}; *name;
         name++) {
        char row[40];

        snprintf(row, sizeof row, "\n  %-12s ", *name);
        assert_null(strstr(said.out, row));
    }
}

static void options_may_stand_anywhere(void **state)
{
    struct cli_output output = {.json = false};
    const char *out = NULL;
    uint64_t n = 0;
    double share = 0;
    const struct cli_option options[] = {{"out", 'o', CLI_PATH, "FILE", &out, "where"},
                                         {"number", 'n', CLI_U64, "N", &n, "how many"},
                                         {"error", 0, CLI_SHARE, "SHARE", &share, "how much"},
                                         {.name = NULL}};
    const struct cli_usage usage = {"test", "A B", "text", options, &output, true, 1, 3};
    char words[][16] = {"test", "first", "-n7", "--error=5%", "--out", "x", "--json", "--", "--csv"};
    char *argv[10] = {NULL};
    struct cli_args args;
    struct err e;

    (void)state;
    for (size_t i = 0; i < 9; i++)
        argv[i] = words[i];
    assert_int_equal(cli_parse(&usage, 9, argv, &args, &e), 0);
    assert_int_equal(args.count, 2);
    assert_string_equal(args.items[0], "first");
    assert_string_equal(args.items[1], "--csv");
    assert_string_equal(out, "x");
    assert_int_equal(n, 7);
    CHECK_NEAR(share, 0.05, 1e-12);
    assert_true(output.json && !output.csv);
}

/* Commands that need a farm explain how to log in. A credentials file that others can read is refused. */
static void without_a_login_there_is_a_hint(void **state)
{
    char folder[] = "/tmp/vivace-test-cli-XXXXXX", path[200], command[300];
    FILE *f;

    (void)state;
    assert_non_null(mkdtemp(folder));
    setenv("XDG_CONFIG_HOME", folder, 1);
    unsetenv("VIVACE_SERVER");
    unsetenv("VIVACE_TOKEN");
    unsetenv("VIVACE_TOKEN_FILE");
    assert_int_equal(vivace("workloads"), 77);
    assert_non_null(strstr(said.err, "not logged in"));
    assert_int_equal(vivace("farm"), 77); /* the same as farm show */
    assert_non_null(strstr(said.err, "vivace login URL"));
    snprintf(path, sizeof path, "%s/vivace", folder);
    mkdir(path, 0700);
    snprintf(path, sizeof path, "%s/vivace/credentials", folder);
    f = fopen(path, "w");
    fputs("{\"server\": \"http://127.0.0.1:1\", \"token\": \"vvc_secret\"}", f);
    fclose(f);
    chmod(path, 0644);
    assert_int_equal(vivace("workloads"), 77);
    assert_non_null(strstr(said.err, "can be read by others"));
    assert_null(strstr(said.err, "vvc_secret"));
    chmod(path, 0600);
    setenv("VIVACE_SERVER", "http://127.0.0.1:2", 1); /* the stored token belongs to another server */
    assert_int_equal(vivace("workloads"), 77);
    assert_non_null(strstr(said.err, "the stored token is for http://127.0.0.1:1"));
    assert_non_null(strstr(said.err, "vivace login http://127.0.0.1:2"));
    setenv("VIVACE_SERVER", "http://127.0.0.1:1/", 1); /* the same server */
    assert_int_equal(vivace("workloads"), 69);
    unsetenv("VIVACE_SERVER");
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    assert_int_equal(system(command), 0);
}

/* Simulates a real trace twice with different numbers of processes. The documents are equal. */
static void a_real_trace_is_simulated_the_same_by_all_programs(void **state)
{
    const char *path = shared_data("traces/rodinia-bfs-sm80.tar.zst");
    char line[600];
    uint64_t cycles[16];
    struct err e;
    json_t *v;

    (void)state;
    for (int round = 0; round < 2; round++) {
        const json_t *kernels;

        snprintf(line, sizeof line, "simulate %s --gpu a100 --json -j%d", path, round + 1);
        if (vivace(line) != 0)
            fail_msg("%s: %s", line, said.err);
        v = json_read_text(said.out, strlen(said.out), "simulate --json", &e);
        assert_non_null(v);
        CHECK_OK(json_need_array(v, "kernels", &kernels, &e), &e);
        assert_int_equal(json_array_size(kernels), 16);
        for (size_t i = 0; i < 16; i++) {
            const json_t *k = json_array_get(kernels, i);
            uint64_t c = 0, launch = 0, id = 0;
            uint32_t grid[3];

            CHECK_OK(json_need_u64(k, "cycles", &c, &e), &e);
            CHECK_OK(json_need_u64(k, "launch_cycles", &launch, &e), &e);
            CHECK_OK(json_need_u64(k, "id", &id, &e), &e);
            CHECK_OK(json_need_dim3(k, "grid", grid, &e), &e);
            assert_int_equal(id, i + 1);
            assert_int_equal(grid[0], 8);
            assert_true(launch > 0 && launch < c);
            if (round == 0)
                cycles[i] = c;
            else
                assert_true(cycles[i] == c);
        }
        json_decref(v);
    }
}

static json_t *simulated(const char *line)
{
    struct err e;
    json_t *v, *first;

    if (vivace(line) != 0)
        fail_msg("%s: %s", line, said.err);
    v = json_read_text(said.out, strlen(said.out), line, &e);
    first = json_incref(json_array_get(json_object_get(v, "projections"), 0));
    json_decref(v);
    assert_non_null(first);
    return first;
}

/* Without sampling, the effect of empty caches is the difference of the two totals. Its digits are separate from
 * the projection's. */
static void what_empty_caches_add_is_are_separate(void **state)
{
    const char *path = shared_data("traces/rodinia-bfs-sm80.tar.zst");
    char plan[] = "/tmp/vivace-test-plan-XXXXXX", line[600];
    json_t *empty, *warmed, *caches;
    double few, all, truth;

    (void)state;
    close(mkstemp(plan));
    snprintf(line, sizeof line, "plan %s --method vivace --error 20%% --out %s", path, plan);
    assert_int_equal(vivace(line), 0);
    snprintf(line, sizeof line, "simulate %s --gpu a100 --plan %s --json --caches flushed --cache-check 16", path,
             plan);
    empty = simulated(line);
    caches = json_object_get(json_object_get(empty, "parts"), "cache_state");
    assert_int_equal(json_integer_value(json_object_get(caches, "launches")), 16);
    assert_int_equal(json_integer_value(json_object_get(caches, "missing_before")), 0);
    assert_true(json_is_true(json_object_get(caches, "settled"))); /* no launch has more than 15 before it */
    all = json_number_value(json_object_get(caches, "relative"));
    snprintf(line, sizeof line, "simulate %s --gpu a100 --plan %s --json --caches replayed:16", path, plan);
    warmed = simulated(line);
    truth = json_number_value(json_object_get(warmed, "value_cycles")) /
            json_number_value(json_object_get(empty, "value_cycles"));
    CHECK_NEAR(all, truth - 1, 1e-9);
    assert_true(all < -0.1);
    json_decref(empty);
    snprintf(line, sizeof line, "simulate %s --gpu a100 --plan %s --json --caches flushed --cache-check 4", path,
             plan);
    empty = simulated(line);
    few = json_number_value(
        json_object_get(json_object_get(json_object_get(empty, "parts"), "cache_state"), "relative"));
    assert_true(few < all / 2 && few > 2 * all);
    snprintf(line, sizeof line, "simulate %s --gpu a100 --cache-check 4", path);
    assert_int_equal(vivace(line), 64);
    json_decref(empty);
    json_decref(warmed);
    unlink(plan);
}

static void a_launch_that_cannot_be_simulated_is_a_row(void **state)
{
    const char *path = shared_data("traces/vectoradd-sm80-v5.tar.zst");
    char line[600];

    (void)state;
    snprintf(line, sizeof line, "simulate %s --gpu a100,v100 --limit-cycles 900 --csv", path);
    assert_int_equal(vivace(line), 70);
    assert_ptr_equal(
        strstr(said.out,
               "id,launch,design,name,grid,block,warp_instructions,cycles,cycles_warm_bound,launch_cycles,"
               "gpu_seconds,host_seconds,error\r\n1,0,a100,"),
        said.out);
    assert_non_null(strstr(said.out, "the limit of cycles was reached"));
    assert_non_null(strstr(said.err, "2 of 2 simulations have no result"));
}

static void json_of_inspect_has_all_parts(void **state)
{
    const char *path = shared_data("nsys/saxpy-a100-2022.2.sqlite");
    json_t *doc;
    char line[600];

    (void)state;
    snprintf(line, sizeof line, "inspect %s --by layer --json", path);
    assert_int_equal(vivace(line), 0);
    doc = json_loads(said.out, 0, NULL);
    assert_non_null(doc);
    assert_true(json_array_size(json_object_get(doc, "layers")) > 0);
    assert_true(json_array_size(json_object_get(doc, "classes")) > 0);
    json_decref(doc);
    snprintf(line, sizeof line, "inspect %s --by nothing --json", path);
    assert_int_equal(vivace(line), 64);
}

static void a_part_of_a_grid_is_named(void **state)
{
    const char *path = shared_data("traces/accel-sim-2/first-steps/text");
    char line[600];

    (void)state;
    snprintf(line, sizeof line, "simulate %s --gpu h100 --csv", path);
    assert_int_equal(vivace(line), 0);
    assert_non_null(strstr(said.err, "traces have only a part of their CTAs: 1. The first is launch 2: "));
    snprintf(line, sizeof line, "simulate %s --gpu h100 --csv --partial", path);
    assert_int_equal(vivace(line), 0);
    assert_null(strstr(said.err, "only a part"));
}

static void metrics_add_the_counters_of_each_launch(void **state)
{
    const char *path = shared_data("traces/vectoradd-sm80-v5.tar.zst");
    const json_t *counters;
    char line[600];
    struct err e;
    json_t *plain;

    (void)state;
    snprintf(line, sizeof line, "simulate %s --gpu a100 --metrics --json", path);
    assert_int_equal(vivace(line), 0);
    plain = json_read_text(said.out, strlen(said.out), line, &e);
    counters = json_object_get(json_array_get(json_object_get(plain, "kernels"), 0), "counters");
    assert_true(json_number_value(json_object_get(counters, "l2_read_sectors")) > 0);
    assert_true(json_number_value(json_object_get(counters, "energy_static")) > 0);
    json_decref(plain);
    snprintf(line, sizeof line, "simulate %s --gpu a100 --metrics --csv", path);
    assert_int_equal(vivace(line), 0);
    assert_non_null(strstr(said.out, ",host_seconds,error,lane_instructions,sm_active_cycles,"));
    assert_non_null(strstr(said.out, ",energy_static,energy_idle\r\n"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_help_names_every_command),
        cmocka_unit_test(every_command_explains_itself),
        cmocka_unit_test(what_is_wrong_is_said_with_its_exit_code),
        cmocka_unit_test(every_verb_explains_itself),
        cmocka_unit_test(old_commands_work),
        cmocka_unit_test(options_may_stand_anywhere),
        cmocka_unit_test(without_a_login_there_is_a_hint),
        cmocka_unit_test(a_real_trace_is_simulated_the_same_by_all_programs),
        cmocka_unit_test(what_empty_caches_add_is_are_separate),
        cmocka_unit_test(a_launch_that_cannot_be_simulated_is_a_row),
        cmocka_unit_test(json_of_inspect_has_all_parts),
        cmocka_unit_test(a_part_of_a_grid_is_named),
        cmocka_unit_test(metrics_add_the_counters_of_each_launch),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
