#include "base/whole_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/array.h"
#include "base/strbuf.h"

enum { READ_STEP = 65536 };

int fd_write_all(int fd, const void *bytes, size_t n)
{
    const char *p = bytes;

    while (n) {
        ssize_t wrote = write(fd, p, n);

        if (wrote < 0 && errno == EINTR)
            continue;
        if (wrote < 0)
            return -1;
        p += wrote;
        n -= (size_t)wrote;
    }
    return 0;
}

static int write_in_place(const char *path, const void *bytes, size_t n)
{
    int fd = open(path, O_WRONLY | O_CLOEXEC), why = 0;

    if (fd < 0)
        return -1;
    if (fd_write_all(fd, bytes, n) < 0)
        why = errno;
    if (close(fd) < 0 && !why)
        why = errno;
    errno = why;
    return why ? -1 : 0;
}

/* -1 with errno set. */
static int write_part(const char *part, const void *bytes, size_t n)
{
    int fd = open(part, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666), why = 0;

    if (fd < 0)
        return -1;
    if (fd_write_all(fd, bytes, n) < 0 || fsync(fd) < 0)
        why = errno;
    if (close(fd) < 0 && !why)
        why = errno;
    errno = why;
    return why ? -1 : 0;
}

int whole_file_write(const char *path, const void *bytes, size_t n, struct err *e)
{
    struct strbuf part = STRBUF_INIT;
    int ret = 0;

    strbuf_addf(&part, "%s.part-%ld", path, (long)getpid());
    if (part.failed)
        return err_no_memory(e);
    if (write_part(part.text, bytes, n) < 0 || rename(part.text, path) < 0) {
        ret = err_set_errno(e, errno, "%s", path);
        unlink(part.text);
    }
    strbuf_release(&part);
    return ret;
}

int whole_file_put(const char *path, const void *bytes, size_t n, struct err *e)
{
    struct stat there;

    if (stat(path, &there) < 0 || S_ISREG(there.st_mode))
        return whole_file_write(path, bytes, n, e);
    return write_in_place(path, bytes, n) < 0 ? err_set_errno(e, errno, "%s", path) : 0;
}

int whole_file_read(const char *path, size_t most, char **bytes, size_t *n, struct err *e)
{
    size_t capacity = 0, got;
    FILE *f = fopen(path, "rb");
    int ret = -1;

    *bytes = NULL;
    *n = 0;
    if (!f)
        return err_set_errno(e, errno, "%s", path);
    do {
        if (array_reserve((void **)bytes, &capacity, *n + READ_STEP + 1, 1, e) < 0)
            goto out;
        got = fread(*bytes + *n, 1, READ_STEP, f);
        *n += got;
    } while (got && *n <= most);
    if (ferror(f))
        ret = err_set_errno(e, errno, "%s", path);
    else if (*n > most)
        ret = err_set(e, ERR_TOO_LARGE, "%s: larger than the limit of %zu bytes", path, most);
    else
        ret = 0;
    (*bytes)[*n] = '\0';
out:
    if (ret < 0) {
        free(*bytes);
        *bytes = NULL;
    }
    fclose(f);
    return ret;
}
