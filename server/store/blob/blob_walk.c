/* server/store/blob/blob_walk.c: walks the files of the store's folder, with or without a row in the database. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/text.h"
#include "server/store/blob/blob_store_internal.h"

struct walk {
    int64_t before;
    const char *prefix; /* only names with this prefix count; it is removed from the name */
    blob_walk_fn each;
    void *ctx;
};

static int visit(const struct walk *w, int folder, const char *name, struct err *e)
{
    struct stat st;

    if (!str_starts(name, w->prefix) || fstatat(folder, name, &st, AT_SYMLINK_NOFOLLOW) < 0 ||
        !S_ISREG(st.st_mode) || st.st_mtime >= w->before)
        return 0;
    return w->each(w->ctx, name + strlen(w->prefix), (uint64_t)st.st_size, e);
}

/* depth 0: files; depth > 0: folders named by two hex digits. A missing folder counts as empty. */
static int walk_folder(const struct walk *w, const char *path, int depth, struct err *e)
{
    DIR *d = opendir(path);
    const struct dirent *f;
    int ret = 0;

    if (!d)
        return errno == ENOENT ? 0 : err_set_errno(e, errno, "%s", path);
    while (ret == 0 && (f = readdir(d))) {
        char below[PATH_MAX];

        if (f->d_name[0] == '.')
            continue;
        if (depth == 0)
            ret = visit(w, dirfd(d), f->d_name, e);
        else if (strlen(f->d_name) == 2 &&
                 snprintf(below, sizeof below, "%s/%s", path, f->d_name) < (int)sizeof below)
            ret = walk_folder(w, below, depth - 1, e);
    }
    closedir(d);
    return ret;
}

int blob_walk(const struct blob_store *s, int64_t before, blob_walk_fn each, void *ctx, struct err *e)
{
    const struct walk w = {before, "", each, ctx};
    char path[PATH_MAX];

    if (s->s3)
        return 0;
    snprintf(path, sizeof path, "%s/blobs", s->folder);
    return walk_folder(&w, path, 2, e);
}

int blob_walk_uploads(const struct blob_store *s, int64_t before, blob_walk_fn each, void *ctx, struct err *e)
{
    const struct walk w = {before, "upload-", each, ctx};
    char path[PATH_MAX];

    snprintf(path, sizeof path, "%s/staging", s->folder);
    return walk_folder(&w, path, 0, e);
}
