/* vivace trace diff: where two sets of traces first say something else. */
#include "cli/cmd_trace.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/strbuf.h"
#include "cli/table.h"

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

#define SECTOR_BYTES 32
#define TEXT_BYTES   160

struct difference {
    char where[TEXT_BYTES], a[TEXT_BYTES], b[TEXT_BYTES];
};
struct wanted {
    bool sectors;
    uint64_t kernel; /* number in the file name; 0: all */
    struct cli_output output;
};
struct compared {
    char *label;
    bool differs;
    struct difference first;
};
struct pair {
    struct inst_source *a, *b;
};

/* --- saying it: each returns 1, "it differs" --- */

static void set(char out[TEXT_BYTES], const char *format, ...) PRINTF_LIKE(2, 3);
static void set(char out[TEXT_BYTES], const char *format, ...)
{
    va_list ap;

    va_start(ap, format);
    vsnprintf(out, TEXT_BYTES, format, ap);
    va_end(ap);
}

static int numbers_differ(struct difference *d, const char *what, uint64_t a, uint64_t b)
{
    if (a == b)
        return 0;
    set(d->where, "%s", what);
    set(d->a, "%" PRIu64, a);
    set(d->b, "%" PRIu64, b);
    return 1;
}

static int shapes_differ(struct difference *d, const char *what, const uint32_t a[3], const uint32_t b[3])
{
    char text[48];

    if (memcmp(a, b, 3 * sizeof *a) == 0)
        return 0;
    set(d->where, "%s", what);
    set(d->a, "%s", trace_shape(a, text));
    set(d->b, "%s", trace_shape(b, text));
    return 1;
}

static int heads_differ(struct difference *d, const struct kernel_info *a, const struct kernel_info *b)
{
    if (strcmp(a->name, b->name) != 0) {
        set(d->where, "name");
        set(d->a, "%s", a->name);
        set(d->b, "%s", b->name);
        return 1;
    }
    return shapes_differ(d, "grid", a->grid, b->grid) || shapes_differ(d, "block", a->block, b->block) ||
           numbers_differ(d, "shared bytes", a->shared_bytes, b->shared_bytes) ||
           numbers_differ(d, "registers", a->registers, b->registers) ||
           numbers_differ(d, "binary version", a->binary_version, b->binary_version) ||
           numbers_differ(d, "stream", a->stream, b->stream) ||
           numbers_differ(d, "shared window", a->shared_base, b->shared_base) ||
           numbers_differ(d, "local window", a->local_base, b->local_base);
}

/* --- instructions --- */

static bool same_registers(const struct trace_inst *x, const struct trace_inst *y)
{
    return x->dst_count == y->dst_count && (!x->dst_count || (x->dst == y->dst && x->dst_regs == y->dst_regs)) &&
           x->src_count == y->src_count && memcmp(x->src, y->src, x->src_count) == 0 &&
           memcmp(x->src_regs, y->src_regs, x->src_count) == 0;
}

static void registers_text(const struct trace_inst *i, char out[TEXT_BYTES])
{
    struct strbuf b = STRBUF_INIT;

    if (i->dst_count)
        strbuf_addf(&b, "R%u:%u ", i->dst, i->dst_regs);
    strbuf_adds(&b, "<-");
    for (unsigned s = 0; s < i->src_count; s++)
        strbuf_addf(&b, " R%u:%u", i->src[s], i->src_regs[s]);
    set(out, "%s", b.text);
    strbuf_release(&b);
}

static int static_insts_differ(struct difference *d, const struct pair *p, uint32_t a, uint32_t b)
{
    const struct trace_inst *x = &p->a->insts[a], *y = &p->b->insts[b];

    if (strcmp(p->a->opcodes[x->opcode], p->b->opcodes[y->opcode]) != 0) {
        set(d->where, "opcode");
        set(d->a, "%04x %s", x->pc, p->a->opcodes[x->opcode]);
        set(d->b, "%04x %s", y->pc, p->b->opcodes[y->opcode]);
        return 1;
    }
    if (!same_registers(x, y)) {
        set(d->where, "registers");
        registers_text(x, d->a);
        registers_text(y, d->b);
        return 1;
    }
    if (x->immediate != y->immediate || x->has_immediate != y->has_immediate) {
        set(d->where, "immediate");
        set(d->a, x->has_immediate ? "%" PRId64 : "none", x->immediate);
        set(d->b, y->has_immediate ? "%" PRId64 : "none", y->immediate);
        return 1;
    }
    return numbers_differ(d, "PC", x->pc, y->pc) || numbers_differ(d, "width", x->width, y->width);
}

static uint64_t lane_address(const struct lane_addresses *a, uint32_t mask, unsigned lane)
{
    return a->kind == ADDRESS_LIST ? a->list[lane]
                                   : a->base + (lane - (unsigned)__builtin_ctz(mask)) * (uint64_t)a->stride;
}

