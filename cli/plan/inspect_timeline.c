#include "cli/plan/inspect_timeline.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "cli/output/table.h"
#include "cli/plan/timeline_system.h"
#include "ingest/ingest.h"
#include "wire/json.h"

static const struct table_column columns[] = {
    {"run", "run", false, true},
    {"makespan", "makespan_ns", true, false},
    {"change", "change", true, false},
    {"kernels", "kernels_ns", true, false},
    {"collectives", "collectives_ns", true, false},
    {"copies", "copies_ns", true, false},
    {"fills", "fills_ns", true, false},
    {"calls", "calls_ns", true, false},
    {"CPU", "cpu_ns", true, false},
    {"latency", "latency_ns", true, false},
};

struct row {
    const char *name;
    struct timeline_options options;
    struct timeline_result result;
    struct timeline_gpu *gpus;
};

/* --- factors: "kernels=0.5,copies=2" --- */

static int unknown_kind(const char *text, size_t n, struct err *e)
{
    return err_set(e, ERR_USAGE, "--times: `%.*s` must be calls, kernels, collectives, copies or fills",
                   (int)utf8_cut(text, n < 40 ? n : 40), text);
}

static int read_factor(const char *text, size_t n, double factor[TIMELINE_KINDS], struct err *e)
{
    const char *equals = memchr(text, '=', n);
    size_t name = equals ? (size_t)(equals - text) : n;
    char number[32];

    for (int k = 0; k < TIMELINE_KINDS; k++) {
        if (!str_is(text, name, timeline_kind_names[k]))
            continue;
        snprintf(number, sizeof number, "%.*s", equals ? (int)(n - name - 1) : 0, equals ? equals + 1 : "");
        if (parse_double(number, timeline_kind_names[k], &factor[k], e) < 0 || factor[k] < 0 || factor[k] > 1e6) {
            err_set(e, ERR_USAGE, "--times: %s needs a factor of 0 to 1000000", timeline_kind_names[k]);
            return err_hint(e, "for example --times kernels=0.5,collectives=2");
        }
        return 0;
    }
    return unknown_kind(text, name, e);
}

static int read_factors(const char *text, double factor[TIMELINE_KINDS], struct err *e)
{
    for (;;) {
        size_t n = strcspn(text, ",");

        if (read_factor(text, n, factor, e) < 0)
            return -1;
        if (!text[n])
            return 0;
        text += n + 1;
    }
}

/* --- output --- */

static void time_cell(struct table *t, double ns)
{
    char text[NUM_TEXT];

    table_number(t, ns, format_duration(ns * 1e-9, text));
}

static void add_row(struct table *t, const struct row *r)
{
    static const enum timeline_kind order[] = {TIMELINE_KERNEL, TIMELINE_COLLECTIVE, TIMELINE_COPY, TIMELINE_FILL,
                                               TIMELINE_CALL};
    double change = r->result.span_ns / r->result.profiled_ns - 1;
    char text[CLI_NUMBER];

    table_text(t, r->name);
    time_cell(t, r->result.span_ns);
    snprintf(text, sizeof text, "%+.2f %%", change * 100);
    table_number(t, change, fabs(change) < 0.00005 ? "0" : text);
    for (size_t i = 0; i < sizeof order / sizeof *order; i++)
        time_cell(t, r->result.path_ns[order[i]]);
    time_cell(t, r->result.cpu_ns);
    time_cell(t, r->result.latency_ns);
}

/* Where none wait, though several GPUs have collectives, their numbers differ. */
static void print_linked(const struct timeline_result *r)
{
    char all[CLI_NUMBER], linked[CLI_NUMBER];

    if (r->collectives)
        printf("%s of %s wait for other GPUs\n", cli_whole(r->linked, linked),
               cli_counted(r->collectives, "kernel of a collective", "kernels of collectives", all));
}

static const struct table_column gpu_columns[] = {
    {"run", "run", false, true},
    {"GPU", "gpu", true, false},
    {"kernels", "kernels_ns", true, false},
    {"exposed transfers", "transfer_ns", true, false},
    {"exposed waiting", "wait_ns", true, false},
    {"idle", "idle_ns", true, false},
};

