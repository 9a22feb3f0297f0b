#include "server/http/static_files.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/array.h"
#include "base/log.h"
#include "base/text.h"

struct static_files {
    int folder; /* -1: not there */
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

int static_files_get(const struct static_files *f, const char *path, int *fd, uint64_t *bytes, const char **type)
{
    struct stat st;

    if (f->folder < 0)
        return 0;
    *fd = openat(f->folder, path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (*fd < 0)
        return 0;
    if (fstat(*fd, &st) < 0 || !S_ISREG(st.st_mode)) {
        close(*fd);
        return 0;
    }
    *bytes = (uint64_t)st.st_size;
    *type = type_of(path);
    return 1;
}
