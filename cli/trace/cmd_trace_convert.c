/* vivace trace convert: converts traces of any format to one .vtrace file. */
#include "cli/trace/cmd_trace.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/array.h"
#include "base/clock.h"
#include "cli/output/table.h"
#include "cli/trace/trace_repairs.h"
#include "simcore/footprint/bundle_images.h"
#include "simcore/trace/read_ahead.h"
#include "simcore/trace/sass_control.h"
#include "simcore/trace/vtrace.h"
#include "wire/json.h"

static const char convert_text[] =
    "Converts traces of any format that Vivace reads (Accel-Sim's, raw ones, MacSim's, .vtrace) to one .vtrace\n"
    "file. For regular kernels it has less than half a byte per warp instruction. It is read faster than text,\n"
    "and each CTA can be read directly. Nothing is lost: `vivace trace diff IN OUT.vtrace` finds no difference,\n"
    "and simulations give the same counters. Facts that tracers omit are repaired and reported.\n"
    "\n"
    "The file also contains the cache contents at the begin of each launch: the lines of the launch that earlier\n"
    "launches and copies have touched. To compute them, the command also reads the launches before the requested\n"
    "ones. If one of those is missing, the cache contents are left out, and the launch is simulated with empty\n"
    "caches.\n"
    "\n"
    "--sass adds what no tracer records, the compiler's stall counts and barriers: a disassembly with encodings "
    "by\n"
    "`cuobjdump -sass PROGRAM` or `nvdisasm -hex FILE.cubin` (Volta and later). Its functions are found by the "
    "mangled "
    "\n"
    "names of the kernels, its instructions by PC and opcode.\n"
    "\n"
    "Examples:\n"
    "  vivace trace convert traces.tar.zst run.vtrace\n"
    "  vivace trace convert traces/ drawn.vtrace --launches 12,40-57\n"
    "  cuobjdump -sass ./train | vivace trace convert traces/ run.vtrace --sass /dev/stdin\n";

struct request {
    const char *in, *out, *sass, *launches;
    bool sectors_only, tolerate, no_caches;
    struct cli_output output;
};
struct converted {
    uint64_t kernels, ctas, instructions, in_bytes, out_bytes;
    struct trace_repairs repairs;
    struct sass_control_match control;
    uint64_t without_function; /* launches whose kernel the disassembly does not contain */
    double seconds;
};

/* --- selecting launches --- */

/* Is n in a list such as "3,7-9"? 1: yes, 0: no, -1: the text is not a list. */
static int is_in_list(const char *list, uint64_t n, struct err *e)
{
    int found = 0;

    for (const char *p = list; *p;) {
        char *end;
        uint64_t first = strtoull(p, &end, 10), last = first;
        bool number = *p >= '0' && *p <= '9';

        if (number && *end == '-') {
            number = end[1] >= '0' && end[1] <= '9';
            last = strtoull(end + 1, &end, 10);
        }
        if (!number || (*end != '\0' && *end != ',') || last < first || (*end == ',' && !end[1])) {
            err_set(e, ERR_USAGE, "--launches: \"%.60s\" is not a list of numbers", list);
            return err_hint(e, "like 3,7-9; `vivace trace info` shows the numbers");
        }
        found |= n >= first && n <= last;
        p = *end ? end + 1 : end;
    }
    return found;
}

static int is_wanted(const struct request *q, const struct bundle_kernel *k, struct err *e)
{
    return q->launches ? is_in_list(q->launches, k->id ? k->id : k->order + 1, e) : 1;
}

/* --- converting --- */

static int read_sass(const char *path, struct sass_control **out, struct err *e)
{
    struct stream *s;
    int ret;

    if (stream_open(path, &s, e) < 0)
        return -1;
    ret = sass_control_read(s, out, e);
    stream_close(s);
    return ret;
}

