#include "simcore/trace/bundle.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/archive.h"
#include "base/array.h"
#include "base/assert.h"
#include "base/strbuf.h"
#include "base/text.h"
#include "simcore/trace/bundle_list.h"
#include "simcore/trace/bundle_scratch.h"
#include "simcore/trace/launch_numbers.h"
#include "simcore/trace/macsim.h"
#include "simcore/trace/vtrace.h"

/* Accel-Sim's hw_run/traces/device-0/<CUDA>/<app>/<input>/traces/GPU_0/kernelslist.g has seven below hw_run; and
 * some more for folders around it. */
#define FOLDER_DEPTH_MAX  12
#define RECOGNISE_MEMBERS 200 /* members of a tar that are examined before it is rejected */

/* --- a folder on disk --- */

static char *join(const char *folder, const char *name, struct err *e)
{
    struct strbuf b = STRBUF_INIT;
    char *path;

    strbuf_addf(&b, "%s%s%s", folder, *folder ? "/" : "", name);
    path = strbuf_detach(&b);
    if (!path)
        err_no_memory(e);
    return path;
}

static int add_list_file(struct catalog *c, const char *name, const char *path, struct err *e)
{
    struct stream *s;
    int ret;

    if (stream_open(path, &s, e) < 0)
        return -1;
    ret = catalog_add_list(c, name, s, e);
    stream_close(s);
    return ret;
}

static int scan_folder(struct catalog *c, const char *path, const char *name, int depth, struct err *e);

/* One entry of a folder; `name` is its path relative to the folder that the user named. */
static int scan_entry(struct catalog *c, const char *path, const char *name, int depth, struct err *e)
{
    struct stat st;

    ASSERT(depth <= FOLDER_DEPTH_MAX);
    /* symbolic links to folders are not followed: they can form a cycle */
    if (lstat(path, &st) == 0 && S_ISDIR(st.st_mode))
        return depth < FOLDER_DEPTH_MAX ? scan_folder(c, path, name, depth + 1, e) : 0;
    if (bundle_classify(name) == BUNDLE_OTHER || stat(path, &st) < 0 || !S_ISREG(st.st_mode))
        return 0;
    switch (bundle_classify(name)) {
    case BUNDLE_LIST: return add_list_file(c, name, path, e);
    case BUNDLE_VTRACE: return catalog_add_vtrace(c, name, path, e);
    default: return catalog_add_file(c, name, path, e);
    }
}

static int scan_folder(struct catalog *c, const char *path, const char *name, int depth, struct err *e)
{
    DIR *d = opendir(path);
    struct dirent *entry;
    int ret = 0;

    if (!d)
        return err_set_errno(e, errno, "cannot read the folder %s", path);
    while (ret == 0 && (entry = readdir(d)) != NULL) {
        char *below, *at;

        if (entry->d_name[0] == '.')
            continue;
        at = join(path, entry->d_name, e);
        below = at ? join(name, entry->d_name, e) : NULL;
        ret = below ? scan_entry(c, at, below, depth, e) : -1;
        free(below);
        free(at);
    }
    closedir(d);
    return ret;
}

/* --- a tar --- */

struct unpacking {
    const char *scratch; /* NULL: collect names only */
    bundle_progress_fn progress;
    void *ctx;
    size_t kernels;
};

/* Rejects a MacSim launch in a tar: it consists of thousands of small files. */
static int not_in_a_tar(const char *member, struct err *e)
{
    err_set(e, ERR_UNSUPPORTED, "%.200s: a trace of MacSim's tracer is read from a folder, not from a tar", member);
    return err_hint(e, "Unpack the tar and name the folder.");
}

/* Unpacks a kernel file or a .vtrace. */
static int take_kernel(struct archive *a, const struct archive_member *m, struct catalog *c, struct unpacking *u,
                       struct err *e)
{
    bool is_vtrace = bundle_classify(m->name) == BUNDLE_VTRACE;
    int (*add)(struct catalog *, const char *, const char *, struct err *) =
        is_vtrace ? catalog_add_vtrace : catalog_add_file;
    struct stream *s;
    char *path;
    int ret;

