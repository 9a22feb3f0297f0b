/* vivace inspect: shows the content of a profile or a set of traces, and the rows that the import dropped, with the
 * reasons. */
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "cli/cli.h"
#include "cli/input/input_file.h"
#include "cli/plan/inspect_parts.h"
#include "cli/plan/inspect_timeline.h"
#include "cli/output/table.h"
#include "ingest/ingest.h"
#include "sampling/profile/domains.h"
#include "sampling/profile/kernel_class.h"
#include "wire/json.h"

#define TOP_KERNELS 10
#define NOT_GIVEN   UINT64_MAX

static const char help_text[] =
    "Reads a profile or a set of traces and prints its contents: the number of kernel launches, their kernels\n"
    "and times, and the rows that could not be used, with the reason. Files are recognised by their content:\n"
    "\n"
    "  nsys     nsys export --type sqlite --output report.sqlite report.nsys-rep\n"
    "           nsys stats --report cuda_gpu_trace --format csv --output report report.nsys-rep\n"
    "           report.nsys-rep itself, where nsys is installed (NSYS names another)\n"
    "  ncu      ncu --csv --page raw --print-units base --metrics gpu__time_duration.sum,smsp__inst_executed.sum\n"
    "  PyTorch  prof.export_chrome_trace(\"trace.json\"), plain or gzip\n"
    "  JAX      the *.xplane.pb that jax.profiler.trace(DIR) writes below DIR, or the *.trace.json.gz beside it\n"
    "  nvprof   nvprof --print-gpu-trace --csv\n"
    "  rocprof  rocprofv3 --kernel-trace --output-format csv (or json) -- ./program, on an AMD GPU\n"
    "  traces   an Accel-Sim trace folder, or a tar of one (plain, .gz, .xz, .zst)\n"
    "\n"
    "A launch is grouped with others of the same full kernel name, grid and block; that is a kernel shape. The "
    "busy\n"
    "time counts overlapping launches once, the total counts each launch in full.\n"
    "\n"
    "Kernels have a class, from their names: gemm (also convolutions), attention, normalisation (also softmax),\n"
    "elementwise, reduction, copy, collective, embedding, other. Launches have a layer, a phase and a step where "
    "the\n"
    "file has ranges around their launch calls: NVTX in nsys, annotations and modules in PyTorch.\n"
    "\n"
    "--timeline reads an nsys export again, with the calls of the CUDA API, and re-times the run by its "
    "dependences: "
    "the\n"
    "order of calls on a thread and of work on a stream, calls before their work, waiting, collectives of several "
    "GPUs.\n"
    "It prints the makespan and its critical path. The row \"usual latencies\" has medians in place of the "
    "profiled\n"
    "latencies; durations, overlaps and CPU time stay those of the profile. Its difference from the profiled "
    "makespan\n"
    "is what the single latencies add, not a test of the dependences. --times asks what other durations would "
    "change.\n"
    "--system re-times collectives and copies by the ratio of its model to that of --profiled-system; kernels keep "
    "their time.\n"
    "A second table has, for each GPU, kernels, exposed communication and waiting, and idle time.\n"
    "\n"
    "Examples:\n"
    "  vivace inspect report.sqlite\n"
    "  vivace inspect trace.json.gz --top 30\n"
    "  vivace inspect trace.json.gz --by layer\n"
    "  vivace inspect report.sqlite --timeline --times kernels=0.5,collectives=2\n"
    "  vivace inspect report.sqlite --timeline --profiled-system hgx-h100 --system ./half-nvlink.json\n"
    "  vivace inspect report.sqlite --json | jq .dropped_reasons\n";

/* All launches of one kernel name, over all shapes. */
struct top {
    const struct profile_kernel *kernel; /* one of its shapes */
    uint64_t launches, total;
    size_t shapes;
};

static int top_compare(const void *a, const void *b)
{
    const struct top *x = a, *y = b;

    if (x->total != y->total)
        return x->total > y->total ? -1 : 1;
    return strcmp(x->kernel->name, y->kernel->name);
}

