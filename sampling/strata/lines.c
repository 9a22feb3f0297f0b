/* Lines of sorted values; kinds: lines.h. Names are combined in mixed lines in increasing order of
 *
 *     N X = X^2 / mean,
 *
 * the variance that a name adds to a mixed line (its factor on another GPU is unknown: X^2) over the cost that it
 * saves there (two samples of its mean). The rule is our choice. Assumes: times on one GPU predict times on another
 * for all kernels; instruction counts do not, so they are never mixed. */
#include "sampling/strata/lines.h"

#include <math.h>
#include <stdlib.h>

#include "base/array.h"
#include "base/assert.h"
#include "sampling/profile/communication.h"
#include "sampling/math/order.h"

enum {
    BIN_PAIRS = 2000000, /* slices evaluated per price, over all lines of kernels: about 15 ms */
    BINS_MIN = 24,
    BINS_MAX = 2048,
    SHARED_BINS_MAX =
        512,              /* bins of a line of several shapes: times count as noisier, so coarser bins are enough */
    MIXED_BINS_MAX = 192, /* of a line of several names: coarser still */
    SHARED_RUNS_MAX = 1 << 22, /* of a line that kernels share; larger groups have a line each */
    MIXED_ROWS_MAX = 1 << 16   /* of a line that names share, which is for names of small weight */
};

/* Inputs and scratch memory shared by all lines. */
struct maker {
    const struct profile *p;
    const struct groups *g;
    size_t most;      /* bins of a line */
    uint32_t *member; /* groups by name, those of a name together */
    size_t *end;      /* of a name in member */
    struct value_count *runs;
    struct order_pair *order, *scratch;
    size_t responses;
    struct response_sum *of_run, *sums; /* by run of the groups; of the current line */
};

static void maker_release(struct maker *m)
{
    free(m->member);
    free(m->end);
    free(m->runs);
    free(m->order);
    free(m->scratch);
    free(m->of_run);
    free(m->sums);
}

/* Orders groups so that those of one name are adjacent. */
static void sort_by_name(struct maker *m)
{
    size_t sum = 0;

    for (size_t i = 0; i < m->g->count; i++)
        m->end[m->p->kernels[m->g->items[i].key].name_id]++;
    for (size_t n = 0; n < m->p->name_count; n++) {
        size_t count = m->end[n];

        m->end[n] = sum;
        sum += count;
    }
    ASSERT(sum == m->g->count);
    for (size_t i = 0; i < m->g->count; i++)
        m->member[m->end[m->p->kernels[m->g->items[i].key].name_id]++] = (uint32_t)i;
}

/* Sums of every further response over each run, scaled so that its total is that of the values. */
static void sum_runs(struct maker *m)
{
    const struct groups *g = m->g;

    for (size_t k = 0; k < m->responses; k++) {
        const double *y = m->p->features->responses[k].values;
        double all = 0, scale;

        for (size_t i = 0; i < g->row_count; i++)
            all += y[g->rows[i]];
        scale = all > 0 ? (double)profile_total(m->p) / all : 0;
        ASSERT(scale >= 0);
        for (size_t r = 0; r < g->run_count; r++) {
            struct response_sum *to = &m->of_run[r * m->responses + k];

            for (uint32_t i = g->runs[r].first; i < g->runs[r + 1].first; i++) {
                double v = y[g->rows[i]] * scale;

                to->sum += v;
                to->squares += v * v;
            }
        }
    }
}

static int maker_init(struct maker *m, const struct profile *p, const struct groups *g, struct err *e)
{
    size_t most = (size_t)sqrt((double)BIN_PAIRS / (double)g->count);
    size_t shared = g->run_count < SHARED_RUNS_MAX ? g->run_count : SHARED_RUNS_MAX;

    *m = (struct maker){.p = p, .g = g, .responses = p->features ? p->features->response_count : 0};
    m->most = most < BINS_MIN ? BINS_MIN : most > BINS_MAX ? BINS_MAX : most;
    m->member = mem_zalloc(g->count, sizeof *m->member, e);
    m->end = mem_zalloc(p->name_count, sizeof *m->end, e);
    m->runs = mem_zalloc(g->run_count, sizeof *m->runs, e);
    m->order = mem_zalloc(shared, sizeof *m->order, e);
    m->scratch = mem_zalloc(shared, sizeof *m->scratch, e);
    if (!m->member || !m->end || !m->runs || !m->order || !m->scratch)
        return -1;
    sort_by_name(m);
    if (!m->responses)
        return 0;
    m->of_run = mem_zalloc(g->run_count * m->responses, sizeof *m->of_run, e);
    m->sums = mem_zalloc(g->run_count * m->responses, sizeof *m->sums, e);
    if (!m->of_run || !m->sums)
        return -1;
    sum_runs(m);
    return 0;
}

static void add_sums(const struct maker *m, size_t to, size_t run)
{
    for (size_t k = 0; k < m->responses; k++) {
        struct response_sum *sum = &m->sums[to * m->responses + k];
        const struct response_sum *more = &m->of_run[run * m->responses + k];

        sum->sum += more->sum;
        sum->squares += more->squares;
    }
}

