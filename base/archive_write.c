/* The header: POSIX.1-1988, "ustar". */
#include "base/archive_write.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zstd.h>

#include "base/array.h"
#include "base/whole_file.h"

enum { BLOCK = 512, NAME = 100, PREFIX = 155, PIECE = 1 << 16, LEVEL = 3 };
#define MEMBER_MAX ((off_t)077777777777) /* eleven octal digits: 8 GiB less a byte */

struct archive_writer {
    int fd;
    ZSTD_CCtx *z;
    char in[PIECE], out[PIECE];
};

struct archive_writer *archive_writer_new(int fd, struct err *e)
{
    struct archive_writer *w = mem_zalloc(1, sizeof *w, e);

    if (!w)
        return NULL;
    w->fd = fd;
    w->z = ZSTD_createCCtx();
    if (w->z && !ZSTD_isError(ZSTD_CCtx_setParameter(w->z, ZSTD_c_compressionLevel, LEVEL)))
        return w;
    archive_writer_free(w);
    err_no_memory(e);
    return NULL;
}

void archive_writer_free(struct archive_writer *w)
{
    if (w)
        ZSTD_freeCCtx(w->z);
    free(w);
}

static int write_out(struct archive_writer *w, size_t n, struct err *e)
{
    return fd_write_all(w->fd, w->out, n) < 0 ? err_set_errno(e, errno, "cannot write the packed files") : 0;
}

static int compress(struct archive_writer *w, const void *bytes, size_t n, ZSTD_EndDirective end, struct err *e)
{
    ZSTD_inBuffer from = {bytes, n, 0};
    size_t left;

    do {
        ZSTD_outBuffer to = {w->out, sizeof w->out, 0};

        left = ZSTD_compressStream2(w->z, &to, &from, end);
        if (ZSTD_isError(left))
            return err_set(e, ERR_INTERNAL, "zstd: %s", ZSTD_getErrorName(left));
        if (write_out(w, to.pos, e) < 0)
            return -1;
    } while (from.pos < from.size || (end == ZSTD_e_end && left > 0));
    return 0;
}

/* Returns the '/' at which the name is split: the text before it goes into the prefix field. NULL: the whole name
 * fits into the name field, or no split makes it fit. */
static const char *part(const char *name)
{
    size_t n = strlen(name);

    for (const char *slash = strchr(name, '/'); n > NAME && slash; slash = strchr(slash + 1, '/'))
        if ((size_t)(slash - name) <= PREFIX && n - (size_t)(slash - name) - 1 <= NAME)
            return slash;
    return NULL;
}

static int write_header(struct archive_writer *w, const char *name, off_t bytes, struct err *e)
{
    const char *slash = part(name), *last = slash ? slash + 1 : name;
    unsigned char h[BLOCK] = {0};
    static const char magic[8] = {'u', 's', 't', 'a', 'r', '\0', '0', '0'};
    size_t n = strlen(last);
    unsigned sum = 0;

    if (n > NAME || n == 0)
        return err_set(e, ERR_INVALID, "%s: its name is too long for a tar file", name);
    if (bytes > MEMBER_MAX)
        return err_set(e, ERR_TOO_LARGE, "%s: larger than 8 GiB, the limit of a member of a tar archive", name);
    for (size_t i = 0; i < n; i++)
        h[i] = (unsigned char)last[i];
    snprintf((char *)h + 100, 8, "%07o", 0644u);
    snprintf((char *)h + 108, 8, "%07o", 0u);
    snprintf((char *)h + 116, 8, "%07o", 0u);
    snprintf((char *)h + 124, 12, "%011llo", (unsigned long long)bytes);
    snprintf((char *)h + 136, 12, "%011o", 0u);
    memset(h + 148, ' ', 8);
    h[156] = '0';
    memcpy(h + 257, magic, sizeof magic);
    if (slash)
        memcpy(h + 345, name, (size_t)(slash - name));
    for (int i = 0; i < BLOCK; i++)
        sum += h[i];
    snprintf((char *)h + 148, 8, "%06o", sum);
    return compress(w, h, sizeof h, ZSTD_e_continue, e);
}

static int pad(struct archive_writer *w, off_t bytes, struct err *e)
{
    static const char zeros[BLOCK];

    return compress(w, zeros, (size_t)((BLOCK - bytes % BLOCK) % BLOCK), ZSTD_e_continue, e);
}

int archive_writer_bytes(struct archive_writer *w, const char *name, const void *bytes, size_t n, struct err *e)
{
    if (write_header(w, name, (off_t)n, e) < 0 || compress(w, bytes, n, ZSTD_e_continue, e) < 0)
        return -1;
    return pad(w, (off_t)n, e);
}

static int copy(struct archive_writer *w, int fd, off_t bytes, const char *path, struct err *e)
{
    for (off_t left = bytes; left > 0;) {
        ssize_t got = read(fd, w->in, left < PIECE ? (size_t)left : PIECE);

        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return err_set_errno(e, errno, "%s", path);
        if (got == 0)
            return err_set(e, ERR_IO, "%s: became shorter while it was read", path);
        if (compress(w, w->in, (size_t)got, ZSTD_e_continue, e) < 0)
            return -1;
        left -= got;
    }
    return 0;
}

int archive_writer_file(struct archive_writer *w, const char *name, const char *path, struct err *e)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC), ret = -1;
    struct stat st;

    if (fd < 0 || fstat(fd, &st) < 0)
        err_set_errno(e, errno, "%s", path);
    else if (!S_ISREG(st.st_mode))
        err_set(e, ERR_INVALID, "%s: not a regular file", path);
    else if (write_header(w, name, st.st_size, e) == 0 && copy(w, fd, st.st_size, path, e) == 0)
        ret = pad(w, st.st_size, e);
    if (fd >= 0)
        close(fd);
    return ret;
}

int archive_writer_finish(struct archive_writer *w, struct err *e)
{
    static const char zeros[2 * BLOCK];

    return compress(w, zeros, sizeof zeros, ZSTD_e_end, e);
}
