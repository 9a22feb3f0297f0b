/* cli/code/ptx_tools.c: debugging tools for a run of launches. */
#include "cli/code/ptx_tools.h"

#include <stdlib.h>

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

/* Reads "N", "N:A" or "N:A-B": launch N and a range of CTAs. Without a range: all CTAs. */
static int read_only(struct ptx_tools *t, struct err *e)
{
    const char *text = t->only;
    char *end;

    if (!text)
        return 0;
    t->launch = strtoull(text, &end, 10);
    if (end != text && *end == ':') {
        const char *from = end + 1;

        t->first_cta = t->last_cta = strtoull(from, &end, 10);
        if (end == from)
            t->last_cta = UINT64_MAX;
        else if (*end == '-')
            t->last_cta = strtoull(end + 1, &end, 10);
    }
    if (*end || end == text || !t->launch || t->first_cta > t->last_cta)
        return err_set(e, ERR_USAGE, "--only %s: a launch from 1 on, and CTAs: 3, 3:5, 3:0-7 or 3: for all", text);
    return 0;
}

static void on_break(void *ctx, const char *text)
{
    (void)ctx;
    fputs(text, stderr);
}

static void add_watch(struct ptx_tools *t, const struct ptx_watch *w)
{
    t->watches[t->watch_count] = *w;
    t->watches[t->watch_count].next = t->watch_count ? &t->watches[t->watch_count - 1] : NULL;
    t->watch_count++;
}

/* Opens the tools that watch warps. */
static int begin_watches(struct ptx_tools *t, struct err *e)
{
    enum { HITS = 100 };

    if (read_only(t, e) != 0)
        return -1;
    if (t->log_writes) {
        if (write_log_new(t->log_writes, t->first_cta, t->last_cta, &t->writes, e) != 0)
            return -1;
        add_watch(t, write_log_watch(t->writes));
    }
    if (t->coverage) {
        if (!(t->covered = ptx_coverage_new(e)))
            return -1;
        add_watch(t, ptx_coverage_watch(t->covered));
    }
    if (t->first_nan) {
        if (!(t->wild = ptx_first_nan_new(e)))
            return -1;
        add_watch(t, ptx_first_nan_watch(t->wild));
    }
    if (t->break_at) {
        if (ptx_break_new(t->break_at, HITS, on_break, NULL, &t->stops, e) != 0)
            return -1;
        add_watch(t, ptx_break_watch(t->stops));
    }
    return 0;
}

int ptx_tools_begin(struct ptx_tools *t, struct err *e)
{
    if (begin_checkpoint(t, e) != 0 || begin_watches(t, e) != 0)
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

/* Runs a launch with the tools that watch warps, where they are selected for it. */
static int run_watched(struct ptx_tools *t, const struct launch_list_view *v, const struct ptx_exec_options *o,
                       struct ptx_exec_stats *s, struct err *e)
{
    struct ptx_exec_options own = *o;
    bool found = t->wild && *ptx_first_nan_text(t->wild);
    int ret;

    if (t->watch_count && (!t->launch || t->launch == v->number + 1))
        own.watch = &t->watches[t->watch_count - 1];
    if (t->writes)
        write_log_launch(t->writes, v->number + 1, v->step->name);
    ret = t->run(t->run_ctx, v, &own, s, e);
    if (t->wild && !found && *ptx_first_nan_text(t->wild))
        cli_warn("launch %llu (%s): %s", (unsigned long long)v->number + 1, v->step->name,
                 ptx_first_nan_text(t->wild));
    return ret;
}

static enum element_type type_at(void *ctx, uint64_t address)
{
    const struct launch_list_view *v = ctx;

    for (uint32_t i = 0; i < v->list->buffer_count; i++)
        if (v->addresses[i] == address)
            return v->list->buffers[i].type;
    return ELEMENT_TYPE_COUNT;
}

/* Runs the captured launch. Its launch list is written also where the launch fails, so that the failure can be
 * reproduced. */
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
    ret = run_watched(t, v, o, s, e);
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
    ret = t->capture == v->number + 1 ? run_captured(t, v, o, s, e) : run_watched(t, v, o, s, e);
    if (ret == LIST_RAN && t->hashes && hash_log_add(t->hashes, v, e) != 0)
        return -1;
    return ret;
}

/* --- the end --- */

int ptx_tools_end(struct ptx_tools *t, const struct launch_list_done *done, struct err *e)
{
    if (t->hashes && hash_log_end(t->hashes, e) != 0)
        return -1;
    if (t->writes && write_log_end(t->writes, e) != 0)
        return -1;
    if (t->covered && ptx_coverage_write(t->covered, t->coverage, e) != 0)
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
    write_log_free(t->writes);
    ptx_coverage_free(t->covered);
    ptx_first_nan_free(t->wild);
    ptx_break_free(t->stops);
    ptx_checkpoint_close(t->from);
}
