/* vivace ptx run: runs the launches of a list and checks their results. */
#include <inttypes.h>
#include <string.h>

#include "base/clock.h"
#include "cli/nouns.h"
#include "cli/code/ptx_timing.h"
#include "ptx/tools/launch_profile.h"
#include "cli/code/ptx_tools.h"
#include "wire/json.h"

static const char run_text[] =
    "Runs the steps of a launch list on the CPU: copies and fills, and kernels from PTX, with the values that a "
    "GPU would\n"
    "compute. Then the results are compared with those that the list expects. If some differ, the first place, "
    "both values\n"
    "and the number of wrong ones are reported, and the exit code is 65. What kernels print goes to stdout.\n"
    "\n"
    "A fault of a kernel (a bad address, a barrier that never completes, more instructions than --limit) ends the\n"
    "run with the kernel's name, line, CTA and thread, and exit code 70. --strict also takes what the manual "
    "leaves\n"
    "undefined for a fault.\n"
    "\n"
    "--gpu simulates each launch on a GPU design while it runs. L2 keeps its contents from launch to launch.\n"
    "--trace writes the launches to a .vtrace file for `vivace simulate`. Both take machine instructions as a\n"
    "compiler would make them, for the GPU's architecture, and with as many registers as the list, --ptxas or "
    "else\n"
    "an estimate says.\n"
    "\n"
    "--profile writes a profile of the launches, with the warp instructions that each executed, for `vivace "
    "plan`.\n"
    "With --plan only the launches that the plan drew are traced or simulated; the others are run for their "
    "results.\n"
    "\n"
    "Examples:\n"
    "  vivace ptx run examples/vector-add/launches.json\n"
    "  vivace ptx run launches.json --check --gpu h100\n"
    "  vivace ptx run launches.json --trace out.vtrace --kernel softmax --launches 10-20\n"
    "  vivace ptx run launches.json --profile p.csv; vivace plan draw p.csv --error 5% --out plan.json;\n"
    "  vivace ptx run launches.json --plan plan.json --trace drawn.vtrace\n"
    "  vivace ptx run launches.json --json | jq .launches[0].warp_instructions\n"
    "  vivace ptx run launches.json --check       as the first, but a list that expects nothing is an error\n";

struct run_state {
    struct table table;
    struct ptx_timing timing;
    struct launch_profile profile;
    const char *profile_path; /* or NULL */
    struct ptx_tools tools;
    json_t *launches, *expects;
    bool json, failed; /* failed: memory for a row of JSON ran out */
    struct cli_output output;
};

static void on_launch(void *ctx, const char *name, uint64_t number, const struct ptx_exec_stats *s)
{
    struct run_state *r = ctx;

    cli_progress("launch %" PRIu64 " (%s) has run", number + 1, name);
    if (r->json) {
        struct json_obj o = json_obj_begin();

        json_put_str(&o, "name", name);
        json_put_u64(&o, "ctas", s->ctas);
        json_put_u64(&o, "warp_instructions", s->warp_instructions);
        json_put_u64(&o, "lane_instructions", s->lane_instructions);
        json_put_u64(&o, "divergent_branches", s->divergent_branches);
        json_put_u64(&o, "barriers", s->barriers);
        json_put_u64(&o, "undefined", s->undefined);
        if (r->timing.trace || r->timing.gpu)
            json_put(&o, "timing", ptx_timing_json(&r->timing));
        r->failed |= json_push(r->launches, json_obj_end(&o)) != 0;
        return;
    }
    table_text(&r->table, name);
    table_count(&r->table, s->ctas);
    table_count(&r->table, s->warp_instructions);
    table_count(&r->table, s->lane_instructions);
    table_count(&r->table, s->divergent_branches);
    table_count(&r->table, s->barriers);
    ptx_timing_cells(&r->timing, &r->table);
}

/* Runs a launch without a tool. */
static int on_run_plain(void *ctx, const struct launch_list_view *v, const struct ptx_exec_options *o,
                        struct ptx_exec_stats *stats, struct err *e)
{
    struct run_state *r = ctx;

    return ptx_timing_run(&r->timing, v, o, stats, e);
}