static struct top *rank_names(const struct profile *p, struct err *e)
{
    struct top *t = mem_zalloc(p->name_count ? p->name_count : 1, sizeof *t, e);

    if (!t)
        return NULL;
    for (size_t k = 0; k < p->kernel_count; k++) {
        t[p->kernels[k].name_id].kernel = &p->kernels[k];
        t[p->kernels[k].name_id].shapes++;
    }
    for (size_t i = 0; i < p->count; i++) {
        t[p->kernels[p->kernel[i]].name_id].launches++;
        t[p->kernels[p->kernel[i]].name_id].total += p->value[i];
    }
    qsort(t, p->name_count, sizeof *t, top_compare);
    return t;
}

static const char *class_of(const struct top *t)
{
    return kernel_class_names[kernel_class_of(t->kernel->name)];
}

static double share_of(const struct top *t, const struct import_report *r)
{
    return r->total ? (double)t->total / (double)r->total : 0;
}

/* --- JSON --- */

static json_t *top_json(const struct top *t, const struct import_report *r)
{
    json_int_t total = (json_int_t)t->total;

    return json_pack("{s:o, s:s, s:I, s:I, s:o, s:o, s:o, s:f}", "kernel", json_text(t->kernel->name), "class",
                     class_of(t), "launches", (json_int_t)t->launches, "shapes", (json_int_t)t->shapes, "total_ns",
                     r->unit == PROFILE_NS ? json_integer(total) : json_null(), "total_warp_instructions",
                     r->unit == PROFILE_WARP_INSTRUCTIONS ? json_integer(total) : json_null(), "total_cycles",
                     r->unit == PROFILE_CYCLES ? json_integer(total) : json_null(), "share", share_of(t, r));
}

static int print_json(const struct import_report *r, const struct profile *p, const struct top *top, size_t shown,
                      struct err *e)
{
    struct strbuf text = STRBUF_INIT;
    json_t *document, *list = json_array();

    import_report_to_json(r, &text);
    document = text.failed ? NULL : json_loadb(text.text, text.length, 0, NULL);
    strbuf_release(&text);
    for (size_t i = 0; i < shown && document; i++)
        json_array_append_new(list, top_json(&top[i], r));
    if (json_object_set_new(document, "top_kernels", list) < 0 || inspect_parts_json(p, document, e) < 0) {
        json_decref(document);
        document = NULL;
    }
    return cli_print_json(document, e);
}

/* --- for people --- */

static void print_total(const struct import_report *r)
{
    char a[CLI_NUMBER], b[CLI_NUMBER];

    if (r->unit == PROFILE_CYCLES) {
        printf("work       %s cycles, estimated for %s\n", cli_whole(r->total, a), r->gpu_name);
        return;
    }
    if (r->unit == PROFILE_WARP_INSTRUCTIONS) {
        printf("work       %s warp instructions; traces have no times\n", cli_whole(r->total, a));
        return;
    }
    printf("time       %s of kernels", cli_seconds((double)r->total * 1e-9, a));
    if (r->makespan_ns) /* the file has start times */
        printf(", %s with overlap counted once", cli_seconds((double)r->makespan_ns * 1e-9, b));
    printf("\n");
}

static void print_clock(const struct import_report *r)
{
    char low[CLI_NUMBER], high[CLI_NUMBER];

    if (r->clock_high_hz == 0)
        return; /* the file has no clock rates */
    cli_number(r->clock_low_hz * 1e-9, low);
    cli_number(r->clock_high_hz * 1e-9, high);
    printf("clock      %s", r->clock_measured ? "" : "at most ");
    if (strcmp(low, high) != 0)
        printf("%s to ", low);
    printf("%s GHz%s\n", high, r->clock_measured ? ", measured" : "");
}

static void print_places(const struct import_report *r)
{
    char a[CLI_NUMBER], b[CLI_NUMBER], c[CLI_NUMBER], d[CLI_NUMBER];

    printf("ran on     %s%s%s, %s, %s, %s\n", r->gpu_name, r->gpu_name[0] ? "; " : "",
           cli_counted(r->devices, "device", NULL, a), cli_counted(r->processes, "process", "processes", b),
           cli_counted(r->contexts, "context", NULL, c), cli_counted(r->streams, "stream", NULL, d));
}