static void add_up(struct converted *sum, const struct inst_source *s, const struct sass_control_match *m)
{
    trace_repairs_add(&sum->repairs, &s->repairs);
    sum->kernels++;
    sum->control.known += m->known;
    sum->control.missing += m->missing;
    sum->control.mismatch += m->mismatch;
    sum->without_function += !m->function;
}

/* Opens the launch, to be read on a separate thread. *match: the result of matching its control words. */
static int open_kernel(const struct bundle_kernel *k, const struct request *q, const struct sass_control *sass,
                       struct sass_control_match *match, struct inst_source **out, struct err *e)
{
    const struct trace_place place = bundle_place(k);

    if (trace_file_open(&place, out, e) < 0)
        return -1;
    if (q->tolerate && k->format == TRACE_ACCEL_SIM)
        accel_sim_tolerate(*out);
    if (inst_source_read_ahead(*out, out, e) < 0)
        return -1;
    return sass ? sass_control_source(*out, sass, match, out, e) : 0;
}

/* The input and output of a conversion. */
struct conversion {
    const struct request *q;
    const struct bundle *b;
    const struct sass_control *sass;
    struct vtrace_writer *w;
    struct bundle_follow *follow;
    bool *wanted;
};

/* Adds kernel i, with its warm image where it can be computed. */
static int add_kernel(const struct conversion *c, size_t i, struct inst_source *s, struct err *e)
{
    struct inst_source *followed = NULL;
    int ret;

    if (c->q->no_caches)
        s->warm = NULL;
    else if (bundle_follow_source(c->follow, i, s, &followed, e) < 0)
        return -1;
    ret = vtrace_writer_add(c->w, followed ? followed : s, e);
    inst_source_release(followed);
    return ret;
}

static int convert_kernel(const struct conversion *c, size_t i, struct converted *sum, struct err *e)
{
    const struct bundle_kernel *k = &c->b->kernels[i];
    struct sass_control_match match = {0};
    struct inst_source *s = NULL;
    int ret;

    if (open_kernel(k, c->q, c->sass, &match, &s, e) < 0)
        return -1;
    if (k->id)
        s->info.id = k->id;
    vtrace_writer_context(c->w, k->context);
    ret = add_kernel(c, i, s, e);
    if (ret == 0)
        add_up(sum, s, &match);
    inst_source_release(s);
    return ret;
}

/* Writes the memory copies before kernel `at`; after the last kernel, the remaining ones. */
static int convert_copies(const struct bundle *b, size_t at, size_t *next, struct vtrace_writer *w, struct err *e)
{
    for (; *next < b->copies.count && b->copies.items[*next].before <= at; ++*next) {
        vtrace_writer_context(w, b->copies.items[*next].context);
        if (vtrace_writer_copy(w, &b->copies.items[*next], e) < 0)
            return -1;
    }
    return 0;
}

static int choose(struct conversion *c, struct err *e)
{
    c->wanted = mem_zalloc(c->b->count + 1, sizeof *c->wanted, e);
    for (size_t i = 0; c->wanted && i < c->b->count; i++) {
        int wanted = is_wanted(c->q, &c->b->kernels[i], e);

        if (wanted < 0)
            return -1;
        c->wanted[i] = wanted;
    }
    c->follow = c->wanted ? bundle_follow_new(c->b, c->wanted, e) : NULL;
    return c->follow ? 0 : -1;
}

static int convert_or_skip(const struct conversion *c, size_t i, struct converted *sum, struct err *e)
{
    if (c->wanted[i])
        return convert_kernel(c, i, sum, e);
    return c->q->no_caches ? 0 : bundle_follow_skip(c->follow, i, e);
}

static int convert_kernels(const struct conversion *c, struct converted *sum, struct err *e)
{
    size_t copy = 0;

    for (size_t i = 0; i < c->b->count; i++) {
        if (convert_copies(c->b, i, &copy, c->w, e) < 0 || convert_or_skip(c, i, sum, e) < 0)
            return -1;
        cli_progress("converted: %zu of %zu kernels", i + 1, c->b->count);
    }
    return convert_copies(c->b, c->b->count, &copy, c->w, e);
}

