#include "simcore/trace/trace_file.h"

#include "simcore/trace/macsim.h"
#include "simcore/trace/program_launch.h"
#include "simcore/trace/vtrace.h"

#define HEAD_BYTES 16

int trace_file_recognise(const char *path, enum trace_format *out, struct err *e)
{
    struct stream *s;
    char head[HEAD_BYTES];
    size_t have = 0;
    ssize_t got = 1;

    if (stream_open(path, &s, e) < 0)
        return -1;
    while (have < sizeof head && (got = stream_read(s, head + have, sizeof head - have, e)) > 0)
        have += (size_t)got;
    stream_close(s);
    *out = vtrace_recognise_head(head, have)      ? TRACE_VTRACE
           : macsim_recognise(head, have)         ? TRACE_MACSIM
           : program_launch_recognise(head, have) ? TRACE_PROGRAM
                                                  : TRACE_ACCEL_SIM;
    return got < 0 ? -1 : 0;
}

int trace_file_open(const struct trace_place *p, struct inst_source **out, struct err *e)
{
    struct stream *s;

    *out = NULL;
    if (p->format == TRACE_MACSIM)
        return macsim_open(p->path, p->shown, out, e);
    if (p->format == TRACE_VTRACE)
        return p->file ? vtrace_source(p->file, p->launch, out, e) : vtrace_source_path(p->path, p->launch, out, e);
    if (p->format == TRACE_PROGRAM) {
        err_set(e, ERR_UNSUPPORTED, "%s names a launch of a program, but does not contain the program", p->shown);
        return err_hint(e, "`vivace ptx run LIST --gpu GPU` simulates the launches of a program.");
    }
    return stream_open_as(p->path, p->shown, &s, e) < 0 ? -1 : accel_sim_open(s, out, e);
}

int trace_file_only_launch(const char *path, struct err *e)
{
    struct vtrace *v;
    size_t count;

    if (vtrace_open(path, &v, e) < 0)
        return -1;
    count = vtrace_launch_count(v);
    vtrace_close(v);
    if (count == 1)
        return 0;
    err_set(e, ERR_INVALID, "%s contains %zu launches, and this command needs one", path, count);
    return err_hint(e, "`vivace simulate` reads all of them; `vivace-sim --launch N` reads one.");
}

int trace_file_open_path(const char *path, struct inst_source **out, struct err *e)
{
    struct trace_place p = {.path = path, .shown = path};

    *out = NULL;
    if (trace_file_recognise(path, &p.format, e) < 0 ||
        (p.format == TRACE_VTRACE && trace_file_only_launch(path, e) < 0))
        return -1;
    return trace_file_open(&p, out, e);
}

static int count_all(struct inst_source *s, struct trace_counts *out, struct err *e)
{
    struct cta_trace *cta;
    int got;

    *out = (struct trace_counts){0};
    while ((got = inst_source_next_cta(s, &cta, e)) > 0) {
        out->ctas++;
        for (uint32_t w = 0; w < cta->warp_count; w++) {
            out->warps += cta->warps[w].count > 0;
            out->warp_instructions += cta->warps[w].count;
        }
        inst_source_release_cta(s, cta);
    }
    return got;
}

/* The other lines of an access are records among the instructions, so all records must be read. */
static int count_macsim(const struct trace_place *p, struct kernel_info *info, struct trace_counts *out,
                        uint64_t *bytes, struct err *e)
{
    struct inst_source *s;
    int ret;

    if (macsim_open(p->path, p->shown, &s, e) < 0)
        return -1;
    ret = count_all(s, out, e);
    if (ret == 0)
        ret = kernel_info_copy(info, &s->info, e);
    *bytes = macsim_bytes_in(s);
    inst_source_release(s);
    return ret;
}

/* A .vtrace stores its counts. */
static int count_vtrace(const struct trace_place *p, struct kernel_info *info, struct trace_counts *out,
                        uint64_t *bytes, struct err *e)
{
    const struct vtrace_launch *x;
    struct vtrace *v = p->file;
    int ret;

    *bytes = 0;
    if (!v && vtrace_open_as(p->path, p->shown, &v, e) < 0)
        return -1;
    x = vtrace_launch_at(v, p->launch);
    *out = (struct trace_counts){.warp_instructions = x->warp_instructions, .ctas = x->ctas, .warps = x->warps};
    ret = kernel_info_copy(info, &x->info, e);
    if (!p->file)
        vtrace_close(v);
    return ret;
}

/* The counts stored in the file. They can be checked only by running the program. */
static int count_program(const struct trace_place *p, struct kernel_info *info, struct trace_counts *out,
                         uint64_t *bytes, struct err *e)
{
    struct program_launch l;
    struct stream *s;
    int ret;

    if (stream_open_as(p->path, p->shown, &s, e) < 0)
        return -1;
    ret = program_launch_read(s, &l, e);
    *bytes = stream_bytes_in(s);
    stream_close(s);
    if (ret < 0)
        return -1;
    *out = l.counts;
    ret = kernel_info_copy(info, &l.info, e);
    program_launch_release(&l);
    return ret;
}

int trace_file_info(const struct trace_place *p, struct kernel_info *info, struct err *e)
{
    struct inst_source *source;
    struct trace_counts ignored;
    uint64_t bytes;
    struct stream *s;
    int ret;

    *info = (struct kernel_info){0};
    if (p->format == TRACE_ACCEL_SIM) {
        if (stream_open_as(p->path, p->shown, &s, e) < 0)
            return -1;
        ret = accel_sim_read_info(s, info, e);
        stream_close(s);
        return ret;
    }
    if (p->format == TRACE_VTRACE)
        return count_vtrace(p, info, &ignored, &bytes, e);
    if (p->format == TRACE_PROGRAM)
        return count_program(p, info, &ignored, &bytes, e);
    if (trace_file_open(p, &source, e) < 0)
        return -1;
    ret = kernel_info_copy(info, &source->info, e);
    inst_source_release(source);
    return ret;
}

int trace_file_count(const struct trace_place *p, struct kernel_info *info, struct trace_counts *out,
                     uint64_t *bytes, struct err *e)
{
    struct stream *s;
    int ret;

    *info = (struct kernel_info){0};
    if (p->format == TRACE_MACSIM)
        return count_macsim(p, info, out, bytes, e);
    if (p->format == TRACE_VTRACE)
        return count_vtrace(p, info, out, bytes, e);
    if (p->format == TRACE_PROGRAM)
        return count_program(p, info, out, bytes, e);
    if (stream_open_as(p->path, p->shown, &s, e) < 0)
        return -1;
    ret = accel_sim_read_info(s, info, e);
    if (ret == 0)
        ret = accel_sim_count(s, info, out, e);
    *bytes = stream_bytes_in(s);
    stream_close(s);
    return ret;
}