static int on_run(void *ctx, const struct launch_list_view *v, const struct ptx_exec_options *o,
                  struct ptx_exec_stats *stats, struct err *e)
{
    struct run_state *r = ctx;
    int ret = ptx_tools_launch(&r->tools, v, o, stats, e);

    if (ret == LIST_RAN && r->profile_path)
        launch_profile_add(&r->profile, v->step->kernel, v->launch->grid, v->launch->block,
                           stats->warp_instructions);
    return ret;
}

static int on_touched(void *ctx, const struct list_touch *t, struct err *e)
{
    return ptx_timing_touched(&((struct run_state *)ctx)->timing, t, e);
}

static void on_check(void *ctx, const char *what, bool good, const char *text)
{
    struct run_state *r = ctx;
    struct json_obj o = json_obj_begin();

    if (!good && !r->json)
        cli_warn("%s", text);
    json_put_str(&o, "what", what);
    json_put_bool(&o, "good", good);
    json_put_str(&o, "text", text);
    r->failed |= json_push(r->expects, json_obj_end(&o)) != 0;
}

/* Writes the printf() output of kernels to `ctx`: stdout, or stderr with --json or --csv, which use stdout. */
static void on_print(void *ctx, const char *text, size_t n)
{
    FILE *to = ctx;

    fwrite(text, 1, n, to);
}

static void on_undefined(void *ctx, const char *text)
{
    (void)ctx;
    cli_warn("%s: the manual leaves the result undefined (reported once; --strict ends here)", text);
}

static int report(struct run_state *r, const struct launch_list_done *d, double seconds, struct err *e)
{
    struct json_obj o;
    char number[4][CLI_NUMBER];

    if (r->json) {
        o = json_obj_begin();
        o.failed |= r->failed;
        json_put_u64(&o, "warp_instructions", d->warp_instructions);
        json_put_u64(&o, "lane_instructions", d->lane_instructions);
        json_put_double(&o, "seconds", seconds);
        json_put(&o, "launches", json_incref(r->launches));
        json_put(&o, "expect", json_incref(r->expects));
        return cli_print_json(json_obj_end(&o), e);
    }
    if (table_print(&r->table, r->output.csv, stdout, e) != 0)
        return -1;
    if (r->output.csv)
        return 0;
    printf("%s, %s warp instructions in %s; %u of %s as expected\n",
           cli_counted(d->launches, "launch", "launches", number[0]), cli_whole(d->warp_instructions, number[1]),
           cli_seconds(seconds, number[2]), d->expects - d->failed,
           cli_counted(d->expects, "result", NULL, number[3]));
    if (d->stopped)
        printf("the run has stopped; the checkpoint is %s\n", r->tools.out);
    ptx_timing_print(&r->timing);
    return 0;
}

static int run(struct run_state *r, const struct launch_list *l, const struct launch_list_options *o, struct err *e)
{
    static const struct table_column columns[] = {{"launch", "launch", false, true},
                                                  {"CTAs", "ctas", true, false},
                                                  {"warp instructions", "warp_instructions", true, false},
                                                  {"lane instructions", "lane_instructions", true, false},
                                                  {"divergent", "divergent_branches", true, false},
                                                  {"barriers", "barriers", true, false}};
    struct table_column all[12];
    size_t own = sizeof columns / sizeof columns[0];
    struct launch_list_done done;
    uint64_t begin = clock_monotonic_us();
    int ret;

    memcpy(all, columns, sizeof columns);
    table_init(&r->table, all, own + ptx_timing_columns(&r->timing, all + own));
    r->launches = json_array();
    r->expects = json_array();
    cli_progress_begin(&r->output);
    ret = launch_list_run(l, o, &done, e);
    cli_progress_end();
    if (ret == 0)
        ret = ptx_timing_finish(&r->timing, done.launches, e);
    if (ret == 0 && r->profile_path)
        ret = launch_profile_write(&r->profile, r->profile_path, e);
    if (ret == 0)
        ret = ptx_tools_end(&r->tools, &done, e);
    if (ret == 0)
        ret = report(r, &done, (double)(clock_monotonic_us() - begin) * 1e-6, e);
    if (ret == 0 && done.failed > 0)
        ret = err_set(e, ERR_INVALID, "%s: %u of %u results differ from the expected ones", l->path, done.failed,
                      done.expects);
    table_release(&r->table);
    json_decref(r->launches);
    json_decref(r->expects);
    return ret;
}

