/* vivace simulate: simulates kernel traces on GPU designs: all launches, or those that a plan drew. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/array.h"
#include "base/clock.h"
#include "cli/nouns.h"
#include "cli/input/plan_input.h"
#include "cli/simulate/simulate_streams.h"
#include "cli/simulate/simulation.h"
#include "wire/plan_json.h"

static const char help_text[] =
    "Simulates every kernel launch of a set of traces on one or several GPU designs, in as many processes as "
    "there\n"
    "are processors, and prints one row per launch and design. With a plan, only the launches that it drew are "
    "simulated,\n"
    "and the whole workload is projected from them: value and interval for each design, and the differences "
    "between\n"
    "the designs, which are known better than the values because all designs share the samples.\n"
    "\n"
    "Cycles are those of the SM clock and hold the cost of the launch, which also has a column of its own.\n"
    "For a launch that cannot be simulated, the row has the reason. The exit code is then that of the reason (65: "
    "a\n"
    "trace is damaged), or 70 if there are several or the simulation did not end.\n"
    "\n"
    "With --streams, all launches run in one simulation for each design, in the order of the traces. Launches of "
    "one\n"
    "stream wait for each other; different streams overlap (`overlap`) or do not (`serial`). Each launch also has "
    "the\n"
    "host's submission time, unless all are one graph (--graph). The result is a timeline: makespan, sum, and "
    "with\n"
    "--json or --csv the begin and end of each launch. Copies in the list of kernels are part of it, on the "
    "default\n"
    "stream. Traces do not show waits between streams.\n"
    "\n"
    "At the begin of a launch, L2 has the lines that earlier launches left, as far as the launch touches them. "
    ".vtrace\n"
    "files store these for each launch; for other traces, the launches before it are read once. If some of those "
    "are\n"
    "missing, the launch is simulated twice: with empty caches, and with fully warm ones. The result has both, and "
    "a\n"
    "difference between designs is called real only if it holds in every state between. --caches flushed empties "
    "L2\n"
    "for every launch; --caches replayed replays the launches before it without time. With --streams L2 is kept "
    "between\n"
    "launches.\n"
    "\n"
    "Examples:\n"
    "  vivace simulate traces.tar.zst --gpu v100\n"
    "  vivace simulate kernel-12.traceg.xz --gpu ./my-gpu.json --json\n"
    "  vivace plan draw traces.tar.zst --error 5% --out plan.json\n"
    "  vivace simulate traces.tar.zst --gpu v100,h100 --plan plan.json -j 4\n"
    "  vivace simulate traces.tar.zst --gpu h100 --plan plan.json --estimator ratio --bootstrap --metrics\n"
    "  vivace simulate traces.tar.zst --gpu v100 --plan plan.json --profile report.sqlite --by layer\n"
    "  vivace simulate traces.tar.zst --gpu v100 --plan plan.json --caches replayed:4\n"
    "  vivace simulate traces.tar.zst --gpu v100 --plan plan.json --cache-check 5\n"
    "  vivace simulate run.vtrace --gpu a100 --project stable\n"
    "  vivace simulate traces.tar.zst --gpu v100 --streams overlap --caches kept\n";

struct request {
    const char *gpus, *plan, *profile, *by, *estimator, *record, *streams, *caches, *project;
    double kappa;
    bool collapse, bootstrap, metrics, graph, allow_foreign, partial, skip_missing;
    uint64_t cache_check;
    uint64_t children, limit_cycles, from_cta, ctas;
    struct cli_output output;
};

/* --- Designs --- */

