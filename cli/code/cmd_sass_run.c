/* vivace sass run: runs a launch list from machine code. vivace sass compare: runs it from PTX too, and compares.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/clock.h"
#include "cli/code/cmd_sass.h"
#include "cli/code/list_report.h"
#include "cli/nouns.h"
#include "wire/json.h"

static const char run_text[] =
    "Runs the steps of a launch list (docs/formats/launch-list.md) on the CPU as `vivace ptx run` does, but "
    "executes\n"
    "the machine code in FILE: each launch runs the kernel of its name. FILE is a cubin, a fat binary, a program "
    "or "
    "a\n"
    "library. The list's own modules are not read. Machine code of sm_75 to sm_90 is executed; --arch selects one, "
    "else\n"
    "the newest in FILE runs.\n"
    "\n"
    "An instruction without a known meaning ends the run with exit code 65, with kernel, address and instruction; "
    "a\n"
    "fault of the kernel with 70. --json has each launch's warp instructions by class.\n"
    "\n"
    "Examples:\n"
    "  ptxas -arch=sm_86 -o k.cubin examples/reduction/reduction.ptx\n"
    "  vivace sass run k.cubin examples/reduction/launches.json\n"
    "  vivace sass run k.cubin examples/reduction/launches.json --json | jq .launches[0].classes\n";

static const char compare_text[] =
    "Runs the launch list twice: from the PTX of its modules, and from the machine code in FILE. Then compares "
    "all\n"
    "buffers of the list, bit by bit. A buffer that differs is shown with its first place, both values and the "
    "number\n"
    "of elements that differ, floats with the largest distance in units in the last place. Exit code 65 if one "
    "differs\n"
    "by more than --ulp.\n"
    "\n"
    "Results may differ where PTX leaves the bits open: approximate functions (ex2, sin, rcp), `mul` and `add` "
    "that "
    "ptxas\n"
    "joins to one fma (--fp-contract like-ptxas does the same to the PTX), sums of atomics in another order.\n"
    "\n"
    "Examples:\n"
    "  vivace sass compare k.cubin examples/reduction/launches.json\n"
    "  vivace sass compare k.cubin launches.json --fp-contract like-ptxas --ulp 4 --json\n";

struct machine_options {
    const char *arch; /* NULL: the newest */
    uint64_t limit;
    bool taken_first;
};

static int read_arch(const char *text, uint32_t *arch, struct err *e)
{
    char *end;
    unsigned long v;

    *arch = 0;
    if (!text)
        return 0;
    v = strtoul(strncmp(text, "sm_", 3) == 0 ? text + 3 : text, &end, 10);
    if (*end != 0 || v < SASS_EXEC_ARCH_MIN || v > SASS_EXEC_ARCH_MAX)
        return err_set(e, ERR_USAGE, "--arch: must be sm_%d to sm_%d, not \"%.40s\"", SASS_EXEC_ARCH_MIN,
                       SASS_EXEC_ARCH_MAX, text);
    *arch = (uint32_t)v;
    return 0;
}

static void on_launch(void *ctx, const char *name, uint64_t number, const struct ptx_exec_stats *s)
{
    list_report_launch(ctx, name, number, s);
}

static void on_check(void *ctx, const char *what, bool good, const char *text)
{
    list_report_check(ctx, what, good, text);
}

static int run_and_report(struct list_report *r, const struct launch_list *l, struct launch_list_options *o,
                          struct err *e)
{
    struct launch_list_done done;
    uint64_t begin = clock_monotonic_us();
    int ret;

    list_report_begin(r);
    ret = launch_list_run(l, o, &done, e);
    cli_progress_end();
    if (ret == 0)
        ret = list_report_print(r, &done, (double)(clock_monotonic_us() - begin) * 1e-6, e);
    return ret == 0 ? list_report_verdict(l, &done, e) : ret;
}

