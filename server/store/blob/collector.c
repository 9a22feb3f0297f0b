#include "server/store/blob/collector.h"

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/array.h"
#include "base/hash.h"
#include "base/log.h"
#include "server/store/threads/background.h"
#include "server/store/threads/db_clock.h"
#include "server/store/blob/blob_store.h"
#include "server/platform/config.h"
#include "server/store/repo/repo_blob.h"
#include "server/store/repo/repo_idempotency.h"
#include "server/store/repo/repo_leader.h"
#include "server/store/repo/repo_upload.h"

#define SECOND_US   ((int64_t)1000000)
#define LEASE_US    (60 * SECOND_US)
#define BATCHES_MAX 1000
#define DAY_US      (86400 * SECOND_US)
/* An unfinished upload is removed after a week. Clients do not resume one after that. */
#define UPLOAD_EXPIRES_US (7 * DAY_US)
/* A finished upload's row is kept this long, because it shows the file that an import came from. The files
 * remain. */
#define UPLOAD_KEPT_US (30 * DAY_US)

struct pass {
    struct store *store;
    struct db *db;
    struct collection *sum;
    bool dry_run;
    wall_us now, before;
    int64_t condemned;
};

/* --- Uploads --- */

/* Removes the pieces of ended uploads from the bucket. The row of an upload stays until its pieces are removed. */
static int remove_pieces(struct pass *p, struct err *e)
{
    int count, ret = 0;

    do {
        struct db_rows r;

        if (repo_upload_gone(p->db, &r, e) < 0)
            return -1;
        count = r.count;
        for (int i = 0; i < count && ret == 0; i++)
            ret = blob_upload_remove(p->store->blobs, db_get(&r, i, 0), db_get_u64(&r, i, 1), e) < 0
                      ? -1
                      : repo_upload_removed(p->db, db_get(&r, i, 0), e);
        db_rows_release(&r);
    } while (ret == 0 && count > 0);
    return ret;
}

static int expire_uploads(struct pass *p, struct err *e)
{
    struct db_rows r;

    if (repo_upload_expire(p->db, p->now - UPLOAD_EXPIRES_US, &r, e) < 0)
        return -1;
    p->sum->uploads += (uint64_t)r.count;
    for (int i = 0; i < r.count; i++)
        blob_upload_drop(p->store->blobs, db_get(&r, i, 0));
    db_rows_release(&r);
    return repo_upload_forget(p->db, p->now - UPLOAD_KEPT_US, e);
}

/* Removes the file of an upload whose row does not exist any more: its team was deleted, or a server was killed
 * before it removed the file. */
static int check_upload_file(void *ctx, const char *id, uint64_t bytes, struct err *e)
{
    struct pass *p = ctx;
    int there = repo_upload_exists(p->db, id, e);

    (void)bytes;
    if (there == 0 && !p->dry_run)
        blob_upload_drop(p->store->blobs, id);
    return there < 0 ? -1 : 0;
}

/* --- Blobs: rows --- */

static int count_unreferenced(struct pass *p, struct err *e)
{
    struct db_rows r;

    if (repo_blob_unreferenced(p->db, p->before, &r, e) < 0)
        return -1;
    for (int i = 0; i < r.count; i++) {
        p->sum->blobs++;
        p->sum->bytes += db_get_u64(&r, i, 1);
        if (p->dry_run)
            printf("%s %s\n", db_get(&r, i, 0), db_get(&r, i, 1));
    }
    db_rows_release(&r);
    return 0;
}

static int condemn(struct db *db, void *ctx, struct err *e)
{
    struct pass *p = ctx;

    return repo_blob_condemn(db, p->before, p->now, &p->condemned, e);
}

static int condemn_all(struct pass *p, struct err *e)
{
    int batches = 0;

    do
        if (db_transaction(p->db, condemn, p, e) < 0)
            return -1;
    while (p->condemned > 0 && ++batches < BATCHES_MAX);
    return 0;
}

/* --- Blobs: bytes --- */

static int check_file(void *ctx, const char *sha256, uint64_t bytes, struct err *e)
{
    struct pass *p = ctx;
    int orphan;

    if (!sha256_hex_valid(sha256))
        return 0; /* not a file of this store: a user put it there */
    orphan =
        p->dry_run ? repo_blob_is_orphan(p->db, sha256, e) : repo_blob_condemn_orphan(p->db, sha256, p->now, e);
    if (orphan < 0)
        return -1;
    if (orphan) {
        p->sum->orphans++;
        p->sum->orphan_bytes += bytes;
        if (p->dry_run)
            printf("%s %" PRIu64 " without a row\n", sha256, bytes);
    }
    return 0;
}

