#include "simcore/app/sim_input.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

/* The folder of a path; "." where it names none. */
static int folder_of(const char *path, char *out, size_t size, struct err *e)
{
    const char *slash = strrchr(path, '/');
    size_t n = slash ? (size_t)(slash - path) : 0;

    if (n >= size)
        return err_set(e, ERR_TOO_LARGE, "%.100s...: the path is too long", path);
    if (!slash)
        snprintf(out, size, ".");
    else
        snprintf(out, size, "%.*s", n ? (int)n : 1, path);
    return 0;
}

/* Finds the kernel of the bundle that has this file. */
static int find_file(struct sim_input *in, struct err *e)
{
    struct stat wanted, st;

    if (stat(in->trace, &wanted) < 0)
        return err_set(e, ERR_NOT_FOUND, "cannot open %s", in->trace);
    for (in->kernel = 0; in->kernel < in->bundle.count; in->kernel++)
        if (stat(in->bundle.kernels[in->kernel].path, &st) == 0 && st.st_ino == wanted.st_ino &&
            st.st_dev == wanted.st_dev)
            return 0;
    return err_set(e, ERR_NOT_FOUND, "the list of kernels beside %s does not contain this file", in->trace);
}

/* Finds the requested launch of the .vtrace. */
static int find_launch(struct sim_input *in, struct err *e)
{
    if (in->last_launch && in->bundle.count > 0)
        in->launch = in->bundle.count - 1;
    if (in->launch >= in->bundle.count)
        return err_set(e, ERR_NOT_FOUND, "%s has no launch %" PRIu64 ": it holds %zu", in->trace, in->launch,
                       in->bundle.count);
    for (in->kernel = 0; in->bundle.kernels[in->kernel].launch != in->launch;)
        in->kernel++;
    return 0;
}

static int open_bundle(struct sim_input *in, enum trace_format format, struct err *e)
{
    char folder[4096];

    if (format == TRACE_VTRACE)
        return bundle_open(in->trace, NULL, NULL, &in->bundle, e) < 0 ? -1 : find_launch(in, e);
    if (folder_of(in->trace, folder, sizeof folder, e) < 0 || bundle_open(folder, NULL, NULL, &in->bundle, e) < 0)
        return -1;
    return find_file(in, e);
}

static int find_before(struct sim_input *in, struct err *e)
{
    if (trace_history_make(&in->bundle, &in->history, e) < 0)
        return -1;
    trace_history_before(&in->bundle, &in->history, in->kernel, in->replay_launches, in->ctas.first, &in->before);
    return 0;
}

int sim_input_open(struct sim_input *in, struct inst_source **out, struct err *e)
{
    enum trace_format format;

    *out = NULL;
    in->place.path = NULL;
    if (!in->has_launch && !in->last_launch && !in->replayed && cta_range_is_all(&in->ctas))
        return sim_input_reopen(in, out, e);
    if (trace_file_recognise(in->trace, &format, e) < 0)
        return -1;
    if (in->has_launch && format != TRACE_VTRACE)
        return err_set(e, ERR_USAGE, "--launch: %s is one launch; only .vtrace files hold several", in->trace);
    if (format == TRACE_VTRACE && !in->has_launch && !in->last_launch && trace_file_only_launch(in->trace, e) < 0)
        return -1;
    if (format == TRACE_VTRACE || in->replayed) {
        if (open_bundle(in, format, e) < 0 || (in->replayed && find_before(in, e) < 0))
            return -1;
        in->place = bundle_place(&in->bundle.kernels[in->kernel]);
    } else {
        in->place = (struct trace_place){.format = format, .path = in->trace, .shown = in->trace};
    }
    return sim_input_reopen(in, out, e);
}

int sim_input_reopen(const struct sim_input *in, struct inst_source **out, struct err *e)
{
    return in->place.path ? trace_file_open_range(&in->place, &in->ctas, out, e)
                          : trace_file_open_path(in->trace, out, e);
}

void sim_input_release(struct sim_input *in)
{
    trace_history_release(&in->history);
    bundle_close(&in->bundle);
}
