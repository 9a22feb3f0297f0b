/* simcore/app/vivace_sim.c: the command line of vivace-sim: simulates one kernel; jobs.c simulates a list of jobs
 * for a worker. */
#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/options.h"
#include "base/sandbox.h"
#include "base/strbuf.h"
#include "base/text.h"
#include "simcore/app/simulation.h"
#include "simcore/design.h"
#include "simcore/record/recording.h"

static const char help_text[] =
    "usage: vivace-sim TRACE --gpu NAME|FILE [--json] [--limit-cycles N] [--explain CTA:WARP]\n"
    "                 [--project METHOD] [--series N|auto] [--record FILE] [--no-read-ahead]\n"
    "                 [--launch N] [--from-cta N] [--ctas N] [--caches warm|flushed|replayed[:N]]\n"
    "                 [--allow-foreign-isa] [--partial]\n"
    "                 [--checkpoint FILE [--checkpoint-at N] [--checkpoint-every N]] [--resume FILE]\n"
    "       vivace-sim --describe-counters | --list-gpus | --list-designs | --check-design FILE\n"
    "       vivace-sim --test-sandbox | --job\n"
    "\n"
    "Simulates one kernel launch and prints one line for each counter: name, unit, value.\n"
    "\n"
    "  TRACE                a kernel file of an Accel-Sim trace (kernel-1.traceg; plain, .xz, .gz or .zst)\n"
    "  --gpu NAME|FILE      a built-in GPU design, or a design file: a path with '/' or ending in .json\n"
    "  --json               print the result as one JSON document\n"
    "  --limit-cycles N     stop after N SM cycles\n"
    "  --allow-foreign-isa  simulate also instructions that this GPU does not have, on the nearest unit that it "
    "has\n"
    "  --partial            do not wait at a poll of memory that nothing in the launch writes (another GPU writes "
    "it)\n"
    "  --no-read-ahead      read the trace on the simulating thread: the same result, slower, on one core\n"
    "  --project METHOD     stop when the kernel runs steadily, and project the rest: pkp (as published), "
    "pkp-code\n"
    "                       (as its authors' code), stable (Vivace's own, with an interval; only where the rest "
    "of\n"
    "                       the trace is known)\n"
    "  --launch N           simulate launch N of a .vtrace with several launches; the first is 0\n"
    "  --from-cta N         start at CTA N; the first is 0. A .vtrace is not read up to it\n"
    "  --ctas N             simulate only N CTAs\n"
    "  --caches WHAT        what L2 contains when the launch starts:\n"
    "                       warm (default): what earlier launches left, if the trace contains it. If not, the "
    "launch\n"
    "                       is simulated twice: with empty caches and after itself (cycles_warm_bound);\n"
    "                       flushed: nothing;\n"
    "                       replayed: what earlier launches leave. They are in the same .vtrace or in the list of\n"
    "                       kernels beside the trace, and are replayed without timing; with --from-cta also the\n"
    "                       CTAs before that one; replayed:N: only the last N launches\n"
    "  --explain CTA:WARP   print, instead of counters, each instruction of one warp: when it issued, what it "
    "waited\n"
    "                       for, and where its memory requests were at which time\n"
    "  --series N           record counters in intervals of N cycles. The length is doubled when there are more "
    "than\n"
    "                       4096 intervals; auto: a length that gives at most 2048 intervals\n"
    "  --record FILE        the file for the series, for `vivace record` (with --series, default: series.vrec)\n"
    "  --checkpoint FILE    write the whole state of the simulation to a file, for --resume\n"
    "  --checkpoint-at N    write it at cycle N (0: when the first CTA can start)\n"
    "  --checkpoint-every N write it again every N cycles, and replace the one before\n"
    "  --resume FILE        continue from a checkpoint of this trace on this GPU: the final counters are the same\n"
    "  --describe-counters  print every counter with its unit and its meaning\n"
    "  --list-gpus          print the built-in designs\n"
    "  --list-designs       print the built-in designs with their facts and texts, as JSON\n"
    "  --check-design FILE  check a design file and print its facts as JSON\n"
    "  --test-sandbox       try what jobs must not do, and print how far this machine confines them: full, "
    "seccomp,\n"
    "                       landlock, rlimit or none; then the outcome of each test\n"
    "  --job                for workers: read a list of jobs as JSON from standard input, report on descriptor 3\n"
    "\n"
    "Try:  vivace-sim kernel-1.traceg --gpu v100\n"
    "      vivace-sim kernel-1.traceg --gpu h100 --json >result.json\n"
    "\n"
    "Exit codes: 0 done; 2 the command line is wrong; 3 the trace or the design is damaged or missing; 4 its "
    "format\n"
    "or version is not supported; 5 trace and GPU do not match: a CTA does not fit into an SM; 6 deadlock: no "
    "warp\n"
    "can continue (the report on standard error says what each waits for); 7 the cycle limit was reached;\n"
    "8 out of memory; 75 try again (reading or writing failed).\n";

