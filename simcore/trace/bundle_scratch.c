#include "simcore/trace/bundle_scratch.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <zstd.h>

#include "base/array.h"
#include "base/assert.h"
#include "base/strbuf.h"

#define COPY_BYTES (128u << 10)
/* files are read once or twice, so speed matters more than size; traces still shrink to about 1 % */
#define LEVEL     1
#define LABEL_MAX 100

/* Folders that a signal handler must remove. A slot is valid only when `taken` is set, so the handler sees complete
 * names. More bundles than slots can be open, but the additional folders stay if the process is killed. */
#define LIVE_MAX 8
static struct live {
    char path[PATH_MAX];
    volatile sig_atomic_t taken;
} live[LIVE_MAX];

static void remember(const char *path)
{
    for (size_t i = 0; i < LIVE_MAX && strlen(path) < PATH_MAX; i++)
        if (!live[i].taken) {
            strcpy(live[i].path, path);
            atomic_signal_fence(memory_order_release);
            live[i].taken = 1;
            return;
        }
}

static void forget(const char *path)
{
    for (size_t i = 0; i < LIVE_MAX; i++)
        if (live[i].taken && strcmp(live[i].path, path) == 0)
            live[i].taken = 0;
}

char *scratch_new(struct err *e)
{
    const char *where = getenv("TMPDIR");
    struct strbuf b = STRBUF_INIT;
    char *path;

    strbuf_addf(&b, "%s/vivace-traces-XXXXXX", where && *where ? where : "/tmp");
    path = strbuf_detach(&b);
    if (!path) {
        err_no_memory(e);
        return NULL;
    }
    if (!mkdtemp(path)) {
        err_set_errno(e, errno, "cannot make a temporary folder %s", path);
        err_hint(e, "Set TMPDIR to a folder that you may write to.");
        free(path);
        return NULL;
    }
    remember(path);
    return path;
}

static int write_all(int fd, const char *path, const char *bytes, size_t n, struct err *e)
{
    while (n > 0) {
        ssize_t put = write(fd, bytes, n);

        if (put < 0 && errno == EINTR)
            continue;
        if (put < 0) {
            err_set_errno(e, errno, "cannot write %s", path);
            return err_hint(e,
                            "Unpacking a tar of traces needs disk space. Set TMPDIR to a folder with more space.");
        }
        bytes += put;
        n -= (size_t)put;
    }
    return 0;
}

static int compress(struct stream *s, ZSTD_CCtx *z, int fd, const char *path, char *in, char *out, struct err *e)
{
    ssize_t got;

    do {
        ZSTD_inBuffer from = {in, 0, 0};
        size_t left;

        got = stream_read(s, in, COPY_BYTES, e);
        if (got < 0)
            return -1;
        from.size = (size_t)got;
        do {
            ZSTD_outBuffer to = {out, COPY_BYTES, 0};

            left = ZSTD_compressStream2(z, &to, &from, got ? ZSTD_e_continue : ZSTD_e_end);
            if (ZSTD_isError(left))
                return err_set(e, ERR_INTERNAL, "compressing %s: %s", path, ZSTD_getErrorName(left));
            if (write_all(fd, path, out, to.pos, e) < 0)
                return -1;
        } while (from.pos < from.size || (got == 0 && left > 0));
    } while (got > 0);
    return 0;
}

static int copy(struct stream *s, int fd, const char *path, char *buffer, struct err *e)
{
    ssize_t got;

    while ((got = stream_read(s, buffer, COPY_BYTES, e)) > 0)
        if (write_all(fd, path, buffer, (size_t)got, e) < 0)
            return -1;
    return (int)got;
}

static char *scratch_path(const char *scratch, size_t number, const char *label, struct err *e)
{
    const char *slash = strrchr(label, '/');
    struct strbuf b = STRBUF_INIT;
    char *path;

    strbuf_addf(&b, "%s/%zu-%.*s", scratch, number, LABEL_MAX, slash ? slash + 1 : label);
    path = strbuf_detach(&b);
    if (!path)
        err_no_memory(e);
    return path;
}

int scratch_keep(const char *scratch, size_t number, const char *label, struct stream *s, bool packed, char **path,
                 struct err *e)
{
    ZSTD_CCtx *z = ZSTD_createCCtx();
    char *buffers = malloc((size_t)2 * COPY_BYTES);
    int fd = -1, ret = -1;

    *path = scratch_path(scratch, number, label, e);
    if (!z || !buffers || ZSTD_isError(ZSTD_CCtx_setParameter(z, ZSTD_c_compressionLevel, LEVEL)))
        err_no_memory(e);
    else if (*path && (fd = open(*path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600)) < 0)
        err_set_errno(e, errno, "cannot create %s", *path);
    if (fd >= 0) {
        ret = packed ? compress(s, z, fd, *path, buffers, buffers + COPY_BYTES, e) : copy(s, fd, *path, buffers, e);
        if (close(fd) < 0 && ret == 0)
            ret = err_set_errno(e, errno, "cannot write %s", *path);
        if (ret < 0)
            unlink(*path);
    }
    if (ret < 0) {
        free(*path);
        *path = NULL;
    }
    ASSERT(ret < 0 || *path);
    free(buffers);
    ZSTD_freeCCtx(z);
    return ret;
}

void scratch_remove(const char *scratch)
{
    DIR *d = opendir(scratch);
    struct dirent *entry;

    while (d && (entry = readdir(d)) != NULL)
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
            unlinkat(dirfd(d), entry->d_name, 0);
    if (d)
        closedir(d);
    rmdir(scratch);
    forget(scratch);
}

/* readdir() allocates memory, which a signal handler must not do. The system call below it does not. */
static void remove_in_handler(const char *scratch)
{
    union {
        struct dirent64 align;
        char bytes[8192];
    } entries;
    int dir = open(scratch, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    long got;

    while (dir >= 0 && (got = syscall(SYS_getdents64, dir, entries.bytes, sizeof entries.bytes)) > 0) {
        bool removed = false;

        for (long at = 0; at < got;) {
            const struct dirent64 *entry = (const struct dirent64 *)(const void *)(entries.bytes + at);

            /* "." and ".." are folders, so unlinkat() refuses them */
            removed |= unlinkat(dir, entry->d_name, 0) == 0;
            at += entry->d_reclen;
        }
        if (removed)
            lseek(dir, 0, SEEK_SET); /* after a removal, file systems differ in the entries they still list */
    }
    if (dir >= 0)
        close(dir);
    rmdir(scratch);
}

void scratch_abandon_all(void)
{
    int saved = errno;

    for (size_t i = 0; i < LIVE_MAX; i++)
        if (live[i].taken)
            remove_in_handler(live[i].path);
    errno = saved;
}
