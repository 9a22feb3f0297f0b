/* vivace trace features: counts the features that sampling methods need from the instructions of traces. */
#include "cli/trace/cmd_trace.h"

#include "ingest/ingest.h"
#include "simcore/simcore.h"
#include "wire/features_json.h"

static const char features_text[] =
    "Reads every instruction of every kernel launch and counts the features that sampling methods need: warp\n"
    "instructions, the twelve metrics of PKA, the balance of work between CTAs, and the basic blocks that each\n"
    "type of warp executes. `--features` of `vivace plan` and `vivace methods` takes the output file, which is\n"
    "also a profile.\n"
    "docs/formats/features.md says how each number is counted.\n"
    "\n"
    "Examples:\n"
    "  vivace trace features traces.tar.zst --out features.json\n"
    "  vivace trace features traces/ --gpu v100 --out features.json     and waves of CTAs on that GPU\n"
    "  vivace plan draw report.sqlite --method pka --features features.json\n";

struct request {
    const char *path, *gpu, *out;
    struct gpu_design *design;
    struct cli_output output;
};

static void show(void *ctx, uint64_t bytes_in, uint64_t rows)
{
    char a[CLI_NUMBER], b[CLI_NUMBER];

    (void)ctx;
    cli_progress("counting: %s, %s launches", cli_bytes((double)bytes_in, a), cli_whole(rows, b));
}

/* CTAs in a wave. 0: the kernel does not fit on the design. */
static uint64_t wave_ctas(void *ctx, const struct kernel_info *k)
{
    return design_wave_ctas(ctx, k);
}

static void print_summary(const struct request *q, const struct profile *p)
{
    const struct features *f = p->features;
    char a[CLI_NUMBER], b[CLI_NUMBER];

    printf("launches   %s of %s (name, grid, block)\n", cli_whole(p->count, a),
           cli_counted(p->kernel_count, "shape", NULL, b));
    printf("counted    %s warp instructions\n", cli_whole(profile_total(p), a));
    printf("vectors    %s different ones of basic blocks, %s types of warps\n", cli_whole(f->bbvs.bbv_count, a),
           cli_whole(f->bbvs.type_count, b));
    if (f->wave_begin)
        printf("waves      %s on %s\n", cli_whole(f->wave_count, a), design_name(q->design));
    printf("\nThe features are in %s.\n", q->out);
}

static int write_features(const struct request *q, const struct profile *p, struct err *e)
{
    const char *design = q->design ? design_name(q->design) : NULL;

    if (q->out && features_write_path(p, design, q->out, e) < 0)
        return -1;
    if (!q->out || q->output.json)
        return features_to_json(p, design, jw_to_file, stdout, e);
    print_summary(q, p);
    return 0;
}

static int count_all(struct request *q, struct err *e)
{
    struct ingest_options options = {.progress = show, .features = true};
    struct import_report report;
    struct profile profile;
    int ret;

    if (q->gpu && design_load(q->gpu, &q->design, e) < 0)
        return -1;
    if (q->design) {
        options.wave_ctas = wave_ctas;
        options.wave_ctx = q->design;
    }
    profile_init(&profile);
    import_report_init(&report);
    cli_progress_begin(&q->output);
    ret = ingest_file(q->path, &options, &profile, &report, e);
    cli_progress_end();
    if (ret == 0)
        ret = write_features(q, &profile, e);
    profile_release(&profile);
    import_report_release(&report);
    design_free(q->design);
    return ret;
}

int trace_features(int argc, char **argv)
{
    struct request q = {0};
    const struct cli_option options[] = {
        {"gpu", 'g', CLI_PATH, "DESIGN", &q.gpu, "count waves too: CTAs that fit this design at once"},
        {"out", 'o', CLI_PATH, "F.json", &q.out, "write to this file, and print a summary"},
        {NULL, 0, CLI_FLAG, NULL, NULL, NULL},
    };
    const struct cli_usage usage = {.command = "trace features",
                                    .synopsis = "FILE|FOLDER [--gpu DESIGN] [--out F.json]",
                                    .text = features_text,
                                    .options = options,
                                    .output = &q.output,
                                    .least_args = 1,
                                    .most_args = 1};
    struct cli_args args;
    struct err e;
    int r = cli_parse(&usage, argc, argv, &args, &e);

    if (r)
        return cli_parsed(r, &e);
    q.path = args.items[0];
    return cli_end(count_all(&q, &e), &e);
}