/* What each GPU does in the run as profiled, and in the last row. */
static int print_gpus(const struct timeline *t, const struct row *rows, size_t n, struct err *e)
{
    struct table table;
    int ret;

    table_init(&table, gpu_columns, sizeof gpu_columns / sizeof *gpu_columns);
    for (size_t i = 0; i<n; i += n> 2 ? n - 1 : n) {
        for (uint32_t gpu = 0; gpu < t->gpus; gpu++) {
            const struct timeline_gpu *g = &rows[i].gpus[gpu];

            table_text(&table, rows[i].name);
            table_count(&table, gpu);
            time_cell(&table, g->kernels_ns);
            time_cell(&table, g->transfer_ns);
            time_cell(&table, g->wait_ns);
            time_cell(&table, g->idle_ns);
        }
    }
    printf("\n");
    ret = table_print(&table, false, stdout, e);
    table_release(&table);
    if (ret == 0)
        printf("\nExposed: while no kernel of that GPU ran. Collectives wait for the last GPU before they "
               "transfer; the "
               "four add up to\nthe makespan.\n");
    return ret;
}

static int print_table(const struct timeline *t, const struct row *rows, size_t n, const struct cli_output *o,
                       struct err *e)
{
    struct table table;
    char text[NUM_TEXT], processes[CLI_NUMBER], threads[CLI_NUMBER], gpus[CLI_NUMBER], streams[CLI_NUMBER];
    char calls[CLI_NUMBER], works[CLI_NUMBER];
    int ret;

    table_init(&table, columns, sizeof columns / sizeof *columns);
    for (size_t i = 0; i < n; i++)
        add_row(&table, &rows[i]);
    if (!o->csv) {
        printf("%s, %s, %s, ", cli_counted(t->processes, "process", "processes", processes),
               cli_counted(t->threads, "thread", NULL, threads), cli_counted(t->gpus, "GPU", NULL, gpus));
        printf("%s; %s of the CUDA API, %s kernels, copies and memsets",
               cli_counted(t->streams, "stream", NULL, streams), cli_counted(t->call_count, "call", NULL, calls),
               cli_whole(t->work_count, works));
        if (t->dropped)
            printf("; %llu rows without times", (unsigned long long)t->dropped);
        printf("\n");
        print_linked(&rows[0].result);
        printf("profiled makespan %s, from the first call or kernel to the end of the last\n\n",
               format_duration(rows[0].result.profiled_ns * 1e-9, text));
    }
    ret = table_print(&table, o->csv, stdout, e);
    table_release(&table);
    if (ret == 0 && !o->csv)
        printf("\nThe change is that of the makespan from the profiled one. Behind it: the critical path, which "
               "sums up to "
               "the makespan.\n");
    return ret == 0 && !o->csv ? print_gpus(t, rows, n, e) : ret;
}

static json_t *gpus_json(const struct row *r, uint32_t gpus)
{
    json_t *list = json_array();

    for (uint32_t i = 0; i < gpus; i++) {
        struct json_obj o = json_obj_begin();

        json_put_double(&o, "kernels_s", r->gpus[i].kernels_ns * 1e-9);
        json_put_double(&o, "exposed_transfer_s", r->gpus[i].transfer_ns * 1e-9);
        json_put_double(&o, "exposed_wait_s", r->gpus[i].wait_ns * 1e-9);
        json_put_double(&o, "idle_s", r->gpus[i].idle_ns * 1e-9);
        if (json_push(list, json_obj_end(&o)) < 0) {
            json_decref(list);
            return NULL;
        }
    }
    return list;
}

static json_t *row_json(const struct row *r, uint32_t gpus)
{
    struct json_obj o = json_obj_begin(), factors = json_obj_begin(), path = json_obj_begin();

    for (int k = 0; k < TIMELINE_KINDS; k++) {
        json_put_double(&factors, timeline_kind_names[k], r->options.factor[k]);
        json_put_double(&path, timeline_kind_names[k], r->result.path_ns[k] * 1e-9);
    }
    json_put_double(&path, "cpu", r->result.cpu_ns * 1e-9);
    json_put_double(&path, "latency", r->result.latency_ns * 1e-9);
    json_put_str(&o, "run", r->name);
    json_put_bool(&o, "usual_latencies", r->options.typical);
    json_put(&o, "factors", json_obj_end(&factors));
    json_put_double(&o, "makespan_s", r->result.span_ns * 1e-9);
    json_put_double(&o, "change", r->result.span_ns / r->result.profiled_ns - 1);
    json_put(&o, "critical_path_s", json_obj_end(&path));
    json_put(&o, "gpus", gpus_json(r, gpus));
    return json_obj_end(&o);
}

