#include "ingest/trace_features.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/assert.h"
#include "ingest/warp_types.h"
#include "simcore/trace/sass_class.h"

struct trace_counter {
    struct warp_types *types;
    struct sass_kind *kinds; /* index: opcode of the source */
    size_t kind_count, kind_capacity;
    struct wave *waves;
    size_t wave_count, wave_capacity;
    uint64_t wave_ctas; /* CTAs per wave; 0: waves are not counted */
    double wave_mean, wave_squares;
    uint64_t ctas, instructions, threads, requests;
    unsigned __int128 squares; /* sum of squared instruction counts of the CTAs */
    uint64_t counts[FEATURE_COUNT];
};

struct trace_counter *trace_counter_new(struct err *e)
{
    struct trace_counter *c = mem_zalloc(1, sizeof *c, e);

    if (!c)
        return NULL;
    c->types = warp_types_new(WARP_TYPES_MAX, e);
    if (!c->types) {
        free(c);
        return NULL;
    }
    return c;
}

void trace_counter_free(struct trace_counter *c)
{
    if (!c)
        return;
    warp_types_free(c->types);
    free(c->kinds);
    free(c->waves);
    free(c);
}

static int classify_new(struct trace_counter *c, const struct inst_source *s, struct err *e)
{
    if (array_reserve((void **)&c->kinds, &c->kind_capacity, s->opcode_count, sizeof *c->kinds, e) < 0)
        return -1;
    for (; c->kind_count < s->opcode_count; c->kind_count++)
        c->kinds[c->kind_count] = sass_classify(s->opcodes[c->kind_count]);
    ASSERT_HOT(c->kind_count == s->opcode_count);
    return 0;
}

/* --- one access to memory --- */

static void count_load(struct trace_counter *c, enum sass_space space, const struct lane_addresses *a,
                       uint32_t mask, uint32_t width)
{
    ASSERT_HOT(space != SASS_GENERIC);
    if (space == SASS_GLOBAL) {
        c->counts[FEATURE_GLOBAL_LOADS]++;
        c->counts[FEATURE_GLOBAL_LOAD_SECTORS] += access_sectors(a, mask, width);
    } else if (space == SASS_LOCAL) {
        c->counts[FEATURE_LOCAL_LOADS]++;
        c->counts[FEATURE_LOCAL_LOAD_SECTORS] += local_sectors(a, mask, width);
    } else {
        c->counts[FEATURE_SHARED_LOADS]++;
    }
}

static void count_access(struct trace_counter *c, const struct inst_source *s, const struct cta_trace *cta,
                         const struct warp_inst *i, struct sass_kind kind)
{
    const struct lane_addresses none = {.kind = ADDRESS_STRIDE};
    bool has_addresses = i->address != UINT32_MAX;
    uint32_t width = has_addresses ? s->insts[i->inst].width : 0;
    enum sass_space space = kind.space;
    struct lane_addresses a = none;

    if (has_addresses)
        cta_addresses(cta, i->address, &a);
    if (space == SASS_GENERIC && has_addresses && i->mask)
        space = sass_window(&s->info, a.kind == ADDRESS_LIST ? a.list[__builtin_ctz(i->mask)] : a.base);
    else if (space == SASS_GENERIC)
        space = SASS_GLOBAL;
    ASSERT_HOT(space != SASS_GENERIC);
    c->requests += space != SASS_SHARED;
    if (kind.what == SASS_LOAD) {
        count_load(c, space, &a, i->mask, width);
    } else if (kind.what == SASS_STORE && space == SASS_GLOBAL) {
        c->counts[FEATURE_GLOBAL_STORES]++;
        c->counts[FEATURE_GLOBAL_STORE_SECTORS] += access_sectors(&a, i->mask, width);
    } else if (kind.what == SASS_STORE) {
        c->counts[FEATURE_SHARED_STORES] += space == SASS_SHARED;
    } else if (kind.what == SASS_ATOMIC) {
        c->counts[FEATURE_GLOBAL_ATOMICS] += space == SASS_GLOBAL;
    }
}

/* --- warps and CTAs --- */

static int count_warp(struct trace_counter *c, const struct inst_source *s, const struct cta_trace *cta,
                      const struct cta_warp *w, struct err *e)
{
    const struct warp_inst *last;

    if (w->count == 0)
        return 0;
    last = w->insts + w->count;
    for (const struct warp_inst *i = w->insts, *begin = i; i < last; i++) {
        const struct trace_inst *inst = &s->insts[i->inst];
        struct sass_kind kind = c->kinds[inst->opcode];
        bool ends = kind.what == SASS_END || i + 1 == last;

        c->threads += (uint64_t)__builtin_popcount(i->mask);
        if (kind.what != SASS_OTHER && kind.what != SASS_END)
            count_access(c, s, cta, i, kind);
        /* Instructions have 8 or 16 bytes. Before Volta, every fourth 8-byte word is not an instruction. */
        if (!ends)
            ends = s->insts[i[1].inst].pc - inst->pc - 1 >= 16;
        if (ends) {
            uint64_t key = (uint64_t)s->insts[begin->inst].pc << 32 | (inst->pc - s->insts[begin->inst].pc);

            if (warp_types_block(c->types, begin->inst, key, e) < 0)
                return -1;
            begin = i + 1;
        }
    }
    return warp_types_end_warp(c->types, e);
}

