/* vivace trace info: one row for each kernel, and the sums of all kernels. */
#include "cli/trace/cmd_trace.h"

#include <inttypes.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "base/array.h"
#include "base/demangle.h"
#include "cli/output/table.h"
#include "cli/trace/trace_repairs.h"
#include "cli/trace/trace_summary.h"
#include "simcore/trace/vtrace.h"
#include "wire/json.h"

#define MIX_SHOWN 12

static const char info_text[] = "One row per kernel launch, in launch order, then what all of them hold: the most "
                                "frequent opcodes, active lanes, what\n"
                                "had to be repaired, which opcodes no document names (they are simulated as plain "
                                "arithmetic). CTAs and warps are\n"
                                "those that the trace holds: one that executed nothing may be missing. The size is "
                                "the size of the kernel's file\n"
                                "per warp instruction; for all together, it is the size of FILE on the disk.\n"
                                "\n"
                                "Examples:\n"
                                "  vivace trace info traces.tar.zst\n"
                                "  vivace trace info kernel-12.traceg.xz --json | jq .mix\n";

struct info_row {
    struct kernel_info kernel;
    struct trace_counts counts;
    uint64_t id, context, bytes;
};

struct info_rows {
    struct info_row *items; /* in launch order */
    size_t count, filled;
    struct trace_summary all;
    struct vtrace_stats parts;
    bool has_parts; /* the input is a .vtrace file, which has parts */
};

/* Reads a complete kernel. The row is the difference that the kernel makes to the sum. */
static int read_row(struct info_rows *rows, struct info_row *row, struct inst_source *source, struct err *e)
{
    struct trace_counts before = {rows->all.instructions, rows->all.ctas, rows->all.warps};

    if (trace_summary_read(&rows->all, source, e) < 0)
        return -1;
    row->counts = (struct trace_counts){rows->all.instructions - before.warp_instructions,
                                        rows->all.ctas - before.ctas, rows->all.warps - before.warps};
    return kernel_info_copy(&row->kernel, &source->info, e);
}

static int info_visit(void *ctx, const struct bundle_entry *entry, struct stream *s, struct err *e)
{
    struct info_rows *rows = ctx;
    struct inst_source *source;
    struct info_row *row;
    int ret;

    if (!rows->items) {
        rows->items = mem_zalloc(entry->count, sizeof *rows->items, e);
        if (!rows->items)
            return -1;
        rows->count = entry->count;
    }
    row = &rows->items[entry->index];
    if (bundle_entry_open(entry, s, &source, e) < 0)
        return -1;
    ret = read_row(rows, row, source, e);
    row->id = entry->id ? entry->id : source->info.id;
    row->context = entry->context;
    row->bytes = bundle_entry_bytes(entry, s, source);
    inst_source_release(source);
    cli_progress("reading: %zu of %zu kernels", ++rows->filled, rows->count);
    return ret;
}

static double bytes_each(uint64_t bytes, uint64_t instructions)
{
    return instructions ? (double)bytes / (double)instructions : 0;
}

/* Size of the file; for a folder, the sum of its files. */
static uint64_t bytes_on_disk(const char *path, const struct info_rows *rows)
{
    struct stat st;
    uint64_t sum = 0;

    if (stat(path, &st) == 0 && S_ISREG(st.st_mode))
        return (uint64_t)st.st_size;
    for (size_t i = 0; i < rows->count; i++)
        sum += rows->items[i].bytes;
    return sum;
}

/* --- the parts of a .vtrace file --- */

/* 1: the path is a .vtrace file, and *out is filled; 0: it is not; -1: error. */
static int file_parts(const char *path, struct vtrace_stats *out, struct err *e)
{
    enum trace_format format;
    struct vtrace *v;
    struct stat st;
    int ret;

    if (stat(path, &st) < 0 || !S_ISREG(st.st_mode))
        return 0;
    if (trace_file_recognise(path, &format, e) < 0 || (format == TRACE_VTRACE && vtrace_open(path, &v, e) < 0))
        return -1;
    if (format != TRACE_VTRACE)
        return 0;
    ret = vtrace_stats(v, out, e);
    vtrace_close(v);
    return ret < 0 ? -1 : 1;
}