static int load_designs(const char *list, struct simulation *s, struct err *e)
{
    char name[512];

    if (cli_check_names(list, "--gpu", e) < 0)
        return -1;
    for (const char *at = list; *at;) {
        size_t n = strcspn(at, ",");

        if (n >= sizeof name)
            return err_set(e, ERR_USAGE, "--gpu: a name in `%.40s…` is too long", at);
        if (s->design_count == SIM_DESIGNS_MAX)
            return err_set(e, ERR_USAGE, "--gpu: more than %d designs", SIM_DESIGNS_MAX);
        memcpy(name, at, n);
        name[n] = '\0';
        if (design_load(name, &s->designs[s->design_count], e) < 0)
            return -1;
        for (size_t d = 0; d < s->design_count; d++)
            if (strcmp(design_name(s->designs[d]), design_name(s->designs[s->design_count])) == 0) {
                s->design_count++;
                return err_set(e, ERR_USAGE, "--gpu: two designs are named `%s`", design_name(s->designs[d]));
            }
        s->design_count++;
        at += n + (at[n] == ',');
    }
    return 0;
}

/* --- Simulating --- */

struct watching {
    const struct simulation *s;
    size_t tasks;
    uint64_t begun_us;
    double instructions;
};

static void on_task(void *ctx, size_t done, const struct sim_task *task)
{
    struct watching *w = ctx;
    double passed = (double)(clock_monotonic_us() - w->begun_us) * 1e-6;
    char rate[NUM_TEXT];

    w->instructions += (double)task->warp_instructions;
    cli_progress("simulated %zu of %zu, %s warp instructions a second", done, w->tasks,
                 format_count(passed > 0 ? w->instructions / passed : 0, rate));
}

static int run_tasks(struct simulation *s, const struct request *r, struct err *e)
{
    size_t n = 0, all = s->launch_count * s->design_count, *place = mem_zalloc(all + 1, sizeof *place, e);
    struct sim_task *list = place ? mem_zalloc(all + 1, sizeof *list, e) : NULL;
    struct watching w = {.s = s, .begun_us = clock_monotonic_us()};
    int ret = -1;

    s->tasks = list ? mem_zalloc(all + 1, sizeof *s->tasks, e) : NULL;
    for (size_t i = 0; s->tasks && i < all; i++) {
        const struct bundle_kernel *k = s->launches[i / s->design_count].kernel;

        if (!k)
            continue;
        list[n] = (struct sim_task){.trace = bundle_place(k),
                                    .design = s->designs[i % s->design_count],
                                    .how = &s->how,
                                    .warm = simulation_image(s, i / s->design_count),
                                    .before = s->before ? &s->before[i / s->design_count].before : NULL,
                                    .launch = s->launches[i / s->design_count].launch};
        place[n++] = i;
    }
    if (s->tasks) {
        w.tasks = n;
        ret = sim_pool_run(list, n, (unsigned)r->children, on_task, &w, e);
        for (size_t i = 0; i < n; i++)
            s->tasks[place[i]] = list[i];
    }
    s->wall_seconds = (double)(clock_monotonic_us() - w.begun_us) * 1e-6;
    free(list);
    free(place);
    return ret;
}

static void add_up(struct simulation *s)
{
    for (size_t i = 0; i < s->launch_count * s->design_count; i++) {
        const struct sim_task *t = &s->tasks[i];
        struct sim_total *x = &s->totals[i % s->design_count];

        x->host_seconds += t->seconds;
        if (!t->done) {
            x->failed++;
            continue;
        }
        x->kernels++;
        x->cycles += t->cycles;
        x->cycles_warm += simulation_warm_cycles(s, i / s->design_count, i % s->design_count);
        x->launch_cycles += t->launch_cycles;
        x->warp_instructions += t->warp_instructions;
    }
}

/* --- The command --- */

static int open_traces(const char *path, const struct request *r, struct simulation *s, struct err *e)
{
    if (!r->skip_missing)
        return bundle_open(path, cli_unpacking, NULL, &s->bundle, e);
    if (bundle_open_present(path, cli_unpacking, NULL, &s->bundle, e) < 0)
        return -1;
    if (s->bundle.missing)
        fprintf(stderr, "vivace: %zu kernels of the list are missing; %zu are simulated\n", s->bundle.missing,
                s->bundle.count);
    return 0;
}