static int addresses_differ(struct difference *d, const struct cta_trace *ca, const struct warp_inst *x,
                            const struct cta_trace *cb, const struct warp_inst *y, bool sectors)
{
    struct lane_addresses a, b;

    if (x->address == UINT32_MAX || y->address == UINT32_MAX) {
        if (x->address == y->address)
            return 0;
        set(d->where, "addresses");
        set(d->a, x->address == UINT32_MAX ? "none" : "there");
        set(d->b, y->address == UINT32_MAX ? "none" : "there");
        return 1;
    }
    cta_addresses(ca, x->address, &a);
    cta_addresses(cb, y->address, &b);
    for (uint32_t left = x->mask; left; left &= left - 1) {
        unsigned lane = (unsigned)__builtin_ctz(left);
        uint64_t at = lane_address(&a, x->mask, lane), bt = lane_address(&b, y->mask, lane);

        if (sectors ? at / SECTOR_BYTES == bt / SECTOR_BYTES : at == bt)
            continue;
        set(d->where, "address of lane %u", lane);
        set(d->a, "0x%" PRIx64, at);
        set(d->b, "0x%" PRIx64, bt);
        return 1;
    }
    return 0;
}

static int insts_differ(struct difference *d, const struct pair *p, const struct cta_trace *ca,
                        const struct warp_inst *x, const struct cta_trace *cb, const struct warp_inst *y,
                        bool sectors)
{
    if (static_insts_differ(d, p, x->inst, y->inst))
        return 1;
    if (x->mask != y->mask) {
        set(d->where, "mask");
        set(d->a, "%08x", x->mask);
        set(d->b, "%08x", y->mask);
        return 1;
    }
    return addresses_differ(d, ca, x, cb, y, sectors);
}

/* --- CTAs --- */

/* Puts the place in front of what differs there. */
static int at_place(struct difference *d, const struct cta_trace *c, uint32_t warp, uint32_t inst, bool in_warp)
{
    char what[TEXT_BYTES], id[48];

    memcpy(what, d->where, sizeof what);
    if (in_warp)
        snprintf(d->where, sizeof d->where, "CTA %" PRIu64 " %s, warp %u, instruction %u: %.60s", c->index,
                 trace_shape(c->id, id), warp, inst, what);
    else
        snprintf(d->where, sizeof d->where, "CTA %" PRIu64 " %s: %.60s", c->index, trace_shape(c->id, id), what);
    return 1;
}

static int warps_differ(struct difference *d, const struct pair *p, const struct cta_trace *a,
                        const struct cta_trace *b, uint32_t w, bool sectors)
{
    const struct cta_warp *x = &a->warps[w], *y = &b->warps[w];
    uint32_t n = x->count < y->count ? x->count : y->count;
    char what[32];

    for (uint32_t i = 0; i < n; i++)
        if (insts_differ(d, p, a, &x->insts[i], b, &y->insts[i], sectors))
            return at_place(d, a, w, i, true);
    snprintf(what, sizeof what, "instructions of warp %u", w);
    return numbers_differ(d, what, x->count, y->count) && at_place(d, a, 0, 0, false);
}

static int ctas_differ(struct difference *d, const struct pair *p, const struct cta_trace *a,
                       const struct cta_trace *b, bool sectors)
{
    if (shapes_differ(d, "number of the CTA", a->id, b->id) ||
        numbers_differ(d, "warps", a->warp_count, b->warp_count))
        return at_place(d, a, 0, 0, false);
    for (uint32_t w = 0; w < a->warp_count; w++)
        if (warps_differ(d, p, a, b, w, sectors))
            return 1;
    return 0;
}

/* --- kernels --- */

static int count_differs(struct difference *d, uint64_t ctas, int left_has_more)
{
    set(d->where, "number of CTAs");
    set(left_has_more ? d->b : d->a, "%" PRIu64, ctas);
    set(left_has_more ? d->a : d->b, "more than %" PRIu64, ctas);
    return 1;
}

/* 1: they differ, 0, -1. */
static int sources_differ(struct difference *d, const struct pair *p, bool sectors, struct err *e)
{
    struct cta_trace *a, *b;
    uint64_t ctas = 0;
    int differ = heads_differ(d, &p->a->info, &p->b->info);

    for (; differ == 0; ctas++) {
        int left = inst_source_next_cta(p->a, &a, e), right = left < 0 ? -1 : inst_source_next_cta(p->b, &b, e);

        if (right < 0 && left > 0)
            inst_source_release_cta(p->a, a);
        if (left < 0 || right < 0)
            return -1;
        if (left > 0 && right > 0)
            differ = ctas_differ(d, p, a, b, sectors);
        else if (left != right)
            differ = count_differs(d, ctas, left > 0);
        if (left > 0)
            inst_source_release_cta(p->a, a);
        if (right > 0)
            inst_source_release_cta(p->b, b);
        if (left == 0 && right == 0)
            break;
    }
    return differ;
}

static int compare_kernels(const struct bundle_kernel *a, const struct bundle_kernel *b, bool sectors,
                           struct compared *out, struct err *e)
{
    const struct trace_place left = bundle_place(a), right = bundle_place(b);
    struct pair p = {NULL, NULL};
    int ret = -1;

    out->label = mem_strdup(a->label, e);
    if (out->label && trace_file_open(&left, &p.a, e) == 0 && trace_file_open(&right, &p.b, e) == 0)
        ret = sources_differ(&out->first, &p, sectors, e);
    inst_source_release(p.a);
    inst_source_release(p.b);
    out->differs = ret > 0;
    return ret;
}

/* --- sets of them --- */

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

/* The one with this number; a file alone is what was meant, whatever its number. NULL with *e filled. */
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
            json_array_append_new(list, json_pack("{s:s, s:s, s:s, s:s}", "kernel", o->items[i].label, "where",
                                                  o->items[i].first.where, "a", o->items[i].first.a, "b",
                                                  o->items[i].first.b));
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
        printf("%zu kernel%s compared, no difference\n", o->count, o->count == 1 ? "" : "s");
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