struct removal {
    struct pass *pass;
    const char *sha256;
};

/* Removes the bytes under a row lock on their removal note. A client that stores the same bytes waits for the lock
 * and then stores them again. */
static int remove_bytes(struct db *db, void *ctx, struct err *e)
{
    const struct removal *r = ctx;
    int noted = repo_blob_going_lock(db, r->sha256, e);

    if (noted <= 0)
        return noted;
    return blob_remove(r->pass->store->blobs, r->sha256, e) < 0 ? -1 : repo_blob_gone(db, r->sha256, e);
}

static int remove_all(struct pass *p, struct err *e)
{
    char after[SHA256_HEX] = "";
    int count, ret = 0;

    do {
        struct db_rows r;

        if (repo_blob_going(p->db, after, &r, e) < 0)
            return -1;
        count = r.count;
        for (int i = 0; i < count && ret == 0; i++) {
            struct removal removal = {p, db_get(&r, i, 0)};

            ret = db_transaction(p->db, remove_bytes, &removal, e);
        }
        if (count)
            snprintf(after, sizeof after, "%s", db_get(&r, count - 1, 0));
        db_rows_release(&r);
    } while (ret == 0 && count > 0);
    return ret;
}

int collect(struct store *store, struct db *db, bool dry_run, struct collection *out, struct err *e)
{
    wall_us now = clock_now(store->clock), before = now - (wall_us)store->config->blob_grace_s * SECOND_US;
    struct pass p = {.store = store, .db = db, .sum = out, .dry_run = dry_run, .now = now, .before = before};

    *out = (struct collection){0};
    if ((!dry_run &&
         (expire_uploads(&p, e) < 0 || repo_idempotency_expire(db, now - IDEMPOTENCY_KEPT_US, e) < 0)) ||
        count_unreferenced(&p, e) < 0)
        return -1;
    if (!dry_run && ((out->blobs && condemn_all(&p, e) < 0) || repo_blob_condemn_stale(db, before, e) < 0))
        return -1;
    if (blob_walk(store->blobs, before / SECOND_US, check_file, &p, e) < 0 ||
        blob_walk_uploads(store->blobs, before / SECOND_US, check_upload_file, &p, e) < 0)
        return -1;
    return dry_run || (remove_all(&p, e) == 0 && remove_pieces(&p, e) == 0) ? 0 : -1;
}

/* --- The thread --- */

struct collector {
    struct store *store;
    struct background thread;
    char holder[UUID_TEXT];
};

static void tick(struct collector *c)
{
    wall_us now = clock_now(c->store->clock);
    struct collection sum;
    struct err e;
    int held = db_clock_may_lead(c->store->clock)
                   ? repo_leader_hold(c->thread.db, "collector", c->holder, now, now + LEASE_US, &e)
                   : 0;

    if (held == 0)
        return;
    if (held < 0 || collect(c->store, c->thread.db, false, &sum, &e) < 0)
        log_warn("collector", "unused files could not be removed", "error=%s",
                 log_quote(e.text, (char[500]){0}, 500));
    else if (sum.blobs || sum.orphans || sum.uploads)
        log_info("collector", "collected",
                 "blobs=%" PRIu64 " bytes=%" PRIu64 " orphans=%" PRIu64 " uploads=%" PRIu64, sum.blobs, sum.bytes,
                 sum.orphans, sum.uploads);
}

static void *run(void *ctx)
{
    struct collector *c = ctx;

    while (background_rest(&c->thread, c->store->config->collect_each_s * (uint64_t)SECOND_US))
        tick(c);
    return NULL;
}

int collector_start(struct store *store, struct collector **out, struct err *e)
{
    struct collector *c = mem_zalloc(1, sizeof *c, e);

    if (!c)
        return -1;
    c->store = store;
    uuid_make(store->clock, c->holder);
    if (background_start(&c->thread, store->conninfo, run, c, "the collector", e) < 0) {
        free(c);
        return -1;
    }
    *out = c;
    return 0;
}

void collector_stop(struct collector *c)
{
    if (!c)
        return;
    background_stop(&c->thread);
    background_release(&c->thread);
    free(c);
}
