#include "server/domain/tasks/pack_places.h"

#include <errno.h>
#include <limits.h>
#include <sys/stat.h>
#include <unistd.h>

#include "server/store/blob/blob_publish.h"
#include "server/store/blob/blob_store.h"
#include "simcore/trace/launch_numbers.h"

struct pack_places pack_places_of(const struct vtrace *v, uint64_t launches)
{
    struct pack_places p = {v, vtrace_launch_count(v) < launches};
    struct launch_numbers n = {.launches = launches};

    for (size_t i = 0; i < vtrace_launch_count(v) && p.by_number; i++)
        p.by_number = launch_number_fits(&n, vtrace_launch_at(v, i)->context, vtrace_launch_at(v, i)->info.id);
    return p;
}

/* Index of the first launch whose context is at least the given one. */
static size_t context_begin(const struct vtrace *v, uint64_t context)
{
    size_t low = 0, high = vtrace_launch_count(v);

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (vtrace_launch_at(v, middle)->context < context)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

int64_t pack_find(const struct pack_places *p, uint64_t context, uint64_t order)
{
    size_t low, first = context_begin(p->file, context);
    size_t end = context == UINT64_MAX ? vtrace_launch_count(p->file) : context_begin(p->file, context + 1);

    if (!p->by_number)
        return order < end - first ? (int64_t)(first + order) : -1;
    for (low = first; low < end;) {
        size_t middle = low + (end - low) / 2;
        uint64_t id = vtrace_launch_at(p->file, middle)->info.id;

        if (id == order + 1)
            return (int64_t)middle;
        if (id < order + 1)
            low = middle + 1;
        else
            end = middle;
    }
    return -1;
}

uint64_t pack_number(const struct pack_places *p, size_t launch)
{
    const struct vtrace_launch *l = vtrace_launch_at(p->file, launch);

    return p->by_number ? l->info.id - 1 : launch - context_begin(p->file, l->context);
}

uint64_t pack_lacks(const struct pack_places *other, const struct pack_places *p)
{
    uint64_t lacks = 0;

    for (size_t i = 0; i < vtrace_launch_count(p->file); i++)
        lacks += pack_find(other, vtrace_launch_at(p->file, i)->context, pack_number(p, i)) < 0;
    return lacks;
}

/* --- Cutting --- */

bool pack_error_lasts(const struct err *e)
{
    return e->code == ERR_INVALID || e->code == ERR_UNSUPPORTED || e->code == ERR_NOT_FOUND ||
           e->code == ERR_TOO_LARGE;
}

static int stage(struct farm *farm, char *path, struct err *e)
{
    int fd;

    if (blob_stage(farm->store.blobs, &fd, path, e) < 0)
        return -1;
    close(fd);
    return 0;
}

int pack_cut(struct farm *farm, struct vtrace *v, size_t launch, char *path, char sha256[SHA256_HEX], struct err *e)
{
    struct inst_source *s = NULL;
    int ret = stage(farm, path, e);

    if (ret < 0)
        return -1;
    if (vtrace_source(v, launch, &s, e) < 0 || vtrace_write_one(path, s, e) < 0 || sha256_file(path, sha256, e) < 0)
        ret = -1;
    inst_source_release(s);
    if (ret < 0)
        unlink(path);
    return ret;
}

static int add_launch(struct vtrace *v, size_t launch, struct vtrace_writer *w, struct err *e)
{
    struct inst_source *s = NULL;
    int ret = vtrace_source(v, launch, &s, e);

    if (ret == 0)
        ret = vtrace_writer_add(w, s, e);
    inst_source_release(s);
    return ret;
}

/* Includes the copies before each launch, but for the first launch only those directly before it. */
static int add_all(struct vtrace *v, const size_t *launches, size_t n, struct vtrace_writer *w, struct err *e)
{
    const struct trace_copies *copies = vtrace_copies(v);
    uint64_t context = vtrace_launch_at(v, launches[0])->context;
    size_t next = 0;

    while (next < copies->count && copies->items[next].before < launches[0])
        next++;
    for (size_t i = 0; i < n; i++) {
        for (; next < copies->count && copies->items[next].before <= launches[i]; next++)
            if (copies->items[next].context == context && vtrace_writer_copy(w, &copies->items[next], e) < 0)
                return -1;
        if (add_launch(v, launches[i], w, e) < 0)
            return -1;
    }
    return 0;
}

int pack_cut_several(struct farm *farm, struct vtrace *v, const size_t *launches, size_t n, char *path,
                     char sha256[SHA256_HEX], struct err *e)
{
    struct vtrace_writer *w = NULL;
    int ret = stage(farm, path, e);

    if (ret < 0)
        return -1;
    if (vtrace_writer_new(path, NULL, &w, e) < 0 || add_all(v, launches, n, w, e) < 0 ||
        vtrace_writer_finish(w, e) < 0 || sha256_file(path, sha256, e) < 0)
        ret = -1;
    vtrace_writer_release(w);
    if (ret < 0)
        unlink(path);
    return ret;
}

int pack_publish(struct farm *farm, struct db *db, const char *path, const char *sha256, int64_t team,
                 struct err *e)
{
    struct blob_publication b = {.staged_path = path, .sha256 = sha256, .team = team};
    struct stat st = {.st_size = 0};
    int ret = stat(path, &st) < 0 ? err_set_errno(e, errno, "%s", path) : 0;

    b.bytes = (uint64_t)st.st_size;
    if (ret == 0)
        ret = blob_publish(&farm->store, db, &b, e);
    if (ret < 0)
        unlink(path);
    return ret;
}
