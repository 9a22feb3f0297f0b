/* vivace ptx run: the launches of a list, their results checked. */
#include <inttypes.h>

#include "base/clock.h"
#include "cli/cli.h"
#include "cli/cmd_ptx.h"
#include "cli/table.h"
#include "simcore/ptx/launch_list.h"
#include "wire/json.h"

static const char run_text[] =
    "Runs the steps of a launch list on the CPU: copies and fills, and kernels from PTX, with values as a GPU "
    "would "
    "make\n"
    "them. Then the results are held against what the list expects; where something differs, the first place, both "
    "values\n"
    "and the number of wrong ones are told, and the exit code is 65. What kernels print goes to stdout.\n"
    "\n"
    "A fault of a kernel (a bad address, a barrier that nobody reaches, more instructions than --limit) ends the "
    "run\n"
    "with the kernel's name, line, CTA and thread, and exit code 70. --strict also takes what the manual leaves\n"
    "undefined for a fault.\n"
    "\n"
    "Examples:\n"
    "  vivace ptx run examples/vector-add/launches.json\n"
    "  vivace ptx run launches.json --json | jq .launches[0].warp_instructions\n"
    "  vivace ptx run launches.json --check       as the first, but a list that expects nothing is an error\n";

struct run_state {
    struct table table;
    json_t *launches, *expects;
    bool json, failed; /* failed: no memory for a row of JSON */
    struct cli_output output;
};

static void on_launch(void *ctx, const char *name, uint64_t number, const struct ptx_exec_stats *s)
{
    struct run_state *r = ctx;

    cli_progress("launch %" PRIu64 " (%s) has run", number + 1, name);
    if (r->json) {
        struct json_obj o = json_obj_begin();

        json_put_str(&o, "name", name);
        json_put_u64(&o, "ctas", s->ctas);
        json_put_u64(&o, "warp_instructions", s->warp_instructions);
        json_put_u64(&o, "lane_instructions", s->lane_instructions);
        json_put_u64(&o, "divergent_branches", s->divergent_branches);
        json_put_u64(&o, "barriers", s->barriers);
        json_put_u64(&o, "undefined", s->undefined);
        r->failed |= json_push(r->launches, json_obj_end(&o)) != 0;
        return;
    }
    table_text(&r->table, name);
    table_count(&r->table, s->ctas);
    table_count(&r->table, s->warp_instructions);
    table_count(&r->table, s->lane_instructions);
    table_count(&r->table, s->divergent_branches);
    table_count(&r->table, s->barriers);
}

static void on_check(void *ctx, const char *what, bool good, const char *text)
{
    struct run_state *r = ctx;
    struct json_obj o = json_obj_begin();

    if (!good && !r->json)
        cli_warn("%s", text);
    json_put_str(&o, "what", what);
    json_put_bool(&o, "good", good);
    json_put_str(&o, "text", text);
    r->failed |= json_push(r->expects, json_obj_end(&o)) != 0;
}

/* Prints of kernels go to stdout, where --json does not need it. */
static void on_print(void *ctx, const char *text, size_t n)
{
    FILE *to = ctx;

    fwrite(text, 1, n, to);
}

static int report(struct run_state *r, const struct launch_list_done *d, double seconds, struct err *e)
{
    struct json_obj o;
    char number[3][CLI_NUMBER];

    if (r->json) {
        o = json_obj_begin();
        o.failed |= r->failed;
        json_put_u64(&o, "warp_instructions", d->warp_instructions);
        json_put_u64(&o, "lane_instructions", d->lane_instructions);
        json_put_double(&o, "seconds", seconds);
        json_put(&o, "launches", json_incref(r->launches));
        json_put(&o, "expect", json_incref(r->expects));
        return cli_print_json(json_obj_end(&o), e);
    }
    if (table_print(&r->table, r->output.csv, stdout, e) != 0)
        return -1;
    if (!r->output.csv)
        printf("%s launches, %s warp instructions in %s; %u of %u results as expected\n",
               cli_whole(d->launches, number[0]), cli_whole(d->warp_instructions, number[1]),
               cli_seconds(seconds, number[2]), d->expects - d->failed, d->expects);
    return 0;
}

static int run(struct run_state *r, const struct launch_list *l, const struct launch_list_options *o, struct err *e)
{
    static const struct table_column columns[] = {{"launch", "launch", false, true},
                                                  {"CTAs", "ctas", true, false},
                                                  {"warp instructions", "warp_instructions", true, false},
                                                  {"lane instructions", "lane_instructions", true, false},
                                                  {"divergent", "divergent_branches", true, false},
                                                  {"barriers", "barriers", true, false}};
    struct launch_list_done done;
    uint64_t begin = clock_monotonic_us();
    int ret;

    table_init(&r->table, columns, sizeof columns / sizeof columns[0]);
    r->launches = json_array();
    r->expects = json_array();
    cli_progress_begin(&r->output);
    ret = launch_list_run(l, o, &done, e);
    cli_progress_end();
    if (ret == 0)
        ret = report(r, &done, (double)(clock_monotonic_us() - begin) * 1e-6, e);
    if (ret == 0 && done.failed > 0)
        ret =
            err_set(e, ERR_INVALID, "%s: %u of %u results are not as expected", l->path, done.failed, done.expects);
    table_release(&r->table);
    json_decref(r->launches);
    json_decref(r->expects);
    return ret;
}

int ptx_cmd_run(int argc, char **argv)
{
    struct run_state r = {0};
    struct launch_list_options o = {.launched = on_launch, .checked = on_check, .ctx = &r};
    bool must_check = false;
    const struct cli_option options[] = {
        {"check", 0, CLI_FLAG, NULL, &must_check, "a list that expects nothing is an error"},
        {"strict", 0, CLI_FLAG, NULL, &o.exec.strict, "what the manual leaves undefined is a fault"},
        {"taken-first", 0, CLI_FLAG, NULL, &o.exec.taken_first,
         "diverged branches run their target first: results must not depend on it"},
        {"limit", 0, CLI_U64, "N", &o.exec.limit_instructions, "warp instructions of a launch, at most"},
        {NULL, 0, CLI_FLAG, NULL, NULL, NULL}};
    const struct cli_usage usage = {.command = "ptx run",
                                    .synopsis = "LIST.json [--check] [--strict]",
                                    .text = run_text,
                                    .options = options,
                                    .output = &r.output,
                                    .csv = true,
                                    .least_args = 1,
                                    .most_args = 1};
    struct launch_list *l = NULL;
    struct cli_args args;
    struct err e;
    int ret = cli_parse(&usage, argc, argv, &args, &e);

    if (ret)
        return cli_parsed(ret, &e);
    r.json = r.output.json;
    o.exec.print = on_print;
    o.exec.print_ctx = r.output.json || r.output.csv ? stderr : stdout;
    ret = launch_list_read(args.items[0], &l, &e);
    if (ret == 0 && must_check && l->expect_count == 0)
        ret = err_set(&e, ERR_INVALID, "%s: --check, but the list has no `expect`", l->path);
    if (ret == 0)
        ret = run(&r, l, &o, &e);
    launch_list_free(l);
    return cli_end(ret, &e);
}
