#include "server/store/blob/blob_publish.h"

#include "server/store/blob/blob_store.h"
#include "server/platform/config.h"
#include "server/store/repo/repo_blob.h"
#include "server/store/repo/repo_upload.h"

struct publishing {
    struct store *store;
    const struct blob_publication *b;
};

/* Checks the quota. A blob that the team already owns needs no further space. */
static int check_quota(const struct publishing *p, struct db *db, struct err *e)
{
    const struct server_config *c = p->store->config;
    const struct storage_limits limits = {UINT64_MAX, c->team_quota_bytes};
    int owned = p->b->upload ? 1 : repo_blob_of_team(db, p->b->sha256, p->b->team, NULL, e);

    return owned ? (owned < 0 ? -1 : 0) : repo_storage_admit(db, p->b->team, p->b->bytes, &limits, e);
}

static int announce(struct db *db, void *ctx, struct err *e)
{
    const struct publishing *p = ctx;

    if (check_quota(p, db, e) < 0)
        return -1;
    return repo_blob_announce(db, p->b->sha256, clock_now(p->store->clock), e);
}

static int record(struct db *db, void *ctx, struct err *e)
{
    const struct publishing *p = ctx;
    const struct blob_publication *b = p->b;

    if (check_quota(p, db, e) < 0 ||
        repo_blob_put(db, b->sha256, b->bytes, b->team, clock_now(p->store->clock), e) < 0)
        return -1;
    return b->upload ? repo_upload_settle(db, b->upload, e) : 0;
}

int blob_publish(struct store *store, struct db *db, const struct blob_publication *b, struct err *e)
{
    struct publishing p = {store, b};

    if (db_transaction(db, announce, &p, e) < 0 ||
        (b->staged_path && blob_adopt(store->blobs, b->staged_path, b->sha256, e) < 0))
        return -1;
    return db_transaction(db, record, &p, e);
}