static int convert_all(const struct bundle *b, const struct request *q, const struct sass_control *sass,
                       struct vtrace_writer *w, struct converted *sum, struct err *e)
{
    struct conversion c = {.q = q, .b = b, .sass = sass, .w = w};
    int ret = choose(&c, e) < 0 || convert_kernels(&c, sum, e) < 0 ? -1 : 0;

    bundle_follow_free(c.follow);
    free(c.wanted);
    if (ret < 0 || sum->kernels > 0)
        return ret;
    err_set(e, ERR_NOT_FOUND, "%s has none of the launches %.60s", q->in, q->launches ? q->launches : "");
    return err_hint(e, "`vivace trace info` lists what it holds");
}

/* The output must not be the input: both would be lost. */
static int check_out(const struct request *q, struct err *e)
{
    struct stat in, out;

    if (!str_ends(q->out, ".vtrace"))
        return err_set(e, ERR_USAGE, "\"%.200s\": the name of the result must end in .vtrace", q->out);
    if (stat(q->in, &in) == 0 && stat(q->out, &out) == 0 && in.st_dev == out.st_dev && in.st_ino == out.st_ino)
        return err_set(e, ERR_USAGE, "%s is both input and output", q->out);
    return 0;
}

static int take_sizes(const struct request *q, struct converted *sum, struct err *e)
{
    struct vtrace_stats stats;
    struct vtrace *v;
    struct stat st;
    int ret;

    sum->in_bytes = stat(q->in, &st) == 0 && S_ISREG(st.st_mode) ? (uint64_t)st.st_size : 0;
    if (vtrace_open(q->out, &v, e) < 0)
        return -1;
    ret = vtrace_stats(v, &stats, e);
    vtrace_close(v);
    if (ret < 0)
        return -1;
    sum->out_bytes = stats.file_bytes;
    sum->ctas = stats.ctas;
    sum->instructions = stats.warp_instructions;
    return 0;
}

static int write_out(const struct bundle *b, const struct request *q, const struct sass_control *sass,
                     struct converted *sum, struct err *e)
{
    const struct vtrace_options options = {.sectors_only = q->sectors_only, .tool = "vivace " VIVACE_VERSION};
    struct vtrace_writer *w = NULL;
    int ret = -1;

    if (vtrace_writer_new(q->out, &options, &w, e) == 0) {
        cli_remove_file_on_signals(vtrace_writer_temporary(w));
        if (convert_all(b, q, sass, w, sum, e) == 0)
            ret = vtrace_writer_finish(w, e);
        cli_remove_file_on_signals(NULL);
    }
    vtrace_writer_release(w);
    return ret;
}

static int convert(const struct request *q, struct converted *sum, struct err *e)
{
    uint64_t begin = clock_monotonic_us();
    struct sass_control *sass = NULL;
    struct bundle b = {0};
    int ret = -1;

    if (check_out(q, e) < 0 || (q->launches && is_in_list(q->launches, 0, e) < 0))
        return -1;
    if ((!q->sass || read_sass(q->sass, &sass, e) == 0) && bundle_open(q->in, NULL, NULL, &b, e) == 0)
        ret = write_out(&b, q, sass, sum, e);
    sass_control_free(sass);
    bundle_close(&b);
    if (ret == 0)
        ret = take_sizes(q, sum, e);
    sum->seconds = (double)(clock_monotonic_us() - begin) * 1e-6;
    return ret;
}

/* --- output --- */

static double bytes_each(const struct converted *c)
{
    return c->instructions ? (double)c->out_bytes / (double)c->instructions : 0;
}

