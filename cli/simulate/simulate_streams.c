#include "cli/simulate/simulate_streams.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/demangle.h"
#include "cli/output/table.h"
#include "wire/json.h"

/* One launch on one design. */
struct stream_span {
    uint64_t begin_ps, end_ps, cycles, warp_instructions;
    bool done;
};
struct streams {
    const struct simulation *s;
    const struct streams_request *r;
    size_t count; /* launches */
    struct trace_history history;
    struct kernel_info *info; /* of each launch */
    size_t stream_count;
    struct stream_span *spans; /* item i of the history on design d: spans[i * design_count + d] */
    struct sim_timeline totals[SIM_DESIGNS_MAX];
    size_t design; /* index of the design being simulated */
};

/* --- the list --- */

static int by_number(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

    return x < y ? -1 : x > y;
}

static int count_streams(struct streams *w, struct err *e)
{
    uint64_t *ids = mem_zalloc(w->history.count + 1, sizeof *ids, e);

    if (!ids)
        return -1;
    for (size_t i = 0; i < w->history.count; i++)
        ids[i] = w->history.work[i].stream;
    qsort(ids, w->history.count, sizeof *ids, by_number);
    for (size_t i = 0; i < w->history.count; i++)
        w->stream_count += i == 0 || ids[i] != ids[i - 1];
    free(ids);
    return 0;
}

/* Reads the headers, which contain the stream of each launch. */
static int read_headers(struct streams *w, struct err *e)
{
    if (trace_history_make(&w->s->bundle, &w->history, e) < 0)
        return -1;
    w->info = mem_zalloc(w->count + 1, sizeof *w->info, e);
    w->spans = w->info ? mem_zalloc(w->history.count * w->s->design_count + 1, sizeof *w->spans, e) : NULL;
    if (!w->spans)
        return -1;
    for (size_t i = 0; i < w->count; i++) {
        const struct bundle_kernel *k = &w->s->bundle.kernels[i];
        const struct trace_place place = bundle_place(k);

        if (trace_file_info(&place, &w->info[i], e) < 0)
            return -1;
        w->history.work[w->history.item[i]].stream = trace_history_stream(k->context, w->info[i].stream);
    }
    return count_streams(w, e);
}

/* --- running --- */

static int open_launch(void *ctx, size_t index, struct inst_source **out, struct err *e)
{
    const struct streams *w = ctx;
    const struct trace_place place = bundle_place(&w->s->bundle.kernels[w->history.kernel[index]]);

    return trace_file_open(&place, out, e);
}

static int keep_span(void *ctx, const struct sim_span *span, struct err *e)
{
    struct streams *w = ctx;
    const struct sim_result *r = span->result;

    struct stream_span *x = &w->spans[span->index * w->s->design_count + w->design];

    (void)e;
    *x = (struct stream_span){.begin_ps = span->begin_ps, .end_ps = span->end_ps, .done = true};
    if (!r)
        return 0;
    x->cycles = r->cycles;
    x->warp_instructions = r->warp_instructions;
    x->done = r->end == SIM_DONE;
    cli_progress("%s: launch %zu of %zu is over", design_name(w->s->designs[w->design]),
                 w->history.kernel[span->index] + 1, w->count);
    return 0;
}

static int run_designs(struct streams *w, struct err *e)
{
    const struct sim_stream_options o = {
        .base = {.native_only = w->r->native_only,
                 .limit_cycles = w->r->limit_cycles,
                 .caches = w->r->caches,
                 .replay_launches = w->r->replay_launches},
        .serial = w->r->serial,
        .graph = w->r->graph,
        .open = open_launch,
        .done = keep_span,
        .ctx = w,
    };

    for (w->design = 0; w->design < w->s->design_count; w->design++) {
        struct simulator *sim = simulator_new(w->s->designs[w->design], e);
        int ret =
            sim ? simulator_run_streams(sim, w->history.work, w->history.count, &o, &w->totals[w->design], e) : -1;

        simulator_free(sim);
        if (ret < 0)
            return -1;
    }
    return 0;
}

/* --- output --- */

static const struct stream_span *span_of(const struct streams *w, size_t launch, size_t d)
{
    return &w->spans[w->history.item[launch] * w->s->design_count + d];
}

static uint64_t copies_ps(const struct sim_timeline *x)
{
    uint64_t ps = 0;

    for (int kind = SIM_COPY_TO_DEVICE; kind <= SIM_MEMSET; kind++)
        ps += x->item_ps[kind];
    return ps;
}

