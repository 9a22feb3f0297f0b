/* Unfinished uploads of server/store/blob/blob_store.h. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

#include "server/store/blob/blob_store_internal.h"
#include "server/store/blob/s3_client.h"

enum { KEY_MAX = 100 };

static int check_id(const char *id, struct err *e)
{
    if (strlen(id) != 36 || strspn(id, "0123456789abcdef-") != 36)
        return err_set(e, ERR_NOT_FOUND, "there is no upload \"%.40s\"", id);
    return 0;
}

int blob_upload_path(const struct blob_store *s, const char *upload_id, char *path, struct err *e)
{
    if (check_id(upload_id, e) < 0)
        return -1;
    snprintf(path, PATH_MAX, "%s/staging/upload-%s", s->folder, upload_id);
    return 0;
}

static int piece_key(const char *id, uint64_t number, char key[KEY_MAX], struct err *e)
{
    if (check_id(id, e) < 0)
        return -1;
    snprintf(key, KEY_MAX, "uploads/%s/%" PRIu64, id, number);
    return 0;
}

int blob_upload_begin(struct blob_store *s, const char *id, uint64_t bytes, struct err *e)
{
    char path[PATH_MAX];
    int fd, ret = 0;

    if (s->s3)
        return check_id(id, e);
    if (blob_upload_path(s, id, path, e) < 0)
        return -1;
    fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (fd < 0)
        return err_set_errno(e, errno, "making the upload's file");
    if (ftruncate(fd, (off_t)bytes) < 0 || fsync(fd) < 0) {
        ret = err_set_errno(e, errno, "making the upload's file");
        unlink(path);
    }
    close(fd);
    return ret;
}

void blob_upload_drop(struct blob_store *s, const char *id)
{
    char path[PATH_MAX];
    struct err e;

    if (!s->s3 && blob_upload_path(s, id, path, &e) == 0)
        unlink(path);
}

/* --- One piece --- */

/* Copies with copy_file_range(2), where the file systems support it; some of them share the blocks instead of
 * copying them. Returns the number of bytes copied. */
static uint64_t copy_inside(int from, int to, uint64_t length, uint64_t offset)
{
    loff_t in = 0, out = (loff_t)offset;
    ssize_t n = 1;

    while ((uint64_t)in < length && n > 0)
        n = copy_file_range(from, &in, to, &out, (size_t)(length - (uint64_t)in), 0);
    return (uint64_t)in;
}

static int copy_piece(int from, int to, uint64_t length, uint64_t offset, struct err *e)
{
    char buffer[64 << 10];

    for (uint64_t done = copy_inside(from, to, length, offset); done < length;) {
        ssize_t n = pread(from, buffer, sizeof buffer, (off_t)done);

        if (n <= 0)
            return err_set_errno(e, n < 0 ? errno : EIO, "reading a piece back");
        for (ssize_t put = 0; put < n;) {
            ssize_t k = pwrite(to, buffer + put, (size_t)(n - put), (off_t)(offset + done + (uint64_t)put));

            if (k < 0) {
                err_set_errno(e, errno, "storing a piece");
                return err_hint(
                    e, "The piece was not stored; make room in the server's state folder and send it again.");
            }
            put += k;
        }
        done += (uint64_t)n;
    }
    if (fdatasync(to) < 0) {
        err_set_errno(e, errno, "storing a piece");
        return err_hint(e, "The piece was not stored; make room in the server's state folder and send it again.");
    }
    return 0;
}

static int put_in_file(struct blob_store *s, const struct blob_piece *p, int from, struct err *e)
{
    char path[PATH_MAX];
    int to, ret = -1;

    if (blob_upload_path(s, p->upload, path, e) < 0)
        return -1;
    to = open(path, O_WRONLY | O_CLOEXEC | O_NOFOLLOW);
    if (to < 0)
        return err_set_errno(e, errno, "opening the upload's file");
    ret = copy_piece(from, to, p->bytes, p->offset, e);
    close(to);
    return ret;
}

int blob_upload_piece(struct blob_store *s, const struct blob_piece *p, const char *path, struct err *e)
{
    int from = open(path, O_RDONLY | O_CLOEXEC), ret;
    char key[KEY_MAX];

    if (from < 0)
        return err_set_errno(e, errno, "opening the upload's file");
    if (s->s3)
        ret = piece_key(p->upload, p->number, key, e) < 0 ? -1 : s3_put(s->s3, key, from, p->bytes, p->sha256, e);
    else
        ret = put_in_file(s, p, from, e);
    close(from);
    return ret;
}

bool blob_upload_in_pieces(const struct blob_store *s)
{
    return s->s3 != NULL;
}

int blob_upload_fetch(struct blob_store *s, const struct blob_piece *p, int to, struct err *e)
{
    char key[KEY_MAX], path[PATH_MAX], hex[SHA256_HEX];
    uint64_t bytes = 0;
    int from, ret = -1;

    if (piece_key(p->upload, p->number, key, e) < 0 || blob_stage(s, &from, path, e) < 0)
        return -1;
    if (s3_get(s->s3, key, from, &bytes, e) == 0 && sha256_file(path, hex, e) == 0) {
        if (bytes != p->bytes || strcmp(hex, p->sha256) != 0)
            err_set(e, ERR_INVALID, "the blob store sent other bytes than those of piece %" PRIu64, p->number);
        else
            ret = copy_piece(from, to, p->bytes, p->offset, e);
    }
    close(from);
    unlink(path);
    return ret;
}

int blob_upload_remove(struct blob_store *s, const char *id, uint64_t pieces, struct err *e)
{
    char key[KEY_MAX];

    for (uint64_t n = 0; s->s3 && n < pieces; n++)
        if (piece_key(id, n, key, e) < 0 || s3_delete(s->s3, key, e) < 0)
            return -1;
    blob_upload_drop(s, id);
    return 0;
}