static void print_counters(const struct sim_result *r)
{
    for (size_t i = 0; i < r->counter_count; i++)
        printf("%s %s %" PRIu64 "\n", r->counters[i].name, r->counters[i].unit, r->counters[i].value);
}

/* Prints the counters, or the requested explanation. */
static enum exit_code print_result(const struct simulation *s, bool as_json, struct err *e)
{
    char *text;

    if (!as_json && !s->result.explanation) {
        print_counters(&s->result);
        return EXIT_DONE;
    }
    text = s->result.explanation ? explanation_text(s->result.explanation, as_json, e) : simulation_json(s, e);
    if (!text) {
        sim_print_error(e);
        return err_sim_exit_code(e->code);
    }
    fputs(text, stdout);
    free(text);
    return EXIT_DONE;
}

static void say_projected(const struct sim_projected *p, const struct sim_result *r)
{
    if (p->why_not)
        fprintf(stderr, "vivace-sim: simulated whole: %s\n", p->why_not);
    if (p->method == PROJECT_NONE)
        return;
    fprintf(stderr,
            "vivace-sim: projected (%s): stopped at cycle %" PRIu64 " of %" PRIu64 ", %" PRIu64 " of %" PRIu64
            " CTAs had ended; instructions a cycle spread by %.2g %%",
            sim_projection_names[p->method], p->at_cycle, r->cycles, p->ctas_done, p->ctas, 100 * p->spread);
    if (p->method == PROJECT_STABLE)
        fprintf(stderr, "; between %" PRIu64 " and %" PRIu64 " cycles", p->low_cycles, p->high_cycles);
    fputc('\n', stderr);
}

static void say_foreign(const struct simulation *s)
{
    char text[FOREIGN_TEXT_BYTES];

    if (design_is_foreign(s->design, &s->info, text))
        fprintf(stderr, "vivace-sim: warning: %s\n", text);
}

static void say_bound(const struct sim_result *r)
{
    if (r->cycles_warm_bound)
        fprintf(stderr,
                "vivace-sim: the trace does not hold what earlier launches left in the caches: %" PRIu64
                " cycles with empty caches, %" PRIu64 " right after itself\n",
                r->cycles, r->cycles_warm_bound);
}

