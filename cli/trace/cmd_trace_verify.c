/* vivace trace verify: reads every instruction of every kernel and reports all faults. */
#include "cli/trace/cmd_trace.h"

#include <inttypes.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "base/array.h"
#include "cli/trace/trace_repairs.h"
#include "cli/trace/trace_summary.h"
#include "simcore/trace/vtrace.h"
#include "wire/json.h"

static const char verify_text[] = "Reads every instruction of every kernel. Reports damage with file and line; how "
                                  "much had to be repaired\n"
                                  "(destinations that tracers record as a source, register groups of which only "
                                  "the first is named); which CTAs of\n"
                                  "the grid are missing because they executed nothing; and which opcodes no "
                                  "document names (they are simulated as\n"
                                  "plain arithmetic). The exit code is 0 only if nothing is damaged.\n"
                                  "\n"
                                  "Examples:\n"
                                  "  vivace trace verify traces.tar.zst\n"
                                  "  vivace trace verify kernel-12.traceg --json | jq .damaged\n";

struct damage {
    char *label, *sentence;
};

struct findings {
    struct trace_summary all;
    struct damage *damaged;
    size_t damaged_count, damaged_capacity;
    enum err_code worst;
};

static int add_damage(struct findings *f, const char *label, const struct err *what, struct err *e)
{
    void *p = f->damaged;
    struct damage *d;

    if (array_reserve(&p, &f->damaged_capacity, f->damaged_count + 1, sizeof *f->damaged, e) < 0)
        return -1;
    f->damaged = p;
    d = &f->damaged[f->damaged_count++];
    *d = (struct damage){mem_strdup(label, e), mem_strdup(what->text, e)};
    f->worst = f->worst ? f->worst : what->code;
    return d->label && d->sentence ? 0 : -1;
}

static void findings_release(struct findings *f)
{
    for (size_t i = 0; i < f->damaged_count; i++) {
        free(f->damaged[i].label);
        free(f->damaged[i].sentence);
    }
    free(f->damaged);
    trace_summary_release(&f->all);
}

/* Adds the faults of a kernel to the findings. -1 only when memory for the findings runs out. */
static int read_kernel(struct findings *f, const struct bundle_entry *entry, struct stream *stream, struct err *e)
{
    struct inst_source *s;
    struct err what;
    int ret = 0;

    if (bundle_entry_open(entry, stream, &s, &what) < 0) {
        f->all.kernels++;
        return add_damage(f, entry->label, &what, e);
    }
    if (trace_summary_read(&f->all, s, &what) < 0)
        ret = add_damage(f, entry->label, &what, e);
    inst_source_release(s);
    return ret;
}

static int visit(void *ctx, const struct bundle_entry *entry, struct stream *s, struct err *e)
{
    struct findings *f = ctx;

    cli_progress("reading: %" PRIu64 " of %zu kernels", f->all.kernels + 1, entry->count);
    return read_kernel(f, entry, s, e);
}

/* For a .vtrace file: also checks all checksums and counts, which reading single launches does not check. */
static int verify_file(struct findings *f, const char *path, struct err *e)
{
    enum trace_format format;
    struct vtrace *v = NULL;
    struct stat st;
    struct err what;
    int ret;

    if (stat(path, &st) < 0 || !S_ISREG(st.st_mode) || f->damaged_count > 0)
        return 0;
    if (trace_file_recognise(path, &format, &what) < 0 || format != TRACE_VTRACE)
        return 0;
    ret = vtrace_open(path, &v, &what) < 0 || vtrace_verify(v, NULL, NULL, &what) < 0
              ? add_damage(f, path, &what, e)
              : 0;
    vtrace_close(v);
    return ret;
}

/* --- output --- */

static int print_json(const struct findings *f, struct err *e)
{
    const struct trace_summary *t = &f->all;
    json_t *damaged = json_array();

    for (size_t i = 0; i < f->damaged_count; i++)
        json_array_append_new(damaged, json_pack("{s:o, s:o}", "kernel", json_text(f->damaged[i].label), "error",
                                                 json_text(f->damaged[i].sentence)));
    return cli_print_json(json_pack("{s:b, s:I, s:I, s:I, s:I, s:o, s:o, s:f, s:o}", "sound", f->damaged_count == 0,
                                    "kernels", (json_int_t)t->kernels, "ctas", (json_int_t)t->ctas, "warps",
                                    (json_int_t)t->warps, "warp_instructions", (json_int_t)t->instructions,
                                    "repairs", trace_repairs_json(&t->repairs), "unknown_opcodes",
                                    trace_summary_unknown_json(t), "unknown_share", trace_summary_unknown_share(t),
                                    "damaged", damaged),
                          e);
}

static void print_people(const struct findings *f)
{
    const struct trace_summary *t = &f->all;
    char a[CLI_NUMBER], b[CLI_NUMBER], c[CLI_NUMBER], d[CLI_NUMBER];

    printf("read       %s, %s, %s, %s warp instructions\n", cli_counted(t->kernels, "kernel", NULL, a),
           cli_counted(t->ctas, "CTA", NULL, b), cli_counted(t->warps, "warp", NULL, c),
           cli_whole(t->instructions, d));
    trace_repairs_print(&t->repairs);
    trace_summary_print_unknown(t);
    printf("damaged    %s\n", cli_counted(f->damaged_count, "kernel", NULL, a));
    for (size_t i = 0; i < f->damaged_count; i++)
        printf("    %s: %s\n", f->damaged[i].label, f->damaged[i].sentence);
}

static int verdict(const struct findings *f, const char *path, struct err *e)
{
    if (f->damaged_count == 0)
        return 0;
    return err_set(e, f->worst, "%s: %zu of %" PRIu64 " kernels are damaged", path, f->damaged_count,
                   f->all.kernels);
}

int trace_verify(int argc, char **argv)
{
    struct cli_output output = {0};
    const struct cli_usage usage = {.command = "trace verify",
                                    .synopsis = "FILE|FOLDER",
                                    .text = verify_text,
                                    .output = &output,
                                    .least_args = 1,
                                    .most_args = 1};
    struct findings f = {0};
    struct cli_args args;
    struct err e;
    int ret, r = cli_parse(&usage, argc, argv, &args, &e);

    if (r)
        return cli_parsed(r, &e);
    cli_progress_begin(&output);
    ret = bundle_walk(args.items[0], visit, &f, &e);
    if (ret == 0)
        ret = verify_file(&f, args.items[0], &e);
    cli_progress_end();
    trace_summary_sort(&f.all);
    if (ret == 0 && output.json)
        ret = print_json(&f, &e);
    else if (ret == 0)
        print_people(&f);
    if (ret == 0)
        ret = verdict(&f, args.items[0], &e);
    findings_release(&f);
    return cli_end(ret, &e);
}
