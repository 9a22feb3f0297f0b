#include "simcore/app/simulation.h"

#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "simcore/design.h"
#include "simcore/trace/read_ahead.h"
#include "simcore/trace/trace_file.h"

void sim_print_error(const struct err *e)
{
    fprintf(stderr, "vivace-sim: %s\n", e->text);
    if (e->hint[0])
        fprintf(stderr, "  %s\n", e->hint);
}

static enum exit_code code_of_end(enum sim_end end)
{
    return end == SIM_DONE ? EXIT_DONE : end == SIM_STALLED ? SIM_EXIT_DEADLOCK : SIM_EXIT_LIMIT_CYCLES;
}

void simulation_release(struct simulation *s)
{
    sim_result_release(&s->result);
    kernel_info_release(&s->info);
    inst_source_release(s->source);
    s->source = NULL;
}

static enum exit_code simulate_source(struct simulation *s, const char *trace, struct inst_source *source,
                                      struct err *e)
{
    if (design_fits(s->design, &source->info, e) < 0) {
        err_wrap(e, "%s", trace);
        return SIM_EXIT_MISMATCH;
    }
    if (simulator_run(s->simulator, source, &s->options, &s->result, e) < 0 ||
        kernel_info_copy(&s->info, &source->info, e) < 0)
        return err_sim_exit_code(e->code);
    return code_of_end(s->result.end);
}

static int read_ahead(const struct simulation *s, struct inst_source **source, struct err *e)
{
    return s->read_ahead ? inst_source_read_ahead(*source, source, e) : 0;
}

static int open_trace(struct simulation *s, struct err *e)
{
    if (!s->input)
        return trace_file_open_path(s->trace, &s->source, e);
    s->options.before = &s->input->before.before;
    return sim_input_open(s->input, &s->source, e);
}

static int reopen_trace(void *simulation, struct inst_source **out, struct err *e)
{
    const struct simulation *s = simulation;
    int ret = s->input ? sim_input_reopen(s->input, out, e) : trace_file_open_path(s->trace, out, e);

    return ret < 0 ? -1 : read_ahead(s, out, e);
}

static enum exit_code run_trace(struct simulation *s, struct err *e)
{
    s->options.reopen = reopen_trace;
    s->options.reopen_ctx = s;
    if (open_trace(s, e) < 0 || read_ahead(s, &s->source, e) < 0)
        return err_sim_exit_code(e->code);
    return simulate_source(s, s->trace, s->source, e);
}

enum exit_code simulation_run_source(struct simulation *s, const char *trace, struct inst_source *source,
                                     struct err *e)
{
    uint64_t begin = clock_monotonic_us();
    enum exit_code code;

    s->source = NULL;
    s->trace = trace;
    memset(&s->info, 0, sizeof s->info);
    memset(&s->result, 0, sizeof s->result);
    if (sha256_file(trace, s->trace_sha256, e) < 0)
        return err_sim_exit_code(e->code);
    code = source ? simulate_source(s, trace, source, e) : run_trace(s, e);
    s->seconds = (double)(clock_monotonic_us() - begin) / 1e6;
    return code;
}

enum exit_code simulation_run(struct simulation *s, const char *trace, struct err *e)
{
    return simulation_run_source(s, trace, NULL, e);
}

char *simulation_json(const struct simulation *s, struct err *e)
{
    return sim_result_json(s->design, &s->info, s->trace_sha256, &s->result, s->seconds, e);
}
