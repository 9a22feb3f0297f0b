/* ptx/list/list_checkpoint.c: a launch list adds its counts and the printed text to a checkpoint. */
#include "ptx/list/list_checkpoint.h"

#include "ptx/warp/state_io.h"

static void done_io(struct ptx_io *io, struct launch_list_done *d)
{
    PTX_IO(io, d->launches);
    PTX_IO(io, d->warp_instructions);
    PTX_IO(io, d->lane_instructions);
    PTX_IO(io, d->undefined);
}

int list_checkpoint_save(const char *path, const char *parent, const struct ptx_point *at,
                         const struct launch_list_view *v, const struct ptx_exec_options *o, struct err *e)
{
    struct ptx_run *run = ptx_run_new(v->program, v->launch, o, e);
    struct ptx_io io = {.saves = true, .out = STRBUF_INIT};
    int ret = run ? ptx_run_to(run, at->cta, at->ctas, at->instructions, e) : -1;

    if (ret == 0) {
        done_io(&io, v->done);
        strbuf_add(&io.out, v->print->text, v->print->length);
        ret = io.out.failed || v->print->failed ? err_no_memory(e) : 0;
    }
    if (ret == 0) {
        const struct ptx_checkpoint_state s = {v->program, run, io.out.text, io.out.length};

        ret = ptx_checkpoint_save(path, parent, at, &s, e);
    }
    strbuf_release(&io.out);
    ptx_run_free(run);
    return ret;
}

/* Reads the list's counts and the printed text before the launch is restored. */
static int read_extra(const struct ptx_checkpoint *c, const struct launch_list_view *v, struct ptx_io *io,
                      struct launch_list_done *done, struct err *e)
{
    *done = *v->done;
    *io = (struct ptx_io){0};
    io->in = ptx_checkpoint_extra(c, &io->left);
    done_io(io, done);
    return io->bad ? err_set(e, ERR_MALFORMED, "checkpoint: it was not made by `vivace ptx run`") : 0;
}

/* Applies them after the launch is restored. */
static void take_extra(const struct ptx_io *io, const struct launch_list_done *done,
                       const struct launch_list_view *v, const struct ptx_exec_options *o)
{
    *v->done = *done;
    if (o->print && io->left)
        o->print(o->print_ctx, (const char *)io->in, io->left);
}

int list_checkpoint_resume(const struct ptx_checkpoint *c, const struct launch_list_view *v,
                           const struct ptx_exec_options *o, struct ptx_run **run, struct err *e)
{
    struct launch_list_done done;
    struct ptx_io io;

    if (read_extra(c, v, &io, &done, e) != 0 || ptx_checkpoint_resume(c, v->program, v->launch, o, run, e) != 0)
        return -1;
    take_extra(&io, &done, v, o);
    return 0;
}

int list_checkpoint_source(const struct ptx_checkpoint *c, const struct launch_list_view *v,
                           const struct ptx_exec_options *o, const struct ptx_source_options *as,
                           struct inst_source **out, struct err *e)
{
    struct launch_list_done done;
    struct ptx_io io;

    if (read_extra(c, v, &io, &done, e) != 0 || ptx_source_resume(c, v->program, v->launch, o, as, out, e) != 0)
        return -1;
    take_extra(&io, &done, v, o);
    return 0;
}

int list_checkpoint_finish(const struct ptx_checkpoint *c, const struct launch_list_view *v,
                           const struct ptx_exec_options *o, struct ptx_exec_stats *s, struct err *e)
{
    struct ptx_run *run = NULL;
    int more = list_checkpoint_resume(c, v, o, &run, e);

    if (more < 0)
        return -1;
    do
        more = ptx_run_next(run, e);
    while (more > 0);
    *s = *ptx_run_stats(run);
    ptx_run_free(run);
    return more;
}
