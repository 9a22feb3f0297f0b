/* `vivace simulate`: its table, its CSV, its JSON. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/demangle.h"
#include "cli/parts.h"
#include "cli/simulation.h"
#include "cli/table.h"
#include "wire/json.h"

static const struct sim_task *task_of(const struct simulation *s, size_t launch, size_t design)
{
    return &s->tasks[launch * s->design_count + design];
}

static const char *why_not(const struct simulation *s, size_t launch, const struct sim_task *t)
{
    if (!s->launches[launch].kernel)
        return "the traces do not hold this launch";
    return t->done ? NULL : t->why ? t->why : "not simulated";
}

/* The first line only: tables have one. */
static void first_line(const char *text, char *out, size_t size)
{
    snprintf(out, size, "%.*s", (int)strcspn(text, "\n"), text);
}

/* --- The table of launches, for people and as CSV --- */

static void add_shape(struct table *t, const uint32_t dim[3], bool known)
{
    char text[64];

    snprintf(text, sizeof text, "(%u,%u,%u)", dim[0], dim[1], dim[2]);
    table_text(t, known ? text : "");
}

static void add_count_if(struct table *t, bool known, uint64_t n)
{
    if (known)
        table_count(t, n);
    else
        table_pair(t, "–", "");
}

static int add_name(struct table *t, const struct sim_task *k, struct err *e)
{
    char *plain = demangle(k->name && *k->name ? k->name : "?", e);

    if (!plain)
        return -1;
    table_text(t, plain);
    free(plain);
    return 0;
}

static int add_row(struct table *t, const struct simulation *s, size_t launch, size_t design, struct err *e)
{
    const struct sim_task *k = task_of(s, launch, design);
    const struct bundle_kernel *kernel = s->launches[launch].kernel;
    const char *why = why_not(s, launch, k);
    char note[200] = "", seconds[CLI_NUMBER];

    if (why)
        first_line(why, note, sizeof note);
    add_count_if(t, kernel != NULL, kernel ? kernel->id : 0);
    table_count(t, s->launches[launch].invocation);
    table_text(t, design_name(s->designs[design]));
    if (add_name(t, k, e) < 0)
        return -1;
    add_shape(t, k->grid, k->known);
    add_shape(t, k->block, k->known);
    add_count_if(t, k->done, k->warp_instructions);
    add_count_if(t, k->done, k->cycles);
    add_count_if(t, k->done, k->launch_cycles);
    table_number(t, k->done ? k->seconds : NAN, k->done ? cli_seconds(k->seconds, seconds) : "–");
    table_text(t, note);
    return 0;
}

static int print_launches(const struct simulation *s, bool csv, struct err *e)
{
    static const struct table_column columns[] = {
        {"id", "id", true, false},
        {"launch", "invocation", true, false},
        {"design", "design", false, false},
        {"kernel", "name", false, true},
        {"grid", "grid", false, false},
        {"block", "block", false, false},
        {"warp instructions", "warp_instructions", true, false},
        {"cycles", "cycles", true, false},
        {"of these launch", "launch_cycles", true, false},
        {"host time", "seconds", true, false},
        {"", "error", false, false},
    };
    struct table t;
    int ret = 0;

    table_init(&t, columns, sizeof columns / sizeof *columns);
    for (size_t i = 0; ret == 0 && i < s->launch_count; i++)
        for (size_t d = 0; ret == 0 && d < s->design_count; d++)
            ret = add_row(&t, s, i, d, e);
    if (ret == 0)
        ret = table_print(&t, csv, stdout, e);
    table_release(&t);
    return ret;
}

int simulation_print_csv(const struct simulation *s, struct err *e)
{
    return print_launches(s, true, e);
}

/* --- For people: sums and projections --- */

static int print_totals(const struct simulation *s, struct err *e)
{
    static const struct table_column columns[] = {
        {"design", "", false, false}, {"launches", "", true, false},        {"failed", "", true, false},
        {"cycles", "", true, false},  {"of these launch", "", true, false}, {"time on that GPU", "", true, false},
    };
    struct table t;
    char text[CLI_NUMBER];
    int ret;

    table_init(&t, columns, sizeof columns / sizeof *columns);
    for (size_t d = 0; d < s->design_count; d++) {
        const struct sim_total *x = &s->totals[d];

        table_text(&t, design_name(s->designs[d]));
        table_count(&t, x->kernels);
        table_count(&t, x->failed);
        table_count(&t, x->cycles);
        table_count(&t, x->launch_cycles);
        table_text(&t, cli_seconds((double)x->cycles / design_clock_hz(s->designs[d]), text));
    }
    printf("\nSum over the launches above, each simulated in full:\n");
    ret = table_print(&t, false, stdout, e);
    table_release(&t);
    return ret;
}

/* What a plan file alone cannot tell. */
static const char *why_no_model_error(const struct plan *p)
{
    return p->unit == PROFILE_NS ? "a plan file does not say which GPU was profiled; a run on a farm does"
                                 : "the profile counts warp instructions, so there is no measured time";
}