static enum exit_code run_one(struct sim_input *input, const char *gpu, const struct sim_options *o, bool as_json,
                              bool read_ahead, const char *record)
{
    struct simulation s = {.options = *o, .input = input, .read_ahead = read_ahead};
    struct sim_checkpoint checkpoint;
    struct gpu_design *design = NULL;
    enum exit_code code, printed;
    struct err e;

    if (design_load(gpu, &design, &e) < 0 || !(s.simulator = simulator_new(design, &e))) {
        sim_print_error(&e);
        design_free(design);
        return err_sim_exit_code(e.code);
    }
    s.design = design;
    if (o->checkpoint) {
        checkpoint = *o->checkpoint;
        checkpoint.trace_sha256 = s.trace_sha256;
        s.options.checkpoint = &checkpoint;
    }
    code = simulation_run(&s, input->trace, &e);
    if (!s.result.counters) {
        sim_print_error(&e);
    } else {
        printed = print_result(&s, as_json, &e);
        code = printed ? printed : code;
        if (record && recording_write(s.result.recording, record, &e) < 0) {
            sim_print_error(&e);
            code = err_sim_exit_code(e.code);
        }
    }
    say_foreign(&s);
    say_projected(&s.result.projected, &s.result);
    say_bound(&s.result);
    if (s.result.counters && o->checkpoint && o->checkpoint->path && !s.result.checkpoints)
        fprintf(stderr, "vivace-sim: no checkpoint was written: the run ended before, at cycle %" PRIu64 "\n",
                s.result.cycles);
    if (s.result.report)
        fprintf(stderr, "vivace-sim: %s", s.result.report);
    if (fflush(stdout) != 0) {
        fprintf(stderr, "vivace-sim: standard output: %s\n", strerror(errno));
        code = EXIT_TRY_AGAIN;
    }
    simulation_release(&s);
    sim_input_release(input);
    simulator_free(s.simulator);
    design_free(design);
    return code;
}

/* --- the command line --- */

static enum exit_code describe_counters(void)
{
    struct err e;
    size_t n;
    struct sim_counter *list = sim_counters_describe(&n, &e);

    if (!list) {
        sim_print_error(&e);
        return SIM_EXIT_MEMORY;
    }
    for (size_t i = 0; i < n; i++)
        printf("%s [%s] %s\n", list[i].name, list[i].unit, list[i].sentence);
    free(list);
    return EXIT_DONE;
}

/* Returns name, hash, whole text and the facts that the server stores for a design. A new reference. */
static json_t *design_facts(const struct gpu_design *d)
{
    json_t *names = json_array();
    struct err e;
    char *text = design_file_text(d, &e);
    json_t *facts;
    const char *at = design_gpu_names(d);

    while (*at) {
        size_t n = strcspn(at, "|");

        if (n > 0)
            json_array_append_new(names, json_stringn(at, n));
        at += n + (at[n] == '|');
    }
    facts =
        json_pack("{s:s, s:s, s:s, s:f, s:I, s:o}", "name", design_name(d), "json", text, "sha256",
                  design_sha256(d), "clock_hz", design_clock_hz(d), "sms", (json_int_t)d->sms, "gpu_names", names);
    free(text);
    return facts;
}

static enum exit_code print_facts(json_t *facts)
{
    char *text = json_dumps(facts, JSON_COMPACT);

    if (text)
        puts(text);
    free(text);
    json_decref(facts);
    return text ? EXIT_DONE : SIM_EXIT_MEMORY;
}

/* The server calls this with files of its users, so the process gives up its rights first. */
static enum exit_code check_design(const char *path)
{
    struct strbuf file = STRBUF_INIT; /* "./x" is a file, but "x" is a built-in design */
    const struct sandbox_path paths[] = {{path, false}};
    const struct sandbox_rules rules = {.open_files = 16, .paths = paths, .path_count = 1};
    enum sandbox_level level;
    struct gpu_design *d = NULL;
    json_t *facts;
    struct err e;
    int ret = -1;

    strbuf_addf(&file, "%s%s", strchr(path, '/') ? "" : "./", path);
    if (file.failed)
        err_no_memory(&e);
    else if (sandbox_enter(&rules, &level, &e) == 0)
        ret = design_load(file.text, &d, &e);
    strbuf_release(&file);
    if (ret < 0) {
        sim_print_error(&e);
        return err_sim_exit_code(e.code);
    }
    facts = design_facts(d);
    design_free(d);
    return print_facts(facts);
}

static enum exit_code list_designs(void)
{
    json_t *list = json_array();
    struct gpu_design *d;
    struct err e;

    for (const char *const *name = design_builtin_names(); *name; name++) {
        if (design_load(*name, &d, &e) < 0) {
            json_decref(list);
            sim_print_error(&e);
            return err_sim_exit_code(e.code);
        }
        json_array_append_new(list, design_facts(d));
        design_free(d);
    }
    return print_facts(list);
}

static enum exit_code usage(const char *text)
{
    fprintf(stderr, "vivace-sim: %s\n  `vivace-sim --help` lists all options.\n", text);
    return SIM_EXIT_USAGE;
}