    ASSERT(is_vtrace || bundle_classify(m->name) == BUNDLE_KERNEL);
    if (bundle_format(m->name) != TRACE_ACCEL_SIM)
        return not_in_a_tar(m->name, e);
    if (!u->scratch)
        return add(c, m->name, m->name, e);
    if (archive_member_stream(a, &s, e) < 0)
        return -1;
    ret = scratch_keep(u->scratch, ++u->kernels, m->name, s, !is_vtrace, &path, e);
    stream_close(s);
    if (ret < 0)
        return -1;
    ret = add(c, m->name, path, e);
    free(path);
    if (u->progress)
        u->progress(u->ctx, archive_bytes_in(a), u->kernels);
    return ret;
}

static int take_list(struct archive *a, const struct archive_member *m, struct catalog *c, struct err *e)
{
    struct stream *s;
    int ret;

    ASSERT(bundle_classify(m->name) == BUNDLE_LIST);
    if (archive_member_stream(a, &s, e) < 0)
        return -1;
    ret = catalog_add_list(c, m->name, s, e);
    stream_close(s);
    return ret;
}

static int scan_tar(struct catalog *c, const char *path, struct unpacking *u, struct err *e)
{
    struct archive *a;
    struct archive_member m = {0};
    int got;

    if (archive_open(path, &a, e) < 0)
        return -1;
    while ((got = archive_next(a, &m, e)) > 0) {
        enum bundle_name what = bundle_classify(m.name);

        if ((what == BUNDLE_LIST && take_list(a, &m, c, e) < 0) ||
            ((what == BUNDLE_KERNEL || what == BUNDLE_VTRACE) && take_kernel(a, &m, c, u, e) < 0)) {
            got = -1;
            break;
        }
    }
    archive_close(a);
    return got;
}

/* --- what is at `path`? --- */

enum kind { FOLDER, TAR, FILE_ALONE };

static int kind_of(const char *path, enum kind *out, struct err *e)
{
    struct stat st;
    int is_tar;

    if (stat(path, &st) < 0)
        return err_set_errno(e, errno, "cannot open %s", path);
    *out = FOLDER;
    if (S_ISDIR(st.st_mode))
        return 0;
    is_tar = archive_recognise(path, e);
    *out = is_tar > 0 ? TAR : FILE_ALONE;
    return is_tar < 0 ? -1 : 0;
}

static int collect_file(const char *path, struct catalog *c, struct err *e)
{
    const char *slash = strrchr(path, '/');
    enum trace_format format;

    if (trace_file_recognise(path, &format, e) < 0)
        return -1;
    return format == TRACE_VTRACE ? catalog_add_vtrace(c, slash ? slash + 1 : path, path, e)
                                  : catalog_add_file(c, slash ? slash + 1 : path, path, e);
}

static int collect(const char *path, enum kind kind, struct catalog *c, struct unpacking *u, struct err *e)
{
    switch (kind) {
    case FOLDER: return scan_folder(c, path, "", 0, e);
    case TAR: return scan_tar(c, path, u, e);
    default: return collect_file(path, c, e);
    }
}

/* Whether a file is a kernel file ("-kernel name = ..."), a MacSim trace.txt or a .vtrace. 1: yes. */
static int file_recognise(const char *path, struct err *e)
{
    struct stream *s;
    char head[8] = {0};
    size_t have = 0;
    ssize_t got = 1;

    if (stream_open(path, &s, e) < 0)
        return -1;
    while (have < sizeof head && (got = stream_read(s, head + have, sizeof head - have, e)) > 0)
        have += (size_t)got;
    stream_close(s);
    if (got < 0)
        return -1;
    return (have == sizeof head && memcmp(head, "-kernel ", sizeof head) == 0) || macsim_recognise(head, have) ||
           vtrace_recognise_head(head, have);
}

static int check_file(const char *path, struct err *e)
{
    int known = file_recognise(path, e);

    if (known != 0)
        return known < 0 ? -1 : 0;
    err_set(e, ERR_INVALID, "%s: neither a kernel trace nor a tar of them", path);
    return err_hint(
        e, "A kernel trace begins with `-kernel name = `; traces come as such files, .vtrace files, a folder or a "
           "tar. "
           "For traces of MacSim, give the folder or a trace.txt.");
}