static uint64_t copies_bytes(const struct sim_timeline *x)
{
    uint64_t bytes = 0;

    for (int kind = SIM_COPY_TO_DEVICE; kind <= SIM_MEMSET; kind++)
        bytes += x->bytes[kind];
    return bytes;
}

static const char *end_word(enum sim_end end)
{
    return end == SIM_DONE ? "done" : end == SIM_STALLED ? "stalled" : "limit";
}

static int print_text(const struct streams *w, struct err *e)
{
    static const struct table_column columns[] = {
        {"design", NULL, false, false},           {"launches", NULL, true, false},
        {"streams", NULL, true, false},           {"makespan", NULL, true, false},
        {"sum of launches", NULL, true, false},   {"copies", NULL, true, false},
        {"warp instructions", NULL, true, false}, {"end", NULL, false, false},
    };
    struct table t;
    char text[CLI_NUMBER];
    int ret;

    table_init(&t, columns, sizeof columns / sizeof *columns);
    for (size_t d = 0; d < w->s->design_count; d++) {
        const struct sim_timeline *x = &w->totals[d];

        table_text(&t, design_name(w->s->designs[d]));
        table_count(&t, x->kernels);
        table_count(&t, w->r->serial ? 1 : w->stream_count);
        table_text(&t, cli_seconds((double)x->ps * 1e-12, text));
        table_text(&t, cli_seconds((double)x->item_ps[SIM_KERNEL] * 1e-12, text));
        table_text(&t, cli_seconds((double)copies_ps(x) * 1e-12, text));
        table_count(&t, x->warp_instructions);
        table_text(&t, end_word(x->end));
    }
    ret = table_print(&t, false, stdout, e);
    table_release(&t);
    return ret;
}

static void add_row(struct table *t, const struct streams *w, size_t i, size_t d)
{
    const struct stream_span *x = span_of(w, i, d);
    char text[CLI_NUMBER];

    table_count(t, w->info[i].id);
    table_count(t, w->s->bundle.kernels[i].context);
    table_count(t, w->info[i].stream);
    table_text(t, design_name(w->s->designs[d]));
    table_text(t, w->info[i].name);
    if (x->end_ps) {
        table_number(t, (double)x->begin_ps * 1e-12, cli_seconds((double)x->begin_ps * 1e-12, text));
        table_number(t, (double)x->end_ps * 1e-12, cli_seconds((double)x->end_ps * 1e-12, text));
        table_count(t, x->cycles);
        table_count(t, x->warp_instructions);
    } else {
        for (int k = 0; k < 4; k++)
            table_text(t, "");
    }
    table_text(t, x->done ? "done" : x->end_ps ? "cut short" : "not begun");
}

static int print_csv(const struct streams *w, struct err *e)
{
    static const struct table_column columns[] = {
        {NULL, "id", true, false},      {NULL, "context", true, false}, {NULL, "stream", true, false},
        {NULL, "design", false, false}, {NULL, "name", false, false},   {NULL, "begin_s", true, false},
        {NULL, "end_s", true, false},   {NULL, "cycles", true, false},  {NULL, "warp_instructions", true, false},
        {NULL, "end", false, false},
    };
    struct table t;
    int ret;

    table_init(&t, columns, sizeof columns / sizeof *columns);
    for (size_t i = 0; i < w->count; i++)
        for (size_t d = 0; d < w->s->design_count; d++)
            add_row(&t, w, i, d);
    ret = table_print(&t, true, stdout, e);
    table_release(&t);
    return ret;
}

static json_t *span_json(const struct streams *w, size_t i, size_t d)
{
    const struct stream_span *x = span_of(w, i, d);
    struct json_obj o = json_obj_begin();
    struct err ignored;
    char *plain = w->info[i].name ? demangle(w->info[i].name, &ignored) : NULL;

    json_put_u64(&o, "id", w->info[i].id);
    json_put_u64(&o, "context", w->s->bundle.kernels[i].context);
    json_put_u64(&o, "stream", w->info[i].stream);
    json_put(&o, "name", json_str_or_null(w->info[i].name));
    json_put(&o, "demangled", json_str_or_null(plain));
    json_put(&o, "begin_s", x->end_ps ? json_real((double)x->begin_ps * 1e-12) : json_null());
    json_put(&o, "end_s", x->end_ps ? json_real((double)x->end_ps * 1e-12) : json_null());
    json_put(&o, "cycles", x->end_ps ? json_count(x->cycles) : json_null());
    json_put(&o, "warp_instructions", x->end_ps ? json_count(x->warp_instructions) : json_null());
    json_put(&o, "done", json_boolean(x->done));
    free(plain);
    return json_obj_end(&o);
}

