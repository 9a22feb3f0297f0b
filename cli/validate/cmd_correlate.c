/* vivace correlate: simulated launches against measured ones: times and counters. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "cli/validate/correlate.h"
#include "cli/input/input_file.h"

static const char help_text[] =
    "Compares simulated launches with measurements of the same launches. This shows how accurate the\n"
    "simulator is for your GPU and your kernels.\n"
    "\n"
    "MEASURED is a profile with times: of Nsight Systems, Nsight Compute (`ncu --csv`) or PyTorch. From Nsight\n"
    "Compute the counters are compared too: instructions, sectors of L1, L2 and DRAM, passes of shared memory.\n"
    "SIMULATED is what `vivace simulate --json` printed for traces of the same program, with --metrics for "
    "counters.\n"
    "\n"
    "Launches are paired by their number in the run. If kernels do not agree at these numbers, and no plan left\n"
    "launches out, the k-th launch of a kernel is paired with the k-th launch of the same kernel.\n"
    "\n"
    "  ratio      simulated / measured: above 1 the simulation is too slow\n"
    "  error      mean of |ratio - 1|\n"
    "  cause      for the worst launches, the counter that differs in the same direction, and most\n"
    "\n"
    "Simulated times are cycles at the clock of the measurement. Nsight Compute states it; otherwise give --clock, "
    "or\n"
    "the clock of the design is used.\n"
    "\n"
    "Examples:\n"
    "  ncu --csv --page raw --print-units base --set full ./app >measured.csv\n"
    "  vivace simulate traces/ --gpu a100 --metrics --json >simulated.json\n"
    "  vivace correlate measured.csv simulated.json\n"
    "  vivace correlate report.sqlite simulated.json --gpu v100 --clock 1380 --csv >pairs.csv\n";

struct request {
    const char *gpu;
    double clock_mhz; /* NaN: not given */
    struct cli_output output;
};

/* --- the two sides --- */

static int read_measured(const char *path, struct correlate *c, struct err *e)
{
    struct ingest_options options = {.progress = cli_reading, .counters = true};
    struct input_file in;
    int ret = input_file_open(&in, path, e);

    if (ret == 0) {
        options.display_name = in.name;
        ret = ingest_file(in.path, &options, &c->measured, &c->report, e);
    }
    input_file_close(&in);
    if (ret < 0)
        return -1;
    if (c->measured.unit == PROFILE_NS)
        return 0;
    err_set(e, ERR_INVALID, "%s has no measured times, only %s", path, profile_unit_words(c->measured.unit));
    return err_hint(e, "MEASURED is a report of nsys or ncu, or a trace of PyTorch's profiler, from a GPU.");
}

static void set_clock(const struct request *q, struct correlate *c)
{
    const struct import_report *r = &c->report;

    c->clock_from = q->clock_mhz > 0 ? CLOCK_GIVEN : r->clock_measured ? CLOCK_MEASURED : CLOCK_OF_DESIGN;
    c->clock_hz = q->clock_mhz > 0    ? q->clock_mhz * 1e6
                  : r->clock_measured ? (r->clock_low_hz + r->clock_high_hz) / 2
                                      : c->simulated.clock_hz;
}

/* By number, unless the order of each kernel pairs more launches. A part of a run has no such order. */
static int pair_up(struct correlate *c, struct err *e)
{
    struct match by_order = {0};

    if (match_by_number(&c->simulated.profile, c->simulated.number, &c->measured, &c->match, e) < 0)
        return -1;
    c->by_number = true;
    if (c->match.matched == c->simulated.profile.count || !c->simulated.whole)
        return 0;
    if (match_profiles(&c->simulated.profile, &c->measured, &by_order, e) < 0) {
        match_release(&by_order);
        return -1;
    }
    if (by_order.matched > c->match.matched) {
        match_release(&c->match);
        c->match = by_order;
        c->by_number = false;
    } else {
        match_release(&by_order);
    }
    return 0;
}

static int no_pairs(const struct correlate *c, struct err *e)
{
    char a[MATCH_LAUNCH], b[MATCH_LAUNCH];

    err_set(e, ERR_INVALID, "no simulated launch was measured: the first simulated ones are %s, and %s",
            match_launch_text(&c->simulated.profile, 0, a), match_launch_text(&c->measured, 0, b));
    return err_hint(e,
                    "Both files must come from the same program; `vivace inspect` shows the kernels of a profile.");
}

/* Launches of 0 ns were measured too coarsely to be compared. */
static int make_pairs(struct correlate *c, struct err *e)
{
    const struct profile *s = &c->simulated.profile;

    c->pairs = mem_zalloc(s->count, sizeof *c->pairs, e);
    if (!c->pairs)
        return -1;
    for (uint64_t i = 0; i < s->count; i++) {
        uint64_t other = c->match.of[i];

        if (other == MATCH_NONE || c->measured.value[other] == 0)
            continue;
        c->pairs[c->count++] = (struct pair){.simulated = i,
                                             .measured = other,
                                             .simulated_s = (double)s->value[i] / c->clock_hz,
                                             .measured_s = (double)c->measured.value[other] / 1e9};
    }
    return c->count ? 0 : no_pairs(c, e);
}

