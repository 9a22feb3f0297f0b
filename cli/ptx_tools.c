/* cli/ptx_tools.c: tools that look into a run of launches. */
#include "cli/ptx_tools.h"

/* --- options --- */

static int begin_checkpoint(struct ptx_tools *t, struct err *e)
{
    if (!t->checkpoint_at)
        return t->parent ? err_set(e, ERR_USAGE, "--parent goes with --checkpoint-at") : 0;
    if (!t->out)
        return err_set(e, ERR_USAGE, "--checkpoint-at needs a file to write: --out FILE");
    if (ptx_point_parse(t->checkpoint_at, &t->point, e) != 0)
        return -1;
    if (t->point.launch == 0)
        return err_set(e, ERR_USAGE, "--checkpoint-at %s: launches are numbered from 1", t->checkpoint_at);
    t->point.launch--;
    return 0;
}

int ptx_tools_begin(struct ptx_tools *t, struct err *e)
{
    if (begin_checkpoint(t, e) != 0)
        return -1;
    if (t->hash_values && !t->hash_after)
        return err_set(e, ERR_USAGE, "--hash-values goes with --hash-after");
    if (t->hash_after && hash_log_new(t->hash_after, t->hash_values, &t->hashes, e) != 0)
        return -1;
    if (t->resume && ptx_checkpoint_open(t->resume, &t->from, e) != 0)
        return -1;
    if (t->from && t->checkpoint_at && t->point.launch <= ptx_checkpoint_point(t->from)->launch)
        return err_set(e, ERR_USAGE, "--checkpoint-at %s: it must be in a launch after that of %s",
                       t->checkpoint_at, t->resume);
    return 0;
}

/* --- a launch --- */

static int run(struct ptx_tools *t, const struct launch_list_view *v, const struct ptx_exec_options *o,
               struct ptx_exec_stats *s, struct err *e)
{
    if (t->from && v->number == ptx_checkpoint_point(t->from)->launch)
        return list_checkpoint_finish(t->from, v, o, s, e) != 0 ? -1 : LIST_RAN;
    return t->run(t->run_ctx, v, o, s, e);
}

int ptx_tools_launch(struct ptx_tools *t, const struct launch_list_view *v, const struct ptx_exec_options *o,
                     struct ptx_exec_stats *s, struct err *e)
{
    int ret;

    if (t->from && v->number < ptx_checkpoint_point(t->from)->launch)
        return LIST_LEFT_OUT;
    if (t->checkpoint_at && v->number == t->point.launch)
        return list_checkpoint_save(t->out, t->parent, &t->point, v, o, e) != 0 ? -1 : LIST_STOP;
    ret = run(t, v, o, s, e);
    if (ret == LIST_RAN && t->hashes && hash_log_add(t->hashes, v, e) != 0)
        return -1;
    return ret;
}

/* --- the end --- */

int ptx_tools_end(struct ptx_tools *t, const struct launch_list_done *done, struct err *e)
{
    if (t->hashes && hash_log_end(t->hashes, e) != 0)
        return -1;
    if (t->checkpoint_at && !done->stopped)
        return err_set(e, ERR_INVALID, "--checkpoint-at %s: the list has only %llu launches", t->checkpoint_at,
                       (unsigned long long)done->launches);
    if (t->from && !done->launches)
        return err_set(e, ERR_INVALID, "--resume %s: the list has no such launch", t->resume);
    return 0;
}

void ptx_tools_release(struct ptx_tools *t)
{
    hash_log_free(t->hashes);
    ptx_checkpoint_close(t->from);
}
