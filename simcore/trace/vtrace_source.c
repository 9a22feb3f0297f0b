#include <inttypes.h>
#include <stdlib.h>

#include "base/array.h"
#include "simcore/trace/vtrace_decode.h"

int vtrace_source_damaged(const struct vtrace_source *s, struct err *e, const char *what)
{
    vtrace_damaged(s->v, e, what);
    return err_wrap(e, "launch %zu", s->launch);
}

static void cta_id(const struct vtrace_source *s, uint64_t index, uint32_t id[3])
{
    const uint32_t *grid = s->source.info.grid;
    uint64_t linear = s->ids ? s->ids[index] : index;

    ASSERT(index < s->row->launch.ctas);
    id[0] = (uint32_t)(linear % grid[0]);
    id[1] = (uint32_t)(linear / grid[0] % grid[1]);
    id[2] = (uint32_t)(linear / grid[0] / grid[1]);
}

static int next_cta(struct inst_source *source, struct cta_trace **out, struct err *e)
{
    struct vtrace_source *s = (struct vtrace_source *)source;
    const struct cta_place *at;
    struct byte_cursor record;
    uint32_t id[3];

    *out = NULL;
    if (s->next == s->row->launch.ctas)
        return 0;
    at = &s->places[s->next];
    if (!s->block || s->block_index != at->block) {
        vtrace_block_give(s->v, s->block);
        s->block = NULL;
        if (vtrace_block_take(s->v, BLOCK_CTAS, at->block, &s->block, e) < 0)
            return -1;
        s->block_index = at->block;
    }
    ASSERT(at->offset + (uint64_t)at->bytes <= s->block->bytes);
    record =
        (struct byte_cursor){s->block->content + at->offset, s->block->content + at->offset + at->bytes, false};
    cta_id(s, s->next, id);
    if (vtrace_decode_cta(s, id, record, out, e) < 0)
        return err_wrap(e, "CTA %" PRIu64, s->next);
    (*out)->index = s->next++;
    return 1;
}

/* --- the source --- */

static void release_cta(struct inst_source *source, struct cta_trace *cta)
{
    if (cta->window)
        vtrace_stream_free(cta);
    else
        cta_pool_give(&((struct vtrace_source *)source)->pool, cta->opaque);
}

static void release(struct inst_source *source)
{
    struct vtrace_source *s = (struct vtrace_source *)source;

    if (s->block)
        vtrace_block_give(s->v, s->block);
    if (s->kernel)
        vtrace_kernel_give(s->v, s->kernel);
    cta_pool_release(&s->pool);
    vtrace_stream_shapes_free(s->streams);
    vtrace_model_release(&s->model);
    free(s->places);
    free(s->ids);
    free(s->root_facts);
    free(s->facts);
    warm_image_free(s->image);
    kernel_info_release(&s->source.info);
    if (s->owns_file)
        vtrace_close(s->v);
    free(s);
}

static const struct inst_source_ops vtrace_ops = {"vtrace", next_cta, release_cta, release};

/* Reads the directory: the bytes of each CTA, and whether it begins a block. */
static int get_places(struct vtrace_source *s, struct byte_cursor *c, struct err *e)
{
    const struct vtrace *v = s->v;
    uint64_t block = s->row->ctas.block, offset = s->row->ctas.offset, ctas = s->row->launch.ctas;

    if (ctas > (uint64_t)(c->end - c->at))
        return vtrace_source_damaged(s, e, "its directory is cut short");
    s->places = mem_zalloc(ctas + 1, sizeof *s->places, e);
    if (!s->places)
        return -1;
    for (uint64_t i = 0; i < ctas; i++) {
        uint64_t x = get_number(c), bytes = x >> 1;

        if (x & 1) {
            block++;
            offset = 0;
        }
        if (c->wrong || block >= v->kind_count[BLOCK_CTAS] ||
            bytes > v->blocks[v->of_kind[BLOCK_CTAS][block]].raw_bytes - offset)
            return vtrace_source_damaged(s, e, "a CTA is outside of the blocks");
        s->places[i] = (struct cta_place){(uint32_t)block, (uint32_t)offset, (uint32_t)bytes};
        offset += bytes;
    }
    return 0;
}

static int get_ids(struct vtrace_source *s, struct byte_cursor *c, struct err *e)
{
    struct zeros_in z = {.c = c};
    uint64_t expected = 0, ctas = s->row->launch.ctas, most = kernel_cta_count(&s->source.info);
    struct byte_cursor again = *c;

    if (get_number(&again) == ctas) { /* the CTAs are in order */
        *c = again;
        return 0;
    }
    s->ids = mem_zalloc(ctas + 1, sizeof *s->ids, e);
    if (!s->ids)
        return -1;
    for (uint64_t i = 0; i < ctas; i++) {
        s->ids[i] = expected + (uint64_t)unzigzag(zeros_get(&z));
        expected = s->ids[i] + 1;
        if (s->ids[i] >= most)
            c->wrong = true;
    }
    return zeros_over(&z) ? 0 : vtrace_source_damaged(s, e, "the positions of its CTAs in the grid are damaged");
}

