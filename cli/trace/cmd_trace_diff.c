/* vivace trace diff: finds the first difference of two sets of traces. */
#include "cli/trace/cmd_trace.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/array.h"
#include "cli/output/table.h"
#include "cli/trace/trace_compare.h"
#include "wire/json.h"

static const char diff_text[] = "Compares two sets of traces kernel by kernel in launch order, and shows where "
                                "each pair first differs: a field "
                                "of\n"
                                "the header, a CTA, the length of a warp, an instruction (PC, opcode, registers, "
                                "width, immediate), its mask, or "
                                "the\n"
                                "address of a lane. The formats may be different ones: this tells whether a "
                                "conversion lost anything. Exit code "
                                "0\n"
                                "where nothing differs, else 65.\n"
                                "\n"
                                "Examples:\n"
                                "  vivace trace diff traces.tar.zst traces.vtrace\n"
                                "  vivace trace diff before/ after/ --kernel 12\n"
                                "  vivace trace diff kernel-1.trace kernel-1.traceg --sectors   # a lane's address "
                                "may move within its sector\n";

struct wanted {
    bool sectors;
    uint64_t kernel; /* its number in the file name; 0: all kernels */
    struct cli_output output;
};
struct compared {
    char *label;
    bool differs;
    struct trace_difference first;
};
static int compare_kernels(const struct bundle_kernel *a, const struct bundle_kernel *b, bool sectors,
                           struct compared *out, struct err *e)
{
    const struct trace_place left = bundle_place(a), right = bundle_place(b);
    struct inst_source *x = NULL, *y = NULL;
    int ret = -1;

    out->label = mem_strdup(a->label, e);
    if (out->label && trace_file_open(&left, &x, e) == 0 && trace_file_open(&right, &y, e) == 0)
        ret = trace_compare(x, y, sectors, &out->first, e);
    inst_source_release(x);
    inst_source_release(y);
    out->differs = ret > 0;
    return ret;
}

/* --- sets of traces --- */

struct outcome {
    size_t kernels[2]; /* in each set */
    struct compared *items;
    size_t count, differing;
};

static int compare_next(const struct bundle_kernel *a, const struct bundle_kernel *b, const struct wanted *w,
                        struct outcome *o, struct err *e)
{
    int differ = compare_kernels(a, b, w->sectors, &o->items[o->count++], e);

    o->differing += differ > 0;
    return differ < 0 ? -1 : 0;
}

/* Finds the kernel with this number. A set of a single file always matches. NULL with *e filled. */
static const struct bundle_kernel *find_kernel(const struct bundle *b, const char *path, uint64_t id, struct err *e)
{
    for (size_t i = 0; i < b->count; i++)
        if (b->kernels[i].id == id || b->count == 1)
            return &b->kernels[i];
    err_set(e, ERR_NOT_FOUND, "%s holds no kernel %" PRIu64, path, id);
    err_hint(e, "`vivace trace info` lists the kernels that it holds");
    return NULL;
}

static int compare_one(const struct bundle b[2], char **paths, const struct wanted *w, struct outcome *o,
                       struct err *e)
{
    const struct bundle_kernel *x = find_kernel(&b[0], paths[0], w->kernel, e),
                               *y = x ? find_kernel(&b[1], paths[1], w->kernel, e) : NULL;

    o->kernels[0] = o->kernels[1] = 1;
    return y ? compare_next(x, y, w, o, e) : -1;
}

static int compare_sets(const struct bundle b[2], char **paths, const struct wanted *w, struct outcome *o,
                        struct err *e)
{
    size_t n = b[0].count < b[1].count ? b[0].count : b[1].count;

    o->kernels[0] = b[0].count;
    o->kernels[1] = b[1].count;
    o->items = mem_zalloc(n + 1, sizeof *o->items, e);
    if (!o->items)
        return -1;
    if (w->kernel)
        return compare_one(b, paths, w, o, e);
    for (size_t i = 0; i < n; i++) {
        if (compare_next(&b[0].kernels[i], &b[1].kernels[i], w, o, e) < 0)
            return -1;
        cli_progress("compared: %zu of %zu kernels", i + 1, n);
    }
    return 0;
}

