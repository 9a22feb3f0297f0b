/* vivace push TRACES --plan PLAN: out of all traces those that the plan drew, compressed, each once. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <zstd.h>

#include "base/hash.h"
#include "base/stream.h"
#include "base/whole_file.h"
#include "cli/push_bind.h"
#include "simcore/trace/bundle.h"
#include "simcore/trace/vtrace.h"

enum { ZSTD_LEVEL = 3 };

/* The same trace gives the same bytes, hence the same name: one thread, one level, no time stamps. */
static int compress_into(struct stream *s, int fd, struct err *e)
{
    ZSTD_CCtx *z = ZSTD_createCCtx();
    char *in = malloc(1 << 17), *out = malloc(1 << 17);
    int ret = z && in && out ? 0 : err_no_memory(e);
    ssize_t n = 1;

    if (ret == 0)
        ZSTD_CCtx_setParameter(z, ZSTD_c_compressionLevel, ZSTD_LEVEL);
    while (ret == 0 && n > 0) {
        ZSTD_inBuffer from = {in, 0, 0};
        size_t left = 1;

        n = stream_read(s, in, 1 << 17, e);
        ret = n < 0 ? -1 : 0;
        from.size = n > 0 ? (size_t)n : 0;
        while (ret == 0 && (from.pos < from.size || (n == 0 && left > 0))) {
            ZSTD_outBuffer to = {out, 1 << 17, 0};

            left = ZSTD_compressStream2(z, &to, &from, n == 0 ? ZSTD_e_end : ZSTD_e_continue);
            ret = ZSTD_isError(left) ? err_set(e, ERR_INTERNAL, "zstd: %s", ZSTD_getErrorName(left))
                  : fd_write_all(fd, out, to.pos) < 0 ? err_set_errno(e, errno, "a temporary file")
                                                      : 0;
        }
    }
    ZSTD_freeCCtx(z);
    free(in);
    free(out);
    return ret;
}

/* The launch alone as a .vtrace of its own, which has no name any more. */
static int pack_vtrace(const struct bundle_kernel *k, struct err *e)
{
    const struct trace_place place = bundle_place(k);
    const char *folder = getenv("TMPDIR");
    struct inst_source *s = NULL;
    char path[PATH_MAX];
    int fd = -1;

    snprintf(path, sizeof path, "%s/vivace-push-%ld.vtrace", folder && *folder ? folder : "/tmp", (long)getpid());
    if (trace_file_open(&place, &s, e) == 0 && vtrace_write_one(path, s, e) == 0) {
        fd = open(path, O_RDONLY | O_CLOEXEC);
        if (fd < 0)
            err_set_errno(e, errno, "%s", path);
        unlink(path);
    }
    inst_source_release(s);
    return fd;
}

static int pack_text(const struct bundle_kernel *k, struct err *e)
{
    struct stream *s = NULL;
    int fd = -1;

    if (stream_open_as(k->path, k->name, &s, e) < 0)
        return -1;
    if (strcmp(stream_compression(s), "none") == 0) {
        fd = push_temporary(e);
        if (fd >= 0 && compress_into(s, fd, e) < 0) {
            close(fd);
            fd = -1;
        }
    } else {
        fd = open(k->path, O_RDONLY | O_CLOEXEC);
        if (fd < 0)
            err_set_errno(e, errno, "%s", k->name);
    }
    stream_close(s);
    return fd;
}

static int read_head(const struct bundle_kernel *k, struct kernel_info *info, struct err *e)
{
    const struct trace_place place = bundle_place(k);

    if (k->format != TRACE_MACSIM)
        return trace_file_info(&place, info, e);
    err_set(e, ERR_UNSUPPORTED, "%s: a launch that is a folder of files cannot be uploaded", k->name);
    return err_hint(e, "`vivace simulate` reads it.");
}

static int send(struct push *p, const struct bundle_kernel *k, char hex[SHA256_HEX], struct err *e)
{
    int fd = k->format == TRACE_VTRACE ? pack_vtrace(k, e) : pack_text(k, e), ret;
    uint64_t bytes;

    if (fd < 0)
        return -1;
    ret = push_blob(p, fd, hex, &bytes, e);
    close(fd);
    return ret;
}

static int offer(struct push *p, const struct bundle_kernel *k, const struct wanted *w, struct err *e)
{
    struct kernel_info info = {.name = NULL};
    char hex[SHA256_HEX];
    int ret;

    if (read_head(k, &info, e) < 0)
        return -1;
    ret = send(p, k, hex, e);
    if (ret == 0)
        ret = push_offer(p, w, &info, hex, e);
    kernel_info_release(&info);
    return ret < 0 ? err_wrap(e, "%s", k->label) : 0;
}

static int push_wanted(struct push *p, const struct bundle *b, uint64_t context, struct err *e)
{
    for (size_t i = 0; i < b->count; i++) {
        const struct bundle_kernel *k = &b->kernels[i];
        const struct wanted *w = push_take(p, k->context + context, k->order);

        if (w && offer(p, k, w, e) < 0)
            return -1;
    }
    return 0;
}

int push_traces(struct api *api, const char *path, const char *plan, uint64_t context, const struct cli_output *o,
                struct err *e)
{
    struct bundle bundle;
    struct push p;
    int ret = push_begin(&p, api, plan, e);

    cli_remove_scratch_on_signals();
    if (ret == 0)
        ret = bundle_open(path, cli_unpacking, NULL, &bundle, e);
    if (ret == 0) {
        bundle_order_by_number(&bundle, p.invocations);
        ret = push_wanted(&p, &bundle, context, e);
        if (ret == 0)
            ret = push_finish(&p, bundle.count, "kernel traces", o, e);
        bundle_close(&bundle);
    }
    push_release(&p);
    return ret;
}