int sass_run(int argc, char **argv)
{
    struct machine_options how = {0};
    struct sass_list_engine engine = {0};
    struct list_report r = {.machine = &engine};
    bool must_check = false;
    const struct cli_option options[] = {
        {"arch", 0, CLI_TEXT, "sm_NN", &how.arch, "the machine code of this architecture; the newest in FILE"},
        {"check", 0, CLI_FLAG, NULL, &must_check, "a list that expects nothing is an error"},
        {"taken-first", 0, CLI_FLAG, NULL, &how.taken_first,
         "diverged branches run their target first, to find results that depend on the order"},
        {"limit", 0, CLI_U64, "N", &how.limit, "maximum number of warp instructions of a launch"},
        {NULL, 0, CLI_FLAG, NULL, NULL, NULL}};
    const struct cli_usage usage = {.command = "sass run",
                                    .synopsis = "FILE LIST.json [--arch sm_NN] [--check]",
                                    .text = run_text,
                                    .options = options,
                                    .output = &r.output,
                                    .csv = true,
                                    .least_args = 2,
                                    .most_args = 2};
    struct launch_list_options o = {
        .launched = on_launch, .checked = on_check, .ctx = &r, .engine = &engine.engine};
    struct sass_input in = {0};
    struct launch_list *l = NULL;
    struct cli_args args;
    uint32_t arch = 0;
    struct err e;
    int ret = cli_parse(&usage, argc, argv, &args, &e);

    if (ret)
        return cli_parsed(ret, &e);
    ret = read_arch(how.arch, &arch, &e);
    if (ret == 0)
        ret = sass_input_open(args.items[0], &in, &e);
    if (ret == 0)
        ret = launch_list_read(args.items[1], &l, &e);
    if (ret == 0 && must_check && l->expect_count == 0)
        ret = err_set(&e, ERR_INVALID, "%s: --check, but the list has no `expect`", l->path);
    if (ret == 0) {
        sass_list_engine_init(&engine, &in.file, arch);
        o.exec.limit_instructions = how.limit;
        o.exec.taken_first = how.taken_first;
        o.exec.print = list_report_text;
        o.exec.print_ctx = list_report_text_to(&r);
        ret = run_and_report(&r, l, &o, &e);
    }
    list_report_release(&r);
    sass_list_engine_release(&engine);
    launch_list_free(l);
    sass_input_close(&in);
    return cli_end(ret, &e);
}

/* --- compare --- */

struct kept {
    const struct launch_list *l;
    uint8_t **buffers; /* of the first run; NULL: not run yet */
    bool is_second, json, failed;
    uint64_t ulp, differ, compared;
    struct table table;
    json_t *rows;
};

static uint64_t bytes_of(const struct list_buffer *b)
{
    return b->count * element_bytes(b->type);
}

static int keep(struct kept *k, const struct device_memory *m, const uint64_t *addresses, struct err *e)
{
    for (uint32_t i = 0; i < k->l->buffer_count; i++) {
        uint64_t n = bytes_of(&k->l->buffers[i]);

        k->buffers[i] = mem_zalloc(n + 1, 1, e);
        if (!k->buffers[i])
            return -1;
        memcpy(k->buffers[i], device_bytes(m, addresses[i], n), n);
    }
    return 0;
}

static void value_text(const struct list_buffer *b, const uint8_t *at, char *out, size_t n)
{
    uint64_t bits = 0;

    memcpy(&bits, at, element_bytes(b->type));
    if (element_is_float(b->type))
        snprintf(out, n, "%.9g (0x%" PRIx64 ")", element_read(b->type, at), bits);
    else
        snprintf(out, n, "0x%" PRIx64, bits);
}

static void compare_buffer(struct kept *k, const struct list_buffer *b, const uint8_t *ptx, const uint8_t *machine)
{
    uint64_t differ = 0, first = 0, most = 0, size = element_bytes(b->type);
    char text[2][64] = {"", ""};

    for (uint64_t i = 0; i < b->count; i++) {
        if (memcmp(ptx + i * size, machine + i * size, size) == 0)
            continue;
        if (element_is_float(b->type)) {
            uint64_t ulps = element_ulps(b->type, ptx + i * size, machine + i * size);

            most = ulps > most ? ulps : most;
        } else {
            most = UINT64_MAX;
        }
        first = differ++ ? first : i;
    }
    k->compared++;
    k->differ += differ > 0 && most > k->ulp;
    if (differ) {
        value_text(b, ptx + first * size, text[0], sizeof text[0]);
        value_text(b, machine + first * size, text[1], sizeof text[1]);
    }
    if (k->json) {
        struct json_obj o = json_obj_begin();

        json_put_str(&o, "buffer", b->name);
        json_put_u64(&o, "elements", b->count);
        json_put_u64(&o, "differ", differ);
        json_put(&o, "first", differ ? json_integer((json_int_t)first) : json_null());
        json_put_str(&o, "ptx", differ ? text[0] : NULL);
        json_put_str(&o, "machine", differ ? text[1] : NULL);
        json_put(&o, "ulps", differ && most != UINT64_MAX ? json_integer((json_int_t)most) : json_null());
        k->failed |= json_push(k->rows, json_obj_end(&o)) != 0;
        return;
    }
    table_text(&k->table, b->name);
    table_count(&k->table, b->count);
    table_count(&k->table, differ);
    if (differ)
        table_count(&k->table, first);
    else
        table_text(&k->table, "");
    table_text(&k->table, text[0]);
    table_text(&k->table, text[1]);
    if (differ && most != UINT64_MAX)
        table_count(&k->table, most);
    else
        table_text(&k->table, "");
}

static int on_finished(void *ctx, const struct device_memory *m, const uint64_t *addresses, struct err *e)
{
    struct kept *k = ctx;

    if (!k->is_second)
        return keep(k, m, addresses, e);
    for (uint32_t i = 0; i < k->l->buffer_count; i++) {
        const struct list_buffer *b = &k->l->buffers[i];

        compare_buffer(k, b, k->buffers[i], device_bytes(m, addresses[i], bytes_of(b)));
    }
    return 0;
}