static const char *why_no_makespan(const struct plan *p)
{
    return p->unit == PROFILE_NS ? "a plan file has no start times; a run on a farm has the profile's"
                                 : "traces have no start times";
}

static struct projection_parts parts_of(const struct simulation *s, size_t d)
{
    const struct projection *p = &s->cycles[d];
    double clock = design_clock_hz(s->designs[d]);

    return (struct projection_parts){.design = design_name(s->designs[d]),
                                     .sum_s = p->value / clock,
                                     .half_width_s = p->half_width / clock,
                                     .sum_cycles = p->value,
                                     .half_width_cycles = p->half_width,
                                     .sum_why_not = p->warning,
                                     .relative = p->half_width / p->value,
                                     .level = p->level,
                                     .df = p->df,
                                     .planned = s->plan.promise_valid ? s->plan.promised_error : NAN,
                                     .interval_why_not = p->warning,
                                     .warning = p->warning,
                                     .model_error = NAN,
                                     .model_why_not = why_no_model_error(&s->plan),
                                     .makespan_s = NAN,
                                     .makespan_why_not = why_no_makespan(&s->plan)};
}

static void print_comparison(const struct simulation *s, size_t d)
{
    const struct comparison *c = &s->against_first[d];
    char difference[CLI_NUMBER], ratio[CLI_NUMBER];

    printf("  %s against %s: %s, ratio %s; %s\n", design_name(s->designs[d]), design_name(s->designs[0]),
           cli_estimate_seconds(c->difference, c->difference_half_width, difference),
           cli_estimate(c->ratio, c->ratio_half_width, "×", ratio),
           c->distinguishable ? "a real difference" : "no difference that the samples could show");
}

static void print_projections(const struct simulation *s)
{
    char a[CLI_NUMBER], b[CLI_NUMBER], x[CLI_NUMBER];

    printf(
        "\nThe whole workload, %s launches, projected from %s simulated ones (method %s, %s less to simulate):\n",
        cli_whole(s->plan.invocations, a), cli_whole(s->plan.sample_count, b), s->plan.method,
        cli_speedup(s->plan.speedup, x));
    for (size_t d = 0; d < s->design_count; d++) {
        struct projection_parts parts = parts_of(s, d);

        parts_print(&parts);
    }
    if (s->design_count > 1)
        printf("Paired differences (the designs share the samples):\n");
    for (size_t d = 1; d < s->design_count; d++)
        print_comparison(s, d);
}

static void print_speed(const struct simulation *s)
{
    double host = 0, instructions = 0;
    char wall[CLI_NUMBER], rate[NUM_TEXT];

    for (size_t d = 0; d < s->design_count; d++) {
        host += s->totals[d].host_seconds;
        instructions += (double)s->totals[d].warp_instructions;
    }
    printf("\nSimulated in %s with %u process%s; %s warp instructions a second of each.\n",
           cli_seconds(s->wall_seconds, wall), s->children, s->children == 1 ? "" : "es",
           format_count(host > 0 ? instructions / host : 0, rate));
}

int simulation_print_text(const struct simulation *s, struct err *e)
{
    if (print_launches(s, false, e) < 0 || print_totals(s, e) < 0)
        return -1;
    if (s->has_plan)
        print_projections(s);
    print_speed(s);
    return 0;
}

/* --- JSON --- */

static json_t *launch_json(const struct simulation *s, size_t launch, size_t design)
{
    const struct sim_task *t = task_of(s, launch, design);
    const struct bundle_kernel *kernel = s->launches[launch].kernel;
    const char *why = why_not(s, launch, t);
    struct json_obj o = json_obj_begin();
    struct err ignored;
    char *plain = t->name ? demangle(t->name, &ignored) : NULL;

    json_put(&o, "id", kernel ? json_count(kernel->id) : json_null());
    json_put_u64(&o, "invocation", s->launches[launch].invocation);
    json_put_str(&o, "design", design_name(s->designs[design]));
    json_put(&o, "name", json_str_or_null(t->name));
    json_put(&o, "demangled", json_str_or_null(plain));
    json_put(&o, "grid", t->known ? json_dim3(t->grid) : json_null());
    json_put(&o, "block", t->known ? json_dim3(t->block) : json_null());
    json_put(&o, "warp_instructions", t->done ? json_count(t->warp_instructions) : json_null());
    json_put(&o, "cycles", t->done ? json_count(t->cycles) : json_null());
    json_put(&o, "launch_cycles", t->done ? json_count(t->launch_cycles) : json_null());
    json_put_double(&o, "seconds", t->known ? t->seconds : NAN);
    json_put(&o, "error", json_str_or_null(why));
    free(plain);
    return json_obj_end(&o);
}

