/* vivace ptx run --trace, --gpu: passes launches to a trace file or to the timing model while they are executed. */
#include "cli/code/ptx_timing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "simcore/footprint/footprint.h"
#include "ptx/list/list_checkpoint.h"
#include "simcore/trace/vtrace.h"
#include "wire/json.h"

/* --- options --- */

/* Reads "A", "A-B" or "A-"; launches are numbered from 1, as in the table. */
static int read_range(struct ptx_timing *t, struct err *e)
{
    char *end;

    t->first = 1;
    t->last = UINT64_MAX;
    if (!t->launches)
        return 0;
    t->first = t->last = strtoull(t->launches, &end, 10);
    if (end != t->launches && *end == '-') {
        const char *from = end + 1;

        t->last = *from ? strtoull(from, &end, 10) : UINT64_MAX;
        end += *from ? 0 : 1;
    }
    if (*end || end == t->launches || *t->launches == '-' || !t->first || t->first > t->last)
        return err_set(e, ERR_USAGE, "--launches %s: launches are numbered from 1: \"3\", \"3-7\" or \"3-\"",
                       t->launches);
    return 0;
}

/* Starts to record the footprints of all launches, since a launch may find data of every launch before it in the
 * L2, also of one that is neither written nor simulated. After a checkpoint the content of the L2 is not known. */
static int begin_following(struct ptx_timing *t, struct err *e)
{
    t->footprints = t->from ? NULL : footprints_new(e);
    return t->footprints || t->from ? 0 : -1;
}

static int open_gpu(struct ptx_timing *t, struct err *e)
{
    struct design_facts facts;
    const struct design_fact *f;

    if (begin_following(t, e) != 0 || design_load(t->gpu, &t->design, e) != 0)
        return -1;
    t->simulator = simulator_new(t->design, e);
    if (!t->simulator || design_facts_make(t->design, &facts, e) != 0)
        return -1;
    f = design_facts_find(&facts, "gpu.compute_capability");
    if (!t->arch)
        t->arch = f ? strtoull(f->value, NULL, 10) : 80;
    design_facts_release(&facts);
    return 0;
}

static int open_trace(struct ptx_timing *t, struct err *e)
{
    const struct vtrace_options options = {.tool = "vivace " VIVACE_VERSION};

    if (begin_following(t, e) != 0 || vtrace_writer_new(t->trace, &options, &t->writer, e) != 0)
        return -1;
    cli_remove_file_on_signals(vtrace_writer_temporary(t->writer));
    return 0;
}

int ptx_timing_begin(struct ptx_timing *t, struct err *e)
{
    if (t->trace && t->gpu) {
        err_set(e, ERR_USAGE, "a launch is executed once: either --trace or --gpu");
        return err_hint(e, "vivace simulate %s --gpu %s takes the trace", t->trace, t->gpu);
    }
    if (!t->trace && !t->gpu && (t->launches || t->kernel || t->plan || t->ptxas || t->arch))
        return err_set(e, ERR_USAGE, "--launches, --kernel, --plan, --ptxas and --arch go with --trace or --gpu");
    if (t->arch && (t->arch < 50 || t->arch > 200))
        return err_set(e, ERR_USAGE, "--arch %llu: a compute capability times ten, such as 80",
                       (unsigned long long)t->arch);
    if ((t->plan && ptx_plan_read(&t->drawn, t->plan, e) != 0) || read_range(t, e) != 0 ||
        (t->ptxas && ptxas_report_read(t->ptxas, &t->report, e) != 0))
        return -1;
    if (t->gpu)
        return open_gpu(t, e);
    return t->trace ? open_trace(t, e) : 0;
}

/* --- a launch --- */

static int simulate_launch(struct ptx_timing *t, struct inst_source *s, struct err *e)
{
    const struct sim_options options = {.limit_cycles = 0};

    if (design_fits(t->design, &s->info, e) != 0 || simulator_run(t->simulator, s, &options, &t->result, e) != 0)
        return -1;
    if (t->result.end != SIM_DONE)
        return err_set(e, ERR_SIMULATION, "the kernel can never finish on %s: %s", design_name(t->design),
                       t->result.report ? t->result.report : "no warp can continue");
    t->sums.cycles += t->result.cycles;
    t->sums.launch_cycles += t->result.launch_cycles;
    return 0;
}