static void print_parts(const struct vtrace_stats *s)
{
    const struct {
        const char *what;
        uint64_t bytes;
    } parts[] = {{"CTAs", s->cta_bytes},
                 {"launches", s->launch_bytes},
                 {"static instructions", s->static_bytes},
                 {"shared paths and programs", s->dictionary_bytes},
                 {"what is found in L2", s->image_bytes},
                 {"index", s->index_bytes}};
    struct strbuf line = STRBUF_INIT;
    char a[CLI_NUMBER], b[CLI_NUMBER], c[CLI_NUMBER], d[CLI_NUMBER], f[CLI_NUMBER];

    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        strbuf_addf(&line, "%s%s %s (%s B each)", i ? ", " : "", parts[i].what,
                    cli_bytes((double)parts[i].bytes, a),
                    cli_number(bytes_each(parts[i].bytes, s->warp_instructions), b));
    if (!line.failed)
        cli_print_wrapped("bytes", line.text, 11);
    strbuf_release(&line);
    printf("shared     %s kernels in %s launches: %s static instructions, %s paths, %s address programs, %s CTA "
           "shapes\n",
           cli_whole(s->kernels, a), cli_whole(s->launches, b), cli_whole(s->static_instructions, c),
           cli_whole(s->paths, d), cli_whole(s->programs, f), cli_whole(s->shapes, (char[CLI_NUMBER]){0}));
}

static json_t *parts_json(const struct vtrace_stats *s)
{
    return json_pack("{s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I}", "cta_bytes",
                     (json_int_t)s->cta_bytes, "launch_bytes", (json_int_t)s->launch_bytes, "static_bytes",
                     (json_int_t)s->static_bytes, "dictionary_bytes", (json_int_t)s->dictionary_bytes,
                     "image_bytes", (json_int_t)s->image_bytes, "index_bytes", (json_int_t)s->index_bytes,
                     "kernels", (json_int_t)s->kernels, "static_instructions", (json_int_t)s->static_instructions,
                     "paths", (json_int_t)s->paths, "programs", (json_int_t)s->programs, "shapes",
                     (json_int_t)s->shapes);
}

static json_t *info_json(const struct info_row *row, const char *name)
{
    const struct kernel_info *k = &row->kernel;

    return json_pack("{s:I, s:I, s:o, s:[iii], s:[iii], s:I, s:I, s:I, s:I, s:I, s:f, s:I, s:I}", "id",
                     (json_int_t)row->id, "context", (json_int_t)row->context, "name", json_text(name), "grid",
                     k->grid[0], k->grid[1], k->grid[2], "block", k->block[0], k->block[1], k->block[2], "ctas",
                     (json_int_t)row->counts.ctas, "warps", (json_int_t)row->counts.warps, "warp_instructions",
                     (json_int_t)row->counts.warp_instructions, "binary_version", (json_int_t)k->binary_version,
                     "tracer_version", (json_int_t)k->tracer_version, "bytes_per_warp_instruction",
                     bytes_each(row->bytes, row->counts.warp_instructions), "shared_bytes",
                     (json_int_t)k->shared_bytes, "registers", (json_int_t)k->registers);
}

static int info_print_json(const struct info_rows *rows, uint64_t bytes, struct err *e)
{
    json_t *list = json_array();
    uint64_t total = 0;

    for (size_t i = 0; i < rows->count; i++) {
        char *name = demangle(rows->items[i].kernel.name, e);

        total += rows->items[i].counts.warp_instructions;
        if (!name || json_array_append_new(list, info_json(&rows->items[i], name)) < 0) {
            free(name);
            json_decref(list);
            return err_no_memory(e);
        }
        free(name);
    }
    return cli_print_json(
        json_pack("{s:o, s:I, s:I, s:f, s:o, s:o, s:o, s:f, s:o}", "kernels", list, "warp_instructions",
                  (json_int_t)total, "bytes", (json_int_t)bytes, "bytes_per_warp_instruction",
                  bytes_each(bytes, total), "mix", trace_summary_mix_json(&rows->all), "repairs",
                  trace_repairs_json(&rows->all.repairs), "unknown_opcodes", trace_summary_unknown_json(&rows->all),
                  "unknown_share", trace_summary_unknown_share(&rows->all), "parts",
                  rows->has_parts ? parts_json(&rows->parts) : json_null()),
        e);
}

