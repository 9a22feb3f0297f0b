#include "server/store/blob/scrub.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/hash.h"
#include "base/log.h"
#include "server/store/blob/blob_store.h"
#include "server/store/repo/repo_blob.h"

struct pace {
    uint64_t began_us, bytes, bytes_a_s;
};

/* Sleeps until the rate limit allows another n bytes. */
static void keep_pace(struct pace *p, size_t n)
{
    uint64_t due_us, now = clock_monotonic_us();

    p->bytes += n;
    due_us = p->began_us + (uint64_t)((double)p->bytes * 1e6 / (double)p->bytes_a_s);
    if (due_us > now) {
        uint64_t us = due_us - now;
        const struct timespec t = {(time_t)(us / 1000000), (long)(us % 1000000) * 1000};

        nanosleep(&t, NULL);
    }
}

static int hash_file(int fd, struct pace *pace, char hex[SHA256_HEX], struct err *e)
{
    struct sha256 *h = sha256_new(e);
    unsigned char hash[SHA256_BYTES];
    char buffer[1 << 16];
    ssize_t n = 0;

    if (!h)
        return -1;
    while ((n = read(fd, buffer, sizeof buffer)) > 0 || (n < 0 && errno == EINTR))
        if (n > 0) {
            sha256_update(h, buffer, (size_t)n);
            keep_pace(pace, (size_t)n);
        }
    if (n < 0)
        err_set_errno(e, errno, "reading a blob");
    sha256_final(h, hash);
    sha256_free(h);
    hex_encode(hash, sizeof hash, hex);
    return n < 0 ? -1 : 0;
}

static int set_aside(struct store *store, const char *sha256, struct scrubbing *sum, struct err *e)
{
    sum->damaged++;
    return blob_quarantine(store->blobs, sha256, e) < 0 ? -1 : 0;
}

/* 1: the bytes match the hash. 0: they do not, or some are missing or cannot be read. */
static int look_at(struct store *store, const char *sha256, struct pace *pace, struct scrubbing *sum, struct err *e)
{
    char hex[SHA256_HEX];
    uint64_t bytes;
    int fd, ret;

    if (blob_open(store->blobs, sha256, &fd, &bytes, e) < 0) {
        sum->missing += e->code == ERR_NOT_FOUND;
        return e->code == ERR_NOT_FOUND ? 0 : e->code == ERR_INVALID ? set_aside(store, sha256, sum, e) : -1;
    }
    ret = hash_file(fd, pace, hex, e);
    close(fd);
    if (ret == 0 && strcmp(hex, sha256) == 0)
        return 1;
    if (ret < 0 && e->code != ERR_IO)
        return -1;
    return set_aside(store, sha256, sum, e);
}

int scrub(struct store *store, struct db *db, uint64_t bytes_a_s, struct scrubbing *out, struct err *e)
{
    struct pace pace = {clock_monotonic_us(), 0, bytes_a_s};
    wall_us began = clock_now(store->clock);
    struct db_rows r;
    int count, ret = 0;

    *out = (struct scrubbing){0};
    do {
        if (repo_blob_to_scrub(db, began, &r, e) < 0)
            return -1;
        count = r.count;
        for (int i = 0; i < count && ret == 0; i++) {
            const char *sha256 = db_get(&r, i, 0);
            int sound = look_at(store, sha256, &pace, out, e);

            if (sound == 0)
                log_error("scrub", "a stored blob is damaged or missing", "sha256=%s", sha256);
            ret = sound < 0 ? -1 : repo_blob_scrubbed(db, sha256, sound, clock_now(store->clock), e);
            out->blobs++;
        }
        db_rows_release(&r);
    } while (ret == 0 && count > 0);
    out->bytes = pace.bytes;
    return ret;
}
