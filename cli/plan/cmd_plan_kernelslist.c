/* `vivace plan trace --for kernelslist`: selects the plan's kernels from a complete set of traces. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/stream.h"
#include "cli/plan/cmd_plan_trace.h"
#include "ingest/launch_check.h"
#include "wire/tracer.h"

#define NAME_LINE_MAX 4096

struct filter {
    const struct tracer_job *job;
    struct stream *list;
    const char *folder; /* the list's folder, with a slash at the end; "" for the current folder */
    struct strbuf *out;
    size_t next;  /* index of the next pick */
    size_t there; /* number of listed kernels whose file is in the list's folder */
};

/* Finds the path of the list. */
static int find_list(const char *traces, struct strbuf *list, struct err *e)
{
    static const char *const names[] = {"kernelslist.g", "kernelslist"};
    struct stat st;

    if (stat(traces, &st) < 0)
        return err_set_errno(e, errno, "%s", traces);
    if (!S_ISDIR(st.st_mode)) {
        strbuf_adds(list, traces);
        return list->failed ? err_no_memory(e) : 0;
    }
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        strbuf_clear(list);
        strbuf_addf(list, "%s/%s", traces, names[i]);
        if (list->failed)
            return err_no_memory(e);
        if (access(list->text, R_OK) == 0)
            return 0;
    }
    return err_set(e, ERR_NOT_FOUND, "%s: there is no kernelslist.g in it", traces);
}

static bool file_is_there(const char *folder, const char *name, size_t length)
{
    static const char *const endings[] = {"", ".xz", ".gz", ".zst"};
    struct strbuf b = STRBUF_INIT;
    bool there = false;

    for (size_t i = 0; i < sizeof endings / sizeof *endings && !there; i++) {
        strbuf_clear(&b);
        strbuf_addf(&b, "%s%.*s%s", folder, (int)length, name, endings[i]);
        there = !b.failed && access(b.text, F_OK) == 0;
    }
    strbuf_release(&b);
    return there;
}

/* The file names "kernel-12.traceg" and "kernel-12-ctx_0x5.trace.xz" are of launch 11. */
static int launch_of(const struct filter *f, const char *line, uint64_t *order, struct err *e)
{
    char *end;
    unsigned long long id;

    errno = 0;
    id = str_starts(line, "kernel-") && line[7] >= '0' && line[7] <= '9' ? strtoull(line + 7, &end, 10) : 0;
    if (id == 0 || errno)
        return err_set(e, ERR_INVALID, "%s: line %llu: \"%.60s\" does not begin with kernel-<number from 1>",
                       stream_name(f->list), (unsigned long long)stream_line_number(f->list), line);
    *order = id - 1;
    return 0;
}

static int take_kernel(struct filter *f, const char *line, struct err *e)
{
    size_t length = strcspn(line, " \t\r,");
    uint64_t order = 0;

    if (launch_of(f, line, &order, e) < 0)
        return -1;
    f->there += file_is_there(f->folder, line, length);
    while (f->next < f->job->pick_count && f->job->picks[f->next].order < order)
        f->next++; /* the list lacks this launch or is out of order: reported at the end */
    if (f->next < f->job->pick_count && f->job->picks[f->next].order == order) {
        strbuf_addf(f->out, "%s\n", line);
        f->next++;
        return 1;
    }
    return 0;
}

static int filter_lines(struct filter *f, struct err *e)
{
    size_t kept = 0;
    char *line;
    int got;

    while ((got = stream_line(f->list, NAME_LINE_MAX, &line, NULL, NULL, e)) > 0) {
        int took = str_starts(line, "kernel") ? take_kernel(f, line, e) : 0;

        if (took < 0)
            return -1;
        kept += (size_t)took;
        if (!str_starts(line, "kernel"))
            strbuf_addf(f->out, "%s\n", line);
    }
    if (got < 0)
        return -1;
    if (kept == f->job->pick_count)
        return 0;
    err_set(e, ERR_INVALID, "%s: only %zu of the plan's %zu kernels are in it, in launch order",
            stream_name(f->list), kept, f->job->pick_count);
    return err_hint(e, "Kernels are found by the number in their file name, which counts launches from 1.");
}

/* Compares names and grids of all trace files of the list with the profile. One difference makes the list invalid.
 */
static int check_headers(const struct filter *f, const char *list, size_t context, struct err *e)
{
    const struct launch_check_options options = {.context = (int64_t)context};
    struct launch_verdict v = {.format = ""};
    int ret;

    if (f->there == 0) {
        cli_warn("there are no traces beside %s, so names and grids were not compared", list);
        return 0;
    }
    ret = launch_check_path(list, f->job->profile, &options, &v, e);
    if (ret == 0 && v.mismatch.there)
        ret = launch_verdict_refuse(&v, f->job->profile, e);
    launch_verdict_release(&v);
    return ret;
}

int plan_filter_list(const struct plan *plan, const struct profile *profile, uint64_t context, const char *traces,
                     struct strbuf *out, struct err *e)
{
    const struct tracer_tool *tool = tracer_find("accel-sim", e); /* the tool that writes such lists */
    struct strbuf list = STRBUF_INIT, folder = STRBUF_INIT;
    struct filter f = {.out = out};
    struct tracer_job job;
    int ret;

    if (!tool || tracer_job_init(&job, tool, plan, profile, (size_t)context, 0, e) < 0)
        return -1;
    ret = find_list(traces, &list, e);
    if (ret == 0) {
        const char *slash = strrchr(list.text, '/');

        if (slash)
            strbuf_add(&folder, list.text, (size_t)(slash - list.text) + 1);
        f.job = &job;
        f.folder = folder.text;
        ret = stream_open(list.text, &f.list, e);
    }
    if (ret == 0) {
        ret = filter_lines(&f, e);
        if (ret == 0)
            ret = check_headers(&f, list.text, (size_t)context, e);
        stream_close(f.list);
    }
    strbuf_release(&list);
    strbuf_release(&folder);
    tracer_job_release(&job);
    return ret == 0 && out->failed ? err_no_memory(e) : ret;
}
