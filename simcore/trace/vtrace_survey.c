/* simcore/trace/vtrace_survey.c: surveys a launch of a .vtrace: counts from the paths of all CTAs, and addresses of
 * a few groups. */
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/assert.h"
#include "simcore/trace/accel_sim_line.h"
#include "simcore/trace/vtrace.h"
#include "simcore/trace/vtrace_source.h"

enum { GROUPS_MIN = 32 };

static int count_ctas(struct vtrace_source *s, const struct survey_signs *signs, struct cta_work *known,
                      struct survey *out, struct err *e)
{
    uint32_t warps = kernel_warp_count(&s->source.info), block_index = 0;
    struct loaded_block *block = NULL;
    int ret = 0;

    for (; ret == 0 && out->count < s->row->launch.ctas; out->count++) {
        const struct cta_place *at = &s->places[out->count];
        struct byte_cursor record;

        if (!block || block_index != at->block) {
            vtrace_block_give(s->v, block);
            block = NULL;
            if (vtrace_block_take(s->v, BLOCK_CTAS, at->block, &block, e) < 0)
                return -1;
            block_index = at->block;
        }
        record = (struct byte_cursor){block->content + at->offset, block->content + at->offset + at->bytes, false};
        ret = vtrace_count_cta(s, record, warps, signs, known, &out->ctas[out->count], e);
        if (ret < 0)
            err_wrap(e, "CTA %zu", out->count);
    }
    vtrace_block_give(s->v, block);
    return ret;
}

/* Results for the groups. */
struct cta_survey {
    const struct survey_signs *signs;
    struct survey_lines *lines;
    struct cta_work first;
    uint32_t least, most; /* minimum and maximum bytes of the CTA records */
    bool alike;           /* all CTAs have the same work */
};

static int look_at_cta(struct cta_survey *k, const struct vtrace_source *s, struct inst_source *again,
                       uint64_t index, struct err *e)
{
    uint32_t bytes = s->places[index].bytes;
    struct cta_work work = {0};
    struct cta_trace *cta;
    int ret;

    ASSERT(index < s->row->launch.ctas);
    if (vtrace_seek_cta(again, index, e) < 0 || inst_source_next_cta(again, &cta, e) <= 0)
        return -1;
    survey_count(cta, k->signs, &work);
    ret = survey_lines_add(k->lines, again, cta, index, e);
    inst_source_release_cta(again, cta);
    if (index == 0) {
        k->first = work;
        k->least = k->most = bytes;
        k->alike = true;
    }
    k->alike = k->alike && memcmp(&work, &k->first, sizeof work) == 0;
    k->least = bytes < k->least ? bytes : k->least;
    k->most = bytes > k->most ? bytes : k->most;
    return ret;
}

/* The number of groups. If records are long, each group is in a separate block; then fewer groups are read to save
 * time. */
static uint64_t groups_of(const struct vtrace_source *s)
{
    uint64_t blocks = s->places[s->row->launch.ctas - 1].block - s->places[0].block + 1ull;

    ASSERT(s->row->launch.ctas > 0);
    if (blocks < GROUPS_MIN)
        return SURVEY_GROUPS_MAX;
    return blocks / 8 < GROUPS_MIN ? GROUPS_MIN : blocks / 8 > SURVEY_GROUPS_MAX ? SURVEY_GROUPS_MAX : blocks / 8;
}

static int look_at_groups(struct vtrace_source *s, struct cta_survey *k, struct survey *out, struct err *e)
{
    uint64_t ctas = s->row->launch.ctas, groups = ctas ? groups_of(s) : 1;
    struct inst_source *again = NULL;
    int ret = vtrace_source(s->v, s->launch, &again, e);

    for (uint64_t i = 0; ret == 0 && i < ctas; i++)
        if (survey_wants(i, ctas, groups))
            ret = look_at_cta(k, s, again, i, e);
    inst_source_release(again);
    return ret < 0 ? -1 : survey_lines_end(k->lines, out, e);
}

/* Whether all CTAs have the same work as those in the groups. If so, the total instruction count is a multiple of
 * theirs, and all records have about the same length. */
static bool are_alike(const struct vtrace_source *s, const struct cta_survey *k)
{
    uint64_t ctas = s->row->launch.ctas;
    bool alike = k->alike && k->first.instructions * ctas == s->row->launch.warp_instructions;

    ASSERT(k->least <= k->most);
    for (uint64_t i = 0; alike && i < ctas; i++)
        alike = s->places[i].bytes * 4ull >= k->least * 3ull && s->places[i].bytes * 3ull <= k->most * 4ull;
    return alike;
}

static int fill(struct vtrace_source *s, struct cta_survey *k, struct cta_work *known, struct survey *out,
                struct err *e)
{
    if (look_at_groups(s, k, out, e) < 0)
        return -1;
    if (!are_alike(s, k))
        return count_ctas(s, k->signs, known, out, e);
    for (; out->count < s->row->launch.ctas; out->count++)
        out->ctas[out->count] = k->first;
    return 0;
}

int vtrace_survey(struct inst_source *source, struct survey *out, struct err *e)
{
    struct vtrace_source *s = (struct vtrace_source *)source;
    struct survey_signs *signs = survey_signs_make(source->insts, source->inst_count, e);
    struct cta_survey k = {.signs = signs, .lines = signs ? survey_lines_new(e) : NULL};
    struct cta_work *known = k.lines ? mem_zalloc(s->kernel->shapes.count + 1, sizeof *known, e) : NULL;
    int ret = -1;

    *out = (struct survey){0};
    if (known)
        out->ctas = mem_zalloc(s->row->launch.ctas + 1, sizeof *out->ctas, e);
    if (out->ctas)
        ret = fill(s, &k, known, out, e);
    free(signs);
    survey_lines_free(k.lines);
    free(known);
    if (ret < 0)
        survey_release(out);
    return ret;
}
