/* cli/code/list_report.c: launches and results of a launch list as a table, CSV or JSON. */
#include "cli/code/list_report.h"

#include <inttypes.h>
#include <string.h>

#include "wire/json.h"

void list_report_begin(struct list_report *r)
{
    static const struct table_column columns[] = {{"launch", "launch", false, true},
                                                  {"CTAs", "ctas", true, false},
                                                  {"warp instructions", "warp_instructions", true, false},
                                                  {"lane instructions", "lane_instructions", true, false},
                                                  {"divergent", "divergent_branches", true, false},
                                                  {"barriers", "barriers", true, false}};
    size_t own = sizeof columns / sizeof columns[0];

    memcpy(r->columns, columns, sizeof columns);
    table_init(&r->table, r->columns, own + (r->timing ? ptx_timing_columns(r->timing, r->columns + own) : 0));
    r->launches = json_array();
    r->expects = json_array();
    cli_progress_begin(&r->output);
}

void list_report_release(struct list_report *r)
{
    if (!r->launches)
        return;
    table_release(&r->table);
    json_decref(r->launches);
    json_decref(r->expects);
}

static json_t *classes_json(const uint64_t counts[SASS_CLASS_COUNT])
{
    struct json_obj o = json_obj_begin();

    for (int k = 0; k < SASS_CLASS_COUNT; k++)
        json_put_u64(&o, sass_class_names[k], counts[k]);
    return json_obj_end(&o);
}

static void add_json(struct list_report *r, const char *name, const struct ptx_exec_stats *s)
{
    struct json_obj o = json_obj_begin();

    json_put_str(&o, "name", name);
    json_put_u64(&o, "ctas", s->ctas);
    json_put_u64(&o, "warp_instructions", s->warp_instructions);
    json_put_u64(&o, "lane_instructions", s->lane_instructions);
    json_put_u64(&o, "divergent_branches", s->divergent_branches);
    json_put_u64(&o, "barriers", s->barriers);
    json_put_u64(&o, "undefined", s->undefined);
    if (r->machine)
        json_put(&o, "classes", classes_json(r->machine->last));
    if (r->timing && (r->timing->trace || r->timing->gpu))
        json_put(&o, "timing", ptx_timing_json(r->timing));
    r->failed |= json_push(r->launches, json_obj_end(&o)) != 0;
}

void list_report_launch(struct list_report *r, const char *name, uint64_t number, const struct ptx_exec_stats *s)
{
    cli_progress("launch %" PRIu64 " (%s) has run", number + 1, name);
    if (r->output.json) {
        add_json(r, name, s);
        return;
    }
    table_text(&r->table, name);
    table_count(&r->table, s->ctas);
    table_count(&r->table, s->warp_instructions);
    table_count(&r->table, s->lane_instructions);
    table_count(&r->table, s->divergent_branches);
    table_count(&r->table, s->barriers);
    if (r->timing)
        ptx_timing_cells(r->timing, &r->table);
}

void list_report_check(struct list_report *r, const char *what, bool good, const char *text)
{
    struct json_obj o = json_obj_begin();

    if (!good && !r->output.json)
        cli_warn("%s", text);
    json_put_str(&o, "what", what);
    json_put_bool(&o, "good", good);
    json_put_str(&o, "text", text);
    r->failed |= json_push(r->expects, json_obj_end(&o)) != 0;
}

static int print_json(struct list_report *r, const struct launch_list_done *d, double seconds, struct err *e)
{
    struct json_obj o = json_obj_begin();

    o.failed |= r->failed;
    if (r->machine)
        json_put_u64(&o, "arch", r->machine->arch);
    json_put_u64(&o, "warp_instructions", d->warp_instructions);
    json_put_u64(&o, "lane_instructions", d->lane_instructions);
    json_put_double(&o, "seconds", seconds);
    json_put(&o, "launches", json_incref(r->launches));
    json_put(&o, "expect", json_incref(r->expects));
    return cli_print_json(json_obj_end(&o), e);
}

int list_report_print(struct list_report *r, const struct launch_list_done *d, double seconds, struct err *e)
{
    char number[4][CLI_NUMBER];

    if (r->output.json)
        return print_json(r, d, seconds, e);
    if (table_print(&r->table, r->output.csv, stdout, e) != 0)
        return -1;
    if (r->output.csv)
        return 0;
    if (r->machine)
        printf("machine code of sm_%u: ", r->machine->arch);
    printf("%s, %s warp instructions in %s; %u of %s as expected\n",
           cli_counted(d->launches, "launch", "launches", number[0]), cli_whole(d->warp_instructions, number[1]),
           cli_seconds(seconds, number[2]), d->expects - d->failed,
           cli_counted(d->expects, "result", NULL, number[3]));
    return 0;
}

int list_report_verdict(const struct launch_list *l, const struct launch_list_done *d, struct err *e)
{
    return d->failed == 0 ? 0
                          : err_set(e, ERR_INVALID, "%s: %u of %u results differ from the expected ones", l->path,
                                    d->failed, d->expects);
}

void list_report_text(void *ctx, const char *text, size_t n)
{
    FILE *to = ctx;

    fwrite(text, 1, n, to);
}

FILE *list_report_text_to(const struct list_report *r)
{
    return r->output.json || r->output.csv ? stderr : stdout;
}
