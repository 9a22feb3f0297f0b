#include "server/platform/net/static_files.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/array.h"
#include "base/log.h"
#include "base/text.h"

struct static_files {
    int folder; /* -1: the folder does not exist */
};

int static_files_open(const char *folder, struct static_files **out, struct err *e)
{
    struct static_files *f = mem_zalloc(1, sizeof *f, e);

    if (!f)
        return -1;
    f->folder = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (f->folder < 0)
        log_warn("server", "the dashboard's files are not there; the API works without them", "folder=%s error=%s",
                 folder, strerror(errno));
    *out = f;
    return 0;
}

void static_files_close(struct static_files *f)
{
    if (!f)
        return;
    if (f->folder >= 0)
        close(f->folder);
    free(f);
}

static const char *type_of(const char *path)
{
    static const struct {
        const char *end, *type;
    } types[] = {
        {".html", "text/html; charset=utf-8"},
        {".js", "text/javascript; charset=utf-8"},
        {".mjs", "text/javascript; charset=utf-8"},
        {".css", "text/css; charset=utf-8"},
        {".svg", "image/svg+xml"},
        {".json", "application/json"},
        {".png", "image/png"},
        {".ico", "image/x-icon"},
        {".woff2", "font/woff2"},
        {".txt", "text/plain; charset=utf-8"},
    };

    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++)
        if (str_ends(path, types[i].end))
            return types[i].type;
    return "application/octet-stream";
}

/* Looks for "gzip" or "*" among the codings. A weight of 0 excludes it. */
bool static_files_gzip(const char *accepts)
{
    bool takes = false;

    while (accepts && *accepts) {
        size_t length, name;
        const char *q;

        accepts += strspn(accepts, " \t,");
        length = strcspn(accepts, ",");
        name = strcspn(accepts, " \t,;");
        q = memmem(accepts, length, "q=", 2);
        if (name == 4 && strncasecmp(accepts, "gzip", 4) == 0)
            return !q || strtod(q + 2, NULL) > 0;
        if (name == 1 && *accepts == '*')
            takes = !q || strtod(q + 2, NULL) > 0;
        accepts += length;
    }
    return takes;
}

/* Opens a regular file and reads its size. Anything else is closed again. */
static int open_regular(int folder, const char *path, struct static_file *out)
{
    struct stat st;

    out->fd = openat(folder, path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (out->fd < 0)
        return 0;
    if (fstat(out->fd, &st) < 0 || !S_ISREG(st.st_mode)) {
        close(out->fd);
        return 0;
    }
    out->bytes = (uint64_t)st.st_size;
    return 1;
}

int static_files_get(const struct static_files *f, const char *path, bool gzip, struct static_file *out)
{
    char packed[PATH_MAX];

    if (f->folder < 0)
        return 0;
    out->type = type_of(path);
    out->gzip = gzip && snprintf(packed, sizeof packed, "%s.gz", path) < (int)sizeof packed &&
                open_regular(f->folder, packed, out);
    return out->gzip || open_regular(f->folder, path, out);
}
