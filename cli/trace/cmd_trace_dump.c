/* vivace trace dump: the executed instructions of one kernel as text. */
#include "cli/trace/cmd_trace.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/demangle.h"
#include "simcore/trace/sass.h"
#include "simcore/trace/vtrace.h"
#include "wire/json.h"

#define ALL UINT64_MAX

static const char dump_text[] =
    "Prints what each warp of a kernel executed: PC, mask, opcode, registers written <- read (R4:2 is R4 and R5),\n"
    "bytes a lane and addresses of memory accesses. Register groups and lost destinations are shown repaired. In\n"
    "a .vtrace file, each CTA is read directly.\n"
    "\n"
    "Examples:\n"
    "  vivace trace dump kernel-12.traceg.xz --cta 0 --warp 0\n"
    "  vivace trace dump traces.tar.zst --kernel 12 --limit 50\n"
    "  vivace trace dump run.vtrace --kernel 12 --cta 4000 --json\n";

struct wanted {
    uint64_t kernel, cta, warp, limit;
    bool json;
};

struct dump {
    struct wanted want;
    uint64_t printed;
    bool found, any;         /* found: the kernel was found; any: at least one of its CTAs */
    json_t *document, *ctas; /* with --json */
};

/* --- one instruction --- */

static void print_registers(const uint8_t *first, const uint8_t *other, const uint8_t *count, unsigned n)
{
    for (unsigned i = 0; i < n; i++) {
        char name[REGISTER_NAME_BYTES];

        register_name(first[i], other[i], name);
        printf(" %s", name);
        if (count[i] > 1)
            printf(":%u", count[i]);
    }
}

static void print_addresses(const struct lane_addresses *a, uint32_t mask)
{
    if (a->kind == ADDRESS_STRIDE) {
        printf("0x%" PRIx64, a->base);
        if (mask & (mask - 1))
            printf(" %+" PRId64 " a lane", a->stride);
        return;
    }
    for (const char *gap = ""; mask; mask &= mask - 1, gap = " ")
        printf("%s0x%" PRIx64, gap, a->list[__builtin_ctz(mask)]);
}

static void print_inst(const struct inst_source *s, const struct cta_trace *cta, const struct warp_inst *w)
{
    const struct trace_inst *i = &s->insts[w->inst];
    struct lane_addresses a;

    printf("    %04x %08x %-24s", i->pc, w->mask, s->opcodes[i->opcode]);
    if (i->dst_count || i->other_dst)
        print_registers(&i->dst, &i->other_dst, &i->dst_regs, 1);
    if (i->src_count) {
        printf(" <-");
        print_registers(i->src, i->other_src, i->src_regs, i->src_count);
    }
    if (i->has_immediate && i->immediate)
        printf(" #%" PRId64, i->immediate);
    if (w->address != UINT32_MAX) {
        cta_addresses(cta, w->address, &a);
        printf("  [%u B at ", i->width);
        print_addresses(&a, w->mask);
        printf("]");
    }
    printf("\n");
}

static json_t *registers_json(const uint8_t *first, const uint8_t *count, unsigned n)
{
    json_t *list = json_array();

    for (unsigned i = 0; i < n; i++)
        json_array_append_new(list, json_pack("{s:i, s:i}", "register", first[i], "count", count[i]));
    return list;
}

static json_t *addresses_json(const struct cta_trace *cta, const struct warp_inst *w)
{
    struct lane_addresses a;
    json_t *list = json_array();
    uint64_t at;
    char text[24];

    if (w->address == UINT32_MAX)
        return list;
    cta_addresses(cta, w->address, &a);
    at = a.base;
    for (uint32_t mask = w->mask; mask; mask &= mask - 1, at += (uint64_t)a.stride) {
        /* 64-bit addresses are not exact as numbers in many JSON readers, so they are texts. */
        snprintf(text, sizeof text, "0x%" PRIx64, a.kind == ADDRESS_LIST ? a.list[__builtin_ctz(mask)] : at);
        json_array_append_new(list, json_string(text));
    }
    return list;
}

static json_t *inst_json(const struct inst_source *s, const struct cta_trace *cta, const struct warp_inst *w)
{
    const struct trace_inst *i = &s->insts[w->inst];
    char mask[16];

    snprintf(mask, sizeof mask, "%08x", w->mask);
    return json_pack("{s:I, s:s, s:o, s:o, s:o, s:i, s:o, s:I}", "pc", (json_int_t)i->pc, "mask", mask, "opcode",
                     json_text(s->opcodes[i->opcode]), "writes",
                     registers_json(&i->dst, &i->dst_regs, i->dst_count), "reads",
                     registers_json(i->src, i->src_regs, i->src_count), "bytes_per_lane", i->width, "addresses",
                     addresses_json(cta, w), "immediate", (json_int_t)i->immediate);
}

/* --- CTAs and warps --- */

static void dump_warp(struct dump *d, const struct inst_source *s, const struct cta_trace *cta, uint32_t n,
                      json_t *warps)
{
    const struct cta_warp *w = &cta->warps[n];
    json_t *insts = json_array();

    if (!d->want.json)
        printf("  warp %u: %u instructions\n", n, w->count);
    for (uint32_t i = 0; i < w->count && d->printed < d->want.limit; i++, d->printed++)
        if (d->want.json)
            json_array_append_new(insts, inst_json(s, cta, &w->insts[i]));
        else
            print_inst(s, cta, &w->insts[i]);
    if (d->want.json)
        json_array_append_new(warps, json_pack("{s:I, s:I, s:O}", "warp", (json_int_t)n, "instructions_recorded",
                                               (json_int_t)w->count, "instructions", insts));
    json_decref(insts);
}