static const struct table_column info_columns[] = {
    {"id", "id", true, false},
    {NULL, "context", true, false},
    {"grid", "grid", true, false},
    {"block", "block", true, false},
    {"CTAs", "ctas", true, false},
    {"warps", "warps", true, false},
    {"warp instructions", "warp_instructions", true, false},
    {"B each", "bytes_per_warp_instruction", true, false},
    {"kernel", "name", false, true},
};

static int info_fill(struct table *t, const struct info_row *row, struct err *e)
{
    char text[CLI_NUMBER], shape[48], *name = demangle(row->kernel.name, e);
    double each = bytes_each(row->bytes, row->counts.warp_instructions);

    if (!name)
        return -1;
    snprintf(text, sizeof text, "%" PRIu64, row->id);
    table_text(t, text);
    snprintf(text, sizeof text, "%" PRIu64, row->context);
    table_text(t, text);
    table_text(t, trace_shape(row->kernel.grid, shape));
    table_text(t, trace_shape(row->kernel.block, shape));
    table_count(t, row->counts.ctas);
    table_count(t, row->counts.warps);
    table_count(t, row->counts.warp_instructions);
    table_number(t, each, row->bytes ? cli_number(each, text) : "–"); /* launches in one file share its parts */
    table_text(t, name);
    free(name);
    return 0;
}

static int info_print(const struct info_rows *rows, uint64_t bytes, bool csv, struct err *e)
{
    struct table t;
    uint64_t total = 0;
    char a[CLI_NUMBER], b[CLI_NUMBER], c[CLI_NUMBER], d[CLI_NUMBER];
    int ret = 0;

    table_init(&t, info_columns, sizeof info_columns / sizeof *info_columns);
    for (size_t i = 0; i < rows->count && ret == 0; i++) {
        ret = info_fill(&t, &rows->items[i], e);
        total += rows->items[i].counts.warp_instructions;
    }
    if (ret == 0)
        ret = table_print(&t, csv, stdout, e);
    table_release(&t);
    if (ret < 0 || csv)
        return ret;
    printf("\n%s, %s warp instructions, %s: %s B each\n", cli_counted(rows->count, "kernel", NULL, d),
           cli_whole(total, a), cli_bytes((double)bytes, b), cli_number(bytes_each(bytes, total), c));
    if (rows->has_parts)
        print_parts(&rows->parts);
    trace_summary_print_mix(&rows->all, MIX_SHOWN);
    trace_repairs_print(&rows->all.repairs);
    trace_summary_print_unknown(&rows->all);
    return 0;
}

int trace_info(int argc, char **argv)
{
    struct cli_output output = {0};
    const struct cli_usage usage = {.command = "trace info",
                                    .synopsis = "FILE|FOLDER",
                                    .text = info_text,
                                    .output = &output,
                                    .csv = true,
                                    .least_args = 1,
                                    .most_args = 1};
    struct info_rows rows = {0};
    struct cli_args args;
    struct err e;
    int ret, r = cli_parse(&usage, argc, argv, &args, &e);

    if (r)
        return cli_parsed(r, &e);
    cli_progress_begin(&output);
    ret = bundle_walk(args.items[0], info_visit, &rows, &e);
    if (ret == 0 && (ret = file_parts(args.items[0], &rows.parts, &e)) >= 0) {
        rows.has_parts = ret > 0;
        ret = 0;
    }
    cli_progress_end();
    trace_summary_sort(&rows.all);
    if (ret == 0) {
        uint64_t bytes = bytes_on_disk(args.items[0], &rows);

        ret = output.json ? info_print_json(&rows, bytes, &e) : info_print(&rows, bytes, output.csv, &e);
    }
    for (size_t i = 0; i < rows.count; i++)
        kernel_info_release(&rows.items[i].kernel);
    free(rows.items);
    trace_summary_release(&rows.all);
    return cli_end(ret, &e);
}