static void print_notes(const char *title, const struct import_notes *list)
{
    char n[CLI_NUMBER];

    for (size_t i = 0; i < list->count; i++) {
        const struct import_note *note = &list->items[i];

        printf("\n%s%s%s: %s\n", title, note->count ? " " : "", note->count ? cli_whole(note->count, n) : "",
               note->sentence);
        for (size_t k = 0; k < note->example_count && k < 3; k++)
            printf("    %s\n", note->examples[k]);
        if (note->example_count > 3)
            printf("    ... (--json has the first %d)\n", IMPORT_EXAMPLES);
    }
}

static int print_top(const struct import_report *r, const struct top *top, size_t shown, bool csv, struct err *e)
{
    bool times = r->unit == PROFILE_NS;
    const struct table_column columns[] = {
        {"share", "share", true, false},
        {times ? "total" : profile_unit_words(r->unit), times ? "total_ns" : profile_unit_name(r->unit), true,
         false},
        {"launches", "launches", true, false},
        {"shapes", "shapes", true, false},
        {"class", "class", false, false},
        {"kernel", "kernel", false, true},
    };
    struct table t;
    int ret;

    table_init(&t, columns, sizeof columns / sizeof *columns);
    for (size_t i = 0; i < shown; i++) {
        char text[CLI_NUMBER], digits[24];

        table_number(&t, share_of(&top[i], r), cli_percent(share_of(&top[i], r), text));
        snprintf(digits, sizeof digits, "%llu", (unsigned long long)top[i].total);
        table_pair(&t, times ? cli_seconds((double)top[i].total * 1e-9, text) : cli_whole(top[i].total, text),
                   digits);
        table_count(&t, top[i].launches);
        table_count(&t, top[i].shapes);
        table_text(&t, class_of(&top[i]));
        table_text(&t, top[i].kernel->name);
    }
    ret = table_print(&t, csv, stdout, e);
    table_release(&t);
    return ret;
}

static int print_people(const struct import_report *r, const struct profile *p, const struct top *top, size_t shown,
                        struct err *e)
{
    char a[CLI_NUMBER], b[CLI_NUMBER], c[CLI_NUMBER];

    printf("format     %s%s%s\n", r->format, r->schema[0] ? ", " : "", r->schema);
    printf("launches   %s of %s in %s (name, grid, block)\n", cli_whole(r->accepted, a),
           cli_counted(r->kernels, "kernel", NULL, b), cli_counted(r->kernel_shapes, "shape", NULL, c));
    print_total(r);
    print_places(r);
    print_clock(r);
    if (r->dropped_count || r->ignored_count)
        printf("left out   %s dropped, %s not launches\n", cli_counted(r->dropped_count, "launch", "launches", a),
               cli_counted(r->ignored_count, "row that is", "rows that are", b));
    printf("\n");
    if (print_top(r, top, shown, false, e) < 0)
        return -1;
    if (shown < r->kernels)
        printf("and %zu more kernels (--top %zu shows all)\n", r->kernels - shown, r->kernels);
    if (inspect_parts_print(p, e) < 0)
        return -1;
    print_notes("dropped", &r->dropped);
    print_notes("no launch", &r->ignored);
    print_notes("warning", &r->warnings);
    return 0;
}

/* --- the command --- */

struct inspecting {
    uint64_t most;
    const char *by;                    /* NULL: kernels, and all parts in short */
    struct timeline_question question; /* of the timeline */
    bool timeline;
    struct cli_output output;
};

