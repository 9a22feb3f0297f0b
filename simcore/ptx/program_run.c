#include "simcore/ptx/program_run.h"

#include <inttypes.h>
#include <string.h>

#include "simcore/ptx/launch_list_pack.h"

#define MEMORY_DEFAULT (16ull << 30)

struct running {
    const struct program_run *r;
    struct program_launch launch;
    bool found;
};

/* Somebody wrote the few lines; the program is what counts. */
static int compare(const struct program_launch *l, const struct kernel_info *is, struct err *e)
{
    if (strcmp(l->info.name, is->name) == 0 && memcmp(l->info.grid, is->grid, sizeof is->grid) == 0 &&
        memcmp(l->info.block, is->block, sizeof is->block) == 0)
        return 0;
    return err_set(e, ERR_INVALID,
                   "launch %" PRIu64
                   " of the program is %.80s, grid %ux%ux%u, block %ux%ux%u; asked for was %.80s, "
                   "grid %ux%ux%u, block %ux%ux%u",
                   l->number, is->name, is->grid[0], is->grid[1], is->grid[2], is->block[0], is->block[1],
                   is->block[2], l->info.name, l->info.grid[0], l->info.grid[1], l->info.grid[2], l->info.block[0],
                   l->info.block[1], l->info.block[2]);
}

static int on_launch(void *ctx, const struct launch_list_view *v, const struct ptx_exec_options *o,
                     struct ptx_exec_stats *stats, struct err *e)
{
    struct running *g = ctx;
    const struct ptx_source_options as = {.arch = g->r->arch, .id = v->number + 1};
    struct inst_source *s;
    int ret;

    if (v->number < g->launch.number)
        return ptx_launch_run(v->program, v->launch, o, stats, e) < 0 ? -1 : LIST_RAN;
    g->found = true;
    if (ptx_source_new(v->program, v->launch, o, &as, &s, e) < 0)
        return -1;
    ret = compare(&g->launch, &s->info, e);
    if (ret == 0)
        ret = g->r->use(g->r->ctx, s, e);
    inst_source_release(s);
    return ret < 0 ? -1 : LIST_STOP;
}

static int read_launch(const char *path, struct program_launch *out, struct err *e)
{
    struct stream *s;
    int ret;

    if (stream_open(path, &s, e) < 0)
        return -1;
    ret = program_launch_read(s, out, e);
    stream_close(s);
    return ret;
}

int program_run(const struct program_run *r, struct err *e)
{
    uint64_t most = r->memory_bytes ? r->memory_bytes : MEMORY_DEFAULT;
    struct running g = {.r = r};
    const struct launch_list_options o = {.memory_bytes = most, .no_check = true, .launch = on_launch, .ctx = &g};
    struct launch_list_done done;
    struct launch_list *l;
    int ret;

    if (read_launch(r->launch_path, &g.launch, e) < 0)
        return -1;
    ret = launch_list_unpack(r->program_path, most, &l, e);
    if (ret == 0) {
        ret = launch_list_run(l, &o, &done, e);
        launch_list_free(l);
    }
    if (ret == 0 && !g.found)
        ret = err_set(e, ERR_INVALID, "the program has %" PRIu64 " launches; asked for was number %" PRIu64,
                      done.launches, g.launch.number);
    program_launch_release(&g.launch);
    return ret;
}
