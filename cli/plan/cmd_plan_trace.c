/* vivace plan trace: writes a plan in the form that a tracer accepts. */
#include "cli/plan/cmd_plan_trace.h"

#include <stdlib.h>
#include <string.h>

#include "cli/input/plan_input.h"
#include "wire/plan_json.h"
#include "wire/tracer.h"

static const char help_text[] =
    "Writes a shell script that records exactly the launches that a plan drew. The script begins with the tool's "
    "own\n"
    "dry run. Then `vivace plan check` compares the tool's list of launches with the profile, and the script stops "
    "at\n"
    "the first difference. Only after that does it trace.\n"
    "\n"
    "  --for accel-sim       Accel-Sim's tracer from May 2025: numbers of launches, in each CUDA context from 1\n"
    "  --for accel-sim-old   Accel-Sim's tracer before: one range of launches a pass\n"
    "  --for macsim          MacSim's tracer: a file of numbers, from 0\n"
    "  --for ncu             Nsight Compute: one call a kernel name, launches of a name from 1\n"
    "  --for list            any other tool: the samples as text, --csv or --json\n"
    "  --for kernelslist     all traces are there already: their kernel list with only the plan's kernels\n"
    "\n"
    "With --missing the argument is a run or a plan on the farm. The script then traces only launches that\n"
    "have no trace yet, such as those that an interim analysis has added. `vivace push TRACES --plan PLAN`\n"
    "uploads the missing traces. PLAN is any plan of the profile.\n"
    "\n"
    "A tracer counts in one process or context; a profile of several needs --context, and a script for each.\n"
    "A script finds out itself where a profile of a part of the run begins; --offset states it beforehand.\n"
    "docs/tracing.md goes through each tool.\n"
    "\n"
    "Examples:\n"
    "  vivace plan trace plan.json --profile report.sqlite --for accel-sim --out trace.sh\n"
    "  TRACER=tracer_tool.so sh trace.sh python train.py\n"
    "  vivace plan trace plan.json --profile report.sqlite --for list --csv >samples.csv\n"
    "  vivace plan trace 0193c2da-… --missing --for accel-sim --out more.sh\n"
    "  vivace plan trace plan.json --profile traces/ --for kernelslist --traces traces/ --out kernelslist.g\n";

struct request {
    const char *plan_path, *profile_path, *tool, *out, *traces;
    uint64_t context, passes, offset;
    bool missing;
    struct cli_output output;
};

int64_t plan_context_index(uint64_t context)
{
    return context == CONTEXT_UNSAID ? -1 : context > INT64_MAX ? INT64_MAX : (int64_t)context;
}

static int put_text(const void *text, jw_sink sink, void *ctx, struct err *e)
{
    const struct strbuf *b = text;

    return sink(ctx, b->text, b->length, e);
}

/* --- output --- */

static int write_list(const struct request *q, const struct plan *plan, const struct profile *profile,
                      struct strbuf *out, struct err *e)
{
    enum tracer_list_format format = q->output.json  ? TRACER_LIST_JSON
                                     : q->output.csv ? TRACER_LIST_CSV
                                                     : TRACER_LIST_TEXT;
    size_t context;

    if (q->context != CONTEXT_UNSAID &&
        profile_choose_context(profile, plan_context_index(q->context), &context, e) < 0)
        return -1;
    if (q->offset && q->context == CONTEXT_UNSAID && profile->context_count > 1)
        return err_set(e, ERR_USAGE, "--offset needs --context N, because it belongs to one context");
    return tracer_list(plan, profile, plan_context_index(q->context), q->offset, format, out, e);
}

static int write_script(const struct request *q, const struct plan *plan, const struct profile *profile,
                        struct strbuf *out, struct err *e)
{
    const struct tracer_paths paths = {q->plan_path, q->profile_path, "traces"};
    const struct tracer_tool *tool = tracer_find(q->tool, e);
    struct strbuf notes = STRBUF_INIT, script = STRBUF_INIT;
    struct tracer_job job;
    size_t context;
    int ret;

    if (!tool) {
        e->code = ERR_USAGE; /* the wrong value is on the command line */
        return -1;
    }
    if (profile_choose_context(profile, plan_context_index(q->context), &context, e) < 0 ||
        tracer_job_init(&job, tool, plan, profile, context, q->offset, e) < 0)
        return -1;
    job.passes_max = (unsigned)q->passes;
    ret = tracer_script(&job, &paths, q->output.json ? &script : out, e);
    if (ret == 0 && q->output.json)
        ret = tracer_job_json(&job, script.text, out, e);
    tracer_notes(&job, &notes);
    if (ret == 0 && !q->output.json && !q->output.quiet)
        fputs(notes.text, stderr);
    strbuf_release(&notes);
    strbuf_release(&script);
    tracer_job_release(&job);
    return ret;
}