static int print_comparison(struct kept *k, const struct cli_output *output, uint32_t arch, struct err *e)
{
    struct json_obj o;

    if (!output->json) {
        if (table_print(&k->table, output->csv, stdout, e) != 0)
            return -1;
        if (!output->csv)
            printf("PTX and machine code of sm_%u: %" PRIu64 " of %" PRIu64 " buffers are equal%s\n", arch,
                   k->compared - k->differ, k->compared, k->ulp ? " within --ulp" : "");
        return 0;
    }
    o = json_obj_begin();
    o.failed |= k->failed;
    json_put_u64(&o, "arch", arch);
    json_put_u64(&o, "buffers", k->compared);
    json_put_u64(&o, "differ", k->differ);
    json_put(&o, "rows", json_incref(k->rows));
    return cli_print_json(json_obj_end(&o), e);
}

static int run_both(struct kept *k, struct launch_list_options *o, struct sass_list_engine *x, struct err *e)
{
    struct launch_list_done done;

    if (launch_list_run(k->l, o, &done, e) != 0)
        return err_wrap(e, "the PTX");
    k->is_second = true;
    o->engine = &x->engine;
    return launch_list_run(k->l, o, &done, e) != 0 ? err_wrap(e, "the machine code") : 0;
}

static int compare(struct kept *k, struct launch_list_options *o, const struct sass_file *file, uint32_t arch,
                   const struct cli_output *output, struct err *e)
{
    static const struct table_column columns[] = {
        {"buffer", "buffer", false, true}, {"elements", "elements", true, false},
        {"differ", "differ", true, false}, {"first", "first", true, false},
        {"PTX", "ptx", false, false},      {"machine", "machine", false, false},
        {"ulps", "ulps", true, false}};
    struct sass_list_engine x;
    int ret;

    sass_list_engine_init(&x, file, arch);
    table_init(&k->table, columns, sizeof columns / sizeof *columns);
    k->rows = json_array();
    k->json = output->json;
    k->buffers = mem_zalloc(k->l->buffer_count + 1, sizeof *k->buffers, e);
    ret = k->buffers ? run_both(k, o, &x, e) : -1;
    if (ret == 0)
        ret = print_comparison(k, output, x.arch, e);
    if (ret == 0 && k->differ)
        ret = err_set(e, ERR_INVALID, "%s: %" PRIu64 " of %" PRIu64 " buffers differ", k->l->path, k->differ,
                      k->compared);
    for (uint32_t i = 0; k->buffers && i < k->l->buffer_count; i++)
        free(k->buffers[i]);
    free(k->buffers);
    table_release(&k->table);
    json_decref(k->rows);
    sass_list_engine_release(&x);
    return ret;
}

int sass_compare(int argc, char **argv)
{
    struct machine_options how = {0};
    struct cli_output output = {0};
    struct kept k = {0};
    const char *contract = "off";
    const struct cli_option options[] = {
        {"arch", 0, CLI_TEXT, "sm_NN", &how.arch, "the machine code of this architecture; the newest in FILE"},
        {"ulp", 0, CLI_U64, "N", &k.ulp, "floats may differ by this many units in the last place"},
        {"fp-contract", 0, CLI_TEXT, "HOW", &contract,
         "off, or like-ptxas: mul and add of the PTX without a rounding modifier become one fma"},
        {"limit", 0, CLI_U64, "N", &how.limit, "maximum number of warp instructions of a launch"},
        {NULL, 0, CLI_FLAG, NULL, NULL, NULL}};
    const struct cli_usage usage = {.command = "sass compare",
                                    .synopsis = "FILE LIST.json [--arch sm_NN] [--ulp N]",
                                    .text = compare_text,
                                    .options = options,
                                    .output = &output,
                                    .csv = true,
                                    .least_args = 2,
                                    .most_args = 2};
    struct launch_list_options o = {.finished = on_finished, .ctx = &k, .no_check = true};
    struct sass_input in = {0};
    struct launch_list *l = NULL;
    struct cli_args args;
    uint32_t arch = 0;
    struct err e;
    int ret = cli_parse(&usage, argc, argv, &args, &e);

    if (ret)
        return cli_parsed(ret, &e);
    o.contract = strcmp(contract, "like-ptxas") == 0;
    if (!o.contract && strcmp(contract, "off") != 0)
        ret = err_set(&e, ERR_USAGE, "--fp-contract: must be off or like-ptxas, not \"%.40s\"", contract);
    if (ret == 0)
        ret = read_arch(how.arch, &arch, &e);
    if (ret == 0)
        ret = sass_input_open(args.items[0], &in, &e);
    if (ret == 0)
        ret = launch_list_read(args.items[1], &l, &e);
    if (ret == 0) {
        k.l = l;
        o.exec.limit_instructions = how.limit;
        o.exec.print = list_report_text;
        o.exec.print_ctx = stderr;
        ret = compare(&k, &o, &in.file, arch, &output, &e);
    }
    launch_list_free(l);
    sass_input_close(&in);
    return cli_end(ret, &e);
}