static json_t *total_json(const struct simulation *s, size_t d)
{
    const struct sim_total *t = &s->totals[d];
    struct json_obj o = json_obj_begin();

    json_put_str(&o, "design", design_name(s->designs[d]));
    json_put_str(&o, "design_sha256", design_sha256(s->designs[d]));
    json_put_double(&o, "clock_hz", design_clock_hz(s->designs[d]));
    json_put_u64(&o, "kernels", t->kernels);
    json_put_u64(&o, "failed", t->failed);
    json_put_u64(&o, "cycles", t->cycles);
    json_put_u64(&o, "launch_cycles", t->launch_cycles);
    json_put_u64(&o, "warp_instructions", t->warp_instructions);
    json_put_double(&o, "gpu_seconds", (double)t->cycles / design_clock_hz(s->designs[d]));
    json_put_double(&o, "host_seconds", t->host_seconds);
    return json_obj_end(&o);
}

static json_t *parts_json(const struct simulation *s, size_t d)
{
    struct projection_parts p = parts_of(s, d);
    struct json_obj o = json_obj_begin();

    json_put_double(&o, "sum_s", p.sum_s);
    json_put(&o, "sum_why_not", json_str_or_null(isfinite(p.sum_s) ? NULL : p.sum_why_not));
    json_put_double(&o, "sampling_error", p.relative);
    json_put(&o, "sampling_error_why_not", json_str_or_null(isfinite(p.relative) ? NULL : p.interval_why_not));
    json_put_double(&o, "model_error", p.model_error);
    json_put(&o, "model_error_why_not", json_str_or_null(p.model_why_not));
    json_put_double(&o, "makespan_s", p.makespan_s);
    json_put(&o, "makespan_why_not", json_str_or_null(p.makespan_why_not));
    return json_obj_end(&o);
}

static json_t *projection_json(const struct simulation *s, size_t d)
{
    const struct projection *p = &s->cycles[d];
    double clock = design_clock_hz(s->designs[d]);
    struct json_obj o = json_obj_begin();

    json_put_str(&o, "design", design_name(s->designs[d]));
    json_put_double(&o, "value_cycles", p->value);
    json_put_double(&o, "half_width_cycles", p->half_width);
    json_put_double(&o, "value_s", p->value / clock);
    json_put_double(&o, "half_width_s", p->half_width / clock);
    json_put_double(&o, "level", p->level);
    json_put_double(&o, "df", p->df);
    json_put_u64(&o, "done", p->done);
    json_put_u64(&o, "planned", p->planned);
    json_put_bool(&o, "complete", p->complete);
    json_put_str(&o, "interval", p->variance_method);
    json_put(&o, "warning", json_str_or_null(p->warning));
    json_put(&o, "parts", parts_json(s, d));
    return json_obj_end(&o);
}

static json_t *comparison_json(const struct simulation *s, size_t d)
{
    const struct comparison *c = &s->against_first[d];
    struct json_obj o = json_obj_begin();

    json_put_str(&o, "design", design_name(s->designs[d]));
    json_put_str(&o, "baseline", design_name(s->designs[0]));
    json_put_double(&o, "difference_s", c->difference);
    json_put_double(&o, "half_width_s", c->difference_half_width);
    json_put_double(&o, "ratio", c->ratio);
    json_put_double(&o, "ratio_half_width", c->ratio_half_width);
    json_put_double(&o, "df", c->df);
    json_put_double(&o, "level", c->level);
    json_put_u64(&o, "paired_on", c->paired_on);
    json_put_bool(&o, "distinguishable", c->distinguishable);
    return json_obj_end(&o);
}

typedef json_t *(*of_design_fn)(const struct simulation *s, size_t d);

static json_t *each_design(const struct simulation *s, size_t first, of_design_fn of)
{
    json_t *list = json_array();

    for (size_t d = first; list && d < s->design_count; d++)
        if (json_push(list, of(s, d)) < 0) {
            json_decref(list);
            list = NULL;
        }
    return list;
}

static json_t *launches_json(const struct simulation *s)
{
    json_t *list = json_array();

    for (size_t i = 0; list && i < s->launch_count * s->design_count; i++)
        if (json_push(list, launch_json(s, i / s->design_count, i % s->design_count)) < 0) {
            json_decref(list);
            list = NULL;
        }
    return list;
}

int simulation_print_json(const struct simulation *s, struct err *e)
{
    struct json_obj o = json_obj_begin();

    json_put_str(&o, "simulator", SIMCORE_VERSION);
    json_put(&o, "kernels", launches_json(s));
    json_put(&o, "totals", each_design(s, 0, total_json));
    json_put(&o, "projections", s->has_plan ? each_design(s, 0, projection_json) : json_array());
    json_put(&o, "comparison", s->has_plan ? each_design(s, 1, comparison_json) : json_array());
    json_put_double(&o, "wall_seconds", s->wall_seconds);
    json_put_u64(&o, "processes", s->children);
    return cli_print_json(json_obj_end(&o), e);
}