static int open_bundle(const char *path, struct unpacking u, bool skip_missing, struct bundle *out, struct err *e)
{
    struct catalog c = {.skip_missing = skip_missing};
    enum kind kind = FOLDER;
    int ret;

    *out = (struct bundle){0};
    if (kind_of(path, &kind, e) < 0)
        return -1;
    if (kind == FILE_ALONE && check_file(path, e) < 0)
        return -1;
    if (kind == TAR && !(out->scratch = scratch_new(e)))
        return -1;
    u.scratch = out->scratch;
    ret = collect(path, kind, &c, &u, e);
    if (ret == 0)
        ret = catalog_resolve(&c, path, out, e);
    catalog_release(&c);
    if (ret < 0)
        bundle_close(out);
    return ret;
}

int bundle_open(const char *path, bundle_progress_fn progress, void *ctx, struct bundle *out, struct err *e)
{
    return open_bundle(path, (struct unpacking){.progress = progress, .ctx = ctx}, false, out, e);
}

int bundle_open_present(const char *path, bundle_progress_fn progress, void *ctx, struct bundle *out, struct err *e)
{
    return open_bundle(path, (struct unpacking){.progress = progress, .ctx = ctx}, true, out, e);
}

void bundle_order_by_number(struct bundle *b, uint64_t launches)
{
    struct launch_numbers n = {.launches = launches};

    if (b->count + b->missing >= launches)
        return;
    for (size_t i = 0; i < b->count; i++)
        if (!launch_number_fits(&n, b->kernels[i].context, b->kernels[i].id))
            return;
    for (size_t i = 0; i < b->count; i++)
        b->kernels[i].order = b->kernels[i].id - 1;
}

void bundle_close(struct bundle *b)
{
    for (size_t i = 0; i < b->count; i++) {
        free(b->kernels[i].path);
        free(b->kernels[i].name);
        free(b->kernels[i].label);
    }
    free(b->kernels);
    free(b->copies.items);
    for (size_t i = 0; i < b->file_count; i++)
        vtrace_close(b->files[i]);
    free(b->files);
    if (b->scratch)
        scratch_remove(b->scratch);
    free(b->scratch);
    *b = (struct bundle){0};
}

void bundle_abandon_all(void)
{
    scratch_abandon_all();
}

/* --- walking --- */

struct trace_place bundle_place(const struct bundle_kernel *k)
{
    ASSERT(k->format != TRACE_VTRACE || k->file);
    return (struct trace_place){k->format, k->path, k->name, k->file, k->launch};
}

int bundle_entry_open(const struct bundle_entry *entry, struct stream *s, struct inst_source **out, struct err *e)
{
    return s ? accel_sim_open_over(s, out, e) : trace_file_open(&entry->place, out, e);
}

int bundle_entry_info(const struct bundle_entry *entry, struct stream *s, struct kernel_info *info, struct err *e)
{
    return s ? accel_sim_read_info(s, info, e) : trace_file_info(&entry->place, info, e);
}

int bundle_entry_count(const struct bundle_entry *entry, struct stream *s, struct kernel_info *info,
                       struct trace_counts *out, uint64_t *bytes, struct err *e)
{
    int ret;

    if (!s)
        return trace_file_count(&entry->place, info, out, bytes, e);
    ret = accel_sim_read_info(s, info, e);
    if (ret == 0)
        ret = accel_sim_count(s, info, out, e);
    *bytes = stream_bytes_in(s);
    return ret;
}

static int visit_kernel(const struct bundle *b, size_t i, struct stream *s, bundle_visit_fn visit, void *ctx,
                        struct err *e)
{
    const struct bundle_kernel *k = &b->kernels[i];
    struct bundle_entry entry = {k->label, k->id,    k->context,       k->order,
                                 i,        b->count, b->memory_copies, bundle_place(k)};

    ASSERT(i < b->count);
    return visit(ctx, &entry, s, e);
}

static int walk_files(const struct bundle *b, bundle_visit_fn visit, void *ctx, struct err *e)
{
    for (size_t i = 0; i < b->count; i++) {
        struct stream *s = NULL;
        int ret;

        if (b->kernels[i].format == TRACE_ACCEL_SIM && stream_open(b->kernels[i].path, &s, e) < 0)
            return -1;
        ret = visit_kernel(b, i, s, visit, ctx, e);
        stream_close(s);
        if (ret < 0)
            return -1;
    }
    return 0;
}

uint64_t bundle_entry_bytes(const struct bundle_entry *entry, const struct stream *s,
                            const struct inst_source *source)
{
    ASSERT(s || source || entry->place.format != TRACE_MACSIM);
    if (s)
        return stream_bytes_in(s);
    return entry->place.format == TRACE_MACSIM ? macsim_bytes_in(source) : 0;
}

