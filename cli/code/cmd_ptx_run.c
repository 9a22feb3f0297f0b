/* vivace ptx run: runs the launches of a list and checks their results. */
#include <inttypes.h>
#include <string.h>

#include "base/clock.h"
#include "cli/code/list_report.h"
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
    struct list_report report;
    struct ptx_timing timing;
    struct launch_profile profile;
    const char *profile_path; /* or NULL */
    struct ptx_tools tools;
};

static void on_launch(void *ctx, const char *name, uint64_t number, const struct ptx_exec_stats *s)
{
    list_report_launch(&((struct run_state *)ctx)->report, name, number, s);
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
    list_report_check(&((struct run_state *)ctx)->report, what, good, text);
}

static void on_undefined(void *ctx, const char *text)
{
    (void)ctx;
    cli_warn("%s: the manual leaves the result undefined (reported once; --strict ends here)", text);
}

static int run(struct run_state *r, const struct launch_list *l, const struct launch_list_options *o, struct err *e)
{
    struct launch_list_done done;
    uint64_t begin = clock_monotonic_us();
    int ret;

    list_report_begin(&r->report);
    ret = launch_list_run(l, o, &done, e);
    cli_progress_end();
    if (ret == 0)
        ret = ptx_timing_finish(&r->timing, done.launches, e);
    if (ret == 0 && r->profile_path)
        ret = launch_profile_write(&r->profile, r->profile_path, e);
    if (ret == 0)
        ret = ptx_tools_end(&r->tools, &done, e);
    if (ret == 0)
        ret = list_report_print(&r->report, &done, (double)(clock_monotonic_us() - begin) * 1e-6, e);
    if (ret == 0 && done.stopped && !r->report.output.json && !r->report.output.csv)
        printf("the run has stopped; the checkpoint is %s\n", r->tools.out);
    if (ret == 0 && !r->report.output.json && !r->report.output.csv)
        ptx_timing_print(&r->timing);
    if (ret == 0)
        ret = list_report_verdict(l, &done, e);
    return ret;
}

int ptx_cmd_run(int argc, char **argv)
{
    struct run_state r = {.report.timing = &r.timing};
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
                                    .output = &r.report.output,
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
    o.exec.print = list_report_text;
    o.exec.warnings = &warnings;
    o.exec.print_ctx = list_report_text_to(&r.report);
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
    list_report_release(&r.report);
    ptx_tools_release(&r.tools);
    launch_list_free(l);
    return cli_end(ret, &e);
}