static int read_plan(const struct request *r, struct simulation *s, struct err *e)
{
    if (!r->by)
        return plan_read_path(r->plan, &s->plan, e);
    s->domains.wanted = true;
    return plan_with_profile(r->plan, r->profile, &r->output, &s->plan, &s->domains.profile, e) < 0
               ? -1
               : simulation_domains_begin(&s->domains, e);
}

static int simulate_all(const char *path, const struct request *r, struct simulation *s, struct err *e)
{
    if (load_designs(r->gpus, s, e) < 0)
        return -1;
    if (r->plan) {
        if (read_plan(r, s, e) < 0)
            return -1;
        s->has_plan = true;
    }
    if (open_traces(path, r, s, e) < 0)
        return -1;
    if (s->has_plan)
        bundle_order_by_number(&s->bundle, s->plan.launches);
    if (simulation_number_launches(s, e) < 0 || (s->has_plan && simulation_keep_sampled(s, e) < 0) ||
        simulation_caches(s, e) < 0 || run_tasks(s, r, e) < 0)
        return -1;
    if (s->has_plan && simulation_check_against_plan(s, e) < 0)
        return -1;
    add_up(s);
    if (s->has_plan && simulation_project(s, e) < 0)
        return -1;
    return r->cache_check ? simulation_check_caches(s, r->cache_check, e) : 0;
}

static int print(const struct simulation *s, const struct cli_output *o, struct err *e)
{
    cli_progress_end();
    return o->json  ? simulation_print_json(s, e)
           : o->csv ? simulation_print_csv(s, e)
                    : simulation_print_text(s, e);
}

/* Warns once for each pair of a design and a trace's architecture that differ. */
static void warn_foreign(const struct simulation *s)
{
    size_t count = s->launch_count * s->design_count;
    char text[FOREIGN_TEXT_BYTES];

    for (size_t i = 0; i < count; i++) {
        const struct sim_task *t = &s->tasks[i];
        struct kernel_info k = {.binary_version = t->binary_version};
        size_t before = 0;

        while (before < i &&
               (s->tasks[before].design != t->design || s->tasks[before].binary_version != t->binary_version))
            before++;
        if (before == i && t->known && design_is_foreign(t->design, &k, text))
            fprintf(stderr, "vivace: warning: %s\n", text);
    }
}

/* Warns of launches whose trace contains only a part of the grid. */
static void warn_partial(const struct simulation *s)
{
    const struct sim_task *first = NULL;
    uint64_t grid, launches = 0;

    for (size_t i = 0; i < s->launch_count * s->design_count; i += s->design_count) {
        launches += s->tasks[i].missing_ctas > 0;
        if (!first && s->tasks[i].missing_ctas)
            first = &s->tasks[i];
    }
    if (!first)
        return;
    grid = (uint64_t)first->grid[0] * first->grid[1] * first->grid[2];
    fprintf(stderr,
            "vivace: warning: launches whose traces have only a part of their CTAs: %" PRIu64
            ". The first is launch %" PRIu64 ": %" PRIu64 " of %" PRIu64
            ". Their cycles are those of this part (--partial accepts that)\n",
            launches, first->launch, grid - first->missing_ctas, grid);
}

/* The error code of all failures, where they have the same; else ERR_SIMULATION. A launch without a trace has none.
 */
static enum err_code shared_reason(const struct simulation *s)
{
    enum err_code code = ERR_NONE;

    for (size_t i = 0; i < s->launch_count * s->design_count; i++) {
        enum err_code c = s->tasks[i].done ? ERR_NONE : s->tasks[i].code;

        if (c != ERR_NONE && code != ERR_NONE && c != code)
            return ERR_SIMULATION;
        code = c != ERR_NONE ? c : code;
    }
    return code == ERR_NONE ? ERR_INVALID : code;
}

static const char *first_reason(const struct simulation *s)
{
    for (size_t i = 0; i < s->launch_count * s->design_count; i++)
        if (!s->tasks[i].done && s->tasks[i].why)
            return s->tasks[i].why;
    return NULL;
}