/* Copies the runs of one group, which are sorted already. */
static size_t collect_one(struct maker *m, const struct group *group)
{
    size_t kept = 0;

    ASSERT(group->run_begin < group->run_end && group->run_end <= m->g->run_count);
    for (size_t r = group->run_begin; r < group->run_end; r++, kept++) {
        m->runs[kept] = (struct value_count){m->g->runs[r].value, runs_rows(m->g, r, r + 1)};
        for (size_t k = 0; k < m->responses; k++)
            m->sums[kept * m->responses + k] = (struct response_sum){0};
        add_sums(m, kept, r);
    }
    return kept;
}

/* Copies the runs of several groups from order[] and merges equal values. */
static size_t collect_ordered(struct maker *m, size_t count)
{
    size_t kept = 0;

    order_pairs(m->order, m->scratch, count);
    for (size_t i = 0; i < count; i++) {
        size_t r = m->order[i].row;

        if (!kept || m->runs[kept - 1].value != m->g->runs[r].value) {
            for (size_t k = 0; k < m->responses; k++)
                m->sums[kept * m->responses + k] = (struct response_sum){0};
            m->runs[kept++] = (struct value_count){m->g->runs[r].value, 0};
        }
        m->runs[kept - 1].count += runs_rows(m->g, r, r + 1);
        add_sums(m, kept - 1, r);
    }
    ASSERT(kept <= count);
    return kept;
}

/* Appends a group's runs to order[]; returns the new length, or SIZE_MAX if there is no room. */
static size_t put_runs(struct maker *m, const struct group *group, size_t at)
{
    if (at == SIZE_MAX || group->run_end - group->run_begin > SHARED_RUNS_MAX - at)
        return SIZE_MAX;
    for (size_t r = group->run_begin; r < group->run_end; r++)
        m->order[at++] = (struct order_pair){m->g->runs[r].value, (uint32_t)r};
    return at;
}

static int add_line(struct lines *l, const struct maker *m, struct line line, size_t runs, struct err *e)
{
    size_t most = line.kind == LINE_KERNEL ? BINS_MAX : line.kind == LINE_NAME ? SHARED_BINS_MAX : MIXED_BINS_MAX;

    if (bins_make(m->runs, runs, m->most < most ? m->most : most, m->sums, m->responses, &line.bins, e) < 0)
        return -1;
    ASSERT(line.bins.count > 0 && line.bins.count <= runs);
    line.room = l->room;
    l->room += line.bins.count;
    l->bins_max = line.bins.count > l->bins_max ? line.bins.count : l->bins_max;
    l->items[l->count++] = line;
    return 0;
}

static int add_kernels(struct lines *l, struct maker *m, struct err *e)
{
    for (size_t i = 0; i < m->g->count; i++) {
        const struct group *group = &m->g->items[i];
        struct line line = {.kind = LINE_KERNEL, .kernel = group->key, .name = m->p->kernels[group->key].name_id};

        if (add_line(l, m, line, collect_one(m, group), e) < 0)
            return -1;
    }
    return 0;
}

static size_t name_begin(const struct maker *m, size_t name)
{
    ASSERT_HOT(name < m->p->name_count);
    return name ? m->end[name - 1] : 0;
}

/* Appends the runs of a name to the `at` runs in order[]. */
static size_t put_name(struct maker *m, size_t name, size_t at)
{
    for (size_t i = name_begin(m, name); i < m->end[name]; i++)
        at = put_runs(m, &m->g->items[m->member[i]], at);
    return at;
}

static uint32_t first_kernel(const struct maker *m, size_t name)
{
    ASSERT(name_begin(m, name) < m->end[name]);
    return m->g->items[m->member[name_begin(m, name)]].key;
}

static int add_names(struct lines *l, struct maker *m, struct err *e)
{
    for (size_t n = 0; n < m->p->name_count; n++) {
        struct line line = {.kind = LINE_NAME, .name = (uint32_t)n};
        size_t runs;

        if (m->end[n] - name_begin(m, n) < 2)
            continue;
        line.kernel = first_kernel(m, n);
        runs = put_name(m, n, 0);
        if (runs != SIZE_MAX && add_line(l, m, line, collect_ordered(m, runs), e) < 0)
            return -1;
    }
    return 0;
}

struct weight {
    double weight;
    uint64_t rows;
    size_t name;
};

static int weight_compare(const void *a, const void *b)
{
    const struct weight *x = a, *y = b;

    if (x->weight != y->weight)
        return x->weight < y->weight ? -1 : 1;
    return x->name < y->name ? -1 : x->name > y->name;
}

/* Communication kernels, and kernels that are distinguished by domain. */
static bool shares_no_line(const struct profile_kernel *k)
{
    return k->domain || communication_library(k->name);
}

/* N X = X^2 / mean: the variance that a name adds over the cost that it saves. Names without a launch above 0, and
 * those that share no line, are last and are not used. */
