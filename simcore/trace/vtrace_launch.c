/* simcore/trace/vtrace_launch.c: writes the CTAs, the record and the index row of a launch. */
#include "simcore/trace/vtrace_writer.h"

#include <stdlib.h>

#include "base/array.h"
#include "base/assert.h"
#include "simcore/trace/accel_sim_internal.h"

/* --- kernels --- */

static int kernel_of(struct vtrace_writer *w, const char *name, uint32_t *out, struct err *e)
{
    void *p = w->kernels;
    struct kernel_tables *k;

    *out = dict_intern(&w->kernel_names, name, strlen(name), e);
    if (*out == DICT_NONE)
        return -1;
    if (*out < w->kernel_count)
        return 0;
    ASSERT(*out == w->kernel_count);
    if (array_reserve(&p, &w->kernel_capacity, w->kernel_count + 1, sizeof *w->kernels, e) < 0)
        return -1;
    w->kernels = p;
    k = &w->kernels[w->kernel_count];
    *k = (struct kernel_tables){.name = mem_strdup(name, e)};
    k->inst_keys.texts = k->opcodes.texts = k->paths.texts = k->programs.texts = k->shapes.texts =
        (struct strbuf)STRBUF_INIT;
    w->kernel_count += k->name != NULL;
    return k->name ? 0 : -1;
}

void kernel_tables_release(struct kernel_tables *k)
{
    for (size_t i = 0; i < k->root_count; i++)
        free(k->roots[i].facts);
    free(k->roots);
    dict_release(&k->inst_keys);
    dict_release(&k->opcodes);
    dict_release(&k->paths);
    dict_release(&k->programs);
    dict_release(&k->shapes);
    free(k->insts);
    free(k->name);
}

static const struct kernel_root *find_root(const struct kernel_tables *k, const uint32_t block[3])
{
    for (size_t i = 0; i < k->root_count; i++)
        if (memcmp(k->roots[i].block, block, sizeof k->roots[i].block) == 0)
            return &k->roots[i];
    return NULL;
}

static int add_root(struct vtrace_writer *w, const uint32_t block[3], struct err *e)
{
    struct kernel_tables *k = w->kernel;
    struct kernel_root r = {.launch = (uint32_t)w->launch_count, .count = w->learner.fact_count};
    void *p = k->roots;

    ASSERT(!find_root(k, block));
    if (array_reserve(&p, &k->root_capacity, k->root_count + 1, sizeof *k->roots, e) < 0)
        return -1;
    k->roots = p;
    r.facts = mem_zalloc(r.count + 1, sizeof *r.facts, e);
    if (!r.facts)
        return -1;
    if (r.count)
        memcpy(r.facts, w->learner.facts, r.count * sizeof *r.facts);
    memcpy(r.block, block, sizeof r.block);
    k->roots[k->root_count++] = r;
    return 0;
}

/* --- a launch --- */

static int begin_launch(struct vtrace_writer *w, const struct inst_source *s, struct launch_row *row, struct err *e)
{
    const struct kernel_root *root;

    if (w->launch_count >= VTRACE_LAUNCHES_MAX)
        return err_set(e, ERR_TOO_LARGE, "%s: more than %u launches", w->path, VTRACE_LAUNCHES_MAX);
    if (kernel_check_shape(&s->info, e) < 0)
        return err_wrap(e, "%s", s->info.name);
    row->launch.info = s->info;
    row->launch.context = w->context;
    if (kernel_of(w, s->info.name, &row->kernel, e) < 0)
        return -1;
    w->kernel = &w->kernels[row->kernel];
    w->map_count = w->memo.run_count = 0;
    strbuf_clear(&w->directory);
    strbuf_clear(&w->ids);
    vtrace_model_forget(&w->model);
    learner_begin_launch(&w->learner);
    if (vtrace_model_reserve(&w->model, w->kernel->inst_count, e) < 0 ||
        learner_reserve(&w->learner, w->kernel->inst_count, e) < 0)
        return -1;
    root = find_root(w->kernel, s->info.block);
    row->root = root ? root->launch + 1 : 0;
    for (size_t i = 0; root && i < root->count; i++)
        vtrace_model_learn(&w->model, &root->facts[i]);
    return writer_next_position(w, BLOCK_CTAS, &row->ctas, e);
}