static int print_json(const struct timeline *t, const struct row *rows, size_t n, struct err *e)
{
    struct json_obj o = json_obj_begin();
    json_t *list = json_array();

    for (size_t i = 0; i < n; i++)
        o.failed |= json_push(list, row_json(&rows[i], t->gpus)) < 0;
    json_put_u64(&o, "processes", t->processes);
    json_put_u64(&o, "threads", t->threads);
    json_put_u64(&o, "gpus", t->gpus);
    json_put_u64(&o, "streams", t->streams);
    json_put_u64(&o, "calls", t->call_count);
    json_put_u64(&o, "works", t->work_count);
    json_put_u64(&o, "collectives", rows[0].result.collectives);
    json_put_u64(&o, "linked_collectives", rows[0].result.linked);
    json_put_u64(&o, "dropped", t->dropped);
    json_put_double(&o, "profiled_makespan_s", rows[0].result.profiled_ns * 1e-9);
    json_put(&o, "rows", list);
    return cli_print_json(json_obj_end(&o), e);
}

/* "hgx-h200 (was hgx-h100)", with the factors where there are some. */
static void row_name(const struct timeline_question *q, char *out, size_t room)
{
    if (q->system)
        snprintf(out, room, "%s for %s%s%s", q->system, q->profiled, q->times ? ", " : "",
                 q->times ? q->times : "");
    else
        snprintf(out, room, "%s", q->times ? q->times : "");
}

static void print_kept(const struct timeline_systems *s)
{
    char number[CLI_NUMBER];

    if (s->kept)
        printf("\n%s no model and keep their profiled time.\n",
               cli_counted(s->kept, "collective or copy has", "collectives and copies have", number));
}

/* Re-times each row; `last` is the one for another system. */
static int retime_rows(const struct timeline *t, struct row *rows, size_t n, const char *name, struct err *e)
{
    for (size_t i = 0; i < n; i++) {
        rows[i].gpus = mem_zalloc(t->gpus, sizeof *rows[i].gpus, e);
        if (!rows[i].gpus)
            return -1;
        if (timeline_retime(t, &rows[i].options, &rows[i].result, rows[i].gpus, e) < 0)
            return err_wrap(e, "%s", name);
    }
    return 0;
}

int inspect_timeline(const char *path, const char *name, const struct timeline_question *q,
                     const struct cli_output *o, struct err *e)
{
    char asked[200];
    struct row rows[] = {
        {.name = "latencies as profiled", .options = {.factor = {1, 1, 1, 1, 1}}},
        {.name = "usual latencies", .options = {.factor = {1, 1, 1, 1, 1}, .typical = true}},
        {.name = asked, .options = {.factor = {1, 1, 1, 1, 1}}},
    };
    size_t n = q->times || q->system ? 3 : 2;
    struct timeline_systems systems = {.from = NULL};
    struct timeline t = {0};
    int ret = q->times ? read_factors(q->times, rows[2].options.factor, e) : 0;

    row_name(q, asked, sizeof asked);
    if (ret == 0)
        ret = ingest_timeline(path, name, &t, e);
    if (ret == 0 && q->system) {
        ret = timeline_systems_open(&systems, q->profiled, q->system, &t, e);
        rows[2].options.scale = timeline_systems_scale;
        rows[2].options.ctx = &systems;
    }
    if (ret == 0)
        ret = retime_rows(&t, rows, n, name, e);
    if (ret == 0)
        ret = o->json ? print_json(&t, rows, n, e) : print_table(&t, rows, n, o, e);
    if (ret == 0 && !o->json && !o->csv)
        print_kept(&systems);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        free(rows[i].gpus);
    timeline_systems_release(&systems);
    timeline_release(&t);
    return ret;
}