static json_t *copy_json(const struct streams *w, size_t item, size_t d)
{
    const struct stream_span *x = &w->spans[item * w->s->design_count + d];
    const struct sim_work *work = &w->history.work[item];
    struct json_obj o = json_obj_begin();

    json_put_str(&o, "kind", sim_work_names[work->kind]);
    json_put_u64(&o, "bytes", work->bytes);
    json_put(&o, "begin_s", x->done ? json_real((double)x->begin_ps * 1e-12) : json_null());
    json_put(&o, "end_s", x->done ? json_real((double)x->end_ps * 1e-12) : json_null());
    return json_obj_end(&o);
}

static json_t *timeline_json(const struct streams *w, size_t d)
{
    const struct sim_timeline *x = &w->totals[d];
    struct json_obj o = json_obj_begin();
    json_t *spans = json_array(), *copies = json_array();

    for (size_t i = 0; i < w->count; i++)
        json_array_append_new(spans, span_json(w, i, d));
    for (size_t i = 0; i < w->history.count; i++)
        if (w->history.kernel[i] == HISTORY_COPY)
            json_array_append_new(copies, copy_json(w, i, d));
    json_put_str(&o, "design", design_name(w->s->designs[d]));
    json_put_str(&o, "design_sha256", design_sha256(w->s->designs[d]));
    json_put_str(&o, "end", end_word(x->end));
    json_put(&o, "report", json_str_or_null(x->report));
    json_put_double(&o, "makespan_s", (double)x->ps * 1e-12);
    json_put_double(&o, "sum_s", (double)x->item_ps[SIM_KERNEL] * 1e-12);
    json_put_u64(&o, "cycles", x->cycles);
    json_put_u64(&o, "warp_instructions", x->warp_instructions);
    json_put_u64(&o, "slots_total", x->slots_total);
    json_put_u64(&o, "slots_no_launch", x->slots_no_launch);
    json_put_double(&o, "copies_s", (double)copies_ps(x) * 1e-12);
    json_put_u64(&o, "copied_bytes", copies_bytes(x));
    json_put(&o, "launches", spans);
    json_put(&o, "copies", copies);
    return json_obj_end(&o);
}

static int print_json(const struct streams *w, struct err *e)
{
    struct json_obj o = json_obj_begin();
    json_t *designs = json_array();

    for (size_t d = 0; d < w->s->design_count; d++)
        json_array_append_new(designs, timeline_json(w, d));
    json_put_str(&o, "simulator", SIMCORE_VERSION);
    json_put_str(&o, "streams", w->r->serial ? "serial" : "overlap");
    json_put_str(&o, "caches", sim_caches_names[w->r->caches]);
    if (w->r->caches == SIM_CACHES_REPLAYED)
        json_put(&o, "replay_launches", w->r->replay_launches ? json_count(w->r->replay_launches) : json_null());
    json_put(&o, "graph", json_boolean(w->r->graph));
    json_put_u64(&o, "stream_count", w->r->serial ? 1 : w->stream_count);
    json_put(&o, "timelines", designs);
    return cli_print_json(json_obj_end(&o), e);
}

/* Called after all output: launches that did not finish decide the exit code. */
static int judge(const struct streams *w, struct err *e)
{
    for (size_t d = 0; d < w->s->design_count; d++)
        if (w->totals[d].end != SIM_DONE)
            return err_set(e, ERR_SIMULATION, "%s: %s", design_name(w->s->designs[d]), w->totals[d].report);
    return 0;
}

static void release(struct streams *w)
{
    for (size_t i = 0; w->info && i < w->count; i++)
        kernel_info_release(&w->info[i]);
    for (size_t d = 0; d < w->s->design_count; d++)
        sim_timeline_release(&w->totals[d]);
    free(w->info);
    trace_history_release(&w->history);
    free(w->spans);
}

int simulate_streams(const struct simulation *s, const struct streams_request *r, const struct cli_output *o,
                     struct err *e)
{
    struct streams w = {.s = s, .r = r, .count = s->bundle.count};
    int ret = read_headers(&w, e) < 0 ? -1 : run_designs(&w, e);

    cli_progress_end();
    if (ret == 0)
        ret = o->json ? print_json(&w, e) : o->csv ? print_csv(&w, e) : print_text(&w, e);
    if (ret == 0)
        ret = judge(&w, e);
    release(&w);
    return ret;
}