static void weigh_names(const struct maker *m, struct weight *w)
{
    for (size_t n = 0; n < m->p->name_count; n++) {
        double total = 0;

        w[n] = (struct weight){.name = n};
        for (size_t i = name_begin(m, n); i < m->end[n]; i++) {
            const struct group *group = &m->g->items[m->member[i]];

            for (size_t r = group->run_begin; r < group->run_end; r++) {
                uint64_t rows = runs_rows(m->g, r, r + 1);

                w[n].rows += rows;
                total += (double)rows * (double)m->g->runs[r].value;
            }
        }
        if (w[n].rows && shares_no_line(&m->p->kernels[first_kernel(m, n)]))
            w[n].rows = 0;
        w[n].weight = w[n].rows ? (double)w[n].rows * total : INFINITY;
    }
    qsort(w, m->p->name_count, sizeof *w, weight_compare);
    ASSERT(m->p->name_count == 0 || w[0].weight > 0);
}

/* Lines of the 2, 3, 4, 6, 8, 12, ... lightest names, and of all. */
static int add_mixed(struct lines *l, struct maker *m, struct err *e)
{
    struct weight *w = mem_zalloc(m->p->name_count, sizeof *w, e);
    size_t next = 2, runs = 0, rows = 0, there = 0;
    int ret = -1;

    if (!w)
        return -1;
    weigh_names(m, w);
    for (size_t i = 0; i < m->p->name_count; i++) {
        l->rank[w[i].name] = i;
        there += w[i].rows > 0;
    }
    ASSERT(there <= m->p->name_count);
    /* Times on one GPU predict times on another for all kernels. Instruction counts do not: cycles per instruction
     * differ between kernels by factors of ten, so names are not mixed there. Names are not mixed either if cycles
     * are estimated from instructions, because it gives no gain. */
    for (size_t i = 0; l->unit == PROFILE_NS && i < there; i++) {
        struct line line = {.kind = LINE_MIXED, .names = i + 1};

        runs = put_name(m, w[i].name, runs);
        rows += w[i].rows;
        if (runs == SIZE_MAX || rows > MIXED_ROWS_MAX)
            break;
        if (i + 1 != next && (i + 1 != there || there < 2))
            continue;
        line.kernel = first_kernel(m, w[0].name);
        if (add_line(l, m, line, collect_ordered(m, runs), e) < 0)
            goto out;
        next = next == 2 ? 3 : next % 3 ? next / 2 * 3 : next / 3 * 4;
    }
    ret = 0;
out:
    free(w);
    return ret;
}

int lines_make(const struct profile *p, const struct groups *by_kernel, struct lines *out, struct err *e)
{
    size_t most = by_kernel->count + p->name_count + 130; /* mixed lines: two per doubling of names */
    struct maker m = {0};
    int ret = -1;

    *out = (struct lines){.name_count = p->name_count, .unit = p->unit};
    out->items = mem_zalloc(most, sizeof *out->items, e);
    out->rank = mem_zalloc(p->name_count, sizeof *out->rank, e);
    if (!out->items || !out->rank || maker_init(&m, p, by_kernel, e) < 0)
        goto out;
    if (add_kernels(out, &m, e) == 0 && add_names(out, &m, e) == 0 && add_mixed(out, &m, e) == 0)
        ret = 0;
    ASSERT(out->count <= most);
out:
    maker_release(&m);
    if (ret < 0)
        lines_release(out);
    return ret;
}

void lines_release(struct lines *l)
{
    for (size_t i = 0; i < l->count; i++)
        bins_release(&l->items[i].bins);
    free(l->items);
    free(l->rank);
    *l = (struct lines){0};
}

int lines_regroup(const struct lines *l, const bool *chosen, const struct profile *p, struct groups *out,
                  struct err *e)
{
    static const enum group_key kinds[] = {GROUP_KERNEL, GROUP_NAME, GROUP_ALL};
    uint32_t *of_kernel = mem_zalloc(p->kernel_count, sizeof *of_kernel, e);
    enum group_key *kind = mem_zalloc(p->kernel_count, sizeof *kind, e);
    const struct line **shared = mem_zalloc(p->name_count, sizeof(struct line *), e);
    struct group_map map = {p->kernel_count, of_kernel, kind};
    int ret = -1;

    if (!of_kernel || !kind || !shared)
        goto out;
    for (size_t i = 0; i < l->count; i++) {
        const struct line *line = &l->items[i];

        if (!chosen[i])
            continue;
        kind[line->kernel] = kinds[line->kind];
        for (size_t n = 0; line->kind == LINE_MIXED && n < p->name_count; n++)
            shared[n] = l->rank[n] < line->names ? &l->items[i] : shared[n];
        if (line->kind == LINE_NAME)
            shared[line->name] = line;
    }
    for (size_t k = 0; k < p->kernel_count; k++)
        of_kernel[k] = shared[p->kernels[k].name_id] ? shared[p->kernels[k].name_id]->kernel : (uint32_t)k;
    ret = groups_make_mapped(p, &map, out, e);
out:
    free(of_kernel);
    free(kind);
    free(shared);
    return ret;
}