static void dump_cta(struct dump *d, const struct inst_source *s, const struct cta_trace *cta)
{
    json_t *warps = json_array();

    if (!d->want.json)
        printf("CTA %" PRIu64 " (%u,%u,%u)\n", cta->index, cta->id[0], cta->id[1], cta->id[2]);
    for (uint32_t w = 0; w < cta->warp_count && d->printed < d->want.limit; w++)
        if (d->want.warp == ALL || d->want.warp == w)
            dump_warp(d, s, cta, w, warps);
    if (d->want.json)
        json_array_append_new(d->ctas, json_pack("{s:I, s:[iii], s:O}", "index", (json_int_t)cta->index, "id",
                                                 cta->id[0], cta->id[1], cta->id[2], "warps", warps));
    json_decref(warps);
}

static int dump_head(struct dump *d, const struct bundle_entry *entry, const struct inst_source *s, struct err *e)
{
    const struct kernel_info *k = &s->info;
    char *name = demangle(k->name, e), grid[48], block[48];

    if (!name)
        return -1;
    if (!d->want.json) {
        printf("kernel %" PRIu64 " %s\ngrid %s block %s\n", entry->id ? entry->id : k->id, name,
               trace_shape(k->grid, grid), trace_shape(k->block, block));
    } else {
        d->ctas = json_array();
        d->document =
            json_pack("{s:I, s:o, s:[iii], s:[iii], s:o}", "id", (json_int_t)(entry->id ? entry->id : k->id),
                      "name", json_text(name), "grid", k->grid[0], k->grid[1], k->grid[2], "block", k->block[0],
                      k->block[1], k->block[2], "ctas", d->ctas);
    }
    free(name);
    return d->want.json && !d->document ? err_no_memory(e) : 0;
}

static int dump_kernel(struct dump *d, const struct bundle_entry *entry, struct stream *stream, struct err *e)
{
    struct inst_source *s;
    struct cta_trace *cta;
    int got;

    if (bundle_entry_open(entry, stream, &s, e) < 0)
        return -1;
    got = dump_head(d, entry, s, e);
    if (got == 0 && d->want.cta != ALL && entry->place.format == TRACE_VTRACE)
        got = vtrace_seek_cta(s, d->want.cta, e);
    while (got == 0 && d->printed < d->want.limit && (got = inst_source_next_cta(s, &cta, e)) > 0) {
        bool last = cta->index == d->want.cta;

        if (d->want.cta == ALL || last)
            dump_cta(d, s, cta);
        d->any |= d->want.cta == ALL || last;
        inst_source_release_cta(s, cta);
        got = 0;
        if (last)
            break;
    }
    if (got == 0 && !d->any && d->want.limit > 0)
        got = err_set(e, ERR_NOT_FOUND, "the kernel has no CTA %" PRIu64 " (they count from 0)", d->want.cta);
    inst_source_release(s);
    return got;
}

/* Returns -1 also to end the iteration early; then `found` is true. */
static int visit(void *ctx, const struct bundle_entry *entry, struct stream *s, struct err *e)
{
    struct dump *d = ctx;
    bool wanted = d->want.kernel == ALL ? entry->index == 0 : entry->id == d->want.kernel;

    if (!wanted)
        return 0;
    if (dump_kernel(d, entry, s, e) == 0)
        d->found = true;
    return -1;
}

static int dump(const char *path, struct dump *d, struct err *e)
{
    if (bundle_walk(path, visit, d, e) == 0) {
        err_set(e, ERR_NOT_FOUND, "%s holds no kernel %" PRIu64, path, d->want.kernel);
        return err_hint(e, "`vivace trace info` lists the kernels that it holds");
    }
    if (!d->found)
        return -1;
    if (d->want.json) {
        json_t *document = d->document;

        d->document = NULL;
        return cli_print_json(document, e);
    }
    if (d->printed == d->want.limit)
        printf("(stopped after --limit %" PRIu64 " instructions)\n", d->want.limit);
    return 0;
}

int trace_dump(int argc, char **argv)
{
    struct cli_output output = {0};
    struct dump d = {.want = {ALL, ALL, ALL, 1000, false}};
    const struct cli_option options[] = {
        {"kernel", 'k', CLI_U64, "N", &d.want.kernel, "the kernel with this number in its file name (the first)"},
        {"cta", 0, CLI_U64, "N", &d.want.cta, "only the N-th CTA, from 0"},
        {"warp", 0, CLI_U64, "N", &d.want.warp, "only this warp of each CTA, from 0"},
        {"limit", 'n', CLI_U64, "N", &d.want.limit, "stop after N instructions (1000)"},
        {NULL, 0, CLI_FLAG, NULL, NULL, NULL},
    };
    const struct cli_usage usage = {.command = "trace dump",
                                    .synopsis = "FILE|FOLDER [--kernel N] [--cta N] [--warp N]",
                                    .text = dump_text,
                                    .options = options,
                                    .output = &output,
                                    .least_args = 1,
                                    .most_args = 1};
    struct cli_args args;
    struct err e;
    int ret, r = cli_parse(&usage, argc, argv, &args, &e);

    if (r)
        return cli_parsed(r, &e);
    d.want.json = output.json;
    ret = dump(args.items[0], &d, &e);
    json_decref(d.document);
    return cli_end(ret, &e);
}
