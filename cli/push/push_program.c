/* vivace push LAUNCHES.json --plan PLAN: sends the launch list with its files once, and for each launch that the
 * plan drew a short document that names it. The list is run here up to the last drawn launch: a launch is bound
 * only after it has run. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/whole_file.h"
#include "cli/push/push_bind.h"
#include "ptx/list/launch_list_pack.h"
#include "simcore/trace/program_launch.h"

struct program_push {
    struct push p;
    uint64_t context, last; /* last: number of the last drawn launch */
    struct program_launch launch;
};

static int send_launch(struct program_push *g, char hex[SHA256_HEX], struct err *e)
{
    struct strbuf text = STRBUF_INIT;
    int fd = -1, ret = program_launch_write(&g->launch, &text, e);
    uint64_t bytes;

    if (ret == 0)
        ret = fd = push_temporary(e);
    if (fd >= 0) {
        ret = fd_write_all(fd, text.text, text.length) < 0 ? err_set_errno(e, errno, "a temporary file") : 0;
        if (ret == 0)
            ret = push_blob(&g->p, fd, hex, &bytes, e);
        close(fd);
    }
    strbuf_release(&text);
    return ret < 0 ? -1 : 0;
}

static int offer(struct program_push *g, const struct wanted *w, const struct launch_list_view *v,
                 const struct ptx_exec_stats *s, struct err *e)
{
    struct program_launch *l = &g->launch;
    const struct ptx_launch *x = v->launch;
    char hex[SHA256_HEX];
    uint64_t threads = 1;

    l->number = v->number;
    l->info = (struct kernel_info){.name = v->step->kernel, .id = v->number + 1};
    memcpy(l->info.grid, x->grid, sizeof x->grid);
    memcpy(l->info.block, x->block, sizeof x->block);
    for (int i = 0; i < 3; i++)
        threads *= x->block[i];
    l->counts = (struct trace_counts){
        .ctas = s->ctas, .warps = s->ctas * ((threads + 31) / 32), .warp_instructions = s->warp_instructions};
    return send_launch(g, hex, e) < 0 ? -1 : push_offer(&g->p, w, &l->info, hex, e);
}

static int on_launch(void *ctx, const struct launch_list_view *v, const struct ptx_exec_options *o,
                     struct ptx_exec_stats *s, struct err *e)
{
    struct program_push *g = ctx;
    const struct wanted *w;

    if (v->number > g->last)
        return LIST_STOP;
    if (ptx_launch_run(v->program, v->launch, o, s, e) < 0)
        return -1;
    w = push_take(&g->p, g->context, v->number);
    return w && offer(g, w, v, s, e) < 0 ? -1 : LIST_RAN;
}

/* Packs and sends the list with its files. */
static int send_program(struct program_push *g, const char *path, const struct launch_list *l, struct err *e)
{
    int fd = push_temporary(e), ret;

    if (fd < 0)
        return -1;
    ret = launch_list_pack(path, l, fd, e);
    if (ret == 0)
        ret = push_blob(&g->p, fd, g->launch.program, &g->launch.program_bytes, e);
    close(fd);
    return ret;
}

static int push_all(struct program_push *g, const char *path, const struct launch_list *l,
                    const struct cli_output *o, struct err *e)
{
    const struct launch_list_options run = {.no_check = true, .launch = on_launch, .ctx = g};
    struct launch_list_done done = {0};
    bool any = false;

    for (size_t i = 0; i < g->p.wanted_count; i++)
        if (g->p.wanted[i].context == g->context && !g->p.wanted[i].bound) {
            g->last = g->p.wanted[i].order > g->last ? g->p.wanted[i].order : g->last;
            any = true;
        }
    if (any && (send_program(g, path, l, e) < 0 || launch_list_run(l, &run, &done, e) < 0))
        return -1;
    return push_finish(&g->p, done.launches, "launches", o, e);
}

int push_program(struct api *api, const char *path, const char *plan, uint64_t context, const struct cli_output *o,
                 struct err *e)
{
    struct program_push g = {.context = context};
    struct launch_list *l = NULL;
    int ret = launch_list_read(path, &l, e);

    if (ret == 0) {
        ret = push_begin(&g.p, api, plan, e);
        if (ret == 0)
            ret = push_all(&g, path, l, o, e);
        push_release(&g.p);
    }
    launch_list_free(l);
    return ret;
}
