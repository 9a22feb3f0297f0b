/* vivace plan check: compares the launches that a tracer counted with the launches of the profile. */
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cli/input/plan_input.h"
#include "cli/plan/cmd_plan_trace.h"
#include "ingest/launch_check.h"

static const char help_text[] =
    "Compares a tracer's list of launches with the profile of a plan, launch by launch: name, grid, block.\n"
    "The exit code is 0 only if all agree. Otherwise the first difference is reported. The format of the list is\n"
    "recognised by its content:\n"
    "\n"
    "  stats.csv, stats_ctx_* or their folder     Accel-Sim's tracer\n"
    "  kernel_names.txt                           MacSim's tracer\n"
    "  a CSV of `ncu --csv`                       Nsight Compute\n"
    "  a CSV with kernel, grid, block             `vivace plan trace --for list --csv`, or another tool's\n"
    "  a folder or tar of traces, a kernel list   what was recorded, by its headers\n"
    "\n"
    "A profile may cover a part of the run (nsys --delay, --capture-range, a profiler's schedule). Its launches "
    "are\n"
    "then searched in the list. Where they occur more than once, --offset or --range names the place; `vivace "
    "plan\n"
    "trace --offset N` writes the script for it.\n"
    "\n"
    "Examples:\n"
    "  vivace plan check plan.json --profile report.sqlite --list dry-run/\n"
    "  vivace plan check plan.json --profile report.sqlite --context 1 --list stats.csv --json\n"
    "  vivace plan check plan.json --profile report.sqlite --list dry-run/ --range 4000..8221\n";

struct request {
    const char *plan_path, *profile_path, *list, *range;
    uint64_t context, at_least, offset, range_count;
    bool print_part, print_offset;
    struct cli_output output;
};

static void print_people(const struct launch_verdict *v)
{
    char a[CLI_NUMBER], b[CLI_NUMBER], c[CLI_NUMBER];

    printf("%s of %s match", cli_whole(v->matched, a), cli_whole(v->expected, b));
    if (!v->in_order)
        printf(": those that the list names");
    else if (v->matched == v->expected && v->listed > v->expected)
        printf(": launches %s to %s of the list's %s", cli_whole(v->offset, a),
               cli_whole(v->offset + v->matched - 1, b), cli_whole(v->listed, c));
    else if (v->matched < v->expected)
        printf("; the list has no launches after these, which is allowed");
    printf("\n");
    if (v->graph_launches)
        printf("%s launches are replays of CUDA graphs, which this tool does not count\n",
               cli_whole(v->graph_launches, a));
    if (v->groups > 1)
        printf("of %zu parts of the list it is %s\n", v->groups, v->group);
}

static int answer(const struct request *q, const struct launch_verdict *v, const struct profile *p, struct err *e)
{
    if (q->output.json && cli_print_json(launch_verdict_json(v, p), e) < 0)
        return -1;
    if (v->mismatch.there)
        return launch_verdict_refuse(v, p, e);
    if (q->print_offset)
        printf("%" PRIu64 "\n", v->offset);
    if (q->print_part)
        printf("%s\n", v->group);
    if (!q->output.json && !q->print_offset && !q->print_part)
        print_people(v);
    return 0;
}

static int run(const struct request *q, struct err *e)
{
    const struct launch_check_options options = {plan_context_index(q->context), q->at_least,
                                                 q->offset != OFFSET_UNSAID, q->offset};
    struct launch_verdict verdict = {.format = ""};
    struct profile profile;
    struct plan plan;
    int ret = plan_with_profile(q->plan_path, q->profile_path, &q->output, &plan, &profile, e);

    if (ret == 0)
        ret = launch_check_path(q->list, &profile, &options, &verdict, e);
    if (ret == 0 && q->range && verdict.in_order && q->range_count != verdict.calls) {
        err_set(e, ERR_INVALID, "the range has %" PRIu64 " launches, the profile %" PRIu64, q->range_count,
                verdict.calls);
        ret = err_hint(e, "--offset N states only where the profile begins");
    }
    if (ret == 0)
        ret = answer(q, &verdict, &profile, e);
    launch_verdict_release(&verdict);
    plan_release(&plan);
    profile_release(&profile);
    return ret;
}

/* "4000..8221": both ends included, counted from 0. */
static int read_range(struct request *q, struct err *e)
{
    char *end;
    uint64_t first, last;

    if (!q->range)
        return 0;
    errno = 0;
    first = strtoull(q->range, &end, 10);
    if (end == q->range || strncmp(end, "..", 2) != 0 || !isdigit((unsigned char)end[2]) ||
        !isdigit((unsigned char)*q->range))
        goto bad;
    last = strtoull(end + 2, &end, 10);
    if (*end || errno || last < first || last == UINT64_MAX)
        goto bad;
    if (q->offset != OFFSET_UNSAID)
        return err_set(e, ERR_USAGE, "--offset and --range both state where the profile begins: give one of them");
    q->offset = first;
    q->range_count = last - first + 1;
    return 0;
bad:
    err_set(e, ERR_USAGE, "--range %s is not a range of launches", q->range);
    return err_hint(e, "FIRST..LAST, counted from 0: --range 4000..8221");
}

int plan_check_list(int argc, char **argv)
{
    struct request q = {.context = CONTEXT_UNSAID, .offset = OFFSET_UNSAID};
    const struct cli_option options[] = {
        {"profile", 'p', CLI_PATH, "FILE", &q.profile_path, "the file that the plan was made from"},
        {"list", 'l', CLI_PATH, "LIST", &q.list, "the tracer's list: a file or folder"},
        {"context", 'c', CLI_U64, "N", &q.context, "which context of a profile of several, from 0"},
        {"at-least", 0, CLI_U64, "N", &q.at_least, "the list may end after N launches (0: it must be whole)"},
        {"offset", 0, CLI_U64, "N", &q.offset,
         "the profile begins at this launch of the list, from 0 (default: it is searched)"},
        {"range", 0, CLI_TEXT, "A..B", &q.range, "the profile is these launches of the list, from 0"},
        {"print-offset", 0, CLI_FLAG, NULL, &q.print_offset,
         "print only at which launch of the list the profile begins, for scripts"},
        {"print-part", 0, CLI_FLAG, NULL, &q.print_part, "print only which part of the list it was, for scripts"},
        {NULL, 0, CLI_FLAG, NULL, NULL, NULL},
    };
    const struct cli_usage usage = {.command = "plan check",
                                    .synopsis = "PLAN.json --profile FILE --list LIST",
                                    .text = help_text,
                                    .options = options,
                                    .output = &q.output,
                                    .least_args = 1,
                                    .most_args = 1};
    struct cli_args args;
    struct err e;
    int r = cli_parse(&usage, argc, argv, &args, &e);

    if (r)
        return cli_parsed(r, &e);
    q.plan_path = args.items[0];
    if (!q.list) {
        err_set(&e, ERR_USAGE, "missing list");
        err_hint(&e, "Give --list FILE, the list that the tracer wrote in its dry run.");
        return cli_end(-1, &e);
    }
    if (read_range(&q, &e) < 0)
        return cli_end(-1, &e);
    return cli_end(run(&q, &e), &e);
}