/* "3:0" */
static int parse_warp(const char *text, struct sim_warp *out, struct err *e)
{
    const char *colon = strchr(text, ':');
    char cta[24];
    uint64_t warp;

    if (!colon || (size_t)(colon - text) >= sizeof cta)
        return err_set(e, ERR_USAGE, "--explain: name a CTA and a warp of it, for example 0:0");
    snprintf(cta, sizeof cta, "%.*s", (int)(colon - text), text);
    if (parse_u64(cta, "--explain: the CTA", &out->cta, e) < 0 ||
        parse_u64(colon + 1, "--explain: the warp", &warp, e) < 0)
        return -1;
    if (warp > 31)
        return err_set(e, ERR_USAGE, "--explain: a CTA has at most 32 warps, numbered from 0");
    out->warp = (uint32_t)warp;
    return 0;
}

/* "500" or "auto" */
static int parse_interval(const char *text, uint32_t *out, struct err *e)
{
    uint64_t n;

    *out = SIM_RECORD_AUTO;
    if (strcmp(text, "auto") == 0)
        return 0;
    if (parse_u64(text, "--series", &n, e) < 0)
        return -1;
    *out = (uint32_t)n;
    return n >= 1 && n <= 1000000000 ? 0 : err_set(e, ERR_USAGE, "--series: auto, or 1 to 1000000000 cycles");
}

static const struct option_spec specs[] = {
    {"gpu", 0, OPTION_VALUE},
    {"json", 0, OPTION_FLAG},
    {"limit-cycles", 0, OPTION_VALUE},
    {"no-read-ahead", 0, OPTION_FLAG},
    {"allow-foreign-isa", 0, OPTION_FLAG},
    {"partial", 0, OPTION_FLAG},
    {"record", 0, OPTION_VALUE},
    {"series", 0, OPTION_VALUE},
    {"project", 0, OPTION_VALUE},
    {"checkpoint", 0, OPTION_VALUE},
    {"checkpoint-at", 0, OPTION_VALUE},
    {"checkpoint-every", 0, OPTION_VALUE},
    {"resume", 0, OPTION_VALUE},
    {"launch", 0, OPTION_VALUE},
    {"from-cta", 0, OPTION_VALUE},
    {"ctas", 0, OPTION_VALUE},
    {"caches", 0, OPTION_VALUE},
    {"explain", 0, OPTION_VALUE},
    {"describe-counters", 0, OPTION_FLAG},
    {"list-gpus", 0, OPTION_FLAG},
    {"list-designs", 0, OPTION_FLAG},
    {"check-design", 0, OPTION_VALUE},
    {"test-sandbox", 0, OPTION_FLAG},
    {"job", 0, OPTION_FLAG},
    {"help", 'h', OPTION_FLAG},
    {"version", 0, OPTION_FLAG},
};
/* Option letters, in the order of specs. */
static const char codes[] = "gjlRFqripcaesnfmkxdLDCSJhv";

/* The parsed command line. */
struct line {
    const char *gpu, *record;
    uint32_t interval;
    struct sim_options o;
    struct sim_warp warp;
    struct sim_checkpoint checkpoint;
    struct sim_input input;
    bool as_json, read_ahead;
    char act; /* one of codes: an action instead of a simulation; 0: none */
    const char *what;
};

static int wrong_option(void *ctx, enum option_fault fault, size_t at, const char *word, struct err *e)
{
    (void)ctx;
    if (fault == OPTION_UNKNOWN)
        return err_set(e, ERR_USAGE, "unknown option `%s`", word);
    return err_set(e, ERR_USAGE, "--%s %s", specs[at].name,
                   fault == OPTION_NEEDS_VALUE ? "needs a value" : "takes no value");
}