static int write_kernel_list(const struct request *q, const struct plan *plan, const struct profile *profile,
                             struct strbuf *out, struct err *e)
{
    size_t context;

    if (!q->traces) {
        err_set(e, ERR_USAGE, "missing kernel list");
        return err_hint(e, "Give --traces FOLDER or --traces FOLDER/kernelslist.g");
    }
    if (profile_choose_context(profile, plan_context_index(q->context), &context, e) < 0)
        return -1;
    return plan_filter_list(plan, profile, context, q->traces, out, e);
}

static int from_files(const struct request *q, struct strbuf *out, struct err *e)
{
    struct profile profile;
    struct plan plan;
    bool list = strcmp(q->tool, "list") == 0, kernel_list = strcmp(q->tool, "kernelslist") == 0;
    int ret = plan_with_profile(q->plan_path, q->profile_path, &q->output, &plan, &profile, e);

    if (ret == 0)
        ret = list          ? write_list(q, &plan, &profile, out, e)
              : kernel_list ? write_kernel_list(q, &plan, &profile, out, e)
                            : write_script(q, &plan, &profile, out, e);
    plan_release(&plan);
    profile_release(&profile);
    return ret;
}

static int from_farm(const struct request *q, struct strbuf *out, struct err *e)
{
    const struct farm_trace_request request = {q->plan_path, q->tool,   plan_context_index(q->context),
                                               q->passes,    q->offset, &q->output};

    if (q->profile_path || strcmp(q->tool, "kernelslist") == 0)
        return err_set(e, ERR_USAGE,
                       "--missing needs the farm: it cannot be combined with --profile or kernelslist");
    return plan_trace_missing(&request, out, e);
}

static int run(const struct request *q, struct err *e)
{
    struct strbuf out = STRBUF_INIT;
    int ret = q->missing ? from_farm(q, &out, e) : from_files(q, &out, e);

    if (ret == 0 && q->output.json)
        strbuf_addc(&out, '\n');
    if (ret == 0)
        ret = jw_write_path(q->out ? q->out : "-", "what a tracer needs", put_text, &out, e);
    strbuf_release(&out);
    return ret;
}

int plan_trace(int argc, char **argv)
{
    struct request q = {.tool = "", .context = CONTEXT_UNSAID, .passes = TRACER_PASSES_MAX};
    const struct cli_option options[] = {
        {"profile", 'p', CLI_PATH, "FILE", &q.profile_path, "the file that the plan was made from"},
        {"for", 'f', CLI_TEXT, "TOOL", &q.tool, "accel-sim, accel-sim-old, macsim, ncu, list or kernelslist"},
        {"context", 'c', CLI_U64, "N", &q.context, "which context of a profile of several, from 0"},
        {"offset", 0, CLI_U64, "N", &q.offset,
         "the profile is of a part of the run: it begins at this launch of the tool's list, from 0"},
        {"out", 'o', CLI_PATH, "FILE", &q.out, "write to this file instead of standard output"},
        {"missing", 'm', CLI_FLAG, NULL, &q.missing, "of a run on the farm: only launches without a trace there"},
        {"traces", 't', CLI_PATH, "FOLDER", &q.traces, "kernelslist: the traces, or their list"},
        {"passes", 0, CLI_U64, "N", &q.passes,
         "maximum number of passes, if each range of launches needs one; launches between near ranges are then "
         "traced, too, and removed (16)"},
        {NULL, 0, CLI_FLAG, NULL, NULL, NULL},
    };
    const struct cli_usage usage = {
        .command = "plan trace",
        .synopsis = "PLAN.json --profile FILE --for TOOL [--out trace.sh] | RUN --missing --for TOOL",
        .text = help_text,
        .options = options,
        .output = &q.output,
        .csv = true,
        .least_args = 1,
        .most_args = 1};
    struct cli_args args;
    struct err e;
    int r = cli_parse(&usage, argc, argv, &args, &e);

    if (r)
        return cli_parsed(r, &e);
    q.plan_path = args.items[0];
    if (!*q.tool || q.passes < 1 || q.passes > 10000) {
        err_set(&e, ERR_USAGE, *q.tool ? "`--passes` must be a number from 1 to 10000" : "for which tracer?");
        err_hint(&e, "Give --for accel-sim, accel-sim-old, macsim, ncu, list or kernelslist");
        return cli_end(-1, &e);
    }
    return cli_end(run(&q, &e), &e);
}