int ptx_cmd_run(int argc, char **argv)
{
    struct run_state r = {0};
    struct launch_list_options o = {
        .launch = on_run, .launched = on_launch, .touched = on_touched, .checked = on_check, .ctx = &r};
    const char *contract = "off";
    bool must_check = false;
    const struct cli_option options[] = {
        {"check", 0, CLI_FLAG, NULL, &must_check, "a list that expects nothing is an error"},
        {"strict", 0, CLI_FLAG, NULL, &o.exec.strict, "undefined behaviour is a fault"},
        {"taken-first", 0, CLI_FLAG, NULL, &o.exec.taken_first,
         "diverged branches run their target first, to find results that depend on the order"},
        {"trace", 0, CLI_PATH, "FILE", &r.timing.trace, "writes the launches' machine instructions to a .vtrace"},
        {"gpu", 0, CLI_PATH, "DESIGN", &r.timing.gpu, "simulates the launches on this GPU design while they run"},
        {"launches", 0, CLI_TEXT, "A-B", &r.timing.launches,
         "trace or simulate only these, numbered from 1; others are only run"},
        {"kernel", 0, CLI_TEXT, "TEXT", &r.timing.kernel, "trace or simulate only kernels whose name holds this"},
        {"profile", 0, CLI_PATH, "FILE", &r.profile_path, "writes a profile: a CSV of the launches and their work"},
        {"plan", 0, CLI_PATH, "PLAN.json", &r.timing.plan,
         "trace or simulate only the launches that this plan drew"},
        {"ptxas", 0, CLI_PATH, "FILE", &r.timing.ptxas, "registers per thread, from the output of `ptxas -v`"},
        {"arch", 0, CLI_U64, "N", &r.timing.arch,
         "machine code of this compute capability, times ten; the design's, or 80"},
        PTX_TOOLS_OPTIONS(&r.tools),
        {"fp-contract", 0, CLI_TEXT, "HOW", &contract,
         "off, or like-ptxas: mul and add without a rounding modifier become one fma"},
        {"limit", 0, CLI_U64, "N", &o.exec.limit_instructions, "maximum number of warp instructions of a launch"},
        {NULL, 0, CLI_FLAG, NULL, NULL, NULL}};
    const struct cli_usage usage = {.command = "ptx run",
                                    .synopsis = "LIST.json [--check] [--gpu DESIGN | --trace FILE] [--strict]",
                                    .text = run_text,
                                    .options = options,
                                    .output = &r.output,
                                    .csv = true,
                                    .least_args = 1,
                                    .most_args = 1};
    struct ptx_warnings warnings = {.say = on_undefined};
    struct launch_list *l = NULL;
    struct cli_args args;
    struct err e;
    int ret = cli_parse(&usage, argc, argv, &args, &e);

    if (ret)
        return cli_parsed(ret, &e);
    launch_profile_init(&r.profile);
    r.json = r.output.json;
    o.exec.print = on_print;
    o.exec.warnings = &warnings;
    o.exec.print_ctx = r.output.json || r.output.csv ? stderr : stdout;
    ret = launch_list_read(args.items[0], &l, &e);
    o.contract = strcmp(contract, "like-ptxas") == 0;
    if (ret == 0 && !o.contract && strcmp(contract, "off") != 0)
        ret = err_set(&e, ERR_USAGE, "--fp-contract: must be off or like-ptxas, not \"%.40s\"", contract);
    if (ret == 0 && must_check && l->expect_count == 0)
        ret = err_set(&e, ERR_INVALID, "%s: --check, but the list has no `expect`", l->path);
    if (ret == 0)
        ret = ptx_timing_begin(&r.timing, &e);
    r.tools.run = on_run_plain;
    r.tools.run_ctx = &r;
    if (ret == 0)
        ret = ptx_tools_begin(&r.tools, &e);
    r.timing.from = r.tools.from;
    if (ret == 0)
        ret = run(&r, l, &o, &e);
    ptx_timing_release(&r.timing);
    launch_profile_release(&r.profile);
    ptx_tools_release(&r.tools);
    launch_list_free(l);
    return cli_end(ret, &e);
}