/* Kernels sorted by the name of their tar member, to find them while the tar is read. */
struct named_kernel {
    const char *name;
    size_t index;
};

static int by_member(const void *a, const void *b)
{
    return strcmp(((const struct named_kernel *)a)->name, ((const struct named_kernel *)b)->name);
}

static int walk_member(struct archive *a, const struct bundle *b, size_t index, bundle_visit_fn visit, void *ctx,
                       struct err *e)
{
    struct stream *s;
    int ret;

    if (archive_member_stream(a, &s, e) < 0)
        return -1;
    ret = visit_kernel(b, index, s, visit, ctx, e);
    stream_close(s);
    return ret;
}

static int walk_members(struct archive *a, const struct bundle *b, const struct named_kernel *names,
                        bundle_visit_fn visit, void *ctx, struct err *e)
{
    struct archive_member m = {0};
    int got;

    while ((got = archive_next(a, &m, e)) > 0) {
        struct named_kernel key = {m.name, 0};
        const struct named_kernel *k = bsearch(&key, names, b->count, sizeof *names, by_member);

        if (k && walk_member(a, b, k->index, visit, ctx, e) < 0)
            return -1;
    }
    return got;
}

static int walk_tar(const char *path, const struct bundle *b, bundle_visit_fn visit, void *ctx, struct err *e)
{
    struct named_kernel *names = mem_zalloc(b->count, sizeof *names, e);
    struct archive *a = NULL;
    int ret = -1;

    if (names && archive_open(path, &a, e) == 0) {
        for (size_t i = 0; i < b->count; i++)
            names[i] = (struct named_kernel){b->kernels[i].path, i};
        qsort(names, b->count, sizeof *names, by_member);
        ret = walk_members(a, b, names, visit, ctx, e);
    }
    archive_close(a);
    free(names);
    return ret;
}

/* A .vtrace needs random access, so a .vtrace in a tar is unpacked first. */
static int walk_unpacked(const char *path, bundle_visit_fn visit, void *ctx, struct err *e)
{
    struct bundle b;
    int ret;

    if (bundle_open(path, NULL, NULL, &b, e) < 0)
        return -1;
    ret = walk_files(&b, visit, ctx, e);
    bundle_close(&b);
    return ret;
}

int bundle_walk(const char *path, bundle_visit_fn visit, void *ctx, struct err *e)
{
    struct unpacking names_only = {0};
    struct catalog c = {0};
    struct bundle b = {0};
    enum kind kind = FOLDER;
    int ret;

    if (kind_of(path, &kind, e) < 0)
        return -1;
    ret = collect(path, kind, &c, &names_only, e);
    if (ret == 0 && kind == TAR && c.vtrace_count > 0 && c.file_count == 0) {
        catalog_release(&c);
        return walk_unpacked(path, visit, ctx, e);
    }
    if (ret == 0)
        ret = catalog_resolve(&c, path, &b, e);
    catalog_release(&c);
    if (ret == 0)
        ret = kind == TAR ? walk_tar(path, &b, visit, ctx, e) : walk_files(&b, visit, ctx, e);
    bundle_close(&b);
    return ret;
}

/* --- recognising --- */

static int tar_recognise(const char *path, struct err *e)
{
    struct archive *a;
    struct archive_member m = {0};
    int got = 0, found = 0;

    if (archive_open(path, &a, e) < 0)
        return -1;
    for (int i = 0; i < RECOGNISE_MEMBERS && !found && (got = archive_next(a, &m, e)) > 0; i++)
        found = bundle_classify(m.name) != BUNDLE_OTHER;
    archive_close(a);
    return found ? 1 : got < 0 ? -1 : 0;
}

int bundle_recognise(const char *path, struct err *e)
{
    struct catalog c = {0};
    enum kind kind = FOLDER;
    int ret;

    if (kind_of(path, &kind, e) < 0)
        return -1;
    if (kind == TAR)
        return tar_recognise(path, e);
    if (kind == FILE_ALONE)
        return file_recognise(path, e);
    ret = scan_folder(&c, path, "", 0, e);
    ret = ret < 0 ? -1 : c.file_count + c.vtrace_count > 0;
    catalog_release(&c);
    return ret;
}
