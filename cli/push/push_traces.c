/* vivace push TRACES --plan PLAN: sends the traces that the plan drew, each once, as a separate .vtrace with the
 * launch's warm image (the content of the caches at its start). */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/array.h"
#include "cli/push/push_bind.h"
#include "simcore/footprint/bundle_images.h"
#include "simcore/trace/vtrace.h"

/* The traces, and the state to compute their warm images. */
struct offers {
    struct push *push;
    const struct bundle *bundle;
    struct bundle_follow *follow;
    uint64_t context; /* index in the profile of the bundle's first context */
    bool *wanted;
};

/* Writes one launch, with its warm image where it can be computed. */
static int write_launch(const struct offers *o, size_t i, struct inst_source *s, const char *path, struct err *e)
{
    struct inst_source *followed;
    int ret;

    if (bundle_follow_source(o->follow, i, s, &followed, e) < 0)
        return -1;
    ret = vtrace_write_one(path, followed ? followed : s, e);
    inst_source_release(followed);
    return ret;
}

/* Packs a launch into a file without a name. Returns its descriptor, or -1. */
static int pack(const struct offers *o, size_t i, struct inst_source *s, struct err *e)
{
    const char *folder = getenv("TMPDIR");
    char path[PATH_MAX];
    int fd = -1;

    snprintf(path, sizeof path, "%s/vivace-push-%ld.vtrace", folder && *folder ? folder : "/tmp", (long)getpid());
    if (write_launch(o, i, s, path, e) == 0) {
        fd = open(path, O_RDONLY | O_CLOEXEC);
        if (fd < 0)
            err_set_errno(e, errno, "%s", path);
        unlink(path);
    }
    return fd;
}

static int send(const struct offers *o, size_t i, struct inst_source *s, char hex[SHA256_HEX], struct err *e)
{
    int fd = pack(o, i, s, e), ret;
    uint64_t bytes;

    if (fd < 0)
        return -1;
    ret = push_blob(o->push, fd, hex, &bytes, e);
    close(fd);
    return ret;
}

static int open_kernel(const struct bundle_kernel *k, struct inst_source **out, struct err *e)
{
    const struct trace_place place = bundle_place(k);

    if (k->format != TRACE_MACSIM)
        return trace_file_open(&place, out, e);
    err_set(e, ERR_UNSUPPORTED, "%s: a launch that is a folder of files cannot be uploaded", k->name);
    return err_hint(e, "`vivace simulate` reads it.");
}

static int offer(const struct offers *o, size_t i, const struct wanted *w, struct err *e)
{
    struct inst_source *s;
    char hex[SHA256_HEX];
    int ret;

    if (open_kernel(&o->bundle->kernels[i], &s, e) < 0)
        return -1;
    ret = send(o, i, s, hex, e);
    if (ret == 0)
        ret = push_offer(o->push, w, &s->info, hex, e);
    inst_source_release(s);
    return ret < 0 ? err_wrap(e, "%s", o->bundle->kernels[i].label) : 0;
}

static int push_wanted(const struct offers *o, struct err *e)
{
    for (size_t i = 0; i < o->bundle->count; i++) {
        const struct bundle_kernel *k = &o->bundle->kernels[i];
        const struct wanted *w = push_take(o->push, k->context + o->context, k->order);

        if ((w ? offer(o, i, w, e) : bundle_follow_skip(o->follow, i, e)) < 0)
            return -1;
    }
    return 0;
}

static int push_bundle(struct push *p, const struct bundle *b, uint64_t context, struct err *e)
{
    struct offers o = {.push = p, .bundle = b, .context = context};
    int ret = -1;

    o.wanted = mem_zalloc(b->count + 1, sizeof *o.wanted, e);
    for (size_t i = 0; o.wanted && i < b->count; i++)
        o.wanted[i] = push_wants(p, b->kernels[i].context + context, b->kernels[i].order);
    o.follow = o.wanted ? bundle_follow_new(b, o.wanted, e) : NULL;
    if (o.follow)
        ret = push_wanted(&o, e);
    bundle_follow_free(o.follow);
    free(o.wanted);
    return ret;
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
        bundle_order_by_number(&bundle, p.launches);
        ret = push_bundle(&p, &bundle, context, e);
        if (ret == 0)
            ret = push_finish(&p, bundle.count, "kernel traces", o, e);
        bundle_close(&bundle);
    }
    push_release(&p);
    return ret;
}