/* Called after all output: failed launches decide the exit code. */
static int judge(const struct simulation *s, struct err *e)
{
    const char *why = first_reason(s);
    uint64_t failed = 0;

    for (size_t d = 0; d < s->design_count; d++)
        failed += s->totals[d].failed;
    if (failed == 0)
        return 0;
    err_set(e, shared_reason(s), "%llu of %zu simulations have no result%s%.*s", (unsigned long long)failed,
            s->launch_count * s->design_count,
            !why         ? ""
            : failed > 1 ? "; the first: "
                         : ": ",
            why ? (int)strcspn(why, "\n") : 0, why ? why : "");
    return s->missing ? err_hint(e, "%zu launches that the plan drew have no trace", s->missing)
                      : err_hint(e, "their rows have the reasons; --json has the full reports");
}

static void release(struct simulation *s)
{
    sim_tasks_release(s->tasks, s->launch_count * s->design_count);
    free(s->tasks);
    free(s->launches);
    free(s->before);
    bundle_images_release(&s->images);
    trace_history_release(&s->history);
    bundle_close(&s->bundle);
    for (size_t d = 0; d < s->design_count; d++) {
        if (s->has_plan)
            projection_release(&s->cycles[d]);
        free(s->metrics[d]);
        design_free(s->designs[d]);
    }
    plan_release(&s->plan);
    simulation_domains_release(&s->domains);
}

static int set_wanted(const struct request *r, struct simulation *s, struct err *e)
{
    memset(s, 0, sizeof *s);
    plan_init(&s->plan);
    s->wanted = (struct projection_options){.kappa = r->kappa, .collapse = r->collapse};
    s->bootstrap = r->bootstrap;
    s->show_metrics = r->metrics;
    if (!r->plan && (r->estimator || r->kappa != 0 || r->collapse || r->bootstrap))
        return err_set(e, ERR_USAGE,
                       "--estimator, --kappa, --collapse and --bootstrap need a plan: --plan PLAN.json");
    if (r->metrics && (r->streams || (!r->plan && !r->output.json && !r->output.csv)))
        return err_set(e, ERR_USAGE,
                       "--metrics needs a plan, --plan PLAN.json. For the counters of each launch use --json or "
                       "--csv, without --streams");
    if (!(r->kappa >= 0 && r->kappa <= 1e9))
        return err_set(e, ERR_USAGE, "--kappa must be positive");
    if (r->estimator && projection_estimator_from_name(r->estimator, &s->wanted.estimator, e) < 0) {
        e->code = ERR_USAGE;
        return -1;
    }
    if (r->by && domain_kind_from_name(r->by, &s->domains.kind, e) < 0)
        return -1;
    if ((r->by || r->profile) && (!r->plan || !r->by || !r->profile))
        return err_set(e, ERR_USAGE,
                       "--by and --profile must be given together, with --plan: the profile has the parts");
    if (r->kappa > 0 && s->wanted.estimator != PROJECT_DIFFERENCE)
        return err_set(e, ERR_USAGE, "--kappa needs --estimator difference");
    return 0;
}