static int compare_times(struct correlate *c, struct err *e)
{
    double *times = mem_zalloc(2 * c->count, sizeof *times, e);

    if (!times)
        return -1;
    for (size_t i = 0; i < c->count; i++) {
        times[i] = c->pairs[i].measured_s;
        times[c->count + i] = c->pairs[i].simulated_s;
    }
    c->times = correlation_of(times, times + c->count, c->count);
    free(times);
    return 0;
}

/* --- counters --- */

/* The measured value of a simulator's counter; NaN: not measured. */
static double measured_counter(const struct profile *p, const char *name, uint64_t launch)
{
    const struct features *f = p->features;
    const double *loads, *local, *threads;

    if (!f)
        return NAN;
    for (size_t r = 0; r < f->response_count; r++)
        if (strcmp(f->responses[r].name, name) == 0)
            return f->responses[r].values[launch];
    if (launch >= f->known)
        return NAN;
    loads = f->metrics[FEATURE_GLOBAL_LOAD_SECTORS];
    local = f->metrics[FEATURE_LOCAL_LOAD_SECTORS];
    threads = f->metrics[FEATURE_THREADS_PER_INSTRUCTION];
    if (strcmp(name, "warp_instructions") == 0)
        return f->instructions ? (double)f->instructions[launch] : NAN;
    if (strcmp(name, "lane_instructions") == 0)
        return f->instructions && threads ? (double)f->instructions[launch] * threads[launch] : NAN;
    if (strcmp(name, "l1_load_sectors") == 0) /* the simulator counts loads from local memory too */
        return loads && local ? loads[launch] + local[launch] : NAN;
    return NAN;
}

static int compare_counter(const struct correlate *c, int counter, struct counter_pair *out, struct err *e)
{
    uint64_t above = 0;

    *out = (struct counter_pair){.counter = counter};
    out->measured = mem_zalloc(c->count, sizeof *out->measured, e);
    if (!out->measured)
        return -1;
    for (size_t i = 0; i < c->count; i++) {
        double x = measured_counter(&c->measured, metric_counters[counter], c->pairs[i].measured);
        double y = c->simulated.counters[c->pairs[i].simulated][counter];

        out->measured[i] = x;
        if (isnan(x) || isnan(y))
            continue;
        out->pairs++;
        out->total_measured += x;
        out->total_simulated += y;
        if (x > 0) {
            out->error += fabs(y / x - 1);
            above++;
        }
    }
    out->error = above ? out->error / (double)above : NAN;
    return 0;
}

static int compare_counters(struct correlate *c, struct err *e)
{
    c->counters = mem_zalloc(METRIC_COUNTERS, sizeof *c->counters, e);
    if (!c->counters)
        return -1;
    for (int k = 0; k < METRIC_COUNTERS; k++) {
        struct counter_pair *to = &c->counters[c->counter_count];

        if (compare_counter(c, k, to, e) < 0)
            return -1;
        if (to->pairs)
            c->counter_count++;
        else
            free(to->measured);
    }
    return 0;
}

/* --- the command --- */

static int correlate(const struct request *q, struct correlate *c, struct err *e)
{
    if (simulated_read(c->simulated_path, q->gpu, &c->simulated, e) < 0 ||
        read_measured(c->measured_path, c, e) < 0)
        return -1;
    set_clock(q, c);
    if (pair_up(c, e) < 0 || make_pairs(c, e) < 0 || compare_times(c, e) < 0 || compare_counters(c, e) < 0)
        return -1;
    cli_progress_end();
    return q->output.json  ? correlate_print_json(c, e)
           : q->output.csv ? correlate_print_csv(c, e)
                           : correlate_print_text(c, e);
}

static void correlate_release(struct correlate *c)
{
    for (size_t k = 0; k < c->counter_count; k++)
        free(c->counters[k].measured);
    free(c->counters);
    free(c->pairs);
    match_release(&c->match);
    simulated_release(&c->simulated);
    profile_release(&c->measured);
    import_report_release(&c->report);
}

int cmd_correlate(int argc, char **argv)
{
    struct request q = {.clock_mhz = NAN};
    const struct cli_option options[] = {
        {"gpu", 'g', CLI_TEXT, "NAME", &q.gpu, "the design whose results are compared, if SIMULATED has several"},
        {"clock", 0, CLI_DOUBLE, "MHZ", &q.clock_mhz, "the GPU's SM clock while it was measured"},
        {NULL, 0, CLI_FLAG, NULL, NULL, NULL},
    };
    const struct cli_usage usage = {.command = "correlate",
                                    .synopsis = "MEASURED SIMULATED.json [--gpu NAME] [--clock MHZ]",
                                    .text = help_text,
                                    .options = options,
                                    .output = &q.output,
                                    .csv = true,
                                    .least_args = 2,
                                    .most_args = 2};
    struct correlate c = {0};
    struct cli_args args;
    struct err e;
    int ret, parsed = cli_parse(&usage, argc, argv, &args, &e);

    if (parsed)
        return cli_parsed(parsed, &e);
    profile_init(&c.measured);
    profile_init(&c.simulated.profile);
    import_report_init(&c.report);
    c.measured_path = args.items[0];
    c.simulated_path = args.items[1];
    cli_progress_begin(&q.output);
    ret = !(isnan(q.clock_mhz) || (q.clock_mhz > 0 && q.clock_mhz <= 10000))
              ? err_set(&e, ERR_USAGE, "--clock must be a number of MHz above 0, up to 10000")
              : correlate(&q, &c, &e);
    correlate_release(&c);
    return cli_end(ret, &e);
}
