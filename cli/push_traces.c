/* vivace push TRACES --plan PLAN: out of all traces those that the plan drew, compressed, each once. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <zstd.h>

#include "base/array.h"
#include "base/clock.h"
#include "base/stream.h"
#include "cli/farm.h"
#include "simcore/trace/bundle.h"
#include "simcore/trace/vtrace.h"

enum { BATCH = 100, ZSTD_LEVEL = 3 };

/* A drawn launch, found by where it stands in the launch order of its context. */
struct wanted {
    uint64_t context, order, invocation;
    bool bound, offered;
};
struct push {
    struct api *api;
    struct bundle bundle;
    struct wanted *wanted;
    size_t wanted_count, wanted_capacity;
    uint64_t invocations; /* of the profile */
    json_t *batch, *refused;
    uint64_t offered, bound, already, not_sampled, missing, bytes_sent, blobs_sent;
    uint64_t begun_us;
};

/* --- What the plan wants --- */

static int take_sample(void *ctx, const json_t *item, struct err *e)
{
    struct push *p = ctx;
    struct wanted w = {.bound = false};
    void *items = p->wanted;
    const json_t *context = NULL;

    if (json_need_object(item, "a sample", e) < 0 || json_need_u64(item, "invocation", &w.invocation, e) < 0 ||
        json_need_u64(item, "launch_order", &w.order, e) < 0 ||
        json_need_member(item, "context", &context, e) < 0 || json_need_u64(context, "index", &w.context, e) < 0)
        return err_wrap(e, "the samples of the plan");
    if (array_reserve(&items, &p->wanted_capacity, p->wanted_count + 1, sizeof w, e) < 0)
        return -1;
    p->wanted = items;
    p->wanted[p->wanted_count++] = w;
    return 0;
}

static int by_place(const void *a, const void *b)
{
    const struct wanted *x = a, *y = b;

    if (x->context != y->context)
        return x->context < y->context ? -1 : 1;
    return x->order < y->order ? -1 : x->order > y->order;
}

static struct wanted *find_wanted(struct push *p, uint64_t context, uint64_t order)
{
    struct wanted key = {.context = context, .order = order};

    return p->wanted_count ? bsearch(&key, p->wanted, p->wanted_count, sizeof key, by_place) : NULL;
}

/* Traces that the server has bound already are not sent again. */
static int mark_bound(struct push *p, const char *plan, struct err *e)
{
    json_t *state = farm_get(p->api, "/plans/", plan, "/traces", e);
    const json_t *bindings = NULL;
    int ret = state ? json_need_object(state, "the answer", e) : -1;

    if (ret == 0 && json_opt_array(state, "bindings", &bindings, e) < 0)
        ret = -1;
    for (size_t i = 0; ret == 0 && i < json_array_size(bindings); i++) {
        uint64_t invocation = farm_count(json_array_get(bindings, i), "invocation");

        for (size_t w = 0; w < p->wanted_count; w++)
            if (p->wanted[w].invocation == invocation)
                p->wanted[w].bound = true;
    }
    json_decref(state);
    return ret;
}

static int read_plan(struct push *p, const char *plan, struct err *e)
{
    char *path = farm_path("/plans/", plan, "/samples?format=json&limit=1000", e);
    int ret = path ? api_list(p->api, path, take_sample, p, e) : -1;
    json_t *summary = ret < 0 ? NULL : farm_get(p->api, "/plans/", plan, "", e);

    free(path);
    if (!summary)
        return -1;
    p->invocations = farm_count(summary, "invocations");
    json_decref(summary);
    if (p->wanted_count)
        qsort(p->wanted, p->wanted_count, sizeof *p->wanted, by_place);
    return mark_bound(p, plan, e);
}

/* --- One trace --- */

/* A private copy of what is sent: plain traces compressed, others as they are. Unlinked, so it cannot be left over.
 */