static int load_facts(struct vtrace_source *s, const struct launch_row *row, struct loaded_block **b,
                      struct byte_cursor *c, struct vtrace_fact **facts, size_t *count, struct err *e)
{
    if (vtrace_block_take(s->v, BLOCK_LAUNCHES, row->record.block, b, e) < 0)
        return -1;
    ASSERT(row->record.offset <= (*b)->bytes);
    *c = block_cursor(*b, row->record.offset);
    if (get_facts(c, s->kernel->table.inst_count, facts, count, e) == 0)
        return 0;
    vtrace_block_give(s->v, *b);
    return err_wrap(e, "%s: launch %zu", s->v->name, s->launch);
}

static int load_record(struct vtrace_source *s, struct err *e)
{
    struct loaded_block *b;
    struct byte_cursor c;
    int ret;

    ASSERT(s->row->root <= s->launch);
    if (s->row->root) {
        if (load_facts(s, &s->v->launches[s->row->root - 1], &b, &c, &s->root_facts, &s->root_fact_count, e) < 0)
            return -1;
        vtrace_block_give(s->v, b);
    }
    if (load_facts(s, s->row, &b, &c, &s->facts, &s->fact_count, e) < 0)
        return -1;
    ret = get_places(s, &c, e) < 0 ? -1 : get_ids(s, &c, e);
    vtrace_block_give(s->v, b);
    return ret;
}

static int load_image(struct vtrace_source *s, struct err *e)
{
    struct loaded_block *b;
    struct byte_cursor c;

    if (!s->row->launch.has_image)
        return 0;
    if (vtrace_block_take(s->v, BLOCK_IMAGES, s->row->image.block, &b, e) < 0)
        return -1;
    ASSERT(s->row->image.offset <= b->bytes);
    c = block_cursor(b, s->row->image.offset);
    s->source.warm = s->image = get_image(&c, e);
    vtrace_block_give(s->v, b);
    return s->image ? 0 : err_wrap(e, "%s: launch %zu", s->v->name, s->launch);
}

static int start(struct vtrace_source *s, struct err *e)
{
    struct kernel_info *info = &s->source.info;

    ASSERT(s->launch < s->v->launch_count);
    s->row = &s->v->launches[s->launch];
    *info = s->row->launch.info;
    info->name = mem_strdup(info->name, e);
    if (!info->name || vtrace_kernel_take(s->v, s->row->kernel, &s->kernel, e) < 0)
        return -1;
    s->source.insts = s->kernel->table.insts;
    s->source.inst_count = s->kernel->table.inst_count;
    s->source.opcodes = (const char *const *)s->kernel->table.opcodes;
    s->source.opcode_count = s->kernel->table.opcode_count;
    s->source.repairs = s->row->launch.repairs;
    return vtrace_model_reserve(&s->model, s->kernel->table.inst_count, e) < 0 || load_record(s, e) < 0
               ? -1
               : load_image(s, e);
}

/* Takes ownership of the file if owns_file, also on failure. */
static int source_new(struct vtrace *v, size_t launch, bool owns_file, struct inst_source **out, struct err *e)
{
    struct vtrace_source *s;

    s = mem_zalloc(1, sizeof *s, e);
    if (!s) {
        if (owns_file)
            vtrace_close(v);
        return -1;
    }
    s->source.ops = &vtrace_ops;
    s->source.survey = vtrace_survey;
    s->v = v;
    s->owns_file = owns_file;
    s->launch = launch;
    if (launch >= v->launch_count)
        err_set(e, ERR_NOT_FOUND, "%s has no launch %zu: it holds %zu", v->name, launch, v->launch_count);
    if (launch >= v->launch_count || start(s, e) < 0) {
        release(&s->source);
        return -1;
    }
    *out = &s->source;
    return 0;
}

int vtrace_source(struct vtrace *v, size_t launch, struct inst_source **out, struct err *e)
{
    *out = NULL;
    return source_new(v, launch, false, out, e);
}

int vtrace_source_path(const char *path, size_t launch, struct inst_source **out, struct err *e)
{
    struct vtrace *v;

    *out = NULL;
    return vtrace_open(path, &v, e) < 0 ? -1 : source_new(v, launch, true, out, e);
}

int vtrace_seek_cta(struct inst_source *source, uint64_t index, struct err *e)
{
    struct vtrace_source *s = (struct vtrace_source *)source;

    if (source->ops != &vtrace_ops)
        return err_set(e, ERR_INVALID, "only a .vtrace file can start at any CTA; this file is read as %s",
                       source->ops->name);
    if (index >= s->row->launch.ctas)
        return err_set(e, ERR_NOT_FOUND, "%s: launch %zu has no CTA %" PRIu64 ": it holds %" PRIu64, s->v->name,
                       s->launch, index, s->row->launch.ctas);
    s->next = index;
    return 0;
}