static int use_source(struct ptx_timing *t, struct inst_source *s, struct err *e)
{
    return t->writer ? vtrace_writer_add(t->writer, s, e) : simulate_launch(t, s, e);
}

static int use_launch(struct ptx_timing *t, struct inst_source *s, struct err *e)
{
    struct inst_source *followed;
    struct warm_image *now = NULL;
    int ret = -1;

    if (!t->footprints)
        return use_source(t, s, e);
    if (footprints_source(t->footprints, s, &followed, e) != 0)
        return -1;
    if (t->writer || (now = footprints_now(t->footprints, design_l2_lines(t->design), e))) {
        followed->warm = now;
        ret = use_source(t, followed, e);
    }
    inst_source_release(followed);
    warm_image_free(now);
    return ret;
}

/* 1: the launch is to be timed; 0: it is not; -1: error. */
static int choose(struct ptx_timing *t, const struct launch_list_view *v, struct err *e)
{
    int drawn =
        t->plan ? ptx_plan_wants(&t->drawn, v->number, v->step->kernel, v->launch->grid, v->launch->block, e) : 1;

    if (drawn < 1)
        return drawn;
    return (t->trace || t->gpu) && v->number + 1 >= t->first && v->number + 1 <= t->last &&
           (!t->kernel || strstr(v->step->kernel, t->kernel));
}

/* True where the launch continues from a checkpoint. */
static bool goes_on(const struct ptx_timing *t, const struct launch_list_view *v)
{
    return t->from && ptx_checkpoint_point(t->from)->launch == v->number;
}

static int run_only(const struct ptx_timing *t, const struct launch_list_view *v, const struct ptx_exec_options *o,
                    struct ptx_exec_stats *stats, struct err *e)
{
    return goes_on(t, v) ? list_checkpoint_finish(t->from, v, o, stats, e)
                         : ptx_launch_run(v->program, v->launch, o, stats, e);
}

static int open_source(const struct ptx_timing *t, const struct launch_list_view *v,
                       const struct ptx_exec_options *o, const struct ptx_source_options *as,
                       struct inst_source **out, struct err *e)
{
    return goes_on(t, v) ? list_checkpoint_source(t->from, v, o, as, out, e)
                         : ptx_source_new(v->program, v->launch, o, as, out, e);
}

/* Runs a launch that is not written, and records its footprint for the launches after it. */
static int follow_only(const struct ptx_timing *t, const struct launch_list_view *v,
                       const struct ptx_exec_options *o, const struct ptx_source_options *as,
                       struct ptx_exec_stats *stats, struct err *e)
{
    struct inst_source *s;
    int ret;

    if (!t->footprints)
        return run_only(t, v, o, stats, e);
    if (open_source(t, v, o, as, &s, e) != 0)
        return -1;
    ret = footprints_launch(t->footprints, s, NULL, e);
    *stats = *ptx_source_stats(s);
    inst_source_release(s);
    return ret;
}

int ptx_timing_run(struct ptx_timing *t, const struct launch_list_view *v, const struct ptx_exec_options *o,
                   struct ptx_exec_stats *stats, struct err *e)
{
    struct ptx_source_options options = {
        .arch = (uint32_t)t->arch, .registers = v->step->registers, .id = v->number + 1};
    struct inst_source *s;
    int ret;

    sim_result_release(&t->result);
    t->result = (struct sim_result){.counters = NULL};
    ret = choose(t, v, e);
    if (ret < 0)
        return -1;
    t->chosen = ret;
    if (!t->chosen)
        return follow_only(t, v, o, &options, stats, e) != 0 ? -1 : LIST_RAN;
    if (!options.registers)
        options.registers = ptxas_registers(&t->report, v->step->kernel);
    if (open_source(t, v, o, &options, &s, e) != 0)
        return -1;
    ret = use_launch(t, s, e);
    t->instructions = ptx_source_instructions(s);
    t->registers = s->info.registers;
    t->sums.launches++;
    t->sums.instructions += t->instructions;
    *stats = *ptx_source_stats(s);
    inst_source_release(s);
    return ret != 0 ? -1 : LIST_RAN;
}

int ptx_timing_touched(struct ptx_timing *t, const struct list_touch *x, struct err *e)
{
    const struct trace_copy c = {
        .kind = x->kind == LIST_FILLS ? TRACE_MEMSET : TRACE_COPY_DEVICE, .address = x->address, .bytes = x->bytes};

    if (t->footprints &&
        footprints_touched(t->footprints, x->address, x->bytes, x->kind != LIST_COPY_READS, e) != 0)
        return -1;
    /* a trace names what is written */
    return t->writer && x->kind != LIST_COPY_READS && x->bytes ? vtrace_writer_copy(t->writer, &c, e) : 0;
}

