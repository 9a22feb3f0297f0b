/* Checks the team's quota before a large body arrives, so that a client that sends 60 GB is refused at once. The
 * check in store/blob/blob_publish.h after the upload is the authoritative one. This one only avoids a useless
 * transfer. */
#include "server/api/app.h"
#include "server/platform/config.h"
#include "server/store/repo/repo_blob.h"
#include "server/store/repo/repo_upload.h"
#include "server/api/http/http_internal.h"

#define WORTH_ASKING_BYTES (1 << 20)

bool room_is_asked(const struct http_request *r, uint64_t *bytes)
{
    bool file = r->route->kind == ROUTE_FILE || r->route->kind == ROUTE_FILE_CPU;

    /* an upload reserves the room for its pieces when it begins */
    return file && r->route->body_max > UPLOAD_PIECE_BYTES && head_content_length(&r->head, bytes) > 0 &&
           *bytes >= WORTH_ASKING_BYTES;
}

int room_ask(struct http_request *r, struct db *db, struct err *e)
{
    const struct storage_limits limits = {UINT64_MAX, r->http->app->config->team_quota_bytes};
    int64_t team = r->shown.credential.team_id;
    const char *sha256 = r->shown.param[0];
    bool named = sha256_hex_valid(sha256);
    uint64_t bytes;
    int owned = named ? repo_blob_of_team(db, sha256, team, NULL, e) : 0;

    if (owned != 0 || !room_is_asked(r, &bytes))
        return owned < 0 ? -1 : 0;
    if (repo_storage_admit(db, team, bytes, &limits, e) == 0)
        return 0;
    return !named && e->code == ERR_NO_SPACE ? 0 /* the team may have the same bytes already */ : -1;
}