static int check_cta(const struct inst_source *s, const struct cta_trace *cta, struct err *e)
{
    if (cta->warp_count != kernel_warp_count(&s->info))
        return err_set(e, ERR_INVALID, "CTA %u,%u,%u has %u warps where the block has %u", cta->id[0], cta->id[1],
                       cta->id[2], cta->warp_count, kernel_warp_count(&s->info));
    return accel_sim_check_place(&s->info, cta->id, 0, e);
}

static uint64_t linear_id(const struct kernel_info *k, const uint32_t id[3])
{
    return id[0] + (uint64_t)k->grid[0] * (id[1] + (uint64_t)k->grid[1] * id[2]);
}

/* Writes a CTA and its directory entry: its bytes, whether it begins a block, and the difference of its number from
 * the previous number plus one. */
static int add_cta(struct vtrace_writer *w, const struct inst_source *s, const struct cta_trace *cta,
                   struct zeros_out *ids, uint64_t *expected, struct err *e)
{
    uint32_t block = w->written[BLOCK_CTAS];
    uint64_t linear = linear_id(&s->info, cta->id);
    struct vtrace_position at;

    if (check_cta(s, cta, e) < 0 || writer_next_position(w, BLOCK_CTAS, &at, e) < 0 || encode_cta(w, s, cta, e) < 0)
        return -1;
    ASSERT(w->pending[BLOCK_CTAS].length >= at.offset);
    put_number(&w->directory, (w->pending[BLOCK_CTAS].length - at.offset) << 1 | (at.block != block));
    zeros_put(ids, zigzag((int64_t)(linear - *expected)));
    *expected = linear + 1;
    return 0;
}

static int add_ctas(struct vtrace_writer *w, struct inst_source *s, struct launch_row *row, struct err *e)
{
    struct zeros_out ids = {&w->ids, 0};
    uint64_t expected = 0;
    struct cta_trace *cta;
    int got;

    while ((got = inst_source_next_runs(s, &cta, e)) > 0) {
        int ret = add_cta(w, s, cta, &ids, &expected, e);

        row->launch.ctas++;
        for (uint32_t i = 0; i < cta->warp_count; i++) {
            row->launch.warps += cta->warps[i].count > 0;
            row->launch.warp_instructions += cta->warps[i].count;
        }
        inst_source_release_cta(s, cta);
        if (ret < 0)
            return -1;
    }
    zeros_end(&ids);
    row->launch.repairs = s->repairs;
    return got;
}

/* Ends a launch. The first launch of its kernel and block shape also writes the facts of its last CTA, for later
 * launches. */
static int end_launch(struct vtrace_writer *w, const struct inst_source *s, struct launch_row *row, struct err *e)
{
    struct strbuf *b = &w->pending[BLOCK_LAUNCHES];
    void *p = w->launches;

    ASSERT(row->root <= w->launch_count);
    if (row->root == 0 &&
        (learner_conclude(&w->learner, &w->model, e) < 0 || add_root(w, row->launch.info.block, e) < 0))
        return -1;
    if (writer_next_position(w, BLOCK_LAUNCHES, &row->record, e) < 0)
        return -1;
    put_facts(b, w->learner.facts, w->learner.fact_count);
    strbuf_add(b, w->directory.text, w->directory.length);
    strbuf_add(b, w->ids.text, w->ids.length);
    if (s->warm) {
        if (writer_next_position(w, BLOCK_IMAGES, &row->image, e) < 0)
            return -1;
        put_image(&w->pending[BLOCK_IMAGES], s->warm);
        row->launch.has_image = w->has_images = true;
        w->has_runs = w->has_runs || s->warm->run_count;
    }
    if (b->failed || w->pending[BLOCK_IMAGES].failed || w->directory.failed || w->ids.failed)
        return err_no_memory(e);
    if (array_reserve(&p, &w->launch_capacity, w->launch_count + 1, sizeof *w->launches, e) < 0)
        return -1;
    w->launches = p;
    w->launches[w->launch_count++] = *row;
    w->has_clusters = w->has_clusters || row->launch.info.cluster > 1;
    return 0;
}

void vtrace_writer_context(struct vtrace_writer *w, uint64_t context)
{
    w->context = context;
}

int vtrace_writer_add(struct vtrace_writer *w, struct inst_source *s, struct err *e)
{
    struct launch_row row = {0};

    ASSERT(w->file);
    if (begin_launch(w, s, &row, e) < 0 || add_ctas(w, s, &row, e) < 0)
        return -1;
    return end_launch(w, s, &row, e);
}
