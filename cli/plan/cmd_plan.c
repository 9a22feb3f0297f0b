/* vivace plan: draws the launches to simulate, and reports the number of launches that each represents. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/text.h"
#include "cli/nouns.h"
#include "cli/plan/plan_explain.h"
#include "cli/input/plan_options.h"
#include "cli/plan/plan_pilot.h"
#include "cli/input/profile_input.h"
#include "cli/output/table.h"
#include "sampling/parts/part.h"
#include "wire/plan_json.h"

static const char help_text[] =
    "Makes a plan: which kernel launches to simulate, and how many launches each of them represents.\n"
    "Similar launches form a stratum; from each stratum a few launches are drawn at random. The same\n"
    "file, options and seed give the same plan.\n"
    "\n"
    "  --error 5%        the half-width of the projection's interval, as a share of the total\n"
    "  --confidence 95%  the interval contains the true total in 95 of 100 plans\n"
    "\n"
    "`vivace methods FILE` compares the methods. `vivace simulate --plan` takes the plan file, which\n"
    "docs/formats/plan.md describes. `vivace plan trace PLAN.json` hands it to a tracer, `vivace plan check`\n"
    "compares what the tracer counted. On a farm, `vivace plan create` makes the plan there.\n"
    "\n"
    "Examples:\n"
    "  vivace plan draw report.sqlite --error 5% --out plan.json\n"
    "  vivace plan draw report.sqlite --method pka --features metrics.csv\n"
    "  vivace plan draw a100.sqlite --also h100.sqlite --error 3%\n"
    "  vivace plan draw report.sqlite --method root --error 1% --seed 7\n"
    "  vivace plan draw report.sqlite --by layer --steps 10..19 --out plan.json\n"
    "  vivace plan draw report.sqlite --budget 1% --cost-from seconds.csv --explain\n"
    "  vivace plan draw traces.tar.zst --pilot v100 --error 2% --out plan.json\n"
    "  vivace plan draw run.csv --pilot h100 --traces run.vtrace --pilot-out cycles.json\n"
    "  vivace plan draw report.sqlite --json | jq '.samples[].launch'\n";

#define STRATA_SHOWN 20

struct request {
    const char *path, *method, *out, *by, *only, *steps;
    struct plan_part part;
    struct plan_options plan;
    struct profile_input input;
    struct plan_pilot pilot;
    uint64_t top;
    bool explain;
    struct cli_output output;
};

/* Order: the largest share of the total first. */
static int share_compare(const void *a, const void *b, void *plan)
{
    const struct plan *p = plan;
    const struct plan_stratum *x = &p->strata[*(const size_t *)a], *y = &p->strata[*(const size_t *)b];

    if (x->total != y->total)
        return x->total > y->total ? -1 : 1;
    return *(const size_t *)a < *(const size_t *)b ? -1 : 1;
}

static size_t *strata_by_share(const struct plan *p, struct err *e)
{
    size_t *order = mem_zalloc(p->stratum_count, sizeof *order, e);

    if (!order)
        return NULL;
    for (size_t h = 0; h < p->stratum_count; h++)
        order[h] = h;
    qsort_r(order, p->stratum_count, sizeof *order, share_compare, (void *)p);
    return order;
}

static const char *shape_text(const struct plan_stratum *s, const uint32_t d[3], char out[CLI_NUMBER])
{
    if (s->mixed_shapes)
        return "several";
    if (d[0] == 0)
        return "-";
    snprintf(out, CLI_NUMBER, "%u,%u,%u", d[0], d[1], d[2]);
    return out;
}

static void add_row(struct table *t, const struct plan *p, size_t h)
{
    const struct plan_stratum *s = &p->strata[h];
    bool times = p->unit == PROFILE_NS;
    char text[CLI_NUMBER];

    table_count(t, h);
    table_number(t, (double)s->total / (double)p->total, cli_percent((double)s->total / (double)p->total, text));
    table_count(t, s->population);
    table_count(t, s->samples);
    table_number(t, s->mean, times ? cli_seconds(s->mean * 1e-9, text) : cli_number(s->mean, text));
    table_number(t, s->sd, cli_percent(s->sd / s->mean, text));
    table_text(t, shape_text(s, s->grid, text));
    table_text(t, shape_text(s, s->block, text));
    if (s->domain)
        table_pair(t, s->domain[0] ? s->domain : "(none)", s->domain);
    table_text(t, s->mixed_names ? "several kernels" : s->kernel_name);
}

static int print_strata(const struct plan *p, const size_t *order, size_t shown, bool csv, struct err *e)
{
    char mean[64], sd[64];
    struct table_column columns[] = {
        {"stratum", "stratum", true, false},
        {"share", "share", true, false},
        {"launches", "population", true, false},
        {"samples", "samples", true, false},
        {"mean", mean, true, false},
        {"spread", sd, true, false},
        {"grid", "grid", false, false},
        {"block", "block", false, false},
        {p->part.by, p->part.by, false, true},
        {"kernel", "kernel", false, true},
    };
    size_t count = sizeof columns / sizeof *columns;
    struct table t;
    int ret;

    if (!p->part.by[0]) {
        columns[count - 2] = columns[count - 1];
        count--;
    }
    snprintf(mean, sizeof mean, "mean_%s", profile_unit_name(p->unit));
    snprintf(sd, sizeof sd, "sd_%s", profile_unit_name(p->unit));
    table_init(&t, columns, count);
    for (size_t i = 0; i < shown; i++)
        add_row(&t, p, order[i]);
    ret = table_print(&t, csv, stdout, e);
    table_release(&t);
    return ret;
}