static int set_streams(const struct request *r, struct streams_request *out, struct err *e)
{
    *out = (struct streams_request){
        .graph = r->graph, .native_only = !r->allow_foreign, .limit_cycles = r->limit_cycles};
    if (!r->streams && r->graph)
        return err_set(e, ERR_USAGE, "--graph needs --streams overlap or --streams serial");
    if (r->streams && r->plan)
        return err_set(e, ERR_USAGE, "--streams simulates all launches, so it cannot be combined with a plan");
    if (r->streams && r->record)
        return err_set(e, ERR_USAGE,
                       "--record cannot be combined with --streams: only a single launch can be recorded");
    if (r->streams && strcmp(r->streams, "overlap") != 0 && strcmp(r->streams, "serial") != 0)
        return err_set(e, ERR_USAGE, "--streams: must be overlap or serial, not `%s`", r->streams);
    if (r->streams && (r->project || r->from_cta || r->ctas))
        return err_set(e, ERR_USAGE, "--project, --from-cta and --ctas cannot be combined with --streams");
    if (r->caches && sim_caches_parse(r->caches, &out->caches, &out->replay_launches) < 0)
        return err_set(e, ERR_USAGE, "--caches: must be warm, flushed, kept, replayed or replayed:N, not `%s`",
                       r->caches);
    if (!r->streams && out->caches == SIM_CACHES_KEPT) {
        err_set(e, ERR_USAGE, "--caches kept needs --streams: without it each launch is simulated alone");
        return err_hint(
            e, "Without --streams use --caches replayed: it replays the launches before each launch, without time");
    }
    if (r->streams && !r->caches)
        out->caches = SIM_CACHES_KEPT;
    out->serial = r->streams && strcmp(r->streams, "serial") == 0;
    return 0;
}

static int set_how(const struct request *r, const struct streams_request *streams, struct sim_how *out,
                   struct err *e)
{
    *out = (struct sim_how){.native_only = !r->allow_foreign,
                            .partial = r->partial,
                            .limit_cycles = r->limit_cycles,
                            .record = r->record,
                            .ctas = {r->from_cta, r->ctas},
                            .caches = streams->caches,
                            .replay_launches = streams->replay_launches};
    if (r->project &&
        (sim_projection_read(r->project, &out->projection, &out->projection_limit) < 0 || !out->projection))
        return err_set(e, ERR_USAGE,
                       "--project: must be pkp, pkp-code, stable or stable:1%% to stable:8%%, not `%s`",
                       r->project);
    if (r->project && !cta_range_is_all(&out->ctas))
        return err_set(e, ERR_USAGE,
                       "--project needs whole launches: it cannot be combined with --from-cta and --ctas");
    if (r->cache_check && (!r->plan || r->project || out->caches == SIM_CACHES_REPLAYED || r->streams))
        return err_set(
            e, ERR_USAGE,
            "--cache-check needs --plan, and cannot be combined with --project, --caches replayed and --streams");
    if (r->cache_check > CACHE_ERROR_MAX)
        return err_set(e, ERR_USAGE, "--cache-check: at most %d launches", CACHE_ERROR_MAX);
    if (r->plan && !cta_range_is_all(&out->ctas))
        return err_set(e, ERR_USAGE,
                       "--plan needs whole launches: it cannot be combined with --from-cta and --ctas");
    return 0;
}

static int simulate_as_streams(const char *path, const struct request *r, const struct streams_request *wanted,
                               struct simulation *s, struct err *e)
{
    if (load_designs(r->gpus, s, e) < 0 || open_traces(path, r, s, e) < 0)
        return -1;
    return simulate_streams(s, wanted, &r->output, e);
}