static int take_option(void *ctx, size_t at, const char *value, struct err *e)
{
    struct line *l = ctx;
    struct sim_options *o = &l->o;

    switch (codes[at]) {
    case 'g': l->gpu = value; return 0;
    case 'j': l->as_json = true; return 0;
    case 'l': return parse_u64(value, "--limit-cycles", &o->limit_cycles, e);
    case 'R': l->read_ahead = false; return 0;
    case 'F': o->native_only = false; return 0;
    case 'q': o->partial = true; return 0;
    case 'r': l->record = value; return 0;
    case 'i': return parse_interval(value, &l->interval, e);
    case 'p':
        if (sim_projection_read(value, &o->projection, &o->projection_limit) < 0)
            return err_set(e, ERR_USAGE, "--project: pkp, pkp-code, stable, or stable:PERCENT from 1 to 8");
        return 0;
    case 'c': l->checkpoint.path = value; return 0;
    case 'a': return parse_u64(value, "--checkpoint-at", &l->checkpoint.at_cycle, e);
    case 'e': return parse_u64(value, "--checkpoint-every", &l->checkpoint.every, e);
    case 's': l->checkpoint.resume = value; return 0;
    case 'n': l->input.has_launch = true; return parse_u64(value, "--launch", &l->input.launch, e);
    case 'f': return parse_u64(value, "--from-cta", &l->input.ctas.first, e);
    case 'm': return parse_u64(value, "--ctas", &l->input.ctas.count, e);
    case 'k':
        if (sim_caches_parse(value, &o->caches, &l->input.replay_launches) < 0 || o->caches == SIM_CACHES_KEPT)
            return err_set(e, ERR_USAGE, "--caches: warm, flushed, replayed or replayed:N");
        l->input.replayed = o->caches == SIM_CACHES_REPLAYED;
        return 0;
    case 'x': o->explain = &l->warp; return parse_warp(value, &l->warp, e);
    default:
        l->act = codes[at];
        l->what = value;
        return 1;
    }
}

/* Performs actions other than the simulation of a trace. */
static enum exit_code act_instead(const struct line *l)
{
    switch (l->act) {
    case 'd': return describe_counters();
    case 'L':
        for (const char *const *name = design_builtin_names(); *name; name++)
            puts(*name);
        return EXIT_DONE;
    case 'D': return list_designs();
    case 'C': return check_design(l->what);
    case 'S': return test_sandbox();
    case 'J': return run_jobs();
    case 'h': fputs(help_text, stdout); return EXIT_DONE;
    default: puts("vivace-sim " SIMCORE_VERSION); return EXIT_DONE;
    }
}

int main(int argc, char **argv)
{
    struct line l = {.read_ahead = true, .o.native_only = true};
    struct options options = {.specs = specs,
                              .count = sizeof specs / sizeof *specs,
                              .ctx = &l,
                              .take = take_option,
                              .fault = wrong_option};
    struct sim_checkpoint *checkpoint = &l.checkpoint;
    struct sim_input *input = &l.input;
    struct err e;
    int words;

    if (options_read(&options, argc, argv, &words, &e) < 0)
        return usage(e.text);
    if (l.act)
        return act_instead(&l);
    if (words + 1 != argc)
        return usage(words == argc ? "missing trace: give a kernel file" : "only one trace can be given");
    if ((checkpoint->at_cycle || checkpoint->every) && !checkpoint->path)
        return usage("missing file of the checkpoint: add --checkpoint FILE");
    if (!cta_range_is_all(&input->ctas) && (l.o.projection || checkpoint->path || checkpoint->resume))
        return usage(
            "--from-cta and --ctas cannot be combined with --project or checkpoints, which need whole launches");
    if (input->has_launch && (checkpoint->path || checkpoint->resume))
        return usage("--launch cannot be combined with checkpoints, which need a file with one launch");
    input->trace = argv[words];
    if (checkpoint->path || checkpoint->resume)
        l.o.checkpoint = checkpoint;
    if (l.record && !l.interval)
        l.interval = SIM_RECORD_AUTO;
    else if (l.interval && !l.record)
        l.record = "series.vrec";
    l.o.record_interval_cycles = l.interval;
    if (!l.gpu)
        return usage("missing GPU: add --gpu NAME, for example --gpu v100");
    return run_one(input, l.gpu, &l.o, l.as_json, l.read_ahead, l.record);
}
