#include "server/domain/tasks/trace_child.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/hash.h"
#include "base/stream.h"
#include "base/strbuf.h"
#include "base/text.h"
#include "server/domain/import/import_child.h"
#include "simcore/trace/program_launch.h"
#include "simcore/trace/trace_file.h"
#include "simcore/trace/vtrace.h"
#include "wire/json.h"

/* A trace of one launch, as `vivace push` sends it. */
static int count_vtrace(const char *path, struct kernel_info *info, struct trace_counts *counts, struct err *e)
{
    struct trace_place place = {.format = TRACE_VTRACE, .path = path, .shown = "the trace"};
    uint64_t ignored;
    int ret;

    if (vtrace_open_as(path, place.shown, &place.file, e) < 0)
        return -1;
    ret = vtrace_launch_count(place.file) == 1
              ? trace_file_count(&place, info, counts, &ignored, e)
              : err_set(e, ERR_INVALID, "the trace holds %zu launches; send one at a time",
                        vtrace_launch_count(place.file));
    vtrace_close(place.file);
    return ret;
}

/* A trace of a launch that refers to a program: reads the launch's data. */
static int read_program_launch(struct stream *s, struct kernel_info *info, struct trace_counts *counts,
                               char program[SHA256_HEX], struct err *e)
{
    struct program_launch l;

    if (program_launch_read(s, &l, e) < 0)
        return -1;
    *info = l.info; /* including its name */
    *counts = l.counts;
    memcpy(program, l.program, sizeof l.program);
    return 0;
}

/* By its first bytes a file is a .vtrace, the launch of a program, or else in the text of Accel-Sim. */
static int count_file(const char *path, struct kernel_info *info, struct trace_counts *counts,
                      char program[SHA256_HEX], struct err *e)
{
    struct stream *s = NULL;
    char head[16];
    int fd = open(path, O_RDONLY | O_CLOEXEC), ret;
    ssize_t n;

    if (fd < 0)
        return err_set_errno(e, errno, "the trace");
    n = pread(fd, head, sizeof head, 0);
    if (n > 0 && vtrace_recognise_head(head, (size_t)n)) {
        close(fd);
        return count_vtrace(path, info, counts, e);
    }
    if (stream_open_fd(fd, "the trace", &s, e) < 0)
        return -1;
    if (n > 0 && program_launch_recognise(head, (size_t)n)) {
        ret = read_program_launch(s, info, counts, program, e);
        stream_close(s);
        return ret;
    }
    ret = accel_sim_read_info(s, info, e);
    if (ret == 0)
        ret = accel_sim_count(s, info, counts, e);
    stream_close(s);
    return ret;
}

static int report(const struct kernel_info *info, const struct trace_counts *counts, const char *program,
                  struct err *e)
{
    struct json_obj o = json_obj_begin();
    struct strbuf text = STRBUF_INIT;
    json_t *v;
    int ret = -1;

    text_sanitize(info->name);
    json_put_str(&o, "name", info->name);
    json_put(&o, "grid", json_dim3(info->grid));
    json_put(&o, "block", json_dim3(info->block));
    json_put_u64(&o, "warp_instructions", counts->warp_instructions);
    json_put_u64(&o, "ctas", counts->ctas);
    json_put_u64(&o, "warps", counts->warps);
    if (program[0])
        json_put_str(&o, "program", program);
    v = json_obj_end(&o);
    if (v)
        json_write_text(v, false, &text);
    if (v && !text.failed) {
        printf("@r %s\n", text.text);
        ret = 0;
    } else {
        err_no_memory(e);
    }
    strbuf_release(&text);
    json_decref(v);
    return ret;
}

int trace_child_main(int argc, char **argv)
{
    struct kernel_info info = {.name = NULL};
    struct trace_counts counts = {0};
    char program[SHA256_HEX] = "";
    struct err e = {0};
    int ret = -1;

    if (argc != 1)
        return err_exit_code(ERR_USAGE);
    if (import_child_confine(argv[0], NULL, &e) == 0 && count_file(argv[0], &info, &counts, program, &e) == 0)
        ret = report(&info, &counts, program, &e);
    if (ret < 0)
        import_child_fail(&e);
    fflush(stdout);
    kernel_info_release(&info);
    return ret < 0 ? err_exit_code(e.code) : 0;
}