static int print_json(const struct converted *c, const struct request *q, struct err *e)
{
    json_t *control = q->sass
                          ? json_pack("{s:I, s:I, s:I, s:I}", "known", (json_int_t)c->control.known, "missing",
                                      (json_int_t)c->control.missing, "mismatch", (json_int_t)c->control.mismatch,
                                      "launches_without_function", (json_int_t)c->without_function)
                          : json_null();

    return cli_print_json(json_pack("{s:o, s:I, s:I, s:I, s:I, s:f, s:f, s:o, s:o}", "file", json_text(q->out),
                                    "kernels", (json_int_t)c->kernels, "ctas", (json_int_t)c->ctas,
                                    "warp_instructions", (json_int_t)c->instructions, "bytes",
                                    (json_int_t)c->out_bytes, "bytes_per_warp_instruction", bytes_each(c),
                                    "seconds", c->seconds, "repairs", trace_repairs_json(&c->repairs), "control",
                                    control),
                          e);
}

static void print_control(const struct converted *c)
{
    char a[CLI_NUMBER], b[CLI_NUMBER], d[CLI_NUMBER];

    printf("control    known of %s static instructions; %s have no such PC, %s another opcode there\n",
           cli_whole(c->control.known, a), cli_whole(c->control.missing, b), cli_whole(c->control.mismatch, d));
    if (c->without_function)
        printf("           %s of kernels that the disassembly does not hold\n",
               cli_counted(c->without_function, "launch is", "launches are", a));
}

static int print_people(const struct converted *c, const struct request *q)
{
    char a[CLI_NUMBER], b[CLI_NUMBER], d[CLI_NUMBER];

    printf("wrote      %s: %s, %s, %s warp instructions\n", q->out, cli_counted(c->kernels, "kernel", NULL, a),
           cli_counted(c->ctas, "CTA", NULL, b), cli_whole(c->instructions, d));
    printf("size       %s, %s B a warp instruction", cli_bytes((double)c->out_bytes, a),
           cli_number(bytes_each(c), b));
    if (c->in_bytes)
        printf("; %s before", cli_bytes((double)c->in_bytes, a));
    printf("\ntook       %s\n", cli_seconds(c->seconds, a));
    trace_repairs_print(&c->repairs);
    if (q->sass)
        print_control(c);
    return 0;
}

int trace_convert(int argc, char **argv)
{
    struct request q = {.in = NULL};
    const struct cli_option options[] = {
        {"launches", 'l', CLI_TEXT, "LIST", &q.launches, "only these numbers, as `vivace trace info` shows: 3,7-9"},
        {"sass", 0, CLI_PATH, "FILE", &q.sass, "disassembly with encodings: adds the compiler's control words"},
        {"no-caches", 0, CLI_FLAG, NULL, &q.no_caches,
         "leave out the cache contents at the begin of each launch: it is simulated with empty caches"},
        {"tolerate", 0, CLI_FLAG, NULL, &q.tolerate,
         "accept warps with more or fewer instructions than they state, and count them"},
        {"sectors-only", 0, CLI_FLAG, NULL, &q.sectors_only,
         "keep only 32-byte sectors of loads from global memory: smaller, but results get other keys"},
        {NULL, 0, CLI_FLAG, NULL, NULL, NULL},
    };
    const struct cli_usage usage = {
        .command = "trace convert",
        .synopsis = "IN OUT.vtrace [--launches LIST] [--sass FILE] [--tolerate] [--no-caches] [--sectors-only]",
        .text = convert_text,
        .options = options,
        .output = &q.output,
        .least_args = 2,
        .most_args = 2};
    struct converted sum = {.kernels = 0};
    struct cli_args args;
    struct err e;
    int ret, r = cli_parse(&usage, argc, argv, &args, &e);

    if (r)
        return cli_parsed(r, &e);
    q.in = args.items[0];
    q.out = args.items[1];
    cli_remove_scratch_on_signals();
    cli_progress_begin(&q.output);
    ret = convert(&q, &sum, &e);
    cli_progress_end();
    if (ret == 0)
        ret = q.output.json ? print_json(&sum, &q, &e) : print_people(&sum, &q);
    return cli_end(ret, &e);
}
