#include "server/domain/tasks/pack_places.h"

#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

#include "server/store/blob/blob_publish.h"
#include "server/store/blob/blob_store.h"
#include "simcore/trace/launch_numbers.h"

struct pack_places pack_places_of(const struct pack_table *t, uint64_t launches)
{
    struct pack_places p = {t, t->count < launches};
    struct launch_numbers n = {.launches = launches};

    for (size_t i = 0; i < t->count && p.by_number; i++)
        p.by_number = launch_number_fits(&n, t->launches[i].context, t->launches[i].id);
    return p;
}

/* Index of the first launch whose context is at least the given one. */
static size_t context_begin(const struct pack_table *t, uint64_t context)
{
    size_t low = 0, high = t->count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (t->launches[middle].context < context)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

int64_t pack_find(const struct pack_places *p, uint64_t context, uint64_t order)
{
    size_t low, first = context_begin(p->file, context);
    size_t end = context == UINT64_MAX ? p->file->count : context_begin(p->file, context + 1);

    if (!p->by_number)
        return order < end - first ? (int64_t)(first + order) : -1;
    for (low = first; low < end;) {
        size_t middle = low + (end - low) / 2;
        uint64_t id = p->file->launches[middle].id;

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
    const struct pack_launch *l = &p->file->launches[launch];

    return p->by_number ? l->id - 1 : launch - context_begin(p->file, l->context);
}

uint64_t pack_lacks(const struct pack_places *other, const struct pack_places *p)
{
    uint64_t lacks = 0;

    for (size_t i = 0; i < p->file->count; i++)
        lacks += pack_find(other, p->file->launches[i].context, pack_number(p, i)) < 0;
    return lacks;
}

bool pack_error_lasts(const struct err *e)
{
    return e->code == ERR_INVALID || e->code == ERR_UNSUPPORTED || e->code == ERR_NOT_FOUND ||
           e->code == ERR_TOO_LARGE;
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
