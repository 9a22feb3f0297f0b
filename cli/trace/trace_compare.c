#include "cli/trace/trace_compare.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/strbuf.h"
#include "base/text.h"
#include "cli/trace/cmd_trace.h"
#include "simcore/trace/sass.h"

#define SECTOR_BYTES 32

struct pair {
    struct inst_source *a, *b;
};

/* --- writing a difference: each function returns 1 --- */

static void set(char out[TRACE_DIFFERENCE_BYTES], const char *format, ...) PRINTF_LIKE(2, 3);
static void set(char out[TRACE_DIFFERENCE_BYTES], const char *format, ...)
{
    va_list ap;

    va_start(ap, format);
    vsnprintf(out, TRACE_DIFFERENCE_BYTES, format, ap);
    va_end(ap);
}

static int numbers_differ(struct trace_difference *d, const char *what, uint64_t a, uint64_t b)
{
    if (a == b)
        return 0;
    set(d->where, "%s", what);
    set(d->a, "%" PRIu64, a);
    set(d->b, "%" PRIu64, b);
    return 1;
}

static int shapes_differ(struct trace_difference *d, const char *what, const uint32_t a[3], const uint32_t b[3])
{
    char text[48];

    if (memcmp(a, b, 3 * sizeof *a) == 0)
        return 0;
    set(d->where, "%s", what);
    set(d->a, "%s", trace_shape(a, text));
    set(d->b, "%s", trace_shape(b, text));
    return 1;
}

static int heads_differ(struct trace_difference *d, const struct kernel_info *a, const struct kernel_info *b)
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
           memcmp(x->src_regs, y->src_regs, x->src_count) == 0 && x->other_dst == y->other_dst &&
           memcmp(x->other_src, y->other_src, x->src_count) == 0 && x->group == y->group;
}

static void registers_text(const struct trace_inst *i, char out[TRACE_DIFFERENCE_BYTES])
{
    struct strbuf b = STRBUF_INIT;

    char name[REGISTER_NAME_BYTES];

    if (i->dst_count || i->other_dst) {
        register_name(i->dst, i->other_dst, name);
        strbuf_addf(&b, "%s:%u ", name, i->dst_regs);
    }
    strbuf_adds(&b, "<-");
    for (unsigned s = 0; s < i->src_count; s++) {
        register_name(i->src[s], i->other_src[s], name);
        strbuf_addf(&b, " %s:%u", name, i->src_regs[s]);
    }
    if (i->group)
        strbuf_adds(&b, i->group == GROUP_COMMITS ? ", ends a group" : ", in a group");
    set(out, "%s", b.text);
    strbuf_release(&b);
}

static int static_insts_differ(struct trace_difference *d, const struct pair *p, uint32_t a, uint32_t b)
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

static int addresses_differ(struct trace_difference *d, const struct cta_trace *ca, const struct warp_inst *x,
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

static int insts_differ(struct trace_difference *d, const struct pair *p, const struct cta_trace *ca,
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

/* Writes the place of a difference before its name. */
static int at_place(struct trace_difference *d, const struct cta_trace *c, uint32_t warp, uint32_t inst,
                    bool in_warp)
{
    char what[TRACE_DIFFERENCE_BYTES], id[48];

    memcpy(what, d->where, sizeof what);
    if (in_warp)
        snprintf(d->where, sizeof d->where, "CTA %" PRIu64 " %s, warp %u, instruction %u: %.60s", c->index,
                 trace_shape(c->id, id), warp, inst, what);
    else
        snprintf(d->where, sizeof d->where, "CTA %" PRIu64 " %s: %.60s", c->index, trace_shape(c->id, id), what);
    utf8_mend(d->where);
    return 1;
}

static int warps_differ(struct trace_difference *d, const struct pair *p, const struct cta_trace *a,
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

static int ctas_differ(struct trace_difference *d, const struct pair *p, const struct cta_trace *a,
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

static int count_differs(struct trace_difference *d, uint64_t ctas, int left_has_more)
{
    set(d->where, "number of CTAs");
    set(left_has_more ? d->b : d->a, "%" PRIu64, ctas);
    set(left_has_more ? d->a : d->b, "more than %" PRIu64, ctas);
    return 1;
}

int trace_compare(struct inst_source *left, struct inst_source *right, bool sectors, struct trace_difference *d,
                  struct err *e)
{
    const struct pair pair = {left, right}, *p = &pair;
    struct cta_trace *a, *b;
    uint64_t ctas = 0;
    int differ = heads_differ(d, &p->a->info, &p->b->info);

    for (; differ == 0; ctas++) {
        int x = inst_source_next_cta(left, &a, e), y = x < 0 ? -1 : inst_source_next_cta(right, &b, e);

        if (y < 0 && x > 0)
            inst_source_release_cta(left, a);
        if (x < 0 || y < 0)
            return -1;
        if (x > 0 && y > 0)
            differ = ctas_differ(d, p, a, b, sectors);
        else if (x != y)
            differ = count_differs(d, ctas, x > 0);
        if (x > 0)
            inst_source_release_cta(left, a);
        if (y > 0)
            inst_source_release_cta(right, b);
        if (x == 0 && y == 0)
            break;
    }
    return differ;
}