/* Prints the simulation cost by the cost model, and the model, which is given or fitted. */
static void print_cost(const struct plan *p)
{
    double drawn = plan_cost_drawn(p), all = plan_cost_all(p);
    char a[CLI_NUMBER], b[CLI_NUMBER], x[NUM_TEXT], y[NUM_TEXT];

    if (!plan_cost_modelled(&p->params))
        return;
    printf("cost       %s to simulate, of %s for everything (%s less)\n", cli_seconds(drawn, a),
           cli_seconds(all, b), cli_speedup(all / drawn, (char[CLI_NUMBER]){0}));
    printf("           by %s + %s * value seconds a launch, value in %s\n", num_format(p->params.cost_fixed, x),
           num_format(p->params.cost_per_unit, y), profile_unit_words(p->unit));
}

static bool no_spread(const struct plan *p)
{
    for (size_t h = 0; h < p->stratum_count; h++)
        if (p->strata[h].sd > 0)
            return false;
    return true;
}

static void print_promise(const struct plan *p)
{
    double asked = p->params.error;
    bool missed = p->params.budget <= 0 && p->params.share <= 0 && p->promised_error > 1.005 * asked;
    char a[CLI_NUMBER], b[CLI_NUMBER];

    if (isnan(p->promised_error)) {
        printf("promised   nothing%s\n", no_spread(p) ? ": in the profile, launches of a stratum do not differ"
                                         : p->planned_df > 0 && isfinite(p->planned_df)
                                             ? ": too few samples to estimate the total"
                                             : "");
        return;
    }
    printf("promised   ± %s", cli_percent(p->promised_error, a));
    if (missed)
        printf(" where %s was asked for", cli_percent(asked, b));
    if (p->variance == PLAN_VARIANCE_MODEL)
        printf(", model-assisted: from the profile's spread, which single samples cannot confirm");
    else if (!p->promise_valid && p->planned_df > 0)
        printf(", not reliable: see below");
    else if (!p->promise_valid)
        printf(" of the profile; the projection will have no interval");
    printf("\n");
}

static void print_head(const struct plan *p, const struct plan_pilot *pilot)
{
    char a[CLI_NUMBER], b[CLI_NUMBER], text[400];

    printf("method     %s, error %s", p->method, cli_percent(p->params.error, a));
    printf(" at %s, seed %llu\n", cli_percent(p->params.confidence, a), (unsigned long long)p->params.seed);
    printf("simulate   %s of %s", cli_whole(p->sample_count, a), cli_counted(p->launches, "launch", "launches", b));
    printf(" in %s, %s fewer %s\n", cli_counted(p->stratum_count, "stratum", "strata", b),
           cli_speedup(p->speedup, a), p->unit == PROFILE_NS ? "GPU seconds" : profile_unit_words(p->unit));
    part_text(&p->part, text, sizeof text);
    if (text[0])
        printf("part       %s\n", text);
    if (!pilot->gpu && p->unit == PROFILE_WARP_INSTRUCTIONS)
        printf("pilot      none; --pilot GPU simulates a launch of each shape and plans from estimated cycles\n");
    if (pilot->gpu) {
        plan_pilot_text(pilot, p, text, sizeof text);
        cli_print_wrapped("pilot", text, 11);
    }
    print_cost(p);
    print_promise(p);
    plan_assurance_text(p->params.assurance, p->assured, p->assured_noise, text, sizeof text);
    if (text[0])
        printf("assured    %s\n", text);
    if (p->representative)
        printf("interval   none: samples are representatives, chosen by a rule and not drawn\n");
    if (p->zero_launches)
        printf("left out   %s%s of value 0: not part of the total\n",
               cli_counted(p->zero_launches, "launch", "launches", a),
               p->part.only[0] || p->part.steps ? " outside of the part, or" : "");
    if (*p->note)
        cli_print_wrapped("note", p->note, 11);
    if (*p->caution)
        cli_print_wrapped("CAUTION", p->caution, 11);
    printf("\n");
}

static int print_people(const struct plan *p, const size_t *order, const struct request *q, struct err *e)
{
    size_t shown = q->top < p->stratum_count ? (size_t)q->top : p->stratum_count;

    print_head(p, &q->pilot);
    if (print_strata(p, order, shown, false, e) < 0)
        return -1;
    if (shown < p->stratum_count)
        printf("and %zu more strata (--top %zu shows all)\n", p->stratum_count - shown, p->stratum_count);
    if (q->explain) {
        plan_explain_whole(p);
        plan_explain_strata(p, order, shown);
    }
    if (q->pilot.out)
        printf("\nThe profile of estimated cycles is in %s.", q->pilot.out);
    if (q->out)
        printf("\nThe plan is in %s.\n", q->out);
    else
        printf("\nNothing was written; --out PLAN.json keeps the plan.\n");
    return 0;
}

