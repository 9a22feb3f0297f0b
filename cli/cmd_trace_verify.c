/* vivace trace verify: reads every instruction of every kernel and says what is wrong with it. */
#include "cli/cmd_trace.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "simcore/trace/sass.h"

static const char verify_text[] = "Reads every instruction of every kernel. Says, with file and line, what is "
                                  "damaged; how much had to be repaired\n"
                                  "(destinations that tracers record as a source, register groups of which only "
                                  "the first is named); which CTAs of\n"
                                  "the grid are missing because they executed nothing; and which opcodes no "
                                  "document names (they are simulated as\n"
                                  "plain arithmetic). Ends with 0 only when nothing is damaged.\n"
                                  "\n"
                                  "Examples:\n"
                                  "  vivace trace verify traces.tar.zst\n"
                                  "  vivace trace verify kernel-12.traceg --json | jq .damaged\n";

struct damage {
    char *label, *sentence;
};
struct unknown {
    char *opcode;
    uint64_t instructions; /* warp instructions */
};

struct findings {
    uint64_t kernels, ctas, warps, instructions;
    struct trace_repairs repairs;
    struct damage *damaged;
    size_t damaged_count, damaged_capacity;
    struct unknown *unknown;
    size_t unknown_count, unknown_capacity;
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

static int add_unknown(struct findings *f, const char *opcode, uint64_t instructions, struct err *e)
{
    void *p = f->unknown;

    for (size_t i = 0; i < f->unknown_count; i++)
        if (strcmp(f->unknown[i].opcode, opcode) == 0) {
            f->unknown[i].instructions += instructions;
            return 0;
        }
    if (array_reserve(&p, &f->unknown_capacity, f->unknown_count + 1, sizeof *f->unknown, e) < 0)
        return -1;
    f->unknown = p;
    f->unknown[f->unknown_count].instructions = instructions;
    f->unknown[f->unknown_count].opcode = mem_strdup(opcode, e);
    return f->unknown[f->unknown_count++].opcode ? 0 : -1;
}

static void findings_release(struct findings *f)
{
    for (size_t i = 0; i < f->damaged_count; i++) {
        free(f->damaged[i].label);
        free(f->damaged[i].sentence);
    }
    for (size_t i = 0; i < f->unknown_count; i++)
        free(f->unknown[i].opcode);
    free(f->damaged);
    free(f->unknown);
}

/* --- one kernel --- */

/* How often each opcode was executed; grows with the source's table. */
struct uses {
    uint64_t *counts;
    size_t count;
};

static int uses_grow(struct uses *u, size_t want, struct err *e)
{
    uint64_t *p;

    if (u->counts && want <= u->count)
        return 0;
    want = want ? want : 1;
    p = realloc(u->counts, want * sizeof *p);
    if (!p) {
        err_no_memory(e);
        return -1;
    }
    memset(p + u->count, 0, (want - u->count) * sizeof *p);
    u->counts = p;
    u->count = want;
    return 0;
}

static int count_cta(struct findings *f, const struct inst_source *s, const struct cta_trace *cta, struct uses *u,
                     struct err *e)
{
    if (uses_grow(u, s->opcode_count, e) < 0)
        return -1;
    f->ctas++;
    for (uint32_t w = 0; w < cta->warp_count; w++) {
        f->warps += cta->warps[w].count > 0;
        f->instructions += cta->warps[w].count;
        for (uint32_t i = 0; i < cta->warps[w].count; i++)
            u->counts[s->insts[cta->warps[w].insts[i].inst].opcode]++;
    }
    return 0;
}

static int take_unknown(struct findings *f, const struct inst_source *s, const struct uses *u, struct err *e)
{
    for (size_t i = 0; i < u->count; i++)
        if (!sass_opcode_known(s->opcodes[i]) && u->counts[i] > 0 &&
            add_unknown(f, s->opcodes[i], u->counts[i], e) < 0)
            return -1;
    return 0;
}

static void take_repairs(struct findings *f, const struct trace_repairs *r)
{
    f->repairs.destination_from_source += r->destination_from_source;
    f->repairs.register_group += r->register_group;
    f->repairs.empty_ctas += r->empty_ctas;
}

/* -1 only when the findings themselves cannot be kept. */
static int read_kernel(struct findings *f, const struct bundle_entry *entry, struct stream *stream, struct err *e)
{
    struct inst_source *s;
    struct cta_trace *cta;
    struct uses u = {0};
    struct err what;
    int got, ret = 0;

    if (bundle_entry_open(entry, stream, &s, &what) < 0)
        return add_damage(f, entry->label, &what, e);
    while (ret == 0 && (got = inst_source_next_cta(s, &cta, &what)) != 0) {
        if (got < 0) {
            ret = add_damage(f, entry->label, &what, e);
            break;
        }
        ret = count_cta(f, s, cta, &u, e);
        inst_source_release_cta(s, cta);
    }
    if (ret == 0)
        ret = take_unknown(f, s, &u, e);
    take_repairs(f, &s->repairs);
    free(u.counts);
    inst_source_release(s);
    return ret;
}

static int visit(void *ctx, const struct bundle_entry *entry, struct stream *s, struct err *e)
{
    struct findings *f = ctx;

    f->kernels++;
    cli_progress("reading: %" PRIu64 " of %zu kernels", f->kernels, entry->count);
    return read_kernel(f, entry, s, e);
}

/* --- the answer --- */

static int print_json(const struct findings *f, struct err *e)
{
    json_t *damaged = json_array(), *unknown = json_array();

    for (size_t i = 0; i < f->damaged_count; i++)
        json_array_append_new(
            damaged, json_pack("{s:s, s:s}", "kernel", f->damaged[i].label, "error", f->damaged[i].sentence));
    for (size_t i = 0; i < f->unknown_count; i++)
        json_array_append_new(unknown, json_pack("{s:s, s:I}", "opcode", f->unknown[i].opcode, "warp_instructions",
                                                 (json_int_t)f->unknown[i].instructions));
    return cli_print_json(
        json_pack("{s:b, s:I, s:I, s:I, s:I, s:{s:I, s:I, s:I}, s:o, s:o}", "sound", f->damaged_count == 0,
                  "kernels", (json_int_t)f->kernels, "ctas", (json_int_t)f->ctas, "warps", (json_int_t)f->warps,
                  "warp_instructions", (json_int_t)f->instructions, "repairs", "destination_from_source",
                  (json_int_t)f->repairs.destination_from_source, "register_group",
                  (json_int_t)f->repairs.register_group, "empty_ctas", (json_int_t)f->repairs.empty_ctas,
                  "unknown_opcodes", unknown, "damaged", damaged),
        e);
}

static void print_people(const struct findings *f)
{
    char a[CLI_NUMBER], b[CLI_NUMBER], c[CLI_NUMBER], d[CLI_NUMBER];

    printf("read       %s kernels, %s CTAs, %s warps, %s warp instructions\n", cli_whole(f->kernels, a),
           cli_whole(f->ctas, b), cli_whole(f->warps, c), cli_whole(f->instructions, d));
    printf("repaired   %s destinations recorded as a source, %s instructions with register groups\n",
           cli_whole(f->repairs.destination_from_source, a), cli_whole(f->repairs.register_group, b));
    printf("missing    %s CTAs of the grids (they executed nothing, or were not recorded)\n",
           cli_whole(f->repairs.empty_ctas, a));
    printf("unknown    %zu opcodes\n", f->unknown_count);
    for (size_t i = 0; i < f->unknown_count; i++)
        printf("    %s: %s warp instructions\n", f->unknown[i].opcode, cli_whole(f->unknown[i].instructions, a));
    printf("damaged    %zu kernels\n", f->damaged_count);
    for (size_t i = 0; i < f->damaged_count; i++)
        printf("    %s: %s\n", f->damaged[i].label, f->damaged[i].sentence);
}

static int verdict(const struct findings *f, const char *path, struct err *e)
{
    if (f->damaged_count == 0)
        return 0;
    return err_set(e, f->worst, "%s: %zu of %" PRIu64 " kernels are damaged", path, f->damaged_count, f->kernels);
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
    cli_progress_end();
    if (ret == 0 && output.json)
        ret = print_json(&f, &e);
    else if (ret == 0)
        print_people(&f);
    if (ret == 0)
        ret = verdict(&f, args.items[0], &e);
    findings_release(&f);
    return cli_end(ret, &e);
}
