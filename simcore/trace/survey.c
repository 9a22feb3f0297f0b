#include "simcore/trace/survey.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/assert.h"
#include "simcore/trace/accel_sim_line.h"

enum { LINE_SHIFT = 7, SECTOR_SHIFT = 5, KEPT_LINES = 4 }; /* every fourth line is counted; a power of two */

void survey_release(struct survey *s)
{
    free(s->ctas);
    free(s->groups);
    *s = (struct survey){0};
}

/* The finalizer of MurmurHash3: every bit depends on every bit. */
static uint64_t spread(uint64_t x)
{
    x = (x ^ x >> 33) * 0xff51afd7ed558ccdull;
    x = (x ^ x >> 33) * 0xc4ceb9fe1a85ec53ull;
    return x ^ x >> 33;
}

struct survey_signs *survey_signs_make(const struct trace_inst *insts, size_t count, struct err *e)
{
    struct survey_signs *s = mem_zalloc(count + 1, sizeof *s, e);

    for (size_t i = 0; s && i < count; i++) {
        uint64_t hash = spread(i + 1);

        s[i + 1] = s[i];
        s[i + 1].accesses += insts[i].width > 0;
        for (int k = 0; k < SURVEY_MIX; k++)
            s[i + 1].mix[k] += hash >> (63 - k) & 1 ? 1 : -1;
    }
    return s;
}

/* --- groups: sectors and lines of their addresses --- */

struct line_of {
    uint64_t line;
    uint32_t group;
};
struct survey_lines {
    struct line_of *lines;
    size_t count, capacity;
    struct survey_group groups[SURVEY_GROUPS_MAX];
    uint64_t lanes[SURVEY_GROUPS_MAX], sectors[SURVEY_GROUPS_MAX], touched[SURVEY_GROUPS_MAX],
        distinct[SURVEY_GROUPS_MAX], common[SURVEY_GROUPS_MAX];
    size_t group_count;
};

struct survey_lines *survey_lines_new(struct err *e)
{
    return mem_zalloc(1, sizeof(struct survey_lines), e);
}

void survey_lines_free(struct survey_lines *l)
{
    if (l)
        free(l->lines);
    free(l);
}

bool survey_wants(uint64_t index, uint64_t count, uint64_t groups)
{
    uint64_t stride;

    ASSERT(groups > 0);
    stride = (count + groups - 1) / groups;

    return index % (stride > SURVEY_EVERY ? stride : SURVEY_EVERY) < SURVEY_GROUP;
}

static int add_line(struct survey_lines *l, uint64_t line, uint32_t group, struct err *e)
{
    void *p = l->lines;

    ASSERT_HOT(group < l->group_count);
    l->touched[group]++;
    if (spread(line) >> 32 & (KEPT_LINES - 1))
        return 0;
    if (array_reserve(&p, &l->capacity, l->count + 1, sizeof *l->lines, e) < 0)
        return -1;
    l->lines = p;
    l->lines[l->count++] = (struct line_of){line, group};
    return 0;
}

static int add_access(struct survey_lines *l, const struct cta_trace *cta, const struct warp_inst *i,
                      uint32_t group, struct err *e)
{
    uint64_t line = UINT64_MAX, sector = UINT64_MAX;
    struct lane_addresses a;
    unsigned n = 0;

    ASSERT_HOT(i->address != UINT32_MAX);
    cta_addresses(cta, i->address, &a);
    for (uint32_t left = i->mask; left; left &= left - 1, n++) {
        uint64_t at = a.kind == ADDRESS_LIST ? a.list[__builtin_ctz(left)] : a.base + (uint64_t)a.stride * n;

        l->sectors[group] += at >> SECTOR_SHIFT != sector;
        sector = at >> SECTOR_SHIFT;
        if (at >> LINE_SHIFT != line && add_line(l, at >> LINE_SHIFT, group, e) < 0)
            return -1;
        line = at >> LINE_SHIFT;
    }
    l->lanes[group] += n;
    return 0;
}

int survey_lines_add(struct survey_lines *l, const struct inst_source *s, const struct cta_trace *cta,
                     uint64_t index, struct err *e)
{
    uint32_t group;

    if (!l->group_count || index >= l->groups[l->group_count - 1].first + SURVEY_GROUP) {
        if (l->group_count == SURVEY_GROUPS_MAX)
            return 0;
        l->groups[l->group_count++].first = index;
    }
    group = (uint32_t)l->group_count - 1;
    ASSERT(index >= l->groups[group].first && !cta->window);
    for (uint32_t w = 0; w < cta->warp_count; w++)
        for (uint32_t i = 0; i < cta->warps[w].count; i++) {
            const struct warp_inst *x = &cta->warps[w].insts[i];

            if (x->address != UINT32_MAX && s->insts[x->inst].width && add_access(l, cta, x, group, e) < 0)
                return -1;
        }
    return 0;
}