static int inspect(const struct input_file *in, const struct inspecting *how, struct err *e)
{
    const struct cli_output *output = &how->output;
    const struct ingest_options options = {.progress = cli_reading, .display_name = in->name};
    struct import_report report;
    struct profile profile;
    struct top *top = NULL;
    enum domain_kind by = DOMAIN_CLASS;
    size_t shown;
    int ret;

    if (how->by && domain_kind_from_name(how->by, &by, e) < 0)
        return -1;
    profile_init(&profile);
    import_report_init(&report);
    cli_progress_begin(output);
    ret = ingest_file(in->path, &options, &profile, &report, e);
    cli_progress_end();
    if (ret < 0)
        goto out;
    if (how->timeline) {
        ret = strcmp(report.format, "nsys-sqlite") == 0
                  ? inspect_timeline(in->path, in->name, &how->question, output, e)
                  : err_set(e, ERR_UNSUPPORTED,
                            "%s: --timeline needs calls of the CUDA API, which only a file of "
                            "`nsys export --type sqlite` has",
                            in->name);
        goto out;
    }
    if (how->by && !output->json) {
        ret = inspect_part_table(&profile, by, how->most, output->csv, e);
        goto out;
    }
    ret = -1;
    top = rank_names(&profile, e);
    if (!top)
        goto out;
    shown = how->most < profile.name_count ? (size_t)how->most : profile.name_count;
    if (output->json)
        ret = print_json(&report, &profile, top, shown, e);
    else if (output->csv)
        ret = print_top(&report, top, shown, true, e);
    else
        ret = print_people(&report, &profile, top, shown, e);
out:
    free(top);
    profile_release(&profile);
    import_report_release(&report);
    return ret;
}

static int check_question(const struct timeline_question *q, bool timeline, struct err *e)
{
    if (!timeline && (q->times || q->system || q->profiled))
        return err_set(e, ERR_USAGE, "--%s needs --timeline",
                       q->times    ? "times"
                       : q->system ? "system"
                                   : "profiled-system");
    if (!q->system == !q->profiled)
        return 0;
    err_set(e, ERR_USAGE, "--system and --profiled-system need each other: times are scaled by the ratio of both");
    return err_hint(e, "for example --profiled-system hgx-h100 --system hgx-h200");
}

int cmd_inspect(int argc, char **argv)
{
    struct inspecting how = {.most = NOT_GIVEN};
    const struct cli_option options[] = {
        {"top", 'n', CLI_U64, "N", &how.most, "how many kernels to list, the largest share first (10)"},
        {"by", 0, CLI_TEXT, "PART", &how.by,
         "list parts instead: layer, phase, step, class, rank (--json has all)"},
        {"timeline", 0, CLI_FLAG, NULL, &how.timeline, "re-time the run by its dependences (nsys exports only)"},
        {"times", 0, CLI_TEXT, "KIND=FACTOR,...", &how.question.times,
         "with --timeline: durations of calls, kernels, collectives, copies, fills, times this"},
        {"system", 0, CLI_PATH, "SYSTEM", &how.question.system,
         "with --timeline: collectives and copies as on this system (`vivace design list --systems`, or a file)"},
        {"profiled-system", 0, CLI_PATH, "SYSTEM", &how.question.profiled,
         "the system that was profiled, for --system"},
        {NULL, 0, CLI_FLAG, NULL, NULL, NULL},
    };
    const struct cli_usage usage = {.command = "inspect",
                                    .synopsis =
                                        "FILE|FOLDER [--top N] [--by layer|phase|step|class|rank] [--timeline]",
                                    .text = help_text,
                                    .options = options,
                                    .output = &how.output,
                                    .csv = true,
                                    .least_args = 1,
                                    .most_args = 1};
    struct input_file in;
    struct cli_args args;
    struct err e;
    int r = cli_parse(&usage, argc, argv, &args, &e);

    if (r)
        return cli_parsed(r, &e);
    if (check_question(&how.question, how.timeline, &e) < 0)
        return cli_end(-1, &e);
    if (how.timeline && (how.by || how.most != NOT_GIVEN))
        return cli_end(err_set(&e, ERR_USAGE, "--timeline excludes --by and --top"), &e);
    how.most = how.most == NOT_GIVEN ? TOP_KERNELS : how.most;
    r = input_file_open(&in, args.items[0], &e);
    if (r == 0)
        r = inspect(&in, &how, &e);
    input_file_close(&in);
    return cli_end(r, &e);
}