/* --- the end --- */

int ptx_timing_finish(struct ptx_timing *t, uint64_t launches, struct err *e)
{
    int ret = t->plan ? ptx_plan_finish(&t->drawn, launches, e) : 0;

    if (ret == 0 && t->writer)
        ret = vtrace_writer_finish(t->writer, e);
    cli_remove_file_on_signals(NULL);
    return ret;
}

void ptx_timing_release(struct ptx_timing *t)
{
    cli_remove_file_on_signals(NULL);
    sim_result_release(&t->result);
    simulator_free(t->simulator);
    design_free(t->design);
    vtrace_writer_release(t->writer);
    footprints_free(t->footprints);
    ptxas_report_release(&t->report);
    ptx_plan_release(&t->drawn);
}

/* --- output --- */

size_t ptx_timing_columns(const struct ptx_timing *t, struct table_column *out)
{
    static const struct table_column columns[] = {
        {"machine instructions", "machine_instructions", true, false},
        {"registers", "registers", true, false},
        {"cycles", "cycles", true, false},
        {"of these launch", "launch_cycles", true, false},
        {"IPC", "ipc", true, false},
        {"time on that GPU", "gpu_seconds", true, false},
    };
    size_t n = t->gpu ? 6 : t->trace ? 2 : 0;

    memcpy(out, columns, n * sizeof *out);
    return n;
}

static double ipc_of(const struct ptx_timing *t)
{
    return t->result.cycles ? (double)t->result.warp_instructions / (double)t->result.cycles : NAN;
}

void ptx_timing_cells(const struct ptx_timing *t, struct table *to)
{
    double seconds = t->gpu ? design_seconds(t->design, t->result.cycles) : 0;
    char text[2][CLI_NUMBER];
    int n = t->gpu ? 6 : t->trace ? 2 : 0;

    for (int k = 0; k < n && !t->chosen; k++)
        table_pair(to, "–", "");
    if (!t->chosen)
        return;
    table_count(to, t->instructions);
    table_count(to, t->registers);
    if (!t->gpu)
        return;
    table_count(to, t->result.cycles);
    table_count(to, t->result.launch_cycles);
    table_number(to, ipc_of(t), cli_number(ipc_of(t), text[0]));
    table_number(to, seconds, cli_seconds(seconds, text[1]));
}

static json_t *counters_json(const struct sim_result *r)
{
    struct json_obj o = json_obj_begin();

    for (size_t k = 0; k < r->counter_count; k++)
        json_put_u64(&o, r->counters[k].name, r->counters[k].value);
    return json_obj_end(&o);
}

json_t *ptx_timing_json(const struct ptx_timing *t)
{
    struct json_obj o;

    if (!t->chosen)
        return json_null();
    o = json_obj_begin();
    json_put_u64(&o, "machine_instructions", t->instructions);
    json_put_u64(&o, "registers", t->registers);
    json_put_u64(&o, "arch", t->arch ? t->arch : 80);
    if (t->gpu) {
        json_put_str(&o, "design", design_name(t->design));
        json_put_u64(&o, "cycles", t->result.cycles);
        json_put_u64(&o, "launch_cycles", t->result.launch_cycles);
        json_put_double(&o, "ipc", ipc_of(t));
        json_put_double(&o, "gpu_seconds", design_seconds(t->design, t->result.cycles));
        json_put(&o, "counters", counters_json(&t->result));
    }
    return json_obj_end(&o);
}

void ptx_timing_print(const struct ptx_timing *t)
{
    char number[3][CLI_NUMBER];

    if (!t->trace && !t->gpu)
        return;
    if (t->trace)
        printf("%s with %s machine instructions: in %s\n",
               cli_counted(t->sums.launches, "launch", "launches", number[0]),
               cli_whole(t->sums.instructions, number[1]), t->trace);
    else
        printf("%s: %s cycles on %s, %s\n", cli_counted(t->sums.launches, "launch", "launches", number[0]),
               cli_whole(t->sums.cycles, number[1]), design_name(t->design),
               cli_seconds(design_seconds(t->design, t->sums.cycles), number[2]));
}