static int compare_paths(char **paths, const struct wanted *w, struct outcome *o, struct err *e)
{
    struct bundle b[2] = {{0}, {0}};
    int ret = -1;

    if (bundle_open(paths[0], NULL, NULL, &b[0], e) == 0 && bundle_open(paths[1], NULL, NULL, &b[1], e) == 0)
        ret = compare_sets(b, paths, w, o, e);
    bundle_close(&b[0]);
    bundle_close(&b[1]);
    return ret;
}

static int print_json(const struct outcome *o, struct err *e)
{
    json_t *list = json_array();

    for (size_t i = 0; i < o->count; i++)
        if (o->items[i].differs)
            json_array_append_new(list,
                                  json_pack("{s:o, s:o, s:o, s:o}", "kernel", json_text(o->items[i].label), "where",
                                            json_text(o->items[i].first.where), "a", json_text(o->items[i].first.a),
                                            "b", json_text(o->items[i].first.b)));
    return cli_print_json(json_pack("{s:b, s:[II], s:I, s:o}", "same",
                                    o->differing == 0 && o->kernels[0] == o->kernels[1], "kernels",
                                    (json_int_t)o->kernels[0], (json_int_t)o->kernels[1], "compared",
                                    (json_int_t)o->count, "differences", list),
                          e);
}

static int print_table(const struct outcome *o, bool csv, struct err *e)
{
    static const struct table_column columns[] = {{"kernel", "kernel", false, true},
                                                  {"where", "where", false, true},
                                                  {"A", "a", false, true},
                                                  {"B", "b", false, true}};
    char text[CLI_NUMBER];
    struct table t;
    int ret;

    table_init(&t, columns, sizeof columns / sizeof *columns);
    for (size_t i = 0; i < o->count; i++) {
        if (!o->items[i].differs)
            continue;
        table_text(&t, o->items[i].label);
        table_text(&t, o->items[i].first.where);
        table_text(&t, o->items[i].first.a);
        table_text(&t, o->items[i].first.b);
    }
    ret = o->differing || csv ? table_print(&t, csv, stdout, e) : 0;
    table_release(&t);
    if (ret == 0 && !csv && o->differing == 0)
        printf("%s compared, no difference\n", cli_counted(o->count, "kernel", NULL, text));
    return ret;
}

static int verdict(const struct outcome *o, char **paths, struct err *e)
{
    if (o->differing)
        return err_set(e, ERR_INVALID, "%s and %s differ in %zu of %zu kernels", paths[0], paths[1], o->differing,
                       o->count);
    if (o->kernels[0] != o->kernels[1])
        return err_set(e, ERR_INVALID, "%s holds %zu kernels, %s %zu; those that both have are the same", paths[0],
                       o->kernels[0], paths[1], o->kernels[1]);
    return 0;
}

int trace_diff(int argc, char **argv)
{
    struct wanted w = {.kernel = 0};
    const struct cli_option options[] = {
        {"kernel", 'k', CLI_U64, "N", &w.kernel, "only the kernel with this number in its file name"},
        {"sectors", 's', CLI_FLAG, NULL, &w.sectors, "addresses in the same 32-byte sector count as the same"},
        {NULL, 0, CLI_FLAG, NULL, NULL, NULL},
    };
    const struct cli_usage usage = {.command = "trace diff",
                                    .synopsis = "A B [--kernel N] [--sectors]",
                                    .text = diff_text,
                                    .options = options,
                                    .output = &w.output,
                                    .csv = true,
                                    .least_args = 2,
                                    .most_args = 2};
    struct outcome o = {0};
    struct cli_args args;
    struct err e;
    int ret, r = cli_parse(&usage, argc, argv, &args, &e);

    if (r)
        return cli_parsed(r, &e);
    cli_remove_scratch_on_signals();
    cli_progress_begin(&w.output);
    ret = compare_paths(args.items, &w, &o, &e);
    cli_progress_end();
    if (ret == 0)
        ret = w.output.json ? print_json(&o, &e) : print_table(&o, w.output.csv, &e);
    if (ret == 0)
        ret = verdict(&o, args.items, &e);
    for (size_t i = 0; i < o.count; i++)
        free(o.items[i].label);
    free(o.items);
    return cli_end(ret, &e);
}