/* Adds a CTA to its wave's requests per instruction: mean and sum of squared deviations (Welford 1962). */
static void add_to_spread(struct trace_counter *c, struct wave *w, uint64_t instructions, uint64_t requests)
{
    ASSERT_HOT(w->ctas > 0);
    double x = instructions ? (double)requests / (double)instructions : 0, off = x - c->wave_mean;

    c->wave_mean += off / w->ctas;
    c->wave_squares += off * (x - c->wave_mean);
    w->variation = c->wave_mean > 0 ? sqrt(c->wave_squares / w->ctas) / c->wave_mean : 0;
}

static int add_to_wave(struct trace_counter *c, uint64_t instructions, uint64_t requests, struct err *e)
{
    struct wave *w;

    if (!c->wave_ctas)
        return 0;
    if (c->ctas % c->wave_ctas == 0) {
        if (array_reserve((void **)&c->waves, &c->wave_capacity, c->wave_count + 1, sizeof *c->waves, e) < 0)
            return -1;
        c->waves[c->wave_count++] = (struct wave){.ctas = 0};
        c->wave_mean = c->wave_squares = 0;
    }
    ASSERT_HOT(c->wave_count > 0);
    w = &c->waves[c->wave_count - 1];
    w->ctas++;
    ASSERT_HOT(w->ctas <= c->wave_ctas);
    w->instructions += instructions;
    w->memory_requests += requests;
    add_to_spread(c, w, instructions, requests);
    return 0;
}

static int count_cta(struct trace_counter *c, const struct inst_source *s, const struct cta_trace *cta,
                     struct err *e)
{
    uint64_t instructions = 0, requests = c->requests;

    if (classify_new(c, s, e) < 0)
        return -1;
    for (uint32_t w = 0; w < cta->warp_count; w++) {
        if (count_warp(c, s, cta, &cta->warps[w], e) < 0)
            return -1;
        instructions += cta->warps[w].count;
    }
    c->instructions += instructions;
    c->squares += (unsigned __int128)instructions * instructions;
    if (add_to_wave(c, instructions, c->requests - requests, e) < 0)
        return -1;
    c->ctas++;
    ASSERT(!c->wave_ctas || c->wave_count == (c->ctas + c->wave_ctas - 1) / c->wave_ctas);
    return 0;
}

/* --- the launch --- */

/* Standard deviation / mean over all CTAs of the grid. CTAs that are not in the trace count as 0 instructions. */
static double cta_cov(const struct trace_counter *c, double ctas)
{
    ASSERT(ctas > 0);
    double mean = (double)c->instructions / ctas, variance = (double)c->squares / ctas - mean * mean;

    return c->instructions && variance > 0 ? sqrt(variance) / mean : 0;
}

static int give(struct trace_counter *c, const struct inst_source *s, struct launch_features *out, struct err *e)
{
    const uint32_t *g = s->info.grid;
    double ctas = (double)g[0] * (double)g[1] * (double)g[2];

    memset(out, 0, sizeof *out);
    for (int m = 0; m < FEATURE_COUNT; m++)
        out->metrics[m] = (double)c->counts[m];
    out->instructions = c->instructions;
    out->metrics[FEATURE_INSTRUCTIONS] = (double)c->instructions;
    out->metrics[FEATURE_THREADS_PER_INSTRUCTION] =
        c->instructions ? (double)c->threads / (double)c->instructions : 0;
    out->metrics[FEATURE_CTAS] = ctas;
    out->cta_cov = cta_cov(c, ctas);
    out->waves = c->waves;
    out->wave_count = c->wave_count;
    return warp_types_give(c->types, out, e);
}

int trace_counter_read(struct trace_counter *c, struct inst_source *s, uint64_t wave_ctas,
                       struct launch_features *out, struct err *e)
{
    struct cta_trace *cta;
    int got;

    warp_types_clear(c->types);
    memset(c->counts, 0, sizeof c->counts);
    c->kind_count = c->wave_count = 0;
    c->wave_ctas = wave_ctas < UINT32_MAX ? wave_ctas : UINT32_MAX;
    c->ctas = c->instructions = c->threads = c->requests = 0;
    c->squares = 0;
    while ((got = inst_source_next_cta(s, &cta, e)) > 0) {
        int ret = count_cta(c, s, cta, e);

        inst_source_release_cta(s, cta);
        if (ret < 0)
            return -1;
    }
    return got == 0 ? give(c, s, out, e) : -1;
}
