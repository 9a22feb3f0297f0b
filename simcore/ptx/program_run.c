#include "simcore/ptx/program_run.h"

#include <inttypes.h>

#include "simcore/ptx/launch_list_pack.h"

#define MEMORY_DEFAULT (16ull << 30)

struct running {
    const struct program_run *r;
    size_t next;
};

static int on_launch(void *ctx, const struct launch_list_view *v, const struct ptx_exec_options *o,
                     struct ptx_exec_stats *stats, struct err *e)
{
    struct running *g = ctx;
    const struct ptx_source_options as = {.arch = g->r->arch, .id = v->number + 1};
    struct inst_source *s;
    int ret;

    if (v->number < g->r->numbers[g->next])
        return ptx_launch_run(v->program, v->launch, o, stats, e) < 0 ? -1 : LIST_RAN;
    if (ptx_source_new(v->program, v->launch, o, &as, &s, e) < 0)
        return -1;
    ret = g->r->use(g->r->ctx, g->next++, s, e);
    if (ret == 0 && g->next < g->r->count) /* the launches behind it want its results */
        ret = ptx_source_finish(s, e);
    inst_source_release(s);
    return ret < 0 ? -1 : g->next < g->r->count ? LIST_RAN : LIST_STOP;
}

int program_run(const struct program_run *r, struct err *e)
{
    uint64_t most = r->memory_bytes ? r->memory_bytes : MEMORY_DEFAULT;
    struct running g = {.r = r};
    const struct launch_list_options o = {.memory_bytes = most, .no_check = true, .launch = on_launch, .ctx = &g};
    struct launch_list_done done;
    struct launch_list *l;
    int ret;

    if (launch_list_unpack(r->path, most, &l, e) < 0)
        return -1;
    ret = launch_list_run(l, &o, &done, e);
    launch_list_free(l);
    if (ret == 0 && g.next < r->count)
        ret = err_set(e, ERR_INVALID, "the program has %" PRIu64 " launches; asked for was number %" PRIu64,
                      done.launches, r->numbers[g.next]);
    return ret;
}