static int temporary(struct err *e)
{
    const char *folder = getenv("TMPDIR");
    int fd = open(folder && *folder ? folder : "/tmp", O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    char name[] = "/tmp/vivace-push-XXXXXX";

    if (fd < 0) {
        fd = mkostemp(name, O_CLOEXEC); /* a file system without O_TMPFILE */
        if (fd >= 0)
            unlink(name);
    }
    return fd >= 0 ? fd : err_set_errno(e, errno, "a temporary file");
}

static int write_all(int fd, const char *bytes, size_t n, struct err *e)
{
    while (n > 0) {
        ssize_t put = write(fd, bytes, n);

        if (put < 0 && errno == EINTR)
            continue;
        if (put < 0)
            return err_set_errno(e, errno, "a temporary file");
        bytes += put;
        n -= (size_t)put;
    }
    return 0;
}

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
                                     : write_all(fd, out, to.pos, e);
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
    struct vtrace_writer *w = NULL;
    struct inst_source *s = NULL;
    char path[PATH_MAX];
    int fd = -1;

    snprintf(path, sizeof path, "%s/vivace-push-%ld.vtrace", folder && *folder ? folder : "/tmp", (long)getpid());
    if (trace_file_open(&place, &s, e) == 0 && vtrace_writer_new(path, NULL, &w, e) == 0 &&
        vtrace_writer_add(w, s, e) == 0 && vtrace_writer_finish(w, e) == 0) {
        fd = open(path, O_RDONLY | O_CLOEXEC);
        if (fd < 0)
            err_set_errno(e, errno, "%s", path);
        unlink(path);
    }
    vtrace_writer_release(w);
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
        fd = temporary(e);
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

/* A descriptor of the bytes to send, and their count and hash. */
static int pack(const struct bundle_kernel *k, uint64_t *bytes, char hex[SHA256_HEX], struct err *e)
{
    int fd = k->format == TRACE_VTRACE ? pack_vtrace(k, e) : pack_text(k, e);
    struct stat st;

    if (fd >= 0) {
        char self[40];

        snprintf(self, sizeof self, "/proc/self/fd/%d", fd);
        if (fstat(fd, &st) == 0 && sha256_file(self, hex, e) == 0) {
            *bytes = (uint64_t)st.st_size;
            return fd;
        }
        close(fd);
    }
    return -1;
}

static int read_head(const struct bundle_kernel *k, struct kernel_info *info, struct err *e)
{
    const struct trace_place place = bundle_place(k);

    if (k->format != TRACE_MACSIM)
        return trace_file_info(&place, info, e);
    err_set(e, ERR_UNSUPPORTED, "%s: a launch that is a folder of files cannot be uploaded", k->name);
    return err_hint(e, "`vivace simulate` reads it.");
}

static json_t *describe(const struct bundle_kernel *k, const struct kernel_info *info, const char *hex)
{
    struct json_obj o = json_obj_begin();

    json_put_str(&o, "sha256", hex);
    json_put_u64(&o, "context", k->context);
    json_put_u64(&o, "order", k->order);
    json_put_str(&o, "name", info->name);
    json_put(&o, "grid", json_dim3(info->grid));
    json_put(&o, "block", json_dim3(info->block));
    return json_obj_end(&o);
}

static int send_blob(struct push *p, const struct bundle_kernel *k, char hex[SHA256_HEX], struct err *e)
{
    uint64_t bytes = 0;
    char target[100];
    int fd = pack(k, &bytes, hex, e), there;

    if (fd < 0)
        return -1;
    there = api_blob_exists(p->api, hex, e);
    if (there == 0) {
        snprintf(target, sizeof target, "/blobs/%s", hex);
        there = api_put_file(p->api, target, fd, 0, bytes, NULL, e);
        p->bytes_sent += bytes;
        p->blobs_sent++;
    }
    close(fd);
    return there < 0 ? -1 : 0;
}

/* --- Binding --- */

static int flush(struct push *p, const char *plan, struct err *e)
{
    struct json_obj o = json_obj_begin();
    json_t *answer = NULL;
    const json_t *refused;
    char *path;
    int ret;

    if (json_array_size(p->batch) == 0) {
        json_decref(json_obj_end(&o));
        return 0;
    }
    path = farm_path("/plans/", plan, "/traces", e);
    json_put(&o, "traces", json_incref(p->batch));
    ret = path ? api_post(p->api, path, json_obj_end(&o), &answer, e) : -1;
    free(path);
    if (ret < 0)
        return -1;
    p->bound += farm_count(answer, "bound");
    p->already += farm_count(answer, "already");
    p->not_sampled += farm_count(answer, "not_sampled");
    p->missing = farm_count(answer, "missing");
    refused = farm_member(answer, "refused");
    if (json_is_array(refused) && json_array_extend(p->refused, (json_t *)refused) < 0)
        ret = err_no_memory(e);
    json_decref(answer);
    json_array_clear(p->batch);
    return ret;
}

static int offer(struct push *p, const struct bundle_kernel *k, const char *plan, struct err *e)
{
    struct kernel_info info = {.name = NULL};
    char hex[SHA256_HEX];
    int ret;

    if (read_head(k, &info, e) < 0)
        return -1;
    ret = send_blob(p, k, hex, e);
    if (ret == 0 && json_push(p->batch, describe(k, &info, hex)) < 0)
        ret = err_no_memory(e);
    kernel_info_release(&info);
    p->offered++;
    if (ret == 0 && json_array_size(p->batch) >= BATCH)
        ret = flush(p, plan, e);
    return ret < 0 ? err_wrap(e, "%s", k->label) : 0;
}

static void show(const struct push *p, size_t done, size_t all)
{
    double passed = (double)(clock_monotonic_us() - p->begun_us) * 1e-6;
    char sent[CLI_NUMBER], left[CLI_NUMBER];

    cli_progress("traces: %zu of %zu, %s sent, %s left", done, all, cli_bytes((double)p->bytes_sent, sent),
                 cli_seconds(done > 0 ? passed / (double)done * (double)(all - done) : NAN, left));
}

static int push_wanted(struct push *p, const char *plan, struct err *e)
{
    size_t all = 0, done = 0;

    for (size_t i = 0; i < p->wanted_count; i++)
        all += !p->wanted[i].bound;
    p->begun_us = clock_monotonic_us();
    for (size_t i = 0; i < p->bundle.count; i++) {
        const struct bundle_kernel *k = &p->bundle.kernels[i];
        struct wanted *w = find_wanted(p, k->context, k->order);

        if (!w || w->bound || w->offered)
            continue;
        show(p, done, all);
        w->offered = true;
        if (offer(p, k, plan, e) < 0)
            return -1;
        done++;
    }
    return flush(p, plan, e);
}

/* --- Telling --- */

static json_t *summary_json(const struct push *p)
{
    struct json_obj o = json_obj_begin();

    json_put_u64(&o, "samples", p->wanted_count);
    json_put_u64(&o, "offered", p->offered);
    json_put_u64(&o, "bound", p->bound);
    json_put_u64(&o, "already", p->already);
    json_put_u64(&o, "missing", p->missing);
    json_put_u64(&o, "blobs_sent", p->blobs_sent);
    json_put_u64(&o, "bytes_sent", p->bytes_sent);
    json_put(&o, "refused", json_incref(p->refused));
    return json_obj_end(&o);
}

static void print_summary(const struct push *p, const char *plan)
{
    char a[CLI_NUMBER], b[CLI_NUMBER], c[CLI_NUMBER];

    printf("%s of %s drawn launches have their trace (%s bound now)\n",
           cli_whole(p->wanted_count > p->missing ? p->wanted_count - p->missing : 0, a),
           cli_whole(p->wanted_count, b), cli_whole(p->bound, c));
    for (size_t i = 0; i < json_array_size(p->refused); i++) {
        const json_t *r = json_array_get(p->refused, i);

        printf("refused: context %s, launch %s: %s\n", cli_whole(farm_count(r, "context"), a),
               cli_whole(farm_count(r, "order"), b), farm_text(r, "detail"));
    }
    if (p->missing)
        printf("missing  %s; `vivace traces %s` lists them\n", cli_whole(p->missing, a), plan);
    else
        printf("next     vivace run %s --gpu v100,h100 --wait\n", plan);
}

static int finish(struct push *p, const char *plan, const struct cli_output *o, struct err *e)
{
    size_t refused = json_array_size(p->refused);
    json_t *state = farm_get(p->api, "/plans/", plan, "/traces", e);

    if (!state)
        return -1;
    p->missing = p->wanted_count - farm_count(state, "bound");
    json_decref(state);
    cli_progress_end();
    if (o->json && cli_print_json(summary_json(p), e) < 0)
        return -1;
    if (!o->json)
        print_summary(p, plan);
    if (refused == 0 && (p->offered > 0 || p->missing == 0))
        return 0;
    if (refused == 0) {
        err_set(e, ERR_INVALID, "none of these %zu kernel traces stands for a launch that the plan drew",
                p->bundle.count);
        return err_hint(e, "`vivace traces %s` says which launches are wanted, by their place in the launch order.",
                        plan);
    }
    err_set(e, ERR_INVALID, "%zu traces were refused", refused);
    return err_hint(e,
                    "they stand where the profile has another launch; were other launches traced than profiled?");
}

static void on_unpacked(void *ctx, uint64_t bytes_in, size_t kernels)
{
    char text[CLI_NUMBER];

    (void)ctx;
    cli_progress("unpacking the traces: %zu kernels, %s read", kernels, cli_bytes((double)bytes_in, text));
}

int push_traces(struct api *api, const char *path, const char *plan, uint64_t context, const struct cli_output *o,
                struct err *e)
{
    struct push p = {.api = api, .batch = json_array(), .refused = json_array()};
    int ret = p.batch && p.refused ? 0 : err_no_memory(e);

    if (ret == 0)
        ret = read_plan(&p, plan, e);
    cli_remove_scratch_on_signals();
    if (ret == 0)
        ret = bundle_open(path, on_unpacked, NULL, &p.bundle, e);
    if (ret == 0) {
        bundle_order_by_number(&p.bundle, p.invocations);
        for (size_t i = 0; i < p.bundle.count; i++)
            p.bundle.kernels[i].context += context;
        ret = push_wanted(&p, plan, e);
        if (ret == 0)
            ret = finish(&p, plan, o, e);
        bundle_close(&p.bundle);
    }
    json_decref(p.batch);
    json_decref(p.refused);
    free(p.wanted);
    return ret;
}
