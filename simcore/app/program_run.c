#include "simcore/app/program_run.h"

#include <inttypes.h>

#include "simcore/footprint/footprint.h"
#include "ptx/list/launch_list_pack.h"

#define MEMORY_DEFAULT (16ull << 30)

struct running {
    const struct program_run *r;
    struct footprints *footprints; /* NULL: launches start with a cold L2 */
    size_t next;
};

/* Executes a launch that is not to be simulated, because later launches may depend on it. */
static int skip_launch(struct running *g, const struct launch_list_view *v, const struct ptx_exec_options *o,
                       const struct ptx_source_options *as, struct ptx_exec_stats *stats, struct err *e)
{
    struct inst_source *s;
    int ret;

    if (!g->footprints)
        return ptx_launch_run(v->program, v->launch, o, stats, e);
    if (ptx_source_new(v->program, v->launch, o, as, &s, e) < 0)
        return -1;
    ret = footprints_launch(g->footprints, s, NULL, e);
    *stats = *ptx_source_stats(s);
    inst_source_release(s);
    return ret;
}

/* Reads the rest of the source: later launches need its results and the lines that it leaves in the caches. */
static int finish(struct inst_source *followed, struct inst_source *s, struct err *e)
{
    struct cta_trace *cta;
    int got = 0;

    while (followed && (got = inst_source_next_cta(followed, &cta, e)) > 0)
        inst_source_release_cta(followed, cta);
    return got < 0 ? -1 : ptx_source_finish(s, e);
}

/* Calls `use` for launch g->next, with its warm image. */
static int use(struct running *g, struct inst_source *s, struct err *e)
{
    const struct program_run *r = g->r;
    struct warm_image *image = g->footprints ? footprints_now(g->footprints, r->l2_lines, e) : NULL;
    struct inst_source *followed = NULL;
    int ret = -1;

    if (!g->footprints || (image && footprints_source(g->footprints, s, &followed, e) == 0)) {
        struct inst_source *given = followed ? followed : s;

        given->warm = image;
        ret = r->use(r->ctx, g->next++, given, e);
        if (ret == 0 && g->next < r->count)
            ret = finish(followed, s, e);
    }
    inst_source_release(followed);
    warm_image_free(image);
    return ret;
}

static int on_launch(void *ctx, const struct launch_list_view *v, const struct ptx_exec_options *o,
                     struct ptx_exec_stats *stats, struct err *e)
{
    struct running *g = ctx;
    const struct ptx_source_options as = {.arch = g->r->arch, .id = v->number + 1};
    struct inst_source *s;
    int ret;

    if (v->number < g->r->numbers[g->next])
        return skip_launch(g, v, o, &as, stats, e) < 0 ? -1 : LIST_RAN;
    if (ptx_source_new(v->program, v->launch, o, &as, &s, e) < 0)
        return -1;
    ret = use(g, s, e);
    inst_source_release(s);
    return ret < 0 ? -1 : g->next < g->r->count ? LIST_RAN : LIST_STOP;
}

static int on_touched(void *ctx, const struct list_touch *t, struct err *e)
{
    struct running *g = ctx;

    return g->footprints ? footprints_touched(g->footprints, t->address, t->bytes, t->kind != LIST_COPY_READS, e)
                         : 0;
}

int program_run(const struct program_run *r, struct err *e)
{
    uint64_t most = r->memory_bytes ? r->memory_bytes : MEMORY_DEFAULT;
    struct running g = {.r = r};
    const struct launch_list_options o = {
        .memory_bytes = most, .no_check = true, .launch = on_launch, .touched = on_touched, .ctx = &g};
    struct launch_list_done done;
    struct launch_list *l;
    int ret;

    if (launch_list_unpack(r->path, most, &l, e) < 0)
        return -1;
    g.footprints = r->l2_lines ? footprints_new(e) : NULL;
    ret = r->l2_lines && !g.footprints ? -1 : launch_list_run(l, &o, &done, e);
    footprints_free(g.footprints);
    launch_list_free(l);
    if (ret == 0 && g.next < r->count)
        ret = err_set(e, ERR_INVALID, "the program has %" PRIu64 " launches; the job names launch %" PRIu64,
                      done.launches, r->numbers[g.next]);
    return ret;
}