int cmd_simulate(int argc, char **argv)
{
    static struct simulation s;
    struct request r = {.kappa = 0};
    struct streams_request streams;
    const struct cli_option options[] = {
        {"gpu", 'g', CLI_PATH, "NAME|FILE,…", &r.gpus, "designs: built in (`vivace-sim --list-gpus`) or files"},
        {"plan", 'p', CLI_PATH, "FILE", &r.plan, "simulate the launches of this plan, and project the whole"},
        {"profile", 0, CLI_PATH, "FILE", &r.profile, "with --by: the profile that the plan was made from"},
        {"by", 0, CLI_TEXT, "PART", &r.by, "project each layer, phase, step, rank or class of kernels, too"},
        {"jobs", 'j', CLI_COUNT, "N", &r.children,
         "simulations at the same time; default: the number of processors"},
        CLI_ESTIMATOR_OPTIONS(r),
        {"metrics", 0, CLI_FLAG, NULL, &r.metrics,
         "totals and rates of the whole too: IPC, hit rates, DRAM bytes, energy, power; with --json and --csv the "
         "counters of each launch"},
        {"cache-check", 0, CLI_U64, "N", &r.cache_check,
         "simulate N launches again after a replay of the launches before them, and print the change of the total; "
         "replays 16, "
         "32, … 512 launches, until more change nothing"},
        {"allow-foreign-isa", 0, CLI_FLAG, NULL, &r.allow_foreign,
         "simulate instructions that the design's GPU does not have, on the nearest unit that it has"},
        {"partial", 0, CLI_FLAG, NULL, &r.partial,
         "no warning about traces with a part of their launch's CTAs; results are not scaled. Polls of memory that "
         "the launch does not write do not wait"},
        {"skip-missing", 0, CLI_FLAG, NULL, &r.skip_missing, "leave out kernels of the list that are missing"},
        {"limit-cycles", 0, CLI_COUNT, "N", &r.limit_cycles, "stop a launch after N cycles, as failed"},
        {"record", 0, CLI_PATH, "DIR", &r.record,
         "record each launch and design over time, one file each: `vivace record`"},
        {"streams", 0, CLI_TEXT, "overlap|serial", &r.streams, "all launches in one simulation; a timeline"},
        {"graph", 0, CLI_FLAG, NULL, &r.graph, "with --streams: the submission of a launch takes no time"},
        {"caches", 0, CLI_TEXT, "warm|flushed|kept|replayed[:N]", &r.caches,
         "L2 at the begin of a launch: what earlier launches left (default), empty, kept (with --streams; default "
         "there), or after a replay without time of the last N launches (all)"},
        {"project", 0, CLI_TEXT, "pkp|pkp-code|stable[:ERROR]", &r.project,
         "stop inside a launch when its rate is steady, and project the rest; ERROR: maximum half-width, 1% to 8% "
         "(8%)"},
        {"from-cta", 0, CLI_U64, "N", &r.from_cta, "simulate the CTAs of each launch from this one on (from 0)"},
        {"ctas", 0, CLI_COUNT, "N", &r.ctas, "simulate N CTAs of each launch"},
        {.name = NULL}};
    const struct cli_usage usage = {"simulate", "TRACE|FOLDER|TAR --gpu NAME|FILE[,…] [--plan PLAN.json] [-j N]",
                                    help_text,  options,
                                    &r.output,  true,
                                    1,          1};
    struct cli_args args;
    struct err e = {.code = ERR_NONE};
    int ret = cli_parse(&usage, argc, argv, &args, &e);

    if (ret)
        return cli_parsed(ret, &e);
    if (!r.gpus) {
        err_set(&e, ERR_USAGE, "simulate: --gpu is missing");
        err_hint(&e, "Give --gpu v100, --gpu v100,h100 or --gpu ./design.json");
        return cli_end(-1, &e);
    }
    if (set_wanted(&r, &s, &e) < 0 || set_streams(&r, &streams, &e) < 0 || set_how(&r, &streams, &s.how, &e) < 0)
        return cli_end(-1, &e);
    if (r.children == 0)
        r.children = sysconf(_SC_NPROCESSORS_ONLN) > 0 ? (uint64_t)sysconf(_SC_NPROCESSORS_ONLN) : 1;
    s.children = (unsigned)r.children;
    cli_remove_scratch_on_signals();
    if (r.record && mkdir(r.record, 0777) < 0 && errno != EEXIST) {
        err_set_errno(&e, errno, "%s", r.record);
        return cli_end(-1, &e);
    }
    ret = r.streams ? simulate_as_streams(args.items[0], &r, &streams, &s, &e)
                    : simulate_all(args.items[0], &r, &s, &e);
    if (ret == 0 && !r.streams)
        warn_foreign(&s);
    if (ret == 0 && !r.streams && !r.partial)
        warn_partial(&s);
    if (ret == 0 && !r.streams)
        ret = print(&s, &r.output, &e);
    if (ret == 0 && !r.streams)
        ret = judge(&s, &e);
    release(&s);
    return cli_end(ret, &e);
}