static int print_plan(const struct plan *p, const struct request *q, struct err *e)
{
    size_t *order;
    char text[400];
    int ret;

    if (q->pilot.gpu && (q->output.json || q->output.csv) && !q->output.quiet) {
        plan_pilot_text(&q->pilot, p, text, sizeof text);
        fprintf(stderr, "vivace: pilot: %s\n", text);
    }

    if (q->output.json)
        return plan_to_json(p, true, jw_to_file, stdout, e);
    order = strata_by_share(p, e);
    if (!order)
        return -1;
    ret = q->output.csv ? print_strata(p, order, p->stratum_count, true, e) : print_people(p, order, q, e);
    free(order);
    return ret;
}

/* The part of the workload that the options ask for. */
static int read_part(struct request *q, struct err *e)
{
    enum domain_kind kind;

    if (q->by && domain_kind_from_name(q->by, &kind, e) < 0)
        return -1;
    if (q->only && (!q->only[0] || strlen(q->only) >= sizeof q->part.only))
        return err_set(e, ERR_USAGE, "--only takes a pattern of 1 to %zu bytes", sizeof q->part.only - 1);
    if (q->steps && part_steps_read(q->steps, &q->part, e) < 0)
        return -1;
    snprintf(q->part.by, sizeof q->part.by, "%s", q->by ? q->by : "");
    snprintf(q->part.only, sizeof q->part.only, "%s", q->only ? q->only : "");
    return 0;
}

static int make_plan(struct request *q, struct err *e)
{
    const struct method *method;
    struct profile profile;
    struct plan plan;
    int ret;

    if (plan_options_finish(&q->plan, e) < 0 || plan_options_method(&q->plan, q->method, &method, e) < 0 ||
        plan_options_taken(&q->plan, method, e) < 0 || plan_params_check(&q->plan.params, e) < 0 ||
        plan_pilot_check(&q->pilot, e) < 0 || read_part(q, e) < 0)
        return -1;
    if (q->explain && (q->output.json || q->output.csv))
        return err_set(e, ERR_USAGE, "--explain writes sentences: leave out --json and --csv");
    q->input.needs = method->needs;
    plan_init(&plan);
    cli_progress_begin(&q->output);
    ret = profile_input_read(q->path, &q->input, &profile, e);
    if (ret == 0 && q->pilot.gpu) {
        ret = plan_pilot_run(&q->pilot, q->path, &profile, e);
        if (ret < 0)
            profile_release(&profile);
    }
    cli_progress("planning");
    if (ret == 0)
        ret = part_plan_make(method->name, &profile, &q->plan.params, &q->part, &plan, e);
    cli_progress_end();
    if (ret == 0 && q->out)
        ret = plan_write_path(&plan, q->out, e);
    if (ret == 0)
        ret = print_plan(&plan, q, e);
    plan_release(&plan);
    profile_release(&profile);
    return ret;
}

int plan_draw(int argc, char **argv)
{
    struct request q = {.method = "vivace", .plan = PLAN_OPTIONS_DEFAULT, .top = STRATA_SHOWN};
    const struct cli_option options[] = {
        {"method", 'm', CLI_TEXT, "NAME", &q.method, "one of `vivace methods --list` (vivace)"},
        {"error", 'e', CLI_SHARE, "SHARE", &q.plan.params.error,
         "wanted half-width of the interval, of the total (5%)"},
        PLAN_OPTION_ROWS(q.plan),
        {"by", 0, CLI_TEXT, "PART", &q.by,
         "no stratum crosses a layer, phase, step, rank or class of kernels (--by layer)"},
        {"only", 0, CLI_TEXT, "LAYERS", &q.only,
         "plan only these layers: 'decoder.layers.7.*'; * is any text, . is also /"},
        {"steps", 0, CLI_TEXT, "A..B", &q.steps, "plan only these steps: 10..19, or 12"},
        PROFILE_FEATURES_ROW(q.input),
        PROFILE_ALSO_ROW(q.input),
        PLAN_PILOT_ROWS(q.pilot),
        {"explain", 'x', CLI_FLAG, NULL, &q.explain,
         "say why each stratum got its samples, and what limits the plan"},
        {"out", 'o', CLI_PATH, "PLAN.json", &q.out, "write the plan to this file"},
        {"top", 'n', CLI_U64, "N", &q.top, "how many strata to list, the largest first (20)"},
        {NULL, 0, CLI_FLAG, NULL, NULL, NULL},
    };
    const struct cli_usage usage = {.command = "plan draw",
                                    .synopsis = "FILE|FOLDER [--method NAME] [--error 5%] [--out PLAN.json]",
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
    q.path = args.items[0];
    if (q.out && strcmp(q.out, "-") == 0) { /* to standard output, which then must have no other text */
        q.out = NULL;
        q.output.json = true;
    }
    return cli_end(make_plan(&q, &e), &e);
}
