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
    if (t->capture && !t->out)
        return err_set(e, ERR_USAGE, "--capture needs a folder to write to: --out FOLDER");
    if (t->capture && t->checkpoint_at)
        return err_set(e, ERR_USAGE, "--capture or --checkpoint-at: there is one --out");
    if (t->out && !t->capture && !t->checkpoint_at)
        return err_set(e, ERR_USAGE, "--out goes with --checkpoint-at or --capture");
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

static enum element_type type_at(void *ctx, uint64_t address)
{
    const struct launch_list_view *v = ctx;

    for (uint32_t i = 0; i < v->list->buffer_count; i++)
        if (v->addresses[i] == address)
            return v->list->buffers[i].type;
    return ELEMENT_TYPE_COUNT;
}

/* The list is written also where the launch fails: that is what it is for. */
static int run_captured(struct ptx_tools *t, const struct launch_list_view *v, const struct ptx_exec_options *o,
                        struct ptx_exec_stats *s, struct err *e)
{
    struct launch_list_view view = *v;
    const struct ptx_capture_options options = {
        .folder = t->out, .name = v->step->name, .type = type_at, .ctx = &view};
    struct ptx_capture *c;
    struct err why;
    int ret;

    if (ptx_capture_begin(v->program, v->launch, &options, &c, e) != 0)
        return -1;
    ret = run(t, v, o, s, e);
    if (ptx_capture_end(c, ret == LIST_RAN, &why) != 0 && ret >= 0) {
        *e = why;
        ret = -1;
    }
    ptx_capture_free(c);
    return ret;
}

int ptx_tools_launch(struct ptx_tools *t, const struct launch_list_view *v, const struct ptx_exec_options *o,
                     struct ptx_exec_stats *s, struct err *e)
{
    int ret;

    if (t->from && v->number < ptx_checkpoint_point(t->from)->launch)
        return LIST_LEFT_OUT;
    if (t->checkpoint_at && v->number == t->point.launch)
        return list_checkpoint_save(t->out, t->parent, &t->point, v, o, e) != 0 ? -1 : LIST_STOP;
    ret = t->capture == v->number + 1 ? run_captured(t, v, o, s, e) : run(t, v, o, s, e);
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
    if (t->capture > done->launches && !done->stopped)
        return err_set(e, ERR_INVALID, "--capture %llu: the list has only %llu launches",
                       (unsigned long long)t->capture, (unsigned long long)done->launches);
    if (t->from && !done->launches)
        return err_set(e, ERR_INVALID, "--resume %s: the list has no such launch", t->resume);
    return 0;
}

void ptx_tools_release(struct ptx_tools *t)
{
    hash_log_free(t->hashes);
    ptx_checkpoint_close(t->from);
}
