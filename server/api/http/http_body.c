/* server/api/http/http_body.c: collects a request body in memory (with a size limit) or in a staged file (with
 * its hash). */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "base/whole_file.h"
#include "server/api/app.h"
#include "server/store/blob/blob_store.h"
#include "server/api/http/http_internal.h"
#include "server/platform/metrics.h"
#include "server/domain/operate/watch.h"

static int too_large(const struct http_request *r, struct err *e)
{
    if (r->route->body_max == 0)
        return err_set(e, ERR_TOO_LARGE, "requests to this address have no body");
    return err_set(e, ERR_TOO_LARGE, "the body may have at most %llu bytes",
                   (unsigned long long)r->route->body_max);
}

int body_prepare(struct http_request *r, struct err *e)
{
    uint64_t length = 0, space = 0;
    int known = head_content_length(&r->head, &length);

    if (known && length > r->route->body_max)
        return too_large(r, e);
    if (r->route->kind != ROUTE_FILE && r->route->kind != ROUTE_FILE_CPU)
        return 0;
    if (watch_room(&r->http->app->farm, e) < 0 || blob_space(r->http->app->farm.store.blobs, &space, e) < 0)
        return -1;
    if (space == 0 || (known && length > space)) {
        err_set(e, ERR_NO_SPACE, "the server has no room for %llu bytes: %llu are free for uploads",
                (unsigned long long)length, (unsigned long long)space);
        return err_hint(e, "Free disk space in the server's state folder, then send it again; nothing was stored.");
    }
    r->body_path = mem_zalloc(PATH_MAX, 1, e);
    if (!r->body_path)
        return -1;
    if (blob_stage(r->http->app->farm.store.blobs, &r->body_fd, r->body_path, e) < 0)
        return -1;
    r->body_hash = sha256_new(e);
    return r->body_hash ? 0 : -1;
}

int body_take(struct http_request *r, const char *bytes, size_t n)
{
    r->body_bytes += n;
    if (r->body_failed)
        return r->body_bytes > r->route->body_max + BODY_SWALLOW_MAX ? -1 : 0;
    if (r->body_bytes > r->route->body_max) {
        r->body_failed = true;
        too_large(r, &r->body_err);
        return 0;
    }
    if (r->body_fd >= 0) {
        sha256_update(r->body_hash, bytes, n);
        if (fd_write_all(r->body_fd, bytes, n) < 0) {
            r->body_failed = true;
            err_set_errno(&r->body_err, errno, "storing the request's body");
            err_hint(&r->body_err,
                     "Nothing was stored. Free disk space in the server's state folder, then send it again.");
        }
        metrics_add(r->http->app->farm.metrics, METRIC_UPLOAD_BYTES, n);
    } else {
        strbuf_add(&r->body, bytes, n);
    }
    return 0;
}

int body_end(struct http_request *r, struct err *e)
{
    unsigned char hash[SHA256_BYTES];

    if (r->body_failed) {
        *e = r->body_err;
        return -1;
    }
    if (r->body.failed)
        return err_no_memory(e);
    r->shown.body = r->body.text;
    r->shown.body_length = r->body.length;
    if (r->body_fd >= 0) {
        sha256_final(r->body_hash, hash);
        hex_encode(hash, sizeof hash, r->shown.body_sha256);
        r->shown.body_path = r->body_path;
        r->shown.body_length = r->body_bytes;
        close(r->body_fd);
        r->body_fd = -1;
    }
    return 0;
}

void body_drop_file(struct http_request *r)
{
    if (r->body_fd >= 0)
        close(r->body_fd);
    r->body_fd = -1;
    if (!r->body_path)
        return;
    if (r->body_path[0])
        unlink(r->body_path); /* the handler has renamed it, or it is not needed */
    r->body_path[0] = '\0';
}

void body_release(struct http_request *r)
{
    strbuf_release(&r->body);
    sha256_free(r->body_hash);
    body_drop_file(r);
    free(r->body_path);
}
