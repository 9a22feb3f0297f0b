/* Lists that are folders: the stats files of one run, or recorded kernels. */
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/array.h"
#include "base/assert.h"
#include "base/strbuf.h"
#include "base/text.h"
#include "ingest/launch_list.h"
#include "simcore/trace/accel_sim.h"
#include "simcore/trace/bundle.h"

#define STATS_MAX 1024 /* contexts of one run */

struct names {
    char **items;
    size_t count, capacity;
};

static void names_release(struct names *n)
{
    for (size_t i = 0; i < n->count; i++)
        free(n->items[i]);
    free(n->items);
}

static int by_text(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static int add_name(struct names *n, const char *folder, const char *name, struct err *e)
{
    struct strbuf b = STRBUF_INIT;

    ASSERT(n->count <= STATS_MAX && n->count <= n->capacity);
    if (n->count >= STATS_MAX)
        return err_set(e, ERR_TOO_LARGE, "%s: more than %d stats files", folder, STATS_MAX);
    strbuf_addf(&b, "%s/%s", folder, name);
    if (array_reserve((void **)&n->items, &n->capacity, n->count + 1, sizeof *n->items, e) < 0) {
        strbuf_release(&b);
        return -1;
    }
    n->items[n->count] = strbuf_detach(&b);
    if (!n->items[n->count])
        return err_no_memory(e);
    n->count++;
    return 0;
}

/* Finds stats.csv and the newer stats_ctx_0x…, which has no extension. */
static int find_stats(const char *folder, struct names *n, struct err *e)
{
    DIR *d = opendir(folder);
    struct dirent *f;
    int ret = 0;

    if (!d)
        return errno == ENOENT || errno == ENOTDIR ? 0 : err_set_errno(e, errno, "%s", folder);
    while (ret == 0 && (f = readdir(d)))
        if (strcmp(f->d_name, "stats.csv") == 0 || str_starts(f->d_name, "stats_ctx_"))
            ret = add_name(n, folder, f->d_name, e);
    closedir(d);
    if (n->count)
        qsort(n->items, n->count, sizeof *n->items, by_text);
    return ret;
}

static int walk_file(const char *path, const char *group, launch_visit_fn visit, void *ctx, const char **format,
                     struct err *e)
{
    struct stream *s;
    int ret;

    if (stream_open(path, &s, e) < 0)
        return -1;
    ret = launch_list_walk_stream(s, group, visit, ctx, format, e);
    stream_close(s);
    return ret;
}

static int walk_stats(const struct names *n, launch_visit_fn visit, void *ctx, const char **format, struct err *e)
{
    for (size_t i = 0; i < n->count; i++) {
        struct stat st;

        /* the file of a context without launches is empty */
        if (stat(n->items[i], &st) == 0 && st.st_size == 0)
            continue;
        ASSERT(strrchr(n->items[i], '/'));
        if (walk_file(n->items[i], strrchr(n->items[i], '/') + 1, visit, ctx, format, e) < 0)
            return -1;
    }
    return 0;
}

/* --- recorded kernels --- */

struct traces {
    launch_visit_fn visit;
    void *ctx;
};

static int visit_trace(void *ctx, const struct bundle_entry *entry, struct stream *s, struct err *e)
{
    const struct traces *t = ctx;
    struct kernel_info k = {0};
    char group[40];
    struct listed_launch v = {.group = group,
                              .place = "kernel",
                              .number = entry->id ? entry->id : entry->order + 1,
                              .has_shape = true,
                              .has_order = true,
                              .order = entry->id ? entry->id - 1 : entry->order, /* tracers count from 1 */
                              .position = entry->order,
                              .whole = entry->count};
    int ret;

    if (bundle_entry_info(entry, s, &k, e) < 0)
        return -1;
    snprintf(group, sizeof group, "context %llu", (unsigned long long)entry->context);
    text_sanitize(k.name);
    v.name = k.name;
    memcpy(v.grid, k.grid, sizeof v.grid);
    memcpy(v.block, k.block, sizeof v.block);
    ret = t->visit(t->ctx, &v, e);
    kernel_info_release(&k);
    return ret;
}

static int walk_traces(const char *path, launch_visit_fn visit, void *ctx, const char **format, struct err *e)
{
    struct traces t = {visit, ctx};

    *format = "traces";
    return bundle_walk(path, visit_trace, &t, e);
}

/* A kernel list only contains names of files beside it, so these files are read. */
static int walk_kernel_list(const char *path, launch_visit_fn visit, void *ctx, const char **format, struct err *e)
{
    const char *slash = strrchr(path, '/');
    char *folder = slash ? mem_strndup(path, (size_t)(slash - path) + 1, e) : mem_strdup(".", e);
    int ret = folder ? walk_traces(folder, visit, ctx, format, e) : -1;

    free(folder);
    return ret;
}

static bool is_kernel_list(const char *path)
{
    const char *slash = strrchr(path, '/');

    return str_starts(slash ? slash + 1 : path, "kernelslist");
}

static int walk_folder(const char *path, launch_visit_fn visit, void *ctx, const char **format, struct err *e)
{
    struct strbuf below = STRBUF_INIT;
    struct names n = {0};
    int ret;

    strbuf_addf(&below, "%s/traces", path); /* most versions of the tracer write there */
    ret = below.failed ? err_no_memory(e) : find_stats(path, &n, e);
    if (ret == 0 && n.count == 0)
        ret = find_stats(below.text, &n, e);
    if (ret == 0)
        ret = n.count ? walk_stats(&n, visit, ctx, format, e) : walk_traces(path, visit, ctx, format, e);
    ASSERT(n.count <= STATS_MAX);
    names_release(&n);
    strbuf_release(&below);
    return ret;
}

int launch_list_walk(const char *path, launch_visit_fn visit, void *ctx, const char **format, struct err *e)
{
    struct err ignored;
    struct stat st;

    *format = "unknown";
    if (stat(path, &st) < 0)
        return err_set_errno(e, errno, "%s", path);
    if (S_ISDIR(st.st_mode))
        return walk_folder(path, visit, ctx, format, e);
    if (is_kernel_list(path))
        return walk_kernel_list(path, visit, ctx, format, e);
    if (bundle_recognise(path, &ignored) > 0)
        return walk_traces(path, visit, ctx, format, e);
    return walk_file(path, "", visit, ctx, format, e);
}