static int by_line(const void *a, const void *b)
{
    const struct line_of *x = a, *y = b;

    return x->line != y->line ? (x->line > y->line) - (x->line < y->line)
                              : (x->group > y->group) - (x->group < y->group);
}

static void count_lines(struct survey_lines *l)
{
    array_sort(l->lines, l->count, sizeof *l->lines, by_line);
    for (size_t i = 0, end; i < l->count; i = end) {
        for (end = i; end < l->count && l->lines[end].line == l->lines[i].line;)
            end++;
        for (size_t k = i; k < end; k++) {
            if (k > i && l->lines[k].group == l->lines[k - 1].group)
                continue;
            l->distinct[l->lines[k].group]++;
            l->common[l->lines[k].group] += l->lines[i].group != l->lines[end - 1].group;
        }
    }
}

static double share(uint64_t part, uint64_t of)
{
    ASSERT(part <= of * KEPT_LINES);
    return of ? (double)part / (double)of : 0;
}

int survey_lines_end(struct survey_lines *l, struct survey *out, struct err *e)
{
    count_lines(l);
    ASSERT(l->group_count <= SURVEY_GROUPS_MAX);
    out->groups = mem_zalloc(l->group_count + 1, sizeof *out->groups, e);
    if (!out->groups)
        return -1;
    for (size_t i = 0; i < l->group_count; i++)
        out->groups[i] = (struct survey_group){.first = l->groups[i].first,
                                               .sectors = share(l->sectors[i], l->lanes[i]),
                                               .distinct = share(l->distinct[i] * KEPT_LINES, l->touched[i]),
                                               .common = share(l->common[i], l->distinct[i])};
    out->group_count = l->group_count;
    return 0;
}

/* --- survey of any source, which is read to its end --- */

void survey_count(const struct cta_trace *cta, const struct survey_signs *signs, struct cta_work *out)
{
    ASSERT(!cta->window); /* the whole CTA is in memory */
    for (uint32_t w = 0; w < cta->warp_count; w++)
        for (uint32_t i = 0; i < cta->warps[w].count; i++)
            survey_add(out, signs, cta->warps[w].insts[i].inst, 1, cta->warps[w].insts[i].mask);
}

struct reading {
    struct survey_signs *signs;
    size_t signs_of; /* number of instructions that `signs` covers; the table grows while CTAs are read */
    struct survey_lines *lines;
    size_t capacity;
};

static int read_cta(struct reading *r, struct inst_source *s, struct survey *out, struct err *e)
{
    uint64_t grid = kernel_cta_count(&s->info);
    struct cta_trace *cta;
    void *p = out->ctas;
    int got = inst_source_next_cta(s, &cta, e), ret = -1;

    if (got <= 0)
        return got;
    if (!r->signs || r->signs_of != s->inst_count) {
        free(r->signs);
        r->signs = survey_signs_make(s->insts, s->inst_count, e);
        r->signs_of = s->inst_count;
    }
    if (r->signs && array_reserve(&p, &r->capacity, out->count + 1, sizeof *out->ctas, e) == 0) {
        out->ctas = p;
        out->ctas[out->count] = (struct cta_work){0};
        survey_count(cta, r->signs, &out->ctas[out->count]);
        ret = survey_wants(out->count, grid, SURVEY_GROUPS_MAX) ? survey_lines_add(r->lines, s, cta, out->count, e)
                                                                : 0;
        out->count++;
    }
    inst_source_release_cta(s, cta);
    return ret < 0 ? -1 : 1;
}

int survey_read(struct inst_source *s, struct survey *out, struct err *e)
{
    struct reading r = {.lines = survey_lines_new(e)};
    int got = r.lines ? 1 : -1;

    *out = (struct survey){0};
    while (got > 0)
        got = read_cta(&r, s, out, e);
    if (got == 0)
        got = survey_lines_end(r.lines, out, e);
    survey_lines_free(r.lines);
    free(r.signs);
    if (got < 0)
        survey_release(out);
    return got;
}
